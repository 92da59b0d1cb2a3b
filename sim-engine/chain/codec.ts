// Values between formulas and the ABI, by viem (its ABI part alone: `viem/utils`).
//
// uint8..48, int8..48 <-> Number · wider <-> Integer · bool · string · address, bytes <-> text `0x...` · arrays <-> list ·
// tuples <-> dict where all components have names, else list.
import { keccak256 } from './evm/keccak.ts'
import { decodeAbiParameters, decodeErrorResult, decodeEventLog, encodeAbiParameters } from 'viem/utils'
import { exactAny } from '../formula/runtime/integers.ts'
import { FormulaDict, kindOf, Ref, Tuple } from '../formula/runtime/values.ts'
import { RunError } from '../problems.ts'
import { bitsOf, constructorInputs, isNamed, signatureOf } from './abi.ts'
import type { AbiItem, AbiParameter, Interface } from './abi.ts'
import { addressOf } from './accounts.ts'
import { failed } from './failure.ts'
import type { AddressOfRef, CallText, ContractCodec, MethodCodec } from './interface.ts'
import type { Log } from './machine.ts'
import { fromBytes, fromHex, toHex, wordBytes } from './evm/word.ts'
import { say } from '../../model-schema/words.ts'

const cannot = (value: unknown, type: string): never => {
  const shown =
    typeof value === 'string'
      ? `"${value.slice(0, 60)}"`
      : typeof value === 'bigint' || typeof value === 'number'
        ? String(value)
        : kindOf(value)
  throw new RunError(10016, [shown.slice(0, 80), type])
}

/** The address that a value means: a text, or an entity with an account. */
export function toAddress(value: unknown, ofRef: AddressOfRef, numberOf = addressOf): bigint {
  if (value === null || value === undefined) throw new RunError(10014)
  if (value instanceof Ref) return ofRef(value) ?? failed(say('{name} has no account on this chain', { name: value.population.name }))
  return (typeof value === 'string' ? numberOf(value) : undefined) ?? cannot(value, 'address')
}

function wholeOf(value: unknown, type: string, bits: number): bigint | number {
  if (typeof value === 'string') return cannot(value, type)
  // Above 2^53 a Number has lost digits: such amounts are written as Integers.
  if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)) return cannot(value, type)
  const whole = exactAny(value, 0, 0)
  const isUnsigned = type.startsWith('u')
  const [low, high] = isUnsigned ? [0n, 1n << BigInt(bits)] : [-(1n << BigInt(bits - 1)), 1n << BigInt(bits - 1)]
  if (whole < low || whole >= high) return cannot(value, type)
  return bits <= 48 ? Number(whole) : whole
}

const itemsOf = (value: unknown): readonly unknown[] | undefined =>
  Array.isArray(value) ? value : value instanceof Tuple ? value.items : undefined

/** A value of a formula as viem takes it. 10016 where it does not fit the type. */
function toAbi(value: unknown, parameter: AbiParameter, ofRef: AddressOfRef): unknown {
  const { type, components } = parameter
  const array = /^(.*)\[(\d*)\]$/.exec(type)
  if (array) {
    const items = itemsOf(value)
    if (items === undefined) throw new RunError(10010, [kindOf(value)])
    if (array[2] !== '' && items.length !== Number(array[2])) return cannot(value, type)
    return items.map(item => toAbi(item, { ...parameter, type: array[1]! }, ofRef))
  }
  const bits = bitsOf(type)
  if (bits !== undefined) return wholeOf(value, type, bits)
  if (type === 'bool') return typeof value === 'boolean' ? value : cannot(value, type)
  if (type === 'string') return typeof value === 'string' ? value : cannot(value, type)
  if (type === 'address') return toHex(wordBytes(toAddress(value, ofRef)).subarray(12))
  if (type === 'tuple') return tupleToAbi(value, components, ofRef)
  const bytes = typeof value === 'string' && value.startsWith('0x') ? fromHex(value) : undefined
  const size = type.slice(5)
  if (bytes === undefined || (size !== '' && bytes.length !== Number(size))) return cannot(value, type)
  return toHex(bytes)
}

