// Active sets. A rule of simultaneous cells that only looks at itself and its neighbours gives the same as last time where
// nothing in sight has changed. So after a first tick over all cells only those are visited that changed, or see one that
// did. Found by looking at all formulas of the rule: certain or not at all.
import { flowKey, stepKey } from '../check/names/keys.ts'
import type { EntityPart, FormulaPart, ProcessPart, VariablePart } from '../check/parts.ts'
import type { Emitter } from './emitter.ts'
import { leapingTick } from './leaps.ts'
import { leapsOf, quietOf } from './quiet.ts'

/** Library functions that give the same for the same cells. */
const pure = new Set(
  'moore von_neumann neighbor_cells sum any all len min max abs round floor ceil sqrt int float bool str sorted'.split(' '),
)
const still = new Set(['self', 'id', 'x', 'y', 'position', 'color', 'size', 'shape', 'visible', 'cell', 'alive'])

/** Whether the tick of these cells may skip cells with unchanged surroundings. */
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
  // Whether a list or a mixed value is another one is more than a comparison.
  return entity.variables.every(({ storage, type, id }) => storage !== 'any' || type.is === 'text' || !written.has(id))
}

function looksAround({ inferred }: FormulaPart, ids: ReadonlySet<string>, constant: (id: string) => boolean): boolean {
  if (inferred.draws || inferred.mayCreate || inferred.functions.length > 0) return false
  if (!inferred.calls.every(name => pure.has(name))) return false
  return [...inferred.reads, ...inferred.uses.map(use => use.symbol)].every(symbol =>
    symbol.kind === 'local' ? true : symbol.id === undefined ? still.has(symbol.name) : ids.has(symbol.id) || constant(symbol.id),
  )
}

/**
 * Declares what the active set of population `p` needs, and its tick, its commit and what the set-up does: the first tick
 * would look at all cells only to find the few that change; finding them belongs to the set-up. `columns` are those written.
 */
