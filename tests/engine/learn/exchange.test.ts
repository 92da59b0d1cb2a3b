// Files of networks: what goes out comes in again as it was, and what is damaged or strange is refused with a sentence.
import { chinese } from '../../help/languages.ts'
import { describe, expect, test } from 'vitest'
import { fromOnnx, fromSafetensors, toOnnx, toSafetensors, Unreadable } from '../../../sim-engine/learn/exchange.ts'
import { activations } from '../../../sim-engine/learn/net/ops.ts'
import { randomWeights, type Shape } from '../../../sim-engine/learn/net/shape.ts'
import { seeds, type Chance } from '../../help/random.ts'

const randomShape = (random: Chance): Shape => ({
  inputs: 1 + random.below(9),
  layers: Array.from({ length: 1 + random.below(4) }, () => ({ size: 1 + random.below(9), activation: random.pick(activations) })),
})

describe('files of networks', () => {
  test('files of networks: ONNX and safetensors give back shape and weights to the bit', () => {
    seeds(60, random => {
      const shape = randomShape(random)
      const network = { shape, weights: randomWeights(shape, random.below(1000)) }
      const softmax = random.chance(0.3)
      expect(fromOnnx(toOnnx(network, softmax))).toEqual({ ...network, softmax })
      expect(fromSafetensors(toSafetensors(network))).toEqual({ ...network, softmax: false })
    })
  })

  test('files of networks: damaged ones are refused with a sentence, never otherwise', () => {
    seeds(400, random => {
      const shape = randomShape(random)
      const network = { shape, weights: randomWeights(shape, 1) }
      for (const [write, read] of [
        [toOnnx, fromOnnx],
        [toSafetensors, fromSafetensors],
      ] as const) {
        const bytes = write(network)
        const changed = bytes.slice(0, random.chance(0.3) ? random.below(bytes.length) : bytes.length)
        for (let k = random.below(6); k >= 0 && changed.length > 0; k--) changed[random.below(changed.length)] = random.below(256)
        try {
          expect(read(changed).weights.every(Number.isFinite)).toBe(true)
        } catch (error) {
          if (!(error instanceof Unreadable)) throw error
          expect(chinese(error.words)).toMatch(/[\u4e00-\u9fff]/)
        }
      }
    })
  })

  test('files of networks: other layers, too large ones and texts say why', () => {
    const text = new TextEncoder().encode('this is no network at all')
    expect(() => fromOnnx(text)).toThrow(Unreadable)
    expect(() => fromSafetensors(text)).toThrow(Unreadable)
    expect(() => fromOnnx(new Uint8Array(17 * 1024 * 1024))).toThrow('16 MB')
    const wide: Shape = {
      inputs: 2,
      layers: [
        { size: 2000, activation: 'relu' },
        { size: 1, activation: 'linear' },
      ],
    }
    expect(() => fromOnnx(toOnnx({ shape: wide, weights: randomWeights(wide, 1) }))).toThrow('too large')
  })
})
