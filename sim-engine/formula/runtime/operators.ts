// Python's operators over values of types known only at run time, and the checks that typed code needs.
// `from`, `to` mark the formula text to blame.
import { RunError } from '../../problems.ts'
import { eqExact, exactAny, exact_add, exact_mul, exact_sub } from './integers.ts'
import { power } from './numbers.ts'
import { dayMs } from './calendar.ts'
import type { Population } from './values.ts'
import { FormulaDate, FormulaDict, FormulaRange, FormulaSet, kindOf, Ref, Tuple } from './values.ts'

type At = [from: number, to: number]

const fail = (code: 10007 | 10008 | 10009 | 10010 | 10011 | 10012 | 10013, value: unknown, from: number, to: number): never => {
  if (value === null || value === undefined) throw new RunError(10014, [], from, to)
  throw new RunError(code, [kindOf(value)], from, to)
}

/** Longest text or list that may be made. */
export const maxSequenceLength = 10_000_000

/** a + b for texts. */
export function joined(a: string, b: string, from: number, to: number): string {
  if (a.length + b.length > maxSequenceLength) throw new RunError(10034, [], from, to)
  return a + b
}

const isNumeric = (value: unknown): value is number | boolean => typeof value === 'number' || typeof value === 'boolean'

// Checks: the value itself, or a RunError.

export function number(value: unknown, from: number, to: number): number {
  return typeof value === 'number' ? value : typeof value === 'boolean' ? Number(value) : fail(10007, value, from, to)
}
export function bool(value: unknown, from: number, to: number): boolean {
  return typeof value === 'boolean' ? value : fail(10008, value, from, to)
}
export function text(value: unknown, from: number, to: number): string {
  return typeof value === 'string' ? value : fail(10009, value, from, to)
}
export function list(value: unknown, from: number, to: number): unknown[] {
  return Array.isArray(value) ? value : fail(10010, value, from, to)
}
export function tuple(value: unknown, length: number, from: number, to: number): Tuple {
  if (!(value instanceof Tuple)) return fail(10010, value, from, to)
  if (value.items.length !== length) throw new RunError(10027, [], from, to)
  return value
}
export function dict(value: unknown, from: number, to: number): FormulaDict {
  return value instanceof FormulaDict ? value : fail(10011, value, from, to)
}
export function set(value: unknown, from: number, to: number): FormulaSet {
  return value instanceof FormulaSet ? value : fail(10010, value, from, to)
}
export function range(value: unknown, from: number, to: number): FormulaRange {
  return value instanceof FormulaRange ? value : fail(10010, value, from, to)
}
export function date(value: unknown, from: number, to: number): FormulaDate {
  return value instanceof FormulaDate ? value : fail(10013, value, from, to)
}
/** An entity of any population, or None. */
export function entity(value: unknown, from: number, to: number): Ref | null {
  return value === null || value instanceof Ref ? value : fail(10012, value, from, to)
}
/** An entity, not None. */
export function someone(value: unknown, from: number, to: number): Ref {
  return value instanceof Ref ? value : fail(10012, value, from, to)
}
/** The handle of a stored entity of known population; -1 for None. */
export function unref(value: unknown): number {
  return value instanceof Ref ? value.handle : -1
}
/** A value of any type on its way into the model's state: numbers must be finite. */
export function finiteAny(value: unknown, from: number, to: number): unknown {
  if (typeof value === 'number' && value - value !== 0) throw new RunError(10015, [], from, to)
  return value
}
/** The step of a range: whole, not 0. */
export function stride(value: number, from: number, to: number): number {
  if (value === 0) throw new RunError(10032, [], from, to)
  return whole(value, from, to)
}
/** How many individuals to create. */
export function amount(value: number, from: number, to: number): number {
  if (whole(value, from, to) < 0) throw new RunError(10039, [], from, to)
  return value
}
export const same = (a: Population | null, ha: number, b: Population | null, hb: number): boolean => a === b && ha === hb
export const opposite = (angle: number): number => (angle + 180) % 360
export function finite(value: number, from: number, to: number): number {
  if (value - value !== 0) throw new RunError(10015, [], from, to)
  return value
}
export function whole(value: number, from: number, to: number): number {
  if (!Number.isInteger(value)) throw new RunError(10023, [], from, to)
  return value
}
/** A local read where it may not be assigned yet. */
export function bound<T>(value: T | undefined, from: number, to: number): T {
  if (value === undefined) throw new RunError(10031, [], from, to)
  return value
}

