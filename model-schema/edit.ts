// Every change a person can make to a model. Each function is one transaction with the origin LOCAL; what the canvas grammar or the document
// as it is now doesn't allow comes back as a Refusal, and then nothing was written.
import * as Y from 'yjs'
import { layoutOf, LOCAL, type DocumentLayout } from './document/layout.ts'
import { liveOf } from './document/live.ts'
import { mayAdd, mayAddScenarios } from './edit/bounds.ts'
import { clipOf, readClip, type Clip } from './edit/clip.ts'
import { addCopies, shiftTo } from './edit/copies.ts'
import { restoreFacets } from './edit/restore.ts'
import { freeName, freshName, namesOn } from './edit/names.ts'
import {
  bounded,
  create,
  edit,
  endValue,
  makeReal,
  makeRoom,
  modelNow,
  patch,
  put,
  putValue,
  replaceText,
  siblingsOf,
} from './edit/write.ts'
import { facetsOfFile, type HoloFile } from './file.ts'
import { isId, newId } from './ids.ts'
import { middle } from './integrity/parse.ts'
import { isJson, readValue } from './integrity/values.ts'
import { fieldOf, hasFormulaName, kindOf } from './kinds.ts'
import type { Field, Json, Kind } from './kinds/kind.ts'
import { gone, locked, mayConnect, mayPlace, mayReparent, refusal, withDependents, withDescendants, type Refusal } from './lawful.ts'
import { DOCUMENT } from './business/limits.ts'
import type { End, Geo, Id, Model } from './model.ts'
import { componentsBelow } from './business/taken.ts'
import { say, verbatim, type Words } from './words.ts'

export { bindEdits, mayAdd } from './edit/bounds.ts'
export { group, setLocked, setTint, ungroup } from './edit/gather.ts'
export { createUndo, type Undo } from './edit/undo.ts'
export { isRefusal, type Refusal } from './lawful.ts'
export type { Clip } from './edit/clip.ts'
export { LOCAL } from './document/layout.ts'

/** Several edits as one transaction: others see all or nothing of them. */
export const together = <T>(doc: Y.Doc, edits: () => T): T => doc.transact(edits, LOCAL)

/** Puts a new element on the canvas that `parent` opens, its upper left corner at `at`. A name is made up unless `values` has one. */
export function place(
  doc: Y.Doc,
  spec: {
    kind: string
    parent: Id
    at: readonly [number, number]
    values?: Readonly<Record<string, Json>>
    id?: Id
    size?: readonly [number, number]
  },
): Id | Refusal {
  const model = modelNow(doc)
  const { kind, parent, at, values = {}, id = newId() } = spec
  const why = mayPlace(model, kind, parent) ?? mayAdd(doc, parent, 1)
  if (why) return why
  const row = kindOf(kind)
  if (!row || row.joins || !isFree(doc, id)) return refusal('unknown-kind', say('"{kind}" cannot be placed.', { kind }))
  const fault = faultOf(row, values)
  if (fault) return fault
  const [w, h] = spec.size ?? row.size
  edit(doc, layout => {
    makeReal(layout, model, parent)
    const named = hasFormulaName(kind) && !values.name ? { ...values, name: freshName(model, parent, kind) } : values
    create(doc, layout, {
      id,
      kind,
      parent,
      order: orderLast(layout, model, parent),
      geo: [at[0], at[1], w, h],
      values: named,
    })
  })
  return id
}

/** Why these values can't be those of a new element of this kind. */
function faultOf(kind: Kind | undefined, values: Readonly<Record<string, Json>>): Refusal | null {
  for (const [id, value] of Object.entries(values)) {
    const field = kind && fieldOf(kind, id)
    if (!field || !isJson(value) || isTooLong(value) || readValue(field, value).bad) return invalid(field?.label ?? verbatim(id))
  }
  return null
}

const isFree = (doc: Y.Doc, id: Id): boolean => isId(id) && !layoutOf(doc).tree.has(id) && !layoutOf(doc).kind.has(id)

function orderLast(layout: DocumentLayout, model: Model, parent: Id | null): string {
  const siblings = siblingsOf(layout, model, parent)
  return makeRoom(layout, siblings, siblings.length, parent)[0] ?? 'a0'
}

