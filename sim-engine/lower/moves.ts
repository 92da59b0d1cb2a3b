// Moves and places of agents -> calls of runtime/spaces.ts, for processes with and without tokens. What they do is what steps/{move,place}.ts
// say of it, in the same order.
import type { CheckedModel } from '../check/checked.ts'
import { stepKey } from '../check/names/keys.ts'
import type { EntityPart, StepPart } from '../check/parts.ts'
import { componentOf } from '../compile/emitter.ts'
import type { Emitter } from '../compile/emitter.ts'
import { isListed } from '../compile/listed.ts'
import * as ir from '../ir.ts'
import type { Expr, Stmt } from '../ir.ts'
import type { ProblemCode } from '../problems.ts'
import { mayFail } from './calls.ts'
import type { FormulaLowering } from './formula.ts'
import type { RowMemory } from './row-memory.ts'
import { NotLowered } from './scope.ts'
import type { Someone } from './scope.ts'
import { flag } from './surroundings.ts'
import { say } from '../../model-schema/words.ts'

const int = (value: number): Expr => ir.i32(value)
const callI = (name: string, ...args: Expr[]): Expr => ir.call(name, 'i32', ...args)
const doing = (name: string, ...args: Expr[]): Stmt => ir.run(ir.call(name, 'void', ...args))

/** Where agents and spaces stand in the memory. */
export type MoveMemory = Pick<RowMemory, 'local' | 'place' | 'stream' | 'residents' | 'space'>

/** The value of a field of the step, as its actor sees it. */
type ValueOf = (field: string) => FormulaLowering

export class Moves {
  readonly #checked: CheckedModel
  readonly #memory: MoveMemory
  readonly #emitter: Emitter

  constructor(checked: CheckedModel, memory: MoveMemory, emitter: Emitter) {
    this.#checked = checked
    this.#memory = memory
    this.#emitter = emitter
  }

  #place(code: ProblemCode, id: string, field: string): Expr {
    return int(this.#memory.place({ code, id, field }))
  }

