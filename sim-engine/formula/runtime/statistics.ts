// Statistics over arrays of numbers, with the errors of formulas; what they mean is defined in kernel/descriptive.ts.
import { RunError } from '../../problems.ts'
import { extentOf, giniOf, histogramOf, meanOf, quantileOf, varianceOf } from '../../kernel/descriptive.ts'
import { log } from '../../kernel/math.ts'
import { empty } from './collections.ts'
import { keyOf } from './values.ts'

export function mean(values: readonly number[], from: number, to: number): number {
  if (values.length === 0) empty(from, to)
  return meanOf(values)
}
const ascending = (values: readonly number[]): number[] => values.toSorted((a, b) => a - b)

export function median(values: readonly number[], from: number, to: number): number {
  return quantile(values, 0.5, from, to)
}
export function quantile(values: readonly number[], q: number, from: number, to: number): number {
  if (values.length === 0) empty(from, to)
  if (!(q >= 0 && q <= 1)) throw new RunError(10021, [], from, to)
  return quantileOf(ascending(values), q)
}
function variance(values: readonly number[], ddof: number, from: number, to: number): number {
  if (values.length === 0) empty(from, to)
  if (values.length - ddof <= 0) throw new RunError(10018, [], from, to)
  return varianceOf(values, ddof)
}
export { variance as var }
export function std(values: readonly number[], ddof: number, from: number, to: number): number {
  return Math.sqrt(variance(values, ddof, from, to))
}
export function mode(values: readonly unknown[], from: number, to: number): unknown {
  if (values.length === 0) empty(from, to)
  const counts = frequencies(values, from, to)
  let best = { n: 0, value: values[0] }
  for (const found of counts) if (found.n > best.n) best = found
  return best.value
}
function frequencies(values: readonly unknown[], from: number, to: number): { n: number; value: unknown }[] {
  const counts = new Map<unknown, { n: number; value: unknown }>()
  for (const value of values) {
    const key = keyOf(value, from, to)
    const found = counts.get(key)
    if (found) found.n++
    else counts.set(key, { n: 1, value })
  }
  return [...counts.values()]
}
const mostBins = 100_000

export function histogram(
  values: readonly number[],
  bins: number,
  low: number | null,
  high: number | null,
  from: number,
  to: number,
): number[] {
  if (!Number.isInteger(bins) || bins < 1 || bins > mostBins) throw new RunError(10032, [], from, to)
  if (values.length === 0 && (low === null || high === null)) empty(from, to)
  const { low: least, high: most } = extentOf(values)
  if ((low ?? least) > (high ?? most)) throw new RunError(10032, [], from, to)
  return histogramOf(values, bins, low, high).counts
}
export function gini(values: readonly number[], from: number, to: number): number {
  if (values.length === 0) empty(from, to)
  const found = giniOf(values)
  // Negative values have none.
  if (Number.isNaN(found)) throw new RunError(10019, [], from, to)
  return found
}
export function entropy(values: readonly unknown[], base: number, from: number, to: number): number {
  if (values.length === 0) empty(from, to)
  if (!(base > 0) || base === 1) throw new RunError(10019, [], from, to)
  let total = 0
  for (const { n } of frequencies(values, from, to)) {
    const p = n / values.length
    total -= p * log(p)
  }
  return total === 0 ? 0 : total / log(base)
}
export function correlation(a: readonly number[], b: readonly number[], from: number, to: number): number {
  if (a.length !== b.length) throw new RunError(10027, [], from, to)
  const middleA = mean(a, from, to)
  const middleB = mean(b, from, to)
  let [ab, aa, bb] = [0, 0, 0]
  for (let i = 0; i < a.length; i++) {
    const x = a[i]! - middleA
    const y = b[i]! - middleB
    ab += x * y
    aa += x * x
    bb += y * y
  }
  if (aa === 0 || bb === 0) throw new RunError(10018, [], from, to)
  return Math.min(1, Math.max(-1, ab / Math.sqrt(aa * bb)))
}
export function cumulative(values: readonly number[]): number[] {
  let total = 0
  return values.map(value => (total += value))
}
