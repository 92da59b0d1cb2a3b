// The unit cells of a space: squares (cubes) centred on integers, numbered row by row from the lowest corner. A cell is
// its number: (y - minY) * columns + (x - minX) + (z - minZ) * columns * rows.
import { EngineFault } from '../kernel/fault.ts'

export type Shape = 'moore' | 'vonNeumann' | 'round'

/** Neighbours as steps from a cell, in parallel arrays, the cell itself not among them. */
type Offsets = { readonly count: number; readonly dx: Int32Array; readonly dy: Int32Array; readonly dz: Int32Array }

/**
 * For tight loops: `cells[cell * width .. cell * width + counts[cell])` are the neighbours of `cell`. `complete` = every
 * cell has `width` of them.
 */
export type NeighborTable = { readonly width: number; readonly cells: Int32Array; readonly counts: Int32Array; readonly complete: boolean }

/**
 * The same without a table: `steps[k + 1 .. k + steps[k]]`, where k = `first[cell]`, are what to add to `cell` to come to its
 * neighbours. All cells with whole surroundings have k = 0; the others share a list for each way of standing at a border.
 */
type Near = { readonly width: number; readonly steps: Int32Array; readonly first: Uint16Array }

export type Axis = { first: number; count: number; wraps: boolean }

export class Grid {
  readonly minX: number
  readonly minY: number
  readonly minZ: number
  readonly columns: number
  readonly rows: number
  readonly layers: number
  readonly wrapX: boolean
  readonly wrapY: boolean
  /** Number of cells. */
  readonly size: number
  readonly #offsets = new Map<string, Offsets>()
  readonly #tables = new Map<string, NeighborTable>()
  readonly #nears = new Map<string, Near>()

  constructor(x: Axis, y: Axis, z: Axis) {
    this.minX = x.first
    this.minY = y.first
    this.minZ = z.first
    this.columns = x.count
    this.rows = y.count
    this.layers = z.count
    this.wrapX = x.wraps
    this.wrapY = y.wraps
    this.size = x.count * y.count * z.count
  }

  /** The cell covering a position, respecting wrapping; -1 outside. */
  at(x: number, y: number, z: number): number {
    let column = Math.floor(x + 0.5) - this.minX
    let row = Math.floor(y + 0.5) - this.minY
    const layer = Math.floor(z + 0.5) - this.minZ
    if (!(column >= 0 && column < this.columns)) {
      if (!this.wrapX || !Number.isFinite(column)) return -1
      column -= Math.floor(column / this.columns) * this.columns
    }
    if (!(row >= 0 && row < this.rows)) {
      if (!this.wrapY || !Number.isFinite(row)) return -1
      row -= Math.floor(row / this.rows) * this.rows
    }
    if (!(layer >= 0 && layer < this.layers)) return -1
    return (layer * this.rows + row) * this.columns + column
  }

  x(cell: number): number {
    return this.minX + (cell % this.columns)
  }

  y(cell: number): number {
    return this.minY + (Math.floor(cell / this.columns) % this.rows)
  }

  z(cell: number): number {
    return this.minZ + Math.floor(cell / (this.columns * this.rows))
  }

