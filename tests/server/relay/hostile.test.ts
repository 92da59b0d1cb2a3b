// Hostile frames: cut, broken, forged, oversize, of other documents, floods. The room and its sockets stay up, no other client is harmed, nothing
// invalid is stored, memory does not grow. `FRAMES=1000000 npx vitest run tests/server/relay/hostile.test.ts` for the long run; SEED for another.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import * as encoding from 'lib0/encoding'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as Y from 'yjs'
import { CLOSE, LIMITS, TOP_LEVEL } from '../../../sync-server/protocol.ts'
import { ackFrame, awarenessFrame, step1Frame, step2Frame, updateFrame } from '../../../sync-server/relay/frames.ts'
import { inspect } from '../../../sync-server/relay/inspect.ts'
import { Room } from '../../../sync-server/relay/room.ts'
import type { LogRow, Member, Peer } from '../../../sync-server/relay/room.ts'
import { Net, contentOf } from '../../help/network/net.ts'
import { chance } from '../../help/random.ts'
import type { Chance } from '../../help/random.ts'
import { openSocket, startServer, useDatabase } from '../../help/server.ts'
import type { Person, TestServer } from '../../help/server.ts'

const FRAMES = Number(process.env['FRAMES'] ?? 20_000)
const SEED = Number(process.env['SEED'] ?? 41)
/** Frames on one room before its rows are read cold and another one is attacked. */
const PER_ROOM = 10_000

setFlagsFromString('--expose-gc')
const collect: unknown = runInNewContext('gc')
const heap = (): number => {
  if (typeof collect === 'function') collect()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return (heapUsed + arrayBuffers) / 1e6
}

/** A document by `client` with all that documents of ours have, and some that they must not. */
function corpusOf(client: number): Uint8Array[] {
  const frames: Uint8Array[] = []
  const doc = new Y.Doc()
  doc.clientID = client
  doc.on('update', (update: Uint8Array) => void frames.push(updateFrame(update)))
  for (let i = 0; i < 30; i++) doc.getMap('data').set(`x${i % 9}/y`, { n: i, list: [1, 2, 'three'] })
  doc.getMap('kind').set('a', 'agent')
  doc.getMap('text').set('a/formula', new Y.Text('1 + 1'))
  const text = doc.getMap('text').get('a/formula')
  if (text instanceof Y.Text) for (let i = 0; i < 6; i++) text.insert(0, 'abc ')
  const rich = new Y.XmlFragment()
  rich.insert(0, [new Y.XmlElement('p'), new Y.XmlText('hello')])
  doc.getMap('rich').set('a', rich)
  doc.getMap('kind').delete('a')
  frames.push(updateFrame(Y.encodeStateAsUpdate(doc)), step2Frame(Y.encodeStateAsUpdate(doc)), step1Frame(Y.encodeStateVector(doc)))
  const foreign = new Y.Doc()
  foreign.clientID = client + 1
  let deep: unknown = 1
  for (let i = 0; i < 200; i++) deep = [deep]
  foreign.on('update', (update: Uint8Array) => void frames.push(updateFrame(update)))
  foreign.getMap('secret').set('a', 1)
  foreign.getMap('data').set('deep', deep)
  foreign.getMap('data').set('bytes', new Uint8Array(300))
  foreign.getMap('data').set('sub', new Y.Doc())
  foreign.getMap('data').set('__proto__', { polluted: true })
  foreign.getMap('kind').set('x'.repeat(3000), 'agent')
  foreign.getArray('conn').insert(0, ['a list where a map is'])
  foreign.getMap('data').set('map', new Y.Map())
  foreign.transact(() => {
    for (let i = 0; i < 500; i++) foreign.getMap(`name ${i}`).set('a', i)
  })
  frames.push(
    awarenessFrame([{ client, clock: 1, state: '{"cur":[1,2]}' }]),
    awarenessFrame([{ client: 7, clock: 99, state: '{"u":"ann","n":"Ann"}' }]),
    awarenessFrame([{ client, clock: 2, state: JSON.stringify({ big: 'x'.repeat(LIMITS.presenceBytes) }) }]),
    awarenessFrame([{ client, clock: 3, state: '[1' }]),
    ackFrame(3),
    ackFrame(2 ** 40),
  )
  return frames
}

/** All changes under one's own client ids deleted, and those of others. */
function deletion(random: Chance): Uint8Array {
  const encoder = encoding.createEncoder()
  encoding.writeVarUint(encoder, 0)
  encoding.writeVarUint(encoder, 1)
  encoding.writeVarUint(encoder, random.pick([7, 11, 1 + random.below(2 ** 31)]))
  encoding.writeVarUint(encoder, 1)
  encoding.writeVarUint(encoder, random.below(40))
  encoding.writeVarUint(encoder, random.pick([0, 1, 5, 2 ** 31, 2 ** 52]))
  return updateFrame(encoding.toUint8Array(encoder))
}

