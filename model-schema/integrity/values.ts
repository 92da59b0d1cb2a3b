// Reads one stored value as its field type wants it. Total: whatever was stored (a newer version's value, a merge's leftover, hostile
// data), the result is a lawful value of the field.
import type { Field, FieldType, Json } from '../kinds/kind.ts'
import { DOCUMENT } from '../business/limits.ts'
import { isFieldId, isId } from '../ids.ts'
import { readRich } from '../rich.ts'

/** A value and whether something stored had to be replaced by the default. */
type Reading = { value: Json; bad: boolean }

/** The stored value when it is lawful, else the field's default. Nothing stored (undefined) reads as the default and is not bad. */
export function readValue(field: Field, stored: unknown): Reading {
  const { type, initial } = field
  if (stored === undefined) return { value: initial, bad: false }
  if (stored === null) return { value: initial, bad: initial !== null && !mayBeBlank(type) }
  switch (type.as) {
    case 'formula':
      return readFormula(stored, initial)
    case 'rows':
      return readRows(type.columns, stored, initial)
    case 'refs':
      if (!Array.isArray(stored)) return { value: initial, bad: true }
      return { value: stored.filter(isId), bad: !stored.every(isId) }
    case 'rich': {
      const value = readRich(stored)
      return value === undefined ? { value: initial, bad: true } : { value, bad: false }
    }
    default:
      return isLawful(type, stored) ? { value: stored, bad: false } : { value: initial, bad: true }
  }
}

const mayBeBlank = (type: FieldType): boolean => type.as === 'number' || type.as === 'ref' || type.as === 'rich' || type.as === 'image'

function readFormula(stored: unknown, initial: Json): Reading {
  const text = literalOf(stored)
  return text === null ? { value: initial, bad: true } : { value: text, bad: false }
}

/** The text of a formula; a plain number or truth, as people write them in a file by hand, is its literal. Null for anything else. */
export function literalOf(stored: unknown): string | null {
  if (typeof stored === 'string') return stored
  if (typeof stored === 'number' && Number.isFinite(stored)) return String(stored)
  if (typeof stored === 'boolean') return stored ? 'True' : 'False'
  return null
}

function isLawful(type: FieldType, stored: unknown): stored is Json {
  switch (type.as) {
    case 'name':
    case 'text':
      return typeof stored === 'string'
    case 'number':
      return isNumberWithin(type, stored)
    case 'boolean':
      return typeof stored === 'boolean'
    case 'choice':
      return typeof stored === 'string' && Object.hasOwn(type.options, stored)
    case 'color':
      return typeof stored === 'string' && (stored === '' || /^#[0-9a-f]{6}$/i.test(stored))
    case 'ref':
      return isId(stored)
    case 'data':
      return typeof stored === 'string' && /^[0-9A-Za-z+/=]*$/.test(stored)
    case 'image':
      return typeof stored === 'string' && /^data:image\/(png|jpeg);base64,[0-9A-Za-z+/=]*$/.test(stored)
    default:
      return false
  }
}

function isNumberWithin(type: FieldType & { as: 'number' }, stored: unknown): boolean {
  if (typeof stored !== 'number' || !Number.isFinite(stored)) return false
  if (type.integer && !Number.isInteger(stored)) return false
  return (type.min === undefined || stored >= type.min) && (type.max === undefined || stored <= type.max)
}

function readRows(columns: readonly Field[], stored: unknown, initial: Json): Reading {
  if (!Array.isArray(stored)) return { value: initial, bad: true }
  let bad = false
  const value: Json[] = []
  for (const row of stored) {
    if (!isRecord(row)) {
      bad = true
      continue
    }
    const cells: { [key: string]: Json } = {}
    for (const column of columns) {
      const cell = readValue(column, row[column.id])
      cells[column.id] = cell.value
      bad ||= cell.bad
    }
    for (const [key, cell] of Object.entries(row)) if (!(key in cells) && isFieldId(key) && isJson(cell)) cells[key] = cell
    value.push(cells)
  }
  return { value, bad }
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && isPlain(value)

/** Not a Date, Map, shared type ... : what JSON.parse or structured clone makes. */
function isPlain(value: object): boolean {
  const proto: unknown = Object.getPrototypeOf(value)
  return proto === Object.prototype || proto === null
}

/** Whether a value is plain JSON data: finite numbers, no functions, bounded depth, no key that every object has. */
export function isJson(value: unknown, depth = 0): value is Json {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true
  if (typeof value === 'number') return Number.isFinite(value)
  if (depth >= DOCUMENT.depth || typeof value !== 'object') return false
  if (Array.isArray(value)) return value.every(item => isJson(item, depth + 1))
  return isPlain(value) && Object.entries(value).every(([key, item]) => !(key in Object.prototype) && isJson(item, depth + 1))
}

/** Whether two JSON values are the same, whatever the order of their keys. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((item, i) => sameJson(item, b[i]))
  if (!isRecord(a) || !isRecord(b)) return false
  const keys = Object.keys(a)
  return keys.length === Object.keys(b).length && keys.every(key => Object.hasOwn(b, key) && sameJson(a[key], b[key]))
}

/**
 * The value with whole characters only: half a surrogate pair becomes U+FFFD, as it would when sent to peers, so that the contents don't
 * differ.
 */
export function wellFormed(value: Json): Json {
  if (typeof value === 'string') return value.toWellFormed()
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(wellFormed)
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key.toWellFormed(), wellFormed(item)]))
}
