// What rows call of the engine, in the JavaScript that is lowered with them: random numbers, births and deaths, moves and
// lists in a space. It does what kernel/random.ts, formula/runtime/chance.ts, world/population.ts and world/space.ts do, in
// their order and to the bit; `tests/engine/native` compares whole states. Names end in $ and the number of what they
// are for, so that they meet no name of a program. One file, as it is one text. P and R are populations and residents as in programs, S spaces; Q and Z
// are what populations and spaces keep to themselves. `small$` is told a whole number of 32 bits, and tells it as such.
import type { PopulationShape, Shape, SpaceShape } from './surroundings.ts'
import { trigonometry } from './trigonometry.ts'

/** Text of the functions a program with this shape can call. Those that can't be had are missing, so that who calls them is refused. */
export function libraryOf(shape: Shape): string {
  return [
    chance,
    numbers,
    trigonometry,
    geometry,
    lists,
    ...shape.spaces.map(spaceText),
    ...shape.populations.map(one => populationText(one, shape)),
    ...shape.networks.map(lookText),
    cellAtText(shape),
    `function settle$(){${shape.populations.map(({ index, changes }) => (changes ? `settle$${index}();` : '')).join('')}}`,
  ].join('\n')
}

/** kernel/random.ts and formula/runtime/chance.ts. */
const chance = `
function bits$(s){
  const s1=s[1],r=Math.imul(s1,5),result=Math.imul((r<<7)|(r>>>25),9),s2=s[2]^s[0],s3=s[3]^s1;
  s[1]=s1^s2;
  s[0]=s[0]^s3;
  s[2]=s2^(s1<<9);
  s[3]=(s3<<11)|(s3>>>21);
  return result>>>0;
}
function uniform(s){return bits$(s)*2.3283064365386963e-10;}
function uniform53$(s){
  const high=bits$(s)>>>5,low=bits$(s)>>>6;
  return (high*67108864+low)*1.1102230246251565e-16;
}
function uniformOpen$(s){
  const high=bits$(s)>>>6,low=bits$(s)>>>6;
  return (high*67108864+low+0.5)*2.220446049250313e-16;
}
function drawn$(s,n){
  let product=bits$(s)*n,low=product>>>0;
  if(low<n){
    const threshold=4294967296-n*Math.floor(4294967296/n);
    while(low<threshold){
      product=bits$(s)*n;
      low=product>>>0;
    }
  }
  return (product*2.3283064365386963e-10)|0;
}
function index$(s,n){
  if(n>1048576)return Math.floor(uniform53$(s)*n)|0;
  return drawn$(s,n);
}
function below(s,n){
  if(n>1048576)return Math.floor(uniform53$(s)*n);
  return drawn$(s,n);
}
function pick$(s,n){return index$(s,n);}
function random$(s,from,to){return uniform(s);}
function uniformIn$(s,low,high,from,to){return low+(high-low)*uniform(s);}
function randint$(s,low,high,from,to){
  if(!(isWhole$(low)&&isWhole$(high)))raise$(10023,from,to);
  if(!(high>low))raise$(10020,from,to);
  return low+below(s,high-low);
}
function randint1$(s,end,from,to){return randint$(s,0,end,from,to);}
function bernoulli$(s,p,from,to){
  if(!(p>=0&&p<=1))raise$(10021,from,to);
  return uniform(s)<p;
}
function standardNormal$(s){
  let u=0,r=0;
  while(!(r>0&&r<1)){
    u=2*uniform53$(s)-1;
    const v=2*uniform53$(s)-1;
    r=u*u+v*v;
  }
  return u*Math.sqrt((-2*ln$(r))/r);
}
function normal$(s,mean,std,from,to){
  if(!(std>=0))raise$(10020,from,to);
  if(std===0)return mean;
  return mean+std*standardNormal$(s);
}
function lognormal$(s,mean,sigma,from,to){
  if(!(sigma>=0))raise$(10020,from,to);
  return exp$(mean+sigma*standardNormal$(s));
}
function poisson$(s,mean,from,to){
  if(!(mean>=0&&mean<1e15))raise$(10020,from,to);
  if(mean<10){
    const limit=exp$(-mean);
    let n=0;
    for(let product=uniformOpen$(s);product>limit;product*=uniformOpen$(s))n++;
    return n;
  }
  const root=Math.sqrt(mean),b=0.931+2.53*root,a=-0.059+0.02483*b,inverse=1.1239+1.1328/(b-3.4);
  const vr=0.9277-3.6224/(b-2),logMean=ln$(mean);
  for(;;){
    const u=uniformOpen$(s)-0.5,v=uniformOpen$(s),us=0.5-Math.abs(u);
    const k=Math.floor(((2*a)/us+b)*u+mean+0.43);
    if(us>=0.07&&v<=vr)return k;
    if(!(k<0||(us<0.013&&v>us))){
      if(ln$(v)+ln$(inverse)-ln$(a/(us*us)+b)<=-mean+k*logMean-logGamma$(k+1))return k;
    }
  }
  return 0;
}
function exponential$(s,mean,from,to){
  if(!(mean>=0))raise$(10020,from,to);
  return mean*-ln$(uniformOpen$(s));
}`

