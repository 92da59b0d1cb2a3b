// MOCell (Nebro, Durillo, Luna, Dorronsoro, Alba 2009): parents live on a torus and meet their neighbours; an archive gives one of the two parents.
// A whole generation is evaluated at once, so that it can be spread over workers.
import { below } from '../../kernel/random.ts'
import { first } from './genetic.ts'
import { crowding, CrowdingArchive, dominance, fronts } from './ranking.ts'
import { generations, solutionsOf, type Algorithm, type Solution } from './search.ts'
import { cross, mutate } from './variation.ts'

/** Members replaced by those of the archive after each generation. */
const feedback = 20

export const mocell: Algorithm = function* (space, settings, random) {
  const side = Math.max(3, Math.round(Math.sqrt(settings.populationSize)))
  const size = side * side
  const members = yield* first(space, size, random)
  const archive = new CrowdingArchive<Solution>(settings.archiveSize)
  for (const member of members) archive.add(member)
  for (let g = generations(settings, size); g > 1; g--) {
    const crowd = crowding(members)
    const points = members.map((_, i) => {
      const around = neighbours(i, side)
      const a = around[below(random, around.length)]!
      const b = around[below(random, around.length)]!
      const order = dominance(members[a]!, members[b]!)
      const local = members[order < 0 || (order === 0 && crowd[a]! >= crowd[b]!) ? a : b]!.point
      const [child] = cross(space, [local, archive.leader(random).point], settings, random)
      return mutate(space, child, settings.mutationDistributionIndex, random)
    })
    solutionsOf(points, yield points).forEach((child, i) => {
      const order = dominance(child, members[i]!)
      archive.add(child)
      if (order === 1) return
      if (order === -1) {
        members[i] = child
        return
      }
      // Neither is better: the neighbours tell which of the two has the better front, or more room in it.
      const around = [members[i]!, child, ...neighbours(i, side).map(j => members[j]!)]
      for (const front of fronts(around)) {
        if (!front.includes(0) && !front.includes(1)) continue
        const distance = crowding(front.map(j => around[j]!))
        const childIsBetter = !front.includes(0) || (front.includes(1) && distance[front.indexOf(1)]! > distance[front.indexOf(0)]!)
        if (childIsBetter) members[i] = child
        break
      }
    })
    // What the archive knows comes back into the population.
    for (let k = 0; k < feedback; k++) members[below(random, size)] = archive.members[below(random, archive.members.length)]!
  }
  return archive.members
}

function neighbours(i: number, side: number): number[] {
  const row = Math.floor(i / side)
  const column = i % side
  const found: number[] = []
  for (const dr of [-1, 0, 1])
    for (const dc of [-1, 0, 1]) if (dr !== 0 || dc !== 0) found.push(((row + dr + side) % side) * side + ((column + dc + side) % side))
  return found
}
