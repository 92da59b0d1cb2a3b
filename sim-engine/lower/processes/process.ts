// Processes with tokens -> one function `step(t, pc)`, a state machine over positions, and `arrive(process, row)` for timer starts.
// A step that is not lowered gives its position back, and the general way takes the token from there: so each step counts for
// itself, and the reason is kept for whoever asks. Positions and the order of effects are those of steps/*.ts.
import type { CheckedModel } from '../../check/checked.ts'
import { constantOf } from '../../check/checking.ts'
import { stepKey } from '../../check/names/keys.ts'
import type { ContainerPart, FlowPart, ProcessPart, StepPart } from '../../check/parts.ts'
import { rowsOf } from '../../check/resolve.ts'
import { componentOf, conditionField, isWritten } from '../../compile/emitter.ts'
import type { Sought } from '../../compile/emitter.ts'
import { pc, stepOrder } from '../../compile/process.ts'
import { Emitter } from '../../compile/emitter.ts'
import { reachable } from '../../steps/call.ts'
import { formulaName, kindOf } from '../../../model-schema/kinds.ts'
import * as ir from '../../ir.ts'
import { switchOver, type ByProcess } from './by-process.ts'
import type { Expr, Fn, Stmt } from '../../ir.ts'
import { MOST_AT_ONCE } from '../../runtime/containers.ts'
import * as rt from '../../runtime/processes.ts'
import { FormulaLowering } from '../formula.ts'
import { drawnFrom } from '../functions.ts'
import { Gateways } from './gateways.ts'
import { Individuals } from './individuals.ts'
import { column, ProcessMemory, token } from './memory.ts'
import type { LoweredProcesses } from '../lowered.ts'
import type { Resource } from './memory.ts'
import { Starts, storedValue } from './starts.ts'
import { Ticks } from './ticks.ts'
import { Watching } from './watches.ts'
import { NotLowered } from '../scope.ts'
import { copyOut, forget, settleHere } from './token-functions.ts'
import { say } from '../../../model-schema/words.ts'

const t = token
const flowLabel = 'flow'
const goTo = (position: number): Stmt[] => [ir.set('pc', ir.i32(position)), { kind: 'continue', label: flowLabel }]
const give = (position: number): Stmt => ({ kind: 'return', value: ir.i32(position) })
const call = (name: string, ...args: Expr[]): Expr => ir.call(name, 'i32', ...args)
const doing = (name: string, ...args: Expr[]): Stmt => ir.run(ir.call(name, 'void', ...args))
/** Leaves the step to the general way unless a test holds. */
const unless = (test: Expr, position: number): Stmt => ir.when(ir.not(test), [give(position)])
/** null where no token could go on without the general way. */
export function lowerProcesses(from: LoweredFrom): LoweredProcesses | null {
  return new ProcessesLowering(from).lowered()
}

/** What is needed of a program: `words` are texts by their codes. */
export type LoweredFrom = {
  readonly checked: CheckedModel
  readonly rows: ReadonlySet<number>
  readonly sought: Sought | null
  readonly words: readonly (string | null)[]
  /** Built-in columns, as `p3_size`. */
  readonly mentions: ReadonlySet<string>
}

class ProcessesLowering {
  readonly #checked: CheckedModel
  readonly #rows: ReadonlySet<number>
  readonly #sought: Sought | null
  readonly #memory: ProcessMemory
  readonly #starts: Starts
  readonly #ticks: Ticks
  readonly #individuals: Individuals
  readonly #gateways: Gateways
  readonly #watching: Watching
  readonly #emitter: Emitter
  readonly #cases = new Map<number, readonly Stmt[]>()
  readonly #reasons = new Map<StepPart, NotLowered>()
  readonly #exceptions = new Map<StepPart, NotLowered>()
  readonly #wanted: StepPart[] = []
  /** Where callers go on that get nothing back. */
  readonly #plainCalls = new Set<number>()
  #order = new Map<StepPart, number>()
  #isTrying = true