const numbers = `
function isWhole$(v){return Math.floor(v)===v&&v-v===0;}
function whole$(v){
  if(!isWhole$(v))X.fail(10023);
  if(v<0)X.fail(10039);
  return v;
}
function number$(v){return v;}
function weight$(v){
  if(!(v>=0&&v<Infinity))X.fail(10021);
  return v;
}
function ratio$(v){
  if(!(v>=0&&v<=1))X.fail(10021);
  return v;
}
function back(value,place){
  at=place;
  return value;
}
function refuel$(){
  N.top=0;
  N.end=0;
  F.fuel[0]=50000000;
  F.depth=0;
}
function enter$(from,to){
  F.depth=(F.depth+1)|0;
  if(F.depth>2000)F.spent(from,to);
}
function leave$(){F.depth=(F.depth-1)|0;}
function round1$(x,from,to){
  if(x-x!==0)raise$(10015,from,to);
  let near=Math.floor(x);
  const rest=x-near;
  if(rest>0.5||(rest===0.5&&Math.floor(near*0.5)*2!==near))near=near+1;
  return near===0&&x<0?x*0:near;
}
function log1$(x,from,to){
  if(!(x>0))raise$(10019,from,to);
  return ln$(x);
}
function sqrt$(x,from,to){
  if(!(x>=0))raise$(10019,from,to);
  return Math.sqrt(x);
}
function isDivision$(a,b){return b>0&&b<2147483648&&Math.floor(b)===b&&a>-2147483648&&a<2147483648&&Math.floor(a)===a;}
function mod$(a,b,from,to){
  if(a>=0&&a<b)return a;
  if(a>=b&&b>0&&a-b<b)return a-b;
  if(a<0&&a>-b)return a+b;
  if(!isDivision$(a,b))return modFar$(a,b,from,to);
  const rest=a-Math.floor(a/b)*b;
  return rest===0?a*0:rest;
}
function floordiv$(a,b,from,to){
  if(!isDivision$(a,b))return floordivFar$(a,b,from,to);
  return Math.floor(a/b)+0;
}
function clamp$(x,low,high,from,to){return Math.min(Math.max(x,low),high);}`

/** Of run/surface.ts. What is chosen from is at the end of `N.list`. */
const lists = `
function push$(handle){
  if(N.end===N.list.length)moreFound$();
  N.list[N.end]=handle;
  N.end=(N.end+1)|0;
}
function pickRandom$(base,size,limit,stream){
  const count=Math.min(whole$(limit),size)|0;
  for(let k=0;k<count;k++){
    const j=(k+index$(stream,(size-k)|0))|0,handle=N.list[base+k];
    N.list[base+k]=N.list[base+j];
    N.list[base+j]=handle;
  }
  return count;
}
function pickFirst$(size,limit){return Math.min(whole$(limit),size)|0;}
function movedTo$(from,to,place){
  for(let k=from;k<to;k=(k+2)|0)if(N.found[k]===place)return N.found[k+1];
  return place;
}`

/** world/geometry.ts. */
const geometry = `
function wrap$(value,low,high){
  if(value>=low&&value<high)return value;
  const width=high-low;
  let inside=value>=high?value-width:value+width;
  if(!(inside>=low&&inside<high))inside=value-Math.floor((value-low)/width)*width;
  return inside>=high?low:inside;
}
function fullTurn$(degrees){
  if(degrees>=0&&degrees<360)return degrees;
  const turned=degrees-Math.floor(degrees/360)*360;
  return turned>=360?0:turned;
}`

