// What a development server starts with: an account to sign in with, and a code to invite others.
import { randomInt } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { ensurePersonalWorkspace } from '../workspaces/workspaces.ts'
import type { Auth } from './auth.ts'

/** `freeEmail` is an account of the Free plan with the same password, to meet what plans limit. */
export type Demo = { email: string; password: string; invitation: string; freeEmail: string }

const EMAIL = 'demo@holarchy.local'
const FREE_EMAIL = 'free@holarchy.local'
const PASSWORD = 'holarchy'
const NOTE = 'development'
const LETTERS = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789'

/** Makes them once per database; the password may have been changed since. */
export async function seedDemo(db: Db, auth: Auth): Promise<Demo> {
  await seedAccount(db, auth, EMAIL, 'Demo')
  const free = await seedAccount(db, auth, FREE_EMAIL, 'Demo on Free')
  // Without a subscription it would have the plan of this server, which limits nothing unless PLAN says so.
  if (free.isNew) await db.insertInto('subscription').values({ user_id: free.id, level: 'free', until: null }).execute()
  const invitation = await db
    .selectFrom('invitation_code')
    .select('code')
    .where('note', '=', NOTE)
    .where('uses_left', '>', 0)
    .executeTakeFirst()
  const code = invitation?.code ?? Array.from({ length: 8 }, () => LETTERS[randomInt(LETTERS.length)]).join('')
  if (invitation === undefined) await db.insertInto('invitation_code').values({ code, uses_left: 1000, note: NOTE }).execute()
  return { email: EMAIL, password: PASSWORD, invitation: code, freeEmail: FREE_EMAIL }
}

async function seedAccount(db: Db, auth: Auth, email: string, name: string): Promise<{ id: string; isNew: boolean }> {
  const found = await db.selectFrom('user').select('id').where('email', '=', email).executeTakeFirst()
  if (found !== undefined) return { id: found.id, isNew: false }
  const { password } = await auth.$context
  const hash = await password.hash(PASSWORD)
  const { id } = await db.transaction().execute(async tx => {
    const user = await tx.insertInto('user').values({ name, email, emailVerified: true }).returning('id').executeTakeFirstOrThrow()
    await sql`insert into account ("accountId", "providerId", "userId", password, "updatedAt")
      values (${user.id}, 'credential', ${user.id}, ${hash}, now())`.execute(tx)
    return user
  })
  await ensurePersonalWorkspace(db, id, name)
  return { id, isNew: true }
}
