// Addition, multiplication and pairing on the curve bn254 by mcl: see library.ts. Input that is no point makes the call fail.
import { halt } from '../../frame.ts'
import { padded } from '../../word.ts'
import type { Bn254 } from '../parts.ts'
import { isZero, sizes, type Curve } from './library.ts'

const fail = (): never => halt('precompile failed')
const pairBytes = 192

export function on(curve: Curve): Bn254 {
  const { call } = curve
  // Whether a point of G2 is in the group is asked apart.
  call._mclBn_verifyOrderG2(0)
  const [first, second] = [curve.room(sizes.g1), curve.room(sizes.g1)]
  const scalar = curve.room(sizes.scalar)
  const product = curve.room(sizes.gt)

  function readG1(to: number, input: Uint8Array, at: number): void {
    if (isZero(input, at, at + 64)) return void call._mclBnG1_clear(to)
    if (!curve.readField(to, input, at) || !curve.readField(to + sizes.field, input, at + 32)) fail()
    curve.affineG1(to)
    if (call._mclBnG1_isValid(to) !== 1) fail()
  }

  /** The imaginary part comes first. */
  function readG2(to: number, input: Uint8Array, at: number): void {
    if (isZero(input, at, at + 128)) return void call._mclBnG2_clear(to)
    for (const [k, part] of [1, 0, 3, 2].entries()) if (!curve.readField(to + part * sizes.field, input, at + 32 * k)) fail()
    curve.affineG2(to)
    if (call._mclBnG2_isValid(to) !== 1 || call._mclBnG2_isValidOrder(to) !== 1) fail()
  }

  function writtenG1(place: number): Uint8Array {
    const output = new Uint8Array(64)
    if (call._mclBnG1_isZero(place) === 1) return output
    call._mclBnG1_normalize(place, place)
    curve.writeField(place, output, 0)
    curve.writeField(place + sizes.field, output, 32)
    return output
  }

  /** Whether the product of the pairings is 1. A pair with a point at infinity gives 1. */
  function isOne(input: Uint8Array, g1: number, g2: number): boolean {
    let pairs = 0
    for (let at = 0; at < input.length; at += pairBytes) {
      const [one, other] = [g1 + pairs * sizes.g1, g2 + pairs * sizes.g2]
      readG1(one, input, at)
      readG2(other, input, at + 64)
      if (call._mclBnG1_isZero(one) === 0 && call._mclBnG2_isZero(other) === 0) pairs++
    }
    if (pairs === 0) return true
    call._mclBn_millerLoopVec(product, g1, g2, pairs)
    call._mclBn_finalExp(product, product)
    return call._mclBnGT_isOne(product) === 1
  }

  return {
    add(input) {
      const data = padded(input, 128)
      readG1(first, data, 0)
      readG1(second, data, 64)
      call._mclBnG1_add(first, first, second)
      return writtenG1(first)
    },
    multiply(input) {
      const data = padded(input, 96)
      readG1(first, data, 0)
      curve.readScalar(scalar, data, 64)
      call._mclBnG1_mul(first, first, scalar)
      return writtenG1(first)
    },
    pairing(input) {
      if (input.length % pairBytes !== 0) fail()
      const count = input.length / pairBytes
      const output = new Uint8Array(32)
      const room = count * (sizes.g1 + sizes.g2)
      output[31] = curve.borrow(room, place => isOne(input, place, place + count * sizes.g1)) ? 1 : 0
      return output
    },
  }
}
