// Plans and subscriptions over HTTP: the table of plans for all visitors, one's own subscription, changes of it, orders, invoices; and what
// providers of payments send.
import { Hono } from 'hono'
import { z } from 'zod'
import { levels } from '../../model-schema/business/plans.ts'
import { intervals } from '../../model-schema/business/subscription.ts'
import { note } from '../audit.ts'
import { Refusal, addressOf, body, params, signedIn } from '../http.ts'
import type { Env, SignedIn } from '../http.ts'
import { chosen } from '../payments/test.ts'
import { ask, hear, invoicesOf, subscriptionOf } from './subscriptions.ts'
import type { SubscriptionParts } from './subscriptions.ts'

const level = z.enum(levels)
const interval = z.enum(intervals)
const change = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('subscribe'), level, interval }),
  z.strictObject({ type: z.literal('upgrade'), level }),
  z.strictObject({ type: z.literal('downgrade'), level }),
  z.strictObject({ type: z.literal('changeInterval'), interval }),
  z.strictObject({ type: z.literal('cancel') }),
  z.strictObject({ type: z.literal('keep') }),
  z.strictObject({ type: z.literal('pay') }),
])
const byOrder = params(z.object({ order: z.string().regex(/^[\w-]{1,120}$/) }))
const outcome = z.enum(['paid', 'declined'])

export function planRoutes(parts: SubscriptionParts & { trustProxy: boolean }) {
  const { db, payments, tariff, base, quota, trustProxy } = parts

  async function orderOf(id: string, userId: string) {
    const order = await db.selectFrom('payment_order').selectAll().where('id', '=', id).where('user_id', '=', userId).executeTakeFirst()
    if (order === undefined) throw new Refusal('not-found')
    return order
  }

  const open = new Hono<Env>()
    .get('/', c => c.json({ plans: tariff.plans, base, payments: payments?.name ?? null }))
    .post('/events/:provider', params(z.object({ provider: z.literal('stripe') })), async c => {
      if (payments?.name !== c.req.valid('param').provider) throw new Refusal('not-found')
      const event = await payments.read(await c.req.text(), c.req.header('stripe-signature'))
      return c.json({ heard: event === null ? 'unknown' : await hear(parts, event) })
    })

  const own = new Hono<SignedIn>()
    .use(signedIn)
    .get('/subscription', async c => {
      const { userId } = c.get('actor')
      const kept = await subscriptionOf(db, userId)
      const plan = await quota.planOf(userId)
      return c.json({ level: plan.level, isGiven: kept !== null && kept.subscription === null, subscription: kept?.subscription ?? null })
    })
    .post('/subscription', body(z.object({ change })), async c => {
      const { userId, email } = c.get('actor')
      const wish = c.req.valid('json').change
      const asked = await ask(parts, { userId, email }, wish)
      const detail = { change: wish.type, ...('level' in wish ? { level: wish.level } : {}) }
      await note(db, { userId, action: 'subscription-asked', address: addressOf(c, trustProxy), detail })
      return c.json({ subscription: null, order: null, url: null, ...asked })
    })
    .get('/orders/:order', byOrder, async c => {
      const { id, amount, currency, state, change: wish, provider } = await orderOf(c.req.valid('param').order, c.get('actor').userId)
      return c.json({ id, amount, currency, state, change: wish, provider })
    })
    // The page of the embedded provider.
    .post('/orders/:order/test', byOrder, body(z.object({ outcome, renewals: outcome })), async c => {
      const { order } = c.req.valid('param')
      const { outcome: how, renewals } = c.req.valid('json')
      if (payments?.name !== 'test') throw new Refusal('not-found')
      const { provider } = await orderOf(order, c.get('actor').userId)
      if (provider !== 'test') throw new Refusal('not-found')
      const heard = await hear(parts, chosen(order, how, renewals))
      if (how === 'declined') throw new Refusal('payment-declined')
      return c.json({ heard })
    })
    .get('/invoices', async c => c.json({ invoices: await invoicesOf(db, c.get('actor').userId) }))

  return open.route('/', own)
}
