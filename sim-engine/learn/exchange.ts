// Networks to and from other tools' files: ONNX (opset 17) and safetensors. What comes from outside is bounded and checked before anything is made of it.
import { activations, type Activation } from './net/ops.ts'
import { beyond, weightCount, type Layer, type Shape, type Weights } from './net/shape.ts'
import { say, Told } from '../../model-schema/words.ts'

/** A file that can't be read: why, for people. */
export class Unreadable extends Told {
  override readonly name = 'Unreadable'
}

/** A network as it is exchanged. */
type Exchanged = { readonly shape: Shape; readonly weights: Weights }

/** Largest file read, in bytes. */
export const mostBytes = 16 * 1024 * 1024

const damaged = (): never => {
  throw new Unreadable(say('The file is damaged: a length in it goes beyond its end.'))
}

const operators: Readonly<Record<Activation, string | null>> = {
  linear: null,
  relu: 'Relu',
  leaky_relu: 'LeakyRelu',
  elu: 'Elu',
  tanh: 'Tanh',
  sigmoid: 'Sigmoid',
}

// --- ONNX: https://onnx.ai/onnx/repo-docs/IR.html, fields as in onnx.proto

class Writer {
  readonly bytes: number[] = []

  #varint(value: number): void {
    for (; value >= 128; value = Math.floor(value / 128)) this.bytes.push((value % 128) | 128)
    this.bytes.push(value)
  }

  whole(field: number, value: number): this {
    this.#varint(field * 8)
    this.#varint(value)
    return this
  }

  part(field: number, bytes: ArrayLike<number>): this {
    this.#varint(field * 8 + 2)
    this.#varint(bytes.length)
    for (let k = 0; k < bytes.length; k++) this.bytes.push(bytes[k]!)
    return this
  }

  text(field: number, value: string): this {
    return this.part(field, new TextEncoder().encode(value))
  }
}

const write = (fill: (writer: Writer) => void): number[] => {
  const writer = new Writer()
  fill(writer)
  return writer.bytes
}

function floatBytes(values: Float32Array): Uint8Array {
  const view = new DataView(new ArrayBuffer(values.length * 4))
  values.forEach((value, k) => view.setFloat32(4 * k, value, true))
  return new Uint8Array(view.buffer)
}

type Weighed = Layer & { readonly before: number; readonly matrix: Float32Array; readonly bias: Float32Array }

function layersOf({ shape, weights }: Exchanged): Weighed[] {
  let [at, before] = [0, shape.inputs]
  return shape.layers.map(layer => {
    const matrix = weights.slice(at, at + before * layer.size)
    const bias = weights.slice(at + before * layer.size, at + (before + 1) * layer.size)
    const made = { ...layer, before, matrix, bias }
    at += (before + 1) * layer.size
    before = layer.size
    return made
  })
}

/** A network as an ONNX file: `inputs` and `outputs` with any number of rows. */
export function toOnnx(network: Exchanged, softmax = false): Uint8Array<ArrayBuffer> {
  const tensor = (name: string, dims: readonly number[], values: Float32Array): number[] =>
    write(one => {
      for (const dim of dims) one.whole(1, dim)
      one.whole(2, 1).text(8, name).part(9, floatBytes(values))
    })
  const value = (name: string, size: number): number[] => {
    const dims = [write(one => one.text(2, 'rows')), write(one => one.whole(1, size))]
    const form = write(one => dims.forEach(dim => one.part(1, dim)))
    const type = write(one =>
      one.part(
        1,
        write(inner => inner.whole(1, 1).part(2, form)),
      ),
    )
    return write(one => one.text(1, name).part(2, type))
  }
  const node = (kind: string, from: readonly string[], to: string): number[] =>
    write(one => {
      for (const name of from) one.text(1, name)
      one.text(2, to).text(4, kind)
    })
  const graph = write(one => {
    let last = 'inputs'
    const layers = layersOf(network)
    layers.forEach(({ size, activation, before, matrix, bias }, k) => {
      const operator = operators[activation]
      const isLast = k === layers.length - 1 && !softmax
      const sum = operator === null && isLast ? 'outputs' : `sum${k}`
      one.part(1, node('Gemm', [last, `weight${k}`, `bias${k}`], sum))
      last = sum
      if (operator !== null) {
        last = isLast ? 'outputs' : `layer${k}`
        one.part(1, node(operator, [sum], last))
      }
      one.part(5, tensor(`weight${k}`, [before, size], matrix)).part(5, tensor(`bias${k}`, [size], bias))
    })
    if (softmax) one.part(1, node('Softmax', [last], 'outputs'))
    one
      .text(2, 'network')
      .part(11, value('inputs', network.shape.inputs))
      .part(12, value('outputs', layers.at(-1)!.size))
  })
  const model = write(one =>
    one
      .whole(1, 8)
      .text(2, 'Holarchy')
      .part(7, graph)
      .part(
        8,
        write(opset => opset.text(1, '').whole(2, 17)),
      ),
  )
  return Uint8Array.from(model)
}

