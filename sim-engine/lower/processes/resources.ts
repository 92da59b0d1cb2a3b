// What steps ask of containers: units requested and given back, amounts that are worked out, requests that are withdrawn.
import { constantOf } from '../../check/checking.ts'
import { stepKey } from '../../check/names/keys.ts'
import type { ContainerPart, StepPart } from '../../check/parts.ts'
import { rowsOf } from '../../check/resolve.ts'
import { componentOf, isWritten } from '../../compile/emitter.ts'
import * as ir from '../../ir.ts'
import type { Expr, Stmt } from '../../ir.ts'
import { MOST_AT_ONCE } from '../../runtime/containers.ts'
import { TO_RESTART, TO_RESUME } from '../../runtime/preemption.ts'
import * as rt from '../../runtime/processes.ts'
import { say } from '../../../model-schema/words.ts'
import { drawnFrom } from '../functions.ts'
import { NotLowered } from '../scope.ts'
import { call, cellOf, doing, give, unless } from './flows.ts'
import type { Flows } from './flows.ts'
import { column, token as t } from './memory.ts'
import type { ProcessMemory, Resource } from './memory.ts'
import type { Watching } from './watches.ts'

export const isAmount = (amount: Expr): Expr =>
  ir.binary('land', ir.binary('ge', amount, ir.f64(0)), ir.binary('lt', amount, ir.f64(Infinity)))

/** Whether a request is for one of several resources. */
const isContentWithOne = ({ element }: StepPart): boolean => element.fields['alternatives'] === true && rowsOf(element, 'items').length > 1

export class Resources {
  readonly #memory: ProcessMemory
  readonly #flows: Flows
  readonly #watching: Watching

  constructor(memory: ProcessMemory, flows: Flows, watching: Watching) {
    this.#memory = memory
    this.#flows = flows
    this.#watching = watching
  }

  priority(step: StepPart): Expr {
    return isWritten(step, 'priority') ? this.#flows.number(step, 'priority') : ir.f64(0)
  }

  /** Leaves a request or release to the general way unless a test holds; where units are worked out, this is done before. */
  unlessMet(step: StepPart, field: 'items' | 'resources', [only]: readonly Resource[], test: Expr, here: number): Stmt[] {
    const units = only?.units
    if (units?.kind !== 'get') return [unless(test, here)]
    if (field === 'items' && isWritten(step, 'before')) throw new NotLowered(say('its amount is worked out after a program'))
    return this.tentative(step, `${field}/0/amount`, units, ir.binary('land', isAmount(units), test), give(here))
  }

  /** What a row of a request or release names. */
  item(step: StepPart, row: Readonly<Record<string, unknown>>, k: number, isRelease: boolean): Resource {
    const part = this.named(step, row, k)
    const record = this.#memory.unitsOf(part)
    return { part, record, units: isRelease && row['amount'] === '' ? ir.f64(-1) : this.units(stepKey(step, `items/${k}/amount`)) }
  }

  refuseMany(held: readonly Resource[]): void {
    if (held.length > MOST_AT_ONCE) throw new NotLowered(say('it requests many resources'))
    if (new Set(held.map(({ part }) => part)).size < held.length) throw new NotLowered(say('it requests a resource twice'))
  }

