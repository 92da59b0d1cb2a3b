// The root hash of a Merkle Patricia trie (Yellow Paper, appendix D) and of a state, for comparison with published roots.
import { keccak_256 } from '@noble/hashes/sha3.js'
import type { Log, State } from '../../sim-engine/chain/evm/state.ts'
import { addressBytes, wordBytes } from '../../sim-engine/chain/evm/word.ts'

type Rlp = Uint8Array | Rlp[]

const concat = (parts: Uint8Array[]): Uint8Array => {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}
const big = (value: bigint): Uint8Array => {
  const bytes = wordBytes(value)
  const first = bytes.findIndex(byte => byte !== 0)
  return first < 0 ? new Uint8Array(0) : bytes.subarray(first)
}
function head(base: number, length: number): Uint8Array {
  if (length < 56) return Uint8Array.of(base + length)
  const size = big(BigInt(length))
  return Uint8Array.from([base + 55 + size.length, ...size])
}

/** Recursive length prefix encoding (Yellow Paper, appendix B). */
export function rlp(value: Rlp): Uint8Array {
  if (value instanceof Uint8Array) return value.length === 1 && value[0]! < 0x80 ? value : concat([head(0x80, value.length), value])
  const items = concat(value.map(rlp))
  return concat([head(0xc0, items.length), items])
}

type Leaf = { key: Uint8Array; value: Uint8Array }

function packed(nibbles: Uint8Array, isLeaf: boolean): Uint8Array {
  const odd = nibbles.length % 2
  const all = [(isLeaf ? 2 : 0) + odd, ...(odd ? [] : [0]), ...nibbles]
  return Uint8Array.from({ length: all.length / 2 }, (_, at) => all[2 * at]! * 16 + all[2 * at + 1]!)
}

function node(leaves: Leaf[], depth: number): Rlp {
  if (leaves.length === 0) return new Uint8Array(0)
  const first = leaves[0]!.key
  if (leaves.length === 1) return [packed(first.subarray(depth), true), leaves[0]!.value]
  const last = leaves.at(-1)!.key
  let shared = depth
  while (first[shared] === last[shared]) shared++
  if (shared > depth) return [packed(first.subarray(depth, shared), false), reference(leaves, shared)]
  const children = Array.from({ length: 16 }, (_, nibble) =>
    reference(
      leaves.filter(leaf => leaf.key[depth] === nibble),
      depth + 1,
    ),
  )
  return [...children, new Uint8Array(0)]
}

function reference(leaves: Leaf[], depth: number): Rlp {
  const value = node(leaves, depth)
  const bytes = rlp(value)
  return bytes.length < 32 ? value : keccak_256(bytes)
}

const nibblesOf = (bytes: Uint8Array): Uint8Array =>
  Uint8Array.from({ length: 2 * bytes.length }, (_, at) => (at % 2 === 0 ? bytes[at >> 1]! >> 4 : bytes[at >> 1]! & 15))

const compare = (a: Uint8Array, b: Uint8Array): number => {
  const at = a.findIndex((nibble, index) => nibble !== b[index])
  return at < 0 ? 0 : a[at]! - b[at]!
}

/** The root of a trie whose keys are hashed first. */
export function secureRoot(entries: [Uint8Array, Uint8Array][]): Uint8Array {
  const leaves = entries.map(([key, value]) => ({ key: nibblesOf(keccak_256(key)), value })).sort((a, b) => compare(a.key, b.key))
  return keccak_256(rlp(node(leaves, 0)))
}

/** The state root that a block header would carry. */
export function stateRoot(state: State): Uint8Array {
  const accounts = [...state.accounts.values()].filter(account => account.exists)
  return secureRoot(
    accounts.map(account => {
      const slots = [...account.slots].filter(([, slot]) => slot.value !== 0n)
      const storageRoot = secureRoot(slots.map(([key, slot]) => [wordBytes(key), rlp(big(slot.value))]))
      const fields = [big(account.nonce), big(account.balance), storageRoot, wordBytes(account.code.hash)]
      return [addressBytes(account.address), rlp(fields)]
    }),
  )
}

/** The hash by which state tests compare logs. */
export const logsHash = (logs: Log[]): Uint8Array =>
  keccak_256(rlp(logs.map(log => [addressBytes(log.address), log.topics.map(wordBytes), log.data])))
