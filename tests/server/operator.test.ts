// What operators of the server see of it, and that others do not.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { settingsIn } from '../../sync-server/main.ts'
import { operatorsBy } from '../../sync-server/operator/operators.ts'
import { Person, TEST_SECRET, startServer, useDatabase } from '../help/server.ts'
import type { TestServer } from '../help/server.ts'
import { newId } from '../help/network/company.ts'
import { said } from '../help/network/market.ts'
import { codeOf } from '../help/network/totp.ts'

const suite = useDatabase()
let server: TestServer
const operators: string[] = []
beforeAll(async () => {
  server = await startServer(suite.connection, { operators })
})
afterAll(() => server?.stop())

const get = (path: string, headers: Record<string, string> = {}) => fetch(server.url + path, { headers })
const bearer = { authorization: `Bearer ${TEST_SECRET}` }

describe('the counters and the overview', () => {
  it('are for the token and for the accounts named, and do not exist for anybody else', async () => {
    const [ann, bob] = [await server.person('Ann'), await server.person('Bob')]
    operators.push(ann.email)
    for (const path of ['/api/metrics', '/api/operator/overview']) {
      expect((await get(path)).status).toBe(404)
      expect((await get(path, { authorization: 'Bearer something else of that length, of cours' })).status).toBe(404)
      expect((await bob.call('GET', path)).status).toBe(404)
      expect((await ann.call('GET', path)).status).toBe(200)
      expect((await get(path, bearer)).status).toBe(200)
    }
  })

  it('count what happens', async () => {
    const ann = await server.person('Ann')
    const docId = await ann.file('Counted')
    const socket = await ann.socket(docId)
    await socket.message(100)
    const text = await (await get('/api/metrics', bearer)).text()
    expect(text).toMatch(/^holarchy_rooms 1$/m)
    expect(text).toMatch(/^holarchy_sockets 1$/m)
    expect(text).toMatch(/^holarchy_http_request_seconds_count\{method="POST",route="\/api\/files",status="201"\} 1$/m)
    expect(text).not.toContain(docId)
    const overview = await (await get('/api/operator/overview', bearer)).json()
    expect(overview.counts).toMatchObject({ files: 1, documents: 1 })
    expect(overview.server).toMatchObject({ rooms: 1, sockets: 1, draining: false, bus: null })
    expect(overview.counts.databaseBytes).toBeGreaterThan(1e6)
    socket.close()
  })
})

describe('two-step verification of operators, by the settings', () => {
  const databases = { embedded: undefined, own: 'postgres://db.example/holarchy' }
  const proxies = { none: [undefined, '', '0', 'false'], proxy: ['1', 'true'] }
  const wishes = { nothing: [undefined, ''], yes: ['1', 'true'], no: ['0', 'false'] }

  it.each([
    ['embedded', 'none', 'nothing', false],
    ['embedded', 'none', 'yes', true],
    ['embedded', 'none', 'no', false],
    ['embedded', 'proxy', 'nothing', true],
    ['embedded', 'proxy', 'yes', true],
    ['embedded', 'proxy', 'no', false],
    ['own', 'none', 'nothing', true],
    ['own', 'none', 'yes', true],
    ['own', 'none', 'no', false],
    ['own', 'proxy', 'nothing', true],
    ['own', 'proxy', 'yes', true],
    ['own', 'proxy', 'no', false],
  ] as const)('database %s, proxy %s, said %s: %s', (database, proxy, wish, isDemanded) => {
    for (const TRUST_PROXY of proxies[proxy])
      for (const OPERATOR_SECOND_FACTOR of wishes[wish]) {
        const settings = { DATABASE_URL: databases[database], TRUST_PROXY, OPERATOR_SECOND_FACTOR }
        expect(operatorsBy(settingsIn(settings)).secondFactor, JSON.stringify(settings)).toBe(isDemanded)
      }
  })

  it('is refused rather than guessed when it is said in another way', () => {
    expect(() => settingsIn({ OPERATOR_SECOND_FACTOR: 'maybe' })).toThrow('OPERATOR_SECOND_FACTOR')
    expect(() => settingsIn({ TRUST_PROXY: 'maybe' })).toThrow('TRUST_PROXY')
  })

  it('is of the accounts named, however they are written, and of nobody when none is', () => {
    expect(operatorsBy(settingsIn({ OPERATORS: ' Ann@Example.org ,, bob@example.org' })).emails).toEqual([
      'ann@example.org',
      'bob@example.org',
    ])
    expect(operatorsBy(settingsIn({}))).toEqual({ token: null, emails: [], secondFactor: false })
  })
})

