// The order in which variables get their first values: what a formula reads comes first; ties and loops in canvas order.
import type { CheckedModel } from '../check/checked.ts'
import { keyOf } from '../check/names/keys.ts'
import type { FormulaPart, VariablePart } from '../check/parts.ts'

export function dependencyOrder(checked: CheckedModel, variables: readonly VariablePart[]): VariablePart[] {
  const byId = new Map(variables.map(variable => [variable.id, variable]))
  const done = new Set<VariablePart>()
  const order: VariablePart[] = []
  const visit = (variable: VariablePart): void => {
    if (done.has(variable)) return
    done.add(variable)
    for (const id of idsRead(checked, checked.formulas.get(variable.initialKey))) {
      const read = byId.get(id)
      if (read) visit(read)
    }
    order.push(variable)
  }
  for (const variable of variables) visit(variable)
  return order
}

/** Ids of the elements a formula reads, function blocks it calls included. */
export function idsRead(checked: CheckedModel, formula: FormulaPart | undefined, seen = new Set<string>()): Set<string> {
  const ids = new Set<string>()
  if (!formula || seen.has(formula.key)) return ids
  seen.add(formula.key)
  for (const symbol of formula.inferred.reads) if (symbol.id !== undefined) ids.add(symbol.id)
  for (const { symbol } of formula.inferred.functions) {
    const fn = checked.parts.functions.find(one => one.id === symbol.id)
    if (fn) for (const id of idsRead(checked, checked.formulas.get(keyOf(fn, 'body')), seen)) ids.add(id)
  }
  return ids
}
