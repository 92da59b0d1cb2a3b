// The express lane as text that is lowered: what run/express.ts does, in its order and to the bit, written for one program. Each
// container and each drawing has arrays of its own, named with its number; all else has one. Names that end in $ are functions.
// It leaves for the general way, which then goes on: between two instants (`left` -1), before an event (`left` >= 0), or with a
// token in the middle of its steps (`stranger`).
import { statisticAt } from '../world/statistics.ts'
import { containerAt } from '../world/container.ts'
import { holdingAt } from '../world/holdings.ts'
import { requestAt } from '../world/requests.ts'
import type { ExpressPlan } from '../run/express.ts'
import { plain, soughtFrom } from '../run/plain.ts'
import { rowState } from '../kernel/calendar.ts'
import { eventKind, maximumSteps, phase } from '../run/events.ts'

/** Of an exponential time span whose mean is fixed: the mean, and how often it is drawn at most. */
export type LaneDrawing = { readonly mean: number; readonly limit: number } | null

/** Draws ahead: kernel/ahead.ts. */
const chance = `
function make$(values,words,states,cursor){
  const last=cursor[1],count=last===0?1:last<64?last*2:64,at=cursor[0]<<2;
  let s0=states[at],s1=states[at+1],s2=states[at+2],s3=states[at+3];
  cursor[0]=0;
  cursor[1]=count;
  for(let k=0;k<=count;k++){
    const to=k*4;
    states[to]=s0;
    states[to+1]=s1;
    states[to+2]=s2;
    states[to+3]=s3;
    if(k<count){
      const b2=s2^s0,b3=s3^s1,t0=s0^b3,t1=s1^b2,t2=b2^(s1<<9)^t0,t3=((b3<<11)|(b3>>>21))^t1;
      const r=Math.imul(s1,5),q=Math.imul(t1,5);
      const high=Math.imul((r<<7)|(r>>>25),9)>>>6;
      const low=Math.imul((q<<7)|(q>>>25),9)>>>6;
      values[k]=(high*67108864+low+0.5)*2.220446049250313e-16;
      s0=t0^t3;
      s1=t1^t2;
      s2=t2^(t1<<9);
      s3=(t3<<11)|(t3>>>21);
    }
  }
  for(let k=0;k<count;k++){
    const x=values[k],hx=words[2*k+1],m=hx&0x000fffff;
    if((0x000fffff&(2+m))<3)values[k]=-log$(x);
    else{
      const i=((m+0x95f64)&0x100000)>>20,e=1023-(hx>>20)-i;
      const f=x*powers[e]-1,s=f/(2+f),z=s*s,w=z*z;
      const a=w*(3.999999999940941908e-1+w*(2.222219843214978396e-1+w*1.531383769920937332e-1));
      const b=z*(6.66666666666673513e-1+w*(2.857142874366239149e-1+w*(1.818357216161805012e-1+w*1.479819860511658591e-1)));
      const r=b+a;
      if(((m-0x6147a)|(0x6b851-m))>0){
        const half=0.5*f*f;
        values[k]=e*6.9314718036912381649e-1+(half-(s*(half+r)-e*1.90821492927058770002e-10)-f);
      }else values[k]=e*6.9314718036912381649e-1+(s*(f-r)+e*1.90821492927058770002e-10-f);
    }
  }
}
function draw$(values,words,states,cursor){
  if(cursor[0]===cursor[1])make$(values,words,states,cursor);
  const k=cursor[0];
  cursor[0]=k+1;
  return values[k];
}
`

const planned = rowState.waiting + 4 * phase.timer

