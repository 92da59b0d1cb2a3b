// Draws in the subset that lower/typescript.ts lowers: those of kernel/random.ts and formula/runtime/chance.ts, to the bit. `s` is the
// address of a stream's four words.

/* oxlint-disable typescript/no-confusing-non-null-assertion -- elements of views are numbers, and are compared */

type i32 = number
type f64 = number

declare const I32: Int32Array

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
