// The timers and conditions that tokens watch (run/watches.ts), in the subset that lower/typescript.ts lowers: rows of
// run/tokens/watch-rows.ts. Watches of other kinds are left to the general way, JavaScript.

/* oxlint-disable typescript/no-confusing-non-null-assertion -- elements of views are numbers, and are compared */

import {
  cancel,
  cancelEvent,
  DONE,
  FIRST_CONDITION,
  FIRST_TRUE,
  handleOf,
  KNOWN,
  LAST_CONDITION,
  LAST_PRIORITY,
  LEFT,
  LOOKING,
  LOOK_AT,
  LOOK_UNTIL,
  LOOP_FUEL,
  LOOP_STEPS,
  NEARLY_EXHAUSTED,
  REALS,
  STARTS,
  TIME,
  T_PC,
  T_WATCHED,
  T_WATCHING,
  WATCH,
  WATCHES,
  WATCH_FREE,
  WATCH_REALS,
  WATCH_ROOM,
  WATCH_SERIALS,
  WATCH_SIZE,
  WATCH_TOP,
  add,
  byte,
  hasToken,
  int,
  isDue,
  put,
  real,
  runOut,
  runWoken,
  setByte,
  setInt,
  setReal,
  takeRow,
  writeRow,
} from './processes.ts'

type i32 = number
type f64 = number

declare const F64: Float64Array
declare const I32: Int32Array

// Functions of the program: whether the condition of a step holds for a token; whether what a step sets going may change that of another;
declare function holds(step: i32, t: i32): i32
declare function mayChange(acted: i32, step: i32): i32
// whether the activity of a token can be interrupted here, and what is given back or withdrawn then.
declare function mayInterrupt(t: i32): i32
declare function interrupted(t: i32): void
// a token of a process that starts.
declare function another(process: i32, row: i32): i32
// Of the host: evaluates the remaining conditions. `acted`: the step of the last condition that acted, -1 for none.
declare function lookOutside(acted: i32): void

// Columns of a row of integers, in bytes; the second of a row of reals is the event of a timer.
const W_TOKEN = 0
const W_STEP = 4
const W_ROLE = 8
const W_TRIGGER = 12
const W_HOLDS = 16
const W_NEXT_OF_TOKEN = 20
const W_PREVIOUS = 24
const W_NEXT = 28
const W_TYPE = 32
const W_POPULATION = 36
const W_GENERATION = 40
const W_PREVIOUS_TRUE = 44
const W_NEXT_TRUE = 48

// Roles and triggers, see run/watches.ts.
const CATCHES = 0
const INTERRUPTS = 1
const STARTS_BY = 3
const GIVES_UP = 4
const TIMER_COMES = 0
const CONDITION = 1

