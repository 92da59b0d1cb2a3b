// Active sets. A rule of simultaneous cells that only looks at itself and its neighbours gives the same as last time where
// nothing in sight has changed. So after a first tick over all cells only those are visited that changed, or see one that
// did. Found by looking at all formulas of the rule: certain or not at all.
import { flowKey, stepKey } from '../check/keys.ts'
import type { EntityPart, FormulaPart, ProcessPart } from '../check/parts.ts'
import type { Emitter } from './emitter.ts'

/** Library functions that give the same for the same cells. */
const pure = new Set(
  'moore von_neumann neighbor_cells sum any all len min max abs round floor ceil sqrt int float bool str sorted'.split(' '),
)
const still = new Set(['self', 'id', 'x', 'y', 'position', 'color', 'size', 'shape', 'visible', 'cell', 'alive'])

/** Whether the tick of these cells may skip those whose surroundings have not changed. */
export function isActiveSet(emitter: Emitter, entity: EntityPart, processes: readonly { process: ProcessPart; row: boolean }[]): boolean {
  const { parts, formulas } = emitter.checked
  if (entity.kind !== 'cell' || entity.order !== 'simultaneous' || processes.length === 0 || emitter.looksFar) return false
  const own = new Set<string>()
  for (const { process, row } of processes) {
    if (!row || process.temporaries.length > 0) return false
    for (const step of process.steps) {
      const { type, by, result } = step.element.fields
      const fits =
        step.kind.id === 'start' ||
        step.kind.id === 'compute' ||
        (step.kind.id === 'end' && (result ?? 'none') === 'none') ||
        (step.kind.id === 'gateway' && type === 'exclusive' && (by ?? 'condition') === 'condition')
      if (!fits) return false
      for (const field of ['program', 'before', 'after']) own.add(stepKey(step, field))
    }
    for (const flow of process.flows) own.add(flowKey(process, flow.id, 'condition'))
  }
  const ids = new Set(entity.variables.map(variable => variable.id))
  const written = new Set<string>()
  for (const formula of formulas.values())
    for (const { symbol } of formula.inferred.writes) if (symbol.id !== undefined) written.add(symbol.id)
  const constant = (id: string): boolean => !written.has(id) && parts.shared.some(variable => variable.id === id)
  for (const [key, formula] of formulas) {
    if (own.has(key)) {
      if (!looksAround(formula, ids, constant)) return false
    } else if (formula.inferred.writes.some(({ symbol }) => ids.has(symbol.id ?? ''))) return false
  }
  return entity.variables.every(variable => variable.storage !== 'any' || !written.has(variable.id))
}

function looksAround({ inferred }: FormulaPart, ids: ReadonlySet<string>, constant: (id: string) => boolean): boolean {
  if (inferred.draws || inferred.mayCreate || inferred.functions.length > 0) return false
  if (!inferred.calls.every(name => pure.has(name))) return false
  return [...inferred.reads, ...inferred.uses.map(use => use.symbol)].every(symbol =>
    symbol.kind === 'local' ? true : symbol.id === undefined ? still.has(symbol.name) : ids.has(symbol.id) || constant(symbol.id),
  )
}

/** Declares what the active set of population `p` needs, and its tick and commit. `columns` are those written. */
export function activeTick(
  emitter: Emitter,
  entity: EntityPart,
  body: string,
  columns: readonly number[],
  tables: readonly string[],
): { tick: string; commit: string } {
  const p = entity.index
  const changed = columns.map(v => `p${p}_n${v}[i]!==p${p}_v${v}[i]`).join('||')
  emitter.declare(
    `let full${p}=true,seen${p}=new Int32Array(0),stamp${p}=0,active${p}=new Int32Array(0),activeN${p}=0,changed${p}=new Int32Array(0),changedN${p}=0;`,
  )
  emitter.declare(`function act${p}(i){me=i;const self=i;${body}if(${changed})changed${p}[changedN${p}++]=i;}`)
  const tick = `{who=${p};const n=P${p}.count;changedN${p}=0;if(changed${p}.length!==n){changed${p}=new Int32Array(n);active${p}=new Int32Array(n);seen${p}=new Int32Array(n);full${p}=true;}if(full${p}||X.stirred){for(let i=0;i<n;i++){if((i&63)===0)F.refuel();act${p}(i);}}else for(let k=0;k<activeN${p};k++){if((k&63)===0)F.refuel();act${p}(active${p}[k]);}}`
  const near = tables
    .map(
      table =>
        `for(let j=c*${table}w,e=j+${table}n[c];j<e;j++){const d=${table}c[j];if(seen${p}[d]!==stamp${p}){seen${p}[d]=stamp${p};active${p}[activeN${p}++]=d;}}`,
    )
    .join('')
  const commit = `for(let k=0;k<changedN${p};k++){const i=changed${p}[k];${columns.map(v => `p${p}_v${v}[i]=p${p}_n${v}[i];`).join('')}}full${p}=changedN${p}*(1${tables.map(table => `+${table}w`).join('')})*2>changed${p}.length;activeN${p}=0;if(!full${p}){stamp${p}++;for(let k=0;k<changedN${p};k++){const c=changed${p}[k];if(seen${p}[c]!==stamp${p}){seen${p}[c]=stamp${p};active${p}[activeN${p}++]=c;}${near}}}`
  return { tick, commit }
}
