// Accumulators. Tally: samples count alike (Welford). TimeWeighted: a quantity that changes at times, integrated exactly.
// Samples: stored values for quantiles, exact up to a bound, above it a uniform sample.
import type { State } from '../kernel/snapshot.ts'

export declare class Tally {
  count: number
  mean: number
  min: number
  max: number
  add(value: number): void
  get sum(): number
  /** Sample variance (n - 1); NaN below two samples. */
  get variance(): number
  get std(): number
  reset(): void
  save(): State
  load(state: State): void
}

export declare class TimeWeighted {
  constructor(time: number, value: number)
  /** The value from `time` on. Times never go back (RangeError). */
  set(time: number, value: number): void
  get value(): number
  min: number
  max: number
  /** Integral from the last reset to `time`. */
  integral(time: number): number
  mean(time: number): number
  variance(time: number): number
  /** Forgets the past, keeps the value: the end of the warm-up. */
  reset(time: number): void
  save(): State
  load(state: State): void
}

export declare class Samples {
  constructor(bound?: number)
  readonly count: number
  add(value: number): void
  /** Type 7 (linear interpolation, as NumPy). NaN when empty. */
  quantile(q: number): number
  values(): Float64Array
  reset(): void
  save(): State
  load(state: State): void
}

/** One-pass aggregates over numbers in order. */
export declare function giniOf(values: Float64Array | readonly number[]): number
export declare function quantileOf(sorted: Float64Array | readonly number[], q: number): number
export declare function histogramOf(values: Float64Array | readonly number[], bins: number, low?: number, high?: number): { edges: number[]; counts: number[] }
