// Actors that follow critics of what was kept: DDPG (Lillicrap and others 2016), TD3 (Fujimoto and others 2018), SAC (Haarnoja and others 2018), and SAC for
// whole-number actions (Christodoulou 2019).
import * as math from '../../kernel/math.ts'
import { below, stream, type Stream } from '../../kernel/random.ts'
import { recordOf, type State } from '../../kernel/snapshot.ts'
import { createKernels } from '../../learn/net/kernels.ts'
import { Net, type SavedNet } from '../../learn/net/net.ts'
import { bestAllowed, drawn, normal, randomWeights, softmax } from '../../learn/net/shape.ts'
import { evenOf, Exploration } from './exploration.ts'
import { narrowed, rateAt, shapeFor, type Figures, type LearnedPolicy, type Learner, type Spaces } from './learner.ts'
import type { Action, Actor, Chosen, Transition } from './place.ts'
import { Replay } from './replay.ts'
import type { Settings } from './settings.ts'
import { Widths } from './widths.ts'

const halfLogTau = 0.9189385332046727
const [narrowest, widest] = [-5, 2]

const within = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value))

/** An action that a soft actor drew: for each number what it depends on, and the logarithm of how likely all are together. */
type Sampled = {
  readonly parts: readonly { readonly a: number; readonly noise: number; readonly width: number; readonly held: boolean }[]
  readonly likelihood: number
}

/** Actions that critics are asked about, by row; null: whole-number actions, for each of which a critic has an output. */
type Taken = ((row: number) => ArrayLike<number>) | null

export class ActorCritic implements Learner {
  readonly round: Learner['round']
  readonly best: Actor
  readonly #settings: Settings
  readonly #spaces: Spaces
  readonly #isSoft: boolean
  readonly #actor: Net
  /** Soft actors have no target of their own. */
  readonly #actorTarget: Net | null
  readonly #critics: readonly Net[]
  readonly #targets: readonly Net[]
  readonly #temperature: Widths
  readonly #wantedEntropy: number
  readonly #replay: Replay
  readonly #exploration: Exploration
  readonly #draws: Stream
  #told = 0
  /** Transitions recorded before this round. */
  #known = 0
  /** Steps of learning that are due. */
  #owed = 0
  #steps = 0

