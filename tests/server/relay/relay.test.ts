// The relay over real sockets and a real database, with clients that do not keep the rules.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import * as Y from 'yjs'
import * as encoding from 'lib0/encoding'
import { WebsocketProvider } from 'y-websocket'
import { CLOSE, LIMITS, MESSAGE, SYNC } from '../../../sync-server/protocol.ts'
import { accessTo } from '../../../sync-server/files/access.ts'
import { ackFrame, awarenessFrame, step1Frame, step2Frame, updateFrame } from '../../../sync-server/relay/frames.ts'
import { contentOf } from '../../help/network/net.ts'
import { openSocket, startServer, useDatabase } from '../../help/server.ts'
import type { Person, RawSocket, TestServer } from '../../help/server.ts'

const suite = useDatabase()
let server: TestServer
let ann: Person
let bob: Person
let docId: string

beforeAll(async () => {
  server = await startServer(suite.connection)
  ann = await server.person('Ann')
  bob = await server.person('Bob')
  docId = await ann.file('Relay')
  await ann.must('POST', `/api/files/${docId}/collaborators`, { email: bob.email, role: 'viewer' })
})
afterAll(() => server?.stop())

/** What a cold start would find. */
async function stored(id: string): Promise<Y.Doc> {
  const loaded = await server.rooms.log.load(id)
  const doc = new Y.Doc()
  for (const update of loaded?.updates ?? []) Y.applyUpdate(doc, update)
  return doc
}

function change(doc: Y.Doc, edit: () => void): Uint8Array {
  const updates: Uint8Array[] = []
  const note = (update: Uint8Array): void => void updates.push(update)
  doc.on('update', note)
  doc.transact(edit)
  doc.off('update', note)
  return updates[0] ?? new Uint8Array()
}

describe('an editor', () => {
  it('is greeted, brought up to date, acked when its edit is in the database, and heard by the others', async () => {
    const doc = new Y.Doc()
    const a = await ann.socket(docId)
    const b = await bob.socket(docId)
    const hello = await a.notice(MESSAGE.hello)
    expect(hello).toMatchObject({ protocol: 1, role: 'owner', schema: 1, limits: { frameBytes: LIMITS.frameBytes } })
    expect((await b.notice(MESSAGE.hello)).role).toBe('viewer')
    await a.sync(doc)
    a.send(updateFrame(change(doc, () => doc.getMap('kind').set('a', 'agent'))))
    a.send(ackFrame(1))
    await a.acked(1)
    expect(contentOf(await stored(docId))).toBe(contentOf(doc))
    const copy = new Y.Doc()
    await b.sync(copy)
    expect(contentOf(copy)).toBe(contentOf(doc))
    a.send(updateFrame(change(doc, () => doc.getMap('kind').set('b', 'cell'))))
    await b.until(() => b.updates().length === 2)
    for (const update of b.updates()) Y.applyUpdate(copy, update)
    expect(contentOf(copy)).toBe(contentOf(doc))
    a.close()
    b.close()
  })

  it('works with the stock y-websocket provider', async () => {
    const id = await ann.file('Stock')
    const make = async (person: Person) => {
      const doc = new Y.Doc()
      const params = { ticket: await person.ticket(id) }
      return {
        doc,
        provider: new WebsocketProvider(`${server.url.replace('http', 'ws')}/yjs`, id, doc, {
          params,
          WebSocketPolyfill: WebSocket as never,
          disableBc: true,
        }),
      }
    }
    const picture = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(40)])
    const { avatar } = await ann.must('PUT', '/api/accounts/avatar', picture, { 'content-type': 'image/png' })
    const a = await make(ann)
    const b = await make(ann)
    const heard = new Promise<void>(done => b.doc.getMap('kind').observe(() => done()))
    const seen = new Promise<void>(done => {
      b.provider.awareness.on('change', () => b.provider.awareness.getStates().has(a.doc.clientID) && done())
    })
    a.provider.awareness.setLocalState({ cur: [1, 2], n: 'somebody else', a: 'another picture' })
    a.doc.getMap('kind').set('x', 'agent')
    await heard
    await seen
    expect(b.doc.getMap('kind').get('x')).toBe('agent')
    expect(b.provider.awareness.getStates().get(a.doc.clientID)).toMatchObject({ cur: [1, 2], n: 'Ann', u: ann.id, a: avatar })
    a.provider.destroy()
    b.provider.destroy()
  })

  it('reads the state over HTTP, unpacked or packed, once per change', async () => {
    const { status, headers } = await ann.call('GET', `/api/docs/${docId}/state`)
    expect(status).toBe(200)
    expect(headers.get('x-role')).toBe('owner')
    const response = await fetch(`${server.url}/api/docs/${docId}/state`, { headers: { cookie: ann.cookie, 'accept-encoding': 'br' } })
    const doc = new Y.Doc()
    Y.applyUpdate(doc, new Uint8Array(await response.arrayBuffer()))
    expect(contentOf(doc)).toBe(contentOf(await stored(docId)))
    const again = await ann.call('GET', `/api/docs/${docId}/state`, undefined, { 'if-none-match': headers.get('etag') ?? '' })
    expect(again.status).toBe(304)
  })

  it('posts updates made elsewhere; the others hear them; a wrong epoch, a broken body and a viewer are refused', async () => {
    const epoch = (await ann.call('GET', `/api/docs/${docId}/state`)).headers.get('x-epoch') ?? ''
    const listener = await bob.socket(docId)
    const doc = new Y.Doc()
    doc.getMap('kind').set('posted', 'agent')
    const update = Y.encodeStateAsUpdate(doc)
    expect(await ann.must('POST', `/api/docs/${docId}/updates`, update, { 'x-epoch': epoch })).toMatchObject({ ok: true })
    expect((await stored(docId)).getMap('kind').get('posted')).toBe('agent')
    await listener.until(() => listener.updates().length > 0)
    const refused = async (person: Person, body: Uint8Array, at = epoch) =>
      (await person.call('POST', `/api/docs/${docId}/updates`, body, { 'x-epoch': at })).json.code
    expect(await refused(ann, update, 'another-epoch')).toBe('epoch-changed')
    expect(await refused(ann, update.slice(0, -1))).toBe('update-refused')
    expect(await refused(ann, new Uint8Array(0))).toBe('update-refused')
    expect(await refused(ann, new Uint8Array(LIMITS.step2Bytes + 1))).toBe('too-large')
    expect(await refused(bob, update)).toBe('no-permission')
    listener.close()
  })
})

