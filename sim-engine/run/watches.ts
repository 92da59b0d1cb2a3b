// What tokens and starts watch for: timers and conditions at boundaries, conditions, messages and signals waited for. A
// watch is a numbered record; the calendar and the mailboxes call it by its number.
import type { State } from '../kernel/snapshot.ts'
import type { Mover } from './mover.ts'
import { RunError } from '../problems.ts'
import { eventKind, lastPriority, maximumSteps, phase } from './events.ts'
import { numbersOf } from './tokens/tokens.ts'

/** catch: the token goes on behind the event · boundary, aside: interrupting the host or not · start: a new token · giveUp: a request is withdrawn. */
export type Role = 'catch' | 'boundary' | 'aside' | 'start' | 'giveUp'
type Trigger = 'timer' | 'condition' | 'message' | 'signal'

type Watch = {
  id: number
  /** The watching token, or for starts the process. */
  t: number
  /** The event. */
  step: number
  role: Role
  trigger: Trigger
  /** Calendar event of a timer; message type, receiver's population and handle. */
  event: number
  type: number
  population: number
  handle: number
  /** Value of a condition when last looked at. */
  last: boolean
}

const roles: readonly Role[] = ['catch', 'boundary', 'aside', 'start', 'giveUp']
const triggers: readonly Trigger[] = ['timer', 'condition', 'message', 'signal']

export class Watches {
  readonly #kernel: Mover
  readonly #all = new Map<number, Watch>()
  readonly #ofToken = new Map<number, number[]>()
  #next = 1
  #conditions = 0
  /** Conditions that were true when last looked at, by their steps. */
  readonly #true = new Map<number, Set<Watch>>()
  /** By number of the start watch: what to do with the message that came. */
  startBy: (process: number, handle: number, payload: unknown) => void = () => undefined

  constructor(kernel: Mover) {
    this.#kernel = kernel
  }

  get size(): number {
    return this.#all.size
  }

  #add(t: number, step: number, role: Role, trigger: Trigger): Watch {
    const watch: Watch = { id: this.#next++, t, step, role, trigger, event: -1, type: -1, population: -1, handle: -1, last: false }
    this.#all.set(watch.id, watch)
    if (role !== 'start') {
      this.#kernel.tokens.watching[t] = 1
      const known = this.#ofToken.get(t)
      if (known) known.push(watch.id)
      else this.#ofToken.set(t, [watch.id])
    }
    return watch
  }

  timer(t: number, step: number, role: Role, delay: number): void {
    const { world } = this.#kernel
    const watch = this.#add(t, step, role, 'timer')
    watch.event = world.calendar.schedule(
      world.time + delay,
      phase.timer,
      role === 'catch' ? 0 : lastPriority,
      eventKind.watch,
      watch.id,
      0,
    )
  }

  condition(t: number, step: number, role: Role): void {
    const watch = this.#add(t, step, role, 'condition')
    this.#note(watch, role !== 'catch' && this.#holds(watch))
    this.#conditions++
  }

  /**
   * Waits for a message; earlier mail counts. True when there was one: the payload has been received. Who does not interrupt
   * makes a token for each, and waits for more.
   */
  message(t: number, step: number, role: Role, type: number, population: number, handle: number): boolean {
    const { world, routines, tokens } = this.#kernel
    const fits = this.#fits(step, t)
    const mail = (): unknown => world.mail.take(type, population, handle, fits)
    const made: number[] = []
    for (let payload = mail(); payload !== undefined; payload = mail()) {
      const to = role === 'aside' ? this.#kernel.beside(t, step * 8) : t
      routines.receive[tokens.process[to]!]!(to, payload, step)
      if (to === t) return true
      made.push(to)
    }
    for (let k = made.length - 1; k >= 0; k--) this.#kernel.push(made[k]!)
    const watch = this.#add(t, step, role, 'message')
    watch.type = type
    watch.population = population
    watch.handle = handle
    world.mail.wait(watch.id, type, population, handle, fits)
    return false
  }

