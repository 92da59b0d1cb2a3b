// Lists of individuals that steps choose from, in the subset that lower/typescript.ts lowers: as `pickRandom` and `someOf` of
// run/surface/choosing.ts, to the bit. `l` is the address of the list's record; its entries are handles.

/* oxlint-disable typescript/no-confusing-non-null-assertion -- elements of views are numbers, and are compared */

import { belowAny } from './chance.ts'
import { COUNT, LIVING, LIVING_COUNT, handleIn } from './populations.ts'
import { slotIn } from './processes.ts'

type i32 = number
type f64 = number

declare const F64: Float64Array
declare const I32: Int32Array

// Numbers of words, and words of numbers: single instructions.
declare function toF(x: i32): f64
declare function toI(x: f64): i32
// Of the host: room for so many entries, where those that are there stay.
declare function lengthen(entries: i32): void
declare function lengthenLists(entries: i32): void

// A list's record: the address of its entries, how many there is room for, and how many are taken: searches of formulas put theirs behind.
export const ENTRIES = 0
export const ENTRY_ROOM = 4
export const TOP_ENTRY = 8
export const LIST_SIZE = 16

// Of the list that a variable of an individual holds: its first entry in the heap of such lists, which has a record as above, how many there are,
// how many there is room for, and whether it was changed.
export const LIST_FROM = 0
export const LIST_COUNT = 4
export const LIST_ROOM = 8
export const LIST_CHANGED = 12
export const OWN_LIST_SIZE = 16

/** As many are drawn from a whole population without a list of all. */
const fewest = 32

/** Puts a handle behind `n` others. */
export function enlist(l: i32, n: i32, handle: f64): void {
  if (n >= I32[(l + ENTRY_ROOM) >> 2]!) lengthen((n + 16) << 1)
  F64[(I32[(l + ENTRIES) >> 2]! + (n << 3)) >> 3] = handle
  I32[(l + TOP_ENTRY) >> 2] = n + 1
}
/** Puts a handle at a place of which all before are taken. */
export function enlistAt(l: i32, at: i32, handle: f64): void {
  if (at >= I32[(l + ENTRY_ROOM) >> 2]!) lengthen((at + 16) << 1)
  F64[(I32[(l + ENTRIES) >> 2]! + (at << 3)) >> 3] = handle
  if (at >= I32[(l + TOP_ENTRY) >> 2]!) I32[(l + TOP_ENTRY) >> 2] = at + 1
}
/**
 * Puts a value behind the `count` of a list that begins at `from`, and gives where it begins now: a list has room for eight or the next
 * power of two; a full one gets twice as much, behind all others.
 */
