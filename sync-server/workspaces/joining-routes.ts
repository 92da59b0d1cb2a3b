// How people come into a workspace: invitations by mail, the link by which they ask, and the answers to those who asked.
import { Hono } from 'hono'
import { z } from 'zod'
import { requestLog } from '../audit.ts'
import { inOne } from '../db/database.ts'
import { body, params, signedIn, team } from '../http.ts'
import type { SignedIn } from '../http.ts'
import type { Parts } from '../parts.ts'
import { inWorkspace, permit } from '../permissions.ts'
import { addresses, revokeInvitation } from './invitations.ts'
import { addMember, memberRoles } from './members.ts'
import { answerRequest, setJoinLink } from './requests.ts'
import { invitationSender } from './send-invitations.ts'
import { workspaceOf } from './workspaces.ts'

const ofTeam = params(z.object({ team }))
const ofEntry = params(z.object({ team, entry: z.string().regex(/^[\w-]{1,64}$/) }))

export function joiningRoutes(parts: Parts) {
  const { db, rooms, notify, quota } = parts
  const log = requestLog(parts)
  const send = invitationSender(parts)

  return new Hono<SignedIn>()
    .use(signedIn)
    .post('/:team/invitations', ofTeam, body(z.object({ emails: addresses, role: memberRoles })), async c => {
      const { team } = c.req.valid('param')
      const actor = c.get('actor')
      const { emails, role } = c.req.valid('json')
      permit(await inWorkspace(db, actor.userId, team), 'invite')
      const { name } = await workspaceOf(db, actor.userId, team)
      const results = await send(actor, emails, {
        target: { workspaceId: team },
        name,
        role,
        page: 'team_invite',
        notification: 'workspace-invitation',
        data: { team },
        refusal: async userId => ((await inWorkspace(db, userId, team))?.actor.role === null ? null : 'already-member'),
      })
      const count = String(results.filter(({ outcome }) => outcome === 'invited').length)
      await log(c, 'invited', { workspaceId: team, detail: { role, count } })
      return c.json({ results })
    })
    .delete('/:team/invitations/:entry', ofEntry, async c => {
      const { team, entry } = c.req.valid('param')
      permit(await inWorkspace(db, c.get('actor').userId, team), 'invite')
      await revokeInvitation(db, { workspaceId: team }, entry)
      return c.json({ ok: true })
    })
    .get('/:team/join-link', ofTeam, async c => {
      const { team } = c.req.valid('param')
      permit(await inWorkspace(db, c.get('actor').userId, team), 'invite')
      const row = await db.selectFrom('workspace').select('join_code').where('id', '=', team).executeTakeFirst()
      return c.json({ code: row?.join_code ?? null })
    })
    .put('/:team/join-link', ofTeam, body(z.object({ open: z.boolean() })), async c => {
      const { team } = c.req.valid('param')
      permit(await inWorkspace(db, c.get('actor').userId, team), 'invite')
      const { open } = c.req.valid('json')
      const code = await setJoinLink(db, team, open)
      await log(c, open ? 'join-link-opened' : 'join-link-closed', { workspaceId: team })
      return c.json({ code })
    })
    .post('/:team/requests/:entry', ofEntry, body(z.object({ accept: z.boolean(), role: memberRoles.optional() })), async c => {
      const { team, entry } = c.req.valid('param')
      const actor = c.get('actor')
      const { accept, role = 'viewer' } = c.req.valid('json')
      const standing = permit(await inWorkspace(db, actor.userId, team), 'answerJoinRequest')
      const seats = standing.space === 'team' ? 'teamMembers' : 'organizationMembers'
      const answer = inOne(async tx => {
        const asked = await answerRequest(tx, team, entry, actor.userId, accept)
        if (accept) await addMember(tx, team, asked, role)
        return asked
      })
      const userId = accept ? await quota.take(seats, actor.userId, standing, answer) : await answer(db)
      await rooms.revokeEverywhere(userId)
      await log(c, accept ? 'request-approved' : 'request-rejected', { workspaceId: team, detail: { member: userId } })
      await notify([userId], 'join-answered', { team, name: (await workspaceOf(db, actor.userId, team)).name, accepted: String(accept) })
      return c.json({ ok: true })
    })
}
