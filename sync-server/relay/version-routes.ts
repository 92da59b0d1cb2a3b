// Versions over HTTP. People in a document hear of a new one at once.
import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { z } from 'zod'
import { readOrigin, type Origin } from '../../model-schema/proposals.ts'
import { english } from '../../model-schema/words.ts'
import { requestLog } from '../audit.ts'
import { Refusal, body, id, name, params, query, signedIn, tooLarge } from '../http.ts'
import type { SignedIn } from '../http.ts'
import type { Parts } from '../parts.ts'
import { onFile, permit } from '../permissions.ts'
import { LIMITS } from '../protocol.ts'
import { stateOf } from './content.ts'
import { inspect } from './inspect.ts'
import { addAccepted, addVersion, deleteVersion, noteVersion, versionState, versionsOf } from './versions.ts'

const byId = params(z.object({ id }))
const byVersion = params(z.object({ id, version: id }))

const remark = z.string().trim().max(1000)
const note = z.object({ name: name.optional(), remark: remark.optional() }).refine(({ name, remark }) => (name ?? remark) !== undefined)

/** The proposal of a version that was kept when parts of it were accepted, from JSON text. */
function originIn(text: string | undefined): Origin | null {
  if (text === undefined) return null
  try {
    const origin = readOrigin(JSON.parse(text))
    if (origin) return origin
  } catch {
    // Said below.
  }
  throw new Refusal('invalid-params', 'no proposal')
}

/** Kept by a person, or automatically because of a proposal. */
const brought = z
  .object({
    name: name.optional(),
    remark: remark.optional(),
    kind: z.enum(['auto', 'named', 'before-restore']),
    at: z.iso.datetime(),
    origin: z.string().max(4000).optional(),
  })
  .refine(({ kind, origin }) => kind !== 'auto' || origin !== undefined)

const noteLimit = bodyLimit({ maxSize: LIMITS.jsonBodyBytes, onError: tooLarge })

export function versionRoutes(parts: Parts) {
  const { db, rooms } = parts
  const log = requestLog(parts)
  return (
    new Hono<SignedIn>()
      .use(signedIn)
      .get('/:id/versions', byId, async c => {
        const { id } = c.req.valid('param')
        permit(await onFile(db, c.get('actor').userId, id), 'view')
        return c.json({ versions: await versionsOf(db, id) })
      })
      .post(
        '/:id/versions',
        noteLimit,
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
      // One that was kept on a device while the server was out of reach: its content comes along, and when it was.
      .put(
        '/:id/versions/:version/state',
        byVersion,
        query(brought),
        bodyLimit({ maxSize: LIMITS.step2Bytes, onError: tooLarge }),
        async c => {
          const { id: docId, version } = c.req.valid('param')
          const { userId } = c.get('actor')
          const { name = null, remark = '', kind, at, ...said } = c.req.valid('query')
          const origin = originIn(said.origin)
          const { team } = permit(await onFile(db, userId, docId), 'createVersion')
          const update = new Uint8Array(await c.req.arrayBuffer())
          // There is no earlier state: it must be complete by itself.
          const verdict = inspect(
            update,
            () => 0,
            () => true,
          )
          if (!verdict.ok) throw new Refusal('update-refused', verdict.detail)
          const state = await stateOf(rooms, docId)
          if (state === null) throw new Refusal('not-found', 'no such document')
          const kept = { id: version, author: userId, at: new Date(Math.min(Date.parse(at), Date.now())) }
          // Of no state of the document here: the server's own versions go on as if it weren't there.
          const content = { update, epoch: state.epoch, seq: 0 }
          if (kind !== 'auto') await addVersion(db, docId, content, { ...kept, kind, name, remark, ...(origin ? { origin } : {}) })
          else if (origin && (await addAccepted(db, docId, content, { ...kept, origin })))
            await log(c, 'proposal-accepted', {
              workspaceId: team,
              fileId: docId,
              detail: { by: origin.by.name, name: english(origin.title) },
            })
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
      .patch('/:id/versions/:version', noteLimit, byVersion, body(note), async c => {
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
  )
}
