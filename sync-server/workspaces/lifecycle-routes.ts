// The owner and the end of a workspace: leaving, transferring, deleting, emptying its trash.
import { Hono } from 'hono'
import { z } from 'zod'
import { requestLog } from '../audit.ts'
import { emptyTrash } from '../files/trash.ts'
import { body, params, signedIn, team } from '../http.ts'
import type { SignedIn } from '../http.ts'
import type { Parts } from '../parts.ts'
import { inWorkspace, permit } from '../permissions.ts'
import { CLOSE } from '../protocol.ts'
import { membersOf, removeMember } from './members.ts'
import { deleteWorkspace, transferWorkspace, workspaceOf } from './workspaces.ts'

const ofTeam = params(z.object({ team }))

export function lifecycleRoutes(parts: Parts) {
  const { db, rooms, notify, quota } = parts
  const log = requestLog(parts)

  return new Hono<SignedIn>()
    .use(signedIn)
    .post('/:team/delete', ofTeam, body(z.object({ name: z.string().max(1000) })), async c => {
      const { team } = c.req.valid('param')
      const { userId } = c.get('actor')
      permit(await inWorkspace(db, userId, team), 'deleteSpace')
      const members = await membersOf(db, team)
      const { name } = c.req.valid('json')
      for (const gone of await deleteWorkspace(db, team, name)) rooms.end(gone, CLOSE.noDocument, 'the workspace was deleted')
      await log(c, 'workspace-deleted', { workspaceId: team, detail: { name } })
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
      await log(c, 'left', { workspaceId: team })
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
      const { name } = await workspaceOf(db, actor.userId, team)
      await log(c, 'ownership-transferred', { workspaceId: team, detail: { to } })
      await notify([to], 'ownership', { team, name, by: actor.name })
      return c.json({ ok: true })
    })
    .post('/:team/empty-trash', ofTeam, async c => {
      const { team } = c.req.valid('param')
      permit(await inWorkspace(db, c.get('actor').userId, team), 'emptyTrash')
      const { gone, kept } = await emptyTrash(db, team)
      for (const file of gone) rooms.end(file, CLOSE.noDocument, 'the file was deleted')
      await log(c, 'trash-emptied', { workspaceId: team, detail: { files: String(gone.length) } })
      return c.json({ deleted: gone.length, kept })
    })
}
