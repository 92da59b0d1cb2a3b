// Backup and restore: everything a server keeps goes into one file while people work, and comes back, to the row and to the secret.
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as Y from 'yjs'
import { backup, restore } from '../../sync-server/backup.ts'
import { startCluster, withClient } from '../../sync-server/db/cluster.ts'
import { configOf, openDatabase } from '../../sync-server/db/database.ts'
import type { Connection } from '../../sync-server/db/database.ts'
import { ackFrame, updateFrame } from '../../sync-server/relay/frames.ts'
import { launch, useProcesses } from '../help/network/process.ts'
import { Person, TEST_SECRET, startServer, useDatabase } from '../help/server.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holarchy-backup-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const png = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(40)])
const quiet = (): void => {}

/** Writes an element into a document, as an editor does; settles when it is on the disk. */
async function write(person: Person, docId: string, key: string): Promise<void> {
  const socket = await person.socket(docId)
  const doc = new Y.Doc()
  await socket.sync(doc)
  const change = new Promise<Uint8Array>(done => doc.once('update', done))
  doc.getMap('kind').set(key, key)
  socket.send(updateFrame(await change))
  socket.send(ackFrame(1))
  await socket.acked(1)
  socket.close()
}

/** Every row of every table, as text. */
async function everything(connection: Connection): Promise<Record<string, string[]>> {
  return withClient(connection, async client => {
    const { rows } = await client.query<{ name: string }>(
      `select table_name as name from information_schema.tables where table_schema = 'public' order by 1`,
    )
    const all: Record<string, string[]> = {}
    for (const { name } of rows) {
      if (name === 'schema_migration') continue
      const found = await client.query<{ row: string }>(`select t::text as row from ${client.escapeIdentifier(name)} t order by 1`)
      all[name] = found.rows.map(({ row }) => row)
    }
    return all
  })
}

