// The second factor against a real server: set up, asked for, refused, lost and switched off; passwords that everybody tries first;
// cookies that the browser holds to this host.
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { refusal as refused } from '../../help/network/refusal.ts'
import { Person, startServer, useDatabase } from '../../help/server.ts'
import type { TestServer } from '../../help/server.ts'
import { codeOf } from '../../help/network/totp.ts'

const suite = useDatabase()
let server: TestServer

beforeAll(async () => {
  server = await startServer(suite.connection)
})
afterAll(() => server?.stop())

const password = 'correct horse'

/** One that is none of those which are good about now. */
function wrongCode(secret: string): string {
  const good = [-2, -1, 0, 1, 2].map(later => codeOf(secret, later))
  return ['000000', '111111', '222222', '333333', '444444', '555555'].find(code => !good.includes(code)) ?? ''
}

const refusal = (person: Person, path: string, body?: unknown) => refused(person, 'POST', `/api/accounts/${path}`, body)

/** A person with a second factor, its secret and recovery codes; codes spent so far are good again. */
async function guarded(name: string): Promise<{ person: Person; secret: string; codes: string[] }> {
  const person = await server.person(name)
  const { uri } = await person.must('POST', '/api/accounts/second-factor/prepare', { password })
  const secret = new URL(uri).searchParams.get('secret') ?? ''
  const { codes } = await person.must('POST', '/api/accounts/second-factor/confirm', { code: codeOf(secret) })
  await forgive(person)
  return { person, secret, codes }
}

/** As if the codes had been given two minutes ago. */
async function forgive({ id }: Person): Promise<void> {
  await server.database.pool.query('delete from two_factor_spent where user_id = $1', [id])
}

/** Another browser with the right password given. */
async function halfway(email: string, at = server): Promise<Person> {
  const browser = new Person(at.url, email)
  expect(await browser.must('POST', '/api/accounts/login', { email, password })).toEqual({ secondFactor: true })
  return browser
}

const isIn = async (person: Person): Promise<boolean> => (await person.must('GET', '/api/accounts/session')).user !== null

it('the codes of this test are those of RFC 6238', () => {
  // Its appendix B, the last six digits: the secret "12345678901234567890" at 59 s and 1111111109 s.
  const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
  expect([codeOf(secret, 0, 59_000), codeOf(secret, 0, 1_111_111_109_000)]).toEqual(['287082', '081804'])
})

describe('setting it up', () => {
  it('needs the password and a code of the app; until then signing in asks for nothing', async () => {
    const ann = await server.person('Ann')
    expect(await ann.must('GET', '/api/accounts/second-factor')).toEqual({ on: false, codesLeft: 0 })
    expect(await refusal(ann, 'second-factor/prepare', { password: 'wrong horse' })).toBe('account-or-password')
    expect(await refusal(ann, 'second-factor/confirm', { code: '123456' })).toBe('second-factor-off')
    const { uri } = await ann.must('POST', '/api/accounts/second-factor/prepare', { password })
    expect(uri).toMatch(/^otpauth:\/\/totp\/Holarchy:.+secret=[A-Z2-7]{32,}&issuer=Holarchy&digits=6&period=30$/)
    const secret = new URL(uri).searchParams.get('secret') ?? ''
    expect(await refusal(ann, 'second-factor/confirm', { code: wrongCode(secret) })).toBe('second-factor-wrong')
    expect(await refusal(ann, 'second-factor/confirm', { code: 'abc' })).toBe('invalid-params')
    const elsewhere = new Person(server.url)
    expect(await elsewhere.must('POST', '/api/accounts/login', { email: ann.email, password })).toEqual({ secondFactor: false })
    const { codes } = await ann.must('POST', '/api/accounts/second-factor/confirm', { code: codeOf(secret) })
    expect(new Set(codes).size).toBe(10)
    expect(codes.every((code: string) => /^[a-z2-9]{5}-[a-z2-9]{5}$/.test(code))).toBe(true)
    expect(await ann.must('GET', '/api/accounts/second-factor')).toEqual({ on: true, codesLeft: 10 })
    // Once: neither the secret nor the codes can be had again.
    expect(await refusal(ann, 'second-factor/prepare', { password })).toBe('second-factor-on')
    expect(await refusal(ann, 'second-factor/confirm', { code: codeOf(secret, 1) })).toBe('second-factor-on')
    const { lines } = await ann.must('GET', '/api/accounts/audit')
    expect(lines[0]).toMatchObject({ action: 'second-factor-on', address: '127.0.0.1' })
    const { notifications } = await ann.must('GET', '/api/notifications')
    expect(notifications[0]).toMatchObject({ kind: 'second-factor', data: { change: 'on' } })
  })

  it('is for those who are signed in', async () => {
    const nobody = new Person(server.url)
    expect((await nobody.call('GET', '/api/accounts/second-factor')).json.code).toBe('signed-out')
    for (const path of ['prepare', 'off', 'recovery-codes']) {
      expect(await refusal(nobody, `second-factor/${path}`, { password })).toBe('signed-out')
    }
  })

  it('keeps neither the secret nor the codes readable in the database', async () => {
    const { person, secret, codes } = await guarded('Ann')
    const { rows } = await server.database.pool.query('select * from "twoFactor" where "userId" = $1', [person.id])
    const kept = JSON.stringify(rows)
    expect(rows.length).toBe(1)
    expect(kept.includes(secret) || codes.some(code => kept.includes(code))).toBe(false)
  })
})

