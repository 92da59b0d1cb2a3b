// Individuals and their tokens, in the subset that lower/typescript.ts lowers: births, deaths and the lists of who lives, as
// world/population.ts and run/kernel.ts do them, to the bit. `p` is the address of a population's record.

/* oxlint-disable typescript/no-confusing-non-null-assertion -- elements of views are numbers, and are compared */

import { belowAny, uniform } from './chance.ts'
import {
  ASKED_BY,
  ASKED_BY_ROOM,
  FIRST_OF_HOLDER,
  HOLDER_ROOM,
  LIMBO,
  LIMBO_COUNT,
  STIRRED,
  TOKEN_COUNT,
  T_FIRST_CHILD,
  T_HOLDER,
  T_NEXT_OWNED,
  T_OWNER,
  T_PARENT,
  T_PC,
  T_PREVIOUS_OWNED,
  T_REQUEST,
  T_WATCHING,
  add,
  byte,
  cancel,
  int,
  real,
  setInt,
  slotIn,
  slotOf,
} from './processes.ts'

type i32 = number
type f64 = number

declare const F64: Float64Array
declare const I32: Int32Array

// Of the program: texts end with their token. Numbers of words: a single instruction.
declare function forget(t: i32): void
declare function toF(x: i32): f64
declare function toI(x: f64): i32
// Of the host: room for as many again; a failure at a place, which never returns.
declare function widen(population: i32): void
declare function fail(place: i32): void

// A population's record: addresses of its arrays (0: it has none), then its numbers.
export const HANDLES = 0
export const IDS = 4
export const LIVING = 8
export const ORDER = 12
export const GENERATIONS = 16
export const FREED_SLOTS = 20
export const FIRST_TOKENS = 24
export const LIVING_COUNT = 28
export const COUNT = 32
export const TOP = 36
export const FREED_SLOT_COUNT = 40
export const SETTLED = 44
export const SLOT_ROOM = 48
export const RANKS = 52
export const BIRTHS = 56
export const MAXIMUM = 64
export const POPULATION_SIZE = 72

