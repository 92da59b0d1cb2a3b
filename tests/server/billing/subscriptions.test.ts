// Subscriptions by way of the API and the embedded provider: changes and refusals, renewals, payments that come late, twice or for nothing, workspaces
// beyond their plan, keys.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as Y from 'yjs'
import { loadFile } from '../../../model-schema/document.ts'
import { plans } from '../../../model-schema/business/plans.ts'
import { GRACE_MS } from '../../../model-schema/business/subscription.ts'
import type { SubscriptionChange } from '../../../model-schema/business/subscription.ts'
import type { Payments } from '../../../sync-server/payments/payments.ts'
import { chosen, testPayments } from '../../../sync-server/payments/test.ts'
import { accessTo } from '../../../sync-server/files/access.ts'
import { settleLocks } from '../../../sync-server/plans/locks.ts'
import { quotaOf } from '../../../sync-server/plans/quota.ts'
import { hear, renewDue } from '../../../sync-server/plans/subscriptions.ts'
import { newId } from '../../help/network/company.ts'
import { Person, startServer, useDatabase } from '../../help/server.ts'
import type { TestServer } from '../../help/server.ts'

const suite = useDatabase()
let server: TestServer
/** What was asked of the provider. */
const charged: { key: string; amount: number }[] = []
const refunded: string[] = []

const inner = testPayments()
const payments: Payments = {
  ...inner,
  charge: async wanted => {
    charged.push({ key: wanted.key, amount: wanted.amount })
    return inner.charge(wanted)
  },
  refund: async order => void refunded.push(order),
}

beforeAll(async () => {
  server = await startServer(suite.connection, { plan: 'free', payments })
})
afterAll(() => server?.stop())

const DAY = 86_400_000
const change = (one: Person, wish: SubscriptionChange) => one.call('POST', '/api/plans/subscription', { change: wish })
const subscriptionOf = async (one: Person) => (await one.must('GET', '/api/plans/subscription')).subscription
const pay = (one: Person, order: string, renewals = 'paid') =>
  one.must('POST', `/api/plans/orders/${order}/test`, { outcome: 'paid', renewals })
const invoicesOf = async (one: Person) => (await one.must('GET', '/api/plans/invoices')).invoices

async function subscribe(one: Person, level: 'basic' | 'plus' | 'pro', renewals = 'paid'): Promise<void> {
  const { order } = (await change(one, { type: 'subscribe', level, interval: 'month' })).json
  await pay(one, order, renewals)
}

/** Moves a subscription back in time, so that its period ends now. */
async function endPeriod(one: Person): Promise<number> {
  const { from, until } = await subscriptionOf(one)
  const now = Date.now()
  await server.database.db
    .updateTable('subscription')
    .set({
      period_from: new Date(from - (until - now)),
      period_until: new Date(now),
      until: new Date(now + GRACE_MS),
      look_at: new Date(now),
    })
    .where('user_id', '=', one.id)
    .execute()
  return now
}
const renew = (now?: number) => renewDue(server.app.subscriptions, now)