// Arithmetic on numbers.

export function div(a: number, b: number, from: number, to: number): number {
  if (b === 0) throw new RunError(10018, [], from, to)
  return a / b
}
/** Python's %: the sign of the divisor. */
export function mod(a: number, b: number, from: number, to: number): number {
  if (b === 0) throw new RunError(10018, [], from, to)
  const rest = a % b
  return rest !== 0 && rest < 0 !== b < 0 ? rest + b : rest
}
/** Python's //: rounds down, as float_divmod in CPython does it. */
export function floordiv(a: number, b: number, from: number, to: number): number {
  if (b === 0) throw new RunError(10018, [], from, to)
  const rest = a % b
  let quotient = (a - rest) / b
  if (rest !== 0 && rest < 0 !== b < 0) quotient -= 1
  const down = Math.floor(quotient)
  return quotient - down > 0.5 ? down + 1 : down
}
export function pow(a: number, b: number, from: number, to: number): number {
  if (b === 2) return a * a
  if (a === 0 && b < 0) throw new RunError(10018, [], from, to)
  if (a < 0 && !Number.isInteger(b) && Number.isFinite(b)) throw new RunError(10019, [], from, to)
  return power(a, b)
}

function bits(a: number, from: number, to: number): bigint {
  if (!Number.isInteger(a)) throw new RunError(10023, [], from, to)
  return BigInt(a)
}
const areInt32 = (a: number, b: number): boolean => (a | 0) === a && (b | 0) === b

export function bitand(a: number, b: number, ...at: At): number {
  return areInt32(a, b) ? a & b : Number(bits(a, ...at) & bits(b, ...at))
}
export function bitor(a: number, b: number, ...at: At): number {
  return areInt32(a, b) ? a | b : Number(bits(a, ...at) | bits(b, ...at))
}
export function bitxor(a: number, b: number, ...at: At): number {
  return areInt32(a, b) ? a ^ b : Number(bits(a, ...at) ^ bits(b, ...at))
}
export function bitnot(a: number, ...at: At): number {
  return -whole(a, ...at) - 1
}
export function shl(a: number, b: number, ...at: At): number {
  if (b < 0 || b > 1023) throw new RunError(10019, [], ...at)
  return whole(a, ...at) * 2 ** whole(b, ...at)
}
export function shr(a: number, b: number, ...at: At): number {
  if (b < 0) throw new RunError(10019, [], ...at)
  return Math.floor(whole(a, ...at) / 2 ** Math.min(whole(b, ...at), 1023))
}

// Operators on values of unknown type.

/** Two whole numbers of which at least one is an Integer. */
const areExact = (a: unknown, b: unknown): boolean =>
  (typeof a === 'bigint' && (typeof b === 'bigint' || isNumeric(b))) || (typeof b === 'bigint' && isNumeric(a))

const undefinedFor = (a: unknown, b: unknown, from: number, to: number): never => {
  if (a === null || b === null) throw new RunError(10014, [], from, to)
  if (isNumeric(a) || isNumeric(b)) throw new RunError(10007, [kindOf(isNumeric(a) ? b : a)], from, to)
  throw new RunError(10030, [], from, to)
}

export function add(a: unknown, b: unknown, from: number, to: number): unknown {
  if (typeof a === 'number' && typeof b === 'number') return a + b
  if (typeof a === 'string' && typeof b === 'string') return joined(a, b, from, to)
  if (isNumeric(a) && isNumeric(b)) return Number(a) + Number(b)
  if (Array.isArray(a) && Array.isArray(b)) {
    if (a.length + b.length > maxSequenceLength) throw new RunError(10034, [], from, to)
    return a.concat(b)
  }
  if (a instanceof Tuple && b instanceof Tuple) return new Tuple([...a.items, ...b.items])
  if (areExact(a, b)) return exact_add(exactAny(a, from, to), exactAny(b, from, to), from, to)
  if (a instanceof FormulaDate && typeof b === 'number') return new FormulaDate(a.ms + b * dayMs)
  if (b instanceof FormulaDate && typeof a === 'number') return new FormulaDate(b.ms + a * dayMs)
  return undefinedFor(a, b, from, to)
}
export function sub(a: unknown, b: unknown, from: number, to: number): unknown {
  if (isNumeric(a) && isNumeric(b)) return Number(a) - Number(b)
  if (areExact(a, b)) return exact_sub(exactAny(a, from, to), exactAny(b, from, to), from, to)
  if (a instanceof FormulaSet && b instanceof FormulaSet) return FormulaSet.of(a.items().filter(item => !b.has(item)))
  if (a instanceof FormulaDate && b instanceof FormulaDate) return (a.ms - b.ms) / dayMs
  if (a instanceof FormulaDate && typeof b === 'number') return new FormulaDate(a.ms - b * dayMs)
  return undefinedFor(a, b, from, to)
}

