// Supervised training of a dense network: a table's inputs to its targets, by Adam on batches, until the validation error no longer falls. Inputs and
// targets are standardised meanwhile; the result takes and gives the numbers of the table.
import * as math from '../../kernel/math.ts'
import { shuffle, stream } from '../../kernel/random.ts'
import { Net } from '../net/net.ts'
import { best, beyond, randomWeights, readLayers, softmax, weightCount, type Shape, type Weights } from '../net/shape.ts'
import type { Activation } from '../net/ops.ts'
import { columnsOf, FitFault, splitRows, type NumberTable, type Split } from './data.ts'
import { say } from '../../../model-schema/words.ts'

/** What is asked for. `loss`: squared differences, or the cross-entropy of a choice (its target is the number of the choice, from 0). */
export type FitPlan = {
  readonly table: NumberTable
  readonly inputs: readonly string[]
  readonly targets: readonly string[]
  readonly loss: 'squared' | 'choice'
  /** Outputs of a choice; null: one more than the greatest number in the table. */
  readonly choices: number | null
  readonly layers: string
  readonly activation: Activation
  readonly seed: number
  /** Passes over the rows, at most: 1 .. 100,000. */
  readonly epochs: number
  readonly batch: number
  readonly learningRate: number
  /** Epochs without a better validation error after which it ends. */
  readonly patience: number
}

export const fitDefaults = {
  loss: 'squared',
  choices: null,
  layers: '64,64',
  activation: 'tanh',
  seed: 1,
  epochs: 200,
  batch: 64,
  learningRate: 1e-3,
  patience: 20,
} as const

/** Mean losses of an epoch: of standardised targets, or in nats of a choice. */
export type FitRow = { readonly epoch: number; readonly training: number; readonly validation: number }

/** `quality`: of the test rows, the share of the variance explained (R squared), or the share of choices that are right. */
export type Fitted = {
  readonly shape: Shape
  readonly weights: Weights
  readonly epoch: number
  readonly quality: number
  /** The same of the mean, or of the most frequent choice: what no inputs at all give. */
  readonly base: number
  readonly rows: Split
}

type Scale = { readonly mean: number; readonly spread: number }

function scaleOf(column: Float64Array, rows: readonly number[]): Scale {
  let mean = 0
  for (const row of rows) mean += column[row]! / rows.length
  let square = 0
  for (const row of rows) square += (column[row]! - mean) ** 2 / rows.length
  return { mean, spread: square > 1e-20 ? Math.sqrt(square) : 1 }
}

type Prepared = {
  readonly plan: FitPlan
  readonly inputs: readonly Float64Array[]
  readonly targets: readonly Float64Array[]
  readonly shape: Shape
  readonly split: Split
  readonly inputScales: readonly Scale[]
  readonly targetScales: readonly Scale[]
}

function prepared(plan: FitPlan): Prepared {
  const { table, loss } = plan
  const [inputs, targets] = [columnsOf(table, plan.inputs, 'inputs'), columnsOf(table, plan.targets, 'targets')]
  const both = plan.inputs.find(name => plan.targets.includes(name))
  if (both !== undefined) throw new FitFault('targets', say('Column "{both}" is an input and a target.', { both }))
  if (table.rows < 10) throw new FitFault('data', say('At least 10 rows are needed.'))
  const fits = (value: number, low: number, high: number): boolean => value >= low && value <= high
  if (
    !fits(plan.epochs, 1, 100_000) ||
    !fits(plan.batch, 1, 65_536) ||
    !fits(plan.learningRate, 1e-9, 10) ||
    !fits(plan.patience, 1, 100_000)
  )
    throw new FitFault(
      'settings',
      say('Epochs and patience are 1 to 100,000, rows of a batch 1 to 65,536, the learning rate above 0 and at most 10.'),
    )
  const shape = shapeOfPlan(plan, targets)
  const split = splitRows(table.rows, plan.seed)
  return {
    plan,
    inputs,
    targets,
    shape,
    split,
    inputScales: inputs.map(column => scaleOf(column, split.training)),
    targetScales: loss === 'choice' ? [] : targets.map(column => scaleOf(column, split.training)),
  }
}

