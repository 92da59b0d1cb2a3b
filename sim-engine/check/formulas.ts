// The formulas of a model, with their scopes and the types they should have.
import type { Field, FormulaContext } from '../../model-schema/kinds/kind.ts'
import { formulaName, kindOf } from '../../model-schema/kinds.ts'
import type { Element } from '../../model-schema/model.ts'
import type { Symbol, Type } from '../formula.ts'
import { any, bool, entityOf, number, text as textType } from '../formula/types.ts'
import { stepKinds } from '../steps/table.ts'
import type { ContainerPart, EntityPart, FunctionPart, Parts, ProcessPart, StatisticPart, StepPart, VariablePart } from './parts.ts'
import { chosenPopulation, flowKey, keyOf, stepKey, temporaryKey } from './names/keys.ts'
import { cellText, rowsOf, shown, textOf } from './resolve.ts'
import { isSameList } from './rows.ts'
import { chosenAction, localSymbol } from './names/builtins.ts'
import type { FormulaPosition } from './scopes.ts'

/** A formula before it is inferred. */
export type Spec = {
  key: string
  /** Distinguishes the same formula in different populations; stays through edits, as `key` does not. */
  lasting: string
  id: string
  field: string
  text: string
  context: FormulaContext
  expects: Type | undefined
  /** Its scope: known at once, or by the types of other formulas. */
  standing: FormulaPosition | ((known: Known) => FormulaPosition)
}

/** What is known while types are being found. */
type Known = {
  type(key: string): Type | undefined
  entity(id: string): EntityPart | undefined
  parameter(fn: FunctionPart, i: number): Symbol
}

const globally: FormulaPosition = { level: 'global', entity: null, process: null, buffered: null }

/** The population with the update that a process belongs to, when that update is simultaneous. */
function bufferedBy(process: ProcessPart): EntityPart | null {
  return process.level === 'individual' && process.entity?.order === 'simultaneous' ? process.entity : null
}

export const standingOf = (process: ProcessPart): FormulaPosition => ({
  level: process.level,
  entity: process.entity,
  process,
  buffered: bufferedBy(process),
})

const resultTypes: Readonly<Record<string, Type>> = { number, boolean: bool, text: textType }

type Add = (
  element: Element,
  owner: EntityPart | null,
  key: (field: string) => string,
  standing: (field: string) => Spec['standing'],
) => void

/** All formulas that are shown and not blank. Rules report those that must not be blank. */
export function specsOf(parts: Parts): Spec[] {
  const list = new SpecList(parts)
  list.addGlobal(parts.scenario, parts.scenario)
  for (const space of parts.spaces) list.addGlobal(space, space.element)
  for (const entity of parts.entities) list.addEntity(entity)
  for (const variable of parts.shared) list.addMember(variable, place(levelOf(variable), variable.entity))
  for (const entity of parts.entities) for (const variable of entity.variables) list.addMember(variable, place('individual', entity))
  for (const container of parts.containers) list.addMember(container, place(container.level, container.entity))
  for (const fn of parts.functions) list.addFunction(fn)
  for (const process of parts.processes) list.addProcess(process)
  for (const part of [...parts.chains, ...parts.contracts]) list.addGlobal(part, part.element)
  for (const statistic of parts.statistics) list.addStatistic(statistic)
  for (const element of [...parts.charts, ...parts.controllers, ...parts.tests]) list.addGlobal(element, element)
  return list.specs
}

/** The formulas of each part, in the order of parts; those of parts that did not change are the objects of the check before. */
class SpecList {
  readonly specs: Spec[] = []
  /** Names of containers of items. */
  readonly #stores: ReadonlySet<string>
  readonly #storesText: string
  readonly #inside = new Map<ProcessPart, readonly Spec[]>()

  constructor({ containers }: Parts) {
    this.#stores = new Set(containers.filter(one => one.element.fields['contents'] === 'items').map(one => one.name))
    this.#storesText = [...this.#stores].join(' ')
  }

