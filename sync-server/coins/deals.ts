// What people buy, sell, use up and pay each other, as transactions of the ledger. Points that belong to a deed are written with it.
import { afterFee, enlargements } from '../../model-schema/business/coins.ts'
import type { Deed, Economy, CoinItem } from '../../model-schema/business/coins.ts'
import type { Db } from '../db/database.ts'
import { Refusal } from '../http.ts'
import { moved, person, post, serialisable } from './ledger.ts'
import type { TransactionDetails, Line, Posted } from './ledger.ts'

/** `id` is made by the client: a request repeated with the same id has no further effect. */
type Wish = { id: string; userId: string; count: number }

export function buyItem(db: Db, economy: Economy, { id, userId, count }: Wish, item: CoinItem): Promise<Posted> {
  const coins = economy.prices[item] * count
  return spend(db, economy, {
    key: `buy:${userId}:${id}`,
    kind: 'buyItem',
    lines: [...moved(person(userId), 'shop', 'coins', coins), ...moved('mint', person(userId), item, count)],
    about: { item, count },
    userId,
    coins,
  })
}

export function buyPackage(db: Db, economy: Economy, { id, userId, count }: Wish, packageId: string): Promise<Posted> {
  const wanted = economy.packages.find(one => one.id === packageId)
  if (wanted === undefined) throw new Refusal('not-found', `no package ${packageId}`)
  const coins = wanted.price * count
  const contents = amountsOf(wanted.contents).flatMap(([item, n]) => moved('mint', person(userId), item, n * count))
  return spend(db, economy, {
    key: `package:${userId}:${id}`,
    kind: 'buyPackage',
    lines: [...moved(person(userId), 'shop', 'coins', coins), ...contents],
    about: { package: packageId, count },
    userId,
    coins,
  })
}

/** The shop takes an item back for a part of its price; the platform's fee is kept from it. */
export function sellItem(db: Db, economy: Economy, { id, userId, count }: Wish, item: CoinItem): Promise<Posted> {
  const { net, fee } = afterFee(Math.floor(economy.prices[item] * economy.buyBackRate * count), economy.feeRate)
  return serialisable(db, tx =>
    post(tx, {
      key: `sell:${userId}:${id}`,
      kind: 'sellItem',
      lines: [
        ...moved(person(userId), 'shop', item, count),
        ...moved('mint', person(userId), 'coins', net),
        ...moved('mint', 'fee', 'coins', fee),
      ],
      about: { item, count, fee },
    }),
  )
}

/** Uses items up to have more of something than the plan allows, for good. */
export function enlargePlan(db: Db, economy: Economy, { id, userId, count }: Wish, item: CoinItem): Promise<Posted> {
  if (enlargements[item] === undefined) throw new Refusal('invalid-params', `${item} enlarges no plan`)
  return serialisable(db, async tx => {
    const posted = await useUp(tx, economy, { key: `enlarge:${userId}:${id}`, kind: 'enlargePlan', userId, item, count, about: {} })
    if (posted.isNew)
      await tx
        .insertInto('plan_enlargement')
        .values({ user_id: userId, item, count })
        .onConflict(conflict =>
          conflict.columns(['user_id', 'item']).doUpdateSet(eb => ({ count: eb('plan_enlargement.count', '+', count) })),
        )
        .execute()
    return posted
  })
}

type Use = { key: string; kind: Deed; userId: string; item: CoinItem; count: number; about: TransactionDetails }

/** Uses items up inside a transaction, with the points for it. */
export async function useUp(tx: Db, economy: Economy, { key, kind, userId, item, count, about }: Use): Promise<Posted> {
  const posted = await post(tx, { key, kind, lines: moved(person(userId), 'used', item, count), about: { item, count, ...about } })
  if (posted.isNew) await givePoints(tx, `${key}:points`, 'usedItem', userId, Math.floor(count * economy.points.perItemUsed))
  return posted
}

