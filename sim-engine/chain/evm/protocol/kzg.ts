// Point evaluation at address 10 (EIP-4844): proves that the polynomial behind a commitment has the value y at z.
import { bls12_381 } from '@noble/curves/bls12-381.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { halt } from '../frame.ts'
import { fromBytes, toBytes } from '../word.ts'

const { G1, G2, fields } = bls12_381
type PointG1 = typeof G1.Point.ZERO
type PointG2 = typeof G2.Point.ZERO

const inputBytes = 192
const versionOfHash = 1
const fieldElementsOfBlob = 4096n

/** tau G2, the second G2 point of the Ethereum KZG ceremony of 2023 (`g2_monomial[1]` of its published set-up). */
const ceremonyPoint =
  'b5bfd7dd8cdeb128843bc287230af38926187075cbfbefa81009a2ce615ac53d2914e5870cb452d2afaaab24f3499f72185cbfee53492714734429b7b38608e23926c911cceceac9a36851477ba4c60b087041de621000edc98edada20c1def2'
let tau: PointG2 | undefined

function pointOf(bytes: Uint8Array): PointG1 {
  try {
    const point = G1.Point.fromBytes(bytes)
    if (!point.is0()) point.assertValidity()
    return point
  } catch {
    return halt('precompile failed')
  }
}

function scalarOf(bytes: Uint8Array): bigint {
  const value = fromBytes(bytes)
  return value < fields.Fr.ORDER ? value : halt('precompile failed')
}

const times = <P extends { multiplyUnsafe(scalar: bigint): P }>(point: P, scalar: bigint, zero: P): P =>
  scalar === 0n ? zero : point.multiplyUnsafe(scalar)

/** Input: versioned hash, z, y (32 bytes each), commitment, proof (48 each). Output: 4096 and the order of the scalar field. */
export function evaluatePoint(input: Uint8Array): Uint8Array {
  if (input.length !== inputBytes) halt('precompile failed')
  const commitmentBytes = input.subarray(96, 144)
  const hash = sha256(commitmentBytes)
  hash[0] = versionOfHash
  if (hash.some((byte, at) => byte !== input[at])) halt('precompile failed')
  const z = scalarOf(input.subarray(32, 64))
  const y = scalarOf(input.subarray(64, 96))
  const commitment = pointOf(commitmentBytes)
  const proof = pointOf(input.subarray(144, 192))
  // e(C - y G1, -G2) e(proof, tau G2 - z G2) = 1; a pair with a point at infinity gives 1.
  tau ??= G2.Point.fromHex(ceremonyPoint)
  const value = commitment.subtract(times(G1.Point.BASE, y, G1.Point.ZERO))
  const divisor = tau.subtract(times(G2.Point.BASE, z, G2.Point.ZERO))
  const pairs = [
    { g1: value, g2: G2.Point.BASE.negate() },
    { g1: proof, g2: divisor },
  ].filter(({ g1, g2 }) => !g1.is0() && !g2.is0())
  const isProved = pairs.length === 0 || fields.Fp12.eql(bls12_381.pairingBatch(pairs), fields.Fp12.ONE)
  if (!isProved) halt('precompile failed')
  const output = new Uint8Array(64)
  output.set(toBytes(fieldElementsOfBlob, 32))
  output.set(toBytes(fields.Fr.ORDER, 32), 32)
  return output
}
