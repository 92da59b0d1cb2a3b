// The formats of language models and the guard of outgoing requests, against a scripted server: what is right arrives whole however it is cut, and what is
// wrong is a fault with a name.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { definitionsOf } from '../../sim-engine/copilot/doors/tools.ts'
import { converse, shortened, TURN, type Message, type ModelEvent, type TurnEvent } from '../../sim-engine/copilot/doors/dialogue.ts'
import { isPublicAddress, post, refusalOf, type OutboundRules } from '../../sim-engine/outbound.ts'
import { usesInText } from '../../sync-server/copilot/text-tools.ts'
import { sealed, unsealed } from '../../sync-server/copilot/keys.ts'
import { callModel, eventsOf, wires, type Wire } from '../../sync-server/copilot/wires.ts'
import { scriptedProvider, type Played, type ScriptedProvider } from '../help/network/provider.ts'

let provider: ScriptedProvider
let rules: OutboundRules
beforeAll(async () => {
  provider = await scriptedProvider()
  rules = { allowed: new Set([provider.host]), headMs: 2000, quietMs: 300, maxBytes: 200_000 }
})
afterAll(() => provider?.stop())

const question: Message[] = [{ role: 'user', text: 'What is there?' }]
const asked = (signal = new AbortController().signal, messages: readonly Message[] = question) => ({
  system: 'You are tested.',
  messages,
  tools: definitionsOf(['outline', 'check']),
  answerTokens: 100,
  signal,
})
const endpoint = (wire: Wire) => ({ wire, url: provider.url, model: 'scripted', key: 'sk-secret-1234567890' })

async function all(wire: Wire, signal?: AbortSignal, messages?: readonly Message[]): Promise<ModelEvent[]> {
  const events: ModelEvent[] = []
  for await (const event of callModel(endpoint(wire), asked(signal, messages), rules)) events.push(event)
  return events
}
const textOf = (events: readonly ModelEvent[]): string => events.map(event => (event.is === 'text' ? event.text : '')).join('')

