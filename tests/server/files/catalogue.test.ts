// The catalogue beyond the basics: tags, covers, favourites, search, order and pages, moves between workspaces, models in use,
// subtrees in the trash; with bad data.
import { randomBytes } from 'node:crypto'
import { Client } from 'pg'
import { describe, expect, it, vi } from 'vitest'
import * as Y from 'yjs'
import { CLOSE, MESSAGE } from '../../../sync-server/protocol.ts'
import { ann, bob, newId, server, startCompany } from '../../help/network/company.ts'
import { refusal } from '../../help/network/refusal.ts'
import type { Person } from '../../help/server.ts'

startCompany()

const names = async (person: Person, query: string): Promise<string[]> =>
  (await person.must('GET', `/api/files?${query}`)).files.map((file: { name: string }) => file.name)
async function make(kind: string, name: string, more: object = {}, who = ann): Promise<string> {
  return (await who.must('POST', '/api/files', { id: newId('file'), kind, name, ...more })).id
}
const team = async (name: string, who = ann): Promise<string> =>
  (await who.must('POST', '/api/workspaces', { id: newId('file'), type: 'team', name })).id
const png = (): Buffer => Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), randomBytes(100)])

describe('tags', () => {
  it('belong to sets; a file carries at most one of each set of its workspace', async () => {
    const [status, method] = [await make('tag-set', 'Status'), await make('tag-set', 'Method')]
    const [draft, done, abm] = [newId('file'), newId('file'), newId('file')]
    await ann.must('PUT', `/api/tags/${status}/${draft}`, { name: 'Draft', color: '#ff0000' })
    await ann.must('PUT', `/api/tags/${status}/${done}`, { name: 'Done', place: 1 })
    await ann.must('PUT', `/api/tags/${method}/${abm}`, { name: 'Agents' })
    expect(await refusal(ann, 'PUT', `/api/tags/${status}/${newId('file')}`, { name: 'draft' })).toBe('name-taken')
    expect(await refusal(ann, 'PUT', `/api/tags/${status}/${newId('file')}`, { name: ' ' })).toBe('invalid-params')
    expect(await refusal(ann, 'PUT', `/api/tags/${status}/${newId('file')}`, { name: 'x', color: 'javascript:' })).toBe('invalid-params')
    expect(await refusal(ann, 'PUT', `/api/tags/${method}/${draft}`, { name: 'Stolen' })).toBe('id-taken')
    expect(await refusal(bob, 'PUT', `/api/tags/${status}/${newId('file')}`, { name: 'x' })).toBe('not-found')
    const file = await ann.file('Tagged')
    expect(await refusal(ann, 'PUT', `/api/files/${file}/tags`, { tags: [draft, done] })).toBe('tag-invalid')
    expect(await refusal(ann, 'PUT', `/api/files/${file}/tags`, { tags: [newId('file')] })).toBe('tag-invalid')
    expect(
      (await ann.must('PUT', `/api/files/${file}/tags`, { tags: [draft, abm] })).tags.map((tag: { name: string }) => tag.name),
    ).toEqual(['Agents', 'Draft'])
    expect((await ann.must('PUT', `/api/files/${file}/tags`, { tags: [done] })).tags).toEqual([
      { id: done, set: status, name: 'Done', color: '' },
    ])
    expect(await names(ann, `tag=${done}`)).toEqual(['Tagged'])
    expect((await ann.must('GET', `/api/tags/${status}`)).tags).toMatchObject([
      { name: 'Draft', files: 0 },
      { name: 'Done', files: 1 },
    ])
    await ann.must('DELETE', `/api/tags/${status}/${done}`)
    expect((await ann.must('GET', `/api/files/${file}`)).tags).toEqual([])
    expect(await refusal(ann, 'DELETE', `/api/tags/${status}/${done}`)).toBe('not-found')
  })
})

describe('libraries', () => {
  it('hold blocks and nothing else, whether created there or moved', async () => {
    const library = await make('library', 'Parts')
    const block = await make('block', 'Pump', { parent: library })
    expect(await names(ann, `of=folder&parent=${library}`)).toEqual(['Pump'])
    expect(await refusal(ann, 'POST', '/api/files', { id: newId('file'), kind: 'model', name: 'No', parent: library })).toBe(
      'folder-invalid',
    )
    const model = await ann.file('No block')
    expect(await refusal(ann, 'POST', `/api/files/${model}/move`, { parent: library })).toBe('folder-invalid')
    await ann.must('POST', `/api/files/${block}/move`, { parent: null })
    await ann.must('POST', `/api/files/${block}/move`, { parent: library })
    expect((await ann.must('GET', `/api/files/${block}`)).parent).toBe(library)
  })
})

