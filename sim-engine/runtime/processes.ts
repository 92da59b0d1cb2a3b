// The event loop, tokens, and containers of units, in the subset that lower/typescript.ts lowers. It works on the arrays of
// kernel/calendar.ts, run/tokens/tokens.ts, world/{holdings,requests,container}.ts where those stand in one memory, and does what they do,
// in their order and to the bit. Where something unusual turns up it leaves, and they go on.
//
// `F64`, `I32` and `U8` are views of the memory. The head of the memory holds scalars and the addresses of the arrays; what each
// word is called here is what `run/fast-path.ts` writes it from and reads it back to.

/* oxlint-disable typescript/no-confusing-non-null-assertion -- elements of views are numbers, and are compared */

type i32 = number
type f64 = number

declare const F64: Float64Array
declare const I32: Int32Array
declare const U8: Uint8Array

// Functions of the program: steps from a position on (-1: the token waits or is gone, else where the general way takes over);
declare function step(t: i32, pc: i32): i32
// texts end with their token.
declare function forget(t: i32): void
// Of the host: a failure at a place, which never returns.
declare function fail(place: i32): void
// Continues a token in JavaScript; 1: the rest of the instant runs there, too.
declare function goOn(t: i32, pc: i32): i32
// Words and powers of numbers, and numbers of words: single instructions.
declare function toI(x: f64): i32
declare function toF(x: i32): f64

// --- the head of the memory: f64 scalars, i32 scalars, addresses

export const TIME = 0
export const UNTIL = 8
export const ENDING = 16
export const SEQUENCE = 24
export const HOLD_SEQUENCE = 32
export const SERIALS = 40
export const LAST_REQUEST = 48
export const GOT = 56
export const WOKEN_AT = 64
export const LAST_DETAIL = 72
/** The number of the last tick. */
export const TICK = 80
/** Steps of loops in formulas that are left to the instant. */
export const LOOP_FUEL = 88

export const MADE = 128
export const MOST = 132
export const LEFT = 136
export const FUEL = 140
export const SIZE = 144
export const HOLE = 148
export const FREED_COUNT = 152
export const ROW_TOP = 156
export const ROW_ROOM = 160
export const SPARE_COUNT = 164
export const TOKEN_COUNT = 168
export const TOKEN_TOP = 172
export const TOKEN_ROOM = 176
export const HOLD_FREE = 180
export const HOLD_TOP = 184
export const HOLD_ROOM = 188
export const HOLDER_ROOM = 192
export const ASKED_TOP = 196
export const ASKED_COUNT = 200
export const ASKED_ROOM = 204
export const ASKERS_ROOM = 208
export const ASKED_BY_ROOM = 212
export const WOKEN_COUNT = 216
export const WOKEN_ROOM = 220
export const DONE = 224
export const CURRENT = 228
export const LAST_KIND = 232
export const LAST_ABOUT = 236
/** Cancelled events that are still in the heap. */
export const CANCELLED = 240
/** Whether something may have been born or died since the instant began. */
export const UNSETTLED = 244
/** Whether somebody was born or died here since then. */
export const STIRRED = 248
/** Tokens whose slots may be used again after that. */
export const LIMBO_COUNT = 252

