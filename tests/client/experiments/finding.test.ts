// The sentence that results begin with: what was found, in plain words, of each type of experiment.
import { expect, it } from 'vitest'
import { findingOf, type Writing } from '../../../client/experiments/results/finding.ts'
import { english } from '../../../model-schema/words.ts'
import { conducted, functionModel, prepared } from '../../help/experiments.ts'
import { learnedFinding, type Learned } from '../../../client/experiments/training/learned.ts'

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

it('an exploration says where a response is lowest and highest; nothing is said of nothing', async () => {
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

const measured = (name: string, expression: string) => ({ kind: 'response', name, expression })

it('an exploration begins with the response that moves most beyond chance, whichever comes first', async () => {
  const [title, more] = (await said(
    functionModel({ x: 1 }),
    { type: 'exploration', design: 'table', table: 'x\n0\n10', replications: 5, seed: 1 },
    {
      x: { kind: 'decision', variable: 'x', min: 0, max: 10 },
      n: measured('Noise', 'uniform(0, 1)'),
      w: measured('Wait', 'x + uniform(0, 1)'),
    },
  ))!
  expect(title).toMatch(/^Wait goes from \d.*, with x = 0, to 1\d.*, with x = 10\.$/)
  expect(more).toMatch(/^Besides: Noise from 0\.\d+ to 0\.\d+\. 2 points tried in 10 runs\.$/)
})

it('a Monte Carlo of several responses tells all of them; of alternatives the surest difference first, and what does not differ', async () => {
  const responses = { a: measured('Chance', 'uniform(0, 1)'), b: measured('Wait', 'uniform(0, 1) + x'), c: measured('Cost', '7 * x') }
  const [title] = (await said(functionModel({ x: 1 }), { type: 'monteCarlo', replications: 20, seed: 3 }, responses))!
  expect(title).toMatch(/^On average Chance is 0\.\d+ \(0\.\d+ to 0\.\d+\), Wait is 1\.\d+ \(1\.\d+ to 1\.\d+\), Cost is 7\.$/)
  const alternative = (name: string, value: string) => ({ kind: 'alternative', name, values: [{ variable: 'x', value }] })
  const [first, more] = (await said(
    functionModel({ x: 1 }),
    { type: 'monteCarlo', replications: 20, seed: 3 },
    { now: alternative('Now', '1'), less: alternative('Less', '0.5'), ...responses },
  ))!
  expect(first).toBe('Wait is 0.5 lower with Less than with Now.')
  expect(more).toContain('Cost is 3.5 lower with Less than with Now.')
  expect(more).toContain('No alternative differs from Now in Chance by more than chance.')
})

it('a screening of several responses says of each which variable matters most', async () => {
  const [title, more] = (await said(
    functionModel({ x: 1, y: 1 }),
    { type: 'exploration', design: 'morris', paths: 4, levels: 4, seed: 1 },
    {
      x: { kind: 'decision', variable: 'x', min: 0, max: 1 },
      y: { kind: 'decision', variable: 'y', min: 0, max: 1 },
      r: measured('Wait', 'x + 10 * y'),
      s: measured('Cost', '4 * x + y'),
      q: measured('Queue', '3 * y'),
    },
  ))!
  expect(title).toBe('y matters most for Wait, Queue, x matters most for Cost.')
  expect(more).toMatch(/^For Wait 10 times as much as x, which comes next\./)
})

it('an approximate Bayesian calibration says what the data speaks for, with ranges, and of what it says little', async () => {
  const [title, more] = (await said(
    functionModel({ x: 1, y: 1 }),
    { type: 'calibration', fit: 'abc', maxRuns: 400, accepted: 0.1, seed: 1 },
    {
      x: { kind: 'decision', variable: 'x', min: 0, max: 10 },
      y: { kind: 'decision', variable: 'y', min: 0, max: 10 },
      s: { kind: 'dataSeries', name: 'Wait', expression: 'x', data: [{ at: 0, value: 4 }] },
    },
  ))!
  expect(title).toMatch(/^The data fits best with x = [34]\.?\d* \(3\.\d+ to 4\.\d+\)\.$/)
  expect(more).toMatch(/^It says little about y\. 40 samples accepted of 400; nine in ten lie in these ranges\.$/)
})

it('a training says what its policy returns, and by how much that is more than the model’s own or chance', () => {
  const test = (mean: number) => ({ mean, half: 2, low: mean - 5, high: mean + 5, length: 10 })
  const rows = [test(10), test(40), test(30)].map((one, k) => ({
    epoch: k + 1,
    decisions: 100 * (k + 1),
    episodes: 10,
    learning: 1,
    test: one,
    figures: {},
  })) as unknown as Learned['rows']
  const of = (compared: readonly [name: 'random' | 'model', difference: number, half: number][] | null): string | undefined => {
    const report = compared && { compared: compared.map(([name, difference, half]) => ({ name, difference, half, test: test(1) })) }
    const finding = learnedFinding({ rows, report: report as unknown as Learned['report'], decisions: 300, threshold: 35 }, String)
    return finding === null ? undefined : [finding.title, ...finding.more].map(words => english(words)).join(' ')
  }
  const rest = ' Between 38 and 42 with 95% confidence. The threshold of 35 is reached. 3 epochs, 300 decisions.'
  expect(of(null)).toBe(`The best policy so far returns 40 an episode.${rest}`)
  expect(of([['random', 30, 1]])).toBe(`The learned policy returns 40 an episode, 30 more than deciding at random.${rest}`)
  expect(
    of([
      ['random', 30, 1],
      ['model', -3, 1],
    ]),
  ).toBe(`The learned policy returns 40 an episode, 3 less than the model’s own.${rest}`)
  expect(of([['model', 1, 4]])).toBe(`The learned policy returns 40 an episode, no clear gain over the model’s own.${rest}`)
  expect(learnedFinding({ rows: [], report: null, decisions: 0, threshold: null }, String)).toBeNull()
})
