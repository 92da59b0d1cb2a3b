// The express lane: plain events at plain steps - a timer start, a request for units, a delay, a release, an end - run here in
// one loop, without coming back to the calendar's and the kernel's general ways between two of them. What is plain is found
// while compiling (compile/express.ts); whatever else turns up is left to the token's own function, and the instant to
// run.ts. Nothing is kept here: tokens, events and units stand where everybody else looks for them, and streams do again when the
// lane is left, so that a run is the same with and without it. Debug and metered builds have none; the tests compare.
import { ExponentialDraws } from '../kernel/ahead.ts'
import type { Calendar } from '../kernel/calendar.ts'
import { rowState } from '../kernel/calendar.ts'
import type { Stream } from '../kernel/random.ts'
import { RunError } from '../problems.ts'
import type { Container } from '../world/container.ts'
import type { Containers } from '../world/containers.ts'
import { holdingAt } from '../world/holdings.ts'
import type { World } from '../world/world.ts'
import type { Clockwork } from './clockwork.ts'
import { eventKind, maximumSteps, phase } from './events.ts'
import type { Kernel } from './kernel.ts'
import type { Tokens } from './tokens.ts'

/** What a token does at a position. `other`: its process function knows. `pass` is for the compiler, plans have none. */
export const plain = { other: 0, pass: 1, request: 2, delay: 3, release: 4, end: 5 } as const

/** Plain steps by position (step * 8 + entry). */
export type ExpressPlan = {
  codes: Uint8Array
  /** Where the token goes on; of a request that waits and of a delay, where it stands meanwhile. */
  next: Int32Array
  /** The container, as an index into `containers`; of a delay its number among the durations. */
  which: Int32Array
  /** Units, whole numbers; -1 = all that are held. */
  amounts: Int32Array
  /** Processes whose timer start is plain. */
  starts: Uint8Array
  /** Parts of the containers. */
  containers: readonly number[]
}

/**
 * An exponential time span: its mean, NaN when the function is to be asked for it; the place of its formula; how often it is drawn at most,
 * where no function is asked.
 */
type Drawing = readonly [stream: Stream, mean: number, place: number, limit: number]

/** What a generated program has for plain steps. Functions leave a time span in `kernel.gap`, or the mean where there is a drawing. */
export type ExpressEntries = {
  durations: ((t: number) => void)[]
  drawn: (Drawing | null)[]
  /** Of a timer start: false when there is no further arrival. */
  arrivals: ((() => boolean) | null)[]
  arrivalsDrawn: (Drawing | null)[]
  /** How often each timer start has gone off; counted where there is a limit. */
  fired: Float64Array
}

class Drawn {
  readonly draws: ExponentialDraws
  readonly isFixed: boolean
  readonly mean: number
  readonly place: number
  readonly limit: number
  isOpen = false

  constructor([stream, mean, place, limit]: Drawing) {
    this.draws = new ExponentialDraws(stream)
    this.isFixed = mean >= 0 && mean < Infinity
    this.mean = mean
    this.place = place
    this.limit = limit
  }
}

const drawnOf = (drawing: Drawing | null): Drawn | null => drawing && new Drawn(drawing)

type Settings = {
  plan: ExpressPlan
  entries: ExpressEntries
  setPlace: (place: number) => void
  world: World
  kernel: Kernel
  clockwork: Clockwork
  ticking: boolean
  refuel: () => void
}

// Constants of this module stand in the code as numbers; those of others would be looked up each time.
const { request, delay, release, end } = plain
const { resume, timer } = eventKind
const { free, waiting } = rowState
const atTimer = phase.timer
const planned = waiting + 4 * atTimer
const bound = maximumSteps
const { holder: holderAt, container: containerAt, key: keyAt, nextOfHolder: nextOfHolderAt, next: nextAt, previous: previousAt } = holdingAt
const { amount: amountAt, priority: priorityAt, sequence: sequenceAt } = holdingAt

/** Instants run at one go, so that the engine may change to better code in between. */
const most = 4096

/** Steps left to an instant from which on the general way counts. */
const nearlyExhausted = 1000

export class Express {
  /** Those drawn from since `run` began. */
  readonly #open: Drawn[] = []
  /** Set by `run`: steps left to the instant that is to be gone on with; -1 when it ended between two instants. */
  left = -1
  readonly #plan: ExpressPlan
  readonly #entries: ExpressEntries
  readonly #drawn: readonly (Drawn | null)[]
  readonly #arrivalsDrawn: readonly (Drawn | null)[]
  readonly #setPlace: (place: number) => void
  readonly #world: World
  readonly #kernel: Kernel
  readonly #calendar: Calendar
  readonly #tokens: Tokens
  readonly #containers: Containers
  readonly #clockwork: Clockwork
  #stock: readonly Container[] | null = null
  readonly #ticking: boolean
  readonly #refuel: () => void

