// Gifts of the platform: to newcomers and their inviters, from its operators to people, to holders of coins and items.
import { createHash, randomInt } from 'node:crypto'
import { sql } from 'kysely'
import type { Amounts, Asset, Economy } from '../../model-schema/business/coins.ts'
import type { Db } from '../db/database.ts'
import { amountsOf, givePoints } from './deals.ts'
import { moved, person, post, serialisable } from './ledger.ts'
import type { Posted } from './ledger.ts'

/** The receivers of a welcome; null when the mailbox was welcomed before. */
type Welcome = { gift: Amounts; inviter: { userId: string; coins: number; points: number } | null }

/**
 * Gives an activated account its register gift, and its inviter the reward. A mailbox is welcomed once, whatever becomes of the account:
 * deleting it and coming again, or adding `+something` to the address, brings nothing. There is no reward for one's own mailbox, nor for more
 * people in 30 days than the economy says. The inviter is set when registering and never later, so there are no rings.
 */
export function welcome(db: Db, economy: Economy, userId: string): Promise<Welcome | null> {
  return serialisable(db, async tx => {
    const user = await tx.selectFrom('user').select(['email', 'emailVerified', 'inviteCode']).where('id', '=', userId).executeTakeFirst()
    if (user === undefined || !user.emailVerified) return null
    const inviter = await inviterOf(tx, user.inviteCode, userId)
    const mailbox = mailboxOf(user.email)
    const isFirst = await tx
      .insertInto('welcome')
      .values({ mailbox, user_id: userId, inviter_id: inviter?.id ?? null })
      .onConflict(conflict => conflict.doNothing())
      .returning('mailbox')
      .executeTakeFirst()
    if (isFirst === undefined) return null
    const lines = amountsOf<Asset>(economy.registerGift).flatMap(([asset, n]) => moved('mint', person(userId), asset, n))
    if (lines.length > 0) await post(tx, { key: `registerGift:${userId}`, kind: 'registerGift', lines })
    const { coefficient, points, mostPerMonth } = economy.referral
    if (inviter === null || mailboxOf(inviter.email) === mailbox || (await rewardedLately(tx, inviter.id)) >= mostPerMonth)
      return { gift: economy.registerGift, inviter: null }
    const coins = Math.floor((economy.registerGift.coins ?? 0) * coefficient)
    const key = `referral:${userId}`
    if (coins > 0) await post(tx, { key, kind: 'referralReward', lines: moved('mint', person(inviter.id), 'coins', coins) })
    await givePoints(tx, `${key}:points`, 'promotePlatformReward', inviter.id, points)
    await tx.updateTable('welcome').set({ coins, points }).where('mailbox', '=', mailbox).execute()
    return { gift: economy.registerGift, inviter: { userId: inviter.id, coins, points } }
  })
}

async function inviterOf(tx: Db, code: string | null, userId: string): Promise<{ id: string; email: string } | null> {
  if (code === null) return null
  const row = await tx
    .selectFrom('invitation_code as i')
    .innerJoin('user as u', 'u.id', 'i.user_id')
    .select(['u.id', 'u.email'])
    .where('i.code', '=', code)
    .executeTakeFirst()
  return row === undefined || row.id === userId ? null : row
}

async function rewardedLately(tx: Db, inviterId: string): Promise<number> {
  const { n } = await tx
    .selectFrom('welcome')
    .select(eb => eb.fn.countAll<number>().as('n'))
    .where('inviter_id', '=', inviterId)
    .where('coins', 'is not', null)
    .where('at', '>', sql<Date>`now() - interval '30 days'`)
    .executeTakeFirstOrThrow()
  return n
}

/** Identifies the mailbox of an address without revealing the address: `+tags` and, at Gmail, dots lead to the same one. */
export function mailboxOf(email: string): string {
  const at = email.lastIndexOf('@')
  const domain = email
    .slice(at + 1)
    .toLowerCase()
    .replace('googlemail.com', 'gmail.com')
  const name = email.slice(0, at).toLowerCase().replace(/\+.*$/, '')
  return createHash('sha256')
    .update(`${domain === 'gmail.com' ? name.replaceAll('.', '') : name}@${domain}`)
    .digest('base64url')
}

