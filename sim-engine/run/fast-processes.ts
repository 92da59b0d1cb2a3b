// Processes with tokens as WebAssembly (lower/processes/process.ts, runtime/processes.ts). The arrays of tokens, calendar, held units, requests
// and containers move into one memory and stay there: the general way works on the same bytes through the same typed arrays, and
// either goes on where the other left. Words that are fields of JavaScript objects go in and out at each stretch.
import { atan2, log } from '../kernel/math.ts'
import { uniform } from '../kernel/random.ts'
import type { Settling } from '../lower/processes/memory.ts'
import type { LoweredProcesses } from '../lower/lowered.ts'
import type { NativeRows } from '../rows.ts'
import { RunError } from '../problems.ts'
import * as pops from '../runtime/populations.ts'
import * as rt from '../runtime/processes.ts'
import { HEADS } from '../runtime/spaces.ts'
import type { Program } from '../compile.ts'
import type { Container } from '../world/container.ts'
import type { Population } from '../world/population.ts'
import type { Residents } from '../world/space.ts'
import type { Built } from './build.ts'
import { eventKind, lastPriority, phase } from './events.ts'
import { itemsOf, layOutSpaces, libraryOf, motions } from './process-host.ts'
import { compiledOf, hasFastProcesses, tokenWords } from './process-module.ts'
import type { Compiled } from './process-module.ts'

// Of words that go in and out at each hand-over. What another module exports would be looked up each time.
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
const atAskedTop = rt.ASKED_TOP >> 2
const atAskedCount = rt.ASKED_COUNT >> 2
const atWokenCount = rt.WOKEN_COUNT >> 2
const atLastKind = rt.LAST_KIND >> 2
const atLastAbout = rt.LAST_ABOUT >> 2
const atLastDetail = rt.LAST_DETAIL >> 3
const atCurrent = rt.CURRENT >> 2
const atFuel = rt.FUEL >> 2
const atLimboCount = rt.LIMBO_COUNT >> 2
const atStacked = rt.STACKED >> 2
const atFirstGroup = rt.FIRST_GROUP >> 2
const atLastGroup = rt.LAST_GROUP >> 2
const atGroupFree = rt.GROUP_FREE >> 2
const atGroupTop = rt.GROUP_TOP >> 2
const atGroupCount = rt.GROUP_COUNT >> 2
const atArrivalFree = rt.ARRIVAL_FREE >> 2
const atArrivalTop = rt.ARRIVAL_TOP >> 2

type Numbers = Uint8Array<ArrayBuffer> | Int32Array<ArrayBuffer> | Float64Array<ArrayBuffer>

const page = 65536
const maxBytes = 2 ** 30
/** Memories kept for later runs of a program. */
const maxSpare = 4
/** Instants of the general way before a module is made; before one that is there is used. */
const instantsToMake = 3000
const instantsToEnter = 64
/** Tokens of a tick from which on it takes less time here than words take to go in and out. */
const fewestInTick = 16
/** Instants run at one go: code that runs is not exchanged for better before it is called again. */
const instantsAtOnce = 4096
/** Of so many instants and hand-overs to the general way one looks how many were the latter; more than this share, and it is quicker alone. */
const instantsToJudge = 8192
const mostHandedOver = 0.35
/** Instants of the general way before it is tried again. */
const instantsToForget = 200_000
/** An array that stands in the memory, as a field of its owner; `word` holds its address. */
type Slot = { readonly owner: object; readonly field: string; readonly word: number; view: Numbers | null }

type Held = {
  readonly container: Container
  readonly at: number
  book: Float64Array<ArrayBuffer>
  marks: Int32Array<ArrayBuffer>
  queue: Int32Array
}
/** Individuals that are born, die or have tokens here; `at` is the address of the record. */
type Peopled = { readonly population: Population; readonly at: number; handles: Float64Array }
const slot = (owner: object, field: string, word: number): Slot => ({ owner, field, word, view: null })
/** One of each group of arrays that are replaced together, as it was when all were laid out. */
type Seen = Record<
  'events' | 'held' | 'holders' | 'asked' | 'askedBy' | 'askers' | 'woken' | 'stack' | 'groups' | 'arrivals' | 'tokens',
  Int32Array
