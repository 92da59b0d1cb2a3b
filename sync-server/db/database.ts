// One handle on Postgres, embedded or not: a pool, typed queries over it, and the schema brought up to date.
import { createHash } from 'node:crypto'
import { readFile, readdir } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { Kysely, PostgresDialect } from 'kysely'
import { Pool, types } from 'pg'
import type { Gate } from './gate.ts'
import { preparing } from './prepared.ts'
import type { Tables } from './tables.ts'
import { logFailure } from './failures.ts'

export type Db = Kysely<Tables>

export type Database = {
  readonly db: Db
  readonly pool: Pool
  /** Waits while the database is being started again, at most so long; settles at once with one that looks after itself. */
  whenUp(maxMs: number): Promise<void>
  close(): Promise<void>
}

/** How to reach a Postgres: a URL, or the parts. */
export type Connection =
  | string
  | {
      host: string
      port: number
      user: string
      password?: string
      database: string
      /** Makes the socket of each client. */ stream?: () => Socket
    }

const BIGINT = 20

/** Opens the database and migrates it. Throws when it cannot be reached or is newer than this server. */
export async function openDatabase(
  connection: Connection,
  options: { connections?: number; name?: string; gate?: Gate } = {},
): Promise<Database> {
  const pool = new Pool({
    ...configOf(connection),
    max: options.connections ?? 16,
    application_name: options.name ?? 'holarchy',
    // bigint is a count or a sequence number here, never beyond 2^53.
    types: { getTypeParser: (oid: number, format?: 'text' | 'binary') => (oid === BIGINT ? Number : types.getTypeParser(oid, format)) },
  })
  // An idle connection that dies is replaced by the pool; queries report their own errors.
  pool.on('error', error => logFailure('postgres:', error))
  // So does one that dies between two queries of a transaction: the next query fails. Without a listener the process would end.
  pool.on('connect', client => client.on('error', () => undefined))
  try {
    await migrate(pool)
  } catch (error) {
    await pool.end()
    throw error
  }
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: preparing(pool) }) })
  // The pool itself: Kysely ends it only when a query went through Kysely.
  return { db, pool, whenUp: maxMs => options.gate?.whenOpen(maxMs) ?? Promise.resolve(), close: () => pool.end() }
}

/** Runs `work` in a transaction: the one that is open already, if `db` is one. */
export function inTransaction<T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> {
  return db.isTransaction ? work(db) : db.transaction().execute(work)
}

/** The same as a step of something larger. */
export function inOne<T>(work: (tx: Db) => Promise<T>): (db: Db) => Promise<T> {
  return db => inTransaction(db, work)
}

export function configOf(connection: Connection): { connectionString: string } | Exclude<Connection, string> {
  return typeof connection === 'string' ? { connectionString: connection } : connection
}

const folder = new URL('./migrations/', import.meta.url)

/** One string per state of the migration files: tests name their template database by it. */
export async function schemaHash(): Promise<string> {
  const hash = createHash('sha256')
  for (const { name, checksum } of await readMigrations()) hash.update(name).update(checksum)
  return hash.digest('hex').slice(0, 12)
}

/** The files, in order. */
export async function readMigrations(): Promise<{ name: string; sql: string; checksum: string }[]> {
  const names = (await readdir(folder)).filter(name => /^\d{4}-.*\.sql$/.test(name)).sort()
  return Promise.all(
    names.map(async name => {
      const sql = await readFile(new URL(name, folder), 'utf8')
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') }
    }),
  )
}

/** Runs what has not run yet, each file in one transaction, one server at a time. */
async function migrate(pool: Pool): Promise<void> {
  const migrations = await readMigrations()
  const client = await pool.connect()
  try {
    await client.query('select pg_advisory_lock(7245001)')
    await client.query(
      'create table if not exists schema_migration (name text primary key, checksum text not null, at timestamptz not null default now())',
    )
    const { rows } = await client.query<{ name: string; checksum: string }>('select name, checksum from schema_migration')
    const done = new Map(rows.map(row => [row.name, row.checksum]))
    for (const name of done.keys()) {
      if (!migrations.some(migration => migration.name === name))
        throw new Error(`the database has migration ${name}, which this server does not know: it is older`)
    }
    for (const { name, sql, checksum } of migrations) {
      const before = done.get(name)
      if (before === checksum) continue
      if (before !== undefined) throw new Error(`migration ${name} was changed after it ran`)
      await client.query('begin')
      try {
        await client.query(sql)
        await client.query('insert into schema_migration (name, checksum) values ($1, $2)', [name, checksum])
        await client.query('commit')
      } catch (error) {
        await client.query('rollback')
        throw new Error(`migration ${name} failed`, { cause: error })
      }
    }
  } finally {
    await client.query('select pg_advisory_unlock_all()')
    client.release()
  }
}
