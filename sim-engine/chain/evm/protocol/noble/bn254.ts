// Addition, multiplication and pairing on the curve bn254 where WebAssembly may not be made.
import { bn254 } from '@noble/curves/bn254.js'
import { halt } from '../../frame.ts'
import { fromBytes, toBytes } from '../../word.ts'

const { G1, G2, fields } = bn254
type PointG1 = typeof G1.Point.ZERO
type PointG2 = typeof G2.Point.ZERO

function word(input: Uint8Array, at: number): bigint {
  const data = new Uint8Array(32)
  data.set(input.subarray(at, at + 32))
  return fromBytes(data)
}

function coordinate(input: Uint8Array, at: number): bigint {
  const value = word(input, at)
  return value < fields.Fp.ORDER ? value : halt('precompile failed')
}

function valid<P extends PointG1 | PointG2>(make: () => P): P {
  try {
    const point = make()
    point.assertValidity()
    return point
  } catch {
    return halt('precompile failed')
  }
}

function pointG1(input: Uint8Array, at: number): PointG1 {
  const x = coordinate(input, at)
  const y = coordinate(input, at + 32)
  return x === 0n && y === 0n ? G1.Point.ZERO : valid(() => G1.Point.fromAffine({ x, y }))
}

function pointG2(input: Uint8Array, at: number): PointG2 {
  // The imaginary part comes first.
  const [x1, x0, y1, y0] = [0, 32, 64, 96].map(offset => coordinate(input, at + offset)) as [bigint, bigint, bigint, bigint]
  if (x0 === 0n && x1 === 0n && y0 === 0n && y1 === 0n) return G2.Point.ZERO
  const point = valid(() => G2.Point.fromAffine({ x: fields.Fp2.create({ c0: x0, c1: x1 }), y: fields.Fp2.create({ c0: y0, c1: y1 }) }))
  return point.isTorsionFree() ? point : halt('precompile failed')
}

function encode(point: PointG1): Uint8Array {
  const bytes = new Uint8Array(64)
  if (point.is0()) return bytes
  const { x, y } = point.toAffine()
  bytes.set(toBytes(x, 32))
  bytes.set(toBytes(y, 32), 32)
  return bytes
}

export const add = (input: Uint8Array): Uint8Array => encode(pointG1(input, 0).add(pointG1(input, 64)))

export function multiply(input: Uint8Array): Uint8Array {
  const point = pointG1(input, 0)
  const scalar = word(input, 64) % fields.Fr.ORDER
  return encode(scalar === 0n || point.is0() ? G1.Point.ZERO : point.multiplyUnsafe(scalar))
}

const pairBytes = 192

export function pairing(input: Uint8Array): Uint8Array {
  if (input.length % pairBytes !== 0) halt('precompile failed')
  const pairs = []
  for (let at = 0; at < input.length; at += pairBytes) {
    const g1 = pointG1(input, at)
    const g2 = pointG2(input, at + 64)
    if (!g1.is0() && !g2.is0()) pairs.push({ g1, g2 })
  }
  const isOne = pairs.length === 0 || fields.Fp12.eql(bn254.pairingBatch(pairs), fields.Fp12.ONE)
  return toBytes(isOne ? 1n : 0n, 32)
}
