// Versions over HTTP. People in a document hear of a new one at once.
import { Hono } from 'hono'
import { z } from 'zod'
import { Refusal, body, id, name, params, signedIn } from '../http.ts'
import type { SignedIn } from '../http.ts'
import type { Parts } from '../parts.ts'
import { onFile, permit } from '../permissions.ts'
import { stateOf } from './content.ts'
import { addVersion, deleteVersion, noteVersion, versionState, versionsOf } from './versions.ts'

const byId = params(z.object({ id }))
const byVersion = params(z.object({ id, version: id }))

const remark = z.string().trim().max(1000)
const note = z.object({ name: name.optional(), remark: remark.optional() }).refine(({ name, remark }) => (name ?? remark) !== undefined)

export function versionRoutes({ db, rooms }: Parts) {
  return new Hono<SignedIn>()
    .use(signedIn)
    .get('/:id/versions', byId, async c => {
      const { id } = c.req.valid('param')
      permit(await onFile(db, c.get('actor').userId, id), 'view')
      return c.json({ versions: await versionsOf(db, id) })
    })
    .post(
      '/:id/versions',
      byId,
      body(z.object({ id, name: name.optional(), remark: remark.optional(), kind: z.enum(['named', 'before-restore']).optional() })),
      async c => {
        const docId = c.req.valid('param').id
        const { userId } = c.get('actor')
        const { id, name = null, remark = '', kind = 'named' } = c.req.valid('json')
        permit(await onFile(db, userId, docId), 'createVersion')
        const state = await stateOf(rooms, docId)
        if (state === null) throw new Refusal('not-found', 'no such document')
        await addVersion(db, docId, state, { id, kind, name, remark, author: userId })
        rooms.control(docId, { type: 'version-created', docId, since: state.seq })
        return c.json({ versions: await versionsOf(db, docId) }, 201)
      },
    )
    .get('/:id/versions/:version/state', byVersion, async c => {
      const { id, version } = c.req.valid('param')
      permit(await onFile(db, c.get('actor').userId, id), 'view')
      const { epoch, update } = await versionState(db, id, version)
      c.header('x-epoch', epoch)
      c.header('content-type', 'application/octet-stream')
      // A version never changes.
      c.header('cache-control', 'private, max-age=31536000, immutable')
      return c.body(Uint8Array.from(update).buffer)
    })
    .patch('/:id/versions/:version', byVersion, body(note), async c => {
      const { id, version } = c.req.valid('param')
      permit(await onFile(db, c.get('actor').userId, id), 'createVersion')
      await noteVersion(db, id, version, c.req.valid('json'))
      return c.json({ versions: await versionsOf(db, id) })
    })
    .delete('/:id/versions/:version', byVersion, async c => {
      const { id, version } = c.req.valid('param')
      permit(await onFile(db, c.get('actor').userId, id), 'deleteForever')
      await deleteVersion(db, id, version)
      return c.json({ ok: true })
    })
}
