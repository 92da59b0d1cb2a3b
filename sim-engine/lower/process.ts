// Processes with tokens -> one function `step(t, pc)`, a state machine over positions, and `arrive(process, row)` for timer starts.
// A step that is not lowered gives its position back, and the general way takes the token from there: so each step counts for
// itself, and the reason is kept for whoever asks. Positions and the order of effects are those of steps/*.ts.
import type { CheckedModel } from '../check/checked.ts'
import { constantOf } from '../check/checking.ts'
import { flowKey, stepKey } from '../check/keys.ts'
import type { ContainerPart, FlowPart, FormulaPart, ProcessPart, StepPart, VariablePart } from '../check/parts.ts'
import { rowsOf } from '../check/resolve.ts'
import { componentOf, isWritten } from '../compile/emitter.ts'
import type { Sought } from '../compile/emitter.ts'
import { isTicked, pc, placeOf, stepOrder } from '../compile/process.ts'
import { Emitter } from '../compile/emitter.ts'
import type { Symbol } from '../formula/scope.ts'
import * as ir from '../ir.ts'
import type { Expr, Fn, Stmt } from '../ir.ts'
import type { ProblemCode } from '../problems.ts'
import * as rt from '../runtime/processes.ts'
import { collects } from '../steps/gateway.ts'
import { FormulaLowering, NotLowered } from './formula.ts'
import type { FormulaScope, VariablePlace } from './formula.ts'

/** Where an error is: a part of a formula, or an element's field. */
export type FailurePlace = {
  readonly code: ProblemCode
  readonly id: string
  readonly field: string
  readonly from?: number
  readonly to?: number
}
/** A library function that is called as JavaScript; `given` says which of its arguments are handed over, the others being null. */
export type LibraryCall = {
  readonly name: string
  readonly draws: number | null
  readonly given: readonly boolean[]
  readonly at: Omit<FailurePlace, 'code'>
}

/** Processes as functions, and where in the head of the memory they look for what. Addresses are in bytes. */
export type LoweredProcesses = {
  readonly fns: readonly Fn[]
  readonly imports: readonly ir.Import[]
  readonly places: readonly FailurePlace[]
  readonly libraries: readonly LibraryCall[]
  /** By position, and by process: 1 where the functions know how to go on. */
  readonly known: Uint8Array
  readonly starts: Uint8Array
  readonly streams: ReadonlyMap<string, number>
  readonly shared: ReadonlyMap<VariablePart, number>
  readonly fired: ReadonlyMap<number, number>
  readonly containers: ReadonlyMap<ContainerPart, number>
  /** Words that hold addresses: of token columns by number, of properties. */
  readonly tokenColumns: ReadonlyMap<number, number>
  readonly properties: ReadonlyMap<VariablePart, number>
  /** The words of the two tables above it, and where free memory begins. */
  readonly knownAt: number
  readonly startsAt: number
  readonly top: number
  /** Why a step goes the general way. */
  readonly reasons: ReadonlyMap<StepPart, NotLowered>
}

/** Units that an activity holds. */
type Resource = { readonly part: ContainerPart; readonly record: Expr; readonly units: number }

const t = ir.get('t', 'i32')
const flowLabel = 'flow'
const goTo = (position: number): Stmt[] => [ir.set('pc', ir.i32(position)), { kind: 'continue', label: flowLabel }]
const give = (position: number): Stmt => ({ kind: 'return', value: ir.i32(position) })
const call = (name: string, ...args: Expr[]): Expr => ir.call(name, 'i32', ...args)
const doing = (name: string, ...args: Expr[]): Stmt => ir.run(ir.call(name, 'void', ...args))
/** Leaves the step to the general way unless a test holds. */
const unless = (test: Expr, position: number): Stmt => ir.when(ir.not(test), [give(position)])
/** An element of a token's column. */
const column = (word: number, shift: number): Expr => ir.binary('add', ir.load('i32', ir.i32(word)), ir.binary('shl', t, ir.i32(shift)))

/** null where no token could go on without the general way. */
export function lowerProcesses({ checked, rows, sought, words }: LoweredFrom): LoweredProcesses | null {
  return new ProcessesLowering(checked, rows, sought, words).lowered()
}

/** What is needed of a program: `words` are texts by their codes. */
export type LoweredFrom = {
  readonly checked: CheckedModel
  readonly rows: ReadonlySet<number>
  readonly sought: Sought | null
  readonly words: readonly (string | null)[]
}

class ProcessesLowering {
  readonly #checked: CheckedModel
  readonly #rows: ReadonlySet<number>
  readonly #sought: Sought | null
  readonly #words: readonly (string | null)[]
  readonly #emitter: Emitter
  readonly #locals = new Map<string, ir.Type>()
  readonly #places: FailurePlace[] = []
  readonly #libraries: LibraryCall[] = []
  readonly #imports: ir.Import[] = []
  readonly #streams = new Map<string, number>()
  readonly #shared = new Map<VariablePart, number>()
  readonly #fired = new Map<number, number>()
  readonly #containers = new Map<ContainerPart, number>()
  readonly #tokenColumns = new Map<number, number>()
  readonly #properties = new Map<VariablePart, number>()
  readonly #cases = new Map<number, readonly Stmt[]>()
  readonly #reasons = new Map<StepPart, NotLowered>()
  readonly #wanted: StepPart[] = []
  #order = new Map<StepPart, number>()
  #isTrying = true
  #top: number = rt.HEAD_SIZE

