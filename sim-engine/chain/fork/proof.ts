// Proofs of a Merkle Patricia trie (Yellow Paper, appendix D; EIP-1186): what a node of the network says of an account or a slot is compared
// with the state root of the block's header, and the header with the block's hash.
import { keccak256 } from '../evm/keccak.ts'
import { fromRlp, rlp, rlpNumber } from './rlp.ts'
import type { Rlp } from './rlp.ts'

const equal = (a: Uint8Array, b: Uint8Array): boolean => a.length === b.length && a.every((byte, at) => byte === b[at])

const nibbleOf = (key: Uint8Array, at: number): number => (at % 2 === 0 ? key[at >> 1]! >> 4 : key[at >> 1]! & 15)

const emptyRoot = keccak256(rlp(new Uint8Array(0)))

/** The nibbles of a leaf's or an extension's path, and whether it is a leaf. */
function pathOf(packed: Uint8Array): { nibbles: number[]; isLeaf: boolean } | null {
  if (packed.length === 0 || packed[0]! >> 4 > 3) return null
  const flags = packed[0]! >> 4
  const nibbles: number[] = []
  for (let at = flags % 2 === 1 ? 1 : 2; at < packed.length * 2; at++) nibbles.push(nibbleOf(packed, at))
  return { nibbles, isLeaf: flags >= 2 }
}

/**
 * The value that a proof gives for a key under a root: its bytes, null where it proves that there is none, undefined where it proves nothing.
 * The key is hashed first.
 */
export function provedValue(root: Uint8Array, key: Uint8Array, proof: readonly Uint8Array[]): Uint8Array | null | undefined {
  if (proof.length === 0) return equal(root, emptyRoot) ? null : undefined
  const path = keccak256(key)
  let depth = 0
  let at = 0
  /** What the next node has to be: its hash, or the node itself where it is short. */
  let wanted: Rlp = root
  for (;;) {
    let node: Rlp | null
    if (wanted instanceof Uint8Array) {
      if (wanted.length === 0) return null
      const bytes: Uint8Array | undefined = proof[at++]
      if (bytes === undefined || wanted.length !== 32 || !equal(keccak256(bytes), wanted)) return undefined
      node = fromRlp(bytes)
    } else node = wanted
    if (node instanceof Uint8Array || node === null) return node !== null && node.length === 0 && equal(root, emptyRoot) ? null : undefined
    if (node.length === 17) {
      if (depth === 64) return valueOf(node[16]!)
      wanted = node[nibbleOf(path, depth++)]!
      continue
    }
    const packed: Rlp | undefined = node[0]
    const next: Rlp | undefined = node[1]
    const part = node.length === 2 && packed instanceof Uint8Array ? pathOf(packed) : null
    if (part === null || next === undefined) return undefined
    const fits = part.nibbles.length <= 64 - depth && part.nibbles.every((nibble, k) => nibble === nibbleOf(path, depth + k))
    if (!fits) return null
    depth += part.nibbles.length
    if (part.isLeaf) return depth === 64 ? valueOf(next) : undefined
    wanted = next
  }
}

const valueOf = (value: Rlp): Uint8Array | undefined => (value instanceof Uint8Array ? value : undefined)

type ProvedAccount = {
  readonly nonce: bigint
  readonly balance: bigint
  readonly storageRoot: Uint8Array
  readonly codeHash: Uint8Array
}

/** Whether an account's leaf is this account. */
export const isAccountLeaf = (leaf: Uint8Array, { nonce, balance, storageRoot, codeHash }: ProvedAccount): boolean =>
  equal(leaf, rlp([rlpNumber(nonce), rlpNumber(balance), storageRoot, codeHash]))

/** Whether a slot's leaf has this value. */
export const isSlotLeaf = (leaf: Uint8Array, value: bigint): boolean => equal(leaf, rlp(rlpNumber(value)))

/** Hash of a header by its fields in their order. */
export const headerHash = (fields: readonly Uint8Array[]): Uint8Array => keccak256(rlp([...fields]))
