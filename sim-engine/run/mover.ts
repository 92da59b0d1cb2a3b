// What joins and watches ask of the kernel, and the tables a program gives it.
import type { World } from '../world/world.ts'
import type { MayChange } from './reactions.ts'
import type { Tokens } from './tokens/tokens.ts'

/** What the kernel needs to know of a process. */
export type ProcessTable = {
  /** Position of the first step after a start; -1 when it has none. */
  entry: Int32Array
  /** Population of the actor, -1 = none. */
  population: Int32Array
  /** Index of its concurrency formula, or null. */
  limit: ((owner: number) => number)[]
  limited: Uint8Array
  busy: ('queue' | 'skip' | 'restart')[]
}

/** The functions of a generated program the kernel calls. */
export type Routines = {
  /** Conditional events by step: whether the condition holds for a token (or an owner, for starts). */
  conditions: Map<number, (t: number) => boolean>
  /** Whether what a conditional event sets going may change the condition of another, both by step. */
  mayChange: MayChange
  /** Receive events by step: whether a message is the one waited for. */
  fits: Map<number, (t: number, payload: unknown) => boolean>
  /** Puts the payload of a message that came at a step into the temporaries and interfaces of the same names. */
  receive: ((t: number, payload: unknown, step: number) => void)[]
  /** Activities by step: gives back what the activity had requested. */
  interrupt: Map<number, (t: number) => void>
  /** Whether there are error boundaries; the boundary of a step that catches a code, or -1. */
  catches: boolean
  catcher(step: number, code: string): number
  /** The step with the formula that ran last, -1 when not of a step; the process of a step. */
  stepAt(): number
  processOf(step: number): number
  /** Runs a token on from its position, or another, until it waits or ends. One per process. */
  run: ((t: number, pc?: number) => void)[]
  /** Gives a new token of a process its temporaries; null where it has none. */
  prepare: (((t: number, owner: number) => void) | null)[]
  /** Copies temporaries between tokens of a process. */
  copy: ((from: number, to: number) => void)[]
  /** Copies the interfaces that lead out. */
  copyOut: ((from: number, to: number) => void)[]
}

/** The kernel, as joins and watches see it. */
export type Mover = {
  readonly world: World
  readonly tokens: Tokens
  readonly routines: Routines
  hasWoken: boolean
  push(t: number): void
  drain(): void
  swallow(t: number): void
  reunite(parent: number, children: readonly number[], step: number): void
  interrupt(t: number, step: number): void
  beside(t: number, pc: number): number
  forget(t: number): void
}
