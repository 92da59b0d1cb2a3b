// Splits and joins of tokens, in the subset that lower/typescript.ts lowers: what run/{kernel,joins,gatherings}.ts do, to the bit.
// `p` is the address of the record of the tokens' population, 0 where they are nobody's.

/* oxlint-disable typescript/no-confusing-non-null-assertion -- elements of views are numbers, and are compared */

import { wake } from './containers.ts'
import { hang, unhang } from './populations.ts'
import {
  ARRIVALS,
  ARRIVAL_FREE,
  ARRIVAL_ROOM,
  ARRIVAL_TOP,
  FIRST_GROUP,
  FIRST_OF_HOLDER,
  GATHERED,
  GROUPS,
  GROUP_COUNT,
  GROUP_FREE,
  GROUP_ROOM,
  GROUP_TOP,
  HOLDER_ROOM,
  KNOWN,
  LAST_GROUP,
  LIMITS,
  SPARE_COUNT,
  STACK_ROOM,
  STACKED,
  TOKEN_ROOM,
  TOKEN_TOP,
  T_BORN,
  T_DEPTH,
  T_FIRST_CHILD,
  T_FLOW,
  T_HOLDER,
  T_INDEX,
  T_JOINED,
  T_LINK,
  T_NEXT_SIBLING,
  T_OUTER,
  T_OWNER,
  T_PARENT,
  T_PC,
  T_PENDING,
  T_PREVIOUS_SIBLING,
  T_PROCESS,
  T_ROOT,
  T_SINGLE,
  T_WATCHING,
  add,
  byte,
  create,
  end,
  int,
  push,
  real,
  setByte,
  setInt,
  setReal,
} from './processes.ts'

type i32 = number
type f64 = number

declare const I32: Int32Array

// Of the program: values that lead out go from a token to another of its process. Numbers of words: a single instruction.
declare function copyOut(from: i32, to: i32): void
// Of the host: who is next where only so many run at a time, or -1.
declare function leave(t: i32): i32
declare function toF(x: i32): f64

const FORK = 1
const CALL = 2
/** In the table of positions: a caller's, where nothing is handed back to it. */
const PLAIN_CALL = 2
/** Calls inside calls; from a little below the most there may be the general way counts them. */
const DEEP = 9000

// --- splits

/** Room for a token split into `n`. */
export function canFork(n: i32): i32 {
  if (I32[SPARE_COUNT >> 2]! + I32[TOKEN_ROOM >> 2]! - I32[TOKEN_TOP >> 2]! < n) return 0
  return I32[STACKED >> 2]! + n <= I32[STACK_ROOM >> 2]! ? 1 : 0
}
/** The original of a split rests. */
export function rest(t: i32): void {
  setInt(T_PC, t, int(T_PC, t) | 7)
  setInt(T_JOINED, t, -1)
}
/** One child of a split, at a position, where `canFork`. */
export function forkChild(t: i32, at: i32, p: i32): i32 {
  const child = create(int(T_PROCESS, t), at, real(T_OWNER, t))
  setReal(T_BORN, child, real(T_BORN, t))
  setByte(T_SINGLE, child, 0)
  setByte(T_SINGLE, t, 0)
  setInt(T_PARENT, child, t)
  setByte(T_LINK, child, FORK)
  setInt(T_DEPTH, child, int(T_DEPTH, t))
  const sibling = int(T_FIRST_CHILD, t)
  setInt(T_NEXT_SIBLING, child, sibling)
  if (sibling >= 0) setInt(T_PREVIOUS_SIBLING, sibling, child)
  setInt(T_FIRST_CHILD, t, child)
  setInt(T_PENDING, t, int(T_PENDING, t) + 1)
  setInt(T_ROOT, child, int(T_ROOT, t))
  setInt(T_OUTER, child, int(T_OUTER, t))
  setInt(T_HOLDER, child, int(T_HOLDER, t))
  if (p !== 0) hang(child, p)
  setReal(T_INDEX, child, real(T_INDEX, t))
  return child
}

// --- ends