export const TIMES = 256
export const ROWS = 260
export const REALS = 264
export const INTS = 268
export const FREED = 272
export const HELD = 276
export const HELD_REALS = 280
export const FIRST_OF_HOLDER = 284
export const ASKED = 288
export const ASKED_REALS = 292
export const ASKED_FREE = 296
export const ASKED_BY = 300
export const ASKERS = 304
export const WOKEN = 308
export const SPARE = 312
/** By position: 1 where `step` knows how to go on; by process: 1 where `arrive` knows. */
export const KNOWN = 316
export const STARTS = 320
export const T_PC = 324
export const T_PROCESS = 328
export const T_OWNER = 332
export const T_PARENT = 336
export const T_LINK = 340
export const T_PENDING = 344
export const T_JOINED = 348
export const T_ROOT = 352
export const T_OUTER = 356
export const T_HOLDER = 360
export const T_DEPTH = 364
export const T_FIRST_CHILD = 368
export const T_NEXT_SIBLING = 372
export const T_PREVIOUS_SIBLING = 376
export const T_EVENT = 380
export const T_REQUEST = 384
export const T_UNTIL = 388
export const T_LENGTH = 392
export const T_BORN = 396
export const T_SERIAL = 400
export const T_WATCHING = 404
export const T_SINGLE = 408
export const T_FLOW = 412
export const T_NEXT_OWNED = 416
export const T_PREVIOUS_OWNED = 420
export const T_INDEX = 424
export const LIMBO = 428
/** Pushed tokens: the topmost runs first. */
export const STACK = 432
export const STACKED = 436
export const STACK_ROOM = 440
/** Groups of tokens at joins: run/tokens/gatherings.ts. */
export const GATHERED = 444
export const GROUPS = 448
export const ARRIVALS = 452
export const FIRST_GROUP = 456
export const LAST_GROUP = 460
export const GROUP_FREE = 464
export const GROUP_TOP = 468
export const GROUP_ROOM = 472
export const GROUP_COUNT = 476
export const ARRIVAL_FREE = 480
export const ARRIVAL_TOP = 484
export const ARRIVAL_ROOM = 488
/** In a tick: whether tokens are made the general way; who acts, as population and slot. */
export const GENERAL = 492
export const ACTING = 496
export const ACTING_SLOT = 500
/** Tokens of a timer start that have yet to be made. */
export const MORE = 504
/** Watches: run/tokens/watch-rows.ts. */
export const WATCH_SERIALS = 512
export const WATCHES = 520
export const WATCH_REALS = 524
export const WATCH_FREE = 528
export const WATCH_TOP = 532
export const WATCH_ROOM = 536
export const WATCH_SIZE = 540
export const FIRST_CONDITION = 544
export const LAST_CONDITION = 548
export const FIRST_TRUE = 552
/** Where a look at all conditions goes on. */
export const LOOK_AT = 556
/** Whether one is being made. */
export const LOOKING = 560
export const T_WATCHED = 564
/** Conditions from that one on are not looked at in it. */
export const LOOK_UNTIL = 568
/** The priority of the last event, where it was what a token watched for. */
export const LAST_RANK = 576
/** Whether something is looked at after each instant. */
export const OBSERVED = 584
/** Time left of work that was interrupted; how many tokens have some. */
export const T_SUSPENDED = 588
export const SUSPENDED_COUNT = 592
/** Containers whose queues have to be looked at once more, as addresses of their records; 0 = none. */
export const FIRST_DIRTY = 596
export const LAST_DIRTY = 600
/** All who ever held something are below this holder. */
export const HOLDERS = 604
/** Whether formulas ask what steps were given. */
export const TELLS = 608
/** Whether only so many tokens of some processes run at a time. */
export const LIMITS = 612
export const HEAD_SIZE = 616

// A container's record: addresses of its books, marks and queue; then what is fixed.
export const BOOK = 0
export const MARKS = 4
export const QUEUE = 8
export const QUEUE_ROOM = 12
export const INDEX = 16
export const IS_LATEST = 20
export const BY_PRIORITY = 24
/** Whether nobody goes before those who wait. */
export const STRICT = 28
/** Whether it is among those to be looked at once more, and the next of them. */
export const DIRTY = 32
export const NEXT_DIRTY = 36
export const RECORD_SIZE = 40

// In the marks (i32): first held record, begin and end of the queue, how many in it could be met with nothing left, and how many are
// neither for some units of it nor for units of several containers. In the books (f64): statistics of eight numbers each.
export const FIRST_HOLD = 0
export const QUEUE_FROM = 4
export const QUEUE_TO = 8
export const FLEXIBLE = 12
export const ODD = 16
export const LEVELS = 0
export const USES = 64
export const QUEUES = 128
export const WAITS = 256
export const INTERRUPTIONS = 320
export const SERVED = 384
export const GAVE_UP = 392
export const PREEMPTIONS = 400
export const USED = 408
export const CAPACITY = 416
/** No less than these is waited for: to take or hold, and to put. */
export const LEAST_TAKEN = 424
export const LEAST_PUT = 432

