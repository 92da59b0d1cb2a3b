// Lockout: an address that fails to sign in again and again is shut for a while, whether or not there is such an account, and
// whatever the password then. A reset of the password opens it at once.
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { Refusal } from '../http.ts'

/** Failures in a row that are borne, and how long each further one shuts the account: twice as long each time, up to the most. */
export const LOCKOUT = { failures: 20, firstMs: 60_000, mostMs: 15 * 60_000, forgetMs: 3_600_000 } as const

/** Throws `account-locked` while the address is shut. */
export async function refuseLocked(db: Db, email: string): Promise<void> {
  const row = await db.selectFrom('login_failure').select('locked_until').where('email', '=', email).executeTakeFirst()
  const left = (row?.locked_until?.getTime() ?? 0) - Date.now()
  if (left > 0) throw new Refusal('account-locked', `try again in ${Math.ceil(left / 1000)} s`)
}

export async function noteFailure(db: Db, email: string): Promise<void> {
  const { forgetMs, failures, firstMs, mostMs } = LOCKOUT
  await sql`insert into login_failure as f (email, failures) values (${email}, 1)
    on conflict (email) do update set last_at = now(),
      failures = case when f.last_at < now() - ${forgetMs} * interval '1 millisecond' then 1 else f.failures + 1 end,
      locked_until = case when f.failures + 1 >= ${failures} and f.last_at >= now() - ${forgetMs} * interval '1 millisecond'
        then now() + least(${mostMs}, ${firstMs} * power(2, least(f.failures + 1 - ${failures}, 20))) * interval '1 millisecond' end`.execute(
    db,
  )
  // Made-up addresses leave nothing behind.
  await sql`delete from login_failure where last_at < now() - interval '1 day'`.execute(db)
}

export async function forgetFailures(db: Db, email: string): Promise<void> {
  await db.deleteFrom('login_failure').where('email', '=', email).execute()
}
