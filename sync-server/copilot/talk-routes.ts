// Talks kept with a file, over HTTP: which there are, keeping one, reading one, naming one, taking one away.
import { Hono } from 'hono'
import { z } from 'zod'
import { can } from '../../model-schema/roles.ts'
import { Refusal, body, id, params, signedIn } from '../http.ts'
import type { SignedIn } from '../http.ts'
import type { Parts } from '../parts.ts'
import { onFile, permit } from '../permissions.ts'
import { TALKS } from '../protocol.ts'
import { talkBody, words } from './talk-body.ts'
import { keepTalk, removeTalk, renameTalk, talkOf, talksOf } from './talks.ts'

const byFile = params(z.object({ file: id }))
const byId = params(z.object({ file: id, id }))
const newTalk = talkBody.extend({ title: words })
const newName = z.strictObject({ name: z.string().trim().min(1).max(TALKS.nameLength) })

/** Where a talk's turns go: larger than other bodies. */
export const TALK_PATH = /^\/api\/copilot\/talks\/[\w-]+\/[\w-]+$/

export function talkRoutes({ db }: Pick<Parts, 'db'>) {
  return new Hono<SignedIn>()
    .use(signedIn)
    .get('/talks/:file', byFile, async c => {
      const { file } = c.req.valid('param')
      const { userId } = c.get('actor')
      const standing = permit(await onFile(db, userId, file), 'view')
      const may = {
        keep: can(standing.actor, 'edit', standing.subject),
        removeAll: can(standing.actor, 'deleteForever', standing.subject),
      }
      return c.json({ talks: await talksOf(db, userId, file, standing), may })
    })
    .get('/talks/:file/:id', byId, async c => {
      const { file, id } = c.req.valid('param')
      const { userId } = c.get('actor')
      const standing = permit(await onFile(db, userId, file), 'view')
      const talk = await talkOf(db, userId, file, id, standing)
      if (talk === null) throw new Refusal('not-found')
      return c.json(talk)
    })
    .put('/talks/:file/:id', byId, body(newTalk), async c => {
      const { file, id } = c.req.valid('param')
      const { userId } = c.get('actor')
      permit(await onFile(db, userId, file), 'edit')
      const { title, ...talk } = c.req.valid('json')
      await keepTalk(db, userId, file, id, title, talk)
      return c.json({ ok: true }, 201)
    })
    .patch('/talks/:file/:id', byId, body(newName), async c => {
      const { file, id } = c.req.valid('param')
      const { userId } = c.get('actor')
      const standing = permit(await onFile(db, userId, file), 'view')
      const any = can(standing.actor, 'deleteForever', standing.subject)
      if (!(await renameTalk(db, userId, file, id, c.req.valid('json').name, any))) throw new Refusal('not-found')
      return c.json({ ok: true })
    })
    .delete('/talks/:file/:id', byId, async c => {
      const { file, id } = c.req.valid('param')
      const { userId } = c.get('actor')
      const standing = permit(await onFile(db, userId, file), 'view')
      if (!(await removeTalk(db, userId, file, id, can(standing.actor, 'deleteForever', standing.subject)))) throw new Refusal('not-found')
      return c.json({ ok: true })
    })
}
