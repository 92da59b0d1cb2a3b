// The server's figures: a real process on an embedded database of its own, loaded from this process. Both share the machine, so the
// times are those of a machine under load. `npm run bench -- server/sync` for one; HOSTILE=1000000 for the long run of hostile frames.
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import * as Y from 'yjs'
import { loadFile } from '../../model-schema/document.ts'
import { startCluster } from '../../sync-server/db/cluster.ts'
import { configOf } from '../../sync-server/db/database.ts'
import { updateFrame } from '../../sync-server/relay/frames.ts'
import { Room } from '../../sync-server/relay/room.ts'
import { kill, launch, signIn } from '../help/network/process.ts'
import { chance } from '../help/random.ts'
import type { Person } from '../help/server.ts'
import type { Figure } from './figure.ts'
import { Visitor, busy, quantile } from './server-clients.ts'
import type { Times } from './server-clients.ts'

const NAMES = [
  'server/api',
  'server/files',
  'server/sync',
  'server/restart',
  'server/revocation',
  'server/hostile',
  'server/memory',
] as const

/** Figures with their targets as the baseline: a ratio below one is reached. */
export async function* serverFigures(wanted: (name: string) => boolean): AsyncGenerator<Figure> {
  const asked = NAMES.filter(wanted)
  if (asked.includes('server/memory')) yield* memory()
  if (!asked.some(name => name !== 'server/memory')) return
  const folder = await mkdtemp(join(tmpdir(), 'holarchy-bench-'))
  let server = await launch({ HOLARCHY_DATA: folder })
  pid = server.child.pid ?? 0
  try {
    const person = await signIn(server.url)
    person.team = (await person.must('GET', '/api/accounts/session')).team
    crowd = await makeCrowd(server.url, folder)
    if (asked.includes('server/api')) yield* api(person)
    if (asked.includes('server/sync')) yield* sync(person)
    if (asked.includes('server/revocation')) yield* revocation(person)
    if (asked.includes('server/hostile')) yield* hostile(person)
    if (asked.includes('server/files')) yield* files(person, folder)
    if (asked.includes('server/restart')) {
      const visitors = await visit(person, 300, 30)
      const began = performance.now()
      await kill(server.child)
      server = await launch({ HOLARCHY_DATA: folder, PORT: new URL(server.url).port })
      pid = server.child.pid ?? 0
      const up = performance.now()
      await Promise.all(
        visitors.map(async ({ visitor, docId }, i) => {
          // As the client does: a random delay, so that not all come at once.
          await new Promise(done => setTimeout(done, Math.random() * 3000))
          await visitor.connect(seat(person, i), docId, server.url)
        }),
      )
      const all = (performance.now() - began) / 1000
      yield figure('server/restart', all, 's', 10, `kill -9, start (${((up - began) / 1000).toFixed(1)} s), 300 people in sync again`)
      for (const { visitor } of visitors) visitor.close()
    }
  } finally {
    const gone = once(server.child, 'exit')
    server.child.kill('SIGTERM')
    await gone
    await rm(folder, { recursive: true, force: true })
  }
}

let pid = 0

/** Processor time the server has taken so far, in milliseconds; NaN where the system does not say. Other work hardly changes it. */
async function processorMs(): Promise<number> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

const figure = (name: string, value: number, unit: string, target: number, note: string): Figure => ({
  name,
  value,
  unit,
  baseline: target,
  ratio: value / target,
  note,
})

