// What the routes of accounts are built from.
import type { Db } from '../db/database.ts'
import type { Notify } from '../notifications/notify.ts'
import type { Operators } from '../operator/operators.ts'
import type { Ask } from './asking.ts'
import type { Auth } from './auth.ts'

export type AccountsParts = {
  auth: Auth
  db: Db
  notify: Notify
  publicUrl: string
  /** Signs activation links. */
  secret: string
  trustProxy: boolean
  rateLimited: boolean
  /** Closes what a session has open. */
  sessionEnded: (id: string) => Promise<void>
  operators: Operators
  /** An account can be used from now on. */
  activated: (userId: string) => Promise<void>
}

/** With the way to ask better-auth. */
export type AskingParts = AccountsParts & { ask: Ask }
