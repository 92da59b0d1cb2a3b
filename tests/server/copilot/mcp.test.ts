// The Model Context Protocol over HTTP, with the protocol's own client: what a token reaches, that it acts as its person and no further, and the
// answers to wrong requests.
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { accept, proposalsOf } from '../../../model-schema/proposals.ts'
import { modelOf, newDocument } from '../../../model-schema/document.ts'
import { documentFrom, contentOf } from '../../../model-schema/proposals.ts'
import { toolNames } from '../../../sim-engine/copilot/doors/tools.ts'
import { useDatabase, startServer, type Person, type TestServer } from '../../help/server.ts'

const suite = useDatabase()
let server: TestServer
let ann: Person
let bob: Person
let model = ''
const clients: Client[] = []

beforeAll(async () => {
  server = await startServer(suite.connection)
  ;[ann, bob] = [await server.person('Ann'), await server.person('Bob')]
  model = await modelOfAnn('Ward')
})
afterAll(async () => {
  for (const client of clients) await client.close()
  await server?.stop()
})

/** A model file of Ann's with its first scenario. */
async function modelOfAnn(name: string, more: Record<string, unknown> = {}): Promise<string> {
  const id = await ann.file(name, more)
  const state = await fetch(`${server.url}/api/docs/${id}/state`, { headers: { cookie: ann.cookie } })
  await ann.must('POST', `/api/docs/${id}/updates`, contentOf(newDocument()), { 'x-epoch': state.headers.get('x-epoch') ?? '' })
  return id
}

async function documentNow(id: string) {
  const state = await fetch(`${server.url}/api/docs/${id}/state`, { headers: { cookie: ann.cookie } })
  return documentFrom(new Uint8Array(await state.arrayBuffer()))
}

const tokenOf = async (person: Person, more: Record<string, unknown> = {}): Promise<{ id: string; token: string }> =>
  person.must('POST', '/api/copilot/tokens', { label: 'Desk', scope: 'propose', days: 30, ...more })

async function clientWith(token: string): Promise<Client> {
  const client = new Client({ name: 'Test client', version: '1.0.0' })
  clients.push(client)
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), { requestInit: { headers: { authorization: `Bearer ${token}` } } }),
  )
  return client
}

async function call(client: Client, name: string, given: Record<string, unknown> = {}): Promise<{ text: string; failed: boolean }> {
  const result = await client.callTool({ name, arguments: given })
  const [content] = result.content as { type: string; text: string }[]
  return { text: content?.text ?? '', failed: result.isError === true }
}

const place = (parent: string, name: string) => ({ calls: [{ do: 'place', kind: 'variable', parent, values: { name, initial: '1' } }] })

