// Tokens that have come to joins, by process instance (its first token) and step: tables of numbers, so that the module of
// run/fast/fast-processes.ts adds to them where they stand (runtime/joins.ts). Rows are linked by their numbers; -1 ends a list.
import { intsOf } from '../../kernel/snapshot.ts'
import type { Tokens } from './tokens.ts'

/** Columns of a gathering's row. */
const [root, step, firstArrival, lastArrival, number, nextOfRoot, previous, next] = [0, 1, 2, 3, 4, 5, 6, 7]
/** Columns of an arrival's row; the token is -1 where it was swallowed. */
const [token, flow, nextArrival] = [0, 1, 2]

export class Gatherings {
  // The members below are public for run/fast/ only.

  /** Rows of eight. */
  groups = new Int32Array(64 * 8)
  /** Rows of four. */
  arrivals = new Int32Array(64 * 4)
  /** The first and last group, in the order they began; unused rows, and how many were ever used. */
  first = -1
  last = -1
  freeGroup = -1
  groupTop = 0
  freeArrival = -1
  arrivalTop = 0
  size = 0

  readonly #tokens: Tokens

  constructor(tokens: Tokens) {
    this.#tokens = tokens
  }

  /** The group of an instance at a step; -1 where there is none. */
  find(of: number, at: number): number {
    for (let group = this.#tokens.gathered[of]!; group >= 0; group = this.groups[group * 8 + nextOfRoot]!)
      if (this.groups[group * 8 + step] === at) return group
    return -1
  }

  add(of: number, at: number): number {
    let group = this.freeGroup
    if (group >= 0) this.freeGroup = this.groups[group * 8 + next]!
    else {
      group = this.groupTop++
      if (group * 8 === this.groups.length) this.groups = intsOf(this.groups, group * 16)
    }
    const { gathered } = this.#tokens
    this.groups.set([of, at, -1, -1, 0, gathered[of]!, this.last, -1], group * 8)
    gathered[of] = group
    if (this.last >= 0) this.groups[this.last * 8 + next] = group
    else this.first = group
    this.last = group
    this.size++
    return group
  }

  remove(group: number): void {
    const { groups } = this
    const at = group * 8
    const { gathered } = this.#tokens
    const of = groups[at + root]!
    if (gathered[of] === group) gathered[of] = groups[at + nextOfRoot]!
    else {
      let before = gathered[of]!
      while (groups[before * 8 + nextOfRoot] !== group) before = groups[before * 8 + nextOfRoot]!
      groups[before * 8 + nextOfRoot] = groups[at + nextOfRoot]!
    }
    const [p, n] = [groups[at + previous]!, groups[at + next]!]
    if (p >= 0) groups[p * 8 + next] = n
    else this.first = n
    if (n >= 0) groups[n * 8 + previous] = p
    else this.last = p
    groups[at + next] = this.freeGroup
    this.freeGroup = group
    this.size--
  }

  /** A token comes by a flow; `t` is -1 where it is swallowed. */
  arrive(group: number, t: number, by: number): void {
    let arrival = this.freeArrival
    if (arrival >= 0) this.freeArrival = this.arrivals[arrival * 4 + nextArrival]!
    else {
      arrival = this.arrivalTop++
      if (arrival * 4 === this.arrivals.length) this.arrivals = intsOf(this.arrivals, arrival * 8)
    }
    this.arrivals.set([t, by, -1, 0], arrival * 4)
    const at = group * 8
    const was = this.groups[at + lastArrival]!
    if (was >= 0) this.arrivals[was * 4 + nextArrival] = arrival
    else this.groups[at + firstArrival] = arrival
    this.groups[at + lastArrival] = arrival
    this.groups[at + number]!++
  }

  /** Takes the first arrival out that fits: by a flow, or of a token. Its token, -1 where none fits. */
  take(group: number, fits: (t: number, by: number) => boolean): number {
    const at = group * 8
    for (let arrival = this.groups[at + firstArrival]!, before = -1; arrival >= 0; arrival = this.arrivals[arrival * 4 + nextArrival]!) {
      const row = arrival * 4
      const t = this.arrivals[row + token]!
      if (!fits(t, this.arrivals[row + flow]!)) {
        before = arrival
        continue
      }
      const after = this.arrivals[row + nextArrival]!
      if (before >= 0) this.arrivals[before * 4 + nextArrival] = after
      else this.groups[at + firstArrival] = after
      if (after < 0) this.groups[at + lastArrival] = before
      this.arrivals[row + nextArrival] = this.freeArrival
      this.freeArrival = arrival
      this.groups[at + number]!--
      return t
    }
    return -1
  }

  rootOf(group: number): number {
    return this.groups[group * 8 + root]!
  }

  /** The next group of the same instance. */
  nextOfRoot(group: number): number {
    return this.groups[group * 8 + nextOfRoot]!
  }

  stepOf(group: number): number {
    return this.groups[group * 8 + step]!
  }

  numberOf(group: number): number {
    return this.groups[group * 8 + number]!
  }

  flowsOf(group: number): number[] {
    return this.#column(group, flow)
  }

  /** Those that wait here. */
  tokensOf(group: number): number[] {
    return this.#column(group, token).filter(t => t >= 0)
  }

  #column(group: number, which: number): number[] {
    const found: number[] = []
    for (let arrival = this.groups[group * 8 + firstArrival]!; arrival >= 0; arrival = this.arrivals[arrival * 4 + nextArrival]!)
      found.push(this.arrivals[arrival * 4 + which]!)
    return found
  }

  /** All groups, in the order they began. */
  all(): number[] {
    const found: number[] = []
    for (let group = this.first; group >= 0; group = this.groups[group * 8 + next]!) found.push(group)
    return found
  }

  clear(): void {
    this.#tokens.gathered.fill(-1)
    this.first = this.last = this.freeGroup = this.freeArrival = -1
    this.groupTop = this.arrivalTop = this.size = 0
  }
}