/** Draws a connector between two elements on one canvas. */
export function connect(
  doc: Y.Doc,
  spec: { kind: string; from: End | Id; to: End | Id; parent?: Id; values?: Readonly<Record<string, Json>>; id?: Id },
): Id | Refusal {
  const model = modelNow(doc)
  const { kind, values = {}, id = newId() } = spec
  const from = endFrom(model, spec.from)
  const to = endFrom(model, spec.to)
  if (from.id === null || to.id === null) return refusal('wrong-ends', say('A connector needs two elements.'))
  const why = mayConnect(model, kind, from.id, to.id) ?? mayAdd(doc, model.elements.get(from.id)?.parent ?? '', 1)
  if (why) return why
  const fault = faultOf(kindOf(kind), values)
  if (fault) return fault
  const parent = model.elements.get(from.id)?.parent ?? null
  if (parent === null || !isFree(doc, id)) return gone()
  edit(doc, layout => create(doc, layout, { id, kind, parent, order: orderLast(layout, model, parent), ends: { from, to }, values }))
  return id
}

function endFrom(model: Model, end: End | Id): End {
  const id = typeof end === 'string' ? end : end.id
  const held = id === null ? undefined : model.elements.get(id)
  const point = held ? middle(held.geo) : typeof end === 'string' ? { x: 0, y: 0 } : { x: end.x, y: end.y }
  return typeof end === 'string' || end.port === undefined ? { id, ...point } : { id, port: end.port, ...point }
}

/**
 * Moves and resizes what isn't locked. Boundary events move with their activity, and bends with a connector if both of its ends move by the
 * same distance.
 */
export function move(doc: Y.Doc, moves: readonly { id: Id; geo: Geo }[]): void {
  const { model, attached } = liveOf(doc).assembled
  const boxes = new Map<Id, Geo>()
  const shifts = new Map<Id, readonly [number, number]>()
  for (const { id, geo } of moves) {
    const element = model.elements.get(id)
    if (!element || element.ends || element.locked) continue
    boxes.set(id, bounded(geo))
    shifts.set(id, [geo[0] - element.geo[0], geo[1] - element.geo[1]])
  }
  for (const [host, shift] of shifts)
    for (const id of attached.get(host) ?? []) {
      const element = model.elements.get(id)
      if (element?.kind !== 'boundary' || boxes.has(id) || element.parent !== model.elements.get(host)?.parent) continue
      const { geo } = element
      boxes.set(id, bounded([geo[0] + shift[0], geo[1] + shift[1], geo[2], geo[3]]))
      shifts.set(id, shift)
    }
  const connectors = new Set(shifts.size > 1 ? [...shifts.keys()].flatMap(id => attached.get(id) ?? []) : [])
  edit(doc, layout => {
    for (const [id, geo] of boxes) if (layout.kind.has(id)) put(layout.geo, id, [...geo])
    // A connector's bends move only with both its ends.
    for (const id of connectors) {
      const element = model.elements.get(id)
      if (!element?.ends || element.bends.length === 0) continue
      const from = shifts.get(element.ends.from.id ?? '')
      const to = shifts.get(element.ends.to.id ?? '')
      if (from && to && from[0] === to[0] && from[1] === to[1])
        patch(layout.style, id, { bends: element.bends.map(([x, y]) => [x + from[0], y + from[1]]) })
    }
  })
}

/** Sets the value of a field; a formula's text is set as by `setText`. A value the field can't hold is refused. */
export function setField(doc: Y.Doc, id: Id, field: string, value: Json): Refusal | null {
  const model = modelNow(doc)
  const element = model.elements.get(id)
  if (!element) return gone()
  const row = fieldNamed(element.kind, field)
  if (!row || !isJson(value)) return invalid(verbatim(field))
  const reading = readValue(row, value)
  if (reading.bad || isTooLong(reading.value)) return invalid(row.label)
  if (row.type.as === 'formula') return setText(doc, id, field, String(reading.value))
  edit(doc, layout => {
    makeReal(layout, model, id)
    putValue(layout, id, field, reading.value, row.type.as === 'rich')
  })
  return null
}

const isTooLong = (value: Json): boolean =>
  (typeof value === 'string' ? value.length : typeof value === 'object' && value !== null ? JSON.stringify(value).length : 0) >
  DOCUMENT.valueLength
const invalid = (words: Words): Refusal => refusal('invalid-value', say('{words}: this value is not possible.', { words }))

function fieldNamed(kind: string, field: string): Field | undefined {
  const row = kindOf(kind)
  return row && fieldOf(row, field)
}

/** Sets the text of a formula, changing only what differs, so that what others type elsewhere in it stays. */
export function setText(doc: Y.Doc, id: Id, field: string, text: string): Refusal | null {
  const model = modelNow(doc)
  const element = model.elements.get(id)
  if (!element) return gone()
  if (fieldNamed(element.kind, field)?.type.as !== 'formula' || text.length > DOCUMENT.formulaLength) return invalid(verbatim(field))
  edit(doc, layout => {
    makeReal(layout, model, id)
    const shared = layout.text.get(`${id}/${field}`)
    if (shared instanceof Y.Text) replaceText(shared, text)
    else put(layout.data, `${id}/${field}`, text.toWellFormed())
  })
  return null
}

