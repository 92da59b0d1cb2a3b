// Words of the head of the memory that are fields of JavaScript objects elsewhere: they go in and out at each hand-over.
import type { LoweredProcesses } from '../../lower/lowered.ts'
import * as pops from '../../runtime/populations.ts'
import * as rt from '../../runtime/processes.ts'
import * as spaces from '../../runtime/spaces.ts'
import type { Residents, Space } from '../../world/space.ts'
import type { Built } from '../build.ts'
import { eventKind, lastPriority, phase } from '../events.ts'
import type { Layout } from './layout.ts'
import { fieldAt } from './world-fields.ts'
import type { Field } from './world-fields.ts'

// What another module exports would be looked up each time.
const atTime = rt.TIME >> 3
const atTick = rt.TICK >> 3
const atSequence = rt.SEQUENCE >> 3
const atHoldSequence = rt.HOLD_SEQUENCE >> 3
const atSerials = rt.SERIALS >> 3
const atLastRequest = rt.LAST_REQUEST >> 3
const atGot = rt.GOT >> 3
const atWokenAt = rt.WOKEN_AT >> 3
const atSize = rt.SIZE >> 2
const atHole = rt.HOLE >> 2
const atCancelled = rt.CANCELLED >> 2
const atFreedCount = rt.FREED_COUNT >> 2
const atRowTop = rt.ROW_TOP >> 2
const atSpareCount = rt.SPARE_COUNT >> 2
const atTokenCount = rt.TOKEN_COUNT >> 2
const atTokenTop = rt.TOKEN_TOP >> 2
const atHoldFree = rt.HOLD_FREE >> 2
const atHoldTop = rt.HOLD_TOP >> 2
const atHolders = rt.HOLDERS >> 2
const atAskedTop = rt.ASKED_TOP >> 2
const atAskedCount = rt.ASKED_COUNT >> 2
const atWokenCount = rt.WOKEN_COUNT >> 2
const atLastKind = rt.LAST_KIND >> 2
const atLastAbout = rt.LAST_ABOUT >> 2
const atLastDetail = rt.LAST_DETAIL >> 3
const atCurrent = rt.CURRENT >> 2
const atSuspendedCount = rt.SUSPENDED_COUNT >> 2
const atLimboCount = rt.LIMBO_COUNT >> 2
const atStacked = rt.STACKED >> 2
const atFirstGroup = rt.FIRST_GROUP >> 2
const atLastGroup = rt.LAST_GROUP >> 2
const atGroupFree = rt.GROUP_FREE >> 2
const atGroupTop = rt.GROUP_TOP >> 2
const atGroupCount = rt.GROUP_COUNT >> 2
const atArrivalFree = rt.ARRIVAL_FREE >> 2
const atArrivalTop = rt.ARRIVAL_TOP >> 2
const atWatchSerials = rt.WATCH_SERIALS >> 3
const atWatchFree = rt.WATCH_FREE >> 2
const atWatchTop = rt.WATCH_TOP >> 2
const atWatchSize = rt.WATCH_SIZE >> 2
const atFirstCondition = rt.FIRST_CONDITION >> 2
const atLastCondition = rt.LAST_CONDITION >> 2
const atFirstTrue = rt.FIRST_TRUE >> 2
const atLookAt = rt.LOOK_AT >> 2
const atLastRank = rt.LAST_RANK >> 3

export class Words {
  /** Whether they are those of the fields elsewhere, as a token went the general way last. */
  areOut = true
  readonly #built: Built
  readonly #layout: Layout
  readonly #ticking: boolean
  /** Streams, and by number shared variables and firings of timer starts. */
  readonly #streams: readonly { readonly words: Int32Array; readonly at: number }[]
  readonly #numbers: readonly { readonly index: number; readonly at: number }[]
  readonly #flags: readonly { readonly index: number; readonly at: number }[]
  readonly #fired: readonly { readonly index: number; readonly at: number }[]

  readonly #residents: readonly { readonly who: Residents; readonly at: number }[]
  readonly #spaces: readonly { readonly space: Space; readonly at: number }[]
  readonly #hasPlaces: boolean
  readonly #others: readonly (Field & { readonly at: number })[]

  constructor(
    built: Built,
    { streams, shared, fired, numbers, residents, spaces: places }: LoweredProcesses,
    layout: Layout,
    ticking: boolean,
  ) {
    this.#built = built
    this.#layout = layout
    this.#ticking = ticking
    const { world } = built
    const found = (is: boolean) =>
      [...shared].filter(([{ storage }]) => (storage === 'bool') === is).map(([{ index }, at]) => ({ index, at: at >> (is ? 2 : 3) }))
    this.#streams = [...streams].map(([component, at]) => ({ words: world.stream(component), at: at >> 2 }))
    this.#numbers = found(false)
    this.#flags = found(true)
    this.#residents = [...residents].map(([{ index }, at]) => ({ who: world.residents(world.population(index))!, at }))
    this.#spaces = [...places].map(([{ index }, at]) => ({ space: world.space(index), at }))
    this.#hasPlaces = this.#residents.length + this.#spaces.length > 0
    this.#others = numbers.map(({ path, at }) => ({ ...fieldAt(built, path), at: at >> 2 }))
    this.#fired = [...fired].map(([index, at]) => ({ index, at: at >> 3 }))
  }

