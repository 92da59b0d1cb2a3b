// A network with its weights, ready to calculate: forward, gradients backward, and steps of the optimiser.
import { createKernels, type Kernels } from './kernels.ts'
import { outputsOf, weightCount, type Shape, type Weights } from './shape.ts'

const padded = (count: number): number => Math.ceil(count / 4) * 4

/** Where a layer is: addresses of its weights, biases and outputs, how many numbers come in and go out, and how many places a row has. */
type Place = {
  readonly before: number
  readonly size: number
  readonly stride: number
  readonly weights: number
  readonly biases: number
  readonly outputs: number
  readonly act: ((address: number, vectors: number) => void) | null
  readonly slope: string
  /** Many of the numbers that come in are 0. */
  readonly sparse: boolean
}

/** What only learning needs. */
type Learning = {
  /** As many numbers as weights have places: gradients, and the optimiser's two moments. */
  readonly gradients: number
  readonly means: number
  readonly squares: number
  /** Gradients by what each layer gives, and by the inputs. */
  readonly by: readonly number[]
  readonly byInputs: number
  readonly turned: number
  steps: number
}

export class Net {
  readonly shape: Shape
  readonly most: number
  readonly inputStride: number
  readonly outputStride: number
  readonly kernels: Kernels
  readonly #inputs: number
  readonly #places: readonly Place[]
  /** Address and length of all weights, their padding included. */
  readonly #start: number
  readonly #length: number
  readonly #zeros: number
  readonly #one: number
  #learning: Learning | null = null
  #firstOutputs: Float32Array = new Float32Array(0)

