// The Sobol sequence with the direction numbers of Joe and Kuo (2008, new-joe-kuo-6), Gray code order (Antonov and Saleev 1979), and Owen's nested
// scrambling by hashes (Laine and Karras 2011; Burley 2020).
import { bits, type Stream } from '../../kernel/random.ts'

/** For each coordinate after the first: degree and coefficients of its primitive polynomial, and its first odd numbers. */
const table: readonly (readonly [degree: number, coefficients: number, ...numbers: number[]])[] = [
  [1, 0, 1],
  [2, 1, 1, 3],
  [3, 1, 1, 3, 1],
  [3, 2, 1, 1, 1],
  [4, 1, 1, 1, 3, 3],
  [4, 4, 1, 3, 5, 13],
  [5, 2, 1, 1, 5, 5, 17],
  [5, 4, 1, 1, 5, 5, 5],
  [5, 7, 1, 1, 7, 11, 19],
  [5, 11, 1, 1, 5, 1, 1],
  [5, 13, 1, 1, 1, 3, 11],
  [5, 14, 1, 3, 5, 5, 31],
  [6, 1, 1, 3, 3, 9, 7, 49],
  [6, 13, 1, 1, 1, 15, 21, 21],
  [6, 16, 1, 3, 1, 13, 27, 49],
  [6, 19, 1, 1, 1, 15, 7, 5],
  [6, 22, 1, 3, 1, 15, 13, 25],
  [6, 25, 1, 1, 5, 5, 19, 61],
  [7, 1, 1, 3, 7, 11, 23, 15, 103],
  [7, 4, 1, 3, 7, 13, 13, 15, 69],
  [7, 7, 1, 1, 3, 13, 7, 35, 63],
  [7, 8, 1, 3, 5, 9, 1, 25, 53],
  [7, 14, 1, 3, 1, 13, 9, 35, 107],
  [7, 19, 1, 3, 1, 5, 27, 61, 31],
  [7, 21, 1, 1, 5, 11, 19, 41, 61],
  [7, 28, 1, 3, 5, 3, 3, 13, 69],
  [7, 31, 1, 1, 7, 13, 1, 19, 1],
  [7, 32, 1, 3, 7, 5, 13, 19, 59],
  [7, 37, 1, 1, 3, 9, 25, 29, 41],
  [7, 41, 1, 3, 5, 13, 23, 1, 55],
  [7, 42, 1, 3, 7, 3, 13, 59, 17],
  [7, 50, 1, 3, 1, 3, 5, 53, 69],
  [7, 55, 1, 1, 5, 5, 23, 33, 13],
  [7, 56, 1, 1, 7, 7, 1, 61, 123],
  [7, 59, 1, 1, 7, 9, 13, 61, 49],
  [7, 62, 1, 3, 3, 5, 3, 55, 33],
  [8, 14, 1, 3, 1, 15, 31, 13, 49, 245],
  [8, 21, 1, 3, 5, 15, 31, 59, 63, 97],
  [8, 22, 1, 3, 1, 11, 11, 11, 77, 249],
]

/** Coordinates the table has. */
export const sobolDimensions = table.length + 1

/** The first `count` points in [0, 1)^dimensions, one Float64Array a point; scrambled when a stream is given. */
export function sobol(count: number, dimensions: number, random?: Stream): Float64Array[] {
  if (dimensions > sobolDimensions) throw new RangeError(`sobol: at most ${sobolDimensions} coordinates`)
  const points = Array.from({ length: count }, () => new Float64Array(dimensions))
  for (let k = 0; k < dimensions; k++) {
    const v = directionNumbers(k)
    const seed = random ? bits(random) : 0
    let x = 0
    points.forEach((point, i) => {
      // Gray code: each point differs from the one before by the direction of the lowest zero bit of i - 1.
      if (i > 0) x ^= v[31 - Math.clz32(~(i - 1) & -~(i - 1))]!
      point[k] = ((random ? scrambled(x, seed) : x) >>> 0) / 4294967296
    })
  }
  return points
}

function directionNumbers(k: number): Int32Array {
  const v = new Int32Array(32)
  if (k === 0) {
    for (let i = 0; i < 32; i++) v[i] = 1 << (31 - i)
    return v
  }
  const [degree, coefficients, ...numbers] = table[k - 1]!
  for (let i = 0; i < degree; i++) v[i] = numbers[i]! << (31 - i)
  for (let i = degree; i < 32; i++) {
    v[i] = v[i - degree]! ^ (v[i - degree]! >>> degree)
    for (let j = 1; j < degree; j++) if ((coefficients >> (degree - 1 - j)) & 1) v[i]! ^= v[i - j]!
  }
  return v
}

/** Owen's scrambling: each bit flipped by a hash of those above it. Done on the reversed word, where that is a carry-free hash. */
function scrambled(word: number, seed: number): number {
  let x = reversed(word)
  x = (x + seed) | 0
  x ^= Math.imul(x, 0x6c50b47c)
  x ^= Math.imul(x, 0xb82f1e52)
  x ^= Math.imul(x, 0xc7afe638)
  x ^= Math.imul(x, 0x8d22f6e6)
  return reversed(x)
}

function reversed(word: number): number {
  let x = word
  x = ((x >>> 1) & 0x55555555) | ((x & 0x55555555) << 1)
  x = ((x >>> 2) & 0x33333333) | ((x & 0x33333333) << 2)
  x = ((x >>> 4) & 0x0f0f0f0f) | ((x & 0x0f0f0f0f) << 4)
  x = ((x >>> 8) & 0x00ff00ff) | ((x & 0x00ff00ff) << 8)
  return (x >>> 16) | (x << 16)
}
