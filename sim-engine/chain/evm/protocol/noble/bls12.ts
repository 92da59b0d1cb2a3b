// Arithmetic on the curve BLS12-381 where WebAssembly may not be made.
import { pippenger } from '@noble/curves/abstract/curve.js'
import { bls12_381 } from '@noble/curves/bls12-381.js'
import { halt } from '../../frame.ts'
import { fromBytes, toBytes } from '../../word.ts'

const { G1, G2, fields } = bls12_381
const { Fp, Fp2, Fp12, Fr } = fields
type PointG1 = typeof G1.Point.ZERO
type PointG2 = typeof G2.Point.ZERO

const fieldBytes = 64
const scalarBytes = 32
const bytesOf = { g1: 2 * fieldBytes, g2: 4 * fieldBytes } as const

const fail = (): never => halt('precompile failed')

function coordinate(input: Uint8Array, at: number): bigint {
  const value = fromBytes(input.subarray(at, at + fieldBytes))
  return value < Fp.ORDER ? value : fail()
}
const coordinate2 = (input: Uint8Array, at: number) => Fp2.create({ c0: coordinate(input, at), c1: coordinate(input, at + fieldBytes) })

/** A point of the curve y^2 = x^3 + 4, perhaps outside the group. */
function onCurveG1(input: Uint8Array, at: number): PointG1 {
  const [x, y] = [coordinate(input, at), coordinate(input, at + fieldBytes)]
  if (x === 0n && y === 0n) return G1.Point.ZERO
  if (Fp.sqr(y) !== Fp.add(Fp.mul(Fp.sqr(x), x), 4n)) fail()
  return G1.Point.fromAffine({ x, y })
}

/** A point of the curve y^2 = x^3 + 4 (1 + i), perhaps outside the group. */
function onCurveG2(input: Uint8Array, at: number): PointG2 {
  const [x, y] = [coordinate2(input, at), coordinate2(input, at + 2 * fieldBytes)]
  if (Fp2.is0(x) && Fp2.is0(y)) return G2.Point.ZERO
  const right = Fp2.add(Fp2.mul(Fp2.sqr(x), x), Fp2.create({ c0: 4n, c1: 4n }))
  if (!Fp2.eql(Fp2.sqr(y), right)) fail()
  return G2.Point.fromAffine({ x, y })
}

const inGroup = <P extends PointG1 | PointG2>(point: P): P => (point.is0() || point.isTorsionFree() ? point : fail())

function bytesOfG1(point: PointG1): Uint8Array {
  const bytes = new Uint8Array(bytesOf.g1)
  if (point.is0()) return bytes
  const { x, y } = point.toAffine()
  bytes.set(toBytes(x, fieldBytes))
  bytes.set(toBytes(y, fieldBytes), fieldBytes)
  return bytes
}

function bytesOfG2(point: PointG2): Uint8Array {
  const bytes = new Uint8Array(bytesOf.g2)
  if (point.is0()) return bytes
  const { x, y } = point.toAffine()
  for (const [k, value] of [x.c0, x.c1, y.c0, y.c1].entries()) bytes.set(toBytes(value, fieldBytes), k * fieldBytes)
  return bytes
}

const sized = (input: Uint8Array, length: number): void => void (input.length === length || fail())
/** Places of the items of `length` bytes: at least one, and nothing behind the last. */
function places(input: Uint8Array, length: number): number[] {
  if (input.length === 0 || input.length % length !== 0) fail()
  return Array.from({ length: input.length / length }, (_, k) => k * length)
}

export function addG1(input: Uint8Array): Uint8Array {
  sized(input, 2 * bytesOf.g1)
  return bytesOfG1(onCurveG1(input, 0).add(onCurveG1(input, bytesOf.g1)))
}

export function addG2(input: Uint8Array): Uint8Array {
  sized(input, 2 * bytesOf.g2)
  return bytesOfG2(onCurveG2(input, 0).add(onCurveG2(input, bytesOf.g2)))
}

const scalarAt = (input: Uint8Array, at: number): bigint => fromBytes(input.subarray(at, at + scalarBytes)) % Fr.ORDER

/** Sum of points times scalars. */
export function multiplyG1(input: Uint8Array): Uint8Array {
  const at = places(input, bytesOf.g1 + scalarBytes)
  const points = at.map(place => inGroup(onCurveG1(input, place)))
  return bytesOfG1(
    pippenger(
      G1.Point,
      points,
      at.map(place => scalarAt(input, place + bytesOf.g1)),
    ),
  )
}

export function multiplyG2(input: Uint8Array): Uint8Array {
  const at = places(input, bytesOf.g2 + scalarBytes)
  const points = at.map(place => inGroup(onCurveG2(input, place)))
  return bytesOfG2(
    pippenger(
      G2.Point,
      points,
      at.map(place => scalarAt(input, place + bytesOf.g2)),
    ),
  )
}

/** Whether the product of the pairings is 1. */
export function pairing(input: Uint8Array): Uint8Array {
  const pairs = places(input, bytesOf.g1 + bytesOf.g2)
    .map(at => ({ g1: inGroup(onCurveG1(input, at)), g2: inGroup(onCurveG2(input, at + bytesOf.g1)) }))
    .filter(({ g1, g2 }) => !g1.is0() && !g2.is0())
  const isOne = pairs.length === 0 || Fp12.eql(bls12_381.pairingBatch(pairs), Fp12.ONE)
  return toBytes(isOne ? 1n : 0n, 32)
}

// The library's types say otherwise: both give points of the group, and that of G1 takes one number.
const curveG1 = G1.mapToCurve as unknown as (value: bigint) => PointG1
const curveG2 = G2.mapToCurve as unknown as (values: readonly [bigint, bigint]) => PointG2

export function mapToG1(input: Uint8Array): Uint8Array {
  sized(input, fieldBytes)
  return bytesOfG1(curveG1(coordinate(input, 0)))
}

export function mapToG2(input: Uint8Array): Uint8Array {
  sized(input, 2 * fieldBytes)
  return bytesOfG2(curveG2([coordinate(input, 0), coordinate(input, fieldBytes)]))
}

export { evaluatePoint } from './kzg.ts'