  constructor({ checked, rows, sought, words, mentions }: LoweredFrom) {
    this.#checked = checked
    this.#memory = new ProcessMemory(checked, words, (sought?.lines.size ?? 0) > 0)
    this.#rows = rows
    this.#sought = sought
    this.#emitter = new Emitter(checked, null, false, sought)
    this.#watching = new Watching(this.#memory, this.#emitter)
    this.#starts = new Starts(this.#memory, this.#emitter)
    this.#ticks = new Ticks(this.#memory, this.#starts, this.#emitter, rows)
    this.#individuals = new Individuals(this.#memory, this.#emitter, mentions)
    this.#gateways = new Gateways(this.#memory, this.#emitter, {
      program: (step, field) => this.#program(step, field),
      number: (step, field) => this.#number(step, field),
      take: (step, flow) => this.#take(step, flow),
      leave: step => this.#leave(step),
      entry: (step, entry, body) => this.#entry(step, entry, body),
      want: step => {
        if (!this.#isTrying && this.#able.has(step)) this.#want(step)
      },
    })
  }

  lowered(): LoweredProcesses | null {
    const { processes, steps } = this.#checked.parts
    const among = (): ByProcess => ({ table: processes.map(() => -1), bodies: [] })
    const begun = { arrivals: among(), beginnings: among(), others: among() }
    const starts = Uint8Array.from(processes, process => {
      if (this.#rows.has(process.index)) return 0
      this.#lowerSteps(process)
      return this.#ticks.processes.includes(process) ? 0 : this.#lowerStart(process, begun)
    })
    if (this.#cases.size === 0) return null
    const ticks = this.#oneTick()
    const known = new Uint8Array(steps.length * 8)
    const cases = [...this.#cases]
    const byPosition = Array.from(known, () => -1)
    cases.forEach(([position], k) => {
      known[position] = this.#plainCalls.has(position) ? 3 : 1
      byPosition[position] = k
    })
    const position = ir.get('pc', 'i32')
    const locals = this.#memory.locals
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
    const knownAt = this.#memory.room(known.length)
    const startsAt = this.#memory.room(starts.length)
    return {
      fns: [
        step,
        switchOver('arrive', begun.arrivals, locals),
        switchOver('begin', begun.beginnings, locals),
        switchOver('another', begun.others, locals),
        forget(this.#memory),
        copyOut(this.#memory),
        settleHere(this.#memory),
        ...this.#watching.fns(),
        ...ticks,
        ...this.#memory.functions.made,
      ],
      imports: this.#memory.imports,
      places: this.#memory.places,
      libraries: this.#memory.libraries,
      known,
      starts,
      looks: this.#watching.looks,
      constants: this.#watching.constants,
      ticks: ticks.length > 0 ? this.#ticks.populations : null,
      streams: this.#memory.streams,
      shared: this.#memory.shared,
      fired: this.#memory.fired,
      containers: this.#memory.containers,
      bundles: this.#memory.bundles,
      tokenColumns: this.#memory.tokenColumns,
      properties: this.#memory.properties,
      tables: this.#memory.tables,
      builtins: [...this.#memory.builtins.values()],
      populations: this.#memory.populations,
      residents: this.#memory.residents,
      spaces: this.#memory.spaces,
      motions: this.#memory.motions,
      settlings: this.#memory.settlings,
      knownAt,
      startsAt,
      top: this.#memory.room(0),
      reasons: this.#reasons,
      exceptions: this.#exceptions,
    }
  }

  /** How a process starts, for the table of starts: 1 by the clock, 2 by itself, 4 by a condition; 0 where it does not start here. */
  #lowerStart(
    process: ProcessPart,
    { arrivals, beginnings, others }: Readonly<Record<'arrivals' | 'beginnings' | 'others', ByProcess>>,
  ): number {
    const { start, index } = process
    const known = (position: number): boolean => this.#cases.has(position)
    const add = (to: ByProcess, make: () => Stmt[]): boolean => {
      const made = this.#attempt(start, make)
      if (made) to.table[index] = to.bodies.push(made) - 1
      return made !== null
    }
    const trigger = start?.element.fields['trigger']
    if (trigger === 'condition') return add(others, () => this.#starts.conditional(process, known)) ? 4 : 0
    if (trigger === 'timer') {
      if (!add(arrivals, () => this.#starts.arrival(process, known))) return 0
      if (this.#starts.areSeveral(start!)) add(others, () => this.#starts.another(process))
      return 1
    }
    return beginsItself(process) && add(beginnings, () => this.#starts.beginning(process, known)) ? 2 : 0
  }

  /** The function of one tick, where it can be one. */
  #oneTick(): Fn[] {
    const { processes } = this.#ticks
    if (processes.length === 0) return []
    try {
      const body = this.#ticks.tick(position => this.#cases.has(position))
      this.#memory.imports.push({ name: 'spawnOutside', params: ['i32', 'f64'], result: 'void' })
      const locals = new Map([...this.#memory.locals, ['t', 'i32'] as const])
      return [{ name: 'ticks', params: [], result: 'void', locals, isExported: true, body }]
    } catch (error) {
      if (!(error instanceof NotLowered)) throw error
      for (const { index, start } of processes) if (start && !this.#rows.has(index)) this.#reasons.set(start, error)
      return []
    }
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

  #entry(step: StepPart, entry: number, body: () => Stmt[]): void {
    if (this.#isTrying || this.#cases.has(pc(step, entry))) return
    this.#cases.set(pc(step, entry), [])
    this.#cases.set(pc(step, entry), body())
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
          ir.when(ir.binary('lt', fuel, ir.i32(0)), [
            { kind: 'fail', place: this.#memory.place({ code: 10047, id: to.id, field: 'name' }) },
          ]),
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
    if (!only || second) throw new NotLowered(say('several flows, or none, leave it'))
    return this.#take(step, only)
  }

  // --- steps

  #step(step: StepPart): Stmt[] {
    const { process } = step
    if (step.boundaries.length > 0 && !interruptible.has(step.kind.id)) throw new NotLowered(say('boundary events watch it'))
    if (this.#checked.scopes.outputs.has(step)) throw new NotLowered(say('its output is read elsewhere'))
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
        return this.#leave(step)
      case 'end':
        return this.#end(step)
      case 'gateway':
        return this.#gateways.gateway(step)
      case 'compute':
        return this.#activity(step, () => this.#program(step, 'program'))
      case 'delay':
        return this.#activity(step, () => [])
      case 'operate':
        return this.#operation(step)
      case 'intermediate':
        return this.#timer(step)
      case 'create':
        return this.#creation(step)
      case 'destroy':
        return this.#destruction(step)
      case 'move':
        return this.#motion(step)
      case 'call':
        return this.#called(step)
      case 'subprocess':
        return this.#subprocess(step)
      default:
        throw new NotLowered(say('steps of kind “{kind}” run as JavaScript', { kind: kindOf(step.kind.id)!.label }))
    }
  }

  #subprocess(step: StepPart): Stmt[] {
    const { inner } = step
    const { repeat } = step.element.fields
    if (!inner || repeat === 'while' || repeat === 'each') throw new NotLowered(say('it is repeated'))
    return this.#waitFor(step, inner, () => [])
  }

  #called(step: StepPart): Stmt[] {
    const target = reachable(step, this.#checked.parts.processes)
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

  /** Waits for a token of another process: one that is called, or the one inside. */
  #waitFor(step: StepPart, other: ProcessPart, inputs: (child: Expr) => Stmt[]): Stmt[] {
    if (rowsOf(step.element, 'resources').length > 0 || isWritten(step, 'duration'))
      throw new NotLowered(say('it takes time or resources of its own'))
    if (!other.start || other.temporaries.some(({ direction }) => direction === 'out' || direction === 'inout'))
      throw new NotLowered(say('it gets values back'))
    if (other.steps.some(one => this.#checked.scopes.outputs.has(one))) throw new NotLowered(say('outputs of the steps inside are read'))
    const isIndividual = other.level === 'individual'
    const record = isIndividual ? this.#memory.population(other.entity!) : ir.i32(0)
    const owner = isIndividual ? ir.load('f64', column(rt.T_OWNER, 3)) : ir.f64(-1)
    const [caller, child] = [this.#memory.local('caller', 'i32'), this.#memory.local('child', 'i32')]
    const made = ir.call('callChild', 'i32', t, ir.i32(other.index), ir.i32(pc(other.start)), owner, ir.i32(other.holder ? 1 : 0), record)
    this.#plainCalls.add(pc(step, 2))
    const onward = [...this.#program(step, 'after'), ...this.#leave(step)]
    this.#case(pc(step, 2), onward)
    return [
      unless(call('canCall', t), pc(step)),
      ...this.#program(step, 'before'),
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

  #end(step: StepPart): Stmt[] {
    const { process } = step
    if ((step.element.fields['result'] ?? 'none') !== 'none') throw new NotLowered(say('it ends more than its token'))
    if (this.#emitter.has(`q${process.index}/concurrency`)) throw new NotLowered(say('only so many may run at a time'))
    if (process.temporaries.some(one => one.storage === 'any')) throw new NotLowered(say('tokens carry values that are no numbers'))
    const record = process.level === 'individual' ? this.#memory.population(process.entity!) : ir.i32(0)
    return [unless(call('canFinish', t), pc(step)), doing('finish', t, record), give(-1)]
  }

  #creation(step: StepPart): Stmt[] {
    const { population } = step.element.fields
    const entity = this.#checked.parts.entities.find(one => one.id === population)
    if (!entity) throw new NotLowered(say('it creates links'))
    const key = stepKey(step, 'count')
    const constant = constantOf(this.#checked.formulas.get(key))
    if (constant === null && isWritten(step, 'before')) throw new NotLowered(say('how many is worked out after a program'))
    const back = give(isWritten(step, 'duration') ? pc(step, 3) : pc(step))
    const count = constant === null ? ir.get(this.#memory.local('count', 'f64'), 'f64') : ir.f64(constant)
    const test = this.#individuals.canCreate(entity, count)
    const first = count.kind === 'get' ? this.#tentative(step, 'count', count, test, back) : [ir.when(ir.not(test), [back])]
    return this.#activity(step, () => this.#individuals.create(step, entity, count), first)
  }

  #destruction(step: StepPart): Stmt[] {
    const { entity } = step.process
    if (step.element.fields['who'] === 'chosen' || !entity) throw new NotLowered(say('it chooses whom it destroys'))
    const { test, does } = this.#individuals.death(entity)
    const here = isWritten(step, 'duration') ? pc(step, 3) : pc(step)
    return this.#activity(step, () => [...does, give(-1)], [unless(test, here)], false)
  }

  /** Turns and moves along the heading, by the space's own functions; not where that may fail. */
  #motion(step: StepPart): Stmt[] {
    const { entity } = step.process
    const { motion } = step.element.fields
    const space = entity?.space
    if (!entity || !space || (motion !== 'turn' && motion !== 'head' && motion !== 'forward' && motion !== 'backward'))
      throw new NotLowered(say('it faces a target, or moves by a vector'))
    const along = motion === 'forward' || motion === 'backward'
    const mayBeFull = typeof space.cells?.element.fields['capacity'] === 'number'
    if (along && (space.element.fields['border'] === 'error' || mayBeFull)) throw new NotLowered(say('borders or full cells may stop it'))
    const slot = this.#memory.actorOf(step.process).slot!
    const here = isWritten(step, 'duration') ? pc(step, 3) : pc(step)
    return this.#activity(
      step,
      () => {
        const amount = this.#number(step, 'amount')
        return [doing(this.#memory.motion(entity, motion), slot, motion === 'backward' ? ir.unary('neg', amount) : amount)]
      },
      along ? [unless(ir.binary('ge', this.#memory.bucket(entity, slot), ir.i32(0)), here)] : [],
    )
  }

  #program(step: StepPart, field: string): Stmt[] {
    const formula = this.#checked.formulas.get(stepKey(step, field))
    if (!formula) return []
    if ((this.#sought?.lines.size ?? 0) > 0) throw new NotLowered(say('a breakpoint is set in a program'))
    const component = componentOf(step.process, step.id)
    return new FormulaLowering(
      formula.inferred,
      this.#memory.scope(this.#memory.actorOf(step.process), component, step.id, field),
    ).statements()
  }

  #number(step: StepPart, field: string): Expr {
    return this.#memory
      .value(this.#memory.actorOf(step.process), stepKey(step, field), componentOf(step.process, step.id), step.id, field)
      .number()
  }

  /** What activities share: resources, `before`, a duration, what it does, `after`. See steps/activity.ts. */
  #activity(step: StepPart, does: () => Stmt[], first: readonly Stmt[] = [], goesOn = true): Stmt[] {
    const rows = rowsOf(step.element, 'resources')
    const held = rows.map((row, k) => this.#resource(step, row, k))
    const holds = held.length > 0
    this.#refuseMany(held)
    const lasts = isWritten(step, 'duration')
    if (holds && !lasts) throw new NotLowered(say('it holds resources without a duration'))
    const room: Stmt[] = lasts ? [unless(call('hasRow'), holds ? pc(step, 1) : pc(step))] : []
    const { tests, arm, disarm } = this.#watching.boundaries(step)
    const watching = [...tests.map(test => unless(test, pc(step))), ...arm]
    const arriving = [
      ...room,
      ...(holds ? [] : watching),
      ...(holds ? [ir.store('i32', column(rt.T_PC, 2), 0, ir.i32(pc(step, 1)))] : []),
      ...this.#program(step, 'before'),
    ]
    const release: Stmt[] = holds ? [...this.#giveBack(held), ir.store('i32', column(rt.T_PC, 2), 0, ir.i32(pc(step)))] : []
    const closing = (): Stmt[] => [
      ...does(),
      ...(goesOn ? [...this.#program(step, 'after'), ...release, ...disarm, ...this.#leave(step)] : []),
    ]
    if (!lasts) return [...first, ...arriving, ...closing()]
    const place = this.#memory.place({ code: 10051, id: step.id, field: 'duration' })
    const sleeping: Stmt[] = [doing('sleep', t, this.#number(step, 'duration'), ir.i32(pc(step, 3)), ir.i32(place)), give(-1)]
    // Amounts that are not written are not worked out again: all that it holds is given back.
    const given = held.map(one => (one.units.kind === 'const' ? one : { ...one, units: ir.f64(-1) }))
    const check = this.#canGiveBack(given).map(test => unless(test, pc(step, 3)))
    this.#case(pc(step, 3), [...first, ...check, ...closing()])
    this.#watching.interruptible(step, 3, this.#canGiveBack(given), this.#giveBack(held))
    if (this.#isTrying) closing()
    if (!holds) return [...arriving, ...sleeping]
    this.#case(pc(step, 1), [...arriving, ...sleeping])
    const { test, ask } = this.#asked(step, held, pc(step, 1))
    this.#mayBeWithdrawn(step, 1, held)
    const met = this.#unlessMet(step, 'resources', held, test, pc(step))
    return [...met, ...watching, ir.when(ir.not(ask()), [give(-1)]), ...goTo(pc(step, 1))]
  }

  #priority(step: StepPart): Expr {
    return isWritten(step, 'priority') ? this.#number(step, 'priority') : ir.f64(0)
  }

  #operation(step: StepPart): Stmt[] {
    const { operation, otherwise, preempt, alternatives } = step.element.fields
    if (operation === 'take' || operation === 'put') return this.#movement(step, operation)
    const rows = rowsOf(step.element, 'items')
    if (operation !== 'request' && operation !== 'release')
      throw new NotLowered(say('it converts, transfers or sets what a container holds'))
    if (alternatives === true && rows.length > 1) throw new NotLowered(say('it is content with one of several'))
    if (rowsOf(step.element, 'resources').length > 0) throw new NotLowered(say('it holds resources while it lasts'))
    const held = rows.map((row, k) => this.#item(step, row, k, operation === 'release'))
    this.#refuseMany(held)
    const here = isWritten(step, 'duration') ? pc(step, 3) : pc(step)
    if (operation === 'release') {
      const checks = this.#canGiveBack(held).flatMap(test => this.#unlessMet(step, 'items', held, test, here))
      return this.#activity(step, () => this.#giveBack(held), checks)
    }
    if (((otherwise ?? '') !== '' && otherwise !== 'wait') || preempt === 'resume' || preempt === 'restart')
      throw new NotLowered(say('it does not simply wait'))
    const { test, ask } = this.#asked(step, held, pc(step, 2))
    const check = this.#unlessMet(step, 'items', held, test, here)
    this.#mayBeWithdrawn(step, 2, held)
    const givesUp = isWritten(step, 'giveUpWhen')
    if (isWritten(step, 'timeout') || givesUp) {
      const isTime = this.#patience(step)
      const checks = [...check, unless(call('hasRow'), here), ...(isTime ? [unless(isTime, here)] : [])]
      if (givesUp) checks.push(unless(this.#watching.hasRoom(1), here))
      return this.#activity(step, () => this.#patiently(step, held, ask), checks, false)
    }
    return this.#activity(
      step,
      () => {
        this.#granted(step)
        if (this.#isTrying) this.#leave(step)
        return [ir.when(ir.not(ask()), [give(-1)]), ...goTo(pc(step, 2))]
      },
      check,
      false,
    )
  }

  /** Leaves a request or release to the general way unless a test holds; where units are worked out, this is done before. */
  #unlessMet(step: StepPart, field: 'items' | 'resources', [only]: readonly Resource[], test: Expr, here: number): Stmt[] {
    const units = only?.units
    if (units?.kind !== 'get') return [unless(test, here)]
    if (field === 'items' && isWritten(step, 'before')) throw new NotLowered(say('its amount is worked out after a program'))
    return this.#tentative(step, `${field}/0/amount`, units, ir.binary('land', isAmount(units), test), give(here))
  }

  /** What a row of a request or release names. */
  #item(step: StepPart, row: Readonly<Record<string, unknown>>, k: number, isRelease: boolean): Resource {
    const part = this.#named(step, row, k)
    const record = this.#memory.unitsOf(part)
    return { part, record, units: isRelease && row['amount'] === '' ? ir.f64(-1) : this.#units(stepKey(step, `items/${k}/amount`)) }
  }

  #refuseMany(held: readonly Resource[]): void {
    if (held.length > MOST_AT_ONCE) throw new NotLowered(say('it requests many resources'))
    if (new Set(held.map(({ part }) => part)).size < held.length) throw new NotLowered(say('it requests a resource twice'))
  }

  /** Whether a request can be made here, and the request: 0 when the token waits, to go on at `next`. */
  #asked(step: StepPart, held: readonly Resource[], next: number): { test: Expr; ask: () => Expr } {
    const [{ record, units }] = held as readonly [Resource]
    const ask = (name: string, ...of: Expr[]): Expr => call(name, ...of, this.#priority(step), ir.i32(next))
    if (held.length === 1) return { test: call('canAsk', record, t, units), ask: () => ask('ask', record, t, units) }
    const bundle = ir.i32(this.#memory.bundle(held))
    return { test: call('canAskAll', bundle, t), ask: () => ask('askAll', bundle, t) }
  }

  #canGiveBack(held: readonly Resource[]): Expr[] {
    return held.map(({ record, units }) => call('canGiveBack', record, t, units, ir.i32(held.length)))
  }

  #giveBack(held: readonly Resource[]): Stmt[] {
    return held.map(({ record }) => doing('giveBack', record, t))
  }

  /** Whether the patience of a request is a time, to be asked before it; null where it certainly is. */
  #patience(step: StepPart): Expr | null {
    if (!isWritten(step, 'timeout')) return null
    const { test } = this.#watching.span(step, 'timeout')
    if (test && isWritten(step, 'before')) throw new NotLowered(say('its patience may be no time'))
    return test
  }

  /** A request that waits can be withdrawn where an event at the boundary comes. */
  #mayBeWithdrawn(step: StepPart, entry: number, held: readonly Resource[]): void {
    if (step.boundaries.length === 0) return
    const isAsking = ir.binary('ge', ir.load('f64', column(rt.T_REQUEST, 3)), ir.f64(0))
    const tests = held.map(({ record }) => call('canGiveUp', record, t))
    this.#watching.interruptible(step, entry, [isAsking, ...tests], [this.#withdrawal(held)])
  }

  #withdrawal(held: readonly Resource[]): Stmt {
    return held.length > 1 ? doing('giveUpAll', ir.i32(this.#memory.bundle(held)), t) : doing('giveUp', held[0]!.record, t)
  }

  /** Asks, and gives up after a while. */
  #patiently(step: StepPart, held: readonly Resource[], ask: () => Expr): Stmt[] {
    this.#patience(step)
    const unwatch = this.#mayWatch(step) ? [this.#watching.unwatch()] : []
    const disarm = step.boundaries.length > 0 ? unwatch : []
    const onward = (): Stmt[] => [...this.#program(step, 'after'), ...disarm, ...this.#leaveAsMet(step)]
    const checks = held.map(({ record }) => unless(call('canGiveUp', record, t), pc(step, 4)))
    const short = step.outgoing.find(isDefault)
    const withdraw = (): Stmt[] => [...checks, this.#withdrawal(held), ...unwatch, ...(short ? this.#take(step, short) : this.#leave(step))]
    if (this.#isTrying) {
      onward()
      withdraw()
    } else if (!this.#cases.has(pc(step, 5))) {
      for (const entry of [4, 5]) this.#cases.set(pc(step, entry), [])
      this.#cases.set(pc(step, 5), onward())
      this.#cases.set(pc(step, 4), withdraw())
      this.#cases.set(pc(step, 2), [doing('cancel', t), ...unwatch, ...goTo(pc(step, 5))])
    }
    const waiting = [
      ...(isWritten(step, 'timeout') ? [doing('expireAfter', t, this.#number(step, 'timeout'), ir.i32(pc(step, 4)))] : []),
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
    return this.#take(step, only)
  }

  /** Where a token goes on that waited for what it asked. */
  #granted(step: StepPart): void {
    if (this.#isTrying || this.#cases.has(pc(step, 2))) return
    this.#cases.set(pc(step, 2), [])
    const disarm = step.boundaries.length > 0 ? [this.#watching.unwatch()] : []
    this.#cases.set(pc(step, 2), [...this.#program(step, 'after'), ...disarm, ...this.#leave(step)])
  }

  /** The container that a row of an operation names. */
  #named(step: StepPart, row: Readonly<Record<string, unknown>>, k: number): ContainerPart {
    const formula = this.#checked.formulas.get(stepKey(step, `items/${k}/container`))
    const node = formula?.inferred.parsed.ast.is === 'expression' ? formula.inferred.parsed.ast.value : null
    const meaning = node?.is === 'name' ? formula?.inferred.plan.names.get(node) : undefined
    const id = meaning?.is === 'symbol' ? meaning.symbol.id : undefined
    const [part, other] = this.#checked.parts.containers.filter(one => id !== undefined && one.id === id)
    if (!part || other || cellOf(row, 'key') !== '') throw new NotLowered(say('which container it is depends on the run'))
    return part
  }

  /** Goods taken or put at once. Where that cannot be, what working the amount out drew is taken back, and the general way does it all. */
  #movement(step: StepPart, operation: 'take' | 'put'): Stmt[] {
    const { otherwise, preempt } = step.element.fields
    const rows = rowsOf(step.element, 'items')
    const [row] = rows
    const waitsElse = isWritten(step, 'timeout') || isWritten(step, 'giveUpWhen') || preempt === 'resume' || preempt === 'restart'
    if (!row || rows.length > 1 || waitsElse || otherwise === 'branch' || rowsOf(step.element, 'resources').length > 0)
      throw new NotLowered(say('it takes or puts more than one thing, or its wait may end otherwise'))
    const record = this.#memory.goodsOf(this.#named(step, row, 0))
    const isPut = operation === 'put'
    const key = stepKey(step, 'items/0/amount')
    const constant = constantOf(this.#checked.formulas.get(key))
    const lasts = isWritten(step, 'duration')
    const back = give(lasts ? pc(step, 3) : pc(step))
    const does = ir.i32(Number(isPut))
    // What others were given is not remembered here for formulas that ask.
    const mayWait = otherwise === 'wait' && !this.#checked.parts.steps.some(one => this.#isToldGoods(one))
    if (!mayWait) this.#exceptions.set(step, new NotLowered(say('tokens that wait for goods or room run as JavaScript')))
    const may = (amount: Expr): Expr =>
      ir.binary('land', isAmount(amount), call('canMove', record, t, amount, does, ir.i32(Number(mayWait))))
    if (
      (constant === null && isWritten(step, 'before')) ||
      (isWritten(step, 'priority') && this.#emitter.constant(stepKey(step, 'priority')) === null)
    )
      throw new NotLowered(say('its amount is worked out after a program'))
    const amount = constant === null ? ir.get(this.#memory.local('amount', 'f64'), 'f64') : ir.f64(constant)
    const first: Stmt[] =
      amount.kind === 'get' ? this.#tentative(step, 'items/0/amount', amount, may(amount), back) : [ir.when(ir.not(may(amount)), [back])]
    return this.#activity(
      step,
      () => {
        this.#granted(step)
        const isDone = call('moveGoods', record, t, amount, does, this.#priority(step), ir.i32(pc(step, 2)))
        if (this.#isTrying) this.#leave(step)
        return [ir.when(ir.not(isDone), [give(-1)]), ...goTo(pc(step, 2))]
      },
      first,
      false,
    )
  }

  #isToldGoods(step: StepPart): boolean {
    return step.kind.id === 'operate' && step.element.fields['operation'] !== 'request' && this.#checked.scopes.outputs.has(step)
  }

  /** Works an amount out; where `test` fails then, its draws are taken back. */
  #tentative(step: StepPart, field: string, amount: Expr & { kind: 'get' }, test: Expr, back: Stmt): Stmt[] {
    if (step.boundaries.length > 0) throw new NotLowered(say('boundary events watch it'))
    const component = componentOf(step.process, step.id)
    const key = stepKey(step, field)
    const value = ir.set(amount.name, this.#memory.value(this.#memory.actorOf(step.process), key, component, step.id, field).number())
    const words = [...drawnFrom(this.#checked, this.#checked.formulas.get(key)!, component)].flatMap(drawn => {
      const at = this.#memory.known(this.#memory.streams, drawn, 16)
      return [at, at + 4, at + 8, at + 12].map(word => ({ word: ir.i32(word), name: this.#memory.local('s', 'i32') }))
    })
    return [
      ...words.map(({ word, name }) => ir.set(name, ir.load('i32', word))),
      value,
      ir.when(ir.not(test), [...words.map(({ word, name }) => ir.store('i32', word, 0, ir.get(name, 'i32'))), back]),
    ]
  }

  #units(key: string): Expr {
    const units = constantOf(this.#checked.formulas.get(key))
    return units !== null && units >= 0 && units <= 1e6 ? ir.f64(units) : ir.get(this.#memory.local('units', 'f64'), 'f64')
  }

  #resource(step: StepPart, row: Readonly<Record<string, unknown>>, k: number): Resource {
    const found = this.#checked.parts.containers.filter(one => one.id === row['container'])
    const part = found.find(one => one.entity === step.process.entity) ?? found[0]
    if (!part || cellOf(row, 'key') !== '') throw new NotLowered(say('its resource has keys'))
    return { part, record: this.#memory.unitsOf(part), units: this.#units(stepKey(step, `resources/${k}/amount`)) }
  }

  #timer(step: StepPart): Stmt[] {
    const { trigger } = step.element.fields
    if (trigger !== 'timer' && trigger !== 'condition') throw new NotLowered(say('it waits for something else than time'))
    const place = this.#memory.place({ code: 10051, id: step.id, field: 'delay' })
    const closing = (): Stmt[] => [...this.#program(step, 'after'), ...this.#leave(step)]
    this.#case(pc(step, 2), this.#isTrying ? [] : closing())
    if (this.#isTrying) closing()
    if (trigger === 'condition')
      return [
        unless(this.#watching.hasRoom(1), pc(step)),
        ...this.#program(step, 'before'),
        ir.when(ir.not(this.#watching.condition(step)), [
          ir.store('i32', column(rt.T_PC, 2), 0, ir.i32(pc(step, 6))),
          this.#watching.watch(step, 'catch'),
          give(-1),
        ]),
        ...goTo(pc(step, 2)),
      ]
    return [
      unless(call('hasRow'), pc(step)),
      ...this.#program(step, 'before'),
      doing('nap', t, this.#number(step, 'delay'), ir.i32(pc(step, 2)), ir.i32(place)),
      give(-1),
    ]
  }
}

/** Kinds of steps at whose boundary events may be watched here. */
const interruptible: ReadonlySet<string> = new Set(['compute', 'delay', 'operate', 'move'])

const isAmount = (amount: Expr): Expr => ir.binary('land', ir.binary('ge', amount, ir.f64(0)), ir.binary('lt', amount, ir.f64(Infinity)))

const isDefault = ({ element }: FlowPart): boolean => element.fields['default'] === true

const cellOf = (row: Readonly<Record<string, unknown>>, name: string): string => (typeof row[name] === 'string' ? row[name] : '')

/** Whether a process begins by itself, at the start of the run or the birth of its individual. */
const beginsItself = ({ start, holder }: ProcessPart): boolean =>
  start !== null && !holder && (start.element.fields['trigger'] ?? 'none') === 'none' && start.element.fields['active'] !== false
