// What processes without tokens look at, by the paths of run/rows/scope.ts (`P0.handles`, `S1.grid.columns`, `p2_v3`), and where in the head
// of their memory it stands: addresses of arrays, numbers, streams. Records of populations and spaces are those of runtime/.
import type { EntityPart, SpacePart, VariablePart } from '../check/parts.ts'
import * as ir from '../ir.ts'
import type { Expr, Mem } from '../ir.ts'
import type { FailurePlace } from './processes/memory.ts'
import * as choices from '../runtime/choices.ts'
import * as network from '../runtime/links.ts'
import * as pops from '../runtime/populations.ts'
import * as rt from '../runtime/processes.ts'
import * as spaces from '../runtime/spaces.ts'

/** A word of the head that holds the address of an array. */
export type ArrayWord = { readonly word: number; isWritten: boolean }
export type SharedColumns = { readonly now: readonly string[]; readonly next: readonly string[] }
/** An array that stands in the head itself. */
export type FixedArray = { readonly at: number; isWritten: boolean }
export type NumberWord = { readonly at: number; readonly mem: 'i32' | 'f64'; isWritten: boolean }
/** A function of the formula runtime that is called as JavaScript; `given` says which arguments are handed over, the others being null. */
export type RuntimeCall = {
  readonly name: string
  readonly draws: number | null
  readonly given: readonly boolean[]
  readonly place: FailurePlace
}

const populationArrays = { handles: pops.HANDLES, ids: pops.IDS, living: pops.LIVING, order: pops.ORDER, ranks: pops.RANKS } as const
const bookArrays = { generations: pops.GENERATIONS, freed: pops.FREED_SLOTS } as const
const populationNumbers = {
  livingCount: pops.LIVING_COUNT,
  count: pops.COUNT,
  top: pops.TOP,
  settled: pops.SETTLED,
  capacity: pops.SLOT_ROOM,
} as const
const residentArrays = {
  x: spaces.X,
  y: spaces.Y,
  heading: spaces.HEADING,
  bucket: spaces.BUCKET,
  next: spaces.NEXT,
  previous: spaces.PREVIOUS,
  heads: spaces.HEADS,
} as const
const spaceReals = {
  lowX: spaces.LOW_X,
  lowY: spaces.LOW_Y,
  width: spaces.WIDTH,
  height: spaces.HEIGHT,
  'grid.minX': spaces.GRID_X,
  'grid.minY': spaces.GRID_Y,
  cellCapacity: spaces.CELL_CAPACITY,
  bucketSideX: spaces.SIDE_X,
  bucketSideY: spaces.SIDE_Y,
  minX: spaces.MIN_X,
  minY: spaces.MIN_Y,
  maxX: spaces.MAX_X,
  maxY: spaces.MAX_Y,
} as const
const spaceNumbers = {
  'grid.columns': spaces.COLUMNS,
  'grid.rows': spaces.ROWS_OF_CELLS,
  'grid.size': spaces.CELLS,
  bucketColumns: spaces.BUCKET_COLUMNS,
  bucketRows: spaces.BUCKET_ROWS,
  emptyCount: spaces.EMPTY_COUNT,
} as const
const linkArrays = {
  linkAt: network.LINK_AT,
  nodeAt: network.NODE_AT,
  source: network.SOURCES,
  target: network.TARGETS,
  sourcePopulation: network.SOURCE_POPULATIONS,
  targetPopulation: network.TARGET_POPULATIONS,
  weight: network.WEIGHTS,
  freeBlocks: network.FREE_BLOCKS,
} as const
const nodeArrays = {
  outStart: network.OUT_START,
  outCount: network.OUT_COUNT,
  outRoom: network.OUT_ROOM,
  inStart: network.IN_START,
  inCount: network.IN_COUNT,
  inRoom: network.IN_ROOM,
  simple: network.SIMPLE,
} as const

/** Of columns of texts: the code of None, and that of the first text. */
export const noText = -2
export const firstCode = 1

/** What an index is shifted by. */
const shifts = { u8: 0, u16: 1, i16: 1, i32: 2, f64: 3, v128: 4 } as const satisfies Record<Mem, number>

