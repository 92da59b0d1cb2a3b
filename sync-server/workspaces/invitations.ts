// Invitations by mail to a workspace or to one file: pending, then accepted or rejected, once.
import { sql } from 'kysely'
import { nanoid } from 'nanoid'
import { z } from 'zod'
import { INVITATION_ADDRESSES } from '../../model-schema/business/limits.ts'
import type { Db } from '../db/database.ts'
import { fits, signature } from '../files/access.ts'
import { Refusal, email } from '../http.ts'

export type InvitationTarget = { workspaceId: string } | { fileId: string }
export type InvitationRole = 'manager' | 'editor' | 'commenter' | 'viewer'
/** What became of one address. */
export type InvitationOutcome = 'invited' | 'invited-before' | 'user-not-registered' | 'already-member' | 'already-collaborator'

export type Invitation = {
  id: string
  target: InvitationTarget
  email: string
  role: InvitationRole
  invitedBy: string | null
  state: 'pending' | 'accepted' | 'rejected' | 'revoked'
}

/**
 * Addresses in a text, separated by commas (of either script), semicolons or white space, each once. Throws `addresses-empty`, or
 * `addresses-invalid` with the bad ones as issues.
 */
export function readAddresses(text: string): string[] {
  const parts = text
    .split(/[,;\s,;、]+/)
    .map(part => part.trim())
    .filter(part => part !== '')
  if (parts.length === 0) throw new Refusal('addresses-empty')
  if (parts.length > INVITATION_ADDRESSES) throw new Refusal('addresses-invalid', `more than ${INVITATION_ADDRESSES} addresses`)
  const read = parts.map(part => ({ part, result: email.safeParse(part) }))
  const issues = read.filter(({ result }) => !result.success).map(({ part }) => ({ path: part.slice(0, 254), message: 'not an address' }))
  if (issues.length > 0) throw new Refusal('addresses-invalid', `not addresses: ${issues.map(({ path }) => path).join(', ')}`, { issues })
  return [...new Set(read.flatMap(({ result }) => (result.success ? [result.data] : [])))]
}

export const addresses = z.string().max(INVITATION_ADDRESSES * 260)

const ID_LENGTH = 12

export function invitationCode(secret: string, id: string): string {
  return id + signature(secret, `invitation:${id}`)
}

function readCode(secret: string, code: string): string | null {
  const id = code.slice(0, ID_LENGTH)
  return fits(code.slice(ID_LENGTH), signature(secret, `invitation:${id}`)) ? id : null
}

/** Invites an address; null when it has been invited and not answered: the invitation before is kept, with the new role. */
export async function invite(db: Db, target: InvitationTarget, address: string, role: InvitationRole, by: string): Promise<string | null> {
  const id = nanoid(ID_LENGTH)
  const again = await db
    .updateTable('invitation')
    .set({ role, invited_by: by })
    .where('email', '=', address)
    .where(waiting(target))
    .executeTakeFirst()
  if (again.numUpdatedRows > 0n) return null
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('invitation')
    .values({ id, email: address, role, invited_by: by, ...columnsOf(target) })
    .onConflict(conflict => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n ? id : null
}

const columnsOf = (target: InvitationTarget) =>
  'workspaceId' in target ? { workspace_id: target.workspaceId, file_id: null } : { workspace_id: null, file_id: target.fileId }

/** Not answered, not taken back. */
const waiting = (target: InvitationTarget) =>
  sql<boolean>`coalesce(workspace_id, file_id) = ${'workspaceId' in target ? target.workspaceId : target.fileId}
    and ${sql.ref('workspaceId' in target ? 'workspace_id' : 'file_id')} is not null and answered_at is null and revoked_at is null`

/** The invitation behind a code. Throws `invitation-closed` when there is none. */
export async function invitationBehind(db: Db, secret: string, code: string): Promise<Invitation> {
  const id = readCode(secret, code)
  const row = id === null ? undefined : await db.selectFrom('invitation').selectAll().where('id', '=', id).executeTakeFirst()
  if (row === undefined) throw new Refusal('invitation-closed')
  return invitationOf(row)
}

/** Those that wait for an answer of this address, newest first. */
export async function invitationsTo(db: Db, address: string): Promise<Invitation[]> {
  const rows = db.selectFrom('invitation').selectAll().where('email', '=', address).where('answered_at', 'is', null)
  return (await rows.where('revoked_at', 'is', null).orderBy('at', 'desc').limit(100).execute()).map(invitationOf)
}

type Row = {
  id: string
  workspace_id: string | null
  file_id: string | null
  email: string
  role: InvitationRole
  invited_by: string | null
  answered_at: Date | null
  accepted: boolean | null
  revoked_at: Date | null
}

function invitationOf(row: Row): Invitation {
  const state =
    row.answered_at !== null ? (row.accepted === true ? 'accepted' : 'rejected') : row.revoked_at !== null ? 'revoked' : 'pending'
  const target = row.workspace_id === null ? { fileId: row.file_id ?? '' } : { workspaceId: row.workspace_id }
  return { id: row.id, target, email: row.email, role: row.role, invitedBy: row.invited_by, state }
}

type PendingInvitation = { id: string; email: string; role: InvitationRole; at: string }

/** Invitations that wait for an answer. */
export async function pendingFor(db: Db, target: InvitationTarget): Promise<PendingInvitation[]> {
  const rows = db.selectFrom('invitation').select(['id', 'email', 'role', 'at']).where(waiting(target)).orderBy('at').limit(1000)
  return (await rows.execute()).map(({ at, ...row }) => ({ ...row, at: at.toISOString() }))
}

/** Marks the answer; the conditional update lets exactly one through. Throws `invitation-answered` or `invitation-closed`. */
export async function answerInvitation(db: Db, invitation: Invitation, accepted: boolean): Promise<void> {
  if (invitation.state === 'revoked') throw new Refusal('invitation-closed')
  const { numUpdatedRows } = await db
    .updateTable('invitation')
    .set({ answered_at: new Date(), accepted })
    .where('id', '=', invitation.id)
    .where('answered_at', 'is', null)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new Refusal('invitation-answered')
}

export async function revokeInvitation(db: Db, target: InvitationTarget, id: string): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('invitation')
    .set({ revoked_at: new Date() })
    .where('id', '=', id)
    .where(waiting(target))
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new Refusal('not-found')
}
