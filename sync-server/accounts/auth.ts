// better-auth set up for our rules: invitation codes, activation by a mailed code, one place that hashes passwords and keeps
// sessions. Its HTTP surface is not mounted; asking.ts speaks to it and translates its answers.
import { randomInt } from 'node:crypto'
import { betterAuth } from 'better-auth'
import { APIError, createAuthMiddleware } from 'better-auth/api'
import { emailOTP, twoFactor } from 'better-auth/plugins'
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { fits, signature } from '../files/access.ts'
import { activationLetter, resetLetter } from '../mail/letters.ts'
import type { Mail } from '../mail/mail.ts'
import { LIMITS } from '../protocol.ts'
import { logFailure } from '../db/failures.ts'

type AuthParts = {
  db: Db
  mail: Mail
  secret: string
  /** Origin under which people reach the server. */
  publicUrl: string
  rateLimited: boolean
  /** Called when a session has ended: signed out, password reset. */
  sessionEnded: (sessionId: string) => Promise<void>
}

/** The header in which asking.ts passes the client's address to better-auth. */
export const ADDRESS_HEADER = 'x-holarchy-address'

/** Requests by path, in a window of seconds. */
const rateLimits: Record<string, { window: number; max: number } | false> = {
  '/sign-in/email': { window: 60, max: 10 },
  '/sign-up/email': { window: 3600, max: 20 },
  '/email-otp/send-verification-otp': { window: 600, max: 5 },
  '/email-otp/request-password-reset': { window: 600, max: 5 },
  '/email-otp/verify-email': { window: 600, max: 15 },
  '/email-otp/reset-password': { window: 600, max: 15 },
  '/change-password': { window: 600, max: 10 },
  '/two-factor/verify-totp': { window: 60, max: 10 },
  '/two-factor/verify-backup-code': { window: 60, max: 10 },
  '/two-factor/*': { window: 600, max: 10 },
  '/get-session': false,
}

export type Auth = ReturnType<typeof createAuth>

export function createAuth({ db, mail, secret, publicUrl, rateLimited, sessionEnded }: AuthParts) {
  const isSecure = publicUrl.startsWith('https:')
  return betterAuth({
    appName: 'Holarchy',
    secret,
    baseURL: publicUrl,
    telemetry: { enabled: false },
    // A wrong password is no event for the log.
    logger: { level: 'error', log: (_level, message, ...rest) => message !== '' && logFailure(`accounts: ${message}`, ...rest) },
    // With a transaction, the hook below (its own connection) would wait for the very sign-up it is part of.
    // Refusals are answers, not events; asking.ts reports what is left.
    onAPIError: { onError: error => void (error instanceof APIError || logFailure('accounts:', error)) },
    database: { db, type: 'postgres', transaction: false },
    emailAndPassword: {
      enabled: true,
      requireEmailVerification: true,
      autoSignIn: false,
      minPasswordLength: LIMITS.passwordMin,
      maxPasswordLength: LIMITS.passwordMax,
      revokeSessionsOnPasswordReset: true,
    },
    user: {
      additionalFields: {
        locale: { type: 'string', required: false },
        inviteCode: { type: 'string', required: false, returned: false },
      },
    },
    session: { expiresIn: 30 * 86_400, updateAge: 86_400 },
    rateLimit: {
      enabled: rateLimited,
      storage: 'database',
      window: 60,
      max: 120,
      customRules: rateLimits,
    },
    advanced: {
      // Over https the browser itself holds them to this host, the whole of it, and to https. better-auth's own prefix would be weaker.
      cookiePrefix: isSecure ? '__Host-holarchy' : 'holarchy',
      useSecureCookies: false,
      defaultCookieAttributes: { sameSite: 'lax', httpOnly: true, secure: isSecure, path: '/' },
      ipAddress: { ipAddressHeaders: [ADDRESS_HEADER] },
      database: { generateId: 'uuid' },
    },
    hooks: {
      // An error thrown in the create hook would come out as success (which prevents probing for accounts): say no here.
      before: createAuthMiddleware(async ctx => {
        if (ctx.path !== '/sign-up/email') return
        const body: unknown = ctx.body
        const code =
          body !== null && typeof body === 'object' && 'inviteCode' in body && typeof body.inviteCode === 'string' ? body.inviteCode : ''
        const invitation = await db.selectFrom('invitation_code').select('uses_left').where('code', '=', code).executeTakeFirst()
        if (invitation === undefined || invitation.uses_left <= 0)
          throw new APIError('FORBIDDEN', { code: 'INVITE_INVALID', message: 'the invitation code is not valid' })
      }),
    },
    databaseHooks: {
      user: {
        create: {
          // The gate that counts: one conditional update, so that a code with one use left makes one account.
          before: async user => {
            const code = 'inviteCode' in user && typeof user.inviteCode === 'string' ? user.inviteCode : ''
            const used = await sql`update invitation_code set uses_left = uses_left - 1 where code = ${code} and uses_left > 0`.execute(db)
            if (Number(used.numAffectedRows ?? 0) !== 1)
              throw new APIError('FORBIDDEN', { code: 'INVITE_INVALID', message: 'the invitation code is not valid' })
            return { data: user }
          },
        },
      },
      session: { delete: { after: session => sessionEnded(session.id) } },
    },
    plugins: [
      twoFactor({
        issuer: 'Holarchy',
        twoFactorCookieMaxAge: 600,
        backupCodeOptions: { storeBackupCodes: 'encrypted', customBackupCodesGenerate: recoveryCodes },
        accountLockout: { enabled: true, maxFailedAttempts: 10, durationSeconds: 900 },
      }),
      emailOTP({
        otpLength: 6,
        expiresIn: 1800,
        allowedAttempts: 5,
        sendVerificationOnSignUp: true,
        overrideDefaultEmailVerification: true,
        storeOTP: 'hashed',
        async sendVerificationOTP({ email, otp, type }) {
          const user = await db.selectFrom('user').select('locale').where('email', '=', email).executeTakeFirst()
          const locale = user?.locale ?? null
          if (type === 'forget-password') return mail.send(resetLetter(email, otp, locale))
          await mail.send(activationLetter(email, otp, `${publicUrl}/activate_account/${linkCode(secret, email, otp)}`, locale))
        },
      }),
    ],
  })
}

/** Of recovery codes: without letters and digits that look alike. */
const LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789'

/** Ten codes of 49 bits, in two groups. */
function recoveryCodes(): string[] {
  const group = () => Array.from({ length: 5 }, () => LETTERS[randomInt(LETTERS.length)]).join('')
  return Array.from({ length: 10 }, () => `${group()}-${group()}`)
}

/** The code in an activation link: its account, the same code as in the letter, and our signature: only the reader of the letter has one. */
function linkCode(secret: string, email: string, otp: string): string {
  return `${Buffer.from(email).toString('base64url')}.${otp}.${signature(secret, `activation:${email}:${otp}`)}`
}

/** The content of a genuine link code; null when it is none of ours. */
export function readLinkCode(secret: string, code: string): { email: string; otp: string } | null {
  const [, mail, otp, signed] = /^([\w-]{4,400})\.(\d{6})\.([\w-]{20})$/.exec(code) ?? []
  if (mail === undefined || otp === undefined || signed === undefined) return null
  const email = Buffer.from(mail, 'base64url').toString()
  return fits(signed, signature(secret, `activation:${email}:${otp}`)) ? { email, otp } : null
}
