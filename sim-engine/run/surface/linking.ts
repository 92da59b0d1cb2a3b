// Links: generated networks, pairs, ends.
import { Ref, Tuple } from '../../formula/runtime/values.ts'
import { complete, fromTable, lattice, random, randomCount, ring, scaleFree, smallWorld } from '../../world/generators.ts'
import type { Links } from '../../world/links.ts'
import type { World } from '../../world/world.ts'
import { fail } from './numbers.ts'
import { populationOf, refOf } from './refs.ts'

export const linkCalls = (world: World) => ({
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
    const link = links.connect(populationOf(world, a), a.handle, populationOf(world, b), b.handle)
    return links.population.count > before ? link : -1
  },
  linkEnd(links: Links, link: number, first: boolean): Ref {
    const population = world.population(first ? links.sourcePopulation[link]! : links.targetPopulation[link]!)
    return refOf(world, population, population.handles[first ? links.source[link]! : links.target[link]!]!)
  },
  linkEnds(links: Links, link: number): Ref[] {
    return [this.linkEnd(links, link, true), this.linkEnd(links, link, false)]
  },
  nodes(links: Links): Ref[] {
    const found: Ref[] = []
    for (const { population } of links.joined) for (const handle of population.individuals()) found.push(refOf(world, population, handle))
    return found
  },
})
