// First values that need themselves: `x = y + 1` and `y = x`.
import { problemSaying } from '../problems.ts'
import type { Checking } from './checking.ts'
import { keyOf } from './names/keys.ts'
import type { FormulaPart, VariablePart } from './parts.ts'
import { say } from '../../model-schema/words.ts'

export function checkFirstValues(checking: Checking): void {
  const { parts } = checking
  for (const variables of [parts.shared, ...parts.entities.map(entity => entity.variables)]) checkGroup(checking, variables)
}

/** Variables of one owner, with first values that are computed in the order in which they need each other. */
function checkGroup({ parts, formulas, say: tell }: Checking, variables: readonly VariablePart[]): void {
  const byId = new Map(variables.map(variable => [variable.id, variable]))
  const functions = new Map(parts.functions.map(fn => [fn.id, fn]))
  const needsOf = (formula: FormulaPart | undefined, seen: Set<string>): VariablePart[] => {
    if (!formula || seen.has(formula.key)) return []
    seen.add(formula.key)
    const found: VariablePart[] = []
    // By name alone: by dot it is a variable of another individual.
    for (const meaning of formula.inferred.plan.names.values()) {
      const variable = meaning.is === 'symbol' && meaning.symbol.kind === 'variable' ? byId.get(meaning.symbol.id ?? '') : undefined
      if (variable) found.push(variable)
    }
    for (const { symbol } of formula.inferred.functions) {
      const fn = functions.get(symbol.id ?? '')
      if (fn) found.push(...needsOf(formulas.get(keyOf(fn, 'body')), seen))
    }
    return found
  }
  const done = new Set<VariablePart>()
  const visit = (variable: VariablePart, path: readonly VariablePart[]): void => {
    const at = path.indexOf(variable)
    if (at >= 0) {
      const names = [...path.slice(at), variable].map(({ name }) => name)
      tell(
        problemSaying(
          8002,
          { id: variable.id, field: 'initial' },
          say('Formula is wrong: the first value of "{name}" needs itself ({names})', { name: variable.name, names: names.join(' -> ') }),
          say('Give one of them a value that does not depend on the others.'),
        ),
      )
      return
    }
    if (done.has(variable)) return
    for (const needed of needsOf(formulas.get(variable.initialKey), new Set())) visit(needed, [...path, variable])
    done.add(variable)
  }
  for (const variable of variables) visit(variable, [])
}