export class RowMemory {
  readonly arrays = new Map<string, ArrayWord>()
  readonly fixed = new Map<string, FixedArray>()
  readonly numbers = new Map<string, NumberWord>()
  /** Constants, by address. */
  readonly tables: { readonly at: number; readonly numbers: readonly number[] }[] = []
  readonly places: FailurePlace[] = []
  readonly calls: RuntimeCall[] = []
  readonly imports: ir.Import[] = []
  /** Texts that are written in formulas; their codes follow each other from `firstCode`. */
  readonly texts: string[] = []
  /** Columns of codes of texts, by path, and whether what they hold is looked at. */
  readonly textColumns = new Map<string, boolean>()
  /** Cells with a stencil, by number, and the columns it shares with rows: those of values and of next values. */
  readonly cells = new Map<number, SharedColumns>()
  /** Populations whose individuals are born or die. */
  readonly changing = new Set<EntityPart>()
  /** Variables that hold lists, by the paths of their columns, and the population whose individuals those hold; null where they hold numbers. */
  readonly listColumns = new Map<string, { readonly entity: EntityPart; readonly variable: VariablePart; readonly of: EntityPart | null }>()
  #list: number | null = null
  #heap: number | null = null
  readonly #populations = new Map<EntityPart, number>()
  readonly #residents = new Map<EntityPart, number>()
  readonly #spaces = new Map<SpacePart, number>()
  readonly #links = new Map<EntityPart, number>()
  /** By the numbers of the links and of the nodes. */
  readonly #nodes = new Map<string, number>()
  readonly #tableAt = new Map<string, number>()
  #top: number = rt.HEAD_SIZE
  #locals = 0
  /** Of the function that is being lowered. */
  locals = new Map<string, ir.Type>()

  /** Bytes of the head, in words of eight; returns their address. */
  room(bytes: number): number {
    const at = this.#top
    this.#top += (bytes + 7) & ~7
    return at
  }

  /** A call of a function of the host that gives nothing back. */
  host(name: string, params: ir.Import['params'], args: readonly Expr[]): ir.Stmt {
    if (!this.imports.some(one => one.name === name)) this.imports.push({ name, params, result: 'void' })
    return ir.run(ir.call(name, 'void', ...args))
  }

  local(prefix: string, type: ir.Type): string {
    const name = `${prefix}${this.#locals++}`
    this.locals.set(name, type)
    return name
  }

  place(place: FailurePlace): number {
    const same = (one: FailurePlace): boolean =>
      one.code === place.code && one.id === place.id && one.field === place.field && one.from === place.from && one.to === place.to
    const known = this.places.findIndex(same)
    return known >= 0 ? known : this.places.push(place) - 1
  }

