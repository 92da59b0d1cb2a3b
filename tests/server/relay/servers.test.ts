// Two servers on one database, connected by Redis, and by Postgres alone: they are as one to those who use them.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as Y from 'yjs'
import type { Bus } from '../../../sync-server/bus/bus.ts'
import { postgresBus } from '../../../sync-server/bus/postgres.ts'
import { redisBus } from '../../../sync-server/bus/redis.ts'
import { CLOSE, MESSAGE, SYNC } from '../../../sync-server/protocol.ts'
import { ackFrame, awarenessFrame, step2Frame, updateFrame } from '../../../sync-server/relay/frames.ts'
import { contentOf } from '../../help/network/net.ts'
import { startRedis } from '../../help/network/redis.ts'
import type { TestRedis } from '../../help/network/redis.ts'
import { openSocket, startServer, useDatabase } from '../../help/server.ts'
import type { Person, RawSocket, TestServer } from '../../help/server.ts'

const suite = useDatabase()
let redis: TestRedis
beforeAll(async () => {
  redis = await startRedis()
})
afterAll(() => redis?.stop())

function change(doc: Y.Doc, edit: () => void): Uint8Array {
  const updates: Uint8Array[] = []
  const note = (update: Uint8Array): void => void updates.push(update)
  doc.on('update', note)
  doc.transact(edit)
  doc.off('update', note)
  return updates[0] ?? new Uint8Array()
}

/** Keeps `doc` up to date with what a socket hears. */
function follow(socket: RawSocket, doc: Y.Doc): void {
  let read = 0
  const take = (): void => {
    for (; read < socket.frames.length; read++) {
      const frame = socket.frames[read]
      if (frame?.[0] !== MESSAGE.sync || frame[1] === SYNC.step1) continue
      const one = Object.assign(Object.create(socket), { frames: [frame] }) as RawSocket
      for (const update of one.updates(frame[1])) Y.applyUpdate(doc, update)
    }
  }
  take()
  socket.ws.on('message', take)
}

let deaf = false
/** A bus that loses what it should hear while `deaf`. */
function hardOfHearing(bus: Bus): Bus {
  const listen: Bus['listen'] = (topic, hear) => bus.listen(topic, message => deaf || hear(message))
  return Object.assign(Object.create(bus), { listen, publish: bus.publish.bind(bus), unlisten: bus.unlisten.bind(bus) })
}

