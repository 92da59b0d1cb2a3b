// Versions of documents, kept by people and by themselves; and what a document takes when the storage is full.
import { describe, expect, it } from 'vitest'
import * as Y from 'yjs'
import { MESSAGE, SYNC } from '../../../sync-server/protocol.ts'
import { ackFrame, step2Frame, updateFrame } from '../../../sync-server/relay/frames.ts'
import { autoVersions } from '../../../sync-server/relay/versions.ts'
import { ann, bob, newId, server, startCompany } from '../../help/network/company.ts'
import { refusal } from '../../help/network/refusal.ts'
import { startServer } from '../../help/server.ts'

let full = false
const suite = startCompany({ rooms: { keepMs: 50, isFull: () => Promise.resolve(full) } })

async function post(docId: string, change: (doc: Y.Doc) => void): Promise<{ status: number; code?: string }> {
  const doc = new Y.Doc()
  const state = await fetch(`${server.url}/api/docs/${docId}/state`, { headers: { cookie: ann.cookie } })
  Y.applyUpdate(doc, new Uint8Array(await state.arrayBuffer()))
  const vector = Y.encodeStateVector(doc)
  change(doc)
  const epoch = state.headers.get('x-epoch') ?? ''
  const { status, json } = await ann.call('POST', `/api/docs/${docId}/updates`, Y.encodeStateAsUpdate(doc, vector), { 'x-epoch': epoch })
  return { status, code: json.code }
}
async function versionDoc(docId: string, id: string): Promise<Y.Doc> {
  const doc = new Y.Doc()
  const response = await fetch(`${server.url}/api/docs/${docId}/versions/${id}/state`, { headers: { cookie: ann.cookie } })
  Y.applyUpdate(doc, new Uint8Array(await response.arrayBuffer()))
  return doc
}

