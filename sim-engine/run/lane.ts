// The express lane in JavaScript: plain events at plain steps, one after another, where tokens, events and units stand.
import { drawsAhead, ExponentialDraws } from '../kernel/ahead.ts'
import type { Calendar } from '../kernel/calendar.ts'
import { rowState } from '../kernel/calendar.ts'
import { RunError } from '../problems.ts'
import { containerAt as bookAt } from '../world/container.ts'
import type { Container } from '../world/container.ts'
import type { Containers } from '../world/containers.ts'
import { holdingAt } from '../world/holdings.ts'
import { requestAt } from '../world/requests.ts'
import { statisticAt } from '../world/statistics.ts'
import type { World } from '../world/world.ts'
import type { Clockwork } from './clockwork.ts'
import { eventKind, maximumSteps, phase } from './events.ts'
import type { ExpressEntries, ExpressPlan, Settings } from './express.ts'
import type { Kernel } from './kernel.ts'
import { plain, soughtFrom } from './plain.ts'
import type { Tokens } from './tokens.ts'

// Constants of this module stand in the code as numbers; those of others would be looked up each time.
const { request, delay, release, end } = plain
const sought = soughtFrom
const { resume, timer } = eventKind
const { free, waiting } = rowState
const atTimer = phase.timer
const planned = waiting + 4 * atTimer
const bound = maximumSteps
const ahead = drawsAhead
const { holder: holderAt, container: containerAt, key: keyAt, nextOfHolder: nextOfHolderAt, next: nextAt, previous: previousAt } = holdingAt
const { amount: amountAt, priority: priorityAt, sequence: sequenceAt } = holdingAt
const { levels: levelsAt, uses: usesAt, queues: queuesAt, waits: waitsAt, served: servedAt } = bookAt
const { amount: usedAt, capacity: capacityAt, firstHold: firstHoldAt, first: firstAt, end: endAt } = bookAt
const { holder: askerAt, container: askedAt, key: askedKeyAt, round: roundAt, waiting: isWaitingAt } = requestAt
const { nextOfHolder: nextAskedAt, regains: regainsAt, priority: askPriorityAt } = requestAt
const { arrival: arrivalAt, sequence: askSequenceAt, amount: askAmountAt } = requestAt
const { min: minAt, max: maxAt, value: valueAt, last: lastAt, area: areaAt, squares: squaresAt } = statisticAt.weighted
const { count: countAt, mean: meanAt, min: leastAt, max: mostAt, squares: deviationsAt } = statisticAt.tally

/** Instants run at one go, so that the engine may change to better code in between. */
const most = 4096

/** Steps left to an instant from which on the general way counts. */
const nearlyExhausted = 1000

/** A heap that is a root and its children. */
const small = 5

/** As `Container.record` where there are units of one kind. The time comes in an array: a number handed over may cost more. */
function record(book: Float64Array, now: Float64Array): void {
  const used = book[usedAt]!
  const left = book[capacityAt]! - used
  // Both change at the same times.
  const passed = now[0]! - book[usesAt + lastAt]!
  if (passed !== 0) {
    const value = book[usesAt + valueAt]!
    const area = value * passed
    book[usesAt + areaAt]! += area
    book[usesAt + squaresAt]! += area * value
    book[usesAt + lastAt] = now[0]!
    const level = book[levelsAt + valueAt]!
    const room = level * passed
    book[levelsAt + areaAt]! += room
    book[levelsAt + squaresAt]! += room * level
    book[levelsAt + lastAt] = now[0]!
  }
  book[levelsAt + valueAt] = left
  if (left < book[levelsAt + minAt]!) book[levelsAt + minAt] = left
  if (left > book[levelsAt + maxAt]!) book[levelsAt + maxAt] = left
  book[usesAt + valueAt] = used
  if (used < book[usesAt + minAt]!) book[usesAt + minAt] = used
  if (used > book[usesAt + maxAt]!) book[usesAt + maxAt] = used
}

