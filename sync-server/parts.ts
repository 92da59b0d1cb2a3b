// What the routes of the server are built from.
import type { Db } from './db/database.ts'
import type { Access } from './files/access.ts'
import type { Mail } from './mail/mail.ts'
import type { Notify } from './notifications/notify.ts'
import type { Quota } from './plans/quota.ts'
import type { Tariff } from './plans/tariff.ts'
import type { Rooms } from './relay/rooms.ts'

export type Parts = {
  db: Db
  rooms: Rooms
  access: Access
  mail: Mail
  notify: Notify
  quota: Quota
  /** What plans allow and cost, and what coins and items are worth. */
  tariff: Tariff
  /** Signs share links, invitations. */
  secret: string
  /** Origin under which people reach the server. */
  publicUrl: string
  trustProxy: boolean
}
