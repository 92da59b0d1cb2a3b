// Processes without tokens -> functions `tick`, `commit` and `settleAll`: whole ticks of a run, as loops over populations. What they do is
// what compile/{program,populations,process}.ts and steps/*.ts say of it, in the same order. A loop that cannot be lowered says why,
// and is called as JavaScript at its place.
import { flowKey, stepKey } from '../check/names/keys.ts'
import type { EntityPart, FlowPart, ProcessPart, StepPart, VariablePart } from '../check/parts.ts'
import { rowsOf } from '../check/resolve.ts'
import { constantLists } from '../compile/constant-lists.ts'
import { componentOf, conditionField, Emitter, isWritten, lineKey } from '../compile/emitter.ts'
import { isTicked, placeOf, stepOrder } from '../compile/process.ts'
import type { Program } from '../compile.ts'
import * as ir from '../ir.ts'
import type { Expr, Fn, Stmt } from '../ir.ts'
import type { ProblemCode } from '../problems.ts'
import { TOP_ENTRY } from '../runtime/choices.ts'
import * as pops from '../runtime/populations.ts'
import { Births } from './births.ts'
import type { Inferred } from '../formula.ts'
import { Choosing } from './choosing.ts'
import { FormulaLowering } from './formula.ts'
import { Functions } from './functions.ts'
import { endLife, formulaAt, fuelAt, RowPeople } from './people.ts'
import type { RowWorld, Standing } from './people.ts'
import { Moves } from './moves.ts'
import { ownLists } from './own-lists.ts'
import { RowMemory } from './row-memory.ts'
import { storedValue } from './processes/starts.ts'
import { mayFail } from './calls.ts'
import { NotLowered } from './scope.ts'
import type { Someone, VariablePlace } from './scope.ts'
import { say } from '../../model-schema/words.ts'
import { sharedColumns } from '../stencil/lower.ts'

export type LoweredRows = {
  readonly fns: readonly Fn[]
  /** Functions of the model that they call. */
  readonly called: readonly Fn[]
  readonly memory: RowMemory
  readonly top: number
  readonly changing: ReadonlySet<number>
  /** Why loops stay JavaScript, by process. */
  readonly reasons: ReadonlyMap<ProcessPart, NotLowered>
  /** What the host is asked to do as JavaScript, by the names of `entries.acts`, for each import `outside0`, `outside1` ... */
  readonly outside: readonly (readonly string[])[]
  /** Processes whose loops are lowered. */
  readonly loops: ReadonlySet<number>
}

/** Steps of formulas between two looks at the clock, in f64. */
const fullTank = 50_000_000
/** So many individuals share them. */
const batch = 64

const int = (value: number): Expr => ir.i32(value)
const callI = (name: string, ...args: Expr[]): Expr => ir.call(name, 'i32', ...args)
const doing = (name: string, ...args: Expr[]): Stmt => ir.run(ir.call(name, 'void', ...args))

/** `looped`: populations of cells whose rule for many at once is of no use. */
export function lowerRows(program: Program, looped: ReadonlySet<number>): LoweredRows | NotLowered {
  const reasons = new Map<ProcessPart, NotLowered>()
  try {
    for (;;) {
      // What a loop that is not lowered mentions has no place in the memory: once one is found, all is lowered anew without it.
      const known = reasons.size
      const lowered = new RowsLowering(program, looped, reasons).lowered()
      if (reasons.size === known) return lowered
    }
  } catch (error) {
    if (error instanceof NotLowered) return error
    throw error
  }
}

/** Statements, or what the host does as JavaScript, by its name in `entries.acts`. */
type Part = Stmt[] | { readonly act: string }

/** Who acts and where: the population, and the individual's slot or -1 and itself. */
export type Actor = { readonly entity: EntityPart | null; readonly self: Someone | null; readonly row: string }

