// Signatures on the curve secp256k1 by mcl: see library.ts.
import { keccak256 } from '../../keccak.ts'
import type { Secp256k1 } from '../parts.ts'
import { isBelow, isZero, sizes, type Curve } from './library.ts'
import { combination } from './signature.ts'

export function on(curve: Curve): Secp256k1 {
  const { call, groupOrder } = curve
  const { points, scalars, sum, base } = combination(curve)
  const [x, y] = [points + sizes.g1, points + sizes.g1 + sizes.field]
  const seven = curve.room(sizes.field)
  call._mclBnFp_setInt32(seven, 7)
  const [ofHash, ofS] = [scalars, scalars + sizes.scalar]
  const inverse = curve.room(sizes.scalar)
  const key = new Uint8Array(64)
  const isNumber = (bytes: Uint8Array): boolean => isBelow(groupOrder, bytes, 0) && !isZero(bytes, 0, sizes.scalar)
  return {
    signer(hash, recovery, r, s) {
      if ((recovery !== 0 && recovery !== 1) || !isNumber(r) || !isNumber(s)) return undefined
      // R, the point of the signature: its x coordinate is r.
      curve.readField(x, r, 0)
      call._mclBnFp_sqr(y, x)
      call._mclBnFp_mul(y, y, x)
      call._mclBnFp_add(y, y, seven)
      if (call._mclBnFp_squareRoot(y, y) !== 0) return undefined
      if (call._mclBnFp_isOdd(y) !== recovery) call._mclBnFp_neg(y, y)
      curve.affineG1(points + sizes.g1)
      // The key is (s R - hash G) / r.
      base()
      curve.readScalar(inverse, r, 0)
      call._mclBnFr_inv(inverse, inverse)
      curve.readScalar(ofHash, hash, 0)
      call._mclBnFr_neg(ofHash, ofHash)
      call._mclBnFr_mul(ofHash, ofHash, inverse)
      curve.readScalar(ofS, s, 0)
      call._mclBnFr_mul(ofS, ofS, inverse)
      call._mclBnG1_mulVec(sum, points, scalars, 2)
      if (call._mclBnG1_isZero(sum) === 1) return undefined
      call._mclBnG1_normalize(sum, sum)
      curve.writeField(sum, key, 0)
      curve.writeField(sum + sizes.field, key, 32)
      return keccak256(key).subarray(12)
    },
  }
}