type Field = { readonly field: number; readonly whole: number; readonly bytes: Uint8Array }

/** The fields of a message, in their order. */
function* fieldsOf(bytes: Uint8Array): Generator<Field> {
  let at = 0
  const varint = (): number => {
    let [value, scale] = [0, 1]
    for (let k = 0; k < 10; k++) {
      const byte = bytes[at++] ?? damaged()
      value += (byte & 127) * scale
      scale *= 128
      if (byte < 128) return value
    }
    return damaged()
  }
  const empty = new Uint8Array()
  while (at < bytes.length) {
    const key = varint()
    const [field, form] = [Math.floor(key / 8), key % 8]
    if (form === 0) yield { field, whole: varint(), bytes: empty }
    else if (form === 2 || form === 1 || form === 5) {
      const length = form === 2 ? varint() : form === 1 ? 8 : 4
      if (!(length <= bytes.length - at)) damaged()
      yield { field, whole: 0, bytes: bytes.subarray(at, at + length) }
      at += length
    } else damaged()
  }
}

const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)
const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

type Tensor = { readonly dims: readonly number[]; readonly values: Float32Array }
type Node = {
  readonly kind: string
  readonly from: readonly string[]
  readonly to: readonly string[]
  readonly flags: ReadonlyMap<string, number>
}

function tensorOf(bytes: Uint8Array): { name: string; tensor: Tensor } {
  const dims: number[] = []
  let [name, type] = ['', 1]
  let raw: Uint8Array | null = null
  const numbers: number[] = []
  for (const { field, whole, bytes: part } of fieldsOf(bytes)) {
    if (field === 1) {
      if (part.length === 0) dims.push(whole)
      else for (let k = 0; k < part.length; k++) dims.push(part[k]!)
    } else if (field === 2) type = whole
    else if (field === 4) for (let k = 0; k + 4 <= part.length; k += 4) numbers.push(viewOf(part).getFloat32(k, true))
    else if (field === 8) name = textOf(part)
    else if (field === 9) raw = part
    else if (field === 13 || field === 14)
      throw new Unreadable(say('Weights in further files cannot be read: put them into the ONNX file.'))
  }
  const count = dims.reduce((product, dim) => product * dim, 1)
  const form = ({ 1: 'F32', 10: 'F16', 11: 'F64' } as const)[type]
  const values = raw === null ? Float32Array.from(numbers) : form === undefined ? null : numbersOf(raw, form)
  // Shapes of further tensors, such as those of Reshape, are of whole numbers: they are not asked for.
  if (values === null) return { name, tensor: { dims, values: new Float32Array() } }
  if (values.length !== count) damaged()
  return { name, tensor: { dims, values } }
}

function nodeOf(bytes: Uint8Array): Node {
  const [from, to]: [string[], string[]] = [[], []]
  const flags = new Map<string, number>()
  let kind = ''
  for (const { field, bytes: part } of fieldsOf(bytes)) {
    if (field === 1) from.push(textOf(part))
    else if (field === 2) to.push(textOf(part))
    else if (field === 4) kind = textOf(part)
    else if (field === 5) {
      let [name, value] = ['', 0]
      for (const { field: own, whole, bytes: inner } of fieldsOf(part)) {
        if (own === 1) name = textOf(inner)
        else if (own === 2) value = inner.length === 4 ? viewOf(inner).getFloat32(0, true) : damaged()
        else if (own === 3) value = whole
      }
      flags.set(name, value)
    }
  }
  return { kind, from, to, flags }
}

/** Operators that change nothing here. */
const passing: ReadonlySet<string> = new Set(['Identity', 'Flatten', 'Dropout', 'Cast', 'Reshape', 'Squeeze', 'Unsqueeze'])
const byOperator = new Map(activations.flatMap(kind => (operators[kind] === null ? [] : [[operators[kind], kind] as const])))

export type Imported = Exchanged & { readonly softmax: boolean }