function spaceText({ index: s, isDiscrete }: SpaceShape): string {
  return `
function gridAt$${s}(x,y){
  let column=Math.floor(x+0.5)-S${s}.grid.minX,row=Math.floor(y+0.5)-S${s}.grid.minY;
  if(!(column>=0&&column<S${s}.grid.columns)){
    if(!S${s}.grid.wrapX||!(column-column===0))return -1;
    column=column-Math.floor(column/S${s}.grid.columns)*S${s}.grid.columns;
  }
  if(!(row>=0&&row<S${s}.grid.rows)){
    if(!S${s}.grid.wrapY||!(row-row===0))return -1;
    row=row-Math.floor(row/S${s}.grid.rows)*S${s}.grid.rows;
  }
  return small$(row*S${s}.grid.columns+column);
}
function cellNear$${s}(x,y){
  const column=Math.min(Math.max(Math.floor(x+0.5),S${s}.grid.minX),S${s}.grid.minX+S${s}.grid.columns-1);
  const row=Math.min(Math.max(Math.floor(y+0.5),S${s}.grid.minY),S${s}.grid.minY+S${s}.grid.rows-1);
  return small$((row-S${s}.grid.minY)*S${s}.grid.columns+column-S${s}.grid.minX);
}
function bucketAt$${s}(x,y){
  const column=Math.min(Math.floor((x-S${s}.lowX)/S${s}.bucketSideX),S${s}.bucketColumns-1);
  const row=Math.min(Math.floor((y-S${s}.lowY)/S${s}.bucketSideY),S${s}.bucketRows-1);
  return small$(row*S${s}.bucketColumns+column);
}
function cellX$${s}(cell){return S${s}.grid.minX+small$(cell)%S${s}.grid.columns;}
function cellY$${s}(cell){return S${s}.grid.minY+Math.floor(small$(cell)/S${s}.grid.columns);}
function randomCell$${s}(stream){return index$(stream,S${s}.grid.size);}
${cellsText(s)}${isDiscrete ? countingText(s) : ''}`
}

/** The cell at a place, where there is one space with cells. */
function cellAtText({ populations, spaces }: Shape): string {
  const [cells, another] = populations.filter(({ cellsOf }) => cellsOf !== null)
  const space = spaces.find(({ index }) => index === cells?.cellsOf)
  if (another || !space?.isPlane) return ''
  return `
function cellAt$(x,y,z,from,to,cells){
  const cell=Math.floor(z+0.5)===0?gridAt$${space.index}(x,y):-1;
  if(cell<0)raise$(10060,from,to);
  return cell;
}`
}

/** Who stands on a cell is counted while something depends on it. */
const countingText = (s: number): string => `
function countOut$${s}(cell){
  const left=(Z${s}.occupancy[cell]-1)|0;
  Z${s}.occupancy[cell]=left;
  if(left>0||!Z${s}.tracksEmpty)return;
  Z${s}.emptyAt[cell]=S${s}.emptyCount;
  S${s}.empty[S${s}.emptyCount]=cell;
  S${s}.emptyCount=(S${s}.emptyCount+1)|0;
}
function countStep$${s}(old,cell){
  if(Z${s}.occupancy[cell]>=S${s}.cellCapacity)X.fail(10061);
  if(old>=0)countOut$${s}(old);
  const before=Z${s}.occupancy[cell];
  Z${s}.occupancy[cell]=(before+1)|0;
  if(before>0||!Z${s}.tracksEmpty)return;
  const at=Z${s}.emptyAt[cell];
  S${s}.emptyCount=(S${s}.emptyCount-1)|0;
  const last=S${s}.empty[S${s}.emptyCount];
  S${s}.empty[at]=last;
  Z${s}.emptyAt[last]=at;
  Z${s}.emptyAt[cell]=-1;
}
function randomEmptyCell$${s}(stream){
  if(!Z${s}.tracksEmpty)trackEmpty$(${s});
  if(S${s}.emptyCount===0)return -1;
  return S${s}.empty[index$(stream,S${s}.emptyCount)];
}`

function populationText(population: PopulationShape, shape: Shape): string {
  const { index: p, residents, changes } = population
  const space = residents === null ? undefined : shape.spaces[residents.space]
  const placed = space && residents ? residentsText(p, space, residents.isListed, changes) : ''
  const isRemovable = residents === null || placed !== ''
  return [
    shuffleText(p),
    someText(p),
    aroundText(population, placed === '' ? undefined : space),
    placed,
    space && residents?.isListed && placed !== '' ? scanText(p, space.index) + standingText(p, space) : '',
    changes ? settleText(p) + birthText(population) : '',
    changes && isRemovable ? deathText(population) : '',
  ].join('')
}

