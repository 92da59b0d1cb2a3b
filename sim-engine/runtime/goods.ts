// Containers of goods, in the subset that lower/typescript.ts lowers: amounts taken and put, and those who wait for goods or for room. What
// world/containers.ts does for usual requests, to the bit; the amount stands where units in use do.

/* oxlint-disable typescript/no-confusing-non-null-assertion -- elements of views are numbers, and are compared */

import {
  PUTS,
  TAKES,
  expect,
  forgetRequest,
  giveUp,
  hasAsker,
  hasSlot,
  leaveQueue,
  newRequest,
  passSlot,
  queueUp,
  recordQueue,
  wake,
} from './containers.ts'
import {
  ASKED,
  ASKED_BY_ROOM,
  ASKED_REALS,
  ASKERS,
  BOOK,
  CAPACITY,
  FLEXIBLE,
  GOT,
  INDEX,
  LEAST_PUT,
  LEAST_TAKEN,
  LEVELS,
  MARKS,
  ODD,
  QUEUE,
  QUEUE_FROM,
  QUEUE_ROOM,
  QUEUE_TO,
  STRICT,
  TIME,
  T_HOLDER,
  T_PC,
  T_REQUEST,
  USED,
  WOKEN_COUNT,
  WOKEN_ROOM,
  hasRows,
  int,
  real,
  recordWait,
  setInt,
  slotIn,
  weigh,
} from './processes.ts'

type i32 = number
type f64 = number

declare const F64: Float64Array
declare const I32: Int32Array

// Numbers of words: single instructions.
declare function toF(x: i32): f64
declare function toI(x: f64): i32