  /**
   * moore: Chebyshev distance 1..radius · vonNeumann: Manhattan · round: Euclidean, nearest first. The first two go row by
   * row. Along a wrapping axis no cell comes twice, however large the radius.
   */
  offsets(shape: Shape, radius: number): Offsets {
    const key = `${shape} ${radius}`
    const known = this.#offsets.get(key)
    if (known) return known
    const [x0, x1] = reach(radius, this.columns, this.wrapX)
    const [y0, y1] = reach(radius, this.rows, this.wrapY)
    const [z0, z1] = reach(radius, this.layers, false)
    const steps: { x: number; y: number; z: number; far: number }[] = []
    for (let z = z0; z <= z1; z++) {
      for (let y = y0; y <= y1; y++) {
        for (let x = x0; x <= x1; x++) {
          const far =
            shape === 'round'
              ? x * x + y * y + z * z
              : shape === 'moore'
                ? Math.max(Math.abs(x), Math.abs(y), Math.abs(z))
                : Math.abs(x) + Math.abs(y) + Math.abs(z)
          if (far > 0 && far <= (shape === 'round' ? radius * radius : radius)) steps.push({ x, y, z, far })
        }
      }
    }
    if (shape === 'round') steps.sort((p, q) => p.far - q.far)
    const made = {
      count: steps.length,
      dx: Int32Array.from(steps, step => step.x),
      dy: Int32Array.from(steps, step => step.y),
      dz: Int32Array.from(steps, step => step.z),
    }
    if (this.#offsets.size >= 256) this.#offsets.clear()
    this.#offsets.set(key, made)
    return made
  }

  /** The neighbours of a cell, in the order of `offsets`; over a border that doesn't wrap there are none. */
  around(cell: number, shape: Shape, radius: number): number[] {
    const { count, dx, dy, dz } = this.offsets(shape, radius)
    const column = cell % this.columns
    const row = Math.floor(cell / this.columns) % this.rows
    const layer = Math.floor(cell / (this.columns * this.rows))
    const result: number[] = []
    for (let k = 0; k < count; k++) {
      const at = this.step(column + dx[k]!, row + dy[k]!, layer + dz[k]!)
      if (at >= 0) result.push(at)
    }
    return result
  }

  /** Made once per (shape, radius). Throws RangeError above 2^26 entries: loop over `offsets` then. */
  table(shape: Shape, radius: number): NeighborTable {
    const key = `${shape} ${radius}`
    const known = this.#tables.get(key)
    if (known) return known
    const { count: width, dx, dy, dz } = this.offsets(shape, radius)
    if (width * this.size > 67108864) throw new EngineFault(`grid: a table of ${width} neighbours for ${this.size} cells is too large`)
    const cells = new Int32Array(width * this.size)
    const counts = new Int32Array(this.size)
    let complete = true
    for (let cell = 0; cell < this.size; cell++) {
      const column = cell % this.columns
      const row = Math.floor(cell / this.columns) % this.rows
      const layer = Math.floor(cell / (this.columns * this.rows))
      let n = 0
      for (let k = 0; k < width; k++) {
        const at = this.step(column + dx[k]!, row + dy[k]!, layer + dz[k]!)
        if (at >= 0) cells[cell * width + n++] = at
      }
      counts[cell] = n
      complete &&= n === width
    }
    const made = { width, cells, counts, complete }
    this.#tables.set(key, made)
    return made
  }

  /** Made once per (shape, radius), for flat grids. Throws RangeError for others, and where the lists have more entries than 16 bits can count. */
  near(shape: Shape, radius: number): Near {
    const key = `${shape} ${radius}`
    const known = this.#nears.get(key)
    if (known) return known
    if (this.layers > 1) throw new EngineFault(`grid: ${shape} ${radius} in a space that isn't flat`)
    const { count: width, dx, dy } = this.offsets(shape, radius)
    const [x0, x1] = reach(radius, this.columns, this.wrapX)
    const [y0, y1] = reach(radius, this.rows, this.wrapY)
    // How far from a border, as far as it matters: the same for both axes means the same steps.
    const side = (at: number, count: number, low: number, high: number): number =>
      at < -low ? at + 1 : at >= count - high ? at - count - 1 : 0
    // Where the axis is too short for the radius no cell has whole surroundings.
    const far = Math.floor(radius)
    const isWhole = x0 === -far && x1 === far && y0 === -far && y1 === far
    const steps: number[] = [width, ...Array.from(dx, (x, k) => dy[k]! * this.columns + x)]
    const lists = new Map<string, number>()
    const first = new Uint16Array(this.size)
    const acrossOf = Int32Array.from({ length: this.columns }, (_, column) => side(column, this.columns, x0, x1))
    for (let row = 0; row < this.rows; row++) {
      const along = side(row, this.rows, y0, y1)
      for (let column = 0; column < this.columns; column++) {
        const across = acrossOf[column]!
        if (isWhole && across === 0 && along === 0) {
          // Most cells, with the first list: on to the other side.
          column = this.columns - x1 - 1
          continue
        }
        const cell = row * this.columns + column
        const kind = `${across} ${along}`
        let start = lists.get(kind)
        if (start === undefined) {
          start = steps.length
          const around: number[] = []
          for (let k = 0; k < width; k++) {
            const at = this.step(column + dx[k]!, row + dy[k]!, 0)
            if (at >= 0) around.push(at - cell)
          }
          steps.push(around.length, ...around)
          if (start > 65535) throw new EngineFault(`grid: ${shape} ${radius} has too many kinds of borders`)
          lists.set(kind, start)
        }
        first[cell] = start
      }
    }
    const made = { width, steps: Int32Array.from(steps), first }
    this.#nears.set(key, made)
    return made
  }

  /** The cell of a column, row and layer, at most one turn beyond a wrapping border; -1 outside. */
  step(column: number, row: number, layer: number): number {
    let x = column
    let y = row
    if (x < 0 || x >= this.columns) {
      if (!this.wrapX) return -1
      x = x < 0 ? x + this.columns : x - this.columns
    }
    if (y < 0 || y >= this.rows) {
      if (!this.wrapY) return -1
      y = y < 0 ? y + this.rows : y - this.rows
    }
    if (layer < 0 || layer >= this.layers) return -1
    return (layer * this.rows + y) * this.columns + x
  }
}

/** Steps along one axis: at most every cell once. */
function reach(radius: number, count: number, wraps: boolean): readonly [number, number] {
  const far = Math.floor(radius)
  return wraps ? [-Math.min(far, (count - 1) >> 1), Math.min(far, count >> 1)] : [-Math.min(far, count - 1), Math.min(far, count - 1)]
}
