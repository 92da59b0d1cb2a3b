// The tags of a tag set over HTTP; the sets themselves are files.
import { Hono } from 'hono'
import { z } from 'zod'
import type { Db } from '../db/database.ts'
import { Refusal, body, id, name, params, signedIn } from '../http.ts'
import type { SignedIn } from '../http.ts'
import { onFile, permit } from '../permissions.ts'
import { deleteTag, saveTag, tagsOf } from './tags.ts'

const color = z.string().regex(/^(#[0-9a-f]{3,8})?$/i)

export function tagRoutes(db: Db) {
  async function set(userId: string, setId: string, action: 'view' | 'tagSets'): Promise<void> {
    const { kind, subject } = permit(await onFile(db, userId, setId), action)
    if (kind !== 'tag-set' || subject.inTrash) throw new Refusal('not-found', 'no such tag set')
  }
  return new Hono<SignedIn>()
    .use(signedIn)
    .get('/:set', params(z.object({ set: id })), async c => {
      const setId = c.req.valid('param').set
      await set(c.get('actor').userId, setId, 'view')
      return c.json({ tags: await tagsOf(db, setId) })
    })
    .put(
      '/:set/:id',
      params(z.object({ set: id, id })),
      body(z.object({ name, color: color.optional(), place: z.number().int().min(0).max(100_000).optional() })),
      async c => {
        const { set: setId, id } = c.req.valid('param')
        await set(c.get('actor').userId, setId, 'tagSets')
        const { name, color = '', place = 0 } = c.req.valid('json')
        await saveTag(db, setId, { id, name, color, place })
        return c.json({ tags: await tagsOf(db, setId) })
      },
    )
    .delete('/:set/:id', params(z.object({ set: id, id })), async c => {
      const { set: setId, id } = c.req.valid('param')
      await set(c.get('actor').userId, setId, 'tagSets')
      await deleteTag(db, setId, id)
      return c.json({ ok: true })
    })
}
