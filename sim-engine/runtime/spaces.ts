// Who stands where, in the subset that lower/typescript.ts lowers: world/space.ts in the plane, to the bit. `r` is the address of the
// record of a population's residents, `s` that of a space. `listed` says whether there are lists of who stands where, `wrapX`, `wrapY` and
// `border` (0 stop, 1 reflect, 2 error) what happens at the borders; `place` is where an error is.

/* oxlint-disable typescript/no-confusing-non-null-assertion -- elements of views are numbers, and are compared */

import { belowAny, uniform } from './chance.ts'
import { cosine, fullTurn, sine } from './angles.ts'
import { add } from './processes.ts'

type i32 = number
type f64 = number

declare const F64: Float64Array
declare const I32: Int32Array

// Of the host: a failure at a place, which never returns; cells nobody stands on are listed from now on; buckets are laid anew.
declare function fail(place: i32): void
declare function trackEmpty(space: i32): void
declare function layBuckets(population: i32): void
declare function toI(x: f64): i32
declare function toF(x: i32): f64

// The residents of a population: addresses of their arrays, then their numbers.
export const X = 0
export const Y = 4
export const HEADING = 8
export const BUCKET = 12
export const NEXT = 16
export const PREVIOUS = 20
export const HEADS = 24
export const PLACED = 28
export const BEHIND = 32
export const HEADS_COUNT = 36
export const RESIDENTS_SIZE = 40

// A space: its bounds, the least cell, what a cell holds; numbers of cells and buckets; addresses of what is counted.
export const LOW_X = 0
export const LOW_Y = 8
export const WIDTH = 16
export const HEIGHT = 24
export const GRID_X = 32
export const GRID_Y = 40
export const CELL_CAPACITY = 48
export const SIDE_X = 56
export const SIDE_Y = 64
export const MIN_X = 72
export const MIN_Y = 80
export const MAX_X = 88
export const MAX_Y = 96
export const COLUMNS = 104
export const ROWS_OF_CELLS = 108
export const CELLS = 112
export const BUCKET_COLUMNS = 116
export const BUCKET_ROWS = 120
export const EMPTY_COUNT = 124
export const OCCUPANCY = 128
export const EMPTY = 132
export const EMPTY_AT = 136
export const COUNTS = 140
export const TRACKS_EMPTY = 144
export const SPACE_SIZE = 152

const STOPS = 0
const REFLECTS = 1

export function atSlot(base: i32, slot: i32): i32 {
  return I32[(I32[base >> 2]! + (slot << 2)) >> 2]!
}
export function setSlot(base: i32, slot: i32, value: i32): void {
  I32[(I32[base >> 2]! + (slot << 2)) >> 2] = value
}
export function realAt(base: i32, slot: i32): f64 {
  return F64[(I32[base >> 2]! + (slot << 3)) >> 3]!
}
export function setRealAt(base: i32, slot: i32, value: f64): void {
  F64[(I32[base >> 2]! + (slot << 3)) >> 3] = value
}

// --- lists of who stands in a bucket, oldest arrival first

