// Units that are held: records (holder, container, key, amount), linked per holder and per container. Holders are small
// numbers (token slots).
import { floatsOf, intsOf, listOf, recordOf, type State, type ValueReader, type ValueWriter } from '../kernel/snapshot.ts'
import type { Container } from './container.ts'

const none: readonly unknown[] = []

// A record is a row of eight integers and one of four reals; both are read and written together.
const holderAt = 0
const containerAt = 1
const keyAt = 2
/** Next of the same holder (newest first); next and previous of the same container (newest first). */
const nextOfHolderAt = 3
const nextAt = 4
const previousAt = 5
const amountAt = 0
const priorityAt = 1
const sequenceAt = 2

export class Holdings {
  // The members below are public for run/fast/ only, which adds and removes records in place.
  ints = new Int32Array(64 * 8)
  reals = new Float64Array(64 * 4)
  items: (readonly unknown[] | null)[] = []
  firstOfHolder = new Int32Array(64).fill(-1)
  /** All who ever held something are below this holder; the first records of so many are saved. */
  holders = 64
  /** All are below this record. */
  top = 0
  // Free records, linked through their next.
  free = -1

  add(
    holder: number,
    container: Container,
    key: number,
    amount: number,
    priority: number,
    sequence: number,
    items: readonly unknown[] | null,
  ): void {
    const hold = this.free >= 0 ? this.free : this.#newRecord()
    if (holder >= this.holders) {
      this.holders = Math.max(holder + 1, holder * 2)
      this.reserve(this.holders)
    }
    const ints = this.ints
    const reals = this.reals
    const at = hold * 8
    if (hold === this.free) this.free = ints[at + nextAt]!
    ints[at + holderAt] = holder
    ints[at + containerAt] = container.index
    ints[at + keyAt] = key
    ints[at + nextOfHolderAt] = this.firstOfHolder[holder]!
    const next = container.firstHold
    ints[at + nextAt] = next
    ints[at + previousAt] = -1
    if (next >= 0) ints[next * 8 + previousAt] = hold
    container.firstHold = hold
    this.firstOfHolder[holder] = hold
    reals[hold * 4 + amountAt] = amount
    reals[hold * 4 + priorityAt] = priority
    reals[hold * 4 + sequenceAt] = sequence
    if (items) this.items[hold] = items
  }

  /** Has room for so many holders. */
  reserve(holders: number): void {
    if (holders > this.firstOfHolder.length) this.firstOfHolder = intsOf(this.firstOfHolder, holders, -1)
  }

  /** First record of a holder, -1 = none. */
  first(holder: number): number {
    return holder < this.firstOfHolder.length ? this.firstOfHolder[holder]! : -1
  }

  /** The next record of the same holder, -1 = none. */
  nextOf(hold: number): number {
    return this.ints[hold * 8 + nextOfHolderAt]!
  }

  amountOf(hold: number): number {
    return this.reals[hold * 4 + amountAt]!
  }

  keyOf(hold: number): number {
    return this.ints[hold * 8 + keyAt]!
  }

  holderOf(hold: number): number {
    return this.ints[hold * 8 + holderAt]!
  }

  containerOf(hold: number): number {
    return this.ints[hold * 8 + containerAt]!
  }

  priorityOf(hold: number): number {
    return this.reals[hold * 4 + priorityAt]!
  }

  sequenceOf(hold: number): number {
    return this.reals[hold * 4 + sequenceAt]!
  }

  itemsOf(hold: number): readonly unknown[] {
    return this.items[hold] ?? none
  }

