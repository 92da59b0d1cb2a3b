// Deep Q-learning (Mnih and others 2015) with its usual improvements: double (van Hasselt and others 2016), dueling (Wang and others 2016), prioritised
// replay, returns of several steps, and quantiles of the return in place of its mean (QR-DQN, Dabney and others 2018).
import { below, stream, uniform, type Stream } from '../../kernel/random.ts'
import { recordOf, type State } from '../../kernel/snapshot.ts'
import { createKernels } from '../../learn/net/kernels.ts'
import { Net, type SavedNet } from '../../learn/net/net.ts'
import { bestAllowed, randomWeights } from '../../learn/net/shape.ts'
import { averaged, rateAt, shapeFor, type Figures, type LearnedPolicy, type Learner, type Spaces } from './learner.ts'
import type { Actor, Transition } from './place.ts'
import { Replay } from './replay.ts'
import type { Settings } from './settings.ts'

export class DeepQ implements Learner {
  readonly round: Learner['round']
  readonly best: Actor
  readonly #settings: Settings
  readonly #choices: number
  readonly #net: Net
  readonly #target: Net
  /** Outputs of each action, one for each quantile of its return; 1: the mean alone. */
  readonly #quantiles: number
  /** Index of the first action's outputs: with dueling, those of the value of the state come first. */
  readonly #first: number
  /** Means of the quantiles of a row, by action. */
  readonly #means: Float64Array
  readonly #replay: Replay
  readonly #draws: Stream
  #exploration: number
  #told = 0
  /** Steps of learning that are due. */
  #owed = 0
  #steps = 0

