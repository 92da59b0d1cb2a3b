// Files that a model drafts in the page: none exists before it is accepted; then it is made next to the model, once, or the existing one
// changes.
import { i18n } from '@lingui/core'
import 'fake-indexeddb/auto'
import { beforeEach, expect, it, vi } from 'vitest'
import { Doc } from 'yjs'
import { createStore } from 'zustand/vanilla'
import { relatedFiles, takeFile } from '../../client/copilot/proposals/related.ts'
import { Talk } from '../../client/copilot/talk.ts'
import { Toolbox } from '../../client/copilot/toolbox.ts'
import { device } from '../../client/local/device.ts'
import { createFile, readFile } from '../../client/local/files.ts'
import { shelf } from '../../client/local/shelf.ts'
import { devicePlace } from '../../client/local/place.ts'
import { openSession, type Session } from '../../client/session.ts'
import { dashboardOf } from '../../model-schema/dashboard.ts'
import { loadFile, modelOf } from '../../model-schema/document.ts'
import { experimentOf } from '../../model-schema/experiment.ts'
import { modelOfFile } from '../../model-schema/file.ts'
import { accept, proposalsOf, reject, standingsOf, verdictsOn, type Proposal } from '../../model-schema/proposals.ts'
import { bench, scriptedModel } from '../help/scripted-model.ts'
import { tank } from './tasks/fixtures.ts'

const place = devicePlace('Me')
i18n.loadAndActivate({ locale: 'en-US', messages: {} })
beforeEach(async () => {
  await Promise.all([...device.tables, ...shelf.tables].map(table => table.clear()))
})

async function open() {
  const row = await createFile(place, 'Tank', tank().file, { kind: 'model' })
  const doc = new Doc()
  loadFile(doc, tank().file)
  const model = createStore(() => ({ model: modelOf(doc) }))
  const access = createStore(() => ({ role: 'owner' as const, writable: true }))
  const lamps = createStore(() => ({ server: 'none' }))
  const session = {
    doc,
    docId: row.id,
    model,
    access,
    lamps,
    target: { user: place.user, docId: row.id, local: true },
  } as unknown as Session
  const { script, call, calls } = scriptedModel('Done.')
  const talk = new Talk(session, {
    toolbox: new Toolbox(session, bench),
    call,
    keep: () => undefined,
    versions: () => Promise.reject(new Error('not used')),
    show: () => undefined,
  })
  const say = () => talk.say('Make it', { id: 'p1', label: 'Test', mode: 'propose' }, { canvas: modelOf(doc).scenarios[0]!, selection: [] })
  const last = (): Proposal => proposalsOf(doc).at(-1)!
  return { session, script, calls, say, last, doc }
}

const files = async () => (await device.files.toArray()).map(({ kind, name }) => `${kind} ${name}`).toSorted()
const offering = (title: string): [string, object] => ['offer', { title, why: '' }]
const plot = { do: 'place', kind: 'plot', parent: 'run', values: { dimension: '@time', metrics: [{ field: 'level' }] } }

it('a drafted file is made by whoever takes it in, about the open model, and once', async () => {
  const { session, script, say, last, doc } = await open()
  const response = { do: 'place', kind: 'response', parent: 'root', values: { name: 'water', expression: 'level' } }
  script.push(
    { uses: [['experiment_file', { name: 'Study', calls: [response] }]] },
    { uses: [['dashboard', { name: 'Board', calls: [plot] }]] },
    { uses: [offering('A study and a board')] },
  )
  await say()
  const proposal = last()
  const [study, board] = proposal.files!
  expect(await files()).toEqual(['model Tank'])
  expect(await takeFile(session, proposal, study!)).toBeNull()
  expect(await takeFile(session, proposal, study!)).toBeNull()
  expect(await takeFile(session, proposal, board!)).toBeNull()
  expect(await files()).toEqual(['dashboard Board', 'experiment Study', 'model Tank'])
  expect([...verdictsOn(doc, proposal).values()]).toEqual(['taken', 'taken'])
  const by = { kind: 'copilot', name: 'Test' }
  const kept = async () => (await shelf.versions.toArray()).map(({ doc: of, origin }) => [of, origin?.proposal, origin?.by])
  await vi.waitFor(async () => expect(await kept()).toEqual([[session.docId, proposal.id, by]]))
  expect(await device.files.get([place.user.id, study!.id])).toMatchObject({ kind: 'experiment', model: session.docId })
  expect(experimentOf(modelOfFile(await readFile(place, study!.id)))).toMatchObject({ name: 'Study', modelFile: session.docId })
  expect(dashboardOf(modelOfFile(await readFile(place, board!.id)))).toMatchObject({ associations: [{ modelFile: session.docId }] })
  expect(await relatedFiles(session, 'dashboard', undefined)).toEqual([{ id: board!.id, kind: 'dashboard', name: 'Board', file: null }])
})