  constructor({ plan, entries, setPlace, world, kernel, clockwork, ticking, refuel }: Settings) {
    this.#plan = plan
    this.#entries = entries
    this.#drawn = entries.drawn.map(drawnOf)
    this.#arrivalsDrawn = entries.arrivalsDrawn.map(drawnOf)
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

  /**
   * Runs instants up to `until` and before `ending`, `limit` at most, as long as they begin with a plain event. Returns how many
   * it ran to their end.
   *
   * One function, arrays in constants: what is told by the work of others (calendar.ts, tokens.ts, holdings.ts) is written out
   * here, because at some forty calls a customer calling costs more than all else.
   */
  run(until: number, ending: number, limit: number): number {
    const calendar = this.#calendar
    const world = this.#world
    const tokens = this.#tokens
    const kernel = this.#kernel
    const containers = this.#containers
    const { holdings, got } = containers
    const stock = (this.#stock ??= this.#plan.containers.map(index => this.#clockwork.containersOf(index)[0]!))
    const { gap, woken } = kernel
    const { entry } = kernel.processes
    const { codes, next, which, amounts, starts } = this.#plan
    const { durations, arrivals, fired } = this.#entries
    const drawn = this.#drawn
    const arrivalsDrawn = this.#arrivalsDrawn
    const last = limit < most ? limit : most
    let { times, rows, ints, reals, freed } = calendar
    let { pc: places, holder: holders, event: events, request: requests, until: untils, length: lengths } = tokens
    let { ints: held, reals: heldReals, firstOfHolder } = holdings
    let made = 0
    let time = 0
    // What was drawn last without a function: its place has yet to be told.
    let latest: Drawn | null = null
    // Steps left to the instant that runs; -1 between two.
    let left = -1
    try {
      while (made < last) {
        if (calendar.hole) calendar.close()
        if (calendar.length === 0) break
        const root = rows[0]! * 4
        const kind = ints[root]!
        let t = ints[root + 1]!
        const isPlain = kind === timer ? starts[t] === 1 : kind === resume && codes[places[t]!] !== 0
        // An instant that does not end is stopped by the general way, too.
        if (!isPlain || (left >= 0 && left < nearlyExhausted)) {
          if (left >= 0) this.#refuel()
          this.left = left
          return made
        }
        if (left < 0) {
          time = times[0]!
          if (time > until || time >= ending) break
          world.time = time
          calendar.now = time
          if (!this.#ticking) world.tick = Math.floor(time)
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
        calendar.time = time
        calendar.kind = kind
        calendar.a = t
        calendar.b = reals[root + 2]!
        calendar.priority = 0
        calendar.phase = atTimer
        ints[root + 2]!++
        ints[root + 3] = free
        freed[calendar.freedCount++] = root >> 2
        calendar.hole = true
        left--
        if (kind === timer) {
          const process = t
          const drawing = arrivalsDrawn[process]!
          let isMore = true
          if (drawing === null || !drawing.isFixed) {
            latest = null
            isMore = arrivals[process]!()
          } else {
            if (drawing.limit < Infinity) {
              if (fired[process]! >= drawing.limit) isMore = false
              else fired[process]!++
            }
            if (isMore) latest = drawing
            gap[0] = drawing.mean
          }
          if (isMore) {
            if (drawing !== null) {
              if (!drawing.isOpen) this.#begin(drawing)
              drawing.draws.into(gap)
            }
            const span = gap[0]!
            if (!(span >= 0 && span < Infinity)) throw new RunError(10051)
            const row = calendar.freedCount > 0 ? freed[--calendar.freedCount]! : calendar.rowTop++
            const at = row * 4
            reals[at] = 0
            reals[at + 1] = calendar.sequence++
            reals[at + 2] = -1
            reals[at + 3] = time + span
            ints[at] = timer
            ints[at + 1] = process
            ints[at + 3] = planned
            calendar.put(row)
          }
          // A token of nobody, as `Tokens.create` makes it.
          if (tokens.freed === 0 && tokens.top === places.length) {
            tokens.reserve()
            if (tokens.top === tokens.pc.length) throw new RunError(10049)
            ;({ pc: places, holder: holders, event: events, request: requests, until: untils, length: lengths } = tokens)
          }
          t = tokens.freed > 0 ? tokens.free[--tokens.freed]! : tokens.top++
          tokens.count++
          places[t] = entry[process]!
          tokens.process[t] = process
          tokens.owner[t] = -1
          events[t] = -1
          requests[t] = -1
          lengths[t] = 0
          tokens.born[t] = time
          tokens.serial[t] = ++tokens.serials
          if (tokens.single[t] === 0) tokens.alone(t)
        } else events[t] = -1
        let done = 0
        for (;;) {
          kernel.current = t
          let pc = places[t]!
          flow: for (;;) {
            switch (codes[pc]) {
              case request: {
                const container = stock[which[pc]!]!
                const holder = holders[t]!
                const units = amounts[pc]!
                const used = container.amounts[0]!
                const hold = holdings.free
                if (units <= container.capacities[0]! - used && container.queueLength === 0 && hold >= 0 && holder < firstOfHolder.length) {
                  container.amounts[0] = used + units
                  // As `Holdings.add`.
                  const at = hold * 8
                  holdings.free = held[at + nextAt]!
                  held[at + holderAt] = holder
                  held[at + containerAt] = container.index
                  held[at + keyAt] = 0
                  held[at + nextOfHolderAt] = firstOfHolder[holder]!
                  const behind = container.firstHold
                  held[at + nextAt] = behind
                  held[at + previousAt] = -1
                  if (behind >= 0) held[behind * 8 + previousAt] = hold
                  container.firstHold = hold
                  firstOfHolder[holder] = hold
                  heldReals[hold * 4 + amountAt] = units
                  heldReals[hold * 4 + priorityAt] = 0
                  heldReals[hold * 4 + sequenceAt] = containers.sequence++
                  container.recordAtOnce()
                  got.amount = units
                  got.alternative = 0
                  pc = next[pc]!
                  continue
                }
                if (units > container.capacities[0]! - used && units <= container.capacities[0]!) {
                  containers.queueUp(container, holder, units)
                  kernel.awaitGrant(t, next[pc]!)
                  break flow
                }
                break
              }
              case delay: {
                const drawing = drawn[which[pc]!]!
                if (drawing === null || !drawing.isFixed) {
                  latest = null
                  durations[which[pc]!]!(t)
                } else {
                  latest = drawing
                  gap[0] = drawing.mean
                }
                if (drawing !== null) {
                  if (!drawing.isOpen) this.#begin(drawing)
                  drawing.draws.into(gap)
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
                calendar.put(row)
                break flow
              }
              case release: {
                const container = stock[which[pc]!]!
                const holder = holders[t]!
                const units = amounts[pc]!
                const hold = holder < firstOfHolder.length ? firstOfHolder[holder]! : -1
                const at = hold * 8
                if (
                  hold >= 0 &&
                  held[at + nextOfHolderAt]! < 0 &&
                  held[at + containerAt] === container.index &&
                  (units < 0 || heldReals[hold * 4 + amountAt] === units)
                ) {
                  if (container.queueLength > 0) {
                    const slot = containers.passOn(container, hold)
                    if (slot < 0) containers.release(container, holder, units < 0 ? null : units, null)
                    else kernel.grantedAt(slot)
                    ;({ ints: held, reals: heldReals, firstOfHolder } = holdings)
                    ;({ times, rows, ints, reals, freed } = calendar)
                    pc = next[pc]!
                    continue
                  }
                  // As `Holdings.remove`.
                  firstOfHolder[holder] = -1
                  const behind = held[at + nextAt]!
                  const before = held[at + previousAt]!
                  if (before < 0) container.firstHold = behind
                  else held[before * 8 + nextAt] = behind
                  if (behind >= 0) held[behind * 8 + previousAt] = before
                  held[at + holderAt] = -1
                  held[at + nextAt] = holdings.free
                  holdings.free = hold
                  container.amounts[0]! -= heldReals[hold * 4 + amountAt]!
                  container.record()
                  pc = next[pc]!
                  continue
                }
                break
              }
              case end:
                if (
                  tokens.parent[t]! < 0 &&
                  tokens.watching[t] === 0 &&
                  !tokens.anything &&
                  (t >= firstOfHolder.length || firstOfHolder[t]! < 0)
                ) {
                  // As `Tokens.remove`.
                  places[t] = -1
                  tokens.count--
                  tokens.free[tokens.freed++] = t
                  break flow
                }
            }
            // Not plain, or not here: the token's own function takes it from this step, and run.ts the rest of the instant.
            if (latest !== null) this.#setPlace(latest.place)
            latest = null
            this.#close()
            this.#handOver(t, pc, done)
            this.left = done > 0 ? left - 1 : left
            return made
          }
          if (done === kernel.wokenCount) break
          t = woken[done++]!
        }
        if (done > 0) {
          left--
          kernel.wokenCount = 0
          kernel.hasWoken = false
        }
        if (calendar.hole ? !calendar.isDue : calendar.length === 0 || times[0]! > time) {
          left = -1
          made++
        }
      }
      this.left = -1
      return made
    } finally {
      if (latest !== null) this.#setPlace(latest.place)
      this.#close()
    }
  }

  #begin(drawing: Drawn): void {
    drawing.draws.open()
    drawing.isOpen = true
    this.#open.push(drawing)
  }

  /** Streams stand where others expect them. */
  #close(): void {
    for (const drawing of this.#open) {
      drawing.draws.close()
      drawing.isOpen = false
    }
    this.#open.length = 0
  }

  #handOver(t: number, pc: number, done: number): void {
    const kernel = this.#kernel
    kernel.fuel = bound - done
    this.#refuel()
    if (pc >= 0) kernel.goFrom(t, pc)
    kernel.finishWoken(done)
  }
}
