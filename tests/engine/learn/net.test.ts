// Networks: the WebAssembly kernels against their plain twin, gradients against differences, the optimiser against a written-out one.
import { describe, expect, test } from 'vitest'
import { createKernels } from '../../../sim-engine/learn/net/kernels.ts'
import { Net } from '../../../sim-engine/learn/net/net.ts'
import { activations, eachKernels, exp, tanh } from '../../../sim-engine/learn/net/ops.ts'
import { plainOps } from '../../../sim-engine/learn/net/plain.ts'
import { beyond, best, drawn, randomWeights, readLayers, softmax, weightCount, type Shape } from '../../../sim-engine/learn/net/shape.ts'
import { stream } from '../../../sim-engine/kernel/random.ts'
import { chance, seeds, type Chance } from '../../help/random.ts'

const bitsOf = (numbers: Float32Array): Uint32Array => new Uint32Array(numbers.slice().buffer)

function randomShape(random: Chance): Shape {
  const layers = Array.from({ length: 1 + random.below(3) }, () => ({ size: 1 + random.below(21), activation: random.pick(activations) }))
  return { inputs: 1 + random.below(13), layers }
}

describe('networks: kernels', () => {
  test('networks: vectors and the plain twin give the same bits, forward, backward and over steps', () => {
    expect(createKernels().form).toBe('vectors')
    seeds(60, random => {
      const shape = randomShape(random)
      const rows = 1 + random.below(9)
      const nets = [new Net(shape, rows), new Net(shape, rows, createKernels('plain'))]
      const weights = randomWeights(shape, random.below(1000))
      const inputs = Array.from({ length: rows * shape.inputs }, () => (random.next() - 0.5) * 8)
      const by = Array.from({ length: rows * shape.layers.at(-1)!.size }, () => random.next() - 0.5)
      const seen = nets.map(net => {
        net.weights = weights
        const outputs: Float32Array[] = []
        for (let turn = 0; turn < 2; turn++) {
          inputs.forEach((value, k) => (net.inputs[Math.floor(k / shape.inputs) * net.inputStride + (k % shape.inputs)] = value))
          net.forward(rows)
          outputs.push(net.outputs.slice())
          const size = shape.layers.at(-1)!.size
          by.forEach((value, k) => (net.byOutputs[Math.floor(k / size) * net.outputStride + (k % size)] = value))
          net.backward(rows, true)
          outputs.push(net.gradients, net.byInputs.slice())
          net.clip(0.5)
          net.adam(0.01)
        }
        return [...outputs, net.weights]
      })
      seen[0]!.forEach((one, k) => expect(bitsOf(one)).toEqual(bitsOf(seen[1]![k]!)))
    })
  })

  test('networks: wide layers behind cut-off ones give the bits of the plain twin, each row the same alone and among others', () => {
    seeds(12, random => {
      const shape: Shape = {
        inputs: 5,
        layers: [
          { size: 1 + random.below(150), activation: 'relu' },
          { size: 1 + random.below(70), activation: 'relu' },
          { size: 3, activation: 'tanh' },
        ],
      }
      const rows = 1 + random.below(6)
      const nets = [new Net(shape, rows), new Net(shape, rows, createKernels('plain')), new Net(shape)]
      const inputs = Array.from({ length: rows }, () => Array.from({ length: 5 }, () => (random.next() - 0.5) * 8))
      for (const net of nets) net.weights = randomWeights(shape, 3)
      for (const net of nets.slice(0, 2)) {
        inputs.forEach((row, r) => net.inputs.set(row, r * net.inputStride))
        net.forward(rows)
      }
      expect(bitsOf(nets[0]!.outputs)).toEqual(bitsOf(nets[1]!.outputs))
      inputs.forEach((row, r) => {
        const from = r * nets[0]!.outputStride
        expect(bitsOf(nets[2]!.predict(row))).toEqual(bitsOf(nets[0]!.outputs.slice(from, from + 3)))
      })
    })
  })

  test('networks: exp and tanh are close to the exact ones, also far out', () => {
    const random = chance(5)
    for (let k = 0; k < 20_000; k++) {
      const x = Math.fround((random.next() - 0.5) * (k % 2 === 0 ? 160 : 4))
      expect(Math.abs(exp(plainOps, x) / Math.exp(x) - 1)).toBeLessThan(3e-7)
      expect(Math.abs(tanh(plainOps, x) - Math.tanh(x))).toBeLessThan(3e-7)
    }
    expect(tanh(plainOps, 1000)).toBe(1)
    expect(tanh(plainOps, -1000)).toBe(-1)
    expect(new Set(eachKernels.map(({ name }) => name)).size).toBe(eachKernels.length)
  })

  test('networks: gradients equal finite differences', () => {
    seeds(25, random => {
      const smooth = activations.filter(kind => kind === 'tanh' || kind === 'sigmoid' || kind === 'linear')
      const shape: Shape = {
        inputs: 1 + random.below(5),
        layers: Array.from({ length: 1 + random.below(3) }, () => ({ size: 1 + random.below(6), activation: random.pick(smooth) })),
      }
      const rows = 1 + random.below(4)
      const weights = randomWeights(shape, random.below(1000))
      const inputs = Array.from({ length: rows * shape.inputs }, () => random.next() * 2 - 1)
      const net = new Net(shape, rows)
      net.weights = weights
      inputs.forEach((value, k) => (net.inputs[Math.floor(k / shape.inputs) * net.inputStride + (k % shape.inputs)] = value))
      net.forward(rows)
      net.byOutputs.fill(0)
      const size = shape.layers.at(-1)!.size
      for (let r = 0; r < rows; r++)
        for (let o = 0; o < size; o++) net.byOutputs[r * net.outputStride + o] = net.outputs[r * net.outputStride + o]!
      net.backward(rows)
      const found = net.gradients
      const h = 1e-5
      for (let k = 0; k < weights.length; k++) {
        const moved = (by: number): number =>
          loss(
            shape,
            Float64Array.from(weights, (w, at) => (at === k ? w + by : w)),
            inputs,
            rows,
          )
        expect(found[k]).toBeCloseTo((moved(h) - moved(-h)) / (2 * h), 4)
      }
    })
  })

  test('networks: Adam is the published one', () => {
    const net = new Net({ inputs: 1, layers: [{ size: 1, activation: 'linear' }] })
    net.weights = Float32Array.of(0.5, -0.25)
    let [w, m, v] = [0.5, 0, 0]
    for (let step = 1; step <= 20; step++) {
      const g = Math.fround(w * 2 - step / 10)
      net.gradients = Float32Array.of(g, 0)
      net.adam(0.05)
      m = 0.9 * m + 0.1 * g
      v = 0.999 * v + 0.001 * g * g
      w -= (0.05 * (m / (1 - 0.9 ** step))) / (Math.sqrt(v / (1 - 0.999 ** step)) + 1e-8)
      expect(net.weights[0]).toBeCloseTo(w, 4)
      expect(net.weights[1]).toBe(-0.25)
    }
  })

  test('networks: a target follows, saved learning goes on to the same bits', () => {
    const shape: Shape = {
      inputs: 3,
      layers: [
        { size: 5, activation: 'relu' },
        { size: 2, activation: 'linear' },
      ],
    }
    const kernels = createKernels()
    const [net, target] = [new Net(shape, 2, kernels), new Net(shape, 2, kernels)]
    net.weights = randomWeights(shape, 1)
    target.weights = randomWeights(shape, 2)
    const before = target.weights
    target.toward(net, 0.25)
    target.weights.forEach((w, k) => expect(w).toBeCloseTo(before[k]! * 0.75 + net.weights[k]! * 0.25, 6))
    target.toward(net, 1)
    expect(target.weights).toEqual(net.weights)
    const learn = (one: Net): void => {
      one.inputs.fill(0.5)
      one.forward(2)
      one.byOutputs.fill(0.3)
      one.backward(2)
      one.adam(0.01)
    }
    learn(net)
    const saved = net.save()
    learn(net)
    const other = new Net(shape, 2)
    other.load(saved)
    learn(other)
    expect(other.weights).toEqual(net.weights)
  })
})

