// Subscriptions in the database: what is asked of them, judged by model-schema/business/subscription.ts, what is paid for them, and the invoices. A payment
// changes a subscription only if that still allows what was paid for; otherwise the money goes back.
import { nanoid } from 'nanoid'
import type { PlanLevel } from '../../model-schema/business/plans.ts'
import { dueAt, inForceUntil, judge, unpaid } from '../../model-schema/business/subscription.ts'
import type { SubscriptionChange, Interval, Subscription } from '../../model-schema/business/subscription.ts'
import { givePoints } from '../coins/deals.ts'
import { serialisable } from '../coins/ledger.ts'
import type { Db } from '../db/database.ts'
import { Refusal } from '../http.ts'
import type { Notify } from '../notifications/notify.ts'
import type { Bill, PaymentEvent, Payments } from '../payments/payments.ts'
import { settleLocks } from './locks.ts'
import type { Quota } from './quota.ts'
import type { Tariff } from './tariff.ts'
import { logFailure } from '../db/failures.ts'

export type SubscriptionParts = {
  db: Db
  quota: Quota
  notify: Notify
  tariff: Tariff
  /** The plan of those who have no subscription. */
  base: PlanLevel
  /** Null: this server takes no money. */
  payments: Payments | null
  publicUrl: string
  /** Documents of a workspace may have become read-only, or open. */
  recheck: (team: string) => Promise<void>
}

/** The payer and the payment method; `subscription` is null for a plan given by operators, which is never charged. */
type Kept = { subscription: Subscription | null; customer: string | null }

/** What a person has; null without any, or with one that is over. */
export async function subscriptionOf(db: Db, userId: string, isLocked = false): Promise<Kept | null> {
  const row = await db
    .selectFrom('subscription')
    .selectAll()
    .where('user_id', '=', userId)
    .$if(isLocked, query => query.forUpdate())
    .executeTakeFirst()
  if (row === undefined) return null
  const { interval, period_from: from, period_until: until, price, day, status, next_level, next_interval, level } = row
  if (interval === null || from === null || until === null || price === null || day === null)
    return row.until !== null && row.until <= new Date() ? null : { subscription: null, customer: null }
  const next = next_level === null || next_interval === null ? null : { level: next_level, interval: next_interval }
  return {
    subscription: { level, interval, status, from: from.getTime(), until: until.getTime(), price, day, next },
    customer: row.customer,
  }
}

async function keep(tx: Db, userId: string, state: Subscription | null, customer: string | null, lookAt?: number): Promise<void> {
  if (state === null) return void (await tx.deleteFrom('subscription').where('user_id', '=', userId).execute())
  const values = {
    level: state.level,
    until: new Date(inForceUntil(state)),
    interval: state.interval,
    status: state.status,
    period_from: new Date(state.from),
    period_until: new Date(state.until),
    price: state.price,
    day: state.day,
    next_level: state.next?.level ?? null,
    next_interval: state.next?.interval ?? null,
    customer,
    look_at: new Date(lookAt ?? state.until),
  }
  await tx
    .insertInto('subscription')
    .values({ user_id: userId, ...values })
    .onConflict(conflict => conflict.column('user_id').doUpdateSet(values))
    .execute()
}

type Asked = { subscription: Subscription | null } | { order: string; url: string }

