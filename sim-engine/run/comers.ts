// Tokens at a decision which is not taken at once: they wait until all of the instant have come, or until a person has decided.
import type { Tokens } from './tokens/tokens.ts'

/** The entry of a Decide step at which its tokens wait. */
export const decisionEntry = 2

/** Those at one Decide step, in the order in which they came. */
export class Comers {
  readonly #step: number
  readonly #tokens: Tokens
  #came: number[] = []
  #selves: number[] = []
  #serials: number[] = []
  /** By token: what was decided for it. Undefined: nothing yet. */
  readonly #decided: (number[] | null | undefined)[] = []

  constructor(step: number, tokens: Tokens) {
    this.#step = step
    this.#tokens = tokens
  }

  add(t: number, self: number): void {
    this.#came.push(t)
    this.#selves.push(self)
    this.#serials.push(this.#tokens.serial[t]!)
  }

  /** Whether one may be there: it is known only once all that have gone were dropped. */
  get isEmpty(): boolean {
    return this.#came.length === 0
  }

  /** The tokens still there. The array is reused: valid until another comes or one leaves. */
  get present(): { readonly tokens: readonly number[]; readonly selves: readonly number[] } {
    const [came, selves, serials] = [this.#came, this.#selves, this.#serials]
    const at = this.#step * 8 + decisionEntry
    let kept = 0
    for (let k = 0; k < came.length; k++) {
      const t = came[k]!
      if (this.#tokens.pc[t] !== at || this.#tokens.serial[t] !== serials[k]) continue
      came[kept] = t
      selves[kept] = selves[k]!
      serials[kept++] = serials[k]!
    }
    came.length = selves.length = serials.length = kept
    return { tokens: came, selves }
  }

  /** Empties the list: its tokens are about to continue. */
  clear(): void {
    this.#came = []
    this.#selves = []
    this.#serials = []
  }

  /** The first one is about to go on. */
  shift(): void {
    this.#came.shift()
    this.#selves.shift()
    this.#serials.shift()
  }

  decide(t: number, values: number[] | null): void {
    this.#decided[t] = values
  }

  /** What was decided for it, once. */
  take(t: number): number[] | null {
    const values = this.#decided[t] ?? null
    this.#decided[t] = undefined
    return values
  }

  save(): number[] {
    return this.#came.flatMap((t, k) => [t, this.#selves[k]!, this.#serials[k]!])
  }

  load(saved: readonly number[]): void {
    this.clear()
    for (let k = 0; k + 2 < saved.length; k += 3) {
      this.#came.push(saved[k]!)
      this.#selves.push(saved[k + 1]!)
      this.#serials.push(saved[k + 2]!)
    }
  }
}
