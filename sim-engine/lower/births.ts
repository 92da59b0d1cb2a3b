// Births by processes without tokens: what steps/create.ts and compile/populations.ts do, in the same order.
import { formulaName } from '../../model-schema/kinds.ts'
import { isActive } from '../check/checking.ts'
import { keyOf, stepKey } from '../check/names/keys.ts'
import type { EntityPart, ProcessPart, StepPart, VariablePart } from '../check/parts.ts'
import { cellText, rowsOf, textOf } from '../check/resolve.ts'
import { isListed } from '../compile/listed.ts'
import { dependencyOrder } from '../compile/order.ts'
import { isTicked, placeOf } from '../compile/process.ts'
import { componentOf, isWritten } from '../compile/emitter.ts'
import * as ir from '../ir.ts'
import type { Expr, Stmt } from '../ir.ts'
import * as network from '../runtime/links.ts'
import type { FormulaLowering } from './formula.ts'
import { networksOf, someone, textPathsOf } from './people.ts'
import { noText } from './row-memory.ts'
import { mayFail } from './calls.ts'
import type { Actor, RowsLowering } from './rows.ts'
import { storedValue } from './processes/starts.ts'
import { NotLowered } from './scope.ts'
import type { Someone, VariablePlace } from './scope.ts'
import { say } from '../../model-schema/words.ts'

type Local = Expr & { readonly kind: 'get' }

export class Births {
  readonly #rows: RowsLowering
  readonly #underWay = new Set<EntityPart>()

  constructor(rows: RowsLowering) {
    this.#rows = rows
  }

  #int(prefix: string): Local {
    return ir.get(this.#rows.memory.local(prefix, 'i32'), 'i32') as Local
  }

