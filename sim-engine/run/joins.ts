// Joins by BPMN's per-flow rules: tokens of one process instance that wait at a gateway, by the flow they came in. What a
// structured split needs (the synchronizing join) is a counter in the original token; see Kernel.synchronize.
import type { State } from '../kernel/snapshot.ts'
import type { Mover } from './mover.ts'
import { link, numbersOf } from './tokens.ts'

/** For an inclusive join: by step index, which of its incoming flows can be reached from there without passing the join. */
export type Reach = ReadonlyMap<number, readonly boolean[]>

type Gathering = { root: number; step: number; tokens: number[]; flows: number[] }

/** Of a process instance, by its first token, and a step: there are at most 2^22 tokens. */
const keyOf = (root: number, step: number): number => step * 4_194_304 + root

export class Joins {
  readonly #kernel: Mover
  readonly #gatherings = new Map<number, Gathering>()
  /** By step index: reach tables of inclusive joins. */
  reach: ReadonlyMap<number, Reach> = new Map()

  constructor(kernel: Mover) {
    this.#kernel = kernel
  }

  get waiting(): number {
    return this.#gatherings.size
  }

  /** Nothing more can come of those that wait as long as no other token joins them. */
  get isIdle(): boolean {
    return this.#gatherings.size === 0 || this.reach.size === 0
  }

  #gathering(t: number, step: number): Gathering {
    const root = this.#kernel.tokens.root[t]!
    const key = keyOf(root, step)
    const known = this.#gatherings.get(key)
    if (known) return known
    const made: Gathering = { root, step, tokens: [], flows: [] }
    this.#gatherings.set(key, made)
    return made
  }

  /** A parallel join takes exactly one token from each incoming flow; the token that came waits or goes on merged. */
  parallel(t: number, step: number, flow: number, incoming: number): void {
    const gathering = this.#gathering(t, step)
    this.#kernel.tokens.pc[t] = step * 8 + 6
    gathering.tokens.push(t)
    gathering.flows.push(flow)
    if (gathering.flows.length < incoming) return
    const taken: number[] = []
    for (let wanted = 0; wanted < incoming; wanted++) {
      const at = gathering.flows.indexOf(wanted)
      if (at < 0) return
      taken.push(at)
    }
    this.#merge(gathering, taken)
  }

  /**
   * Goes on with the m-th token of a round, one by each flow; the rest are swallowed. In a loop the next round may begin
   * before the last one is complete: the k-th token that came by a flow belongs to the k-th round.
   */
  some(t: number, step: number, flow: number, needed: number, incoming: number): void {
    const gathering = this.#gathering(t, step)
    const came = (by: number): number => gathering.flows.filter(one => one === by).length
    const round = came(flow)
    gathering.flows.push(flow)
    let arrived = 0
    for (let by = 0; by < incoming; by++) if (came(by) > round) arrived++
    if (round === 0 && arrived === incoming) {
      for (let by = 0; by < incoming; by++) gathering.flows.splice(gathering.flows.indexOf(by), 1)
      if (gathering.flows.length === 0) this.#gatherings.delete(keyOf(gathering.root, step))
    }
    if (arrived === Math.min(needed, incoming)) {
      this.#kernel.tokens.pc[t] = step * 8 + 1
      this.#kernel.push(t)
    } else this.#kernel.swallow(t)
  }

  /** An inclusive join: the token waits; `test` decides once nothing else moves. */
  inclusive(t: number, step: number, flow: number): void {
    const gathering = this.#gathering(t, step)
    this.#kernel.tokens.pc[t] = step * 8 + 6
    gathering.tokens.push(t)
    gathering.flows.push(flow)
  }

  /**
   * Fires the inclusive joins that are ready: no other token of the instance can still reach an empty incoming flow
   * without also reaching a filled one (BPMN 2.0.2, 13.4.3). True when one fired.
   */
  test(): boolean {
    if (this.#gatherings.size === 0) return false
    for (const gathering of this.#gatherings.values()) {
      const reach = this.reach.get(gathering.step)
      if (!reach || gathering.tokens.length === 0) continue
      const filled = new Set(gathering.flows)
      const waits = this.standing(gathering.root).some(t => {
        if (gathering.tokens.includes(t)) return false
        const from = reach.get(this.#kernel.tokens.pc[t]! >> 3)
        return (
          from !== undefined && from.some((can, flow) => can && !filled.has(flow)) && !from.some((can, flow) => can && filled.has(flow))
        )
      })
      if (waits) continue
      this.#merge(
        gathering,
        [...filled].sort((a, b) => a - b).map(flow => gathering.flows.indexOf(flow)),
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
    for (const { root, step, tokens } of this.#gatherings.values()) {
      if (tokens.length === 0 || this.reach.has(step)) continue
      if (this.standing(root).some(t => !tokens.includes(t))) continue
      found.set(step, (found.get(step) ?? 0) + tokens.length)
    }
    return found
  }

  /** Makes one token of several; where they are all that is left of a fork, its original. */
  #merge(gathering: Gathering, taken: readonly number[]): void {
    const kernel = this.#kernel
    const { tokens } = kernel
    const merged = taken.map(at => gathering.tokens[at]!)
    if (taken.length === gathering.tokens.length) {
      gathering.tokens.length = 0
      gathering.flows.length = 0
    } else {
      gathering.tokens = gathering.tokens.filter((_, at) => !taken.includes(at))
      gathering.flows = gathering.flows.filter((_, at) => !taken.includes(at))
    }
    if (gathering.tokens.length === 0) this.#gatherings.delete(keyOf(gathering.root, gathering.step))
    const [one, ...others] = merged
    if (one === undefined) return
    const parent = tokens.parent[one]!
    if (
      parent >= 0 &&
      tokens.link[one] === link.fork &&
      tokens.pending[parent] === merged.length &&
      merged.every(t => tokens.parent[t] === parent)
    ) {
      kernel.reunite(parent, merged, gathering.step)
      return
    }
    for (const other of others) kernel.swallow(other)
    tokens.pc[one] = gathering.step * 8 + 1
    kernel.push(one)
  }

  /** A cancelled token waits in no join. */
  leave(t: number): void {
    if (this.#gatherings.size === 0) return
    for (const [key, gathering] of this.#gatherings) {
      const at = gathering.tokens.indexOf(t)
      if (at < 0) continue
      gathering.tokens.splice(at, 1)
      gathering.flows.splice(at, 1)
      if (gathering.flows.length === 0) this.#gatherings.delete(key)
      return
    }
  }

  save(): State {
    return [...this.#gatherings.values()].map(({ root, step, tokens, flows }) => [root, step, [...tokens], [...flows]])
  }

  load(state: State): void {
    this.#gatherings.clear()
    if (!Array.isArray(state)) return
    for (const entry of state) {
      if (!Array.isArray(entry)) continue
      const [root, step] = entry.map(Number)
      if (root === undefined || step === undefined) continue
      this.#gatherings.set(keyOf(root, step), { root, step, tokens: numbersOf(entry[2]), flows: numbersOf(entry[3]) })
    }
  }
}
