import { describe, expect, it } from 'vitest'
import { below, stream } from '../../../sim-engine/kernel/random.ts'
import * as generators from '../../../sim-engine/world/generators.ts'
import {
  clustering,
  clusteringOf,
  components,
  predecessors,
  relatives,
  shortestPath,
  successors,
} from '../../../sim-engine/world/networks.ts'
import type { LinkPlan, Links } from '../../../sim-engine/world/links.ts'
import type { Population } from '../../../sim-engine/world/population.ts'
import { World } from '../../../sim-engine/world/world.ts'

const nothing = (): void => undefined

const setUp = (n: number, more: Partial<LinkPlan> = {}): { world: World; nodes: Population; links: Links } => {
  const world = new World({
    seed: 1,
    run: 0,
    hooks: { granted: nothing, preempted: nothing, deliver: nothing, dying: nothing, born: nothing, print: nothing },
  })
  const nodes = world.addPopulation('n', 'Person', 'agent')
  const links = world.addLinks(world.addPopulation('l', 'Friend', 'link'), {
    directed: false,
    repeatable: false,
    selfLinks: false,
    duplicate: 'existing',
    ...more,
  })
  links.join(nodes)
  for (let i = 0; i < n; i++) nodes.create()
  return { world, nodes, links }
}

const codeOf = (act: () => unknown): number => {
  try {
    act()
  } catch (error) {
    return error instanceof Error && 'code' in error ? Number(error.code) : -1
  }
  return 0
}

/** Ends of all links, first born first. */
const pairsOf = (links: Links): [number, number][] =>
  links.population.individuals().map(handle => [links.source[handle & 0xffffff]!, links.target[handle & 0xffffff]!])
const degreesOf = (links: Links, nodes: Population): number[] => nodes.individuals().map(handle => links.degree(nodes, handle & 0xffffff))

