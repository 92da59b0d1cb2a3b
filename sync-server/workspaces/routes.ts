// Workspaces over HTTP: the spaces themselves, who is in them, who may come in. Every rule about who may is `permit`.
import { Hono } from 'hono'
import type { Context } from 'hono'
import { inOne } from '../db/database.ts'
import { z } from 'zod'
import { explain, openSwitches } from '../../model-schema/roles.ts'
import type { Switches } from '../../model-schema/roles.ts'
import { auditLines, note } from '../audit.ts'
import { Buckets } from '../bucket.ts'
import { emptyTrash } from '../files/trash.ts'
import { Refusal, addressOf, body, id, name, params, query, signedIn, team } from '../http.ts'
import type { SignedIn } from '../http.ts'
import { imageLimit, sendImage, sweepImages, takeImage } from '../images/images.ts'
import { invitationLetter } from '../mail/letters.ts'
import type { Parts } from '../parts.ts'
import { explained, inWorkspace, permit } from '../permissions.ts'
import { CLOSE } from '../protocol.ts'
import { addresses, invitationCode, invite, pendingFor, readAddresses, revokeInvitation } from './invitations.ts'
import type { Outcome } from './invitations.ts'
import { addMember, memberRole, membersOf, outsidersOf, removeMember, setMemberRole } from './members.ts'
import { answerRequest, requestsFor, setJoinLink } from './requests.ts'
import {
  changeType,
  changeWorkspace,
  createWorkspace,
  deleteWorkspace,
  ensurePersonalWorkspace,
  transferWorkspace,
  workspacesOf,
} from './workspaces.ts'
import type { WorkspaceInfo } from './workspaces.ts'

export const memberRoles = z.enum(['manager', 'editor', 'viewer'])
const ofTeam = params(z.object({ team }))
const ofMember = params(z.object({ team, userId: z.uuid() }))
const ofEntry = params(z.object({ team, entry: z.string().regex(/^[\w-]{1,64}$/) }))
const switchNames = Object.keys(openSwitches) as (keyof Switches)[]
const switches = z.strictObject(
  Object.fromEntries(switchNames.map(key => [key, z.boolean().optional()])) as Record<keyof Switches, z.ZodOptional<z.ZodBoolean>>,
)

