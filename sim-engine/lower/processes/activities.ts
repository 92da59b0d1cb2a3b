// What activities share: resources, `before`, a duration, what they do, `after`. See steps/activity.ts.
import { rowsOf } from '../../check/resolve.ts'
import type { StepPart } from '../../check/parts.ts'
import { isWritten } from '../../compile/emitter.ts'
import { pc } from '../../compile/process.ts'
import * as ir from '../../ir.ts'
import type { Stmt } from '../../ir.ts'
import * as rt from '../../runtime/processes.ts'
import { say } from '../../../model-schema/words.ts'
import { NotLowered } from '../scope.ts'
import { call, doing, give, goTo, unless } from './flows.ts'
import type { Flows } from './flows.ts'
import { column, token as t } from './memory.ts'
import type { ProcessMemory } from './memory.ts'
import type { Resources } from './resources.ts'
import type { Watching } from './watches.ts'

export class Activities {
  readonly #memory: ProcessMemory
  readonly #flows: Flows
  readonly #resources: Resources
  readonly #watching: Watching

  constructor(memory: ProcessMemory, flows: Flows, resources: Resources, watching: Watching) {
    this.#memory = memory
    this.#flows = flows
    this.#resources = resources
    this.#watching = watching
  }

  activity(step: StepPart, does: () => Stmt[], first: readonly Stmt[] = [], goesOn = true): Stmt[] {
    const rows = rowsOf(step.element, 'resources')
    const held = rows.map((row, k) => this.#resources.resource(step, row, k))
    const holds = held.length > 0
    this.#resources.refuseMany(held)
    const lasts = isWritten(step, 'duration')
    if (holds && !lasts) throw new NotLowered(say('it holds resources without a duration'))
    const room: Stmt[] = lasts ? [unless(call('hasRow'), holds ? pc(step, 1) : pc(step))] : []
    const { tests, arm, disarm } = this.#watching.boundaries(step)
    const watching = [...tests.map(test => unless(test, pc(step))), ...arm]
    const arriving = [
      ...room,
      ...(holds ? [] : watching),
      ...(holds ? [ir.store('i32', column(rt.T_PC, 2), 0, ir.i32(pc(step, 1)))] : []),
      ...this.#flows.program(step, 'before'),
    ]
    const release: Stmt[] = holds ? [...this.#resources.giveBack(held), ir.store('i32', column(rt.T_PC, 2), 0, ir.i32(pc(step)))] : []
    const closing = (): Stmt[] => [
      ...does(),
      ...(goesOn ? [...this.#flows.program(step, 'after'), ...release, ...disarm, ...this.#flows.leave(step)] : []),
    ]
    if (!lasts) return [...first, ...arriving, ...closing()]
    const place = this.#memory.place({ code: 10051, id: step.id, field: 'duration' })
    const sleeping: Stmt[] = [doing('sleep', t, this.#flows.number(step, 'duration'), ir.i32(pc(step, 3)), ir.i32(place)), give(-1)]
    // Amounts that are not written are not worked out again: all that it holds is given back.
    const given = held.map(one => (one.units.kind === 'const' ? one : { ...one, units: ir.f64(-1) }))
    const check = this.#resources.canGiveBack(given).map(test => unless(test, pc(step, 3)))
    this.#flows.case(pc(step, 3), [...first, ...check, ...closing()])
    this.#watching.interruptible(step, 3, this.#resources.canGiveBack(given), this.#resources.giveBack(held))
    if (this.#flows.isTrying) closing()
    if (!holds) return [...arriving, ...sleeping]
    this.#flows.case(pc(step, 1), [...arriving, ...sleeping])
    const { test, ask } = this.#resources.asked(step, held, pc(step, 1))
    this.#resources.mayBeWithdrawn(step, 1, held)
    const met = this.#resources.unlessMet(step, 'resources', held, test, pc(step))
    return [...met, ...watching, ir.when(ir.not(ask()), [give(-1)]), ...goTo(pc(step, 1))]
  }
}