/** The handle of who lives in a slot, or -1. */
export function handleIn(p: i32, slot: i32): f64 {
  return F64[(I32[(p + HANDLES) >> 2]! + (slot << 3)) >> 3]!
}
/** Whether the individual with a handle lives. */
export function lives(p: i32, handle: f64): i32 {
  return handleIn(p, slotIn(handle)) === handle ? 1 : 0
}
/** The same of a handle that may be None. */
export function isAlive(p: i32, handle: f64): i32 {
  if (handle < 0.0) return 0
  return lives(p, handle)
}
/** Room for `n` more without making arrays longer, or being more than there may be. */
export function canBear(p: i32, n: f64): i32 {
  if (toF(I32[(p + COUNT) >> 2]!) + n > F64[(p + MAXIMUM) >> 3]!) return 0
  return toF(I32[(p + FREED_SLOT_COUNT) >> 2]! + I32[(p + SLOT_ROOM) >> 2]! - I32[(p + TOP) >> 2]!) >= n ? 1 : 0
}
/** A new individual, where `canBear`: its slot. Its columns are written by whoever calls. */
export function bear(p: i32): i32 {
  let slot = I32[(p + TOP) >> 2]!
  const freed = I32[(p + FREED_SLOT_COUNT) >> 2]!
  if (freed > 0) {
    I32[(p + FREED_SLOT_COUNT) >> 2] = freed - 1
    slot = I32[(I32[(p + FREED_SLOTS) >> 2]! + ((freed - 1) << 2)) >> 2]!
  } else I32[(p + TOP) >> 2] = slot + 1
  const generation = I32[(I32[(p + GENERATIONS) >> 2]! + (slot << 2)) >> 2]!
  F64[(I32[(p + HANDLES) >> 2]! + (slot << 3)) >> 3] = toF(slot) + toF(generation) * 16777216.0
  F64[(p + BIRTHS) >> 3] = F64[(p + BIRTHS) >> 3]! + 1.0
  F64[(I32[(p + IDS) >> 2]! + (slot << 3)) >> 3] = F64[(p + BIRTHS) >> 3]!
  const living = I32[(p + LIVING_COUNT) >> 2]!
  I32[(I32[(p + LIVING) >> 2]! + (living << 2)) >> 2] = slot
  I32[(p + LIVING_COUNT) >> 2] = living + 1
  add(p + COUNT, 1)
  const tokens = I32[(p + FIRST_TOKENS) >> 2]!
  if (tokens !== 0) I32[(tokens + (slot << 2)) >> 2] = -1
  I32[STIRRED >> 2] = 1
  return slot
}
/** Hangs a token on its individual. */
export function hang(t: i32, p: i32): void {
  const first = I32[(p + FIRST_TOKENS) >> 2]! + (slotOf(t) << 2)
  const next = I32[first >> 2]!
  setInt(T_NEXT_OWNED, t, next)
  setInt(T_PREVIOUS_OWNED, t, -1)
  if (next >= 0) setInt(T_PREVIOUS_OWNED, next, t)
  I32[first >> 2] = t
}
export function unhang(t: i32, p: i32): void {
  const next = int(T_NEXT_OWNED, t)
  const previous = int(T_PREVIOUS_OWNED, t)
  if (previous >= 0) setInt(T_NEXT_OWNED, previous, next)
  else I32[(I32[(p + FIRST_TOKENS) >> 2]! + (slotOf(t) << 2)) >> 2] = next
  if (next >= 0) setInt(T_PREVIOUS_OWNED, next, previous)
}
/** Whether nothing hangs on a token: no kin, nothing asked for or held, nothing watched, no join it waits at. */
export function isFree(t: i32): i32 {
  if (int(T_PARENT, t) >= 0 || int(T_FIRST_CHILD, t) >= 0 || byte(T_WATCHING, t) !== 0 || int(T_HOLDER, t) !== t) return 0
  if (real(T_REQUEST, t) >= 0.0 || (int(T_PC, t) & 7) === 6) return 0
  if (t < I32[HOLDER_ROOM >> 2]! && int(FIRST_OF_HOLDER, t) >= 0) return 0
  return t >= I32[ASKED_BY_ROOM >> 2]! || int(ASKED_BY, t) < 0 ? 1 : 0
}
/** Whether `die` knows what to do: the token's individual lives, and all its tokens are free. */
export function canDie(t: i32, p: i32): i32 {
  const handle = real(T_OWNER, t)
  if (lives(p, handle) === 0) return 0
  let one = I32[(I32[(p + FIRST_TOKENS) >> 2]! + (slotIn(handle) << 2)) >> 2]!
  while (one >= 0) {
    if (isFree(one) === 0) return 0
    one = int(T_NEXT_OWNED, one)
  }
  return 1
}
/** Updates the counts of `anyAmongDead` for the individual in a slot, which is about to die. LIVING is sorted by ids. */
export function uncount(p: i32, slot: i32): void {
  const ranks = I32[(p + RANKS) >> 2]!
  const blocks = I32[ranks >> 2]!
  if (blocks === 0) return
  const living = I32[(p + LIVING) >> 2]!
  const ids = I32[(p + IDS) >> 2]!
  const id = F64[(ids + (slot << 3)) >> 3]!
  let low = 0
  let high = blocks << 4
  while (low < high) {
    const middle = (low + high) >> 1
    if (F64[(ids + (I32[(living + (middle << 2)) >> 2]! << 3)) >> 3]! < id) low = middle + 1
    else high = middle
  }
  let block = (low >> 4) + 1
  while (block <= blocks) {
    add(ranks + (block << 2), -1)
    block = block + (block & (0 - block))
  }
}
/** Ends the life of the token's individual, and all its tokens, where `canDie`. */
export function die(t: i32, p: i32): void {
  const slot = slotOf(t)
  for (;;) {
    const one = I32[(I32[(p + FIRST_TOKENS) >> 2]! + (slot << 2)) >> 2]!
    if (one < 0) break
    cancel(one)
    unhang(one, p)
    forget(one)
    setInt(T_PC, one, -1)
    add(TOKEN_COUNT, -1)
    setInt(LIMBO, I32[LIMBO_COUNT >> 2]!, one)
    add(LIMBO_COUNT, 1)
  }
  uncount(p, slot)
  F64[(I32[(p + HANDLES) >> 2]! + (slot << 3)) >> 3] = -1.0
  const generation = I32[(p + GENERATIONS) >> 2]! + (slot << 2)
  I32[generation >> 2] = I32[generation >> 2]! + 1
  add(p + COUNT, -1)
  I32[STIRRED >> 2] = 1
}
/** The start of an instant: who was born may act, and the dead are dropped when they are an eighth. */
export function settlePopulation(p: i32): void {
  const living = I32[(p + LIVING) >> 2]!
  const order = I32[(p + ORDER) >> 2]!
  const n = I32[(p + LIVING_COUNT) >> 2]!
  let k = I32[(p + SETTLED) >> 2]!
  while (k < n) {
    I32[(order + (k << 2)) >> 2] = I32[(living + (k << 2)) >> 2]!
    k = k + 1
  }
  I32[(p + SETTLED) >> 2] = n
  const dead = n - I32[(p + COUNT) >> 2]!
  if (dead === 0 || dead << 3 < n) return
  const handles = I32[(p + HANDLES) >> 2]!
  const freed = I32[(p + FREED_SLOTS) >> 2]!
  let freedCount = I32[(p + FREED_SLOT_COUNT) >> 2]!
  let kept = 0
  k = 0
  while (k < n) {
    // Without branches: whether a slot is alive is predicted badly.
    const slot = I32[(living + (k << 2)) >> 2]!
    const isAlive = F64[(handles + (slot << 3)) >> 3]! >= 0.0 ? 1 : 0
    I32[(living + (kept << 2)) >> 2] = slot
    I32[(freed + (freedCount << 2)) >> 2] = slot
    kept = kept + isAlive
    freedCount = freedCount + 1 - isAlive
    k = k + 1
  }
  I32[(p + FREED_SLOT_COUNT) >> 2] = freedCount
  I32[(p + LIVING_COUNT) >> 2] = kept
  I32[I32[(p + RANKS) >> 2]! >> 2] = 0
  kept = 0
  k = 0
  while (k < n) {
    const slot = I32[(order + (k << 2)) >> 2]!
    I32[(order + (kept << 2)) >> 2] = slot
    kept = kept + (F64[(handles + (slot << 3)) >> 3]! >= 0.0 ? 1 : 0)
    k = k + 1
  }
  I32[(p + SETTLED) >> 2] = kept
}
/** The order of the last time, shuffled: how many there are. See world/population.ts. */
export function shuffled(p: i32, stream: i32): i32 {
  const order = I32[(p + ORDER) >> 2]!
  const n = I32[(p + SETTLED) >> 2]!
  let i = n - 1
  while (i > 0) {
    const at = order + (i << 2)
    const other = order + (toI(uniform(stream) * toF(i + 1)) << 2)
    const slot = I32[at >> 2]!
    I32[at >> 2] = I32[other >> 2]!
    I32[other >> 2] = slot
    i = i - 1
  }
  return n
}
/** One of all who live, where somebody does: a slot. */
export function anyOf(p: i32, stream: i32): i32 {
  const count = I32[(p + COUNT) >> 2]!
  const living = I32[(p + LIVING) >> 2]!
  const rank = toI(belowAny(stream, toF(count)))
  return count === I32[(p + LIVING_COUNT) >> 2]! ? I32[(living + (rank << 2)) >> 2]! : anyAmongDead(p, rank)
}
/** The number of living individuals in sixteen entries of LIVING from `first`. */
export function livingIn(p: i32, first: i32): i32 {
  let n = 0
  let at = I32[(p + LIVING) >> 2]! + (first << 2)
  const end = at + 64
  while (at < end) {
    n = n + (handleIn(p, I32[at >> 2]!) >= 0.0 ? 1 : 0)
    at = at + 4
  }
  return n
}
/**
 * The slot of the living individual with this rank among the living, while the dead are still in LIVING. RANKS is a number of blocks
 * and, behind it, a Fenwick tree: the living in each block of sixteen entries. Blocks are added up to the largest rank asked for.
 */
