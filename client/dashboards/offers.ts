// What a model has to show and to be controlled by: the series a chart may draw, the variables a control may set, and cards with good beginnings.
import { formulaName } from '../../model-schema/kinds.ts'
import type { Json } from '../../model-schema/kinds/kind.ts'
import type { Element, Id, Model } from '../../model-schema/model.ts'
import { parseLiteral } from '../run/literal.ts'
import { textField } from '../run/fields.ts'
import { listNow } from '../i18n/list.ts'

/** A value to draw, as a formula. */
type Offered = { readonly of: 'statistic' | 'variable' | 'container' | 'population'; readonly label: string; readonly value: string }

export type Fields = Readonly<Record<string, Json>>

/** Aggregates that are one number each. */
const manyValued: ReadonlySet<string> = new Set(['histogram', 'list'])
/** Most series of a new chart: more are hard to distinguish. */
const mostSeries = 4

const inside = (model: Model, id: Id): Element[] =>
  (model.elements.get(id)?.children ?? []).flatMap(child => model.elements.get(child) ?? [])
const nameOf = (element: Element): string => formulaName(textField(element, 'name'))
const isNumber = (element: Element): boolean =>
  element.fields['type'] !== 'list' &&
  element.fields['type'] !== 'dict' &&
  element.fields['type'] !== 'set' &&
  typeof parseLiteral(textField(element, 'initial')) === 'number'

/** Numbers of a scenario that a line can show, those made to be looked at first. */
export function seriesOffered(model: Model, scenario: Id): Offered[] {
  const found: Record<Offered['of'], Offered[]> = { statistic: [], variable: [], container: [], population: [] }
  const add = (of: Offered['of'], label: string, value = label): void => void found[of].push({ of, label, value })
  const look = (element: Element, before: string): void => {
    const name = nameOf(element)
    if (name === '') return
    const path = before === '' ? name : `${before}.${name}`
    if (element.kind === 'statistic' && !manyValued.has(textField(element, 'aggregate')) && textField(element, 'group') === '')
      add('statistic', path)
    if (element.kind === 'variable' && isNumber(element)) add('variable', path)
    if (element.kind === 'container') add('container', path, `${path}.level`)
    if (element.kind === 'agent') add('population', path, `${path}.count`)
  }
  for (const element of inside(model, scenario)) {
    look(element, '')
    if (element.kind !== 'agent' && element.kind !== 'cell' && element.kind !== 'link') continue
    // Of what is inside, only an observer's can be named from outside.
    for (const inner of inside(model, element.id)) if (inner.fields['owner'] === 'observer') look(inner, nameOf(element))
  }
  return [...found.statistic, ...found.population, ...found.container, ...found.variable]
}

/** The default fields of a new chart: the main outputs of a model. */
export function firstChart(model: Model, scenario: Id, type: string): Fields {
  const offered = seriesOffered(model, scenario)
  const best = offered[0]?.of
  const chosen = offered.filter(({ of }) => of === best).slice(0, type === 'histogram' || type === 'heat' ? 1 : mostSeries)
  const name = listNow(chosen.map(({ label }) => label))
  return { type, name: name.length <= 48 ? name : '', series: chosen.map(({ label, value }) => ({ label, value, color: '' })) }
}

/** A public variable that a control can set. */
type PublicVariable = { readonly id: Id; readonly name: string; readonly initial: string }

export function publicVariables(model: Model, scenario: Id): PublicVariable[] {
  const found: PublicVariable[] = []
  const look = (element: Element, before: string): void => {
    if (element.kind !== 'variable' || element.fields['public'] !== true) return
    found.push({ id: element.id, name: before + textField(element, 'name'), initial: textField(element, 'initial').trim() })
  }
  for (const element of inside(model, scenario)) {
    look(element, '')
    for (const inner of inside(model, element.id)) if (inner.fields['owner'] === 'observer') look(inner, `${textField(element, 'name')}.`)
  }
  return found
}

/** The type of control that fits a variable that begins with this. */
export function controlFor(initial: string): string {
  const value = parseLiteral(initial)
  if (typeof value === 'boolean') return 'switch'
  if (typeof value === 'string') return 'text'
  return typeof value === 'number' ? 'slider' : 'number'
}

const fits: Readonly<Record<string, (value: ReturnType<typeof parseLiteral>) => boolean>> = {
  slider: value => typeof value === 'number',
  number: value => typeof value === 'number',
  switch: value => typeof value === 'boolean',
  text: value => typeof value === 'string',
  longText: value => typeof value === 'string',
  select: value => value !== undefined,
}

/** Fields of a new control: of the first variable of its sort that none of `taken` sets yet, with a range around what it begins with. */
export function firstControl(model: Model, scenario: Id, type: string, taken: readonly Element[]): Fields {
  if (type === 'button') {
    const isPassive = (start: Element): boolean =>
      start.kind === 'start' && start.fields['trigger'] === 'none' && start.fields['active'] === false
    const process = inside(model, scenario).find(({ id, kind }) => kind === 'process' && inside(model, id).some(isPassive))
    return process ? { type, process: process.id, name: textField(process, 'name') } : { type }
  }
  const set = new Set(taken.map(({ fields }) => fields['target']))
  const able = publicVariables(model, scenario).filter(({ initial }) => fits[type]?.(parseLiteral(initial)) ?? true)
  const variable = able.find(({ id }) => !set.has(id)) ?? able[0]
  return variable ? { type, target: variable.id, ...rangeOf(type, variable.initial) } : { type }
}

/** A range a person would choose: from nothing to twice the value, in round steps; a share from 0 to 1. */
export function rangeOf(type: string, initial: string): Fields {
  const value = parseLiteral(initial)
  if (type === 'select') return { options: [{ label: initial, value: initial }] }
  if ((type !== 'slider' && type !== 'number') || typeof value !== 'number') return {}
  if (value >= 0 && value <= 1 && !Number.isInteger(value)) return { min: 0, max: 1, step: 0.01 }
  const size = Math.max(1, Math.abs(value))
  const power = 10 ** Math.floor(Math.log10(size))
  const top = Math.ceil((2 * size) / power) * power
  const step = Number.isInteger(value) ? Math.max(1, power / 10) : power / 100
  return { min: value < 0 ? -top : 0, max: top < 10 ? 10 : top, step }
}

const cardKinds: ReadonlySet<string> = new Set(['chart', 'worldView', 'networkChart', 'controller'])

/** The views, charts and controls on the model's own canvas. */
export const ownCards = (model: Model, scenario: Id): Element[] => inside(model, scenario).filter(({ kind }) => cardKinds.has(kind))