function shapeOfPlan(plan: FitPlan, targets: readonly Float64Array[]): Shape {
  const hidden = readLayers(plan.layers, plan.activation)
  if (hidden === null) throw new FitFault('layers', say('Hidden layers are sizes separated by commas, such as 64,64.'))
  const outputs = plan.loss === 'choice' ? choicesOf(plan, targets) : targets.length
  const shape: Shape = { inputs: plan.inputs.length, layers: [...hidden, { size: outputs, activation: 'linear' }] }
  const over = beyond(shape)
  if (over !== null)
    throw new FitFault('layers', say('The network is too large: {is} where {most} are possible.', { is: over.is, most: over.most }))
  return shape
}

function choicesOf({ targets: names, choices }: FitPlan, targets: readonly Float64Array[]): number {
  const [column] = targets
  if (targets.length !== 1) throw new FitFault('targets', say('A choice has one target column.'))
  let most = 0
  for (const value of column!) {
    if (!Number.isInteger(value) || value < 0 || value >= (choices ?? 512))
      throw new FitFault(
        'targets',
        say('Choices are whole numbers from 0 to {choices}; "{name}" has {value}.', {
          choices: (choices ?? 512) - 1,
          name: names[0] ?? '',
          value,
        }),
      )
    most = Math.max(most, value)
  }
  return choices ?? Math.max(2, most + 1)
}

/**
 * Gives the losses of each epoch and returns the network with the lowest validation error; asked to `return` early it may be asked for that by `fitted`.
 * Throws FitFault for what cannot be fitted. The same plan gives the same bits everywhere.
 */
export class Fitting {
  readonly rows: FitRow[] = []
  readonly #all: Prepared
  readonly #net: Net
  readonly #order: ReturnType<typeof stream>
  #best: { epoch: number; loss: number; weights: Weights }

  constructor(plan: FitPlan) {
    const all = prepared(plan)
    this.#all = all
    this.#net = new Net(all.shape, Math.min(plan.batch, Math.max(1, all.split.training.length)))
    this.#net.weights = randomWeights(all.shape, plan.seed)
    this.#order = stream(plan.seed, 0, 'order of rows')
    this.#best = { epoch: 0, loss: this.#loss(all.split.validation), weights: this.#net.weights }
  }

