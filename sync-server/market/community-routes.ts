// Talk, forum and moderation over HTTP.
import { Hono } from 'hono'
import { z } from 'zod'
import { MARKET, forumSections, reportReasons } from '../../model-schema/business/market.ts'
import { note } from '../audit.ts'
import { Buckets } from '../bucket.ts'
import { readBody } from '../comments/body.ts'
import { Refusal, body, flag, id, params, query, signedIn } from '../http.ts'
import type { Actor, Env, SignedIn } from '../http.ts'
import { isNamed, isOperator, operates } from '../operator/operators.ts'
import { COMMENTS } from '../protocol.ts'
import { appeal, cases, decide, report } from './moderation.ts'
import type { MarketParts } from './routes.ts'
import { addComment, deleteComment, editComment, openThread, speakersOn, talkOn, tellSpeakers, threads } from './talk.ts'
import type { About } from './talk.ts'

const sort = z.enum(['app', 'thread'])
const place = params(z.object({ sort, id }))
const oneOf = params(z.object({ sort, id, comment: id }))
const text = z.string().max(COMMENTS.bodyLength)
const reportable = { about: z.enum(['app', 'comment', 'thread']), target: id }
const decidable = { about: z.enum(['app', 'comment', 'thread', 'draft']), target: id }
const words = z
  .string()
  .max(MARKET.reportLength)
  .transform(value => value.trim())

