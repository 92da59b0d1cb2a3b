// Both libraries of elliptic curves give the same for every input: WebAssembly (mcl) and JavaScript (@noble/curves), which is the reference.
import { bls12_381 } from '@noble/curves/bls12-381.js'
import { bn254 } from '@noble/curves/bn254.js'
import { p256 } from '@noble/curves/nist.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { afterEach, describe, expect, it, vi } from 'vitest'
import * as fastBls12 from '../../../sim-engine/chain/evm/protocol/mcl/bls12.ts'
import * as fastBn254 from '../../../sim-engine/chain/evm/protocol/mcl/bn254.ts'
import { curveOf } from '../../../sim-engine/chain/evm/protocol/mcl/library.ts'
import * as fastP256 from '../../../sim-engine/chain/evm/protocol/mcl/p256.ts'
import * as fastSecp256k1 from '../../../sim-engine/chain/evm/protocol/mcl/secp256k1.ts'
import * as slowBls12 from '../../../sim-engine/chain/evm/protocol/noble/bls12.ts'
import * as slowBn254 from '../../../sim-engine/chain/evm/protocol/noble/bn254.ts'
import * as slowP256 from '../../../sim-engine/chain/evm/protocol/noble/p256.ts'
import * as slowSecp256k1 from '../../../sim-engine/chain/evm/protocol/noble/secp256k1.ts'
import type { Calculation } from '../../../sim-engine/chain/evm/protocol/parts.ts'
import { fromBytes, toBytes, toHex } from '../../../sim-engine/chain/evm/word.ts'
import { chance } from '../../help/random.ts'

const bls12 = (await curveOf('bls12'))!
const fast = {
  secp256k1: fastSecp256k1.on((await curveOf('secp256k1'))!),
  p256: fastP256.on((await curveOf('p256'))!),
  bn254: fastBn254.on((await curveOf('bn254'))!),
  bls12: fastBls12.on(bls12),
}

const random = chance(1919)
const some = (length: number): Uint8Array => Uint8Array.from({ length }, () => random.below(256))
const join = (...parts: readonly Uint8Array[]): Uint8Array => Uint8Array.from(parts.flatMap(part => [...part]))
const word = (value: bigint): Uint8Array => toBytes(value, 32)
const big = (below: bigint): bigint => fromBytes(some(64)) % below
const times = <Item>(count: number, make: () => Item): Item[] => Array.from({ length: count }, make)

const attempt = (calculation: Calculation, input: Uint8Array): string => {
  try {
    return toHex(calculation(input))
  } catch (error) {
    expect(error).toMatchObject({ reason: 'precompile failed' })
    return 'failed'
  }
}

/** What came of each input: `same` is checked, and the outcomes are given back, so that tests see that both kinds were met. */
function same(one: Calculation, other: Calculation, inputs: readonly Uint8Array[]): Set<'failed' | 'given'> {
  const seen = new Set<'failed' | 'given'>()
  for (const input of inputs) {
    const outcome = attempt(other, input)
    expect([toHex(input), attempt(one, input)]).toEqual([toHex(input), outcome])
    seen.add(outcome === 'failed' ? 'failed' : 'given')
  }
  return seen
}
const both = new Set(['failed', 'given'])
const changed = (bytes: Uint8Array): Uint8Array => {
  const other = bytes.slice()
  other[random.below(bytes.length)]! ^= 1 << random.below(8)
  return other
}

