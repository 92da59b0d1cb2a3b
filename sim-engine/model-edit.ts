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
  return { ...rest, elements: Edited.of(before.elements, changed, gone) }
}

/** More edits than these are worked into a copy. */
const mostEdits = 256

/** Elements with edits laid over them: a `Map` would be copied whole with each key pressed. Never changes. */
class Edited implements ReadonlyMap<Id, Element> {
  readonly #base: ReadonlyMap<Id, Element>
  /** Null where there is none any more. */
  readonly #edits: ReadonlyMap<Id, Element | null>
  readonly size: number

  private constructor(base: ReadonlyMap<Id, Element>, edits: ReadonlyMap<Id, Element | null>) {
    this.#base = base
    this.#edits = edits
    let size = base.size
    for (const [id, element] of edits) size += Number(element !== null) - Number(base.has(id))
    this.size = size
  }

  static of(before: ReadonlyMap<Id, Element>, changed: readonly Element[], gone: readonly Id[]): ReadonlyMap<Id, Element> {
    const [base, known] = before instanceof Edited ? [before.#base, before.#edits] : [before, []]
    const edits = new Map<Id, Element | null>(known)
    for (const id of gone) edits.set(id, null)
    for (const element of changed) edits.set(element.id, element)
    const edited = new Edited(base, edits)
    return edits.size > mostEdits ? new Map(edited) : edited
  }

  get(id: Id): Element | undefined {
    const own = this.#edits.get(id)
    return own === undefined ? this.#base.get(id) : (own ?? undefined)
  }

  has(id: Id): boolean {
    return this.get(id) !== undefined
  }

  *entries(): MapIterator<[Id, Element]> {
    for (const [id, old] of this.#base) {
      const own = this.#edits.get(id)
      if (own !== null) yield [id, own ?? old]
    }
    for (const [id, own] of this.#edits) if (own && !this.#base.has(id)) yield [id, own]
  }

  *keys(): MapIterator<Id> {
    for (const [id] of this.entries()) yield id
  }

  *values(): MapIterator<Element> {
    for (const [, element] of this.entries()) yield element
  }

  [Symbol.iterator](): MapIterator<[Id, Element]> {
    return this.entries()
  }

  forEach(tell: (element: Element, id: Id, elements: ReadonlyMap<Id, Element>) => void, self?: unknown): void {
    for (const [id, element] of this) tell.call(self, element, id, this)
  }
}
