// Genetic algorithms: NSGA-II (Deb, Pratap, Agarwal, Meyarivan 2002), its single-objective form with elitism, and random search to compare
// them with.
import { below, type Stream } from '../../kernel/random.ts'
import {
  batches,
  bestOf,
  compareSingle,
  evaluated,
  evaluationsIn,
  generations,
  randomPoint,
  solutionsOf,
  type Algorithm,
  type Point,
  type Settings,
  type Solution,
  type Space,
} from './search.ts'
import { dominance, nondominated, surviving } from './ranking.ts'
import { cross, mutate } from './variation.ts'

export const nsga2: Algorithm = function* (space, settings, random) {
  const size = even(settings.populationSize)
  let parents = yield* first(space, size, random)
  let { rank, crowd } = surviving(parents, size)
  const known = knownPoints(space, settings, parents)
  for (const count of batches(space, settings, size, 2)) {
    const better = (a: number, b: number): boolean => {
      const order = dominance(parents[a]!, parents[b]!)
      return order !== 0 ? order < 0 : rank[a] === rank[b] ? crowd[a]! > crowd[b]! : rank[a]! < rank[b]!
    }
    const points = children(space, settings, parents, better, random, count, known)
    const { made, kept } = yield* evaluated(points, parents, settings)
    const next = surviving([...kept, ...made], size)
    parents = next.chosen
    rank = next.rank
    crowd = next.crowd
  }
  return nondominated(parents)
}

export const ga: Algorithm = function* (space, settings, random) {
  const size = even(settings.populationSize)
  let parents = yield* first(space, size, random)
  const known = knownPoints(space, settings, parents)
  for (let g = 1; g < generations(settings, size); g++) {
    const now = parents
    const points = children(space, settings, now, (a, b) => compareSingle(now[a]!, now[b]!) < 0, random, size, known)
    const { made, kept } = yield* evaluated(points, now, settings)
    parents = [...kept, ...made].sort(compareSingle).slice(0, size)
  }
  return bestOf(parents)
}

export const randomSearch: Algorithm = function* (space, settings, random) {
  const batch = 64
  let best: Solution[] = []
  for (let made = 0; made < evaluationsIn(settings); made += batch) {
    const points = Array.from({ length: Math.min(batch, evaluationsIn(settings) - made) }, () => randomPoint(space, random))
    best = nondominated([...best, ...solutionsOf(points, yield points)])
  }
  return best
}

/** A random first generation with its scores. */
export function* first(space: Space, size: number, random: Stream): Generator<Point[], Solution[], Parameters<typeof solutionsOf>[1]> {
  const points = Array.from({ length: size }, () => randomPoint(space, random))
  return solutionsOf(points, yield points)
}

/**
 * Points that were asked for before, where children are to be others: in a space of whole numbers and choices a search would soon ask for nothing new
 * (pymoo does the same). Null where all are real, as two are hardly ever equal there, and where points are asked for again on purpose.
 */
export const knownPoints = ({ domains }: Space, { reassess }: Settings, start: readonly Solution[]): Set<string> | null =>
  reassess === true || domains.every(({ as }) => as === 'real') ? null : new Set(start.map(({ point }) => point.join()))

/** How often parents are crossed for a child that is not known yet. */
const attempts = 20

/** Children, as many as parents when `count` isn't given, of parents that won a tournament of two; none of those in `known`, which they are added to. */
export function children(
  space: Space,
  settings: Settings,
  parents: readonly Solution[],
  better: (a: number, b: number) => boolean,
  random: Stream,
  count = parents.length,
  known: Set<string> | null = null,
): Point[] {
  const made: Point[] = []
  const winner = (): Point => {
    const a = below(random, parents.length)
    const b = below(random, parents.length)
    return parents[better(b, a) ? b : a]!.point
  }
  const take = (point: Point): void => {
    if (made.length >= count) return
    made.push(point)
    known?.add(point.join())
  }
  let tries = 0
  while (made.length < count) {
    tries++
    for (const child of cross(space, [winner(), winner()], settings, random)) {
      const point = mutate(space, child, settings.mutationDistributionIndex, random)
      if (known === null || !known.has(point.join())) take(point)
    }
    // The space may be used up, or nearly so.
    if (tries >= attempts * count) take(randomPoint(space, random))
  }
  return made
}

export const even = (size: number): number => Math.max(4, size + (size % 2))