export function watchAt(row: i32): i32 {
  return I32[WATCHES >> 2]! + (row << 6)
}
/** Room for `n` more. */
export function hasWatches(n: i32): i32 {
  return I32[WATCH_ROOM >> 2]! - I32[WATCH_SIZE >> 2]! >= n ? 1 : 0
}
/** A new row of a token. There is room. */
export function addWatch(t: i32, step: i32, role: i32, trigger: i32): i32 {
  let row = I32[WATCH_FREE >> 2]!
  if (row >= 0) I32[WATCH_FREE >> 2] = I32[(watchAt(row) + W_NEXT) >> 2]!
  else {
    row = I32[WATCH_TOP >> 2]!
    I32[WATCH_TOP >> 2] = row + 1
  }
  const at = watchAt(row)
  I32[(at + W_TOKEN) >> 2] = t
  I32[(at + W_STEP) >> 2] = step
  I32[(at + W_ROLE) >> 2] = role
  I32[(at + W_TRIGGER) >> 2] = trigger
  I32[(at + W_HOLDS) >> 2] = 0
  I32[(at + W_NEXT_OF_TOKEN) >> 2] = -1
  I32[(at + W_PREVIOUS) >> 2] = -1
  I32[(at + W_NEXT) >> 2] = -1
  I32[(at + W_TYPE) >> 2] = -1
  I32[(at + W_POPULATION) >> 2] = -1
  I32[(at + W_PREVIOUS_TRUE) >> 2] = -1
  I32[(at + W_NEXT_TRUE) >> 2] = -1
  const reals = row << 2
  setReal(WATCH_REALS, reals, F64[WATCH_SERIALS >> 3]!)
  setReal(WATCH_REALS, reals + 1, -1.0)
  setReal(WATCH_REALS, reals + 2, -1.0)
  F64[WATCH_SERIALS >> 3] = F64[WATCH_SERIALS >> 3]! + 1.0
  add(WATCH_SIZE, 1)
  setByte(T_WATCHING, t, 1)
  // Behind the others of the token.
  let before = int(T_WATCHED, t)
  if (before < 0) setInt(T_WATCHED, t, row)
  else {
    let one = I32[(watchAt(before) + W_NEXT_OF_TOKEN) >> 2]!
    while (one >= 0) {
      before = one
      one = I32[(watchAt(before) + W_NEXT_OF_TOKEN) >> 2]!
    }
    I32[(watchAt(before) + W_NEXT_OF_TOKEN) >> 2] = row
  }
  return row
}
/** A timer at the boundary of an activity. There is room for a row and an event. */
export function watchTimer(t: i32, step: i32, role: i32, span: f64): void {
  const watch = addWatch(t, step, role, TIMER_COMES)
  const row = takeRow()
  const due = F64[TIME >> 3]! + span
  writeRow(row, due, WATCH, watch, 0.0)
  setReal(REALS, row << 2, LAST_PRIORITY)
  setReal(WATCH_REALS, (watch << 2) + 1, handleOf(row))
  put(row, due)
}
/** A condition. There is room for a row. */
export function watchCondition(t: i32, step: i32, role: i32): void {
  const row = addWatch(t, step, role, CONDITION)
  const last = I32[LAST_CONDITION >> 2]!
  I32[(watchAt(row) + W_PREVIOUS) >> 2] = last
  if (last >= 0) I32[(watchAt(last) + W_NEXT) >> 2] = row
  else I32[FIRST_CONDITION >> 2] = row
  I32[LAST_CONDITION >> 2] = row
  if (role !== CATCHES) {
    if (holds(step, t) !== 0) note(row, 1)
  }
}
/** Whether a condition held when last looked at. */
export function note(row: i32, does: i32): void {
  const at = watchAt(row)
  if (I32[(at + W_HOLDS) >> 2]! === does) return
  I32[(at + W_HOLDS) >> 2] = does
  if (does !== 0) {
    const first = I32[FIRST_TRUE >> 2]!
    I32[(at + W_PREVIOUS_TRUE) >> 2] = -1
    I32[(at + W_NEXT_TRUE) >> 2] = first
    if (first >= 0) I32[(watchAt(first) + W_PREVIOUS_TRUE) >> 2] = row
    I32[FIRST_TRUE >> 2] = row
    return
  }
  const previous = I32[(at + W_PREVIOUS_TRUE) >> 2]!
  const next = I32[(at + W_NEXT_TRUE) >> 2]!
  if (previous >= 0) I32[(watchAt(previous) + W_NEXT_TRUE) >> 2] = next
  else I32[FIRST_TRUE >> 2] = next
  if (next >= 0) I32[(watchAt(next) + W_PREVIOUS_TRUE) >> 2] = previous
}
/** Whether a token watches for nothing but timers and conditions. */
export function mayUnwatch(t: i32): i32 {
  let row = int(T_WATCHED, t)
  while (row >= 0) {
    if (I32[(watchAt(row) + W_TRIGGER) >> 2]! > CONDITION) return 0
    row = I32[(watchAt(row) + W_NEXT_OF_TOKEN) >> 2]!
  }
  return 1
}
/** The token watches for nothing any more, where `mayUnwatch`. */
export function unwatch(t: i32): void {
  for (;;) {
    const row = int(T_WATCHED, t)
    if (row < 0) break
    const at = watchAt(row)
    const event = real(WATCH_REALS, (row << 2) + 1)
    if (event >= 0.0) cancelEvent(event)
    setInt(T_WATCHED, t, I32[(at + W_NEXT_OF_TOKEN) >> 2]!)
    if (I32[(at + W_TRIGGER) >> 2]! === CONDITION) {
      note(row, 0)
      const previous = I32[(at + W_PREVIOUS) >> 2]!
      const next = I32[(at + W_NEXT) >> 2]!
      if (previous >= 0) I32[(watchAt(previous) + W_NEXT) >> 2] = next
      else I32[FIRST_CONDITION >> 2] = next
      if (next >= 0) I32[(watchAt(next) + W_PREVIOUS) >> 2] = previous
      else I32[LAST_CONDITION >> 2] = previous
      if (I32[LOOK_AT >> 2]! === row) I32[LOOK_AT >> 2] = next
    }
    I32[(at + W_TOKEN) >> 2] = -1
    I32[(at + W_GENERATION) >> 2] = I32[(at + W_GENERATION) >> 2]! + 1
    I32[(at + W_NEXT) >> 2] = I32[WATCH_FREE >> 2]!
    I32[WATCH_FREE >> 2] = row
    add(WATCH_SIZE, -1)
  }
  setByte(T_WATCHING, t, 0)
}
/** Whether `come` knows what to do. */
export function mayCome(row: i32): i32 {
  const at = watchAt(row)
  const t = I32[(at + W_TOKEN) >> 2]!
  const role = I32[(at + W_ROLE) >> 2]!
  const position = I32[(at + W_STEP) >> 2]! << 3
  if (role === STARTS_BY) return (byte(STARTS, t) & 4) !== 0 ? hasToken() : 0
  if (mayUnwatch(t) === 0) return 0
  if (role === CATCHES) return byte(KNOWN, position + 2) & 1
  if (role === GIVES_UP) return byte(KNOWN, position + 4) & 1
  return role === INTERRUPTS && (byte(KNOWN, position) & 1) !== 0 ? mayInterrupt(t) : 0
}
/** What a token watched for has come: the token, at the position it goes on from. */
export function come(row: i32): i32 {
  const at = watchAt(row)
  const t = I32[(at + W_TOKEN) >> 2]!
  const role = I32[(at + W_ROLE) >> 2]!
  const position = I32[(at + W_STEP) >> 2]! << 3
  if (role === STARTS_BY) return another(t, 0)
  if (role !== CATCHES) cancel(t)
  unwatch(t)
  if (role === INTERRUPTS) interrupted(t)
  setInt(T_PC, t, role === CATCHES ? position + 2 : role === GIVES_UP ? position + 4 : position)
  return t
}
/** Looks at all conditions, see run/watches.ts: 1 when one acted; 2 when the rest of the instant goes the general way. */
export function look(): i32 {
  const serials = F64[WATCH_SERIALS >> 3]!
  F64[LOOK_UNTIL >> 3] = serials
  let acted = 0
  I32[LOOK_AT >> 2] = I32[FIRST_CONDITION >> 2]!
  for (;;) {
    const row = I32[LOOK_AT >> 2]!
    if (row < 0) break
    if (real(WATCH_REALS, row << 2) >= serials) break
    const at = watchAt(row)
    const step = I32[(at + W_STEP) >> 2]!
    const does = holds(step, I32[(at + W_TOKEN) >> 2]!)
    const isNew = does !== 0 && I32[(at + W_HOLDS) >> 2]! === 0 ? 1 : 0
    if (isNew !== 0) {
      if (mayCome(row) === 0) {
        // Those before it are as they were: the general way looks at all of them again.
        if (acted === 0) break
        lookOutside(-1)
        return 2
      }
    }
    I32[LOOK_AT >> 2] = I32[(at + W_NEXT) >> 2]!
    note(row, does)
    if (isNew !== 0) {
      acted = 1
      if (runOut(come(row)) !== 0) {
        lookOutside(step)
        return 2
      }
      lookAgain(step)
    }
  }
  const isLeft = I32[LOOK_AT >> 2]! >= 0 && acted === 0 ? 1 : 0
  I32[LOOK_AT >> 2] = -1
  return isLeft !== 0 ? 2 : acted
}
/** After a step has acted: which conditions that were true are so no more. */
export function lookAgain(acted: i32): void {
  let row = I32[FIRST_TRUE >> 2]!
  while (row >= 0) {
    const at = watchAt(row)
    const next = I32[(at + W_NEXT_TRUE) >> 2]!
    const step = I32[(at + W_STEP) >> 2]!
    if (mayChange(acted, step) !== 0) {
      if (holds(step, I32[(at + W_TOKEN) >> 2]!) === 0) note(row, 0)
    }
    row = next
  }
}
/** When nothing more is due: 0 when the instant is over; 1 when more is due; 2 when the rest of it goes the general way. */
export function lookOn(): i32 {
  for (;;) {
    F64[LOOP_FUEL >> 3] = LOOP_STEPS
    I32[DONE >> 2] = 0
    I32[LOOKING >> 2] = 1
    const acted = look()
    I32[LOOKING >> 2] = 0
    if (acted !== 1) return acted
    add(LEFT, -1)
    if (runWoken() !== 0) return 2
    if (isDue() !== 0) return 1
    if (I32[LEFT >> 2]! < NEARLY_EXHAUSTED) return 2
  }
}
