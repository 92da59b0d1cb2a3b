// Files about a model that tools draft: experiments, charts and dashboards, checked against the fork, offered with a proposal, and made only on
// acceptance, about the model that has the proposal.
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import * as Y from 'yjs'
import { dashboardOf } from '../../model-schema/dashboard.ts'
import { loadFile, modelOf } from '../../model-schema/document.ts'
import { experimentOf } from '../../model-schema/experiment.ts'
import { DRAFTS, fileOfDraft, type FileDraft } from '../../model-schema/file-drafts.ts'
import { modelOfFile, parseFile, printFile, type HoloFile } from '../../model-schema/file.ts'
import { decide, offer, proposalsOf, readProposal, verdictsOn, type Proposal } from '../../model-schema/proposals.ts'
import { ToolSession, type RelatedFile } from '../../sim-engine/copilot/doors/copilot.ts'
import { applyCommand } from '../../sim-engine/copilot/mcp/command.ts'
import { prepare } from '../../sim-engine/experiment.ts'
import { ward } from './tasks/fixtures.ts'

function open(related: readonly RelatedFile[] = []) {
  const doc = new Y.Doc()
  loadFile(doc, ward().file)
  const offered: Proposal[] = []
  const session = new ToolSession({
    doc,
    author: { kind: 'copilot', name: 'Test' },
    now: () => 0,
    writes: true,
    file: 'ward',
    related: () => related,
    offer: proposal => {
      offered.push(proposal)
      return null
    },
  })
  const use = (name: string, given: object = {}) => {
    const answer = session.use(name, given)
    return answer.ok ? (answer.value as { [key: string]: unknown }) : answer.why
  }
  return { doc, session, offered, use }
}

const staffing = {
  name: 'How many nurses',
  calls: [
    { do: 'set', id: 'root', field: 'type', value: 'monteCarlo' },
    { do: 'set', id: 'root', field: 'replications', value: 8 },
    { do: 'place', kind: 'response', parent: 'root', values: { name: 'wait', expression: 'mean_wait' } },
  ],
}
const board = {
  name: 'Ward at a glance',
  calls: [
    { do: 'place', kind: 'plot', parent: 'run', values: { dimension: '@time', metrics: [{ field: 'mean_wait' }] } },
    { do: 'place', kind: 'plot', parent: 'run', values: { dimension: '@time', metrics: [{ field: 'mean_wait' }] } },
    { do: 'place', kind: 'note', parent: 'root', size: [12, 2] },
  ],
}

const newFile = (draft: FileDraft, doc: Y.Doc): HoloFile => fileOfDraft(draft, 'ward', modelOf(doc))!

