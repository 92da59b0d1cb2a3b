// Sharing a file: collaborators (let in at once, or invited and asked), and links. What changes access reaches sockets at once.
import { Hono } from 'hono'
import { nanoid } from 'nanoid'
import { z } from 'zod'
import { note } from '../audit.ts'
import { Buckets } from '../bucket.ts'
import { LINK_ID_LENGTH, readShareCode, shareCode } from '../files/access.ts'
import { Refusal, addressOf, body, email, id, params, signedIn } from '../http.ts'
import type { SignedIn } from '../http.ts'
import { invitationLetter } from '../mail/letters.ts'
import type { Db } from '../db/database.ts'
import type { Parts } from '../parts.ts'
import { isOpen, onFile, permit } from '../permissions.ts'
import type { FileStanding } from '../permissions.ts'
import { addresses, invitationCode, invite, pendingFor, readAddresses, revokeInvitation } from '../workspaces/invitations.ts'
import type { Outcome } from '../workspaces/invitations.ts'
import { hashPassword } from './passwords.ts'

const byId = params(z.object({ id }))
const byPerson = params(z.object({ id, userId: z.uuid() }))
const byCode = params(z.object({ id, code: z.string().max(64) }))
const role = z.enum(['manager', 'editor', 'commenter', 'viewer'])
const linkRole = z.enum(['editor', 'commenter', 'viewer'])

