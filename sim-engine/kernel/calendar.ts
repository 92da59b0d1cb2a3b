// The calendar of future events: a 4-ary heap on parallel typed arrays, ordered by (time, phase, priority, sequence), so
// that simultaneous events have one defined order on every machine.
import type { State } from './snapshot.ts'

export declare class Calendar {
  /** Events that wait (cancelled ones not counted). */
  get size(): number
  /** When the earliest event is due; Infinity when none waits. */
  get nextTime(): number
  /** Its phase (0 .. 8); -1 when none waits. */
  get nextPhase(): number
  /** The event last taken by `pop`. */
  time: number
  phase: number
  priority: number
  kind: number
  a: number
  b: number
  /**
   * Adds an event and returns its handle, for `cancel`. Lower phase, then lower priority, then earlier scheduled goes
   * first at equal times. `kind` and `a` are 32-bit integers, `b` any number. Throws RangeError when `time` is NaN.
   */
  schedule(time: number, phase: number, priority: number, kind: number, a: number, b: number): number
  /** True when `handle` still waited. A handle taken, cancelled or of an earlier event at the same place is no error: false. */
  cancel(handle: number): boolean
  isWaiting(handle: number): boolean
  /** Takes the earliest event into the fields above; false when none waits. */
  pop(): boolean
  clear(): void
  save(): State
  load(state: State): void
}