/** Asks a change of a person's subscription: done at once, or after a payment at `url`. Throws `change-unsupported`, `payments-closed`. */
export async function ask(
  parts: SubscriptionParts,
  user: { userId: string; email: string },
  change: SubscriptionChange,
  now = Date.now(),
): Promise<Asked> {
  const { db, payments, tariff, base, publicUrl } = parts
  const { userId } = user
  await settleDue(parts, userId, now)
  const order = nanoid(21)
  const asked = await serialisable(db, async tx => {
    const kept = await subscriptionOf(tx, userId, true)
    if (kept !== null && kept.subscription === null) throw unsupported(change, 'by-agreement')
    const verdict = judge(kept?.subscription ?? null, change, { now, plans: tariff.plans, base })
    if (!verdict.ok) throw unsupported(change, verdict.why)
    if (verdict.charge === 0 || verdict.state === null) {
      await keep(tx, userId, verdict.state, kept?.customer ?? null)
      return { bill: null, customer: null, state: verdict.state }
    }
    if (payments === null) throw new Refusal('payments-closed')
    const basis = kept?.subscription?.until ?? null
    await tx
      .insertInto('payment_order')
      .values({
        id: order,
        user_id: userId,
        change: JSON.stringify(change),
        basis: basis === null ? null : new Date(basis),
        amount: verdict.charge,
        provider: payments.name,
      })
      .execute()
    const { level, interval } = verdict.state
    return { bill: { order, amount: verdict.charge, level, interval }, customer: kept?.customer ?? null, state: null }
  })
  if (asked.bill === null || payments === null) {
    await settled(parts, userId)
    return { subscription: asked.state }
  }
  const done = `${publicUrl}/account/success/${order}`
  const { url } = await payments.checkout({
    ...asked.bill,
    ...user,
    customer: asked.customer,
    done,
    cancelled: `${publicUrl}/account/subscription`,
  })
  return { order, url }
}

const unsupported = (change: SubscriptionChange, why: string): Refusal =>
  new Refusal('change-unsupported', `${change.type}: ${why}`, { change: { asked: change.type, why } })

type Heard = 'applied' | 'refunded' | 'declined' | 'again' | 'unknown'

/** Does what a provider's event says, once. */
export async function hear(parts: SubscriptionParts, event: PaymentEvent, now = Date.now()): Promise<Heard> {
  const { db, tariff, base, payments } = parts
  const found = await serialisable(db, async (tx): Promise<{ heard: Heard; userId: string | null }> => {
    const isNew = await tx
      .insertInto('payment_event')
      .values({ id: event.id })
      .onConflict(conflict => conflict.doNothing())
      .returning('id')
      .executeTakeFirst()
    if (isNew === undefined) return { heard: 'again', userId: null }
    const order = await tx
      .selectFrom('payment_order')
      .selectAll()
      .where('id', '=', event.order)
      .where('provider', '=', payments?.name ?? 'none')
      .forUpdate()
      .executeTakeFirst()
    if (order === undefined) return { heard: 'unknown', userId: null }
    const close = (state: 'paid' | 'declined' | 'refundDue') =>
      tx
        .updateTable('payment_order')
        .set({ state, reference: event.reference, settled_at: new Date(now) })
        .where('id', '=', order.id)
        .execute()
    if (event.outcome === 'declined') {
      if (order.state === 'open') await close('declined')
      return { heard: 'declined', userId: order.user_id }
    }
    if (order.state !== 'open' && order.state !== 'declined') return { heard: 'again', userId: null }
    const kept = order.user_id === null ? null : await subscriptionOf(tx, order.user_id, true)
    const isAsThen = (kept?.subscription?.until ?? null) === (order.basis?.getTime() ?? null)
    const given = kept !== null && kept.subscription === null
    const isWhole = event.sum === null || (event.sum.amount === order.amount && event.sum.currency === order.currency)
    if (!isWhole) console.error(`payments: ${order.amount} ${order.currency} asked for ${order.id}, paid:`, event.sum)
    const verdict = judge(kept?.subscription ?? null, order.change, { now, plans: tariff.plans, base })
    if (order.user_id === null || given || !isWhole || !isAsThen || !verdict.ok || verdict.state === null) {
      await close('refundDue')
      return { heard: 'refunded', userId: order.user_id }
    }
    await close('paid')
    await keep(tx, order.user_id, verdict.state, event.customer ?? kept?.customer ?? null)
    const kind = order.change.type === 'upgrade' ? 'upgrade' : order.change.type === 'pay' ? 'renewal' : 'subscribe'
    await invoice(tx, order.user_id, { order: order.id, kind, amount: order.amount, state: verdict.state, now })
    if (kind !== 'upgrade') await rewardPlan(tx, tariff, order.user_id, verdict.state)
    return { heard: 'applied', userId: order.user_id }
  })
  if (found.heard === 'refunded') await refundDue(parts)
  if (found.heard === 'applied' && found.userId !== null) await settled(parts, found.userId)
  return found.heard
}

