// Publishing: what authors do with a publication, from preparing its first version to taking it off the shelf.
import { Hono } from 'hono'
import { z } from 'zod'
import { MARKET, appKinds, publishedAs } from '../../model-schema/business/market.ts'
import { note } from '../audit.ts'
import { readBody } from '../comments/body.ts'
import type { Db } from '../db/database.ts'
import { Refusal, body, id, name, signedIn } from '../http.ts'
import type { SignedIn } from '../http.ts'
import { imageLimit, sweepImages, takeImage } from '../images/images.ts'
import { onFile } from '../permissions.ts'
import { loadManaged, pageFor, permitPublish, publicationRow } from './access.ts'
import type { MarketParts } from './access.ts'
import { byId, licence, lined, tag, topic } from './fields.ts'
import { freeze } from './freeze.ts'
import { likest } from './likeness.ts'
import { prove } from './proof.ts'
import { discard, prepare, publish, refuseCharge, shelve, stateAfter, update } from './publications.ts'
import type { About } from './publications.ts'

const about = z.object({
  name: name.refine(text => text.length <= MARKET.nameLength),
  summary: lined(MARKET.summaryLength),
  /** Rich text as JSON text, or empty. */
  description: z.string().max(MARKET.descriptionLength),
  notes: z.string().max(MARKET.notesLength).default(''),
  tags: z
    .array(tag)
    .max(MARKET.tags)
    .transform(tags => [...new Set(tags.map(one => one.toLowerCase()).filter(one => one !== ''))]),
  topic,
  licence,
  pages: z.object({
    scenarios: z
      .array(z.string().regex(/^[\w-]{1,64}$/))
      .min(1)
      .max(MARKET.scenarios)
      .nullable(),
    copies: z.boolean(),
  }),
  incentive: z.object({ price: z.number().min(0).max(1e9), referral: z.number().int().min(0).max(MARKET.referral) }),
  run: z
    .object({
      file: id,
      scenario: z.string().max(128).nullable(),
      seed: z.number().int().min(0).max(0xffff_ffff),
      ticks: z.number().int().min(1).max(MARKET.proofTicks),
      hash: z
        .string()
        .regex(/^[0-9a-f]{8,64}$/)
        .nullable(),
    })
    .nullable(),
})

/** Models outside of the file that its author agreed to publish along. */
const models = z.array(id).max(MARKET.files).default([])