const settleText = (p: number): string => `
function settle$${p}(){
  for(let k=P${p}.settled,n=P${p}.livingCount;k<n;k++)P${p}.order[k]=P${p}.living[k];
  P${p}.settled=P${p}.livingCount;
  const dead=(P${p}.livingCount-P${p}.count)|0;
  if(dead>0&&dead*8>=P${p}.livingCount)compact$${p}();
}
function compact$${p}(){
  let kept=0,freed=Q${p}.freedCount;
  for(let k=0,n=P${p}.livingCount;k<n;k++){
    const slot=P${p}.living[k],isAlive=P${p}.handles[slot]>=0?1:0;
    P${p}.living[kept]=slot;
    Q${p}.freed[freed]=slot;
    kept=(kept+isAlive)|0;
    freed=(freed+1-isAlive)|0;
  }
  Q${p}.freedCount=freed;
  P${p}.livingCount=kept;
  let ordered=0;
  for(let k=0,n=P${p}.settled;k<n;k++){
    const slot=P${p}.order[k];
    P${p}.order[ordered]=slot;
    ordered=(ordered+(P${p}.handles[slot]>=0?1:0))|0;
  }
  P${p}.settled=ordered;
}`

const drawAndSwap = (p: number, place: string): string => `
    const r=Math.imul(s1,5),bits=Math.imul((r<<7)|(r>>>25),9)>>>0,shifted=s1<<9;
    s2^=s0;
    s3^=s1;
    s1^=s2;
    s0^=s3;
    s2^=shifted;
    s3=(s3<<11)|(s3>>>21);
    const j=(${place})|0,slot=P${p}.order[i];
    P${p}.order[i]=P${p}.order[j];
    P${p}.order[j]=slot;`

/** Below 2^21 the product of bits and places is a whole number that no float rounds. */
const shuffleText = (p: number): string => `
function shuffled$${p}(stream){
  let s0=stream[0],s1=stream[1],s2=stream[2],s3=stream[3];
  for(let i=(P${p}.settled-1)|0;i>2097150;i--){
    ${drawAndSwap(p, 'bits*2.3283064365386963e-10*(i+1)')}
  }
  for(let i=Math.max(0,Math.min(P${p}.settled-1,2097150));i>0;i--){
    ${drawAndSwap(p, 'bits*((i+1)&2097151)*2.3283064365386963e-10')}
  }
  stream[0]=s0;
  stream[1]=s1;
  stream[2]=s2;
  stream[3]=s3;
  return P${p}.settled;
}`

/** Few of many are chosen by the places that were swapped, in pairs above what was found. */
const someText = (p: number): string => `
function anyOf$${p}(stream,from,to){
  if(P${p}.count===0)F.empty(from,to);
  let left=index$(stream,P${p}.count),place=left;
  if(P${p}.count!==P${p}.livingCount)for(place=0;;place++)if(P${p}.handles[P${p}.living[place]]>=0){
    if(left===0)break;
    left=(left-1)|0;
  }
  return P${p}.handles[P${p}.living[place]];
}
function someOf$${p}(limit,stream){
  const size=P${p}.livingCount,count=Math.min(whole$(limit),size)|0,base=N.end;
  if(size!==P${p}.count||count*4>=size||count>32){
    for(let k=0;k<size;k++){
      const handle=P${p}.handles[P${p}.living[k]];
      if(handle>=0)push$(handle);
    }
    return pickRandom$(base,(N.end-base)|0,limit,stream);
  }
  while(N.top+64>N.found.length)moreFound$();
  const start=N.top;
  let end=start;
  for(let k=0;k<count;k++){
    const j=(k+index$(stream,(size-k)|0))|0;
    push$(P${p}.handles[P${p}.living[movedTo$(start,end,j)]]);
    const own=movedTo$(start,end,k);
    let at=start;
    while(at<end&&N.found[at]!==j)at=(at+2)|0;
    N.found[at]=j;
    N.found[at+1]=own;
    if(at===end)end=(end+2)|0;
  }
  return count;
}`

