// Powers modulo numbers of up to 32 bytes by WebAssembly: against repeated squaring of bigints, and where WebAssembly may not be made.
import { afterEach, beforeAll, expect, it, vi } from 'vitest'
import { loadCurves } from '../../../sim-engine/chain/evm/protocol/curves.ts'
import { power } from '../../../sim-engine/chain/evm/protocol/modexp.ts'
import { shortPower } from '../../../sim-engine/chain/evm/protocol/powers.ts'
import { fromBytes } from '../../../sim-engine/chain/evm/word.ts'
import { chance } from '../../help/random.ts'

beforeAll(() => loadCurves(['powers']))
afterEach(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
})

const random = chance(532)
const number = (bytes: number): bigint => fromBytes(Uint8Array.from({ length: bytes }, () => random.below(256)))

function expected(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let result = 1n % modulus
  for (const bit of exponent.toString(2)) {
    result = (result * result) % modulus
    if (bit === '1') result = (result * base) % modulus
  }
  return result
}

/** At and next to each length of 32 bits, and in between. */
const moduli = [
  1n,
  2n,
  3n,
  ...[16n, 31n, 32n, 33n, 63n, 64n, 65n, 96n, 127n, 128n, 160n, 191n, 192n, 224n, 255n].flatMap(bits => [
    2n ** bits - 1n,
    2n ** bits,
    2n ** bits + 1n,
  ]),
  2n ** 256n - 2n,
  2n ** 256n - 1n,
  2n ** 256n,
]

it('equal repeated squaring at the borders of digits, with even moduli too', () => {
  for (const modulus of moduli)
    for (const base of [0n, 1n, 2n, modulus - 1n, modulus, modulus + 1n, number(40)])
      for (const exponent of [4095n, 4096n, 65_537n, 2n ** 64n - 1n, number(40)])
        expect([base, exponent, modulus, power(base, exponent, modulus)]).toEqual([
          base,
          exponent,
          modulus,
          expected(base, exponent, modulus),
        ])
})

it('equal it for random numbers of all lengths', () => {
  for (let turn = 0; turn < 2000; turn++) {
    const [base, exponent, modulus] = [number(random.below(40)), number(2 + random.below(30)), number(1 + random.below(33)) + 1n]
    expect([base, exponent, modulus, power(base, exponent, modulus)]).toEqual([base, exponent, modulus, expected(base, exponent, modulus)])
  }
})

it('exponents of more digits than one call does', () => {
  for (const digits of [1023, 1024, 1025, 2048, 3000]) {
    const exponent = BigInt(`0x1${Array.from({ length: digits - 1 }, () => random.below(16).toString(16)).join('')}`)
    const [base, modulus] = [number(16), number(16) + 1n]
    expect([digits, power(base, exponent, modulus)]).toEqual([digits, expected(base, exponent, modulus)])
  }
})

it('are by WebAssembly up to 32 bytes; where that may not be made, bigints give the same', async () => {
  expect(shortPower(7n, 'ffffff', 2n ** 256n - 1n)).toBe(expected(7n, 0xffffffn, 2n ** 256n - 1n))
  expect(shortPower(7n, 'ffffff', 2n ** 256n)).toBe(null)
  vi.resetModules()
  vi.stubGlobal('WebAssembly', {
    Memory: WebAssembly.Memory,
    Module: () => {
      throw new WebAssembly.CompileError('refused')
    },
  })
  const [curves, powers, modexp] = [
    await import('../../../sim-engine/chain/evm/protocol/curves.ts'),
    await import('../../../sim-engine/chain/evm/protocol/powers.ts'),
    await import('../../../sim-engine/chain/evm/protocol/modexp.ts'),
  ]
  await curves.loadCurves(['powers'])
  expect(powers.shortPower(7n, 'ffffff', 1000n)).toBe(null)
  for (const modulus of moduli) expect(modexp.power(7n, 2n ** 80n - 3n, modulus)).toBe(power(7n, 2n ** 80n - 3n, modulus))
})
