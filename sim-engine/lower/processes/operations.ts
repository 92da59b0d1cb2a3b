// The step Operate: requests and releases, with patience or without, and goods that are taken and put.
import { constantOf } from '../../check/checking.ts'
import { stepKey } from '../../check/names/keys.ts'
import type { StepPart } from '../../check/parts.ts'
import { rowsOf } from '../../check/resolve.ts'
import { isWritten } from '../../compile/emitter.ts'
import type { Emitter } from '../../compile/emitter.ts'
import { pc } from '../../compile/process.ts'
import * as ir from '../../ir.ts'
import type { Expr, Stmt } from '../../ir.ts'
import { say } from '../../../model-schema/words.ts'
import { NotLowered } from '../scope.ts'
import type { Activities } from './activities.ts'
import { call, doing, give, goTo, isDefault, unless } from './flows.ts'
import type { Flows } from './flows.ts'
import { token as t } from './memory.ts'
import type { ProcessMemory } from './memory.ts'
import { isAmount } from './resources.ts'
import type { Resources } from './resources.ts'
import type { Watching } from './watches.ts'

/** What a request that may be given up asks, and what is asked and done when that comes. */
type Patient = { readonly tests: readonly Expr[]; readonly withdrawal: Stmt; readonly ask: () => Expr }

export class Operations {
  readonly #memory: ProcessMemory
  readonly #emitter: Emitter
  readonly #flows: Flows
  readonly #resources: Resources
  readonly #activities: Activities
  readonly #watching: Watching

  constructor(
    memory: ProcessMemory,
    emitter: Emitter,
    { flows, resources, activities, watching }: { flows: Flows; resources: Resources; activities: Activities; watching: Watching },
  ) {
    this.#memory = memory
    this.#emitter = emitter
    this.#flows = flows
    this.#resources = resources
    this.#activities = activities
    this.#watching = watching
  }

