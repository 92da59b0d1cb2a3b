// Which formulas a model has, where each stands and which type it should give.
import type { Field, FormulaContext } from '../../model-schema/kinds/kind.ts'
import { formulaName, kindOf } from '../../model-schema/kinds.ts'
import type { Element } from '../../model-schema/model.ts'
import type { Symbol, Type } from '../formula.ts'
import { any, bool, entityOf, number, text as textType } from '../formula/types.ts'
import { stepKinds } from '../steps/table.ts'
import type { ContainerPart, EntityPart, FunctionPart, Parts, ProcessPart, StepPart, VariablePart } from './parts.ts'
import { chosenPopulation, flowKey, keyOf, stepKey, temporaryKey } from './keys.ts'
import { cellText, rowsOf, shown, textOf } from './resolve.ts'
import { localSymbol } from './builtins.ts'
import type { Standing } from './scopes.ts'

/** A formula before it is inferred. */
export type Spec = {
  key: string
  /** Tells the same formula in different populations apart; stays through edits, as `key` does not. */
  lasting: string
  id: string
  field: string
  text: string
  context: FormulaContext
  expects: Type | undefined
  /** Where it stands: known at once, or by the types of other formulas. */
  standing: Standing | ((known: Known) => Standing)
}

/** What is known while types are being found. */
export type Known = {
  type(key: string): Type | undefined
  entity(id: string): EntityPart | undefined
  parameter(fn: FunctionPart, i: number): Symbol
}

const globally: Standing = { level: 'global', entity: null, process: null, buffered: null }

/** The population whose update a process belongs to, when that update is simultaneous. */
export function bufferedBy(process: ProcessPart): EntityPart | null {
  return process.level === 'individual' && process.entity?.order === 'simultaneous' ? process.entity : null
}

export const standingOf = (process: ProcessPart): Standing => ({
  level: process.level,
  entity: process.entity,
  process,
  buffered: bufferedBy(process),
})

const resultTypes: Readonly<Record<string, Type>> = { number, boolean: bool, text: textType }

/** All formulas that are shown and not blank. Blank ones that must not be are the rules' business. */
export function specsOf(parts: Parts): Spec[] {
  const specs: Spec[] = []
  const stores = new Set(parts.containers.filter(one => one.element.fields['contents'] === 'items').map(one => one.name))
  const fields = (
    element: Element,
    owner: EntityPart | null,
    key: (field: string) => string,
    standing: (field: string) => Spec['standing'],
  ): void => addSpecs(specs, element, owner, key, standing, stores)
  const byParts = (
    element: Element,
    part: { id: string; entity: EntityPart | null },
    standing: (field: string) => Spec['standing'],
  ): void => {
    fields(element, part.entity, field => keyOf(part, field), standing)
  }
  const global = (element: Element): void => byParts(element, { id: element.id, entity: null }, () => globally)

  /** The same formulas as before where nothing they are made from is another. */
  const ofPart = (part: VariablePart | ContainerPart, standing: Standing): void => {
    const { element } = part
    let known = ofParts.get(part)
    if (known?.element !== element || known.standing !== standing) {
      known = { element, standing, specs: [] }
      ofParts.set(part, known)
      addSpecs(
        known.specs,
        element,
        part.entity,
        field => keyOf(part, field),
        () => standing,
        stores,
      )
    }
    for (const spec of known.specs) specs.push(spec)
  }

  global(parts.scenario)
  for (const space of parts.spaces) global(space.element)
  for (const entity of parts.entities) {
    const individual = place('individual', entity)
    const fromInside = new Set(['position', 'orderKey', 'weight'])
    byParts(entity.element, { id: entity.id, entity: null }, field => (fromInside.has(field) ? individual : globally))
  }
  for (const variable of [...parts.shared, ...parts.entities.flatMap(entity => entity.variables)]) {
    const level = variable.level === 'token' ? 'global' : variable.level
    ofPart(variable, place(level, variable.entity))
  }
  for (const container of parts.containers) ofPart(container, place(container.level, container.entity))
  for (const fn of parts.functions) {
    byParts(fn.element, fn, field => known => ({
      level: fn.level,
      entity: fn.entity,
      process: null,
      buffered: fn.level === 'individual' && fn.entity?.order === 'simultaneous' ? fn.entity : null,
      locals: field === 'body' ? fn.parameters.map((_, i) => known.parameter(fn, i)) : [],
      of: fn.id,
    }))
  }
  for (const process of parts.processes) {
    const standing = standingOf(process)
    const outside: Standing = { ...standing, process: null }
    if (!process.holder)
      fields(
        process.element,
        process.entity,
        field => `q${process.index}/${field}`,
        () => outside,
      )
    specs.push(...specsInside(process, standing, stores))
  }
  for (const statistic of parts.statistics) {
    const owner = place(statistic.level, statistic.entity)
    const each = statistic.over ? place('individual', statistic.over) : owner
    fields(
      statistic.element,
      null,
      field => `t${statistic.index}/${field}`,
      field => (field === 'interval' ? owner : each),
    )
  }
  for (const element of [...parts.charts, ...parts.controllers]) global(element)
  return specs
}

const ofParts = new WeakMap<VariablePart | ContainerPart, { element: Element; standing: Standing; specs: Spec[] }>()

const places = new WeakMap<object, Map<Standing['level'], Standing>>()
const nowhere = {}
/** Outside processes; one object for each place. */
function place(level: Standing['level'], entity: EntityPart | null): Standing {
  const owner = entity ?? nowhere
  let levels = places.get(owner)
  if (!levels) places.set(owner, (levels = new Map()))
  let standing = levels.get(level)
  if (!standing) levels.set(level, (standing = { level, entity, process: null, buffered: null }))
  return standing
}

const insideBefore = new WeakMap<ProcessPart, { reading: object; buffered: EntityPart | null; stores: string; specs: Spec[] }>()

/** The formulas inside a process; the same objects as long as nothing in it is another. */
function specsInside(process: ProcessPart, standing: Standing, stores: ReadonlySet<string>): Spec[] {
  const { reading } = process
  const { buffered } = standing
  const goods = [...stores].join(' ')
  const before = insideBefore.get(process)
  if (before?.reading === reading && before.buffered === buffered && before.stores === goods) return before.specs
  const specs: Spec[] = []
  const add = (element: Element, key: (field: string) => string, at: (field: string) => Spec['standing']): void =>
    addSpecs(specs, element, process.entity, key, at, stores)
  const here = (): Standing => standing
  for (const variable of process.temporaries) add(variable.element, field => temporaryKey(variable, field), here)
  for (const flow of process.flows) add(flow.element, field => flowKey(process, flow.id, field), here)
  for (const step of process.steps)
    add(
      step.element,
      field => stepKey(step, field),
      field => stepStanding(step, field, standing),
    )
  insideBefore.set(process, { reading, buffered, stores: goods, specs })
  return specs
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

/** A formula of an element as it is written. `container`: whose goods the amount may name. */
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
      }
    }
  }
  writtenBefore.set(element, written)
  return written
}

function stepStanding(step: StepPart, field: string, actor: Standing): Spec['standing'] {
  const row = stepKinds.get(step.kind.id)
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
export function targetStanding(range: Type | undefined, actor: Standing, known: Known): Standing {
  const locals = actor.level === 'individual' && actor.entity ? [localSymbol('actor', entityOf(actor.entity.id, true), 'self')] : []
  const of = range && chosenPopulation(range)
  const entity = of ? (known.entity(of) ?? null) : null
  return { level: 'individual', entity, process: actor.process, buffered: actor.buffered, mixed: entity === null, locals }
}
