// Notifications: kept for the person, and sent to their open sockets at once.
import { nanoid } from 'nanoid'
import type { Db } from '../db/database.ts'
import type { NotificationKind } from '../protocol.ts'
import type { Rooms } from '../relay/rooms.ts'

/** Notifies people. */
export type Notify = (userIds: readonly string[], kind: NotificationKind, data?: Record<string, string>) => Promise<void>

/** Kept per person; the oldest go first. */
const maxNotificationsPerPerson = 500

export function notifier(db: Db, rooms: Rooms): Notify {
  return async (userIds, kind, data = {}) => {
    if (userIds.length === 0) return
    await db
      .insertInto('notification')
      .values(userIds.map(user_id => ({ id: nanoid(), user_id, kind, data: JSON.stringify(data) })))
      .execute()
    for (const userId of userIds) {
      const old = db
        .selectFrom('notification')
        .select('id')
        .where('user_id', '=', userId)
        .orderBy('at', 'desc')
        .offset(maxNotificationsPerPerson)
      await db.deleteFrom('notification').where('id', 'in', old).execute()
      rooms.tell(userId, 'notification')
    }
  }
}
