// The tests of a scenario as typed values, read from the elements of the model.
import type { Element, Id, Model } from '../../model-schema/model.ts'
import { cellText, rowsOf, textOf } from '../check/resolve.ts'

/** What a check asks of a run. Formulas are texts. */
export type Check =
  | { readonly what: 'always' | 'sometime' | 'end'; readonly condition: string; readonly share: number }
  | { readonly what: 'conserved'; readonly expression: string; readonly tolerance: number; readonly share: number }
  | { readonly what: 'between'; readonly expression: string; readonly low: string; readonly high: string; readonly share: number }
  | {
      readonly what: 'little'
      readonly expression: string
      readonly rate: string
      readonly stay: string
      readonly tolerance: number
      readonly share: number
    }
  | { readonly what: 'hash'; readonly hash: string; readonly share: number }

export type ModelTest = {
  readonly id: Id
  readonly name: string
  readonly scenario: Id
  readonly runs: number
  readonly seed: number
  /** Null: as long as the scenario says. */
  readonly ticks: number | null
  /** Times between which a run is looked at before its end. */
  readonly since: number
  readonly until: number
  readonly overrides: readonly { readonly variable: Id; readonly value: string }[]
  readonly checks: readonly Check[]
}

/** Most runs of one test. */
export const mostTestRuns = 10_000

export function testsOf(model: Model, scenario: Id): ModelTest[] {
  const home = model.elements.get(scenario)
  return (home?.children ?? []).flatMap(id => {
    const element = model.elements.get(id)
    return home && element?.kind === 'test' ? [testOf(element, home)] : []
  })
}

function testOf(element: Element, home: Element): ModelTest {
  const number = (field: string): number | null => {
    const value = element.fields[field]
    return typeof value === 'number' && Number.isFinite(value) ? value : null
  }
  const { seed } = home.fields
  return {
    id: element.id,
    name: textOf(element, 'name').trim() || element.id,
    scenario: home.id,
    runs: Math.min(mostTestRuns, Math.max(1, Math.floor(number('runs') ?? 1))),
    seed: number('seed') ?? (typeof seed === 'number' ? seed : 1),
    ticks: number('ticks'),
    since: number('since') ?? 0,
    until: number('until') ?? Infinity,
    overrides: rowsOf(element, 'overrides').map(row => ({ variable: cellText(row, 'variable'), value: cellText(row, 'value') })),
    checks: rowsOf(element, 'checks').map(checkOf),
  }
}

function checkOf(row: Parameters<typeof cellText>[0]): Check {
  const text = (column: string): string => cellText(row, column).trim()
  const number = (column: string, otherwise: number): number => {
    const value = row[column]
    return typeof value === 'number' && Number.isFinite(value) ? value : otherwise
  }
  const share = number('share', 100) / 100
  const expression = text('expression')
  switch (text('what')) {
    case 'sometime':
    case 'end':
      return { what: text('what') === 'end' ? 'end' : 'sometime', condition: text('condition'), share }
    case 'conserved':
      return { what: 'conserved', expression, tolerance: number('tolerance', 1e-9), share }
    case 'between':
      return { what: 'between', expression, low: text('low'), high: text('high'), share }
    case 'little':
      return { what: 'little', expression, rate: text('rate'), stay: text('stay'), tolerance: number('tolerance', 0.05), share }
    case 'hash':
      return { what: 'hash', hash: text('hash').toLowerCase(), share }
    default:
      return { what: 'always', condition: text('condition'), share }
  }
}

/** The formulas of a check, by the column they are written in. */
export function formulasOf(check: Check): { readonly column: string; readonly text: string }[] {
  const columns = ['condition', 'expression', 'low', 'high', 'rate', 'stay'] as const
  const written: Readonly<Record<string, unknown>> = check
  return columns.flatMap(column => {
    const text = written[column]
    return typeof text === 'string' && text !== '' ? [{ column, text }] : []
  })
}
