// Accounts over HTTP: every way in, every way to be refused, with the codes the client translates.
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as Y from 'yjs'
import { newDocument } from '../../../model-schema/document.ts'
import { parseFile } from '../../../model-schema/file.ts'
import { belongings } from '../../../sync-server/accounts/belongings.ts'
import { LOCKOUT } from '../../../sync-server/accounts/lockout.ts'
import { CLOSE, MESSAGE } from '../../../sync-server/protocol.ts'
import { refusal as refused } from '../../help/network/refusal.ts'
import { Person, startServer, useDatabase } from '../../help/server.ts'
import type { TestServer } from '../../help/server.ts'

const suite = useDatabase()
let server: TestServer

beforeAll(async () => {
  server = await startServer(suite.connection)
})
afterAll(() => server?.stop())

const address = (name: string): string => `${name}-${randomBytes(4).toString('hex')}@example.org`
const form = (email: string, more: object = {}) => ({
  email,
  password: 'correct horse',
  name: `Somebody ${randomBytes(4).toString('hex')}`,
  invitation: 'TESTERS',
  disclaimer: true,
  ...more,
})
const codeOf = (letter: { subject: string } | undefined): string => /\d{6}/.exec(letter?.subject ?? '')?.[0] ?? ''

const refusal = (person: Person, path: string, body: unknown, method = 'POST') => refused(person, method, path, body)