  /** Whether a request can be made here, and the request: 0 when the token waits, to go on at `next`. */
  asked(step: StepPart, held: readonly Resource[], next: number): { test: Expr; ask: () => Expr } {
    if (isContentWithOne(step) && this.#memory.tells) throw new NotLowered(say('formulas ask what steps were given'))
    const [{ record, units }] = held as readonly [Resource]
    const ask = (name: string, ...of: Expr[]): Expr => call(name, ...of, this.priority(step), ir.i32(next))
    if (held.length === 1) return { test: call('canAsk', record, t, units), ask: () => ask('ask', record, t, units) }
    const bundle = ir.i32(this.#memory.bundle(held, isContentWithOne(step)))
    return { test: call('canAskAll', bundle, t), ask: () => ask('askAll', bundle, t) }
  }

  /** The same of units that may be taken from others. */
  askedOver(step: StepPart, held: readonly Resource[], next: number): { test: Expr; ask: () => Expr } {
    const [{ record, units }, other] = held as readonly [Resource, ...Resource[]]
    if (other) throw new NotLowered(say('it takes units of several resources from others'))
    const does = ir.i32(step.element.fields['preempt'] === 'restart' ? TO_RESTART : TO_RESUME)
    return {
      test: call('canAskOver', record, t, units),
      ask: () => call('askOver', record, t, units, this.priority(step), ir.i32(next), does),
    }
  }

  canGiveBack(held: readonly Resource[]): Expr[] {
    return held.map(({ record, units }) => call('canGiveBack', record, t, units, ir.i32(held.length)))
  }

  giveBack(held: readonly Resource[]): Stmt[] {
    return held.map(({ record }) => doing('giveBack', record, t))
  }

  /** A request that waits can be withdrawn where an event at the boundary comes. */
  mayBeWithdrawn(step: StepPart, entry: number, held: readonly Resource[]): void {
    if (step.boundaries.length === 0) return
    const isAsking = ir.binary('ge', ir.load('f64', column(rt.T_REQUEST, 3)), ir.f64(0))
    const tests = held.map(({ record }) => call('canGiveUp', record, t))
    this.#watching.interruptible(step, entry, [isAsking, ...tests], [this.withdrawal(step, held)])
  }

  withdrawal(step: StepPart, held: readonly Resource[]): Stmt {
    return held.length > 1
      ? doing('giveUpAll', ir.i32(this.#memory.bundle(held, isContentWithOne(step))), t)
      : doing('giveUp', held[0]!.record, t)
  }

  /** The container that a row of an operation names. */
  named(step: StepPart, row: Readonly<Record<string, unknown>>, k: number): ContainerPart {
    const formula = this.#memory.checked.formulas.get(stepKey(step, `items/${k}/container`))
    const node = formula?.inferred.parsed.ast.is === 'expression' ? formula.inferred.parsed.ast.value : null
    const meaning = node?.is === 'name' ? formula?.inferred.plan.names.get(node) : undefined
    const id = meaning?.is === 'symbol' ? meaning.symbol.id : undefined
    const [part, other] = this.#memory.checked.parts.containers.filter(one => id !== undefined && one.id === id)
    if (!part || other || cellOf(row, 'key') !== '') throw new NotLowered(say('which container it is depends on the run'))
    return part
  }

  /** Works an amount out; where `test` fails then, its draws are taken back. */
  tentative(step: StepPart, field: string, amount: Expr & { kind: 'get' }, test: Expr, back: Stmt): Stmt[] {
    if (step.boundaries.length > 0) throw new NotLowered(say('boundary events watch it'))
    const component = componentOf(step.process, step.id)
    const key = stepKey(step, field)
    const value = ir.set(amount.name, this.#memory.value(this.#memory.actorOf(step.process), key, component, step.id, field).number())
    const words = [...drawnFrom(this.#memory.checked, this.#memory.checked.formulas.get(key)!, component)].flatMap(drawn => {
      const at = this.#memory.known(this.#memory.streams, drawn, 16)
      return [at, at + 4, at + 8, at + 12].map(word => ({ word: ir.i32(word), name: this.#memory.local('s', 'i32') }))
    })
    return [
      ...words.map(({ word, name }) => ir.set(name, ir.load('i32', word))),
      value,
      ir.when(ir.not(test), [...words.map(({ word, name }) => ir.store('i32', word, 0, ir.get(name, 'i32'))), back]),
    ]
  }

  units(key: string): Expr {
    const units = constantOf(this.#memory.checked.formulas.get(key))
    return units !== null && units >= 0 && units <= 1e6 ? ir.f64(units) : ir.get(this.#memory.local('units', 'f64'), 'f64')
  }

  resource(step: StepPart, row: Readonly<Record<string, unknown>>, k: number): Resource {
    const found = this.#memory.checked.parts.containers.filter(one => one.id === row['container'])
    const part = found.find(one => one.entity === step.process.entity) ?? found[0]
    if (!part || cellOf(row, 'key') !== '') throw new NotLowered(say('its resource has keys'))
    return { part, record: this.#memory.unitsOf(part), units: this.units(stepKey(step, `resources/${k}/amount`)) }
  }
}
