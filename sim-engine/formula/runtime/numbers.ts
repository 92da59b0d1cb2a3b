// Number functions: the domain checks of Python's math module over our portable functions.
import { RunError } from '../../problems.ts'
import { places, scaledDown } from './integers.ts'
import * as math from '../../kernel/math.ts'
import { fixed } from './show.ts'
import { Tuple } from './values.ts'
import { say } from '../../../model-schema/words.ts'

type At = [from: number, to: number]

const outside = (from: number, to: number): never => {
  throw new RunError(10019, [], from, to)
}

/** x to the power of y. Exact for whole numbers while the power is below 2^53. */
export function power(x: number, y: number): number {
  if (Number.isInteger(y) && y <= 64 && y >= -64 && Number.isInteger(x)) {
    let product = 1
    let factor = x
    for (let n = Math.abs(y); n > 0; n = Math.floor(n / 2)) {
      if (n % 2 === 1) product *= factor
      factor *= factor
    }
    if (Math.abs(product) <= Number.MAX_SAFE_INTEGER && product !== 0) return y < 0 ? 1 / product : product
  }
  return math.pow(x, y)
}

export function sqrt(x: number, from: number, to: number): number {
  return x >= 0 ? Math.sqrt(x) : outside(from, to)
}
export const cbrt = (x: number): number => math.cbrt(x)
export const exp = (x: number): number => math.exp(x)
export const expm1 = (x: number): number => math.expm1(x)
export function log(x: number, base: number | null, from: number, to: number): number {
  if (!(x > 0)) outside(from, to)
  if (base === null) return math.log(x)
  if (base === 2) return math.log2(x)
  if (base === 10) return math.log10(x)
  if (!(base > 0) || base === 1) outside(from, to)
  return math.log(x) / math.log(base)
}
export const log10 = (x: number, from: number, to: number): number => (x > 0 ? math.log10(x) : outside(from, to))
export const log2 = (x: number, from: number, to: number): number => (x > 0 ? math.log2(x) : outside(from, to))
export const log1p = (x: number, from: number, to: number): number => (x > -1 ? math.log1p(x) : outside(from, to))
const bounded = (x: number, from: number, to: number): number => (Math.abs(x) === Infinity ? outside(from, to) : x)
export const sin = (x: number, ...at: At): number => math.sin(bounded(x, ...at))
export const cos = (x: number, ...at: At): number => math.cos(bounded(x, ...at))
export const tan = (x: number, ...at: At): number => math.tan(bounded(x, ...at))
export const asin = (x: number, from: number, to: number): number => (Math.abs(x) <= 1 ? math.asin(x) : outside(from, to))
export const acos = (x: number, from: number, to: number): number => (Math.abs(x) <= 1 ? math.acos(x) : outside(from, to))
export const atan = (x: number): number => math.atan(x)
export const atan2 = (y: number, x: number): number => math.atan2(y, x)
export const sinh = (x: number): number => math.sinh(x)
export const cosh = (x: number): number => math.cosh(x)
export const tanh = (x: number): number => math.tanh(x)
export const degrees = (x: number): number => (x * 180) / Math.PI
export const radians = (x: number): number => (x * Math.PI) / 180
export const hypot = (x: number, y: number): number => math.hypot(x, y)
export const clamp = (x: number, low: number, high: number): number => Math.min(Math.max(x, low), high)
export const isclose = (a: number, b: number, tolerance: number): boolean =>
  a === b || Math.abs(a - b) <= tolerance * Math.max(Math.abs(a), Math.abs(b))

const count = (n: number, from: number, to: number): number => {
  if (!Number.isInteger(n)) throw new RunError(10023, [], from, to)
  return n >= 0 ? n : outside(from, to)
}
export function factorial(n: number, from: number, to: number): number {
  let product = 1
  for (let i = 2; i <= Math.min(count(n, from, to), 171); i++) product *= i
  return product
}
export function comb(n: number, k: number, from: number, to: number): number {
  const few = Math.min(count(k, from, to), count(n, from, to) - k)
  if (few < 0) return 0
  let product = 1
  for (let i = 1; i <= few && product < Infinity; i++) product = (product * (n - few + i)) / i
  return Math.round(product)
}
export function gcd(a: number, b: number, from: number, to: number): number {
  let [x, y] = [count(Math.abs(a), from, to), count(Math.abs(b), from, to)]
  while (y > 0) [x, y] = [y, x % y]
  return x
}
export function divmod(a: number, b: number, from: number, to: number): Tuple {
  if (b === 0) throw new RunError(10018, [], from, to)
  const rest = a % b
  const down = rest !== 0 && rest < 0 !== b < 0 ? rest + b : rest
  return new Tuple([Math.round((a - down) / b), down])
}

/** Rounds half to even, as Python: digits of the exact value, so 2.675 gives 2.67. */
export function round(x: number, digits: number | null, from: number, to: number): number {
  if (x - x !== 0) throw new RunError(10015, [], from, to)
  if (digits === null || digits === 0) {
    const near = Math.round(x)
    return near - x === 0.5 && near % 2 !== 0 ? near - 1 : near
  }
  if (!Number.isInteger(digits)) throw new RunError(10023, [], from, to)
  if (digits > 0) {
    if (digits > 22) return x
    const size = Math.abs(x)
    const shifted = size * 10 ** digits
    // Far from a tie and small enough, the short way is right.
    const apart = Math.abs(shifted - Math.floor(shifted) - 0.5)
    if (shifted < 1e12 && apart > 1e-3) return (Math.sign(x) * Math.round(shifted)) / tens[digits]!
    return Math.sign(x) * Number(fixed(size, digits))
  }
  const unit = 10 ** Math.min(-digits, 308)
  return round(x / unit, null, from, to) * unit
}
const tens = Array.from({ length: 23 }, (_, n) => Number(`1e${n}`))

export function int(x: unknown, from: number, to: number): number {
  if (typeof x === 'number') {
    if (x - x !== 0) throw new RunError(10015, [], from, to)
    return Math.trunc(x)
  }
  if (typeof x === 'boolean' || typeof x === 'bigint') return Number(x)
  if (typeof x === 'string' && /^\s*[+-]?\d+(_\d+)*\s*$/.test(x)) return Number(x.replaceAll('_', ''))
  throw new RunError(
    x === null ? 10014 : 10016,
    x === null ? [] : [typeof x === 'string' ? `"${x.slice(0, 40)}"` : 'value', say('a whole number')],
    from,
    to,
  )
}
export function float(x: unknown, decimals: number, from: number, to: number): number {
  if (typeof x === 'bigint') return scaledDown(x, decimals, from, to)
  if (decimals !== 0) return float(x, 0, from, to) / 10 ** places(decimals, from, to)
  if (typeof x === 'number') return x
  if (typeof x === 'boolean') return Number(x)
  if (typeof x === 'string') {
    const text = x.trim().toLowerCase()
    if (/^[+-]?(\d+(_\d+)*\.?\d*|\.\d+)(e[+-]?\d+)?$/.test(text)) return Number(text.replaceAll('_', ''))
    if (text === 'inf' || text === '+inf') return Infinity
    if (text === '-inf') return -Infinity
  }
  throw new RunError(
    x === null ? 10014 : 10016,
    x === null ? [] : [typeof x === 'string' ? `"${x.slice(0, 40)}"` : 'value', say('a number')],
    from,
    to,
  )
}
