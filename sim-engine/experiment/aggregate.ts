// Several replications as one number, and what is known of a mean.
import type { Aggregate } from '../../model-schema/experiment.ts'
import { quantileOf, Tally } from '../world/statistics.ts'
import { studentQuantile } from './distributions.ts'

/** NaN when any value is none: a point is worth what all its runs say. */
export function aggregated(values: readonly number[], how: Aggregate): number {
  if (values.length === 0 || values.some(Number.isNaN)) return NaN
  const tally = tallyOf(values)
  switch (how) {
    case 'mean':
      return tally.mean
    case 'min':
      return tally.min
    case 'max':
      return tally.max
    case 'std':
      return values.length < 2 ? 0 : tally.std
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

function tallyOf(values: readonly number[]): Tally {
  const tally = new Tally()
  for (const value of values) tally.add(value)
  return tally
}
