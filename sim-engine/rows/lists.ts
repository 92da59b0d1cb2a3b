// Lists that variables of individuals hold, in the memory of rows: their items stand in a heap, and a record of each, by slot, says where.
import type { RowMemory } from '../lower/row-memory.ts'
import type { Built } from '../run/build.ts'
import { LIST_CHANGED, LIST_COUNT, LIST_FROM, LIST_ROOM, OWN_LIST_SIZE } from '../runtime/choices.ts'
import { Ref } from '../formula/runtime/values.ts'
import type { Population } from '../world/population.ts'

const words = OWN_LIST_SIZE >> 2
const [from, count, room, changed] = [LIST_FROM >> 2, LIST_COUNT >> 2, LIST_ROOM >> 2, LIST_CHANGED >> 2]
const fewest = 8

type ListColumn = {
  readonly population: Population
  readonly name: string
  /** Whose individuals they hold; null where they hold numbers. */
  readonly of: Population | null
  records: Int32Array
}

export class Lists {
  readonly #built: Built
  readonly #columns = new Map<string, ListColumn>()
  heap = new Float64Array(0)
  /** Entries of the heap that are taken. */
  top = 0

  constructor(built: Built, columns: RowMemory['listColumns']) {
    this.#built = built
    const { world } = built
    for (const [path, { entity, variable, of }] of columns) {
      const population = world.population(entity.index)
      this.#columns.set(path, {
        population,
        name: `v${variable.index}`,
        of: of && world.population(of.index),
        records: new Int32Array(0),
      })
    }
    this.fit()
  }

  get room(): number {
    return this.heap.length
  }

  /** The records, by the paths of their columns. */
  get records(): ReadonlyMap<string, Int32Array> {
    return new Map([...this.#columns].map(([path, one]) => [path, one.records]))
  }

  /** Makes as many records as there are slots. */
  fit(): void {
    for (const one of this.#columns.values()) {
      const length = words * one.population.capacity
      if (one.records.length !== length) one.records = new Int32Array(length)
    }
  }

  /** Makes room for so many entries; those that are there stay. */
  lengthen(entries: number): void {
    const longer = new Float64Array(Math.max(entries, 2 * this.heap.length, 1024))
    longer.set(this.heap)
    this.heap = longer
  }

  #dataOf({ population, name }: ListColumn): unknown[] {
    const column = population.columns.get(name)
    if (column?.type !== 'any') throw new TypeError(`rows: no lists at ${name}`)
    return column.data
  }

  /** Takes the items of all lists from the world; whether arrays are others now. */
  read(): boolean {
    const { heap } = this
    const before = [...this.#columns.values()].map(({ records }) => records)
    this.fit()
    this.top = 0
    for (const one of this.#columns.values()) {
      const { records } = one
      const data = this.#dataOf(one)
      for (let slot = 0; slot < one.population.top; slot++) {
        const list = data[slot]
        const at = words * slot
        const length = Array.isArray(list) ? list.length : 0
        // An empty list gets its room when it is added to.
        const wanted = length === 0 ? 0 : Math.max(fewest, length + (length >> 1))
        records[at + from] = this.top
        records[at + count] = length
        records[at + room] = wanted
        records[at + changed] = 0
        if (this.top + wanted > this.heap.length) this.lengthen(this.top + wanted)
        if (Array.isArray(list)) for (let k = 0; k < length; k++) this.heap[this.top + k] = numberOf(list[k])
        this.top += wanted
      }
    }
    return this.heap !== heap || [...this.#columns.values()].some(({ records }, k) => records !== before[k])
  }

  /** Gives the world the lists that were changed. */
  write(): void {
    const { world } = this.#built
    for (const one of this.#columns.values()) {
      const { records, of } = one
      const data = this.#dataOf(one)
      for (let slot = 0; slot < one.population.top; slot++) {
        const at = words * slot
        if (records[at + changed] === 0) continue
        const items = this.heap.subarray(records[at + from]!, records[at + from]! + records[at + count]!)
        data[slot] = Array.from<number, unknown>(items, item => (of ? world.ref(of, item) : item))
      }
    }
  }
}

/** None and individuals as handles. */
const numberOf = (item: unknown): number => (item instanceof Ref ? item.handle : item === null ? -1 : Number(item))
