// Values of the language that JavaScript doesn't have: tuples, sets and dicts by value, ranges, dates, entity references.
// Sets and dicts keep the order of insertion, so that iterating them is the same everywhere.
import { RunError } from '../../problems.ts'

/** What the formula language needs to know of a population: the element's id and the name people see. */
export type Population = { readonly id: string; readonly name: string }

/** An entity as a value of unknown population. Interned by the world: equal entities are the same object. */
export class Ref {
  readonly population: Population
  readonly handle: number
  constructor(population: Population, handle: number) {
    this.population = population
    this.handle = handle
  }
}

/** Immutable sequence. `items` is never written after construction. */
export class Tuple {
  readonly items: readonly unknown[]
  constructor(items: readonly unknown[]) {
    this.items = items
  }
}

/** A point of the model calendar: milliseconds since 1970-01-01T00:00, without time zones. */
export class FormulaDate {
  readonly ms: number
  constructor(ms: number) {
    this.ms = ms
  }
}

/** Whole numbers start, start + step, ... before stop. `step` is not 0. */
export class FormulaRange {
  readonly start: number
  readonly stop: number
  readonly step: number
  constructor(start: number, stop: number, step: number) {
    this.start = start
    this.stop = stop
    this.step = step
  }
  get length(): number {
    return Math.max(0, Math.ceil((this.stop - this.start) / this.step))
  }
  has(value: number): boolean {
    const steps = (value - this.start) / this.step
    return Number.isInteger(steps) && steps >= 0 && steps < this.length
  }
}

/** What equal values have in common: the key of a Map. Strings that begin with NUL are kept apart from tuples. */
type Key = number | string | null | Ref

export function keyOf(value: unknown, from: number, to: number): Key {
  if (typeof value === 'number') return value === 0 ? 0 : value
  if (typeof value === 'bigint') return isSafe(value) ? Number(value) : `\0i${value}`
  if (typeof value === 'string') return value.startsWith('\0') ? `\0s${value}` : value
  if (typeof value === 'boolean') return value ? 1 : 0
  if (value === null || value instanceof Ref) return value
  if (value instanceof Tuple) return `\0t${value.items.map(item => part(keyOf(item, from, to))).join(',')}`
  if (value instanceof FormulaDate) return `\0d${value.ms}`
  throw new RunError(10030, [], from, to)
}

/** Whether a number holds it exactly. */
const isSafe = (value: bigint): boolean => value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER

const part = (key: Key): string => (key instanceof Ref ? `${key.population.id}#${key.handle}` : JSON.stringify(key))

/** Most items of a set or dict. */
const maxItems = 2_000_000

export class FormulaSet {
  readonly entries = new Map<Key, unknown>()
  get size(): number {
    return this.entries.size
  }
  add(value: unknown, from = 0, to = 0): void {
    const key = keyOf(value, from, to)
    if (this.entries.has(key)) return
    if (this.entries.size >= maxItems) throw new RunError(10034, [], from, to)
    this.entries.set(key, value)
  }
  has(value: unknown, from = 0, to = 0): boolean {
    return this.entries.has(keyOf(value, from, to))
  }
  delete(value: unknown, from = 0, to = 0): boolean {
    return this.entries.delete(keyOf(value, from, to))
  }
  items(): unknown[] {
    return [...this.entries.values()]
  }
  static of(items: Iterable<unknown>, from = 0, to = 0): FormulaSet {
    const made = new FormulaSet()
    for (const item of items) made.add(item, from, to)
    return made
  }
}

type Entry = { readonly key: unknown; value: unknown }

export class FormulaDict {
  readonly entries = new Map<Key, Entry>()
  get size(): number {
    return this.entries.size
  }
  /** undefined when there is no such key. */
  get(key: unknown, from = 0, to = 0): unknown {
    return this.entries.get(keyOf(key, from, to))?.value
  }
  /** Throws 10025 for an empty key: None or ''. */
  set(key: unknown, value: unknown, from = 0, to = 0): void {
    if (key === null || key === '') throw new RunError(10025, [], from, to)
    const canonical = keyOf(key, from, to)
    const entry = this.entries.get(canonical)
    if (entry) entry.value = value
    else if (this.entries.size >= maxItems) throw new RunError(10034, [], from, to)
    else this.entries.set(canonical, { key, value })
  }
  has(key: unknown, from = 0, to = 0): boolean {
    return this.entries.has(keyOf(key, from, to))
  }
  delete(key: unknown, from = 0, to = 0): boolean {
    return this.entries.delete(keyOf(key, from, to))
  }
  keys(): unknown[] {
    return Array.from(this.entries.values(), entry => entry.key)
  }
  values(): unknown[] {
    return Array.from(this.entries.values(), entry => entry.value)
  }
  items(): Tuple[] {
    return Array.from(this.entries.values(), entry => new Tuple([entry.key, entry.value]))
  }
}

/** The kind of a value, in the words of messages. */
export function kindOf(value: unknown): string {
  if (value === null || value === undefined) return 'None'
  if (typeof value === 'boolean') return 'bool'
  if (typeof value === 'number') return 'number'
  if (typeof value === 'bigint') return 'integer'
  if (typeof value === 'string') return 'text'
  if (Array.isArray(value)) return 'list'
  if (value instanceof Tuple) return 'tuple'
  if (value instanceof FormulaSet) return 'set'
  if (value instanceof FormulaDict) return 'dict'
  if (value instanceof FormulaRange) return 'range'
  if (value instanceof FormulaDate) return 'date'
  return 'entity'
}
