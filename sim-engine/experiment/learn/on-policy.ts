// Learning from what the policy itself has just done: REINFORCE (Williams 1992), A2C (Mnih and others 2016), PPO (Schulman and others 2017), and
// MAPPO (Yu and others 2022), with values that depend on what all deciders saw. Deciders share their weights. Policy and value have a network
// each; continuous actions are normal about the policy's outputs, with one width for all states.
import * as math from '../../kernel/math.ts'
import { shuffle, stream, type Stream } from '../../kernel/random.ts'
import { recordOf, type State } from '../../kernel/snapshot.ts'
import { Net, type SavedNet } from '../../learn/net/net.ts'
import { bestAllowed, drawn, normal, randomWeights, softmax } from '../../learn/net/shape.ts'
import { discountOf, rateAt, shapeFor, type Figures, type LearnedPolicy, type Learner, type Spaces } from './learner.ts'
import type { Actor, Transition } from './place.ts'
import type { Settings } from './settings.ts'
import { ValueScale } from './value-scale.ts'
import { Widths } from './widths.ts'

/** A transition with what was worked out for it: the advantage of its action, and what came back in all. */
type Row = Transition & { readonly advantage: number; readonly back: number }

/** Sums over the steps of a pass. */
type Sums = { loss: number; value: number; entropy: number; kl: number; cut: number; norm: number }

const halfLogTau = 0.9189385332046727

export class OnPolicy implements Learner {
  readonly round: Learner['round']
  readonly best: Actor
  readonly #settings: Settings
  readonly #spaces: Spaces
  /** Rows that a network calculates at once. */
  readonly #most: number
  readonly #policy: Net
  readonly #value: Net
  /** Null: values are learned as they are. */
  readonly #scale: ValueScale | null
  readonly #widths: Widths
  readonly #order: Stream
  /** By place, then decider. */
  readonly #sequences = new Map<number, Map<number, Transition[]>>()

  constructor(settings: Settings, spaces: Spaces, seed: number) {
    const { inputs, choices, actions } = spaces
    this.#settings = settings
    this.#spaces = spaces
    this.#most = Math.min(4096, Math.max(64, settings.batch > 100_000 ? 1024 : settings.batch))
    this.#policy = new Net(shapeFor(settings, inputs, choices || actions), this.#most)
    this.#policy.weights = randomWeights(this.#policy.shape, seed, 0.01)
    this.#value = new Net(shapeFor(settings, inputs * (1 + (spaces.others ?? 0)), 1), this.#most)
    this.#value.weights = randomWeights(this.#value.shape, seed + 1)
    this.#scale = settings.normaliseReturns ? new ValueScale() : null
    this.#widths = new Widths(choices > 0 ? 0 : actions)
    this.#order = stream(seed, 0, 'order of rows')
    this.round = settings.algorithm === 'reinforce' ? { episodes: 1 } : { transitions: settings.rollout }
    this.best = (seen, allowed) => {
      const out = this.#policy.predict(seen)
      return { action: choices > 0 ? bestAllowed(out, allowed) : Array.from(out), likelihood: 0 }
    }
  }

