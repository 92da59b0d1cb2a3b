// Workspaces beyond their plan. When a person owns more than their plan allows (a subscription ended, or a lesser one began), all
// their workspaces are locked: documents in them are read-only for everybody, while files can be deleted and moved away. They open again when
// there is room, when the plan grows, or, for a while, when an editor uses up a key.
import { keyDays } from '../../model-schema/business/coins.ts'
import type { Economy } from '../../model-schema/business/coins.ts'
import { useUp } from '../coins/deals.ts'
import { serialisable } from '../coins/ledger.ts'
import type { Db } from '../db/database.ts'
import { Refusal } from '../http.ts'
import type { Quota, Usage } from './quota.ts'

type Lock = { quantity: string; used: number; allowed: number; since: string; unlockedUntil: string | null; isOpen: boolean }

/** What there may not be too much of; seats and results bound themselves. */
const LOCKING = ['files', 'blocks', 'storageGB', 'workspaces', 'teams', 'organizations'] as const
const DAY_MS = 86_400_000

/** What there is too much of. The personal workspace, which everybody has, never causes a lock. */
function excessOf({ plan, used }: Usage): { quantity: string; used: number; allowed: number } | null {
  for (const quantity of LOCKING) {
    const allowed = plan[quantity]
    if (allowed !== null && used[quantity] > Math.max(allowed, quantity === 'workspaces' ? 1 : 0))
      return { quantity, used: used[quantity], allowed }
  }
  return null
}

/** Locks or opens a person's workspaces as their plan and what they have require. Answers those for which something changed. */
export async function settleLocks(db: Db, quota: Quota, ownerId: string): Promise<string[]> {
  const excess = excessOf(await quota.usage(ownerId))
  const owned = db.selectFrom('workspace').select('id').where('owner_id', '=', ownerId)
  if (excess === null) {
    const opened = await db.deleteFrom('workspace_lock').where('workspace_id', 'in', owned).returning('workspace_id').execute()
    return opened.map(row => row.workspace_id)
  }
  const teams = await owned.execute()
  if (teams.length === 0) return []
  const locked = await db
    .insertInto('workspace_lock')
    .values(teams.map(({ id }) => ({ workspace_id: id, ...excess })))
    .onConflict(conflict => conflict.doNothing())
    .returning('workspace_id')
    .execute()
  await db.updateTable('workspace_lock').set(excess).where('workspace_id', 'in', owned).execute()
  return locked.map(row => row.workspace_id)
}

/** Whether documents of a workspace can't be changed now. */
export async function isLocked(db: Db, team: string): Promise<boolean> {
  const row = await db
    .selectFrom('workspace_lock')
    .select('workspace_id')
    .where('workspace_id', '=', team)
    .where(where => where.or([where('unlocked_until', 'is', null), where('unlocked_until', '<=', new Date())]))
    .executeTakeFirst()
  return row !== undefined
}

/** How a workspace is locked; null when it is within its plan. */
export async function lockOf(db: Db, team: string): Promise<Lock | null> {
  const row = await db.selectFrom('workspace_lock').selectAll().where('workspace_id', '=', team).executeTakeFirst()
  if (row === undefined) return null
  return {
    quantity: row.quantity,
    used: row.used,
    allowed: row.allowed,
    since: row.since.toISOString(),
    unlockedUntil: row.unlocked_until?.toISOString() ?? null,
    isOpen: row.unlocked_until !== null && row.unlocked_until > new Date(),
  }
}

/** Uses up a key of this person's to keep a locked workspace open; time that is left is added to. Throws `not-enough-items`. */
export function unlock(db: Db, economy: Economy, id: string, userId: string, team: string, item: 'key' | 'goldKey'): Promise<Date> {
  return serialisable(db, async tx => {
    const row = await tx
      .selectFrom('workspace_lock')
      .select('unlocked_until')
      .where('workspace_id', '=', team)
      .forUpdate()
      .executeTakeFirst()
    if (row === undefined) throw new Refusal('not-found', 'the workspace is not locked')
    const use = { key: `unlock:${userId}:${id}`, kind: 'unlockEditing', userId, item, count: 1, about: { team } } as const
    const { isNew } = await useUp(tx, economy, use)
    if (!isNew && row.unlocked_until !== null) return row.unlocked_until
    const until = new Date(Math.max(Date.now(), row.unlocked_until?.getTime() ?? 0) + keyDays[item] * DAY_MS)
    await tx.updateTable('workspace_lock').set({ unlocked_until: until, unlocked_by: userId }).where('workspace_id', '=', team).execute()
    return until
  })
}
