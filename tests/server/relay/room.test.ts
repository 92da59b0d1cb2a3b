// The relay room, without sockets or database: its laws on random networks, and each rule on a hostile peer.
import { describe, expect, it } from 'vitest'
import * as Y from 'yjs'
import * as decoding from 'lib0/decoding'
import { CLOSE, LIMITS, MESSAGE, SYNC } from '../../../sync-server/protocol.ts'
import type { Role } from '../../../sync-server/protocol.ts'
import { ackFrame, awarenessFrame, step1Frame, step2Frame, updateFrame } from '../../../sync-server/relay/frames.ts'
import { Room } from '../../../sync-server/relay/room.ts'
import type { Loaded, LogRow, Member, Peer, RoomLog } from '../../../sync-server/relay/room.ts'
import { Net, SimClient, SimServer, chaos, contentOf, faults, quiesce, unknownFrame } from '../../help/network/net.ts'
import type { Chance } from '../../help/random.ts'

/** A room on a hand-driven log: `commit()` makes what was appended durable. */
function stage(options: { loaded?: Partial<Loaded>; quiet?: { ms: number; bytes: number } } = {}) {
  const net = new Net(1)
  const rows: LogRow[] = []
  const waiting: { row: LogRow; settled: (seq: number | null) => void }[] = []
  let loads = 0
  const loaded = (): Loaded => ({
    epoch: 'epoch-1',
    schema: 1,
    minWriter: 1,
    seq: rows.length,
    updates: rows.map(row => row.update),
    owners: new Map(rows.flatMap(row => row.newClients.map(client => [client, row.userId] as const))),
    ...options.loaded,
  })
  const log: RoomLog = {
    append: (row, settled) => void waiting.push({ row, settled }),
    load: settled => {
      loads++
      settled(loaded())
    },
  }
  let closed = false
  const clock = { now: () => net.now, after: (ms: number, fn: () => void) => net.after(ms, fn) }
  const { quiet } = options
  const room = new Room({ docId: 'document', loaded: loaded(), log, clock, onClosed: () => void (closed = true), ...(quiet && { quiet }) })
  const commit = (): void => {
    for (const { row, settled } of waiting.splice(0)) {
      rows.push(row)
      settled(rows.length)
    }
  }
  const fail = (): void => {
    for (const { settled } of waiting.splice(0)) settled(null)
  }
  return { net, room, rows, waiting, commit, fail, loads: () => loads, isClosed: () => closed }
}

type Spy = Peer & {
  frames: Uint8Array[]
  closedWith: number | null
  backed: number
  paused: boolean
  member: Member
  types: () => number[]
}

function enter(room: Room, userId: string, role: Role = 'editor', custom = true): Spy {
  const frames: Uint8Array[] = []
  const spy = {
    who: { userId, sessionId: `s-${userId}`, name: userId.toUpperCase() },
    role,
    custom,
    frames,
    closedWith: null as number | null,
    backed: 0,
    paused: false,
    send: (frame: Uint8Array) => void frames.push(frame),
    close: (code: number) => void (spy.closedWith = code),
    buffered: () => spy.backed,
    pause: () => void (spy.paused = true),
    resume: () => void (spy.paused = false),
    types: () => frames.map(frame => frame[0] ?? -1),
  }
  return Object.assign(spy, { member: room.join(spy) })
}

/** A document of a client with a known id, and the updates it makes. */
function author(clientID: number) {
  const doc = new Y.Doc()
  doc.clientID = clientID
  const updates: Uint8Array[] = []
  doc.on('update', (update: Uint8Array) => void updates.push(update))
  const set = (name: string, key: string, value: unknown): Uint8Array => {
    doc.getMap(name).set(key, value)
    return updates.at(-1) ?? new Uint8Array()
  }
  return { doc, updates, set }
}

const cold = (rows: readonly LogRow[]): Y.Doc => {
  const doc = new Y.Doc()
  for (const row of rows) Y.applyUpdate(doc, row.update)
  return doc
}