  /** What the functions of runtime/spaces.ts are given of an agent and its space. */
  ground(entity: EntityPart) {
    const { space } = entity
    if (!space || space.three) throw new NotLowered(say('it is in three dimensions'))
    const isDiscrete = space.topology === 'discrete'
    if (!isDiscrete && space.cells && typeof space.cells.element.fields['capacity'] === 'number')
      throw new NotLowered(say('cells of an open space have a capacity'))
    const { border } = space.element.fields
    return {
      space,
      isDiscrete,
      r: int(this.#memory.residents(entity, true)),
      s: int(this.#memory.space(space, true)),
      p: int(entity.index),
      wraps: [flag(space.wrapX), flag(space.wrapY)] as const,
      border: int(border === 'reflect' ? 1 : border === 'error' ? 2 : 0),
      listed: flag(!isDiscrete || isListed(this.#checked, entity)),
      discrete: flag(isDiscrete),
    }
  }

  motion(step: StepPart, self: Someone | null, value: ValueOf): Stmt[] {
    if (!self) throw new NotLowered(say('nobody moves'))
    const { motion } = step.element.fields
    const ground = this.ground(self.entity)
    const { r, s, p, wraps, border, listed, discrete } = ground
    const failures = (field: string): Expr[] => [10062, 10060, 10061].map(code => this.#place(code as ProblemCode, step.id, field))
    if (motion === 'translate') {
      const vector = value('vector')
      const parts = vector.coordinates()
      if (!parts || parts.length !== 2) throw new NotLowered(say('its vector is worked out as a list'))
      const places = failures(mayFail(vector) ? 'vector' : 'motion')
      return [doing('translate', r, s, p, self.slot, ...parts, ...wraps, border, listed, discrete, ...places)]
    }
    if (motion === 'face') throw new NotLowered(say('it faces a target'))
    const far = value('amount')
    const amount = far.number()
    if (motion === 'turn' || motion === 'head') return [doing(motion === 'turn' ? 'turn' : 'setHeading', r, self.slot, amount)]
    const by = motion === 'backward' ? ir.unary('neg', amount) : amount
    const places = failures(mayFail(far) ? 'amount' : 'motion')
    return [doing('forward', r, s, p, self.slot, by, ...wraps, border, listed, discrete, ...places)]
  }

  placing(step: StepPart, self: Someone | null, value: ValueOf): Stmt[] {
    if (!self) throw new NotLowered(say('nobody is placed'))
    const ground = this.ground(self.entity)
    const { where } = step.element.fields
    const stream = (): Expr => this.#memory.stream(componentOf(step.process, step.id))
    if (where === 'randomCell') return this.onto(self.entity, self.slot, callI('randomCell', ground.s, stream()), step.id, 'target')
    if (where === 'randomEmptyCell') {
      if (!ground.isDiscrete) throw new NotLowered(say('empty cells of an open space are looked for'))
      const cell = ir.get(this.#memory.local('cell', 'i32'), 'i32') as Expr & { kind: 'get' }
      return [
        ir.set(cell.name, callI('randomEmptyCell', ground.s, int(ground.space.index), stream())),
        ir.when(ir.binary('ge', cell, int(0)), this.onto(self.entity, self.slot, cell, step.id, 'target')),
      ]
    }
    if (where === 'randomPosition') return this.anywhere(self.entity, self.slot, stream(), step.id, 'target')
    return this.#atTarget(step, self, value('target'))
  }

  /** Onto a cell, by its number. */
  onto(entity: EntityPart, slot: Expr, cell: Expr, id: string, field: string): Stmt[] {
    const { isDiscrete, r, s, listed } = this.ground(entity)
    if (!isDiscrete) throw new NotLowered(say('it is put onto a cell of an open space'))
    return [doing('placeOnCell', r, s, slot, cell, listed, this.#place(10061, id, field), this.#place(10060, id, field))]
  }

  anywhere(entity: EntityPart, slot: Expr, stream: Expr, id: string, field: string): Stmt[] {
    const { isDiscrete, r, s, p } = this.ground(entity)
    if (isDiscrete) return this.onto(entity, slot, callI('randomCell', s, stream), id, field)
    return [doing('placeAnywhere', r, s, p, slot, stream)]
  }

  #atTarget(step: StepPart, self: Someone, target: FormulaLowering): Stmt[] {
    const { isDiscrete, r, s, p, wraps, listed, space } = this.ground(self.entity)
    const type = this.#emitter.typeOf(stepKey(step, 'target'))
    const chosen = type.is === 'entity' ? this.#checked.scopes.entity(type.of) : undefined
    const { root } = target
    if (chosen?.kind === 'cell' && chosen.space === space && isDiscrete) {
      const plan = root.is === 'call' ? target.f.plan.calls.get(root) : undefined
      const isOnly = this.#checked.parts.spaces.length === 1
      if (isOnly && plan?.is === 'row' && plan.row.signature.name === 'cell_at' && !plan.args[2]) {
        const [x, y] = plan.args.map(arg => (arg ? target.real(arg) : ir.f64(Number.NaN)))
        const outside = this.#memory.place({ code: 10060, id: step.id, field: 'target', from: root.from, to: root.to })
        return [doing('placeOnCellAt', r, s, self.slot, x!, y!, ...wraps, listed, this.#place(10061, step.id, 'target'), int(outside))]
      }
      const onto = ir.get(this.#memory.local('onto', 'i32'), 'i32') as Expr & { kind: 'get' }
      return [
        ir.set(onto.name, target.handle()),
        ir.when(ir.binary('lt', onto, int(0)), [
          { kind: 'fail', place: this.#memory.place({ code: 10014, id: step.id, field: 'target' }) },
        ]),
        ...this.onto(self.entity, self.slot, onto, step.id, 'target'),
      ]
    }
    const parts = chosen ? null : target.coordinates()
    if (!parts || parts.length !== 2) throw new NotLowered(say('where it is put is worked out while running'))
    const outside = this.#place(10060, step.id, 'target')
    if (!isDiscrete) return [doing('placeAt', r, s, p, self.slot, ...parts, ...wraps, outside)]
    const cell = ir.get(this.#memory.local('onto', 'i32'), 'i32') as Expr & { kind: 'get' }
    return [
      ir.set(cell.name, callI('gridAt', s, ...parts, ...wraps)),
      ir.when(ir.binary('lt', cell, int(0)), [{ kind: 'fail', place: this.#memory.place({ code: 10060, id: step.id, field: 'target' }) }]),
      doing('stepOn', r, s, self.slot, cell, listed, this.#place(10061, step.id, 'target')),
    ]
  }
}
