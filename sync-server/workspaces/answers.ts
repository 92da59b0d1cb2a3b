// Answering: invitations by mail (to a workspace or a file) and the link by which people ask to join. One code, one door.
import { Hono } from 'hono'
import { inOne } from '../db/database.ts'
import { z } from 'zod'
import { requestLog } from '../audit.ts'
import { Refusal, body, params, signedIn } from '../http.ts'
import type { Actor, SignedIn } from '../http.ts'
import type { Parts } from '../parts.ts'
import { inWorkspace, onFile } from '../permissions.ts'
import { putCollaborator } from '../sharing/collaborators.ts'
import { answerInvitation, invitationBehind, invitationCode, invitationsTo } from './invitations.ts'
import type { Invitation, InvitationRole } from './invitations.ts'
import { addMember, managersOf } from './members.ts'
import { askToJoin, isWaiting, workspaceByLink } from './requests.ts'

type InvitationInfo = {
  code: string
  /** To a workspace or a file by mail, or the link by which anybody may ask. */
  via: 'workspace' | 'file' | 'link'
  /** What one is invited to. */
  name: string
  team: string
  fileId: string | null
  /** The new role; null by link: the approver decides. */
  role: InvitationRole | null
  by: string | null
  state: 'pending' | 'accepted' | 'rejected' | 'revoked' | 'open' | 'waiting' | 'member'
}

const ofCode = params(z.object({ code: z.string().regex(/^[\w-]{1,64}$/) }))
const LINK_CODE_LENGTH = 22

export function invitationRoutes(parts: Parts) {
  const { db, notify } = parts
  const log = requestLog(parts)

  return new Hono<SignedIn>()
    .use(signedIn)
    .get('/', async c => {
      const own = await invitationsTo(db, c.get('actor').email.toLowerCase())
      return c.json({ invitations: await Promise.all(own.map(invitation => infoOf(parts, invitation))) })
    })
    .get('/:code', ofCode, async c => {
      const { code } = c.req.valid('param')
      const { userId } = c.get('actor')
      if (code.length !== LINK_CODE_LENGTH) return c.json(await infoOf(parts, await ownInvitation(parts, c.get('actor'), code)))
      const { id: team, name } = await workspaceByLink(db, code)
      const isIn = (await inWorkspace(db, userId, team))?.actor.role !== null
      const state = isIn ? 'member' : (await isWaiting(db, team, userId)) ? 'waiting' : 'open'
      const info: InvitationInfo = { code, via: 'link', name, team, fileId: null, role: null, by: null, state }
      return c.json(info)
    })
    .post('/:code/answer', ofCode, body(z.object({ accept: z.boolean() })), async c => {
      const { code } = c.req.valid('param')
      const actor = c.get('actor')
      const accepted = c.req.valid('json').accept
      if (code.length === LINK_CODE_LENGTH) {
        const { id: team, name } = await workspaceByLink(db, code)
        if (!accepted) return c.json({ outcome: 'rejected' as const, team, fileId: null })
        if ((await inWorkspace(db, actor.userId, team))?.actor.role !== null) throw new Refusal('already-member')
        const request = await askToJoin(db, team, actor.userId)
        await notify(await managersOf(db, team), 'join-requested', { team, name, request, by: actor.name })
        return c.json({ outcome: 'waiting' as const, team, fileId: null })
      }
      const invitation = await ownInvitation(parts, actor, code)
      if (invitation.state === 'accepted' || invitation.state === 'rejected') throw new Refusal('invitation-answered')
      if (accepted) await accept(parts, invitation, actor.userId)
      else await answerInvitation(db, invitation, false)
      const { team, fileId, name } = await infoOf(parts, invitation)
      const outcome = accepted ? ('joined' as const) : ('rejected' as const)
      await log(c, `invitation-${outcome}`, { workspaceId: team, ...(fileId === null ? {} : { fileId }) })
      if (invitation.invitedBy !== null)
        await notify([invitation.invitedBy], 'invitation-answered', { name, by: actor.name, accepted: String(accepted) })
      return c.json({ outcome, team, fileId })
    })
}

async function infoOf({ db, secret }: Parts, invitation: Invitation): Promise<InvitationInfo> {
  const { target, role, state } = invitation
  const by =
    invitation.invitedBy === null
      ? undefined
      : await db.selectFrom('user').select('name').where('id', '=', invitation.invitedBy).executeTakeFirst()
  const code = invitationCode(secret, invitation.id)
  if ('workspaceId' in target) {
    const workspace = await db.selectFrom('workspace').select('name').where('id', '=', target.workspaceId).executeTakeFirstOrThrow()
    return { code, via: 'workspace', name: workspace.name, team: target.workspaceId, fileId: null, role, by: by?.name ?? null, state }
  }
  const file = await db.selectFrom('file').select(['name', 'workspace_id']).where('id', '=', target.fileId).executeTakeFirstOrThrow()
  return { code, via: 'file', name: file.name, team: file.workspace_id, fileId: target.fileId, role, by: by?.name ?? null, state }
}

/** The invitation behind a code. Throws `no-permission` when it was sent to another person. */
async function ownInvitation({ db, secret }: Parts, actor: Actor, code: string): Promise<Invitation> {
  const invitation = await invitationBehind(db, secret, code)
  if (invitation.email !== actor.email.toLowerCase()) throw new Refusal('no-permission', 'it was sent to another address')
  return invitation
}

async function accept({ db, rooms, quota }: Parts, invitation: Invitation, userId: string): Promise<void> {
  const { target, role } = invitation
  if ('workspaceId' in target) {
    const standing = await inWorkspace(db, userId, target.workspaceId)
    if (standing === null) throw new Refusal('invitation-closed')
    if (standing.actor.role !== null) throw new Refusal('already-member')
    const join = inOne(async tx => {
      await answerInvitation(tx, invitation, true)
      await addMember(tx, target.workspaceId, userId, role === 'commenter' ? 'viewer' : role)
    })
    await quota.take(standing.space === 'organization' ? 'organizationMembers' : 'teamMembers', userId, standing, join)
  } else {
    const standing = await onFile(db, userId, target.fileId)
    if (standing === null) throw new Refusal('invitation-closed')
    if (standing.actor.external !== true) throw new Refusal('already-member')
    const join = inOne(async tx => {
      await answerInvitation(tx, invitation, true)
      await putCollaborator(tx, target.fileId, userId, role, invitation.invitedBy)
    })
    await quota.take('externalEditors', userId, standing, join)
  }
  await rooms.revokeEverywhere(userId)
}
