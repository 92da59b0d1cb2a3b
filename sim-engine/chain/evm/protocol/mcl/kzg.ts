// Point evaluation on the curve BLS12-381 by mcl: see library.ts.
import { halt } from '../../frame.ts'
import { fromHex } from '../../word.ts'
import { ceremonyPoint, pointEvaluation, type Claim } from '../kzg.ts'
import type { Calculation } from '../parts.ts'
import { isZero, sizes, type Curve } from './library.ts'

const fail = (): never => halt('precompile failed')

const generators = {
  g1: '97f1d3a73197d7942695638c4fa9ac0fc3688c4f9774b905a14e3a3f171bac586c55e83ff97a1aeffb3af00adb22c6bb',
  g2: '93e02b6052719f607dacd3a088274f65596bd0d09920b61ab5da61bbdc7f5049334cf11213945d57e5ac7d055d042b7e024aa2b2f08f0a91260805272dc51051c6e47ad4fa403b02b4510b647ae3d1770bac0326a805bbefd48056c8c121bdb8',
} as const

/** The marks in the first byte of a point that is written as its first coordinate alone. */
const marks = { compressed: 0x80, infinity: 0x40, isLarger: 0x20 } as const

/** A reader of points of the group G1 in 48 bytes. */
function reader(curve: Curve) {
  const { call } = curve
  const four = curve.room(sizes.field)
  call._mclBnFp_setInt32(four, 4)
  return (to: number, bytes: Uint8Array): void => {
    const head = bytes[0]!
    if ((head & marks.compressed) === 0) fail()
    if ((head & marks.infinity) !== 0) {
      if (head !== (marks.compressed | marks.infinity) || !isZero(bytes, 1, bytes.length)) fail()
      return void call._mclBnG1_clear(to)
    }
    const coordinate = bytes.slice()
    coordinate[0] = head & 0x1f
    if (!curve.readField(to, coordinate, 0)) fail()
    const y = to + sizes.field
    call._mclBnFp_sqr(y, to)
    call._mclBnFp_mul(y, y, to)
    call._mclBnFp_add(y, y, four)
    if (call._mclBnFp_squareRoot(y, y) !== 0) fail()
    if (call._mclBnFp_isNegative(y) !== ((head & marks.isLarger) === 0 ? 0 : 1)) call._mclBnFp_neg(y, y)
    curve.affineG1(to)
    if (call._mclBnG1_isValidOrder(to) !== 1) fail()
  }
}

/** What the library prepares of a point of G2 that many pairings are made with. */
function prepared(curve: Curve, point: number): number {
  const lines = curve.room(8 * curve.call._mclBn_getUint64NumToPrecompute())
  curve.call._mclBn_precomputeG2(lines, point)
  return lines
}

/** The points of G2 in each proof: that of the ceremony, and the negative of the base. */
function fixedPoints(curve: Curve): { tau: number; minusBase: number } {
  const { call } = curve
  call._mclBn_setETHserialization(1)
  const read = (digits: string): number => {
    const point = curve.room(sizes.g2)
    const bytes = fromHex(digits)!
    curve.borrow(bytes.length, place => {
      curve.put(place, bytes)
      if (call._mclBnG2_deserialize(point, place, bytes.length) !== bytes.length) throw new Error('no point of G2')
    })
    return point
  }
  const [tau, base] = [read(ceremonyPoint), read(generators.g2)]
  call._mclBn_setETHserialization(0)
  call._mclBnG2_neg(base, base)
  return { tau: prepared(curve, tau), minusBase: prepared(curve, base) }
}

export function evaluation(curve: Curve): Calculation {
  const { call } = curve
  const read = reader(curve)
  const base = curve.room(sizes.g1)
  read(base, fromHex(generators.g1)!)
  const commitment = curve.room(sizes.g1)
  const proof = curve.room(sizes.g1)
  const value = curve.room(sizes.g1)
  const points = curve.room(2 * sizes.g1)
  const scalars = curve.room(2 * sizes.scalar)
  const product = curve.room(sizes.gt)
  let fixed: ReturnType<typeof fixedPoints> | undefined

  function isProved(claim: Claim): boolean {
    read(commitment, claim.commitment)
    read(proof, claim.proof)
    // e(C - y G1 + z proof, -G2) e(proof, tau G2) = 1: both points of G2 are always the same.
    curve.copy(points, proof, sizes.g1)
    curve.copy(points + sizes.g1, base, sizes.g1)
    curve.readScalar(scalars, claim.z, 0)
    curve.readScalar(scalars + sizes.scalar, claim.y, 0)
    call._mclBnFr_neg(scalars + sizes.scalar, scalars + sizes.scalar)
    call._mclBnG1_mulVec(value, points, scalars, 2)
    call._mclBnG1_add(value, value, commitment)
    // A pairing with infinity is 1, and with another point it is not.
    const [isInfinity, isProofInfinity] = [call._mclBnG1_isZero(value), call._mclBnG1_isZero(proof)]
    if (isInfinity === 1 || isProofInfinity === 1) return isInfinity === isProofInfinity
    fixed ??= fixedPoints(curve)
    call._mclBn_precomputedMillerLoop2(product, value, fixed.minusBase, proof, fixed.tau)
    call._mclBn_finalExp(product, product)
    return call._mclBnGT_isOne(product) === 1
  }

  return pointEvaluation(isProved)
}