describe('registering', () => {
  it('mails a code; not activated, one cannot sign in; activated, one can, and has a workspace', async () => {
    const email = address('ann')
    const ann = new Person(server.url, email)
    expect(await ann.must('POST', '/api/accounts/register', form(email))).toEqual({ ok: true })
    expect(await refusal(ann, '/api/accounts/login', { email, password: 'correct horse' })).toBe('not-activated')
    const [letter] = await server.lettersTo(email)
    expect(await refusal(ann, '/api/accounts/activate', { email, code: codeOf(letter) === '000000' ? '000001' : '000000' })).toBe(
      'activation-invalid',
    )
    await ann.must('POST', '/api/accounts/activate', { email, code: codeOf(letter) })
    await ann.must('POST', '/api/accounts/login', { email: email.toUpperCase(), password: 'correct horse' })
    const session = await ann.must('GET', '/api/accounts/session')
    expect(session).toMatchObject({ user: { name: expect.stringMatching(/^Somebody /), email }, team: expect.any(String) })
    expect((await ann.must('GET', '/api/workspaces')).workspaces).toMatchObject([{ id: session.team, type: 'personal', role: 'owner' }])
  })

  it('the link in the letter activates too, once; in the language asked for', async () => {
    const email = address('li')
    const li = new Person(server.url, email)
    await li.must('POST', '/api/accounts/register', form(email, { locale: 'zh-CN' }))
    const [letter] = await server.lettersTo(email)
    expect(letter?.subject).toContain('激活')
    const code = /activate_account\/(\S+)/.exec(letter?.body ?? '')?.[1] ?? ''
    await li.must('POST', '/api/accounts/activate', { code })
    expect(await refusal(li, '/api/accounts/activate', { code })).toBe('already-activated')
    for (const wrong of ['nonsense', 'a.b', '', `${code}0`, 'YQ.123456']) {
      expect(['activation-invalid', 'invalid-params']).toContain(await refusal(li, '/api/accounts/activate', { code: wrong }))
    }
  })

  it('an expired code says so, and a new one can be had', async () => {
    const email = address('late')
    const late = new Person(server.url, email)
    await late.must('POST', '/api/accounts/register', form(email))
    const [first] = await server.lettersTo(email)
    await server.database.pool.query(`update verification set "expiresAt" = now() - interval '1 minute'`)
    expect(await refusal(late, '/api/accounts/activate', { email, code: codeOf(first) })).toBe('activation-expired')
    await late.must('POST', '/api/accounts/activation-code', { email })
    const [second] = await server.lettersTo(email)
    await late.must('POST', '/api/accounts/activate', { email, code: codeOf(second) })
  })

  it('is refused without a good invitation, without the disclaimer, for a known address, and with bad fields by name', async () => {
    const nobody = new Person(server.url)
    const register = '/api/accounts/register'
    expect(await refusal(nobody, register, form(address('a'), { invitation: 'WRONG' }))).toBe('invitation-invalid')
    expect(await refusal(nobody, register, form(address('a'), { disclaimer: false }))).toBe('disclaimer-required')
    const pending = address('pending')
    await nobody.must('POST', register, form(pending))
    expect(await refusal(nobody, register, form(pending))).toBe('registered-not-activated')
    const known = await server.person('Known')
    expect(await refusal(nobody, register, form(known.email))).toBe('account-exists')
    const bad: [string, object][] = [
      ['email', { email: 'not an address' }],
      ['email', { email: '' }],
      ['password', { password: '12345' }],
      ['password', { password: 'x'.repeat(129) }],
      ['name', { name: '  ' }],
      ['name', { name: 'x'.repeat(200) }],
      ['invitation', { invitation: 7 }],
      ['disclaimer', { disclaimer: undefined }],
    ]
    for (const [path, change] of bad) {
      const { status, json } = await nobody.call('POST', register, form(address('bad'), change))
      expect([status, json.code, json.issues?.[0]?.path]).toEqual([400, 'invalid-params', path])
    }
  })

  it('addresses: registering, activating and asking for a code tell nobody whether one is known', async () => {
    const known = await server.person('Known')
    const asked = new Person(server.url)
    const answers = async (email: string): Promise<unknown[]> => {
      const told: unknown[] = []
      for (const [call, body] of [
        ['register', form(email, { invitation: 'WRONG' })],
        ['activate', { email, code: '123456' }],
        // A link made up for an address is no letter.
        ['activate', { code: `${Buffer.from(email).toString('base64url')}.123456.${'A'.repeat(20)}` }],
        ['activation-code', { email }],
      ] as const) {
        const { status, json } = await asked.call('POST', `/api/accounts/${call}`, body)
        told.push([call, status, json.code ?? json])
      }
      return told
    }
    const letters = (await server.lettersTo(known.email)).length
    expect(await answers(known.email)).toEqual(await answers(address('nobody')))
    expect((await server.lettersTo(known.email)).length).toBe(letters)
  })

  it('addresses: all three share one limit, for known and unknown ones alike, whatever cookie is sent', async () => {
    const strict = await startServer(suite.connection, { rateLimited: true })
    const known = await server.person('Known')
    const told: number[] = []
    for (let i = 0; i < 30; i++) {
      const email = i % 2 === 0 ? known.email : address('nobody')
      const call = ['register', 'activate', 'activation-code'][i % 3] ?? ''
      const body = { register: form(email, { invitation: 'WRONG' }), activate: { email, code: '123456' }, 'activation-code': { email } }[
        call
      ]
      const { status } = await new Person(strict.url).call('POST', `/api/accounts/${call}`, body, { cookie: 'a=b' })
      told.push(status)
    }
    expect(told.slice(0, 20).filter(status => status === 429).length).toBeLessThan(20)
    expect(told.slice(20)).toEqual(Array.from({ length: 10 }, () => 429))
    await strict.stop()
  })

  it('requests without an account share one limit for each address, whatever made-up cookie they bring', async () => {
    const strict = await startServer(suite.connection, { rateLimited: true })
    // More than a burst of 60 and what is added meanwhile, at 5 a second.
    const codes = async (cookieOf: (i: number) => string | null): Promise<Set<string>> =>
      new Set(
        await Promise.all(
          Array.from({ length: 300 }, async (_, i) => {
            const cookie = cookieOf(i)
            const body = { docId: randomBytes(12).toString('hex'), share: 'nothing' }
            const { json } = await new Person(strict.url).call('POST', '/api/rt/ticket', body, cookie === null ? {} : { cookie })
            return String(json.code)
          }),
        ),
      )
    for (const cookieOf of [
      () => null,
      () => 'a=b',
      (i: number) => `better-auth.session_token=${i}.made-up`,
      (i: number) => `__Secure-better-auth.session_token=${'x'.repeat(i)}; other=${i}`,
    ])
      expect(await codes(cookieOf)).toContain('too-many-requests')
    // People with an account are not counted with them.
    const known = await server.person('Counted')
    const json = { docId: await known.file('Own') }
    const { status } = await new Person(strict.url).call('POST', '/api/rt/ticket', json, { cookie: known.cookie })
    expect(status).toBe(200)
    await strict.stop()
  })

  it('nicknames: are unique whatever their case, when registering and when changing the profile', async () => {
    const first = new Person(server.url)
    await first.must('POST', '/api/accounts/register', form(address('n'), { name: 'Nick Name' }))
    expect(await refusal(first, '/api/accounts/register', form(address('n'), { name: 'nick NAME ' }))).toBe('nickname-taken')
    const ann = await server.person('Ann')
    expect(await refusal(ann, '/api/accounts/profile', { name: 'Nick name' }, 'PATCH')).toBe('nickname-taken')
    const { user } = await ann.must('GET', '/api/accounts/session')
    // One's own, in another case, is no other's.
    await ann.must('PATCH', '/api/accounts/profile', { name: user.name.toUpperCase() })
  })

  it('an invitation with one use left makes one account, however many try at once', async () => {
    await server.database.db.insertInto('invitation_code').values({ code: 'LAST-ONE', uses_left: 1 }).execute()
    const emails = Array.from({ length: 4 }, (_, i) => address(`race${i}`))
    const answers = await Promise.all(
      emails.map(email => new Person(server.url).call('POST', '/api/accounts/register', form(email, { invitation: 'LAST-ONE' }))),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 403, 403, 403])
    const made = await server.database.db.selectFrom('user').select('email').where('email', 'in', emails).execute()
    expect(made.length).toBe(1)
  })
})