const birthText = ({ index: p, columns, texts, hasOthers }: PopulationShape): string => `
function create$${p}(){
  if(P${p}.count>=P${p}.maximum||P${p}.count>=16777216)X.fail(10056);
  if(Q${p}.freedCount===0&&P${p}.top===P${p}.capacity)widen$(${p});
  if(Q${p}.freedCount===0&&P${p}.top===16777216)X.fail(10056);
  let slot=P${p}.top;
  if(Q${p}.freedCount>0){
    Q${p}.freedCount=(Q${p}.freedCount-1)|0;
    slot=Q${p}.freed[Q${p}.freedCount];
  }else P${p}.top=(P${p}.top+1)|0;
  P${p}.handles[slot]=slot+Q${p}.generations[slot]*16777216;
  Q${p}.births=Q${p}.births+1;
  P${p}.ids[slot]=Q${p}.births;
  P${p}.living[P${p}.livingCount]=slot;
  P${p}.livingCount=(P${p}.livingCount+1)|0;
  P${p}.count=(P${p}.count+1)|0;
  ${columns.map(({ initial }, k) => `Q${p}.c${k}[slot]=${initial};`).join('')}
  ${anew(p, texts, hasOthers)}
  return slot;
}`

/** What isn't a number begins with None. */
const anew = (p: number, texts: readonly string[], hasOthers: boolean): string =>
  `${texts.map(name => `${name}[slot]=-2;`).join('')}${hasOthers ? `Q${p}.stale[slot]=1;` : ''}`

/** Of individuals whose deaths nothing hears of: see `isBare`. */
const deathText = ({ index: p, texts, hasOthers, residents }: PopulationShape): string => `
function die$${p}(handle,from,to){
  const slot=handle&16777215;
  if(!(handle>=0&&P${p}.handles[slot]===handle)){
    if(handle<0)raise$(10014,from,to);
    return;
  }
  ${residents ? `remove$${p}(slot);` : ''}
  P${p}.handles[slot]=-1;
  ${anew(p, texts, hasOthers)}
  Q${p}.generations[slot]=(Q${p}.generations[slot]+1)|0;
  P${p}.count=(P${p}.count-1)|0;
}`

/** Nobody in three dimensions, or on cells of a continuous space with a capacity. */
function residentsText(p: number, space: SpaceShape, isListed: boolean, changes: boolean): string {
  const { index: s, isDiscrete, isPlane, isCapped, border } = space
  if (!isPlane || (isCapped && !isDiscrete)) return ''
  const S = `S${s}`
  const R = `R${p}`
  const fails = border === 'error' ? 'true' : 'value!==value'
  return `
function link$${p}(slot,bucket){
  ${R}.bucket[slot]=bucket;
  ${
    isListed
      ? `const head=${R}.heads[bucket];
  ${R}.next[slot]=-1;
  if(head<0){
    ${R}.previous[slot]=slot;
    ${R}.heads[bucket]=slot;
    return;
  }
  const last=${R}.previous[head];
  ${R}.behind=(${R}.behind+1)|0;
  ${R}.next[last]=slot;
  ${R}.previous[slot]=last;
  ${R}.previous[head]=slot;`
      : ''
  }
}
function unlink$${p}(slot,bucket){
  ${R}.bucket[slot]=-1;
  ${
    isListed
      ? `const before=${R}.previous[slot];
  if(before===slot){
    ${R}.heads[bucket]=-1;
    return;
  }
  const head=${R}.heads[bucket],after=${R}.next[slot];
  const isOthers=(0-(head^slot))>>31,isLast=after>>31;
  ${R}.behind=(${R}.behind-1)|0;
  ${R}.heads[bucket]=(head&isOthers)|(after&~isOthers);
  ${R}.next[(before&isOthers)|(slot&~isOthers)]=after;
  ${R}.previous[(after&~isLast)|(head&isLast)]=before;`
      : ''
  }
}
function remove$${p}(slot){
  const bucket=${R}.bucket[slot];
  if(bucket<0)return;
  unlink$${p}(slot,bucket);
  ${R}.placed=(${R}.placed-1)|0;
  ${isDiscrete ? `if(Z${s}.counts)countOut$${s}(bucket);` : ''}
  ${R}.x[slot]=NaN;
  ${R}.y[slot]=NaN;
}
function cross$${p}(slot,value,low,high,wraps,mirror){
  if(value>=low&&value<high)return value;
  if(wraps)return wrap$(value,low,high);
  ${isDiscrete ? '' : 'if(value===high)return value;'}
  if(${fails})X.fail(10060);
  ${
    border === 'reflect'
      ? `if(value-value!==0)return value<low?low:high;
  const round=2*(high-low);
  let bounced=value-Math.floor((value-low)/round)*round;
  if(bounced>high){
    bounced=2*high-bounced;
    if(mirror>=0)${R}.heading[slot]=fullTurn$(mirror-${R}.heading[slot]);
  }
  return bounced;`
      : 'return value<low?low:high;'
  }
}
function translate$${p}(slot,dx,dy){
  if(${R}.bucket[slot]<0)X.fail(10062);
  ${
    isDiscrete
      ? `const column=Math.floor(${R}.x[slot]+dx+0.5)-${S}.grid.minX,row=Math.floor(${R}.y[slot]+dy+0.5)-${S}.grid.minY;
  if(column>=0&&column<${S}.grid.columns&&row>=0&&row<${S}.grid.rows){
    stepTo$${p}(slot,column,row);
    return;
  }`
      : ''
  }
  const x=cross$${p}(slot,${R}.x[slot]+dx,${S}.lowX,${S}.lowX+${S}.width,${S}.wrapX,180);
  const y=cross$${p}(slot,${R}.y[slot]+dy,${S}.lowY,${S}.lowY+${S}.height,${S}.wrapY,0);
  ${isDiscrete ? `placeOnCell$${p}(slot,cellNear$${s}(x,y));` : `settleAt$${p}(slot,x,y);`}
}
function forward$${p}(slot,distance){
  const heading=${R}.heading[slot];
  translate$${p}(slot,distance*cosine$(heading),distance*sine$(heading));
}
function turn$${p}(slot,degrees){${R}.heading[slot]=fullTurn$(${R}.heading[slot]+degrees);}
function setHeading$${p}(slot,degrees){${R}.heading[slot]=fullTurn$(degrees);}
${isDiscrete ? cellMovesText(p, s) : openMovesText(p, s, changes)}`
}

