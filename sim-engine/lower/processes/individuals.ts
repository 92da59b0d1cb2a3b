// Births and deaths of individuals by tokens: what steps/{create,destroy}.ts and compile/{populations,starts}.ts do.
import { formulaName } from '../../../model-schema/kinds.ts'
import { stepKey } from '../../check/names/keys.ts'
import type { EntityPart, ProcessPart, StepPart, VariablePart } from '../../check/parts.ts'
import { cellText, rowsOf, textOf } from '../../check/resolve.ts'
import { componentOf, isWritten } from '../../compile/emitter.ts'
import type { Emitter } from '../../compile/emitter.ts'
import { dependencyOrder } from '../../compile/order.ts'
import { isTicked, placeOf } from '../../compile/process.ts'
import * as ir from '../../ir.ts'
import type { Expr, Stmt } from '../../ir.ts'
import * as rt from '../../runtime/processes.ts'
import { token } from './memory.ts'
import type { Actor, ProcessMemory } from './memory.ts'
import { blank, isSpan, storedValue } from './starts.ts'
import { NotLowered } from '../scope.ts'
import type { VariablePlace } from '../scope.ts'
import { say } from '../../../model-schema/words.ts'

type Local = Expr & { kind: 'get' }

/** Most newborns of one step. */
const mostAtOnce = 1_000_000

const doing = (name: string, ...args: Expr[]): Stmt => ir.run(ir.call(name, 'void', ...args))

export class Individuals {
  readonly #memory: ProcessMemory
  readonly #emitter: Emitter
  /** Built-in columns the program has, as `p3_size`. */
  readonly #mentions: ReadonlySet<string>

  constructor(memory: ProcessMemory, emitter: Emitter, mentions: ReadonlySet<string>) {
    this.#memory = memory
    this.#emitter = emitter
    this.#mentions = mentions
  }

  /** The record of a population on whose individuals nothing hangs but numbers and tokens. Throws NotLowered. */
  #plain(entity: EntityPart): Expr {
    const { parts } = this.#memory.checked
    const record = this.#memory.population(entity)
    if (entity.space && typeof entity.space.cells?.element.fields['capacity'] === 'number')
      throw new NotLowered(say('a cell of its space may be full'))
    if (entity.containers.some(({ level }) => level === 'individual')) throw new NotLowered(say('each of its individuals has containers'))
    if (parts.entities.some(({ kind }) => kind === 'link') || parts.messages.length > 0 || parts.chains.length + parts.networks.length > 0)
      throw new NotLowered(say('links, messages or networks may concern its individuals'))
    if (
      entity.variables.some(({ storage }) => storage === 'any') ||
      ['color', 'shape'].some(name => this.#mentions.has(`p${entity.index}_${name}`))
    )
      throw new NotLowered(say('its individuals have values that are no numbers'))
    return record
  }

  // --- births

  /** Whether so many can be born at once: room, and nothing unusual. The test of a create step, before anything is done. */
  canCreate(entity: EntityPart, count: Expr): Expr {
    const record = this.#plain(entity)
    const isWhole = ir.binary('eq', ir.unary('floor', count), count)
    const isCount = ir.binary(
      'land',
      ir.binary('land', ir.binary('ge', count, ir.f64(0)), ir.binary('le', count, ir.f64(mostAtOnce))),
      isWhole,
    )
    const starting = this.#starting(entity).length
    const events = ir.binary('add', ir.binary('mul', ir.unary('toI', count), ir.i32(starting)), ir.i32(2))
    return ir.binary('land', isCount, ir.binary('land', ir.call('canBear', 'i32', record, count), ir.call('hasRows', 'i32', events)))
  }

