// One's own account: profile, picture, sessions, what the log says of one, all one's data, and the end of it.
import { Hono } from 'hono'
import { stream } from 'hono/streaming'
import { z } from 'zod'
import { auditLines, requestLog } from '../audit.ts'
import { Buckets } from '../bucket.ts'
import { Refusal, body, params, query, signedIn } from '../http.ts'
import type { SignedIn } from '../http.ts'
import { imageLimit, sendImage, sweepImages, takeImage } from '../images/images.ts'
import type { Parts } from '../parts.ts'
import { CLOSE } from '../protocol.ts'
import type { Auth } from './auth.ts'
import { deleteAccount, refuseWrongPassword } from './deletion.ts'
import { exportOf, writeExport } from './export.ts'
import { endSessions, sessionsOf } from './sessions.ts'

type OwnParts = Parts & { auth: Auth; sessionEnded: (id: string) => Promise<void> }

export function ownRoutes(parts: OwnParts) {
  const { db, rooms, auth, quota, sessionEnded } = parts
  const log = requestLog(parts)
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
        await log(c, 'session-ended')
        return c.json({ ok: true })
      })
      .post('/sessions/end-others', async c => {
        const { userId, sessionId } = c.get('actor')
        const ended = await end(userId, { allBut: sessionId })
        await log(c, 'other-sessions-ended', { detail: { count: String(ended) } })
        return c.json({ ended })
      })
      .get('/avatar', async c => {
        const row = await db.selectFrom('user').select('image').where('id', '=', c.get('actor').userId).executeTakeFirst()
        return sendImage(c, db, row?.image)
      })
      // Of another person, by an id that is known only to people who share something with them.
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
        await log(c, 'data-exported')
        const { account, files } = await exportOf(db, actor)
        c.header('content-type', 'application/json')
        c.header('content-disposition', 'attachment; filename="holarchy-export.json"')
        return stream(c, out => writeExport(out, rooms, account, files))
      })
      .post('/delete', body(z.object({ password: z.string().min(1).max(1000) })), async c => {
        const { userId, email } = c.get('actor')
        await refuseWrongPassword({ db, auth }, userId, c.req.valid('json').password)
        const { sessions, files } = await deleteAccount(db, { id: userId, email })
        for (const file of files) rooms.end(file, CLOSE.noDocument, 'the account was deleted')
        for (const session of sessions) await sessionEnded(session)
        await rooms.revokeEverywhere(userId)
        await log(c, 'account-deleted')
        return c.json({ ok: true })
      })
  )
}