it('a file that is there is read when it is named; its changes are handed to it, and taken in there one by one', async () => {
  const { session, script, say, last, calls } = await open()
  script.push({ uses: [['dashboard', { name: 'Board', calls: [plot] }]] }, { uses: [offering('A board')] })
  await say()
  const [board] = last().files!
  await takeFile(session, last(), board!)
  script.push(
    { uses: [['dashboard', { of: 'nobody' }]] },
    {
      uses: [
        [
          'dashboard',
          {
            of: board!.id,
            calls: [
              { do: 'set', id: 'root', field: 'columns', value: 6 },
              { do: 'place', kind: 'note', parent: 'root', size: [6, 2] },
            ],
          },
        ],
      ],
    },
    { uses: [offering('Six columns')] },
  )
  await say()
  const change = proposalsOf(session.doc).find(({ title }) => title === 'Six columns')!
  const columns = async () => dashboardOf(modelOfFile(await readFile(place, board!.id)))!.columns
  // The decision on the first one is reported, and it is not offered again.
  expect(JSON.stringify(calls)).toContain('taken: dashboard file')
  expect(change.files).toMatchObject([{ content: { is: 'change', of: board!.id } }])
  expect(await columns()).toBe(12)
  expect(await takeFile(session, change, change.files![0]!)).toBeNull()
  expect([...verdictsOn(session.doc, change).values()]).toEqual(['taken'])
  // Nothing of the file is changed by that: the changes wait in it, each to be decided on.
  expect(await columns()).toBe(12)
  const file = openSession({ docId: board!.id, local: true, user: place.user })
  await file.ready
  await vi.waitFor(() => expect(proposalsOf(file.doc)).toHaveLength(1))
  const [waits] = proposalsOf(file.doc)
  expect(waits).toMatchObject({ id: change.id, title: 'Six columns', by: { kind: 'copilot', name: 'Test' } })
  expect(waits!.files).toBeUndefined()
  expect([...standingsOf(file.doc, waits!).values()]).toEqual([{ is: 'open' }, { is: 'open' }])
  const note = waits!.deltas.find(({ sort }) => sort === 'added')!
  reject(file.doc, waits!, [note.id])
  const pageNow = () => dashboardOf(file.model.getState().model)!
  accept(file.doc, waits!, ['root'])
  expect(pageNow()).toMatchObject({ columns: 6, items: [{}] })
  // One step back, and it is to be decided on again.
  file.undo.undo()
  expect(pageNow().columns).toBe(12)
  expect(standingsOf(file.doc, waits!).get('root')).toEqual({ is: 'open' })
  file.close()
  // Handed over again it takes the place of the one that waits.
  expect(await takeFile(session, change, change.files![0]!)).toBeNull()
})

it('without a workspace of one’s own nothing is made, and that is said', async () => {
  const { session, script, say, last } = await open()
  script.push({ uses: [['chart', { name: 'Level', calls: [plot] }]] }, { uses: [offering('A chart')] })
  await say()
  const elsewhere = { ...session, docId: 'shared', target: { ...session.target, local: false } } as Session
  expect(await takeFile(elsewhere, last(), last().files![0]!)).toMatch(/no workspace of yours/)
  expect(await files()).toEqual(['model Tank'])
})
