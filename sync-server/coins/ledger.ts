// The ledger: coins, points and items move between holders in balanced transactions, each done once. The laws (both sides always, whole amounts,
// no balance below zero, nothing changed afterwards) are in the database (db/migrations/0014); this file is the interface to it.
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { assets, entryOf } from '../../model-schema/business/coins.ts'
import { csvCell } from '../../model-schema/csv-cell.ts'
import type { Asset, Deed, Entry } from '../../model-schema/business/coins.ts'
import type { Db } from '../db/database.ts'
import { Refusal } from '../http.ts'

/**
 * A holder. `mint`: where everything comes from (negative by what is in the world). `shop`: what was paid for items and what was given back.
 * `fee`: the platform's share of trades. `used`: what was used up. `escrow:…`: set aside until something is decided.
 */
export type Holder = `person:${string}` | `escrow:${string}` | 'mint' | 'shop' | 'fee' | 'used'

export const person = (userId: string): Holder => `person:${userId}`
export const escrow = (what: string): Holder => `escrow:${what}`

/** One side of a transaction: above 0 is got, below is given. */
export type Line = { holder: Holder; asset: Asset; amount: number }

/** Ids and numbers that say what a transaction was about; never names or texts of people. */
export type TransactionDetails = Record<string, string | number>

export type Posting = {
  /** Names this one deed, such as `buy:` and an id the client made. */
  key: string
  kind: Deed
  lines: readonly Line[]
  about?: TransactionDetails
}

/** `isNew` is false when this very deed was done before: then nothing was done now, nor should anything that belongs to it be. */
export type Posted = { id: number; isNew: boolean }

/** Lines of `amount` from one holder to another. */
export const moved = (from: Holder, to: Holder, asset: Asset, amount: number): Line[] => [
  { holder: from, asset, amount: -amount },
  { holder: to, asset, amount },
]

const TRIES = 12
/** From this try on a transaction runs alone among those of the ledger. */
const ALONE_FROM = 5
const FIRST_WAIT_MS = 4
const LONGEST_WAIT_MS = 400
/** Advisory lock of Postgres: shared by concurrent transactions, held exclusively by one that met others too often. */
const LOCK = 7245005

/**
 * Runs `work` in a serialisable transaction, again when it met another one: after a few tries alone, so that it ends however slow the
 * machine is. `unavailable` ("system busy") after a dozen tries. What `work` does outside the database it would do as often.
 */
export async function serialisable<T>(db: Db, work: (tx: Db) => Promise<T>, tries = TRIES): Promise<T> {
  if (db.isTransaction) return work(db)
  for (let tried = 1; ; tried++) {
    try {
      return tried < ALONE_FROM ? await beside(db, work) : await alone(db, work)
    } catch (error) {
      if (!hasMet(error)) throw error
      if (tried >= tries) throw new Refusal('unavailable', 'too many at once')
      await pause(Math.random() * Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** tried))
    }
  }
}

const beside = <T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> =>
  db
    .transaction()
    .setIsolationLevel('serializable')
    .execute(async tx => {
      await sql`select pg_advisory_xact_lock_shared(${LOCK})`.execute(tx)
      return work(tx)
    })

/** The lock is the connection's, not the transaction's: it must be held before the transaction sees the database. */
const alone = <T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> =>
  db.connection().execute(async connection => {
    await sql`select pg_advisory_lock(${LOCK})`.execute(connection)
    try {
      return await connection.transaction().setIsolationLevel('serializable').execute(work)
    } finally {
      // A connection that was cut holds no lock any more.
      await sql`select pg_advisory_unlock(${LOCK})`.execute(connection).catch(() => undefined)
    }
  })

/** Serialisation failures and deadlocks: the same again may well succeed. */
const hasMet = (error: unknown): boolean => error instanceof Error && 'code' in error && (error.code === '40001' || error.code === '40P01')

/**
 * Writes a transaction, inside `tx`. Throws `not-enough-coins` or `not-enough-items` when a holder would go below zero (nothing is written
 * then, and `tx` can still be used), `id-taken` when the key was another transaction's, RangeError when the lines
 * are not balanced.
 */