/** Whether there is as much, or room for it. */
export function fitsGoods(c: i32, amount: f64, isPut: i32): i32 {
  const book = I32[(c + BOOK) >> 2]!
  const there = F64[(book + USED) >> 3]!
  if (isPut !== 0) return there + amount <= F64[(book + CAPACITY) >> 3]! ? 1 : 0
  return amount <= there ? 1 : 0
}
/** Whether `moveGoods` knows what to do: it is done at once, and who waits can be served, or it waits where it `mayWait`. */
export function canMove(c: i32, t: i32, amount: f64, isPut: i32, mayWait: i32): i32 {
  const book = I32[(c + BOOK) >> 2]!
  const marks = I32[(c + MARKS) >> 2]!
  const from = I32[(marks + QUEUE_FROM) >> 2]!
  const to = I32[(marks + QUEUE_TO) >> 2]!
  if (fitsGoods(c, amount, isPut) !== 0) {
    if (from === to) return hasSlot()
    if (mayWait === 0 || I32[(c + STRICT) >> 2]! !== 0 || I32[(marks + ODD) >> 2]! !== 0) return 0
    const most = mostServed(c, F64[(book + USED) >> 3]! + (isPut !== 0 ? amount : -amount))
    if (I32[WOKEN_COUNT >> 2]! + most > I32[WOKEN_ROOM >> 2]!) return 0
    return hasSlot() !== 0 && hasRows(most) !== 0 ? 1 : 0
  }
  if (mayWait === 0 || amount > F64[(book + CAPACITY) >> 3]! || int(T_HOLDER, t) >= I32[ASKED_BY_ROOM >> 2]!) return 0
  if (to >= I32[(c + QUEUE_ROOM) >> 2]! && from < to - from) return 0
  return hasAsker()
}
/** At most so many are met when the level is changed to `level`. */
export function mostServed(c: i32, level: f64): i32 {
  const book = I32[(c + BOOK) >> 2]!
  const marks = I32[(c + MARKS) >> 2]!
  const waiting = I32[(marks + QUEUE_TO) >> 2]! - I32[(marks + QUEUE_FROM) >> 2]!
  const puts = I32[(marks + FLEXIBLE) >> 2]!
  // Some put and some take: each may let another go.
  if (puts > 0 && puts < waiting) return waiting
  const most = puts === 0 ? level / F64[(book + LEAST_TAKEN) >> 3]! : (F64[(book + CAPACITY) >> 3]! - level) / F64[(book + LEAST_PUT) >> 3]!
  return most >= 0.0 && most + 1.0 < toF(waiting) ? toI(most) + 1 : waiting
}
/** Takes goods or puts them in, where `canMove`: 0 when the token waits, to go on at `next`. */
export function moveGoods(c: i32, t: i32, amount: f64, isPut: i32, priority: f64, next: i32): i32 {
  const book = I32[(c + BOOK) >> 2]!
  const marks = I32[(c + MARKS) >> 2]!
  if (fitsGoods(c, amount, isPut) !== 0) {
    passSlot()
    setLevel(book, F64[(book + USED) >> 3]! + (isPut !== 0 ? amount : -amount))
    if (isPut === 0) recordWait(book, 0.0)
    F64[GOT >> 3] = amount
    if (I32[(marks + QUEUE_FROM) >> 2]! !== I32[(marks + QUEUE_TO) >> 2]!) serveGoods(c)
    return 1
  }
  expect(c, isPut !== 0 ? LEAST_PUT : LEAST_TAKEN, amount)
  const slot = newRequest(I32[(c + INDEX) >> 2]!, t, amount, priority)
  setInt(ASKED, (slot << 3) + 6, isPut !== 0 ? PUTS : TAKES)
  if (isPut !== 0) I32[(marks + FLEXIBLE) >> 2] = I32[(marks + FLEXIBLE) >> 2]! + 1
  queueUp(c, slot)
  recordQueue(c)
  setInt(T_PC, t, next)
  return 0
}
export function setLevel(book: i32, level: f64): void {
  F64[(book + USED) >> 3] = level
  weigh(book + LEVELS, level)
}
/** Meets whom it can of those who wait for goods or for room, in their order. */
export function serveGoods(c: i32): void {
  const book = I32[(c + BOOK) >> 2]!
  const marks = I32[(c + MARKS) >> 2]!
  let place = nextServed(c, 0)
  while (place >= 0) {
    const slot = I32[(I32[(c + QUEUE) >> 2]! + ((I32[(marks + QUEUE_FROM) >> 2]! + place) << 2)) >> 2]!
    const amount = real(ASKED_REALS, (slot << 2) + 3)
    const isPut = int(ASKED, (slot << 3) + 6) === PUTS ? 1 : 0
    setLevel(book, F64[(book + USED) >> 3]! + (isPut !== 0 ? amount : -amount))
    F64[GOT >> 3] = amount
    recordWait(book, F64[TIME >> 3]! - real(ASKED_REALS, (slot << 2) + 1))
    // A put may have made room for an earlier one, and the other way round.
    const again = I32[(marks + FLEXIBLE) >> 2]! !== 0 ? 1 : 0
    if (isPut !== 0) I32[(marks + FLEXIBLE) >> 2] = I32[(marks + FLEXIBLE) >> 2]! - 1
    leaveQueue(c, place)
    recordQueue(c)
    forgetRequest(slot)
    wake(int(ASKERS, slot))
    place = nextServed(c, again !== 0 ? 0 : place)
  }
  recordQueue(c)
}
/** Whether `giveUpGoods` knows what to do: nobody else may go for it. */
export function canGiveUpGoods(c: i32): i32 {
  return I32[(c + STRICT) >> 2]! === 0 ? 1 : 0
}
/** The token waits no longer for goods, or for room. */
export function giveUpGoods(c: i32, t: i32): void {
  const slot = slotIn(real(T_REQUEST, t))
  const flexible = I32[(c + MARKS) >> 2]! + FLEXIBLE
  if (int(ASKED, (slot << 3) + 6) === PUTS) I32[flexible >> 2] = I32[flexible >> 2]! - 1
  giveUp(c, t)
}
/** The place of the next, from one on, that can be met now; -1 where none can. */
export function nextServed(c: i32, passed: i32): i32 {
  const book = I32[(c + BOOK) >> 2]!
  const marks = I32[(c + MARKS) >> 2]!
  const from = I32[(marks + QUEUE_FROM) >> 2]!
  const n = I32[(marks + QUEUE_TO) >> 2]! - from
  const queue = I32[(c + QUEUE) >> 2]! + (from << 2)
  const level = F64[(book + USED) >> 3]!
  const capacity = F64[(book + CAPACITY) >> 3]!
  if (F64[(book + LEAST_TAKEN) >> 3]! > level && level + F64[(book + LEAST_PUT) >> 3]! > capacity) return -1
  let leastTaken = 1.0 / 0.0
  let leastPut = 1.0 / 0.0
  let place = passed
  while (place < n) {
    const slot = I32[(queue + (place << 2)) >> 2]!
    const amount = real(ASKED_REALS, (slot << 2) + 3)
    if (int(ASKED, (slot << 3) + 6) === PUTS) {
      if (level + amount <= capacity) return place
      if (amount < leastPut) leastPut = amount
    } else {
      if (amount <= level) return place
      if (amount < leastTaken) leastTaken = amount
    }
    place = place + 1
  }
  if (passed === 0) {
    F64[(book + LEAST_TAKEN) >> 3] = leastTaken
    F64[(book + LEAST_PUT) >> 3] = leastPut
  }
  return -1
}
