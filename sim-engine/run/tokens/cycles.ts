// When periodic timers are due: `base + k * every`, by multiplication, so that a thousand steps of 0.1 meet the hundredth
// tick. Adding up would drift away from it.
import type { State } from '../../kernel/snapshot.ts'
import { numbersOf } from './tokens.ts'

/** `last`: when it was due last, or will be. */
type Cycle = { base: number; every: number; count: number; last: number }

/** Sums of multiples of this are exact as long as they are small. */
const unit = 2 ** -20
const exactBelow = 2 ** 31

const addsExactly = (value: number): boolean => Math.abs(value) < exactBelow && Number.isInteger(value / unit)

export class Cycles {
  /** By process (or -1 - statistic), then owner (-1 = nobody). Only of timers whose times could not simply be added up. */
  readonly #all = new Map<number, Map<number, Cycle>>()

  /** The time span from `now`, at which the timer of this process goes off for its owner, to the next time. */
  span(process: number, owner: number, now: number, every: number): number {
    const known = this.#all.get(process)?.get(owner)
    if (!known && addsExactly(now) && addsExactly(every)) return every
    if (!(every > 0 && every < Infinity)) return every
    const cycle = known?.every === every && known.last === now ? known : this.#begin(process, owner, now, every)
    const due = cycle.base + ++cycle.count * every
    // A span of which the calendar makes just that time.
    let span = due - now
    span += due - (now + span)
    cycle.last = now + span
    return span
  }

  /** The same of a statistic that is sampled at intervals. */
  sampleSpan(statistic: number, now: number, interval: number): number {
    return this.span(-1 - statistic, -1, now, interval)
  }

  /** Counts from 0 where `now` is a multiple of `every`, else from `now`. */
  #begin(process: number, owner: number, now: number, every: number): Cycle {
    const count = Math.round(now / every)
    const isMultiple = count < exactBelow && count * every === now
    const cycle = isMultiple ? { base: 0, every, count, last: now } : { base: now, every, count: 0, last: now }
    const ofProcess = this.#all.get(process)
    if (ofProcess) ofProcess.set(owner, cycle)
    else this.#all.set(process, new Map([[owner, cycle]]))
    return cycle
  }

  /** The timer of this process goes off no more for this owner. */
  forget(process: number, owner: number): void {
    this.#all.get(process)?.delete(owner)
  }

  get isEmpty(): boolean {
    return this.#all.size === 0
  }

  save(): State {
    return [...this.#all].map(([process, cycles]) => [
      process,
      ...[...cycles].flatMap(([owner, { base, every, count, last }]) => [owner, base, every, count, last]),
    ])
  }

  load(state: State | undefined): void {
    this.#all.clear()
    if (!Array.isArray(state)) return
    for (const entry of state) {
      const [process, ...rest] = numbersOf(entry)
      if (process === undefined) continue
      const cycles = new Map<number, Cycle>()
      for (let k = 0; k + 4 < rest.length; k += 5)
        cycles.set(rest[k]!, { base: rest[k + 1]!, every: rest[k + 2]!, count: rest[k + 3]!, last: rest[k + 4]! })
      this.#all.set(process, cycles)
    }
  }
}
