// Weights of a network from files: taken where they fit the Decide steps that ask the network, refused with the reason where they do not.
import { chinese } from '../../help/languages.ts'
import { describe, expect, test } from 'vitest'
import { misfit, unitsOf, weightsOf } from '../../../client/panels/network/weights.ts'
import { fieldsOfNetwork, MOST_KEPT, toOnnx, toSafetensors, type Shape } from '../../../sim-engine/network.ts'
import { randomWeights } from '../../../sim-engine/learn/net/shape.ts'
import { element, end, every, model, process, scenario, start, variable, type Built } from '../../help/models.ts'
import { english } from '../../../model-schema/words.ts'

const shapeOf = (inputs: number, outputs: number): Shape => ({
  inputs,
  layers: [
    { size: 8, activation: 'tanh' },
    { size: outputs, activation: 'linear' },
  ],
})
const networkOf = (inputs: number, outputs: number) => {
  const shape = shapeOf(inputs, outputs)
  return { shape, weights: randomWeights(shape, 1) }
}

const asked = (): Built =>
  model(
    scenario(),
    variable('a', 0),
    element('network', 'net', { inputs: 2, outputs: 3, layers: '8' }),
    process(
      'P',
      start(every(1)),
      element('decide', 'Choose', {
        policy: 'network',
        network: 'net',
        observation: [
          { name: 'x', value: '1', low: 0, high: 1 },
          { name: 'y', value: '2', low: 0, high: 1 },
        ],
        actions: [{ variable: 'a', low: 0, high: 2, whole: true }],
        reward: '0',
      }),
      end(),
    ),
  )

describe('network: weights from files', () => {
  test('network: ONNX and safetensors that fit give its fields', () => {
    const { model: made, id } = asked()
    const network = networkOf(2, 3)
    for (const [name, bytes] of [
      ['policy.onnx', toOnnx(network)],
      ['policy.safetensors', toSafetensors(network)],
    ] as const)
      expect(weightsOf(bytes, name, made, id('net'))).toEqual({ fields: fieldsOfNetwork(network, 'file', name) })
  })

  test('network: other sizes, too many weights and damaged files are refused with the reason', () => {
    const { model: made, id } = asked()
    const why = (bytes: Uint8Array, name = 'p.onnx'): string => {
      const read = weightsOf(bytes, name, made, id('net'))
      return 'words' in read ? `${english(read.words)} ${chinese(read.words)}` : ''
    }
    expect(why(toOnnx(networkOf(2, 2)))).toMatch(/2 outputs; Decide step "Choose" needs 3\..*“Choose”.*3/)
    expect(why(toOnnx(networkOf(1, 3)))).toContain('1 input; Decide step "Choose" observes 2')
    expect(why(toOnnx(networkOf(2, 3)).slice(0, 60))).toContain('damaged')
    expect(why(new TextEncoder().encode('no network at all'))).not.toBe('')
    expect(why(toSafetensors(networkOf(2, 3)).slice(0, 50), 'p.safetensors')).toContain('damaged')
    expect(why(new Uint8Array(17 * 1024 * 1024))).toContain('16 MB')
    expect(english(misfit(made, id('net'), 2, 3, MOST_KEPT + 1) ?? undefined)).toContain(`${MOST_KEPT + 1} weights`)
  })

  test('network: its inputs and outputs are called as the Decide step that asks it calls them, where they fit', () => {
    const { model: made, id } = asked()
    expect(unitsOf(made, id('net'), shapeOf(2, 3))).toEqual({ inputs: ['x', 'y'], outputs: ['a = 0', 'a = 1', 'a = 2'] })
    expect(unitsOf(made, id('net'), shapeOf(2, 2))).toEqual({ inputs: [], outputs: [] })
  })
})