>

export class FastProcesses {
  /** Set by `run`: steps left to the instant that is to be gone on with; -1 when it ended between two instants. */
  left = -1
  #made = 0
  /** Instants run, and hand-overs to the general way, since they were judged last. */
  #ran = 0
  #handedOver = 0
  readonly #program: Program
  readonly #built: Built
  readonly #ticking: boolean
  readonly #mayGiveUp: boolean
  /** Instants of the general way yet to come before the next try. */
  #patience = instantsToMake
  #compiled: Compiled | null | undefined
  #memory: WebAssembly.Memory | null = null
  #advance: (() => void) | null = null
  #ticks: (() => void) | null = null
  #isTicking = false
  #slots: Slot[] = []
  #containers: Held[] = []
  #peopled: Peopled[] = []
  #columns: { readonly owner: { data: unknown }; data: unknown }[] = []
  /** Those who are looked for by where they stand. */
  #residents: { readonly who: Residents; heads: Int32Array | null }[] = []
  #seen: Seen | null = null
  /** What stands in the head of the memory, elsewhere: streams, and by number shared variables and firings of timer starts. */
  #streams: { readonly words: Int32Array; readonly at: number }[] = []
  #numbers: { readonly index: number; readonly at: number }[] = []
  #flags: { readonly index: number; readonly at: number }[] = []
  #fired: { readonly index: number; readonly at: number }[] = []
  /** Whether the words of the head are those of the fields elsewhere, as a token went the general way last. */
  #isOut = true
  #F64 = new Float64Array(0)
  #I32 = new Int32Array(0)

  constructor(program: Program, built: Built, ticking: boolean, patience: number | undefined) {
    this.#program = program
    this.#built = built
    this.#ticking = ticking
    if (hasFastProcesses(program)) this.#patience = instantsToEnter
    this.#mayGiveUp = patience === undefined
    if (patience !== undefined) this.#patience = Math.min(this.#patience, patience)
  }

  /** How many instants `run` ran to their end, also where it failed. */
  takeMade(): number {
    const made = this.#made
    this.#made = 0
    return made
  }

