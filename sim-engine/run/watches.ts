// What tokens and starts watch for: timers and conditions at boundaries, conditions, messages and signals waited for. A
// watch is a row of a table (tokens/watch-rows.ts); the calendar calls it by its row, the mailboxes by its number.
import type { State } from '../kernel/snapshot.ts'
import type { Mover } from './mover.ts'
import { RunError } from '../problems.ts'
import { eventKind, lastPriority, maximumSteps, phase } from './events.ts'
import { WatchRows } from './tokens/watch-rows.ts'

/**
 * catch: the token continues behind the event · boundary, aside: interrupting the host or not · start: a new token · giveUp: a request is
 * withdrawn.
 */
export type Role = 'catch' | 'boundary' | 'aside' | 'start' | 'giveUp'
type Trigger = 'timer' | 'condition' | 'message' | 'signal'

const roles: readonly Role[] = ['catch', 'boundary', 'aside', 'start', 'giveUp']
const triggers: readonly Trigger[] = ['timer', 'condition', 'message', 'signal']

const [catches, interrupts, isAside, starts, givesUp] = [0, 1, 2, 3, 4]
const [timer, condition, message, signal] = [0, 1, 2, 3]

export class Watches {
  readonly #kernel: Mover
  readonly rows: WatchRows
  /** By number of the start watch: what to do with the message that came. */
  startBy: (process: number, handle: number, payload: unknown) => void = () => undefined

  constructor(kernel: Mover) {
    this.#kernel = kernel
    this.rows = new WatchRows(kernel.tokens)
  }

  get size(): number {
    return this.rows.size
  }

