// What a training expects of an algorithm: it acts, receives the results, and learns between rounds.
import type { State } from '../../kernel/snapshot.ts'
import { readLayers, type Shape, type Weights } from '../../learn/net/shape.ts'
import type { Actor, Transition } from './place.ts'
import type { Settings } from './settings.ts'

/**
 * What is seen and done: numbers in, combinations of actions (0: none, they are continuous), actions. `others`: how many other deciders' observations
 * transitions come with; none where it is missing.
 */
export type Spaces = { readonly inputs: number; readonly choices: number; readonly actions: number; readonly others?: number }

/** Figures of one round of learning, by name. Which there are depends on the algorithm. */
export type Figures = Readonly<Record<string, number>>

/** A policy as a network that a model can have. */
export type LearnedPolicy = { readonly shape: Shape; readonly weights: Weights }

export type Learner = {
  /** Transitions of each place a round, or whole episodes. */
  readonly round: { readonly transitions: number } | { readonly episodes: number }
  /** Acts as the learning wants it, with what is left to chance. */
  act(place: number): Actor
  /** Acts as well as it can. */
  readonly best: Actor
  tell(place: number, transition: Transition): void
  /** After each round. `part`: how much of the training is over, 0 .. 1. */
  learn(part: number): Figures
  save(): State
  /** What `save` gave for the same settings and spaces. */
  load(state: State): void
  /** Null where no network can say it. */
  policy(): LearnedPolicy | null
}

/** A network of the hidden layers that are asked for. */
export function shapeFor(
  { hidden, activation }: Settings,
  inputs: number,
  outputs: number,
  last: Shape['layers'][number]['activation'] = 'linear',
): Shape {
  return { inputs, layers: [...(readLayers(hidden, activation) ?? []), { size: outputs, activation: last }] }
}

export const rateAt = ({ learningRate, schedule }: Settings, part: number): number =>
  schedule === 'linear' ? learningRate * Math.max(0, 1 - part) : learningRate

/** gamma for one transition: of a decision, or of the time that went by. */
export function discountOf({ gamma, discounting }: Settings, elapsed: number, power: (base: number, exponent: number) => number): number {
  return discounting === 'time' ? power(gamma, elapsed) : gamma
}

/** Part of a network's outputs as a network of its own: those from `from` on. */
export function narrowed(
  { shape, weights }: LearnedPolicy,
  from: number,
  count: number,
  activation: Shape['layers'][number]['activation'],
): LearnedPolicy {
  const { layers, inputs } = shape
  const last = layers.at(-1)!
  const before = layers.at(-2)?.size ?? inputs
  const start = weights.length - (before + 1) * last.size
  const kept = new Float32Array(start + (before + 1) * count)
  kept.set(weights.subarray(0, start))
  for (let i = 0; i <= before; i++)
    kept.set(weights.subarray(start + i * last.size + from, start + i * last.size + from + count), start + i * count)
  return { shape: { inputs, layers: [...layers.slice(0, -1), { size: count, activation }] }, weights: kept }
}

/** A network of linear outputs, `each` for a number, as one that gives their means: `count` of them, those of the first from `from` on. */
export function averaged({ shape, weights }: LearnedPolicy, from: number, count: number, each: number): LearnedPolicy {
  const whole = narrowed({ shape, weights }, from, count * each, 'linear')
  const before = whole.shape.layers.at(-2)?.size ?? shape.inputs
  const start = whole.weights.length - (before + 1) * count * each
  const kept = new Float32Array(start + (before + 1) * count)
  kept.set(whole.weights.subarray(0, start))
  for (let at = 0; at < (before + 1) * count; at++) {
    const own = whole.weights.subarray(start + at * each, start + (at + 1) * each)
    kept[start + at] = own.reduce((sum, weight) => sum + weight, 0) / each
  }
  return { shape: { inputs: shape.inputs, layers: [...shape.layers.slice(0, -1), { size: count, activation: 'linear' }] }, weights: kept }
}
