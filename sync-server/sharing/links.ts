// Links to a file: made, closed and reopened by users who may share it. Opening one is in open.ts.
import { Hono } from 'hono'
import { nanoid } from 'nanoid'
import { z } from 'zod'
import { requestLog } from '../audit.ts'
import type { Db } from '../db/database.ts'
import { LINK_ID_LENGTH, readShareCode, shareCode } from '../files/access.ts'
import { Refusal, body, id, params, signedIn } from '../http.ts'
import type { SignedIn } from '../http.ts'
import type { Parts } from '../parts.ts'
import { onFile, permit } from '../permissions.ts'
import { hashPassword } from './passwords.ts'

const byId = params(z.object({ id }))
const byCode = params(z.object({ id, code: z.string().max(64) }))
const linkRole = z.enum(['editor', 'commenter', 'viewer'])
const newLink = z.object({
  role: linkRole,
  expiresAt: z.iso.datetime().optional(),
  password: z.string().min(4).max(128).optional(),
  maxUses: z.number().int().min(1).max(1_000_000).optional(),
  mayCopy: z.boolean().optional(),
})

type LinkInfo = {
  code: string
  role: z.output<typeof linkRole>
  createdAt: string
  expiresAt: string | null
  hasPassword: boolean
  maxUses: number | null
  uses: number
  mayCopy: boolean
  /** When it was closed; it can be opened again. */
  closedAt: string | null
}

/** Open links a file may have, and closed ones that are remembered in its list. */
const maxLinksPerFile = 100

export function linkRoutes(parts: Parts) {
  const { db, rooms, secret } = parts
  const log = requestLog(parts)

  return (
    new Hono<SignedIn>()
      .use(signedIn)
      .get('/:id/links', byId, async c => {
        const { id } = c.req.valid('param')
        permit(await onFile(db, c.get('actor').userId, id), 'share', { switches: {} })
        return c.json({ links: await linksOf(db, secret, id) })
      })
      .post('/:id/links', byId, body(newLink), async c => {
        const { id } = c.req.valid('param')
        const { userId } = c.get('actor')
        const standing = permit(await onFile(db, userId, id), 'share')
        const wish = c.req.valid('json')
        if (wish.mayCopy === true) permit(standing, 'copyOut')
        refuseTooMany(await linksOf(db, secret, id))
        const link = await addLink(db, id, userId, wish)
        await log(c, 'link-created', { workspaceId: standing.team, fileId: id, detail: { link: link.id, role: wish.role } })
        return c.json({ code: shareCode(secret, link.id), role: wish.role, expiresAt: link.expires_at }, 201)
      })
      // A closed link is opened again as it was, by users who may make links.
      .post('/:id/links/:code/reopen', byCode, async c => {
        const { id, code } = c.req.valid('param')
        const standing = permit(await onFile(db, c.get('actor').userId, id), 'share')
        const linkId = readShareCode(secret, code)
        const links = await linksOf(db, secret, id)
        const link = links.find(one => one.code === code)
        if (linkId === null || link === undefined) throw new Refusal('share-invalid')
        if (link.closedAt === null) return c.json({ ok: true })
        if (link.mayCopy) permit(standing, 'copyOut')
        if (link.expiresAt !== null && link.expiresAt < new Date().toISOString()) throw new Refusal('share-expired')
        refuseTooMany(links)
        await db.updateTable('share_link').set({ revoked_at: null }).where('id', '=', linkId).where('file_id', '=', id).execute()
        await log(c, 'link-reopened', { workspaceId: standing.team, fileId: id, detail: { link: linkId, role: link.role } })
        return c.json({ ok: true })
      })
      .delete('/:id/links/:code', byCode, async c => {
        const { id, code } = c.req.valid('param')
        const { team } = permit(await onFile(db, c.get('actor').userId, id), 'share', { switches: {} })
        const linkId = readShareCode(secret, code)
        if (linkId === null) throw new Refusal('share-invalid')
        await db
          .updateTable('share_link')
          .set({ revoked_at: new Date() })
          .where('id', '=', linkId)
          .where('file_id', '=', id)
          .where('revoked_at', 'is', null)
          .execute()
        await rooms.revoke(id)
        await log(c, 'link-revoked', { workspaceId: team, fileId: id, detail: { link: linkId } })
        return c.json({ ok: true })
      })
  )
}

async function linksOf(db: Db, secret: string, fileId: string): Promise<LinkInfo[]> {
  const rows = await db
    .selectFrom('share_link')
    .selectAll()
    .where('file_id', '=', fileId)
    .orderBy('revoked_at', order => order.desc().nullsFirst())
    .orderBy('created_at')
    .limit(2 * maxLinksPerFile)
    .execute()
  return rows.map(row => ({
    code: shareCode(secret, row.id),
    role: row.role,
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at?.toISOString() ?? null,
    hasPassword: row.password_hash !== null,
    maxUses: row.max_uses,
    uses: row.uses,
    mayCopy: row.may_copy,
    closedAt: row.revoked_at?.toISOString() ?? null,
  }))
}

/** Throws `limit-reached` when no link can be added to these of a file. */
function refuseTooMany(links: readonly LinkInfo[]): void {
  const open = links.filter(link => link.closedAt === null)
  if (open.length >= maxLinksPerFile)
    throw new Refusal('limit-reached', 'links of one file', { limit: { quantity: 'links', allowed: maxLinksPerFile } })
}

async function addLink(db: Db, fileId: string, userId: string, wish: z.output<typeof newLink>) {
  const link = {
    id: nanoid(LINK_ID_LENGTH),
    file_id: fileId,
    role: wish.role,
    created_by: userId,
    expires_at: wish.expiresAt === undefined ? null : new Date(wish.expiresAt),
    password_hash: wish.password === undefined ? null : await hashPassword(wish.password),
    max_uses: wish.maxUses ?? null,
    may_copy: wish.mayCopy === true,
  }
  await db.insertInto('share_link').values(link).execute()
  return link
}
