// What moves tokens: spawning, forks and joins, calls, waiting and being woken. Generated code calls it `K`. It knows positions, not kinds: what
// a step means is in the generated functions.
//
// No recursion: a token that has to run is pushed on a stack; `drain` runs the topmost until none is left. So a called process runs at once,
// then its caller continues, and the depth of calls is bounded by a counter, not by the machine.
import { RunError } from '../problems.ts'
import type { State } from '../kernel/snapshot.ts'
import { intsOf, recordOf } from '../kernel/snapshot.ts'
import type { Containers } from '../world/containers.ts'
import type { IntegerColumn, Population } from '../world/population.ts'
import type { World } from '../world/world.ts'
import { eventKind, maximumDepth, maximumSteps, phase } from './events.ts'
import { Cycles } from './tokens/cycles.ts'
import { Joins } from './tokens/joins.ts'
import type { ProcessTable, Routines } from './mover.ts'
import { link, numbersOf, Tokens } from './tokens/tokens.ts'
import { Watches } from './watches.ts'

const idle: Routines = {
  conditions: new Map(),
  mayChange: () => true,
  fits: new Map(),
  receive: [],
  interrupt: new Map(),
  run: [],
  prepare: [],
  copy: [],
  copyOut: [],
  catches: false,
  catcher: () => -1,
  stepAt: () => -1,
  processOf: () => -1,
}

/** Of `tokens.watching`: waits until its process has room for one more. */
const inLine = 2

export class Kernel {
  readonly world: World
  readonly tokens: Tokens
  readonly containers: Containers
  readonly joins: Joins
  readonly watches: Watches
  /** Of timer starts. */
  readonly cycles = new Cycles()
  routines: Routines = idle
  processes: ProcessTable = { entry: new Int32Array(0), population: new Int32Array(0), limit: [], limited: new Uint8Array(0), busy: [] }
  /** Backward jumps and token runs left before 10047. */
  fuel = maximumSteps
  /** The token that runs, or ran last: errors are reported for its actor. */
  current = -1
  /** Pushed tokens. Public for run/fast/fast-processes.ts alone. */
  stack = new Int32Array(64)
  stacked = 0
  /** Per population index: column of the first token of each individual. */
  readonly #heads: (IntegerColumn | undefined)[] = []
  /** Tokens that wait for a container, by the slot of their request; `tokens.request` has its number. Public for run/fast/fast-processes.ts alone. */
  askers = new Int32Array(64).fill(-1)
  /** Processes with a limit: tokens at once, and who waits, per process and owner. */
  readonly #running = new Map<string, number[]>()
  readonly #queued = new Map<string, number[]>()
  /** The names of processes without an owner: made once. */
  readonly #unowned: string[] = []
  /** Of container operations, by step: whether a formula asks what they gave, or which of their rows was met. */
  asked: (undefined | 'goods' | 'row')[] = []
  /** What was given at this instant to tokens that waited for it. */
  readonly #given = new Map<number, { readonly step: number; readonly what: unknown }>()
  /** Tokens woken at this instant while nothing else is due: a shortcut past the calendar. */
  woken = new Int32Array(64)
  wokenCount = 0
  /** Whether tokens were woken past the calendar, or signals thrown: asked after each event. */
  hasWoken = false
  /** When that was; no time at first. Public for run/fast/fast-processes.ts alone. */
  wokenAt = Number.NaN

  constructor(world: World) {
    this.world = world
    this.tokens = new Tokens(world.words)
    this.containers = world.containers
    this.joins = new Joins(this)
    this.watches = new Watches(this)
  }

  /** Lets individuals of a population have tokens. */
  own(population: Population): void {
    this.#heads[population.index] = population.integers('#tokens', -1)
  }

  // --- life of a token

  /**
   * Starts a process for an owner. Where its limit is reached, the token waits for its turn, or there is none: -1. Does not
   * run it: see `push`.
   */
  begin(process: number, owner: number, parent = -1): number {
    if (this.processes.limited[process] !== 1) return this.#create(process, owner, parent)
    const place = this.#admit(process, owner)
    if (place === 'none') return -1
    const t = this.#create(process, owner, parent)
    if (place === 'inside') this.#enter(process, owner, t)
    else this.#queue(process, owner, t)
    return t
  }

