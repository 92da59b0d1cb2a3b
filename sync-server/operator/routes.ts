// For operators: whether the server is alive and ready for requests, its counters, and how much there is of everything.
import { Hono } from 'hono'
import type { Context } from 'hono'
import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { Refusal } from '../http.ts'
import type { Env } from '../http.ts'
import type { Rooms } from '../relay/rooms.ts'
import type { Metrics } from './metrics.ts'
import { admitOperator } from './operators.ts'
import type { Operators } from './operators.ts'

type OperatorParts = { database: Database; rooms: Rooms; metrics: Metrics; operators: Operators }

const startedAt = Date.now()

export function operatorRoutes({ database, rooms, metrics, operators }: OperatorParts) {
  const admit = (c: Context<Env>): string | null => admitOperator(c, operators)

  return new Hono<Env>()
    .get('/health', async c => {
      await database.pool.query('select 1')
      return c.json({ ok: true, rooms: rooms.size, sockets: rooms.sockets })
    })
    .get('/ready', async c => {
      if (rooms.isDraining) throw new Refusal('unavailable', 'about to stop')
      await database.pool.query('select 1').catch(() => {
        throw new Refusal('unavailable', 'the database cannot be reached')
      })
      // A lost bus is no reason to turn people away: the servers read the log instead.
      return c.json({ ready: true, bus: rooms.bus === null ? 'none' : rooms.bus.isUp ? rooms.bus.name : 'down' })
    })
    .get('/metrics', async c => {
      admit(c)
      return c.text(await metrics.text(), 200, { 'content-type': metrics.type })
    })
    .get('/operator/overview', async c => {
      admit(c)
      return c.json(await overview(database, rooms))
    })
}

/** How much there is of everything, and what happened in the last day. */
async function overview({ db, pool }: Database, rooms: Rooms) {
  const { rows } = await sql<{ counts: Record<string, number> }>`select json_build_object(
    'accounts', (select count(*) from "user"),
    'activated', (select count(*) from "user" where "emailVerified"),
    'sessions', (select count(*) from session where "expiresAt" > now()),
    'workspaces', (select count(*) from workspace),
    'files', (select count(*) from file),
    'inTrash', (select count(*) from file where trashed_at is not null),
    'documents', (select count(*) from doc),
    'documentBytes', (select coalesce(sum(length(snapshot)), 0) from doc),
    'logRows', (select count(*) from doc_update),
    'logBytes', (select coalesce(sum(length(u)), 0) from doc_update),
    'versions', (select count(*) from doc_version),
    'versionBytes', (select coalesce(sum(length(blob)), 0) from doc_version),
    'images', (select count(*) from image),
    'imageBytes', (select coalesce(sum(length(bytes)), 0) from image),
    'databaseBytes', pg_database_size(current_database())) as counts`.execute(db)
  const lastDay = await db
    .selectFrom('audit')
    .select(['action', eb => eb.fn.countAll<number>().as('n')])
    .where('at', '>', sql<Date>`now() - interval '1 day'`)
    .groupBy('action')
    .orderBy('action')
    .execute()
  const locked = await db
    .selectFrom('login_failure')
    .select(eb => eb.fn.countAll<number>().as('n'))
    .where('locked_until', '>', new Date())
    .executeTakeFirstOrThrow()
  const { heapUsed, rss } = process.memoryUsage()
  return {
    counts: rows[0]?.counts ?? {},
    lastDay: Object.fromEntries(lastDay.map(({ action, n }) => [action, n])),
    lockedAccounts: locked.n,
    server: {
      startedAt: new Date(startedAt).toISOString(),
      node: process.version,
      rooms: rooms.size,
      sockets: rooms.sockets,
      log: rooms.log.counts,
      heapBytes: heapUsed,
      residentBytes: rss,
      connections: { all: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount },
      bus: rooms.bus === null ? null : { over: rooms.bus.name, up: rooms.bus.isUp },
      draining: rooms.isDraining,
    },
  }
}