  act(): Actor {
    const { choices, actions } = this.#spaces
    return (seen, allowed, draws) => {
      const out = this.#policy.predict(seen)
      if (choices > 0) {
        const chances = this.#chancesOf(out, 0, allowed)
        const action = drawn(chances, draws)
        return { action, likelihood: math.log(Math.max(1e-30, chances[action]!)) }
      }
      const action = Array.from({ length: actions }, (_, k) => out[k]! + this.#widths.width(k) * normal(draws))
      return { action, likelihood: this.#likelihood(out, 0, action) }
    }
  }

  tell(place: number, transition: Transition): void {
    let of = this.#sequences.get(place)
    if (!of) this.#sequences.set(place, (of = new Map()))
    const told = of.get(transition.decider)
    if (told) told.push(transition)
    else of.set(transition.decider, [transition])
  }

  learn(part: number): Figures {
    const rows = this.#gathered()
    if (rows.length === 0) return {}
    const rate = rateAt(this.#settings, part)
    const came = rows.map(({ back }) => back)
    this.#scale?.observe(came, this.#value)
    const explained = explainedBy(
      came,
      rows.map(({ back, advantage }) => back - advantage),
    )
    let figures: Figures = {}
    for (let pass = 0; pass < this.#settings.passes; pass++) {
      const { sums, steps } = this.#pass(rows, rate)
      figures = {
        policyLoss: sums.loss / steps,
        valueLoss: sums.value / steps,
        entropy: sums.entropy / steps,
        kl: sums.kl / steps,
        clipped: sums.cut / steps,
        gradient: sums.norm / steps,
        explained,
      }
      if (this.#settings.targetKl !== null && sums.kl / steps > this.#settings.targetKl) break
    }
    return figures
  }

  #pass(rows: readonly Row[], rate: number): { sums: Sums; steps: number } {
    const size = Math.min(this.#most, this.#settings.batch)
    const mixed = [...rows]
    shuffle(this.#order, mixed)
    const sums: Sums = { loss: 0, value: 0, entropy: 0, kl: 0, cut: 0, norm: 0 }
    let steps = 0
    for (let first = 0; first < mixed.length; first += size) {
      const some = mixed.slice(first, first + size)
      if (some.length < 2 && mixed.length > 1) break
      const made = this.#stepPolicy(normalised(some), rate)
      sums.value += this.#stepValue(some, rate)
      steps++
      sums.loss += made.loss
      sums.entropy += made.entropy
      sums.kl += made.kl
      sums.cut += made.cut
      sums.norm += made.norm
    }
    return { sums, steps }
  }

  #chancesOf(logits: ArrayLike<number>, from: number, allowed: readonly boolean[] | null): number[] {
    const kept: number[] = []
    for (let k = 0; k < this.#spaces.choices; k++) kept.push(allowed === null || allowed[k] === true ? logits[from + k]! : -1e30)
    return softmax(kept)
  }

  /** Logarithm of how likely continuous actions are. */
  #likelihood(means: ArrayLike<number>, from: number, action: readonly number[]): number {
    let sum = 0
    for (let k = 0; k < this.#spaces.actions; k++) {
      const z = (action[k]! - means[from + k]!) / this.#widths.width(k)
      sum -= (z * z) / 2 + this.#widths.logs[k]! + halfLogTau
    }
    return sum
  }

  /** V of many observations. */
  #valuesOf(seen: readonly (readonly number[])[]): Float64Array {
    const value = this.#value
    const all = new Float64Array(seen.length)
    const spread = this.#scale?.spread ?? 1
    for (let first = 0; first < seen.length; first += this.#most) {
      const rows = Math.min(this.#most, seen.length - first)
      for (let r = 0; r < rows; r++) value.inputs.set(seen[first + r]!, r * value.inputStride)
      value.forward(rows)
      for (let r = 0; r < rows; r++) all[first + r] = value.outputs[r * value.outputStride]! * spread
    }
    return all
  }

  /** Generalised advantages (Schulman and others 2016) of all recorded transitions; empties the sequences. */
  #gathered(): Row[] {
    const all: Row[] = []
    for (const place of [...this.#sequences.keys()].toSorted((a, b) => a - b)) {
      const of = this.#sequences.get(place)!
      for (const [decider, told] of [...of].toSorted(([a], [b]) => a - b)) {
        const { done, rest } = this.#settings.algorithm === 'reinforce' ? wholeEpisodes(told) : { done: told, rest: [] }
        if (rest.length > 0) of.set(decider, rest)
        else of.delete(decider)
        for (const row of this.#advantages(done)) all.push(row)
      }
    }
    return all
  }

  #advantages(told: readonly Transition[]): Row[] {
    const { rewardScale, lambda } = this.#settings
    const values = this.#valuesOf(told.map(({ state, seen }) => state ?? seen))
    const nexts = this.#valuesOf(told.map(({ nextState, next }) => nextState ?? next))
    const rows: Row[] = []
    let ahead = 0
    for (let k = told.length - 1; k >= 0; k--) {
      const one = told[k]!
      const discount = discountOf(this.#settings, one.elapsed, math.pow)
      const error = one.reward * rewardScale + discount * (one.terminated ? 0 : nexts[k]!) - values[k]!
      ahead = error + (one.last ? 0 : discount * lambda * ahead)
      rows.push({ ...one, advantage: ahead, back: ahead + values[k]! })
    }
    return rows.reverse()
  }

  /** One step of the policy; returns its loss, how far it went and how much was cut off. */
  #stepPolicy(rows: readonly Row[], rate: number): Omit<Sums, 'value'> {
    const n = rows.length
    const policy = this.#policy
    const { clip, algorithm, maxGradNorm } = this.#settings
    const { choices } = this.#spaces
    const into = policy.inputs
    rows.forEach(({ seen }, r) => into.set(seen, r * policy.inputStride))
    policy.forward(n)
    const { outputs: out, byOutputs: by, outputStride: stride } = policy
    this.#widths.begin()
    let [loss, entropy, kl, cut] = [0, 0, 0, 0]
    const isRatio = algorithm === 'ppo' || algorithm === 'mappo'
    rows.forEach(({ action, likelihood, advantage, allowed }, r) => {
      const from = r * stride
      const chances = choices > 0 ? this.#chancesOf(out, from, allowed) : null
      const now = chances ? math.log(Math.max(1e-30, chances[action as number]!)) : this.#likelihood(out, from, action as readonly number[])
      const difference = Math.min(20, now - likelihood)
      const ratio = isRatio ? math.exp(difference) : 1
      const isCut = isRatio && (advantage > 0 ? ratio > 1 + clip : ratio < 1 - clip)
      kl += isRatio ? ratio - 1 - difference : 0
      cut += isCut ? 1 : 0
      loss -= isRatio ? (isCut ? (advantage > 0 ? 1 + clip : 1 - clip) : ratio) * advantage : now * advantage
      // The loss by the logarithm of the action's likelihood.
      const g = isCut ? 0 : (-ratio * advantage) / n
      entropy += chances
        ? this.#slopesOfChoice(by, from, chances, action as number, g, n)
        : this.#slopesOfActions(by, out, from, action as readonly number[], g, n)
    })
    policy.backward(n)
    const norm = policy.clip(maxGradNorm)
    policy.adam(rate, 1e-5)
    this.#widths.step(rate)
    return { loss: loss / n, entropy: entropy / n, kl: kl / n, cut: cut / n, norm }
  }

  /** Writes the gradients of a row by the policy's outputs; `g`: the loss by the logarithm of the likelihood. Returns the row's entropy. */
  #slopesOfChoice(by: Float32Array, from: number, chances: readonly number[], action: number, g: number, n: number): number {
    let entropy = 0
    for (const p of chances) if (p > 0) entropy -= p * math.log(p)
    chances.forEach((p, k) => {
      const more = p > 0 ? (this.#settings.entropy / n) * p * (math.log(p) + entropy) : 0
      by[from + k] = g * ((k === action ? 1 : 0) - p) + more
    })
    return entropy
  }

  #slopesOfActions(by: Float32Array, out: Float32Array, from: number, taken: readonly number[], g: number, n: number): number {
    let entropy = 0
    for (let k = 0; k < this.#spaces.actions; k++) {
      const width = this.#widths.width(k)
      const z = (taken[k]! - out[from + k]!) / width
      by[from + k] = (g * z) / width
      this.#widths.add(k, g * (z * z - 1) - this.#settings.entropy / n)
      entropy += this.#widths.logs[k]! + halfLogTau + 0.5
    }
    return entropy
  }

  #stepValue(rows: readonly Row[], rate: number): number {
    const n = rows.length
    const value = this.#value
    const spread = this.#scale?.spread ?? 1
    const into = value.inputs
    rows.forEach(({ state, seen }, r) => into.set(state ?? seen, r * value.inputStride))
    value.forward(n)
    let loss = 0
    const { outputs: out, byOutputs: by, outputStride: stride } = value
    by.fill(0)
    rows.forEach(({ back }, r) => {
      const error = out[r * stride]! - back / spread
      loss += error * error
      by[r * stride] = (2 * this.#settings.valueWeight * error) / n
    })
    value.backward(n)
    value.clip(this.#settings.maxGradNorm)
    value.adam(rate, 1e-5)
    return (loss / n) * spread * spread
  }

  save(): State {
    return {
      policy: { ...this.#policy.save() },
      value: { ...this.#value.save() },
      scale: this.#scale && this.#scale.save(),
      widths: this.#widths.save(),
      order: this.#order.slice(),
      told: Array.from(this.#sequences, ([place, of]) => [place, ...Array.from(of.values()).flat().map(plainOf)]),
    }
  }

  load(saved: State): void {
    const state = recordOf(saved)
    this.#policy.load(state['policy'] as SavedNet)
    this.#value.load(state['value'] as SavedNet)
    this.#scale?.load(state['scale'] ?? null)
    this.#widths.load(state['widths'] ?? null)
    this.#order.set(state['order'] as Int32Array)
    this.#sequences.clear()
    for (const [place, ...told] of state['told'] as readonly (readonly [number, ...Transition[]])[]) {
      const of = new Map<number, Transition[]>()
      for (const one of told) of.set(one.decider, [...(of.get(one.decider) ?? []), one])
      this.#sequences.set(place, of)
    }
  }

  policy(): LearnedPolicy {
    return { shape: this.#policy.shape, weights: this.#policy.weights }
  }
}

/** As a snapshot can hold it. */
const plainOf = (one: Transition): State => ({
  ...one,
  allowed: one.allowed && [...one.allowed],
  nextAllowed: one.nextAllowed && [...one.nextAllowed],
  action: typeof one.action === 'number' ? one.action : [...one.action],
  state: one.state && [...one.state],
  nextState: one.nextState && [...one.nextState],
})

function wholeEpisodes(told: readonly Transition[]): { done: Transition[]; rest: Transition[] } {
  const end = told.findLastIndex(({ last }) => last) + 1
  return { done: told.slice(0, end), rest: told.slice(end) }
}

/** With advantages of mean 0 and spread 1. */
function normalised(rows: readonly Row[]): readonly Row[] {
  const n = rows.length
  if (n < 2) return rows
  let mean = 0
  for (const { advantage } of rows) mean += advantage
  mean /= n
  let square = 0
  for (const { advantage } of rows) square += (advantage - mean) ** 2
  const spread = Math.sqrt(square / (n - 1)) + 1e-8
  return rows.map(row => ({ ...row, advantage: (row.advantage - mean) / spread }))
}

/** The share of the variance of the returns that the values explained: 1 all, 0 nothing. */
function explainedBy(came: readonly number[], told: readonly number[]): number {
  const n = came.length
  const mean = came.reduce((a, b) => a + b, 0) / n
  const errors = came.map((one, k) => one - told[k]!)
  const off = errors.reduce((a, b) => a + b, 0) / n
  const all = came.reduce((sum, one) => sum + (one - mean) ** 2, 0)
  const left = errors.reduce((sum, one) => sum + (one - off) ** 2, 0)
  return all === 0 ? 0 : 1 - left / all
}
