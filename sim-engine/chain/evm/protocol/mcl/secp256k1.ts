// Signatures on the curve secp256k1 by mcl: see library.ts.
import { keccak256 } from '../../keccak.ts'
import type { Secp256k1 } from '../parts.ts'
import { isBelow, isZero, sizes, type Curve } from './library.ts'
import { combination } from './signature.ts'

export function on(curve: Curve): Secp256k1 {
  const { call, groupOrder } = curve
  const { point, ofPoint, ofBase, sum, add } = combination(curve)
  const [x, y] = [point, point + sizes.field]
  const seven = curve.room(sizes.field)
  call._mclBnFp_setInt32(seven, 7)
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
      curve.affineG1(point)
      // The key is (s R - hash G) / r.
      curve.readScalar(inverse, r, 0)
      call._mclBnFr_inv(inverse, inverse)
      curve.readScalar(ofBase, hash, 0)
      call._mclBnFr_neg(ofBase, ofBase)
      call._mclBnFr_mul(ofBase, ofBase, inverse)
      curve.readScalar(ofPoint, s, 0)
      call._mclBnFr_mul(ofPoint, ofPoint, inverse)
      add()
      if (call._mclBnG1_isZero(sum) === 1) return undefined
      call._mclBnG1_normalize(sum, sum)
      curve.writeField(sum, key, 0)
      curve.writeField(sum + sizes.field, key, 32)
      return keccak256(key).subarray(12)
    },
  }
}