export async function post(tx: Db, { key, kind, lines, about = {} }: Posting): Promise<Posted> {
  if (!tx.isTransaction) throw new RangeError('ledger: needs a transaction')
  const sides = gathered(lines)
  const before = await doneBefore(tx, key, kind, sides)
  if (before !== null) return before
  const short = await shortage(tx, sides)
  if (short !== null) {
    // A concurrent transaction with the same key may be why there is too little.
    const meanwhile = await doneBefore(tx, key, kind, sides)
    if (meanwhile !== null) return meanwhile
    throw new Refusal(short.asset === 'coins' ? 'not-enough-coins' : 'not-enough-items', `${short.asset} of ${short.holder}`, {
      missing: { asset: short.asset, needed: short.needed, has: short.has },
    })
  }
  const row = await tx
    .insertInto('ledger_transaction')
    .values({ key, deed: kind, about: JSON.stringify(about) })
    .onConflict(conflict => conflict.column('key').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (row === undefined) {
    const meanwhile = await doneBefore(tx, key, kind, sides)
    if (meanwhile === null) throw new Error(`ledger: ${key} is there and can't be read`)
    return meanwhile
  }
  await tx
    .insertInto('ledger_line')
    .values(sides.map(line => ({ transaction_id: row.id, ...line })))
    .execute()
  return { id: row.id, isNew: true }
}

/** One line for each holder and asset, in an order that is the same for all, to avoid deadlocks. */
function gathered(lines: readonly Line[]): Line[] {
  const sums = new Map<Asset, number>()
  const sides = new Map<string, Line>()
  for (const { holder, asset, amount } of lines) {
    if (!Number.isSafeInteger(amount) || Math.abs(amount) > maxAmount) throw new RangeError(`ledger: ${amount} ${asset} is no amount`)
    sums.set(asset, (sums.get(asset) ?? 0) + amount)
    const side = sides.get(`${holder} ${asset}`)
    sides.set(`${holder} ${asset}`, { holder, asset, amount: amount + (side?.amount ?? 0) })
  }
  for (const [asset, sum] of sums) if (sum !== 0) throw new RangeError(`ledger: the lines are not balanced: ${sum} ${asset} too much`)
  const left = [...sides].filter(([, { amount }]) => amount !== 0).sort(([a], [b]) => (a < b ? -1 : 1))
  if (left.length === 0) throw new RangeError('ledger: nothing moves')
  return left.map(([, line]) => line)
}

/** Far above all that is ever paid, far below where sums of numbers are not exact. */
const maxAmount = 1e12

async function doneBefore(tx: Db, key: string, kind: Deed, sides: readonly Line[]): Promise<Posted | null> {
  const row = await tx.selectFrom('ledger_transaction').select(['id', 'deed']).where('key', '=', key).executeTakeFirst()
  if (row === undefined) return null
  const lines = await tx.selectFrom('ledger_line').select(['holder', 'asset', 'amount']).where('transaction_id', '=', row.id).execute()
  const text = (all: readonly { holder: string; asset: string; amount: number }[]): string =>
    all
      .map(({ holder, asset, amount }) => `${holder} ${asset} ${amount}`)
      .sort()
      .join()
  if (row.deed !== kind || text(lines) !== text(sides)) throw new Refusal('id-taken', `${key} was another transaction`)
  return { id: row.id, isNew: false }
}

type Shortage = { holder: string; asset: Asset; needed: number; has: number }

/** The first that would go below nothing; holds the balances of all who give until the transaction ends. */
async function shortage(tx: Db, sides: readonly Line[]): Promise<Shortage | null> {
  const given = sides.filter(({ holder, amount }) => amount < 0 && holder.includes(':'))
  if (given.length === 0) return null
  const rows = await tx
    .selectFrom('ledger_balance')
    .select(['holder', 'asset', 'amount'])
    .where(where => where.or(given.map(({ holder, asset }) => where.and({ holder, asset }))))
    .orderBy('holder')
    .orderBy('asset')
    .forUpdate()
    .execute()
  for (const { holder, asset, amount } of given) {
    const has = rows.find(row => row.holder === holder && row.asset === asset)?.amount ?? 0
    if (has + amount < 0) return { holder, asset, needed: -amount, has }
  }
  return null
}

/** What a person (or another holder) has of everything. */
export async function balances(db: Db, holder: Holder): Promise<Record<Asset, number>> {
  const rows = holder.includes(':')
    ? await db.selectFrom('ledger_balance').select(['asset', 'amount']).where('holder', '=', holder).execute()
    : await db
        .selectFrom('ledger_line')
        .select(['asset', sql<number>`sum(amount)::bigint`.as('amount')])
        .where('holder', '=', holder)
        .groupBy('asset')
        .execute()
  const found = { coins: 0, points: 0, goldKey: 0, key: 0, commonComponent: 0, advancedComponent: 0, energy: 0, workspace: 0 }
  for (const { asset, amount } of rows) found[asset] = amount
  return found
}

type HistoryLine = {
  /** The transaction's. */
  id: number
  at: string
  entry: Entry
  asset: Asset
  amount: number
  about: Record<string, string | number>
}
export type HistoryFilter = {
  assets?: readonly Asset[]
  kinds?: readonly Deed[]
  /** Only what was got, or given. */
  direction?: 'in' | 'out'
  from?: Date
  until?: Date
}

/** What moved for a holder, newest first; `before` is the id of the last transaction seen, which comes whole. */
export async function history(
  db: Db,
  holder: Holder,
  filter: HistoryFilter = {},
  page: { before?: number; limit?: number } = {},
): Promise<HistoryLine[]> {
  const of = db
    .selectFrom('ledger_line as l')
    .innerJoin('ledger_transaction as t', 't.id', 'l.transaction_id')
    .where('l.holder', '=', holder)
    .$if(filter.assets !== undefined, query => query.where('l.asset', 'in', [...(filter.assets ?? assets)]))
    .$if(filter.kinds !== undefined, query => query.where('t.deed', 'in', [...(filter.kinds ?? [])]))
    .$if(filter.direction === 'in', query => query.where('l.amount', '>', 0))
    .$if(filter.direction === 'out', query => query.where('l.amount', '<', 0))
    .$if(filter.from !== undefined, query => query.where('t.at', '>=', filter.from ?? new Date()))
    .$if(filter.until !== undefined, query => query.where('t.at', '<', filter.until ?? new Date()))
    .$if(page.before !== undefined, query => query.where('l.transaction_id', '<', page.before ?? 0))
  const ids = of
    .select('l.transaction_id')
    .distinct()
    .orderBy('l.transaction_id', 'desc')
    .limit(page.limit ?? PAGE)
  const rows = await of
    .select(['t.id', 't.at', 't.deed', 't.about', 'l.asset', 'l.amount'])
    .where('l.transaction_id', 'in', ids)
    .orderBy('t.id', 'desc')
    .orderBy('l.asset')
    .execute()
  return rows.map(({ id, at, deed, about, asset, amount }) => ({
    id,
    at: at.toISOString(),
    entry: entryOf(deed, amount),
    asset,
    amount,
    about,
  }))
}

const PAGE = 50
const CSV_PAGE = 1000

/** The whole history as CSV (RFC 4180), newest first, a page at a time. */
export async function* historyCsv(db: Db, holder: Holder, filter: HistoryFilter = {}): AsyncGenerator<string> {
  // The mark at the beginning makes spreadsheets read it as UTF-8.
  yield '\uFEFFtime,transaction,entry,asset,amount,about\r\n'
  let before: number | undefined
  for (;;) {
    const lines = await history(db, holder, filter, { limit: CSV_PAGE, ...(before === undefined ? {} : { before }) })
    const last = lines.at(-1)
    if (last === undefined) return
    yield lines
      .map(({ at, id, entry, asset, amount, about }) => {
        const words = Object.entries(about).map(([key, value]) => `${key} ${value}`)
        return `${[at, id, entry, asset, amount, words.join('; ')].map(csvCell).join(',')}\r\n`
      })
      .join('')
    before = last.id
  }
}
