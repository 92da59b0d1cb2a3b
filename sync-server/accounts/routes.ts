// Accounts over HTTP: register, activate, sign in and out, forgotten and changed passwords, the session.
import { Hono } from 'hono'
import type { Context, MiddlewareHandler } from 'hono'
import { sql } from 'kysely'
import { z } from 'zod'
import { locales } from '../../model-schema/catalogues.ts'
import { note } from '../audit.ts'
import { Buckets } from '../bucket.ts'
import type { Db } from '../db/database.ts'
import { Refusal, addressOf, body, email, name, password, signedIn } from '../http.ts'
import type { Sessions } from './remembered.ts'
import type { Actor, Env, SignedIn } from '../http.ts'
import type { Notify } from '../notifications/notify.ts'
import type { Operators } from '../operator/operators.ts'
import { ensurePersonalWorkspace } from '../workspaces/workspaces.ts'
import { asking } from './asking.ts'
import { readLinkCode } from './auth.ts'
import type { Auth } from './auth.ts'
import { forgetFailures, noteFailure, refuseLocked } from './lockout.ts'
import { refuseCommon } from './passwords.ts'
import { secondFactorRoutes } from './second-factor.ts'
import { noticeElsewhere, sessionsOf } from './sessions.ts'

export type AccountsParts = {
  auth: Auth
  db: Db
  notify: Notify
  publicUrl: string
  /** Signs activation links. */
  secret: string
  trustProxy: boolean
  rateLimited: boolean
  /** Closes what a session has open. */
  sessionEnded: (id: string) => Promise<void>
  operators: Operators
  /** An account can be used from now on. */
  activated: (userId: string) => Promise<void>
}

const locale = z.enum(locales)
const otp = z.string().trim().min(1).max(500)

/** Finds out who is asking, for all routes. */
export function withActor(auth: Auth, sessions: Sessions): MiddlewareHandler<Env> {
  return async (c, next) => {
    const cookie = c.req.header('cookie')
    // What is done to the account itself shows at once.
    const isAffair = c.req.method !== 'GET' && c.req.path.startsWith('/api/accounts/')
    if (cookie !== undefined && isAffair) sessions.forget(cookie)
    c.set('actor', cookie === undefined ? null : await sessions.actor(cookie, () => actorOf(auth, c.req.raw.headers)))
    await next()
    if (cookie !== undefined && isAffair) sessions.forget(cookie)
  }
}

async function actorOf(auth: Auth, headers: Headers): Promise<Actor | null> {
  const found = await auth.api.getSession({ headers })
  if (found === null) return null
  return {
    userId: found.user.id,
    sessionId: found.session.id,
    name: found.user.name,
    email: found.user.email,
    avatar: found.user.image ?? null,
    secondFactor: found.user.twoFactorEnabled === true,
  }
}

