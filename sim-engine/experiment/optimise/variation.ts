// How points are made from points: simulated binary crossover and polynomial mutation (Deb and Agrawal 1995) for numbers, uniform exchange and
// random reset for choices, differences of points (Storn and Price 1997). Whole numbers are varied as reals and rounded.
import { pow } from '../../kernel/math.ts'
import { below, uniform53, type Stream } from '../../kernel/random.ts'
import { fit, highOf, lowOf, type Point, type Space } from './search.ts'

/** Two children of two parents. */
export function cross(
  { domains }: Space,
  [a, b]: readonly [Point, Point],
  { crossoverProbability, crossoverDistributionIndex: eta }: { crossoverProbability: number; crossoverDistributionIndex: number },
  random: Stream,
): [Point, Point] {
  const c = a.slice()
  const d = b.slice()
  if (uniform53(random) >= crossoverProbability) return [c, d]
  for (let k = 0; k < domains.length; k++) {
    const domain = domains[k]!
    if (uniform53(random) >= 0.5) continue
    if (domain.as === 'choice') {
      c[k] = b[k]!
      d[k] = a[k]!
      continue
    }
    const least = Math.min(a[k]!, b[k]!)
    const greatest = Math.max(a[k]!, b[k]!)
    const apart = greatest - least
    if (apart <= 1e-14) continue
    const width = spread(uniform53(random), eta) * apart
    const first = 0.5 * (least + greatest - width)
    const second = 0.5 * (least + greatest + width)
    // Without this exchange children keep the side of their parents, and the search gets stuck.
    const swap = uniform53(random) < 0.5
    c[k] = fit(domain, swap ? second : first)
    d[k] = fit(domain, swap ? first : second)
  }
  return [c, d]
}

/**
 * How far children lie apart, as a multiple of their parents' distance. What falls outside the bounds is put on them, as the paper and PlatEMO have it:
 * optima often lie there, and the form that squeezes the spread between the bounds comes near them only (ZDT6 .391 instead of .400).
 */
const spread = (u: number, eta: number): number => (u <= 0.5 ? pow(2 * u, 1 / (eta + 1)) : pow(1 / (2 * (1 - u)), 1 / (eta + 1)))

/** Changes each coordinate of `point` with the probability (default: one in all). */
export function mutate({ domains }: Space, point: Point, eta: number, random: Stream, probability = 1 / domains.length): Point {
  for (let k = 0; k < domains.length; k++) {
    const domain = domains[k]!
    if (uniform53(random) >= probability) continue
    if (domain.as === 'choice') {
      point[k] = below(random, domain.count)
      continue
    }
    const range = domain.high - domain.low
    if (!(range > 0)) continue
    const u = uniform53(random)
    const value = point[k]!
    const delta =
      u <= 0.5
        ? pow(2 * u + (1 - 2 * u) * pow(1 - (value - domain.low) / range, eta + 1), 1 / (eta + 1)) - 1
        : 1 - pow(2 * (1 - u) + 2 * (u - 0.5) * pow(1 - (domain.high - value) / range, eta + 1), 1 / (eta + 1))
    const moved = fit(domain, value + delta * range)
    // A whole number that would round back takes the neighbouring value: else wide distribution indices never move it.
    point[k] = domain.as === 'integer' && moved === value ? fit(domain, value + (u <= 0.5 ? -1 : 1)) : moved
  }
  return point
}

/** base + weight (a - b), taken coordinate by coordinate with probability `rate` (at least one), else from `target`. */
export function differential(
  { domains }: Space,
  [target, base, a, b]: readonly [Point, Point, Point, Point],
  weight: number,
  rate: number,
  random: Stream,
): Point {
  const child = target.slice()
  const sure = below(random, domains.length)
  for (let k = 0; k < domains.length; k++) {
    if (uniform53(random) >= rate && k !== sure) continue
    const domain = domains[k]!
    if (domain.as === 'choice') {
      child[k] = a[k] === b[k] ? base[k]! : (uniform53(random) < weight ? a : base)[k]!
      continue
    }
    child[k] = fit(domain, base[k]! + weight * (a[k]! - b[k]!))
  }
  return child
}

/** The width of a coordinate's range. */
export const extent = ({ domains }: Space, k: number): number => highOf(domains[k]!) - lowOf(domains[k]!)

/** Two different numbers below `n` that are not `i` either (for n > 2). */
export function twoOthers(random: Stream, n: number, i: number): [number, number] {
  const a = other(random, n, [i])
  return [a, other(random, n, [i, a])]
}

/** A number below `n` other than these, if there is one. */
export function other(random: Stream, n: number, not: readonly number[]): number {
  if (n <= not.length) return below(random, n)
  let found = below(random, n)
  while (not.includes(found)) found = below(random, n)
  return found
}
