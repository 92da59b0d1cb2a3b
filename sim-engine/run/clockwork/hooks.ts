// What debug and metered builds call as they go.

/** Thrown by a debugger's hook to stop within an instant: the state stays inspectable; the run continues only from a snapshot. */
// oxlint-disable-next-line typescript/no-extraneous-class
export class Interrupt {}

/** Values of the temporaries of an activation without a token, in the order of the process's temporaries. */
export type RowLocals = () => readonly unknown[]

/** What a debug build calls before each step. `t` is -1 for an activation without a token, `condition` the step's breakpoint condition. */
export type StepHook = (
  t: number,
  step: number,
  self: number,
  locals: RowLocals | null,
  condition: (() => unknown) | null,
  watches: readonly (() => unknown)[] | null,
) => void

/** What a debug build calls inside formulas. */
export type LineHooks = {
  /** Before a statement that begins at `from` in the formula at `place`. */
  line(
    place: number,
    from: number,
    self: number,
    locals: RowLocals | null,
    condition: (() => unknown) | null,
    watches: readonly (() => unknown)[] | null,
  ): void
  /** A function, a program, or an expression that calls a function begins; `step` is -1 unless it is a step's own program. */
  enter(place: number, self: number, t: number, step: number): void
  leave(): void
}

/** What a metered build reports: see `debug/meter.ts`. */
export type MeterHooks = {
  /** Time goes to this spot from now on; returns where it went before. */
  enter(spot: number): number
  /** A step of the process that runs begins. */
  step(spot: number): void
  leave(): void
  /** Back to where it was, whatever did not end in between. */
  back(to: number): void
}