export function communityRoutes({ db, notify, operators }: MarketParts) {
  // What people write, and what they report.
  const written = new Buckets(1 / 10, 20)
  const reported = new Buckets(1 / 60, 20)

  /** What is talked about, for those who see it. */
  async function subject(
    actor: Actor | null,
    { sort, id }: About,
  ): Promise<About & { name: string; author: string | null; open: boolean }> {
    const row =
      sort === 'app'
        ? await db
            .selectFrom('market_app as a')
            .innerJoin('market_version as v', join => join.onRef('v.app_id', '=', 'a.id').onRef('v.number', '=', 'a.current'))
            .select(['a.author', 'a.hidden_at', 'a.state', 'v.name'])
            .where('a.id', '=', id)
            .executeTakeFirst()
        : await db.selectFrom('forum_thread').select(['author', 'hidden_at', 'title as name']).where('id', '=', id).executeTakeFirst()
    const open = row !== undefined && row.hidden_at === null && (!('state' in row) || row.state === 'published')
    if (row === undefined || (!open && row.author !== (actor?.userId ?? '') && !isOperator(operators, actor)))
      throw new Refusal('not-found')
    return { sort, id, name: row.name, author: row.author, open }
  }

  function mayWrite(actor: Actor, { open }: { open: boolean }): void {
    if (!open) throw new Refusal('no-permission', 'this is closed')
    if (!written.take(actor.userId, Date.now())) throw new Refusal('too-many-requests')
  }

  const reading = new Hono<Env>()
    .get('/talk/:sort/:id', place, async c => {
      const about = await subject(c.get('actor'), c.req.valid('param'))
      const actor = c.get('actor')
      const reader = { userId: actor?.userId ?? null, operator: isOperator(operators, actor) }
      const may = { write: actor !== null && about.open, operate: isNamed(operators, actor) }
      return c.json({ comments: await talkOn(db, about, reader), may })
    })
    .get(
      '/forum',
      query(
        z.object({
          section: z.enum(forumSections).optional(),
          q: z.string().max(200).optional(),
          limit: z.coerce.number().int().min(1).max(100).optional(),
          offset: z.coerce.number().int().min(0).max(100_000).optional(),
        }),
      ),
      async c => {
        const { limit = 30, offset = 0, section, q } = c.req.valid('query')
        const found = await threads(db, { section, q, limit, offset, hidden: isOperator(operators, c.get('actor')) })
        return c.json({ threads: found, next: found.length === limit ? offset + limit : null })
      },
    )
    .get('/forum/:id', params(z.object({ id })), async c => {
      await subject(c.get('actor'), { sort: 'thread', id: c.req.valid('param').id })
      const [thread] = await threads(db, { id: c.req.valid('param').id, limit: 1, offset: 0, hidden: true })
      if (thread === undefined) throw new Refusal('not-found')
      return c.json(thread)
    })

  const writing = new Hono<SignedIn>()
    .use(signedIn)
    .get('/talk/:sort/:id/people', place, async c => {
      const about = await subject(c.get('actor'), c.req.valid('param'))
      return c.json({ people: await speakersOn(db, about) })
    })
    .post('/talk/:sort/:id', place, body(z.object({ id, body: text, replyTo: id.nullable().optional() })), async c => {
      const about = await subject(c.get('actor'), c.req.valid('param'))
      const actor = c.get('actor')
      mayWrite(actor, about)
      const { id, body, replyTo = null } = c.req.valid('json')
      const written = readBody(body)
      if (await addComment(db, about, { id, body: written, replyTo }, actor.userId))
        await tellSpeakers(db, notify, about, { body: written, replyTo, writer: actor })
      return c.json({ ok: true }, 201)
    })
    .patch('/talk/:sort/:id/:comment', oneOf, body(z.object({ body: text })), async c => {
      const about = await subject(c.get('actor'), c.req.valid('param'))
      const actor = c.get('actor')
      mayWrite(actor, about)
      const written = readBody(c.req.valid('json').body)
      const before = await editComment(db, about, c.req.valid('param').comment, written, actor.userId)
      if (before !== written.json) await tellSpeakers(db, notify, about, { body: written, before, writer: actor })
      return c.json({ ok: true })
    })
    .delete('/talk/:sort/:id/:comment', oneOf, async c => {
      const about = await subject(c.get('actor'), c.req.valid('param'))
      const actor = c.get('actor')
      await deleteComment(db, about, c.req.valid('param').comment, actor.userId, () => operates(operators, actor))
      return c.json({ ok: true })
    })
    .post(
      '/forum',
      body(
        z.object({
          id,
          section: z.enum(forumSections),
          title: z
            .string()
            .max(MARKET.titleLength)
            .transform(value => value.replaceAll(/\s+/g, ' ').trim())
            .refine(value => value !== '', 'empty'),
          comment: z.object({ id, body: text }),
        }),
      ),
      async c => {
        const actor = c.get('actor')
        const { comment, ...thread } = c.req.valid('json')
        if (thread.section === 'announcements' && !operates(operators, actor)) throw new Refusal('no-permission', 'operators announce')
        mayWrite(actor, { open: true })
        const written = readBody(comment.body)
        await openThread(db, thread, { id: comment.id, body: written }, actor.userId)
        return c.json({ id: thread.id }, 201)
      },
    )
    .post('/reports', body(z.object({ ...reportable, reason: z.enum(reportReasons), words })), async c => {
      const { userId } = c.get('actor')
      const { reason, words, ...what } = c.req.valid('json')
      await visible(c.get('actor'), what)
      if (!reported.take(userId, Date.now())) throw new Refusal('too-many-requests')
      await report(db, what, userId, reason, words)
      return c.json({ ok: true }, 201)
    })
    .post('/appeals', body(z.object({ ...decidable, words: words.refine(value => value !== '', 'empty') })), async c => {
      const { userId } = c.get('actor')
      const { words, ...what } = c.req.valid('json')
      if (!reported.take(userId, Date.now())) throw new Refusal('too-many-requests')
      await appeal(db, what, userId, words)
      return c.json({ ok: true }, 201)
    })

  /** Only what one sees is reported. */
  async function visible(actor: Actor, { about, target }: { about: 'app' | 'comment' | 'thread'; target: string }): Promise<void> {
    if (about !== 'comment') {
      await subject(actor, { sort: about, id: target })
      return
    }
    const row = await db.selectFrom('market_comment').select(['app_id', 'thread_id']).where('id', '=', target).executeTakeFirst()
    if (row === undefined) throw new Refusal('not-found')
    await subject(actor, row.app_id === null ? { sort: 'thread', id: row.thread_id ?? '' } : { sort: 'app', id: row.app_id })
  }

  const operating = new Hono<SignedIn>()
    .use(signedIn)
    .get('/moderation', query(z.object({ open: flag.optional() })), async c => {
      // Whoever is none finds nothing here.
      if (!operates(operators, c.get('actor'))) throw new Refusal('not-found', 'no such call')
      return c.json({ cases: await cases(db, c.req.valid('query').open ?? true) })
    })
    .post('/moderation/decide', body(z.object({ ...decidable, outcome: z.enum(['hidden', 'shown']), because: words })), async c => {
      const actor = c.get('actor')
      if (!operates(operators, actor)) throw new Refusal('not-found', 'no such call')
      const { outcome, because, ...what } = c.req.valid('json')
      if (outcome === 'hidden' && because === '')
        throw new Refusal('invalid-params', 'a reason is needed', { issues: [{ path: 'because', message: 'empty' }] })
      const { author, changed, reporters, title, app, thread } = await decide(db, what, actor.userId, outcome, because)
      await note(db, { userId: actor.userId, action: `market-${outcome}`, detail: { about: what.about, target: what.target, because } })
      const data = { name: title, about: what.about, outcome, because, sort: app === null ? 'thread' : 'app', id: app ?? thread ?? '' }
      if ((changed || what.about === 'draft') && author !== null) await notify([author], 'market-moderated', { ...data, to: 'author' })
      await notify(
        reporters.filter(one => one !== author),
        'market-moderated',
        { ...data, to: 'reporter' },
      )
      return c.json({ ok: true })
    })

  return { reading, writing, operating }
}