describe('versions', () => {
  it('hold the document as it was; made once per id, named, deleted; everybody inside hears of them', async () => {
    const docId = await ann.file('Versioned')
    // As long as a member is present, the server keeps none by itself.
    const stay = await ann.socket(docId)
    await post(docId, doc => doc.getMap('data').set('a/name', 'first'))
    const socket = await ann.socket(docId)
    await socket.message(MESSAGE.hello)
    const id = newId('v')
    const path = `/api/docs/${docId}/versions`
    await ann.must('POST', path, { id, name: 'Before the change' })
    expect(await socket.notice(MESSAGE.control)).toMatchObject({ type: 'version-created', docId })
    socket.close()
    await post(docId, doc => doc.getMap('data').set('a/name', 'second'))
    await ann.must('POST', path, { id, name: 'Again' })
    await ann.must('POST', path, { id: newId('v'), kind: 'before-restore' })
    // The server may have kept one by itself meanwhile.
    const versions = (await ann.must('GET', path)).versions.filter(({ kind }: { kind: string }) => kind !== 'auto')
    expect(versions).toMatchObject([
      { kind: 'before-restore', name: null },
      { id, kind: 'named', name: 'Before the change', author: { name: 'Ann' } },
    ])
    expect((await versionDoc(docId, id)).getMap('data').get('a/name')).toBe('first')
    expect((await ann.must('PATCH', `${path}/${versions[0].id}`, { name: 'Kept' })).versions[0]).toMatchObject({
      kind: 'named',
      name: 'Kept',
    })
    expect((await ann.must('PATCH', `${path}/${id}`, { remark: 'As shown in May' })).versions[1]).toMatchObject({
      name: 'Before the change',
      remark: 'As shown in May',
    })
    expect(await refusal(ann, 'PATCH', `${path}/${id}`, {})).toBe('invalid-params')
    await ann.must('POST', `/api/files/${docId}/collaborators`, { email: bob.email, role: 'viewer' })
    expect((await bob.must('GET', path)).versions.length).toBe(2)
    expect(await refusal(bob, 'POST', path, { id: newId('v'), name: 'x' })).toBe('no-permission')
    expect(await refusal(bob, 'DELETE', `${path}/${id}`)).toBe('no-permission')
    const other = await ann.file('Other')
    expect(await refusal(ann, 'GET', `/api/docs/${other}/versions/${id}/state`)).toBe('not-found')
    expect(await refusal(ann, 'POST', `/api/docs/${other}/versions`, { id, name: 'x' })).toBe('id-taken')
    await ann.must('DELETE', `${path}/${id}`)
    expect(await refusal(ann, 'GET', `${path}/${id}/state`)).toBe('not-found')
    expect(await refusal(ann, 'POST', path, { id: newId('v'), name: '' })).toBe('invalid-params')
    stay.close()
  })

  it('kept on a device while the server was away come with their content and their time; once, by those who may, and only whole', async () => {
    const docId = await ann.file('Brought')
    const copy = new Y.Doc()
    copy.getMap('data').set('a/name', 'on the train')
    const content = Y.encodeStateAsUpdate(copy)
    const id = newId('v')
    const at = '2026-01-02T03:04:05.000Z'
    const path = `/api/docs/${docId}/versions/${id}/state?kind=named&name=Train&at=${encodeURIComponent(at)}`
    for (let i = 0; i < 2; i++) expect((await ann.call('PUT', path, content)).status).toBe(201)
    const { versions } = await ann.must('GET', `/api/docs/${docId}/versions`)
    expect(versions.filter((version: { id: string }) => version.id === id)).toMatchObject([{ name: 'Train', kind: 'named', at }])
    expect((await versionDoc(docId, id)).getMap('data').get('a/name')).toBe('on the train')
    // From the future is from now.
    const late = newId('v')
    const future = `/api/docs/${docId}/versions/${late}/state?kind=before-restore&at=2999-01-01T00:00:00.000Z`
    await ann.call('PUT', future, content)
    const again = await ann.must('GET', `/api/docs/${docId}/versions`)
    const told = again.versions.find((version: { id: string }) => version.id === late)
    expect(Date.parse(told.at)).toBeLessThanOrEqual(Date.now())
    expect((await bob.call('PUT', path.replace(id, newId('v')), content)).status).toBeGreaterThanOrEqual(403)
    const foreign = new Y.Doc()
    foreign.getArray('elsewhere').push([1])
    expect(await refusal(ann, 'PUT', path.replace(id, newId('v')), Y.encodeStateAsUpdate(foreign))).toBe('update-refused')
    expect(await refusal(ann, 'PUT', path.replace(id, newId('v')), content.slice(0, content.length - 2))).toBe('update-refused')
    expect(await refusal(ann, 'PUT', path.replace('kind=named', 'kind=auto'), content)).toBe('invalid-params')
  })

  it('of what was accepted of a proposal there is one, the latest, with all who accepted; none of the named ones, and only with its proposal', async () => {
    const docId = await ann.file('Accepted')
    await ann.must('POST', `/api/files/${docId}/collaborators`, { email: bob.email, role: 'editor' })
    const content = (name: string): Uint8Array => {
      const copy = new Y.Doc()
      copy.getMap('data').set('a/name', name)
      return Y.encodeStateAsUpdate(copy)
    }
    const origin = { proposal: 'proposal-1', by: { kind: 'copilot', name: 'Ollama, qwen' }, title: { verbatim: 'Better food' } }
    const path = (id: string, at: string, of: unknown = origin): string =>
      `/api/docs/${docId}/versions/${id}/state?kind=auto&at=${at}&origin=${encodeURIComponent(JSON.stringify(of))}`
    const [first, second, late] = [newId('v'), newId('v'), newId('v')]
    expect((await ann.call('PUT', path(first, '2026-01-02T03:04:05.000Z'), content('first'))).status).toBe(201)
    for (let i = 0; i < 2; i++)
      expect((await bob.call('PUT', path(second, '2026-01-02T03:05:05.000Z'), content('second'))).status).toBe(201)
    // What a device that was away accepted before.
    expect((await ann.call('PUT', path(late, '2026-01-02T03:04:15.000Z'), content('late'))).status).toBe(201)
    const told = async () =>
      (await ann.must('GET', `/api/docs/${docId}/versions`)).versions.filter((version: { origin: unknown }) => version.origin !== null)
    expect(await told()).toMatchObject([{ id: second, kind: 'auto', name: null, origin, author: { name: 'Bob' }, people: ['Ann', 'Bob'] }])
    expect((await versionDoc(docId, second)).getMap('data').get('a/name')).toBe('second')
    // The audit log has a line for each who accepted, however often they did.
    const accepted = async (who: typeof ann): Promise<unknown[]> =>
      (await who.must('GET', '/api/accounts/audit')).lines
        .filter(({ action }: { action: string }) => action === 'proposal-accepted')
        .map(({ fileId, detail }: { fileId: string; detail: unknown }) => ({ fileId, detail }))
    const deed = { fileId: docId, detail: { by: 'Ollama, qwen', name: 'Better food' } }
    expect([await accepted(ann), await accepted(bob)]).toEqual([[deed], [deed]])
    // A named version stays, with the author of its proposal, and makes room.
    await ann.must('PATCH', `/api/docs/${docId}/versions/${second}`, { name: 'Good' })
    expect((await ann.call('PUT', path(newId('v'), '2026-01-02T03:06:05.000Z'), content('third'))).status).toBe(201)
    expect((await told()).map(({ kind, name }: { kind: string; name: string }) => [kind, name])).toEqual([
      ['auto', null],
      ['named', 'Good'],
    ])
    for (const wrong of [null, {}, { ...origin, by: { kind: 'boss', name: 'x' } }, { ...origin, title: { verbatim: 'x'.repeat(1000) } }])
      expect(await refusal(ann, 'PUT', path(newId('v'), '2026-01-02T03:06:05.000Z', wrong), content('x'))).toBe('invalid-params')
    const other = await ann.file('Another')
    expect(await refusal(ann, 'PUT', path(second, '2026-01-02T03:06:05.000Z').replace(docId, other), content('x'))).toBe('id-taken')
  })

  it('versions kept offline: take 1 MB, like any document; notes and comments stay small', async () => {
    const docId = await ann.file('Large')
    const copy = new Y.Doc()
    for (let i = 0; i < 1024; i++) copy.getMap('data').set(`e${i}/name`, 'x'.repeat(1024))
    const id = newId('v')
    const path = `/api/docs/${docId}/versions/${id}/state?kind=named&name=Large&at=2026-01-02T03:04:05.000Z`
    expect((await ann.call('PUT', path, Y.encodeStateAsUpdate(copy))).status).toBe(201)
    const long = 'x'.repeat(300 << 10)
    for (const [method, call] of [
      ['POST', 'versions'],
      ['PATCH', `versions/${id}`],
      ['POST', 'threads'],
      ['PATCH', 'comments/comment_1'],
    ] as const)
      expect((await ann.call(method, `/api/docs/${docId}/${call}`, { long })).status, call).toBe(413)
  })

  it('are kept by themselves when a changed document is left, at most one in ten minutes', async () => {
    const docId = await ann.file('By itself')
    const versions = async (): Promise<{ id: string; kind: string; people: string[] }[]> =>
      (await ann.must('GET', `/api/docs/${docId}/versions`)).versions
    const { promise, resolve } = Promise.withResolvers<void>()
    const quick = await startServer(suite.connection, {
      rooms: {
        keepMs: 1,
        keepVersion: async (id, state) => {
          await autoVersions(server.database.db)(id, state)
          resolve()
        },
      },
    })
    const room = await quick.rooms.open(docId)
    const doc = new Y.Doc()
    doc.getMap('data').set('a/name', 'kept')
    await new Promise(done => room?.submit({ userId: ann.id, sessionId: 's', name: 'Ann' }, 'owner', Y.encodeStateAsUpdate(doc), done))
    await promise
    const [first, ...more] = await versions()
    expect([first?.kind, more.length]).toEqual(['auto', 0])
    // The log may have been compacted just before: then no author is known.
    expect([['Ann'], []]).toContainEqual(first?.people)
    expect((await versionDoc(docId, first?.id ?? '')).getMap('data').get('a/name')).toBe('kept')
    await quick.stop()
  })
})

