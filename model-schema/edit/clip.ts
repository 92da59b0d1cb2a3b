// Copies of elements as plain data, for duplicating and for the clipboard (as JSON text, so that they travel between files and tabs).
import type { HoloElement } from '../file/format.ts'
import { fieldKeyOf, fileKeyOf, parseFile } from '../file.ts'
import { isId } from '../ids.ts'
import { isJson, isRecord } from '../integrity/values.ts'
import { fieldOf, kindOf } from '../kinds.ts'
import type { Field, Json } from '../kinds/kind.ts'
import { refusal, withDescendants, type Refusal } from '../lawful.ts'
import { DOCUMENT } from '../business/limits.ts'
import type { Element, Id, Model } from '../model.ts'
import { say } from '../words.ts'

/** Copied elements. `roots` are placed on the canvas they are pasted on, all others inside them. */
export type Clip = { format: 'holo-clip'; version: 1; roots: Id[]; elements: Record<Id, HoloElement> }

/** These elements with all inside them, boundary events on them, and the connectors between them. Scenarios are not copied this way. */
export function clipOf(model: Model, ids: readonly Id[], scenarios = false): Clip {
  const chosen = new Set(ids.filter(id => scenarios || model.elements.get(id)?.parent !== null))
  for (const [id, element] of model.elements) {
    if (element.kind === 'boundary' && typeof element.fields.host === 'string' && chosen.has(element.fields.host)) chosen.add(id)
  }
  const all = withDescendants(model, chosen)
  for (const [id, { ends }] of model.elements) {
    if (!ends) continue
    const joined = ends.from.id !== null && ends.to.id !== null && all.has(ends.from.id) && all.has(ends.to.id)
    if (joined) all.add(id)
    else all.delete(id)
  }
  const elements: Record<Id, HoloElement> = {}
  const roots: Id[] = []
  for (const id of inOrder(model, all)) {
    const element = model.elements.get(id)
    if (!element) continue
    elements[id] = copyOf(element)
    if (element.parent !== null && all.has(element.parent)) elements[id].parent = element.parent
    else roots.push(id)
  }
  return { format: 'holo-clip', version: 1, roots, elements }
}

function copyOf(element: Element): HoloElement {
  const out: HoloElement = { kind: element.kind }
  if (element.ends) {
    const { from, to } = element.ends
    if (from.id !== null) out.from = from.port === undefined ? from.id : { id: from.id, port: from.port }
    if (to.id !== null) out.to = to.port === undefined ? to.id : { id: to.id, port: to.port }
  } else out.geo = element.geo
  if (element.bends.length > 0) out.bends = element.bends
  if (element.locked) out.locked = true
  if (element.tint) out.tint = element.tint
  if (element.groups) out.groups = element.groups
  for (const [field, value] of Object.entries(element.fields)) out[fileKeyOf(field)] = value
  return out
}

/** The chosen elements in the order of their canvases, outer before inner. */
function inOrder(model: Model, chosen: ReadonlySet<Id>): Id[] {
  const out: Id[] = []
  const visit = (id: Id): void => {
    if (chosen.has(id)) out.push(id)
    for (const child of model.elements.get(id)?.children ?? []) visit(child)
  }
  for (const id of model.roots) visit(id)
  return out
}

/** Reads a clip from the clipboard's text or from plain data; checked like a file. */
export function readClip(clip: unknown): Clip | Refusal {
  const no = refusal('not-a-clip', say('The clipboard holds no model elements.'))
  let data: unknown = clip
  if (typeof clip === 'string') {
    if (clip.length > DOCUMENT.fileLength || !clip.startsWith('{')) return no
    try {
      data = JSON.parse(clip)
    } catch {
      // Any other text on the clipboard: the Refusal says so.
      return no
    }
  }
  if (!isRecord(data) || data.format !== 'holo-clip' || !Array.isArray(data.roots) || !isRecord(data.elements)) return no
  const read = parseFile(JSON.stringify({ format: 'holo', version: 1, elements: data.elements }))
  if ('problems' in read) return no
  const { elements } = read.file
  const roots = data.roots.filter((id): id is Id => isId(id) && Object.hasOwn(elements, id))
  return { format: 'holo-clip', version: 1, roots, elements }
}

/** The values of a copied element, with references to copied elements led to the copies, others kept only when `exists`. */
export function valuesOf(element: HoloElement, copies: ReadonlyMap<Id, Id>, exists: (id: Id) => boolean): Record<string, Json> {
  const kind = kindOf(element.kind)
  const lead = (id: Json): Json => (typeof id !== 'string' ? null : (copies.get(id) ?? (exists(id) ? id : null)))
  const values: Record<string, Json> = {}
  for (const [key, value] of Object.entries(element)) {
    const field = fieldKeyOf(key)
    if (field === null || !isJson(value)) continue
    const row = kind && fieldOf(kind, field)
    values[field] = row ? led(row, value, lead) : value
  }
  return values
}

function led({ type }: Field, value: Json, lead: (id: Json) => Json): Json {
  if (type.as === 'ref') return lead(value)
  if (type.as === 'refs' && Array.isArray(value)) return value.map(lead).filter(id => id !== null)
  if (type.as !== 'rows' || !Array.isArray(value)) return value
  return value.map(row => {
    if (!isRecord(row)) return row
    const cells: { [key: string]: Json } = {}
    for (const [key, cell] of Object.entries(row)) {
      const column = type.columns.find(column => column.id === key)
      if (isJson(cell)) cells[key] = column ? led(column, cell, lead) : cell
    }
    return cells
  })
}
