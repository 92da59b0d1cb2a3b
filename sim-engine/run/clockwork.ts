// The engine's part of `X`: what starts by the clock, births and deaths, mail, output, and the counters all this needs.
import { chainModule } from '../chain.ts'
import type { ChainOptions, Chains } from '../chain/run.ts'
import type { Program } from '../compile.ts'
import type { Runtime } from '../formula.ts'
import { show } from '../formula/runtime/show.ts'
import { recordOf } from '../kernel/snapshot.ts'
import type { State, ValueReader, ValueWriter } from '../kernel/snapshot.ts'
import { RunError } from '../problems.ts'
import type { Place } from '../problems.ts'
import type { Container, Schedule } from '../world/container.ts'
import type { Population } from '../world/population.ts'
import type { World } from '../world/world.ts'
import type { Entries, Stores } from './entries.ts'
import { capacityOf, containerPlan, contentsOf } from './stock.ts'
import { eventKind, lastPriority, phase } from './events.ts'
import type { Kernel } from './kernel.ts'
import { askedNetwork, Decisions, networkCalls, pointOf, seenNumber, type DecisionFormulas } from './decisions.ts'
import { sharedValue } from './statistics.ts'
import { fail, toGap, toNumber } from './surface/numbers.ts'
import { numbersOf } from './tokens.ts'
import type { Role } from './watches.ts'

/** Thrown by a debugger's hook to stop in the middle of an instant: the run can be looked at, and goes on only from a snapshot. */
// oxlint-disable-next-line typescript/no-extraneous-class
export class Interrupt {}

/** Values of the temporaries of an activation without a token, in the order of the process's temporaries. */
export type RowLocals = () => readonly unknown[]

/** What a debug build calls before each step. `t` is -1 for an activation without a token, `condition` the step's breakpoint condition. */
export type StepHook = (
  t: number,
  step: number,
  self: number,
  locals: RowLocals | null,
  condition: (() => unknown) | null,
  watches: readonly (() => unknown)[] | null,
) => void

/** What a debug build calls inside formulas. */
export type LineHooks = {
  /** Before a statement that begins at `from` in the formula at `place`. */
  line(
    place: number,
    from: number,
    self: number,
    locals: RowLocals | null,
    condition: (() => unknown) | null,
    watches: readonly (() => unknown)[] | null,
  ): void
  /** A function, a program, or an expression that calls a function begins; `step` is -1 unless it is a step's own program. */
  enter(place: number, self: number, t: number, step: number): void
  leave(): void
}

/** What a metered build tells as it goes: see `debug/meter.ts`. */
export type MeterHooks = {
  /** Time goes to this spot from now on; returns where it went before. */
  enter(spot: number): number
  /** A step of the process that runs begins. */
  step(spot: number): void
  leave(): void
  /** Back to where it was, whatever did not end in between. */
  back(to: number): void
}

/** Thrown by a terminating end event: the run is over at once. */
export class Terminated {
  readonly step: number
  constructor(step: number) {
    this.step = step
  }
}

export type OutputLine = { tick: number; element: string; text: string }

/** Most lines of output kept between two frames. */
const outputLimit = 1000

export type Clockwork = {
  readonly output: OutputLine[]
  readonly decisions: Decisions
  /** Null where the model has no chain. */
  readonly chains: Chains | null
  print(step: number, value: unknown): void
  born(population: Population, handle: number): void
  dying(population: Population, handle: number): void
  containersOf(index: number): Container[]
  /** All containers of a part, also those made later, have this capacity schedule. */
  follow(index: number, schedule: Schedule): void
  /** A row of a schedule begins: the new capacity, and the time of the next. */
  shift(index: number): number
  /** Releases tokens collected at a token-filter gateway. */
  releaseAt(step: number): void
  /** A value was set from outside. */
  stir(): void
  /** Another state comes: what a tick that was interrupted has left for its commit is nothing any more. */
  rewind(): void
  /** Whether next values of simultaneous individuals wait for the end of the instant. */
  readonly isPending: boolean
  /** A token that waited for a container has waited long enough. */
  expire(t: number): void
  /** Called with each step when the program is a debug build. */
  trace: StepHook | null
  lines: LineHooks | null
  meter: MeterHooks | null
  /** Called where a program reaches what is sought; may throw an Interrupt. */
  found: (() => void) | null
  statistic: (index: number) => unknown
  save(values: ValueWriter): State
  load(state: State, values: ValueReader): void
}

