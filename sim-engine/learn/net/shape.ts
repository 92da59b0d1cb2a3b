// A dense network as a plain value: its sizes, and its weights as one array of single-precision numbers in a fixed order.
import { bits, stream, uniform, type Stream } from '../../kernel/random.ts'
import * as math from '../../kernel/math.ts'
import { activations, type Activation } from './ops.ts'

export type Layer = { readonly size: number; readonly activation: Activation }

/** `layers`: the hidden ones in their order, then that of the outputs. */
export type Shape = { readonly inputs: number; readonly layers: readonly Layer[] }

/**
 * Of each layer first its weights, those from input 0 to all outputs, then those from input 1 ..., then its biases. All are finite.
 * Its length is `weightCount(shape)`.
 */
export type Weights = Float32Array

export const limits = { inputs: 512, outputs: 512, hidden: 8, width: 1024, weights: 2_000_000 } as const

export const outputsOf = ({ layers }: Shape): number => layers.at(-1)?.size ?? 0

export function weightCount({ inputs, layers }: Shape): number {
  let [count, before] = [0, inputs]
  for (const { size } of layers) {
    count += (before + 1) * size
    before = size
  }
  return count
}

/** Reads `64, 32 tanh`: sizes of hidden layers, each with an activation of its own if it is written behind. Null when it isn't that. */
export function readLayers(text: string, activation: Activation): Layer[] | null {
  if (text.trim() === '') return []
  const layers = text.split(',').map(part => {
    const [, size = '', own] = /^\s*(\d+)\s*([a-z_]+)?\s*$/.exec(part) ?? []
    const kind = activations.find(one => one === (own ?? activation))
    return size === '' || kind === undefined || Number(size) < 1 ? null : { size: Number(size), activation: kind }
  })
  return layers.some(layer => layer === null) ? null : layers.filter(layer => layer !== null)
}

/** The first bound that a shape exceeds: its subject, the number, and the limit. */
export function beyond(shape: Shape): { what: 'inputs' | 'outputs' | 'hidden' | 'width' | 'weights'; is: number; most: number } | null {
  const hidden = shape.layers.slice(0, -1)
  const figures = [
    ['inputs', shape.inputs],
    ['outputs', outputsOf(shape)],
    ['hidden', hidden.length],
    ['width', Math.max(0, ...hidden.map(({ size }) => size))],
    ['weights', weightCount(shape)],
  ] as const
  for (const [what, is] of figures) if (is > limits[what]) return { what, is, most: limits[what] }
  return null
}

/**
 * Random weights: He's uniform distribution before units that cut off, Glorot's before all others; biases are 0. `last` multiplies those of the
 * output layer: small ones make a first policy that favours nothing.
 */
export function randomWeights(shape: Shape, seed: number, last = 1): Weights {
  const weights = new Float32Array(weightCount(shape))
  const draws = stream(seed, 0, 'network weights')
  let [at, before] = [0, shape.inputs]
  shape.layers.forEach(({ size, activation }, k) => {
    const cuts = activation === 'relu' || activation === 'leaky_relu' || activation === 'elu'
    const reach = Math.sqrt(cuts ? 6 / before : 6 / (before + size)) * (k === shape.layers.length - 1 ? last : 1)
    for (let i = 0; i < before * size; i++) weights[at++] = (2 * uniform(draws) - 1) * reach
    at += size
    before = size
  })
  return weights
}

/** A standard normal number: two draws (Box and Muller 1958). */
export function normal(draws: Stream): number {
  const radius = Math.sqrt(-2 * math.log((bits(draws) + 0.5) / 4294967296))
  return radius * math.cos(6.283185307179586 * uniform(draws))
}

/** Each number over e to it, the greatest taken off before: they add up to 1. */
export function softmax(values: ArrayLike<number>, from = 0, count = values.length - from): number[] {
  let most = -Infinity
  for (let k = 0; k < count; k++) most = Math.max(most, values[from + k]!)
  const shares: number[] = []
  let sum = 0
  for (let k = 0; k < count; k++) {
    const share = math.exp(Math.max(values[from + k]! - most, -1e9))
    shares.push(share)
    sum += share
  }
  return shares.map(share => share / sum)
}

/** Which of them one draw gives, by their shares. */
export function drawn(shares: readonly number[], draws: Stream): number {
  let left = uniform(draws)
  let last = 0
  for (const [k, share] of shares.entries()) {
    if (share <= 0) continue
    last = k
    left -= share
    if (left < 0) return k
  }
  return last
}

/** Index of the largest; of several the first. */
export function best(values: ArrayLike<number>, from = 0, count = values.length - from): number {
  let at = 0
  for (let k = 1; k < count; k++) if (values[from + k]! > values[from + at]!) at = k
  return at
}

/** The index of the largest value among the allowed ones; of equals the first. */
export function bestAllowed(values: ArrayLike<number>, allowed: readonly boolean[] | null, from = 0, count = values.length - from): number {
  if (allowed === null) return best(values, from, count)
  let at = -1
  for (let k = 0; k < count; k++) if (allowed[k] === true && (at < 0 || values[from + k]! > values[from + at]!)) at = k
  return at
}
