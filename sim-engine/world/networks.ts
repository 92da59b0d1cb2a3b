// Questions about a network: distances, shortest paths, components, clustering. A node is a number: the slot, after the slots of the linked
// populations before its own.
import { Calendar } from '../kernel/calendar.ts'
import type { Links, Nodes } from './links.ts'
import type { Population } from './population.ts'

export type Node = { population: Population; slot: number }

/** A search's view of the network: valid until the next birth or link. */
class Network {
  readonly size: number
  readonly #links: Links
  readonly #bases: number[] = []
  readonly #baseByIndex: number[] = []

  constructor(links: Links) {
    this.#links = links
    let size = 0
    for (const { population } of links.joined) {
      this.#bases.push(size)
      this.#baseByIndex[population.index] = size
      size += population.top
    }
    this.size = size
  }

  number(population: Population, slot: number): number {
    return (this.#baseByIndex[population.index] ?? -1) + slot
  }

  node(number: number): Node {
    let k = this.#bases.length - 1
    while (k > 0 && this.#bases[k]! > number) k--
    return { population: this.#links.joined[k]!.population, slot: number - this.#bases[k]! }
  }

  /** Calls `see(node, link)` for every link away from a node, oldest first; with `bothWays` also against its direction. */
  each(number: number, bothWays: boolean, see: (node: number, link: number) => void): void {
    const { population, slot } = this.node(number)
    const nodes = this.#links.nodes(population)
    this.#walk(nodes.outStart[slot]!, nodes.outCount[slot]!, population.index, slot, see)
    if (bothWays && this.#links.directed) this.#walk(nodes.inStart[slot]!, nodes.inCount[slot]!, population.index, slot, see)
  }

  #walk(start: number, count: number, index: number, slot: number, see: (node: number, link: number) => void): void {
    const { linkAt, nodeAt, source, sourcePopulation, targetPopulation } = this.#links
    for (let k = start; k < start + count; k++) {
      const link = linkAt[k]!
      const isSource = source[link] === slot && sourcePopulation[link] === index
      see(this.#baseByIndex[isSource ? targetPopulation[link]! : sourcePopulation[link]!]! + nodeAt[k]!, link)
    }
  }
}

/** Nodes within `radius` links, or within total weight `radius`, nearest first; direction doesn't matter; the start is left out. */
export function relatives(links: Links, population: Population, slot: number, radius: number, weight: boolean): Node[] {
  if (!weight && radius < 2) return radius < 1 ? [] : direct(links, population, slot)
  const network = new Network(links)
  const start = network.number(population, slot)
  const found: number[] = []
  search(network, links, start, true, weight, (node, far) => {
    if (far > radius) return true
    if (node !== start) found.push(node)
    return false
  })
  return found.map(node => network.node(node))
}

/** Those one link away, each once, oldest link first. */
function direct(links: Links, population: Population, slot: number): Node[] {
  const network = new Network(links)
  const self = network.number(population, slot)
  const seen = new Set<number>()
  network.each(self, true, node => seen.add(node))
  seen.delete(self)
  return [...seen].map(node => network.node(node))
}

export function successors(links: Links, population: Population, slot: number): Node[] {
  return ends(links, links.nodes(population), population, slot, true)
}

export function predecessors(links: Links, population: Population, slot: number): Node[] {
  return ends(links, links.nodes(population), population, slot, false)
}

/** From source to target along the links' direction, both included; empty when there is no way. Ties: the older link. */
export function shortestPath(links: Links, from: Node, to: Node, weight: boolean): Node[] {
  const network = new Network(links)
  const start = network.number(from.population, from.slot)
  const goal = network.number(to.population, to.slot)
  const before = search(network, links, start, false, weight, node => node === goal)
  if (goal !== start && !before.has(goal)) return []
  const path = [goal]
  while (path[0] !== start) path.unshift(before.get(path[0]!)!)
  return path.map(node => network.node(node))
}

/** Weakly connected components, greatest first, then by their oldest slot; nodes without links are components of one. */
export function components(links: Links): Node[][] {
  const network = new Network(links)
  const seen = new Uint8Array(network.size)
  const result: Node[][] = []
  for (const { population } of links.joined) {
    for (const handle of population.individuals()) {
      const start = network.number(population, handle & 0xffffff)
      if (seen[start]) continue
      seen[start] = 1
      const queue = [start]
      for (let k = 0; k < queue.length; k++) {
        network.each(queue[k]!, true, node => {
          if (seen[node]) return
          seen[node] = 1
          queue.push(node)
        })
      }
      result.push(queue.map(node => network.node(node)))
    }
  }
  return result.sort((p, q) => q.length - p.length)
}

/** Share of pairs of neighbours that are linked themselves (Watts & Strogatz 1998); 0 below two neighbours. Direction doesn't matter. */
export function clusteringOf(links: Links, population: Population, slot: number): number {
  const network = new Network(links)
  return local(network, network.number(population, slot), new Int32Array(network.size))
}

/** The mean over all nodes; 0 without nodes. */
export function clustering(links: Links): number {
  const network = new Network(links)
  const marks = new Int32Array(network.size)
  let sum = 0
  let count = 0
  for (const { population } of links.joined) {
    for (const handle of population.individuals()) {
      sum += local(network, network.number(population, handle & 0xffffff), marks)
      count++
    }
  }
  return count === 0 ? 0 : sum / count
}

/** `marks` is all zero before and after. */
function local(network: Network, node: number, marks: Int32Array): number {
  const neighbors: number[] = []
  network.each(node, true, other => {
    if (other === node || marks[other] === 1) return
    marks[other] = 1
    neighbors.push(other)
  })
  let linked = 0
  const seen: number[] = []
  for (const other of neighbors) {
    network.each(other, true, third => {
      if (third === other || marks[third] !== 1) return
      // Repeated links count once.
      marks[third] = 2
      seen.push(third)
      linked++
    })
    for (const third of seen) marks[third] = 1
    seen.length = 0
  }
  for (const other of neighbors) marks[other] = 0
  const n = neighbors.length
  return n < 2 ? 0 : linked / (n * (n - 1))
}

function ends(links: Links, nodes: Nodes, population: Population, slot: number, forward: boolean): Node[] {
  const network = new Network(links)
  const seen = new Set<number>()
  if (!links.directed || forward) network.each(network.number(population, slot), false, node => seen.add(node))
  else {
    const { linkAt, source, sourcePopulation } = links
    for (let k = nodes.inStart[slot]!, end = k + nodes.inCount[slot]!; k < end; k++) {
      const link = linkAt[k]!
      seen.add(network.number(links.nodesAt(sourcePopulation[link]!).population, source[link]!))
    }
  }
  return [...seen].map(node => network.node(node))
}

/**
 * Breadth first, or Dijkstra by weight (negative weights count as 0). `reach(node, distance)` sees each node once, nearest first,
 * and ends the search with true. Returns the node before each one that was met. Its cost is that of the part it visits.
 */
function search(
  network: Network,
  links: Links,
  start: number,
  bothWays: boolean,
  weight: boolean,
  reach: (node: number, far: number) => boolean,
): Map<number, number> {
  const before = new Map<number, number>()
  const far = new Map([[start, 0]])
  if (weight) {
    const done = new Set<number>()
    const calendar = new Calendar()
    calendar.schedule(0, 0, 0, 0, start, 0)
    while (calendar.pop()) {
      const node = calendar.a
      if (done.has(node)) continue
      done.add(node)
      const here = far.get(node)!
      if (reach(node, here)) return before
      network.each(node, bothWays, (other, link) => {
        const distance = here + Math.max(0, links.weight[link]!)
        if (distance >= (far.get(other) ?? Infinity)) return
        far.set(other, distance)
        before.set(other, node)
        calendar.schedule(distance, 0, 0, 0, other, 0)
      })
    }
    return before
  }
  // A map visits what is added while it is being visited: it is the queue, too.
  for (const [node, here] of far) {
    if (reach(node, here)) return before
    network.each(node, bothWays, other => {
      if (far.has(other)) return
      far.set(other, here + 1)
      before.set(other, node)
    })
  }
  return before
}
