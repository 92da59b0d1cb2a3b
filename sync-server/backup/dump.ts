// Everything a database holds, as one file: a gzipped stream of a head, then each table as Postgres' own COPY text, then a tail.
//
//   {"holarchy":"backup","version":1,...}\n                        what it is, which migrations made the tables, the secret
//   {"table":"user","columns":["id",...]}\n  4096\n<4096 bytes>... 0\n    in an order in which references are there before they are used
//   {"end":true,"rows":{"user":3},"sequences":{...}}\n             a file without it is half a backup
//
// The embedded Postgres comes without pg_dump, and a dump that any version of Postgres reads is worth more than a faster one.
// All of it is read in one repeatable-read transaction: a moment of the database, whatever is written meanwhile.
import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { Client } from 'pg'
import { to } from 'pg-copy-streams'

export const FORMAT = 1

export type Head = {
  holarchy: 'backup'
  version: number
  at: string
  /** Signs cookies and links; null when the backup was made without it. */
  secret: string | null
  migrations: { name: string; checksum: string }[]
}
export type Tail = { end: true; rows: Record<string, number>; sequences: Record<string, number> }

/** Remembered by the migrations themselves. */
const NOT_DATA = ['schema_migration']

type Table = { name: string; columns: string[] }

/** Writes the backup to `file`, which appears when it is whole. Answers how many rows of which table are in it. */
export async function dumpTo(client: Client, file: string, secret: string | null): Promise<Tail['rows']> {
  const part = `${file}.part`
  try {
    await client.query('begin transaction isolation level repeatable read read only')
    const rows: Tail['rows'] = {}
    await pipeline(
      Readable.from(contents(client, secret, rows)),
      createGzip({ level: 4 }),
      createWriteStream(part, { mode: 0o600, flush: true }),
    )
    await client.query('commit')
    await rename(part, file)
    return rows
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
}

async function* contents(client: Client, secret: string | null, rows: Tail['rows']): AsyncGenerator<Buffer> {
  const { rows: migrations } = await client.query<Head['migrations'][number]>('select name, checksum from schema_migration order by name')
  const head: Head = { holarchy: 'backup', version: FORMAT, at: new Date().toISOString(), secret, migrations }
  yield line(head)
  for (const { name, columns } of await tablesOf(client)) {
    yield line({ table: name, columns })
    const list = columns.map(column => client.escapeIdentifier(column)).join(', ')
    const copy = client.query(to(`copy ${client.escapeIdentifier(name)} (${list}) to stdout`))
    for await (const chunk of copy) {
      if (!Buffer.isBuffer(chunk)) throw new TypeError('COPY answers with bytes')
      yield Buffer.from(`${chunk.length}\n`)
      yield chunk
    }
    yield Buffer.from('0\n')
    rows[name] = copy.rowCount
  }
  // Read last: at least as far as the rows above.
  const tail: Tail = { end: true, rows, sequences: await sequencesOf(client) }
  yield line(tail)
}

const line = (value: object): Buffer => Buffer.from(`${JSON.stringify(value)}\n`)

/** The tables with their columns; those that others refer to come first. */
async function tablesOf(client: Client): Promise<Table[]> {
  const { rows: tables } = await client.query<Table>(
    `select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
     from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and not c.relname = any($1)
       and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     group by c.relname order by c.relname`,
    [NOT_DATA],
  )
  const { rows: references } = await client.query<{ from: string; to: string }>(
    `select f.relname as from, t.relname as to from pg_constraint r
     join pg_class f on f.oid = r.conrelid join pg_class t on t.oid = r.confrelid
     where r.contype = 'f' and r.conrelid <> r.confrelid and not r.condeferred`,
  )
  const ordered: Table[] = []
  let left = tables
  while (left.length > 0) {
    const free = left.filter(({ name }) => !references.some(one => one.from === name && left.some(other => other.name === one.to)))
    if (free.length === 0) throw new Error(`tables refer to each other in a circle: ${left.map(({ name }) => name).join(', ')}`)
    ordered.push(...free)
    left = left.filter(table => !free.includes(table))
  }
  return ordered
}

/** How far each sequence has counted. */
async function sequencesOf(client: Client): Promise<Record<string, number>> {
  const { rows } = await client.query<{ name: string; value: string }>(
    `select sequencename as name, last_value as value from pg_sequences where schemaname = 'public' and last_value is not null`,
  )
  return Object.fromEntries(rows.map(({ name, value }) => [name, Number(value)]))
}
