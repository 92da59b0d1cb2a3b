// A link population is a network. Link individuals live in an ordinary Population; here are their ends and, per node,
// blocks of incident links in two parallel arrays. Blocks double when full and go back to a free list of their size.
import { EngineFault } from '../kernel/fault.ts'
import { intsOf, listOf, numberOf, recordOf, type State } from '../kernel/snapshot.ts'
import { RunError } from '../problems.ts'
import { Found } from './found.ts'
import type { IntegerColumn, Population } from './population.ts'

export type LinkPlan = { directed: boolean; repeatable: boolean; selfLinks: boolean; duplicate: 'existing' | 'error' }

/** Where the blocks of a population's nodes are, for one direction. The arrays are columns of the node population. */
type Side = { start: IntegerColumn; count: IntegerColumn; room: IntegerColumn }

/**
 * Adjacency of the nodes of one population. Links of node slot i are entries [outStart[i], outStart[i] + outCount[i]) of
 * `links.linkAt` (link slot) and `links.nodeAt` (slot at the other end), oldest first. In an undirected network `out`
 * holds all of them and `in` is the same arrays.
 */
export class Nodes {
  readonly population: Population
  outStart = new Int32Array(0)
  outCount = new Int32Array(0)
  outRoom = new Int32Array(0)
  inStart = new Int32Array(0)
  inCount = new Int32Array(0)
  inRoom = new Int32Array(0)
  readonly out: Side
  readonly in: Side
  /** By node slot: 1 = no two of its links lead to the same node and none back to itself, 2 = some do, 0 = not known. Nothing to save. */
  simple = new Uint8Array(0)
  /** For finding that out: marked with the stamp of the visit. */
  marks = new Int32Array(0)
  stamp = 0

  constructor(population: Population, links: Population, directed: boolean) {
    this.population = population
    const side = (direction: string): Side => ({
      start: population.integers(`#${links.index}.${direction}Start`),
      count: population.integers(`#${links.index}.${direction}Count`),
      room: population.integers(`#${links.index}.${direction}Room`),
    })
    this.out = side('out')
    this.in = directed ? side('in') : this.out
    population.onRebind(() => {
      this.outStart = this.out.start.data
      this.outCount = this.out.count.data
      this.outRoom = this.out.room.data
      this.inStart = this.in.start.data
      this.inCount = this.in.count.data
      this.inRoom = this.in.room.data
      if (this.simple.length === this.outStart.length) return
      this.simple = new Uint8Array(this.outStart.length)
      this.marks = new Int32Array(this.outStart.length)
      this.stamp = 0
    })
  }

  /** Finds out whether an undirected node is simple. */
  look(links: Links, slot: number): void {
    const { marks, outStart, outCount } = this
    const stamp = ++this.stamp
    let once = 1
    marks[slot] = stamp
    for (let k = outStart[slot]!, end = k + outCount[slot]!; k < end; k++) {
      const other = links.nodeAt[k]!
      if (marks[other] === stamp) once = 2
      marks[other] = stamp
    }
    this.simple[slot] = once
  }
}

export class Links {
  readonly population: Population
  readonly plan: LinkPlan
  readonly directed: boolean
  /** Slot at the first (source) and second (target) end, and the index of its population: columns of the link population. */
  source = new Int32Array(0)
  target = new Int32Array(0)
  sourcePopulation = new Int32Array(0)
  targetPopulation = new Int32Array(0)
  weight = new Float64Array(0)
  /** The blocks. When they move, the link population's `onRebind` is called. */
  linkAt = new Int32Array(1024)
  nodeAt = new Int32Array(1024)
  /** What `gather` found. */
  readonly found = new Found()
  /** The populations that may be linked. */
  readonly joined: Nodes[] = []
  /** The same by population index. */
  readonly #nodes: (Nodes | undefined)[] = []
  /** Entries of the blocks that were ever taken. */
  used = 0
  /** By k: the free block of 2^k entries that is taken next, -1 for none; the first `linkAt` of one is the block behind it. */
  readonly freeBlocks = new Int32Array(32).fill(-1)

  constructor(population: Population, plan: LinkPlan) {
    this.population = population
    this.plan = plan
    this.directed = plan.directed
    const [source, target, sourcePopulation, targetPopulation] = ['#source', '#target', '#sourcePopulation', '#targetPopulation'].map(
      name => population.integers(name, -1),
    )
    const weight = population.numbers('weight', 1)
    population.onRebind(() => {
      this.source = source!.data
      this.target = target!.data
      this.sourcePopulation = sourcePopulation!.data
      this.targetPopulation = targetPopulation!.data
      this.weight = weight.data
    })
  }

  /** Lets a population be linked. */
  join(population: Population): Nodes {
    const known = this.#nodes[population.index]
    if (known) return known
    const nodes = new Nodes(population, this.population, this.directed)
    this.#nodes[population.index] = nodes
    this.joined.push(nodes)
    return nodes
  }

  /** Throws RunError 10055 for a population that was never joined. */
  nodes(population: Population): Nodes {
    const nodes = this.#nodes[population.index]
    if (!nodes) throw new RunError(10055)
    return nodes
  }

