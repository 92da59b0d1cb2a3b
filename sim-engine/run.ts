// Program -> Run: the life of one simulation. The only place that catches a RunError.
//
// Phases at one instant: 0 input from outside · 1 timers and what was woken · 2 messages · 3 the tick and births · 4
// conditions that became true (back to 1 while something happens) · 5 commit of simultaneous populations · 6 statistics ·
// 7 stop tests · 8 a frame may be drawn.
import { EngineFault } from './kernel/fault.ts'
import type { Id } from '../model-schema/model.ts'
import { textOf } from './check/resolve.ts'
import type { ChainOptions } from './chain/run.ts'
import type { Program } from './compile.ts'
import { fullTank } from './formula.ts'
import { toNumber } from './run/surface/numbers.ts'
import type { ListAsk, Listing, Plain, RunOptions, RunResult, Summary } from './messages.ts'
import { activationsOf, hasNativeRows, nativeRows } from './rows.ts'
import type { NativeRows } from './rows.ts'
import { problem, RunError } from './problems.ts'
import type { Place } from './problems.ts'
import { build, placed } from './run/build.ts'
import type { Built } from './run/build.ts'
import type { Decisions } from './run/decisions.ts'
import type { Stores } from './run/entries.ts'
import { calendarOf } from './run/calendar.ts'
import { FastProcesses } from './run/fast/fast-processes.ts'
import { Terminated } from './run/clockwork/calls.ts'
import { Interrupt } from './run/clockwork/hooks.ts'
import type { StepHook } from './run/clockwork/hooks.ts'
import type { OutputLine } from './run/clockwork.ts'
import { eventKind, maximumSteps, phase } from './run/events.ts'
import { individualOf, listed, readersOf } from './run/individuals.ts'
import { countedSteps, Repeats } from './run/repeats.ts'
import { plain, setShared, sharedValue, StatisticsOf } from './run/statistics.ts'
import { summaryOf } from './run/summary.ts'
import { ChartsOf, lookedAtEvents, looksMerely } from './run/charts.ts'
import type { World } from './world/world.ts'
import type { State } from './kernel/snapshot.ts'

/** Activations of rows before rows go on as WebAssembly: earlier, making it takes longer than it saves, unless another run has made it. */
const nativeFrom = 300_000
const nativeFromMade = 100_000
/** Where that many ticks come to as much, if there are to be so many, it is made in the set-up. */
const soon = 50

/** Instants of the general way between two looks at whether it is enough. */
const fewTurns = 8
/** Of one who may tire: so many events from one question to the next, steps one event may take, and loop iterations an activation. */
const fewEvents = 32
const hastySteps = 5_000
const hastyTank = 2_000_000

/** State between two instants: a run of the same program continues from it exactly. */
export type Snapshot = { readonly version: 1; readonly program: string; readonly state: State }

export class Run {
  readonly program: Program
  seed: number
  result: RunResult | null = null
  /** Golden trace: called with a line for each step a token makes, and the step. Needs a program compiled with `debug`. */
  trace: ((line: string, step: Id) => void) | null = null
  /** Called before each step of a program compiled with `debug`; may throw an Interrupt, which `advance` throws on. */
  onStep: StepHook | null = null
  #built: Built
  #stores: Stores
  #statistics: StatisticsOf
  #charts: ChartsOf
  readonly #options: RunOptions
  readonly #chains: ChainOptions | undefined
  readonly #calendar: ReturnType<typeof calendarOf>
  readonly #given: ReadonlyMap<number, Id>
  readonly #ending: { at: number; reason: 'total-ticks' | 'end-time' | 'limited' }
  readonly #ticking: boolean
  /** Whether statistics are sampled during the run; at every event; whether there is a stop condition. */
  readonly #looks: boolean
  readonly #looksAtEvents: boolean
  /** Whether instants without a tick are looked at, too. */
  readonly #looksBetween: boolean
  readonly #watched: boolean
  readonly #stops: boolean
  /** Processes with tokens as WebAssembly; null where errors may be caught at a border, and in builds that say where they are. */
  #fast: FastProcesses | null
  /** The rows as WebAssembly, once there are. */
  #native: NativeRows | null = null
  /** Whether what is sampled changes nothing, as there are no functions that could. */
  readonly #onlyLooks: boolean
  /** Activations of rows left before that is looked into. */
  #plainFor: number
  /** The state before the first values, once the run has been restarted; null where a restart builds the world again. */
  #blank: State | null = null
  #started = false
  #made = 0
  #inputs: { do: 'set' | 'press' | 'answer'; id: Id; value: Plain }[] = []
  /** An instant in which a person is asked is over but for its statistics and tests; whether there was a tick in it. */
  #held: boolean | null = null
  #sampleDue = new Set<number>()
  readonly #repeats = new Repeats()