const cellMovesText = (p: number, s: number): string => `
function cellOf$${p}(slot){return R${p}.bucket[slot];}
function enter$${p}(slot,cell){
  const old=R${p}.bucket[slot];
  if(old===cell)return false;
  if(Z${s}.counts)countStep$${s}(old,cell);
  if(old>=0)unlink$${p}(slot,old);
  else R${p}.placed=(R${p}.placed+1)|0;
  link$${p}(slot,cell);
  return true;
}
function stepTo$${p}(slot,column,row){
  const cell=small$(row*S${s}.grid.columns+column);
  if(!enter$${p}(slot,cell))return;
  R${p}.x[slot]=column+S${s}.grid.minX;
  R${p}.y[slot]=row+S${s}.grid.minY;
}
function step$${p}(slot,cell){
  const row=(cell/S${s}.grid.columns)|0,column=(cell-row*S${s}.grid.columns)|0;
  if(!enter$${p}(slot,cell))return;
  R${p}.x[slot]=column+S${s}.grid.minX;
  R${p}.y[slot]=row+S${s}.grid.minY;
}
function placeOnCell$${p}(slot,cell){
  if(!(cell>=0&&cell<S${s}.grid.size))X.fail(10060);
  step$${p}(slot,small$(cell));
}
function placeOnCellAt$${p}(slot,x,y,z,from,to){
  const column=Math.floor(x+0.5)-S${s}.grid.minX,row=Math.floor(y+0.5)-S${s}.grid.minY;
  if(z===0&&column>=0&&column<S${s}.grid.columns&&row>=0&&row<S${s}.grid.rows){
    stepTo$${p}(slot,column,row);
    return;
  }
  const layer=Math.floor(z+0.5);
  const cell=layer>=0&&layer<1?gridAt$${s}(x,y):-1;
  if(cell<0)raise$(10060,from,to);
  step$${p}(slot,cell);
}
function place$${p}(slot,x,y){
  const cell=gridAt$${s}(x,y);
  if(cell<0)X.fail(10060);
  step$${p}(slot,cell);
}
function placeAtRandom$${p}(slot,stream){placeOnCell$${p}(slot,randomCell$${s}(stream));}
function placeBeside$${p}(slot,bucket,x,y){
  if(bucket>=0)placeOnCell$${p}(slot,bucket);
}`

