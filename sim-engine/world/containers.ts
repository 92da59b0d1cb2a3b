// All containers of a world, the requests that wait and the units that are held: together, because one request may span several containers (all
// or nothing) and give alternatives. The rules:
//   A request that fits is met at once, unless a strict queue has others before it. One that doesn't waits, fails, takes what there is, or is
//   refused, as it says. Every put, release or capacity rise serves the queues at the same instant, in order of (priority, arrival), a strict
//   queue up to the first that doesn't fit. A capacity below what is in use evicts no holder. Preemption takes whole holdings of lower priority,
//   the lowest and latest first; what was taken waits with its old arrival time, so that it comes before newer requests of equal priority.
// One file, because every way of giving and taking ends in serving the same queues; the books are in container.ts and holdings.ts, what a
// request needs in wants.ts.
import { EngineFault } from '../kernel/fault.ts'
import { intsOf, listOf, numberOf, recordOf, type State, type ValueReader, type ValueWriter } from '../kernel/snapshot.ts'
import { RunError } from '../problems.ts'
import { Container, type ContainerPlan, type Want } from './container.ts'
import { Holdings } from './holdings.ts'
import { none, Requests, type Request } from './requests.ts'
import {
  asRow,
  check,
  containersOf,
  fits,
  isFlexible,
  isHoldAboveTotal,
  isImpossible,
  isOdd,
  isSame,
  mayGo,
  move,
  possible,
  reason,
  shareOf,
} from './wants.ts'

type Otherwise = 'wait' | 'fail' | 'partial' | 'branch'
/** granted: done now · waiting: `granted` is called later · short: nothing happened (branch). */
type Outcome = 'granted' | 'waiting' | 'short'
type Preempt = 'none' | 'resume' | 'restart'

export type Told = {
  /** A waiting request was met: resume the holder at this instant, phase 1, after the running token's step. `got` is about it. */
  granted(holder: number, request: number): void
  /** Units were taken away; `request` for them waits with the old arrival time and ends with `granted(holder, request)`. */
  preempted(holder: number, request: number, how: 'resume' | 'restart'): void
  /** The container a request waited for is gone with its owner: the request has vanished. */
  orphaned?(holder: number, request: number): void
}

export class Containers {
  /** The request that began to wait last, as the only one of an array: a field changes its kind once a number is large. */
  readonly last = Float64Array.of(-1)
  /** What the request met last got: amount (of all its wants), items taken, and which alternative. Valid until the next. */
  readonly got: { amount: number; items: unknown[]; alternative: number } = { amount: 0, items: [], alternative: 0 }

