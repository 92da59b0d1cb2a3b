// Elementary functions with the same last bit on every machine: `Math.exp` and its kin differ between JavaScript engines,
// and a run must not. Ports of fdlibm 5.3 (https://www.netlib.org/fdlibm/), error below 1 ulp (sinh, cosh, tanh: 2). Only +, -, *, /, sqrt and bit
// operations are used, which IEEE 754 fixes exactly.
//
// Copyright (C) 1993, 2004 by Sun Microsystems, Inc. All rights reserved. Developed at SunSoft, a Sun Microsystems, Inc.
// business. Permission to use, copy, modify, and distribute this software is freely granted, provided that this notice is
// preserved.

/* oxlint-disable no-loss-of-precision, oxc/approx-constant, oxc/erasing-op -- the constants as the source writes them; 0 keeps its sign */

import { atanOf } from '../runtime/angles.ts'
import { PIO2_HI, PIO2_LO, reduce, rest } from './reduction.ts'
import { fromWords, highWord, lowWord, power, scaled, truncated } from './words.ts'

const LN2_HI = 6.9314718036912381649e-1
const LN2_LO = 1.90821492927058770002e-10
const INV_LN2 = 1.442695040888963387

/** e^x. */
export function exp(x: number): number {
  if (x !== x) return x
  if (x > 7.09782712893383973096e2) return Infinity
  if (x < -7.4513321910194110842e2) return 0
  const size = x < 0 ? -x : x
  let hi = 0
  let lo = 0
  let k = 0
  if (size > 0.34657359027997264) {
    if (size < 1.0397207708399179) {
      if (x === 1) return Math.E
      k = x < 0 ? -1 : 1
    } else k = Math.trunc(INV_LN2 * x + (x < 0 ? -0.5 : 0.5))
    hi = x - k * LN2_HI
    lo = k * LN2_LO
    x = hi - lo
  } else if (size < 3.725290298461914e-9) return 1 + x
  else hi = x
  const t = x * x
  const c =
    x -
    t *
      (1.66666666666666019037e-1 +
        t *
          (-2.77777777770155933842e-3 + t * (6.61375632143793436117e-5 + t * (-1.6533902205465251539e-6 + t * 4.13813679705723846039e-8))))
  if (k === 0) return 1 - ((x * c) / (c - 2) - x)
  const y = 1 - (lo - (x * c) / (2 - c) - hi)
  return scaled(y, k)
}

/** Natural logarithm; NaN below 0, -Infinity at 0. */
export function log(x: number): number {
  const hx = highWord(x)
  // Rare cases are in another function: so this is small enough to be inlined where random numbers are drawn.
  return hx < 0x00100000 || hx >= 0x7fe00000 ? rareLog(x) : logOf(x, hx, 0)
}

function rareLog(x: number): number {
  if (x !== x || x < 0) return NaN
  if (x === 0) return -Infinity
  if (x === Infinity) return x
  const up = x < 1 ? 54 : -54
  const scaledTo = x * power(up)
  return logOf(scaledTo, highWord(scaledTo), -up)
}

/** log(x) + scale log(2), of a normal number below 2^1023. */
function logOf(x: number, hx: number, scale: number): number {
  const exponent = (hx >> 20) - 1023
  const m = hx & 0x000fffff
  const i = ((m + 0x95f64) & 0x100000) >> 20
  const k = scale + exponent + i
  const f = x * power(-exponent - i) - 1
  if ((0x000fffff & (2 + m)) < 3) return logNearPower(f, k)
  const s = f / (2 + f)
  const z = s * s
  const w = z * z
  const t1 = w * (3.999999999940941908e-1 + w * (2.222219843214978396e-1 + w * 1.531383769920937332e-1))
  const t2 = z * (6.66666666666673513e-1 + w * (2.857142874366239149e-1 + w * (1.818357216161805012e-1 + w * 1.479819860511658591e-1)))
  const r = t2 + t1
  if (((m - 0x6147a) | (0x6b851 - m)) > 0) {
    const hfsq = 0.5 * f * f
    return k * LN2_HI - (hfsq - (s * (hfsq + r) + k * LN2_LO) - f)
  }
  // fdlibm has shorter forms for k = 0. They give the same, and half of all random numbers would be mispredicted.
  return k * LN2_HI - (s * (f - r) - k * LN2_LO - f)
}

