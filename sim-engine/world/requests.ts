// Requests by slot. What a usual one has - an amount of one container - are numbers in rows, which run/fast/fast-processes.ts reads and writes
// in place; the object of a slot is a view of its row and keeps what unusual ones have besides. Slots are used again: those met at once need
// none for long.
import { floatsOf, intsOf } from '../kernel/snapshot.ts'
import type { Container, Want } from './container.ts'

// A row of eight integers and one of four reals.
const holderAt = 0
/** Index of the container, -1 = see the alternatives. */
const containerAt = 1
const keyAt = 2
/** How often the slot was used before. */
const roundAt = 3
const waitingAt = 4
/** Next of the same holder (newest first), -1 = none. */
const nextOfHolderAt = 5
/** What is asked of the container. */
const doesAt = 6
/** The index of the wants of a request for units of several containers, 0 = in its own alternatives. */
const bundleAt = 7
const priorityAt = 0
const arrivalAt = 1
const sequenceAt = 2
const amountAt = 3

/** For run/fast/fast-processes.ts. Not the constants themselves: what a module exports is looked up each time. */
export const requestAt = {
  holder: holderAt,
  container: containerAt,
  key: keyAt,
  round: roundAt,
  waiting: waitingAt,
  nextOfHolder: nextOfHolderAt,
  does: doesAt,
  priority: priorityAt,
  arrival: arrivalAt,
  sequence: sequenceAt,
  amount: amountAt,
} as const

// What a request of one container does.
const holds = 0
const regains = 1
const takes = 2
export const puts = 3
// It takes units from others, which continue their work where it was, or start it again.
const holdsToResume = 4
const holdsToRestart = 5

export const none: readonly (readonly Want[])[] = []

export class Requests {
  ints = new Int32Array(64 * 8)
  reals = new Float64Array(64 * 4)
  /** Slots that are free, and the first waiting request of each holder, -1 = none. */
  free = new Int32Array(64)
  freeCount = 0
  ofHolder = new Int32Array(64).fill(-1)
  /** All are below this slot. */
  top = 0
  /** Wants for units of several containers, or of one of them, as steps of the program request them, by number. */
  readonly bundles = new Map<number, readonly (readonly Want[])[]>()
  // Views, made when first asked for.
  readonly #views: Request[] = []
  readonly containers: readonly (Container | null)[]

  constructor(containers: readonly (Container | null)[]) {
    this.containers = containers
  }

  /** One of a free slot. */
  take(holder: number, priority: number, arrival: number, sequence: number): Request {
    const request = this.at(this.freeCount > 0 ? this.free[--this.freeCount]! : this.#add(0))
    request.holder = holder
    request.priority = priority
    request.arrival = arrival
    request.sequence = sequence
    return request
  }

  /** A request that was met at once, or refused, or waits no longer. */
  discard(request: Request): void {
    const { slot } = request
    this.ints[slot * 8 + containerAt] = -1
    this.ints[slot * 8 + doesAt] = holds
    if (request.alternatives !== none) request.alternatives = none
    this.free[this.freeCount++] = slot
  }

  at(slot: number): Request {
    return (this.#views[slot] ??= new Request(this, slot))
  }

  /** Those that wait, by slot. */
  waiting(): Request[] {
    return Array.from({ length: this.top }, (_, slot) => this.at(slot)).filter(request => request.waiting)
  }

  /** How often each slot was used before. */
  rounds(): Int32Array<ArrayBuffer> {
    return Int32Array.from({ length: this.top }, (_, slot) => this.ints[slot * 8 + roundAt]!)
  }

  /** A slot that was used `round` times. */
  #add(round: number): number {
    const slot = this.top++
    if (slot === this.free.length) {
      const room = slot * 2
      this.ints = intsOf(this.ints, room * 8)
      this.reals = floatsOf(this.reals, room * 4)
      this.free = intsOf(this.free, room)
    }
    const at = slot * 8
    this.ints[at + containerAt] = -1
    this.ints[at + roundAt] = round
    return slot
  }

  /** Has room for so many holders. */
  reserve(holders: number): void {
    if (holders > this.ofHolder.length) this.ofHolder = intsOf(this.ofHolder, holders, -1)
  }

  /** It waits from now on: the newest of its holder. */
  enlist(request: Request): void {
    const { slot, holder } = request
    if (holder >= this.ofHolder.length) this.reserve(Math.max(holder + 1, holder * 2))
    this.ints[slot * 8 + waitingAt] = 1
    this.ints[slot * 8 + nextOfHolderAt] = this.ofHolder[holder]!
    this.ofHolder[holder] = slot
  }

  /** It waits no longer: its number ends, the slot is free. */
  forget(request: Request): void {
    const { ints } = this
    const { slot, holder } = request
    const next = ints[slot * 8 + nextOfHolderAt]!
    if (this.ofHolder[holder] === slot) this.ofHolder[holder] = next
    else {
      let before = this.ofHolder[holder]!
      while (before >= 0 && ints[before * 8 + nextOfHolderAt] !== slot) before = ints[before * 8 + nextOfHolderAt]!
      ints[before * 8 + nextOfHolderAt] = next
    }
    ints[slot * 8 + roundAt]!++
    ints[slot * 8 + waitingAt] = 0
    this.discard(request)
  }

  firstOf(holder: number): Request | null {
    const slot = holder < this.ofHolder.length ? this.ofHolder[holder]! : -1
    return slot < 0 ? null : this.at(slot)
  }

  find(id: number): Request | null {
    const request = id < 0 || (id & 0xffffff) >= this.top ? null : this.at(id & 0xffffff)
    return request?.id === id ? request : null
  }

  /** None waits, and slots have been used as often as that. */
  clear(rounds: Int32Array, free: Int32Array): void {
    this.top = 0
    this.ofHolder.fill(-1)
    this.ints.fill(0)
    this.#views.length = 0
    for (const round of rounds) this.#add(round)
    this.free.set(free)
    this.freeCount = free.length
  }
}

export class Request {
  readonly slot: number
  readonly #rows: Requests
  #alternatives: readonly (readonly Want[])[] = none