describe('a subscription', () => {
  it('begins with a payment: plan, invoice, points; the plans are there for anybody', async () => {
    const table = await new Person(server.url).must('GET', '/api/plans')
    expect(table).toMatchObject({ base: 'free', payments: 'test', plans: { basic: { price: { month: 900, year: 9000 } } } })
    const ann = await server.person('Ann')
    expect(await ann.must('GET', '/api/plans/subscription')).toEqual({ level: 'free', isGiven: false, subscription: null })
    const asked = (await change(ann, { type: 'subscribe', level: 'basic', interval: 'month' })).json
    expect(asked).toMatchObject({ subscription: null, url: `/account/checkout/${asked.order}` })
    expect(await ann.must('GET', `/api/plans/orders/${asked.order}`)).toMatchObject({
      amount: 900,
      state: 'open',
      change: { type: 'subscribe', level: 'basic' },
    })
    expect((await ann.must('GET', '/api/plans/subscription')).level).toBe('free')
    // Declined once, paid after.
    const declined = await ann.call('POST', `/api/plans/orders/${asked.order}/test`, { outcome: 'declined', renewals: 'paid' })
    expect([declined.status, declined.json.code]).toEqual([402, 'payment-declined'])
    expect(await pay(ann, asked.order)).toEqual({ heard: 'applied' })
    expect(await ann.must('GET', '/api/plans/subscription')).toMatchObject({
      level: 'basic',
      subscription: { status: 'active', interval: 'month', price: 900, next: null },
    })
    expect(await invoicesOf(ann)).toMatchObject([
      { kind: 'subscribe', level: 'basic', amount: 900, currency: 'usd', number: expect.stringMatching(/^\d{4}-\d{6}$/) },
    ])
    expect((await ann.must('GET', '/api/coins')).balances.points).toBe(50)
    expect((await ann.must('GET', '/api/accounts/usage')).plan.files).toBe(plans.basic.files)
  })

  it('is upgraded at once for the rest of the period, downgraded and given another interval at its end', async () => {
    const bob = await server.person('Bob')
    await subscribe(bob, 'basic')
    const before = await subscriptionOf(bob)
    const up = (await change(bob, { type: 'upgrade', level: 'pro' })).json
    const { amount } = await bob.must('GET', `/api/plans/orders/${up.order}`)
    expect(amount).toBeGreaterThan(3990)
    expect(amount).toBeLessThanOrEqual(4000)
    await pay(bob, up.order)
    expect(await subscriptionOf(bob)).toMatchObject({ level: 'pro', price: 4900, until: before.until })
    expect((await change(bob, { type: 'downgrade', level: 'plus' })).json.subscription).toMatchObject({
      level: 'pro',
      next: { level: 'plus', interval: 'month' },
    })
    expect((await change(bob, { type: 'changeInterval', interval: 'year' })).json.subscription).toMatchObject({
      next: { level: 'plus', interval: 'year' },
    })
    await endPeriod(bob)
    await renew()
    expect(await bob.must('GET', '/api/plans/subscription')).toMatchObject({
      level: 'plus',
      subscription: { interval: 'year', price: 19_000, next: null },
    })
    expect(charged.at(-1)).toMatchObject({ amount: 19_000 })
    expect((await invoicesOf(bob)).map((one: { kind: string; amount: number }) => [one.kind, one.amount])).toEqual([
      ['renewal', 19_000],
      ['upgrade', amount],
      ['subscribe', 900],
    ])
    const { notifications } = await bob.must('GET', '/api/notifications')
    expect(notifications[0]).toMatchObject({ kind: 'subscription', data: { what: 'renewed' } })
  })

  it('refuses what it does not support, and says why', async () => {
    const cara = await server.person('Cara')
    const why = async (wish: SubscriptionChange) => {
      const { status, json } = await change(cara, wish)
      expect([status, json.code, json.change?.asked]).toEqual([409, 'change-unsupported', wish.type])
      return json.change.why
    }
    expect(await why({ type: 'upgrade', level: 'pro' })).toBe('none')
    expect(await why({ type: 'subscribe', level: 'custom', interval: 'month' })).toBe('not-sold')
    expect(await why({ type: 'subscribe', level: 'free', interval: 'month' })).toBe('not-sold')
    await subscribe(cara, 'plus')
    expect(await why({ type: 'subscribe', level: 'pro', interval: 'month' })).toBe('subscribed')
    expect(await why({ type: 'upgrade', level: 'basic' })).toBe('not-higher')
    expect(await why({ type: 'downgrade', level: 'pro' })).toBe('not-lower')
    expect(await why({ type: 'changeInterval', interval: 'month' })).toBe('same')
    expect(await why({ type: 'keep' })).toBe('nothing-planned')
    expect(await why({ type: 'pay' })).toBe('paid')
    await change(cara, { type: 'cancel' })
    expect(await why({ type: 'upgrade', level: 'pro' })).toBe('ending')
    // A plan given by an operator is not one's own to change.
    await server.database.db.deleteFrom('subscription').where('user_id', '=', cara.id).execute()
    await server.database.db.insertInto('subscription').values({ user_id: cara.id, level: 'custom', until: null }).execute()
    expect(await cara.must('GET', '/api/plans/subscription')).toEqual({ level: 'custom', isGiven: true, subscription: null })
    expect(await why({ type: 'subscribe', level: 'pro', interval: 'month' })).toBe('by-agreement')
    for (const wish of [
      { type: 'subscribe' },
      { type: 'subscribe', level: 'gold', interval: 'month' },
      { type: 'upgrade', level: 'pro', price: 0 },
      {},
    ])
      expect((await cara.call('POST', '/api/plans/subscription', { change: wish })).status).toBe(400)
  })

  it('ends when it is cancelled, at the end of what is paid, or is kept', async () => {
    const dan = await server.person('Dan')
    await subscribe(dan, 'basic')
    expect((await change(dan, { type: 'cancel' })).json.subscription).toMatchObject({ status: 'ending', level: 'basic' })
    expect((await change(dan, { type: 'keep' })).json.subscription).toMatchObject({ status: 'active' })
    await change(dan, { type: 'cancel' })
    const now = await endPeriod(dan)
    const before = charged.length
    await renew(now)
    expect(await dan.must('GET', '/api/plans/subscription')).toEqual({ level: 'free', isGiven: false, subscription: null })
    expect(charged.length).toBe(before)
  })

  it('that an operator gave ends when it was to', async () => {
    const pia = await server.person('Pia')
    const { db } = server.database
    await db
      .insertInto('subscription')
      .values({ user_id: pia.id, level: 'pro', until: new Date(Date.now() + DAY) })
      .execute()
    await renew()
    expect(await pia.must('GET', '/api/plans/subscription')).toMatchObject({ level: 'pro', isGiven: true })
    await renew(Date.now() + 2 * DAY)
    expect(await pia.must('GET', '/api/plans/subscription')).toMatchObject({ level: 'free', isGiven: false })
    expect((await pia.must('GET', '/api/notifications')).notifications[0]).toMatchObject({ kind: 'subscription', data: { what: 'ended' } })
  })

  it('that can’t be renewed goes on for a week, can be paid by hand, and ends', async () => {
    const eve = await server.person('Eve')
    await subscribe(eve, 'plus', 'declined')
    const now = await endPeriod(eve)
    await renew(now)
    expect(await eve.must('GET', '/api/plans/subscription')).toMatchObject({ level: 'plus', subscription: { status: 'pastDue' } })
    expect((await eve.must('GET', '/api/notifications')).notifications[0]).toMatchObject({ data: { what: 'declined' } })
    // Not tried again before tomorrow, then as another attempt of the same order.
    const before = charged.length
    await renew(now + DAY / 2)
    expect(charged.length).toBe(before)
    await renew(now + DAY + 1)
    expect(charged.length).toBe(before + 1)
    expect(charged.at(-1)?.key.replace(/_1$/, '_0')).toBe(charged.at(-2)?.key)
    const { order } = (await change(eve, { type: 'pay' })).json
    expect(await pay(eve, order, 'declined')).toEqual({ heard: 'applied' })
    expect(await subscriptionOf(eve)).toMatchObject({ status: 'active', price: 1900 })
    const again = await endPeriod(eve)
    await renew(again)
    await renew(again + GRACE_MS + DAY)
    expect((await eve.must('GET', '/api/plans/subscription')).subscription).toBeNull()
    expect((await invoicesOf(eve)).length).toBe(2)
  })
})

