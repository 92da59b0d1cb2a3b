// Comparison of solutions with several objectives: dominance with feasibility first, fronts, crowding (Deb et al. 2002).
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

/**
 * Rank (0 is best) and room of each, and the `size` best: whole fronts, of the last one those that are left when the most crowded one goes, again and
 * again. The rule of 2002 cuts by the crowding of the whole front at once: two close neighbours both go, and gaps are left.
 */
export function surviving<T extends Score>(all: readonly T[], size: number): { chosen: T[]; rank: Int32Array; crowd: Float64Array } {
  const chosen: T[] = []
  const rank = new Int32Array(size)
  const crowd = new Float64Array(size)
  fronts(all).forEach((front, r) => {
    if (chosen.length >= size) return
    const members = front.map(i => all[i]!)
    const { kept, room } = thinned(members, size - chosen.length)
    for (const i of kept) {
      rank[chosen.length] = r
      crowd[chosen.length] = room[i]!
      chosen.push(members[i]!)
    }
  })
  return { chosen, rank, crowd }
}

/** The most crowded of a front go one by one until `size` are left; `room` is how much those have by then. */
export function thinned(front: readonly Score[], size: number): { kept: number[]; room: Float64Array } {
  const room = roomOf(front)
  const kept = front.map((_, i) => i)
  while (kept.length > size) {
    let worst = 0
    for (let at = 1; at < kept.length; at++) if (room.of[kept[at]!]! < room.of[kept[worst]!]!) worst = at
    const [gone] = kept.splice(worst, 1)
    room.without(gone!)
  }
  return { kept, room: room.of }
}

type Room = { readonly of: Float64Array; /** What changes for the others when one goes. */ without(i: number): void }

const roomOf = (front: readonly Score[]): Room => ((front[0]?.objectives.length ?? 0) > 2 ? vicinity(front) : sides(front))

/** Crowding distances of a front that members leave. */
function sides(front: readonly Score[]): Room {
  const n = front.length
  const of = crowding(front)
  const axes = (front[0]?.objectives ?? []).map((_, k) => {
    const order = sorted(front, k)
    const before = new Int32Array(n).fill(-1)
    const after = new Int32Array(n).fill(-1)
    for (let at = 1; at < n; at++) {
      before[order[at]!] = order[at - 1]!
      after[order[at - 1]!] = order[at]!
    }
    const extent = n === 0 ? 0 : front[order[n - 1]!]!.objectives[k]! - front[order[0]!]!.objectives[k]!
    return { k, before, after, share: extent > 0 && extent < Infinity ? 1 / extent : 0 }
  })
  const measure = (i: number): number =>
    axes.reduce((sum, { k, before, after, share }) => {
      if (before[i]! < 0 || after[i]! < 0) return Infinity
      return share === 0 ? sum : sum + (front[after[i]!]!.objectives[k]! - front[before[i]!]!.objectives[k]!) * share
    }, 0)
  return {
    of,
    without(i) {
      const touched = axes.flatMap(({ before, after }) => {
        const left = before[i]!
        const right = after[i]!
        if (left >= 0) after[left] = right
        if (right >= 0) before[right] = left
        return [left, right]
      })
      for (const j of touched) if (j >= 0) of[j] = measure(j)
    },
  }
}

/**
 * With three objectives and more the order along each says little of who is near: the product of the distances to as many nearest neighbours as there
 * are objectives (Kukkonen and Deb 2006).
 */
function vicinity(front: readonly Score[]): Room {
  const n = front.length
  const width = front[0]!.objectives.length
  const flat = new Float64Array(n * width)
  const ends = new Set<number>()
  for (let k = 0; k < width; k++) {
    const order = sorted(front, k)
    const least = front[order[0]!]!.objectives[k]!
    const extent = front[order[n - 1]!]!.objectives[k]! - least
    ends.add(order[0]!).add(order[n - 1]!)
    if (extent > 0 && extent < Infinity) for (let i = 0; i < n; i++) flat[i * width + k] = (front[i]!.objectives[k]! - least) / extent
  }
  const apart = new Float64Array(n * n)
  for (let i = 0; i < n; i++) {
    for (let j = i + 1; j < n; j++) {
      let sum = 0
      for (let k = 0; k < width; k++) sum += (flat[i * width + k]! - flat[j * width + k]!) ** 2
      apart[i * n + j] = sum
      apart[j * n + i] = sum
    }
  }
  const gone = new Uint8Array(n)
  /** The nearest of each, the nearest first. */
  const near = new Int32Array(n * width).fill(-1)
  const of = new Float64Array(n)
  const measure = (i: number): void => {
    const own = i * width
    near.fill(-1, own, own + width)
    for (let j = 0; j < n; j++) {
      if (j === i || gone[j] === 1) continue
      const distance = apart[i * n + j]!
      let at = width
      while (at > 0 && (near[own + at - 1]! < 0 || apart[i * n + near[own + at - 1]!]! > distance)) at--
      if (at === width) continue
      near.copyWithin(own + at + 1, own + at, own + width - 1)
      near[own + at] = j
    }
    let product = ends.has(i) ? Infinity : 1
    for (let m = own; m < own + width; m++) if (near[m]! >= 0 && product < Infinity) product *= apart[i * n + near[m]!]!
    of[i] = product
  }
  for (let i = 0; i < n; i++) measure(i)
  return {
    of,
    without(i) {
      gone[i] = 1
      for (let j = 0; j < n; j++) if (gone[j] === 0 && near.subarray(j * width, (j + 1) * width).includes(i)) measure(j)
    },
  }
}

/** Indices of a front along an objective; order of indices decides ties. */
const sorted = (front: readonly Score[], k: number): number[] =>
  front.map((_, i) => i).sort((a, b) => compare(front[a]!.objectives[k]!, front[b]!.objectives[k]!) || a - b)

// Infinity - Infinity is no number.
const compare = (a: number, b: number): number => (a === b ? 0 : a - b)

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
