// Steps -> what a token does when it comes to one: each gives its position back where it is not lowered.
import { constantOf } from '../../check/checking.ts'
import { stepKey } from '../../check/names/keys.ts'
import type { StepPart } from '../../check/parts.ts'
import { componentOf, conditionField, isWritten } from '../../compile/emitter.ts'
import type { Emitter, Sought } from '../../compile/emitter.ts'
import { pc } from '../../compile/process.ts'
import * as ir from '../../ir.ts'
import type { Stmt } from '../../ir.ts'
import * as rt from '../../runtime/processes.ts'
import { kindOf } from '../../../model-schema/kinds.ts'
import { say } from '../../../model-schema/words.ts'
import { FormulaLowering } from '../formula.ts'
import { Moves } from '../moves.ts'
import { NotLowered } from '../scope.ts'
import { Activities } from './activities.ts'
import { Calls } from './calls.ts'
import { call, doing, Flows, give, goTo, unless } from './flows.ts'
import { Gateways } from './gateways.ts'
import { Individuals } from './individuals.ts'
import { column, token as t } from './memory.ts'
import type { ProcessMemory } from './memory.ts'
import { Operations } from './operations.ts'
import { Resources } from './resources.ts'
import type { Starts } from './starts.ts'
import type { Watching } from './watches.ts'

/** Kinds of steps at whose boundary events may be watched here. */
const interruptible: ReadonlySet<string> = new Set(['compute', 'delay', 'operate', 'move', 'place', 'call', 'subprocess'])

/** What steps are lowered with. */
type StepsFrom = {
  readonly memory: ProcessMemory
  readonly emitter: Emitter
  readonly sought: Sought | null
  readonly mentions: ReadonlySet<string>
  readonly watching: Watching
  readonly starts: Starts
}

export class Steps {
  readonly flows: Flows
  readonly #memory: ProcessMemory
  readonly #emitter: Emitter
  readonly #sought: Sought | null
  readonly #watching: Watching
  readonly #resources: Resources
  readonly #activities: Activities
  readonly #operations: Operations
  readonly #calls: Calls
  readonly #individuals: Individuals
  readonly #gateways: Gateways
  readonly #moves: Moves

