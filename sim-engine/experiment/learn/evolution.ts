// Policies that evolve, without gradients: evolution strategies (Salimans and others 2017) with mirrored steps, and CMA-ES with a diagonal covariance
// (Ros and Hansen 2008). A candidate is tried in one episode.
import * as math from '../../kernel/math.ts'
import { stream } from '../../kernel/random.ts'
import { recordOf, type State } from '../../kernel/snapshot.ts'
import { Net, type SavedNet } from '../../learn/net/net.ts'
import { bestAllowed, normal, randomWeights } from '../../learn/net/shape.ts'
import { rateAt, shapeFor, type Learner, type Spaces } from './learner.ts'
import type { Actor } from './place.ts'
import type { Settings } from './settings.ts'

export function evolution(settings: Settings, spaces: Spaces, seed: number, places: number): Learner {
  const { inputs, choices, actions } = spaces
  const isDiagonal = settings.algorithm === 'cmaes'
  const shape = shapeFor(settings, inputs, choices || actions)
  const centre = new Net(shape, 2)
  centre.weights = randomWeights(shape, seed, 0.1)
  const n = centre.weights.length
  const population = 2 * Math.ceil(Math.max(4, settings.population) / 2)
  const tried = Array.from({ length: places }, () => new Net(shape))
  const returns = new Float64Array(population)
  const strategy = isDiagonal ? new Diagonal(n, population, settings.sigma, centre.weights) : null
  let [generation, first] = [0, 0]

  /** The step of a candidate: two neighbours go opposite ways. */
  function stepOf(candidate: number): Float64Array {
    const draws = stream(seed, generation, `candidate ${isDiagonal ? candidate : candidate >> 1}`)
    const sign = !isDiagonal && candidate % 2 === 1 ? -1 : 1
    return Float64Array.from({ length: n }, () => sign * normal(draws))
  }

  function lay(place: number): void {
    const candidate = (first + place) % population
    const step = stepOf(candidate)
    const { weights } = centre
    tried[place]!.weights = strategy ? strategy.at(step) : weights.map((weight, k) => weight + settings.sigma * step[k]!)
  }
  tried.forEach((_, place) => lay(place))

  const actorOf =
    (net: Net): Actor =>
    (seen, allowed) => {
      const outputs = net.predict(seen)
      return { action: choices > 0 ? bestAllowed(outputs, allowed) : Array.from(outputs), likelihood: 0 }
    }

  function evolve(part: number): void {
    const order = Array.from(returns.keys()).toSorted((a, b) => returns[b]! - returns[a]! || a - b)
    if (strategy) {
      strategy.learn(order.map(stepOf))
      centre.weights = strategy.mean
    } else {
      const by = new Float32Array(n)
      order.forEach((candidate, rank) => {
        const weight = 0.5 - rank / (population - 1)
        const step = stepOf(candidate)
        for (let k = 0; k < n; k++) by[k]! -= (weight * step[k]!) / (population * settings.sigma)
      })
      centre.gradients = by
      centre.adam(rateAt(settings, part))
    }
    generation++
  }

  return {
    round: { episodes: 1 },
    act: place => actorOf(tried[place]!),
    best: actorOf(centre),
    tell(place, { reward }) {
      const candidate = first + place
      if (candidate < population) returns[candidate]! += reward
    },
    learn(part) {
      first += places
      let figures = {}
      if (first >= population) {
        figures = { generation: generation + 1, best: Math.max(...returns), width: strategy?.width ?? settings.sigma }
        evolve(part)
        returns.fill(0)
        first = 0
      }
      tried.forEach((_, place) => lay(place))
      return figures
    },
    save: () => ({ centre: { ...centre.save() }, returns: returns.slice(), generation, first, strategy: strategy?.save() ?? null }),
    load(saved: State) {
      const state = recordOf(saved)
      centre.load(state['centre'] as SavedNet)
      returns.set(state['returns'] as Float64Array)
      generation = Number(state['generation'])
      first = Number(state['first'])
      strategy?.load(state['strategy'] ?? null)
      tried.forEach((_, place) => lay(place))
    },
    policy: () => ({ shape, weights: centre.weights }),
  }
}

