// The guide mends experiments, charts and dashboards: what has one repair is a proposal, row by row; where there are several, it asks.
import { describe, expect, it } from 'vitest'
import * as Y from 'yjs'
import { loadFile, modelOf } from '../../model-schema/document.ts'
import type { HoloElement } from '../../model-schema/file.ts'
import { accept } from '../../model-schema/proposals.ts'
import { english } from '../../model-schema/words.ts'
import { answer } from '../../sim-engine/copilot/guide.ts'
import { understoodOfFile, type Answer, type Question } from '../../sim-engine/copilot/questions.ts'
import { chinese } from '../help/languages.ts'
import { ward } from './tasks/fixtures.ts'

const docOf = (elements: Record<string, HoloElement>): Y.Doc => {
  const doc = new Y.Doc()
  loadFile(doc, { format: 'holo', version: 1, elements })
  return doc
}
/** The ward with two inputs, a number and a truth. */
const model = (): Y.Doc => {
  const { file } = ward()
  const [scenario] = Object.entries(file.elements).find(([, { kind }]) => kind === 'scenario')!
  const input = (name: string, initial: string): HoloElement => ({ kind: 'variable', parent: scenario, name, public: true, initial })
  return docOf({ ...file.elements, night: input('night shift', '3'), open: input('open', 'True') })
}
const measure = { kind: 'response', parent: 'root', name: 'wait', expression: 'mean_wait' }
const plan = (fields: Partial<HoloElement>, parts: Record<string, HoloElement> = { wait: measure }): Y.Doc =>
  docOf({
    root: { kind: 'experiment', rank: 'a0', name: 'Study', modelFile: 'ward', type: 'monteCarlo', replications: 2, ...fields },
    ...parts,
  })

type Ask = Question & { about: 'file' }
const ask = (file: Y.Doc, question: Omit<Ask, 'about'> = { ask: 'fix' }): Answer =>
  answer(file, { about: 'file', ...question }, 5, english, null, { doc: model(), id: 'ward' })
const said = ({ lines }: Answer): string => lines.map(({ words }) => english(words)).join('\n')
const takeAll = (doc: Y.Doc, { proposal }: Answer) =>
  accept(
    doc,
    proposal!,
    proposal!.deltas.map(({ id }) => id),
  )
const fieldsOf = (doc: Y.Doc, id: string) => modelOf(doc).elements.get(id)!.fields

/** A fault that has one repair: what is said, and what the element has when that is taken. */
type Case = readonly [title: string, file: () => Y.Doc, says: RegExp, id: string, after: Record<string, unknown>]
const input = (fields: Record<string, unknown>) => ({ kind: 'decision', parent: 'root', ...fields }) as HoloElement
const explored = (fields: Record<string, unknown>) => plan({ type: 'exploration' }, { wait: measure, d: input(fields) })
const cases: readonly Case[] = [
  [
    'a misspelt measure',
    () => plan({}, { wait: { ...measure, expression: 'mean_wiat' } }),
    /mean_wait/,
    'wait',
    { expression: 'mean_wait' },
  ],
  [
    'a bracket that is left open',
    () => plan({}, { wait: { ...measure, expression: 'abs(mean_wait' } }),
    /Closes/,
    'wait',
    { expression: 'abs(mean_wait)' },
  ],
  [
    'a blank measure with the name of one of the model',
    () => plan({}, { wait: { ...measure, name: 'mean wait', expression: '' } }),
    /Takes mean_wait/,
    'wait',
    { expression: 'mean_wait' },
  ],
  ['an unknown scenario of a model with one', () => plan({ modelScenario: 'Elsewhere' }), /Takes/, 'root', {}],
  ['a misspelt input', () => explored({ variable: 'nihgt_shift', min: 1, max: 4 }), /Takes night_shift/, 'd', { variable: 'night_shift' }],
  ['exchanged bounds', () => explored({ variable: 'night_shift', min: 4, max: 1 }), /Exchanges/, 'd', { min: 1, max: 4 }],
  [
    'a logarithmic scale from 0',
    () => explored({ variable: 'night_shift', min: 0, max: 4, logarithmic: true }),
    /without/,
    'd',
    { logarithmic: false },
  ],
  ['a step of 0', () => explored({ variable: 'night_shift', domain: 'discrete', min: 0, max: 4, step: 0 }), /Step/, 'd', { step: 1 }],
  [
    'a range for a truth',
    () => explored({ variable: 'open', min: 0, max: 1 }),
    /True and False/,
    'd',
    { domain: 'enum', values: 'True, False' },
  ],
  [
    'a misspelt input of an alternative',
    () =>
      plan(
        {},
        {
          wait: measure,
          a: { kind: 'alternative', parent: 'root', name: 'A', values: [{ variable: 'night_shfit', value: '2' }] } as HoloElement,
        },
      ),
    /Takes night_shift/,
    'a',
    { values: [{ variable: 'night_shift', value: '2' }] },
  ],
  ['a plan without a name', () => plan({ name: '' }), /Calls it/, 'root', {}],
]

