// Where the measured values of runs are held: one column of numbers a measure. In memory here; in files where there are too many (column-file.ts).

export type ColumnStore = {
  /** Makes room for runs 0 .. rows - 1. */
  reach(rows: number): void
  get(measure: number, run: number): number
  /** The values of one run, one a measure; what is missing is NaN. */
  set(run: number, values: readonly number[]): void
  /** Values of runs that follow each other, where they are in memory one after the other: to be read at once, as they may move; null elsewhere. */
  view(measure: number, from: number, to: number): Float64Array | null
  /** A whole column, of at least as many entries as there is room for. */
  column(measure: number): Float64Array
}

export class MemoryColumns implements ColumnStore {
  #values: Float64Array[]

  constructor(measures: number) {
    this.#values = Array.from({ length: measures }, () => new Float64Array(0))
  }

  reach(rows: number): void {
    this.#values = this.#values.map(column => (column.length >= rows ? column : widened(column, new Float64Array(rows))))
  }

  get = (measure: number, run: number): number => this.#values[measure]![run]!
  set(run: number, values: readonly number[]): void {
    for (let k = 0; k < this.#values.length; k++) this.#values[k]![run] = values[k] ?? NaN
  }
  view = (measure: number, from: number, to: number): Float64Array => this.#values[measure]!.subarray(from, to)
  column = (measure: number): Float64Array => this.#values[measure]!
}

/** The larger array with what was in the other at its beginning. */
export function widened<T extends Float64Array | Uint32Array | Int32Array | Uint8Array>(old: T, made: T): T {
  made.set(old)
  return made
}