function logNearPower(f: number, k: number): number {
  if (f === 0) return k === 0 ? 0 : k * LN2_HI + k * LN2_LO
  const r = f * f * (0.5 - 0.33333333333333333 * f)
  return k === 0 ? f - r : k * LN2_HI - (r - k * LN2_LO - f)
}

/** log(1 + x), exact near 0. */
export function log1p(x: number): number {
  if (x !== x || x < -1) return NaN
  if (x === -1) return -Infinity
  if (x === Infinity) return x
  const hx = highWord(x)
  const ax = hx & 0x7fffffff
  let k = 1
  let f = 0
  let hu = 1
  let c = 0
  if (hx < 0x3fda827a) {
    if (ax < 0x3e200000) {
      if (ax < 0x3c900000) return x
      return x - x * x * 0.5
    }
    if (hx > 0 || hx <= (0xbfd2bec3 | 0)) {
      k = 0
      f = x
      hu = 1
    }
  }
  if (k !== 0) {
    let u: number
    if (hx < 0x43400000) {
      u = 1 + x
      hu = highWord(u)
      k = (hu >> 20) - 1023
      c = k > 0 ? 1 - (u - x) : x - (u - 1)
      c /= u
    } else {
      u = x
      hu = highWord(u)
      k = (hu >> 20) - 1023
      c = 0
    }
    hu &= 0x000fffff
    const low = lowWord(u)
    if (hu < 0x6a09e) u = fromWords(hu | 0x3ff00000, low)
    else {
      k += 1
      u = fromWords(hu | 0x3fe00000, low)
      hu = (0x00100000 - hu) >> 2
    }
    f = u - 1
  }
  const hfsq = 0.5 * f * f
  if (hu === 0) {
    if (f === 0) return k === 0 ? 0 : k * LN2_HI + (c + k * LN2_LO)
    const r = hfsq * (1 - 0.66666666666666666 * f)
    return k === 0 ? f - r : k * LN2_HI - (r - (k * LN2_LO + c) - f)
  }
  const s = f / (2 + f)
  const z = s * s
  const r =
    z *
    (6.66666666666673513e-1 +
      z *
        (3.999999999940941908e-1 +
          z *
            (2.857142874366239149e-1 +
              z * (2.222219843214978396e-1 + z * (1.818357216161805012e-1 + z * (1.531383769920937332e-1 + z * 1.479819860511658591e-1))))))
  return k === 0 ? f - (hfsq - s * (hfsq + r)) : k * LN2_HI - (hfsq - (s * (hfsq + r) + (k * LN2_LO + c)) - f)
}

/** e^x - 1, exact near 0. */
export function expm1(x: number): number {
  if (x !== x) return x
  const negative = x < 0
  const size = negative ? -x : x
  if (size >= 38.816242) {
    if (size >= 709.782712893384) {
      if (x === Infinity) return x
      if (x > 709.782712893384) return Infinity
      if (x === -Infinity) return -1
    }
    if (negative) return -1
  }
  let k = 0
  let c = 0
  if (size > 0.34657359027997264) {
    let hi: number
    let lo: number
    if (size < 1.0397207708399179) {
      k = negative ? -1 : 1
      hi = negative ? x + LN2_HI : x - LN2_HI
      lo = negative ? -LN2_LO : LN2_LO
    } else {
      k = Math.trunc(INV_LN2 * x + (negative ? -0.5 : 0.5))
      hi = x - k * LN2_HI
      lo = k * LN2_LO
    }
    x = hi - lo
    c = hi - x - lo
  } else if (size < 5.551115123125783e-17) return x
  const hfx = 0.5 * x
  const hxs = x * hfx
  const r1 =
    1 +
    hxs *
      (-3.33333333333331316428e-2 +
        hxs *
          (1.58730158725481460165e-3 +
            hxs * (-7.93650757867487942473e-5 + hxs * (4.00821782732936239552e-6 + hxs * -2.01099218183624371326e-7))))
  let t = 3 - r1 * hfx
  let e = hxs * ((r1 - t) / (6 - x * t))
  if (k === 0) return x - (x * e - hxs)
  e = x * (e - c) - c
  e -= hxs
  if (k === -1) return 0.5 * (x - e) - 0.5
  if (k === 1) return x < -0.25 ? -2 * (e - (x + 0.5)) : 1 + 2 * (x - e)
  if (k <= -2 || k > 56) return scaled(1 - (e - x), k) - 1
  if (k < 20) {
    t = fromWords(0x3ff00000 - (0x200000 >> k), 0)
    return scaled(t - (e - x), k)
  }
  t = fromWords((0x3ff - k) << 20, 0)
  return scaled(x - (e + t) + 1, k)
}

