// From the plain data of a document to its Model. Pure and total: no history, no clock, no throw. Any facets, however strangely merged,
// give the same Model on every peer; what is wrong is listed in `notes` and nothing is dropped. Two steps: each element is parsed by itself,
// then all are put together (parents, order, ends). A live document redoes only what a change touched (document/live.ts).
import { kindOf } from './kinds.ts'
import type { Json, Kind } from './kinds/kind.ts'
import { isFieldId, isId } from './ids.ts'
import { isJson, isRecord, readValue, sameJson } from './integrity/values.ts'
import { DOCUMENT } from './limits.ts'
import type { Element, End, Facets, Geo, Id, Model, ReadNote } from './model.ts'

/** The version of the document layout this build writes. */
export const SCHEMA = 1

/** All that is stored of one element; `undefined` is not stored. */
export type RawElement = { kind: unknown; tree: unknown; geo: unknown; conn: unknown; style: unknown; fields: ReadonlyMap<string, unknown> }

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
  notes: readonly ReadNote[]
}

/** A Model with what an incremental reader keeps beside it. */
export type Assembled = {
  model: Model
  /** What the elements were made of. */
  parsed: ReadonlyMap<Id, Parsed>
  /** Connectors by the element one of their ends holds on to. */
  attached: ReadonlyMap<Id, readonly Id[]>
  /** Notes of the whole: orphans, cycles, ends, order. */
  notes: readonly ReadNote[]
}

/** Reads the plain data of a document. Total; equal facets give equal Models, key order does not matter. */
export function readFacets(facets: Facets): Model {
  const fields = new Map<Id, Map<string, unknown>>()
  for (const values of [facets.data, facets.rich, facets.text]) {
    for (const [key, value] of Object.entries(values)) {
      const at = splitKey(key)
      if (at) fieldsOf(fields, at.id).set(at.field, value)
    }
  }
  const parsed = new Map<Id, Parsed>()
  for (const id of Object.keys(facets.kind)) {
    if (!isId(id)) continue
    parsed.set(
      id,
      parseElement(id, {
        kind: own(facets.kind, id),
        tree: own(facets.tree, id),
        geo: own(facets.geo, id),
        conn: own(facets.conn, id),
        style: own(facets.style, id),
        fields: fields.get(id) ?? nothing,
      }),
    )
  }
  return assemble(parsed, id => own(facets.geo, id), own(facets.meta, 'schema')).model
}

const nothing: ReadonlyMap<string, unknown> = new Map()

const own = (record: Record<string, Json>, key: string): unknown => (Object.hasOwn(record, key) ? record[key] : undefined)

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
  const others = [...raw.fields.keys()].filter(field => !Object.hasOwn(fields, field)).sort()
  for (const field of others) {
    const value = raw.fields.get(field)
    if (isJson(value)) fields[field] = value
    else invalid(field)
  }
  const isScenario = known?.opens === 'root'
  return {
    id,
    kind,
    known,
    parent: isScenario ? null : (tree?.[0] ?? null),
    order: tree?.[1] ?? '',
    geo,
    ends,
    bends: bends ?? [],
    fields,
    notes,
  }
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

/**
 * Puts parsed elements together. `lastGeo` is what is still stored as the box of an element that is gone. Elements of `before` that come
 * out the same keep their identity.
 */