/** 200 requests a second of what a client asks for, evenly spread. */
async function* api(person: Person): AsyncGenerator<Figure> {
  const ids: string[] = []
  for (let i = 0; i < 20; i++) ids.push(await person.file(`Asked for ${i}`))
  const random = chance(1)
  const asks: (() => Promise<unknown>)[] = [
    () => person.must('GET', '/api/files?of=recent'),
    () => person.must('GET', `/api/files?of=folder&team=${person.team}`),
    () => person.must('GET', `/api/files/${random.pick(ids)}`),
    () => person.must('GET', '/api/accounts/session'),
    () => person.must('GET', '/api/notifications'),
    () => person.must('GET', '/api/workspaces'),
    () => person.ticket(random.pick(ids)),
    () => person.must('PATCH', `/api/files/${random.pick(ids)}`, { remark: random.text(20) }),
    () => person.call('GET', `/api/docs/${random.pick(ids)}/state`),
  ]
  // A server that has been up for a moment: each of its connections has planned what is asked.
  for (let round = 0; round < 40; round++) await Promise.all(asks.map(ask => ask()))
  const times: number[] = []
  const running: Promise<unknown>[] = []
  const processor = await processorMs()
  const began = performance.now()
  for (let i = 0; i < 4000; i++) {
    const due = began + i * 5
    const wait = due - performance.now()
    if (wait > 0) await new Promise(done => setTimeout(done, wait))
    const at = performance.now()
    running.push(
      random
        .pick(asks)()
        .then(() => times.push(performance.now() - at)),
    )
  }
  await Promise.all(running)
  const each = ((await processorMs()) - processor) / times.length
  const note = `200 requests a second, reads and writes; ${each.toFixed(2)} ms of the server's processor each`
  yield figure('server/api-p50', quantile(times, 0.5), 'ms', 50, note)
  yield figure('server/api-p99', quantile(times, 0.99), 'ms', 50, note)
}

/** So many people in so many documents, connected and in sync. */
async function visit(person: Person, people: number, rooms: number, times: Times = { sync: [], ack: [] }) {
  const docs: string[] = []
  for (let i = 0; i < rooms; i++) docs.push(await person.file(`Room ${i} ${Math.random()}`))
  const visitors: { visitor: Visitor; docId: string }[] = []
  for (let i = 0; i < people; i++) {
    const docId = docs[i % rooms]!
    const visitor = new Visitor(`v${i}`, times)
    await visitor.connect(seat(person, i), docId)
    visitors.push({ visitor, docId })
  }
  return visitors
}

/** One account may have 60 sockets, so more people take more accounts. */
const PER_ACCOUNT = 50
let crowd: Person[] = []
const seat = (person: Person, i: number): Person => crowd[Math.floor(i / PER_ACCOUNT)] ?? person

/** Accounts that may edit what the demo account has, with its password. */
async function makeCrowd(url: string, folder: string): Promise<Person[]> {
  await query(folder, async client => {
    const { rows } = await client.query<{ id: string }>(
      `insert into "user" (name, email, "emailVerified") select 'Guest ' || n, 'bench' || n || '@example.org', true from generate_series(1, 7) n
       returning id`,
    )
    const ids = rows.map(row => row.id)
    await client.query(
      `insert into account ("accountId", "providerId", "userId", password, "updatedAt")
       select n, 'credential', n, (select a.password from account a join "user" u on u.id = a."userId" where u.email = 'demo@holarchy.local'), now() from unnest($1::uuid[]) n`,
      [ids],
    )
    await client.query(
      `insert into workspace_member (workspace_id, user_id, role)
       select w.id, n, 'editor' from unnest($1::uuid[]) n, workspace w join "user" u on u.id = w.owner_id
       where w.type = 'personal' and u.email = 'demo@holarchy.local'`,
      [ids],
    )
  })
  const people: Person[] = []
  for (let n = 1; n <= 7; n++) people.push(await signIn(url, `bench${n}@example.org`))
  return people
}

async function query(folder: string, use: (client: Client) => Promise<void>): Promise<void> {
  const cluster = await startCluster(folder)
  const client = new Client(configOf(cluster.connection('holarchy')))
  await client.connect()
  await use(client).finally(() => client.end())
}

