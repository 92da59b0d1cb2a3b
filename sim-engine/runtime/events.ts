// The loop over events, in the subset that lower/typescript.ts lowers: instants of run.ts that consist of events known here.

/* oxlint-disable typescript/no-confusing-non-null-assertion -- elements of views are numbers, and are compared */

import {
  BIRTH,
  CANCELLED,
  DONE,
  ENDING,
  EVENTS_AN_INSTANT,
  EXPIRE,
  FIRST_CONDITION,
  FREED_COUNT,
  FUEL,
  HOLE,
  INTS,
  KNOWN,
  LAST_ABOUT,
  LAST_DETAIL,
  LAST_KIND,
  LAST_RANK,
  LEFT,
  LOOP_FUEL,
  LOOP_STEPS,
  MADE,
  MORE,
  MOST,
  OBSERVED,
  NEARLY_EXHAUSTED,
  REALS,
  RESUME,
  ROWS,
  ROW_ROOM,
  ROW_TOP,
  SIZE,
  STARTS,
  STIRRED,
  TIME,
  TIMER,
  TIMES,
  T_EVENT,
  T_PC,
  T_UNTIL,
  UNSETTLED,
  UNTIL,
  WATCH,
  WATCH_REALS,
  WOKEN,
  WOKEN_COUNT,
  add,
  byte,
  close,
  freeRow,
  hasToken,
  int,
  isDue,
  real,
  runOut,
  setInt,
  setReal,
  freeLimbo,
} from './processes.ts'
import { come, lookOn, mayCome } from './watches.ts'

type i32 = number
type f64 = number

declare const F64: Float64Array
declare const I32: Int32Array

// Functions of the program: a timer start goes off, or a process begins at a birth: the new token, or -1; its event's row is `row`;
declare function arrive(process: i32, row: i32): i32
declare function begin(process: i32, row: i32): i32
// one more of those that arrive together;
declare function another(process: i32, row: i32): i32
// the start of an instant for those born and dead here.
declare function settleHere(): void
// Of the host: tokens that have yet to arrive go the general way, where there is no room for them: 1 when the rest of the instant does, too.
declare function arriveOutside(): i32
// The start of an instant after a token continued in JavaScript.
declare function settle(): void
// The end of an instant: 1 where no other may follow here.
declare function observe(): i32
// Words and powers of numbers, and numbers of words: single instructions.
declare function toI(x: f64): i32
declare function toF(x: i32): f64

/** Whether the next event is one of those known here, and there is room for what it may add. */
export function isPlain(row: i32): i32 {
  if (I32[FREED_COUNT >> 2]! < 2 && I32[ROW_TOP >> 2]! + 2 > I32[ROW_ROOM >> 2]!) return 0
  const kind = int(INTS, row << 2)
  const about = int(INTS, (row << 2) + 1)
  if (kind === RESUME) return byte(KNOWN, int(T_PC, about))
  if (kind === EXPIRE) return byte(KNOWN, toI(real(REALS, (row << 2) + 2)))
  if (kind === WATCH) return mayCome(about)
  if (kind !== TIMER && kind !== BIRTH) return 0
  return (byte(STARTS, about) & (kind === TIMER ? 1 : 2)) !== 0 ? hasToken() : 0
}
/** Runs instants until MADE is MOST, an event is not plain, or the rest of an instant goes the general way. */
export function advance(): void {
  while (I32[MADE >> 2]! < I32[MOST >> 2]!) {
    if (I32[SIZE >> 2]! === 0) return
    const row = int(ROWS, 0)
    if (isPlain(row) === 0) return
    if (I32[LEFT >> 2]! < 0) {
      const time = real(TIMES, 0)
      if (time > F64[UNTIL >> 3]! || time >= F64[ENDING >> 3]!) return
      F64[TIME >> 3] = time
      if (I32[UNSETTLED >> 2]! !== 0) {
        I32[UNSETTLED >> 2] = 0
        I32[STIRRED >> 2] = 0
        settle()
      } else if (I32[STIRRED >> 2]! !== 0) {
        I32[STIRRED >> 2] = 0
        settleHere()
        freeLimbo()
      }
      F64[LOOP_FUEL >> 3] = LOOP_STEPS
      I32[LEFT >> 2] = EVENTS_AN_INSTANT + 4 * (I32[SIZE >> 2]! - I32[CANCELLED >> 2]!)
    } else if (I32[LEFT >> 2]! < NEARLY_EXHAUSTED) return
    if (takeEvent(row) !== 0) return
    if (I32[FIRST_CONDITION >> 2]! >= 0) {
      if (isDue() === 0) {
        if (lookOn() === 2) return
      }
    }
    if (I32[HOLE >> 2]! !== 0) close()
    if (I32[SIZE >> 2]! === 0 || real(TIMES, 0) > F64[TIME >> 3]!) {
      I32[LEFT >> 2] = -1
      const ends = I32[OBSERVED >> 2]! !== 0 ? observe() : 0
      add(MADE, 1)
      if (ends !== 0) return
    }
  }
}
/** The timer of a watch, in a row of the calendar, comes: the token that goes on. */
export function timerComes(row: i32, watch: i32): i32 {
  freeRow(row)
  F64[LAST_RANK >> 3] = real(REALS, row << 2)
  setReal(WATCH_REALS, (watch << 2) + 1, -1.0)
  return come(watch)
}
/** Takes the first event and runs its token and those woken by it: 1 when the rest of the instant goes the general way. */
export function takeEvent(row: i32): i32 {
  const kind = int(INTS, row << 2)
  let t = int(INTS, (row << 2) + 1)
  I32[LAST_KIND >> 2] = kind
  I32[LAST_ABOUT >> 2] = t
  F64[LAST_DETAIL >> 3] = real(REALS, (row << 2) + 2)
  setInt(INTS, (row << 2) + 2, int(INTS, (row << 2) + 2) + 1)
  I32[HOLE >> 2] = 1
  add(LEFT, -1)
  I32[FUEL >> 2] = EVENTS_AN_INSTANT
  if (kind === EXPIRE) {
    freeRow(row)
    // Where another event brings it on it was given what it waited for.
    const round = int(INTS, (row << 2) + 2) - 1
    if (real(T_EVENT, t) !== toF(row) + toF(round) * 16777216.0) return 0
    setReal(T_EVENT, t, -1.0)
    setInt(T_PC, t, toI(real(T_UNTIL, t)))
  } else if (kind === RESUME) {
    freeRow(row)
    setReal(T_EVENT, t, -1.0)
  } else if (kind === WATCH) {
    t = timerComes(row, t)
  } else {
    if (kind === TIMER) F64[LOOP_FUEL >> 3] = LOOP_STEPS
    t = kind === TIMER ? arrive(t, row) : begin(t, row)
    // The individual of the event is dead.
    if (t < 0) return 0
  }
  I32[DONE >> 2] = 0
  // As `runWoken` does, but that there is one call of `runOut`, which is put in its place.
  for (;;) {
    if (runOut(t) !== 0) return 1
    if (I32[MORE >> 2]! > 0) {
      if (hasToken() !== 0) {
        add(MORE, -1)
        t = another(I32[LAST_ABOUT >> 2]!, row)
        continue
      }
      if (arriveOutside() !== 0) return 1
    }
    const done = I32[DONE >> 2]!
    if (done === I32[WOKEN_COUNT >> 2]!) break
    t = int(WOKEN, done)
    I32[DONE >> 2] = done + 1
  }
  if (I32[DONE >> 2]! > 0) {
    add(LEFT, -1)
    I32[WOKEN_COUNT >> 2] = 0
  }
  return 0
}
