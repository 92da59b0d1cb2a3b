// Messages and signals: mailboxes per receiver and message type, tokens that wait for one. FIFO by (due time, sequence).
import type { State } from '../kernel/snapshot.ts'

export type MessagePlan = { id: string; name: string; capacity: number; full: 'dropNew' | 'dropOld' | 'error'; lifetime: number }

/** A receiver: the population's index (-1 = the global observer) and a handle (-1 = the population's observer). */
export declare class Mail {
  /** `deliver` resumes a waiting token with the message's payload, at this instant, phase 2. */
  constructor(now: () => number, deliver: (token: number, payload: unknown) => void)
  /** Adds a message type and returns its number. */
  add(plan: MessagePlan): number
  /** Puts a message on its way; returns its number, to schedule for phase 2 of its due time and hand to `arrive`. */
  send(type: number, population: number, handle: number, payload: unknown): number
  /** Delivers: to the first waiting token whose filter fits, else into the mailbox (10064 when full and `error`). */
  arrive(message: number): void
  /** Takes the oldest fitting message: its payload, or undefined when there is none. */
  take(type: number, population: number, handle: number, fits: ((payload: unknown) => boolean) | null): unknown
  /** Lets a token wait for a message. */
  wait(token: number, type: number, population: number, handle: number, fits: ((payload: unknown) => boolean) | null): void
  waitForSignal(token: number, signal: number): void
  /** The tokens waiting for a signal, in order of arrival; they wait no longer. */
  throwSignal(signal: number): number[]
  /** The token was cancelled or another event came first. */
  stopWaiting(token: number): void
  /** The receiver died: its mail is lost. */
  forget(population: number, handle: number): void
  count(type: number, population: number, handle: number): number
  readonly sent: Float64Array
  readonly received: Float64Array
  readonly lost: Float64Array
  save(): State
  load(state: State): void
}
