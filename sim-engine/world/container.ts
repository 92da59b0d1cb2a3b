// A container: amounts (one, or by key) or items, consumable or reusable, with one queue of requests and its statistics.
// It only keeps the books; what may happen, and in which order, is decided in containers.ts.
import { EngineFault } from '../kernel/fault.ts'
import { floatsOf, intsOf, listOf, numberOf, recordOf, type State, type ValueReader, type ValueWriter } from '../kernel/snapshot.ts'
import { RunError } from '../problems.ts'
import { puts, requestAt, type Request, type Requests } from './requests.ts'
import { statisticSize, Tally, TimeWeighted, type Clock } from './statistics.ts'

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

// Statistics and counts of a container are one array, its marks another: run/fast/fast-processes.ts updates them in place.
const usesAt = statisticSize
const queuesAt = 2 * statisticSize
const capacitiesAt = 3 * statisticSize
const waitsAt = 4 * statisticSize
const interruptionsAt = 5 * statisticSize
const servedAt = 6 * statisticSize
const gaveUpAt = servedAt + 1
const preemptionsAt = servedAt + 2
/** Where there is an amount of one kind: of units those in use, of goods what is there; and the capacity. */
const amountAt = servedAt + 3
const capacityAt = servedAt + 4
/** No less than these is waited for: to take or hold, and to put. */
const leastTakenAt = servedAt + 5
const leastPutAt = servedAt + 6
const bookSize = servedAt + 7

const { priority: priorityAt, sequence: sequenceAt, amount: requestedAt, container: requestedOfAt, does: doesAt } = requestAt