const CANCELLED_STATE = 2

export const RESUME = 1
export const TIMER = 2
export const EXPIRE = 9
export const WATCH = 5
export const LAST_PRIORITY = 1000000000
export const BIRTH = 8
/** Waiting, in phase 1, and in phase 3. */
const PLANNED = 5
const PLANNED_LATE = 13
export const EVENTS_AN_INSTANT = 1000000
/** Steps of loops in formulas until they are told to be endless; those of an instant, and of each timer that goes off. */
export const LOOP_STEPS = 50000000.0
/** Steps left to an instant from which on the general way counts. */
export const NEARLY_EXHAUSTED = 1000

// --- access by index

export function int(base: i32, k: i32): i32 {
  return I32[(I32[base >> 2]! + (k << 2)) >> 2]!
}
export function setInt(base: i32, k: i32, value: i32): void {
  I32[(I32[base >> 2]! + (k << 2)) >> 2] = value
}
export function real(base: i32, k: i32): f64 {
  return F64[(I32[base >> 2]! + (k << 3)) >> 3]!
}
export function setReal(base: i32, k: i32, value: f64): void {
  F64[(I32[base >> 2]! + (k << 3)) >> 3] = value
}
export function byte(base: i32, k: i32): i32 {
  return U8[I32[base >> 2]! + k]!
}
export function setByte(base: i32, k: i32, value: i32): void {
  U8[I32[base >> 2]! + k] = value
}
export function add(word: i32, by: i32): void {
  I32[word >> 2] = I32[word >> 2]! + by
}

// --- the calendar: a 4-ary heap of (time, row), without cancelled events; after an event is taken the root is a hole