  #arrayAt(path: string, word: number, isWritten = false): void {
    this.arrays.set(path, { word, isWritten })
  }

  /** The address of an array. */
  array(path: string, isWritten = false): Expr {
    let known = this.arrays.get(path)
    if (!known) this.arrays.set(path, (known = { word: this.room(8), isWritten }))
    known.isWritten ||= isWritten
    return ir.load('i32', ir.i32(known.word))
  }

  share(p: number, columns: SharedColumns): void {
    this.cells.set(p, columns)
    for (const path of [...columns.now, ...columns.next]) this.array(path, true)
  }

  /** The address of an element. */
  element(path: string, mem: Mem, index: Expr, isWritten = false): Expr {
    return ir.binary('add', this.array(path, isWritten), ir.binary('shl', index, ir.i32(shifts[mem])))
  }

  textCode(text: string): number {
    const known = this.texts.indexOf(text)
    return firstCode + (known >= 0 ? known : this.texts.push(text) - 1)
  }

  /** The address of the code of a text. */
  textElement(path: string, index: Expr, access: 'read' | 'write'): Expr {
    this.textColumns.set(path, access === 'read' || (this.textColumns.get(path) ?? false))
    return this.element(path, 'i32', index, access === 'write')
  }

  /** The record of the list that steps choose from: runtime/choices.ts. */
  list(): number {
    return (this.#list ??= this.room(choices.LIST_SIZE))
  }

  /** The record of the heap that lists of individuals stand in: runtime/choices.ts. */
  heap(): number {
    if (this.#heap === null) {
      const at = (this.#heap = this.room(choices.LIST_SIZE))
      this.#arrayAt('lists.heap', at + choices.ENTRIES, true)
      this.numbers.set('lists.room', { at: at + choices.ENTRY_ROOM, mem: 'i32', isWritten: false })
      this.numbers.set('lists.top', { at: at + choices.TOP_ENTRY, mem: 'i32', isWritten: true })
    }
    return this.#heap
  }

  /** The address of the record of a list of an individual. */
  ownList(entity: EntityPart, variable: VariablePart, of: EntityPart | null, slot: Expr): Expr {
    const path = `p${entity.index}_v${variable.index}`
    this.listColumns.set(path, { entity, variable, of })
    return ir.binary('add', this.array(path, true), ir.binary('shl', slot, ir.i32(shifts.v128)))
  }

  /** null where nothing is listed. */
  get listAt(): number | null {
    return this.#list
  }

  /** The address of an array of few bytes that stands in the head. */
  inHead(path: string, bytes: number, isWritten: boolean): number {
    let known = this.fixed.get(path)
    if (!known) this.fixed.set(path, (known = { at: this.room(bytes), isWritten }))
    known.isWritten ||= isWritten
    return known.at
  }

  numberAt(path: string, mem: 'i32' | 'f64', isWritten = false): number {
    let known = this.numbers.get(path)
    if (!known) this.numbers.set(path, (known = { at: this.room(8), mem, isWritten }))
    known.isWritten ||= isWritten
    return known.at
  }

  number(path: string, mem: 'i32' | 'f64'): Expr {
    return ir.load(mem, ir.i32(this.numberAt(path, mem)))
  }

  stream(component: string): Expr {
    return ir.i32(this.inHead(`stream ${component}`, 16, true))
  }

  table(numbers: readonly number[]): Expr {
    const key = numbers.join()
    let at = this.#tableAt.get(key)
    if (at === undefined) {
      this.#tableAt.set(key, (at = this.room(8 * numbers.length)))
      this.tables.push({ at, numbers })
    }
    return ir.i32(at)
  }

  #written(paths: readonly string[]): void {
    for (const path of paths) {
      const found = this.arrays.get(path) ?? this.numbers.get(path)
      if (found) found.isWritten = true
    }
  }

  // --- records

  /** The record of a population. `changes`: who lives may change, or in which order they act. */
  population(entity: EntityPart, changes: 'nothing' | 'order' | 'lives' = 'nothing'): number {
    const p = entity.index
    let at = this.#populations.get(entity)
    if (at === undefined) {
      this.#populations.set(entity, (at = this.room(pops.POPULATION_SIZE)))
      for (const [name, offset] of Object.entries(populationArrays)) this.#arrayAt(`P${p}.${name}`, at + offset)
      for (const [name, offset] of Object.entries(bookArrays)) this.#arrayAt(`Q${p}.${name}`, at + offset)
      const number = (path: string, offset: number, mem: 'i32' | 'f64'): void =>
        void this.numbers.set(path, { at: at! + offset, mem, isWritten: false })
      for (const [name, offset] of Object.entries(populationNumbers)) number(`P${p}.${name}`, offset, 'i32')
      number(`Q${p}.freedCount`, pops.FREED_SLOT_COUNT, 'i32')
      number(`Q${p}.births`, pops.BIRTHS, 'f64')
      number(`P${p}.maximum`, pops.MAXIMUM, 'f64')
    }
    if (changes === 'order') this.#written([`P${p}.order`])
    if (changes === 'lives') {
      this.changing.add(entity)
      this.#written([
        ...['handles', 'ids', 'living', 'order', 'livingCount', 'count', 'top', 'settled'].map(name => `P${p}.${name}`),
        ...['generations', 'freed', 'freedCount', 'births'].map(name => `Q${p}.${name}`),
      ])
    }
    return at
  }

  /** The record of a population's residents. */
  residents(entity: EntityPart, moves = false): number {
    const p = entity.index
    let at = this.#residents.get(entity)
    if (at === undefined) {
      this.#residents.set(entity, (at = this.room(spaces.RESIDENTS_SIZE)))
      for (const [name, offset] of Object.entries(residentArrays)) this.#arrayAt(`R${p}.${name}`, at + offset)
      for (const [path, offset] of [
        ['placed', spaces.PLACED],
        ['behind', spaces.BEHIND],
        ['heads.length', spaces.HEADS_COUNT],
      ] as const)
        this.numbers.set(`R${p}.${path}`, { at: at + offset, mem: 'i32', isWritten: false })
    }
    if (moves) this.#written([...Object.keys(residentArrays), 'placed', 'behind'].map(name => `R${p}.${name}`))
    return at
  }

  space(space: SpacePart, moves = false): number {
    const s = space.index
    let at = this.#spaces.get(space)
    if (at === undefined) {
      this.#spaces.set(space, (at = this.room(spaces.SPACE_SIZE)))
      const number = (path: string, offset: number, mem: 'i32' | 'f64'): void =>
        void this.numbers.set(path, { at: at! + offset, mem, isWritten: false })
      for (const [name, offset] of Object.entries(spaceReals)) number(`S${s}.${name}`, offset, 'f64')
      for (const [name, offset] of Object.entries(spaceNumbers)) number(`S${s}.${name}`, offset, 'i32')
      number(`Z${s}.counts`, spaces.COUNTS, 'i32')
      number(`Z${s}.tracksEmpty`, spaces.TRACKS_EMPTY, 'i32')
      this.#arrayAt(`S${s}.empty`, at + spaces.EMPTY)
      this.#arrayAt(`Z${s}.occupancy`, at + spaces.OCCUPANCY)
      this.#arrayAt(`Z${s}.emptyAt`, at + spaces.EMPTY_AT)
    }
    if (moves) this.#written([`S${s}.empty`, `S${s}.emptyCount`, `Z${s}.occupancy`, `Z${s}.emptyAt`])
    return at
  }

  /** The record of links that come or go. */
  links(links: EntityPart): number {
    const { index } = links
    let at = this.#links.get(links)
    if (at === undefined) {
      this.#links.set(links, (at = this.room(network.LINKS_SIZE)))
      for (const [name, offset] of Object.entries(linkArrays)) this.#arrayAt(`links ${index}.${name}`, at + offset, true)
      this.numbers.set(`L${index}.used`, { at: at + network.TAKEN, mem: 'i32', isWritten: true })
      this.numbers.set(`L${index}.linkAt.length`, { at: at + network.ENTRIES_OF_BLOCKS, mem: 'i32', isWritten: false })
    }
    return at
  }

  /** The record of nodes of such links. */
  nodes(links: EntityPart, node: EntityPart): number {
    const key = `${links.index} ${node.index}`
    let at = this.#nodes.get(key)
    if (at === undefined) {
      this.#nodes.set(key, (at = this.room(network.NODES_SIZE)))
      for (const [name, offset] of Object.entries(nodeArrays)) this.#arrayAt(`nodes ${key}.${name}`, at + offset, true)
    }
    return at
  }

  /** Of spaces, what is the same from a run's beginning to its end, and nearly always from run to run: addresses by path. */
  get steady(): ReadonlyMap<string, number> {
    // The buckets of an open space change their size when many individuals are added.
    const reals = Object.keys(spaceReals).filter(name => !name.startsWith('bucket'))
    const names = [...reals, 'grid.columns', 'grid.rows', 'grid.size']
    const found = [...this.#spaces.keys()].flatMap(({ index: s }) => [
      ...names.map(name => `S${s}.${name}`),
      `Z${s}.counts`,
      `Z${s}.tracksEmpty`,
    ])
    return new Map(found.map(path => [path, this.numbers.get(path)!.at]))
  }

  /** Where records of populations, residents and spaces begin and end. */
  get records(): readonly (readonly [from: number, to: number])[] {
    const sizes = [
      [this.#populations, pops.POPULATION_SIZE],
      [this.#residents, spaces.RESIDENTS_SIZE],
      [this.#spaces, spaces.SPACE_SIZE],
      [this.#links, network.LINKS_SIZE],
      [this.#nodes, network.NODES_SIZE],
    ] as const
    const heap = this.#heap === null ? [] : [[this.#heap, this.#heap + choices.LIST_SIZE] as const]
    return [...heap, ...sizes.flatMap(([all, size]) => Array.from(all.values(), at => [at, at + size] as const))]
  }

  /** Words that hold addresses, which change only where something is made longer. */
  get addressWords(): ReadonlySet<number> {
    return new Set([...this.arrays.values()].map(({ word }) => word))
  }
}
