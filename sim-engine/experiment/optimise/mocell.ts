// MOCell (Nebro, Durillo, Luna, Dorronsoro, Alba 2009): parents live on a torus and meet their neighbours; an archive gives one of the two parents.
// A child takes its place as soon as it is known, so the next ones meet it; ten are made and evaluated at a time, so that they can be spread over workers
// (one by one the front is 0.1 % larger, a whole generation at once 0.8 % smaller).
import { below } from '../../kernel/random.ts'
import { first } from './genetic.ts'
import { crowding, CrowdingArchive, dominance, fronts } from './ranking.ts'
import { generations, solutionsOf, type Algorithm, type Solution } from './search.ts'
import { cross, mutate } from './variation.ts'

/** Members replaced by those of the archive after each generation. */
const feedback = 20
const batch = 10

export const mocell: Algorithm = function* (space, settings, random) {
  const side = Math.max(3, Math.round(Math.sqrt(settings.populationSize)))
  const size = side * side
  const members = yield* first(space, size, random)
  const archive = new CrowdingArchive<Solution>(settings.archiveSize)
  for (const member of members) archive.add(member)
  for (let g = 1; g < generations(settings, size); g++) {
    for (let from = 0; from < size; from += batch) {
      const cells = Array.from({ length: Math.min(batch, size - from) }, (_, k) => from + k)
      const points = cells.map(i => {
        const around = [i, ...neighbours(i, side)].map(j => members[j]!)
        const crowd = crowding(around)
        const a = below(random, around.length)
        const b = below(random, around.length)
        const order = dominance(around[a]!, around[b]!)
        const local = around[order < 0 || (order === 0 && crowd[a]! >= crowd[b]!) ? a : b]!.point
        const [child] = cross(space, [local, archive.leader(random).point], settings, random)
        return mutate(space, child, settings.mutationDistributionIndex, random)
      })
      solutionsOf(points, yield points).forEach((child, k) => {
        const i = cells[k]!
        archive.add(child)
        const order = dominance(child, members[i]!)
        const isBetter =
          order === 0
            ? hasMoreRoom(
                child,
                members[i]!,
                neighbours(i, side).map(j => members[j]!),
              )
            : order < 0
        if (isBetter) members[i] = child
      })
    }
    // What the archive knows comes back into the population.
    for (let k = 0; k < feedback; k++) members[below(random, size)] = archive.members[below(random, archive.members.length)]!
  }
  return archive.members
}

/** Of two of which neither is better: whether the child has the better front among the neighbours, or more room in it. */
function hasMoreRoom(child: Solution, member: Solution, others: readonly Solution[]): boolean {
  const around = [member, child, ...others]
  const front = fronts(around).find(one => one.includes(0) || one.includes(1)) ?? []
  if (!front.includes(0) || !front.includes(1)) return front.includes(1)
  const room = crowding(front.map(j => around[j]!))
  return room[front.indexOf(1)]! > room[front.indexOf(0)]!
}

function neighbours(i: number, side: number): number[] {
  const row = Math.floor(i / side)
  const column = i % side
  const found: number[] = []
  for (const dr of [-1, 0, 1])
    for (const dc of [-1, 0, 1]) if (dr !== 0 || dc !== 0) found.push(((row + dr + side) % side) * side + ((column + dc + side) % side))
  return found
}
