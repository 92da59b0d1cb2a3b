// The engine's part of a run: what starts by the clock, births and deaths, mail, output, and the counters all this needs.
import { chainModule } from '../chain.ts'
import type { ChainOptions, Chains } from '../chain/run.ts'
import type { Program } from '../compile.ts'
import { show } from '../formula/runtime/show.ts'
import { recordOf } from '../kernel/snapshot.ts'
import type { State, ValueReader, ValueWriter } from '../kernel/snapshot.ts'
import type { Population } from '../world/population.ts'
import type { Container, Schedule } from '../world/container.ts'
import type { World } from '../world/world.ts'
import { ContainerSets } from './clockwork/container-sets.ts'
import { Gates } from './clockwork/gates.ts'
import type { LineHooks, MeterHooks, StepHook } from './clockwork/hooks.ts'
import { Starts } from './clockwork/starts.ts'
import type { Entries } from './entries.ts'
import type { Kernel } from './kernel.ts'
import { Decisions } from './decisions.ts'

export type OutputLine = { tick: number; element: string; text: string }

/** Most lines of output kept between two frames. */
const outputLimit = 1000

/** Marks that generated code reads and writes. */
type Marks = {
  /** Next values of simultaneous individuals wait for the end of the instant. */
  pending: boolean
  /** Values were set from outside: active sets start afresh. */
  stirred: boolean
}

export class Clockwork {
  readonly output: OutputLine[] = []
  readonly decisions: Decisions
  /** Null where the model has no chain. */
  readonly chains: Chains | null
  /** Called with each step when the program is a debug build. */
  trace: StepHook | null = null
  lines: LineHooks | null = null
  meter: MeterHooks | null = null
  /** Called where a program reaches what is sought; may throw an Interrupt. */
  found: (() => void) | null = null
  statistic: (index: number) => unknown = () => null
  readonly containers: ContainerSets
  readonly starts: Starts
  readonly gates: Gates
  /** Those that generated code has, once it was evaluated. */
  marks: Marks = { pending: false, stirred: false }
  readonly #program: Program
  readonly #world: World
  readonly #kernel: Kernel
  readonly #outputs = new Map<number, unknown[]>()
  #entries: Entries | null = null

  constructor(program: Program, world: World, kernel: Kernel, chainOptions: ChainOptions | undefined) {
    const { parts } = program.checked
    this.#program = program
    this.#world = world
    this.#kernel = kernel
    this.decisions = new Decisions(world, kernel, step => kernel.processes.population[parts.steps[step]!.process.index]!)
    this.chains = parts.chains.length > 0 ? new (chainModule().Chains)(parts, world, kernel, chainOptions) : null
    this.containers = new ContainerSets(parts.containers, world)
    this.starts = new Starts(parts.processes.length)
    this.gates = new Gates(world, kernel, () => this.entries.release)
    kernel.watches.startBy = (process, handle, payload) => {
      const t = kernel.begin(process, handle)
      if (t < 0) return
      if (payload !== undefined) this.entries.receive[process]!(t, payload, kernel.tokens.pc[t]! >> 3)
      kernel.push(t)
      kernel.drain()
    }
  }

  get entries(): Entries {
    if (this.#entries === null) throw new Error('the program was not evaluated yet')
    return this.#entries
  }

  /** The functions of the program, once it was evaluated. */
  begin(entries: Entries): void {
    this.#entries = entries
  }

  print(step: number, value: unknown): void {
    const { steps, scenario } = this.#program.checked.parts
    if (this.output.length < outputLimit)
      this.output.push({ tick: this.#world.tick, element: steps[step]?.id ?? scenario.id, text: show(value) })
  }

  outputOf(step: number): unknown[] {
    const known = this.#outputs.get(step)
    if (known) return known
    const made: unknown[] = []
    this.#outputs.set(step, made)
    return made
  }

  born(population: Population, handle: number): void {
    const birth = this.entries.births[population.index]!
    const slot = population.slotOf(handle)
    // The formula that gave birth continues from here: failures are reported at its place, not at a first value's.
    const place = this.entries.place()
    birth.fresh(slot, -1)
    birth.place(slot)
    birth.init(handle, slot)
    birth.settle(handle, slot)
    birth.begin(handle, slot)
    this.entries.setPlace(place)
  }

  dying(population: Population, handle: number): void {
    const kernel = this.#kernel
    this.decisions.dying(population.index, handle)
    kernel.dying(population, handle)
    if (kernel.watches.size > 0) kernel.watches.forget(population.index, handle)
    if (!kernel.cycles.isEmpty)
      for (const { index } of this.#program.checked.parts.entities[population.index]?.processes ?? []) kernel.cycles.forget(index, handle)
    this.containers.destroyOf(population.index, handle & 0xffffff)
  }

  /** Whether next values of simultaneous individuals wait for the end of the instant. */
  get isPending(): boolean {
    return this.marks.pending
  }

  /** Another state comes: what a tick that was interrupted has left for its commit is nothing any more. */
  rewind(): void {
    this.marks.pending = false
  }

  /** A value was set from outside. */
  stir(): void {
    this.marks.stirred = true
  }

  containersOf(index: number): Container[] {
    return this.containers.of(index)
  }

  follow(index: number, schedule: Schedule): void {
    this.containers.follow(index, schedule)
  }

  shift(index: number): number {
    return this.containers.shift(index)
  }

  /** Releases tokens collected at a token-filter gateway. */
  releaseAt(step: number): void {
    this.gates.release(step)
  }

  /** A token that waited for a container has waited long enough. */
  expire(t: number): void {
    const { event, pc, until } = this.#kernel.tokens
    // It was given what it waited for when something else was due at that instant: another event brings or brought it on.
    if (event[t]! < 0 || this.#world.calendar.isWaiting(event[t]!)) return
    event[t] = -1
    pc[t] = until[t]!
    this.#kernel.push(t)
    this.#kernel.drain()
  }

  save(values: ValueWriter): State {
    return {
      containers: this.containers.save(),
      firings: this.starts.save(),
      decisions: this.decisions.save(),
      collected: this.gates.save(),
      outputs: [...this.#outputs].map(([step, list]) => [step, ...Array.from(list, value => values.write(value ?? null))]),
    }
  }

  load(saved: State, values: ValueReader): void {
    const state = recordOf(saved)
    const lists = (name: string): readonly State[] => (Array.isArray(state[name]) ? state[name] : [])
    this.starts.load(lists('firings'))
    this.containers.load(lists('containers'))
    this.decisions.load(state['decisions'] ?? [])
    this.gates.load(lists('collected'))
    for (const entry of lists('outputs')) {
      if (!Array.isArray(entry)) continue
      const kept = this.outputOf(Number(entry[0]))
      kept.length = 0
      for (const value of entry.slice(1)) kept.push(values.read(value))
    }
  }
}
