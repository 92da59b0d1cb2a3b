// The access to nodes of real chains: permissions, allowed calls, and nodes that hang, lie, throttle, redirect or send too much.
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { nodesBy } from '../../sync-server/chain/nodes.ts'
import { startServer, useDatabase, type Person, type TestServer } from '../help/server.ts'

const suite = useDatabase()
const KEY = 'planted-0123456789-abcdefgh'
let server: TestServer
let node: Server
let [ann, bob]: Person[] = []
let file = ''
/** What the node was sent, and what it does. */
const heard: { url: string; body: string; authorization: string | undefined }[] = []
let answer: RequestListener
/** Milliseconds to the head of an answer. */
const limits = { headMs: 200 }
/** Names that were looked up. */
const looked: string[] = []

const honest: RequestListener = (_request, response) => void response.end('{"jsonrpc":"2.0","id":0,"result":"0x1"}')

beforeAll(async () => {
  node = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      heard.push({ url: request.url ?? '', body: Buffer.concat(parts).toString(), authorization: request.headers.authorization })
      answer(request, response)
    })
  })
  await new Promise<void>(done => void node.listen(0, '127.0.0.1', done))
  const { port } = node.address() as AddressInfo
  const host = `127.0.0.1:${port}`
  server = await startServer(suite.connection, {
    chainNodes: {
      nodes: [
        { name: 'mainnet', chain: 'ethereum', url: `http://${host}/v1/${KEY}`, headers: { authorization: `Bearer ${KEY}` } },
        { name: 'private', chain: 'ethereum', url: 'https://10.0.0.1/', headers: {} },
        { name: 'metadata', chain: 'bsc', url: 'https://169.254.169.254/latest', headers: {} },
        { name: 'inner', chain: 'bsc', url: 'https://inner.example/', headers: {} },
        { name: 'named', chain: 'bsc', url: `http://named.example:${port}/`, headers: {} },
      ],
      rules: {
        allowed: new Set([host, `named.example:${port}`]),
        get headMs() {
          return limits.headMs
        },
        quietMs: 200,
        wholeMs: 1000,
        maxBytes: 10_000,
        resolve: async name => {
          looked.push(name)
          return [
            { address: '93.184.216.34', family: 4 },
            { address: '127.0.0.1', family: 4 },
          ].slice(name === 'named.example' ? 1 : 0)
        },
      },
    },
  })
  ;[ann, bob] = [await server.person('Ann'), await server.person('Bob')]
  file = await ann!.file('Fork')
})
afterAll(async () => {
  await server?.stop()
  node.closeAllConnections()
  await new Promise(done => node.close(done))
})
beforeEach(() => {
  heard.length = 0
  limits.headMs = 200
  answer = honest
})

const chainId = { jsonrpc: '2.0', id: 0, method: 'eth_chainId', params: [] }
const ask = (person: Person, calls: unknown, name = 'mainnet', of = file) =>
  person.call('POST', `/api/chain/nodes/${name}/calls`, { file: of, calls })

describe('who may ask', () => {
  it('those who edit the file; nodes are known by name, their addresses and keys by nobody', async () => {
    expect(await ann!.must('GET', `/api/chain/nodes?file=${file}`)).toEqual({
      nodes: [
        { name: 'mainnet', chain: 'ethereum' },
        { name: 'private', chain: 'ethereum' },
        { name: 'metadata', chain: 'bsc' },
        { name: 'inner', chain: 'bsc' },
        { name: 'named', chain: 'bsc' },
      ],
    })
    const { status, json } = await ask(ann!, chainId)
    expect([status, json]).toEqual([200, { status: 200, text: '{"jsonrpc":"2.0","id":0,"result":"0x1"}', retryAfter: null }])
    expect(heard).toEqual([{ url: `/v1/${KEY}`, body: JSON.stringify(chainId), authorization: `Bearer ${KEY}` }])
  })

  it('not strangers, viewers, people who are not signed in; not of nodes that are not there', async () => {
    expect((await bob!.call('GET', `/api/chain/nodes?file=${file}`)).status).toBe(404)
    expect((await ask(bob!, chainId)).status).toBe(404)
    const team = `w_${randomBytes(9).toString('hex')}`
    await ann!.must('POST', '/api/workspaces', { id: team, name: 'Lab', type: 'team' })
    const shared = await ann!.file('Shared', { team })
    await server.database.db.insertInto('workspace_member').values({ workspace_id: team, user_id: bob!.id, role: 'viewer' }).execute()
    expect((await ask(bob!, chainId, 'mainnet', shared)).json).toMatchObject({ code: 'no-permission' })
    const stranger = await fetch(`${server.url}/api/chain/nodes/mainnet/calls`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ file, calls: chainId }),
    })
    expect(stranger.status).toBe(401)
    expect((await ask(ann!, chainId, 'elsewhere')).status).toBe(404)
    expect(heard).toEqual([])
  })
})

