// Units of selection: a group is selected, moved and arranged as a whole until it is entered. Pure.
import type { Element, Id, Model } from '../../model-schema/model.ts'

/** The group that a click on an element takes, when `inside` is the group entered (null: none); null when the element goes by itself. */
export function groupTaken(element: Element | undefined, inside: Id | null): Id | null {
  const groups = element?.groups ?? []
  const entered = inside === null ? -1 : groups.indexOf(inside)
  return groups[entered + 1] ?? null
}

/** The members of a group on the canvas of one of them. */
export function membersOf(model: Model, canvas: Id, group: Id): Id[] {
  return (model.elements.get(canvas)?.children ?? []).filter(id => model.elements.get(id)?.groups?.includes(group))
}

/** All that is taken together with an element, itself included. */
export function unitOf(model: Model, id: Id, inside: Id | null): readonly Id[] {
  const element = model.elements.get(id)
  const group = groupTaken(element, inside)
  return group === null || !element?.parent ? [id] : membersOf(model, element.parent, group)
}

/** These with all that is taken together with each, every one once. */
export function unitsOf(model: Model, ids: readonly Id[], inside: Id | null): Id[] {
  const all = new Set<Id>()
  for (const id of ids) if (!all.has(id)) for (const one of unitOf(model, id, inside)) all.add(one)
  return [...all]
}

/** The group around the one entered; null when that was the outermost. */
export function groupAround(model: Model, canvas: Id, inside: Id): Id | null {
  const [member] = membersOf(model, canvas, inside)
  const groups = model.elements.get(member ?? '')?.groups ?? []
  return groups[groups.indexOf(inside) - 1] ?? null
}
