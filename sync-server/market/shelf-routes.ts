// What is on the shelf for everybody. Signing in is not needed to look and to run.
import { Hono } from 'hono'
import { z } from 'zod'
import { appKinds, appOrders } from '../../model-schema/business/market.ts'
import type { Db } from '../db/database.ts'
import { Refusal, addressOf, flag, id, params, query } from '../http.ts'
import type { Env } from '../http.ts'
import { sendImage } from '../images/images.ts'
import { holoFileOf, updateOf } from '../relay/content.ts'
import { loadVisible, pageFor } from './access.ts'
import type { MarketParts } from './access.ts'
import { visit, visitorOf } from './crowd.ts'
import { byId, byPerson, language, licence, ofDraft, tag, topic } from './fields.ts'
import { proveMore, settleProofs } from './proof.ts'
import { authorInfo, commonTags, listApps } from './shelf.ts'
import { translatedCopy } from './shipped.ts'

const listing = z.object({
  of: z.enum(['all', 'following', 'favourites', 'mine']).optional(),
  author: z.uuid().optional(),
  /** Several, or with commas between. */
  kind: z
    .union([z.string().transform(text => text.split(',')), z.array(z.string())])
    .pipe(z.array(z.enum(appKinds)).min(1).max(appKinds.length))
    .optional(),
  topic: topic.optional(),
  licence: licence.optional(),
  tag: tag.optional(),
  q: z.string().max(200).optional(),
  verified: flag.optional(),
  sort: z.enum(appOrders).optional(),
  limit: z.coerce.number().int().min(1).max(100).optional(),
  offset: z.coerce.number().int().min(0).max(100_000).optional(),
})

export function shelfRoutes(parts: MarketParts) {
  const { db, secret, trustProxy, jobs } = parts

  return (
    new Hono<Env>()
      .get('/apps', query(listing), async c => {
        const { of = 'all', sort = 'recommended', limit = 24, offset = 0, kind, ...rest } = c.req.valid('query')
        const userId = c.get('actor')?.userId ?? null
        if (of !== 'all' && userId === null) throw new Refusal('signed-out')
        await settleProofs(db, jobs())
        await proveMore(db, jobs(), null)
        const apps = await listApps(db, userId, { ...rest, of, sort, limit, offset, kinds: kind })
        return c.json({ apps, next: apps.length === limit ? offset + limit : null })
      })
      .get('/tags', async c => c.json({ tags: await commonTags(db) }))
      .get('/apps/:id', byId, ofDraft, async c => {
        await settleProofs(db, jobs())
        return c.json(await pageFor(parts, c.get('actor'), c.req.valid('param').id, c.req.valid('query').draft ?? false))
      })
      .get('/apps/:id/cover', byId, ofDraft, async c => {
        const { draft = false } = c.req.valid('query')
        const { current, id } = await loadVisible(parts, c.get('actor'), c.req.valid('param').id, draft)
        const row = await db
          .selectFrom('market_version')
          .select('cover')
          .where('app_id', '=', id)
          .where('number', '=', draft || current === null ? (current ?? 0) + 1 : current)
          .executeTakeFirst()
        return sendImage(c, db, row?.cover)
      })
      // `language` is that of the person who runs it: shipped samples are there in several.
      .get(
        '/apps/:id/files/:file/state',
        params(z.object({ id, file: id })),
        query(z.object({ draft: flag.optional(), language })),
        async c => {
          const { id, file } = c.req.valid('param')
          const { draft = false, language } = c.req.valid('query')
          const { current } = await loadVisible(parts, c.get('actor'), id, draft)
          const number = draft || current === null ? (current ?? 0) + 1 : current
          const row = await frozenFile(db, id, number, file)
          if (row === undefined || row.blob === null) throw new Refusal('not-found')
          const translated = language === undefined ? null : await translatedCopy(id, language)
          const edition = translated === null ? number : `${number}-${language}`
          const etag = `"${edition}.${row.hash}"`
          c.header('etag', etag)
          c.header('cache-control', 'private, no-cache')
          c.header('x-epoch', `market-${edition}`)
          if (c.req.header('if-none-match') === etag) return c.body(null, 304)
          c.header('content-type', 'application/octet-stream')
          const shown = translated === null ? row.blob : updateOf(translated.translate(holoFileOf(row.blob)))
          return c.body(Uint8Array.from(shown).buffer)
        },
      )
      .post('/apps/:id/visit', byId, async c => {
        const row = await loadVisible(parts, c.get('actor'), c.req.valid('param').id)
        const day = new Date().toISOString().slice(0, 10)
        const visitor = visitorOf(secret, c.get('actor')?.userId ?? null, addressOf(c, trustProxy), c.req.header('user-agent') ?? '', day)
        const counted = row.state === 'published' && (await visit(db, row, visitor, day))
        await proveMore(db, jobs(), row.id)
        return c.json({ counted })
      })
      .get('/authors/:id', byPerson, async c => {
        const author = await authorInfo(db, c.get('actor')?.userId ?? null, c.req.valid('param').id)
        if (author === null) throw new Refusal('not-found')
        return c.json(author)
      })
  )
}

const frozenFile = (db: Db, appId: string, number: number, fileId: string) =>
  db
    .selectFrom('market_file')
    .select(['blob', 'hash'])
    .where('app_id', '=', appId)
    .where('number', '=', number)
    .where('id', '=', fileId)
    .executeTakeFirst()