describe('payments', () => {
  it('told twice, or several at once, count once', async () => {
    const fay = await server.person('Fay')
    const { order } = (await change(fay, { type: 'subscribe', level: 'basic', interval: 'month' })).json
    const event = chosen(order, 'paid', 'paid')
    const heard = await Promise.all(
      Array.from({ length: 8 }, (_, i) => hear(server.app.subscriptions, i % 2 === 0 ? event : { ...event, id: `${event.id}_${i}` })),
    )
    expect(heard.filter(one => one === 'applied').length).toBe(1)
    expect(new Set(heard)).toEqual(new Set(['applied', 'again']))
    expect((await invoicesOf(fay)).length).toBe(1)
    expect((await fay.must('GET', '/api/coins')).balances.points).toBe(50)
  })

  it('for what is no longer so are given back: two subscriptions at once, an upgrade of an earlier period', async () => {
    const gil = await server.person('Gil')
    const [one, two] = [
      (await change(gil, { type: 'subscribe', level: 'basic', interval: 'month' })).json.order,
      (await change(gil, { type: 'subscribe', level: 'pro', interval: 'month' })).json.order,
    ]
    const heard = await Promise.all([pay(gil, one), pay(gil, two)])
    expect(heard.map(({ heard }) => heard).sort()).toEqual(['applied', 'refunded'])
    expect((await invoicesOf(gil)).length).toBe(1)
    expect(refunded).toContain(heard[0].heard === 'refunded' ? one : two)

    // Quoted when the period was nearly over, paid when the next has begun: that would be a month of Pro for cents.
    const hal = await server.person('Hal')
    await subscribe(hal, 'basic')
    const { order } = (await change(hal, { type: 'upgrade', level: 'pro' })).json
    await endPeriod(hal)
    await renew()
    expect(await pay(hal, order)).toEqual({ heard: 'refunded' })
    expect((await hal.must('GET', '/api/plans/subscription')).level).toBe('basic')
    expect(refunded).toContain(order)
  })

  it('are one’s own: nobody sees or pays another’s order, and unknown ones are nothing', async () => {
    const [ivy, jo] = [await server.person('Ivy'), await server.person('Jo')]
    const { order } = (await change(ivy, { type: 'subscribe', level: 'basic', interval: 'month' })).json
    expect((await jo.call('GET', `/api/plans/orders/${order}`)).status).toBe(404)
    expect((await jo.call('POST', `/api/plans/orders/${order}/test`, { outcome: 'paid', renewals: 'paid' })).status).toBe(404)
    expect(await hear(server.app.subscriptions, chosen('none', 'paid', 'paid'))).toBe('unknown')
    const stranger = new Person(server.url)
    expect((await stranger.call('GET', '/api/plans/subscription')).status).toBe(401)
    expect((await change(stranger, { type: 'subscribe', level: 'basic', interval: 'month' })).status).toBe(401)
    expect((await stranger.call('GET', '/api/plans/invoices')).status).toBe(401)
    expect((await stranger.call('POST', '/api/plans/events/stripe', {})).status).toBe(404)
  })

  it('of several servers that renew at once are charged once, and invoices have no holes', async () => {
    const people = await Promise.all(['Kim', 'Lea', 'Max'].map(name => server.person(name)))
    for (const one of people) await subscribe(one, 'basic')
    for (const one of people) await endPeriod(one)
    const before = charged.length
    await Promise.all([renew(), renew(), renew()])
    expect(charged.length - before).toBe(3)
    for (const one of people) expect((await invoicesOf(one)).length).toBe(2)
    const rows = await server.database.db.selectFrom('invoice').select('serial').orderBy('serial').execute()
    expect(rows.map(({ serial }) => serial)).toEqual(rows.map((_, i) => i + 1))
  })
})