/** As `Container.recordQueue`. */
function recordQueue(book: Float64Array, now: Float64Array, length: number): void {
  const passed = now[0]! - book[queuesAt + lastAt]!
  if (passed !== 0) {
    const value = book[queuesAt + valueAt]!
    const area = value * passed
    book[queuesAt + areaAt]! += area
    book[queuesAt + squaresAt]! += area * value
    book[queuesAt + lastAt] = now[0]!
  }
  book[queuesAt + valueAt] = length
  if (length < book[queuesAt + minAt]!) book[queuesAt + minAt] = length
  if (length > book[queuesAt + maxAt]!) book[queuesAt + maxAt] = length
}

/** As `Container.recordWait`: a wait from `since[at]` until now. */
function recordWait(book: Float64Array, now: Float64Array, since: Float64Array, at: number): void {
  const waited = now[0]! - since[at]!
  const count = book[waitsAt + countAt]! + 1
  const before = book[waitsAt + meanAt]!
  const delta = waited - before
  const mean = before + delta / count
  book[waitsAt + countAt] = count
  book[waitsAt + meanAt] = mean
  book[waitsAt + deviationsAt]! += delta * (waited - mean)
  if (waited < book[waitsAt + leastAt]!) book[waitsAt + leastAt] = waited
  if (waited > book[waitsAt + mostAt]!) book[waitsAt + mostAt] = waited
  book[servedAt]!++
}

/** Puts a row into the hole at the root of a small heap. False, and nothing done, where times are equal: the calendar knows the order. */
function fill(times: Float64Array, rows: Int32Array, length: number, row: number, reals: Float64Array): boolean {
  const time = reals[row * 4 + 3]!
  let best = 0
  let least = time
  for (let child = 1; child < length; child++) {
    const value = times[child]!
    if (value > least) continue
    if (value === least) return false
    least = value
    best = child
  }
  if (best > 0) {
    times[0] = least
    rows[0] = rows[best]!
  }
  times[best] = time
  rows[best] = row
  return true
}

export class Lane {
  /** Set by `run`: steps left to the instant that is to be gone on with; -1 when it ended between two instants. */
  left = -1
  /** Instants run to their end, also where `run` failed. */
  made = 0
  readonly #plan: ExpressPlan
  readonly #entries: ExpressEntries
  // Drawings by number: first those of durations, then those of arrivals by process.
  readonly #draws: readonly (ExponentialDraws | null)[]
  /** Whether the mean is fixed, so that no function is asked. */
  readonly #fixed: Uint8Array
  readonly #means: Float64Array
  readonly #places: Int32Array
  readonly #limits: Float64Array
  /** What was drawn ahead, and which is next. */
  readonly #values: Float64Array<ArrayBuffer>
  readonly #cursors: Int32Array<ArrayBuffer>
  /** Those drawn from since `run` began. */
  readonly #isOpen: Uint8Array
  readonly #open: number[] = []
  readonly #setPlace: (place: number) => void
  readonly #world: World
  readonly #kernel: Kernel
  readonly #calendar: Calendar
  readonly #tokens: Tokens
  readonly #containers: Containers
  readonly #clockwork: Clockwork
  #stock: readonly Container[] | null = null
  #books: readonly Float64Array[] = []
  #marks: readonly Int32Array[] = []
  readonly #now = new Float64Array(1)
  readonly #ticking: boolean
  readonly #refuel: () => void

  constructor({ plan, entries, setPlace, world, kernel, clockwork, ticking, refuel }: Settings) {
    this.#plan = plan
    this.#entries = entries
    const drawings = [...entries.drawn, ...entries.arrivalsDrawn]
    this.#values = new Float64Array(drawings.length * ahead)
    this.#cursors = new Int32Array(drawings.length * 2)
    this.#isOpen = new Uint8Array(drawings.length)
    this.#draws = drawings.map(
      (one, d) =>
        one && new ExponentialDraws(one[0], this.#values.subarray(d * ahead, (d + 1) * ahead), this.#cursors.subarray(d * 2, d * 2 + 2)),
    )
    this.#fixed = Uint8Array.from(drawings, one => Number(one !== null && one[1] >= 0 && one[1] < Infinity))
    this.#means = Float64Array.from(drawings, one => one?.[1] ?? 0)
    this.#places = Int32Array.from(drawings, one => one?.[2] ?? 0)
    this.#limits = Float64Array.from(drawings, one => one?.[3] ?? Infinity)
    this.#setPlace = setPlace
    this.#world = world
    this.#kernel = kernel
    this.#calendar = world.calendar
    this.#tokens = kernel.tokens
    this.#containers = world.containers
    this.#clockwork = clockwork
    this.#ticking = ticking
    this.#refuel = refuel
  }