describe('who gets in', () => {
  const refusedWith = async (query: string, id = docId): Promise<number> => (await openSocket(server.url, id, query)).closed()

  it('nobody without a ticket, with a spent one, or with one for another document', async () => {
    expect(await refusedWith('p=1')).toBe(CLOSE.ticket)
    expect(await refusedWith('ticket=made-up')).toBe(CLOSE.ticket)
    const ticket = await ann.ticket(docId)
    const first = await openSocket(server.url, docId, `ticket=${ticket}`)
    await first.message(MESSAGE.sync)
    expect(await refusedWith(`ticket=${ticket}`)).toBe(CLOSE.ticket)
    first.close()
    const other = await ann.file('Other')
    expect(await refusedWith(`ticket=${await ann.ticket(docId)}`, other)).toBe(CLOSE.ticket)
    expect(await refusedWith(`ticket=${await ann.ticket(docId)}`, 'x')).toBe(CLOSE.noDocument)
  })

  it('nobody with an expired ticket', async () => {
    const ticket = await ann.ticket(docId)
    await server.database.db
      .updateTable('rt_ticket')
      .set({ expires_at: new Date(Date.now() - 1) })
      .execute()
    expect(await refusedWith(`ticket=${ticket}`)).toBe(CLOSE.ticket)
  })

  it('no stranger gets a ticket, and a ticket is worth nothing once access is withdrawn', async () => {
    const eve = await server.person('Eve')
    expect((await eve.call('POST', '/api/rt/ticket', { docId })).json.code).toBe('not-found')
    expect((await eve.call('GET', `/api/docs/${docId}/state`)).json.code).toBe('not-found')
    await ann.must('POST', `/api/files/${docId}/collaborators`, { email: eve.email, role: 'editor' })
    const ticket = await eve.ticket(docId)
    await ann.must('DELETE', `/api/files/${docId}/collaborators/${eve.id}`)
    expect(await refusedWith(`ticket=${ticket}`)).toBe(CLOSE.noAccess)
  })

  it('no page of another origin, and no client of another epoch', async () => {
    const ticket = await ann.ticket(docId)
    await expect(openSocket(server.url, docId, `ticket=${ticket}`, { origin: 'https://evil.example' })).rejects.toThrow('403')
    expect(await refusedWith(`ticket=${ticket}&e=another-epoch`)).toBe(CLOSE.epoch)
    await expect(openSocket(server.url, '../secrets', 'p=1').then(socket => socket.closed())).rejects.toThrow('404')
  })

  it('a share link lets guests look, and stops at once when it is closed', async () => {
    const { code } = await ann.must('POST', `/api/files/${docId}/links`, { role: 'editor' })
    const guest = await server.person('Guest')
    expect(await guest.must('POST', `/api/share/${code}/open`)).toMatchObject({ docId, role: 'editor' })
    const anonymous = await fetch(`${server.url}/api/rt/ticket`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ docId, share: code }),
    })
    expect(await anonymous.json()).toMatchObject({ role: 'viewer' })
    const socket = await guest.socket(docId, { share: code })
    expect((await socket.notice(MESSAGE.hello)).role).toBe('editor')
    await ann.must('DELETE', `/api/files/${docId}/links/${code}`)
    expect(await socket.closed()).toBe(CLOSE.noAccess)
    expect((await guest.call('POST', `/api/share/${code}/open`)).json.code).toBe('share-expired')
    const other = `${code.slice(0, -1)}${code.endsWith('x') ? 'y' : 'x'}`
    expect((await guest.call('POST', `/api/share/${other}/open`)).json.code).toBe('share-invalid')
  })
})

