// Means of a measure over one decision, or over a grid of two, for curves and heat maps.
import { intervalOf, type Interval } from '../../../../sim-engine/experiment.ts'
import type { ResultColumn } from '../columns.ts'

/** Steps of a decision that are each a place of their own; where they are more, or it has none, equal parts of its range are. */
const mostPlaces = 40
const parts = 24

/** Where values of a decision lie along an axis: places of one width. */
type Axis = {
  places: number
  /** Low and high end of each place. */ ends(place: number): [number, number]
  placeOf(value: number): number
}

export function axisOf(column: ResultColumn, runs: readonly number[]): Axis {
  const found = [...new Set(runs.map(column.at))].filter(Number.isFinite).sort((a, b) => a - b)
  const low = found[0] ?? 0
  const high = found.at(-1) ?? 1
  const step = found.length > 1 ? Math.min(...found.slice(1).map((value, k) => value - found[k]!)) : 1
  const places = Math.round((high - low) / step) + 1
  const isStepped = places <= mostPlaces && found.every(value => Math.abs((value - low) / step - Math.round((value - low) / step)) < 1e-6)
  const [count, width, start] = isStepped ? [places, step, low - step / 2] : [parts, (high - low) / parts, low]
  return {
    places: count,
    ends: place => [start + place * width, start + (place + 1) * width],
    placeOf: value => (value >= low && value <= high ? Math.min(count - 1, Math.floor((value - start) / width)) : -1),
  }
}

/** The interval of a measure's mean at each place of an axis; null where nothing was run. */
export function curveOf(
  axis: Axis,
  decision: ResultColumn,
  measure: ResultColumn,
  runs: readonly number[],
  confidence: number,
): (Interval | null)[] {
  const values: number[][] = Array.from({ length: axis.places }, () => [])
  for (const run of runs) values[axis.placeOf(decision.at(run))]?.push(measure.at(run))
  return values.map(some => {
    const known = some.filter(Number.isFinite)
    return known.length === 0 ? null : intervalOf(known, confidence)
  })
}

/** The mean of a measure in each cell of a grid, row by row from below; NaN where nothing was run. */
export function gridOf(
  x: Axis,
  y: Axis,
  decisions: readonly [ResultColumn, ResultColumn],
  measure: ResultColumn,
  runs: readonly number[],
): Float64Array {
  const sums = new Float64Array(x.places * y.places)
  const counts = new Uint32Array(sums.length)
  for (const run of runs) {
    const [column, row] = [x.placeOf(decisions[0].at(run)), y.placeOf(decisions[1].at(run))]
    const value = measure.at(run)
    if (column < 0 || row < 0 || !Number.isFinite(value)) continue
    sums[row * x.places + column]! += value
    counts[row * x.places + column]!++
  }
  return sums.map((sum, cell) => (counts[cell] === 0 ? NaN : sum / counts[cell]!))
}
