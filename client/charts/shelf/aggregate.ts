// Several values at one place become one. One pass over the rows for most; those that need an order are sorted place by place.
import type { Aggregate, Plot } from '../../../model-schema/plot.ts'
import { quantileOf } from '../../../sim-engine/descriptive.ts'

export type How = Exclude<Aggregate, 'auto'>

/**
 * The aggregate of the values in each cell. `cells[k]` is the cell of `values[k]`, -1 for none; NaN does not count. A cell without a value is NaN, of
 * a count 0.
 */
export function aggregated(values: Float64Array, cells: Int32Array, count: number, how: How): Float64Array {
  if (how === 'median') return quantiles(values, cells, count, [0.5])[0]!
  if (how === 'distinct') return distinct(values, cells, count)
  const out = new Float64Array(count).fill(how === 'count' ? 0 : NaN)
  if (how === 'mean' || how === 'std') return moments(values, cells, count)[how]
  for (let k = 0; k < cells.length; k++) {
    const cell = cells[k]!
    const value = values[k]!
    if (cell < 0 || Number.isNaN(value)) continue
    const old = out[cell]!
    const none = Number.isNaN(old)
    if (how === 'count') out[cell] = old + 1
    else if (how === 'sum') out[cell] = none ? value : old + value
    else if (how === 'min') out[cell] = none || value < old ? value : old
    else if (how === 'max') out[cell] = none || value > old ? value : old
    else if (how === 'last' || none) out[cell] = value
  }
  return out
}

/** Welford's updates: exact where sums of squares would cancel. The deviation is the sample's (n - 1), of a single value 0. */
function moments(values: Float64Array, cells: Int32Array, count: number): { n: Float64Array; mean: Float64Array; std: Float64Array } {
  const n = new Float64Array(count)
  const mean = new Float64Array(count)
  const squares = new Float64Array(count)
  for (let k = 0; k < cells.length; k++) {
    const cell = cells[k]!
    const value = values[k]!
    if (cell < 0 || Number.isNaN(value)) continue
    const seen = ++n[cell]!
    const step = value - mean[cell]!
    mean[cell]! += step / seen
    squares[cell]! += step * (value - mean[cell]!)
  }
  const std = new Float64Array(count)
  for (let cell = 0; cell < count; cell++) {
    if (n[cell] === 0) mean[cell] = std[cell] = NaN
    else std[cell] = n[cell]! > 1 ? Math.sqrt(squares[cell]! / (n[cell]! - 1)) : 0
  }
  return { n, mean, std }
}

/** The values of each cell in ascending order, one after the other; those of cell c begin at `starts[c]`. */
export function gathered(values: Float64Array, cells: Int32Array, count: number): { sorted: Float64Array; starts: Int32Array } {
  const starts = new Int32Array(count + 1)
  const counts = (k: number): boolean => cells[k]! >= 0 && !Number.isNaN(values[k]!)
  for (let k = 0; k < cells.length; k++) if (counts(k)) starts[cells[k]! + 1]!++
  for (let cell = 0; cell < count; cell++) starts[cell + 1]! += starts[cell]!
  const next = starts.slice(0, count)
  const sorted = new Float64Array(starts[count]!)
  for (let k = 0; k < cells.length; k++) if (counts(k)) sorted[next[cells[k]!]!++] = values[k]!
  for (let cell = 0; cell < count; cell++) sorted.subarray(starts[cell], starts[cell + 1]).sort()
  return { sorted, starts }
}

function quantiles(values: Float64Array, cells: Int32Array, count: number, shares: readonly number[]): Float64Array[] {
  const { sorted, starts } = gathered(values, cells, count)
  return shares.map(share =>
    Float64Array.from({ length: count }, (_, cell) => quantileOf(sorted.subarray(starts[cell], starts[cell + 1]), share)),
  )
}

function distinct(values: Float64Array, cells: Int32Array, count: number): Float64Array {
  const { sorted, starts } = gathered(values, cells, count)
  return Float64Array.from({ length: count }, (_, cell) => {
    let found = 0
    for (let k = starts[cell]!; k < starts[cell + 1]!; k++) if (k === starts[cell] || sorted[k] !== sorted[k - 1]) found++
    return found
  })
}

type Band = { readonly middle: Float64Array; readonly low: Float64Array; readonly high: Float64Array }

/** The band around the mean of each cell. */
export function bandsOf(values: Float64Array, cells: Int32Array, count: number, band: Plot['band']): Band {
  const { n, mean, std } = moments(values, cells, count)
  if (band === 'q90') {
    const [low, middle, high] = quantiles(values, cells, count, [0.05, 0.5, 0.95])
    return { low: low!, middle: middle!, high: high! }
  }
  if (band === 'range') return { middle: mean, low: aggregated(values, cells, count, 'min'), high: aggregated(values, cells, count, 'max') }
  const reach = mean.map((_, cell) =>
    band === 'std' ? std[cell]! : n[cell]! > 1 ? (student95(n[cell]! - 1) * std[cell]!) / Math.sqrt(n[cell]!) : 0,
  )
  return { middle: mean, low: mean.map((one, cell) => one - reach[cell]!), high: mean.map((one, cell) => one + reach[cell]!) }
}

/** Two-sided 97.5% points of Student's t for 1 .. 10 degrees of freedom. */
const few = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228]

/** The 97.5% point of Student's t; beyond the table by the Cornish-Fisher expansion (Abramowitz and Stegun 26.7.5), right to 0.002. */
export function student95(freedom: number): number {
  const tabled = few[freedom - 1]
  if (tabled !== undefined) return tabled
  const z = 1.959964
  return z + (z ** 3 + z) / (4 * freedom) + (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * freedom ** 2)
}