/** Logarithm to base 2; exact for powers of two. FreeBSD's e_log2.c: the logarithm of the mantissa in two parts times 1 / ln 2 in two parts. */
export function log2(x: number): number {
  if (!(x > 0) || x === Infinity) return log(x)
  let k = 0
  let hx = highWord(x)
  if (hx < 0x00100000) {
    k -= 54
    x *= 18014398509481984
    hx = highWord(x)
  }
  const lx = lowWord(x)
  k += (hx >> 20) - 1023
  hx &= 0x000fffff
  const i = (hx + 0x95f64) & 0x100000
  k += i >> 20
  const f = fromWords(hx | (i ^ 0x3ff00000), lx) - 1
  const hfsq = 0.5 * f * f
  const s = f / (2 + f)
  const z = s * s
  const w = z * z
  const t1 = w * (3.999999999940941908e-1 + w * (2.222219843214978396e-1 + w * 1.531383769920937332e-1))
  const t2 = z * (6.66666666666673513e-1 + w * (2.857142874366239149e-1 + w * (1.818357216161805012e-1 + w * 1.479819860511658591e-1)))
  const hi = truncated(f - hfsq)
  const lo = f - hi - hfsq + s * (hfsq + (t2 + t1))
  const head = hi * 1.44269504072144627571
  const tail = (lo + hi) * 1.67517131648865118353e-10 + lo * 1.44269504072144627571
  const sum = k + head
  return tail + (k - sum + head) + sum
}

/** Logarithm to base 10; exact for whole powers of ten. */
export function log10(x: number): number {
  if (!(x > 0) || x === Infinity) return log(x)
  let k = 0
  let hx = highWord(x)
  if (hx < 0x00100000) {
    k -= 54
    x *= 18014398509481984
    hx = highWord(x)
  }
  const lx = lowWord(x)
  k += (hx >> 20) - 1023
  const i = k < 0 ? 1 : 0
  hx = (hx & 0x000fffff) | ((0x3ff - i) << 20)
  const y = k + i
  const z = y * 3.69423907715893078616e-13 + 4.34294481903251816668e-1 * log(fromWords(hx, lx))
  return z + y * 3.01029995663611771306e-1
}

function kernelSin(x: number, y: number, hasTail: boolean): number {
  if ((x < 0 ? -x : x) < 7.450580596923828e-9) return x
  const z = x * x
  const v = z * x
  const r =
    8.33333333332248946124e-3 +
    z * (-1.98412698298579493134e-4 + z * (2.75573137070700676789e-6 + z * (-2.50507602534068634195e-8 + z * 1.58969099521155010221e-10)))
  return hasTail ? x - (z * (0.5 * y - v * r) - y - v * -1.66666666666666324348e-1) : x + v * (-1.66666666666666324348e-1 + z * r)
}

function kernelCos(x: number, y: number): number {
  const ix = highWord(x) & 0x7fffffff
  if (ix < 0x3e400000) return 1
  const z = x * x
  const r =
    z *
    (4.16666666666666019037e-2 +
      z *
        (-1.38888888888741095749e-3 +
          z *
            (2.48015872894767294178e-5 +
              z * (-2.75573143513906633035e-7 + z * (2.0875723212981748279e-9 + z * -1.13596475577881948265e-11)))))
  if (ix < 0x3fd33333) return 1 - (0.5 * z - (z * r - x * y))
  const q = ix > 0x3fe90000 ? 0.28125 : fromWords(ix - 0x00200000, 0)
  const half = 0.5 * z - q
  return 1 - q - (half - (z * r - x * y))
}

/** Sine of x radians; NaN for infinities. */
export function sin(x: number): number {
  if (!(x - x === 0)) return NaN
  if ((x < 0 ? -x : x) <= 0.7853981633974483) return kernelSin(x, 0, false)
  switch (reduce(x)) {
    case 0:
      return kernelSin(rest[0]!, rest[1]!, true)
    case 1:
      return kernelCos(rest[0]!, rest[1]!)
    case 2:
      return -kernelSin(rest[0]!, rest[1]!, true)
    default:
      return -kernelCos(rest[0]!, rest[1]!)
  }
}

