// What differs between two contents of a model: elements added, removed and changed, and of those which fields. Pure.
import { sameJson } from './integrity.ts'
import { kindOf } from './kinds.ts'
import type { Field, Json } from './kinds/kind.ts'
import type { Element, Id, Model } from './model.ts'

export type FieldChange = {
  readonly field: Field | null
  readonly id: string
  readonly before: Json | undefined
  readonly after: Json | undefined
}

export type Change = {
  readonly id: Id
  readonly sort: 'added' | 'removed' | 'changed'
  readonly before: Element | null
  readonly after: Element | null
  readonly fields: readonly FieldChange[]
  /** Has another position on its canvas, another size or other bends; is on another canvas; leads elsewhere; is in another order. */
  readonly moved: boolean
  readonly reparented: boolean
  readonly reconnected: boolean
}

/** Every difference, in the order of the canvases: first as they are after, then what is gone as it was. */
export function changesBetween(before: Model, after: Model): readonly Change[] {
  const changes: Change[] = []
  for (const id of inOrder(after)) {
    const change = changeOf(id, before.elements.get(id) ?? null, after.elements.get(id) ?? null)
    if (change) changes.push(change)
  }
  for (const id of inOrder(before)) {
    if (after.elements.has(id)) continue
    const change = changeOf(id, before.elements.get(id) ?? null, null)
    if (change) changes.push(change)
  }
  return changes
}

/** All elements: each before what is in it. */
export function inOrder(model: Model): Id[] {
  const ids: Id[] = []
  const walk = (id: Id): void => {
    ids.push(id)
    for (const child of model.elements.get(id)?.children ?? []) walk(child)
  }
  for (const id of model.roots) walk(id)
  return ids
}

/** What differs of one element; null when nothing does. */
export function changeOf(id: Id, before: Element | null, after: Element | null): Change | null {
  if (!before || !after) {
    const there = before ?? after
    if (!there) return null
    const told = { fields: [], moved: false, reparented: false, reconnected: false }
    return { id, sort: before ? 'removed' : 'added', before, after, ...told }
  }
  const fields = fieldChanges(before, after)
  const moved = !sameJson([...before.geo], [...after.geo]) || !sameJson(plain(before.bends), plain(after.bends))
  const reparented = before.parent !== after.parent
  const reconnected = (['from', 'to'] as const).some(
    side => before.ends?.[side].id !== after.ends?.[side].id || before.ends?.[side].port !== after.ends?.[side].port,
  )
  // A connector's box follows from its ends.
  const stands = moved && !(after.ends && sameJson(plain(before.bends), plain(after.bends)))
  if (fields.length === 0 && !stands && !reparented && !reconnected) return null
  return { id, sort: 'changed', before, after, fields, moved: stands, reparented, reconnected }
}

const plain = (bends: Element['bends']): Json => bends.map(([x, y]) => [x, y])

function fieldChanges(before: Element, after: Element): FieldChange[] {
  const kind = kindOf(after.kind)
  const known = (kind?.fields ?? []).map(field => field.id)
  const ids = [...new Set([...known, ...Object.keys(before.fields), ...Object.keys(after.fields)])]
  return ids.flatMap(id => {
    const [was, is] = [before.fields[id], after.fields[id]]
    if (was === undefined ? is === undefined : is !== undefined && sameJson(was, is)) return []
    return [{ field: kind?.fields.find(field => field.id === id) ?? null, id, before: was, after: is }]
  })
}
