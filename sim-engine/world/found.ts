// A stack of slots found by searches, with their squared distances: loops within loops don't disturb each other. A search
// returns the new top; the caller remembers the old one, visits the entries between, and sets `top` back. `slots` may be
// replaced by a search: read it afterwards. `world.settle` clears the stack.
import { floatsOf, intsOf } from '../kernel/snapshot.ts'

export class Found {
  slots = new Int32Array(64)
  top = 0
  #squares = new Float64Array(64)

  push(slot: number): void {
    this.pushAt(slot, 0)
  }

  pushAt(slot: number, square: number): void {
    if (this.top === this.slots.length) {
      this.slots = intsOf(this.slots, this.top * 2)
      this.#squares = floatsOf(this.#squares, this.top * 2)
    }
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
    const taken = Array.from(this.slots.subarray(start, this.top))
    this.top = start
    return taken
  }

  /** Sorts the entries from `start` on by distance, ties by `ids`: few by insertion, many as a heap. */
  sort(start: number, ids: Float64Array): void {
    const n = this.top - start
    if (n > 24) this.#heapSort(start, n, ids)
    else for (let k = start + 1; k < start + n; k++) for (let j = k; j > start && this.#isBefore(j, j - 1, ids); j--) this.#swap(j, j - 1)
  }

  #heapSort(start: number, n: number, ids: Float64Array): void {
    for (let k = (n >> 1) - 1; k >= 0; k--) this.#sink(start, k, n, ids)
    for (let end = n - 1; end > 0; end--) {
      this.#swap(start, start + end)
      this.#sink(start, 0, end, ids)
    }
  }

  #sink(start: number, from: number, end: number, ids: Float64Array): void {
    for (let at = from; ;) {
      let child = 2 * at + 1
      if (child >= end) return
      if (child + 1 < end && this.#isBefore(start + child, start + child + 1, ids)) child++
      if (!this.#isBefore(start + at, start + child, ids)) return
      this.#swap(start + at, start + child)
      at = child
    }
  }

  #isBefore(p: number, q: number, ids: Float64Array): boolean {
    const difference = this.#squares[p]! - this.#squares[q]!
    return difference < 0 || (difference === 0 && ids[this.slots[p]!]! < ids[this.slots[q]!]!)
  }

  #swap(p: number, q: number): void {
    const { slots } = this
    const squares = this.#squares
    const slot = slots[p]!
    const square = squares[p]!
    slots[p] = slots[q]!
    squares[p] = squares[q]!
    slots[q] = slot
    squares[q] = square
  }
}
