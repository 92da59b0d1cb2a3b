// Signatures on the curves secp256k1 (address 1) and P-256 (address 256, EIP-7951). Loaded where a run may need it: see curves.ts.
import { p256 } from '@noble/curves/nist.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak256 } from '../keccak.ts'
import { noBytes } from '../frame.ts'
import { fromBytes, padded, toBytes } from '../word.ts'

/** The address whose key signed a hash, as 20 bytes; `undefined` for a signature that is none. */
export function signer(hash: Uint8Array, recovery: number, r: Uint8Array, s: Uint8Array): Uint8Array | undefined {
  if (recovery !== 0 && recovery !== 1) return undefined
  try {
    const signature = Uint8Array.from([...r, ...s])
    const key = secp256k1.Signature.fromBytes(signature, 'compact').addRecoveryBit(recovery).recoverPublicKey(hash).toBytes(false)
    return keccak256(key.subarray(1)).subarray(12)
  } catch {
    return undefined
  }
}

export function recover(input: Uint8Array): Uint8Array {
  const data = padded(input, 128)
  const v = fromBytes(data.subarray(32, 64))
  const address =
    v === 27n || v === 28n ? signer(data.subarray(0, 32), Number(v - 27n), data.subarray(64, 96), data.subarray(96, 128)) : undefined
  return address === undefined ? noBytes : toBytes(fromBytes(address), 32)
}

export function verifyP256(input: Uint8Array): Uint8Array {
  if (input.length !== 160) return noBytes
  try {
    const key = Uint8Array.from([4, ...input.subarray(96, 160)])
    const valid = p256.verify(input.subarray(32, 96), input.subarray(0, 32), key, { prehash: false, lowS: false })
    return valid ? toBytes(1n, 32) : noBytes
  } catch {
    return noBytes
  }
}
