// Which number columns hold small whole numbers only: states, kinds, counters of few values. They take one byte instead
// of eight, and loops over them run in the cache. Certain or not at all: every value ever written must be a literal.
import type { Inferred } from '../formula.ts'
import type { Expr, Statement } from '../formula/ast.ts'
import { dilutes, givers, inheritances } from './crossings.ts'
import type { Crossing } from './crossings.ts'
import { namesWithoutOwner } from './names/words.ts'
import type { FormulaPart, Parts, VariablePart } from './parts.ts'

/** Sets the storage of such variables of individuals to `byte`. `large`: those that a formula may give another number. */
export function findBytes(
  parts: Parts,
  formulas: ReadonlyMap<string, FormulaPart>,
  large: Iterable<readonly string[]>,
  crossings: readonly Crossing[],
): void {
  const byId = new Map<string, VariablePart[]>()
  const drop = (variable: VariablePart): void => {
    if (variable.storage === 'byte') variable.storage = 'number'
  }
  for (const entity of parts.entities) {
    for (const variable of entity.variables) {
      if (variable.storage !== 'number') continue
      variable.storage = 'byte'
      const known = byId.get(variable.id)
      if (known) known.push(variable)
      else byId.set(variable.id, [variable])
    }
  }
  if (byId.size === 0) return
  for (const variables of byId.values()) {
    for (const variable of variables) {
      const ast = formulas.get(variable.initialKey)?.inferred.parsed.ast
      if (ast && !(ast.is === 'expression' && isSmall(ast.value))) drop(variable)
    }
  }
  for (const { variable } of crossings) drop(variable)
  // Shares of a value are no whole numbers.
  if (givers(parts).some(step => dilutes(step))) for (const variables of byId.values()) variables.forEach(drop)
  for (const ids of large)
    for (const id of ids)
      if (id.startsWith('.')) for (const variables of byId.values()) variables.filter(one => one.name === id.slice(1)).forEach(drop)
      else byId.get(id)?.forEach(drop)
  const inherited = inheritances(parts)
  const isWide = ({ from, to }: (typeof inherited)[number]): boolean => to.storage === 'byte' && from.storage !== 'byte'
  for (let one = inherited.find(isWide); one; one = inherited.find(isWide)) byId.get(one.to.id)?.forEach(drop)
}

const largeBefore = new WeakMap<Inferred, readonly string[]>()
const nothing: readonly string[] = []

/** Variables a formula may give another number than a small one: ids, or a dot and a name where the population is not known. */
export function largeIn(inferred: Inferred): readonly string[] {
  const { writes, parsed, plan } = inferred
  let found = largeBefore.get(inferred)
  if (!found) {
    const { ast } = parsed
    const settings = [...plan.calls.values()].flatMap(call => (call.is === 'row' ? call.extra : []))
    const isLarge = ({ symbol }: (typeof writes)[number]): boolean =>
      ast.is !== 'program' ||
      !onlySmall(ast.body, symbol.name) ||
      settings.some(setting => setting.symbol.name === symbol.name && !isSmall(setting.value))
    found = [...writes.filter(isLarge).map(({ symbol }) => symbol.id ?? `.${symbol.name}`), ...namesWithoutOwner(inferred)]
    if (found.length === 0) found = nothing
    largeBefore.set(inferred, found)
  }
  return found
}

const isSmall = (node: Expr): boolean =>
  node.is === 'number'
    ? Number.isInteger(node.value) && node.value >= 0 && node.value <= 255
    : node.is === 'choose' && isSmall(node.value) && isSmall(node.otherwise)

/** Whether all assignments to `name`, one's own or another's, give small numbers. */
function onlySmall(body: readonly Statement[], name: string): boolean {
  const names = (target: Expr): boolean =>
    (target.is === 'name' && target.name === name) || (target.is === 'member' && target.name === name)
  const mentions = (target: Expr): boolean =>
    names(target) || ((target.is === 'tuple' || target.is === 'list') && target.items.some(mentions))
  return body.every(statement => {
    switch (statement.is) {
      case 'assign':
        return statement.targets.every(target => !mentions(target) || (names(target) && isSmall(statement.value)))
      case 'augment':
        return !mentions(statement.target)
      case 'if':
        return statement.branches.every(branch => onlySmall(branch.body, name)) && onlySmall(statement.otherwise, name)
      case 'for':
        return !mentions(statement.target) && onlySmall(statement.body, name) && onlySmall(statement.otherwise, name)
      case 'while':
        return onlySmall(statement.body, name) && onlySmall(statement.otherwise, name)
      default:
        return true
    }
  })
}