/** Sets the bends of a connector; none lets it find its own way. */
export function setBends(doc: Y.Doc, id: Id, bends: readonly (readonly [number, number])[]): Refusal | null {
  const element = modelNow(doc).elements.get(id)
  if (!element?.ends) return gone()
  if (element.locked) return locked()
  if (bends.length > DOCUMENT.bends) return invalid(verbatim('bends'))
  edit(doc, layout => patch(layout.style, id, { bends: bends.map(([x, y]) => [...bounded([x, y, 0, 0])].slice(0, 2)) }))
  return null
}

/** Leads one end of a connector to another element. */
export function reconnect(doc: Y.Doc, id: Id, side: 'from' | 'to', end: End | Id): Refusal | null {
  const model = modelNow(doc)
  const element = model.elements.get(id)
  if (!element?.ends) return gone()
  if (element.locked) return locked()
  const next = endFrom(model, end)
  const ends = { ...element.ends, [side]: next }
  if (ends.from.id === null || ends.to.id === null) return refusal('wrong-ends', say('A connector needs two elements.'))
  const why = mayConnect(model, element.kind, ends.from.id, ends.to.id, id)
  if (why) return why
  edit(doc, layout => {
    patch(layout.conn, id, { from: endValue(ends.from), to: endValue(ends.to) })
    const parent = model.elements.get(ends.from.id ?? '')?.parent ?? null
    if (parent !== null && parent !== element.parent) put(layout.tree, id, [parent, orderLast(layout, model, parent)])
  })
  return null
}

/**
 * Inserts a step into a sequence flow: the flow is redirected to the step, and a new flow leads from there to the old target. The flow
 * keeps its condition. Returns the new flow.
 */
export function insertStep(doc: Y.Doc, flow: Id, step: Id, id: Id = newId()): Id | Refusal {
  const model = modelNow(doc)
  const element = model.elements.get(flow)
  const to = element?.ends?.to.id
  if (!element?.ends || !to || !element.ends.from.id || !model.elements.has(step)) return gone()
  if (element.locked) return locked()
  const { from } = element.ends
  const why =
    mayConnect(model, element.kind, from.id ?? '', step, flow) ??
    mayConnect(model, element.kind, step, to) ??
    mayAdd(doc, element.parent ?? '', 1)
  if (why) return why
  return together(doc, () => {
    const refused = reconnect(doc, flow, 'to', step) ?? setBends(doc, flow, [])
    return refused ?? connect(doc, { kind: element.kind, from: step, to, id })
  })
}

/**
 * Deletes elements with everything that cannot be without them: what is inside, boundary events on them, their connectors. The last
 * scenario stays, and what is locked (unless its parent or host is deleted). Only the existence is taken away: undo brings all back as it
 * is then, with what others changed meanwhile.
 */
export function remove(doc: Y.Doc, ids: readonly Id[]): Refusal | null {
  const model = modelNow(doc)
  const keep = model.roots.every(id => ids.includes(id)) ? model.roots[0] : undefined
  const doomed = withDependents(
    model,
    ids.filter(id => id !== keep && !model.elements.get(id)?.locked),
  )
  if (doomed.size > 0) edit(doc, layout => doomed.forEach(id => layout.kind.has(id) && layout.kind.delete(id)))
  if (keep === undefined) return ids.some(id => model.elements.get(id)?.locked) ? locked() : null
  if (model.elements.get(keep)?.kind !== 'scenario') return refusal('last-scenario', say('What the file is made of stays.'))
  return refusal('last-scenario', say('A model keeps at least one scenario.'))
}

/** Gives an element a name. Names that formulas say are not left empty. */
export function rename(doc: Y.Doc, id: Id, name: string): Refusal | null {
  const element = modelNow(doc).elements.get(id)
  if (!element) return gone()
  const trimmed = name.trim()
  if (trimmed.length > DOCUMENT.nameLength || (trimmed === '' && hasFormulaName(element.kind))) return invalid(say('Name'))
  return setField(doc, id, 'name', trimmed)
}