describe('signing in and out', () => {
  it('a wrong password and an unknown address look the same', async () => {
    const ann = await server.person('Ann')
    const other = new Person(server.url)
    expect(await refusal(other, '/api/accounts/login', { email: ann.email, password: 'wrong' })).toBe('account-or-password')
    expect(await refusal(other, '/api/accounts/login', { email: address('unknown'), password: 'wrong' })).toBe('account-or-password')
    expect(await other.must('GET', '/api/accounts/session')).toEqual({ user: null, team: null })
  })

  it('the cookie is for http only and for this site; signing out ends the session for good', async () => {
    const ann = await server.person('Ann')
    const login = await ann.call('POST', '/api/accounts/login', { email: ann.email, password: 'correct horse' })
    expect(login.headers.get('set-cookie')).toMatch(/HttpOnly; SameSite=Lax/)
    const cookie = ann.cookie
    await ann.must('POST', '/api/accounts/logout')
    const response = await fetch(`${server.url}/api/files`, { headers: { cookie } })
    expect([response.status, (await response.json()).code]).toEqual([401, 'signed-out'])
  })

  it('a forged cookie is nobody', async () => {
    const ann = await server.person('Ann')
    const forged = ann.cookie.replace(/.$/, end => (end === 'A' ? 'B' : 'A')).replace(/session_token=\w/, 'session_token=x')
    const response = await fetch(`${server.url}/api/accounts/session`, { headers: { cookie: forged } })
    expect(await response.json()).toEqual({ user: null, team: null })
  })
})

