// Members of workspaces and their roles. Rules are in model-schema/roles.ts; here is what they do to the tables.
import { z } from 'zod'
import type { Db } from '../db/database.ts'
import { Refusal } from '../http.ts'

type MemberRole = 'owner' | 'manager' | 'editor' | 'viewer'
/** Roles that a member can be given. */
export const memberRoles = z.enum(['manager', 'editor', 'viewer'])
type MemberInfo = { id: string; name: string; email: string; avatar: string | null; role: MemberRole; joinedAt: string }
type Outsider = { id: string; name: string; email: string; avatar: string | null; role: string; file: { id: string; name: string } }

export async function membersOf(db: Db, workspaceId: string): Promise<MemberInfo[]> {
  const rows = await db
    .selectFrom('workspace_member as m')
    .innerJoin('user as u', 'u.id', 'm.user_id')
    .select(['u.id', 'u.name', 'u.email', 'u.image as avatar', 'm.role', 'm.joined_at'])
    .where('m.workspace_id', '=', workspaceId)
    .orderBy('m.joined_at')
    .limit(5000)
    .execute()
  return rows.map(({ joined_at, ...row }) => ({ ...row, joinedAt: joined_at.toISOString() }))
}

/** Collaborators from outside, with the file each may see. */
export async function outsidersOf(db: Db, workspaceId: string): Promise<Outsider[]> {
  const rows = await db
    .selectFrom('collaborator as g')
    .innerJoin('file as f', 'f.id', 'g.file_id')
    .innerJoin('user as u', 'u.id', 'g.user_id')
    .leftJoin('workspace_member as m', join => join.onRef('m.workspace_id', '=', 'f.workspace_id').onRef('m.user_id', '=', 'g.user_id'))
    .select(['u.id', 'u.name', 'u.email', 'u.image as avatar', 'g.role', 'f.id as file_id', 'f.name as file_name'])
    .where('f.workspace_id', '=', workspaceId)
    .where('g.revoked_at', 'is', null)
    .where('m.role', 'is', null)
    .orderBy('g.at')
    .limit(5000)
    .execute()
  return rows.map(({ file_id, file_name, ...row }) => ({ ...row, file: { id: file_id, name: file_name } }))
}

/** The role of a member. Throws `not-found` for others. */
export async function memberRole(db: Db, workspaceId: string, userId: string): Promise<MemberRole> {
  const row = await db
    .selectFrom('workspace_member')
    .select('role')
    .where('workspace_id', '=', workspaceId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (row === undefined) throw new Refusal('not-found', 'no such member')
  return row.role
}

// The owner's row is left alone whatever was checked before: ownership may have been transferred meanwhile.

export async function setMemberRole(db: Db, workspaceId: string, userId: string, role: Exclude<MemberRole, 'owner'>): Promise<void> {
  const change = db.updateTable('workspace_member').set({ role }).where('workspace_id', '=', workspaceId).where('user_id', '=', userId)
  const { numUpdatedRows } = await change.where('role', '<>', 'owner').executeTakeFirst()
  if (numUpdatedRows === 0n) throw new Refusal('not-found', 'no such member')
}

export async function removeMember(db: Db, workspaceId: string, userId: string): Promise<void> {
  const removal = db.deleteFrom('workspace_member').where('workspace_id', '=', workspaceId).where('user_id', '=', userId)
  const { numDeletedRows } = await removal.where('role', '<>', 'owner').executeTakeFirst()
  if (numDeletedRows === 0n) throw new Refusal('not-found', 'no such member')
}

/** Adds a member; false when they are one already. */
export async function addMember(db: Db, workspaceId: string, userId: string, role: Exclude<MemberRole, 'owner'>): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('workspace_member')
    .values({ workspace_id: workspaceId, user_id: userId, role })
    .onConflict(conflict => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

export async function managersOf(db: Db, workspaceId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('workspace_member')
    .select('user_id')
    .where('workspace_id', '=', workspaceId)
    .where('role', 'in', ['owner', 'manager'])
    .execute()
  return rows.map(row => row.user_id)
}