  constructor(program: Program, options: RunOptions, chains?: ChainOptions) {
    this.#chains = chains
    this.program = program
    const { parts } = program.checked
    const { scenario } = parts
    this.seed = options.seed ?? seedOf(scenario.fields)
    this.#options = options
    this.#ticking = scenario.fields['ticking'] !== false
    const samples = parts.statistics.map(part => part.element.fields['sample'] ?? 'tick')
    this.#looks = samples.some(sample => sample !== 'end')
    this.#looksAtEvents = samples.includes('event')
    this.#looksBetween = lookedAtEvents(program.checked).length > 0
    this.#watched = this.#looks || parts.charts.length > 0
    this.#plainFor = options.nativeFrom ?? (hasNativeRows(this.program) ? nativeFromMade : nativeFrom)
    this.#onlyLooks = parts.functions.length === 0
    this.#stops = textOf(scenario, 'stopWhen').trim() !== ''
    this.#calendar = calendarOf(scenario)
    this.#given = new Map(Object.keys(options.inputs ?? {}).map(id => [parts.shared.find(one => one.id === id)?.index ?? -1, id]))
    this.#ending = endingOf(options, scenario.fields['totalTicks'], this.#calendar?.end ?? Infinity)
    const { built, statistics, charts, fast } = this.#build()
    this.#built = built
    this.#stores = built.stores
    this.#statistics = statistics
    this.#charts = charts
    this.#fast = fast
    this.#begin()
  }

