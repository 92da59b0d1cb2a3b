// Comments on publications, and the forum.
import { Hono } from 'hono'
import { z } from 'zod'
import { MARKET, forumSections } from '../../model-schema/business/market.ts'
import { Buckets } from '../bucket.ts'
import { readBody } from '../comments/body.ts'
import { Refusal, body, id, params, query, signedIn } from '../http.ts'
import type { Actor, Env, SignedIn } from '../http.ts'
import { isNamed, isOperator, operates } from '../operator/operators.ts'
import { COMMENTS } from '../protocol.ts'
import { loadSubject } from './access.ts'
import type { MarketParts } from './access.ts'
import { lined } from './fields.ts'
import { addComment, deleteComment, editComment, openThread, speakersOn, talkOn, tellSpeakers, threads } from './talk.ts'

const sort = z.enum(['app', 'thread'])
const place = params(z.object({ sort, id }))
const oneOf = params(z.object({ sort, id, comment: id }))
const text = z.string().max(COMMENTS.bodyLength)
const forumListing = z.object({
  section: z.enum(forumSections).optional(),
  q: z.string().max(200).optional(),
  limit: z.coerce.number().int().min(1).max(100).optional(),
  offset: z.coerce.number().int().min(0).max(100_000).optional(),
})
const newThread = z.object({
  id,
  section: z.enum(forumSections),
  title: lined(MARKET.titleLength).refine(value => value !== '', 'empty'),
  comment: z.object({ id, body: text }),
})

/** What everybody may read. */
export function talkRoutes(parts: MarketParts) {
  const { db, operators } = parts

  return new Hono<Env>()
    .get('/talk/:sort/:id', place, async c => {
      const about = await loadSubject(parts, c.get('actor'), c.req.valid('param'))
      const actor = c.get('actor')
      const reader = { userId: actor?.userId ?? null, operator: isOperator(operators, actor) }
      const may = { write: actor !== null && about.open, operate: isNamed(operators, actor) }
      return c.json({ comments: await talkOn(db, about, reader), may })
    })
    .get('/forum', query(forumListing), async c => {
      const { limit = 30, offset = 0, section, q } = c.req.valid('query')
      const found = await threads(db, { section, q, limit, offset, hidden: isOperator(operators, c.get('actor')) })
      return c.json({ threads: found, next: found.length === limit ? offset + limit : null })
    })
    .get('/forum/:id', params(z.object({ id })), async c => {
      await loadSubject(parts, c.get('actor'), { sort: 'thread', id: c.req.valid('param').id })
      const [thread] = await threads(db, { id: c.req.valid('param').id, limit: 1, offset: 0, hidden: true })
      if (thread === undefined) throw new Refusal('not-found')
      return c.json(thread)
    })
}

/** What people who are signed in write. */
export function talkWritingRoutes(parts: MarketParts) {
  const { db, notify, operators } = parts
  const written = new Buckets(1 / 10, 20)

  function permitWriting(actor: Actor, { open }: { open: boolean }): void {
    if (!open) throw new Refusal('no-permission', 'this is closed')
    if (!written.take(actor.userId, Date.now())) throw new Refusal('too-many-requests')
  }

  return new Hono<SignedIn>()
    .use(signedIn)
    .get('/talk/:sort/:id/people', place, async c => {
      const about = await loadSubject(parts, c.get('actor'), c.req.valid('param'))
      return c.json({ people: await speakersOn(db, about) })
    })
    .post('/talk/:sort/:id', place, body(z.object({ id, body: text, replyTo: id.nullable().optional() })), async c => {
      const about = await loadSubject(parts, c.get('actor'), c.req.valid('param'))
      const actor = c.get('actor')
      permitWriting(actor, about)
      const { id, body, replyTo = null } = c.req.valid('json')
      const written = readBody(body)
      if (await addComment(db, about, { id, body: written, replyTo }, actor.userId))
        await tellSpeakers(db, notify, about, { body: written, replyTo, writer: actor })
      return c.json({ ok: true }, 201)
    })
    .patch('/talk/:sort/:id/:comment', oneOf, body(z.object({ body: text })), async c => {
      const about = await loadSubject(parts, c.get('actor'), c.req.valid('param'))
      const actor = c.get('actor')
      permitWriting(actor, about)
      const written = readBody(c.req.valid('json').body)
      const before = await editComment(db, about, c.req.valid('param').comment, written, actor.userId)
      if (before !== written.json) await tellSpeakers(db, notify, about, { body: written, before, writer: actor })
      return c.json({ ok: true })
    })
    .delete('/talk/:sort/:id/:comment', oneOf, async c => {
      const about = await loadSubject(parts, c.get('actor'), c.req.valid('param'))
      const actor = c.get('actor')
      await deleteComment(db, about, c.req.valid('param').comment, actor.userId, () => operates(operators, actor))
      return c.json({ ok: true })
    })
    .post('/forum', body(newThread), async c => {
      const actor = c.get('actor')
      const { comment, ...thread } = c.req.valid('json')
      if (thread.section === 'announcements' && !operates(operators, actor)) throw new Refusal('no-permission', 'operators announce')
      permitWriting(actor, { open: true })
      const written = readBody(comment.body)
      await openThread(db, thread, { id: comment.id, body: written }, actor.userId)
      return c.json({ id: thread.id }, 201)
    })
}