export function anyAmongDead(p: i32, rank: i32): i32 {
  const living = I32[(p + LIVING) >> 2]!
  const ranks = I32[(p + RANKS) >> 2]!
  const full = I32[(p + LIVING_COUNT) >> 2]! >> 4
  let blocks = I32[ranks >> 2]!
  let left = rank
  let block = 0
  let step = 1
  while (step <= blocks) step = step << 1
  while (step > 0) {
    if (block + step <= blocks) {
      const n = I32[(ranks + ((block + step) << 2)) >> 2]!
      if (n <= left) {
        block = block + step
        left = left - n
      }
    }
    step = step >> 1
  }
  while (block === blocks && blocks < full) {
    const n = livingIn(p, blocks << 4)
    blocks = blocks + 1
    let sum = n
    let below = 1
    while ((blocks & below) === 0) {
      sum = sum + I32[(ranks + ((blocks - below) << 2)) >> 2]!
      below = below << 1
    }
    I32[(ranks + (blocks << 2)) >> 2] = sum
    I32[ranks >> 2] = blocks
    if (n <= left) {
      block = blocks
      left = left - n
    }
  }
  let k = block << 4
  for (;;) {
    const slot = I32[(living + (k << 2)) >> 2]!
    if (handleIn(p, slot) >= 0.0) {
      if (left === 0) return slot
      left = left - 1
    }
    k = k + 1
  }
}
/** A new individual of a population without tokens; `full` is where one too many fails. */
export function createOne(p: i32, population: i32, full: i32): i32 {
  const count = toF(I32[(p + COUNT) >> 2]!)
  if (count >= F64[(p + MAXIMUM) >> 3]! || count >= 16777216.0) fail(full)
  if (I32[(p + FREED_SLOT_COUNT) >> 2]! === 0) {
    if (I32[(p + TOP) >> 2]! === I32[(p + SLOT_ROOM) >> 2]!) widen(population)
    if (I32[(p + TOP) >> 2]! === 16777216) fail(full)
  }
  return bear(p)
}
/** Ends a life on which nothing hangs. */
export function endLife(p: i32, slot: i32): void {
  uncount(p, slot)
  F64[(I32[(p + HANDLES) >> 2]! + (slot << 3)) >> 3] = -1.0
  const generation = I32[(p + GENERATIONS) >> 2]! + (slot << 2)
  I32[generation >> 2] = I32[generation >> 2]! + 1
  add(p + COUNT, -1)
}
/** Bytes from one array to another, eight at a time. */
export function copyAll(from: i32, to: i32, bytes: i32): void {
  let k = 0
  while (k < bytes) {
    F64[(to + k) >> 3] = F64[(from + k) >> 3]!
    k = k + 8
  }
}
