// Distributions, with NumPy's parameters, on one stream. Only exact methods built on our portable functions, so the
// same stream gives the same numbers everywhere. Sources are named at each.
import { RunError } from '../../problems.ts'
import { exp, log, log1p, pow } from '../../kernel/math.ts'
import type { Stream } from '../../kernel/random.ts'
import { below, shuffle as mix, uniform as draw, uniform53, uniformOpen } from '../../kernel/random.ts'
import { empty } from './collections.ts'
import { logGamma } from '../../kernel/gamma.ts'

const need = (holds: boolean, from: number, to: number): void => {
  if (!holds) throw new RunError(10020, [], from, to)
}
const probability = (p: number, from: number, to: number): void => {
  if (!(p >= 0 && p <= 1)) throw new RunError(10021, [], from, to)
}

export function random(s: Stream): number {
  return draw(s)
}
export function uniform(s: Stream, low: number, high: number): number {
  return low + (high - low) * draw(s)
}
export function randint(s: Stream, low: number, high: number | null, from: number, to: number): number {
  const start = high === null ? 0 : low
  const end = high === null ? low : high
  if (!Number.isInteger(start) || !Number.isInteger(end)) throw new RunError(10023, [], from, to)
  need(end > start, from, to)
  return start + below(s, end - start)
}
export function bernoulli(s: Stream, p: number, from: number, to: number): boolean {
  probability(p, from, to)
  return draw(s) < p
}

/** Marsaglia's polar method; the second of each pair is not kept, so that the state is the stream alone. */
function standardNormal(s: Stream): number {
  for (;;) {
    const u = 2 * uniform53(s) - 1
    const v = 2 * uniform53(s) - 1
    const r = u * u + v * v
    if (r > 0 && r < 1) return u * Math.sqrt((-2 * log(r)) / r)
  }
}
const standardExponential = (s: Stream): number => -log(uniformOpen(s))

export function normal(s: Stream, mean: number, std: number, from: number, to: number): number {
  need(std >= 0, from, to)
  return std === 0 ? mean : mean + std * standardNormal(s)
}
export function lognormal(s: Stream, mean: number, sigma: number, from: number, to: number): number {
  need(sigma >= 0, from, to)
  return exp(mean + sigma * standardNormal(s))
}
export function exponential(s: Stream, mean: number, from: number, to: number): number {
  need(mean >= 0, from, to)
  return mean * standardExponential(s)
}
/** Inverse of the distribution function. */
export function triangular(s: Stream, left: number, mode: number, right: number, from: number, to: number): number {
  need(left <= mode && mode <= right, from, to)
  if (left === right) return left
  const u = uniform53(s)
  const width = right - left
  return u <= (mode - left) / width ? left + Math.sqrt(u * width * (mode - left)) : right - Math.sqrt((1 - u) * width * (right - mode))
}
/** Marsaglia and Tsang, A simple method for generating gamma variables, ACM TOMS 26 (2000). */
function standardGamma(s: Stream, shape: number): number {
  if (shape === 0) return 0
  if (shape < 1) return standardGamma(s, shape + 1) * pow(uniformOpen(s), 1 / shape)
  const d = shape - 1 / 3
  const c = 1 / Math.sqrt(9 * d)
  for (;;) {
    const x = standardNormal(s)
    const t = 1 + c * x
    if (t <= 0) continue
    const v = t * t * t
    const u = uniformOpen(s)
    if (u < 1 - 0.0331 * x * x * x * x || log(u) < 0.5 * x * x + d * (1 - v + log(v))) return d * v
  }
}
export function gamma(s: Stream, shape: number, scale: number, from: number, to: number): number {
  need(shape >= 0 && scale >= 0, from, to)
  return scale * standardGamma(s, shape)
}
export function erlang(s: Stream, k: number, mean: number, from: number, to: number): number {
  need(Number.isInteger(k) && k > 0 && mean >= 0, from, to)
  return (mean / k) * standardGamma(s, k)
}
export function beta(s: Stream, a: number, b: number, from: number, to: number): number {
  need(a > 0 && b > 0, from, to)
  if (a <= 1 && b <= 1) {
    // Johnk's method: two tiny gammas could both underflow.
    for (;;) {
      const u = log(uniformOpen(s)) / a
      const v = log(uniformOpen(s)) / b
      const most = Math.max(u, v)
      const sum = most + log(exp(u - most) + exp(v - most))
      if (sum <= 0) return exp(u - sum)
    }
  }
  const x = standardGamma(s, a)
  return x / (x + standardGamma(s, b))
}
export function weibull(s: Stream, a: number, scale: number, from: number, to: number): number {
  need(a > 0 && scale >= 0, from, to)
  return scale * pow(standardExponential(s), 1 / a)
}
export function pareto(s: Stream, a: number, scale: number, from: number, to: number): number {
  need(a > 0 && scale >= 0, from, to)
  return scale * exp(standardExponential(s) / a)
}
export function poisson(s: Stream, mean: number, from: number, to: number): number {
  need(mean >= 0 && mean < 1e15, from, to)
  if (mean < 10) {
    // Products of uniforms (Knuth).
    const limit = exp(-mean)
    let n = 0
    for (let product = uniformOpen(s); product > limit; product *= uniformOpen(s)) n++
    return n
  }
  // PTRS: Hormann, The transformed rejection method for generating Poisson random variables (1993), as in NumPy.
  const root = Math.sqrt(mean)
  const b = 0.931 + 2.53 * root
  const a = -0.059 + 0.02483 * b
  const inverse = 1.1239 + 1.1328 / (b - 3.4)
  const vr = 0.9277 - 3.6224 / (b - 2)
  const logMean = log(mean)
  for (;;) {
    const u = uniformOpen(s) - 0.5
    const v = uniformOpen(s)
    const us = 0.5 - Math.abs(u)
    const k = Math.floor(((2 * a) / us + b) * u + mean + 0.43)
    if (us >= 0.07 && v <= vr) return k
    if (k < 0 || (us < 0.013 && v > us)) continue
    if (log(v) + log(inverse) - log(a / (us * us) + b) <= -mean + k * logMean - logGamma(k + 1)) return k
  }
}
export function binomial(s: Stream, n: number, p: number, from: number, to: number): number {
  need(Number.isInteger(n) && n >= 0, from, to)
  probability(p, from, to)
  if (p > 0.5) return n - fewSuccesses(s, n, 1 - p)
  return fewSuccesses(s, n, p)
}
/** Successes for p <= 1/2: inversion when few are expected, else BTRS (Hormann, JSCS 46, 1993). */
function fewSuccesses(s: Stream, n: number, p: number): number {
  if (n === 0 || p === 0) return 0
  if (n * p < 10) {
    // Waiting times between successes are geometric: as many steps as there are successes.
    const base = log1p(-p)
    let trials = 0
    for (let successes = 0; ; successes++) {
      trials += Math.floor(log(uniformOpen(s)) / base) + 1
      if (trials > n) return successes
    }
  }
  const q = 1 - p
  const spread = Math.sqrt(n * p * q)
  const b = 1.15 + 2.53 * spread
  const a = -0.0873 + 0.0248 * b + 0.01 * p
  const centre = n * p + 0.5
  const alpha = (2.83 + 5.1 / b) * spread
  const vr = 0.92 - 4.2 / b
  const odds = log(p / q)
  const peak = Math.floor((n + 1) * p)
  const h = logGamma(peak + 1) + logGamma(n - peak + 1)
  for (;;) {
    const u = uniformOpen(s) - 0.5
    const v = uniformOpen(s)
    const us = 0.5 - Math.abs(u)
    const k = Math.floor(((2 * a) / us + b) * u + centre)
    if (us >= 0.07 && v <= vr) return k
    if (k < 0 || k > n) continue
    if (log((v * alpha) / (a / (us * us) + b)) <= h - logGamma(k + 1) - logGamma(n - k + 1) + (k - peak) * odds) return k
  }
}
export function geometric(s: Stream, p: number, from: number, to: number): number {
  probability(p, from, to)
  need(p > 0, from, to)
  return p === 1 ? 1 : Math.floor(log(uniformOpen(s)) / log1p(-p)) + 1
}

