// What became of a model, small enough to be sent after each keystroke.
import type { Element, Id, Model } from '../model-schema/model.ts'

export type ModelEdit = {
  readonly changed: readonly Element[]
  readonly gone: readonly Id[]
  readonly rest: Omit<Model, 'elements'>
}

/** Elements that are the same object are taken to be the same. */
export function editBetween(before: Model, after: Model): ModelEdit {
  const { elements, ...rest } = after
  const changed: Element[] = []
  for (const [id, element] of elements) if (before.elements.get(id) !== element) changed.push(element)
  const gone: Id[] = []
  if (elements.size < before.elements.size + changed.length) for (const id of before.elements.keys()) if (!elements.has(id)) gone.push(id)
  return { changed, gone, rest }
}

export function withEdit(before: Model, { changed, gone, rest }: ModelEdit): Model {
  const elements = new Map(before.elements)
  for (const id of gone) elements.delete(id)
  for (const element of changed) elements.set(element.id, element)
  return { ...rest, elements }
}