function noise(random: Chance, n: number): Uint8Array {
  return Uint8Array.from({ length: n }, () => random.below(256))
}

function mutated(corpus: readonly Uint8Array[], random: Chance): Uint8Array {
  const bytes = Uint8Array.from(random.pick(corpus))
  const at = random.below(bytes.length)
  switch (random.below(10)) {
    case 0:
      return bytes.slice(0, at)
    case 1:
      for (let n = 1 + random.below(4); n > 0; n--) bytes[random.below(bytes.length)] = random.below(256)
      return bytes
    case 2:
      return Uint8Array.from([...bytes, ...noise(random, 1 + random.below(20))])
    case 3:
      return noise(random, random.below(60))
    case 4: {
      // Two frames joined in the middle.
      const other = random.pick(corpus)
      return Uint8Array.from([...bytes.slice(0, at), ...other.slice(random.below(other.length))])
    }
    case 5:
      bytes[0] = random.below(256)
      return bytes
    case 6:
      // A length far beyond the frame.
      return Uint8Array.from([...bytes.slice(0, Math.min(at, 6)), 255, 255, 255, 255, 255, 255, 127, ...bytes.slice(at)])
    case 7:
      bytes[at] = (bytes[at] ?? 0) ^ (1 << random.below(8))
      return bytes
    case 8:
      return deletion(random)
    default:
      return bytes
  }
}

/** What the rows of a log make, cold; each must be one that the door would let in. */
function coldOf(rows: readonly LogRow[]): Y.Doc {
  const doc = new Y.Doc()
  const owners = new Map<number, string>()
  for (const row of rows) {
    const verdict = inspect(
      row.update,
      client => Y.getState(doc.store, client),
      client => (owners.get(client) ?? row.userId) === row.userId,
    )
    if (!verdict.ok) throw new Error(`an invalid row was stored: ${verdict.why}, ${verdict.detail}`)
    for (const client of verdict.authors) owners.set(client, row.userId)
    Y.applyUpdate(doc, row.update)
    if (doc.store.pendingStructs !== null || doc.store.pendingDs !== null) throw new Error('a row with missing parts was stored')
  }
  return doc
}