describe('durability', () => {
  it('shows an update to others, and acks it, only after the commit', () => {
    const { room, commit } = stage()
    const ann = enter(room, 'ann')
    const bob = enter(room, 'bob')
    const before = bob.frames.length
    room.receive(ann.member, step2Frame(Y.encodeStateAsUpdate(new Y.Doc())))
    room.receive(ann.member, updateFrame(author(7).set('kind', 'a', 'agent')))
    room.receive(ann.member, ackFrame(3))
    expect(bob.frames.length).toBe(before)
    expect(ann.types()).not.toContain(MESSAGE.mark)
    commit()
    expect(bob.frames.length).toBe(before + 1)
    expect(ann.frames.at(-1)).toEqual(ackFrame(3))
  })

  it('acks nothing before the first step 2: the client may hold edits from before it connected', () => {
    const { room } = stage()
    const ann = enter(room, 'ann')
    room.receive(ann.member, ackFrame(4))
    expect(ann.types()).not.toContain(MESSAGE.mark)
    room.receive(ann.member, step2Frame(Y.encodeStateAsUpdate(new Y.Doc())))
    expect(ann.frames.at(-1)).toEqual(ackFrame(4))
  })

  it('answers a state vector only with what is committed', () => {
    const { room, commit } = stage()
    const ann = enter(room, 'ann')
    room.receive(ann.member, updateFrame(author(7).set('kind', 'a', 'agent')))
    const bob = enter(room, 'bob', 'viewer')
    room.receive(bob.member, step1Frame(Y.encodeStateVector(new Y.Doc())))
    expect(bob.types()).toEqual([MESSAGE.hello])
    commit()
    expect(bob.types()).toEqual([MESSAGE.hello, 0, 0])
  })

  it('sends everybody away when the log cannot be written, acking nothing', () => {
    const { room, fail, isClosed } = stage()
    const ann = enter(room, 'ann')
    room.receive(ann.member, updateFrame(author(7).set('kind', 'a', 'agent')))
    room.receive(ann.member, ackFrame(1))
    fail()
    expect(ann.closedWith).toBe(CLOSE.unavailable)
    expect(ann.types()).not.toContain(MESSAGE.mark)
    expect(isClosed()).toBe(true)
  })

  it('stops reading while the log lags and goes on when it has caught up', () => {
    const { room, commit } = stage()
    const ann = enter(room, 'ann')
    const a = author(7)
    for (let i = 0; i < 25; i++) {
      room.receive(
        ann.member,
        updateFrame(
          a.set(
            'data',
            `a/${i}`,
            Array.from({ length: 40 }, () => 'x'.repeat(10_000)),
          ),
        ),
      )
    }
    expect(ann.closedWith).toBe(null)
    expect(ann.paused).toBe(true)
    commit()
    expect(ann.paused).toBe(false)
  })
})

describe('large documents', () => {
  it('an import of 50,000 elements is one update like any other', () => {
    const { room, commit, rows } = stage()
    const ann = enter(room, 'ann')
    const doc = new Y.Doc()
    doc.transact(() => {
      for (let i = 0; i < 50_000; i++) {
        doc.getMap('kind').set(`element${i}`, 'delay')
        doc.getMap('geo').set(`element${i}`, [i, i, 120, 60])
        doc.getMap('tree').set(`element${i}`, ['scenario1', `a${i}`])
        doc.getMap('data').set(`element${i}/name`, `Element ${i}`)
        doc.getMap('text').set(`element${i}/duration`, new Y.Text('1 + 1'))
      }
    })
    room.receive(ann.member, step2Frame(Y.encodeStateAsUpdate(doc)))
    commit()
    expect([ann.closedWith, rows.length]).toEqual([null, 1])
  })

  it('are packed when nobody writes, and the same to whoever reads, writes or comes back', () => {
    const { net, room, commit } = stage({ quiet: { ms: 1000, bytes: 0 } })
    const ann = enter(room, 'ann')
    const doc = new Y.Doc()
    const write = (edit: () => void): void => {
      const before = Y.encodeStateVector(doc)
      doc.transact(edit)
      room.receive(ann.member, updateFrame(Y.encodeStateAsUpdate(doc, before)))
      commit()
    }
    room.receive(ann.member, step2Frame(Y.encodeStateAsUpdate(doc)))
    write(() => doc.getMap('text').set('element1/formula', new Y.Text('1 + 1')))
    write(() => doc.getMap('kind').set('gone', 'agent'))
    const old = Y.encodeStateVector(doc)
    write(() => doc.getMap('kind').delete('gone'))
    net.run(2 * LIMITS.tickMs)

    /** What a client gets that has this much already. */
    const answer = (vector: Uint8Array, into: Y.Doc): Y.Doc => {
      const eve = enter(room, 'eve', 'viewer')
      room.receive(eve.member, step1Frame(vector))
      const step2 = eve.frames.find(frame => frame[0] === MESSAGE.sync && frame[1] === SYNC.step2)
      if (step2 !== undefined) Y.applyUpdate(into, decoding.readVarUint8Array(decoding.createDecoder(step2.subarray(2))))
      room.leave(eve.member)
      return into
    }
    const copy = new Y.Doc()
    expect(contentOf(answer(Y.encodeStateVector(copy), copy))).toBe(contentOf(doc))
    const behind = new Y.Doc()
    Y.applyUpdate(behind, Y.encodeStateAsUpdate(doc))
    expect(contentOf(answer(old, behind))).toBe(contentOf(doc))
    let state: { update: Uint8Array } | null = null
    room.state(found => (state = found))
    const posted = new Y.Doc()
    Y.applyUpdate(posted, (state as { update: Uint8Array } | null)?.update ?? new Uint8Array())
    expect(contentOf(posted)).toBe(contentOf(doc))
    write(() => doc.getMap('text').get('element1/formula') instanceof Y.Text && doc.getMap('kind').set('again', 'agent'))
    const later = new Y.Doc()
    expect(contentOf(answer(Y.encodeStateVector(later), later))).toBe(contentOf(doc))
    expect(ann.closedWith).toBe(null)
  })
})

