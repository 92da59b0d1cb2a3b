// Results of experiments over HTTP: which there are, keeping one, reading one, deleting one.
import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { z } from 'zod'
import { Refusal, id, name, params, query, signedIn, tooLarge } from '../http.ts'
import type { SignedIn } from '../http.ts'
import type { Parts } from '../parts.ts'
import { onFile, permit } from '../permissions.ts'
import { can } from '../../model-schema/roles.ts'
import { RemoteResults } from './results.ts'

/** Bytes of one packed result. */
const LARGEST = 64 << 20

const byFile = params(z.object({ file: id }))
const byId = params(z.object({ file: id, id }))
const count = z.coerce.number().int().min(0).max(1e9)
const head = z.object({
  key: z.string().regex(/^[0-9a-f]{16}$/),
  name,
  type: z.enum(['exploration', 'calibration', 'monteCarlo', 'optimization', 'learning']),
  runs: count,
  failed: count,
  ended: z.enum(['finished', 'budget', 'stopped', 'failed']),
  startedAt: z.iso.datetime(),
})

/** Where a result's data goes: larger than other bodies. */
export const RESULT_PATH = /^\/api\/results\/[\w-]+\/[\w-]+$/

export function resultRoutes({ db, quota }: Parts) {
  const results = new RemoteResults(db, quota)
  return new Hono<SignedIn>()
    .use(signedIn)
    .get('/:file', byFile, async c => {
      const { file } = c.req.valid('param')
      const { userId } = c.get('actor')
      const standing = permit(await onFile(db, userId, file), 'view')
      const [list, room] = await Promise.all([results.list(userId, file), results.room(userId, standing)])
      const full = room.allowed !== null && room.count >= room.allowed
      return c.json({ results: list, room, deletable: full ? await results.paid(userId, standing) : [] })
    })
    .put('/:file/:id', byId, query(head), bodyLimit({ maxSize: LARGEST, onError: tooLarge }), async c => {
      const { file, id } = c.req.valid('param')
      const { userId } = c.get('actor')
      const standing = permit(await onFile(db, userId, file), 'run')
      if (standing.kind !== 'experiment') throw new Refusal('invalid-params', 'not an experiment')
      const data = new Uint8Array(await c.req.arrayBuffer())
      if (data.length === 0) throw new Refusal('invalid-params', 'no data')
      await results.keep(userId, standing, file, id, c.req.valid('query'), data)
      return c.json({ ok: true }, 201)
    })
    .get('/:file/:id', byId, async c => {
      const { file, id } = c.req.valid('param')
      permit(await onFile(db, c.get('actor').userId, file), 'view')
      const data = await results.data(file, id)
      if (data === null) throw new Refusal('not-found')
      c.header('content-type', 'application/octet-stream')
      return c.body(Uint8Array.from(data).buffer)
    })
    .delete('/:file/:id', byId, async c => {
      const { file, id } = c.req.valid('param')
      const { userId } = c.get('actor')
      const standing = permit(await onFile(db, userId, file), 'view')
      const any = can(standing.actor, 'deleteForever', standing.subject)
      if (!(await results.remove(userId, file, id, any))) throw new Refusal('not-found')
      return c.json({ ok: true })
    })
}