/** First held record; where the queue begins and ends; of those in it, see `flexible` and `odd`. */
const firstHoldAt = 0
const firstAt = 1
const endAt = 2
const flexibleAt = 3
const oddAt = 4

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
  readonly waits: Tally
  /** How long units that were taken away were missing. */
  readonly interruptions: Tally
  // The members below are public for run/fast/ only.
  book: Float64Array<ArrayBuffer> = new Float64Array(bookSize)
  marks: Int32Array<ArrayBuffer> = Int32Array.of(-1, 0, 0, 0, 0)
  /** Slots of waiting requests in order, between two of the marks; what is outside is left over. */
  queue = new Int32Array(64)
  readonly byPriority: boolean
  readonly latestFirst: boolean
  /** Units held and given back, not items; `isUnits`: of one kind, the usual case. */
  readonly isCounted: boolean
  readonly isUnits: boolean
  /** Whether its only amount and capacity are in its book. */
  readonly #isPlain: boolean
  isDirty = false
  readonly #clock: Clock
  readonly #keys: string[]
  readonly #keyIndex = new Map<string, number>()
  readonly #requests: Requests

  constructor(
    plan: ContainerPlan,
    index: number,
    clock: Clock,
    requests: Requests,
    keys: readonly string[],
    amounts: Float64Array<ArrayBuffer>,
    capacities: Float64Array<ArrayBuffer>,
  ) {
    this.plan = plan
    this.index = index
    this.isCounted = plan.reusable && plan.contents !== 'items'
    this.isUnits = this.isCounted && plan.contents === 'amount'
    this.#isPlain = plan.contents === 'amount'
    this.byPriority = plan.order === 'priority'
    this.latestFirst = plan.order === 'lifo'
    this.#clock = clock
    this.#requests = requests
    this.#keys = [...keys]
    for (const [k, key] of keys.entries()) this.#keyIndex.set(key, k)
    const { book } = this
    this.amounts = this.#isPlain ? book.subarray(amountAt, amountAt + 1) : amounts
    this.capacities = this.#isPlain ? book.subarray(capacityAt, capacityAt + 1) : capacities
    if (this.#isPlain) {
      this.amounts.set(amounts)
      this.capacities.set(capacities)
    }
    const rowAt = (at: number) => book.subarray(at, at + statisticSize)
    this.levels = new TimeWeighted(clock, this.level(), rowAt(0))
    this.uses = new TimeWeighted(clock, this.inUse(), rowAt(usesAt))
    this.queues = new TimeWeighted(clock, 0, rowAt(queuesAt))
    this.capacitiesOverTime = new TimeWeighted(clock, this.capacity(), rowAt(capacitiesAt))
    book.fill(Infinity, leastTakenAt, leastPutAt + 1)
    this.waits = new Tally(rowAt(waitsAt))
    this.interruptions = new Tally(rowAt(interruptionsAt))
  }

  /** Moves books and marks to other arrays, with their contents. */
  moveTo(book: Float64Array<ArrayBuffer>, marks: Int32Array<ArrayBuffer>): void {
    book.set(this.book)
    marks.set(this.marks)
    this.book = book
    this.marks = marks
    if (this.#isPlain) {
      this.amounts = book.subarray(amountAt, amountAt + 1)
      this.capacities = book.subarray(capacityAt, capacityAt + 1)
    }
    const rows = [this.levels, this.uses, this.queues, this.capacitiesOverTime, this.waits, this.interruptions]
    for (const [k, row] of rows.entries()) row.moveTo(book.subarray(k * statisticSize, (k + 1) * statisticSize))
  }

  get served(): number {
    return this.book[servedAt]!
  }

  get gaveUp(): number {
    return this.book[gaveUpAt]!
  }

  get preemptions(): number {
    return this.book[preemptionsAt]!
  }

  /** A waiting request was withdrawn. */
  countGivenUp(): void {
    this.book[gaveUpAt]!++
  }

  /** Units were taken away from a holder. */
  countPreemption(): void {
    this.book[preemptionsAt]!++
  }

  /** First held record of this container, -1 = none. */
  get firstHold(): number {
    return this.marks[firstHoldAt]!
  }

  set firstHold(hold: number) {
    this.marks[firstHoldAt] = hold
  }

  /** Waiting requests that could be met though nothing is left here: puts, and those of several containers. */
  get flexible(): number {
    return this.marks[flexibleAt]!
  }

  set flexible(count: number) {
    this.marks[flexibleAt] = count
  }

  /** Waiting requests that run/fast/fast-processes.ts does not meet unless they are first, and all is in use. */
  get odd(): number {
    return this.marks[oddAt]!
  }

  set odd(count: number) {
    this.marks[oddAt] = count
  }

  get #first(): number {
    return this.marks[firstAt]!
  }

  get #end(): number {
    return this.marks[endAt]!
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
    return this.#requests.at(this.queue[this.#first + place]!)
  }

  /** The waiting requests in order. */
  waiting(): Request[] {
    return Array.from(this.queue.subarray(this.#first, this.#end), slot => this.#requests.at(slot))
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

  /** Units were given to an owner that did not have to wait. */
  recordAtOnce(): void {
    this.book[servedAt]!++
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
      this.book[servedAt]!++
      this.waits.add(waited)
    }
  }

  /** The index of `request` in the queue, or where it would be inserted; 0 = first. */
  place({ slot }: Request): number {
    const { queue } = this
    let low = this.#first
    let high = this.#end
    if (low < high && queue[low] === slot) return 0
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#before(queue[middle]!, slot)) low = middle + 1
      else high = middle
    }
    return low - this.#first
  }

  insert(request: Request): void {
    const { slot } = request
    const { book } = this
    const least = request.puts ? leastPutAt : leastTakenAt
    if (request.container === null) book.fill(-Infinity, leastTakenAt, leastPutAt + 1)
    else book[least] = Math.min(book[least]!, request.amount)
    if (this.#end === this.queue.length) this.#makeRoom()
    const { queue } = this
    let at = this.marks[endAt]!++
    for (; at > this.#first && !this.#before(queue[at - 1]!, slot); at--) queue[at] = queue[at - 1]!
    queue[at] = slot
  }

  removeAt(place: number): void {
    const { queue, marks } = this
    if (place > 0) {
      const at = this.#first + place
      queue.copyWithin(at, at + 1, marks[endAt]!--)
    } else if (++marks[firstAt]! === marks[endAt]) this.clearQueue()
  }

  /** Empties the queue. */
  clearQueue(): void {
    this.marks[firstAt] = 0
    this.marks[endAt] = 0
    this.book.fill(Infinity, leastTakenAt, leastPutAt + 1)
  }

  /** The place of the next that is to be tried, from one on: those that want more than there is of a single amount are passed over. */
  nextServed(passed: number): number {
    const { book, queue } = this
    const { ints, reals } = this.#requests
    const [first, end] = [this.#first, this.#end]
    const amount = this.amounts[0]!
    const capacity = this.capacities[0]!
    const there = this.plan.reusable ? capacity - amount : amount
    if (!(book[leastTakenAt]! <= there || amount + book[leastPutAt]! <= capacity)) return end - first
    let [leastTaken, leastPut] = [Infinity, Infinity]
    for (let at = first + passed; at < end; at++) {
      const slot = queue[at]!
      if (ints[slot * 8 + requestedOfAt]! < 0) return at - first
      const asked = reals[slot * 4 + requestedAt]!
      if (ints[slot * 8 + doesAt] === puts) {
        if (amount + asked <= capacity) return at - first
        if (asked < leastPut) leastPut = asked
      } else {
        if (asked <= there) return at - first
        if (asked < leastTaken) leastTaken = asked
      }
    }
    if (passed === 0) {
      book[leastTakenAt] = leastTaken
      book[leastPutAt] = leastPut
    }
    return end - first
  }

  /** Uses the room before the queue again; a queue that fills most of its array gets a larger one. */
  #makeRoom(): void {
    const { queue } = this
    const from = this.#first
    const length = this.#end - from
    if (from < length) this.queue = intsOf(queue, queue.length * 2)
    else {
      queue.copyWithin(0, from, from + length)
      this.marks[firstAt] = 0
      this.marks[endAt] = length
    }
  }

  /** True when `request` would come before all that wait. */
  goesFirst({ slot }: Request): boolean {
    if (this.#first === this.#end) return true
    const first = this.queue[this.#first]!
    return first === slot || this.#before(slot, first)
  }

  /** The order of the queue, among slots. */
  #before(p: number, q: number): boolean {
    const { reals } = this.#requests
    if (this.byPriority && reals[p * 4 + priorityAt] !== reals[q * 4 + priorityAt])
      return reals[p * 4 + priorityAt]! < reals[q * 4 + priorityAt]!
    const earlier = reals[p * 4 + sequenceAt]! - reals[q * 4 + sequenceAt]!
    return this.latestFirst ? earlier > 0 : earlier < 0
  }

  resetStatistics(): void {
    const { time } = this.#clock
    this.levels.reset(time)
    this.uses.reset(time)
    this.queues.reset(time)
    this.capacitiesOverTime.reset(time)
    this.waits.reset()
    this.interruptions.reset()
    this.book.fill(0, servedAt, preemptionsAt + 1)
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
    if (this.#isPlain) {
      this.amounts.set(floatsOf(saved['amounts']))
      this.capacities.set(floatsOf(saved['capacities']))
    } else {
      this.amounts = floatsOf(saved['amounts'])
      this.capacities = floatsOf(saved['capacities'])
    }
    this.highest = numberOf(saved['highest'])
    this.stock = listOf(saved['stock'] ?? null).map(item => values.read(item))
    const statistics = listOf(saved['statistics'] ?? null)
    for (const [k, one] of [this.levels, this.uses, this.queues, this.capacitiesOverTime, this.waits, this.interruptions].entries())
      one.load(statistics[k] ?? null)
    this.book.set(listOf(saved['counts'] ?? null).map(numberOf), servedAt)
  }
}

/** Capacity by time: rows of (from time, capacity), repeating every `period` (null = not). */
export class Schedule {
  readonly highest: number
  readonly #rows: readonly { time: number; capacity: number }[]
  readonly #period: number | null

  /** Throws RangeError for a period that is not above 0. Rows may come in any order. */
  constructor(rows: readonly { time: number; capacity: number }[], period: number | null) {
    if (period !== null && !(period > 0)) throw new EngineFault(`schedule: ${period} is not a period`)
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
