// Which timer start keeps an instant from ending: its interval is 0 for the same owner again and again.

/** Steps left to an instant from which on firings are counted. Compiled processes return to the general loop at this number at the latest. */
export const countedSteps = 1000

export class Repeats {
  #time = Number.NaN
  readonly #firings = new Map<number, Map<number, number>>()

  /** Records that the timer start of a process fired at `time` for its owner, -1 = none. */
  note(time: number, process: number, owner: number): void {
    if (time !== this.#time) this.#firings.clear()
    this.#time = time
    let owners = this.#firings.get(process)
    if (!owners) this.#firings.set(process, (owners = new Map()))
    owners.set(owner, (owners.get(owner) ?? 0) + 1)
  }

  /** The process with the timer start that fired most often for one owner at `time`; null when none did so twice. */
  mostAt(time: number): number | null {
    if (time !== this.#time) return null
    let found: number | null = null
    let most = 1
    for (const [process, owners] of this.#firings) for (const count of owners.values()) if (count > most) [found, most] = [process, count]
    return found
  }
}
