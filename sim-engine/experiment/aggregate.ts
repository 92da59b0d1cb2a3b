// Several replications as one number, and what is known of a mean.
import type { Aggregate } from '../../model-schema/experiment.ts'
import { quantileOf } from '../kernel/descriptive.ts'
import { Tally } from '../world/statistics.ts'
import { normalQuantile, studentQuantile } from './distributions.ts'

/** One number for several replications. Those without a value (failed, or nothing was measured) are left out; NaN when none has one. */
export function aggregated(replications: ArrayLike<number>, how: Aggregate): number {
  const values = Float64Array.from(replications).filter(value => !Number.isNaN(value))
  if (values.length === 0) return NaN
  const tally = new Tally()
  for (const value of values) tally.add(value)
  switch (how) {
    case 'mean':
      return tally.mean
    case 'min':
      return tally.min
    case 'max':
      return tally.max
    case 'std':
      return tally.std
    default:
      return quantileOf(values.sort(), how === 'median' ? 0.5 : how === 'q05' ? 0.05 : 0.95)
  }
}

export type Interval = { n: number; mean: number; std: number; low: number; high: number }

/** What intervals of a mean are made of, at any confidence. */
type Moments = {
  /** Values that are not NaN. */
  readonly n: number
  readonly mean: number
  /** Of the sample, over n - 1; NaN for one value. */
  readonly std: number
  /** Whether all are 0 or 1, so that their mean is a share. */
  readonly isShare: boolean
}

/** Moments of values that come one by one; NaN among them is left out. */
export class RunningMoments {
  /** Values that were added, NaN included. */
  count = 0
  readonly #tally = new Tally()
  #isShare = true

  add(value: number): void {
    this.count++
    if (Number.isNaN(value)) return
    if (value !== 0 && value !== 1) this.#isShare = false
    this.#tally.add(value)
  }

  moments(): Moments {
    const { count: n, mean, std } = this.#tally
    return { n, mean: n === 0 ? NaN : mean, std: n < 2 ? NaN : std, isShare: this.#isShare }
  }
}

function momentsOf(values: ArrayLike<number>): Moments {
  const running = new RunningMoments()
  for (let i = 0; i < values.length; i++) running.add(values[i]!)
  return running.moments()
}

/** Mean and Student's confidence interval of independent values; NaN among them is left out. */
export const intervalOf = (values: ArrayLike<number>, confidence: number): Interval => studentInterval(momentsOf(values), confidence)

function studentInterval({ n, mean, std }: Moments, confidence: number): Interval {
  if (n === 0) return { n, mean, std, low: NaN, high: NaN }
  if (n === 1) return { n, mean, std, low: -Infinity, high: Infinity }
  const half = (studentQuantile((1 + confidence) / 2, n - 1) * std) / Math.sqrt(n)
  return { n, mean, std, low: mean - half, high: mean + half }
}

/**
 * Mean and confidence interval of independent values of one output. Where all are 0 or 1, what is estimated is a probability, and the interval is that
 * of Wilson (1927): Student's has no width while an event that is rare has not been seen. NaN among them is left out.
 */
export const meanInterval = (values: ArrayLike<number>, confidence: number): Interval => meanIntervalOf(momentsOf(values), confidence)

export function meanIntervalOf(moments: Moments, confidence: number): Interval {
  const student = studentInterval(moments, confidence)
  const { n, mean, isShare } = moments
  if (n < 2 || !isShare) return student
  const z = normalQuantile((1 + confidence) / 2)
  const center = (mean + (z * z) / (2 * n)) / (1 + (z * z) / n)
  const half = (z / (1 + (z * z) / n)) * Math.sqrt((mean * (1 - mean)) / n + (z * z) / (4 * n * n))
  return { ...student, low: mean === 0 ? 0 : center - half, high: mean === 1 ? 1 : center + half }
}
