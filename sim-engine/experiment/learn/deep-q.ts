// Deep Q-learning (Mnih and others 2015) with its usual improvements: double (van Hasselt and others 2016), dueling (Wang and others 2016), prioritised
// replay and returns of several steps.
import { below, stream, uniform, type Stream } from '../../kernel/random.ts'
import { recordOf, type State } from '../../kernel/snapshot.ts'
import { createKernels } from '../../learn/net/kernels.ts'
import { Net, type SavedNet } from '../../learn/net/net.ts'
import { bestAllowed, randomWeights } from '../../learn/net/shape.ts'
import { narrowed, rateAt, shapeFor, type Figures, type LearnedPolicy, type Learner, type Spaces } from './learner.ts'
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
  /** Index of the first action's output: with dueling, the first output is the value of the state. */
  readonly #first: number
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
    this.#first = settings.dueling ? 1 : 0
    this.#net = new Net(shapeFor(settings, inputs, choices + this.#first), settings.batch, kernels)
    this.#net.weights = randomWeights(this.#net.shape, seed)
    this.#target = new Net(this.#net.shape, settings.batch, kernels)
    this.#target.toward(this.#net, 1)
    this.#replay = new Replay(settings, spaces)
    this.#draws = stream(seed, 0, 'replay')
    this.#exploration = settings.explorationStart
    this.round = { transitions: Math.max(1, Math.ceil(settings.trainEvery / places)) }
    this.best = (seen, allowed) => ({ action: bestAllowed(this.#net.predict(seen), allowed, this.#first, choices), likelihood: 0 })
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

  /** Q of an action of a row. */
  #valueOf({ outputs, outputStride }: Net, row: number, action: number): number {
    const from = row * outputStride
    if (this.#first === 0) return outputs[from + action]!
    let mean = 0
    for (let k = 0; k < this.#choices; k++) mean += outputs[from + 1 + k]!
    return outputs[from]! + outputs[from + 1 + action]! - mean / this.#choices
  }

  #fill(net: Net, rows: readonly { at: number }[], which: 'seen' | 'next'): void {
    const into = net.inputs
    rows.forEach(({ at }, r) => into.set(which === 'seen' ? this.#replay.seen(at) : this.#replay.next(at), r * net.inputStride))
    net.forward(rows.length)
  }

  /** What each transition was worth, by the target network. */
  #goalsOf(rows: readonly { at: number }[]): number[] {
    const replay = this.#replay
    this.#fill(this.#target, rows, 'next')
    if (this.#settings.double) this.#fill(this.#net, rows, 'next')
    const { outputs, outputStride } = this.#settings.double ? this.#net : this.#target
    return rows.map(({ at }, r) => {
      const action = bestAllowed(outputs, replay.allowedNext(at), r * outputStride + this.#first, this.#choices)
      return replay.reward(at) + replay.discount(at) * (action < 0 ? 0 : this.#valueOf(this.#target, r, action))
    })
  }

  #step(rate: number, mend: number): { loss: number; value: number; norm: number } {
    const net = this.#net
    const { batch, maxGradNorm, targetEvery, tau } = this.#settings
    const rows = Array.from({ length: batch }, () => this.#replay.draw(this.#draws, mend))
    const greatest = Math.max(...rows.map(({ weight }) => weight))
    const goals = this.#goalsOf(rows)
    this.#fill(net, rows, 'seen')
    const by = net.byOutputs
    const stride = net.outputStride
    by.fill(0)
    let [loss, value] = [0, 0]
    rows.forEach(({ at, weight }, r) => {
      const action = this.#replay.action(at)[0]!
      const q = this.#valueOf(net, r, action)
      const error = q - goals[r]!
      this.#replay.prioritise(at, error)
      value += q
      loss += Math.abs(error) < 1 ? (error * error) / 2 : Math.abs(error) - 0.5
      const g = (Math.min(1, Math.max(-1, error)) * (weight / greatest)) / batch
      if (this.#first === 1) {
        by[r * stride] = g
        for (let k = 0; k < this.#choices; k++) by[r * stride + 1 + k] = g * ((k === action ? 1 : 0) - 1 / this.#choices)
      } else by[r * stride + action] = g
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
    return this.#first === 1 ? narrowed({ shape, weights }, 1, this.#choices, 'linear') : { shape, weights }
  }
}