export function assemble(parsed: ReadonlyMap<Id, Parsed>, lastGeo: (id: Id) => unknown, schema: unknown, before?: Assembled): Assembled {
  const notes: ReadNote[] = []
  const ids = [...parsed.keys()].sort()
  const all = new Map(ids.map(id => [id, known(parsed, id)]))
  let scenarios = ids.filter(id => isScenario(all.get(id)))
  if (scenarios.length === 0) {
    const virtual = virtualScenario(all)
    all.set(virtual.id, virtual)
    ids.push(virtual.id)
    ids.sort()
    scenarios = [virtual.id]
    notes.push({ kind: 'missing-scenario', id: virtual.id })
  }
  const order = (a: Id, b: Id): number => compare(known(all, a).order, known(all, b).order) || compare(a, b)
  scenarios.sort(order)
  const root = scenarios[0] ?? ''
  const parents = resolveParents(all, ids, root, notes)

  const children = new Map<Id | null, Id[]>([[null, scenarios]])
  for (const id of ids) {
    const parent = parents.get(id)
    if (parent === undefined || parent === null) continue
    const list = children.get(parent)
    if (list) list.push(id)
    else children.set(parent, [id])
  }
  for (const list of children.values()) {
    list.sort(order)
    for (let i = 1; i < list.length; i++) {
      const id = list[i] ?? ''
      if (known(all, id).order === known(all, list[i - 1] ?? '').order) notes.push({ kind: 'duplicate-order', id })
    }
  }

  const attached = new Map<Id, Id[]>()
  const elements = new Map<Id, Element>()
  for (const id of ids) {
    const own = known(all, id)
    const placed: Placed = { parent: parents.get(id) ?? null, children: children.get(id) ?? none, ends: null }
    if (own.ends) {
      placed.ends = { from: resolveEnd(own.ends.from, all, lastGeo), to: resolveEnd(own.ends.to, all, lastGeo) }
      for (const side of ['from', 'to'] as const) {
        const end = placed.ends[side].id
        if (end === null) notes.push({ kind: 'dangling-end', id, field: side })
        // Also a lost end: whatever happens to the box of the lost element moves the point.
        const held = own.ends[side].id
        if (held === null) continue
        const list = attached.get(held)
        if (list) list.push(id)
        else attached.set(held, [id])
      }
    }
    const old = before?.parsed.get(id)
    elements.set(id, elementOf(own, placed, old && sameContent(old, own) ? before?.model.elements.get(id) : undefined))
  }
  const model: Model = { schema: isSchema(schema) ? schema : SCHEMA, elements, scenarios, notes: sortNotes(notes, all.values()) }
  return { model, parsed: all, attached, notes }
}

const none: readonly Id[] = []
const isSchema = (value: unknown): value is number => typeof value === 'number' && Number.isInteger(value) && value > 0
const isScenario = (element: Parsed | undefined): boolean => element?.known?.opens === 'root'
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

function known(all: ReadonlyMap<Id, Parsed>, id: Id): Parsed {
  const element = all.get(id)
  if (!element) throw new RangeError(`no element ${id}`)
  return element
}

// A file without any scenario (two people deleted one each) gets this one, on every peer the same, until an edit makes it real.
function virtualScenario(taken: ReadonlyMap<Id, Parsed>): Parsed {
  let id = 'scenario'
  while (taken.has(id)) id += '0'
  let scenario = virtualScenarios.get(id)
  if (!scenario) {
    scenario = parseElement(id, {
      kind: 'scenario',
      tree: [null, 'a0'],
      geo: undefined,
      conn: undefined,
      style: undefined,
      fields: new Map([['name', 'Scenario 1']]),
    })
    virtualScenarios.set(id, scenario)
  }
  return scenario
}

const virtualScenarios = new Map<Id, Parsed>()

/** Where each element stands. An element whose parent is gone goes to the canvas of what it belongs to, else to the first scenario. */
function resolveParents(all: ReadonlyMap<Id, Parsed>, ids: readonly Id[], root: Id, notes: ReadNote[]): Map<Id, Id | null> {
  const parents = new Map<Id, Id | null>()
  const lost: Id[] = []
  for (const id of ids) {
    const element = known(all, id)
    if (isScenario(element)) parents.set(id, null)
    else if (element.parent !== null && isCanvas(all.get(element.parent))) parents.set(id, element.parent)
    else lost.push(id)
  }
  // What hangs on something else follows it; all others stand on the first root.
  const hangs = (id: Id): boolean => known(all, id).ends !== null || known(all, id).known?.shape === 'boundary'
  for (const id of [...lost.filter(id => !hangs(id)), ...lost.filter(hangs)]) {
    notes.push({ kind: 'orphan', id })
    const element = known(all, id)
    const anchors = element.ends ? [element.ends.from.id, element.ends.to.id] : [element.fields.host]
    const anchor = hangs(id) ? anchors.find(anchor => isId(anchor) && all.has(anchor) && !hangs(anchor) && parents.get(anchor)) : undefined
    parents.set(id, (isId(anchor) ? parents.get(anchor) : undefined) ?? root)
  }
  breakCycles(ids, parents, root, notes)
  return parents
}

