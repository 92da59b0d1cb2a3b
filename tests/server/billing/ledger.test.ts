// The ledger: its laws under random deeds of many at once, with connections that are cut in the middle, and each refusal.
// `OPERATIONS=10000` for the full run; `SEED=…` replays the choices (not the chance of the machine).
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { assets } from '../../../model-schema/business/coins.ts'
import type { Asset } from '../../../model-schema/business/coins.ts'
import { openDatabase } from '../../../sync-server/db/database.ts'
import type { Database, Db } from '../../../sync-server/db/database.ts'
import { Refusal } from '../../../sync-server/http.ts'
import { balances, escrow, history, historyCsv, moved, person, post, serialisable } from '../../../sync-server/coins/ledger.ts'
import type { Holder, Posting } from '../../../sync-server/coins/ledger.ts'
import { chance } from '../../help/random.ts'
import { useDatabase } from '../../help/server.ts'

const suite = useDatabase()
let database: Database
let db: Db

beforeAll(async () => {
  database = await openDatabase(suite.connection, { connections: 24 })
  db = database.db
})
afterAll(() => database?.close())

const someone = (): Holder => person(randomUUID())
const once = (posting: Posting) => serialisable(db, tx => post(tx, posting))
const gift = (to: Holder, asset: Asset, amount: number, key: string = randomUUID()) =>
  once({ key, kind: 'systemGift', lines: moved('mint', to, asset, amount) })

/** What holds of the whole ledger at any time. */
async function laws(): Promise<void> {
  const { rows: sums } = await sql<{
    asset: string
    n: number
  }>`select asset, sum(amount)::int as n from ledger_line group by asset`.execute(db)
  expect(sums.filter(({ n }) => n !== 0)).toEqual([])
  const { rows: crooked } =
    await sql`select transaction_id from ledger_line group by transaction_id, asset having sum(amount) <> 0`.execute(db)
  expect(crooked).toEqual([])
  const { rows: empty } =
    await sql`select id from ledger_transaction t where not exists (select from ledger_line where transaction_id = t.id)`.execute(db)
  expect(empty).toEqual([])
  // The kept balances are the sums of the lines.
  const { rows: differing } = await sql`select * from
    (select holder, asset, sum(amount) as amount from ledger_line where holder like '%:%' group by 1, 2 having sum(amount) <> 0) l
    full join (select * from ledger_balance where amount <> 0) b using (holder, asset) where l.amount is distinct from b.amount`.execute(db)
  expect(differing).toEqual([])
  const { rows: below } =
    await sql`select holder, asset, sum(amount) from ledger_line where holder <> 'mint' group by 1, 2 having sum(amount) < 0`.execute(db)
  expect(below).toEqual([])
}

