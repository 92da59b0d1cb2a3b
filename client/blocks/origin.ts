// Blocks in models: copies of a block's elements that remember where each came from, in a field of their own (`fromBlock`), so that
// they can be compared with their source later and brought up to date. The field travels with copies, files and undo like any other.
import type * as Y from 'yjs'
import { modelOf } from '../../model-schema/document.ts'
import { connect, copy, isRefusal, mayAdd, paste, remove, setField, together } from '../../model-schema/edit.ts'
import type { Clip, Refusal } from '../../model-schema/edit.ts'
import { fieldOf, kindOf } from '../../model-schema/kinds.ts'
import type { Field, Json } from '../../model-schema/kinds/kind.ts'
import type { Element, Id, Model } from '../../model-schema/model.ts'
import { ORIGIN, setOrigin } from '../../model-schema/origin.ts'
import type { Words } from '../../model-schema/words.ts'

type Origin = { block: string; copy: string; element: Id }

/** The origin of an element; null for one made here. */
export function originOf(element: Pick<Element, 'fields'>): Origin | null {
  const text = element.fields[ORIGIN]
  if (typeof text !== 'string') return null
  const [block = '', copy = '', from = ''] = text.split('/')
  return block === '' || from === '' ? null : { block, copy, element: from }
}

/** Everything on the first canvas of a block, ready to be pasted, each element with its origin. `copyId` identifies the copy. */
export function clipOfBlock(source: Model, block: string, copyId: string): Clip {
  return marked(copy(source, topsOf(source)), block, copyId)
}

function topsOf(source: Model): readonly Id[] {
  return source.elements.get(source.scenarios[0] ?? '')?.children ?? []
}

function marked(clip: Clip, block: string, copyId: string): Clip {
  const elements = Object.fromEntries(
    Object.entries(clip.elements).map(([id, element]) => [id, { ...element, [ORIGIN]: `${block}/${copyId}/${id}` }]),
  )
  return { ...clip, elements }
}

/** A copy of a block in a model: which block, which copy, and where each of its elements is. */
export type Instance = { block: string; copy: string; at: ReadonlyMap<Id, readonly Id[]> }

/** The copies of blocks in a model, in no order that means something. */
export function instancesOf(model: Model): Instance[] {
  const found = new Map<string, { block: string; copy: string; at: Map<Id, Id[]> }>()
  for (const [id, element] of model.elements) {
    const origin = originOf(element)
    if (origin === null) continue
    const key = `${origin.block}/${origin.copy}`
    const instance = found.get(key) ?? { block: origin.block, copy: origin.copy, at: new Map<Id, Id[]>() }
    instance.at.set(origin.element, [...(instance.at.get(origin.element) ?? []), id])
    found.set(key, instance)
  }
  return [...found.values()]
}

type Change = { field: string; label: Words; here: Json; there: Json }
export type BlockDifference =
  /** In the block, not here. */
  | { what: 'added'; element: Id; kind: string; name: string }
  /** Here, no longer in the block. */
  | { what: 'removed'; element: Id; kind: string; name: string; at: readonly Id[] }
  | { what: 'changed'; element: Id; kind: string; name: string; at: Id; changes: Change[] }

/**
 * The differences between a copy and the current block, in the order of the block, removed elements last. Positions on the canvas belong to
 * the model; so do names of elements on the canvas, since they may have been changed to be unique.
 */
export function differencesOf(model: Model, instance: Instance, source: Model): BlockDifference[] {
  const wanted = within(source)
  const found: BlockDifference[] = []
  for (const element of wanted) {
    const at = instance.at.get(element.id) ?? []
    if (at.length === 0) found.push({ what: 'added', ...nameOf(element) })
    for (const id of at) {
      const here = model.elements.get(id)
      if (here === undefined) continue
      const changes = changesOf(here, element, instance, source)
      if (changes.length > 0) found.push({ what: 'changed', ...nameOf(element), at: id, changes })
    }
  }
  const known = new Set(wanted.map(element => element.id))
  for (const [id, at] of instance.at) {
    const here = model.elements.get(at[0] ?? '')
    if (!known.has(id) && here !== undefined) found.push({ what: 'removed', ...nameOf(here), element: id, at })
  }
  return found
}

/** All elements of a block, outer before inner. */
function within(source: Model): Element[] {
  const clip = copy(source, topsOf(source))
  return Object.keys(clip.elements).flatMap(id => source.elements.get(id) ?? [])
}

function nameOf(element: Element): { element: Id; kind: string; name: string } {
  const { name } = element.fields
  return { element: element.id, kind: element.kind, name: typeof name === 'string' ? name : '' }
}