describe('live changes of access', () => {
  it('a downgraded editor is told and cannot write; removed, it is gone; trashing the file sends everybody away', async () => {
    const id = await ann.file('Revoked')
    await ann.must('POST', `/api/files/${id}/collaborators`, { email: bob.email, role: 'editor' })
    const b = await bob.socket(id)
    const doc = new Y.Doc()
    await b.sync(doc)
    b.send(updateFrame(change(doc, () => doc.getMap('kind').set('before', 'agent'))))
    b.send(ackFrame(1))
    await b.acked(1)
    await ann.must('PATCH', `/api/files/${id}/collaborators/${bob.id}`, { role: 'viewer' })
    expect(await b.notice(MESSAGE.role)).toEqual({ role: 'viewer', reason: 'changed' })
    b.send(updateFrame(change(doc, () => doc.getMap('kind').set('after', 'agent'))))
    b.send(ackFrame(2))
    await b.until(() => b.frames.filter(frame => frame[0] === MESSAGE.role).length === 2)
    expect([...(await stored(id)).getMap('kind').keys()]).toEqual(['before'])
    await ann.must('DELETE', `/api/files/${id}/collaborators/${bob.id}`)
    expect(await b.closed()).toBe(CLOSE.noAccess)
    await ann.must('POST', `/api/files/${id}/collaborators`, { email: bob.email, role: 'editor' })
    const again = await bob.socket(id)
    await again.message(MESSAGE.hello)
    await ann.must('POST', `/api/files/${id}/trash`)
    expect(await again.closed()).toBe(CLOSE.noAccess)
  })

  it('an answer about access that comes after a later one changes nothing', async () => {
    const roleOf = accessTo(server.database.db)
    const [joined, late] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    let checks = 0
    const slow = await startServer(suite.connection, {
      rooms: {
        access: async (doc, user, share) => {
          const role = await roleOf(doc, user, share)
          // The first check is made when he has come in.
          if (++checks > 1) return role
          joined.resolve()
          await late.promise
          return role
        },
      },
    })
    try {
      const id = await ann.file('Overtaken')
      await ann.must('POST', `/api/files/${id}/collaborators`, { email: bob.email, role: 'editor' })
      const b = await openSocket(slow.url, id, `ticket=${await bob.ticket(id)}&p=1`)
      await joined.promise
      await ann.must('PATCH', `/api/files/${id}/collaborators/${bob.id}`, { role: 'viewer' })
      await slow.rooms.revokeHere(id, bob.id)
      expect(slow.peopleIn(id)).toEqual([{ userId: bob.id, role: 'viewer' }])
      late.resolve()
      // Another check ends after the late one has been answered.
      await slow.rooms.revokeHere(id)
      expect(slow.peopleIn(id)).toEqual([{ userId: bob.id, role: 'viewer' }])
      // All that was sent has arrived when the socket closes.
      await ann.must('DELETE', `/api/files/${id}/collaborators/${bob.id}`)
      await slow.rooms.revokeHere(id, bob.id)
      expect(await b.closed()).toBe(CLOSE.noAccess)
      expect(b.frames.filter(frame => frame[0] === MESSAGE.role).length).toBe(1)
    } finally {
      await slow.stop()
    }
  })

  it('signing out closes the sockets of that session and no other', async () => {
    const carl = await server.person('Carl')
    const id = await carl.file('Signed out')
    const a = await ann.socket(docId)
    const socket = await carl.socket(id)
    await socket.message(MESSAGE.hello)
    const spare = await carl.ticket(id)
    await carl.must('POST', '/api/accounts/logout')
    expect(await socket.closed()).toBe(CLOSE.ticket)
    expect(await (await openSocket(server.url, id, `ticket=${spare}`)).closed()).toBe(CLOSE.ticket)
    expect(a.closeCode).toBe(null)
    a.close()
  })
})

