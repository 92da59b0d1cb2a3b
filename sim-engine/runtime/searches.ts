// Who is near, and which link joins two, in the subset that lower/typescript.ts lowers: what world/space.ts and world/links.ts find, to the
// bit. `l` is the address of a list's record, `r` that of a population's residents, `s` that of a space.

/* oxlint-disable typescript/no-confusing-non-null-assertion -- elements of views are numbers, and are compared */

import { atan2, fullTurn } from './angles.ts'
import { ENTRIES, ENTRY_ROOM, TOP_ENTRY } from './choices.ts'
import {
  atSlot,
  BUCKET_COLUMNS,
  BUCKET_ROWS,
  HEADS,
  HEIGHT,
  LOW_X,
  LOW_Y,
  NEXT,
  PLACED,
  realAt,
  SIDE_X,
  SIDE_Y,
  WIDTH,
  X,
  Y,
} from './spaces.ts'

type i32 = number
type f64 = number

declare const F64: Float64Array
declare const I32: Int32Array

declare function toI(x: f64): i32
declare function toF(x: i32): f64
// Of the host: room for so many entries, where those that are there stay.
declare function lengthen(entries: i32): void

/** The shortest way along an axis, which may be a circle. */
export function shortestWay(d: f64, size: f64, wraps: i32): f64 {
  if (wraps === 0) return d
  const half = size / 2.0
  if (d > half) return d - size
  if (d < 0.0 - half) return d + size
  return d
}
/** How long it is, without a branch on which way that is: beyond half of a circle the other way is shorter, to the bit. */
export function shortestLength(d: f64, size: f64, wraps: i32): f64 {
  const length = Math.abs(d)
  return wraps === 0 ? length : Math.min(length, Math.abs(length - size))
}
/** How far a position is from another. */
export function distanceIn(s: i32, fromX: f64, fromY: f64, toX: f64, toY: f64, wrapX: i32, wrapY: i32): f64 {
  const dx = shortestLength(toX - fromX, F64[(s + WIDTH) >> 3]!, wrapX)
  const dy = shortestLength(toY - fromY, F64[(s + HEIGHT) >> 3]!, wrapY)
  return Math.sqrt(dx * dx + dy * dy)
}
/** Degrees from a position to another; 0 for the same. */
export function directionIn(s: i32, fromX: f64, fromY: f64, toX: f64, toY: f64, wrapX: i32, wrapY: i32): f64 {
  const dx = shortestWay(toX - fromX, F64[(s + WIDTH) >> 3]!, wrapX)
  const dy = shortestWay(toY - fromY, F64[(s + HEIGHT) >> 3]!, wrapY)
  if (dx === 0.0) {
    if (dy === 0.0) return 0.0
  }
  return fullTurn(atan2(dy, dx) * 57.29577951308232)
}

/** A number of a bucket as one of those there are. */
export function amongBuckets(bucket: f64, count: i32): i32 {
  if (bucket < 0.0) return 0
  return bucket < toF(count) ? toI(bucket) : count - 1
}
/** How many buckets along an axis may hold what is within a radius: each at most once, at least one. */
export function bucketsAlong(at: f64, radius: f64, side: f64, count: i32, wraps: i32): i32 {
  const first = Math.floor((at - radius) / side)
  const last = Math.floor((at + radius) / side)
  if (wraps === 0) return amongBuckets(last, count) - amongBuckets(first, count) + 1
  return last - first + 1.0 >= toF(count) ? count : toI(last - first + 1.0)
}
/** The first of them. */
export function firstBucket(at: f64, radius: f64, side: f64, count: i32, wraps: i32): i32 {
  const first = Math.floor((at - radius) / side)
  if (wraps === 0) return amongBuckets(first, count)
  if (bucketsAlong(at, radius, side, count, wraps) === count) return 0
  return toI(first - Math.floor(first / toF(count)) * toF(count))
}

/**
 * Puts those within a radius of a position behind the entries of a list, nearest first, the older first of those as near; `except` is left
 * out. Each is an entry with its squared distance, then one with its slot. Gives the first entry; the list's top is behind the last.
 */
