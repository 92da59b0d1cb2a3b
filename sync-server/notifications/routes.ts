// Notifications over HTTP: list, read, clear.
import { Hono } from 'hono'
import { z } from 'zod'
import type { Db } from '../db/database.ts'
import { body, flag, query, signedIn } from '../http.ts'
import type { SignedIn } from '../http.ts'
import { NOTIFICATION_KINDS } from '../protocol.ts'
import type { NotificationKind } from '../protocol.ts'

export type NotificationInfo = { id: string; kind: NotificationKind; data: Record<string, string>; at: string; read: boolean }

const notificationId = z.string().regex(/^[\w-]{1,64}$/)
const listing = z.object({
  unread: flag.optional(),
  /** `at` of the last one seen. */
  before: z.iso.datetime().optional(),
  limit: z.coerce.number().int().min(1).max(100).optional(),
})
/** Some, or all. */
const some = z.object({ ids: z.array(notificationId).min(1).max(500).optional() })

export function notificationRoutes(db: Db) {
  return new Hono<SignedIn>()
    .use(signedIn)
    .get('/', query(listing), async c => {
      const { userId } = c.get('actor')
      const { unread, before, limit = 50 } = c.req.valid('query')
      let rows = db
        .selectFrom('notification')
        .selectAll()
        .where('user_id', '=', userId)
        .orderBy('at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
      if (unread === true) rows = rows.where('read_at', 'is', null)
      if (before !== undefined) rows = rows.where('at', '<', new Date(before))
      const { count } = await db
        .selectFrom('notification')
        .select(db.fn.countAll<number>().as('count'))
        .where('user_id', '=', userId)
        .where('read_at', 'is', null)
        .executeTakeFirstOrThrow()
      const notifications: NotificationInfo[] = (await rows.execute()).map(row => ({
        id: row.id,
        kind: NOTIFICATION_KINDS.find(kind => kind === row.kind) ?? 'other',
        data: row.data,
        at: row.at.toISOString(),
        read: row.read_at !== null,
      }))
      return c.json({ notifications, unread: count })
    })
    .post('/read', body(some), async c => {
      const { ids } = c.req.valid('json')
      let rows = db.updateTable('notification').set({ read_at: new Date() }).where('user_id', '=', c.get('actor').userId)
      if (ids !== undefined) rows = rows.where('id', 'in', ids)
      await rows.where('read_at', 'is', null).execute()
      return c.json({ ok: true })
    })
    .post('/clear', body(some), async c => {
      const { ids } = c.req.valid('json')
      let rows = db.deleteFrom('notification').where('user_id', '=', c.get('actor').userId)
      if (ids !== undefined) rows = rows.where('id', 'in', ids)
      await rows.execute()
      return c.json({ ok: true })
    })
}
