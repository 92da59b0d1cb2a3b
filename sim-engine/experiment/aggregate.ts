// Several replications as one number, and what is known of a mean.
import type { Aggregate } from '../../model-schema/experiment.ts'
import { quantileOf } from '../kernel/descriptive.ts'
import { Tally } from '../world/statistics.ts'
import { normalQuantile, studentQuantile } from './distributions.ts'

/** One number for several replications. Those without a value (failed, or nothing was measured) are left out; NaN when none has one. */
export function aggregated(replications: readonly number[], how: Aggregate): number {
  const values = replications.filter(value => !Number.isNaN(value))
  if (values.length === 0) return NaN
  const tally = tallyOf(values)
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
      return quantileOf(Float64Array.from(values).sort(), how === 'median' ? 0.5 : how === 'q05' ? 0.05 : 0.95)
  }
}

export type Interval = { n: number; mean: number; std: number; low: number; high: number }

/** Mean and Student's confidence interval of independent values; NaN among them is left out. */
export function intervalOf(values: readonly number[], confidence: number): Interval {
  const known = values.filter(value => !Number.isNaN(value))
  const n = known.length
  if (n === 0) return { n, mean: NaN, std: NaN, low: NaN, high: NaN }
  const { mean } = tallyOf(known)
  if (n === 1) return { n, mean, std: NaN, low: -Infinity, high: Infinity }
  const { std } = tallyOf(known)
  const half = (studentQuantile((1 + confidence) / 2, n - 1) * std) / Math.sqrt(n)
  return { n, mean, std, low: mean - half, high: mean + half }
}

/**
 * Mean and confidence interval of independent values of one output. Where all are 0 or 1, what is estimated is a probability, and the interval is that
 * of Wilson (1927): Student's has no width while an event that is rare has not been seen. NaN among them is left out.
 */
export function meanInterval(values: readonly number[], confidence: number): Interval {
  const student = intervalOf(values, confidence)
  const { n, mean } = student
  if (n < 2 || !values.every(value => value === 0 || value === 1 || Number.isNaN(value))) return student
  const z = normalQuantile((1 + confidence) / 2)
  const center = (mean + (z * z) / (2 * n)) / (1 + (z * z) / n)
  const half = (z / (1 + (z * z) / n)) * Math.sqrt((mean * (1 - mean)) / n + (z * z) / (4 * n * n))
  return { ...student, low: mean === 0 ? 0 : center - half, high: mean === 1 ? 1 : center + half }
}

function tallyOf(values: readonly number[]): Tally {
  const tally = new Tally()
  for (const value of values) tally.add(value)
  return tally
}
