// A run with its past: snapshots at some instants and every input with the instant it came before. Any instant is reached
// again by restoring the nearest snapshot and running on; because runs are deterministic, the state is the same bit for bit.
import type { Id } from '../../model-schema/model.ts'
import type { ChainOptions } from '../chain/run.ts'
import type { Program } from '../compile.ts'
import type { State } from '../kernel/snapshot.ts'
import type { Frame, Origin, Plain, RunOptions } from '../messages.ts'
import { start, type Run, type Snapshot } from '../run.ts'
import { Interrupt, type LineHooks, type MeterHooks, type StepHook } from '../run/clockwork/hooks.ts'

/** After all instants up to a model time (below 0: before the first), or after so many instants. */
export type SeekTarget = { time: number } | { instants: number }

type Checkpoint = { instants: number; time: number; snapshot: Snapshot; bytes: number }
type Input = { at: number; do: 'set' | 'press' | 'answer'; id: Id; value: Plain }
type Line = Frame['output'][number]

export const checkpointLimit = 200
/** Bytes of all snapshots together. */
const memoryLimit = 192_000_000
/** Least milliseconds of running between two snapshots, and how many times its own cost at least: so they take under 4% of the time. */
const gap = { least: 40, costs: 25 }
/** A stretch of instants: as many as take about so many milliseconds, and no more than so many. */
const stretch = { least: 1, most: 4, instants: 65_536 }
/** Milliseconds that the first instant may take to be drawn before anybody plays. */
const openingTime = 250
/** Lines of output kept for going back. */
const lineLimit = 5_000

export class Timeline {
  /** Replaced when going back before the first snapshot: don't keep it. */
  run: Run
  /** Instants run so far. */
  instants = 0
  /** In the middle of the next instant: only `seek` leads out. */
  broken = false
  /** Called before each step when the program is a debug build. */
  hook: StepHook | null = null
  /** The same inside formulas. */
  lines: LineHooks | null = null
  /** Called where a build that seeks finds. */
  found: (() => void) | null = null
  #meter: MeterHooks | null = null
  #program: Program
  readonly #options: RunOptions
  readonly #chains: ChainOptions | undefined
  readonly #now: () => number
  #log: Input[] = []
  /** First input not yet given. */
  #next = 0
  #checkpoints: Checkpoint[] = []
  #checkpointAt: number
  #cost = 0
  #tooLarge = false
  /** Arrays that snapshots share count once. */
  readonly #counted = new WeakSet<object>()
  /** Lines of all instants ever run, with their instant; those ahead of the present are shown again when it gets there. */
  #lines: { instants: number; line: Line }[] = []
  #collected = 0
  /** Lines of the instant it is in the middle of. */
  #partial: Line[] = []
  /** Lines already taken. */
  #taken = 0
  #rewound = false
  /** The run of `shown` before the first instant; null while it isn't made. */
  #opening: Run | null = null
  /** Milliseconds that making the run took. */
  readonly #startTook: number
  #target: SeekTarget | null = null
  /** Instants that make a stretch. */
  #stride = 1

  /** `now` is a clock in milliseconds: it decides when snapshots are taken, never what they hold. */
  constructor(program: Program, options: RunOptions, now: () => number, chains?: ChainOptions) {
    this.#chains = chains
    this.#program = program
    this.#now = now
    this.#checkpointAt = now()
    this.run = start(program, options, chains)
    this.#startTook = now() - this.#checkpointAt
    this.#options = { ...options, seed: this.run.seed }
    this.#attach()
  }

  get program(): Program {
    return this.#program
  }

  /** Called by metered builds with where time goes. */
  set meter(meter: MeterHooks | null) {
    this.#meter = meter
    this.run.inner.built.clockwork.meter = meter
  }

  /** How the run began, with its seed. */
  get options(): RunOptions {
    return this.#options
  }

