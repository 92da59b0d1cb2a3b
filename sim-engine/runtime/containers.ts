// Containers of units, in the subset that lower/typescript.ts lowers: what world/{containers,container,holdings,requests}.ts
// do for usual requests, to the bit. Where something unusual turns up these say so before anything is done.

/* oxlint-disable typescript/no-confusing-non-null-assertion -- elements of views are numbers, and are compared */

import {
  cancel,
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
  BY_PRIORITY,
  CAPACITY,
  DIRTY,
  FIRST_DIRTY,
  FIRST_HOLD,
  FIRST_OF_HOLDER,
  FLEXIBLE,
  GAVE_UP,
  GOT,
  HELD,
  HELD_REALS,
  HOLDERS,
  HOLDER_ROOM,
  HOLD_FREE,
  HOLD_ROOM,
  HOLD_SEQUENCE,
  HOLD_TOP,
  INDEX,
  INTERRUPTIONS,
  IS_LATEST,
  LAST_DIRTY,
  LAST_REQUEST,
  LEAST_TAKEN,
  MARKS,
  NEXT_DIRTY,
  ODD,
  QUEUE,
  QUEUES,
  QUEUE_FROM,
  QUEUE_ROOM,
  QUEUE_TO,
  STRICT,
  SUSPENDED_COUNT,
  TELLS,
  TIME,
  TOKEN_TOP,
  T_HOLDER,
  T_PC,
  T_REQUEST,
  T_SUSPENDED,
  T_UNTIL,
  USED,
  WOKEN,
  WOKEN_AT,
  WOKEN_COUNT,
  WOKEN_ROOM,
  add,
  count,
  hasRow,
  hasRows,
  int,
  isDue,
  real,
  record,
  recordWait,
  schedule,
  setInt,
  setReal,
  slotIn,
  weigh,
} from './processes.ts'

type i32 = number
type f64 = number

/** Containers whose units an activity gives back, at most: each may wake a token. */
export const MOST_AT_ONCE = 8

// What a request of one container does: it asks for units, for those that were taken away, or for units of others as well.
const HOLDS = 0
export const REGAINS = 1
export const TAKES = 2
export const PUTS = 3

declare const F64: Float64Array
declare const I32: Int32Array

// Numbers of words: single instructions.
declare function toF(x: i32): f64
declare function toI(x: f64): i32

// Of the host: notes what a token was given that waited for it.
declare function noteGiven(t: i32): void

// --- containers of units; `c` is the address of a container's record