describe('roles', () => {
  it('never asks a viewer for updates and applies none', () => {
    const { room, waiting } = stage()
    const eve = enter(room, 'eve', 'viewer')
    expect(eve.types()).toEqual([MESSAGE.hello])
    const update = author(9).set('kind', 'a', 'agent')
    room.receive(eve.member, updateFrame(update))
    room.receive(eve.member, step2Frame(update))
    room.receive(eve.member, ackFrame(1))
    expect(waiting).toEqual([])
    expect(eve.types()).toEqual([MESSAGE.hello, MESSAGE.role, MESSAGE.role])
  })

  it('takes the pen away and gives it back while connected; the edits made meanwhile arrive', () => {
    const { room, commit, rows } = stage()
    const ann = enter(room, 'ann')
    const a = author(7)
    room.receive(ann.member, step2Frame(Y.encodeStateAsUpdate(a.doc)))
    room.setRole(ann.member, 'viewer')
    room.receive(ann.member, updateFrame(a.set('kind', 'a', 'agent')))
    room.receive(ann.member, ackFrame(1))
    commit()
    expect(rows).toEqual([])
    room.setRole(ann.member, 'editor')
    expect(ann.types().slice(-1)).toEqual([0])
    room.receive(ann.member, updateFrame(a.set('kind', 'b', 'agent')))
    room.receive(ann.member, step2Frame(Y.encodeStateAsUpdate(a.doc)))
    room.receive(ann.member, ackFrame(2))
    commit()
    expect(Object.keys(cold(rows).getMap('kind').toJSON())).toEqual(['a', 'b'])
    expect(ann.frames.at(-1)).toEqual(ackFrame(2))
  })
})