describe('when the storage is full', () => {
  it('deletions are taken and acked, growth waits and is asked for when there is room again', async () => {
    const docId = await ann.file('Full')
    await post(docId, doc => {
      for (let i = 0; i < 10; i++) doc.getMap('data').set(`e${i}/name`, 'x'.repeat(100))
    })
    const socket = await ann.socket(docId)
    const doc = new Y.Doc()
    await socket.sync(doc)
    socket.send(ackFrame(1))
    await socket.acked(1)
    const room = server.rooms.peek(docId)
    // Said once, and again whenever it is measured meanwhile.
    full = true
    room?.setFull(true)
    expect((await socket.notice(MESSAGE.control)).type).toBe('quota')
    const send = (change: () => void): void => {
      const updates: Uint8Array[] = []
      const collect = (update: Uint8Array): void => void updates.push(update)
      doc.on('update', collect)
      change()
      doc.off('update', collect)
      for (const update of updates) socket.send(updateFrame(update))
    }
    send(() => doc.getMap('data').delete('e0/name'))
    socket.send(ackFrame(2))
    await socket.acked(2)
    send(() => doc.getMap('data').set('new/name', 'refused'))
    send(() => doc.getMap('data').delete('new/name'))
    send(() => doc.getMap('data').set('more/name', 'refused too'))
    send(() => doc.getMap('data').set('even/name', 'and this'))
    socket.send(ackFrame(3))
    expect(await post(docId, other => other.getMap('data').set('http/name', 'x'))).toEqual({ status: 507, code: 'storage-full' })
    expect((await post(docId, other => other.getMap('data').delete('e1/name'))).status).toBe(200)
    const has = async (key: string): Promise<boolean> => {
      const copy = new Y.Doc()
      const reader = await ann.socket(docId)
      await reader.sync(copy)
      reader.close()
      return copy.getMap('data').has(key)
    }
    expect([await has('e0/name'), await has('e1/name'), await has('more/name')]).toEqual([false, false, false])
    expect(socket.closeCode).toBe(null)
    const asked = (): number => socket.frames.filter(frame => frame[0] === MESSAGE.sync && frame[1] === SYNC.step1).length
    const before = asked()
    full = false
    room?.setFull(false)
    await socket.until(() => asked() > before)
    socket.send(step2Frame(Y.encodeStateAsUpdate(doc)))
    await socket.acked(3)
    expect([await has('more/name'), await has('new/name')]).toEqual([true, false])
    socket.close()
  })

  it('it is measured when a document is opened', async () => {
    const small = await startServer(suite.connection, { plan: 'free', rooms: { isFull: () => Promise.resolve(true) } })
    const cat = await small.person('Cat')
    const docId = await cat.file('Measured')
    await cat.call('GET', `/api/docs/${docId}/state`)
    const socket = await cat.socket(docId)
    await socket.message(MESSAGE.hello)
    const doc = new Y.Doc()
    doc.getMap('data').set('a/name', 'x')
    const epoch = (await cat.call('GET', `/api/docs/${docId}/state`)).headers.get('x-epoch') ?? ''
    expect((await cat.call('POST', `/api/docs/${docId}/updates`, Y.encodeStateAsUpdate(doc), { 'x-epoch': epoch })).json.code).toBe(
      'storage-full',
    )
    socket.close()
    await small.stop()
  })
})