  /** What was given last. */
  gotOut(): void {
    const amount = this.#layout.F64[atGot]!
    if (!(amount === amount)) return
    const { got } = this.#built.world.containers
    got.amount = amount
    got.alternative = 0
  }

  /** Fields elsewhere -> words of the head. */
  in(): void {
    const { world, kernel, entries, stores } = this.#built
    const { calendar, containers } = world
    const { tokens } = kernel
    const { holdings, requests } = containers
    const I32 = this.#layout.I32
    const F64 = this.#layout.F64
    F64[atTime] = world.time
    F64[atTick] = world.tick
    F64[atSequence] = calendar.sequence
    F64[atHoldSequence] = containers.sequence
    F64[atSerials] = tokens.serials
    F64[atLastRequest] = containers.last[0]!
    F64[atGot] = Number.NaN
    F64[atWokenAt] = kernel.wokenAt
    I32[atSize] = calendar.length
    I32[atHole] = Number(calendar.hole)
    I32[atCancelled] = calendar.cancelled
    I32[atFreedCount] = calendar.freedCount
    I32[atRowTop] = calendar.rowTop
    I32[atSpareCount] = tokens.freed
    I32[atLimboCount] = tokens.limboCount
    I32[atTokenCount] = tokens.count
    I32[atTokenTop] = tokens.top
    I32[atSuspendedCount] = tokens.suspendedCount
    I32[atHoldFree] = holdings.free
    I32[atHoldTop] = holdings.top
    I32[atHolders] = holdings.holders
    I32[atAskedTop] = requests.top
    I32[atAskedCount] = requests.freeCount
    I32[atWokenCount] = kernel.wokenCount
    I32[atStacked] = kernel.stacked
    const { gatherings } = kernel.joins
    I32[atFirstGroup] = gatherings.first
    I32[atLastGroup] = gatherings.last
    I32[atGroupFree] = gatherings.freeGroup
    I32[atGroupTop] = gatherings.groupTop
    I32[atGroupCount] = gatherings.size
    I32[atArrivalFree] = gatherings.freeArrival
    I32[atArrivalTop] = gatherings.arrivalTop
    const { rows } = kernel.watches
    F64[atWatchSerials] = rows.serials
    I32[atWatchFree] = rows.free
    I32[atWatchTop] = rows.top
    I32[atWatchSize] = rows.size
    I32[atFirstCondition] = rows.firstCondition
    I32[atLastCondition] = rows.lastCondition
    I32[atFirstTrue] = rows.firstTrue
    I32[atLookAt] = rows.cursor
    this.areOut = false
    for (const { population, at } of this.#layout.peopled) {
      I32[(at + pops.LIVING_COUNT) >> 2] = population.livingCount
      I32[(at + pops.COUNT) >> 2] = population.count
      population.ranks[0] = 0
      I32[(at + pops.TOP) >> 2] = population.top
      I32[(at + pops.FREED_SLOT_COUNT) >> 2] = population.freedCount
      I32[(at + pops.SETTLED) >> 2] = population.settled
      F64[(at + pops.BIRTHS) >> 3] = population.births
      F64[(at + pops.MAXIMUM) >> 3] = population.maximum
    }
    if (this.#hasPlaces) this.placesIn()
    for (const { words, at } of this.#streams) for (let k = 0; k < 4; k++) I32[at + k] = words[k]!
    for (const { index, at } of this.#numbers) F64[at] = stores.numbers[index]!
    for (const { index, at } of this.#flags) I32[at] = stores.flags[index]!
    for (const { index, at } of this.#fired) F64[at] = entries.fired[index]!
    for (const { owner, field, at } of this.#others) I32[at] = Reflect.get(owner, field) as number
  }

  /** Of spaces: how many stand there, and on how many cells nobody does. */
  placesIn(): void {
    const { I32, F64 } = this.#layout
    for (const { who, at } of this.#residents) {
      I32[(at + spaces.PLACED) >> 2] = who.placed
      I32[(at + spaces.BEHIND) >> 2] = who.behind
    }
    for (const { space, at } of this.#spaces) {
      const { counts, tracksEmpty } = space.lend()
      F64[(at + spaces.CELL_CAPACITY) >> 3] = space.cellCapacity
      I32[(at + spaces.EMPTY_COUNT) >> 2] = space.emptyCount
      I32[(at + spaces.COUNTS) >> 2] = Number(counts)
      I32[(at + spaces.TRACKS_EMPTY) >> 2] = Number(tracksEmpty)
    }
  }

  placesOut(): void {
    const { I32 } = this.#layout
    for (const { who, at } of this.#residents) {
      who.placed = I32[(at + spaces.PLACED) >> 2]!
      who.behind = I32[(at + spaces.BEHIND) >> 2]!
    }
    for (const { space, at } of this.#spaces) space.emptyCount = I32[(at + spaces.EMPTY_COUNT) >> 2]!
  }

  /** Words of the head -> fields elsewhere. */
  out(): void {
    this.areOut = true
    const { world, kernel, entries, stores } = this.#built
    const { calendar, containers } = world
    const { tokens } = kernel
    const { holdings, requests } = containers
    const I32 = this.#layout.I32
    const F64 = this.#layout.F64
    calendar.sequence = F64[atSequence]!
    containers.sequence = F64[atHoldSequence]!
    tokens.serials = F64[atSerials]!
    containers.last[0] = F64[atLastRequest]!
    this.gotOut()
    kernel.wokenAt = F64[atWokenAt]!
    kernel.wokenCount = I32[atWokenCount]!
    kernel.stacked = I32[atStacked]!
    const { gatherings } = kernel.joins
    gatherings.first = I32[atFirstGroup]!
    gatherings.last = I32[atLastGroup]!
    gatherings.freeGroup = I32[atGroupFree]!
    gatherings.groupTop = I32[atGroupTop]!
    gatherings.size = I32[atGroupCount]!
    gatherings.freeArrival = I32[atArrivalFree]!
    gatherings.arrivalTop = I32[atArrivalTop]!
    const { rows } = kernel.watches
    rows.serials = F64[atWatchSerials]!
    rows.free = I32[atWatchFree]!
    rows.top = I32[atWatchTop]!
    rows.size = I32[atWatchSize]!
    rows.firstCondition = I32[atFirstCondition]!
    rows.lastCondition = I32[atLastCondition]!
    rows.firstTrue = I32[atFirstTrue]!
    rows.cursor = I32[atLookAt]!
    kernel.hasWoken = kernel.wokenCount > 0
    calendar.length = I32[atSize]!
    calendar.cancelled = I32[atCancelled]!
    calendar.hole = I32[atHole] !== 0
    calendar.freedCount = I32[atFreedCount]!
    calendar.rowTop = I32[atRowTop]!
    tokens.freed = I32[atSpareCount]!
    tokens.limboCount = I32[atLimboCount]!
    tokens.count = I32[atTokenCount]!
    tokens.top = I32[atTokenTop]!
    tokens.suspendedCount = I32[atSuspendedCount]!
    holdings.free = I32[atHoldFree]!
    holdings.top = I32[atHoldTop]!
    holdings.holders = I32[atHolders]!
    requests.top = I32[atAskedTop]!
    requests.freeCount = I32[atAskedCount]!
    for (const { population, at } of this.#layout.peopled) {
      population.livingCount = I32[(at + pops.LIVING_COUNT) >> 2]!
      population.count = I32[(at + pops.COUNT) >> 2]!
      population.top = I32[(at + pops.TOP) >> 2]!
      population.freedCount = I32[(at + pops.FREED_SLOT_COUNT) >> 2]!
      population.settled = I32[(at + pops.SETTLED) >> 2]!
      population.births = F64[(at + pops.BIRTHS) >> 3]!
    }
    if (this.#hasPlaces) this.placesOut()
    for (const { words, at } of this.#streams) for (let k = 0; k < 4; k++) words[k] = I32[at + k]!
    for (const { index, at } of this.#numbers) stores.numbers[index] = F64[at]!
    for (const { index, at } of this.#flags) stores.flags[index] = I32[at]!
    for (const { index, at } of this.#fired) entries.fired[index] = F64[at]!
    for (const { owner, field, at } of this.#others) Reflect.set(owner, field, I32[at])
    const kind = I32[atLastKind]!
    if (kind < 0) return
    const time = F64[atTime]!
    world.time = time
    if (!this.#ticking) world.tick = Math.floor(time)
    calendar.now = time
    calendar.time = time
    calendar.kind = kind
    calendar.a = I32[atLastAbout]!
    calendar.b = F64[atLastDetail]!
    calendar.priority = kind === eventKind.watch ? F64[atLastRank]! : kind === eventKind.expire ? lastPriority : 0
    calendar.phase = kind === eventKind.birth ? phase.tick : phase.timer
    kernel.current = I32[atCurrent]!
  }
}
