// Genetic algorithms: NSGA-II (Deb, Pratap, Agarwal, Meyarivan 2002), its single-objective form with elitism, and random search to compare
// them with.
import { below, type Stream } from '../../kernel/random.ts'
import {
  batches,
  bestOf,
  compareSingle,
  evaluated,
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
  for (const count of batches(space, settings, size, 2)) {
    const better = (a: number, b: number): boolean => {
      const order = dominance(parents[a]!, parents[b]!)
      return order !== 0 ? order < 0 : rank[a] === rank[b] ? crowd[a]! > crowd[b]! : rank[a]! < rank[b]!
    }
    const points = children(space, settings, parents, better, random, count)
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
  for (let g = generations(settings, size); g > 1; g--) {
    const now = parents
    const points = children(space, settings, now, (a, b) => compareSingle(now[a]!, now[b]!) < 0, random)
    const { made, kept } = yield* evaluated(points, now, settings)
    parents = [...kept, ...made].sort(compareSingle).slice(0, size)
  }
  return bestOf(parents)
}

export const randomSearch: Algorithm = function* (space, { evaluations, maxIterations, populationSize }, random) {
  const batch = 64
  let best: Solution[] = []
  for (let left = Math.min(evaluations, maxIterations * populationSize); left > 0; left -= batch) {
    const points = Array.from({ length: Math.min(batch, left) }, () => randomPoint(space, random))
    best = nondominated([...best, ...solutionsOf(points, yield points)])
  }
  return best
}

/** A random first generation with its scores. */
export function* first(space: Space, size: number, random: Stream): Generator<Point[], Solution[], Parameters<typeof solutionsOf>[1]> {
  const points = Array.from({ length: size }, () => randomPoint(space, random))
  return solutionsOf(points, yield points)
}

/** Children, as many as parents when `count` isn't given, of parents that won a tournament of two. */
export function children(
  space: Space,
  settings: Settings,
  parents: readonly Solution[],
  better: (a: number, b: number) => boolean,
  random: Stream,
  count = parents.length,
): Point[] {
  const made: Point[] = []
  const winner = (): Point => {
    const a = below(random, parents.length)
    const b = below(random, parents.length)
    return parents[better(b, a) ? b : a]!.point
  }
  while (made.length < count) {
    for (const child of cross(space, [winner(), winner()], settings, random))
      if (made.length < count) made.push(mutate(space, child, settings.mutationDistributionIndex, random))
  }
  return made
}

export const even = (size: number): number => Math.max(4, size + (size % 2))
