// Distribution functions that intervals and searches need, on the engine's portable elementary functions: equal bits on every machine.
import { logGamma } from '../kernel/gamma.ts'
import { exp, log, log1p } from '../kernel/math.ts'

const SQRT_2PI = 2.5066282746310002

export const normalDensity = (z: number): number => exp(-0.5 * z * z) / SQRT_2PI

/** P(Z <= z) of the standard normal; relative error below 1e-13 also in the tails. */
export function normalCdf(z: number): number {
  if (Number.isNaN(z)) return NaN
  if (z > 0) return 1 - normalCdf(-z)
  if (z < -38.5) return 0
  if (z > -3) {
    // Series around 0 (Abramowitz and Stegun 26.2.11).
    let term = -z
    let sum = term
    for (let n = 3; Math.abs(term) > 1e-17 * Math.abs(sum) && n < 400; n += 2) {
      term *= (z * z) / n
      sum += term
    }
    return 0.5 - normalDensity(z) * sum
  }
  // Continued fraction of the tail (26.2.14), from the inside out.
  let fraction = 0
  for (let k = 80; k > 0; k--) fraction = k / (-z + fraction)
  return normalDensity(z) / (-z + fraction)
}

/** log P(Z <= z), also where the probability itself is no longer a number. */
export const logNormalCdf = (z: number): number => {
  if (z > -30) return log(normalCdf(z))
  const t = z * z
  return -0.5 * t - log(-z * SQRT_2PI) + log1p(-1 / t + 3 / (t * t))
}

/** The z such that a standard normal is below it with probability `p` (0 < p < 1), by bisection and Newton's steps. */
export function normalQuantile(p: number): number {
  return quantile(p, normalCdf, normalDensity)
}

/** The t such that Student's t with `freedom` degrees is below it with probability `p`. */
export function studentQuantile(p: number, freedom: number): number {
  if (freedom === Infinity) return normalQuantile(p)
  const scale = exp(logGamma((freedom + 1) / 2) - logGamma(freedom / 2)) / Math.sqrt(freedom * Math.PI)
  return quantile(
    p,
    t => studentCdf(t, freedom),
    t => scale * exp((-(freedom + 1) / 2) * log1p((t * t) / freedom)),
  )
}

/** P(T <= t) of Student's t with `freedom` degrees. */
export function studentCdf(t: number, freedom: number): number {
  const tail = 0.5 * betaShare(freedom / (freedom + t * t), freedom / 2, 0.5)
  return t > 0 ? 1 - tail : tail
}

/** The regularised incomplete beta function (continued fraction of Lentz). */
function betaShare(x: number, a: number, b: number): number {
  if (x <= 0) return 0
  if (x >= 1) return 1
  if (x > (a + 1) / (a + b + 2)) return 1 - betaShare(1 - x, b, a)
  const front = exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * log(x) + b * log1p(-x)) / a
  const tiny = 1e-300
  let c = 1
  let d = 1 - ((a + b) * x) / (a + 1)
  d = 1 / (Math.abs(d) < tiny ? tiny : d)
  let result = d
  for (let m = 1; m < 500; m++) {
    for (const numerator of [
      (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m)),
      (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1)),
    ]) {
      d = 1 + numerator * d
      d = 1 / (Math.abs(d) < tiny ? tiny : d)
      c = 1 + numerator / c
      if (Math.abs(c) < tiny) c = tiny
      result *= c * d
    }
    if (Math.abs(c * d - 1) < 1e-15) break
  }
  return front * result
}

function quantile(p: number, cdf: (x: number) => number, density: (x: number) => number): number {
  if (!(p > 0 && p < 1)) return p === 0 ? -Infinity : p === 1 ? Infinity : NaN
  let low = -1
  let high = 1
  while (cdf(low) > p) low *= 2
  while (cdf(high) < p) high *= 2
  let x = (low + high) / 2
  for (let i = 0; i < 200; i++) {
    const error = cdf(x) - p
    if (error > 0) high = x
    else low = x
    const step = x - error / density(x)
    const next = step > low && step < high ? step : (low + high) / 2
    if (Math.abs(next - x) <= 1e-15 * Math.max(1, Math.abs(x))) return next
    x = next
  }
  return x
}
