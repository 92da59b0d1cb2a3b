// Signatures on the curve P-256 where WebAssembly may not be made.
import { p256 } from '@noble/curves/nist.js'
import type { P256 } from '../parts.ts'

export const verify: P256['verify'] = input => {
  try {
    const key = Uint8Array.from([4, ...input.subarray(96, 160)])
    return p256.verify(input.subarray(32, 96), input.subarray(0, 32), key, { prehash: false, lowS: false })
  } catch {
    return false
  }
}
