// What people do with publications, counted so that each person counts once: a like, a favourite, a copy a person; a visit a person
// (or a stranger's address) and day; nothing of the author's own.
import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import { rankOf } from '../../model-schema/business/market.ts'
import { inTransaction } from '../db/database.ts'
import type { Db } from '../db/database.ts'
import { Refusal } from '../http.ts'

/** Visits are kept by visitor for so many days; after that only their number is. */
const VISITS_KEPT_DAYS = 30

/** Likes, favourites and copies counted again, and the place among the recommended with them. Inside the transaction that changed them. */
export async function recount(tx: Db, appId: string): Promise<void> {
  // The rows counted below are written under this lock only.
  await sql`select 1 from market_app where id = ${appId} for update`.execute(tx)
  const { rows } = await sql<{
    likes: number
    favourites: number
    downloads: number
    comments: number
    views: number
    verified: boolean
    at: Date | null
  }>`select (select count(*) from market_like where app_id = a.id and user_id is distinct from a.author)::int as likes,
      (select count(*) from market_favourite where app_id = a.id and user_id is distinct from a.author)::int as favourites,
      (select count(*) from market_download where app_id = a.id and user_id is distinct from a.author)::int as downloads,
      (select count(*) from market_comment where app_id = a.id and deleted_at is null and hidden_at is null)::int as comments,
      a.views, coalesce(v.proof = 'verified', false) as verified, v.published_at as at
    from market_app a left join market_version v on v.app_id = a.id and v.number = a.current where a.id = ${appId}`.execute(tx)
  const found = rows[0]
  if (found === undefined) return
  const { likes, favourites, downloads, comments, views, verified, at } = found
  const rank = at === null ? 0 : rankOf({ likes, favourites, downloads, views, verified, at: at.getTime() })
  await tx.updateTable('market_app').set({ likes, favourites, downloads, comments, rank }).where('id', '=', appId).execute()
}

/** An anonymous identifier of the visitor: a person's id, or a hash of the day and where a stranger came from. */
export function visitorOf(secret: string, userId: string | null, address: string, agent: string, day: string): string {
  if (userId !== null) return userId
  return createHmac('sha256', secret).update(`visit:${day}:${address}:${agent}`).digest('base64url').slice(0, 24)
}

/** Counts a visit, once a visitor and day. */
export async function visit(db: Db, app: { id: string; author: string | null }, visitor: string, day: string): Promise<boolean> {
  if (visitor === app.author) return false
  return inTransaction(db, async tx => {
    await sql`select 1 from market_app where id = ${app.id} for update`.execute(tx)
    const made = await tx
      .insertInto('market_view')
      .values({ app_id: app.id, visitor, day })
      .onConflict(conflict => conflict.doNothing())
      .executeTakeFirst()
    if (made.numInsertedOrUpdatedRows !== 1n) return false
    await sql`delete from market_view where app_id = ${app.id} and day < ${day}::date - ${VISITS_KEPT_DAYS}::int`.execute(tx)
    await sql`update market_app set views = views + 1 where id = ${app.id}`.execute(tx)
    await recount(tx, app.id)
    return true
  })
}

/** Sets or takes back a like or a favourite. Throws `market-own`: liking one's own work says nothing. */
export async function mark(
  db: Db,
  table: 'market_like' | 'market_favourite',
  app: { id: string; author: string | null },
  userId: string,
  on: boolean,
): Promise<void> {
  if (table === 'market_like' && app.author === userId) throw new Refusal('market-own')
  await inTransaction(db, async tx => {
    await sql`select 1 from market_app where id = ${app.id} for update`.execute(tx)
    if (on)
      await tx
        .insertInto(table)
        .values({ app_id: app.id, user_id: userId })
        .onConflict(conflict => conflict.doNothing())
        .execute()
    else await tx.deleteFrom(table).where('app_id', '=', app.id).where('user_id', '=', userId).execute()
    // An author may mark their own work to find it, and it counts for nothing.
    if (app.author !== userId) await recount(tx, app.id)
  })
}

/** Records that a person took a copy, once a person, never the author. True the first time. */
export async function noteDownload(tx: Db, app: { id: string; author: string | null }, userId: string): Promise<boolean> {
  if (app.author === userId) return false
  await sql`select 1 from market_app where id = ${app.id} for update`.execute(tx)
  const made = await tx
    .insertInto('market_download')
    .values({ app_id: app.id, user_id: userId })
    .onConflict(conflict => conflict.doNothing())
    .executeTakeFirst()
  if (made.numInsertedOrUpdatedRows !== 1n) return false
  await recount(tx, app.id)
  return true
}

/** Follows an author, or stops. True when that is new. */
export async function follow(db: Db, follower: string, author: string, on: boolean): Promise<boolean> {
  if (follower === author) throw new Refusal('market-own', 'one does not follow oneself')
  const there = await db.selectFrom('user').select('id').where('id', '=', author).executeTakeFirst()
  if (there === undefined) throw new Refusal('not-found')
  if (!on) {
    await db.deleteFrom('market_follow').where('follower', '=', follower).where('author', '=', author).execute()
    return false
  }
  const made = await db
    .insertInto('market_follow')
    .values({ follower, author })
    .onConflict(conflict => conflict.doNothing())
    .executeTakeFirst()
  return made.numInsertedOrUpdatedRows === 1n
}
