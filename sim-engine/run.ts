// Program -> Run: the life of one simulation. The only place that catches a RunError.
import type { Id } from '../model-schema/model.ts'
import type { Program } from './compile.ts'
import type { Plain, RunOptions, RunResult, Summary } from './messages.ts'

export type Snapshot = { readonly version: 1; readonly time: number; readonly state: unknown }

export type Run = {
  readonly program: Program
  readonly seed: number
  readonly state: 'ready' | 'running' | 'ended'
  readonly result: RunResult | null
  readonly tick: number
  readonly time: number
  /** Runs on: `ticks` whole ticks, or until model time `until`; with nothing given to the end. Returns true while there is more to come. */
  advance(to?: { until?: number; ticks?: number }): boolean
  /** Sets a public variable in phase 0 of the next instant. */
  set(variable: Id, value: Plain): void
  /** Triggers a button's process in phase 0 of the next instant. */
  press(controller: Id): void
  summary(): Summary
  snapshot(): Snapshot
  restore(snapshot: Snapshot): void
  /** FNV-1a over the state, as eight hexadecimal digits. */
  hash(): string
  /** Golden trace: called with each step a token makes. */
  trace: ((line: string) => void) | null
}

/** Resets a new run to the state before the first instant. */
export declare function start(program: Program, options?: RunOptions): Run
