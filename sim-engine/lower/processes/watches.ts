// The functions that runtime/watches.ts calls: whether the condition of a step holds for a token, whether the action of one step can change
// the condition of another, and what an interrupted activity gives back or withdraws. See run/watches.ts and steps/activity.ts.
import { stepKey } from '../../check/names/keys.ts'
import type { StepPart } from '../../check/parts.ts'
import { componentOf, isWritten } from '../../compile/emitter.ts'
import type { Emitter } from '../../compile/emitter.ts'
import { pc } from '../../compile/process.ts'
import * as ir from '../../ir.ts'
import type { Expr, Fn, Stmt } from '../../ir.ts'
import { reactionsOf } from '../../run/reactions.ts'
import { say } from '../../../model-schema/words.ts'
import * as rt from '../../runtime/processes.ts'
import { NotLowered } from '../scope.ts'
import { column, token, type ProcessMemory } from './memory.ts'
import { isPlainSum, isSpan } from './starts.ts'

const role = { catch: 0, boundary: 1, aside: 2, giveUp: 4 } as const
const doing = (name: string, ...args: Expr[]): Stmt => ir.run(ir.call(name, 'void', ...args))
const interruptsBy = ({ element }: StepPart): boolean => element.fields['interrupting'] !== false

export class Watching {
  readonly #memory: ProcessMemory
  readonly #emitter: Emitter
  /** Why no condition can be watched here; null where all can. */
  readonly #why: NotLowered | null
  readonly #conditions: { readonly step: StepPart; readonly test: Expr }[] = []
  /** By position: whether an activity can be interrupted there, and what is done then. */
  readonly #interruptions = new Map<number, { readonly test: Expr; readonly does: readonly Stmt[] }>()

  constructor(memory: ProcessMemory, emitter: Emitter) {
    this.#memory = memory
    this.#emitter = emitter
    this.#why = this.#lowerConditions()
  }

  /** Whether tokens that watch conditions can go on here. */
  get looks(): boolean {
    return this.#why === null
  }

