// The version history: what differs between two contents, bringing all or some of it back, and where versions are kept.
import 'fake-indexeddb/auto'
import { beforeEach, describe, expect, it } from 'vitest'
import * as Y from 'yjs'
import { createStore } from 'zustand/vanilla'
import { ApiError } from '../../../client/api.ts'
import { blameOf } from '../../../client/history/blame.ts'
import { overlaid, withChosen } from '../../../client/history/changes.ts'
import { changesBetween } from '../../../model-schema/changes.ts'
import { keepAccepted } from '../../../client/history/accepted.ts'
import type { KeptVersion, VersionServer } from '../../../client/history/server.ts'
import { textDiff } from '../../../client/history/textdiff.ts'
import { Versions, type Version } from '../../../client/history/versions.ts'
import { shelf } from '../../../client/local/shelf.ts'
import type { Lamps, Session } from '../../../client/session.ts'
import { fileOf, newDocument, readModel } from '../../../model-schema/document.ts'
import {
  connect,
  createUndo,
  isRefusal,
  move,
  place,
  remove,
  rename,
  reparent,
  restore,
  setField,
  setText,
} from '../../../model-schema/edit.ts'
import { modelOfFile, printFile, type HoloFile } from '../../../model-schema/file.ts'
import { accept, forkDocument, originOf, proposalOf, readOrigin } from '../../../model-schema/proposals.ts'
import { randomEdit } from '../../help/operations.ts'
import { chance } from '../../help/random.ts'
import { english } from '../../../model-schema/words.ts'

beforeEach(async () => {
  await Promise.all(shelf.tables.map(table => table.clear()))
})

function made(result: ReturnType<typeof place>): string {
  if (typeof result !== 'string') throw new Error(english(result.words))
  return result
}

/** Wolves that hunt: an agent with a process in it, two steps and the flow between. */
function wolves() {
  const doc = newDocument('Wolves')
  const [main = ''] = readModel(doc).scenarios
  const wolf = made(place(doc, { kind: 'agent', parent: main, at: [0, 0], values: { name: 'Wolf' } }))
  const hunt = made(place(doc, { kind: 'process', parent: wolf, at: [0, 0], values: { name: 'Hunt' } }))
  const start = made(place(doc, { kind: 'start', parent: hunt, at: [0, 0] }))
  const eat = made(place(doc, { kind: 'compute', parent: hunt, at: [200, 0], values: { name: 'Eat', program: 'energy += 1' } }))
  const flow = made(connect(doc, { kind: 'flow', from: start, to: eat }))
  return { doc, main, wolf, hunt, start, eat, flow }
}

const told = (before: HoloFile, after: HoloFile): string[] =>
  changesBetween(modelOfFile(before), modelOfFile(after)).map(
    ({ id, sort, fields, moved, reparented, reconnected }) =>
      `${sort} ${id} ${[...fields.map(field => field.id), ...(moved ? ['moved'] : []), ...(reparented ? ['reparented'] : []), ...(reconnected ? ['reconnected'] : [])].join(' ')}`,
  )

