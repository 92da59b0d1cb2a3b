// Stopping before a step, and going on from there. Generated code can't be halted half-way, so a stop is an Interrupt
// thrown by the hook of a debug build: the world stays as it is, to be looked at. To go on, the instant is made again
// from its start, in silence up to the same step or statement. A position is thus (instants run, hooks called within the
// next one).
//
// The debug build runs only while there is something to stop for. While that is a place, a plain build that says when it gets
// there runs first: it finds the instant, which is then made again by the debug build. All builds give the same state.
import type { CheckedModel } from '../check.ts'
import { compile, type Program } from '../compile.ts'
import type { AtLine } from '../compile/emitter.ts'
import { conditionField, lineKey } from '../compile/emitter.ts'
import type { Breakpoint, Origin, Plain, Profile, RunOptions, Stop, StepHow, Watch, Watched } from '../messages.ts'
import { problem, RunError, type Problem } from '../problems.ts'
import { start } from '../run.ts'
import { Interrupt, type LineHooks, type RowLocals } from '../run/clockwork/hooks.ts'
import { link } from '../run/tokens/tokens.ts'
import { statementStarts } from '../formula/lines.ts'
import { arm, type Armed } from './breakpoints.ts'
import { Frames } from './frames.ts'
import { lookAtLine, lookAtStep } from './looks.ts'
import { Meter } from './meter.ts'
import { brief, sharedOf, stackOf, type Caught, type Here } from './stop.ts'
import { Timeline, type SeekTarget } from './timeline.ts'
import type { Words } from '../../model-schema/words.ts'

type Answer = (() => unknown) | null
type Answers = readonly (() => unknown)[] | null

/** What the hook is to do: nothing; find out whether there is something to stop for; count silently up to a step and stop there. */
type Attention = 'off' | 'on' | { stopAt: number; why: Reason }

type Reason = { why: Stop['why']; breakpoint: string | null; problem: Problem | null; change: Stop['change'] }

/** An activation of a process: its first token, known by its birth. */
type Root = { t: number; serial: number }

/**
 * A step at the level of tokens: the activations to come back to, innermost first (none = anything), once `left` is over. Statements end it when
 * at most `depth` formulas are active and the same token as in `within` acts. Infinity: any statement that has others next to it.
 */
type Stepping = {
  roots: readonly Root[]
  left: Root | { process: number; self: number; instants: number } | null
  depth: number
  within: Here | null
}

const byStep: Reason = { why: 'step', breakpoint: null, problem: null, change: null }

/** Instants without a stop after which the build that only finds takes over. */
const calmAfter = 16
/** Most formulas watched. */
const mostWatches = 50

export class Debugger {
  readonly timeline: Timeline
  /** The position within an instant; null while it runs or is between instants. */
  stop: Stop | null = null
  readonly #checked: CheckedModel
  readonly #plain: Program
  #armed: Armed
  #build: Program | null = null
  /** Instants since the last stop. Changing builds costs a new world: not done where stops are frequent. */
  #calm = calmAfter
  /** Seeks breakpoints. */
  #found: Program | null = null
  #stepping: Stepping | null = null
  #watch: Attention = 'off'
  /** Whether hooks count: an instant is under way, and none of the person's own formulas is being answered. */
  #attends = false
  /** Steps and statements begun in this instant, and how many of them have been shown already. */
  #count = 0
  #seen = 0
  /** The count at the last step, and at the one before it. */
  #atStep = 0
  #beforeStep = 0
  #here: Here | null = null
  readonly #frames = new Frames()
  /** The formulas under way when it stopped, and where: a step's number, or a statement. */
  #caught: readonly Caught[] = []
  #stoodAt: string | number | null = null
  #watches: readonly Watch[] = []
  #answers: readonly Watched[] = []
  /** By place: whether a program there is one statement. Places are the same in all debug builds. */
  readonly #alone = new Map<number, boolean>()
  #standsAlone = false
  readonly #now: () => number
  #meter: Meter | null = null
  #plainMetered: Program | null = null
  #reason: Reason = byStep
  /** Watched variables as they were, and the step since. */
  #values = new Map<string, string>()
  #changer: number | null = null
  /** The instant of which the error was reported before it happened. */
  #forgiven = -1