type Referral = { code: string; invited: number; rewarded: number; coins: number; points: number }

/** One's own invitation code, made when first asked for, and its results. */
export async function referralOf(db: Db, userId: string): Promise<Referral> {
  const found = await db.selectFrom('invitation_code').select('code').where('user_id', '=', userId).executeTakeFirst()
  const code = found?.code ?? (await newCode(db, userId))
  const { invited, rewarded, coins, points } = await db
    .selectFrom('welcome')
    .select(eb => [
      eb.fn.countAll<number>().as('invited'),
      eb.fn.count<number>('coins').as('rewarded'),
      eb.fn.coalesce(eb.fn.sum<number>('coins'), sql<number>`0`).as('coins'),
      eb.fn.coalesce(eb.fn.sum<number>('points'), sql<number>`0`).as('points'),
    ])
    .where('inviter_id', '=', userId)
    .executeTakeFirstOrThrow()
  return { code, invited, rewarded, coins: Number(coins), points: Number(points) }
}

/** No letters or digits that look alike. */
const LETTERS = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789'
const CODE_LENGTH = 10
const USES = 1000

async function newCode(db: Db, userId: string): Promise<string> {
  // A letter first: never a number in an address.
  const code = Array.from({ length: CODE_LENGTH }, (_, i) => LETTERS[randomInt(i === 0 ? LETTERS.indexOf('2') : LETTERS.length)]).join('')
  await db
    .insertInto('invitation_code')
    .values({ code, uses_left: USES, note: 'personal', user_id: userId })
    .onConflict(conflict => conflict.doNothing())
    .execute()
  // Asked for twice at once there is one of them all the same.
  const { code: kept } = await db.selectFrom('invitation_code').select('code').where('user_id', '=', userId).executeTakeFirstOrThrow()
  return kept
}

type Given = { key: string; kind: 'systemGift' | 'platformCompensation'; userId: string; amounts: Amounts; by: string }

/** A gift by an operator, newly minted. */
export function give(db: Db, { key, kind, userId, amounts, by }: Given): Promise<Posted> {
  const lines = amountsOf<Asset>(amounts).flatMap(([asset, n]) => moved('mint', person(userId), asset, n))
  return serialisable(db, tx => post(tx, { key: `operator:${key}`, kind, lines, about: { by } }))
}

const BATCH = 200

/** The daily points for holders of coins and items; once a day and person, however often this is called. Answers how many got some. */
export async function rewardHolders(db: Db, { points }: Economy, now = new Date()): Promise<number> {
  const day = now.toISOString().slice(0, 10)
  let given = 0
  for (let after = ''; ;) {
    const rows = await db
      .selectFrom('ledger_balance')
      .select(['holder', sql<number>`coalesce(sum(amount) filter (where asset = 'coins'), 0)::bigint`.as('coins')])
      .select(sql<number>`coalesce(sum(amount) filter (where asset not in ('coins', 'points')), 0)::bigint`.as('items'))
      .where('holder', 'like', 'person:%')
      .where('holder', '>', after)
      .groupBy('holder')
      .orderBy('holder')
      .limit(BATCH)
      .execute()
    for (const { holder, coins, items } of rows) {
      const userId = holder.slice('person:'.length)
      const forCoins = points.heldCoins === 0 ? 0 : Math.floor(coins / points.heldCoins)
      const forItems = Math.floor(items * points.perItemHeld + 1e-9)
      if (forCoins + forItems === 0) continue
      // What was held may have changed since another server did the same; the day's first word counts.
      await serialisable(db, async tx => {
        const before = await tx
          .selectFrom('ledger_transaction')
          .select('id')
          .where('key', 'in', [`holdCoin:${day}:${userId}`, `holdItem:${day}:${userId}`])
          .executeTakeFirst()
        if (before !== undefined) return
        await givePoints(tx, `holdCoin:${day}:${userId}`, 'holdCoin', userId, forCoins)
        await givePoints(tx, `holdItem:${day}:${userId}`, 'holdItem', userId, forItems)
        given++
      })
    }
    const last = rows.at(-1)
    if (last === undefined || rows.length < BATCH) return given
    after = last.holder
  }
}