/** Cosine of x radians; NaN for infinities. */
export function cos(x: number): number {
  if (!(x - x === 0)) return NaN
  if ((x < 0 ? -x : x) <= 0.7853981633974483) return kernelCos(x, 0)
  switch (reduce(x)) {
    case 0:
      return kernelCos(rest[0]!, rest[1]!)
    case 1:
      return -kernelSin(rest[0]!, rest[1]!, true)
    case 2:
      return -kernelCos(rest[0]!, rest[1]!)
    default:
      return kernelSin(rest[0]!, rest[1]!, true)
  }
}

const TAN = [
  3.33333333333334091986e-1, 1.33333333333201242699e-1, 5.39682539762260521377e-2, 2.18694882948595424599e-2, 8.86323982359930005737e-3,
  3.59207910759131235356e-3, 1.45620945432529025516e-3, 5.88041240820264096874e-4, 2.46463134818469906812e-4, 7.817944429395570923e-5,
  7.14072491382608190305e-5, -1.85586374855275456654e-5, 2.59073051863633712884e-5,
] as const

/** tan(x + y) when `odd` is false, -1 / tan(x + y) when true; |x| up to pi/4. */
function kernelTan(x: number, y: number, odd: boolean): number {
  const hx = highWord(x)
  const large = (hx & 0x7fffffff) >= 0x3fe59428
  if ((x < 0 ? -x : x) < 3.725290298461914e-9) return odd ? -1 / x : x
  if (large) {
    if (x < 0) {
      x = -x
      y = -y
    }
    x = 7.85398163397448278999e-1 - x + (3.06161699786838301793e-17 - y)
    y = 0
  }
  const z = x * x
  const w = z * z
  let r = TAN[1] + w * (TAN[3] + w * (TAN[5] + w * (TAN[7] + w * (TAN[9] + w * TAN[11]))))
  const v = z * (TAN[2] + w * (TAN[4] + w * (TAN[6] + w * (TAN[8] + w * (TAN[10] + w * TAN[12])))))
  const s = z * x
  r = y + z * (s * (r + v) + y)
  r += TAN[0] * s
  const sum = x + r
  if (large) {
    const k = odd ? -1 : 1
    return (hx < 0 ? -1 : 1) * (k - 2 * (x - ((sum * sum) / (sum + k) - r)))
  }
  if (!odd) return sum
  const head = truncated(sum)
  const tail = r - (head - x)
  const a = -1 / sum
  const t = truncated(a)
  return t + a * (1 + t * head + t * tail)
}

/** Tangent of x radians; NaN for infinities. */
export function tan(x: number): number {
  if (!(x - x === 0)) return NaN
  if ((x < 0 ? -x : x) <= 0.7853981633974483) return kernelTan(x, 0, false)
  const n = reduce(x)
  return kernelTan(rest[0]!, rest[1]!, (n & 1) === 1)
}

const asinP = (t: number): number =>
  t *
  (1.66666666666666657415e-1 +
    t *
      (-3.25565818622400915405e-1 +
        t *
          (2.01212532134862925881e-1 + t * (-4.00555345006794114027e-2 + t * (7.91534994289814532176e-4 + t * 3.4793310759602116757e-5)))))
const asinQ = (t: number): number =>
  1 + t * (-2.40339491173441421878 + t * (2.02094576023350569471 + t * (-6.8828397160545329303e-1 + t * 7.70381505559019352791e-2)))

/** Arc sine in radians; NaN outside [-1, 1]. */
export function asin(x: number): number {
  const size = x < 0 ? -x : x
  if (!(size <= 1)) return NaN
  if (size === 1) return x * PIO2_HI + x * PIO2_LO
  if (size < 0.5) {
    if (size < 7.450580596923828e-9) return x
    const t = x * x
    return x + x * (asinP(t) / asinQ(t))
  }
  const t = (1 - size) * 0.5
  const p = asinP(t)
  const q = asinQ(t)
  const s = Math.sqrt(t)
  let result: number
  if (size >= 0.975) result = PIO2_HI - (2 * (s + s * (p / q)) - PIO2_LO)
  else {
    const head = truncated(s)
    const c = (t - head * head) / (s + head)
    result = 7.85398163397448278999e-1 - (2 * s * (p / q) - (PIO2_LO - 2 * c) - (7.85398163397448278999e-1 - 2 * head))
  }
  return x > 0 ? result : -result
}