/** Only what opens a canvas holds children; what a newer version's kind may hold is left as it is. */
const isCanvas = (element: Parsed | undefined): boolean =>
  element !== undefined && (element.known === undefined ? element.ends === null : element.known.opens !== undefined)

/** Each ring of parents is opened at its greatest id, which goes to the first scenario. */
function breakCycles(ids: readonly Id[], parents: Map<Id, Id | null>, root: Id, notes: ReadNote[]): void {
  const done = new Set<Id>()
  for (const start of ids) {
    const path = new Set<Id>()
    let at: Id | null = start
    while (at !== null && !done.has(at) && !path.has(at)) {
      path.add(at)
      at = parents.get(at) ?? null
    }
    if (at !== null && path.has(at)) {
      const walked = [...path]
      const ring = walked.slice(walked.indexOf(at))
      const greatest = ring.reduce((a, b) => (a > b ? a : b))
      parents.set(greatest, root)
      notes.push({ kind: 'cycle', id: greatest })
    }
    for (const id of path) done.add(id)
  }
}

/** An end holds on to an element that is there and is no connector; its point is then the middle of that element, else the last known one. */
function resolveEnd(end: End, all: ReadonlyMap<Id, Parsed>, lastGeo: (id: Id) => unknown): End {
  const held = end.id === null ? undefined : all.get(end.id)
  if (held && !held.ends) return { ...end, ...middle(held.geo) }
  const box = end.id === null || held ? null : readGeo(lastGeo(end.id))
  const { port: _, ...lost } = end
  return { ...lost, id: null, ...(box ? middle(box) : {}) }
}

export const middle = ([x, y, w, h]: Geo): { x: number; y: number } => ({ x: x + w / 2, y: y + h / 2 })

type Placed = { parent: Id | null; children: readonly Id[]; ends: Element['ends'] }

/** Whether two readings of one element say the same of it, but for its place and its notes. */
export const sameContent = (a: Parsed, b: Parsed): boolean =>
  a === b || (a.kind === b.kind && sameJson(a.geo, b.geo) && sameJson(a.bends, b.bends) && sameJson(a.fields, b.fields))

/** The element, or the one from before when nothing about it is different. */
export function elementOf(own: Parsed, placed: Placed, before: Element | undefined): Element {
  const same =
    before &&
    before.parent === placed.parent &&
    sameIds(before.children, placed.children) &&
    sameEnd(before.ends?.from, placed.ends?.from) &&
    sameEnd(before.ends?.to, placed.ends?.to)
  if (same) return before
  const { id, kind, bends, fields } = own
  return {
    id,
    kind,
    parent: placed.parent,
    children: placed.children,
    geo: placed.ends ? bounds(placed.ends, bends) : own.geo,
    ends: placed.ends,
    bends,
    fields,
  }
}

const sameIds = (a: readonly Id[], b: readonly Id[]): boolean => a === b || (a.length === b.length && a.every((id, i) => id === b[i]))
const sameEnd = (a: End | undefined, b: End | undefined): boolean =>
  a === b || (a?.id === b?.id && a?.x === b?.x && a?.y === b?.y && a?.port === b?.port)

/** The box around a connector's ends and bends. */
function bounds(ends: { from: End; to: End }, bends: Parsed['bends']): Geo {
  const xs = [ends.from.x, ends.to.x, ...bends.map(bend => bend[0])]
  const ys = [ends.from.y, ends.to.y, ...bends.map(bend => bend[1])]
  const x = Math.min(...xs)
  const y = Math.min(...ys)
  return [x, y, Math.max(...xs) - x, Math.max(...ys) - y]
}

/** All notes in one order that depends on nothing but themselves. */
export function sortNotes(whole: readonly ReadNote[], elements: Iterable<Parsed>): ReadNote[] {
  const notes = [...whole]
  for (const element of elements) notes.push(...element.notes)
  return notes.sort((a, b) => compare(a.id, b.id) || compare(a.kind, b.kind) || compare(a.field ?? '', b.field ?? ''))
}