describe.each(wires)('wire %s', wire => {
  it('gives text, tools with whole arguments, and what was used', async () => {
    provider.play({
      text: 'Let me look.',
      uses: [
        { name: 'outline', given: { depth: 2 } },
        { name: 'check', given: {} },
      ],
    })
    const events = await all(wire)
    expect(textOf(events)).toBe('Let me look.')
    expect(events.filter(({ is }) => is === 'use')).toMatchObject([
      { use: { name: 'outline', given: '{"depth":2}' } },
      { use: { name: 'check', given: '{}' } },
    ])
    expect(events.at(-1)).toEqual({ is: 'end', why: 'tools' })
    expect(events).toContainEqual(expect.objectContaining({ is: 'usage', tokensOut: 10 }))
    expect(JSON.stringify(provider.heard.at(-1)!.headers)).toContain('sk-secret')
    expect(provider.heard.at(-1)!.body).toMatchObject({ model: 'scripted', stream: true, tools: [expect.anything(), expect.anything()] })
  })

  it('sends calls and results back in its own form', async () => {
    provider.play({ text: 'Done.' })
    await all(wire, undefined, [
      ...question,
      { role: 'assistant', text: '', calls: [{ id: 'a', name: 'outline', given: '{}' }] },
      { role: 'tools', results: [{ id: 'a', text: 'nothing', failed: false }] },
    ])
    expect(JSON.stringify(provider.heard.at(-1)!.body['messages'])).toMatch(/"(tool_call_id|tool_use_id)":"a"/)
  })

  it.each([
    [401, 'key-refused'],
    [404, 'model-unknown'],
    [429, 'busy'],
    [500, 'unreachable'],
  ] as const)('says %i as %s, without the key', async (status, fault) => {
    provider.play({ status, raw: '{"error": "no: sk-secret-1234567890"}' })
    const events = await all(wire)
    expect(events).toMatchObject([{ is: 'fault', fault }])
    expect(JSON.stringify(events)).not.toContain('sk-secret')
  })

  it.each([
    ['not JSON', 'data: {"choices": [\n\n', 'malformed'],
    ['HTML', '<html>hello</html>', 'malformed'],
    ['an end in the middle', 'data: {"choices": [{"delta": {"content": "Hal"}}]}\n\n', 'malformed'],
    ['an error event', 'data: {"type": "error", "error": {"message": "overloaded"}}\n\n', 'malformed'],
    ['an endless line', `data: ${'x'.repeat(150_000)}`, 'malformed'],
    ['an endless stream', `: wait\n\n${'data: {"type":"ping"}\n\n'.repeat(20_000)}`, 'too-long'],
  ])('refuses %s', async (_, raw, fault) => {
    provider.play({ raw })
    expect((await all(wire)).at(-1)).toMatchObject({ is: 'fault', fault })
  })

  it('says which bound it was, however well the rest of the stream is made', async () => {
    const end = 'data: {"choices": [{"delta": {"content": "Hi"}, "finish_reason": "stop"}]}\n\ndata: [DONE]\n\n'
    const stop = 'data: {"type":"message_delta","delta":{"stop_reason":"end_turn"}}\n\ndata: {"type":"message_stop"}\n\n'
    const found = async (played: Played, more: Partial<OutboundRules> = {}): Promise<unknown> => {
      provider.play(played)
      const events: ModelEvent[] = []
      for await (const event of callModel(endpoint(wire), asked(), { ...rules, ...more })) events.push(event)
      const last = events.at(-1)
      return last?.is === 'fault' ? `${last.fault}: ${last.detail}` : last?.is
    }
    const whole = wire === 'openai' ? end : stop
    expect(await found({ raw: whole })).toBe('end')
    expect(await found({ raw: whole, headers: { 'content-type': 'text/html' } })).toBe('malformed: the answer is no stream of events')
    expect(await found({ raw: `data: {"choices": [\n\n${whole}` })).toMatch(/^malformed: an event that is not JSON/)
    expect(await found({ raw: `data: 1\n\n${whole}` })).toMatch(/^malformed: an event that is not JSON/)
    const wide = { maxBytes: 8 << 20 }
    expect(await found({ uses: [{ name: 'outline', given: 'x'.repeat(400_000) }] }, wide)).toMatch(/^malformed: arguments of a tool/)
    expect(await found({ uses: Array.from({ length: 40 }, () => ({ name: 'outline', given: {} })) }, wide)).toMatch(
      /^malformed: too many tools/,
    )
    expect(await found({ raw: `${'data: {"type":"ping"}\n\n'.repeat(20_000)}${whole}` })).toMatch(/^too-long: more than/)
  })

  it('gives up when nothing more comes, and when it is stopped', async () => {
    provider.play({ raw: ': hello\n\n', hangs: true })
    expect((await all(wire)).at(-1)).toMatchObject({ is: 'fault', fault: 'unreachable', detail: expect.stringContaining('nothing more') })
    const stop = new AbortController()
    const going = all(wire, stop.signal)
    stop.abort()
    expect((await going).at(-1)).toMatchObject({ is: 'fault', fault: 'unreachable' })
  })
})

