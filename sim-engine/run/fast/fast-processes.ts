// Processes with tokens as WebAssembly (lower/processes/process.ts, runtime/processes.ts). The arrays of tokens, calendar, held units, requests
// and containers move into one memory and stay there: the general way works on the same bytes through the same typed arrays, and either
// continues where the other stopped. Words that are fields of JavaScript objects go in and out at each stretch.
import { atan2, cos, log, sin } from '../../kernel/math.ts'
import { uniform } from '../../kernel/random.ts'
import type { Settling } from '../../lower/processes/memory.ts'
import type { NativeRows } from '../../rows.ts'
import { RunError } from '../../problems.ts'
import * as pops from '../../runtime/populations.ts'
import * as rt from '../../runtime/processes.ts'
import type { Program } from '../../compile.ts'
import type { Residents } from '../../world/space.ts'
import type { Built } from '../build.ts'
import { eventKind } from '../events.ts'
import type { Want } from '../../world/container.ts'
import { Layout } from './layout.ts'
import { itemsOf, libraryOf } from './process-host.ts'
import { compiledOf, hasFastProcesses } from './process-module.ts'
import type { Compiled } from './process-module.ts'
import { Words } from './words.ts'

/** Chooses the buckets of an open space anew. */
const layBuckets = (who: Residents | null): void => who?.space.layBuckets(who.placed)

/** Memories kept for later runs of a program. */
const maxSpare = 4
/** Instants of the general way before a module is made; before one that is there is used. */
const instantsToMake = 3000
const instantsToEnter = 64
/** Tokens of a tick from which on it takes less time here than words take to go in and out. */
const fewestInTick = 16
/** Instants run at one go: code that runs is not exchanged for better before it is called again. */
const instantsAtOnce = 4096
/** Of so many instants and hand-overs to the general way one looks how many were the latter; more than this share, and it is quicker alone. */
const instantsToJudge = 8192
const mostHandedOver = 0.35
/** Instants of the general way before it is tried again. */
const instantsToForget = 200_000

export class FastProcesses {
  /** What looks at the world after each instant: true where no other may follow here. Null where nothing does. */
  observer: (() => boolean) | null = null
  /** Set by `run`: steps left to the instant that is to be gone on with; -1 when it ended between two instants. */
  left = -1
  #made = 0
  /** Instants run, and hand-overs to the general way, since they were judged last. */
  #ran = 0
  #handedOver = 0
  readonly #program: Program
  readonly #built: Built
  readonly #ticking: boolean
  readonly #mayGiveUp: boolean
  /** Instants of the general way yet to come before the next try. */
  #patience = instantsToMake
  #compiled: Compiled | null | undefined
  #advance: (() => void) | null = null
  #ticks: (() => void) | null = null
  #isTicking = false
  /** Whether the module runs instants; whether the run has ended meanwhile. */
  #isInside = false
  #hasEnded = false
  #layout: Layout | null = null
  #words: Words | null = null

  constructor(program: Program, built: Built, ticking: boolean, patience: number | undefined) {
    this.#program = program
    this.#built = built
    this.#ticking = ticking
    if (hasFastProcesses(program)) this.#patience = instantsToEnter
    this.#mayGiveUp = patience === undefined
    if (patience !== undefined) this.#patience = Math.min(this.#patience, patience)
  }

