// A backup back into an empty database: the tables by our own migrations, as far as the backup's had run, then the rows, in one
// transaction: all of it or nothing. What is newer than the backup is migrated afterwards, like at any start.
import { createReadStream } from 'node:fs'
import { Readable, pipeline as join } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import type { Client } from 'pg'
import { from } from 'pg-copy-streams'
import { z } from 'zod'
import { readMigrations } from '../db/database.ts'
import { FORMAT } from './dump.ts'
import type { Head, Tail } from './dump.ts'

/** The operator has to do something else; the message says what. */
export class BackupError extends Error {}

const head = z.object({
  holarchy: z.literal('backup'),
  version: z.number(),
  at: z.string(),
  secret: z.string().nullable(),
  migrations: z.array(z.object({ name: z.string(), checksum: z.string() })),
}) satisfies z.ZodType<Head>
const counts = z.record(z.string(), z.number())
const tail = z.object({ end: z.literal(true), rows: counts, sequences: counts }) satisfies z.ZodType<Tail>
const table = z.object({ table: z.string(), columns: z.array(z.string()).min(1) })

/** Loads `file` into the database of `client`, which must be empty. */
export async function loadFrom(client: Client, file: string): Promise<Head & { rows: Tail['rows'] }> {
  const bytes = new Bytes(join(createReadStream(file), createGunzip(), () => {}))
  try {
    const about = head.safeParse(await bytes.json())
    if (!about.success) throw new BackupError(`${file} is no backup of Holarchy.`)
    if (about.data.version !== FORMAT) throw new BackupError(`${file} was made by a newer Holarchy (its format is ${about.data.version}).`)
    await refuseFull(client)
    await client.query('begin')
    await makeTables(client, about.data.migrations)
    const guarded = await triggers(client, 'disable')
    const { rows, sequences } = await loadTables(client, bytes)
    // The rows have been through these triggers once; what refers to what is looked at here.
    await client.query('set constraints all immediate')
    await triggers(client, 'enable', guarded)
    for (const [name, value] of Object.entries(sequences))
      await client.query('select setval($1::regclass, $2)', [client.escapeIdentifier(name), value])
    await client.query('commit')
    await client.query('analyze')
    return { ...about.data, rows }
  } catch (error) {
    // When the connection itself is lost, the first error says so.
    await client.query('rollback').catch(() => undefined)
    throw isDamage(error) ? new BackupError(`${file} is damaged (${error.message}). Nothing was restored.`, { cause: error }) : error
  } finally {
    bytes.close()
  }
}

async function loadTables(client: Client, bytes: Bytes): Promise<Tail> {
  const rows: Tail['rows'] = {}
  for (;;) {
    const next = await bytes.json()
    const end = tail.safeParse(next)
    if (end.success) {
      for (const [name, count] of Object.entries(end.data.rows))
        if (rows[name] !== count) throw new SyntaxError(`it says ${count} rows of ${name}, and has ${rows[name] ?? 0}`)
      return end.data
    }
    const { table: name, columns } = table.parse(next)
    const list = columns.map(column => client.escapeIdentifier(column)).join(', ')
    const copy = client.query(from(`copy ${client.escapeIdentifier(name)} (${list}) from stdin`))
    await pipeline(Readable.from(bytes.chunks()), copy)
    rows[name] = copy.rowCount
  }
}

async function refuseFull(client: Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') limit 1`,
  )
  const [there] = rows
  if (there !== undefined)
    throw new BackupError(`The database is not empty (it has a table “${there.name}”). A backup is restored into an empty one only.`)
}

/** Turns our own triggers (not those behind references) off or on: they keep laws of writing, and balances, which the rows have already. */
async function triggers(client: Client, how: 'enable' | 'disable', tables?: string[]): Promise<string[]> {
  const found = await client.query<{ name: string }>(
    `select distinct c.relname as name from pg_trigger t join pg_class c on c.oid = t.tgrelid
     where not t.tgisinternal and c.relnamespace = 'public'::regnamespace`,
  )
  const names = tables ?? found.rows.map(({ name }) => name)
  for (const name of names) await client.query(`alter table ${client.escapeIdentifier(name)} ${how} trigger user`)
  return names
}

/** Said by zlib (Z_BUF_ERROR: cut short, Z_DATA_ERROR: not what was written) or by us. */
function isDamage(error: unknown): error is Error {
  return (
    error instanceof z.ZodError ||
    error instanceof SyntaxError ||
    (error instanceof Error && 'code' in error && String(error.code).startsWith('Z_'))
  )
}

async function makeTables(client: Client, wanted: Head['migrations']): Promise<void> {
  const known = await readMigrations()
  await client.query('create table schema_migration (name text primary key, checksum text not null, at timestamptz not null default now())')
  for (const { name, checksum } of wanted) {
    const migration = known.find(one => one.name === name)
    if (migration === undefined) throw new BackupError(`The backup has migration ${name}, which this server does not know: it is older.`)
    if (migration.checksum !== checksum) throw new BackupError(`Migration ${name} is not the one the backup was made with.`)
    await client.query(migration.sql)
    await client.query('insert into schema_migration (name, checksum) values ($1, $2)', [name, checksum])
  }
}

/** The longest line there may be; heads and tails are far shorter. */
const LONGEST_LINE = 1 << 20

/** A stream read by lines and by blocks of a known length. */
class Bytes {
  readonly #source: Readable
  readonly #reader: AsyncIterator<unknown>
  #rest: Buffer = Buffer.alloc(0)

  constructor(source: Readable) {
    this.#source = source
    this.#reader = source[Symbol.asyncIterator]()
  }

  async json(): Promise<unknown> {
    return JSON.parse(await this.#line())
  }

  /** The blocks of a table. */
  async *chunks(): AsyncGenerator<Buffer> {
    for (;;) {
      let left = Number(await this.#line())
      if (!Number.isSafeInteger(left) || left < 0) throw new SyntaxError('a block without a length')
      if (left === 0) return
      while (left > 0) {
        if (this.#rest.length === 0) await this.#more()
        const piece = this.#rest.subarray(0, left)
        this.#rest = this.#rest.subarray(piece.length)
        left -= piece.length
        yield piece
      }
    }
  }

  close(): void {
    this.#source.destroy()
  }

  async #line(): Promise<string> {
    for (;;) {
      const end = this.#rest.indexOf(10)
      if (end >= 0) {
        const text = this.#rest.subarray(0, end).toString()
        this.#rest = this.#rest.subarray(end + 1)
        return text
      }
      if (this.#rest.length > LONGEST_LINE) throw new SyntaxError('a line without an end')
      await this.#more()
    }
  }

  async #more(): Promise<void> {
    const { done, value } = await this.#reader.next()
    if (done === true) throw new SyntaxError('it ends before its end')
    if (!Buffer.isBuffer(value)) throw new TypeError('expected bytes')
    this.#rest = this.#rest.length === 0 ? value : Buffer.concat([this.#rest, value])
  }
}