describe('a model without calls of tools', () => {
  const text = (given: string): ModelEvent[] => [
    ...[...given].map((one): ModelEvent => ({ is: 'text', text: one })),
    { is: 'end', why: 'answer' },
  ]
  async function read(events: readonly ModelEvent[]) {
    const found: ModelEvent[] = []
    const stream = async function* () {
      yield* events
    }
    for await (const event of usesInText(stream())) found.push(event)
    return { said: textOf(found), uses: found.flatMap(one => (one.is === 'use' ? [one.use] : [])), end: found.at(-1) }
  }
  const call = '{"name": "outline", "arguments": {"depth": 2}}'

  it.each([
    ['a block', `I look.\n\`\`\`tool\n${call}\n\`\`\``, 'I look.\n', '{"depth":2}'],
    ['a block of JSON', `\`\`\`json\n${call}\n\`\`\`\nResult: I made this up`, '', '{"depth":2}'],
    ['JSON alone', ` ${call}`, '', '{"depth":2}'],
    ['a block that is not closed', `So:\n\`\`\`tool\n${call}`, 'So:\n', '{"depth":2}'],
    ['commas too many and brackets too few', '```tool\n{"name": "outline", "arguments": {"depth": 2,}\n```', '', '{"depth":2}'],
    ['typographic quotes', '```tool\n{“name”: “outline”, “args”: {“depth”: 2}}\n```', '', '{"depth":2}'],
    ['arguments beside the name', '```tool\n{"tool": "outline", "depth": 2}\n```', '', '{"depth":2}'],
    ['the form of calls', '```tool\n{"function": {"name": "outline", "arguments": "{\\"depth\\":2}"}}\n```', '', '{"depth":2}'],
  ])('uses a tool by %s', async (_, given, said, taken) => {
    expect(await read(text(given))).toEqual({
      said,
      uses: [{ id: 'text', name: 'outline', given: taken }],
      end: { is: 'end', why: 'tools' },
    })
  })

  it.each([
    ['an answer', 'There are two nurses, `a` and ``b``.'],
    ['an example of code', 'Write\n```\nx = {"a": 1}\n```\nor\n```json\n{"name": "Ward"}\n```\nthen.'],
    ['JSON that is the answer', '{"nurses": 2}'],
  ])('says %s as it is', async (_, given) => {
    expect(await read(text(given))).toEqual({ said: given, uses: [], end: { is: 'end', why: 'answer' } })
  })

  it('is told when a block cannot be read, and given up after three', async () => {
    expect((await read(text('```tool\noutline(depth=2)\n```'))).uses).toEqual([
      { id: 'text', name: 'unreadable', given: 'outline(depth=2)' },
    ])
    let calls = 0
    const going = converse({
      messages: question,
      signal: new AbortController().signal,
      use: async () => ({ ok: true, text: '' }),
      call: async function* (messages) {
        calls++
        if (calls > 1) expect(JSON.stringify(messages.at(-1))).toContain('could not be read')
        yield { is: 'use', use: { id: 'text', name: 'unreadable', given: String(calls) } }
        yield { is: 'end', why: 'tools' }
      },
    })
    const events: TurnEvent[] = []
    for await (const event of going) events.push(event)
    expect(events.at(-1)).toMatchObject({ is: 'end', why: 'no-tools' })
    expect(calls).toBe(3)
  })

  it.each(wires)('is told of the tools, and what came of them, in %s', async wire => {
    provider.play({ text: `I look.\n\`\`\`tool\n${call}\n\`\`\`` })
    const talk: Message[] = [
      ...question,
      { role: 'assistant', text: 'First', calls: [{ id: 'a', name: 'check', given: '{}' }] },
      { role: 'tools', results: [{ id: 'a', text: '{"problems":[]}', failed: false }] },
      { role: 'user', text: 'And now?' },
    ]
    const events: ModelEvent[] = []
    for await (const event of callModel({ ...endpoint(wire), tools: 'text' }, asked(undefined, talk), rules)) events.push(event)
    expect(textOf(events)).toBe('I look.\n')
    expect(events).toContainEqual({ is: 'use', use: { id: 'text', name: 'outline', given: '{"depth":2}' } })
    const { body } = provider.heard.at(-1)!
    expect(body).not.toHaveProperty('tools')
    const sent = JSON.stringify(body)
    for (const part of ['check: ', 'Result of the tool', 'And now?']) expect(sent).toContain(part)
    const roles = (body['messages'] as { role: string }[]).map(({ role }) => role).filter(role => role !== 'system')
    expect(roles).toEqual(['user', 'assistant', 'user'])
  })

  it('is found out by what its server answers', async () => {
    provider.play(
      { status: 400, raw: '{"error": "registry.ollama.ai/library/small does not support tools"}' },
      { text: `\`\`\`tool\n${call}\n\`\`\`` },
    )
    expect(await all('openai')).toContainEqual({ is: 'use', use: { id: 'text', name: 'outline', given: '{"depth":2}' } })
    expect(provider.heard.at(-1)!.body).not.toHaveProperty('tools')
  })
})

it('a stream means the same wherever it is cut, with any ends of lines', async () => {
  const text = ['data: {"a":"é"}', '', ': comment', 'event: x', 'data: {"b":', 'data: 2}', '', 'data: [DONE]', '', ''].join('\r\n')
  const bytes = new TextEncoder().encode(text)
  for (const whole of [
    bytes,
    new TextEncoder().encode(text.replaceAll('\r\n', '\n')),
    new TextEncoder().encode(text.replaceAll('\r\n', '\r')),
  ])
    for (let at = 0; at <= whole.length; at++) {
      const found: unknown[] = []
      const pieces = async function* () {
        yield whole.subarray(0, at)
        yield whole.subarray(at)
      }
      for await (const event of eventsOf(pieces())) found.push(event)
      expect(found, `cut at ${at}`).toEqual([{ a: 'é' }, { b: 2 }])
    }
})

