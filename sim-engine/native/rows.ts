import type { Program } from '../compile.ts'
import type { Built } from '../run/build.ts'

/** The rows of one run. Only between instants may it be entered and left. */
export class NativeRows {
  #isInside = false

  static of(_program: Program, _built: Built): NativeRows | null {
    return null
  }

  /** Whether what the rows know is newer than the world. */
  get isInside(): boolean {
    return this.#isInside
  }

  /** Copies the world in; nothing happens inside. */
  enter(): void {
    this.#isInside = true
  }

  /** `world.settle()`. */
  settle(): void {}

  /** One tick of all populations; `world.tick` and `world.time` are told as they were at this call. May throw: `leave` then. */
  tick(): void {}

  /** Commit of simultaneous populations. */
  commit(): void {}

  /** Copies out what was written, also who acts and where; `onlyRead`: the next `enter` copies nothing in. At the end of a run: false. */
  leave(_onlyRead: boolean): void {
    this.#isInside = false
  }
}