  nodesAt(populationIndex: number): Nodes {
    const nodes = this.#nodes[populationIndex]
    if (!nodes) throw new EngineFault(`links ${this.population.name}: population ${populationIndex} is not linked`)
    return nodes
  }

  /** Slot of the new link, or of the existing one (policy). 10057 it exists, 10058 an end is dead or missing, 10059 self-link. */
  connect(a: Population, ha: number, b: Population, hb: number, weight = 1, from?: number, to?: number): number {
    if (!a.isAlive(ha) || !b.isAlive(hb)) throw new RunError(10058, [], from, to)
    if (a === b && ha === hb && !this.plan.selfLinks) throw new RunError(10059, [], from, to)
    const sa = ha & 0xffffff
    const sb = hb & 0xffffff
    if (!this.plan.repeatable) {
      const known = this.between(a, sa, b, sb)
      if (known >= 0 && this.plan.duplicate === 'error') throw new RunError(10057, [], from, to)
      if (known >= 0) return known
    }
    return this.add(a, sa, b, sb, weight)
  }

  /** The same between living slots, without looking for one that exists. */
  add(a: Population, sa: number, b: Population, sb: number, weight = 1): number {
    const first = this.nodes(a)
    const second = this.nodes(b)
    const link = this.population.create()
    this.source[link] = sa
    this.target[link] = sb
    this.sourcePopulation[link] = a.index
    this.targetPopulation[link] = b.index
    this.weight[link] = weight
    first.simple[sa] = 0
    second.simple[sb] = 0
    this.#append(first.out, sa, link, sb)
    if (this.directed || a !== b || sa !== sb) this.#append(second.in, sb, link, sa)
    return link
  }

  /** Takes a link out of the blocks of its ends. Its life is ended by the world. */
  unlink(link: number): void {
    const first = this.nodesAt(this.sourcePopulation[link]!)
    const second = this.nodesAt(this.targetPopulation[link]!)
    first.simple[this.source[link]!] = 0
    second.simple[this.target[link]!] = 0
    this.#remove(first.out, this.source[link]!, link)
    if (this.directed || first !== second || this.source[link] !== this.target[link]) this.#remove(second.in, this.target[link]!, link)
  }

  /** A node died and its links are gone: its blocks are free. */
  forget(population: Population, slot: number): void {
    const nodes = this.#nodes[population.index]
    if (!nodes) return
    nodes.simple[slot] = 0
    this.#release(nodes.out, slot)
    if (this.directed) this.#release(nodes.in, slot)
  }

  /** Slots of the links of a node: outgoing, then incoming; a self-link once. Freshly allocated. */
  linksOf(population: Population, slot: number): number[] {
    const nodes = this.#nodes[population.index]
    if (!nodes) return []
    const result: number[] = []
    for (let k = nodes.outStart[slot]!, end = k + nodes.outCount[slot]!; k < end; k++) result.push(this.linkAt[k]!)
    if (!this.directed) return result
    for (let k = nodes.inStart[slot]!, end = k + nodes.inCount[slot]!; k < end; k++) {
      const link = this.linkAt[k]!
      if (this.source[link] !== slot || this.sourcePopulation[link] !== population.index) result.push(link)
    }
    return result
  }

  /**
   * Puts the nodes one link away, each once, oldest link first, onto the stack `found`; direction doesn't matter, the node
   * itself is left out. For networks over one population. Allocates nothing; returns the new top.
   */
  gather(nodes: Nodes, slot: number): number {
    const { found, nodeAt } = this
    const start = found.top
    const { outStart, outCount, inStart, inCount } = nodes
    const once = !this.directed && !this.plan.repeatable
    for (let k = outStart[slot]!, end = k + outCount[slot]!; k < end; k++) {
      const other = nodeAt[k]!
      if (other !== slot && (once || !found.has(other, start))) found.push(other)
    }
    if (!this.directed) return found.top
    for (let k = inStart[slot]!, end = k + inCount[slot]!; k < end; k++) {
      const other = nodeAt[k]!
      if (other !== slot && !found.has(other, start)) found.push(other)
    }
    return found.top
  }

  /** Whether a node is in a block before entry `k`. */
  isBefore(start: number, k: number, node: number): boolean {
    for (let at = start; at < k; at++) if (this.nodeAt[at] === node) return true
    return false
  }

  /** Slot of the oldest link from a to b (undirected: between them), or -1. O(the smaller degree). */
  between(a: Population, sa: number, b: Population, sb: number): number {
    const first = this.nodes(a)
    const second = this.nodes(b)
    const forward = first.outCount[sa]! <= second.inCount[sb]!
    const near = forward ? first.outStart[sa]! : second.inStart[sb]!
    const end = near + (forward ? first.outCount[sa]! : second.inCount[sb]!)
    const far = forward ? sb : sa
    for (let k = near; k < end; k++) {
      if (this.nodeAt[k] !== far) continue
      const link = this.linkAt[k]!
      const same =
        this.sourcePopulation[link] === a.index &&
        this.source[link] === sa &&
        this.targetPopulation[link] === b.index &&
        this.target[link] === sb
      if (
        same ||
        (!this.directed &&
          this.sourcePopulation[link] === b.index &&
          this.source[link] === sb &&
          this.targetPopulation[link] === a.index &&
          this.target[link] === sa)
      )
        return link
    }
    return -1
  }

