// Accumulators. Tally: samples count alike (Welford 1962, "Note on a method for calculating corrected sums of squares").
// TimeWeighted: a quantity that changes at times, integrated exactly. Samples: stored values for quantiles, exact up to a
// bound and from there on every second, fourth ... sample.
import { EngineFault } from '../kernel/fault.ts'
import { quantileOf } from '../kernel/descriptive.ts'
import { floatsOf, numberOf, recordOf, type State } from '../kernel/snapshot.ts'

/** Indices of the numbers of a `Tally`. */
const tallyAt = { count: 0, mean: 1, min: 2, max: 3, squares: 4 } as const

/** The same for a `TimeWeighted`; `since`: the last reset, `last`: the last change. */
const weightedAt = { min: 0, max: 1, value: 2, since: 3, last: 4, area: 5, squares: 6 } as const

/** Room for either. */
export const statisticSize = 8

const { count: countAt, mean: meanAt, min: leastAt, max: mostAt, squares: deviationsAt } = tallyAt

export class Tally {
  // All that changes is in an array: a field that holds a number is an object of its own, and changes its kind once it is large.
  #row: Float64Array<ArrayBuffer>

  constructor(row = new Float64Array(statisticSize)) {
    this.#row = row
    this.reset()
  }

  /** Moves the same numbers to another array. */
  moveTo(row: Float64Array<ArrayBuffer>): void {
    this.#row = row
  }

  get count(): number {
    return this.#row[countAt]!
  }

  get mean(): number {
    return this.#row[meanAt]!
  }

  get min(): number {
    return this.#row[leastAt]!
  }

  get max(): number {
    return this.#row[mostAt]!
  }

  add(value: number): void {
    const row = this.#row
    const count = row[countAt]! + 1
    const delta = value - row[meanAt]!
    const mean = row[meanAt]! + delta / count
    row[countAt] = count
    row[meanAt] = mean
    // Sum of squared deviations from the mean.
    row[deviationsAt]! += delta * (value - mean)
    if (value < row[leastAt]!) row[leastAt] = value
    if (value > row[mostAt]!) row[mostAt] = value
  }

  get sum(): number {
    return this.mean * this.count
  }

  /** Sample variance (n - 1); 0 for one sample, NaN for none: `sampleVarianceOf` of descriptive.ts. */
  get variance(): number {
    return this.count > 1 ? this.#row[deviationsAt]! / (this.count - 1) : this.count === 1 ? 0 : NaN
  }

  get std(): number {
    return Math.sqrt(this.variance)
  }

  reset(): void {
    this.#row.fill(0)
    this.#row[leastAt] = Infinity
    this.#row[mostAt] = -Infinity
  }

  save(): State {
    const row = this.#row
    return Float64Array.of(row[countAt]!, row[meanAt]!, row[leastAt]!, row[mostAt]!, row[deviationsAt]!)
  }

  load(state: State): void {
    const [count = 0, mean = 0, min = Infinity, max = -Infinity, squares = 0] = floatsOf(state)
    const row = this.#row
    row[countAt] = count
    row[meanAt] = mean
    row[leastAt] = min
    row[mostAt] = max
    row[deviationsAt] = squares
  }
}

/** What a quantity is weighted by. It is looked at, not handed over: a number handed over costs more than all else here. */
export type Clock = { readonly time: number }

const { min: minAt, max: maxAt, value: valueAt, since: sinceAt, last: lastAt, area: areaAt, squares: squaresAt } = weightedAt

export class TimeWeighted {
  readonly #clock: Clock
  #row: Float64Array<ArrayBuffer>

  constructor(clock: Clock, value: number, row = new Float64Array(statisticSize)) {
    this.#clock = clock
    this.#row = row
    row[valueAt] = value
    this.reset(clock.time)
  }

  /** Moves the same numbers to another array. */
  moveTo(row: Float64Array<ArrayBuffer>): void {
    this.#row = row
  }

  get value(): number {
    return this.#row[valueAt]!
  }