export function mul(a: unknown, b: unknown, from: number, to: number): unknown {
  if (isNumeric(a) && isNumeric(b)) return Number(a) * Number(b)
  if (areExact(a, b)) return exact_mul(exactAny(a, from, to), exactAny(b, from, to), from, to)
  if (isNumeric(a)) return mul(b, a, from, to)
  if (isNumeric(b) && (typeof a === 'string' || Array.isArray(a) || a instanceof Tuple)) {
    const times = Math.max(0, whole(Number(b), from, to))
    const length = a instanceof Tuple ? a.items.length : a.length
    if (length * times > maxSequenceLength) throw new RunError(10034, [], from, to)
    if (typeof a === 'string') return a.repeat(times)
    const items = a instanceof Tuple ? a.items : a
    const made: unknown[] = []
    for (let i = 0; i < times; i++) for (const item of items) made.push(item)
    return a instanceof Tuple ? new Tuple(made) : made
  }
  return undefinedFor(a, b, from, to)
}
export function divAny(a: unknown, b: unknown, ...at: At): number {
  return div(number(a, ...at), number(b, ...at), ...at)
}
export function modAny(a: unknown, b: unknown, ...at: At): number {
  return mod(number(a, ...at), number(b, ...at), ...at)
}
export function and(a: unknown, b: unknown, ...at: At): unknown {
  if (typeof a === 'boolean' && typeof b === 'boolean') return a && b
  if (a instanceof FormulaSet && b instanceof FormulaSet) return FormulaSet.of(a.items().filter(item => b.has(item)))
  return bitand(number(a, ...at), number(b, ...at), ...at)
}
export function or(a: unknown, b: unknown, ...at: At): unknown {
  if (typeof a === 'boolean' && typeof b === 'boolean') return a || b
  if (a instanceof FormulaSet && b instanceof FormulaSet) return FormulaSet.of([...a.items(), ...b.items()])
  if (a instanceof FormulaDict && b instanceof FormulaDict) return merged(a, b)
  return bitor(number(a, ...at), number(b, ...at), ...at)
}
export function xor(a: unknown, b: unknown, ...at: At): unknown {
  if (typeof a === 'boolean' && typeof b === 'boolean') return a !== b
  if (a instanceof FormulaSet && b instanceof FormulaSet) {
    return FormulaSet.of([...a.items().filter(item => !b.has(item)), ...b.items().filter(item => !a.has(item))])
  }
  return bitxor(number(a, ...at), number(b, ...at), ...at)
}
export function merged(a: FormulaDict, b: FormulaDict): FormulaDict {
  const made = new FormulaDict()
  for (const dict of [a, b]) for (const entry of dict.entries.values()) made.set(entry.key, entry.value)
  return made
}

export function truth(value: unknown): boolean {
  if (typeof value === 'boolean') return value
  if (typeof value === 'number') return value !== 0
  if (typeof value === 'bigint') return value !== 0n
  if (typeof value === 'string') return value !== ''
  if (value === null || value === undefined) return false
  if (Array.isArray(value) || value instanceof FormulaRange) return value.length > 0
  if (value instanceof Tuple) return value.items.length > 0
  if (value instanceof FormulaSet || value instanceof FormulaDict) return value.size > 0
  return true
}

/** ==, by value for everything but entities. */
export function eq(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (isNumeric(a) && isNumeric(b)) return Number(a) === Number(b)
  if (areExact(a, b)) return eqExact(a, b)
  if (Array.isArray(a)) return Array.isArray(b) && sameItems(a, b)
  if (a instanceof Tuple) return b instanceof Tuple && sameItems(a.items, b.items)
  if (a instanceof FormulaDate) return b instanceof FormulaDate && a.ms === b.ms
  if (a instanceof FormulaSet) return b instanceof FormulaSet && a.size === b.size && a.items().every(item => b.has(item))
  if (a instanceof FormulaDict) {
    if (!(b instanceof FormulaDict) || a.size !== b.size) return false
    for (const entry of a.entries.values()) if (!b.has(entry.key) || !eq(entry.value, b.get(entry.key))) return false
    return true
  }
  if (a instanceof FormulaRange) return b instanceof FormulaRange && sameRange(a, b)
  return false
}

