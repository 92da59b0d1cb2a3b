// Adds new elements to an assembled model without assembling the others again, so that placing a step on a canvas of thousands stays quick.
// Law: the result equals that of `assemble`.
import { Elements } from '../document/elements.ts'
import type { Element, Id } from '../model.ts'
import { byOrder, elementOf, resolveEnd, sides, sortNotes, type Assembled } from './assemble.ts'
import type { Parsed } from './parse.ts'

/**
 * `before` with the elements `added`, and which are new or not what they were. Null, with `before` unchanged, where they may change other elements, too
 * (orphans, groups, loose ends, equal order): the caller then calls `assemble`. Otherwise the maps `parsed` and `attached` of `before` are updated in
 * place.
 */
export function grow(before: Assembled, added: readonly Parsed[]): { whole: Assembled; made: ReadonlySet<Id> } | null {
  if (before.notes.some(({ kind }) => kind !== 'duplicate-order')) return null
  const fresh = new Map<Id, Parsed>()
  const siblings = new Map<Id, Parsed[]>()
  const find = (id: Id): Parsed | undefined => fresh.get(id) ?? before.parsed.get(id)
  const inside = (parent: Id): Parsed[] => {
    let list = siblings.get(parent)
    if (!list) {
      list = (before.model.elements.get(parent)?.children ?? []).flatMap(id => find(id) ?? [])
      siblings.set(parent, list)
    }
    return list
  }
  for (const element of canvasesFirst(added)) {
    const { id, parent, ends } = element
    if (element.isRoot || parent === null || element.groups.length > 0 || before.attached.has(id) || find(parent)?.isCanvas !== true)
      return null
    if (ends && sides.some(side => ends[side].id === null)) return null
    fresh.set(id, element)
    if (!insertInOrder(inside(parent), element)) return null
  }
  const isHeld = (id: Id | null): boolean => id !== null && find(id)?.ends === null
  for (const { ends } of added) if (ends && !sides.every(side => isHeld(ends[side].id))) return null
  return grown(before, fresh, siblings)
}

/** Canvases first, as other elements of the list may be on them. */
const canvasesFirst = (added: readonly Parsed[]): readonly Parsed[] => [
  ...added.filter(({ isCanvas }) => isCanvas),
  ...added.filter(({ isCanvas }) => !isCanvas),
]

/** Puts an element where its order says; false when another has the same order. */
function insertInOrder(list: Parsed[], element: Parsed): boolean {
  let low = 0
  let high = list.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (byOrder(list[middle] ?? element, element) < 0) low = middle + 1
    else high = middle
  }
  if (list[low]?.order === element.order || list[low - 1]?.order === element.order) return false
  list.splice(low, 0, element)
  return true
}

function grown(
  before: Assembled,
  fresh: ReadonlyMap<Id, Parsed>,
  siblings: ReadonlyMap<Id, readonly Parsed[]>,
): { whole: Assembled; made: ReadonlySet<Id> } {
  const parsed = before.parsed instanceof Map ? before.parsed : new Map(before.parsed)
  for (const [id, element] of fresh) parsed.set(id, element)
  const attached: Map<Id, readonly Id[]> = before.attached instanceof Map ? before.attached : new Map(before.attached)
  const attach = (id: Id, held: Id): void => {
    const hanging = attached.get(held) ?? []
    const after = hanging.findIndex(one => one > id)
    attached.set(held, after < 0 ? [...hanging, id] : hanging.toSpliced(after, 0, id))
  }
  const made = new Map<Id, Element>()
  for (const [id, element] of fresh) {
    const { ends } = element
    if (ends) for (const side of sides) attach(id, ends[side].id ?? '')
    else if (element.hangs && typeof element.fields.host === 'string') attach(id, element.fields.host)
    const placed = ends
      ? { from: resolveEnd(ends.from, parsed, nowhere, undefined), to: resolveEnd(ends.to, parsed, nowhere, undefined) }
      : null
    const children = siblings.get(id)?.map(child => child.id) ?? []
    made.set(id, elementOf(element, { parent: element.parent, children, ends: placed }, undefined))
  }
  for (const [id, list] of siblings) {
    const parent = before.model.elements.get(id)
    const own = parsed.get(id)
    if (parent && own) made.set(id, elementOf(own, { ...parent, children: list.map(child => child.id) }, parent))
  }
  const elements = Elements.of(before.model.elements).with(made)
  const hasNotes = [...fresh.values()].some(({ notes }) => notes.length > 0)
  const notes = hasNotes ? sortNotes(before.notes, parsed.values()) : before.model.notes
  const whole = { model: { ...before.model, elements, notes }, parsed, attached, notes: before.notes }
  return { whole, made: new Set(made.keys()) }
}

/** No end refers to an element that is gone, so no last box is asked for. */
const nowhere = (): undefined => undefined