it('a line without an end is given up at a megabyte, not when all of it is there', async () => {
  let read = 0
  async function* pieces() {
    for (; read < 64; read++) yield new TextEncoder().encode((read === 0 ? 'data: ' : '') + 'x'.repeat(1 << 16))
  }
  const reading = (async () => {
    for await (const _ of eventsOf(pieces()));
  })()
  await expect(reading).rejects.toThrow(/line without an end/)
  expect(read).toBeLessThan(20)
})

describe('outgoing requests', () => {
  const open: OutboundRules = { allowed: new Set() }
  const closed = [
    'http://example.org',
    'ftp://example.org',
    'https://user:pass@example.org',
    'https://example.org:8443',
    'https://127.0.0.1',
    'https://2130706433',
    'https://0x7f.1',
    'https://0177.0.0.1',
    'https://[::1]',
    'https://[::ffff:127.0.0.1]',
    'https://[64:ff9b::7f00:1]',
    'https://[fe80::1]',
    'https://[fd00::1]',
    'https://10.1.2.3',
    'https://172.20.0.1',
    'https://192.168.1.1',
    'https://169.254.169.254/latest/meta-data',
    'https://100.64.0.1',
    'https://0.0.0.0',
    'https://224.0.0.1',
    'file:///etc/passwd',
    'nonsense',
  ]

  it('go to no private address, however it is written', () => {
    expect(closed.filter(url => refusalOf(url, open) === null)).toEqual([])
    for (const url of ['https://example.org', 'https://api.example.org/v1', 'https://8.8.8.8', 'https://[2606:4700::1111]'])
      expect(refusalOf(url, open)).toBeNull()
    expect(isPublicAddress('nonsense')).toBe(false)
  })

  it('go to no name that leads to a private address, the first time or later', async () => {
    const answers = ['93.184.216.34', '127.0.0.1']
    const sent = { headers: {}, body: '{}', signal: AbortSignal.timeout(1000) }
    const found = (address: string): OutboundRules => ({ allowed: new Set(), resolve: async () => [{ address, family: 4 }], headMs: 200 })
    await expect(post('https://rebind.example/v1', sent, found(answers[1]!))).rejects.toThrow(/private address/)
    const mixed: OutboundRules = { allowed: new Set(), resolve: async () => answers.map(address => ({ address, family: 4 })) }
    await expect(post('https://rebind.example/v1', sent, mixed)).rejects.toThrow(/private address/)
    // Resolved once: the address that was checked is the one connected to. Stopped before it connects.
    let times = 0
    const once: OutboundRules = { ...found(answers[0]!), resolve: async () => [{ address: answers[times++ % 2]!, family: 4 }] }
    await expect(post('https://rebind.example:443/v1', { ...sent, signal: AbortSignal.abort() }, once)).rejects.toThrow()
    expect(times).toBe(1)
  })

  it('do not follow redirects, and take no answer that is compressed', async () => {
    const sent = { headers: {}, body: '{}', signal: AbortSignal.timeout(2000) }
    provider.play({ status: 302, headers: { location: 'http://169.254.169.254/' }, raw: '' })
    await expect(post(provider.url, sent, rules)).rejects.toThrow(/another address/)
    provider.play({ headers: { 'content-encoding': 'gzip' }, raw: 'x' })
    await expect(post(provider.url, sent, rules)).rejects.toThrow(/compressed/)
    await expect(post(provider.url, sent, open)).rejects.toThrow(/only https/)
  })
})

describe('keys', () => {
  it('are opened only with the secret and for the row they were sealed for', () => {
    const bytes = sealed('secret', 'row', 'sk-123')
    expect(unsealed('secret', 'row', bytes)).toBe('sk-123')
    expect(unsealed('other', 'row', bytes)).toBeNull()
    expect(unsealed('secret', 'other', bytes)).toBeNull()
    bytes[20]! ^= 1
    expect(unsealed('secret', 'row', bytes)).toBeNull()
    expect(unsealed('secret', 'row', Buffer.alloc(3))).toBeNull()
  })
})

