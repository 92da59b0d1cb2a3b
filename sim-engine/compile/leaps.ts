// Cells whose rule needs no running (`Leaps`, quiet.ts), as wood on fire or water in a porous stone. The list holds the *goers*: cells
// that became sure or touching in the last tick. A tick goes through it once, right in the column: who is sure goes on, and touchy
// neighbours of who touches change. Nobody is listed twice, and everybody is seen as before the tick: what changes becomes not touchy, and
// goers are not touchy. So nothing has to be known of next values, and the loop has hardly a branch that nobody can guess.
import type { EntityPart } from '../check/parts.ts'
import type { Emitter } from './emitter.ts'
import type { Leaps } from './quiet.ts'

/** Cells from which on leaps are made as WebAssembly. */
const fewest = 1024

/** `whole` is a tick of all cells into the next values, after which `changedN` says about how many differ. */
export function leapingTick(
  emitter: Emitter,
  entity: EntityPart,
  leaps: Leaps,
  v: number,
  near: string,
  whole: string,
): { tick: string; commit: string; first: string } {
  const p = entity.index
  const [now, next] = [`p${p}_v${v}`, `p${p}_n${v}`]
  const goes = leaps.sure.map((sure, k) => sure | (leaps.touches[k]! & ~leaps.touchy[k]!))
  // At the start there may be some who are touchy and touch; after a tick of all cells no goer is.
  const isMixed = leaps.touchy.some((touchy, k) => touchy & leaps.touches[k]!)
  const goer = (state: string): string => flag(`goes${p}`, goes, state)
  // What a touchy cell becomes, all others stay as they are; whether it is a goer then.
  const into = leaps.touchy.map((touchy, k) => (touchy ? leaps.next[k]! : k))
  const enters = leaps.touchy.map((touchy, k) => touchy & goes[leaps.next[k]!]!)
  const tables = Object.entries({ ...leaps, goes, into, enters })
  const declared = tables.map(([name, values]) => `${name}${p}=Uint8Array.of(${values.join(',')})`).join(',')
  const arrays = [now, `${near}s`, `${near}f`, ...tables.map(([name]) => name + p)].join(',')
  const stands = ['goers', 'listed'].map(name => `lent${p}.stand("${name}${p}",${name}${p});`).join('')
  // A list that is longer than this isn't gone through: all cells are calculated. What it leads to has room, and one more.
  const most = `n/(2+2*${near}.width)`
  const room = '(n>>1)+2'
  const listed = (who: string): string =>
    `const most=${most},goers=goers${p};let m=0;for(let i=0;i<n&&m<=most;i++){goers[m]=i;m+=${who};}goersN${p}=m;full${p}=m>most;`
  emitter.declare(
    `const ${declared};let due${p}=0,goers${p}=new Int32Array(0),goersN${p}=0,listed${p}=new Int32Array(0),lent${p}=null,leapAs${p}=leap${p};`,
    `function room${p}(n){const length=${room};if(goers${p}.length!==length){goers${p}=new Int32Array(length);listed${p}=new Int32Array(length);full${p}=true;}}`,
    // As WebAssembly: the column and the lists move into its memory; after a snapshot came back, anew.
    `function lend${p}(){const n=P${p}.count,full=full${p},was=${next},made=X.lend([leap${p}],{${arrays}},[],{goers${p}:${room},listed${p}:${room}});lent${p}=made;leapAs${p}=leap${p};if(made===null)return;const own=made.arrays;P${p}.columns.get("v${v}").data=own.${now};P${p}.rebind();full${p}=full;${next}=was;goers${p}=own.goers${p};listed${p}=own.listed${p};leapAs${p}=made.function("leap${p}");}`,
    `function settle_${p}(){const was=due${p};due${p}=0;if(was===0)return;if(lent${p}!==null&&lent${p}.arrays.${now}!==${now})lend${p}();const n=P${p}.count;if(was===2){full${p}=changedN${p}>${most};if(!full${p})sift${p}(n);${now}.set(${next});return;}const done=listed${p};listed${p}=goers${p};goers${p}=done;if(lent${p}!==null){${stands}}goersN${p}=leapAs${p}(goersN${p});full${p}=goersN${p}>${most};}`,
    `function sift${p}(n){const now=${now},next=${next};${listed(`+(next[i]!==now[i])&${goer('next[i]')}`)}}`,
    `function leap${p}(m){const now=${now},listed=listed${p},goers=goers${p},steps=${near}s,first=${near}f;let n=0;${visits(p, leaps, goes, enters)}return n;}`,
    // Before the first tick whoever is sure or touches is a goer.
    `function first${p}(){const n=P${p}.count;if(n>=${fewest})lend${p}();room${p}(n);${isMixed ? '' : `const now=${now};${listed(goer('now[i]'))}`}}`,
  )
  return {
    tick: `{who=${p};if(full${p}||X.stirred){const n=P${p}.count;room${p}(n);${next}.set(${now});${whole};due${p}=2;}else due${p}=1;}`,
    commit: `settle_${p}();`,
    first: `first${p}();`,
  }
}

