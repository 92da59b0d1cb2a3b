// Widths of normal actions, or a temperature: a few numbers that are learned as logarithms, with Adam in double precision.
import * as math from '../../kernel/math.ts'
import { recordOf, type State } from '../../kernel/snapshot.ts'

export class Widths {
  readonly logs: Float64Array
  readonly #by: Float64Array
  readonly #means: Float64Array
  readonly #squares: Float64Array
  #steps = 0
  #powers: [number, number] = [1, 1]

  constructor(count: number, first = 0) {
    this.logs = new Float64Array(count).fill(first)
    this.#by = new Float64Array(count)
    this.#means = new Float64Array(count)
    this.#squares = new Float64Array(count)
  }

  width(k: number): number {
    return math.exp(this.logs[k]!)
  }

  begin(): void {
    this.#by.fill(0)
  }

  /** Adds to the loss by a logarithm. */
  add(k: number, by: number): void {
    this.#by[k]! += by
  }

  step(rate: number): void {
    this.#steps++
    this.#powers = [this.#powers[0] * 0.9, this.#powers[1] * 0.999]
    for (let k = 0; k < this.logs.length; k++) {
      const g = this.#by[k]!
      this.#means[k] = 0.9 * this.#means[k]! + 0.1 * g
      this.#squares[k] = 0.999 * this.#squares[k]! + 0.001 * g * g
      const square = Math.sqrt(this.#squares[k]! / (1 - this.#powers[1]))
      this.logs[k] = Math.min(2, Math.max(-20, this.logs[k]! - (rate * (this.#means[k]! / (1 - this.#powers[0]))) / (square + 1e-8)))
    }
  }

  save(): State {
    return {
      logs: this.logs.slice(),
      means: this.#means.slice(),
      squares: this.#squares.slice(),
      steps: this.#steps,
      powers: [...this.#powers],
    }
  }

  load(saved: State): void {
    const state = recordOf(saved)
    this.logs.set(state['logs'] as Float64Array)
    this.#means.set(state['means'] as Float64Array)
    this.#squares.set(state['squares'] as Float64Array)
    this.#steps = Number(state['steps'])
    const [first = 1, second = 1] = state['powers'] as readonly number[]
    this.#powers = [first, second]
  }
}
