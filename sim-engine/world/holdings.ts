// Units that are held: records (holder, container, key, amount), linked per holder and per container. Holders are small
// numbers (token slots).
import { floatsOf, intsOf, listOf, recordOf, type State, type ValueReader, type ValueWriter } from '../kernel/snapshot.ts'
import type { Container } from './container.ts'

const none: readonly unknown[] = []

export class Holdings {
  #holders = new Int32Array(64)
  #containers = new Int32Array(64)
  #keys = new Int32Array(64)
  #amounts = new Float64Array(64)
  #priorities = new Float64Array(64)
  #sequences = new Float64Array(64)
  #items: (readonly unknown[] | null)[] = []
  // Next of the same holder (newest first); next and previous of the same container (newest first).
  #nextOfHolder = new Int32Array(64)
  #next = new Int32Array(64)
  #previous = new Int32Array(64)
  #firstOfHolder = new Int32Array(64).fill(-1)
  #top = 0
  // Free records, linked through #next.
  #free = -1

  add(
    holder: number,
    container: Container,
    key: number,
    amount: number,
    priority: number,
    sequence: number,
    items: readonly unknown[] | null,
  ): void {
    const hold = this.#free >= 0 ? this.#free : this.#newRecord()
    if (hold === this.#free) this.#free = this.#next[hold]!
    if (holder >= this.#firstOfHolder.length) this.#firstOfHolder = intsOf(this.#firstOfHolder, Math.max(holder + 1, holder * 2), -1)
    this.#holders[hold] = holder
    this.#containers[hold] = container.index
    this.#keys[hold] = key
    this.#amounts[hold] = amount
    this.#priorities[hold] = priority
    this.#sequences[hold] = sequence
    if (items) this.#items[hold] = items
    this.#nextOfHolder[hold] = this.#firstOfHolder[holder]!
    this.#firstOfHolder[holder] = hold
    this.#link(hold, container)
  }

  /** First record of a holder, -1 = none. */
  first(holder: number): number {
    return this.#firstOfHolder[holder] ?? -1
  }

  amountOf(hold: number): number {
    return this.#amounts[hold]!
  }

  keyOf(hold: number): number {
    return this.#keys[hold]!
  }

  holderOf(hold: number): number {
    return this.#holders[hold]!
  }

  containerOf(hold: number): number {
    return this.#containers[hold]!
  }

  priorityOf(hold: number): number {
    return this.#priorities[hold]!
  }

  sequenceOf(hold: number): number {
    return this.#sequences[hold]!
  }

  itemsOf(hold: number): readonly unknown[] {
    return this.#items[hold] ?? none
  }

  amount(holder: number, container: Container, key: number): number {
    let total = 0
    for (let hold = this.first(holder); hold >= 0; hold = this.#nextOfHolder[hold]!) {
      if (this.#containers[hold] === container.index && this.#keys[hold] === key) total += this.#amounts[hold]!
    }
    return total
  }

  /** The only record of a holder, when it is exactly these units; -1 otherwise. */
  whole(holder: number, container: Container, key: number, amount: number | null): number {
    const hold = this.first(holder)
    if (hold < 0 || this.#nextOfHolder[hold]! >= 0 || this.#containers[hold] !== container.index || this.#keys[hold] !== key) return -1
    return amount === null || amount === this.#amounts[hold] ? hold : -1
  }

  /** Takes units from a holder's records, newest first; returns the items among them. The holder has that many. */
  give(holder: number, container: Container, key: number, amount: number): unknown[] {
    const items: unknown[] = []
    let left = amount
    for (let hold = this.first(holder); hold >= 0 && left > 0;) {
      const next = this.#nextOfHolder[hold]!
      if (this.#containers[hold] === container.index && this.#keys[hold] === key) {
        const own = this.#amounts[hold]!
        const held = this.#items[hold]
        if (own <= left) {
          if (held) items.push(...held)
          this.remove(hold, container)
          left -= own
        } else {
          if (held) {
            items.push(...held.slice(own - left))
            this.#items[hold] = held.slice(0, own - left)
          }
          this.#amounts[hold] = own - left
          left = 0
        }
      }
      hold = next
    }
    return items
  }

  /** Forgets a record. */
  remove(hold: number, container: Container): void {
    const holder = this.#holders[hold]!
    let before = -1
    for (let one = this.#firstOfHolder[holder]!; one !== hold; one = this.#nextOfHolder[one]!) before = one
    if (before < 0) this.#firstOfHolder[holder] = this.#nextOfHolder[hold]!
    else this.#nextOfHolder[before] = this.#nextOfHolder[hold]!
    const next = this.#next[hold]!
    const previous = this.#previous[hold]!
    if (previous < 0) container.firstHold = next
    else this.#next[previous] = next
    if (next >= 0) this.#previous[next] = previous
    if (this.#items[hold]) this.#items[hold] = null
    this.#holders[hold] = -1
    this.#next[hold] = this.#free
    this.#free = hold
  }

  /** Records of a container with a priority number above `priority`: lowest priority first, then the latest. */
  victims(container: Container, key: number, priority: number): number[] {
    const found: number[] = []
    for (let hold = container.firstHold; hold >= 0; hold = this.#next[hold]!) {
      if (this.#keys[hold] === key && this.#priorities[hold]! > priority && this.#amounts[hold]! > 0) found.push(hold)
    }
    return found.sort((p, q) => this.#priorities[q]! - this.#priorities[p]! || this.#sequences[q]! - this.#sequences[p]!)
  }

  victim(container: Container, key: number, priority: number): number {
    return this.victims(container, key, priority)[0] ?? -1
  }

  save(values: ValueWriter): State {
    const top = this.#top
    return {
      holders: this.#holders.slice(0, top),
      containers: this.#containers.slice(0, top),
      keys: this.#keys.slice(0, top),
      amounts: this.#amounts.slice(0, top),
      priorities: this.#priorities.slice(0, top),
      sequences: this.#sequences.slice(0, top),
      nextOfHolder: this.#nextOfHolder.slice(0, top),
      next: this.#next.slice(0, top),
      previous: this.#previous.slice(0, top),
      firstOfHolder: this.#firstOfHolder.slice(),
      free: this.#free,
      items: Array.from({ length: top }, (_, hold) => this.#items[hold]?.map(item => values.write(item)) ?? null),
    }
  }

  load(state: State, values: ValueReader, containerAt: (index: number) => Container): void {
    const saved = recordOf(state)
    this.#top = intsOf(saved['holders']).length
    const room = Math.max(64, this.#top)
    this.#holders = intsOf(saved['holders'], room)
    this.#containers = intsOf(saved['containers'], room)
    this.#keys = intsOf(saved['keys'], room)
    this.#amounts = floatsOf(saved['amounts'], room)
    this.#priorities = floatsOf(saved['priorities'], room)
    this.#sequences = floatsOf(saved['sequences'], room)
    this.#nextOfHolder = intsOf(saved['nextOfHolder'], room)
    this.#next = intsOf(saved['next'], room)
    this.#previous = intsOf(saved['previous'], room)
    this.#firstOfHolder = intsOf(saved['firstOfHolder'])
    this.#free = typeof saved['free'] === 'number' ? saved['free'] : -1
    this.#items = listOf(saved['items'] ?? null).map(items => (items === null ? null : listOf(items).map(item => values.read(item))))
    for (let hold = 0; hold < this.#top; hold++)
      if (this.#holders[hold]! >= 0 && this.#previous[hold]! < 0) containerAt(this.#containers[hold]!).firstHold = hold
  }

  #link(hold: number, container: Container): void {
    const next = container.firstHold
    this.#next[hold] = next
    this.#previous[hold] = -1
    if (next >= 0) this.#previous[next] = hold
    container.firstHold = hold
  }

  #newRecord(): number {
    if (this.#top === this.#holders.length) {
      const room = this.#top * 2
      this.#holders = intsOf(this.#holders, room)
      this.#containers = intsOf(this.#containers, room)
      this.#keys = intsOf(this.#keys, room)
      this.#amounts = floatsOf(this.#amounts, room)
      this.#priorities = floatsOf(this.#priorities, room)
      this.#sequences = floatsOf(this.#sequences, room)
      this.#nextOfHolder = intsOf(this.#nextOfHolder, room)
      this.#next = intsOf(this.#next, room)
      this.#previous = intsOf(this.#previous, room)
    }
    return this.#top++
  }
}
