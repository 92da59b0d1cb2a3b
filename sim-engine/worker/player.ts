// Plays the run that is loaded, in stretches between messages.
import type { ToEngine } from '../messages.ts'
import type { Debugger } from '../debug/debugger.ts'
import { afterEvent, atStart, type Effect, type Playback, type PlaybackEvent } from './playback.ts'
import type { Reports } from './reports.ts'
import { sliceMs, type WorkerHost } from './surroundings.ts'
import { unreachable } from '../../model-schema/unreachable.ts'

/** What a person does to the time of a run. */
type PlayerCommand = Extract<ToEngine, { do: 'play' | 'pause' | 'speed' | 'step' | 'seek' | 'back' | 'stepToken' }>

/** The clock of a throttled run: model ticks owed count from `tick` at `since` (milliseconds). A speed of null is as fast as it goes. */
type Pace = { readonly speed: number | null; readonly since: number; readonly tick: number }

export class Player {
  readonly session: Debugger
  #playback: Playback = atStart
  #pace: Pace = { speed: null, since: 0, tick: 0 }
  #stopTimer: (() => void) | null = null
  readonly #reports: Reports
  readonly #surroundings: WorkerHost
  readonly #guarded: (act: () => void) => void

  /** `guarded` does something after which the engine continues, whatever it throws. */
  constructor(session: Debugger, reports: Reports, surroundings: WorkerHost, guarded: (act: () => void) => void) {
    this.session = session
    this.#reports = reports
    this.#surroundings = surroundings
    this.#guarded = guarded
  }

  get state(): Playback['state'] {
    return this.#playback.state
  }

  get isTravelling(): boolean {
    return this.#playback.job === 'travel'
  }

  /** Nothing is done any more. */
  close(): void {
    this.#carryOut('halt')
  }

  /** Says that the run is over, if it is. */
  end(): boolean {
    if (this.session.timeline.run.result === null) return false
    this.#take({ is: 'over' })
    return true
  }

  /** What a person was asked is answered: the rest of that instant is made. */
  goOn(): void {
    this.session.advance()
    this.#stand()
  }

  travel(): void {
    this.#take({ is: 'travel', there: this.session.stop !== null })
  }

  /** A journey ends before anything else begins. */
  finishTravel(): void {
    if (!this.isTravelling) return
    this.session.timeline.work()
    this.#arrive()
  }

  obey(command: PlayerCommand): void {
    if (command.do !== 'seek') this.finishTravel()
    const { session } = this
    switch (command.do) {
      case 'play':
        if (this.state !== 'ended') this.#setPace(command.speed)
        return this.#take({ is: 'play' })
      case 'pause':
        return this.#take({ is: 'pause' })
      case 'speed':
        return this.#setPace(command.speed)
      case 'step':
        return this.#take({ is: 'step' })
      case 'seek':
        session.seek({ time: Number.isFinite(command.tick) ? command.tick : -1 })
        return this.travel()
      case 'back':
        session.back()
        return this.travel()
      case 'stepToken':
        if (this.state !== 'ended') session.step(command.how)
        return this.#take({ is: 'token' })
      default:
        return unreachable(command)
    }
  }

  #take(event: PlaybackEvent): void {
    const [next, effects] = afterEvent(this.#playback, event)
    this.#playback = next
    for (const effect of effects) this.#carryOut(effect)
  }

  #carryOut(effect: Effect): void {
    switch (effect) {
      case 'halt':
        this.#stopTimer?.()
        this.#stopTimer = null
        return
      case 'let go':
        return this.session.letGo()
      case 'advance':
        return this.#advance()
      case 'go on':
        this.#stopTimer ??= this.#surroundings.later(0, this.#stretch)
        return
      case 'arrive':
        return this.#arrive()
      case 'show':
        return this.#reports.show(this.session, this.state)
      case 'tell end':
        return this.#reports.tellEnd(this.session)
      default:
        return unreachable(effect)
    }
  }

  #setPace(speed: number | null): void {
    const isThrottled = speed !== null && Number.isFinite(speed) && speed > 0
    this.#pace = { speed: isThrottled ? speed : null, since: this.#surroundings.now(), tick: this.session.timeline.run.time }
  }

  /** One stretch of whatever is to be done. */
  readonly #stretch = (): void => {
    this.#stopTimer = null
    this.#guarded(() => {
      const began = this.#surroundings.now()
      const isLate = (): boolean => this.#surroundings.now() - began >= sliceMs
      const wait = this.#work(began, isLate)
      if (wait !== null) this.#stopTimer = this.#surroundings.later(wait, this.#stretch)
    })
  }

  /** Milliseconds until the next stretch; null when there is none. */
  #work(began: number, isLate: () => boolean): number | null {
    const { job } = this.#playback
    switch (job) {
      case null:
        return null
      case 'play':
        return this.#play(began, isLate)
      case 'token':
        return this.#walk(isLate)
      case 'travel':
        if (!this.session.timeline.work(isLate)) return 0
        this.#arrive()
        return null
      default:
        return unreachable(job)
    }
  }

  #play(began: number, isLate: () => boolean): number | null {
    const { session } = this
    const { timeline } = session
    const due = (): number => {
      const { speed, since, tick } = this.#pace
      return speed === null ? Infinity : tick + ((began - since) / 1000) * speed
    }
    const isOwed = (): boolean => session.stop !== null || timeline.run.isAsking || timeline.nextTime <= due()
    while (!timeline.run.result && isOwed()) {
      if (session.leap(due()) || timeline.run.isAsking) {
        this.#stand()
        return null
      }
      if (!isLate()) continue
      // Too slow for the speed asked: owe nothing, or a slow stretch would be followed by a rush.
      if (this.#pace.speed !== null) this.#setPace(this.#pace.speed)
      break
    }
    if (this.end()) return null
    const { speed } = this.#pace
    const wait = speed === null || isOwed() ? 0 : Math.min(100, Math.max(1, ((timeline.nextTime - due()) / speed) * 1000))
    this.#reports.showIfDue(session)
    return wait
  }

  /** To the next step of a token. */
  #walk(isLate: () => boolean): number | null {
    do {
      if (this.session.leap() || this.#isStill) {
        this.#stand()
        return null
      }
    } while (!isLate())
    return 0
  }

  /** One tick; a pure event model: one instant. From the middle of an instant: the rest of it. */
  #advance(): void {
    const { session } = this
    const { timeline } = session
    const { run } = timeline
    const isTicking = run.program.checked.parts.scenario.fields['ticking'] !== false
    const until = timeline.broken ? run.time : run.state === 'ready' ? 0 : run.tick + 1
    let isStopped = session.advance()
    if (isTicking) while (!isStopped && !timeline.run.result && timeline.nextTime <= until) isStopped = session.leap(until)
    this.#stand()
  }

  /** Nothing comes by itself any more. */
  get #isStill(): boolean {
    const { run } = this.session.timeline
    return run.result !== null || run.isAsking
  }

  #stand(): void {
    if (!this.end()) this.#take({ is: 'stopped' })
  }

  #arrive(): void {
    if (!this.end()) this.#take({ is: 'arrived', ready: this.session.timeline.run.state === 'ready' })
  }
}
