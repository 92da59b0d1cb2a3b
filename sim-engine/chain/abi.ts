// The interface of a contract as far as the checker needs it: read from an artifact or from ABI JSON, with the formula types of what its
// views give. Encoding and decoding is codec.ts, which is loaded only where a model runs.
import { CONTRACT } from '../../model-schema/business/limits.ts'
import { any, bool, integer, listOf, number, recordType, text, tupleOf, type Type } from '../formula/types.ts'
import { say, Told, type Words } from '../../model-schema/words.ts'

export type AbiParameter = {
  readonly name: string
  /** Type as Solidity writes it, such as `uint256`, `address[]`, `tuple[2]`. */
  readonly type: string
  readonly components: readonly AbiParameter[]
  readonly indexed: boolean
}

export type AbiItem = {
  readonly is: 'function' | 'event' | 'error' | 'constructor'
  readonly name: string
  readonly inputs: readonly AbiParameter[]
  readonly outputs: readonly AbiParameter[]
  /** Whether it only reads. */
  readonly isView: boolean
  readonly isPayable: boolean
}

export type Interface = {
  readonly items: readonly AbiItem[]
  /** Bytecode that creates the contract, as hexadecimal digits after 0x; empty where there is none. */
  readonly code: string
}

/** What is wrong with the text of an interface. */
export type InterfaceFault = { readonly fault: Words; readonly field: 'artifact' | 'abi' | 'code' }

/** Most entries of an ABI, and how deep tuples and arrays may nest. */
const interfaceLimits = { characters: CONTRACT.interfaceLength, entries: 2_000, depth: 8, parameters: 64 } as const
/** Most bytes of creation code (EIP-3860). */
const maxCreationBytes = 49_152

const parameterType = /^(?:address|bool|string|bytes(?:[1-9]|[12]\d|3[0-2])?|u?int(?:\d{1,3})?|tuple)((?:\[\d{0,6}\])*)$/
const integerType = /^(u?)int(\d*)$/

class Unreadable extends Told {}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const shown = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value ?? null)).slice(0, 60)

