// A link population is a network. Link individuals live in an ordinary Population; here are their ends and, per node,
// blocks of incident links in two parallel arrays.
import type { Stream } from '../kernel/random.ts'
import type { State } from '../kernel/snapshot.ts'
import type { Population } from './population.ts'

export type LinkPlan = { directed: boolean; repeatable: boolean; selfLinks: boolean; duplicate: 'existing' | 'error' }

/**
 * Adjacency of the nodes of one population. Incident links of node slot i are entries
 * [outStart[i], outStart[i] + outCount[i]) of `links.linkAt` (link slot) and `links.nodeAt` (slot at the other end),
 * oldest first. In an undirected network `out` holds all incident links and `in` is the same arrays.
 */
export declare class Nodes {
  readonly population: Population
  outStart: Int32Array
  outCount: Int32Array
  inStart: Int32Array
  inCount: Int32Array
}

export declare class Links {
  readonly population: Population
  readonly directed: boolean
  /** Columns of the link population: slot at the first (source) and second (target) end, and their population's index. */
  source: Int32Array
  target: Int32Array
  sourcePopulation: Int32Array
  targetPopulation: Int32Array
  weight: Float64Array
  /** Adjacency blocks. Replaced when they grow: `onRebind` of the link population is called then, too. */
  linkAt: Int32Array
  nodeAt: Int32Array
  /** `weight` is a column of the population, created here. */
  constructor(population: Population, plan: LinkPlan)
  /** Lets a population be linked. Called for source and target before the first link. */
  join(population: Population): Nodes
  nodes(population: Population): Nodes
  /** Slot of the new link, or of the existing one (policy). 10057, 10058, 10059. */
  connect(a: Population, ha: number, b: Population, hb: number, weight?: number, from?: number, to?: number): number
  /** Called by `world.die` when a link ends. */
  unlink(link: number): void
  /** Slots of the links of a node (both directions), which die with it. */
  linksOf(population: Population, slot: number): number[]
  /** Slot, or -1. Directed: from a to b. */
  between(a: Population, sa: number, b: Population, sb: number): number
  degree(population: Population, slot: number): number
  save(): State
  load(state: State): void
}

/** The network generators; all connect living individuals of `a` (and `b`) in birth order. */
export declare function random(links: Links, a: Population, b: Population, probability: number, stream: Stream): void
export declare function randomCount(links: Links, a: Population, b: Population, count: number, stream: Stream): void
export declare function smallWorld(links: Links, nodes: Population, each: number, probability: number, stream: Stream): void
export declare function scaleFree(links: Links, nodes: Population, attach: number, stream: Stream): void
export declare function ring(links: Links, nodes: Population, each: number): void
/** Square grid of floor(sqrt(n)) columns. */
export declare function lattice(links: Links, nodes: Population): void
export declare function complete(links: Links, a: Population, b: Population): void
/** Rows of birth positions (0 = first born). 10058 when there is none. */
export declare function fromTable(links: Links, a: Population, b: Population, rows: readonly (readonly [number, number])[]): void
