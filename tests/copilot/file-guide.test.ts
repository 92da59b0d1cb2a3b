// The copilot in the editors of experiments, charts and dashboards: the guide says what is wrong, what the file does, how many runs it needs and what else
// could be in it; a language model reads and runs the model, and changes that file alone. All of it is a proposal in the file's own document.
import { describe, expect, it } from 'vitest'
import * as Y from 'yjs'
import { createStore } from 'zustand/vanilla'
import { setSubject } from '../../client/copilot/files/subject.ts'
import { Talk } from '../../client/copilot/talk.ts'
import { Toolbox } from '../../client/copilot/toolbox.ts'
import type { Session } from '../../client/session.ts'
import { dashboardOf } from '../../model-schema/dashboard.ts'
import { facetsOf, loadFile, modelOf } from '../../model-schema/document.ts'
import { createUndo, place, setField } from '../../model-schema/edit.ts'
import { experimentOf } from '../../model-schema/experiment.ts'
import type { HoloElement } from '../../model-schema/file.ts'
import { accept, proposalsOf, standingsOf } from '../../model-schema/proposals.ts'
import { english } from '../../model-schema/words.ts'
import { answer } from '../../sim-engine/copilot/guide.ts'
import { understoodOfFile, type Answer, type FileAsk } from '../../sim-engine/copilot/questions.ts'
import { chinese } from '../help/languages.ts'
import { bench, scriptedModel } from '../help/scripted-model.ts'
import { ward } from './tasks/fixtures.ts'

const docOf = (elements: Record<string, HoloElement>): Y.Doc => {
  const doc = new Y.Doc()
  loadFile(doc, { format: 'holo', version: 1, elements })
  return doc
}
const model = (): Y.Doc => {
  const doc = new Y.Doc()
  loadFile(doc, ward().file)
  return doc
}
const plan = (more: Partial<HoloElement> = {}): Y.Doc =>
  docOf({ root: { kind: 'experiment', rank: 'a0', name: 'Study', modelFile: 'ward', type: 'monteCarlo', replications: 2, ...more } })
const page = (kind: 'dashboard' | 'chartFile'): Y.Doc =>
  docOf({ root: { kind, rank: 'a0', name: 'Board' }, run: { kind: 'association', parent: 'root', rank: 'a0', modelFile: 'ward' } })

const ask = (file: Y.Doc, about: FileAsk, of: Y.Doc | null = model()): Answer =>
  answer(file, { about: 'file', ask: about }, 5, english, null, of && { doc: of, id: 'ward' })
const said = ({ lines }: Answer): string => lines.map(({ words }) => english(words)).join('\n')
const takeAll = (doc: Y.Doc, { proposal }: Answer) =>
  accept(
    doc,
    proposal!,
    proposal!.deltas.map(({ id }) => id),
  )

