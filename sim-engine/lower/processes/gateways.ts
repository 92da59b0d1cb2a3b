// Gateways: the choice of a way, splits of tokens, and joins. See steps/gateway.ts and runtime/joins.ts.
import { constantOf } from '../../check/checking.ts'
import { flowKey } from '../../check/names/keys.ts'
import type { FlowPart, StepPart } from '../../check/parts.ts'
import { componentOf, isWritten } from '../../compile/emitter.ts'
import type { Emitter } from '../../compile/emitter.ts'
import { pc } from '../../compile/process.ts'
import * as ir from '../../ir.ts'
import type { Expr, Stmt } from '../../ir.ts'
import * as rt from '../../runtime/processes.ts'
import { collects } from '../../steps/gateway.ts'
import { call, doing, give, goTo, isDefault, unless } from './flows.ts'
import type { Flows } from './flows.ts'
import { token } from './memory.ts'
import type { ProcessMemory } from './memory.ts'
import { NotLowered } from '../scope.ts'
import { say } from '../../../model-schema/words.ts'

/** A way of a split; `test` is null where it is taken in any case. */
type Branch = { readonly flow: FlowPart; readonly test: Expr | null }

export class Gateways {
  readonly #memory: ProcessMemory
  readonly #emitter: Emitter
  readonly #flows: Flows

  constructor(memory: ProcessMemory, emitter: Emitter, flows: Flows) {
    this.#memory = memory
    this.#emitter = emitter
    this.#flows = flows
  }

  gateway(step: StepPart): Stmt[] {
    const { type } = step.element.fields
    if (collects(step)) throw new NotLowered(say('it keeps tokens until a rule lets them through'))
    if (type === 'event') throw new NotLowered(say('it waits for the first of several events'))
    const before = this.#flows.program(step, 'before')
    const isJoin = type === 'synchronizing' || (type !== 'exclusive' && step.incoming.length > 1)
    if (!isJoin) return this.#split(step, before, pc(step))
    // First what cannot be lowered.
    this.#split(step, [], pc(step, 1))
    this.#flows.entry(step, 1, () => this.#split(step, [], pc(step, 1)))
    return this.#join(step, before)
  }

  // --- ways on

