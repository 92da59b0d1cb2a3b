// Writing copies into a document: with new ids, led to each other, named freshly, leaving out what the canvas can't hold.
import type * as Y from 'yjs'
import { readGroups } from '../integrity/parse.ts'
import { hasFormulaName, kindOf } from '../kinds.ts'
import { full, mayPlace, type Refusal } from '../lawful.ts'
import { DOCUMENT } from '../business/limits.ts'
import type { End, Id } from '../model.ts'
import { mayAdd, mayAddScenarios } from './bounds.ts'
import { valuesOf, type Clip } from './clip.ts'
import { freeName, namesOn } from './names.ts'
import { create, edit, makeReal, makeRoom, modelNow, siblingsOf } from './write.ts'

/** How far the copies must move for the middle of their outline to lie at a point. */
export function shiftTo(clip: Clip, at: readonly [number, number]): [number, number] {
  const boxes = clip.roots.map(id => clip.elements[id]?.geo).filter(geo => geo !== undefined)
  if (boxes.length === 0) return [0, 0]
  const left = Math.min(...boxes.map(([x]) => x))
  const top = Math.min(...boxes.map(([, y]) => y))
  const right = Math.max(...boxes.map(([x, , w]) => x + w))
  const bottom = Math.max(...boxes.map(([, y, , h]) => y + h))
  return [Math.round(at[0] - (left + right) / 2), Math.round(at[1] - (top + bottom) / 2)]
}

/** Adds copies on the canvas of `parent` (null: copies of scenarios), moved by the offset. Returns those on the canvas itself. */
export function addCopies(
  doc: Y.Doc,
  clip: Clip,
  parent: Id | null,
  [dx, dy]: readonly [number, number],
  makeId: () => Id,
): Id[] | Refusal {
  const model = modelNow(doc)
  const inside = new Map<Id, Id[]>()
  for (const [id, { parent }] of Object.entries(clip.elements))
    if (parent !== undefined) inside.set(parent, [...(inside.get(parent) ?? []), id])
  const roots = clip.roots.filter(id => {
    const kind = clip.elements[id]?.kind ?? ''
    return parent === null ? kind === 'scenario' : mayPlace(model, kind, parent) === null
  })
  const copies = new Map<Id, Id>()
  const chosen: Id[] = []
  const choose = (id: Id): void => {
    if (copies.has(id)) return
    copies.set(id, makeId())
    chosen.push(id)
    for (const child of inside.get(id) ?? []) choose(child)
  }
  roots.forEach(choose)
  const endOf = (end: Clip['elements'][string]['from']): End => {
    const { id, port } = typeof end === 'string' ? { id: end, port: undefined } : (end ?? {})
    const copied = copies.get(id ?? '') ?? null
    return port === undefined ? { id: copied, x: 0, y: 0 } : { id: copied, port, x: 0, y: 0 }
  }
  const lost = chosen.filter(id => {
    const element = clip.elements[id]
    return kindOf(element?.kind ?? '')?.joins !== undefined && (endOf(element?.from).id === null || endOf(element?.to).id === null)
  })
  for (const id of lost) copies.delete(id)
  const made = chosen.filter(id => copies.has(id))
  const sizeOf = (id: Id): number => (inside.get(id) ?? []).reduce((sum, child) => sum + (copies.has(child) ? 1 + sizeOf(child) : 0), 0)
  const copiesOfGroups = new Map<Id, Id>()
  if (model.elements.size + made.length > DOCUMENT.elements) return full()
  const why = parent === null ? mayAddScenarios(doc, roots.map(sizeOf)) : mayAdd(doc, parent, made.length)
  if (why) return why
  edit(doc, layout => {
    if (parent !== null) makeReal(layout, model, parent)
    const tops = roots.filter(id => copies.has(id))
    const siblings = siblingsOf(layout, model, parent)
    const topOrders = makeRoom(layout, siblings, siblings.length, parent, tops.length)
    const taken = namesOn(model, parent)
    const orders = new Map(tops.map((id, i) => [id, topOrders[i] ?? 'a0']))
    for (const list of inside.values()) makeRoom(layout, [], 0, null, list.length).forEach((order, i) => orders.set(list[i] ?? '', order))
    for (const id of made) {
      const element = clip.elements[id]
      if (!element) continue
      const top = tops.includes(id)
      const { locked, groups, ...values } = valuesOf(element, copies, other => model.elements.has(other))
      // Copies are groups of their own; and what was just put down can be moved, whatever it is a copy of.
      const own = readGroups(groups)?.map(group => copiesOfGroups.get(group) ?? kept(copiesOfGroups, group, makeId()))
      if (own && own.length > 0) values.groups = own
      if (locked === true && !top) values.locked = true
      if (top && typeof values.name === 'string' && hasFormulaName(element.kind)) {
        values.name = parent === null && values.name !== '' ? values.name : freeName(taken, values.name)
        taken.add(values.name)
      }
      const [x, y, w, h] = element.geo ?? [0, 0, 0, 0]
      const isConnector = element.from !== undefined || element.to !== undefined
      create(doc, layout, {
        id: copies.get(id) ?? '',
        kind: element.kind,
        parent: top ? parent : (copies.get(element.parent ?? '') ?? parent),
        order: orders.get(id) ?? 'a0',
        values,
        ...(element.bends === undefined ? {} : { bends: top ? element.bends.map(([x, y]) => [x + dx, y + dy] as const) : element.bends }),
        ...(isConnector
          ? { ends: { from: endOf(element.from), to: endOf(element.to) } }
          : element.geo
            ? { geo: top ? [x + dx, y + dy, w, h] : [x, y, w, h] }
            : {}),
      })
    }
  })
  return roots.flatMap(id => copies.get(id) ?? [])
}

/** Remembers a value and gives it back. */
function kept<K, V>(map: Map<K, V>, key: K, value: V): V {
  map.set(key, value)
  return value
}
