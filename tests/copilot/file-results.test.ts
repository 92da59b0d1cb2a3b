// "Explain this result": what the runs of an experiment say, with units, intervals, runs and seeds; each figure cites what it measures.
import { expect, it } from 'vitest'
import * as Y from 'yjs'
import { createStore } from 'zustand/vanilla'
import { explainedResult } from '../../client/copilot/files/result.ts'
import { setSubject } from '../../client/copilot/files/subject.ts'
import { Talk } from '../../client/copilot/talk.ts'
import { Toolbox } from '../../client/copilot/toolbox.ts'
import type { Writing } from '../../client/experiments/results/finding.ts'
import type { Session } from '../../client/session.ts'
import { loadFile, modelOf } from '../../model-schema/document.ts'
import { english, say } from '../../model-schema/words.ts'
import { answer } from '../../sim-engine/copilot/guide.ts'
import { line, suggestionsOfFile, type Answer, type Line } from '../../sim-engine/copilot/questions.ts'
import { conducted, functionModel, prepared } from '../help/experiments.ts'
import { chinese } from '../help/languages.ts'
import { bench } from '../help/scripted-model.ts'

const writing: Writing = { number: String, value: String }
const inHours = { cost: { kind: 'variable', parent: 'main', name: 'wait', initial: '2.5', unit: 'h' } }

async function explained(...parts: Parameters<typeof prepared>): Promise<Line[]> {
  const made = prepared(...parts)
  return explainedResult({ prepared: made, results: await conducted(made), writing }, false)
}
const texts = (lines: readonly Line[]): string[] => lines.map(({ words }) => english(words))
const lineOf = (lines: readonly Line[], start: string): Line => lines.find(({ words }) => english(words).startsWith(start))!

it('begins with the finding of the page; each figure has unit, interval, level and runs, and cites its measure', async () => {
  const model = functionModel({ x: 1 }, inHours)
  const lines = await explained(
    model,
    { type: 'monteCarlo', replications: 20, seed: 7, confidence: 0.9 },
    {
      chance: { kind: 'response', name: 'Chance', expression: 'uniform(0, 1)' },
      waits: { kind: 'response', name: 'Wait', expression: 'wait' },
    },
  )
  const said = texts(lines)
  expect(said[0]).toMatch(/^On average Chance is 0\.\d+ \(0\.\d+ to 0\.\d+\), Wait is 2\.5\.$/)
  expect(said).toContainEqual(expect.stringMatching(/^Chance: 0\.\d+ on average of 20 runs, 90% interval 0\.\d+ to 0\.\d+\.$/))
  expect(said).toContain('Wait: 2.5 h in each of 20 runs.')
  expect(lineOf(lines, 'Chance: ').cites).toEqual(['chance'])
  expect(lineOf(lines, 'Wait: ').cites).toEqual(['waits'])
  expect(said.join('\n')).toMatch(/20 runs were made, 0 failed\. .* the first seed is 7/)
  expect(said.join('\n')).toMatch(/No warm-up is left out/)
  expect(lines.map(({ words }) => chinese(words)).join('\n')).toMatch(/Chance：20 次运行平均/)
})

it('says of each alternative whether its difference from the first is more than chance', async () => {
  const alternative = (name: string, value: string) => ({ kind: 'alternative', name, values: [{ variable: 'x', value }] })
  const lines = await explained(
    functionModel({ x: 1 }),
    { type: 'monteCarlo', replications: 20, seed: 3 },
    {
      now: alternative('Now', '1'),
      more: alternative('More', '2'),
      wait: { kind: 'response', name: 'Wait', expression: '3 - x + uniform(0, 1) * x' },
      luck: { kind: 'response', name: 'Luck', expression: '(uniform(0, 1) - 0.5) * x' },
    },
  )
  const said = texts(lines)
  expect(said).toContainEqual(
    expect.stringMatching(/^More less Now, Wait: -0\.\d+, 95% interval -0\.\d+ to -0\.\d+\. It does not hold 0: more than chance\.$/),
  )
  expect(lineOf(lines, 'More less Now, Wait').cites).toEqual(['wait'])
  expect(said).toContainEqual(expect.stringMatching(/^More less Now, Luck: .* It holds 0: chance alone may have made it\.$/))
  expect(said).toContainEqual(expect.stringMatching(/^Wait \(Now\): 2\.\d+ on average of 20 runs/))
})

