// Individuals of one population as a struct of arrays: slot i of every column belongs to one individual. A handle is
// slot + generation * 2^24; `handles[slot]` is the handle of the living individual there, or -1, so that
// `handles[h & 0xffffff] === h` says that h lives.
import type { State } from '../kernel/snapshot.ts'
import type { Stream } from '../kernel/random.ts'

/** number, entity: Float64Array (entity: handles, -1 = None) · integer: Int32Array · flag: Uint8Array · any: plain array. */
export type ColumnType = 'number' | 'entity' | 'integer' | 'flag' | 'any'

/** One column. `data` is replaced when the population grows or is restored: hold on to the Column, or rebind. */
export type Column =
  | { readonly name: string; readonly type: 'number' | 'entity'; data: Float64Array; initial: number }
  | { readonly name: string; readonly type: 'integer'; data: Int32Array; initial: number }
  | { readonly name: string; readonly type: 'flag'; data: Uint8Array; initial: number }
  | { readonly name: string; readonly type: 'any'; data: unknown[]; initial: unknown }

export type Kind = 'agent' | 'cell' | 'link'

/** A property by name, for values whose population is not known when compiling (Refs). */
export type Property = { read(handle: number): unknown; write?(handle: number, value: unknown): void }

export declare class Population {
  /** Element id, name people see, place in `world.populations`. */
  readonly id: string
  readonly name: string
  readonly index: number
  readonly kind: Kind
  /** handle of the living individual in a slot, or -1. */
  handles: Float64Array
  /** Unique natural number of the individual in a slot, counting births from 1. */
  ids: Float64Array
  /** Slots of the living in birth order, `livingCount` entries; the dead are dropped by `settle`, so check `handles[i] >= 0`. */
  living: Int32Array
  livingCount: number
  /** Slots in activation order, `activation` prepares it. */
  order: Int32Array
  /** Living individuals. */
  count: number
  /** Slots in use are below `top`. */
  top: number
  capacity: number
  /** Most individuals at once; one more is 10056. Infinity = as many as handles allow (2^24). */
  maximum: number
  readonly columns: ReadonlyMap<string, Column>
  /** Properties by name (filled by the compiler), for `world.get` and `world.set`. */
  readonly properties: Map<string, Property>
  /** Adds a column, before anyone is born. Throws RangeError when the name is taken. */
  numbers(name: string, initial?: number): Extract<Column, { type: 'number' | 'entity' }>
  entities(name: string): Extract<Column, { type: 'number' | 'entity' }>
  integers(name: string, initial?: number): Extract<Column, { type: 'integer' }>
  flags(name: string, initial?: boolean): Extract<Column, { type: 'flag' }>
  anything(name: string, initial?: unknown): Extract<Column, { type: 'any' }>
  /** Called whenever arrays were replaced (growth, restore); generated code re-reads them then. Called once at registration. */
  onRebind(rebind: () => void): void
  /** Makes room for `n` slots at once: one rebind instead of many. */
  reserve(n: number): void
  /** A new individual with every column at its initial value; returns its slot (`handles[slot]` is its handle). 10056 when full. */
  create(): number
  /** Ends a life; false when it had ended before. Its slot is reused after `settle`. Use `world.die`, which also tells the rest of the world. */
  kill(handle: number): boolean
  isAlive(handle: number): boolean
  /** The slot of a living individual; RunError 10014 for -1, 10053 for the dead. */
  slotOf(handle: number, from?: number, to?: number): number
  /**
   * The start of an instant's activations: everybody born so far may act from now on. Call once per tick, before the
   * first activation of any population, and never while a loop over `living` or `order` is running.
   */
  settle(): void
  /**
   * Prepares `order` and returns how many entries to visit: those who were there at the last `settle`. Skip slots with
   * `handles[i] < 0`. Shuffled orders are kept between calls and shuffled again (Fisher-Yates, from the end).
   */
  inOrder(): number
  shuffled(stream: Stream): number
  /** `keys` is indexed by slot: lowest first, ties in birth order. */
  byKey(keys: Float64Array): number
  /** Handles of the living in birth order, freshly allocated. */
  individuals(): number[]
  save(): State
  load(state: State): void
}