describe('passwords', () => {
  it('a forgotten one is set anew with a mailed code, which ends all sessions', async () => {
    const ann = await server.person('Ann')
    const anywhere = new Person(server.url)
    const socket = await ann.socket(await ann.file('Open'))
    await socket.message(MESSAGE.hello)
    await anywhere.must('POST', '/api/accounts/reset-code', { email: ann.email })
    const [letter] = await server.lettersTo(ann.email)
    const reset = '/api/accounts/reset-password'
    expect(await refusal(anywhere, reset, { email: ann.email, code: '12', password: 'battery staple' })).toBe('verification-invalid')
    await anywhere.must('POST', reset, { email: ann.email, code: codeOf(letter), password: 'battery staple' })
    expect(await refusal(anywhere, reset, { email: ann.email, code: codeOf(letter), password: 'again again' })).toBe('verification-invalid')
    expect((await ann.must('GET', '/api/accounts/session')).user).toBe(null)
    expect(await socket.closed()).toBe(CLOSE.ticket)
    expect(await refusal(ann, '/api/accounts/login', { email: ann.email, password: 'correct horse' })).toBe('account-or-password')
    await ann.must('POST', '/api/accounts/login', { email: ann.email, password: 'battery staple' })
  })

  it('asking for a code tells nobody whether there is such an account', async () => {
    const anywhere = new Person(server.url)
    const email = address('nobody')
    expect(await anywhere.must('POST', '/api/accounts/reset-code', { email })).toEqual({ ok: true })
    expect(await server.lettersTo(email)).toEqual([])
  })

  it('changing needs the old one, and another new one', async () => {
    const ann = await server.person('Ann')
    const change = '/api/accounts/change-password'
    expect(await refusal(ann, change, { old: 'wrong', next: 'battery staple' })).toBe('old-password-incorrect')
    expect(await refusal(ann, change, { old: 'correct horse', next: 'correct horse' })).toBe('password-unchanged')
    expect(await refusal(ann, change, { old: 'correct horse', next: 'short' })).toBe('invalid-params')
    await ann.must('POST', change, { old: 'correct horse', next: 'battery staple' })
    expect(await refusal(new Person(server.url), change, { old: 'a', next: 'battery' })).toBe('signed-out')
    await ann.must('POST', '/api/accounts/login', { email: ann.email, password: 'battery staple' })
  })
})

describe('sessions', () => {
  it('are listed, ended one by one or all but this one; a socket of an ended one closes', async () => {
    const ann = await server.person('Ann')
    const elsewhere = new Person(server.url)
    await elsewhere.must('POST', '/api/accounts/login', { email: ann.email, password: 'correct horse' })
    const socket = await elsewhere.socket(await ann.file('Open'))
    await socket.message(MESSAGE.hello)
    const { sessions } = await ann.must('GET', '/api/accounts/sessions')
    expect(sessions.map((session: { current: boolean }) => session.current)).toEqual([false, true])
    expect(Object.keys(sessions[0]).sort()).toEqual(['address', 'agent', 'current', 'id', 'seenAt', 'signedInAt'])
    expect(await ann.must('POST', '/api/accounts/sessions/end-others')).toEqual({ ended: 1 })
    expect(await socket.closed()).toBe(CLOSE.ticket)
    expect((await elsewhere.must('GET', '/api/accounts/session')).user).toBe(null)
    const bob = await server.person('Bob')
    const own = (await bob.must('GET', '/api/accounts/sessions')).sessions[0].id
    expect(await refusal(ann, `/api/accounts/sessions/${own}`, undefined, 'DELETE')).toBe('not-found')
    await bob.must('DELETE', `/api/accounts/sessions/${own}`)
    expect(await refusal(bob, '/api/accounts/sessions', undefined, 'GET')).toBe('signed-out')
  })

  it('signing in elsewhere is told where one is signed in already', async () => {
    const ann = await server.person('Ann')
    expect((await ann.must('GET', '/api/notifications')).notifications).toEqual([])
    const socket = await ann.socket(await ann.file('Open'))
    await socket.message(MESSAGE.hello)
    const elsewhere = new Person(server.url)
    await elsewhere.must('POST', '/api/accounts/login', { email: ann.email, password: 'correct horse' })
    expect((await socket.notice(MESSAGE.control)).type).toBe('notification')
    const [notice] = (await ann.must('GET', '/api/notifications')).notifications
    expect(notice).toMatchObject({ kind: 'signed-in-elsewhere', read: false })
    const { sessions } = await elsewhere.must('GET', '/api/accounts/sessions')
    expect(sessions.find((session: { current: boolean }) => session.current).id).toBe(notice.data.session)
    socket.close()
  })

  it('a changed password ends all others', async () => {
    const ann = await server.person('Ann')
    const elsewhere = new Person(server.url)
    await elsewhere.must('POST', '/api/accounts/login', { email: ann.email, password: 'correct horse' })
    const socket = await elsewhere.socket(await ann.file('Open'))
    await socket.message(MESSAGE.hello)
    await ann.must('POST', '/api/accounts/change-password', { old: 'correct horse', next: 'battery staple' })
    expect(await socket.closed()).toBe(CLOSE.ticket)
    expect((await elsewhere.must('GET', '/api/accounts/session')).user).toBe(null)
    expect((await ann.must('GET', '/api/accounts/session')).user.id).toBe(ann.id)
  })
})

