// Restrictions that managers of a file set for single members and collaborators: only view, cannot view, cannot view or remove.
import { sql } from 'kysely'
import { Hono } from 'hono'
import { z } from 'zod'
import { isAtLeast, restrictions } from '../../model-schema/roles.ts'
import type { Restriction, Role } from '../../model-schema/roles.ts'
import { requestLog } from '../audit.ts'
import type { Db } from '../db/database.ts'
import { Refusal, body, id, params, signedIn } from '../http.ts'
import type { SignedIn } from '../http.ts'
import type { Parts } from '../parts.ts'
import { onFile, permit } from '../permissions.ts'
import type { FileStanding } from '../permissions.ts'

/** A user who can open a file, and their restriction on it; `inherited` comes from a folder above. */
type Restrictable = {
  id: string
  name: string
  email: string
  avatar: string | null
  role: Exclude<Role, 'owner' | 'manager'>
  rule: Restriction | null
  inherited: Restriction | null
}

const byId = params(z.object({ id }))
const byPerson = params(z.object({ id, userId: z.uuid() }))

export function restrictionRoutes(parts: Parts) {
  const { db, rooms } = parts
  const log = requestLog(parts)
  return new Hono<SignedIn>()
    .use(signedIn)
    .get('/:id/restrictions', byId, async c => {
      const { id } = c.req.valid('param')
      const { team } = permit(await onFile(db, c.get('actor').userId, id), 'share', { switches: {} })
      return c.json({ people: await restrictable(db, id, team) })
    })
    .put('/:id/restrictions/:userId', byPerson, body(z.object({ rule: z.enum(restrictions).nullable() })), async c => {
      const { id, userId } = c.req.valid('param')
      const actor = c.get('actor')
      const { rule } = c.req.valid('json')
      const { team } = permit(await onFile(db, actor.userId, id), 'share', { switches: {} })
      const theirs = await onFile(db, userId, id)
      if (theirs === null || theirs.given === null) throw new Refusal('not-found', 'not a member or collaborator')
      if (isAtLeast(theirs.given, 'manager')) throw new Refusal('no-permission', 'those who manage a file cannot be restricted on it')
      if (rule === null) await db.deleteFrom('file_restriction').where('file_id', '=', id).where('user_id', '=', userId).execute()
      else
        await db
          .insertInto('file_restriction')
          .values({ file_id: id, user_id: userId, rule, set_by: actor.userId })
          .onConflict(conflict => conflict.columns(['file_id', 'user_id']).doUpdateSet({ rule, set_by: actor.userId, at: sql`now()` }))
          .execute()
      // A folder's reaches all that is in it, and open documents at once.
      await rooms.revoke(id, userId)
      await log(c, 'access-restricted', { workspaceId: team, fileId: id, detail: { of: userId, rule: rule ?? 'none' } })
      return c.json({ people: await restrictable(db, id, team) })
    })
}

/** Members of the workspace and collaborators of the file, or of a folder above, who do not manage it. */
async function restrictable(db: Db, fileId: string, team: string): Promise<Restrictable[]> {
  const { rows } = await sql<Restrictable>`with recursive above as (
      select id, parent_id from file where id = ${fileId} union select p.id, p.parent_id from file p join above on p.id = above.parent_id
    ), people as (
      select user_id, role from workspace_member where workspace_id = ${team}
      union select g.user_id, g.role from collaborator g join above on above.id = g.file_id where g.revoked_at is null
    ), ranked as (
      select user_id, min(array_position(array['owner', 'manager', 'editor', 'commenter', 'viewer'], role)) as place from people group by user_id
    )
    select u.id, u.name, u.email, u.image as avatar, (array['owner', 'manager', 'editor', 'commenter', 'viewer'])[r.place] as role,
      (select rule from file_restriction where file_id = ${fileId} and user_id = u.id) as rule,
      (select rule from file_restriction t join above on above.id = t.file_id where t.user_id = u.id and t.file_id <> ${fileId}
        order by array_position(array['only-view', 'cannot-view', 'cannot-view-or-remove'], rule) desc limit 1) as inherited
    from ranked r join "user" u on u.id = r.user_id where r.place > 2 order by lower(u.name), u.id limit 5000`.execute(db)
  return rows
}

/**
 * Throws `no-permission` when a folder holds something that this person may not take away: into the trash, what they may not remove; to another
 * workspace, where they may be more, anything that was restricted.
 */
export async function refuseProtected(
  db: Db,
  userId: string,
  fileId: string,
  { given }: FileStanding,
  rules: readonly Restriction[] = ['cannot-view-or-remove'],
): Promise<void> {
  if (isAtLeast(given, 'manager')) return
  const { rows } = await sql`with recursive inside as (
      select id from file where id = ${fileId} union select f.id from file f join inside on f.parent_id = inside.id
    ) select 1 from inside join file_restriction t on t.file_id = inside.id
    where t.user_id = ${userId} and t.rule = any(${rules}) limit 1`.execute(db)
  if (rows.length > 0) throw new Refusal('no-permission', 'something in it is not yours to remove')
}
