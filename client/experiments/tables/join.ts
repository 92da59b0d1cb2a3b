// Joins of two tables by one field each, as pairs of row numbers: no value is copied before it is looked at.
import { mostRows, TableError, type TableColumn } from './table.ts'

export type JoinKind = 'inner' | 'left' | 'right' | 'full'

/** Rows of the result: those of the main table, each with that of the related one, -1 where there is none. */
type Pairs = { readonly main: Int32Array; readonly related: Int32Array }

/** Values of a column seen through row numbers: -1 is a row that has none. */
export type ColumnView = { readonly column: TableColumn; readonly rows: Int32Array | null; readonly length: number }

/**
 * In the order of the main table, then of the related one; what only the related one has comes last. Nothing is equal to a value that is missing.
 * Throws `too-large` when there would be too many rows.
 */
export function join(how: JoinKind, main: ColumnView, related: ColumnView): Pairs {
  const [mainKeys, relatedKeys, count] = keysOf(main, related)
  // Rows of the related table by their key, in their order: a chain for each key.
  const first = new Int32Array(count).fill(-1)
  const next = new Int32Array(related.length)
  for (let row = related.length - 1; row >= 0; row--) {
    const key = relatedKeys[row]!
    if (key < 0) continue
    next[row] = first[key]!
    first[key] = row
  }
  const keepsMain = how === 'left' || how === 'full'
  const keepsRelated = how === 'right' || how === 'full'
  const met = keepsRelated ? new Uint8Array(related.length) : null
  let size = 0
  const each = (pair: (mainRow: number, relatedRow: number) => void): void => {
    for (let row = 0; row < main.length; row++) {
      const key = mainKeys[row]!
      let at = key < 0 ? -1 : first[key]!
      if (at < 0 && keepsMain) pair(row, -1)
      for (; at >= 0; at = next[at]!) pair(row, at)
    }
    if (met) for (let row = 0; row < related.length; row++) if (met[row] === 0) pair(-1, row)
  }
  each((mainRow, relatedRow) => {
    if (met && mainRow >= 0 && relatedRow >= 0) met[relatedRow] = 1
    if (++size > mostRows) throw new TableError('too-large')
  })
  const pairs = { main: new Int32Array(size), related: new Int32Array(size) }
  let row = 0
  each((mainRow, relatedRow) => {
    pairs.main[row] = mainRow
    pairs.related[row++] = relatedRow
  })
  return pairs
}

/** Keys of both sides as small whole numbers, equal where the values are; -1 where a value is missing. */
function keysOf(main: ColumnView, related: ColumnView): [Int32Array, Int32Array, number] {
  if (main.column.kind === 'text' && related.column.kind === 'text') {
    const codes = new Map(related.column.words.map((word, code) => [word, code]))
    const over = main.column.words.map(word => codes.get(word) ?? -1)
    const relatedCodes = codesOf(related, related.column.codes)
    return [
      codesOf(main, main.column.codes).map(code => (code < 0 ? -1 : over[code]!)),
      relatedCodes,
      Math.max(1, related.column.words.length),
    ]
  }
  const numbers = new Numbering(related.length)
  const relatedKeys = keyed(numbersOf(related), value => numbers.add(value))
  const mainKeys = keyed(numbersOf(main), value => numbers.find(value))
  return [mainKeys, relatedKeys, Math.max(1, numbers.size)]
}

const keyed = (values: Float64Array, key: (value: number) => number): Int32Array => {
  const keys = new Int32Array(values.length)
  for (let row = 0; row < values.length; row++) keys[row] = Number.isNaN(values[row]!) ? -1 : key(values[row]!)
  return keys
}

function codesOf({ rows, length }: ColumnView, codes: Int32Array): Int32Array {
  const seen = new Int32Array(length)
  for (let row = 0; row < length; row++) {
    const at = rows === null ? row : rows[row]!
    seen[row] = at < 0 ? -1 : codes[at]!
  }
  return seen
}

/** Texts compared with numbers are read as numbers, where possible. */
function numbersOf({ column, rows, length }: ColumnView): Float64Array {
  const words = column.kind === 'text' ? column.words.map(word => (word.trim() === '' ? NaN : Number(word))) : []
  const seen = new Float64Array(length)
  for (let row = 0; row < length; row++) {
    const at = rows === null ? row : rows[row]!
    seen[row] = at < 0 ? NaN : column.kind === 'number' ? column.data[at]! : (words[column.codes[at]!] ?? NaN)
  }
  return seen
}

/** Numbers different values as they come: a hash table with open addressing, many times faster than a Map of numbers. */
class Numbering {
  size = 0
  readonly #mask: number
  readonly #slots: Int32Array
  readonly #values: Float64Array
  readonly #one = new Float64Array(1)
  readonly #bits = new Uint32Array(this.#one.buffer)

  constructor(most: number) {
    const capacity = 2 ** Math.ceil(Math.log2(Math.max(4, 2 * most)))
    this.#mask = capacity - 1
    this.#slots = new Int32Array(capacity).fill(-1)
    this.#values = new Float64Array(Math.max(1, most))
  }

  add(value: number): number {
    const slot = this.#slotOf(value)
    const known = this.#slots[slot]!
    if (known >= 0) return known
    this.#values[this.size] = value
    return (this.#slots[slot] = this.size++)
  }

  find(value: number): number {
    return this.#slots[this.#slotOf(value)]!
  }

  #slotOf(value: number): number {
    // The two zeros are one.
    this.#one[0] = value + 0
    let hash = Math.imul(this.#bits[0]! ^ Math.imul(this.#bits[1]!, 0x9e3779b1), 0x85ebca6b)
    hash ^= hash >>> 15
    for (let slot = hash & this.#mask; ; slot = (slot + 1) & this.#mask) {
      const known = this.#slots[slot]!
      if (known < 0 || this.#values[known] === value) return slot
    }
  }
}
