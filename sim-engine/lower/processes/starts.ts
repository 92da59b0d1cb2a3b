// How tokens come to be: a timer start goes off, or a process begins at the birth of its individual. See compile/starts.ts and
// `begin` of run/kernel.ts.
import { constantOf } from '../../check/checking.ts'
import { stepKey } from '../../check/names/keys.ts'
import type { Expr as Node } from '../../formula/ast.ts'
import type { FormulaPart, ProcessPart, StepPart, VariablePart } from '../../check/parts.ts'
import { componentOf, isWritten } from '../../compile/emitter.ts'
import type { Emitter } from '../../compile/emitter.ts'
import { isTicked, pc, placeOf } from '../../compile/process.ts'
import * as ir from '../../ir.ts'
import type { Expr, Stmt } from '../../ir.ts'
import * as rt from '../../runtime/processes.ts'
import { FormulaLowering } from '../formula.ts'
import { token } from './memory.ts'
import type { Actor, ProcessMemory } from './memory.ts'
import { NotLowered } from '../scope.ts'
import type { VariablePlace } from '../scope.ts'
import { say } from '../../../model-schema/words.ts'

const row = ir.get('row', 'i32')
const doing = (name: string, ...args: Expr[]): Stmt => ir.run(ir.call(name, 'void', ...args))

/** The value of a formula, as a place keeps it. */
export function storedValue(place: VariablePlace, value: FormulaLowering): Stmt {
  const { holds } = place
  const stored =
    holds === 'word' || holds === 'text'
      ? value.code(holds)
      : holds === 'bool'
        ? value.truth()
        : holds === 'byte'
          ? ir.unary('toI', value.number())
          : holds === 'entity' || holds === 'slot'
            ? value.reference()
            : value.number()
  return ir.store(place.mem, place.address, place.offset, stored)
}

/** What a place holds before anything is written to it. */
export const blank = (place: VariablePlace): Stmt =>
  ir.store(
    place.mem,
    place.address,
    place.offset,
    place.holds === 'entity' || place.holds === 'slot' ? ir.f64(-1) : place.mem === 'f64' ? ir.f64(0) : ir.i32(0),
  )

export class Starts {
  readonly #memory: ProcessMemory
  readonly #emitter: Emitter

  constructor(memory: ProcessMemory, emitter: Emitter) {
    this.#memory = memory
    this.#emitter = emitter
  }

