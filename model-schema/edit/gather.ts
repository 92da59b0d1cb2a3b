// Locks, colours and groups: stored besides the fields of an element, one entry each. A group is no element of its own: its members name
// it, so that concurrent edits cannot produce a dangling reference, a cycle or overlapping groups.
import type * as Y from 'yjs'
import type { DocumentLayout } from '../document/layout.ts'
import { newId } from '../ids.ts'
import { gone, refusal, type Refusal } from '../lawful.ts'
import type { Element, Id, Model } from '../model.ts'
import { edit, modelNow, put } from './write.ts'
import { say } from '../words.ts'

/** Locks elements: canvas edits leave them as they are. Or unlocks them. */
export const setLocked = (doc: Y.Doc, ids: readonly Id[], locked: boolean): void => mark(doc, ids, 'locked', locked || null)

/** Puts a tag of a colour (#rrggbb) on elements, or takes it off. */
export const setTint = (doc: Y.Doc, ids: readonly Id[], tint: string | null): void =>
  mark(doc, ids, 'tint', tint !== null && /^#[0-9a-f]{6}$/i.test(tint) ? tint : null)

function mark(doc: Y.Doc, ids: readonly Id[], what: 'locked' | 'tint', value: true | string | null): void {
  const model = modelNow(doc)
  edit(doc, layout => {
    for (const id of ids) {
      if (!model.elements.get(id)?.parent || !layout.kind.has(id)) continue
      if (value !== null) put(layout.data, `${id}/${what}`, value)
      else if (layout.data.has(`${id}/${what}`)) layout.data.delete(`${id}/${what}`)
    }
  })
}

/** Makes elements of one canvas a group; groups that are wholly among them go into it. Connectors need not be named. Returns the group's id. */
export function group(doc: Y.Doc, ids: readonly Id[], id: Id = newId()): Id | Refusal {
  const model = modelNow(doc)
  const members = boxesOf(model, ids)
  const whole = wholeGroups(model, members)
  const units = new Set(members.map(member => topWhole(member, whole) ?? member.id))
  if (units.size < 2) return refusal('too-few', say('A group needs at least two elements.'))
  if (new Set(members.map(member => member.parent)).size > 1) return refusal('other-canvas', say('A group stands on one canvas.'))
  const within = shared(members).filter(outer => !whole.has(outer))
  edit(doc, layout => {
    // What is taken out of a group without the rest of it leaves that group.
    for (const member of members) write(layout, member.id, [...within, id, ...(member.groups ?? []).filter(inner => whole.has(inner))])
  })
  return id
}

/** Dissolves the outermost groups that are wholly among the elements; what was inside them stays grouped. */
export function ungroup(doc: Y.Doc, ids: readonly Id[]): Refusal | null {
  const model = modelNow(doc)
  const members = boxesOf(model, ids)
  const whole = wholeGroups(model, members)
  const grouped = members.filter(member => topWhole(member, whole) !== undefined)
  if (grouped.length === 0) return members.length === 0 ? gone() : refusal('too-few', say('This is not a group.'))
  edit(doc, layout => {
    for (const member of grouped) {
      const top = topWhole(member, whole)
      write(
        layout,
        member.id,
        (member.groups ?? []).filter(one => one !== top),
      )
    }
  })
  return null
}

function write(layout: DocumentLayout, id: Id, groups: readonly Id[]): void {
  if (!layout.kind.has(id)) return
  if (groups.length > 0) put(layout.data, `${id}/groups`, [...groups])
  else if (layout.data.has(`${id}/groups`)) layout.data.delete(`${id}/groups`)
}

const boxesOf = (model: Model, ids: readonly Id[]): Element[] =>
  [...new Set(ids)].flatMap(id => model.elements.get(id) ?? []).filter(element => element.parent !== null && !element.ends)

/** The groups with all their members among these. */
function wholeGroups(model: Model, members: readonly Element[]): Set<Id> {
  const named = new Set(members.flatMap(member => member.groups ?? []))
  const chosen = new Set(members.map(member => member.id))
  for (const parent of new Set(members.map(member => member.parent ?? '')))
    for (const id of model.elements.get(parent)?.children ?? [])
      if (!chosen.has(id)) for (const outer of model.elements.get(id)?.groups ?? []) named.delete(outer)
  return named
}

const topWhole = (element: Element, whole: ReadonlySet<Id>): Id | undefined => element.groups?.find(one => whole.has(one))

/** The groups that all of these begin with. */
function shared(members: readonly Element[]): readonly Id[] {
  const [first, ...others] = members.map(member => member.groups ?? [])
  if (!first) return []
  const end = first.findIndex((one, i) => others.some(other => other[i] !== one))
  return end < 0 ? first : first.slice(0, end)
}
