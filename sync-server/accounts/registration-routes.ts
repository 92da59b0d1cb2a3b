// Registering and activating an account.
import { Hono } from 'hono'
import type { Context } from 'hono'
import { z } from 'zod'
import { accountLog } from '../audit.ts'
import { Buckets } from '../bucket.ts'
import { Refusal, addressOf, body, email, name, password } from '../http.ts'
import type { Env } from '../http.ts'
import { ensurePersonalWorkspace } from '../workspaces/workspaces.ts'
import { readLinkCode } from './auth.ts'
import type { AskingParts } from './parts.ts'
import { refuseCommon } from './passwords.ts'
import { locale, oneTimeCode, refuseTakenName, userByAddress } from './users.ts'

const registration = z.object({
  email,
  password,
  name,
  invitation: z.string().trim().max(100),
  disclaimer: z.boolean(),
  locale: locale.optional(),
})

export function registrationRoutes(parts: AskingParts) {
  const { db, ask, secret, trustProxy, rateLimited } = parts
  const log = accountLog(parts)
  // One limit for all requests that could reveal whether an address is known: 20 at once, then one in three minutes.
  const asked = new Buckets(1 / 180, 20)
  const limited = (c: Context): void => {
    if (rateLimited && !asked.take(addressOf(c, trustProxy), Date.now())) throw new Refusal('too-many-requests')
  }

  return new Hono<Env>()
    .post('/register', body(registration), async c => {
      const form = c.req.valid('json')
      if (!form.disclaimer) throw new Refusal('disclaimer-required')
      limited(c)
      // Without a good invitation the answer does not reveal which addresses are known.
      const invitation = await db.selectFrom('invitation_code').select('uses_left').where('code', '=', form.invitation).executeTakeFirst()
      if (invitation === undefined || invitation.uses_left <= 0) throw new Refusal('invitation-invalid')
      await refuseCommon(form.password, form.email)
      await refuseTakenName(db, form.name, null)
      const before = await userByAddress(db, form.email)
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
      // A concurrent registration may have taken the last use of the code; better-auth answers that like success.
      const made = await userByAddress(db, form.email)
      if (made === undefined) throw new Refusal('invitation-invalid')
      await log(c, made.id, 'registered')
      return c.json({ ok: true }, 201)
    })
    .post('/activate', body(z.object({ code: oneTimeCode, email: email.optional() })), async c => {
      const { code, email: address } = c.req.valid('json')
      limited(c)
      const link = address === undefined ? readLinkCode(secret, code) : { email: address, otp: code }
      if (link === null) throw new Refusal('activation-invalid')
      await activate(parts, c, link.email.toLowerCase(), link.otp, address === undefined)
      return c.json({ ok: true })
    })
    .post('/activation-code', body(z.object({ email })), async c => {
      const { email: address } = c.req.valid('json')
      limited(c)
      // The same answer whether or not there is such an account, and whether it is activated.
      if ((await userByAddress(db, address))?.emailVerified !== true)
        await ask(c, '/email-otp/send-verification-otp', { email: address, type: 'email-verification' }, {})
      return c.json({ ok: true })
    })
}

/** `isGenuine`: the code came by a link of ours, so its holder has the letter, and may know the state of the account. */
async function activate({ db, ask, activated }: AskingParts, c: Context, address: string, code: string, isGenuine: boolean): Promise<void> {
  const user = await userByAddress(db, address)
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
  await activated(user.id)
}