describe('what may be asked', () => {
  const address = `0x${'ab'.repeat(20)}`
  const word = `0x${'01'.repeat(32)}`
  it('reading: each call with its own parameters, alone or together', async () => {
    const calls = [
      chainId,
      { ...chainId, id: 1, method: 'eth_getBlockByNumber', params: ['0x1312d00', false] },
      { ...chainId, id: 2, method: 'eth_getProof', params: [address, [word], '0x1'] },
      { ...chainId, id: 3, method: 'eth_getCode', params: [address, '0x1'] },
      { ...chainId, id: 4, method: 'eth_getStorageAt', params: [address, '0x0', '0x1'] },
    ]
    expect((await ask(ann!, calls)).status).toBe(200)
    expect(heard[0]!.body).toBe(JSON.stringify(calls))
  })

  it.each([
    ['sending', { ...chainId, method: 'eth_sendRawTransaction', params: ['0x'] }],
    ['signing', { ...chainId, method: 'eth_sign', params: [address, '0x'] }],
    ['administering', { ...chainId, method: 'admin_addPeer', params: ['enode://'] }],
    ['other parameters', { ...chainId, method: 'eth_getCode', params: [address, 'latest'] }],
    ['parameters that do not belong there', { ...chainId, params: [{ url: 'http://169.254.169.254/' }] }],
    ['fields that do not belong there', { ...chainId, headers: { host: 'elsewhere' } }],
    ['nothing', []],
    ['more calls than fit', Array.from({ length: 51 }, () => chainId)],
    ['a text', 'eth_chainId'],
  ])('not %s', async (_what, calls) => {
    expect((await ask(ann!, calls)).json).toMatchObject({ code: 'invalid-params' })
    expect(heard).toEqual([])
  })
})

describe('a node that cannot be trusted', () => {
  it.each<[string, RequestListener, RegExp]>([
    ['hangs', () => undefined, /no answer within/],
    ['stops in the middle', (_, response) => void response.writeHead(200).write('{"jsonrpc"'), /nothing more for/],
    ['hangs up', request => void request.socket.destroy(), /ECONNRESET|socket hang up/],
    ['sends more than it may', (_, response) => void response.end('x'.repeat(20_000)), /more than 10000 bytes/],
    ['compresses', (_, response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end('x'), /compressed/],
  ])('that %s: node-failed, with how', async (_what, does, why) => {
    answer = does
    const { status, json } = await ask(ann!, chainId)
    expect([status, json.code]).toEqual([502, 'node-failed'])
    expect(json.message).toMatch(why)
    expect(JSON.stringify(json)).not.toContain(KEY)
  })

  it('that redirects to a private address is not followed', async () => {
    answer = (_, response) => void response.writeHead(307, { location: 'http://169.254.169.254/latest/meta-data' }).end()
    expect((await ask(ann!, chainId)).json).toMatchObject({ code: 'address-refused', message: expect.stringMatching(/redirects/) })
    expect(heard).toHaveLength(1)
  })

  it('that is at a private address, also under a name with a public one beside it, is not called', async () => {
    for (const name of ['private', 'metadata', 'inner'])
      expect((await ask(ann!, chainId, name)).json).toMatchObject({ code: 'address-refused' })
    expect(heard).toEqual([])
  })

  it('is connected to at the address that was looked at: its name is not looked up a second time', async () => {
    looked.length = 0
    expect((await ask(ann!, chainId, 'named')).status).toBe(200)
    expect([looked, heard.length]).toEqual([['named.example'], 1])
  })

  it('that throttles or is broken: its status goes to the page, which waits or says so', async () => {
    answer = (_, response) => void response.writeHead(429, { 'retry-after': '7' }).end('slow down')
    expect((await ask(ann!, chainId)).json).toEqual({ status: 429, text: 'slow down', retryAfter: 7 })
    answer = (_, response) => void response.writeHead(500).end('<script>')
    expect((await ask(ann!, chainId)).json).toEqual({ status: 500, text: '<script>', retryAfter: null })
  })

  it('that hangs holds four requests of a person, not more', async () => {
    limits.headMs = 60_000
    const held: ServerResponse[] = []
    answer = (_, response) => void held.push(response)
    const four = Array.from({ length: 4 }, () => ask(ann!, chainId))
    await vi.waitFor(() => expect(held).toHaveLength(4), { timeout: 30_000 })
    for (let more = 0; more < 2; more++) expect((await ask(ann!, chainId)).json).toMatchObject({ code: 'too-many-requests' })
    for (const response of held) response.end('{}')
    expect((await Promise.all(four)).map(({ status }) => status)).toEqual([200, 200, 200, 200])
    answer = honest
    expect((await ask(ann!, chainId)).status).toBe(200)
  })
})

describe('settings of an operator', () => {
  const folder = mkdtempSync(join(tmpdir(), 'holarchy-nodes-'))
  const path = join(folder, 'nodes.json')
  afterAll(() => rmSync(folder, { recursive: true }))
  const read = (nodes: unknown, variables: Record<string, string> = {}) => {
    writeFileSync(path, JSON.stringify(nodes))
    return nodesBy({ CHAIN_NODES: path, variables }, { allowed: new Set() }).nodes
  }
  it('an address may come from the environment; what is wrong is said', () => {
    const one = { name: 'mainnet', chain: 'ethereum' }
    expect(read([{ ...one, urlFrom: 'NODE' }], { NODE: 'https://node.example/key' })).toEqual([
      { ...one, url: 'https://node.example/key', headers: {} },
    ])
    expect(() => read([{ ...one, urlFrom: 'NODE' }])).toThrow(/CHAIN_NODES: mainnet: NODE holds no address/)
    expect(() => read([one])).toThrow(/either url or urlFrom/)
    const whole = { ...one, url: 'https://node.example/' }
    expect(() => read([whole, whole])).toThrow(/mainnet is there twice/)
    expect(() => read([{ ...whole, name: 'Main net' }])).toThrow(/CHAIN_NODES: 0.name/)
    expect(nodesBy({ variables: {} }, { allowed: new Set() }).nodes).toEqual([])
  })
})