  #split(step: StepPart, before: readonly Stmt[], here: number): Stmt[] {
    const { type, by } = step.element.fields
    const onward = (): Stmt[] => this.#flows.program(step, 'after')
    if (step.outgoing.length < 2) return [...before, ...onward(), ...this.#flows.leave(step)]
    if (type !== 'exclusive') return this.#fork(step, before, here)
    const go = (flow: FlowPart): Stmt[] => [...onward(), ...this.#flows.take(step, flow)]
    if (by === 'probability') return [...before, ...this.#byWeight(step, go)]
    const otherwise = step.outgoing.find(isDefault)
    const branches = step.outgoing.filter(flow => flow !== otherwise).map(flow => ir.when(this.#condition(step, flow), go(flow)))
    return [...before, ...branches, ...(otherwise ? go(otherwise) : [this.#nowhere(step)])]
  }

  #condition(step: StepPart, flow: FlowPart): Expr {
    const { process } = step
    const key = flowKey(process, flow.id, 'condition')
    if (!this.#memory.checked.formulas.has(key)) throw new NotLowered(say('a condition is blank'))
    return this.#memory.value(this.#memory.actorOf(process), key, componentOf(process, flow.id), flow.id, 'condition').truth()
  }

  #nowhere(step: StepPart): Stmt {
    return { kind: 'fail', place: this.#memory.place({ code: 10044, id: step.id, field: 'type' }) }
  }

  #byWeight(step: StepPart, go: (flow: FlowPart) => Stmt[]): Stmt[] {
    const weights = step.outgoing.map(flow => {
      const weight = constantOf(this.#memory.checked.formulas.get(flowKey(step.process, flow.id, 'weight')))
      if (weight === null || !(weight >= 0)) throw new NotLowered(say('a weight is worked out'))
      return weight
    })
    const total = weights.reduce((a, b) => a + b)
    if (!(total > 0)) throw new NotLowered(say('its weights are all 0'))
    const u = this.#memory.local('u', 'f64')
    const stream = this.#memory.stream(componentOf(step.process, step.id))
    const left = ir.get(u, 'f64')
    const branches = step.outgoing
      .slice(0, -1)
      .flatMap((flow, k): Stmt[] => [
        ir.set(u, ir.binary('sub', left, ir.f64(weights[k]!))),
        ir.when(ir.binary('lt', left, ir.f64(0)), go(flow)),
      ])
    return [ir.set(u, ir.binary('mul', ir.call('uniform', 'f64', stream), ir.f64(total))), ...branches, ...go(step.outgoing.at(-1)!)]
  }

  // --- splits

  /** The record of the population of a process's tokens, 0 where they are nobody's. */
  #record({ process }: StepPart): Expr {
    return process.level === 'individual' ? this.#memory.population(process.entity!) : ir.i32(0)
  }

  /** One token for each way that is taken; the first way's runs first. */
  #fork(step: StepPart, before: readonly Stmt[], here: number): Stmt[] {
    const { process, outgoing } = step
    if (isWritten(step, 'after')) throw new NotLowered(say('each of its branches runs a program'))
    if (
      process.temporaries.some(({ storage }) => storage === 'any') ||
      process.steps.some(one => this.#memory.checked.scopes.outputs.has(one))
    )
      throw new NotLowered(say('tokens carry values that are no numbers'))
    const isInclusive = step.element.fields['type'] === 'inclusive'
    const branches = outgoing.map((flow): Branch & { chosen: string | null } => {
      if (!isInclusive) return { flow, test: null, chosen: null }
      const chosen = this.#memory.local('chosen', 'i32')
      return { flow, test: ir.get(chosen, 'i32'), chosen }
    })
    // The default way is the last to be asked.
    const chosenFirst = [...branches].sort((a, b) => Number(isDefault(a.flow)) - Number(isDefault(b.flow)))
    // See flowsJs of steps/gateway.ts: a token knows by which flow it comes where something asks.
    const tellsFlow = isInclusive || outgoing.some(({ to }) => to.kind.id === 'gateway' && to.incoming.length > 1)
    const children = branches.map(() => ir.get(this.#memory.local('child', 'i32'), 'i32') as Expr & { kind: 'get' })
    const made = branches.map(({ flow, test }, k) => this.#when(test, this.#child(step, flow, children[k]!, tellsFlow)))
    const pushed = branches.map(({ test }, k) => this.#when(test, [doing('push', children[k]!)])).reverse()
    return [
      unless(call('canFork', ir.i32(outgoing.length)), here),
      ...before,
      ...chosenFirst.flatMap(({ flow, chosen }) =>
        chosen === null ? [] : [ir.set(chosen, isDefault(flow) ? this.#noneOf(branches) : this.#condition(step, flow))],
      ),
      ...(isInclusive && !outgoing.some(isDefault) ? [ir.when(this.#noneOf(branches), [this.#nowhere(step)])] : []),
      doing('rest', token),
      ...made.flat(),
      ...pushed.flat(),
      give(-1),
    ]
  }

  /** Whether no condition held. */
  #noneOf(branches: readonly Branch[]): Expr {
    return branches
      .filter(({ flow }) => !isDefault(flow))
      .map(({ test }) => ir.not(test!))
      .reduce((a, b) => ir.binary('land', a, b))
  }

  #when(test: Expr | null, body: Stmt[]): Stmt[] {
    return test === null ? body : [ir.when(test, body)]
  }

  #child(step: StepPart, flow: FlowPart, child: Expr & { kind: 'get' }, tellsFlow: boolean): Stmt[] {
    this.#flows.want(flow.to)
    const copies = step.process.temporaries.map(variable => {
      const [to, from] = [this.#memory.tokenPlace(variable, child)!, this.#memory.tokenPlace(variable)!]
      return ir.store(to.mem, to.address, 0, ir.load(from.mem, from.address, 0))
    })
    const number = ir.i32(flow.to.incoming.indexOf(flow))
    return [
      ir.set(child.name, call('forkChild', token, ir.i32(pc(flow.to)), this.#record(step))),
      ...(tellsFlow ? [doing('setInt', ir.i32(rt.T_FLOW), child, number)] : []),
      ...copies,
    ]
  }

  // --- joins

  #join(step: StepPart, before: readonly Stmt[]): Stmt[] {
    const { type } = step.element.fields
    const { process } = step
    if (type === 'inclusive') throw new NotLowered(say('it waits until no other token can come'))
    if (this.#emitter.has(`q${process.index}/concurrency`)) throw new NotLowered(say('only so many may run at a time'))
    if (process.temporaries.some(({ storage }) => storage === 'any')) throw new NotLowered(say('tokens carry values that are no numbers'))
    const [at, incoming, record] = [ir.i32(step.index), ir.i32(step.incoming.length), this.#record(step)]
    const canJoin = call('canJoin', token, at)
    const canFinish = call('canFinish', token)
    if (type === 'parallel') return [unless(canJoin, pc(step)), ...before, doing('joinAll', token, at, incoming, record), give(-1)]
    if (type === 'mofn') {
      const needed = this.#flows.number(step, 'needed')
      const may = ir.binary('land', canJoin, canFinish)
      return [unless(may, pc(step)), ...before, doing('joinSome', token, at, needed, incoming, record), give(-1)]
    }
    return [unless(canFinish, pc(step)), ...before, ir.when(ir.not(call('meets', token, at, record)), [give(-1)]), ...goTo(pc(step, 1))]
  }
}
