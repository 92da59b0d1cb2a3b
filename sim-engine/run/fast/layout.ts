// Arrays of tokens, calendar, held units, requests, containers and individuals in one memory: laid out one after another, until one of them is
// made longer or replaced.
import type { LoweredProcesses } from '../../lower/lowered.ts'
import * as choices from '../../runtime/choices.ts'
import * as pops from '../../runtime/populations.ts'
import * as rt from '../../runtime/processes.ts'
import * as spaces from '../../runtime/spaces.ts'
import type { Container } from '../../world/container.ts'
import type { Population } from '../../world/population.ts'
import type { Residents } from '../../world/space.ts'
import type { Built } from '../build.ts'
import { layOutSpaces } from './process-host.ts'
import { tokenWords } from './process-module.ts'
import { fieldAt } from './world-fields.ts'

type Numbers = Uint8Array<ArrayBuffer> | Uint16Array<ArrayBuffer> | Int32Array<ArrayBuffer> | Float64Array<ArrayBuffer>

const page = 65536
/** Entries of kept lists there is room for at first. */
const listRoom = 1024
const maxBytes = 2 ** 30

/** An array in the memory, as a field of its owner; `word` holds its address. */
type Slot = { readonly owner: object; readonly field: string; readonly word: number; view: Numbers | null; at: number; length: number }

type Held = {
  readonly container: Container
  readonly at: number
  book: Float64Array<ArrayBuffer>
  marks: Int32Array<ArrayBuffer>
  bookLength: number
  marksLength: number
  queue: Int32Array
}
/** Individuals that are born, die or have tokens here; `at` is the address of the record. */
type Peopled = { readonly population: Population; readonly at: number; handles: Float64Array }
const slot = (owner: object, field: string, word: number): Slot => ({ owner, field, word, view: null, at: 0, length: 0 })
/** One of each group of arrays that are replaced together, as it was when all were laid out. */
type Seen = Record<
  'events' | 'held' | 'holders' | 'asked' | 'askedBy' | 'askers' | 'woken' | 'stack' | 'watches' | 'groups' | 'arrivals' | 'tokens',
  Int32Array
>

export class Layout {
  readonly memory: WebAssembly.Memory
  F64 = new Float64Array(0)
  I32 = new Int32Array(0)
  readonly peopled: readonly Peopled[]
  readonly #built: Built
  readonly #lowered: LoweredProcesses
  readonly #slots: Slot[]
  readonly #containers: readonly Held[]
  readonly #columns: readonly { readonly owner: { data: unknown }; data: unknown }[]
  /** Links and surroundings: arrays that may be replaced by themselves. */
  readonly #others: Slot[]
  /** Next values of cells, which begin anew when their population is told of new arrays. */
  readonly #nexts: readonly Slot[]
  /** Of the lists that formulas keep: where they begin, and room for how many entries. They are the last in the memory. */
  #listBegin = 0
  #listRoom = listRoom
  /** Populations that are searched by position. */
  readonly #residents: readonly { readonly who: Residents; readonly at: number; heads: Int32Array | null }[]
  #seen: Seen | null = null

