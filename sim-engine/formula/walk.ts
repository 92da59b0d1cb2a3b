// Visits every expression of a tree, outermost first, in the order of the text.
import type { Ast, Expr, FormatPart, Statement } from './ast.ts'

/** `role` is 'target' for what an assignment, loop, comprehension or lambda binds. */
type Visit = (node: Expr, role: 'value' | 'target') => void

export function walk(ast: Ast, visit: Visit): void {
  if (ast.is === 'expression') expression(ast.value, visit, 'value')
  else block(ast.body, visit)
}

function block(body: readonly Statement[], visit: Visit): void {
  for (const statement of body) visitStatement(statement, visit)
}

function visitStatement(node: Statement, visit: Visit): void {
  const value = (expr: Expr | null): void => {
    if (expr) expression(expr, visit, 'value')
  }
  switch (node.is) {
    case 'assign':
      for (const target of node.targets) expression(target, visit, 'target')
      return value(node.value)
    case 'augment':
      expression(node.target, visit, 'target')
      return value(node.value)
    case 'do':
    case 'return':
      return value(node.value)
    case 'if':
      for (const branch of node.branches) {
        value(branch.test)
        block(branch.body, visit)
      }
      return block(node.otherwise, visit)
    case 'for':
      expression(node.target, visit, 'target')
      value(node.source)
      block(node.body, visit)
      return block(node.otherwise, visit)
    case 'while':
      value(node.test)
      block(node.body, visit)
      return block(node.otherwise, visit)
    case 'delete':
      for (const target of node.targets) value(target)
      return
    case 'assert':
      value(node.test)
      return value(node.tip)
    default:
  }
}

function expression(node: Expr, visit: Visit, role: 'value' | 'target'): void {
  visit(node, role)
  const next = (expr: Expr | null | undefined): void => {
    if (expr) expression(expr, visit, 'value')
  }
  switch (node.is) {
    case 'format':
      return formatted(node.parts, visit)
    case 'member':
      return next(node.of)
    case 'index':
      next(node.of)
      return next(node.index)
    case 'slice':
      for (const part of [node.of, node.start, node.stop, node.step]) next(part)
      return
    case 'call':
      next(node.callee)
      for (const argument of node.args) next(argument)
      for (const argument of node.named) next(argument.value)
      return
    case 'unary':
      return next(node.of)
    case 'binary':
    case 'and':
    case 'or':
      next(node.left)
      return next(node.right)
    case 'compare':
      next(node.first)
      for (const link of node.rest) next(link.right)
      return
    case 'choose':
      for (const part of [node.value, node.test, node.otherwise]) next(part)
      return
    case 'list':
    case 'set':
    case 'tuple':
      for (const item of node.items) expression(item, visit, role)
      return
    case 'dict':
      for (const { key, value } of node.entries) {
        next(key)
        next(value)
      }
      return
    case 'comprehension':
      next(node.element)
      next(node.value)
      for (const clause of node.clauses) {
        if (clause.is === 'if') next(clause.test)
        else {
          expression(clause.target, visit, 'target')
          next(clause.source)
        }
      }
      return
    case 'lambda':
      for (const param of node.params) expression(param, visit, 'target')
      return next(node.body)
    default:
  }
}

function formatted(parts: readonly FormatPart[], visit: Visit): void {
  for (const part of parts) {
    if (typeof part === 'string') continue
    expression(part.value, visit, 'value')
    formatted(part.spec, visit)
  }
}

/** The value of a literal index such as 1 or -1. */
export function constantIndex(node: Expr): number | null {
  if (node.is === 'number') return node.value
  return node.is === 'unary' && node.op === '-' && node.of.is === 'number' ? -node.of.value : null
}

/** Whether a statement of a loop's body ends the loop by `break`. */
export function hasBreak(body: readonly Statement[]): boolean {
  return body.some(
    statement =>
      statement.is === 'break' ||
      (statement.is === 'if' && (statement.branches.some(branch => hasBreak(branch.body)) || hasBreak(statement.otherwise))),
  )
}

/** Whether a statement may leave the loop around it. */
export function leaves(body: readonly Statement[]): boolean {
  return hasBreak(body) || hasReturn(body)
}

function hasReturn(body: readonly Statement[]): boolean {
  return body.some(
    statement =>
      statement.is === 'return' ||
      (statement.is === 'if' && (statement.branches.some(branch => hasReturn(branch.body)) || hasReturn(statement.otherwise))) ||
      ((statement.is === 'for' || statement.is === 'while') && (hasReturn(statement.body) || hasReturn(statement.otherwise))),
  )
}