/** Whether `ask` knows what to do: it is met at once and nobody waits, or waits in a queue with room. */
export function canAsk(c: i32, t: i32, units: f64): i32 {
  const book = I32[(c + BOOK) >> 2]!
  const marks = I32[(c + MARKS) >> 2]!
  const holder = int(T_HOLDER, t)
  const from = I32[(marks + QUEUE_FROM) >> 2]!
  const to = I32[(marks + QUEUE_TO) >> 2]!
  if (holder >= I32[HOLDER_ROOM >> 2]! || holder >= I32[ASKED_BY_ROOM >> 2]!) return 0
  if (units <= F64[(book + CAPACITY) >> 3]! - F64[(book + USED) >> 3]!)
    return (from === to || I32[(c + STRICT) >> 2]! === 0) && (I32[HOLD_FREE >> 2]! >= 0 || I32[HOLD_TOP >> 2]! < I32[HOLD_ROOM >> 2]!)
      ? 1
      : 0
  if (units > F64[(book + CAPACITY) >> 3]! || units < 1.0) return 0
  if (to >= I32[(c + QUEUE_ROOM) >> 2]! && from < to - from) return 0
  return hasAsker()
}
/** Whether so many units are there. */
export function fitsUnits(book: i32, units: f64): i32 {
  return units <= F64[(book + CAPACITY) >> 3]! - F64[(book + USED) >> 3]! ? 1 : 0
}
/** Whether there is a slot for a request that waits. */
export function hasAsker(): i32 {
  const free = I32[ASKED_COUNT >> 2]!
  if (free > 0) return int(ASKED_FREE, free - 1) < I32[ASKERS_ROOM >> 2]! ? 1 : 0
  const slot = I32[ASKED_TOP >> 2]!
  return slot < I32[ASKED_ROOM >> 2]! && slot < I32[ASKERS_ROOM >> 2]! ? 1 : 0
}
/** Requests units, where `canAsk`: 1 when they are held now; 0 when the token waits, to go on at `next`. */
export function ask(c: i32, t: i32, units: f64, priority: f64, next: i32): i32 {
  const book = I32[(c + BOOK) >> 2]!
  const used = F64[(book + USED) >> 3]!
  if (units <= F64[(book + CAPACITY) >> 3]! - used) {
    F64[(book + USED) >> 3] = used + units
    hold(c, int(T_HOLDER, t), units, priority)
    recordWait(book, 0.0)
    record(book)
    F64[GOT >> 3] = units
    return 1
  }
  enqueue(c, t, units, priority)
  setInt(T_PC, t, next)
  return 0
}
/** A new request has the next number. */
export function hold(c: i32, holder: i32, units: f64, priority: f64): void {
  holdAs(c, holder, units, priority, F64[HOLD_SEQUENCE >> 3]!)
  F64[HOLD_SEQUENCE >> 3] = F64[HOLD_SEQUENCE >> 3]! + 1.0
}
export function holdAs(c: i32, holder: i32, units: f64, priority: f64, sequence: f64): void {
  let record = I32[HOLD_FREE >> 2]!
  if (record < 0) {
    record = I32[HOLD_TOP >> 2]!
    I32[HOLD_TOP >> 2] = record + 1
  } else I32[HOLD_FREE >> 2] = int(HELD, (record << 3) + 4)
  const marks = I32[(c + MARKS) >> 2]!
  const next = I32[(marks + FIRST_HOLD) >> 2]!
  const at = I32[HELD >> 2]! + (record << 5)
  I32[at >> 2] = holder
  I32[(at + 4) >> 2] = I32[(c + INDEX) >> 2]!
  I32[(at + 8) >> 2] = 0
  I32[(at + 12) >> 2] = int(FIRST_OF_HOLDER, holder)
  I32[(at + 16) >> 2] = next
  I32[(at + 20) >> 2] = -1
  if (next >= 0) setInt(HELD, (next << 3) + 5, record)
  I32[(marks + FIRST_HOLD) >> 2] = record
  leadHolder(holder, record)
  const reals = I32[HELD_REALS >> 2]! + (record << 5)
  F64[reals >> 3] = units
  F64[(reals + 8) >> 3] = priority
  F64[(reals + 16) >> 3] = sequence
}
/** A record is the first of its holder. The holders grow as in world/holdings.ts. */
export function leadHolder(holder: i32, record: i32): void {
  setInt(FIRST_OF_HOLDER, holder, record)
  if (holder >= I32[HOLDERS >> 2]!) I32[HOLDERS >> 2] = holder << 1 > holder ? holder << 1 : holder + 1
}

// Units of several containers, all or nothing, or of the first that has enough; `b` is the address of a bundle: how many, whether one of
// them is enough, then for each the record of the container and the units.

export function isAny(b: i32): i32 {
  return I32[(b + 4) >> 2]!
}