/** kernel/calendar.ts, without cancelled events. */
const calendar = `
function before$(p,q){
  const sooner=(ints[(p<<2)+3]>>2)-(ints[(q<<2)+3]>>2);
  if(sooner!==0)return sooner<0;
  const priority=reals[(p<<2)]-reals[(q<<2)];
  if(priority!==0)return priority<0;
  return reals[(p<<2)+1]<reals[(q<<2)+1];
}
function rise$(at,row){
  const due=reals[(row<<2)+3];
  let i=at;
  while(i>0){
    const parent=(i-1)>>2,above=times[parent];
    if(above<due)break;
    if(above===due){if(!before$(row,rows[parent]))break;}
    times[i]=above;
    rows[i]=rows[parent];
    i=parent;
  }
  times[i]=due;
  rows[i]=row;
}
function sink$(at,row){
  const due=reals[(row<<2)+3],n=size;
  let i=at;
  for(;;){
    const first=((i<<2)+1)&0xfffffff;
    if(first>=n)break;
    const end=first+4<n?first+4:n;
    let best=first,least=times[first];
    for(let child=first+1;child<end;child++){
      const value=times[child];
      if(value<least){least=value;best=child;}
      else if(value===least){if(before$(rows[child],rows[best]))best=child;}
    }
    if(due<least)break;
    if(due===least){if(before$(row,rows[best]))break;}
    times[i]=least;
    rows[i]=rows[best];
    i=best;
  }
  times[i]=due;
  rows[i]=row;
}
function sinkFar$(row){
  const due=reals[(row<<2)+3],whole=(size-1)>>2;
  let i=0;
  while(i<whole){
    const child=((i<<2)+1)&0xfffffff,p=times[child],q=times[child+1],r=times[child+2],s=times[child+3];
    const a=child+Number(q<p),b=child+2+Number(s<r),one=times[a],two=times[b];
    if(p===q||r===s||one===two)break;
    const best=one<two?a:b,least=one<two?one:two;
    if(due===least)break;
    if(due<least){
      times[i]=due;
      rows[i]=row;
      return;
    }
    times[i]=least;
    rows[i]=rows[best];
    i=best;
  }
  sink$(i,row);
}
function fill$(row){
  if(size>64)sinkFar$(row);
  else sink$(0,row);
}
function put$(row){
  if(hole!==0){
    hole=0;
    fill$(row);
  }else{
    size=size+1;
    rise$((size-1)|0,row);
  }
}
function schedule$(t,due){
  let row=rowTop;
  if(freedCount>0){
    freedCount=freedCount-1;
    row=freed[freedCount];
  }else rowTop=rowTop+1;
  const at=row<<2;
  reals[at]=0;
  reals[at+1]=sequence;
  sequence=sequence+1;
  reals[at+2]=0;
  reals[at+3]=due;
  ints[at]=${eventKind.resume};
  ints[at+1]=t;
  ints[at+3]=${planned};
  t_event[t]=row+ints[at+2]*16777216;
  put$(row);
}
`

const { min, max, value, last, area, squares } = statisticAt.weighted
const { levels, uses, queues, waits, served, amount: used, capacity, firstHold, first, end } = containerAt

/** world/container.ts and world/statistics.ts. Levels and units in use change at the same times. */
const statistics = `
function record$(book){
  const busy=book[${used}],left=book[${capacity}]-busy,passed=time-book[${uses + last}];
  if(passed!==0){
    const one=book[${uses + value}],stretch=one*passed;
    book[${uses + area}]=book[${uses + area}]+stretch;
    book[${uses + squares}]=book[${uses + squares}]+stretch*one;
    book[${uses + last}]=time;
    const two=book[${levels + value}],room=two*passed;
    book[${levels + area}]=book[${levels + area}]+room;
    book[${levels + squares}]=book[${levels + squares}]+room*two;
    book[${levels + last}]=time;
  }
  book[${levels + value}]=left;
  if(left<book[${levels + min}])book[${levels + min}]=left;
  if(left>book[${levels + max}])book[${levels + max}]=left;
  book[${uses + value}]=busy;
  if(busy<book[${uses + min}])book[${uses + min}]=busy;
  if(busy>book[${uses + max}])book[${uses + max}]=busy;
}
function recordQueue$(book,waiting){
  const passed=time-book[${queues + last}];
  if(passed!==0){
    const one=book[${queues + value}],stretch=one*passed;
    book[${queues + area}]=book[${queues + area}]+stretch;
    book[${queues + squares}]=book[${queues + squares}]+stretch*one;
    book[${queues + last}]=time;
  }
  book[${queues + value}]=waiting;
  if(waiting<book[${queues + min}])book[${queues + min}]=waiting;
  if(waiting>book[${queues + max}])book[${queues + max}]=waiting;
}
function recordWait$(book,waited){
  const count=book[${waits}]+1,mean=book[${waits + 1}],delta=waited-mean,now=mean+delta/count;
  book[${waits}]=count;
  book[${waits + 1}]=now;
  book[${waits + 4}]=book[${waits + 4}]+delta*(waited-now);
  if(waited<book[${waits + 2}])book[${waits + 2}]=waited;
  if(waited>book[${waits + 3}])book[${waits + 3}]=waited;
  book[${served}]=book[${served}]+1;
}
`

const h = holdingAt
const q = requestAt