export type LinkInfo = {
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
const MOST_LINKS = 100

export function sharingRoutes({ db, rooms, mail, notify, quota, secret, publicUrl, trustProxy }: Parts) {
  // Invitations go to people who did not ask for them.
  const letters = new Buckets(1 / 30, 150)
  // Addresses that turn out to be nobody's: a few typing mistakes, not a list to be tried.
  const unknown = new Buckets(1 / 60, 20)

  /** Somebody registered by this address. */
  const personAt = (address: string) =>
    db
      .selectFrom('user')
      .select(['id', 'name', 'email', 'locale'])
      .where('email', '=', address)
      .where('emailVerified', '=', true)
      .executeTakeFirst()

  /** Gives a person from outside a role, if there is a seat left; false when they are a member. */
  async function seat(
    standing: FileStanding,
    fileId: string,
    userId: string,
    actorId: string,
    give: (tx: Db) => Promise<void>,
  ): Promise<boolean> {
    const theirs = await onFile(db, userId, fileId)
    if (theirs === null || theirs.actor.external !== true) return false
    if (!isOpen(standing, 'externalAccess')) throw new Refusal('no-permission', 'the space has switched external access off')
    await quota.take('externalEditors', actorId, standing, give)
    return true
  }

  async function linksOf(fileId: string): Promise<LinkInfo[]> {
    const rows = await db
      .selectFrom('share_link')
      .selectAll()
      .where('file_id', '=', fileId)
      .orderBy('revoked_at', order => order.desc().nullsFirst())
      .orderBy('created_at')
      .limit(2 * MOST_LINKS)
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

  const people = new Hono<SignedIn>()
    .use(signedIn)
    .get('/:id/collaborators', byId, async c => {
      const { id } = c.req.valid('param')
      const { subject, actor } = permit(await onFile(db, c.get('actor').userId, id), 'view')
      if (subject.inTrash) throw new Refusal('no-permission')
      const people = await db
        .selectFrom('collaborator as g')
        .innerJoin('user as u', 'u.id', 'g.user_id')
        .select(['u.id', 'u.name', 'u.email', 'u.image as avatar', 'g.role'])
        .where('g.file_id', '=', id)
        .where('g.revoked_at', 'is', null)
        .orderBy('g.at')
        .execute()
      const manages = actor.role === 'owner' || actor.role === 'manager'
      return c.json({ people, pending: manages ? await pendingFor(db, { fileId: id }) : [] })
    })
    .post('/:id/collaborators', byId, body(z.object({ email, role })), async c => {
      const { id } = c.req.valid('param')
      const actor = c.get('actor')
      const { email, role } = c.req.valid('json')
      const standing = permit(await onFile(db, actor.userId, id), 'share')
      const user = await personAt(email)
      if (user === undefined) {
        if (!unknown.take(actor.userId, Date.now())) throw new Refusal('too-many-requests')
        throw new Refusal('user-not-registered')
      }
      // An address that has been tried too often is not told apart from those that are free.
      if (unknown.isEmpty(actor.userId, Date.now())) throw new Refusal('too-many-requests')
      const given = await seat(standing, id, user.id, actor.userId, async tx => {
        const there = tx.selectFrom('collaborator').select('role').where('file_id', '=', id).where('user_id', '=', user.id)
        if ((await there.where('revoked_at', 'is', null).executeTakeFirst()) !== undefined) throw new Refusal('already-collaborator')
        await tx
          .insertInto('collaborator')
          .values({ file_id: id, user_id: user.id, role, invited_by: actor.userId })
          .onConflict(conflict => conflict.columns(['file_id', 'user_id']).doUpdateSet({ role, revoked_at: null }))
          .execute()
      })
      if (!given) throw new Refusal('already-collaborator')
      await rooms.revoke(id, user.id)
      await note(db, {
        userId: actor.userId,
        action: 'file-shared',
        workspaceId: standing.team,
        fileId: id,
        address: addressOf(c, trustProxy),
        detail: { with: user.id, role },
      })
      await notify([user.id], 'file-shared', { fileId: id, team: standing.team, name: standing.name, role, by: actor.name })
      return c.json({ id: user.id, name: user.name, email: user.email, role }, 201)
    })
    .patch('/:id/collaborators/:userId', byPerson, body(z.object({ role })), async c => {
      const { id, userId } = c.req.valid('param')
      const actor = c.get('actor')
      const { role } = c.req.valid('json')
      const standing = permit(await onFile(db, actor.userId, id), 'share')
      const change = async (tx: Db): Promise<void> => {
        const theirs = tx.updateTable('collaborator').set({ role }).where('file_id', '=', id).where('user_id', '=', userId)
        const { numUpdatedRows } = await theirs.where('revoked_at', 'is', null).executeTakeFirst()
        if (numUpdatedRows === 0n) throw new Refusal('not-found')
      }
      if (!(await seat(standing, id, userId, actor.userId, change))) await change(db)
      await rooms.revoke(id, userId)
      await note(db, {
        userId: actor.userId,
        action: 'file-role-changed',
        workspaceId: standing.team,
        fileId: id,
        address: addressOf(c, trustProxy),
        detail: { of: userId, role },
      })
      return c.json({ ok: true })
    })
    .delete('/:id/collaborators/:userId', byPerson, async c => {
      const { id, userId } = c.req.valid('param')
      const actor = c.get('actor')
      // Everybody may leave; taking somebody's access away is open even when the space no longer shares.
      const standing = permit(await onFile(db, actor.userId, id), 'view')
      if (userId !== actor.userId) permit(standing, 'share', { switches: {} })
      await db
        .updateTable('collaborator')
        .set({ revoked_at: new Date() })
        .where('file_id', '=', id)
        .where('user_id', '=', userId)
        .where('revoked_at', 'is', null)
        .execute()
      await rooms.revoke(id, userId)
      await note(db, {
        userId: actor.userId,
        action: 'file-unshared',
        workspaceId: standing.team,
        fileId: id,
        address: addressOf(c, trustProxy),
        detail: { with: userId },
      })
      if (userId !== actor.userId) await notify([userId], 'removed', { name: standing.name, by: actor.name })
      return c.json({ ok: true })
    })
    .post('/:id/invitations', byId, body(z.object({ emails: addresses, role })), async c => {
      const { id } = c.req.valid('param')
      const actor = c.get('actor')
      const { emails, role } = c.req.valid('json')
      const standing = permit(await onFile(db, actor.userId, id), 'share')
      if (!isOpen(standing, 'externalAccess')) throw new Refusal('no-permission', 'the space has switched external access off')
      const results: { email: string; outcome: Outcome }[] = []
      for (const email of readAddresses(emails)) {
        const user = await personAt(email)
        const theirs = user === undefined ? null : await onFile(db, user.id, id)
        let outcome: Outcome
        if (!letters.take(actor.userId, Date.now())) throw new Refusal('too-many-requests')
        if (user === undefined || theirs === null) outcome = 'user-not-registered'
        else if (theirs.actor.external !== true) outcome = 'already-member'
        else if (theirs.actor.role !== null) outcome = 'already-collaborator'
        else {
          const invited = await invite(db, { fileId: id }, email, role, actor.userId)
          outcome = invited === null ? 'invited-before' : 'invited'
          if (invited !== null) {
            const code = invitationCode(secret, invited)
            await mail.send(invitationLetter(email, actor.name, standing.name, `${publicUrl}/invite_collaborator/${code}`, user.locale))
            await notify([user.id], 'file-invitation', { code, fileId: id, team: standing.team, name: standing.name, role, by: actor.name })
          }
        }
        results.push({ email, outcome })
      }
      return c.json({ results })
    })
    .delete('/:id/invitations/:code', byCode, async c => {
      const { id, code } = c.req.valid('param')
      permit(await onFile(db, c.get('actor').userId, id), 'share', { switches: {} })
      await revokeInvitation(db, { fileId: id }, code)
      return c.json({ ok: true })
    })

  async function refuseTooMany(fileId: string): Promise<void> {
    const open = (await linksOf(fileId)).filter(link => link.closedAt === null)
    if (open.length >= MOST_LINKS)
      throw new Refusal('limit-reached', 'links of one file', { limit: { quantity: 'links', allowed: MOST_LINKS } })
  }

  const links = new Hono<SignedIn>()
    .use(signedIn)
    .get('/:id/links', byId, async c => {
      const { id } = c.req.valid('param')
      permit(await onFile(db, c.get('actor').userId, id), 'share', { switches: {} })
      return c.json({ links: await linksOf(id) })
    })
    .post(
      '/:id/links',
      byId,
      body(
        z.object({
          role: linkRole,
          expiresAt: z.iso.datetime().optional(),
          password: z.string().min(4).max(128).optional(),
          maxUses: z.number().int().min(1).max(1_000_000).optional(),
          mayCopy: z.boolean().optional(),
        }),
      ),
      async c => {
        const { id } = c.req.valid('param')
        const actor = c.get('actor')
        const standing = permit(await onFile(db, actor.userId, id), 'share')
        const { role, expiresAt, password, maxUses, mayCopy = false } = c.req.valid('json')
        if (mayCopy) permit(standing, 'copyOut')
        await refuseTooMany(id)
        const linkId = nanoid(LINK_ID_LENGTH)
        const row = {
          id: linkId,
          file_id: id,
          role,
          created_by: actor.userId,
          expires_at: expiresAt === undefined ? null : new Date(expiresAt),
        }
        const guard = {
          password_hash: password === undefined ? null : await hashPassword(password),
          max_uses: maxUses ?? null,
          may_copy: mayCopy,
        }
        await db
          .insertInto('share_link')
          .values({ ...row, ...guard })
          .execute()
        await note(db, {
          userId: actor.userId,
          action: 'link-created',
          workspaceId: standing.team,
          fileId: id,
          address: addressOf(c, trustProxy),
          detail: { link: linkId, role },
        })
        return c.json({ code: shareCode(secret, linkId), role, expiresAt: row.expires_at }, 201)
      },
    )
    // A closed link is opened again as it was; whoever may make links may.
    .post('/:id/links/:code/reopen', byCode, async c => {
      const { id, code } = c.req.valid('param')
      const { userId } = c.get('actor')
      const standing = permit(await onFile(db, userId, id), 'share')
      const linkId = readShareCode(secret, code)
      const link = (await linksOf(id)).find(one => one.code === code)
      if (linkId === null || link === undefined) throw new Refusal('share-invalid')
      if (link.closedAt === null) return c.json({ ok: true })
      if (link.mayCopy) permit(standing, 'copyOut')
      if (link.expiresAt !== null && link.expiresAt < new Date().toISOString()) throw new Refusal('share-expired')
      await refuseTooMany(id)
      await db.updateTable('share_link').set({ revoked_at: null }).where('id', '=', linkId).where('file_id', '=', id).execute()
      await note(db, {
        userId,
        action: 'link-reopened',
        workspaceId: standing.team,
        fileId: id,
        address: addressOf(c, trustProxy),
        detail: { link: linkId, role: link.role },
      })
      return c.json({ ok: true })
    })
    .delete('/:id/links/:code', byCode, async c => {
      const { id, code } = c.req.valid('param')
      const { userId } = c.get('actor')
      const { team } = permit(await onFile(db, userId, id), 'share', { switches: {} })
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
      await note(db, {
        userId,
        action: 'link-revoked',
        workspaceId: team,
        fileId: id,
        address: addressOf(c, trustProxy),
        detail: { link: linkId },
      })
      return c.json({ ok: true })
    })

  return people.route('/', links)
}