describe('a transaction', () => {
  it('moves from one to another, and both sides are told', async () => {
    const [ann, bob] = [someone(), someone()]
    await gift(ann, 'coins', 100)
    const { isNew } = await once({
      key: randomUUID(),
      kind: 'usage',
      lines: [...moved(ann, bob, 'coins', 27), ...moved(ann, 'fee', 'coins', 3)],
      about: { app: 'app_1' },
    })
    expect(isNew).toBe(true)
    expect(await balances(db, ann)).toMatchObject({ coins: 70, points: 0, key: 0 })
    expect(await balances(db, bob)).toMatchObject({ coins: 27 })
    expect((await history(db, ann)).map(({ entry, amount }) => [entry, amount])).toEqual([
      ['usageOut', -30],
      ['systemGift', 100],
    ])
    expect(await history(db, bob)).toMatchObject([{ entry: 'usageIn', asset: 'coins', amount: 27, about: { app: 'app_1' } }])
    await laws()
  })

  it('is refused when it is not balanced, not whole, empty, or when there is too little; then nothing is written', async () => {
    const [ann, bob] = [someone(), someone()]
    const tries: [Posting['lines'], string][] = [
      [[{ holder: ann, asset: 'coins', amount: 5 }], 'not balanced'],
      [[...moved('mint', ann, 'coins', 5), { holder: ann, asset: 'key', amount: 1 }], 'not balanced'],
      [
        [
          { holder: 'mint', asset: 'coins', amount: -5 },
          { holder: ann, asset: 'key', amount: 5 },
        ],
        'not balanced',
      ],
      [moved('mint', ann, 'coins', 0.5), 'no amount'],
      [moved('mint', ann, 'coins', Number.NaN), 'no amount'],
      [moved('mint', ann, 'coins', 1e13), 'no amount'],
      [[], 'nothing moves'],
      [moved(ann, ann, 'coins', 5), 'nothing moves'],
    ]
    for (const [lines, why] of tries) await expect(once({ key: randomUUID(), kind: 'usage', lines })).rejects.toThrow(why)
    await gift(ann, 'coins', 10)
    const refused = await once({ key: 'too much', kind: 'usage', lines: moved(ann, bob, 'coins', 11) }).catch((error: unknown) => error)
    expect(refused).toMatchObject({ code: 'not-enough-coins', more: { missing: { asset: 'coins', needed: 11, has: 10 } } })
    for (const asset of assets.filter(one => one !== 'coins')) {
      const none = await once({ key: randomUUID(), kind: 'usedItem', lines: moved(ann, 'used', asset, 1) }).catch((error: unknown) => error)
      expect(none).toMatchObject({ code: 'not-enough-items', more: { missing: { asset, needed: 1, has: 0 } } })
    }
    // The key of a refused transaction is free, and a database transaction continues after a refusal.
    await serialisable(db, async tx => {
      await expect(post(tx, { key: 'too much', kind: 'usage', lines: moved(ann, bob, 'coins', 11) })).rejects.toThrow(Refusal)
      await post(tx, { key: 'too much', kind: 'usage', lines: moved(ann, bob, 'coins', 10) })
    })
    expect(await balances(db, bob)).toMatchObject({ coins: 10 })
    await laws()
  })

  it('is done once, however often and at once it is asked for; a key says one deed', async () => {
    const ann = someone()
    const key = randomUUID()
    const all = await Promise.all(Array.from({ length: 12 }, () => gift(ann, 'energy', 7, key)))
    expect(all.filter(one => one.isNew).length).toBe(1)
    expect(new Set(all.map(one => one.id)).size).toBe(1)
    expect(await balances(db, ann)).toMatchObject({ energy: 7 })
    await expect(gift(ann, 'energy', 8, key)).rejects.toThrow('another transaction')
    await expect(once({ key, kind: 'registerGift', lines: moved('mint', ann, 'energy', 7) })).rejects.toThrow('another transaction')
    await laws()
  })

  it('of several who spend the last coins at once lets exactly as many through as there are', async () => {
    const [ann, bob] = [someone(), someone()]
    await gift(ann, 'coins', 25)
    const spent = await Promise.allSettled(
      Array.from({ length: 16 }, () => once({ key: randomUUID(), kind: 'usage', lines: moved(ann, bob, 'coins', 10) })),
    )
    expect(spent.filter(one => one.status === 'fulfilled').length).toBe(2)
    for (const one of spent) if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'not-enough-coins' })
    // Also without serialisable transactions.
    const cara = someone()
    await gift(cara, 'coins', 25)
    const same = randomUUID()
    const plain = await Promise.allSettled(
      Array.from({ length: 10 }, (_, i) =>
        db.transaction().execute(tx => post(tx, { key: i < 5 ? same : randomUUID(), kind: 'usage', lines: moved(cara, bob, 'coins', 20) })),
      ),
    )
    expect(await balances(db, cara)).toMatchObject({ coins: 5 })
    expect(plain.filter(one => one.status === 'fulfilled' && one.value.isNew).length).toBe(1)
    await laws()
  })

  it('sets aside in escrow, which is no more below nothing than people are', async () => {
    const ann = someone()
    await gift(ann, 'coins', 10)
    const aside = escrow('order:1')
    await once({ key: randomUUID(), kind: 'buyItem', lines: moved(ann, aside, 'coins', 8) })
    await expect(once({ key: randomUUID(), kind: 'buyItem', lines: moved(aside, 'shop', 'coins', 9) })).rejects.toThrow(Refusal)
    await once({ key: randomUUID(), kind: 'buyItem', lines: moved(aside, 'shop', 'coins', 8) })
    expect(await balances(db, aside)).toMatchObject({ coins: 0 })
    await laws()
  })
})

describe('the database itself', () => {
  it('refuses what is not balanced, below nothing, changed, deleted or added later', async () => {
    const ann = someone()
    const { id } = await gift(ann, 'coins', 10)
    const line = { transaction_id: id, holder: ann, asset: 'key' as const, amount: 5 }
    await expect(db.insertInto('ledger_line').values(line).execute()).rejects.toThrow('closed')
    const crooked = db.transaction().execute(async tx => {
      const made = await tx
        .insertInto('ledger_transaction')
        .values({ key: randomUUID(), deed: 'systemGift' })
        .returning('id')
        .executeTakeFirstOrThrow()
      await tx
        .insertInto('ledger_line')
        .values({ ...line, transaction_id: made.id })
        .execute()
    })
    await expect(crooked).rejects.toThrow('not balanced')
    const below = db.transaction().execute(async tx => {
      const made = await tx
        .insertInto('ledger_transaction')
        .values({ key: randomUUID(), deed: 'usage' })
        .returning('id')
        .executeTakeFirstOrThrow()
      await tx
        .insertInto('ledger_line')
        .values(moved(ann, 'shop', 'coins', 11).map(side => ({ transaction_id: made.id, ...side })))
        .execute()
    })
    await expect(below).rejects.toThrow('ledger_balance_enough')
    await expect(db.updateTable('ledger_line').set({ amount: 1 }).execute()).rejects.toThrow('never changed')
    await expect(db.deleteFrom('ledger_line').execute()).rejects.toThrow('never changed')
    await expect(db.updateTable('ledger_transaction').set({ deed: 'usage' }).execute()).rejects.toThrow('never changed')
    await expect(sql`truncate ledger_line, ledger_transaction`.execute(db)).rejects.toThrow('never changed')
    await expect(gift('person:me' as Holder, 'coins', 1)).rejects.toThrow('ledger_line_holder_check')
    await laws()
  })
})

