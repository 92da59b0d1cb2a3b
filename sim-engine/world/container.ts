// A container: amounts (one, or by key) or items, consumable or reusable, with one queue of requests and its statistics.
// It only keeps the books; what may happen, and in which order, is decided in containers.ts.
import { floatsOf, listOf, numberOf, recordOf, type State, type ValueReader, type ValueWriter } from '../kernel/snapshot.ts'
import { RunError } from '../problems.ts'
import { Tally, TimeWeighted, type Clock } from './statistics.ts'

export type ContainerPlan = {
  id: string
  name: string
  contents: 'amount' | 'keyed' | 'items'
  /** Units are held and given back; otherwise taken and put. */
  reusable: boolean
  /** The level may fall below 0. Consumable amounts only. */
  negative: boolean
  order: 'fifo' | 'lifo' | 'priority'
  strict: boolean
  offShift: 'finish' | 'suspend'
}

/** hold: request units of a reusable container (of a consumable: take) · take, put: consumables. */
export type Want = {
  does: 'hold' | 'take' | 'put'
  container: Container
  amount: number
  /** Keyed containers; null otherwise. */
  key: string | null
  /** Items: put = what goes in; take or hold = exactly these. Then `amount` is their number. */
  items?: readonly unknown[]
}

/** A request that waits. Those met at once need none, and the objects are used again. */
export type Request = {
  /** Its place among all requests, and how often that was used before. `id` = slot + round * 2^24 while it waits. */
  readonly slot: number
  round: number
  id: number
  holder: number
  priority: number
  /** When it was made; with `sequence` what the queue is ordered by. */
  arrival: number
  sequence: number
  /** The usual case: some units of one reusable container. Otherwise null, and the wants are in `alternatives`. */
  container: Container | null
  k: number
  amount: number
  alternatives: readonly (readonly Want[])[]
  preempt: 'none' | 'resume' | 'restart'
  /** It asks for units that were taken away. */
  regains: boolean
  waiting: boolean
  nextOfHolder: Request | null
}

export class Container {
  readonly plan: ContainerPlan
  readonly index: number
  /** Reusable: units in use, by key. Consumable: what is there. */
  amounts: Float64Array<ArrayBuffer>
  capacities: Float64Array<ArrayBuffer>
  /** The highest capacity there was or, by schedule, will be; a request above it can never be met. */
  highest = 0
  /** Contents of an items container; those held are not among them. */
  stock: unknown[] = []
  /** Total level, units in use and length of the queue over time; waits of requests that were met (0 when at once). */
  readonly levels: TimeWeighted
  readonly uses: TimeWeighted
  readonly queues: TimeWeighted
  readonly capacitiesOverTime: TimeWeighted
  readonly waits = new Tally()
  /** How long units that were taken away were missing. */
  readonly interruptions = new Tally()
  served = 0
  gaveUp = 0
  preemptions = 0
  /** Units held and given back, not items; `isUnits`: of one kind, the usual case. */
  readonly isCounted: boolean
  readonly isUnits: boolean
  /** Waiting requests that could be met though nothing is left here: puts, and those with alternatives. */
  flexible = 0
  /** First held record of this container, -1 = none. */
  firstHold = -1
  isDirty = false
  readonly #clock: Clock
  readonly #keys: string[]
  readonly #keyIndex = new Map<string, number>()
  // Waiting requests in order, from `#first` up to `#end`; what lies outside is left over.
  readonly #queue: Request[] = []
  #first = 0
  #end = 0
  readonly #byPriority: boolean
  readonly #latestFirst: boolean

  constructor(
    plan: ContainerPlan,
    index: number,
    clock: Clock,
    keys: readonly string[],
    amounts: Float64Array<ArrayBuffer>,
    capacities: Float64Array<ArrayBuffer>,
  ) {
    this.plan = plan
    this.index = index
    this.isCounted = plan.reusable && plan.contents !== 'items'
    this.isUnits = this.isCounted && plan.contents === 'amount'
    this.#byPriority = plan.order === 'priority'
    this.#latestFirst = plan.order === 'lifo'
    this.#clock = clock
    this.#keys = [...keys]
    for (const [k, key] of keys.entries()) this.#keyIndex.set(key, k)
    this.amounts = amounts
    this.capacities = capacities
    this.levels = new TimeWeighted(clock, this.level())
    this.uses = new TimeWeighted(clock, this.inUse())
    this.queues = new TimeWeighted(clock, 0)
    this.capacitiesOverTime = new TimeWeighted(clock, this.capacity())
  }

