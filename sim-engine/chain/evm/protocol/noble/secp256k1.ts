// Signatures on the curve secp256k1 where WebAssembly may not be made.
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak256 } from '../../keccak.ts'
import type { Secp256k1 } from '../parts.ts'

export const signer: Secp256k1['signer'] = (hash, recovery, r, s) => {
  if (recovery !== 0 && recovery !== 1) return undefined
  try {
    const signature = Uint8Array.from([...r, ...s])
    const key = secp256k1.Signature.fromBytes(signature, 'compact').addRecoveryBit(recovery).recoverPublicKey(hash).toBytes(false)
    return keccak256(key.subarray(1)).subarray(12)
  } catch {
    return undefined
  }
}
