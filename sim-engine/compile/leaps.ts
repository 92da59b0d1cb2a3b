// Cells with a rule that needs no running (`Leaps`, quiet.ts), as wood on fire or water in a porous stone. The list holds the *goers*: cells
// that became sure or touching in the last tick. A tick goes through it once, in the column itself: sure cells move on, and touchy
// neighbours of touching cells change. No cell is listed twice, and all are read as before the tick: what changes becomes not touchy, and
// goers are not touchy. So the loop (lower/leaps.ts) needs no next values, and few of its branches depend on data.
import { emitJs } from '../backends/js.ts'
import { emitWasm } from '../backends/wasm.ts'
import type { EntityPart } from '../check/parts.ts'
import type { Program } from '../ir.ts'
import { leapArrays, leapFn, statesOf } from '../lower/leaps.ts'
import type { Emitter } from './emitter.ts'
import { digitsOf } from './tally.ts'
import type { Leaps } from './quiet.ts'

/** Cells from which on leaps are made as WebAssembly. */
const minCellsForWasm = 1024

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
  const program: Program = { fns: new Map([['leap', leapFn({ ...leaps, goes, into, enters })]]), imports: [] }
  const code = `{name:"leap",module:"${digitsOf(emitWasm(program))}",script:${JSON.stringify(emitJs(program))}}`
  const sources: Readonly<Record<string, string>> = { now, steps: `${near}s`, first: `${near}f` }
  const arrays = leapArrays.slice(0, -2).map(name => `${name}:${sources[name] ?? name + p}`)
  // A list that is longer than this isn't gone through: all cells are calculated. What it leads to has room, and one more.
  const most = `n/(2+2*${near}.width)`
  const room = '(n>>1)+2'
  const listed = (who: string): string =>
    `const most=${most},goers=goers${p};let m=0;for(let i=0;i<n&&m<=most;i++){goers[m]=i;m+=${who};}goersN${p}=m;full${p}=m>most;`
  emitter.declare(
    `const ${declared},leaping${p}=${code};let due${p}=0,goers${p}=new Int32Array(0),goersN${p}=0,listed${p}=new Int32Array(0),lent${p}=null;`,
    // Moves the column and the lists into the memory of the loop: before the first tick, and after a snapshot was restored.
    `function lend${p}(){const n=P${p}.count,full=full${p},was=${next};lent${p}=X.lend(leaping${p},{${arrays.join(',')}},{goers:${room},listed:${room}},n>=${minCellsForWasm});const own=lent${p}.arrays;P${p}.columns.get("v${v}").data=own.now;P${p}.rebind();full${p}=full;${next}=was;goers${p}=own.goers;listed${p}=own.listed;}`,
    `function settle_${p}(){const was=due${p};due${p}=0;if(was===0)return;if(lent${p}.arrays.now!==${now})lend${p}();const n=P${p}.count;if(was===2){full${p}=changedN${p}>${most};if(!full${p})sift${p}(n);${now}.set(${next});return;}const done=listed${p};listed${p}=goers${p};goers${p}=done;lent${p}.stand("goers",goers${p});lent${p}.stand("listed",listed${p});goersN${p}=lent${p}.run(goersN${p});full${p}=goersN${p}>${most};}`,
    `function sift${p}(n){const now=${now},next=${next};${listed(`+(next[i]!==now[i])&${goer('next[i]')}`)}}`,
    // Before the first tick all cells that are sure or touch are goers.
    `function first${p}(){const n=P${p}.count;lend${p}();${isMixed ? '' : `const now=${now};${listed(goer('now[i]'))}`}}`,
  )
  return {
    tick: `{who=${p};if(full${p}||X.stirred){const n=P${p}.count;if(lent${p}===null)lend${p}();${next}.set(${now});${whole};due${p}=2;}else due${p}=1;}`,
    commit: `settle_${p}();`,
    first: `first${p}();`,
  }
}

/** 0 or 1 by a state: a comparison where it is one alone, otherwise from the table. */
function flag(table: string, flags: readonly number[], state: string): string {
  const [one, another] = statesOf(flags)
  return one !== undefined && another === undefined ? `+(${state}===${one})` : `${table}[${state}]`
}