export function accountRoutes(parts: AccountsParts) {
  const { db, notify, secret, trustProxy, rateLimited } = parts
  // One limit for all that could tell whether an address is known: 20 at once, then one in three minutes.
  const asked = new Buckets(1 / 180, 20)
  const limited = (c: Context): void => {
    if (rateLimited && !asked.take(addressOf(c, trustProxy), Date.now())) throw new Refusal('too-many-requests')
  }

  const ask = asking(parts)

  const userByMail = (address: string) =>
    db.selectFrom('user').select(['id', 'name', 'emailVerified']).where('email', '=', address).executeTakeFirst()

  /** Throws `nickname-taken` when somebody else is called so, whatever the case; a unique index decides between two at once. */
  const refuseTakenName = async (wanted: string, own: string | null): Promise<void> => {
    const other = db
      .selectFrom('user')
      .select('id')
      .where(sql<boolean>`lower(name) = lower(${wanted})`)
    if ((await other.$if(own !== null, query => query.where('id', '<>', own ?? '')).executeTakeFirst()) !== undefined)
      throw new Refusal('nickname-taken')
  }

  const log = (c: Context, userId: string, action: string) => note(db, { userId, action, address: addressOf(c, trustProxy) })

  /** `isGenuine`: the code came by a link of ours, so whoever has it has the letter, and may know how the account stands. */
  async function activate(c: Context, address: string, code: string, isGenuine: boolean): Promise<void> {
    const user = await userByMail(address)
    if (user?.emailVerified === true && isGenuine) throw new Refusal('already-activated')
    const codes = {
      INVALID_OTP: 'activation-invalid',
      OTP_EXPIRED: 'activation-expired',
      TOO_MANY_ATTEMPTS: 'activation-expired',
      USER_NOT_FOUND: 'activation-invalid',
      INVALID_EMAIL: 'activation-invalid',
    } as const
    await ask(c, '/email-otp/verify-email', { email: address, otp: code }, codes)
    if (user === undefined) return
    await ensurePersonalWorkspace(db, user.id, user.name)
    await parts.activated(user.id)
  }

  const open = new Hono<Env>()
    .get('/session', async c => {
      const actor = c.get('actor')
      if (actor === null) return c.json({ user: null, team: null })
      const team = await ensurePersonalWorkspace(db, actor.userId, actor.name)
      return c.json({ user: { id: actor.userId, name: actor.name, email: actor.email, avatar: actor.avatar }, team })
    })
    .post(
      '/register',
      body(z.object({ email, password, name, invitation: z.string().trim().max(100), disclaimer: z.boolean(), locale: locale.optional() })),
      async c => {
        const form = c.req.valid('json')
        if (!form.disclaimer) throw new Refusal('disclaimer-required')
        limited(c)
        // Without a good invitation nobody learns which addresses are known.
        const invitation = await db.selectFrom('invitation_code').select('uses_left').where('code', '=', form.invitation).executeTakeFirst()
        if (invitation === undefined || invitation.uses_left <= 0) throw new Refusal('invitation-invalid')
        await refuseCommon(form.password, form.email)
        await refuseTakenName(form.name, null)
        const before = await userByMail(form.email)
        if (before?.emailVerified === true) throw new Refusal('account-exists')
        if (before !== undefined) throw new Refusal('registered-not-activated')
        const account = {
          email: form.email,
          password: form.password,
          name: form.name,
          inviteCode: form.invitation,
          locale: form.locale ?? 'en-US',
        }
        await ask(c, '/sign-up/email', account, { INVITE_INVALID: 'invitation-invalid' })
        // The last use of a code may have gone to somebody else meanwhile; better-auth answers that like success.
        if ((await userByMail(form.email)) === undefined) throw new Refusal('invitation-invalid')
        const made = await userByMail(form.email)
        if (made !== undefined) await log(c, made.id, 'registered')
        return c.json({ ok: true }, 201)
      },
    )
    .post('/activate', body(z.object({ code: otp, email: email.optional() })), async c => {
      const { code, email: address } = c.req.valid('json')
      limited(c)
      const link = address === undefined ? readLinkCode(secret, code) : { email: address, otp: code }
      if (link === null) throw new Refusal('activation-invalid')
      await activate(c, link.email.toLowerCase(), link.otp, address === undefined)
      return c.json({ ok: true })
    })
    .post('/activation-code', body(z.object({ email })), async c => {
      const { email: address } = c.req.valid('json')
      limited(c)
      // The same answer whether or not there is such an account, and whether it is activated.
      if ((await userByMail(address))?.emailVerified !== true)
        await ask(c, '/email-otp/send-verification-otp', { email: address, type: 'email-verification' }, {})
      return c.json({ ok: true })
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
          const user = await userByMail(form.email)
          if (user !== undefined) await log(c, user.id, 'login-failed')
        }
        throw error
      }
      await forgetFailures(db, form.email)
      // Half way in: the rest is `/login/code`.
      if (answer !== null && typeof answer === 'object' && 'twoFactorRedirect' in answer) return c.json({ secondFactor: true })
      const user = await userByMail(form.email)
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
    .post('/reset-password', body(z.object({ email, code: otp, password })), async c => {
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
      const user = await userByMail(form.email)
      if (user !== undefined) await log(c, user.id, 'password-reset')
      return c.json({ ok: true })
    })

  const own = new Hono<SignedIn>()
    .use(signedIn)
    .post('/change-password', body(z.object({ old: z.string().min(1).max(1000), next: password })), async c => {
      const { old, next } = c.req.valid('json')
      if (old === next) throw new Refusal('password-unchanged')
      const codes = { INVALID_PASSWORD: 'old-password-incorrect' } as const
      const { userId, sessionId, email: address } = c.get('actor')
      await refuseCommon(next, address)
      const before = await sessionsOf(db, userId, sessionId)
      await ask(c, '/change-password', { currentPassword: old, newPassword: next, revokeOtherSessions: true }, codes)
      for (const session of before) await parts.sessionEnded(session.id)
      await log(c, userId, 'password-changed')
      await notify([userId], 'password-changed', { address: addressOf(c, trustProxy) })
      return c.json({ ok: true })
    })
    .patch('/profile', body(z.object({ name: name.optional(), locale: locale.optional() })), async c => {
      const change = c.req.valid('json')
      if (change.name !== undefined) await refuseTakenName(change.name, c.get('actor').userId)
      await ask(c, '/update-user', change, {})
      return c.json({ ok: true })
    })

  return open.route('/', secondFactorRoutes({ ...parts, ask })).route('/', own)
}