/** The steps. Each leaves where the token goes on; -1: it waits or has ended; -2: nothing was done, the general way does it. */
const steps = `
function ask$(t,units,next,book,mark,queue,queueRoom,index,isLatest,isByPriority){
  const holder=t_holder[t],busy=book[${used}],most=book[${capacity}];
  if(holder>=holderRoom)return -2;
  if(units<=most-busy){
    if(mark[${first}]!==mark[${end}])return -2;
    let hold=holdFree;
    if(hold<0){
      if(holdTop>=holdRoom)return -2;
      hold=holdTop;
      holdTop=holdTop+1;
    }else holdFree=held[(hold<<3)+${h.next}];
    book[${used}]=busy+units;
    const at=hold<<3,behind=mark[${firstHold}];
    held[at+${h.holder}]=holder;
    held[at+${h.container}]=index;
    held[at+${h.key}]=0;
    held[at+${h.nextOfHolder}]=firstOfHolder[holder];
    held[at+${h.next}]=behind;
    held[at+${h.previous}]=-1;
    if(behind>=0)held[(behind<<3)+${h.previous}]=hold;
    mark[${firstHold}]=hold;
    firstOfHolder[holder]=hold;
    heldReals[(hold<<2)+${h.amount}]=units;
    heldReals[(hold<<2)+${h.priority}]=0;
    heldReals[(hold<<2)+${h.sequence}]=holdSequence;
    holdSequence=holdSequence+1;
    recordWait$(book,0);
    record$(book);
    gotAmount=units;
    gotAlternative=0;
    return next;
  }
  if(units>most||holder>=askedByRoom)return -2;
  let from=mark[${first}],to=mark[${end}];
  if(to!==from){
    if(isLatest!==0)return -2;
    if(isByPriority!==0){if(askedReals[(queue[to-1]<<2)+${q.priority}]>0)return -2;}
  }
  if(to>=queueRoom){
    const waiting=(to-from)&0xfffffff;
    if(from<waiting)return -2;
    for(let k=0;k<waiting;k++)queue[k]=queue[from+k];
    from=0;
    to=waiting;
    mark[${first}]=0;
  }
  let slot=askedTop;
  if(askedCount>0){
    slot=askedFree[askedCount-1];
    if(slot>=askersRoom)return -2;
    askedCount=askedCount-1;
  }else{
    if(slot>=askedRoom||slot>=askersRoom)return -2;
    askedTop=askedTop+1;
    asked[(slot<<3)+${q.round}]=0;
    asked[(slot<<3)+${q.regains}]=0;
  }
  const at=slot<<3;
  asked[at+${q.holder}]=holder;
  asked[at+${q.container}]=index;
  asked[at+${q.key}]=0;
  asked[at+${q.waiting}]=1;
  asked[at+${q.nextOfHolder}]=askedBy[holder];
  askedBy[holder]=slot;
  askedReals[(slot<<2)+${q.priority}]=0;
  askedReals[(slot<<2)+${q.arrival}]=time;
  askedReals[(slot<<2)+${q.sequence}]=holdSequence;
  holdSequence=holdSequence+1;
  askedReals[(slot<<2)+${q.amount}]=units;
  queue[to]=slot;
  mark[${end}]=(to+1)|0;
  recordQueue$(book,(to+1-from)|0);
  const id=slot+asked[at+${q.round}]*16777216;
  lastRequest=id;
  t_pc[t]=next;
  t_request[t]=id;
  askers[slot]=t;
  return -1;
}
function giveBack$(t,units,next,book,mark,queue,index,flexible){
  const holder=t_holder[t];
  if(holder>=holderRoom)return -2;
  const hold=firstOfHolder[holder];
  if(hold<0)return -2;
  const at=hold<<3;
  if(held[at+${h.nextOfHolder}]>=0||held[at+${h.container}]!==index)return -2;
  const amount=heldReals[(hold<<2)+${h.amount}];
  if(units>=0){if(amount!==units)return -2;}
  const from=mark[${first}],waiting=(mark[${end}]-from)|0;
  if(waiting===0){
    firstOfHolder[holder]=-1;
    const behind=held[at+${h.next}],before=held[at+${h.previous}];
    if(before<0)mark[${firstHold}]=behind;
    else held[(before<<3)+${h.next}]=behind;
    if(behind>=0)held[(behind<<3)+${h.previous}]=before;
    held[at+${h.holder}]=-1;
    held[at+${h.next}]=holdFree;
    holdFree=hold;
    book[${used}]=book[${used}]-amount;
    record$(book);
    return next;
  }
  const slot=queue[from],ask=slot<<3,to=asked[ask+${q.holder}];
  if(asked[ask+${q.container}]!==index||askedReals[(slot<<2)+${q.amount}]!==amount||asked[ask+${q.regains}]!==0)return -2;
  if(book[${used}]!==book[${capacity}]||flexible!==0||to>=holderRoom||wokenCount>=wokenRoom)return -2;
  if(askedBy[to]!==slot)return -2;
  let due=false;
  if(hole!==0){
    const below=size<5?size:5;
    for(let child=1;child<below;child++)if(times[child]<=time)due=true;
  }else if(size>0){if(times[0]<=time)due=true;}
  if(wokenCount>0){if(wokenAt!==time)due=true;}
  if(due){if(t_event[askers[slot]]>=0||(freedCount===0&&rowTop>=rowRoom))return -2;}
  firstOfHolder[holder]=-1;
  held[at+${h.holder}]=to;
  held[at+${h.nextOfHolder}]=firstOfHolder[to];
  firstOfHolder[to]=hold;
  heldReals[(hold<<2)+${h.priority}]=askedReals[(slot<<2)+${q.priority}];
  heldReals[(hold<<2)+${h.sequence}]=askedReals[(slot<<2)+${q.sequence}];
  const head=mark[${firstHold}];
  if(head!==hold){
    const behind=held[at+${h.next}],before=held[at+${h.previous}];
    held[(before<<3)+${h.next}]=behind;
    if(behind>=0)held[(behind<<3)+${h.previous}]=before;
    held[at+${h.next}]=head;
    held[at+${h.previous}]=-1;
    held[(head<<3)+${h.previous}]=hold;
    mark[${firstHold}]=hold;
  }
  if(waiting===1){
    mark[${first}]=0;
    mark[${end}]=0;
  }else mark[${first}]=from+1;
  askedBy[to]=asked[ask+${q.nextOfHolder}];
  asked[ask+${q.round}]=asked[ask+${q.round}]+1;
  asked[ask+${q.waiting}]=0;
  asked[ask+${q.container}]=-1;
  askedFree[askedCount]=slot;
  askedCount=askedCount+1;
  recordWait$(book,time-askedReals[(slot<<2)+${q.arrival}]);
  record$(book);
  recordQueue$(book,(waiting-1)|0);
  gotAmount=amount;
  gotAlternative=0;
  const other=askers[slot];
  t_request[other]=-1;
  if(due)schedule$(other,time);
  else{
    wokenAt=time;
    woken[wokenCount]=other;
    wokenCount=wokenCount+1;
    hasWoken=1;
  }
  return next;
}
function sleep$(t,span,next){
  if(!(span>=0&&span<Infinity))fail$(10051);
  t_pc[t]=next;
  t_length[t]=span;
  t_until[t]=time+span;
  schedule$(t,time+span);
  return -1;
}
function end$(t){
  if(t_parent[t]>=0||t_watching[t]!==0)return -2;
  if(t<holderRoom){if(firstOfHolder[t]>=0)return -2;}
  t_pc[t]=-1;
  tokenCount=tokenCount-1;
  spare[spareCount]=t;
  spareCount=spareCount+1;
  return -1;
}
function create$(process,entry){
  let t=tokenTop;
  if(spareCount>0){
    spareCount=spareCount-1;
    t=spare[spareCount];
  }else tokenTop=tokenTop+1;
  tokenCount=tokenCount+1;
  t_pc[t]=entry;
  t_process[t]=process;
  t_owner[t]=-1;
  t_event[t]=-1;
  t_request[t]=-1;
  t_length[t]=0;
  t_born[t]=time;
  serials=serials+1;
  t_serial[t]=serials;
  if(t_single[t]===0){
    t_parent[t]=-1;
    t_link[t]=0;
    t_pending[t]=0;
    t_joined[t]=-1;
    t_root[t]=t;
    t_outer[t]=-1;
    t_holder[t]=t;
    t_depth[t]=0;
    t_firstChild[t]=-1;
    t_nextSibling[t]=-1;
    t_previousSibling[t]=-1;
    t_watching[t]=0;
    t_single[t]=1;
  }
  return t;
}
function again$(root,process,due){
  reals[root]=0;
  reals[root+1]=sequence;
  sequence=sequence+1;
  reals[root+2]=-1;
  reals[root+3]=due;
  ints[root]=${eventKind.timer};
  ints[root+1]=process;
  ints[root+3]=${planned};
  hole=0;
  fill$(root>>2);
}
function free$(root){
  ints[root+3]=${rowState.free};
  freed[freedCount]=root>>2;
  freedCount=freedCount+1;
}
`