describe('a turn', () => {
  type Answers = (messages: readonly Message[]) => ModelEvent[]
  async function turn(answers: Answers, use = async (name: string) => ({ ok: true, text: name }), signal = new AbortController().signal) {
    const events: TurnEvent[] = []
    const going = converse({
      messages: question,
      signal,
      use,
      call: async function* (messages) {
        yield* answers(messages)
      },
      limits: { calls: 6, tokens: 1000, answerLength: 100 },
    })
    for (;;) {
      const { done, value } = await going.next()
      if (done) return { events, messages: value, end: events.at(-1) as TurnEvent & { is: 'end' } }
      events.push(value)
    }
  }
  const uses = (name: string, given = '{}'): ModelEvent[] => [
    { is: 'use', use: { id: 'a', name, given } },
    { is: 'end', why: 'tools' },
  ]

  it('uses tools until there is an answer', async () => {
    let calls = 0
    const { events, messages, end } = await turn(() =>
      ++calls === 1
        ? uses('outline')
        : [
            { is: 'text', text: 'A ward.' },
            { is: 'end', why: 'answer' },
          ],
    )
    expect(events.map(({ is }) => is)).toEqual(['tool', 'result', 'text', 'end'])
    expect(end.why).toBe('answered')
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tools', 'assistant'])
  })

  it.each([
    ['a model that never stops', () => uses('outline', String(Math.random())), 'calls'],
    ['a model that does the same again and again', () => uses('outline'), 'repeating'],
    ['one that uses too much', () => [{ is: 'usage', tokensIn: 900, tokensOut: 200 }, ...uses('outline')], 'tokens'],
    ['an endless answer', () => [{ is: 'text', text: 'x'.repeat(1000) }], 'too-long'],
    ['an answer that was cut', () => [{ is: 'end', why: 'length' }], 'length'],
    ['a fault', () => [{ is: 'fault', fault: 'key-refused', detail: '' }], 'key-refused'],
    ['a question', () => uses('ask'), 'asked'],
    ['an offer', () => uses('offer'), 'offered'],
  ] as [string, Answers, string][])('ends %s', async (_, answers, why) => {
    const { end, messages } = await turn(answers)
    expect(end.why).toBe(why)
    const open = messages.flatMap(one => (one.role === 'assistant' ? one.calls.map(({ id }) => id) : []))
    const answered = messages.flatMap(one => (one.role === 'tools' ? one.results.map(({ id }) => id) : []))
    expect(answered).toEqual(open)
  })

  it('executes so many tools, however many one answer asks for', async () => {
    let n = 0
    let made = 0
    const { end, messages } = await turn(
      () => Array.from({ length: 20 }, () => uses('outline', String(n++))[0]!),
      async () => {
        made++
        return { ok: true, text: '' }
      },
    )
    expect(end.why).toBe('calls')
    expect(made).toBe(TURN.uses)
    // Each that was asked for has an answer, also those that were not executed.
    expect(messages.flatMap(one => (one.role === 'tools' ? one.results : []))).toHaveLength(60)
  })

  it('ends when tools fail again and again, and when it is stopped', async () => {
    let n = 0
    const wrong = await turn(
      () => uses('outline', String(n++)),
      async () => ({ ok: false, text: 'no' }),
    )
    expect(wrong.end.why).toMatch(/repeating|calls/)
    const stop = new AbortController()
    const stopped = await turn(
      () => uses('outline'),
      async () => {
        stop.abort()
        return { ok: true, text: '' }
      },
      stop.signal,
    )
    expect(stopped.end.why).toBe('stopped')
  })

  it('is shortened without parting calls from their results', () => {
    const messages: Message[] = [
      { role: 'user', text: 'first' },
      ...Array.from({ length: 30 }, (_, i): Message[] => [
        { role: 'assistant', text: '', calls: [{ id: String(i), name: 'outline', given: '{}' }] },
        { role: 'tools', results: [{ id: String(i), text: 'x'.repeat(2000), failed: false }] },
      ]).flat(),
    ]
    for (const length of [60_000, 20_000, 8000, 4000]) {
      const cut = shortened(messages, length)
      expect(JSON.stringify(cut).length).toBeLessThanOrEqual(length)
      expect(cut[0]).toEqual(messages[0])
      const open = cut.flatMap(one => (one.role === 'assistant' ? one.calls.map(({ id }) => id) : []))
      expect(cut.flatMap(one => (one.role === 'tools' ? one.results.map(({ id }) => id) : []))).toEqual(open)
    }
  })
})