function tupleToAbi(value: unknown, components: readonly AbiParameter[], ofRef: AddressOfRef): unknown {
  if (value instanceof FormulaDict) {
    return isNamed(components)
      ? Object.fromEntries(components.map(one => [one.name, toAbi(value.get(one.name) ?? null, one, ofRef)]))
      : cannot(value, 'tuple')
  }
  const items = itemsOf(value)
  if (items?.length !== components.length) return cannot(value, 'tuple')
  const made = components.map((one, k) => toAbi(items[k], one, ofRef))
  return isNamed(components) ? Object.fromEntries(components.map((one, k) => [one.name, made[k]])) : made
}

/** What viem decoded as a value of formulas. */
function fromAbi(value: unknown, parameter: AbiParameter): unknown {
  const { type, components } = parameter
  const array = /^(.*)\[\d*\]$/.exec(type)
  if (array) return Array.isArray(value) ? value.map(item => fromAbi(item, { ...parameter, type: array[1]! })) : []
  if (type !== 'tuple') return value
  if (Array.isArray(value)) return components.map((one, k) => fromAbi(value[k], one))
  const dict = new FormulaDict()
  const record = value as Readonly<Record<string, unknown>>
  for (const one of components) dict.set(one.name, fromAbi(record[one.name], one))
  return dict
}

/** Arguments as bytes behind a selector or creation code. 8002-like counts are found by the checker where they are certain. */
function encodeArguments(inputs: readonly AbiParameter[], values: unknown, ofRef: AddressOfRef): Uint8Array {
  const given = itemsOf(values)
  if (given === undefined) throw new RunError(10010, [kindOf(values)])
  if (given.length !== inputs.length)
    failed(say('{count} arguments are needed, {count2} were given', { count: inputs.length, count2: given.length }))
  if (inputs.length === 0) return new Uint8Array(0)
  const hex = encodeAbiParameters(inputs as never, inputs.map((input, k) => toAbi(given[k], input, ofRef)) as never)
  return fromHex(hex)!
}

const encoder = new TextEncoder()
const selectorOf = (item: AbiItem): Uint8Array => keccak256(encoder.encode(signatureOf(item)))

/** A function that can be called: its selector, and how its outputs read. */
class Method implements MethodCodec {
  readonly item: AbiItem
  readonly selector: Uint8Array

  constructor(item: AbiItem) {
    this.item = item
    this.selector = selectorOf(item).subarray(0, 4)
  }

  get name(): string {
    return this.item.name
  }

  encode(values: unknown, ofRef: AddressOfRef): Uint8Array {
    const encoded = encodeArguments(this.item.inputs, values, ofRef)
    const data = new Uint8Array(4 + encoded.length)
    data.set(this.selector)
    data.set(encoded, 4)
    return data
  }

  /** Arguments of a call as a person reads them; undefined where they do not decode. */
  argumentsText(input: Uint8Array): string | undefined {
    const { inputs } = this.item
    if (inputs.length === 0) return ''
    try {
      const values = decodeAbiParameters(inputs as never, toHex(input.subarray(4))) as readonly unknown[]
      return values.map((value, k) => `${inputs[k]!.name === '' ? '' : `${inputs[k]!.name} = `}${shown(value)}`).join(', ')
    } catch {
      return undefined
    }
  }

  decode(output: Uint8Array): unknown {
    const { outputs } = this.item
    if (outputs.length === 0) return null
    let values: readonly unknown[]
    try {
      values = decodeAbiParameters(outputs as never, toHex(output)) as readonly unknown[]
    } catch {
      return failed(
        say('{item} gave {count} bytes, which its interface cannot decode', { item: signatureOf(this.item), count: output.length }),
      )
    }
    const read = outputs.map((one, k) => fromAbi(values[k], one))
    return read.length === 1 ? read[0] : new Tuple(read)
  }
}

/** The interface of a contract while a model runs. */
export class Codec implements ContractCodec {
  readonly face: Interface
  readonly #methods = new Map<string, readonly Method[]>()
  readonly #events = new Map<bigint, AbiItem>()
  readonly #errors: readonly AbiItem[]
  #bySelector: ReadonlyMap<number, Method> | null = null