describe('a file beyond its plan', () => {
  /** Writes the changes of a document to a file, and has it stored once no member is connected. */
  async function store(one: Person, id: string, doc: Y.Doc): Promise<void> {
    const epoch = (await one.call('GET', `/api/docs/${id}/state`)).headers.get('x-epoch') ?? ''
    await one.must('POST', `/api/docs/${id}/updates`, Y.encodeStateAsUpdate(doc), { 'x-epoch': epoch })
    await server.rooms.log.compact(id)
  }
  /** A model of so many scenarios, of which the last has so many agents in it. */
  function modelOf(scenarios: number, agents: number): Y.Doc {
    const doc = new Y.Doc()
    const elements: Parameters<typeof loadFile>[1]['elements'] = {}
    for (let i = 1; i <= scenarios; i++) elements[`scenario${i}`] = { kind: 'scenario', name: `Scenario ${i}`, rank: `a${i}` }
    for (let i = 1; i <= agents; i++)
      elements[`agent${i}`] = { kind: 'agent', name: `Agent ${i}`, parent: `scenario${scenarios}`, rank: `a${String(i).padStart(4, '0')}1` }
    loadFile(doc, { format: 'holo', version: 1, elements })
    return doc
  }
  const marks = async (one: Person, team = one.team) =>
    Object.fromEntries(
      (await one.must('GET', `/api/files?of=folder&team=${team}`)).files.map((file: { name: string; beyondPlan: unknown }) => [
        file.name,
        file.beyondPlan,
      ]),
    )

  it('is marked in lists from when it is stored until it holds less, or the plan grows; so are its copies', async () => {
    const ron = await server.person('Ron')
    const [many, full, small] = [await ron.file('Many'), await ron.file('Full'), await ron.file('Small')]
    const doc = modelOf(4, 0)
    expect(await marks(ron)).toEqual({ Many: null, Full: null, Small: null })
    await store(ron, many, doc)
    await store(ron, full, modelOf(1, 201))
    await store(ron, small, modelOf(3, 200))
    const excess = { quantity: 'scenariosPerFile', used: 4, allowed: 3, isOwners: false }
    expect(await marks(ron)).toEqual({
      Many: excess,
      Full: { quantity: 'componentsPerScenario', used: 201, allowed: 200, isOwners: false },
      Small: null,
    })
    expect((await ron.must('GET', `/api/files/${many}`)).beyondPlan).toEqual(excess)
    const copy = newId()
    await ron.must('POST', `/api/files/${many}/duplicate`, { id: copy, name: 'Copy' })
    expect((await marks(ron))['Copy']).toEqual(excess)
    await subscribe(ron, 'basic')
    expect(Object.values(await marks(ron))).toEqual([null, null, null, null])
    await server.database.db.deleteFrom('subscription').where('user_id', '=', ron.id).execute()
    doc.getMap('kind').delete('scenario4')
    await store(ron, many, doc)
    expect(await marks(ron)).toMatchObject({ Many: null, Copy: excess })
  })

  it('counts by the plan of whoever looks in a team, by its owner’s in an organization', async () => {
    const [sam, tom] = [await server.person('Sam'), await server.person('Tom')]
    const { db } = server.database
    await db.insertInto('subscription').values({ user_id: sam.id, level: 'plus', until: null }).execute()
    for (const type of ['team', 'organization'] as const) {
      const id = newId()
      await sam.must('POST', '/api/workspaces', { id, type, name: `Space ${id}` })
      await db.insertInto('workspace_member').values({ workspace_id: id, user_id: tom.id, role: 'editor' }).execute()
      await store(sam, await sam.file('Many', { team: id }), modelOf(4, 0))
      expect(await marks(sam, id)).toEqual({ Many: null })
      const excess = { quantity: 'scenariosPerFile', used: 4, allowed: 3 }
      expect(await marks(tom, id)).toEqual({ Many: type === 'team' ? { ...excess, isOwners: false } : null })
      if (type === 'team') continue
      await db.deleteFrom('subscription').where('user_id', '=', sam.id).execute()
      expect(await marks(tom, id)).toEqual({ Many: { ...excess, isOwners: true } })
      expect(await marks(sam, id)).toEqual({ Many: { ...excess, isOwners: false } })
    }
  })
})

