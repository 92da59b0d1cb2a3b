// The things of one run that rows mention, by the paths of their text: where an array or a number is, and how it goes in and out of
// the rows' memory.
import type { Built } from '../run/build.ts'
import type { AnyColumn, Column, Population } from '../world/population.ts'
import type { StencilCells } from '../stencil/cells.ts'
import type { Shape } from '../world/grid.ts'
import type { Lists } from './lists.ts'
import { firstCode, noText } from '../lower/row-memory.ts'
import type { RowMemory } from '../lower/row-memory.ts'

export type Numbers = Float64Array | Int32Array | Uint16Array | Uint8Array

/** Where a number is. */
export type Holder = { readonly holder: object; readonly name: string }

/** The code of what rows haven't touched. */
const untouched = -1

/** Texts as codes, and back. */
export class Texts {
  readonly columns: RowMemory['textColumns']
  readonly #values: unknown[]
  readonly #codes = new Map<unknown, number>()

  constructor({ texts, textColumns }: Pick<RowMemory, 'texts' | 'textColumns'>) {
    this.columns = textColumns
    this.#values = [...texts]
    for (const [k, text] of texts.entries()) this.#codes.set(text, firstCode + k)
  }

  encode(value: unknown): number {
    if (value === null) return noText
    const known = this.#codes.get(value)
    if (known !== undefined) return known
    const code = firstCode + this.#values.length
    this.#values.push(value)
    this.#codes.set(value, code)
    return code
  }

  decode(code: number): unknown {
    return code === noText ? null : this.#values[code - firstCode]
  }
}

type TextColumn = { readonly population: Population; readonly data: unknown[]; readonly codes: Int32Array; readonly isRead: boolean }

/** Columns of numbers. */
const numeric = ({ columns }: Population): Exclude<Column, AnyColumn>[] => [...columns.values()].filter(column => column.type !== 'any')

export class Scope {
  readonly #built: Built
  readonly #changing: ReadonlySet<number>
  readonly #texts: Texts
  readonly #lists: Lists
  readonly #names: Readonly<Record<string, unknown>>
  readonly #roots = new Map<string, unknown>()
  /** Who acts, and where. */
  readonly #actor = { at: 0, who: -1, me: -1 }
  /** By population and by space: what it keeps to itself. */
  readonly #books: ReturnType<typeof booksOf>[]
  readonly #spaces: { empty: Int32Array; books: ReturnType<Built['world']['spaces'][number]['lend']> }[]
  readonly #columns: TextColumn[] = []

  /** As the world is now. `changing`: populations that rows give birth to, or kill. */
  constructor(built: Built, changing: ReadonlySet<number>, texts: Texts, lists: Lists) {
    const { world, entries, runtime } = built
    this.#built = built
    this.#changing = changing
    this.#texts = texts
    this.#lists = lists
    this.#names = entries.lend?.() ?? {}
    for (const name of ['at', 'who', 'me'] as const) this.#actor[name] = Number(this.#names[name])
    this.#books = world.populations.map(population => booksOf(population, changing.has(population.index)))
    this.#spaces = world.spaces.map(space => ({ empty: space.empty, books: space.lend() }))
    this.#roots.set('W', world)
    this.#roots.set('F', runtime)
    this.#roots.set('G', built.stores.numbers)
    this.#roots.set('B', built.stores.flags)
    for (const [p, population] of world.populations.entries()) {
      const columns = numeric(population).map((column, k) => [`c${k}`, column.data] as const)
      this.#roots.set(`P${p}`, population)
      this.#roots.set(`R${p}`, world.residents(population))
      this.#roots.set(`Q${p}`, Object.assign(this.#books[p]!, Object.fromEntries(columns)))
    }
    for (const one of world.links) {
      this.#roots.set(`L${one.population.index}`, one)
      for (const { population } of one.joined) this.#roots.set(`ln${one.population.index}`, one.nodes(population))
    }
    for (const [s, space] of world.spaces.entries()) {
      this.#roots.set(`S${s}`, space)
      this.#roots.set(`Z${s}`, this.#spaces[s]!.books)
    }
    for (const [path, isRead] of texts.columns) this.#addTexts(path, isRead)
    lists.fit()
    this.#roots.set('lists', lists)
    for (const [path, records] of lists.records) this.#roots.set(path, records)
  }

  stencil(p: number): StencilCells {
    return this.#built.stencils.byPopulation[p]!
  }

