// Collaborators of a file: people with a role on it, of its workspace or from outside.
import { Hono } from 'hono'
import { z } from 'zod'
import { requestLog } from '../audit.ts'
import { Buckets } from '../bucket.ts'
import type { Db } from '../db/database.ts'
import { Refusal, body, email, id, params, signedIn } from '../http.ts'
import type { SignedIn } from '../http.ts'
import type { Parts } from '../parts.ts'
import { isOpen, onFile, permit } from '../permissions.ts'
import type { FileStanding } from '../permissions.ts'
import type { Quota } from '../plans/quota.ts'
import { pendingFor } from '../workspaces/invitations.ts'
import { registeredUser } from '../workspaces/send-invitations.ts'

export const collaboratorRole = z.enum(['manager', 'editor', 'commenter', 'viewer'])
type CollaboratorRole = z.output<typeof collaboratorRole>

const byId = params(z.object({ id }))
const byPerson = params(z.object({ id, userId: z.uuid() }))

export function collaboratorRoutes(parts: Parts) {
  const { db, rooms, notify } = parts
  const log = requestLog(parts)
  // Unknown addresses: a few typing mistakes, not a list to be tried.
  const unknown = new Buckets(1 / 60, 20)

  return new Hono<SignedIn>()
    .use(signedIn)
    .get('/:id/collaborators', byId, async c => {
      const { id } = c.req.valid('param')
      const { subject, actor } = permit(await onFile(db, c.get('actor').userId, id), 'view')
      if (subject.inTrash) throw new Refusal('no-permission')
      const people = await collaboratorsOf(db, id)
      const manages = actor.role === 'owner' || actor.role === 'manager'
      return c.json({ people, pending: manages ? await pendingFor(db, { fileId: id }) : [] })
    })
    .post('/:id/collaborators', byId, body(z.object({ email, role: collaboratorRole })), async c => {
      const { id } = c.req.valid('param')
      const actor = c.get('actor')
      const { email, role } = c.req.valid('json')
      const standing = permit(await onFile(db, actor.userId, id), 'share')
      const user = await registeredUser(db, email)
      if (user === undefined) {
        if (!unknown.take(actor.userId, Date.now())) throw new Refusal('too-many-requests')
        throw new Refusal('user-not-registered')
      }
      // An address that has been tried too often gets the same answer as a free one.
      if (unknown.isEmpty(actor.userId, Date.now())) throw new Refusal('too-many-requests')
      const add = (tx: Db) => addCollaborator(tx, id, user.id, role, actor.userId)
      if (!(await takeSeat(parts, standing, id, user.id, actor.userId, add))) throw new Refusal('already-collaborator')
      await rooms.revoke(id, user.id)
      await log(c, 'file-shared', { workspaceId: standing.team, fileId: id, detail: { with: user.id, role } })
      await notify([user.id], 'file-shared', { fileId: id, team: standing.team, name: standing.name, role, by: actor.name })
      return c.json({ id: user.id, name: user.name, email: user.email, role }, 201)
    })
    .patch('/:id/collaborators/:userId', byPerson, body(z.object({ role: collaboratorRole })), async c => {
      const { id, userId } = c.req.valid('param')
      const actor = c.get('actor')
      const { role } = c.req.valid('json')
      const standing = permit(await onFile(db, actor.userId, id), 'share')
      const change = (tx: Db) => changeCollaborator(tx, id, userId, role)
      if (!(await takeSeat(parts, standing, id, userId, actor.userId, change))) await change(db)
      await rooms.revoke(id, userId)
      await log(c, 'file-role-changed', { workspaceId: standing.team, fileId: id, detail: { of: userId, role } })
      return c.json({ ok: true })
    })
    .delete('/:id/collaborators/:userId', byPerson, async c => {
      const { id, userId } = c.req.valid('param')
      const actor = c.get('actor')
      // Everybody may leave; removing a collaborator is possible even when the space no longer shares.
      const standing = permit(await onFile(db, actor.userId, id), 'view')
      if (userId !== actor.userId) permit(standing, 'share', { switches: {} })
      await removeCollaborator(db, id, userId)
      await rooms.revoke(id, userId)
      await log(c, 'file-unshared', { workspaceId: standing.team, fileId: id, detail: { with: userId } })
      if (userId !== actor.userId) await notify([userId], 'removed', { name: standing.name, by: actor.name })
      return c.json({ ok: true })
    })
}

/** Gives a person from outside a role, if there is a seat left; false when they are a member. */
async function takeSeat(
  { db, quota }: { db: Db; quota: Quota },
  standing: FileStanding,
  fileId: string,
  userId: string,
  actorId: string,
  give: (tx: Db) => Promise<void>,
): Promise<boolean> {
  const theirs = await onFile(db, userId, fileId)
  if (theirs === null || theirs.actor.external !== true) return false
  if (!isOpen(standing, 'externalAccess')) throw new Refusal('no-permission', 'the space has switched external access off')
  await quota.take('externalEditors', actorId, standing, give)
  return true
}

function collaboratorsOf(db: Db, fileId: string) {
  return db
    .selectFrom('collaborator as g')
    .innerJoin('user as u', 'u.id', 'g.user_id')
    .select(['u.id', 'u.name', 'u.email', 'u.image as avatar', 'g.role'])
    .where('g.file_id', '=', fileId)
    .where('g.revoked_at', 'is', null)
    .orderBy('g.at')
    .execute()
}

/** Throws `already-collaborator`. */
async function addCollaborator(tx: Db, fileId: string, userId: string, role: CollaboratorRole, invitedBy: string): Promise<void> {
  const there = tx.selectFrom('collaborator').select('role').where('file_id', '=', fileId).where('user_id', '=', userId)
  if ((await there.where('revoked_at', 'is', null).executeTakeFirst()) !== undefined) throw new Refusal('already-collaborator')
  await putCollaborator(tx, fileId, userId, role, invitedBy)
}

/** Gives a role on a file, again if it was taken away. */
export async function putCollaborator(
  tx: Db,
  fileId: string,
  userId: string,
  role: CollaboratorRole,
  invitedBy: string | null,
): Promise<void> {
  await tx
    .insertInto('collaborator')
    .values({ file_id: fileId, user_id: userId, role, invited_by: invitedBy })
    .onConflict(conflict => conflict.columns(['file_id', 'user_id']).doUpdateSet({ role, revoked_at: null }))
    .execute()
}

/** Throws `not-found` for a user who is not a collaborator. */
async function changeCollaborator(tx: Db, fileId: string, userId: string, role: CollaboratorRole): Promise<void> {
  const theirs = tx.updateTable('collaborator').set({ role }).where('file_id', '=', fileId).where('user_id', '=', userId)
  const { numUpdatedRows } = await theirs.where('revoked_at', 'is', null).executeTakeFirst()
  if (numUpdatedRows === 0n) throw new Refusal('not-found')
}

async function removeCollaborator(db: Db, fileId: string, userId: string): Promise<void> {
  await db
    .updateTable('collaborator')
    .set({ revoked_at: new Date() })
    .where('file_id', '=', fileId)
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .execute()
}