export function before(p: i32, q: i32): i32 {
  const sooner = (int(INTS, (p << 2) + 3) >> 2) - (int(INTS, (q << 2) + 3) >> 2)
  if (sooner !== 0) return sooner < 0 ? 1 : 0
  const priority = real(REALS, p << 2) - real(REALS, q << 2)
  if (priority !== 0.0) return priority < 0.0 ? 1 : 0
  return real(REALS, (p << 2) + 1) < real(REALS, (q << 2) + 1) ? 1 : 0
}
export function rise(at: i32, row: i32, due: f64): void {
  const times = I32[TIMES >> 2]!
  let i = at
  while (i > 0) {
    const parent = (i - 1) >> 2
    const above = F64[(times + (parent << 3)) >> 3]!
    if (above < due) break
    if (above === due) {
      if (before(row, int(ROWS, parent)) === 0) break
    }
    F64[(times + (i << 3)) >> 3] = above
    setInt(ROWS, i, int(ROWS, parent))
    i = parent
  }
  F64[(times + (i << 3)) >> 3] = due
  setInt(ROWS, i, row)
}
/** Puts a row into the hole at the root of a large heap: the least of four children without branches, as nobody can guess which it is. */
export function sinkFar(row: i32, due: f64): void {
  const times = I32[TIMES >> 2]!
  const rows = I32[ROWS >> 2]!
  const n = I32[SIZE >> 2]!
  let i = 0
  for (;;) {
    const child = (i << 2) + 1
    if (child + 4 > n) break
    const at = times + (child << 3)
    const p = F64[at >> 3]!
    const q = F64[(at + 8) >> 3]!
    const r = F64[(at + 16) >> 3]!
    const s = F64[(at + 24) >> 3]!
    const a = child + (q < p ? 1 : 0)
    const b = child + 2 + (s < r ? 1 : 0)
    const one = F64[(times + (a << 3)) >> 3]!
    const two = F64[(times + (b << 3)) >> 3]!
    if (p === q || r === s || one === two) break
    const best = a + Math.imul(b - a, two < one ? 1 : 0)
    const least = F64[(times + (best << 3)) >> 3]!
    if (due <= least) break
    F64[(times + (i << 3)) >> 3] = least
    I32[(rows + (i << 2)) >> 2] = I32[(rows + (best << 2)) >> 2]!
    i = best
  }
  sinkFrom(i, row, due)
}
/** From a hole further down, in order. */
export function sinkFrom(from: i32, row: i32, due: f64): void {
  const times = I32[TIMES >> 2]!
  const rows = I32[ROWS >> 2]!
  const n = I32[SIZE >> 2]!
  let i = from
  for (;;) {
    let child = (i << 2) + 1
    if (child >= n) break
    let best = child
    let least = F64[(times + (child << 3)) >> 3]!
    const end = child + 4 < n ? child + 4 : n
    child = child + 1
    while (child < end) {
      const value = F64[(times + (child << 3)) >> 3]!
      if (value < least) {
        least = value
        best = child
      } else if (value === least) {
        if (before(I32[(rows + (child << 2)) >> 2]!, I32[(rows + (best << 2)) >> 2]!) !== 0) best = child
      }
      child = child + 1
    }
    if (due < least) break
    if (due === least) {
      if (before(row, I32[(rows + (best << 2)) >> 2]!) !== 0) break
    }
    F64[(times + (i << 3)) >> 3] = least
    I32[(rows + (i << 2)) >> 2] = I32[(rows + (best << 2)) >> 2]!
    i = best
  }
  F64[(times + (i << 3)) >> 3] = due
  I32[(rows + (i << 2)) >> 2] = row
}
export function put(row: i32, due: f64): void {
  if (I32[HOLE >> 2]! !== 0) {
    I32[HOLE >> 2] = 0
    if (I32[SIZE >> 2]! > 64) sinkFar(row, due)
    else sinkFrom(0, row, due)
    if (I32[CANCELLED >> 2]! > 0) dropCancelled()
  } else {
    const n = I32[SIZE >> 2]!
    I32[SIZE >> 2] = n + 1
    rise(n, row, due)
  }
}
/** Fills the hole at the root with the last entry. */
export function close(): void {
  I32[HOLE >> 2] = 0
  const n = I32[SIZE >> 2]! - 1
  I32[SIZE >> 2] = n
  if (n > 0) {
    const last = int(ROWS, n)
    if (n > 64) sinkFar(last, real(REALS, (last << 2) + 3))
    else sinkFrom(0, last, real(REALS, (last << 2) + 3))
  }
  if (I32[CANCELLED >> 2]! > 0) dropCancelled()
}
/** The root never is a cancelled event. */
export function dropCancelled(): void {
  while (I32[SIZE >> 2]! > 0) {
    const row = int(ROWS, 0)
    if ((int(INTS, (row << 2) + 3) & 3) !== CANCELLED_STATE) break
    setInt(INTS, (row << 2) + 2, int(INTS, (row << 2) + 2) + 1)
    freeRow(row)
    add(CANCELLED, -1)
    const n = I32[SIZE >> 2]! - 1
    I32[SIZE >> 2] = n
    if (n > 0) {
      const last = int(ROWS, n)
      sinkFrom(0, last, real(REALS, (last << 2) + 3))
    }
  }
}
/** Writes a row's event, in phase 1: `b` is its detail. */
export function writeRow(row: i32, due: f64, kind: i32, a: i32, b: f64): void {
  const reals = I32[REALS >> 2]! + (row << 5)
  const sequence = F64[SEQUENCE >> 3]!
  F64[reals >> 3] = 0
  F64[(reals + 8) >> 3] = sequence
  F64[SEQUENCE >> 3] = sequence + 1.0
  F64[(reals + 16) >> 3] = b
  F64[(reals + 24) >> 3] = due
  const ints = I32[INTS >> 2]! + (row << 4)
  I32[ints >> 2] = kind
  I32[(ints + 4) >> 2] = a
  I32[(ints + 12) >> 2] = PLANNED
}
/** Room for one more event without making arrays longer. */
export function hasRow(): i32 {
  return I32[FREED_COUNT >> 2]! > 0 || I32[ROW_TOP >> 2]! < I32[ROW_ROOM >> 2]! ? 1 : 0
}
/** Room for `n` more. */
export function hasRows(n: i32): i32 {
  return I32[FREED_COUNT >> 2]! + I32[ROW_ROOM >> 2]! - I32[ROW_TOP >> 2]! >= n ? 1 : 0
}
export function takeRow(): i32 {
  const row = I32[ROW_TOP >> 2]!
  const freed = I32[FREED_COUNT >> 2]!
  if (freed > 0) {
    I32[FREED_COUNT >> 2] = freed - 1
    return int(FREED, freed - 1)
  }
  I32[ROW_TOP >> 2] = row + 1
  return row
}
/** The token's `resume`. There is room. */
export function schedule(t: i32, due: f64): void {
  const row = takeRow()
  writeRow(row, due, RESUME, t, 0.0)
  setReal(T_EVENT, t, handleOf(row))
  put(row, due)
}
/** What an event in a row is cancelled by. */
export function handleOf(row: i32): f64 {
  return toF(row) + toF(int(INTS, (row << 2) + 2)) * 16777216.0
}
/** Patience: another event for a token, that comes last of those at its time and sends it to `next`. There is room. */
export function expireAfter(t: i32, span: f64, next: i32): void {
  const row = takeRow()
  const due = F64[TIME >> 3]! + span
  writeRow(row, due, EXPIRE, t, toF(next))
  setReal(REALS, row << 2, toF(LAST_PRIORITY))
  setReal(T_UNTIL, t, toF(next))
  setReal(T_EVENT, t, handleOf(row))
  put(row, due)
}
/** The token's event is to come no more. */
export function cancel(t: i32): void {
  const handle = real(T_EVENT, t)
  if (handle < 0.0) return
  setReal(T_EVENT, t, -1.0)
  cancelEvent(handle)
}
/** An event is to come no more. */
export function cancelEvent(handle: f64): void {
  const round = Math.floor(handle / 16777216.0)
  const row = toI(handle - round * 16777216.0)
  const state = int(INTS, (row << 2) + 3)
  if ((state & 3) !== 1 || toF(int(INTS, (row << 2) + 2)) !== round) return
  setInt(INTS, (row << 2) + 3, state + 1)
  const count = I32[CANCELLED >> 2]! + 1
  I32[CANCELLED >> 2] = count
  if (count > 64 && count * 2 > I32[SIZE >> 2]!) compact()
  else if (I32[HOLE >> 2]! === 0) dropCancelled()
}
/** Rebuilds the heap without the cancelled events. */
export function compact(): void {
  const n = I32[SIZE >> 2]!
  let kept = 0
  let i = I32[HOLE >> 2]!
  while (i < n) {
    const row = int(ROWS, i)
    if ((int(INTS, (row << 2) + 3) & 3) === CANCELLED_STATE) {
      setInt(INTS, (row << 2) + 2, int(INTS, (row << 2) + 2) + 1)
      freeRow(row)
    } else {
      setReal(TIMES, kept, real(TIMES, i))
      setInt(ROWS, kept, row)
      kept = kept + 1
    }
    i = i + 1
  }
  I32[SIZE >> 2] = kept
  I32[HOLE >> 2] = 0
  I32[CANCELLED >> 2] = 0
  let at = (kept - 2) >> 2
  while (at >= 0) {
    const row = int(ROWS, at)
    sinkFrom(at, row, real(REALS, (row << 2) + 3))
    at = at - 1
  }
}
export function freeRow(row: i32): void {
  setInt(INTS, (row << 2) + 3, 0)
  setInt(FREED, I32[FREED_COUNT >> 2]!, row)
  add(FREED_COUNT, 1)
}
/** The timer start of a process goes off again for its owner after `span`: in the row that was taken. */
export function again(row: i32, process: i32, owner: f64, span: f64): void {
  const due = F64[TIME >> 3]! + span
  writeRow(row, due, TIMER, process, owner)
  put(row, due)
}
/** The timer start of a newborn's process goes off after `span`. There is room. */
export function startAfter(process: i32, owner: f64, span: f64): void {
  again(takeRow(), process, owner, span)
}
/** A process of a newborn begins at this instant, behind the tick. There is room. */
export function beginSoon(process: i32, owner: f64): void {
  const row = takeRow()
  const due = F64[TIME >> 3]!
  writeRow(row, due, BIRTH, process, owner)
  setInt(INTS, (row << 2) + 3, PLANNED_LATE)
  put(row, due)
}
/** Whether an event is due now, below the hole if there is one. */
export function isDue(): i32 {
  if (I32[HOLE >> 2]! !== 0 && I32[CANCELLED >> 2]! > 0) close()
  const times = I32[TIMES >> 2]!
  const n = I32[SIZE >> 2]!
  const now = F64[TIME >> 3]!
  if (I32[HOLE >> 2]! === 0) return n > 0 && F64[times >> 3]! <= now ? 1 : 0
  const below = n < 5 ? n : 5
  let child = 1
  while (child < below) {
    if (F64[(times + (child << 3)) >> 3]! <= now) return 1
    child = child + 1
  }
  return 0
}