  /** The current state, for another timeline of the same model to continue from. Within an instant: the state at its start. */
  get origin(): Origin {
    if (!this.broken && !this.run.result) this.checkpoint()
    const checkpoint = this.#checkpoints.findLast(one => one.instants <= this.instants) ?? null
    const { run } = this
    return {
      options: this.#options,
      inputs: this.#log.filter(one => one.at <= this.instants),
      instants: this.instants,
      tick: run.tick,
      checkpoint,
      charts: run.inner.charts.rows,
    }
  }

  /** Takes over the past of another run, so that `seek` leads to where that stood. Before its first instant only. */
  adopt(origin: Origin): void {
    this.#log = [...origin.inputs]
    this.#resume()
    const { checkpoint } = origin
    if (checkpoint) this.#checkpoints = [{ ...checkpoint, snapshot: snapshotOf(checkpoint.snapshot) }]
    this.run.inner.charts.rows = origin.charts
  }

  get checkpoints(): readonly { readonly instants: number; readonly time: number; readonly bytes: number }[] {
    return this.#checkpoints
  }

  /**
   * The run to draw. Before the first instant a copy that has made it, where something happens in it: what starts and births give individuals is
   * seen before the run is started. Where that fails or takes too long, the run as it is.
   */
  get shown(): Run {
    if (this.run.state !== 'ready') {
      this.#opening = null
      return this.run
    }
    const { world, kernel } = this.run.inner.built
    if (world.calendar.nextTime > 0 && kernel.watches.isBlind && this.#log.length === 0) return this.run
    this.#opening ??= this.#open()
    return this.#opening
  }

  #open(): Run {
    if (this.#startTook > openingTime) return this.run
    const run = start(this.#program, this.#options, this.#chains)
    for (const input of this.#log) if (input.at === 0) give(run, input)
    const until = this.#now() + openingTime
    try {
      run.advance({ instants: 1, tired: () => this.#now() > until })
    } catch (error) {
      if (error instanceof Interrupt) return this.run
      throw error
    }
    return run.result?.end === 'failed' ? this.run : run
  }

  /** When the next instant is; never, while a person is asked. */
  get nextTime(): number {
    if (this.run.isAsking) return Infinity
    return this.run.state === 'ready' ? 0 : this.run.world.calendar.nextTime
  }

  /** Runs one instant, with the inputs that belong to it. An Interrupt of the hook comes through and leaves the timeline `broken`. */
  advance(): void {
    this.#go(1, Infinity, () => false)
  }

  /** Runs a few milliseconds of instants, but none after `until` nor more than `most`: the same as so many times one. */
  leap(until = Infinity, most = Infinity): void {
    const input = this.#log[this.#next]
    const asked = Math.min(this.#stride, most, input ? input.at - this.instants : Infinity)
    const began = this.#now()
    const made = this.#go(asked, until, () => this.#now() - began > stretch.most)
    const took = this.#now() - began
    if (took > stretch.most) this.#stride = Math.max(1, this.#stride >> 1)
    else if (took < stretch.least && made === this.#stride) this.#stride = Math.min(2 * made, stretch.instants)
  }

  /** Returns how many instants it made. */
  #go(instants: number, until: number, enough: () => boolean): number {
    if (this.broken) throw new RangeError('timeline: in the middle of an instant')
    const { run } = this
    try {
      run.advance({ instants, until, enough })
    } catch (error) {
      this.instants += run.made
      if (error instanceof Interrupt) {
        this.broken = true
        this.#partial = run.takeOutput()
        this.#rewound = true
      }
      throw error
    }
    this.instants += run.made
    this.#collect()
    this.#give()
    if (!run.result && this.#now() - this.#checkpointAt >= Math.max(gap.least, gap.costs * this.#cost)) this.checkpoint()
    return run.made
  }

  /** Sets a public variable, presses a button, or answers what is asked before the next instant. A changed past has another future: later inputs and snapshots go. */
  input(what: Input['do'], id: Id, value: Plain): void {
    const { instants } = this
    this.#log = this.#log.filter(one => one.at <= instants)
    this.#checkpoints = this.#checkpoints.filter(one => one.instants <= instants)
    this.#lines = this.#lines.filter(one => one.instants <= instants)
    this.#collected = Math.min(this.#collected, instants)
    this.run.inner.charts.forget()
    this.#opening = null
    // The instant under way has begun without it.
    const made: Input = { at: this.broken ? instants + 1 : instants, do: what, id, value }
    if (!this.broken) give(this.run, made)
    this.#log.push(made)
    this.#next = this.broken ? this.#log.length - 1 : this.#log.length
  }

  /** Keeps the state as it is now. */
  checkpoint(): void {
    if (this.#tooLarge || this.broken || this.#checkpoints.some(one => one.instants === this.instants)) return
    const began = this.#now()
    const snapshot = this.run.snapshot()
    const bytes = sizeOf(snapshot.state, this.#counted)
    const after = this.#checkpoints.findIndex(one => one.instants > this.instants)
    this.#checkpoints.splice(after < 0 ? this.#checkpoints.length : after, 0, {
      instants: this.instants,
      time: this.run.time,
      snapshot,
      bytes,
    })
    this.#thin()
    this.#checkpointAt = this.#now()
    this.#cost = this.#checkpointAt - began
  }

  /** Sets out for another time; `work` gets there. */
  seek(target: SeekTarget): void {
    this.#target = target
    const fits = (at: { instants: number; time: number }): boolean =>
      'time' in target ? at.time <= target.time : at.instants <= target.instants
    const nearest = this.#checkpoints.findLast(fits) ?? null
    const here = { instants: this.instants, time: this.instants === 0 ? -1 : this.run.time }
    if (
      this.broken ||
      this.run.result !== null ||
      this.run.program !== this.#program ||
      !fits(here) ||
      (nearest !== null && nearest.instants > here.instants)
    )
      this.#restore(nearest)
  }

  /** Runs towards the target until there or until `enough`. True when there. */
  work(enough: () => boolean = () => false): boolean {
    while (!this.#arrived()) {
      const target = this.#target
      if (target && 'time' in target) this.leap(target.time)
      else this.leap(Infinity, (target?.instants ?? Infinity) - this.instants)
      if (enough() && !this.#arrived()) return false
    }
    this.#target = null
    return true
  }

  /** Continues with another build of the same program, from the same state; within an instant, from its start. */
  become(program: Program): void {
    if (program === this.#program) return
    if (this.broken) {
      this.#program = program
      this.seek({ instants: this.instants })
      this.work()
      return
    }
    const snapshot = this.run.result || this.instants === 0 ? null : this.run.snapshot()
    this.#program = program
    if (this.run.result) return
    if (!snapshot) return this.#restore(null)
    const { instants } = this
    if (this.#enter(snapshot)) this.#resume()
    else {
      this.#restore(null)
      this.seek({ instants })
      this.work()
    }
  }

  /** Lines for the next frame: those since the last call, or all after a journey. */
  takeOutput(): { output: Line[]; rewound: boolean } {
    const rewound = this.#rewound
    const first = rewound ? 0 : this.#taken
    let last = first
    while (last < this.#lines.length && this.#lines[last]!.instants <= this.instants) last++
    this.#rewound = false
    this.#taken = last
    return { output: [...this.#lines.slice(first, last).map(one => one.line), ...this.#partial.splice(0)], rewound }
  }

  #attach(): void {
    this.run.inner.charts.keepsHistory = true
    this.run.decisions.record()
    this.run.inner.built.clockwork.chains?.keepCalls()
    this.run.onStep = (...given) => this.hook?.(...given)
    const { clockwork } = this.run.inner.built
    clockwork.lines = {
      line: (...given) => this.lines?.line(...given),
      enter: (...given) => this.lines?.enter(...given),
      leave: () => this.lines?.leave(),
    }
    clockwork.meter = this.#meter
    clockwork.found = () => this.found?.()
  }

  #restore(checkpoint: Checkpoint | null): void {
    const kept = checkpoint && this.#enter(checkpoint.snapshot) ? checkpoint : null
    if (!kept) {
      const { charts } = this.run.inner
      this.run = start(this.#program, this.#options, this.#chains)
      this.run.inner.charts.adopt(charts)
      this.run.inner.charts.rewind(-1)
      this.#attach()
    }
    this.instants = kept?.instants ?? 0
    this.run.takeOutput()
    this.#partial = []
    this.broken = false
    this.#rewound = true
    this.#checkpointAt = this.#now()
    this.#resume()
  }

  /** Puts a run of this program into a state. False when the state is of a build with other columns: then the past must be made again. */
  #enter(snapshot: Snapshot): boolean {
    const old = this.run
    try {
      if (old.program !== this.#program) {
        this.run = start(this.#program, this.#options, this.#chains)
        this.run.inner.charts.adopt(old.inner.charts)
        this.#attach()
      }
      this.run.restore(snapshot)
      return true
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
      this.#checkpoints = []
      return false
    }
  }

  /** The inputs of the instants to come are yet to be given. */
  #resume(): void {
    const next = this.#log.findIndex(one => one.at >= this.instants)
    this.#next = next < 0 ? this.#log.length : next
    this.#give()
  }

  #arrived(): boolean {
    const target = this.#target
    if (!target || this.run.result || this.run.isAsking) return true
    return 'time' in target ? this.nextTime > target.time : this.instants >= target.instants
  }

  /** Gives the run what comes before the next instant. */
  #give(): void {
    for (let input = this.#log[this.#next]; input && input.at <= this.instants; input = this.#log[++this.#next]) give(this.run, input)
  }

  #collect(): void {
    const { instants } = this
    const lines = this.run.takeOutput()
    if (instants <= this.#collected) return
    this.#collected = instants
    for (const line of lines) this.#lines.push({ instants, line })
    if (this.#lines.length <= lineLimit * 2) return
    const gone = this.#lines.length - lineLimit
    this.#lines.splice(0, gone)
    this.#taken = Math.max(0, this.#taken - gone)
  }

  /** Drops every second snapshot while there are too many. One that takes half the memory alone is not worth having. */
  #thin(): void {
    const bytes = (): number => this.#checkpoints.reduce((sum, one) => sum + one.bytes, 0)
    while (this.#checkpoints.length > checkpointLimit || bytes() > memoryLimit) {
      if (this.#checkpoints.length === 1) {
        this.#tooLarge = true
        this.#checkpoints = []
        return
      }
      this.#checkpoints = this.#checkpoints.filter((_, k) => k % 2 === 0)
    }
  }
}

function give(run: Run, input: Input): void {
  if (input.do === 'set') run.set(input.id, input.value)
  else if (input.do === 'answer') run.answer(input.value)
  else run.press(input.id)
}

/** What came from another engine; a damaged one is refused by `restore`. */
function snapshotOf(value: unknown): Snapshot {
  if (typeof value !== 'object' || value === null || !('version' in value) || !('program' in value) || !('state' in value))
    throw new RangeError('timeline: a damaged snapshot')
  const { version, program, state } = value
  if (version !== 1 || typeof program !== 'string') throw new RangeError('timeline: a snapshot of another version')
  return { version, program, state: state as State }
}

/** Bytes of a state tree, roughly, without the arrays that were counted before. */
function sizeOf(state: State, counted: WeakSet<object>): number {
  if (state === null || typeof state === 'boolean') return 4
  if (typeof state === 'number') return 8
  if (typeof state === 'string') return 24 + 2 * state.length
  if (ArrayBuffer.isView(state)) {
    if (counted.has(state)) return 0
    counted.add(state)
    return 100 + (state as Uint8Array).byteLength
  }
  let bytes = 48
  for (const part of Object.values(state)) bytes += 8 + sizeOf(part, counted)
  return bytes
}
