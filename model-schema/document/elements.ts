// The elements of a Model after an edit of values and boxes alone: they share with those before all pages but the ones that were touched, so an
// edit of one element costs the same in a model of ten thousand. A `Map` would be copied whole with each key pressed.
import type { Element, Id } from '../model.ts'

/** Elements a page; a power of two. */
const pageSize = 128
const pageShift = Math.log2(pageSize)

export class Elements implements ReadonlyMap<Id, Element> {
  /** Where each stands; the same until an element comes or goes. */
  readonly #slots: ReadonlyMap<Id, number>
  readonly #pages: readonly (readonly Element[])[]

  /** Own, not inherited: a copy made for another thread would have lost it, and so is refused instead. `plainModel` is what may be sent. */
  readonly get: (id: Id) => Element | undefined

  private constructor(slots: ReadonlyMap<Id, number>, pages: readonly (readonly Element[])[]) {
    this.#slots = slots
    this.#pages = pages
    this.get = id => {
      const slot = slots.get(id)
      return slot === undefined ? undefined : pages[slot >> pageShift]?.[slot & (pageSize - 1)]
    }
  }

  static of(elements: ReadonlyMap<Id, Element>): Elements {
    if (elements instanceof Elements) return elements
    const list = [...elements.values()]
    const pages: Element[][] = []
    for (let from = 0; from < list.length; from += pageSize) pages.push(list.slice(from, from + pageSize))
    return new Elements(new Map([...elements.keys()].map((id, slot) => [id, slot])), pages)
  }

  /** The same with other elements where there were some; ids it doesn't have are left out. */
  with(changed: ReadonlyMap<Id, Element>): Elements {
    const pages: (readonly Element[])[] = [...this.#pages]
    const own = new Map<number, Element[]>()
    for (const [id, element] of changed) {
      const slot = this.#slots.get(id)
      if (slot === undefined) continue
      const at = slot >> pageShift
      let page = own.get(at)
      if (!page) {
        page = [...(pages[at] ?? [])]
        own.set(at, page)
        pages[at] = page
      }
      page[slot & (pageSize - 1)] = element
    }
    return new Elements(this.#slots, pages)
  }

  get size(): number {
    return this.#slots.size
  }

  has(id: Id): boolean {
    return this.#slots.has(id)
  }

  keys(): MapIterator<Id> {
    return this.#slots.keys()
  }

  values(): MapIterator<Element> {
    return this.#pages.flat().values()
  }

  *entries(): MapIterator<[Id, Element]> {
    const values = this.values()
    for (const id of this.#slots.keys()) {
      const { value } = values.next()
      if (value) yield [id, value]
    }
  }

  [Symbol.iterator](): MapIterator<[Id, Element]> {
    return this.entries()
  }

  forEach(tell: (element: Element, id: Id, elements: ReadonlyMap<Id, Element>) => void, self?: unknown): void {
    for (const [id, element] of this) tell.call(self, element, id, this)
  }
}