describe('drafted files', () => {
  it('go with the proposal, are about its model when they are taken in, and can be run', () => {
    const { doc, offered, use, session } = open()
    const made = use('experiment_file', staffing)
    expect(made).toMatchObject({ file: 'new', name: 'How many nurses', problems: [] })
    expect(use('dashboard', board)).toMatchObject({ problems: [] })
    expect(use('chart', { name: 'Wait', calls: [board.calls[0]] })).toMatchObject({ problems: [] })
    expect(session.isDirty).toBe(true)
    expect(use('offer', { title: 'Look at the ward', why: 'Asked for.' })).toMatchObject({
      changes: 0,
      files: [{ kind: 'experiment' }, { kind: 'dashboard' }, { kind: 'chart' }],
    })
    const [proposal] = offered
    expect(proposal!.deltas).toEqual([])
    const [experiment, dashboard, chart] = proposal!.files!
    const file = modelOfFile(newFile(experiment!, doc))
    const read = experimentOf(file)!
    expect(read).toMatchObject({ name: 'How many nurses', modelFile: 'ward', replications: 8 })
    expect(prepare(read, modelOf(doc)).ok).toBe(true)
    const page = dashboardOf(modelOfFile(newFile(dashboard!, doc)))!
    expect(page).toMatchObject({ is: 'dashboard', name: 'Ward at a glance', associations: [{ modelFile: 'ward' }] })
    // In the first cells that are free.
    expect(page.items.map(({ element }) => element.geo)).toEqual([
      [0, 0, 6, 6],
      [6, 0, 6, 6],
      [0, 6, 12, 2],
    ])
    expect(dashboardOf(modelOfFile(newFile(chart!, doc)))).toMatchObject({ is: 'chart', associations: [{ modelFile: 'ward' }] })
    // It travels through the document as it is; verdicts are kept apart from it.
    expect(offer(doc, proposal!)).toBeNull()
    const [there] = proposalsOf(doc)
    expect(there).toEqual(proposal)
    decide(doc, there!, experiment!.id, 'taken')
    decide(doc, there!, chart!.id, 'rejected')
    expect([...verdictsOn(doc, there!).values()]).toEqual(['taken', 'open', 'rejected'])
  })

  it('are checked against the fork: a measure that the fork has is known, one that nobody has is refused', () => {
    const { use } = open()
    const unknown = {
      ...staffing,
      calls: [{ do: 'place', kind: 'response', parent: 'root', values: { name: 'luck', expression: 'luck' } }],
    }
    expect(JSON.stringify(use('experiment_file', unknown))).toContain('luck')
    expect(use('offer', { title: 'x', why: '' })).toMatch(/"How many nurses" has 1 errors; repair them first: .*luck/)
    const { doc } = open()
    const [scenario] = modelOf(doc).scenarios
    use('edit', { calls: [{ do: 'place', kind: 'variable', parent: scenario, values: { name: 'luck', initial: '1' } }] })
    expect(use('offer', { title: 'x', why: '' })).toMatchObject({ changes: 1, files: [{ name: 'How many nurses' }] })
    const { use: other } = open()
    other('dashboard', { name: 'Empty' })
    expect(other('offer', { title: 'x', why: '' })).toMatch(/no card in it/)
    expect(other('dashboard', { calls: [{ do: 'set', id: 'run', field: 'modelScenario', value: 'Nowhere' }] })).toMatchObject({
      problems: expect.arrayContaining([expect.objectContaining({ says: 'There is no scenario "Nowhere".' })]),
    })
    other('chart', { name: 'Of luck', calls: [{ do: 'place', kind: 'plot', parent: 'run', values: { metrics: [{ field: 'luck' }] } }] })
    expect(JSON.stringify(other('chart', { name: 'Of luck' }))).toMatch(/luck.*not|no .*luck/i)
  })

  it('are taken back batch by batch, and are as many as a proposal holds', () => {
    const { session, use } = open()
    use('dashboard', board)
    use('dashboard', { calls: [{ do: 'place', kind: 'note', parent: 'root' }] })
    use('undo')
    expect(use('dashboard', { name: 'Ward at a glance' })).toMatchObject({ holds: expect.toSatisfy((all: unknown[]) => all.length === 5) })
    use('undo')
    expect(session.isDirty).toBe(false)
    expect(use('offer', { title: 'x', why: '' })).toMatch(/Nothing would change/)
    expect(use('dashboard', { calls: [{ do: 'place', kind: 'note', parent: 'root' }] })).toMatch(/needs a "name"/)
  })

  it('change a file that is there by what differs, and no other', () => {
    const file = parseFile(
      JSON.stringify({
        format: 'holo',
        version: 1,
        title: 'Old',
        elements: {
          p: { kind: 'dashboard', rank: 'a0', name: 'Old' },
          r: { kind: 'association', parent: 'p', modelFile: 'ward' },
          n: { kind: 'plot', parent: 'r', geo: [0, 0, 6, 6], metrics: [{ field: 'mean_wait' }] },
        },
      }),
    )
    if (!('file' in file)) throw new Error('unreadable')
    const related: RelatedFile[] = [
      { id: 'd1', kind: 'dashboard', name: 'Old', file: file.file },
      { id: 'd2', kind: 'dashboard', name: 'Locked', file: null },
      { id: 'e1', kind: 'experiment', name: 'Study', file: null },
    ]
    const { offered, use } = open(related)
    expect(use('dashboard')).toEqual({
      files: [
        { id: 'd1', name: 'Old' },
        { id: 'd2', name: 'Locked' },
      ],
    })
    expect(use('dashboard', { of: 'e1' })).toMatch(/no dashboard "e1" of this model. There are: d1 \(Old\), d2 \(Locked\)/)
    expect(use('dashboard', { of: 'd2' })).toMatch(/cannot be read/)
    const calls = [{ do: 'set', id: 'n', field: 'type', value: 'area' }]
    expect(use('dashboard', { of: 'd1', calls })).toMatchObject({ file: 'd1', problems: [] })
    use('offer', { title: 'Areas', why: '' })
    expect(offered[0]!.files).toMatchObject([
      {
        kind: 'dashboard',
        name: 'Old',
        content: { is: 'change', of: 'd1', deltas: [{ id: 'n', sort: 'changed', entries: [{ at: 'data/type', after: 'area' }] }] },
      },
    ])
  })

  it('that are none are no proposals', () => {
    const { doc, offered, use } = open()
    use('experiment_file', staffing)
    use('offer', { title: 'x', why: '' })
    const [proposal] = offered
    const [draft] = proposal!.files!
    if (draft?.content.is !== 'new') throw new Error('not new')
    const { elements } = draft.content
    const wrong: unknown[] = [
      'files',
      [null],
      [{ ...draft, kind: 'model' }],
      [{ ...draft, kind: 'dashboard' }],
      [{ ...draft, name: ' ' }],
      [{ ...draft, id: '../x' }],
      [{ ...draft, content: { is: 'new', elements: {} } }],
      [{ ...draft, content: { is: 'new', elements: { ...elements, more: { kind: 'experiment', rank: 'a1' } } } }],
      [{ ...draft, content: { is: 'new', elements: { root: { kind: 'experiment', geo: 'here' } } } }],
      [{ ...draft, content: { is: 'change', of: '', deltas: [] } }],
      [{ ...draft, content: { is: 'change', of: 'd1', deltas: [{ id: 'n' }] } }],
      Array.from({ length: DRAFTS.files + 1 }, () => draft),
    ]
    for (const files of wrong) expect(readProposal(proposal!.id, { ...proposal, files }), JSON.stringify(files).slice(0, 80)).toBeNull()
    expect(offer(doc, { ...proposal!, files: wrong[2] as FileDraft[] })).toMatchObject({ refused: 'invalid-value' })
    // What a hostile program says of the model does not count: the file is about the model that has the proposal.
    const hostile = { ...draft, content: { is: 'new', elements: { root: { kind: 'experiment', modelFile: 'another' } } } } as FileDraft
    expect(experimentOf(modelOfFile(newFile(hostile, doc)))?.modelFile).toBe('ward')
  })

  it('are written beside the model by `apply`, which overwrites nothing', () => {
    const folder = mkdtempSync(join(tmpdir(), 'drafts-'))
    const { offered, use } = open()
    use('experiment_file', { ...staffing, name: '../How many: nurses' })
    use('offer', { title: 'x', why: '' })
    writeFileSync(join(folder, 'ward.holo'), printFile(ward().file))
    writeFileSync(join(folder, 'ward.proposal.json'), JSON.stringify(offered[0]))
    const said: string[] = []
    const apply = () => applyCommand([join(folder, 'ward.proposal.json')], { out: text => void said.push(text) })
    expect(apply()).toBe(0)
    const path = join(folder, '.. How many  nurses.holo')
    expect(said.join('')).toContain(`${path}: made`)
    const read = parseFile(readFileSync(path, 'utf8'))
    expect('file' in read && experimentOf(modelOfFile(read.file))).toMatchObject({ modelFile: 'ward.holo', replications: 8 })
    writeFileSync(path, 'mine')
    expect(apply()).toBe(1)
    expect(readFileSync(path, 'utf8')).toBe('mine')
  })
})