type Entry = { order: string; kind: 'subscribe' | 'upgrade' | 'renewal'; amount: number; state: Subscription; now: number }

/** Numbers of invoices have no holes: the counter waits for the transaction. */
async function invoice(tx: Db, userId: string, { order, kind, amount, state, now }: Entry): Promise<void> {
  const year = new Date(now).getUTCFullYear()
  const { serial } = await tx
    .insertInto('invoice_counter')
    .values({ year, serial: 1 })
    .onConflict(conflict => conflict.column('year').doUpdateSet(eb => ({ serial: eb('invoice_counter.serial', '+', 1) })))
    .returning('serial')
    .executeTakeFirstOrThrow()
  await tx
    .insertInto('invoice')
    .values({
      year,
      serial,
      user_id: userId,
      order_id: order,
      at: new Date(now),
      kind,
      level: state.level,
      interval: state.interval,
      period_from: new Date(kind === 'upgrade' ? now : state.from),
      period_until: new Date(state.until),
      amount,
      currency: 'usd',
    })
    .execute()
}

/** Points of the plan for a period that begins: of a year twelve times those of a month. */
async function rewardPlan(tx: Db, { economy }: Tariff, userId: string, { level, interval, from }: Subscription): Promise<void> {
  const points = (economy.planPoints[level] ?? 0) * (interval === 'year' ? 12 : 1)
  await givePoints(tx, `planReward:${userId}:${new Date(from).toISOString()}`, 'planReward', userId, points)
}

type InvoiceInfo = {
  number: string
  at: string
  kind: 'subscribe' | 'upgrade' | 'renewal'
  level: PlanLevel
  interval: Interval
  from: string
  until: string
  /** US cents. */
  amount: number
  currency: string
}

/** A person's invoices, newest first. */
export async function invoicesOf(db: Db, userId: string): Promise<InvoiceInfo[]> {
  const rows = await db
    .selectFrom('invoice')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('at', 'desc')
    .orderBy('serial', 'desc')
    .limit(500)
    .execute()
  return rows.map(row => ({
    number: `${row.year}-${String(row.serial).padStart(6, '0')}`,
    at: row.at.toISOString(),
    kind: row.kind,
    level: row.level,
    interval: row.interval,
    from: row.period_from.toISOString(),
    until: row.period_until.toISOString(),
    amount: row.amount,
    currency: row.currency,
  }))
}

/** The plan of a person may be another now: workspaces are locked or opened. */
async function settled({ db, quota, recheck }: SubscriptionParts, userId: string): Promise<void> {
  for (const team of await settleLocks(db, quota, userId)) await recheck(team)
}

/** Gives back what was paid for nothing, until the provider takes it. */
async function refundDue({ db, payments }: SubscriptionParts): Promise<void> {
  if (payments === null) return
  const due = await db
    .selectFrom('payment_order')
    .select(['id', 'reference'])
    .where('state', '=', 'refundDue')
    .where('provider', '=', payments.name)
    .limit(100)
    .execute()
  for (const { id, reference } of due) {
    if (reference === null) continue
    try {
      await payments.refund(id, reference)
      await db.updateTable('payment_order').set({ state: 'refunded' }).where('id', '=', id).execute()
    } catch (error) {
      logFailure(`payments: cannot give ${id} back yet:`, error)
    }
  }
}

const TRY_AGAIN_MS = 86_400_000
const CLAIM_MS = 600_000

/** Renews, ends and gives back what is due by itself. Several servers may do so at once. Answers how many subscriptions were looked at. */
export async function renewDue(parts: SubscriptionParts, now = Date.now()): Promise<number> {
  await refundDue(parts)
  // Plans that operators gave until now.
  const over = await parts.db
    .deleteFrom('subscription')
    .where('interval', 'is', null)
    .where('until', '<=', new Date(now))
    .returning('user_id')
    .execute()
  for (const { user_id } of over) {
    await parts.notify([user_id], 'subscription', { what: 'ended' })
    await settled(parts, user_id)
  }
  const due = await parts.db
    .selectFrom('subscription')
    .select('user_id')
    .where('look_at', '<=', new Date(now))
    .orderBy('look_at')
    .limit(1000)
    .execute()
  for (const { user_id } of due)
    await settleDue(parts, user_id, now).catch((error: unknown) => logFailure(`plans: cannot renew for ${user_id}:`, error))
  return due.length
}

