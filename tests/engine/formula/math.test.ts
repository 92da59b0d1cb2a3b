// The portable functions: within one unit in the last place of the exact value, and the same bits for ever.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import * as math from '../../../sim-engine/kernel/math.ts'
import { stream, uniform53 } from '../../../sim-engine/kernel/random.ts'

const functions: Readonly<Record<string, (x: number, y: number) => number>> = {
  exp: math.exp,
  expm1: math.expm1,
  log: math.log,
  log1p: math.log1p,
  log2: math.log2,
  log10: math.log10,
  sin: math.sin,
  cos: math.cos,
  tan: math.tan,
  asin: math.asin,
  acos: math.acos,
  atan: math.atan,
  sinh: math.sinh,
  cosh: math.cosh,
  tanh: math.tanh,
  cbrt: math.cbrt,
  pow: math.pow,
  atan2: math.atan2,
}

const double = (hex: string): number => new Float64Array(new BigUint64Array([BigInt(`0x${hex}`)]).buffer)[0]!
/** Doubles in order, counted from 0. */
function rank(x: number): bigint {
  const bits = new BigInt64Array(new Float64Array([x]).buffer)[0]!
  return bits < 0n ? -(bits & 0x7fffffffffffffffn) : bits
}

const rows = readFileSync(new URL('../../cases/formula/math.txt', import.meta.url), 'utf8')
  .split('\n')
  .filter(line => line !== '' && !line.startsWith('#'))
  .map(line => line.split(' '))

describe('accuracy', () => {
  it.each(Object.keys(functions))('%s is off by at most one unit in the last place', name => {
    const own = rows.filter(row => row[0] === name)
    expect(own.length).toBeGreaterThanOrEqual(40)
    for (const [, ...hex] of own) {
      const [x = 0, second = 0, third] = hex.map(double)
      const expected = third ?? second
      const got = functions[name]!(x, second)
      const off = rank(got) - rank(expected)
      expect(off >= -1n && off <= 1n, `${name}(${x}${third === undefined ? '' : `, ${second}`}) = ${got}, not ${expected}`).toBe(true)
    }
  })
})

/** FNV-1a over the bits of 2,000 values. */
function fingerprint(name: string): string {
  const s = stream(1, 0, name)
  let hash = 0x811c9dc5
  for (let i = 0; i < 2_000; i++) {
    const u = uniform53(s)
    const v = uniform53(s)
    const x = name === 'asin' || name === 'acos' ? 2 * u - 1 : name.startsWith('log') || name === 'pow' ? u * 100 : (u - 0.5) * 50
    const value = functions[name]!(x, (v - 0.5) * 20)
    for (const word of new Uint32Array(new Float64Array([value]).buffer)) hash = Math.imul(hash ^ word, 0x01000193) >>> 0
  }
  return hash.toString(16)
}

describe('the same bits on every machine', () => {
  it('golden fingerprints', () => {
    expect(Object.fromEntries(Object.keys(functions).map(name => [name, fingerprint(name)]))).toMatchInlineSnapshot(`
      {
        "acos": "4b6431ec",
        "asin": "9a48bad1",
        "atan": "6997f5e3",
        "atan2": "3d25297a",
        "cbrt": "582ce1de",
        "cos": "fd7a382",
        "cosh": "946b0b95",
        "exp": "e850c263",
        "expm1": "57ae06cc",
        "log": "d3af847d",
        "log10": "a6fd996a",
        "log1p": "244f5439",
        "log2": "69b230ab",
        "pow": "4d5552a8",
        "sin": "d385b6b9",
        "sinh": "5de41888",
        "tan": "d9bcb4c2",
        "tanh": "623e15fc",
      }
    `)
  })
})

describe('edges', () => {
  it.each([
    [math.exp(0), 1],
    [math.exp(1), Math.E],
    [math.exp(-Infinity), 0],
    [math.exp(710), Infinity],
    [math.log(1), 0],
    [math.log(0), -Infinity],
    [math.log(-1), NaN],
    [math.log10(1000), 3],
    [math.log2(8), 3],
    [math.log2(2 ** -1074), -1074],
    [math.pow(2, 10), 1024],
    [math.pow(-8, 3), -512],
    [math.pow(-8, 1 / 3), NaN],
    [math.pow(0, 0), 1],
    [math.pow(2, -1074), 5e-324],
    [math.pow(10, 400), Infinity],
    [math.sin(0), 0],
    [math.sin(Infinity), NaN],
    [math.cos(0), 1],
    [math.atan2(0, -1), Math.PI],
    [math.atan2(1, 0), Math.PI / 2],
    [math.asin(2), NaN],
    [math.cbrt(-27), -3],
    [math.tanh(50), 1],
    [math.expm1(-800), -1],
    [math.hypot(3, 4), 5],
    [math.hypot(3 * 2 ** 600, 4 * 2 ** 600), 5 * 2 ** 600],
  ])('%s is %s', (got, expected) => {
    expect(got).toBe(expected)
  })
})