export function link(r: i32, slot: i32, bucket: i32, listed: i32): void {
  setSlot(r + BUCKET, slot, bucket)
  if (listed !== 0) {
    const head = atSlot(r + HEADS, bucket)
    setSlot(r + NEXT, slot, -1)
    if (head < 0) {
      setSlot(r + PREVIOUS, slot, slot)
      setSlot(r + HEADS, bucket, slot)
    } else {
      const last = atSlot(r + PREVIOUS, head)
      add(r + BEHIND, 1)
      setSlot(r + NEXT, last, slot)
      setSlot(r + PREVIOUS, slot, last)
      setSlot(r + PREVIOUS, head, slot)
    }
  }
}
export function unlink(r: i32, slot: i32, bucket: i32, listed: i32): void {
  setSlot(r + BUCKET, slot, -1)
  if (listed !== 0) {
    const before = atSlot(r + PREVIOUS, slot)
    if (before === slot) setSlot(r + HEADS, bucket, -1)
    else {
      // Without branches: who is first or last in a list is predicted badly.
      const head = atSlot(r + HEADS, bucket)
      const after = atSlot(r + NEXT, slot)
      const isOthers = (0 - (head ^ slot)) >> 31
      const isLast = after >> 31
      add(r + BEHIND, -1)
      setSlot(r + HEADS, bucket, (head & isOthers) | (after & (isOthers ^ -1)))
      setSlot(r + NEXT, (before & isOthers) | (slot & (isOthers ^ -1)), after)
      setSlot(r + PREVIOUS, (after & (isLast ^ -1)) | (head & isLast), before)
    }
  }
}
export function countOut(s: i32, cell: i32): void {
  const left = atSlot(s + OCCUPANCY, cell) - 1
  setSlot(s + OCCUPANCY, cell, left)
  if (left <= 0) {
    if (I32[(s + TRACKS_EMPTY) >> 2]! !== 0) {
      const count = I32[(s + EMPTY_COUNT) >> 2]!
      setSlot(s + EMPTY_AT, cell, count)
      setSlot(s + EMPTY, count, cell)
      I32[(s + EMPTY_COUNT) >> 2] = count + 1
    }
  }
}
export function countStep(s: i32, old: i32, cell: i32, place: i32): void {
  if (toF(atSlot(s + OCCUPANCY, cell)) >= F64[(s + CELL_CAPACITY) >> 3]!) fail(place)
  if (old >= 0) countOut(s, old)
  const before = atSlot(s + OCCUPANCY, cell)
  setSlot(s + OCCUPANCY, cell, before + 1)
  if (before <= 0) {
    if (I32[(s + TRACKS_EMPTY) >> 2]! !== 0) {
      const at = atSlot(s + EMPTY_AT, cell)
      const count = I32[(s + EMPTY_COUNT) >> 2]! - 1
      I32[(s + EMPTY_COUNT) >> 2] = count
      const last = atSlot(s + EMPTY, count)
      setSlot(s + EMPTY, at, last)
      setSlot(s + EMPTY_AT, last, at)
      setSlot(s + EMPTY_AT, cell, -1)
    }
  }
}
export function randomEmptyCell(s: i32, space: i32, stream: i32): i32 {
  if (I32[(s + TRACKS_EMPTY) >> 2]! === 0) trackEmpty(space)
  const count = I32[(s + EMPTY_COUNT) >> 2]!
  if (count === 0) return -1
  return atSlot(s + EMPTY, toI(belowAny(stream, toF(count))))
}
export function randomCell(s: i32, stream: i32): i32 {
  return toI(belowAny(stream, toF(I32[(s + CELLS) >> 2]!)))
}
/** Takes an individual out of a space; `nowhere` is not a number. */
export function leaveSpace(r: i32, s: i32, slot: i32, listed: i32, isDiscrete: i32, nowhere: f64): void {
  const bucket = atSlot(r + BUCKET, slot)
  if (bucket >= 0) {
    unlink(r, slot, bucket, listed)
    add(r + PLACED, -1)
    if (isDiscrete !== 0) {
      if (I32[(s + COUNTS) >> 2]! !== 0) countOut(s, bucket)
    }
    setRealAt(r + X, slot, nowhere)
    setRealAt(r + Y, slot, nowhere)
  }
}

// --- cells