describe('mcp over HTTP', () => {
  it('lists the tools and files, reads, runs, and proposes what a person then accepts', async () => {
    const client = await clientWith((await tokenOf(ann)).token)
    expect((await client.listTools()).tools.map(({ name }) => name).toSorted()).toEqual(
      ['files', ...toolNames.filter(one => one !== 'ask')].toSorted(),
    )
    expect(JSON.parse((await call(client, 'files')).text)).toEqual({ files: [{ id: model, title: 'Ward' }] })
    const outline = JSON.parse((await call(client, 'outline')).text) as { lines: string[] }
    const scenario = outline.lines[0]!.split(' ')[0]!
    const ran = await call(client, 'run', { file: model, ticks: 20, seed: 3 })
    expect(JSON.parse(ran.text)).toMatchObject({ seed: 3, ticks: 20 })
    expect(await call(client, 'edit', place(scenario, 'patience'))).toMatchObject({ failed: false })
    expect((await call(client, 'find', { text: 'patience' })).text).toContain('variable')
    expect((await documentNow(model)) && proposalsOf(await documentNow(model))).toEqual([])
    expect(await call(client, 'offer', { title: 'Patience', why: 'Asked for.' })).toMatchObject({ failed: false })
    const doc = await documentNow(model)
    const [proposal] = proposalsOf(doc)
    expect(proposal).toMatchObject({ title: 'Patience', by: { kind: 'client', name: expect.stringContaining('Desk (Ann') } })
    expect([...modelOf(doc).elements.values()].filter(({ kind }) => kind === 'variable')).toEqual([])
    accept(
      doc,
      proposal!,
      proposal!.deltas.map(({ id }) => id),
    )
    expect([...modelOf(doc).elements.values()].filter(({ kind }) => kind === 'variable')).toHaveLength(1)
    // Offering again amends the open proposal.
    await call(client, 'edit', place(scenario, 'hurry'))
    expect(await call(client, 'offer', { title: 'Both', why: '' })).toMatchObject({ failed: false })
    expect(proposalsOf(await documentNow(model)).map(({ title, deltas }) => [title, deltas.length])).toEqual([['Both', 2]])
    expect(JSON.stringify(await client.listResources())).toContain(model)
    // What it wrote, and the tokens themselves, are in the audit log; edits of a fork write nothing.
    const { lines } = (await ann.must('GET', '/api/accounts/audit')) as {
      lines: { action: string; fileId: string | null; detail: object }[]
    }
    const wrote = lines.filter(({ action }) => action === 'proposal-offered')
    expect(wrote).toMatchObject(['Both', 'Patience'].map(name => ({ fileId: model, detail: { by: 'Desk', name } })))
    expect(lines.find(({ action }) => action === 'token-made')).toMatchObject({ detail: { name: 'Desk', scope: 'propose' } })
  })

  it('drafts files about a model that only a person makes, and changes of those the token reaches', async () => {
    const file = await modelOfAnn('Drafted about')
    const before = (await ann.must('GET', '/api/files')).files.length
    const client = await clientWith((await tokenOf(ann)).token)
    const study = {
      file,
      name: 'Study',
      calls: [{ do: 'place', kind: 'response', parent: 'root', values: { name: 'one', expression: '1' } }],
    }
    // The file that is worked on is named by "file", and so is the one that is to change: by "of".
    expect(await call(client, 'experiment_file', study)).toMatchObject({ failed: false })
    expect(
      await call(client, 'dashboard', { file, name: 'Board', calls: [{ do: 'set', id: 'run', field: 'modelFile', value: model }] }),
    ).toMatchObject({
      failed: true,
      text: expect.stringContaining('not set by tools'),
    })
    expect(await call(client, 'offer', { file, title: 'A study', why: '' })).toMatchObject({
      failed: false,
      text: expect.stringContaining('Study'),
    })
    const [proposal] = proposalsOf(await documentNow(file))
    expect(proposal).toMatchObject({ deltas: [], files: [{ kind: 'experiment', name: 'Study', content: { is: 'new' } }] })
    expect((await ann.must('GET', '/api/files')).files).toHaveLength(before)
    // One that a person has made is listed and changed by what differs.
    const made = await ann.file('Study', { kind: 'experiment' })
    const state = await fetch(`${server.url}/api/docs/${made}/state`, { headers: { cookie: ann.cookie } })
    await ann.must('POST', `/api/docs/${made}/updates`, contentOf(newDocument('Study', 'experiment')), {
      'x-epoch': state.headers.get('x-epoch') ?? '',
    })
    await ann.must('PUT', `/api/files/${made}/model`, { model: file })
    expect(JSON.parse((await call(client, 'experiment_file', { file })).text)).toMatchObject({ name: 'Study' })
    const other = await clientWith((await tokenOf(ann)).token)
    expect(JSON.parse((await call(other, 'experiment_file', { file })).text)).toEqual({ files: [{ id: made, name: 'Study' }] })
    const root = JSON.parse((await call(other, 'experiment_file', { file, of: made })).text) as { holds: { id: string }[] }
    const at = root.holds[0]!.id
    expect(
      await call(other, 'experiment_file', {
        file,
        of: made,
        calls: [
          { do: 'set', id: at, field: 'seed', value: 9 },
          { do: 'place', kind: 'response', parent: at, values: { name: 'one', expression: '1' } },
        ],
      }),
    ).toMatchObject({ failed: false })
    expect(await call(other, 'offer', { file, title: 'Another seed', why: '' })).toMatchObject({ text: expect.stringContaining('Study') })
    expect(proposalsOf(await documentNow(file)).at(-1)).toMatchObject({ files: [{ content: { is: 'change', of: made } }] })
    // A token for this model alone does not reach the experiment.
    const narrow = await clientWith((await tokenOf(ann, { files: [file] })).token)
    expect(JSON.parse((await call(narrow, 'experiment_file', { file })).text)).toEqual({ files: [] })
    const reader = await clientWith((await tokenOf(ann, { scope: 'read' })).token)
    expect(await call(reader, 'chart', { file })).toMatchObject({ failed: true, text: expect.stringContaining('may only read') })
  })

  it('tells of the progress of runs, and stops a call that is cancelled', async () => {
    const client = await clientWith((await tokenOf(ann)).token)
    const shares: number[] = []
    const stop = new AbortController()
    const runs = { name: 'replicate', arguments: { file: model, runs: 50, ticks: 10_000 } }
    await client.callTool({ ...runs, arguments: { file: model, runs: 5, ticks: 30 } }, undefined, {
      onprogress: ({ progress }) => void shares.push(progress),
    })
    expect(shares.length).toBeGreaterThan(0)
    expect(shares.every(share => share > 0 && share <= 1)).toBe(true)
    const cancelled = client.callTool(runs, undefined, { signal: stop.signal, onprogress: () => stop.abort('enough'), timeout: 200_000 })
    await expect(cancelled).rejects.toThrow(/enough/)
    expect(await call(client, 'outline', { file: model, depth: 1 })).toMatchObject({ failed: false })
  })

  it('gives runs again as resources, compares and traces', async () => {
    const client = await clientWith((await tokenOf(ann, { scope: 'read' })).token)
    const ran = await call(client, 'run', { file: model, ticks: 10, seed: 2 })
    const { result } = JSON.parse(ran.text) as { result: number }
    const { contents } = await client.readResource({ uri: `holarchy://file/${model}/run/${result}` })
    expect(contents).toMatchObject([{ text: ran.text }])
    await expect(client.readResource({ uri: `holarchy://file/${model}/run/77` })).rejects.toThrow(/no result 77/)
    expect(await call(client, 'compare', { file: model, a: 'fork', b: 'document', runs: 2, ticks: 10 })).toMatchObject({ failed: false })
    expect(await call(client, 'trace', { file: model, element: 'nobody' })).toMatchObject({
      failed: true,
      text: expect.stringContaining('no element'),
    })
    // Another token has a session of its own.
    const other = await clientWith((await tokenOf(ann)).token)
    await expect(other.readResource({ uri: `holarchy://file/${model}/run/${result}` })).rejects.toThrow(/no result/)
  })

  it('stops a call whose client goes away', async () => {
    const { token } = await tokenOf(ann)
    const client = await clientWith(token)
    expect(await call(client, 'pattern', { file: model, id: 'life' })).toMatchObject({ failed: false })
    const leave = new AbortController()
    const runs = { name: 'replicate', arguments: { file: model, runs: 50, ticks: 10_000 }, _meta: { progressToken: 1 } }
    const response = await fetch(`${server.url}/mcp`, {
      method: 'POST',
      signal: leave.signal,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        authorization: `Bearer ${token}`,
        'mcp-protocol-version': '2025-06-18',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: runs }),
    })
    const reader = response.body!.getReader()
    const first = new TextDecoder().decode((await reader.read()).value)
    expect(first).toContain('notifications/progress')
    leave.abort()
    // One token has one thread: what is asked next waits for it. The runs were stopped: they gave no result. They were not ended by the limit of time,
    // which would have taken the fork with them.
    expect((await call(client, 'outline', { file: model })).text).toContain('Generation')
    await expect(client.readResource({ uri: `holarchy://file/${model}/run/1` })).rejects.toThrow(/no result 1\. There are: none/)
  })

  it('reaches only the files and workspaces that the token names, and never those of others', async () => {
    const team = `w_${randomBytes(9).toString('hex')}`
    await ann.must('POST', '/api/workspaces', { id: team, name: 'Lab', type: 'team' })
    const inLab = await modelOfAnn('In the lab', { team })
    const files = async (client: Client) =>
      (JSON.parse((await call(client, 'files')).text) as { files: { id: string }[] }).files.map(({ id }) => id)
    const one = await clientWith((await tokenOf(ann, { files: [model] })).token)
    expect(await files(one)).toEqual([model])
    expect(await call(one, 'outline', { file: inLab })).toMatchObject({ failed: true, text: expect.stringContaining('no such file') })
    const lab = await clientWith((await tokenOf(ann, { workspaces: [team] })).token)
    expect(await files(lab)).toEqual([inLab])
    const bobs = await clientWith((await tokenOf(bob, { files: [model] })).token)
    expect(await files(bobs)).toEqual([])
    expect(await call(bobs, 'outline', { file: model })).toMatchObject({ failed: true, text: expect.stringContaining('no such file') })
    // A viewer may read and not offer; where the workspace lets nothing leave, not even read.
    await ann.must('POST', `/api/files/${inLab}/collaborators`, { email: bob.email, role: 'viewer' })
    const viewer = await clientWith((await tokenOf(bob)).token)
    const outline = JSON.parse((await call(viewer, 'outline', { file: inLab })).text) as { lines: string[] }
    await call(viewer, 'edit', { file: inLab, ...place(outline.lines[0]!.split(' ')[0]!, 'x') })
    expect(await call(viewer, 'offer', { file: inLab, title: 'X', why: '' })).toMatchObject({
      failed: true,
      text: expect.stringContaining('may not change'),
    })
    expect(proposalsOf(await documentNow(inLab))).toEqual([])
    await ann.must('PATCH', `/api/workspaces/${team}`, { switches: { copyFiles: false } })
    expect(await call(viewer, 'outline', { file: inLab })).toMatchObject({ failed: true, text: expect.stringContaining('leave') })
  })

  it('changes nothing with a token that only reads, and ends with the token', async () => {
    const { id, token } = await tokenOf(ann, { scope: 'read' })
    const client = await clientWith(token)
    expect(await call(client, 'outline', { file: model })).toMatchObject({ failed: false })
    for (const [name, given] of [
      ['edit', place('x', 'y')],
      ['repair', {}],
      ['offer', { title: 'X', why: '' }],
    ] as const)
      expect(await call(client, name, { file: model, ...given }), name).toMatchObject({
        failed: true,
        text: expect.stringContaining('only read'),
      })
    expect((await bob.call('DELETE', `/api/copilot/tokens/${id}`)).status).toBe(404)
    await ann.must('DELETE', `/api/copilot/tokens/${id}`)
    await expect(call(client, 'files')).rejects.toThrow(/401|token/i)
    const { token: old, id: oldId } = await tokenOf(ann)
    await server.database.db
      .updateTable('token')
      .set({ expires_at: new Date(0) })
      .where('id', '=', oldId)
      .execute()
    await expect(clientWith(old)).rejects.toThrow(/401|token/i)
  })

  it('refuses strangers, other methods, foreign pages, and bodies without an end', async () => {
    const { token } = await tokenOf(ann)
    const post = (headers: Record<string, string>, body: string) =>
      fetch(`${server.url}/mcp`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
        body,
      })
    const list = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
    const authorization = `Bearer ${token}`
    expect((await post({}, list)).status).toBe(401)
    expect((await post({ authorization: 'Bearer hol_none' }, list)).status).toBe(401)
    // A session of the browser is no token.
    expect((await post({ cookie: ann.cookie }, list)).status).toBe(401)
    expect((await post({ authorization }, list)).status).toBe(200)
    expect((await post({ authorization, origin: 'https://evil.example' }, list)).status).toBe(403)
    expect((await post({ authorization }, '{"jsonrpc":')).status).toBe(400)
    expect((await post({ authorization }, `"${'x'.repeat(600_000)}"`)).status).toBe(413)
    expect((await fetch(`${server.url}/mcp`, { headers: { authorization } })).status).toBe(405)
  })

  it('keeps tokens as hashes, shows them once, and takes no wrong ones', async () => {
    const { token } = await tokenOf(bob)
    const { rows } = await server.database.pool.query('select t::text from token t')
    expect(JSON.stringify(rows)).not.toContain(token.slice(4))
    expect(JSON.stringify(await bob.must('GET', '/api/copilot/tokens'))).not.toContain(token.slice(4))
    const bad = [
      {},
      { label: 'x', scope: 'all', days: 1 },
      { label: 'x', scope: 'read', days: 4000 },
      { label: '', scope: 'read', days: 1 },
    ]
    for (const given of bad) expect((await bob.call('POST', '/api/copilot/tokens', given)).json).toMatchObject({ code: 'invalid-params' })
  })

  it('lets one token make so many requests, and no more', async () => {
    const { token } = await tokenOf(ann)
    const ping = async (id: number): Promise<number> => {
      const headers = {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        authorization: `Bearer ${token}`,
      }
      const body = JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' })
      return (await fetch(`${server.url}/mcp`, { method: 'POST', headers, body })).status
    }
    const first = await Promise.all(Array.from({ length: 60 }, (_, id) => ping(id)))
    expect(new Set(first)).toEqual(new Set([200]))
    // Five a second come back meanwhile: so many at once are more, on a slow machine too.
    const more = await Promise.all(Array.from({ length: 240 }, (_, id) => ping(100 + id)))
    expect(more).toContain(429)
  })

  // The last: a client that tries tokens out waits, whatever comes from that address.
  it('lets nobody try tokens out', async () => {
    const { token } = await tokenOf(ann)
    const asked = async (said: string): Promise<number> =>
      (await fetch(`${server.url}/mcp`, { method: 'POST', headers: { authorization: `Bearer ${said}` }, body: '{}' })).status
    const statuses: number[] = []
    for (let i = 0; i < 24; i++) statuses.push(await asked(`hol_wrong${i}`))
    expect(statuses[0]).toBe(401)
    expect(new Set(statuses)).toEqual(new Set([401, 429]))
    expect(statuses.at(-1)).toBe(429)
    expect(await asked(token)).toBe(429)
  })
})
