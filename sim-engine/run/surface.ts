// What steps need beside tokens: choosing, placing, linking, sending, starting, values. Generated code calls it `X`.
import { FormulaDict, FormulaRange, FormulaSet, Ref, Tuple } from '../formula/runtime/values.ts'
import { show } from '../formula/runtime/show.ts'
import { below, uniform } from '../kernel/random.ts'
import type { Stream } from '../kernel/random.ts'
import { RunError } from '../problems.ts'
import type { Param, ProblemCode } from '../problems.ts'
import { Lent } from './lent.ts'
import { tally } from './tally.ts'
import type { Population } from '../world/population.ts'
import type { Residents, Space } from '../world/space.ts'
import type { Links } from '../world/links.ts'
import { complete, fromTable, lattice, random, randomCount, ring, scaleFree, smallWorld } from '../world/generators.ts'
import type { Container } from '../world/container.ts'
import { extentOf, giniOf, histogramOf, meanOf, quantileOf, sampleVarianceOf } from '../kernel/descriptive.ts'
import type { World } from '../world/world.ts'

/** Most items a for-each goes through: as many steps as one instant may have. */
const mostItems = 1_000_000

export function fail(code: ProblemCode, params: readonly Param[] = [], from?: number, to?: number): never {
  throw new RunError(code, params, from, to)
}

export function toNumber(value: unknown): number {
  if (typeof value === 'number') return value
  if (typeof value === 'boolean') return value ? 1 : 0
  return fail(value === null || value === undefined ? 10014 : 10007, value === null || value === undefined ? [] : [typeof value])
}

/** A whole number >= 0. */
export function toWhole(value: unknown): number {
  const number = toNumber(value)
  if (!Number.isInteger(number)) return fail(10023)
  return number < 0 ? fail(10039) : number
}

/** A time to come: >= 0 and finite. */
export function toGap(value: unknown): number {
  const number = toNumber(value)
  return number >= 0 && number < Infinity ? number : fail(10051)
}

