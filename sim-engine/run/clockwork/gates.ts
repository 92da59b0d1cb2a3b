// Token-filter gateways: tokens collected, and released every n ticks.
import type { State } from '../../kernel/snapshot.ts'
import type { World } from '../../world/world.ts'
import type { Entries } from '../entries.ts'
import { eventKind, phase } from '../events.ts'
import type { Kernel } from '../kernel.ts'
import { toGap } from '../surface/numbers.ts'
import { numbersOf } from '../tokens/tokens.ts'

export class Gates {
  /** Serial and slot of the tokens collected, by step. */
  readonly #collected = new Map<number, number[]>()
  readonly #world: World
  readonly #kernel: Kernel
  readonly #rules: () => Entries['release']

  constructor(world: World, kernel: Kernel, rules: () => Entries['release']) {
    this.#world = world
    this.#kernel = kernel
    this.#rules = rules
  }

  collect(t: number, step: number): void {
    const list = this.#collected.get(step) ?? []
    if (list.length === 0) this.#schedule(step, t)
    list.push(this.#kernel.tokens.serial[t]!, t)
    this.#collected.set(step, list)
  }

  /** Releases the tokens that the rule of the step allows; the others wait for the next time. */
  release(step: number): void {
    const { tokens } = this.#kernel
    const list = this.#collected.get(step) ?? []
    this.#collected.delete(step)
    const { rule } = this.#rules().get(step)!
    const kept: number[] = []
    let quota = Infinity
    let released = 0
    for (let k = 0; k < list.length; k += 2) {
      const [serial, t] = [list[k]!, list[k + 1]!]
      if (tokens.pc[t]! < 0 || tokens.serial[t] !== serial) continue
      const answer = quota < Infinity ? released < quota : rule(t)
      // A number says how many may go; a truth is asked of each.
      if (typeof answer === 'number') quota = answer
      if (typeof answer === 'number' ? released < answer : answer === true) {
        released++
        tokens.pc[t] = step * 8 + 1
        this.#kernel.push(t)
        this.#kernel.drain()
      } else kept.push(serial, t)
    }
    if (kept.length === 0) return
    const added = this.#collected.get(step) ?? []
    this.#collected.set(step, [...kept, ...added])
    if (added.length === 0) this.#schedule(step, kept[1]!)
  }

  save(): State {
    return [...this.#collected].map(([step, list]) => [step, ...list])
  }

  load(saved: readonly State[]): void {
    this.#collected.clear()
    for (const entry of saved) {
      const [step, ...list] = numbersOf(entry)
      if (step !== undefined) this.#collected.set(step, list)
    }
  }

  #schedule(step: number, t: number): void {
    const every = toGap(this.#rules().get(step)!.every(t))
    this.#world.calendar.schedule(nextRelease(this.#world.time, every), phase.timer, 0, eventKind.gate, step, 0)
  }
}

/** Every n ticks, counted from the start of the run. */
const nextRelease = (time: number, every: number): number => (every > 0 ? (Math.floor(time / every + 1e-9) + 1) * every : time)