/** Whether a token, that waits for it, may have another under it. */
export function canCall(t: i32): i32 {
  return int(T_DEPTH, t) < DEEP ? canFork(1) : 0
}
/** A token of a called process, or (`isInside`) of one inside a step, at a position, where `canCall`. */
export function callChild(t: i32, process: i32, at: i32, owner: f64, isInside: i32, p: i32): i32 {
  const child = create(process, at, owner)
  setByte(T_SINGLE, child, 0)
  setByte(T_SINGLE, t, 0)
  setInt(T_PARENT, child, t)
  setByte(T_LINK, child, CALL)
  setInt(T_DEPTH, child, int(T_DEPTH, t) + 1)
  const sibling = int(T_FIRST_CHILD, t)
  setInt(T_NEXT_SIBLING, child, sibling)
  if (sibling >= 0) setInt(T_PREVIOUS_SIBLING, sibling, child)
  setInt(T_FIRST_CHILD, t, child)
  setInt(T_PENDING, t, int(T_PENDING, t) + 1)
  if (p !== 0) hang(child, p)
  if (isInside !== 0) {
    setInt(T_OUTER, child, t)
    setReal(T_INDEX, child, 0.0)
    setInt(T_HOLDER, child, int(T_HOLDER, t))
  }
  return child
}

/** Whether a token and, where it is the last of a split, the original may end: nothing is held or watched, and a caller gets nothing back. */
export function canFinish(first: i32): i32 {
  let t = first
  for (;;) {
    if (byte(T_WATCHING, t) !== 0) return 0
    const parent = int(T_PARENT, t)
    if (parent >= 0) {
      if (I32[STACKED >> 2]! >= I32[STACK_ROOM >> 2]!) return 0
    }
    if (parent < 0) return t >= I32[HOLDER_ROOM >> 2]! || int(FIRST_OF_HOLDER, t) < 0 ? 1 : 0
    if (byte(T_LINK, t) !== FORK) {
      if ((byte(KNOWN, int(T_PC, parent)) & PLAIN_CALL) === 0) return 0
      return int(T_HOLDER, t) !== t || t >= I32[HOLDER_ROOM >> 2]! || int(FIRST_OF_HOLDER, t) < 0 ? 1 : 0
    }
    if (int(T_PENDING, parent) !== 1) return 1
    if (int(T_JOINED, parent) >= 0 || (int(T_PC, parent) & 7) !== 7) return canPass(parent)
    t = parent
  }
}
/** Whether it is known here what becomes of an original whose branches are gone: splits inside others may have joins further out. */
export function canPass(parent: i32): i32 {
  return int(T_PARENT, parent) < 0 || byte(T_LINK, parent) !== FORK ? 1 : 0
}
export function drop(t: i32, p: i32): void {
  if (p !== 0) unhang(t, p)
  if (I32[LIMITS >> 2]! !== 0) {
    const next = leave(t)
    if (next >= 0) wake(next)
  }
  end(t)
}
/** The token has come to an end of its process, where `canFinish`. */
export function finish(first: i32, p: i32): void {
  let t = first
  for (;;) {
    const parent = int(T_PARENT, t)
    if (byte(T_LINK, t) === FORK) copyOut(t, parent)
    drop(t, p)
    if (parent < 0) return
    if (isLastGone(parent) === 0) return
    t = parent
  }
}
/** A child ended or arrived in a join. 1 where it was the last, and the original ends, too. */
export function isLastGone(parent: i32): i32 {
  const pending = int(T_PENDING, parent)
  if (pending === 0 || int(T_PC, parent) < 0) return 0
  setInt(T_PENDING, parent, pending - 1)
  if (pending > 1) {
    if ((int(T_PC, parent) & 7) === 4) push(parent)
    return 0
  }
  const joined = int(T_JOINED, parent)
  if (joined >= 0) {
    setInt(T_PC, parent, (joined << 3) + 1)
    setInt(T_JOINED, parent, -1)
    push(parent)
    return 0
  }
  if ((int(T_PC, parent) & 7) === 7) return 1
  push(parent)
  return 0
}
/** A token arrived in a join and is gone. */
export function swallow(t: i32, p: i32): void {
  const parent = int(T_PARENT, t)
  drop(t, p)
  if (parent >= 0) {
    if (isLastGone(parent) !== 0) finish(parent, p)
  }
}

// --- joins