export function listAdd(l: i32, from: i32, count: i32, value: f64): i32 {
  let at = from
  if (count === 0 || (count >= 8 && (count & (count - 1)) === 0)) {
    const room = count === 0 ? 8 : count << 1
    at = I32[(l + TOP_ENTRY) >> 2]!
    if (at + room > I32[(l + ENTRY_ROOM) >> 2]!) lengthen((at + room) << 1)
    const entries = I32[(l + ENTRIES) >> 2]!
    let k = 0
    while (k < count) {
      F64[(entries + ((at + k) << 3)) >> 3] = F64[(entries + ((from + k) << 3)) >> 3]!
      k = k + 1
    }
    I32[(l + TOP_ENTRY) >> 2] = at + room
  }
  F64[(I32[(l + ENTRIES) >> 2]! + ((at + count) << 3)) >> 3] = value
  return at
}
/** Puts a value behind all others of the list `at`, in the heap `l`: one that is full gets a place with twice the room. */
export function listPush(l: i32, at: i32, value: f64): void {
  const count = I32[(at + LIST_COUNT) >> 2]!
  if (count >= I32[(at + LIST_ROOM) >> 2]!) {
    const room = count < 4 ? 8 : count << 1
    if (I32[(l + TOP_ENTRY) >> 2]! + room > I32[(l + ENTRY_ROOM) >> 2]!) lengthenLists(I32[(l + TOP_ENTRY) >> 2]! + room)
    const to = I32[(l + TOP_ENTRY) >> 2]!
    const from = I32[(at + LIST_FROM) >> 2]!
    const entries = I32[(l + ENTRIES) >> 2]!
    let k = 0
    while (k < count) {
      F64[(entries + ((to + k) << 3)) >> 3] = F64[(entries + ((from + k) << 3)) >> 3]!
      k = k + 1
    }
    I32[(l + TOP_ENTRY) >> 2] = to + room
    I32[(at + LIST_FROM) >> 2] = to
    I32[(at + LIST_ROOM) >> 2] = room
  }
  F64[(I32[(l + ENTRIES) >> 2]! + ((I32[(at + LIST_FROM) >> 2]! + count) << 3)) >> 3] = value
  I32[(at + LIST_COUNT) >> 2] = count + 1
  I32[(at + LIST_CHANGED) >> 2] = 1
}
/** Takes the value at a place out of the list `at`, and gives it. */
export function listTake(l: i32, at: i32, place: i32): f64 {
  const first = I32[(l + ENTRIES) >> 2]! + (I32[(at + LIST_FROM) >> 2]! << 3)
  const value = F64[(first + (place << 3)) >> 3]!
  const last = I32[(at + LIST_COUNT) >> 2]! - 1
  let k = place
  while (k < last) {
    F64[(first + (k << 3)) >> 3] = F64[(first + ((k + 1) << 3)) >> 3]!
    k = k + 1
  }
  I32[(at + LIST_COUNT) >> 2] = last
  I32[(at + LIST_CHANGED) >> 2] = 1
  return value
}
/** Puts `n` entries in the order of birth: Shell's sort, as thousands may stand at one place. */
export function sortByBirth(l: i32, n: i32, ids: i32): void {
  const entries = I32[(l + ENTRIES) >> 2]!
  let gap = 1
  while (gap < n) gap = (gap << 1) + 1
  while (gap > 0) {
    let k = gap
    while (k < n) {
      const handle = F64[(entries + (k << 3)) >> 3]!
      const id = F64[(ids + (slotIn(handle) << 3)) >> 3]!
      let at = k
      while (at >= gap) {
        const before = F64[(entries + ((at - gap) << 3)) >> 3]!
        if (F64[(ids + (slotIn(before) << 3)) >> 3]! < id) break
        F64[(entries + (at << 3)) >> 3] = before
        at = at - gap
      }
      F64[(entries + (at << 3)) >> 3] = handle
      k = k + 1
    }
    gap = gap >> 1
  }
}
/** The lower of a whole number and a count. */
export function atMost(n: f64, count: i32): i32 {
  return n < toF(count) ? toI(n) : count
}
/** Brings `n` of `size` entries to the front, drawn without putting back: how many. */
export function pickRandom(l: i32, size: i32, n: f64, stream: i32): i32 {
  const entries = I32[(l + ENTRIES) >> 2]!
  const count = atMost(n, size)
  let k = 0
  while (k < count) {
    const at = entries + (k << 3)
    const other = entries + ((k + toI(belowAny(stream, toF(size - k)))) << 3)
    const handle = F64[at >> 3]!
    F64[at >> 3] = F64[other >> 3]!
    F64[other >> 3] = handle
    k = k + 1
  }
  return count
}
/** What stands at a place of a row of places, some of which were swapped: pairs of a place and what stands there. */
export function placedAt(from: i32, to: i32, place: i32): i32 {
  let at = from
  while (at < to) {
    if (I32[at >> 2]! === place) return I32[(at + 4) >> 2]!
    at = at + 8
  }
  return place
}
/** Lists `n` of all who live, drawn without putting back: how many. */
export function someOf(p: i32, l: i32, n: f64, stream: i32): i32 {
  const size = I32[(p + LIVING_COUNT) >> 2]!
  const count = atMost(n, size)
  const living = I32[(p + LIVING) >> 2]!
  if (size !== I32[(p + COUNT) >> 2]! || count << 2 >= size || count > fewest) {
    let found = 0
    let k = 0
    while (k < size) {
      const handle = handleIn(p, I32[(living + (k << 2)) >> 2]!)
      if (handle >= 0.0) {
        enlist(l, found, handle)
        found = found + 1
      }
      k = k + 1
    }
    return pickRandom(l, found, n, stream)
  }
  if (I32[(l + ENTRY_ROOM) >> 2]! < 64) lengthen(64)
  const entries = I32[(l + ENTRIES) >> 2]!
  // Places that were swapped stand behind the chosen, of which there are 32 at most.
  const from = entries + 256
  let to = from
  let k = 0
  while (k < count) {
    const drawn = k + toI(belowAny(stream, toF(size - k)))
    F64[(entries + (k << 3)) >> 3] = handleIn(p, I32[(living + (placedAt(from, to, drawn) << 2)) >> 2]!)
    const own = placedAt(from, to, k)
    let at = from
    while (at < to) {
      if (I32[at >> 2]! === drawn) break
      at = at + 8
    }
    I32[at >> 2] = drawn
    I32[(at + 4) >> 2] = own
    if (at === to) to = to + 8
    k = k + 1
  }
  return count
}