  /** Words of memory that never change in a run of this model, by address: where no step has a condition, no token ever watches one. */
  get constants(): ReadonlyMap<number, number> {
    const watches = (step: StepPart): boolean => isWritten(step, 'giveUpWhen') || step.element.fields['trigger'] === 'condition'
    return new Map(this.#memory.checked.parts.steps.some(watches) ? [] : [[rt.FIRST_CONDITION, -1]])
  }

  #lowerConditions(): NotLowered | null {
    try {
      for (const step of this.#memory.checked.parts.steps) {
        const field = conditionField(this.#emitter, step)
        if (field !== null) this.#conditions.push({ step, test: this.#condition(step, field) })
      }
      return null
    } catch (error) {
      if (!(error instanceof NotLowered)) throw error
      this.#conditions.length = 0
      return error
    }
  }

  #condition(step: StepPart, field: string): Expr {
    const { process } = step
    const isStart = step.kind.id === 'start'
    if (isStart && process.level === 'individual') throw new NotLowered(say('individuals start by a condition'))
    const key = stepKey(step, field)
    if (this.#emitter.draws(key)) throw new NotLowered(say('its condition is drawn'))
    const actor = isStart ? { process: null, entity: process.entity, slot: null } : this.#memory.actorOf(process)
    return this.#memory.value(actor, key, componentOf(process, step.id), step.id, field).truth()
  }

  /** Whether the condition of a step holds now. Throws where tokens cannot watch one here. */
  condition(step: StepPart): Expr {
    if (this.#why) throw this.#why
    return this.#conditions.find(one => one.step === step)!.test
  }

  /** The token watches the condition of a step. */
  watch(step: StepPart, as: keyof typeof role): Stmt {
    if (this.#why) throw this.#why
    return doing('watchCondition', token, ir.i32(step.index), ir.i32(role[as]))
  }

  /** It watches for nothing any more. */
  unwatch(): Stmt {
    return ir.when(ir.binary('eq', ir.load('u8', column(rt.T_WATCHING, 0)), ir.i32(1)), [doing('unwatch', token)])
  }

  hasRoom(watches: number): Expr {
    return ir.call('hasWatches', 'i32', ir.i32(watches))
  }

  /** What is asked before the boundary events of an activity are watched, and what watches them. */
  boundaries({ boundaries }: StepPart): { tests: Expr[]; arm: Stmt[]; disarm: Stmt[] } {
    if (boundaries.length === 0) return { tests: [], arm: [], disarm: [] }
    // One more than these is for what the activity itself may wait for.
    const tests = [this.hasRoom(boundaries.length + 1)]
    let timers = 0
    const arm = boundaries.map(event => {
      const as = interruptsBy(event) ? 'boundary' : 'aside'
      const { trigger } = event.element.fields
      if (trigger === 'condition') return this.watch(event, as)
      if (trigger !== 'timer') throw new NotLowered(say('boundary events watch it'))
      timers++
      const { span, test } = this.span(event, 'delay')
      if (test) tests.push(test)
      return doing('watchTimer', token, ir.i32(event.index), ir.i32(role[as]), span)
    })
    return { tests: [...tests, ir.call('hasRows', 'i32', ir.i32(timers + 1))], arm, disarm: [this.unwatch()] }
  }

  /** A time that a field says; `test` is asked before where it may be none. */
  span(step: StepPart, field: string): { span: Expr; test: Expr | null } {
    const key = stepKey(step, field)
    const formula = this.#memory.checked.formulas.get(key)
    const number = (): Expr =>
      this.#memory.value(this.#memory.actorOf(step.process), key, componentOf(step.process, step.id), step.id, field).number()
    if (isSpan(formula)) return { span: number(), test: null }
    if (!isPlainSum(formula)) throw new NotLowered(say('its patience may be no time'))
    const asked = number()
    return { span: number(), test: ir.binary('land', ir.binary('ge', asked, ir.f64(0)), ir.binary('lt', asked, ir.f64(Infinity))) }
  }

  /** At an entry of an activity that has boundary events. */
  interruptible(step: StepPart, entry: number, tests: readonly Expr[], does: readonly Stmt[]): void {
    if (!step.boundaries.some(interruptsBy)) return
    const test = tests.reduce((all, one) => ir.binary('land', all, one), ir.i32(1))
    this.#interruptions.set(pc(step, entry), { test, does })
  }

  fns(): Fn[] {
    const { locals } = this.#memory
    const { steps } = this.#memory.checked.parts
    const step = ir.get('step', 'i32')
    const by = <T>(list: readonly T[], numberOf: (one: T) => number, count: number): number[] => {
      const table = Array.from({ length: count }, () => -1)
      list.forEach((one, k) => (table[numberOf(one)] = k))
      return table
    }
    const answer = (value: Expr): Stmt => ({ kind: 'return', value })
    const conditions = by(this.#conditions, one => one.step.index, steps.length)
    const mayChange = reactionsOf(this.#memory.checked)
    const changes = this.#conditions.map(({ step: watched }): Stmt[] => {
      const table = this.#conditions.map(({ step: acted }) => mayChange(acted.index, watched.index))
      if (!table.includes(false)) return [answer(ir.i32(1))]
      const acted = by(
        this.#conditions.filter((_, k) => table[k]),
        one => one.step.index,
        steps.length,
      )
      const yes = acted.map(k => Math.min(k, 0))
      return table.includes(true) ? [{ kind: 'switch', of: ir.get('acted', 'i32'), table: yes, cases: [[answer(ir.i32(1))]] }] : []
    })
    const interruptions = [...this.#interruptions]
    const positions = by(interruptions, ([position]) => position, steps.length * 8)
    const at = ir.load('i32', column(rt.T_PC, 2))
    const plain = { isExported: false, locals } as const
    return [
      {
        ...plain,
        name: 'holds',
        params: [
          ['step', 'i32'],
          ['t', 'i32'],
        ],
        result: 'i32',
        body: [
          { kind: 'switch', of: step, table: conditions, cases: this.#conditions.map(({ test }) => [answer(test)]) },
          answer(ir.i32(0)),
        ],
      },
      {
        ...plain,
        name: 'mayChange',
        params: [
          ['acted', 'i32'],
          ['step', 'i32'],
        ],
        result: 'i32',
        body: [{ kind: 'switch', of: step, table: conditions, cases: changes }, answer(ir.i32(0))],
      },
      {
        ...plain,
        name: 'mayInterrupt',
        params: [['t', 'i32']],
        result: 'i32',
        body: [
          ir.when(ir.binary('ge', ir.load('f64', column(rt.T_SUSPENDED, 3)), ir.f64(0)), [answer(ir.i32(0))]),
          { kind: 'switch', of: at, table: positions, cases: interruptions.map(([, { test }]) => [answer(test)]) },
          answer(ir.i32(0)),
        ],
      },
      {
        ...plain,
        name: 'interrupted',
        params: [['t', 'i32']],
        result: 'void',
        body: [{ kind: 'switch', of: at, table: positions, cases: interruptions.map(([, { does }]) => [...does]) }],
      },
    ]
  }
}

/** The field of a step that holds a condition something watches. */
function conditionField(emitter: Emitter, step: StepPart): string | null {
  const field = step.kind.id === 'operate' ? 'giveUpWhen' : 'condition'
  if (step.kind.id !== 'operate' && step.element.fields['trigger'] !== 'condition') return null
  return isWritten(step, field) && emitter.has(stepKey(step, field)) ? field : null
}
