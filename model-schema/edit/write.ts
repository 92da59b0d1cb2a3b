// How edits write: one transaction with the origin LOCAL, sets that change nothing left away, elements created with their shared texts.
import * as Y from 'yjs'
import { createShared, modelOf } from '../document.ts'
import { layoutOf, LOCAL, plainValue, sharedFragment, type DocumentLayout } from '../document/layout.ts'
import { isFieldId } from '../ids.ts'
import { isRecord, literalOf, sameJson, wellFormed } from '../integrity/values.ts'
import { kindOf } from '../kinds.ts'
import type { Json } from '../kinds/kind.ts'
import { DOCUMENT } from '../business/limits.ts'
import type { Element, End, Geo, Id, Model } from '../model.ts'
import { orderAt, type Sibling } from './order.ts'

/** One edit: one transaction, and part of one undo step. */
export const edit = <T>(doc: Y.Doc, change: (layout: DocumentLayout) => T): T => doc.transact(() => change(layoutOf(doc)), LOCAL)

/** Sets an entry unless it says the same already. */
export function put(map: Y.Map<unknown>, key: string, value: Json): void {
  const whole = wellFormed(value)
  if (!sameJson(map.get(key), whole)) map.set(key, whole)
}

/** Sets parts of an object facet; what this build doesn't know in it stays. */
export function patch(map: Y.Map<unknown>, key: string, parts: { [part: string]: Json }): void {
  const stored = map.get(key)
  put(map, key, { ...(isRecord(stored) ? jsonRecord(stored) : {}), ...parts })
}

function jsonRecord(record: Record<string, unknown>): { [key: string]: Json } {
  // What a document stores came through JSON or Yjs's own encoding of it; only undefined has no place here.
  return JSON.parse(JSON.stringify(record)) as { [key: string]: Json }
}

type NewElement = {
  id: Id
  kind: string
  parent: Id | null
  order: string
  geo?: Geo
  ends?: { from: End; to: End }
  bends?: Element['bends']
  values: Readonly<Record<string, Json>>
}

/** Writes a new element with all its facets. Values equal to the default are not stored. */
export function create(doc: Y.Doc, layout: DocumentLayout, { id, kind, parent, order, geo, ends, bends, values }: NewElement): void {
  layout.kind.set(id, kind)
  layout.tree.set(id, [parent, order])
  if (geo) layout.geo.set(id, [...bounded(geo)])
  if (ends) layout.conn.set(id, { from: endValue(ends.from), to: endValue(ends.to) })
  if (bends && bends.length > 0) layout.style.set(id, { bends: bends.map(bend => [...bend]) })
  const row = kindOf(kind)
  const shared = new Set(row?.fields.filter(field => field.type.as === 'formula' || field.type.as === 'rich').map(field => field.id))
  for (const [field, value] of Object.entries(values)) {
    if (!isFieldId(field) || shared.has(field)) continue
    const initial = row?.fields.find(known => known.id === field)?.initial
    if (initial === undefined || !sameJson(initial, value)) layout.data.set(`${id}/${field}`, wellFormed(value))
  }
  if (row)
    createShared(doc, id, row, field =>
      row.fields.some(({ id, type }) => id === field && type.as === 'formula') ? (literalOf(values[field]) ?? undefined) : values[field],
    )
}

export const endValue = ({ id, port, x, y }: End): { [key: string]: Json } => (port === undefined ? { id, x, y } : { id, port, x, y })

/** A box with coordinates that can be stored. */
export function bounded([x, y, w, h]: Geo): Geo {
  const within = (value: number, least: number): number =>
    Number.isFinite(value) ? Math.min(Math.max(value, least), DOCUMENT.coordinate) : 0
  return [within(x, -DOCUMENT.coordinate), within(y, -DOCUMENT.coordinate), within(w, 0), within(h, 0)]
}

/** The children of a canvas (null: the roots) in their order, with their stored order keys. */
export function siblingsOf(layout: DocumentLayout, model: Model, parent: Id | null): Sibling[] {
  const ids = parent === null ? model.roots : (model.elements.get(parent)?.children ?? [])
  return ids.map(id => {
    const tree = layout.tree.get(id)
    return { id, order: Array.isArray(tree) && typeof tree[1] === 'string' ? tree[1] : '' }
  })
}

/**
 * Order keys for `count` new children before the one at `index`; writes new keys for neighbours with keys that don't determine their order.
 */
export function makeRoom(layout: DocumentLayout, siblings: readonly Sibling[], index: number, parent: Id | null, count = 1): string[] {
  const { keys, rekey } = orderAt(siblings, index, count)
  for (const { id, order } of rekey) put(layout.tree, id, [parent, order])
  return keys
}

/** Makes the scenario that a file without any shows (integrity.ts) a stored one. Its texts are stored as values: two people may do this at once. */
export function makeReal(layout: DocumentLayout, model: Model, id: Id): void {
  if (layout.kind.has(id) || !model.roots.includes(id)) return
  layout.kind.set(id, 'scenario')
  layout.tree.set(id, [null, 'a0'])
  put(layout.data, `${id}/name`, model.elements.get(id)?.fields.name ?? 'Scenario 1')
}

/** Replaces what differs of a shared text, so that what others type at the same time elsewhere in it stays. */
export function replaceText(text: Y.Text, wanted: string): void {
  const now = text.toString()
  const next = wanted.toWellFormed()
  if (now === next) return
  let start = 0
  while (start < now.length && start < next.length && now[start] === next[start]) start++
  let end = 0
  while (end < now.length - start && end < next.length - start && now[now.length - 1 - end] === next[next.length - 1 - end]) end++
  // Never cut a surrogate pair in two.
  if (start > 0 && isHigh(now.charCodeAt(start - 1))) start--
  if (end > 0 && isLow(now.charCodeAt(now.length - end))) end--
  if (now.length - end > start) text.delete(start, now.length - end - start)
  if (next.length - end > start) text.insert(start, next.slice(start, next.length - end))
}

const isHigh = (code: number): boolean => code >= 0xd800 && code <= 0xdbff
const isLow = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff

/** Stores the value of a field that is not a formula. */
export function putValue(layout: DocumentLayout, id: Id, field: string, value: Json, isRich: boolean): void {
  const key = `${id}/${field}`
  if (!isRich) return put(layout.data, key, value)
  if (!sameJson(plainValue(layout.rich.get(key)), value)) layout.rich.set(key, sharedFragment(value))
}

/** The Model an edit starts from. */
export const modelNow = (doc: Y.Doc): Model => modelOf(doc)
