// An exploration of one input, planned from what the model shows already: ten values over the range of its control, and what its charts draw is
// what is recorded. Pure.
import type { HoloElement } from '../../model-schema/file.ts'
import { formulaName } from '../../model-schema/kinds.ts'
import type { Element, Id, Model } from '../../model-schema/model.ts'
import { rangeOf } from '../panels/bind.ts'
import { measuresFor } from '../panels/measures/measures.ts'
import { parseLiteral } from '../run/literal.ts'

const levels = 10
/** Runs of each value: enough for an interval of their mean. */
const replications = 10
const maxResponses = 6

/** The elements below the experiment `parent`, and the fields of the experiment itself. */
export function explorationOf(model: Model, variable: Element, parent: Id) {
  const decision = {
    kind: 'decision',
    parent,
    rank: 'a0',
    variable: formulaName(String(variable.fields['name'] ?? '')),
    ...rangeFor(model, variable),
  }
  const responses = responsesOf(model, variable.parent ?? '').map((one, i) => [
    `response${i + 1}`,
    { kind: 'response', parent, rank: `a${i + 1}`, ...one },
  ])
  const elements: Record<string, HoloElement> = { decision1: decision, ...Object.fromEntries(responses) }
  return { fields: { type: 'exploration', design: 'factorial', levels, replications }, elements }
}

/** The variable of the scenario with this name in formulas. */
export const variableCalled = (model: Model, scenario: Id, name: string): Element | undefined =>
  (model.elements.get(scenario)?.children ?? [])
    .flatMap(id => model.elements.get(id) ?? [])
    .find(({ kind, fields }) => kind === 'variable' && formulaName(String(fields['name'] ?? '')) === name)

/** From the control that sets it, else from its own bounds and value. */
export function rangeFor(model: Model, variable: Element): { min: number; max: number } {
  for (const { kind, fields } of model.elements.values()) {
    const { target, min, max } = fields
    if (kind === 'controller' && target === variable.id && typeof min === 'number' && typeof max === 'number' && max > min)
      return { min, max }
  }
  const { initial } = variable.fields
  const value = typeof initial === 'string' ? parseLiteral(initial) : undefined
  const { min, max } = rangeOf(typeof value === 'number' ? value : 0, variable.fields['min'], variable.fields['max'])
  return { min, max }
}

type Response = { name: string; expression: string }

/** The measures of charts as numbers first, then their lines; without charts, all available measures. */
function responsesOf(model: Model, scenario: Id): readonly Response[] {
  const charts = (model.elements.get(scenario)?.children ?? [])
    .flatMap(id => model.elements.get(id) ?? [])
    .filter(({ kind, fields }) => kind === 'chart' && ['line', 'area', 'bar', 'value'].includes(String(fields['type'])))
    .toSorted((a, b) => Number(b.fields['type'] === 'value') - Number(a.fields['type'] === 'value'))
  const drawn = charts.flatMap(({ fields: { series } }) => (Array.isArray(series) ? series : [])).flatMap(responseOf)
  const known = drawn.length > 0 ? drawn : measured(model, scenario)
  return [...new Map(known.map(one => [one.expression, one])).values()].slice(0, maxResponses)
}

function responseOf(row: unknown): Response[] {
  if (typeof row !== 'object' || row === null || !('value' in row) || typeof row.value !== 'string' || row.value.trim() === '') return []
  const label = 'label' in row && typeof row.label === 'string' ? row.label.trim() : ''
  return [{ name: label || row.value.trim(), expression: row.value.trim() }]
}

const measured = (model: Model, scenario: Id): Response[] =>
  measuresFor(model, scenario)
    .filter(({ element }) => element.kind !== 'variable' && element.id !== scenario)
    .flatMap(({ measures }) => measures.slice(0, 1).map(({ formula }) => ({ name: formula, expression: formula })))
