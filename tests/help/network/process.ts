// A real server process on a folder of its own, to be killed.
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll } from 'vitest'
import * as Y from 'yjs'
import { ensureDatabase, startCluster } from '../../../sync-server/db/cluster.ts'
import { openDatabase, type Connection } from '../../../sync-server/db/database.ts'
import { UpdateLog } from '../../../sync-server/relay/log.ts'
import { freePort } from './redis.ts'
import { Person } from '../server.ts'

const main = fileURLToPath(new URL('../../../sync-server/main.ts', import.meta.url))

export type Started = { child: ChildProcess; url: string; lines: string[] }

/** Starts a server process and waits until it says where it is. */
export async function launch(env: Record<string, string>, born: (child: ChildProcess) => void = () => {}): Promise<Started> {
  const child = spawn(process.execPath, [main], {
    env: { ...process.env, PORT: String(await freePort()), RATE_LIMITS: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  born(child)
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

/** Servers on one data folder; made before the suite's tests, removed after. */
export function useProcesses() {
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

  /** Starts the server on the folder and waits until it says where it is. */
  async function start(env: Record<string, string> = {}): Promise<Started> {
    return launch({ HOLARCHY_DATA: folder, ...env }, child => children.push(child))
  }

  /** An external Postgres for several servers: the cluster of this folder, started by the suite itself. */
  async function postgres(): Promise<string> {
    const cluster = await startCluster(folder)
    await ensureDatabase(cluster, 'holarchy')
    return addressOf(cluster.connection('holarchy'))
  }

  /** The document as the database has it, read without any server. */
  async function cold(docId: string): Promise<Y.Doc> {
    const cluster = await startCluster(folder)
    const database = await openDatabase(cluster.connection('holarchy'), { connections: 2 })
    try {
      const loaded = await new UpdateLog(database).load(docId)
      const doc = new Y.Doc()
      for (const update of loaded?.updates ?? []) Y.applyUpdate(doc, update)
      return doc
    } finally {
      await database.close()
    }
  }

  return {
    get folder() {
      return folder
    },
    start,
    postgres,
    cold,
  }
}

/** A database by its address, for another process. */
function addressOf(connection: Connection): string {
  if (typeof connection === 'string') return connection
  const { host, port, user, password = '', database } = connection
  return `postgres://${user}:${encodeURIComponent(password)}@localhost/${database}?host=${encodeURIComponent(host)}&port=${port}`
}

/** A process that does nothing but jobs, one at a time. */
export function spawnJobs(connection: Connection): ChildProcess {
  const url = (path: string): string => JSON.stringify(new URL(`../../../sync-server/${path}`, import.meta.url).href)
  const script = `
    import { openDatabase } from ${url('db/database.ts')}
    import { Jobs } from ${url('jobs/queue.ts')}
    const connection = ${JSON.stringify(addressOf(connection))}
    await Jobs.start(await openDatabase(connection), connection, 1)`
  return spawn(process.execPath, ['-e', script], { stdio: 'inherit' })
}

/** SIGKILL; settles when it is gone. */
export async function kill(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}

/** The demo account, or another with its password, signed in. */
export async function signIn(url: string, email = 'demo@holarchy.local'): Promise<Person> {
  const person = new Person(url)
  await person.must('POST', '/api/accounts/login', { email, password: 'holarchy' })
  return person
}
