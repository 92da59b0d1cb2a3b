// Signing in and out, and the way back for a forgotten password.
import { Hono } from 'hono'
import { z } from 'zod'
import { accountLog } from '../audit.ts'
import { Refusal, body, email, password } from '../http.ts'
import type { Env } from '../http.ts'
import { ensurePersonalWorkspace } from '../workspaces/workspaces.ts'
import { forgetFailures, noteFailure, refuseLocked } from './lockout.ts'
import type { AskingParts } from './parts.ts'
import { refuseCommon } from './passwords.ts'
import { noticeElsewhere } from './sessions.ts'
import { oneTimeCode, userByAddress } from './users.ts'

export function signInRoutes(parts: AskingParts) {
  const { db, ask, notify } = parts
  const log = accountLog(parts)

  return new Hono<Env>()
    .get('/session', async c => {
      const actor = c.get('actor')
      if (actor === null) return c.json({ user: null, team: null })
      const team = await ensurePersonalWorkspace(db, actor.userId, actor.name)
      return c.json({ user: { id: actor.userId, name: actor.name, email: actor.email, avatar: actor.avatar }, team })
    })
    .post('/login', body(z.object({ email, password: z.string().min(1).max(1000) })), async c => {
      const form = c.req.valid('json')
      const codes = { INVALID_EMAIL_OR_PASSWORD: 'account-or-password', EMAIL_NOT_VERIFIED: 'not-activated' } as const
      await refuseLocked(db, form.email)
      let answer: unknown
      try {
        answer = await ask(c, '/sign-in/email', form, codes)
      } catch (error) {
        if (error instanceof Refusal && error.code === 'account-or-password') {
          await noteFailure(db, form.email)
          const user = await userByAddress(db, form.email)
          if (user !== undefined) await log(c, user.id, 'login-failed')
        }
        throw error
      }
      await forgetFailures(db, form.email)
      // Half way in: the rest is `/login/code`.
      if (answer !== null && typeof answer === 'object' && 'twoFactorRedirect' in answer) return c.json({ secondFactor: true })
      const user = await userByAddress(db, form.email)
      if (user !== undefined) {
        await log(c, user.id, 'login')
        await noticeElsewhere(db, notify, user.id)
      }
      return c.json({ secondFactor: false })
    })
    .post('/logout', async c => {
      if (c.get('actor') !== null) await ask(c, '/sign-out', {}, {})
      return c.json({ ok: true })
    })
    .post('/reset-code', body(z.object({ email })), async c => {
      // The same answer whether or not there is such an account.
      await ask(c, '/email-otp/request-password-reset', c.req.valid('json'), {})
      return c.json({ ok: true })
    })
    .post('/reset-password', body(z.object({ email, code: oneTimeCode, password })), async c => {
      const form = c.req.valid('json')
      await refuseCommon(form.password, form.email)
      const codes = {
        INVALID_OTP: 'verification-invalid',
        OTP_EXPIRED: 'verification-invalid',
        TOO_MANY_ATTEMPTS: 'verification-invalid',
        USER_NOT_FOUND: 'verification-invalid',
      } as const
      await ask(c, '/email-otp/reset-password', { email: form.email, otp: form.code, password: form.password }, codes)
      await forgetFailures(db, form.email)
      const user = await userByAddress(db, form.email)
      if (user !== undefined) await log(c, user.id, 'password-reset')
      return c.json({ ok: true })
    })
}