  constructor(checked: CheckedModel, rows: ReadonlySet<number>, sought: Sought | null, words: readonly (string | null)[]) {
    this.#checked = checked
    this.#words = words
    this.#rows = rows
    this.#sought = sought
    this.#emitter = new Emitter(checked, null, false, sought)
  }

  lowered(): LoweredProcesses | null {
    const { processes, steps } = this.#checked.parts
    const arrivals: Stmt[][] = []
    const table = processes.map(() => -1)
    const starts = new Uint8Array(processes.length)
    for (const process of processes) {
      if (this.#rows.has(process.index)) continue
      this.#lowerSteps(process)
      const arrival = this.#attempt(process.start, () => this.#arrival(process))
      if (!arrival) continue
      table[process.index] = arrivals.push(arrival) - 1
      starts[process.index] = 1
    }
    if (this.#cases.size === 0) return null
    const known = new Uint8Array(steps.length * 8)
    const cases = [...this.#cases]
    const byPosition = Array.from(known, () => -1)
    cases.forEach(([position], k) => {
      known[position] = 1
      byPosition[position] = k
    })
    const position = ir.get('pc', 'i32')
    const locals = this.#locals
    const step: Fn = {
      name: 'step',
      params: [
        ['t', 'i32'],
        ['pc', 'i32'],
      ],
      result: 'i32',
      locals,
      isExported: false,
      body: [
        {
          kind: 'loop',
          label: flowLabel,
          body: [
            { kind: 'switch', of: position, table: byPosition, cases: cases.map(([, body]) => body) },
            { kind: 'return', value: position },
          ],
        },
      ],
    }
    const arrive: Fn = {
      name: 'arrive',
      params: [
        ['process', 'i32'],
        ['row', 'i32'],
      ],
      result: 'i32',
      locals: new Map([...locals, ['t', 'i32']]),
      isExported: false,
      body: [
        { kind: 'switch', of: ir.get('process', 'i32'), table, cases: arrivals },
        { kind: 'return', value: ir.i32(-1) },
      ],
    }
    const knownAt = this.#room(known.length)
    const startsAt = this.#room(starts.length)
    return {
      fns: [step, arrive],
      imports: this.#imports,
      places: this.#places,
      libraries: this.#libraries,
      known,
      starts,
      streams: this.#streams,
      shared: this.#shared,
      fired: this.#fired,
      containers: this.#containers,
      tokenColumns: this.#tokenColumns,
      properties: this.#properties,
      knownAt,
      startsAt,
      top: this.#room(0),
      reasons: this.#reasons,
    }
  }

  #room(bytes: number): number {
    const at = this.#top
    this.#top += (bytes + 7) & ~7
    return at
  }

  #known<K>(map: Map<K, number>, key: K, bytes: number): number {
    let at = map.get(key)
    if (at === undefined) map.set(key, (at = this.#room(bytes)))
    return at
  }

  /** What it makes, or null, the reason being noted. */
  #attempt<T>(step: StepPart | null, make: () => T): T | null {
    try {
      return make()
    } catch (error) {
      if (!(error instanceof NotLowered)) throw error
      if (step) this.#reasons.set(step, error)
      return null
    }
  }

  #lowerSteps(process: ProcessPart): void {
    const order = stepOrder(process)
    this.#order = new Map(order.map((step, at) => [step, at]))
    // First each for itself, to know where tokens can go on; then with what follows.
    this.#isTrying = true
    const able = new Set(order.filter(step => this.#attempt(step, () => this.#step(step)) !== null))
    this.#isTrying = false
    this.#able = able
    for (const step of order) if (able.has(step) && (step.kind.id === 'start' || step.incoming.length !== 1)) this.#want(step)
    for (const step of order) {
      // Behind a step that is not lowered a token comes back by itself.
      if (able.has(step) && step.incoming.some(flow => !able.has(flow.from))) this.#want(step)
    }
    for (let step = this.#wanted.pop(); step; step = this.#wanted.pop()) this.#cases.set(pc(step), this.#step(step))
  }

  #able: ReadonlySet<StepPart> = new Set()

  #want(step: StepPart): void {
    if (this.#cases.has(pc(step))) return
    this.#cases.set(pc(step), [])
    this.#wanted.push(step)
  }

  #case(position: number, body: readonly Stmt[]): void {
    if (!this.#isTrying) this.#cases.set(position, body)
  }

  // --- ways on

  #take(from: StepPart, flow: FlowPart): Stmt[] {
    const { to } = flow
    if (this.#isTrying) return []
    const isBack = this.#order.get(to)! <= this.#order.get(from)!
    const fuel = ir.load('i32', ir.i32(rt.FUEL))
    const before: Stmt[] = isBack
      ? [
          ir.store('i32', ir.i32(rt.FUEL), 0, ir.binary('sub', fuel, ir.i32(1))),
          ir.when(ir.binary('lt', fuel, ir.i32(0)), [{ kind: 'fail', place: this.#place({ code: 10047, id: to.id, field: 'name' }) }]),
        ]
      : []
    const { type } = to.element.fields
    if (to.incoming.length > 1 && (type === 'parallel' || type === 'inclusive' || type === 'mofn'))
      before.push(ir.store('i32', column(rt.T_FLOW, 2), 0, ir.i32(to.incoming.indexOf(flow))))
    if (!this.#able.has(to)) return [...before, give(pc(to))]
    if (!isBack && to.incoming.length === 1 && !this.#cases.has(pc(to))) return [...before, ...this.#step(to)]
    this.#want(to)
    return [...before, ...goTo(pc(to))]
  }

  #leave(step: StepPart): Stmt[] {
    const [only, second] = step.outgoing
    if (!only || second) throw new NotLowered('several flows, or none, leave it', '离开它的流不止一条或没有')
    return this.#take(step, only)
  }

  // --- steps

  #step(step: StepPart): Stmt[] {
    const { process } = step
    if (process.holder) throw new NotLowered('it is inside a subprocess', '它位于子流程内')
    if (step.boundaries.length > 0) throw new NotLowered('boundary events watch it', '边界事件在监视它')
    if (this.#checked.scopes.outputs.has(step)) throw new NotLowered('its output is read elsewhere', '其输出在别处被读取')
    if (this.#sought?.steps.has(step.index)) throw new NotLowered('a breakpoint is set on it', '其上设有断点')
    if (process.level === 'individual' && (this.#sought?.individuals.size ?? 0) > 0)
      throw new NotLowered('an individual is looked for', '正在查找个体')
    switch (step.kind.id) {
      case 'start':
        return this.#leave(step)
      case 'end':
        return this.#end(step)
      case 'gateway':
        return this.#gateway(step)
      case 'compute':
        return this.#activity(step, () => this.#program(step, 'program'))
      case 'delay':
        return this.#activity(step, () => [])
      case 'operate':
        return this.#operation(step)
      case 'intermediate':
        return this.#timer(step)
      default:
        throw new NotLowered(`steps of kind “${step.kind.id}” go the general way`, `“${step.kind.id}”类步骤由通用方式执行`)
    }
  }

  #end(step: StepPart): Stmt[] {
    const { process } = step
    if ((step.element.fields['result'] ?? 'none') !== 'none') throw new NotLowered('it ends more than its token', '它结束的不只是其令牌')
    if (process.level === 'individual' || this.#emitter.has(`q${process.index}/concurrency`))
      throw new NotLowered('whoever runs it is told', '需通知其执行者')
    if (this.#checked.parts.tokenColumns.some(one => one.storage === 'any'))
      throw new NotLowered('tokens carry values that are no numbers', '令牌携带非数值')
    // A text ends with its token: what its slot holds is seen in snapshots.
    const forgotten = process.temporaries.flatMap(variable => (variable.storage === 'word' ? [this.#cleared(variable)] : []))
    return [unless(call('canEnd', t), pc(step)), ...forgotten, doing('end', t), give(-1)]
  }

  #cleared(variable: VariablePart): Stmt {
    const { mem, address } = this.#tokenPlace(variable)!
    return ir.store(mem, address, 0, ir.i32(0))
  }

  #program(step: StepPart, field: string): Stmt[] {
    const formula = this.#checked.formulas.get(stepKey(step, field))
    if (!formula) return []
    if ((this.#sought?.lines.size ?? 0) > 0) throw new NotLowered('a breakpoint is set in a program', '程序中设有断点')
    const component = componentOf(step.process, step.id)
    return new FormulaLowering(formula.inferred, this.#scope(step.process, component, step.id, field)).statements()
  }

  #number(step: StepPart, field: string): Expr {
    return this.#value(step.process, stepKey(step, field), componentOf(step.process, step.id), step.id, field).number()
  }

  #value(process: ProcessPart, key: string, component: string, id: string, field: string): FormulaLowering {
    const formula = this.#checked.formulas.get(key)
    if (!formula) throw new NotLowered(`its ${field} is blank`, `其 ${field} 为空`)
    return new FormulaLowering(formula.inferred, this.#scope(process, component, id, field))
  }

  /** What activities share: resources, `before`, a duration, what it does, `after`. See steps/activity.ts. */
  #activity(step: StepPart, does: () => Stmt[], first: readonly Stmt[] = [], goesOn = true): Stmt[] {
    const rows = rowsOf(step.element, 'resources')
    const held = rows.map((row, k) => this.#resource(step, row, k))
    const holds = held.length > 0
    if (new Set(held.map(({ part }) => part)).size < held.length) throw new NotLowered('it requests a resource twice', '它重复申请同一资源')
    const lasts = isWritten(step, 'duration')
    if (holds && !lasts) throw new NotLowered('it holds resources without a duration', '它占用资源但没有时长')
    const room: Stmt[] = lasts ? [unless(call('hasRow'), holds ? pc(step, 1) : pc(step))] : []
    const arriving = [
      ...room,
      ...(holds ? [ir.store('i32', column(rt.T_PC, 2), 0, ir.i32(pc(step, 1)))] : []),
      ...this.#program(step, 'before'),
    ]
    const returns = held.map(({ record }) => doing('giveBack', record, t))
    const release: Stmt[] = holds ? [...returns, ir.store('i32', column(rt.T_PC, 2), 0, ir.i32(pc(step)))] : []
    const closing = (): Stmt[] => [...does(), ...(goesOn ? [...this.#program(step, 'after'), ...release, ...this.#leave(step)] : [])]
    if (!lasts) return [...first, ...arriving, ...closing()]
    const place = this.#place({ code: 10051, id: step.id, field: 'duration' })
    const sleeping: Stmt[] = [doing('sleep', t, this.#number(step, 'duration'), ir.i32(pc(step, 3)), ir.i32(place)), give(-1)]
    const check = held.map(({ record, units }) => unless(call('canGiveBack', record, t, ir.f64(units)), pc(step, 3)))
    this.#case(pc(step, 3), [...first, ...check, ...closing()])
    if (this.#isTrying) closing()
    const [only, second] = held
    if (!only) return [...arriving, ...sleeping]
    this.#case(pc(step, 1), [...arriving, ...sleeping])
    if (second) return [...this.#holdAll(step, held), ...goTo(pc(step, 1))]
    const units = ir.f64(only.units)
    return [
      unless(call('canAsk', only.record, t, units), pc(step)),
      ir.when(ir.not(call('ask', only.record, t, units, this.#priority(step), ir.i32(pc(step, 1)))), [give(-1)]),
      ...goTo(pc(step, 1)),
    ]
  }

  /** Several resources, when all are there at once; who has to wait for one of them goes the general way. */
  #holdAll(step: StepPart, held: readonly Resource[]): Stmt[] {
    const priority = this.#local('priority', 'f64')
    const all = held.map(({ record, units }) => call('canHold', record, t, ir.f64(units))).reduce((a, b) => ir.binary('land', a, b))
    return [
      unless(ir.binary('land', call('hasRecords', ir.i32(held.length)), all), pc(step)),
      ir.set(priority, this.#priority(step)),
      ...held.map(({ record, units }) => doing('holdPart', record, t, ir.f64(units), ir.get(priority, 'f64'))),
      doing('passSlot'),
      ir.store('f64', ir.i32(rt.GOT), 0, ir.f64(held.reduce((sum, { units }) => sum + units, 0))),
    ]
  }

  #priority(step: StepPart): Expr {
    return isWritten(step, 'priority') ? this.#number(step, 'priority') : ir.f64(0)
  }

  #operation(step: StepPart): Stmt[] {
    const { operation, otherwise, preempt } = step.element.fields
    if (operation === 'take' || operation === 'put') return this.#movement(step, operation)
    const rows = rowsOf(step.element, 'items')
    const [row] = rows
    if ((operation !== 'request' && operation !== 'release') || !row || rows.length > 1)
      throw new NotLowered('it is more than a request or release of one container', '它不只是申请或释放单个容器')
    if (rowsOf(step.element, 'resources').length > 0 || isWritten(step, 'giveUpWhen'))
      throw new NotLowered('its wait may end otherwise', '其等待可能以其他方式结束')
    const record = this.#recordOf(this.#named(step, row))
    const isBlank = operation === 'release' && row['amount'] === ''
    const units = isBlank ? -1 : this.#units(stepKey(step, 'items/0/amount'))
    if (operation === 'release') {
      const check = unless(call('canGiveBack', record, t, ir.f64(units)), isWritten(step, 'duration') ? pc(step, 3) : pc(step))
      return this.#activity(step, () => [doing('giveBack', record, t)], [check])
    }
    if (((otherwise ?? '') !== '' && otherwise !== 'wait') || preempt === 'resume' || preempt === 'restart')
      throw new NotLowered('it does not simply wait', '它并非简单等待')
    const here = isWritten(step, 'duration') ? pc(step, 3) : pc(step)
    const check = unless(call('canAsk', record, t, ir.f64(units)), here)
    if (isWritten(step, 'timeout'))
      return this.#activity(step, () => this.#patiently(step, record, units), [check, unless(call('hasRow'), here)], false)
    return this.#activity(
      step,
      () => {
        this.#granted(step)
        const ask = call('ask', record, t, ir.f64(units), this.#priority(step), ir.i32(pc(step, 2)))
        if (this.#isTrying) this.#leave(step)
        return [ir.when(ir.not(ask), [give(-1)]), ...goTo(pc(step, 2))]
      },
      [check],
      false,
    )
  }

  /** Asks, and gives up after a while: that the general way does, and goes on. */
  #patiently(step: StepPart, record: Expr, units: number): Stmt[] {
    const key = stepKey(step, 'timeout')
    if (!isSpan(this.#checked.formulas.get(key))) throw new NotLowered('its patience may be no time', '其等待时限可能不是有效时长')
    const onward = (): Stmt[] => [...this.#program(step, 'after'), ...this.#leaveAsMet(step)]
    if (this.#isTrying) onward()
    else if (!this.#cases.has(pc(step, 5))) {
      this.#cases.set(pc(step, 5), [])
      this.#cases.set(pc(step, 5), onward())
      this.#cases.set(pc(step, 2), [doing('cancel', t), ...goTo(pc(step, 5))])
    }
    const waiting = [doing('expireAfter', t, this.#number(step, 'timeout'), ir.i32(pc(step, 4))), give(-1)]
    return [
      ir.when(ir.not(call('ask', record, t, ir.f64(units), this.#priority(step), ir.i32(pc(step, 2)))), waiting),
      ...goTo(pc(step, 5)),
    ]
  }

  /** The way out of a request that was met: the default flow is for others. */
  #leaveAsMet(step: StepPart): Stmt[] {
    const isDefault = ({ element }: FlowPart): boolean => element.fields['default'] === true
    const [only, second] = step.outgoing.length > 1 ? step.outgoing.filter(flow => !isDefault(flow)) : step.outgoing
    if (!only || second) throw new NotLowered('several flows, or none, leave it', '离开它的流不止一条或没有')
    return this.#take(step, only)
  }

  /** Where a token goes on that waited for what it asked. */
  #granted(step: StepPart): void {
    if (this.#isTrying || this.#cases.has(pc(step, 2))) return
    this.#cases.set(pc(step, 2), [])
    this.#cases.set(pc(step, 2), [...this.#program(step, 'after'), ...this.#leave(step)])
  }

  /** The container that a row of an operation names. */
  #named(step: StepPart, row: Readonly<Record<string, unknown>>): ContainerPart {
    const formula = this.#checked.formulas.get(stepKey(step, 'items/0/container'))
    const node = formula?.inferred.parsed.ast.is === 'expression' ? formula.inferred.parsed.ast.value : null
    const meaning = node?.is === 'name' ? formula?.inferred.plan.names.get(node) : undefined
    const id = meaning?.is === 'symbol' ? meaning.symbol.id : undefined
    const [part, other] = this.#checked.parts.containers.filter(one => id !== undefined && one.id === id)
    if (!part || other || cellOf(row, 'key') !== '') throw new NotLowered('which container it is depends on the run', '具体容器取决于运行')
    return part
  }

  /** Goods taken or put at once. Where that cannot be, what working the amount out drew is taken back, and the general way does it all. */
  #movement(step: StepPart, operation: 'take' | 'put'): Stmt[] {
    const { otherwise, preempt } = step.element.fields
    const rows = rowsOf(step.element, 'items')
    const [row] = rows
    const waitsElse = isWritten(step, 'timeout') || isWritten(step, 'giveUpWhen') || preempt === 'resume' || preempt === 'restart'
    if (!row || rows.length > 1 || waitsElse || otherwise === 'branch' || rowsOf(step.element, 'resources').length > 0)
      throw new NotLowered(
        'it takes or puts more than one thing, or its wait may end otherwise',
        '它取放多种内容，或其等待可能以其他方式结束',
      )
    const record = this.#goodsOf(this.#named(step, row))
    const isPut = operation === 'put'
    const key = stepKey(step, 'items/0/amount')
    const constant = constantOf(this.#checked.formulas.get(key))
    const lasts = isWritten(step, 'duration')
    const back = give(lasts ? pc(step, 3) : pc(step))
    const may = (amount: Expr): Expr => {
      const isAmount = ir.binary('land', ir.binary('ge', amount, ir.f64(0)), ir.binary('lt', amount, ir.f64(Infinity)))
      return ir.binary('land', isAmount, call('canMove', record, isPut ? ir.unary('neg', amount) : amount))
    }
    if (
      (constant === null && isWritten(step, 'before')) ||
      (isWritten(step, 'priority') && this.#emitter.constant(stepKey(step, 'priority')) === null)
    )
      throw new NotLowered('its amount is worked out after a program', '其数量在程序之后计算')
    const amount = constant === null ? ir.get(this.#local('amount', 'f64'), 'f64') : ir.f64(constant)
    const first: Stmt[] =
      amount.kind === 'get' ? this.#tentative(step, key, amount, may(amount), back) : [ir.when(ir.not(may(amount)), [back])]
    return this.#activity(
      step,
      () => {
        this.#granted(step)
        const done = doing(isPut ? 'putIn' : 'take', record, amount)
        if (this.#isTrying) this.#leave(step)
        return [done, ...goTo(pc(step, 2))]
      },
      first,
      false,
    )
  }

  /** Works an amount out; where `test` fails then, its draws are taken back. */
  #tentative(step: StepPart, key: string, amount: Expr & { kind: 'get' }, test: Expr, back: Stmt): Stmt[] {
    const component = componentOf(step.process, step.id)
    const value = ir.set(amount.name, this.#value(step.process, key, component, step.id, 'items/0/amount').number())
    if (!this.#emitter.draws(key)) return [value, ir.when(ir.not(test), [back])]
    const at = this.#known(this.#streams, component, 16)
    const words = [0, 4, 8, 12].map(offset => ({ offset, name: this.#local('s', 'i32') }))
    return [
      ...words.map(({ offset, name }) => ir.set(name, ir.load('i32', ir.i32(at), offset))),
      value,
      ir.when(ir.not(test), [...words.map(({ offset, name }) => ir.store('i32', ir.i32(at), offset, ir.get(name, 'i32'))), back]),
    ]
  }

  #goodsOf(part: ContainerPart): Expr {
    const { contents, reusable, negative } = part.element.fields
    const areItems = this.#checked.parts.containers.some(one => one.element.fields['contents'] === 'items')
    if (part.level === 'individual' || contents !== 'amount' || reusable === true || negative === true || areItems)
      throw new NotLowered('its container does not hold a plain amount of goods', '其容器不是全局的普通数量')
    return ir.i32(this.#known(this.#containers, part, rt.RECORD_SIZE))
  }

  #units(key: string): number {
    const units = constantOf(this.#checked.formulas.get(key))
    if (units === null || !(units >= 0 && units <= 1e6)) throw new NotLowered('its amount is worked out', '其数量需计算')
    return units
  }

  #resource(step: StepPart, row: Readonly<Record<string, unknown>>, k: number): Resource {
    const found = this.#checked.parts.containers.filter(one => one.id === row['container'])
    const part = found.find(one => one.entity === step.process.entity) ?? found[0]
    if (!part || cellOf(row, 'key') !== '') throw new NotLowered('its resource has keys', '其资源带有键')
    return { part, record: this.#recordOf(part), units: this.#units(stepKey(step, `resources/${k}/amount`)) }
  }

  #looked(id: string): { record: Expr; isGoods: boolean } | undefined {
    const [part, other] = this.#checked.parts.containers.filter(one => one.id === id)
    if (!part || other) return undefined
    const isGoods = part.element.fields['reusable'] !== true
    return { record: isGoods ? this.#goodsOf(part) : this.#recordOf(part), isGoods }
  }

  #recordOf(part: ContainerPart): Expr {
    const { contents, reusable } = part.element.fields
    if (part.level === 'individual' || contents !== 'amount' || reusable !== true)
      throw new NotLowered('its container does not hold plain units that exist once', '其容器不是全局的普通单位')
    return ir.i32(this.#known(this.#containers, part, rt.RECORD_SIZE))
  }

  #timer(step: StepPart): Stmt[] {
    if (step.element.fields['trigger'] !== 'timer') throw new NotLowered('it waits for something else than time', '它等待的不是时间')
    const place = this.#place({ code: 10051, id: step.id, field: 'delay' })
    const closing = (): Stmt[] => [...this.#program(step, 'after'), ...this.#leave(step)]
    this.#case(pc(step, 2), this.#isTrying ? [] : closing())
    if (this.#isTrying) closing()
    return [
      unless(call('hasRow'), pc(step)),
      ...this.#program(step, 'before'),
      doing('nap', t, this.#number(step, 'delay'), ir.i32(pc(step, 2)), ir.i32(place)),
      give(-1),
    ]
  }

  #gateway(step: StepPart): Stmt[] {
    const { type, by } = step.element.fields
    if (type !== 'exclusive' || collects(step)) throw new NotLowered('tokens meet or split here', '令牌在此汇合或拆分')
    const before = this.#program(step, 'before')
    const go = (flow: FlowPart): Stmt[] => [...this.#program(step, 'after'), ...this.#take(step, flow)]
    if (step.outgoing.length < 2) return [...before, ...this.#program(step, 'after'), ...this.#leave(step)]
    if (by === 'probability') return [...before, ...this.#byWeight(step, go)]
    const otherwise = step.outgoing.find(flow => flow.element.fields['default'] === true)
    const branches = step.outgoing
      .filter(flow => flow !== otherwise)
      .map(flow => {
        if (!this.#checked.formulas.has(flowKey(step.process, flow.id, 'condition')))
          throw new NotLowered('a condition is blank', '条件为空')
        const test = this.#value(
          step.process,
          flowKey(step.process, flow.id, 'condition'),
          componentOf(step.process, flow.id),
          flow.id,
          'condition',
        )
        return ir.when(test.truth(), go(flow))
      })
    return [...before, ...branches, ...(otherwise ? go(otherwise) : [this.#failing(10044, step, 'type')])]
  }

  #failing(code: ProblemCode, step: StepPart, field: string): Stmt {
    return { kind: 'fail', place: this.#place({ code, id: step.id, field }) }
  }

  #byWeight(step: StepPart, go: (flow: FlowPart) => Stmt[]): Stmt[] {
    const weights = step.outgoing.map(flow => {
      const weight = constantOf(this.#checked.formulas.get(flowKey(step.process, flow.id, 'weight')))
      if (weight === null || !(weight >= 0)) throw new NotLowered('a weight is worked out', '权重需计算')
      return weight
    })
    const total = weights.reduce((a, b) => a + b)
    if (!(total > 0)) throw new NotLowered('its weights are all 0', '其权重均为 0')
    const u = this.#local('u', 'f64')
    const stream = ir.i32(this.#known(this.#streams, componentOf(step.process, step.id), 16))
    const left = ir.get(u, 'f64')
    const branches = step.outgoing
      .slice(0, -1)
      .flatMap((flow, k): Stmt[] => [
        ir.set(u, ir.binary('sub', left, ir.f64(weights[k]!))),
        ir.when(ir.binary('lt', left, ir.f64(0)), go(flow)),
      ])
    return [ir.set(u, ir.binary('mul', ir.call('uniform', 'f64', stream), ir.f64(total))), ...branches, ...go(step.outgoing.at(-1)!)]
  }

  // --- starts

  /** A timer start of nobody's: the next arrival, then the token. See compile/starts.ts. */
  #arrival(process: ProcessPart): Stmt[] {
    const { start } = process
    if (!start || start.element.fields['trigger'] !== 'timer' || process.holder)
      throw new NotLowered('it does not start by a timer', '它不由定时器启动')
    if (isTicked(process, placeOf(this.#emitter, process)) || isWritten(start, 'times') || process.level === 'individual')
      throw new NotLowered('ticks, a list of times, or individuals start it', '由步、时间表或个体启动')
    if (this.#emitter.has(`q${process.index}/concurrency`)) throw new NotLowered('only so many may run at a time', '同时运行数受限')
    if (process.steps.some(step => this.#checked.scopes.outputs.has(step)))
      throw new NotLowered('outputs of its steps are read', '其步骤的输出被读取')
    if (this.#sought?.steps.has(start.index)) throw new NotLowered('a breakpoint is set on it', '其上设有断点')
    if (isWritten(start, 'count') && this.#emitter.constant(stepKey(start, 'count')) !== 1)
      throw new NotLowered('several arrive at a time', '一次到达多个')
    if (!this.#cases.has(pc(start))) throw new NotLowered('its first step goes the general way', '其首个步骤由通用方式执行')
    const row = ir.get('row', 'i32')
    const span = this.#local('span', 'f64')
    // Times of an interval that is not drawn are multiples of it: run/cycles.ts.
    const draws = this.#emitter.draws(stepKey(start, 'every'))
    const place = this.#place({ code: 10051, id: start.id, field: 'every' })
    const isTime = ir.binary(
      'land',
      ir.binary('ge', ir.get(span, 'f64'), ir.f64(0)),
      ir.binary('lt', ir.get(span, 'f64'), ir.f64(Infinity)),
    )
    const freed = ir.load('i32', ir.i32(rt.FREED_COUNT))
    const next: Stmt[] = [
      ir.set(span, draws ? this.#number(start, 'every') : ir.call('cycle', 'f64', ir.i32(process.index), this.#number(start, 'every'))),
      ir.when(ir.not(isTime), [{ kind: 'fail', place }]),
      ir.store('i32', ir.i32(rt.FREED_COUNT), 0, ir.binary('sub', freed, ir.i32(1))),
      doing('again', row, ir.i32(process.index), ir.get(span, 'f64')),
    ]
    const first = process.temporaries.map(variable => this.#initial(process, variable))
    return [
      doing('freeRow', row),
      ...(isWritten(start, 'maximum') ? this.#limited(process, start, next) : next),
      ir.set('t', call('create', ir.i32(process.index), ir.i32(pc(start)))),
      ...first,
      { kind: 'return', value: t },
    ]
  }

  #limited(process: ProcessPart, start: StepPart, next: readonly Stmt[]): Stmt[] {
    const at = this.#known(this.#fired, process.index, 8)
    const fired = ir.load('f64', ir.i32(at))
    const more = ir.not(ir.binary('ge', fired, this.#number(start, 'maximum')))
    return [ir.when(more, [ir.store('f64', ir.i32(at), 0, ir.binary('add', fired, ir.f64(1))), ...next])]
  }

  #initial(process: ProcessPart, variable: VariablePart): Stmt {
    const place = this.#tokenPlace(variable)
    if (!place) throw new NotLowered(`“${variable.name}” of its tokens is no number`, `其令牌的“${variable.name}”不是数值`)
    const formula = this.#checked.formulas.get(variable.initialKey)
    if (!formula) return ir.store(place.mem, place.address, 0, place.holds === 'number' ? ir.f64(0) : ir.i32(0))
    const scope = this.#scope(process, componentOf(process, process.id), formula.id, formula.field)
    const value = new FormulaLowering(formula.inferred, scope)
    const { holds } = place
    return ir.store(place.mem, place.address, 0, holds === 'word' ? value.code() : holds === 'bool' ? value.truth() : value.number())
  }

  // --- what formulas look at

  #place(place: FailurePlace): number {
    const same = (one: FailurePlace): boolean =>
      one.code === place.code && one.id === place.id && one.field === place.field && one.from === place.from && one.to === place.to
    const known = this.#places.findIndex(same)
    return known >= 0 ? known : this.#places.push(place) - 1
  }

  #local(prefix: string, type: 'i32' | 'f64'): string {
    const name = `${prefix}${this.#locals.size}`
    this.#locals.set(name, type)
    return name
  }

  #tokenPlace(variable: VariablePart): VariablePlace | undefined {
    const holds = variable.storage
    if (holds !== 'number' && holds !== 'bool' && holds !== 'word') return undefined
    const word = this.#known(this.#tokenColumns, variable.index, 8)
    const isNumber = holds === 'number'
    return { mem: isNumber ? 'f64' : 'u8', address: column(word, isNumber ? 3 : 0), offset: 0, holds }
  }

  #variable(process: ProcessPart, symbol: Symbol): VariablePlace | undefined {
    if (!symbol.id || symbol.kind === 'container') return undefined
    const mine = process.temporaries.find(one => one.id === symbol.id)
    if (mine) return this.#tokenPlace(mine)
    const own = process.level === 'individual' ? process.entity?.variables.find(one => one.id === symbol.id) : undefined
    if (own) return this.#property(process, own)
    const all = this.#checked.parts.shared.filter(one => one.id === symbol.id)
    const shared = all.length === 1 ? all[0] : all.find(one => one.entity === process.entity)
    if (!shared || (shared.storage !== 'number' && shared.storage !== 'bool')) return undefined
    const isBool = shared.storage === 'bool'
    const address = ir.i32(this.#known(this.#shared, shared, 8))
    return { mem: isBool ? 'i32' : 'f64', address, offset: 0, holds: isBool ? 'bool' : 'number' }
  }

  /** A property of the token's own individual; where populations are updated without tokens, too, their columns stand elsewhere. */
  #property({ entity }: ProcessPart, variable: VariablePart): VariablePlace | undefined {
    if (entity?.kind !== 'agent' || entity.order === 'simultaneous' || this.#rows.size > 0) return undefined
    const holds = variable.storage
    if (holds === 'any' || holds === 'entity') return undefined
    const word = ir.load('i32', ir.i32(this.#known(this.#properties, variable, 8)))
    const slot = call('slotOf', t)
    const isNumber = holds === 'number'
    return {
      mem: isNumber ? 'f64' : 'u8',
      address: ir.binary('add', word, isNumber ? ir.binary('shl', slot, ir.i32(3)) : slot),
      offset: 0,
      holds,
    }
  }

  #scope(process: ProcessPart, component: string, id: string, field: string): FormulaScope {
    const stream = (): Expr => ir.i32(this.#known(this.#streams, component, 16))
    return {
      variable: symbol => this.#variable(process, symbol),
      word: text => {
        const known = this.#words.indexOf(text)
        return known < 0 ? undefined : known
      },
      container: containerId => this.#looked(containerId),
      stream,
      place: (code, { from, to }) => this.#place({ code, id, field, from, to }),
      local: (prefix, type) => this.#local(prefix, type),
      library: (name, draws, args, result, { from, to }) => {
        const given = args.filter(arg => arg !== null)
        const host = `library${this.#libraries.length}`
        const address = draws ? this.#known(this.#streams, component, 16) : null
        this.#libraries.push({ name, draws: address, given: args.map(arg => arg !== null), at: { id, field, from, to } })
        this.#imports.push({ name: host, params: given.map(() => 'f64' as const), result })
        return ir.call(host, result, ...given)
      },
    }
  }
}

/** Whether a formula certainly gives a time: a number, or a draw with parameters that are written, none of them below 0. */
function isSpan(formula: FormulaPart | undefined): boolean {
  const constant = constantOf(formula)
  if (constant !== null) return constant >= 0 && constant < Infinity
  const { parsed, plan } = formula?.inferred ?? {}
  const node = parsed?.ast.is === 'expression' ? parsed.ast.value : null
  const called = node?.is === 'call' ? plan?.calls.get(node) : undefined
  if (node?.is !== 'call' || called?.is !== 'row' || node.named.length > 0) return false
  const { name } = called.row.signature
  const areWritten = node.args.every(arg => arg.is === 'number' && arg.value >= 0 && arg.value < Infinity)
  return areWritten && (name === 'exponential' || name === 'uniform')
}

const cellOf = (row: Readonly<Record<string, unknown>>, name: string): string => (typeof row[name] === 'string' ? row[name] : '')
