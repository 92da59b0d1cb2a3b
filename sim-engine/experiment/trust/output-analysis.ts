// What the output of simulation runs says when it is not a plain sample: values of one long run follow each other, and begin from an empty system.
import { intervalOf, type Interval } from '../aggregate.ts'
import { normalQuantile } from '../distributions.ts'

export type WarmUp = {
  /** Values to leave out at the beginning. */
  readonly cut: number
  /** False where the rule cuts half of the values or more: the run is too short to decide. */
  readonly isReliable: boolean
}

/** Values that are averaged before the rule is applied. */
const mserBatch = 5

/**
 * MSER-5 (White, Cobb and Spratt 2000): of means of five values each, those at the beginning are left out that make the standard error of the mean of
 * the others least. Null with fewer than four such means.
 */
export function mser5(values: readonly number[]): WarmUp | null {
  const means = batched(values, mserBatch)
  const n = means.length
  if (n < 4) return null
  let best = Infinity
  let cut = 0
  // From the end on, so that one pass gives the mean and the sum of squares of every tail (Welford 1962).
  let mean = 0
  let squares = 0
  for (let d = n - 1; d >= 0; d--) {
    const count = n - d
    const away = means[d]! - mean
    mean += away / count
    squares += away * (means[d]! - mean)
    // A tail of fewer than five means has next to no variance by chance alone.
    if (count < 5 && n >= 10) continue
    const statistic = squares / (count * count)
    if (statistic <= best) {
      best = statistic
      cut = d
    }
  }
  return { cut: cut * mserBatch, isReliable: 2 * cut < n }
}

/** Means of so many values each that follow each other; what is left at the end is left out. */
function batched(values: readonly number[], size: number): number[] {
  return Array.from({ length: Math.floor(values.length / size) }, (_, k) => {
    let sum = 0
    for (let i = k * size; i < (k + 1) * size; i++) sum += values[i]!
    return sum / size
  })
}

/** Correlation of each value with the next; 0 where all are the same. */
export function lag1(values: readonly number[]): number {
  const n = values.length
  const mean = values.reduce((sum, value) => sum + value, 0) / n
  let squares = 0
  let products = 0
  for (let i = 0; i < n; i++) {
    squares += (values[i]! - mean) ** 2
    if (i > 0) products += (values[i]! - mean) * (values[i - 1]! - mean)
  }
  return squares > 0 ? products / squares : 0
}

export type BatchMeans = Interval & {
  readonly batches: number
  /** Values in one batch. */
  readonly size: number
  /** Correlation of the means of neighbouring batches. */
  readonly correlation: number
  /** Whether that is low enough for the interval to be believed. */
  readonly isReliable: boolean
}

/** Batches at most, and at least: with fewer an interval is wide, with more they are too short to be independent (Schmeiser 1982). */
const mostBatches = 40
const fewestBatches = 10
/** Correlation of neighbours that is reckoned with at most: beyond, the interval is not to be believed anyway, and it has to stay finite. */
const mostCorrelation = 0.9

/**
 * The mean of one long run and its interval by batch means: with as many batches, of 40 down to 10, as leave no significant correlation between
 * neighbours (two standard errors of a correlation that is none). Null with fewer than 20 values.
 */
export function batchMeans(values: readonly number[], confidence: number): BatchMeans | null {
  if (values.length < 2 * fewestBatches) return null
  for (let batches = Math.min(mostBatches, Math.floor(values.length / 2)); ; batches -= 5) {
    const used = Math.max(fewestBatches, batches)
    const size = Math.floor(values.length / used)
    // What does not fill a batch is taken off at the beginning, where it is nearest to the start of the run.
    const means = batched(values.slice(values.length - size * used), size)
    const correlation = lag1(means)
    const isReliable = correlation <= 2 / Math.sqrt(used)
    if (!isReliable && used > fewestBatches) continue
    const { low, high, ...rest } = intervalOf(means, confidence)
    // What correlation is left makes the mean less certain than that of so many independent batches, as in a first-order autoregression
    // (Tafazzoli, Wilson, Lada and Steiger 2011).
    const left = Math.min(Math.max(0, correlation), mostCorrelation)
    const half = ((high - low) / 2) * Math.sqrt((1 + left) / (1 - left))
    return { ...rest, low: rest.mean - half, high: rest.mean + half, batches: used, size, correlation, isReliable }
  }
}

/**
 * Runs of each of two systems that show a difference of their means of this size with this power, for independent runs of equal spread: the formula of
 * the normal test, and one more for the spread that is estimated (Lachin 1981).
 */
export function runsToSee(difference: number, std: number, confidence: number, power: number): number {
  if (!(std > 0)) return 1
  if (!(difference > 0)) return Infinity
  const z = normalQuantile((1 + confidence) / 2) + normalQuantile(power)
  return Math.ceil((2 * z * z * std * std) / (difference * difference)) + 1
}