/** A chain of dense layers from an ONNX file. Throws Unreadable for anything else. */
export function fromOnnx(bytes: Uint8Array): Imported {
  bounded(bytes)
  let graph: Uint8Array | null = null
  for (const { field, bytes: part } of fieldsOf(bytes)) if (field === 7) graph = part
  if (graph === null) throw new Unreadable(say('This is no ONNX model.'))
  const nodes: Node[] = []
  const tensors = new Map<string, Tensor>()
  for (const { field, bytes: part } of fieldsOf(graph)) {
    if (field === 1) nodes.push(nodeOf(part))
    else if (field === 5) {
      const { name, tensor } = tensorOf(part)
      tensors.set(name, tensor)
    }
  }
  const layers: Weighed[] = []
  let softmax = false
  const strange = new Set<string>()
  for (const { kind, from, flags } of nodes) {
    const given = from.map(name => tensors.get(name))
    const activation = byOperator.get(kind)
    const last = layers.at(-1)
    if (softmax) strange.add(kind)
    else if (kind === 'Gemm' || kind === 'MatMul') {
      const matrix = given[1]
      if (
        !matrix ||
        matrix.dims.length !== 2 ||
        (flags.get('transA') ?? 0) !== 0 ||
        (flags.get('alpha') ?? 1) !== 1 ||
        (flags.get('beta') ?? 1) !== 1
      )
        strange.add(kind)
      else layers.push(layerFrom(matrix, given[2] ?? null, kind === 'Gemm' && flags.get('transB') === 1))
    } else if (kind === 'Add') {
      const bias = given[1] ?? given[0]
      if (!last || last.activation !== 'linear' || !bias || bias.values.length !== last.size) strange.add(kind)
      else for (let k = 0; k < last.size; k++) last.bias[k]! += bias.values[k]!
    } else if (activation !== undefined && last?.activation === 'linear') layers[layers.length - 1] = { ...last, activation }
    else if (kind === 'Softmax') softmax = true
    else if (!passing.has(kind)) strange.add(kind)
  }
  if (strange.size > 0) {
    const names = [...strange].slice(0, 8).join(', ')
    throw new Unreadable(say('Only chains of dense layers can be read; this has {names}.', { names }))
  }
  return { ...joined(layers), softmax }
}

function layerFrom({ dims, values }: Tensor, bias: Tensor | null, turned: boolean): Weighed {
  const [before, size] = turned ? [dims[1]!, dims[0]!] : [dims[0]!, dims[1]!]
  const matrix = new Float32Array(values.length)
  for (let i = 0; i < before; i++)
    for (let o = 0; o < size; o++) matrix[i * size + o] = turned ? values[o * before + i]! : values[i * size + o]!
  if (bias && bias.values.length !== size) throw new Unreadable(say('A bias has another length than its layer.'))
  return { before, size, matrix, bias: bias ? bias.values.slice() : new Float32Array(size), activation: 'linear' }
}

/** Layers that fit each other as one network. */
function joined(layers: readonly Weighed[]): Exchanged {
  const [first] = layers
  if (!first) throw new Unreadable(say('There is no layer in the file.'))
  layers.forEach(({ before }, k) => {
    const given = layers[k - 1]?.size
    if (given !== undefined && given !== before)
      throw new Unreadable(say('Layer {k} takes {before} numbers, and the one before gives {given}.', { k: k + 1, before, given }))
  })
  const shape: Shape = { inputs: first.before, layers: layers.map(({ size, activation }) => ({ size, activation })) }
  const over = beyond(shape)
  if (over !== null)
    throw new Unreadable(
      say('The network is too large: {is} {what}, where {most} are possible.', { is: over.is, what: over.what, most: over.most }),
    )
  const weights = new Float32Array(weightCount(shape))
  let at = 0
  for (const { matrix, bias } of layers) {
    weights.set(matrix, at)
    weights.set(bias, at + matrix.length)
    at += matrix.length + bias.length
  }
  if (!weights.every(Number.isFinite)) throw new Unreadable(say('A weight is not a finite number.'))
  return { shape, weights }
}

function bounded(bytes: Uint8Array): void {
  if (bytes.length > mostBytes) throw new Unreadable(say('The file is larger than 16 MB.'))
}

// --- safetensors: https://github.com/huggingface/safetensors#format