export function gatherNear(l: i32, r: i32, s: i32, ids: i32, x: f64, y: f64, radius: f64, wrapX: i32, wrapY: i32, except: i32): i32 {
  const from = I32[(l + TOP_ENTRY) >> 2]!
  if (!(radius >= 0.0)) return from
  if (I32[(r + PLACED) >> 2]! === 0) return from
  const limit = radius * radius
  const columns = I32[(s + BUCKET_COLUMNS) >> 2]!
  const rows = I32[(s + BUCKET_ROWS) >> 2]!
  const width = F64[(s + WIDTH) >> 3]!
  const height = F64[(s + HEIGHT) >> 3]!
  const atX = x - F64[(s + LOW_X) >> 3]!
  const atY = y - F64[(s + LOW_Y) >> 3]!
  const sideX = F64[(s + SIDE_X) >> 3]!
  const sideY = F64[(s + SIDE_Y) >> 3]!
  const x0 = firstBucket(atX, radius, sideX, columns, wrapX)
  const nx = bucketsAlong(atX, radius, sideX, columns, wrapX)
  const y0 = firstBucket(atY, radius, sideY, rows, wrapY)
  const ny = bucketsAlong(atY, radius, sideY, rows, wrapY)
  let top = from
  let j = 0
  while (j < ny) {
    const row = y0 + j >= rows ? y0 + j - rows : y0 + j
    let i = 0
    while (i < nx) {
      const column = x0 + i >= columns ? x0 + i - columns : x0 + i
      let slot = atSlot(r + HEADS, row * columns + column)
      while (slot >= 0) {
        if (slot !== except) {
          const dx = shortestLength(realAt(r + X, slot) - x, width, wrapX)
          const dy = shortestLength(realAt(r + Y, slot) - y, height, wrapY)
          const square = dx * dx + dy * dy
          if (square <= limit) {
            if (top + 2 > I32[(l + ENTRY_ROOM) >> 2]!) lengthen((top + 16) << 1)
            const at = I32[(l + ENTRIES) >> 2]! + (top << 3)
            F64[at >> 3] = square
            I32[(at + 8) >> 2] = slot
            top = top + 2
          }
        }
        slot = atSlot(r + NEXT, slot)
      }
      i = i + 1
    }
    j = j + 1
  }
  I32[(l + TOP_ENTRY) >> 2] = top
  sortNear(I32[(l + ENTRIES) >> 2]! + (from << 3), top - from, ids)
  return from
}
/** Sorts entries in pairs by distance, ties by birth: Shell's sort. */
export function sortNear(entries: i32, n: i32, ids: i32): void {
  const end = n << 3
  let gap = 16
  while (gap < end >> 2) gap = gap << 2
  while (gap >= 16) {
    let k = gap
    while (k < end) {
      const square = F64[(entries + k) >> 3]!
      const slot = I32[(entries + k + 8) >> 2]!
      const id = F64[(ids + (slot << 3)) >> 3]!
      let at = k
      while (at >= gap) {
        const before = entries + (at - gap)
        const other = F64[before >> 3]!
        if (other < square) break
        const who = I32[(before + 8) >> 2]!
        if (other === square) {
          if (F64[(ids + (who << 3)) >> 3]! < id) break
        }
        F64[(entries + at) >> 3] = other
        I32[(entries + at + 8) >> 2] = who
        at = at - gap
      }
      F64[(entries + at) >> 3] = square
      I32[(entries + at + 8) >> 2] = slot
      k = k + 16
    }
    gap = gap >> 2
  }
}

/**
 * The link from slot `a` of population `p` to slot `b` of population `q`, -1 where there is none: the shorter of the two stretches of
 * `linkAt` and `nodeAt` is gone through. The arrays that follow them are those of links, which are looked at only where nodes of several
 * populations are linked: else a slot tells who it is. Where there is at most one link, few near by are gone through first: they are at hand.
 */
export function linkIn(
  a: i32,
  p: i32,
  b: i32,
  q: i32,
  outFrom: i32,
  outCount: i32,
  inFrom: i32,
  inCount: i32,
  nodeAt: i32,
  linkAt: i32,
  source: i32,
  sourcePopulation: i32,
  target: i32,
  targetPopulation: i32,
  isDirected: i32,
  isMixed: i32,
  isOnly: i32,
): i32 {
  const isForward = outCount <= inCount || (isOnly !== 0 && outCount <= 16)
  let k = isForward ? outFrom : inFrom
  const end = k + (isForward ? outCount : inCount)
  const far = isForward ? b : a
  while (k < end) {
    if (I32[(nodeAt + (k << 2)) >> 2]! === far) {
      const link = I32[(linkAt + (k << 2)) >> 2]!
      if (isMixed === 0) return link
      const from = I32[(source + (link << 2)) >> 2]!
      const to = I32[(target + (link << 2)) >> 2]!
      const of = I32[(sourcePopulation + (link << 2)) >> 2]!
      const at = I32[(targetPopulation + (link << 2)) >> 2]!
      if (from === a && of === p && to === b && at === q) return link
      if (isDirected === 0) {
        if (from === b && of === q && to === a && at === p) return link
      }
    }
    k = k + 1
  }
  return -1
}
/** Whether a node stands at one of the entries from one to below another. */
export function isAmong(nodeAt: i32, from: i32, to: i32, node: i32): i32 {
  let k = from
  while (k < to) {
    if (I32[(nodeAt + (k << 2)) >> 2]! === node) return 1
    k = k + 1
  }
  return 0
}
