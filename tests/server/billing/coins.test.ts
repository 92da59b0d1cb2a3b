// Coins, points and items by way of the API: gifts, shop, packages, selling, using up, referrals and how they can't be abused, operators.
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { afterFee, economy, items } from '../../../model-schema/business/coins.ts'
import { plans } from '../../../model-schema/business/plans.ts'
import { takeEnergy, trade } from '../../../sync-server/coins/deals.ts'
import { mailboxOf, rewardHolders, welcome } from '../../../sync-server/coins/gifts.ts'
import { balances, person } from '../../../sync-server/coins/ledger.ts'
import { readTariff } from '../../../sync-server/plans/tariff.ts'
import { newId } from '../../help/network/company.ts'
import { Person, startServer, useDatabase } from '../../help/server.ts'
import type { TestServer } from '../../help/server.ts'

const suite = useDatabase()
const OPERATOR = 'operator@example.org'
let server: TestServer

beforeAll(async () => {
  server = await startServer(suite.connection, { plan: 'free', operators: [OPERATOR] })
})
afterAll(() => server?.stop())

const token = { authorization: 'Bearer a secret that is only good for tests, of course' }
const purse = async (one: Person) => (await one.must('GET', '/api/coins')).balances
const give = (to: Person, amounts: Record<string, number>) =>
  new Person(server.url).must('POST', '/api/coins/operator/give', { id: newId(), email: to.email, kind: 'systemGift', amounts }, token)

describe('gifts', () => {
  it('for registering come once with the activation, and are told of', async () => {
    const ann = await server.person('Ann')
    expect(await purse(ann)).toMatchObject({ coins: 500, key: 1, energy: 10, goldKey: 0, points: 0 })
    expect(await welcome(server.database.db, economy, ann.id)).toBeNull()
    const { lines } = await ann.must('GET', '/api/coins/history')
    expect(lines.map((line: { entry: string; asset: string; amount: number }) => [line.entry, line.asset, line.amount])).toEqual([
      ['registerGift', 'coins', 500],
      ['registerGift', 'energy', 10],
      ['registerGift', 'key', 1],
    ])
  })

  it('come late to accounts that were there before, and never to those not activated', async () => {
    const { db } = server.database
    const made = (emailVerified: boolean) =>
      db
        .insertInto('user')
        .values({ name: newId(), email: `${newId()}@example.org`, emailVerified })
        .returning('id')
        .executeTakeFirstOrThrow()
    const [old, idle] = [await made(true), await made(false)]
    expect((await welcome(db, economy, old.id))?.gift).toEqual(economy.registerGift)
    expect(await welcome(db, economy, idle.id)).toBeNull()
    expect((await balances(db, person(idle.id))).coins).toBe(0)
  })

  it('of operators are for operators to give, once each', async () => {
    const bob = await server.person('Bob')
    const gift = { id: newId(), email: bob.email, kind: 'platformCompensation', amounts: { coins: 30, goldKey: 1 } }
    expect((await bob.call('POST', '/api/coins/operator/give', gift)).status).toBe(404)
    expect((await new Person(server.url).call('POST', '/api/coins/operator/give', gift)).status).toBe(404)
    const anybody = new Person(server.url)
    expect(await anybody.must('POST', '/api/coins/operator/give', gift, token)).toMatchObject({ isNew: true, balances: { coins: 530 } })
    expect(await anybody.must('POST', '/api/coins/operator/give', gift, token)).toMatchObject({ isNew: false, balances: { coins: 530 } })
    expect((await anybody.call('POST', '/api/coins/operator/give', { ...gift, amounts: {} }, token)).status).toBe(400)
    expect((await anybody.call('POST', '/api/coins/operator/give', { ...gift, id: newId(), amounts: { coins: -5 } }, token)).status).toBe(
      400,
    )
    const nobody = await anybody.call('POST', '/api/coins/operator/give', { ...gift, id: newId(), email: 'none@example.org' }, token)
    expect(nobody.json.code).toBe('user-not-registered')
    const { notifications } = await bob.must('GET', '/api/notifications')
    expect(notifications[0]).toMatchObject({ kind: 'coins-given', data: { kind: 'platformCompensation' } })
    // Operators sign in as anybody else does.
    await server.database.db.updateTable('user').set({ email: OPERATOR }).where('id', '=', bob.id).execute()
    await bob.must('POST', '/api/accounts/login', { email: OPERATOR, password: 'correct horse' })
    expect(await bob.must('POST', '/api/coins/operator/give', { ...gift, id: newId(), email: OPERATOR })).toMatchObject({ isNew: true })
  })

  it('of a day for holding are once a day', async () => {
    const holder = await server.person('Holder')
    await give(holder, { coins: 2600, workspace: 20 })
    const { db } = server.database
    const today = new Date('2031-03-04T10:00:00Z')
    expect(await rewardHolders(db, economy, today)).toBeGreaterThan(0)
    expect(await rewardHolders(db, economy, today)).toBe(0)
    // 3 for 3100 coins, 3 for 31 items (20 given, 11 from registering).
    expect((await purse(holder)).points).toBe(6)
    await rewardHolders(db, economy, new Date('2031-03-05T00:00:00Z'))
    expect((await purse(holder)).points).toBe(12)
  })
})

