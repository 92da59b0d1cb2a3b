// Requests to join a workspace by its link: they wait until a manager approves or rejects, once.
import { nanoid } from 'nanoid'
import type { Db } from '../db/database.ts'
import { Refusal } from '../http.ts'

type JoinRequest = { id: string; user: { id: string; name: string; email: string; avatar: string | null }; at: string }

/** The workspace of a link. Throws `invitation-closed`. */
export async function workspaceByLink(db: Db, code: string): Promise<{ id: string; name: string; type: string }> {
  const row = await db.selectFrom('workspace').select(['id', 'name', 'type']).where('join_code', '=', code).executeTakeFirst()
  if (row === undefined) throw new Refusal('invitation-closed')
  return row
}

/** Opens the link with a new code, which ends the one before; or closes it. */
export async function setJoinLink(db: Db, workspaceId: string, open: boolean): Promise<string | null> {
  const code = open ? nanoid(22) : null
  await db.updateTable('workspace').set({ join_code: code }).where('id', '=', workspaceId).execute()
  return code
}

/** Asks to be let in; answers the request's id. Throws `request-pending` when one has asked before. */
export async function askToJoin(db: Db, workspaceId: string, userId: string): Promise<string> {
  const id = nanoid()
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('join_request')
    .values({ id, workspace_id: workspaceId, user_id: userId })
    .onConflict(conflict => conflict.doNothing())
    .executeTakeFirst()
  if (numInsertedOrUpdatedRows !== 1n) throw new Refusal('request-pending')
  return id
}

export async function requestsFor(db: Db, workspaceId: string): Promise<JoinRequest[]> {
  const rows = await db
    .selectFrom('join_request as r')
    .innerJoin('user as u', 'u.id', 'r.user_id')
    .select(['r.id', 'r.at', 'u.id as user_id', 'u.name', 'u.email', 'u.image'])
    .where('r.workspace_id', '=', workspaceId)
    .where('r.answered_at', 'is', null)
    .orderBy('r.at')
    .limit(1000)
    .execute()
  return rows.map(({ id, at, user_id, name, email, image }) => ({
    id,
    user: { id: user_id, name, email, avatar: image },
    at: at.toISOString(),
  }))
}

/** Marks the answer and says who asked. Throws `request-answered` the second time. */
export async function answerRequest(db: Db, workspaceId: string, id: string, by: string, accepted: boolean): Promise<string> {
  const row = await db
    .updateTable('join_request')
    .set({ answered_at: new Date(), answered_by: by, accepted })
    .where('id', '=', id)
    .where('workspace_id', '=', workspaceId)
    .where('answered_at', 'is', null)
    .returning('user_id')
    .executeTakeFirst()
  if (row !== undefined) return row.user_id
  const known = await db
    .selectFrom('join_request')
    .select('id')
    .where('id', '=', id)
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst()
  throw new Refusal(known === undefined ? 'not-found' : 'request-answered')
}

/** Whether this user has asked and waits. */
export async function isWaiting(db: Db, workspaceId: string, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('join_request')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('user_id', '=', userId)
    .where('answered_at', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}
