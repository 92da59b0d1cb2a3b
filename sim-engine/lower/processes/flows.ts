// The ways of tokens through a process: positions where they go on, each with its statements, and what a step may ask of them.
import type { CheckedModel } from '../../check/checked.ts'
import { stepKey } from '../../check/names/keys.ts'
import type { FlowPart, ProcessPart, StepPart } from '../../check/parts.ts'
import { componentOf } from '../../compile/emitter.ts'
import type { Sought } from '../../compile/emitter.ts'
import { pc, stepOrder } from '../../compile/process.ts'
import * as ir from '../../ir.ts'
import type { Expr, Stmt } from '../../ir.ts'
import { TOP_ENTRY } from '../../runtime/choices.ts'
import * as rt from '../../runtime/processes.ts'
import { say } from '../../../model-schema/words.ts'
import { FormulaLowering } from '../formula.ts'
import { NotLowered } from '../scope.ts'
import { column } from './memory.ts'
import type { ProcessMemory } from './memory.ts'

export const flowLabel = 'flow'
export const goTo = (position: number): Stmt[] => [ir.set('pc', ir.i32(position)), { kind: 'continue', label: flowLabel }]
export const give = (position: number): Stmt => ({ kind: 'return', value: ir.i32(position) })
export const call = (name: string, ...args: Expr[]): Expr => ir.call(name, 'i32', ...args)
export const doing = (name: string, ...args: Expr[]): Stmt => ir.run(ir.call(name, 'void', ...args))
/** Leaves the step to the general way unless a test holds. */
export const unless = (test: Expr, position: number): Stmt => ir.when(ir.not(test), [give(position)])
export const isDefault = ({ element }: FlowPart): boolean => element.fields['default'] === true
export const cellOf = (row: Readonly<Record<string, unknown>>, name: string): string => (typeof row[name] === 'string' ? row[name] : '')

export class Flows {
  readonly #memory: ProcessMemory
  readonly #checked: CheckedModel
  readonly #sought: Sought | null
  readonly #step: (step: StepPart) => Stmt[]
  /** Positions where tokens go on, and what they do there. */
  readonly cases = new Map<number, readonly Stmt[]>()
  readonly reasons = new Map<StepPart, NotLowered>()
  readonly exceptions = new Map<StepPart, NotLowered>()
  /** Where callers go on that get nothing back. */
  readonly plainCalls = new Set<number>()
  readonly #wanted: StepPart[] = []
  #order = new Map<StepPart, number>()
  #able: ReadonlySet<StepPart> = new Set()
  #isTrying = true

  constructor(memory: ProcessMemory, sought: Sought | null, step: (step: StepPart) => Stmt[]) {
    this.#memory = memory
    this.#checked = memory.checked
    this.#sought = sought
    this.#step = step
  }

  /** Whether steps are lowered only to see that they can be. */
  get isTrying(): boolean {
    return this.#isTrying
  }

  /** What it makes, or null, the reason being noted. */
  attempt<T>(step: StepPart | null, make: () => T): T | null {
    try {
      return make()
    } catch (error) {
      if (!(error instanceof NotLowered)) throw error
      if (step) this.reasons.set(step, error)
      return null
    }
  }

  lower(process: ProcessPart): void {
    const order = stepOrder(process)
    this.#order = new Map(order.map((step, at) => [step, at]))
    // First each for itself, to know where tokens can go on; then with what follows.
    this.#isTrying = true
    const able = new Set(order.filter(step => this.attempt(step, () => this.#step(step)) !== null))
    this.#isTrying = false
    this.#able = able
    for (const step of order) if (able.has(step) && (step.kind.id === 'start' || step.incoming.length !== 1)) this.want(step)
    for (const step of order) {
      // Behind a step that is not lowered a token comes back by itself.
      if (able.has(step) && step.incoming.some(flow => !able.has(flow.from))) this.want(step)
    }
    for (let step = this.#wanted.pop(); step; step = this.#wanted.pop()) this.cases.set(pc(step), this.#step(step))
  }

  /** Tokens may be put on this step. */
  want(step: StepPart): void {
    if (this.#isTrying || !this.#able.has(step) || this.cases.has(pc(step))) return
    this.cases.set(pc(step), [])
    this.#wanted.push(step)
  }

  /** What a token does at a position. */
  case(position: number, body: readonly Stmt[]): void {
    if (!this.#isTrying) this.cases.set(position, body)
  }

  /** A place where tokens go on; `body` is made once. */
  entry(step: StepPart, entry: number, body: () => Stmt[]): void {
    if (this.#isTrying || this.cases.has(pc(step, entry))) return
    this.cases.set(pc(step, entry), [])
    this.cases.set(pc(step, entry), body())
  }

  // --- ways on

  take(from: StepPart, flow: FlowPart): Stmt[] {
    const { to } = flow
    if (this.#isTrying) return []
    const isBack = this.#order.get(to)! <= this.#order.get(from)!
    const fuel = ir.load('i32', ir.i32(rt.FUEL))
    const before: Stmt[] = isBack
      ? [
          ir.store('i32', ir.i32(rt.FUEL), 0, ir.binary('sub', fuel, ir.i32(1))),
          ir.when(ir.binary('lt', fuel, ir.i32(0)), [
            { kind: 'fail', place: this.#memory.place({ code: 10047, id: to.id, field: 'name' }) },
          ]),
        ]
      : []
    const { type } = to.element.fields
    if (to.incoming.length > 1 && (type === 'parallel' || type === 'inclusive' || type === 'mofn'))
      before.push(ir.store('i32', column(rt.T_FLOW, 2), 0, ir.i32(to.incoming.indexOf(flow))))
    if (!this.#able.has(to)) return [...before, give(pc(to))]
    if (!isBack && to.incoming.length === 1 && !this.cases.has(pc(to))) return [...before, ...this.#step(to)]
    this.want(to)
    return [...before, ...goTo(pc(to))]
  }

  leave(step: StepPart): Stmt[] {
    const [only, second] = step.outgoing
    if (!only || second) throw new NotLowered(say('several flows, or none, leave it'))
    return this.take(step, only)
  }

  // --- values

  program(step: StepPart, field: string): Stmt[] {
    const formula = this.#checked.formulas.get(stepKey(step, field))
    if (!formula) return []
    if ((this.#sought?.lines.size ?? 0) > 0) throw new NotLowered(say('a breakpoint is set in a program'))
    const component = componentOf(step.process, step.id)
    const scope = this.#memory.scope(this.#memory.actorOf(step.process), component, step.id, field)
    const statements = new FormulaLowering(formula.inferred, scope).statements()
    const { listAt } = this.#memory.around
    // What programs before it kept is let go of.
    return listAt === null ? statements : [ir.store('i32', ir.i32(listAt), TOP_ENTRY, ir.i32(0)), ...statements]
  }

  value(step: StepPart, field: string): FormulaLowering {
    const actor = this.#memory.actorOf(step.process)
    return this.#memory.value(actor, stepKey(step, field), componentOf(step.process, step.id), step.id, field)
  }

  number(step: StepPart, field: string): Expr {
    return this.value(step, field).number()
  }
}