describe('lockout', () => {
  it('twenty failures shut an address for a minute, known or not, whatever the password; a reset opens it', async () => {
    const ann = await server.person('Ann')
    const guesser = new Person(server.url)
    const guess = (email: string, password: string) => refusal(guesser, '/api/accounts/login', { email, password })
    const unknown = address('unknown')
    for (const email of [ann.email, unknown]) {
      // All but the last three were made a moment ago.
      await server.database.db
        .insertInto('login_failure')
        .values({ email, failures: LOCKOUT.failures - 3 })
        .execute()
      for (let i = 0; i < 3; i++) expect(await guess(email, `guess ${i}`)).toBe('account-or-password')
    }
    expect(await guess(ann.email, 'correct horse')).toBe('account-locked')
    expect(await guess(unknown, 'x')).toBe('account-locked')
    await guesser.must('POST', '/api/accounts/reset-code', { email: ann.email })
    const [letter] = await server.lettersTo(ann.email)
    await guesser.must('POST', '/api/accounts/reset-password', { email: ann.email, code: codeOf(letter), password: 'battery staple' })
    await guesser.must('POST', '/api/accounts/login', { email: ann.email, password: 'battery staple' })
    const { lines } = await guesser.must('GET', '/api/accounts/audit')
    expect(lines.map((line: { action: string }) => line.action).slice(0, 3)).toEqual(['login', 'password-reset', 'login-failed'])
    expect(lines[0].address).toBe('127.0.0.1')
  })
})

