// Point evaluation at address 10 (EIP-4844) but for its pairings: proves that the polynomial behind a commitment has the value y at z.
import { sha256 } from '@noble/hashes/sha2.js'
import { halt } from '../frame.ts'
import { fromBytes, toBytes } from '../word.ts'
import type { Calculation } from './parts.ts'

const inputBytes = 192
const versionOfHash = 1
const fieldElementsOfBlob = 4096n
/** The size of the groups of BLS12-381. */
const order = 0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001n

/** tau G2, the second G2 point of the Ethereum KZG ceremony of 2023 (`g2_monomial[1]` of its published set-up). */
export const ceremonyPoint =
  'b5bfd7dd8cdeb128843bc287230af38926187075cbfbefa81009a2ce615ac53d2914e5870cb452d2afaaab24f3499f72185cbfee53492714734429b7b38608e23926c911cceceac9a36851477ba4c60b087041de621000edc98edada20c1def2'

/** Points in 48 bytes, numbers of the field in 32. An invalid point ends the call. */
export type Claim = { readonly commitment: Uint8Array; readonly proof: Uint8Array; readonly z: Uint8Array; readonly y: Uint8Array }

/** Input: versioned hash, z, y (32 bytes each), commitment, proof (48 each). Output: 4096 and the order of the scalar field. */
export const pointEvaluation =
  (isProved: (claim: Claim) => boolean): Calculation =>
  input => {
    if (input.length !== inputBytes) halt('precompile failed')
    const commitment = input.subarray(96, 144)
    const hash = sha256(commitment)
    hash[0] = versionOfHash
    if (hash.some((byte, at) => byte !== input[at])) halt('precompile failed')
    const [z, y] = [input.subarray(32, 64), input.subarray(64, 96)]
    if (fromBytes(z) >= order || fromBytes(y) >= order) halt('precompile failed')
    if (!isProved({ commitment, proof: input.subarray(144, 192), z, y })) halt('precompile failed')
    const output = new Uint8Array(64)
    output.set(toBytes(fieldElementsOfBlob, 32))
    output.set(toBytes(order, 32), 32)
    return output
  }
