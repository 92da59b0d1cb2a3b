// Which expressions of a formula mean the actor itself: `self`, and names that are given nothing else.
import type { Ast, Expr, Statement } from './ast.ts'

/** Whether an expression certainly is the actor. */
export const namesSelf = (ast: Ast, node: Expr): boolean => node.is === 'name' && (node.name === 'self' || namesOfSelf(ast).has(node.name))

function namesOfSelf(ast: Ast): ReadonlySet<string> {
  const given = new Set<string>()
  const others = new Set<string>()
  const bind = (target: Expr, isSelf: boolean): void => {
    if (target.is === 'name') (isSelf ? given : others).add(target.name)
    else if (target.is === 'tuple' || target.is === 'list') for (const item of target.items) bind(item, false)
  }
  const visit = (body: readonly Statement[]): void => {
    for (const node of body) {
      if (node.is === 'assign') for (const target of node.targets) bind(target, node.value.is === 'name' && node.value.name === 'self')
      else if (node.is === 'augment') bind(node.target, false)
      else if (node.is === 'if') {
        for (const branch of node.branches) visit(branch.body)
        visit(node.otherwise)
      } else if (node.is === 'for' || node.is === 'while') {
        if (node.is === 'for') bind(node.target, false)
        visit(node.body)
        visit(node.otherwise)
      }
    }
  }
  if (ast.is === 'program') visit(ast.body)
  for (const name of others) given.delete(name)
  return given
}
