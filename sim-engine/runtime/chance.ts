// Draws in the subset that lower/typescript.ts lowers: those of kernel/random.ts and formula/runtime/chance.ts, to the bit. `s` is the
// address of a stream's four words.

/* oxlint-disable typescript/no-confusing-non-null-assertion -- elements of views are numbers, and are compared */

type i32 = number
type f64 = number

declare const I32: Int32Array
declare const F64: Float64Array

// Of the host: -log(x) of a number in (0, 1) next to a power of two.
declare function rareLog(x: f64): f64
// Words and powers of numbers, and numbers of words: single instructions.
declare function high(x: f64): i32
declare function pow2(n: i32): f64
declare function toF(x: i32): f64
declare function toFu(x: i32): f64

export function bits(s: i32): i32 {
  const s1 = I32[(s + 4) >> 2]!
  const r = Math.imul(s1, 5)
  const result = Math.imul((r << 7) | (r >>> 25), 9)
  const s0 = I32[s >> 2]!
  const s2 = I32[(s + 8) >> 2]! ^ s0
  const s3 = I32[(s + 12) >> 2]! ^ s1
  I32[(s + 4) >> 2] = s1 ^ s2
  I32[s >> 2] = s0 ^ s3
  I32[(s + 8) >> 2] = s2 ^ (s1 << 9)
  I32[(s + 12) >> 2] = (s3 << 11) | (s3 >>> 21)
  return result
}
export function uniform(s: i32): f64 {
  return toFu(bits(s)) * 2.3283064365386963e-10
}
export function uniformOpen(s: i32): f64 {
  const high = bits(s) >>> 6
  return (toF(high) * 67108864.0 + toF(bits(s) >>> 6) + 0.5) * 2.220446049250313e-16
}
/** -log(x) of a number in (0, 1): fdlibm's, as in kernel/math.ts. */
export function minusLog(x: f64): f64 {
  const hx = high(x)
  const m = hx & 1048575
  if ((1048575 & (2 + m)) < 3) return rareLog(x)
  const i = ((m + 614244) & 1048576) >> 20
  const k = 1023 - (hx >> 20) - i
  const e = toF(k)
  const f = x * pow2(k) - 1.0
  const s = f / (2.0 + f)
  const z = s * s
  const w = z * z
  const a = w * (3.999999999940941908e-1 + w * (2.222219843214978396e-1 + w * 1.531383769920937332e-1))
  const b = z * (6.66666666666673513e-1 + w * (2.857142874366239149e-1 + w * (1.818357216161805012e-1 + w * 1.479819860511658591e-1)))
  const r = b + a
  if (((m - 398458) | (440401 - m)) > 0) {
    const half = 0.5 * f * f
    return e * 6.9314718036912381649e-1 + (half - (s * (half + r) - e * 1.90821492927058770002e-10) - f)
  }
  return e * 6.9314718036912381649e-1 + (s * (f - r) + e * 1.90821492927058770002e-10 - f)
}
export function exponential(s: i32, mean: f64): f64 {
  return mean * minusLog(uniformOpen(s))
}

// --- draws made ahead

// A record of AHEAD_SIZE bytes beside a stream keeps what its next draws of -log(u) give, and its words behind each of them. An event waits for
// the logarithm of its time; those of several draws are worked out side by side. The record holds no state: a value counts only while the
// stream's words are those it was made from, so that draws of others, snapshots and the general way need not know of it.

/** Draws made at once: each a value and the stream's words behind it. */
const AHEAD = 8
const AHEAD_ENTRY = 24
/** How many values are still to come; how many draws of its own are to be seen before more are made at once; then the draws. */
const AHEAD_LEFT = 0
const AHEAD_WAIT = 4
export const AHEAD_SIZE = 200
/** Draws to be seen after another drew from the stream while values were left. */
const AHEAD_LOSS = 32

