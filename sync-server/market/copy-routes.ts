// Copies of publications, and where files came from or went to.
import { Hono } from 'hono'
import { z } from 'zod'
import { can } from '../../model-schema/roles.ts'
import { note } from '../audit.ts'
import type { Db } from '../db/database.ts'
import { Refusal, body, id, signedIn, team } from '../http.ts'
import type { Actor, SignedIn } from '../http.ts'
import { inWorkspace, onFile, permit } from '../permissions.ts'
import { ensurePersonalWorkspace } from '../workspaces/workspaces.ts'
import { loadVisible } from './access.ts'
import type { MarketParts, PublicationRow } from './access.ts'
import { originOf, takeCopy } from './copies.ts'
import { byId, language, thanks } from './fields.ts'
import { broughtAlong } from './freeze.ts'
import { translatedCopy } from './shipped.ts'

/** `language` is that of the person who takes the copy: shipped samples are there in several. */
const copyWish = z.object({ id, team: team.optional(), parent: id.nullable().optional(), by: z.uuid().optional(), thanks, language })

export function copyRoutes(parts: MarketParts) {
  const { db, rooms } = parts

  return (
    new Hono<SignedIn>()
      .use(signedIn)
      .post('/apps/:id/copies', byId, body(copyWish), async c => {
        const row = await loadVisible(parts, c.get('actor'), c.req.valid('param').id)
        const actor = c.get('actor')
        const wish = c.req.valid('json')
        const { team, counted } = await copyFor(parts, actor, row, wish)
        await note(db, { userId: actor.userId, action: 'market-downloaded', workspaceId: team, fileId: wish.id, detail: { app: row.id } })
        return c.json({ id: wish.id, team, counted }, 201)
      })
      .get('/origin/:id', byId, async c => {
        permit(await onFile(db, c.get('actor').userId, c.req.valid('param').id), 'view')
        return c.json({ origin: await originOf(db, c.req.valid('param').id) })
      })
      // The publication of a file, and the models outside of it that would be published along.
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
  )
}

/** Takes a copy for a person who can see the publication. Throws `market-state`, `no-permission`, and what `takeCopy` throws. */
async function copyFor(
  { db, quota, tariff }: MarketParts,
  actor: Actor,
  row: PublicationRow,
  wish: z.output<typeof copyWish>,
): Promise<{ team: string; counted: boolean }> {
  if (row.state !== 'published' || row.current === null) throw new Refusal('market-state', 'not on the shelf')
  if (row.pages?.copies !== true) throw new Refusal('no-permission', 'this one is used in its page')
  const home = permit(
    await inWorkspace(db, actor.userId, wish.team ?? (await ensurePersonalWorkspace(db, actor.userId, actor.name))),
    'createFile',
  )
  const translated = wish.language === undefined ? null : await translatedCopy(row.id, wish.language)
  const app = { id: row.id, author: row.author, number: row.current, name: row.name ?? '', ...translated }
  const by = wish.by !== undefined && (await isUser(db, wish.by)) ? wish.by : null
  const price = row.incentive?.price ?? 0
  // An organization's owner pays for what belongs to it; voluntary gifts are paid by the giver.
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
  return { team: home.team, counted }
}

const isUser = async (db: Db, userId: string): Promise<boolean> =>
  (await db.selectFrom('user').select('id').where('id', '=', userId).executeTakeFirst()) !== undefined