// --- statistics: world/statistics.ts

/** A quantity that changes now; `w` is its row of eight. */
export function weigh(w: i32, value: f64): void {
  const passed = F64[TIME >> 3]! - F64[(w + 32) >> 3]!
  if (passed !== 0.0) {
    const was = F64[(w + 16) >> 3]!
    const area = was * passed
    F64[(w + 40) >> 3] = F64[(w + 40) >> 3]! + area
    F64[(w + 48) >> 3] = F64[(w + 48) >> 3]! + area * was
    F64[(w + 32) >> 3] = F64[TIME >> 3]!
  }
  F64[(w + 16) >> 3] = value
  if (value < F64[w >> 3]!) F64[w >> 3] = value
  if (value > F64[(w + 8) >> 3]!) F64[(w + 8) >> 3] = value
}
export function record(book: i32): void {
  const used = F64[(book + USED) >> 3]!
  weigh(book + LEVELS, F64[(book + CAPACITY) >> 3]! - used)
  weigh(book + USES, used)
}
/** One more value; `w` is a tally's row of eight. */
export function count(w: i32, value: f64): void {
  const n = F64[w >> 3]! + 1.0
  const was = F64[(w + 8) >> 3]!
  const delta = value - was
  const mean = was + delta / n
  F64[w >> 3] = n
  F64[(w + 8) >> 3] = mean
  F64[(w + 32) >> 3] = F64[(w + 32) >> 3]! + delta * (value - mean)
  if (value < F64[(w + 16) >> 3]!) F64[(w + 16) >> 3] = value
  if (value > F64[(w + 24) >> 3]!) F64[(w + 24) >> 3] = value
}
export function recordWait(book: i32, waited: f64): void {
  count(book + WAITS, waited)
  F64[(book + SERVED) >> 3] = F64[(book + SERVED) >> 3]! + 1.0
}

