// Which formulas a model has, where each stands and which type it should give.
import type { Field, FormulaContext } from '../../model-schema/kinds/kind.ts'
import { formulaName, kindOf } from '../../model-schema/kinds.ts'
import type { Element } from '../../model-schema/model.ts'
import type { Type } from '../formula.ts'
import { any, bool, entityOf, number, text as textType } from '../formula/types.ts'
import { stepKinds } from '../steps/table.ts'
import type { EntityPart, Parts, ProcessPart, StepPart } from './parts.ts'
import { chosenPopulation, flowKey, keyOf, stepKey, temporaryKey } from './keys.ts'
import { cellText, rowsOf, shown, textOf } from './resolve.ts'
import { localSymbol } from './scopes.ts'
import type { Standing } from './scopes.ts'

/** A formula before it is inferred. */
export type Spec = {
  key: string
  id: string
  field: string
  text: string
  context: FormulaContext
  expects?: Type
  standing: (known: Known) => Standing
}

/** What is known while types are being found. */
export type Known = { type(key: string): Type | undefined; entity(id: string): EntityPart | undefined }

const globally: Standing = { level: 'global', entity: null, process: null, buffered: null }
const always = (standing: Standing) => () => standing

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
    kindFields: readonly Field[],
    key: (field: string) => string,
    standing: (field: string) => Spec['standing'],
  ): void => {
    for (const field of kindFields) {
      if (!shown(field, element.fields)) continue
      if (field.type.as === 'formula')
        addSpec(specs, key(field.id), element.id, field.id, textOf(element, field.id), field, standing(field.id))
      else if (field.type.as === 'rows') {
        for (const [i, row] of rowsOf(element, field.id).entries()) {
          for (const column of field.type.columns) {
            if (column.type.as !== 'formula' || !shown(column, row)) continue
            const path = `${field.id}/${i}/${column.id}`
            const goods = element.kind === 'operate' && column.id === 'amount' && stores.has(formulaName(cellText(row, 'container').trim()))
            addSpec(specs, key(path), element.id, path, cellText(row, column.id), goods ? goodsOf(column) : column, standing(path))
          }
        }
      }
    }
  }
  const byParts = (
    element: Element,
    part: { id: string; entity: EntityPart | null },
    standing: (field: string) => Spec['standing'],
  ): void => {
    fields(element, kindFields(element), field => keyOf(part, field), standing)
  }
  const global = (element: Element): void => byParts(element, { id: element.id, entity: null }, () => always(globally))

  global(parts.scenario)
  for (const space of parts.spaces) global(space.element)
  for (const entity of parts.entities) {
    const individual: Standing = { level: 'individual', entity, process: null, buffered: null }
    const fromInside = new Set(['position', 'orderKey', 'weight'])
    byParts(entity.element, { id: entity.id, entity: null }, field => always(fromInside.has(field) ? individual : globally))
  }
  for (const variable of [...parts.shared, ...parts.entities.flatMap(entity => entity.variables)]) {
    const level = variable.level === 'token' ? 'global' : variable.level
    byParts(variable.element, variable, () => always({ level, entity: variable.entity, process: null, buffered: null }))
  }
  for (const container of parts.containers)
    byParts(container.element, container, () => always({ level: container.level, entity: container.entity, process: null, buffered: null }))
  for (const fn of parts.functions) {
    byParts(fn.element, fn, field => () => ({
      level: fn.level,
      entity: fn.entity,
      process: null,
      buffered: fn.level === 'individual' && fn.entity?.order === 'simultaneous' ? fn.entity : null,
      locals:
        field === 'body'
          ? fn.parameters.map((parameter, i) => ({
              name: parameter.name,
              kind: 'parameter' as const,
              type: parameter.type,
              read: () => `a${i}`,
            }))
          : [],
    }))
  }
  for (const process of parts.processes) {
    const standing = standingOf(process)
    if (!process.holder)
      fields(
        process.element,
        kindFields(process.element),
        field => `q${process.index}/${field}`,
        () => always({ ...standing, process: null }),
      )
    for (const variable of process.temporaries)
      fields(
        variable.element,
        kindFields(variable.element),
        field => temporaryKey(variable, field),
        () => always(standing),
      )
    for (const flow of process.flows)
      fields(
        flow.element,
        kindFields(flow.element),
        field => flowKey(process, flow.id, field),
        () => always(standing),
      )
    for (const step of process.steps)
      fields(
        step.element,
        step.kind.fields,
        field => stepKey(step, field),
        field => stepStanding(step, field, standing),
      )
  }
  for (const statistic of parts.statistics) {
    const owner: Standing = { level: statistic.level, entity: statistic.entity, process: null, buffered: null }
    const each: Standing = statistic.over ? { level: 'individual', entity: statistic.over, process: null, buffered: null } : owner
    fields(
      statistic.element,
      kindFields(statistic.element),
      field => `t${statistic.index}/${field}`,
      field => always(field === 'interval' ? owner : each),
    )
  }
  for (const element of [...parts.charts, ...parts.controllers]) global(element)
  return specs
}

/** Of a store of items one says how many, or which. */
const goodsOf = (column: Field): Field => ({ ...column, type: { as: 'formula', context: 'expression' } })

const kindFields = (element: Element): readonly Field[] => kindOf(element.kind)?.fields ?? []

function addSpec(specs: Spec[], key: string, id: string, field: string, text: string, row: Field, standing: Spec['standing']): void {
  if (text.trim() === '' || row.type.as !== 'formula') return
  const expects = row.type.result === undefined ? undefined : resultTypes[row.type.result]
  specs.push(
    expects
      ? { key, id, field, text, context: row.type.context, expects, standing }
      : { key, id, field, text, context: row.type.context, standing },
  )
}

function stepStanding(step: StepPart, field: string, actor: Standing): Spec['standing'] {
  const row = stepKinds.get(step.kind.id)
  if (field === 'correlation') return () => ({ ...actor, locals: payloadSymbols(step) })
  if (!row?.fromTarget?.includes(field)) return always(actor)
  return known => targetStanding(known.type(stepKey(step, 'range')), actor, known)
}

/** Fields of the message at hand, as the names the author gave them. */
function payloadSymbols(step: StepPart) {
  const message = step.element.fields['message']
  if (typeof message !== 'string') return []
  return [{ name: 'message', kind: 'local' as const, type: any, read: () => 'mail' }]
}

/** The place of an entity chosen by a `range` formula of this type. */
export function targetStanding(range: Type | undefined, actor: Standing, known: Known): Standing {
  const locals = actor.level === 'individual' && actor.entity ? [localSymbol('actor', entityOf(actor.entity.id, true), 'self')] : []
  const of = range && chosenPopulation(range)
  const entity = of ? (known.entity(of) ?? null) : null
  return { level: 'individual', entity, process: actor.process, buffered: actor.buffered, mixed: entity === null, locals }
}
