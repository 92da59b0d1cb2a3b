// The root hash of a Merkle Patricia trie (Yellow Paper, appendix D) and of a state, for comparison with published roots; proofs as nodes give them.
import { keccak_256 } from '@noble/hashes/sha3.js'
import type { Account, Log, State } from '../../../sim-engine/chain/evm/state.ts'
import { addressBytes, wordBytes } from '../../../sim-engine/chain/evm/word.ts'
import { rlp, rlpNumber } from '../../../sim-engine/chain/fork/rlp.ts'
import type { Rlp } from '../../../sim-engine/chain/fork/rlp.ts'

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

const leavesOf = (entries: readonly [Uint8Array, Uint8Array][]): Leaf[] =>
  entries.map(([key, value]) => ({ key: nibblesOf(keccak_256(key)), value })).sort((a, b) => compare(a.key, b.key))

/** The nodes from the root to a key, which is hashed first: those that are not part of the node above them (EIP-1186). */
export function secureProof(entries: readonly [Uint8Array, Uint8Array][], key: Uint8Array): Uint8Array[] {
  const path = nibblesOf(keccak_256(key))
  const proof: Uint8Array[] = []
  let leaves = leavesOf(entries)
  for (let depth = 0; leaves.length > 0;) {
    const bytes = rlp(node(leaves, depth))
    if (bytes.length >= 32 || depth === 0) proof.push(bytes)
    if (leaves.length === 1) break
    const [first, last] = [leaves[0]!.key, leaves.at(-1)!.key]
    let shared = depth
    while (first[shared] === last[shared]) shared++
    if (shared > depth) {
      if (first.subarray(depth, shared).some((nibble, k) => nibble !== path[depth + k])) break
      depth = shared
      continue
    }
    leaves = leaves.filter(leaf => leaf.key[depth] === path[depth])
    depth++
  }
  return proof
}

/** The root of a trie with keys that are hashed first. */
export function secureRoot(entries: [Uint8Array, Uint8Array][]): Uint8Array {
  return keccak_256(rlp(node(leavesOf(entries), 0)))
}

type Entries = [Uint8Array, Uint8Array][]

/** Entries of an account's storage, and of a state. */
export const storageEntries = (account: Account): Entries =>
  [...account.slots].filter(([, slot]) => slot.value !== 0n).map(([key, slot]) => [wordBytes(key), rlp(rlpNumber(slot.value))])

export const stateEntries = (state: State): Entries =>
  [...state.accounts.values()]
    .filter(account => account.exists)
    .map(account => {
      const fields = [
        rlpNumber(account.nonce),
        rlpNumber(account.balance),
        secureRoot(storageEntries(account)),
        wordBytes(account.code.hash),
      ]
      return [addressBytes(account.address), rlp(fields)]
    })

/** The state root that a block header would carry. */
export const stateRoot = (state: State): Uint8Array => secureRoot(stateEntries(state))

/** The hash by which state tests compare logs. */
export const logsHash = (logs: Log[]): Uint8Array =>
  keccak_256(rlp(logs.map(log => [addressBytes(log.address), log.topics.map(wordBytes), log.data])))