describe('signatures on secp256k1', () => {
  const order = secp256k1.Point.Fn.ORDER
  const agree = (hash: Uint8Array, recovery: number, r: Uint8Array, s: Uint8Array): string => {
    const expected = slowSecp256k1.signer(hash, recovery, r, s)
    const found = fast.secp256k1.signer(hash, recovery, r, s)
    expect([hash, recovery, r, s, found]).toEqual([hash, recovery, r, s, expected])
    return expected === undefined ? 'nobody' : 'somebody'
  }

  it('random ones: half of all numbers are the coordinate of a point', () => {
    const seen = times(100, () => agree(some(32), random.below(2), some(32), some(32)))
    expect(new Set(seen)).toEqual(new Set(['somebody', 'nobody']))
  })

  it('those of keys, with the other half of s and the other point too', () => {
    for (let turn = 0; turn < 20; turn++) {
      const [hash, key] = [some(32), secp256k1.utils.randomSecretKey(some(48))]
      const signed = secp256k1.sign(hash, key, { prehash: false, format: 'recovered' })
      const [r, s] = [signed.slice(1, 33), signed.slice(33)]
      const high = word(order - fromBytes(s))
      for (const recovery of [0, 1, 2, 3, 27]) {
        expect(agree(hash, recovery, r, s)).toBe(recovery < 2 ? 'somebody' : 'nobody')
        expect(agree(hash, recovery, r, high)).toBe(recovery < 2 ? 'somebody' : 'nobody')
      }
    }
  })

  it('numbers at the borders', () => {
    const { x } = secp256k1.Point.BASE.toAffine()
    const numbers = [0n, 1n, 2n, order - 1n, order, order + 1n, secp256k1.Point.Fp.ORDER, 2n ** 256n - 1n, x].map(word)
    for (const hash of numbers) for (const r of numbers) for (const s of numbers) agree(hash, random.below(2), r, s)
  })

  it('a key that would be infinity is nobody’s', () => {
    const [k, s] = [big(order), big(order)]
    const point = secp256k1.Point.BASE.multiply(k).toAffine()
    const hash = word((k * s) % order)
    expect(agree(hash, Number(point.y & 1n), word(point.x), word(s))).toBe('nobody')
    expect(agree(hash, Number(1n - (point.y & 1n)), word(point.x), word(s))).toBe('somebody')
  })
})

describe('signatures on P-256', () => {
  const [order, fieldOrder] = [p256.Point.Fn.ORDER, p256.Point.Fp.ORDER]
  const agree = (input: Uint8Array): boolean => {
    const expected = slowP256.verify(input)
    expect([toHex(input), fast.p256.verify(input)]).toEqual([toHex(input), expected])
    return expected
  }
  const signed = () => {
    const [hash, key] = [some(32), p256.utils.randomSecretKey(some(48))]
    const signature = p256.sign(hash, key, { prehash: false })
    return { hash, r: signature.slice(0, 32), s: signature.slice(32), key: p256.getPublicKey(key, false).slice(1) }
  }

  it('those of keys hold, with either half of s; changed ones do not', () => {
    for (let turn = 0; turn < 20; turn++) {
      const { hash, r, s, key } = signed()
      expect(agree(join(hash, r, s, key))).toBe(true)
      expect(agree(join(hash, r, word(order - fromBytes(s)), key))).toBe(true)
      expect(agree(changed(join(hash, r, s, key)))).toBe(false)
    }
  })

  it('numbers at the borders, keys that are no point', () => {
    const { hash, r, s, key } = signed()
    const numbers = [0n, 1n, order - 1n, order, order + 1n, fieldOrder, 2n ** 256n - 1n].map(word)
    for (const one of numbers) {
      for (const other of numbers) agree(join(hash, one, other, key))
      agree(join(hash, one, s, key))
      agree(join(hash, r, one, key))
      agree(join(one, r, s, key))
      for (const other of [...numbers, key.slice(32)]) agree(join(hash, r, s, one, other))
    }
  })

  it('a sum that is infinity does not hold', () => {
    const secret = big(order)
    const { x, y } = p256.Point.BASE.multiply(secret).toAffine()
    const r = big(order)
    expect(agree(join(word(order - ((r * secret) % order)), word(r), word(1n), word(x), word(y)))).toBe(false)
  })
})

