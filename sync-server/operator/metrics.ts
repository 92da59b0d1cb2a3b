// Counters of this process in the Prometheus text format: what it does, and how long answers take.
import type { MiddlewareHandler } from 'hono'
import { matchedRoutes } from 'hono/route'
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client'
import type { Database } from '../db/database.ts'
import type { Rooms } from '../relay/rooms.ts'

export type Metrics = {
  readonly type: string
  text(): Promise<string>
  /** Counts requests and measures their time, by route. */
  readonly watch: MiddlewareHandler
}

/** Read when asked for. */
const GAUGES: readonly [name: string, help: string, read: (parts: { database: Database; rooms: Rooms }) => number][] = [
  ['holarchy_rooms', 'Documents that are open', ({ rooms }) => rooms.size],
  ['holarchy_sockets', 'Connections to documents', ({ rooms }) => rooms.sockets],
  ['holarchy_log_waiting_rows', 'Rows of the log that wait to be written', ({ rooms }) => rooms.log.counts.waiting],
  ['holarchy_database_connections', 'Connections of the pool', ({ database }) => database.pool.totalCount],
  ['holarchy_database_waiting', 'Queries that wait for a connection', ({ database }) => database.pool.waitingCount],
  ['holarchy_draining', '1 while the server is about to stop', ({ rooms }) => Number(rooms.isDraining)],
  ['holarchy_bus_up', '1 while messages reach other servers, or there is no other', ({ rooms }) => Number(rooms.bus?.isUp ?? true)],
]
const COUNTERS: typeof GAUGES = [
  ['holarchy_log_rows_total', 'Rows written to the log', ({ rooms }) => rooms.log.counts.rows],
  ['holarchy_log_commits_total', 'Commits they were written in', ({ rooms }) => rooms.log.counts.groups],
]

export function metricsOf(database: Database, rooms: Rooms): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const parts = { database, rooms }
  const gauges = GAUGES.map(([name, help, read]) => ({ gauge: new Gauge({ name, help, registers }), read }))
  const counters = COUNTERS.map(([name, help, read]) => ({ counter: new Counter({ name, help, registers }), read }))
  const seconds = new Histogram({
    name: 'holarchy_http_request_seconds',
    help: 'Time to answer, by method, route and status',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 1, 5],
    registers,
  })
  return {
    type: registry.contentType,
    text: () => {
      for (const { gauge, read } of gauges) gauge.set(read(parts))
      for (const { counter, read } of counters) {
        counter.reset()
        counter.inc(read(parts))
      }
      return registry.metrics()
    },
    watch: async (c, next) => {
      const began = performance.now()
      await next()
      // The pattern, not the path: ids would make a series each.
      const route = matchedRoutes(c).findLast(one => one.method !== 'ALL')?.path ?? 'other'
      seconds.observe({ method: c.req.method, route, status: String(c.res.status) }, (performance.now() - began) / 1000)
    },
  }
}
