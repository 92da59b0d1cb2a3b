// The tables through which leaders and workers of a queue share experiments: what is conducted, which workers there are, what runs gave. The chunks of
// runs that are to be made are jobs of pg-boss, in a schema of their own.
import { Pool, type PoolClient } from 'pg'
import { PgBoss } from 'pg-boss'

/** How to reach the PostgreSQL database: a URL or its parts. */
export type QueueConnection = string | { host?: string; port?: number; user?: string; password?: string; database?: string }

/** Schema of pg-boss, with the chunks. */
const BOSS = 'holarchy_queue'
/** A chunk is given to another worker when its own has been silent for so long; the least that pg-boss allows. */
export const HEARTBEAT_SECONDS = 10
/** A leader that was not heard of for so long has no work to be done. */
export const LEADERLESS_SECONDS = 30
/** What was made for a leader that never came back is kept for so long. */
const KEPT_DAYS = 30
/** Workers that may die over a chunk, or give it up, before its experiment ends: preemptible machines end often. */
const TRIES = 20
/** A chunk takes seconds; this bounds one with runs that are unexpectedly long. */
const LONGEST_SECONDS = 24 * 3600 - 1

const tables = `
create schema if not exists holarchy_runs;
create table if not exists holarchy_runs.study (
  id text primary key,
  -- Of experiment and model, and of the sources of the engine: workers that have others do not touch it.
  key text not null,
  engine text not null,
  -- What a worker prepares it from: texts of the files, and what replaces what they say.
  task jsonb not null,
  created_at timestamptz not null default now(),
  -- When its leader was last there: one that is gone has nothing to be made.
  led_at timestamptz not null default now(),
  is_open boolean not null default true
);
create table if not exists holarchy_runs.worker (
  id text primary key,
  threads integer not null,
  engine text not null,
  seen_at timestamptz not null default now()
);
create table if not exists holarchy_runs.result (
  study text not null references holarchy_runs.study (id) on delete cascade,
  -- Rises in the order in which rows become visible: rows of a study are written one at a time.
  serial bigint generated always as identity,
  worker text not null,
  -- Time the worker took, in milliseconds.
  worked_ms double precision not null,
  samples bytea not null,
  primary key (study, serial)
);
`

/** Channel that notifies leaders of results, and workers of chunks; the payload is the study's id. */
export const RESULTS = 'holarchy_results'
export const CHUNKS = 'holarchy_chunks'

export const poolOf = (connection: QueueConnection, name: string, max: number): Pool => {
  const pool = new Pool({
    ...(typeof connection === 'string' ? { connectionString: connection } : connection),
    application_name: name,
    max,
  })
  // An idle connection that dies is replaced; queries report their own errors.
  pool.on('error', error => console.error(`queue: ${error.message}`))
  pool.on('connect', client => client.on('error', () => undefined))
  return pool
}

/** Makes the tables unless they are there. Throws when the database cannot be reached. */
export async function makeTables(pool: Pool): Promise<void> {
  await inTransaction(pool, async client => {
    await client.query("select pg_advisory_xact_lock(hashtext('holarchy_runs'))")
    await client.query(tables)
  })
}

/** A pg-boss that hands out chunks. It looks for workers that are gone every two seconds. */
export async function startBoss(connection: QueueConnection): Promise<PgBoss> {
  const boss = new PgBoss({
    ...(typeof connection === 'string' ? { connectionString: connection } : connection),
    schema: BOSS,
    application_name: 'holarchy queue',
    max: 3,
    schedule: false,
    superviseIntervalSeconds: 2,
    monitorIntervalSeconds: 2,
  })
  boss.on('error', error => console.error('queue:', error.message))
  await boss.start()
  return boss
}

export const queueOf = (study: string): string => `runs-${study}`

export async function makeQueue(boss: PgBoss, study: string): Promise<void> {
  await boss.createQueue(queueOf(study), {
    retryLimit: TRIES,
    retryDelay: 0,
    heartbeatSeconds: HEARTBEAT_SECONDS,
    expireInSeconds: LONGEST_SECONDS,
  })
}

/** Deletes what was made for leaders that never came back. */
export async function forgetOld(pool: Pool, boss: PgBoss): Promise<void> {
  const { rows } = await pool.query<{ id: string }>(
    "delete from holarchy_runs.study where led_at < now() - $1 * interval '1 day' returning id",
    [KEPT_DAYS],
  )
  for (const { id } of rows) await boss.deleteQueue(queueOf(id))
}

/** Why a chunk of a study was given up; null while none was. */
export async function givenUp(pool: Pool, study: string): Promise<string | null> {
  const { rows } = await pool.query<{ output: { message?: string; value?: { message?: string } } | null }>(
    `select output from ${BOSS}.job where name = $1 and state = 'failed' limit 1`,
    [queueOf(study)],
  )
  const [row] = rows
  if (row === undefined) return null
  return `${TRIES} workers gave up runs of it: ${row.output?.message ?? row.output?.value?.message ?? 'no reason was told'}`
}

export async function inTransaction<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  let failed: Error | undefined
  try {
    await client.query('begin')
    const made = await work(client)
    await client.query('commit')
    return made
  } catch (error) {
    failed = error instanceof Error ? error : new Error(String(error))
    await client.query('rollback').catch(() => undefined)
    throw error
  } finally {
    // One that failed may be broken.
    client.release(failed)
  }
}
