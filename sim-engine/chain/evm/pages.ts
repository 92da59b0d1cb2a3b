// Immutable storage of an account, in pages: a change makes new pages of those that it is in and shares the others, so that snapshots of a large
// storage cost what was changed. Which page a key is on, and its place there, follow from the keys alone: the same storage has the same pages,
// whatever its history.
import { fromBytes, writeWord } from './word.ts'

const wordBytes = 32
const rowBytes = 2 * wordBytes
/** Rows of a page on average, at most; there are a power of two of pages. */
const rowsOfPage = 32

const noPage = new Uint8Array(0)

const keyAt = (page: Uint8Array, row: number): bigint => fromBytes(page.subarray(row * rowBytes, row * rowBytes + wordBytes))
const valueAt = (page: Uint8Array, row: number): bigint => fromBytes(page.subarray(row * rowBytes + wordBytes, (row + 1) * rowBytes))

function pageOf(rows: readonly (readonly [bigint, bigint])[]): Uint8Array {
  if (rows.length === 0) return noPage
  const page = new Uint8Array(rows.length * rowBytes)
  const view = new DataView(page.buffer)
  for (const [k, [key, value]] of rows.entries()) {
    writeWord(view, k * rowBytes, key)
    writeWord(view, k * rowBytes + wordBytes, value)
  }
  return page
}

function pagesFor(count: number): number {
  let pages = 1
  while (pages * rowsOfPage < count) pages *= 2
  return pages
}
const ascending = ([a]: readonly [bigint, unknown], [b]: readonly [bigint, unknown]): number => (a < b ? -1 : a > b ? 1 : 0)

/** The row of a key, or the one before which it would be inserted. */
function rowOf(page: Uint8Array, key: bigint): number {
  let low = 0
  let high = page.length / rowBytes
  while (low < high) {
    const middle = (low + high) >> 1
    if (keyAt(page, middle) < key) low = middle + 1
    else high = middle
  }
  return low
}

const isAt = (page: Uint8Array, row: number, key: bigint): boolean => row * rowBytes < page.length && keyAt(page, row) === key

/** A page with some slots changed: rows between them are copied as they are. */
function changedPage(page: Uint8Array, changes: readonly (readonly [bigint, bigint | undefined])[]): Uint8Array {
  const parts: Uint8Array[] = []
  let copied = 0
  for (const [key, value] of [...changes].sort(ascending)) {
    const row = rowOf(page, key)
    parts.push(page.subarray(copied * rowBytes, row * rowBytes))
    if (value !== undefined) parts.push(pageOf([[key, value]]))
    copied = isAt(page, row, key) ? row + 1 : row
  }
  parts.push(page.subarray(copied * rowBytes))
  const made = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    made.set(part, at)
    at += part.length
  }
  return made
}

/** The rows of a page with keys that have a bit, or do not have it. */
function half(page: Uint8Array, bit: number, has: boolean): Uint8Array {
  const byte = wordBytes - 1 - (bit >> 3)
  const mask = 1 << (bit & 7)
  const made = new Uint8Array(page.length)
  let at = 0
  for (let from = 0; from < page.length; from += rowBytes) {
    if (((page[from + byte]! & mask) !== 0) !== has) continue
    made.set(page.subarray(from, from + rowBytes), at)
    at += rowBytes
  }
  return made.slice(0, at)
}

export class Pages {
  /** Keys and values, one behind the other, in the order of the keys. A key is on the page that its lowest bits say. */
  readonly pages: readonly Uint8Array[]
  readonly count: number

  constructor(pages: readonly Uint8Array[]) {
    this.pages = pages
    this.count = pages.reduce((sum, page) => sum + page.length / rowBytes, 0)
  }

  static #of(rows: readonly (readonly [bigint, bigint])[]): Pages {
    const byPage: (readonly [bigint, bigint])[][] = Array.from({ length: pagesFor(rows.length) }, () => [])
    const last = BigInt(byPage.length - 1)
    for (const row of rows) byPage[Number(row[0] & last)]!.push(row)
    return new Pages(byPage.map(of => pageOf(of.sort(ascending))))
  }

  #pageOf(key: bigint): number {
    return Number(key & BigInt(this.pages.length - 1))
  }

  get(key: bigint): bigint | undefined {
    if (this.count === 0) return undefined
    const page = this.pages[this.#pageOf(key)]!
    const row = rowOf(page, key)
    return isAt(page, row, key) ? valueAt(page, row) : undefined
  }

  /** These with some slots changed; undefined takes a slot out. */
  with(changes: ReadonlyMap<bigint, bigint | undefined>): Pages {
    if (this.count === 0) return Pages.#of([...changes].filter((row): row is [bigint, bigint] => row[1] !== undefined))
    const pages = [...this.pages]
    for (const [at, changed] of Map.groupBy(changes, ([key]) => this.#pageOf(key))) pages[at] = changedPage(pages[at]!, changed)
    const made = new Pages(pages)
    const wanted = pagesFor(made.count)
    return wanted > pages.length ? made.#split(wanted) : wanted < pages.length ? Pages.#of([...made.rows()]) : made
  }

  /** The same rows on twice as many pages, again and again until there are as many as wanted: each page is parted by one more bit. */
  #split(wanted: number): Pages {
    let { pages } = this
    for (let bit = 31 - Math.clz32(pages.length); pages.length < wanted; bit++)
      pages = [...pages.map(page => half(page, bit, false)), ...pages.map(page => half(page, bit, true))]
    return new Pages(pages)
  }

  *rows(): Generator<[bigint, bigint]> {
    for (const page of this.pages) for (let row = 0; row * rowBytes < page.length; row++) yield [keyAt(page, row), valueAt(page, row)]
  }
}

export const noPages = new Pages([noPage])
