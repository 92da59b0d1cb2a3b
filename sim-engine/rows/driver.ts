// The rows of one run as WebAssembly. One module serves all runs of a program; a run borrows an image of it while it is inside,
// so that many short runs make few.
import { compiledModule } from '../backends/wasm.ts'
import type { Program } from '../compile.ts'
import { atan2, cos, log, sin } from '../kernel/math.ts'
import { RunError } from '../problems.ts'
import type { Built } from '../run/build.ts'
import { eventKind, phase } from '../run/events.ts'
import type { Found } from '../world/found.ts'
import type { Population } from '../world/population.ts'
import type { Residents } from '../world/space.ts'
import { RowImage } from './image.ts'
import { Lists } from './lists.ts'
import { rowsModule } from './module.ts'
import type { RowsModule } from './module.ts'
import { Scope, Texts } from './scope.ts'
import { activationsOf } from './work.ts'
import type { Holder, Numbers } from './scope.ts'
import type { FailurePlace } from '../lower/processes/memory.ts'
import { NotLowered } from '../lower/scope.ts'

/** Images kept for later runs. */
const mostSpare = 4
/** Bytes of those. */
const largestSpare = 16_777_216

/** Bytes copied in the time WebAssembly saves with one activation, and those that don't matter; ticks after which that is looked at. */
const worthOfActivation = 400
const fewBytes = 65_536
const trial = 8

/** What all runs of a program share. */
type Made = {
  /** Numbers it takes for granted, by their paths. */
  readonly assumed: ReadonlyMap<string, number>
  readonly rows: RowsModule
  readonly module: WebAssembly.Module
  readonly spare: Borrowed[]
}

/** An image and the run that owns it: its imports act on that run. */
type Borrowed = { readonly image: RowImage; readonly holder: { run: NativeRows } }

/** By what they take for granted, nothing or not, and which cells have no stencil in a run. */
const known = new WeakMap<Program, Map<string, Made | null>>()

/** The rows of one run. Only between instants may it be entered and left. */
export class NativeRows {
  #made: Made
  readonly #program: Program
  readonly built: Built
  readonly #changing: ReadonlySet<number>
  /** Populations that rows give no birth to and do not kill. */
  readonly #others: readonly Population[]
  /** The result of a search around an individual. */
  readonly #found: readonly Found[]
  readonly #texts: Texts
  readonly #lists: Lists
  /** The world as it was copied in, and whether arrays of populations were replaced since then. */
  #world: Scope
  /** Where what is taken for granted is. */
  #assumed: { readonly holder: Holder; readonly value: number }[] = []
  #isMoved = false
  #borrowed: Borrowed | null = null
  #isRefused = false
  #isInside = false
  /** Whether the image is as the world is. */
  #isFresh = false

  // Ticks, ticks with counted activations, and bytes copied.
  #ticks = 0
  #counted = 0
  #activations = 0
  #copied = 0

  private constructor(made: Made, program: Program, built: Built) {
    this.#made = made
    this.#program = program
    this.#texts = new Texts(made.rows.memory)
    this.#lists = new Lists(built, made.rows.memory.listColumns)
    this.built = built
    this.#changing = made.rows.changing
    this.#others = built.world.populations.filter(({ index }) => !this.#changing.has(index))
    this.#found = [...built.world.spaces, ...built.world.links].map(({ found }) => found)
    for (const one of built.stencils.byPopulation) one?.hurry()
    this.#world = this.#scope()
    this.#findAssumed()
    for (const population of built.world.populations)
      population.onRebind(() => {
        this.#isMoved = true
      })
  }

  static of(program: Program, built: Built): NativeRows | null {
    if (!isEligible(program, built)) return null
    const made = madeFor(program, built, true)
    return made && new NativeRows(made, program, built)
  }

  /** Whether the next instant is to go on here: what the rows know is newer than the world, or as new. */
  get isInside(): boolean {
    return this.#isInside || this.#isFresh
  }

  /** Whether what the rows know is newer than the world. */
  get isAhead(): boolean {
    return this.#isInside
  }

