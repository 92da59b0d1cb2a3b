// Users by address and by name.
import { sql } from 'kysely'
import { z } from 'zod'
import { locales } from '../../model-schema/languages/catalogues.ts'
import type { Db } from '../db/database.ts'
import { Refusal } from '../http.ts'

export const locale = z.enum(locales)
/** A code of a letter. */
export const oneTimeCode = z.string().trim().min(1).max(500)

/** The user of an address, whether or not it is confirmed. */
export const userByAddress = (db: Db, address: string) =>
  db.selectFrom('user').select(['id', 'name', 'emailVerified']).where('email', '=', address).executeTakeFirst()

/** Throws `nickname-taken` when another user has the name, whatever the case; a unique index decides between two at once. */
export async function refuseTakenName(db: Db, wanted: string, own: string | null): Promise<void> {
  const other = db
    .selectFrom('user')
    .select('id')
    .where(sql<boolean>`lower(name) = lower(${wanted})`)
  if ((await other.$if(own !== null, query => query.where('id', '<>', own ?? '')).executeTakeFirst()) !== undefined)
    throw new Refusal('nickname-taken')
}
