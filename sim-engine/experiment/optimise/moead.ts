// MOEA/D (Zhang and Li 2007; Li and Zhang 2009): one Tchebycheff problem a weight, neighbours help one another. Objectives are measured from the
// ideal point in units of the population's extent. Children are made and evaluated five at a time, so that they can be spread over workers: as good as
// one by one, where ten make the front of ZDT1 half a percent smaller.
import { below, shuffle, uniform53 } from '../../kernel/random.ts'
import { directions } from './directions.ts'
import { nondominated } from './ranking.ts'
import { generations, randomPoint, solutionsOf, type Algorithm, type Score, type Solution } from './search.ts'
import { differential, mutate } from './variation.ts'

/** How many neighbours a weight has, how likely parents are of them, and how many members one child may replace. */
const neighbourhood = 20
const nearby = 0.9
const replaced = 2
const batch = 5
/** How slowly the units follow an extent that shrinks: at once, a population that met in one point for a moment would never part again (ZDT2). */
const slowness = 0.95

export const moead: Algorithm = function* (space, settings, random) {
  const weights = directions(space.objectives, settings.populationSize)
  const size = weights.length
  const near = weights.map(a =>
    weights
      .map((b, j) => ({ j, d: a.reduce((sum, value, k) => sum + (value - b[k]!) ** 2, 0) }))
      .sort((x, y) => x.d - y.d || x.j - y.j)
      .slice(0, Math.min(neighbourhood, size))
      .map(({ j }) => j),
  )
  const everybody = weights.map((_, i) => i)
  const start = weights.map(() => randomPoint(space, random))
  const members: Solution[] = solutionsOf(start, yield start)
  const ideal = Array.from({ length: space.objectives }, () => Infinity)
  const look = ({ objectives }: Score): void => objectives.forEach((value, k) => (ideal[k] = Math.min(ideal[k]!, value)))
  members.forEach(look)
  const order = everybody.slice()
  let scale = ideal.map(() => 0)
  for (let g = 1; g < generations(settings, size); g++) {
    const now = extents(members, ideal)
    scale = scale.map((before, k) => Math.max(now[k]!, slowness * before))
    shuffle(random, order)
    for (let from = 0; from < size; from += batch) {
      const pools: (readonly number[])[] = []
      const points = order.slice(from, from + batch).map(i => {
        const pool = uniform53(random) < nearby ? near[i]! : everybody
        pools.push(pool)
        const a = members[pool[below(random, pool.length)]!]!.point
        const b = members[pool[below(random, pool.length)]!]!.point
        const { point } = members[i]!
        const child = differential(space, [point, point, a, b], settings.differentialRatio, 1, random)
        return mutate(space, child, settings.mutationDistributionIndex, random)
      })
      const made = solutionsOf(points, yield points)
      made.forEach(look)
      made.forEach((child, k) => {
        const open = [...pools[k]!]
        let left = replaced
        while (open.length > 0 && left > 0) {
          const [j] = open.splice(below(random, open.length), 1)
          if (!better(child, members[j!]!, weights[j!]!, ideal, scale)) continue
          members[j!] = child
          left--
        }
      })
    }
  }
  return nondominated(members)
}

function extents(members: readonly Solution[], ideal: readonly number[]): number[] {
  return ideal.map((least, k) => {
    const most = members.reduce((most, { objectives }) => (objectives[k]! < Infinity ? Math.max(most, objectives[k]!) : most), least)
    return most > least ? most - least : 1
  })
}

function better(a: Score, b: Score, weight: readonly number[], ideal: readonly number[], scale: readonly number[]): boolean {
  if (a.violation !== b.violation) return a.violation < b.violation
  return tchebycheff(a, weight, ideal, scale) < tchebycheff(b, weight, ideal, scale)
}

function tchebycheff({ objectives }: Score, weight: readonly number[], ideal: readonly number[], scale: readonly number[]): number {
  let worst = 0
  for (let k = 0; k < objectives.length; k++)
    worst = Math.max(worst, (Math.max(weight[k]!, 1e-4) * (objectives[k]! - ideal[k]!)) / scale[k]!)
  return worst
}