  constructor(settings: Settings, spaces: Spaces, seed: number, places: number) {
    const { inputs, choices, actions } = spaces
    const { algorithm, batch } = settings
    this.#settings = settings
    this.#spaces = spaces
    this.#isSoft = algorithm === 'sac' || algorithm === 'discreteSac'
    const kernels = createKernels()
    const make = (outputs: number, into: number, number: number, last: 'linear' | 'tanh', reach = 1): Net => {
      const net = new Net(shapeFor(settings, into, outputs, last), batch, kernels)
      net.weights = randomWeights(net.shape, seed + number, reach)
      return net
    }
    if (choices > 0) this.#actor = make(choices, inputs, 0, 'linear', 0.1)
    else this.#actor = this.#isSoft ? make(2 * actions, inputs, 0, 'linear', 0.1) : make(actions, inputs, 0, 'tanh', 0.1)
    this.#critics = Array.from({ length: algorithm === 'ddpg' ? 1 : 2 }, (_, k) =>
      make(choices || 1, choices > 0 ? inputs : inputs + actions, k + 1, 'linear'),
    )
    this.#targets = this.#critics.map(critic => new Net(critic.shape, batch, kernels))
    this.#targets.forEach((target, k) => target.toward(this.#critics[k]!, 1))
    this.#actorTarget = this.#isSoft ? null : new Net(this.#actor.shape, batch, kernels)
    this.#actorTarget?.toward(this.#actor, 1)
    this.#temperature = new Widths(1, choices > 0 ? math.log(0.2) : 0)
    this.#wantedEntropy = choices > 0 ? 0.98 * math.log(choices) * 0.5 : -actions
    this.#replay = new Replay(settings, spaces)
    this.#exploration = new Exploration(settings.correlation)
    this.#draws = stream(seed, 0, 'replay')
    this.round = { transitions: Math.max(1, Math.ceil(settings.trainEvery / places)) }
    this.best = (seen, allowed) => ({ action: this.#bestOf(seen, allowed), likelihood: 0 })
  }

  act(place: number): Actor {
    return (seen, allowed, chance, decider) => this.#explore(place, decider, seen, allowed, chance)
  }

  #explore(place: number, decider: number, seen: readonly number[], allowed: readonly boolean[] | null, chance: Stream): Chosen {
    const { choices, actions } = this.#spaces
    const isWarmingUp = this.#known < this.#settings.warmUp
    if (choices > 0) {
      if (!isWarmingUp) return { action: drawn(this.#chancesOf(this.#actor.predict(seen), 0, allowed), chance), likelihood: 0 }
      const possible = allowed?.flatMap((is, k) => (is ? [k] : []))
      return { action: possible ? possible[below(chance, possible.length)]! : below(chance, choices), likelihood: 0 }
    }
    const noise = this.#exploration.draw(place, decider, actions, chance)
    if (isWarmingUp) return { action: Array.from(noise, evenOf), likelihood: 0 }
    const outputs = this.#actor.predict(seen)
    const action = Array.from(noise, (one, k) =>
      this.#isSoft
        ? math.tanh(outputs[k]! + math.exp(within(outputs[actions + k]!, narrowest, widest)) * one)
        : within(outputs[k]! + this.#settings.noise * one, -1, 1),
    )
    return { action, likelihood: 0 }
  }

  #bestOf(seen: readonly number[], allowed: readonly boolean[] | null): Action {
    const { choices, actions } = this.#spaces
    const outputs = this.#actor.predict(seen)
    if (choices > 0) return bestAllowed(outputs, allowed)
    return Array.from({ length: actions }, (_, k) => (this.#isSoft ? math.tanh(outputs[k]!) : outputs[k]!))
  }

  tell(place: number, transition: Transition): void {
    const { gradientSteps, trainEvery } = this.#settings
    this.#replay.tell(place, transition)
    if (transition.last) this.#exploration.end(place, transition.decider)
    this.#told++
    this.#owed += gradientSteps / trainEvery
  }

  learn(part: number): Figures {
    const { warmUp, batch } = this.#settings
    this.#known = this.#told
    if (this.#told < warmUp || this.#replay.count < batch) {
      this.#owed = 0
      return {}
    }
    const rate = rateAt(this.#settings, part)
    let [loss, entropy, made] = [0, 0, 0]
    for (; this.#owed >= 1; this.#owed--) {
      const one = this.#step(rate)
      loss += one.loss
      entropy += one.entropy
      made++
    }
    if (made === 0) return {}
    return { valueLoss: loss / made, ...(this.#isSoft ? { entropy: entropy / made, temperature: this.#temperature.width(0) } : {}) }
  }

  #step(rate: number): { loss: number; entropy: number } {
    const { algorithm, batch, tau } = this.#settings
    const rows = Array.from({ length: batch }, () => this.#replay.draw(this.#draws, 0).at)
    const alpha = this.#isSoft ? this.#temperature.width(0) : 0
    const loss = this.#stepCritics(rows, rate, this.#goalsOf(rows, alpha))
    let entropy = 0
    this.#steps++
    if (algorithm !== 'td3' || this.#steps % 2 === 0) {
      entropy = this.#stepActor(rows, rate, alpha)
      this.#targets.forEach((target, k) => target.toward(this.#critics[k]!, tau))
      this.#actorTarget?.toward(this.#actor, tau)
    }
    return { loss, entropy }
  }

  /** The action of the soft actor for a row that it has calculated. */
  #sampled(row: number): Sampled {
    const { actions } = this.#spaces
    const { outputs, outputStride } = this.#actor
    const from = row * outputStride
    let likelihood = 0
    const parts = Array.from({ length: actions }, (_, k) => {
      const log = outputs[from + actions + k]!
      const kept = within(log, narrowest, widest)
      const [width, noise] = [math.exp(kept), normal(this.#draws)]
      const a = math.tanh(outputs[from + k]! + width * noise)
      likelihood -= (noise * noise) / 2 + kept + halfLogTau + math.log(1 - a * a + 1e-6)
      return { a, noise, width, held: log !== kept }
    })
    return { parts, likelihood }
  }

  #chancesOf(logits: ArrayLike<number>, from: number, allowed: readonly boolean[] | null): number[] {
    const { choices } = this.#spaces
    return softmax(Array.from({ length: choices }, (_, k) => (allowed === null || allowed[k] === true ? logits[from + k]! : -1e30)))
  }

  /** Calculates a network for rows of what was kept. */
  #fill(net: Net, rows: readonly number[], which: 'seen' | 'next', taken: Taken): void {
    const { inputs } = this.#spaces
    const into = net.inputs
    rows.forEach((at, r) => {
      into.set(which === 'seen' ? this.#replay.seen(at) : this.#replay.next(at), r * net.inputStride)
      if (taken) into.set(taken(r), r * net.inputStride + inputs)
    })
    net.forward(rows.length)
  }

  /** What each transition was worth, by the targets. */
  #goalsOf(rows: readonly number[], alpha: number): number[] {
    const replay = this.#replay
    const ahead = (r: number, value: number): number => replay.reward(rows[r]!) + replay.discount(rows[r]!) * value
    if (this.#spaces.choices > 0) return this.#valuesOfChoices(rows, alpha).map((value, r) => ahead(r, value))
    const actor = this.#actorTarget ?? this.#actor
    this.#fill(actor, rows, 'next', null)
    const next = rows.map((_, r) => (this.#isSoft ? this.#sampled(r) : this.#smoothed(actor, r)))
    for (const target of this.#targets) this.#fill(target, rows, 'next', r => next[r]!.parts.map(({ a }) => a))
    return rows.map((_, r) => ahead(r, lowest(this.#targets, r) - (this.#isSoft ? alpha * next[r]!.likelihood : 0)))
  }

  /** What comes next is worth, over all choices by their chances. */
  #valuesOfChoices(rows: readonly number[], alpha: number): number[] {
    const actor = this.#actor
    this.#fill(actor, rows, 'next', null)
    const chances = rows.map((at, r) => this.#chancesOf(actor.outputs, r * actor.outputStride, this.#replay.allowedNext(at)))
    for (const target of this.#targets) this.#fill(target, rows, 'next', null)
    return rows.map((_, r) => {
      let value = 0
      chances[r]!.forEach((p, k) => (value += p > 0 ? p * (lowest(this.#targets, r, k) - alpha * math.log(p)) : 0))
      return value
    })
  }

  /** The action of the target's actor; with TD3 a little away from it, so that no single peak of a critic counts. */
  #smoothed(actor: Net, row: number): Sampled {
    const smooth = this.#settings.algorithm === 'td3' ? 0.2 : 0
    const { outputs, outputStride } = actor
    const parts = Array.from({ length: this.#spaces.actions }, (_, k) => {
      const noise = smooth > 0 ? within(smooth * normal(this.#draws), -0.5, 0.5) : 0
      return { a: within(outputs[row * outputStride + k]! + noise, -1, 1), noise, width: smooth, held: false }
    })
    return { parts, likelihood: 0 }
  }

  #stepCritics(rows: readonly number[], rate: number, goals: readonly number[]): number {
    const { choices } = this.#spaces
    const replay = this.#replay
    let loss = 0
    for (const critic of this.#critics) {
      this.#fill(critic, rows, 'seen', choices > 0 ? null : r => replay.action(rows[r]!))
      const { byOutputs: by, outputs, outputStride: stride } = critic
      by.fill(0)
      rows.forEach((at, r) => {
        const place = r * stride + (choices > 0 ? replay.action(at)[0]! : 0)
        const error = outputs[place]! - goals[r]!
        loss += (error * error) / rows.length
        by[place] = (2 * error) / rows.length
      })
      critic.backward(rows.length)
      critic.clip(this.#settings.maxGradNorm)
      critic.adam(rate)
    }
    return loss / this.#critics.length
  }

  /** Towards what the critics like. Returns the entropy. */
  #stepActor(rows: readonly number[], rate: number, alpha: number): number {
    const actor = this.#actor
    this.#fill(actor, rows, 'seen', null)
    const entropy = this.#spaces.choices > 0 ? this.#slopesOfChoices(rows, alpha) : this.#slopesOfActions(rows, alpha)
    actor.backward(rows.length)
    actor.clip(this.#settings.maxGradNorm)
    actor.adam(rate)
    if (this.#isSoft) {
      this.#temperature.begin()
      this.#temperature.add(0, entropy / rows.length - this.#wantedEntropy)
      this.#temperature.step(rate)
    }
    return entropy / rows.length
  }

  /** Writes the gradients of the loss by the actor's outputs. Returns the sum of the rows' entropies. */
  #slopesOfChoices(rows: readonly number[], alpha: number): number {
    const { outputs, outputStride: stride, byOutputs: by } = this.#actor
    let entropy = 0
    for (const critic of this.#critics) this.#fill(critic, rows, 'seen', null)
    rows.forEach((_, r) => {
      const chances = this.#chancesOf(outputs, r * stride, null)
      const costs = chances.map((p, k) => alpha * math.log(Math.max(p, 1e-12)) - lowest(this.#critics, r, k))
      const mean = chances.reduce((sum, p, k) => sum + p * costs[k]!, 0)
      chances.forEach((p, k) => {
        entropy -= p * math.log(Math.max(p, 1e-12))
        by[r * stride + k] = (p * (costs[k]! - mean)) / rows.length
      })
    })
    return entropy
  }

  /** The same for continuous actions: through the critic that likes the action less. */
  #slopesOfActions(rows: readonly number[], alpha: number): number {
    const n = rows.length
    const { actions } = this.#spaces
    const { outputs, outputStride: stride, byOutputs: by } = this.#actor
    const made = this.#isSoft ? rows.map((_, r) => this.#sampled(r)) : null
    const byAction = this.#slopesOfCritics(
      rows,
      r => made?.[r]!.parts.map(({ a }) => a) ?? outputs.subarray(r * stride, r * stride + actions),
    )
    let entropy = 0
    for (let r = 0; r < n; r++) {
      entropy -= made?.[r]!.likelihood ?? 0
      for (let k = 0; k < actions; k++) {
        const g = byAction[r * actions + k]!
        if (made === null) {
          by[r * stride + k] = g
          continue
        }
        const { a, noise, width, held } = made[r]!.parts[k]!
        const squash = 1 - a * a
        const bend = (2 * a * squash) / (squash + 1e-6)
        by[r * stride + k] = (alpha * bend) / n + g * squash
        by[r * stride + actions + k] = held ? 0 : (alpha * (bend * width * noise - 1)) / n + g * squash * width * noise
      }
    }
    return entropy
  }

  /** Gradients of the loss (the lowest value, negative) by each action of each row. */
  #slopesOfCritics(rows: readonly number[], taken: (row: number) => ArrayLike<number>): Float64Array {
    const n = rows.length
    const { inputs, actions } = this.#spaces
    const used = this.#isSoft ? this.#critics : this.#critics.slice(0, 1)
    for (const critic of used) this.#fill(critic, rows, 'seen', taken)
    const wide = used[0]!.outputStride
    const values = used.map(critic => critic.outputs.slice())
    const slopes = new Float64Array(n * actions)
    used.forEach((critic, c) => {
      const by = critic.byOutputs
      by.fill(0)
      for (let r = 0; r < n; r++) {
        const value = values[c]![r * wide]!
        const isLowest = values.every((own, other) => other === c || value < own[r * wide]! || (value === own[r * wide] && c < other))
        if (isLowest) by[r * wide] = -1 / n
      }
      critic.backward(n, true)
      for (let r = 0; r < n; r++)
        for (let k = 0; k < actions; k++) slopes[r * actions + k]! += critic.byInputs[r * critic.inputStride + inputs + k]!
    })
    return slopes
  }

  save(): State {
    return {
      actor: { ...this.#actor.save() },
      actorTarget: this.#actorTarget && this.#actorTarget.weights,
      critics: this.#critics.map(critic => ({ ...critic.save() })),
      targets: this.#targets.map(target => target.weights),
      temperature: this.#temperature.save(),
      replay: this.#replay.save(),
      exploration: this.#exploration.save(),
      draws: this.#draws.slice(),
      told: this.#told,
      known: this.#known,
      owed: this.#owed,
      steps: this.#steps,
    }
  }

  load(saved: State): void {
    const state = recordOf(saved)
    this.#actor.load(state['actor'] as SavedNet)
    if (this.#actorTarget) this.#actorTarget.weights = state['actorTarget'] as Float32Array
    this.#critics.forEach((critic, k) => critic.load((state['critics'] as SavedNet[])[k]!))
    this.#targets.forEach((target, k) => (target.weights = (state['targets'] as Float32Array[])[k]!))
    this.#temperature.load(state['temperature'] ?? null)
    this.#replay.load(state['replay'] ?? null)
    this.#exploration.load(state['exploration'] ?? null)
    this.#draws.set(state['draws'] as Int32Array)
    this.#told = Number(state['told'])
    this.#known = Number(state['known'])
    this.#owed = Number(state['owed'])
    this.#steps = Number(state['steps'])
  }

  policy(): LearnedPolicy {
    const { shape, weights } = this.#actor
    return this.#settings.algorithm === 'sac' ? narrowed({ shape, weights }, 0, this.#spaces.actions, 'tanh') : { shape, weights }
  }
}

/** What the nets say of an action of a row: the lowest. */
const lowest = (nets: readonly Net[], row: number, action = 0): number =>
  Math.min(...nets.map(net => net.outputs[row * net.outputStride + action]!))