describe('what a plan allows', () => {
  it('is told beside what is used', async () => {
    const cid = await server.person('Cid')
    await cid.file('One')
    await make('block', 'Two', {}, cid)
    await make('folder', 'Free of charge', {}, cid)
    const { level, until, used } = await cid.must('GET', '/api/accounts/usage')
    expect([level, until]).toEqual(['unlimited', null])
    const files = { storageGB: 0, files: 2, blocks: 1, workspaces: 1, teams: 0, organizations: 0, embeds: 0 }
    expect(used).toEqual({ ...files, cloudHoursPerYear: 0, copilotTokensPerMonth: 0, remoteRuns: 0, resultStorageGB: 0 })
  })
})

describe('covers and pictures', () => {
  it('that the editor draws replace one another, also in copies, but never a cover that somebody chose', async () => {
    const file = await ann.file('Drawn')
    const put = (id: string, path: string): Promise<{ cover: string }> =>
      ann.must('PUT', `/api/files/${id}/${path}`, png(), { 'content-type': 'image/png' })
    const coverOf = async (id: string): Promise<string | null> => (await ann.must('GET', `/api/files/${id}`)).cover
    const first = await put(file, 'drawn/cover')
    const second = await put(file, 'drawn/cover')
    expect(second.cover).not.toBe(first.cover)
    expect(await coverOf(file)).toBe(second.cover)
    const copy = newId('file')
    await ann.must('POST', `/api/files/${file}/duplicate`, { id: copy })
    expect(await coverOf(copy)).toBe(second.cover)
    expect((await put(copy, 'drawn/cover')).cover).not.toBe(second.cover)
    const chosen = await put(file, 'cover')
    expect((await put(file, 'drawn/cover')).cover).toBe(chosen.cover)
    expect(await coverOf(file)).toBe(chosen.cover)
    await ann.must('DELETE', `/api/files/${file}/cover`)
    const anew = await put(file, 'drawn/cover')
    expect(await coverOf(file)).toBe(anew.cover)
    expect(await refusal(bob, 'PUT', `/api/files/${file}/drawn/cover`)).toBe('not-found')
  })

  it('are jpeg or png of at most 5 MB, seen by those who see the file, and copied with it', async () => {
    const file = await ann.file('Covered')
    const path = `/api/files/${file}/cover`
    expect(await refusal(ann, 'GET', path)).toBe('not-found')
    const bytes = png()
    const { cover } = await ann.must('PUT', path, bytes, { 'content-type': 'image/png' })
    expect((await ann.must('GET', `/api/files/${file}`)).cover).toBe(cover)
    const response = await fetch(server.url + path, { headers: { cookie: ann.cookie } })
    expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true)
    expect([response.headers.get('etag'), response.headers.get('x-content-type-options')]).toEqual([`"${cover}"`, 'nosniff'])
    expect((await ann.call('GET', path, undefined, { 'if-none-match': `"${cover}"` })).status).toBe(304)
    expect(await refusal(bob, 'GET', path)).toBe('not-found')
    const copy = newId('file')
    expect(await ann.must('POST', `/api/files/${file}/duplicate`, { id: copy })).toMatchObject({ cover })
    await ann.must('DELETE', path)
    expect((await ann.call('GET', `/api/files/${copy}/cover`)).status).toBe(200)
    for (const bad of [new Uint8Array(0), Buffer.from('GIF89a'.padEnd(100)), Buffer.from('<html>'.padEnd(100))])
      expect((await ann.call('PUT', path, bad, { 'content-type': 'image/png' })).json.code).toBe('image-invalid')
    expect((await ann.call('PUT', path, Buffer.concat([png(), Buffer.alloc(5 << 20)]), { 'content-type': 'image/png' })).json.code).toBe(
      'too-large',
    )
    const jpeg = Buffer.concat([Buffer.from('ffd8ffe0', 'hex'), randomBytes(100)])
    await ann.must('PUT', '/api/accounts/avatar', jpeg, { 'content-type': 'image/jpeg' })
    expect((await ann.call('GET', '/api/accounts/avatar')).headers.get('content-type')).toBe('image/jpeg')
    const { avatar } = (await ann.must('GET', '/api/accounts/session')).user
    expect((await bob.call('GET', `/api/accounts/avatar/${ann.id}`)).headers.get('etag')).toBe(`"${avatar}"`)
    expect(await refusal(ann, 'GET', `/api/accounts/avatar/${bob.id}`)).toBe('not-found')
    expect((await ann.must('GET', `/api/workspaces/${ann.team}/members`)).members).toMatchObject([{ id: ann.id, avatar }])
  })
})