  /** Consumable: what is in it. Reusable: free units, negative while the capacity is below what is in use. By key, or in total. */
  level(key: string | null = null): number {
    if (this.plan.contents === 'items') return this.plan.reusable ? this.capacity() - this.amounts[0]! : this.stock.length
    if (key !== null) return this.levelAt(this.keyOf(key))
    let total = 0
    for (let k = 0; k < this.amounts.length; k++) total += this.levelAt(k)
    return total
  }

  levelAt(k: number): number {
    return this.plan.reusable ? this.capacities[k]! - this.amounts[k]! : this.amounts[k]!
  }

  inUse(key: string | null = null): number {
    if (!this.plan.reusable) return 0
    if (key !== null) return this.amounts[this.keyOf(key)]!
    let total = 0
    for (const amount of this.amounts) total += amount
    return total
  }

  /** Infinity = unlimited. */
  capacity(key: string | null = null): number {
    if (key !== null) return this.capacities[this.keyOf(key)]!
    let total = 0
    for (const capacity of this.capacities) total += capacity
    return total
  }

  get queueLength(): number {
    return this.#end - this.#first
  }

  /** The request at a place in the queue, 0 = the first. */
  waitingAt(place: number): Request {
    return this.#queue[this.#first + place]!
  }

  /** The waiting requests in order. */
  waiting(): Request[] {
    return this.#queue.slice(this.#first, this.#end)
  }

  /** Mean share of the capacity in use until `time`; NaN when unlimited. */
  utilization(time: number): number {
    const capacity = this.capacitiesOverTime.integral(time)
    return capacity > 0 ? this.uses.integral(time) / capacity : this.inUse() / this.capacity()
  }

  /** The keys in insertion order; [''] of a container without keys. */
  keys(): readonly string[] {
    return this.#keys
  }

  items(): readonly unknown[] {
    return this.stock
  }

  has(key: string): boolean {
    return this.#keyIndex.has(key)
  }

  /** Position of a key; 10038 when there is none, or when a key is given for a container without keys. */
  keyOf(key: string | null): number {
    if (key === null && this.plan.contents !== 'keyed') return 0
    const k = key === null ? undefined : this.#keyIndex.get(key)
    if (k === undefined || this.plan.contents !== 'keyed') throw new RunError(10038)
    return k
  }

  addKey(key: string, capacity: number): number {
    const k = this.#keys.length
    this.#keys.push(key)
    this.#keyIndex.set(key, k)
    this.amounts = floatsOf(this.amounts, k + 1)
    this.capacities = floatsOf(this.capacities, k + 1)
    this.capacities[k] = capacity
    return k
  }

  /** Most units that can ever be there, of a key. */
  totalAt(k: number): number {
    return Math.max(this.capacities[k]!, this.highest)
  }

  /** Units were given to somebody who had not to wait. */
  recordAtOnce(): void {
    this.served++
    this.waits.add(0)
    this.record()
  }

  /** The books changed: carries it into the statistics. */
  record(): void {
    if (this.isUnits) {
      const used = this.amounts[0]!
      this.levels.set(this.capacities[0]! - used)
      this.uses.set(used)
      return
    }
    this.levels.set(this.level())
    if (this.plan.reusable) this.uses.set(this.inUse())
  }

  recordQueue(): void {
    this.queues.set(this.#end - this.#first)
  }

  /** A request that waited was met. */
  recordWait(request: Request): void {
    const waited = this.#clock.time - request.arrival
    if (request.regains) this.interruptions.add(waited)
    else {
      this.served++
      this.waits.add(waited)
    }
  }

  /** Where `request` stands or belongs in the queue, 0 = first. */
  place(request: Request): number {
    const queue = this.#queue
    let low = this.#first
    let high = this.#end
    if (low < high && queue[low] === request) return 0
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#before(queue[middle]!, request)) low = middle + 1
      else high = middle
    }
    return low - this.#first
  }

