// Individuals of one population as a struct of arrays: slot i of every column belongs to one individual. A handle is
// slot + generation * 2^24; `handles[slot]` is the handle of the living individual there, or -1, so that
// `handles[h & 0xffffff] === h` says that h lives. The dead stay listed in `living` and `order` until `settle` drops them,
// and their slots are reused, last freed first, only after that: loops over the lists never meet a stranger.
import { EngineFault } from '../kernel/fault.ts'
import {
  intsOf,
  numberOf,
  recordOf,
  type State,
  type ValueReader,
  type ValueWriter,
  bytesOf,
  floatsOf,
  listOf,
} from '../kernel/snapshot.ts'
import { uniform } from '../kernel/random.ts'
import type { Stream } from '../kernel/random.ts'
import { RunError } from '../problems.ts'
import { WordTable } from './word-table.ts'

/** One column. `data` is replaced when the population grows or is restored: hold on to the Column, or rebind. */
export type NumberColumn = { readonly name: string; readonly type: 'number' | 'entity'; data: Float64Array<ArrayBuffer>; initial: number }
export type IntegerColumn = { readonly name: string; readonly type: 'integer'; data: Int32Array<ArrayBuffer>; initial: number }
type FlagColumn = { readonly name: string; readonly type: 'flag' | 'word'; data: Uint8Array<ArrayBuffer>; initial: number }
export type AnyColumn = { readonly name: string; readonly type: 'any'; data: unknown[]; initial: unknown }
export type Column = NumberColumn | IntegerColumn | FlagColumn | AnyColumn

export type PopulationKind = 'agent' | 'cell' | 'link'

/** A property by name, for values of a population that is unknown at compile time (Refs). */
/** One property of all individuals, by handle. Only its owner sets what `isPrivate`. */
export type Property = { read(handle: number): unknown; write?(handle: number, value: unknown): void; isPrivate?: boolean }

/** What a population keeps to itself, for rows that run on copies of it. */
type PopulationBooks = { generations: Int32Array; freed: Int32Array; freedCount: number; births: number; settled: number }

/** As many slots as a handle has room for. */
const maxSlots = 16777216

export class Population {
  /** Element id, name people see, place in `world.populations`. */
  readonly id: string
  readonly name: string
  readonly index: number
  readonly kind: PopulationKind
  /** Handle of the living individual in a slot, or -1. */
  handles = new Float64Array(0)
  /** Unique natural number of the individual in a slot, counting births from 1. */
  ids = new Float64Array(0)
  /** Slots in birth order, `livingCount` entries; the dead are dropped by `settle`, so check `handles[i] >= 0`. */
  living = new Int32Array(0)
  livingCount = 0
  /** Slots in activation order; `inOrder`, `shuffled` or `byKey` prepares it. */
  order = new Int32Array(0)
  /** For runtime/populations.ts, which counts there how many of those in `living` live while some are dead; no part of the state. */
  ranks = new Int32Array(1)
  /** Living individuals. */
  count = 0
  /** Slots ever used are below `top`. */
  top = 0
  capacity = 0
  /** Most individuals at once; one more is 10056. */
  maximum = Infinity
  /** Nothing but a place hangs on its individuals: no tokens, mail, links, containers. */
  isBare = false
  /** What codes in columns of words mean. */
  readonly words: WordTable
  readonly columns = new Map<string, Column>()
  /** Properties by name (filled by the compiler), for `world.get` and `world.set`. */
  readonly properties = new Map<string, Property>()

  // The members below are public for run/fast/ only, where individuals are born and die, too. The first two are empty until
  // the first death.
  generations = new Int32Array(0)
  freed = new Int32Array(0)
  freedCount = 0
  births = 0
  /** Entries of `living` that were there at the last `settle`; they are the ones in `order`: visit those in birth order, and skip `handles[i] < 0`. */
  settled = 0
  // The living as they were listed last, after so many births.
  #listed: readonly number[] = []
  #listedAt = 0
  readonly #numbers: NumberColumn[] = []
  readonly #integers: IntegerColumn[] = []
  readonly #flags: FlagColumn[] = []
  readonly #anything: AnyColumn[] = []
  readonly #rebinds: (() => void)[] = []
  // The arrays of the columns above and their first values, side by side: a birth writes to all of them.
  #numberArrays: Float64Array[] = []
  #integerArrays: Int32Array[] = []
  #flagArrays: Uint8Array[] = []
  #firstNumbers = new Float64Array(0)
  #firstIntegers = new Int32Array(0)
  #firstFlags = new Uint8Array(0)

  constructor(id: string, name: string, index: number, kind: PopulationKind, words = new WordTable()) {
    this.words = words
    this.id = id
    this.name = name
    this.index = index
    this.kind = kind
  }

