// The calls of generated code that the clockwork answers.
import type { CheckedModel } from '../../check.ts'
import { RunError } from '../../problems.ts'
import type { World } from '../../world/world.ts'
import type { Clockwork } from '../clockwork.ts'
import { askedNetwork, networkCalls, pointOf, seenNumber, type DecisionFormulas } from '../decisions.ts'
import type { Stores } from '../entries.ts'
import { eventKind, lastPriority, phase } from '../events.ts'
import type { Kernel } from '../kernel.ts'
import { sharedValue } from '../statistics.ts'
import { toGap } from '../surface/numbers.ts'
import type { Role } from '../watches.ts'
import type { LineHooks, StepHook } from './hooks.ts'

/** Thrown by a terminating end event: the run is over at once. */
export class Terminated {
  readonly step: number
  constructor(step: number) {
    this.step = step
  }
}

/** The functions of `X` in addition to `base`. The clockwork's marks are in it from now on. */
export function clockworkCalls<Base extends object>(
  base: Base,
  clockwork: Clockwork,
  { parts }: CheckedModel,
  world: World,
  kernel: Kernel,
  stores: Stores,
) {
  const { decisions, containers } = clockwork
  const surface = {
    ...base,
    ...stores,
    ...networkCalls(id => world.stream(`network ${id}`)),
    ...hookCalls(clockwork),
    ...clockwork.starts.calls(world, kernel),
    ...waitingCalls(clockwork, world, kernel),
    networkAt: (index: number) => askedNetwork(parts.networks[index]!),
    decidesAt: (step: number, formulas: DecisionFormulas): void => decisions.add(pointOf(parts.steps[step]!, parts.networks), formulas),
    seenNumber,
    decide: (step: number, self: number, t: number) => decisions.decide(step, self, t),
    decisionWaits: (step: number, self: number, t: number): boolean => decisions.waits(step, self, t),
    decided: (step: number, self: number, t: number) => decisions.decided(step, self, t),
    shared: (index: number): unknown => sharedValue(parts.shared[index]!, stores, world),
    chains: clockwork.chains,
    containerSets: containers.sets,
    newContainer: (index: number, initial: unknown, capacity: unknown) => containers.create(index, initial, capacity),
    pending: false,
    stirred: false,
    outputOf: (step: number) => clockwork.outputOf(step),
    statistic: (index: number): unknown => clockwork.statistic(index) ?? null,
    print: (step: number, value: unknown): void => clockwork.print(step, value),
    terminate(step: number): never {
      throw new Terminated(step)
    },
    /** An error end event: caught by the callers, or an error of the run. */
    raiseError(t: number, code: string): void {
      if (!kernel.throwTo(t, code, false)) throw new RunError(10050, [code])
    },
  }
  clockwork.marks = surface
  return surface
}

/** What debug and metered builds call. */
function hookCalls(clockwork: Clockwork) {
  // Parameters are named one by one: these are called with each step and each statement of a debug build.
  const step: StepHook = (t, at, self, locals, condition, watches) => clockwork.trace?.(t, at, self, locals, condition, watches)
  const line: LineHooks['line'] = (place, from, self, locals, condition, watches) =>
    clockwork.lines?.line(place, from, self, locals, condition, watches)
  return {
    step,
    line,
    enter: (place: number, self: number, t = -1, step = -1): void => clockwork.lines?.enter(place, self, t, step),
    leave<T>(value: T): T {
      clockwork.lines?.leave()
      return value
    },
    found: (): void => clockwork.found?.(),
    meter: (spot: number): number => clockwork.meter?.enter(spot) ?? 0,
    meterStep: (spot: number): void => clockwork.meter?.step(spot),
    metered<T>(value: T): T {
      clockwork.meter?.leave()
      return value
    },
    meteredTo: (to: number): void => clockwork.meter?.back(to),
  }
}

/** Waiting for a time, a gate or a message. */
function waitingCalls({ gates }: Clockwork, world: World, kernel: Kernel) {
  const { calendar } = world
  return {
    watchTimer(t: number, step: number, role: Role, delay: unknown): void {
      kernel.watches.timer(t, step, role, toGap(delay))
    },
    expireAfter(t: number, delay: unknown, pc: number): void {
      kernel.tokens.until[t] = pc
      kernel.tokens.event[t] = calendar.schedule(world.time + toGap(delay), phase.timer, lastPriority, eventKind.expire, t, pc)
    },
    collect: (t: number, step: number): void => gates.collect(t, step),
    send(type: number, population: number, handle: number, payload: unknown, delay: unknown): void {
      const message = world.mail.send(type, population, handle, payload)
      calendar.schedule(world.time + toGap(delay), phase.message, 0, eventKind.message, message, 0)
    },
  }
}