describe('hostile frames', () => {
  it('cost their sender the connection, and nobody else anything', async () => {
    const id = await ann.file('Hostile')
    await ann.must('POST', `/api/files/${id}/collaborators`, { email: bob.email, role: 'editor' })
    const good = await ann.socket(id)
    const doc = new Y.Doc()
    await good.sync(doc)
    good.send(updateFrame(change(doc, () => doc.getMap('kind').set('a', 'agent'))))
    good.send(ackFrame(1))
    await good.acked(1)

    const evil = new Y.Doc()
    const whole = updateFrame(change(evil, () => evil.getMap('kind').set('evil', 'agent')))
    const forged = new Y.Doc()
    Y.applyUpdate(forged, Y.encodeStateAsUpdate(doc))
    forged.clientID = doc.clientID
    const stranger = new Y.Doc()
    const cases: [string, Uint8Array | string, number][] = [
      ['text', 'hello', CLOSE.badMessage],
      ['nothing', new Uint8Array(0), CLOSE.badMessage],
      ['half a message', whole.slice(0, 5), CLOSE.badMessage],
      ['an update cut short inside', updateFrame(Y.encodeStateAsUpdate(evil).slice(0, -1)), CLOSE.badMessage],
      ['noise', Uint8Array.from({ length: 50 }, (_, i) => (i * 37) % 251), CLOSE.badMessage],
      ['a bad state vector', step1Frame(new Uint8Array([255, 255, 255])), CLOSE.badMessage],
      ['an unknown top-level name', updateFrame(change(stranger, () => stranger.getMap('passwords').set('a', 1))), CLOSE.badMessage],
      ["somebody else's client id", updateFrame(change(forged, () => forged.getMap('kind').set('b', 'x'))), CLOSE.badMessage],
      ['a frame over the limit', updateFrame(new Uint8Array(LIMITS.frameBytes + 100)), CLOSE.tooLarge],
      ['a frame over every limit', new Uint8Array(LIMITS.step2Bytes + 1000), 1009],
    ]
    for (const [what, frame, code] of cases) {
      const socket = await bob.socket(id)
      socket.send(frame)
      expect(await socket.closed(), what).toBe(code)
    }
    expect(good.closeCode).toBe(null)
    good.send(updateFrame(change(doc, () => doc.getMap('kind').set('b', 'agent'))))
    good.send(ackFrame(2))
    await good.acked(2)
    expect(contentOf(await stored(id))).toBe(contentOf(doc))
    good.close()
  })

  it('an update with missing parts brings the question for all of them, and stays out', async () => {
    const id = await ann.file('Missing')
    const socket = await ann.socket(id)
    const doc = new Y.Doc()
    await socket.sync(doc)
    change(doc, () => doc.getMap('kind').set('a', 'agent'))
    const second = change(doc, () => doc.getMap('kind').set('b', 'agent'))
    const asked = () => socket.frames.filter(frame => frame[0] === MESSAGE.sync && frame[1] === SYNC.step1).length
    const before = asked()
    socket.send(updateFrame(second))
    socket.send(ackFrame(1))
    await socket.until(() => asked() > before)
    expect((await stored(id)).getMap('kind').size).toBe(0)
    socket.send(step2Frame(Y.encodeStateAsUpdate(doc)))
    await socket.acked(1)
    expect((await stored(id)).getMap('kind').size).toBe(2)
    socket.close()
  })

  it("presence under another's name is corrected, and goes with the socket", async () => {
    const a = await ann.socket(docId)
    const b = await bob.socket(docId)
    a.send(awarenessFrame([{ client: 4711, clock: 1, state: JSON.stringify({ u: bob.id, n: 'Bob', cur: [3, 4] }) }]))
    const seen = await b.until(() => b.frames.find(frame => frame[0] === MESSAGE.awareness))
    expect(Buffer.from(seen).toString()).toContain('"n":"Ann"')
    b.frames.length = 0
    a.close()
    const gone = await b.until(() => b.frames.find(frame => frame[0] === MESSAGE.awareness))
    expect(Buffer.from(gone).toString()).toContain('null')
    b.close()
  })
})