  /** `errors`: those of other contracts, which one that is called may pass on. */
  constructor(face: Interface, errors: readonly AbiItem[] = []) {
    this.face = face
    for (const item of face.items) if (item.is === 'event') this.#events.set(fromBytes(selectorOf(item)), item)
    this.#errors = [...face.items, ...errors].filter(({ is }) => is === 'error')
  }

  /** The method of this name or signature; of several with one name the one with as many inputs as there are arguments. */
  method(name: string, count: number): Method {
    let known = this.#methods.get(name)
    if (!known) {
      const wanted = name.replaceAll(/\s/g, '')
      known = this.face.items
        .filter(item => item.is === 'function' && (item.name === wanted || signatureOf(item) === wanted))
        .map(item => new Method(item))
      this.#methods.set(name, known)
    }
    return (
      known.find(({ item }) => item.inputs.length === count) ??
      known[0] ??
      failed(say('there is no method {name}', { name: name.slice(0, 60) }))
    )
  }

  /** The method is that of the selector, or the selector itself where the interface has none. */
  described(kind: string, input: Uint8Array): CallText {
    if (kind === 'CREATE' || input.length < 4) return { method: '', arguments: '' }
    const selector = input.subarray(0, 4)
    this.#bySelector ??= new Map(
      this.face.items
        .filter(({ is }) => is === 'function')
        .map(item => new Method(item))
        .map(one => [Number(fromBytes(one.selector)), one] as const),
    )
    const method = this.#bySelector.get(Number(fromBytes(selector)))
    return { method: method?.name ?? toHex(selector), arguments: method?.argumentsText(input) ?? '' }
  }

  /** Creation code with its encoded arguments. */
  creation(values: unknown, ofRef: AddressOfRef): Uint8Array {
    const code = fromHex(this.face.code)!
    const encoded = encodeArguments(constructorInputs(this.face), values, ofRef)
    const data = new Uint8Array(code.length + encoded.length)
    data.set(code)
    data.set(encoded, code.length)
    return data
  }

  /** Name of the event that a log is, and its arguments by name; undefined where the interface does not have it, or it does not decode. */
  event(log: Log): { name: string; values: FormulaDict } | undefined {
    const item = log.topics[0] === undefined ? undefined : this.#events.get(log.topics[0])
    if (!item) return undefined
    const inputs = item.inputs.map((input, k) => (input.name === '' ? { ...input, name: `arg${k}` } : input))
    try {
      const { args } = decodeEventLog({
        abi: [{ type: 'event', name: item.name, inputs, anonymous: false }],
        data: toHex(log.data),
        topics: log.topics.map(topic => toHex(wordBytes(topic))) as [`0x${string}`],
      } as never) as { args: Readonly<Record<string, unknown>> | undefined }
      const values = new FormulaDict()
      for (const input of inputs) values.set(input.name, fromAbi(args?.[input.name] ?? null, input))
      return { name: item.name, values }
    } catch {
      return undefined
    }
  }

  /** Why a call was reverted: Error(string), Panic(code), or an error of the interface with its arguments. */
  reason(output: Uint8Array): string {
    if (output.length === 0) return 'reverted without a reason'
    try {
      const { errorName, args } = decodeErrorResult({
        abi: this.#errors.map(({ name, inputs }) => ({ type: 'error', name, inputs })) as never,
        data: toHex(output),
      }) as { errorName: string; args: readonly unknown[] | undefined }
      if (errorName === 'Error') return String(args?.[0] ?? '').slice(0, 400)
      return `${errorName}(${(args ?? []).map(shown).join(', ')})`.slice(0, 400)
    } catch {
      return `reverted with ${toHex(output.subarray(0, 36))}${output.length > 36 ? '…' : ''}`
    }
  }
}

const shown = (value: unknown): string =>
  typeof value === 'object' && value !== null
    ? Array.isArray(value)
      ? `[${value.map(shown).join(', ')}]`
      : `{${Object.values(value).map(shown).join(', ')}}`
    : typeof value === 'string'
      ? value.startsWith('0x')
        ? value
        : JSON.stringify(value)
      : String(value)
