// The database: migrations, a log that outlives lost connections, mail that really leaves.
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { withClient } from '../../sync-server/db/cluster.ts'
import { openDatabase } from '../../sync-server/db/database.ts'
import type { Connection, Database } from '../../sync-server/db/database.ts'
import { smtpMail } from '../../sync-server/mail/mail.ts'
import { UpdateLog } from '../../sync-server/relay/log.ts'
import { useDatabase } from '../help/server.ts'

const suite = useDatabase()
let database: Database

beforeAll(async () => {
  database = await openDatabase(suite.connection)
})
afterAll(() => database?.close())

describe('migrations', () => {
  /** An empty database apart from the suite's. */
  async function empty(use: (connection: Connection) => Promise<void>): Promise<void> {
    if (typeof suite.connection === 'string') throw new Error('expected the embedded cluster')
    const name = `empty_${randomBytes(4).toString('hex')}`
    await withClient(suite.connection, client => client.query(`create database ${name} template template0`))
    try {
      await use({ ...suite.connection, database: name })
    } finally {
      await withClient(suite.connection, client => client.query(`drop database ${name} with (force)`))
    }
  }

  it('run once, also when several servers start at the same time', async () => {
    await empty(async connection => {
      const opened = await Promise.all([1, 2, 3].map(() => openDatabase(connection)))
      const { rows } = await opened[0]!.pool.query<{ name: string }>('select name from schema_migration order by name')
      const files = await readdir(new URL('../../sync-server/db/migrations/', import.meta.url))
      expect(rows.map(row => row.name)).toEqual(files.sort())
      expect(files.length).toBeGreaterThan(7)
      await Promise.all(opened.map(one => one.close()))
    })
  })

  it('refuse a database whose migrations were changed, or that is newer than the server', async () => {
    await empty(async connection => {
      await (await openDatabase(connection)).close()
      await withClient(connection, client => client.query(`update schema_migration set checksum = 'x' where name = '0002-files.sql'`))
      await expect(openDatabase(connection)).rejects.toThrow('0002-files.sql was changed after it ran')
      await withClient(connection, client => client.query(`insert into schema_migration (name, checksum) values ('9999-future.sql', 'x')`))
      await expect(openDatabase(connection)).rejects.toThrow('9999-future.sql, which this server does not know')
    })
  })

  it('give one personal workspace to an account and one name to a file, by the database itself', async () => {
    const user = await database.db
      .insertInto('user')
      .values({ name: 'A', email: 'a@example.org', emailVerified: true })
      .returning('id')
      .executeTakeFirstOrThrow()
    const workspace = (id: string) =>
      database.db.insertInto('workspace').values({ id, type: 'personal', name: 'A', owner_id: user.id }).execute()
    await workspace('one')
    await expect(workspace('two')).rejects.toThrow('workspace_personal')
    const file = (id: string, name: string, trashed: Date | null) =>
      database.db.insertInto('file').values({ id, workspace_id: 'one', kind: 'model', name, trashed_at: trashed }).execute()
    await file('f1', 'Model', null)
    await file('f2', 'model', new Date())
    await expect(file('f3', 'MODEL', null)).rejects.toThrow('file_name')
  })
})