  insert(request: Request): void {
    const queue = this.#queue
    if (this.#end === queue.length && this.#first > 32) this.#moveDown()
    let at = this.#end++
    for (; at > this.#first && !this.#before(queue[at - 1]!, request); at--) queue[at] = queue[at - 1]!
    queue[at] = request
  }

  removeAt(place: number): void {
    const queue = this.#queue
    if (place > 0) {
      this.#end--
      for (let at = this.#first + place; at < this.#end; at++) queue[at] = queue[at + 1]!
    } else if (++this.#first === this.#end) {
      this.#first = 0
      this.#end = 0
    }
  }

  /** Nobody waits any more. */
  clearQueue(): void {
    this.#first = 0
    this.#end = 0
  }

  /** Uses the room before the queue again; a queue that fills most of its array grows instead. */
  #moveDown(): void {
    const queue = this.#queue
    const length = this.#end - this.#first
    if (length > this.#first) return
    for (let k = 0; k < length; k++) queue[k] = queue[this.#first + k]!
    this.#first = 0
    this.#end = length
  }

  /** True when `request` would stand before all that wait. */
  goesFirst(request: Request): boolean {
    if (this.#first === this.#end) return true
    const first = this.#queue[this.#first]!
    return first === request || this.#before(request, first)
  }

  #before(p: Request, q: Request): boolean {
    if (this.#byPriority && p.priority !== q.priority) return p.priority < q.priority
    return this.#latestFirst ? p.sequence > q.sequence : p.sequence < q.sequence
  }

  resetStatistics(): void {
    const { time } = this.#clock
    this.levels.reset(time)
    this.uses.reset(time)
    this.queues.reset(time)
    this.capacitiesOverTime.reset(time)
    this.waits.reset()
    this.interruptions.reset()
    this.served = 0
    this.gaveUp = 0
    this.preemptions = 0
  }

  save(values: ValueWriter): State {
    return {
      plan: this.plan.id,
      keys: [...this.#keys],
      amounts: this.amounts.slice(),
      capacities: this.capacities.slice(),
      highest: this.highest,
      stock: this.stock.map(item => values.write(item)),
      statistics: [this.levels, this.uses, this.queues, this.capacitiesOverTime, this.waits, this.interruptions].map(one => one.save()),
      counts: [this.served, this.gaveUp, this.preemptions],
      queue: this.waiting().map(request => request.id),
    }
  }

  /** Keys, amounts, items and statistics; the queue is restored by the owner of all requests. */
  load(state: State, values: ValueReader): void {
    const saved = recordOf(state)
    this.#keys.splice(0, Infinity, ...listOf(saved['keys'] ?? null).map(String))
    this.#keyIndex.clear()
    for (const [k, key] of this.#keys.entries()) this.#keyIndex.set(key, k)
    this.amounts = floatsOf(saved['amounts'])
    this.capacities = floatsOf(saved['capacities'])
    this.highest = numberOf(saved['highest'])
    this.stock = listOf(saved['stock'] ?? null).map(item => values.read(item))
    const statistics = listOf(saved['statistics'] ?? null)
    for (const [k, one] of [this.levels, this.uses, this.queues, this.capacitiesOverTime, this.waits, this.interruptions].entries())
      one.load(statistics[k] ?? null)
    const [served = 0, gaveUp = 0, preemptions = 0] = listOf(saved['counts'] ?? null).map(numberOf)
    this.served = served
    this.gaveUp = gaveUp
    this.preemptions = preemptions
  }
}

/** Capacity by time: rows of (from time, capacity), repeating every `period` (null = not). */
export class Schedule {
  readonly highest: number
  readonly #rows: readonly { time: number; capacity: number }[]
  readonly #period: number | null

  /** Throws RangeError for a period that is not above 0. Rows may come in any order. */
  constructor(rows: readonly { time: number; capacity: number }[], period: number | null) {
    if (period !== null && !(period > 0)) throw new RangeError(`schedule: ${period} is not a period`)
    this.#rows = [...rows].sort((p, q) => p.time - q.time)
    this.#period = period
    this.highest = Math.max(0, ...rows.map(row => row.capacity))
  }

  /** null before the first row of a schedule that does not repeat. */
  at(time: number): number | null {
    const within = this.#period === null ? time : time - Math.floor(time / this.#period) * this.#period
    let capacity = this.#period === null ? null : (this.#rows.at(-1)?.capacity ?? null)
    for (const row of this.#rows) if (row.time <= within) capacity = row.capacity
    return capacity
  }

  /** The next time > `time` at which a row begins; Infinity when none does. */
  after(time: number): number {
    if (this.#period === null) return this.#rows.find(row => row.time > time)?.time ?? Infinity
    for (let round = Math.floor(time / this.#period) * this.#period; round <= time + this.#period; round += this.#period) {
      for (const row of this.#rows) if (row.time < this.#period && round + row.time > time) return round + row.time
    }
    return Infinity
  }
}
