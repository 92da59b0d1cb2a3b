// What others than a rule of cells may read or write of their variables.
import type { CheckedModel } from '../check/checked.ts'
import { flowKey, keyOf, stepKey } from '../check/names/keys.ts'
import type { EntityPart, FormulaPart, ProcessPart, VariablePart } from '../check/parts.ts'
import { walk } from '../formula/walk.ts'

/** Keys of the rule's formulas, and of functions that only they or `isHarmless` callers call. */
function ownKeys(
  { parts: { functions }, formulas }: CheckedModel,
  processes: readonly ProcessPart[],
  isHarmless: (key: string) => boolean,
): ReadonlySet<string> {
  const own = new Set(processes.flatMap(keysOf))
  const callers = new Map<string, string[]>()
  for (const { key, inferred } of formulas.values())
    for (const { symbol } of inferred.functions)
      if (symbol.id !== undefined) callers.set(symbol.id, [...(callers.get(symbol.id) ?? []), key])
  for (let grows = true; grows;) {
    const found = functions.filter(fn => {
      const by = callers.get(fn.id)
      return by && !own.has(keyOf(fn, 'body')) && by.some(key => own.has(key)) && by.every(key => own.has(key) || isHarmless(key))
    })
    for (const fn of found)
      for (const field of ['body', ...fn.parameters.map((_, k) => `parameters/${k}/default`)]) own.add(keyOf(fn, field))
    grows = found.length > 0
  }
  return own
}

function keysOf(process: ProcessPart): string[] {
  const steps = process.steps.flatMap(step => ['program', 'before', 'after'].map(field => stepKey(step, field)))
  return [...steps, ...process.flows.map(flow => flowKey(process, flow.id, 'condition'))]
}

/**
 * Of these variables, those that others than the rule may read or write during a run, by their numbers; statistics, charts and the stop
 * condition, which come between ticks, count for nothing. Or why the rule can't be one: what belongs to the cells themselves writes next values.
 */
export function mentionedOf(
  checked: CheckedModel,
  entity: EntityPart,
  processes: readonly ProcessPart[],
  variables: readonly VariablePart[],
): ReadonlySet<number> | string {
  const { parts, formulas } = checked
  if (entity.derived.length > 0 || entity.base) return 'cells that inherit'
  const watched = new Set([...parts.statistics, ...parts.charts, parts.scenario].map(one => one.id))
  const initial = new Set(entity.variables.map(variable => variable.initialKey))
  const own = ownKeys(checked, processes, key => initial.has(key) || watched.has(formulas.get(key)!.id))
  const theirs = new Set([entity, ...entity.functions, ...entity.containers, ...entity.observed].map(one => one.id))
  // A function that only reads sees the columns as they should be.
  const onlyReads = ({ id, inferred }: FormulaPart): boolean => inferred.writes.length === 0 && parts.functions.some(one => one.id === id)
  const found = new Set<number>()
  for (const formula of formulas.values()) {
    if (own.has(formula.key) || watched.has(formula.id) || initial.has(formula.key)) continue
    for (const variable of variables)
      if (mentions(formula, variable)) {
        if (theirs.has(formula.id) && !onlyReads(formula))
          return `${formula.field} of another element of the cells mentions ${variable.name}`
        found.add(variable.index)
      }
  }
  for (const process of parts.processes) {
    if (processes.includes(process)) continue
    if (process.entity === entity) return 'another process of the cells'
    for (const step of process.steps) {
      const fields = JSON.stringify(step.element.fields)
      // Formulas were looked through; tables of steps give properties by name or id.
      for (const { name, id, index } of variables)
        if (fields.includes(JSON.stringify(name)) || fields.includes(JSON.stringify(id))) found.add(index)
    }
  }
  return found
}

function mentions({ inferred: { parsed, plan } }: FormulaPart, { id, name }: VariablePart): boolean {
  let found = false
  walk(parsed.ast, node => {
    if ((node.is !== 'name' && node.is !== 'member') || node.name !== name) return
    const meaning = node.is === 'name' ? plan.names.get(node) : undefined
    const symbol = node.is === 'member' ? plan.members.get(node) : meaning?.is === 'symbol' ? meaning.symbol : undefined
    // A name that means something else is no mention; a property of an unknown individual may be one.
    if (symbol?.id === id || (symbol?.id === undefined && node.is === 'member')) found = true
  })
  return found
}
