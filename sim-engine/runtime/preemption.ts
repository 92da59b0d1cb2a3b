// Units that are taken from those who hold them at a lower priority, in the subset that lower/typescript.ts lowers: what
// world/containers.ts and run/kernel.ts do, to the bit. Who works with them goes on when units are there again.

/* oxlint-disable typescript/no-confusing-non-null-assertion -- elements of views are numbers, and are compared */

import {
  REGAINS,
  expect,
  fitsUnits,
  freeHold,
  hasRecords,
  hasSlot,
  holdAs,
  leaveHolder,
  newRequest,
  passSlot,
  queueUp,
  recordQueue,
  requestIn,
  serve,
  takeRequest,
} from './containers.ts'
import {
  ASKED,
  ASKED_BY,
  ASKED_BY_ROOM,
  ASKED_COUNT,
  ASKED_FREE,
  ASKED_REALS,
  ASKED_ROOM,
  ASKED_TOP,
  ASKERS,
  ASKERS_ROOM,
  BOOK,
  CAPACITY,
  FIRST_HOLD,
  FLEXIBLE,
  GOT,
  HELD,
  HELD_REALS,
  HOLDER_ROOM,
  HOLD_SEQUENCE,
  INDEX,
  LEAST_TAKEN,
  MARKS,
  ODD,
  PREEMPTIONS,
  QUEUE_FROM,
  QUEUE_ROOM,
  QUEUE_TO,
  STRICT,
  SUSPENDED_COUNT,
  TIME,
  TOKEN_TOP,
  T_EVENT,
  T_HOLDER,
  T_LENGTH,
  T_PC,
  T_REQUEST,
  T_SUSPENDED,
  T_UNTIL,
  USED,
  WOKEN_COUNT,
  WOKEN_ROOM,
  add,
  cancel,
  hasRows,
  int,
  real,
  record,
  recordWait,
  setInt,
  setReal,
} from './processes.ts'

type i32 = number
type f64 = number

/** What a request that takes units from others does: interrupted work goes on where it was, or begins anew. */
export const TO_RESUME = 4
export const TO_RESTART = 5

declare const F64: Float64Array
declare const I32: Int32Array

