// The elements of a Model after an edit: they share with those before all pages but the ones that were touched, so an edit of one element costs the
// same in a model of ten thousand. A `Map` would be copied whole with each key pressed. In the order of their ids, as those of any Model.
import type { Element, Id } from '../model.ts'

/** Elements a page; a power of two. */
const pageSize = 128
const pageShift = Math.log2(pageSize)

/** More new elements than these are worked into pages. */
const mostLate = 128

export class Elements implements ReadonlyMap<Id, Element> {
  /** The index of each element; shared until many were added or one was removed. */
  readonly #slots: ReadonlyMap<Id, number>
  readonly #pages: readonly (readonly Element[])[]
  /** Those that came since. */
  readonly #late: ReadonlyMap<Id, Element>
  readonly size: number

  /** Own, not inherited: a copy made for another thread would have lost it, and so is refused instead. `plainModel` is what may be sent. */
  readonly get: (id: Id) => Element | undefined

  private constructor(slots: ReadonlyMap<Id, number>, pages: readonly (readonly Element[])[], late: ReadonlyMap<Id, Element>) {
    this.#slots = slots
    this.#pages = pages
    this.#late = late
    this.size = slots.size + late.size
    this.get = id => {
      const slot = slots.get(id)
      return slot === undefined ? late.get(id) : pages[slot >> pageShift]?.[slot & (pageSize - 1)]
    }
  }

  static of(elements: ReadonlyMap<Id, Element>): Elements {
    return elements instanceof Elements ? elements : Elements.paged([...elements.values()])
  }

  static paged(list: readonly Element[]): Elements {
    const pages: Element[][] = []
    for (let from = 0; from < list.length; from += pageSize) pages.push(list.slice(from, from + pageSize))
    return new Elements(new Map(list.map(({ id }, slot) => [id, slot])), pages, new Map())
  }

  /** A copy with these elements added, replacing those of the same ids. */
  with(changed: ReadonlyMap<Id, Element>): Elements {
    const pages: (readonly Element[])[] = [...this.#pages]
    const own = new Map<number, Element[]>()
    let late: Map<Id, Element> | null = null
    for (const [id, element] of changed) {
      const slot = this.#slots.get(id)
      if (slot === undefined) {
        late ??= new Map(this.#late)
        late.set(id, element)
        continue
      }
      const at = slot >> pageShift
      let page = own.get(at)
      if (!page) {
        page = [...(pages[at] ?? [])]
        own.set(at, page)
        pages[at] = page
      }
      page[slot & (pageSize - 1)] = element
    }
    const made = new Elements(this.#slots, pages, late ?? this.#late)
    return made.#late.size > mostLate ? Elements.paged(made.#list()) : made
  }

  /** All in order. */
  #list(): Element[] {
    const list = this.#pages.flat()
    if (this.#late.size === 0) return list
    const late = [...this.#late.values()].sort((a, b) => (a.id < b.id ? -1 : 1))
    const all: Element[] = []
    let next = 0
    for (const element of list) {
      for (let first = late[next]; first && first.id < element.id; first = late[++next]) all.push(first)
      all.push(element)
    }
    return [...all, ...late.slice(next)]
  }

  has(id: Id): boolean {
    return this.#slots.has(id) || this.#late.has(id)
  }

  keys(): MapIterator<Id> {
    return this.#late.size === 0
      ? this.#slots.keys()
      : this.#list()
          .map(({ id }) => id)
          .values()
  }

  values(): MapIterator<Element> {
    return this.#list().values()
  }

  *entries(): MapIterator<[Id, Element]> {
    for (const element of this.#list()) yield [element.id, element]
  }

  [Symbol.iterator](): MapIterator<[Id, Element]> {
    return this.entries()
  }

  forEach(tell: (element: Element, id: Id, elements: ReadonlyMap<Id, Element>) => void, self?: unknown): void {
    for (const element of this.#list()) tell.call(self, element, element.id, this)
  }
}