  create(step: StepPart, actor: Actor): Stmt[] {
    const { program, memory, world } = this.#rows
    const entity = program.checked.parts.entities.find(one => one.id === step.element.fields['population'])
    if (!entity || entity.kind === 'link') throw new NotLowered(say('it creates links'))
    this.#admit(entity)
    const given = this.#rows.value(step, actor, 'count')
    const count = ir.get(memory.local('count', 'f64'), 'f64') as Local
    const [left, slot] = [this.#int('left'), this.#int('newborn')]
    const label = memory.local('births', 'i32')
    const born = someone(world, entity, slot)
    const isWhole = ir.binary('eq', ir.binary('sub', ir.unary('floor', count), count), ir.f64(0))
    const full = ir.i32(this.#rows.place(10056, step.id, 'population'))
    return [
      ir.set(count.name, given.number()),
      ir.when(ir.not(isWhole), [{ kind: 'fail', place: this.#rows.place(10023, step.id, 'count') }]),
      ir.when(ir.binary('lt', count, ir.f64(0)), [{ kind: 'fail', place: this.#rows.place(10039, step.id, 'count') }]),
      ir.set(left.name, ir.unary('toI', count)),
      {
        kind: 'loop',
        label,
        body: [
          ir.when(ir.binary('le', left, ir.i32(0)), [{ kind: 'break', label }]),
          ir.set(left.name, ir.binary('sub', left, ir.i32(1))),
          ...this.#comes(entity, slot, full, actor.self),
          ...this.#place(step, entity, slot, actor),
          ...this.#first(entity, born),
          ...this.#values(step, entity, slot, actor),
          ...this.#begins(entity, born),
        ],
      },
    ]
  }

  /** A birth by a formula, which tells nobody's mother. */
  one(entity: EntityPart, where: { readonly id: string; readonly field: string }): { body: Stmt[]; one: Someone } {
    return this.#unmixed(entity, () => {
      this.#admit(entity)
      const slot = this.#int('newborn')
      const born = someone(this.#rows.world, entity, slot)
      const full = ir.i32(this.#rows.place(10056, where.id, where.field))
      const body = [
        ...this.#comes(entity, slot, full, null),
        ...(entity.space ? this.#itsPlace(entity, slot, where) : []),
        ...this.#first(entity, born),
        ...this.#begins(entity, born),
      ]
      return { body, one: born }
    })
  }

  /** A new link between two who live. */
  link(
    links: EntityPart,
    from: Someone,
    to: Someone,
    weight: Expr,
    where: { readonly id: string; readonly field: string },
  ): { body: Stmt[]; one: Someone } {
    return this.#unmixed(links, () => {
      const { memory, world } = this.#rows
      this.#admit(links)
      const slot = this.#int('newlink')
      const one = someone(world, links, slot)
      const nodes = [from, to].flatMap(({ entity, slot: at }) => [ir.i32(memory.nodes(links, entity)), ir.i32(entity.index), at])
      const isDirected = ir.i32(links.element.fields['directed'] === true ? 1 : 0)
      const body = [
        ...this.#comes(links, slot, ir.i32(this.#rows.place(10056, where.id, where.field)), null),
        ir.run(ir.call('joinNodes', 'void', ir.i32(memory.links(links)), ir.i32(links.index), slot, ...nodes, weight, isDirected)),
        ...this.#first(links, one),
        ...this.#weight(links, one),
        ...this.#begins(links, one),
      ]
      return { body, one }
    })
  }

  /** What its population says a link weighs. */
  #weight(links: EntityPart, one: Someone): Stmt[] {
    const key = keyOf(links, 'weight')
    const { emitter } = this.#rows
    if (!emitter.has(key) || emitter.constant(key) === 1) return []
    const actor: Actor = { entity: links, self: one, row: '' }
    const value = this.#rows.formula(key, { process: null, actor, component: `${links.id} weight`, id: links.id, field: 'weight' })
    if (!value) throw new NotLowered(say('its {field} is blank', { field: 'weight' }))
    return [this.#store(`p${links.index}_weight`, 'f64', one.slot, value.number())]
  }

  #unmixed<T>(entity: EntityPart, make: () => T): T {
    if (this.#underWay.has(entity)) throw new NotLowered(say('a birth leads to another'))
    this.#underWay.add(entity)
    try {
      return make()
    } finally {
      this.#underWay.delete(entity)
    }
  }

  /** A new slot, and what it holds before anything is worked out. */
  #comes(entity: EntityPart, slot: Local, full: Expr, self: Someone | null): Stmt[] {
    const p = this.#rows.memory.population(entity, 'lives')
    return [
      ir.set(slot.name, ir.call('createOne', 'i32', ir.i32(p), ir.i32(entity.index), full)),
      ...this.#blanks(entity, slot),
      ...this.#appearance(entity, slot, self),
    ]
  }

  /** Refuses populations on whose individuals more hangs than numbers and a place. */
  #admit(entity: EntityPart): void {
    const { world } = this.#rows
    if (entity.form === 'observer' || !networksOf(world, entity)) throw new NotLowered(say('containers or accounts may hang on newborns'))
    if (entity.variables.some(({ storage, type }) => storage === 'any' && type.is !== 'text'))
      throw new NotLowered(say('newborns have values that are neither numbers nor texts'))
  }

  /** Processes that begin with a newborn, or some time after. */
  #begins(entity: EntityPart, born: Someone): Stmt[] {
    return entity.processes.flatMap(process => {
      const { start, level, holder } = process
      if (level !== 'individual' || !start || holder) return []
      const { trigger } = start.element.fields
      if (trigger === 'message' || trigger === 'condition') throw new NotLowered(say('newborns wait for a message or a condition'))
      if (trigger === 'timer') return isTicked(process, placeOf(this.#rows.emitter, process)) ? [] : [this.#timed(process, start, born)]
      return isActive(process) ? [this.#rows.memory.host('startSoon', ['i32', 'f64'], [ir.i32(process.index), real(born.handle)])] : []
    })
  }

  /** A timer start of a newborn goes off for the first time after a while. */
  #timed(process: ProcessPart, start: StepPart, born: Someone): Stmt {
    if (isWritten(start, 'times') || isWritten(start, 'maximum'))
      throw new NotLowered(say('newborns begin other processes a limited number of times'))
    const { emitter, memory } = this.#rows
    const field = isWritten(start, 'first') ? 'first' : 'every'
    const key = stepKey(start, field)
    const actor: Actor = { entity: born.entity, self: born, row: '' }
    const gap = this.#rows.formula(key, { process, actor, component: start.id, id: start.id, field })
    if (!gap) throw new NotLowered(say('its {field} is blank', { field }))
    const place = ir.i32(this.#rows.place(10051, start.id, mayFail(gap) ? field : 'first'))
    const name = field === 'every' && !emitter.draws(key) ? 'repeatTimer' : 'startTimer'
    return memory.host(name, ['i32', 'f64', 'f64', 'i32'], [ir.i32(process.index), real(born.handle), gap.number(), place])
  }

  #store(path: string, mem: 'f64' | 'u8' | 'i32', slot: Expr, value: Expr): Stmt {
    return ir.store(mem, this.#rows.memory.element(path, mem, slot, true), 0, value)
  }

  #text(path: string, slot: Expr, code: number): Stmt {
    return ir.store('i32', this.#rows.memory.textElement(path, slot, 'write'), 0, ir.i32(code))
  }

  /** All columns begin as they do in a new slot. */
  #blanks(entity: EntityPart, slot: Expr): Stmt[] {
    const p = entity.index
    const texts = textPathsOf(this.#rows.world, entity).map(path => this.#text(path, slot, noText))
    const numbers = entity.variables
      .filter(({ storage }) => storage !== 'any')
      .map(({ index, storage }) =>
        storage === 'number' || storage === 'entity'
          ? this.#store(`p${p}_v${index}`, 'f64', slot, ir.f64(storage === 'entity' ? -1 : 0))
          : this.#store(`p${p}_v${index}`, 'u8', slot, ir.i32(0)),
      )
    const blanks = [
      ...numbers,
      ...texts,
      ...(networksOf(this.#rows.world, entity) ?? []).flatMap(links => this.#unlinked(links, entity, slot)),
    ]
    if (!entity.space) return blanks
    if (entity.space.three) throw new NotLowered(say('it is in three dimensions'))
    const r = `R${p}`
    this.#rows.memory.residents(entity, true)
    const lists = entity.space.topology !== 'discrete' || isListed(this.#rows.program.checked, entity) ? ['next', 'previous'] : []
    return [
      ...blanks,
      ...['x', 'y'].map(name => this.#store(`${r}.${name}`, 'f64', slot, ir.f64(Number.NaN))),
      this.#store(`${r}.heading`, 'f64', slot, ir.f64(0)),
      ...['bucket', ...lists].map(name => this.#store(`${r}.${name}`, 'i32', slot, ir.i32(-1))),
    ]
  }

  /** A newborn is a node without links. */
  #unlinked(links: EntityPart, node: EntityPart, slot: Expr): Stmt[] {
    const n = this.#rows.memory.nodes(links, node)
    const ways = links.element.fields['directed'] === true ? [0, network.WAY_IN] : [0]
    const words = ways.flatMap(way => [network.OUT_START, network.OUT_COUNT, network.OUT_ROOM].map(word => n + way + word))
    return words.map(word => ir.run(ir.call('setEntry', 'void', ir.i32(word), slot, ir.i32(0))))
  }

  #appearance(entity: EntityPart, slot: Expr, self: Someone | null): Stmt[] {
    const p = entity.index
    const { program, memory } = this.#rows
    const has = (name: string): boolean => program.mentions.has(`p${p}_${name}`)
    const mother = self?.entity.kind === 'agent' ? real(self.handle) : ir.f64(-1)
    return [
      ...(has('born') ? [this.#store(`p${p}_born`, 'f64', slot, memory.number('W.time', 'f64'))] : []),
      ...(has('mother') ? [this.#store(`p${p}_mother`, 'f64', slot, mother)] : []),
      ...(has('size') ? [this.#store(`p${p}_size`, 'f64', slot, ir.f64(Number(entity.element.fields['size'] ?? 1)))] : []),
      ...(has('color') ? [this.#text(`p${p}_color`, slot, memory.textCode(textOf(entity.element, 'color')))] : []),
      ...(has('shape') ? [this.#text(`p${p}_shape`, slot, memory.textCode(textOf(entity.element, 'shape') || 'circle'))] : []),
      ...(has('thickness') ? [this.#store(`p${p}_thickness`, 'f64', slot, ir.f64(Number(entity.element.fields['thickness'] ?? 1)))] : []),
      ...(has('line_type') ? [this.#text(`p${p}_line_type`, slot, memory.textCode(textOf(entity.element, 'lineType') || 'solid'))] : []),
      ...(has('visible') ? [this.#store(`p${p}_visible`, 'u8', slot, ir.i32(1))] : []),
    ]
  }

  #place(step: StepPart, entity: EntityPart, slot: Expr, { self }: Actor): Stmt[] {
    if (!entity.space) return []
    const { memory } = this.#rows
    const { placement } = step.element.fields
    const stream = (component: string): Expr => memory.stream(component)
    if (placement === 'random')
      return this.#rows.moves.anywhere(entity, slot, stream(componentOf(step.process, step.id)), step.id, 'population')
    if (placement === 'actor' && self) {
      if (self.entity.kind === 'cell') return this.#rows.moves.onto(entity, slot, self.slot, step.id, 'population')
      if (self.entity.space === entity.space) return this.#beside(step, entity, slot, self)
    }
    return this.#itsPlace(entity, slot, { id: step.id, field: 'population' })
  }

  /** Where its population puts a newborn. */
  #itsPlace(entity: EntityPart, slot: Expr, { id, field }: { readonly id: string; readonly field: string }): Stmt[] {
    const { memory, program } = this.#rows
    const stream = (component: string): Expr => memory.stream(component)
    const turns: Stmt[] = program.mentions.has(`p${entity.index}_heading`)
      ? [
          this.#store(
            `R${entity.index}.heading`,
            'f64',
            slot,
            ir.binary('mul', ir.call('uniform', 'f64', stream(`${entity.id} heading`)), ir.f64(360)),
          ),
        ]
      : []
    const drawn = `${entity.id} placement`
    switch (textOf(entity.element, 'placement')) {
      case 'random':
        return [...turns, ...this.#rows.moves.anywhere(entity, slot, stream(drawn), id, field)]
      case 'cells':
        return [
          ...turns,
          ...this.#rows.moves.onto(entity, slot, ir.call('randomCell', 'i32', this.#rows.moves.ground(entity).s, stream(drawn)), id, field),
        ]
      case 'emptyCells':
      case 'position':
        throw new NotLowered(say('where newborns stand is found out for each'))
      default:
        return turns
    }
  }

  #beside(step: StepPart, entity: EntityPart, slot: Expr, mother: Someone): Stmt[] {
    const { memory } = this.#rows
    const { isDiscrete, r, s, p, wraps } = this.#rows.moves.ground(entity)
    const m = memory.residents(mother.entity)
    const of = (word: number, mem: 'i32' | 'f64'): Expr =>
      ir.load(mem, ir.binary('add', ir.load('i32', ir.i32(m + word)), ir.binary('shl', mother.slot, ir.i32(mem === 'f64' ? 3 : 2))))
    const bucket = of(12, 'i32')
    const goes = isDiscrete
      ? this.#rows.moves.onto(entity, slot, bucket, step.id, 'population')
      : [
          ir.run(
            ir.call(
              'placeAt',
              'void',
              r,
              s,
              p,
              slot,
              of(0, 'f64'),
              of(4, 'f64'),
              ...wraps,
              ir.i32(this.#rows.place(10060, step.id, 'population')),
            ),
          ),
        ]
    return [ir.when(ir.binary('ge', bucket, ir.i32(0)), goes)]
  }

  /** First values, as the newborn sees them. */
  #first(entity: EntityPart, born: Someone): Stmt[] {
    const { program } = this.#rows
    return dependencyOrder(program.checked, entity.variables).flatMap(variable => {
      const key = variable.initialKey
      const formula = program.checked.formulas.get(key)
      const actor: Actor = { entity, self: born, row: '' }
      const at = {
        process: null,
        actor,
        component: `${entity.id} ${variable.id}`,
        id: formula?.id ?? variable.id,
        field: formula?.field ?? '',
      }
      const value = this.#rows.formula(key, at)
      const place = this.#place_(entity, variable, born.slot)
      if (value) return this.#given(entity, variable, born.slot, storedValue(place, value))
      return this.#given(
        entity,
        variable,
        born.slot,
        ir.store(
          place.mem,
          place.address,
          0,
          place.mem === 'f64' ? ir.f64(blankOf(variable)) : ir.i32(place.holds === 'text' ? noText : 0),
        ),
      )
    })
  }

  #place_(entity: EntityPart, { index, storage }: VariablePart, slot: Expr, access: 'read' | 'write' = 'write'): VariablePlace {
    if (storage === 'any') {
      const text = this.#rows.memory.textElement(`p${entity.index}_v${index}`, slot, access)
      return { mem: 'i32', address: text, offset: 0, holds: 'text' }
    }
    const mem = storage === 'number' || storage === 'entity' ? 'f64' : 'u8'
    const address = this.#rows.memory.element(`p${entity.index}_v${index}`, mem, slot, access === 'write')
    return { mem, address, offset: 0, holds: storage }
  }

  /** A value that is written, and the next one where there are such. */
  #given(entity: EntityPart, variable: VariablePart, slot: Expr, stored: Stmt): Stmt[] {
    const isText = variable.storage === 'any'
    if (entity.order !== 'simultaneous' || (isText && !this.#rows.world.hasNext(variable))) return [stored]
    const { mem, address } = this.#place_(entity, variable, slot, isText ? 'read' : 'write')
    const path = `p${entity.index}_n${variable.index}`
    const { memory } = this.#rows
    const next = isText ? memory.textElement(path, slot, 'write') : memory.element(path, mem, slot, true)
    return [stored, ir.store(mem, next, 0, ir.load(mem, address))]
  }

  /** Listed properties; offspring take over the rest from their mother. */
  #values(step: StepPart, entity: EntityPart, slot: Expr, actor: Actor): Stmt[] {
    const { self } = actor
    const listed = new Set<string>()
    const made = rowsOf(step.element, 'values').flatMap((row, i) => {
      const name = formulaName(cellText(row, 'property'))
      listed.add(name)
      const variable = entity.variables.find(one => one.name === name)
      if (!variable) throw new NotLowered(say('it changes how newborns look'))
      const field = `values/${i}/value`
      const mode = row['mode'] ?? 'expression'
      const place = this.#place_(entity, variable, slot)
      if (mode === 'expression') return this.#given(entity, variable, slot, storedValue(place, this.#rows.value(step, actor, field)))
      const from = self?.entity.variables.find(one => one.name === name)
      if (!self || !from) return []
      const own = this.#place_(self.entity, from, self.slot, mode === 'inherit' ? 'read' : 'write')
      if (own.mem !== place.mem) throw new NotLowered(say('a value changes its kind on the way to the newborn'))
      if (mode === 'inherit')
        return this.#given(entity, variable, slot, ir.store(place.mem, place.address, 0, ir.load(own.mem, own.address)))
      return this.#share(step, this.#rows.value(step, actor, field), entity, variable, slot, self, from, own, field)
    })
    const isOffspring = step.element.fields['as'] === 'offspring' && self?.entity === entity
    if (!isOffspring) return made
    const rest = entity.variables
      .filter(({ name }) => !listed.has(name))
      .flatMap(variable => {
        const [to, from] = [this.#place_(entity, variable, slot), this.#place_(entity, variable, self.slot, 'read')]
        return this.#given(entity, variable, slot, ir.store(to.mem, to.address, 0, ir.load(from.mem, from.address)))
      })
    if (!entity.space) return [...made, ...rest]
    const heading = (at: Expr): Expr => this.#rows.memory.element(`R${entity.index}.heading`, 'f64', at, true)
    return [...made, ...rest, ir.store('f64', heading(slot), 0, ir.load('f64', heading(self.slot)))]
  }

  /** A share of the mother's value, which she loses. */
  #share(
    step: StepPart,
    ratio: FormulaLowering,
    entity: EntityPart,
    variable: VariablePart,
    slot: Expr,
    mother: Someone,
    from: VariablePart,
    own: VariablePlace,
    field: string,
  ): Stmt[] {
    if (own.mem !== 'f64') throw new NotLowered(say('it shares something that is no number'))
    const part = ir.get(this.#rows.memory.local('share', 'f64'), 'f64') as Local
    const bad = ir.not(ir.binary('and', ir.binary('ge', part, ir.f64(0)), ir.binary('le', part, ir.f64(1))))
    const place = this.#place_(entity, variable, slot)
    const where = mayFail(ratio) ? field : 'population'
    const lose = (address: Expr): Stmt => ir.store('f64', address, 0, ir.binary('sub', ir.load('f64', address), part))
    const next = this.#rows.memory.element(`p${mother.entity.index}_n${from.index}`, 'f64', mother.slot, true)
    return [
      ir.set(part.name, ratio.number()),
      ir.when(bad, [{ kind: 'fail', place: this.#rows.place(10021, step.id, where) }]),
      ir.set(part.name, ir.binary('mul', part, ir.load('f64', own.address))),
      ...this.#given(entity, variable, slot, ir.store('f64', place.address, 0, part)),
      lose(own.address),
      ...(mother.entity.order === 'simultaneous' ? [lose(next)] : []),
    ]
  }
}

const real = (e: Expr): Expr => (e.type === 'i32' ? ir.unary('toF', e) : e)
const blankOf = ({ storage }: VariablePart): number => (storage === 'entity' ? -1 : 0)
