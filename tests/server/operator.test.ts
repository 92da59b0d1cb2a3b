// What whoever runs the server sees of it, and that nobody else does.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TEST_SECRET, startServer, useDatabase } from '../help/server.ts'
import type { TestServer } from '../help/server.ts'

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
