// Comments over HTTP. Members and collaborators see what they may view; visitors by a link see comments when the link lets them comment. Members
// of the document get every change at once.
import { Hono } from 'hono'
import type { Context } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { z } from 'zod'
import { can } from '../../model-schema/roles.ts'
import { GUEST, shareBehind } from '../files/access.ts'
import { Refusal, body, id, params, query, tooLarge } from '../http.ts'
import type { Actor, Env } from '../http.ts'
import type { Parts } from '../parts.ts'
import { onFile, permit } from '../permissions.ts'
import type { FileStanding } from '../permissions.ts'
import { CITED_RUNS, COMMENTS, LIMITS } from '../protocol.ts'
import { readBody } from './body.ts'
import { deleteComment, editComment, moveThread, openThread, peopleOf, reply, resolveThread, tellPeople, threadsOf } from './comments.ts'

const byId = params(z.object({ id }))
const byThread = params(z.object({ id, thread: id }))
const byComment = params(z.object({ id, comment: id }))
const byLink = query(z.object({ share: z.string().max(64).optional() }))

const coordinate = z.number().min(-1e7).max(1e7)
const elementId = z.string().regex(/^[\w-]{1,64}$/)
const anchor = z.object({
  canvas: elementId,
  element: elementId.nullable(),
  x: coordinate,
  y: coordinate,
  at: z.tuple([coordinate, coordinate]),
  name: z.string().max(128),
})
const text = z.string().max(COMMENTS.bodyLength)
const comment = z.object({ id, body: text })
const run = z.strictObject({
  tool: z.string().regex(/^[a-z_]{1,40}$/),
  given: z.string().max(CITED_RUNS.given),
  digest: z.string().regex(/^[0-9a-z]{1,20}$/),
})
const copilot = z.strictObject({
  by: z.string().min(1).max(128).nullable(),
  proposal: id.nullable(),
  runs: z.array(run).max(CITED_RUNS.most).optional(),
})

const commentLimit = bodyLimit({ maxSize: LIMITS.jsonBodyBytes, onError: tooLarge })

export function commentRoutes(parts: Parts) {
  const { db, rooms, notify } = parts
  const changed = (docId: string): void => rooms.control(docId, { type: 'comments-changed', docId })

  return (
    new Hono<Env>()
      // These paths alone: versions and updates of documents share the mount, and may be larger.
      .use('/:id/threads/*', commentLimit)
      .use('/:id/comments/*', commentLimit)
      .get('/:id/comments', byId, byLink, async c => {
        const file = c.req.valid('param').id
        const { standing: here, actor } = await readerOf(parts, c, file, c.req.valid('query').share)
        permit(here, 'view')
        const may = {
          comment: actor !== null && can(here.actor, 'comment', here.subject),
          deleteAll: actor !== null && can(here.actor, 'deleteForever', here.subject),
        }
        return c.json({ threads: await threadsOf(db, file), may })
      })
      .get('/:id/comments/people', byId, byLink, async c => {
        const file = c.req.valid('param').id
        const { standing: here } = await writerOf(parts, c, file, c.req.valid('query').share)
        return c.json({ people: await peopleOf(db, file, here.team) })
      })
      .post('/:id/threads', byId, byLink, body(z.object({ id, anchor, comment })), async c => {
        const file = c.req.valid('param').id
        const { standing: here, actor } = await writerOf(parts, c, file, c.req.valid('query').share)
        const { id: thread, anchor, comment } = c.req.valid('json')
        const written = readBody(comment.body)
        if (await openThread(db, file, { id: thread, anchor }, { id: comment.id, body: written }, actor)) {
          await tellPeople(db, notify, { file, standing: here, thread }, { body: written, writer: actor })
          changed(file)
        }
        return c.json({ ok: true }, 201)
      })
      .post('/:id/threads/:thread/comments', byThread, byLink, body(comment.extend({ copilot: copilot.optional() })), async c => {
        const { id: file, thread } = c.req.valid('param')
        const { standing: here, actor } = await writerOf(parts, c, file, c.req.valid('query').share)
        const { id, body, copilot } = c.req.valid('json')
        const written = readBody(body)
        if (await reply(db, file, thread, { id, body: written, copilot }, actor)) {
          const writer = copilot?.by ? { userId: actor.userId, name: `${copilot.by} · ${actor.name}` } : actor
          await tellPeople(db, notify, { file, standing: here, thread }, { body: written, writer })
          changed(file)
        }
        return c.json({ ok: true }, 201)
      })
      .patch(
        '/:id/threads/:thread',
        byThread,
        byLink,
        body(z.object({ resolved: z.boolean().optional(), anchor: anchor.optional() })),
        async c => {
          const { id: file, thread } = c.req.valid('param')
          const { actor } = await writerOf(parts, c, file, c.req.valid('query').share)
          const { resolved, anchor } = c.req.valid('json')
          const turned = resolved !== undefined && (await resolveThread(db, file, thread, resolved, actor.userId))
          if (anchor !== undefined) await moveThread(db, file, thread, anchor)
          if (turned || anchor !== undefined) changed(file)
          return c.json({ ok: true })
        },
      )
      .patch('/:id/comments/:comment', byComment, byLink, body(z.object({ body: text })), async c => {
        const { id: file, comment } = c.req.valid('param')
        const { standing: here, actor } = await writerOf(parts, c, file, c.req.valid('query').share)
        const body = readBody(c.req.valid('json').body)
        const { thread, before } = await editComment(db, file, comment, body, actor.userId)
        if (before !== body.json) {
          await tellPeople(db, notify, { file, standing: here, thread }, { body, before, writer: actor })
          changed(file)
        }
        return c.json({ ok: true })
      })
      .delete('/:id/comments/:comment', byComment, byLink, async c => {
        const { id: file, comment } = c.req.valid('param')
        const { actor, mayDelete } = await writerOf(parts, c, file, c.req.valid('query').share)
        if (await deleteComment(db, file, comment, actor.userId, mayDelete)) changed(file)
        return c.json({ ok: true })
      })
  )
}

type Asking = Pick<Parts, 'db' | 'access' | 'secret'>

/** The caller's relation to a document, including a link they came by. Throws `signed-out`, `not-found`, `no-permission`. */
async function readerOf(
  { db, access, secret }: Asking,
  c: Context<Env>,
  file: string,
  share: string | undefined,
): Promise<{ standing: FileStanding; actor: Actor | null }> {
  const actor = c.get('actor')
  const link = share === undefined ? null : await shareBehind(db, secret, share)
  if (actor === null && link === null) throw new Refusal('signed-out')
  const own = await onFile(db, actor?.userId ?? null, file)
  if (own === null) throw new Refusal('not-found')
  if (link === null || own.subject.inTrash) return { standing: own, actor }
  const byOneself = can(own.actor, 'view', own.subject)
  const role = await access(file, actor?.userId ?? GUEST, link)
  const standing = { ...own, actor: { ...own.actor, role } }
  // A link to look at is no door into a team's conversation.
  if (!byOneself) permit(standing, 'comment')
  return { standing, actor }
}

/** The same for a writer: they have an account, and may comment. */
async function writerOf(
  parts: Asking,
  c: Context<Env>,
  file: string,
  share: string | undefined,
): Promise<{ standing: FileStanding; actor: Actor; mayDelete: boolean }> {
  const { standing, actor } = await readerOf(parts, c, file, share)
  if (actor === null) throw new Refusal('signed-out', 'sign in to comment')
  permit(standing, 'comment')
  return { standing, actor, mayDelete: can(standing.actor, 'deleteForever', standing.subject) }
}