  /** The next time of a timer start, then the token of this one. Throws NotLowered. */
  arrival(process: ProcessPart, isKnown: (position: number) => boolean): Stmt[] {
    const start = this.#start(process, isKnown, process.start !== null && !this.areSeveral(process.start))
    if (start.element.fields['trigger'] !== 'timer') throw new NotLowered(say('it does not start by a timer'))
    if (isTicked(process, placeOf(this.#emitter, process)) || isWritten(start, 'times'))
      throw new NotLowered(say('ticks or a list of times start it'))
    const { owner, actor, admit } = this.#owner(process)
    const span = this.#memory.local('span', 'f64')
    // Times of an interval that is not drawn are multiples of it: run/tokens/cycles.ts.
    const every = this.#memory.value(actor, stepKey(start, 'every'), componentOf(process, start.id), start.id, 'every').number()
    const draws = this.#emitter.draws(stepKey(start, 'every'))
    const place = this.#memory.place({ code: 10051, id: start.id, field: 'every' })
    const isTime = ir.binary(
      'land',
      ir.binary('ge', ir.get(span, 'f64'), ir.f64(0)),
      ir.binary('lt', ir.get(span, 'f64'), ir.f64(Infinity)),
    )
    const freed = ir.load('i32', ir.i32(rt.FREED_COUNT))
    const next: Stmt[] = [
      ir.set(span, draws ? every : ir.call('cycle', 'f64', ir.i32(process.index), owner, every)),
      ir.when(ir.not(isTime), [{ kind: 'fail', place }]),
      ir.store('i32', ir.i32(rt.FREED_COUNT), 0, ir.binary('sub', freed, ir.i32(1))),
      doing('again', row, ir.i32(process.index), owner, ir.get(span, 'f64')),
    ]
    const going = isWritten(start, 'maximum') ? this.#limited(process, start, actor, next) : next
    return [doing('freeRow', row), ...admit, ...going, ...this.#several(process, start, actor), ...this.#made(process, start, owner)]
  }

  /** How many arrive together: all but the first are `another`. */
  #several(process: ProcessPart, start: StepPart, actor: Actor): Stmt[] {
    if (!this.areSeveral(start)) return []
    if (process.level === 'individual') throw new NotLowered(say('several arrive at a time'))
    const value = this.#memory.value(actor, stepKey(start, 'count'), componentOf(process, start.id), start.id, 'count').number()
    const many = ir.get(this.#memory.local('many', 'f64'), 'f64') as Expr & { kind: 'get' }
    const failing = (code: 10023 | 10039): Stmt[] => [{ kind: 'fail', place: this.#memory.place({ code, id: start.id, field: 'count' }) }]
    const isWhole = ir.binary('land', ir.binary('lt', many, ir.f64(Infinity)), ir.binary('eq', ir.unary('floor', many), many))
    const more = ir.binary('sub', ir.unary('toI', ir.cond(ir.binary('lt', many, ir.f64(2e9)), many, ir.f64(2e9))), ir.i32(1))
    return [
      ir.set(many.name, value),
      ir.when(ir.not(ir.binary('land', isWhole, ir.binary('gt', many, ir.f64(-Infinity)))), failing(10023)),
      ir.when(ir.binary('lt', many, ir.f64(0)), failing(10039)),
      ir.when(ir.binary('lt', many, ir.f64(1)), [{ kind: 'return', value: ir.i32(-1) }]),
      ir.store('i32', ir.i32(rt.MORE), 0, more),
    ]
  }

  areSeveral(start: StepPart): boolean {
    return isWritten(start, 'count') && this.#emitter.constant(stepKey(start, 'count')) !== 1
  }

  /** One more of those that arrive together. */
  another(process: ProcessPart): Stmt[] {
    return this.#made(process, process.start!, ir.f64(-1))
  }

  /** One that starts when a condition becomes true. Throws NotLowered. */
  conditional(process: ProcessPart, isKnown: (position: number) => boolean): Stmt[] {
    const start = this.#start(process, isKnown)
    if (process.level === 'individual') throw new NotLowered(say('individuals start by a condition'))
    return this.#made(process, start, ir.f64(-1))
  }

  /** A process begins by itself, when the event that a birth left comes. Throws NotLowered. */
  beginning(process: ProcessPart, isKnown: (position: number) => boolean): Stmt[] {
    const start = this.#start(process, isKnown, true)
    const { owner, admit } = this.#owner(process)
    return [doing('freeRow', row), ...admit, ...this.#made(process, start, owner)]
  }

  #start(process: ProcessPart, isKnown: (position: number) => boolean, mayQueue = false): StepPart {
    const { start } = process
    if (!start || process.holder) throw new NotLowered(say('it does not start by itself'))
    if (this.#isLimited(process) && !mayQueue) throw new NotLowered(say('only so many may run at a time'))
    if (process.steps.some(step => this.#memory.checked.scopes.outputs.has(step)))
      throw new NotLowered(say('outputs of its steps are read'))
    if (!isKnown(pc(start))) throw new NotLowered(say('its first step runs as JavaScript'))
    return start
  }

  /** Whose event it is; `admit` goes no further where the individual is dead. */
  #owner(process: ProcessPart): { owner: Expr; actor: Actor; admit: Stmt[] } {
    if (process.level !== 'individual')
      return { owner: ir.f64(-1), actor: { process: null, entity: process.entity, slot: null }, admit: [] }
    const record = this.#memory.population(process.entity!)
    const owner = ir.get(this.#memory.local('owner', 'f64'), 'f64') as Expr & { kind: 'get' }
    const slot = ir.get(this.#memory.local('slot', 'i32'), 'i32') as Expr & { kind: 'get' }
    const reals = ir.binary('add', ir.load('i32', ir.i32(rt.REALS)), ir.binary('shl', row, ir.i32(5)))
    const admit = [
      ir.set(owner.name, ir.load('f64', reals, 16)),
      ir.set(slot.name, ir.call('slotIn', 'i32', owner)),
      ir.when(ir.not(ir.call('lives', 'i32', record, owner)), [{ kind: 'return', value: ir.i32(-1) }]),
    ]
    return { owner, actor: { process: null, entity: process.entity, slot }, admit }
  }

  /** A token that a tick makes. Throws NotLowered. */
  spawned(process: ProcessPart, isKnown: (position: number) => boolean, owner: Expr): Stmt[] {
    return this.#created(process, this.#start(process, isKnown), owner)
  }

  #made(process: ProcessPart, start: StepPart, owner: Expr): Stmt[] {
    const created = this.#created(process, start, owner)
    if (!this.#isLimited(process)) return [...created, { kind: 'return', value: token }]
    const runs = ir.get(this.#memory.local('runs', 'i32'), 'i32') as Expr & { kind: 'get' }
    const waits: Stmt[] = [{ kind: 'return', value: ir.i32(-1) }]
    const running = ir.unary('toF', ir.call('runningOf', 'i32', ir.i32(process.index)))
    return [
      ir.set(runs.name, ir.binary('lt', running, this.#limit(process))),
      ...created,
      doing('lineUp', token, runs),
      ir.when(ir.not(runs), waits),
      { kind: 'return', value: token },
    ]
  }

  #isLimited(process: ProcessPart): boolean {
    return this.#emitter.has(`q${process.index}/concurrency`)
  }

  /** How many tokens run at a time; the others wait for their turn. */
  #limit(process: ProcessPart): Expr {
    const key = `q${process.index}/concurrency`
    const { busy } = process.element.fields
    if (process.level === 'individual' || busy === 'skip' || busy === 'restart' || !isPlainSum(this.#memory.checked.formulas.get(key)))
      throw new NotLowered(say('only so many may run at a time'))
    const actor = { process: null, entity: process.entity, slot: null }
    return this.#memory.value(actor, key, componentOf(process, process.id), process.id, 'concurrency').number()
  }

  /** The new token, with the first values of its variables. */
  #created(process: ProcessPart, start: StepPart, owner: Expr): Stmt[] {
    const hung = process.level === 'individual' ? [doing('hang', token, this.#memory.population(process.entity!))] : []
    return [ir.set('t', ir.call('create', 'i32', ir.i32(process.index), ir.i32(pc(start)), owner)), ...hung, ...this.initials(process)]
  }

  /** The first values of the variables of a new token. */
  initials(process: ProcessPart): Stmt[] {
    return process.temporaries.map(variable => this.#initial(process, variable))
  }

  #limited(process: ProcessPart, start: StepPart, actor: Actor, next: readonly Stmt[]): Stmt[] {
    if (process.level === 'individual') throw new NotLowered(say('each individual has a maximum of its own'))
    const at = this.#memory.known(this.#memory.fired, process.index, 8)
    const fired = ir.load('f64', ir.i32(at))
    const maximum = this.#memory.value(actor, stepKey(start, 'maximum'), componentOf(process, start.id), start.id, 'maximum').number()
    const more = ir.not(ir.binary('ge', fired, maximum))
    return [ir.when(more, [ir.store('f64', ir.i32(at), 0, ir.binary('add', fired, ir.f64(1))), ...next])]
  }

  #initial(process: ProcessPart, variable: VariablePart): Stmt {
    const place = this.#memory.tokenPlace(variable)
    if (!place) throw new NotLowered(say('“{name}” of its tokens is no number', { name: variable.name }))
    const formula = this.#memory.checked.formulas.get(variable.initialKey)
    if (!formula) return blank(place)
    const actor = this.#memory.actorOf(process)
    return storedValue(place, this.#memory.value(actor, variable.initialKey, componentOf(process, process.id), formula.id, formula.field))
  }
}

/** Whether a formula certainly gives a time: a number, or a draw with parameters that are written, none of them below 0. */
export function isSpan(formula: FormulaPart | undefined): boolean {
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

/** Whether a formula is a sum or product of numbers and variables: it cannot fail, and draws nothing. */
export function isPlainSum(formula: FormulaPart | undefined): boolean {
  const { parsed, plan } = formula?.inferred ?? {}
  const isPlain = (node: Node): boolean => {
    if (node.is === 'number') return true
    if (node.is === 'name') return plan?.names.get(node)?.is === 'symbol'
    if (node.is === 'unary') return node.op === '-' && isPlain(node.of)
    return node.is === 'binary' && (node.op === '+' || node.op === '-' || node.op === '*') && isPlain(node.left) && isPlain(node.right)
  }
  return parsed?.ast.is === 'expression' && isPlain(parsed.ast.value)
}