describe('bn254', () => {
  const [order, fieldOrder] = [bn254.fields.Fr.ORDER, bn254.fields.Fp.ORDER]
  const { Fp, Fp2 } = bn254.fields
  const g1 = (scalar: bigint): Uint8Array => {
    const { x, y } = bn254.G1.Point.BASE.multiply(scalar).toAffine()
    return join(word(x), word(y))
  }
  const bytesOfG2 = ({ x, y }: { x: { c0: bigint; c1: bigint }; y: { c0: bigint; c1: bigint } }): Uint8Array =>
    join(word(x.c1), word(x.c0), word(y.c1), word(y.c0))
  const g2 = (scalar: bigint): Uint8Array => bytesOfG2(bn254.G2.Point.BASE.multiply(scalar).toAffine())
  const [someG1, someG2] = [() => g1(1n + big(order - 1n)), () => g2(1n + big(order - 1n))]
  const [infinity1, infinity2] = [new Uint8Array(64), new Uint8Array(128)]
  /** A point of the curve of G2 that is not in the group: the first with a root. */
  const outside = (() => {
    const b = Fp2.div(Fp2.create({ c0: 3n, c1: 0n }), Fp2.create({ c0: 9n, c1: 1n }))
    for (let c0 = 1n; ; c0++) {
      const x = Fp2.create({ c0, c1: 0n })
      const square = Fp2.add(Fp2.mul(Fp2.sqr(x), x), b)
      try {
        return bytesOfG2({ x, y: Fp2.sqrt(square) })
      } catch {
        // No root: the next.
      }
    }
  })()
  const borders = [0n, 1n, 2n, fieldOrder - 1n, fieldOrder, fieldOrder + 1n, 2n ** 256n - 1n].map(word)
  const pairsOfBorders = borders.flatMap(x => borders.map(y => join(x, y)))

  it('sums', () => {
    const one = someG1()
    const minus = join(one.slice(0, 32), word(Fp.neg(fromBytes(one.slice(32)))))
    const points = [...times(3, someG1), one, one, minus, infinity1, changed(one), ...pairsOfBorders]
    const inputs = points.flatMap(first => [...points.slice(0, 8), points.at(-1)!].map(second => join(first, second)))
    const short = [0, 1, 31, 32, 33, 63, 64, 95, 96, 127, 200].map(length => join(one, minus, some(72)).slice(0, length))
    expect(same(fast.bn254.add, slowBn254.add, [...inputs, ...short])).toEqual(both)
  })

  it('products', () => {
    const scalars = [0n, 1n, 2n, order - 1n, order, order + 1n, 2n ** 256n - 1n, big(order)].map(word)
    const inputs = [someG1(), infinity1, ...pairsOfBorders].flatMap(point => scalars.map(scalar => join(point, scalar)))
    const short = [0, 31, 64, 65, 95, 97].map(length => join(someG1(), some(33)).slice(0, length))
    expect(same(fast.bn254.multiply, slowBn254.multiply, [...inputs, ...short, ...times(20, () => join(someG1(), some(32)))])).toEqual(both)
  })

  it('pairings', () => {
    const holding = (a: bigint, b: bigint) => join(g1(a), g2(b), g1(order - ((a * b) % order)), g2(1n))
    const inputs = [
      new Uint8Array(0),
      join(infinity1, infinity2),
      join(someG1(), infinity2),
      join(infinity1, someG2()),
      join(infinity1, outside),
      join(someG1(), outside),
      join(someG1(), bytesOfG2(bn254.G2.Point.BASE.toAffine()).fill(255, 0, 32)),
      join(someG1(), changed(someG2())),
      join(changed(someG1()), someG2()),
      join(someG1(), someG2(), infinity1, infinity2),
      join(someG1(), someG2()).slice(0, 191),
      ...times(3, () => join(someG1(), someG2())),
      ...times(3, () => holding(big(order), big(order))),
      join(...times(5, () => holding(big(order), big(order)))),
    ]
    expect(same(fast.bn254.pairing, slowBn254.pairing, inputs)).toEqual(both)
    expect(attempt(fast.bn254.pairing, inputs.at(-1)!)).toBe(toHex(word(1n)))
  })
})

