// Arithmetic on the curve BLS12-381 by mcl: see library.ts. Input that is no point, or none of the right group, makes the call fail.
import { halt } from '../../frame.ts'
import type { Bls12 } from '../parts.ts'
import { evaluation } from './kzg.ts'
import { isZero, sizes, type Curve } from './library.ts'

const fail = (): never => halt('precompile failed')
const sized = (input: Uint8Array, length: number): void => void (input.length === length || fail())

/** A number of the field takes 64 bytes, of which the first 16 are zeros. */
const fieldBytes = 64
const leadingZeros = 16
const scalarBytes = 32

function readNumber(curve: Curve, to: number, input: Uint8Array, at: number): void {
  if (!isZero(input, at, at + leadingZeros) || !curve.readField(to, input, at + leadingZeros)) fail()
}

/** What G1 and G2 have in common: points are so many numbers, one after the other in memory as in bytes. */
type Group = {
  /** Bytes of a point, and its size in memory. */
  readonly bytes: number
  readonly size: number
  readonly read: (to: number, input: Uint8Array, at: number) => void
  readonly readInGroup: (to: number, input: Uint8Array, at: number) => void
  readonly isInfinity: (place: number) => boolean
  readonly written: (place: number) => Uint8Array
  readonly add: (sum: number, one: number, other: number) => void
  readonly addProducts: (sum: number, points: number, scalars: number, count: number) => void
}

function group(curve: Curve, name: 'G1' | 'G2'): Group {
  const { call } = curve
  const numbers = name === 'G1' ? 2 : 4
  const bytes = numbers * fieldBytes
  const isInfinity = (place: number): boolean => call[`_mclBn${name}_isZero`](place) === 1
  /** A point of the curve, perhaps outside the group. */
  function read(to: number, input: Uint8Array, at: number): void {
    if (isZero(input, at, at + bytes)) return void call[`_mclBn${name}_clear`](to)
    for (let k = 0; k < numbers; k++) readNumber(curve, to + k * sizes.field, input, at + k * fieldBytes)
    curve[`affine${name}`](to)
    if (call[`_mclBn${name}_isValid`](to) !== 1) fail()
  }
  return {
    bytes,
    size: name === 'G1' ? sizes.g1 : sizes.g2,
    read,
    isInfinity,
    readInGroup(to, input, at) {
      read(to, input, at)
      if (!isInfinity(to) && call[`_mclBn${name}_isValidOrder`](to) !== 1) fail()
    },
    written(place) {
      const output = new Uint8Array(bytes)
      if (isInfinity(place)) return output
      call[`_mclBn${name}_normalize`](place, place)
      for (let k = 0; k < numbers; k++) curve.writeField(place + k * sizes.field, output, k * fieldBytes + leadingZeros)
      return output
    },
    add: call[`_mclBn${name}_add`],
    addProducts: call[`_mclBn${name}_mulVec`],
  }
}

/** How many items of `length` bytes there are: at least one, and nothing behind the last. */
function countOf(input: Uint8Array, length: number): number {
  if (input.length === 0 || input.length % length !== 0) fail()
  return input.length / length
}

function sumOfTwo(curve: Curve, { bytes, size, read, add, written }: Group) {
  const [one, other] = [curve.room(size), curve.room(size)]
  return (input: Uint8Array): Uint8Array => {
    sized(input, 2 * bytes)
    read(one, input, 0)
    read(other, input, bytes)
    add(one, one, other)
    return written(one)
  }
}

/** Sum of points times scalars. */
function sumOfProducts(curve: Curve, { bytes, size, readInGroup, addProducts, written }: Group) {
  const sum = curve.room(size)
  return (input: Uint8Array): Uint8Array => {
    const count = countOf(input, bytes + scalarBytes)
    curve.borrow(count * (size + sizes.scalar), points => {
      const scalars = points + count * size
      for (let k = 0; k < count; k++) {
        const at = k * (bytes + scalarBytes)
        readInGroup(points + k * size, input, at)
        curve.readScalar(scalars + k * sizes.scalar, input, at + bytes)
      }
      addProducts(sum, points, scalars, count)
    })
    return written(sum)
  }
}

/** Whether the product of the pairings is 1. A pair with a point at infinity gives 1. */
function pairing(curve: Curve, g1: Group, g2: Group) {
  const { call } = curve
  const product = curve.room(sizes.gt)
  function isOne(input: Uint8Array, count: number, ones: number): boolean {
    const others = ones + count * g1.size
    let pairs = 0
    for (let k = 0; k < count; k++) {
      const [one, other] = [ones + pairs * g1.size, others + pairs * g2.size]
      const at = k * (g1.bytes + g2.bytes)
      g1.readInGroup(one, input, at)
      g2.readInGroup(other, input, at + g1.bytes)
      if (!g1.isInfinity(one) && !g2.isInfinity(other)) pairs++
    }
    if (pairs === 0) return true
    call._mclBn_millerLoopVec(product, ones, others, pairs)
    call._mclBn_finalExp(product, product)
    return call._mclBnGT_isOne(product) === 1
  }
  return (input: Uint8Array): Uint8Array => {
    const count = countOf(input, g1.bytes + g2.bytes)
    const output = new Uint8Array(32)
    output[31] = curve.borrow(count * (g1.size + g2.size), place => isOne(input, count, place)) ? 1 : 0
    return output
  }
}

/** The library's mode of RFC 9380, by which EIP-2537 maps. */
const standardMapping = 5

export function on(curve: Curve): Bls12 {
  const { call } = curve
  // Whether a point is in the group is asked apart.
  call._mclBn_verifyOrderG1(0)
  call._mclBn_verifyOrderG2(0)
  call._mclBn_setMapToMode(standardMapping)
  const [g1, g2] = [group(curve, 'G1'), group(curve, 'G2')]
  const [point1, point2, numbers] = [curve.room(sizes.g1), curve.room(sizes.g2), curve.room(2 * sizes.field)]
  return {
    addG1: sumOfTwo(curve, g1),
    addG2: sumOfTwo(curve, g2),
    multiplyG1: sumOfProducts(curve, g1),
    multiplyG2: sumOfProducts(curve, g2),
    pairing: pairing(curve, g1, g2),
    mapToG1(input) {
      sized(input, fieldBytes)
      readNumber(curve, numbers, input, 0)
      call._mclBnFp_mapToG1(point1, numbers)
      return g1.written(point1)
    },
    mapToG2(input) {
      sized(input, 2 * fieldBytes)
      readNumber(curve, numbers, input, 0)
      readNumber(curve, numbers + sizes.field, input, fieldBytes)
      call._mclBnFp2_mapToG2(point2, numbers)
      return g2.written(point2)
    },
    evaluatePoint: evaluation(curve),
  }
}
