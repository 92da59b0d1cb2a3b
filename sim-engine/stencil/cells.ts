// The cells of one run with a stencil as their rule: their variables live in the module's memory, as narrow as their values allow, from tick to
// tick. Before any other code reads them they are copied out (`leave`). Rows that run as WebAssembly share their memory: variables that they
// mention are there once. Where a value might be wrong, or does not fit, the tick is left to the program's own loop, which gives the same or
// fails in the right place.
import { compiledModule } from '../backends/wasm.ts'
import { EngineFault } from '../kernel/fault.ts'
import type { Program } from '../compile.ts'
import type { Stores } from '../run/entries.ts'
import type { Grid } from '../world/grid.ts'
import type { Population } from '../world/population.ts'
import type { World } from '../world/world.ts'
import { blockSize, emitCells, header, mostLanes, nodesOf } from './emit.ts'
import type { CellModule } from './emit.ts'
import type { CellRule, Range } from './graph.ts'
import { afterTick, bytesOf, layoutOf } from './lanes.ts'
import type { Lane, Layout } from './lanes.ts'
import type { Stencil } from './lower.ts'

/** Fewer cells than these take their program's loop. */
const fewestCells = 256
/** Cells visited by the loop before a module is made: earlier, making it takes longer than it saves. */
const loopFor = 40_000
/** Cells at borders, as a share of all, above which a module isn't worth while. */
const mostEdges = 0.3
/** Ticks that were left to the loop after which all are. */
const mostBad = 3
/** Ticks of all cells before it is looked again whether few change. */
const denseTicks = 15
/** Ticks after which it is looked what numbers grow. */
const exactRounds = 4
/** Modules of a program. */
const mostModules = 16

type Module = { readonly emitted: CellModule; readonly layout: Layout; readonly module: WebAssembly.Module }

/** What all runs of a program share. */
const known = new WeakMap<Stencil, Map<string, Module | null>>()

type View = Uint8Array<ArrayBuffer> | Int16Array<ArrayBuffer> | Int32Array<ArrayBuffer> | Float64Array<ArrayBuffer>

/** What a run works with until its values no longer fit. */
type Image = {
  readonly memory: WebAssembly.Memory
  /** Its bytes, and from the base on its words and floats: others when it has grown. */
  bytes: Uint8Array<ArrayBuffer>
  words: Int32Array<ArrayBuffer>
  floats: Float64Array<ArrayBuffer>
  readonly base: number
  readonly layout: Layout
  readonly assumed: readonly Range[]
  readonly shared: readonly Range[]
  readonly sharedAt: number
  /** By column, addresses: of the values now and, where it is written, of room for the next ones. */
  readonly places: number[][]
  /** Whether a column is one of the caller's arrays, which are in the same memory. */
  readonly isShared: readonly boolean[]
  readonly blocks: number
  readonly edges: number
  /** Addresses of lists of blocks: to be done, and changed. */
  readonly list: number
  readonly changed: number
  dense(cells: number, edges: number): void
  sparse(list: number, count: number, changed: number): number
}

/** A memory of others to work in, and where in it there is room. */
type Home = { readonly memory: WebAssembly.Memory; readonly at: number }

/** What others may write. */
const rangeOf = (column: ArrayLike<number>): Range => (column instanceof Uint8Array ? { low: 0, high: 255, whole: true } : anything)

/** Of columns that are longer only what is there. */
function fill(view: View, column: Column): void {
  view.set(column.length === view.length ? column : column.subarray(0, view.length))
}

/** A population's own array, or a copy of it. */
type Column = Float64Array | Int32Array | Uint16Array | Uint8Array

const truth: Range = { low: 0, high: 1, whole: true }
const anything: Range = { low: -Infinity, high: Infinity, whole: false }

export class StencilCells {
  readonly #stencil: Stencil
  readonly #rules: readonly CellRule[]
  readonly #rule: CellRule
  readonly #population: Population
  readonly #gridOf: () => Grid
  readonly #stores: Stores
  readonly #loopFor: number
  /** Columns of the rule that others mention, in the order of the stencil's list. */
  readonly #mentioned: readonly number[]
  #home: Home | null = null
  #image: Image | null = null
  /** What the columns may hold now. */
  #ranges: readonly Range[] = []
  /** Whether the memory is newer than the columns. */
  #isAhead = false
  #isDone = false
  #isRefused = false
  #looped = 0
  /** Whether the program's loop has done this tick. */
  #isByLoop = true
  #bad = 0
  /** Ticks calculated by a module, since the start of the run. */
  calculated = 0
  #tick = 0
  #enteredAt = -100
  /** Columns and shared variables of which nothing is assumed any more. */
  readonly #wide = new Set<number>()
  readonly #wideShared = new Set<number>()
  /** Blocks to be done in the next tick, as far as that is known. */
  #listed = -1
  #denseFor = 0
  #stamps = new Int32Array(0)
  #stamp = 0