export class RowsLowering {
  readonly program: Program
  readonly memory = new RowMemory()
  readonly emitter: Emitter
  readonly world: RowWorld
  readonly #looped: ReadonlySet<number>
  readonly #reasons: Map<ProcessPart, NotLowered>
  readonly #outside: string[][] = []
  readonly #loops = new Set<number>()
  readonly #functions: Functions
  readonly moves: Moves
  readonly #births: Births
  readonly #choosing: Choosing
  readonly #temporaries = new Map<VariablePart, number>()
  readonly #fns: Fn[] = []
  readonly #who: number
  readonly #me: number

  constructor(program: Program, looped: ReadonlySet<number>, reasons: Map<ProcessPart, NotLowered>) {
    this.program = program
    this.#looped = looped
    this.#reasons = reasons
    const { checked } = program
    this.emitter = new Emitter(checked)
    this.world = {
      checked,
      memory: this.memory,
      words: program.words,
      rows: program.rows,
      mentions: program.mentions,
      immortal: this.emitter.immortal,
      lists: constantLists(checked),
      ownLists: ownLists(checked),
      hasNext: variable => checked.scopes.pending.has(variable),
      temporary: variable => {
        const known = this.#temporaries.get(variable) ?? this.memory.room(8)
        this.#temporaries.set(variable, known)
        return known
      },
      line: (key, from, standing, program) => {
        const sought = this.program.sought?.lines.get(lineKey(key, from))
        return sought === undefined ? [] : this.#found(sought && sought.inferred, standing, program)
      },
      born: (entity, where) => this.#births.one(entity, where),
      linked: (links, from, to, weight, where) => this.#births.link(links, from, to, weight, where),
      call: (symbol, owner, args) => this.#functions.call(symbol, owner, args),
    }
    this.#functions = new Functions({
      checked,
      memory: this.memory,
      hasHandles: ({ kind }) => kind !== 'cell' && !this.world.immortal,
      formula: (key, standing) => formulaAt(this.world, key, { ...standing, process: null, buffered: null }),
    })
    this.moves = new Moves(checked, this.memory, this.emitter)
    this.#births = new Births(this)
    this.#choosing = new Choosing(this)
    this.#who = this.memory.numberAt('who', 'i32', true)
    this.#me = this.memory.numberAt('me', 'i32', true)
  }

  lowered(): LoweredRows {
    const { parts } = this.program.checked
    const { program } = this
    if (program.active.size > 0) throw new NotLowered(say('cells of which few change are visited alone'))
    const ticked = parts.processes.filter(process => isTicked(process, placeOf(this.emitter, process)))
    if (ticked.some(process => !program.rows.has(process.index))) throw new NotLowered(say('tokens act in its ticks'))
    const pending = this.memory.numberAt('X.pending', 'i32', true)
    const stirred = this.memory.numberAt('X.stirred', 'i32', true)
    const global = ticked.filter(({ level }) => level === 'global')
    this.#function('tick', () => [
      ir.store('i32', int(pending), 0, int(1)),
      ...this.#together([
        ...global.map(process => this.#once(process, null)),
        ...parts.entities.flatMap(entity => this.#population(entity, ticked)),
      ]),
    ])
    this.#function('commit', () => [
      ir.store('i32', int(pending), 0, int(0)),
      ir.store('i32', int(stirred), 0, int(0)),
      ...this.#together(parts.entities.flatMap(entity => this.#commit(entity))),
    ])
    this.#function('settleAll', () =>
      [...this.memory.changing].map(entity => doing('settlePopulation', int(this.memory.population(entity, 'lives')))),
    )
    const changing = new Set([...this.memory.changing].map(({ index }) => index))
    return {
      fns: this.#fns,
      called: this.#functions.made,
      memory: this.memory,
      top: this.memory.room(0),
      changing,
      reasons: this.#reasons,
      outside: this.#outside,
      loops: this.#loops,
    }
  }

  /** Statements one after another; what stays JavaScript, and stands together, is one call of the host. */
  #together(parts: readonly Part[]): Stmt[] {
    const made: Stmt[] = []
    let open: string[] | null = null
    for (const part of parts) {
      if (Array.isArray(part)) {
        if (part.length > 0) open = null
        made.push(...part)
      } else if (open) open.push(part.act)
      else {
        open = [part.act]
        made.push(this.memory.host(`outside${this.#outside.push(open) - 1}`, [], []))
      }
    }
    return made
  }

  /** What is made of processes, or their place as JavaScript where one of them is not lowered. */
  #lowered(processes: readonly ProcessPart[], act: string, make: () => Stmt[]): Part {
    const { locals } = this.memory
    try {
      if (!processes.some(process => this.#reasons.has(process))) {
        const made = make()
        for (const { index } of processes) this.#loops.add(index)
        return made
      }
    } catch (error) {
      if (!(error instanceof NotLowered)) throw error
      this.memory.locals = locals
      const isKnown = processes.some(process => this.#reasons.has(process))
      const rest = isKnown ? new NotLowered(say('another process of the same individuals runs as JavaScript')) : error
      for (const process of processes) if (!this.#reasons.has(process)) this.#reasons.set(process, rest)
    }
    return { act }
  }

  /** One activation of a process that is no individual's. */
  #once(process: ProcessPart, entity: EntityPart | null): Part {
    const begins = (): Stmt[] => (entity ? [] : [...this.#acts(-1, int(-1)), this.#refuel()])
    return this.#lowered([process], `q${process.index}`, () => [...begins(), ...this.#row(process, entity, null)])
  }

  #function(name: string, body: () => Stmt[]): void {
    this.memory.locals = new Map()
    const made = body()
    this.#fns.push({ name, params: [], result: 'void', locals: this.memory.locals, body: made, isExported: true })
  }

  #acts(who: number, me: Expr): Stmt[] {
    return [ir.store('i32', int(this.#who), 0, int(who)), ir.store('i32', int(this.#me), 0, me)]
  }

  #refuel(): Stmt {
    return ir.store('f64', int(fuelAt), 0, ir.f64(fullTank))
  }

  // --- populations

  #population(entity: EntityPart, ticked: readonly ProcessPart[]): Part[] {
    const p = entity.index
    const mine = ticked.filter(process => process.entity === entity)
    const observer = mine.filter(({ level }) => level === 'observer').map(process => this.#once(process, entity))
    const individual = mine.filter(({ level }) => level === 'individual')
    if (individual.length === 0) return observer
    if (this.program.stencils.has(p) && !this.#looped.has(p)) {
      return [...observer, [ir.store('i32', int(this.#who), 0, int(p)), this.memory.host(`cells${p}`, [], [])]]
    }
    const name = `each${p}`
    const loop = this.#lowered(individual, name, () => {
      this.#loop(name, entity, individual)
      return [ir.store('i32', int(this.#who), 0, int(p)), doing(name)]
    })
    return [...observer, loop]
  }

  /** The loop over a population, as a function of its own. */
  #loop(name: string, entity: EntityPart, processes: readonly ProcessPart[]): void {
    const outer = this.memory.locals
    this.memory.locals = new Map()
    const record = this.memory.population(entity)
    const [k, n, to, i] = ['k', 'n', 'to', 'i'].map(prefix => ir.get(this.memory.local(prefix, 'i32'), 'i32') as Expr & { kind: 'get' })
    const word = (offset: number): Expr => ir.load('i32', int(record + offset))
    const inBirthOrder = entity.kind === 'cell' && entity.order !== 'shuffled' && entity.order !== 'key'
    if (entity.order === 'key') throw new NotLowered(say('a key orders them'))
    const isShuffled = entity.order === 'shuffled'
    if (isShuffled) this.memory.population(entity, 'order')
    const count = isShuffled
      ? callI('shuffled', int(record), this.memory.stream(`${entity.id} order`))
      : word(inBirthOrder ? pops.COUNT : pops.SETTLED)
    const listed = ir.load('i32', ir.binary('add', word(isShuffled ? pops.ORDER : pops.LIVING), ir.binary('shl', k!, int(2))))
    const isMortal = entity.kind !== 'cell' && !this.world.immortal
    const self = isMortal ? (ir.get(this.memory.local('self', 'f64'), 'f64') as Expr & { kind: 'get' }) : null
    const handle = this.#handle(entity, i!)
    const dead: Stmt = { kind: 'break', label: 'next' }
    const someone: Someone = { entity, slot: i!, handle: self ?? i! }
    const bodies = processes.map(process => this.#ofLoop(process, entity, someone))
    const round: Stmt[] = [
      ir.set(i!.name, inBirthOrder ? k! : listed),
      ...(self ? [ir.set(self.name, handle), ir.when(ir.binary('lt', self, ir.f64(0)), [dead])] : []),
      ir.store('i32', int(this.#me), 0, i!),
      ...bodies.flatMap((body, at) => (at > 0 && self ? [ir.when(ir.binary('ne', handle, self), [dead]), ...body] : body)),
    ]
    const one = (e: Expr): Expr => ir.binary('add', e, int(1))
    const inner: Stmt = {
      kind: 'loop',
      label: 'inner',
      body: [
        ir.when(ir.binary('ge', k!, to!), [{ kind: 'break', label: 'inner' }]),
        { kind: 'block', label: 'next', body: round },
        ir.set(k!.name, one(k!)),
      ],
    }
    const rest = ir.binary('add', k!, int(batch))
    const body: Stmt[] = [
      ir.set(n!.name, count),
      ir.set(k!.name, int(0)),
      {
        kind: 'loop',
        label: 'batches',
        body: [
          ir.when(ir.binary('ge', k!, n!), [{ kind: 'break', label: 'batches' }]),
          this.#refuel(),
          ir.set(to!.name, rest),
          ir.when(ir.binary('lt', n!, to!), [ir.set(to!.name, n!)]),
          inner,
        ],
      },
    ]
    this.#fns.push({ name, params: [], result: 'void', locals: this.memory.locals, body, isExported: false })
    this.memory.locals = outer
  }

  #handle(entity: EntityPart, slot: Expr): Expr {
    const handles = ir.load('i32', int(this.memory.population(entity) + pops.HANDLES))
    return ir.load('f64', ir.binary('add', handles, ir.binary('shl', slot, int(3))))
  }

  #commit(entity: EntityPart): Part[] {
    const p = entity.index
    const stencil = this.#looped.has(p) ? undefined : this.program.stencils.get(p)
    if (stencil) {
      this.memory.share(p, sharedColumns(stencil, p))
      return [[this.memory.host(`commitCells${p}`, [], [])]]
    }
    const pending = entity.variables.filter(this.world.hasNext)
    const isBoxed = ({ storage, type }: VariablePart): boolean => storage === 'any' && type.is !== 'text'
    const boxed: Part[] = pending.some(isBoxed) ? [{ act: `commit${p}` }] : []
    const copied = pending
      .filter(variable => !isBoxed(variable))
      .map(variable => {
        const isText = variable.storage === 'any'
        const width = variable.storage === 'number' || variable.storage === 'entity' ? 8 : isText ? 4 : 1
        const top = ir.load('i32', int(this.memory.population(entity) + pops.TOP))
        const paths = [`p${p}_n${variable.index}`, `p${p}_v${variable.index}`] as const
        if (isText) for (const path of paths) this.memory.textColumns.set(path, true)
        const [from, to] = [this.memory.array(paths[0]), this.memory.array(paths[1], true)]
        return doing('copyAll', from, to, ir.binary('mul', top, int(width)))
      })
    return [copied, ...boxed]
  }

  // --- rows

  /** One activation of several in a loop: says which of them keeps the loop from being lowered. */
  #ofLoop(process: ProcessPart, entity: EntityPart, self: Someone): Stmt[] {
    try {
      return this.#row(process, entity, self)
    } catch (error) {
      if (error instanceof NotLowered) this.#reasons.set(process, error)
      throw error
    }
  }

  /** One activation. */
  #row(process: ProcessPart, entity: EntityPart | null, self: Someone | null): Stmt[] {
    const order = stepOrder(process)
    const position = new Map(order.map((step, at) => [step, at]))
    if (order.some(step => step.outgoing.some(flow => (position.get(flow.to) ?? 0) <= position.get(step)!)))
      throw new NotLowered(say('its flow goes round in circles'))
    const actor: Actor = { entity, self, row: `row${process.index}` }
    const bodies = order.map(step => [...this.#sought(step, actor), ...this.#step(step, actor)])
    const label = (step: StepPart): string => `step${step.index}`
    const [first = [], ...others] = bodies
    const steps = others.reduce<Stmt[]>((before, body, k) => [{ kind: 'block', label: label(order[k + 1]!), body: before }, ...body], first)
    const initials = process.temporaries.flatMap(variable => {
      const place = this.#temporary(process, variable)
      const value = this.formula(variable.initialKey, { process, actor, component: process.id, id: variable.id, field: 'initial' })
      return [value ? storedValue(place, value) : ir.store(place.mem, place.address, 0, place.mem === 'f64' ? ir.f64(0) : int(0))]
    })
    // A loop over listed individuals that was left leaves them on the list.
    const { listAt } = this.memory
    const unlisted = listAt === null ? [] : [ir.store('i32', int(listAt + TOP_ENTRY), 0, int(0))]
    return [{ kind: 'block', label: actor.row, body: [...unlisted, ...initials, ...steps] }]
  }

  /** Says that a search has come to a step, or to somebody who is looked for. */
  #sought(step: StepPart, actor: Actor): Stmt[] {
    const { sought } = this.program
    if (!sought) return []
    const { self } = actor
    const { process } = step
    const wanted = (process.level === 'individual' && process.entity && sought.individuals.get(process.entity.id)) || []
    const found = this.#found(null, null, null)
    const individuals = self
      ? wanted.map(one => ir.when(ir.binary('eq', self.handle, self.handle.type === 'f64' ? ir.f64(one) : int(one)), found))
      : []
    const condition = sought.steps.get(step.index)
    if (condition === undefined) return individuals
    return [...individuals, ...this.#found(condition, this.standing({ process, actor, component: step.id, id: '', field: '' }), null)]
  }

  /** Says that a search is at its end where a condition holds; `program` is the one it stands in. */
  #found(condition: Inferred | null, standing: Standing | null, program: FormulaLowering | null): Stmt[] {
    const found = [this.memory.host('found', [], [])]
    if (!condition || !standing) return found
    const scope = new RowPeople(this.world, { ...standing, id: '', field: conditionField }).scope()
    const looking = new FormulaLowering(condition, program ? { ...scope, bound: name => program.bound(name) } : scope)
    return [ir.when(looking.truth(), found)]
  }

  #temporary(process: ProcessPart, variable: VariablePart): VariablePlace {
    const { storage } = variable
    if (storage !== 'number' && storage !== 'bool' && storage !== 'word')
      throw new NotLowered(say('“{name}” of “{process}” is no number', { name: variable.name, process: process.name }))
    return { mem: storage === 'number' ? 'f64' : 'u8', address: int(this.world.temporary(variable)), offset: 0, holds: storage }
  }

  standing(at: { process: ProcessPart | null; actor: Actor; component: string; id: string; field: string }): Standing {
    const { process, actor, component, id, field } = at
    const buffered = actor.self && process?.level === 'individual' && actor.entity?.order === 'simultaneous' ? actor.entity : null
    const whole = process ? componentOf(process, component) : component
    return { self: actor.self, process, buffered, entity: actor.entity, component: whole, id, field }
  }

  formula(key: string, at: Parameters<RowsLowering['standing']>[0]): FormulaLowering | null {
    return formulaAt(this.world, key, this.standing(at))
  }

  #of(step: StepPart, actor: Actor, field: string): FormulaLowering | null {
    const at = { process: step.process, actor, component: step.id, id: step.id, field }
    return this.formula(stepKey(step, field), at)
  }

  /** A formula of a step as one of those it chose. */
  asTarget(step: StepPart, actor: Actor, field: string, self: Someone): FormulaLowering | null {
    const standing = this.standing({ process: step.process, actor, component: step.id, id: step.id, field })
    return formulaAt(this.world, stepKey(step, field), { ...standing, self, actor: actor.self, entity: self.entity })
  }

  /** A formula that has to be there. */
  value(step: StepPart, actor: Actor, field: string): FormulaLowering {
    const found = this.#of(step, actor, field)
    if (!found) throw new NotLowered(say('its {field} is blank', { field }))
    return found
  }

  #program(step: StepPart, actor: Actor, field: string): Stmt[] {
    const found = this.#of(step, actor, field)
    if (!found) return []
    const body = found.statements()
    return found.f.mayCreate ? [...body, ...this.#survives(actor)] : body
  }

  /** Ends the activation of who is dead. */
  #survives({ entity, self, row }: Actor): Stmt[] {
    if (!entity || !self || entity.kind === 'cell' || this.world.immortal) return []
    return [ir.when(ir.binary('ne', this.#handle(entity, self.slot), self.handle), [{ kind: 'break', label: row }])]
  }

  place(code: ProblemCode, id: string, field: string): number {
    return this.memory.place({ code, id, field })
  }

  #leave(step: StepPart, actor: Actor): Stmt[] {
    const [only] = step.outgoing
    return [only ? this.#take(only) : { kind: 'break', label: actor.row }]
  }

  #take(flow: FlowPart): Stmt {
    return { kind: 'break', label: `step${flow.to.index}` }
  }

  // --- steps

  #step(step: StepPart, actor: Actor): Stmt[] {
    switch (step.kind.id) {
      case 'start':
        return this.#leave(step, actor)
      case 'end':
        if ((step.element.fields['result'] ?? 'none') !== 'none') throw new NotLowered(say('it ends more than its process'))
        return [{ kind: 'break', label: actor.row }]
      case 'compute':
        return this.#activity(step, actor, () => this.#program(step, actor, 'program'))
      case 'gateway':
        return this.#gateway(step, actor)
      case 'move':
        return this.#activity(step, actor, () => this.moves.motion(step, actor.self, field => this.value(step, actor, field)))
      case 'place':
        return this.#activity(step, actor, () => this.moves.placing(step, actor.self, field => this.value(step, actor, field)))
      case 'create':
        return this.#activity(step, actor, () => [...this.#births.create(step, actor), ...this.#survives(actor)])
      case 'destroy':
        return this.#activity(step, actor, () => this.#death(step, actor))
      case 'ask':
        return this.#activity(step, actor, () => this.#asking(step, actor))
      default:
        throw new NotLowered(say('steps of kind “{kind}” run as JavaScript', { kind: step.kind.id }))
    }
  }

  #activity(step: StepPart, actor: Actor, does: () => Stmt[]): Stmt[] {
    if (rowsOf(step.element, 'resources').length > 0 || isWritten(step, 'duration')) throw new NotLowered(say('it takes time'))
    return [...this.#program(step, actor, 'before'), ...does(), ...this.#program(step, actor, 'after'), ...this.#leave(step, actor)]
  }

  #death(step: StepPart, actor: Actor): Stmt[] {
    if (step.element.fields['who'] === 'chosen') {
      const { found, each } = this.#choosing.choose(step, actor)
      return [...found, ...each(one => endLife(this.world, one)), ...this.#survives(actor)]
    }
    if (!actor.self) throw new NotLowered(say('nobody dies'))
    return [...endLife(this.world, actor.self), { kind: 'break', label: actor.row }]
  }

  #asking(step: StepPart, actor: Actor): Stmt[] {
    if (this.program.checked.scopes.outputs.has(step)) throw new NotLowered(say('outputs of its steps are read'))
    const { found, each } = this.#choosing.choose(step, actor)
    const asked = each(one => this.asTarget(step, actor, 'program', one)?.statements() ?? [])
    return [...found, ...asked, ...(this.emitter.mayCreate(stepKey(step, 'program')) ? this.#survives(actor) : [])]
  }

  #gateway(step: StepPart, actor: Actor): Stmt[] {
    const { type, by } = step.element.fields
    if (type !== 'exclusive' || by === 'filter') throw new NotLowered(say('its gateway needs tokens'))
    const before = this.#program(step, actor, 'before')
    const go = (flow: FlowPart): Stmt[] => [...this.#program(step, actor, 'after'), this.#take(flow)]
    if (step.outgoing.length < 2) return [...before, ...this.#program(step, actor, 'after'), ...this.#leave(step, actor)]
    const ofFlow = (flow: FlowPart, field: string): FormulaLowering | null =>
      this.formula(flowKey(step.process, flow.id, field), { process: step.process, actor, component: flow.id, id: flow.id, field })
    if (by === 'probability') return [...before, ...this.#byWeight(step, ofFlow, go)]
    const otherwise = step.outgoing.find(flow => flow.element.fields['default'] === true)
    const branches = step.outgoing.filter(flow => flow !== otherwise)
    const tests = branches.map(flow => ir.when(ofFlow(flow, 'condition')?.truth() ?? int(0), go(flow)))
    const last: Stmt[] = otherwise ? go(otherwise) : [{ kind: 'fail', place: this.place(10044, step.id, 'type') }]
    return [...before, ...tests, ...last]
  }

  #byWeight(step: StepPart, ofFlow: (flow: FlowPart, field: string) => FormulaLowering | null, go: (flow: FlowPart) => Stmt[]): Stmt[] {
    const names = step.outgoing.map(() => this.memory.local('w', 'f64'))
    const get = (name: string): Expr => ir.get(name, 'f64')
    const weights = step.outgoing.flatMap((flow, k) => {
      const bad = ir.not(ir.binary('land', ir.binary('ge', get(names[k]!), ir.f64(0)), ir.binary('lt', get(names[k]!), ir.f64(Infinity))))
      const weight = ofFlow(flow, 'weight')
      const field = weight && mayFail(weight) ? { id: flow.id, field: 'weight' } : { id: step.id, field: 'type' }
      return [
        ir.set(names[k]!, weight?.number() ?? ir.f64(0)),
        ir.when(bad, [{ kind: 'fail' as const, place: this.place(10021, field.id, field.field) }]),
      ]
    })
    const total = this.memory.local('total', 'f64')
    const u = this.memory.local('u', 'f64')
    const drawn = ir.call('uniform', 'f64', this.memory.stream(componentOf(step.process, step.id)))
    const branches = step.outgoing.flatMap((flow, k) => {
      if (k === step.outgoing.length - 1) return go(flow)
      return [ir.set(u, ir.binary('sub', get(u), get(names[k]!))), ir.when(ir.binary('lt', get(u), ir.f64(0)), go(flow))]
    })
    return [
      ...weights,
      ir.set(
        total,
        names.map(get).reduce((a, b) => ir.binary('add', a, b)),
      ),
      ir.when(ir.not(ir.binary('gt', get(total), ir.f64(0))), [{ kind: 'fail', place: this.place(10045, step.id, 'type') }]),
      ir.set(u, ir.binary('mul', drawn, get(total))),
      ...branches,
    ]
  }
}
