// The scale on which values are learned: the running spread of the returns, so that the network of the values fits numbers of about the same size whatever
// rewards are worth (as VecNormalize of Stable-Baselines3 does with rewards). A change of the scale rewrites the last layer and leaves all values as they
// are (van Hasselt and others 2016).
import { recordOf, type State } from '../../kernel/snapshot.ts'
import type { Net } from '../../learn/net/net.ts'

/** Weight of the returns of earlier rounds: .9 left 5 of 60 trainings of CartPole unsolved, .99 one. */
const memory = 0.99

export class ValueScale {
  spread = 1
  /** Weight of all rounds so far, and their weighted moments. */
  #weight = 0
  #first = 0
  #second = 0

  /** Adds the returns of a round. The network keeps giving the same values on the new scale. */
  observe(returns: readonly number[], net: Net): void {
    let [first, second] = [0, 0]
    for (const one of returns) first += one
    first /= returns.length
    for (const one of returns) second += (one - first) ** 2
    second = second / returns.length + first * first
    this.#weight = memory * this.#weight + 1 - memory
    this.#first = memory * this.#first + (1 - memory) * first
    this.#second = memory * this.#second + (1 - memory) * second
    const mean = this.#first / this.#weight
    const spread = Math.max(1e-4, Math.sqrt(Math.max(0, this.#second / this.#weight - mean * mean)))
    net.scaleOutput(this.spread / spread)
    this.spread = spread
  }

  save(): State {
    return { spread: this.spread, weight: this.#weight, first: this.#first, second: this.#second }
  }

  load(saved: State): void {
    const { spread, weight, first, second } = recordOf(saved)
    this.spread = Number(spread)
    this.#weight = Number(weight)
    this.#first = Number(first)
    this.#second = Number(second)
  }
}