  /** Throws RunError when the first values can't be had. */
  constructor(program: Program, options: RunOptions, breakpoints: readonly Breakpoint[], now: () => number) {
    this.#plain = program
    this.#checked = program.checked
    this.#armed = arm(breakpoints, program.checked)
    this.#now = now
    this.timeline = new Timeline(program, options, now)
    this.timeline.hook = (t, step, self, locals, condition, watches) => this.#step(t, step, self, locals, condition, watches)
    this.timeline.lines = this.#lines
    this.timeline.found = () => {
      if (this.#attends) throw new Interrupt()
    }
  }

  /** Continues a run from the state of another one of the same model. `work` of the timeline gets there. */
  follow(origin: Origin): void {
    this.timeline.adopt(origin)
    this.seek({ instants: origin.instants })
  }

  get armed(): Pick<Armed, 'refused' | 'moved'> {
    return this.#armed
  }

  /** Formulas for `look` to answer. */
  watch(watches: readonly Watch[]): void {
    this.#watches = watches.slice(0, mostWatches)
  }

  /** Counts time from now on, from zero; or no more. */
  measure(on: boolean): void {
    this.#meter = on ? new Meter(this.#checked.parts.steps.length, this.#now) : null
    this.#build = null
    this.timeline.meter = this.#meter
  }

  get profile(): Profile | null {
    const { program } = this.timeline
    return this.#meter && program.metered ? this.#meter.profile(program) : null
  }

  /** The program as it is without breakpoints and profiles. */
  get plain(): Program {
    return this.#plain
  }

  arm(breakpoints: readonly Breakpoint[]): void {
    this.#armed = arm(breakpoints, this.#checked)
    this.#build = this.#found = null
    this.#values.clear()
  }

  /** One instant, or what is left of it. True when it stopped: see `stop`. */
  advance(): boolean {
    return this.leap(Infinity, 1)
  }

  /** The same several times, for a few milliseconds where no instant has to be looked at by itself, but none after `until` nor more than `most`. */
  leap(until = Infinity, most = Infinity): boolean {
    const { timeline } = this
    this.#return()
    if (this.#isFinding && !this.#finds(until, most)) return this.stop !== null
    timeline.become(this.#wanted())
    if (!timeline.program.debug) {
      this.#measured(() => timeline.leap(until, most))
      return false
    }
    this.#remember()
    const stops = this.#instant('on')
    this.#calm = stops ? 0 : this.#calm + 1
    return stops
  }

  /** Only places and individuals are waited for, and none in the rest of an instant. In a function an error of a condition would be like one of the run. */
  get #isFinding(): boolean {
    const { list, changes, calls } = this.#armed
    const isPlaces = list.length > 0 && changes.length === 0
    return isPlaces && !calls && this.#stepping === null && this.#seen === 0 && !this.#meter && this.#calm >= calmAfter
  }

  /** Runs some instants; when something in one is to be stopped for, halts at its start. */
  #finds(until: number, most: number): boolean {
    const { timeline } = this
    timeline.become(this.#finder())
    this.#attends = true
    try {
      timeline.leap(until, most)
    } catch (error) {
      if (!(error instanceof Interrupt)) throw error
      return this.#standsAt(timeline.instants)
    } finally {
      this.#attends = false
    }
    const { result } = timeline.run
    if (result?.end === 'failed' && result.problem.at.field === conditionField) return this.#standsAt(timeline.instants - 1)
    this.#isFailureShown()
    return false
  }

  #standsAt(instants: number): true {
    const { timeline } = this
    this.#attends = false
    this.#prepare()
    timeline.seek({ instants })
    timeline.work()
    timeline.checkpoint()
    return true
  }

  /** On the way to another time nothing is sought: an error of a condition would be one of the run. */
  #prepare(): void {
    const { timeline } = this
    if (timeline.program.places.some(({ field }) => field === conditionField)) timeline.become(this.#plain)
  }

  /** Whether the run has just failed and is halted before the cause. */
  #isFailureShown(): boolean {
    const { timeline } = this
    const isNews = timeline.run.result?.end === 'failed' && this.#armed.error !== null && this.#forgiven !== timeline.instants - 1
    if (isNews) this.#failedStep()
    return isNews
  }

