// Opening what was shared, without an account if need be: share links and embed codes.
import { Hono } from 'hono'
import type { Context } from 'hono'
import { sql } from 'kysely'
import { z } from 'zod'
import { GUEST, liveLink, readShareCode, sharePass } from '../files/access.ts'
import type { Access } from '../files/access.ts'
import { Buckets } from '../bucket.ts'
import type { Db } from '../db/database.ts'
import { Refusal, addressOf, body, params } from '../http.ts'
import type { Env } from '../http.ts'
import { onFile } from '../permissions.ts'
import type { Role } from '../protocol.ts'
import { passwordFits } from './passwords.ts'

type OpenParts = { db: Db; access: Access; secret: string; trustProxy: boolean; rateLimited: boolean }

type Opened = {
  docId: string
  name: string
  kind: string
  team: string
  role: Role
  mayCopy?: true
  /** Of a guarded link: what is used as `share` instead of its code, for twelve hours. */
  pass?: string
}

const ofCode = params(z.object({ code: z.string().max(64) }))

/**
 * `POST /api/share/{code}/open`: what a shared link leads to; signing in is not needed to look. One with a password says
 * `share-password`, and opens by `POST /api/share/{code}/unlock {password}`.
 */
export function shareRoutes({ db, access, secret, trustProxy, rateLimited }: OpenParts) {
  // Guesses at passwords, per link and address.
  const guesses = new Buckets(0.2, 10)

  async function open(c: Context<Env>, code: string, password: string | null): Promise<Opened> {
    const linkId = readShareCode(secret, code)
    if (linkId === null) throw new Refusal('share-invalid')
    const link = await liveLink(db, linkId)
    if (link === undefined) throw new Refusal('share-expired')
    const actor = c.get('actor')
    const file = await db.selectFrom('file').select(['name', 'kind', 'workspace_id']).where('id', '=', link.file_id).executeTakeFirst()
    const role = await access(link.file_id, actor?.userId ?? GUEST, linkId)
    const restriction = (await onFile(db, actor?.userId ?? null, link.file_id))?.actor.restriction ?? null
    if (file === undefined || role === null) throw new Refusal('share-expired')
    if (link.password_hash !== null) {
      if (password === null) throw new Refusal('share-password')
      if (rateLimited && !guesses.take(`${linkId} ${addressOf(c, trustProxy)}`, Date.now())) throw new Refusal('too-many-requests')
      if (!(await passwordFits(password, link.password_hash))) throw new Refusal('share-password-wrong')
    }
    if (link.max_uses !== null) await useUp(db, linkId, actor?.userId ?? null)
    const guarded = link.password_hash !== null || link.max_uses !== null
    return {
      docId: link.file_id,
      name: file.name,
      kind: file.kind,
      team: file.workspace_id,
      role,
      ...(link.may_copy && restriction === null ? { mayCopy: true } : {}),
      ...(guarded ? { pass: sharePass(secret, linkId, link.password_hash) } : {}),
    }
  }

  return new Hono<Env>()
    .post('/:code/open', ofCode, async c => c.json(await open(c, c.req.valid('param').code, null)))
    .post('/:code/unlock', ofCode, body(z.object({ password: z.string().max(128) })), async c =>
      c.json(await open(c, c.req.valid('param').code, c.req.valid('json').password)),
    )
}

/** Counts one use, once for those who are signed in. Throws `share-used-up`. */
async function useUp(db: Db, linkId: string, userId: string | null): Promise<void> {
  await db.transaction().execute(async tx => {
    if (userId !== null) {
      const first = await tx
        .insertInto('share_use')
        .values({ link_id: linkId, user_id: userId })
        .onConflict(conflict => conflict.doNothing())
        .executeTakeFirst()
      if (first.numInsertedOrUpdatedRows !== 1n) return
    }
    const used = await sql`update share_link set uses = uses + 1 where id = ${linkId} and uses < max_uses`.execute(tx)
    if (Number(used.numAffectedRows ?? 0) !== 1) throw new Refusal('share-used-up')
  })
}
