// The world: everything that changes in a run, in one place, so that a snapshot is `save()` and a hash is over it. It is
// also what generated code calls `W`: the contract is formula/runtime/world.ts, which says what each function means.
import { EngineFault } from '../kernel/fault.ts'
import type { World as FormulaWorld } from '../formula/runtime/world.ts'
import { FormulaDate, Ref } from '../formula/runtime/values.ts'
import { Calendar } from '../kernel/calendar.ts'
import { stream, type Stream } from '../kernel/random.ts'
import { hashOf, intsOf, listOf, numberOf, recordOf, ValueReader, ValueWriter, type Codec, type State } from '../kernel/snapshot.ts'
import { RunError } from '../problems.ts'
import { codecsOf } from './codecs.ts'
import { Containers, type Told } from './containers.ts'
import { Links, type LinkPlan } from './links.ts'
import { Mail } from './mail.ts'
import { clustering, clusteringOf, components, predecessors, relatives, shortestPath, successors, type Node } from './networks.ts'
import { Population, type PopulationKind, type Property } from './population.ts'
import { WordTable } from './word-table.ts'
import { Space, type Residents, type SpacePlan } from './space.ts'

/** What the engine adds to the world. */
type Hooks = Told & {
  /** A waiting token gets the payload of the message it waited for. */
  deliver(token: number, payload: unknown): void
  /** An individual is about to die: end its tokens. Called while it still lives. */
  dying(population: Population, handle: number): void
  /** `create` or `connect` of a formula: initial values and birth starts. Columns are at their initial values. `own` is null for an observer. */
  born(population: Population, handle: number, own: Population | null, mother: number): void
  print(line: string): void
}

/** Any other state saved and restored with the world: global variables, token tables. */
type Part = { save(values: ValueWriter): State; load(state: State, values: ValueReader): void }

/** Something with properties that is no individual: an observer, a container, a statistic. */
type WithProperties = { readonly properties: ReadonlyMap<string, Property> }

export class World implements FormulaWorld {
  seed: number
  readonly run: number
  time = 0
  tick = 0
  readonly calendar = new Calendar()
  readonly containers: Containers
  readonly mail: Mail
  readonly populations: Population[] = []
  readonly words: WordTable
  readonly spaces: Space[] = []
  readonly links: Links[] = []
  readonly #hooks: Hooks
  readonly #epoch: { ms: number; msPerTick: number } | undefined
  readonly #streams = new Map<string, Stream>()
  /** Streams of the runs before, for those of the same name: generated code holds on to the arrays. */
  readonly #pastStreams = new Map<string, Stream>()
  readonly #parts = new Map<string, Part>()
  // By population index.
  readonly #residents: (Residents | undefined)[] = []
  readonly #linksOfPopulation: (Links | undefined)[] = []
  readonly #spaceOfCells: (Space | undefined)[] = []
  // References given out: of each slot the latest, and the ones before.
  readonly #refs: (Ref | undefined)[][] = []
  readonly #olderRefs: Map<number, Ref>[] = []
  readonly #codecs: readonly Codec[]
  // The position of the last entity asked about.
  #space: Space | null = null
  #x = 0
  #y = 0
  #z = 0

  constructor(options: { seed: number; run: number; hooks: Hooks; epoch?: { ms: number; msPerTick: number }; words?: WordTable }) {
    this.words = options.words ?? new WordTable()
    this.seed = options.seed
    this.run = options.run
    this.#hooks = options.hooks
    this.#epoch = options.epoch
    this.containers = new Containers(this, options.hooks)
    this.mail = new Mail(this, {
      deliver: (token, payload) => this.#hooks.deliver(token, payload),
      isAlive: (population, handle) => this.populations[population]?.isAlive(handle) ?? true,
    })
    this.#codecs = codecsOf(this)
  }

  addPopulation(id: string, name: string, kind: PopulationKind): Population {
    const population = new Population(id, name, this.populations.length, kind, this.words)
    this.populations.push(population)
    this.#refs.push([])
    this.#olderRefs.push(new Map())
    return population
  }