  /** The containers of the plan. */
  get stock(): readonly Container[] {
    return this.#stock ?? this.#stocked()
  }

  /** Drawings with a fixed mean; null in the place of others. */
  get drawings(): readonly ({ draws: ExponentialDraws; mean: number; limit: number } | null)[] {
    return this.#draws.map((draws, d) => (draws && this.#fixed[d] === 1 ? { draws, mean: this.#means[d]!, limit: this.#limits[d]! } : null))
  }

  #stocked(): readonly Container[] {
    const stock = this.#plan.containers.map(index => this.#clockwork.containersOf(index)[0]!)
    this.#stock = stock
    this.#books = stock.map(container => container.book)
    this.#marks = stock.map(container => container.marks)
    return stock
  }

  /**
   * Runs instants up to `until` and before `ending`, `count` at most, as long as they begin with a plain event. Returns how many
   * it ran to their end.
   *
   * One function, arrays in constants: what is told by the work of others (calendar.ts, tokens.ts, holdings.ts, requests.ts,
   * container.ts) is written out here, because at some forty calls a customer calling costs more than all else.
   */
  run(until: number, ending: number, count: number): number {
    const calendar = this.#calendar
    const world = this.#world
    const tokens = this.#tokens
    const kernel = this.#kernel
    const containers = this.#containers
    const { holdings, got, requests, last: lastRequest } = containers
    const stock = this.#stock ?? this.#stocked()
    const books = this.#books
    const marks = this.#marks
    const now = this.#now
    const { gap } = kernel
    const { entry } = kernel.processes
    const { codes, behind, next, which, amounts, starts } = this.#plan
    const { durations, arrivals, fired } = this.#entries
    const draws = this.#draws
    const fixed = this.#fixed
    const means = this.#means
    const limits = this.#limits
    const values = this.#values
    const cursors = this.#cursors
    const isOpen = this.#isOpen
    const ofArrivals = durations.length
    const last = count < most ? count : most
    // Nobody is interrupted here, and nobody takes up again what was.
    const isSuspending = kernel.isSuspending
    let { times, rows, ints, reals, freed } = calendar
    let { pc: places, holder: holders, event: events, request: asks, until: untils, length: lengths } = tokens
    let { process: processes, owner: owners, born, serial, single, parent: parents, watching, free: spare } = tokens
    let { ints: held, reals: heldReals, firstOfHolder } = holdings
    let { ints: asked, reals: askedReals, free: askedFree, ofHolder: askedBy } = requests
    let { askers, woken } = kernel
    let made = 0
    let time = 0
    // The event taken last.
    let kind = -1
    let about = 0
    let detail = 0
    // What was drawn last without a function: its place has yet to be told.
    let latest = -1
    // Steps left to the instant that runs; -1 between two.
    let left = -1
    // The token that is to be handed over, and where it stands.
    let stranger = -1
    let strangerAt = -1
    let done = 0
    try {
      if (calendar.hole) calendar.close()
      instants: while (made < last) {
        if (calendar.length === 0) break
        const root = rows[0]! * 4
        const what = ints[root]!
        let t = ints[root + 1]!
        const isPlain = what === timer ? starts[t] === 1 : what === resume && codes[places[t]!] !== 0
        // An instant that does not end is stopped by the general way, too.
        if (!isPlain || (left >= 0 && left < nearlyExhausted)) break
        if (left < 0) {
          const at = times[0]!
          if (at > until || at >= ending) break
          time = at
          world.time = time
          calendar.now = time
          now[0] = time
          // Plain events leave nothing to settle, and what they calculate takes no fuel.
          if (made === 0) {
            world.settle()
            tokens.settle()
          }
          left = bound + 4 * (calendar.length - calendar.cancelled)
        }
        // Room for what an event may add.
        if (calendar.freedCount < 2 && calendar.rowTop + 2 > rows.length) {
          calendar.grow()
          ;({ times, rows, ints, reals, freed } = calendar)
        }
        // The event is taken, as `Calendar.pop` does.
        kind = what
        about = t
        detail = reals[root + 2]!
        ints[root + 2]!++
        calendar.hole = true
        left--
        if (kind === timer) {
          const process = t
          const d = ofArrivals + process
          let isMore = true
          if (fixed[d] === 0) {
            latest = -1
            ints[root + 3] = free
            freed[calendar.freedCount++] = root >> 2
            isMore = arrivals[process]!()
            if (isMore && draws[d] !== null) {
              if (isOpen[d] === 0) this.#begin(d)
              draws[d]!.into(gap)
            }
          } else {
            const limit = limits[d]!
            if (limit < Infinity) {
              if (fired[process]! >= limit) isMore = false
              else fired[process]!++
            }
            if (isMore) {
              latest = d
              if (isOpen[d] === 0) this.#begin(d)
              if (cursors[2 * d] === cursors[2 * d + 1]) draws[d]!.make()
              gap[0] = means[d]! * values[d * ahead + cursors[2 * d]!++]!
            }
          }
          const span = gap[0]!
          const isGood = span >= 0 && span < Infinity
          if (isMore && isGood) {
            // The same row again: that given back last is the first to be used.
            if (fixed[d] === 0) calendar.freedCount--
            reals[root] = 0
            reals[root + 1] = calendar.sequence++
            reals[root + 2] = -1
            reals[root + 3] = time + span
            ints[root + 3] = planned
            if (calendar.length <= small && calendar.cancelled === 0 && fill(times, rows, calendar.length, root >> 2, reals))
              calendar.hole = false
            else calendar.put(root >> 2)
          } else {
            if (fixed[d] === 1) {
              ints[root + 3] = free
              freed[calendar.freedCount++] = root >> 2
            }
            if (isMore) throw new RunError(10051)
          }
          // A token of nobody, as `Tokens.create` makes it.
          if (tokens.freed === 0 && tokens.top === places.length) {
            tokens.reserve()
            if (tokens.top === tokens.pc.length) throw new RunError(10049)
            ;({ pc: places, holder: holders, event: events, request: asks, until: untils, length: lengths } = tokens)
            ;({ process: processes, owner: owners, born, serial, single, parent: parents, watching, free: spare } = tokens)
          }
          t = tokens.freed > 0 ? spare[--tokens.freed]! : tokens.top++
          tokens.count++
          places[t] = entry[process]!
          processes[t] = process
          owners[t] = -1
          events[t] = -1
          asks[t] = -1
          lengths[t] = 0
          born[t] = time
          serial[t] = ++tokens.serials
          if (single[t] === 0) tokens.alone(t)
        } else {
          ints[root + 3] = free
          freed[calendar.freedCount++] = root >> 2
          events[t] = -1
        }
        done = 0
        for (;;) {
          kernel.current = t
          let pc = places[t]!
          flow: for (;;) {
            let code = codes[pc]!
            if (code >= sought) {
              const drawnLast = latest
              latest = -1
              this.seek(code - sought, t, drawnLast)
              code = behind[pc]!
            }
            switch (code) {
              case request: {
                const c = which[pc]!
                const book = books[c]!
                const mark = marks[c]!
                const holder = holders[t]!
                const units = amounts[pc]!
                const used = book[usedAt]!
                const capacity = book[capacityAt]!
                const hold = holdings.free
                if (units <= capacity - used) {
                  if (mark[firstAt] !== mark[endAt] || hold < 0 || holder >= firstOfHolder.length) break
                  book[usedAt] = used + units
                  // As `Holdings.add`.
                  const at = hold * 8
                  holdings.free = held[at + nextAt]!
                  held[at + holderAt] = holder
                  held[at + containerAt] = stock[c]!.index
                  held[at + keyAt] = 0
                  held[at + nextOfHolderAt] = firstOfHolder[holder]!
                  const behind = mark[firstHoldAt]!
                  held[at + nextAt] = behind
                  held[at + previousAt] = -1
                  if (behind >= 0) held[behind * 8 + previousAt] = hold
                  mark[firstHoldAt] = hold
                  firstOfHolder[holder] = hold
                  heldReals[hold * 4 + amountAt] = units
                  heldReals[hold * 4 + priorityAt] = 0
                  heldReals[hold * 4 + sequenceAt] = containers.sequence++
                  recordWait(book, now, now, 0)
                  record(book, now)
                  got.amount = units
                  got.alternative = 0
                  pc = next[pc]!
                  continue
                }
                if (units > capacity) break
                const container = stock[c]!
                const queue = container.queue
                const at = mark[endAt]!
                if (
                  requests.freeCount > 0 &&
                  at < queue.length &&
                  holder < askedBy.length &&
                  // Behind all others, as it is the latest.
                  (at === mark[firstAt] ||
                    (!container.latestFirst && (!container.byPriority || askedReals[queue[at - 1]! * 4 + askPriorityAt]! <= 0)))
                ) {
                  // As `Containers.hold` where it has to wait.
                  const slot = askedFree[--requests.freeCount]!
                  asked[slot * 8 + askerAt] = holder
                  asked[slot * 8 + askedAt] = container.index
                  asked[slot * 8 + askedKeyAt] = 0
                  asked[slot * 8 + isWaitingAt] = 1
                  asked[slot * 8 + nextAskedAt] = askedBy[holder]!
                  askedBy[holder] = slot
                  askedReals[slot * 4 + askPriorityAt] = 0
                  askedReals[slot * 4 + arrivalAt] = time
                  askedReals[slot * 4 + askSequenceAt] = containers.sequence++
                  askedReals[slot * 4 + askAmountAt] = units
                  queue[at] = slot
                  mark[endAt] = at + 1
                  recordQueue(book, now, at + 1 - mark[firstAt]!)
                  const id = slot + asked[slot * 8 + roundAt]! * 16777216
                  lastRequest[0] = id
                  if (slot < askers.length) {
                    // As `Kernel.awaitGrant`.
                    places[t] = next[pc]!
                    asks[t] = id
                    askers[slot] = t
                    break flow
                  }
                } else containers.hold(container, holder, units, 0, 'wait')
                kernel.awaitGrant(t, next[pc]!)
                ;({ ints: asked, reals: askedReals, free: askedFree, ofHolder: askedBy } = requests)
                askers = kernel.askers
                break flow
              }
              case delay: {
                const d = which[pc]!
                if (fixed[d] === 0) {
                  latest = -1
                  durations[d]!(t)
                  if (draws[d] !== null) {
                    if (isOpen[d] === 0) this.#begin(d)
                    draws[d]!.into(gap)
                  }
                } else {
                  latest = d
                  if (isOpen[d] === 0) this.#begin(d)
                  if (cursors[2 * d] === cursors[2 * d + 1]) draws[d]!.make()
                  gap[0] = means[d]! * values[d * ahead + cursors[2 * d]!++]!
                }
                const span = gap[0]!
                if (!(span >= 0 && span < Infinity)) throw new RunError(10051)
                if (calendar.freedCount === 0 && calendar.rowTop === rows.length) {
                  calendar.grow()
                  ;({ times, rows, ints, reals, freed } = calendar)
                }
                // As `Kernel.sleep`.
                const row = calendar.freedCount > 0 ? freed[--calendar.freedCount]! : calendar.rowTop++
                const at = row * 4
                places[t] = next[pc]!
                lengths[t] = span
                untils[t] = time + span
                reals[at] = 0
                reals[at + 1] = calendar.sequence++
                reals[at + 2] = 0
                reals[at + 3] = time + span
                ints[at] = resume
                ints[at + 1] = t
                ints[at + 3] = planned
                events[t] = row + ints[at + 2]! * 16777216
                if (calendar.hole && calendar.length <= small && calendar.cancelled === 0 && fill(times, rows, calendar.length, row, reals))
                  calendar.hole = false
                else calendar.put(row)
                break flow
              }
              case release: {
                const c = which[pc]!
                const book = books[c]!
                const mark = marks[c]!
                const holder = holders[t]!
                const units = amounts[pc]!
                const hold = holder < firstOfHolder.length ? firstOfHolder[holder]! : -1
                const at = hold * 8
                if (
                  hold < 0 ||
                  held[at + nextOfHolderAt]! >= 0 ||
                  held[at + containerAt] !== stock[c]!.index ||
                  (units >= 0 && heldReals[hold * 4 + amountAt] !== units)
                )
                  break
                const first = mark[firstAt]!
                const length = mark[endAt]! - first
                if (length > 0) {
                  const container = stock[c]!
                  const slot = container.queue[first]!
                  const ask = slot * 8
                  const to = asked[ask + askerAt]!
                  const other = askers[slot]!
                  // The usual way units come back: all are in use, and the first in the queue asks for as many as this record is about.
                  if (
                    asked[ask + askedAt] === container.index &&
                    askedReals[slot * 4 + askAmountAt] === heldReals[hold * 4 + amountAt] &&
                    asked[ask + regainsAt] === 0 &&
                    book[usedAt] === book[capacityAt] &&
                    container.flexible === 0 &&
                    askedBy[to] === slot &&
                    to < firstOfHolder.length &&
                    !isSuspending
                  ) {
                    // The record goes to the other: as if it were removed and one like it added.
                    firstOfHolder[holder] = -1
                    held[at + holderAt] = to
                    held[at + nextOfHolderAt] = firstOfHolder[to]!
                    firstOfHolder[to] = hold
                    heldReals[hold * 4 + priorityAt] = askedReals[slot * 4 + askPriorityAt]!
                    heldReals[hold * 4 + sequenceAt] = askedReals[slot * 4 + askSequenceAt]!
                    const head = mark[firstHoldAt]!
                    if (head !== hold) {
                      const behind = held[at + nextAt]!
                      const before = held[at + previousAt]!
                      held[before * 8 + nextAt] = behind
                      if (behind >= 0) held[behind * 8 + previousAt] = before
                      held[at + nextAt] = head
                      held[at + previousAt] = -1
                      held[head * 8 + previousAt] = hold
                      mark[firstHoldAt] = hold
                    }
                    // As `Container.removeAt`, then `Requests.forget`.
                    mark[firstAt] = length === 1 ? 0 : first + 1
                    if (length === 1) mark[endAt] = 0
                    askedBy[to] = asked[ask + nextAskedAt]!
                    asked[ask + roundAt]!++
                    asked[ask + isWaitingAt] = 0
                    asked[ask + askedAt] = -1
                    askedFree[requests.freeCount++] = slot
                    recordWait(book, now, askedReals, slot * 4 + arrivalAt)
                    record(book, now)
                    recordQueue(book, now, length - 1)
                    got.amount = heldReals[hold * 4 + amountAt]!
                    got.alternative = 0
                    // As `Kernel.granted`.
                    asks[other] = -1
                    let isDue = false
                    if (calendar.hole && calendar.cancelled === 0) {
                      const below = calendar.length < small ? calendar.length : small
                      for (let child = 1; child < below; child++) if (times[child]! <= time) isDue = true
                    } else isDue = calendar.isDue
                    if (!isDue && (kernel.wokenCount === 0 || kernel.wokenAt === time) && kernel.wokenCount < woken.length) {
                      kernel.wokenAt = time
                      woken[kernel.wokenCount++] = other
                      kernel.hasWoken = true
                    } else {
                      kernel.wake(other)
                      woken = kernel.woken
                      ;({ times, rows, ints, reals, freed } = calendar)
                    }
                  } else {
                    containers.release(container, holder, units < 0 ? null : units, null)
                    woken = kernel.woken
                    ;({ ints: held, reals: heldReals, firstOfHolder } = holdings)
                    ;({ times, rows, ints, reals, freed } = calendar)
                  }
                  pc = next[pc]!
                  continue
                }
                // As `Holdings.remove`.
                firstOfHolder[holder] = -1
                const behind = held[at + nextAt]!
                const before = held[at + previousAt]!
                if (before < 0) mark[firstHoldAt] = behind
                else held[before * 8 + nextAt] = behind
                if (behind >= 0) held[behind * 8 + previousAt] = before
                held[at + holderAt] = -1
                held[at + nextAt] = holdings.free
                holdings.free = hold
                book[usedAt]! -= heldReals[hold * 4 + amountAt]!
                record(book, now)
                pc = next[pc]!
                continue
              }
              case end:
                if (parents[t]! < 0 && watching[t] === 0 && !tokens.anything && (t >= firstOfHolder.length || firstOfHolder[t]! < 0)) {
                  // As `Tokens.remove`.
                  places[t] = -1
                  tokens.count--
                  spare[tokens.freed++] = t
                  break flow
                }
            }
            // Not plain, or not here: the token's own function takes it from this step, and run.ts the rest of the instant.
            stranger = t
            strangerAt = pc
            break instants
          }
          if (done === kernel.wokenCount) break
          t = woken[done++]!
        }
        if (done > 0) {
          left--
          kernel.wokenCount = 0
          kernel.hasWoken = false
        }
        if (calendar.hole) {
          const length = calendar.length - 1
          if (length <= small && calendar.cancelled === 0 && (length === 0 || fill(times, rows, length, rows[length]!, reals))) {
            calendar.hole = false
            calendar.length = length
          } else calendar.close()
        }
        if (calendar.length === 0 || times[0]! > time) {
          left = -1
          made++
        }
      }
    } finally {
      this.made = made
      this.told(kind, time, about, detail, latest)
    }
    if (stranger >= 0) this.handOver(stranger, strangerAt, done)
    else if (left >= 0) this.#refuel()
    this.left = stranger >= 0 && done > 0 ? left - 1 : left
    return made
  }

  /** The rest of the world is told of the event taken last, and of where was drawn last. */
  told(kind: number, time: number, about: number, detail: number, latest: number): void {
    const world = this.#world
    const calendar = this.#calendar
    if (kind >= 0) {
      world.time = time
      if (!this.#ticking) world.tick = Math.floor(time)
      calendar.now = time
      calendar.time = time
      calendar.kind = kind
      calendar.a = about
      calendar.b = detail
      calendar.priority = 0
      calendar.phase = atTimer
    }
    if (latest >= 0) this.#setPlace(this.#places[latest]!)
    this.#close()
  }

  /** Asks whether what is sought is here. An error of that leaves no trace of what was drawn before it. */
  seek(k: number, t: number, latest: number): void {
    if (latest >= 0) this.#setPlace(this.#places[latest]!)
    this.#entries.sought[k]!(t)
  }

  /** The time span a function left, drawn where it left a mean. */
  drawn(d: number): number {
    const { gap } = this.#kernel
    const draw = this.#draws[d]
    if (draw) {
      if (this.#isOpen[d] === 0) this.#begin(d)
      draw.into(gap)
    }
    return gap[0]!
  }

  #begin(d: number): void {
    this.#draws[d]!.open()
    this.#isOpen[d] = 1
    this.#open.push(d)
  }

  /** Streams stand where others expect them. */
  #close(): void {
    for (const d of this.#open) {
      this.#draws[d]!.close()
      this.#isOpen[d] = 0
    }
    this.#open.length = 0
  }

  handOver(t: number, pc: number, done: number): void {
    const kernel = this.#kernel
    kernel.fuel = bound - done
    this.#refuel()
    if (pc >= 0) kernel.goFrom(t, pc)
    kernel.finishWoken(done)
  }
}