/** The parts of `X` that know only the world. */
export function worldSurface(world: World) {
  const refOf = (population: Population, handle: number): Ref => world.ref(population, handle) ?? fail(10014)
  const populationOf = (ref: Ref): Population => world.populations.find(one => one === ref.population) ?? fail(10012)
  const positionOf = (population: Population, handle: number): { x: number; y: number; z: number } => {
    const slot = population.slotOf(handle)
    const residents = world.residents(population)
    if (residents) {
      if (residents.bucket[slot]! < 0) return fail(10062)
      return { x: residents.x[slot]!, y: residents.y[slot]!, z: residents.z[slot] ?? 0 }
    }
    const space = world.spaces.find(one => one.cells === population)
    if (!space) return fail(10062)
    return { x: space.cellX(slot), y: space.cellY(slot), z: space.cellZ(slot) }
  }
  const coordinates = (value: unknown): readonly number[] => {
    const items = value instanceof Tuple ? value.items : Array.isArray(value) ? value : fail(10010)
    if (items.length < 2 || items.length > 3) return fail(10027)
    return items.map(toNumber)
  }
  const placeWith = (space: Space, who: Residents, slot: number, population: Population, handle: number): void => {
    if (handle < 0) fail(10014)
    const { x, y, z } = positionOf(population, handle)
    space.place(who, slot, x, y, z)
  }
  const numbers = (values: readonly unknown[]): number[] => values.map(toNumber)
  const aggregate = (kind: string, values: readonly unknown[], q: number): unknown => {
    if (kind === 'list') return [...values]
    if (kind === 'count') return values.filter(value => value !== false).length
    const data = numbers(values)
    const n = data.length
    if (kind === 'sum') return data.reduce((sum, value) => sum + value, 0)
    if (kind === 'histogram') return n === 0 ? [] : histogramOf(data, 20).counts
    if (n === 0) return null
    const sorted = (): Float64Array => Float64Array.from(data).sort()
    switch (kind) {
      case 'min':
        return extentOf(data).low
      case 'max':
        return extentOf(data).high
      case 'std':
        return Math.sqrt(sampleVarianceOf(data))
      case 'var':
        return sampleVarianceOf(data)
      case 'median':
        return quantileOf(sorted(), 0.5)
      case 'quantile':
        return quantileOf(sorted(), q)
      case 'gini':
        return giniOf(data)
      default:
        return meanOf(data)
    }
  }
  return {
    uniform,
    below: (stream: Stream, n: number): number => below(stream, n),
    fail,
    number: toNumber,
    whole: toWhole,
    gap: toGap,
    tuple: (items: readonly unknown[]) => new Tuple(items),
    emptySet: () => new FormulaSet(),
    emptyDict: () => new FormulaDict(),
    hasKey: (payload: unknown, key: string) => payload instanceof FormulaDict && payload.has(key),
    getKey: (payload: unknown, key: string) => (payload instanceof FormulaDict ? (payload.get(key) ?? null) : null),
    /** A dict from keys and values in turn. */
    payload(flat: readonly unknown[]): FormulaDict {
      const made = new FormulaDict()
      for (let k = 0; k + 1 < flat.length; k += 2) made.set(flat[k], flat[k + 1])
      return made
    },
    /** A value of a payload, if it is of the sort that its message declares, or none. */
    sort(value: unknown, sort: 'number' | 'text' | 'boolean' | 'entity'): unknown {
      const found = value instanceof Ref ? 'entity' : typeof value === 'string' ? 'text' : typeof value
      return value === null || found === sort ? value : fail(10064)
    },
    append: (list: unknown, value: unknown) => (Array.isArray(list) ? [...list, value] : [value]),
    copyOf(value: unknown): unknown {
      if (Array.isArray(value)) return [...value]
      if (value instanceof FormulaSet) return FormulaSet.of(value.items())
      if (value instanceof FormulaDict) {
        const made = new FormulaDict()
        for (const key of value.keys()) made.set(key, value.get(key))
        return made
      }
      return value
    },
    listed(value: unknown): readonly unknown[] {
      if (Array.isArray(value)) return value
      if (value instanceof Tuple) return value.items
      if (value instanceof FormulaSet) return value.items()
      if (value instanceof FormulaDict) return value.keys()
      if (value instanceof FormulaRange)
        return value.length > mostItems ? fail(10034) : Array.from({ length: value.length }, (_, k) => value.start + k * value.step)
      return fail(10010)
    },
    weight(value: unknown): number {
      const weight = toNumber(value)
      return weight >= 0 && weight < Infinity ? weight : fail(10021)
    },
    ratio(value: unknown): number {
      const ratio = toNumber(value)
      return ratio >= 0 && ratio <= 1 ? ratio : fail(10021)
    },

    // --- choosing
    refs: (population: Population | null, items: ArrayLike<number> | ArrayLike<Ref>): unknown[] =>
      Array.from(items as ArrayLike<unknown>, item => (typeof item === 'number' ? (population ? refOf(population, item) : null) : item)),
    /** What a range that is no query gives, as handles of `population`, or as Refs when it is null. */
    entities(population: Population | null, value: unknown, single: boolean): unknown[] {
      if (single && typeof value === 'number') return value < 0 || !population?.isAlive(value) ? [] : [value]
      const items =
        value === null || value instanceof Ref
          ? [value]
          : Array.isArray(value)
            ? value
            : value instanceof Tuple
              ? value.items
              : value instanceof FormulaSet
                ? value.items()
                : fail(10012)
      const found: unknown[] = []
      for (const item of items) {
        if (item === null) continue
        if (typeof item === 'number' && population) found.push(item)
        else if (!(item instanceof Ref)) fail(10012)
        else if (!populationOf(item).isAlive(item.handle)) continue
        else if (!population) found.push(item)
        else if (item.population === population) found.push(item.handle)
        else fail(10055)
      }
      return found
    },
    mixed(populations: readonly Population[]): Ref[] {
      const found: Ref[] = []
      for (const population of populations) for (const handle of population.individuals()) found.push(refOf(population, handle))
      return found
    },
    /** n of them without replacement, in drawn order. Mutates `items`. */
    pickRandom(items: unknown[], n: number, stream: Stream): void {
      const count = Math.min(toWhole(n), items.length)
      for (let k = 0; k < count; k++) {
        const j = k + below(stream, items.length - k)
        const item = items[k]
        items[k] = items[j]
        items[j] = item
      }
      items.length = count
    },
    /** The same choice among all of a population, in time that doesn't grow with it: only places that were swapped are kept. */
    someOf(population: Population, n: number, stream: Stream): number[] {
      const { livingCount: size, living, handles } = population
      const count = Math.min(toWhole(n), size)
      if (size !== population.count || count * 4 >= size) {
        const all = population.individuals()
        this.pickRandom(all, n, stream)
        return all
      }
      const moved = new Map<number, number>()
      const chosen: number[] = []
      for (let k = 0; k < count; k++) {
        const j = k + below(stream, size - k)
        chosen.push(handles[living[moved.get(j) ?? j]!]!)
        moved.set(j, moved.get(k) ?? k)
      }
      return chosen
    },
    pickFirst(items: unknown[], n: number): void {
      items.length = Math.min(toWhole(n), items.length)
    },
    pickLast(items: unknown[], n: number): void {
      items.splice(0, Math.max(0, items.length - toWhole(n)))
    },
    pickByKey(items: unknown[], n: number, key: (item: never) => number, highest: boolean): void {
      keep(
        items,
        n,
        items.map(item => key(item as never)),
        highest,
      )
    },
    pickByDistance(
      items: unknown[],
      n: number,
      population: Population | null,
      own: Population | null,
      self: number,
      farthest: boolean,
    ): void {
      if (!own) fail(10062)
      const keys = items.map(item => {
        const ref = typeof item === 'number' ? null : (item as Ref)
        const other = ref ? populationOf(ref) : population
        return other && own ? world.distance(own, self, other, ref ? ref.handle : (item as number), 0, 0) : 0
      })
      keep(items, n, keys, farthest)
    },

    // --- space
    placeWith,
    placeAt(space: Space, who: Residents, slot: number, value: unknown): void {
      if (value instanceof Ref && populationOf(value) === space.cells) space.placeOnCell(who, slot, value.handle)
      else if (value instanceof Ref) placeWith(space, who, slot, populationOf(value), value.handle)
      else if (value === null) fail(10014)
      else {
        const [x, y, z] = coordinates(value)
        space.place(who, slot, x!, y!, z ?? 0)
      }
    },
    placeBeside(space: Space, who: Residents, slot: number, mother: Residents, at: number): void {
      if (mother.bucket[at]! < 0) return
      if (space.isDiscrete) space.placeOnCell(who, slot, mother.bucket[at]!)
      else space.place(who, slot, mother.x[at]!, mother.y[at]!, mother.z[at] ?? 0)
    },
    translate(space: Space, who: Residents, slot: number, value: unknown): void {
      const [dx, dy, dz] = coordinates(value)
      space.translate(who, slot, dx!, dy!, dz ?? 0)
    },
    face(space: Space, who: Residents, slot: number, value: unknown): void {
      if (value === null) fail(10014)
      if (value instanceof Ref) {
        const { x, y } = positionOf(populationOf(value), value.handle)
        space.faceXY(who, slot, x, y)
      } else {
        const [x, y] = coordinates(value)
        space.faceXY(who, slot, x!, y!)
      }
    },
    faceEntity(space: Space, who: Residents, slot: number, population: Population, handle: number): void {
      const { x, y } = positionOf(population, handle)
      space.faceXY(who, slot, x, y)
    },
    appear(population: Population, slot: number, name: string, value: unknown): void {
      const column = population.columns.get(name)
      if (!column) return
      if (column.type === 'any') column.data[slot] = value
      else column.data[slot] = toNumber(value)
    },
    lend: (...given: ConstructorParameters<typeof Lent>) => new Lent(...given),
    tally,
    keys: (population: Population): Float64Array => new Float64Array(population.capacity),

    // --- links
    generate: { random, randomCount, smallWorld, scaleFree, ring, lattice, complete, fromTable },
    /** The pairs to link: from the actor to each entity, or the pair itself. */
    pairs(actor: Ref | null, target: unknown): (readonly [Ref, Ref])[] {
      if (target instanceof Ref) return actor ? [[actor, target]] : fail(10058)
      const items = target instanceof Tuple ? target.items : Array.isArray(target) ? target : target === null ? fail(10058) : fail(10012)
      const ends = items.map(item => (item instanceof Ref ? item : fail(10012)))
      if (target instanceof Tuple || !actor) {
        const [a, b] = ends
        return a && b && ends.length === 2 ? [[a, b]] : fail(10058)
      }
      return ends.map(end => [actor, end] as const)
    },
    /** Slot of the new link, or -1 when it existed already. */
    connect(links: Links, [a, b]: readonly [Ref, Ref]): number {
      const before = links.population.count
      const link = links.connect(populationOf(a), a.handle, populationOf(b), b.handle)
      return links.population.count > before ? link : -1
    },
    linkEnd(links: Links, link: number, first: boolean): Ref {
      const population = world.population(first ? links.sourcePopulation[link]! : links.targetPopulation[link]!)
      return refOf(population, population.handles[first ? links.source[link]! : links.target[link]!]!)
    },
    linkEnds(links: Links, link: number): Ref[] {
      return [this.linkEnd(links, link, true), this.linkEnd(links, link, false)]
    },
    nodes(links: Links): Ref[] {
      const found: Ref[] = []
      for (const { population } of links.joined) for (const handle of population.individuals()) found.push(refOf(population, handle))
      return found
    },

    // --- containers
    byKey(container: Container, what: 'level' | 'inUse' | 'capacity'): FormulaDict {
      const made = new FormulaDict()
      for (const key of container.keys()) made.set(key, container[what](key))
      return made
    },
    /** What a store of items takes or gives: so many, this one, or these. */
    goods(population: Population | null, value: unknown): { amount: number; items?: readonly unknown[] } {
      if (typeof value === 'number' && !population) return { amount: value }
      if (value === null) return fail(10014)
      const items = population && typeof value === 'number' ? [refOf(population, value)] : isListed(value) ? this.listed(value) : [value]
      return { amount: items.length, items }
    },

    // --- statistics
    aggregate,
    aggregateMixed: (kind: string, items: readonly unknown[], q: number): unknown =>
      kind === 'list' ? [...items] : aggregate('count', items, q),
    group(groups: Map<unknown, { key: unknown; values: unknown[] }>, key: unknown, value: unknown): void {
      const id = typeof key === 'object' && key !== null && !(key instanceof Ref) ? show(key) : key
      const known = groups.get(id)
      if (known) known.values.push(value)
      else groups.set(id, { key, values: [value] })
    },
    aggregateGroups(kind: string, groups: ReadonlyMap<unknown, { key: unknown; values: unknown[] }>, q: number): FormulaDict {
      const made = new FormulaDict()
      for (const { key, values } of groups.values())
        made.set(key === '' || key === null ? 'None' : key, aggregate(kind === 'last' ? 'mean' : kind, values, q))
      return made
    },
  }
}

const isListed = (value: unknown): boolean =>
  Array.isArray(value) || value instanceof Tuple || value instanceof FormulaSet || value instanceof FormulaRange

/** Keeps the n items with the lowest (highest) keys, ties in their order. Mutates `items`. */
function keep(items: unknown[], n: number, keys: readonly number[], highest: boolean): void {
  const order = items.map((_, k) => k).sort((a, b) => (highest ? keys[b]! - keys[a]! : keys[a]! - keys[b]!) || a - b)
  const chosen = order.slice(0, Math.min(toWhole(n), items.length)).map(k => items[k])
  items.length = 0
  items.push(...chosen)
}