describe('one’s data', () => {
  it('is given out whole, documents as files', async () => {
    const ann = await server.person('Ann')
    const id = await ann.file('Mine')
    const doc = newDocument('Exported')
    const epoch = (await ann.call('GET', `/api/docs/${id}/state`)).headers.get('x-epoch') ?? ''
    await ann.must('POST', `/api/docs/${id}/updates`, Y.encodeStateAsUpdate(doc), { 'x-epoch': epoch })
    await ann.must('POST', '/api/files', { id: `${id}-folder`, kind: 'folder', name: 'Folder' })
    const bob = await server.person('Bob')
    const foreign = await bob.file('Of Bob')
    await bob.must('POST', `/api/files/${foreign}/collaborators`, { email: ann.email, role: 'commenter' })
    const anchor = { canvas: 'main', element: null, x: 40, y: 50, at: [40, 50], name: '' }
    const first = { id: `first-${id}`, body: JSON.stringify('By Bob') }
    await bob.must('POST', `/api/docs/${foreign}/threads`, { id: `thread-${id}`, anchor, comment: first })
    await ann.must('POST', `/api/docs/${foreign}/threads/thread-${id}/comments`, { id: `second-${id}`, body: JSON.stringify('By Ann') })
    await ann.must('PUT', `/api/files/${foreign}/favourite`, { on: true })
    const { headers, json } = await ann.call('GET', '/api/accounts/export')
    expect(headers.get('content-disposition')).toContain('attachment')
    expect(json).toMatchObject({ format: 'holarchy-export', account: { email: ann.email } })
    const files: { name: string; holo: string | null }[] = json.files
    expect(files.map(file => file.name).sort()).toEqual(['Folder', 'Mine'])
    expect('file' in parseFile(files.find(file => file.name === 'Mine')?.holo ?? '')).toBe(true)
    expect(files.find(file => file.name === 'Folder')?.holo).toBe(null)
    // What one wrote elsewhere, and nothing of what others wrote there.
    expect(json.comments).toEqual([expect.objectContaining({ file: foreign, fileName: 'Of Bob', body: JSON.stringify('By Ann') })])
    expect(json.favourites).toEqual([expect.objectContaining({ name: 'Of Bob' })])
    expect(json.sharedWithMe).toEqual([expect.objectContaining({ name: 'Of Bob', role: 'commenter' })])
    expect(json.notifications.map((one: { kind: string }) => one.kind)).toContain('file-shared')
    // The account is deleted; the comment stays, without an author.
    expect((await server.lettersTo(ann.email)).length).toBeGreaterThan(0)
    await ann.must('POST', '/api/accounts/delete', { password: 'correct horse' })
    expect((await server.lettersTo(ann.email)).length).toBe(0)
    const [talk] = (await bob.must('GET', `/api/docs/${foreign}/comments`)).threads
    expect(talk.comments.map((one: { author: { name: string } | null }) => one.author?.name ?? null)).toEqual([
      expect.stringMatching(/^Bob/),
      null,
    ])
  })

  it('is known: each table that refers to an account, or holds its id, has a row in the list of belongings, or a reason', async () => {
    const elsewhere = {
      account: 'the account itself',
      session: 'given out as sessions',
      workspace: 'given out as workspaces',
      workspace_member: 'given out as workspaces',
      file: 'given out as files',
      invitation_code: 'a code to invite others with',
      workspace_lock: 'of the workspace',
      welcome: 'a hash, so that a mailbox is welcomed once',
      doc_update: 'what documents are made of',
      doc_client: 'what documents are made of',
      rt_ticket: 'lives for a minute',
      audit: 'given out as log',
      market_view: 'counted, not kept by person',
    }
    const { rows } = await server.database.pool.query<{ name: string }>(
      `select distinct r.relname as name from pg_constraint c join pg_class r on r.oid = c.conrelid
         where c.contype = 'f' and c.confrelid = '"user"'::regclass
       union select table_name from information_schema.columns where table_schema = 'public' and column_name in ('user_id', 'userId')`,
    )
    const known = new Set([...belongings.flatMap(({ tables }) => tables), ...Object.keys(elsewhere)])
    expect(rows.map(({ name }) => name).filter(name => !known.has(name))).toEqual([])
  })

  it('goes with the account: not while others depend on its workspaces, and never without the password', async () => {
    const ann = await server.person('Ann')
    const bob = await server.person('Bob')
    const file = await ann.file('Going')
    await ann.must('POST', `/api/files/${file}/collaborators`, { email: bob.email, role: 'viewer' })
    const experiment = (await bob.must('POST', '/api/files', { id: `exp-${file}`, kind: 'experiment', name: 'Uses it' })).id
    await bob.must('PUT', `/api/files/${experiment}/model`, { model: file })
    const team = (await ann.must('POST', '/api/workspaces', { id: `team-${file}`, type: 'team', name: 'Shared' })).id
    await server.database.db.insertInto('workspace_member').values({ workspace_id: team, user_id: bob.id, role: 'editor' }).execute()
    const remove = '/api/accounts/delete'
    expect(await refusal(ann, remove, { password: 'wrong horse' })).toBe('account-or-password')
    const answer = await ann.call('POST', remove, { password: 'correct horse' })
    expect([answer.json.code, answer.json.issues]).toEqual(['owns-workspaces', [{ path: 'Shared', message: 'has other members' }]])
    await ann.must('POST', `/api/workspaces/${team}/transfer`, { userId: bob.id })
    const socket = await bob.socket(file)
    await socket.message(MESSAGE.hello)
    await ann.must('POST', remove, { password: 'correct horse' })
    expect(await socket.closed()).toBe(CLOSE.noDocument)
    expect((await ann.must('GET', '/api/accounts/session')).user).toBe(null)
    expect(await refusal(new Person(server.url), '/api/accounts/login', { email: ann.email, password: 'correct horse' })).toBe(
      'account-or-password',
    )
    expect((await bob.must('GET', `/api/files/${experiment}`)).model).toBe(null)
    expect((await bob.must('GET', `/api/workspaces/${team}`)).role).toBe('owner')
    const left = await server.database.db.selectFrom('user').select('id').where('id', '=', ann.id).execute()
    expect(left).toEqual([])
  })
})

