// The rows of one run as WebAssembly. One module serves all runs of a program; a run borrows an image of it while it is inside,
// so that many short runs make few.
import type { Program } from '../compile.ts'
import { floordiv, mod } from '../formula/runtime/operators.ts'
import { logGamma } from '../kernel/gamma.ts'
import { atan2, cos, exp, log, sin } from '../kernel/math.ts'
import { RunError } from '../problems.ts'
import type { ProblemCode } from '../problems.ts'
import type { Built } from '../run/build.ts'
import { eventKind, phase } from '../run/events.ts'
import type { Residents } from '../world/space.ts'
import type { World } from '../world/world.ts'
import { Image } from './image.ts'
import { libraryOf } from './library.ts'
import { lower } from './lower.ts'
import type { Lowered } from './lower.ts'
import { Scope, Texts } from './scope.ts'
import type { Finds, Holder, Numbers } from './scope.ts'
import { rewritten, shapeOf, surroundingsOf } from './surroundings.ts'
import type { Shape } from './surroundings.ts'
import type { Coded } from './texts.ts'

const roots = ['tick', 'commit', 'settle$']

/** Images kept for later runs. */
const mostSpare = 4
/** Bytes of those. */
const largestSpare = 16_777_216

/** Bytes copied in the time WebAssembly saves with one activation, and those that don't matter; ticks after which that is looked at. */
const worthOfActivation = 400
const fewBytes = 65_536
const trial = 8

/** How many activations of rows a tick is: of individuals, and what rows that are nobody's may do with all of them. */
export function activationsOf({ rows, checked: { parts } }: Program, { populations }: World): number {
  let count = 0
  let all = 0
  for (const { index, count: living } of populations) {
    all += living
    for (const process of parts.entities[index]?.processes ?? [])
      if (process.level === 'individual' && rows.has(process.index)) count += living
  }
  for (const process of parts.processes) if (process.level !== 'individual' && rows.has(process.index)) count += all
  return count
}

/** What all runs of a program share. */
type Made = {
  /** Numbers it takes for granted, by their paths. */
  readonly assumed: ReadonlyMap<string, number>
  readonly module: WebAssembly.Module
  readonly lowered: Lowered
  readonly shape: Shape
  readonly coded: Coded
  readonly spare: Borrowed[]
}

/** An image and whose it is: its imports act on that run. */
type Borrowed = { readonly image: Image; readonly holder: { run: NativeRows } }

const noFinds = (): Finds => ({ found: new Int32Array(256), top: 0, list: new Float64Array(256), end: 0 })

/** By what they take for granted, nothing or not, and which cells have no stencil in a run. */
const known = new WeakMap<Program, Map<string, Made | null>>()

/** Of programs that have none: what they call that is not known here (`F.poisson`), or ''. */
const unknownCalls = new WeakMap<Program, string>()

/** The rows of one run. Only between instants may it be entered and left. */
export class NativeRows {
  #made: Made
  readonly #program: Program
  readonly built: Built
  readonly #changing: ReadonlySet<number>
  /** Whether tokens may be somebody's, who may die. */
  readonly #mayBeOwned: boolean
  readonly #finds = noFinds()
  readonly #texts: Texts
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

  // Ticks, those whose activations are counted, and bytes copied.
  #ticks = 0
  #counted = 0
  #activations = 0
  #copied = 0

