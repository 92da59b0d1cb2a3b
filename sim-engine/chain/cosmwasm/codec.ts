// Values between formulas and the JSON of contracts.
//
// dict <-> object · list, tuple <-> list · text, bool, None, Number as they are (whole numbers up to 2^53, no fractions beyond doubles) ·
// Integer -> text of its digits · an entity with an account -> its address. Contracts write large numbers as texts.
import { say } from '../../../model-schema/words.ts'
import { FormulaDict, kindOf, Ref, Tuple } from '../../formula/runtime/values.ts'
import { RunError } from '../../problems.ts'
import { failed } from '../failure.ts'
import type { AddressOfRef, CallText, ContractCodec, MethodCodec } from '../interface.ts'
import type { Log } from '../machine.ts'
import type { Event } from './app.ts'
import { textOfNumber } from './address.ts'
import { MessageFault } from './faults.ts'
import { isRecord, jsonIn, parsed, readableJson } from './json.ts'
import type { Json } from './json.ts'

const encoder = new TextEncoder()
const decoder = new TextDecoder()
/** How deep a message may nest. */
const mostDeep = 64

function toJson(value: unknown, ofRef: AddressOfRef, depth = 0): Json {
  if (depth > mostDeep) throw new RunError(10034)
  if (value === undefined || value === null) return null
  if (typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'bigint') return String(value)
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new RunError(10015)
    return Math.abs(value) <= Number.MAX_SAFE_INTEGER ? value : failed(say('a number beyond 2^53: write it as an Integer'))
  }
  if (value instanceof Ref) {
    const address = ofRef(value)
    return address === undefined
      ? failed(say('{name} has no account on this chain', { name: value.population.name }))
      : textOfNumber(address)
  }
  if (Array.isArray(value) || value instanceof Tuple)
    return (value instanceof Tuple ? value.items : (value as unknown[])).map(one => toJson(one, ofRef, depth + 1))
  if (!(value instanceof FormulaDict)) throw new RunError(10016, [kindOf(value), 'JSON'])
  const record: Record<string, Json> = {}
  for (const { key, value: one } of value.entries.values()) {
    if (typeof key !== 'string') throw new RunError(10016, [kindOf(key), 'text'])
    record[key] = toJson(one, ofRef, depth + 1)
  }
  return record
}

function fromJson(value: Json): unknown {
  if (Array.isArray(value)) return value.map(fromJson)
  if (!isRecord(value)) return value
  const dict = new FormulaDict()
  for (const [key, one] of Object.entries(value)) dict.set(key, fromJson(one))
  return dict
}

const isList = (values: unknown): values is readonly unknown[] => Array.isArray(values)

/** The message in a list of arguments: its only entry, or an object without entries. */
function messageIn(values: unknown, ofRef: AddressOfRef): Json {
  const items = values instanceof Tuple ? values.items : values
  if (!isList(items)) throw new RunError(10010, [kindOf(values)])
  if (items.length > 1) failed(say('one message is needed, {length} were given', { length: items.length }))
  return items.length === 0 ? {} : toJson(items[0], ofRef)
}

function valueOf(output: Uint8Array): unknown {
  if (output.length === 0) return null
  try {
    return fromJson(parsed(decoder.decode(output)))
  } catch (error) {
    if (!(error instanceof MessageFault)) throw error
    return decoder.decode(output)
  }
}

/** What a transaction that creates a contract carries. */
export type Creation = { readonly code: number; readonly label: string; readonly message: Json }

/** The messages of a contract. `code` is the number of its code on the chain; 0 where it has none. */
export class TerraCodec implements ContractCodec {
  readonly #name: string
  readonly #code: number

  constructor(name: string, code: number) {
    this.#name = name
    this.#code = code
  }

  /** The message with this name; with a blank name the message is written out whole. */
  method(name: string): MethodCodec {
    return {
      name,
      encode: (values, ofRef) => {
        const message = messageIn(values, ofRef)
        return encoder.encode(JSON.stringify(name === '' ? message : { [name]: message }))
      },
      decode: valueOf,
    }
  }

  /** The method of an execution is the name of its message. */
  described(kind: string, input: Uint8Array): CallText {
    const text = decoder.decode(input)
    const message = jsonIn(text)
    const [method, content] = kind === 'execute' && isRecord(message) ? (Object.entries(message)[0] ?? []) : []
    if (method === undefined || content === undefined) return { method: '', arguments: readableJson(text) }
    return { method, arguments: readableJson(JSON.stringify(content)) }
  }

  creation(values: unknown, ofRef: AddressOfRef): Uint8Array {
    const creation: Creation = { code: this.#code, label: this.#name, message: messageIn(values, ofRef) }
    return encoder.encode(JSON.stringify(creation))
  }

  event({ data }: Log): { name: string; values: FormulaDict } {
    const { type, attributes } = JSON.parse(decoder.decode(data)) as Event
    const values = new FormulaDict()
    for (const { key, value } of attributes) if (key !== '_contract_address') values.set(key, value)
    return { name: type.replace(/^wasm-/, ''), values }
  }

  reason(output: Uint8Array): string {
    return output.length === 0 ? 'refused without a reason' : decoder.decode(output).slice(0, 400)
  }
}
