// One element read by itself: valid values, defaults for the rest. Pure and total.
import { isFieldId, isId } from '../ids.ts'
import { kindOf } from '../kinds.ts'
import type { Json, Kind } from '../kinds/kind.ts'
import { DOCUMENT } from '../business/limits.ts'
import type { End, Geo, Id, ReadNote } from '../model.ts'
import { isJson, isRecord, readValue, sameJson } from './values.ts'

/** All that is stored of one element; `undefined` is not stored. */
type RawElement = { kind: unknown; tree: unknown; geo: unknown; conn: unknown; style: unknown; fields: ReadonlyMap<string, unknown> }

/** An element read by itself: valid values, but parent and ends may lead nowhere. */
export type Parsed = {
  id: Id
  kind: string
  known: Kind | undefined
  parent: Id | null
  order: string
  geo: Geo
  ends: { from: End; to: End } | null
  bends: readonly (readonly [number, number])[]
  fields: Readonly<Record<string, Json>>
  locked: boolean
  tint: string | null
  /** As stored: some may have no other member. */
  groups: readonly Id[]
  notes: readonly ReadNote[]
  /** Is on no canvas: a scenario, or the root of another kind of file. */
  isRoot: boolean
  /** Opens a canvas, so that others may be placed in it; the content of a newer version's kind is left as it is. */
  isCanvas: boolean
  /** Belongs to what it is attached to: connectors and boundary events. */
  hangs: boolean
}

/** The element and the field a key of `data`, `text` or `rich` belongs to; null for a key of any other form. */
export function splitKey(key: string): { id: Id; field: string } | null {
  const slash = key.indexOf('/')
  const id = key.slice(0, Math.max(slash, 0))
  const field = key.slice(slash + 1)
  return isId(id) && isFieldId(field) ? { id, field } : null
}

export function fieldsOf(all: Map<Id, Map<string, unknown>>, id: Id): Map<string, unknown> {
  let fields = all.get(id)
  if (!fields) all.set(id, (fields = new Map()))
  return fields
}

/** Reads one element by itself. */
export function parseElement(id: Id, raw: RawElement): Parsed {
  const notes: ReadNote[] = []
  const kind = typeof raw.kind === 'string' ? raw.kind : ''
  const known = kindOf(kind)
  if (!known) notes.push({ kind: 'unknown-kind', id })
  const invalid = (field: string): void => void notes.push({ kind: 'invalid-value', id, field })

  const tree = raw.tree === undefined || isTree(raw.tree) ? raw.tree : void invalid('parent')
  const isConnector = known ? known.joins !== undefined : raw.conn !== undefined
  let geo: Geo = [0, 0, known?.size[0] ?? 120, known?.size[1] ?? 72]
  if (!isConnector && raw.geo !== undefined) {
    const box = readGeo(raw.geo)
    if (box) geo = box
    else invalid('geo')
  }
  let ends: Parsed['ends'] = null
  if (isConnector) {
    const conn = isRecord(raw.conn) ? raw.conn : {}
    ends = { from: readEnd(conn.from), to: readEnd(conn.to) }
  }
  const style = isRecord(raw.style) ? raw.style : {}
  const bends = readBends(style.bends)
  if (style.bends !== undefined && !bends) invalid('bends')

  const fields: Record<string, Json> = {}
  for (const field of known?.fields ?? []) {
    const { value, bad } = readValue(field, raw.fields.get(field.id))
    fields[field.id] = value
    if (bad) invalid(field.id)
  }
  const locked = raw.fields.get('locked') ?? false
  if (typeof locked !== 'boolean') invalid('locked')
  const tint = raw.fields.get('tint') ?? null
  if (tint !== null && !isColor(tint)) invalid('tint')
  const groups = readGroups(raw.fields.get('groups') ?? [])
  if (!groups) invalid('groups')
  const others = [...raw.fields.keys()].filter(field => !Object.hasOwn(fields, field) && !marks.has(field)).sort()
  for (const field of others) {
    const value = raw.fields.get(field)
    if (isJson(value)) fields[field] = value
    else invalid(field)
  }
  const isRoot = known?.on.includes('file') === true
  const isCanvas = known ? known.opens !== undefined : ends === null
  const hangs = ends !== null || known?.shape === 'boundary'
  return {
    id,
    kind,
    known,
    parent: isRoot ? null : (tree?.[0] ?? null),
    order: tree?.[1] ?? '',
    geo,
    ends,
    bends: bends ?? [],
    fields,
    locked: locked === true && !isRoot,
    tint: isColor(tint) && !isRoot ? tint : null,
    groups: ends || isRoot ? [] : (groups ?? []),
    notes,
    isRoot,
    isCanvas,
    hangs,
  }
}

/** Stored besides the fields of any kind: no kind has fields of these names. */
export const marks: ReadonlySet<string> = new Set(['locked', 'tint', 'groups'])

const isColor = (value: unknown): value is string => typeof value === 'string' && /^#[0-9a-f]{6}$/i.test(value)

/** The groups of an element, each once, or null when the value is no list of ids. */
export function readGroups(value: unknown): Id[] | null {
  return Array.isArray(value) && value.length <= DOCUMENT.depth && value.every(isId) ? [...new Set(value)] : null
}

const isTree = (value: unknown): value is [parent: Id | null, order: string] =>
  Array.isArray(value) && (value[0] === null || isId(value[0])) && typeof value[1] === 'string'

const isCoordinate = (value: unknown): value is number => typeof value === 'number' && Math.abs(value) <= DOCUMENT.coordinate

/** A box, or null when the value is none. Further entries are ignored. */
export function readGeo(value: unknown): Geo | null {
  if (!Array.isArray(value)) return null
  const [x, y, w, h]: unknown[] = value
  return isCoordinate(x) && isCoordinate(y) && isCoordinate(w) && isCoordinate(h) && w >= 0 && h >= 0 ? [x, y, w, h] : null
}

function readEnd(value: unknown): End {
  const stored = isRecord(value) ? value : {}
  const end: End = {
    id: isId(stored.id) ? stored.id : null,
    x: isCoordinate(stored.x) ? stored.x : 0,
    y: isCoordinate(stored.y) ? stored.y : 0,
  }
  return typeof stored.port === 'string' ? { ...end, port: stored.port } : end
}

function readBends(value: unknown): [number, number][] | null {
  if (!Array.isArray(value)) return null
  const bends: [number, number][] = []
  for (const bend of value) {
    if (!Array.isArray(bend) || !isCoordinate(bend[0]) || !isCoordinate(bend[1])) return null
    bends.push([bend[0], bend[1]])
  }
  return bends
}

/** The middle of a box. */
export const middle = ([x, y, w, h]: Geo): { x: number; y: number } => ({ x: x + w / 2, y: y + h / 2 })

/** Whether two readings of one element say the same of it, but for its place, its groups and its notes. */
export const sameContent = (a: Parsed, b: Parsed): boolean =>
  a === b ||
  (a.kind === b.kind &&
    a.locked === b.locked &&
    a.tint === b.tint &&
    sameJson(a.geo, b.geo) &&
    sameJson(a.bends, b.bends) &&
    sameJson(a.fields, b.fields))
