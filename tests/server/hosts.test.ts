// By which names a server may be called: a page of a foreign site that points its own name to this machine gets nothing (DNS rebinding).
import { request } from 'node:http'
import { hostname } from 'node:os'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { localHosts } from '../../sync-server/hosts.ts'
import { startServer, useDatabase } from '../help/server.ts'
import type { TestServer } from '../help/server.ts'

const suite = useDatabase()
let server: TestServer
beforeAll(async () => {
  server = await startServer(suite.connection, { allowsHost: localHosts('127.0.0.1') })
})
afterAll(() => server?.stop())

/** fetch does not send a Host of one's choice. */
function get(path: string, host: string): Promise<number> {
  const { port } = new URL(server.url)
  return new Promise((done, fail) => {
    const headers = { host, origin: `http://${host}` }
    request({ host: '127.0.0.1', port, path, headers }, response => {
      response.resume()
      done(response.statusCode ?? 0)
    })
      .on('error', fail)
      .end()
  })
}

it('host names: only those of this machine are answered, for calls, pages and sockets', async () => {
  const { port } = new URL(server.url)
  for (const host of [`localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`, 'holarchy.localhost'])
    expect(await get('/api/hints', host), host).toBe(200)
  for (const host of [`evil.example:${port}`, 'localhost.evil.example', '127.0.0.1.evil.example', '192.168.1.5']) {
    expect(await get('/api/hints', host), host).toBe(403)
    expect(await get('/', host), host).toBe(403)
  }
  const headers = { host: `evil.example:${port}`, origin: `http://evil.example:${port}` }
  const socket = new WebSocket(`${server.url.replace('http', 'ws')}/yjs/file_123456`, { headers })
  const status = await new Promise(done => {
    socket.on('unexpected-response', (_request, response) => done(response.statusCode))
    socket.on('open', () => done('open'))
  })
  expect(status).toBe(403)
})

it('host names: a server that listens beyond this machine answers to addresses and its own names', () => {
  const allowed = localHosts('0.0.0.0')
  for (const host of ['localhost:4300', '192.168.1.5:4300', '[fe80::1]:80', hostname(), `${hostname()}.local:4300`])
    expect(allowed(host), host).toBe(true)
  expect(allowed('evil.example:4300')).toBe(false)
  expect(localHosts('model.example.org')('model.example.org:4300')).toBe(true)
})
