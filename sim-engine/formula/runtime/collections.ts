// Functions and methods of lists, dicts, sets and tuples.
import { RunError } from '../../problems.ts'
import { compare, eq, gt, items, maxSequenceLength, lt, number, position, text } from './operators.ts'
import { FormulaDict, FormulaSet, Tuple } from './values.ts'

export const copied = (values: ArrayLike<unknown>): unknown[] => Array.from(values)

export function len(value: unknown, from: number, to: number): number {
  if (typeof value === 'string') return [...value].length
  if (value instanceof FormulaSet || value instanceof FormulaDict) return value.size
  return items(value, from, to).length
}
/** Numbers of a list with elements of any type. */
export function numbers(values: readonly unknown[], from: number, to: number): number[] {
  return values.map(value => number(value, from, to))
}
export function sum(values: readonly number[], start: number): number {
  let total = start
  for (let i = 0; i < values.length; i++) total += values[i]!
  return total
}
export function any(values: readonly unknown[]): boolean {
  return values.some(truthOf)
}
export function all(values: readonly unknown[]): boolean {
  return values.every(truthOf)
}
const truthOf = (value: unknown): boolean => {
  if (typeof value === 'boolean') return value
  if (value === null) return false
  if (typeof value === 'number') return value !== 0
  if (typeof value === 'string' || Array.isArray(value)) return value.length > 0
  if (value instanceof FormulaSet || value instanceof FormulaDict) return value.size > 0
  return !(value instanceof Tuple) || value.items.length > 0
}

export function empty(from: number, to: number): never {
  throw new RunError(10026, [], from, to)
}
export function minNumber(values: readonly number[], fallback: unknown, from: number, to: number): unknown {
  if (values.length === 0) return fallback === undefined ? empty(from, to) : fallback
  let best = values[0]!
  for (let i = 1; i < values.length; i++) if (values[i]! < best) best = values[i]!
  return best
}
export function maxNumber(values: readonly number[], fallback: unknown, from: number, to: number): unknown {
  if (values.length === 0) return fallback === undefined ? empty(from, to) : fallback
  let best = values[0]!
  for (let i = 1; i < values.length; i++) if (values[i]! > best) best = values[i]!
  return best
}
export function min(values: readonly unknown[], fallback: unknown, from: number, to: number): unknown {
  if (values.length === 0) return fallback === undefined ? empty(from, to) : fallback
  return values.reduce((best, value) => (lt(value, best, from, to) ? value : best))
}
export function max(values: readonly unknown[], fallback: unknown, from: number, to: number): unknown {
  if (values.length === 0) return fallback === undefined ? empty(from, to) : fallback
  return values.reduce((best, value) => (gt(value, best, from, to) ? value : best))
}

/** Ascending by keys (or by the values themselves), stable also in reverse. */
export function sorted(values: readonly unknown[], keys: readonly unknown[] | null, reverse: boolean, from: number, to: number): unknown[] {
  const by = keys ?? values
  const order = Array.from(by, (_, i) => i)
  order.sort((i, j) => (reverse ? compare(by[j], by[i], from, to) : compare(by[i], by[j], from, to)) || i - j)
  return order.map(i => values[i])
}
export function reversed(values: readonly unknown[]): unknown[] {
  return values.toReversed()
}
export function enumerate(values: readonly unknown[], start: number): Tuple[] {
  return values.map((value, i) => new Tuple([start + i, value]))
}
export function zip(lists: readonly (readonly unknown[])[]): Tuple[] {
  const length = Math.min(...lists.map(list => list.length))
  return Array.from({ length }, (_, i) => new Tuple(lists.map(list => list[i])))
}
export function toDict(value: unknown, from: number, to: number): FormulaDict {
  const made = new FormulaDict()
  if (value instanceof FormulaDict) for (const entry of value.entries.values()) made.set(entry.key, entry.value, from, to)
  else {
    for (const pair of items(value, from, to)) {
      const parts = items(pair, from, to)
      if (parts.length !== 2) throw new RunError(10027, [], from, to)
      made.set(parts[0], parts[1], from, to)
    }
  }
  return made
}
export function nested(lists: readonly (readonly unknown[])[]): unknown[][] {
  return lists.map(list => [...list])
}

// Methods of lists

