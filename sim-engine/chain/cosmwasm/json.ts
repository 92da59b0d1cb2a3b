// JSON of contracts, parsed defensively: it comes from foreign code.
import { base64 } from '@scure/base'
import { MessageFault } from './faults.ts'

export type Json = null | boolean | number | string | readonly Json[] | JsonRecord
export type JsonRecord = { readonly [key: string]: Json }

const decoder = new TextDecoder()
const encoder = new TextEncoder()

/** Reads JSON. Numbers beyond 2^53 are refused: they would be rounded in silence. */
export function parsed(text: string): Json {
  let value: Json
  try {
    value = JSON.parse(text) as Json
  } catch {
    throw new MessageFault(`this is no JSON: ${text.slice(0, 80)}`)
  }
  checkNumbers(value)
  return value
}

function checkNumbers(value: Json): void {
  if (typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER)
    throw new MessageFault('a number beyond 2^53 in JSON; contracts write such numbers as texts')
  if (typeof value !== 'object' || value === null) return
  for (const one of Object.values(value) as Json[]) checkNumbers(one)
}

/** The JSON that a text is; undefined where it is none, or has numbers that would be rounded. */
export function jsonIn(text: string): Json | undefined {
  try {
    return parsed(text)
  } catch {
    return undefined
  }
}

/** An object that a text holds in base64, as messages within messages are; undefined for all else. */
function packedIn(text: string): Json | undefined {
  if (!/^ey[A-Za-z\d+/]+={0,2}$/.test(text) || text.length % 4 !== 0) return undefined
  const value = jsonIn(textFromBase64(text))
  return isRecord(value) ? value : undefined
}

const unpacked = (value: Json): Json => {
  if (typeof value === 'string') return packedIn(value) ?? value
  if (Array.isArray(value)) return value.map(unpacked)
  return isRecord(value) ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, unpacked(one)])) : value
}

/** JSON as people read it: with spaces, messages within it unpacked. Text that is no JSON stays as it is. */
export function readableJson(text: string): string {
  const value = jsonIn(text)
  return value === undefined ? text : JSON.stringify(unpacked(value), null, 1).replaceAll(/\n */g, ' ')
}

export const isRecord = (value: Json | undefined): value is JsonRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const textIn = (record: JsonRecord, name: string): string => {
  const value = record[name]
  return typeof value === 'string' ? value : wrong(name)
}

export const numberIn = (record: JsonRecord, name: string): number => {
  const value = record[name]
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : wrong(name)
}

/** The same, null where it is missing or null. */
export const optionalNumberIn = (record: JsonRecord, name: string): number | null =>
  (record[name] ?? null) === null ? null : numberIn(record, name)
export const optionalTextIn = (record: JsonRecord, name: string): string | null =>
  (record[name] ?? null) === null ? null : textIn(record, name)

export const listIn = (record: JsonRecord, name: string): readonly Json[] => {
  const value = record[name] ?? []
  return Array.isArray(value) ? (value as readonly Json[]) : wrong(name)
}

/** The one entry of an enum of Rust: its name and what it holds. */
export function variantOf(value: Json | undefined, what: string): readonly [string, Json] {
  const entries = isRecord(value) ? Object.entries(value) : []
  const [entry] = entries
  if (entries.length !== 1 || !entry) throw new MessageFault(`${what} is an object with one entry`)
  return entry
}

export const binaryIn = (record: JsonRecord, name: string): Uint8Array => fromBase64(textIn(record, name))

export function fromBase64(text: string): Uint8Array {
  try {
    return base64.decode(text)
  } catch {
    throw new MessageFault('this is no base64')
  }
}

export const toBase64 = (bytes: Uint8Array): string => base64.encode(bytes)
export const textToBase64 = (text: string): string => base64.encode(encoder.encode(text))
export const textFromBase64 = (text: string): string => decoder.decode(fromBase64(text))

function wrong(name: string): never {
  throw new MessageFault(`${name} is missing or has another type`)
}
