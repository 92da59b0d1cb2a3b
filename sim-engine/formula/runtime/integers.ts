// Integers: whole numbers of any size, exact, as BigInt. A Number combined with one counts as an Integer where it is whole. Every operator
// has an `exact_` form, which takes Integers and refuses results of more than 4,096 bits.
import { RunError } from '../../problems.ts'
import { kindOf, Tuple } from './values.ts'
import { say } from '../../../model-schema/words.ts'

/** Most bits of an Integer. */
const mostBits = 4096
const limit = 1n << BigInt(mostBits)
/** Most decimals that a unit may have. */
const mostDecimals = 300

type At = [from: number, to: number]

const word = say('an Integer')

function sized(value: bigint, ...at: At): bigint {
  if (value >= limit || value <= -limit) throw new RunError(10034, [], ...at)
  return value
}

/** A whole number, or an Integer, as an Integer. 10016 for a fraction, 10007 for what is no number. */
export function exactAny(value: unknown, ...at: At): bigint {
  if (typeof value === 'bigint') return value
  if (typeof value === 'boolean') return value ? 1n : 0n
  if (value === null || value === undefined) throw new RunError(10014, [], ...at)
  if (typeof value !== 'number') throw new RunError(10007, [kindOf(value)], ...at)
  if (!Number.isFinite(value)) throw new RunError(10015, [], ...at)
  if (!Number.isInteger(value)) throw new RunError(10016, [String(value), word], ...at)
  return BigInt(value)
}

export const exact = exactAny

/** Whether an Integer equals a number or another Integer. */
export function eqExact(a: unknown, b: unknown): boolean {
  if (typeof a !== 'bigint') return typeof b === 'bigint' && eqExact(b, a)
  if (typeof b === 'bigint') return a === b
  return Number.isInteger(Number(b)) && a === BigInt(Number(b))
}

export function exact_add(a: bigint, b: bigint, ...at: At): bigint {
  return sized(a + b, ...at)
}
export function exact_sub(a: bigint, b: bigint, ...at: At): bigint {
  return sized(a - b, ...at)
}
export function exact_mul(a: bigint, b: bigint, ...at: At): bigint {
  return sized(a * b, ...at)
}
/** Python's //: rounds down. */
export function exact_floordiv(a: bigint, b: bigint, ...at: At): bigint {
  if (b === 0n) throw new RunError(10018, [], ...at)
  const quotient = a / b
  return a % b !== 0n && a < 0n !== b < 0n ? quotient - 1n : quotient
}
/** Python's %: the sign of the divisor. */
export function exact_mod(a: bigint, b: bigint, ...at: At): bigint {
  if (b === 0n) throw new RunError(10018, [], ...at)
  const rest = a % b
  return rest !== 0n && rest < 0n !== b < 0n ? rest + b : rest
}
/** 10019 for a negative exponent: the result would not be whole. */
export function exact_pow(a: bigint, b: bigint, ...at: At): bigint {
  if (b < 0n) throw new RunError(10019, [], ...at)
  const size = a < 0n ? -a : a
  if (size > 1n && b * BigInt(size.toString(2).length - 1) > BigInt(mostBits)) throw new RunError(10034, [], ...at)
  if (size <= 1n) return a === -1n && b % 2n === 0n ? 1n : b === 0n ? 1n : a
  return sized(a ** b, ...at)
}
export function exact_bitand(a: bigint, b: bigint): bigint {
  return a & b
}
export function exact_bitor(a: bigint, b: bigint): bigint {
  return a | b
}
export function exact_bitxor(a: bigint, b: bigint): bigint {
  return a ^ b
}
export function exact_shl(a: bigint, b: bigint, ...at: At): bigint {
  if (b < 0n) throw new RunError(10019, [], ...at)
  if (b > BigInt(mostBits)) throw new RunError(10034, [], ...at)
  return sized(a << b, ...at)
}
export function exact_shr(a: bigint, b: bigint, ...at: At): bigint {
  if (b < 0n) throw new RunError(10019, [], ...at)
  return a >> (b > BigInt(mostBits) ? BigInt(mostBits) : b)
}