describe('finding', () => {
  it('searches names, remarks, tags and texts of elements in all one’s workspaces, and nowhere else', async () => {
    const lab = await team('Search lab')
    const wolves = await ann.file('Wolves and sheep', { team: lab })
    await ann.must('PATCH', `/api/files/${wolves}`, { remark: 'after Wilensky 1997, 100% sure' })
    const clinic = await ann.file('Clinic')
    const doc = new Y.Doc()
    doc.getMap('kind').set('a', 'agent')
    doc.getMap('data').set('a/name', 'Triage nurse')
    const epoch = (await ann.call('GET', `/api/docs/${clinic}/state`)).headers.get('x-epoch') ?? ''
    await ann.must('POST', `/api/docs/${clinic}/updates`, Y.encodeStateAsUpdate(doc), { 'x-epoch': epoch })
    await server.rooms.log.compact(clinic)
    await bob.file('Wolves of Bob')
    const search = (q: string): Promise<string[]> => names(ann, `of=search&q=${encodeURIComponent(q)}`)
    expect(await search('WOLVES')).toEqual(['Wolves and sheep'])
    expect(await search('sheep wilensky')).toEqual(['Wolves and sheep'])
    expect(await search('triage')).toEqual(['Clinic'])
    expect(await search('100%')).toEqual(['Wolves and sheep'])
    for (const q of ['w_lves', '%%%x', "' or 1=1 --", '\\', 'triage wolves']) expect(await search(q), q).toEqual([])
    expect(await names(ann, `of=search&q=wolves&team=${ann.team}`)).toEqual([])
    expect(await refusal(ann, 'GET', `/api/files?of=search&q=${'x'.repeat(201)}`)).toBe('invalid-params')
    await ann.must('POST', `/api/files/${wolves}/trash`)
    expect(await search('wolves')).toEqual([])
  })

  it('sorts and pages without repeating or missing', async () => {
    const shelf = await team('Shelf')
    for (const name of ['beta', 'Alpha', 'gamma', 'Delta', 'epsilon']) await ann.file(name, { team: shelf })
    const all = `of=folder&team=${shelf}&sort=name`
    expect(await names(ann, all)).toEqual(['Alpha', 'beta', 'Delta', 'epsilon', 'gamma'])
    expect(await names(ann, `${all}&descending=1`)).toEqual(['gamma', 'epsilon', 'Delta', 'beta', 'Alpha'])
    const seen: string[] = []
    for (let offset: number | null = 0; offset !== null;) {
      const page: { files: { name: string }[]; next: number | null } = await ann.must(
        'GET',
        `/api/files?of=folder&team=${shelf}&limit=2&offset=${offset}`,
      )
      seen.push(...page.files.map(file => file.name))
      offset = page.next
    }
    expect(seen).toEqual(['epsilon', 'Delta', 'gamma', 'Alpha', 'beta'])
    for (const bad of ['limit=0', 'limit=x', 'offset=-1', 'sort=price', 'kind=virus', 'of=everything'])
      expect(await refusal(ann, 'GET', `/api/files?${bad}`)).toBe('invalid-params')
  })

  it('keeps favourites per person; starred blocks are favourites of that kind', async () => {
    const [model, block] = [await ann.file('Liked'), await make('block', 'Liked block')]
    await ann.must('PUT', `/api/files/${model}/favourite`, { on: true })
    await ann.must('PUT', `/api/files/${block}/favourite`, { on: true })
    await ann.must('PUT', `/api/files/${block}/favourite`, { on: true })
    expect(await names(ann, 'of=favourites&sort=name')).toEqual(['Liked', 'Liked block'])
    expect(await names(ann, 'of=favourites&kind=block')).toEqual(['Liked block'])
    await ann.must('PUT', `/api/files/${block}/favourite`, { on: false })
    expect(await names(ann, 'of=favourites&kind=block')).toEqual([])
    expect(await refusal(bob, 'PUT', `/api/files/${model}/favourite`, { on: true })).toBe('not-found')
  })
})

