// The rows of one run as WebAssembly. One module serves all runs of a program; a run borrows an image of it while it is inside,
// so that many short runs make few.
import type { Program } from '../compile.ts'
import { exp, log } from '../kernel/math.ts'
import { RunError } from '../problems.ts'
import type { ProblemCode } from '../problems.ts'
import type { Built } from '../run/build.ts'
import { cosine, sine } from '../world/geometry.ts'
import { Image } from './image.ts'
import { libraryOf } from './library.ts'
import { lower } from './lower.ts'
import type { Lowered } from './lower.ts'
import { rewritten, Scope, shapeOf } from './surroundings.ts'
import type { Finds, Shape } from './surroundings.ts'

const roots = ['tick', 'commit', 'settle$']

/** Images kept for later runs. */
const mostSpare = 4

/** What all runs of a program share. */
type Made = { readonly module: WebAssembly.Module; readonly lowered: Lowered; readonly shape: Shape; readonly spare: Borrowed[] }

/** An image and whose it is: its imports act on that run. */
type Borrowed = { readonly image: Image; readonly holder: { run: NativeRows } }

const noFinds = (): Finds => ({ found: new Int32Array(256), top: 0 })

const known = new WeakMap<Program, Made | null>()

/** The rows of one run. Only between instants may it be entered and left. */
export class NativeRows {
  readonly #made: Made
  readonly #built: Built
  readonly #changing: ReadonlySet<number>
  readonly #finds = noFinds()
  #borrowed: Borrowed | null = null
  #isInside = false
  /** Whether the image is as the world is. */
  #isFresh = false

  private constructor(made: Made, built: Built) {
    this.#made = made
    this.#built = built
    this.#changing = new Set(made.shape.populations.filter(({ changes }) => changes).map(({ index }) => index))
  }

  static of(program: Program, built: Built): NativeRows | null {
    if (!isEligible(program, built)) return null
    let made = known.get(program)
    if (made === undefined) {
      made = make(program, built)
      known.set(program, made)
    }
    return made && new NativeRows(made, built)
  }

  /** Whether the next instant is to go on here: what the rows know is newer than the world, or as new. */
  get isInside(): boolean {
    return this.#isInside || this.#isFresh
  }

  /** Copies the world in. */
  enter(): void {
    if (this.#isInside) return
    this.#borrowed ??= this.#borrow()
    if (!this.#isFresh) {
      // Those who are neither born nor die are settled once.
      for (const population of this.#built.world.populations) if (!this.#changing.has(population.index)) population.settle()
      this.#borrowed.image.copyIn(this.#scope())
    }
    this.#isInside = true
    this.#isFresh = false
  }

  /** `world.settle()`. */
  settle(): void {
    this.enter()
    this.#image.function('settle$')()
  }

  /** One tick of all populations; time and tick are the world's. May throw: `leave` then. */
  tick(): void {
    const image = this.#image
    const { time, tick } = this.#built.world
    image.set('W.time', time)
    image.set('W.tick', tick)
    image.function('tick')()
  }

  /** Commit of simultaneous populations. */
  commit(): void {
    this.#image.function('commit')()
  }

  /** Copies out what was written, also who acts and where. `onlyRead`: nothing changes till the next `enter`. At the end of a run: false. */
  leave(onlyRead: boolean): void {
    if (this.#isInside) this.#image.copyOut(this.#scope())
    this.#isInside = false
    this.#isFresh = onlyRead && this.#borrowed !== null
    if (onlyRead || !this.#borrowed) return
    if (this.#made.spare.length < mostSpare) this.#made.spare.push(this.#borrowed)
    this.#borrowed = null
  }

  get #image(): Image {
    if (!this.#borrowed) throw new RangeError('native: outside')
    return this.#borrowed.image
  }

  #scope(): Scope {
    return new Scope(this.#built, this.#changing, this.#finds)
  }

  #borrow(): Borrowed {
    const spare = this.#made.spare.pop()
    if (spare) {
      spare.holder.run = this
      return spare
    }
    const holder: Borrowed['holder'] = { run: this }
    const { module, lowered } = this.#made
    return { image: new Image(module, lowered, roots, this.#scope(), importsOf(lowered, this.#built, holder)), holder }
  }

  findMore(): void {
    this.outside(() => {
      const found = new Int32Array(this.#finds.found.length * 2)
      found.set(this.#finds.found)
      this.#finds.found = found
    })
  }

  /** The engine itself does something in the middle of a tick. */
  outside(act: (built: Built) => void): void {
    this.#image.copyOut(this.#scope())
    act(this.#built)
    this.#image.copyIn(this.#scope())
  }
}

/** Whether runs of a program, once one has come so far, have rows as WebAssembly. */
export function hasNativeRows(program: Program): boolean {
  return (known.get(program) ?? null) !== null
}

/** Whether nothing but rows can act in a tick. */
function isEligible({ debug, metered, checked: { parts } }: Program, { entries }: Built): boolean {
  return !debug && !metered && entries.lend !== undefined && parts.messages.length === 0 && parts.containers.length === 0
}

function make(program: Program, built: Built): Made | null {
  if (typeof WebAssembly === 'undefined') return null
  const text = rewritten(program.source)
  const shape = shapeOf(text, program, built)
  const changing = new Set(shape.populations.filter(({ changes }) => changes).map(({ index }) => index))
  const lowered = lower(`${text}\n${libraryOf(shape)}`, roots, new Scope(built, changing, noFinds()).surroundings())
  if ('refused' in lowered) return null
  try {
    return { module: new WebAssembly.Module(lowered.bytes), lowered, shape, spare: [] }
  } catch (error) {
    // Where a page allows none, or none so large.
    if (error instanceof WebAssembly.CompileError || error instanceof RangeError) return null
    throw error
  }
}

function importsOf({ imports }: Lowered, { runtime }: Built, holder: Borrowed['holder']): WebAssembly.ModuleImports {
  const raise = (code: number, from?: number, to?: number): never => {
    throw new RunError(code as ProblemCode, [], from, to)
  }
  const own: Readonly<Record<string, (...given: number[]) => number | void>> = {
    'X.fail': code => raise(code!),
    raise$: (code, from, to) => raise(code!, from, to),
    gone$: (handle, from, to) => raise(handle! < 0 ? 10014 : 10053, from, to),
    widen$: p => holder.run.outside(({ world }) => world.population(p!).widen()),
    moreFound$: () => holder.run.findMore(),
    trackEmpty$: s => holder.run.outside(({ world }) => world.space(s!).trackEmpty()),
    ln$: log,
    exp$: exp,
    cosine$: cosine,
    sine$: sine,
  }
  const given: WebAssembly.ModuleImports = {}
  for (const path of imports) {
    const found: unknown = own[path] ?? Reflect.get(runtime, path.slice(2))
    if (typeof found !== 'function') throw new RangeError(`native: no function ${path}`)
    given[path] = found
  }
  return given
}
