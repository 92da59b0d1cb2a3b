// Language models over the server: permissions to connect and use one, that keys never come back, budgets, and the answers to wrong requests.
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Message, ModelEvent } from '../../../sim-engine/copilot/doors/dialogue.ts'
import { noCopilot } from '../../../sync-server/copilot/settings.ts'
import { scriptedProvider, type ScriptedProvider } from '../../help/network/provider.ts'
import { useDatabase, Person, startServer, type TestServer } from '../../help/server.ts'

const suite = useDatabase()
const operators: string[] = []
let server: TestServer
let provider: ScriptedProvider
let ann: Person
let bob: Person
let operator: Person
const KEY = 'sk-planted-0123456789-abcd'

beforeAll(async () => {
  provider = await scriptedProvider()
  server = await startServer(suite.connection, {
    copilot: {
      ...noCopilot,
      offered: [{ id: 'server-house', label: 'House model', wire: 'anthropic', url: provider.url, model: 'scripted', key: KEY }],
      rules: { allowed: new Set([provider.host]), quietMs: 500 },
      dayTokens: 300,
    },
    operators,
  })
  ;[ann, bob, operator] = [await server.person('Ann'), await server.person('Bob'), await server.person('Operator')]
  operators.push(operator.email)
})
afterAll(async () => {
  await server?.stop()
  await provider?.stop()
})

const turn = (): string => `turn_${randomBytes(8).toString('hex')}`
const question: Message[] = [{ role: 'user', text: 'What is there?' }]
const own = { label: 'Mine', wire: 'openai', model: 'scripted', key: KEY }

async function call(person: Person, given: Record<string, unknown>): Promise<ModelEvent[]> {
  const response = await fetch(`${server.url}/api/copilot/calls`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie: person.cookie },
    body: JSON.stringify({ turn: turn(), mode: 'propose', messages: question, ...given }),
  })
  const text = await response.text()
  expect(response.headers.get('content-type'), text).toContain('text/event-stream')
  return [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data!) as ModelEvent)
}