  get min(): number {
    return this.#row[minAt]!
  }

  get max(): number {
    return this.#row[maxAt]!
  }

  /** The value from now on. Throws RangeError when the clock is before the last change. */
  set(value: number): void {
    const row = this.#row
    const passed = this.#clock.time - row[lastAt]!
    if (passed !== 0) {
      if (!(passed > 0)) this.#wentBack()
      const before = row[valueAt]!
      const area = before * passed
      row[areaAt]! += area
      row[squaresAt]! += area * before
      row[lastAt] = this.#clock.time
    }
    row[valueAt] = value
    if (value < row[minAt]!) row[minAt] = value
    if (value > row[maxAt]!) row[maxAt] = value
  }

  #wentBack(): never {
    throw new EngineFault(`statistics: time went back from ${this.#row[lastAt]} to ${this.#clock.time}`)
  }

  /** Integral from the last reset to `time`. */
  integral(time: number): number {
    const row = this.#row
    return row[areaAt]! + row[valueAt]! * (time - row[lastAt]!)
  }

  /** The value itself while no time has passed. */
  mean(time: number): number {
    const since = this.#row[sinceAt]!
    return time > since ? this.integral(time) / (time - since) : this.value
  }

  variance(time: number): number {
    const row = this.#row
    const since = row[sinceAt]!
    if (!(time > since)) return 0
    const mean = this.mean(time)
    const value = row[valueAt]!
    return Math.max(0, (row[squaresAt]! + value * value * (time - row[lastAt]!)) / (time - since) - mean * mean)
  }

  /** Forgets the past, keeps the value: the end of the warm-up. */
  reset(time: number): void {
    const row = this.#row
    row[sinceAt] = time
    row[lastAt] = time
    row[areaAt] = 0
    row[squaresAt] = 0
    row[minAt] = row[valueAt]!
    row[maxAt] = row[valueAt]!
  }

  save(): State {
    return this.#row.slice(0, squaresAt + 1)
  }

  load(state: State): void {
    const [min = 0, max = 0, value = 0, since = 0, last = 0, area = 0, squares = 0] = floatsOf(state)
    this.#row.set([min, max, value, since, last, area, squares])
  }
}

export class Samples {
  /** How many were added. */
  count = 0
  readonly #bound: number
  #values = new Float64Array(16)
  #kept = 0
  // Every stride-th sample is kept; a power of two.
  #stride = 1

  constructor(bound = 1_000_000) {
    this.#bound = Math.max(2, bound)
  }

  /** True while every sample is kept, so that quantiles are exact. */
  get isExact(): boolean {
    return this.#stride === 1
  }

  add(value: number): void {
    if (this.count++ % this.#stride !== 0) return
    if (this.#kept >= this.#bound) {
      for (let i = 0; 2 * i < this.#kept; i++) this.#values[i] = this.#values[2 * i]!
      this.#kept = (this.#kept + 1) >> 1
      this.#stride *= 2
      if ((this.count - 1) % this.#stride !== 0) return
    }
    if (this.#kept === this.#values.length) this.#values = floatsOf(this.#values, Math.min(this.#bound, this.#kept * 2))
    this.#values[this.#kept++] = value
  }

  /** Linear interpolation between order statistics (type 7 of Hyndman & Fan 1996, NumPy's default). NaN when empty. */
  quantile(q: number): number {
    return quantileOf(this.values().sort(), q)
  }

  values(): Float64Array<ArrayBuffer> {
    return this.#values.slice(0, this.#kept)
  }

  reset(): void {
    this.count = 0
    this.#kept = 0
    this.#stride = 1
  }

  save(): State {
    return { count: this.count, stride: this.#stride, values: this.values() }
  }

  load(state: State): void {
    const saved = recordOf(state)
    this.count = numberOf(saved['count'])
    this.#stride = numberOf(saved['stride'])
    this.#kept = floatsOf(saved['values']).length
    this.#values = floatsOf(saved['values'], 16)
  }
}
