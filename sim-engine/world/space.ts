// Space: bounds, wrapping, distances, positions of individuals. Cells are unit squares (cubes) centred on integers, covering [c - .5, c + .5);
// east is 0 degrees, north 90, counter-clockwise. In a discrete space min and max are the first and last cell and individuals are on cell
// centres: a move ends on the centre of the cell it would end in. In a continuous space coordinates lie in [min, max), or [min, max] along an
// axis that doesn't wrap.
//
// Individuals are found through buckets: the cells themselves, or in a continuous space a grid of squares about as wide as the radius most
// queries use. Every bucket has a linked list per population, threaded through columns. One file, because moving, the borders and the index must
// agree at every step; grid.ts, geometry.ts and found.ts have what doesn't touch the index.
import { EngineFault } from '../kernel/fault.ts'
import { atan2, cbrt } from '../kernel/math.ts'
import { below, uniform, type Stream } from '../kernel/random.ts'
import { numberOf, recordOf, intsOf, type State } from '../kernel/snapshot.ts'
import { RunError } from '../problems.ts'
import { Found } from './found.ts'
import { bucketsAlong, cosine, firstBucket, fullTurn, shortest, sine, wrap } from './geometry.ts'
import { Grid, type Axis, type NeighborTable, type Shape } from './grid.ts'
import type { NumberColumn, IntegerColumn, Population } from './population.ts'

export type SpacePlan = {
  id: string
  name: string
  topology: 'discrete' | 'continuous'
  /** Two or three numbers: x, y (, z). The lowest is below the highest. */
  min: readonly number[]
  max: readonly number[]
  wrapX: boolean
  wrapY: boolean
  border: 'stop' | 'reflect' | 'error'
  /** Continuous: the radius most queries use. Blank = the index follows the number of individuals. */
  reach?: number
}

/** The individuals of one population standing in a space. The arrays are the population's columns, re-read when they move. */
export class Residents {
  readonly population: Population
  readonly space: Space
  /** Position and heading in degrees, in [0, 360). NaN = not placed. */
  x = new Float64Array(0)
  y = new Float64Array(0)
  /** Empty in 2D. */
  z = new Float64Array(0)
  heading = new Float64Array(0)
  /** Bucket of a slot, -1 = not placed. */
  bucket = new Int32Array(0)
  /** A bucket's list runs from `heads[bucket]` along `next` to -1, oldest arrival first; `previous` of the first is the last. */
  next = new Int32Array(0)
  previous = new Int32Array(0)
  heads: Int32Array
  /** The number of individuals in the space. */
  placed = 0
  /** How many of them are not the first in their bucket: 0 = `next` need not be looked at. */
  behind = 0
  /** Whether there are lists. Without them (nothing in the model asks for them) `bucket` alone holds the positions. */
  readonly isListed: boolean

  constructor(space: Space, population: Population, buckets: number, isListed: boolean) {
    this.space = space
    this.population = population
    this.isListed = isListed
    this.heads = new Int32Array(isListed ? buckets : 0).fill(-1)
    const x = population.numbers('x', NaN)
    const y = population.numbers('y', NaN)
    const z: NumberColumn | null = space.is3D ? population.numbers('z', NaN) : null
    const heading = population.numbers('heading')
    const [bucket, next, previous]: IntegerColumn[] = (isListed ? ['#bucket', '#next', '#previous'] : ['#bucket']).map(name =>
      population.integers(name, -1),
    )
    population.onRebind(() => {
      this.x = x.data
      this.y = y.data
      if (z) this.z = z.data
      this.heading = heading.data
      this.bucket = bucket!.data
      if (next) this.next = next.data
      if (previous) this.previous = previous.data
    })
  }

  isPlaced(slot: number): boolean {
    return this.bucket[slot]! >= 0
  }
}

