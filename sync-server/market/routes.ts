// The store over HTTP: what is on the shelf for everybody, publications for their authors. Signing in is not needed to look and to run.
import { speakerOf } from '../../model-schema/catalogues.ts'
import { Hono } from 'hono'
import { z } from 'zod'
import { MARKET, MOST_THANKS, appKinds, appLicences, appOrders, appTopics, publishedAs } from '../../model-schema/business/market.ts'
import type { AppStep } from '../../model-schema/business/market.ts'
import { can } from '../../model-schema/roles.ts'
import { note } from '../audit.ts'
import { trade } from '../coins/deals.ts'
import { readBody } from '../comments/body.ts'
import { Refusal, addressOf, body, flag, id, name, params, query, signedIn, team } from '../http.ts'
import type { Actor, Env, SignedIn } from '../http.ts'
import { imageLimit, sendImage, sweepImages, takeImage } from '../images/images.ts'
import type { Jobs } from '../jobs/queue.ts'
import { isNamed, isOperator } from '../operator/operators.ts'
import type { Operators } from '../operator/operators.ts'
import type { Parts } from '../parts.ts'
import { inWorkspace, onFile, permit } from '../permissions.ts'
import type { FileStanding } from '../permissions.ts'
import { ensurePersonalWorkspace } from '../workspaces/workspaces.ts'
import { communityRoutes } from './community-routes.ts'
import { originOf, takeCopy } from './copies.ts'
import { holoFileOf, updateOf } from '../relay/content.ts'
import { translatedCopy } from './shipped.ts'
import { follow, mark, visit, visitorOf } from './crowd.ts'
import { broughtAlong, freeze } from './freeze.ts'
import { likest } from './likeness.ts'
import { isAsked } from './moderation.ts'
import { prove, proveMore, settleProofs } from './proof.ts'
import { discard, heldBy, prepare, publish, refuseCharge, shelve, stateAfter, update } from './publications.ts'
import type { About } from './publications.ts'
import { appInfo, authorInfo, commonTags, listApps } from './shelf.ts'

export type MarketParts = Parts & { jobs: () => Jobs | null; operators: Operators }

const byId = params(z.object({ id }))
const byPerson = params(z.object({ id: z.uuid() }))
const ofDraft = query(z.object({ draft: flag.optional() }))
/** The first letters of a language that shipped samples may be translated into. */
const language = z
  .string()
  .regex(/^[a-z]{2,3}$/)
  .refine(one => speakerOf(one) !== undefined)
  .optional()
const lined = (length: number) =>
  z
    .string()
    .max(length)
    .transform(text => text.replaceAll(/\s+/g, ' ').trim())
const topic = z.enum(appTopics)
const licence = z.enum(appLicences)
const tag = lined(MARKET.tagLength)

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

/** Coins that somebody gives an author. */
const thanks = z.number().int().min(0).max(MOST_THANKS).default(0)

/** Models outside of the file that its author agreed to publish along. */
const models = z.array(id).max(MARKET.files).default([])