describe('an external database', () => {
  const suite = useDatabase()
  let annId = ''

  function urlOf(database?: string): string {
    if (typeof suite.connection === 'string') throw new Error('expected the embedded cluster')
    const { host, port, user, password = '', database: own } = suite.connection
    return `postgres://${user}:${encodeURIComponent(password)}@localhost/${database ?? own}?host=${encodeURIComponent(host)}&port=${port}`
  }
  async function emptyDatabase(name: string, use: (url: string) => Promise<void>): Promise<void> {
    await withClient(suite.connection, client => client.query(`create database ${name} template template0`))
    await use(urlOf(name)).finally(() => withClient(suite.connection, client => client.query(`drop database ${name} with (force)`)))
  }

  beforeAll(async () => {
    const server = await startServer(suite.connection)
    const ann = await server.person('Ann')
    annId = ann.id
    const bob = await server.person('Bob')
    const model = await ann.file('A model; "quotes", \\ and \t tabs')
    await write(ann, model, 'an agent')
    const inner = await ann.file('Inside', { kind: 'folder' })
    await ann.file('Below', { parent: inner })
    await ann.must('PUT', `/api/files/${model}/cover`, png, { 'content-type': 'image/png' })
    await ann.must('POST', `/api/files/${model}/collaborators`, { email: bob.email, role: 'editor' })
    await ann.must('POST', `/api/files/${model}/links`, { role: 'viewer', password: 'secret' })
    await server.database.db
      .insertInto('job')
      .values({ id: 'waiting', kind: 'simulate', user_id: ann.id, payer_id: ann.id, file_id: model, input: '{}' })
      .execute()
    await withClient(suite.connection, async client => {
      await client.query('begin')
      await client.query(`insert into ledger_transaction (key, deed) values ('gift', 'register-gift')`)
      await client.query(
        `insert into ledger_line (transaction_id, holder, asset, amount)
         select t.id, l.holder, 'coins', l.amount from ledger_transaction t, (values ('person:' || $1, 5), ('mint', -5)) l (holder, amount)
         where t.key = 'gift'`,
        [ann.id],
      )
      await client.query('commit')
    })
    await server.stop()
  })

  it('comes back row for row, and numbers go on where they were', async () => {
    const file = join(folder, 'external')
    const said: string[] = []
    await backup({ DATABASE_URL: urlOf(), SECRET: TEST_SECRET }, file, line => said.push(line))
    expect(said[0]).toMatch(/2 accounts, 2 workspaces, 3 files, 1 images/)
    const before = await everything(suite.connection)
    await emptyDatabase('restored', async url => {
      await restore({ DATABASE_URL: url, SECRET: TEST_SECRET }, file, quiet)
      const after = await everything(url)
      expect(after['job']?.[0]).toContain('interrupted')
      expect({ ...after, job: [] }).toEqual({ ...before, job: [] })
      expect(before['doc_update']?.length).toBe(1)
      expect(after['ledger_balance']?.some(row => row.startsWith(`(person:${annId},coins,`))).toBe(true)
      await expect(withClient(url, client => client.query('delete from ledger_line'))).rejects.toThrow('the ledger is never changed')
      const database = await openDatabase(url)
      const { seq } = await database.db
        .insertInto('doc_update')
        .values({
          doc_id: (await database.db.selectFrom('doc').select('id').executeTakeFirstOrThrow()).id,
          u: Buffer.of(1),
          user_id: 'u',
          session_id: 's',
        })
        .returning('seq')
        .executeTakeFirstOrThrow()
      const most = await database.db
        .selectFrom('doc_update')
        .select(eb => eb.fn.max('seq').as('most'))
        .where('user_id', '<>', 'u')
        .executeTakeFirstOrThrow()
      expect(seq).toBeGreaterThan(Number(most.most))
      await database.close()
      // Twice is refused.
      await expect(restore({ DATABASE_URL: url }, file, quiet)).rejects.toThrow('The database is not empty')
    })
  })

  it('gives the secret in a file beside the backup, when the server would have another one', async () => {
    const file = join(folder, 'other-secret')
    await backup({ DATABASE_URL: urlOf(), SECRET: TEST_SECRET }, file, quiet)
    await emptyDatabase('restored', async url => {
      const said: string[] = []
      await restore({ DATABASE_URL: url }, file, line => said.push(line))
      expect(said.join()).toContain(`${file}.secret`)
      expect(await readFile(`${file}.secret`, 'utf8')).toBe(TEST_SECRET)
    })
    const without = join(folder, 'no-secret')
    const said: string[] = []
    await backup({ DATABASE_URL: urlOf() }, without, line => said.push(line))
    expect(said.join()).toContain('SECRET was not given')
  })

  it('is a moment of the database, whoever writes meanwhile', async () => {
    const writer = new Client(configOf(suite.connection))
    await writer.connect()
    const busy = { on: true }
    // An account and its workspace in one transaction: a backup has both or none.
    const writing = (async () => {
      for (let n = 0; busy.on; n++) {
        await writer.query('begin')
        const { rows } = await writer.query<{ id: string }>(
          `insert into "user" (name, email, "emailVerified") values ($1, $1, true) returning id`,
          [`writer${n}@example.org`],
        )
        await writer.query(`insert into workspace (id, type, name, owner_id) values ($1, 'personal', 'W', $2)`, [`writer${n}`, rows[0]?.id])
        await writer.query('commit')
      }
    })()
    const file = join(folder, 'moment')
    await backup({ DATABASE_URL: urlOf(), SECRET: TEST_SECRET }, file, quiet)
    busy.on = false
    await writing
    await writer.end()
    await emptyDatabase('restored', async url => {
      await restore({ DATABASE_URL: url, SECRET: TEST_SECRET }, file, quiet)
      const { user, workspace } = await everything(url)
      expect(workspace?.length).toBe(user?.length)
    })
  })

  it('refuses what is no backup, damaged, cut short, newer or there already, and leaves nothing behind', async () => {
    const good = join(folder, 'good')
    await backup({ DATABASE_URL: urlOf(), SECRET: TEST_SECRET }, good, quiet)
    await expect(backup({ DATABASE_URL: urlOf() }, good, quiet)).rejects.toThrow('is there already')
    const bytes = await readFile(good)
    const text = gunzipSync(bytes).toString('latin1')
    const packed = (changed: string): Buffer => gzipSync(Buffer.from(changed, 'latin1'))
    const bad: [string, Buffer, RegExp][] = [
      ['nothing', Buffer.from('no backup at all'), /damaged|no backup/],
      ['empty', gzipSync('{}\n'), /no backup/],
      ['cut', bytes.subarray(0, bytes.length - 200), /damaged/],
      ['half', packed(text.slice(0, text.length / 2)), /damaged/],
      ['fewer', packed(text.replace(/"rows":\{"(\w+)":(\d+)/, (_, name, n) => `"rows":{"${name}":${Number(n) + 1}`)), /says \d+ rows/],
      ['format', packed(text.replace('"version":1', '"version":2')), /newer Holarchy/],
      ['newer', packed(text.replace('0001-accounts.sql', '9001-accounts.sql')), /9001-accounts.sql, which this server does not know/],
    ]
    for (const [name, content, refusal] of bad) {
      const file = join(folder, `bad-${name}`)
      await writeFile(file, content)
      await emptyDatabase('refused', async url => {
        await expect(restore({ DATABASE_URL: url }, file, quiet), name).rejects.toThrow(refusal)
        expect(await everything(url), name).toEqual({})
      })
    }
    await expect(restore({ DATABASE_URL: urlOf() }, join(folder, 'missing'), quiet)).rejects.toThrow('is not there')
    await expect(backup({ HOLARCHY_DATA: join(folder, 'no-data') }, join(folder, 'new'), quiet)).rejects.toThrow('no Holarchy data')
  })
})

describe('an embedded database', () => {
  const processes = useProcesses()

  it('is backed up while its server runs and when it is stopped; restored, people are still signed in and links open', async () => {
    const first = await processes.start()
    const ann = new Person(first.url)
    await ann.must('POST', '/api/accounts/login', { email: 'demo@holarchy.local', password: 'holarchy' })
    const model = await ann.file('Kept')
    await write(ann, model, 'an agent')
    const { code } = await ann.must('POST', `/api/files/${model}/links`, { role: 'viewer' })
    const running = join(folder, 'running')
    const said: string[] = []
    await backup({ HOLARCHY_DATA: processes.folder }, running, line => said.push(line))
    await expect(restore({ HOLARCHY_DATA: processes.folder }, running, quiet)).rejects.toThrow('is running on')
    // The server went on.
    await ann.file('Not in the first backup')
    const gone = once(first.child, 'exit')
    first.child.kill('SIGTERM')
    await gone
    const stopped = join(folder, 'stopped')
    await backup({ HOLARCHY_DATA: processes.folder }, stopped, line => said.push(line))
    const [before = 0, after] = said.flatMap(line => /(\d+) files/.exec(line)?.[1] ?? []).map(Number)
    expect(after).toBe(before + 1)

    const data = await mkdtemp(join(tmpdir(), 'holarchy-restored-'))
    await restore({ HOLARCHY_DATA: data }, running, quiet)
    const server = await launch({ HOLARCHY_DATA: data })
    const again = ann.at(server.url)
    const { files } = await again.must('GET', '/api/files?of=all')
    expect(files.map((one: { name: string }) => one.name)).toEqual(['Kept'])
    expect((await again.must('POST', `/api/share/${code}/open`)).name).toBe('Kept')
    const socket = await again.socket(model)
    const doc = new Y.Doc()
    await socket.sync(doc)
    expect(doc.getMap('kind').toJSON()).toEqual({ 'an agent': 'an agent' })
    socket.close()
    const ended = once(server.child, 'exit')
    server.child.kill('SIGTERM')
    await ended
    await rm(data, { recursive: true, force: true })
    // Nothing is left running on the first folder.
    const cluster = await startCluster(processes.folder)
    expect(cluster.adopted).toBe(false)
    await cluster.stop()
  })
})