/** An energy a minute: takes one from a person for server computing; false when there is none left. */
export async function takeEnergy(db: Db, economy: Economy, userId: string, jobId: string, minute: number): Promise<boolean> {
  const use = { key: `cloud:${jobId}:${minute}`, kind: 'cloudRun', userId, item: 'energy', count: 1, about: { job: jobId } } as const
  try {
    await serialisable(db, tx => useUp(tx, economy, use))
    return true
  } catch (error) {
    if (error instanceof Refusal && error.code === 'not-enough-items') return false
    throw error
  }
}

type Trade = {
  /** Names the one use or download: `usage:` and the run's id, say. */
  key: string
  kind: 'usage' | 'downloadApp'
  /** The payer: the user, or the owner of the organization they act for. */
  payerId: string
  actorId: string
  authorId: string
  /** Coins. Nothing is written for what is free, or one's own. */
  price: number
  about: TransactionDetails
  /** The referrer of the payer gets this share of the author's part. */
  referral?: { userId: string; coefficient: number } | null
}

/**
 * One person pays another for using or downloading what the other published; the platform keeps its fee. Answers null when there is nothing to
 * pay. Throws `not-enough-coins`, or `owner-lacks-coins` when the purse of the organization's owner is empty. Inside a transaction it is part of
 * it.
 */
export function trade(db: Db, economy: Economy, deal: Trade): Promise<Posted | null> {
  const { key, kind, payerId, actorId, authorId, price, about, referral = null } = deal
  if (price === 0 || payerId === authorId) return Promise.resolve(null)
  const { net, fee } = afterFee(price, economy.feeRate)
  // Referring oneself, or one's buyers to oneself, does not count.
  const counts = referral !== null && ![payerId, actorId, authorId].includes(referral.userId)
  const reward = counts ? Math.floor(net * Math.min(1, Math.max(0, referral.coefficient))) : 0
  return spend(db, economy, {
    key,
    kind,
    lines: [...moved(person(payerId), person(authorId), 'coins', net), ...(fee === 0 ? [] : moved(person(payerId), 'fee', 'coins', fee))],
    about: { ...about, fee },
    userId: payerId,
    coins: price,
    after: async tx => {
      if (referral === null || reward === 0) return
      const lines = moved(person(authorId), person(referral.userId), 'coins', reward)
      await post(tx, { key: `${key}:referral`, kind: 'referralReward', lines, about })
    },
  }).catch((error: unknown) => {
    if (error instanceof Refusal && error.code === 'not-enough-coins' && payerId !== actorId)
      throw new Refusal('owner-lacks-coins', error.message, error.more)
    throw error
  })
}

type Spending = {
  key: string
  kind: Deed
  lines: readonly Line[]
  about: TransactionDetails
  userId: string
  coins: number
  after?: (tx: Db) => Promise<void>
}

/** Coins spent bring points. */
function spend(db: Db, economy: Economy, { key, kind, lines, about, userId, coins, after }: Spending): Promise<Posted> {
  return serialisable(db, async tx => {
    const posted = await post(tx, { key, kind, lines, about })
    if (!posted.isNew) return posted
    await givePoints(tx, `${key}:points`, 'communityConsumption', userId, Math.floor(coins * economy.points.perCoinSpent + 1e-9))
    await after?.(tx)
    return posted
  })
}

/** Points out of nowhere; none at all are no transaction. */
export async function givePoints(tx: Db, key: string, kind: Deed, userId: string, points: number): Promise<void> {
  if (points > 0) await post(tx, { key, kind, lines: moved('mint', person(userId), 'points', points) })
}

/** The entries of a table of amounts that are more than nothing. */
export function amountsOf<K extends string>(amounts: { [A in K]?: number | undefined }): [K, number][] {
  return (Object.entries(amounts) as [K, number][]).filter(([, n]) => n > 0)
}
