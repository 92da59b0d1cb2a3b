// Networks as other programs calculate them: ONNX Runtime reads the files that are written here and gives the same numbers.
import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import { toOnnx } from '../../../sim-engine/learn/exchange.ts'
import { Net } from '../../../sim-engine/learn/net/net.ts'
import { activations } from '../../../sim-engine/learn/net/ops.ts'
import { outputsOf, randomWeights, softmax, type Shape } from '../../../sim-engine/learn/net/shape.ts'
import { chance, type Chance } from '../../help/random.ts'

type Tensor = { readonly data: Float32Array; readonly dims: readonly number[] }
type Session = { run(given: { inputs: Tensor }): Promise<{ outputs: Tensor }>; release(): Promise<void> }
type Runtime = {
  readonly env: { readonly wasm: { numThreads: number } }
  readonly InferenceSession: { create(file: Uint8Array): Promise<Session> }
  readonly Tensor: new (type: 'float32', data: Float32Array, dims: readonly number[]) => Tensor
}

// Its own types need those of a browser's GPU.
const runtime: Runtime = createRequire(import.meta.url)('onnxruntime-web')
runtime.env.wasm.numThreads = 1

const rows = 1000

/** Numbers from -3 to 3 for a thousand rows. */
const inputsOf = ({ inputs }: Shape, random: Chance): Float32Array =>
  Float32Array.from({ length: rows * inputs }, () => 6 * random.next() - 3)

/** The largest difference between what ONNX Runtime and the engine make of a network, in parts of outputs beyond 1. */
async function difference(shape: Shape, shares: boolean, random: Chance): Promise<number> {
  const weights = randomWeights(shape, random.below(1000))
  // Random weights have biases of 0, which would hide where they are left out.
  weights.forEach((weight, k) => (weights[k] = weight === 0 ? random.next() - 0.5 : weight))
  const given = inputsOf(shape, random)
  const session = await runtime.InferenceSession.create(toOnnx({ shape, weights }, shares))
  const { outputs } = await session.run({ inputs: new runtime.Tensor('float32', given, [rows, shape.inputs]) })
  await session.release()
  const count = outputsOf(shape)
  expect(outputs.dims).toEqual([rows, count])
  const net = new Net(shape, 1)
  net.weights = weights
  let largest = 0
  for (let row = 0; row < rows; row++) {
    const raw = net.predict(given.subarray(row * shape.inputs, (row + 1) * shape.inputs))
    const own = shares ? softmax(raw) : raw
    for (let k = 0; k < count; k++) {
      const other = outputs.data[row * count + k]!
      largest = Math.max(largest, Math.abs(own[k]! - other) / Math.max(1, Math.abs(other)))
    }
  }
  return largest
}

test.each(activations.flatMap(activation => [false, true].map(shares => [activation, shares] as const)))(
  'ONNX Runtime: hidden layers of %s, shares %s: within 1e-5 for 1,000 inputs',
  async (activation, shares) => {
    const layer = { size: 64, activation }
    const shape: Shape = { inputs: 4, layers: [layer, layer, { size: 3, activation: 'linear' }] }
    expect(await difference(shape, shares, chance(1))).toBeLessThan(1e-5)
  },
)

test('ONNX Runtime: networks of any layers, without hidden ones and with activated outputs: within 1e-5 for 1,000 inputs', async () => {
  for (let seed = 1; seed <= 20; seed++) {
    const random = chance(seed)
    const layers = Array.from({ length: 1 + random.below(4) }, () => ({ size: 1 + random.below(40), activation: random.pick(activations) }))
    const shape: Shape = { inputs: 1 + random.below(20), layers }
    expect(await difference(shape, random.chance(0.3), random), `seed ${seed}`).toBeLessThan(1e-5)
  }
})