  /** Runs instants up to `until` and before `ending`, `count` at most, as long as they begin with an event known here. */
  run(until: number, ending: number, count: number, rows: NativeRows | null): void {
    this.#made = 0
    this.left = -1
    if (this.#patience > 0) {
      this.#patience--
      return
    }
    if (!this.#mayBegin(until, ending) || !this.#stands()) return
    // What rows have changed elsewhere is to be seen here.
    rows?.leave(false)
    const { world, kernel } = this.#built
    this.#handedOver++
    while (this.#made < count && (this.#made === 0 || this.#mayBegin(until, ending))) {
      world.settle()
      kernel.tokens.settle()
      const asked = Math.min(count - this.#made, instantsAtOnce)
      const made = this.#stretch(until, ending, asked)
      if (made < asked || this.left >= 0) break
    }
    this.#ran += this.#made
    if (this.#ran + this.#handedOver > instantsToJudge) this.#judge()
  }

  /** Leaves models to the general way that come back to it again and again. */
  #judge(): void {
    if (this.#handedOver > mostHandedOver * (this.#ran + this.#handedOver) && this.#mayGiveUp) this.#patience = instantsToForget
    this.#ran = 0
    this.#handedOver = 0
  }

  /** Gives the memory back: the run has ended. */
  end(): void {
    const memory = this.#memory
    if (!memory) return
    this.#moveOut()
    this.#memory = null
    this.#advance = this.#ticks = null
    this.#patience = Infinity
    const spare = this.#compiled?.spare
    if (spare && spare.length < maxSpare) spare.push(memory)
  }

  /** Whether the next event is known, without a look into the memory. */
  #mayBegin(until: number, ending: number): boolean {
    const { kernel, world } = this.#built
    const { calendar } = world
    if (this.#compiled === undefined) this.#compiled = compiledOf(this.#program)
    if (!this.#compiled) {
      this.#patience = Infinity
      return false
    }
    if (kernel.isSuspending || kernel.wokenCount > 0) return false
    calendar.findNext()
    if (calendar.length === 0 || calendar.next > until || calendar.next >= ending) return false
    const { known, starts } = this.#compiled.lowered
    const row = calendar.rows[0]! * 4
    const about = calendar.ints[row + 1]!
    const kind = calendar.ints[row]
    if (kind === eventKind.resume) return (known[kernel.tokens.pc[about]!]! & 1) === 1
    if (kind === eventKind.expire) return (known[calendar.reals[row + 2]!]! & 1) === 1
    return (kind === eventKind.timer && starts[about] === 1) || (kind === eventKind.birth && starts[about] === 2)
  }

  // --- the memory

  /** Has all arrays where they belong; false where there is no memory for them. */
  #stands(): boolean {
    try {
      if (!this.#memory) this.#begin()
      if (!this.#areThere()) this.#moveIn()
      return true
    } catch (error) {
      if (!(error instanceof RangeError) && !(error instanceof WebAssembly.CompileError)) throw error
      this.#moveOut()
      this.#patience = Infinity
      return false
    }
  }

  /** Whether all arrays stand where they were laid out: none was made longer, or restored. */
  #areThere(): boolean {
    const seen = this.#seen
    if (seen === null) return false
    const { world, kernel } = this.#built
    const { holdings, requests } = world.containers
    if (
      seen.events !== world.calendar.ints ||
      seen.held !== holdings.ints ||
      seen.holders !== holdings.firstOfHolder ||
      seen.asked !== requests.ints ||
      seen.askedBy !== requests.ofHolder ||
      seen.askers !== kernel.askers ||
      seen.woken !== kernel.woken ||
      seen.stack !== kernel.stack ||
      seen.groups !== kernel.joins.gatherings.groups ||
      seen.arrivals !== kernel.joins.gatherings.arrivals ||
      seen.tokens !== kernel.tokens.pc
    )
      return false
    for (const { container, book, queue } of this.#containers) if (container.book !== book || container.queue !== queue) return false
    for (const { owner, data } of this.#columns) if (owner.data !== data) return false
    for (const { who, heads } of this.#residents) if (who.heads !== heads) return false
    for (const { population, handles } of this.#peopled) if (population.handles !== handles) return false
    return true
  }

  #begin(): void {
    const { lowered, module, spare } = this.#compiled!
    const { world, kernel, clockwork } = this.#built
    const { calendar, containers } = world
    const { tokens } = kernel
    this.#findWords(lowered)
    const memory = spare.pop() ?? new WebAssembly.Memory({ initial: 2 })
    const { holdings, requests } = containers
    this.#slots = [
      slot(calendar, 'times', rt.TIMES),
      slot(calendar, 'rows', rt.ROWS),
      slot(calendar, 'reals', rt.REALS),
      slot(calendar, 'ints', rt.INTS),
      slot(calendar, 'freed', rt.FREED),
      slot(holdings, 'ints', rt.HELD),
      slot(holdings, 'reals', rt.HELD_REALS),
      slot(holdings, 'firstOfHolder', rt.FIRST_OF_HOLDER),
      slot(requests, 'ints', rt.ASKED),
      slot(requests, 'reals', rt.ASKED_REALS),
      slot(requests, 'free', rt.ASKED_FREE),
      slot(requests, 'ofHolder', rt.ASKED_BY),
      slot(kernel, 'askers', rt.ASKERS),
      slot(kernel, 'woken', rt.WOKEN),
      slot(kernel, 'stack', rt.STACK),
      slot(kernel.joins.gatherings, 'groups', rt.GROUPS),
      slot(kernel.joins.gatherings, 'arrivals', rt.ARRIVALS),
      ...[...lowered.populations].flatMap(([{ index }, at]) => this.#slotsOf(world.population(index), at)),
      ...lowered.builtins.map(({ entity, name, word }) => slot(world.population(entity.index).columns.get(name)!, 'data', word)),
      ...Object.entries(tokenWords).map(([field, word]) => slot(tokens, field, word)),
      ...[...lowered.tokenColumns].map(([index, word]) => slot(tokens.columns[index]!, 'data', word)),
      ...[...lowered.properties].map(([{ entity, index }, word]) =>
        slot(world.population(entity!.index).columns.get(`v${index}`)!, 'data', word),
      ),
    ]
    this.#columns = this.#slots.flatMap(({ owner, field }) => (field === 'data' ? [{ owner: owner as { data: unknown }, data: null }] : []))
    this.#residents = [...lowered.residents].map(([{ index }, at]) => {
      const who = world.residents(world.population(index))!
      this.#slots.push(slot(who, 'heads', at + HEADS))
      return { who, heads: null }
    })
    this.#peopled = [...lowered.populations].map(([{ index }, at]) => ({
      population: world.population(index),
      at,
      handles: new Float64Array(0),
    }))
    this.#containers = [...lowered.containers].map(([part, at]) => {
      const container = clockwork.containersOf(part.index)[0]!
      this.#slots.push(slot(container, 'queue', at + rt.QUEUE))
      return {
        container,
        at,
        book: new Float64Array(0),
        marks: new Int32Array(0),
        queue: new Int32Array(0),
      }
    })
    for (const [at, parts] of lowered.bundles) {
      const containerOf = ({ part }: (typeof parts)[number]) => clockwork.containersOf(part.index)[0]!
      containers.addBundle(
        at,
        parts.map(one => ({ does: 'hold', container: containerOf(one), amount: one.units, key: null })),
      )
    }
    const host: Record<string, unknown> = {
      memory,
      rareLog: (x: number) => -log(x),
      atan2Far: atan2,
      cycle: (process: number, owner: number, every: number) => kernel.cycles.span(process, owner, this.#F64[rt.TIME >> 3]!, every),
      item: itemsOf(this.#built, lowered.places),
      fail: (place: number) => this.#fail(place),
      hook: () => undefined,
      goOn: (t: number, pc: number) => this.#goOn(1, () => kernel.goFrom(t, pc)),
      arriveOutside: () => this.#goOn(0, () => this.#arriveAll()),
      spawnOutside: (process: number, owner: number) => this.#spawn(process, owner),
      settle: () => {
        this.#fieldsOut()
        world.settle()
        tokens.settle()
        this.#fieldsIn()
      },
    }
    lowered.motions.forEach(({ entity, method }, k) => {
      const who = world.residents(world.population(entity.index))!
      host[`motion${k}`] = motions[method](who)
    })
    lowered.settlings.forEach((settling, k) => {
      host[`settling${k}`] = this.#settling(settling)
    })
    lowered.libraries.forEach((library, k) => {
      host[`library${k}`] = libraryOf(this.#built, library, () => this.#I32)
    })
    this.#memory = memory
    const { advance, ticks } = new WebAssembly.Instance(module, { host } as unknown as WebAssembly.Imports).exports
    this.#advance = advance as () => void
    this.#ticks = (ticks as (() => void) | undefined) ?? null
    this.#views()
  }

  /** Arrays of a population whose individuals come and go here. */
  #slotsOf(population: Population, at: number): Slot[] {
    const tokens = population.columns.get('#tokens')
    return [
      slot(population, 'handles', at + pops.HANDLES),
      slot(population, 'ids', at + pops.IDS),
      slot(population, 'living', at + pops.LIVING),
      slot(population, 'order', at + pops.ORDER),
      slot(population, 'generations', at + pops.GENERATIONS),
      slot(population, 'freed', at + pops.FREED_SLOTS),
      ...(tokens ? [slot(tokens, 'data', at + pops.FIRST_TOKENS)] : []),
    ]
  }

  #findWords({ streams, shared, fired }: LoweredProcesses): void {
    const { world } = this.#built
    const found = (is: boolean) =>
      [...shared].filter(([{ storage }]) => (storage === 'bool') === is).map(([{ index }, at]) => ({ index, at: at >> (is ? 2 : 3) }))
    this.#streams = [...streams].map(([component, at]) => ({ words: world.stream(component), at: at >> 2 }))
    this.#numbers = found(false)
    this.#flags = found(true)
    this.#fired = [...fired].map(([index, at]) => ({ index, at: at >> 3 }))
  }

