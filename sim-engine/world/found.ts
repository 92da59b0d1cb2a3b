// A stack of slots found by searches, with their squared distances: loops within loops don't disturb each other. A search
// returns the new top; the caller remembers the old one, visits the entries between, and sets `top` back. `slots` may be
// replaced by a search: read it afterwards. `world.settle` clears the stack.
import { floatsOf, intsOf } from '../kernel/snapshot.ts'

/** Entries that are sorted by insertion alone. */
const run = 16

export class Found {
  slots = new Int32Array(64)
  top = 0
  #squares = new Float64Array(64)

  push(slot: number): void {
    this.pushAt(slot, 0)
  }

  pushAt(slot: number, square: number): void {
    if (this.top === this.slots.length) this.#grow()
    this.slots[this.top] = slot
    this.#squares[this.top++] = square
  }

  /** Whether a slot is among the entries from `start` on. */
  has(slot: number, start: number): boolean {
    for (let k = start; k < this.top; k++) if (this.slots[k] === slot) return true
    return false
  }

  /** Removes the entries from `start` on and returns them. */
  take(start: number): number[] {
    const taken: number[] = []
    const { slots, top } = this
    for (let k = start; k < top; k++) taken.push(slots[k]!)
    this.top = start
    return taken
  }

  /** The same as handles. */
  takeAs(handles: Float64Array, start: number): number[] {
    const taken: number[] = []
    const { slots, top } = this
    for (let k = start; k < top; k++) taken.push(handles[slots[k]!]!)
    this.top = start
    return taken
  }

  /** Sorts the entries from `start` on by distance, ties by `ids`: short runs by insertion, then merged from above the top and back. */
  sort(start: number, ids: Float64Array): void {
    const { top } = this
    const n = top - start
    for (let low = start; low < top; low += run) this.#insert(low, Math.min(low + run, top), ids)
    if (n <= run) return
    // Merges go back and forth between the entries and as many places above them.
    while (top + n > this.slots.length) this.#grow()
    let from = start
    let to = top
    for (let width = run; width < n; width *= 2) {
      for (let low = 0; low < n; low += 2 * width) this.#merge(from, to, low, Math.min(low + width, n), Math.min(low + 2 * width, n), ids)
      const other = from
      from = to
      to = other
    }
    if (from === start) return
    this.slots.copyWithin(start, from, from + n)
    this.#squares.copyWithin(start, from, from + n)
  }

  #insert(low: number, high: number, ids: Float64Array): void {
    const { slots } = this
    const squares = this.#squares
    for (let k = low + 1; k < high; k++) {
      const slot = slots[k]!
      const square = squares[k]!
      let j = k
      for (; j > low; j--) {
        const before = squares[j - 1]!
        if (before < square || (before === square && ids[slots[j - 1]!]! <= ids[slot]!)) break
        squares[j] = before
        slots[j] = slots[j - 1]!
      }
      squares[j] = square
      slots[j] = slot
    }
  }

  /** Merges [low, middle) and [middle, high) at `from` into [low, high) at `to`. */
  #merge(from: number, to: number, low: number, middle: number, high: number, ids: Float64Array): void {
    const { slots } = this
    const squares = this.#squares
    let p = from + low
    let q = from + middle
    const endP = q
    const endQ = from + high
    for (let at = to + low, end = to + high; at < end; at++) {
      const first =
        q >= endQ || (p < endP && (squares[p]! < squares[q]! || (squares[p] === squares[q] && ids[slots[p]!]! <= ids[slots[q]!]!)))
      const one = first ? p++ : q++
      squares[at] = squares[one]!
      slots[at] = slots[one]!
    }
  }

  #grow(): void {
    this.slots = intsOf(this.slots, this.slots.length * 2)
    this.#squares = floatsOf(this.#squares, this.slots.length)
  }
}