/** All goers, one after another: `c` in state `a`. */
function visits(p: number, { next, sure, touchy, touches }: Leaps, goes: readonly number[], enters: readonly number[]): string {
  const goers = statesOf(goes)
  // Where there is one state of them it needn't be looked at.
  const a = goers.length === 1 ? `${goers[0]}` : 'a'
  const where = (name: string, flags: readonly number[], what: string): string => {
    if (goers.every(state => !flags[state])) return ''
    return goers.every(state => flags[state]) ? what : `if(${flag(name + p, flags, a)}===1){${what}}`
  }
  const after = goers.length === 1 ? `${next[goers[0]!]}` : `next${p}[a]`
  const stays = goers.some(state => sure[state] && goes[next[state]!])
  const goOn = stays ? `const b=${after};now[c]=b;goers[n]=c;n=n+${flag(`goes${p}`, goes, 'b')}|0;` : `now[c]=${after};`
  const [one, another] = statesOf(touchy)
  const isOne = one !== undefined && another === undefined
  const change = isOne
    ? `const s=now[d],t=+(s===${one});now[d]=s+t${next[one]! - one === 1 ? '' : `*${next[one]! - one}`};`
    : `const s=now[d];now[d]=into${p}[s];`
  const enlist = enters.includes(1) ? `goers[n]=d;n=n+${isOne ? 't' : `enters${p}[s]`}|0;` : ''
  const touch = (step: string): string => `{const d=c+${step}|0;${change}${enlist}}`
  const general = `for(let j=f+1,e=j+steps[f];j<e;j++)${touch('steps[j]')}`
  const each = (around: string): string =>
    `for(let k=0;k<m;k++){const c=listed[k]${goers.length === 1 ? '' : ',a=now[c]'};${where('sure', sure, goOn)}${where('touches', touches, `const f=first[c];${around}`)}}`
  const wide = (width: number): string => {
    const known = Array.from({ length: width }, (_, k) => `s${k}=steps[${k + 1}]`)
    return `if(steps[0]===${width}){const ${known.join(',')};${each(`if(f===0){${known.map((_, k) => touch(`s${k}`)).join('')}}else ${general}`)}}else `
  }
  return `${wide(4)}${wide(8)}{${each(general)}}`
}

const statesOf = (flags: readonly number[]): number[] => flags.flatMap((flag, state) => (flag ? [state] : []))

/** 0 or 1 by a state: a comparison where it is one alone, otherwise from the table. */
function flag(table: string, flags: readonly number[], state: string): string {
  const [one, another] = statesOf(flags)
  return one !== undefined && another === undefined ? `+(${state}===${one})` : `${table}[${state}]`
}