  /** Number of links of a node, both directions. */
  degree(population: Population, slot: number): number {
    const nodes = this.nodes(population)
    return nodes.outCount[slot]! + (this.directed ? nodes.inCount[slot]! : 0)
  }

  /**
   * Lays the blocks one after another in the order of their nodes, as far apart as before, so that a pass over the nodes reads memory in order.
   * For networks just made, with blocks in the order in which they grew.
   */
  compact(): void {
    const linkAt: Int32Array<ArrayBuffer> = new Int32Array(this.linkAt.length)
    const nodeAt: Int32Array<ArrayBuffer> = new Int32Array(this.nodeAt.length)
    let used = 0
    for (const { population, out, in: into } of this.joined) {
      for (let node = 0; node < population.top; node++) {
        for (const side of out === into ? [out] : [out, into]) {
          const from = side.start.data[node]!
          const end = from + side.count.data[node]!
          linkAt.set(this.linkAt.subarray(from, end), used)
          nodeAt.set(this.nodeAt.subarray(from, end), used)
          side.start.data[node] = used
          used += side.room.data[node]!
        }
      }
    }
    this.linkAt = linkAt
    this.nodeAt = nodeAt
    this.used = used
    this.freeBlocks.fill(-1)
    this.population.rebind()
  }

  save(): State {
    return {
      used: this.used,
      linkAt: this.linkAt.slice(0, this.used),
      nodeAt: this.nodeAt.slice(0, this.used),
      free: this.#free(),
    }
  }

  /** Free blocks by their size, those last that are taken first. */
  #free(): Int32Array[] {
    const found: Int32Array[] = []
    for (const [k, first] of this.freeBlocks.entries()) {
      const blocks: number[] = []
      for (let block = first; block >= 0; block = this.linkAt[block]!) blocks.push(block)
      if (blocks.length === 0) continue
      while (found.length < k) found.push(new Int32Array(0))
      found.push(Int32Array.from(blocks.toReversed()))
    }
    return found
  }

  /** After the populations were restored. */
  load(state: State): void {
    const saved = recordOf(state)
    this.used = numberOf(saved['used'])
    this.linkAt = intsOf(saved['linkAt'], 1024)
    this.nodeAt = intsOf(saved['nodeAt'], 1024)
    this.freeBlocks.fill(-1)
    for (const [k, blocks] of listOf(saved['free'] ?? null).entries()) for (const block of intsOf(blocks)) this.#putBack(k, block)
    for (const nodes of this.joined) nodes.simple.fill(0)
    this.population.rebind()
  }

  #append(side: Side, node: number, link: number, other: number): void {
    const count = side.count.data[node]!
    const room = side.room.data[node]!
    if (count === room) {
      const size = room === 0 ? 4 : room * 2
      const from = side.start.data[node]!
      const start = this.#take(size)
      this.linkAt.copyWithin(start, from, from + count)
      this.nodeAt.copyWithin(start, from, from + count)
      this.#release(side, node)
      side.start.data[node] = start
      side.room.data[node] = size
      side.count.data[node] = count
    }
    const at = side.start.data[node]! + count
    this.linkAt[at] = link
    this.nodeAt[at] = other
    side.count.data[node] = count + 1
  }

  #remove(side: Side, node: number, link: number): void {
    const start = side.start.data[node]!
    const end = start + side.count.data[node]!
    for (let k = start; k < end; k++) {
      if (this.linkAt[k] !== link) continue
      this.linkAt.copyWithin(k, k + 1, end)
      this.nodeAt.copyWithin(k, k + 1, end)
      side.count.data[node] = end - start - 1
      return
    }
    throw new EngineFault(`links ${this.population.name}: link ${link} is not at node ${node}`)
  }

  #take(size: number): number {
    const k = exponentOf(size)
    const block = this.freeBlocks[k]!
    if (block >= 0) {
      this.freeBlocks[k] = this.linkAt[block]!
      return block
    }
    if (this.used + size > this.linkAt.length) this.widen(size)
    this.used += size
    return this.used - size
  }

  /** Makes room for so many entries more, and as many again as there are. */
  widen(size: number): void {
    const room = Math.max(this.linkAt.length * 2, this.used + size)
    this.linkAt = intsOf(this.linkAt, room)
    this.nodeAt = intsOf(this.nodeAt, room)
    this.population.rebind()
  }

  #release(side: Side, node: number): void {
    const room = side.room.data[node]!
    if (room > 0) this.#putBack(exponentOf(room), side.start.data[node]!)
    side.room.data[node] = 0
    side.count.data[node] = 0
  }

  #putBack(k: number, block: number): void {
    this.linkAt[block] = this.freeBlocks[k]!
    this.freeBlocks[k] = block
  }
}

/** k of 2^k. */
const exponentOf = (power: number): number => 31 - Math.clz32(power)
