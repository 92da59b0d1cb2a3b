// Tokens with which programs act for a person over the Model Context Protocol. Only a hash is stored; the token itself is shown once.
import { createHash, randomBytes } from 'node:crypto'
import { nanoid } from 'nanoid'
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { Refusal } from '../http.ts'

export const scopes = ['read', 'propose'] as const
export type Scope = (typeof scopes)[number]

export type NewToken = { label: string; scope: Scope; workspaces: string[]; files: string[]; days: number }

/** The person that a token acts for, and what it may do. */
export type Bearer = {
  readonly id: string
  readonly userId: string
  readonly userName: string
  readonly label: string
  readonly scope: Scope
  readonly workspaces: readonly string[]
  readonly files: readonly string[]
}

/** Most tokens of one person. */
const mostTokens = 20
const PREFIX = 'hol_'

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest()

export async function tokensOf(db: Db, userId: string) {
  const rows = await db.selectFrom('token').selectAll().where('user_id', '=', userId).orderBy('created_at').execute()
  return rows.map(({ id, label, scope, workspaces, files, created_at, expires_at, used_at }) => ({
    id,
    label,
    scope,
    workspaces,
    files,
    createdAt: created_at.toISOString(),
    expiresAt: expires_at.toISOString(),
    usedAt: used_at?.toISOString() ?? null,
  }))
}

/** Makes a token: what is answered is shown once. Throws `too-large` when there are too many. */
export async function makeToken(
  db: Db,
  userId: string,
  { label, scope, workspaces, files, days }: NewToken,
): Promise<{ id: string; token: string }> {
  const { count } = await db
    .selectFrom('token')
    .select(eb => eb.fn.countAll<string>().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  if (Number(count) >= mostTokens) throw new Refusal('too-large', `at most ${mostTokens} tokens`)
  const id = nanoid(16)
  const token = `${PREFIX}${randomBytes(32).toString('base64url')}`
  const expires_at = sql<Date>`now() + make_interval(days => ${days})`
  await db
    .insertInto('token')
    .values({ id, user_id: userId, hash: hashOf(token), label, scope, workspaces, files, expires_at })
    .execute()
  return { id, token }
}

/** Revokes a token. Throws `not-found`. */
export async function revokeToken(db: Db, userId: string, id: string): Promise<void> {
  const gone = await db.deleteFrom('token').where('id', '=', id).where('user_id', '=', userId).returning('id').executeTakeFirst()
  if (!gone) throw new Refusal('not-found', 'no such token')
}

/** The person of a token; null when it is unknown, revoked or expired. */
export async function bearerOf(db: Db, token: string): Promise<Bearer | null> {
  if (!token.startsWith(PREFIX) || token.length > 100) return null
  const row = await db
    .selectFrom('token as t')
    .innerJoin('user as u', 'u.id', 't.user_id')
    .select(['t.id', 't.user_id', 't.label', 't.scope', 't.workspaces', 't.files', 'u.name'])
    .where('t.hash', '=', hashOf(token))
    .where('t.expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst()
  if (!row) return null
  // Once a minute is enough to know that it is in use.
  await db
    .updateTable('token')
    .set({ used_at: sql<Date>`now()` })
    .where('id', '=', row.id)
    .where(eb => eb.or([eb('used_at', 'is', null), eb('used_at', '<', sql<Date>`now() - interval '1 minute'`)]))
    .execute()
  const { id, user_id, name, label, scope, workspaces, files } = row
  return { id, userId: user_id, userName: name, label, scope, workspaces, files }
}