describe('networks: shapes', () => {
  test('networks: layers are read as they are written, or refused', () => {
    expect(readLayers('64, 32 tanh', 'relu')).toEqual([
      { size: 64, activation: 'relu' },
      { size: 32, activation: 'tanh' },
    ])
    expect(readLayers(' ', 'relu')).toEqual([])
    for (const wrong of ['64,', 'a', '64 soft', '0', '-3', '1.5', '64 64']) expect(readLayers(wrong, 'relu')).toBeNull()
    const wide: Shape = {
      inputs: 4,
      layers: [
        { size: 2000, activation: 'relu' },
        { size: 2, activation: 'linear' },
      ],
    }
    expect(beyond(wide)).toEqual({ what: 'width', is: 2000, most: 1024 })
    expect(beyond({ inputs: 4, layers: [{ size: 2, activation: 'linear' }] })).toBeNull()
  })

  test('networks: shares add up to 1, draws follow them, the first best wins', () => {
    const shares = softmax([1, 2, -Infinity, 3])
    expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 12)
    expect(shares[2]).toBe(0)
    expect(best([1, 3, 3, 2])).toBe(1)
    const draws = stream(1, 0, 'test')
    const counts = [0, 0, 0, 0]
    for (let k = 0; k < 20_000; k++) counts[drawn(shares, draws)]!++
    expect(counts[2]).toBe(0)
    counts.forEach((count, k) => expect(Math.abs(count / 20_000 - shares[k]!)).toBeLessThan(0.015))
  })
})

/** Half the sum of squares of the outputs, in double precision. */
function loss(shape: Shape, weights: Float64Array, inputs: readonly number[], rows: number): number {
  expect(weights.length).toBe(weightCount(shape))
  let sum = 0
  for (let r = 0; r < rows; r++) {
    let values = inputs.slice(r * shape.inputs, (r + 1) * shape.inputs)
    let at = 0
    for (const { size, activation } of shape.layers) {
      const next = Array.from({ length: size }, (_, o) => {
        let total = weights[at + values.length * size + o]!
        values.forEach((value, i) => (total += value * weights[at + i * size + o]!))
        return activation === 'tanh' ? Math.tanh(total) : activation === 'sigmoid' ? 1 / (1 + Math.exp(-total)) : total
      })
      at += (values.length + 1) * size
      values = next
    }
    for (const value of values) sum += (value * value) / 2
  }
  return sum
}