export function publishingRoutes(parts: MarketParts) {
  const { db, rooms, jobs } = parts

  return new Hono<SignedIn>()
    .use(signedIn)
    .post('/apps', body(z.object({ id, source: id, kind: z.enum(appKinds), about, models })), async c => {
      const wish = c.req.valid('json')
      const { userId } = c.get('actor')
      const source = permitPublish(await onFile(db, userId, wish.source))
      if (publishedAs[source.kind]?.includes(wish.kind) !== true) throw new Refusal('invalid-params', `a ${source.kind} as ${wish.kind}`)
      const about = checkedAbout(wish.about)
      const files = await freeze({ db, rooms }, userId, { id: wish.source, kind: source.kind }, about.pages.scenarios, wish.models)
      const { cleared = [] } = (await publicationRow(db, wish.id)) ?? {}
      const like = await likest(db, { author: userId, team: source.team, except: [wish.id, ...cleared] }, files)
      const cover = await coverOf(db, wish.source)
      await prepare(db, { id: wish.id, kind: wish.kind, source: wish.source, team: source.team, author: userId, about, cover, files, like })
      return c.json(await pageFor(parts, c.get('actor'), wish.id, true), 201)
    })
    .put('/apps/:id', byId, body(z.object({ about, models })), async c => {
      const { id } = c.req.valid('param')
      const { userId } = c.get('actor')
      const row = await loadManaged(db, c.get('actor'), id, 'update')
      stateAfter(row.state, 'update')
      const wish = c.req.valid('json')
      const about = checkedAbout(wish.about)
      const source = row.source_id === null ? null : await onFile(db, userId, row.source_id)
      if (source === null || row.source_id === null) throw new Refusal('not-found', 'the file is gone')
      const files = await freeze({ db, rooms }, userId, { id: row.source_id, kind: source.kind }, about.pages.scenarios, wish.models)
      const like = await likest(db, { author: row.author ?? userId, team: source.team, except: [id, ...row.cleared] }, files)
      await update(db, id, { about, cover: await coverOf(db, row.source_id), files, like })
      return c.json(await pageFor(parts, c.get('actor'), id, true))
    })
    .put('/apps/:id/cover', byId, imageLimit, async c => {
      const row = await loadManaged(db, c.get('actor'), c.req.valid('param').id, 'cover')
      const cover = await takeImage(db, c)
      const change = db.updateTable('market_version').set({ cover }).where('app_id', '=', row.id).where('published_at', 'is', null)
      if ((await change.executeTakeFirst()).numUpdatedRows === 0n) throw new Refusal('market-state', 'nothing is prepared')
      await sweepImages(db)
      return c.json({ cover })
    })
    .post('/apps/:id/publish', byId, async c => {
      const { id } = c.req.valid('param')
      const actor = c.get('actor')
      const row = await loadManaged(db, c.get('actor'), id, 'publish')
      const { number, first } = await publish(db, id)
      await prove(db, jobs(), id, number)
      await note(db, {
        userId: actor.userId,
        action: 'market-published',
        fileId: row.source_id ?? '',
        detail: { app: id, version: String(number) },
      })
      if (row.author !== null && row.hidden_at === null) await tellFollowers(parts, row.author, { by: actor.name, id, number, first })
      return c.json(await pageFor(parts, c.get('actor'), id, false))
    })
    .delete('/apps/:id/draft', byId, async c => {
      const row = await loadManaged(db, c.get('actor'), c.req.valid('param').id, 'discard')
      await discard(db, row.id)
      await sweepImages(db)
      return c.json({ ok: true })
    })
    .post('/apps/:id/off-shelf', byId, async c => {
      const row = await loadManaged(db, c.get('actor'), c.req.valid('param').id, 'takeOff')
      await shelve(db, row.id, 'takeOff')
      await note(db, { userId: c.get('actor').userId, action: 'market-off-shelf', fileId: row.source_id ?? '', detail: { app: row.id } })
      return c.json({ ok: true })
    })
    .post('/apps/:id/put-back', byId, async c => {
      const row = await loadManaged(db, c.get('actor'), c.req.valid('param').id, 'putBack')
      await shelve(db, row.id, 'putBack')
      await note(db, { userId: c.get('actor').userId, action: 'market-put-back', fileId: row.source_id ?? '', detail: { app: row.id } })
      return c.json({ ok: true })
    })
}

/** What the author says of a version, with its description checked. */
function checkedAbout(wish: z.output<typeof about>): About {
  refuseCharge(wish.incentive)
  return { ...wish, description: wish.description === '' ? '' : readBody(wish.description).json }
}

const coverOf = async (db: Db, source: string): Promise<string | null> =>
  (await db.selectFrom('file').select('cover').where('id', '=', source).executeTakeFirst())?.cover ?? null

/** Notifies the followers of an author of a new version. */
async function tellFollowers(
  { db, notify }: MarketParts,
  author: string,
  { by, id, number, first }: { by: string; id: string; number: number; first: boolean },
): Promise<void> {
  const version = await db
    .selectFrom('market_version')
    .select('name')
    .where('app_id', '=', id)
    .where('number', '=', number)
    .executeTakeFirst()
  const followers = await db.selectFrom('market_follow').select('follower').where('author', '=', author).limit(500).execute()
  await notify(
    followers.map(one => one.follower),
    'market-published',
    { by, name: version?.name ?? '', id, first: String(first) },
  )
}