describe('what a hostile peer sends', () => {
  it.each([
    ['an unknown top-level name', () => author(7).set('secrets', 'a', 1)],
    ['a sub-document', () => author(7).set('data', 'a', new Y.Doc())],
    ['a nested map', () => author(7).set('data', 'a', new Y.Map())],
    ['a shared text in the wrong place', () => author(7).set('data', 'a', new Y.Text('x'))],
    ['binary', () => author(7).set('data', 'a', new Uint8Array(9))],
    ['a number that is not JSON', () => author(7).set('data', 'a', 5n)],
    ['a key that is a trap', () => author(7).set('data', '__proto__', 1)],
    ['an endless key', () => author(7).set('data', 'k'.repeat(1000), 1)],
    ['a bottomless value', () => author(7).set('data', 'a', JSON.parse('['.repeat(100) + ']'.repeat(100)))],
    ['a huge value', () => author(7).set('data', 'a', 'x'.repeat(600_000))],
  ])('%s costs it the connection and leaves the document alone', (_, make) => {
    const { room, waiting } = stage()
    const eve = enter(room, 'eve')
    room.receive(eve.member, updateFrame(make()))
    expect(eve.closedWith).toBe(CLOSE.badMessage)
    expect(waiting).toEqual([])
    expect(room.size).toBe(0)
  })

  it('shared text and rich text are welcome where they belong', () => {
    const { room, waiting } = stage()
    const ann = enter(room, 'ann')
    const a = author(7)
    room.receive(ann.member, updateFrame(a.set('text', 'a/formula', new Y.Text('1 + 1'))))
    const rich = new Y.XmlFragment()
    rich.insert(0, [new Y.XmlElement('p'), new Y.XmlText('hello')])
    room.receive(ann.member, updateFrame(a.set('rich', 'a', rich)))
    expect(ann.closedWith).toBe(null)
    expect(waiting.length).toBe(2)
  })

  it('attributes of a text are refused where texts are kept without room for them, and everything else goes on', () => {
    const writer = new Y.Doc()
    writer.clientID = 7
    writer.getMap('text').set('a/formula', new Y.Text('1 + 1'))
    const { room, commit, loads } = stage({ loaded: { updates: [Y.encodeStateAsUpdate(writer)], owners: new Map([[7, 'ann']]) } })
    const ann = enter(room, 'ann')
    const eve = enter(room, 'eve')
    const forged = new Y.Doc()
    forged.clientID = 8
    Y.applyUpdate(forged, Y.encodeStateAsUpdate(writer))
    const vector = Y.encodeStateVector(forged)
    const text = forged.getMap('text').get('a/formula')
    if (text instanceof Y.Text) text.setAttribute('color', 'red')
    room.receive(eve.member, updateFrame(Y.encodeStateAsUpdate(forged, vector)))
    expect(eve.closedWith).toBe(CLOSE.badMessage)
    expect(loads()).toBe(1)
    const before = Y.encodeStateVector(writer)
    const own = writer.getMap('text').get('a/formula')
    if (own instanceof Y.Text) own.insert(5, ' + 1')
    room.receive(ann.member, updateFrame(Y.encodeStateAsUpdate(writer, before)))
    commit()
    const state: Uint8Array[] = []
    room.state(found => found && state.push(found.update))
    const read = new Y.Doc()
    Y.applyUpdate(read, state[0] ?? new Uint8Array())
    expect(contentOf(read)).toBe(contentOf(writer))
    expect(ann.closedWith).toBe(null)
  })

  it("an update under somebody else's client id is refused; one's own from an earlier session is not", () => {
    const { room, commit, rows } = stage()
    const ann = enter(room, 'ann')
    room.receive(ann.member, updateFrame(author(7).set('kind', 'a', 'agent')))
    commit()
    const eve = enter(room, 'eve')
    const forged = author(7)
    forged.set('kind', 'a', 'agent')
    room.receive(eve.member, updateFrame(Y.encodeStateAsUpdate((forged.set('kind', 'b', 'cell'), forged.doc))))
    expect(eve.closedWith).toBe(CLOSE.badMessage)
    const again = enter(room, 'ann')
    room.receive(again.member, updateFrame(Y.encodeStateAsUpdate(forged.doc)))
    commit()
    expect(again.closedWith).toBe(null)
    expect(rows.length).toBe(2)
  })

  it('a client id that somebody shows cannot be written under by another, before its first edit too', () => {
    const { room, waiting } = stage()
    const ann = enter(room, 'ann')
    room.receive(ann.member, awarenessFrame([{ client: 7, clock: 1, state: '{}' }]))
    const eve = enter(room, 'eve')
    room.receive(eve.member, updateFrame(author(7).set('kind', 'a', 'agent')))
    expect(eve.closedWith).toBe(CLOSE.badMessage)
    expect(waiting).toEqual([])
  })

  it('an update with missing parts is not kept; the sender is asked for all, three times, then sent away', () => {
    const { room, waiting } = stage()
    const eve = enter(room, 'eve')
    room.receive(eve.member, step2Frame(Y.encodeStateAsUpdate(new Y.Doc())))
    const a = author(7)
    a.set('kind', 'a', 'agent')
    const second = a.set('kind', 'b', 'agent')
    for (let i = 1; i <= 2; i++) {
      room.receive(eve.member, updateFrame(second))
      expect(eve.types().filter(type => type === 0).length).toBe(1 + i)
      room.receive(eve.member, step2Frame(second))
    }
    room.receive(eve.member, updateFrame(second))
    expect(eve.closedWith).toBe(CLOSE.badMessage)
    expect(waiting).toEqual([])
  })

  it('edits made before the answer to step 1 got here are no offence', () => {
    const { room, commit, rows } = stage()
    const ann = enter(room, 'ann')
    const a = author(7)
    a.set('kind', 'offline', 'agent')
    for (let i = 0; i < 10; i++) room.receive(ann.member, updateFrame(a.set('kind', `b${i}`, 'agent')))
    room.receive(ann.member, ackFrame(1))
    expect(ann.types()).not.toContain(MESSAGE.mark)
    room.receive(ann.member, step2Frame(Y.encodeStateAsUpdate(a.doc)))
    commit()
    expect(ann.frames.at(-1)).toEqual(ackFrame(1))
    expect(contentOf(cold(rows))).toBe(contentOf(a.doc))
  })

  it('truncated, mutated and random frames: nobody else is harmed, nothing invalid is stored', () => {
    const { net, room, commit, rows } = stage()
    const ann = enter(room, 'ann')
    const bob = enter(room, 'bob')
    const a = author(7)
    room.receive(ann.member, step2Frame(Y.encodeStateAsUpdate(a.doc)))
    const good = author(11)
    for (let i = 0; i < 40; i++) good.set('data', `x/${i}`, { n: i, list: [1, 2, 'three'] })
    const corpus = [
      updateFrame(Y.encodeStateAsUpdate(good.doc)),
      step2Frame(Y.encodeStateAsUpdate(good.doc)),
      step1Frame(Y.encodeStateVector(good.doc)),
      awarenessFrame([{ client: 11, clock: 1, state: '{"cur":[1,2]}' }]),
      ackFrame(3),
    ]
    const random = net.random
    for (let i = 0; i < 3000; i++) {
      const eve = enter(room, 'eve')
      const frame = mutate(random.pick(corpus), random)
      room.receive(eve.member, frame)
      if (i % 10 === 0) room.receive(ann.member, updateFrame(a.set('kind', `a${i}`, 'agent')))
      commit()
      room.leave(eve.member)
      net.run(50)
      bob.frames.length = 0
    }
    expect(ann.closedWith).toBe(null)
    expect(bob.closedWith).toBe(null)
    const truth = cold(rows)
    expect(truth.store.pendingStructs).toBe(null)
    expect(truth.store.pendingDs).toBe(null)
    expect([...truth.share.keys()].filter(name => !contentOf(truth).includes(`"${name}"`))).toEqual([])
    expect(Object.keys(truth.getMap('kind').toJSON()).length).toBe(300)
  })

  it('a length that points past the end of a frame does not reach into the memory behind it', () => {
    const { room, waiting } = stage()
    const eve = enter(room, 'eve')
    const pool = Buffer.alloc(4096)
    const secret = updateFrame(author(7).set('kind', 'secret', 'agent'))
    pool.set(secret)
    room.receive(eve.member, pool.subarray(0, 3))
    expect(eve.closedWith).toBe(CLOSE.badMessage)
    expect(waiting).toEqual([])
  })

  it('oversize frames and floods are stopped', () => {
    const { room } = stage()
    const eve = enter(room, 'eve')
    room.receive(eve.member, updateFrame(new Uint8Array(LIMITS.frameBytes + 100)))
    expect(eve.closedWith).toBe(CLOSE.tooLarge)
    const mallory = enter(room, 'mallory')
    const a = author(8)
    for (let i = 0; i < LIMITS.updateBurst + 10 && mallory.closedWith === null; i++) {
      room.receive(mallory.member, updateFrame(a.set('kind', 'a', `${i}`)))
    }
    expect(mallory.closedWith).toBe(CLOSE.tooFast)
    // Each step 1 is answered with the whole document; marks and unknown messages cost little, but not nothing.
    const oscar = enter(room, 'oscar')
    for (let i = 0; i < LIMITS.questionBurst + 1; i++) room.receive(oscar.member, step1Frame(Y.encodeStateVector(new Y.Doc())))
    expect(oscar.closedWith).toBe(CLOSE.tooFast)
    expect(oscar.frames.filter(frame => frame[0] === MESSAGE.sync && frame[1] === SYNC.step2).length).toBeLessThanOrEqual(
      LIMITS.questionBurst,
    )
    const trudy = enter(room, 'trudy')
    for (let i = 0; i < LIMITS.frameBurst + 1; i++) room.receive(trudy.member, ackFrame(i))
    expect(trudy.closedWith).toBe(CLOSE.tooFast)
  })

  it('messages it does not know or may not send are ignored', () => {
    const { room } = stage()
    const ann = enter(room, 'ann')
    for (const type of [2, 42, MESSAGE.hello, MESSAGE.role, MESSAGE.drain, MESSAGE.control, 99_999])
      room.receive(ann.member, unknownFrame(type))
    expect(ann.closedWith).toBe(null)
  })
})