/** Space.scan: finds lie above those of searches still gone through, till the next refuelling. */
const scanText = (p: number, s: number): string => `
function firstBucket$${p}(at,radius,side,count,wraps){
  const first=Math.floor((at-radius)/side);
  if(first>=0&&first<count)return bucketsAlong$${p}(at,radius,side,count,wraps)===count?0:first|0;
  if(!wraps)return first<0?0:(count-1)|0;
  return bucketsAlong$${p}(at,radius,side,count,wraps)===count?0:(first-Math.floor(first/count)*count)|0;
}
function bucketsAlong$${p}(at,radius,side,count,wraps){
  const first=Math.floor((at-radius)/side),last=Math.floor((at+radius)/side);
  if(wraps)return last-first+1>=count?count:(last-first+1)|0;
  return (Math.max(0,Math.min(last,count-1))-Math.max(0,Math.min(first,count-1))+1)|0;
}
function scan$${p}(x,y,radius,except){
  if(!(radius>=0)||R${p}.placed===0)return;
  const limit=radius*radius,halfWidth=S${s}.wrapX?S${s}.width/2:Infinity,halfHeight=S${s}.wrapY?S${s}.height/2:Infinity;
  const x0=firstBucket$${p}(x-S${s}.lowX,radius,S${s}.bucketSideX,S${s}.bucketColumns,S${s}.wrapX);
  const nx=bucketsAlong$${p}(x-S${s}.lowX,radius,S${s}.bucketSideX,S${s}.bucketColumns,S${s}.wrapX);
  const y0=firstBucket$${p}(y-S${s}.lowY,radius,S${s}.bucketSideY,S${s}.bucketRows,S${s}.wrapY);
  const ny=bucketsAlong$${p}(y-S${s}.lowY,radius,S${s}.bucketSideY,S${s}.bucketRows,S${s}.wrapY);
  for(let j=0;j<ny;j++){
    const row=y0+j>=S${s}.bucketRows?(y0+j-S${s}.bucketRows)|0:(y0+j)|0;
    for(let i=0;i<nx;i++){
      const column=x0+i>=S${s}.bucketColumns?(x0+i-S${s}.bucketColumns)|0:(x0+i)|0;
      for(let slot=R${p}.heads[(row*S${s}.bucketColumns+column)|0];slot>=0;slot=R${p}.next[slot]){
        if(slot===except)continue;
        let dx=R${p}.x[slot]-x,dy=R${p}.y[slot]-y;
        if(dx>halfWidth)dx=dx-S${s}.width;
        else if(dx< -halfWidth)dx=dx+S${s}.width;
        if(dy>halfHeight)dy=dy-S${s}.height;
        else if(dy< -halfHeight)dy=dy+S${s}.height;
        if(!(dx*dx+dy*dy<=limit))continue;
        if(N.top===N.found.length)moreFound$();
        N.found[N.top]=slot;
        N.top=(N.top+1)|0;
      }
    }
  }
}`

/** World.moore and World.von_neumann, onto `N.list`, as Grid.offsets orders them; how many. */
function aroundText({ index: p, cellsOf }: PopulationShape, space: SpaceShape | undefined): string {
  const alive = `
function alive$${p}(handle){return handle>=0&&P${p}.handles[handle&16777215]===handle;}`
  const s = cellsOf ?? space?.index
  if (s === undefined) return alive
  return `${alive}
function around$${p}(self,radius,isMoore,from,to){
  if(!alive$${p}(self))gone$(self,from,to);
  const slot=self&16777215;
  ${cellsOf === null ? `if(R${p}.bucket[slot]<0)raise$(10062,from,to);` : ''}
  return cellsAround$${s}(${cellsOf === null ? `cellOf$${p}(slot)` : 'slot'},radius,isMoore);
}`
}

const cellsText = (s: number): string => `
function cellsAround$${s}(cell,radius,isMoore){
  const far=Math.floor(radius),start=N.end,columns=S${s}.grid.columns,rows=S${s}.grid.rows;
  const row=Math.floor(cell/columns),column=cell-row*columns;
  const x0=S${s}.grid.wrapX?-Math.min(far,(columns-1)>>1):-Math.min(far,columns-1),x1=S${s}.grid.wrapX?Math.min(far,columns>>1):Math.min(far,columns-1);
  const y0=S${s}.grid.wrapY?-Math.min(far,(rows-1)>>1):-Math.min(far,rows-1),y1=S${s}.grid.wrapY?Math.min(far,rows>>1):Math.min(far,rows-1);
  for(let y=y0;y<=y1;y++){
    for(let x=x0;x<=x1;x++){
      const away=isMoore?Math.max(Math.abs(x),Math.abs(y)):Math.abs(x)+Math.abs(y);
      if(!(away>0&&away<=radius))continue;
      let nextColumn=column+x,nextRow=row+y;
      if(nextColumn<0||nextColumn>=columns){
        if(!S${s}.grid.wrapX)continue;
        nextColumn=nextColumn<0?nextColumn+columns:nextColumn-columns;
      }
      if(nextRow<0||nextRow>=rows){
        if(!S${s}.grid.wrapY)continue;
        nextRow=nextRow<0?nextRow+rows:nextRow-rows;
      }
      push$(nextRow*columns+nextColumn);
    }
  }
  return (N.end-start)|0;
}`