describe('links', () => {
  it('keep the same network as a plain list of pairs, through connecting, unlinking and deaths', () => {
    for (const directed of [false, true]) {
      for (let seed = 1; seed <= 6; seed++) {
        const random = stream(seed, 0, 'links')
        const { world, nodes, links } = setUp(12, { directed, repeatable: seed % 2 === 0, selfLinks: seed % 3 === 0 })
        let list: { a: number; b: number; link: number }[] = []
        for (let step = 0; step < 120; step++) {
          const living = nodes.individuals()
          const dice = below(random, 20)
          if (dice < 12) {
            const [a, b] = [living[below(random, living.length)]!, living[below(random, living.length)]!]
            const same = list.find(one => (one.a === a && one.b === b) || (!directed && one.a === b && one.b === a))
            if (a === b && seed % 3 !== 0) expect(codeOf(() => links.connect(nodes, a, nodes, b))).toBe(10059)
            else {
              const slot = links.connect(nodes, a, nodes, b)
              const link = links.population.handles[slot]!
              if (same && seed % 2 !== 0) expect(link).toBe(same.link)
              else list.push({ a, b, link })
            }
          } else if (dice < 17 && list.length > 0) {
            const [gone] = list.splice(below(random, list.length), 1)
            world.die(links.population, gone!.link, 0, 0)
          } else if (dice === 17) {
            const dead = living[below(random, living.length)]!
            world.die(nodes, dead, 0, 0)
            list = list.filter(one => one.a !== dead && one.b !== dead)
            nodes.create()
          } else world.settle()
          expect(links.population.individuals().sort((p, q) => p - q)).toEqual(list.map(one => one.link).sort((p, q) => p - q))
          for (const handle of nodes.individuals()) {
            const slot = handle & 0xffffff
            const mine = list.filter(one => one.a === handle || one.b === handle)
            expect(
              links
                .linksOf(nodes, slot)
                .map(link => links.population.handles[link]!)
                .sort(),
            ).toEqual(mine.map(one => one.link).sort())
            const out = new Set(
              list.flatMap(one => [
                ...(one.a === handle ? [one.b & 0xffffff] : []),
                ...(one.b === handle && !directed ? [one.a & 0xffffff] : []),
              ]),
            )
            expect(new Set(successors(links, nodes, slot).map(node => node.slot))).toEqual(out)
            if (directed)
              expect(new Set(predecessors(links, nodes, slot).map(node => node.slot))).toEqual(
                new Set(list.filter(one => one.b === handle).map(one => one.a & 0xffffff)),
              )
            const around = relatives(links, nodes, slot, 1, false).map(node => node.slot)
            expect(new Set(around)).toEqual(
              new Set(mine.map(one => (one.a === handle ? one.b : one.a) & 0xffffff).filter(one => one !== slot)),
            )
            links.gather(links.nodes(nodes), slot)
            expect(links.found.take(0)).toEqual(around)
            const other = nodes.individuals()[below(random, nodes.count)]!
            const between = list.some(one => (one.a === handle && one.b === other) || (!directed && one.b === handle && one.a === other))
            expect(links.between(nodes, slot, nodes, other & 0xffffff) >= 0).toBe(between)
          }
        }
      }
    }
  })

  it('raises 10057, 10058 and 10059', () => {
    const { world, nodes, links } = setUp(3, { duplicate: 'error' })
    const [a, b, c] = nodes.individuals()
    links.connect(nodes, a!, nodes, b!)
    expect(codeOf(() => links.connect(nodes, b!, nodes, a!))).toBe(10057)
    world.die(nodes, c!, 0, 0)
    expect(codeOf(() => links.connect(nodes, a!, nodes, c!))).toBe(10058)
    expect(codeOf(() => links.connect(nodes, a!, nodes, -1))).toBe(10058)
    expect(codeOf(() => links.connect(nodes, a!, nodes, a!))).toBe(10059)
  })

  it('join two populations', () => {
    const { world, nodes, links } = setUp(2, { directed: true })
    const jobs = world.addPopulation('j', 'Job', 'agent')
    links.join(jobs)
    for (let i = 0; i < 3; i++) jobs.create()
    const [a] = nodes.individuals()
    const [x, y] = jobs.individuals()
    links.connect(nodes, a!, jobs, x!)
    links.connect(nodes, a!, jobs, y!)
    expect(successors(links, nodes, 0).map(node => [node.population.name, node.slot])).toEqual([
      ['Job', 0],
      ['Job', 1],
    ])
    expect(predecessors(links, jobs, 1).map(node => node.population.name)).toEqual(['Person'])
    expect(relatives(links, jobs, 0, 2, false).map(node => [node.population.name, node.slot])).toEqual([
      ['Person', 0],
      ['Job', 1],
    ])
    expect(components(links).map(nodes => nodes.length)).toEqual([3, 1, 1])
    world.die(nodes, a!, 0, 0)
    expect(links.population.count).toBe(0)
  })

  it('finds distances, paths and components as Floyd-Warshall does', () => {
    for (let seed = 1; seed <= 30; seed++) {
      const random = stream(seed, 0, 'paths')
      const directed = seed % 2 === 0
      const { nodes, links } = setUp(14, { directed })
      generators.randomCount(links, nodes, nodes, 16, random)
      for (const handle of links.population.individuals()) links.weight[handle & 0xffffff] = 1 + below(random, 9)
      const table = (weighted: boolean, oneWay: boolean): number[][] => {
        const far = Array.from({ length: 14 }, (_, i) => Array.from({ length: 14 }, (_, j) => (i === j ? 0 : Infinity)))
        for (const [k, [a, b]] of pairsOf(links).entries()) {
          const w = weighted ? links.weight[links.population.individuals()[k]! & 0xffffff]! : 1
          far[a]![b] = Math.min(far[a]![b]!, w)
          if (!oneWay) far[b]![a] = Math.min(far[b]![a]!, w)
        }
        for (let k = 0; k < 14; k++)
          for (let i = 0; i < 14; i++) for (let j = 0; j < 14; j++) far[i]![j] = Math.min(far[i]![j]!, far[i]![k]! + far[k]![j]!)
        return far
      }
      for (const weighted of [false, true]) {
        const near = table(weighted, false)
        const along = table(weighted, directed)
        for (let i = 0; i < 14; i++) {
          const radius = weighted ? 8 : 2
          const found = relatives(links, nodes, i, radius, weighted).map(node => node.slot)
          expect([...found].sort((p, q) => p - q)).toEqual(near[i]!.flatMap((d, j) => (j !== i && d <= radius ? [j] : [])))
          for (let k = 1; k < found.length; k++) expect(near[i]![found[k]!]!).toBeGreaterThanOrEqual(near[i]![found[k - 1]!]!)
          const goal = below(random, 14)
          const path = shortestPath(links, { population: nodes, slot: i }, { population: nodes, slot: goal }, weighted).map(
            node => node.slot,
          )
          if (along[i]![goal] === Infinity) expect(path).toEqual([])
          else {
            let length = 0
            for (let k = 1; k < path.length; k++) {
              const link = links.between(nodes, path[k - 1]!, nodes, path[k]!)
              expect(link).toBeGreaterThanOrEqual(0)
              length += weighted ? links.weight[link]! : 1
            }
            expect([path[0], path.at(-1), length]).toEqual([i, goal, along[i]![goal]])
          }
        }
      }
      const near = table(false, false)
      const parts = components(links).map(part => part.map(node => node.slot).sort((p, q) => p - q))
      expect(parts.flat().sort((p, q) => p - q)).toEqual(Array.from({ length: 14 }, (_, i) => i))
      for (const part of parts) expect(part).toEqual(near[part[0]!]!.flatMap((d, j) => (d < Infinity ? [j] : [])))
      for (let k = 1; k < parts.length; k++) expect(parts[k]!.length).toBeLessThanOrEqual(parts[k - 1]!.length)
    }
  })

  it('measures clustering: a triangle with a tail', () => {
    const { nodes, links } = setUp(4, { repeatable: true })
    const h = nodes.individuals()
    for (const [a, b] of [
      [0, 1],
      [1, 2],
      [2, 0],
      [2, 3],
      [0, 1],
    ])
      links.connect(nodes, h[a!]!, nodes, h[b!]!)
    expect([0, 1, 2, 3].map(slot => clusteringOf(links, nodes, slot))).toEqual([1, 1, 1 / 3, 0])
    expect(clustering(links)).toBeCloseTo((1 + 1 + 1 / 3) / 4, 12)
  })
})