// --- tokens: run/tokens/tokens.ts, those without kin

/** The slot of an individual: the lower bits of its handle. */
export function slotIn(handle: f64): i32 {
  return toI(handle - Math.floor(handle / 16777216.0) * 16777216.0)
}
/** That of the individual a token acts for. */
export function slotOf(t: i32): i32 {
  return slotIn(real(T_OWNER, t))
}
/** An activity that lasts, where `hasRow`; `place` is told where the span is no time. */
export function sleep(t: i32, span: f64, next: i32, place: i32): void {
  setReal(T_LENGTH, t, span)
  nap(t, span, next, place)
}
/** Lets the token sleep. */
export function nap(t: i32, span: f64, next: i32, place: i32): void {
  if (!(span >= 0.0 && span - span === 0.0)) fail(place)
  setInt(T_PC, t, next)
  const due = F64[TIME >> 3]! + span
  setReal(T_UNTIL, t, due)
  schedule(t, due)
}
/** Takes a token out. */
export function end(t: i32): void {
  const parent = int(T_PARENT, t)
  if (parent >= 0) {
    const next = int(T_NEXT_SIBLING, t)
    const previous = int(T_PREVIOUS_SIBLING, t)
    if (previous >= 0) setInt(T_NEXT_SIBLING, previous, next)
    else setInt(T_FIRST_CHILD, parent, next)
    if (next >= 0) setInt(T_PREVIOUS_SIBLING, next, previous)
  }
  forget(t)
  setInt(T_PC, t, -1)
  add(TOKEN_COUNT, -1)
  setInt(SPARE, I32[SPARE_COUNT >> 2]!, t)
  add(SPARE_COUNT, 1)
}
/** A token has to run, before those pushed so far. There is room. */
export function push(t: i32): void {
  setInt(STACK, I32[STACKED >> 2]!, t)
  add(STACKED, 1)
}
/** A token of an individual, or of nobody: -1. There is room. */
export function create(process: i32, entry: i32, owner: f64): i32 {
  let t = I32[TOKEN_TOP >> 2]!
  const spare = I32[SPARE_COUNT >> 2]!
  if (spare > 0) {
    I32[SPARE_COUNT >> 2] = spare - 1
    t = int(SPARE, spare - 1)
  } else I32[TOKEN_TOP >> 2] = t + 1
  add(TOKEN_COUNT, 1)
  setInt(T_PC, t, entry)
  setInt(T_PROCESS, t, process)
  setReal(T_OWNER, t, owner)
  setReal(T_EVENT, t, -1.0)
  setReal(T_REQUEST, t, -1.0)
  setReal(T_LENGTH, t, 0.0)
  setReal(T_BORN, t, F64[TIME >> 3]!)
  F64[SERIALS >> 3] = F64[SERIALS >> 3]! + 1.0
  setReal(T_SERIAL, t, F64[SERIALS >> 3]!)
  if (byte(T_SINGLE, t) === 0) alone(t)
  return t
}
/** The slots of tokens that were ended from outside may be used again. */
export function freeLimbo(): void {
  const n = I32[LIMBO_COUNT >> 2]!
  let k = 0
  while (k < n) {
    setInt(SPARE, I32[SPARE_COUNT >> 2]! + k, int(LIMBO, k))
    k = k + 1
  }
  add(SPARE_COUNT, n)
  I32[LIMBO_COUNT >> 2] = 0
}
export function alone(t: i32): void {
  setInt(T_PARENT, t, -1)
  setByte(T_LINK, t, 0)
  setInt(T_PENDING, t, 0)
  setInt(T_JOINED, t, -1)
  setInt(T_ROOT, t, t)
  setInt(T_OUTER, t, -1)
  setInt(T_HOLDER, t, t)
  setInt(T_DEPTH, t, 0)
  setInt(T_FIRST_CHILD, t, -1)
  setInt(T_NEXT_SIBLING, t, -1)
  setInt(T_PREVIOUS_SIBLING, t, -1)
  setByte(T_WATCHING, t, 0)
  setByte(T_SINGLE, t, 1)
}