export function partOf(b: i32, k: i32): i32 {
  return I32[(b + 8 + (k << 4)) >> 2]!
}
export function unitsOf(b: i32, k: i32): f64 {
  return F64[(b + 16 + (k << 4)) >> 3]!
}
/** The units of one of its containers. */
export function unitsIn(b: i32, c: i32): f64 {
  let k = 0
  while (partOf(b, k) !== c) k = k + 1
  return unitsOf(b, k)
}
/** The first that has enough units now; -1 where none has. */
export function firstFit(b: i32): i32 {
  const n = I32[b >> 2]!
  let k = 0
  while (k < n) {
    if (fitsUnits(I32[(partOf(b, k) + BOOK) >> 2]!, unitsOf(b, k)) !== 0) return k
    k = k + 1
  }
  return -1
}
/** Whether all are there now, or one where that is enough. */
export function fitAll(b: i32): i32 {
  if (isAny(b) !== 0) return firstFit(b) >= 0 ? 1 : 0
  const n = I32[b >> 2]!
  let k = 0
  while (k < n) {
    const book = I32[(partOf(b, k) + BOOK) >> 2]!
    if (unitsOf(b, k) > F64[(book + CAPACITY) >> 3]! - F64[(book + USED) >> 3]!) return 0
    k = k + 1
  }
  return 1
}
/** Whether `askAll` knows what to do. */
export function canAskAll(b: i32, t: i32): i32 {
  const n = I32[b >> 2]!
  const holder = int(T_HOLDER, t)
  if (holder >= I32[HOLDER_ROOM >> 2]! || holder >= I32[ASKED_BY_ROOM >> 2]!) return 0
  let k = 0
  while (k < n) {
    if (I32[(partOf(b, k) + STRICT) >> 2]! !== 0) return 0
    k = k + 1
  }
  if (fitAll(b) !== 0) return hasRecords(n) !== 0 && hasSlot() !== 0 ? 1 : 0
  k = 0
  while (k < n) {
    const c = partOf(b, k)
    const units = unitsOf(b, k)
    const marks = I32[(c + MARKS) >> 2]!
    const to = I32[(marks + QUEUE_TO) >> 2]!
    if (units < 1.0 || units > F64[(I32[(c + BOOK) >> 2]! + CAPACITY) >> 3]!) return 0
    if (to >= I32[(c + QUEUE_ROOM) >> 2]! && I32[(marks + QUEUE_FROM) >> 2]! < to - I32[(marks + QUEUE_FROM) >> 2]!) return 0
    k = k + 1
  }
  return hasAsker()
}
/** Requests them, where `canAskAll`: as `ask` does. */
export function askAll(b: i32, t: i32, priority: f64, next: i32): i32 {
  if (fitAll(b) !== 0) {
    holdAll(b, int(T_HOLDER, t), priority, F64[HOLD_SEQUENCE >> 3]!, 0.0)
    passSlot()
    return 1
  }
  const n = I32[b >> 2]!
  const slot = newRequest(-1, t, 0.0, priority)
  setInt(ASKED, (slot << 3) + 7, b)
  let k = 0
  while (k < n) {
    const c = partOf(b, k)
    const flexible = I32[(c + MARKS) >> 2]! + FLEXIBLE
    expect(c, LEAST_TAKEN, unitsOf(b, k))
    queueUp(c, slot)
    I32[flexible >> 2] = I32[flexible >> 2]! + 1
    k = k + 1
  }
  k = 0
  while (k < n) {
    recordQueue(partOf(b, k))
    k = k + 1
  }
  setInt(T_PC, t, next)
  return 0
}
/** Takes what `fitAll` found to be there. All parts have the number of their request. */
export function holdAll(b: i32, holder: i32, priority: f64, sequence: f64, waited: f64): void {
  const isOne = isAny(b)
  let k = isOne !== 0 ? firstFit(b) : 0
  const n = isOne !== 0 ? k + 1 : I32[b >> 2]!
  let sum = 0.0
  while (k < n) {
    const c = partOf(b, k)
    const units = unitsOf(b, k)
    const book = I32[(c + BOOK) >> 2]!
    F64[(book + USED) >> 3] = F64[(book + USED) >> 3]! + units
    holdAs(c, holder, units, priority, sequence)
    record(book)
    recordWait(book, waited)
    sum = sum + units
    k = k + 1
  }
  F64[GOT >> 3] = sum
}

// --- queues

