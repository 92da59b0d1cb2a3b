// A test made ready to run: the model with the test's values, and a statistic for each of its formulas.
import type { Id, Model } from '../../model-schema/model.ts'
import { elementOf, overlay } from '../../model-schema/overlay.ts'
import { check } from '../check.ts'
import type { CheckedModel } from '../check.ts'
import { rowsOf } from '../check/resolve.ts'
import type { Problem } from '../problems.ts'
import { formulasOf, type ModelTest } from './read.ts'

export type PreparedTest = {
  readonly test: ModelTest
  readonly checked: CheckedModel
  /** The statistic of each formula, by check and column. */
  readonly statistics: readonly Readonly<Record<string, Id>>[]
  /** The model without these statistics, for hashes; null where no check compares one. */
  readonly plain: CheckedModel | null
}

/** Ids of the test's statistics: no model can have them, as a colon is in no id. */
const statisticId = (check: number, column: string): Id => `test:${check}:${column}`

/** What keeps the test from being run, or the test. */
export function prepareTest(model: Model, test: ModelTest): PreparedTest | readonly Problem[] {
  const given = withOverrides(model, test)
  const statistics = test.checks.map((one, i) =>
    Object.fromEntries(formulasOf(one).map(({ column }) => [column, statisticId(i, column)] as const)),
  )
  const added = test.checks.flatMap((one, i) =>
    formulasOf(one).map(({ column, text }) =>
      elementOf('statistic', statisticId(i, column), test.scenario, {
        name: `test_${i + 1}_${column}`,
        expression: column === 'condition' ? `bool(\n${text}\n)` : text,
        aggregate: 'last',
        sample: 'end',
      }),
    ),
  )
  const plain = check(given, test.scenario)
  // Errors of the test itself are reported at its own fields.
  const own = plain.problems.filter(({ at }) => at.id === test.id)
  if (!plain.ok || own.length > 0) return own.length > 0 ? own : plain.problems.filter(({ severity }) => severity === 'error')
  const checked = added.length === 0 ? plain : check(overlay(given, test.scenario, added), test.scenario)
  if (!checked.ok)
    return checked.problems.filter(({ severity }) => severity === 'error').map(one => ({ ...one, at: ownPlace(test, one.at) }))
  return {
    test,
    checked: checked.checked,
    statistics,
    plain: test.checks.some(({ what }) => what === 'hash') ? plain.checked : null,
  }
}

/** The field of the test that a problem of one of its statistics is about. */
function ownPlace(test: ModelTest, at: Problem['at']): Problem['at'] {
  const [, index, column] = at.id.split(':')
  return at.id.startsWith('test:') ? { id: test.id, field: `checks/${index}/${column}` } : at
}

/** The scenario with the test's values in place of its own. */
function withOverrides(model: Model, test: ModelTest): Model {
  const home = model.elements.get(test.scenario)
  if (!home || test.overrides.length === 0) return model
  const replaced = new Set(test.overrides.map(({ variable }) => variable))
  const kept = rowsOf(home, 'overrides').filter(row => !replaced.has(String(row['variable'])))
  const elements = new Map(model.elements)
  elements.set(home.id, { ...home, fields: { ...home.fields, overrides: [...kept, ...test.overrides.map(one => ({ ...one }))] } })
  return { ...model, elements }
}
