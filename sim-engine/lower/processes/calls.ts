// Steps that wait for tokens of another process: calls and subprocesses. See steps/call.ts and steps/subprocess.ts.
import { stepKey } from '../../check/names/keys.ts'
import type { ProcessPart, StepPart } from '../../check/parts.ts'
import { rowsOf } from '../../check/resolve.ts'
import { componentOf, isWritten } from '../../compile/emitter.ts'
import type { Emitter } from '../../compile/emitter.ts'
import { pc } from '../../compile/process.ts'
import * as ir from '../../ir.ts'
import type { Expr, Stmt } from '../../ir.ts'
import * as rt from '../../runtime/processes.ts'
import { reachable } from '../../steps/call.ts'
import { formulaName } from '../../../model-schema/kinds.ts'
import { say } from '../../../model-schema/words.ts'
import { NotLowered } from '../scope.ts'
import { call, cellOf, doing, give, goTo, unless } from './flows.ts'
import type { Flows } from './flows.ts'
import { column, token as t } from './memory.ts'
import type { ProcessMemory } from './memory.ts'
import { storedValue } from './starts.ts'
import type { Starts } from './starts.ts'
import type { Watching } from './watches.ts'

export class Calls {
  readonly #memory: ProcessMemory
  readonly #emitter: Emitter
  readonly #flows: Flows
  readonly #starts: Starts
  readonly #watching: Watching

  constructor(memory: ProcessMemory, emitter: Emitter, { flows, starts, watching }: { flows: Flows; starts: Starts; watching: Watching }) {
    this.#memory = memory
    this.#emitter = emitter
    this.#flows = flows
    this.#starts = starts
    this.#watching = watching
  }

  subprocess(step: StepPart): Stmt[] {
    const { inner } = step
    const { repeat } = step.element.fields
    if (!inner || repeat === 'each') throw new NotLowered(say('it is repeated for each of several items'))
    return this.#waitFor(step, inner, () => [], repeat === 'while')
  }

  called(step: StepPart): Stmt[] {
    const target = reachable(step, this.#memory.checked.parts.processes)
    if (!target || step.element.fields['wait'] === false) throw new NotLowered(say('it does not wait for what it calls'))
    if (this.#emitter.has(`q${target.index}/concurrency`)) throw new NotLowered(say('only so many may run at a time'))
    return this.#waitFor(step, target, child =>
      rowsOf(step.element, 'inputs').flatMap((row, k) => {
        const variable = target.temporaries.find(one => one.name === formulaName(cellOf(row, 'name')))
        const place = variable && this.#memory.tokenPlace(variable, child)
        if (!place) throw new NotLowered(say('it hands over what is no number'))
        return [
          storedValue(
            place,
            this.#memory.value(
              this.#memory.actorOf(step.process),
              stepKey(step, `inputs/${k}/value`),
              componentOf(step.process, step.id),
              step.id,
              `inputs/${k}/value`,
            ),
          ),
        ]
      }),
    )
  }

  /** Waits for a token of another process: one that is called, or the one inside, again and again where it `isRepeated`. */
  #waitFor(step: StepPart, other: ProcessPart, inputs: (child: Expr) => Stmt[], isRepeated = false): Stmt[] {
    if (rowsOf(step.element, 'resources').length > 0 || isWritten(step, 'duration'))
      throw new NotLowered(say('it takes time or resources of its own'))
    if (!other.start || other.temporaries.some(({ direction }) => direction === 'out' || direction === 'inout'))
      throw new NotLowered(say('it gets values back'))
    if (other.steps.some(one => this.#memory.checked.scopes.outputs.has(one)))
      throw new NotLowered(say('outputs of the steps inside are read'))
    this.#flows.plainCalls.add(pc(step, 2))
    const { tests, arm, disarm } = this.#watching.boundaries(step)
    const onward = [...this.#flows.program(step, 'after'), ...disarm, ...this.#flows.leave(step)]
    const child = this.#child(step, other, pc(other.start), inputs)
    const sequence = ir.load('f64', ir.i32(rt.HOLD_SEQUENCE))
    const arriving = [
      ...[call('canCall', t), ...tests].map(test => unless(test, pc(step))),
      ...arm,
      ...this.#flows.program(step, 'before'),
      // What is granted from now on is granted inside, should an event at the boundary interrupt it.
      ...(step.inner && step.boundaries.length > 0 ? [ir.store('f64', column(rt.T_LENGTH, 3), 0, sequence)] : []),
    ]
    if (!isRepeated) {
      this.#flows.case(pc(step, 2), onward)
      return [...arriving, ...child]
    }
    const fuel = ir.load('i32', ir.i32(rt.FUEL))
    const component = componentOf(step.process, step.id)
    const goesOn = this.#memory.value(this.#memory.actorOf(step.process), stepKey(step, 'while'), component, step.id, 'while').truth()
    this.#flows.case(pc(step, 2), [
      unless(ir.binary('land', ir.binary('gt', fuel, ir.i32(0)), call('canCall', t)), pc(step, 2)),
      ir.store('i32', ir.i32(rt.FUEL), 0, ir.binary('sub', fuel, ir.i32(1))),
      ir.when(goesOn, child),
      ...onward,
    ])
    return [...arriving, ...goTo(pc(step, 2))]
  }

  /** Makes the other token, and waits. */
  #child(step: StepPart, other: ProcessPart, entry: number, inputs: (child: Expr) => Stmt[]): Stmt[] {
    const isIndividual = other.level === 'individual'
    const record = isIndividual ? this.#memory.population(other.entity!) : ir.i32(0)
    const owner = isIndividual ? ir.load('f64', column(rt.T_OWNER, 3)) : ir.f64(-1)
    const [caller, child] = [this.#memory.local('caller', 'i32'), this.#memory.local('child', 'i32')]
    const made = ir.call('callChild', 'i32', t, ir.i32(other.index), ir.i32(entry), owner, ir.i32(other.holder ? 1 : 0), record)
    return [
      ir.store('i32', column(rt.T_PC, 2), 0, ir.i32(pc(step, 2))),
      ir.set(caller, t),
      ir.set(child, made),
      ir.set('t', ir.get(child, 'i32')),
      ...this.#starts.initials(other),
      ir.set('t', ir.get(caller, 'i32')),
      ...inputs(ir.get(child, 'i32')),
      doing('push', ir.get(child, 'i32')),
      give(-1),
    ]
  }
}
