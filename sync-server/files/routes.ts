// Files over HTTP: the catalogue, and who a file is shared with. What changes somebody's access reaches open sockets at once.
import { Hono } from 'hono'
import { nanoid } from 'nanoid'
import { z } from 'zod'
import type { Db } from '../db/database.ts'
import { Refusal, body, email, id, name, params, query, signedIn } from '../http.ts'
import type { Env, SignedIn } from '../http.ts'
import { CLOSE, canManage, canWrite } from '../protocol.ts'
import type { Role } from '../protocol.ts'
import type { Rooms } from '../relay/rooms.ts'
import { ensurePersonalWorkspace, workspaceRole } from '../workspaces/workspaces.ts'
import { liveLink, readShareCode, shareCode } from './access.ts'
import type { Access } from './access.ts'
import { KINDS, changeFile, createFile, deleteFile, duplicateFile, listFiles, restoreFile, trashFile } from './files.ts'
import type { FileInfo } from './files.ts'

export type FilesParts = { db: Db; rooms: Rooms; access: Access; secret: string }

const role = z.enum(['manager', 'editor', 'commenter', 'viewer'])
const linkRole = z.enum(['editor', 'commenter', 'viewer'])
const team = z.string().regex(/^[\w-]{1,64}$/)
const listing = z.object({
  of: z.enum(['all', 'folder', 'trash', 'recent', 'shared']).default('all'),
  team: team.optional(),
  parent: id.optional(),
})