  /** A step at the level of tokens: `advance` until it says that it stopped. */
  step(how: StepHow): void {
    const here = this.stop && this.stop.stack.length > 0 ? this.#here : null
    const roots = here && how !== 'into' ? this.#callers(here) : []
    // In a formula: out of a function leads to its caller's statements, out of a step's own program to the next step.
    const formulas = this.stop?.inFormula ? this.#caught.length : 0
    if (formulas > 0 && how !== 'into')
      this.#stepping = { roots, left: null, depth: how === 'over' ? formulas : formulas - 1, within: here }
    else if (how !== 'out' || !here) this.#stepping = { roots, left: null, depth: how === 'into' ? Infinity : 0, within: here }
    else if (here.t >= 0)
      this.#stepping = { roots: roots.slice(1), left: roots.length === 1 ? (roots[0] ?? null) : null, depth: 0, within: here }
    else {
      const left = { process: this.#processOf(here.step), self: here.self, instants: this.timeline.instants }
      this.#stepping = { roots, left, depth: 0, within: here }
    }
  }

  /** Releases a step on its way. */
  letGo(): void {
    this.#stepping = null
  }

  /** Sets out for another time; `work` of the timeline gets there. */
  seek(target: SeekTarget): void {
    this.#leave()
    this.#watch = 'off'
    this.#prepare()
    this.timeline.seek(target)
  }

  /** Back by what a person would call one step. `work` of the timeline gets there. */
  back(): void {
    const { timeline } = this
    const { run } = timeline
    if (this.stop && timeline.broken) {
      const before = this.stop.inFormula && !this.#standsAlone ? this.#count - 1 : this.#beforeStep
      if (before > 0) return this.#remake(timeline.instants, before, byStep)
      return this.seek({ instants: timeline.instants })
    }
    if (run.result?.end === 'failed' && this.#failedStep()) return
    const ticking = this.#checked.parts.scenario.fields['ticking'] !== false
    if (timeline.instants <= 1) this.seek({ time: -1 })
    else if (ticking) this.seek({ time: run.time > run.tick ? run.tick : run.tick - 1 })
    else this.seek({ instants: timeline.instants - 1 })
  }

  /** Halts before the step that failed, if it was a step. */
  #failedStep(): boolean {
    const { timeline } = this
    const { result } = timeline.run
    if (result?.end !== 'failed') return false
    const instants = timeline.instants - 1
    timeline.become(this.#debugBuild())
    this.seek({ instants })
    timeline.work()
    if (this.#instant('off') || this.#count === 0) {
      this.seek({ instants })
      return true
    }
    this.#forgiven = instants
    this.#remake(instants, this.#count, { ...byStep, why: 'error', breakpoint: this.#armed.error?.id ?? null, problem: result.problem })
    return true
  }

  /** Makes an instant again up to a hook, and stops there. */
  #remake(instants: number, count: number, why: Reason, program = this.timeline.program): void {
    this.seek({ instants })
    this.timeline.work()
    this.timeline.checkpoint()
    this.timeline.become(program)
    this.#seen = 0
    this.#instant({ stopAt: count, why })
  }

  /** The values of the watched formulas at the current position, which stays the same. */
  look(): readonly Watched[] {
    const watches = this.#watches
    if (watches.length === 0) return []
    const inside = this.stop !== null && this.timeline.broken
    const at = inside ? this.#stoodAt : null
    const looks = watches.map(({ text }) => this.#lookAt(text, at))
    const list = looks.filter(one => 'inferred' in one)
    let answers: readonly Watched[] = []
    if (list.length > 0) {
      this.#answers = []
      if (inside) {
        const build = this.#compiled(at, list)
        this.#remake(this.timeline.instants, this.#count, this.#reason, build)
        this.#build = build
      } else this.#answers = this.#lookBetween(list)
      answers = this.#answers
    }
    let next = 0
    return watches.map(({ id }, k) => {
      const one = looks[k]!
      if ('refused' in one) return { id, refused: one.refused }
      return { ...(answers[next++] ?? { value: null }), id }
    })
  }

  #lookAt(text: string, at: string | number | null): AtLine | { refused: Words } {
    if (typeof at !== 'string') return lookAtStep(text, this.#checked, at === null ? null : (this.#checked.parts.steps[at] ?? null))
    const [key = '', from = ''] = at.split(/ (?=\d+$)/)
    const formula = this.#checked.formulas.get(key)
    return formula ? lookAtLine(text, formula, Number(from)) : lookAtStep(text, this.#checked, null)
  }

  /** Between two instants: asked of a run made for it, so that this one stays untouched. */
  #lookBetween(list: readonly AtLine[]): readonly Watched[] {
    const run = start(this.#compiled(null, list), this.timeline.options)
    if (this.timeline.instants > 0) run.restore(this.timeline.run.snapshot())
    return answered(run.inner.built.entries.looks ?? [])
  }

  #leave(): void {
    this.stop = null
    this.#here = null
    this.#stepping = null
    this.#seen = 0
    this.#values.clear()
    this.#changer = null
  }

  /** From the middle of an instant back to its start, with the steps up to there counted as seen. */
  #return(): void {
    const { timeline } = this
    const { instants } = timeline
    const stepping = this.#stepping
    if (timeline.broken) {
      const seen = this.#count
      const values = this.#values
      this.#watch = 'off'
      timeline.seek({ instants })
      timeline.work()
      // The next stop in this instant comes back to here.
      timeline.checkpoint()
      this.#seen = seen
      this.#values = values
    } else this.#seen = 0
    this.stop = null
    this.#stepping = stepping
  }

  #instant(watch: Attention): boolean {
    const { timeline } = this
    this.#watch = watch
    this.#count = this.#atStep = this.#beforeStep = 0
    this.#changer = null
    this.#caught = []
    this.#stoodAt = null
    this.#frames.clear()
    this.#attends = true
    try {
      if (watch === 'on' && this.#seen === 0) this.#measured(() => timeline.advance())
      else timeline.advance()
    } catch (error) {
      if (!(error instanceof Interrupt)) throw error
      this.#attends = false
      this.#show(this.#reason)
      return true
    } finally {
      this.#attends = false
      this.#watch = 'off'
    }
    this.#seen = 0
    if (watch !== 'on') return false
    if (this.#isFailureShown()) return this.stop !== null
    const changed = this.#changed()
    if (!changed || timeline.run.result) return false
    this.#here = null
    this.#show(changed)
    return true
  }

  #show(reason: Reason): void {
    const { run } = this.timeline
    this.stop = {
      why: reason.why,
      inFormula: typeof this.#stoodAt === 'string',
      breakpoint: reason.breakpoint,
      tick: run.tick,
      time: run.time,
      problem: reason.problem,
      change: reason.change,
      stack: this.#here || this.#caught.length > 0 ? stackOf(run, this.#here, this.#caught) : [],
      shared: sharedOf(run),
    }
    this.#stepping = null
  }

  #wanted(): Program {
    if (this.#armed.list.length > 0 || this.#stepping) return this.#debugBuild()
    if (!this.#meter) return this.#plain
    return (this.#plainMetered ??= compile(this.#checked, { metered: true }))
  }

  #finder(): Program {
    const { elements, stops, conditions, lines, entities } = this.#armed
    if (elements.size + stops.size + entities.length === 0) return this.#plain
    const individuals = new Map<string, number[]>()
    for (const { population, entity } of entities) individuals.set(population, [...(individuals.get(population) ?? []), entity])
    return (this.#found ??= compile(this.#checked, {
      sought: {
        steps: new Map(Array.from(elements.keys(), step => [step, conditions.get(step) ?? null])),
        lines: new Map(Array.from(stops, key => [key, lines.get(key) ?? null])),
        individuals,
      },
    }))
  }

