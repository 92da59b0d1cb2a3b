// What generated code asks of the engine's world (parameter `W`). An entity argument is a pair (population, handle); a
// result of known population is a handle (-1 = None) or an array of handles, of mixed population a Ref or an array of Refs.
// Arrays may be scratch: the caller reads them at once and keeps none. `from`, `to` mark the formula text for RunErrors.
import type { FormulaDate, Population, Ref } from './values.ts'

export type Entities = ArrayLike<number> | ArrayLike<Ref>

export type World = {
  /** Interned reference; null for -1. */
  ref(population: Population, handle: number): Ref | null
  /** The handle of a value of type any: -1 for None, 10012 for no entity, 10055 for one of another population. */
  handle(population: Population, value: unknown, from: number, to: number): number
  /** The same handle; 10014 for -1, 10053 for the dead. */
  live(population: Population, handle: number, from: number, to: number): number
  isAlive(population: Population, handle: number): boolean
  /** Property `name` of a Ref (or of an observer or element object); 10031 when it has none. */
  get(of: unknown, name: string, from: number, to: number): unknown
  /** Sets a public property; 10033 when it is not. */
  set(of: unknown, name: string, value: unknown, from: number, to: number): void
  /** Living individuals, in order. */
  individuals(population: Population): Entities
  /** Others within `radius` (nearest first), of population `of`; null = of any. The asker is not among them. */
  neighbors(own: Population, self: number, radius: number, of: Population | null): Entities
  /** Cells whose centre lies within `radius`, nearest first, the own one not among them. */
  neighbor_cells(own: Population, self: number, radius: number): Entities
  /** Cells at Chebyshev (Manhattan) distance 1..radius. */
  moore(own: Population, self: number, radius: number): Entities
  von_neumann(own: Population, self: number, radius: number): Entities
  /** The cell covering a position; 10060 outside. */
  cell_at(cells: Population | null, x: number, y: number, z: number, from: number, to: number): number | Ref
  /** Agents of population `of` (null = of any) on a cell, oldest arrival first. */
  agents_on(cells: Population, cell: number, of: Population | null): Entities
  /** Shortest distance, respecting wrapping; 10062 when one is not placed. */
  distance(a: Population, ha: number, b: Population, hb: number, from: number, to: number): number
  distance_xy(a: Population, ha: number, x: number, y: number, from: number, to: number): number
  /** Degrees, east 0, counter-clockwise, the short way round. */
  direction_to(a: Population, ha: number, b: Population, hb: number, from: number, to: number): number
  direction_xy(a: Population, ha: number, x: number, y: number, from: number, to: number): number
  /** Nodes within `radius` links (or total weight, when `weight`), nearest first, the asker not among them. */
  relatives(links: Population, own: Population, self: number, radius: number, weight: boolean): Entities
  predecessors(links: Population, own: Population, self: number): Entities
  successors(links: Population, own: Population, self: number): Entities
  /** Links of a node. */
  links_of(links: Population, own: Population, self: number): Entities
  /** -1 when there is none. */
  link_between(links: Population, a: Population, ha: number, b: Population, hb: number): number
  degree(links: Population, own: Population, self: number): number
  /** Nodes from a to b, both included; empty when there is no way. */
  shortest_path(links: Population, a: Population, ha: number, b: Population, hb: number, weight: boolean): Entities
  components(links: Population): readonly Entities[]
  /** Local clustering coefficient of a node; of the whole network with handle -1: the mean. */
  clustering(links: Population, own: Population, self: number): number
  /** Removes all links of a node. */
  remove_node(links: Population, own: Population, self: number): void
  connect(links: Population, a: Population, ha: number, b: Population, hb: number, weight: number, from: number, to: number): number
  create(population: Population, from: number, to: number): number
  die(population: Population, handle: number, from: number, to: number): void
  /** A line of the Output panel. */
  print(line: string): void
  /** Text of an entity as people see it: `Wolf 12`. */
  nameOf(ref: Ref): string
  /** 10013 in models without a calendar. */
  now(from: number, to: number): FormulaDate
}