describe('the shop', () => {
  it('sells items and packages for coins, with points, once for each wish', async () => {
    const cara = await server.person('Cara')
    const wish = { id: newId(), item: 'key', count: 2 }
    expect((await cara.must('POST', '/api/coins/buy', wish)).balances).toMatchObject({ coins: 300, key: 3, points: 20 })
    expect((await cara.must('POST', '/api/coins/buy', wish)).balances).toMatchObject({ coins: 300, key: 3, points: 20 })
    await give(cara, { coins: 100 })
    expect((await cara.must('POST', '/api/coins/packages', { id: newId(), package: 'starter', count: 1 })).balances).toMatchObject({
      coins: 0,
      key: 5,
      commonComponent: 1,
      energy: 40,
      points: 60,
    })
    expect((await cara.call('POST', '/api/coins/packages', { id: newId(), package: 'none', count: 1 })).status).toBe(404)
    for (const count of [0, -1, 0.5, 10_001, '1', null])
      expect((await cara.call('POST', '/api/coins/buy', { id: newId(), item: 'energy', count })).status).toBe(400)
  })

  it('says how many coins are missing, and sells nothing to somebody who asks for more at once than they can pay', async () => {
    const dan = await server.person('Dan')
    const refused = await dan.call('POST', '/api/coins/buy', { id: newId(), item: 'goldKey', count: 1 })
    expect(refused.status).toBe(402)
    expect(refused.json).toMatchObject({ code: 'not-enough-coins', missing: { asset: 'coins', needed: 900, has: 500 } })
    const many = await Promise.all(
      Array.from({ length: 8 }, () => dan.call('POST', '/api/coins/buy', { id: newId(), item: 'commonComponent', count: 1 })),
    )
    expect(many.filter(one => one.status === 200).length).toBe(3)
    expect(new Set(many.filter(one => one.status !== 200).map(one => one.json.code))).toEqual(new Set(['not-enough-coins']))
    expect(await purse(dan)).toMatchObject({ coins: 50, commonComponent: 3 })
  })

  it('takes items back for half the price less the fee, as long as one has them', async () => {
    const eve = await server.person('Eve')
    // 50 for a key, 5 of it the fee.
    const sale = { id: newId(), item: 'key', count: 1 }
    expect((await eve.must('POST', '/api/coins/sell', sale)).balances).toMatchObject({
      coins: 545,
      key: 0,
    })
    // The same id for something else is refused, not done and not a failure of the server.
    const other = await eve.call('POST', '/api/coins/sell', { ...sale, count: 2 })
    expect([other.status, other.json.code]).toEqual([409, 'id-taken'])
    for (const item of items.filter(one => one !== 'energy')) {
      const refused = await eve.call('POST', '/api/coins/sell', { id: newId(), item, count: 1 })
      expect(refused.json).toMatchObject({ code: 'not-enough-items', missing: { asset: item, needed: 1, has: 0 } })
    }
  })

  it('enlarges a plan by what is used up', async () => {
    const fay = await server.person('Fay')
    await give(fay, { workspace: 2, commonComponent: 1 })
    const team = (name: string) => fay.call('POST', '/api/workspaces', { id: newId(), type: 'team', name })
    for (let i = 0; i < (plans.free.teams ?? 0); i++) expect((await team(`Team ${i}`)).status).toBe(201)
    // The personal one counts as a workspace too.
    expect((await team('One more')).json).toMatchObject({ code: 'limit-reached', limit: { quantity: 'teams', allowed: 2, plan: 'basic' } })
    await fay.must('POST', '/api/coins/use', { id: newId(), item: 'workspace', count: 1 })
    expect((await team('One more')).status).toBe(201)
    await fay.must('POST', '/api/coins/use', { id: newId(), item: 'commonComponent', count: 1 })
    const { plan } = await fay.must('GET', '/api/accounts/usage')
    expect(plan).toMatchObject({ level: 'free', teams: 3, workspaces: 4, components: 600, componentsPerScenario: 300 })
    expect(await purse(fay)).toMatchObject({ workspace: 1, commonComponent: 0, points: 4 })
    const none = await fay.call('POST', '/api/coins/use', { id: newId(), item: 'advancedComponent', count: 1 })
    expect(none.json).toMatchObject({ code: 'not-enough-items', missing: { asset: 'advancedComponent' } })
    expect((await fay.call('POST', '/api/coins/use', { id: newId(), item: 'key', count: 1 })).status).toBe(400)
  })
})

