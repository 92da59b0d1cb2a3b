// Signatures on the curve P-256 by mcl: see library.ts.
import type { P256 } from '../parts.ts'
import { isBelow, isZero, sizes, type Curve } from './library.ts'
import { combination } from './signature.ts'

export function on(curve: Curve): P256 {
  const { call, groupOrder } = curve
  const { point: key, ofPoint, ofBase, sum, add } = combination(curve)
  const [inverse, r, found] = [curve.room(sizes.scalar), curve.room(sizes.scalar), curve.room(sizes.scalar)]
  const x = new Uint8Array(32)
  const isNumber = (input: Uint8Array, at: number): boolean => isBelow(groupOrder, input, at) && !isZero(input, at, at + sizes.scalar)
  return {
    /** Input: hash, r, s, and the coordinates of the key. */
    verify(input) {
      if (!isNumber(input, 32) || !isNumber(input, 64)) return false
      if (!curve.readField(key, input, 96) || !curve.readField(key + sizes.field, input, 128)) return false
      curve.affineG1(key)
      if (call._mclBnG1_isValid(key) !== 1) return false
      curve.readScalar(inverse, input, 64)
      call._mclBnFr_inv(inverse, inverse)
      curve.readScalar(ofBase, input, 0)
      call._mclBnFr_mul(ofBase, ofBase, inverse)
      curve.readScalar(r, input, 32)
      call._mclBnFr_mul(ofPoint, r, inverse)
      add()
      if (call._mclBnG1_isZero(sum) === 1) return false
      call._mclBnG1_normalize(sum, sum)
      curve.writeField(sum, x, 0)
      curve.readScalar(found, x, 0)
      return call._mclBnFr_isEqual(found, r) === 1
    },
  }
}
