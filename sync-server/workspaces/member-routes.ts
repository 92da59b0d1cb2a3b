// Members of a workspace: their accounts, roles, permissions and activities.
import { Hono } from 'hono'
import { z } from 'zod'
import { explain } from '../../model-schema/roles.ts'
import { auditLines, requestLog } from '../audit.ts'
import { body, params, query, signedIn, team } from '../http.ts'
import type { SignedIn } from '../http.ts'
import type { Parts } from '../parts.ts'
import { explained, inWorkspace, permit } from '../permissions.ts'
import { pendingFor } from './invitations.ts'
import { memberRole, memberRoles, membersOf, outsidersOf, removeMember, setMemberRole } from './members.ts'
import { requestsFor } from './requests.ts'
import { workspaceOf } from './workspaces.ts'

const ofTeam = params(z.object({ team }))
const ofMember = params(z.object({ team, userId: z.uuid() }))

export function memberRoutes(parts: Parts) {
  const { db, rooms, notify } = parts
  const log = requestLog(parts)

  return new Hono<SignedIn>()
    .use(signedIn)
    .get('/:team/audit', ofTeam, query(z.object({ before: z.coerce.number().int().positive().optional() })), async c => {
      const { team } = c.req.valid('param')
      permit(await inWorkspace(db, c.get('actor').userId, team), 'auditLog')
      return c.json({ lines: await auditLines(db, { workspaceId: team }, c.req.valid('query').before) })
    })
    .get('/:team/permissions', ofTeam, query(z.object({ userId: z.uuid().optional() })), async c => {
      const { team } = c.req.valid('param')
      const { userId } = c.get('actor')
      const whose = c.req.valid('query').userId ?? userId
      permit(await inWorkspace(db, userId, team), whose === userId ? 'view' : 'viewMembers')
      const standing = permit(await inWorkspace(db, whose, team), 'view')
      return c.json({ role: standing.actor.role, permissions: explained(standing) })
    })
    .get('/:team/members', ofTeam, async c => {
      const { team } = c.req.valid('param')
      const standing = permit(await inWorkspace(db, c.get('actor').userId, team), 'viewMembers')
      const manages = explain(standing.actor, 'invite', standing.subject).allowed
      const target = { workspaceId: team }
      return c.json({
        members: await membersOf(db, team),
        outsiders: manages ? await outsidersOf(db, team) : [],
        invitations: manages ? await pendingFor(db, target) : [],
        requests: manages ? await requestsFor(db, team) : [],
      })
    })
    .patch('/:team/members/:userId', ofMember, body(z.object({ role: memberRoles })), async c => {
      const { team, userId } = c.req.valid('param')
      const actor = c.get('actor')
      const { role } = c.req.valid('json')
      const standing = permit(await inWorkspace(db, actor.userId, team), 'viewMembers')
      permit(standing, 'changeRole', { member: await memberRole(db, team, userId), to: role })
      await setMemberRole(db, team, userId, role)
      await rooms.revokeEverywhere(userId)
      await log(c, 'role-changed', { workspaceId: team, detail: { member: userId, role } })
      if (userId !== actor.userId)
        await notify([userId], 'role-changed', { team, name: (await workspaceOf(db, actor.userId, team)).name, role, by: actor.name })
      return c.json({ ok: true })
    })
    .delete('/:team/members/:userId', ofMember, async c => {
      const { team, userId } = c.req.valid('param')
      const actor = c.get('actor')
      const standing = permit(await inWorkspace(db, actor.userId, team), 'viewMembers')
      permit(standing, 'removeMember', { member: await memberRole(db, team, userId), isSelf: userId === actor.userId })
      await removeMember(db, team, userId)
      await rooms.revokeEverywhere(userId)
      await log(c, 'member-removed', { workspaceId: team, detail: { member: userId } })
      await notify([userId], 'removed', { team, name: (await workspaceOf(db, actor.userId, team)).name, by: actor.name })
      return c.json({ ok: true })
    })
}