function parameterOf(value: unknown, depth: number): AbiParameter {
  if (!isRecord(value) || typeof value['type'] !== 'string') throw new Unreadable(say('each input and output needs a type'))
  const type = value['type'].trim()
  const match = parameterType.exec(type)
  const bits = Number(integerType.exec(type.replace(/\[.*$/, ''))?.[2] || 256)
  const nesting = depth + (match?.[1]?.split('[').length ?? 1) - 1
  if (!match || bits < 8 || bits > 256 || bits % 8 !== 0) throw new Unreadable(say('the type {type} is not known', { type: shown(type) }))
  if (nesting > interfaceLimits.depth) throw new Unreadable(say('tuples and arrays nest too deep'))
  const isTuple = type.startsWith('tuple')
  if (isTuple && !Array.isArray(value['components'])) throw new Unreadable(say('a tuple needs components'))
  return {
    name: typeof value['name'] === 'string' ? value['name'] : '',
    type: type.replace(/^(u?int)(?=\[|$)/, '$1256'),
    components: isTuple ? parametersOf(value['components'], nesting + 1) : [],
    indexed: value['indexed'] === true,
  }
}

function parametersOf(value: unknown, depth = 0): AbiParameter[] {
  if (value === undefined) return []
  if (!Array.isArray(value)) throw new Unreadable(say('inputs and outputs are lists'))
  if (value.length > interfaceLimits.parameters) throw new Unreadable(say('there are too many parameters'))
  return value.map(one => parameterOf(one, depth))
}

const kinds: readonly AbiItem['is'][] = ['function', 'event', 'error', 'constructor']
const identifier = /^[A-Za-z_$][\w$]{0,127}$/

function itemsOf(value: unknown): AbiItem[] {
  if (!Array.isArray(value)) throw new Unreadable(say('an ABI is a list of entries'))
  if (value.length > interfaceLimits.entries)
    throw new Unreadable(say('there are more than {entries} entries', { entries: interfaceLimits.entries }))
  const items: AbiItem[] = []
  const seen = new Set<string>()
  for (const [k, entry] of value.entries()) {
    try {
      if (!isRecord(entry)) throw new Unreadable(say('it is not an object'))
      const is = kinds.find(kind => kind === entry['type'])
      if (is === undefined) {
        if (entry['type'] === 'fallback' || entry['type'] === 'receive') continue
        throw new Unreadable(say('the kind {entry} is not known', { entry: shown(entry['type']) }))
      }
      const name = is === 'constructor' ? '' : entry['name']
      if (typeof name !== 'string' || (is !== 'constructor' && !identifier.test(name)))
        throw new Unreadable(say('the name {name} is not valid', { name: shown(name) }))
      const state = entry['stateMutability']
      const item: AbiItem = {
        is,
        name,
        inputs: parametersOf(entry['inputs']),
        outputs: parametersOf(entry['outputs']),
        isView: state === 'view' || state === 'pure' || entry['constant'] === true,
        isPayable: state === 'payable' || entry['payable'] === true,
      }
      const key = `${is} ${signatureOf(item)}`
      if (seen.has(key)) throw new Unreadable(say('{item} stands there twice', { item: signatureOf(item) }))
      seen.add(key)
      items.push(item)
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error
      throw new Unreadable(say('entry {k} of the ABI: {words}', { k: k + 1, words: error.words }))
    }
  }
  return items
}

/** Type of a parameter as signatures write it: tuples by their components. */
const plainType = ({ type, components }: AbiParameter): string =>
  type.startsWith('tuple') ? `(${components.map(plainType).join(',')})${type.slice(5)}` : type

export const signatureOf = ({ name, inputs }: Pick<AbiItem, 'name' | 'inputs'>): string => `${name}(${inputs.map(plainType).join(',')})`

function json(value: string): unknown {
  if (value.length > interfaceLimits.characters)
    throw new Unreadable(say('it has more than {characters} characters', { characters: interfaceLimits.characters }))
  try {
    return JSON.parse(value)
  } catch (error) {
    throw new Unreadable(say('it is no JSON: {more}', { more: error instanceof Error ? error.message.slice(0, 120) : '' }))
  }
}

function codeOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (typeof value !== 'string') throw new Unreadable(say('the bytecode is not text'))
  const digits = value.trim().replace(/^0x/i, '')
  if (digits === '') return ''
  if (/__\$?[\w.:/$-]+/.test(digits)) throw new Unreadable(say('the bytecode has libraries that were not linked'))
  if (!/^[\da-fA-F]+$/.test(digits) || digits.length % 2 !== 0) throw new Unreadable(say('the bytecode is not pairs of hexadecimal digits'))
  if (digits.length / 2 > maxCreationBytes)
    throw new Unreadable(say('the bytecode has more than {maxCreationBytes} bytes', { maxCreationBytes }))
  return `0x${digits.toLowerCase()}`
}

/** The code in an artifact: Foundry `bytecode.object`, Hardhat `bytecode`, solc `evm.bytecode.object`. */
function artifactCode(artifact: Readonly<Record<string, unknown>>): unknown {
  const evm = isRecord(artifact['evm']) ? artifact['evm']['bytecode'] : undefined
  const found = artifact['bytecode'] ?? artifact['bin'] ?? evm
  return isRecord(found) ? found['object'] : found
}

/** Reads the interface of a contract's fields, or says which field cannot be read and why. */
export function readInterface(fields: { artifact: string; abi: string; code: string }): Interface | InterfaceFault {
  let field: InterfaceFault['field'] = fields.artifact.trim() !== '' ? 'artifact' : 'abi'
  try {
    if (field === 'artifact') {
      const artifact = json(fields.artifact)
      if (!isRecord(artifact)) throw new Unreadable(say('an artifact is an object with "abi" and "bytecode"'))
      if (artifact['abi'] === undefined) throw new Unreadable(say('there is no "abi" in it'))
      return { items: itemsOf(artifact['abi']), code: codeOf(artifactCode(artifact)) }
    }
    if (fields.abi.trim() === '') throw new Unreadable(say('it needs an artifact or an ABI'))
    const items = itemsOf(json(fields.abi))
    field = 'code'
    return { items, code: codeOf(fields.code) }
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    return { fault: error.words, field }
  }
}

/** Bits of a whole-number type of the ABI, or `undefined`: up to 48 are numbers in formulas, more are Integers. */
export const bitsOf = (type: string): number | undefined => {
  const match = integerType.exec(type)
  return match ? Number(match[2] || 256) : undefined
}

/** Whether a tuple is a dict in formulas: each component has a name. */
export const isNamed = (components: readonly AbiParameter[]): boolean => components.every(({ name }) => name !== '')

/** The type that a value of the ABI has in formulas. */
function typeOfParameter({ type, components, name }: AbiParameter): Type {
  const array = /^(.*)\[\d*\]$/.exec(type)
  if (array) return listOf(typeOfParameter({ type: array[1]!, components, name, indexed: false }))
  const bits = bitsOf(type)
  if (bits !== undefined) return bits <= 48 ? number : integer
  if (type === 'bool') return bool
  if (type === 'tuple')
    return isNamed(components) ? recordType(Object.fromEntries(components.map(one => [one.name, typeOfParameter(one)]))) : listOf(any)
  return text
}

/** What a function gives: nothing, one value, or a tuple of them. */
export function typeOfOutputs(outputs: readonly AbiParameter[]): Type {
  if (outputs.length === 0) return { is: 'none' }
  return outputs.length === 1 ? typeOfParameter(outputs[0]!) : tupleOf(...outputs.map(typeOfParameter))
}

/** The functions that a written method means: by its name, or by its whole signature. */
export function methodsNamed({ items }: Interface, method: string): readonly AbiItem[] {
  const wanted = method.replaceAll(/\s/g, '')
  return items.filter(item => item.is === 'function' && (item.name === wanted || signatureOf(item) === wanted))
}

/** Arguments of the constructor; none where the interface has none. */
export const constructorInputs = ({ items }: Interface): readonly AbiParameter[] =>
  items.find(({ is }) => is === 'constructor')?.inputs ?? []