export function activeTick(
  emitter: Emitter,
  entity: EntityPart,
  body: string,
  written: readonly VariablePart[],
  tables: readonly string[],
  processes: readonly ProcessPart[],
): { tick: string; commit: string; first: string } {
  const p = entity.index
  const columns = written.map(variable => variable.index)
  const quiet = quietOf(emitter.checked, written, processes, emitter.words)
  const same = columns.map(v => `+(next${v}[i]!==now${v}[i])`).join('|')
  const arrays = columns.map(v => `now${v}=p${p}_v${v},next${v}=p${p}_n${v}`).join(',')
  if (quiet) emitter.declare(`const wakes${p}=Uint8Array.of(${quiet.wakes.join(',')}),looks${p}=Uint8Array.of(${quiet.looks.join(',')});`)
  // Debug builds have no active sets.
  const whole = `all${p}(n)`
  const [near, another] = tables
  const leaps = emitter.metered || !quiet || !near || another ? null : leapsOf(quiet, emitter.checked, written, processes, emitter.words)
  if (leaps && near) {
    emitter.declare(
      `let full${p}=true,changedN${p}=0;`,
      `function all${p}(n){const ${arrays};let m=0;${inBatches('n', `const i=from;me=i;const self=i;${body}m+=${same};`)}changedN${p}=m;}`,
    )
    return leapingTick(emitter, entity, leaps, columns[0]!, near, whole)
  }
  emitter.declare(
    `let full${p}=true,seen${p}=new Uint8Array(0),stamp${p}=0,active${p}=new Int32Array(0),activeN${p}=0,changed${p}=new Int32Array(0),changedN${p}=0,spread${p}=new Int32Array(0);`,
  )
  const one = `me=i;const self=i;${body}changed[m]=i;m+=${same};`
  const begin = `const changed=changed${p},${arrays};let m=0;`
  emitter.declare(
    `function room${p}(n){if(changed${p}.length!==n+1){changed${p}=new Int32Array(n+1);spread${p}=new Int32Array(n);active${p}=new Int32Array(n+1);seen${p}=new Uint8Array(n);full${p}=true;}changedN${p}=0;}`,
    `function all${p}(n){${begin}${inBatches('n', `const i=from;${one}`)}changedN${p}=m;}`,
    `function some${p}(){${begin}const active=active${p},n=activeN${p};${inBatches('n', `const i=active[from];${one}`)}changedN${p}=m;}`,
  )
  const copy = (to: 'v' | 'n', from: 'v' | 'n'): string =>
    written
      .map(({ index, storage }) => {
        const [target, source] = [`p${p}_${to}${index}`, `p${p}_${from}${index}`]
        return storage === 'any' ? `for(let k=0;k<n;k++)${target}[k]=${source}[k];` : `${target}.set(${source});`
      })
      .join('')
  // What the first tick changes.
  const firstOf = (each: string): string =>
    `function first${p}(){const n=P${p}.count;room${p}(n);try{${whole};}catch{${copy('n', 'v')}return;}finally{who=me=-1;}for(let k=0;k<changedN${p};k++){const i=active${p}[k]=changed${p}[k];${each}}activeN${p}=changedN${p};full${p}=false;}`
  const tick = `{who=${p};const n=P${p}.count;room${p}(n);if(full${p}||X.stirred)${whole};else some${p}();}`
  // Who sees a change: the changed cell itself and, where it looks different now, its neighbours.
  const v = columns[0]!
  // Without a branch, as it would be mispredicted: the next entry overwrites a cell that was listed already or would not wake up.
  const awake = (cell: string): string => (quiet ? `wakes${p}[now${v}[${cell}]]&` : '')
  const enlist = (cell: string): string => `active[n]=${cell};n+=${awake(cell)}+(seen[${cell}]!==stamp);seen[${cell}]=stamp;`
  const spreading = tables
    .map(table => {
      const general = `for(let k=f+1,e=k+steps[f];k<e;k++){const d=c+steps[k];${enlist('d')}}`
      const inner = (width: number): string => {
        const all = Array.from({ length: width }, (_, k) => k)
        const known = all.map(k => `s${k}=steps[${k + 1}]`).join(',')
        const each = all.map(k => `{const d=c+s${k};${enlist('d')}}`).join('')
        return `if(steps[0]===${width}){const ${known};for(let q=0;q<spreadN;q++){const c=spread[q],f=first[c];if(f===0){${each}}else ${general}}}else `
      }
      return `{const steps=${table}s,first=${table}f;${inner(4)}${inner(8)}for(let q=0;q<spreadN;q++){const c=spread[q],f=first[c];${general}}}`
    })
    .join('')
  const store = quiet
    ? `const old=now${v}[i],one=next${v}[i];now${v}[i]=one;spread[spreadN]=i;spreadN+=+(looks${p}[old]!==looks${p}[one]);`
    : `${columns.map(one => `now${one}[i]=next${one}[i];`).join('')}spread[spreadN++]=i;`
  emitter.declare(
    `function settle_${p}(){const ${arrays},changed=changed${p},m=changedN${p},spread=spread${p};let spreadN=0;for(let k=0;k<m;k++){const i=changed[k];${store}}full${p}=(m+spreadN*(0${tables.map(table => `+${table}.width`).join('')}))*2>seen${p}.length;activeN${p}=0;if(full${p})return;const seen=seen${p},active=active${p},stamp=stamp${p}=stamp${p}%255+1;if(stamp===1)seen.fill(0);let n=0;for(let k=0;k<m;k++){const c=changed[k];${enlist('c')}}${spreading}activeN${p}=n;}`,
    firstOf(columns.map(one => `p${p}_n${one}[i]=p${p}_v${one}[i];`).join('')),
  )
  return { tick, commit: `settle_${p}();`, first: `first${p}();` }
}

/** A loop to `end`, without a call every so many rounds. */
const inBatches = (end: string, round: string): string =>
  `for(let from=0;from<${end};){F.refuel();for(const to=Math.min(from+64,${end});from<to;from++){${round}}}`
