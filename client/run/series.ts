// The recorded data of a chart: one x column and one column per series, growing during a run. Memory is bounded: rows are in groups of two;
// past `capacity` rows every two groups become one, keeping the minimum and the maximum of every series in their order, so that peaks never
// vanish and old and new are drawn equally fine. A group's rows have the x of its first and last member; an extreme may thus move within
// its group.
import type { Plain, Series } from '../../sim-engine/messages.ts'

const firstRows = 1024

type Column = Float64Array<ArrayBuffer>

export class SeriesBuffer {
  /** Grows by one with every change: cheap to compare. */
  version = 0
  /** Newest whole values of charts that keep no history (histogram, table, pie, value). */
  latest: readonly Plain[] = []
  readonly capacity: number
  #x: Column
  #columns: Column[]
  /** Rows of closed groups, then up to three of the open one. */
  #closed = 0
  #length = 0
  #received = 0
  /** Rows received per group. */
  #span = 2
  #open: OpenGroup

  constructor(columns: number, capacity = 100_000) {
    if (!(capacity >= 16)) throw new RangeError(`series: capacity ${capacity} is below 16`)
    this.capacity = capacity
    this.#x = new Float64Array(Math.min(firstRows, capacity))
    this.#columns = Array.from({ length: columns }, () => new Float64Array(this.#x.length))
    this.#open = new OpenGroup(columns)
  }

  /** Rows kept. */
  get length(): number {
    return this.#length
  }

  /** Rows ever taken, thinned ones included. */
  get received(): number {
    return this.#received
  }

  get columns(): number {
    return this.#columns.length
  }

  /** A view of the kept rows; valid until the next change. */
  get x(): Column {
    return this.#x.subarray(0, this.#length)
  }

  column(series: number): Column {
    const column = this.#columns[series]
    if (!column) throw new RangeError(`series: no column ${series} of ${this.#columns.length}`)
    return column.subarray(0, this.#length)
  }

  clear(): void {
    this.#closed = this.#length = this.#received = 0
    this.#span = 2
    this.#open.count = 0
    this.latest = []
    this.version++
  }

  /** Takes what came with a frame. Rows starting again at 0 replace all earlier ones. */
  take(series: Series): void {
    if ('latest' in series) {
      this.latest = series.latest
      this.version++
      return
    }
    if (series.from === 0 && this.#received > 0) this.clear()
    this.append(series.x, series.columns)
  }

  append(x: Float64Array, columns: readonly Float64Array[]): void {
    for (let row = 0; row < x.length; row++) {
      if (this.#closed + 3 > this.capacity) this.#merge()
      this.#open.add(x[row] ?? NaN, columns, row)
      if (this.#open.count === this.#span) this.#close()
    }
    this.#received += x.length
    this.#length = this.#closed + this.#write(this.#open, this.#closed)
    this.version++
  }

  #close(): void {
    this.#write(this.#open, this.#closed)
    this.#closed += 2
    this.#open.count = 0
  }

  /** Writes a group's rows at `at` and returns how many: its extremes, and for a part of a group also its newest row. */
  #write(group: OpenGroup, at: number): number {
    const rows = group.count < 3 ? group.count : group.count === this.#span ? 2 : 3
    this.#reserve(at + rows)
    if (rows > 0) this.#x[at] = group.firstX
    if (rows > 1) this.#x[at + 1] = group.lastX
    if (rows > 2) this.#x[at + 2] = group.lastX
    for (const [series, column] of this.#columns.entries()) {
      if (rows === 1) column[at] = group.newest[series] ?? NaN
      else if (rows > 1) group.write(series, column, at)
      if (rows > 2) column[at + 2] = group.newest[series] ?? NaN
    }
    return rows
  }

  #reserve(rows: number): void {
    if (rows <= this.#x.length) return
    const size = Math.min(this.capacity, Math.max(rows, this.#x.length * 2))
    const grown = (old: Column): Column => {
      const column = new Float64Array(size)
      column.set(old.subarray(0, this.#closed))
      return column
    }
    this.#x = grown(this.#x)
    this.#columns = this.#columns.map(grown)
  }

  /** Two groups become one. An odd last group goes back to the open one. */
  #merge(): void {
    const whole = this.#closed - (this.#closed % 4)
    const odd = this.#closed > whole
    for (const column of this.#columns) {
      for (let from = 0, to = 0; from < whole; from += 4, to += 2) mergeGroups(column, from, to)
    }
    for (let from = 0, to = 0; from < whole; from += 4, to += 2) {
      const last = this.#x[from + 3] ?? NaN
      this.#x[to] = this.#x[from] ?? NaN
      this.#x[to + 1] = last
    }
    if (odd) this.#open.reopen(this.#x, this.#columns, whole, this.#span)
    this.#closed = whole / 2
    this.#span *= 2
  }
}

/** The rows received since the last whole group. */
class OpenGroup {
  count = 0
  firstX = NaN
  lastX = NaN
  readonly newest: Float64Array
  readonly #first: Float64Array
  readonly #low: Float64Array
  readonly #high: Float64Array
  /** Whether the least value came before the greatest. */
  readonly #rising: Uint8Array

  constructor(columns: number) {
    this.newest = new Float64Array(columns)
    this.#first = new Float64Array(columns)
    this.#low = new Float64Array(columns)
    this.#high = new Float64Array(columns)
    this.#rising = new Uint8Array(columns)
  }

  add(x: number, columns: readonly Float64Array[], row: number): void {
    if (this.count === 0) {
      this.firstX = x
      this.#low.fill(NaN)
      this.#high.fill(NaN)
    }
    this.lastX = x
    this.count++
    for (let series = 0; series < this.newest.length; series++) {
      const value = columns[series]?.[row] ?? NaN
      this.newest[series] = value
      if (this.count === 1) this.#first[series] = value
      if (Number.isNaN(value)) continue
      const first = Number.isNaN(this.#low[series] ?? NaN)
      if (first || value < (this.#low[series] ?? NaN)) {
        this.#low[series] = value
        this.#rising[series] = first ? 1 : 0
      }
      if (first || value > (this.#high[series] ?? NaN)) {
        this.#high[series] = value
        this.#rising[series] = 1
      }
    }
  }

  /** The group's two rows: as received when there are no more than two, else its extremes. */
  write(series: number, column: Float64Array, at: number): void {
    if (this.count === 2) {
      column[at] = this.#first[series] ?? NaN
      column[at + 1] = this.newest[series] ?? NaN
      return
    }
    const low = this.#low[series] ?? NaN
    const high = this.#high[series] ?? NaN
    const rising = this.#rising[series] === 1
    column[at] = rising ? low : high
    column[at + 1] = rising ? high : low
  }

  /** Takes back the closed group of `count` rows at `at`. */
  reopen(x: Float64Array, columns: readonly Float64Array[], at: number, count: number): void {
    this.count = 0
    this.add(x[at] ?? NaN, columns, at)
    this.add(x[at + 1] ?? NaN, columns, at + 1)
    this.count = count
  }
}

/** Writes the extremes of the four values at `from` to `to`, in the order they came; NaN (a gap) only where all are. */
function mergeGroups(column: Float64Array, from: number, to: number): void {
  let low = NaN
  let high = NaN
  let lowAt = 0
  let highAt = 0
  for (let i = 0; i < 4; i++) {
    const value = column[from + i] ?? NaN
    if (Number.isNaN(value)) continue
    if (!(low <= value)) [low, lowAt] = [value, i]
    if (!(high >= value)) [high, highAt] = [value, i]
  }
  column[to] = lowAt <= highAt ? low : high
  column[to + 1] = lowAt <= highAt ? high : low
}