describe('the guide in the editor of a file', () => {
  it('understands what is asked there, in both languages', () => {
    const asked = (text: string) => {
      const question = understoodOfFile(text)
      return question.about === 'file' ? question.ask : question.about
    }
    expect(['What is wrong with this plan?', '这个方案有什么问题'].map(asked)).toEqual(['wrong', 'wrong'])
    expect(['Explain this', '解释一下'].map(asked)).toEqual(['explain', 'explain'])
    expect(['Explain this result', '解释这个结果', 'What did the runs find as a result?'].map(asked)).toEqual([
      'result',
      'result',
      'result',
    ])
    expect(asked('How many runs does a sure result take?')).toBe('runs')
    expect(['How many runs do I need?', '需要运行多少次？'].map(asked)).toEqual(['runs', 'runs'])
    expect(['Suggest a chart', '建议一个指标'].map(asked)).toEqual(['suggest', 'suggest'])
    expect(asked('How is a Weibull written?')).toBe('how')
  })

  it('says what is wrong with a plan, at the part it is about; and that nothing is, or that the model is not here', () => {
    expect(said(ask(plan(), 'wrong'))).not.toBe('')
    const broken = plan()
    const measure = place(broken, { kind: 'response', parent: 'root', at: [0, 0], values: { name: 'luck', expression: 'luck' } })
    const wrong = ask(broken, 'wrong')
    expect(said(wrong)).toContain('luck')
    expect(wrong.lines.some(({ cites }) => cites.includes(String(measure)))).toBe(true)
    setField(broken, String(measure), 'expression', 'mean_wait')
    expect(said(ask(broken, 'wrong'))).toBe('Nothing is wrong with this plan: it can be run.')
    expect(said(ask(broken, 'wrong', null))).toMatch(/no model yet/)
  })

  it('suggests measures that the model has and the plan has not; accepted, they are measured, and one step takes them back', () => {
    const file = plan()
    const undo = createUndo(file)
    const suggested = ask(file, 'suggest')
    expect(suggested.proposal).toMatchObject({ by: { kind: 'guide' }, deltas: [{ sort: 'added' }, { sort: 'added' }] })
    takeAll(file, suggested)
    const measured = experimentOf(modelOf(file))!.responses.map(({ name, expression }) => [name, expression])
    expect(measured.toSorted()).toEqual([
      ['busy', 'busy'],
      ['mean wait', 'mean_wait'],
    ])
    expect(said(ask(file, 'wrong'))).toMatch(/^Nothing is wrong/)
    expect(said(ask(file, 'explain'))).toMatch(
      /Study: Monte Carlo of the scenario[\s\S]*It measures mean wait = mean_wait\.[\s\S]*2 runs\./,
    )
    expect(said(ask(file, 'suggest'))).toBe('All that the model measures is in it already.')
    undo.undo()
    expect(experimentOf(modelOf(file))!.responses).toEqual([])
    expect([...standingsOf(file, suggested.proposal!).values()]).toEqual([{ is: 'open' }, { is: 'open' }])
  })

  it('says how many runs make intervals narrow, from runs of the model, and suggests them', () => {
    const file = plan()
    place(file, { kind: 'response', parent: 'root', at: [0, 0], values: { name: 'wait', expression: 'mean_wait' } })
    const { proposal, lines } = ask(file, 'runs')
    expect(lines.map(({ words }) => english(words))).toContainEqual(expect.stringMatching(/^mean_wait: .* ± .*; \d+ runs$/))
    expect(said({ lines, proposal, next: [] })).toContain('2 runs are planned, 2 of each point.')
    takeAll(file, { lines, proposal, next: [] })
    const { replications } = experimentOf(modelOf(file))!
    expect(replications).toBeGreaterThan(2)
    const again = ask(file, 'runs')
    expect(again.proposal).toBeNull()
    expect(said(again)).toContain('That is enough.')
  })

  it('explains a page, says what is wrong with it, and suggests what of the model could be shown', () => {
    for (const kind of ['dashboard', 'chartFile'] as const) {
      const file = page(kind)
      expect(said(ask(file, 'wrong'))).toMatch(/There is no (card|chart) in it/)
      const suggested = ask(file, 'suggest')
      expect(suggested.proposal?.note.problems.after).toBeLessThan(suggested.proposal!.note.problems.before)
      takeAll(file, suggested)
      const items = dashboardOf(modelOf(file))!.items
      expect(items.map(({ element }) => element.kind)).toContain('plot')
      expect(said(ask(file, 'explain'))).toMatch(/mean_wait/)
      expect(said(ask(file, 'wrong'))).toBe('Nothing is wrong with this page.')
      // Several lines of a chart are listed as each language lists them.
      const plot = items.find(({ element }) => element.kind === 'plot')!.element.id
      setField(file, plot, 'metrics', [{ field: 'mean_wait' }, { field: 'busy' }])
      const { lines } = ask(file, 'explain')
      expect(said({ lines, proposal: null, next: [] })).toContain('mean_wait, busy')
      expect(lines.map(({ words }) => chinese(words)).join('\n')).toContain('mean_wait、busy')
    }
  })
})

