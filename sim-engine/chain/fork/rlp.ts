// Recursive length prefix encoding (Yellow Paper, appendix B).
import { wordBytes } from '../evm/word.ts'

export type Rlp = Uint8Array | Rlp[]

const joined = (parts: readonly Uint8Array[]): Uint8Array => {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}

/** A number without leading zeros; nothing for 0. At most 256 bits. */
export const rlpNumber = (value: bigint): Uint8Array => {
  const bytes = wordBytes(value)
  const first = bytes.findIndex(byte => byte !== 0)
  return first < 0 ? new Uint8Array(0) : bytes.subarray(first)
}

function head(base: number, length: number): Uint8Array {
  if (length < 56) return Uint8Array.of(base + length)
  const size = rlpNumber(BigInt(length))
  return Uint8Array.from([base + 55 + size.length, ...size])
}

export function rlp(value: Rlp): Uint8Array {
  if (value instanceof Uint8Array) return value.length === 1 && value[0]! < 0x80 ? value : joined([head(0x80, value.length), value])
  const items = joined(value.map(rlp))
  return joined([head(0xc0, items.length), items])
}

/** Most lists within lists: a node of a trie has two. */
const mostDepth = 8

type Item = { readonly value: Rlp; readonly end: number }

function itemAt(bytes: Uint8Array, at: number, end: number, depth: number): Item | null {
  if (at >= end || depth > mostDepth) return null
  const prefix = bytes[at]!
  if (prefix < 0x80) return { value: bytes.subarray(at, at + 1), end: at + 1 }
  const isList = prefix >= 0xc0
  const short = prefix - (isList ? 0xc0 : 0x80)
  const sizeBytes = short > 55 ? short - 55 : 0
  if (sizeBytes > 4 || at + 1 + sizeBytes > end) return null
  let length = short
  if (sizeBytes > 0) {
    length = 0
    for (let k = 0; k < sizeBytes; k++) length = length * 256 + bytes[at + 1 + k]!
  }
  const from = at + 1 + sizeBytes
  const to = from + length
  if (to > end) return null
  if (!isList) return { value: bytes.subarray(from, to), end: to }
  const items: Rlp[] = []
  for (let next = from; next < to;) {
    const item = itemAt(bytes, next, to, depth + 1)
    if (item === null) return null
    items.push(item.value)
    next = item.end
  }
  return { value: items, end: to }
}

/** The decoded bytes; null where they are no encoding, or more follows. */
export function fromRlp(bytes: Uint8Array): Rlp | null {
  const item = itemAt(bytes, 0, bytes.length, 0)
  return item?.end === bytes.length ? item.value : null
}