export function choice<T>(s: Stream, items: ArrayLike<T>, from: number, to: number): T {
  if (items.length === 0) empty(from, to)
  return items[below(s, items.length)]!
}
/** Which of n things: the draw of `choice` alone. */
export function pick(s: Stream, n: number): number {
  return below(s, n)
}
function running(weights: readonly number[], from: number, to: number): number[] {
  let total = 0
  const sums = weights.map(weight => {
    need(weight >= 0, from, to)
    return (total += weight)
  })
  if (!(total > 0)) throw new RunError(10045, [], from, to)
  need(total < Infinity, from, to)
  return sums
}
/** The first index with a running total that exceeds `x`. */
function search(sums: readonly number[], x: number): number {
  let [low, high] = [0, sums.length - 1]
  while (low < high) {
    const middle = (low + high) >> 1
    if (sums[middle]! > x) high = middle
    else low = middle + 1
  }
  return low
}
const maxCount = 10_000_000

export function choices(
  s: Stream,
  items: readonly unknown[],
  weights: readonly number[] | null,
  k: number,
  from: number,
  to: number,
): unknown[] {
  if (!Number.isInteger(k)) throw new RunError(10023, [], from, to)
  need(k >= 0 && k <= maxCount, from, to)
  if (k > 0 && items.length === 0) empty(from, to)
  if (weights === null) return Array.from({ length: k }, () => items[below(s, items.length)])
  if (weights.length !== items.length) throw new RunError(10027, [], from, to)
  const sums = running(weights, from, to)
  return Array.from({ length: k }, () => items[search(sums, uniform53(s) * sums.at(-1)!)])
}
export function empirical(s: Stream, values: readonly unknown[], weights: readonly number[] | null, from: number, to: number): unknown {
  return choices(s, values, weights, 1, from, to)[0]
}
/** Floyd's algorithm chooses, a shuffle orders: k draws for the choice, whatever the length. */
export function sample(s: Stream, items: readonly unknown[], k: number, from: number, to: number): unknown[] {
  if (!Number.isInteger(k)) throw new RunError(10023, [], from, to)
  need(k >= 0, from, to)
  if (k > items.length) throw new RunError(10028, [], from, to)
  const chosen = new Set<number>()
  for (let j = items.length - k; j < items.length; j++) {
    const place = below(s, j + 1)
    chosen.add(chosen.has(place) ? j : place)
  }
  const picked = Array.from(chosen, place => items[place])
  mix(s, picked)
  return picked
}
export function shuffled(s: Stream, items: readonly unknown[]): unknown[] {
  const made = [...items]
  mix(s, made)
  return made
}
export function shuffle(s: Stream, list: unknown[]): null {
  mix(s, list)
  return null
}
