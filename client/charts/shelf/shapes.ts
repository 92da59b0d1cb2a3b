// How values are spread: boxes, densities, the front of what nothing else beats.
import { quantileOf } from '../../../sim-engine/descriptive.ts'

export type BoxPlot = {
  readonly low: number
  readonly q1: number
  readonly median: number
  readonly q3: number
  readonly high: number
  readonly mean: number
  readonly count: number
  /** Beyond the whiskers, at most `mostOutliers`, evenly chosen. */
  readonly outliers: readonly number[]
}

const mostOutliers = 100

/** Tukey's box of ascending values: whiskers to the last value within 1.5 interquartile ranges. Null of none. */
export function boxOfSorted(sorted: Float64Array): BoxPlot | null {
  if (sorted.length === 0) return null
  const [q1, median, q3] = [quantileOf(sorted, 0.25), quantileOf(sorted, 0.5), quantileOf(sorted, 0.75)]
  const reach = 1.5 * (q3 - q1)
  let from = 0
  while (from < sorted.length && sorted[from]! < q1 - reach) from++
  let to = sorted.length - 1
  while (to >= 0 && sorted[to]! > q3 + reach) to--
  let sum = 0
  for (const value of sorted) sum += value
  const beyond = [...sorted.subarray(0, from), ...sorted.subarray(to + 1)]
  const step = Math.max(1, Math.ceil(beyond.length / mostOutliers))
  return {
    // Where quartiles lie between values, a whisker may reach no value: it ends at the box then.
    low: Math.min(q1, sorted[from] ?? q1),
    q1,
    median,
    q3,
    high: Math.max(q3, sorted[to] ?? q3),
    mean: sum / sorted.length,
    count: sorted.length,
    outliers: beyond.filter((_, k) => k % step === 0),
  }
}

export type Density = { readonly at: Float64Array; readonly share: Float64Array }

/**
 * The density of ascending values, by a Gaussian kernel of Silverman's width, at `points` positions from the minimum to the maximum. Many
 * values are sampled evenly.
 */
export function densityOf(sorted: Float64Array, points = 40, most = 2000): Density | null {
  const { length } = sorted
  if (length === 0) return null
  const step = Math.max(1, length / most)
  const some = Float64Array.from({ length: Math.min(length, most) }, (_, k) => sorted[Math.floor(k * step)]!)
  const mean = some.reduce((sum, value) => sum + value, 0) / some.length
  const std = Math.sqrt(some.reduce((sum, value) => sum + (value - mean) ** 2, 0) / Math.max(1, some.length - 1))
  const spread = Math.min(std, (quantileOf(sorted, 0.75) - quantileOf(sorted, 0.25)) / 1.34) || std
  const width = 0.9 * spread * some.length ** -0.2 || Math.abs(mean) / 100 || 1
  const [low, high] = [sorted[0]!, sorted[length - 1]!]
  const at = Float64Array.from({ length: points }, (_, i) => low + ((high - low) * i) / (points - 1))
  const share = at.map(place => {
    let sum = 0
    for (const value of some) sum += Math.exp(-0.5 * ((place - value) / width) ** 2)
    return sum / (some.length * width * Math.sqrt(2 * Math.PI))
  })
  return { at, share }
}

type Goal = 'min' | 'max'

/** Places of the points that no other beats in both, by ascending x; of equal ones the first. */
export function frontOf(xs: Float64Array, ys: Float64Array, goals: readonly [Goal, Goal]): number[] {
  const x = (k: number): number => (goals[0] === 'min' ? xs[k]! : -xs[k]!)
  const y = (k: number): number => (goals[1] === 'min' ? ys[k]! : -ys[k]!)
  const order = [...xs.keys()]
    .filter(k => !Number.isNaN(xs[k]!) && !Number.isNaN(ys[k]!))
    .sort((a, b) => x(a) - x(b) || y(a) - y(b) || a - b)
  let best = Infinity
  const front = order.filter(k => {
    if (y(k) >= best) return false
    best = y(k)
    return true
  })
  return goals[0] === 'min' ? front : front.reverse()
}
