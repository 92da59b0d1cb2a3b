// The embedded database dies and comes back under a living server: real processes, real SIGKILL. Nothing acked is lost, nothing has to be
// restarted by hand, and no second server is let in meanwhile.
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { expect, it } from 'vitest'
import * as Y from 'yjs'
import { startCluster } from '../../sync-server/db/cluster.ts'
import { configOf } from '../../sync-server/db/database.ts'
import { ackFrame, updateFrame } from '../../sync-server/relay/frames.ts'
import { kill, signIn, useProcesses } from '../help/network/process.ts'
import type { RawSocket } from '../help/server.ts'

const processes = useProcesses()
const { start, cold } = processes

/** The postmaster and all its children. */
async function postgresPids(): Promise<number[]> {
  const file = join(processes.folder, 'postgres/postmaster.pid')
  const postmaster = Number((await readFile(file, 'utf8')).split('\n')[0])
  const { stdout } = await promisify(execFile)('ps', ['-eo', 'pid=,ppid='])
  const rows = stdout
    .trim()
    .split('\n')
    .map(line => line.trim().split(/\s+/).map(Number))
  return [postmaster, ...rows.flatMap(([pid = 0, parent]) => (parent === postmaster ? [pid] : []))]
}

async function write(socket: RawSocket, doc: Y.Doc, key: string, mark: number): Promise<void> {
  const updates: Uint8Array[] = []
  const note = (update: Uint8Array): void => void updates.push(update)
  doc.on('update', note)
  doc.getMap('data').set(key, 'x')
  doc.off('update', note)
  for (const update of updates) socket.send(updateFrame(update))
  socket.send(ackFrame(mark))
  await socket.acked(mark)
}

it('embedded database: killed under a living server is started again, and what was acked is there', async () => {
  const server = await start()
  const ann = await signIn(server.url)
  const docId = await ann.file('Survives')
  const socket = await ann.socket(docId)
  const doc = new Y.Doc()
  await socket.sync(doc)
  await write(socket, doc, 'e1/name', 1)

  const said = server.lines.length
  for (const pid of await postgresPids()) process.kill(pid, 'SIGKILL')
  // What is asked for meanwhile is refused for now, and does not fill the log.
  for (let i = 0; i < 20; i++) expect([200, 503]).toContain((await ann.call('GET', '/api/files')).status)
  // The first server lives: a second one is refused although nothing holds the database just now.
  await expect(start()).rejects.toThrow(
    new RegExp(`Another Holarchy server \\(pid ${server.child.pid} http://localhost:\\d+\\) is running on`),
  )
  // The same socket: its edit waits, and is acked when the database is back.
  await write(socket, doc, 'e2/name', 2)
  await expect.poll(async () => (await ann.call('GET', '/api/ready')).status).toBe(200)
  expect((await ann.must('GET', '/api/files')).files.map((file: { name: string }) => file.name)).toContain('Survives')
  expect(server.lines.join('\n')).toContain('running and claimed again')
  const outage = server.lines.slice(said)
  expect(outage.filter(line => /^\s+at /.test(line))).toEqual([])
  expect(outage.filter(line => line.includes('cannot be reached')).length).toBeLessThan(3)
  await expect(start()).rejects.toThrow('Another Holarchy server')
  socket.close()
  await kill(server.child)
  expect([...(await cold(docId)).getMap('data').keys()].toSorted()).toEqual(['e1/name', 'e2/name'])
})

it('embedded database: a server whose folder another process has claimed ends, and does not write again', async () => {
  const server = await start()
  const gone = new Promise<number | null>(done => server.child.once('exit', code => done(code)))
  // Impossible by hand: take the claim while the first server has lost it.
  const cluster = await startCluster(processes.folder)
  const thief = new Client({ ...configOf(cluster.connection('postgres')), application_name: 'holarchy pid 1 thief' })
  await thief.connect()
  const taking = thief.query('select pg_advisory_lock(7245002)')
  const other = new Client(configOf(cluster.connection('postgres')))
  await other.connect()
  await other.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'holarchy pid ${server.child.pid}%'`,
  )
  await taking
  expect(await gone).toBe(1)
  expect(server.lines.join('\n')).toContain('has taken the data folder')
  await thief.end()
  await other.end()
})
