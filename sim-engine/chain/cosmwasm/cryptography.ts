// Signatures that contracts check, by @noble/curves. 0: it holds; 1: it does not; above: the input is invalid (cosmwasm-crypto, errors.rs).
import { ed25519 } from '@noble/curves/ed25519.js'
import { p256 } from '@noble/curves/nist.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'

const invalid = { hash: 3, signature: 4, publicKey: 5, recovery: 6, batch: 7, generic: 10 } as const

type Verify = (hash: Uint8Array, signature: Uint8Array, key: Uint8Array) => number

const verifyOn =
  (curve: typeof secp256k1 | typeof p256, lowS: boolean): Verify =>
  (hash, signature, key) => {
    if (hash.length !== 32) return invalid.hash
    if (signature.length !== 64) return invalid.signature
    if (!curve.utils.isValidPublicKey(key)) return invalid.publicKey
    try {
      return curve.verify(signature, hash, key, { prehash: false, lowS }) ? 0 : 1
    } catch {
      return invalid.generic
    }
  }

export const verifyK1: Verify = verifyOn(secp256k1, false)
export const verifyR1: Verify = verifyOn(p256, false)

/** The public key (65 bytes) of a signature, or why there is none. */
export function recoverK1(hash: Uint8Array, signature: Uint8Array, parity: number): Uint8Array | number {
  if (hash.length !== 32) return invalid.hash
  if (signature.length !== 64) return invalid.signature
  if (parity !== 0 && parity !== 1) return invalid.recovery
  try {
    return secp256k1.Signature.fromBytes(signature, 'compact').addRecoveryBit(parity).recoverPublicKey(hash).toBytes(false)
  } catch {
    return invalid.generic
  }
}

export const verifyEd: Verify = (message, signature, key) => {
  if (signature.length !== 64) return invalid.signature
  if (key.length !== 32) return invalid.publicKey
  try {
    // ZIP-215, as cosmwasm-crypto has it.
    return ed25519.verify(signature, message, key, { zip215: true }) ? 0 : 1
  } catch {
    return 1
  }
}

/** All of them; one message or one key may serve all signatures. */
export function verifyBatch(messages: readonly Uint8Array[], signatures: readonly Uint8Array[], keys: readonly Uint8Array[]): number {
  const count = signatures.length
  const fits = (list: readonly Uint8Array[]): boolean => list.length === count || list.length === 1
  if (!fits(messages) || !fits(keys)) return invalid.batch
  const at = (list: readonly Uint8Array[], k: number): Uint8Array => list[list.length === 1 ? 0 : k]!
  for (const [k, signature] of signatures.entries()) {
    const outcome = verifyEd(at(messages, k), signature, at(keys, k))
    if (outcome !== 0) return outcome
  }
  return 0
}