/** Whether there are so many records of what is held. */
export function hasRecords(n: i32): i32 {
  let free = I32[HOLD_FREE >> 2]!
  let missing = n - (I32[HOLD_ROOM >> 2]! - I32[HOLD_TOP >> 2]!)
  while (missing > 0) {
    if (free < 0) return 0
    free = int(HELD, (free << 3) + 4)
    missing = missing - 1
  }
  return 1
}
export function recordQueue(c: i32): void {
  const marks = I32[(c + MARKS) >> 2]!
  weigh(I32[(c + BOOK) >> 2]! + QUEUES, toF(I32[(marks + QUEUE_TO) >> 2]! - I32[(marks + QUEUE_FROM) >> 2]!))
}
/** Puts the token's request into the queue, where it belongs. */
export function enqueue(c: i32, t: i32, units: f64, priority: f64): void {
  expect(c, LEAST_TAKEN, units)
  queueUp(c, newRequest(I32[(c + INDEX) >> 2]!, t, units, priority))
  recordQueue(c)
}
/** Somebody waits for that much from now on. */
export function expect(c: i32, least: i32, amount: f64): void {
  const at = I32[(c + BOOK) >> 2]! + least
  if (amount < F64[at >> 3]!) F64[at >> 3] = amount
}
/** The slot of a request, of those that are free. There is one. */
export function takeRequest(): i32 {
  const free = I32[ASKED_COUNT >> 2]!
  if (free > 0) {
    I32[ASKED_COUNT >> 2] = free - 1
    return int(ASKED_FREE, free - 1)
  }
  const slot = I32[ASKED_TOP >> 2]!
  I32[ASKED_TOP >> 2] = slot + 1
  setInt(ASKED, (slot << 3) + 3, 0)
  setInt(ASKED, (slot << 3) + 6, HOLDS)
  setInt(ASKED, (slot << 3) + 7, 0)
  return slot
}
/** What an event or a token knows a request by. */
export function requestIn(slot: i32): f64 {
  return toF(slot) + toF(int(ASKED, (slot << 3) + 3)) * 16777216.0
}
/** The token's request from now on, of units of one container or of none: its slot. */
export function newRequest(index: i32, t: i32, units: f64, priority: f64): i32 {
  const holder = int(T_HOLDER, t)
  const slot = takeRequest()
  const at = I32[ASKED >> 2]! + (slot << 5)
  I32[at >> 2] = holder
  I32[(at + 4) >> 2] = index
  I32[(at + 8) >> 2] = 0
  I32[(at + 16) >> 2] = 1
  I32[(at + 20) >> 2] = int(ASKED_BY, holder)
  setInt(ASKED_BY, holder, slot)
  const reals = I32[ASKED_REALS >> 2]! + (slot << 5)
  F64[reals >> 3] = priority
  F64[(reals + 8) >> 3] = F64[TIME >> 3]!
  F64[(reals + 16) >> 3] = F64[HOLD_SEQUENCE >> 3]!
  F64[HOLD_SEQUENCE >> 3] = F64[HOLD_SEQUENCE >> 3]! + 1.0
  F64[(reals + 24) >> 3] = units
  const id = requestIn(slot)
  F64[LAST_REQUEST >> 3] = id
  setReal(T_REQUEST, t, id)
  setInt(ASKERS, slot, t)
  return slot
}
/** Puts a new request where it belongs in the queue of a container. */
export function queueUp(c: i32, slot: i32): void {
  const marks = I32[(c + MARKS) >> 2]!
  const queue = I32[(c + QUEUE) >> 2]!
  let from = I32[(marks + QUEUE_FROM) >> 2]!
  let to = I32[(marks + QUEUE_TO) >> 2]!
  if (to >= I32[(c + QUEUE_ROOM) >> 2]!) {
    let k = 0
    while (k < to - from) {
      I32[(queue + (k << 2)) >> 2] = I32[(queue + ((from + k) << 2)) >> 2]!
      k = k + 1
    }
    to = to - from
    from = 0
    I32[(marks + QUEUE_FROM) >> 2] = 0
  }
  let place = to
  while (place > from) {
    const other = I32[(queue + ((place - 1) << 2)) >> 2]!
    if (goesBefore(c, other, slot) !== 0) break
    I32[(queue + (place << 2)) >> 2] = other
    place = place - 1
  }
  I32[(queue + (place << 2)) >> 2] = slot
  I32[(marks + QUEUE_TO) >> 2] = to + 1
}
/** Whether a request goes before another one. */
export function goesBefore(c: i32, one: i32, other: i32): i32 {
  if (I32[(c + BY_PRIORITY) >> 2]! !== 0) {
    const its = real(ASKED_REALS, one << 2)
    const others = real(ASKED_REALS, other << 2)
    if (its !== others) return its < others ? 1 : 0
  }
  const earlier = real(ASKED_REALS, (one << 2) + 2) - real(ASKED_REALS, (other << 2) + 2)
  if (I32[(c + IS_LATEST) >> 2]! === 0) return earlier < 0.0 ? 1 : 0
  return earlier > 0.0 ? 1 : 0
}
/** The only record of a holder at a container; -1 where it has none, or several. */
export function recordOf(c: i32, holder: i32): i32 {
  let found = -1
  let record = int(FIRST_OF_HOLDER, holder)
  while (record >= 0) {
    if (int(HELD, (record << 3) + 1) === I32[(c + INDEX) >> 2]!) {
      if (found >= 0) return -1
      found = record
    }
    record = int(HELD, (record << 3) + 3)
  }
  return found
}
export function holdsNone(c: i32, holder: i32): i32 {
  let record = int(FIRST_OF_HOLDER, holder)
  while (record >= 0) {
    if (int(HELD, (record << 3) + 1) === I32[(c + INDEX) >> 2]!) return 0
    record = int(HELD, (record << 3) + 3)
  }
  return 1
}
/**
 * Whether `giveBack` knows what to do: the holder has exactly these units (-1: any), and those who wait want units of a sort that is
 * known; `count` containers are given to at once.
 */