export class Space {
  readonly id: string
  readonly name: string
  readonly isDiscrete: boolean
  readonly is3D: boolean
  /** Bounds as the author wrote them. */
  readonly minX: number
  readonly maxX: number
  readonly minY: number
  readonly maxY: number
  readonly minZ: number
  readonly maxZ: number
  /** Circumference along the axis: in a discrete space columns and rows. */
  readonly width: number
  readonly height: number
  readonly wrapX: boolean
  readonly wrapY: boolean
  /** The unit cells, whatever the topology. */
  readonly grid: Grid
  /** The buckets: sides, and how many along each axis. Discrete: the cells. The lowest corner is (lowX, lowY). */
  bucketSideX = 1
  bucketSideY = 1
  bucketSideZ = 1
  bucketColumns: number
  bucketRows: number
  bucketLayers: number
  readonly lowX: number
  readonly lowY: number
  readonly lowZ: number
  /** Discrete: empty cells are `empty[0 .. emptyCount)`, in an arbitrary but deterministic order. Kept from `trackEmpty` on. */
  empty = new Int32Array(0)
  emptyCount = 0
  cells: Population | null = null
  readonly admitted: Residents[] = []

  readonly #border: 'stop' | 'reflect' | 'error'
  readonly #reach: number | undefined
  #cellCapacity = Infinity
  // Individuals on a cell, kept while something depends on it: a capacity, the list of empty cells.
  counted = new Int32Array(0)
  #counts = false
  // The index of a cell in `empty`, or -1.
  emptyAt = new Int32Array(0)
  #tracksEmpty = false
  /** What `gather` functions found. */
  readonly found = new Found()

  constructor(plan: SpacePlan) {
    this.id = plan.id
    this.name = plan.name
    this.isDiscrete = plan.topology === 'discrete'
    this.is3D = plan.min.length > 2
    const [minX = 0, minY = 0, minZ = 0] = plan.min
    const [maxX = 0, maxY = 0, maxZ = 0] = plan.max
    this.wrapX = plan.wrapX
    this.wrapY = plan.wrapY
    this.#border = plan.border
    this.#reach = plan.reach
    const half = this.isDiscrete ? 0.5 : 0
    this.minX = minX
    this.maxX = maxX
    this.minY = minY
    this.maxY = maxY
    this.minZ = minZ
    this.maxZ = maxZ
    this.grid = new Grid(
      this.#axis(minX, maxX, this.wrapX),
      this.#axis(minY, maxY, this.wrapY),
      this.is3D ? this.#axis(minZ, maxZ, false) : { first: 0, count: 1, wraps: false },
    )
    if (!(this.grid.size <= 16777216)) throw new EngineFault(`space ${plan.name}: ${this.grid.size} cells are too many`)
    this.width = this.isDiscrete ? this.grid.columns : maxX - minX
    this.height = this.isDiscrete ? this.grid.rows : maxY - minY
    this.lowX = this.isDiscrete ? this.grid.minX - half : minX
    this.lowY = this.isDiscrete ? this.grid.minY - half : minY
    this.lowZ = this.is3D ? (this.isDiscrete ? this.grid.minZ - half : minZ) : 0
    this.bucketColumns = this.grid.columns
    this.bucketRows = this.grid.rows
    this.bucketLayers = this.grid.layers
    if (!this.isDiscrete) this.layBuckets(64)
  }

  /**
   * Lets a population live here: adds the columns x, y, (z,) heading. Called before any birth. `isListed` false, in a discrete space:
   * individuals are seldom looked up by cell.
   */
  admit(population: Population, isListed = true): Residents {
    const residents = new Residents(
      this,
      population,
      this.bucketColumns * this.bucketRows * this.bucketLayers,
      isListed || !this.isDiscrete,
    )
    this.admitted.push(residents)
    return residents
  }

  residents(population: Population): Residents | undefined {
    return this.admitted.find(one => one.population === population)
  }

  /** Makes `cells` the cell population: one individual per cell, slot = number of the cell. */
  layCells(cells: Population): void {
    this.cells = cells
    cells.fill(this.grid.size)
  }

  /** Most individuals on a cell (10061). */
  get cellCapacity(): number {
    return this.#cellCapacity
  }

  set cellCapacity(capacity: number) {
    this.#cellCapacity = capacity
    if (capacity !== Infinity) this.#count()
  }