  /** One pass over the rows; true while there is more to come. */
  epoch(): boolean {
    const { plan, split } = this.#all
    const mixed = [...split.training]
    shuffle(this.#order, mixed)
    let training = 0
    for (let first = 0; first < mixed.length; first += this.#net.most) {
      const some = mixed.slice(first, first + this.#net.most)
      training += this.#forward(some, true) / mixed.length
      this.#net.backward(some.length)
      this.#net.adam(plan.learningRate)
    }
    const validation = this.#loss(split.validation)
    if (!Number.isFinite(training) || !Number.isFinite(validation))
      throw new FitFault('settings', say('The weights grew without bound. Try a lower learning rate.'))
    const epoch = this.rows.length + 1
    this.rows.push({ epoch, training, validation })
    if (validation < this.#best.loss) this.#best = { epoch, loss: validation, weights: this.#net.weights }
    return epoch < plan.epochs && epoch - this.#best.epoch < plan.patience
  }

  /** The network with the lowest validation error so far, in the numbers of the table, and what it is worth on rows it has not seen. */
  fitted(): Fitted {
    const { shape, split, plan, targets } = this.#all
    const weights = unscaled(this.#all, this.#best.weights)
    const net = new Net(shape)
    net.weights = weights
    const quality =
      plan.loss === 'choice'
        ? rightShare(this.#all, row => best(net.predict(this.#raw(row))))
        : explained(this.#all, row => net.predict(this.#raw(row)))
    const usual = plan.loss === 'choice' ? mostFrequent(targets[0]!, split.training) : 0
    const base = plan.loss === 'choice' ? rightShare(this.#all, () => usual) : 0
    return { shape, weights, epoch: this.#best.epoch, quality, base, rows: split }
  }

  #raw(row: number): number[] {
    return this.#all.inputs.map(column => column[row]!)
  }

  /** Mean loss of rows. */
  #loss(rows: readonly number[]): number {
    let sum = 0
    for (let first = 0; first < rows.length; first += this.#net.most) sum += this.#forward(rows.slice(first, first + this.#net.most), false)
    return sum / rows.length
  }

  /** Sum of the losses of rows; `learns`: the gradients of their mean are left where `backward` finds them. */
  #forward(rows: readonly number[], learns: boolean): number {
    const { inputs, targets, inputScales, targetScales, plan } = this.#all
    const net = this.#net
    const into = net.inputs
    rows.forEach((row, r) =>
      inputs.forEach((column, k) => (into[r * net.inputStride + k] = (column[row]! - inputScales[k]!.mean) / inputScales[k]!.spread)),
    )
    net.forward(rows.length)
    const { outputs, outputStride: stride } = net
    const by = learns ? net.byOutputs : null
    by?.fill(0)
    let loss = 0
    rows.forEach((row, r) => {
      if (plan.loss === 'choice') {
        const shares = softmax(outputs, r * stride, this.#net.shape.layers.at(-1)!.size)
        const right = targets[0]![row]!
        loss -= math.log(Math.max(1e-30, shares[right]!))
        if (by) shares.forEach((share, k) => (by[r * stride + k] = (share - (k === right ? 1 : 0)) / rows.length))
        return
      }
      targets.forEach((column, k) => {
        const { mean, spread } = targetScales[k]!
        const error = outputs[r * stride + k]! - (column[row]! - mean) / spread
        loss += (error * error) / targets.length
        if (by) by[r * stride + k] = (2 * error) / targets.length / rows.length
      })
    })
    return loss
  }
}

/** Weights for the numbers of the table instead of standardised ones. */
function unscaled({ shape, inputScales, targetScales }: Prepared, weights: Weights): Weights {
  const all = Float64Array.from(weights)
  const first = shape.layers[0]!.size
  inputScales.forEach(({ mean, spread }, i) => {
    for (let o = 0; o < first; o++) {
      all[i * first + o]! /= spread
      all[shape.inputs * first + o]! -= all[i * first + o]! * mean
    }
  })
  const last = shape.layers.at(-1)!.size
  const before = shape.layers.at(-2)?.size ?? shape.inputs
  const start = weightCount(shape) - (before + 1) * last
  targetScales.forEach(({ mean, spread }, o) => {
    for (let i = 0; i <= before; i++) all[start + i * last + o]! *= spread
    all[start + before * last + o]! += mean
  })
  return Float32Array.from(all)
}

function explained({ targets, split }: Prepared, predict: (row: number) => ArrayLike<number>): number {
  let [left, all] = [0, 0]
  targets.forEach((column, k) => {
    const { mean, spread } = scaleOf(column, split.test)
    for (const row of split.test) {
      left += ((column[row]! - predict(row)[k]!) / spread) ** 2
      all += ((column[row]! - mean) / spread) ** 2
    }
  })
  return all === 0 ? 0 : 1 - left / all
}

function rightShare({ targets, split }: Prepared, choose: (row: number) => number): number {
  let right = 0
  for (const row of split.test) if (choose(row) === targets[0]![row]!) right++
  return right / split.test.length
}

function mostFrequent(column: Float64Array, rows: readonly number[]): number {
  const counts = new Map<number, number>()
  for (const row of rows) counts.set(column[row]!, (counts.get(column[row]!) ?? 0) + 1)
  return [...counts].toSorted(([a, m], [b, n]) => n - m || a - b)[0]?.[0] ?? 0
}