export function marketRoutes(parts: MarketParts) {
  const { db, rooms, quota, tariff, notify, secret, trustProxy, jobs, operators } = parts

  const appRow = (appId: string) =>
    db
      .selectFrom('market_app as a')
      .leftJoin('market_version as v', join => join.onRef('v.app_id', '=', 'a.id').onRef('v.number', '=', 'a.current'))
      .select(['a.id', 'a.kind', 'a.state', 'a.current', 'a.author', 'a.source_id', 'a.hidden_at', 'a.cleared'])
      .select(['v.name', 'v.pages', 'v.incentive'])
      .where('a.id', '=', appId)
      .executeTakeFirst()
  type Row = NonNullable<Awaited<ReturnType<typeof appRow>>>

  /** Where somebody stands towards the file a publication is made from; null when it is gone or not for them. */
  async function sourceFor(row: Row, userId: string): Promise<FileStanding | null> {
    return row.source_id === null ? null : onFile(db, userId, row.source_id)
  }

  async function maySteer(row: Row, actor: Actor | null): Promise<boolean> {
    if (actor === null) return false
    if (row.author === actor.userId) return true
    const source = await sourceFor(row, actor.userId)
    return source !== null && can(source.actor, 'unpublish', { ...source.subject, inTrash: false })
  }

  /** A publication that may be looked at: on the shelf for everybody, otherwise for its authors and operators; what is prepared when operators are asked. */
  async function seen(actor: Actor | null, appId: string, draft = false): Promise<Row> {
    const row = await appRow(appId)
    if (row === undefined) throw new Refusal('not-found')
    const open = row.state === 'published' && row.hidden_at === null && !draft
    if (!open && !(await maySteer(row, actor))) {
      const mayLook = isOperator(operators, actor) && (!draft || (await isAsked(db, { about: 'draft', target: appId })))
      if (!mayLook) throw new Refusal('not-found')
    }
    return row
  }

  /** What one may not see does not exist; what one sees and may not steer says so. */
  async function steered(actor: Actor, appId: string, step: AppStep | 'cover'): Promise<Row> {
    const row = await appRow(appId)
    if (row === undefined) throw new Refusal('not-found')
    const open = row.state === 'published' && row.hidden_at === null
    const source = await sourceFor(row, actor.userId)
    if (source === null || !can(source.actor, 'view', { ...source.subject, inTrash: false })) {
      // The author of what has lost its file still takes it off.
      const gone =
        row.source_id === null ||
        (await db.selectFrom('file').select('id').where('id', '=', row.source_id).executeTakeFirst()) === undefined
      if (row.author === actor.userId && gone && step !== 'update') return row
      throw new Refusal(open ? 'no-permission' : 'not-found')
    }
    if (step === 'takeOff' || step === 'discard' || step === 'cover')
      permit({ ...source, subject: { ...source.subject, inTrash: false } }, 'unpublish')
    else permitPublish(source)
    return row
  }

  function permitPublish(source: FileStanding | null): FileStanding {
    if (source !== null && source.subject.fromMarket === true && can(source.actor, 'view', source.subject))
      throw new Refusal('market-downloaded', source.name)
    return permit(source, source?.kind === 'dashboard' ? 'publishDashboard' : 'publish')
  }

  /** What is said, with its description checked. */
  function checkedAbout(wish: z.output<typeof about>): About {
    refuseCharge(wish.incentive)
    return { ...wish, description: wish.description === '' ? '' : readBody(wish.description).json }
  }

  async function info(actor: Actor | null, appId: string, draft: boolean) {
    const row = await seen(actor, appId, draft)
    const app = await appInfo(db, actor?.userId ?? null, appId, draft, Date.now())
    if (app === null) throw new Refusal('not-found')
    const steer = await maySteer(row, actor)
    const held = steer && app.draft ? await heldBy(db, appId) : null
    const like = held === null ? null : { ...held, asked: await isAsked(db, { about: 'draft', target: appId }) }
    return { ...app, like, source: steer ? row.source_id : null, may: { steer, operate: isNamed(operators, actor) } }
  }

  const coverOf = async (source: string): Promise<string | null> =>
    (await db.selectFrom('file').select('cover').where('id', '=', source).executeTakeFirst())?.cover ?? null

  const open = new Hono<Env>()
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
      return c.json(await info(c.get('actor'), c.req.valid('param').id, c.req.valid('query').draft ?? false))
    })
    .get('/apps/:id/cover', byId, ofDraft, async c => {
      const { draft = false } = c.req.valid('query')
      const { current, id } = await seen(c.get('actor'), c.req.valid('param').id, draft)
      const row = await db
        .selectFrom('market_version')
        .select('cover')
        .where('app_id', '=', id)
        .where('number', '=', draft || current === null ? (current ?? 0) + 1 : current)
        .executeTakeFirst()
      return sendImage(c, db, row?.cover)
    })
    // `language` is that of whoever runs it: shipped samples are there in several.
    .get(
      '/apps/:id/files/:file/state',
      params(z.object({ id, file: id })),
      query(z.object({ draft: flag.optional(), language })),
      async c => {
        const { id, file } = c.req.valid('param')
        const { draft = false, language } = c.req.valid('query')
        const { current } = await seen(c.get('actor'), id, draft)
        const number = draft || current === null ? (current ?? 0) + 1 : current
        const row = await db
          .selectFrom('market_file')
          .select(['blob', 'hash'])
          .where('app_id', '=', id)
          .where('number', '=', number)
          .where('id', '=', file)
          .executeTakeFirst()
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
      const row = await seen(c.get('actor'), c.req.valid('param').id)
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

  const own = new Hono<SignedIn>()
    .use(signedIn)
    .put('/apps/:id/like', byId, body(z.object({ on: z.boolean() })), async c => {
      const row = await seen(c.get('actor'), c.req.valid('param').id)
      await mark(db, 'market_like', row, c.get('actor').userId, c.req.valid('json').on)
      return c.json({ ok: true })
    })
    .put('/apps/:id/favourite', byId, body(z.object({ on: z.boolean() })), async c => {
      const row = await seen(c.get('actor'), c.req.valid('param').id)
      await mark(db, 'market_favourite', row, c.get('actor').userId, c.req.valid('json').on)
      return c.json({ ok: true })
    })
    .post(
      '/apps/:id/copies',
      byId,
      // `language` is that of whoever takes it: shipped samples are there in several.
      body(
        z.object({
          id,
          team: team.optional(),
          parent: id.nullable().optional(),
          by: z.uuid().optional(),
          thanks,
          language,
        }),
      ),
      async c => {
        const row = await seen(c.get('actor'), c.req.valid('param').id)
        const actor = c.get('actor')
        const wish = c.req.valid('json')
        if (row.state !== 'published' || row.current === null) throw new Refusal('market-state', 'not on the shelf')
        if (row.pages?.copies !== true) throw new Refusal('no-permission', 'this one is used in its page')
        const home = permit(
          await inWorkspace(db, actor.userId, wish.team ?? (await ensurePersonalWorkspace(db, actor.userId, actor.name))),
          'createFile',
        )
        const translated = wish.language === undefined ? null : await translatedCopy(row.id, wish.language)
        const app = { id: row.id, author: row.author, number: row.current, name: row.name ?? '', ...translated }
        const by =
          wish.by === undefined || (await db.selectFrom('user').select('id').where('id', '=', wish.by).executeTakeFirst()) === undefined
            ? null
            : wish.by
        const price = row.incentive?.price ?? 0
        // What belongs to an organization its owner pays for; what somebody gives of their own will is theirs to give.
        const isPaid = price > 0 && home.space === 'organization'
        const payerId = isPaid ? home.ownerId : actor.userId
        const deal = {
          economy: tariff.economy,
          payerId,
          by,
          price: price > 0 ? price : wish.thanks,
          referral: row.incentive?.referral ?? 0,
        }
        const place = { team: home.team, parent: wish.parent ?? null, place: home }
        const counted = await takeCopy(db, quota, app, actor.userId, wish.id, place, deal)
        await note(db, {
          userId: actor.userId,
          action: 'market-downloaded',
          workspaceId: home.team,
          fileId: wish.id,
          detail: { app: row.id },
        })
        return c.json({ id: wish.id, team: home.team, counted }, 201)
      },
    )
    /** Coins for the author from somebody who uses it, of their own will. */
    .post('/apps/:id/thanks', byId, body(z.object({ id, coins: thanks.refine(coins => coins > 0) })), async c => {
      const row = await seen(c.get('actor'), c.req.valid('param').id)
      const { userId } = c.get('actor')
      const { id, coins } = c.req.valid('json')
      if (row.state !== 'published' || row.author === null) throw new Refusal('market-state', 'nobody to thank')
      if (row.author === userId) throw new Refusal('market-own')
      const about = { app: row.id, version: row.current ?? 1 }
      await trade(db, tariff.economy, {
        key: `usage:${userId}:${id}`,
        kind: 'usage',
        payerId: userId,
        actorId: userId,
        authorId: row.author,
        price: coins,
        about,
      })
      return c.json({ ok: true })
    })
    /** What whoever is signed in may do here beyond what everybody may. */
    .get('/me', c => c.json({ operator: isNamed(operators, c.get('actor')) }))
    .get('/origin/:id', byId, async c => {
      permit(await onFile(db, c.get('actor').userId, c.req.valid('param').id), 'view')
      return c.json({ origin: await originOf(db, c.req.valid('param').id) })
    })
    /** The publication of a file, and the models outside of it that would be published along. */
    .get('/of/:id', byId, async c => {
      const source = c.req.valid('param').id
      const { userId } = c.get('actor')
      const { team } = permit(await onFile(db, userId, source), 'view')
      const row = await db.selectFrom('market_app').select(['id', 'state', 'current']).where('source_id', '=', source).executeTakeFirst()
      const models: { id: string; name: string; elsewhere: boolean }[] = []
      for (const model of await broughtAlong({ db, rooms }, source)) {
        const standing = await onFile(db, userId, model)
        if (standing !== null && can(standing.actor, 'view', standing.subject))
          models.push({ id: model, name: standing.name, elsewhere: standing.team !== team })
      }
      return c.json({ app: row ?? null, models })
    })
    .put('/authors/:id/follow', byPerson, body(z.object({ on: z.boolean() })), async c => {
      const { id } = c.req.valid('param')
      const actor = c.get('actor')
      if (await follow(db, actor.userId, id, c.req.valid('json').on))
        await notify([id], 'market-followed', { by: actor.name, id: actor.userId })
      return c.json({ ok: true })
    })
    .patch('/author', body(z.object({ bio: z.string().max(MARKET.bioLength) })), async c => {
      const { userId } = c.get('actor')
      const { bio } = c.req.valid('json')
      await db
        .insertInto('market_author')
        .values({ user_id: userId, bio })
        .onConflict(conflict => conflict.column('user_id').doUpdateSet({ bio }))
        .execute()
      return c.json({ ok: true })
    })

  const steps = new Hono<SignedIn>()
    .use(signedIn)
    .post('/apps', body(z.object({ id, source: id, kind: z.enum(appKinds), about, models })), async c => {
      const wish = c.req.valid('json')
      const { userId } = c.get('actor')
      const source = permitPublish(await onFile(db, userId, wish.source))
      if (publishedAs[source.kind]?.includes(wish.kind) !== true) throw new Refusal('invalid-params', `a ${source.kind} as ${wish.kind}`)
      const about = checkedAbout(wish.about)
      const files = await freeze({ db, rooms }, userId, { id: wish.source, kind: source.kind }, about.pages.scenarios, wish.models)
      const { cleared = [] } = (await appRow(wish.id)) ?? {}
      const like = await likest(db, { author: userId, team: source.team, except: [wish.id, ...cleared] }, files)
      const cover = await coverOf(wish.source)
      await prepare(db, { id: wish.id, kind: wish.kind, source: wish.source, team: source.team, author: userId, about, cover, files, like })
      return c.json(await info(c.get('actor'), wish.id, true), 201)
    })
    .put('/apps/:id', byId, body(z.object({ about, models })), async c => {
      const { id } = c.req.valid('param')
      const { userId } = c.get('actor')
      const row = await steered(c.get('actor'), id, 'update')
      stateAfter(row.state, 'update')
      const wish = c.req.valid('json')
      const about = checkedAbout(wish.about)
      const source = row.source_id === null ? null : await onFile(db, userId, row.source_id)
      if (source === null || row.source_id === null) throw new Refusal('not-found', 'the file is gone')
      const files = await freeze({ db, rooms }, userId, { id: row.source_id, kind: source.kind }, about.pages.scenarios, wish.models)
      const like = await likest(db, { author: row.author ?? userId, team: source.team, except: [id, ...row.cleared] }, files)
      await update(db, id, { about, cover: await coverOf(row.source_id), files, like })
      return c.json(await info(c.get('actor'), id, true))
    })
    .put('/apps/:id/cover', byId, imageLimit, async c => {
      const row = await steered(c.get('actor'), c.req.valid('param').id, 'cover')
      const cover = await takeImage(db, c)
      const change = db.updateTable('market_version').set({ cover }).where('app_id', '=', row.id).where('published_at', 'is', null)
      if ((await change.executeTakeFirst()).numUpdatedRows === 0n) throw new Refusal('market-state', 'nothing is prepared')
      await sweepImages(db)
      return c.json({ cover })
    })
    .post('/apps/:id/publish', byId, async c => {
      const { id } = c.req.valid('param')
      const actor = c.get('actor')
      const row = await steered(c.get('actor'), id, 'publish')
      const { number, first } = await publish(db, id)
      await prove(db, jobs(), id, number)
      const version = await db
        .selectFrom('market_version')
        .select('name')
        .where('app_id', '=', id)
        .where('number', '=', number)
        .executeTakeFirst()
      await note(db, {
        userId: actor.userId,
        action: 'market-published',
        fileId: row.source_id ?? '',
        detail: { app: id, version: String(number) },
      })
      if (row.author !== null && row.hidden_at === null) {
        const followers = await db.selectFrom('market_follow').select('follower').where('author', '=', row.author).limit(500).execute()
        const data = { by: actor.name, name: version?.name ?? '', id, first: String(first) }
        await notify(
          followers.map(one => one.follower),
          'market-published',
          data,
        )
      }
      return c.json(await info(c.get('actor'), id, false))
    })
    .delete('/apps/:id/draft', byId, async c => {
      const row = await steered(c.get('actor'), c.req.valid('param').id, 'discard')
      await discard(db, row.id)
      await sweepImages(db)
      return c.json({ ok: true })
    })
    .post('/apps/:id/off-shelf', byId, async c => {
      const row = await steered(c.get('actor'), c.req.valid('param').id, 'takeOff')
      await shelve(db, row.id, 'takeOff')
      await note(db, { userId: c.get('actor').userId, action: 'market-off-shelf', fileId: row.source_id ?? '', detail: { app: row.id } })
      return c.json({ ok: true })
    })
    .post('/apps/:id/put-back', byId, async c => {
      const row = await steered(c.get('actor'), c.req.valid('param').id, 'putBack')
      await shelve(db, row.id, 'putBack')
      await note(db, { userId: c.get('actor').userId, action: 'market-put-back', fileId: row.source_id ?? '', detail: { app: row.id } })
      return c.json({ ok: true })
    })

  const { reading, writing, operating } = communityRoutes(parts)
  // What is open to everybody comes first: those who must sign in are asked from there on.
  return new Hono<Env>().route('/', open).route('/', reading).route('/', own).route('/', steps).route('/', writing).route('/', operating)
}