/** Takes elements with all inside them to another canvas, before the sibling `before` (null: last). Connectors to what stays behind are deleted. */
export function reparent(doc: Y.Doc, ids: readonly Id[], parent: Id, before: Id | null = null): Refusal | null {
  const model = modelNow(doc)
  const going = ids.filter(id => !model.elements.get(id)?.ends)
  const why = going.some(id => model.elements.get(id)?.locked) ? locked() : mayReparent(model, going, parent)
  if (why) return why
  const gang = new Set(going)
  const dependents = [...withDependents(model, going)].filter(id => !withDescendants(model, going).has(id))
  edit(doc, layout => {
    makeReal(layout, model, parent)
    const along: Id[] = []
    for (const id of dependents) {
      const element = model.elements.get(id)
      const stays = element?.ends && !(gang.has(element.ends.from.id ?? '') && gang.has(element.ends.to.id ?? ''))
      if (stays) layout.kind.delete(id)
      else if (!gang.has(id)) along.push(id)
    }
    insert(layout, model, [...going, ...along], parent, before)
  })
  return null
}

/** Puts an element before a sibling in the canvas order (which is the order of drawing and of activation); null: last. */
export function reorder(doc: Y.Doc, id: Id, before: Id | null): Refusal | null {
  const model = modelNow(doc)
  const element = model.elements.get(id)
  if (!element) return gone()
  edit(doc, layout => insert(layout, model, [id], element.parent, before))
  return null
}

function insert(layout: DocumentLayout, model: Model, ids: readonly Id[], parent: Id | null, before: Id | null): void {
  const siblings = siblingsOf(layout, model, parent).filter(({ id }) => !ids.includes(id))
  const at = before === null ? -1 : siblings.findIndex(({ id }) => id === before)
  const orders = makeRoom(layout, siblings, at < 0 ? siblings.length : at, parent, ids.length)
  ids.forEach((id, i) => put(layout.tree, id, [parent, orders[i] ?? 'a0']))
}

/** Copies elements as plain data: `JSON.stringify` it for the clipboard. */
export const copy = (model: Model, ids: readonly Id[]): Clip => clipOf(model, ids)

/**
 * Adds copies of what was copied to a canvas, the middle of their outline at `at` (absent: where they were). `clip` may be the clipboard's
 * text. Elements that the canvas can't hold are left out. Returns the copies on the canvas itself.
 */
export function paste(
  doc: Y.Doc,
  clip: Clip | string,
  parent: Id,
  at?: readonly [number, number],
  makeId: () => Id = newId,
): Id[] | Refusal {
  const read = readClip(clip)
  return 'refused' in read ? read : addCopies(doc, read, parent, at ? shiftTo(read, at) : [0, 0], makeId)
}

/** Copies elements on their own canvas, moved by `offset`. */
export function duplicate(doc: Y.Doc, ids: readonly Id[], offset: readonly [number, number] = [24, 24], makeId: () => Id = newId): Id[] {
  const model = modelNow(doc)
  const canvases = new Map<Id, Id[]>()
  for (const id of ids) {
    const parent = model.elements.get(id)?.parent
    if (parent) canvases.set(parent, [...(canvases.get(parent) ?? []), id])
  }
  return together(doc, () =>
    [...canvases].flatMap(([parent, own]) => {
      const made = addCopies(doc, clipOf(model, own), parent, offset, makeId)
      return 'refused' in made ? [] : made
    }),
  )
}

/** Adds an empty scenario after the others. */
export function addScenario(doc: Y.Doc, name?: string, id: Id = newId()): Id | Refusal {
  const model = modelNow(doc)
  const why = mayAddScenarios(doc, [0])
  if (why) return why
  edit(doc, layout => {
    makeReal(layout, model, model.scenarios[0] ?? '')
    create(doc, layout, {
      id,
      kind: 'scenario',
      parent: null,
      order: orderLast(layout, model, null),
      values: { name: name ?? freshName(model, null, 'scenario') },
    })
  })
  return id
}

/** Copies a scenario with all in it: the start of a variant. */
export function duplicateScenario(doc: Y.Doc, id: Id, name?: string, makeId: () => Id = newId): Id | Refusal {
  const model = modelNow(doc)
  const scenario = model.elements.get(id)
  if (!scenario || !model.scenarios.includes(id)) return gone()
  const why = mayAddScenarios(doc, [componentsBelow(model, id)])
  if (why) return why
  return together(doc, () => {
    makeReal(layoutOf(doc), model, id)
    const clip = clipOf(model, [id], true)
    const own = clip.elements[id]
    if (own) own.name = name ?? freeName(namesOn(model, null), String(scenario.fields.name))
    const made = addCopies(doc, clip, null, [0, 0], makeId)
    return 'refused' in made ? made : (made[0] ?? gone())
  })
}

/** Deletes a scenario with all in it; the last one stays. */
export const removeScenario = (doc: Y.Doc, id: Id): Refusal | null => remove(doc, [id])

/** Brings the whole document to the content of a file (a version from the history, an import), writing only what differs. */
export function restore(doc: Y.Doc, file: HoloFile): void {
  edit(doc, layout => restoreFacets(layout, facetsOfFile(file)))
}