  constructor(settings: Settings, spaces: Spaces, seed: number, places: number) {
    const { inputs, choices } = spaces
    const kernels = createKernels()
    this.#settings = settings
    this.#choices = choices
    this.#quantiles = Math.max(1, settings.quantiles)
    this.#first = settings.dueling ? this.#quantiles : 0
    this.#means = new Float64Array(choices)
    this.#net = new Net(shapeFor(settings, inputs, choices * this.#quantiles + this.#first), settings.batch, kernels)
    this.#net.weights = randomWeights(this.#net.shape, seed)
    this.#target = new Net(this.#net.shape, settings.batch, kernels)
    this.#target.toward(this.#net, 1)
    this.#replay = new Replay(settings, spaces)
    this.#draws = stream(seed, 0, 'replay')
    this.#exploration = settings.explorationStart
    this.round = { transitions: Math.max(1, Math.ceil(settings.trainEvery / places)) }
    this.best = (seen, allowed) => ({ action: this.#bestOf(this.#net.predict(seen), 0, allowed), likelihood: 0 })
  }

  act(): Actor {
    return (seen, allowed, chance, decider) => {
      if (uniform(chance) >= this.#exploration) return this.best(seen, allowed, chance, decider)
      const possible = allowed?.flatMap((is, k) => (is ? [k] : []))
      return { action: possible ? possible[below(chance, possible.length)]! : below(chance, this.#choices), likelihood: 0 }
    }
  }

  tell(place: number, transition: Transition): void {
    const { gradientSteps, trainEvery } = this.#settings
    this.#replay.tell(place, transition)
    this.#told++
    this.#owed += gradientSteps / trainEvery
  }

  learn(part: number): Figures {
    const { explorationStart, explorationEnd, explorationShare, warmUp, batch } = this.#settings
    const gone = explorationShare > 0 ? Math.min(1, part / explorationShare) : 1
    this.#exploration = explorationStart + gone * (explorationEnd - explorationStart)
    if (this.#told < warmUp || this.#replay.count < batch) {
      this.#owed = 0
      return {}
    }
    const rate = rateAt(this.#settings, part)
    let figures = { loss: 0, value: 0, norm: 0 }
    let made = 0
    for (; this.#owed >= 1; this.#owed--) {
      const one = this.#step(rate, 0.4 + 0.6 * part)
      figures = { loss: figures.loss + one.loss, value: figures.value + one.value, norm: figures.norm + one.norm }
      made++
    }
    if (made === 0) return {}
    return { loss: figures.loss / made, value: figures.value / made, gradient: figures.norm / made, exploration: this.#exploration }
  }

  /** The action of the highest mean; -1: none is allowed. `from`: where the row's outputs begin. */
  #bestOf(outputs: Float32Array, from: number, allowed: readonly boolean[] | null): number {
    const [first, count] = [from + this.#first, this.#quantiles]
    if (count === 1) return bestAllowed(outputs, allowed, first, this.#choices)
    for (let k = 0; k < this.#choices; k++) {
      let sum = 0
      for (let i = 0; i < count; i++) sum += outputs[first + k * count + i]!
      this.#means[k] = sum / count
    }
    return bestAllowed(this.#means, allowed)
  }

  /** A quantile of an action of a row. */
  #valueOf({ outputs, outputStride }: Net, row: number, action: number, i: number): number {
    const from = row * outputStride
    const [first, count] = [from + this.#first, this.#quantiles]
    if (this.#first === 0) return outputs[first + action * count + i]!
    let mean = 0
    for (let k = 0; k < this.#choices; k++) mean += outputs[first + k * count + i]!
    return outputs[from + i]! + outputs[first + action * count + i]! - mean / this.#choices
  }

  #valuesOf(net: Net, row: number, action: number): number[] {
    return Array.from({ length: this.#quantiles }, (_, i) => this.#valueOf(net, row, action, i))
  }

  /** Says what the loss changes by with a quantile of an action of a row. */
  #byValue(row: number, action: number, i: number, by: number): void {
    const into = this.#net.byOutputs
    const from = row * this.#net.outputStride
    const [first, count] = [from + this.#first, this.#quantiles]
    if (this.#first === 0) {
      into[first + action * count + i] = by
      return
    }
    into[from + i] = by
    for (let k = 0; k < this.#choices; k++) into[first + k * count + i] = by * ((k === action ? 1 : 0) - 1 / this.#choices)
  }

  #fill(net: Net, rows: readonly { at: number }[], which: 'seen' | 'next'): void {
    const into = net.inputs
    rows.forEach(({ at }, r) => into.set(which === 'seen' ? this.#replay.seen(at) : this.#replay.next(at), r * net.inputStride))
    net.forward(rows.length)
  }

  /** What each transition was worth, by the target network: its quantiles. */
  #goalsOf(rows: readonly { at: number }[]): number[][] {
    const replay = this.#replay
    this.#fill(this.#target, rows, 'next')
    if (this.#settings.double) this.#fill(this.#net, rows, 'next')
    const { outputs, outputStride } = this.#settings.double ? this.#net : this.#target
    return rows.map(({ at }, r) => {
      const action = this.#bestOf(outputs, r * outputStride, replay.allowedNext(at))
      const [reward, discount] = [replay.reward(at), action < 0 ? 0 : replay.discount(at)]
      return this.#valuesOf(this.#target, r, Math.max(0, action)).map(value => reward + discount * value)
    })
  }

  #step(rate: number, mend: number): { loss: number; value: number; norm: number } {
    const net = this.#net
    const { batch, maxGradNorm, targetEvery, tau } = this.#settings
    const rows = Array.from({ length: batch }, () => this.#replay.draw(this.#draws, mend))
    const greatest = Math.max(...rows.map(({ weight }) => weight))
    const goals = this.#goalsOf(rows)
    this.#fill(net, rows, 'seen')
    net.byOutputs.fill(0)
    let [loss, value] = [0, 0]
    rows.forEach(({ at, weight }, r) => {
      const action = this.#replay.action(at)[0]!
      const values = this.#valuesOf(net, r, action)
      const one = lossOf(values, goals[r]!, this.#settings.quantiles > 0)
      this.#replay.prioritise(at, one.error)
      value += one.mean
      loss += one.loss
      one.by.forEach((by, i) => this.#byValue(r, action, i, (by * (weight / greatest)) / batch))
    })
    net.backward(batch)
    const norm = net.clip(maxGradNorm)
    net.adam(rate)
    if (++this.#steps % targetEvery === 0) this.#target.toward(net, tau)
    return { loss: loss / batch, value: value / batch, norm }
  }

  save(): State {
    return {
      net: { ...this.#net.save() },
      target: this.#target.weights,
      replay: this.#replay.save(),
      draws: this.#draws.slice(),
      exploration: this.#exploration,
      told: this.#told,
      owed: this.#owed,
      steps: this.#steps,
    }
  }

  load(saved: State): void {
    const state = recordOf(saved)
    this.#net.load(state['net'] as SavedNet)
    this.#target.weights = state['target'] as Float32Array
    this.#replay.load(state['replay'] ?? null)
    this.#draws.set(state['draws'] as Int32Array)
    this.#exploration = Number(state['exploration'])
    this.#told = Number(state['told'])
    this.#owed = Number(state['owed'])
    this.#steps = Number(state['steps'])
  }

  policy(): LearnedPolicy {
    const { shape, weights } = this.#net
    if (this.#first === 0 && this.#quantiles === 1) return { shape, weights }
    return averaged({ shape, weights }, this.#first, this.#choices, this.#quantiles)
  }
}

const huber = (error: number): number => (Math.abs(error) < 1 ? (error * error) / 2 : Math.abs(error) - 0.5)
const held = (error: number): number => Math.min(1, Math.max(-1, error))
const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length

/** Huber's loss of a value, or of quantiles against each of those that they should be, and what it changes by with each of them. */
export function lossOf(
  values: readonly number[],
  goals: readonly number[],
  isDistributed: boolean,
): { loss: number; by: number[]; mean: number; error: number } {
  const mean = meanOf(values)
  const error = mean - meanOf(goals)
  if (!isDistributed) return { loss: huber(error), by: [held(error)], mean, error }
  let loss = 0
  const by = values.map((value, i) => {
    const level = (2 * i + 1) / (2 * values.length)
    let sum = 0
    for (const goal of goals) {
      const weight = value > goal ? 1 - level : level
      loss += (weight * huber(value - goal)) / goals.length
      sum += weight * held(value - goal)
    }
    return sum / goals.length
  })
  return { loss, by, mean, error }
}