  /** Makes a population of kind 'link' a network. */
  addLinks(population: Population, plan: LinkPlan): Links {
    const links = new Links(population, plan)
    this.links.push(links)
    this.#linksOfPopulation[population.index] = links
    return links
  }

  addSpace(plan: SpacePlan): Space {
    const space = new Space(plan)
    this.spaces.push(space)
    return space
  }

  population(index: number): Population {
    const population = this.populations[index]
    if (!population) throw new EngineFault(`world: there is no population ${index}`)
    return population
  }

  space(index: number): Space {
    const space = this.spaces[index]
    if (!space) throw new EngineFault(`world: there is no space ${index}`)
    return space
  }

  /** The stream of a component, made on first use; the same array for the life of the world. */
  stream(component: string): Stream {
    const known = this.#streams.get(component)
    if (known) return known
    const made = stream(this.seed, this.run, component)
    const past = this.#pastStreams.get(component)
    past?.set(made)
    this.#streams.set(component, past ?? made)
    return past ?? made
  }

  /** Goes back to `state`, as it was before the first draw, with the streams of another seed. */
  restart(state: State, seed: number): void {
    for (const [component, words] of this.#streams) this.#pastStreams.set(component, words)
    this.#streams.clear()
    this.seed = seed
    for (const refs of this.#refs) refs.length = 0
    for (const refs of this.#olderRefs) refs.clear()
    this.load(state)
    for (const [component, words] of this.#streams) words.set(stream(seed, this.run, component))
  }

  /** null for populations without a space. */
  residents(population: Population): Residents | null {
    const known = this.#residents[population.index]
    if (known) return known
    const found = this.spaces.map(space => space.residents(population)).find(one => one !== undefined)
    this.#residents[population.index] = found
    return found ?? null
  }

  linksOf(population: Population): Links {
    const links = this.#linksOfPopulation[population.index]
    if (!links) throw new RunError(10055)
    return links
  }

  /** Saved and restored with the world, in the order of registration. */
  keep(name: string, part: Part): void {
    if (this.#parts.has(name)) throw new EngineFault(`world: part "${name}" exists already`)
    this.#parts.set(name, part)
  }

  /** Drops the dead from all orders; newborns may act from now on. Once at the start of each instant, outside all loops. */
  settle(): void {
    const { populations, spaces, links } = this
    for (let k = 0; k < populations.length; k++) populations[k]!.settle()
    for (let k = 0; k < spaces.length; k++) spaces[k]!.found.top = 0
    for (let k = 0; k < links.length; k++) links[k]!.found.top = 0
  }

  /** Whether `settle` would change nothing. */
  get isSettled(): boolean {
    const { populations, spaces, links } = this
    for (let k = 0; k < populations.length; k++) if (!populations[k]!.isSettled) return false
    for (let k = 0; k < spaces.length; k++) if (spaces[k]!.found.top > 0) return false
    for (let k = 0; k < links.length; k++) if (links[k]!.found.top > 0) return false
    return true
  }

  // --- entities

  ref(population: Population, handle: number): Ref | null {
    if (handle < 0) return null
    const refs = this.#refs[population.index]!
    const latest = refs[handle & 0xffffff]
    if (latest?.handle === handle) return latest
    const older = this.#olderRefs[population.index]!
    const known = older.get(handle)
    if (known) return known
    const made = new Ref(population, handle)
    if (latest) older.set(latest.handle, latest)
    // Without holes the array stays a fast one.
    while (refs.length <= (handle & 0xffffff)) refs.push(undefined)
    refs[handle & 0xffffff] = made
    return made
  }

  handle(population: Population, value: unknown, from: number, to: number): number {
    if (value === null) return -1
    if (!(value instanceof Ref)) throw new RunError(10012, [], from, to)
    if (value.population !== population) throw new RunError(10055, [], from, to)
    return value.handle
  }

  live(population: Population, handle: number, from: number, to: number): number {
    if (handle >= 0 && population.handles[handle & 0xffffff] === handle) return handle
    throw new RunError(handle < 0 ? 10014 : 10053, [], from, to)
  }

  isAlive(population: Population, handle: number): boolean {
    return population.isAlive(handle)
  }

  is_alive(population: Population, handle: number): boolean {
    return population.isAlive(handle)
  }

  get(of: unknown, name: string, from: number, to: number): unknown {
    return this.#property(of, name, from, to).read(of instanceof Ref ? of.handle : -1)
  }

  set(of: unknown, name: string, value: unknown, from: number, to: number): void {
    const property = this.#property(of, name, from, to)
    if (!property.write || property.isPrivate === true) throw new RunError(10033, [], from, to)
    property.write(of instanceof Ref ? of.handle : -1, value)
  }

  setOwn(of: unknown, name: string, value: unknown, from: number, to: number): void {
    const property = this.#property(of, name, from, to)
    if (!property.write) throw new RunError(10033, [], from, to)
    property.write(of instanceof Ref ? of.handle : -1, value)
  }

  individuals(population: Population): readonly number[] {
    return population.listed()
  }

  print(line: string): void {
    this.#hooks.print(line)
  }

  now(from: number, to: number): FormulaDate {
    if (!this.#epoch) throw new RunError(10013, [], from, to)
    return new FormulaDate(this.#epoch.ms + this.time * this.#epoch.msPerTick)
  }

  create(population: Population, own: Population | null, self: number, from: number, to: number): number {
    if (population.kind !== 'agent') throw new RunError(10032, [], from, to)
    // In two steps: a birth may replace `handles`.
    const slot = population.create()
    const handle = population.handles[slot]!
    this.#hooks.born(population, handle, own, self)
    return handle
  }

  /** Ends a life and what hangs on it: tokens, mail, links, place. The dead may die again: nothing happens. 10014 for None. */
  die(population: Population, handle: number, from: number, to: number): void {
    if (!population.isAlive(handle)) {
      if (handle < 0) throw new RunError(10014, [], from, to)
      return
    }
    if (population.kind === 'cell') throw new RunError(10032, [], from, to)
    if (!population.isBare) {
      this.#sever(population, handle, from, to)
      if (!population.isAlive(handle)) return
    }
    const residents = this.residents(population)
    if (residents) residents.space.remove(residents, handle & 0xffffff)
    population.kill(handle)
  }

  /** What hangs on a life ends. */
  #sever(population: Population, handle: number, from: number, to: number): void {
    this.#hooks.dying(population, handle)
    if (!population.isAlive(handle)) return
    this.mail.forget(population.index, handle)
    const slot = handle & 0xffffff
    for (let k = 0; k < this.links.length; k++) {
      const links = this.links[k]!
      for (const link of links.linksOf(population, slot)) this.die(links.population, links.population.handles[link]!, from, to)
      links.forget(population, slot)
    }
    if (population.kind === 'link') this.#linksOfPopulation[population.index]?.unlink(slot)
  }

  // --- space

  neighbors(radius: number, of: Population | null, own: Population, self: number, from: number, to: number): number[] | Ref[] {
    const space = this.#locate(own, self, from, to)
    const { x, y, z } = this.#point()
    const slot = self & 0xffffff
    if (of?.kind === 'cell') return this.neighbor_cells(radius, own, self, from, to, of)
    if (of) {
      const residents = this.residents(of)
      if (residents?.space !== space) return []
      const start = space.found.top
      space.gather(residents, x, y, z, radius, of === own ? slot : -1, true)
      return space.found.takeAs(of.handles, start)
    }
    const found: { far: number; ref: Ref }[] = []
    for (const residents of space.admitted) {
      for (const one of space.within(residents, x, y, z, radius, residents.population === own ? slot : -1)) {
        const far = space.distance(x, y, residents.x[one]!, residents.y[one]!, z, space.is3D ? residents.z[one]! : 0)
        found.push({ far, ref: this.#sure(residents.population, one) })
      }
    }
    return found.sort((p, q) => p.far - q.far).map(one => one.ref)
  }

  neighbor_cells(radius: number, own: Population, self: number, from: number, to: number, cells: Population | null): number[] | Ref[] {
    return this.#cellsAround('round', radius, own, self, from, to, cells)
  }

  moore(radius: number, own: Population, self: number, from: number, to: number, cells: Population | null): number[] | Ref[] {
    return this.#cellsAround('moore', radius, own, self, from, to, cells)
  }

  von_neumann(radius: number, own: Population, self: number, from: number, to: number, cells: Population | null): number[] | Ref[] {
    return this.#cellsAround('vonNeumann', radius, own, self, from, to, cells)
  }

  cell_at(x: number, y: number, z: number, from: number, to: number, cells: Population | null): number | Ref {
    for (const space of this.spaces) {
      if (!space.cells || (cells && space.cells !== cells)) continue
      const cell = space.grid.at(x, y, z)
      if (cell >= 0) return cells ? cell : this.#sure(space.cells, cell)
    }
    return outside(from, to)
  }

  agents_on(cells: Population, cell: number, of: Population | null, from: number, to: number): number[] | Ref[] {
    const known = this.#spaceOfCells[cells.index]
    const space = known ?? this.#locate(cells, cell, from, to)
    if (known) cells.slotOf(cell, from, to)
    if (of) {
      const residents = this.residents(of)
      if (residents?.space !== space) return []
      const start = space.found.top
      space.gatherOn(residents, cell)
      return space.found.takeAs(of.handles, start)
    }
    const refs: Ref[] = []
    for (const residents of space.admitted) {
      if (space.isDiscrete && residents.isListed)
        for (let slot = residents.heads[cell]!; slot >= 0; slot = residents.next[slot]!) refs.push(this.#sure(residents.population, slot))
      else for (const slot of space.on(residents, cell)) refs.push(this.#sure(residents.population, slot))
    }
    return refs
  }

  /** The n nearest others of a population (null = of any), nearest first. */
  nearest(n: number, of: Population | null, own: Population, self: number, from: number, to: number): number[] | Ref[] {
    const space = this.#locate(own, self, from, to)
    const { x, y, z } = this.#point()
    const found: { far: number; population: Population; slot: number }[] = []
    for (const residents of space.admitted) {
      const { population } = residents
      if (of && population !== of) continue
      for (const slot of space.nearest(residents, x, y, z, n, population === own ? self & 0xffffff : -1)) {
        found.push({
          far: space.distance(x, y, residents.x[slot]!, residents.y[slot]!, z, space.is3D ? residents.z[slot]! : 0),
          population,
          slot,
        })
      }
    }
    found.sort((p, q) => p.far - q.far).splice(n)
    return of ? found.map(one => of.handles[one.slot]!) : found.map(one => this.#sure(one.population, one.slot))
  }

  distance(a: Population, ha: number, b: Population, hb: number, from: number, to: number): number {
    const space = this.#locate(a, ha, from, to)
    const { x, y, z } = this.#point()
    if (this.#locate(b, hb, from, to) !== space) throw new RunError(10062, [], from, to)
    return space.distance(x, y, this.#x, this.#y, z, this.#z)
  }

  distance_xy(x: number, y: number, b: Population, hb: number, from: number, to: number): number {
    const space = this.#locate(b, hb, from, to)
    return space.distance(this.#x, this.#y, x, y)
  }

  direction_to(a: Population, ha: number, b: Population, hb: number, from: number, to: number): number {
    const space = this.#locate(a, ha, from, to)
    const { x, y } = this.#point()
    if (this.#locate(b, hb, from, to) !== space) throw new RunError(10062, [], from, to)
    return Math.max(0, space.direction(this.#x, this.#y, x, y))
  }

  direction_xy(x: number, y: number, b: Population, hb: number, from: number, to: number): number {
    const space = this.#locate(b, hb, from, to)
    return Math.max(0, space.direction(this.#x, this.#y, x, y))
  }

  // --- networks

  relatives(links: Population, radius: number, weight: boolean, own: Population, self: number, from: number, to: number): number[] | Ref[] {
    const network = this.linksOf(links)
    const slot = own.slotOf(self, from, to)
    if (!weight && radius >= 1 && radius < 2 && network.joined.length === 1) {
      const start = network.found.top
      network.gather(network.nodes(own), slot)
      const handles: number[] = []
      for (let k = start; k < network.found.top; k++) handles.push(own.handles[network.found.slots[k]!]!)
      network.found.top = start
      return handles
    }
    return this.#nodes(network, relatives(network, own, slot, radius, weight))
  }

  predecessors(links: Population, own: Population, self: number, from: number, to: number): number[] | Ref[] {
    const network = this.linksOf(links)
    return this.#nodes(network, predecessors(network, own, own.slotOf(self, from, to)))
  }

  successors(links: Population, own: Population, self: number, from: number, to: number): number[] | Ref[] {
    const network = this.linksOf(links)
    return this.#nodes(network, successors(network, own, own.slotOf(self, from, to)))
  }

  links_of(links: Population, own: Population, self: number, from: number, to: number): number[] {
    return this.linksOf(links)
      .linksOf(own, own.slotOf(self, from, to))
      .map(link => links.handles[link]!)
  }

  link_between(links: Population, a: Population, ha: number, b: Population, hb: number, from: number, to: number): number {
    const link = this.linksOf(links).between(b, b.slotOf(hb, from, to), a, a.slotOf(ha, from, to))
    return link < 0 ? -1 : links.handles[link]!
  }

  degree(links: Population, own: Population, self: number, from: number, to: number): number {
    return this.linksOf(links).degree(own, own.slotOf(self, from, to))
  }

  shortest_path(
    links: Population,
    target: Population,
    handle: number,
    source: Population,
    self: number,
    weight: boolean,
    from: number,
    to: number,
  ): number[] | Ref[] {
    const network = this.linksOf(links)
    const start = { population: source, slot: source.slotOf(self, from, to) }
    return this.#nodes(network, shortestPath(network, start, { population: target, slot: target.slotOf(handle, from, to) }, weight))
  }

  components(links: Population): Ref[][] {
    return components(this.linksOf(links)).map(nodes => nodes.map(node => this.#sure(node.population, node.slot)))
  }

  clustering(links: Population, node: Population | null, handle: number, from: number, to: number): number {
    const network = this.linksOf(links)
    return node ? clusteringOf(network, node, node.slotOf(handle, from, to)) : clustering(network)
  }

  connect(links: Population, a: Population, ha: number, b: Population, hb: number, weight: number, from: number, to: number): number {
    const before = links.count
    const slot = this.linksOf(links).connect(b, hb, a, ha, weight, from, to)
    const handle = links.handles[slot]!
    if (links.count > before) this.#hooks.born(links, handle, b, hb)
    return handle
  }

  remove_node(links: Population, own: Population, self: number, from: number, to: number): void {
    for (const link of this.linksOf(links).linksOf(own, own.slotOf(self, from, to))) this.die(links, links.handles[link]!, from, to)
  }

  // --- snapshots

  save(): State {
    const values = new ValueWriter(this.#codecs)
    return {
      time: this.time,
      tick: this.tick,
      streams: [...this.#streams].map(([name, state]) => [name, state.slice()]),
      calendar: this.calendar.save(),
      containers: this.containers.save(values),
      populations: this.populations.map(population => population.save(values)),
      spaces: this.spaces.map(space => space.save()),
      links: this.links.map(links => links.save()),
      mail: this.mail.save(values),
      parts: [...this.#parts].map(([name, part]) => [name, part.save(values)]),
      values: values.table,
    }
  }

  /** Into a world of the same model. Throws RangeError when the state is of another one or damaged. */
  load(state: State): void {
    const saved = recordOf(state)
    const values = new ValueReader(this.#codecs, saved['values'] ?? null)
    const populations = listOf(saved['populations'] ?? null)
    if (populations.length !== this.populations.length)
      throw new EngineFault(`world: ${populations.length} saved populations for ${this.populations.length}`)
    this.time = numberOf(saved['time'])
    this.tick = numberOf(saved['tick'])
    for (const one of listOf(saved['streams'] ?? null)) {
      const [name, words] = listOf(one)
      this.stream(String(name)).set(intsOf(words))
    }
    this.calendar.load(saved['calendar'] ?? null)
    this.containers.load(saved['containers'] ?? null, values)
    for (const [k, population] of this.populations.entries()) population.load(populations[k] ?? null, values)
    for (const [k, space] of this.spaces.entries()) space.load(listOf(saved['spaces'] ?? null)[k] ?? null)
    for (const [k, links] of this.links.entries()) links.load(listOf(saved['links'] ?? null)[k] ?? null)
    this.mail.load(saved['mail'] ?? null, values)
    for (const one of listOf(saved['parts'] ?? null)) {
      const [name, part] = listOf(one)
      this.#parts.get(String(name))?.load(part ?? null, values)
    }
  }

  /** Over the whole state: equal for equal runs on every engine. */
  hash(): string {
    return hashOf(this.save())
  }

  #property(of: unknown, name: string, from: number, to: number): Property {
    if (of === null || of === undefined) throw new RunError(10014, [], from, to)
    let property: Property | undefined
    if (of instanceof Ref) {
      const { population } = of
      if (!(population instanceof Population)) throw new RunError(10012, [], from, to)
      this.live(population, of.handle, from, to)
      property = population.properties.get(name)
    } else if (hasProperties(of)) property = of.properties.get(name)
    if (!property) throw new RunError(10031, [], from, to)
    return property
  }

  /** Sets the position of an entity; returns its space. 10062 when it has no place. */
  #locate(population: Population, handle: number, from: number, to: number): Space {
    const slot = population.slotOf(handle, from, to)
    const residents = this.residents(population)
    if (residents) {
      if (!residents.isPlaced(slot)) throw new RunError(10062, [], from, to)
      this.#space = residents.space
      this.#x = residents.x[slot]!
      this.#y = residents.y[slot]!
      this.#z = this.#space.is3D ? residents.z[slot]! : 0
      return this.#space
    }
    const space = (this.#spaceOfCells[population.index] ??= this.spaces.find(one => one.cells === population))
    if (!space) throw new RunError(10062, [], from, to)
    this.#space = space
    this.#x = space.grid.x(slot)
    this.#y = space.grid.y(slot)
    this.#z = space.grid.z(slot)
    return space
  }

  #point(): { x: number; y: number; z: number } {
    return { x: this.#x, y: this.#y, z: this.#z }
  }

  #cellsAround(
    shape: 'moore' | 'vonNeumann' | 'round',
    radius: number,
    own: Population,
    self: number,
    from: number,
    to: number,
    cells: Population | null,
  ): number[] | Ref[] {
    const space = this.#locate(own, self, from, to)
    const tiles = space.cells
    if (!tiles || (cells && tiles !== cells)) return []
    const found = space.around(space.grid.at(this.#x, this.#y, this.#z), shape, radius)
    return cells ? found : found.map(cell => this.#sure(tiles, cell))
  }

  /** Handles when the network has one population of nodes, else Refs. */
  #nodes(links: Links, nodes: readonly Node[]): number[] | Ref[] {
    if (links.joined.length === 1) return nodes.map(node => node.population.handles[node.slot]!)
    return nodes.map(node => this.#sure(node.population, node.slot))
  }

  #sure(population: Population, slot: number): Ref {
    const ref = this.ref(population, population.handles[slot]!)
    if (!ref) throw new EngineFault(`world: ${population.name} ${slot} is dead`)
    return ref
  }
}

function outside(from: number, to: number): never {
  throw new RunError(10060, [], from, to)
}

function hasProperties(value: unknown): value is WithProperties {
  return typeof value === 'object' && value !== null && 'properties' in value && value.properties instanceof Map
}
