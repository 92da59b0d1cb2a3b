// What a development server starts with: an account to sign in with, and a code to invite others.
import { randomInt } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { ensurePersonalWorkspace } from '../workspaces/workspaces.ts'
import type { Auth } from './auth.ts'

export type Demo = { email: string; password: string; invitation: string }

const EMAIL = 'demo@holarchy.local'
const PASSWORD = 'holarchy'
const NOTE = 'development'
const LETTERS = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789'

/** Makes them once per database; the password may have been changed since. */
export async function seedDemo(db: Db, auth: Auth): Promise<Demo> {
  const found = await db.selectFrom('user').select('id').where('email', '=', EMAIL).executeTakeFirst()
  if (found === undefined) {
    const { password } = await auth.$context
    const hash = await password.hash(PASSWORD)
    await db.transaction().execute(async tx => {
      const user = await tx
        .insertInto('user')
        .values({ name: 'Demo', email: EMAIL, emailVerified: true })
        .returning('id')
        .executeTakeFirstOrThrow()
      await sql`insert into account ("accountId", "providerId", "userId", password, "updatedAt")
        values (${user.id}, 'credential', ${user.id}, ${hash}, now())`.execute(tx)
    })
  }
  const user = await db.selectFrom('user').select('id').where('email', '=', EMAIL).executeTakeFirstOrThrow()
  await ensurePersonalWorkspace(db, user.id, 'Demo')
  const invitation = await db
    .selectFrom('invitation_code')
    .select('code')
    .where('note', '=', NOTE)
    .where('uses_left', '>', 0)
    .executeTakeFirst()
  const code = invitation?.code ?? Array.from({ length: 8 }, () => LETTERS[randomInt(LETTERS.length)]).join('')
  if (invitation === undefined) await db.insertInto('invitation_code').values({ code, uses_left: 1000, note: NOTE }).execute()
  return { email: EMAIL, password: PASSWORD, invitation: code }
}