  #debugBuild(): Program {
    return (this.#build ??= this.#compiled(null, null))
  }

  #compiled(at: string | number | null, list: readonly AtLine[] | null): Program {
    const { conditions, lines } = this.#armed
    return compile(this.#checked, { debug: { conditions, lines, watches: list && { at, list } }, metered: this.#meter !== null })
  }

  /** Time counts only while something happens for the first time. */
  #measured(act: () => void): void {
    const meter = this.#meter
    meter?.resume()
    try {
      act()
    } finally {
      meter?.pause()
    }
  }

  #step(t: number, step: number, self: number, locals: RowLocals | null, condition: Answer, watches: Answers): void {
    if (!this.#attends) return
    this.#count++
    this.#beforeStep = this.#atStep
    this.#atStep = this.#count
    this.#here = { t, step, self, locals }
    this.#frames.clear()
    if (!this.#isQuiet || this.#armed.elements.has(step) || this.#armed.entities.length > 0)
      this.#met(step, condition, watches, () => this.#reasonAtStep(t, step, self, condition))
    this.#changer = step
  }

  /** Only a breakpoint right here could stop it: the case that must be fast. */
  get #isQuiet(): boolean {
    return this.#watch === 'on' && this.#stepping === null && this.#armed.changes.length === 0
  }

  readonly #lines: LineHooks = {
    line: (place, from, self, locals, condition, watches) => {
      if (!this.#attends) return
      this.#count++
      this.#frames.line(place, from, self, locals)
      const step = this.#here?.step ?? null
      if (!this.#isQuiet || this.#armed.statements.size > 0)
        this.#met(`${place} ${from}`, condition, watches, () => this.#reasonAtLine(place, from, condition))
      this.#changer = step
    },
    enter: (place, self, t, step) => {
      if (!this.#attends) return
      if (step >= 0) {
        this.#frames.clear()
        // A token that had waited continues behind the hook of its step.
        if (this.#here?.t !== t || this.#here.step !== step) this.#here = { t, step, self: this.#actor(step, self), locals: null }
      }
      this.#frames.enter(place, self)
    },
    leave: () => {
      if (!this.#attends) return
      this.#frames.leave()
      // Back in a caller, what is called next is not stepped into.
      const stepping = this.#stepping
      if (stepping && this.#watch === 'on' && this.#count >= this.#seen && stepping.depth < Infinity)
        stepping.depth = Math.min(stepping.depth, this.#frames.depth)
    },
  }

  #actor(step: number, self: number): number {
    return this.#checked.parts.steps[step]?.process.level === 'individual' ? self : -1
  }

  /** A hook was called: whether to stop there. */
  #met(at: string | number, condition: Answer, watches: Answers, reasonHere: () => Reason | null): void {
    const watch = this.#watch
    if (watch === 'off') return
    let reason: Reason | null = null
    if (watch !== 'on') {
      if (this.#count >= watch.stopAt) reason = watch.why
    } else if (this.#count > this.#seen) reason = reasonHere()
    else if (this.#count === this.#seen) this.#changed()
    if (!reason) return
    this.#attends = false
    if (watches) this.#answers = answered(watches)
    // Values are taken now: variables of formulas end with them.
    this.#caught = this.#frames.taken().map(frame => ({ frame, values: frame.locals?.() ?? [] }))
    this.#stoodAt = typeof at === 'number' ? at : this.#keyOf(at)
    this.#standsAlone = typeof at === 'string' && this.#frames.depth === 1 && this.#isAlone(Number.parseInt(at, 10))
    this.#reason = reason
    throw new Interrupt()
  }

  /** The statement as breakpoints know it. A formula of an inherited process has several keys at one position: the actor's own counts. */
  #keyOf(at: string): string {
    const [place = '', from = ''] = at.split(' ')
    const { places, checked } = this.timeline.program
    const { id, field } = places[Number(place)] ?? { id: '', field: '' }
    const keys = [...checked.formulas].filter(([, one]) => one.id === id && one.field === field).map(([key]) => key)
    const own = this.#here ? `s${this.#here.step}/${field}` : ''
    const entity = checked.parts.steps[this.#here?.step ?? -1]?.process.entity
    return lineKey(
      keys.find(key => key === own) ?? keys.find(key => entity && key.startsWith(`${entity.index}:`)) ?? keys[0] ?? '',
      Number(from),
    )
  }

  /** What a person's own formula says, with the hooks in it silent. */
  #asked(condition: Answer): boolean | RunError {
    this.#attends = false
    const met = meets(condition)
    this.#attends = true
    return met
  }

  #reasonAtLine(place: number, from: number, condition: Answer): Reason | null {
    const changed = this.#changed()
    if (changed) return changed
    const { statements } = this.#armed
    if (statements.size > 0) {
      const { id, field } = this.timeline.program.places[place] ?? { id: '', field: '' }
      const at = statements.get(`${id}/${field}`)?.get(from)
      const stops = at && this.#stopsAt(at.id, id, condition)
      if (stops) return stops
    }
    const stepping = this.#stepping
    if (!stepping || this.#frames.depth > stepping.depth) return null
    if (stepping.depth === Infinity) return this.#isAlone(place) ? null : byStep
    const [here, within] = [this.#here, stepping.within]
    return here?.t === within?.t && here?.step === within?.step && here?.self === within?.self ? byStep : null
  }

  /** Whether a place holds a step's program of one statement: stepping takes both as one. */
  #isAlone(place: number): boolean {
    const known = this.#alone.get(place)
    if (known !== undefined) return known
    const { places, checked } = this.timeline.program
    const { id, field } = places[place] ?? { id: '', field: '' }
    const parsed = [...checked.formulas.values()].find(one => one.id === id && one.field === field)?.inferred.parsed
    const alone = parsed?.context === 'program' && statementStarts(parsed).length === 1
    this.#alone.set(place, alone)
    return alone
  }

  /** The breakpoint's reason, when its condition holds. */
  #stopsAt(breakpoint: string, element: string, condition: Answer): Reason | null {
    const met = this.#asked(condition)
    if (met === false) return null
    return { ...byStep, why: 'breakpoint', breakpoint, problem: met === true ? null : problem(met.code, { id: element }, met.params) }
  }

  #reasonAtStep(t: number, step: number, self: number, condition: Answer): Reason | null {
    const changed = this.#changed()
    if (changed) return changed
    const at = this.#armed.elements.get(step)
    const stops = at && this.#stopsAt(at.id, this.#checked.parts.steps[step]?.id ?? '', condition)
    if (stops) return stops
    if (this.#armed.entities.length > 0) {
      const { entity, level } = this.#checked.parts.steps[step]!.process
      const met =
        level === 'individual' ? this.#armed.entities.find(one => one.population === entity?.id && one.entity === self) : undefined
      if (met) return { ...byStep, why: 'entity', breakpoint: met.id }
    }
    return this.#stepping && this.#arrives(this.#stepping, t, step, self) ? byStep : null
  }

  /** Whether a step of token `t` ends the step under way: it belongs to the innermost activation still there. */
  #arrives({ roots, left }: Stepping, t: number, step: number, self: number): boolean {
    const { tokens } = this.timeline.run.inner.built.kernel
    const lives = (root: Root): boolean => tokens.pc[root.t]! >= 0 && tokens.serial[root.t] === root.serial
    if (left) {
      if (
        't' in left
          ? lives(left)
          : t < 0 && left.instants === this.timeline.instants && left.self === self && left.process === this.#processOf(step)
      )
        return false
    }
    const waited = roots.find(lives)
    return waited === undefined || (t >= 0 && tokens.root[t] === waited.t)
  }

  #processOf(step: number): number {
    return this.#checked.parts.steps[step]?.process.index ?? -1
  }

  /** The activation a step belongs to, then those that called it. */
  #callers(here: Here): Root[] {
    const { tokens } = this.timeline.run.inner.built.kernel
    const roots: Root[] = []
    for (let t = here.t; t >= 0; t = tokens.parent[t]!) {
      const root = tokens.root[t]!
      if (tokens.link[t] !== link.fork || roots.length === 0) roots.push({ t: root, serial: tokens.serial[root]! })
    }
    return roots.filter((root, k) => roots.findIndex(other => other.t === root.t) === k)
  }

  #remember(): void {
    if (this.#values.size > 0) return
    for (const { variable } of this.#armed.changes) this.#values.set(variable, JSON.stringify(this.timeline.run.value(variable)))
  }

  /** A watched variable that is no longer what it was. */
  #changed(): Reason | null {
    for (const { id, variable } of this.#armed.changes) {
      const after = this.timeline.run.value(variable)
      const text = JSON.stringify(after)
      const known = this.#values.get(variable)
      this.#values.set(variable, text)
      if (known === undefined || known === text) continue
      const before: Plain = JSON.parse(known)
      const name = this.#checked.parts.shared.find(one => one.id === variable)?.name ?? ''
      const by = this.#changer === null ? null : (this.#checked.parts.steps[this.#changer]?.id ?? null)
      return { ...byStep, why: 'change', breakpoint: id, change: { variable, name, before, after, by } }
    }
    return null
  }
}

/** What watched formulas say; an error is an answer, too. */
function answered(watches: readonly (() => unknown)[]): Watched[] {
  return watches.map(watch => {
    try {
      return { id: '', value: brief(watch()) }
    } catch (error) {
      if (!(error instanceof RunError)) throw error
      return { id: '', refused: problem(error.code, { id: '' }, error.params).message }
    }
  })
}

/** Whether a breakpoint's condition holds; without one it does. What can't be answered stops too, and says why. */
function meets(condition: (() => unknown) | null): boolean | RunError {
  try {
    return condition === null || condition() === true
  } catch (error) {
    if (error instanceof RunError) return error
    throw error
  }
}