it('tells the best point of a search, its seeds, and that it was partly lucky; failed runs are a warning', async () => {
  const lines = await explained(
    functionModel({ x: 1 }),
    { type: 'optimization', maxRuns: 60, replications: 4, seed: 1 },
    {
      x: { kind: 'decision', variable: 'x', domain: 'discrete', min: 0, max: 3, step: 1 },
      o: { kind: 'objective', name: 'Cost', expression: '(x - 2) ** 2 + uniform(0, 0.1)', direction: 'min' },
    },
  )
  const said = texts(lines)
  expect(said[0]).toMatch(/^Cost is lowest, 0\.\d+, with x = 2\.$/)
  expect(lineOf(lines, 'Cost (the best point): ').cites).toEqual(['o'])
  expect(said).toContainEqual(expect.stringMatching(/partly lucky: with new seeds x = 2/))
  expect(said).toContainEqual(expect.stringMatching(/^\d+ runs were made, 0 failed\. Their seeds follow from 1/))
  const failing = await explained(
    functionModel({ x: 1 }),
    { type: 'exploration', design: 'table', table: 'x\n0\n2', seed: 1 },
    {
      x: { kind: 'decision', variable: 'x', min: 0, max: 3 },
      r: { kind: 'response', name: 'Wait', expression: 'int(1 / x)' },
    },
  )
  expect(texts(failing)).toContainEqual(expect.stringMatching(/^1 of 2 runs failed and are in no mean/))
})

it('says first that the plan was changed since the runs', async () => {
  const made = prepared(
    functionModel({ x: 1 }),
    { type: 'monteCarlo', replications: 2 },
    { r: { kind: 'response', name: 'Wait', expression: 'x' } },
  )
  const [first] = explainedResult({ prepared: made, results: await conducted(made), writing }, true)
  expect(english(first!.words)).toMatch(/^These are results of the experiment as it was/)
})

it('is answered by the page that has the results, and offered once there are some; elsewhere it says where to ask', async () => {
  expect(suggestionsOfFile('experiment', true)[0]).toMatchObject({ ask: { about: 'result' } })
  expect(suggestionsOfFile('experiment').some(({ ask }) => ask.about === 'result')).toBe(false)
  const doc = new Y.Doc()
  loadFile(doc, { format: 'holo', version: 1, elements: { root: { kind: 'experiment', rank: 'a0', name: 'Study' } } })
  expect(texts(answer(doc, { about: 'result' }, 0).lines)[0]).toMatch(/^There are no results here yet/)
  const session = {
    doc,
    docId: 'study',
    model: createStore(() => ({ model: modelOf(doc) })),
    access: createStore(() => ({ role: 'owner' as const, writable: true })),
    target: { user: { id: 'ann', name: 'Ann' }, docId: 'study', local: true },
  } as unknown as Session
  const shown: Answer = { lines: [line(say('Wait is 2.'), 'root')], proposal: null, next: [] }
  setSubject(session, { kind: 'experiment', name: 'Study', model: null, explain: () => Promise.resolve(shown) })
  const talk = new Talk(session, {
    toolbox: new Toolbox(session, bench),
    call: () => Promise.reject(new Error('not used')) as never,
    keep: () => undefined,
    versions: () => Promise.reject(new Error('not used')),
    show: () => undefined,
  })
  talk.ask(say('Explain this result'), { about: 'result' })
  await expect.poll(() => talk.store.getState().turns.at(-1)).toMatchObject({ answer: shown })
})