async function* sync(person: Person): AsyncGenerator<Figure> {
  const seconds = Number(process.env['SECONDS'] ?? 20)
  const times: Times = { sync: [], ack: [] }
  const visitors = await visit(person, 200, 20, times)
  const all = visitors.map(({ visitor }) => visitor)
  await busy(all, 2, 5, 3000)
  times.sync.length = times.ack.length = 0
  const processor = await processorMs()
  await busy(all, 2, 5, seconds * 1000)
  const share = ((await processorMs()) - processor) / (10 * seconds)
  const note = `200 people in 20 documents, 2 changes and 5 cursors a second each; ${times.sync.length} deliveries; ${share.toFixed(0)} % of a processor`
  yield figure('server/sync-p50', quantile(times.sync, 0.5), 'ms', 3, note)
  yield figure('server/sync-p99', quantile(times.sync, 0.99), 'ms', 40, note)
  yield figure('server/ack-p50', quantile(times.ack, 0.5), 'ms', 3, 'from the change to knowing that it is on the disk')
  yield figure('server/ack-p99', quantile(times.ack, 0.99), 'ms', 80, 'from the change to knowing that it is on the disk')
  for (const visitor of all) visitor.close()
}

async function* revocation(person: Person): AsyncGenerator<Figure> {
  const times: number[] = []
  for (let i = 0; i < 100; i++) {
    const docId = await person.file(`Revoked ${i}`)
    const { code } = await person.must('POST', `/api/files/${docId}/links`, { role: 'viewer' })
    const { ticket } = await (
      await fetch(`${person.url}/api/rt/ticket`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ docId, share: code }),
      })
    ).json()
    const guest = new Visitor(`g${i}`, { sync: [], ack: [] })
    await guest.connectWith(ticket, docId, person.url)
    const closed = new Promise<void>(done => {
      guest.onClosed = done
    })
    await person.must('DELETE', `/api/files/${docId}/links/${code}`)
    const said = performance.now()
    await closed
    times.push(Math.max(0, (guest.closedAt ?? said) - said))
  }
  yield figure('server/revocation-p99', quantile(times, 0.99), 'ms', 1000, 'from the answer that a link is revoked to its guest being gone')
}

/** Broken, cut and forged frames by the thousand, while two people work in the same document and two in another. */
async function* hostile(person: Person): AsyncGenerator<Figure> {
  const frames = Number(process.env['HOSTILE'] ?? 20_000)
  const isOver = (): boolean => sent >= frames
  const random = chance(13)
  const near: Times = { sync: [], ack: [] }
  const visitors = (await visit(person, 2, 1, near)).map(({ visitor, docId }) => ({ visitor, docId }))
  const docId = visitors[0]!.docId
  const neighbours: Times = { sync: [], ack: [] }
  const others = (await visit(person, 2, 1, neighbours)).map(({ visitor }) => visitor)
  await busy(others, 20, 5, 3000)
  const before = quantile(neighbours.sync, 0.99)
  neighbours.sync.length = 0
  const evil = new Y.Doc()
  const corpus: Uint8Array[] = []
  evil.on('update', (update: Uint8Array) => corpus.push(updateFrame(update)))
  for (let i = 0; i < 40; i++) {
    evil.getMap(random.pick(['kind', 'geo', 'data', 'text', 'secret'])).set(`e${i % 7}`, random.chance(0.5) ? [i, i] : random.text(30))
  }
  let sent = 0
  let kicked = 0
  const attack = async (): Promise<void> => {
    while (!isOver()) {
      const attacker = new Visitor('evil', { sync: [], ack: [] })
      const closed = new Promise<void>(done => {
        attacker.onKicked = () => {
          kicked++
          done()
        }
      })
      await attacker.connect(person, docId).catch(() => {})
      for (let i = 0; i < 200 && attacker.closeCode === null && !isOver(); i++) {
        sent++
        attacker.send(mutated(random.pick(corpus), random))
        if (i % 20 === 19) await new Promise(setImmediate)
      }
      if (attacker.closeCode === null) await Promise.race([closed, new Promise(done => setTimeout(done, 20))])
      attacker.close()
    }
  }
  const began = performance.now()
  const work = async (): Promise<void> => {
    while (!isOver()) await busy([...others, ...visitors.map(({ visitor }) => visitor)], 20, 5, 500)
  }
  await Promise.all([work(), attack(), attack(), attack()])
  const seconds = (performance.now() - began) / 1000
  for (const { visitor } of visitors) await visitor.settled()
  // What is on its way has a while to arrive.
  const both = (): boolean => {
    const [first, second] = visitors.map(({ visitor }) => JSON.stringify(Object.entries(visitor.doc.getMap('data').toJSON()).sort()))
    return first === second
  }
  for (const end = performance.now() + 20_000; !both() && performance.now() < end;) await new Promise(done => setTimeout(done, 20))
  const alike = both() ? 'both in the document alike' : 'THE TWO IN THE DOCUMENT DIFFER'
  const note = `${sent} frames in ${seconds.toFixed(0)} s, ${kicked} connections thrown out, ${alike}`
  yield figure('server/hostile-neighbours-p99', quantile(neighbours.sync, 0.99), 'ms', Math.max(2 * before, 10), note)
  for (const visitor of [...others, ...visitors.map(one => one.visitor)]) visitor.close()
}