  /** `most`: rows that it can calculate at once. */
  constructor(shape: Shape, most = 1, kernels = createKernels()) {
    this.shape = shape
    this.most = most
    this.kernels = kernels
    this.inputStride = padded(shape.inputs)
    this.outputStride = padded(outputsOf(shape))
    let before = shape.inputs
    let length = 0
    const sizes = shape.layers.map(({ size, activation }) => {
      const one = { before, size, stride: padded(size), at: length, activation }
      length += (before + 1) * one.stride
      before = size
      return one
    })
    this.#length = length
    this.#start = kernels.allocate(length)
    this.#inputs = kernels.allocate(most * this.inputStride)
    this.#places = sizes.map(({ before: into, size, stride, at, activation }, k) => ({
      before: into,
      size,
      stride,
      weights: this.#start + at * 4,
      biases: this.#start + (at + into * stride) * 4,
      outputs: kernels.allocate(most * stride),
      act: activation === 'linear' ? null : kernels.each[`act_${activation}`]!,
      slope: `slope_${activation}`,
      sparse: shape.layers[k - 1]?.activation === 'relu',
    }))
    this.#zeros = kernels.allocate(Math.max(...sizes.map(({ stride }) => stride), this.inputStride))
    this.#one = kernels.allocate(4)
    kernels.floats[this.#one / 4] = 1
    // A later allocation would replace the memory under its readers.
    if (most > 1) this.#forLearning()
  }

  /** The inputs, row after row of `inputStride` numbers each: to be written before `forward`. */
  get inputs(): Float32Array {
    return this.kernels.floats.subarray(this.#inputs / 4, this.#inputs / 4 + this.most * this.inputStride)
  }

  /** The outputs, row after row of `outputStride` numbers each: there after `forward`. */
  get outputs(): Float32Array {
    const { outputs, stride } = this.#places.at(-1)!
    return this.kernels.floats.subarray(outputs / 4, outputs / 4 + this.most * stride)
  }

  /** What a layer gave to a row in the last `forward`. */
  layerOutputs(layer: number, row = 0): Float32Array {
    const { outputs, stride, size } = this.#places[layer]!
    return this.kernels.floats.slice(outputs / 4 + row * stride, outputs / 4 + row * stride + size)
  }

  forward(rows = 1): void {
    const { product, sparseProduct } = this.kernels
    let [from, stride] = [this.#inputs, this.inputStride]
    for (const { before, stride: width, weights, biases, outputs, act, sparse } of this.#places) {
      if (sparse) sparseProduct(from, stride * 4, weights, width * 4, biases, outputs, width * 4, rows, before, width / 4)
      else product(from, stride * 4, weights, width * 4, biases, 0, outputs, width * 4, rows, before, width / 4)
      act?.(outputs, (rows * width) / 4)
      from = outputs
      stride = width
    }
  }

  /** One row of numbers in, one out; the array is used again by the next call. */
  predict(values: ArrayLike<number>): Float32Array {
    const { floats } = this.kernels
    const at = this.#inputs / 4
    for (let k = 0; k < this.shape.inputs; k++) floats[at + k] = values[k]!
    this.forward(1)
    // Views are slow to make: one is made for each memory.
    if (this.#firstOutputs.buffer !== floats.buffer) {
      const { outputs, size } = this.#places.at(-1)!
      this.#firstOutputs = floats.subarray(outputs / 4, outputs / 4 + size)
    }
    return this.#firstOutputs
  }

  #forLearning(): Learning {
    if (this.#learning) return this.#learning
    const { kernels } = this
    this.#learning = {
      gradients: kernels.allocate(this.#length),
      means: kernels.allocate(this.#length),
      squares: kernels.allocate(this.#length),
      by: this.#places.map(({ stride }) => kernels.allocate(this.most * stride)),
      byInputs: kernels.allocate(this.most * this.inputStride),
      turned: kernels.allocate(Math.max(...this.#places.map(({ before, size }) => padded(before) * size))),
      steps: 0,
    }
    return this.#learning
  }

  /** Gradients of the loss by the outputs, laid out as these: to be written before `backward`. */
  get byOutputs(): Float32Array {
    const at = this.#forLearning().by.at(-1)! / 4
    return this.kernels.floats.subarray(at, at + this.most * this.outputStride)
  }

  /** Gradients of the loss by the inputs: there after `backward(rows, true)`. */
  get byInputs(): Float32Array {
    const at = this.#forLearning().byInputs / 4
    return this.kernels.floats.subarray(at, at + this.most * this.inputStride)
  }

  /** The sum of the rows' gradients by all weights takes the place of what was there. Follows a `forward` of the same rows. */
  backward(rows: number, toInputs = false): void {
    const learning = this.#forLearning()
    const { kernels } = this
    const { product, turnedProduct, each } = kernels
    for (let k = this.#places.length - 1; k >= 0; k--) {
      const place = this.#places[k]!
      const by = learning.by[k]!
      const lower = this.#places[k - 1]
      const [from, fromStride] = lower ? [lower.outputs, lower.stride] : [this.#inputs, this.inputStride]
      if (place.slope !== 'slope_linear') each[place.slope]!(place.outputs, by, (rows * place.stride) / 4)
      const gradients = learning.gradients + place.weights - this.#start
      const vectors = place.stride / 4
      const row = place.stride * 4
      turnedProduct(from, fromStride * 4, by, row, this.#zeros, 0, gradients, row, place.before, rows, vectors)
      turnedProduct(this.#one, 0, by, row, this.#zeros, 0, gradients + place.before * row, row, 1, rows, vectors)
      if (lower || toInputs) {
        this.#turn(place, learning.turned)
        const [to, toStride] = lower ? [learning.by[k - 1]!, lower.stride] : [learning.byInputs, this.inputStride]
        product(by, row, learning.turned, toStride * 4, this.#zeros, 0, to, toStride * 4, rows, place.size, toStride / 4)
      }
    }
  }

  /** Weights by output: lanes then go over inputs. */
  #turn({ weights, before, size, stride }: Place, to: number): void {
    const { floats } = this.kernels
    const [from, into, width] = [weights / 4, to / 4, padded(before)]
    for (let o = 0; o < size; o++) for (let i = 0; i < before; i++) floats[into + o * width + i] = floats[from + i * stride + o]!
  }

  /** Length of the gradient. */
  norm(): number {
    const { floats } = this.kernels
    const at = this.#forLearning().gradients / 4
    let sum = 0
    for (let k = at; k < at + this.#length; k++) sum += floats[k]! * floats[k]!
    return Math.sqrt(sum)
  }

  /** The gradient, no longer than that. Returns how long it was. */
  clip(most: number): number {
    const norm = this.norm()
    if (norm > most) this.kernels.each['scale']!(this.#forLearning().gradients, this.#length / 4, most / norm)
    return norm
  }

  /** A step against the gradient (Kingma and Ba 2015). */
  adam(rate: number, epsilon = 1e-8): void {
    const learning = this.#forLearning()
    const steps = ++learning.steps
    const [first, second] = [1 - power(0.9, steps), Math.sqrt(1 - power(0.999, steps))]
    this.kernels.each['adam']!(
      this.#start,
      learning.gradients,
      learning.means,
      learning.squares,
      this.#length / 4,
      (rate * second) / first,
      0.9,
      1 - 0.9,
      0.999,
      1 - 0.999,
      epsilon * second,
    )
  }

  sgd(rate: number): void {
    this.kernels.each['sgd']!(this.#start, this.#forLearning().gradients, this.#length / 4, rate)
  }

  /** Moves a part of the way to another network of the same shape; they share their kernels. */
  toward(other: Net, part: number): void {
    if (other.kernels !== this.kernels) throw new RangeError('net: networks that follow each other share a memory')
    if (part === 1) this.kernels.floats.copyWithin(this.#start / 4, other.#start / 4, other.#start / 4 + this.#length)
    else this.kernels.each['toward']!(this.#start, other.#start, this.#length / 4, part)
  }

  #gather(start: number): Float32Array {
    const { floats } = this.kernels
    const all = new Float32Array(weightCount(this.shape))
    let to = 0
    for (const { before, size, stride, weights } of this.#places)
      for (let i = 0; i <= before; i++) {
        const from = (start + weights - this.#start) / 4 + i * stride
        all.set(floats.subarray(from, from + size), to)
        to += size
      }
    return all
  }

  #scatter(start: number, all: Float32Array): void {
    if (all.length !== weightCount(this.shape)) throw new RangeError(`net: ${all.length} weights instead of ${weightCount(this.shape)}`)
    const { floats } = this.kernels
    let from = 0
    for (const { before, size, stride, weights } of this.#places)
      for (let i = 0; i <= before; i++) {
        floats.set(all.subarray(from, from + size), (start + weights - this.#start) / 4 + i * stride)
        from += size
      }
  }

  get weights(): Weights {
    return this.#gather(this.#start)
  }

  set weights(all: Weights) {
    this.#scatter(this.#start, all)
  }

  /** Makes the only output of a linear last layer so many times as large. */
  scaleOutput(times: number): void {
    const { floats } = this.kernels
    const { before, stride, weights } = this.#places.at(-1)!
    for (let i = 0; i <= before; i++) floats[weights / 4 + i * stride]! *= times
  }

  /** In the order of weights. */
  get gradients(): Float32Array {
    return this.#gather(this.#forLearning().gradients)
  }

  set gradients(all: Float32Array) {
    this.#scatter(this.#forLearning().gradients, all)
  }

  /** All that learning has changed. */
  save(): SavedNet {
    const { means, squares, steps } = this.#forLearning()
    return { weights: this.weights, means: this.#gather(means), squares: this.#gather(squares), steps }
  }

  load(saved: SavedNet): void {
    const learning = this.#forLearning()
    this.weights = saved.weights
    this.#scatter(learning.means, saved.means)
    this.#scatter(learning.squares, saved.squares)
    learning.steps = saved.steps
  }
}

export type SavedNet = { weights: Float32Array; means: Float32Array; squares: Float32Array; steps: number }

/** A number to a whole power by repeated multiplication: the same on every machine. */
function power(base: number, exponent: number): number {
  let [result, square] = [1, base]
  for (let left = exponent; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) result *= square
    square *= square
  }
  return result
}