export function list_append(list: unknown[], item: unknown, from: number, to: number): null {
  if (list.length >= maxSequenceLength) throw new RunError(10034, [], from, to)
  list.push(item)
  return null
}
export function list_extend(list: unknown[], more: readonly unknown[], from: number, to: number): null {
  if (list.length + more.length > maxSequenceLength) throw new RunError(10034, [], from, to)
  // The length is read once: a list may be extended by itself.
  const { length } = more
  for (let i = 0; i < length; i++) list.push(more[i])
  return null
}
export function list_insert(list: unknown[], index: number, item: unknown, from: number, to: number): null {
  if (!Number.isInteger(index)) throw new RunError(10023, [], from, to)
  list.splice(index, 0, item)
  return null
}
export function list_pop(list: unknown[], index: number, from: number, to: number): unknown {
  if (list.length === 0) empty(from, to)
  if (index === -1) return list.pop()
  return list.splice(position(index, list.length, from, to), 1)[0]
}
export function list_remove(list: unknown[], item: unknown, from: number, to: number): null {
  list.splice(list_index(list, item, from, to), 1)
  return null
}
export function list_clear(list: unknown[]): null {
  list.length = 0
  return null
}
export function list_sort(list: unknown[], keys: readonly unknown[] | null, reverse: boolean, from: number, to: number): null {
  const order = sorted(list, keys, reverse, from, to)
  for (let i = 0; i < order.length; i++) list[i] = order[i]
  return null
}
export function list_reverse(list: unknown[]): null {
  list.reverse()
  return null
}
export function list_index(list: readonly unknown[], item: unknown, from: number, to: number): number {
  const found = list.findIndex(other => eq(other, item))
  if (found < 0) throw new RunError(10024, [], from, to)
  return found
}
export function list_count(list: readonly unknown[], item: unknown): number {
  let n = 0
  for (const other of list) if (eq(other, item)) n++
  return n
}
export const list_copy = (list: readonly unknown[]): unknown[] => [...list]
export const tuple_index = (tuple: Tuple, item: unknown, from: number, to: number): number => list_index(tuple.items, item, from, to)
export const tuple_count = (tuple: Tuple, item: unknown): number => list_count(tuple.items, item)

// Methods of dicts

export function dict_get(dict: FormulaDict, key: unknown, fallback: unknown, from: number, to: number): unknown {
  const found = dict.get(key, from, to)
  return found === undefined ? fallback : found
}
export const dict_keys = (dict: FormulaDict): unknown[] => dict.keys()
export const dict_values = (dict: FormulaDict): unknown[] => dict.values()
export const dict_items = (dict: FormulaDict): unknown[] => dict.items()
export const dict_copy = (dict: FormulaDict, from: number, to: number): FormulaDict => toDict(dict, from, to)
export function dict_pop(dict: FormulaDict, key: unknown, fallback: unknown, from: number, to: number): unknown {
  const found = dict.get(key, from, to)
  dict.delete(key, from, to)
  return found === undefined ? fallback : found
}
/** pop without a default: the key must be there. */
export function dict_take(dict: FormulaDict, key: unknown, from: number, to: number): unknown {
  const found = dict.get(key, from, to)
  if (found === undefined) throw new RunError(10024, [], from, to)
  dict.delete(key, from, to)
  return found
}
export function dict_setdefault(dict: FormulaDict, key: unknown, value: unknown, from: number, to: number): unknown {
  const found = dict.get(key, from, to)
  if (found !== undefined) return found
  dict.set(key, value, from, to)
  return value
}
export function dict_update(dict: FormulaDict, other: FormulaDict, from: number, to: number): null {
  // A dict may be updated by itself: setting existing keys adds no entries.
  for (const entry of other.entries.values()) dict.set(entry.key, entry.value, from, to)
  return null
}
export function dict_clear(dict: FormulaDict): null {
  dict.entries.clear()
  return null
}

// Methods of sets

export function set_add(set: FormulaSet, item: unknown, from: number, to: number): null {
  set.add(item, from, to)
  return null
}
export function set_remove(set: FormulaSet, item: unknown, from: number, to: number): null {
  if (!set.delete(item, from, to)) throw new RunError(10024, [], from, to)
  return null
}
export function set_discard(set: FormulaSet, item: unknown, from: number, to: number): null {
  set.delete(item, from, to)
  return null
}
export function set_update(set: FormulaSet, more: readonly unknown[], from: number, to: number): null {
  for (const item of more) set.add(item, from, to)
  return null
}
export function set_clear(set: FormulaSet): null {
  set.entries.clear()
  return null
}
export const set_union = (set: FormulaSet, other: readonly unknown[], from: number, to: number): FormulaSet =>
  FormulaSet.of([...set.items(), ...other], from, to)
export function set_intersection(set: FormulaSet, other: readonly unknown[], from: number, to: number): FormulaSet {
  const both = FormulaSet.of(other, from, to)
  return FormulaSet.of(set.items().filter(item => both.has(item)))
}
export function set_difference(set: FormulaSet, other: readonly unknown[], from: number, to: number): FormulaSet {
  const without = FormulaSet.of(other, from, to)
  return FormulaSet.of(set.items().filter(item => !without.has(item)))
}
export function set_issubset(set: FormulaSet, other: readonly unknown[], from: number, to: number): boolean {
  const whole = FormulaSet.of(other, from, to)
  return set.items().every(item => whole.has(item))
}
export const set_issuperset = (set: FormulaSet, other: readonly unknown[], from: number, to: number): boolean =>
  other.every(item => set.has(item, from, to))
export const set_copy = (set: FormulaSet): FormulaSet => FormulaSet.of(set.items())

/** A text joined from items; 10009 when one is no text. */
export const text_join = (separator: string, parts: readonly unknown[], from: number, to: number): string =>
  parts.map(part => text(part, from, to)).join(separator)