export function fileRoutes({ db, rooms, access, secret }: FilesParts) {
  /** The actor's role on a file, at least `enough`. A file one may not see at all does not exist. */
  async function need(fileId: string, userId: string, enough: (role: Role) => boolean): Promise<Role> {
    const has = await access(fileId, userId, null)
    if (has === null) throw new Refusal('not-found')
    if (!enough(has)) throw new Refusal('no-permission')
    return has
  }

  /** For what is done to a file in the trash too, by those who manage its workspace. */
  async function needKeeper(fileId: string, userId: string): Promise<void> {
    const file = await db.selectFrom('file').select('workspace_id').where('id', '=', fileId).executeTakeFirst()
    const has = file === undefined ? null : await workspaceRole(db, file.workspace_id, userId)
    if (has === null) throw new Refusal('not-found')
    if (!canWrite(has)) throw new Refusal('no-permission')
  }

  async function one(fileId: string, userId: string): Promise<FileInfo> {
    const [file] = await listFiles(db, userId, { of: 'one', id: fileId })
    if (file === undefined) throw new Refusal('not-found')
    return file
  }

  async function homeFor(userId: string, userName: string, wanted: string | undefined): Promise<string> {
    if (wanted === undefined) return ensurePersonalWorkspace(db, userId, userName)
    const has = await workspaceRole(db, wanted, userId)
    if (has === null) throw new Refusal('not-found')
    if (!canWrite(has)) throw new Refusal('no-permission')
    return wanted
  }

  const linksOf = (fileId: string) =>
    db
      .selectFrom('share_link')
      .select(['id', 'role', 'created_at', 'expires_at'])
      .where('file_id', '=', fileId)
      .where('revoked_at', 'is', null)
      .orderBy('created_at')
      .execute()

  return new Hono<SignedIn>()
    .use(signedIn)
    .get('/', query(listing), async c => {
      const { of, team, parent } = c.req.valid('query')
      const { userId } = c.get('actor')
      if (of !== 'folder') return c.json({ files: await listFiles(db, userId, of === 'trash' ? { of, team } : { of }) })
      const home = team ?? (await ensurePersonalWorkspace(db, userId, c.get('actor').name))
      return c.json({ files: await listFiles(db, userId, { of, team: home, parent: parent ?? null }) })
    })
    .post(
      '/',
      body(
        z.object({
          id,
          name,
          kind: z.enum(KINDS),
          team: team.optional(),
          parent: id.nullable().optional(),
          epoch: id.optional(),
          taken: z.enum(['refuse', 'number']).default('refuse'),
        }),
      ),
      async c => {
        const file = c.req.valid('json')
        const actor = c.get('actor')
        const home = await homeFor(actor.userId, actor.name, file.team)
        await createFile(db, actor.userId, { ...file, team: home, parent: file.parent ?? null })
        return c.json(await one(file.id, actor.userId), 201)
      },
    )
    .get('/:id', params(z.object({ id })), async c => c.json(await one(c.req.valid('param').id, c.get('actor').userId)))
    .patch(
      '/:id',
      params(z.object({ id })),
      body(z.object({ name: name.optional(), remark: z.string().max(10_000).optional(), parent: id.nullable().optional() })),
      async c => {
        const { id } = c.req.valid('param')
        const { userId } = c.get('actor')
        const change = c.req.valid('json')
        await need(id, userId, canWrite)
        if (change.parent !== undefined) await needKeeper(id, userId)
        await changeFile(db, id, change)
        rooms.control(id, { type: 'file-changed', docId: id })
        return c.json(await one(id, userId))
      },
    )
    .post(
      '/:id/duplicate',
      params(z.object({ id })),
      body(z.object({ id, name: name.optional(), team: team.optional(), parent: id.nullable().optional() })),
      async c => {
        const from = c.req.valid('param').id
        const copy = c.req.valid('json')
        const actor = c.get('actor')
        await need(from, actor.userId, () => true)
        const home = await homeFor(actor.userId, actor.name, copy.team)
        const original = await one(from, actor.userId)
        const parent = copy.parent ?? (home === original.team ? original.parent : null)
        const room = await rooms.open(from)
        const content =
          room === null ? null : await new Promise<Uint8Array | null>(done => room.state(state => done(state?.update ?? null)))
        if (room !== null && content === null) throw new Refusal('unavailable')
        await duplicateFile(db, actor.userId, from, { ...copy, team: home, parent, content })
        return c.json(await one(copy.id, actor.userId), 201)
      },
    )
    .post('/:id/trash', params(z.object({ id })), async c => {
      const { id } = c.req.valid('param')
      await needKeeper(id, c.get('actor').userId)
      for (const gone of await trashFile(db, id)) await rooms.revoke(gone)
      return c.json({ ok: true })
    })
    .post('/:id/restore', params(z.object({ id })), async c => {
      const { id } = c.req.valid('param')
      await needKeeper(id, c.get('actor').userId)
      await restoreFile(db, id)
      await rooms.revoke(id)
      return c.json(await one(id, c.get('actor').userId))
    })
    .delete('/:id', params(z.object({ id })), async c => {
      const { id } = c.req.valid('param')
      await needKeeper(id, c.get('actor').userId)
      await deleteFile(db, id)
      rooms.end(id, CLOSE.noDocument, 'the file was deleted')
      return c.json({ ok: true })
    })
    .get('/:id/collaborators', params(z.object({ id })), async c => {
      const { id } = c.req.valid('param')
      await need(id, c.get('actor').userId, () => true)
      const people = await db
        .selectFrom('collaborator as g')
        .innerJoin('user as u', 'u.id', 'g.user_id')
        .select(['u.id', 'u.name', 'u.email', 'g.role'])
        .where('g.file_id', '=', id)
        .where('g.revoked_at', 'is', null)
        .orderBy('g.at')
        .execute()
      return c.json({ people })
    })
    .post('/:id/collaborators', params(z.object({ id })), body(z.object({ email, role })), async c => {
      const { id } = c.req.valid('param')
      const actor = c.get('actor')
      const { email, role } = c.req.valid('json')
      await need(id, actor.userId, canManage)
      const user = await db
        .selectFrom('user')
        .select(['id', 'name', 'email'])
        .where('email', '=', email)
        .where('emailVerified', '=', true)
        .executeTakeFirst()
      if (user === undefined) throw new Refusal('user-not-registered')
      const file = await one(id, actor.userId)
      if ((await workspaceRole(db, file.team, user.id)) !== null) throw new Refusal('already-collaborator')
      await db
        .insertInto('collaborator')
        .values({ file_id: id, user_id: user.id, role, invited_by: actor.userId })
        .onConflict(conflict => conflict.columns(['file_id', 'user_id']).doUpdateSet({ role, revoked_at: null }))
        .execute()
      await rooms.revoke(id, user.id)
      return c.json({ ...user, role }, 201)
    })
    .patch('/:id/collaborators/:userId', params(z.object({ id, userId: z.uuid() })), body(z.object({ role })), async c => {
      const { id, userId } = c.req.valid('param')
      await need(id, c.get('actor').userId, canManage)
      const change = db.updateTable('collaborator').set(c.req.valid('json')).where('file_id', '=', id).where('user_id', '=', userId)
      const { numUpdatedRows } = await change.where('revoked_at', 'is', null).executeTakeFirst()
      if (numUpdatedRows === 0n) throw new Refusal('not-found')
      await rooms.revoke(id, userId)
      return c.json({ ok: true })
    })
    .delete('/:id/collaborators/:userId', params(z.object({ id, userId: z.uuid() })), async c => {
      const { id, userId } = c.req.valid('param')
      const actor = c.get('actor')
      // Everybody may leave.
      await need(id, actor.userId, has => canManage(has) || userId === actor.userId)
      await db
        .updateTable('collaborator')
        .set({ revoked_at: new Date() })
        .where('file_id', '=', id)
        .where('user_id', '=', userId)
        .where('revoked_at', 'is', null)
        .execute()
      await rooms.revoke(id, userId)
      return c.json({ ok: true })
    })
    .get('/:id/links', params(z.object({ id })), async c => {
      const { id } = c.req.valid('param')
      await need(id, c.get('actor').userId, canManage)
      const links = await linksOf(id)
      return c.json({
        links: links.map(link => ({
          code: shareCode(secret, link.id),
          role: link.role,
          createdAt: link.created_at,
          expiresAt: link.expires_at,
        })),
      })
    })
    .post('/:id/links', params(z.object({ id })), body(z.object({ role: linkRole, expiresAt: z.iso.datetime().optional() })), async c => {
      const { id } = c.req.valid('param')
      const actor = c.get('actor')
      await need(id, actor.userId, canManage)
      const { role, expiresAt } = c.req.valid('json')
      const linkId = nanoid(12)
      const expires = expiresAt === undefined ? null : new Date(expiresAt)
      await db.insertInto('share_link').values({ id: linkId, file_id: id, role, created_by: actor.userId, expires_at: expires }).execute()
      return c.json({ code: shareCode(secret, linkId), role, expiresAt: expires }, 201)
    })
    .delete('/:id/links/:code', params(z.object({ id, code: z.string().max(64) })), async c => {
      const { id, code } = c.req.valid('param')
      await need(id, c.get('actor').userId, canManage)
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
      return c.json({ ok: true })
    })
}

/** `POST /api/share/{code}/open`: what a shared link leads to. Signing in is not needed to look. */
export function shareRoutes({ db, access, secret }: FilesParts) {
  return new Hono<Env>().post('/:code/open', params(z.object({ code: z.string().max(64) })), async c => {
    const linkId = readShareCode(secret, c.req.valid('param').code)
    if (linkId === null) throw new Refusal('share-invalid')
    const link = await liveLink(db, linkId)
    if (link === undefined) throw new Refusal('share-expired')
    const actor = c.get('actor')
    const file = await db.selectFrom('file').select(['name', 'kind', 'workspace_id']).where('id', '=', link.file_id).executeTakeFirst()
    const role = await access(link.file_id, actor?.userId ?? 'guest:', linkId)
    if (file === undefined || role === null) throw new Refusal('share-expired')
    return c.json({ docId: link.file_id, name: file.name, kind: file.kind, team: file.workspace_id, role })
  })
}