function numbersOf(bytes: Uint8Array, form: string): Float32Array | null {
  const view = viewOf(bytes)
  const width = form === 'F64' ? 8 : form === 'F32' ? 4 : form === 'F16' || form === 'BF16' ? 2 : 0
  if (width === 0) return null
  if (bytes.length % width !== 0) damaged()
  return Float32Array.from({ length: bytes.length / width }, (_, k) => {
    if (form === 'F32') return view.getFloat32(4 * k, true)
    if (form === 'F64') return view.getFloat64(8 * k, true)
    const half = view.getUint16(2 * k, true)
    if (form === 'BF16') {
      const whole = new DataView(new ArrayBuffer(4))
      whole.setUint32(0, half * 65536)
      return whole.getFloat32(0)
    }
    const [sign, exponent, rest] = [half >> 15 ? -1 : 1, (half >> 10) & 31, half & 1023]
    if (exponent === 31) return NaN
    return sign * (exponent === 0 ? rest * 2 ** -24 : (1024 + rest) * 2 ** (exponent - 25))
  })
}

/** A network as a safetensors file, its tensors named and laid out as PyTorch does: `layers.0.weight` with a row for each output. */
export function toSafetensors(network: Exchanged): Uint8Array<ArrayBuffer> {
  const header: Record<string, unknown> = {}
  const parts: Uint8Array[] = []
  let at = 0
  const add = (name: string, shape: readonly number[], values: Float32Array): void => {
    const bytes = floatBytes(values)
    header[name] = { dtype: 'F32', shape, data_offsets: [at, at + bytes.length] }
    parts.push(bytes)
    at += bytes.length
  }
  layersOf(network).forEach(({ before, size, matrix, bias }, k) => {
    const turned = new Float32Array(matrix.length)
    for (let i = 0; i < before; i++) for (let o = 0; o < size; o++) turned[o * before + i] = matrix[i * size + o]!
    add(`layers.${k}.weight`, [size, before], turned)
    add(`layers.${k}.bias`, [size], bias)
  })
  header['__metadata__'] = { activations: network.shape.layers.map(({ activation }) => activation).join(',') }
  const text = new TextEncoder().encode(JSON.stringify(header))
  const all = new Uint8Array(8 + text.length + at)
  new DataView(all.buffer).setUint32(0, text.length, true)
  all.set(text, 8)
  let to = 8 + text.length
  for (const part of parts) {
    all.set(part, to)
    to += part.length
  }
  return all
}

type Entry = { dtype?: unknown; shape?: unknown; data_offsets?: unknown }

/** Dense layers from a safetensors file. `between`: the activation of hidden layers where the file doesn't say it. Throws Unreadable. */
export function fromSafetensors(bytes: Uint8Array, between: Activation = 'relu'): Imported {
  bounded(bytes)
  if (bytes.length < 10) damaged()
  const length = viewOf(bytes).getUint32(0, true)
  if (viewOf(bytes).getUint32(4, true) !== 0 || length > 1_000_000 || 8 + length > bytes.length) damaged()
  let header: Record<string, Entry>
  try {
    header = JSON.parse(textOf(bytes.subarray(8, 8 + length)))
  } catch {
    throw new Unreadable(say('This is no safetensors file.'))
  }
  const data = bytes.subarray(8 + length)
  const tensors = new Map<string, Tensor>()
  for (const [name, entry] of Object.entries(header ?? {})) {
    if (name === '__metadata__') continue
    const { dtype, shape, data_offsets: offsets } = entry ?? {}
    if (!Array.isArray(shape) || !Array.isArray(offsets) || !shape.every(dim => Number.isInteger(dim) && dim >= 0)) return damaged()
    const [from, to] = offsets as number[]
    if (!(Number.isInteger(from) && Number.isInteger(to) && from! >= 0 && from! <= to! && to! <= data.length)) return damaged()
    const values = numbersOf(data.subarray(from, to), String(dtype))
    if (values === null) throw new Unreadable(say('Numbers of the form {dtype} cannot be read.', { dtype: String(dtype) }))
    if (values.length !== shape.reduce((product: number, dim: number) => product * dim, 1)) damaged()
    tensors.set(name, { dims: shape, values })
  }
  const names = [...tensors.keys()].filter(name => name.endsWith('.weight') && tensors.get(name)!.dims.length === 2)
  names.sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
  const meta = header['__metadata__'] as { activations?: unknown } | undefined
  const told = typeof meta?.activations === 'string' ? meta.activations.split(',') : []
  const layers = names.map((name, k) => {
    const bias = tensors.get(`${name.slice(0, -'.weight'.length)}.bias`) ?? null
    const own = activations.find(one => one === told[k])
    return { ...layerFrom(tensors.get(name)!, bias, true), activation: own ?? (k < names.length - 1 ? between : ('linear' as const)) }
  })
  return { ...joined(layers), softmax: false }
}
