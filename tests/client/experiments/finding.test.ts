// The sentence that results begin with: what was found, in plain words, of each type of experiment.
import { expect, it } from 'vitest'
import { findingOf, type Writing } from '../../../client/experiments/results/finding.ts'
import { english } from '../../../model-schema/words.ts'
import { conducted, functionModel, prepared } from '../../help/experiments.ts'

const writing: Writing = { number: String, value: String }

async function said(...parts: Parameters<typeof prepared>): Promise<[string, string] | null> {
  const made = prepared(...parts)
  const finding = findingOf(made, await conducted(made), writing)
  return finding && [english(finding.title), finding.more.map(one => english(one)).join(' ')]
}

const two = functionModel({ x: 1, y: 1 })

it('an optimisation says which decisions are best and what they bring, as small or as large as was asked for', async () => {
  const of = (direction: string) =>
    said(
      functionModel({ x: 1 }),
      { type: 'optimization', maxRuns: 40, seed: 1 },
      {
        x: { kind: 'decision', variable: 'x', domain: 'discrete', min: 0, max: 4, step: 1 },
        o: { kind: 'objective', name: 'Cost', expression: '(x - 3) ** 2 + 5', direction },
      },
    )
  const [least, effort] = (await of('min'))!
  expect(least).toBe('Cost is lowest, 5, with x = 3.')
  expect(effort).toMatch(/^\d+ points tried in \d+ runs\.$/)
  expect((await of('max'))?.[0]).toBe('Cost is highest, 14, with x = 0.')
})

it('with several aims it says how many choices no other beats, and from where to where they go', async () => {
  const [title] = (await said(
    functionModel({ x: 1 }),
    { type: 'optimization', maxRuns: 60, seed: 1 },
    {
      x: { kind: 'decision', variable: 'x', domain: 'discrete', min: 0, max: 3, step: 1 },
      a: { kind: 'objective', name: 'Cost', expression: 'x', direction: 'min' },
      b: { kind: 'objective', name: 'Wait', expression: '10 - x', direction: 'min' },
    },
  ))!
  expect(title).toBe('4 choices are beaten by no other: Cost from 0 to 3, Wait from 7 to 10.')
})

it('an exploration says where the first response is lowest and highest; nothing is said of nothing', async () => {
  const parts = { x: { kind: 'decision', variable: 'x', min: 0, max: 9 }, r: { kind: 'response', name: 'Wait', expression: 'x * x' } }
  expect((await said(functionModel({ x: 1 }), { type: 'exploration', design: 'table', table: 'x\n2\n0\n3' }, parts))?.[0]).toBe(
    'Wait goes from 0, with x = 0, to 9, with x = 3.',
  )
  const failing = { ...parts, r: { kind: 'response', name: 'Wait', expression: '1 / (x - x)' } }
  expect(await said(functionModel({ x: 1 }), { type: 'exploration', design: 'table', table: 'x\n2' }, failing)).toBeNull()
})

it('a Monte Carlo says the mean and how sure it is; of alternatives the one that differs most by more than chance', async () => {
  const response = { r: { kind: 'response', name: 'Wait', expression: 'uniform(0, 1) + x' } }
  const [title, more] = (await said(functionModel({ x: 1 }), { type: 'monteCarlo', replications: 20, seed: 3 }, response))!
  expect(title).toMatch(/^Wait is 1\.\d+ on average\.$/)
  expect(more).toMatch(/^Between 1\.\d+ and 1\.\d+ with 95% confidence\. 20 runs with different random numbers\.$/)
  const alternative = (name: string, value: string) => ({ kind: 'alternative', name, values: [{ variable: 'x', value }] })
  const compared = await said(
    functionModel({ x: 1 }),
    { type: 'monteCarlo', replications: 20, seed: 3 },
    { now: alternative('Now', '1'), more: alternative('More staff', '0.5'), other: alternative('Less', '1'), ...response },
  )
  expect(compared?.[0]).toBe('Wait is 0.5 lower with More staff than with Now.')
})

it('a screening says which variable matters most', async () => {
  const [title] = (await said(
    two,
    { type: 'exploration', design: 'morris', paths: 4, levels: 4, seed: 1 },
    {
      x: { kind: 'decision', variable: 'x', min: 0, max: 1 },
      y: { kind: 'decision', variable: 'y', min: 0, max: 1 },
      r: { kind: 'response', name: 'Wait', expression: 'x + 10 * y' },
    },
  ))!
  expect(title).toBe('y matters most for Wait.')
})
