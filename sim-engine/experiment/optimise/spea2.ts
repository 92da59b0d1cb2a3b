// SPEA2 (Zitzler, Laumanns, Thiele 2001): strength, density by the nearest neighbour, an archive cut back by the shortest distances.
import { children, even, first, knownPoints } from './genetic.ts'
import { dominance, nondominated } from './ranking.ts'
import { evaluated, generations, type Algorithm, type Solution } from './search.ts'

export const spea2: Algorithm = function* (space, settings, random) {
  const size = even(settings.populationSize)
  const members = yield* first(space, size, random)
  let { archive, fitness } = select(members, settings.archiveSize)
  const known = knownPoints(space, settings, members)
  for (let g = 1; g < generations(settings, size); g++) {
    const kept = archive
    const worth = fitness
    const points = children(
      space,
      settings,
      fill(kept, size),
      (a, b) => worth[a % kept.length]! < worth[b % kept.length]!,
      random,
      size,
      known,
    )
    const scored = yield* evaluated(points, kept, settings)
    ;({ archive, fitness } = select([...scored.made, ...scored.kept], settings.archiveSize))
  }
  return nondominated(archive)
}

/** `kept` over and over, so that as many children are made as the population is large. */
const fill = (kept: readonly Solution[], size: number): Solution[] => Array.from({ length: size }, (_, i) => kept[i % kept.length]!)

/** Those with fitness below 1 are dominated by none; filled up with the next best, or cut back where they are closest. */
function select(all: readonly Solution[], size: number): { archive: Solution[]; fitness: number[] } {
  const n = all.length
  const strength = new Int32Array(n)
  const order = Array.from({ length: n }, () => new Int8Array(n))
  for (let i = 0; i < n; i++) {
    for (let j = i + 1; j < n; j++) {
      const side = dominance(all[i]!, all[j]!)
      order[i]![j] = side
      order[j]![i] = -side
      if (side < 0) strength[i]!++
      else if (side > 0) strength[j]!++
    }
  }
  const distances = distancesOf(all)
  const fitness = all.map((_, i) => {
    let raw = 0
    let nearest = Infinity
    for (let j = 0; j < n; j++) {
      if (order[j]![i]! < 0) raw += strength[j]!
      if (j !== i && distances[i]![j]! < nearest) nearest = distances[i]![j]!
    }
    return raw + 1 / (2 + nearest)
  })
  let chosen = all.map((_, i) => i).filter(i => fitness[i]! < 1)
  if (chosen.length < size) {
    const rest = all.map((_, i) => i).filter(i => fitness[i]! >= 1)
    rest.sort((a, b) => fitness[a]! - fitness[b]! || a - b)
    chosen = [...chosen, ...rest.slice(0, size - chosen.length)]
  } else if (chosen.length > size) chosen = truncate(chosen, distances, size)
  return { archive: chosen.map(i => all[i]!), fitness: chosen.map(i => fitness[i]!) }
}

/** Removes, one by one, the point with the nearest neighbour (ties: the second nearest, and so on). */
function truncate(chosen: readonly number[], distances: readonly Float64Array[], size: number): number[] {
  const near = new Map(chosen.map(i => [i, chosen.filter(j => j !== i).sort((a, b) => distances[i]![a]! - distances[i]![b]! || a - b)]))
  while (near.size > size) {
    let doomed = -1
    for (const i of near.keys()) if (doomed < 0 || closer(i, doomed)) doomed = i
    near.delete(doomed)
    for (const list of near.values()) list.splice(list.indexOf(doomed), 1)
  }
  return [...near.keys()]

  function closer(a: number, b: number): boolean {
    const x = near.get(a)!
    const y = near.get(b)!
    for (let k = 0; k < x.length; k++) {
      const difference = distances[a]![x[k]!]! - distances[b]![y[k]!]!
      if (difference !== 0) return difference < 0
    }
    return false
  }
}

/** Distances between objectives, each in units of its extent. */
function distancesOf(all: readonly Solution[]): Float64Array[] {
  const n = all.length
  const count = all[0]?.objectives.length ?? 0
  const scale = Array.from({ length: count }, (_, k) => {
    const values = all.map(({ objectives }) => objectives[k]!).filter(Number.isFinite)
    const extent = Math.max(...values) - Math.min(...values)
    return extent > 0 ? 1 / extent : 1
  })
  const distances = Array.from({ length: n }, () => new Float64Array(n))
  for (let i = 0; i < n; i++) {
    for (let j = i + 1; j < n; j++) {
      let sum = 0
      for (let k = 0; k < count; k++) {
        const difference = (all[i]!.objectives[k]! - all[j]!.objectives[k]!) * scale[k]!
        sum += difference * difference
      }
      // Infinite objectives of failed runs are infinitely far from all, also from one another.
      const distance = Number.isNaN(sum) ? Infinity : Math.sqrt(sum)
      distances[i]![j] = distance
      distances[j]![i] = distance
    }
  }
  return distances
}