  /** The births of a create step, where `canCreate`. */
  create(step: StepPart, entity: EntityPart, count: Expr): Stmt[] {
    const slot = ir.get(this.#memory.local('slot', 'i32'), 'i32') as Local
    const handle = ir.get(this.#memory.local('newborn', 'f64'), 'f64') as Local
    const born = this.#birth(step, entity, slot, handle)
    if (count.kind === 'const' && count.value === 1) return born
    const left = ir.get(this.#memory.local('left', 'i32'), 'i32') as Local
    const label = `births${left.name}`
    const out: Stmt = { kind: 'break', label }
    return [
      ir.set(left.name, ir.unary('toI', count)),
      {
        kind: 'loop',
        label,
        body: [ir.when(ir.binary('le', left, ir.i32(0)), [out]), ir.set(left.name, ir.binary('sub', left, ir.i32(1))), ...born],
      },
    ]
  }

  #birth(step: StepPart, entity: EntityPart, slot: Local, handle: Local): Stmt[] {
    const record = this.#plain(entity)
    const { process } = step
    const isMother = process.level === 'individual' && process.entity?.kind === 'agent'
    return [
      ir.set(slot.name, ir.call('bear', 'i32', record)),
      ir.set(handle.name, ir.call('handleIn', 'f64', record, slot)),
      ...this.#placing(step, entity, slot),
      ...this.#appearance(entity, slot, isMother ? ir.call('real', 'f64', ir.i32(rt.T_OWNER), token) : ir.f64(-1)),
      ...dependencyOrder(this.#memory.checked, entity.variables).map(variable => this.#first(entity, variable, slot)),
      ...this.#values(step, entity, slot),
      ...this.#starting(entity).map(process => this.#start(entity, process, slot, handle)),
    ]
  }

  /** Where a newborn stands: see `place` of compile/populations.ts. */
  #placing(step: StepPart, entity: EntityPart, slot: Expr): Stmt[] {
    if (!entity.space) return []
    const given = step.element.fields['placement']
    const placement = given === 'random' || given === 'actor' ? given : textOf(entity.element, 'placement')
    const isElsewhere = placement === 'actor' || placement === 'emptyCells' || placement === 'position'
    if (isElsewhere) throw new NotLowered(say('where newborns stand is found out for each'))
    const stream = (component: string): number => this.#memory.known(this.#memory.streams, component, 16)
    const place = placement === 'random' ? 'random' : placement === 'cells' ? 'cell' : 'nowhere'
    // Those that the step itself puts somewhere have no heading of their own.
    const turns = given !== 'random' && this.#mentions.has(`p${entity.index}_heading`)
    const settling = this.#memory.settling({
      entity,
      place,
      heading: turns ? stream(`${entity.id} heading`) : null,
      draws: place === 'nowhere' ? null : stream(given === 'random' ? componentOf(step.process, step.id) : `${entity.id} placement`),
    })
    return [doing(settling, slot)]
  }

