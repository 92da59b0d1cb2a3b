// The second factor: codes of an authenticator app (TOTP), and recovery codes for when it is lost. better-auth keeps the secrets
// (encrypted), counts wrong codes and locks; that a code opens once is ours (RFC 6238, 5.2).
import { Hono } from 'hono'
import type { Context } from 'hono'
import { getSignedCookie } from 'hono/cookie'
import { sql } from 'kysely'
import { z } from 'zod'
import { accountLog } from '../audit.ts'
import { Refusal, body, signedIn } from '../http.ts'
import type { Env, SignedIn } from '../http.ts'
import { isNamed } from '../operator/operators.ts'
import { textOf } from './asking.ts'
import type { AskingParts } from './parts.ts'
import { endSessions, noticeElsewhere, sessionsOf } from './sessions.ts'

const digits = z
  .string()
  .max(20)
  .transform(text => text.replaceAll(/\s/g, ''))
  .pipe(z.string().regex(/^\d{6}$/))
const recovery = z
  .string()
  .max(40)
  .transform(text => text.toLowerCase().replaceAll(/[^a-z0-9]/g, ''))
  .pipe(z.string().length(10))
  .transform(text => `${text.slice(0, 5)}-${text.slice(5)}`)
const secret = z.object({ password: z.string().min(1).max(1000) })

/** A code is good for its half minute and one on either side: after this long none that was spent could be good. */
const SPENT_MS = 120_000

const refusals = {
  INVALID_CODE: 'second-factor-wrong',
  INVALID_BACKUP_CODE: 'second-factor-wrong',
  INVALID_TWO_FACTOR_COOKIE: 'second-factor-expired',
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: 'second-factor-expired',
  ACCOUNT_TEMPORARILY_LOCKED: 'second-factor-locked',
  TOTP_ALREADY_ENABLED: 'second-factor-on',
  TOTP_NOT_ENABLED: 'second-factor-off',
  BACKUP_CODES_NOT_ENABLED: 'second-factor-off',
  TWO_FACTOR_NOT_ENABLED: 'second-factor-off',
  INVALID_PASSWORD: 'account-or-password',
} as const

export function secondFactorRoutes(parts: AskingParts) {
  const { auth, db, notify, ask, operators, sessionEnded } = parts
  const log = accountLog(parts)

  /** The account with the right password in this browser within ten minutes, and the cookie that proves it. */
  async function halfway(c: Context): Promise<{ userId: string; cookie: string }> {
    const { createAuthCookie, secret: key } = await auth.$context
    const { name } = createAuthCookie('two_factor')
    const identifier = await getSignedCookie(c, key, name)
    if (typeof identifier !== 'string') throw new Refusal('second-factor-expired')
    const { rows } = await sql<{ value: string }>`select value from verification
      where identifier = ${identifier} and "expiresAt" > now()`.execute(db)
    const raw = (c.req.header('cookie') ?? '').split(/;\s*/).find(pair => pair.startsWith(`${name}=`))
    if (rows[0] === undefined || raw === undefined) throw new Refusal('second-factor-expired')
    return { userId: rows[0].value, cookie: raw }
  }

  /** Does `work` unless the code was spent; a code that did not work is not. */
  async function spend(userId: string, code: string, work: () => Promise<unknown>): Promise<void> {
    await sql`delete from two_factor_spent where at < now() - ${SPENT_MS} * interval '1 millisecond'`.execute(db)
    const taken = await sql`insert into two_factor_spent (user_id, code) values (${userId}, ${code}) on conflict do nothing`.execute(db)
    if (Number(taken.numAffectedRows ?? 0) !== 1) throw new Refusal('second-factor-wrong', 'spent')
    try {
      await work()
    } catch (error) {
      await sql`delete from two_factor_spent where user_id = ${userId} and code = ${code}`.execute(db)
      throw error
    }
  }

  async function isOn(userId: string): Promise<boolean> {
    return (await db.selectFrom('user').select('twoFactorEnabled').where('id', '=', userId).executeTakeFirst())?.twoFactorEnabled === true
  }

  const codesOf = async (userId: string): Promise<string[]> => (await auth.api.viewBackupCodes({ body: { userId } })).backupCodes

  const entering = new Hono<Env>().post('/login/code', body(z.union([z.object({ code: digits }), z.object({ recovery })])), async c => {
    const form = c.req.valid('json')
    const { userId, cookie } = await halfway(c)
    try {
      if ('code' in form) await spend(userId, form.code, () => ask(c, '/two-factor/verify-totp', { code: form.code }, refusals, cookie))
      else await ask(c, '/two-factor/verify-backup-code', { code: form.recovery }, refusals, cookie)
    } catch (error) {
      if (error instanceof Refusal && error.code !== 'too-many-requests') await log(c, userId, 'second-factor-failed')
      throw error
    }
    await log(c, userId, 'code' in form ? 'login' : 'login-recovery')
    await noticeElsewhere(db, notify, userId)
    return c.json({ ok: true })
  })

  const own = new Hono<SignedIn>()
    .use(signedIn)
    .get('/second-factor', async c => {
      const { userId } = c.get('actor')
      const on = await isOn(userId)
      return c.json({ on, codesLeft: on ? (await codesOf(userId)).length : 0 })
    })
    // A secret for the app, which counts once a code of it was given.
    .post('/second-factor/prepare', body(secret), async c => {
      const answer = await ask(c, '/two-factor/enable', { password: c.req.valid('json').password }, refusals)
      return c.json({ uri: textOf(answer, 'totpURI') })
    })
    .post('/second-factor/confirm', body(z.object({ code: digits })), async c => {
      const actor = c.get('actor')
      const { userId } = actor
      const { code } = c.req.valid('json')
      if (await isOn(userId)) throw new Refusal('second-factor-on')
      // From here on a session of an operator is one that was opened with both.
      const open = operators.secondFactor && isNamed(operators, actor) ? await sessionsOf(db, userId, actor.sessionId) : []
      const others = open.filter(one => !one.current).map(one => one.id)
      await spend(userId, code, () => ask(c, '/two-factor/verify-totp', { code }, refusals))
      if (others.length > 0) for (const id of await endSessions(db, userId, { ids: others })) await sessionEnded(id)
      await log(c, userId, 'second-factor-on')
      await notify([userId], 'second-factor', { change: 'on' })
      return c.json({ codes: await codesOf(userId) })
    })
    .post('/second-factor/recovery-codes', body(secret), async c => {
      const { userId } = c.get('actor')
      await ask(c, '/two-factor/generate-backup-codes', { password: c.req.valid('json').password }, refusals)
      await log(c, userId, 'recovery-codes-made')
      await notify([userId], 'second-factor', { change: 'codes' })
      return c.json({ codes: await codesOf(userId) })
    })
    .post('/second-factor/off', body(secret), async c => {
      const { userId } = c.get('actor')
      if (!(await isOn(userId))) throw new Refusal('second-factor-off')
      await ask(c, '/two-factor/disable', { password: c.req.valid('json').password }, refusals)
      await log(c, userId, 'second-factor-off')
      await notify([userId], 'second-factor', { change: 'off' })
      return c.json({ ok: true })
    })

  return entering.route('/', own)
}