describe('hostile frames', () => {
  it(`${FRAMES} against the room: nobody else is harmed, nothing invalid is stored, memory stays`, () => {
    const random = chance(SEED)
    let sent = 0
    let refused = 0
    let least = Infinity
    let most = 0
    while (sent < FRAMES) {
      const net = new Net(SEED + sent)
      const rows: LogRow[] = []
      const waiting: (() => void)[] = []
      const room = new Room({
        docId: 'document',
        loaded: { epoch: 'e', schema: 1, minWriter: 1, seq: 0, updates: [], owners: new Map() },
        log: {
          append: (row, settled) => void waiting.push(() => settled(rows.push(row))),
          load: settled =>
            settled({
              epoch: 'e',
              schema: 1,
              minWriter: 1,
              seq: rows.length,
              updates: rows.map(row => row.update),
              owners: new Map(rows.flatMap(row => row.newClients.map(client => [client, row.userId] as const))),
            }),
        },
        clock: { now: () => net.now, after: (ms, fn) => net.after(ms, fn) },
      })
      const enter = (userId: string): Peer & { member: Member; closed: number | null; heard: Uint8Array[] } => {
        const peer = {
          who: { userId, sessionId: userId, name: userId },
          role: 'editor' as const,
          custom: true,
          closed: null as number | null,
          heard: [] as Uint8Array[],
          send: (frame: Uint8Array) => void peer.heard.push(frame),
          close: (code: number) => void (peer.closed = code),
          buffered: () => 0,
          pause: () => {},
          resume: () => {},
        }
        return Object.assign(peer, { member: room.join(peer) })
      }
      const ann = enter('ann')
      const hers = new Y.Doc()
      hers.clientID = 7
      // Her client id is hers from here on; before, a client that guesses 32 random bits could take it.
      hers.getMap('kind').set('hers', 'agent')
      room.receive(ann.member, step2Frame(Y.encodeStateAsUpdate(hers)))
      const corpus = corpusOf(11)
      let eve = enter('eve')
      for (let i = 0; i < PER_ROOM && sent < FRAMES; i++, sent++) {
        room.receive(eve.member, mutated(corpus, random))
        for (const settle of waiting.splice(0)) settle()
        if (eve.closed !== null) {
          refused++
          room.leave(eve.member)
          eve = enter('eve')
        }
        if (i % 100 === 0) {
          const before = Y.encodeStateVector(hers)
          hers.getMap('kind').set(`hers ${i}`, 'agent')
          room.receive(ann.member, updateFrame(Y.encodeStateAsUpdate(hers, before)))
          for (const settle of waiting.splice(0)) settle()
          net.run(50)
          ann.heard.length = 0
        }
        eve.heard.length = 0
      }
      expect(ann.closed).toBe(null)
      const truth = coldOf(rows)
      const state: Uint8Array[] = []
      room.state(found => found && state.push(found.update))
      const live = new Y.Doc()
      Y.applyUpdate(live, state[0] ?? new Uint8Array())
      expect(contentOf(live)).toBe(contentOf(truth))
      expect([...truth.share.keys()].filter(name => !TOP_LEVEL.some(one => one === name))).toEqual([])
      expect(Object.hasOwn({}, 'polluted')).toBe(false)
      room.close(CLOSE.restart, 'over')
      const now = heap()
      least = Math.min(least, now)
      most = Math.max(most, now)
    }
    expect(refused).toBeGreaterThan(FRAMES / 20)
    expect(most - least, 'MB of heap').toBeLessThan(50)
    if (FRAMES > 100_000) console.log(`${sent} frames, ${refused} thrown out, heap ${least.toFixed(0)} to ${most.toFixed(0)} MB`)
  }, 3_600_000)

  describe('over sockets', () => {
    const suite = useDatabase()
    let server: TestServer
    let ann: Person
    let eve: Person
    beforeAll(async () => {
      server = await startServer(suite.connection)
      ann = await server.person('Ann')
      eve = await server.person('Eve')
    })
    afterAll(() => server?.stop())

    it('the same, with text, pings and half a handshake: the server stays up and the two in the document agree', async () => {
      const random = chance(SEED)
      const docId = await ann.file('Attacked')
      await ann.must('POST', `/api/files/${docId}/collaborators`, { email: eve.email, role: 'editor' })
      const good = await ann.socket(docId)
      const hers = new Y.Doc()
      await good.sync(hers)
      const corpus = corpusOf(11)
      const wanted = Math.max(1000, Math.round(FRAMES / 20))
      const closes = new Map<number, number>()
      const unhandled: unknown[] = []
      const note = (error: unknown): void => void unhandled.push(error)
      process.on('unhandledRejection', note)
      let marks = 0
      for (let sent = 0, round = 0; sent < wanted; round++) {
        const attacker = await eve.socket(docId)
        for (let i = 0; i < 200 && sent < wanted && attacker.closeCode === null; i++, sent++) {
          const what = random.below(40)
          if (what === 0) attacker.send('{"text":"is not a message"}')
          else if (what === 1) attacker.ws.ping(noise(random, random.below(125)))
          else attacker.send(mutated(corpus, random))
          if (i % 20 === 19) await new Promise(setImmediate)
        }
        if (attacker.closeCode === null) attacker.close()
        const code = await attacker.closed()
        closes.set(code, (closes.get(code) ?? 0) + 1)
        if (round % 5 !== 0) continue
        const before = Y.encodeStateVector(hers)
        hers.getMap('kind').set(`hers${round}`, 'agent')
        good.send(updateFrame(Y.encodeStateAsUpdate(hers, before)))
        good.send(ackFrame(++marks))
        await good.acked(marks)
        // A used ticket, a foreign path, no ticket at all.
        for (const query of ['ticket=spent', '', 'ticket=%00'])
          await openSocket(server.url, docId, query).then(
            socket => socket.closed().then(closed => expect(closed).toBe(CLOSE.ticket)),
            () => undefined,
          )
      }
      expect(good.closeCode).toBe(null)
      expect(closes.get(CLOSE.badMessage) ?? 0).toBeGreaterThan(0)
      // Pings without end.
      const pinging = await eve.socket(docId)
      for (let i = 0; i < 2 * LIMITS.pingBurst; i++) pinging.ws.ping()
      await pinging.closed()
      process.off('unhandledRejection', note)
      expect(unhandled).toEqual([])
      // What is stored is what both read.
      const fresh = new Y.Doc()
      const reader = await ann.socket(docId)
      await reader.sync(fresh)
      const { rows } = await server.database.pool.query<{ u: Buffer }>('select u from doc_update where doc_id = $1 order by seq', [docId])
      const cold = new Y.Doc()
      for (const { u } of rows) Y.applyUpdate(cold, u)
      expect(cold.store.pendingStructs).toBe(null)
      expect(contentOf(fresh)).toBe(contentOf(cold))
      expect(Object.keys(fresh.getMap('kind').toJSON()).filter(key => key.startsWith('hers')).length).toBe(marks)
      good.close()
      reader.close()
    }, 3_600_000)
  })
})