  get #F64(): Float64Array<ArrayBuffer> {
    return this.#layout!.F64
  }

  get #I32(): Int32Array<ArrayBuffer> {
    return this.#layout!.I32
  }

  /** How many instants `run` ran to their end, also where it failed. */
  takeMade(): number {
    const made = this.#made
    this.#made = 0
    return made
  }

  /** Runs instants up to `until` and before `ending`, `count` at most, as long as they begin with an event known here. */
  run(until: number, ending: number, count: number, rows: NativeRows | null): void {
    this.#made = 0
    this.left = -1
    if (this.#patience > 0) {
      this.#patience--
      return
    }
    if (!this.#mayBegin(until, ending) || !this.#stands()) return
    // What rows have changed elsewhere is to be seen here.
    rows?.leave(false)
    const { world, kernel } = this.#built
    this.#handedOver++
    while (this.#made < count && (this.#made === 0 || this.#mayBegin(until, ending))) {
      world.settle()
      kernel.tokens.settle()
      const asked = Math.min(count - this.#made, instantsAtOnce)
      const made = this.#stretch(until, ending, asked)
      if (made < asked || this.left >= 0 || this.#hasEnded) break
    }
    this.#ran += this.#made
    if (this.#ran + this.#handedOver > instantsToJudge) this.#judge()
  }

  /** Leaves models to the general way that come back to it again and again. */
  #judge(): void {
    if (this.#handedOver > mostHandedOver * (this.#ran + this.#handedOver) && this.#mayGiveUp) this.#patience = instantsToForget
    this.#ran = 0
    this.#handedOver = 0
  }

  /** Gives the memory back: the run has ended. */
  end(): void {
    const layout = this.#layout
    if (!layout) return
    this.#hasEnded = true
    if (this.#isInside) return
    layout.moveOut()
    this.#layout = this.#words = null
    this.#advance = this.#ticks = null
    this.#patience = Infinity
    const spare = this.#compiled?.spare
    if (spare && spare.length < maxSpare) spare.push(layout.memory)
  }

  /** Whether the next event is known, without a look into the memory. */
  #mayBegin(until: number, ending: number): boolean {
    const { kernel, world } = this.#built
    const { calendar } = world
    if (this.#compiled === undefined) this.#compiled = compiledOf(this.#program)
    if (!this.#compiled) {
      this.#patience = Infinity
      return false
    }
    const { lowered } = this.#compiled
    if (kernel.wokenCount > 0 || !(kernel.watches.isBlind || lowered.looks)) return false
    calendar.findNext()
    if (calendar.length === 0 || calendar.next > until || calendar.next >= ending) return false
    const { known, starts } = lowered
    const row = calendar.rows[0]! * 4
    const about = calendar.ints[row + 1]!
    const kind = calendar.ints[row]
    if (kind === eventKind.resume) return (known[kernel.tokens.pc[about]!]! & 1) === 1
    if (kind === eventKind.watch) return (known[kernel.watches.rows.stepOf(about) * 8]! & 1) === 1
    if (kind === eventKind.expire) return (known[calendar.reals[row + 2]!]! & 1) === 1
    return (kind === eventKind.timer && starts[about] === 1) || (kind === eventKind.birth && starts[about] === 2)
  }

  // --- the memory

  /** Has all arrays where they belong; false where there is no memory for them. */
  #stands(): boolean {
    try {
      if (!this.#layout) this.#begin()
      if (!this.#layout!.isLaidOut) this.#layout!.moveIn()
      return true
    } catch (error) {
      if (!(error instanceof RangeError) && !(error instanceof WebAssembly.CompileError)) throw error
      this.#layout?.moveOut()
      this.#patience = Infinity
      return false
    }
  }

  #begin(): void {
    const { lowered, module, spare } = this.#compiled!
    const { world, kernel, clockwork } = this.#built
    const { containers } = world
    const { tokens } = kernel
    const memory = spare.pop() ?? new WebAssembly.Memory({ initial: 2 })
    const layout = new Layout(this.#built, lowered, memory)
    const words = new Words(this.#built, lowered, layout, this.#ticking)
    for (const [at, { parts, isAny }] of lowered.bundles) {
      const wants = parts.map(({ part, units }): Want => {
        return { does: 'hold', container: clockwork.containersOf(part.index)[0]!, amount: units, key: null }
      })
      containers.addBundle(at, isAny ? wants.map(want => [want]) : [wants])
    }
    const host: Record<string, unknown> = {
      memory,
      rareLog: (x: number) => -log(x),
      atan2Far: atan2,
      cycle: (process: number, owner: number, every: number) => kernel.cycles.span(process, owner, this.#F64[rt.TIME >> 3]!, every),
      item: itemsOf(this.#built, lowered.places),
      fail: (place: number) => this.#fail(place),
      hook: () => undefined,
      lengthen: (entries: number) => layout.lengthen(entries),
      layBuckets: (p: number) => this.#inSpaces(() => layBuckets(world.residents(world.population(p)))),
      trackEmpty: (space: number) => this.#inSpaces(() => world.space(space).trackEmpty()),
      sinFar: sin,
      cosFar: cos,
      goOn: (t: number, pc: number) => this.#goOn(1, () => kernel.goFrom(t, pc)),
      observe: () => this.#observe(),
      runningOf: (process: number) => kernel.runningOf(process),
      lineUp: (t: number, runs: number) => kernel.lineUp(t, runs !== 0),
      leave: (t: number) => kernel.leave(t),
      noteGiven: (t: number) => {
        words.gotOut()
        kernel.noteGiven(t)
      },
      lookOutside: (acted: number) => this.#lookOn(acted),
      arriveOutside: () => this.#goOn(0, () => this.#arriveAll()),
      spawnOutside: (process: number, owner: number) => this.#spawn(process, owner),
      settle: () => {
        words.out()
        world.settle()
        tokens.settle()
        words.in()
      },
    }
    lowered.settlings.forEach((settling, k) => {
      host[`settling${k}`] = this.#settling(settling)
    })
    lowered.libraries.forEach((library, k) => {
      host[`library${k}`] = libraryOf(this.#built, library, () => this.#I32)
    })
    this.#layout = layout
    this.#words = words
    const { advance, ticks } = new WebAssembly.Instance(module, { host } as unknown as WebAssembly.Imports).exports
    this.#advance = advance as () => void
    this.#ticks = (ticks as (() => void) | undefined) ?? null
  }

  // --- stretches

  /** Returns the instants made. */
  #stretch(until: number, ending: number, count: number): number {
    this.#words!.in()
    const F64 = this.#F64
    F64[rt.UNTIL >> 3] = until
    F64[rt.ENDING >> 3] = ending
    const I32 = this.#I32
    I32[rt.LEFT >> 2] = -1
    I32[rt.LAST_KIND >> 2] = -1
    I32[rt.DONE >> 2] = 0
    I32[rt.UNSETTLED >> 2] = 0
    I32[rt.STIRRED >> 2] = 0
    I32[rt.MADE >> 2] = 0
    I32[rt.MORE >> 2] = 0
    I32[rt.LOOKING >> 2] = 0
    I32[rt.MOST >> 2] = count
    I32[rt.OBSERVED >> 2] = Number(this.observer !== null)
    this.#isInside = true
    try {
      this.#advance!()
    } finally {
      this.#isInside = false
      this.#made += this.#I32[rt.MADE >> 2]!
      if (!this.#words!.areOut) this.#words!.out()
    }
    this.left = this.#I32[rt.LEFT >> 2]!
    const made = this.#I32[rt.MADE >> 2]!
    if (this.left >= 0) this.#built.runtime.refuel()
    if (this.#hasEnded) this.end()
    return made
  }

  /** The end of an instant is looked at. */
  #observe(): number {
    const words = this.#words!
    words.out()
    this.#built.runtime.refuel()
    if (this.observer!()) return 1
    words.areOut = false
    return 0
  }

  /** All that have yet to arrive together. */
  #arriveAll(): void {
    const I32 = this.#I32
    const count = I32[rt.MORE >> 2]!
    I32[rt.MORE >> 2] = 0
    for (let k = 0; k < count; k++) this.#built.kernel.spawn(I32[rt.LAST_ABOUT >> 2]!, -1)
  }

  /**
   * Runs a token the general way, until it waits or is gone; `runs` are counted already. 1 when the rest of the instant goes the general way,
   * too; then those woken so far have run.
   */
  #goOn(runs: number, go: () => void): number {
    const { kernel, runtime, world } = this.#built
    this.#words!.out()
    this.#handedOver++
    const done = this.#I32[rt.DONE >> 2]!
    kernel.fuel = this.#I32[rt.FUEL >> 2]! + runs
    runtime.refuel()
    go()
    if (this.#isTicking) return this.#comeBack()
    if (this.#isPlain && this.#stands()) {
      const I32 = this.#I32
      this.#words!.in()
      I32[rt.FUEL >> 2] = kernel.fuel
      I32[rt.UNSETTLED >> 2] = Number(!world.isSettled || !kernel.tokens.isSettled)
      return 0
    }
    // Those woken wait for the end of the look at all conditions.
    if (this.#I32[rt.LOOKING >> 2] === 1) return 1
    this.#arriveAll()
    kernel.finishWoken(done)
    if (done > 0) this.#I32[rt.LEFT >> 2]!--
    return 1
  }

  /** The rest of a look at all conditions goes the general way, and that of the instant. */
  #lookOn(acted: number): void {
    const { kernel } = this.#built
    const { watches } = kernel
    const until = this.#F64[rt.LOOK_UNTIL >> 3]!
    if (!this.#words!.areOut) {
      this.#words!.out()
      this.#handedOver++
      kernel.fuel = this.#I32[rt.FUEL >> 2]!
    }
    if (acted >= 0) watches.lookAgain(acted)
    watches.lookFrom(watches.rows.cursor, until)
  }

  /** One tick of all processes that ticks start; false where it has to go the general way. */
  tick(): boolean {
    const { kernel, entries } = this.#built
    if (!this.#mayTick()) return false
    this.#words!.in()
    const serials = kernel.tokens.serials
    this.#F64[rt.LOOP_FUEL >> 3] = rt.LOOP_STEPS
    this.#I32[rt.LAST_KIND >> 2] = -1
    this.#I32[rt.GENERAL >> 2] = 0
    this.#I32[rt.ACTING >> 2] = -1
    this.#I32[rt.FUEL >> 2] = kernel.fuel
    this.#I32[rt.CURRENT >> 2] = kernel.current
    this.#isTicking = true
    try {
      this.#ticks!()
    } finally {
      this.#isTicking = false
      if (!this.#words!.areOut) {
        this.#words!.out()
        kernel.current = this.#I32[rt.CURRENT >> 2]!
        kernel.fuel = this.#I32[rt.FUEL >> 2]!
      }
      const acting = this.#I32[rt.ACTING >> 2]!
      if (acting >= 0) entries.setActor(acting, this.#I32[rt.ACTING_SLOT >> 2]!)
    }
    this.#ran += kernel.tokens.serials - serials
    if (this.#ran + this.#handedOver > instantsToJudge) this.#judge()
    return true
  }

  #mayTick(): boolean {
    const { world, kernel } = this.#built
    if (this.#patience > 0) {
      for (const { count } of world.populations) this.#patience -= count
      return false
    }
    if (this.#compiled === undefined) this.#compiled = compiledOf(this.#program)
    const ticks = this.#compiled?.lowered.ticks
    if (!ticks) return false
    if (this.#mayGiveUp && ticks.reduce((sum, index) => sum + world.population(index).count, 0) < fewestInTick) return false
    const isAlone = kernel.wokenCount === 0 && kernel.stacked === 0
    return isAlone && this.#isPlain && this.#stands()
  }

  /** Whether nothing has to be looked at after each event, and nothing done at the end of the instant. */
  get #isPlain(): boolean {
    const { joins, watches } = this.#built.kernel
    return joins.isIdle && watches.isSilent && (watches.isBlind || this.#compiled!.lowered.looks) && !this.#built.clockwork.isPending
  }

  /** In a tick the general way makes a token and runs it. */
  #spawn(process: number, owner: number): void {
    const { kernel, runtime } = this.#built
    this.#words!.out()
    this.#handedOver++
    kernel.fuel = this.#I32[rt.FUEL >> 2]!
    runtime.refuel()
    kernel.spawn(process, owner)
    this.#comeBack()
  }

  /** Continues a tick after something went the general way; new tokens go that way where each event has to be looked at. */
  #comeBack(): 0 {
    if (!this.#stands()) throw new RangeError('processes: no memory in the middle of a tick')
    this.#words!.in()
    this.#I32[rt.FUEL >> 2] = this.#built.kernel.fuel
    this.#I32[rt.GENERAL >> 2] = Number(!this.#isPlain)
    return 0
  }

  #fail(k: number): never {
    const { code, id, field, from, to } = this.#compiled!.lowered.places[k]!
    const error = new RunError(code, [], from, to)
    error.at = { id, field }
    throw error
  }

  /** Something the spaces do themselves, in the middle of a program. */
  #inSpaces(act: () => void): void {
    this.#words!.placesOut()
    // They may look at all that live.
    for (const { population, at } of this.#layout!.peopled) {
      population.livingCount = this.#I32[(at + pops.LIVING_COUNT) >> 2]!
      population.top = this.#I32[(at + pops.TOP) >> 2]!
    }
    act()
    if (!this.#stands()) throw new RangeError('processes: no memory in the middle of a program')
    this.#words!.placesIn()
  }

  /** A newborn's columns of its space are those of `create` of world/population.ts before it is put somewhere. */
  #settling({ entity, place, heading, draws }: Settling): (slot: number) => void {
    const { world } = this.#built
    const population = world.population(entity.index)
    const who = world.residents(population)!
    const { space } = who
    if (place === 'leave') return slot => this.#inSpaces(() => space.remove(who, slot))
    const columns = ['x', 'y', 'z', 'heading', '#bucket', '#next', '#previous'].flatMap(name => population.columns.get(name) ?? [])
    // Streams are in the memory while this runs.
    const stream = (at: number): Int32Array<ArrayBuffer> => this.#I32.subarray(at >> 2, (at >> 2) + 4)
    return slot =>
      this.#inSpaces(() => {
        for (const column of columns) column.data[slot] = column.initial as never
        if (heading !== null) who.heading[slot] = uniform(stream(heading)) * 360
        if (place === 'random') space.placeAtRandom(who, slot, stream(draws!))
        else if (place === 'cell') space.placeOnCell(who, slot, space.randomCell(stream(draws!)))
      })
  }
}
