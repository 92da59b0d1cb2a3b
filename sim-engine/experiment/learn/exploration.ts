// Normal noise for continuous actions, correlated from one decision of a decider to the next: an autoregressive process of order one with spread
// 1. Independent noise cancels out where an action moves little at a time (Eberhard, Hollenstein, Pinneri and Martius 2023).
import * as math from '../../kernel/math.ts'
import type { Stream } from '../../kernel/random.ts'
import { recordOf, type State } from '../../kernel/snapshot.ts'
import { normal } from '../../learn/net/shape.ts'

/** Twice the share of a standard normal distribution below a number, less 1: an even number from -1 to 1 (Page 1977; within .0002). */
export const evenOf = (noise: number): number => math.tanh(0.7978845608 * noise * (1 + 0.044715 * noise * noise))

export class Exploration {
  readonly #correlation: number
  readonly #fresh: number
  /** Noise of the last decision, by place and decider; empty without correlation. */
  readonly #last = new Map<string, Float64Array>()

  /** `correlation` of the noise of two decisions that follow each other: 0 (none) up to, but not, 1. */
  constructor(correlation: number) {
    this.#correlation = correlation
    this.#fresh = Math.sqrt(1 - correlation * correlation)
  }

  /** Noise of the next decision: as many standard normal numbers. */
  draw(place: number, decider: number, count: number, draws: Stream): Float64Array {
    if (this.#correlation === 0) return Float64Array.from({ length: count }, () => normal(draws))
    const key = `${place} ${decider}`
    const last = this.#last.get(key)
    const next = Float64Array.from({ length: count }, (_, k) => {
      const fresh = normal(draws)
      return last ? this.#correlation * last[k]! + this.#fresh * fresh : fresh
    })
    this.#last.set(key, next)
    return next
  }

  /** The episode of a decider is over. */
  end(place: number, decider: number): void {
    if (this.#correlation > 0) this.#last.delete(`${place} ${decider}`)
  }

  save(): State {
    return Object.fromEntries(Array.from(this.#last, ([key, noise]) => [key, noise.slice()]))
  }

  load(saved: State): void {
    this.#last.clear()
    for (const [key, noise] of Object.entries(recordOf(saved))) this.#last.set(key, (noise as Float64Array).slice())
  }
}
