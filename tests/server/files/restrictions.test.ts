// Restrictions of single people on files and folders: what they still can, by every way in, at once.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { CLOSE, MESSAGE } from '../../../sync-server/protocol.ts'
import { newId } from '../../help/network/company.ts'
import { write } from '../../help/network/market.ts'
import { newDocument } from '../../../model-schema/document.ts'
import { startServer, useDatabase } from '../../help/server.ts'
import type { Person, TestServer } from '../../help/server.ts'

const suite = useDatabase()
let server: TestServer
let ann: Person
let eve: Person
let team: string

beforeAll(async () => {
  server = await startServer(suite.connection)
  ann = await server.person('Ann')
  eve = await server.person('Eve')
  team = (await ann.must('POST', '/api/workspaces', { id: newId(), type: 'team', name: 'Team' })).id
  await server.database.db.insertInto('workspace_member').values({ workspace_id: team, user_id: eve.id, role: 'editor' }).execute()
})
afterAll(() => server?.stop())

async function modelIn(parent: string | null = null): Promise<string> {
  const file = await ann.file(newId(), { team, parent })
  await write(ann, file, newDocument('Model'))
  return file
}
async function folder(): Promise<string> {
  const id = newId()
  await ann.must('POST', '/api/files', { id, kind: 'folder', name: id, team })
  return id
}
const restrict = (file: string, rule: string | null, who = ann) => who.call('PUT', `/api/files/${file}/restrictions/${eve.id}`, { rule })
const status = async (method: string, path: string, body?: unknown): Promise<number> => (await eve.call(method, path, body)).status
const listed = async (file: string): Promise<boolean> =>
  (await eve.must('GET', '/api/files?of=all')).files.some((one: { id: string }) => one.id === file)

it('only view: an editor looks and runs, and neither changes, comments nor copies', async () => {
  const file = await modelIn()
  const socket = await eve.socket(file)
  expect((await socket.notice(MESSAGE.hello)).role).toBe('editor')
  expect((await restrict(file, 'only-view')).status).toBe(200)
  expect((await socket.notice(MESSAGE.role)).role).toBe('viewer')
  socket.close()
  expect(await eve.must('GET', `/api/files/${file}`)).toMatchObject({ role: 'viewer', onlyView: true })
  expect(await status('GET', `/api/docs/${file}/state`)).toBe(200)
  expect(await status('PATCH', `/api/files/${file}`, { name: 'Hers' })).toBe(403)
  expect(await status('POST', `/api/files/${file}/duplicate`, { id: newId() })).toBe(403)
  expect(await status('POST', `/api/files/${file}/duplicate`, { id: newId(), team: eve.team })).toBe(403)
  expect(await status('POST', `/api/files/${file}/trash`)).toBe(403)
  const comment = { id: newId(), body: JSON.stringify({ type: 'doc', content: [] }) }
  const thread = { id: newId(), anchor: { canvas: 'c', element: null, x: 0, y: 0, at: [0, 0], name: '' }, comment }
  expect(await status('POST', `/api/docs/${file}/threads`, thread)).toBe(403)
  await restrict(file, null)
  expect((await eve.must('GET', `/api/files/${file}`)).role).toBe('editor')
})

it('a link that lets copy lifts no restriction', async () => {
  const file = await modelIn()
  const { code } = await ann.must('POST', `/api/files/${file}/links`, { role: 'viewer', mayCopy: true })
  const copy = () => status('POST', `/api/files/${file}/duplicate`, { id: newId(), team: eve.team, share: code })
  expect(await copy()).toBe(201)
  expect(await eve.must('POST', `/api/share/${code}/open`)).toMatchObject({ mayCopy: true })
  await restrict(file, 'only-view')
  expect(await copy()).toBe(403)
  expect(await eve.must('POST', `/api/share/${code}/open`)).not.toHaveProperty('mayCopy')
  await restrict(file, 'cannot-view')
  expect(await copy()).toBe(404)
})

it('cannot view: it does not exist for them, by no way in, and open sockets close at once', async () => {
  const file = await modelIn()
  const socket = await eve.socket(file)
  await socket.message(MESSAGE.hello)
  const { code } = await ann.must('POST', `/api/files/${file}/links`, { role: 'editor' })
  await restrict(file, 'cannot-view')
  expect(await socket.closed()).toBe(CLOSE.noAccess)
  expect(await listed(file)).toBe(false)
  for (const path of [`files/${file}`, `docs/${file}/state`, `docs/${file}/versions`, `docs/${file}/comments`, `files/${file}/permissions`])
    expect(await status('GET', `/api/${path}`), path).toBe(404)
  expect(await status('POST', '/api/rt/ticket', { docId: file })).toBe(404)
  // A link gives nothing back.
  expect(await status('POST', '/api/rt/ticket', { docId: file, share: code })).toBe(404)
  expect((await eve.must('GET', `/api/files?of=search&q=Model`)).files.map((one: { id: string }) => one.id)).not.toContain(file)
})

it('restrictions on a folder hold for all that is in it; a folder with what is not theirs to remove stays', async () => {
  const outer = await folder()
  const file = await modelIn(outer)
  await restrict(outer, 'only-view')
  expect((await eve.must('GET', `/api/files/${file}`)).role).toBe('viewer')
  await restrict(outer, null)
  await restrict(file, 'cannot-view')
  // What is in another workspace of theirs would be theirs.
  expect(await status('POST', `/api/files/${outer}/move`, { team: eve.team, parent: null })).toBe(403)
  await restrict(file, 'cannot-view-or-remove')
  expect(await listed(file)).toBe(false)
  expect(await status('POST', `/api/files/${outer}/trash`)).toBe(403)
  await restrict(file, 'cannot-view')
  expect(await status('POST', `/api/files/${outer}/trash`)).toBe(200)
})

it('restrictions are for managers to set, on those who do not manage', async () => {
  const file = await modelIn()
  expect((await restrict(file, 'only-view', eve)).status).toBe(403)
  expect((await ann.call('PUT', `/api/files/${file}/restrictions/${ann.id}`, { rule: 'only-view' })).status).toBe(403)
  const stranger = await server.person('Stranger')
  expect((await ann.call('PUT', `/api/files/${file}/restrictions/${stranger.id}`, { rule: 'only-view' })).status).toBe(404)
  expect((await restrict(file, 'nothing at all')).status).toBe(400)
  const { people } = await ann.must('GET', `/api/files/${file}/restrictions`)
  expect(people).toMatchObject([{ id: eve.id, role: 'editor', rule: null, inherited: null }])
  // A manager is beyond it, from the moment they are one.
  await restrict(file, 'cannot-view')
  await ann.must('PATCH', `/api/workspaces/${team}/members/${eve.id}`, { role: 'manager' })
  expect((await eve.must('GET', `/api/files/${file}`)).role).toBe('manager')
  expect(await listed(file)).toBe(true)
  await ann.must('PATCH', `/api/workspaces/${team}/members/${eve.id}`, { role: 'editor' })
  expect(await status('GET', `/api/files/${file}`)).toBe(404)
})
