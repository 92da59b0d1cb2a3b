// What generated code asks of the engine's world (parameter `W`). Functions named as in the language take the
// parameters of their signature (library/world.ts) in order, an entity as two arguments (population, handle), then
// `from`, `to`, which mark the formula text for RunErrors. A result of known population is a handle (-1 = None) or an
// array of handles, of mixed population a Ref (or null) or an array of Refs; the last parameter `cells` is that population
// where the result is cells. Arrays may be scratch: the caller reads
// them at once and keeps none.
import type { FormulaDate, Population, Ref } from './values.ts'

export type Entities = ArrayLike<number> | ArrayLike<Ref>

export type World = {
  /** Interned reference; null for -1. */
  ref(population: Population, handle: number): Ref | null
  /** The handle of a value of type any: -1 for None, 10012 for no entity, 10055 for one of another population. */
  handle(population: Population, value: unknown, from: number, to: number): number
  /** The same handle; 10014 for -1, 10053 for the dead. */
  live(population: Population, handle: number, from: number, to: number): number
  /** Property `name` of a Ref, an observer or an element object; 10031 when it has none. */
  get(of: unknown, name: string, from: number, to: number): unknown
  /** Sets a public property; 10033 when it is not. */
  set(of: unknown, name: string, value: unknown, from: number, to: number): void
  /** Sets a property of `self`, public or not; 10033 when it is read-only. */
  setOwn(of: unknown, name: string, value: unknown, from: number, to: number): void
  /** Living individuals, in order. */
  individuals(population: Population): Entities
  /** A line of the Output panel. */
  print(line: string): void
  /** 10013 in models without a calendar. */
  now(from: number, to: number): FormulaDate

  /** Others within `radius`, nearest first, the asker not among them; `of` null = of any population. */
  neighbors(radius: number, of: Population | null, own: Population, self: number, from: number, to: number): Entities
  /** Cells with a centre within `radius`, nearest first, without the own one. */
  neighbor_cells(radius: number, own: Population, self: number, from: number, to: number, cells: Population | null): Entities
  /** Cells at Chebyshev (Manhattan) distance 1..radius. */
  moore(radius: number, own: Population, self: number, from: number, to: number, cells: Population | null): Entities
  von_neumann(radius: number, own: Population, self: number, from: number, to: number, cells: Population | null): Entities
  /** The cell covering a position; 10060 outside. A Ref, of the first space that has it, when `cells` is null. */
  cell_at(x: number, y: number, z: number, from: number, to: number, cells: Population | null): number | Ref
  /** Agents on a cell, oldest arrival first; `of` null = of any population. */
  agents_on(cells: Population, cell: number, of: Population | null, from: number, to: number): Entities
  /** Shortest distance, respecting wrapping; 10062 when one is not placed. */
  distance(a: Population, ha: number, b: Population, hb: number, from: number, to: number): number
  distance_xy(x: number, y: number, b: Population, hb: number, from: number, to: number): number
  /** Degrees from `b` to `a` (or to a position), east 0, counter-clockwise, the short way round. */
  direction_to(a: Population, ha: number, b: Population, hb: number, from: number, to: number): number
  direction_xy(x: number, y: number, b: Population, hb: number, from: number, to: number): number

  /** Nodes within `radius` links (or total weight, when `weight`), nearest first, the asker not among them. */
  relatives(links: Population, radius: number, weight: boolean, own: Population, self: number, from: number, to: number): Entities
  predecessors(links: Population, own: Population, self: number, from: number, to: number): Entities
  successors(links: Population, own: Population, self: number, from: number, to: number): Entities
  links_of(links: Population, own: Population, self: number, from: number, to: number): Entities
  /** -1 when there is none. */
  link_between(links: Population, a: Population, ha: number, b: Population, hb: number, from: number, to: number): number
  degree(links: Population, own: Population, self: number, from: number, to: number): number
  /** Nodes from source to target, both included; empty when there is no way. */
  shortest_path(
    links: Population,
    target: Population,
    handle: number,
    source: Population,
    self: number,
    weight: boolean,
    from: number,
    to: number,
  ): Entities
  /** Greatest first; each as Refs. */
  components(links: Population, from: number, to: number): readonly (readonly Ref[])[]
  /** Local clustering coefficient of a node; the mean over all nodes for (null, -1). */
  clustering(links: Population, node: Population | null, handle: number, from: number, to: number): number
  /** From b to a. 10057-10059. */
  connect(links: Population, a: Population, ha: number, b: Population, hb: number, weight: number, from: number, to: number): number
  /** Removes all links of a node. */
  remove_node(links: Population, own: Population, self: number, from: number, to: number): void
  /** A new individual of the population, made by entity `self` of `own` (null: by an observer). 10056. */
  create(population: Population, own: Population | null, self: number, from: number, to: number): number
  die(population: Population, handle: number, from: number, to: number): void
  /** False for None, unlike `live`. */
  is_alive(population: Population, handle: number, from: number, to: number): boolean
}