/** Arc cosine in radians; NaN outside [-1, 1]. */
export function acos(x: number): number {
  const size = x < 0 ? -x : x
  if (!(size <= 1)) return NaN
  if (x === 1) return 0
  if (x === -1) return Math.PI
  if (size < 0.5) {
    if (size < 6.938893903907228e-18) return PIO2_HI + PIO2_LO
    const z = x * x
    return PIO2_HI - (x - (PIO2_LO - x * (asinP(z) / asinQ(z))))
  }
  if (x < 0) {
    const z = (1 + x) * 0.5
    const s = Math.sqrt(z)
    return Math.PI - 2 * (s + ((asinP(z) / asinQ(z)) * s - PIO2_LO))
  }
  const z = (1 - x) * 0.5
  const s = Math.sqrt(z)
  const head = truncated(s)
  const c = (z - head * head) / (s + head)
  return 2 * (head + ((asinP(z) / asinQ(z)) * s + c))
}

/** Arc tangent in radians. */
export function atan(x: number): number {
  // Minus zero is one of its own.
  if (x === 0 || x !== x) return x
  const angle = atanOf(x < 0 ? -x : x)
  return x < 0 ? -angle : angle
}

/** Angle of the point (x, y) from the x axis, in (-pi, pi]. */
export function atan2(y: number, x: number): number {
  if (x !== x || y !== y) return NaN
  if (x === 1) return atan(y)
  const xNegative = x < 0 || Object.is(x, -0)
  const yNegative = y < 0 || Object.is(y, -0)
  const signed = (angle: number) => (yNegative ? -angle : angle)
  if (y === 0) return xNegative ? signed(Math.PI) : y
  if (x === 0) return signed(PIO2_HI + 6.123233995736766e-17)
  if (x === Infinity) return y === Infinity || y === -Infinity ? signed(0.7853981633974483) : signed(0)
  if (x === -Infinity) return y === Infinity || y === -Infinity ? signed(2.356194490192345) : signed(Math.PI)
  if (y === Infinity || y === -Infinity) return signed(PIO2_HI)
  const k = ((highWord(y) & 0x7fffffff) - (highWord(x) & 0x7fffffff)) >> 20
  let z: number
  if (k > 60) return signed(PIO2_HI + 0.5 * 1.2246467991473531772e-16)
  if (xNegative && k < -60) z = 0
  else z = atan(Math.abs(y / x))
  if (!xNegative) return signed(z)
  return yNegative ? z - 1.2246467991473531772e-16 - Math.PI : Math.PI - (z - 1.2246467991473531772e-16)
}

/** Hyperbolic sine. */
export function sinh(x: number): number {
  const size = x < 0 ? -x : x
  const half = x < 0 ? -0.5 : 0.5
  if (size < 22) {
    if (size < 3.725290298461914e-9) return x
    const t = expm1(size)
    return size < 1 ? half * (2 * t - (t * t) / (t + 1)) : half * (t + t / (t + 1))
  }
  if (size < 709.7822265625) return half * exp(size)
  if (size <= 710.4758600739439) {
    const w = exp(0.5 * size)
    return half * w * w
  }
  return x * Infinity
}

/** Hyperbolic cosine. */
export function cosh(x: number): number {
  const size = x < 0 ? -x : x
  if (size < 0.34657359027997264) {
    const t = expm1(size)
    const w = 1 + t
    return size < 2.7755575615628914e-17 ? w : 1 + (t * t) / (w + w)
  }
  if (size < 22) {
    const t = exp(size)
    return 0.5 * t + 0.5 / t
  }
  if (size < 709.7822265625) return 0.5 * exp(size)
  if (size <= 710.4758600739439) {
    const w = exp(0.5 * size)
    return 0.5 * w * w
  }
  return size * Infinity
}

/** Hyperbolic tangent. */
export function tanh(x: number): number {
  if (x !== x) return x
  const size = x < 0 ? -x : x
  if (size < 2.7755575615628914e-17) return x
  let z = 1
  if (size < 22) {
    // Three ranges, as musl has them (https://git.musl-libc.org/cgit/musl/tree/src/math/tanh.c): fdlibm's two err by up to 2 ulp.
    if (size > 0.5493061443340549) z = 1 - 2 / (expm1(2 * size) + 2)
    else if (size > 0.2554128118829954) {
      const t = expm1(2 * size)
      z = t / (t + 2)
    } else {
      const t = expm1(-2 * size)
      z = -t / (t + 2)
    }
  }
  return x < 0 ? -z : z
}

