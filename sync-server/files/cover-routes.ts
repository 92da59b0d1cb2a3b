// The cover of a file: a picture that a person chose, or that the editor drew.
import { Hono } from 'hono'
import { z } from 'zod'
import { id, params, signedIn } from '../http.ts'
import type { SignedIn } from '../http.ts'
import { imageLimit, sendImage, sweepImages, takeImage } from '../images/images.ts'
import type { Parts } from '../parts.ts'
import { onFile, permit } from '../permissions.ts'

const byId = params(z.object({ id }))

export function coverRoutes(parts: Parts) {
  const { db } = parts

  return (
    new Hono<SignedIn>()
      .use(signedIn)
      .get('/:id/cover', byId, async c => {
        const { id } = c.req.valid('param')
        permit(await onFile(db, c.get('actor').userId, id), 'view')
        const file = await db.selectFrom('file').select('cover').where('id', '=', id).executeTakeFirst()
        return sendImage(c, db, file?.cover)
      })
      .put('/:id/cover', byId, imageLimit, async c => {
        const { id } = c.req.valid('param')
        permit(await onFile(db, c.get('actor').userId, id), 'edit')
        const cover = await takeImage(db, c)
        await db.updateTable('file').set({ cover, cover_drawn: false }).where('id', '=', id).execute()
        await sweepImages(db)
        return c.json({ cover })
      })
      // What the editor draws by itself takes the place of nothing but its own earlier drawing.
      .put('/:id/drawn/cover', byId, imageLimit, async c => {
        const { id } = c.req.valid('param')
        permit(await onFile(db, c.get('actor').userId, id), 'edit')
        const cover = await takeImage(db, c)
        await db
          .updateTable('file')
          .set({ cover, cover_drawn: true })
          .where('id', '=', id)
          .where(eb => eb.or([eb('cover', 'is', null), eb('cover_drawn', '=', true)]))
          .execute()
        await sweepImages(db)
        const file = await db.selectFrom('file').select('cover').where('id', '=', id).executeTakeFirst()
        return c.json({ cover: file?.cover ?? null })
      })
      .delete('/:id/cover', byId, async c => {
        const { id } = c.req.valid('param')
        permit(await onFile(db, c.get('actor').userId, id), 'edit')
        await db.updateTable('file').set({ cover: null, cover_drawn: false }).where('id', '=', id).execute()
        return c.json({ ok: true })
      })
  )
}