  /** A world without individuals, before the first values. */
  #build(): { built: Built; statistics: StatisticsOf; charts: ChartsOf; fast: FastProcesses | null } {
    const { program } = this
    const { parts } = program.checked
    const options = this.#options
    const built = build(program, {
      seed: this.seed,
      run: 0,
      ...(options.nativeFrom === undefined ? {} : { nativeFrom: options.nativeFrom }),
      ...(this.#chains ? { chains: this.#chains } : {}),
      ...(this.#calendar ? { epoch: this.#calendar.epoch } : {}),
      input: (stores, index) => {
        const id = this.#given.get(index)
        if (id !== undefined) this.#apply(id, options.inputs?.[id] ?? null, stores)
      },
    })
    const { world, entries } = built
    built.clockwork.decisions.hasPerson = options.hasPerson ?? false
    const statistics = new StatisticsOf(parts, entries, world)
    built.clockwork.statistic = index => statistics.value(index)
    world.keep('statistics', {
      save: values => statistics.save(values),
      load: (state, values) => statistics.load(state, values),
    })
    built.clockwork.trace = (t, step, self, locals, condition, watches) => {
      if (this.trace) this.#traceStep(t, step, self)
      this.onStep?.(t, step, self, locals, condition, watches)
    }
    return { built, statistics, charts: new ChartsOf(parts, entries), fast: this.#fastOf(built) }
  }

  #fastOf(built: Built): FastProcesses | null {
    const { program } = this
    const isPlain = !program.debug && !program.metered && !built.kernel.routines.catches
    if (!isPlain) return null
    const fast = new FastProcesses(program, built, this.#ticking, this.#options.nativeFrom)
    // What looks may also act: then others have to see it.
    const isMere = looksMerely(program.checked)
    if (this.#looksBetween)
      fast.observer = () => {
        this.#closeInstant(false)
        return !isMere || this.result !== null
      }
    return fast
  }

  /** First values, and what is due at the beginning. */
  #begin(): void {
    const { world } = this.#built
    const { scenario, statistics } = this.program.checked.parts
    try {
      const stranger = this.#given.get(-1)
      if (stranger !== undefined) throw placed(new RunError(10031), stranger, 'initial')
      this.#built.populate()
    } catch (error) {
      this.#stopped(error)
      return
    }
    if (activationsOf(this.program, world) * Math.min(soon, this.#ending.at) >= this.#plainFor) {
      this.#goNative()
      this.#native?.enter()
      this.#native?.leave(true)
    }
    this.#built.stencils.prepare(this.#ending.at)
    if (this.#ticking) world.calendar.schedule(1, phase.tick, 0, eventKind.tick, 1, 0)
    const { warmUp } = scenario.fields
    if (typeof warmUp === 'number' && warmUp > 0) world.calendar.schedule(warmUp, phase.input, 0, eventKind.warmUp, 0, 0)
    for (const part of statistics)
      if (part.element.fields['sample'] === 'interval') world.calendar.schedule(0, phase.input, 0, eventKind.sample, part.index, 0)
  }

  /**
   * Begins again with another seed: gives the same results as a new run with the same other options, in much less time, as optimised code stays
   * in use. Models with spaces, links or chains are built again, and so are runs with processes without tokens that already run as WebAssembly.
   */
  restart(seed: number): void {
    const { parts } = this.program.checked
    const wasNative = this.#native !== null
    this.#native?.leave(false)
    this.#native?.end()
    this.#fast?.end()
    this.seed = seed
    this.result = null
    this.#native = null
    this.#plainFor = this.#options.nativeFrom ?? (hasNativeRows(this.program) ? nativeFromMade : nativeFrom)
    this.#started = false
    this.#made = 0
    this.#inputs = []
    this.#held = null
    this.#sampleDue.clear()
    if (this.#blank === null || wasNative) {
      const { built, statistics, charts, fast } = this.#build()
      this.#built = built
      this.#stores = built.stores
      this.#statistics = statistics
      this.#charts = charts
      this.#fast = fast
      const isSimple = parts.spaces.length + parts.chains.length === 0 && parts.entities.every(({ kind }) => kind !== 'link')
      this.#blank = isSimple ? built.world.save() : null
    } else {
      const { world, kernel, clockwork, runtime } = this.#built
      kernel.reset()
      clockwork.rewind()
      clockwork.output.length = 0
      world.restart(this.#blank, seed)
      runtime.refuel()
      this.#charts.rewind(-1)
      this.#charts.forget()
      this.#fast = this.#fastOf(this.#built)
    }
    this.#begin()
  }

  get state(): 'ready' | 'running' | 'ended' {
    return this.result ? 'ended' : this.#started ? 'running' : 'ready'
  }

  get tick(): number {
    return this.#built.world.tick
  }

  get time(): number {
    return this.#built.world.time
  }

  /** The time at which it ends at the latest; Infinity when nothing says so. */
  get endsAt(): number {
    return this.#ending.at
  }

  get world(): World {
    return this.#built.world
  }

  /** Its Decide steps, and the decider that replaces them. */
  get decisions(): Decisions {
    return this.#built.clockwork.decisions
  }

  /** Whether the run waits for a person's answer, and pauses until then. */
  get isAsking(): boolean {
    return this.#held !== null && this.result === null && !this.#inputs.some(input => input.do === 'answer')
  }

  /** What observers read. */
  get inner(): { built: Built; stores: Stores; statistics: StatisticsOf; charts: ChartsOf } {
    return { built: this.#built, stores: this.#stores, statistics: this.#statistics, charts: this.#charts }
  }

  takeOutput(): OutputLine[] {
    return this.#built.clockwork.output.splice(0)
  }

  /** Instants `advance` made when it was called last, with one that ended the run; without one that was interrupted. */
  get made(): number {
    return this.#made
  }

  /**
   * Runs on for `ticks` whole ticks, or until model time `until`, or `instants`; with nothing given to the end. With `enough` no
   * further than the first instant that writes a line, and no more once that says so, which is asked every few slow instants.
   * With `tired` it gives up, by an Interrupt, in the middle of an instant once that says so, which is asked every few events; and
   * what takes far more than an event does ends it as failed. True while there is more to come.
   */
  advance(to: { until?: number; ticks?: number; instants?: number; enough?: () => boolean; tired?: () => boolean } = {}): boolean {
    const { world } = this.#built
    const until = to.until ?? (to.ticks === undefined ? Infinity : world.tick + to.ticks)
    try {
      this.#instants(until, to.instants ?? Infinity, to.enough ?? null, to.tired ?? null)
    } catch (error) {
      this.#native?.leave(false)
      this.#built.stencils.leave()
      this.#made += this.#fast?.takeMade() ?? 0
      this.#stopped(error)
      this.#made++
    }
    this.#native?.leave(true)
    this.#built.stencils.leave()
    return this.result === null
  }

  /** Nothing more comes before the end of the run. */
  #end(next: number): void {
    const { world } = this.#built
    const { at, reason } = this.#ending
    if (next === Infinity && this.#inputs.length === 0 && !(at < Infinity && this.#ticking)) {
      this.#finish({ end: 'success', reason: 'nothing-left' })
      return
    }
    world.time = Math.max(world.time, at < Infinity ? at : world.time)
    if (!this.#ticking) world.tick = Math.floor(world.time)
    this.#finish(reason === 'limited' ? { end: 'limited', ticks: world.tick } : { end: 'success', reason })
  }

  /**
   * Runs instants, phase by phase. One loop over all of them, because a model without ticks has little to do in each: what
   * doesn't change is looked up once, and no number is handed from call to call.
   */
  #instants(until: number, most: number, enough: (() => boolean) | null, tired: (() => boolean) | null): void {
    const { world, kernel, entries, runtime, clockwork } = this.#built
    const { output, decisions } = clockwork
    const { calendar } = world
    const { tokens, joins, watches } = kernel
    const ticking = this.#ticking
    const looksEachTime = this.#watched || this.#stops
    const ending = this.#ending.at
    const fast = tired === null ? this.#fast : null
    const stepsAnEvent = tired === null ? maximumSteps : hastySteps
    runtime.tank = tired === null ? fullTank : hastyTank
    let made = 0
    let turns = 0
    for (; made < most && this.result === null; made++) {
      if (enough !== null && made > 0 && (output.length > 0 || (turns++ % fewTurns === 0 && enough()))) break
      this.#made = made
      if (this.isAsking) break
      let left = -1
      if (
        fast !== null &&
        this.#held === null &&
        !(this.#native?.isAhead ?? false) &&
        this.#started &&
        this.#inputs.length === 0 &&
        joins.isIdle
      ) {
        fast.run(until, ending, most - made, this.#native)
        const done = fast.takeMade()
        left = fast.left
        this.#made = made += done
        if (made >= most || this.result !== null) break
      }
      if (left < 0) {
        calendar.findNext()
        const time = this.#held !== null ? world.time : this.#started ? calendar.next : 0
        if (time > until) break
        if (time > ending && this.#started) {
          this.#end(time)
          made++
          break
        }
        this.#started = true
        world.time = time
        calendar.now = time
        if (!ticking) world.tick = Math.floor(time)
        if (this.#native?.isInside) this.#native.settle()
        else world.settle()
        tokens.settle()
        left = maximumSteps + 4 * calendar.size
        runtime.refuel()
        if (this.#inputs.length > 0) this.#takeInputs()
      }
      let ticked = false
      for (;;) {
        while (kernel.hasWoken && this.#runWoken()) if (--left < 0) this.#exhausted()
        while (calendar.isDue) {
          calendar.pop()
          if (--left < countedSteps && calendar.kind === eventKind.timer) this.#repeats.note(calendar.now, calendar.a, calendar.b)
          if (left < 0) this.#exhausted()
          if (tired !== null && turns++ % fewEvents === 0 && tired()) throw new Interrupt()
          kernel.fuel = stepsAnEvent
          const { kind, a } = calendar
          if (kind === eventKind.resume) {
            this.#native?.leave(false)
            kernel.resume(a)
          } else if (kind === eventKind.timer) this.#timer(a, calendar.b)
          else if (kind === eventKind.tick) {
            ticked = true
            this.#tick()
          } else this.#dispatch(kind, a, calendar.b)
          while (kernel.hasWoken && this.#runWoken()) if (--left < 0) this.#exhausted()
        }
        runtime.refuel()
        if (joins.waiting > 0 && joins.test()) continue
        // Nothing is due here: only a condition that became true can have changed that.
        if (watches.look() || (decisions.isGathering && this.#gathers())) {
          if (--left < 0) this.#exhausted()
        } else break
      }
      if (ticked && this.#native?.isInside) this.#native.commit()
      else if (ticked) entries.commit()
      else entries.commitLate()
      ticked ||= this.#held === true
      this.#held = decisions.isGathering ? ticked : null
      if (this.#held === null && (looksEachTime || world.time >= ending)) this.#closeInstant(ticked)
    }
    this.#made = made
  }

  #gathers(): boolean {
    this.#native?.leave(false)
    return this.decisions.gather()
  }

  /** A death in a tick may have given others what they waited for. */
  #runWoken(): boolean {
    this.#native?.leave(false)
    return this.#built.kernel.runWoken()
  }

  /** The instant has too many steps: because of a timer start with an interval of 0, if one goes off again and again. */
  #exhausted(): never {
    const { parts } = this.program.checked
    const process = this.#repeats.mostAt(this.#built.world.calendar.now)
    const start = process === null ? null : parts.processes[process]?.start
    if (!start) return this.#built.kernel.exhausted()
    throw placed(new RunError(10047), start.id, textOf(start.element, 'times').trim() === '' ? 'every' : 'times')
  }

  /** Phases 6 and 7, and the end of the run when it has come. */
  #closeInstant(ticked: boolean): void {
    const { world, entries } = this.#built
    const { calendar, time } = world
    const isWatched = this.#watched && (ticked || !this.#ticking || this.#looksAtEvents || time === 0 || this.#sampleDue.size > 0)
    if (isWatched || this.#stops) {
      this.#native?.leave(this.#onlyLooks)
      this.#built.stencils.leave()
    }
    if (isWatched) this.#observe(ticked || time === 0)
    if (this.#stops && entries.stop()) this.#finish({ end: 'success', reason: 'stop-condition' })
    else if (time >= this.#ending.at && calendar.nextTime > time) {
      if (this.#ticking || this.#ending.at === time) this.#end(calendar.nextTime === Infinity ? Number.MAX_VALUE : calendar.nextTime)
    }
  }

  #tick(): void {
    const { world, entries, kernel } = this.#built
    world.tick = Math.round(world.time)
    if (this.#plainFor <= 0) this.#goNative()
    if (this.#native?.enter()) this.#native.tick()
    else {
      if (this.#plainFor < Infinity) this.#plainFor -= activationsOf(this.program, world)
      if (!(this.#fast?.tick() ?? false)) entries.tick()
    }
    kernel.current = -1
    world.calendar.schedule(world.tick + 1, phase.tick, 0, eventKind.tick, world.tick + 1, 0)
  }

  /** Rows go on as WebAssembly from the next tick on, where that can be. */
  #goNative(): void {
    this.#plainFor = Infinity
    this.#native = nativeRows(this.program, this.#built)
  }

  /** Fires the timer start of a process for its owner, -1 = none. */
  #timer(process: number, owner: number): void {
    const { world, kernel, entries } = this.#built
    this.#native?.leave(false)
    const population = kernel.processes.population[process]!
    if (population < 0 || world.population(population).isAlive(owner)) entries.timers[process]!(owner)
  }

  #dispatch(kind: number, a: number, b: number): void {
    const { world, kernel, entries, clockwork } = this.#built
    this.#native?.leave(false)
    switch (kind) {
      case eventKind.birth: {
        const population = kernel.processes.population[a]!
        if (population < 0 || world.population(population).isAlive(b)) kernel.spawn(a, b)
        break
      }
      case eventKind.message:
        world.mail.arrive(a)
        kernel.drain()
        break
      case eventKind.watch:
        kernel.watches.fire(a)
        break
      case eventKind.expire:
        clockwork.expire(a)
        break
      case eventKind.gate:
        clockwork.releaseAt(a)
        break
      case eventKind.block:
        clockwork.chains?.due(a, b)
        break
      case eventKind.schedule:
        this.#shift(a)
        break
      case eventKind.warmUp:
        world.containers.warmUp()
        this.#statistics.reset()
        break
      case eventKind.sample: {
        this.#sampleDue.add(a)
        const interval = Math.max(toNumber(entries.intervals[a]?.() ?? 1), 1e-9)
        world.calendar.schedule(world.time + kernel.cycles.sampleSpan(a, world.time, interval), phase.input, 0, eventKind.sample, a, 0)
        break
      }
      default:
        throw new EngineFault(`run: unknown event ${kind}`)
    }
  }

  /** A container's capacity changes by its schedule. */
  #shift(index: number): void {
    const { world, clockwork } = this.#built
    const next = clockwork.shift(index)
    if (next < Infinity) world.calendar.schedule(next, phase.timer, -1e9, eventKind.schedule, index, 0)
  }

  #observe(ticked: boolean): void {
    // A model without ticks is looked at whenever something happens.
    if (this.#looks)
      this.#statistics.sample((part, sample) =>
        sample === 'tick'
          ? ticked || !this.#ticking
          : sample === 'event'
            ? true
            : sample === 'interval'
              ? this.#sampleDue.has(part.index)
              : false,
      )
    if (this.#sampleDue.size > 0) this.#sampleDue.clear()
    if (ticked || !this.#ticking) this.#charts.record(this.#ticking ? this.tick : this.time, this.time)
  }

  #finish(result: RunResult): void {
    this.#native?.end()
    this.#built.stencils.leave()
    this.#fast?.end()
    this.result = result
    if (this.isWarmingUp) {
      this.#statistics.clear()
      return
    }
    this.#statistics.sample(
      (_, sample) => sample === 'end',
      (error, part) => {
        const failed = this.#failure(error, { id: part.id, field: 'expression' })
        if (this.result?.end !== 'failed') this.result = failed
      },
    )
  }

  /** Whether the warm-up is not over, or has ended at this instant: statistics have seen nothing yet that counts. */
  get isWarmingUp(): boolean {
    const { warmUp } = this.program.checked.parts.scenario.fields
    return typeof warmUp === 'number' && warmUp > 0 && this.time <= warmUp
  }

  /** Ends the run at the current instant, as if a limit had been reached: its results so far can be read. */
  stop(): void {
    if (this.result === null) this.#finish({ end: 'limited', ticks: this.tick })
  }

  #stopped(error: unknown): void {
    if (error instanceof Interrupt) throw error
    this.#built.kernel.abandon()
    if (error instanceof Terminated) {
      const step = this.program.checked.parts.steps[error.step]
      this.#built.entries.commit()
      this.#observe(true)
      this.#finish({ end: 'terminated', element: step?.id ?? '', tip: step ? textOf(step.element, 'tip') : '' })
      return
    }
    this.#finish(this.#failure(error, null))
  }

  /** What a run that failed says; `of` is what failed where its formula does not say so itself. Throws on what is a fault of the engine. */
  #failure(error: unknown, of: Place | null): RunResult {
    const { world, entries } = this.#built
    const failure = asRunError(error, this.#built)
    if (!failure) throw error
    const told = this.program.places[entries.place()]
    const at = failure.at ?? (of === null || told?.id === of.id ? told : of) ?? { id: this.program.checked.parts.scenario.id }
    const where = failure.from === undefined ? at : { ...at, from: failure.from, to: failure.to ?? failure.from }
    const actor = of === null ? this.#actor() : null
    return {
      end: 'failed',
      problem: problem(failure.code, where, failure.params),
      tick: world.tick,
      time: world.time,
      entity: actor?.name ?? null,
      values: actor?.values ?? {},
    }
  }

  /** The actor at the time of the failure. */
  #actor(): { name: string; values: Record<string, Plain> } | null {
    const { world, kernel, entries } = this.#built
    const { parts } = this.program.checked
    let [index, handle] = entries.orderOf()
    if (kernel.current >= 0) {
      index = kernel.processes.population[kernel.tokens.process[kernel.current]!] ?? -1
      handle = kernel.tokens.owner[kernel.current]!
    }
    const entity = parts.entities[index]
    if (!entity || handle < 0) return null
    return { name: `${entity.name} ${world.population(index).ids[handle & 0xffffff] ?? '?'}`, values: this.individual(index, handle) ?? {} }
  }

  /** Properties of one individual, or null when it is dead. */
  individual(index: number, handle: number): Record<string, Plain> | null {
    const entity = this.program.checked.parts.entities[index]
    const population = this.#built.world.population(index)
    return entity ? individualOf(readersOf(this.#built.world, entity, population), population, handle) : null
  }

  /** A stretch of a population, in the order asked for; null when there is no such population. */
  individuals(ask: ListAsk): Listing | null {
    const entity = this.program.checked.parts.entities.find(one => one.id === ask.population)
    if (!entity) return null
    const population = this.#built.world.population(entity.index)
    return listed(readersOf(this.#built.world, entity, population), population, ask)
  }

  /** Sets a public variable in phase 0 of the next instant. */
  set(variable: Id, value: Plain): void {
    if (!this.#started) {
      this.#native?.leave(false)
      this.#apply(variable, value, this.#stores)
      // The set-up knows the first tick of some cells, as it was to be.
      this.#built.clockwork.stir()
    } else this.#inputs.push({ do: 'set', id: variable, value })
  }

  /** Triggers a button's process in phase 0 of the next instant. */
  press(controller: Id): void {
    this.#inputs.push({ do: 'press', id: controller, value: null })
  }

  /** The decision of the person that was asked: the instant continues. */
  answer(value: Plain): void {
    this.#inputs.push({ do: 'answer', id: '', value })
  }

  #apply(id: Id, value: Plain, stores: Stores): void {
    const variable = this.program.checked.parts.shared.find(one => one.id === id)
    if (!variable) throw placed(new RunError(10031), id, 'initial')
    if (!setShared(variable, stores, value))
      throw placed(variable.storage === 'bool' ? new RunError(10008) : new RunError(10007, [typeof value]), id, 'initial')
  }

  #takeInputs(): void {
    const { kernel } = this.#built
    this.#native?.leave(false)
    kernel.fuel = maximumSteps
    const { controllers, processes } = this.program.checked.parts
    for (const input of this.#inputs.splice(0)) {
      if (input.do === 'set') {
        this.#apply(input.id, input.value, this.#stores)
        this.#built.clockwork.stir()
      } else if (input.do === 'answer') this.decisions.answer(input.value)
      else {
        const controller = controllers.find(one => one.id === input.id)
        const process = processes.find(one => one.id === controller?.fields['process'] && one.level !== 'individual')
        if (process) kernel.spawn(process.index, -1)
      }
    }
  }

  /** The value of a variable that exists once, for views. */
  value(id: Id): Plain {
    const variable = this.program.checked.parts.shared.find(one => one.id === id)
    return variable ? plain(sharedValue(variable, this.#stores, this.#built.world)) : null
  }

  /** What the expression of a statistic is worth now, whether or not a sample is due. Throws a RunError when it can't be worked out. */
  measure(id: Id): Plain {
    const part = this.program.checked.parts.statistics.find(one => one.id === id)
    const value = part ? this.#built.entries.statistics[part.index]!() : null
    // NaN is "no value"; what is beyond all numbers would be missing, too, without a word.
    if (value === Infinity || value === -Infinity) throw new RunError(10015)
    return plain(value)
  }

  summary(): Summary {
    return summaryOf(this)
  }

  snapshot(): Snapshot {
    return {
      version: 1,
      program: this.program.checked.parts.scenario.id,
      state: { world: this.#built.world.save(), started: this.#started, ...(this.#held === null ? {} : { held: this.#held }) },
    }
  }

  /** Goes back (or forward) to a snapshot of a run of the same program. Throws RangeError when it is damaged. */
  restore(snapshot: Snapshot): void {
    const { state } = snapshot
    if (
      snapshot.version !== 1 ||
      snapshot.program !== this.program.checked.parts.scenario.id ||
      state === null ||
      typeof state !== 'object' ||
      !('world' in state)
    )
      throw new EngineFault('run: a damaged snapshot')
    const { world, started, held } = state as { world: State; started: boolean; held?: boolean }
    this.#native?.leave(false)
    this.#built.stencils.forget()
    this.#built.clockwork.rewind()
    this.#built.world.load(world)
    this.#started = started
    this.#held = held ?? null
    this.result = null
    this.#inputs = []
    for (const recording of this.decisions.recordings) recording.cut(this.time)
    this.#charts.rewind(started ? this.time : -1)
  }

  /** FNV-1a over the state. */
  hash(): string {
    return this.#built.world.hash()
  }

  #traceStep(t: number, step: number, self: number): void {
    if (!this.trace) return
    const part = this.program.checked.parts.steps[step]
    if (!part) return
    const { entity, level } = part.process
    const who =
      level === 'individual' && entity
        ? `${entity.name} ${this.#built.world.population(entity.index).ids[self & 0xffffff]}`
        : (entity?.name ?? 'world')
    const { fields } = part.element
    const verb = [
      part.kind.id,
      ...['trigger', 'type', 'operation', 'result', 'motion', 'where', 'does']
        .map(field => fields[field])
        .filter(value => typeof value === 'string' && value !== 'none')
        .slice(0, 1),
    ].join(':')
    this.trace(`${Number(this.time.toFixed(6))}\t${who}\t${verb}\t${part.name || part.id}`, part.id)
    void t
  }
}

/** Resets a new run to the state before the first instant. A RunError of the first values ends it at once as `failed`. */
export function start(program: Program, options: RunOptions = {}, chains?: ChainOptions): Run {
  return new Run(program, options, chains)
}

/** Calls of function blocks under way from which on a stack that is full means a recursion. */
const deepCalls = 32

/**
 * The message to a person about an error; null for an error of the engine itself. The machine's own limits come as errors of the host: its stack
 * (a recursion without end), or its memory (a model too large). The number of active calls distinguishes them.
 */
const asRunError = (error: unknown, { runtime }: Built): RunError | null => {
  if (error instanceof RunError) return error
  if (error instanceof EngineFault) return null
  // Firefox has an error of its own for a stack that is full.
  if (error instanceof Error && error.name === 'InternalError') return new RunError(10034)
  return error instanceof RangeError ? new RunError(runtime.depth >= deepCalls ? 10034 : 10003) : null
}

function seedOf(fields: Readonly<Record<string, unknown>>): number {
  if (fields['seedRandom'] === true) return crypto.getRandomValues(new Uint32Array(1))[0]!
  const { seed } = fields
  return typeof seed === 'number' && Number.isInteger(seed) && seed >= 0 && seed <= 4294967295 ? seed : 1
}

function endingOf(options: RunOptions, total: unknown, endTime: number): { at: number; reason: 'total-ticks' | 'end-time' | 'limited' } {
  const ticks = options.ticks ?? (typeof total === 'number' && Number.isFinite(total) ? total : Infinity)
  const limit = options.stepLimit ?? Infinity
  if (limit < Math.min(ticks, endTime)) return { at: limit, reason: 'limited' }
  return endTime < ticks ? { at: endTime, reason: 'end-time' } : { at: ticks, reason: 'total-ticks' }
}
