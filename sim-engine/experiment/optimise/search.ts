// What a search is: a generator that asks for points to be evaluated and receives their scores, batch by batch. It draws only from the stream it
// is given and never reads a clock, so the same scores give the same search: to resume one, start it again and pass it the known scores.
import type { AlgorithmSettings } from '../../../model-schema/experiment.ts'
import { shuffle, uniform53, type Stream } from '../../kernel/random.ts'

/** The values one coordinate may take. `choice`: whole numbers below `count` without an order. */
export type Domain =
  | { readonly as: 'real'; readonly low: number; readonly high: number }
  | { readonly as: 'integer'; readonly low: number; readonly high: number }
  | { readonly as: 'choice'; readonly count: number }

/** One value for each domain of a space. */
export type Point = Float64Array

export type Space = { readonly domains: readonly Domain[]; /** How many objectives there are. */ readonly objectives: number }

export type Score = {
  /** All to be made small. A point without a run that succeeded scores Infinity. */
  readonly objectives: readonly number[]
  /** Summed, normalised violation of all constraints; 0 = feasible. */
  readonly violation: number
}

export type Solution = Score & { readonly point: Point }

/**
 * Settings of the algorithm, and how many evaluations it may ask for in all. That may grow during the search, as points that were asked for
 * before or may not be run cost nothing: searches read it again for each batch. `reassess`: scores are noisy, and a point that is asked for
 * again gets a better one.
 */
export type Settings = AlgorithmSettings & { readonly evaluations: number; readonly reassess?: boolean }

/** Yields batches of points, is given their scores in the same order, returns what it holds for the best. */
type Search = Generator<readonly Point[], readonly Solution[], readonly Score[]>

export type Algorithm = (space: Space, settings: Settings, random: Stream) => Search

/** Least and greatest value of a coordinate. */
export const lowOf = (domain: Domain): number => (domain.as === 'choice' ? 0 : domain.low)
export const highOf = (domain: Domain): number => (domain.as === 'choice' ? domain.count - 1 : domain.high)

/** The nearest value that the domain has. */
export function fit(domain: Domain, value: number): number {
  const low = lowOf(domain)
  const high = highOf(domain)
  const within = value > low ? Math.min(value, high) : low
  return domain.as === 'real' ? within : Math.round(within)
}

/** The value at `share` (0 .. 1) of a domain; whole numbers have equal parts of it. */
export function valueAt(domain: Domain, share: number): number {
  const low = lowOf(domain)
  const high = highOf(domain)
  return domain.as === 'real' ? low + share * (high - low) : Math.min(low + Math.floor(share * (high - low + 1)), high)
}

export const randomPoint = ({ domains }: Space, random: Stream): Point =>
  Float64Array.from(domains, domain => valueAt(domain, uniform53(random)))

/** As many random points, one in each of `count` equal parts of every axis (a Latin hypercube). */
export function spreadPoints({ domains }: Space, count: number, random: Stream): Point[] {
  const points = Array.from({ length: count }, () => new Float64Array(domains.length))
  domains.forEach((domain, k) => {
    const order = Array.from({ length: count }, (_, i) => i)
    shuffle(random, order)
    points.forEach((point, i) => (point[k] = valueAt(domain, (order[i]! + uniform53(random)) / count)))
  })
  return points
}

/** Points and their scores as solutions. */
export const solutionsOf = (points: readonly Point[], scores: readonly Score[]): Solution[] =>
  points.map((point, i) => ({ point, objectives: scores[i]!.objectives, violation: scores[i]!.violation }))

/** Has new points evaluated, and with `reassess` also the members of the population, so that none survives by one lucky score. */
export function* evaluated(
  points: readonly Point[],
  members: readonly Solution[],
  { reassess }: Settings,
): Generator<readonly Point[], { made: Solution[]; kept: readonly Solution[] }, readonly Score[]> {
  const asked = reassess === true ? [...points, ...members.map(({ point }) => point)] : points
  const all = solutionsOf(asked, yield asked)
  return { made: all.slice(0, points.length), kept: reassess === true ? all.slice(points.length) : members }
}

/** How many evaluations a search that asks for single points may make in all. */
export const evaluationsIn = ({ evaluations, maxIterations, populationSize }: Settings): number =>
  Math.min(evaluations, maxIterations * populationSize)

/** How many generations of `size` fit in the budget, the first one included. */
export const generations = ({ evaluations, maxIterations }: Settings, size: number): number =>
  Math.max(1, Math.min(maxIterations, Math.floor(evaluations / size)))

/**
 * How many children each batch after the first generation has. A generation comes in `parts`, so that those of a later part have parents from the one
 * before (Durillo, Nebro, Luna, Alba 2009 go as far as one by one): fronts get closer and more even. Whole where a batch costs more than its children,
 * or has no front to spread.
 */
export function* batches({ objectives }: Space, settings: Settings, size: number, parts: number): Generator<number, void> {
  const shares = settings.reassess === true || objectives === 1 ? 1 : parts
  const from = (part: number): number => Math.floor((part * size) / shares)
  for (let g = 1; g < generations(settings, size); g++) for (let part = 0; part < shares; part++) yield from(part + 1) - from(part)
}

/** The better of two for a single objective: feasibility first, then the objective. Negative when `a` is better. */
export const compareSingle = (a: Score, b: Score): number =>
  a.violation !== b.violation ? a.violation - b.violation : difference(a.objectives[0]!, b.objectives[0]!)

// Infinity - Infinity is no number.
const difference = (a: number, b: number): number => (a === b ? 0 : a - b)

export const bestOf = (solutions: readonly Solution[]): Solution[] =>
  solutions.length === 0 ? [] : [solutions.reduce((best, one) => (compareSingle(one, best) < 0 ? one : best))]
