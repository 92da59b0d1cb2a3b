// An author alone, acked, gone; the server killed at once. What was acked is in the database: nobody is left to send it again.
// A real server process with a real database folder, killed with SIGKILL, thirty times; the database is read by somebody else.
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as Y from 'yjs'
import { startCluster } from '../../sync-server/db/cluster.ts'
import { openDatabase } from '../../sync-server/db/database.ts'
import { ackFrame, updateFrame } from '../../sync-server/relay/frames.ts'
import { Log } from '../../sync-server/relay/log.ts'
import { chance } from '../help/random.ts'
import { Person } from '../help/server.ts'

const main = fileURLToPath(new URL('../../sync-server/main.ts', import.meta.url))
const children: ChildProcess[] = []
let folder = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holarchy-durable-'))
})
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL')
  // A killed server leaves its Postgres running.
  const cluster = await startCluster(folder)
  await cluster.stop()
  await rm(folder, { recursive: true, force: true })
})

type Started = { child: ChildProcess; url: string; lines: string[] }

/** Starts the server on the folder and waits until it says where it is. */
async function start(env: Record<string, string> = {}): Promise<Started> {
  const child = spawn(process.execPath, [main], {
    env: { ...process.env, HOLARCHY_DATA: folder, PORT: String(await freePort()), RATE_LIMITS: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  children.push(child)
  const lines: string[] = []
  const found = new Promise<string>((done, fail) => {
    for (const stream of [child.stdout, child.stderr]) {
      if (stream === null) continue
      createInterface({ input: stream }).on('line', line => {
        lines.push(line)
        const url = /running at\s+(http\S+)/.exec(line)?.[1]
        if (url !== undefined) done(url.replace('localhost', '127.0.0.1'))
      })
    }
    child.on('exit', code => fail(new Error(`the server ended with ${code}:\n${lines.join('\n')}`)))
  })
  return { child, url: await found, lines }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  const address = server.address()
  await new Promise(done => server.close(done))
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}

async function kill(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}

async function signIn(url: string): Promise<Person> {
  const person = new Person(url)
  await person.must('POST', '/api/accounts/login', { email: 'demo@holarchy.local', password: 'holarchy' })
  return person
}

/** The document as the database has it, read without any server. */
async function cold(docId: string): Promise<Y.Doc> {
  const cluster = await startCluster(folder)
  const database = await openDatabase(cluster.connection('holarchy'), { connections: 2 })
  try {
    const loaded = await new Log(database).load(docId)
    const doc = new Y.Doc()
    for (const update of loaded?.updates ?? []) Y.applyUpdate(doc, update)
    return doc
  } finally {
    await database.close()
  }
}

describe('durability', () => {
  it('an acked edit of a lone author survives kill -9, thirty times of thirty', async () => {
    const random = chance(30)
    let server = await start()
    let ann = await signIn(server.url)
    const docId = await ann.file('Lone author')
    let lost = 0
    for (let round = 1; round <= 30; round++) {
      const socket = await ann.socket(docId)
      const doc = new Y.Doc()
      await socket.sync(doc)
      expect(doc.getMap('data').size, `round ${round} opens with all edits before it`).toBe(round - 1)
      // A few edits around the one that counts, so that the kill falls into different moments of the group commit.
      const updates: Uint8Array[] = []
      doc.on('update', (update: Uint8Array) => void updates.push(update))
      for (let i = random.below(4); i > 0; i--) doc.getMap('geo').set(`e${i}`, [round, i, 1, 1])
      doc.getMap('data').set(`round/${round}`, random.text(200))
      for (const update of updates) socket.send(updateFrame(update))
      socket.send(ackFrame(round))
      await socket.acked(round)
      const killed = kill(server.child)
      socket.close()
      await killed
      if (!(await cold(docId)).getMap('data').has(`round/${round}`)) lost++
      server = await start()
      ann = await signIn(server.url)
    }
    expect(lost).toBe(0)
    expect(server.lines.join('\n')).toContain('taken over')
    await kill(server.child)
  }, 400_000)

  it('an orderly stop loses nothing either, stops the database, and the next start finds everything', async () => {
    const first = await start()
    const ann = await signIn(first.url)
    const docId = await ann.file('Orderly')
    const socket = await ann.socket(docId)
    const doc = new Y.Doc()
    await socket.sync(doc)
    const updates: Uint8Array[] = []
    doc.on('update', (update: Uint8Array) => void updates.push(update))
    doc.getMap('kind').set('a', 'agent')
    for (const update of updates) socket.send(updateFrame(update))
    const gone = once(first.child, 'exit')
    socket.send(ackFrame(1))
    await socket.acked(1)
    first.child.kill('SIGTERM')
    expect(await socket.closed()).toBe(1012)
    expect((await socket.notice(103)).retryAfterMs).toBeGreaterThan(0)
    expect((await gone)[0]).toBe(0)
    const second = await start()
    expect(second.lines.join('\n')).not.toContain('taken over')
    const again = await signIn(second.url)
    expect((await again.must('GET', '/api/files')).files.map((file: { name: string }) => file.name)).toContain('Orderly')
    const copy = new Y.Doc()
    const reopened = await again.socket(docId)
    await reopened.sync(copy)
    expect(copy.getMap('kind').get('a')).toBe('agent')
    reopened.close()
    await kill(second.child)
  })

  it('a second server on the same folder says who has it, and leaves it alone', async () => {
    const first = await start()
    await expect(start()).rejects.toThrow(
      new RegExp(`Another Holarchy server \\(pid ${first.child.pid} http://localhost:\\d+\\) is running on`),
    )
    const ann = await signIn(first.url)
    expect((await ann.must('GET', '/api/health')).ok).toBe(true)
    await expect(start({ HOLARCHY_DATA: `${folder}/other`, PORT: new URL(first.url).port })).rejects.toThrow(/Port \d+ is taken/)
    await kill(first.child)
  })
})
