// One's own account: profile, picture, sessions, what the log says of one, all one's data, and the end of it.
import { Hono } from 'hono'
import { stream } from 'hono/streaming'
import { z } from 'zod'
import { auditLines, note } from '../audit.ts'
import { Buckets } from '../bucket.ts'
import { listFiles } from '../files/listing.ts'
import { Refusal, addressOf, body, params, query, signedIn } from '../http.ts'
import type { SignedIn } from '../http.ts'
import { imageLimit, sendImage, sweepImages, takeImage } from '../images/images.ts'
import type { Parts } from '../parts.ts'
import { CLOSE } from '../protocol.ts'
import { holoOf, stateOf } from '../relay/content.ts'
import { dropUses, workspacesOf } from '../workspaces/workspaces.ts'
import type { Auth } from './auth.ts'
import { belongingsOf, forgetPerson } from './belongings.ts'
import { endSessions, sessionsOf } from './sessions.ts'

export type OwnParts = Parts & { auth: Auth; sessionEnded: (id: string) => Promise<void> }

export function ownRoutes({ db, rooms, auth, quota, sessionEnded, trustProxy }: OwnParts) {
  const exports = new Buckets(1 / 60, 5)

  async function end(userId: string, which: { id: string } | { allBut: string }): Promise<number> {
    const ended = await endSessions(db, userId, which)
    for (const session of ended) await sessionEnded(session)
    return ended.length
  }

  return (
    new Hono<SignedIn>()
      .use(signedIn)
      .get('/sessions', async c => {
        const { userId, sessionId } = c.get('actor')
        return c.json({ sessions: await sessionsOf(db, userId, sessionId) })
      })
      .delete('/sessions/:id', params(z.object({ id: z.uuid() })), async c => {
        const { userId } = c.get('actor')
        await end(userId, { id: c.req.valid('param').id })
        await note(db, { userId, action: 'session-ended', address: addressOf(c, trustProxy) })
        return c.json({ ok: true })
      })
      .post('/sessions/end-others', async c => {
        const { userId, sessionId } = c.get('actor')
        const ended = await end(userId, { allBut: sessionId })
        await note(db, { userId, action: 'other-sessions-ended', address: addressOf(c, trustProxy), detail: { count: String(ended) } })
        return c.json({ ended })
      })
      .get('/avatar', async c => {
        const row = await db.selectFrom('user').select('image').where('id', '=', c.get('actor').userId).executeTakeFirst()
        return sendImage(c, db, row?.image)
      })
      // Of somebody else, by an id that only those know who share something with them.
      .get('/avatar/:id', params(z.object({ id: z.uuid() })), async c => {
        const row = await db.selectFrom('user').select('image').where('id', '=', c.req.valid('param').id).executeTakeFirst()
        return sendImage(c, db, row?.image)
      })
      .put('/avatar', imageLimit, async c => {
        const avatar = await takeImage(db, c)
        await db.updateTable('user').set({ image: avatar }).where('id', '=', c.get('actor').userId).execute()
        await sweepImages(db)
        return c.json({ avatar })
      })
      .delete('/avatar', async c => {
        await db.updateTable('user').set({ image: null }).where('id', '=', c.get('actor').userId).execute()
        return c.json({ ok: true })
      })
      .get('/usage', async c => c.json(await quota.usage(c.get('actor').userId)))
      .get('/audit', query(z.object({ before: z.coerce.number().int().positive().optional() })), async c =>
        c.json({ lines: await auditLines(db, { userId: c.get('actor').userId }, c.req.valid('query').before) }),
      )
      .get('/export', async c => {
        const actor = c.get('actor')
        if (!exports.take(actor.userId, Date.now())) throw new Refusal('too-many-requests')
        await note(db, { userId: actor.userId, action: 'data-exported', address: addressOf(c, trustProxy) })
        const files = (await listFiles(db, actor.userId, { of: 'all' })).filter(
          file => file.role === 'owner' || file.creator?.id === actor.userId,
        )
        const about = {
          format: 'holarchy-export',
          version: 1,
          at: new Date().toISOString(),
          account: { id: actor.userId, name: actor.name, email: actor.email },
          workspaces: await workspacesOf(db, actor.userId),
          sessions: await sessionsOf(db, actor.userId, actor.sessionId),
          log: await auditLines(db, { userId: actor.userId }),
          ...(await belongingsOf(db, { id: actor.userId, email: actor.email })),
        }
        c.header('content-type', 'application/json')
        c.header('content-disposition', 'attachment; filename="holarchy-export.json"')
        return stream(c, async out => {
          await out.write(`${JSON.stringify(about).slice(0, -1)},"files":[`)
          // One document in memory at a time.
          for (const [i, file] of files.entries()) {
            const state = await stateOf(rooms, file.id)
            const holo = state === null ? null : holoOf(state.update)
            await out.write(`${i === 0 ? '' : ','}\n${JSON.stringify({ ...file, holo })}`)
          }
          await out.write(']}\n')
        })
      })
      .post('/delete', body(z.object({ password: z.string().min(1).max(1000) })), async c => {
        const { userId, email } = c.get('actor')
        const account = await db
          .selectFrom('account')
          .select('password')
          .where('userId', '=', userId)
          .where('providerId', '=', 'credential')
          .executeTakeFirst()
        const { password } = await auth.$context
        const hash = account?.password ?? null
        if (hash === null || !(await password.verify({ hash, password: c.req.valid('json').password })))
          throw new Refusal('account-or-password')
        const owned = (await workspacesOf(db, userId)).filter(workspace => workspace.role === 'owner')
        const others = owned.filter(workspace => workspace.members > 1)
        if (others.length > 0)
          throw new Refusal('owns-workspaces', 'workspaces with other members', {
            issues: others.map(({ name }) => ({ path: name, message: 'has other members' })),
          })
        const teams = owned.map(workspace => workspace.id)
        const { sessions, files } = await db.transaction().execute(async tx => {
          const sessions = await tx.selectFrom('session').select('id').where('userId', '=', userId).execute()
          const files = teams.length === 0 ? [] : await tx.selectFrom('file').select('id').where('workspace_id', 'in', teams).execute()
          await dropUses(tx, teams)
          await forgetPerson(tx, { id: userId, email })
          await tx.deleteFrom('user').where('id', '=', userId).execute()
          return { sessions, files }
        })
        for (const file of files) rooms.end(file.id, CLOSE.noDocument, 'the account was deleted')
        for (const session of sessions) await sessionEnded(session.id)
        await rooms.revokeEverywhere(userId)
        await note(db, { userId, action: 'account-deleted', address: addressOf(c, trustProxy) })
        return c.json({ ok: true })
      })
  )
}