describe('a ticket that has grown old', () => {
  it('is asked to be renewed on the open socket, which closes when no good one comes', async () => {
    const hasty = await startServer(suite.connection, { renewal: { everyMs: 30, answerMs: 2000 } })
    const id = await ann.file('Renewed')
    await ann.must('POST', `/api/files/${id}/collaborators`, { email: bob.email, role: 'editor' })
    const open = async (person: Person, query = '&t=1') => openSocket(hasty.url, id, `ticket=${await person.ticket(id)}&p=1${query}`)
    const asked = (socket: RawSocket) => socket.frames.filter(frame => frame[0] === MESSAGE.token).length
    const answer = (ticket: string): Uint8Array => {
      const encoder = encoding.createEncoder()
      encoding.writeVarUint(encoder, MESSAGE.token)
      encoding.writeVarString(encoder, ticket)
      return encoding.toUint8Array(encoder)
    }
    // One that does not know the message is left alone.
    const plain = await open(ann, '')
    const good = await open(ann)
    const silent = await open(ann)
    const wrong = await open(ann)
    const other = await open(bob)
    for (let round = 1; round <= 3; round++) {
      const ticket = await ann.ticket(id)
      await good.until(() => asked(good) >= round)
      good.send(answer(ticket))
    }
    expect(await silent.closed()).toBe(CLOSE.ticket)
    wrong.send(answer('made up'))
    expect(await wrong.closed()).toBe(CLOSE.ticket)
    other.send(answer(await ann.ticket(id)))
    expect(await other.closed()).toBe(CLOSE.ticket)
    expect([plain.closeCode, asked(plain)]).toEqual([null, 0])
    for (const socket of [plain, good]) socket.close()
    await hasty.stop()
  })
})

describe('what is left of deleted elements', () => {
  it('stays for a day and is then swept for everybody, with nothing else', async () => {
    const id = await ann.file('Orphans')
    const socket = await ann.socket(id)
    const doc = new Y.Doc()
    await socket.sync(doc)
    doc.on('update', (update: Uint8Array) => socket.send(updateFrame(update)))
    doc.transact(() => {
      doc.getMap('kind').set('Here12345', 'agent')
      for (const element of ['Here12345', 'Gone12345']) {
        doc.getMap('geo').set(element, [0, 0, 1, 1])
        doc.getMap('data').set(`${element}/name`, 'x')
        doc.getMap('text').set(`${element}/formula`, new Y.Text('1 + 1'))
      }
      doc.getMap('data').set('-unknown-to-this-version', 1)
    })
    socket.send(ackFrame(1))
    await socket.acked(1)
    expect((await server.rooms.log.compact(id))?.swept).toBe(null)
    const { orphans } = await server.database.db.selectFrom('doc').select('orphans').where('id', '=', id).executeTakeFirstOrThrow()
    expect(Object.keys(orphans)).toEqual(['Gone12345'])
    await server.database.db
      .updateTable('doc')
      .set({ orphans: JSON.stringify({ Gone12345: Date.now() - 24 * 3_600_000 }) })
      .where('id', '=', id)
      .execute()
    // The room compacts by itself after enough rows.
    const swept = await startServer(suite.connection, { rooms: { compactRows: 3 } })
    const other = await openSocket(swept.url, id, `ticket=${await ann.ticket(id)}&p=1`)
    const copy = new Y.Doc()
    await other.sync(copy)
    const taken = new Set<Uint8Array>()
    const follow = (): Y.Doc => {
      for (const update of other.updates()) if (!taken.has(update)) Y.applyUpdate(copy, (taken.add(update), update))
      return copy
    }
    copy.on('update', (update: Uint8Array, origin: unknown) => origin === 'mine' && other.send(updateFrame(update)))
    for (let i = 0; i < 6; i++) copy.transact(() => copy.getMap('geo').set('Here12345', [i, i, 1, 1]), 'mine')
    await other.until(() => !follow().getMap('geo').has('Gone12345'))
    expect(copy.getMap('geo').toJSON()).toEqual({ Here12345: [5, 5, 1, 1] })
    expect(copy.getMap('data').toJSON()).toEqual({ 'Here12345/name': 'x', '-unknown-to-this-version': 1 })
    expect([...copy.getMap('text').keys()]).toEqual(['Here12345/formula'])
    const cold = await stored(id)
    expect(contentOf(cold)).toBe(contentOf(copy))
    socket.close()
    other.close()
    await swept.stop()
  })
})

