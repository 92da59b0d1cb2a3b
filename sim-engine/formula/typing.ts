// Typing rules of the operators, and which type fits where.
import type { ArithmeticOp } from './ast.ts'
import { any, bool, date, entityOf, integer, join, listOf, number, stored, text, tupleOf } from './types.ts'
import type { Type } from './types.ts'
import { say, type Words } from '../../model-schema/words.ts'

export const isNumeric = (type: Type): boolean => type.is === 'number' || type.is === 'bool'
/** Integers and numbers: they have one order, and whole numbers combined with an Integer count as Integers. */
export const isOrdered = (type: Type): boolean => type.is === 'integer' || isNumeric(type)
export const isOpen = (type: Type): boolean => type.is === 'any' || type.is === 'never'

/** Type of `left op right`, or null when it is certainly wrong. */
export function arithmeticType(op: ArithmeticOp, left: Type, right: Type): Type | null {
  if (isNumeric(left) && isNumeric(right)) {
    return (op === '&' || op === '|' || op === '^') && left.is === 'bool' && right.is === 'bool' ? bool : number
  }
  if (left.is === 'integer' || right.is === 'integer') return exactType(op, left, right)
  if (isOpen(left) || isOpen(right)) return openType(op, left, right)
  const a = stored(left)
  const b = stored(right)
  switch (op) {
    case '+':
      if (a.is === 'text' && b.is === 'text') return text
      if (a.is === 'list' && b.is === 'list') return listOf(join(a.of, b.of))
      if (a.is === 'tuple' && b.is === 'tuple') return tupleOf(...a.of, ...b.of)
      if ((a.is === 'date' && b.is === 'number') || (a.is === 'number' && b.is === 'date')) return date
      return null
    case '-':
      if (a.is === 'set' && b.is === 'set') return a
      if (a.is === 'date') return b.is === 'date' ? number : b.is === 'number' ? date : null
      return null
    case '*':
      if (a.is === 'text' && isNumeric(b)) return text
      if (isNumeric(a) && b.is === 'text') return text
      if (a.is === 'list' && isNumeric(b)) return a
      if (isNumeric(a) && b.is === 'list') return b
      if ((a.is === 'tuple' && isNumeric(b)) || (isNumeric(a) && b.is === 'tuple')) return any
      return null
    case '&':
    case '|':
    case '^':
      if (a.is === 'set' && b.is === 'set') return op === '&' ? a : join(a, b)
      if (op === '|' && a.is === 'dict' && b.is === 'dict') return join(a, b)
      return null
    default:
      return null
  }
}

/** Arithmetic with an Integer is exact. Nothing divides it but `//`: a quotient is seldom whole. */
function exactType(op: ArithmeticOp, left: Type, right: Type): Type | null {
  if (op === '/') return null
  const other = left.is === 'integer' ? right : left
  if (isOrdered(other)) return integer
  if (!isOpen(other)) return null
  return op === '+' || op === '-' || op === '*' || op === '&' || op === '|' || op === '^' ? any : integer
}

/** What to write instead of arithmetic that is certainly wrong. */
export function arithmeticHint(op: ArithmeticOp, left: Type, right: Type): Words {
  const isText = (left.is === 'text' && isNumeric(right)) || (right.is === 'text' && isNumeric(left))
  if (op === '+' && isText) return say('; convert with str(...)')
  if (op === '/' && (left.is === 'integer' || right.is === 'integer'))
    return say('; write // for the whole quotient, or convert with float(...)')
  return say('')
}

function openType(op: ArithmeticOp, left: Type, right: Type): Type | null {
  const known = isOpen(left) ? right : left
  const wrong = known.is === 'none' || known.is === 'entity' || known.is === 'observer' || known.is === 'element' || known.is === 'process'
  if (wrong) return null
  switch (op) {
    case '/':
    case '//':
    case '%':
    case '**':
    case '<<':
    case '>>':
      return isOpen(known) || isNumeric(known) ? number : null
    default:
      if (left.is === 'never' && isNumeric(right)) return number
      if (right.is === 'never' && isNumeric(left)) return number
      return any
  }
}

/** Whether `a < b` can be asked. */
export function hasOrder(a: Type, b: Type): boolean {
  if (isOpen(a) || isOpen(b)) return true
  if (isOrdered(a) && isOrdered(b)) return true
  const same = a.is === b.is
  return same && (a.is === 'text' || a.is === 'date' || a.is === 'list' || a.is === 'tuple' || a.is === 'set')
}

/** What iterating gives, or null when the type can't be iterated. */
export function elementOf(type: Type): Type | null {
  switch (type.is) {
    case 'list':
    case 'set':
      return type.of
    case 'tuple':
      return type.of.reduce<Type>(join, { is: 'never' })
    case 'dict':
      return type.key
    case 'text':
      return text
    case 'range':
      return number
    case 'entities':
      return entityOf(type.of, true)
    case 'observer':
      return type.of === null ? null : entityOf(type.of, true)
    case 'any':
    case 'never':
      return any
    default:
      return null
  }
}

/** Whether a value of type `got` is allowed where `want` is needed; 'maybe' is checked at run time. */
export function accepts(want: Type, got: Type): 'yes' | 'maybe' | 'no' {
  if (want.is === 'any' || want.is === 'never' || got.is === 'never') return 'yes'
  if (got.is === 'any') return 'maybe'
  switch (want.is) {
    case 'number':
      return isNumeric(got) ? 'yes' : 'no'
    case 'integer':
      return got.is === 'integer' ? 'yes' : got.is === 'number' ? 'maybe' : 'no'
    case 'list':
      if (got.is === 'entities' || got.is === 'observer') return accepts(want.of, entityOf(got.of))
      if (got.is === 'range') return accepts(want.of, number)
      return got.is === 'list' ? accepts(want.of, got.of) : 'no'
    case 'set':
      return got.is === 'set' ? accepts(want.of, got.of) : 'no'
    case 'dict': {
      if (got.is !== 'dict') return 'no'
      const key = accepts(want.key, got.key)
      const value = accepts(want.value, got.value)
      return key === 'no' || value === 'no' ? 'no' : key === 'yes' && value === 'yes' ? 'yes' : 'maybe'
    }
    case 'tuple': {
      if (got.is !== 'tuple' || got.of.length !== want.of.length) return 'no'
      const other = got.of
      return want.of.some((item, i) => accepts(item, other[i] ?? any) === 'no') ? 'no' : 'yes'
    }
    case 'entity':
      if (got.is === 'none') return 'yes'
      if (got.is !== 'entity') return 'no'
      return want.of === null || want.of === got.of ? 'yes' : 'maybe'
    case 'observer':
    case 'element':
    case 'process':
      return got.is === want.is ? 'yes' : 'no'
    default:
      return got.is === want.is ? 'yes' : 'no'
  }
}
