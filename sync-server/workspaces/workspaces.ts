// Workspaces: where files live. Everybody activated has a personal one; teams and organizations are rows of the same tables.
import { sql } from 'kysely'
import { nanoid } from 'nanoid'
import type { SpaceType, SwitchChanges } from '../../model-schema/roles.ts'
import { inTransaction } from '../db/database.ts'
import type { Db } from '../db/database.ts'
import { Refusal } from '../http.ts'
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

type WorkspaceInfo = {
  id: string
  type: SpaceType
  name: string
  /** The asking user's. */
  role: Exclude<Role, 'commenter'>
  icon: string | null
  profile: string
  /** Only what differs from the defaults (`openSwitches`). */
  switches: SwitchChanges
  owner: { id: string; name: string }
  members: number
  createdAt: string
}

export async function workspacesOf(db: Db, userId: string, only?: string): Promise<WorkspaceInfo[]> {
  let rows = db
    .selectFrom('workspace_member as m')
    .innerJoin('workspace as w', 'w.id', 'm.workspace_id')
    .innerJoin('user as o', 'o.id', 'w.owner_id')
    .select([
      'w.id',
      'w.type',
      'w.name',
      'm.role',
      'w.icon',
      'w.profile',
      'w.switches',
      'w.created_at',
      'o.id as owner_id',
      'o.name as owner_name',
    ])
    .select(sql<number>`(select count(*)::int from workspace_member where workspace_id = w.id)`.as('members'))
    .where('m.user_id', '=', userId)
    .orderBy('w.created_at')
  if (only !== undefined) rows = rows.where('w.id', '=', only)
  return (await rows.execute()).map(({ owner_id, owner_name, created_at, ...row }) => ({
    ...row,
    owner: { id: owner_id, name: owner_name },
    createdAt: created_at.toISOString(),
  }))
}

/** A workspace that a user is a member of. Throws `not-found`. */
export async function workspaceOf(db: Db, userId: string, id: string): Promise<WorkspaceInfo> {
  const [workspace] = await workspacesOf(db, userId, id)
  if (workspace === undefined) throw new Refusal('not-found')
  return workspace
}

/** Makes a team or an organization; again with the same id is the same. */
export async function createWorkspace(
  db: Db,
  userId: string,
  { id, type, name }: { id: string; type: 'team' | 'organization'; name: string },
): Promise<void> {
  await inTransaction(db, async tx => {
    const before = await tx.selectFrom('workspace').select('owner_id').where('id', '=', id).executeTakeFirst()
    if (before?.owner_id === userId) return
    await refuseTaken(() => tx.insertInto('workspace').values({ id, type, name, owner_id: userId }).execute())
    await tx.insertInto('workspace_member').values({ workspace_id: id, user_id: userId, role: 'owner' }).execute()
  })
}

type WorkspaceChange = { name?: string | undefined; profile?: string | undefined; switches?: SwitchChanges | undefined }

export async function changeWorkspace(db: Db, id: string, { name, profile, switches }: WorkspaceChange): Promise<void> {
  await refuseTaken(() =>
    db
      .updateTable('workspace')
      .set({
        ...(name === undefined ? {} : { name }),
        ...(profile === undefined ? {} : { profile }),
        ...(switches === undefined ? {} : { switches: sql<string>`switches || ${JSON.stringify(switches)}::jsonb` }),
      })
      .where('id', '=', id)
      // Keeps the statement valid when nothing is to be changed.
      .$if(name === undefined && profile === undefined && switches === undefined, query => query.set({ id }))
      .execute(),
  )
}

/** Upgrades a team to an organization, or downgrades it. */
export async function changeType(db: Db, id: string, type: 'team' | 'organization'): Promise<void> {
  await db.updateTable('workspace').set({ type }).where('id', '=', id).where('type', '<>', 'personal').execute()
}

/** Deletes a workspace with everything in it; `typed` must be its exact name. Answers the ids of its files. */
export async function deleteWorkspace(db: Db, id: string, typed: string): Promise<string[]> {
  return db.transaction().execute(async tx => {
    const workspace = await tx.selectFrom('workspace').select('name').where('id', '=', id).forUpdate().executeTakeFirst()
    if (workspace === undefined) throw new Refusal('not-found')
    if (workspace.name !== typed) throw new Refusal('name-mismatch')
    const files = await tx.selectFrom('file').select('id').where('workspace_id', '=', id).execute()
    await dropUses(tx, [id])
    await tx.deleteFrom('workspace').where('id', '=', id).execute()
    return files.map(file => file.id)
  })
}

/** Experiments elsewhere lose their link to models of workspaces that go. */
export async function dropUses(db: Db, workspaceIds: readonly string[]): Promise<void> {
  await sql`delete from file_use where model_id in (select id from file where workspace_id = any(${workspaceIds}))`.execute(db)
}

/** Makes another member the owner; the owner before stays as a manager. */
export async function transferWorkspace(db: Db, id: string, from: string, to: string): Promise<void> {
  await inTransaction(db, async tx => {
    const raised = await tx
      .updateTable('workspace_member')
      .set({ role: 'owner' })
      .where('workspace_id', '=', id)
      .where('user_id', '=', to)
      .where('user_id', '<>', from)
      .executeTakeFirst()
    if (raised.numUpdatedRows === 0n) throw new Refusal('not-found', 'no such member')
    await tx.updateTable('workspace_member').set({ role: 'manager' }).where('workspace_id', '=', id).where('user_id', '=', from).execute()
    await refuseTaken(() => tx.updateTable('workspace').set({ owner_id: to }).where('id', '=', id).where('owner_id', '=', from).execute())
  })
}

/** The unique index decides, so that two at once cannot both have a name. */
async function refuseTaken<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (error !== null && typeof error === 'object' && 'constraint' in error) {
      if (error.constraint === 'workspace_name') throw new Refusal('name-taken')
      if (error.constraint === 'workspace_pkey') throw new Refusal('id-taken')
    }
    throw error
  }
}