  #create(process: number, owner: number, parent: number, prepare = true): number {
    const t = this.tokens.create(
      process,
      owner,
      this.processes.entry[process]!,
      parent,
      parent >= 0 ? link.call : link.none,
      this.world.time,
    )
    if (this.tokens.depth[t]! > maximumDepth) throw new RunError(10034)
    const population = this.processes.population[process]!
    if (population >= 0) this.#hang(t, population)
    if (prepare) this.routines.prepare[process]?.(t, owner)
    return t
  }

  /** A token started by the clock: made and run. */
  spawn(process: number, owner: number): void {
    const t = this.begin(process, owner)
    if (t >= 0 && this.tokens.watching[t] !== inLine) this.go(t)
  }

  /** Runs a token, and all it pushes, until none is left. Nothing else may be pushed at that time. */
  go(t: number): void {
    const { tokens, routines } = this
    if (tokens.pc[t]! < 0) return
    if (--this.fuel < 0) this.exhausted()
    this.current = t
    if (routines.catches) this.#runCaught(t)
    else routines.run[tokens.process[t]!]!(t)
    if (this.stacked > 0) this.drain()
  }

  /** The same from a step the token has come to without its function: no errors are caught at borders. */
  goFrom(t: number, pc: number): void {
    if (--this.fuel < 0) this.exhausted()
    this.current = t
    this.routines.run[this.tokens.process[t]!]!(t, pc)
    if (this.stacked > 0) this.drain()
  }

  /** A token that waits for its turn is run when that comes. */
  push(t: number): void {
    if (this.tokens.watching[t] === inLine) return
    if (this.stacked === this.stack.length) this.stack = intsOf(this.stack, this.stacked * 2)
    this.stack[this.stacked++] = t
  }

  /** Runs pushed tokens, topmost first, until none is left. */
  drain(): void {
    const { run } = this.routines
    const { tokens } = this
    while (this.stacked > 0) {
      const t = this.stack[--this.stacked]!
      if (tokens.pc[t]! < 0) continue
      if (--this.fuel < 0) this.exhausted()
      this.current = t
      if (this.routines.catches) this.#runCaught(t)
      else run[tokens.process[t]!]!(t)
    }
  }

  /** Models with error boundaries: what goes wrong in an activity may be caught at its border. */
  #runCaught(t: number): void {
    try {
      this.routines.run[this.tokens.process[t]!]!(t)
    } catch (error) {
      if (!(error instanceof RunError) || !this.throwTo(t, String(error.code), true)) throw error
    }
  }

  /** Sends an error to the nearest boundary that catches its code: at the step itself (`here`), then at the callers'. */
  throwTo(t: number, code: string, here: boolean): boolean {
    const { tokens, routines } = this
    for (let at = here ? t : tokens.parent[t]!, inside = here; at >= 0; at = tokens.parent[at]!, inside = false) {
      const host = inside ? routines.stepAt() : tokens.pc[at]! >> 3
      const event = routines.catcher(host, code)
      if (event < 0) continue
      if (inside && tokens.process[at] !== routines.processOf(host)) continue
      this.interrupt(at, event)
      this.push(at)
      return true
    }
    return false
  }

  /** After an error: nothing of the broken instant continues. */
  abandon(): void {
    this.stacked = 0
  }

  /** No token acts or waits to act: another run begins. */
  reset(): void {
    this.abandon()
    this.current = -1
    this.wokenCount = 0
    this.hasWoken = false
  }

  exhausted(): never {
    throw new RunError(10047)
  }

  /** The token has come to an end of its process. */
  finish(t: number): void {
    const { tokens } = this
    if (tokens.parent[t]! >= 0) this.#finishChild(t)
    else {
      if (this.containers.holdsAnything(t)) throw new RunError(10041)
      this.#drop(t, false)
    }
  }

  #finishChild(t: number): void {
    const { tokens } = this
    const parent = tokens.parent[t]!
    const kind = tokens.link[t]!
    const process = tokens.process[t]!
    if (kind !== link.fork && tokens.holder[t] === t && this.containers.holdsAnything(t)) throw new RunError(10041)
    if (kind === link.fork) this.routines.copyOut[process]!(t, parent)
    else if (kind === link.call) this.returned(t, parent)
    this.#drop(t, false)
    this.#childGone(parent)
  }

  /** Out-values of a called process go to its caller: replaced by the program. */
  returned: (t: number, parent: number) => void = () => undefined

  /** A child ended or arrived in a join. */
  #childGone(parent: number): void {
    const { tokens } = this
    if (tokens.pending[parent] === 0) return
    if (tokens.pc[parent]! < 0) return
    if (--tokens.pending[parent]! > 0) {
      // A for-each with a condition to be done looks after each one.
      if (tokens.pc[parent]! % 8 === 4) this.push(parent)
      return
    }
    if (tokens.joined[parent]! >= 0 && !this.#passes(parent, tokens.joined[parent]!)) {
      // The join is that of a split further out: the original of this one arrives there like any other.
      const step = tokens.joined[parent]!
      tokens.joined[parent] = -1
      this.synchronize(parent, step)
    } else if (tokens.joined[parent]! >= 0) {
      tokens.pc[parent] = tokens.joined[parent]! * 8 + 1
      tokens.joined[parent] = -1
      this.push(parent)
    } else if (tokens.pc[parent]! % 8 === 7) this.finish(parent)
    else this.push(parent)
  }

  /** Whether a reunited original continues behind a join: not when its own siblings have come there, or can. */
  #passes(t: number, step: number): boolean {
    const { tokens } = this
    const parent = tokens.parent[t]!
    if (parent < 0 || tokens.link[t] !== link.fork) return true
    if (tokens.joined[parent] === step) return false
    const reach = this.joins.reach.get(step)
    for (let one = tokens.firstChild[parent]!; one >= 0; one = tokens.nextSibling[one]!) {
      if (one !== t && this.joins.standing(one).some(at => reach?.has(tokens.pc[at]! >> 3))) return false
    }
    return true
  }

  /** Ends a token before its time: its children too; what it asked for vanishes, what it held returns. */
  cancel(t: number): void {
    const { tokens } = this
    if (tokens.pc[t]! < 0) return
    const at = this.#isGiven(t) ? tokens.pc[t]! >> 3 : -1
    this.cancelChildren(t)
    this.forget(t)
    if (tokens.suspendedCount > 0) tokens.unsuspend(t)
    if (tokens.holder[t] === t) this.world.containers.cancel(t)
    else this.routines.interrupt.get(at)?.(t)
    const parent = tokens.parent[t]!
    this.#drop(t, true)
    if (parent >= 0) this.#childGone(parent)
  }

  /** Whether the activity at the token's position has been given its resources, and not returned them. */
  #isGiven(t: number): boolean {
    const entry = this.tokens.pc[t]! & 7
    return entry > 1 ? entry < 7 : entry === 1 && this.tokens.request[t]! < 0
  }

  cancelChildren(t: number): void {
    const { tokens } = this
    for (let child = tokens.firstChild[t]!; child >= 0; child = tokens.firstChild[t]!) {
      tokens.pending[t] = 0
      this.cancel(child)
    }
    tokens.pending[t] = 0
  }

  /** Nothing wakes the token any more. */
  forget(t: number): void {
    const { tokens } = this
    if (tokens.event[t]! >= 0) {
      this.world.calendar.cancel(tokens.event[t]!)
      tokens.event[t] = -1
    }
    if (tokens.request[t]! >= 0) {
      this.world.containers.giveUp(tokens.request[t]!)
      tokens.request[t] = -1
    }
    if (tokens.watching[t] === 1) this.watches.drop(t)
    this.joins.leave(t)
  }

  #drop(t: number, later: boolean): void {
    const { tokens } = this
    const process = tokens.process[t]!
    const population = this.processes.population[process]!
    if (tokens.watching[t] === 1) this.watches.drop(t)
    if (this.#given.size > 0) this.#given.delete(t)
    if (population >= 0) this.#unhang(t, population)
    const next = this.leave(t)
    if (next >= 0) this.wake(next)
    tokens.remove(t, later)
  }

  // --- tokens of individuals

  #hang(t: number, population: number): void {
    const head = this.#heads[population]
    if (!head) return
    const slot = this.tokens.owner[t]! & 0xffffff
    const next = head.data[slot]!
    this.tokens.nextOwned[t] = next
    this.tokens.previousOwned[t] = -1
    if (next >= 0) this.tokens.previousOwned[next] = t
    head.data[slot] = t
  }

  #unhang(t: number, population: number): void {
    const head = this.#heads[population]
    if (!head) return
    const next = this.tokens.nextOwned[t]!
    const previous = this.tokens.previousOwned[t]!
    if (previous >= 0) this.tokens.nextOwned[previous] = next
    else head.data[this.tokens.owner[t]! & 0xffffff] = next
    if (next >= 0) this.tokens.previousOwned[next] = previous
  }

  hasTokens(population: Population, handle: number): boolean {
    const head = this.#heads[population.index]
    return head !== undefined && head.data[handle & 0xffffff]! >= 0
  }

  /** An individual dies: its tokens end with it. */
  dying(population: Population, handle: number): void {
    const head = this.#heads[population.index]
    if (!head) return
    const slot = handle & 0xffffff
    for (let t = head.data[slot]!; t >= 0; t = head.data[slot]!) this.cancel(t)
  }

  // --- limits

  #limitOf(process: number, owner: number): string {
    return owner === -1 ? (this.#unowned[process] ??= `${process} -1`) : `${process} ${owner}`
  }

  #admit(process: number, owner: number): 'inside' | 'queue' | 'none' {
    const running = this.#running.get(this.#limitOf(process, owner)) ?? []
    if (running.length < this.processes.limit[process]!(owner)) return 'inside'
    const busy = this.processes.busy[process]!
    if (busy === 'restart' && running.length > 0) {
      this.cancel(running[0]!)
      return 'inside'
    }
    return busy === 'queue' ? 'queue' : 'none'
  }

  #enter(process: number, owner: number, t: number): void {
    const key = this.#limitOf(process, owner)
    const running = this.#running.get(key)
    if (running) running.push(t)
    else this.#running.set(key, [t])
  }

  /** The token exists, so that it is given its inputs, or the message that made it, like any other. */
  #queue(process: number, owner: number, t: number): void {
    this.tokens.touch(t)
    this.tokens.watching[t] = inLine
    const key = this.#limitOf(process, owner)
    const queue = this.#queued.get(key)
    if (queue) queue.push(t)
    else this.#queued.set(key, [t])
  }

  /** How many tokens of a process without an owner run, of those that may at a time. */
  runningOf(process: number): number {
    return this.#running.get(this.#limitOf(process, -1))?.length ?? 0
  }

  /** A new token of a process without an owner runs, or waits for its turn. */
  lineUp(t: number, runs: boolean): void {
    const process = this.tokens.process[t]!
    if (runs) this.#enter(process, -1, t)
    else this.#queue(process, -1, t)
  }

  /** A token ends: the next of its queue, which starts at this instant, after the current token; -1 where there is none. */
  leave(t: number): number {
    const { tokens } = this
    const process = tokens.process[t]!
    if (this.processes.limited[process] !== 1 || tokens.link[t] === link.fork) return -1
    const owner = tokens.owner[t]!
    const key = this.#limitOf(process, owner)
    const queue = this.#queued.get(key)
    if (tokens.watching[t] === inLine) {
      queue?.splice(queue.indexOf(t), 1)
      return -1
    }
    const running = this.#running.get(key)
    if (running) running.splice(running.indexOf(t), 1)
    const next = queue?.shift()
    if (next === undefined) return -1
    tokens.watching[next] = 0
    this.#enter(process, owner, next)
    return next
  }

  // --- waiting

  /** A timer start goes off after `gap`. */
  startAfter(process: number, owner: number, gap: number): void {
    if (!(gap >= 0 && gap < Infinity)) throw new RunError(10051)
    const { calendar, time } = this.world
    calendar.schedule(time + gap, phase.timer, 0, eventKind.timer, process, owner)
  }

  /** A timer start with an interval that is not random fires again, or for the first time after an interval. */
  startAgain(process: number, owner: number, every: number): void {
    this.startAfter(process, owner, this.cycles.span(process, owner, this.world.time, every))
  }

  /** Lets the token sleep for a while; it comes back to `pc`. */
  sleep(t: number, delay: number, pc: number): void {
    if (!(delay >= 0 && delay < Infinity)) throw new RunError(10051)
    const { tokens, world } = this
    tokens.pc[t] = pc
    tokens.until[t] = world.time + delay
    tokens.event[t] = world.calendar.schedule(world.time + delay, phase.timer, 0, eventKind.resume, t, 0)
  }

  /** Wakes a token at this instant, phase 1, behind what is already due then. */
  wake(t: number): void {
    const { calendar, time } = this.world
    if (!calendar.isDue && (this.wokenCount === 0 || this.wokenAt === time)) {
      this.wokenAt = time
      if (this.wokenCount === this.woken.length) this.woken = intsOf(this.woken, this.wokenCount * 2)
      this.woken[this.wokenCount++] = t
      this.hasWoken = true
    } else {
      // Its patience, if it had waited with a time-out.
      const { event } = this.tokens
      if (event[t]! >= 0) calendar.cancel(event[t]!)
      event[t] = calendar.schedule(time, phase.timer, 0, eventKind.resume, t, 0)
    }
  }

  /** Runs the tokens woken without the calendar, then those that signals reach. True when there were any. */
  runWoken(): boolean {
    this.hasWoken = false
    if (this.wokenCount === 0) return this.watches.runSignalled()
    for (let k = 0; k < this.wokenCount; k++) this.go(this.woken[k]!)
    this.wokenCount = 0
    this.watches.runSignalled()
    return true
  }

  /** The rest of them, when the first `done` have run. */
  finishWoken(done: number): void {
    for (let k = done; k < this.wokenCount; k++) this.go(this.woken[k]!)
    this.wokenCount = 0
  }

  /** The calendar's `resume` event. */
  resume(t: number): void {
    this.tokens.event[t] = -1
    this.go(t)
  }

  /** The token has asked a container and waits; it comes back to `pc`. */
  awaitGrant(t: number, pc: number): void {
    this.tokens.pc[t] = pc
    this.#asks(t, this.world.containers.lastRequest)
  }

  #asks(t: number, request: number): void {
    this.tokens.request[t] = request
    const slot = request & 0xffffff
    if (slot >= this.askers.length) {
      const wider = new Int32Array(Math.max(slot + 1, this.askers.length * 2)).fill(-1)
      wider.set(this.askers)
      this.askers = wider
    }
    this.askers[slot] = t
  }

  /** A container met a waiting request. */
  granted(request: number): void {
    const t = this.askers[request & 0xffffff] ?? -1
    if (t < 0 || this.tokens.request[t] !== request) return
    this.tokens.request[t] = -1
    const left = this.tokens.suspendedCount > 0 ? this.tokens.unsuspend(t) : -1
    if (left < 0) {
      this.noteGiven(t)
      this.wake(t)
    } else this.sleep(t, left, this.tokens.pc[t]!)
  }

  /** What was given to a token that waited for it, where a formula asks. */
  noteGiven(t: number): void {
    const step = this.tokens.pc[t]! >> 3
    if (this.asked[step]) this.#given.set(t, { step, what: this.#got(step) })
  }

  /** What a container operation gave the token: also when others were given something since. */
  gotten(t: number, step: number): unknown {
    const given = this.#given.get(t)
    this.#given.delete(t)
    return given?.step === step ? given.what : this.#got(step)
  }

  #got(step: number): unknown {
    const { amount, items, alternative } = this.containers.got
    if (this.asked[step] === 'row') return alternative
    return items.length > 0 ? [...items] : amount
  }

  /** Units were taken away from a holder: its running work stops until they come back. */
  preempted(holder: number, request: number, how: 'resume' | 'restart'): void {
    const { tokens } = this
    const t = this.#worker(holder)
    if (t < 0) return
    const left = tokens.event[t]! >= 0 ? Math.max(0, tokens.until[t]! - this.world.time) : 0
    if (tokens.event[t]! >= 0) this.world.calendar.cancel(tokens.event[t]!)
    tokens.event[t] = -1
    this.#asks(t, request)
    tokens.suspend(t, how === 'restart' ? tokens.length[t]! : left)
  }

  /** The token of a holder that is in the middle of a duration. */
  #worker(holder: number): number {
    const { tokens } = this
    // A token that waits for something else also has an event at the end of its patience.
    const works = (t: number): boolean => tokens.event[t]! >= 0 && tokens.request[t]! < 0
    if (works(holder)) return holder
    for (let t = 0; t < tokens.top; t++) if (tokens.pc[t]! >= 0 && tokens.holder[t] === holder && works(t)) return t
    return -1
  }

  /** An interrupting boundary event: cancels the activity and its requests; the token continues behind the event. */
  interrupt(t: number, step: number): void {
    const { tokens } = this
    const at = this.#isGiven(t) ? tokens.pc[t]! >> 3 : -1
    const isScope = this.#isAround(t)
    this.cancelChildren(t)
    this.forget(t)
    tokens.unsuspend(t)
    this.#given.delete(t)
    if (isScope && !this.#hasBranchesBeside(t)) this.world.containers.giveBackSince(tokens.holder[t]!, tokens.length[t]!)
    this.routines.interrupt.get(at)?.(t)
    tokens.pc[t] = step * 8
  }

  /** Whether a token waits for those inside a subprocess. */
  #isAround(t: number): boolean {
    const { tokens } = this
    for (let child = tokens.firstChild[t]!; child >= 0; child = tokens.nextSibling[child]!) if (tokens.outer[child] === t) return true
    return false
  }

  /** Whether tokens outside also hold units together with it: ownership of single units is then unknown. */
  #hasBranchesBeside(t: number): boolean {
    const { tokens } = this
    const holder = tokens.holder[t]!
    for (let at = t; at !== holder && tokens.parent[at]! >= 0; at = tokens.parent[at]!)
      for (let other = tokens.firstChild[tokens.parent[at]!]!; other >= 0; other = tokens.nextSibling[other]!)
        if (other !== at && tokens.holder[other] === holder && tokens.pc[other]! >= 0) return true
    return false
  }

  // --- forks and calls

  /** Splits a token: the original rests, one child goes to each position, the first runs first. */
  fork(t: number, positions: readonly number[], process: number, flows?: readonly number[]): readonly number[] {
    const { tokens } = this
    tokens.pc[t] = (tokens.pc[t]! & ~7) | 7
    tokens.joined[t] = -1
    const made: number[] = []
    for (const [k, pc] of positions.entries()) {
      const child = tokens.create(process, tokens.owner[t]!, pc, t, link.fork, tokens.born[t]!)
      tokens.root[child] = tokens.root[t]!
      tokens.outer[child] = tokens.outer[t]!
      tokens.holder[child] = tokens.holder[t]!
      const population = this.processes.population[process]!
      if (population >= 0) this.#hang(child, population)
      tokens.index[child] = tokens.index[t]!
      if (flows) tokens.flow[child] = flows[k]!
      this.routines.copy[process]!(t, child)
      made.push(child)
    }
    for (let k = made.length - 1; k >= 0; k--) this.push(made[k]!)
    return made
  }

  /** Starts a process for a waiting caller (`wait`) or in parallel to it; run by `drain`, first pushed last. Returns the token or -1. */
  call(process: number, owner: number, caller: number, wait: boolean): number {
    return this.begin(process, owner, wait ? caller : -1)
  }

  /** An inner process of a subprocess. */
  inside(process: number, t: number, at = 0): number {
    const { tokens } = this
    const child = this.#create(process, tokens.owner[t]!, t, false)
    tokens.outer[child] = t
    tokens.index[child] = at
    tokens.holder[child] = tokens.holder[t]!
    // Temporaries may read the token outside.
    this.routines.prepare[process]?.(child, tokens.owner[t]!)
    return child
  }

  /** The same for item `at` of the items at the token outside. */
  insideAt(process: number, t: number, at: number): number {
    return this.inside(process, t, at)
  }

  /** One inner process for each item, all at once, the first running first. */
  insideEach(process: number, t: number): void {
    const made: number[] = []
    const n = this.tokens.items[t]?.length ?? 0
    for (let at = 0; at < n; at++) made.push(this.insideAt(process, t, at))
    if (n === 0) this.push(t)
    for (let k = made.length - 1; k >= 0; k--) this.push(made[k]!)
  }

  /** The item an inner token is about. */
  item(t: number): unknown {
    const { tokens } = this
    return tokens.items[tokens.outer[t]!]?.[tokens.index[t]!] ?? null
  }

  /** Makes an extra token at `pc`, in parallel to `t`, for a boundary event that does not interrupt. */
  beside(t: number, pc: number): number {
    const { tokens } = this
    const process = tokens.process[t]!
    const made = tokens.create(process, tokens.owner[t]!, pc, tokens.parent[t]!, tokens.link[t]!, tokens.born[t]!)
    tokens.touch(made)
    tokens.outer[made] = tokens.outer[t]!
    tokens.index[made] = 0
    if (tokens.parent[t]! >= 0) tokens.root[made] = tokens.root[t]!
    const population = this.processes.population[process]!
    if (population >= 0) this.#hang(made, population)
    if (this.processes.limited[process] === 1 && tokens.link[made] !== link.fork) this.#enter(process, tokens.owner[made]!, made)
    this.routines.copy[process]!(t, made)
    return made
  }

  /** A child of a fork arrived in a synchronizing join: true when it has no siblings and simply continues. */
  synchronize(t: number, step: number): boolean {
    const { tokens } = this
    const parent = tokens.parent[t]!
    if (parent < 0 || tokens.link[t] !== link.fork) return true
    tokens.joined[parent] = step
    this.#drop(t, false)
    this.#childGone(parent)
    return false
  }

  /** A child arrived in a join and is swallowed. */
  swallow(t: number): void {
    const parent = this.tokens.parent[t]!
    this.#drop(t, false)
    if (parent >= 0) this.#childGone(parent)
  }

  /** All living children of a fork met in a join: they end, and the original takes their position. */
  reunite(parent: number, children: readonly number[], step: number): void {
    this.tokens.joined[parent] = step
    for (const child of children) this.swallow(child)
  }

  // --- state

  save(write: (value: unknown) => State): State {
    return {
      tokens: this.tokens.save(write),
      joins: this.joins.save(),
      watches: this.watches.save(),
      ...(this.cycles.isEmpty ? {} : { cycles: this.cycles.save() }),
      suspended: this.tokens.suspensions(),
      running: [...this.#running].map(([key, list]) => [key, ...list]),
      queued: [...this.#queued].map(([key, list]) => [key, ...list]),
    }
  }

  load(saved: State, read: (state: State) => unknown): void {
    const state = recordOf(saved)
    this.tokens.load(state['tokens'] ?? null, read)
    this.joins.load(state['joins'] ?? null)
    this.watches.load(state['watches'] ?? null)
    this.cycles.load(state['cycles'])
    this.askers.fill(-1)
    for (let t = 0; t < this.tokens.top; t++)
      if (this.tokens.pc[t]! >= 0 && this.tokens.request[t]! >= 0) this.#asks(t, this.tokens.request[t]!)
    const suspended = numbersOf(state['suspended'])
    this.tokens.suspended.fill(-1)
    this.tokens.suspendedCount = 0
    for (let k = 0; k + 1 < suspended.length; k += 2) this.tokens.suspend(suspended[k]!, suspended[k + 1]!)
    this.#given.clear()
    loadLists(this.#running, state['running'])
    loadLists(this.#queued, state['queued'])
    this.stacked = 0
    this.wokenCount = 0
  }
}

function loadLists(map: Map<string, number[]>, state: State | undefined): void {
  map.clear()
  if (!Array.isArray(state)) return
  for (const entry of state) if (Array.isArray(entry)) map.set(String(entry[0]), numbersOf(entry.slice(1)))
}
