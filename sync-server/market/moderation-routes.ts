// Reports and appeals of people, and the decisions of operators.
import { Hono } from 'hono'
import { z } from 'zod'
import { MARKET, reportReasons } from '../../model-schema/business/market.ts'
import { note } from '../audit.ts'
import { Buckets } from '../bucket.ts'
import { Refusal, body, flag, id, query, signedIn } from '../http.ts'
import type { Actor, SignedIn } from '../http.ts'
import { operates } from '../operator/operators.ts'
import { loadSubject } from './access.ts'
import type { MarketParts } from './access.ts'
import { appeal, cases, decide, report } from './moderation.ts'

const reportable = { about: z.enum(['app', 'comment', 'thread']), target: id }
const decidable = { about: z.enum(['app', 'comment', 'thread', 'draft']), target: id }
const words = z
  .string()
  .max(MARKET.reportLength)
  .transform(value => value.trim())

export function moderationRoutes(parts: MarketParts) {
  const { db, notify, operators } = parts
  const reported = new Buckets(1 / 60, 20)

  return new Hono<SignedIn>()
    .use(signedIn)
    .post('/reports', body(z.object({ ...reportable, reason: z.enum(reportReasons), words })), async c => {
      const { userId } = c.get('actor')
      const { reason, words, ...what } = c.req.valid('json')
      await refuseInvisible(parts, c.get('actor'), what)
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
    .get('/moderation', query(z.object({ open: flag.optional() })), async c => {
      // Callers who are no operators get `not-found` here.
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
}

/** Throws `not-found` unless this person sees what they report. */
async function refuseInvisible(
  parts: MarketParts,
  actor: Actor,
  { about, target }: { about: 'app' | 'comment' | 'thread'; target: string },
): Promise<void> {
  if (about !== 'comment') {
    await loadSubject(parts, actor, { sort: about, id: target })
    return
  }
  const row = await parts.db.selectFrom('market_comment').select(['app_id', 'thread_id']).where('id', '=', target).executeTakeFirst()
  if (row === undefined) throw new Refusal('not-found')
  await loadSubject(parts, actor, row.app_id === null ? { sort: 'thread', id: row.thread_id ?? '' } : { sort: 'app', id: row.app_id })
}