describe('moving', () => {
  it('needs another place; goes to other workspaces with everything inside, where one may create', async () => {
    const [from, to] = [await team('From'), await team('To')]
    const folder = await make('folder', 'Travelling', { team: from })
    const inside = await ann.file('Inside', { team: from, parent: folder })
    const [set, tag] = [await make('tag-set', 'Stays', { team: from }), newId('file')]
    await ann.must('PUT', `/api/tags/${set}/${tag}`, { name: 'Stays' })
    await ann.must('PUT', `/api/files/${inside}/tags`, { tags: [tag] })
    expect(await refusal(ann, 'POST', `/api/files/${folder}/move`, { parent: null })).toBe('same-place')
    expect(await refusal(ann, 'POST', `/api/files/${folder}/move`, { parent: folder })).toBe('folder-invalid')
    expect(await refusal(ann, 'POST', `/api/files/${folder}/move`, { team: bob.team, parent: null })).toBe('not-found')
    await server.database.db.insertInto('collaborator').values({ file_id: inside, user_id: bob.id, role: 'viewer' }).execute()
    const socket = await bob.socket(inside)
    await socket.message(MESSAGE.hello)
    await ann.must('PATCH', `/api/workspaces/${to}`, { switches: { externalAccess: false } })
    expect(await ann.must('POST', `/api/files/${folder}/move`, { team: to, parent: null })).toMatchObject({ team: to, parent: null })
    expect(await ann.must('GET', `/api/files/${inside}`)).toMatchObject({ team: to, parent: folder, tags: [] })
    expect(await socket.closed()).toBe(CLOSE.noAccess)
    await make('folder', 'Travelling', { team: from })
    expect(await refusal(ann, 'POST', `/api/files/${folder}/move`, { team: from, parent: null })).toBe('name-taken')
    expect(await ann.must('POST', `/api/files/${folder}/move`, { team: from, parent: null, taken: 'number' })).toMatchObject({
      name: 'Travelling (2)',
    })
    await ann.must('PATCH', `/api/workspaces/${from}`, { switches: { copyFiles: false } })
    expect(await refusal(ann, 'POST', `/api/files/${folder}/move`, { team: to, parent: null })).toBe('no-permission')
  })

  it('at once from both sides never closes a circle', async () => {
    for (let round = 0; round < 5; round++) {
      const [a, b] = [await make('folder', `A${round}`), await make('folder', `B${round}`)]
      const moves = await Promise.all([
        ann.call('POST', `/api/files/${a}/move`, { parent: b }),
        ann.call('POST', `/api/files/${b}/move`, { parent: a }),
      ])
      expect(moves.map(({ status }) => status).sort()).toEqual([200, 400])
    }
  })
})

describe('models and experiments', () => {
  it('a model that a dashboard or chart shows cannot be deleted before it, and the refusal names who uses it', async () => {
    const [model, other, page] = [await ann.file('Shown'), await ann.file('Also shown'), await make('dashboard', 'Wall')]
    const note = (models: string[], id = page) => ann.call('PUT', `/api/files/${id}/models`, { models })
    expect((await note([model], model)).json.code).toBe('invalid-params')
    expect((await bob.call('PUT', `/api/files/${page}/models`, { models: [] })).json.code).toBe('not-found')
    expect((await note(Array.from({ length: 51 }, newId))).json.code).toBe('invalid-params')
    const strange = await bob.file('Of Bob alone')
    expect((await note([model, other, model, page, strange, newId('file')])).status).toBe(200)
    const { json } = await ann.call('POST', `/api/files/${model}/trash`)
    expect(json).toMatchObject({ code: 'model-in-use', issues: [{ path: 'Wall' }] })
    expect(await refusal(ann, 'POST', `/api/files/${other}/trash`)).toBe('model-in-use')
    await bob.must('POST', `/api/files/${strange}/trash`)
    // It is listed once, and is linked to no model of its own.
    const listed = (await ann.must('GET', '/api/files?limit=200')).files.filter((file: { id: string }) => file.id === page)
    expect(listed).toMatchObject([{ model: null }])
    expect((await note([other])).status).toBe(200)
    await ann.must('POST', `/api/files/${model}/trash`)
    await ann.must('POST', `/api/files/${page}/trash`)
    await ann.must('POST', `/api/files/${other}/trash`)
    expect(await refusal(ann, 'DELETE', `/api/files/${other}`)).toBe('model-in-use')
    await ann.must('DELETE', `/api/files/${page}`)
    await ann.must('DELETE', `/api/files/${other}`)
  })

  it('an experiment is linked once; its model cannot be deleted before it', async () => {
    const [model, other, experiment] = [await ann.file('Base'), await ann.file('Other base'), await make('experiment', 'Sweep')]
    expect(await refusal(ann, 'PUT', `/api/files/${experiment}/model`, { model: experiment })).toBe('invalid-params')
    expect(await refusal(ann, 'PUT', `/api/files/${model}/model`, { model: other })).toBe('invalid-params')
    expect(await refusal(ann, 'PUT', `/api/files/${experiment}/model`, { model: await bob.file('Of Bob') })).toBe('not-found')
    expect(await ann.must('PUT', `/api/files/${experiment}/model`, { model })).toMatchObject({ model })
    await ann.must('PUT', `/api/files/${experiment}/model`, { model })
    expect(await refusal(ann, 'PUT', `/api/files/${experiment}/model`, { model: other })).toBe('model-linked')
    expect(await refusal(ann, 'POST', `/api/files/${model}/trash`)).toBe('model-in-use')
    await ann.must('POST', `/api/files/${experiment}/trash`)
    await ann.must('POST', `/api/files/${model}/trash`)
    expect(await refusal(ann, 'DELETE', `/api/files/${model}`)).toBe('model-in-use')
    await ann.must('POST', `/api/files/${experiment}/restore`)
    const { kept } = await ann.must('POST', `/api/workspaces/${ann.team}/empty-trash`)
    expect(kept).toBe(1)
    expect(await names(ann, `of=trash&team=${ann.team}`)).toEqual(['Base'])
    await ann.must('POST', `/api/files/${experiment}/trash`)
    await ann.must('DELETE', `/api/files/${experiment}`)
    await ann.must('DELETE', `/api/files/${model}`)
  })

  it('a folder with both goes as a whole', async () => {
    const folder = await make('folder', 'Study')
    const model = await ann.file('M', { parent: folder })
    const experiment = await make('experiment', 'E', { parent: folder })
    await ann.must('PUT', `/api/files/${experiment}/model`, { model })
    await ann.must('POST', `/api/files/${folder}/trash`)
    await ann.must('DELETE', `/api/files/${folder}`)
    for (const file of [folder, model, experiment]) expect(await refusal(ann, 'GET', `/api/files/${file}`)).toBe('not-found')
  })
})