  addGlobal(of: object, element: Element): void {
    this.#keep(of, [element], add => {
      add(element, null, elementKey(element.id), () => globally)
    })
  }

  addMember(part: VariablePart | ContainerPart, standing: FormulaPosition): void {
    const { element } = part
    // A model may have thousands of members, and an edit changes few: this comparison makes no list.
    const known = specsBefore.get(part)
    if (known?.stores === this.#storesText && known.from[0] === element && known.from[1] === standing) {
      this.#append(known.specs)
      return
    }
    this.#keep(part, [element, standing], add => {
      add(
        element,
        part.entity,
        field => keyOf(part, field),
        () => standing,
      )
    })
  }

  addEntity(entity: EntityPart): void {
    const { id, element } = entity
    const individual = place('individual', entity)
    this.#keep(entity, [element], add => {
      add(element, null, elementKey(id), field => (fromInside.has(field) ? individual : globally))
    })
  }

  addFunction(fn: FunctionPart): void {
    const { element, level, entity } = fn
    const buffered = level === 'individual' && entity?.order === 'simultaneous' ? entity : null
    const standing =
      (field: string): Spec['standing'] =>
      known => ({
        level,
        entity,
        process: null,
        buffered,
        locals: field === 'body' ? fn.parameters.map((_, i) => known.parameter(fn, i)) : [],
        of: fn.id,
      })
    this.#keep(fn, [element, level, entity, buffered], add => {
      add(element, entity, field => keyOf(fn, field), standing)
    })
  }

  addProcess(process: ProcessPart): void {
    const { element, entity, index, level, holder } = process
    const buffered = bufferedBy(process)
    if (!holder) {
      const outside: FormulaPosition = { level, entity, buffered, process: null }
      this.#keep(process, [element, index, level, entity, buffered], add => {
        add(
          element,
          entity,
          field => `q${index}/${field}`,
          () => outside,
        )
      })
    }
    // Names of the processes around it are names of this one, too.
    const around = holder && this.#inside.get(holder.process)
    this.#inside.set(
      process,
      this.#keep(process.reading, [buffered, around], add => addSpecsInside(process, standingOf(process), add)),
    )
  }

  addStatistic(statistic: StatisticPart): void {
    const { element, index, over } = statistic
    const owner = place(statistic.level, statistic.entity)
    const each = over ? place('individual', over) : owner
    this.#keep(statistic, [element, index, owner, each], add => {
      add(
        element,
        null,
        field => `t${index}/${field}`,
        field => (field === 'interval' ? owner : each),
      )
    })
  }

  /** Appends the formulas of a part or an element: the same objects as before while everything in `from` is the same. */
  #keep(of: object, from: readonly unknown[], list: (add: Add) => void): readonly Spec[] {
    let known = specsBefore.get(of)
    if (!known || known.stores !== this.#storesText || !isSameList(known.from, from)) {
      const made: Spec[] = []
      list((element, owner, key, standing) => addSpecs(made, element, owner, key, standing, this.#stores))
      specsBefore.set(of, (known = { from, stores: this.#storesText, specs: made }))
    }
    this.#append(known.specs)
    return known.specs
  }

  #append(specs: readonly Spec[]): void {
    for (const spec of specs) this.specs.push(spec)
  }
}

const elementKey =
  (id: string) =>
  (field: string): string =>
    keyOf({ id, entity: null }, field)

const levelOf = ({ level }: VariablePart): FormulaPosition['level'] => (level === 'token' ? 'global' : level)

/** Fields of a population that are calculated by each individual. */
const fromInside = new Set(['position', 'orderKey', 'weight', 'balance'])

const specsBefore = new WeakMap<object, { from: readonly unknown[]; stores: string; specs: readonly Spec[] }>()

const places = new WeakMap<object, Map<FormulaPosition['level'], FormulaPosition>>()
const nowhere = {}
/** Outside processes; one object for each place. */
function place(level: FormulaPosition['level'], entity: EntityPart | null): FormulaPosition {
  const owner = entity ?? nowhere
  let levels = places.get(owner)
  if (!levels) places.set(owner, (levels = new Map()))
  let standing = levels.get(level)
  if (!standing) levels.set(level, (standing = { level, entity, process: null, buffered: null }))
  return standing
}

function addSpecsInside(process: ProcessPart, standing: FormulaPosition, add: Add): void {
  const { entity } = process
  const here = (): FormulaPosition => standing
  for (const variable of process.temporaries) add(variable.element, entity, field => temporaryKey(variable, field), here)
  for (const flow of process.flows) add(flow.element, entity, field => flowKey(process, flow.id, field), here)
  for (const step of process.steps)
    add(
      step.element,
      entity,
      field => stepKey(step, field),
      field => stepStanding(step, field, standing),
    )
}

function addSpecs(
  specs: Spec[],
  element: Element,
  owner: EntityPart | null,
  key: (field: string) => string,
  standing: (field: string) => Spec['standing'],
  stores: ReadonlySet<string>,
): void {
  for (const written of writtenIn(element)) {
    const { field, text, context, expects, container } = written
    const goods = container !== null && stores.has(container)
    specs.push({
      key: key(field),
      lasting: `${owner ? owner.id : ''} ${element.id}/${field}`,
      id: element.id,
      field,
      text,
      context,
      // Of a store of items one says how many, or which.
      expects: goods ? undefined : expects,
      standing: standing(field),
    })
  }
}

/** A formula of an element as it is written. `container`: the one with goods that the amount may name. */
type Written = { field: string; text: string; context: FormulaContext; expects: Type | undefined; container: string | null }

const writtenBefore = new WeakMap<Element, readonly Written[]>()

/** The formulas of an element that are shown and not blank. */
export function writtenIn(element: Element): readonly Written[] {
  const known = writtenBefore.get(element)
  if (known) return known
  const written: Written[] = []
  const add = (path: string, text: string, { type }: Field, container: string | null): void => {
    if (text.trim() === '' || type.as !== 'formula') return
    const expects = type.result === undefined ? undefined : resultTypes[type.result]
    written.push({ field: path, text, context: type.context, expects, container })
  }
  for (const field of kindOf(element.kind)?.fields ?? []) {
    if (!shown(field, element.fields)) continue
    if (field.type.as === 'formula') add(field.id, textOf(element, field.id), field, null)
    else if (field.type.as === 'rows') {
      for (const [i, row] of rowsOf(element, field.id).entries()) {
        for (const column of field.type.columns) {
          if (column.type.as !== 'formula' || !shown(column, row)) continue
          const goods = element.kind === 'operate' && column.id === 'amount'
          const path = `${field.id}/${i}/${column.id}`
          add(path, cellText(row, column.id), column, goods ? formulaName(cellText(row, 'container').trim()) : null)
        }
        // A decision sets its variables like a program does.
        const name = element.kind === 'decide' && field.id === 'actions' ? formulaName(cellText(row, 'variable').trim()) : ''
        if (name !== '')
          written.push({
            field: `actions/${i}/variable`,
            text: `${name} = ${chosenAction.name}`,
            context: 'program',
            expects: undefined,
            container: null,
          })
      }
    }
  }
  writtenBefore.set(element, written)
  return written
}

function stepStanding(step: StepPart, field: string, actor: FormulaPosition): Spec['standing'] {
  const row = stepKinds.get(step.kind.id)
  if (step.kind.id === 'decide' && /^actions\/\d+\/variable$/.test(field)) return () => ({ ...actor, locals: [chosenAction], of: 'action' })
  if (field === 'correlation') return () => ({ ...actor, locals: payloadSymbols(step) })
  if (!row?.fromTarget?.includes(field)) return actor
  return known => targetStanding(known.type(stepKey(step, 'range')), actor, known)
}

const messageAtHand: Symbol = { name: 'message', kind: 'local', type: any, read: () => 'mail' }

/** Fields of the message at hand, as the names the author gave them. */
function payloadSymbols(step: StepPart) {
  const message = step.element.fields['message']
  if (typeof message !== 'string') return []
  return [messageAtHand]
}

/** The place of an entity chosen by a `range` formula of this type. */
function targetStanding(range: Type | undefined, actor: FormulaPosition, known: Known): FormulaPosition {
  const locals = actor.level === 'individual' && actor.entity ? [localSymbol('actor', entityOf(actor.entity.id, true), 'self')] : []
  const of = range && chosenPopulation(range)
  const entity = of ? (known.entity(of) ?? null) : null
  return { level: 'individual', entity, process: actor.process, buffered: actor.buffered, mixed: entity === null, locals }
}