// --- running

/** Whether there is room for another token. */
export function hasToken(): i32 {
  return I32[SPARE_COUNT >> 2]! > 0 || I32[TOKEN_TOP >> 2]! < I32[TOKEN_ROOM >> 2]! ? 1 : 0
}
/** Runs a token and those it pushes: 1 when the rest of the instant goes the general way. */
export function runOut(first: i32): i32 {
  let t = first
  for (;;) {
    if (int(T_PC, t) >= 0) {
      I32[CURRENT >> 2] = t
      I32[FUEL >> 2] = I32[FUEL >> 2]! - 1
      const at = step(t, int(T_PC, t))
      if (at >= 0) {
        if (goOn(t, at) !== 0) return 1
      }
    }
    const stacked = I32[STACKED >> 2]!
    if (stacked <= 0) return 0
    I32[STACKED >> 2] = stacked - 1
    t = int(STACK, stacked - 1)
  }
}
/** Runs those woken so far and those they wake: 1 when the rest of the instant goes the general way. */
export function runWoken(): i32 {
  for (;;) {
    const done = I32[DONE >> 2]!
    if (done === I32[WOKEN_COUNT >> 2]!) break
    I32[DONE >> 2] = done + 1
    if (runOut(int(WOKEN, done)) !== 0) return 1
  }
  if (I32[DONE >> 2]! > 0) {
    add(LEFT, -1)
    I32[WOKEN_COUNT >> 2] = 0
  }
  return 0
}