describe('a workspace beyond its plan', () => {
  it('can only be read, until there is room, a key is used up, or the plan grows', async () => {
    const nan = await server.person('Nan')
    await subscribe(nan, 'basic')
    const { db } = server.database
    const rows = Array.from({ length: (plans.free.files ?? 0) + 1 }, (_, i) => ({
      id: newId(),
      workspace_id: nan.team,
      kind: 'model',
      name: `File ${i}`,
      creator_id: nan.id,
    }))
    await db.insertInto('file').values(rows).execute()
    // What their documents are opened as.
    const role = () => accessTo(db)(rows[0]!.id, nan.id, null)
    expect(await role()).toBe('owner')
    await change(nan, { type: 'cancel' })
    await renew(await endPeriod(nan))
    expect(await role()).toBe('commenter')
    const { lock } = await nan.must('GET', `/api/coins/locks?team=${nan.team}`)
    expect(lock).toMatchObject({ quantity: 'files', used: 31, allowed: 30, isOpen: false, unlockedUntil: null })

    const marks = async () =>
      new Set(
        (await nan.must('GET', `/api/files?of=folder&team=${nan.team}`)).files.map((one: { overLimit: unknown }) =>
          JSON.stringify(one.overLimit),
        ),
      )
    expect(await marks()).toEqual(new Set([JSON.stringify({ quantity: 'files', used: 31, allowed: 30 })]))
    // By a key: the one of the register gift, then none.
    const wish = { id: newId(), team: nan.team, item: 'key' }
    const { until } = await nan.must('POST', '/api/coins/unlock', wish)
    expect(Math.round((Date.parse(until) - Date.now()) / DAY)).toBe(30)
    expect(await nan.must('POST', '/api/coins/unlock', wish)).toEqual({ until })
    expect(await role()).toBe('owner')
    expect(await marks()).toEqual(new Set(['null']))
    const none = await nan.call('POST', '/api/coins/unlock', { id: newId(), team: nan.team, item: 'goldKey' })
    expect(none.json).toMatchObject({ code: 'not-enough-items', missing: { asset: 'goldKey', needed: 1, has: 0 } })
    await db
      .updateTable('workspace_lock')
      .set({ unlocked_until: new Date(Date.now() - 1) })
      .where('workspace_id', '=', nan.team)
      .execute()
    expect(await role()).toBe('commenter')

    // Only those who may edit can unlock, and only what is locked.
    const oli = await server.person('Oli')
    expect((await oli.call('POST', '/api/coins/unlock', { ...wish, id: newId() })).status).toBe(404)
    expect((await oli.call('GET', `/api/coins/locks?team=${nan.team}`)).status).toBe(404)
    expect((await oli.call('POST', '/api/coins/unlock', { id: newId(), team: oli.team, item: 'key' })).status).toBe(404)

    // By making room.
    await db.deleteFrom('file').where('id', '=', rows[1]!.id).execute()
    expect((await nan.must('GET', `/api/coins/locks?team=${nan.team}`)).lock).toBeNull()
    expect(await role()).toBe('owner')

    // By a larger plan.
    await db.insertInto('file').values(rows[1]!).execute()
    await settleLocks(db, quotaOf(db, 'free'), nan.id)
    expect(await role()).toBe('commenter')
    await subscribe(nan, 'basic')
    expect(await role()).toBe('owner')
  })
})
