// The bus over Postgres, for several servers without Redis: NOTIFY on one channel, gathered, because every commit with a
// notification in it takes a lock of the whole database cluster. Large things are left to the log.
import { Client } from 'pg'
import { configOf } from '../db/database.ts'
import type { Connection } from '../db/database.ts'
import type { Bus, Hear } from './bus.ts'
import { logFailure } from '../db/failures.ts'

const CHANNEL = 'holarchy_bus'
/** A payload takes 8,000 bytes at most, and carries the topic and the message as base64. */
const MAX_BYTES = 5600
const WINDOW_MS = 40
const QUEUED = 2000
const RETRY_MS = 1000

/** Connects; throws when it cannot. Lost later, it is tried again for ever. */
export async function postgresBus(connection: Connection): Promise<Bus> {
  const heard = new Map<string, Hear>()
  const gaps: (() => void)[] = []
  let client: Client | null = null
  let closed = false
  let queue: string[] = []
  let timer: NodeJS.Timeout | null = null
  let sentAt = 0

  async function connect(): Promise<void> {
    const fresh = new Client({ ...configOf(connection), application_name: 'holarchy bus', keepAlive: true })
    fresh.on('notification', ({ payload = '' }) => {
      const at = payload.indexOf(' ')
      heard.get(payload.slice(0, at))?.(Buffer.from(payload.slice(at + 1), 'base64'))
    })
    fresh.on('error', error => lost(fresh, error))
    fresh.on('end', () => lost(fresh, new Error('Connection terminated by the database')))
    await fresh.connect()
    await fresh.query(`listen ${CHANNEL}`)
    client = fresh
  }

  function lost(which: Client, error: Error): void {
    if (client !== which || closed) return
    client = null
    queue = []
    logFailure('bus:', error)
    which.end().catch(() => {})
    again()
  }

  function again(): void {
    const wait = setTimeout(() => {
      if (closed) return
      connect().then(() => {
        for (const run of gaps) run()
      }, again)
    }, RETRY_MS)
    wait.unref()
  }

  function send(): void {
    timer = null
    sentAt = performance.now()
    const payloads = queue.splice(0)
    if (client === null || payloads.length === 0) return
    const sending = client.query({
      name: 'bus',
      text: 'select pg_notify($1, payload) from unnest($2::text[]) with ordinality as p (payload, n) order by n',
      values: [CHANNEL, payloads],
    })
    sending.catch((error: unknown) => logFailure('bus: messages are lost:', error))
  }

  await connect()
  return {
    name: 'postgres',
    maxBytes: MAX_BYTES,
    get isUp() {
      return client !== null
    },
    publish(topic, message) {
      if (client === null || message.length > MAX_BYTES || queue.length >= QUEUED) return
      // Two alike in one transaction are carried once, which is as good: a message says how things are.
      queue.push(`${topic} ${Buffer.from(message.buffer, message.byteOffset, message.byteLength).toString('base64')}`)
      timer ??= setTimeout(send, Math.max(0, sentAt + WINDOW_MS - performance.now()))
    },
    listen(topic, hear) {
      heard.set(topic, hear)
      return Promise.resolve()
    },
    unlisten(topic) {
      heard.delete(topic)
      return Promise.resolve()
    },
    onGap: run => void gaps.push(run),
    async close() {
      closed = true
      if (timer !== null) clearTimeout(timer)
      await client?.end()
    },
  }
}
