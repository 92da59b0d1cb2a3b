// Tickets: one websocket connection each, within a minute, for one document and one session. Kept in the database by hash, so
// that any server of several can redeem what another issued, once.
import { createHash, randomBytes } from 'node:crypto'
import type { Db } from '../db/database.ts'
import { LIMITS } from '../protocol.ts'
import type { Who } from './room.ts'

export type Pass = Who & { docId: string; shareId: string | null }

/** When this process next removes unused tickets. */
let sweepAt = 0

export async function issueTicket(db: Db, pass: Pass, now = Date.now()): Promise<{ ticket: string; expiresAt: number }> {
  const ticket = randomBytes(24).toString('base64url')
  const expiresAt = now + LIMITS.ticketMs
  if (now >= sweepAt) {
    sweepAt = now + LIMITS.ticketMs
    await db.deleteFrom('rt_ticket').where('expires_at', '<', new Date(now)).execute()
  }
  const row = { doc_id: pass.docId, user_id: pass.userId, session_id: pass.sessionId, name: pass.name, share_id: pass.shareId }
  await db
    .insertInto('rt_ticket')
    .values({ ...row, avatar: pass.avatar ?? null, hash: hashOf(ticket), expires_at: new Date(expiresAt) })
    .execute()
  return { ticket, expiresAt }
}

/** What the ticket allows, and the end of the ticket; null when it is unknown, spent, expired or for another document. */
export async function redeemTicket(db: Db, ticket: string, docId: string, now = Date.now()): Promise<Pass | null> {
  if (ticket.length > 100) return null
  const row = await db.deleteFrom('rt_ticket').where('hash', '=', hashOf(ticket)).returningAll().executeTakeFirst()
  if (row === undefined || row.doc_id !== docId || row.expires_at.getTime() < now) return null
  return { docId, userId: row.user_id, sessionId: row.session_id, name: row.name, avatar: row.avatar, shareId: row.share_id }
}

/** Makes the tickets of a session that has ended worthless. */
export async function revokeTickets(db: Db, sessionId: string): Promise<void> {
  await db.deleteFrom('rt_ticket').where('session_id', '=', sessionId).execute()
}

function hashOf(ticket: string): string {
  return createHash('sha256').update(ticket).digest('base64url')
}