/** Renews or ends one person's subscription when that is due. */
async function settleDue(parts: SubscriptionParts, userId: string, now: number): Promise<void> {
  const { db, payments, tariff, notify } = parts
  // The process that claims it does it; when it dies on the way, another one does in ten minutes.
  const { numUpdatedRows } = await db
    .updateTable('subscription')
    .set({ look_at: new Date(now + CLAIM_MS) })
    .where('user_id', '=', userId)
    .where('look_at', '<=', new Date(now))
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return
  const kept = await subscriptionOf(db, userId)
  if (kept?.subscription == null) return
  const { subscription, customer } = kept
  const due = dueAt(subscription, now, tariff.plans)
  if (due.type === 'nothing') return keep(db, userId, subscription, customer)
  if (due.type === 'end') {
    await db.deleteFrom('subscription').where('user_id', '=', userId).execute()
    await notify([userId], 'subscription', { what: 'ended' })
    return settled(parts, userId)
  }
  const order = await renewalOrder(db, userId, subscription, due.charge, payments?.name ?? 'none')
  const bill: Bill = { order: order.id, amount: order.amount, level: due.state.level, interval: due.state.interval }
  const paid =
    payments === null || customer === null
      ? ({ outcome: 'declined', reference: null } as const)
      : await payments.charge({ ...bill, customer, key: `${order.id}_${order.attempts}` })
  if (paid.outcome === 'declined') {
    await db
      .updateTable('payment_order')
      .set(eb => ({ attempts: eb('attempts', '+', 1) }))
      .where('id', '=', order.id)
      .execute()
    await keep(db, userId, unpaid(subscription), customer, now + TRY_AGAIN_MS)
    if (subscription.status !== 'pastDue') await notify([userId], 'subscription', { what: 'declined' })
    return
  }
  const applied = await serialisable(db, async tx => {
    const current = await subscriptionOf(tx, userId, true)
    const first = await tx
      .updateTable('payment_order')
      .set({ state: 'paid', reference: paid.reference, settled_at: new Date(now) })
      .where('id', '=', order.id)
      .where('state', '=', 'open')
      .returning('id')
      .executeTakeFirst()
    if (first === undefined) return false
    // Cancelled or paid by hand while the provider was asked.
    const again = current?.subscription == null ? null : dueAt(current.subscription, now, tariff.plans)
    if (again?.type !== 'renew' || again.charge !== order.amount || current?.subscription?.until !== subscription.until) {
      await tx.updateTable('payment_order').set({ state: 'refundDue' }).where('id', '=', order.id).execute()
      return false
    }
    await keep(tx, userId, again.state, customer)
    await invoice(tx, userId, { order: order.id, kind: 'renewal', amount: order.amount, state: again.state, now })
    await rewardPlan(tx, tariff, userId, again.state)
    return true
  })
  if (!applied) return refundDue(parts)
  await notify([userId], 'subscription', { what: 'renewed' })
  await settled(parts, userId)
}

/** The order of a period's renewal: one, whatever crashes on the way, so that a person is never charged twice for it. */
async function renewalOrder(db: Db, userId: string, { until }: Subscription, amount: number, provider: string) {
  const id = `renewal_${userId}_${until}_${amount}`
  const change: SubscriptionChange = { type: 'pay' }
  await db
    .insertInto('payment_order')
    .values({ id, user_id: userId, change: JSON.stringify(change), basis: new Date(until), amount, provider })
    .onConflict(conflict => conflict.doNothing())
    .execute()
  return db.selectFrom('payment_order').select(['id', 'amount', 'attempts']).where('id', '=', id).executeTakeFirstOrThrow()
}