  numbers(name: string, initial = 0): NumberColumn {
    return this.#addNumbers(name, 'number', initial)
  }

  entities(name: string): NumberColumn {
    return this.#addNumbers(name, 'entity', -1)
  }

  integers(name: string, initial = 0): IntegerColumn {
    const column: IntegerColumn = { name, type: 'integer', data: new Int32Array(this.capacity).fill(initial), initial }
    this.#register(column)
    this.#integers.push(column)
    this.#listArrays()
    return column
  }

  flags(name: string, initial = false): FlagColumn {
    return this.#addFlags(name, 'flag', initial ? 1 : 0)
  }

  /** Texts as codes, None at first. */
  coded(name: string): FlagColumn {
    return this.#addFlags(name, 'word', 0)
  }

  anything(name: string, initial: unknown = null): AnyColumn {
    const column: AnyColumn = { name, type: 'any', data: Array.from({ length: this.capacity }, () => initial), initial }
    this.#register(column)
    this.#anything.push(column)
    return column
  }

  /** Called whenever arrays were replaced (growth, restore), in the order of registration, and once now: generated code re-reads them. */
  onRebind(rebind: () => void): void {
    this.#rebinds.push(rebind)
    rebind()
  }

  /** For parts that keep arrays of their own in parallel to the columns. */
  rebind(): void {
    this.#listArrays()
    for (const rebind of this.#rebinds) rebind()
  }

  /** Makes room for `n` more individuals at once: one rebind instead of many. */
  reserve(n: number): void {
    const needed = this.top + n - this.freedCount
    if (needed > this.capacity) this.#grow(Math.min(maxSlots, needed))
  }

  /** Makes room for as many again. */
  widen(): void {
    this.#grow(Math.min(maxSlots, Math.max(16, this.capacity * 2)))
  }

  /** A new individual with every column at its initial value; returns its slot (`handles[slot]` is its handle). 10056 when full. */
  create(): number {
    if (this.count >= this.maximum || this.count >= maxSlots) throw new RunError(10056)
    if (this.freedCount === 0 && this.top === this.capacity) this.widen()
    if (this.freedCount === 0 && this.top === maxSlots) throw new RunError(10056)
    const slot = this.freedCount > 0 ? this.freed[--this.freedCount]! : this.top++
    this.handles[slot] = this.generations.length === 0 ? slot : slot + this.generations[slot]! * 16777216
    this.ids[slot] = ++this.births
    this.living[this.livingCount++] = slot
    this.count++
    const numbers = this.#numberArrays
    for (let k = 0; k < numbers.length; k++) numbers[k]![slot] = this.#firstNumbers[k]!
    const integers = this.#integerArrays
    for (let k = 0; k < integers.length; k++) integers[k]![slot] = this.#firstIntegers[k]!
    const flags = this.#flagArrays
    for (let k = 0; k < flags.length; k++) flags[k]![slot] = this.#firstFlags[k]!
    for (let k = 0; k < this.#anything.length; k++) this.#anything[k]!.data[slot] = this.#anything[k]!.initial
    return slot
  }

  /** The first `n` individuals at once, in slots 0 to n - 1. Room that was made holds initial values already. */
  fill(n: number): void {
    if (this.top > 0) throw new EngineFault('population: not the first')
    if (n > this.maximum || n > maxSlots) throw new RunError(10056)
    this.reserve(n)
    const { handles, ids, living } = this
    for (let slot = 0; slot < n; slot++) {
      handles[slot] = slot
      ids[slot] = slot + 1
      living[slot] = slot
    }
    this.top = this.count = this.livingCount = this.births = n
  }

  /** Ends a life; false when it had ended before. Use `world.die`, which also notifies the rest of the world. */
  kill(handle: number): boolean {
    if (!this.isAlive(handle)) return false
    const slot = handle & 0xffffff
    this.handles[slot] = -1
    if (this.generations.length === 0) this.expectDeaths()
    this.generations[slot]!++
    for (let k = 0; k < this.#anything.length; k++) this.#anything[k]!.data[slot] = this.#anything[k]!.initial
    this.count--
    return true
  }

  isAlive(handle: number): boolean {
    return handle >= 0 && this.handles[handle & 0xffffff] === handle
  }

  /** The slot of a living individual; RunError 10014 for -1 (None), 10053 for the dead. */
  slotOf(handle: number, from?: number, to?: number): number {
    const slot = handle & 0xffffff
    if (handle >= 0 && this.handles[slot] === handle) return slot
    throw new RunError(handle < 0 ? 10014 : 10053, [], from, to)
  }

  /**
   * The start of an instant's activations: everybody born so far may act from now on. Call once per instant, before the
   * first activation of any population, and never while a loop over `living` or `order` is running. Amortised O(1) per
   * birth and death: the dead are only dropped once they make up an eighth.
   */
  settle(): void {
    const fresh = this.livingCount - this.settled
    if (fresh > 0) this.order.set(this.living.subarray(this.settled, this.livingCount), this.settled)
    this.settled = this.livingCount
    const dead = this.livingCount - this.count
    if (dead > 0 && dead * 8 >= this.livingCount) this.#compact()
  }

  /** Whether `settle` would change nothing. */
  get isSettled(): boolean {
    const dead = this.livingCount - this.count
    return this.livingCount === this.settled && (dead === 0 || dead * 8 < this.livingCount)
  }

  /** Prepares `order` in birth order and returns the same. */
  inOrder(): number {
    this.order.set(this.living.subarray(0, this.settled))
    return this.settled
  }

  /** The same in `order`, shuffled: the order of the last time is shuffled again (Fisher-Yates from the end, one draw a swap). */
  shuffled(stream: Stream): number {
    const order = this.order
    for (let i = this.settled - 1; i > 0; i--) {
      // floor(uniform * (i + 1)): i + 1 <= 2^24, so the bias is below 2^-8 of a part in 2^24.
      const j = (uniform(stream) * (i + 1)) | 0
      const slot = order[i]!
      order[i] = order[j]!
      order[j] = slot
    }
    return this.settled
  }

  /** The same, lowest key first, ties in birth order. `keys` is indexed by slot. */
  byKey(keys: Float64Array): number {
    const n = this.inOrder()
    this.order.subarray(0, n).sort((a, b) => keys[a]! - keys[b]! || 0)
    return n
  }

  /** Handles of the living in birth order, freshly allocated. */
  individuals(): number[] {
    const result: number[] = []
    for (let k = 0; k < this.livingCount; k++) {
      const handle = this.handles[this.living[k]!]!
      if (handle >= 0) result.push(handle)
    }
    return result
  }

  /** The same, to be read only: one array until the next birth or death, then another one. */
  listed(): readonly number[] {
    // With the same numbers of births and of living individuals the list is unchanged.
    if (this.#listedAt !== this.births || this.#listed.length !== this.count) {
      this.#listed = this.individuals()
      this.#listedAt = this.births
    }
    return this.#listed
  }

  /** `mayDie`: also what the first death would make. Arrays are the population's own until it grows. */
  lend(mayDie: boolean): PopulationBooks {
    if (mayDie && this.generations.length < this.capacity) this.expectDeaths()
    return {
      generations: this.generations,
      freed: this.freed,
      freedCount: this.freedCount,
      births: this.births,
      settled: this.settled,
    }
  }

  take({ freedCount, births, settled }: PopulationBooks): void {
    this.freedCount = freedCount
    this.births = births
    this.settled = settled
  }

  save(values: ValueWriter): State {
    const columns: Record<string, State> = {}
    for (const [name, column] of this.columns) {
      columns[name] =
        column.type === 'any'
          ? column.data.slice(0, this.top).map(value => values.write(value))
          : column.type === 'word'
            ? this.#textsOf(column.data)
            : column.data.slice(0, this.top)
    }
    return {
      count: this.count,
      births: this.births,
      settled: this.settled,
      maximum: this.maximum,
      handles: this.handles.slice(0, this.top),
      ids: this.ids.slice(0, this.top),
      living: this.living.slice(0, this.livingCount),
      order: this.order.slice(0, this.settled),
      generations: intsOf(this.generations.slice(0, this.top), this.top),
      freed: this.freed.slice(0, this.freedCount),
      columns,
    }
  }

  load(state: State, values: ValueReader): void {
    const saved = recordOf(state)
    const handles = floatsOf(saved['handles'])
    this.top = handles.length
    this.capacity = Math.max(16, this.top)
    this.count = numberOf(saved['count'])
    this.births = numberOf(saved['births'])
    this.settled = numberOf(saved['settled'])
    this.#listedAt = -1
    this.maximum = numberOf(saved['maximum'])
    this.handles = floatsOf(handles, this.capacity, -1)
    this.ids = floatsOf(saved['ids'], this.capacity)
    this.livingCount = intsOf(saved['living']).length
    this.living = intsOf(saved['living'], this.capacity)
    this.order = intsOf(saved['order'], this.capacity)
    this.ranks = ranksFor(this.capacity)
    const generations = intsOf(saved['generations'])
    const hasDied = generations.some(generation => generation > 0)
    this.generations = hasDied ? intsOf(generations, this.capacity) : new Int32Array(0)
    this.freedCount = intsOf(saved['freed']).length
    this.freed = hasDied ? intsOf(saved['freed'], this.capacity) : new Int32Array(0)
    const columns = recordOf(saved['columns'] ?? null)
    for (const column of this.columns.values()) {
      const data = columns[column.name]
      if (column.type === 'integer') column.data = intsOf(data, this.capacity, column.initial)
      else if (column.type === 'flag') column.data = bytesOf(data, this.capacity)
      else if (column.type === 'word') {
        column.data = new Uint8Array(this.capacity)
        column.data.set(listOf(data ?? null).map(text => this.words.codeOf(text)))
      } else if (column.type === 'any') column.data = listOf(data ?? null).map(value => values.read(value))
      else column.data = floatsOf(data, this.capacity, column.initial)
      if (column.type === 'any') while (column.data.length < this.capacity) column.data.push(column.initial)
    }
    this.rebind()
  }

  /** The texts of a column of words, as a snapshot keeps them: the dead have none. */
  #textsOf(codes: Uint8Array): (string | null)[] {
    const { words, handles, top } = this
    return Array.from({ length: top }, (_, slot) => (handles[slot]! < 0 ? null : words.texts[codes[slot]!]!))
  }

  #addNumbers(name: string, type: 'number' | 'entity', initial: number): NumberColumn {
    const column: NumberColumn = { name, type, data: new Float64Array(this.capacity).fill(initial), initial }
    this.#register(column)
    this.#numbers.push(column)
    this.#listArrays()
    return column
  }

  #addFlags(name: string, type: 'flag' | 'word', initial: number): FlagColumn {
    const column: FlagColumn = { name, type, data: new Uint8Array(this.capacity).fill(initial), initial }
    this.#register(column)
    this.#flags.push(column)
    this.#listArrays()
    return column
  }