  /** Discrete: individuals on each cell, of all populations. */
  get occupancy(): Int32Array {
    if (!this.#counts && this.isDiscrete) this.#recount()
    return this.counted
  }

  /** Unit cells along each axis. */
  get columns(): number {
    return this.grid.columns
  }

  get rows(): number {
    return this.grid.rows
  }

  get layers(): number {
    return this.grid.layers
  }

  /** The unit cell covering a position, respecting wrapping; -1 outside. */
  cellAt(x: number, y: number, z = 0): number {
    return this.grid.at(x, y, z)
  }

  cellX(cell: number): number {
    return this.grid.x(cell)
  }

  cellY(cell: number): number {
    return this.grid.y(cell)
  }

  cellZ(cell: number): number {
    return this.grid.z(cell)
  }

  /** Unit cell of an individual, -1 = not placed. */
  cellOf(who: Residents, slot: number): number {
    return this.isDiscrete
      ? who.bucket[slot]!
      : who.bucket[slot]! < 0
        ? -1
        : this.grid.at(who.x[slot]!, who.y[slot]!, this.is3D ? who.z[slot]! : 0)
  }

  /** Puts an individual at a position: wraps, or 10060; full cell 10061. */
  place(who: Residents, slot: number, x: number, y: number, z = 0): void {
    if (this.isDiscrete) {
      const cell = this.grid.at(x, y, z)
      if (cell < 0) throw new RunError(10060)
      this.placeOnCell(who, slot, cell)
      return
    }
    const px = this.wrapX ? wrap(x, this.minX, this.maxX) : x
    const py = this.wrapY ? wrap(y, this.minY, this.maxY) : y
    if (!(px >= this.minX && px <= this.maxX && py >= this.minY && py <= this.maxY)) throw new RunError(10060)
    if (this.is3D && !(z >= this.minZ && z <= this.maxZ)) throw new RunError(10060)
    this.#settleAt(who, slot, px, py, z)
  }

  placeOnCell(who: Residents, slot: number, cell: number): void {
    if (!(cell >= 0 && cell < this.grid.size)) throw new RunError(10060)
    if (!this.isDiscrete) {
      const x = Math.min(Math.max(this.grid.x(cell), this.minX), this.maxX)
      const y = Math.min(Math.max(this.grid.y(cell), this.minY), this.maxY)
      this.#settleAt(who, slot, x, y, Math.min(Math.max(this.grid.z(cell), this.minZ), this.maxZ))
      return
    }
    this.#step(who, slot, cell)
  }

  /** Discrete: onto the cell covering a position, as of `cell_at`: 10060 where there is none. */
  placeOnCellAt(who: Residents, slot: number, x: number, y: number, z: number, from: number, to: number): void {
    const { grid } = this
    const column = Math.floor(x + 0.5) - grid.minX
    const row = Math.floor(y + 0.5) - grid.minY
    if (!this.is3D && z === 0 && column >= 0 && column < grid.columns && row >= 0 && row < grid.rows) {
      this.stepTo(who, slot, column, row)
      return
    }
    const cell = grid.at(x, y, z)
    if (cell < 0) throw new RunError(10060, [], from, to)
    this.#step(who, slot, cell)
  }

  /** Discrete, in a plane: onto the cell in a column and a row of the grid, which exist. Costs no division. */
  stepTo(who: Residents, slot: number, column: number, row: number): void {
    const { grid } = this
    const cell = row * grid.columns + column
    if (!this.#enter(who, slot, cell)) return
    who.x[slot] = column + grid.minX
    who.y[slot] = row + grid.minY
  }

  /** Discrete: onto a cell that exists. */
  #step(who: Residents, slot: number, cell: number): void {
    const { grid } = this
    if (!this.is3D) {
      const row = (cell / grid.columns) | 0
      this.stepTo(who, slot, cell - row * grid.columns, row)
    } else if (this.#enter(who, slot, cell)) {
      who.x[slot] = grid.x(cell)
      who.y[slot] = grid.y(cell)
      who.z[slot] = grid.z(cell)
    }
  }

  /** Discrete: lists an individual on a cell; false when it is listed there already. */
  #enter(who: Residents, slot: number, cell: number): boolean {
    const old = who.bucket[slot]!
    if (old === cell) return false
    if (this.#counts) this.#countStep(old, cell)
    if (old >= 0) unlink(who, slot, old)
    else who.placed++
    link(who, slot, cell)
    return true
  }

  /** Takes an individual out of the space; nothing happens when it isn't placed. */
  remove(who: Residents, slot: number): void {
    const bucket = who.bucket[slot]!
    if (bucket < 0) return
    unlink(who, slot, bucket)
    who.placed--
    if (this.#counts) this.#countOut(bucket)
    who.x[slot] = NaN
    who.y[slot] = NaN
    if (this.is3D) who.z[slot] = NaN
  }

  randomCell(stream: Stream): number {
    return below(stream, this.grid.size)
  }

  /** Discrete: makes the list of empty cells, which is kept up to date from now on. Nothing happens the second time. */
  trackEmpty(): void {
    if (this.#tracksEmpty || !this.isDiscrete) return
    this.#count()
    const free: number[] = []
    for (let cell = 0; cell < this.grid.size; cell++) if (this.counted[cell] === 0) free.push(cell)
    this.#listEmpty(free)
  }

  /** -1 when every cell is taken. O(1) in a discrete space, but for the first time. */
  randomEmptyCell(stream: Stream): number {
    if (!this.#tracksEmpty) this.trackEmpty()
    if (this.isDiscrete) return this.emptyCount === 0 ? -1 : this.empty[below(stream, this.emptyCount)]!
    const free: number[] = []
    for (let cell = 0; cell < this.grid.size; cell++) if (this.admitted.every(who => this.on(who, cell).length === 0)) free.push(cell)
    return free.length === 0 ? -1 : free[below(stream, free.length)]!
  }

  /** A uniformly random position; in a discrete space a random cell. */
  placeAtRandom(who: Residents, slot: number, stream: Stream): void {
    if (this.isDiscrete) this.placeOnCell(who, slot, this.randomCell(stream))
    else {
      const x = this.minX + uniform(stream) * this.width
      const y = this.minY + uniform(stream) * this.height
      this.#settleAt(who, slot, x, y, this.is3D ? this.minZ + uniform(stream) * (this.maxZ - this.minZ) : 0)
    }
  }

  /** Along the heading (in the x-y plane); negative goes backward. Over a border: wraps, stops, reflects (the heading too) or 10060. 10062 when not placed. */
  forward(who: Residents, slot: number, distance: number): void {
    const heading = who.heading[slot]!
    this.translate(who, slot, distance * cosine(heading), distance * sine(heading))
  }

  translate(who: Residents, slot: number, dx: number, dy: number, dz = 0): void {
    if (who.bucket[slot]! < 0) throw new RunError(10062)
    if (this.isDiscrete && !this.is3D) {
      const { grid } = this
      const column = Math.floor(who.x[slot]! + dx + 0.5) - grid.minX
      const row = Math.floor(who.y[slot]! + dy + 0.5) - grid.minY
      // The usual case: no border is met.
      if (column >= 0 && column < grid.columns && row >= 0 && row < grid.rows) {
        this.stepTo(who, slot, column, row)
        return
      }
    }
    const x = this.#cross(who, slot, who.x[slot]! + dx, this.lowX, this.lowX + this.width, this.wrapX, 180)
    const y = this.#cross(who, slot, who.y[slot]! + dy, this.lowY, this.lowY + this.height, this.wrapY, 0)
    const highZ = this.isDiscrete ? this.lowZ + this.grid.layers : this.maxZ
    const z = this.is3D ? this.#cross(who, slot, who.z[slot]! + dz, this.lowZ, highZ, false, -1) : 0
    if (this.isDiscrete) this.placeOnCell(who, slot, this.#cellNear(x, y, z))
    else this.#settleAt(who, slot, x, y, z)
  }

  turn(who: Residents, slot: number, degrees: number): void {
    who.heading[slot] = fullTurn(who.heading[slot]! + degrees)
  }

  setHeading(who: Residents, slot: number, degrees: number): void {
    who.heading[slot] = fullTurn(degrees)
  }

  /** Turns towards a position, the short way round; one's own position changes nothing. */
  faceXY(who: Residents, slot: number, x: number, y: number): void {
    if (who.bucket[slot]! < 0) throw new RunError(10062)
    const direction = this.direction(who.x[slot]!, who.y[slot]!, x, y)
    if (direction >= 0) who.heading[slot] = direction
  }

  /** Shortest difference to - from along the axis, respecting wrapping. */
  dx(from: number, to: number): number {
    const d = to - from
    return this.wrapX ? shortest(d, this.width) : d
  }

  dy(from: number, to: number): number {
    const d = to - from
    return this.wrapY ? shortest(d, this.height) : d
  }

  distance(x1: number, y1: number, x2: number, y2: number, z1 = 0, z2 = 0): number {
    const dx = this.dx(x1, x2)
    const dy = this.dy(y1, y2)
    return Math.sqrt(dx * dx + dy * dy + (z2 - z1) * (z2 - z1))
  }

  /** Degrees in [0, 360) from the first point to the second; -1 when they are the same. */
  direction(x1: number, y1: number, x2: number, y2: number): number {
    const dx = this.dx(x1, x2)
    const dy = this.dy(y1, y2)
    return dx === 0 && dy === 0 ? -1 : fullTurn(atan2(dy, dx) * (180 / Math.PI))
  }

  /** Slots of `who` within `radius` of a point, nearest first, ties by birth; `except` is left out (-1 = none). Freshly allocated. */
  within(who: Residents, x: number, y: number, z: number, radius: number, except: number): number[] {
    const start = this.found.top
    this.gather(who, x, y, z, radius, except, true)
    return this.found.take(start)
  }

  /** The same in the order of the index, which is defined but means nothing: for sums and counts. */
  scan(who: Residents, x: number, y: number, z: number, radius: number, except: number): number[] {
    const start = this.found.top
    this.#search(who, x, y, z, radius, except)
    return this.found.take(start)
  }

  countWithin(who: Residents, x: number, y: number, z: number, radius: number, except: number): number {
    const start = this.found.top
    const n = this.#search(who, x, y, z, radius, except) - start
    this.found.top = start
    return n
  }

  /** The n nearest, nearest first, ties by birth; fewer when there are fewer. */
  nearest(who: Residents, x: number, y: number, z: number, n: number, except: number): number[] {
    const wanted = Math.min(n, who.placed)
    const farthest = this.width + this.height + (this.is3D ? this.maxZ - this.minZ + 1 : 0)
    let radius = Math.max(this.bucketSideX, this.bucketSideY)
    const start = this.found.top
    while (this.gather(who, x, y, z, radius, except, true) - start < wanted && radius <= farthest) {
      radius *= 2
      this.found.top = start
    }
    return this.found.take(start).slice(0, n)
  }

  /** Slots standing on a unit cell: oldest arrival first, in a continuous space, or without lists, by birth. */
  on(who: Residents, cell: number): number[] {
    if (cell < 0) return []
    const result: number[] = []
    if (this.isDiscrete) {
      if (!who.isListed) return whoever(who, slot => who.bucket[slot] === cell)
      for (let slot = who.heads[cell]!; slot >= 0; slot = who.next[slot]!) result.push(slot)
      return result
    }
    const { ids } = who.population
    const near = this.scan(who, this.grid.x(cell), this.grid.y(cell), this.grid.z(cell), this.is3D ? Math.sqrt(0.75) : Math.SQRT1_2, -1)
    return near.filter(slot => this.cellOf(who, slot) === cell).sort((p, q) => ids[p]! - ids[q]!)
  }

  /** Like `scan`, or when `ordered` like `within`, onto the stack `found`. Allocates nothing. */
  gather(who: Residents, x: number, y: number, z: number, radius: number, except: number, ordered: boolean): number {
    const start = this.found.top
    this.#search(who, x, y, z, radius, except)
    if (ordered) this.found.sort(start, who.population.ids)
    return this.found.top
  }

  /** Like `on`, onto the stack `found`. */
  gatherOn(who: Residents, cell: number): number {
    if (!this.isDiscrete || !who.isListed) for (const slot of this.on(who, cell)) this.found.push(slot)
    else if (cell >= 0) for (let slot = who.heads[cell]!; slot >= 0; slot = who.next[slot]!) this.found.push(slot)
    return this.found.top
  }

  /** Like `around`, onto the stack `found`. */
  gatherAround(cell: number, shape: Shape, radius: number): number {
    const { grid } = this
    const { count, dx, dy, dz } = grid.offsets(shape, radius)
    const column = cell % grid.columns
    const row = Math.floor(cell / grid.columns) % grid.rows
    const layer = Math.floor(cell / (grid.columns * grid.rows))
    for (let k = 0; k < count; k++) {
      const at = grid.step(column + dx[k]!, row + dy[k]!, layer + dz[k]!)
      if (at >= 0) this.found.push(at)
    }
    return this.found.top
  }

  around(cell: number, shape: Shape, radius: number): number[] {
    return this.grid.around(cell, shape, radius)
  }

  table(shape: Shape, radius: number): NeighborTable {
    return this.grid.table(shape, radius)
  }

  /** What is private, for rows that run on copies of it. */
  lend() {
    return { occupancy: this.counted, emptyAt: this.emptyAt, counts: this.#counts, tracksEmpty: this.#tracksEmpty }
  }

  save(): State {
    return {
      cellCapacity: this.cellCapacity,
      buckets: [this.bucketColumns, this.bucketRows, this.bucketLayers],
      occupancy: this.occupancy.slice(),
      empty: this.#tracksEmpty ? this.empty.slice(0, this.emptyCount) : null,
      heads: this.admitted.map(who => who.heads.slice()),
      placed: this.admitted.map(who => who.placed),
    }
  }

  /** After the populations were restored. */
  load(state: State): void {
    const saved = recordOf(state)
    this.#cellCapacity = numberOf(saved['cellCapacity'])
    const [columns, rows, layers] = Array.isArray(saved['buckets']) ? saved['buckets'].map(numberOf) : []
    this.#divide(columns ?? 1, rows ?? 1, layers ?? 1)
    this.counted = intsOf(saved['occupancy'])
    this.#counts = this.isDiscrete && (this.#cellCapacity !== Infinity || saved['empty'] !== null)
    this.#tracksEmpty = false
    if (saved['empty'] !== null) this.#listEmpty(intsOf(saved['empty']))
    const heads = Array.isArray(saved['heads']) ? saved['heads'] : []
    const placed = Array.isArray(saved['placed']) ? saved['placed'] : []
    for (const [k, who] of this.admitted.entries()) {
      who.heads = intsOf(heads[k])
      who.placed = numberOf(placed[k])
      who.behind = who.isListed ? who.placed : 0
      for (const head of who.heads) if (head >= 0) who.behind--
      who.population.rebind()
    }
  }

  /** Unit cells along an axis. Where a continuous axis wraps and is a whole number long, the halves at both ends are one cell. */
  #axis(min: number, max: number, wraps: boolean): Axis {
    if (this.isDiscrete) return { first: Math.ceil(min), count: Math.floor(max) - Math.ceil(min) + 1, wraps }
    const first = Math.floor(min + 0.5)
    if (wraps && Number.isInteger(max - min)) return { first, count: max - min, wraps }
    return { first, count: (wraps ? Math.ceil(max + 0.5) - 1 : Math.floor(max + 0.5)) - first + 1, wraps: false }
  }

  /** One coordinate after a move over a border. `mirror` - heading is the reflected heading; -1 = it doesn't turn. */
  #cross(who: Residents, slot: number, value: number, low: number, high: number, wraps: boolean, mirror: number): number {
    if (value >= low && value < high) return value
    if (wraps) return wrap(value, low, high)
    if (value === high && !this.isDiscrete) return value
    if (value !== value || this.#border === 'error') throw new RunError(10060)
    if (this.#border === 'stop' || !Number.isFinite(value)) return value < low ? low : high
    let bounced = value
    let turns = false
    // A reflection at each wall in turn; far overshoots first lose whole round trips.
    const round = 2 * (high - low)
    bounced -= Math.floor((bounced - low) / round) * round
    if (bounced > high) {
      bounced = 2 * high - bounced
      turns = true
    }
    if (turns && mirror >= 0) who.heading[slot] = fullTurn(mirror - who.heading[slot]!)
    return bounced
  }

  /** The cell of a position on or within the outer edges. */
  #cellNear(x: number, y: number, z: number): number {
    const { grid } = this
    const column = Math.min(Math.max(Math.floor(x + 0.5), grid.minX), grid.minX + grid.columns - 1)
    const row = Math.min(Math.max(Math.floor(y + 0.5), grid.minY), grid.minY + grid.rows - 1)
    const layer = Math.min(Math.max(Math.floor(z + 0.5), grid.minZ), grid.minZ + grid.layers - 1)
    return ((layer - grid.minZ) * grid.rows + row - grid.minY) * grid.columns + column - grid.minX
  }

  /** Continuous: takes the position, which is inside. */
  #settleAt(who: Residents, slot: number, x: number, y: number, z: number): void {
    const bucket = this.#bucketAt(x, y, z)
    const old = who.bucket[slot]!
    if (this.#cellCapacity !== Infinity) this.#checkCapacity(who, slot, x, y, z)
    who.x[slot] = x
    who.y[slot] = y
    if (this.is3D) who.z[slot] = z
    if (bucket === old) return
    if (old >= 0) unlink(who, slot, old)
    else who.placed++
    link(who, slot, bucket)
    if (old < 0 && this.#reach === undefined && who.placed > 4 * who.heads.length) this.layBuckets(who.placed)
  }

  #checkCapacity(who: Residents, slot: number, x: number, y: number, z: number): void {
    const cell = this.grid.at(x, y, z)
    if (this.cellOf(who, slot) === cell) return
    let standing = 0
    for (const other of this.admitted) standing += this.on(other, cell).length
    if (standing >= this.#cellCapacity) throw new RunError(10061)
  }

  #bucketAt(x: number, y: number, z: number): number {
    const column = Math.min(Math.floor((x - this.lowX) / this.bucketSideX), this.bucketColumns - 1)
    const row = Math.min(Math.floor((y - this.lowY) / this.bucketSideY), this.bucketRows - 1)
    const layer = this.is3D ? Math.min(Math.floor((z - this.lowZ) / this.bucketSideZ), this.bucketLayers - 1) : 0
    return (layer * this.bucketRows + row) * this.bucketColumns + column
  }

  #countStep(old: number, cell: number): void {
    if (this.counted[cell]! >= this.#cellCapacity) throw new RunError(10061)
    if (old >= 0) this.#countOut(old)
    if (this.counted[cell]!++ > 0 || !this.#tracksEmpty) return
    const at = this.emptyAt[cell]!
    const last = this.empty[--this.emptyCount]!
    this.empty[at] = last
    this.emptyAt[last] = at
    this.emptyAt[cell] = -1
  }

  #countOut(cell: number): void {
    if (--this.counted[cell]! > 0 || !this.#tracksEmpty) return
    this.emptyAt[cell] = this.emptyCount
    this.empty[this.emptyCount++] = cell
  }

  /** Starts to count the individuals by place. */
  #count(): void {
    if (this.#counts || !this.isDiscrete) return
    this.#recount()
    this.#counts = true
  }

  #recount(): void {
    this.counted = new Int32Array(this.grid.size)
    for (const { population, bucket } of this.admitted)
      for (let slot = 0; slot < population.top; slot++) if (bucket[slot]! >= 0) this.counted[bucket[slot]!]!++
  }

  #listEmpty(cells: ArrayLike<number>): void {
    this.#tracksEmpty = true
    this.emptyCount = cells.length
    this.empty = new Int32Array(this.grid.size)
    this.empty.set(cells)
    this.emptyAt = new Int32Array(this.grid.size).fill(-1)
    for (let k = 0; k < this.emptyCount; k++) this.emptyAt[this.empty[k]!] = k
  }

  /** Chooses the buckets of a continuous space: as wide as `reach`, or about one for every individual; at most 2^20. */
  layBuckets(individuals: number): void {
    const depth = this.is3D ? this.maxZ - this.minZ : 1
    const sideOf = this.is3D ? cbrt : Math.sqrt
    const volume = this.width * this.height * (this.is3D ? depth : 1)
    const least = sideOf(volume / 1048576)
    const side = Math.max(this.#reach ?? sideOf(volume / Math.max(individuals, 64)), least)
    const along = (length: number): number => Math.max(1, Math.floor(length / side))
    this.#divide(along(this.width), along(this.height), this.is3D ? along(depth) : 1)
    for (const who of this.admitted) {
      who.heads = new Int32Array(this.bucketColumns * this.bucketRows * this.bucketLayers).fill(-1)
      who.behind = 0
      const { living, livingCount, handles } = who.population
      for (let k = 0; k < livingCount; k++) {
        const slot = living[k]!
        if (handles[slot]! >= 0 && who.bucket[slot]! >= 0)
          link(who, slot, this.#bucketAt(who.x[slot]!, who.y[slot]!, this.is3D ? who.z[slot]! : 0))
      }
      who.population.rebind()
    }
  }

  #divide(columns: number, rows: number, layers: number): void {
    this.bucketColumns = columns
    this.bucketRows = rows
    this.bucketLayers = layers
    if (this.isDiscrete) return
    this.bucketSideX = this.width / columns
    this.bucketSideY = this.height / rows
    this.bucketSideZ = this.is3D ? (this.maxZ - this.minZ) / layers : 1
  }

  /** Puts slots and squared distances onto `found`; returns the new top. Every bucket that can hold one is visited once. */
  #search(who: Residents, x: number, y: number, z: number, radius: number, except: number): number {
    if (!(radius >= 0) || who.placed === 0) return this.found.top
    const limit = radius * radius
    if (!who.isListed) {
      for (const slot of whoever(who, one => who.bucket[one]! >= 0 && one !== except)) {
        const dx = this.dx(x, who.x[slot]!)
        const dy = this.dy(y, who.y[slot]!)
        const dz = this.is3D ? who.z[slot]! - z : 0
        const square = dx * dx + dy * dy + dz * dz
        if (square <= limit) this.found.pushAt(slot, square)
      }
      return this.found.top
    }
    const { width, height, wrapX, wrapY, is3D, bucketColumns, bucketRows } = this
    const halfWidth = wrapX ? width / 2 : Infinity
    const halfHeight = wrapY ? height / 2 : Infinity
    const px = who.x
    const py = who.y
    const pz = who.z
    const { heads, next } = who
    const { bucketSideX, bucketSideY } = this
    const x0 = firstBucket(x - this.lowX, radius, bucketSideX, bucketColumns, wrapX)
    const nx = bucketsAlong(x - this.lowX, radius, bucketSideX, bucketColumns, wrapX)
    const y0 = firstBucket(y - this.lowY, radius, bucketSideY, bucketRows, wrapY)
    const ny = bucketsAlong(y - this.lowY, radius, bucketSideY, bucketRows, wrapY)
    const z0 = is3D ? firstBucket(z - this.lowZ, radius, this.bucketSideZ, this.bucketLayers, false) : 0
    const nz = is3D ? bucketsAlong(z - this.lowZ, radius, this.bucketSideZ, this.bucketLayers, false) : 1
    const { found } = this
    for (let k = 0; k < nz; k++) {
      for (let j = 0; j < ny; j++) {
        const row = y0 + j >= bucketRows ? y0 + j - bucketRows : y0 + j
        const base = ((z0 + k) * bucketRows + row) * bucketColumns
        for (let i = 0; i < nx; i++) {
          const column = x0 + i >= bucketColumns ? x0 + i - bucketColumns : x0 + i
          for (let slot = heads[base + column]!; slot >= 0; slot = next[slot]!) {
            if (slot === except) continue
            let dx = px[slot]! - x
            let dy = py[slot]! - y
            if (dx > halfWidth) dx -= width
            else if (dx < -halfWidth) dx += width
            if (dy > halfHeight) dy -= height
            else if (dy < -halfHeight) dy += height
            let square = dx * dx + dy * dy
            if (is3D) square += (pz[slot]! - z) * (pz[slot]! - z)
            if (square <= limit) found.pushAt(slot, square)
          }
        }
      }
    }
    return found.top
  }
}

/**
 * Appends to a bucket's list. Most buckets are empty, and most individuals that leave one were alone in it: these cases are cheap. Otherwise, in
 * `unlink`, indices are chosen by masks: which individual is first or last is unpredictable, and a mispredicted branch costs more.
 */
function link(who: Residents, slot: number, bucket: number): void {
  who.bucket[slot] = bucket
  if (!who.isListed) return
  const { heads, next, previous } = who
  const head = heads[bucket]!
  next[slot] = -1
  if (head < 0) {
    previous[slot] = slot
    heads[bucket] = slot
    return
  }
  const last = previous[head]!
  who.behind++
  next[last] = slot
  previous[slot] = last
  previous[head] = slot
}

/** What it writes to `slot` itself means nothing. */
function unlink(who: Residents, slot: number, bucket: number): void {
  who.bucket[slot] = -1
  if (!who.isListed) return
  const { heads, next, previous } = who
  const before = previous[slot]!
  if (before === slot) {
    heads[bucket] = -1
    return
  }
  const head = heads[bucket]!
  const after = next[slot]!
  const isOthers = differ(head, slot)
  const isLast = after >> 31
  who.behind--
  heads[bucket] = (head & isOthers) | (after & ~isOthers)
  next[(before & isOthers) | (slot & ~isOthers)] = after
  previous[(after & ~isLast) | (head & isLast)] = before
}

/** Those of the living who fit, by birth. */
function whoever({ population: { living, livingCount, handles } }: Residents, fits: (slot: number) => boolean): number[] {
  return Array.from(living.subarray(0, livingCount)).filter(slot => handles[slot]! >= 0 && fits(slot))
}

/** -1 where two slots differ, else 0. */
function differ(p: number, q: number): number {
  return (0 - (p ^ q)) >> 31
}