describe('two-step verification, where it is demanded of operators', () => {
  it('opens what operators do, and is told to those who lack it, to nobody else', async () => {
    const emails: string[] = []
    const strict = await startServer(suite.connection, { operators: emails, secondFactor: true })
    const [ann, bob] = [await strict.person('Ann'), await strict.person('Bob')]
    emails.push(ann.email)
    const elsewhere = new Person(strict.url, ann.email)
    await elsewhere.must('POST', '/api/accounts/login', { email: ann.email, password: 'correct horse' })
    const gift = { id: newId(), email: bob.email, kind: 'systemGift', amounts: { coins: 1 } }
    const decision = { about: 'app', target: newId(), outcome: 'hidden', because: 'spam' }
    const comment = { id: newId(), body: said('News') }
    const deeds: [string, string, unknown?][] = [
      ['GET', '/api/metrics'],
      ['GET', '/api/operator/overview'],
      ['GET', '/api/market/moderation'],
      ['POST', '/api/market/moderation/decide', decision],
      ['POST', '/api/coins/operator/give', gift],
      ['POST', '/api/market/forum', { id: newId(), section: 'announcements', title: 'News', comment }],
    ]
    for (const [method, path, body] of deeds) {
      expect((await ann.call(method, path, body)).json, path).toMatchObject({ code: 'operator-second-factor' })
      expect((await bob.call(method, path, body)).json, path).not.toMatchObject({ code: 'operator-second-factor' })
    }
    // They are shown that there is something to do, and the program with the token does it as before.
    expect(await ann.must('GET', '/api/market/me')).toEqual({ operator: true })
    expect((await fetch(`${strict.url}/api/metrics`, { headers: bearer })).status).toBe(200)

    const { uri } = await ann.must('POST', '/api/accounts/second-factor/prepare', { password: 'correct horse' })
    const code = codeOf(new URL(uri).searchParams.get('secret') ?? '')
    await ann.must('POST', '/api/accounts/second-factor/confirm', { code })
    for (const [method, path, body] of deeds)
      expect((await ann.call(method, path, body)).json?.code, path).toBe(path.endsWith('decide') ? 'not-found' : undefined)
    // A browser in which only the password was given is out.
    expect((await elsewhere.must('GET', '/api/accounts/session')).user).toBe(null)
    await ann.must('POST', '/api/accounts/second-factor/off', { password: 'correct horse' })
    expect((await ann.call('GET', '/api/market/moderation')).json.code).toBe('operator-second-factor')
    await strict.stop()
  })

  it('lets operators see no more than others before, and delete their own comments', async () => {
    const emails: string[] = []
    const strict = await startServer(suite.connection, { operators: emails, secondFactor: true })
    const [ann, bob] = [await strict.person('Ann'), await strict.person('Bob')]
    emails.push(ann.email)
    const thread = newId()
    const first = { id: newId(), body: said('Mine') }
    await bob.must('POST', '/api/market/forum', { id: thread, section: 'questions', title: 'A question', comment: first })
    const own = { id: newId(), body: said('Mine') }
    await ann.must('POST', `/api/market/talk/thread/${thread}`, own)
    expect((await ann.call('DELETE', `/api/market/talk/thread/${thread}/${first.id}`)).json.code).toBe('operator-second-factor')
    await ann.must('DELETE', `/api/market/talk/thread/${thread}/${own.id}`)
    await strict.database.db.updateTable('forum_thread').set({ hidden_at: new Date() }).where('id', '=', thread).execute()
    expect((await ann.call('GET', `/api/market/forum/${thread}`)).json.code).toBe('not-found')
    expect((await bob.call('GET', `/api/market/forum/${thread}`)).status).toBe(200)
    await strict.stop()
  })
})

describe('health and readiness', () => {
  it('differ while the server is about to stop', async () => {
    const going = await startServer(suite.connection)
    const at = (path: string) => fetch(going.url + path)
    expect([(await at('/api/health')).status, (await at('/api/ready')).status]).toEqual([200, 200])
    await going.rooms.drain()
    expect([(await at('/api/health')).status, (await at('/api/ready')).status]).toEqual([200, 503])
    await going.stop()
  })
})

describe('headers of every answer', () => {
  it('say that it is no page, in no frame, and not to be guessed at', async () => {
    for (const path of ['/api/health', '/api/files', '/api/nothing']) {
      const { headers } = await get(path)
      expect(headers.get('content-security-policy')).toContain("default-src 'none'")
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('x-frame-options')).toBe('DENY')
      expect(headers.get('referrer-policy')).toBe('strict-origin-when-cross-origin')
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('permissions-policy')).toContain('camera=()')
      expect(headers.get('x-powered-by')).toBe(null)
    }
  })
})