describe('generators', () => {
  it('Erdős–Rényi: the number of links is binomial, every pair equally likely, none twice', () => {
    for (const directed of [false, true]) {
      const random = stream(9, 0, 'er')
      const pairs = directed ? 20 * 19 : 190
      const seen = new Map<string, number>()
      let total = 0
      for (let run = 0; run < 300; run++) {
        const { nodes, links } = setUp(20, { directed })
        generators.random(links, nodes, nodes, 0.15, random)
        const keys = pairsOf(links).map(([a, b]) => (directed || a < b ? `${a}-${b}` : `${b}-${a}`))
        expect(new Set(keys).size).toBe(keys.length)
        expect(pairsOf(links).every(([a, b]) => a !== b)).toBe(true)
        for (const key of keys) seen.set(key, (seen.get(key) ?? 0) + 1)
        total += keys.length
      }
      const sd = Math.sqrt(300 * pairs * 0.15 * 0.85)
      expect(Math.abs(total - 300 * pairs * 0.15)).toBeLessThan(4 * sd)
      expect(seen.size).toBe(pairs)
      for (const n of seen.values()) expect(Math.abs(n - 45)).toBeLessThan(5 * Math.sqrt(300 * 0.15 * 0.85))
    }
    const { nodes, links } = setUp(10)
    generators.random(links, nodes, nodes, 1, stream(1, 0, 'x'))
    expect(links.population.count).toBe(45)
    expect(codeOf(() => generators.random(links, nodes, nodes, 1.1, stream(1, 0, 'x')))).toBe(10021)
  })

  it('a given number of links: all different, sparse and dense; repeatable ones may repeat', () => {
    for (const count of [5, 20, 43, 45]) {
      const { nodes, links } = setUp(10)
      generators.randomCount(links, nodes, nodes, count, stream(count, 0, 'm'))
      expect(new Set(pairsOf(links).map(([a, b]) => `${Math.min(a, b)}-${Math.max(a, b)}`)).size).toBe(count)
    }
    const { nodes, links } = setUp(10)
    expect(codeOf(() => generators.randomCount(links, nodes, nodes, 46, stream(1, 0, 'm')))).toBe(10020)
    const many = setUp(3, { repeatable: true })
    generators.randomCount(many.links, many.nodes, many.nodes, 50, stream(1, 0, 'm'))
    expect(many.links.population.count).toBe(50)
  })

  it('ring, lattice, complete, table', () => {
    const ring = setUp(10)
    generators.ring(ring.links, ring.nodes, 2)
    expect(ring.links.population.count).toBe(20)
    expect(new Set(degreesOf(ring.links, ring.nodes))).toEqual(new Set([4]))
    const whole = setUp(6)
    generators.ring(whole.links, whole.nodes, 3)
    expect(whole.links.population.count).toBe(15)
    const lattice = setUp(9)
    generators.lattice(lattice.links, lattice.nodes)
    expect(lattice.links.population.count).toBe(12)
    expect(degreesOf(lattice.links, lattice.nodes)).toEqual([2, 3, 2, 3, 4, 3, 2, 3, 2])
    const complete = setUp(7, { directed: true })
    generators.complete(complete.links, complete.nodes, complete.nodes)
    expect(complete.links.population.count).toBe(42)
    const table = setUp(3)
    generators.fromTable(table.links, table.nodes, table.nodes, [
      [0, 2],
      [2, 1],
    ])
    expect(pairsOf(table.links)).toEqual([
      [0, 2],
      [2, 1],
    ])
    expect(codeOf(() => generators.fromTable(table.links, table.nodes, table.nodes, [[0, 5]]))).toBe(10058)
  })

  it("Watts–Strogatz: clustering falls as (1 - p)^3 of the ring's, links stay", () => {
    const { nodes, links } = setUp(1000)
    generators.smallWorld(links, nodes, 5, 0.01, stream(2, 0, 'ws'))
    expect(links.population.count).toBe(5000)
    // A ring with K = 10 neighbours: 3 (K - 2) / 4 (K - 1) = 2/3; times .99^3 = .6469.
    expect(clustering(links)).toBeGreaterThan(0.635)
    expect(clustering(links)).toBeLessThan(0.66)
    const wild = setUp(300)
    generators.smallWorld(wild.links, wild.nodes, 3, 1, stream(3, 0, 'ws'))
    expect(wild.links.population.count).toBe(900)
    expect(new Set(pairsOf(wild.links).map(([a, b]) => `${Math.min(a, b)}-${Math.max(a, b)}`)).size).toBe(900)
    expect(clustering(wild.links)).toBeLessThan(0.06)
  })

  it('Barabási–Albert, m = 2: P(degree 2, 3, 4) = .5, .2, .1', () => {
    const { nodes, links } = setUp(20_000)
    generators.scaleFree(links, nodes, 2, stream(4, 0, 'ba'))
    expect(links.population.count).toBe(2 * (20_000 - 3) + 2)
    const degrees = degreesOf(links, nodes)
    const share = (k: number): number => degrees.filter(degree => degree === k).length / 20_000
    // Standard error sqrt(.25 / 20000) = .0035.
    expect(Math.abs(share(2) - 0.5)).toBeLessThan(0.012)
    expect(Math.abs(share(3) - 0.2)).toBeLessThan(0.01)
    expect(Math.abs(share(4) - 0.1)).toBeLessThan(0.008)
    expect(Math.max(...degrees)).toBeGreaterThan(150)
    expect(codeOf(() => generators.scaleFree(links, nodes, 0, stream(4, 0, 'ba')))).toBe(10020)
  })
})

