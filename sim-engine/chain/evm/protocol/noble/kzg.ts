// Point evaluation where WebAssembly may not be made.
import { bls12_381 } from '@noble/curves/bls12-381.js'
import { halt } from '../../frame.ts'
import { fromBytes } from '../../word.ts'
import { ceremonyPoint, pointEvaluation } from '../kzg.ts'

const { G1, G2, fields } = bls12_381
type PointG1 = typeof G1.Point.ZERO
type PointG2 = typeof G2.Point.ZERO

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

const times = <P extends { multiplyUnsafe(scalar: bigint): P }>(point: P, scalar: bigint, zero: P): P =>
  scalar === 0n ? zero : point.multiplyUnsafe(scalar)

export const evaluatePoint = pointEvaluation(claim => {
  const [commitment, proof] = [pointOf(claim.commitment), pointOf(claim.proof)]
  // e(C - y G1, -G2) e(proof, tau G2 - z G2) = 1; a pair with a point at infinity gives 1.
  tau ??= G2.Point.fromHex(ceremonyPoint)
  const value = commitment.subtract(times(G1.Point.BASE, fromBytes(claim.y), G1.Point.ZERO))
  const divisor = tau.subtract(times(G2.Point.BASE, fromBytes(claim.z), G2.Point.ZERO))
  const pairs = [
    { g1: value, g2: G2.Point.BASE.negate() },
    { g1: proof, g2: divisor },
  ].filter(({ g1, g2 }) => !g1.is0() && !g2.is0())
  return pairs.length === 0 || fields.Fp12.eql(bls12_381.pairingBatch(pairs), fields.Fp12.ONE)
})