/** Cube root. */
export function cbrt(x: number): number {
  if (x === 0 || !(x - x === 0)) return x
  const size = x < 0 ? -x : x
  let t: number
  const hx = highWord(size)
  if (hx < 0x00100000) t = fromWords(Math.trunc((highWord(size * 18014398509481984) & 0x7fffffff) / 3) + 696219795, 0)
  else t = fromWords(Math.trunc(hx / 3) + 715094163, 0)
  let r = t * t * (t / size)
  t *=
    1.87595182427177009643 +
    r * (-1.88497979543377169875 + r * 1.62142972010535446614) +
    r * r * r * (-0.758397934778766047437 + r * 0.145996192886612446982)
  const rounded = (BigInt.asUintN(64, (BigInt(highWord(t) >>> 0) << 32n) | BigInt(lowWord(t) >>> 0)) + 0x80000000n) & 0xffffffffc0000000n
  t = fromWords(Number(rounded >> 32n) | 0, Number(rounded & 0xffffffffn) | 0)
  r = size / (t * t)
  r = (r - t) / (t + t + r)
  t += t * r
  return x < 0 ? -t : t
}

/** sqrt(x^2 + y^2 + ...) without overflow on the way. */
export function hypot(...values: readonly number[]): number {
  let largest = 0
  for (const value of values) {
    const size = Math.abs(value)
    if (size === Infinity) return Infinity
    if (size > largest || size !== size) largest = size
  }
  if (largest === 0 || largest !== largest) return largest
  // Scaled by a power of two, which rounds nothing.
  const k = Math.min(1022, Math.max(-1022, (highWord(largest) >> 20) - 1023))
  const down = power(-k)
  // Squares and their sum in two doubles each (Dekker 1971), so that only the root rounds.
  let sum = 0
  let rest = 0
  for (const value of values) {
    const n = value * down
    const c = 134217729 * n
    const head = c - (c - n)
    const tail = n - head
    const square = n * n
    const lost = head * head - square + 2 * head * tail + tail * tail
    const before = sum
    sum += square
    rest += (before > square ? before - sum + square : square - sum + before) + lost
  }
  const root = Math.sqrt(sum + rest)
  const c = 134217729 * root
  const head = c - (c - root)
  const tail = root - head
  const square = root * root
  const error = sum - square - (head * head - square + 2 * head * tail + tail * tail) + rest
  return (root + error / (2 * root)) * power(k)
}

const POW_L = [
  5.99999999999994648725e-1, 4.28571428578550184252e-1, 3.33333329818377432918e-1, 2.72728123808534006489e-1, 2.30660745775561754067e-1,
  2.06975017800338417784e-1,
] as const
const POW_P = [
  1.66666666666666019037e-1, -2.77777777770155933842e-3, 6.61375632143793436117e-5, -1.6533902205465251539e-6, 4.13813679705723846039e-8,
] as const

/** x to the power y, with JavaScript's answers at the edges (`pow(x, 0)` is 1, `pow(1, Infinity)` is NaN). */
export function pow(x: number, y: number): number {
  if (y === 0) return 1
  if (x !== x || y !== y) return NaN
  if (y === 1) return x
  if (y === 2) return x * x
  if (y === -1) return 1 / x
  if (y === Infinity || y === -Infinity) {
    const size = Math.abs(x)
    if (size === 1) return NaN
    return size > 1 === y > 0 ? Infinity : 0
  }
  if (y === 0.5 && x >= 0) return x === Infinity ? x : Math.sqrt(x + 0)
  const whole = Math.trunc(y) === y
  const odd = whole && Math.abs(y) < 9007199254740992 && y % 2 !== 0
  const size = Math.abs(x)
  if (size === Infinity || size === 0 || size === 1) {
    const z = y < 0 ? 1 / size : size
    if (x > 0 || Object.is(x, 0)) return z
    if (size === 1) return whole ? (odd ? -z : z) : NaN
    return odd ? -z : z
  }
  if (x < 0 && !whole) return NaN
  return ordinaryPower(size, y, x < 0 && odd ? -1 : 1)
}

