// A rule of cells for sixteen cells at once, in WebAssembly (compile/lanes.ts). It works on copies of the columns with room
// around them: cells at a border are calculated too, from whatever lies there, and are then done again by the caller.
import type { Grid, Shape } from './grid.ts'

export type LanesPlan = {
  /** The module. */
  readonly code: Uint8Array<ArrayBuffer>
  /** Columns it reads, and how many of them, the first ones, it writes. */
  readonly reads: number
  readonly writes: number
  /** The surroundings it looks at. */
  readonly near: readonly { readonly shape: Shape; readonly radius: number }[]
}

/** Cells at borders, as a share of all, above which it isn't worth while. */
const mostEdges = 0.25

export class Lanes {
  /** Cells that don't have whole surroundings. */
  readonly edges: Int32Array
  /** Where the columns' copies are: those read, then those written. */
  readonly inputs: readonly Uint8Array[]
  readonly outputs: readonly Uint8Array[]
  readonly #step: () => number

  /** null where there is no such WebAssembly, or too few cells for it. */
  static of(grid: Grid, plan: LanesPlan): Lanes | null {
    if (typeof WebAssembly === 'undefined' || grid.layers > 1 || grid.size < 1024) return null
    const edges: number[] = []
    const lists = plan.near.map(({ shape, radius }) => grid.near(shape, radius).first)
    for (let cell = 0; cell < grid.size; cell++) if (lists.some(first => first[cell] !== 0)) edges.push(cell)
    if (edges.length > mostEdges * grid.size) return null
    try {
      return new Lanes(grid, plan, edges)
    } catch (error) {
      if (error instanceof WebAssembly.CompileError || error instanceof WebAssembly.LinkError || error instanceof RangeError) return null
      throw error
    }
  }

  private constructor(grid: Grid, plan: LanesPlan, edges: readonly number[]) {
    const n = grid.size
    const reach = Math.max(0, ...plan.near.map(({ radius }) => Math.floor(radius)))
    const room = reach * (grid.columns + 1) + 16
    const stride = Math.ceil((n + 2 * room) / 16) * 16
    const count = plan.reads + plan.writes
    const memory = new WebAssembly.Memory({ initial: Math.ceil((stride * count) / 65536) })
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(plan.code), { m: { m: memory } })
    const run = exports['f']
    if (typeof run !== 'function') throw new RangeError('lanes: the module has no function')
    const starts = Array.from({ length: count }, (_, k) => k * stride + room)
    const columns = starts.map(start => new Uint8Array(memory.buffer, start, n))
    this.edges = Int32Array.from(edges)
    this.inputs = columns.slice(0, plan.reads)
    this.outputs = columns.slice(plan.reads)
    this.#step = () => Number(run(n, grid.columns, ...starts))
  }

  /** From the inputs to the outputs; returns how many cells change, those at borders not counted well. */
  step(): number {
    return this.#step()
  }
}
