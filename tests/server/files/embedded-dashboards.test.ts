// An embedded dashboard brings the models it runs along: those it is about, as far as the author of the code may embed them, and no others.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as Y from 'yjs'
import { newDocument, readModel } from '../../../model-schema/document.ts'
import { place } from '../../../model-schema/edit.ts'
import { Person, startServer, useDatabase } from '../../help/server.ts'
import type { TestServer } from '../../help/server.ts'

const suite = useDatabase()
let server: TestServer
let ann: Person
let bob: Person

beforeAll(async () => {
  server = await startServer(suite.connection)
  ann = await server.person('Ann')
  bob = await server.person('Bob')
})
afterAll(() => server?.stop())

const guest = (): Person => new Person(server.url)

async function write(who: Person, file: string, doc: Y.Doc): Promise<void> {
  const epoch = (await who.call('GET', `/api/docs/${file}/state`)).headers.get('x-epoch') ?? ''
  await who.must('POST', `/api/docs/${file}/updates`, Y.encodeStateAsUpdate(doc), { 'x-epoch': epoch })
}

function dashboardAbout(...models: string[]): Y.Doc {
  const doc = newDocument('Board', 'dashboard')
  refer(doc, ...models)
  return doc
}

function refer(doc: Y.Doc, ...models: string[]): void {
  const [root] = readModel(doc).roots
  for (const modelFile of models) place(doc, { kind: 'association', parent: root!, at: [0, 0], values: { modelFile } })
}

describe('an embedded dashboard', () => {
  it('embed: serves the models that its maker chose, and nothing else of theirs', async () => {
    const [mine, other, his] = [await ann.file('Mine'), await ann.file('Other'), await bob.file('His')]
    await write(ann, mine, newDocument('Mine'))
    const board = await ann.file('Board', { kind: 'dashboard' })
    await write(ann, board, dashboardAbout(mine, his))
    const embeds = `/api/files/${board}/embeds`
    expect((await ann.must('GET', embeds)).models).toEqual([{ id: mine, name: 'Mine', allowed: true, elsewhere: false }])
    // What the dashboard does not run, or is not Ann's, is no choice.
    expect((await ann.call('POST', embeds, { models: [other] })).json.code).toBe('invalid-params')
    expect((await ann.call('POST', embeds, { models: [mine, his] })).json.code).toBe('not-found')
    const { code } = await ann.must('POST', embeds, { models: [mine] })

    const state = await fetch(`${server.url}/api/embed/${code}/models/${mine}/state`)
    expect(state.status).toBe(200)
    const doc = new Y.Doc()
    Y.applyUpdate(doc, new Uint8Array(await state.arrayBuffer()))
    expect(doc.getMap('meta').get('title')).toBe('Mine')

    const codeOf = async (path: string): Promise<string> => (await guest().call('GET', path)).json.code
    expect(await codeOf(`/api/embed/${code}/models/${other}/state`)).toBe('embed-closed')
    expect(await codeOf(`/api/embed/${code}/models/${his}/state`)).toBe('embed-closed')
    await ann.must('PATCH', `${embeds}/${code}`, { models: [] })
    expect(await codeOf(`/api/embed/${code}/models/${mine}/state`)).toBe('embed-closed')
    await ann.must('PATCH', `${embeds}/${code}`, { models: [mine] })
    expect((await ann.must('GET', embeds)).embeds[0].models).toEqual([mine])
    expect((await fetch(`${server.url}/api/embed/${code}/models/${mine}/state`)).status).toBe(200)
    await ann.must('PATCH', `/api/files/${board}/embeds/${code}`, { closed: true })
    expect(await codeOf(`/api/embed/${code}/models/${mine}/state`)).toBe('embed-closed')
  })

  it('embed: an editor of the dashboard opens no private file of its maker by naming it', async () => {
    const team = (await ann.must('POST', '/api/workspaces', { id: 'team_deputies', type: 'team', name: 'Team' })).id
    await server.database.db.insertInto('workspace_member').values({ workspace_id: team, user_id: bob.id, role: 'editor' }).execute()
    const secret = await ann.file('Secret')
    await write(ann, secret, newDocument('Secret'))
    const board = await ann.file('Shared board', { kind: 'dashboard', team })
    const doc = dashboardAbout()
    await write(ann, board, doc)
    const { code } = await ann.must('POST', `/api/files/${board}/embeds`, { models: [] })
    const theirs = new Y.Doc()
    Y.applyUpdate(theirs, Y.encodeStateAsUpdate(doc))
    refer(theirs, secret)
    await write(bob, board, theirs)
    const path = `/api/embed/${code}/models/${secret}/state`
    expect((await guest().call('GET', path)).json.code).toBe('embed-closed')
    expect((await bob.call('PATCH', `/api/files/${board}/embeds/${code}`, { models: [secret] })).json.code).toBe('no-permission')
    // Ann sees it offered as a model from elsewhere; it is served once she ticks it.
    expect((await ann.must('GET', `/api/files/${board}/embeds`)).models).toEqual([
      { id: secret, name: 'Secret', allowed: true, elsewhere: true },
    ])
    await ann.must('PATCH', `/api/files/${board}/embeds/${code}`, { models: [secret] })
    expect((await fetch(server.url + path)).status).toBe(200)
  })

  it('may be read by a frame that is sandboxed into an origin of its own; nothing else may', async () => {
    const board = await ann.file('Sandboxed', { kind: 'dashboard' })
    await write(ann, board, dashboardAbout())
    const { code } = await ann.must('POST', `/api/files/${board}/embeds`, {})
    const asked = (path: string) => fetch(server.url + path, { headers: { origin: 'null' } })
    for (const path of [`/api/embed/${code}`, `/api/embed/${code}/state`, '/api/embed/no-such-code']) {
      const { headers } = await asked(path)
      expect(headers.get('access-control-allow-origin'), path).toBe('*')
      expect(headers.get('access-control-allow-credentials'), path).toBeNull()
      expect(headers.get('cross-origin-resource-policy'), path).toBe('cross-origin')
    }
    for (const path of ['/api/hints', `/api/files/${board}`, `/api/docs/${board}/state`]) {
      const { headers } = await asked(path)
      expect(headers.get('access-control-allow-origin'), path).toBeNull()
      expect(headers.get('cross-origin-resource-policy'), path).toBe('same-origin')
    }
  })

  it('of one card says which: what is embedded cannot be empty', async () => {
    const board = await ann.file('Parts', { kind: 'dashboard' })
    const embeds = `/api/files/${board}/embeds`
    for (const options of [{ show: 'chart' }, { show: 'parameters', card: ' ' }])
      expect((await ann.call('POST', embeds, { options })).json.code).toBe('invalid-params')
    const { code } = await ann.must('POST', embeds, { options: { show: 'parameters', card: 'line' } })
    expect((await guest().call('GET', `/api/embed/${code}`)).json.options).toEqual({ show: 'parameters', card: 'line' })
    expect((await ann.call('PATCH', `${embeds}/${code}`, { options: { show: 'chart', card: '' } })).json.code).toBe('invalid-params')
    await ann.must('PATCH', `${embeds}/${code}`, { options: { show: 'full' } })
  })

  it('of a model there is no way to other models', async () => {
    const model = await ann.file('Model')
    await write(ann, model, newDocument('Model'))
    const { code } = await ann.must('POST', `/api/files/${model}/embeds`, {})
    expect((await guest().call('GET', `/api/embed/${code}/models/${model}/state`)).json.code).toBe('embed-closed')
  })
})