describe('blocks laid in order', () => {
  it.each([true, false])('hold the same links, and grow and shrink as before: directed %s', directed => {
    const { nodes, links } = setUp(30, { directed, repeatable: true, selfLinks: true })
    const random = stream(3, 0, 'blocks')
    const around = () => Array.from({ length: 30 }, (_, slot) => links.linksOf(nodes, slot))
    const live: number[] = []
    const change = () => {
      for (let k = 0; k < 200; k++) {
        if (live.length > 0 && below(random, 3) === 0) {
          const [link] = live.splice(below(random, live.length), 1)
          links.unlink(link!)
          links.population.kill(links.population.handles[link!]!)
        } else live.push(links.add(nodes, below(random, 30), nodes, below(random, 30)))
      }
    }
    change()
    const before = around()
    links.compact()
    expect(around()).toEqual(before)
    const { outStart, outCount } = links.nodes(nodes)
    for (let slot = 1; slot < 30; slot++) expect(outStart[slot]).toBeGreaterThanOrEqual(outStart[slot - 1]! + outCount[slot - 1]!)
    change()
    const counted = live.map(link => [links.source[link], links.target[link]])
    const found = new Set(around().flat())
    expect(found).toEqual(new Set(live))
    expect(counted.length).toBe(found.size)
  })

  it('know nodes whose links lie side by side', () => {
    const { nodes, links } = setUp(4, { repeatable: true, selfLinks: true })
    const own = links.nodes(nodes)
    const isSimple = (slot: number): boolean => {
      if (own.simple[slot] === 0) own.look(links, slot)
      return own.simple[slot] === 1
    }
    const first = links.add(nodes, 0, nodes, 1)
    links.add(nodes, 0, nodes, 2)
    expect([0, 1, 2, 3].map(isSimple)).toEqual([true, true, true, true])
    links.add(nodes, 1, nodes, 0)
    expect([0, 1, 2, 3].map(isSimple)).toEqual([false, false, true, true])
    links.unlink(first)
    links.add(nodes, 3, nodes, 3)
    expect([0, 1, 2, 3].map(isSimple)).toEqual([true, true, true, false])
  })
})
