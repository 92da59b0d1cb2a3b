// The cryptography on each curve by @noble/curves, where WebAssembly may not be made.
import type { Curves } from '../parts.ts'
import * as bls12 from './bls12.ts'
import * as bn254 from './bn254.ts'
import * as p256 from './p256.ts'
import * as secp256k1 from './secp256k1.ts'

export const parts: Curves = { secp256k1, p256, bn254, bls12 }
