// Choosing individuals: at random, in order, by a key, by distance.
import { FormulaSet, Ref, Tuple } from '../../formula/runtime/values.ts'
import { below } from '../../kernel/random.ts'
import type { Stream } from '../../kernel/random.ts'
import type { Population } from '../../world/population.ts'
import type { World } from '../../world/world.ts'
import { fail, toWhole } from './numbers.ts'
import { populationOf, refOf } from './refs.ts'

export const choiceCalls = (world: World) => ({
  refs: (population: Population | null, items: ArrayLike<number> | ArrayLike<Ref>): unknown[] =>
    Array.from(items as ArrayLike<unknown>, item =>
      typeof item === 'number' ? (population ? refOf(world, population, item) : null) : item,
    ),
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
      else if (!populationOf(world, item).isAlive(item.handle)) continue
      else if (!population) found.push(item)
      else if (item.population === population) found.push(item.handle)
      else fail(10055)
    }
    return found
  },
  mixed(populations: readonly Population[]): Ref[] {
    const found: Ref[] = []
    for (const population of populations) for (const handle of population.individuals()) found.push(refOf(world, population, handle))
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
      const other = ref ? populationOf(world, ref) : population
      return other && own ? world.distance(own, self, other, ref ? ref.handle : (item as number), 0, 0) : 0
    })
    keep(items, n, keys, farthest)
  },
})

/** Keeps the n items with the lowest (highest) keys, ties in their order. Mutates `items`. */
function keep(items: unknown[], n: number, keys: readonly number[], highest: boolean): void {
  const order = items.map((_, k) => k).sort((a, b) => (highest ? keys[b]! - keys[a]! : keys[a]! - keys[b]!) || a - b)
  const chosen = order.slice(0, Math.min(toWhole(n), items.length)).map(k => items[k])
  items.length = 0
  items.push(...chosen)
}
