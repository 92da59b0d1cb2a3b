// Every route with garbage: whatever comes in paths, queries and bodies, the answer is a refusal with a code of the protocol or a
// good one, never a failure of the server; and without a session nothing but the open doors answers.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ERROR_CODES } from '../../sync-server/protocol.ts'
import { chance } from '../help/random.ts'
import type { Chance } from '../help/random.ts'
import { Person, startServer, useDatabase } from '../help/server.ts'
import type { TestServer } from '../help/server.ts'

const suite = useDatabase()
let server: TestServer
let ann: Person
let fileId = ''

beforeAll(async () => {
  server = await startServer(suite.connection)
  ann = await server.person('Ann')
  fileId = await ann.file('Target')
})
afterAll(() => server?.stop())

/** Method and path of every route of the API, those that end the tests' own account or session left out. */
function routes(): { method: string; path: string }[] {
  const seen = new Map<string, { method: string; path: string }>()
  for (const { method, path } of server.app.routes) {
    if (method === 'ALL' || !path.startsWith('/api/') || path.endsWith('*')) continue
    if (/accounts\/(logout|delete)|end-others|change-password|accounts\/sessions/.test(path) && method !== 'GET') continue
    seen.set(`${method} ${path}`, { method, path })
  }
  return [...seen.values()]
}

const junk: readonly unknown[] = [
  null,
  true,
  -1,
  1e308,
  '',
  ' ',
  '\u0000',
  "' or 1=1 --",
  '../../etc/passwd',
  '<script>',
  'x'.repeat(5000),
  '\ud800',
  [],
  [null],
  {},
  { $ne: 1 },
  '__proto__',
  'constructor',
  '2026-02-31T25:00:00Z',
]
const fields = [
  'id',
  'name',
  'kind',
  'team',
  'parent',
  'emails',
  'email',
  'role',
  'password',
  'switches',
  'tags',
  'ids',
  'accept',
  'open',
  'on',
  'model',
  'type',
]
const more = [
  'origins',
  'options',
  'userId',
  'docId',
  'share',
  'code',
  'closed',
  'maxUses',
  'expiresAt',
  'color',
  'place',
  'taken',
  'profile',
  'old',
  'next',
  'locale',
]

function body(random: Chance): unknown {
  if (random.chance(0.15)) return random.pick(junk)
  const entries = Array.from({ length: random.below(6) }, () => [
    random.pick([...fields, ...more]),
    random.chance(0.3) ? fileId : random.pick(junk),
  ])
  return Object.fromEntries(entries)
}

function filled(path: string, random: Chance): string {
  const value = (): string =>
    random.chance(0.5)
      ? fileId
      : random.chance(0.3)
        ? ann.team
        : encodeURIComponent(String(random.pick(junk)).toWellFormed().slice(0, 300)) || 'x'
  const at = path.replaceAll(/:[a-zA-Z]+/g, value)
  if (random.chance(0.5)) return at
  const key = random.pick([
    'of',
    'q',
    'limit',
    'offset',
    'sort',
    'team',
    'tag',
    'before',
    'unread',
    'userId',
    'share',
    'kind',
    'parent',
    'descending',
  ])
  return `${at}?${key}=${encodeURIComponent(String(random.pick(junk)).toWellFormed().slice(0, 300))}`
}

describe('garbage', () => {
  it('is refused with a code by every route, and breaks none', async () => {
    const random = chance(Number(process.env['SEED'] ?? 1))
    const all = routes()
    expect(all.length).toBeGreaterThan(80)
    for (const { method, path } of all) {
      for (let i = 0; i < Number(process.env['COUNT'] ?? 8); i++) {
        const url = filled(path, random)
        const sent = method === 'GET' ? undefined : body(random)
        const { status, json } = await ann.call(method, url, sent)
        const label = `${method} ${url.slice(0, 200)} ${JSON.stringify(sent)?.slice(0, 300)} → ${status} ${JSON.stringify(json).slice(0, 200)}`
        expect(status, label).toBeLessThan(500)
        if (status >= 400) expect(Object.hasOwn(ERROR_CODES, json.code), label).toBe(true)
      }
    }
  })

  it('of the kinds that databases choke on is refused or tidied wherever text is kept', async () => {
    const file = `/api/files/${fileId}`
    const refused = async (method: string, path: string, sent?: unknown): Promise<unknown> => (await ann.call(method, path, sent)).json.code
    for (const text of ['a\0b', '\0']) {
      expect(await refused('PATCH', file, { remark: text })).toBe('invalid-params')
      expect(await refused('PATCH', `/api/workspaces/${ann.team}`, { profile: text })).toBe('invalid-params')
      expect(await refused('GET', `/api/files?of=search&q=${encodeURIComponent(text)}`)).toBe('invalid-params')
      expect(await refused('GET', `/api/embed/${encodeURIComponent(text)}`)).toBe('invalid-params')
      expect(await refused('POST', `${file}/embeds`, { options: { [text]: 'x' } })).toBe('invalid-params')
      expect(await refused('POST', `${file}/embeds`, { options: { title: text } })).toBe('invalid-params')
    }
    expect((await ann.must('POST', `${file}/embeds`, { options: { title: 'half \ud83d' } })).options).toEqual({ title: 'half \ufffd' })
    expect((await ann.must('PATCH', file, { remark: '\udc00' })).remark).toBe('\ufffd')
    const deep = Buffer.from(`{"id":${'['.repeat(50_000)}${']'.repeat(50_000)}}`)
    const answer = await ann.call('POST', '/api/files', new Uint8Array(deep), { 'content-type': 'application/json' })
    expect(answer.json.code).toBe('invalid-params')
  })

  it('without a session only the open doors answer', async () => {
    const nobody = new Person(server.url)
    const open =
      /^\/api\/(accounts\/(session|register|activate|activation-code|login|logout|reset-code|reset-password)|share\/|embed\/|hints|plans$|plans\/events\/|coins\/operator\/|health|ready|metrics|operator\/|rt\/|docs\/[^/]+\/(state|updates)|dev\/)/
    // Looking around in the store, and being counted as a visitor.
    const looking = /^\/api\/market\/(apps(\/:id(\/(cover|visit|files\/:file\/state))?)?|tags|authors\/:id|talk\/:sort\/:id|forum(\/:id)?)$/
    for (const { method, path } of routes()) {
      if (open.test(path) || ((method === 'GET' || path.endsWith('/visit')) && looking.test(path))) continue
      const { status, json } = await nobody.call(method, path.replaceAll(/:[a-zA-Z]+/g, fileId), method === 'GET' ? undefined : {})
      // Comments may be read by a link, so what is sent is judged before who sends it.
      if (/\/(threads|comments)\b/.test(path)) expect([400, 401], `${method} ${path}`).toContain(status)
      else expect([status, json.code], `${method} ${path}`).toEqual([401, 'signed-out'])
    }
  })
})