  /** Copies the world in; false where something else than rows may act in this tick. */
  enter(): boolean {
    if (this.#isInside) return true
    const { kernel } = this.built
    if (this.#isRefused) return this.#giveUp()
    if (kernel.hasWoken || kernel.joins.waiting > 0 || !kernel.watches.isBlind) {
      this.leave(false)
      return false
    }
    if (!this.#isFresh && !this.#prepare()) return false
    this.#isInside = true
    this.#isFresh = false
    return true
  }

  /** Copying costs too much, or can't be done: other runs may have the image. */
  #giveUp(): boolean {
    this.end()
    return false
  }

  #prepare(): boolean {
    try {
      this.#renew()
      if (!this.#assumed.every(({ holder, value }) => numberIn(holder) === value) && !this.#generalise()) return false
      this.#borrowed ??= this.#borrow()
      this.#copyIn()
      return true
    } catch (error) {
      // There is no memory for copies, or a page allows no module so large.
      if (!(error instanceof RangeError)) throw error
      this.#isRefused = true
      return false
    }
  }

  /** `world.settle()`. */
  settle(): void {
    // Who was born since by something else may act from now on.
    const isSettled = this.#areOthersSettled()
    if (!isSettled) this.leave(false)
    if (!isSettled || !this.enter()) {
      this.built.world.settle()
      return
    }
    this.#image.settleAll()
    // What is looked at between ticks searches in JavaScript.
    for (let k = 0; k < this.#found.length; k++) this.#found[k]!.top = 0
  }

  #areOthersSettled(): boolean {
    for (let k = 0; k < this.#others.length; k++) if (!this.#others[k]!.isSettled) return false
    return true
  }

  /** One tick of all populations; time and tick are the world's. May throw: `leave` then. */
  tick(): void {
    const image = this.#image
    const { world } = this.built
    image.setTime(world.time, world.tick)
    this.#ticks++
    image.tick()
  }

  /** Commit of simultaneous populations. */
  commit(): void {
    this.#image.commit()
  }

  /** Copies out what was written, also who acts and where. `onlyRead`: nothing changes till the next `enter`. */
  leave(onlyRead: boolean): void {
    if (this.#isInside) this.#copyOut()
    this.#isFresh = onlyRead && (this.#isInside || this.#isFresh)
    this.#isInside = false
  }

  /** The run is over, or continues elsewhere: other runs may use the image. */
  end(): void {
    this.leave(false)
    this.#giveBack()
  }

  #giveBack(): void {
    if (!this.#borrowed) return
    this.#borrowed.image.release()
    if (this.#made.spare.length < mostSpare && this.#borrowed.image.size < largestSpare) this.#made.spare.push(this.#borrowed)
    this.#borrowed = null
  }

  get #image(): RowImage {
    if (!this.#borrowed) throw new TypeError('rows: outside')
    return this.#borrowed.image
  }

  #scope(): Scope {
    return new Scope(this.built, this.#changing, this.#texts, this.#lists)
  }

  #copyOut(): void {
    this.#image.copyOut(this.#world)
    this.#copied += this.#image.traffic
    const { checked } = this.#program
    this.#activations += activationsOf({ checked, rows: this.#made.rows.loops }, this.built.world) * (this.#ticks - this.#counted)
    this.#counted = this.#ticks
    if (this.#ticks >= trial && this.#copied > fewBytes * this.#ticks + worthOfActivation * this.#activations) this.#isRefused = true
  }

  #copyIn(): void {
    this.#isMoved = this.#lists.read() || this.#isMoved
    this.#renew()
    this.#image.copyIn(this.#world)
  }

  /** Where things are now. */
  #renew(): void {
    if (this.#isMoved || this.#world.isOutdated) {
      this.#world = this.#scope()
      this.#findAssumed()
    }
    this.#isMoved = false
  }

  #findAssumed(): void {
    this.#assumed = Array.from(this.#made.assumed, ([path, value]) => ({ holder: this.#world.holderOf(path), value }))
  }

  /** Continues with the module that assumes nothing. */
  #generalise(): boolean {
    this.#giveBack()
    const made = madeFor(this.#program, this.built, false)
    this.#isRefused = made === null
    if (made === null) return false
    this.#made = made
    this.#assumed = []
    return true
  }

  #borrow(): Borrowed {
    const spare = this.#made.spare.pop()
    if (spare) {
      spare.holder.run = this
      return spare
    }
    const holder: Borrowed['holder'] = { run: this }
    const { module, rows } = this.#made
    const made: { image: RowImage | null } = { image: null }
    made.image = new RowImage(
      rows,
      module,
      rowImports(rows, this.built, this.#program, holder, () => made.image!),
    )
    return { image: made.image, holder }
  }

  /** What is sought was reached. */
  found(): void {
    this.built.clockwork.found?.()
  }

  /** A tick of cells with a stencil. What it reads of shared variables may be newer here than in the world. */
  cells(p: number): void {
    const stencil = this.built.stencils.byPopulation[p]!
    for (const path of ['G', 'B']) this.#image.tell(path)
    const { now, next } = this.#made.rows.memory.cells.get(p)!
    if (stencil.tick(this.#views(now), this.#views(next))) {
      for (const path of next) this.#image.written(path)
      return
    }
    this.#isRefused ||= stencil.isRefused
    this.outside(({ entries }) => entries.cells[p]!.each())
  }

  commitCells(p: number): void {
    const { entries, stencils } = this.built
    if (stencils.byPopulation[p]!.isByLoop) this.outside(() => entries.cells[p]!.commit())
    else stencils.byPopulation[p]!.commit()
    const { now, next } = this.#made.rows.memory.cells.get(p)!
    for (const [k, path] of now.entries()) if (next[k] !== path) this.#image.swap(path, next[k]!)
  }

  #views(paths: readonly string[]): Numbers[] {
    return paths.map(path => this.#image.view(path)!)
  }

  /** Loops that stay JavaScript, at their place in the tick. */
  act(k: number): void {
    const names = this.#made.rows.outside[k]!
    this.outside(({ entries }) => {
      for (const name of names) entries.acts![name]!()
    })
  }

  /** An individual dies here, and with it its tokens: their units may be given to others. */
  dying(p: number, handle: number): void {
    const { world, clockwork, kernel } = this.built
    const population = world.population(p)
    if (kernel.hasTokens(population, handle)) this.outside(() => clockwork.dying(population, handle))
    else clockwork.dying(population, handle)
  }

  /** A process begins at this birth, once the tick is over. */
  startSoon(process: number, owner: number): void {
    const { world } = this.built
    world.calendar.schedule(world.time, phase.tick, 0, eventKind.birth, process, owner)
  }

  startAfter(process: number, owner: number, gap: number): void {
    this.built.kernel.startAfter(process, owner, gap)
  }

  startAgain(process: number, owner: number, every: number): void {
    this.built.kernel.startAgain(process, owner, every)
  }

  /** The engine makes arrays longer in the middle of a tick, and does nothing else. */
  enlarge(act: (world: Built['world']) => void): void {
    const image = this.#image
    image.tellNumbers(this.#world)
    act(this.built.world)
    this.#world = this.#scope()
    this.#findAssumed()
    this.#isMoved = false
    this.#copied += image.extend(this.#world)
  }

  lengthenLists(entries: number): void {
    this.enlarge(() => this.#lists.lengthen(entries))
  }

  /** The engine itself does something in the middle of a tick. */
  outside(act: (built: Built) => void): void {
    this.#image.copyOut(this.#world)
    this.#copied += this.#image.traffic
    // What fails there leaves the world as it is to be looked at: it is newer than the image.
    this.#isInside = false
    act(this.built)
    this.#isInside = true
    this.#isMoved = true
    this.#copyIn()
  }
}

/** Whether runs of a program, once one has come so far, have rows as WebAssembly. */
export function hasNativeRows(program: Program): boolean {
  return [...(known.get(program)?.values() ?? [])].some(made => made !== null)
}

/** Whether ticks are made of rows. Cells have small numbers: a module takes them for such. */
function isEligible({ debug, metered }: Program, { entries, world }: Built): boolean {
  if (debug || metered || entries.lend === undefined) return false
  return world.spaces.every(({ grid }) => [grid.minX, grid.minY].every(value => value === (value | 0)))
}

const numberIn = ({ holder, name }: Holder): number => Number(Reflect.get(holder, name))

/** Made once for all runs that are alike in this. */
function madeFor(program: Program, built: Built, assumes: boolean): Made | null {
  const looped = new Set([...built.stencils.byPopulation.entries()].flatMap(([p, one]) => (one?.isRefused ? [p] : [])))
  const all = known.get(program) ?? new Map<string, Made | null>()
  known.set(program, all)
  const key = `${assumes} ${[...looped].join()}`
  let made = all.get(key)
  if (made === undefined) all.set(key, (made = make(program, built, assumes, looped)))
  return made
}

/** `assumes`: whether sizes of spaces are assumed to be fixed. `looped`: populations of cells whose rule for many at once is of no use. */
function make(program: Program, built: Built, assumes: boolean, looped: ReadonlySet<number>): Made | null {
  if (typeof WebAssembly === 'undefined') return null
  const scope = new Scope(built, new Set(), new Texts({ texts: [], textColumns: new Map<string, boolean>() }), new Lists(built, new Map()))
  const rows = rowsModule(program, looped, assumes ? path => numberIn(scope.holderOf(path)) : null)
  if (rows instanceof NotLowered || rows.loops.size === 0) return null
  const module = compiledModule(rows.bytes)
  return module && { assumed: rows.assumed, rows, module, spare: [] }
}

function layBuckets(residents: Residents | null): void {
  residents?.space.layBuckets(residents.placed)
}

/** What a module that was lowered from checked trees asks of its run. */
function rowImports(
  { memory, outside }: RowsModule,
  { runtime }: Built,
  { places }: Program,
  holder: Borrowed['holder'],
  image: () => RowImage,
): WebAssembly.ModuleImports {
  const given: WebAssembly.ModuleImports = {
    fail(k: number) {
      const { code, id, field, from, to } = memory.places[k]!
      const error = new RunError(code, [], from, to)
      error.at = { id, field }
      image().set(
        'at',
        places.findIndex(one => one.id === id && one.field === field),
      )
      throw error
    },
    hook: () => undefined,
    found: () => holder.run.found(),
    dying: (p: number, handle: number) => holder.run.dying(p, handle),
    forgetMail: (p: number, handle: number) => holder.run.built.world.mail.forget(p, handle),
    startSoon: (process: number, owner: number) => holder.run.startSoon(process, owner),
    startTimer: (process: number, owner: number, gap: number, place: number) =>
      placed(memory.places[place]!, () => holder.run.startAfter(process, owner, gap)),
    repeatTimer: (process: number, owner: number, every: number, place: number) =>
      placed(memory.places[place]!, () => holder.run.startAgain(process, owner, every)),
    rareLog: (x: number) => -log(x),
    widen: (p: number) => holder.run.enlarge(world => world.population(p).widen()),
    trackEmpty: (s: number) => holder.run.outside(({ world }) => world.space(s).trackEmpty()),
    layBuckets: (p: number) => holder.run.outside(({ world }) => layBuckets(world.residents(world.population(p)))),
    widenLinks: (p: number, size: number) => holder.run.enlarge(world => world.linksOf(world.population(p)).widen(size)),
    lengthen: (entries: number) => image().lengthen(entries),
    lengthenLists: (entries: number) => holder.run.lengthenLists(entries),
    sinFar: sin,
    cosFar: cos,
    atan2Far: (y: number, x: number) => atan2(y, x),
    item: (variable: number, position: number, place: number) => {
      const at = memory.places[place]!
      return placed(at, () => holder.run.built.item(variable, position, at.from!, at.to!))
    },
  }
  memory.calls.forEach(({ name, draws, given: isGiven, place }, k) => {
    const call = Reflect.get(runtime, name) as (...args: unknown[]) => unknown
    // One list of arguments for all calls: none calls another.
    const first = draws === null ? 0 : 1
    const places = [...isGiven.keys()].filter(at => isGiven[at]).map(at => first + at)
    const args: unknown[] = [...(draws === null ? [] : [null]), ...isGiven.map(() => null), place.from, place.to]
    given[`library${k}`] = (...numbers: number[]) => {
      for (let n = 0; n < places.length; n++) args[places[n]!] = numbers[n]
      if (draws !== null) args[0] = image().words(draws)
      try {
        return Number(Reflect.apply(call, undefined, args))
      } catch (error) {
        throw withPlace(error, place)
      }
    }
  })
  outside.forEach((_, k) => {
    given[`outside${k}`] = () => holder.run.act(k)
  })
  for (const { name } of memory.imports) {
    const act = name.startsWith('commitCells') ? 'commitCells' : 'cells'
    if (name.startsWith(act)) given[name] = () => holder.run[act](Number(name.slice(act.length)))
  }
  return given
}

function withPlace(error: unknown, { id, field }: FailurePlace): unknown {
  if (error instanceof RunError) error.at ??= { id, field }
  return error
}

/** What it gives; an error without a place is at this one. */
function placed<T>(place: FailurePlace, give: () => T): T {
  try {
    return give()
  } catch (error) {
    throw withPlace(error, place)
  }
}