  private constructor(made: Made, program: Program, built: Built) {
    this.#made = made
    this.#program = program
    this.#texts = new Texts(made.coded)
    this.built = built
    this.#changing = new Set(made.shape.populations.filter(({ changes }) => changes).map(({ index }) => index))
    const { processes } = program.checked.parts
    for (const one of built.stencils.byPopulation) one?.hurry()
    this.#mayBeOwned = processes.some(({ level, index }) => level === 'individual' && !program.rows.has(index))
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
    if ((this.#mayBeOwned && kernel.tokens.count > 0) || kernel.hasWoken || kernel.joins.waiting > 0 || !kernel.watches.isBlind) {
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
      // Those who are neither born nor die are settled once.
      for (const population of this.built.world.populations) if (!this.#changing.has(population.index)) population.settle()
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
    const { world } = this.built
    if (!this.enter()) {
      world.settle()
      return
    }
    this.#image.function('settle$')()
    // What is looked at between ticks searches in JavaScript.
    for (const { found } of world.spaces) found.top = 0
    for (const { found } of world.links) found.top = 0
  }

  /** One tick of all populations; time and tick are the world's. May throw: `leave` then. */
  tick(): void {
    const image = this.#image
    const { time, tick } = this.built.world
    image.set('W.time', time)
    image.set('W.tick', tick)
    this.#ticks++
    image.function('tick')()
  }

  /** Commit of simultaneous populations. */
  commit(): void {
    this.#image.function('commit')()
  }

  /** Copies out what was written, also who acts and where. `onlyRead`: nothing changes till the next `enter`. */
  leave(onlyRead: boolean): void {
    if (this.#isInside) this.#copyOut()
    this.#isFresh = onlyRead && (this.#isInside || this.#isFresh)
    this.#isInside = false
  }

  /** The run is over, or goes on from elsewhere: other runs may have the image. */
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

  get #image(): Image {
    if (!this.#borrowed) throw new TypeError('native: outside')
    return this.#borrowed.image
  }

  #scope(): Scope {
    return new Scope(this.built, this.#changing, this.#finds, this.#texts)
  }

  #copyOut(): void {
    this.#image.copyOut(this.#world)
    this.#copied += this.#image.traffic
    this.#activations += activationsOf(this.#program, this.built.world) * (this.#ticks - this.#counted)
    this.#counted = this.#ticks
    if (this.#ticks >= trial && this.#copied > fewBytes * this.#ticks + worthOfActivation * this.#activations) this.#isRefused = true
  }

  #copyIn(isGoingOn = false): void {
    this.#renew()
    this.#image.copyIn(this.#world, isGoingOn)
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

  /** Goes on with the module that takes nothing for granted. */
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
    const { module, lowered } = this.#made
    return { image: new Image(module, lowered, roots, this.#world, importsOf(lowered, this.built, holder)), holder }
  }

  /** What is sought was reached. */
  found(): void {
    this.built.clockwork.found?.()
  }

  findMore(): void {
    this.outside(() => {
      const { found, list } = this.#finds
      this.#finds.found = new Int32Array(found.length * 2)
      this.#finds.found.set(found)
      this.#finds.list = new Float64Array(list.length * 2)
      this.#finds.list.set(list)
    })
  }

  /** A tick of cells with a stencil. What it reads of shared variables may be newer here than in the world. */
  cells(p: number): void {
    const stencil = this.built.stencils.byPopulation[p]!
    for (const path of ['G', 'B']) this.#image.tell(path)
    if (stencil.tick(this.#columns(p, stencil.now), this.#columns(p, stencil.next))) return
    this.#isRefused ||= stencil.isRefused
    this.outside(({ entries }) => entries.cells[p]!.each())
  }

  commitCells(p: number): void {
    const { entries, stencils } = this.built
    if (stencils.byPopulation[p]!.isByLoop) this.outside(() => entries.cells[p]!.commit())
    else stencils.byPopulation[p]!.commit()
  }

  #columns(p: number, names: readonly string[]): Numbers[] {
    return names.map(name => this.#image.view(`p${p}_${name}`) ?? this.#world.arrayAt(`p${p}_${name}`))
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

  /** The engine itself does something in the middle of a tick. */
  outside(act: (built: Built) => void): void {
    this.#image.copyOut(this.#world, true)
    // What fails there leaves the world as it is to be looked at: it is newer than the image.
    this.#isInside = false
    act(this.built)
    this.#isInside = true
    this.#isMoved = true
    this.#copyIn(true)
  }
}

/** Whether runs of a program, once one has come so far, have rows as WebAssembly. */
export function hasNativeRows(program: Program): boolean {
  return [...(known.get(program)?.values() ?? [])].some(made => made !== null)
}

/** Why a program whose run has come so far has none: the path of a call that is not known here, or '' for anything else; undefined where it was not tried. */
export const unknownCallOf = (program: Program): string | undefined => unknownCalls.get(program)

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
  if (made === undefined) all.set(key, (made = make(program, built, assumes ? new Map() : null, looped)))
  return made
}

/** `assumed`, `looped`: see `surroundingsOf`. */
function make(program: Program, built: Built, assumed: Map<string, number> | null, looped: ReadonlySet<number>): Made | null {
  if (typeof WebAssembly === 'undefined') return null
  const coded = rewritten(program)
  const shape = shapeOf(coded, program, built)
  const changing = new Set(shape.populations.filter(({ changes }) => changes).map(({ index }) => index))
  const lowered = lower(
    `${coded.text}\n${libraryOf(shape)}`,
    roots,
    surroundingsOf(new Scope(built, changing, noFinds(), new Texts(coded)), coded.text, assumed, looped),
  )
  if ('refused' in lowered) {
    unknownCalls.set(program, lowered.called)
    return null
  }
  try {
    return { assumed: assumed ?? new Map(), module: new WebAssembly.Module(lowered.bytes), lowered, shape, coded, spare: [] }
  } catch (error) {
    // Where a page allows none, or none so large.
    if (error instanceof WebAssembly.CompileError || error instanceof RangeError) return null
    throw error
  }
}

function layBuckets(residents: Residents | null): void {
  residents?.space.layBuckets(residents.placed)
}

function importsOf({ imports }: Lowered, { runtime }: Built, holder: Borrowed['holder']): WebAssembly.ModuleImports {
  const raise = (code: number, from?: number, to?: number): never => {
    throw new RunError(code as ProblemCode, [], from, to)
  }
  const own: Readonly<Record<string, (...given: number[]) => number | void>> = {
    'X.fail': code => raise(code!),
    'X.found': () => holder.run.found(),
    raise$: (code, from, to) => raise(code!, from, to),
    gone$: (handle, from, to) => raise(handle! < 0 ? 10014 : 10053, from, to),
    widen$: p => holder.run.outside(({ world }) => world.population(p!).widen()),
    moreFound$: () => holder.run.findMore(),
    trackEmpty$: s => holder.run.outside(({ world }) => world.space(s!).trackEmpty()),
    layBuckets$: p => holder.run.outside(({ world }) => layBuckets(world.residents(world.population(p!)))),
    'X.item': (variable, position, from, to) => holder.run.built.item(variable!, position!, from!, to!),
    'X.startSoon': (process, owner) => holder.run.startSoon(process!, owner!),
    'K.startAfter': (process, owner, gap) => holder.run.startAfter(process!, owner!, gap!),
    'K.startAgain': (process, owner, every) => holder.run.startAgain(process!, owner!, every!),
    logGamma$: logGamma,
    ln$: log,
    exp$: exp,
    modFar$: mod,
    floordivFar$: floordiv,
    sinFar$: sin,
    cosFar$: cos,
    atan2Far$: (y, x) => atan2(y!, x!),
  }
  const given: WebAssembly.ModuleImports = {}
  for (const path of imports) {
    const [, act, p] = /^(cells|commitCells)(\d+)$/.exec(path) ?? []
    const found: unknown = act
      ? () => (act === 'cells' ? holder.run.cells(Number(p)) : holder.run.commitCells(Number(p)))
      : (own[path] ?? Reflect.get(runtime, path.slice(2)))
    if (typeof found !== 'function') throw new TypeError(`native: no function ${path}`)
    given[path] = found
  }
  return given
}
