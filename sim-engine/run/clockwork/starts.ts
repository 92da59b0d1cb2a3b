// What starts processes by the clock, and how often each timer start has fired.
import type { State } from '../../kernel/snapshot.ts'
import type { World } from '../../world/world.ts'
import { eventKind, phase } from '../events.ts'
import type { Kernel } from '../kernel.ts'
import { fail, toNumber } from '../surface/numbers.ts'
import { numbersOf } from '../tokens/tokens.ts'

export class Starts {
  /** Firings of timer starts without an owner, by process. */
  readonly fired: Float64Array
  /** Firings so far, by process, then owner. */
  readonly #firings: readonly Map<number, number>[]

  constructor(processes: number) {
    this.fired = new Float64Array(processes)
    this.#firings = Array.from({ length: processes }, () => new Map<number, number>())
  }

  /** The owner of a process without one is -1. */
  calls(world: World, kernel: Kernel) {
    const { calendar } = world
    return {
      fired: this.fired,
      startSoon: (process: number, owner: number): void => {
        calendar.schedule(world.time, phase.tick, 0, eventKind.birth, process, owner)
      },
      startAt: (process: number, owner: number, times: unknown): void => {
        if (!Array.isArray(times)) return fail(10010)
        for (const time of times) {
          const at = toNumber(time)
          if (at < world.time) fail(10052)
          calendar.schedule(at, phase.timer, 0, eventKind.timer, process, owner)
        }
      },
      startsLeft: (process: number, owner: number, maximum: unknown): boolean => {
        if (owner < 0) {
          if (this.fired[process]! >= toNumber(maximum)) return false
          this.fired[process]!++
          return true
        }
        const used = this.#firings[process]!.get(owner) ?? 0
        if (used >= toNumber(maximum)) return false
        this.#firings[process]!.set(owner, used + 1)
        return true
      },
      arrive: (process: number, owner: number, count: number): void => {
        for (let k = 0; k < count; k++) kernel.spawn(process, owner)
      },
    }
  }

  save(): State {
    return this.#firings.map((map, process) => (this.fired[process]! > 0 ? [-1, this.fired[process]!] : [...map].flat()))
  }

  load(saved: readonly State[]): void {
    saved.forEach((entry, process) => {
      this.#firings[process]!.clear()
      this.fired[process] = 0
      const flat = numbersOf(entry)
      for (let k = 0; k + 1 < flat.length; k += 2) {
        if (flat[k]! < 0) this.fired[process] = flat[k + 1]!
        else this.#firings[process]!.set(flat[k]!, flat[k + 1]!)
      }
    })
  }
}