/** The text for a plan. `drawings` are those of durations, then those of arrivals by process; null where a function is to be asked. */
export function laneText(
  { codes, behind, next, which, amounts, starts }: ExpressPlan,
  drawings: readonly LaneDrawing[],
  entry: Int32Array,
  stock: readonly { index: number; latestFirst: boolean; byPriority: boolean }[],
): string {
  const arrivals = drawings.length - starts.length
  const positions = Array.from(codes.keys()).filter(at => codes[at] !== plain.other)
  const draw = (d: number): string => `draw$(values_${d},words_${d},states_${d},cursor_${d})`
  const container = (c: number): string => `book_${c},mark_${c},queue_${c}`
  const step = (at: number): string => {
    const code = codes[at]!
    return code < soughtFrom
      ? act(at, code)
      : `{const was=latest;latest=-1;sought$(${code - soughtFrom},t,time,was);}${act(at, behind[at]!)}`
  }
  const act = (at: number, code: number): string => {
    const c = which[at]!
    switch (code) {
      case plain.request: {
        const { index, latestFirst, byPriority } = stock[c]!
        return `to=ask$(t,${amounts[at]},${next[at]},${container(c)},queueRoom_${c},${index},${Number(latestFirst)},${Number(byPriority)});`
      }
      case plain.release:
        return `to=giveBack$(t,${amounts[at]},${next[at]},${container(c)},${stock[c]!.index},flexible_${c});`
      case plain.delay: {
        const drawing = drawings[c]!
        return `if(freedCount>0||rowTop<rowRoom){${
          drawing ? `latest=${c};to=sleep$(t,${drawing.mean}*${draw(c)},${next[at]});` : `latest=-1;to=sleep$(t,gap$(${c},t),${next[at]});`
        }}`
      }
      default:
        return 'to=end$(t);'
    }
  }
  /** Halves again and again: few comparisons for many positions. */
  const among = (all: readonly number[]): string => {
    if (all.length === 1) return `if(pc===${all[0]}){${step(all[0]!)}}`
    const half = all.length >> 1
    return `if(pc<${all[half]}){${among(all.slice(0, half))}}else{${among(all.slice(half))}}`
  }
  const start = (process: number): string => {
    const drawing = drawings[arrivals + process]!
    const d = arrivals + process
    const token = `t=create$(${process},${entry[process]});`
    if (!drawing)
      return `latest=-1;free$(root);if(arrives$(${process})!==0){const span=arrivalGap$();if(!(span>=0&&span<Infinity))fail$(10051);freedCount=freedCount-1;again$(root,${process},time+span);}${token}`
    const limited = drawing.limit < Infinity
    const more = `{latest=${d};const span=${drawing.mean}*${draw(d)};if(!(span<Infinity)){free$(root);fail$(10051);}again$(root,${process},time+span);}`
    return `${limited ? `if(fired_${process}[0]>=${drawing.limit})free$(root);else{fired_${process}[0]=fired_${process}[0]+1;${more}}` : more}${token}`
  }
  const processes = Array.from(starts.keys()).filter(process => starts[process] === 1)
  return `${chance}${calendar}${statistics}${steps}
function lane$(){
  for(;made<most;){
    if(size===0)return;
    const root=rows[0]<<2,kind=ints[root],about=ints[root+1];
    let t=about;
    if(kind===${eventKind.timer}){
      if(${processes.map(process => `t!==${process}`).join('&&') || 'true'})return;
      if(spareCount===0&&tokenTop>=tokenRoom)return;
    }else if(kind===${eventKind.resume}){if(codes[t_pc[t]]===0)return;}
    else return;
    if(freedCount<2&&rowTop+2>rowRoom)return;
    if(left>=0){if(left<1000)return;}
    else{
      const at=times[0];
      if(at>until||at>=ending)return;
      time=at;
      left=(${maximumSteps}+4*size)|0;
    }
    lastKind=kind;
    lastAbout=about;
    lastDetail=reals[root+2];
    ints[root+2]=ints[root+2]+1;
    hole=1;
    left=left-1;
    if(kind===${eventKind.timer}){
      ${processes.map(process => `if(about===${process}){${start(process)}}`).join('else ')}
    }else{
      free$(root);
      t_event[t]=-1;
    }
    done=0;
    for(;;){
      current=t;
      let pc=t_pc[t];
      for(;;){
        let to=-2;
        ${among(positions)}
        if(to>=0)pc=to;
        else if(to===-1)break;
        else{
          stranger=t;
          strangerAt=pc;
          return;
        }
      }
      if(done===wokenCount)break;
      t=woken[done];
      done=done+1;
    }
    if(done>0){
      left=left-1;
      wokenCount=0;
      hasWoken=0;
    }
    if(hole!==0){
      hole=0;
      size=size-1;
      if(size>0)fill$(rows[size]);
    }
    let isOver=size===0;
    if(!isOver)isOver=times[0]>time;
    if(isOver){
      left=-1;
      made=made+1;
    }
  }
}
`
}