/** Whether there are slots for `n` requests that wait. */
export function hasAskers(n: i32): i32 {
  const free = I32[ASKED_COUNT >> 2]!
  const most = I32[ASKED_ROOM >> 2]! < I32[ASKERS_ROOM >> 2]! ? I32[ASKED_ROOM >> 2]! : I32[ASKERS_ROOM >> 2]!
  let k = 0
  while (k < n) {
    const slot = k < free ? int(ASKED_FREE, free - 1 - k) : I32[ASKED_TOP >> 2]! + k - free
    if (slot >= most) return 0
    k = k + 1
  }
  return 1
}
/** Whether `askOver` knows what to do, whatever its priority: there is room should work with all units of the container be interrupted. */
export function canAskOver(c: i32, t: i32, units: f64): i32 {
  const marks = I32[(c + MARKS) >> 2]!
  const book = I32[(c + BOOK) >> 2]!
  const holder = int(T_HOLDER, t)
  if (I32[(c + STRICT) >> 2]! !== 0 || I32[(marks + ODD) >> 2]! !== 0) return 0
  if (holder >= I32[HOLDER_ROOM >> 2]! || holder >= I32[ASKED_BY_ROOM >> 2]! || I32[TOKEN_TOP >> 2]! > I32[HOLDER_ROOM >> 2]!) return 0
  if (units < 1.0 || units > F64[(book + CAPACITY) >> 3]!) return 0
  if (fitsUnits(book, units) !== 0) return hasRecords(1) !== 0 && hasSlot() !== 0 ? 1 : 0
  let n = 1
  let hold = I32[(marks + FIRST_HOLD) >> 2]!
  while (hold >= 0) {
    const at = hold << 3
    if (int(HELD, at) >= I32[ASKED_BY_ROOM >> 2]! || real(HELD_REALS, hold << 2) < 1.0) return 0
    n = n + 1
    hold = int(HELD, at + 4)
  }
  const to = I32[(marks + QUEUE_TO) >> 2]!
  const most = to - I32[(marks + QUEUE_FROM) >> 2]! + n
  const room = I32[(c + QUEUE_ROOM) >> 2]!
  if (to + n > room && most << 1 > room) return 0
  if (hasAskers(n) === 0 || I32[WOKEN_COUNT >> 2]! + most > I32[WOKEN_ROOM >> 2]!) return 0
  const records = I32[(marks + FLEXIBLE) >> 2]! !== 0 ? most << 3 : most
  return hasRecords(records + 1) !== 0 && hasRows(most) !== 0 ? 1 : 0
}
/** Requests units, where `canAskOver`, as `ask` does; work of lower priority is interrupted for it where that is enough. */
export function askOver(c: i32, t: i32, units: f64, priority: f64, next: i32, does: i32): i32 {
  const book = I32[(c + BOOK) >> 2]!
  const marks = I32[(c + MARKS) >> 2]!
  const sequence = F64[HOLD_SEQUENCE >> 3]!
  if (fitsUnits(book, units) !== 0) {
    passSlot()
    holdOver(c, t, units, priority, sequence)
    return 1
  }
  let left = interruptedFor(c, units, priority)
  if (left < 0) {
    const slot = newRequest(I32[(c + INDEX) >> 2]!, t, units, priority)
    setInt(ASKED, (slot << 3) + 6, does)
    expect(c, LEAST_TAKEN, units)
    queueUp(c, slot)
    recordQueue(c)
    setInt(T_PC, t, next)
    return 0
  }
  // Its own request has a slot meanwhile, and a number.
  const slot = takeRequest()
  F64[HOLD_SEQUENCE >> 3] = sequence + 1.0
  while (left > 0) {
    interrupt(c, nextInterrupted(c, priority, 1.0 / 0.0, 0.0, -1), does)
    left = left - 1
  }
  holdOver(c, t, units, priority, sequence)
  if (I32[(marks + QUEUE_FROM) >> 2]! !== I32[(marks + QUEUE_TO) >> 2]!) serve(c)
  F64[GOT >> 3] = units
  setInt(ASKED, (slot << 3) + 1, -1)
  setInt(ASKED_FREE, I32[ASKED_COUNT >> 2]!, slot)
  add(ASKED_COUNT, 1)
  return 1
}
/** Units that are there are held from now on. */
export function holdOver(c: i32, t: i32, units: f64, priority: f64, sequence: f64): void {
  const book = I32[(c + BOOK) >> 2]!
  F64[(book + USED) >> 3] = F64[(book + USED) >> 3]! + units
  holdAs(c, int(T_HOLDER, t), units, priority, sequence)
  record(book)
  recordWait(book, 0.0)
  F64[GOT >> 3] = units
}
/** How many holders of lower priority have to be interrupted for so many units; -1 where all of them are not enough. */
export function interruptedFor(c: i32, units: f64, priority: f64): i32 {
  const book = I32[(c + BOOK) >> 2]!
  let free = F64[(book + CAPACITY) >> 3]! - F64[(book + USED) >> 3]!
  let n = 0
  let lastPriority = 1.0 / 0.0
  let lastSequence = 0.0
  let lastPlace = -1
  while (free < units) {
    const hold = nextInterrupted(c, priority, lastPriority, lastSequence, lastPlace)
    if (hold < 0) return -1
    lastPriority = real(HELD_REALS, (hold << 2) + 1)
    lastSequence = real(HELD_REALS, (hold << 2) + 2)
    lastPlace = placeOfHold(c, hold)
    free = free + real(HELD_REALS, hold << 2)
    n = n + 1
  }
  return n
}
export function placeOfHold(c: i32, hold: i32): i32 {
  let place = 0
  let one = I32[(I32[(c + MARKS) >> 2]! + FIRST_HOLD) >> 2]!
  while (one !== hold) {
    one = int(HELD, (one << 3) + 4)
    place = place + 1
  }
  return place
}
/** Whether units held at one priority and number are taken away before those at another. */
export function isTakenFirst(priority: f64, sequence: f64, otherPriority: f64, otherSequence: f64): i32 {
  if (priority !== otherPriority) return priority > otherPriority ? 1 : 0
  return sequence > otherSequence ? 1 : 0
}
/** The next to be interrupted after one: the lowest priority first, then the latest; -1 where there is none. */
export function nextInterrupted(c: i32, priority: f64, lastPriority: f64, lastSequence: f64, lastPlace: i32): i32 {
  let best = -1
  let bestPriority = 0.0
  let bestSequence = 0.0
  let place = 0
  let hold = I32[(I32[(c + MARKS) >> 2]! + FIRST_HOLD) >> 2]!
  while (hold >= 0) {
    const its = real(HELD_REALS, (hold << 2) + 1)
    const sequence = real(HELD_REALS, (hold << 2) + 2)
    if (its > priority) {
      const isLike = its === lastPriority && sequence === lastSequence ? 1 : 0
      const isBehind = isLike !== 0 ? (place > lastPlace ? 1 : 0) : isTakenFirst(lastPriority, lastSequence, its, sequence)
      if (isBehind !== 0) {
        if (best < 0 || isTakenFirst(its, sequence, bestPriority, bestSequence) !== 0) {
          best = hold
          bestPriority = its
          bestSequence = sequence
        }
      }
    }
    hold = int(HELD, (hold << 3) + 4)
    place = place + 1
  }
  return best
}
/** Ends a holding; a request for the same units waits from now on. */
export function interrupt(c: i32, hold: i32, does: i32): void {
  const book = I32[(c + BOOK) >> 2]!
  const amount = real(HELD_REALS, hold << 2)
  const holder = int(HELD, hold << 3)
  const slot = takeRequest()
  const at = I32[ASKED >> 2]! + (slot << 5)
  I32[at >> 2] = holder
  I32[(at + 4) >> 2] = I32[(c + INDEX) >> 2]!
  I32[(at + 8) >> 2] = 0
  I32[(at + 16) >> 2] = 1
  I32[(at + 20) >> 2] = int(ASKED_BY, holder)
  I32[(at + 24) >> 2] = REGAINS
  setInt(ASKED_BY, holder, slot)
  const reals = I32[ASKED_REALS >> 2]! + (slot << 5)
  F64[reals >> 3] = real(HELD_REALS, (hold << 2) + 1)
  F64[(reals + 8) >> 3] = F64[TIME >> 3]!
  F64[(reals + 16) >> 3] = real(HELD_REALS, (hold << 2) + 2)
  F64[(reals + 24) >> 3] = amount
  leaveHolder(hold)
  freeHold(I32[(c + MARKS) >> 2]!, hold)
  F64[(book + USED) >> 3] = F64[(book + USED) >> 3]! - amount
  F64[(book + PREEMPTIONS) >> 3] = F64[(book + PREEMPTIONS) >> 3]! + 1.0
  record(book)
  expect(c, LEAST_TAKEN, amount)
  queueUp(c, slot)
  recordQueue(c)
  suspend(holder, slot, does)
}
/** The running work of a holder stops until its units come back. */
export function suspend(holder: i32, slot: i32, does: i32): void {
  const t = workerOf(holder)
  if (t < 0) return
  let left = real(T_LENGTH, t)
  if (does === TO_RESUME) {
    left = real(T_UNTIL, t) - F64[TIME >> 3]!
    if (left < 0.0) left = 0.0
  }
  cancel(t)
  setReal(T_REQUEST, t, requestIn(slot))
  setInt(ASKERS, slot, t)
  setReal(T_SUSPENDED, t, left)
  add(SUSPENDED_COUNT, 1)
}
export function isWorking(t: i32): i32 {
  return real(T_EVENT, t) >= 0.0 && real(T_REQUEST, t) < 0.0 ? 1 : 0
}
/** The token of a holder that is in the middle of a duration; -1 where none is. */
export function workerOf(holder: i32): i32 {
  if (isWorking(holder) !== 0) return holder
  const n = I32[TOKEN_TOP >> 2]!
  let t = 0
  while (t < n) {
    if (int(T_PC, t) >= 0) {
      if (int(T_HOLDER, t) === holder && isWorking(t) !== 0) return t
    }
    t = t + 1
  }
  return -1
}
