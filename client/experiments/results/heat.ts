// Means of a measure over one decision, or over a grid of two, for curves and heat maps.
import { intervalOf, type Interval } from '../../../sim-engine/experiment.ts'
import type { Column } from './columns.ts'

/** Values of a decision that are each a place of their own; more are put into equal parts of their range. */
const mostPlaces = 40
const parts = 24

/** Where values of a decision lie along an axis. */
export type Axis = {
  places: number
  /** Low and high end of each place. */ ends: (place: number) => [number, number]
  placeOf: (value: number) => number
}

export function axisOf(column: Column, runs: readonly number[]): Axis {
  const found = [...new Set(runs.map(column.at))].filter(Number.isFinite).sort((a, b) => a - b)
  const low = found[0] ?? 0
  const high = found.at(-1) ?? 1
  if (found.length > mostPlaces) {
    const width = (high - low) / parts
    return {
      places: parts,
      ends: place => [low + place * width, low + (place + 1) * width],
      placeOf: value => (value >= low && value <= high ? Math.min(parts - 1, Math.floor((value - low) / width)) : -1),
    }
  }
  const places = new Map(found.map((value, place) => [value, place]))
  const gap = found.length > 1 ? Math.min(...found.slice(1).map((value, k) => value - found[k]!)) : 1
  const edge = (place: number): number =>
    place === 0 ? low - gap / 2 : place === found.length ? high + gap / 2 : (found[place - 1]! + found[place]!) / 2
  return { places: found.length, ends: place => [edge(place), edge(place + 1)], placeOf: value => places.get(value) ?? -1 }
}

/** The interval of a measure's mean at each place of an axis; null where nothing was run. */
export function curveOf(axis: Axis, decision: Column, measure: Column, runs: readonly number[], confidence: number): (Interval | null)[] {
  const values: number[][] = Array.from({ length: axis.places }, () => [])
  for (const run of runs) values[axis.placeOf(decision.at(run))]?.push(measure.at(run))
  return values.map(some => {
    const known = some.filter(Number.isFinite)
    return known.length === 0 ? null : intervalOf(known, confidence)
  })
}

/** The mean of a measure in each cell of a grid, row by row from below; NaN where nothing was run. */
export function gridOf(x: Axis, y: Axis, decisions: readonly [Column, Column], measure: Column, runs: readonly number[]): Float64Array {
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
