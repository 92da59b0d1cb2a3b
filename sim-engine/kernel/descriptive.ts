// Descriptive statistics of samples: the one definition of each, for formulas, statistics of a model and experiments. Where a
// figure is not defined the result is NaN: formulas turn that into an error, statistics and experiments into "no value".

/** The quantile `q` (0..1) of the ascending samples: linear interpolation, type 7 of Hyndman & Fan 1996, NumPy's default. NaN when empty. */
export function quantileOf(sorted: ArrayLike<number>, q: number): number {
  if (sorted.length === 0) return NaN
  const at = q * (sorted.length - 1)
  const below = Math.floor(at)
  const low = sorted[below]!
  return at === below ? low : low + (sorted[below + 1]! - low) * (at - below)
}

/** Arithmetic mean, added in order. NaN when empty. */
export function meanOf(values: ArrayLike<number>): number {
  let total = 0
  for (let i = 0; i < values.length; i++) total += values[i]!
  return total / values.length
}

/**
 * Variance: squared deviations from the mean, in two passes, over `n - ddof` (0: of the whole population, 1: estimated from a
 * sample). NaN where n - ddof is not above 0, so a sample of one has none.
 */
export function varianceOf(values: ArrayLike<number>, ddof: number): number {
  const free = values.length - ddof
  if (!(free > 0)) return NaN
  const mean = meanOf(values)
  let total = 0
  for (let i = 0; i < values.length; i++) total += (values[i]! - mean) * (values[i]! - mean)
  return total / free
}

/**
 * Variance of a sample, over n - 1, for what is shown of a running model: 0 for a single value, so that a chart begins at 0
 * instead of with a gap. NaN when empty.
 */
export const sampleVarianceOf = (values: ArrayLike<number>): number => (values.length === 1 ? 0 : varianceOf(values, 1))

/** Least and greatest value; Infinity and -Infinity when empty. For any number of values, unlike `Math.min(...values)`. */
export function extentOf(values: ArrayLike<number>): { low: number; high: number } {
  let low = Infinity
  let high = -Infinity
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!
    if (value < low) low = value
    if (value > high) high = value
  }
  return { low, high }
}

/**
 * Gini coefficient: half the mean absolute difference over the mean. 0 = all equal, 0 when all are 0. NaN when empty or when a
 * value is negative, as the coefficient is then not between 0 and 1.
 */
export function giniOf(values: ArrayLike<number>): number {
  const sorted = Float64Array.from(values).sort()
  const n = sorted.length
  if (n === 0 || sorted[0]! < 0) return NaN
  let total = 0
  let weighted = 0
  for (let i = 0; i < n; i++) {
    total += sorted[i]!
    weighted += (2 * (i + 1) - n - 1) * sorted[i]!
  }
  return total === 0 ? 0 : weighted / (n * total)
}

/**
 * Counts in `bins` bins of equal width from `low` to `high` (default: the extent of the values), the last one closed; values
 * outside are left out. Where low = high the bins go from half below to half above, as in NumPy; 0 to 1 where there is no value.
 */
export function histogramOf(
  values: ArrayLike<number>,
  bins: number,
  low: number | null = null,
  high: number | null = null,
): { edges: number[]; counts: number[] } {
  const extent = values.length === 0 ? { low: 0.5, high: 0.5 } : extentOf(values)
  let from = low ?? extent.low
  let to = high ?? extent.high
  if (from === to) {
    from -= 0.5
    to += 0.5
  }
  const counts = Array.from({ length: bins }, () => 0)
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!
    if (value >= from && value <= to) counts[Math.min(bins - 1, Math.floor(((value - from) / (to - from)) * bins))]!++
  }
  return { edges: Array.from({ length: bins + 1 }, (_, k) => (k === bins ? to : from + (k * (to - from)) / bins)), counts }
}