  /** What newborns have before their variables: see `fresh` of compile/populations.ts. */
  #appearance(entity: EntityPart, slot: Expr, mother: Expr): Stmt[] {
    const has = (name: string): boolean => this.#mentions.has(`p${entity.index}_${name}`)
    const number = (name: string, value: Expr): Stmt => {
      const { mem, address, offset } = this.#memory.builtin(entity, name, slot, true)
      return ir.store(mem, address, offset, value)
    }
    const visible = (): Stmt => {
      const { mem, address, offset } = this.#memory.builtin(entity, 'visible', slot, false)
      return ir.store(mem, address, offset, ir.i32(1))
    }
    return [
      ...(has('born') ? [number('born', ir.load('f64', ir.i32(rt.TIME)))] : []),
      ...(has('mother') ? [number('mother', mother)] : []),
      ...(has('size') ? [number('size', ir.f64(Number(entity.element.fields['size'] ?? 1)))] : []),
      ...(has('visible') ? [visible()] : []),
    ]
  }

  #first(entity: EntityPart, variable: VariablePart, slot: Expr): Stmt {
    const place = this.#propertyOf(entity, variable, slot)
    const formula = this.#memory.checked.formulas.get(variable.initialKey)
    if (!formula) return blank(place)
    const component = `${entity.id} ${variable.id}`
    const actor: Actor = { process: null, entity, slot }
    return storedValue(place, this.#memory.value(actor, variable.initialKey, component, formula.id, formula.field))
  }

  #propertyOf(entity: EntityPart, variable: VariablePart, slot: Expr): VariablePlace {
    const place = this.#memory.property(entity, variable, slot)
    if (!place) throw new NotLowered(say('“{name}” of its individuals is no number', { name: variable.name }))
    return place
  }

  /** Listed properties; offspring take over the rest from their mother. */
  #values(step: StepPart, entity: EntityPart, slot: Expr): Stmt[] {
    const { process } = step
    const actor = this.#memory.actorOf(process)
    const inherited = (to: VariablePart, name: string): Stmt => {
      const from = process.entity?.variables.find(one => one.name === name)
      if (!from || !actor.slot || from.storage !== to.storage) throw new NotLowered(say('what is inherited is no number'))
      const [target, source] = [this.#propertyOf(entity, to, slot), this.#propertyOf(process.entity!, from, actor.slot)]
      return ir.store(target.mem, target.address, target.offset, ir.load(source.mem, source.address, source.offset))
    }
    const rows = rowsOf(step.element, 'values').map(row => ({
      name: formulaName(cellText(row, 'property')),
      mode: row['mode'] ?? 'expression',
    }))
    const given = rows.map(({ name, mode }, k): Stmt => {
      const variable = entity.variables.find(one => one.name === name)
      if (!variable) throw new NotLowered(say('it gives newborns more than numbers'))
      if (mode === 'inherit') return inherited(variable, name)
      if (mode !== 'expression') throw new NotLowered(say('the mother shares something with her offspring'))
      const field = `values/${k}/value`
      const value = this.#memory.value(actor, stepKey(step, field), componentOf(process, step.id), step.id, field)
      return storedValue(this.#propertyOf(entity, variable, slot), value)
    })
    if (step.element.fields['as'] !== 'offspring' || process.entity !== entity) return given
    const listed = new Set(rows.map(({ name }) => name))
    const others = entity.variables.filter(({ name }) => !listed.has(name)).map(variable => inherited(variable, variable.name))
    return [...given, ...others, ...(entity.space ? [this.#sameHeading(entity, slot, actor.slot!)] : [])]
  }

  /** Offspring look where their mother does. */
  #sameHeading(entity: EntityPart, slot: Expr, mother: Expr): Stmt {
    const place = (of: Expr) => this.#memory.builtin(entity, 'heading', of, true)
    const [to, from] = [place(slot), place(mother)]
    return ir.store(to.mem, to.address, to.offset, ir.load(from.mem, from.address, from.offset))
  }

  /** Processes that begin by themselves at a birth, each by an event. Throws NotLowered where others listen from then on. */
  #starting(entity: EntityPart): ProcessPart[] {
    const own = entity.processes.filter(({ level, start, holder }) => level === 'individual' && start && !holder)
    return own.filter(process => {
      const { trigger, active } = process.start!.element.fields
      if (trigger === 'message' || trigger === 'condition' || trigger === 'signal')
        throw new NotLowered(say('its individuals wait for messages or conditions from birth'))
      if (trigger === 'timer') return !isTicked(process, placeOf(this.#emitter, process))
      return active !== false
    })
  }

  #start(entity: EntityPart, process: ProcessPart, slot: Expr, handle: Expr): Stmt {
    const start = process.start!
    if (start.element.fields['trigger'] !== 'timer') return doing('beginSoon', ir.i32(process.index), handle)
    const field = isWritten(start, 'first') ? 'first' : 'every'
    const key = stepKey(start, field)
    if (isWritten(start, 'times') || isWritten(start, 'maximum') || !isSpan(this.#memory.checked.formulas.get(key)))
      throw new NotLowered(say('when the first event of its individuals is due is worked out'))
    const gap = this.#memory.value({ process: null, entity, slot }, key, componentOf(process, start.id), start.id, field).number()
    const isDrawn = field === 'first' || this.#emitter.draws(key)
    const span = isDrawn ? gap : ir.call('cycle', 'f64', ir.i32(process.index), handle, gap)
    return doing('startAfter', ir.i32(process.index), handle, span)
  }

  // --- deaths

  /** Whether the actor of a token may die here, and how. */
  death(entity: EntityPart): { test: Expr; does: Stmt[] } {
    const record = this.#plain(entity)
    for (const process of entity.processes) {
      if (process.level !== 'individual') continue
      if (this.#emitter.has(`q${process.index}/concurrency`)) throw new NotLowered(say('only so many may run at a time'))
      const { start } = process
      if (process.temporaries.some(({ storage }) => storage === 'any')) throw new NotLowered(say('tokens carry values that are no numbers'))
      if (start?.element.fields['trigger'] === 'timer' && !this.#emitter.draws(stepKey(start, 'every')))
        throw new NotLowered(say('its individuals have regular timers'))
    }
    const leaves = entity.space
      ? [doing(this.#memory.settling({ entity, place: 'leave', heading: null, draws: null }), ir.call('slotOf', 'i32', token))]
      : []
    return { test: ir.call('canDie', 'i32', token, record), does: [...leaves, doing('die', token, record)] }
  }
}
