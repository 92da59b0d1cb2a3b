// Designs: which points of a space are run. Each gives the points in an order that depends on nothing but its arguments.
import { below, shuffle, uniform53, type Stream } from '../../kernel/random.ts'
import { highOf, lowOf, spreadPoints, valueAt, type Domain, type Point, type Space } from '../optimise/search.ts'
import { sobol, sobolDimensions } from './sobol.ts'

/** Every combination: all values of whole numbers and choices (`levels` of them when there are more), `levels` evenly spread reals. The last coordinate changes fastest. */
export function factorial({ domains }: Space, levels: number): Point[] {
  return combinations(domains.map(domain => valuesOf(domain, levels)))
}

/** How many points `factorial` has, without making them. */
export const factorialCount = ({ domains }: Space, levels: number): number =>
  domains.reduce((count, domain) => count * valuesOf(domain, levels).length, 1)

function valuesOf(domain: Domain, levels: number): number[] {
  const low = lowOf(domain)
  const high = highOf(domain)
  const many = domain.as === 'real' ? (high > low ? levels : 1) : high - low + 1
  if (domain.as === 'choice' || (domain.as === 'integer' && many <= levels)) return Array.from({ length: many }, (_, i) => low + i)
  if (many === 1) return [low]
  const values = Array.from({ length: levels }, (_, i) => low + (i / (levels - 1)) * (high - low))
  return domain.as === 'real' ? values : [...new Set(values.map(Math.round))]
}

function combinations(axes: readonly (readonly number[])[]): Point[] {
  let points: number[][] = [[]]
  for (const axis of axes) points = points.flatMap(point => axis.map(value => [...point, value]))
  return points.map(point => Float64Array.from(point))
}

/**
 * Two levels a coordinate in 2^m runs, the fewest that keep main effects clear of two-factor interactions (resolution IV; Box and Hunter 1961):
 * further coordinates follow the products of an odd number of the first m.
 */
export function fractionalFactorial({ domains }: Space): Point[] {
  const k = domains.length
  let base = 1
  while (base < k && 2 ** (base - 1) < k) base++
  // Columns as bit sets over the base coordinates, each of an odd number of them: single ones first.
  const columns = Array.from({ length: 2 ** base - 1 }, (_, i) => i + 1)
    .filter(set => ones(set) % 2 === 1)
    .sort((a, b) => ones(a) - ones(b) || a - b)
  return Array.from({ length: 2 ** Math.min(base, k) }, (_, run) =>
    Float64Array.from(domains, (domain, c) => (ones(run & columns[c]!) % 2 === 1 ? highOf(domain) : lowOf(domain))),
  )
}

function ones(set: number): number {
  let count = 0
  for (let left = set; left > 0; left &= left - 1) count++
  return count
}

/**
 * One point in each of `count` equal parts of every axis; of several such designs the one with the largest distance between its nearest points
 * (maximin).
 */
export function latinHypercube(space: Space, count: number, random: Stream): Point[] {
  // The search for a good one costs count^2 each: a few for large designs, more for small ones.
  const tries = Math.max(1, Math.min(50, Math.floor(2_000_000 / (count * count * space.domains.length))))
  let best: Point[] = []
  let farthest = -1
  for (let i = 0; i < tries; i++) {
    const points = spreadPoints(space, count, random)
    const apart = tries === 1 ? 0 : nearest(space, points)
    if (apart <= farthest) continue
    farthest = apart
    best = points
  }
  return best
}

/** The least squared distance between two points, each coordinate in units of its range. */
function nearest(space: Space, points: readonly Point[]): number {
  const scale = space.domains.map(domain => 1 / Math.max(highOf(domain) - lowOf(domain), 1e-300))
  let least = Infinity
  for (let i = 0; i < points.length; i++) {
    for (let j = 0; j < i; j++) {
      let sum = 0
      for (let k = 0; k < scale.length; k++) sum += ((points[i]![k]! - points[j]![k]!) * scale[k]!) ** 2
      if (sum < least) least = sum
    }
  }
  return least
}

/** A scrambled Sobol sequence; coordinates beyond those it has are those of a Latin hypercube. */
export function lowDiscrepancy(space: Space, count: number, random: Stream): Point[] {
  return shares(count, space.domains.length, random).map(share =>
    Float64Array.from(space.domains, (domain, k) => valueAt(domain, share[k]!)),
  )
}

/** `count` points in [0, 1)^dimensions. */
export function shares(count: number, dimensions: number, random: Stream): Float64Array[] {
  const known = Math.min(dimensions, sobolDimensions)
  const points = sobol(count, known, random)
  if (known === dimensions) return points
  const rest = spreadPoints(
    { domains: Array.from({ length: dimensions - known }, () => ({ as: 'real', low: 0, high: 1 })), objectives: 1 },
    count,
    random,
  )
  return points.map((point, i) => Float64Array.from([...point, ...rest[i]!]))
}

/** A path of Morris: points of which each differs from the one before in one coordinate, by `delta` of its range. */
export type MorrisPath = {
  points: Float64Array[]
  /** The coordinate changed on the way to points[i + 1]. */ order: number[]
  steps: number[]
}

/** Paths over a grid of `levels` (Morris 1991), delta = levels / (2 (levels - 1)). Points are shares of each range. */
export function morrisPaths(dimensions: number, levels: number, count: number, random: Stream): MorrisPath[] {
  const p = levels + (levels % 2)
  const delta = p / (2 * (p - 1))
  return Array.from({ length: count }, () => {
    const start = Float64Array.from({ length: dimensions }, () => below(random, p) / (p - 1))
    const order = Array.from({ length: dimensions }, (_, k) => k)
    shuffle(random, order)
    const points = [start]
    const steps: number[] = []
    for (const k of order) {
      const next = points.at(-1)!.slice()
      const up = next[k]! + delta <= 1 + 1e-12
      const down = next[k]! - delta >= -1e-12
      const step = up && down ? (uniform53(random) < 0.5 ? delta : -delta) : up ? delta : -delta
      next[k] = Math.min(1, Math.max(0, next[k]! + step))
      steps.push(step)
      points.push(next)
    }
    return { points, order, steps }
  })
}
