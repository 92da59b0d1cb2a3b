// Random streams: xoshiro128** (Blackman & Vigna, https://prng.di.unimi.it/xoshiro128starstar.c) on four 32-bit words in
// an Int32Array, so that a snapshot copies a stream as sixteen bytes. One stream per component, keyed by (seed, run,
// component): adding an element never shifts another's numbers.

/** The state of one stream: four 32-bit words, never all zero. Drawing mutates it. */
export type Stream = Int32Array

/** The stream of component `key` in run number `run` of `seed`. Same arguments, same numbers, on every machine. */
export function stream(seed: number, run: number, key: string): Stream {
  let x = 0x6a09e667
  const absorb = (word: number): void => {
    x = (mix(x ^ word) + 0x9e3779b9) | 0
  }
  absorb(seed | 0)
  absorb(Math.floor(seed / 4294967296) | 0)
  absorb(run | 0)
  absorb(key.length)
  for (let i = 0; i < key.length; i++) absorb(key.charCodeAt(i))
  const state = new Int32Array(4)
  for (let i = 0; i < 4; i++) {
    x = (x + 0x9e3779b9) | 0
    state[i] = mix(x)
  }
  if ((state[0]! | state[1]! | state[2]! | state[3]!) === 0) state[0] = 1
  return state
}

/** The finalizer of splitmix32: a bijection of 32-bit words. */
function mix(word: number): number {
  let z = word
  z = Math.imul(z ^ (z >>> 16), 0x21f0aaad)
  z = Math.imul(z ^ (z >>> 15), 0x735a2d97)
  return z ^ (z >>> 15)
}

/** The next 32 random bits, as an unsigned integer. */
export function bits(s: Stream): number {
  const s1 = s[1]!
  const r = Math.imul(s1, 5)
  const result = Math.imul((r << 7) | (r >>> 25), 9)
  const s2 = s[2]! ^ s[0]!
  const s3 = s[3]! ^ s1
  s[1] = s1 ^ s2
  s[0] = s[0]! ^ s3
  s[2] = s2 ^ (s1 << 9)
  s[3] = (s3 << 11) | (s3 >>> 21)
  return result >>> 0
}

/** A real in [0, 1) on a grid of 2^-32: one draw. */
export function uniform(s: Stream): number {
  return bits(s) * 2.3283064365386963e-10
}

/** A real in [0, 1) on a grid of 2^-53: two draws. For inverse distribution functions, where the tails matter. */
export function uniform53(s: Stream): number {
  const high = bits(s) >>> 5
  return (high * 67108864 + (bits(s) >>> 6)) * 1.1102230246251565e-16
}

/** A real in (0, 1), the midpoints of a grid of 2^-52: never 0 or 1, so logarithms of it and of 1 - it are finite. Two draws. */
export function uniformOpen(s: Stream): number {
  const high = bits(s) >>> 6
  return (high * 67108864 + (bits(s) >>> 6) + 0.5) * 2.220446049250313e-16
}

/**
 * A whole number in [0, n), each equally likely, for whole n >= 1. One draw nearly always (Lemire's multiply and
 * reject, https://arxiv.org/abs/1805.10941); above 2^20 it takes two draws and a bias below 2^-32.
 */
export function below(s: Stream, n: number): number {
  if (n > 1048576) return Math.floor(uniform53(s) * n)
  let product = bits(s) * n
  let low = product >>> 0
  if (low < n) {
    const threshold = 4294967296 % n
    while (low < threshold) {
      product = bits(s) * n
      low = product >>> 0
    }
  }
  // Of a whole number that fits 32 bits V8 knows that it can be an index.
  return (product * 2.3283064365386963e-10) | 0
}

/** Shuffles `items` in place, Fisher-Yates from the end. Mutates `items`. */
export function shuffle<T>(s: Stream, items: T[]): void {
  for (let i = items.length - 1; i > 0; i--) {
    const j = below(s, i + 1)
    const item = items[i]!
    items[i] = items[j]!
    items[j] = item
  }
}