describe('statements', () => {
  it('that are long and come again are planned once a connection, answer the same, and outlive a change of their tables', async () => {
    const one = await openDatabase(suite.connection, { connections: 1 })
    const ask = (name: string) =>
      one.db
        .selectFrom('workspace as w')
        .innerJoin('user as o', 'o.id', 'w.owner_id')
        .leftJoin('workspace_member as m', 'm.workspace_id', 'w.id')
        .select(['w.id', 'w.name', 'w.type', 'o.id as owner', 'o.name as owner_name', 'm.user_id', 'm.role', 'w.created_at'])
        .where('w.name', '=', name)
        .orderBy('w.id')
        .execute()
    const prepared = async () => (await one.pool.query<{ n: number }>('select count(*)::int as n from pg_prepared_statements')).rows[0]?.n
    const first = await ask('A')
    expect(first.length).toBe(1)
    expect(await prepared()).toBe(0)
    for (let i = 0; i < 8; i++) expect(await ask('A')).toEqual(first)
    expect(await prepared()).toBe(1)
    expect(await ask('nobody')).toEqual([])
    await one.db.selectFrom('workspace').selectAll().execute()
    expect(await prepared()).toBe(1)
    await one.pool.query('alter table workspace add column later text')
    expect(await ask('A')).toEqual(first)
    await one.pool.query('alter table workspace drop column later')
    await one.close()
  })
})

describe('the log', () => {
  it('tries again when its connections are cut, loses nothing and keeps the order', async () => {
    const user = await database.db
      .insertInto('user')
      .values({ name: 'B', email: 'b@example.org', emailVerified: true })
      .returning('id')
      .executeTakeFirstOrThrow()
    await database.db.insertInto('workspace').values({ id: 'cut', type: 'team', name: 'B', owner_id: user.id }).execute()
    await database.db.insertInto('file').values({ id: 'cut-document', workspace_id: 'cut', kind: 'model', name: 'Cut' }).execute()
    await database.db.insertInto('doc').values({ id: 'cut-document', epoch: 'e' }).execute()
    const log = new UpdateLog(database)
    const room = log.of('cut-document')
    const settled: (number | null)[] = []
    for (let i = 0; i < 200; i++) {
      const done = new Promise<void>(next => {
        room.append({ update: Uint8Array.of(i), userId: user.id, sessionId: 's', newClients: [i] }, seq => {
          settled.push(seq)
          next()
        })
      })
      if (i % 60 === 30) {
        await withClient(suite.connection, client =>
          client.query(
            'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database()',
          ),
        )
      }
      if (i % 7 === 0) await done
    }
    await log.flush()
    const loaded = await log.load('cut-document')
    // A commit without an answer is repeated: a row may be there twice, which Yjs does not mind.
    expect([...new Set(loaded?.updates.map(update => update[0]))]).toEqual(Array.from({ length: 200 }, (_, i) => i))
    expect(settled.length).toBe(200)
    expect(settled.every((seq, i) => seq !== null && seq >= (settled[i - 1] ?? 0))).toBe(true)
    expect(loaded?.owners.size).toBe(200)
    await log.close()
  })

  it('after a failure appends nothing more of that room', async () => {
    const log = new UpdateLog(database)
    const room = log.of('no-such-document')
    const settled: (number | null)[] = []
    for (let i = 0; i < 3; i++) {
      await new Promise<void>(next => {
        room.append({ update: Uint8Array.of(i), userId: 'u', sessionId: 's', newClients: [] }, seq => {
          settled.push(seq)
          next()
        })
      })
    }
    expect(settled).toEqual([null, null, null])
    expect(await log.load('no-such-document')).toBe(null)
    await log.close()
  })
})

describe('mail', () => {
  it('goes out by SMTP when it is set up', async () => {
    let heard = ''
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      onData(stream, _session, done) {
        stream.on('data', (chunk: Buffer) => void (heard += chunk.toString()))
        stream.on('end', () => done())
      },
    })
    server.listen(0, '127.0.0.1')
    await once(server.server, 'listening')
    const { port } = server.server.address() as AddressInfo
    const mail = smtpMail(`smtp://127.0.0.1:${port}`, 'Holarchy <no-reply@example.org>')
    await mail.send({ to: 'ann@example.org', subject: 'Hello', body: 'A letter.' })
    expect(heard).toContain('From: Holarchy <no-reply@example.org>')
    expect(heard).toContain('To: ann@example.org')
    expect(heard).toContain('A letter.')
    mail.close()
    await new Promise<void>(done => server.close(done))
  })
})