describe('who changed an element last', () => {
  it('is told by field, by the version that has it first, with the proposal that was accepted; what no version has is said', async () => {
    const { doc, eat } = wolves()
    const contents = new Map<string, HoloFile>()
    const versions: Version[] = []
    const keep = (id: string, person: string, origin: Version['origin'] = null): void => {
      contents.set(id, fileOf(doc))
      versions.unshift({ id, where: 'device', kind: 'auto', name: null, remark: '', people: [person], at: `2026-01-0${id}`, origin })
    }
    const blamed = async (): Promise<string[]> =>
      (await blameOf(eat, readModel(doc), versions, async ({ id }) => modelOfFile(contents.get(id)!))).map(
        ({ what, since }) =>
          `${what} ${typeof since === 'string' ? since : `${since.id} ${since.people.join()} ${since.origin?.proposal ?? ''}`}`,
      )
    expect(await blamed()).toEqual(['made now'])
    keep('1', 'Ann')
    expect(await blamed()).toEqual(['made before'])
    setText(doc, eat, 'program', 'energy += 2')
    expect(await blamed()).toEqual(['made before', 'program now'])
    keep('2', 'Bob', { proposal: 'p1', by: { kind: 'copilot', name: 'qwen' }, title: { verbatim: 'More food' } })
    rename(doc, eat, 'Feed')
    keep('3', 'Ann')
    move(doc, [{ id: eat, geo: [300, 0, 120, 72] }])
    expect((await blamed()).toSorted()).toEqual(['made before', 'name 3 Ann ', 'place now', 'program 2 Bob p1'])
    // Changed away and back: the one who changed it back.
    setText(doc, eat, 'program', 'energy += 1')
    keep('4', 'Mei')
    expect(await blamed()).toContain('program 4 Mei ')
    // One that an early version does not have was made by the next.
    const wolf = readModel(doc).elements.get(eat)!.parent!
    const late = made(place(doc, { kind: 'compute', parent: wolf, at: [900, 0] }))
    keep('5', 'Zoe')
    keep('6', 'Ann')
    expect(await blameOf(late, readModel(doc), versions, async ({ id }) => modelOfFile(contents.get(id)!))).toMatchObject([
      { what: 'made', since: { id: '5', people: ['Zoe'] } },
    ])
  })
})

describe('differences', () => {
  it('are named by element and field, with the values before and after; nothing differs from itself', () => {
    const { doc, main, wolf, hunt, eat, flow } = wolves()
    const before = fileOf(doc)
    expect(told(before, before)).toEqual([])
    setText(doc, eat, 'program', 'energy += 2')
    rename(doc, wolf, 'Grey wolf')
    move(doc, [{ id: hunt, geo: [50, 60, 120, 72] }])
    remove(doc, [flow])
    const grass = made(place(doc, { kind: 'variable', parent: main, at: [400, 0] }))
    const after = fileOf(doc)
    expect(told(before, after)).toEqual([
      `changed ${wolf} name`,
      `changed ${hunt} moved`,
      `changed ${eat} program`,
      `added ${grass} `,
      `removed ${flow} `,
    ])
    const [change] = changesBetween(modelOfFile(before), modelOfFile(after)).filter(one => one.id === eat)
    expect(change?.fields[0]).toMatchObject({ id: 'program', before: 'energy += 1', after: 'energy += 2' })
  })

  it('of both contents lie on one canvas, what is gone where it was', () => {
    const { doc, main, wolf, hunt, eat, flow } = wolves()
    const before = fileOf(doc)
    remove(doc, [eat, flow])
    const both = overlaid(modelOfFile(before), modelOfFile(fileOf(doc)))
    expect(both.elements.get(hunt)?.children).toContain(eat)
    remove(doc, [wolf])
    const none = overlaid(modelOfFile(before), modelOfFile(fileOf(doc)))
    expect(none.elements.get(main)?.children).toEqual([wolf])
    expect(none.elements.get(hunt)?.children).toEqual(expect.arrayContaining([eat, flow]))
    expect(new Set(none.elements.get(hunt)?.children).size).toBe(none.elements.get(hunt)?.children.length)
  })

  it('of texts are words taken away and put in, which make both texts again', () => {
    expect(textDiff('energy += 1', 'energy += gain * 2')).toEqual([
      { text: 'energy += ', as: 'same' },
      { text: '1', as: 'removed' },
      { text: 'gain * 2', as: 'added' },
    ])
    expect(textDiff('', 'x')).toEqual([{ text: 'x', as: 'added' }])
    expect(textDiff('same', 'same')).toEqual([{ text: 'same', as: 'same' }])
    const random = chance(5)
    const text = (): string => Array.from({ length: random.below(40) }, () => ['a', 'b', ' ', '+', '\n', '狼'][random.below(6)]).join('')
    for (let i = 0; i < 300; i++) {
      const [a, b] = [text(), text()]
      const parts = textDiff(a, b)
      const side = (out: string): string =>
        parts
          .filter(part => part.as !== out)
          .map(part => part.text)
          .join('')
      expect([side('added'), side('removed')]).toEqual([a, b])
    }
  })
})