describe('presence', () => {
  it('is gathered for a moment, carries the identity of the session, and goes when the socket goes', () => {
    const { net, room } = stage()
    const ann = enter(room, 'ann')
    const bob = enter(room, 'bob')
    room.receive(ann.member, awarenessFrame([{ client: 7, clock: 1, state: '{"u":"bob","n":"Bob","cur":[1,1]}' }]))
    room.receive(ann.member, awarenessFrame([{ client: 7, clock: 2, state: '{"u":"bob","n":"Bob","cur":[2,2],"user":{"name":"Bob"}}' }]))
    expect(bob.types()).not.toContain(MESSAGE.awareness)
    net.run(LIMITS.awarenessMs)
    const state = JSON.stringify({ u: 'ann', n: 'ANN', cur: [2, 2], user: { name: 'ANN' }, a: null, role: 'editor' })
    expect(bob.frames.filter(frame => frame[0] === MESSAGE.awareness)).toEqual([awarenessFrame([{ client: 7, clock: 2, state }])])
    room.leave(ann.member)
    net.run(LIMITS.awarenessMs)
    expect(bob.frames.at(-1)).toEqual(awarenessFrame([{ client: 7, clock: 2, state: 'null' }]))
  })

  it("refuses other users' client ids, second ids, oversize states and things that are not objects", () => {
    const { net, room } = stage()
    const ann = enter(room, 'ann')
    room.receive(ann.member, awarenessFrame([{ client: 7, clock: 1, state: '{}' }]))
    const eve = enter(room, 'eve')
    net.run(100)
    ann.frames.length = 0
    room.receive(eve.member, awarenessFrame([{ client: 7, clock: 5, state: '{"evil":1}' }]))
    room.receive(eve.member, awarenessFrame([{ client: 7, clock: 6, state: 'null' }]))
    room.receive(ann.member, awarenessFrame([{ client: 8, clock: 1, state: '{}' }]))
    room.receive(eve.member, awarenessFrame([{ client: 9, clock: 1, state: JSON.stringify({ x: 'x'.repeat(5000) }) }]))
    room.receive(eve.member, awarenessFrame([{ client: 9, clock: 1, state: '[1]' }]))
    room.receive(eve.member, awarenessFrame([{ client: 9, clock: 1, state: '{not json' }]))
    net.run(100)
    expect(ann.frames).toEqual([])
    expect(eve.closedWith).toBe(null)
  })

  it('a reader is seen too, and silence is filled with ticks', () => {
    const { net, room } = stage()
    const ann = enter(room, 'ann')
    const eve = enter(room, 'eve', 'viewer', false)
    room.receive(eve.member, awarenessFrame([{ client: 9, clock: 1, state: '{}' }]))
    net.run(LIMITS.tickMs * 2)
    expect(ann.types().filter(type => type === MESSAGE.awareness).length).toBe(1)
    expect(ann.types().filter(type => type === MESSAGE.tick).length).toBe(2)
    expect(eve.types()).not.toContain(MESSAGE.tick)
  })
})