  amount(holder: number, container: Container, key: number): number {
    let total = 0
    for (let hold = this.first(holder); hold >= 0; hold = this.ints[hold * 8 + nextOfHolderAt]!) {
      if (this.#is(hold, container, key)) total += this.amountOf(hold)
    }
    return total
  }

  /** The only record of a holder, when it is exactly these units; -1 otherwise. */
  whole(holder: number, container: Container, key: number, amount: number | null): number {
    const hold = this.first(holder)
    if (hold < 0 || this.ints[hold * 8 + nextOfHolderAt]! >= 0 || !this.#is(hold, container, key)) return -1
    return amount === null || amount === this.amountOf(hold) ? hold : -1
  }

  /** Takes units from a holder's records, newest first; returns the items among them. The holder has that many. */
  give(holder: number, container: Container, key: number, amount: number): unknown[] {
    const items: unknown[] = []
    let left = amount
    for (let hold = this.first(holder); hold >= 0 && left > 0;) {
      const next = this.ints[hold * 8 + nextOfHolderAt]!
      if (this.#is(hold, container, key)) {
        const own = this.amountOf(hold)
        const held = this.items[hold]
        if (own <= left) {
          if (held) items.push(...held)
          this.remove(hold, container)
          left -= own
        } else {
          if (held) {
            items.push(...held.slice(own - left))
            this.items[hold] = held.slice(0, own - left)
          }
          this.reals[hold * 4 + amountAt] = own - left
          left = 0
        }
      }
      hold = next
    }
    return items
  }

  /** Forgets a record. */
  remove(hold: number, container: Container): void {
    const ints = this.ints
    const at = hold * 8
    const holder = ints[at + holderAt]!
    if (this.firstOfHolder[holder] === hold) this.firstOfHolder[holder] = ints[at + nextOfHolderAt]!
    else this.#unlinkHolder(hold, holder)
    const next = ints[at + nextAt]!
    const previous = ints[at + previousAt]!
    if (previous < 0) container.firstHold = next
    else ints[previous * 8 + nextAt] = next
    if (next >= 0) ints[next * 8 + previousAt] = previous
    if (hold < this.items.length) this.items[hold] = null
    ints[at + holderAt] = -1
    ints[at + nextAt] = this.free
    this.free = hold
  }

  #unlinkHolder(hold: number, holder: number): void {
    const ints = this.ints
    let before = this.firstOfHolder[holder]!
    for (let one = before; one !== hold; one = ints[one * 8 + nextOfHolderAt]!) before = one
    ints[before * 8 + nextOfHolderAt] = ints[hold * 8 + nextOfHolderAt]!
  }

  #is(hold: number, container: Container, key: number): boolean {
    return this.ints[hold * 8 + containerAt] === container.index && this.ints[hold * 8 + keyAt] === key
  }

  /** Records of a container with a priority number above `priority`: lowest priority first, then the latest. */
  victims(container: Container, key: number, priority: number): number[] {
    const found: number[] = []
    for (let hold = container.firstHold; hold >= 0; hold = this.ints[hold * 8 + nextAt]!) {
      if (this.keyOf(hold) === key && this.priorityOf(hold) > priority && this.amountOf(hold) > 0) found.push(hold)
    }
    return found.sort((p, q) => this.priorityOf(q) - this.priorityOf(p) || this.sequenceOf(q) - this.sequenceOf(p))
  }

  victim(container: Container, key: number, priority: number): number {
    return this.victims(container, key, priority)[0] ?? -1
  }

  save(values: ValueWriter): State {
    const top = this.top
    return {
      ints: this.ints.slice(0, top * 8),
      reals: this.reals.slice(0, top * 4),
      firstOfHolder: this.firstOfHolder.slice(0, this.holders),
      free: this.free,
      items: Array.from({ length: top }, (_, hold) => this.items[hold]?.map(item => values.write(item)) ?? null),
    }
  }

  load(state: State, values: ValueReader, containerOf: (index: number) => Container): void {
    const saved = recordOf(state)
    this.top = intsOf(saved['ints']).length / 8
    const room = Math.max(64, this.top)
    this.ints = intsOf(saved['ints'], room * 8)
    this.reals = floatsOf(saved['reals'], room * 4)
    this.firstOfHolder = intsOf(saved['firstOfHolder'])
    this.holders = this.firstOfHolder.length
    this.free = typeof saved['free'] === 'number' ? saved['free'] : -1
    this.items = listOf(saved['items'] ?? null).map(items => (items === null ? null : listOf(items).map(item => values.read(item))))
    for (let hold = 0; hold < this.top; hold++)
      if (this.holderOf(hold) >= 0 && this.ints[hold * 8 + previousAt]! < 0) containerOf(this.containerOf(hold)).firstHold = hold
  }

  #newRecord(): number {
    if (this.top * 8 === this.ints.length) {
      const room = this.top * 2
      this.ints = intsOf(this.ints, room * 8)
      this.reals = floatsOf(this.reals, room * 4)
    }
    return this.top++
  }
}