describe('BLS12-381', () => {
  const { G1, G2, fields } = bls12_381
  const { Fp, Fp2 } = fields
  const [order, fieldOrder] = [fields.Fr.ORDER, Fp.ORDER]
  const field = (value: bigint): Uint8Array => toBytes(value, 64)
  const bytesOfG1 = ({ x, y }: { x: bigint; y: bigint }): Uint8Array => join(field(x), field(y))
  const bytesOfG2 = ({ x, y }: { x: { c0: bigint; c1: bigint }; y: { c0: bigint; c1: bigint } }): Uint8Array =>
    join(field(x.c0), field(x.c1), field(y.c0), field(y.c1))
  const g1 = (scalar: bigint): Uint8Array => bytesOfG1(G1.Point.BASE.multiply(scalar).toAffine())
  const g2 = (scalar: bigint): Uint8Array => bytesOfG2(G2.Point.BASE.multiply(scalar).toAffine())
  const [someG1, someG2] = [() => g1(1n + big(order - 1n)), () => g2(1n + big(order - 1n))]
  const [infinity1, infinity2] = [new Uint8Array(128), new Uint8Array(256)]
  /** Points of the curves that are not in the groups: x = 4 is the first in G1. */
  const outside1 = bytesOfG1({ x: 4n, y: Fp.sqrt(68n) })
  const outside1Minus = bytesOfG1({ x: 4n, y: Fp.neg(Fp.sqrt(68n)) })
  const outside2 = (() => {
    for (let c0 = 1n; ; c0++) {
      const x = Fp2.create({ c0, c1: 0n })
      try {
        return bytesOfG2({ x, y: Fp2.sqrt(Fp2.add(Fp2.mul(Fp2.sqr(x), x), Fp2.create({ c0: 4n, c1: 4n }))) })
      } catch {
        // No root: the next.
      }
    }
  })()
  const large = fieldOrder - 1n
  const borders = [
    field(0n),
    field(1n),
    field(large),
    field(fieldOrder),
    field(2n ** 381n),
    field(1n << 384n),
    new Uint8Array(64).fill(255),
  ]
  const scalars = [0n, 1n, 2n, order - 1n, order, order + 1n, 2n ** 256n - 1n].map(word)

  it('sums in G1, also outside the group', () => {
    const one = someG1()
    const minus = bytesOfG1({ x: fromBytes(one.slice(0, 64)), y: Fp.neg(fromBytes(one.slice(64))) })
    const noPoints = borders.flatMap(x => borders.map(y => join(x, y)))
    const points = [one, minus, someG1(), infinity1, outside1, outside1Minus, changed(one), ...noPoints]
    const inputs = points.flatMap(first => points.slice(0, 7).flatMap(second => [join(first, second), join(second, first)]))
    expect(same(fast.bls12.addG1, slowBls12.addG1, [...inputs, inputs[0]!.slice(1), new Uint8Array(0), join(inputs[0]!, some(1))])).toEqual(
      both,
    )
  })

  it('sums in G2, also outside the group', () => {
    const noPoints = borders.flatMap(part => [0, 64, 128, 192].map(at => (one => (one.set(part, at), one))(someG2())))
    const one = someG2()
    const points = [one, one, someG2(), infinity2, outside2, changed(one), ...noPoints]
    const inputs = points.flatMap(first => points.slice(0, 6).flatMap(second => [join(first, second), join(second, first)]))
    expect(same(fast.bls12.addG2, slowBls12.addG2, [...inputs, inputs[0]!.slice(1), new Uint8Array(0)])).toEqual(both)
  })

  it.each([
    ['G1', someG1, infinity1, outside1, fast.bls12.multiplyG1, slowBls12.multiplyG1],
    ['G2', someG2, infinity2, outside2, fast.bls12.multiplyG2, slowBls12.multiplyG2],
  ] as const)('sums of products in %s', (_, someOf, infinity, outside, one, other) => {
    const point = someOf()
    const products = [
      ...scalars.map(scalar => join(point, scalar)),
      ...scalars.map(scalar => join(infinity, scalar)),
      join(someOf(), some(32)),
    ]
    const inputs = [
      ...products,
      ...products.map(product => join(product, random.pick(products), random.pick(products))),
      join(...products),
      join(point, word(5n), point, word(order - 5n)),
      join(...times(12, () => join(point, word(7n)))),
      join(...times(40, () => join(someOf(), some(32)))),
      join(outside, word(1n)),
      join(outside, word(0n)),
      join(point, word(1n), outside, word(0n)),
      join(changed(point), word(1n)),
      join(point, word(1n)).slice(1),
      new Uint8Array(0),
    ]
    expect(same(one, other, inputs)).toEqual(both)
  })

  it('many products, for which the library’s memory grows, and small sums behind them', () => {
    const [count, point, scalar] = [6000, someG1(), some(32)]
    const product = join(point, scalar)
    const many = new Uint8Array(count * product.length)
    for (let k = 0; k < count; k++) many.set(product, k * product.length)
    const before = bls12.bytes.length
    const once = attempt(slowBls12.multiplyG1, join(point, word((fromBytes(scalar) * BigInt(count)) % order)))
    expect(attempt(fast.bls12.multiplyG1, many)).toBe(once)
    expect(bls12.bytes.length).toBeGreaterThan(before)
    const two = join(someG1(), someG1())
    expect(attempt(fast.bls12.addG1, two)).toBe(attempt(slowBls12.addG1, two))
  })

  it('pairings', () => {
    const holding = (a: bigint, b: bigint) => join(g1(a), g2(b), g1(order - ((a * b) % order)), g2(1n))
    const inputs = [
      new Uint8Array(0),
      join(infinity1, infinity2),
      join(someG1(), infinity2),
      join(infinity1, someG2()),
      join(infinity1, outside2),
      join(outside1, infinity2),
      join(outside1, someG2()),
      join(someG1(), outside2),
      join(someG1(), changed(someG2())),
      join(someG1(), someG2(), infinity1, infinity2),
      join(someG1(), someG2()).slice(0, 383),
      ...times(2, () => join(someG1(), someG2())),
      ...times(3, () => holding(big(order), big(order))),
      join(...times(4, () => holding(big(order), big(order)))),
    ]
    expect(same(fast.bls12.pairing, slowBls12.pairing, inputs)).toEqual(both)
    expect(attempt(fast.bls12.pairing, inputs.at(-1)!)).toBe(toHex(word(1n)))
  })

  it('numbers mapped to points', () => {
    const numbers = [...borders, ...times(20, () => field(big(fieldOrder)))]
    expect(same(fast.bls12.mapToG1, slowBls12.mapToG1, [...numbers, some(63)])).toEqual(both)
    const two = numbers.flatMap(one => [join(one, random.pick(numbers)), join(random.pick(numbers), one), join(one, one)])
    expect(same(fast.bls12.mapToG2, slowBls12.mapToG2, [...two, some(127)])).toEqual(both)
  })

  it('points at which polynomials are evaluated', () => {
    const evaluation = (z: Uint8Array, y: Uint8Array, commitment: Uint8Array, proof: Uint8Array): Uint8Array => {
      const hash = sha256(commitment)
      hash[0] = 1
      return join(hash, z, y, commitment, proof)
    }
    const compressed = (scalar: bigint): Uint8Array => G1.Point.BASE.multiply(scalar).toBytes(true)
    const infinity = Uint8Array.of(0xc0, ...new Uint8Array(47))
    const head = (bytes: Uint8Array, mask: number): Uint8Array => Uint8Array.of(bytes[0]! ^ mask, ...bytes.slice(1))
    /** x = 4: a point that is not in the group. */
    const outside = head(toBytes(4n, 48), 0x80)
    const constant = 12_345n
    const [y, commitment] = [word(constant), compressed(constant)]
    const points = [
      commitment,
      compressed(big(order)),
      infinity,
      outside,
      head(outside, 0x20),
      ...[0x80, 0x40, 0x20, 0xa0, 0xe0].flatMap(mask => [head(commitment, mask), head(infinity, mask)]),
      head(toBytes(fieldOrder, 48), 0x80),
      head(toBytes(0n, 48), 0x80),
      head(toBytes(2n, 48), 0x80),
      Uint8Array.of(...infinity.slice(0, 47), 1),
      changed(commitment),
    ]
    const inputs = [
      // The polynomial is a constant: its value is the same at each place, and the proof is infinity.
      ...[0n, 1n, order - 1n, big(order)].map(z => evaluation(word(z), y, commitment, infinity)),
      evaluation(word(7n), word(0n), infinity, infinity),
      evaluation(word(7n), word(1n), infinity, infinity),
      evaluation(word(7n), word(order), infinity, infinity),
      evaluation(word(order), y, commitment, infinity),
      evaluation(word(7n), y, commitment, infinity).fill(2, 0, 1),
      evaluation(word(7n), y, commitment, infinity).slice(1),
      ...points.flatMap(point => [evaluation(word(7n), y, commitment, point), evaluation(word(7n), y, point, infinity)]),
    ]
    expect(same(fast.bls12.evaluatePoint, slowBls12.evaluatePoint, inputs)).toEqual(both)
  })
})

describe('where WebAssembly may not be made', () => {
  afterEach(() => {
    vi.unstubAllGlobals()
    vi.resetModules()
  })

  it('JavaScript does the same', async () => {
    vi.resetModules()
    vi.stubGlobal('WebAssembly', {
      ...WebAssembly,
      Memory: WebAssembly.Memory,
      instantiate: () => Promise.reject(new WebAssembly.CompileError('refused')),
    })
    const { curveParts, curves, loadCurves } = await import('../../../sim-engine/chain/evm/protocol/curves.ts')
    await loadCurves(curveParts)
    expect(curves('secp256k1', 1).signer.toString()).toBe(slowSecp256k1.signer.toString())
    expect(Object.keys(curves('bls12', 10)).toSorted()).toEqual(Object.keys(fast.bls12).toSorted())
    expect(curves('bn254', 6).add.toString()).toBe(slowBn254.add.toString())
  })
})
