// What the statements of a program assign to what.
import type { Expr, Statement } from './ast.ts'
import type { Inferred } from './infer.ts'
import type { Local } from './plan.ts'
import { walk } from './walk.ts'

/** All that a program's own variables are given; null: by a loop, an operation, from a collection. */
export function localsOf(inferred: Inferred): ReadonlyMap<Local, readonly (Expr | null)[]> {
  const { ast } = inferred.parsed
  const found = new Map<Local, (Expr | null)[]>()
  const give = (target: Expr, value: Expr | null): void => {
    const meaning = target.is === 'name' ? inferred.plan.names.get(target) : undefined
    if (meaning?.is !== 'local') return
    const known = found.get(meaning.local)
    if (known) known.push(value)
    else found.set(meaning.local, [value])
  }
  const seen = new Set<Expr>()
  eachAssignment(ast.is === 'program' ? ast.body : [], (target, value) => {
    seen.add(target)
    give(target, value)
  })
  walk(ast, (node, role) => {
    if (role === 'target' && !seen.has(node)) give(node, null)
  })
  return found
}

/** Each target with the expression it is given, or null where it is given something else, or deleted. */
export function eachAssignment(body: readonly Statement[], act: (target: Expr, value: Expr | null) => void): void {
  for (const statement of body) {
    switch (statement.is) {
      case 'assign':
        for (const target of statement.targets) {
          const items = target.is === 'tuple' || target.is === 'list' ? target.items : null
          const { value } = statement
          if (!items) act(target, value)
          else items.forEach((item, i) => act(item, value.is === 'tuple' && value.items.length === items.length ? value.items[i]! : null))
        }
        break
      case 'augment':
        act(statement.target, null)
        break
      case 'delete':
        for (const target of statement.targets) act(target, null)
        break
      case 'if':
        for (const branch of statement.branches) eachAssignment(branch.body, act)
        eachAssignment(statement.otherwise, act)
        break
      case 'for':
        act(statement.target, null)
        eachAssignment(statement.body, act)
        eachAssignment(statement.otherwise, act)
        break
      case 'while':
        eachAssignment(statement.body, act)
        eachAssignment(statement.otherwise, act)
        break
      default:
    }
  }
}
