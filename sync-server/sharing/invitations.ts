// Inviting people from outside to a file: they are asked by mail, and answer in workspaces/answers.ts.
import { Hono } from 'hono'
import { z } from 'zod'
import { Refusal, body, id, params, signedIn } from '../http.ts'
import type { SignedIn } from '../http.ts'
import type { Parts } from '../parts.ts'
import { isOpen, onFile, permit } from '../permissions.ts'
import { addresses, revokeInvitation } from '../workspaces/invitations.ts'
import type { InvitationOutcome } from '../workspaces/invitations.ts'
import { invitationSender } from '../workspaces/send-invitations.ts'
import { collaboratorRole } from './collaborators.ts'

const byId = params(z.object({ id }))
const byCode = params(z.object({ id, code: z.string().max(64) }))

export function fileInvitationRoutes(parts: Parts) {
  const { db } = parts
  const send = invitationSender(parts)

  async function refusalOf(userId: string, fileId: string): Promise<InvitationOutcome | null> {
    const standing = await onFile(db, userId, fileId)
    if (standing === null) return 'user-not-registered'
    if (standing.actor.external !== true) return 'already-member'
    return standing.actor.role === null ? null : 'already-collaborator'
  }

  return new Hono<SignedIn>()
    .use(signedIn)
    .post('/:id/invitations', byId, body(z.object({ emails: addresses, role: collaboratorRole })), async c => {
      const { id } = c.req.valid('param')
      const actor = c.get('actor')
      const { emails, role } = c.req.valid('json')
      const standing = permit(await onFile(db, actor.userId, id), 'share')
      if (!isOpen(standing, 'externalAccess')) throw new Refusal('no-permission', 'the space has switched external access off')
      const results = await send(actor, emails, {
        target: { fileId: id },
        name: standing.name,
        role,
        page: 'invite_collaborator',
        notification: 'file-invitation',
        data: { fileId: id, team: standing.team },
        refusal: userId => refusalOf(userId, id),
      })
      return c.json({ results })
    })
    .delete('/:id/invitations/:code', byCode, async c => {
      const { id, code } = c.req.valid('param')
      permit(await onFile(db, c.get('actor').userId, id), 'share', { switches: {} })
      await revokeInvitation(db, { fileId: id }, code)
      return c.json({ ok: true })
    })
}