  /** The space may be there later than this. */
  constructor(stencil: Stencil, population: Population, gridOf: () => Grid, stores: Stores, loopFor: number) {
    this.#loopFor = loopFor
    this.#stencil = stencil
    this.#rule = stencil.inner
    this.#rules = stencil.inner === stencil.border ? [stencil.inner] : [stencil.inner, stencil.border]
    this.#population = population
    this.#gridOf = gridOf
    this.#stores = stores
    this.#mentioned = stencil.mentioned.map(variable => this.#rule.columns.findIndex(column => column.variable === variable))
    this.#isRefused = typeof WebAssembly === 'undefined'
  }

  get #grid(): Grid {
    return this.#gridOf()
  }

  get #isTooSmall(): boolean {
    const { size, layers, columns, rows } = this.#grid
    const { reach } = this.#rule
    return size < fewestCells || layers > 1 || columns <= 2 * reach || rows <= 2 * reach
  }

  /**
   * Calculates the next values of all cells; false where the program's loop has to do it, on columns as they are now. Variables that others
   * mention, in the order of the stencil's list, come from `now` and go to `next`; only those that the rule writes are put there.
   */
  tick(now: readonly Column[], next: readonly Column[]): boolean {
    this.#isByLoop = !this.#calculates(now, next)
    return !this.#isByLoop
  }

  /** Whether the program's loop did the last tick: what it wrote is to be committed. */
  get isByLoop(): boolean {
    return this.#isByLoop
  }

  /** No tick is left to the loop just because the run has only begun. */
  hurry(): void {
    this.#looped = this.#loopFor
  }

  /** Whether all ticks to come are left to the loop. */
  get isRefused(): boolean {
    return this.#isRefused || this.#isTooSmall
  }

  #calculates(columns: readonly Column[], next: readonly Column[]): boolean {
    if (this.#isRefused) return false
    // Others than those it shares a memory with may ask for a tick.
    if (this.#home && columns.some(({ buffer }) => buffer !== this.#home?.memory.buffer)) this.moveTo(null)
    if (this.#looped + this.#grid.size < this.#loopFor) {
      this.#looped += this.#grid.size
      return false
    }
    if (this.#tick++ === 0 && this.#isTooSmall) {
      this.#isRefused = true
      return false
    }
    if (!this.#isReady() || !this.#image) {
      this.leave()
      this.#image = null
      return false
    }
    const image = this.#image
    this.#mentioned.forEach((column, k) => {
      if (image.isShared[column]) image.places[column] = [columns[k]!.byteOffset, next[k]!.byteOffset]
      else fill(this.#view(image, column), columns[k]!)
    })
    if (this.#mentioned.length > 0) this.#denseFor = Math.max(this.#denseFor, 1)
    image.words[header.bad >> 2] = 0
    this.#wrapRows(image)
    this.#point(image)
    this.#run(image)
    if (image.words[header.bad >> 2] !== 0) {
      this.leave()
      this.#image = null
      this.#listed = -1
      if (++this.#bad >= mostBad) this.#isRefused = true
      return false
    }
    this.#isDone = true
    this.calculated++
    this.#mentioned.forEach((column, k) => {
      if (image.places[column]!.length > 1 && !image.isShared[column]) next[k]!.set(this.#view(image, column, 1))
    })
    return true
  }

  /**
   * Uses this memory from the next tick on, `room` bytes of it; null = a memory of its own again. Columns that rows use may be in it, too:
   * each has `padding` unused elements before and after it.
   */
  moveTo(home: Home | null): void {
    if (home?.memory === this.#home?.memory && home?.at === this.#home?.at) return
    this.leave()
    this.forget()
    this.#home = home
  }

  get padding(): number {
    return this.#rule.reach * (this.#grid.columns + 1) + 2 * blockSize
  }

  /** At most. */
  get room(): number {
    const { size } = this.#grid
    const cells = this.#edgeCells().length + mostLanes
    const columns = 2 * this.#rule.columns.length * (size + 2 * this.padding)
    const looks = nodesOf([...this.#stencil.border.outputs.map(one => one.value), ...this.#rules.flatMap(one => one.guards)]).size
    const arrays = 2 * this.#rule.columns.length + 3 * looks + this.#rule.shared.length + 8
    return 8 * (columns + cells * (looks + looks + this.#rule.outputs.length + 1)) + 64 * arrays + 16 * Math.ceil(size / blockSize)
  }

  /** What the first tick needs, in the set-up of a run of so many ticks, where it is worth while. */
  prepare(ticks: number): void {
    if (this.#isRefused || this.#grid.size * ticks < this.#loopFor || this.#isTooSmall) return
    this.#looped = this.#loopFor
    this.#isReady()
  }

  /** The next values become those that are seen. */
  commit(): void {
    const image = this.#image
    if (!this.#isDone || !image) return
    this.#isDone = false
    this.#isAhead = true
    for (const { column } of this.#rule.outputs) image.places[column]!.reverse()
    const now = afterTick(this.#rules, this.#ranges, image.shared)
    this.#ranges = now
    const grown = now.flatMap((range, k) => (isWithin(range, image.assumed[k]!) ? [] : [k]))
    if (grown.length === 0) return
    // Measured again before the next tick; a range that would soon overflow again is no longer assumed to be small.
    if (this.#tick - this.#enteredAt < 8) for (const k of grown) this.#wide.add(k)
    this.leave()
    this.#image = null
  }

  /** The columns are as they would be without this. */
  leave(): void {
    if (!this.#isAhead || !this.#image) return
    this.#isAhead = false
    const image = this.#image
    look(image)
    for (const { column } of this.#rule.outputs) {
      const { variable } = this.#rule.columns[column]!
      if (this.#mentioned.includes(column)) continue
      const { data } = this.#columnOf(variable)
      if (!Array.isArray(data)) data.set(this.#view(image, column))
    }
  }

  /** The columns are replaced: what is known of them is forgotten. */
  forget(): void {
    this.#image = null
    this.#isAhead = false
    this.#isDone = false
    this.#listed = -1
  }

  /** A column as it is now, or with `next` what it becomes. */
  #view({ memory: { buffer }, layout, places }: Image, column: number, next = 0): View {
    return viewOf(buffer, layout.storage[column]!, places[column]![next]!, this.#grid.size)
  }

  #columnOf(variable: number) {
    const column = this.#population.columns.get(`v${variable}`)
    if (!column) throw new EngineFault(`stencil: no variable ${variable}`)
    return column
  }

  /** Whether the memory holds the state, and the module is right for it. */
  #isReady(): boolean {
    const values = this.#rule.shared.map(({ index, isBool }) => (isBool ? this.#stores.flags[index]! : this.#stores.numbers[index]!))
    if (this.#image) {
      values.forEach((value, k) => {
        const { low, high, whole } = this.#image!.shared[k]!
        if (value >= low && value <= high && (!whole || isWhole(value))) return
        this.#wideShared.add(k)
        this.leave()
        this.#image = null
      })
    }
    if (!this.#image && !this.#enter(values)) {
      this.#isRefused = true
      return false
    }
    look(this.#image!)
    const { floats, words, sharedAt } = this.#image!
    values.forEach((value, k) => {
      const at = sharedAt + 16 * k
      if (!Object.is(floats[at >> 3], value)) this.#listed = -1
      floats[at >> 3] = value
      words[(at >> 2) + 2] = value
    })
    return true
  }

  // Blocks

  #run(image: Image): void {
    const { blocks, edges } = image
    const n = this.#grid.size
    if (this.#denseFor > 0) {
      this.#denseFor--
      this.#listed = -1
      return image.dense(n, edges)
    }
    if (this.#listed < 0) {
      const list = listAt(image, image.list)
      for (let k = 0; k < blocks; k++) list[k] = k
      this.#listed = blocks
    }
    const changed = image.sparse(image.list, this.#listed, image.changed)
    if (changed * 3 > blocks) {
      this.#denseFor = denseTicks
      this.#listed = -1
    } else this.#listed = this.#around(image, changed)
  }

  /** Lists the blocks that see one that changed. */
  #around(image: Image, many: number): number {
    const { columns: width, size, wrapX, wrapY } = this.#grid
    const { blocks } = image
    const [list, changed] = [listAt(image, image.list), listAt(image, image.changed)]
    const { reach } = this.#rule
    // Over a border that wraps around a neighbour is one row further.
    const rows = wrapX && reach > 0 ? reach + 1 : reach
    if (this.#stamps.length !== blocks) this.#stamps = new Int32Array(blocks)
    const stamps = this.#stamps
    const stamp = ++this.#stamp
    let count = 0
    const mark = (low: number, high: number): void => {
      for (
        let block = Math.floor(Math.max(low, 0) / blockSize), last = Math.floor(Math.min(high, size - 1) / blockSize);
        block <= last;
        block++
      ) {
        if (stamps[block] === stamp) continue
        stamps[block] = stamp
        list[count++] = block
      }
    }
    for (let k = 0; k < many; k++) {
      const from = changed[k]! * blockSize
      for (let row = -rows; row <= rows; row++) {
        const low = from + row * width - reach
        const high = from + blockSize - 1 + row * width + reach
        mark(low, high)
        if (wrapY && low < 0) mark(low + size, high + size)
        if (wrapY && high >= size) mark(low - size, high - size)
      }
    }
    return count
  }

  /**
   * Rows beyond a border are those of the other side. Where it does not wrap around, or nothing looks there, guards do: a vector reaches beyond
   * the last cell, and cells at borders are calculated as others before they are done again. They find numbers there that cells have.
   */
  #wrapRows({ places, layout, bytes }: Image): void {
    const { reach } = this.#rule
    const { size, columns, wrapY } = this.#grid
    const isGuarded = layout.guards.some(list => list.length > 0)
    if (!isGuarded && (reach === 0 || !wrapY)) return
    const far = Math.min(size, reach * (columns + 1) + (isGuarded ? blockSize : 0))
    for (const [column, [at = 0]] of places.entries()) {
      const width = bytesOf[layout.storage[column]!]
      bytes.copyWithin(at - far * width, at + (size - far) * width, at + size * width)
      bytes.copyWithin(at + size * width, at, at + far * width)
    }
  }

  /** Passes the addresses of the columns to the module. */
  #point({ words, places }: Image): void {
    places.forEach(([now = 0, next = now], k) => {
      words[(header.columns >> 2) + 2 * k] = now
      words[(header.columns >> 2) + 2 * k + 1] = next
    })
  }

  // Coming in

  #enter(values: readonly number[]): boolean {
    this.#enteredAt = this.#tick
    const sources = this.#rule.columns.map(column => {
      if (column.variable >= 0) return this.#columnOf(column.variable).data
      const grid = this.#grid
      const { ids } = this.#population
      return Float64Array.from({ length: grid.size }, (_, cell) =>
        column.is === 'x' ? grid.x(cell) : column.is === 'y' ? grid.y(cell) : ids[cell]!,
      )
    })
    const columns: Range[] = []
    for (const [k, source] of sources.entries()) {
      if (source === null || Array.isArray(source) || source.length < this.#grid.size) return false
      columns.push(
        this.#rule.columns[k]!.is === 'bool'
          ? truth
          : this.#mentioned.includes(k)
            ? rangeOf(source)
            : this.#wide.has(k)
              ? anything
              : rangeIn(source, this.#grid.size),
      )
    }
    this.#ranges = columns
    const shared = values.map((value, k): Range =>
      this.#wideShared.has(k) ? anything : { low: value, high: value, whole: isWhole(value) },
    )
    const assumed = this.#roomFor(columns, shared)
    const made = this.#moduleFor(assumed, shared)
    if (!made) return false
    const isShared = sources.map(
      (source, k) => this.#home !== null && this.#mentioned.includes(k) && isKeptAs(made.layout.storage[k]!, source),
    )
    const image = this.#imageOf(made, assumed, shared, isShared)
    if (!image) return false
    sources.forEach((source, k) => {
      if (source === null || Array.isArray(source) || isShared[k]) return
      const now = this.#view(image, k)
      fill(now, source)
      if (image.places[k]!.length > 1) this.#view(image, k, 1).set(now)
    })
    this.#image = image
    this.#listed = -1
    this.#denseFor = 0
    return true
  }

  /** Numbers that grow from tick to tick get room for many ticks. */
  #roomFor(columns: readonly Range[], shared: readonly Range[]): Range[] {
    let ranges = [...columns]
    // States that lead to others come to all of them soon.
    for (let round = 0; round < exactRounds; round++) ranges = afterTick(this.#rules, ranges, shared)
    const after = afterTick(this.#rules, ranges, shared)
    const roomy = ranges.map((range, k) => (isWithin(after[k]!, range) ? range : widened(range, after[k]!)))
    const then = afterTick(this.#rules, roomy, shared)
    return roomy.map((range, k) => (isWithin(then[k]!, range) || !isWithin(after[k]!, ranges[k]!) ? range : widened(range, then[k]!)))
  }

  #moduleFor(assumed: readonly Range[], shared: readonly Range[]): Module | null {
    const modules = known.get(this.#stencil) ?? new Map<string, Module | null>()
    known.set(this.#stencil, modules)
    const key = `${this.#grid.columns} ${this.#home?.at ?? 0} ${JSON.stringify([assumed, shared].map(list => list.map(({ low, high, whole }) => [String(low), String(high), whole])))}`
    let made = modules.get(key)
    if (made === undefined) {
      if (modules.size >= mostModules) modules.clear()
      modules.set(key, (made = this.#made(assumed, shared)))
    }
    return made
  }

  #made(assumed: readonly Range[], shared: readonly Range[]): Module | null {
    const layout = layoutOf(this.#rules, assumed, shared, null)
    if (!layout) return null
    const emitted = emitCells(this.#rule, this.#stencil.border, layout, assumed, shared, this.#grid.columns, this.#home?.at ?? 0)
    // Also null where there are no vectors.
    const module = compiledModule(emitted.bytes)
    return module && { emitted, layout, module }
  }

  /** Memory with room for all, and what never changes in it. */
  #imageOf(
    { emitted, layout, module }: Module,
    assumed: readonly Range[],
    shared: readonly Range[],
    isShared: readonly boolean[],
  ): Image | null {
    const { size, columns: width } = this.#grid
    const edges = this.#edgeCells()
    if (edges.length > mostEdges * size) return null
    const blocks = Math.ceil(size / blockSize)
    const base = this.#home?.at ?? 0
    let end = base + Math.ceil(emitted.at.end / 16) * 16
    const room = (bytes: number): number => {
      const at = end
      end = Math.ceil((end + bytes) / 16) * 16
      return at
    }
    const pad = this.padding
    const written = new Set(this.#rule.outputs.map(one => one.column))
    const places = layout.storage.map((lane, k) =>
      Array.from(
        { length: isShared[k] ? 0 : written.has(k) ? 2 : 1 },
        () => room((size + 2 * pad) * bytesOf[lane]) + Math.ceil((pad * bytesOf[lane]) / 16) * 16,
      ),
    )
    const slack = edges.length + mostLanes
    const edgeCells = room(4 * slack)
    const edgeOf = room(4 * (blocks + 1))
    const operands = emitted.operands.map(
      ({ is, column }) => [room(4 * slack), room((is === 'inside' ? 1 : bytesOf[layout.storage[column]!]) * slack)] as const,
    )
    const results = this.#rule.outputs.map(({ column }) => room(bytesOf[layout.storage[column]!] * slack))
    const [list, changed] = [room(4 * blocks), room(4 * (blocks + 1))]
    room(64)
    const memory = this.#home?.memory ?? memoryOf(end)
    if (!memory) return null
    const { exports } = new WebAssembly.Instance(module, { host: { memory } })
    const { dense, sparse } = exports
    if (typeof dense !== 'function' || typeof sparse !== 'function') throw new EngineFault('stencil: a module without its functions')
    const { buffer } = memory
    const words = new Int32Array(buffer, base)
    words[header.cells >> 2] = size
    words[header.edgeCells >> 2] = edgeCells
    words[header.edgeOf >> 2] = edgeOf
    words.set(edges, (edgeCells - base) >> 2)
    for (let block = 0, e = 0; block <= blocks; block++) {
      while (e < edges.length && edges[e]! < block * blockSize) e++
      words[((edgeOf - base) >> 2) + block] = e
    }
    operands.forEach(([cells, at], k) => {
      const { is, x, y } = emitted.operands[k]!
      words[(emitted.at.operands >> 2) + 2 * k] = cells
      words[(emitted.at.operands >> 2) + 2 * k + 1] = at
      const bytes = new Uint8Array(buffer)
      // Vectors reach beyond the last edge: they find it again.
      for (let e = 0; e < slack && edges.length > 0; e++) {
        const cell = edges[Math.min(e, edges.length - 1)]!
        const to = this.#grid.step((cell % width) + x, Math.floor(cell / width) + y, 0)
        if (is === 'inside') bytes[at + e] = to >= 0 ? 1 : 0
        else words[((cells - base) >> 2) + e] = to >= 0 ? to : cell
      }
    })
    results.forEach((at, k) => {
      words[(emitted.at.results >> 2) + k] = at
    })
    return {
      memory,
      base,
      bytes: new Uint8Array(buffer),
      words,
      floats: new Float64Array(buffer, base),
      layout,
      assumed,
      shared,
      sharedAt: emitted.at.shared,
      places,
      isShared,
      blocks,
      edges: edges.length,
      list,
      changed,
      dense: (cells, count) => void dense(cells, count),
      sparse: (from, count, to) => Number(sparse(from, count, to)),
    }
  }

  /** Cells of which some neighbours are not at the usual distances in memory. */
  #edgeCells(): number[] {
    const { columns, rows, wrapY } = this.#grid
    const { reach } = this.#rule
    const edges: number[] = []
    if (reach === 0) return edges
    for (let y = 0; y < rows; y++) {
      const isWhole = wrapY || (y >= reach && y < rows - reach)
      for (let x = 0; x < columns; x++) {
        if (isWhole && x === reach) x = columns - reach
        edges.push(y * columns + x)
      }
    }
    return edges
  }
}

/** The other user of the memory may have enlarged it. */
function look(image: Image): void {
  const { buffer } = image.memory
  if (image.bytes.buffer === buffer) return
  image.bytes = new Uint8Array(buffer)
  image.words = new Int32Array(buffer, image.base)
  image.floats = new Float64Array(buffer, image.base)
}

const listAt = ({ memory, blocks }: Image, at: number): Int32Array<ArrayBuffer> => new Int32Array(memory.buffer, at, blocks)

const isWhole = (value: number): boolean => Number.isInteger(value) && !Object.is(value, -0)

const isWithin = (one: Range, other: Range): boolean => one.low >= other.low && one.high <= other.high && (one.whole || !other.whole)

/** A range with room for many ticks of growing, and for sums of a few such numbers. */
function widened(range: Range, after: Range): Range {
  if (!range.whole || !after.whole) return anything
  const far = (value: number): number => {
    const size = Math.abs(value) < 16_000 ? 16_383 : Math.abs(value) < 2 ** 29 ? 2 ** 30 : Infinity
    return value < 0 ? -size : size
  }
  const low = after.low < range.low ? Math.min(far(after.low), range.low) : range.low
  const high = after.high > range.high ? Math.max(far(after.high), range.high) : range.high
  return { low, high, whole: Number.isFinite(low) && Number.isFinite(high) }
}

function rangeIn(values: ArrayLike<number>, count: number): Range {
  let low = Infinity
  let high = -Infinity
  for (let i = 0; i < count; i++) {
    const value = values[i]!
    if (Math.floor(value) !== value || (value === 0 && 1 / value < 0)) return anything
    if (value < low) low = value
    if (value > high) high = value
  }
  return { low, high, whole: Number.isFinite(low) && Number.isFinite(high) }
}

function memoryOf(bytes: number): WebAssembly.Memory | null {
  try {
    return new WebAssembly.Memory({ initial: Math.ceil(bytes / 65_536) })
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

/** Whether an array of a population holds numbers as a module does. */
const isKeptAs = (lane: Lane, array: unknown): boolean =>
  lane === 'f64' ? array instanceof Float64Array : lane === 'u8' && array instanceof Uint8Array

function viewOf(buffer: ArrayBuffer, lane: Lane, at: number, size: number): View {
  if (lane === 'u8') return new Uint8Array(buffer, at, size)
  if (lane === 'i16') return new Int16Array(buffer, at, size)
  return lane === 'i32' ? new Int32Array(buffer, at, size) : new Float64Array(buffer, at, size)
}

/** The stencils of a run, by population. */
export class Stencils {
  /** What generated code calls: `tick` and `commit`. */
  readonly byPopulation: StencilCells[] = []

  /** `nativeFrom`: see `RunOptions`. */
  constructor({ stencils, checked }: Program, world: World, stores: Stores, nativeFrom = Infinity) {
    for (const [p, stencil] of stencils) {
      const space = checked.parts.entities[p]?.space?.index ?? -1
      this.byPopulation[p] = new StencilCells(
        stencil,
        world.population(p),
        () => world.space(space).grid,
        stores,
        nativeFrom === 0 ? 0 : loopFor,
      )
    }
  }

  /** The set-up of a run of so many ticks. */
  prepare(ticks: number): void {
    for (const one of this.byPopulation) one?.prepare(ticks)
  }

  /** All columns are as they would be without stencils. */
  leave(): void {
    for (const one of this.byPopulation) one?.leave()
  }

  /** The world comes from a snapshot. */
  forget(): void {
    for (const one of this.byPopulation) one?.forget()
  }
}