describe('bringing back', () => {
  it('only some elements leaves the others as they are now', () => {
    const { doc, wolf, eat } = wolves()
    const before = fileOf(doc)
    setText(doc, eat, 'program', 'energy += 2')
    rename(doc, wolf, 'Grey wolf')
    restore(doc, withChosen(fileOf(doc), readModel(doc), before, [eat]))
    const model = readModel(doc)
    expect(model.elements.get(eat)?.fields['program']).toBe('energy += 1')
    expect(model.elements.get(wolf)?.fields['name']).toBe('Grey wolf')
  })

  it('what was deleted brings what it hangs on and what was in it; what was added since goes with what hangs on it', () => {
    const { doc, main, wolf, hunt, start, eat, flow } = wolves()
    const before = fileOf(doc)
    const grass = made(place(doc, { kind: 'variable', parent: main, at: [400, 0] }))
    const sheep = made(place(doc, { kind: 'agent', parent: main, at: [400, 200] }))
    const graze = made(place(doc, { kind: 'process', parent: sheep, at: [0, 0] }))
    remove(doc, [wolf])
    const flowOnly = withChosen(fileOf(doc), readModel(doc), before, [flow])
    expect(Object.keys(flowOnly.elements)).toEqual(expect.arrayContaining([wolf, hunt, start, eat, flow, grass, sheep, graze]))
    restore(doc, withChosen(fileOf(doc), readModel(doc), before, [wolf, sheep]))
    const model = readModel(doc)
    for (const id of [wolf, hunt, start, eat, flow, grass]) expect(model.elements.has(id), id).toBe(true)
    for (const id of [sheep, graze]) expect(model.elements.has(id), id).toBe(false)
    expect(model.elements.get(flow)?.ends).toMatchObject({ from: { id: start }, to: { id: eat } })
  })

  it('what went along into something new comes back out with what it stands in', () => {
    const { doc, main, hunt, eat, flow } = wolves()
    const before = fileOf(doc)
    const pack = made(place(doc, { kind: 'agent', parent: main, at: [300, 0], values: { name: 'Pack' } }))
    reparent(doc, [hunt], pack)
    const now = fileOf(doc)
    const back = withChosen(now, modelOfFile(now), before, [pack, hunt])
    expect(Object.keys(back.elements)).toEqual(expect.arrayContaining([hunt, eat, flow]))
    expect(told(before, back)).toEqual([])
  })

  it('everything that differs, element by element chosen, is bringing back the whole; for any edits', () => {
    for (let seed = 1; seed <= 12; seed++) {
      const random = chance(seed)
      const { doc } = wolves()
      for (let i = 0; i < 15; i++) randomEdit(doc, random)
      const before = fileOf(doc)
      for (let i = 0; i < 25; i++) randomEdit(doc, random)
      const now = fileOf(doc)
      const all = changesBetween(modelOfFile(before), modelOfFile(now)).map(change => change.id)
      const chosen = changesBetween(modelOfFile(before), modelOfFile(withChosen(now, modelOfFile(now), before, all)))
      expect(
        chosen.map(change => change.sort),
        `seed ${seed}`,
      ).toEqual([])
    }
  })
})

type FakeSession = Session & { lamp(server: Lamps['server']): void }

function session(doc: Y.Doc, local: boolean, undo = createUndo(doc)): FakeSession {
  const lamps = createStore<Lamps>(() => ({ device: 'saved', server: local ? 'none' : 'saved', others: 0 }))
  const parts: Partial<FakeSession> = {
    docId: 'doc-1',
    doc,
    target: { docId: 'doc-1', local, user: { id: 'ann', name: 'Ann' } },
    writable: true,
    lamps,
    undo,
    lamp: server => lamps.setState({ server }),
  }
  return parts as FakeSession
}

const silent: VersionServer = {
  list: () => Promise.reject(new ApiError('network', 0)),
  content: () => Promise.reject(new ApiError('network', 0)),
  keep: () => Promise.reject(new ApiError('network', 0)),
  bring: () => Promise.reject(new ApiError('network', 0)),
  note: () => Promise.reject(new ApiError('network', 0)),
  remove: () => Promise.reject(new ApiError('network', 0)),
}