function mutated(frame: Uint8Array, random: ReturnType<typeof chance>): Uint8Array {
  const bytes = Uint8Array.from(frame)
  switch (random.below(6)) {
    case 0:
      return bytes.slice(0, random.below(bytes.length))
    case 1:
      for (let i = 0; i <= random.below(4); i++) bytes[random.below(bytes.length)] = random.below(256)
      return bytes
    case 2:
      return Uint8Array.from([...bytes, ...Array.from({ length: random.below(20) }, () => random.below(256))])
    case 3:
      return Uint8Array.from({ length: random.below(60) }, () => random.below(256))
    case 4:
      bytes[0] = random.below(120)
      return bytes
    default:
      return bytes
  }
}

/** A workspace of 10,000 files: the first page of its list, all of it, and a search in everything. */
async function* files(person: Person, folder: string): AsyncGenerator<Figure> {
  const { team, user } = await person.must('GET', '/api/accounts/session')
  await query(folder, async client => {
    await client.query(
      `insert into file (id, workspace_id, kind, name, creator_id, content, remark)
       select 'bench_' || n, $1, 'model', 'Model number ' || n || ' ' || md5(n::text), $2,
         lower(repeat(md5((n * 7)::text) || ' ', 20)), 'remark ' || n
       from generate_series(1, 10000) n`,
      [team, user.id],
    )
    await client.query(`insert into doc (id, epoch) select id, id from file where id like 'bench_%'`)
    await client.query('analyze')
  })
  const timed = async (path: string): Promise<number> => {
    const times: number[] = []
    for (let i = 0; i < 9; i++) {
      const at = performance.now()
      await person.must('GET', path)
      times.push(performance.now() - at)
    }
    return quantile(times, 0.5)
  }
  yield figure(
    'server/list-10000',
    await timed(`/api/files?of=folder&team=${team}&limit=200`),
    'ms',
    300,
    'first page of a folder of 10,000',
  )
  yield figure('server/list-all-10000', await timed('/api/files?of=all'), 'ms', 1000, 'all 10,000 at once, as the local copy is made')
  yield figure('server/search-name', await timed('/api/files?of=search&q=number%204711&limit=100'), 'ms', 100, 'two words in names')
  yield figure('server/search-content', await timed('/api/files?of=search&q=c4ca4238&limit=100'), 'ms', 100, 'a word in what files hold')
}

