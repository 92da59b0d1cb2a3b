// Accumulators. Tally: samples count alike (Welford 1962, "Note on a method for calculating corrected sums of squares").
// TimeWeighted: a quantity that changes at times, integrated exactly. Samples: stored values for quantiles, exact up to a
// bound and from there on every second, fourth ... sample.
import { floatsOf, numberOf, recordOf, type State } from '../kernel/snapshot.ts'

export class Tally {
  count = 0
  mean = 0
  min = Infinity
  max = -Infinity
  // Sum of squared deviations from the mean.
  #squares = 0

  add(value: number): void {
    this.count++
    const delta = value - this.mean
    this.mean += delta / this.count
    this.#squares += delta * (value - this.mean)
    if (value < this.min) this.min = value
    if (value > this.max) this.max = value
  }

  get sum(): number {
    return this.mean * this.count
  }

  /** Sample variance (n - 1); NaN below two samples. */
  get variance(): number {
    return this.count > 1 ? this.#squares / (this.count - 1) : NaN
  }

  get std(): number {
    return Math.sqrt(this.variance)
  }

  reset(): void {
    this.count = 0
    this.mean = 0
    this.min = Infinity
    this.max = -Infinity
    this.#squares = 0
  }

  save(): State {
    return Float64Array.of(this.count, this.mean, this.min, this.max, this.#squares)
  }

  load(state: State): void {
    const [count = 0, mean = 0, min = Infinity, max = -Infinity, squares = 0] = floatsOf(state)
    this.count = count
    this.mean = mean
    this.min = min
    this.max = max
    this.#squares = squares
  }
}

/** What a quantity is weighted by. It is looked at, not handed over: a number handed over costs more than all else here. */
export type Clock = { readonly time: number }

export class TimeWeighted {
  // Given a number at once: a field that was undefined for a moment never becomes a plain double.
  min = 0
  max = 0
  #value = 0
  #since = 0
  #last = 0
  #area = 0
  #squares = 0
  readonly #clock: Clock

  constructor(clock: Clock, value: number) {
    this.#clock = clock
    this.#since = clock.time
    this.#last = clock.time
    this.#value = value
    this.min = value
    this.max = value
  }

  get value(): number {
    return this.#value
  }

  /** The value from now on. Throws RangeError when the clock stands before the last change. */
  set(value: number): void {
    const passed = this.#clock.time - this.#last
    if (passed !== 0) {
      if (!(passed > 0)) this.#wentBack()
      const area = this.#value * passed
      this.#area += area
      this.#squares += area * this.#value
      this.#last = this.#clock.time
    }
    this.#value = value
    if (value < this.min) this.min = value
    if (value > this.max) this.max = value
  }

  #wentBack(): never {
    throw new RangeError(`statistics: time went back from ${this.#last} to ${this.#clock.time}`)
  }

  /** Integral from the last reset to `time`. */
  integral(time: number): number {
    return this.#area + this.#value * (time - this.#last)
  }

  /** The value itself while no time has passed. */
  mean(time: number): number {
    return time > this.#since ? this.integral(time) / (time - this.#since) : this.#value
  }

  variance(time: number): number {
    if (!(time > this.#since)) return 0
    const mean = this.mean(time)
    return Math.max(0, (this.#squares + this.#value * this.#value * (time - this.#last)) / (time - this.#since) - mean * mean)
  }

  /** Forgets the past, keeps the value: the end of the warm-up. */
  reset(time: number): void {
    this.#since = time
    this.#last = time
    this.#area = 0
    this.#squares = 0
    this.min = this.#value
    this.max = this.#value
  }

  save(): State {
    return Float64Array.of(this.min, this.max, this.#value, this.#since, this.#last, this.#area, this.#squares)
  }

  load(state: State): void {
    const [min = 0, max = 0, value = 0, since = 0, last = 0, area = 0, squares = 0] = floatsOf(state)
    this.min = min
    this.max = max
    this.#value = value
    this.#since = since
    this.#last = last
    this.#area = area
    this.#squares = squares
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

/** `sorted` ascending. NaN when empty. */
export function quantileOf(sorted: ArrayLike<number>, q: number): number {
  if (sorted.length === 0) return NaN
  const at = q * (sorted.length - 1)
  const below = Math.floor(at)
  const low = sorted[below]!
  return below + 1 < sorted.length ? low + (at - below) * (sorted[below + 1]! - low) : low
}

/** Gini coefficient of non-negative values: 0 = all equal. NaN when empty, 0 when all are 0. */
export function giniOf(values: ArrayLike<number>): number {
  const sorted = Float64Array.from(values).sort()
  const n = sorted.length
  let total = 0
  let weighted = 0
  for (let i = 0; i < n; i++) {
    total += sorted[i]!
    weighted += (i + 1) * sorted[i]!
  }
  if (n === 0) return NaN
  return total === 0 ? 0 : (2 * weighted) / (n * total) - (n + 1) / n
}

/** Equal bins from `low` to `high`, the last one closed; values outside are left out. */
export function histogramOf(values: ArrayLike<number>, bins: number, low?: number, high?: number): { edges: number[]; counts: number[] } {
  let from = low ?? Infinity
  let to = high ?? -Infinity
  for (let i = 0; i < values.length; i++) {
    if (low === undefined && values[i]! < from) from = values[i]!
    if (high === undefined && values[i]! > to) to = values[i]!
  }
  if (!(from < to)) {
    from = Number.isFinite(from) ? from : 0
    to = from + 1
  }
  const width = (to - from) / bins
  const counts = Array.from({ length: bins }, () => 0)
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!
    if (value >= from && value <= to) counts[Math.min(bins - 1, Math.floor((value - from) / width))]!++
  }
  return { edges: Array.from({ length: bins + 1 }, (_, k) => (k === bins ? to : from + k * width)), counts }
}
