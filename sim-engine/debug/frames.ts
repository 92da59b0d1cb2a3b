// The formulas under way while a debug build runs: the step's own program or condition first, then the functions it called.
import type { RowLocals } from '../run/clockwork.ts'

/** A formula under way. `from` is where its statement begins, -1 before the first. */
export type FormulaFrame = { readonly place: number; self: number; from: number; locals: RowLocals | null }

export class Frames {
  #list: FormulaFrame[] = []

  get depth(): number {
    return this.#list.length
  }

  clear(): void {
    this.#list.length = 0
  }

  enter(place: number, self: number): void {
    this.#list.push({ place, self, from: -1, locals: null })
  }

  leave(): void {
    this.#list.pop()
  }

  line(place: number, from: number, self: number, locals: RowLocals | null): void {
    let top = this.#list.at(-1)
    // What an error left behind is gone for good.
    if (top?.place !== place) {
      this.#list.length = 0
      this.#list.push((top = { place, self, from, locals }))
    }
    top.self = self
    top.from = from
    top.locals = locals
  }

  /** As it is now, innermost first. */
  taken(): readonly FormulaFrame[] {
    return this.#list.map(frame => ({ ...frame })).reverse()
  }
}