/** Heap of open documents, in this process: `node --expose-gc` is needed for it to be exact. */
async function* memory(): AsyncGenerator<Figure> {
  const collect = (globalThis as { gc?: () => void }).gc
  if (collect === undefined) {
    yield { name: 'server/memory', value: NaN, unit: 'MB', note: 'run with NODE_OPTIONS=--expose-gc' }
    return
  }
  const update = largeDocument()
  const later: (() => void)[] = []
  let now = 0
  const open = (bytes: Uint8Array, i: number): Room =>
    new Room({
      docId: `doc${i}`,
      loaded: { epoch: 'e', schema: 1, minWriter: 1, seq: 0, updates: bytes.length === 0 ? [] : [bytes.slice()], owners: new Map() },
      log: { append: (_, settled) => settled(1), load: settled => settled(null) },
      clock: { now: () => now, after: (_, fn) => (later.push(fn), () => {}) },
    })
  const peer = (i: number) => ({
    who: { userId: `u${i}`, sessionId: `s${i}`, name: 'n' },
    role: 'editor' as const,
    custom: true,
    send: () => {},
    close: () => {},
    buffered: () => 0,
    pause: () => {},
    resume: () => {},
  })
  const heap = (): number => {
    for (let i = 0; i < 4; i++) collect()
    const { heapUsed, arrayBuffers } = process.memoryUsage()
    return heapUsed + arrayBuffers
  }
  const kept: Room[] = []
  let before = heap()
  for (let i = 0; i < 4; i++) kept.push(open(update, i))
  yield figure('server/memory-hot', (heap() - before) / 4e6, 'MB', 12, '5,000 elements with two formulas each, being edited')
  for (const [i, room] of kept.entries()) room.join(peer(i))
  now += 120_000
  for (const run of later.splice(0)) run()
  yield figure('server/memory-quiet', (heap() - before) / 4e6, 'MB', 12, 'the same, a minute after the last change')
  kept.length = 0
  const changes = movesIn(update, 10_000)
  before = heap()
  for (let i = 0; i < 4; i++) {
    const room = open(update, i)
    for (const change of changes) room.submit(peer(i).who, 'editor', change, () => {})
    kept.push(room)
  }
  const written = (heap() - before) / 4e6
  yield figure('server/memory-written', written, 'MB', 12, `the same after ${changes.length} changes, one by one`)
  kept.length = 0
  before = heap()
  for (let i = 0; i < 2000; i++) {
    const room = open(new Uint8Array(0), i)
    room.join(peer(i))
    kept.push(room)
  }
  yield figure('server/memory-idle', (heap() - before) / 2e6, 'kB', 25, 'an open document with one connection, without its socket')
}

/** 5,000 elements. */
function largeDocument(): Uint8Array {
  const elements = Object.fromEntries(
    Array.from({ length: 5000 }, (_, i) => {
      const common = {
        name: `Element ${i}`,
        parent: 'scenario1',
        rank: `a${i.toString(36).padStart(4, '0')}`,
        at: [i % 100, i / 100, 120, 60],
      }
      const formula = [
        { kind: 'delay', duration: `exponential(1 / ${i})` },
        { kind: 'variable', initial: `x${i} + 1` },
      ]
      return [`element${i}`, { ...common, ...formula[i % 2] }]
    }),
  )
  const source = new Y.Doc()
  loadFile(source, {
    format: 'holo',
    version: 1,
    elements: { scenario1: { kind: 'scenario', name: 'One', rank: 'a0' }, ...elements },
  } as Parameters<typeof loadFile>[1])
  return Y.encodeStateAsUpdate(source)
}

/** A user who moves one element after the other. */
function movesIn(update: Uint8Array, count: number): Uint8Array[] {
  const writer = new Y.Doc()
  Y.applyUpdate(writer, update)
  const changes: Uint8Array[] = []
  writer.on('update', (change: Uint8Array) => void changes.push(change))
  for (let i = 0; i < count; i++) writer.getMap('data').set(`element${i % 5000}/at`, [i % 100, i / 100, 120, 60])
  return changes
}
