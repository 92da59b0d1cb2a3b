// Containers: amounts (one, or by key) or items, consumable or reusable, with one queue each. `Containers` owns them all,
// the requests that wait and the units that are held, because one request may span several containers (all or nothing).
import type { State } from '../kernel/snapshot.ts'
import type { Tally, TimeWeighted } from './statistics.ts'

export type ContainerPlan = {
  id: string
  name: string
  contents: 'amount' | 'keyed' | 'items'
  reusable: boolean
  negative: boolean
  order: 'fifo' | 'lifo' | 'priority'
  strict: boolean
  offShift: 'finish' | 'suspend'
}

/** hold: request units of a reusable container · take, put: consumables. */
export type Want = {
  does: 'hold' | 'take' | 'put'
  container: Container
  amount: number
  /** Keyed containers; null otherwise. */
  key: string | null
  /** put into items: what goes in; take from items: exactly these (10043 when failing). */
  items?: readonly unknown[]
}

export type Otherwise = 'wait' | 'fail' | 'partial' | 'branch'
/** granted: done now · waiting: the holder is told by `granted` later · short: nothing happened (branch). */
export type Outcome = 'granted' | 'waiting' | 'short'

export type Told = {
  /** A waiting request was met: resume the holder at this instant, phase 1. `request` is what `request` left in `lastRequest`. */
  granted(holder: number, request: number): void
  /** Units were taken away; a request for them waits with the old arrival time. It ends with `granted(holder, request)`. */
  preempted(holder: number, request: number, how: 'resume' | 'restart'): void
}

export declare class Container {
  readonly plan: ContainerPlan
  readonly index: number
  /** Consumable: what is in it. Reusable: free units (capacity - in use). By key, or in total. */
  level(key?: string | null): number
  inUse(key?: string | null): number
  capacity(key?: string | null): number
  readonly queueLength: number
  utilization(): number
  /** The keys in insertion order ([''] of an `amount` container). */
  keys(): string[]
  items(): readonly unknown[]
  has(key: string): boolean
  readonly levels: TimeWeighted
  readonly uses: TimeWeighted
  readonly queues: TimeWeighted
  readonly waits: Tally
  served: number
  gaveUp: number
  preemptions: number
}

export declare class Containers {
  /** The request made or re-made last. */
  lastRequest: number
  constructor(now: () => number, told: Told)
  /** Amount containers: `initial` and `capacity` are numbers; keyed: dicts key -> number; items: initial list, capacity a number. Infinity = unlimited. */
  create(plan: ContainerPlan, initial: number | ReadonlyMap<string, number> | readonly unknown[], capacity: number | ReadonlyMap<string, number>): Container
  /** When the owner dies: waiting requests vanish, holds end. */
  destroy(container: Container): void
  at(index: number): Container
  /** All or nothing; `alternatives` are tried in written order. RunErrors 10036-10039, 10042, 10043 when `fail`; 10042 always. */
  request(holder: number, alternatives: readonly (readonly Want[])[], priority: number, otherwise: Otherwise, preempt?: 'none' | 'resume' | 'restart'): Outcome
  /** The short road of one want on an `amount` container: no allocation. */
  hold(container: Container, holder: number, amount: number, priority: number, otherwise: Otherwise): Outcome
  take(container: Container, holder: number, amount: number, key: string | null, priority: number, otherwise: Otherwise): Outcome
  put(container: Container, holder: number, amount: number, key: string | null, priority: number, otherwise: Otherwise): Outcome
  /** What the last take, hold or partial request of `holder` got: amount, items, and which alternative. */
  readonly got: { amount: number; items: unknown[]; alternative: number }
  /** 10040 when more than held. `amount` null = all of this key. */
  release(container: Container, holder: number, amount: number | null, key: string | null): void
  releaseAll(holder: number): void
  held(container: Container, holder: number, key?: string | null): number
  /** True when the holder holds anything (10041 at a process end is for the caller to raise). */
  holdsAnything(holder: number): boolean
  /** Time-out or give-up condition: the waiting request is withdrawn and counted as given up; false when it no longer waits. */
  giveUp(request: number): boolean
  /** The token was cancelled or its owner died: its requests vanish, its units return. */
  cancel(holder: number): void
  /** Set level (take or put of the difference, never waits). */
  setLevel(container: Container, level: number, key: string | null): void
  setCapacity(container: Container, capacity: number, key: string | null): void
  transfer(from: Container, to: Container, holder: number, amount: number, key: string | null, priority: number, otherwise: Otherwise): Outcome
  /** Starts statistics afresh at the end of the warm-up. */
  warmUp(): void
  save(): State
  load(state: State): void
}

/** Capacity by time: rows of (from time, capacity), repeating every `period` (null = not). */
export declare class Schedule {
  constructor(rows: readonly { time: number; capacity: number }[], period: number | null)
  /** null before the first row of a schedule that does not repeat. */
  at(time: number): number | null
  /** The next time > `time` at which it changes; Infinity when never. */
  after(time: number): number
  readonly highest: number
}