describe('a language model in the editor of a file', () => {
  function open(kind: 'experiment' | 'dashboard', file: Y.Doc) {
    const sessionOf = (doc: Y.Doc, docId: string): Session =>
      ({
        doc,
        docId,
        model: createStore(() => ({ model: modelOf(doc) })),
        access: createStore(() => ({ role: 'owner' as const, writable: true })),
        target: { user: { id: 'ann', name: 'Ann' }, docId, local: true },
      }) as unknown as Session
    const [own, of] = [sessionOf(file, 'study'), sessionOf(model(), 'ward')]
    setSubject(own, { kind, name: 'Study', model: of, explain: () => null })
    const { script, call, calls } = scriptedModel('Done.')
    const talk = new Talk(own, {
      toolbox: new Toolbox(own, bench),
      call,
      keep: () => undefined,
      versions: () => Promise.reject(new Error('not used')),
      show: () => undefined,
    })
    const say = async () => {
      await talk.say('Measure the wait', { id: 'p1', label: 'Test', mode: 'propose' }, { canvas: '', selection: [] })
      const turn = talk.store.getState().turns.at(-1)
      return turn?.is === 'model' ? turn.parts.filter(part => part.is === 'tool') : []
    }
    return { own, of, script, calls, say }
  }

  it('reads and runs the model, and proposes changes of the file, in the file', async () => {
    const file = plan()
    const { of, script, calls, say } = open('experiment', file)
    const response = { do: 'place', kind: 'response', parent: 'root', values: { name: 'wait', expression: 'mean_wait' } }
    script.push(
      { uses: [['find', { text: 'wait' }]] },
      { uses: [['run', { ticks: 5 }]] },
      { uses: [['experiment_file', { calls: [response] }]] },
      { uses: [['offer', { title: 'Measure the wait', why: 'Asked for.' }]] },
    )
    const before = [facetsOf(file), facetsOf(of.doc)]
    const tools = await say()
    expect(tools.map(({ name, ok }) => [name, ok])).toEqual([
      ['find', true],
      ['run', true],
      ['experiment_file', true],
      ['offer', true],
    ])
    expect(JSON.stringify(calls[0])).toContain('about this model is open. Only it is changed here')
    expect([facetsOf(file), facetsOf(of.doc)]).toEqual(before)
    expect(proposalsOf(of.doc)).toEqual([])
    const [proposal] = proposalsOf(file)
    expect(proposal).toMatchObject({ title: 'Measure the wait', by: { kind: 'copilot', name: 'Test' }, deltas: [{ sort: 'added' }] })
    expect(proposal!.files).toBeUndefined()
    expect([...standingsOf(file, proposal!).values()]).toEqual([{ is: 'open' }])
    accept(file, proposal!, [proposal!.deltas[0]!.id])
    expect(experimentOf(modelOf(file))!.responses).toMatchObject([{ name: 'wait' }])
  })

  it('changes neither the model nor files of other kinds, whatever it calls', async () => {
    const file = page('dashboard')
    const { of, script, say } = open('dashboard', file)
    const [scenario] = modelOf(of.doc).scenarios
    script.push(
      { uses: [['edit', { calls: [{ do: 'place', kind: 'variable', parent: scenario, values: { name: 'x', initial: '1' } }] }]] },
      { uses: [['experiment_file', { name: 'Another' }]] },
      { uses: [['repair', {}]] },
      { uses: [['dashboard', { of: 'elsewhere', calls: [{ do: 'set', id: 'root', field: 'columns', value: 6 }] }]] },
      { uses: [['offer', { title: 'Six columns', why: '' }]] },
    )
    const tools = await say()
    expect(tools.map(({ name, ok }) => [name, ok])).toEqual([
      ['edit', false],
      ['experiment_file', false],
      ['repair', false],
      ['dashboard', true],
      ['offer', false],
    ])
    expect(proposalsOf(of.doc)).toEqual([])
  })
})
