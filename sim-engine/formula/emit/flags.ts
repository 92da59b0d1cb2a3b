// Conditions without branches. A condition made of comparisons of what is at hand - numbers, variables, constants - costs
// less in full than a mispredicted jump: `&` and `|` of its parts, which can neither fail nor change anything. It serves
// where conditions are counted or stored, not where they choose what happens.
import type { Expr } from '../ast.ts'
import type { Emitter } from './expressions.ts'

/** `isBoolean`: JavaScript's true or false; else 0 or 1. `js` is in parentheses or needs none. */
type Flag = { readonly js: string; readonly isBoolean: boolean }

/** More comparisons than this are not all made. */
const maxComparisons = 8

/** The condition as a flag, or null where something might fail or be called. */
export function flagOf(e: Emitter, node: Expr): Flag | null {
  if (leaves(node) > maxComparisons) return null
  return made(e, node)
}

/** A JavaScript boolean of a condition with several parts, without branches; null for anything else. */
export function unbranched(e: Emitter, node: Expr): string | null {
  if (node.is !== 'and' && node.is !== 'or') return null
  const flag = flagOf(e, node)
  return flag && `(${flag.js} !== 0)`
}

function leaves(node: Expr): number {
  if (node.is === 'and' || node.is === 'or') return leaves(node.left) + leaves(node.right)
  if (node.is === 'unary') return leaves(node.of)
  return node.is === 'compare' ? node.rest.length : 1
}

function made(e: Emitter, node: Expr): Flag | null {
  if (e.typeOf(node).is !== 'bool') return null
  if (node.is === 'and' || node.is === 'or') {
    const left = made(e, node.left)
    const right = made(e, node.right)
    return left && right && { js: `(${left.js} ${node.is === 'and' ? '&' : '|'} ${right.js})`, isBoolean: false }
  }
  if (node.is === 'unary' && node.op === 'not') {
    const of = made(e, node.of)
    return of && (of.isBoolean ? { js: `!${of.js}`, isBoolean: true } : { js: `(${of.js} ^ 1)`, isBoolean: false })
  }
  const isPlain = node.is === 'name' || node.is === 'member' || node.is === 'constant' || (node.is === 'compare' && node.rest.length === 1)
  if (!isPlain) return null
  const js = e.test(node)
  return /[\w$]\(/.test(js) ? null : { js, isBoolean: true }
}
