// The formulas under way while a debug build runs: the step's own program or condition first, then the functions it called.
import type { RowLocals } from '../run/clockwork/hooks.ts'

/** A formula under way. `from` is where its statement begins, -1 before the first. */
export type FormulaFrame = { readonly place: number; readonly self: number; readonly from: number; readonly locals: RowLocals | null }

export class Frames {
  /** Those under way, then ones to be used again: this is called with each statement of a debug build. */
  readonly #list: { place: number; self: number; from: number; locals: RowLocals | null }[] = []
  #depth = 0

  get depth(): number {
    return this.#depth
  }

  clear(): void {
    this.#depth = 0
  }

  enter(place: number, self: number): void {
    this.#put(place, self, -1, null)
  }

  leave(): void {
    if (this.#depth > 0) this.#depth--
  }

  line(place: number, from: number, self: number, locals: RowLocals | null): void {
    // What an error left behind is gone for good.
    if (this.#depth === 0 || this.#list[this.#depth - 1]!.place !== place) this.#depth = 0
    else this.#depth--
    this.#put(place, self, from, locals)
  }

  /** As it is now, innermost first. */
  taken(): readonly FormulaFrame[] {
    return this.#list
      .slice(0, this.#depth)
      .map(frame => ({ ...frame }))
      .reverse()
  }

  #put(place: number, self: number, from: number, locals: RowLocals | null): void {
    const at = this.#depth++
    const used = this.#list[at]
    if (used) {
      used.place = place
      used.self = self
      used.from = from
      used.locals = locals
    } else this.#list.push({ place, self, from, locals })
  }
}
