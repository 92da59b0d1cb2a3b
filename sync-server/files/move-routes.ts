// Files that change their place: moved, copied, into the trash, out of it, deleted. What changes access reaches open sockets at once.
import { Hono } from 'hono'
import { z } from 'zod'
import { restrictions } from '../../model-schema/roles.ts'
import { requestLog } from '../audit.ts'
import type { Db } from '../db/database.ts'
import { body, id, name, params, signedIn, team } from '../http.ts'
import type { SignedIn } from '../http.ts'
import { sweepImages } from '../images/images.ts'
import type { Parts } from '../parts.ts'
import { onFile, permit } from '../permissions.ts'
import { CLOSE } from '../protocol.ts'
import { stateOf } from '../relay/content.ts'
import { refuseProtected } from '../sharing/restrictions.ts'
import { duplicateFile, moveFile, onTakenName } from './files.ts'
import { fileFor } from './listing.ts'
import { addWithinPlan, homeFor, permitCopy } from './placing.ts'
import { deleteFile, restoreFile, trashFile } from './trash.ts'

const byId = params(z.object({ id }))
const copyWish = z.object({
  id,
  name: name.optional(),
  team: team.optional(),
  parent: id.nullable().optional(),
  share: z.string().max(64).optional(),
})

export function moveRoutes(parts: Parts) {
  const { db, rooms } = parts
  const log = requestLog(parts)

  return new Hono<SignedIn>()
    .use(signedIn)
    .post('/:id/move', byId, body(z.object({ team: team.optional(), parent: id.nullable(), taken: onTakenName })), async c => {
      const { id } = c.req.valid('param')
      const actor = c.get('actor')
      const to = c.req.valid('json')
      const standing = permit(await onFile(db, actor.userId, id), 'move')
      const home = to.team === undefined || to.team === standing.team ? null : await homeFor(db, actor, to.team)
      if (home !== null) {
        permit(standing, home.space === 'personal' ? 'copyToPersonal' : 'copyOut')
        permit(standing, 'trash')
        await refuseProtected(db, actor.userId, id, standing, restrictions)
      }
      const move = (tx: Db) => moveFile(tx, id, { parent: to.parent, taken: to.taken ?? 'refuse', team: home?.team ?? standing.team })
      if (home === null) await move(db)
      else await addWithinPlan(parts, actor, home, standing.kind, move)
      await rooms.revoke(id)
      if (home !== null) {
        await log(c, 'file-moved', { fileId: id, workspaceId: standing.team, detail: { to: home.team } })
        await log(c, 'file-moved', { fileId: id, workspaceId: home.team, detail: { from: standing.team } })
      }
      rooms.control(id, { type: 'file-changed', docId: id })
      return c.json(await fileFor(parts, actor.userId, id))
    })
    .post('/:id/duplicate', byId, body(copyWish), async c => {
      const from = c.req.valid('param').id
      const { share, ...copy } = c.req.valid('json')
      const actor = c.get('actor')
      const home = await homeFor(db, actor, copy.team)
      const original = await permitCopy(parts, await onFile(db, actor.userId, from), from, home, share)
      const parent = copy.parent ?? (home.team === original.team ? original.parent : null)
      const content = (await stateOf(rooms, from))?.update ?? null
      await addWithinPlan(parts, actor, home, original.kind, tx =>
        duplicateFile(tx, actor.userId, from, { ...copy, team: home.team, parent, content }),
      )
      return c.json(await fileFor(parts, actor.userId, copy.id), 201)
    })
    .post('/:id/trash', byId, async c => {
      const { id } = c.req.valid('param')
      const { userId } = c.get('actor')
      // Again is the same.
      const standing = permit(await onFile(db, userId, id), 'restore')
      const { subject, team } = standing
      if (!subject.inTrash) {
        await refuseProtected(db, userId, id, standing)
        await trashFile(db, id, userId)
        await rooms.revoke(id)
        await log(c, 'file-trashed', { workspaceId: team, fileId: id })
      }
      return c.json({ ok: true })
    })
    .post('/:id/restore', byId, async c => {
      const { id } = c.req.valid('param')
      const { userId } = c.get('actor')
      permit(await onFile(db, userId, id), 'restore')
      await restoreFile(db, id)
      await rooms.revoke(id)
      return c.json(await fileFor(parts, userId, id))
    })
    .delete('/:id', byId, async c => {
      const { id } = c.req.valid('param')
      const { userId } = c.get('actor')
      const { team, name } = permit(await onFile(db, userId, id), 'deleteForever')
      for (const gone of await deleteFile(db, id)) rooms.end(gone, CLOSE.noDocument, 'the file was deleted')
      await sweepImages(db)
      await log(c, 'file-deleted', { workspaceId: team, fileId: id, detail: { name } })
      return c.json({ ok: true })
    })
}