/** Makes something; what goes wrong in it is a fault of this field. */
function located<T>(at: Place, make: () => T): T {
  try {
    return make()
  } catch (error) {
    if (error instanceof RunError) error.at ??= at
    throw error
  }
}

export function engineSurface(chainOptions?: ChainOptions) {
  let clockwork: Clockwork | null = null
  let entries: Entries | null = null
  return {
    attach(this: object, program: Program, world: World, kernel: Kernel, _runtime: Runtime, stores: Stores) {
      const { parts } = program.checked
      const { calendar } = world
      /** Firings of a timer start so far, by process, then owner. */
      const firings = parts.processes.map(() => new Map<number, number>())
      /** The same of processes that are nobody's: the owner is -1. */
      const globalFirings = new Float64Array(parts.processes.length)
      const outputs = new Map<number, unknown[]>()
      /** Tokens collected at token-filter gateways, by step. */
      const collected = new Map<number, number[]>()
      const output: OutputLine[] = []
      const containerSets: Container[][] = parts.containers.map(() => [])
      const schedules: Schedule[] = []
      /** What is asked for may come with a later row; what no row offers never will. */
      const scheduled = (container: Container, schedule: Schedule): void => {
        const capacity = schedule.at(world.time)
        if (capacity !== null) world.containers.shift(container, capacity)
        container.highest = schedule.highest
      }
      kernel.watches.startBy = (process, handle, payload) => {
        const t = kernel.begin(process, handle)
        if (t < 0) return
        if (payload !== undefined) entries!.receive[process]!(t, payload, kernel.tokens.pc[t]! >> 3)
        kernel.push(t)
        kernel.drain()
      }
      // Parameters are named one by one: these are called with each step and each statement of a debug build.
      const step: StepHook = (t, at, self, locals, condition, watches) => clockwork?.trace?.(t, at, self, locals, condition, watches)
      const line: LineHooks['line'] = (place, from, self, locals, condition, watches) =>
        clockwork?.lines?.line(place, from, self, locals, condition, watches)
      const decisions = new Decisions(world, step => kernel.processes.population[parts.steps[step]!.process.index]!)
      const chains = parts.chains.length > 0 ? new (chainModule().Chains)(parts, world, kernel, chainOptions) : null
      const surface = {
        ...this,
        ...stores,
        ...networkCalls(id => world.stream(`network ${id}`)),
        networkAt: (index: number) => askedNetwork(parts.networks[index]!),
        decidesAt: (step: number, formulas: DecisionFormulas): void => decisions.add(pointOf(parts.steps[step]!, parts.networks), formulas),
        seenNumber,
        decide: (step: number, self: number, t: number) => decisions.decide(step, self, t),
        shared: (index: number): unknown => sharedValue(parts.shared[index]!, stores, world),
        chains,
        containerSets,
        /** Firings of timer starts that are nobody's, by process. */
        fired: globalFirings,
        pending: false,
        /** Values were set from outside: active sets start afresh. */
        stirred: false,
        outputOf(step: number): unknown[] {
          const known = outputs.get(step)
          if (known) return known
          const made: unknown[] = []
          outputs.set(step, made)
          return made
        },
        step,
        line,
        enter: (place: number, self: number, t = -1, step = -1): void => clockwork?.lines?.enter(place, self, t, step),
        leave<T>(value: T): T {
          clockwork?.lines?.leave()
          return value
        },
        found: (): void => clockwork?.found?.(),
        meter: (spot: number): number => clockwork?.meter?.enter(spot) ?? 0,
        meterStep: (spot: number): void => clockwork?.meter?.step(spot),
        metered<T>(value: T): T {
          clockwork?.meter?.leave()
          return value
        },
        meteredTo: (to: number): void => clockwork?.meter?.back(to),
        statistic: (index: number): unknown => clockwork?.statistic(index) ?? null,
        print: (step: number, value: unknown): void => clockwork?.print(step, value),
        terminate(step: number): never {
          throw new Terminated(step)
        },
        /** An error end event: caught by the callers, or an error of the run. */
        raiseError(t: number, code: string): void {
          if (!kernel.throwTo(t, code, false)) throw new RunError(10050, [code])
        },
        newContainer(index: number, initial: unknown, capacity: unknown): Container {
          const part = parts.containers[index]!
          const plan = containerPlan(part.element, part.name)
          const made = located({ id: part.id, field: 'initial' }, () =>
            world.containers.create(plan, contentsOf(plan, initial), capacityOf(plan, capacity, initial)),
          )
          if (part.level !== 'individual') containerSets[index]!.push(made)
          const schedule = schedules[index]
          if (schedule) scheduled(made, schedule)
          return made
        },

        // --- starts
        startSoon: (process: number, owner: number): void => {
          calendar.schedule(world.time, phase.tick, 0, eventKind.birth, process, owner)
        },
        startAt(process: number, owner: number, times: unknown): void {
          if (!Array.isArray(times)) return fail(10010)
          for (const time of times) {
            const at = toNumber(time)
            if (at < world.time) fail(10052)
            calendar.schedule(at, phase.timer, 0, eventKind.timer, process, owner)
          }
        },
        startsLeft(process: number, owner: number, maximum: unknown): boolean {
          if (owner < 0) {
            if (globalFirings[process]! >= toNumber(maximum)) return false
            globalFirings[process]!++
            return true
          }
          const used = firings[process]!.get(owner) ?? 0
          if (used >= toNumber(maximum)) return false
          firings[process]!.set(owner, used + 1)
          return true
        },
        arrive(process: number, owner: number, count: number): void {
          for (let k = 0; k < count; k++) kernel.spawn(process, owner)
        },

        // --- waiting
        watchTimer(t: number, step: number, role: Role, delay: unknown): void {
          kernel.watches.timer(t, step, role, toGap(delay))
        },
        expireAfter(t: number, delay: unknown, pc: number): void {
          kernel.tokens.until[t] = pc
          kernel.tokens.event[t] = calendar.schedule(world.time + toGap(delay), phase.timer, lastPriority, eventKind.expire, t, pc)
        },
        collect(t: number, step: number): void {
          const list = collected.get(step) ?? []
          if (list.length === 0) {
            const every = toGap(entries!.release.get(step)!.every(t))
            calendar.schedule(nextRelease(world.time, every), phase.timer, 0, eventKind.gate, step, 0)
          }
          list.push(kernel.tokens.serial[t]!, t)
          collected.set(step, list)
        },

        // --- mail
        send(type: number, population: number, handle: number, payload: unknown, delay: unknown): void {
          const message = world.mail.send(type, population, handle, payload)
          calendar.schedule(world.time + toGap(delay), phase.message, 0, eventKind.message, message, 0)
        },
      }
      clockwork = {
        output,
        decisions,
        chains,
        trace: null,
        lines: null,
        meter: null,
        found: null,
        statistic: () => null,
        print(step, value) {
          if (output.length < outputLimit)
            output.push({ tick: world.tick, element: parts.steps[step]?.id ?? parts.scenario.id, text: show(value) })
        },
        born(population, handle) {
          const birth = entries!.births[population.index]!
          const slot = population.slotOf(handle)
          birth.fresh(slot, -1)
          birth.place(slot)
          birth.init(handle, slot)
          birth.settle(handle, slot)
          birth.begin(handle, slot)
        },
        dying(population, handle) {
          decisions.dying(population.index, handle)
          kernel.dying(population, handle)
          if (kernel.watches.size > 0) kernel.watches.forget(population.index, handle)
          if (!kernel.cycles.isEmpty)
            for (const { index } of parts.entities[population.index]?.processes ?? []) kernel.cycles.forget(index, handle)
          for (const part of parts.containers)
            if (part.level === 'individual' && part.entity?.index === population.index) {
              const set = containerSets[part.index]!
              const container = set[handle & 0xffffff]
              if (!container) continue
              delete set[handle & 0xffffff]
              world.containers.destroy(container)
            }
        },
        get isPending() {
          return surface.pending
        },
        rewind() {
          surface.pending = false
        },
        stir() {
          surface.stirred = true
        },
        containersOf: index => containerSets[index]!.filter(one => one !== undefined),
        follow(index, schedule) {
          schedules[index] = schedule
          for (const container of containerSets[index]!) if (container) scheduled(container, schedule)
        },
        shift(index) {
          const schedule = schedules[index]!
          const capacity = schedule.at(world.time)
          if (capacity !== null) for (const container of containerSets[index]!) if (container) world.containers.shift(container, capacity)
          return schedule.after(world.time)
        },
        releaseAt(step) {
          const list = collected.get(step) ?? []
          collected.delete(step)
          const { rule } = entries!.release.get(step)!
          const kept: number[] = []
          let quota = Infinity
          let released = 0
          for (let k = 0; k < list.length; k += 2) {
            const [serial, t] = [list[k]!, list[k + 1]!]
            if (kernel.tokens.pc[t]! < 0 || kernel.tokens.serial[t] !== serial) continue
            const answer = quota < Infinity ? released < quota : rule(t)
            // A number says how many may go; a truth is asked of each.
            if (typeof answer === 'number') quota = answer
            if (typeof answer === 'number' ? released < answer : answer === true) {
              released++
              kernel.tokens.pc[t] = step * 8 + 1
              kernel.push(t)
              kernel.drain()
            } else kept.push(serial, t)
          }
          if (kept.length === 0) return
          const added = collected.get(step) ?? []
          collected.set(step, [...kept, ...added])
          if (added.length === 0)
            calendar.schedule(
              nextRelease(world.time, toGap(entries!.release.get(step)!.every(kept[1]!))),
              phase.timer,
              0,
              eventKind.gate,
              step,
              0,
            )
        },
        expire(t) {
          const { event, pc, until } = kernel.tokens
          // It was given what it waited for when something else was due at that instant: another event brings or brought it on.
          if (event[t]! < 0 || calendar.isWaiting(event[t]!)) return
          event[t] = -1
          pc[t] = until[t]!
          kernel.push(t)
          kernel.drain()
        },
        save: values => ({
          containers: containerSets.map(set => Array.from(set, one => one?.index ?? -1)),
          firings: firings.map((map, process) => (globalFirings[process]! > 0 ? [-1, globalFirings[process]!] : [...map].flat())),
          decisions: decisions.save(),
          collected: [...collected].map(([step, list]) => [step, ...list]),
          outputs: [...outputs].map(([step, list]) => [step, ...Array.from(list, value => values.write(value ?? null))]),
        }),
        load(saved, values) {
          const state = recordOf(saved)
          const lists = (name: string): readonly State[] => (Array.isArray(state[name]) ? state[name] : [])
          lists('firings').forEach((entry, process) => {
            firings[process]!.clear()
            globalFirings[process] = 0
            const flat = numbersOf(entry)
            for (let k = 0; k + 1 < flat.length; k += 2) {
              if (flat[k]! < 0) globalFirings[process] = flat[k + 1]!
              else firings[process]!.set(flat[k]!, flat[k + 1]!)
            }
          })
          lists('containers').forEach((indexes, k) => {
            const set = containerSets[k]!
            set.length = 0
            for (const [at, index] of numbersOf(indexes).entries()) if (index >= 0) set[at] = world.containers.at(index)
          })
          decisions.load(state['decisions'] ?? [])
          collected.clear()
          for (const entry of lists('collected')) {
            const [step, ...list] = numbersOf(entry)
            if (step !== undefined) collected.set(step, list)
          }
          for (const entry of lists('outputs')) {
            if (!Array.isArray(entry)) continue
            const kept = surface.outputOf(Number(entry[0]))
            kept.length = 0
            for (const value of entry.slice(1)) kept.push(values.read(value))
          }
        },
      }
      return surface
    },
    clockwork(made: Entries): Clockwork {
      entries = made
      return clockwork!
    },
  }
}

/** Token-filter gateways look every n ticks, counted from the start of the run. */
const nextRelease = (time: number, every: number): number => (every > 0 ? (Math.floor(time / every + 1e-9) + 1) * every : time)