/** The Integer that a text spells (decimal, or hexadecimal after 0x), or of a whole number. 10016 for anything else. */
export function integer(value: unknown, ...at: At): bigint {
  if (typeof value !== 'string') return exactAny(value, ...at)
  const text = value.trim().replaceAll('_', '')
  if (text.length > 2 * mostBits) throw new RunError(10034, [], ...at)
  if (/^0[xX][0-9a-fA-F]+$/.test(text)) return sized(BigInt(text), ...at)
  if (/^[+-]?\d+$/.test(text)) return sized(text.startsWith('-') ? -BigInt(text.slice(1)) : BigInt(text.replace('+', '')), ...at)
  throw new RunError(10016, [`"${value.slice(0, 40)}"`, word], ...at)
}

/** A number of decimals: whole, 0 to 300. */
export function places(decimals: number, ...at: At): number {
  if (!Number.isInteger(decimals)) throw new RunError(10023, [], ...at)
  if (decimals < 0 || decimals > mostDecimals) throw new RunError(10019, [], ...at)
  return decimals
}

/** An amount written with a decimal point, in its smallest unit: units("1.5", 18). 10016 where that is not whole. */
export function units(amount: unknown, decimals: number, ...at: At): bigint {
  const count = places(decimals, ...at)
  const text = typeof amount === 'string' ? amount.trim() : typeof amount === 'bigint' ? amount.toString() : plainDecimal(amount, ...at)
  const match = /^([+-]?)(\d*)(?:\.(\d*))?$/.exec(text.replaceAll('_', ''))
  const [, sign = '', whole = '', fraction = ''] = match ?? []
  const extra = fraction.slice(count)
  if (!match || whole + fraction === '' || /[1-9]/.test(extra) || text.length > mostBits)
    throw new RunError(10016, [typeof amount === 'string' ? `"${text.slice(0, 40)}"` : text.slice(0, 40), word], ...at)
  const size = BigInt(whole + fraction.slice(0, count).padEnd(count, '0'))
  return sized(sign === '-' ? -size : size, ...at)
}

/** A number as people write it, without an exponent. */
function plainDecimal(value: unknown, ...at: At): string {
  if (typeof value !== 'number') return exactAny(value, ...at).toString()
  if (!Number.isFinite(value)) throw new RunError(10015, [], ...at)
  const text = String(value)
  const match = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(text)
  if (!match) return text
  const [, sign = '', lead = '', rest = '', exponent = '0'] = match
  const power = Number(exponent)
  if (power < 0) return `${sign}0.${'0'.repeat(-power - 1)}${lead}${rest}`
  return sign + (lead + rest).padEnd(power + 1, '0')
}

/** The number nearest to an Integer of the smallest unit, with so many decimals. */
export function scaledDown(value: bigint, decimals: number, ...at: At): number {
  const count = places(decimals, ...at)
  const text = (value < 0n ? -value : value).toString().padStart(count + 1, '0')
  const number = Number(count === 0 ? text : `${text.slice(0, -count)}.${text.slice(-count)}`)
  if (!Number.isFinite(number)) throw new RunError(10015, [], ...at)
  return value < 0n ? -number : number
}

/** Greatest Integer with a square not above `value` >= 0. */
export function isqrt(value: bigint, ...at: At): bigint {
  if (value < 0n) throw new RunError(10019, [], ...at)
  if (value < 2n) return value
  let root = 1n << BigInt(Math.ceil(value.toString(2).length / 2))
  for (;;) {
    const next = (root + value / root) >> 1n
    if (next >= root) return root
    root = next
  }
}

/** a * b // c without a limit on the product. */
export function mul_div(a: bigint, b: bigint, c: bigint, ...at: At): bigint {
  return sized(exact_floordiv(a * b, c, ...at), ...at)
}

export function exact_abs(value: bigint): bigint {
  return value < 0n ? -value : value
}

export function exact_sum(values: readonly unknown[], start: bigint, ...at: At): bigint {
  return sized(
    values.reduce<bigint>((sum, value) => sum + exactAny(value, ...at), start),
    ...at,
  )
}

export function exact_divmod(a: bigint, b: bigint, ...at: At): Tuple {
  return new Tuple([exact_floordiv(a, b, ...at), exact_mod(a, b, ...at)])
}