  #views(): void {
    const { buffer } = this.#memory!
    this.#F64 = new Float64Array(buffer)
    this.#I32 = new Int32Array(buffer)
  }

  /** Lays all arrays out anew, one after another, in a memory that has room. */
  #moveIn(): void {
    const { lowered } = this.#compiled!
    const memory = this.#memory!
    this.#moveOut()
    for (const { population } of this.#peopled) population.expectDeaths()
    let end = lowered.top
    const placed = this.#slots.map(one => {
      const array = Reflect.get(one.owner, one.field) as Numbers
      const at = end
      end = (end + array.byteLength + 15) & ~15
      return { one, array, at }
    })
    const books = this.#containers.map(({ container }) => {
      const at = end
      end = (end + container.book.byteLength + container.marks.byteLength + 23) & ~7
      return at
    })
    if (end > maxBytes) throw new RangeError('processes: too large for one memory')
    const missing = end - memory.buffer.byteLength
    if (missing > 0) memory.grow(Math.ceil(missing / page))
    this.#views()
    const { buffer } = memory
    for (const { one, array, at } of placed) {
      const view = viewLike(array, buffer, at)
      one.view = view
      Reflect.set(one.owner, one.field, view)
      this.#I32[one.word >> 2] = at
    }
    this.#containers.forEach((one, k) => {
      const { container, at } = one
      one.book = new Float64Array(buffer, books[k]!, container.book.length)
      one.marks = new Int32Array(buffer, books[k]! + one.book.byteLength, container.marks.length)
      container.moveTo(one.book, one.marks)
      this.#I32[(at + rt.BOOK) >> 2] = books[k]!
      this.#I32[(at + rt.MARKS) >> 2] = books[k]! + one.book.byteLength
      this.#I32[(at + rt.INDEX) >> 2] = container.index
      this.#I32[(at + rt.IS_LATEST) >> 2] = Number(container.latestFirst)
      this.#I32[(at + rt.BY_PRIORITY) >> 2] = Number(container.byPriority)
      this.#I32[(at + rt.STRICT) >> 2] = Number(container.plan.strict)
    })
    for (const [at, parts] of lowered.bundles) {
      this.#I32[at >> 2] = parts.length
      parts.forEach(({ part, units }, k) => {
        this.#I32[(at + 8 + 16 * k) >> 2] = lowered.containers.get(part)!
        this.#F64[(at + 16 + 16 * k) >> 3] = units
      })
    }
    for (const { at, numbers } of lowered.tables) this.#F64.set(numbers, at >> 3)
    layOutSpaces(this.#built, lowered.spaces, this.#F64, this.#I32)
    new Uint8Array(buffer).set(lowered.known, lowered.knownAt)
    new Uint8Array(buffer).set(lowered.starts, lowered.startsAt)
    this.#I32[rt.KNOWN >> 2] = lowered.knownAt
    this.#I32[rt.STARTS >> 2] = lowered.startsAt
    this.#tellRebound()
    this.#see()
  }

  /** Remembers the arrays as they are laid out. */
  #see(): void {
    const { world, kernel } = this.#built
    const { calendar, containers } = world
    const { holdings, requests } = containers
    const { tokens } = kernel
    this.#seen = {
      events: world.calendar.ints,
      held: holdings.ints,
      holders: holdings.firstOfHolder,
      asked: requests.ints,
      askedBy: requests.ofHolder,
      askers: kernel.askers,
      woken: kernel.woken,
      stack: kernel.stack,
      groups: kernel.joins.gatherings.groups,
      arrivals: kernel.joins.gatherings.arrivals,
      tokens: kernel.tokens.pc,
    }
    const I32 = this.#I32
    I32[rt.ROW_ROOM >> 2] = calendar.rows.length
    I32[rt.TOKEN_ROOM >> 2] = tokens.pc.length
    I32[rt.HOLD_ROOM >> 2] = holdings.reals.length / 4
    I32[rt.HOLDER_ROOM >> 2] = holdings.firstOfHolder.length
    I32[rt.ASKED_ROOM >> 2] = requests.free.length
    I32[rt.ASKERS_ROOM >> 2] = kernel.askers.length
    I32[rt.ASKED_BY_ROOM >> 2] = requests.ofHolder.length
    I32[rt.WOKEN_ROOM >> 2] = kernel.woken.length
    I32[rt.STACK_ROOM >> 2] = kernel.stack.length
    I32[rt.GROUP_ROOM >> 2] = kernel.joins.gatherings.groups.length / 8
    I32[rt.ARRIVAL_ROOM >> 2] = kernel.joins.gatherings.arrivals.length / 4
    for (const one of this.#containers) {
      one.queue = one.container.queue
      I32[(one.at + rt.QUEUE_ROOM) >> 2] = one.queue.length
    }
    for (const one of this.#columns) one.data = one.owner.data
    for (const one of this.#residents) one.heads = one.who.heads
    for (const one of this.#peopled) {
      one.handles = one.population.handles
      I32[(one.at + pops.SLOT_ROOM) >> 2] = one.population.capacity
    }
  }

  /** Arrays that stand in the memory become their owners' again. */
  #moveOut(): void {
    this.#seen = null
    for (const one of this.#slots) {
      if (one.view && Reflect.get(one.owner, one.field) === one.view) Reflect.set(one.owner, one.field, one.view.slice())
      one.view = null
    }
    for (const { container, book, marks } of this.#containers) if (container.book === book) container.moveTo(book.slice(), marks.slice())
    this.#tellRebound()
  }

  #tellRebound(): void {
    this.#built.kernel.tokens.rebind()
    const { properties, populations: peopled, builtins } = this.#compiled!.lowered
    const entities = [...[...properties.keys()].map(({ entity }) => entity!), ...peopled.keys(), ...builtins.map(({ entity }) => entity)]
    const populations = new Set(entities.map(({ index }) => index))
    for (const index of populations) this.#built.world.population(index).rebind()
  }

  // --- words that are fields elsewhere

  /** Fields elsewhere -> words of the head. */
  #fieldsIn(): void {
    const { world, kernel, entries, stores } = this.#built
    const { calendar, containers } = world
    const { tokens } = kernel
    const { holdings, requests } = containers
    const I32 = this.#I32
    const F64 = this.#F64
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
    I32[atHoldFree] = holdings.free
    I32[atHoldTop] = holdings.top
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
    this.#isOut = false
    for (const { population, at } of this.#peopled) {
      I32[(at + pops.LIVING_COUNT) >> 2] = population.livingCount
      I32[(at + pops.COUNT) >> 2] = population.count
      I32[(at + pops.TOP) >> 2] = population.top
      I32[(at + pops.FREED_SLOT_COUNT) >> 2] = population.freedCount
      I32[(at + pops.SETTLED) >> 2] = population.settled
      F64[(at + pops.BIRTHS) >> 3] = population.births
      F64[(at + pops.MAXIMUM) >> 3] = population.maximum
    }
    for (const { words, at } of this.#streams) for (let k = 0; k < 4; k++) I32[at + k] = words[k]!
    for (const { index, at } of this.#numbers) F64[at] = stores.numbers[index]!
    for (const { index, at } of this.#flags) I32[at] = stores.flags[index]!
    for (const { index, at } of this.#fired) F64[at] = entries.fired[index]!
  }

  /** Words of the head -> fields elsewhere. */
  #fieldsOut(): void {
    this.#isOut = true
    const { world, kernel, entries, stores } = this.#built
    const { calendar, containers } = world
    const { tokens } = kernel
    const { holdings, requests } = containers
    const I32 = this.#I32
    const F64 = this.#F64
    calendar.sequence = F64[atSequence]!
    containers.sequence = F64[atHoldSequence]!
    tokens.serials = F64[atSerials]!
    containers.last[0] = F64[atLastRequest]!
    const got = F64[atGot]!
    if (got === got) {
      containers.got.amount = got
      containers.got.alternative = 0
    }
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
    holdings.free = I32[atHoldFree]!
    holdings.top = I32[atHoldTop]!
    requests.top = I32[atAskedTop]!
    requests.freeCount = I32[atAskedCount]!
    for (const { population, at } of this.#peopled) {
      population.livingCount = I32[(at + pops.LIVING_COUNT) >> 2]!
      population.count = I32[(at + pops.COUNT) >> 2]!
      population.top = I32[(at + pops.TOP) >> 2]!
      population.freedCount = I32[(at + pops.FREED_SLOT_COUNT) >> 2]!
      population.settled = I32[(at + pops.SETTLED) >> 2]!
      population.births = F64[(at + pops.BIRTHS) >> 3]!
    }
    for (const { words, at } of this.#streams) for (let k = 0; k < 4; k++) words[k] = I32[at + k]!
    for (const { index, at } of this.#numbers) stores.numbers[index] = F64[at]!
    for (const { index, at } of this.#flags) stores.flags[index] = I32[at]!
    for (const { index, at } of this.#fired) entries.fired[index] = F64[at]!
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
    calendar.priority = kind === eventKind.expire ? lastPriority : 0
    calendar.phase = kind === eventKind.birth ? phase.tick : phase.timer
    kernel.current = I32[atCurrent]!
  }

  // --- stretches

  /** Returns the instants made. */
  #stretch(until: number, ending: number, count: number): number {
    this.#fieldsIn()
    const F64 = this.#F64
    F64[rt.UNTIL >> 3] = until
    F64[rt.ENDING >> 3] = ending
    const I32 = this.#I32
    I32[rt.LEFT >> 2] = -1
    I32[rt.LAST_KIND >> 2] = -1
    I32[rt.DONE >> 2] = 0
    I32[rt.UNSETTLED >> 2] = 0
    I32[rt.STIRRED >> 2] = 0
    I32[rt.MADE >> 2] = 0
    I32[rt.MORE >> 2] = 0
    I32[rt.MOST >> 2] = count
    try {
      this.#advance!()
    } finally {
      this.#made += this.#I32[rt.MADE >> 2]!
      if (!this.#isOut) this.#fieldsOut()
    }
    this.left = this.#I32[rt.LEFT >> 2]!
    if (this.left >= 0) this.#built.runtime.refuel()
    return this.#I32[rt.MADE >> 2]!
  }

  /** All that have yet to arrive together. */
  #arriveAll(): void {
    const I32 = this.#I32
    const count = I32[rt.MORE >> 2]!
    I32[rt.MORE >> 2] = 0
    for (let k = 0; k < count; k++) this.#built.kernel.spawn(I32[atLastAbout]!, -1)
  }

  /**
   * A token goes on the general way, until it waits or is gone; `runs` are counted already. 1 when the rest of the instant goes the
   * general way, too; then those woken so far have run.
   */
  #goOn(runs: number, go: () => void): number {
    const { kernel, runtime, world } = this.#built
    this.#fieldsOut()
    this.#handedOver++
    const done = this.#I32[rt.DONE >> 2]!
    kernel.fuel = this.#I32[rt.FUEL >> 2]! + runs
    runtime.refuel()
    go()
    if (this.#isTicking) return this.#comeBack()
    if (this.#isPlain && this.#stands()) {
      const I32 = this.#I32
      this.#fieldsIn()
      I32[rt.FUEL >> 2] = kernel.fuel
      I32[rt.UNSETTLED >> 2] = Number(!world.isSettled || !kernel.tokens.isSettled)
      return 0
    }
    this.#arriveAll()
    kernel.finishWoken(done)
    if (done > 0) this.#I32[rt.LEFT >> 2]!--
    return 1
  }

  /** One tick of all processes that ticks start; false where it has to go the general way. */
  tick(): boolean {
    const { kernel, entries } = this.#built
    if (!this.#mayTick()) return false
    this.#fieldsIn()
    const serials = kernel.tokens.serials
    this.#F64[rt.LOOP_FUEL >> 3] = rt.LOOP_STEPS
    this.#I32[rt.LAST_KIND >> 2] = -1
    this.#I32[rt.GENERAL >> 2] = 0
    this.#I32[rt.ACTING >> 2] = -1
    this.#I32[atFuel] = kernel.fuel
    this.#I32[atCurrent] = kernel.current
    this.#isTicking = true
    try {
      this.#ticks!()
    } finally {
      this.#isTicking = false
      if (!this.#isOut) {
        this.#fieldsOut()
        kernel.current = this.#I32[atCurrent]!
        kernel.fuel = this.#I32[atFuel]!
      }
      const acting = this.#I32[rt.ACTING >> 2]!
      if (acting >= 0) entries.setActor(acting, this.#I32[rt.ACTING_SLOT >> 2]!)
    }
    this.#ran += kernel.tokens.serials - serials
    if (this.#ran + this.#handedOver > instantsToJudge) this.#judge()
    return true
  }

  #mayTick(): boolean {
    const { world, kernel } = this.#built
    if (this.#patience > 0) {
      for (const { count } of world.populations) this.#patience -= count
      return false
    }
    if (this.#compiled === undefined) this.#compiled = compiledOf(this.#program)
    const ticks = this.#compiled?.lowered.ticks
    if (!ticks) return false
    if (this.#mayGiveUp && ticks.reduce((sum, index) => sum + world.population(index).count, 0) < fewestInTick) return false
    const isAlone = kernel.wokenCount === 0 && kernel.stacked === 0
    return isAlone && this.#isPlain && this.#stands()
  }

  /** Whether nothing has to be looked at after each event, and nothing done at the end of the instant. */
  get #isPlain(): boolean {
    const { joins, watches, isSuspending } = this.#built.kernel
    return joins.isIdle && watches.isIdle && !isSuspending && !this.#built.clockwork.isPending
  }

  /** In a tick the general way makes a token and runs it. */
  #spawn(process: number, owner: number): void {
    const { kernel, runtime } = this.#built
    this.#fieldsOut()
    this.#handedOver++
    kernel.fuel = this.#I32[atFuel]!
    runtime.refuel()
    kernel.spawn(process, owner)
    this.#comeBack()
  }

  /** A tick goes on after something went the general way; new tokens go that way where each event has to be looked at. */
  #comeBack(): 0 {
    if (!this.#stands()) throw new RangeError('processes: no memory in the middle of a tick')
    this.#fieldsIn()
    this.#I32[atFuel] = this.#built.kernel.fuel
    this.#I32[rt.GENERAL >> 2] = Number(!this.#isPlain)
    return 0
  }

  #fail(k: number): never {
    const { code, id, field, from, to } = this.#compiled!.lowered.places[k]!
    const error = new RunError(code, [], from, to)
    error.at = { id, field }
    throw error
  }

  /** A newborn's columns of its space are those of `create` of world/population.ts before it is put somewhere. */
  #settling({ entity, place, heading, draws }: Settling): (slot: number) => void {
    const { world } = this.#built
    const population = world.population(entity.index)
    const who = world.residents(population)!
    const { space } = who
    if (place === 'leave') return slot => space.remove(who, slot)
    const columns = ['x', 'y', 'z', 'heading', '#bucket', '#next', '#previous'].flatMap(name => population.columns.get(name) ?? [])
    // Streams stand in the memory while this runs.
    const stream = (at: number): Int32Array<ArrayBuffer> => this.#I32.subarray(at >> 2, (at >> 2) + 4)
    return slot => {
      // Where more stand than before the space may lay its buckets anew: it looks at all who live.
      for (const one of this.#peopled) {
        one.population.livingCount = this.#I32[(one.at + pops.LIVING_COUNT) >> 2]!
        one.population.top = this.#I32[(one.at + pops.TOP) >> 2]!
      }
      for (const column of columns) column.data[slot] = column.initial as never
      if (heading !== null) who.heading[slot] = uniform(stream(heading)) * 360
      if (place === 'random') space.placeAtRandom(who, slot, stream(draws!))
      else if (place === 'cell') space.placeOnCell(who, slot, space.randomCell(stream(draws!)))
      if (!this.#stands()) throw new RangeError('processes: no memory in the middle of a birth')
    }
  }
}

function viewLike(array: Numbers, buffer: ArrayBuffer, at: number): Numbers {
  const Kind = array.constructor as new (buffer: ArrayBuffer, at: number, length: number) => Numbers
  const view = new Kind(buffer, at, array.length)
  view.set(array)
  return view
}
