// A rule of cells for sixteen cells at once, in WebAssembly (compile/lanes.ts). It works on copies of the columns with room
// around them. Cells at a border are calculated too, from whatever lies there: where the space wraps around, the rows beyond it are
// laid there first, and the columns beyond it are calculated again side by side (`Strip`). Other cells at borders are done
// again by the caller.
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
  /** Cells that are to be done again: not all of their surroundings were there. */
  readonly edges: Int32Array
  /** Where the columns' copies are: those read, then those written. */
  readonly inputs: readonly Uint8Array[]
  readonly outputs: readonly Uint8Array[]
  readonly #step: () => number

  /** null where there is no such WebAssembly, or too few cells for it. */
  static of(grid: Grid, plan: LanesPlan): Lanes | null {
    if (typeof WebAssembly === 'undefined' || grid.layers > 1 || grid.size < 1024) return null
    const reach = Math.max(0, ...plan.near.map(({ radius }) => Math.floor(radius)))
    const edges: number[] = []
    let borders = 0
    const lists = plan.near.map(({ shape, radius }) => grid.near(shape, radius).first)
    for (let cell = 0; cell < grid.size; cell++) {
      if (lists.every(first => first[cell] === 0)) continue
      borders++
      const x = cell % grid.columns
      const y = Math.floor(cell / grid.columns)
      const isInside = (at: number, count: number): boolean => at >= reach && at < count - reach
      if (!(grid.wrapX || isInside(x, grid.columns)) || !(grid.wrapY || isInside(y, grid.rows))) edges.push(cell)
    }
    if (borders > mostEdges * grid.size) return null
    try {
      return new Lanes(grid, plan, reach, edges)
    } catch (error) {
      if (error instanceof WebAssembly.CompileError || error instanceof WebAssembly.LinkError || error instanceof RangeError) return null
      throw error
    }
  }

  private constructor(grid: Grid, plan: LanesPlan, reach: number, edges: readonly number[]) {
    const count = plan.reads + plan.writes
    const whole = new Field(grid.columns, grid.rows, reach, count, 0)
    // Columns at both sides with all that their cells see.
    const strip = grid.wrapX && reach > 0 ? new Field(4 * reach, grid.rows, reach, count, whole.end) : null
    const memory = new WebAssembly.Memory({ initial: Math.ceil((strip ?? whole).end / 65536) })
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(plan.code), { m: { m: memory } })
    const run = exports['f']
    if (typeof run !== 'function') throw new RangeError('lanes: the module has no function')
    const bytes = new Uint8Array(memory.buffer)
    const columns = whole.starts.map(start => bytes.subarray(start, start + grid.size))
    this.edges = Int32Array.from(edges)
    this.inputs = columns.slice(0, plan.reads)
    this.outputs = columns.slice(plan.reads)
    this.#step = () => {
      if (grid.wrapY) for (const start of whole.starts.slice(0, plan.reads)) wrapRows(bytes, start, grid.size, reach * grid.columns)
      const changed = Number(run(grid.size, grid.columns, ...whole.starts))
      if (strip) {
        for (let k = 0; k < plan.reads; k++) gather(bytes, whole, strip, k)
        run(strip.size, strip.columns, ...strip.starts)
        for (let k = plan.reads; k < count; k++) scatter(bytes, whole, strip, k)
      }
      return changed
    }
  }

  /** From the inputs to the outputs; returns how many cells change, those at borders not counted well. */
  step(): number {
    return this.#step()
  }
}

/** Where columns of cells lie in the memory, each with `reach` rows before and behind it, and room for two vectors. */
class Field {
  readonly columns: number
  readonly rows: number
  readonly reach: number
  readonly starts: readonly number[]
  readonly end: number

  constructor(columns: number, rows: number, reach: number, count: number, from: number) {
    const room = reach * (columns + 1) + 32
    const stride = Math.ceil((columns * rows + 2 * room) / 16) * 16
    this.columns = columns
    this.rows = rows
    this.reach = reach
    this.starts = Array.from({ length: count }, (_, k) => from + k * stride + room)
    this.end = from + count * stride
  }

  get size(): number {
    return this.columns * this.rows
  }
}

/** Before the first row the last ones, behind the last the first ones. */
function wrapRows(bytes: Uint8Array, start: number, size: number, rows: number): void {
  bytes.copyWithin(start - rows, start + size - rows, start + size)
  bytes.copyWithin(start + size, start, start + rows)
}

/** The last columns, then the first ones: twice as many of each as a rule reaches, also of the rows before and behind. */
function gather(bytes: Uint8Array, whole: Field, strip: Field, column: number): void {
  const { reach, rows } = whole
  const from = whole.starts[column]!
  const to = strip.starts[column]!
  const last = whole.columns - 2 * reach
  for (let y = -reach; y < rows + reach; y++) {
    const row = from + y * whole.columns
    const side = to + y * strip.columns
    for (let x = 0; x < 2 * reach; x++) {
      bytes[side + x] = bytes[row + last + x]!
      bytes[side + 2 * reach + x] = bytes[row + x]!
    }
  }
}

/** Back to where they belong: those whose surroundings are all there. */
function scatter(bytes: Uint8Array, whole: Field, strip: Field, column: number): void {
  const { reach, rows } = whole
  const from = strip.starts[column]!
  const to = whole.starts[column]!
  const last = whole.columns - reach
  for (let y = 0; y < rows; y++) {
    const row = to + y * whole.columns
    const side = from + y * strip.columns + reach
    for (let x = 0; x < reach; x++) {
      bytes[row + last + x] = bytes[side + x]!
      bytes[row + x] = bytes[side + reach + x]!
    }
  }
}