/** The strategy's distribution: a mean, a width, and a spread for each weight. */
class Diagonal {
  width: number
  readonly #n: number
  readonly #mean: Float64Array
  readonly #spread: Float64Array
  readonly #pathWidth: Float64Array
  readonly #pathSpread: Float64Array
  readonly #weights: readonly number[]
  readonly #mass: number

  constructor(n: number, population: number, width: number, start: ArrayLike<number>) {
    this.#n = n
    this.width = width
    this.#mean = Float64Array.from(start)
    this.#spread = new Float64Array(n).fill(1)
    this.#pathWidth = new Float64Array(n)
    this.#pathSpread = new Float64Array(n)
    const raw = Array.from({ length: Math.floor(population / 2) }, (_, k) => math.log((population + 1) / 2) - math.log(k + 1))
    const sum = raw.reduce((a, b) => a + b, 0)
    this.#weights = raw.map(weight => weight / sum)
    this.#mass = 1 / this.#weights.reduce((a, b) => a + b * b, 0)
  }

  get mean(): Float32Array {
    return Float32Array.from(this.#mean)
  }

  at(step: Float64Array): Float32Array {
    return Float32Array.from(this.#mean, (mean, k) => mean + this.width * Math.sqrt(this.#spread[k]!) * step[k]!)
  }

  /** Steps of the candidates, the best first. */
  learn(steps: readonly Float64Array[]): void {
    const n = this.#n
    const mass = this.#mass
    const [cs, cc] = [(mass + 2) / (n + mass + 5), (4 + mass / n) / (n + 4 + (2 * mass) / n)]
    const damping = 1 + 2 * Math.max(0, Math.sqrt((mass - 1) / (n + 1)) - 1) + cs
    const faster = (n + 2) / 3
    const c1 = Math.min(0.5, (2 / ((n + 1.3) ** 2 + mass)) * faster)
    const cm = Math.min(1 - c1, ((2 * (mass - 2 + 1 / mass)) / ((n + 2) ** 2 + mass)) * faster)
    const usual = Math.sqrt(n) * (1 - 1 / (4 * n) + 1 / (21 * n * n))
    let length = 0
    for (let k = 0; k < n; k++) {
      let [mean, square] = [0, 0]
      this.#weights.forEach((weight, i) => {
        const step = steps[i]![k]!
        mean += weight * step
        square += weight * step * step
      })
      const deviation = Math.sqrt(this.#spread[k]!)
      this.#mean[k]! += this.width * deviation * mean
      const path = (1 - cs) * this.#pathWidth[k]! + Math.sqrt(cs * (2 - cs) * mass) * mean
      this.#pathWidth[k] = path
      length += path * path
      const turn = (1 - cc) * this.#pathSpread[k]! + Math.sqrt(cc * (2 - cc) * mass) * deviation * mean
      this.#pathSpread[k] = turn
      this.#spread[k] = (1 - c1 - cm) * this.#spread[k]! + c1 * turn * turn + cm * this.#spread[k]! * square
    }
    this.width *= math.exp(Math.min(1, (cs / damping) * (Math.sqrt(length) / usual - 1)))
  }

  save(): State {
    return {
      width: this.width,
      mean: this.#mean.slice(),
      spread: this.#spread.slice(),
      pathWidth: this.#pathWidth.slice(),
      pathSpread: this.#pathSpread.slice(),
    }
  }

  load(saved: State): void {
    const state = recordOf(saved)
    this.width = Number(state['width'])
    this.#mean.set(state['mean'] as Float64Array)
    this.#spread.set(state['spread'] as Float64Array)
    this.#pathWidth.set(state['pathWidth'] as Float64Array)
    this.#pathSpread.set(state['pathSpread'] as Float64Array)
  }
}
