// Coins, points and items over HTTP: what one has, the shop, using items up, history and export, one's invitation code, and gifts by operators.
import { Hono } from 'hono'
import { stream } from 'hono/streaming'
import { z } from 'zod'
import { assets, deeds, items } from '../../model-schema/business/coins.ts'
import { note } from '../audit.ts'
import { Refusal, addressOf, body, email, id, query, signedIn, team } from '../http.ts'
import type { Env, SignedIn } from '../http.ts'
import { admitOperator } from '../operator/operators.ts'
import type { Operators } from '../operator/operators.ts'
import type { Parts } from '../parts.ts'
import { inWorkspace, permit } from '../permissions.ts'
import { lockOf, settleLocks, unlock } from '../plans/locks.ts'
import { buyItem, buyPackage, enlargePlan, sellItem } from './deals.ts'
import { give, referralOf, welcome } from './gifts.ts'
import { balances, history, historyCsv, person } from './ledger.ts'
import type { HistoryFilter } from './ledger.ts'

const count = z.number().int().min(1).max(10_000)
const item = z.enum(items)
const list = <T extends string>(names: readonly T[]) =>
  z
    .union([z.string().max(400), z.array(z.string().max(40)).max(20)])
    .transform(text => [text].flat().flatMap(one => one.split(',')))
    .pipe(z.array(z.enum(names as readonly [T, ...T[]])).min(1))
const filter = z.object({
  assets: list(assets).optional(),
  kinds: list(deeds).optional(),
  direction: z.enum(['in', 'out']).optional(),
  from: z.iso.datetime({ offset: true }).optional(),
  until: z.iso.datetime({ offset: true }).optional(),
})
const page = filter.extend({
  before: z.coerce.number().int().positive().optional(),
  limit: z.coerce.number().int().min(1).max(200).optional(),
})

function filterOf({ assets: some, kinds, direction, from, until }: z.output<typeof filter>): HistoryFilter {
  return {
    ...(some === undefined ? {} : { assets: some }),
    ...(kinds === undefined ? {} : { kinds }),
    ...(direction === undefined ? {} : { direction }),
    ...(from === undefined ? {} : { from: new Date(from) }),
    ...(until === undefined ? {} : { until: new Date(until) }),
  }
}

export function coinRoutes({ db, rooms, notify, quota, tariff, publicUrl, trustProxy, operators }: Parts & { operators: Operators }) {
  const { economy } = tariff

  const own = new Hono<SignedIn>()
    .use(signedIn)
    .get('/', async c => {
      const { userId } = c.get('actor')
      // Those who were here before there were gifts.
      await welcome(db, economy, userId)
      return c.json({ balances: await balances(db, person(userId)), economy })
    })
    .get('/history', query(page), async c => {
      const { before, limit = 50, ...wanted } = c.req.valid('query')
      const lines = await history(db, person(c.get('actor').userId), filterOf(wanted), {
        limit,
        ...(before === undefined ? {} : { before }),
      })
      const transactions = new Set(lines.map(line => line.id)).size
      return c.json({ lines, next: transactions < limit ? null : (lines.at(-1)?.id ?? null) })
    })
    .get('/history.csv', query(filter), c => {
      c.header('content-type', 'text/csv; charset=utf-8')
      c.header('content-disposition', 'attachment; filename="holarchy-coins.csv"')
      const parts = historyCsv(db, person(c.get('actor').userId), filterOf(c.req.valid('query')))
      return stream(c, async out => {
        for await (const part of parts) await out.write(part)
      })
    })
    .post('/buy', body(z.object({ id, item, count })), async c => {
      const { item: what, ...wish } = c.req.valid('json')
      await buyItem(db, economy, { ...wish, userId: c.get('actor').userId }, what)
      return c.json({ balances: await balances(db, person(c.get('actor').userId)) })
    })
    .post('/packages', body(z.object({ id, package: z.string().max(40), count: count.max(100) })), async c => {
      const { package: what, ...wish } = c.req.valid('json')
      await buyPackage(db, economy, { ...wish, userId: c.get('actor').userId }, what)
      return c.json({ balances: await balances(db, person(c.get('actor').userId)) })
    })
    .post('/sell', body(z.object({ id, item, count })), async c => {
      const { item: what, ...wish } = c.req.valid('json')
      await sellItem(db, economy, { ...wish, userId: c.get('actor').userId }, what)
      return c.json({ balances: await balances(db, person(c.get('actor').userId)) })
    })
    .post(
      '/use',
      body(z.object({ id, item: z.enum(['commonComponent', 'advancedComponent', 'workspace']), count: count.max(1000) })),
      async c => {
        const { item: what, ...wish } = c.req.valid('json')
        const { userId } = c.get('actor')
        await enlargePlan(db, economy, { ...wish, userId }, what)
        for (const opened of await settleLocks(db, quota, userId)) await rooms.recheckWorkspace(opened)
        return c.json({ balances: await balances(db, person(userId)) })
      },
    )
    .get('/locks', query(z.object({ team })), async c => {
      const { team: where } = c.req.valid('query')
      const standing = permit(await inWorkspace(db, c.get('actor').userId, where), 'view')
      // There may be room by now.
      if ((await lockOf(db, where)) !== null)
        for (const changed of await settleLocks(db, quota, standing.ownerId)) await rooms.recheckWorkspace(changed)
      return c.json({ lock: await lockOf(db, where) })
    })
    .post('/unlock', body(z.object({ id, team, item: z.enum(['key', 'goldKey']) })), async c => {
      const { id: wish, team: where, item: key } = c.req.valid('json')
      const { userId } = c.get('actor')
      permit(await inWorkspace(db, userId, where), 'unlock')
      const until = await unlock(db, economy, wish, userId, where, key)
      await note(db, { userId, action: 'unlocked', workspaceId: where, address: addressOf(c, trustProxy), detail: { item: key } })
      await rooms.recheckWorkspace(where)
      return c.json({ until: until.toISOString() })
    })
    .get('/referral', async c => {
      const referral = await referralOf(db, c.get('actor').userId)
      const terms = { coins: Math.floor((economy.registerGift.coins ?? 0) * economy.referral.coefficient), ...economy.referral }
      return c.json({ ...referral, link: `${publicUrl}/register?invitation=${referral.code}`, terms })
    })

  const given = z.partialRecord(z.enum(assets), z.number().int().min(1).max(1e9)).refine(one => Object.keys(one).length > 0, 'nothing')
  const kind = z.enum(['systemGift', 'platformCompensation'])
  const operator = new Hono<Env>().post('/operator/give', body(z.object({ id, email, kind, amounts: given })), async c => {
    const by = admitOperator(c, operators)
    const { id: wish, email: address, kind: how, amounts } = c.req.valid('json')
    const to = await db.selectFrom('user').select('id').where('email', '=', address).where('emailVerified', '=', true).executeTakeFirst()
    if (to === undefined) throw new Refusal('user-not-registered')
    const { isNew } = await give(db, { key: wish, kind: how, userId: to.id, amounts, by: by ?? 'operator' })
    if (isNew) {
      await note(db, { userId: by, action: 'coins-given', address: addressOf(c, trustProxy), detail: { to: to.id, kind: how } })
      await notify([to.id], 'coins-given', { kind: how, amounts: JSON.stringify(amounts) })
    }
    return c.json({ balances: await balances(db, person(to.id)), isNew })
  })

  return operator.route('/', own)
}