  #register(column: Column): void {
    if (this.columns.has(column.name)) throw new EngineFault(`population ${this.name}: column "${column.name}" exists already`)
    this.columns.set(column.name, column)
  }

  #listArrays(): void {
    this.#numberArrays = this.#numbers.map(column => column.data)
    this.#integerArrays = this.#integers.map(column => column.data)
    this.#flagArrays = this.#flags.map(column => column.data)
    this.#firstNumbers = Float64Array.from(this.#numbers, column => column.initial)
    this.#firstIntegers = Int32Array.from(this.#integers, column => column.initial)
    this.#firstFlags = Uint8Array.from(this.#flags, column => column.initial)
  }

  #compact(): void {
    const { living, handles } = this
    const freed = this.freed
    let kept = 0
    let freedCount = this.freedCount
    for (let k = 0; k < this.livingCount; k++) {
      const slot = living[k]!
      const isAlive = Number(handles[slot]! >= 0)
      living[kept] = slot
      freed[freedCount] = slot
      kept += isAlive
      freedCount += 1 - isAlive
    }
    this.freedCount = freedCount
    this.livingCount = kept
    this.settled = keep(this.order, this.settled, handles)
  }

  /** Makes what the first death would make. */
  expectDeaths(): void {
    this.generations = intsOf(this.generations, this.capacity)
    this.freed = intsOf(this.freed, this.capacity)
  }

  #grow(capacity: number): void {
    this.capacity = capacity
    this.handles = floatsOf(this.handles, capacity, -1)
    this.ids = floatsOf(this.ids, capacity)
    this.living = intsOf(this.living, capacity)
    this.order = intsOf(this.order, capacity)
    this.ranks = ranksFor(capacity)
    if (this.generations.length > 0) this.expectDeaths()
    for (const column of this.#numbers) column.data = floatsOf(column.data, capacity, column.initial)
    for (const column of this.#integers) column.data = intsOf(column.data, capacity, column.initial)
    for (const column of this.#flags) {
      const data = new Uint8Array(capacity).fill(column.initial)
      data.set(column.data)
      column.data = data
    }
    for (const column of this.#anything) while (column.data.length < capacity) column.data.push(column.initial)
    this.rebind()
  }
}

/** How many blocks of sixteen are counted, none yet, and room for each. */
const ranksFor = (capacity: number): Int32Array<ArrayBuffer> => new Int32Array(1 + (capacity >> 4))

/** Drops the dead from a list of slots; returns its new length. Not in `#compact`, as V8 optimises a loop before it knows the next. */
function keep(slots: Int32Array, length: number, handles: Float64Array): number {
  let kept = 0
  for (let k = 0; k < length; k++) {
    const slot = slots[k]!
    slots[kept] = slot
    kept += Number(handles[slot]! >= 0)
  }
  return kept
}