describe('the trash', () => {
  it('closes the documents of a whole subtree, and emptying it deletes them', async () => {
    const folder = await make('folder', 'Deep')
    const inner = await make('folder', 'Deeper', { parent: folder })
    const model = await ann.file('Deepest', { parent: inner })
    expect(await ann.must('GET', `/api/files/${folder}/inside`)).toEqual({ files: 2 })
    await ann.must('POST', `/api/files/${model}/collaborators`, { email: bob.email, role: 'editor' })
    const socket = await bob.socket(model)
    await socket.message(MESSAGE.hello)
    await ann.must('POST', `/api/files/${folder}/trash`)
    expect(await socket.closed()).toBe(CLOSE.noAccess)
    await ann.must('POST', `/api/files/${folder}/trash`)
    expect(await names(ann, `of=trash&kind=model&team=${ann.team}`)).toEqual(['Deepest'])
    const own = await ann.socket(model)
    expect((await own.notice(MESSAGE.hello)).role).toBe('viewer')
    expect((await ann.must('POST', `/api/workspaces/${ann.team}/empty-trash`)).deleted).toBeGreaterThanOrEqual(3)
    expect(await own.closed()).toBe(CLOSE.noDocument)
    expect(await names(ann, `of=trash&team=${ann.team}`)).toEqual([])
  })

  it('takes a folder of 2,000 files in one go, and lets it go', async () => {
    /** How many statements it takes to trash a folder of so many files and to delete it. */
    const statements = async (files: number): Promise<number> => {
      const folder = await make('folder', `Of ${files}`)
      const rows = Array.from({ length: files }, (_, i) => ({
        id: newId('file'),
        workspace_id: ann.team,
        parent_id: folder,
        kind: 'model',
        name: `m${i}`,
        creator_id: ann.id,
      }))
      await server.database.db.insertInto('file').values(rows).execute()
      const left = () =>
        server.database.db
          .selectFrom('file')
          .select('trashed_at')
          .where(
            'id',
            'in',
            rows.map(row => row.id),
          )
          .execute()
      const asked = vi.spyOn(Client.prototype, 'query')
      await ann.must('POST', `/api/files/${folder}/trash`)
      const trashing = asked.mock.calls.length
      expect((await left()).filter(row => row.trashed_at !== null)).toHaveLength(files)
      asked.mockClear()
      await ann.must('DELETE', `/api/files/${folder}`)
      const deleting = asked.mock.calls.length
      asked.mockRestore()
      expect(await left()).toEqual([])
      expect(trashing).toBeGreaterThan(0)
      return trashing + deleting
    }
    const few = await statements(2)
    // A few more at most: not one for each file.
    expect(await statements(2000)).toBeLessThan(few + 20)
  })
})