describe.each([
  ['Redis', () => redisBus(redis.url)],
  ['Postgres alone', () => postgresBus(suite.connection)],
] as [string, () => Promise<Bus>][])('two servers over %s', (_name, makeBus) => {
  let one: TestServer
  let two: TestServer
  let ann: Person
  let bob: Person
  beforeAll(async () => {
    one = await startServer(suite.connection, { bus: await makeBus() })
    two = await startServer(suite.connection, { bus: hardOfHearing(await makeBus()) })
    ann = await one.person('Ann')
    bob = await one.person('Bob')
  })
  afterAll(async () => {
    await one?.stop()
    await two?.stop()
  })

  const at = async (server: TestServer, person: Person, docId: string): Promise<RawSocket> =>
    openSocket(server.url, docId, `ticket=${await person.ticket(docId)}&p=1`)

  async function shared(name: string, role = 'editor'): Promise<string> {
    const docId = await ann.file(name)
    await ann.must('POST', `/api/files/${docId}/collaborators`, { email: bob.email, role })
    return docId
  }

  it('each hears what is written on the other, in both directions, however large', async () => {
    const docId = await shared('Both')
    const [a, b] = [await at(one, ann, docId), await at(two, bob, docId)]
    const [docA, docB] = [new Y.Doc(), new Y.Doc()]
    await a.sync(docA)
    await b.sync(docB)
    follow(a, docA)
    follow(b, docB)
    const writes: [RawSocket, Y.Doc, string][] = [
      [a, docA, 'short'],
      [b, docB, 'short too'],
      [a, docA, 'x'.repeat(20_000)],
      [b, docB, 'y'.repeat(200_000)],
    ]
    for (const [i, [socket, doc, text]] of writes.entries()) {
      socket.send(updateFrame(change(doc, () => doc.getMap('data').set(`e/${i}`, text))))
      socket.send(ackFrame(i + 1))
      await socket.acked(i + 1)
    }
    await a.until(() => docA.getMap('data').size === 4)
    await b.until(() => docB.getMap('data').size === 4)
    expect(contentOf(docA)).toBe(contentOf(docB))
    a.close()
    b.close()
  })

  it('at the same time on both: nobody misses anything, and a cold start finds it all', async () => {
    const docId = await shared('Race')
    const sockets = [await at(one, ann, docId), await at(two, bob, docId), await at(two, ann, docId)]
    const docs = sockets.map(() => new Y.Doc())
    for (const [i, socket] of sockets.entries()) {
      await socket.sync(docs[i]!)
      follow(socket, docs[i]!)
    }
    for (let round = 1; round <= 40; round++) {
      for (const [i, socket] of sockets.entries()) {
        const doc = docs[i]!
        socket.send(updateFrame(change(doc, () => doc.getMap('data').set(`e${i}/${round}`, round))))
        socket.send(ackFrame(round))
      }
      if (round % 5 === 0) await Promise.all(sockets.map(socket => socket.acked(round)))
    }
    await Promise.all(sockets.map((socket, i) => socket.until(() => docs[i]!.getMap('data').size === 120)))
    const loaded = await one.rooms.log.load(docId)
    const cold = new Y.Doc()
    for (const update of loaded?.updates ?? []) Y.applyUpdate(cold, update)
    expect(docs.map(contentOf)).toEqual([contentOf(cold), contentOf(cold), contentOf(cold)])
    for (const socket of sockets) socket.close()
  })

  it('whoever moves to the other server with changes of others is not taken for a forger', async () => {
    const docId = await shared('Moving')
    const [a, b] = [await at(one, ann, docId), await at(two, bob, docId)]
    const [docA, docB] = [new Y.Doc(), new Y.Doc()]
    await a.sync(docA)
    await b.sync(docB)
    // The second server does not hear of this, as when a message is lost.
    deaf = true
    a.send(updateFrame(change(docA, () => docA.getMap('kind').set('a', 'agent'))))
    a.send(ackFrame(1))
    await a.acked(1)
    Y.applyUpdate(docB, Y.encodeStateAsUpdate(docA))
    const builtOnIt = change(docB, () => docB.getMap('kind').set('a', 'cell'))
    b.send(updateFrame(builtOnIt))
    b.send(step2Frame(Y.encodeStateAsUpdate(docB)))
    b.send(ackFrame(1))
    await b.acked(1)
    deaf = false
    const epoch = (await bob.call('GET', `/api/docs/${docId}/state`)).headers.get('x-epoch') ?? ''
    const posted = await fetch(`${two.url}/api/docs/${docId}/updates`, {
      method: 'POST',
      headers: { cookie: bob.cookie, 'x-epoch': epoch },
      body: Uint8Array.from(Y.encodeStateAsUpdate(docB)).buffer,
    })
    expect(posted.status).toBe(200)
    a.close()
    b.close()
  })

  it('a client id belongs to one user on all servers', async () => {
    const docId = await shared('Forged')
    const [a, b] = [await at(one, ann, docId), await at(two, bob, docId)]
    const [docA, docB] = [new Y.Doc(), new Y.Doc()]
    await a.sync(docA)
    await b.sync(docB)
    docB.clientID = docA.clientID
    const [mine, forged] = [
      change(docA, () => docA.getMap('kind').set('x', 'agent')),
      change(docB, () => docB.getMap('kind').set('x', 'evil')),
    ]
    a.send(updateFrame(mine))
    b.send(updateFrame(forged))
    const outcomes = await Promise.all([
      Promise.race([(a.send(ackFrame(1)), a.acked(1).then(() => 'kept')), a.closed().then(() => 'gone')]),
      Promise.race([(b.send(ackFrame(1)), b.acked(1).then(() => 'kept')), b.closed().then(() => 'gone')]),
    ])
    expect(outcomes.sort()).toEqual(['gone', 'kept'])
    const rows = await one.database.db.selectFrom('doc_update').select('user_id').where('doc_id', '=', docId).execute()
    expect(rows.length).toBe(1)
    a.close()
    b.close()
  })

  it('presence crosses over, under the name of the session, and goes with the socket', async () => {
    const docId = await shared('Presence')
    const [a, b] = [await at(one, ann, docId), await at(two, bob, docId)]
    await a.message(MESSAGE.hello)
    await b.message(MESSAGE.hello)
    const says = (socket: RawSocket, text: string) => () =>
      socket.frames.some(frame => frame[0] === MESSAGE.awareness && Buffer.from(frame).toString().includes(text))
    a.send(awarenessFrame([{ client: 4711, clock: 1, state: JSON.stringify({ u: bob.id, n: 'Bob', cur: [3, 4] }) }]))
    await b.until(says(b, '"n":"Ann'))
    // Later members hear of it as well, and no other user may take the client id.
    const late = await at(two, bob, docId)
    await late.until(says(late, '"n":"Ann'))
    late.send(awarenessFrame([{ client: 4711, clock: 9, state: JSON.stringify({ cur: [9, 9] }) }]))
    late.send(awarenessFrame([{ client: 4712, clock: 1, state: JSON.stringify({ cur: [7, 7] }) }]))
    await a.until(says(a, '[7,7]'))
    expect(says(a, '[9,9]')()).toBe(false)
    b.frames.length = 0
    a.close()
    await b.until(says(b, 'null'))
    b.close()
    late.close()
  })

  it('a change of access, a session that ends and a deleted file reach sockets of the other server at once', async () => {
    const docId = await shared('Revoked')
    const b = await at(two, bob, docId)
    expect((await b.notice(MESSAGE.hello)).role).toBe('editor')
    await ann.must('PATCH', `/api/files/${docId}/collaborators/${bob.id}`, { role: 'viewer' })
    expect(await b.notice(MESSAGE.role)).toEqual({ role: 'viewer', reason: 'changed' })
    await ann.must('DELETE', `/api/files/${docId}/collaborators/${bob.id}`)
    expect(await b.closed()).toBe(CLOSE.noAccess)

    const mine = await at(two, ann, docId)
    await mine.message(MESSAGE.hello)
    await ann.must('POST', `/api/files/${docId}/versions`.replace('files', 'docs'), { id: `version_${docId}`.slice(0, 40), name: 'One' })
    expect((await mine.notice(MESSAGE.control)).type).toBe('version-created')
    await ann.must('POST', `/api/files/${docId}/trash`)
    await ann.must('DELETE', `/api/files/${docId}`)
    expect(await mine.closed()).toBe(CLOSE.noDocument)

    const eve = await one.person('Eve')
    const hers = await eve.file('Signed out')
    const socket = await at(two, eve, hers)
    await socket.message(MESSAGE.hello)
    const cookie = eve.cookie
    const asked = (server: TestServer) => fetch(`${server.url}/api/files`, { headers: { cookie } })
    expect((await asked(two)).status).toBe(200)
    await eve.must('POST', '/api/accounts/logout')
    expect(await socket.closed()).toBe(CLOSE.ticket)
    // Both remember who is behind a cookie for a moment; a session that ended is not.
    expect([(await asked(one)).status, (await asked(two)).status]).toEqual([401, 401])
  })

  it('what is compacted on one server before the other has heard of it reaches the other', async () => {
    const docId = await shared('Compacted')
    const [a, b] = [await at(one, ann, docId), await at(two, bob, docId)]
    const [docA, docB] = [new Y.Doc(), new Y.Doc()]
    await a.sync(docA)
    await b.sync(docB)
    follow(b, docB)
    for (let i = 1; i <= 30; i++) a.send(updateFrame(change(docA, () => docA.getMap('geo').set(`e${i % 4}`, [i, 0, 1, 1]))))
    a.send(ackFrame(1))
    await a.acked(1)
    expect((await one.rooms.log.compact(docId))?.rows).toBeGreaterThan(0)
    const state = await fetch(`${two.url}/api/docs/${docId}/state`, { headers: { cookie: bob.cookie } })
    const fetched = new Y.Doc()
    Y.applyUpdate(fetched, new Uint8Array(await state.arrayBuffer()))
    expect(contentOf(fetched)).toBe(contentOf(docA))
    await b.until(() => contentOf(docB) === contentOf(docA))
    a.close()
    b.close()
  })
})