describe('the door', () => {
  it('guessing is slowed down', async () => {
    const strict = await startServer(suite.connection, { rateLimited: true })
    const guesser = new Person(strict.url)
    const codes: string[] = []
    for (let i = 0; i < 25; i++)
      codes.push((await guesser.call('POST', '/api/accounts/login', { email: 'a@example.org', password: `${i}` })).json.code)
    expect(codes[0]).toBe('account-or-password')
    expect(codes.at(-1)).toBe('too-many-requests')
    await strict.stop()
  })

  it('somebody without an account who tries everything is slowed down, others are not', async () => {
    const strict = await startServer(suite.connection, { rateLimited: true })
    const from = (remoteAddress: string) =>
      strict.app.request(`${strict.url}/api/share/${'x'.repeat(32)}/open`, { method: 'POST' }, { incoming: { socket: { remoteAddress } } })
    const statuses: number[] = []
    for (let i = 0; i < 100; i++) statuses.push((await from('10.0.0.1')).status)
    expect([statuses[0], statuses.at(-1)]).toEqual([404, 429])
    expect((await from('10.0.0.2')).status).toBe(404)
    await strict.stop()
  })

  it('pages of other origins change nothing', async () => {
    const ann = await server.person('Ann')
    const post = (headers: Record<string, string>) => ann.call('POST', '/api/accounts/logout', {}, headers)
    expect((await post({ origin: 'https://evil.example' })).json.code).toBe('origin-refused')
    expect((await post({ origin: 'null' })).json.code).toBe('origin-refused')
    expect((await post({ 'sec-fetch-site': 'cross-site' })).json.code).toBe('origin-refused')
    expect((await post({ origin: server.url, 'sec-fetch-site': 'same-origin' })).status).toBe(200)
  })

  it('bodies that are too large, or not JSON, or of another type, are refused as such', async () => {
    const ann = await server.person('Ann')
    expect((await ann.call('POST', '/api/files', { name: 'x'.repeat(300_000) })).json.code).toBe('too-large')
    const raw = (body: string, type: string) =>
      fetch(`${server.url}/api/accounts/login`, { method: 'POST', headers: { 'content-type': type }, body })
    for (const [body, type] of [
      ['{"email":', 'application/json'],
      ['[]', 'application/json'],
      ['email=a', 'application/x-www-form-urlencoded'],
      ['null', 'application/json'],
    ] as const) {
      const response = await raw(body, type)
      expect([response.status, (await response.json()).code], body).toEqual([400, 'invalid-params'])
    }
    expect((await ann.call('GET', '/api/no/such/call')).json.code).toBe('not-found')
  })

  it('the letters of a development server are shown escaped, and on this machine only', async () => {
    const email = address('script')
    await new Person(server.url).must('POST', '/api/accounts/register', form(email, { name: '<script>alert(1)</script>' }))
    await server.database.db
      .insertInto('mail_outbox')
      .values({ recipient: '<b>x</b>@example.org', subject: '<script>alert(1)</script>', body: '"quoted"' })
      .execute()
    const page = await fetch(`${server.url}/api/dev/outbox`)
    const text = await page.text()
    expect(text).toContain('&lt;script&gt;')
    expect(text).not.toContain('<script>')
    const elsewhere = await server.app.request('http://holarchy.example/api/dev/outbox')
    expect(elsewhere.status).toBe(404)
    const proxied = await server.app.request('http://localhost/api/dev/outbox', { headers: { 'x-forwarded-for': '10.0.0.9' } })
    expect(proxied.status).toBe(404)
    const remote = await server.app.request('http://localhost/api/dev/outbox', {}, { incoming: { socket: { remoteAddress: '10.0.0.9' } } })
    expect(remote.status).toBe(404)
  })
})