describe('signing in', () => {
  it('takes the password and a code; the password alone opens nothing and is told to nobody', async () => {
    const { person, secret } = await guarded('Ann')
    const browser = await halfway(person.email)
    expect(await isIn(browser)).toBe(false)
    expect((await browser.call('GET', '/api/files')).json.code).toBe('signed-out')
    const notices = async () => (await person.must('GET', '/api/notifications')).notifications.map((one: { kind: string }) => one.kind)
    expect(await notices()).not.toContain('signed-in-elsewhere')
    expect(await refusal(browser, 'login/code', { code: wrongCode(secret) })).toBe('second-factor-wrong')
    expect(await isIn(browser)).toBe(false)
    // As it is shown by apps, in two groups.
    await browser.must('POST', '/api/accounts/login/code', { code: codeOf(secret).replace(/(...)/, '$1 ') })
    expect(await isIn(browser)).toBe(true)
    expect(await notices()).toContain('signed-in-elsewhere')
    const { lines } = await browser.must('GET', '/api/accounts/audit')
    expect(lines.map((line: { action: string }) => line.action).slice(0, 2)).toEqual(['login', 'second-factor-failed'])
  })

  it('a code of another time is refused, and one that opened once opens no more, here or elsewhere', async () => {
    const { person, secret } = await guarded('Ann')
    const browser = await halfway(person.email)
    for (const later of [-3, 3]) expect(await refusal(browser, 'login/code', { code: codeOf(secret, later) })).toBe('second-factor-wrong')
    const code = codeOf(secret)
    await browser.must('POST', '/api/accounts/login/code', { code })
    const second = await halfway(person.email)
    expect(await refusal(second, 'login/code', { code })).toBe('second-factor-wrong')
    // Two at once: one gets in.
    await forgive(person)
    const third = await halfway(person.email)
    const answers = await Promise.all([second, third].map(one => one.call('POST', '/api/accounts/login/code', { code: codeOf(secret) })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
  })

  it('a recovery code opens once, however it is written', async () => {
    const { person, codes } = await guarded('Ann')
    const [first = ''] = codes
    await (await halfway(person.email)).must('POST', '/api/accounts/login/code', { recovery: ` ${first.replace('-', ' ').toUpperCase()}` })
    const again = await halfway(person.email)
    expect(await refusal(again, 'login/code', { recovery: first })).toBe('second-factor-wrong')
    expect(await refusal(again, 'login/code', { recovery: 'zzzzz-zzzzz' })).toBe('second-factor-wrong')
    expect(await refusal(again, 'login/code', { recovery: 'short' })).toBe('invalid-params')
    expect(await person.must('GET', '/api/accounts/second-factor')).toEqual({ on: true, codesLeft: 9 })
    const { lines } = await person.must('GET', '/api/accounts/audit')
    expect(lines.map((line: { action: string }) => line.action)).toContain('login-recovery')
    // New ones put an end to the old.
    expect(await refusal(person, 'second-factor/recovery-codes', { password: 'wrong horse' })).toBe('account-or-password')
    const { codes: fresh } = await person.must('POST', '/api/accounts/second-factor/recovery-codes', { password })
    expect(await refusal(again, 'login/code', { recovery: codes[1] })).toBe('second-factor-wrong')
    await again.must('POST', '/api/accounts/login/code', { recovery: fresh[0] })
    expect(await isIn(again)).toBe(true)
  })

  it('five wrong codes, or ten minutes, and the password is asked for again', async () => {
    const { person, secret } = await guarded('Ann')
    const browser = await halfway(person.email)
    const wrong = wrongCode(secret)
    for (let i = 0; i < 5; i++) expect(await refusal(browser, 'login/code', { code: wrong })).toBe('second-factor-wrong')
    expect(await refusal(browser, 'login/code', { code: codeOf(secret) })).toBe('second-factor-expired')
    expect(await refusal(browser, 'login/code', { code: codeOf(secret) })).toBe('second-factor-expired')
    const late = await halfway(person.email)
    await server.database.pool.query(`update verification set "expiresAt" = now() - interval '1 second' where value = $1`, [person.id])
    expect(await refusal(late, 'login/code', { code: codeOf(secret) })).toBe('second-factor-expired')
    expect(await refusal(new Person(server.url), 'login/code', { code: codeOf(secret) })).toBe('second-factor-expired')
    const forged = new Person(server.url)
    const answer = await forged.call(
      'POST',
      '/api/accounts/login/code',
      { code: codeOf(secret) },
      { cookie: 'holarchy.two_factor=2fa-x.y' },
    )
    expect(answer.json.code).toBe('second-factor-expired')
  })

  it('ten wrong codes in a row lock the account’s second step, right codes and recovery codes too, for a while', async () => {
    const { person, secret, codes } = await guarded('Ann')
    await server.database.pool.query('update "twoFactor" set "failedVerificationCount" = 9 where "userId" = $1', [person.id])
    const browser = await halfway(person.email)
    expect(await refusal(browser, 'login/code', { code: wrongCode(secret) })).toBe('second-factor-wrong')
    expect(await refusal(browser, 'login/code', { code: codeOf(secret) })).toBe('second-factor-locked')
    expect(await refusal(await halfway(person.email), 'login/code', { recovery: codes[0] })).toBe('second-factor-locked')
    await server.database.pool.query(`update "twoFactor" set "lockedUntil" = now() - interval '1 second' where "userId" = $1`, [person.id])
    await browser.must('POST', '/api/accounts/login/code', { code: codeOf(secret) })
  })

  it('a password set anew by mail does not replace it', async () => {
    const { person } = await guarded('Ann')
    await person.must('POST', '/api/accounts/reset-code', { email: person.email })
    const [letter] = await server.lettersTo(person.email)
    const code = /\d{6}/.exec(letter?.subject ?? '')?.[0]
    await person.must('POST', '/api/accounts/reset-password', { email: person.email, code, password: 'battery staple' })
    const login = await person.must('POST', '/api/accounts/login', { email: person.email, password: 'battery staple' })
    expect(login).toEqual({ secondFactor: true })
    expect(await isIn(person)).toBe(false)
  })

  it('guessing passwords at it is slowed down', async () => {
    const strict = await startServer(suite.connection, { rateLimited: true })
    const ann = (await server.person('Ann')).at(strict.url)
    const codes: string[] = []
    for (let i = 0; i < 12; i++) codes.push(await refusal(ann, 'second-factor/prepare', { password: `guess ${i}` }))
    expect([codes[0], codes.at(-1)]).toEqual(['account-or-password', 'too-many-requests'])
    await strict.stop()
  })
})

describe('switching it off', () => {
  it('needs the password; then the password alone signs in', async () => {
    const { person, codes } = await guarded('Ann')
    expect(await refusal(person, 'second-factor/off', { password: 'wrong horse' })).toBe('account-or-password')
    await person.must('POST', '/api/accounts/second-factor/off', { password })
    expect(await refusal(person, 'second-factor/off', { password })).toBe('second-factor-off')
    expect(await refusal(person, 'second-factor/recovery-codes', { password })).toBe('second-factor-off')
    const elsewhere = new Person(server.url)
    expect(await elsewhere.must('POST', '/api/accounts/login', { email: person.email, password })).toEqual({ secondFactor: false })
    expect(await refusal(elsewhere, 'login/code', { recovery: codes[0] })).toBe('second-factor-expired')
    expect(await person.must('GET', '/api/accounts/second-factor')).toEqual({ on: false, codesLeft: 0 })
    const { lines } = await person.must('GET', '/api/accounts/audit')
    expect(lines.map((line: { action: string }) => line.action)).toContain('second-factor-off')
  })

  it('is part of one’s data, without its secrets, and goes with the account', async () => {
    const { person, codes } = await guarded('Ann')
    await halfway(person.email)
    const { json } = await person.call('GET', '/api/accounts/export')
    expect(json.secondFactor).toEqual([{ on: true, since: expect.any(String) }])
    expect(codes.some(code => JSON.stringify(json).includes(code))).toBe(false)
    await person.must('POST', '/api/accounts/delete', { password })
    for (const [table, column] of [
      ['"twoFactor"', '"userId"'],
      ['two_factor_spent', 'user_id'],
      ['verification', 'value'],
    ]) {
      const { rows } = await server.database.pool.query(`select 1 from ${table} where ${column}::text = $1`, [person.id])
      expect(rows, table).toEqual([])
    }
  })
})

describe('passwords', () => {
  it('that everybody tries first are refused, when registering, changing and resetting', async () => {
    const email = `sam-${randomBytes(4).toString('hex')}@example.org`
    const form = { email, name: 'Sam', invitation: 'TESTERS', disclaimer: true }
    const nobody = new Person(server.url)
    for (const common of ['password', 'Password1', '123456', 'QWERTYUIOP', 'iloveyou', email, email.split('@')[0]]) {
      expect(await refusal(nobody, 'register', { ...form, password: common }), common).toBe('password-common')
    }
    const ann = await server.person('Ann')
    expect(await refusal(ann, 'change-password', { old: password, next: 'sunshine' })).toBe('password-common')
    const reset = { email: ann.email, code: '123456', password: 'trustno1' }
    expect(await refusal(nobody, 'reset-password', reset)).toBe('password-common')
    await nobody.must('POST', '/api/accounts/register', { ...form, password: 'four words nobody said' })
  })
})

describe('cookies', () => {
  it('over https belong to this host, its whole and https alone; on this machine http will do', async () => {
    const safe = await startServer(suite.connection, { publicUrl: 'https://holarchy.example' })
    const { person, secret } = await guarded('Ann')
    const login = { email: person.email, password }
    const half = await new Person(safe.url).call('POST', '/api/accounts/login', login)
    const held = /^__Host-holarchy\.(\w+)=(?=.*; Path=\/)(?=.*; HttpOnly)(?=.*; Secure)(?=.*; SameSite=Lax)(?!.*Domain)/i
    const browser = new Person(safe.url)
    await browser.must('POST', '/api/accounts/login', login)
    const whole = await browser.call('POST', '/api/accounts/login/code', { code: codeOf(secret) })
    const named = ({ headers }: { headers: Headers }) =>
      headers
        .getSetCookie()
        .filter(line => !/max-age=0\b/i.test(line))
        .map(line => held.exec(line)?.[1])
    expect([named(half), named(whole)]).toEqual([['two_factor'], ['session_token']])
    expect(await isIn(browser)).toBe(true)
    await browser.must('POST', '/api/accounts/logout')
    expect(await isIn(browser)).toBe(false)
    await safe.stop()
    const plain = await new Person(server.url).call('POST', '/api/accounts/login', login)
    expect(plain.headers.getSetCookie().some(line => /Secure/i.test(line))).toBe(false)
  })
})
