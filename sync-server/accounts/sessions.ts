// Where an account is signed in, and the notice to its other places at a new sign-in.
import type { Db } from '../db/database.ts'
import { GUEST } from '../files/access.ts'
import { Refusal } from '../http.ts'
import type { Notify } from '../notifications/notify.ts'

type SessionInfo = { id: string; current: boolean; address: string; agent: string; signedInAt: string; seenAt: string }

export async function sessionsOf(db: Db, userId: string, current: string): Promise<SessionInfo[]> {
  const rows = await db
    .selectFrom('session')
    .select(['id', 'ipAddress', 'userAgent', 'createdAt', 'updatedAt'])
    .where('userId', '=', userId)
    .where('expiresAt', '>', new Date())
    .orderBy('createdAt', 'desc')
    .execute()
  return rows.map(row => ({
    id: row.id,
    current: row.id === current,
    address: row.ipAddress ?? '',
    agent: row.userAgent ?? '',
    signedInAt: row.createdAt.toISOString(),
    seenAt: row.updatedAt.toISOString(),
  }))
}

type Which = { id: string } | { ids: readonly string[] } | { allBut: string }

/** Ends one session, several, or all but one. Answers the ids that ended. Throws `not-found` for one that is not there. */
export async function endSessions(db: Db, userId: string, which: Which): Promise<string[]> {
  const rows = db.deleteFrom('session').where('userId', '=', userId)
  const chosen = 'allBut' in which ? rows.where('id', '<>', which.allBut) : rows.where('id', 'in', 'id' in which ? [which.id] : which.ids)
  const ended = await chosen.returning('id').execute()
  if ('id' in which && ended.length === 0) throw new Refusal('not-found', 'no such session')
  return ended.map(row => row.id)
}

/** Notifies the places where the account is signed in already of the newest one. */
export async function noticeElsewhere(db: Db, notify: Notify, userId: string): Promise<void> {
  const [newest, ...others] = await sessionsOf(db, userId, '')
  if (newest === undefined || others.length === 0) return
  await notify([userId], 'signed-in-elsewhere', {
    session: newest.id,
    address: newest.address,
    agent: newest.agent.slice(0, 300),
    at: newest.signedInAt,
  })
}

/** For the relay: which of these sessions have not ended. Guests have none that could end. */
export function aliveSessions(db: Db): (ids: readonly string[]) => Promise<Set<string>> {
  return async ids => {
    const guests = ids.filter(id => id.startsWith(GUEST))
    const signedIn = ids.filter(id => !id.startsWith(GUEST))
    if (signedIn.length === 0) return new Set(guests)
    const rows = await db.selectFrom('session').select('id').where('id', 'in', signedIn).where('expiresAt', '>', new Date()).execute()
    return new Set([...guests, ...rows.map(row => row.id)])
  }
}
