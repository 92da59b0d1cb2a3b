// Workspaces: where files live. Everybody activated has a personal one; teams and organizations are rows of the same tables.
import { nanoid } from 'nanoid'
import type { Db } from '../db/database.ts'
import type { Role } from '../protocol.ts'

/** The user's personal workspace, made when missing. Answers its id. */
export async function ensurePersonalWorkspace(db: Db, userId: string, userName: string): Promise<string> {
  const found = await db
    .selectFrom('workspace')
    .select('id')
    .where('owner_id', '=', userId)
    .where('type', '=', 'personal')
    .executeTakeFirst()
  if (found !== undefined) return found.id
  return db.transaction().execute(async tx => {
    // Two first requests at once: the index lets one in, the other reads what that one made.
    await tx
      .insertInto('workspace')
      .values({ id: nanoid(12), type: 'personal', name: userName, owner_id: userId })
      .onConflict(conflict => conflict.column('owner_id').where('type', '=', 'personal').doNothing())
      .execute()
    const { id } = await tx
      .selectFrom('workspace')
      .select('id')
      .where('owner_id', '=', userId)
      .where('type', '=', 'personal')
      .executeTakeFirstOrThrow()
    const member = { workspace_id: id, user_id: userId, role: 'owner' as const }
    await tx
      .insertInto('workspace_member')
      .values(member)
      .onConflict(conflict => conflict.doNothing())
      .execute()
    return id
  })
}

export type WorkspaceInfo = { id: string; type: 'personal' | 'team' | 'organization'; name: string; role: Role }

export function workspacesOf(db: Db, userId: string): Promise<WorkspaceInfo[]> {
  return db
    .selectFrom('workspace_member as m')
    .innerJoin('workspace as w', 'w.id', 'm.workspace_id')
    .select(['w.id', 'w.type', 'w.name', 'm.role'])
    .where('m.user_id', '=', userId)
    .orderBy('w.created_at')
    .execute()
}

/** The role in a workspace; null for strangers. */
export async function workspaceRole(db: Db, workspaceId: string, userId: string): Promise<Role | null> {
  const row = await db
    .selectFrom('workspace_member')
    .select('role')
    .where('workspace_id', '=', workspaceId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row?.role ?? null
}