function sameRange(a: FormulaRange, b: FormulaRange): boolean {
  if (a.length !== b.length) return false
  return a.length === 0 || (a.start === b.start && (a.length === 1 || a.step === b.step))
}

function sameItems(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((item, i) => eq(item, b[i]))
}

/** Negative, zero or positive; RunError when the values have no order. */
export function compare(a: unknown, b: unknown, from: number, to: number): number {
  if (isNumeric(a) && isNumeric(b)) return Number(a) < Number(b) ? -1 : Number(a) > Number(b) ? 1 : 0
  if (areExact(a, b)) return (a as bigint) < (b as bigint) ? -1 : (a as bigint) > (b as bigint) ? 1 : 0
  if (typeof a === 'string' && typeof b === 'string') return compareText(a, b)
  if (a instanceof FormulaDate && b instanceof FormulaDate) return a.ms - b.ms
  const left = a instanceof Tuple && b instanceof Tuple ? a.items : Array.isArray(a) && Array.isArray(b) ? a : null
  const right = b instanceof Tuple ? b.items : Array.isArray(b) ? b : null
  if (left && right) {
    for (let i = 0; i < Math.min(left.length, right.length); i++) {
      if (!eq(left[i], right[i])) return compare(left[i], right[i], from, to)
    }
    return left.length - right.length
  }
  return undefinedFor(a, b, from, to)
}

/** By code points, as Python orders text. */
export function compareText(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) {
    let x = a.charCodeAt(i)
    let y = b.charCodeAt(i)
    if (x === y) continue
    // Surrogates represent code points above all other units.
    if (x >= 0xd800 && y >= 0xd800) {
      x = x >= 0xe000 ? x - 0x800 : x + 0x2000
      y = y >= 0xe000 ? y - 0x800 : y + 0x2000
    }
    return x - y
  }
  return a.length - b.length
}

export function lt(a: unknown, b: unknown, ...at: At): boolean {
  if (a instanceof FormulaSet && b instanceof FormulaSet) return a.size < b.size && a.items().every(item => b.has(item))
  return compare(a, b, ...at) < 0
}
export function le(a: unknown, b: unknown, ...at: At): boolean {
  if (a instanceof FormulaSet && b instanceof FormulaSet) return a.items().every(item => b.has(item))
  return compare(a, b, ...at) <= 0
}

export const gt = (a: unknown, b: unknown, ...at: At): boolean => lt(b, a, ...at)
export const ge = (a: unknown, b: unknown, ...at: At): boolean => le(b, a, ...at)

/** `item in whole`. */
export function within(item: unknown, whole: unknown, from: number, to: number): boolean {
  if (typeof whole === 'string') return whole.includes(text(item, from, to))
  if (Array.isArray(whole)) return whole.some(other => eq(other, item))
  if (whole instanceof Tuple) return whole.items.some(other => eq(other, item))
  if (whole instanceof FormulaSet || whole instanceof FormulaDict) return whole.has(item, from, to)
  if (whole instanceof FormulaRange) return typeof item === 'number' && whole.has(item)
  return fail(10010, whole, from, to)
}

/** The items of anything that can be iterated, as an array to read. */
export function items(value: unknown, from: number, to: number): readonly unknown[] {
  if (Array.isArray(value)) return value
  if (value instanceof Tuple) return value.items
  if (typeof value === 'string') return [...value]
  if (value instanceof FormulaSet) return value.items()
  if (value instanceof FormulaDict) return value.keys()
  if (value instanceof FormulaRange) return rangeItems(value, from, to)
  return fail(10010, value, from, to)
}

export function rangeItems(value: FormulaRange, from: number, to: number): number[] {
  if (value.length > maxSequenceLength) throw new RunError(10034, [], from, to)
  return Array.from({ length: value.length }, (_, i) => value.start + i * value.step)
}

/** Position `index` of a sequence of `length`, counted from the end when negative. */
export function position(index: number, length: number, from: number, to: number): number {
  if (index >= 0 && index < length && Number.isInteger(index)) return index
  if (!Number.isInteger(index)) throw new RunError(10023, [], from, to)
  const place = index + length
  if (place < 0 || place >= length) throw new RunError(10022, [], from, to)
  return place
}

