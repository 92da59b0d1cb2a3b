// The password, name and language of one's own account.
import { Hono } from 'hono'
import { z } from 'zod'
import { requestLog } from '../audit.ts'
import { Refusal, addressOf, body, name, password, signedIn } from '../http.ts'
import type { SignedIn } from '../http.ts'
import type { AskingParts } from './parts.ts'
import { refuseCommon } from './passwords.ts'
import { sessionsOf } from './sessions.ts'
import { locale, refuseTakenName } from './users.ts'

export function profileRoutes(parts: AskingParts) {
  const { db, ask, notify, trustProxy, sessionEnded } = parts
  const log = requestLog(parts)

  return new Hono<SignedIn>()
    .use(signedIn)
    .post('/change-password', body(z.object({ old: z.string().min(1).max(1000), next: password })), async c => {
      const { old, next } = c.req.valid('json')
      if (old === next) throw new Refusal('password-unchanged')
      const codes = { INVALID_PASSWORD: 'old-password-incorrect' } as const
      const { userId, sessionId, email: address } = c.get('actor')
      await refuseCommon(next, address)
      const before = await sessionsOf(db, userId, sessionId)
      await ask(c, '/change-password', { currentPassword: old, newPassword: next, revokeOtherSessions: true }, codes)
      for (const session of before) await sessionEnded(session.id)
      await log(c, 'password-changed')
      await notify([userId], 'password-changed', { address: addressOf(c, trustProxy) })
      return c.json({ ok: true })
    })
    .patch('/profile', body(z.object({ name: name.optional(), locale: locale.optional() })), async c => {
      const change = c.req.valid('json')
      if (change.name !== undefined) await refuseTakenName(db, change.name, c.get('actor').userId)
      await ask(c, '/update-user', change, {})
      return c.json({ ok: true })
    })
}
