// Who is better among solutions with several objectives: dominance with feasibility first, fronts, crowding (Deb et al. 2002).
import { below, type Stream } from '../../kernel/random.ts'
import type { Score } from './search.ts'

/** -1: a dominates b, 1: b dominates a, 0: neither. Feasible beats infeasible; of two infeasible ones the less violating. */
export function dominance(a: Score, b: Score): -1 | 0 | 1 {
  if (a.violation !== b.violation) return a.violation < b.violation ? -1 : 1
  let better = false
  let worse = false
  const x = a.objectives
  const y = b.objectives
  for (let k = 0; k < x.length; k++) {
    if (x[k]! < y[k]!) better = true
    else if (x[k]! > y[k]!) worse = true
    if (better && worse) return 0
  }
  return better ? -1 : worse ? 1 : 0
}

/** The solutions that no other dominates; of equal ones all. */
export function nondominated<T extends Score>(all: readonly T[]): T[] {
  const front: T[] = []
  for (const one of all) {
    let beaten = false
    let kept = 0
    for (const other of front) {
      const order = beaten ? 0 : dominance(one, other)
      if (order === 1) beaten = true
      if (order !== -1) front[kept++] = other
    }
    front.length = kept
    if (!beaten) front.push(one)
  }
  return front
}

/** Fronts from the best on, as indices into `all`. */
export function fronts(all: readonly Score[]): number[][] {
  const n = all.length
  const beats: number[][] = all.map(() => [])
  const beatenBy = new Int32Array(n)
  for (let i = 0; i < n; i++) {
    for (let j = i + 1; j < n; j++) {
      const order = dominance(all[i]!, all[j]!)
      if (order === -1) {
        beats[i]!.push(j)
        beatenBy[j]!++
      } else if (order === 1) {
        beats[j]!.push(i)
        beatenBy[i]!++
      }
    }
  }
  const found: number[][] = []
  let front: number[] = []
  for (let i = 0; i < n; i++) if (beatenBy[i] === 0) front.push(i)
  while (front.length > 0) {
    found.push(front)
    const next: number[] = []
    for (const i of front) for (const j of beats[i]!) if (--beatenBy[j]! === 0) next.push(j)
    front = next.sort((a, b) => a - b)
  }
  return found
}

/** Crowding distance of each: the half perimeter to its neighbours, in units of the front's extent; Infinity at the ends. */
export function crowding(front: readonly Score[]): Float64Array {
  const n = front.length
  const distance = new Float64Array(n)
  if (n <= 2) return distance.fill(Infinity)
  const order = front.map((_, i) => i)
  for (let k = 0; k < front[0]!.objectives.length; k++) {
    order.sort((a, b) => front[a]!.objectives[k]! - front[b]!.objectives[k]! || a - b)
    const least = front[order[0]!]!.objectives[k]!
    const extent = front[order[n - 1]!]!.objectives[k]! - least
    distance[order[0]!] = Infinity
    distance[order[n - 1]!] = Infinity
    if (!(extent > 0 && extent < Infinity)) continue
    for (let i = 1; i < n - 1; i++)
      distance[order[i]!]! += (front[order[i + 1]!]!.objectives[k]! - front[order[i - 1]!]!.objectives[k]!) / extent
  }
  return distance
}

/** The one with more room comes first; order of indices decides ties. */
export const byRoom = (distance: Float64Array, a: number, b: number): number => {
  const x = distance[a]!
  const y = distance[b]!
  // Infinity - Infinity is no number.
  return x === y ? a - b : y - x
}

/** Rank (0 is best) and crowding of each, and the `size` best: whole fronts, the last one by crowding. */
export function surviving<T extends Score>(all: readonly T[], size: number): { chosen: T[]; rank: Int32Array; crowd: Float64Array } {
  const chosen: T[] = []
  const rank = new Int32Array(size)
  const crowd = new Float64Array(size)
  fronts(all).forEach((front, r) => {
    if (chosen.length >= size) return
    const members = front.map(i => all[i]!)
    const distance = crowding(members)
    const order = members.map((_, i) => i)
    if (chosen.length + order.length > size) order.sort((a, b) => byRoom(distance, a, b))
    for (const i of order.slice(0, size - chosen.length)) {
      rank[chosen.length] = r
      crowd[chosen.length] = distance[i]!
      chosen.push(members[i]!)
    }
  })
  return { chosen, rank, crowd }
}

/** Keeps at most `size` solutions that no other dominates; the most crowded one makes room. */
export class CrowdingArchive<T extends Score> {
  readonly size: number
  members: T[] = []
  crowd: Float64Array = new Float64Array(0)

  constructor(size: number) {
    this.size = size
  }

  /** The less crowded of two members. There must be one. */
  leader(random: Stream): T {
    const a = below(random, this.members.length)
    const b = below(random, this.members.length)
    return this.members[this.crowd[a]! > this.crowd[b]! ? a : b]!
  }

  /** Whether it was taken in. Equal objectives are kept once. */
  add(one: T): boolean {
    const kept: T[] = []
    for (const member of this.members) {
      const order = dominance(one, member)
      if (order === 1 || (order === 0 && equal(one, member))) return false
      if (order === 0) kept.push(member)
    }
    kept.push(one)
    this.members = kept
    this.crowd = crowding(kept)
    if (kept.length <= this.size) return true
    let worst = 0
    for (let i = 1; i < kept.length; i++) if (this.crowd[i]! < this.crowd[worst]!) worst = i
    kept.splice(worst, 1)
    this.crowd = crowding(kept)
    return worst !== kept.length
  }
}

const equal = (a: Score, b: Score): boolean => a.objectives.every((value, k) => value === b.objectives[k])