/** World.agents_on of one population: onto `N.list`, oldest arrival first, in an open plane by birth; how many. */
const standingText = (p: number, { index: s, isDiscrete }: SpaceShape): string =>
  isDiscrete
    ? `
function listOn$${p}(cell,from,to){
  if(cell<0)raise$(10014,from,to);
  let count=0;
  for(let slot=R${p}.heads[small$(cell)];slot>=0;slot=R${p}.next[slot]){
    push$(P${p}.handles[slot]);
    count++;
  }
  return count;
}
function countOn$${p}(cell,from,to){
  if(cell<0)raise$(10014,from,to);
  let count=0;
  for(let slot=R${p}.heads[small$(cell)];slot>=0;slot=R${p}.next[slot])count++;
  return count;
}`
    : `
function standing$${p}(cell,from,to){
  if(cell<0)raise$(10014,from,to);
  const row=Math.floor(cell/S${s}.grid.columns),start=N.top;
  scan$${p}(S${s}.grid.minX+(cell-row*S${s}.grid.columns),S${s}.grid.minY+row,0.7071067811865476,-1);
  let end=start;
  for(let k=start,top=N.top;k<top;k++){
    const slot=N.found[k],id=P${p}.ids[slot];
    if(cellOf$${p}(slot)!==cell)continue;
    let at=end;
    while(at>start&&P${p}.ids[N.found[at-1]]>id){
      N.found[at]=N.found[at-1];
      at=(at-1)|0;
    }
    N.found[at]=slot;
    end=(end+1)|0;
  }
  N.top=start;
  return (end-start)|0;
}
function listOn$${p}(cell,from,to){
  const count=standing$${p}(cell,from,to),start=N.top;
  for(let k=0;k<count;k++)push$(P${p}.handles[N.found[start+k]]);
  return count;
}
function countOn$${p}(cell,from,to){return standing$${p}(cell,from,to);}`

/** Where more come in the buckets may be laid anew, which is the engine's. */
const openMovesText = (p: number, s: number, changes: boolean): string => `
function cellOf$${p}(slot){return R${p}.bucket[slot]<0?-1:gridAt$${s}(R${p}.x[slot],R${p}.y[slot]);}
function settleAt$${p}(slot,x,y){
  const bucket=bucketAt$${s}(x,y),old=R${p}.bucket[slot];
  R${p}.x[slot]=x;
  R${p}.y[slot]=y;
  if(bucket===old)return;
  if(old>=0)unlink$${p}(slot,old);
  else R${p}.placed=(R${p}.placed+1)|0;
  link$${p}(slot,bucket);
  ${changes ? `if(old<0&&R${p}.placed>4*R${p}.heads.length)layBuckets$(${p});` : ''}
}
function place$${p}(slot,x,y){
  const px=S${s}.wrapX?wrap$(x,S${s}.minX,S${s}.maxX):x,py=S${s}.wrapY?wrap$(y,S${s}.minY,S${s}.maxY):y;
  if(!(px>=S${s}.minX&&px<=S${s}.maxX&&py>=S${s}.minY&&py<=S${s}.maxY))X.fail(10060);
  settleAt$${p}(slot,px,py);
}
function placeAtRandom$${p}(slot,stream){
  const x=S${s}.minX+uniform(stream)*S${s}.width,y=S${s}.minY+uniform(stream)*S${s}.height;
  settleAt$${p}(slot,x,y);
}
function placeBeside$${p}(slot,bucket,x,y){
  if(bucket>=0)place$${p}(slot,x,y);
}`

/** Nodes.look of world/links.ts. */
const lookText = (l: number): string => `
function look$${l}(slot){
  const stamp=(ln${l}.stamp+1)|0;
  ln${l}.stamp=stamp;
  let once=1;
  ln${l}.marks[slot]=stamp;
  for(let k=ln${l}.outStart[slot],end=(k+ln${l}.outCount[slot])|0;k<end;k++){
    const other=L${l}.nodeAt[k];
    if(ln${l}.marks[other]===stamp)once=2;
    ln${l}.marks[other]=stamp;
  }
  ln${l}.simple[slot]=once;
}`