/** The cell at a position, -1 where there is none. */
export function gridAt(s: i32, x: f64, y: f64, wrapX: i32, wrapY: i32): i32 {
  const columns = toF(I32[(s + COLUMNS) >> 2]!)
  const rows = toF(I32[(s + ROWS_OF_CELLS) >> 2]!)
  let column = Math.floor(x + 0.5) - F64[(s + GRID_X) >> 3]!
  let row = Math.floor(y + 0.5) - F64[(s + GRID_Y) >> 3]!
  if (!(column >= 0.0 && column < columns)) {
    if (wrapX === 0 || !(column - column === 0.0)) return -1
    column = column - Math.floor(column / columns) * columns
  }
  if (!(row >= 0.0 && row < rows)) {
    if (wrapY === 0 || !(row - row === 0.0)) return -1
    row = row - Math.floor(row / rows) * rows
  }
  return toI(row * columns + column)
}
/** The cell of a position on or within the outer edges. */
export function cellNear(s: i32, x: f64, y: f64): i32 {
  const columns = I32[(s + COLUMNS) >> 2]!
  const rows = I32[(s + ROWS_OF_CELLS) >> 2]!
  let column = Math.floor(x + 0.5) - F64[(s + GRID_X) >> 3]!
  let row = Math.floor(y + 0.5) - F64[(s + GRID_Y) >> 3]!
  if (column < 0.0) column = 0.0
  if (column > toF(columns - 1)) column = toF(columns - 1)
  if (row < 0.0) row = 0.0
  if (row > toF(rows - 1)) row = toF(rows - 1)
  return Math.imul(toI(row), columns) + toI(column)
}
/** Lists an individual on a cell: 0 where it stands there already. */
export function enter(r: i32, s: i32, slot: i32, cell: i32, listed: i32, place: i32): i32 {
  const old = atSlot(r + BUCKET, slot)
  if (old === cell) return 0
  if (I32[(s + COUNTS) >> 2]! !== 0) countStep(s, old, cell, place)
  if (old >= 0) unlink(r, slot, old, listed)
  else add(r + PLACED, 1)
  link(r, slot, cell, listed)
  return 1
}
export function stepTo(r: i32, s: i32, slot: i32, column: i32, row: i32, listed: i32, place: i32): void {
  const cell = Math.imul(row, I32[(s + COLUMNS) >> 2]!) + column
  if (enter(r, s, slot, cell, listed, place) !== 0) {
    setRealAt(r + X, slot, toF(column) + F64[(s + GRID_X) >> 3]!)
    setRealAt(r + Y, slot, toF(row) + F64[(s + GRID_Y) >> 3]!)
  }
}
/** Onto a cell that exists. */
export function stepOn(r: i32, s: i32, slot: i32, cell: i32, listed: i32, place: i32): void {
  const columns = I32[(s + COLUMNS) >> 2]!
  const row = toI(Math.floor(toF(cell) / toF(columns)))
  stepTo(r, s, slot, cell - Math.imul(row, columns), row, listed, place)
}
export function placeOnCell(r: i32, s: i32, slot: i32, cell: i32, listed: i32, place: i32, outside: i32): void {
  if (!(cell >= 0 && cell < I32[(s + CELLS) >> 2]!)) fail(outside)
  stepOn(r, s, slot, cell, listed, place)
}
/** Onto the cell that covers a position, which fails at `outside` where there is none. */
export function placeOnCellAt(
  r: i32,
  s: i32,
  slot: i32,
  x: f64,
  y: f64,
  wrapX: i32,
  wrapY: i32,
  listed: i32,
  place: i32,
  outside: i32,
): void {
  const column = Math.floor(x + 0.5) - F64[(s + GRID_X) >> 3]!
  const row = Math.floor(y + 0.5) - F64[(s + GRID_Y) >> 3]!
  if (column >= 0.0 && column < toF(I32[(s + COLUMNS) >> 2]!) && row >= 0.0 && row < toF(I32[(s + ROWS_OF_CELLS) >> 2]!)) {
    stepTo(r, s, slot, toI(column), toI(row), listed, place)
    return
  }
  const cell = gridAt(s, x, y, wrapX, wrapY)
  if (cell < 0) fail(outside)
  stepOn(r, s, slot, cell, listed, place)
}

// --- moves