  #add(t: number, step: number, role: Role, trigger: Trigger): number {
    const isOfToken = role !== 'start'
    if (isOfToken) this.#kernel.tokens.watching[t] = 1
    return this.rows.add(t, step, roles.indexOf(role), triggers.indexOf(trigger), isOfToken, trigger === 'condition')
  }

  timer(t: number, step: number, role: Role, delay: number): void {
    const { world } = this.#kernel
    const watch = this.#add(t, step, role, 'timer')
    const priority = role === 'catch' ? 0 : lastPriority
    this.rows.setEvent(watch, world.calendar.schedule(world.time + delay, phase.timer, priority, eventKind.watch, watch, 0))
  }

  condition(t: number, step: number, role: Role): void {
    const watch = this.#add(t, step, role, 'condition')
    this.rows.note(watch, role !== 'catch' && this.#holds(watch))
  }

  /**
   * Waits for a message; earlier mail counts. True when there was one: the payload has been received. A non-interrupting event makes a token for
   * each, and waits for more.
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
    this.#await(this.#add(t, step, role, 'message'), type, population, handle)
    return false
  }

  #await(watch: number, type: number, population: number, handle: number): void {
    this.rows.setReceiver(watch, type, population, handle)
    this.#waitForMail(watch)
  }

  #waitForMail(watch: number): void {
    const { rows } = this
    const fits = rows.roleOf(watch) === starts ? null : this.#fits(rows.stepOf(watch), rows.tokenOf(watch))
    this.#kernel.world.mail.wait(rows.idOf(watch), rows.typeOf(watch), rows.populationOf(watch), rows.handleOf(watch), fits)
  }

  #fits(step: number, t: number): ((payload: unknown) => boolean) | null {
    const fits = this.#kernel.routines.fits.get(step)
    return fits ? payload => fits(t, payload) : null
  }

  signal(t: number, step: number, role: Role, signal: number): void {
    this.#awaitSignal(this.#add(t, step, role, 'signal'), signal, -1, -1)
  }

  #awaitSignal(watch: number, signal: number, population: number, handle: number): void {
    this.rows.setReceiver(watch, signal, population, handle)
    this.#kernel.world.mail.waitForSignal(this.rows.idOf(watch), signal)
  }

  /** A process started by a message: waits for good, for as long as its owner lives. */
  start(process: number, step: number, type: number, population: number, handle: number): void {
    this.#await(this.#add(process, step, 'start', 'message'), type, population, handle)
  }

  /** The same by a signal. */
  startBySignal(process: number, step: number, type: number, population: number, handle: number): void {
    this.#awaitSignal(this.#add(process, step, 'start', 'signal'), type, population, handle)
  }

  /** A process started when a condition becomes true, for as long as its owner lives. */
  startWhen(process: number, step: number, population: number, handle: number): void {
    this.rows.setReceiver(this.#add(process, step, 'start', 'condition'), -1, population, handle)
  }

  /** The owner is no more: its starts wait for nothing. */
  forget(population: number, handle: number): void {
    const { rows } = this
    for (const watch of Array.from(rows.all()))
      if (rows.roleOf(watch) === starts && rows.populationOf(watch) === population && rows.handleOf(watch) === handle) this.#remove(watch)
  }

  /** A message arrived at a watch. */
  deliver(id: number, payload: unknown): void {
    const { rows } = this
    const watch = rows.find(id)
    if (watch < 0) return
    const t = rows.tokenOf(watch)
    if (rows.roleOf(watch) === starts) {
      this.#waitForMail(watch)
      this.startBy(t, rows.handleOf(watch), payload)
      return
    }
    const { routines, tokens } = this.#kernel
    const step = rows.stepOf(watch)
    if (rows.roleOf(watch) === isAside) {
      const made = this.#aside(watch)
      routines.receive[tokens.process[made]!]!(made, payload, step)
      this.#waitForMail(watch)
      this.#kernel.push(made)
    } else {
      routines.receive[tokens.process[t]!]!(t, payload, step)
      this.#come(watch)
    }
    this.#kernel.drain()
  }

  /** The timer or signal of a watch has come, the latter with what it carries. */
  fire(watch: number, payload?: unknown): void {
    const { rows } = this
    rows.setEvent(watch, -1)
    const { routines, tokens } = this.#kernel
    const [t, step, role] = [rows.tokenOf(watch), rows.stepOf(watch), rows.roleOf(watch)]
    if (role === starts) this.startBy(t, rows.handleOf(watch), payload)
    else if (role === isAside) {
      const made = this.#aside(watch)
      if (rows.triggerOf(watch) === timer) this.#remove(watch)
      if (payload !== undefined) routines.receive[tokens.process[made]!]!(made, payload, step)
      this.#kernel.push(made)
    } else {
      if (payload !== undefined) routines.receive[tokens.process[t]!]!(t, payload, step)
      this.#come(watch)
    }
    this.#kernel.drain()
  }

  #aside(watch: number): number {
    return this.#kernel.beside(this.rows.tokenOf(watch), this.rows.stepOf(watch) * 8)
  }

  #come(watch: number): void {
    const kernel = this.#kernel
    const { rows } = this
    const [t, step, role] = [rows.tokenOf(watch), rows.stepOf(watch), rows.roleOf(watch)]
    if (role === interrupts) kernel.interrupt(t, step)
    else if (role === givesUp) {
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
    return this.rows.firstCondition < 0
  }

  /** No signal is on its way. */
  get isSilent(): boolean {
    return this.#signalled.length === 0
  }

  /**
   * Looks at all conditions; those that became true act, one after another, each if it is true when its turn comes. What one
   * of them does may make others false, and true again: after each, those that were true are looked at again. True when one
   * acted.
   */
  look(): boolean {
    return this.rows.firstCondition >= 0 && this.lookFrom(this.rows.firstCondition, this.rows.serials)
  }

  /** The same from one on, up to those that were there before there were `serials` of them. */
  lookFrom(first: number, serials: number): boolean {
    const { rows } = this
    let acted = false
    rows.cursor = first
    while (rows.cursor >= 0 && rows.serialOf(rows.cursor) < serials) {
      const watch = rows.cursor
      rows.cursor = rows.nextCondition(watch)
      const before = rows.didHold(watch)
      const holds = this.#holds(watch)
      rows.note(watch, holds)
      if (!holds || before) continue
      acted = true
      const step = rows.stepOf(watch)
      this.fire(watch)
      this.lookAgain(step)
    }
    rows.cursor = -1
    return acted
  }

  /** After the event at this step has acted: which conditions that were true are so no more. */
  lookAgain(acted: number): void {
    const { rows } = this
    for (let watch = rows.firstTrue, next = -1; watch >= 0; watch = next) {
      next = rows.nextTrue(watch)
      if (this.#kernel.routines.mayChange(acted, rows.stepOf(watch)) && !this.#holds(watch)) rows.note(watch, false)
    }
  }

  #holds(watch: number): boolean {
    const { rows } = this
    const holds = this.#kernel.routines.conditions.get(rows.stepOf(watch))!
    return holds(rows.roleOf(watch) === starts ? rows.handleOf(watch) : rows.tokenOf(watch))
  }

  /** The token watches for nothing any more. */
  drop(t: number): void {
    const { tokens } = this.#kernel
    for (let watch = tokens.watched[t]!; watch >= 0; watch = tokens.watched[t]!) this.#remove(watch)
    tokens.watching[t] = 0
  }

  #remove(watch: number): void {
    const { rows } = this
    const { calendar, mail } = this.#kernel.world
    const trigger = rows.triggerOf(watch)
    if (rows.eventOf(watch) >= 0) calendar.cancel(rows.eventOf(watch))
    if (trigger === message || trigger === signal) mail.stopWaiting(rows.idOf(watch))
    rows.remove(watch, rows.roleOf(watch) !== starts, trigger === condition)
  }

  /** Throws a signal to all that wait for it now. Starts and non-interrupting events receive the next one, too, even right behind. */
  throwSignal(signal: number, payload: unknown): void {
    const { mail } = this.#kernel.world
    const { rows } = this
    for (const id of mail.throwSignal(signal)) {
      this.#signalled.push({ id, payload })
      const watch = rows.find(id)
      const role = watch < 0 ? catches : rows.roleOf(watch)
      if (role === starts || role === isAside) mail.waitForSignal(id, signal)
    }
    if (this.#signalled.length > maximumSteps) throw new RunError(10047)
    this.#kernel.hasWoken = true
  }

  /** Signals reach their catchers after the throwing token has stopped. */
  readonly #signalled: { id: number; payload: unknown }[] = []

  runSignalled(): boolean {
    if (this.#signalled.length === 0) return false
    // More may come meanwhile.
    for (let k = 0; k < this.#signalled.length; k++) {
      const { id, payload } = this.#signalled[k]!
      const watch = this.rows.find(id)
      if (watch >= 0) this.fire(watch, payload)
    }
    this.#signalled.length = 0
    return true
  }

  save(): State {
    return this.rows.save()
  }

  /** After the tokens and the mailboxes were restored: filters are functions and come back from the program. */
  load(state: State): void {
    const { rows } = this
    rows.load(state)
    this.#signalled.length = 0
    for (const watch of rows.all()) {
      const step = rows.stepOf(watch)
      if (rows.triggerOf(watch) === message && rows.roleOf(watch) !== starts && this.#kernel.routines.fits.has(step))
        this.#kernel.world.mail.refit(rows.idOf(watch), rows.typeOf(watch), this.#fits(step, rows.tokenOf(watch)))
    }
  }
}