export function workspaceRoutes({ db, rooms, mail, notify, quota, secret, publicUrl, trustProxy }: Parts) {
  // Invitations go to people who did not ask for them.
  const letters = new Buckets(1 / 30, 150)
  const log = (c: Context<SignedIn>, action: string, workspaceId: string, detail: Record<string, string> = {}) =>
    note(db, { userId: c.get('actor').userId, action, workspaceId, address: addressOf(c, trustProxy), detail })

  async function one(teamId: string, userId: string): Promise<WorkspaceInfo> {
    const [workspace] = await workspacesOf(db, userId, teamId)
    if (workspace === undefined) throw new Refusal('not-found')
    return workspace
  }

  const own = new Hono<SignedIn>()
    .use(signedIn)
    .get('/', async c => {
      const { userId, name } = c.get('actor')
      await ensurePersonalWorkspace(db, userId, name)
      return c.json({ workspaces: await workspacesOf(db, userId) })
    })
    .post('/', body(z.object({ id, type: z.enum(['team', 'organization']), name })), async c => {
      const wanted = c.req.valid('json')
      const { userId } = c.get('actor')
      const known = await inWorkspace(db, userId, wanted.id)
      if (known !== null && known.ownerId !== userId) throw new Refusal('id-taken')
      if (known === null) {
        await quota.take([wanted.type === 'team' ? 'teams' : 'organizations', 'workspaces'], userId, null, tx =>
          createWorkspace(tx, userId, wanted),
        )
        await log(c, 'workspace-created', wanted.id, { name: wanted.name, type: wanted.type })
      }
      return c.json(await one(wanted.id, userId), 201)
    })
    .get('/:team', ofTeam, async c => c.json(await one(c.req.valid('param').team, c.get('actor').userId)))
    .patch(
      '/:team',
      ofTeam,
      body(z.object({ name: name.optional(), profile: z.string().max(2000).optional(), switches: switches.optional() })),
      async c => {
        const { team } = c.req.valid('param')
        const { userId } = c.get('actor')
        permit(await inWorkspace(db, userId, team), 'settings')
        const change = c.req.valid('json')
        await changeWorkspace(db, team, change)
        if (change.switches !== undefined) {
          await log(c, 'switches-changed', team, Object.fromEntries(Object.entries(change.switches).map(([key, on]) => [key, String(on)])))
          await rooms.recheckWorkspace(team)
        }
        return c.json(await one(team, userId))
      },
    )
    .get('/:team/icon', ofTeam, async c => {
      const { team } = c.req.valid('param')
      const { icon } = await one(team, c.get('actor').userId)
      return sendImage(c, db, icon)
    })
    .put('/:team/icon', ofTeam, imageLimit, async c => {
      const { team } = c.req.valid('param')
      permit(await inWorkspace(db, c.get('actor').userId, team), 'settings')
      const icon = await takeImage(db, c)
      await db.updateTable('workspace').set({ icon }).where('id', '=', team).execute()
      await sweepImages(db)
      return c.json({ icon })
    })
    .delete('/:team/icon', ofTeam, async c => {
      const { team } = c.req.valid('param')
      permit(await inWorkspace(db, c.get('actor').userId, team), 'settings')
      await db.updateTable('workspace').set({ icon: null }).where('id', '=', team).execute()
      return c.json({ ok: true })
    })
    .post('/:team/type', ofTeam, body(z.object({ type: z.enum(['team', 'organization']) })), async c => {
      const { team } = c.req.valid('param')
      const { userId } = c.get('actor')
      const { type } = c.req.valid('json')
      const standing = permit(await inWorkspace(db, userId, team), 'changeType')
      if (standing.space !== type) {
        // All members have to fit into the other plan too.
        await quota.room(type === 'team' ? 'teamMembers' : 'organizationMembers', userId, { ...standing, space: type })
        await quota.take(type === 'team' ? 'teams' : 'organizations', userId, null, tx => changeType(tx, team, type))
        await log(c, 'type-changed', team, { type })
      }
      return c.json(await one(team, userId))
    })
    .post('/:team/delete', ofTeam, body(z.object({ name: z.string().max(1000) })), async c => {
      const { team } = c.req.valid('param')
      const { userId } = c.get('actor')
      permit(await inWorkspace(db, userId, team), 'deleteSpace')
      const members = await membersOf(db, team)
      const { name } = c.req.valid('json')
      for (const gone of await deleteWorkspace(db, team, name)) rooms.end(gone, CLOSE.noDocument, 'the workspace was deleted')
      await log(c, 'workspace-deleted', team, { name })
      const others = members.map(member => member.id).filter(member => member !== userId)
      await notify(others, 'workspace-deleted', { name, by: c.get('actor').name })
      return c.json({ ok: true })
    })
    .post('/:team/leave', ofTeam, async c => {
      const { team } = c.req.valid('param')
      const { userId } = c.get('actor')
      permit(await inWorkspace(db, userId, team), 'leave')
      await removeMember(db, team, userId)
      await rooms.revokeEverywhere(userId)
      await log(c, 'left', team)
      return c.json({ ok: true })
    })
    .post('/:team/transfer', ofTeam, body(z.object({ userId: z.uuid() })), async c => {
      const { team } = c.req.valid('param')
      const actor = c.get('actor')
      const standing = permit(await inWorkspace(db, actor.userId, team), 'transfer')
      const to = c.req.valid('json').userId
      const kind = standing.space === 'team' ? 'teams' : 'organizations'
      await quota.take([kind, 'workspaces'], to, null, tx => transferWorkspace(tx, team, actor.userId, to))
      await rooms.recheckWorkspace(team)
      const { name } = await one(team, actor.userId)
      await log(c, 'ownership-transferred', team, { to })
      await notify([to], 'ownership', { team, name, by: actor.name })
      return c.json({ ok: true })
    })
    .post('/:team/empty-trash', ofTeam, async c => {
      const { team } = c.req.valid('param')
      permit(await inWorkspace(db, c.get('actor').userId, team), 'emptyTrash')
      const { gone, kept } = await emptyTrash(db, team)
      for (const file of gone) rooms.end(file, CLOSE.noDocument, 'the file was deleted')
      await log(c, 'trash-emptied', team, { files: String(gone.length) })
      return c.json({ deleted: gone.length, kept })
    })
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

  const people = new Hono<SignedIn>()
    .use(signedIn)
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
      await log(c, 'role-changed', team, { member: userId, role })
      if (userId !== actor.userId)
        await notify([userId], 'role-changed', { team, name: (await one(team, actor.userId)).name, role, by: actor.name })
      return c.json({ ok: true })
    })
    .delete('/:team/members/:userId', ofMember, async c => {
      const { team, userId } = c.req.valid('param')
      const actor = c.get('actor')
      const standing = permit(await inWorkspace(db, actor.userId, team), 'viewMembers')
      permit(standing, 'removeMember', { member: await memberRole(db, team, userId), isSelf: userId === actor.userId })
      await removeMember(db, team, userId)
      await rooms.revokeEverywhere(userId)
      await log(c, 'member-removed', team, { member: userId })
      await notify([userId], 'removed', { team, name: (await one(team, actor.userId)).name, by: actor.name })
      return c.json({ ok: true })
    })
    .post('/:team/invitations', ofTeam, body(z.object({ emails: addresses, role: memberRoles })), async c => {
      const { team } = c.req.valid('param')
      const actor = c.get('actor')
      const { emails, role } = c.req.valid('json')
      permit(await inWorkspace(db, actor.userId, team), 'invite')
      const { name } = await one(team, actor.userId)
      const results: { email: string; outcome: Outcome }[] = []
      for (const email of readAddresses(emails)) {
        const user = await db
          .selectFrom('user')
          .select(['id', 'locale'])
          .where('email', '=', email)
          .where('emailVerified', '=', true)
          .executeTakeFirst()
        let outcome: Outcome
        if (!letters.take(actor.userId, Date.now())) throw new Refusal('too-many-requests')
        if (user === undefined) outcome = 'user-not-registered'
        else if ((await inWorkspace(db, user.id, team))?.actor.role !== null) outcome = 'already-member'
        else {
          const invited = await invite(db, { workspaceId: team }, email, role, actor.userId)
          outcome = invited === null ? 'invited-before' : 'invited'
          if (invited !== null) {
            const code = invitationCode(secret, invited)
            await mail.send(invitationLetter(email, actor.name, name, `${publicUrl}/team_invite/${code}`, user.locale))
            await notify([user.id], 'workspace-invitation', { code, team, name, role, by: actor.name })
          }
        }
        results.push({ email, outcome })
      }
      await log(c, 'invited', team, { role, count: String(results.filter(({ outcome }) => outcome === 'invited').length) })
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
      await log(c, open ? 'join-link-opened' : 'join-link-closed', team)
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
      await log(c, accept ? 'request-approved' : 'request-rejected', team, { member: userId })
      await notify([userId], 'join-answered', { team, name: (await one(team, actor.userId)).name, accepted: String(accept) })
      return c.json({ ok: true })
    })

  return own.route('/', people)
}