/** 0 where four words are the same. */
export function difference(p: i32, q: i32): i32 {
  return (
    (I32[p >> 2]! ^ I32[q >> 2]!) |
    (I32[(p + 4) >> 2]! ^ I32[(q + 4) >> 2]!) |
    (I32[(p + 8) >> 2]! ^ I32[(q + 8) >> 2]!) |
    (I32[(p + 12) >> 2]! ^ I32[(q + 12) >> 2]!)
  )
}
export function copyWords(from: i32, to: i32): void {
  I32[to >> 2] = I32[from >> 2]!
  I32[(to + 4) >> 2] = I32[(from + 4) >> 2]!
  I32[(to + 8) >> 2] = I32[(from + 8) >> 2]!
  I32[(to + 12) >> 2] = I32[(from + 12) >> 2]!
}
/** -log(u) of the stream `s`, with its record `a`. */
export function minusLogNext(s: i32, a: i32): f64 {
  const left = I32[(a + AHEAD_LEFT) >> 2]!
  if (left > 0) {
    const at = a + AHEAD_SIZE - left * AHEAD_ENTRY
    if (difference(at - 16, s) === 0) {
      I32[(a + AHEAD_LEFT) >> 2] = left - 1
      copyWords(at + 8, s)
      return F64[at >> 3]!
    }
  }
  return minusLogAhead(s, a)
}
/** The same where the record has no value for the stream as it is. */
export function minusLogAhead(s: i32, a: i32): f64 {
  const end = a + AHEAD_SIZE
  let count = 1
  if (I32[(a + AHEAD_LEFT) >> 2]! > 0) {
    I32[(a + AHEAD_WAIT) >> 2] = AHEAD_LOSS
  } else {
    if (difference(end - 16, s) === 0) {
      const wait = I32[(a + AHEAD_WAIT) >> 2]!
      if (wait > 0) I32[(a + AHEAD_WAIT) >> 2] = wait - 1
      if (wait === 0) count = AHEAD
    }
  }
  const first = end - count * AHEAD_ENTRY
  let at = first
  while (at < end) {
    F64[at >> 3] = minusLog(uniformOpen(s))
    copyWords(s, at + 8)
    at = at + AHEAD_ENTRY
  }
  copyWords(first + 8, s)
  I32[(a + AHEAD_LEFT) >> 2] = count - 1
  return F64[first >> 3]!
}
export function exponentialAhead(s: i32, a: i32, mean: f64): f64 {
  return mean * minusLogNext(s, a)
}

/** A whole number from 0 to n - 1; `n` is whole, 1 to 2^20. */
export function below(s: i32, n: f64): f64 {
  let product = toFu(bits(s)) * n
  let low = product - Math.floor(product * 2.3283064365386963e-10) * 4294967296.0
  if (low < n) {
    const threshold = 4294967296.0 - Math.floor(4294967296.0 / n) * n
    while (low < threshold) {
      product = toFu(bits(s)) * n
      low = product - Math.floor(product * 2.3283064365386963e-10) * 4294967296.0
    }
  }
  return Math.floor(product * 2.3283064365386963e-10)
}
export function uniform53(s: i32): f64 {
  const first = bits(s) >>> 5
  return (toF(first) * 67108864.0 + toF(bits(s) >>> 6)) * 1.1102230246251565e-16
}
export function standardNormal(s: i32): f64 {
  for (;;) {
    const u = 2.0 * uniform53(s) - 1.0
    const v = 2.0 * uniform53(s) - 1.0
    const r = u * u + v * v
    if (r > 0.0) {
      if (r < 1.0) return u * Math.sqrt((2.0 * minusLog(r)) / r)
    }
  }
}
/** `left` < `right`, and `mode` is neither below nor above them. */
export function triangular(s: i32, left: f64, mode: f64, right: f64): f64 {
  const u = uniform53(s)
  const width = right - left
  if (u <= (mode - left) / width) return left + Math.sqrt(u * width * (mode - left))
  return right - Math.sqrt((1.0 - u) * width * (right - mode))
}
/** The same of any whole number from 1. */
export function belowAny(s: i32, n: f64): f64 {
  if (n > 1048576.0) return Math.floor(uniform53(s) * n)
  return below(s, n)
}