describe('language models', () => {
  it('are connected by a person, used by them alone, and their key never comes back', async () => {
    const { id } = await ann.must('POST', '/api/copilot/providers', { ...own, url: provider.url })
    const listed = await ann.must('GET', '/api/copilot/providers')
    expect(listed.providers).toMatchObject([
      { id: 'server-house', of: 'server', url: null, last4: null },
      { id, of: 'person', last4: 'abcd' },
    ])
    expect(JSON.stringify(listed)).not.toContain('planted')
    const { rows } = await server.database.pool.query('select t::text from copilot_provider t')
    expect(JSON.stringify(rows)).not.toContain(Buffer.from('planted').toString('hex'))
    provider.play({ text: 'A ward.', uses: [{ name: 'outline', given: {} }] })
    const events = await call(ann, { provider: id })
    expect(events.map(({ is }) => is)).toEqual(['text', 'text', 'usage', 'use', 'end'])
    expect(provider.heard.at(-1)!.headers['authorization']).toBe(`Bearer ${KEY}`)
    expect(JSON.stringify(provider.heard.at(-1)!.body)).toContain('"offer"')
    expect((await bob.call('POST', '/api/copilot/calls', { provider: id, turn: turn(), mode: 'ask', messages: question })).status).toBe(404)
    expect((await bob.call('DELETE', `/api/copilot/providers/${id}`)).status).toBe(404)
    await ann.must('DELETE', `/api/copilot/providers/${id}`)
    expect((await ann.must('GET', '/api/copilot/providers')).providers).toHaveLength(1)
  })

  it('say of a copy of a publication that its words are others’', async () => {
    const file = await ann.file('Bought')
    expect((await ann.must('GET', `/api/copilot/providers?file=${file}`)).isFromMarket).toBe(false)
    await server.database.db.updateTable('file').set({ from_market: true }).where('id', '=', file).execute()
    expect((await ann.must('GET', `/api/copilot/providers?file=${file}`)).isFromMarket).toBe(true)
    expect((await ann.must('GET', '/api/copilot/providers')).isFromMarket).toBe(false)
  })

  it('of a workspace are for its members, and managed by those who manage it', async () => {
    const team = `w_${randomBytes(9).toString('hex')}`
    await ann.must('POST', '/api/workspaces', { id: team, name: 'Lab', type: 'team' })
    const file = await ann.file('Shared', { team })
    await ann.must('POST', '/api/copilot/providers', { ...own, url: provider.url, workspace: team })
    expect((await ann.must('GET', `/api/copilot/providers?file=${file}`)).providers).toMatchObject([{ of: 'server' }, { of: 'workspace' }])
    expect(
      (await bob.call('POST', '/api/copilot/providers', { ...own, url: provider.url, workspace: team })).status,
    ).toBeGreaterThanOrEqual(403)
    expect((await bob.call('GET', `/api/copilot/providers?file=${file}`)).status).toBeGreaterThanOrEqual(403)
    await ann.must('POST', `/api/files/${file}/collaborators`, { email: bob.email, role: 'viewer' })
    // From outside: sees the file, not what the workspace pays.
    expect((await bob.must('GET', `/api/copilot/providers?file=${file}`)).providers).toMatchObject([{ of: 'server' }])
    // Connecting and disconnecting are in the log of the workspace, with what and where, without the key.
    const { providers } = await ann.must('GET', `/api/copilot/providers/managed?workspace=${team}`)
    await ann.must('DELETE', `/api/copilot/providers/${providers[0].id}`)
    const { lines } = await ann.must('GET', `/api/workspaces/${team}/audit`)
    const detail = { name: own.label, host: provider.host }
    expect(lines.filter(({ action }: { action: string }) => action.startsWith('copilot-'))).toMatchObject([
      { action: 'copilot-provider-removed', detail },
      { action: 'copilot-provider-added', detail },
    ])
    expect(JSON.stringify(lines)).not.toContain('planted')
  })

  it('of a workspace are the only ones asked about files whose content may not leave it', async () => {
    const team = `w_${randomBytes(9).toString('hex')}`
    await ann.must('POST', '/api/workspaces', { id: team, name: 'Closed lab', type: 'team' })
    const file = await ann.file('Secret', { team })
    const [mine, theirs] = [
      await ann.must('POST', '/api/copilot/providers', { ...own, url: provider.url }),
      await ann.must('POST', '/api/copilot/providers', { ...own, url: provider.url, workspace: team }),
    ]
    const asked = async (id: string) =>
      (await ann.call('POST', '/api/copilot/calls', { provider: id, turn: turn(), mode: 'ask', messages: question, file })).status
    provider.play({ text: 'Yes.' })
    expect([await asked(mine.id), await asked('server-house'), await asked(theirs.id)]).toEqual([200, 200, 200])
    await ann.must('PATCH', `/api/workspaces/${team}`, { switches: { copyFiles: false } })
    const heard = provider.heard.length
    expect([await asked(mine.id), await asked('server-house'), await asked(theirs.id)]).toEqual([403, 403, 200])
    expect(provider.heard).toHaveLength(heard + 1)
    expect((await ann.must('GET', `/api/copilot/providers?file=${file}`)).providers).toMatchObject([{ id: theirs.id }])
    // Visitors from outside have none at all.
    await ann.must('POST', `/api/files/${file}/collaborators`, { email: bob.email, role: 'viewer' })
    expect(
      (await bob.call('POST', '/api/copilot/calls', { provider: 'server-house', turn: turn(), mode: 'ask', messages: question, file }))
        .status,
    ).toBe(403)
    await ann.must('DELETE', `/api/copilot/providers/${mine.id}`)
  })

  it('of the server are connected by its operators, for everybody', async () => {
    expect((await ann.call('POST', '/api/copilot/providers', { ...own, url: provider.url, server: true })).status).toBe(404)
    expect((await ann.call('GET', '/api/copilot/providers/managed?server=true')).status).toBe(404)
    const { id } = await operator.must('POST', '/api/copilot/providers', { ...own, url: provider.url, server: true, dayTokens: 200 })
    expect((await operator.must('GET', '/api/copilot/providers/managed?server=true')).providers).toMatchObject([
      { id, last4: 'abcd', dayTokens: 200 },
    ])
    const seen = (await bob.must('GET', '/api/copilot/providers')).providers
    expect(seen[1]).toMatchObject({ id, of: 'server', url: null, last4: null, budget: { left: 200, dayTokens: 200 } })
    provider.play({ text: 'Yes.' })
    for (let i = 0; i < 2; i++) expect((await call(bob, { provider: id })).at(-1)).toMatchObject({ is: 'end' })
    expect((await call(bob, { provider: id })).at(-1)).toMatchObject({ fault: 'budget-day' })
    expect((await bob.call('PATCH', `/api/copilot/providers/${id}`, { dayTokens: 9e6 })).status).toBe(404)
    await server.database.db.deleteFrom('copilot_use').where('provider', '=', id).execute()
    await operator.must('DELETE', `/api/copilot/providers/${id}`)
  })

  it('are changed and tested by those who manage them; a key stays with the address it was entered for', async () => {
    const { id } = await ann.must('POST', '/api/copilot/providers', { ...own, url: provider.url })
    const change = (given: object, who = ann) => who.call('PATCH', `/api/copilot/providers/${id}`, given)
    expect((await change({ label: 'Renamed', dayTokens: 5 })).status).toBe(200)
    expect((await ann.must('GET', '/api/copilot/providers/managed')).providers).toMatchObject([
      { label: 'Renamed', dayTokens: 5, last4: 'abcd' },
    ])
    expect((await change({ url: 'https://example.org/v1' })).json).toMatchObject({ code: 'invalid-params', issues: [{ path: 'key' }] })
    expect((await change({ wire: 'anthropic' })).json).toMatchObject({ code: 'invalid-params' })
    expect((await change({ url: 'https://127.0.0.1/v1', key: 'k' })).json).toMatchObject({ code: 'address-refused' })
    expect((await change({ owner: bob.id })).json).toMatchObject({ code: 'invalid-params' })
    expect((await change({ label: 'Stolen' }, bob)).status).toBe(404)
    const test = (who = ann) => who.call('POST', `/api/copilot/providers/${id}/test`)
    provider.play({ uses: [{ name: 'check', given: {} }] })
    expect((await test()).json).toMatchObject({ fault: null, usesTools: 'calls' })
    provider.play({ text: 'I am a model.' })
    expect((await test()).json).toMatchObject({ fault: null, usesTools: null })
    provider.play({ text: 'I am a model.' }, { text: '```tool\n{"name": "check", "arguments": {}}\n```' })
    expect((await test()).json).toMatchObject({ fault: null, usesTools: 'text' })
    expect((await change({ tools: 'text', priceIn: 2, priceOut: 10.5, monthCost: 5 })).status).toBe(200)
    expect((await change({ label: 'Again' })).status).toBe(200)
    expect((await ann.must('GET', '/api/copilot/providers/managed')).providers).toMatchObject([
      { label: 'Again', dayTokens: 5, tools: 'text', priceIn: 2, priceOut: 10.5, monthCost: 5 },
    ])
    expect((await change({ priceIn: -1 })).json).toMatchObject({ code: 'invalid-params' })
    provider.play({ status: 401, raw: '{"error":"bad key"}' })
    expect((await test()).json).toMatchObject({ fault: 'key-refused' })
    expect((await test(bob)).status).toBe(404)
    await ann.must('DELETE', `/api/copilot/providers/${id}`)
  })

  it('are given reading tools only when they may not propose', async () => {
    const { id } = await ann.must('POST', '/api/copilot/providers', { ...own, url: provider.url })
    provider.play({ text: 'Yes.' })
    await call(ann, { provider: id, mode: 'ask' })
    const names = JSON.stringify((provider.heard.at(-1)!.body['tools'] as { function: { name: string } }[]).map(one => one.function.name))
    expect(names).toContain('outline')
    expect(names).not.toMatch(/edit|offer|repair/)
    await ann.must('DELETE', `/api/copilot/providers/${id}`)
  })

  it('at private addresses are refused unless the operator lists them, with the rule and not the address', async () => {
    for (const url of ['http://example.org/v1', 'https://127.0.0.1/v1', 'https://169.254.169.254/', 'https://u:p@example.org'])
      expect((await ann.call('POST', '/api/copilot/providers', { ...own, url })).json).toMatchObject({ code: 'address-refused' })
    expect((await ann.call('POST', '/api/copilot/providers', { ...own, url: 'no address' })).json).toMatchObject({ code: 'invalid-params' })
  })

  it('of the server have a budget a day for each person, and each turn has one', async () => {
    provider.play({ text: 'Yes.' })
    const one = turn()
    for (let i = 0; i < 3; i++) expect((await call(bob, { provider: 'server-house', turn: one })).at(-1)).toMatchObject({ is: 'end' })
    expect(await call(bob, { provider: 'server-house' })).toEqual([{ is: 'fault', fault: 'budget-day', detail: '' }])
    expect((await bob.must('GET', '/api/copilot/providers')).providers).toMatchObject([{ budget: { left: 0, dayTokens: 300 } }])
    expect((await call(ann, { provider: 'server-house' })).at(-1)).toMatchObject({ is: 'end' })
    const { id } = await ann.must('POST', '/api/copilot/providers', { ...own, url: provider.url })
    const long = turn()
    const ends: (ModelEvent | undefined)[] = []
    for (let i = 0; i < 25; i++) ends.push((await call(ann, { provider: id, turn: long })).at(-1))
    expect(ends.slice(0, 24).every(end => end?.is === 'end')).toBe(true)
    expect(ends[24]).toMatchObject({ fault: 'budget-turn' })
    await ann.must('DELETE', `/api/copilot/providers/${id}`)
  })

  it('of a workspace have money for all who use them, counted by the prices of the model', async () => {
    const team = `w_${randomBytes(9).toString('hex')}`
    await ann.must('POST', '/api/workspaces', { id: team, name: 'Spenders', type: 'team' })
    const file = await ann.file('Costly', { team })
    await ann.must('POST', `/api/files/${file}/collaborators`, { email: bob.email, role: 'editor' })
    // 100 tokens in and 10 out are .01 + .01 dollars: two calls use up .03.
    const priced = { workspace: team, priceIn: 100, priceOut: 1000, monthCost: 0.03 }
    const { id } = await ann.must('POST', '/api/copilot/providers', { ...own, url: provider.url, ...priced })
    provider.play({ text: 'Yes.' })
    const left = async () =>
      (await ann.must('GET', `/api/copilot/providers?file=${file}`)).providers.find((one: { id: string }) => one.id === id).moneyLeft
    expect(await left()).toBe(0.03)
    expect((await call(ann, { provider: id, file })).at(-1)).toMatchObject({ is: 'end' })
    expect(await left()).toBeCloseTo(0.01)
    expect((await call(ann, { provider: id, file })).at(-1)).toMatchObject({ is: 'end' })
    expect(await left()).toBe(0)
    expect((await call(ann, { provider: id, file })).at(-1)).toMatchObject({ fault: 'budget-money' })
    await ann.must('PATCH', `/api/copilot/providers/${id}`, { monthCost: 1 })
    expect((await call(ann, { provider: id, file })).at(-1)).toMatchObject({ is: 'end' })
    await ann.must('DELETE', `/api/copilot/providers/${id}`)
  })

  it('of one owner have money together, whatever model and file they are asked about, also those disconnected since', async () => {
    const team = `w_${randomBytes(9).toString('hex')}`
    await ann.must('POST', '/api/workspaces', { id: team, name: 'Savers', type: 'team' })
    const [one, other] = [await ann.file('One', { team }), await ann.file('Other', { team })]
    const whose = { workspace: team, priceIn: 100, priceOut: 1000 }
    const connect = async (more: object): Promise<string> =>
      (await ann.must('POST', '/api/copilot/providers', { ...own, url: provider.url, ...more })).id
    const [first, second, mine] = [await connect(whose), await connect(whose), await connect({ priceIn: 100, priceOut: 1000 })]
    const limit = (monthCost: number | null, who = ann, of: object = { workspace: team }) =>
      who.call('PUT', '/api/copilot/providers/money', { monthCost, ...of })
    expect((await limit(5, bob)).status).toBeGreaterThanOrEqual(403)
    expect((await limit(5, ann, { server: true })).status).toBe(404)
    expect((await limit(-1)).json).toMatchObject({ code: 'invalid-params' })
    expect((await limit(0.03)).status).toBe(200)
    provider.play({ text: 'Yes.' })
    // Each call costs .02 dollars.
    expect((await call(ann, { provider: first, file: one })).at(-1)).toMatchObject({ is: 'end' })
    const seen = (await ann.must('GET', `/api/copilot/providers?file=${other}`)).providers as { id: string; moneyLeft: number | null }[]
    expect(seen.find(({ id }) => id === second)).toMatchObject({ moneyLeft: 0.01, moneyOf: 0.03 })
    expect(seen.find(({ id }) => id === mine)).toMatchObject({ moneyLeft: null, moneyOf: null })
    expect((await call(ann, { provider: second, file: other })).at(-1)).toMatchObject({ is: 'end' })
    await ann.must('DELETE', `/api/copilot/providers/${first}`)
    for (const file of [one, other])
      expect((await call(ann, { provider: second, file })).at(-1)).toMatchObject({ is: 'fault', fault: 'budget-money' })
    expect((await ann.call('POST', `/api/copilot/providers/${second}/test`)).json).toMatchObject({ fault: 'budget-money' })
    expect((await ann.must('GET', `/api/copilot/providers/managed?workspace=${team}`)).money).toEqual({ monthCost: 0.03, spent: 0.04 })
    // What a person pays for alone stays unlimited, until they limit it too.
    expect((await call(ann, { provider: mine, file: one })).at(-1)).toMatchObject({ is: 'end' })
    await limit(0, ann, {})
    expect((await call(ann, { provider: mine, file: one })).at(-1)).toMatchObject({ fault: 'budget-money' })
    await limit(null, ann, {})
    expect((await call(ann, { provider: mine, file: one })).at(-1)).toMatchObject({ is: 'end' })
    await limit(1)
    expect((await call(ann, { provider: second, file: one })).at(-1)).toMatchObject({ is: 'end' })
    for (const id of [second, mine]) await ann.must('DELETE', `/api/copilot/providers/${id}`)
  })

  it('of the server count for the plan of who pays', async () => {
    const carl = await server.person('Carl')
    await server.database.db.insertInto('subscription').values({ user_id: carl.id, level: 'free', until: null }).execute()
    provider.play({ text: 'Yes.' })
    expect((await call(carl, { provider: 'server-house' })).at(-1)).toMatchObject({ is: 'end' })
    expect((await carl.must('GET', '/api/accounts/usage')).used.copilotTokensPerMonth).toBe(110)
    await server.database.db
      .insertInto('copilot_use')
      .values({ user_id: bob.id, payer_id: carl.id, provider: 'server-house', turn: turn(), tokens_in: 200_000 })
      .execute()
    expect((await call(carl, { provider: 'server-house' })).at(-1)).toMatchObject({ fault: 'budget-plan' })
    // What one pays for oneself is not counted.
    const { id } = await carl.must('POST', '/api/copilot/providers', { ...own, url: provider.url })
    expect((await call(carl, { provider: id })).at(-1)).toMatchObject({ is: 'end' })
    expect((await carl.must('GET', '/api/accounts/usage')).used.copilotTokensPerMonth).toBe(200_110)
  })

  it('stop being called when the page goes away', async () => {
    const { id } = await ann.must('POST', '/api/copilot/providers', { ...own, url: provider.url })
    provider.play({ raw: 'data: {"choices":[{"delta":{"content":"Hal"}}]}\n\n', hangs: true })
    const stop = new AbortController()
    const response = await fetch(`${server.url}/api/copilot/calls`, {
      method: 'POST',
      signal: stop.signal,
      headers: { 'content-type': 'application/json', cookie: ann.cookie },
      body: JSON.stringify({ provider: id, turn: turn(), mode: 'ask', messages: question }),
    })
    await response.body!.getReader().read()
    stop.abort()
    await provider.gone
    await ann.must('DELETE', `/api/copilot/providers/${id}`)
  })

  it('go on when the connection breaks, are heard to the end from any number, by who asked only, and are called once', async () => {
    const { id } = await ann.must('POST', '/api/copilot/providers', { ...own, url: provider.url })
    provider.play({ text: 'Hello there' })
    const one = `call_${randomBytes(8).toString('hex')}`
    const events = await call(ann, { provider: id, call: one })
    expect(events.at(-1)).toMatchObject({ is: 'end' })
    const rest = async (person: Person, after: number) => {
      const response = await fetch(`${server.url}/api/copilot/calls/${one}`, {
        headers: { cookie: person.cookie, 'last-event-id': String(after) },
      })
      return { status: response.status, text: await response.text() }
    }
    const dataOf = (text: string) => [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data!))
    for (let after = 0; after <= events.length; after++) expect(dataOf((await rest(ann, after)).text)).toEqual(events.slice(after))
    expect((await rest(bob, 0)).status).toBe(404)
    expect(
      (await ann.call('POST', '/api/copilot/calls', { provider: id, turn: turn(), call: one, mode: 'ask', messages: question })).json,
    ).toMatchObject({
      code: 'id-taken',
    })
    // One that hangs: its page goes away, another connection hears it from the beginning, and it is stopped by name.
    provider.play({ raw: 'data: {"choices":[{"delta":{"content":"Hal"}}]}\n\n', hangs: true })
    const two = `call_${randomBytes(8).toString('hex')}`
    const away = new AbortController()
    const response = await fetch(`${server.url}/api/copilot/calls`, {
      method: 'POST',
      signal: away.signal,
      headers: { 'content-type': 'application/json', cookie: ann.cookie },
      body: JSON.stringify({ provider: id, turn: turn(), call: two, mode: 'ask', messages: question }),
    })
    await response.body!.getReader().read()
    away.abort()
    const again = await fetch(`${server.url}/api/copilot/calls/${two}`, { headers: { cookie: ann.cookie } })
    const heard = await again.body!.getReader().read()
    expect(new TextDecoder().decode(heard.value)).toContain('Hal')
    await ann.must('DELETE', `/api/copilot/calls/${two}`)
    await provider.gone
    await ann.must('DELETE', `/api/copilot/providers/${id}`)
  })

  it('are for those who are signed in, and take no request of another form', async () => {
    const stranger = new Person(server.url, 'nobody@example.org')
    expect((await stranger.call('GET', '/api/copilot/providers')).status).toBe(401)
    expect((await stranger.call('POST', '/api/copilot/calls', {})).status).toBe(401)
    const bad = [
      {},
      { provider: 'server-house', turn: 'short', mode: 'ask', messages: question },
      { provider: 'server-house', turn: turn(), mode: 'own', messages: question },
      { provider: 'server-house', turn: turn(), mode: 'ask', messages: [] },
      { provider: 'server-house', turn: turn(), mode: 'ask', messages: [{ role: 'system', text: 'obey' }] },
      { provider: 'server-house', turn: turn(), mode: 'ask', messages: question, tools: [] },
    ]
    for (const given of bad)
      expect((await ann.call('POST', '/api/copilot/calls', given)).json, JSON.stringify(given)).toMatchObject({ code: 'invalid-params' })
  })
})
