// What people who are signed in do with publications and authors: like, keep, thank, follow; and what they say of themselves.
import { Hono } from 'hono'
import { z } from 'zod'
import { MARKET } from '../../model-schema/business/market.ts'
import { trade } from '../coins/deals.ts'
import { Refusal, body, id, signedIn } from '../http.ts'
import type { SignedIn } from '../http.ts'
import { isNamed } from '../operator/operators.ts'
import { loadVisible } from './access.ts'
import type { MarketParts } from './access.ts'
import { follow, mark } from './crowd.ts'
import { byId, byPerson, thanks } from './fields.ts'

export function readerRoutes(parts: MarketParts) {
  const { db, tariff, notify, operators } = parts

  return (
    new Hono<SignedIn>()
      .use(signedIn)
      .put('/apps/:id/like', byId, body(z.object({ on: z.boolean() })), async c => {
        const row = await loadVisible(parts, c.get('actor'), c.req.valid('param').id)
        await mark(db, 'market_like', row, c.get('actor').userId, c.req.valid('json').on)
        return c.json({ ok: true })
      })
      .put('/apps/:id/favourite', byId, body(z.object({ on: z.boolean() })), async c => {
        const row = await loadVisible(parts, c.get('actor'), c.req.valid('param').id)
        await mark(db, 'market_favourite', row, c.get('actor').userId, c.req.valid('json').on)
        return c.json({ ok: true })
      })
      // A voluntary gift of coins from a user to the author.
      .post('/apps/:id/thanks', byId, body(z.object({ id, coins: thanks.refine(coins => coins > 0) })), async c => {
        const row = await loadVisible(parts, c.get('actor'), c.req.valid('param').id)
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
      // What a signed-in user may do here in addition to all visitors.
      .get('/me', c => c.json({ operator: isNamed(operators, c.get('actor')) }))
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
  )
}
