// Angles as text that is lowered with rows: what kernel/math.ts and kernel/reduction.ts do, to the bit, without the words of doubles,
// which would have to go through memory. Angles that are rare - huge, or close to a multiple of a quarter turn - are left to those
// files (`…Far$`).

/** As `kernelSin` and `kernelCos` with a tail. x in [-pi/4, pi/4]. */
const kernels = `
function sinNear$(x,y){
  const z=x*x,v=z*x;
  const r=8.33333333332248946124e-3+z*(-1.98412698298579493134e-4+z*(2.75573137070700676789e-6+z*(-2.50507602534068634195e-8+z*1.58969099521155010221e-10)));
  return x-(z*(0.5*y-v*r)-y-v*-1.66666666666666324348e-1);
}
function cosNear$(x,y){
  const z=x*x,size=Math.abs(x);
  const r=z*(4.16666666666666019037e-2+z*(-1.38888888888741095749e-3+z*(2.48015872894767294178e-5+z*(-2.75573143513906633035e-7+z*(2.0875723212981748279e-9+z*-1.13596475577881948265e-11)))));
  const large=Number(size>=0.7812504768371582),middle=Number(size>=0.2999999523162842)-large,half=Number(size>=0.5);
  const q=Math.floor(size*(4194304-2097152*half))*(5.960464477539063e-8*(1+half))*middle+0.28125*large;
  return 1-q-(0.5*z-q-(z*r-x*y));
}`

/** `quarter` quarter turns on from the sine: 1 is the cosine. */
const turned = (name: string, quarter: number, far: string, near: string, sign: string): string => `
function ${name}(x){
  const size=Math.abs(x);
  if(size<=0.7853981633974483){${near}}
  if(!(size<=1647099.3))return ${far}(x);
  const n=(size*6.36619772367581382433e-1+0.5)|0,m=n+${quarter},r=size-n*1.57079632673412561417,w=n*6.07710050650619224932e-11,y=r-w;
  if(Math.abs(y)*65536<=size)return ${far}(x);
  const lo=r-y-w;
  if((m&1)===0)return sinNear$(y,lo)*(1-(m&2))${sign};
  return cosNear$(y,lo)*(1-(m&2))${sign};
}`

const sine = turned(
  'sin$',
  0,
  'sinFar$',
  `
    if(size<7.450580596923828e-9)return x;
    const z=x*x,v=z*x;
    return x+v*(-1.66666666666666324348e-1+z*(8.33333333332248946124e-3+z*(-1.98412698298579493134e-4+z*(2.75573137070700676789e-6+z*(-2.50507602534068634195e-8+z*1.58969099521155010221e-10)))));`,
  '*(1-2*Number(x<0))',
)

const cosine = turned('cos$', 1, 'cosFar$', 'return cosNear$(x,0);', '')

/** formula/runtime/numbers.ts, world/geometry.ts. */
const doors = `
function sinOf$(x,from,to){
  if(Math.abs(x)===Infinity)raise$(10019,from,to);
  return sin$(x);
}
function cosOf$(x,from,to){
  if(Math.abs(x)===Infinity)raise$(10019,from,to);
  return cos$(x);
}
function radians$(x,from,to){return x*${Math.PI}/180;}
function degrees$(x,from,to){return x*180/${Math.PI};}
function cosine$(degrees){
  if(degrees===90||degrees===270)return 0;
  if(degrees===180)return -1;
  return cos$(degrees*${Math.PI / 180});
}
function sine$(degrees){
  if(degrees===0||degrees===180)return 0;
  if(degrees===90)return 1;
  if(degrees===270)return -1;
  return sin$(degrees*${Math.PI / 180});
}`

/** As `atan` of a positive number, and `atan2` where both numbers are usual ones. */
const angles = `
function atanOf$(size){
  let hi=0,lo=0,t=size;
  if(size<0.4375){
    if(size<1.862645149230957e-9)return size;
  }else if(size<1.1875){
    if(size<0.6875){hi=4.63647609000806093515e-1;lo=2.26987774529616870924e-17;t=(2*size-1)/(2+size);}
    else{hi=7.85398163397448278999e-1;lo=3.06161699786838301793e-17;t=(size-1)/(size+1);}
  }else if(size<2.4375){hi=9.82793723247329054082e-1;lo=1.39033110312309984516e-17;t=(size-1.5)/(1+1.5*size);}
  else{hi=1.570796326794896558;lo=6.12323399573676603587e-17;t=-1/size;}
  const z=t*t,w=z*z;
  const s=z*(3.33333333333329318027e-1+w*(1.42857142725034663711e-1+w*(9.09088713343650656196e-2+w*(6.66107313738753120669e-2+w*(4.97687799461593236017e-2+w*1.62858201153657823623e-2)))));
  const u=w*(-1.99999999998764832476e-1+w*(-1.1111110405462355788e-1+w*(-7.69187620504482999495e-2+w*(-5.83357013379057348645e-2+w*-3.6531572744216915527e-2))));
  if(hi===0)return t-t*(s+u);
  return hi-(t*(s+u)-lo-t);
}
function atan2$(y,x,from,to){
  const ratio=Math.abs(y/x);
  if(!(ratio>1e-15&&ratio<1e15)||x===1)return atan2Far$(y,x);
  const z=atanOf$(ratio);
  if(x>0)return y<0?-z:z;
  return y<0?z-1.2246467991473531772e-16-${Math.PI}:${Math.PI}-(z-1.2246467991473531772e-16);
}`

export const trigonometry = [kernels, sine, cosine, doors, angles].join('')