export function canGiveBack(c: i32, t: i32, units: f64, count: i32): i32 {
  const holder = int(T_HOLDER, t)
  if (holder >= I32[HOLDER_ROOM >> 2]!) return 0
  const record = recordOf(c, holder)
  if (record < 0) return units < 0.0 ? holdsNone(c, holder) : 0
  const amount = real(HELD_REALS, record << 2)
  if (units >= 0.0 && amount !== units) return 0
  const marks = I32[(c + MARKS) >> 2]!
  const from = I32[(marks + QUEUE_FROM) >> 2]!
  const waiting = I32[(marks + QUEUE_TO) >> 2]! - from
  if (waiting === 0) return 1
  if (I32[TOKEN_TOP >> 2]! > I32[HOLDER_ROOM >> 2]!) return 0
  let woken = 1
  if (isNext(c, amount) === 0) {
    if (I32[(marks + ODD) >> 2]! !== 0 || I32[(c + STRICT) >> 2]! !== 0) return 0
    // Each of those who are met takes a unit or more.
    const book = I32[(c + BOOK) >> 2]!
    const left = F64[(book + CAPACITY) >> 3]! - F64[(book + USED) >> 3]! + amount
    if (left >= 1.0) woken = left < toF(waiting) ? toI(left) : waiting
  }
  const most = Math.imul(woken, count)
  if (I32[(marks + FLEXIBLE) >> 2]! !== 0 && hasRecords(most << 3) === 0) return 0
  if (I32[WOKEN_COUNT >> 2]! + most > I32[WOKEN_ROOM >> 2]!) return 0
  return hasRecords(most) !== 0 && hasRows(most) !== 0 ? 1 : 0
}
/** Whether who waits first takes exactly what is given back, and nothing else is left. */
export function isNext(c: i32, amount: f64): i32 {
  const book = I32[(c + BOOK) >> 2]!
  const marks = I32[(c + MARKS) >> 2]!
  if (amount < 1.0 || F64[(book + USED) >> 3]! !== F64[(book + CAPACITY) >> 3]! || I32[(marks + FLEXIBLE) >> 2]! !== 0) return 0
  const slot = I32[(I32[(c + QUEUE) >> 2]! + (I32[(marks + QUEUE_FROM) >> 2]! << 2)) >> 2]!
  const its = I32[ASKED >> 2]! + (slot << 5)
  if (I32[(its + 4) >> 2]! !== I32[(c + INDEX) >> 2]! || I32[(its + 24) >> 2]! !== 0) return 0
  return real(ASKED_REALS, (slot << 2) + 3) === amount ? 1 : 0
}
/** A record is no longer among those of its holder. */
export function leaveHolder(record: i32): void {
  const at = I32[HELD >> 2]! + (record << 5)
  const holder = I32[at >> 2]!
  const first = int(FIRST_OF_HOLDER, holder)
  if (first === record) {
    setInt(FIRST_OF_HOLDER, holder, I32[(at + 12) >> 2]!)
    return
  }
  let before = first
  while (int(HELD, (before << 3) + 3) !== record) before = int(HELD, (before << 3) + 3)
  setInt(HELD, (before << 3) + 3, I32[(at + 12) >> 2]!)
}
/** Nor among those of its container: it is free. */
export function freeHold(marks: i32, record: i32): void {
  const at = I32[HELD >> 2]! + (record << 5)
  const next = I32[(at + 16) >> 2]!
  const previous = I32[(at + 20) >> 2]!
  if (previous < 0) I32[(marks + FIRST_HOLD) >> 2] = next
  else setInt(HELD, (previous << 3) + 4, next)
  if (next >= 0) setInt(HELD, (next << 3) + 5, previous)
  I32[at >> 2] = -1
  I32[(at + 16) >> 2] = I32[HOLD_FREE >> 2]!
  I32[HOLD_FREE >> 2] = record
}
/** Gives units back, where `canGiveBack`, to who waits first if anybody does. */
export function giveBack(c: i32, t: i32): void {
  const book = I32[(c + BOOK) >> 2]!
  const marks = I32[(c + MARKS) >> 2]!
  const holder = int(T_HOLDER, t)
  const record_ = recordOf(c, holder)
  if (record_ < 0) return
  const at = I32[HELD >> 2]! + (record_ << 5)
  const from = I32[(marks + QUEUE_FROM) >> 2]!
  const next = I32[(at + 16) >> 2]!
  const previous = I32[(at + 20) >> 2]!
  const waiting = I32[(marks + QUEUE_TO) >> 2]! - from
  const isHandedOn = waiting > 0 && isNext(c, real(HELD_REALS, record_ << 2)) !== 0 ? 1 : 0
  leaveHolder(record_)
  if (isHandedOn === 0) {
    freeHold(marks, record_)
    F64[(book + USED) >> 3] = F64[(book + USED) >> 3]! - real(HELD_REALS, record_ << 2)
    if (waiting === 0) record(book)
    else serve(c)
    return
  }
  // The record goes to the other: as if it were removed and one like it added.
  const slot = I32[(I32[(c + QUEUE) >> 2]! + (from << 2)) >> 2]!
  const its = I32[ASKED >> 2]! + (slot << 5)
  const reals = I32[ASKED_REALS >> 2]! + (slot << 5)
  const to = I32[its >> 2]!
  I32[at >> 2] = to
  I32[(at + 12) >> 2] = int(FIRST_OF_HOLDER, to)
  leadHolder(to, record_)
  setReal(HELD_REALS, (record_ << 2) + 1, F64[reals >> 3]!)
  setReal(HELD_REALS, (record_ << 2) + 2, F64[(reals + 16) >> 3]!)
  const first = I32[(marks + FIRST_HOLD) >> 2]!
  if (first !== record_) {
    setInt(HELD, (previous << 3) + 4, next)
    if (next >= 0) setInt(HELD, (next << 3) + 5, previous)
    I32[(at + 16) >> 2] = first
    I32[(at + 20) >> 2] = -1
    setInt(HELD, (first << 3) + 5, record_)
    I32[(marks + FIRST_HOLD) >> 2] = record_
  }
  I32[(marks + QUEUE_FROM) >> 2] = waiting === 1 ? 0 : from + 1
  if (waiting === 1) I32[(marks + QUEUE_TO) >> 2] = 0
  forgetRequest(slot)
  recordWait(book, F64[TIME >> 3]! - F64[(reals + 8) >> 3]!)
  record(book)
  weigh(book + QUEUES, toF(waiting - 1))
  F64[GOT >> 3] = F64[(reals + 24) >> 3]!
  wake(int(ASKERS, slot))
}
/** A request waits no longer. */
export function forgetRequest(slot: i32): void {
  const its = I32[ASKED >> 2]! + (slot << 5)
  const to = I32[its >> 2]!
  // Branches of one token may wait side by side.
  const newest = int(ASKED_BY, to)
  if (newest === slot) setInt(ASKED_BY, to, I32[(its + 20) >> 2]!)
  else {
    let later = newest
    while (int(ASKED, (later << 3) + 5) !== slot) later = int(ASKED, (later << 3) + 5)
    setInt(ASKED, (later << 3) + 5, I32[(its + 20) >> 2]!)
  }
  I32[(its + 12) >> 2] = I32[(its + 12) >> 2]! + 1
  I32[(its + 16) >> 2] = 0
  I32[(its + 4) >> 2] = -1
  I32[(its + 24) >> 2] = HOLDS
  I32[(its + 28) >> 2] = 0
  setInt(ASKED_FREE, I32[ASKED_COUNT >> 2]!, slot)
  add(ASKED_COUNT, 1)
}
/** Meets whom it can of those who wait, and of those at containers whose queues are shorter by that. */
export function serve(c: i32): void {
  serveQueue(c)
  serveDirty()
}
export function serveDirty(): void {
  for (;;) {
    const c = I32[FIRST_DIRTY >> 2]!
    if (c === 0) break
    I32[FIRST_DIRTY >> 2] = I32[(c + NEXT_DIRTY) >> 2]!
    I32[(c + DIRTY) >> 2] = 0
    serveQueue(c)
  }
}
/** Its queue has to be looked at once more, if anybody waits in it. */
export function mark(c: i32): void {
  const marks = I32[(c + MARKS) >> 2]!
  if (I32[(c + DIRTY) >> 2]! !== 0 || I32[(marks + QUEUE_FROM) >> 2]! === I32[(marks + QUEUE_TO) >> 2]!) return
  I32[(c + DIRTY) >> 2] = 1
  I32[(c + NEXT_DIRTY) >> 2] = 0
  if (I32[FIRST_DIRTY >> 2]! === 0) I32[FIRST_DIRTY >> 2] = c
  else I32[(I32[LAST_DIRTY >> 2]! + NEXT_DIRTY) >> 2] = c
  I32[LAST_DIRTY >> 2] = c
}
/** Meets whom it can of those who wait, in their order. */
export function serveQueue(c: i32): void {
  const book = I32[(c + BOOK) >> 2]!
  const marks = I32[(c + MARKS) >> 2]!
  const queue = I32[(c + QUEUE) >> 2]!
  const least = F64[(book + LEAST_TAKEN) >> 3]!
  let passed = 0
  let leastPassed = F64[(book + CAPACITY) >> 3]!
  for (;;) {
    const from = I32[(marks + QUEUE_FROM) >> 2]!
    const left = F64[(book + CAPACITY) >> 3]! - F64[(book + USED) >> 3]!
    if (passed >= I32[(marks + QUEUE_TO) >> 2]! - from) {
      // All have been looked at.
      F64[(book + LEAST_TAKEN) >> 3] = leastPassed
      break
    }
    // All want a unit at least.
    if (left < 1.0 || left < least) break
    const slot = I32[(queue + ((from + passed) << 2)) >> 2]!
    const its = I32[ASKED >> 2]! + (slot << 5)
    const reals = I32[ASKED_REALS >> 2]! + (slot << 5)
    const units = F64[(reals + 24) >> 3]!
    const waited = F64[TIME >> 3]! - F64[(reals + 8) >> 3]!
    const bundle = I32[(its + 28) >> 2]!
    if (bundle === 0 && units <= left) {
      leaveQueue(c, passed)
      F64[(book + USED) >> 3] = F64[(book + USED) >> 3]! + units
      holdAs(c, I32[its >> 2]!, units, F64[reals >> 3]!, F64[(reals + 16) >> 3]!)
      const does = I32[(its + 24) >> 2]!
      // As in world/containers.ts: those that would have taken units from others are recorded one by one.
      if (does > PUTS) record(book)
      if (does === REGAINS) count(book + INTERRUPTIONS, waited)
      else recordWait(book, waited)
      F64[GOT >> 3] = units
      const id = requestIn(slot)
      forgetRequest(slot)
      if (does === REGAINS) regained(int(ASKERS, slot), id)
      else wake(int(ASKERS, slot))
    } else if (bundle !== 0 && fitAll(bundle) !== 0) {
      holdAll(bundle, I32[its >> 2]!, F64[reals >> 3]!, F64[(reals + 16) >> 3]!, waited)
      leaveAll(bundle, slot)
      forgetRequest(slot)
      wake(int(ASKERS, slot))
      // It is looked at again from the start.
      if (I32[(c + DIRTY) >> 2]! !== 0) break
    } else {
      const its_ = bundle === 0 ? units : unitsIn(bundle, c)
      if (its_ < leastPassed) leastPassed = its_
      passed = passed + 1
    }
  }
  record(book)
  recordQueue(c)
}
/** Takes a request out of all its queues. */
export function leaveAll(b: i32, slot: i32): void {
  const n = I32[b >> 2]!
  let k = 0
  while (k < n) {
    const c = partOf(b, k)
    const marks = I32[(c + MARKS) >> 2]!
    leaveQueue(c, placeOf(c, slot))
    I32[(marks + FLEXIBLE) >> 2] = I32[(marks + FLEXIBLE) >> 2]! - 1
    recordQueue(c)
    if (isAny(b) !== 0) mark(c)
    k = k + 1
  }
}
/** Where a request stands in a queue, 0 = first. */
export function placeOf(c: i32, slot: i32): i32 {
  const from = I32[(c + QUEUE) >> 2]! + (I32[(I32[(c + MARKS) >> 2]! + QUEUE_FROM) >> 2]! << 2)
  let place = 0
  while (I32[(from + (place << 2)) >> 2]! !== slot) place = place + 1
  return place
}
/** Whether `giveUp` and `giveUpAll` know what to do at a container: nobody else may go for it. */
export function canGiveUp(c: i32, t: i32): i32 {
  const slot = slotIn(real(T_REQUEST, t))
  if (int(ASKED, (slot << 3) + 6) === REGAINS) return 0
  return I32[(c + STRICT) >> 2]! === 0 && (int(ASKED, (slot << 3) + 7) !== 0 || real(ASKED_REALS, (slot << 2) + 3) >= 1.0) ? 1 : 0
}
export function countGivenUp(c: i32): void {
  const at = I32[(c + BOOK) >> 2]! + GAVE_UP
  F64[at >> 3] = F64[at >> 3]! + 1.0
}
/** The token waits no longer for units of a container. */
export function giveUp(c: i32, t: i32): void {
  const slot = slotIn(real(T_REQUEST, t))
  countGivenUp(c)
  leaveQueue(c, placeOf(c, slot))
  recordQueue(c)
  withdrawn(t, slot)
}
/** The same of units of several. */
export function giveUpAll(b: i32, t: i32): void {
  const slot = slotIn(real(T_REQUEST, t))
  const n = I32[b >> 2]!
  let k = 0
  while (k < n) {
    countGivenUp(partOf(b, k))
    k = k + 1
  }
  leaveAll(b, slot)
  withdrawn(t, slot)
  serveDirty()
}
export function withdrawn(t: i32, slot: i32): void {
  forgetRequest(slot)
  setReal(T_REQUEST, t, -1.0)
  F64[GOT >> 3] = 0
}
/** Closes the place of one who leaves a queue. */
export function leaveQueue(c: i32, place: i32): void {
  const marks = I32[(c + MARKS) >> 2]!
  const queue = I32[(c + QUEUE) >> 2]!
  const from = I32[(marks + QUEUE_FROM) >> 2]!
  const to = I32[(marks + QUEUE_TO) >> 2]!
  if (place > 0) {
    I32[(marks + QUEUE_TO) >> 2] = to - 1
    let at = from + place
    while (at < to - 1) {
      I32[(queue + (at << 2)) >> 2] = I32[(queue + ((at + 1) << 2)) >> 2]!
      at = at + 1
    }
  } else if (from + 1 === to) {
    I32[(marks + QUEUE_FROM) >> 2] = 0
    I32[(marks + QUEUE_TO) >> 2] = 0
  } else I32[(marks + QUEUE_FROM) >> 2] = from + 1
}
/** Units that were taken away are there again: the work that they were needed for goes on. */
export function regained(t: i32, request: f64): void {
  if (t < 0) return
  if (real(T_REQUEST, t) !== request) return
  const left = real(T_SUSPENDED, t)
  if (left < 0.0) {
    wake(t)
    return
  }
  setReal(T_REQUEST, t, -1.0)
  setReal(T_SUSPENDED, t, -1.0)
  add(SUSPENDED_COUNT, -1)
  const due = F64[TIME >> 3]! + left
  setReal(T_UNTIL, t, due)
  schedule(t, due)
}
/** Who was given units goes on at this instant: right behind the running token while nothing else is due. */
export function wake(t: i32): void {
  setReal(T_REQUEST, t, -1.0)
  if (I32[TELLS >> 2]! !== 0) noteGiven(t)
  const count = I32[WOKEN_COUNT >> 2]!
  if (isDue() !== 0 || (count > 0 && F64[WOKEN_AT >> 3]! !== F64[TIME >> 3]!)) {
    // Its patience, if it had waited with a time-out.
    cancel(t)
    schedule(t, F64[TIME >> 3]!)
    return
  }
  F64[WOKEN_AT >> 3] = F64[TIME >> 3]!
  setInt(WOKEN, count, t)
  I32[WOKEN_COUNT >> 2] = count + 1
}
/** Whether there is room for one more that is woken. */
export function canWake(): i32 {
  return I32[WOKEN_COUNT >> 2]! < I32[WOKEN_ROOM >> 2]! ? hasRow() : 0
}
export function hasSlot(): i32 {
  return I32[ASKED_COUNT >> 2]! > 0 || I32[ASKED_TOP >> 2]! < I32[ASKED_ROOM >> 2]! ? 1 : 0
}
/** A request that is met at once has a slot for no time at all, and a number. */
export function passSlot(): void {
  if (I32[ASKED_COUNT >> 2]! === 0) {
    const slot = I32[ASKED_TOP >> 2]!
    I32[ASKED_TOP >> 2] = slot + 1
    setInt(ASKED, (slot << 3) + 1, -1)
    setInt(ASKED, (slot << 3) + 3, 0)
    setInt(ASKED, (slot << 3) + 6, 0)
    setInt(ASKED_FREE, 0, slot)
    I32[ASKED_COUNT >> 2] = 1
  }
  F64[HOLD_SEQUENCE >> 3] = F64[HOLD_SEQUENCE >> 3]! + 1.0
}