function changesOf(here: Element, there: Element, instance: Instance, source: Model): Change[] {
  const kind = kindOf(there.kind)
  if (kind === undefined || here.kind !== there.kind) return []
  const top = source.elements.get(there.parent ?? '')?.parent === null
  return Object.entries(there.fields).flatMap(([field, value]) => {
    const row = fieldOf(kind, field)
    if (row === undefined || field === ORIGIN || (field === 'name' && top)) return []
    const led = lead(row, value, id => instance.at.get(id)?.[0] ?? id)
    const now = here.fields[field] ?? null
    return JSON.stringify(now) === JSON.stringify(led) ? [] : [{ field, label: row.label, here: now, there: led }]
  })
}

/** A value with its references mapped to the copies. */
function lead({ type }: Pick<Field, 'type'>, value: Json, to: (id: Id) => Id): Json {
  if (type.as === 'ref') return typeof value === 'string' ? to(value) : value
  if (type.as === 'refs' && Array.isArray(value)) return value.map(id => (typeof id === 'string' ? to(id) : id))
  if (type.as !== 'rows' || !Array.isArray(value)) return value
  return value.map(row => {
    if (row === null || typeof row !== 'object' || Array.isArray(row)) return row
    return Object.fromEntries(
      Object.entries(row).map(([key, cell]) => {
        const column = type.columns.find(column => column.id === key)
        return [key, column === undefined ? cell : lead(column, cell, to)]
      }),
    )
  })
}

/**
 * Applies the chosen differences to a copy, as one edit. New elements get their position of the block, relative to the others. Refused as a
 * whole if the plan's limits don't allow them.
 */
export function updateCopy(doc: Y.Doc, instance: Instance, source: Model, chosen: readonly BlockDifference[]): Refusal | null {
  const why = mayGrow(doc, instance, chosen)
  if (why) return why
  together(doc, () => {
    for (const difference of chosen) if (difference.what === 'removed') remove(doc, difference.at)
    const added = new Set(chosen.flatMap(difference => (difference.what === 'added' ? [difference.element] : [])))
    for (const id of added) {
      const element = source.elements.get(id)
      // The children of an added element are added with it.
      if (element === undefined || element.ends !== null || (element.parent !== null && added.has(element.parent))) continue
      const parent = placeOf(doc, instance, source, element)
      if (parent !== null) paste(doc, marked(copy(source, [id]), instance.block, instance.copy), parent)
    }
    for (const id of added) joinAgain(doc, instance, source, source.elements.get(id))
    const now = current(doc, instance)
    for (const difference of chosen) {
      if (difference.what !== 'changed') continue
      const fresh = source.elements.get(difference.element)
      const here = modelOf(doc).elements.get(difference.at)
      if (fresh === undefined || here === undefined) continue
      // References to what was added just now lead there.
      for (const change of changesOf(here, fresh, now, source))
        if (difference.changes.some(one => one.field === change.field)) setField(doc, difference.at, change.field, change.there)
    }
  })
  return null
}

function mayGrow(doc: Y.Doc, { at }: Instance, chosen: readonly BlockDifference[]): Refusal | null {
  const count = chosen.reduce((sum, one) => sum + (one.what === 'added' ? 1 : one.what === 'removed' ? -one.at.length : 0), 0)
  const beside = [...at.values()].flat().map(id => modelOf(doc).elements.get(id))
  return mayAdd(doc, beside.find(element => element !== undefined)?.id ?? '', count)
}

const current = (doc: Y.Doc, { block, copy }: Instance): Instance =>
  instancesOf(modelOf(doc)).find(one => one.block === block && one.copy === copy) ?? { block, copy, at: new Map() }

/** The canvas for the copy of an element: the copy of its parent, or the canvas of the block's other elements. */
function placeOf(doc: Y.Doc, instance: Instance, source: Model, element: Element): Id | null {
  const { at } = current(doc, instance)
  const model = modelOf(doc)
  const inside = at.get(element.parent ?? '')?.[0]
  if (inside !== undefined) return inside
  for (const top of topsOf(source)) {
    const beside = model.elements.get(at.get(top)?.[0] ?? '')
    if (beside !== undefined) return beside.parent
  }
  return null
}

/** A connector between copies that exist by now, unless it came along with them. */
function joinAgain(doc: Y.Doc, instance: Instance, source: Model, element: Element | undefined): void {
  if (element === undefined || element.ends === null) return
  const { at } = current(doc, instance)
  if ((at.get(element.id) ?? []).length > 0) return
  const from = at.get(element.ends.from.id ?? '')?.[0]
  const to = at.get(element.ends.to.id ?? '')?.[0]
  if (from === undefined || to === undefined) return
  const kind = kindOf(element.kind)
  const values = Object.entries(element.fields).filter(
    ([field]) => field !== ORIGIN && kind !== undefined && fieldOf(kind, field) !== undefined,
  )
  const origin = `${instance.block}/${instance.copy}/${element.id}`
  const made = connect(doc, { kind: element.kind, from, to, values: Object.fromEntries(values) })
  if (!isRefusal(made)) setOrigin(doc, made, origin)
}