/** Where neither is an edge case: `sign` times `size`, which is positive, to the power y. */
function ordinaryPower(size: number, y: number, sign: 1 | -1): number {
  const iy = highWord(y) & 0x7fffffff
  const ix = highWord(size)
  let t1: number
  let t2: number
  if (iy > 0x41e00000) {
    if (iy > 0x43f00000) {
      if (ix <= 0x3fefffff) return y < 0 ? sign * Infinity : sign * 0
      return y > 0 ? sign * Infinity : sign * 0
    }
    if (ix < 0x3fefffff) return y < 0 ? sign * Infinity : sign * 0
    if (ix > 0x3ff00000) return y > 0 ? sign * Infinity : sign * 0
    const t = size - 1
    const w = t * t * (0.5 - t * (0.3333333333333333333333 - t * 0.25))
    const u = 1.44269502162933349609 * t
    const v = t * 1.92596299112661746887e-8 - w * INV_LN2
    t1 = truncated(u + v)
    t2 = v - (t1 - u)
  } else {
    let ax = size
    let n = 0
    let high = ix
    if (high < 0x00100000) {
      ax *= 9007199254740992
      n -= 53
      high = highWord(ax)
    }
    n += (high >> 20) - 0x3ff
    const j = high & 0x000fffff
    high = j | 0x3ff00000
    let k: 0 | 1
    if (j <= 0x3988e) k = 0
    else if (j < 0xbb67a) k = 1
    else {
      k = 0
      n += 1
      high -= 0x00100000
    }
    ax = fromWords(high, lowWord(ax))
    const bp = k === 0 ? 1 : 1.5
    const u = ax - bp
    const v = 1 / (ax + bp)
    const ss = u * v
    const sHigh = truncated(ss)
    const tHigh = fromWords(((high >> 1) | 0x20000000) + 0x00080000 + (k << 18), 0)
    const tLow = ax - (tHigh - bp)
    const sLow = v * (u - sHigh * tHigh - sHigh * tLow)
    let s2 = ss * ss
    let r = s2 * s2 * (POW_L[0] + s2 * (POW_L[1] + s2 * (POW_L[2] + s2 * (POW_L[3] + s2 * (POW_L[4] + s2 * POW_L[5])))))
    r += sLow * (sHigh + ss)
    s2 = sHigh * sHigh
    const rHigh = truncated(3 + s2 + r)
    const rLow = r - (rHigh - 3 - s2)
    const a = sHigh * rHigh
    const b = sLow * rHigh + rLow * ss
    const pHigh = truncated(a + b)
    const pLow = b - (pHigh - a)
    const zHigh = 9.61796700954437255859e-1 * pHigh
    const zLow = -7.02846165095275826516e-9 * pHigh + pLow * 9.61796693925975554329e-1 + (k === 0 ? 0 : 1.35003920212974897128e-8)
    const dp = k === 0 ? 0 : 5.84962487220764160156e-1
    t1 = truncated(zHigh + zLow + dp + n)
    t2 = zLow - (t1 - n - dp - zHigh)
  }
  const y1 = truncated(y)
  const pLow = (y - y1) * t1 + y * t2
  let pHigh = y1 * t1
  let z = pLow + pHigh
  const j = highWord(z)
  const i = lowWord(z)
  if (j >= 0x40900000) {
    if (((j - 0x40900000) | i) !== 0 || pLow + 8.0085662595372944372e-17 > z - pHigh) return sign * Infinity
  } else if ((j & 0x7fffffff) >= 0x4090cc00) {
    if (((j - (0xc090cc00 | 0)) | i) !== 0 || pLow <= z - pHigh) return sign * 0
  }
  const exponent = (j & 0x7fffffff) >> 20
  let n = 0
  if ((j & 0x7fffffff) > 0x3fe00000) {
    n = j + (0x00100000 >> (exponent - 0x3ff + 1))
    const k = ((n & 0x7fffffff) >> 20) - 0x3ff
    const t = fromWords(n & ~(0x000fffff >> k), 0)
    n = ((n & 0x000fffff) | 0x00100000) >> (20 - k)
    if (j < 0) n = -n
    pHigh -= t
  }
  const t = truncated(pLow + pHigh)
  const u = t * 6.93147182464599609375e-1
  const v = (pLow - (t - pHigh)) * 6.93147180559945286227e-1 + t * -1.90465429995776804525e-9
  z = u + v
  const w = v - (z - u)
  const s = z * z
  const c = z - s * (POW_P[0] + s * (POW_P[1] + s * (POW_P[2] + s * (POW_P[3] + s * POW_P[4]))))
  const r = (z * c) / (c - 2) - (w + z * w)
  z = 1 - (r - z)
  return sign * scaled(z, n)
}