  constructor(rows: Requests, slot: number) {
    this.#rows = rows
    this.slot = slot
  }

  get alternatives(): readonly (readonly Want[])[] {
    const bundle = this.bundle
    if (bundle !== 0) return this.#rows.bundles.get(bundle)!
    const does = this.#int(doesAt)
    if (does === holds || does === regains || this.container === null) return this.#alternatives
    const name = does === puts ? 'put' : does === takes ? 'take' : 'hold'
    return [[{ does: name, container: this.container, amount: this.amount, key: null }]]
  }

  set alternatives(alternatives: readonly (readonly Want[])[]) {
    this.#alternatives = alternatives
    this.bundle = 0
  }

  get bundle(): number {
    return this.#int(bundleAt)
  }

  set bundle(bundle: number) {
    this.#rows.ints[this.slot * 8 + bundleAt] = bundle
  }

  #int(at: number): number {
    return this.#rows.ints[this.slot * 8 + at]!
  }

  #real(at: number): number {
    return this.#rows.reals[this.slot * 4 + at]!
  }

  /** Slot + round * 2^24 while it waits, else -1. */
  get id(): number {
    return this.waiting ? this.slot + this.round * 16777216 : -1
  }

  get holder(): number {
    return this.#int(holderAt)
  }

  set holder(holder: number) {
    this.#rows.ints[this.slot * 8 + holderAt] = holder
  }

  /** The usual case: some units of one reusable container, or an amount of goods. Otherwise null, and the wants are in `alternatives`. */
  get container(): Container | null {
    const index = this.#int(containerAt)
    return index < 0 ? null : this.#rows.containers[index]!
  }

  /** An amount of one container: units, or goods where it says what happens to them. */
  asks(container: Container | null, k: number, amount: number, goods?: 'take' | 'put'): void {
    const { ints, reals } = this.#rows
    if (goods) ints[this.slot * 8 + doesAt] = goods === 'put' ? puts : takes
    ints[this.slot * 8 + containerAt] = container ? container.index : -1
    ints[this.slot * 8 + keyAt] = k
    reals[this.slot * 4 + amountAt] = amount
  }

  get k(): number {
    return this.#int(keyAt)
  }

  get amount(): number {
    return this.#real(amountAt)
  }

  get round(): number {
    return this.#int(roundAt)
  }

  get waiting(): boolean {
    return this.#int(waitingAt) === 1
  }

  /** It asks for units that were taken away. */
  get regains(): boolean {
    return this.#int(doesAt) === regains
  }

  set regains(isSo: boolean) {
    this.#rows.ints[this.slot * 8 + doesAt] = isSo ? regains : holds
  }

  /** Whether it may take units from holders of lower priority, and how these continue. */
  get preempt(): 'none' | 'resume' | 'restart' {
    const does = this.#int(doesAt)
    return does === holdsToResume ? 'resume' : does === holdsToRestart ? 'restart' : 'none'
  }

  set preempt(how: 'none' | 'resume' | 'restart') {
    this.#rows.ints[this.slot * 8 + doesAt] = how === 'resume' ? holdsToResume : how === 'restart' ? holdsToRestart : holds
  }

  /** Whether its wants say more than that it is for units of one container. */
  get isDescribed(): boolean {
    return this.#int(doesAt) >= takes
  }

  /** It takes goods from one container, or puts some in. */
  get movesGoods(): boolean {
    const does = this.#int(doesAt)
    return does === takes || does === puts
  }

  /** It puts goods into one container. */
  get puts(): boolean {
    return this.#int(doesAt) === puts
  }

  get priority(): number {
    return this.#real(priorityAt)
  }

  set priority(priority: number) {
    this.#rows.reals[this.slot * 4 + priorityAt] = priority
  }

  /** When it was made; with `sequence` what the queue is ordered by. */
  get arrival(): number {
    return this.#real(arrivalAt)
  }

  set arrival(arrival: number) {
    this.#rows.reals[this.slot * 4 + arrivalAt] = arrival
  }

  get sequence(): number {
    return this.#real(sequenceAt)
  }

  set sequence(sequence: number) {
    this.#rows.reals[this.slot * 4 + sequenceAt] = sequence
  }
}
