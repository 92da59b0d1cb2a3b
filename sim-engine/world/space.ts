// Space: bounds, wrapping, distances, who stands where. Cells are unit squares (cubes) centred on integers, covering
// [c - .5, c + .5); east is 0 degrees, north 90, counter-clockwise. In a discrete space individuals stand on cell centres:
// a move ends on the centre of the cell it would end in.
import type { Stream } from '../kernel/random.ts'
import type { State } from '../kernel/snapshot.ts'
import type { Population } from './population.ts'

export type SpacePlan = {
  id: string
  name: string
  topology: 'discrete' | 'continuous'
  /** Discrete: first and last cell. Continuous: the coordinates lie in [min, max), or [min, max] without wrapping. */
  min: readonly [number, number] | readonly [number, number, number]
  max: readonly [number, number] | readonly [number, number, number]
  wrapX: boolean
  wrapY: boolean
  border: 'stop' | 'reflect' | 'error'
  /** Continuous: the radius most queries use; the side of the index's buckets. Blank = chosen from the number of individuals. */
  reach?: number
}

/**
 * The individuals of one population standing in a space: intrusive lists, one per bucket. In a discrete space the bucket
 * is the cell (index = cell slot); in a continuous one a square of side `space.bucketSide`.
 * A list runs from `heads[bucket]` along `next` to -1, oldest arrival first.
 */
export declare class Residents {
  readonly population: Population
  readonly space: Space
  /** Columns of the population: position and heading in degrees. NaN = not placed. */
  x: Float64Array
  y: Float64Array
  /** Empty in 2D. */
  z: Float64Array
  heading: Float64Array
  /** Bucket of a slot, -1 = not placed. */
  bucket: Int32Array
  next: Int32Array
  previous: Int32Array
  heads: Int32Array
}

export declare class Space {
  readonly id: string
  readonly name: string
  readonly isDiscrete: boolean
  readonly is3D: boolean
  readonly minX: number
  readonly maxX: number
  readonly minY: number
  readonly maxY: number
  /** Cells a row and rows: of the unit cells, whatever the topology. */
  readonly columns: number
  readonly rows: number
  readonly layers: number
  readonly wrapX: boolean
  readonly wrapY: boolean
  /** The index's grid. Discrete: the cells themselves. */
  bucketSide: number
  bucketColumns: number
  bucketRows: number
  /** Individuals standing in a bucket, of all populations. */
  occupancy: Int32Array
  /** Discrete only. Cells nobody stands on are `empty[0 .. emptyCount)`, in no special but a deterministic order. */
  empty: Int32Array
  emptyCount: number
  /** Most individuals on a cell (10061); Infinity. */
  cellCapacity: number
  constructor(plan: SpacePlan)
  /** Lets a population live here: adds the columns x, y, (z,) heading. Before anyone is born. Cells are laid out by `layCells`. */
  admit(population: Population): Residents
  residents(population: Population): Residents | undefined
  readonly admitted: readonly Residents[]
  /** The cell population of this space: creates one individual per cell, slot = (y - minY) * columns + (x - minX) (+ layer * columns * rows). */
  layCells(cells: Population): void
  readonly cells: Population | null
  /** Slot of the unit cell covering a position (wrapped); -1 outside. */
  cellAt(x: number, y: number, z?: number): number
  /** Unit cell an individual stands on, -1 = not placed. */
  cellOf(residents: Residents, slot: number): number
  cellX(cell: number): number
  cellY(cell: number): number
  cellZ(cell: number): number

  /** Puts an individual at a position: wraps, or 10060; full cell 10061. */
  place(residents: Residents, slot: number, x: number, y: number, z?: number): void
  placeOnCell(residents: Residents, slot: number, cell: number): void
  /** Takes it out of space. */
  remove(residents: Residents, slot: number): void
  randomCell(stream: Stream): number
  /** -1 when every cell is taken. O(1). */
  randomEmptyCell(stream: Stream): number
  placeAtRandom(residents: Residents, slot: number, stream: Stream): void
  /** Along the heading; negative goes backward. Over a border: wraps, stops, reflects (the heading turns too) or 10060. 10062 when not placed. */
  forward(residents: Residents, slot: number, distance: number): void
  translate(residents: Residents, slot: number, dx: number, dy: number, dz?: number): void
  turn(residents: Residents, slot: number, degrees: number): void
  setHeading(residents: Residents, slot: number, degrees: number): void
  faceXY(residents: Residents, slot: number, x: number, y: number): void

  /** Shortest difference to - from along an axis, respecting wrapping. */
  dx(from: number, to: number): number
  dy(from: number, to: number): number
  distance(x1: number, y1: number, x2: number, y2: number, z1?: number, z2?: number): number
  /** Degrees in [0, 360). */
  direction(x1: number, y1: number, x2: number, y2: number): number

  /** Slots of `who` within `radius` of a point, nearest first, ties by birth (id); `except` = a slot left out, or -1. Freshly allocated. */
  within(who: Residents, x: number, y: number, z: number, radius: number, except: number): number[]
  /** The same in index order (deterministic, unsorted): for sums and counts. */
  scan(who: Residents, x: number, y: number, z: number, radius: number, except: number): number[]
  countWithin(who: Residents, x: number, y: number, z: number, radius: number, except: number): number
  /** The n nearest, nearest first. */
  nearest(who: Residents, x: number, y: number, z: number, n: number, except: number): number[]
  /** Slots standing on a unit cell, oldest arrival first. */
  on(who: Residents, cell: number): number[]

  /** Cells within Euclidean distance radius, nearest first, not the cell itself. */
  cellsWithin(cell: number, radius: number): number[]
  /** Chebyshev distance 1..r, row by row. */
  moore(cell: number, radius: number): number[]
  /** Manhattan distance 1..r, row by row. */
  vonNeumann(cell: number, radius: number): number[]
  /**
   * A table for tight loops (2D, discrete): entries [cell * width .. cell * width + counts[cell]) are the neighbours of
   * `cell`, in the order of `moore` or `vonNeumann`. `complete` = every cell has `width` of them (both axes wrap). Made
   * once per (shape, radius).
   */
  table(shape: 'moore' | 'vonNeumann', radius: number): NeighborTable
  save(): State
  load(state: State): void
}

export type NeighborTable = { readonly width: number; readonly cells: Int32Array; readonly counts: Uint8Array | Int32Array; readonly complete: boolean }
