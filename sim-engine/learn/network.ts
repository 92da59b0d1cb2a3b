// The component Neural network: what its fields say, the weights it keeps, and the network itself, ready to be asked.
import type { Json } from '../../model-schema/kinds/kind.ts'
import type { Element } from '../../model-schema/model.ts'
import { Net } from './net/net.ts'
import { activations, type Activation } from './net/ops.ts'
import { beyond, randomWeights, readLayers, weightCount, type Layer, type Shape, type Weights } from './net/shape.ts'

/** What is wrong with the fields of a network: the field, and what to say. */
type NetworkFault = { readonly field: string; readonly en: string; readonly zh: string }

export type Described = { readonly shape: Shape; readonly softmax: boolean; readonly weights: Weights }

const wholeOf = (value: Json | undefined): number => (typeof value === 'number' && Number.isInteger(value) ? value : 0)
const activationOf = (value: Json | undefined): Activation => activations.find(one => one === value) ?? 'relu'

/** The shape that the fields of a network give. */
export function shapeOf(fields: Element['fields']): Shape | NetworkFault {
  const [inputs, outputs] = [wholeOf(fields['inputs'] ?? 4), wholeOf(fields['outputs'] ?? 2)]
  if (inputs < 1) return { field: 'inputs', en: 'it needs at least one input', zh: '至少需要一个输入' }
  if (outputs < 1) return { field: 'outputs', en: 'it needs at least one output', zh: '至少需要一个输出' }
  const { layers: text = '64,64' } = fields
  const hidden = readLayers(
    typeof text === 'string' || typeof text === 'number' ? String(text) : '',
    activationOf(fields['activation'] ?? 'relu'),
  )
  if (hidden === null)
    return {
      field: 'layers',
      en: 'layers are sizes separated by commas, each with an activation behind it if it has its own, such as "64, 32 tanh"',
      zh: '层应写成用逗号分隔的大小，可在其后写明激活函数，例如“64, 32 tanh”',
    }
  const form = fields['outputForm']
  const last: Layer = { size: outputs, activation: form === 'tanh' || form === 'sigmoid' ? form : 'linear' }
  const shape: Shape = { inputs, layers: [...hidden, last] }
  const over = beyond(shape)
  if (over === null) return shape
  const field = over.what === 'inputs' || over.what === 'outputs' ? over.what : 'layers'
  const names = {
    inputs: ['inputs', '输入数'],
    outputs: ['outputs', '输出数'],
    hidden: ['hidden layers', '隐藏层数'],
    width: ['units in a layer', '单层单元数'],
    weights: ['weights', '权重数'],
  } as const
  const [en, zh] = names[over.what]
  return { field, en: `${over.is} ${en}, where ${over.most} are possible`, zh: `${zh}为 ${over.is}，最多 ${over.most}` }
}

/** The fields of a Neural network that has these weights. `from`: a training, or a file. */
export function fieldsOfNetwork(
  { shape, weights, softmax = false }: { readonly shape: Shape; readonly weights: Weights; readonly softmax?: boolean },
  from: 'experiment' | 'file',
  origin: string,
): Record<string, Json> {
  const hidden = shape.layers.slice(0, -1)
  const last = shape.layers.at(-1)!
  const [first] = hidden
  return {
    inputs: shape.inputs,
    outputs: last.size,
    layers: hidden.map(({ size, activation }) => (activation === first?.activation ? `${size}` : `${size} ${activation}`)).join(','),
    activation: first?.activation ?? 'relu',
    outputForm: softmax ? 'softmax' : last.activation === 'tanh' || last.activation === 'sigmoid' ? last.activation : 'raw',
    weights: from === 'file' ? 'onnx' : 'experiment',
    data: encodeWeights(weights),
    origin,
  }
}

/** Weights as one value of a document: base64 of their bytes, lowest first. */
export const MOST_KEPT = 90_000

export function encodeWeights(weights: Weights): string {
  const view = new DataView(new ArrayBuffer(weights.length * 4))
  weights.forEach((weight, k) => view.setFloat32(4 * k, weight, true))
  const bytes = new Uint8Array(view.buffer)
  let text = ''
  for (let k = 0; k < bytes.length; k += 8190) text += btoa(String.fromCharCode(...bytes.subarray(k, k + 8190)))
  return text
}

/** Null when it is not that, or a weight is not finite. */
export function decodeWeights(text: string): Weights | null {
  try {
    const bytes = Uint8Array.from(atob(text), letter => letter.charCodeAt(0))
    if (bytes.length % 4 !== 0) return null
    const view = new DataView(bytes.buffer)
    const weights = Float32Array.from({ length: bytes.length / 4 }, (_, k) => view.getFloat32(4 * k, true))
    return weights.every(Number.isFinite) ? weights : null
  } catch {
    return null
  }
}

/** A network with its weights, or what is wrong with it. */
export function describe(fields: Element['fields']): Described | NetworkFault {
  let known = describedBefore.get(fields)
  if (!known) describedBefore.set(fields, (known = described(fields)))
  return known
}

const describedBefore = new WeakMap<Element['fields'], Described | NetworkFault>()

function described(fields: Element['fields']): Described | NetworkFault {
  const shape = shapeOf(fields)
  if ('field' in shape) return shape
  const softmax = fields['outputForm'] === 'softmax'
  const { weights: source = 'random', seed, data } = fields
  if (source === 'random') return { shape, softmax, weights: randomWeights(shape, wholeOf(seed ?? 1)) }
  if (typeof data !== 'string' || data === '')
    return { field: 'weights', en: 'there are no weights yet: train it, or load a file', zh: '尚无权重：请训练或载入文件' }
  const weights = decodeWeights(data)
  if (weights === null) return { field: 'weights', en: 'its weights are damaged: load them again', zh: '权重已损坏，请重新载入' }
  if (weights.length !== weightCount(shape))
    return {
      field: 'weights',
      en: `it keeps ${weights.length} weights, and its sizes ask for ${weightCount(shape)}`,
      zh: `保存了 ${weights.length} 个权重，而其大小需要 ${weightCount(shape)} 个`,
    }
  return { shape, softmax, weights }
}

/** A network that formulas and Decide steps ask. */
export type Asked = { readonly net: Net; readonly softmax: boolean }

const askedBefore = new WeakMap<Described, Asked>()

/** The same for all runs of a thread: what a network calculates is taken at once. */
export function askedOf(network: Described): Asked {
  const known = askedBefore.get(network)
  if (known) return known
  const { shape, softmax, weights } = network
  const net = new Net(shape)
  net.weights = weights
  const made = { net, softmax }
  askedBefore.set(network, made)
  return made
}