/** The group of an instance at a step; -1 where there is none. */
export function groupAt(root: i32, step: i32): i32 {
  let group = int(GATHERED, root)
  while (group >= 0) {
    if (int(GROUPS, (group << 3) + 1) === step) return group
    group = int(GROUPS, (group << 3) + 5)
  }
  return -1
}
export function addGroup(root: i32, step: i32): i32 {
  let group = I32[GROUP_FREE >> 2]!
  if (group >= 0) I32[GROUP_FREE >> 2] = int(GROUPS, (group << 3) + 7)
  else {
    group = I32[GROUP_TOP >> 2]!
    I32[GROUP_TOP >> 2] = group + 1
  }
  const at = I32[GROUPS >> 2]! + (group << 5)
  const last = I32[LAST_GROUP >> 2]!
  I32[at >> 2] = root
  I32[(at + 4) >> 2] = step
  I32[(at + 8) >> 2] = -1
  I32[(at + 12) >> 2] = -1
  I32[(at + 16) >> 2] = 0
  I32[(at + 20) >> 2] = int(GATHERED, root)
  I32[(at + 24) >> 2] = last
  I32[(at + 28) >> 2] = -1
  setInt(GATHERED, root, group)
  if (last >= 0) setInt(GROUPS, (last << 3) + 7, group)
  else I32[FIRST_GROUP >> 2] = group
  I32[LAST_GROUP >> 2] = group
  add(GROUP_COUNT, 1)
  return group
}
export function removeGroup(group: i32): void {
  const at = I32[GROUPS >> 2]! + (group << 5)
  const root = I32[at >> 2]!
  const after = I32[(at + 20) >> 2]!
  if (int(GATHERED, root) === group) setInt(GATHERED, root, after)
  else {
    let before = int(GATHERED, root)
    while (int(GROUPS, (before << 3) + 5) !== group) before = int(GROUPS, (before << 3) + 5)
    setInt(GROUPS, (before << 3) + 5, after)
  }
  const previous = I32[(at + 24) >> 2]!
  const next = I32[(at + 28) >> 2]!
  if (previous >= 0) setInt(GROUPS, (previous << 3) + 7, next)
  else I32[FIRST_GROUP >> 2] = next
  if (next >= 0) setInt(GROUPS, (next << 3) + 6, previous)
  else I32[LAST_GROUP >> 2] = previous
  I32[(at + 28) >> 2] = I32[GROUP_FREE >> 2]!
  I32[GROUP_FREE >> 2] = group
  add(GROUP_COUNT, -1)
}
export function arriveAt(group: i32, t: i32, flow: i32): void {
  let arrival = I32[ARRIVAL_FREE >> 2]!
  if (arrival >= 0) I32[ARRIVAL_FREE >> 2] = int(ARRIVALS, (arrival << 2) + 2)
  else {
    arrival = I32[ARRIVAL_TOP >> 2]!
    I32[ARRIVAL_TOP >> 2] = arrival + 1
  }
  const row = I32[ARRIVALS >> 2]! + (arrival << 4)
  I32[row >> 2] = t
  I32[(row + 4) >> 2] = flow
  I32[(row + 8) >> 2] = -1
  I32[(row + 12) >> 2] = 0
  const at = I32[GROUPS >> 2]! + (group << 5)
  const last = I32[(at + 12) >> 2]!
  if (last >= 0) setInt(ARRIVALS, (last << 2) + 2, arrival)
  else I32[(at + 8) >> 2] = arrival
  I32[(at + 12) >> 2] = arrival
  I32[(at + 16) >> 2] = I32[(at + 16) >> 2]! + 1
}
/** Takes the first out that came by a flow; its token. There is one. */
export function takeArrival(group: i32, flow: i32): i32 {
  const at = I32[GROUPS >> 2]! + (group << 5)
  let before = -1
  let arrival = I32[(at + 8) >> 2]!
  while (int(ARRIVALS, (arrival << 2) + 1) !== flow) {
    before = arrival
    arrival = int(ARRIVALS, (arrival << 2) + 2)
  }
  const row = I32[ARRIVALS >> 2]! + (arrival << 4)
  const after = I32[(row + 8) >> 2]!
  if (before >= 0) setInt(ARRIVALS, (before << 2) + 2, after)
  else I32[(at + 8) >> 2] = after
  if (after < 0) I32[(at + 12) >> 2] = before
  I32[(row + 8) >> 2] = I32[ARRIVAL_FREE >> 2]!
  I32[ARRIVAL_FREE >> 2] = arrival
  I32[(at + 16) >> 2] = I32[(at + 16) >> 2]! - 1
  return I32[row >> 2]!
}
/** How many came by a flow. */
export function cameBy(group: i32, flow: i32): i32 {
  let found = 0
  let arrival = int(GROUPS, (group << 3) + 2)
  while (arrival >= 0) {
    if (int(ARRIVALS, (arrival << 2) + 1) === flow) found = found + 1
    arrival = int(ARRIVALS, (arrival << 2) + 2)
  }
  return found
}
/** Room for what a join may add; and all who have come are of one split, which is in no other, or of none. */
export function canJoin(t: i32, step: i32): i32 {
  if (byte(T_WATCHING, t) !== 0 || I32[STACKED >> 2]! + 2 > I32[STACK_ROOM >> 2]!) return 0
  if (I32[GROUP_FREE >> 2]! < 0 && I32[GROUP_TOP >> 2]! >= I32[GROUP_ROOM >> 2]!) return 0
  if (I32[ARRIVAL_FREE >> 2]! < 0 && I32[ARRIVAL_TOP >> 2]! >= I32[ARRIVAL_ROOM >> 2]!) return 0
  const parent = int(T_PARENT, t)
  if (parent >= 0) {
    if (byte(T_LINK, t) !== FORK || canPass(parent) === 0) return 0
  }
  const group = groupAt(int(T_ROOT, t), step)
  if (group < 0) return 1
  let arrival = int(GROUPS, (group << 3) + 2)
  while (arrival >= 0) {
    const other = int(ARRIVALS, arrival << 2)
    if (other >= 0) {
      if (int(T_PARENT, other) !== parent) return 0
    }
    arrival = int(ARRIVALS, (arrival << 2) + 2)
  }
  return 1
}
/** A parallel join takes one token from each incoming flow, where `canJoin`. */
export function joinAll(t: i32, step: i32, incoming: i32, p: i32): void {
  const root = int(T_ROOT, t)
  let group = groupAt(root, step)
  if (group < 0) group = addGroup(root, step)
  setInt(T_PC, t, (step << 3) + 6)
  arriveAt(group, t, int(T_FLOW, t))
  let flow = 0
  while (flow < incoming) {
    if (cameBy(group, flow) === 0) return
    flow = flow + 1
  }
  const parent = int(T_PARENT, t)
  // Where they are all that is left of a split, its original goes on.
  let isWhole = 0
  if (byte(T_LINK, t) === FORK) isWhole = int(T_PENDING, parent) === incoming ? 1 : 0
  if (isWhole !== 0) setInt(T_JOINED, parent, step)
  const one = takeArrival(group, 0)
  if (isWhole !== 0) swallow(one, p)
  flow = 1
  while (flow < incoming) {
    swallow(takeArrival(group, flow), p)
    flow = flow + 1
  }
  if (int(GROUPS, (group << 3) + 4) === 0) removeGroup(group)
  if (isWhole !== 0) return
  setInt(T_PC, one, (step << 3) + 1)
  push(one)
}
/** Goes on with the m-th token of a round, one by each flow, and swallows the rest, where `canJoin` and `canFinish`. */
export function joinSome(t: i32, step: i32, needed: f64, incoming: i32, p: i32): void {
  const root = int(T_ROOT, t)
  const by = int(T_FLOW, t)
  let group = groupAt(root, step)
  if (group < 0) group = addGroup(root, step)
  const round = cameBy(group, by)
  arriveAt(group, -1, by)
  let arrived = 0
  let flow = 0
  while (flow < incoming) {
    if (cameBy(group, flow) > round) arrived = arrived + 1
    flow = flow + 1
  }
  if (round === 0 && arrived === incoming) {
    flow = 0
    while (flow < incoming) {
      takeArrival(group, flow)
      flow = flow + 1
    }
    if (int(GROUPS, (group << 3) + 4) === 0) removeGroup(group)
  }
  const least = needed < toF(incoming) ? needed : toF(incoming)
  if (toF(arrived) === least) {
    setInt(T_PC, t, (step << 3) + 1)
    push(t)
  } else swallow(t, p)
}
/** Branches of one split meet and the original goes on, where `canFinish`: 1 when the token has no original, and simply goes on. */
export function meets(t: i32, step: i32, p: i32): i32 {
  const parent = int(T_PARENT, t)
  if (byte(T_LINK, t) !== FORK) return 1
  setInt(T_JOINED, parent, step)
  swallow(t, p)
  return 0
}