  readonly #clock: { readonly time: number }
  readonly #told: Told
  readonly #plans = new Map<string, ContainerPlan>()
  readonly #all: (Container | null)[] = []
  readonly #freeIndexes: number[] = []
  // Public for run/fast/fast-processes.ts alone.
  sequence = 0
  readonly holdings = new Holdings()
  readonly requests = new Requests(this.#all)
  readonly #dirty: Container[] = []
  #dirtyCount = 0
  #serving = false

  constructor(clock: { readonly time: number }, told: Told) {
    this.#clock = clock
    this.#told = told
  }

  get lastRequest(): number {
    return this.last[0]!
  }

  /**
   * Amount containers: `initial` and `capacity` are numbers (reusable: `initial` is ignored unless capacity is Infinity,
   * which then is the number of units). Keyed: by key, a number for `capacity` meaning each. Items: a list. 10036, 10037
   * when the initial contents don't fit.
   */
  create(
    plan: ContainerPlan,
    initial: number | ReadonlyMap<string, number> | readonly unknown[],
    capacity: number | ReadonlyMap<string, number>,
  ): Container {
    this.#plans.set(plan.id, plan)
    const amounts = initial instanceof Map ? initial : null
    const keys =
      plan.contents === 'keyed'
        ? [...new Set([...(amounts?.keys() ?? []), ...(typeof capacity === 'number' ? [] : capacity.keys())])]
        : ['']
    const first = typeof initial === 'number' ? initial : Array.isArray(initial) ? initial.length : 0
    const amountOf = (key: string): number => (plan.contents === 'keyed' ? (amounts?.get(key) ?? 0) : first)
    const capacityOf = (key: string): number => {
      const most = typeof capacity === 'number' ? capacity : (capacity.get(key) ?? Infinity)
      return plan.reusable && most === Infinity ? amountOf(key) : most
    }
    const capacities = Float64Array.from(keys, capacityOf)
    const levels = Float64Array.from(keys, key => (plan.reusable ? 0 : amountOf(key)))
    for (const [k, level] of levels.entries()) {
      if (capacities[k] !== capacities[k] || level !== level) throw new RunError(10015)
      if (level < 0 && !plan.negative) throw new RunError(10036)
      if (level > capacities[k]!) throw new RunError(10037)
    }
    const container = new Container(plan, this.#freeIndexes.pop() ?? this.#all.length, this.#clock, this.requests, keys, levels, capacities)
    this.#all[container.index] = container
    if (Array.isArray(initial)) container.stock = [...initial]
    container.resetStatistics()
    container.record()
    return container
  }

  at(index: number): Container {
    const container = this.#all[index]
    if (!container) throw new EngineFault(`containers: there is no container ${index}`)
    return container
  }

  /** When the owner dies: what waits here vanishes, what is held here is held no more. */
  destroy(container: Container): void {
    for (const request of container.waiting()) {
      const { holder, id } = request
      this.#withdraw(request)
      this.#told.orphaned?.(holder, id)
    }
    for (let hold = container.firstHold; hold >= 0; hold = container.firstHold) this.holdings.remove(hold, container)
    this.#all[container.index] = null
    this.#freeIndexes.push(container.index)
    this.#serve()
  }

  /**
   * All or nothing; `alternatives` are tried in written order, `partial` serves the first only. RunErrors: 10036 too
   * little, 10037 full, 10043 item missing (`fail`); 10038, 10039; 10042 above total capacity.
   */
  request(
    holder: number,
    alternatives: readonly (readonly Want[])[],
    priority: number,
    otherwise: Otherwise,
    preempt: Preempt = 'none',
  ): Outcome {
    for (const wants of alternatives) for (const want of wants) check(want)
    const request = this.requests.take(holder, priority, this.#clock.time, this.sequence++)
    // Its record may have been that of another one.
    request.asks(null, 0, 0)
    request.alternatives = alternatives
    request.preempt = preempt
    if (this.#attempt(request)) {
      this.requests.discard(request)
      this.#serve()
      return 'granted'
    }
    const outcome = this.#refused(request, otherwise)
    if (outcome !== 'waiting') this.requests.discard(request)
    return outcome
  }

  /** The short road of one want: allocates nothing when it is met at once. */
  hold(container: Container, holder: number, amount: number, priority: number, otherwise: Otherwise, key: string | null = null): Outcome {
    if (container.isCounted && amount >= 0) {
      const k = container.isUnits && key === null ? 0 : container.keyOf(key)
      if (amount <= container.capacities[k]! - container.amounts[k]!) {
        if (!container.plan.strict || container.queueLength === 0) {
          container.amounts[k]! += amount
          this.holdings.add(holder, container, k, amount, priority, this.sequence++, null)
          container.recordAtOnce()
          this.got.amount = amount
          this.got.alternative = 0
          return 'granted'
        }
      } else if (otherwise === 'wait' && amount <= container.totalAt(k)) {
        const request = this.requests.take(holder, priority, this.#clock.time, this.sequence++)
        request.asks(container, k, amount)
        this.#await(request)
        return 'waiting'
      }
    }
    return this.request(holder, [[{ does: 'hold', container, amount, key }]], priority, otherwise)
  }

  take(container: Container, holder: number, amount: number, key: string | null, priority: number, otherwise: Otherwise): Outcome {
    return this.request(holder, [[{ does: 'take', container, amount, key }]], priority, otherwise)
  }

  put(container: Container, holder: number, amount: number, key: string | null, priority: number, otherwise: Otherwise): Outcome {
    return this.request(holder, [[{ does: 'put', container, amount, key }]], priority, otherwise)
  }

  transfer(
    from: Container,
    to: Container,
    holder: number,
    amount: number,
    key: string | null,
    priority: number,
    otherwise: Otherwise,
  ): Outcome {
    const into = to.plan.contents === 'keyed' ? key : null
    const out = from.plan.contents === 'keyed' ? key : null
    return this.request(
      holder,
      [
        [
          { does: 'take', container: from, amount, key: out },
          { does: 'put', container: to, amount, key: into },
        ],
      ],
      priority,
      otherwise,
    )
  }

  /** Gives units back, those held last first; null = all of them. 10040 when more than held. */
  release(container: Container, holder: number, amount: number | null, key: string | null): void {
    const k = container.isUnits && key === null ? 0 : container.keyOf(key)
    const whole = this.holdings.whole(holder, container, k, amount)
    if (whole >= 0 && container.plan.contents !== 'items') {
      const units = this.holdings.amountOf(whole)
      this.holdings.remove(whole, container)
      this.#returned(container, k, units)
      this.#serve()
      return
    }
    const held = this.holdings.amount(holder, container, k)
    const units = amount ?? held
    if (!(units >= 0)) throw new RunError(10039)
    if (units > held) throw new RunError(10040)
    if (units === 0) return
    const back = this.holdings.give(holder, container, k, units)
    if (back.length > 0) container.stock.push(...back)
    this.#returned(container, k, units)
    this.#serve()
  }

  /** The same for the rest that is left to a holder: some may have been taken from it, or not been granted in time. */
  giveBack(container: Container, holder: number, amount: number | null, key: string | null): void {
    const held = this.holdings.amount(holder, container, container.isUnits && key === null ? 0 : container.keyOf(key))
    if (held > 0) this.release(container, holder, amount === null ? null : Math.min(amount, held), key)
  }

  /** All that a holder was granted from `since` on, by `sequence`. */
  giveBackSince(holder: number, since: number): void {
    const { holdings } = this
    for (let hold = holdings.first(holder), next = -1; hold >= 0; hold = next) {
      next = holdings.nextOf(hold)
      if (holdings.sequenceOf(hold) >= since) this.#unhold(hold)
    }
    this.#serve()
  }

  releaseAll(holder: number): void {
    for (let hold = this.holdings.first(holder); hold >= 0; hold = this.holdings.first(holder)) this.#unhold(hold)
    this.#serve()
  }

  #unhold(hold: number): void {
    const container = this.at(this.holdings.containerOf(hold))
    const k = this.holdings.keyOf(hold)
    const units = this.holdings.amountOf(hold)
    container.stock.push(...this.holdings.itemsOf(hold))
    this.holdings.remove(hold, container)
    this.#returned(container, k, units)
  }

  /** Units of a container the holder holds; without a key all keys together. */
  held(container: Container, holder: number, key: string | null = null): number {
    if (key !== null || container.plan.contents !== 'keyed') return this.holdings.amount(holder, container, container.keyOf(key))
    let total = 0
    for (let k = 0; k < container.amounts.length; k++) total += this.holdings.amount(holder, container, k)
    return total
  }

  /** 10041 at a process end is for the caller to raise. */
  holdsAnything(holder: number): boolean {
    return this.holdings.first(holder) >= 0
  }

  isWaiting(request: number): boolean {
    return this.requests.find(request) !== null
  }

  /** Time-out or give-up condition: the request is withdrawn and counted as given up; false when it no longer waits. */
  giveUp(request: number): boolean {
    const found = this.requests.find(request)
    if (!found) return false
    for (const container of containersOf(found)) container.countGivenUp()
    this.#withdraw(found)
    this.#serve()
    return true
  }

  /** The token was cancelled or its owner died: its requests vanish, its units return; consumables don't. */
  cancel(holder: number): void {
    for (let request = this.requests.firstOf(holder); request; request = this.requests.firstOf(holder)) this.#withdraw(request)
    this.releaseAll(holder)
  }

  /** Sets what is there (consumable). A key that is missing is added. 10036 below 0, 10037 above the capacity. */
  setLevel(container: Container, level: number, key: string | null): void {
    if (container.plan.reusable || container.plan.contents === 'items') throw new RunError(10032)
    if (!Number.isFinite(level)) throw new RunError(10015)
    const k =
      container.plan.contents === 'keyed' && key !== null && !container.has(key) ? container.addKey(key, Infinity) : container.keyOf(key)
    if (level < 0 && !container.plan.negative) throw new RunError(10036)
    if (level > container.capacities[k]!) throw new RunError(10037)
    container.amounts[k] = level
    container.record()
    this.#mark(container)
    this.#serve()
  }

  /** Lower than what is in use or there: no holder is evicted, nothing is lost; new grants wait. 10039 when negative. */
  setCapacity(container: Container, capacity: number, key: string | null): void {
    if (!(capacity >= 0)) throw new RunError(10039)
    const k = container.keyOf(key)
    container.highest = Math.max(container.highest, container.capacities[k]!)
    container.capacities[k] = capacity
    container.record()
    container.capacitiesOverTime.set(container.capacity())
    this.#mark(container)
    this.#serve()
  }

  /** A change of shift: a new capacity, of each key; where the plan says so, work above it is suspended until units are there again. */
  shift(container: Container, capacity: number): void {
    if (!(capacity >= 0)) throw new RunError(10039)
    const suspends = container.plan.offShift === 'suspend'
    for (const k of container.keys().keys()) {
      container.highest = Math.max(container.highest, container.capacities[k]!)
      container.capacities[k] = capacity
      if (suspends) this.#suspendAbove(container, k, capacity)
    }
    // Recorded once: work that is suspended at this instant was never above the new capacity.
    container.record()
    container.capacitiesOverTime.set(container.capacity())
    this.#mark(container)
    this.#serve()
  }

  #suspendAbove(container: Container, k: number, capacity: number): void {
    while (container.amounts[k]! > capacity) {
      const victim = this.holdings.victim(container, k, -Infinity)
      if (victim < 0) break
      this.#evict(container, victim, 'resume', false)
    }
  }

  /** Starts statistics afresh at the end of the warm-up. */
  warmUp(): void {
    for (const container of this.#all) container?.resetStatistics()
  }

  save(values: ValueWriter): State {
    const { free, freeCount } = this.requests
    const waiting = this.requests.waiting()
    return {
      sequence: this.sequence,
      lastRequest: this.lastRequest,
      containers: this.#all.map(container => container?.save(values) ?? null),
      freeIndexes: Int32Array.from(this.#freeIndexes),
      rounds: this.requests.rounds(),
      freeRequests: free.slice(0, freeCount),
      requests: waiting.map(
        ({ id, holder, priority, arrival, sequence, preempt, regains, container, k, amount, alternatives, isDescribed }) => ({
          id,
          holder,
          priority,
          arrival,
          sequence,
          preempt,
          regains,
          // A request for goods, or for units of others, is described by its wants.
          container: isDescribed ? -1 : (container?.index ?? -1),
          k: isDescribed ? 0 : k,
          amount: isDescribed ? 0 : amount,
          alternatives: alternatives.map(wants =>
            wants.map(want => [
              want.does,
              want.container.index,
              want.amount,
              want.key,
              want.items ? want.items.map(item => values.write(item)) : null,
            ]),
          ),
        }),
      ),
      holdings: this.holdings.save(values),
    }
  }

  /** Before the populations are restored: their columns may refer to containers. */
  load(state: State, values: ValueReader): void {
    const saved = recordOf(state)
    this.sequence = numberOf(saved['sequence'])
    this.last[0] = numberOf(saved['lastRequest'])
    this.#freeIndexes.splice(0, Infinity, ...intsOf(saved['freeIndexes']))
    this.requests.clear(intsOf(saved['rounds']), intsOf(saved['freeRequests']))
    this.#dirtyCount = 0
    this.#serving = false
    const states = listOf(saved['containers'] ?? null)
    // Contents first: they may refer to containers themselves.
    this.#all.splice(states.length)
    for (const [index, one] of states.entries()) this.#all[index] = one === null ? null : this.#restored(index, recordOf(one))
    for (const [index, one] of states.entries()) if (one !== null) this.at(index).load(one, values)
    this.holdings.load(saved['holdings'] ?? null, values, index => this.at(index))
    for (const one of listOf(saved['requests'] ?? null)) this.#restoreRequest(recordOf(one), values)
  }

  /** The same object where there is one already: generated code may hold on to it. */
  #restored(index: number, saved: { readonly [key: string]: State }): Container {
    const plan = this.#plans.get(String(saved['plan']))
    if (!plan) throw new EngineFault(`containers: no plan ${String(saved['plan'])}`)
    const known = this.#all[index]
    if (known?.plan === plan) {
      known.clearQueue()
      known.flexible = 0
      known.odd = 0
      known.firstHold = -1
      known.isDirty = false
      return known
    }
    return new Container(plan, index, this.#clock, this.requests, [], new Float64Array(0), new Float64Array(0))
  }

  #restoreRequest(saved: { readonly [key: string]: State }, values: ValueReader): void {
    const alternatives = listOf(saved['alternatives'] ?? null).map(wants =>
      listOf(wants).map((one): Want => {
        const [does, index, amount, key, items] = listOf(one)
        const want: Want = {
          does: does === 'hold' || does === 'put' ? does : 'take',
          container: this.at(numberOf(index)),
          amount: numberOf(amount),
          key: typeof key === 'string' ? key : null,
        }
        if (items) want.items = listOf(items).map(item => values.read(item))
        return want
      }),
    )
    const preempt = saved['preempt'] === 'resume' || saved['preempt'] === 'restart' ? saved['preempt'] : 'none'
    const index = numberOf(saved['container'])
    const slot = numberOf(saved['id']) & 0xffffff
    if (slot >= this.requests.top) throw new EngineFault('containers: a damaged snapshot')
    const request = this.requests.at(slot)
    request.holder = numberOf(saved['holder'])
    request.priority = numberOf(saved['priority'])
    request.arrival = numberOf(saved['arrival'])
    request.sequence = numberOf(saved['sequence'])
    request.asks(index < 0 ? null : this.at(index), numberOf(saved['k']), numberOf(saved['amount']))
    request.alternatives = alternatives
    request.preempt = preempt
    if (saved['regains'] === true) request.regains = true
    this.#enqueue(request)
  }

  #refused(request: Request, otherwise: Otherwise): Outcome {
    const { alternatives } = request
    if (otherwise === 'partial') {
      this.#partly(request, alternatives[0] ?? [])
      return 'granted'
    }
    if (otherwise === 'branch') return 'short'
    if (otherwise === 'fail')
      throw new RunError(alternatives.every(wants => wants.some(isHoldAboveTotal)) ? 10042 : reason(alternatives[0] ?? []))
    if (alternatives.every(wants => wants.some(isImpossible))) throw new RunError(10042)
    if (request.preempt !== 'none' && this.#preempts(request)) {
      this.#serve()
      return 'granted'
    }
    this.#await(request)
    return 'waiting'
  }

  /** Puts the request into the queues. */
  #await(request: Request): void {
    this.#enqueue(request)
    this.last[0] = request.id
    if (request.container) request.container.recordQueue()
    else for (const container of containersOf(request)) container.recordQueue()
  }

  #enqueue(request: Request): void {
    this.requests.enlist(request)
    asRow(request)
    if (request.container) request.container.insert(request)
    else {
      this.#bundle(request)
      for (const container of containersOf(request)) container.insert(request)
    }
    this.#count(request, 1)
  }

