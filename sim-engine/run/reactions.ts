// Which conditions a reaction may change: after a conditional event has acted, only those that were true and may have become
// false are looked at again. Where the formulas do not decide that, the answer is yes.
import type { CheckedModel } from '../check/checked.ts'
import { stepKey } from '../check/names/keys.ts'
import type { ProcessPart, StepPart } from '../check/parts.ts'
import { walk } from '../formula/walk.ts'

/** Whether what the event at step `acted` sets going may change the condition at step `watched` before anything else happens. */
export type MayChange = (acted: number, watched: number) => boolean

/** Reads that no process changes within an instant. */
const fixedWithinInstant: ReadonlySet<string> = new Set(['tick', 'time', 'now', 'id', 'self'])

/** Types with values that cannot change in place. */
const simple: ReadonlySet<string> = new Set(['number', 'bool', 'text'])

export function reactionsOf(checked: CheckedModel): MayChange {
  const { processes, steps } = checked.parts
  let groups: ReadonlyMap<ProcessPart, readonly ProcessPart[]> | null = null
  const written = new Map<readonly ProcessPart[], ReadonlySet<string>>()
  const read = new Map<number, ReadonlySet<string> | null>()
  const known = new Map<number, boolean>()
  const find = (acted: number, watched: number): boolean => {
    if (!read.has(watched)) read.set(watched, readsOf(checked, steps[watched]!))
    const reads = read.get(watched)
    if (!reads) return true
    const group = (groups ??= callGroups(processes)).get(steps[acted]!.process)!
    if (!written.has(group)) written.set(group, writesOf(checked, group))
    const writes = written.get(group)!
    return [...reads].some(id => writes.has(id))
  }
  return (acted, watched) => {
    const key = acted * steps.length + watched
    let answer = known.get(key)
    if (answer === undefined) known.set(key, (answer = find(acted, watched)))
    return answer
  }
}

/** Processes that run one another directly, by Call, Ask or as a subprocess; each process to those of its group. */
function callGroups(processes: readonly ProcessPart[]): ReadonlyMap<ProcessPart, readonly ProcessPart[]> {
  const groups = new Map(processes.map(process => [process, [process]]))
  const join = (a: ProcessPart, b: ProcessPart): void => {
    const [one, other] = [groups.get(a)!, groups.get(b)!]
    if (one === other) return
    one.push(...other)
    for (const process of other) groups.set(process, one)
  }
  const byId = Map.groupBy(processes, process => process.id)
  const named = Map.groupBy(processes, process => process.name)
  for (const process of processes) {
    if (process.holder) join(process, process.holder.process)
    for (const { element } of process.steps) {
      const called = element.fields['process']
      if (typeof called !== 'string') continue
      // An heir may have its own process of that name.
      for (const one of byId.get(called) ?? []) for (const other of named.get(one.name) ?? []) join(process, other)
    }
  }
  return groups
}

/** Ids of variables that formulas of these processes, or of functions, may write. */
function writesOf({ parts, formulas }: CheckedModel, group: readonly ProcessPart[]): ReadonlySet<string> {
  const writers = new Set(parts.functions.map(({ id }) => id))
  const ids = new Set<string>()
  for (const process of group)
    for (const step of process.steps) {
      writers.add(step.id)
      // What a newborn is given may be taken from its mother.
      if (step.element.fields['values'] !== undefined) for (const { id } of process.entity?.variables ?? []) ids.add(id)
    }
  for (const { id, inferred } of formulas.values()) if (writers.has(id)) for (const { symbol } of inferred.writes) ids.add(symbol.id ?? '')
  return ids
}

/** Ids of the variables a condition is a function of; null when it looks at anything else. */
function readsOf(checked: CheckedModel, step: StepPart): ReadonlySet<string> | null {
  const formula = checked.formulas.get(stepKey(step, step.kind.id === 'operate' ? 'giveUpWhen' : 'condition'))
  if (!formula) return null
  const { inferred } = formula
  // A condition that draws is asked once each time it is looked at, no more.
  if (inferred.draws) return new Set()
  if (inferred.calls.length + inferred.functions.length > 0) return null
  let isPlain = true
  walk(inferred.parsed.ast, node => {
    isPlain &&= node.is !== 'index' && node.is !== 'slice' && node.is !== 'comprehension' && node.is !== 'call' && node.is !== 'member'
  })
  if (!isPlain) return null
  const variables = [...checked.parts.shared, ...checked.parts.entities.flatMap(entity => entity.variables)]
  const ids = new Set<string>()
  for (const { name, kind, id } of inferred.reads) {
    if (kind === 'builtin' && fixedWithinInstant.has(name)) continue
    const found = kind === 'variable' ? variables.filter(variable => variable.id === id) : []
    if (found.length === 0 || found.some(({ type }) => !simple.has(type.is))) return null
    ids.add(id!)
  }
  return ids
}