export function wrap(value: f64, low: f64, high: f64): f64 {
  if (value >= low && value < high) return value
  const width = high - low
  let inside = value >= high ? value - width : value + width
  if (!(inside >= low && inside < high)) inside = value - Math.floor((value - low) / width) * width
  return inside >= high ? low : inside
}
/** One coordinate after a move over a border; `mirror` is what a reflected heading is taken from. */
export function cross(
  r: i32,
  slot: i32,
  value: f64,
  low: f64,
  high: f64,
  wraps: i32,
  border: i32,
  isDiscrete: i32,
  mirror: f64,
  outside: i32,
): f64 {
  if (value >= low && value < high) return value
  if (wraps !== 0) return wrap(value, low, high)
  if (isDiscrete === 0 && value === high) return value
  if (value !== value || border > REFLECTS) fail(outside)
  if (border === STOPS || value - value !== 0.0) return value < low ? low : high
  const round = 2.0 * (high - low)
  let bounced = value - Math.floor((value - low) / round) * round
  if (bounced > high) {
    bounced = 2.0 * high - bounced
    setRealAt(r + HEADING, slot, fullTurn(mirror - realAt(r + HEADING, slot)))
  }
  return bounced
}
/** `nowhere` is where somebody who stands nowhere fails, `full` where a cell is full. */
export function translate(
  r: i32,
  s: i32,
  population: i32,
  slot: i32,
  dx: f64,
  dy: f64,
  wrapX: i32,
  wrapY: i32,
  border: i32,
  listed: i32,
  isDiscrete: i32,
  nowhere: i32,
  outside: i32,
  full: i32,
): void {
  if (atSlot(r + BUCKET, slot) < 0) fail(nowhere)
  const toX = realAt(r + X, slot) + dx
  const toY = realAt(r + Y, slot) + dy
  if (isDiscrete !== 0) {
    const column = Math.floor(toX + 0.5) - F64[(s + GRID_X) >> 3]!
    const row = Math.floor(toY + 0.5) - F64[(s + GRID_Y) >> 3]!
    if (column >= 0.0 && column < toF(I32[(s + COLUMNS) >> 2]!) && row >= 0.0 && row < toF(I32[(s + ROWS_OF_CELLS) >> 2]!)) {
      stepTo(r, s, slot, toI(column), toI(row), listed, full)
      return
    }
  }
  const lowX = F64[(s + LOW_X) >> 3]!
  const lowY = F64[(s + LOW_Y) >> 3]!
  const x = cross(r, slot, toX, lowX, lowX + F64[(s + WIDTH) >> 3]!, wrapX, border, isDiscrete, 180.0, outside)
  const y = cross(r, slot, toY, lowY, lowY + F64[(s + HEIGHT) >> 3]!, wrapY, border, isDiscrete, 0.0, outside)
  if (isDiscrete !== 0) placeOnCell(r, s, slot, cellNear(s, x, y), listed, full, outside)
  else settleAt(r, s, population, slot, x, y)
}
export function forward(
  r: i32,
  s: i32,
  population: i32,
  slot: i32,
  distance: f64,
  wrapX: i32,
  wrapY: i32,
  border: i32,
  listed: i32,
  isDiscrete: i32,
  nowhere: i32,
  outside: i32,
  full: i32,
): void {
  const heading = realAt(r + HEADING, slot)
  const dx = distance * cosine(heading)
  translate(r, s, population, slot, dx, distance * sine(heading), wrapX, wrapY, border, listed, isDiscrete, nowhere, outside, full)
}
export function turn(r: i32, slot: i32, degrees: f64): void {
  setRealAt(r + HEADING, slot, fullTurn(realAt(r + HEADING, slot) + degrees))
}
export function setHeading(r: i32, slot: i32, degrees: f64): void {
  setRealAt(r + HEADING, slot, fullTurn(degrees))
}

// --- open spaces

export function bucketAt(s: i32, x: f64, y: f64): i32 {
  const columns = I32[(s + BUCKET_COLUMNS) >> 2]!
  const rows = I32[(s + BUCKET_ROWS) >> 2]!
  let column = toI(Math.floor((x - F64[(s + LOW_X) >> 3]!) / F64[(s + SIDE_X) >> 3]!))
  let row = toI(Math.floor((y - F64[(s + LOW_Y) >> 3]!) / F64[(s + SIDE_Y) >> 3]!))
  if (column > columns - 1) column = columns - 1
  if (row > rows - 1) row = rows - 1
  return Math.imul(row, columns) + column
}
export function settleAt(r: i32, s: i32, population: i32, slot: i32, x: f64, y: f64): void {
  const bucket = bucketAt(s, x, y)
  const old = atSlot(r + BUCKET, slot)
  setRealAt(r + X, slot, x)
  setRealAt(r + Y, slot, y)
  if (bucket !== old) {
    if (old >= 0) unlink(r, slot, old, 1)
    else add(r + PLACED, 1)
    link(r, slot, bucket, 1)
    if (old < 0) {
      if (I32[(r + PLACED) >> 2]! > I32[(r + HEADS_COUNT) >> 2]! << 2) layBuckets(population)
    }
  }
}
/** At a position of an open space. */
export function placeAt(r: i32, s: i32, population: i32, slot: i32, x: f64, y: f64, wrapX: i32, wrapY: i32, outside: i32): void {
  const lowX = F64[(s + MIN_X) >> 3]!
  const highX = F64[(s + MAX_X) >> 3]!
  const lowY = F64[(s + MIN_Y) >> 3]!
  const highY = F64[(s + MAX_Y) >> 3]!
  const px = wrapX !== 0 ? wrap(x, lowX, highX) : x
  const py = wrapY !== 0 ? wrap(y, lowY, highY) : y
  if (!(px >= lowX && px <= highX && py >= lowY && py <= highY)) fail(outside)
  settleAt(r, s, population, slot, px, py)
}
export function placeAnywhere(r: i32, s: i32, population: i32, slot: i32, stream: i32): void {
  const x = F64[(s + MIN_X) >> 3]! + uniform(stream) * F64[(s + WIDTH) >> 3]!
  const y = F64[(s + MIN_Y) >> 3]! + uniform(stream) * F64[(s + HEIGHT) >> 3]!
  settleAt(r, s, population, slot, x, y)
}