  constructor(built: Built, lowered: LoweredProcesses, memory: WebAssembly.Memory) {
    this.#built = built
    this.#lowered = lowered
    this.memory = memory
    const { world, kernel, clockwork } = built
    const { calendar, containers } = world
    const { tokens } = kernel
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
      slot(kernel.watches.rows, 'ints', rt.WATCHES),
      slot(kernel.watches.rows, 'reals', rt.WATCH_REALS),
      slot(kernel.joins.gatherings, 'groups', rt.GROUPS),
      slot(kernel.joins.gatherings, 'arrivals', rt.ARRIVALS),
      ...[...lowered.populations].flatMap(([{ index }, at]) => this.#slotsOf(world.population(index), at)),
      ...lowered.builtins.flatMap(({ entity, name, word }) => {
        const column = world.population(entity.index).columns.get(name)
        return column ? [slot(column, 'data', word)] : []
      }),
      ...Object.entries(tokenWords).map(([field, word]) => slot(tokens, field, word)),
      ...[...lowered.tokenColumns].map(([index, word]) => slot(tokens.columns[index]!, 'data', word)),
      ...[...lowered.properties].map(([{ entity, index }, word]) =>
        slot(world.population(entity!.index).columns.get(`v${index}`)!, 'data', word),
      ),
    ]
    this.#others = lowered.arrays.map(({ path, word }) => {
      const { owner, field } = fieldAt(built, path)
      return slot(owner, field, word)
    })
    for (const [{ index }, at] of lowered.spaces) {
      const space = world.space(index)
      if (!space.isDiscrete) continue
      this.#others.push(
        slot(space, 'empty', at + spaces.EMPTY),
        slot(space, 'counted', at + spaces.OCCUPANCY),
        slot(space, 'emptyAt', at + spaces.EMPTY_AT),
      )
    }
    this.#nexts = [...lowered.nexts].map(([{ entity, index }, word]) => slot(built.entries.nexts!, `p${entity!.index}_n${index}`, word))
    this.#slots.push(...this.#others, ...this.#nexts)
    this.#columns = this.#slots.flatMap(({ owner, field }) => (field === 'data' ? [{ owner: owner as { data: unknown }, data: null }] : []))
    this.#residents = [...lowered.residents].map(([{ index }, at]) => {
      const who = world.residents(world.population(index))!
      this.#slots.push(slot(who, 'heads', at + spaces.HEADS))
      return { who, at, heads: null }
    })
    this.peopled = [...lowered.populations].map(([{ index }, at]) => ({
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
        bookLength: 0,
        marksLength: 0,
        queue: new Int32Array(0),
      }
    })
    this.#views()
  }

  /** Arrays of a population with births and deaths here. */
  #slotsOf(population: Population, at: number): Slot[] {
    const tokens = population.columns.get('#tokens')
    return [
      slot(population, 'handles', at + pops.HANDLES),
      slot(population, 'ids', at + pops.IDS),
      slot(population, 'living', at + pops.LIVING),
      slot(population, 'order', at + pops.ORDER),
      slot(population, 'ranks', at + pops.RANKS),
      slot(population, 'generations', at + pops.GENERATIONS),
      slot(population, 'freed', at + pops.FREED_SLOTS),
      ...(tokens ? [slot(tokens, 'data', at + pops.FIRST_TOKENS)] : []),
    ]
  }

  /** Whether all arrays are where they were laid out: none was made longer, or restored. */
  get isLaidOut(): boolean {
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
      seen.watches !== kernel.watches.rows.ints ||
      seen.groups !== kernel.joins.gatherings.groups ||
      seen.arrivals !== kernel.joins.gatherings.arrivals ||
      seen.tokens !== kernel.tokens.pc
    )
      return false
    for (const { container, book, queue } of this.#containers) if (container.book !== book || container.queue !== queue) return false
    for (const { owner, data } of this.#columns) if (owner.data !== data) return false
    for (const { who, heads } of this.#residents) if (who.heads !== heads) return false
    for (const { owner, field, view } of this.#others) if (Reflect.get(owner, field) !== view) return false
    for (const { owner, field, view } of this.#nexts) if (Reflect.get(owner, field) !== view) return false
    for (const { population, handles } of this.peopled) if (population.handles !== handles) return false
    return true
  }

  #views(): void {
    const { buffer } = this.memory
    this.F64 = new Float64Array(buffer)
    this.I32 = new Int32Array(buffer)
  }

  /** Lays all arrays out again, one after another, in a memory that has room. */
  moveIn(): void {
    const lowered = this.#lowered
    const { memory } = this
    this.moveOut()
    for (const { population } of this.peopled) population.expectDeaths()
    // Every token may hold something, which doubles the holders at most, or wait for it.
    const { world, kernel } = this.#built
    world.containers.holdings.reserve(2 * kernel.tokens.pc.length)
    world.containers.requests.reserve(kernel.tokens.pc.length)
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
    this.#listBegin = (end + 7) & ~7
    if (lowered.listAt !== null) end = this.#listBegin + 8 * this.#listRoom
    this.#enlarge(end)
    this.#views()
    const { buffer } = memory
    for (const { one, array, at } of placed) {
      const view = viewLike(array, buffer, at)
      one.view = view
      one.at = at
      one.length = array.length
      Reflect.set(one.owner, one.field, view)
      this.I32[one.word >> 2] = at
    }
    this.#containers.forEach((one, k) => {
      const { container, at } = one
      one.book = new Float64Array(buffer, books[k]!, container.book.length)
      one.marks = new Int32Array(buffer, books[k]! + one.book.byteLength, container.marks.length)
      one.bookLength = one.book.length
      one.marksLength = one.marks.length
      container.moveTo(one.book, one.marks)
      this.I32[(at + rt.BOOK) >> 2] = books[k]!
      this.I32[(at + rt.MARKS) >> 2] = books[k]! + one.book.byteLength
      this.I32[(at + rt.INDEX) >> 2] = container.index
      this.I32[(at + rt.IS_LATEST) >> 2] = Number(container.latestFirst)
      this.I32[(at + rt.BY_PRIORITY) >> 2] = Number(container.byPriority)
      this.I32[(at + rt.STRICT) >> 2] = Number(container.plan.strict)
    })
    for (const [at, { parts, isAny }] of lowered.bundles) {
      this.I32[at >> 2] = parts.length
      this.I32[(at + 4) >> 2] = Number(isAny)
      parts.forEach(({ part, units }, k) => {
        this.I32[(at + 8 + 16 * k) >> 2] = lowered.containers.get(part)!
        this.F64[(at + 16 + 16 * k) >> 3] = units
      })
    }
    for (const { at, numbers } of lowered.tables) this.F64.set(numbers, at >> 3)
    layOutSpaces(this.#built, lowered.spaces, this.F64, this.I32)
    new Uint8Array(buffer).set(lowered.known, lowered.knownAt)
    new Uint8Array(buffer).set(lowered.starts, lowered.startsAt)
    for (const [{ index }, at] of lowered.cells) this.I32[(at + pops.COUNT) >> 2] = this.#built.world.population(index).count
    this.#tellList()
    this.I32[rt.KNOWN >> 2] = lowered.knownAt
    this.I32[rt.STARTS >> 2] = lowered.startsAt
    this.#tellRebound()
    for (const { owner, field, view } of this.#nexts) {
      view!.set(Reflect.get(owner, field) as Numbers)
      Reflect.set(owner, field, view)
    }
    this.#see()
  }

  #enlarge(end: number): void {
    if (end > maxBytes) throw new RangeError('processes: too large for one memory')
    const missing = end - this.memory.buffer.byteLength
    if (missing > 0) this.memory.grow(Math.ceil(missing / page))
  }

  #tellList(): void {
    const { listAt } = this.#lowered
    if (listAt === null) return
    this.I32[(listAt + choices.ENTRIES) >> 2] = this.#listBegin
    this.I32[(listAt + choices.ENTRY_ROOM) >> 2] = this.#listRoom
  }

  /** Makes room for so many entries of kept lists, in the middle of a program: nothing in the memory moves. */
  lengthen(entries: number): void {
    this.#listRoom = Math.max(entries, 2 * this.#listRoom)
    const { buffer } = this.memory
    this.#enlarge(this.#listBegin + 8 * this.#listRoom)
    if (this.memory.buffer !== buffer) this.#reopen()
    this.#tellList()
  }

  /** The memory has another buffer: the same views of that. */
  #reopen(): void {
    this.#views()
    const { buffer } = this.memory
    for (const one of this.#slots) {
      const Kind = one.view!.constructor as new (buffer: ArrayBuffer, at: number, length: number) => Numbers
      one.view = new Kind(buffer, one.at, one.length)
      Reflect.set(one.owner, one.field, one.view)
    }
    for (const one of this.#containers) {
      const [at, length] = [this.I32[(one.at + rt.BOOK) >> 2]!, one.bookLength]
      one.book = new Float64Array(buffer, at, length)
      one.marks = new Int32Array(buffer, at + one.book.byteLength, one.marksLength)
      one.container.moveTo(one.book, one.marks)
    }
    this.#tellRebound()
    for (const { owner, field, view } of this.#nexts) Reflect.set(owner, field, view)
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
      watches: kernel.watches.rows.ints,
      groups: kernel.joins.gatherings.groups,
      arrivals: kernel.joins.gatherings.arrivals,
      tokens: kernel.tokens.pc,
    }
    const I32 = this.I32
    I32[rt.ROW_ROOM >> 2] = calendar.rows.length
    I32[rt.TOKEN_ROOM >> 2] = tokens.pc.length
    I32[rt.HOLD_ROOM >> 2] = holdings.reals.length / 4
    I32[rt.HOLDER_ROOM >> 2] = holdings.firstOfHolder.length
    I32[rt.ASKED_ROOM >> 2] = requests.free.length
    I32[rt.ASKERS_ROOM >> 2] = kernel.askers.length
    I32[rt.ASKED_BY_ROOM >> 2] = requests.ofHolder.length
    I32[rt.WOKEN_ROOM >> 2] = kernel.woken.length
    I32[rt.STACK_ROOM >> 2] = kernel.stack.length
    I32[rt.WATCH_ROOM >> 2] = kernel.watches.rows.ints.length / 16
    I32[rt.GROUP_ROOM >> 2] = kernel.joins.gatherings.groups.length / 8
    I32[rt.ARRIVAL_ROOM >> 2] = kernel.joins.gatherings.arrivals.length / 4
    for (const one of this.#containers) {
      one.queue = one.container.queue
      I32[(one.at + rt.QUEUE_ROOM) >> 2] = one.queue.length
    }
    for (const one of this.#columns) one.data = one.owner.data
    for (const one of this.#residents) {
      one.heads = one.who.heads
      I32[(one.at + spaces.HEADS_COUNT) >> 2] = one.heads.length
    }
    for (const one of this.peopled) {
      one.handles = one.population.handles
      I32[(one.at + pops.SLOT_ROOM) >> 2] = one.population.capacity
    }
  }

  /** Copies the arrays in the memory back to their owners. */
  moveOut(): void {
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
    const { properties, populations: peopled, builtins } = this.#lowered
    const entities = [...[...properties.keys()].map(({ entity }) => entity!), ...peopled.keys(), ...builtins.map(({ entity }) => entity)]
    const populations = new Set(entities.map(({ index }) => index))
    for (const index of populations) this.#built.world.population(index).rebind()
  }
}

function viewLike(array: Numbers, buffer: ArrayBuffer, at: number): Numbers {
  const Kind = array.constructor as new (buffer: ArrayBuffer, at: number, length: number) => Numbers
  const view = new Kind(buffer, at, array.length)
  view.set(array)
  return view
}
