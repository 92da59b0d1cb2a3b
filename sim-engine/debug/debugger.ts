// Stopping before a step, and going on from there. Generated code can't be halted half-way, so a stop is an Interrupt
// thrown by the hook of a debug build: the world stays as it is, to be looked at. To go on, the instant is made again
// from its start, in silence up to the same step. A position is thus (instants run, steps begun within the next one).
//
// The debug build runs only while there is something to stop for. Both builds give the same state.
import type { CheckedModel } from '../check.ts'
import { compile, type Program } from '../compile.ts'
import type { Breakpoint, Plain, RunOptions, Stop, StepHow } from '../messages.ts'
import { problem, RunError, type Problem } from '../problems.ts'
import { Interrupt, type RowLocals } from '../run/clockwork.ts'
import { link } from '../run/tokens.ts'
import { arm, type Armed } from './breakpoints.ts'
import { sharedOf, stackOf, type Here } from './stop.ts'
import { Timeline, type Target } from './timeline.ts'

/** What the hook is to do: nothing; count silently up to a step and stop there, or go on from there watching. */
type Watch = 'off' | 'on' | { stopAt: number; why: Reason }

type Reason = { why: Stop['why']; breakpoint: string | null; problem: Problem | null; change: Stop['change'] }

/** An activation of a process: its first token, known by its birth. */
type Root = { t: number; serial: number }

/** A step at the level of tokens on its way: the activations to come back to, innermost first (none = anything), once `left` is over. */
type Stepping = { roots: readonly Root[]; left: Root | { process: number; self: number; instants: number } | null }

const byStep: Reason = { why: 'step', breakpoint: null, problem: null, change: null }

export class Debugger {
  readonly timeline: Timeline
  /** Where it stands, in the middle of things; null while it runs or stands between instants. */
  stop: Stop | null = null
  readonly #checked: CheckedModel
  readonly #plain: Program
  #armed: Armed
  #build: Program | null = null
  #stepping: Stepping | null = null
  #watch: Watch = 'off'
  /** Steps begun in this instant, and how many of them have been shown already. */
  #count = 0
  #seen = 0
  #here: Here | null = null
  #reason: Reason = byStep
  /** Watched variables as they were, and the step since. */
  #values = new Map<string, string>()
  #changer: number | null = null
  /** The instant whose error was shown before it happened. */
  #forgiven = -1

  /** Throws RunError when the first values can't be had. */
  constructor(program: Program, options: RunOptions, breakpoints: readonly Breakpoint[], now: () => number) {
    this.#plain = program
    this.#checked = program.checked
    this.#armed = arm(breakpoints, program.checked)
    this.timeline = new Timeline(program, options, now)
    this.timeline.hook = (t, step, self, locals, condition) => this.#enter(t, step, self, locals, condition)
  }

  get refused(): Armed['refused'] {
    return this.#armed.refused
  }

  arm(breakpoints: readonly Breakpoint[]): void {
    this.#armed = arm(breakpoints, this.#checked)
    this.#build = null
    this.#values.clear()
  }