describe('the guide mends a file', () => {
  it.each(cases)('%s', (_, file, says, id, after) => {
    const doc = file()
    expect(said(ask(doc, { ask: 'wrong' }))).not.toMatch(/^Nothing is wrong/)
    const fixed = ask(doc)
    expect(said(fixed)).toMatch(says)
    expect(fixed.lines[0]!.cites).toEqual([id])
    expect(fixed.proposal).toMatchObject({ by: { kind: 'guide' }, note: { problems: { after: 0 } } })
    takeAll(doc, fixed)
    expect(said(ask(doc, { ask: 'wrong' }))).toMatch(/^Nothing is wrong/)
    expect(fieldsOf(doc, id)).toMatchObject(after)
    expect(said(ask(doc))).toBe('Nothing is wrong: there is nothing to mend.')
  })

  it('mends several faults in one proposal, of which each row is taken on its own', () => {
    const doc = plan(
      { type: 'exploration' },
      { wait: { ...measure, expression: 'mean_wiat' }, d: input({ variable: 'night_shift', min: 4, max: 1 }) },
    )
    const fixed = ask(doc)
    expect(fixed.proposal?.deltas.map(({ id }) => id).toSorted()).toEqual(['d', 'wait'])
    accept(doc, fixed.proposal!, ['d'])
    expect(fieldsOf(doc, 'd')).toMatchObject({ min: 1, max: 4 })
    expect(fieldsOf(doc, 'wait')).toMatchObject({ expression: 'mean_wiat' })
  })

  it('asks where several repairs are as good, and makes the one that is chosen', () => {
    const doc = plan({}, {})
    const asked = ask(doc)
    expect(asked.proposal).toBeNull()
    expect(said(asked)).toMatch(/Which is meant\?$/)
    const choices = asked.next.map(({ words }) => english(words))
    expect(choices).toContain('Measures mean wait.')
    expect(choices.length).toBeGreaterThan(1)
    const chosen = ask(doc, asked.next.find(({ words }) => english(words) === 'Measures mean wait.')!.ask as Ask)
    takeAll(doc, chosen)
    expect(said(ask(doc, { ask: 'wrong' }))).toMatch(/^Nothing is wrong/)
    const long = plan({ ticks: 100, warmUpTicks: 100 })
    expect(ask(long).next.map(({ words }) => english(words))).toEqual([
      'Takes the warm-up of the scenario.',
      'Leaves out the first tenth of the run.',
    ])
  })

  it('says what it cannot mend, in both languages, and changes nothing by that', () => {
    const doc = plan({ type: 'optimization' }, { d: input({ variable: 'night_shift', min: 1, max: 4 }) })
    const fixed = ask(doc)
    expect(fixed.proposal).toBeNull()
    expect(said(fixed)).toBe('I cannot mend this: An optimisation needs an objective.')
    expect(chinese(fixed.lines[0]!.words)).toMatch(/[\p{Script=Han}]/u)
  })

  it('mends a page: the scenario of its run, what a card shows by a wrong name', () => {
    const run = { kind: 'association', parent: 'root', rank: 'a0', modelFile: 'ward' }
    const doc = docOf({
      root: { kind: 'dashboard', rank: 'a0', name: 'Board' },
      run: { ...run, modelScenario: 'Elsewhere' },
      card: { kind: 'plot', parent: 'run', rank: 'a1', name: 'Wait', dimension: '@time', metrics: [{ field: 'mean_wiat' }] },
    })
    const fixed = ask(doc)
    takeAll(doc, fixed)
    expect(said(ask(doc, { ask: 'wrong' }))).toBe('Nothing is wrong with this page.')
    expect(fieldsOf(doc, 'card')['metrics']).toMatchObject([{ field: 'mean_wait' }])
  })

  it('answers for each model of a page, by its name, and mends for the one that is chosen', () => {
    const run = (rank: string, name: string, modelFile: string) => ({ kind: 'association', parent: 'root', rank, name, modelFile })
    const card = (parent: string, field: string) => ({ kind: 'plot', parent, rank: 'a1', dimension: '@time', metrics: [{ field }] })
    const doc = docOf({
      root: { kind: 'dashboard', rank: 'a0', name: 'Board' },
      one: run('a0', 'North', 'ward'),
      two: run('a1', 'South', 'other'),
      left: card('one', 'mean_wait'),
      right: card('two', 'mean_wiat'),
    })
    const models = { doc: model(), id: 'ward', others: [{ doc: model(), id: 'other' }] }
    const askAll = (question: Omit<Ask, 'about'>): Answer => answer(doc, { about: 'file', ...question }, 5, english, null, models)
    const wrong = askAll({ ask: 'wrong' })
    expect(wrong.lines.map(({ words, heading }) => [english(words).replace(/ not found.*/, ''), heading === true])).toEqual([
      ['Of the model North', true],
      ['Nothing is wrong with this page.', false],
      ['Of the model South', true],
      ['Formula is wrong: name "mean_wiat"', false],
    ])
    expect(askAll({ ask: 'fix' }).next.map(({ words }) => english(words))).toEqual([
      'Fix what can be fixed: North',
      'Fix what can be fixed: South',
    ])
    takeAll(doc, askAll(wrong.next[1]!.ask as Ask))
    expect(fieldsOf(doc, 'right')['metrics']).toMatchObject([{ field: 'mean_wait' }])
    expect(askAll({ ask: 'suggest', model: 'other' }).proposal?.deltas).toHaveLength(1)
  })

  it('is asked for in both languages, and offered after what is wrong', () => {
    for (const text of ['Fix it', '修复这个方案']) expect(understoodOfFile(text)).toEqual({ about: 'file', ask: 'fix' })
    const { next } = ask(plan({ name: '' }), { ask: 'wrong' })
    expect(next[0]?.ask).toEqual({ about: 'file', ask: 'fix' })
  })
})