describe('referral', () => {
  async function invited(code: string, email = `${newId().toLowerCase()}@example.org`): Promise<Person> {
    const guest = new Person(server.url, email)
    const form = { email, password: 'correct horse', name: newId(), invitation: code, disclaimer: true }
    await guest.must('POST', '/api/accounts/register', form)
    const [letter] = await server.lettersTo(email)
    await guest.must('POST', '/api/accounts/activate', { email, code: /\d{6}/.exec(letter?.subject ?? '')?.[0] ?? '' })
    await guest.must('POST', '/api/accounts/login', { email, password: 'correct horse' })
    guest.id = (await guest.must('GET', '/api/accounts/session')).user.id
    return guest
  }

  it('rewards whoever invited somebody, when they activate their account', async () => {
    const gil = await server.person('Gil')
    const { code, link } = await gil.must('GET', '/api/coins/referral')
    expect(link).toBe(`${server.url}/register?invitation=${code}`)
    expect((await gil.must('GET', '/api/coins/referral')).code).toBe(code)
    await invited(code)
    expect(await purse(gil)).toMatchObject({ coins: 700, points: 50 })
    expect(await gil.must('GET', '/api/coins/referral')).toMatchObject({ invited: 1, rewarded: 1, coins: 200, points: 50 })
  })

  it('brings nothing for oneself: the same mailbox, an account made again, a ring', async () => {
    const hal = await server.person('Hal')
    const { code } = await hal.must('GET', '/api/coins/referral')
    // Another address of the same mailbox: neither gift nor reward.
    const again = await invited(code, hal.email.replace('@', '+second@'))
    expect(await purse(again)).toMatchObject({ coins: 0 })
    expect(await purse(hal)).toMatchObject({ coins: 500, points: 0 })
    // A person deletes their account and comes again by the same code.
    const email = `${newId().toLowerCase()}@example.org`
    const first = await invited(code, email)
    expect((await purse(first)).coins).toBe(500)
    const theirs = (await first.must('GET', '/api/coins/referral')).code
    await first.must('POST', '/api/accounts/delete', { password: 'correct horse' })
    expect((await purse(hal)).coins).toBe(700)
    const second = await invited(code, email)
    expect((await purse(second)).coins).toBe(0)
    expect((await purse(hal)).coins).toBe(700)
    // The code of a deleted account opens nothing; an invited person cannot become their inviter's inviter.
    const late = new Person(server.url)
    const form = { email: `${newId()}@example.org`, password: 'correct horse', name: 'Late', invitation: theirs, disclaimer: true }
    expect((await late.call('POST', '/api/accounts/register', form)).json.code).toBe('invitation-invalid')
    expect((await second.call('PATCH', '/api/accounts/profile', { inviteCode: code })).status).toBeLessThan(500)
    const { inviteCode } = await server.database.db
      .selectFrom('user')
      .select('inviteCode')
      .where('id', '=', hal.id)
      .executeTakeFirstOrThrow()
    expect(inviteCode).toBe('TESTERS')
    expect(mailboxOf('A.b+c@GoogleMail.com')).toBe(mailboxOf('ab@gmail.com'))
    expect(mailboxOf('a.b@example.org')).not.toBe(mailboxOf('ab@example.org'))
  })

  it('has an end in 30 days, and none of many at once counts twice', async () => {
    const ivy = await server.person('Ivy')
    const { code } = await ivy.must('GET', '/api/coins/referral')
    const { db } = server.database
    const few = { ...economy, referral: { ...economy.referral, mostPerMonth: 2 } }
    const guests = await Promise.all(
      Array.from({ length: 6 }, () =>
        db
          .insertInto('user')
          .values({ name: newId(), email: `${newId()}@example.org`, emailVerified: true, inviteCode: code })
          .returning('id')
          .executeTakeFirstOrThrow(),
      ),
    )
    const all = await Promise.all(guests.flatMap(({ id }) => [welcome(db, few, id), welcome(db, few, id)]))
    expect(all.filter(one => one !== null).length).toBe(6)
    expect(all.filter(one => one?.inviter).length).toBe(2)
    expect(await purse(ivy)).toMatchObject({ coins: 900, points: 100 })
  })
})