  /** One instant, or what is left of it. True when it stopped: see `stop`. */
  advance(): boolean {
    const { timeline } = this
    this.#return()
    timeline.become(this.#wanted())
    if (!timeline.program.debug) {
      timeline.advance()
      return false
    }
    this.#remember()
    return this.#instant('on')
  }

  /** A step at the level of tokens: `advance` until it says that it stopped. */
  step(how: StepHow): void {
    const here = this.stop && this.stop.stack.length > 0 ? this.#here : null
    const roots = here && how !== 'into' ? this.#callers(here) : []
    if (how !== 'out' || !here) this.#stepping = { roots, left: null }
    else if (here.t >= 0) this.#stepping = { roots: roots.slice(1), left: roots.length === 1 ? (roots[0] ?? null) : null }
    else this.#stepping = { roots, left: { process: this.#processOf(here.step), self: here.self, instants: this.timeline.instants } }
  }

  /** Lets go of a step on its way. */
  letGo(): void {
    this.#stepping = null
  }

  /** Sets out for another time; `work` of the timeline gets there. */
  seek(target: Target): void {
    this.#leave()
    this.#watch = 'off'
    this.timeline.seek(target)
  }

  /** Back by what a person would call one step. `work` of the timeline gets there. */
  back(): void {
    const { timeline } = this
    const { run } = timeline
    if (this.stop && timeline.broken) {
      const steps = this.#count - 1
      if (steps > 0) return this.#remake(timeline.instants, steps, byStep)
      return this.seek({ instants: timeline.instants })
    }
    if (run.result?.end === 'failed' && this.#failedStep()) return
    const ticking = this.#checked.parts.scenario.fields['ticking'] !== false
    if (timeline.instants <= 1) this.seek({ time: -1 })
    else if (ticking) this.seek({ time: run.time > run.tick ? run.tick : run.tick - 1 })
    else this.seek({ instants: timeline.instants - 1 })
  }

  /** Stands before the step that failed, if it was a step. */
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

  /** Makes an instant again up to a step, and stops there. */
  #remake(instants: number, steps: number, why: Reason): void {
    this.seek({ instants })
    this.timeline.work()
    this.timeline.checkpoint()
    this.#seen = 0
    this.#instant({ stopAt: steps, why })
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

  #instant(watch: Watch): boolean {
    const { timeline } = this
    this.#watch = watch
    this.#count = 0
    this.#changer = null
    try {
      timeline.advance()
    } catch (error) {
      if (!(error instanceof Interrupt)) throw error
      this.#show(this.#reason)
      return true
    } finally {
      this.#watch = 'off'
    }
    this.#seen = 0
    if (watch !== 'on') return false
    if (timeline.run.result?.end === 'failed' && this.#armed.error && this.#forgiven !== timeline.instants - 1) {
      this.#failedStep()
      return this.stop !== null
    }
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
      breakpoint: reason.breakpoint,
      tick: run.tick,
      time: run.time,
      problem: reason.problem,
      change: reason.change,
      stack: this.#here ? stackOf(run, this.#here) : [],
      shared: sharedOf(run),
    }
    this.#stepping = null
  }

  #wanted(): Program {
    return this.#armed.list.length > 0 || this.#stepping ? this.#debugBuild() : this.#plain
  }

  #debugBuild(): Program {
    return (this.#build ??= compile(this.#checked, { debug: { conditions: this.#armed.conditions } }))
  }

  #enter(t: number, step: number, self: number, locals: RowLocals | null, condition: (() => unknown) | null): void {
    const watch = this.#watch
    this.#count++
    this.#here = { t, step, self, locals }
    if (watch === 'off') return
    if (watch !== 'on') {
      if (this.#count >= watch.stopAt) this.#interrupt(watch.why)
      return
    }
    if (this.#count > this.#seen) {
      const reason = this.#reasonToStop(t, step, self, condition)
      if (reason) this.#interrupt(reason)
    } else if (this.#count === this.#seen) this.#changed()
    this.#changer = step
  }

  #interrupt(reason: Reason): never {
    this.#reason = reason
    throw new Interrupt()
  }

  #reasonToStop(t: number, step: number, self: number, condition: (() => unknown) | null): Reason | null {
    const changed = this.#changed()
    if (changed) return changed
    const at = this.#armed.elements.get(step)
    if (at) {
      const failed = meets(condition)
      if (failed !== false)
        return {
          ...byStep,
          why: 'breakpoint',
          breakpoint: at.id,
          problem: failed === true ? null : problem(failed.code, { id: this.#checked.parts.steps[step]?.id ?? '' }, failed.params),
        }
    }
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

/** Whether a breakpoint's condition holds; without one it does. What can't be answered stops too, and says why. */
function meets(condition: (() => unknown) | null): boolean | RunError {
  try {
    return condition === null || condition() === true
  } catch (error) {
    if (error instanceof RunError) return error
    throw error
  }
}