describe('history', () => {
  it('is filtered, comes in pages that miss and repeat nothing, and is exported whole', async () => {
    const [ann, bob] = [someone(), someone()]
    for (let i = 0; i < 6; i++)
      await once({ key: randomUUID(), kind: 'systemGift', lines: [...moved('mint', ann, 'coins', 100), ...moved('mint', ann, 'key', 1)] })
    for (let i = 0; i < 5; i++)
      await once({ key: randomUUID(), kind: 'usage', lines: moved(ann, bob, 'coins', 10 + i), about: { app: `say "${i}", and more` } })
    const whole = await history(db, ann)
    expect(whole.length).toBe(17)
    const paged = []
    for (let before: number | undefined; ;) {
      const page = await history(db, ann, {}, { limit: 4, ...(before === undefined ? {} : { before }) })
      if (page.length === 0) break
      paged.push(...page)
      before = page.at(-1)?.id
    }
    expect(paged).toEqual(whole)
    expect((await history(db, ann, { assets: ['key'] })).length).toBe(6)
    expect((await history(db, ann, { kinds: ['usage'] })).map(({ amount }) => amount)).toEqual([-14, -13, -12, -11, -10])
    expect((await history(db, ann, { direction: 'out' })).length).toBe(5)
    expect(await history(db, ann, { until: new Date(Date.now() - 60_000) })).toEqual([])
    let csv = ''
    for await (const part of historyCsv(db, ann)) csv += part
    const rows = csv.split('\r\n')
    expect(rows.length).toBe(1 + 17 + 1)
    expect(rows[1]).toMatch(/,usageOut,coins,-14,"app say ""4"", and more"$/)
  })
})

it('conserves everything to the last coin under random deeds of many at once, with connections cut in the middle', async () => {
  const operations = Number(process.env['OPERATIONS'] ?? 4000)
  const seed = Number(process.env['SEED'] ?? 1)
  const random = chance(seed)
  const people = Array.from({ length: 24 }, someone)
  // What was written is known by its key, whatever the connection said.
  const keys: string[] = []
  const postings: Posting[] = []
  const draw = (): Posting => {
    if (random.chance(0.05) && postings.length > 0) return random.pick(postings)
    const [from, to, asset, amount] = [random.pick(people), random.pick(people), random.pick(assets), 1 + random.below(60)]
    const [key, choice] = [randomUUID(), random.next()]
    keys.push(key)
    if (choice < 0.2) return { key, kind: 'systemGift', lines: moved('mint', to, asset, amount * 2) }
    if (choice < 0.4) return { key, kind: 'usedItem', lines: moved(from, 'used', asset, amount) }
    if (choice < 0.6) return { key, kind: 'buyItem', lines: [...moved(from, 'shop', 'coins', amount), ...moved('mint', from, 'key', 1)] }
    return { key, kind: 'usage', lines: [...moved(from, to, asset, amount), ...moved(from, 'fee', asset, 1)] }
  }
  while (postings.length < operations) postings.push(draw())
  // A pool of its own, with connections that die.
  const doomed = await openDatabase(suite.connection, { connections: 8, name: 'doomed' })
  const ended = { done: 0, again: 0, tooLittle: 0, busy: 0, cut: 0 }
  let next = 0
  async function worker(): Promise<void> {
    for (;;) {
      const at = next++
      const posting = postings[at]
      if (posting === undefined) return
      if (at % 40 === 39)
        await sql`select pg_terminate_backend(pid) from (select pid from pg_stat_activity
          where application_name = 'doomed' and state <> 'idle' order by random() limit 2) x`.execute(db)
      try {
        const { isNew } = await serialisable(doomed.db, tx => post(tx, posting))
        if (isNew) ended.done++
        else ended.again++
      } catch (error) {
        if (error instanceof Refusal && error.code.startsWith('not-enough')) ended.tooLittle++
        else if (error instanceof Refusal && error.code === 'unavailable') ended.busy++
        else ended.cut++
      }
    }
  }
  await Promise.all(Array.from({ length: 8 }, worker))
  await doomed.close()
  await laws()
  const { n } = await db
    .selectFrom('ledger_transaction')
    .select(eb => eb.fn.countAll<number>().as('n'))
    .where('key', 'in', keys)
    .executeTakeFirstOrThrow()
  console.log(`ledger: ${JSON.stringify(ended)} of ${operations}, ${n} written, seed ${seed}`)
  // Everything said to be done is there; what was cut off may be there or not, but never in part.
  expect(n).toBeGreaterThanOrEqual(ended.done)
  expect(n).toBeLessThanOrEqual(ended.done + ended.cut)
  expect(ended.done).toBeGreaterThan(operations / 3)
  expect(ended.tooLittle).toBeGreaterThan(0)
  expect(ended.cut).toBeGreaterThan(0)
  expect(ended.busy).toBe(0)
}, 600_000)