describe('between people', () => {
  it('a use is paid to the author less the fee; a referrer gets a share of the author’s; nobody refers themselves', async () => {
    const [author, user, referrer] = [await server.person('Jo'), await server.person('Kim'), await server.person('Lea')]
    const { db } = server.database
    const deal = { kind: 'usage' as const, payerId: user.id, actorId: user.id, authorId: author.id, price: 101, about: { app: 'app_1' } }
    const paid = await trade(db, economy, { ...deal, key: newId(), referral: { userId: referrer.id, coefficient: 0.2 } })
    expect(paid?.isNew).toBe(true)
    const { net, fee } = afterFee(101, economy.feeRate)
    expect([net, fee]).toEqual([90, 11])
    expect(await purse(user)).toMatchObject({ coins: 399, points: 10 })
    expect(await purse(author)).toMatchObject({ coins: 500 + 90 - 18 })
    expect(await purse(referrer)).toMatchObject({ coins: 518 })
    for (const cheat of [user.id, author.id])
      await trade(db, economy, { ...deal, key: newId(), price: 10, referral: { userId: cheat, coefficient: 1 } })
    expect(await purse(author)).toMatchObject({ coins: 500 + 90 - 18 + 9 + 9 })
    expect(await trade(db, economy, { ...deal, key: newId(), price: 0 })).toBeNull()
    expect(await trade(db, economy, { ...deal, key: newId(), payerId: author.id, actorId: author.id })).toBeNull()
    const entries = (await user.must('GET', '/api/coins/history?kinds=usage')).lines
    expect(entries.map((line: { entry: string; amount: number }) => [line.entry, line.amount])).toEqual([
      ['usageOut', -10],
      ['usageOut', -10],
      ['usageOut', -101],
    ])
    // The answer says which purse is empty.
    const poor = trade(db, economy, { ...deal, key: newId(), price: 1000 })
    await expect(poor).rejects.toMatchObject({ code: 'not-enough-coins', more: { missing: { needed: 1000 } } })
    const owners = trade(db, economy, { ...deal, key: newId(), price: 1000, actorId: referrer.id })
    await expect(owners).rejects.toMatchObject({ code: 'owner-lacks-coins' })
  })

  it('energy is taken a minute at a time, until there is none', async () => {
    const max = await server.person('Max')
    const { db } = server.database
    const taken = await Promise.all(Array.from({ length: 14 }, (_, minute) => takeEnergy(db, economy, max.id, 'job_1', minute)))
    expect(taken.filter(Boolean).length).toBe(10)
    // Asked again for a minute that is paid.
    const minute = taken.indexOf(true)
    expect(await takeEnergy(db, economy, max.id, 'job_1', minute)).toBe(true)
    expect((await purse(max)).energy).toBe(0)
  })
})