  constructor({ memory, emitter, sought, mentions, watching, starts }: StepsFrom) {
    const flows = new Flows(memory, sought, step => this.#step(step))
    const resources = new Resources(memory, flows, watching)
    const activities = new Activities(memory, flows, resources, watching)
    this.flows = flows
    this.#memory = memory
    this.#emitter = emitter
    this.#sought = sought
    this.#watching = watching
    this.#resources = resources
    this.#activities = activities
    this.#operations = new Operations(memory, emitter, { flows, resources, activities, watching })
    this.#calls = new Calls(memory, emitter, { flows, starts, watching })
    this.#individuals = new Individuals(memory, emitter, mentions)
    this.#gateways = new Gateways(memory, emitter, flows)
    this.#moves = new Moves(memory.checked, memory.ground, emitter)
  }

  #step(step: StepPart): Stmt[] {
    const { process } = step
    if (step.boundaries.length > 0 && !interruptible.has(step.kind.id)) throw new NotLowered(say('boundary events watch it'))
    if (this.#memory.checked.scopes.outputs.has(step)) throw new NotLowered(say('its output is read elsewhere'))
    if (process.level === 'individual' && (this.#sought?.individuals.size ?? 0) > 0)
      throw new NotLowered(say('an individual is looked for'))
    return [...this.#unlessFound(step), ...this.#stepOfKind(step)]
  }

  /** Leaves the step to the general way, which stops there, where the condition of a breakpoint on it holds. */
  #unlessFound(step: StepPart): Stmt[] {
    const condition = this.#sought?.steps.get(step.index)
    if (condition === undefined) return []
    if (condition === null) throw new NotLowered(say('a breakpoint is set on it'))
    const component = componentOf(step.process, step.id)
    const looking = new FormulaLowering(condition, this.#memory.scope(this.#memory.actorOf(step.process), component, '', conditionField))
    return [ir.when(looking.truth(), [give(pc(step))])]
  }

  #stepOfKind(step: StepPart): Stmt[] {
    switch (step.kind.id) {
      case 'start':
      case 'boundary':
        return this.flows.leave(step)
      case 'end':
        return this.#end(step)
      case 'gateway':
        return this.#gateways.gateway(step)
      case 'compute':
        return this.#activities.activity(step, () => this.flows.program(step, 'program'))
      case 'delay':
        return this.#activities.activity(step, () => [])
      case 'operate':
        return this.#operations.operation(step)
      case 'intermediate':
        return this.#timer(step)
      case 'create':
        return this.#creation(step)
      case 'destroy':
        return this.#destruction(step)
      case 'move':
        return this.#moved(step, 'motion')
      case 'place':
        return this.#moved(step, 'placing')
      case 'call':
        return this.#calls.called(step)
      case 'subprocess':
        return this.#calls.subprocess(step)
      default:
        throw new NotLowered(say('steps of kind “{kind}” run as JavaScript', { kind: kindOf(step.kind.id)!.label }))
    }
  }

  #end(step: StepPart): Stmt[] {
    const { process } = step
    if ((step.element.fields['result'] ?? 'none') !== 'none') throw new NotLowered(say('it ends more than its token'))
    if (process.temporaries.some(one => one.storage === 'any')) throw new NotLowered(say('tokens carry values that are no numbers'))
    const record = process.level === 'individual' ? this.#memory.population(process.entity!) : ir.i32(0)
    const next = this.#emitter.has(`q${process.index}/concurrency`) ? [unless(call('canWake'), pc(step))] : []
    return [unless(call('canFinish', t), pc(step)), ...next, doing('finish', t, record), give(-1)]
  }

  #creation(step: StepPart): Stmt[] {
    const { population } = step.element.fields
    const entity = this.#memory.checked.parts.entities.find(one => one.id === population)
    if (!entity) throw new NotLowered(say('it creates links'))
    const key = stepKey(step, 'count')
    const constant = constantOf(this.#memory.checked.formulas.get(key))
    if (constant === null && isWritten(step, 'before')) throw new NotLowered(say('how many is worked out after a program'))
    const back = give(isWritten(step, 'duration') ? pc(step, 3) : pc(step))
    const count = constant === null ? ir.get(this.#memory.local('count', 'f64'), 'f64') : ir.f64(constant)
    const test = this.#individuals.canCreate(entity, count)
    const first = count.kind === 'get' ? this.#resources.tentative(step, 'count', count, test, back) : [ir.when(ir.not(test), [back])]
    return this.#activities.activity(step, () => this.#individuals.create(step, entity, count), first)
  }

  #destruction(step: StepPart): Stmt[] {
    const { entity } = step.process
    if (step.element.fields['who'] === 'chosen' || !entity) throw new NotLowered(say('it chooses whom it destroys'))
    const { test, does } = this.#individuals.death(entity)
    const here = isWritten(step, 'duration') ? pc(step, 3) : pc(step)
    return this.#activities.activity(step, () => [...does, give(-1)], [unless(test, here)], false)
  }

  /** A move, or a new place. */
  #moved(step: StepPart, how: 'motion' | 'placing'): Stmt[] {
    const { entity, level } = step.process
    const slot = this.#memory.actorOf(step.process).slot
    const self = entity && slot && level === 'individual' ? { entity, slot, handle: ir.load('f64', column(rt.T_OWNER, 3)) } : null
    return this.#activities.activity(step, () => this.#moves[how](step, self, field => this.flows.value(step, field)))
  }

  #timer(step: StepPart): Stmt[] {
    const { trigger } = step.element.fields
    if (trigger !== 'timer' && trigger !== 'condition') throw new NotLowered(say('it waits for something else than time'))
    const place = this.#memory.place({ code: 10051, id: step.id, field: 'delay' })
    const closing = (): Stmt[] => [...this.flows.program(step, 'after'), ...this.flows.leave(step)]
    this.flows.case(pc(step, 2), this.flows.isTrying ? [] : closing())
    if (this.flows.isTrying) closing()
    if (trigger === 'condition')
      return [
        unless(this.#watching.hasRoom(1), pc(step)),
        ...this.flows.program(step, 'before'),
        ir.when(ir.not(this.#watching.condition(step)), [
          ir.store('i32', column(rt.T_PC, 2), 0, ir.i32(pc(step, 6))),
          this.#watching.watch(step, 'catch'),
          give(-1),
        ]),
        ...goTo(pc(step, 2)),
      ]
    return [
      unless(call('hasRow'), pc(step)),
      ...this.flows.program(step, 'before'),
      doing('nap', t, this.flows.number(step, 'delay'), ir.i32(pc(step, 2)), ir.i32(place)),
      give(-1),
    ]
  }
}