  /** Whether a space began to count or list the individuals on its cells, so that its arrays were replaced. Populations report theirs. */
  get isOutdated(): boolean {
    return this.#built.world.spaces.some((space, s) => {
      const { empty, books } = this.#spaces[s]!
      const { counts, tracksEmpty, occupancy } = space.lend()
      return (
        space.empty !== empty || counts !== books.counts || tracksEmpty !== books.tracksEmpty || (counts && occupancy !== books.occupancy)
      )
    })
  }

  /** What is at a path; undefined where nothing is. */
  at(path: string): unknown {
    const { world } = this.#built
    if (path.startsWith('stream ')) return world.stream(path.slice('stream '.length))
    const [kind, first, shape, radius] = path.slice(0, path.lastIndexOf('.')).split(' ')
    const last = path.slice(path.lastIndexOf('.') + 1)
    if (kind === 'near') return Reflect.get(world.space(Number(first)).grid.near(shape as Shape, Number(radius)), last)
    if (kind?.startsWith('ln') && first !== undefined)
      return Reflect.get(world.linksOf(world.population(Number(kind.slice(2)))).nodes(world.population(Number(first))), last)
    if (kind === 'links' || kind === 'nodes') {
      const links = world.linksOf(world.population(Number(first)))
      return Reflect.get(kind === 'links' ? links : links.nodes(world.population(Number(shape))), last)
    }
    const [root = '', ...steps] = path.split('.')
    let found: unknown = this.#roots.get(root) ?? this.#names[root] ?? this.#columnAt(root)
    for (const step of steps) {
      if (typeof found !== 'object' || found === null) return undefined
      found = Reflect.get(found, step)
    }
    return found
  }

  /** A column by its path, where the program does not mention it. */
  #columnAt(path: string): unknown {
    const bar = path.indexOf('_')
    return bar < 0 ? undefined : this.#built.world.populations[Number(path.slice(1, bar))]?.columns.get(path.slice(bar + 1))?.data
  }

  arrayAt(path: string): Numbers {
    const found = this.at(path)
    if (found instanceof Float64Array || found instanceof Int32Array || found instanceof Uint16Array || found instanceof Uint8Array)
      return found
    throw new TypeError(`rows: no array at ${path}`)
  }

  holderOf(path: string): Holder {
    const dot = path.lastIndexOf('.')
    const name = path.slice(dot + 1)
    if (dot < 0) return { holder: name in this.#actor ? this.#actor : this.#names, name }
    // What is settled is a population's own.
    const holder = name === 'settled' ? this.at(`Q${path.slice(1, dot)}`) : this.at(path.slice(0, dot))
    if (typeof holder !== 'object' || holder === null) throw new TypeError(`rows: nothing holds ${path}`)
    return { holder, name }
  }

  /** Before the values here are copied in. */
  refresh(): void {
    for (const [p, population] of this.#built.world.populations.entries()) {
      const books = this.#books[p]!
      const { freedCount, births, settled } = population.lend(false)
      books.freedCount = freedCount
      books.births = births
      books.settled = settled
      books.stale.fill(0)
    }
    for (const { population, data, codes, isRead } of this.#columns) {
      if (isRead) for (let slot = 0; slot < population.top; slot++) codes[slot] = this.#texts.encode(data[slot])
      else codes.fill(untouched)
    }
  }

  /** After numbers were copied out. */
  tellNumbers(): void {
    const { entries, world } = this.#built
    const { at, who, me } = this.#actor
    entries.setPlace(at)
    entries.setActor(who, me)
    for (const p of this.#changing) world.population(p).take(this.#books[p]!)
  }

  /** After numbers and arrays were copied out: what isn't a number. */
  tellValues(): void {
    for (const p of this.#changing) {
      const population = this.#built.world.population(p)
      const { stale } = this.#books[p]!
      const others = [...population.columns.values()].filter(column => column.type === 'any')
      for (const { data, initial } of others) for (let slot = 0; slot < population.top; slot++) if (stale[slot] !== 0) data[slot] = initial
    }
    for (const { population, data, codes } of this.#columns)
      for (let slot = 0; slot < population.top; slot++) if (codes[slot] !== untouched) data[slot] = this.#texts.decode(codes[slot]!)
    this.#lists.write()
  }

  #addTexts(path: string, isRead: boolean): void {
    const [, p, name = ''] = /^p(\d+)_(\w+)$/.exec(path) ?? []
    const population = this.#built.world.population(Number(p))
    const column = population.columns.get(name)
    // Next values are the program's own.
    const data = column?.type === 'any' ? column.data : name.startsWith('n') ? this.#names[path] : null
    if (!Array.isArray(data)) return
    const codes = new Int32Array(population.capacity).fill(untouched)
    this.#columns.push({ population, data, codes, isRead })
    this.#roots.set(path, codes)
  }
}

/** With marks on slots that have their first values again, where these are neither numbers nor texts of rows. */
const booksOf = (population: Population, isChanging: boolean) => ({
  ...population.lend(isChanging),
  stale: new Uint8Array(isChanging ? population.capacity : 0),
})
