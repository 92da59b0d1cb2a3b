// The fields of a source, offered for the shelves.
import { keyField, timeField, type Plot } from '../../../model-schema/plot.ts'
import { formulaName } from '../../../model-schema/kinds.ts'
import type { Element, Id, Model } from '../../../model-schema/model.ts'
import { seriesOffered } from '../../dashboards/offers.ts'
import { textField } from '../../run/fields.ts'
import { parseLiteral } from '../../run/literal.ts'
import type { Data } from '../shelf/columns.ts'
import { fieldLabel, ofEach } from '../shelf/live.ts'

export type FieldGroup = 'time' | 'statistic' | 'population' | 'container' | 'variable' | 'individual' | 'columns' | 'own'

export type OfferedField = {
  readonly id: string
  readonly label: string
  readonly group: FieldGroup
  readonly is: 'number' | 'name' | 'date'
  /** A list or dictionary: it has no course, only latest values. */
  readonly many: boolean
}

type OfferWords = { time: string; key: string }

/** Fields of a model's scenario. */
export function modelFields(model: Model, scenario: Id, words: OfferWords): OfferedField[] {
  const one = (id: string, label: string, group: FieldGroup, is: OfferedField['is'] = 'number', many = false): OfferedField => ({
    id,
    label,
    group,
    is,
    many,
  })
  const children = (id: Id): Element[] => (model.elements.get(id)?.children ?? []).flatMap(child => model.elements.get(child) ?? [])
  const nameOf = (element: Element): string => formulaName(textField(element, 'name'))
  const many: OfferedField[] = []
  const individual: OfferedField[] = []
  const look = (element: Element, before: string): void => {
    const name = nameOf(element)
    const listed = ['histogram', 'list'].includes(textField(element, 'aggregate')) || textField(element, 'group') !== ''
    if (element.kind === 'statistic' && name !== '' && listed) many.push(one(before + name, before + name, 'statistic', 'number', true))
  }
  for (const element of children(scenario)) {
    look(element, '')
    const population = nameOf(element)
    if (element.kind !== 'agent' || population === '') continue
    for (const inner of children(element.id)) {
      if (inner.fields['owner'] === 'observer') look(inner, `${population}.`)
      const property = nameOf(inner)
      if (inner.kind !== 'variable' || property === '' || inner.fields['owner'] === 'observer') continue
      const value = parseLiteral(textField(inner, 'initial'))
      if (Array.isArray(value) || inner.fields['type'] === 'list' || inner.fields['type'] === 'dict' || inner.fields['type'] === 'set')
        continue
      const id = ofEach(population, property)
      individual.push(one(id, fieldLabel(id), 'individual', typeof value === 'string' ? 'name' : 'number', true))
    }
  }
  return [
    one(timeField, words.time, 'time'),
    one(keyField, words.key, 'time', 'name', true),
    ...seriesOffered(model, scenario).map(({ of, value }) => one(value, value, of)),
    ...many,
    ...individual,
  ]
}

/** Columns of results or of a table. */
export const dataFields = ({ columns }: Data): OfferedField[] =>
  columns.map(column => ({
    id: column.id,
    label: column.label,
    group: 'columns',
    is: column.is === 'name' ? 'name' : column.dates ? 'date' : 'number',
    many: false,
  }))

/** Fields of a chart that the source does not offer: written formulas, and deleted fields. */
export function ownFields(fields: readonly string[], offered: readonly OfferedField[]): OfferedField[] {
  return fields
    .filter(field => !offered.some(({ id }) => id === field))
    .map(id => ({ id, label: fieldLabel(id), group: 'own', is: 'number', many: false }))
}

/** What times are called. */
const ofTime = /^(year|time|date|day|week|month|quarter|hour|tick|t)\b|^(年|月|日|时间|日期|时刻)/i

/** The default fields of a new chart, by its source. */
export function firstFields(source: Plot['source'], offered: readonly OfferedField[]): { dimension: string; metrics: string[] } {
  if (source === 'model') {
    const single = offered.filter(({ many, id }) => !many && id !== timeField)
    const best = single[0]?.group
    const metrics = single.filter(({ group }) => group === best).slice(0, 4)
    return { dimension: metrics.length > 0 ? timeField : '', metrics: metrics.map(({ id }) => id) }
  }
  const own = offered.filter(({ id }) => !id.startsWith('@'))
  const numbers = own.filter(({ is }) => is === 'number')
  const x =
    own.find(({ is, label }) => is === 'date' || (is === 'number' && ofTime.test(label))) ??
    own.find(({ is }) => is === 'name') ??
    (numbers.length > 1 ? numbers[0] : undefined)
  const measured = numbers.filter(({ id }) => id !== x?.id)
  // Tables end with what was measured; results begin with it, after the decisions.
  const metric = source === 'table' ? measured.at(-1) : measured[0]
  return { dimension: x?.id ?? '', metrics: metric ? [metric.id] : [] }
}