export function at<T>(sequence: readonly T[], index: number, from: number, to: number): T {
  return sequence[position(index, sequence.length, from, to)]!
}
export function charAt(value: string, index: number, from: number, to: number): string {
  const characters = [...value]
  return at(characters, index, from, to)
}
export function lookup(from_: FormulaDict, key: unknown, from: number, to: number): unknown {
  const found = from_.get(key, from, to)
  if (found === undefined) throw new RunError(10024, [], from, to)
  return found
}
/** `whole[index]`. */
export function index(whole: unknown, key: unknown, from: number, to: number): unknown {
  if (whole instanceof FormulaDict) return lookup(whole, key, from, to)
  if (Array.isArray(whole)) return at(whole, number(key, from, to), from, to)
  if (whole instanceof Tuple) return at(whole.items, number(key, from, to), from, to)
  if (typeof whole === 'string') return charAt(whole, number(key, from, to), from, to)
  if (whole instanceof FormulaRange) return whole.start + whole.step * position(number(key, from, to), whole.length, from, to)
  return fail(10010, whole, from, to)
}
export function setItem(whole: unknown, key: unknown, value: unknown, from: number, to: number): void {
  if (whole instanceof FormulaDict) whole.set(key, value, from, to)
  else {
    const target = list(whole, from, to)
    target[position(number(key, from, to), target.length, from, to)] = value
  }
}
export function deleteItem(whole: unknown, key: unknown, from: number, to: number): void {
  if (whole instanceof FormulaDict) {
    if (!whole.delete(key, from, to)) throw new RunError(10024, [], from, to)
  } else {
    const target = list(whole, from, to)
    target.splice(position(number(key, from, to), target.length, from, to), 1)
  }
}

/** `whole[start:stop:step]`; null = left out. */
export function slice(whole: unknown, start: number | null, stop: number | null, step: number | null, from: number, to: number): unknown {
  if (typeof whole === 'string') {
    if (isAscii(whole) && (step === null || step === 1)) {
      const [low, high] = bounds(start, stop, 1, whole.length, from, to)
      return whole.slice(low, Math.max(low, high))
    }
    return picked([...whole], start, stop, step, from, to).join('')
  }
  if (Array.isArray(whole)) return picked(whole, start, stop, step, from, to)
  if (whole instanceof Tuple) return new Tuple(picked(whole.items, start, stop, step, from, to))
  if (whole instanceof FormulaRange) return picked(rangeItems(whole, from, to), start, stop, step, from, to)
  return fail(10010, whole, from, to)
}

const isAscii = (value: string): boolean => !/[^\0-\x7f]/.test(value)

function picked<T>(sequence: readonly T[], start: number | null, stop: number | null, step: number | null, from: number, to: number): T[] {
  const stride = step ?? 1
  if (stride === 0) throw new RunError(10032, [], from, to)
  const [first, last] = bounds(start, stop, whole(stride, from, to), sequence.length, from, to)
  const made: T[] = []
  for (let i = first; stride > 0 ? i < last : i > last; i += stride) made.push(sequence[i]!)
  return made
}

function bounds(start: number | null, stop: number | null, step: number, length: number, from: number, to: number): [number, number] {
  const low = step > 0 ? 0 : -1
  const high = step > 0 ? length : length - 1
  const clip = (place: number): number => {
    const counted = whole(place, from, to) < 0 ? place + length : place
    return Math.min(Math.max(counted, low), high)
  }
  const first = start === null ? (step > 0 ? low : high) : clip(start)
  const last = stop === null ? (step > 0 ? high : low) : clip(stop)
  return [first, last]
}

/** The `count` items of a value that is taken apart: `a, b = value`. */
export function unpack(value: unknown, count: number, from: number, to: number): readonly unknown[] {
  const found = items(value, from, to)
  if (found.length !== count) throw new RunError(10027, [], from, to)
  return found
}

export function makeRange(start: number, stop: number, step: number, from: number, to: number): FormulaRange {
  if (step === 0) throw new RunError(10032, [], from, to)
  return new FormulaRange(whole(start, from, to), whole(stop, from, to), whole(step, from, to))
}
/** A dict's key: neither None nor ''. Used by displays and comprehensions. */
export function makeDict(flat: readonly unknown[], from: number, to: number): FormulaDict {
  const made = new FormulaDict()
  for (let i = 0; i < flat.length; i += 2) made.set(flat[i], flat[i + 1], from, to)
  return made
}
export function makeSet(values: readonly unknown[], from: number, to: number): FormulaSet {
  return FormulaSet.of(values, from, to)
}
export function makeTuple(values: readonly unknown[]): Tuple {
  return new Tuple(values)
}
