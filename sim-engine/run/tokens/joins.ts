// Joins by BPMN's per-flow rules: tokens of one process instance that wait at a gateway, by the flow they came in. What a
// structured split needs (the synchronizing join) is a counter in the original token; see Kernel.synchronize.
import type { State } from '../../kernel/snapshot.ts'
import { Gatherings } from './gatherings.ts'
import type { Mover } from '../mover.ts'
import { link, numbersOf } from './tokens.ts'

/** For an inclusive join: by step index, which of its incoming flows can be reached from there without passing the join. */
type Reach = ReadonlyMap<number, readonly boolean[]>

export class Joins {
  readonly #kernel: Mover
  readonly gatherings: Gatherings
  /** By step index: reach tables of inclusive joins. */
  reach: ReadonlyMap<number, Reach> = new Map()

  constructor(kernel: Mover) {
    this.#kernel = kernel
    this.gatherings = new Gatherings(kernel.tokens)
  }

  get waiting(): number {
    return this.gatherings.size
  }

  /** Nothing more can come of those that wait as long as no other token joins them. */
  get isIdle(): boolean {
    return this.gatherings.size === 0 || this.reach.size === 0
  }

  #gathering(t: number, step: number): number {
    const root = this.#kernel.tokens.root[t]!
    const known = this.gatherings.find(root, step)
    return known >= 0 ? known : this.gatherings.add(root, step)
  }

  /** A parallel join takes exactly one token from each incoming flow; the token that came waits or goes on merged. */
  parallel(t: number, step: number, flow: number, incoming: number): void {
    const { gatherings } = this
    const group = this.#gathering(t, step)
    this.#kernel.tokens.pc[t] = step * 8 + 6
    gatherings.arrive(group, t, flow)
    if (gatherings.numberOf(group) < incoming) return
    const flows = new Set(gatherings.flowsOf(group))
    if (flows.size === incoming)
      this.#merge(
        group,
        [...flows].sort((a, b) => a - b),
      )
  }

  /**
   * Goes on with the m-th token of a round, one by each flow; the rest are swallowed. In a loop the next round may begin
   * before the last one is complete: the k-th token that came by a flow belongs to the k-th round.
   */
  some(t: number, step: number, flow: number, needed: number, incoming: number): void {
    const { gatherings } = this
    const group = this.#gathering(t, step)
    const came = (by: number): number => gatherings.flowsOf(group).filter(one => one === by).length
    const round = came(flow)
    gatherings.arrive(group, -1, flow)
    let arrived = 0
    for (let by = 0; by < incoming; by++) if (came(by) > round) arrived++
    if (round === 0 && arrived === incoming) {
      for (let by = 0; by < incoming; by++) gatherings.take(group, (_, one) => one === by)
      if (gatherings.numberOf(group) === 0) gatherings.remove(group)
    }
    if (arrived === Math.min(needed, incoming)) {
      this.#kernel.tokens.pc[t] = step * 8 + 1
      this.#kernel.push(t)
    } else this.#kernel.swallow(t)
  }

  /** An inclusive join: the token waits; `test` decides once nothing else moves. */
  inclusive(t: number, step: number, flow: number): void {
    const group = this.#gathering(t, step)
    this.#kernel.tokens.pc[t] = step * 8 + 6
    this.gatherings.arrive(group, t, flow)
  }

  /**
   * Fires the inclusive joins that are ready: no other token of the instance can still reach an empty incoming flow
   * without also reaching a filled one (BPMN 2.0.2, 13.4.3). True when one fired.
   */
  test(): boolean {
    const { gatherings } = this
    if (gatherings.size === 0 || this.reach.size === 0) return false
    for (const group of gatherings.all()) {
      const reach = this.reach.get(gatherings.stepOf(group))
      const tokens = gatherings.tokensOf(group)
      if (!reach || tokens.length === 0) continue
      const filled = new Set(gatherings.flowsOf(group))
      const waits = this.standing(gatherings.rootOf(group)).some(t => {
        if (tokens.includes(t)) return false
        const from = reach.get(this.#kernel.tokens.pc[t]! >> 3)
        return (
          from !== undefined && from.some((can, flow) => can && !filled.has(flow)) && !from.some((can, flow) => can && filled.has(flow))
        )
      })
      if (waits) continue
      this.#merge(
        group,
        [...filled].sort((a, b) => a - b),
      )
      this.#kernel.drain()
      return true
    }
    return false
  }

  /** The tokens a token was split into that stand somewhere: originals of forks rest. */
  standing(root: number): number[] {
    const { tokens } = this.#kernel
    const found: number[] = []
    const visit = (t: number): void => {
      let forked = false
      for (let child = tokens.firstChild[t]!; child >= 0; child = tokens.nextSibling[child]!) {
        if (tokens.link[child] !== link.fork) continue
        forked = true
        visit(child)
      }
      if (!forked) found.push(t)
    }
    visit(root)
    return found
  }

  /** How many tokens wait at parallel joins, by step, while no other token of their instance is left that could come. */
  stuck(): Map<number, number> {
    const found = new Map<number, number>()
    const { gatherings } = this
    for (const group of gatherings.all()) {
      const [step, tokens] = [gatherings.stepOf(group), gatherings.tokensOf(group)]
      if (tokens.length === 0 || this.reach.has(step)) continue
      if (this.standing(gatherings.rootOf(group)).some(t => !tokens.includes(t))) continue
      found.set(step, (found.get(step) ?? 0) + tokens.length)
    }
    return found
  }

  /** Makes one token of several, the first by each of these flows; where they are all that is left of a fork, its original. */
  #merge(group: number, flows: readonly number[]): void {
    const kernel = this.#kernel
    const { tokens } = kernel
    const { gatherings } = this
    const step = gatherings.stepOf(group)
    const merged = flows.map(flow => gatherings.take(group, (_, by) => by === flow))
    if (gatherings.numberOf(group) === 0) gatherings.remove(group)
    const [one, ...others] = merged
    if (one === undefined) return
    const parent = tokens.parent[one]!
    if (
      parent >= 0 &&
      tokens.link[one] === link.fork &&
      tokens.pending[parent] === merged.length &&
      merged.every(t => tokens.parent[t] === parent)
    ) {
      kernel.reunite(parent, merged, step)
      return
    }
    for (const other of others) kernel.swallow(other)
    tokens.pc[one] = step * 8 + 1
    kernel.push(one)
  }

  /** A cancelled token waits in no join. */
  leave(t: number): void {
    const { gatherings } = this
    if (gatherings.size === 0) return
    const { gathered, root } = this.#kernel.tokens
    for (let group = gathered[root[t]!]!; group >= 0; group = gatherings.nextOfRoot(group)) {
      if (!gatherings.tokensOf(group).includes(t)) continue
      gatherings.take(group, one => one === t)
      if (gatherings.numberOf(group) === 0) gatherings.remove(group)
      return
    }
  }

  save(): State {
    const { gatherings } = this
    return gatherings
      .all()
      .map(group => [gatherings.rootOf(group), gatherings.stepOf(group), gatherings.tokensOf(group), gatherings.flowsOf(group)])
  }

  load(state: State): void {
    const { gatherings } = this
    gatherings.clear()
    if (!Array.isArray(state)) return
    for (const entry of state) {
      if (!Array.isArray(entry)) continue
      const [root, step] = entry.map(Number)
      if (root === undefined || step === undefined) continue
      const group = gatherings.add(root, step)
      const tokens = numbersOf(entry[2])
      for (const [k, flow] of numbersOf(entry[3]).entries()) gatherings.arrive(group, tokens[k] ?? -1, flow)
    }
  }
}
