// What differs between two contents of a model: elements added, removed and changed, and of those which fields. And how to
// bring back only some of it. Pure.
import type { HoloElement, HoloFile } from '../../model-schema/file.ts'
import { sameJson } from '../../model-schema/integrity.ts'
import { kindOf } from '../../model-schema/kinds.ts'
import type { Field, Json } from '../../model-schema/kinds/kind.ts'
import { withDependents } from '../../model-schema/lawful.ts'
import type { Element, Id, Model } from '../../model-schema/model.ts'

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
  /** Stands elsewhere on its canvas, or has another size or other bends; on another canvas; leads elsewhere; in another order. */
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

function inOrder(model: Model): Id[] {
  const ids: Id[] = []
  const walk = (id: Id): void => {
    ids.push(id)
    for (const child of model.elements.get(id)?.children ?? []) walk(child)
  }
  for (const id of model.roots) walk(id)
  return ids
}

function changeOf(id: Id, before: Element | null, after: Element | null): Change | null {
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

/** Both contents on one canvas: all that is there after, and what was removed where it was. */
export function overlaid(before: Model, after: Model): Model {
  const elements = new Map(after.elements)
  const gone = inOrder(before).filter(id => !after.elements.has(id))
  for (const id of gone) {
    const element = before.elements.get(id)
    if (!element) continue
    elements.set(id, { ...element, children: element.children.filter(child => elements.has(child) || !after.elements.has(child)) })
    const parent = element.parent === null ? undefined : elements.get(element.parent)
    // Under what is gone as well, it is among the children already.
    if (parent && !parent.children.includes(id)) elements.set(parent.id, { ...parent, children: [...parent.children, id] })
  }
  const lost = (roots: readonly Id[]): Id[] => roots.filter(id => !after.elements.has(id))
  return {
    ...after,
    elements,
    roots: [...after.roots, ...lost(before.roots)],
    scenarios: [...after.scenarios, ...lost(before.scenarios)],
  }
}

/**
 * The content `now` with these elements as they are in `version`: changed back, brought back with all that was in them and what
 * they hang on, or, when the version has none of them, deleted with what can't be without them.
 */
export function withChosen(now: HoloFile, nowModel: Model, version: HoloFile, ids: readonly Id[]): HoloFile {
  const elements: Record<Id, HoloElement> = { ...now.elements }
  const inside = Map.groupBy(Object.entries(version.elements), ([, element]) => element.parent ?? null)
  const take = (id: Id): void => {
    const element = version.elements[id]
    if (!element) return
    const wasHere = Object.hasOwn(elements, id)
    elements[id] = element
    for (const other of needsOf(element)) if (!Object.hasOwn(elements, other)) take(other)
    for (const [child] of inside.get(id) ?? []) if (!Object.hasOwn(elements, child) && (!wasHere || swept.has(child))) take(child)
  }
  const added = ids.filter(id => !Object.hasOwn(version.elements, id))
  // What went along into something new comes back out with what it stands in.
  const swept = new Set<Id>()
  for (const id of withDependents(nowModel, added)) {
    if (ids.includes(id) && !added.includes(id)) continue
    delete elements[id]
    swept.add(id)
  }
  for (const id of ids) take(id)
  return { ...now, elements }
}

/** What an element can't be without: what it stands in, what it leads from and to, what it sits on. */
function needsOf({ parent, from, to, host }: HoloElement): Id[] {
  const end = (side: HoloElement['from']): string | null | undefined =>
    typeof side === 'string' ? side : side && 'id' in side ? side.id : null
  return [parent, end(from), end(to), host].filter((id): id is Id => typeof id === 'string')
}