describe('Redis goes down and comes back', () => {
  it('people on both servers go on working, see each other’s changes, and lose their rights all the same', async () => {
    const one = await startServer(suite.connection, { bus: await redisBus(redis.url) })
    const two = await startServer(suite.connection, { bus: await redisBus(redis.url) })
    const ann = await one.person('Ann')
    const bob = await one.person('Bob')
    const docId = await ann.file('Without Redis')
    await ann.must('POST', `/api/files/${docId}/collaborators`, { email: bob.email, role: 'editor' })
    const a = await openSocket(one.url, docId, `ticket=${await ann.ticket(docId)}&p=1`)
    const b = await openSocket(two.url, docId, `ticket=${await bob.ticket(docId)}&p=1`)
    const [docA, docB] = [new Y.Doc(), new Y.Doc()]
    await a.sync(docA)
    await b.sync(docB)
    follow(b, docB)
    await redis.down()
    a.send(updateFrame(change(docA, () => docA.getMap('kind').set('while it is down', 'agent'))))
    a.send(ackFrame(1))
    await a.acked(1)
    await b.until(() => docB.getMap('kind').has('while it is down'))
    await ann.must('DELETE', `/api/files/${docId}/collaborators/${bob.id}`)
    await redis.up()
    expect(await b.closed()).toBe(CLOSE.noAccess)
    a.close()
    await one.stop()
    await two.stop()
  })
})
