// Links that come and go, in the subset that lower/typescript.ts lowers: as world/links.ts adds and removes them, to the bit. `l` is the
// address of the record of a population of links, `n` and `m` those of populations of nodes.

/* oxlint-disable typescript/no-confusing-non-null-assertion -- elements of views are numbers, and are compared */

type i32 = number
type f64 = number

declare const F64: Float64Array
declare const I32: Int32Array
declare const U8: Uint8Array

// Of the host: room for so many entries of blocks, and as many again as there are.
declare function widenLinks(links: i32, size: i32): void

// A record of links: addresses of the arrays of the links, of their blocks and of the free ones, then numbers of entries.
export const LINK_AT = 0
export const NODE_AT = 4
export const SOURCES = 8
export const TARGETS = 12
export const SOURCE_POPULATIONS = 16
export const TARGET_POPULATIONS = 20
export const WEIGHTS = 24
export const FREE_BLOCKS = 28
export const TAKEN = 32
export const ENTRIES_OF_BLOCKS = 36
export const LINKS_SIZE = 40

// A record of nodes: addresses of what is known of their blocks. In an undirected network the way out is the way in.
export const OUT_START = 0
export const OUT_COUNT = 4
export const OUT_ROOM = 8
export const IN_START = 12
export const IN_COUNT = 16
export const IN_ROOM = 20
export const SIMPLE = 24
export const NODES_SIZE = 32
/** From a way out to the way in. */
export const WAY_IN = 12

/** An entry of one of these arrays, by the word that has its address. */
export function entryOf(word: i32, k: i32): i32 {
  return I32[(I32[word >> 2]! + (k << 2)) >> 2]!
}
export function setEntry(word: i32, k: i32, value: i32): void {
  I32[(I32[word >> 2]! + (k << 2)) >> 2] = value
}
/** k of the 2^k entries of a block. */
export function exponentOf(size: i32): i32 {
  let k = 0
  while (1 << k < size) k = k + 1
  return k
}
/** A block of so many entries. */
export function takeBlock(l: i32, links: i32, size: i32): i32 {
  const k = exponentOf(size)
  const block = entryOf(l + FREE_BLOCKS, k)
  if (block >= 0) {
    setEntry(l + FREE_BLOCKS, k, entryOf(l + LINK_AT, block))
    return block
  }
  if (I32[(l + TAKEN) >> 2]! + size > I32[(l + ENTRIES_OF_BLOCKS) >> 2]!) widenLinks(links, size)
  const start = I32[(l + TAKEN) >> 2]!
  I32[(l + TAKEN) >> 2] = start + size
  return start
}
/** The block of a node is free; `n` is the record, or the way in of it. */
export function releaseBlock(l: i32, n: i32, node: i32): void {
  const room = entryOf(n + OUT_ROOM, node)
  if (room > 0) {
    const block = entryOf(n + OUT_START, node)
    const k = exponentOf(room)
    setEntry(l + LINK_AT, block, entryOf(l + FREE_BLOCKS, k))
    setEntry(l + FREE_BLOCKS, k, block)
  }
  setEntry(n + OUT_ROOM, node, 0)
  setEntry(n + OUT_COUNT, node, 0)
}
/** A larger block for a node whose own is full. */
export function enlargeBlock(l: i32, links: i32, n: i32, node: i32): void {
  const count = entryOf(n + OUT_COUNT, node)
  const size = count === 0 ? 4 : count << 1
  const from = entryOf(n + OUT_START, node)
  const start = takeBlock(l, links, size)
  let k = 0
  while (k < count) {
    setEntry(l + LINK_AT, start + k, entryOf(l + LINK_AT, from + k))
    setEntry(l + NODE_AT, start + k, entryOf(l + NODE_AT, from + k))
    k = k + 1
  }
  releaseBlock(l, n, node)
  setEntry(n + OUT_START, node, start)
  setEntry(n + OUT_ROOM, node, size)
  setEntry(n + OUT_COUNT, node, count)
}
export function appendLink(l: i32, links: i32, n: i32, node: i32, link: i32, other: i32): void {
  const count = entryOf(n + OUT_COUNT, node)
  if (count === entryOf(n + OUT_ROOM, node)) enlargeBlock(l, links, n, node)
  const at = entryOf(n + OUT_START, node) + count
  setEntry(l + LINK_AT, at, link)
  setEntry(l + NODE_AT, at, other)
  setEntry(n + OUT_COUNT, node, count + 1)
}
/** Takes a link out of a node's block: those behind it move up. */
export function removeLink(l: i32, n: i32, node: i32, link: i32): void {
  const linkAt = I32[(l + LINK_AT) >> 2]!
  const nodeAt = I32[(l + NODE_AT) >> 2]!
  const start = entryOf(n + OUT_START, node)
  const last = start + entryOf(n + OUT_COUNT, node) - 1
  let k = start
  while (k < last && I32[(linkAt + (k << 2)) >> 2]! !== link) k = k + 1
  while (k < last) {
    I32[(linkAt + (k << 2)) >> 2] = I32[(linkAt + ((k + 1) << 2)) >> 2]!
    I32[(nodeAt + (k << 2)) >> 2] = I32[(nodeAt + ((k + 1) << 2)) >> 2]!
    k = k + 1
  }
  setEntry(n + OUT_COUNT, node, last - start)
}
export function isUnknown(n: i32, node: i32): void {
  U8[I32[(n + SIMPLE) >> 2]! + node] = 0
}
/** Joins node `a` of population `p` to node `b` of `q` by a link that was just made. */
export function joinNodes(
  l: i32,
  links: i32,
  link: i32,
  n: i32,
  p: i32,
  a: i32,
  m: i32,
  q: i32,
  b: i32,
  weight: f64,
  isDirected: i32,
): void {
  setEntry(l + SOURCES, link, a)
  setEntry(l + TARGETS, link, b)
  setEntry(l + SOURCE_POPULATIONS, link, p)
  setEntry(l + TARGET_POPULATIONS, link, q)
  F64[(I32[(l + WEIGHTS) >> 2]! + (link << 3)) >> 3] = weight
  isUnknown(n, a)
  isUnknown(m, b)
  appendLink(l, links, n, a, link, b)
  if (isDirected !== 0 || p !== q || a !== b) appendLink(l, links, m + WAY_IN, b, link, a)
}
/** Takes a link out of the blocks of its ends: nodes `n` of population `p`, and of links between two populations nodes `m` of the other. */
export function partNodes(l: i32, link: i32, n: i32, p: i32, m: i32, isDirected: i32): void {
  const from = entryOf(l + SOURCES, link)
  const to = entryOf(l + TARGETS, link)
  const first = entryOf(l + SOURCE_POPULATIONS, link) === p ? n : m
  const second = entryOf(l + TARGET_POPULATIONS, link) === p ? n : m
  isUnknown(first, from)
  isUnknown(second, to)
  removeLink(l, first, from, link)
  if (isDirected !== 0 || first !== second || from !== to) removeLink(l, second + WAY_IN, to, link)
}
/** A node whose links are gone dies. */
export function forgetNode(l: i32, n: i32, node: i32, isDirected: i32): void {
  isUnknown(n, node)
  releaseBlock(l, n, node)
  if (isDirected !== 0) releaseBlock(l, n + WAY_IN, node)
}