  #fits(step: number, t: number): ((payload: unknown) => boolean) | null {
    const fits = this.#kernel.routines.fits.get(step)
    return fits ? payload => fits(t, payload) : null
  }

  signal(t: number, step: number, role: Role, signal: number): void {
    const watch = this.#add(t, step, role, 'signal')
    watch.type = signal
    this.#kernel.world.mail.waitForSignal(watch.id, signal)
  }

  /** A process started by a message: waits for good, for as long as its owner lives. */
  start(process: number, step: number, type: number, population: number, handle: number): void {
    const watch = this.#add(process, step, 'start', 'message')
    watch.type = type
    watch.population = population
    watch.handle = handle
    this.#kernel.world.mail.wait(watch.id, type, population, handle, null)
  }

  /** The same by a signal. */
  startBySignal(process: number, step: number, type: number, population: number, handle: number): void {
    const watch = this.#add(process, step, 'start', 'signal')
    watch.type = type
    watch.population = population
    watch.handle = handle
    this.#kernel.world.mail.waitForSignal(watch.id, type)
  }

  /** A process started when a condition becomes true, for as long as its owner lives. */
  startWhen(process: number, step: number, population: number, handle: number): void {
    const watch = this.#add(process, step, 'start', 'condition')
    watch.population = population
    watch.handle = handle
    this.#conditions++
  }

  /** The owner is no more: its starts wait for nothing. */
  forget(population: number, handle: number): void {
    for (const watch of this.#all.values())
      if (watch.role === 'start' && watch.population === population && watch.handle === handle) this.#remove(watch)
  }

  /** A message arrived at a watch. */
  deliver(id: number, payload: unknown): void {
    const watch = this.#all.get(id)
    if (!watch) return
    if (watch.role === 'start') {
      this.#kernel.world.mail.wait(id, watch.type, watch.population, watch.handle, null)
      this.startBy(watch.t, watch.handle, payload)
      return
    }
    const { routines, tokens } = this.#kernel
    if (watch.role === 'aside') {
      const made = this.#aside(watch)
      routines.receive[tokens.process[made]!]!(made, payload, watch.step)
      this.#kernel.world.mail.wait(id, watch.type, watch.population, watch.handle, this.#fits(watch.step, watch.t))
      this.#kernel.push(made)
    } else {
      routines.receive[tokens.process[watch.t]!]!(watch.t, payload, watch.step)
      this.#come(watch)
    }
    this.#kernel.drain()
  }

  /** The timer or signal of a watch has come, the latter with what it carries. */
  fire(id: number, payload?: unknown): void {
    const watch = this.#all.get(id)
    if (!watch) return
    watch.event = -1
    const { routines, tokens } = this.#kernel
    if (watch.role === 'start') this.startBy(watch.t, watch.handle, payload)
    else if (watch.role === 'aside') {
      const made = this.#aside(watch)
      if (watch.trigger === 'timer') this.#remove(watch)
      if (payload !== undefined) routines.receive[tokens.process[made]!]!(made, payload, watch.step)
      this.#kernel.push(made)
    } else {
      if (payload !== undefined) routines.receive[tokens.process[watch.t]!]!(watch.t, payload, watch.step)
      this.#come(watch)
    }
    this.#kernel.drain()
  }

  #aside(watch: Watch): number {
    return this.#kernel.beside(watch.t, watch.step * 8)
  }

  #come(watch: Watch): void {
    const kernel = this.#kernel
    const { t, step } = watch
    if (watch.role === 'boundary') kernel.interrupt(t, step)
    else if (watch.role === 'giveUp') {
      kernel.forget(t)
      kernel.tokens.pc[t] = step * 8 + 4
    } else {
      this.drop(t)
      kernel.tokens.pc[t] = step * 8 + 2
    }
    kernel.push(t)
  }

  /** No condition is watched. */
  get isBlind(): boolean {
    return this.#conditions === 0
  }

  /** The same, and no signal is on its way. */
  get isIdle(): boolean {
    return this.#conditions === 0 && this.#signalled.length === 0
  }

  /**
   * Looks at all conditions; those that became true act, one after another, each if it is true when its turn comes. What one
   * of them does may make others false, and true again: after each, those that were true are looked at again. True when one
   * acted.
   */
  look(): boolean {
    return this.#conditions > 0 && this.#lookAtAll()
  }

  #lookAtAll(): boolean {
    let acted = false
    for (const watch of Array.from(this.#all.values())) {
      if (watch.trigger !== 'condition' || !this.#all.has(watch.id)) continue
      const before = watch.last
      this.#note(watch, this.#holds(watch))
      if (!watch.last || before) continue
      acted = true
      this.fire(watch.id)
      this.#lookAgain(watch.step)
    }
    return acted
  }

  /** After the event at this step has acted: which conditions that were true are so no more. */
  #lookAgain(acted: number): void {
    for (const [step, watches] of this.#true) {
      if (!this.#kernel.routines.mayChange(acted, step)) continue
      for (const watch of watches) if (!this.#holds(watch)) this.#note(watch, false)
    }
  }

  #holds({ step, role, handle, t }: Watch): boolean {
    return this.#kernel.routines.conditions.get(step)!(role === 'start' ? handle : t)
  }

  #note(watch: Watch, holds: boolean): void {
    if (watch.last === holds) return
    watch.last = holds
    const known = this.#true.get(watch.step)
    if (!holds) {
      known!.delete(watch)
      if (known!.size === 0) this.#true.delete(watch.step)
    } else if (known) known.add(watch)
    else this.#true.set(watch.step, new Set([watch]))
  }

  /** The token watches for nothing any more. */
  drop(t: number): void {
    for (const id of this.#ofToken.get(t) ?? []) {
      const watch = this.#all.get(id)
      if (watch) this.#remove(watch)
    }
    this.#ofToken.delete(t)
    this.#kernel.tokens.watching[t] = 0
  }

  #remove(watch: Watch): void {
    if (!this.#all.delete(watch.id)) return
    if (watch.event >= 0) this.#kernel.world.calendar.cancel(watch.event)
    if (watch.trigger === 'message' || watch.trigger === 'signal') this.#kernel.world.mail.stopWaiting(watch.id)
    if (watch.trigger !== 'condition') return
    this.#conditions--
    this.#note(watch, false)
  }

  /** Throws a signal to all that wait for it now. Starts and who does not interrupt hear the next one, too, be it right behind. */
  throwSignal(signal: number, payload: unknown): void {
    const { mail } = this.#kernel.world
    for (const id of mail.throwSignal(signal)) {
      this.#signalled.push({ id, payload })
      const role = this.#all.get(id)?.role
      if (role === 'start' || role === 'aside') mail.waitForSignal(id, signal)
    }
    if (this.#signalled.length > maximumSteps) throw new RunError(10047)
    this.#kernel.hasWoken = true
  }

  /** Signals reach their catchers after the throwing token has stopped. */
  readonly #signalled: { id: number; payload: unknown }[] = []

  runSignalled(): boolean {
    if (this.#signalled.length === 0) return false
    // More may come meanwhile.
    for (let k = 0; k < this.#signalled.length; k++) this.fire(this.#signalled[k]!.id, this.#signalled[k]!.payload)
    this.#signalled.length = 0
    return true
  }

  save(): State {
    return [
      this.#next,
      ...[...this.#all.values()].map(watch => [
        watch.id,
        watch.t,
        watch.step,
        roles.indexOf(watch.role),
        triggers.indexOf(watch.trigger),
        watch.event,
        watch.type,
        watch.population,
        watch.handle,
        watch.last ? 1 : 0,
      ]),
    ]
  }

  /** After the mailboxes were restored: filters are functions and come back from the program. */
  load(state: State): void {
    this.#all.clear()
    this.#true.clear()
    this.#ofToken.clear()
    this.#signalled.length = 0
    this.#conditions = 0
    if (!Array.isArray(state)) return
    for (const entry of state.slice(1)) {
      const [id, t, step, role, trigger, event, type, population, handle, last] = numbersOf(entry)
      if (
        id === undefined ||
        t === undefined ||
        step === undefined ||
        event === undefined ||
        type === undefined ||
        population === undefined ||
        handle === undefined
      )
        continue
      const watch: Watch = {
        id,
        t,
        step,
        role: roles[role ?? 0] ?? 'catch',
        trigger: triggers[trigger ?? 0] ?? 'timer',
        event,
        type,
        population,
        handle,
        last: false,
      }
      this.#all.set(id, watch)
      if (last === 1) this.#note(watch, true)
      if (watch.trigger === 'condition') this.#conditions++
      if (watch.role !== 'start') {
        const known = this.#ofToken.get(t)
        if (known) known.push(id)
        else this.#ofToken.set(t, [id])
      }
      if (watch.trigger === 'message' && this.#kernel.routines.fits.has(step)) {
        this.#kernel.world.mail.refit(id, type, this.#fits(step, t))
      }
    }
    this.#next = Number(state[0])
  }
}
