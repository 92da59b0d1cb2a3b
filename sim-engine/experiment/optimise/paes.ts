// PAES (Knowles and Corne 2000), the (1+1) form: one point, its mutants, and an archive that prefers thinly settled parts of a grid.
import { nondominated, dominance } from './ranking.ts'
import { evaluationsIn, randomPoint, solutionsOf, type Algorithm, type Solution } from './search.ts'
import { mutate } from './variation.ts'

export const paes: Algorithm = function* (space, settings, random) {
  const start = [randomPoint(space, random)]
  let [now] = solutionsOf(start, yield start)
  const archive = new GridArchive(settings.archiveSize, settings.biSections)
  archive.add(now!)
  for (let made = 1; made < evaluationsIn(settings); made++) {
    const points = [mutate(space, now!.point.slice(), settings.mutationDistributionIndex, random)]
    const [child] = solutionsOf(points, yield points)
    const order = dominance(now!, child!)
    if (order === -1) continue
    const taken = archive.add(child!)
    if (order === 1 || (taken && archive.settlers(child!) <= archive.settlers(now!))) now = child
  }
  return nondominated(archive.members)
}

/** At most `size` solutions; the objectives' extents are halved `biSections` times into the cells of a grid. */
class GridArchive {
  readonly members: Solution[] = []
  readonly #size: number
  readonly #divisions: number
  #low: number[] = []
  #width: number[] = []
  #counts = new Map<number, number>()

  constructor(size: number, biSections: number) {
    this.#size = size
    this.#divisions = 2 ** biSections
  }

  /** How many members share the cell of a solution. */
  settlers(one: Solution): number {
    return this.#counts.get(this.#cell(one)) ?? 0
  }

  /** Whether it was taken in. When full, a member of the most crowded cell makes room, unless that is the newcomer's own. */
  add(one: Solution): boolean {
    for (let i = this.members.length - 1; i >= 0; i--) {
      const member = this.members[i]!
      const order = dominance(one, member)
      if (order === 1 || member.objectives.every((value, k) => value === one.objectives[k])) return false
      if (order === -1) this.members.splice(i, 1)
    }
    this.members.push(one)
    this.#settle()
    if (this.members.length <= this.#size) return true
    const most = Math.max(...this.#counts.values())
    if (this.settlers(one) === most) {
      this.members.pop()
      this.#settle()
      return false
    }
    this.members.splice(
      this.members.findIndex(member => this.settlers(member) === most),
      1,
    )
    this.#settle()
    return true
  }

  #settle(): void {
    const count = this.members[0]?.objectives.length ?? 0
    this.#low = []
    this.#width = []
    for (let k = 0; k < count; k++) {
      const values = this.members.map(({ objectives }) => objectives[k]!)
      const low = Math.min(...values)
      const extent = Math.max(...values) - low
      this.#low.push(low)
      this.#width.push(extent > 0 ? extent / this.#divisions : 1)
    }
    this.#counts = new Map()
    for (const member of this.members) {
      const cell = this.#cell(member)
      this.#counts.set(cell, (this.#counts.get(cell) ?? 0) + 1)
    }
  }

  #cell({ objectives }: Solution): number {
    let cell = 0
    for (let k = 0; k < objectives.length; k++) {
      const at = Math.floor((objectives[k]! - this.#low[k]!) / this.#width[k]!)
      cell = cell * (this.#divisions + 2) + Math.max(-1, Math.min(this.#divisions, Number.isNaN(at) ? this.#divisions : at)) + 1
    }
    return cell
  }
}