  /** Requests for these alternatives, units of several containers, are known by a number from now on. */
  addBundle(number: number, alternatives: readonly (readonly Want[])[]): void {
    const { bundles } = this.requests
    if (bundles.has(number)) return
    bundles.set(number, alternatives)
    for (const request of this.requests.waiting()) {
      this.#count(request, -1)
      this.#bundle(request)
      this.#count(request, 1)
    }
  }

  #bundle(request: Request): void {
    if (request.container || request.preempt !== 'none') return
    for (const [number, alternatives] of this.requests.bundles) {
      if (alternatives.length !== request.alternatives.length) continue
      if (!alternatives.every((wants, k) => isSame(wants, request.alternatives[k]!))) continue
      request.alternatives = none
      request.bundle = number
      return
    }
  }

  /** Notifies the containers of a request that it begins or ceases to wait. */
  #count(request: Request, by: 1 | -1): void {
    const [flexible, odd] = [isFlexible(request), isOdd(request)]
    if (!flexible && !odd) return
    for (const container of containersOf(request)) {
      if (flexible) container.flexible += by
      if (odd) container.odd += by
    }
  }

  /** Meets the request with the first alternative that fits; false when none does. */
  #attempt(request: Request): boolean {
    const { alternatives } = request
    for (let a = 0; a < alternatives.length; a++) {
      if (!fits(alternatives[a]!) || !mayGo(request, alternatives[a]!)) continue
      this.#meet(request, a)
      return true
    }
    return false
  }

  #meet(request: Request, alternative: number): void {
    this.got.amount = 0
    this.got.items = []
    this.got.alternative = alternative
    for (const want of request.alternatives[alternative]!) this.#apply(request, want)
  }

  #apply(request: Request, want: Want): void {
    const { container, amount } = want
    const k = container.keyOf(want.key)
    // What is put without saying which is what the same request took: a transfer.
    const goods = want.does === 'put' && !want.items ? { ...want, items: this.got.items } : want
    const items = container.plan.contents === 'items' ? move(goods) : null
    if (items && want.does !== 'put') this.got.items.push(...items)
    if (container.plan.reusable) {
      container.amounts[k]! += amount
      this.holdings.add(request.holder, container, k, amount, request.priority, request.sequence, items)
    } else {
      if (!items) container.amounts[k]! += want.does === 'put' ? amount : -amount
      this.#mark(container)
    }
    container.record()
    this.got.amount += amount
    // Puts that needn't wait are no customers.
    if (want.does !== 'put' || request.waiting) container.recordWait(request)
  }

  /** As much of each want as there is or fits, now. */
  #partly(request: Request, wants: readonly Want[]): void {
    this.got.amount = 0
    this.got.items = []
    this.got.alternative = 0
    // What is both taken and put keeps its proportions: nothing is lost on the way.
    const share = wants.some(want => want.does === 'put') && wants.some(want => want.does !== 'put') ? shareOf(wants) : 1
    for (const want of wants) {
      const { container } = want
      const amount = share < 1 ? want.amount * share : possible(want)
      const items = want.items
        ? want.does === 'put'
          ? want.items.slice(0, amount)
          : want.items.filter(item => container.stock.includes(item))
        : undefined
      this.#apply(request, items ? { ...want, items, amount: items.length } : { ...want, amount })
    }
    this.#serve()
  }

  /** Serves the queues of all containers that changed, until nothing more can be met. */
  #serve(): void {
    if (this.#serving || this.#dirtyCount === 0) return
    this.#serving = true
    for (let k = 0; k < this.#dirtyCount; k++) {
      const container = this.#dirty[k]!
      container.isDirty = false
      this.#serveQueue(container)
    }
    this.#dirtyCount = 0
    this.#serving = false
  }

  #serveQueue(container: Container): void {
    const { plan } = container
    const plain = container.amounts.length === 1 && !plan.negative && plan.contents !== 'items'
    // Those passed over.
    let passed = 0
    for (;;) {
      if (plain && !plan.strict) passed = container.nextServed(passed)
      if (passed >= container.queueLength) break
      const request = container.waitingAt(passed)
      if (request.container && plan.reusable) {
        const left = container.capacities[request.k]! - container.amounts[request.k]!
        if (request.amount <= left) {
          container.removeAt(passed)
          this.#grantUnits(request, container)
        } else if (plan.strict || (plain && left <= 0 && container.flexible === 0)) break
        else passed++
      } else if (this.#attempt(request)) {
        this.#grant(request)
        // A put may have made room for an earlier one: this queue comes again, from the start.
        if (container.isDirty) break
      } else if (plan.strict) break
      else passed++
    }
    container.record()
    container.recordQueue()
  }

  /** Meets a request for units of one container, which has left the queue. */
  #grantUnits(request: Request, container: Container): void {
    const { holder, id, amount } = request
    this.#count(request, -1)
    container.amounts[request.k]! += amount
    this.holdings.add(holder, container, request.k, amount, request.priority, request.sequence, null)
    if (request.preempt !== 'none') container.record()
    container.recordWait(request)
    this.got.amount = amount
    this.got.alternative = 0
    this.requests.forget(request)
    this.#told.granted(holder, id)
  }

  #grant(request: Request): void {
    const { holder, id } = request
    this.#withdraw(request)
    this.#told.granted(holder, id)
  }

  /** Takes a request out of all queues; those behind it in strict queues may go now. */
  #withdraw(request: Request): void {
    this.#count(request, -1)
    for (const container of containersOf(request)) {
      container.removeAt(container.place(request))
      container.recordQueue()
      if (container.plan.strict || request.alternatives.length > 1) this.#mark(container)
    }
    this.requests.forget(request)
  }

  /** Takes from holders of lower priority what the first alternative needs; false (and nothing done) when that isn't enough. */
  #preempts(request: Request): boolean {
    const wants = request.alternatives[0] ?? []
    if (!mayGo(request, wants)) return false
    const victims: { container: Container; hold: number }[] = []
    for (const [i, want] of wants.entries()) {
      const { container, key } = want
      const alike = wants.filter(other => other.container === container && other.key === key)
      if (alike[0] !== wants[i]) continue
      if (!container.plan.reusable || want.items) {
        if (!fits(alike)) return false
        continue
      }
      const k = container.keyOf(key)
      const needed = alike.reduce((sum, other) => sum + other.amount, 0)
      let free = container.capacities[k]! - container.amounts[k]!
      for (const hold of this.holdings.victims(container, k, request.priority)) {
        if (free >= needed) break
        victims.push({ container, hold })
        free += this.holdings.amountOf(hold)
      }
      if (free < needed) return false
    }
    for (const { container, hold } of victims) this.#evict(container, hold, request.preempt === 'restart' ? 'restart' : 'resume')
    this.#meet(request, 0)
    return true
  }

  /** Ends a holding; a request for the same waits from now on. */
  #evict(container: Container, hold: number, how: 'resume' | 'restart', recorded = true): void {
    const k = this.holdings.keyOf(hold)
    const amount = this.holdings.amountOf(hold)
    const items = this.holdings.itemsOf(hold)
    const holder = this.holdings.holderOf(hold)
    const request = this.requests.take(holder, this.holdings.priorityOf(hold), this.#clock.time, this.holdings.sequenceOf(hold))
    request.regains = true
    if (items.length > 0) request.alternatives = [[{ does: 'hold', container, amount, key: null, items: [...items] }]]
    else request.asks(container, k, amount)
    container.stock.push(...items)
    this.holdings.remove(hold, container)
    container.amounts[k]! -= amount
    container.countPreemption()
    if (recorded) container.record()
    const last = this.lastRequest
    this.#await(request)
    this.last[0] = last
    // More may have been taken than was needed.
    this.#mark(container)
    this.#told.preempted(holder, request.id, how)
  }

  #returned(container: Container, k: number, units: number): void {
    container.amounts[k]! -= units
    if (container.queueLength === 0) container.record()
    else this.#mark(container)
  }

  #mark(container: Container): void {
    if (container.isDirty || container.queueLength === 0) return
    container.isDirty = true
    this.#dirty[this.#dirtyCount++] = container
  }
}
