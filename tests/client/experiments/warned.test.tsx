// The figures of an experiment are shown with the reasons why they say less than they seem to.
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { Warned } from '../../../client/experiments/results/Warned.tsx'
import { conducted, functionModel, prepared } from '../../help/experiments.ts'

it('experiment results: failed runs are said to bias what is told of the others; without them nothing is said', async () => {
  const of = (expression: string) =>
    prepared(
      functionModel({ x: 1 }),
      { type: 'exploration', design: 'table', table: 'x\n0\n1\n2' },
      { a: { kind: 'decision', variable: 'x', min: 0, max: 9 }, r: { kind: 'response', expression } },
    )
  const shown = async (expression: string) => {
    const made = of(expression)
    return renderToStaticMarkup(<Warned shown={{ prepared: made, results: await conducted(made), columns: [], version: 0 }} />)
  }
  expect(await shown('1 / x')).toContain('<li>1 of 3 runs failed and are in no mean or interval')
  expect(await shown('x')).toBe('')
})