describe('the log', () => {
  it('is compacted while in use, loses nothing, and keeps knowing who owns a client id', async () => {
    const small = await startServer(suite.connection, { rooms: { compactRows: 50 } })
    const id = await ann.file('Compacted')
    const doc = new Y.Doc()
    // A ticket of the first server is good on the second: they share the database.
    const socket = await openSocket(small.url, id, `ticket=${await ann.ticket(id)}&p=1`)
    await socket.sync(doc)
    for (let i = 1; i <= 120; i++) {
      socket.send(updateFrame(change(doc, () => doc.getMap('geo').set(`e${i % 7}`, [i, i, 1, 1]))))
      socket.send(ackFrame(i))
      await socket.acked(i)
    }
    // The first may be one that was on its way already, from before the last rows.
    await small.rooms.log.compact(id)
    await small.rooms.log.compact(id)
    const { n } = await server.database.db
      .selectFrom('doc_update')
      .select(eb => eb.fn.countAll<number>().as('n'))
      .where('doc_id', '=', id)
      .executeTakeFirstOrThrow()
    expect(n).toBe(0)
    expect(contentOf(await stored(id))).toBe(contentOf(doc))
    expect((await small.rooms.log.load(id))?.owners.get(doc.clientID)).toBe(ann.id)
    socket.close()
    await small.stop()
  })

  it('an unused room is forgotten and comes back as it was', async () => {
    const quick = await startServer(suite.connection, { rooms: { keepMs: 20 } })
    const id = await ann.file('Evicted')
    const doc = new Y.Doc()
    const socket = await openSocket(quick.url, id, `ticket=${await ann.ticket(id)}&p=1`)
    await socket.sync(doc)
    socket.send(updateFrame(change(doc, () => doc.getMap('kind').set('kept', 'agent'))))
    socket.send(ackFrame(1))
    await socket.acked(1)
    socket.close()
    const deadline = Date.now() + 60_000
    while (quick.rooms.size > 0 && Date.now() < deadline) await new Promise(setImmediate)
    expect(quick.rooms.size).toBe(0)
    const room = await quick.rooms.open(id)
    const state = await new Promise<{ update: Uint8Array } | null>(done => room?.state(done))
    const copy = new Y.Doc()
    Y.applyUpdate(copy, state?.update ?? new Uint8Array())
    expect(contentOf(copy)).toBe(contentOf(doc))
    await quick.stop()
  })

  it('a document deleted while its rows are on their way fails only its own room', async () => {
    const gone = await ann.file('Gone')
    const kept = await ann.file('Kept')
    const a = await ann.socket(gone)
    const b = await ann.socket(kept)
    const doc = new Y.Doc()
    await a.sync(new Y.Doc())
    await b.sync(doc)
    await server.database.db.deleteFrom('doc').where('id', '=', gone).execute()
    const other = new Y.Doc()
    a.send(updateFrame(change(other, () => other.getMap('kind').set('a', 'agent'))))
    b.send(updateFrame(change(doc, () => doc.getMap('kind').set('b', 'agent'))))
    b.send(ackFrame(1))
    await b.acked(1)
    expect(await a.closed()).toBe(CLOSE.unavailable)
    b.close()
  })
})
