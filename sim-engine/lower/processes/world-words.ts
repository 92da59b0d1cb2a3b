// Arrays that formulas of tokens look at beside the variables of agents: surroundings of cells, links and their nodes, by the paths of
// rows/scope.ts. A word of the head of the memory holds the address of each. And the list of those that formulas keep.
import type { CheckedModel } from '../../check/checked.ts'
import type { EntityPart } from '../../check/parts.ts'
import * as ir from '../../ir.ts'
import type { Expr, Mem } from '../../ir.ts'
import { LIST_SIZE } from '../../runtime/choices.ts'
import type { Shape } from '../../world/grid.ts'

/** A field of an object of the world that is an array, or a number. */
export type WorldPath =
  /** The steps from a cell to its neighbours, which never change. */
  | { readonly is: 'near'; readonly space: number; readonly shape: Shape; readonly radius: number; readonly field: 'steps' | 'first' }
  | { readonly is: 'links'; readonly links: number; readonly field: string }
  | { readonly is: 'nodes'; readonly links: number; readonly node: number; readonly field: string }

/** What else a memory of tokens has to offer. */
type Home = {
  readonly checked: CheckedModel
  room(bytes: number): number
  /** The word of a column of a population. */
  columnWord(entity: EntityPart, name: string): number
}

/** Fields of nodes and links that are columns of their populations. */
const nodeColumns: ReadonlySet<string> = new Set(['outStart', 'outCount', 'outRoom', 'inStart', 'inCount', 'inRoom'])
const linkColumns: ReadonlySet<string> = new Set(['source', 'target', 'sourcePopulation', 'targetPopulation'])

const shifts: Readonly<Partial<Record<Mem, number>>> = { u8: 0, u16: 1, i32: 2, f64: 3 }

export class WorldWords {
  /** Words that hold addresses. */
  readonly arrays: { readonly path: WorldPath; readonly word: number }[] = []
  /** Numbers that go in and out. */
  readonly numbers: { readonly path: WorldPath; readonly at: number }[] = []
  readonly #home: Home
  readonly #known = new Map<string, number>()
  #list: number | null = null

  constructor(home: Home) {
    this.#home = home
  }

  array(path: string): Expr {
    let word = this.#known.get(path)
    if (word === undefined) this.#known.set(path, (word = this.#wordOf(pathOf(path, this.#home.checked))))
    return ir.load('i32', ir.i32(word))
  }

  /** The address of an element. */
  element(path: string, mem: Mem, index: Expr): Expr {
    return ir.binary('add', this.array(path), ir.binary('shl', index, ir.i32(shifts[mem]!)))
  }

  numberAt(path: string): number {
    let at = this.#known.get(path)
    if (at === undefined) {
      this.#known.set(path, (at = this.#home.room(8)))
      this.numbers.push({ path: pathOf(path, this.#home.checked), at })
    }
    return at
  }

  /** The record of the list that formulas keep theirs in. */
  list(): number {
    return (this.#list ??= this.#home.room(LIST_SIZE))
  }

  /** null where nothing is listed. */
  get listAt(): number | null {
    return this.#list
  }

  #wordOf(path: WorldPath): number {
    const { entities } = this.#home.checked.parts
    const entityOf = (index: number): EntityPart => entities.find(one => one.index === index)!
    if (path.is === 'nodes' && nodeColumns.has(path.field)) {
      const isDirected = entityOf(path.links).element.fields['directed'] === true
      const name = isDirected || !path.field.startsWith('in') ? path.field : `out${path.field.slice(2)}`
      return this.#home.columnWord(entityOf(path.node), `#${path.links}.${name}`)
    }
    if (path.is === 'links' && linkColumns.has(path.field)) return this.#home.columnWord(entityOf(path.links), `#${path.field}`)
    const word = this.#home.room(8)
    this.arrays.push({ path, word })
    return word
  }
}

/** What a path names: `near 0 moore 1.steps`, `L2.nodeAt`, `ln2 1.outStart`, or `ln2.simple` where links join one population only. */
function pathOf(path: string, { parts }: CheckedModel): WorldPath {
  const dot = path.lastIndexOf('.')
  const field = path.slice(dot + 1)
  const [first = '', second, shape, radius] = path.slice(0, dot).split(' ')
  if (first === 'near') {
    return { is: 'near', space: Number(second), shape: shape as Shape, radius: Number(radius), field: field as 'steps' | 'first' }
  }
  if (!first.startsWith('ln')) return { is: 'links', links: Number(first.slice(1)), field }
  const links = Number(first.slice(2))
  const node = second === undefined ? parts.entities.find(one => one.index === links)!.source!.index : Number(second)
  return { is: 'nodes', links, node, field }
}