describe('versions', () => {
  it('of a document on this device are kept here, named, restored as one step that can be undone, and deleted', async () => {
    const { doc, eat } = wolves()
    const undo = createUndo(doc)
    const versions = new Versions(session(doc, true, undo), silent)
    expect(await versions.keep('named', 'First', 'as it was')).toBe('device')
    setText(doc, eat, 'program', 'energy += 2')
    const changed = printFile(fileOf(doc))
    const { versions: list, server } = await versions.list()
    expect(server).toBe('none')
    expect(list).toMatchObject([{ name: 'First', remark: 'as it was', people: ['Ann'], where: 'device', kind: 'named' }])
    const [first] = list
    if (!first) throw new Error('no version')
    await versions.restore(first)
    expect(readModel(doc).elements.get(eat)?.fields['program']).toBe('energy += 1')
    undo.undo()
    expect(printFile(fileOf(doc))).toBe(changed)
    expect((await versions.list()).versions.map(version => version.kind)).toEqual(['before-restore', 'named'])
    await versions.note(first, { name: 'Renamed' })
    await versions.remove(first)
    expect((await versions.list()).versions.map(version => version.name)).toEqual([null])
    undo.destroy()
  })

  it('without the server are kept on this device, and the list says so', async () => {
    const { doc } = wolves()
    const page = session(doc, false)
    const versions = new Versions(page, silent)
    expect(await versions.keep('named', 'Cut off')).toBe('device')
    expect(await versions.list()).toMatchObject({ server: 'unreachable', versions: [{ where: 'device', name: 'Cut off' }] })
    const refusing = new Versions(page, { ...silent, list: () => Promise.reject(new ApiError('no-permission', 403)) })
    expect((await refusing.list()).server).toBe('refused')
  })

  it('kept without the server go there when it is back, each once, with when they were kept; a refused one stays', async () => {
    const { doc, eat } = wolves()
    const page = session(doc, false)
    const versions = new Versions(page, silent)
    await versions.keep('named', 'Cut off', 'on the train')
    const then = printFile(fileOf(doc))
    setText(doc, eat, 'program', 'energy += 9')
    await versions.keep('before-restore', null)
    page.lamp('offline')
    expect(await versions.bring()).toBe(false)
    page.lamp('saved')
    await expect(versions.bring()).rejects.toThrow(ApiError)
    const brought: { name?: string; kind: string; at: string; holo: string }[] = []
    const server: VersionServer = {
      ...silent,
      bring: async (_doc, { name, kind, at }, content) => {
        if (kind === 'before-restore') throw new ApiError('limit-reached', 409)
        const copy = new Y.Doc()
        Y.applyUpdate(copy, content)
        brought.push({ kind, at, holo: printFile(fileOf(copy)), ...(name === undefined ? {} : { name }) })
      },
    }
    const back = new Versions(page, server)
    expect(await back.bring()).toBe(true)
    expect(brought).toMatchObject([{ kind: 'named', name: 'Cut off', holo: then }])
    expect(Date.parse(brought[0]?.at ?? '')).toBeLessThanOrEqual(Date.now())
    expect((await back.list()).versions.map(version => version.kind)).toEqual(['before-restore'])
  })

  it('versions kept offline: one that the server refuses for good holds up none of those after it', async () => {
    const { doc, eat } = wolves()
    const page = session(doc, false)
    const versions = new Versions(page, silent)
    for (const name of ['first', 'too large', 'last']) {
      await versions.keep('named', name)
      setText(doc, eat, 'program', `energy += ${name.length}`)
    }
    page.lamp('saved')
    const asked: (string | undefined)[] = []
    const server: VersionServer = {
      ...silent,
      bring: async (_doc, { name }) => {
        asked.push(name)
        if (name === 'too large') throw new ApiError('too-large', 413)
      },
    }
    const back = new Versions(page, server)
    expect(await back.bring()).toBe(true)
    expect(asked).toEqual(['first', 'too large', 'last'])
    expect(await back.bring(), 'the refused one is not sent again').toBe(false)
    expect(asked).toHaveLength(3)
    expect((await back.list()).versions.map(version => version.name)).toEqual(['too large'])
  })

  it('what was accepted of a proposal is one entry that says whose it was; no named one, also offline, and told to the server', async () => {
    const { doc, eat } = wolves()
    const page = session(doc, false)
    const versions = new Versions(page, silent)
    const branch = forkDocument(doc)
    setText(branch, eat, 'program', 'energy += 2')
    const grass = made(place(branch, { kind: 'variable', parent: readModel(branch).scenarios[0]!, at: [400, 0] }))
    const note = { problems: { before: 0, after: 0 }, run: null }
    const about = { id: 'proposal-1', title: 'Better food', why: '', by: { kind: 'copilot', name: 'Ollama, qwen' }, at: 1, note } as const
    const proposal = proposalOf(doc, branch, about)
    if (isRefusal(proposal)) throw new Error('refused')
    page.lamp('offline')
    for (const id of [eat, grass]) {
      accept(doc, proposal, [id])
      await keepAccepted(page, proposal)
    }
    const origin = { proposal: 'proposal-1', by: { kind: 'copilot', name: 'Ollama, qwen' }, title: { verbatim: 'Better food' } }
    const [entry, ...more] = (await versions.list()).versions
    expect(more).toEqual([])
    expect(entry).toMatchObject({ kind: 'auto', name: null, people: ['Ann'], where: 'device', origin })
    expect(printFile(await versions.content(entry!))).toBe(printFile(fileOf(doc)))
    page.lamp('saved')
    const brought: KeptVersion[] = []
    const back = new Versions(page, { ...silent, list: async () => [], bring: async (_doc, version) => void brought.push(version) })
    expect(await back.bring()).toBe(true)
    expect(brought).toMatchObject([{ kind: 'auto', origin }])
    expect((await back.list()).versions).toEqual([])
    expect(readOrigin({ ...origin, by: { kind: 'nobody', name: '' } })).toBeNull()
    expect(originOf({ ...proposal, title: 'x'.repeat(2000) }).title).toEqual({ verbatim: 'x'.repeat(200) })
  })

  it('of the server are read once, and restored by an edit here', async () => {
    const { doc, eat } = wolves()
    const update = Y.encodeStateAsUpdate(doc)
    setField(doc, eat, 'name', 'Devour')
    let asked = 0
    const kept: string[] = []
    const server: VersionServer = {
      ...silent,
      list: async () => [
        {
          id: 'v1',
          kind: 'auto',
          name: null,
          remark: '',
          author: null,
          people: ['Bob'],
          at: '2026-01-01T00:00:00.000Z',
          epoch: 'e',
          seq: 1,
          bytes: 9,
          origin: null,
        },
      ],
      content: async () => (asked++, update),
      keep: async (_doc, version) => void kept.push(version.kind),
    }
    const versions = new Versions(session(doc, false), server)
    const [version] = (await versions.list()).versions
    if (!version) throw new Error('no version')
    expect(version.people).toEqual(['Bob'])
    await versions.content(version)
    await versions.restore(version, [eat])
    expect(asked).toBe(1)
    expect(kept).toEqual(['before-restore'])
    expect(readModel(doc).elements.get(eat)?.fields['name']).toBe('Eat')
  })

  it('kept by themselves are kept only when something changed, and not too many', async () => {
    const { doc, wolf } = wolves()
    const versions = new Versions(session(doc, true), silent)
    await versions.keepHere('auto', null)
    await versions.keepHere('auto', null)
    expect((await versions.list()).versions).toHaveLength(1)
    await versions.keepHere('named', 'Stays')
    for (let i = 0; i < 40; i++) {
      rename(doc, wolf, `Wolf ${i}`)
      await versions.keepHere('auto', null)
    }
    const { versions: list } = await versions.list()
    expect(list.filter(version => version.kind === 'auto')).toHaveLength(30)
    expect(list.filter(version => version.kind === 'named')).toHaveLength(1)
  })
})