describe('history', () => {
  it('is one’s own, filtered, in pages, and exported', async () => {
    const [nan, oli] = [await server.person('Nan'), await server.person('Oli')]
    for (let i = 0; i < 5; i++) await nan.must('POST', '/api/coins/buy', { id: newId(), item: 'energy', count: 2 })
    const first = await nan.must('GET', '/api/coins/history?assets=coins&limit=3')
    expect(first.lines.length).toBe(3)
    const rest = await nan.must('GET', `/api/coins/history?assets=coins&limit=3&before=${first.next}`)
    expect(rest.lines.map((line: { entry: string }) => line.entry)).toEqual(['buyItem', 'buyItem', 'registerGift'])
    expect((await nan.must('GET', '/api/coins/history?direction=out')).lines.length).toBe(5)
    expect((await nan.call('GET', '/api/coins/history?assets=gold')).status).toBe(400)
    expect((await oli.must('GET', '/api/coins/history')).lines.length).toBe(3)
    const csv = await nan.call('GET', '/api/coins/history.csv?direction=out')
    expect(csv.headers.get('content-type')).toContain('text/csv')
    expect(String(csv.json).split('\r\n').length).toBe(1 + 5 + 1)
    const stranger = new Person(server.url)
    for (const path of ['', '/history', '/history.csv', '/referral', '/locks?team=abc'])
      expect((await stranger.call('GET', `/api/coins${path}`)).status).toBe(401)
  })
})

describe('what the operator sets', () => {
  it('is read from JSON, strictly, over what is shipped', () => {
    const tariff = readTariff('{"plans": {"free": {"files": 50, "storageGB": null}}, "economy": {"feeRate": 0.25, "prices": {"key": 70}}}')
    expect(tariff.plans.free).toMatchObject({ files: 50, storageGB: null, teams: plans.free.teams })
    expect(tariff.plans.pro).toEqual(plans.pro)
    expect(tariff.economy).toMatchObject({ feeRate: 0.25, prices: { key: 70, energy: economy.prices.energy } })
    expect(readTariff('{}')).toEqual({ plans, economy })
    const wrong = [
      '{"plan": {}}',
      '{"plans": {"gold": {}}}',
      '{"plans": {"free": {"fils": 1}}}',
      '{"plans": {"free": {"files": -1}}}',
      '{"economy": {"feeRate": 2}}',
      '{"economy": {"prices": {"key": 0}}}',
      '{"economy": {"packages": [{"id": "p", "label": {"en": "P", "zh": "P"}, "contents": {"goldKey": 3}, "price": 10}]}}',
    ]
    for (const text of wrong) expect(() => readTariff(text), text).toThrow()
  })
})

it('after all of this the ledger is as it must be', async () => {
  const { db } = server.database
  const { rows } = await sql<{ n: number }>`select sum(amount)::int as n from ledger_line group by asset having sum(amount) <> 0`.execute(
    db,
  )
  expect(rows).toEqual([])
  const { rows: differing } = await sql`select * from
    (select holder, asset, sum(amount) as amount from ledger_line where holder like '%:%' group by 1, 2 having sum(amount) <> 0) l
    full join (select * from ledger_balance where amount <> 0) b using (holder, asset) where l.amount is distinct from b.amount`.execute(db)
  expect(differing).toEqual([])
})