  operation(step: StepPart): Stmt[] {
    const { operation, otherwise, preempt } = step.element.fields
    if (operation === 'take' || operation === 'put') return this.#movement(step, operation)
    const rows = rowsOf(step.element, 'items')
    if (operation !== 'request' && operation !== 'release')
      throw new NotLowered(say('it converts, transfers or sets what a container holds'))
    if (rowsOf(step.element, 'resources').length > 0) throw new NotLowered(say('it holds resources while it lasts'))
    const held = rows.map((row, k) => this.#resources.item(step, row, k, operation === 'release'))
    this.#resources.refuseMany(held)
    const here = isWritten(step, 'duration') ? pc(step, 3) : pc(step)
    if (operation === 'release') {
      const checks = this.#resources.canGiveBack(held).flatMap(test => this.#resources.unlessMet(step, 'items', held, test, here))
      return this.#activities.activity(step, () => this.#resources.giveBack(held), checks)
    }
    if ((otherwise ?? '') !== '' && otherwise !== 'wait') throw new NotLowered(say('it does not simply wait'))
    const preempts = preempt === 'resume' || preempt === 'restart'
    const { test, ask } = preempts ? this.#resources.askedOver(step, held, pc(step, 2)) : this.#resources.asked(step, held, pc(step, 2))
    const check = this.#resources.unlessMet(step, 'items', held, test, here)
    this.#resources.mayBeWithdrawn(step, 2, held)
    if (isWritten(step, 'timeout') || isWritten(step, 'giveUpWhen')) {
      const checks = [...this.#mayBePatient(step, here), ...check]
      const tests = held.map(({ record }) => call('canGiveUp', record, t))
      const withdrawal = this.#resources.withdrawal(step, held)
      return this.#activities.activity(step, () => this.#patiently(step, { tests, withdrawal, ask }), checks, false)
    }
    return this.#activities.activity(
      step,
      () => {
        this.#granted(step)
        if (this.#flows.isTrying) this.#flows.leave(step)
        return [ir.when(ir.not(ask()), [give(-1)]), ...goTo(pc(step, 2))]
      },
      check,
      false,
    )
  }

  /** What is asked before a request that may be given up. */
  #mayBePatient(step: StepPart, here: number): Stmt[] {
    const isTime = this.#patience(step)
    return [
      unless(call('hasRow'), here),
      ...(isTime ? [unless(isTime, here)] : []),
      ...(isWritten(step, 'giveUpWhen') ? [unless(this.#watching.hasRoom(1), here)] : []),
    ]
  }

  /** Whether the patience of a request is a time, to be asked before it; null where it certainly is. */
  #patience(step: StepPart): Expr | null {
    if (!isWritten(step, 'timeout')) return null
    const { test } = this.#watching.span(step, 'timeout')
    if (test && isWritten(step, 'before')) throw new NotLowered(say('its patience may be no time'))
    return test
  }

  /** Asks, and gives up after a while. */
  #patiently(step: StepPart, { tests, withdrawal, ask }: Patient): Stmt[] {
    this.#patience(step)
    const unwatch = this.#mayWatch(step) ? [this.#watching.unwatch()] : []
    const disarm = step.boundaries.length > 0 ? unwatch : []
    const onward = (): Stmt[] => [...this.#flows.program(step, 'after'), ...disarm, ...this.#leaveAsMet(step)]
    const checks = tests.map(test => unless(test, pc(step, 4)))
    const short = step.outgoing.find(isDefault)
    const withdraw = (): Stmt[] => [...checks, withdrawal, ...unwatch, ...(short ? this.#flows.take(step, short) : this.#flows.leave(step))]
    if (this.#flows.isTrying) {
      onward()
      withdraw()
    } else if (!this.#flows.cases.has(pc(step, 5))) {
      for (const entry of [4, 5]) this.#flows.case(pc(step, entry), [])
      this.#flows.case(pc(step, 5), onward())
      this.#flows.case(pc(step, 4), withdraw())
      this.#flows.case(pc(step, 2), [doing('cancel', t), ...unwatch, ...goTo(pc(step, 5))])
    }
    const waiting = [
      ...(isWritten(step, 'timeout') ? [doing('expireAfter', t, this.#flows.number(step, 'timeout'), ir.i32(pc(step, 4)))] : []),
      ...(isWritten(step, 'giveUpWhen') ? [this.#watching.watch(step, 'giveUp')] : []),
      give(-1),
    ]
    return [ir.when(ir.not(ask()), waiting), ...goTo(pc(step, 5))]
  }

  /** Whether a request watches for more than its time. */
  #mayWatch(step: StepPart): boolean {
    return step.boundaries.length > 0 || isWritten(step, 'giveUpWhen')
  }

  /** The way out of a request that was met: the default flow is for others. */
  #leaveAsMet(step: StepPart): Stmt[] {
    const [only, second] = step.outgoing.length > 1 ? step.outgoing.filter(flow => !isDefault(flow)) : step.outgoing
    if (!only || second) throw new NotLowered(say('several flows, or none, leave it'))
    return this.#flows.take(step, only)
  }

  /** Where a token goes on that waited for what it asked. */
  #granted(step: StepPart): void {
    const disarm = (): Stmt[] => (step.boundaries.length > 0 ? [this.#watching.unwatch()] : [])
    this.#flows.entry(step, 2, () => [...this.#flows.program(step, 'after'), ...disarm(), ...this.#flows.leave(step)])
  }

  /** Goods taken or put at once. Where that cannot be, what working the amount out drew is taken back, and the general way does it all. */
  #movement(step: StepPart, operation: 'take' | 'put'): Stmt[] {
    const { otherwise, preempt } = step.element.fields
    const rows = rowsOf(step.element, 'items')
    const [row] = rows
    const preempts = preempt === 'resume' || preempt === 'restart'
    if (!row || rows.length > 1 || preempts || otherwise === 'branch' || rowsOf(step.element, 'resources').length > 0)
      throw new NotLowered(say('it takes or puts more than one thing, or its wait may end otherwise'))
    const record = this.#memory.goodsOf(this.#resources.named(step, row, 0))
    const isPut = operation === 'put'
    const key = stepKey(step, 'items/0/amount')
    const constant = constantOf(this.#memory.checked.formulas.get(key))
    const lasts = isWritten(step, 'duration')
    const here = lasts ? pc(step, 3) : pc(step)
    const back = give(here)
    const does = ir.i32(Number(isPut))
    const mayWait = otherwise === 'wait'
    if (!mayWait) this.#flows.exceptions.set(step, new NotLowered(say('tokens that wait for goods or room run as JavaScript')))
    const may = (amount: Expr): Expr =>
      ir.binary('land', isAmount(amount), call('canMove', record, t, amount, does, ir.i32(Number(mayWait))))
    if (
      (constant === null && isWritten(step, 'before')) ||
      (isWritten(step, 'priority') && this.#emitter.constant(stepKey(step, 'priority')) === null)
    )
      throw new NotLowered(say('its amount is worked out after a program'))
    const amount = constant === null ? ir.get(this.#memory.local('amount', 'f64'), 'f64') : ir.f64(constant)
    const first: Stmt[] =
      amount.kind === 'get'
        ? this.#resources.tentative(step, 'items/0/amount', amount, may(amount), back)
        : [ir.when(ir.not(may(amount)), [back])]
    const ask = (): Expr => call('moveGoods', record, t, amount, does, this.#resources.priority(step), ir.i32(pc(step, 2)))
    if (otherwise === 'wait' && (isWritten(step, 'timeout') || isWritten(step, 'giveUpWhen'))) {
      const checks = [...this.#mayBePatient(step, here), ...first]
      const [tests, withdrawal] = [[call('canGiveUpGoods', record)], doing('giveUpGoods', record, t)]
      return this.#activities.activity(step, () => this.#patiently(step, { tests, withdrawal, ask }), checks, false)
    }
    return this.#activities.activity(
      step,
      () => {
        this.#granted(step)
        if (this.#flows.isTrying) this.#flows.leave(step)
        return [ir.when(ir.not(ask()), [give(-1)]), ...goTo(pc(step, 2))]
      },
      first,
      false,
    )
  }
}