describe('slow lines', () => {
  it('skips a peer that does not keep up and gives it one difference when it has drained', () => {
    const { net, room, commit } = stage()
    const ann = enter(room, 'ann')
    const slow = enter(room, 'slow', 'viewer')
    const a = author(7)
    room.receive(ann.member, updateFrame(a.set('kind', 'first', 'agent')))
    commit()
    slow.backed = LIMITS.lagUpdateBytes + 1
    const before = slow.frames.length
    for (let i = 0; i < 20; i++) room.receive(ann.member, updateFrame(a.set('kind', `a${i}`, 'agent')))
    a.doc.getMap('kind').delete('first')
    room.receive(ann.member, updateFrame(a.updates.at(-1) ?? new Uint8Array()))
    commit()
    net.run(1000)
    expect(slow.frames.length).toBe(before)
    slow.backed = 0
    net.run(200)
    expect(slow.frames.length).toBe(before + 1)
    const doc = new Y.Doc()
    for (const frame of slow.frames.filter(([type, step]) => type === 0 && step !== 0)) applyFrame(doc, frame)
    expect(contentOf(doc)).toBe(contentOf(a.doc))
  })
})

describe('random networks', () => {
  const act = (client: SimClient, random: Chance, step: number): string => {
    const id = `e${random.below(30)}`
    const kind = client.doc.getMap('kind')
    if (random.chance(0.6)) {
      // The step is in the key, so that "acked and lost" is decidable: nothing ever overwrites it.
      client.doc.transact(() => {
        kind.set(id, 'agent')
        client.doc.getMap('data').set(`log/${step}`, client.userId)
        client.doc.getMap('geo').set(id, [random.below(100), step, 1, 1])
      })
      client.note(`log/${step}`)
      return `sets ${id}`
    }
    if (random.chance(0.5)) kind.delete(id)
    else {
      const text = client.doc.getMap('text')
      const there = text.get(id)
      if (there instanceof Y.Text) there.insert(random.below(there.length + 1), `${step} `)
      else text.set(id, new Y.Text('x'))
    }
    return `touches ${id}`
  }
  const has = (doc: Y.Doc, note: string): boolean => doc.getMap('data').has(note)

  it('converge, keep every acked edit, and leave no ghost, whatever is cut, crashed or killed', () => {
    const first = Number(process.env['SEED'] ?? 1001)
    const count = Number(process.env['COUNT'] ?? (process.env['SEED'] === undefined ? 60 : 1))
    let acked = 0
    for (let seed = first; seed < first + count; seed++) {
      const { server, clients, story } = chaos({ seed, clients: 4, steps: 150, act, diskLag: seed % 3 })
      const wrong = faults(server, clients, has)
      expect(wrong, `SEED=${seed}\n${story.join('\n')}`).toEqual([])
      acked += clients.reduce((sum, client) => sum + client.acked.length, 0)
      expect(server.closes.get(CLOSE.badMessage) ?? 0, `SEED=${seed}: an honest client was sent away`).toBe(0)
    }
    expect(acked).toBeGreaterThan(count * 10)
  })

  it('the simulator would notice: a log that forgets what it acked is caught', () => {
    const net = new Net(5)
    const server = new SimServer(net)
    const ann = new SimClient(net, server, { userId: 'ann' })
    net.run(500)
    ann.doc.getMap('data').set('log/1', 'ann')
    ann.note('log/1')
    net.run(500)
    expect(ann.acked).toEqual(['log/1'])
    ann.close()
    server.kill()
    server.committed = []
    quiesce(net, server, [ann])
    expect(faults(server, [ann], has)).toEqual(['acked and lost: log/1'])
  })
})

function applyFrame(doc: Y.Doc, frame: Uint8Array): void {
  // Type, step, then a varuint length of the body; the bodies here are short enough that the length is found by trial.
  for (let skip = 3; skip < 7; skip++) {
    try {
      return Y.applyUpdate(doc, frame.slice(skip))
    } catch (error) {
      if (skip === 6) throw error
    }
  }
}

function mutate(frame: Uint8Array, random: Chance): Uint8Array {
  const bytes = Uint8Array.from(frame)
  switch (random.below(5)) {
    case 0:
      return bytes.slice(0, random.below(bytes.length))
    case 1:
      for (let n = 1 + random.below(4); n > 0; n--) bytes[random.below(bytes.length)] = random.below(256)
      return bytes
    case 2:
      return Uint8Array.from([...bytes.slice(0, random.below(bytes.length)), ...noise(random, random.below(20))])
    case 3:
      return noise(random, 1 + random.below(60))
    default:
      bytes[random.below(Math.min(6, bytes.length))] = random.below(256)
      return bytes
  }
}

function noise(random: Chance, n: number): Uint8Array {
  return Uint8Array.from({ length: n }, () => random.below(256))
}
