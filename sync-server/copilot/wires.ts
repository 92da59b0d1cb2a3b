// The two formats that language models are served in: the chat completions of OpenAI, which local servers speak too, and the messages of Anthropic. Each
// turns a talk into a request, and the events of the answer into those of `dialogue.ts`.
import type { Message, ModelEvent, ModelFault, ToolUse } from '../../sim-engine/copilot/doors/dialogue.ts'
import type { ToolDefinition } from '../../sim-engine/copilot/doors/tools.ts'
import { OutboundFailed, OutboundRefused, post, type OutboundRules } from '../../sim-engine/outbound.ts'
import { inText, usesInText, withTools } from './text-tools.ts'

export const wires = ['openai', 'anthropic'] as const
export type Wire = (typeof wires)[number]

/** How a model uses tools: by calls of its format, or by blocks in its text, when it has none. */
export const toolWays = ['calls', 'text'] as const
export type ToolWay = (typeof toolWays)[number]

/** Where a model is and how it is called. */
export type Endpoint = {
  readonly wire: Wire
  readonly url: string
  readonly model: string
  readonly key: string
  /** Calls, when it is not said. */
  readonly tools?: ToolWay
}

export type Asked = {
  readonly system: string
  readonly messages: readonly Message[]
  readonly tools: readonly ToolDefinition[]
  /** Most tokens of the answer. */
  readonly answerTokens: number
  readonly signal: AbortSignal
}

type Json = { readonly [key: string]: unknown }

/** Calls a model. Never throws: what goes wrong is a `fault` event. */
export async function* callModel(endpoint: Endpoint, asked: Asked, rules: OutboundRules): AsyncGenerator<ModelEvent> {
  const { tools, system, messages } = asked
  const inBlocks = (): AsyncGenerator<ModelEvent> =>
    usesInText(called(endpoint, { ...asked, tools: [], system: withTools(system, tools), messages: inText(messages) }, rules))
  if (endpoint.tools === 'text' && tools.length > 0) return yield* inBlocks()
  for await (const event of called(endpoint, asked, rules)) {
    // Some servers say so before the model is called: tools are then described in its text.
    if (event.is === 'fault' && tools.length > 0 && lacksTools.test(event.detail)) return yield* inBlocks()
    yield event
  }
}

const lacksTools =
  /\b4\d\d\b.*(?:(?:not|n't) support|unsupported)\b.*\b(?:tools?|functions?)\b|\b4\d\d\b.*\b(?:tools?|functions?)\b.*(?:(?:not|n't) support|unsupported)/is

async function* called(endpoint: Endpoint, asked: Asked, rules: OutboundRules): AsyncGenerator<ModelEvent> {
  const wire = endpoint.wire === 'openai' ? openai : anthropic
  try {
    const { status, headers, body } = await post(
      `${endpoint.url.replace(/\/+$/, '')}${wire.path}`,
      {
        headers: { 'content-type': 'application/json', ...wire.headers(endpoint.key) },
        body: JSON.stringify(wire.request(endpoint, asked)),
        signal: asked.signal,
      },
      rules,
    )
    if (status !== 200) {
      const text = await textOf(body, 4000)
      yield { is: 'fault', fault: faultOfStatus(status, text), detail: `${status} ${withoutKey(text, endpoint.key).slice(0, 300)}`.trim() }
      return
    }
    if (!String(headers['content-type'] ?? '').includes('text/event-stream')) {
      yield { is: 'fault', fault: 'malformed', detail: 'the answer is no stream of events' }
      return
    }
    yield* wire.read(eventsOf(body))
  } catch (error) {
    if (error instanceof OutboundRefused) yield { is: 'fault', fault: 'refused-address', detail: error.message }
    else if (error instanceof Malformed) yield { is: 'fault', fault: 'malformed', detail: error.message }
    else if (error instanceof OutboundFailed)
      yield { is: 'fault', fault: error.message.startsWith('more than') ? 'too-long' : 'unreachable', detail: error.message }
    else throw error
  }
}

/** A provider may repeat the key in an error: it is removed for all readers. */
const withoutKey = (text: string, key: string): string => (key.length > 3 ? text.replaceAll(key, '***') : text)

export class Malformed extends Error {}

function faultOfStatus(status: number, text: string): ModelFault {
  if (status === 401 || status === 403) return 'key-refused'
  if (status === 404) return 'model-unknown'
  if (/context|too long|maximum.*tokens/i.test(text) && (status === 400 || status === 413)) return 'context-full'
  if (status === 408 || status === 429 || status === 503 || status === 529) return 'busy'
  return status >= 500 ? 'unreachable' : 'malformed'
}

async function textOf(body: AsyncIterable<Uint8Array>, most: number): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true })
    if (text.length > most) break
  }
  return text.slice(0, most)
}

/** Characters of one line of a stream. */
const LINE = 1 << 20

/** The data of server-sent events, each parsed; lines may end with CR, LF or both, and come in any pieces. */
export async function* eventsOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<Json> {
  const decoder = new TextDecoder()
  let rest = ''
  let data: string[] = []
  const event = function* (): Generator<Json> {
    const text = data.join('\n')
    data = []
    if (text === '' || text === '[DONE]') return
    const value = parsed(text)
    if (value === null) throw new Malformed(`an event that is not JSON: ${text.slice(0, 100)}`)
    yield value
  }
  for await (const chunk of body) {
    rest += decoder.decode(chunk, { stream: true })
    // A CR at the end may be half of a line's end.
    const lines = rest.split(/\r\n|\n|\r(?!$)/)
    rest = lines.pop() ?? ''
    if (rest.length > LINE) throw new Malformed('a line without an end')
    for (const line of lines)
      if (line === '') yield* event()
      else if (line.startsWith('data:')) data.push(line.slice(5).replace(/^ /, ''))
  }
  if (rest.startsWith('data:')) data.push(rest.slice(5).trim())
  yield* event()
}

function parsed(text: string): Json | null {
  try {
    const value: unknown = JSON.parse(text)
    return isJson(value) ? value : null
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)
const objectIn = (value: unknown): Json => (isJson(value) ? value : {})
const listIn = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isJson) : [])
const textIn = (value: unknown): string => (typeof value === 'string' ? value : '')
const countIn = (value: unknown): number => (typeof value === 'number' && Number.isFinite(value) && value >= 0 ? Math.floor(value) : 0)

type Format = {
  readonly path: string
  headers(key: string): Readonly<Record<string, string>>
  request(endpoint: Endpoint, asked: Asked): Json
  read(events: AsyncIterable<Json>): AsyncGenerator<ModelEvent>
}

/** Most tools one answer may use, and characters of the arguments of one. */
const USES = 32
const GIVEN = 300_000

type Growing = { id: string; name: string; given: string }

const grown = (use: Growing, more: string): void => {
  use.given += more
  if (use.given.length > GIVEN) throw new Malformed('arguments of a tool without an end')
}

const complete = ({ id, name, given }: Growing, i: number): ModelEvent => {
  const use: ToolUse = { id: id || `call_${i + 1}`, name, given }
  return { is: 'use', use }
}

const openai: Format = {
  path: '/chat/completions',
  headers: (key): Readonly<Record<string, string>> => (key === '' ? {} : { authorization: `Bearer ${key}` }),
  request: ({ model }, { system, messages, tools, answerTokens }) => ({
    model,
    stream: true,
    stream_options: { include_usage: true },
    max_tokens: answerTokens,
    messages: [{ role: 'system', content: system }, ...messages.flatMap(openaiMessage)],
    ...(tools.length > 0
      ? { tools: tools.map(({ name, description, parameters }) => ({ type: 'function', function: { name, description, parameters } })) }
      : {}),
  }),
  async *read(events) {
    const uses = new Map<number, Growing>()
    let why = ''
    for await (const event of events) {
      if (isJson(event['error'])) throw new Malformed(textIn(event['error']['message']).slice(0, 300) || 'an error without words')
      const usage = objectIn(event['usage'])
      if (usage['total_tokens'] !== undefined || usage['completion_tokens'] !== undefined)
        yield { is: 'usage', tokensIn: countIn(usage['prompt_tokens']), tokensOut: countIn(usage['completion_tokens']) }
      const [choice] = listIn(event['choices'])
      if (!choice) continue
      const delta = objectIn(choice['delta'])
      const text = textIn(delta['content'])
      if (text !== '') yield { is: 'text', text }
      for (const piece of listIn(delta['tool_calls'])) {
        const at = countIn(piece['index'])
        if (at >= USES) throw new Malformed('too many tools in one answer')
        const made = objectIn(piece['function'])
        const use = uses.get(at) ?? { id: '', name: '', given: '' }
        uses.set(at, use)
        use.id ||= textIn(piece['id'])
        use.name ||= textIn(made['name'])
        grown(use, textIn(made['arguments']))
      }
      why = textIn(choice['finish_reason']) || why
    }
    if (why === '') throw new Malformed('the stream ended before the answer did')
    for (const [i, use] of [...uses].sort(([a], [b]) => a - b)) yield complete(use, i)
    yield { is: 'end', why: uses.size > 0 ? 'tools' : why === 'length' ? 'length' : 'answer' }
  },
}

function openaiMessage(message: Message): Json[] {
  if (message.role === 'user') return [{ role: 'user', content: message.text }]
  if (message.role === 'tools') return message.results.map(({ id, text }) => ({ role: 'tool', tool_call_id: id, content: text }))
  const calls = message.calls.map(({ id, name, given }) => ({ id, type: 'function', function: { name, arguments: given || '{}' } }))
  return [
    {
      role: 'assistant',
      content: message.text === '' && calls.length > 0 ? null : message.text,
      ...(calls.length > 0 ? { tool_calls: calls } : {}),
    },
  ]
}

const anthropic: Format = {
  path: '/messages',
  headers: key => ({ 'x-api-key': key, 'anthropic-version': '2023-06-01' }),
  request: ({ model }, { system, messages, tools, answerTokens }) => ({
    model,
    stream: true,
    max_tokens: answerTokens,
    // What stays the same from call to call is marked, so that the provider keeps it.
    system: [{ type: 'text', text: system, cache_control: { type: 'ephemeral' } }],
    messages: messages.map(anthropicMessage),
    ...(tools.length > 0
      ? { tools: tools.map(({ name, description, parameters }) => ({ name, description, input_schema: parameters })) }
      : {}),
  }),
  async *read(events) {
    const uses = new Map<number, Growing>()
    let why = ''
    let tokensIn = 0
    for await (const event of events) {
      const at = countIn(event['index'])
      switch (event['type']) {
        case 'error':
          throw new Malformed(textIn(objectIn(event['error'])['message']).slice(0, 300) || 'an error without words')
        case 'message_start':
          tokensIn = countIn(objectIn(objectIn(event['message'])['usage'])['input_tokens'])
          break
        case 'content_block_start': {
          const block = objectIn(event['content_block'])
          if (block['type'] !== 'tool_use') break
          if (uses.size >= USES) throw new Malformed('too many tools in one answer')
          uses.set(at, { id: textIn(block['id']), name: textIn(block['name']), given: '' })
          break
        }
        case 'content_block_delta': {
          const delta = objectIn(event['delta'])
          const text = delta['type'] === 'text_delta' ? textIn(delta['text']) : ''
          if (text !== '') yield { is: 'text', text }
          const use = uses.get(at)
          if (use && delta['type'] === 'input_json_delta') grown(use, textIn(delta['partial_json']))
          break
        }
        case 'message_delta':
          why = textIn(objectIn(event['delta'])['stop_reason']) || why
          yield { is: 'usage', tokensIn, tokensOut: countIn(objectIn(event['usage'])['output_tokens']) }
          tokensIn = 0
          break
      }
    }
    if (why === '') throw new Malformed('the stream ended before the answer did')
    for (const [i, use] of [...uses].sort(([a], [b]) => a - b)) yield complete(use, i)
    yield { is: 'end', why: uses.size > 0 ? 'tools' : why === 'max_tokens' ? 'length' : 'answer' }
  },
}

function anthropicMessage(message: Message): Json {
  if (message.role === 'user') return { role: 'user', content: message.text }
  if (message.role === 'tools')
    return {
      role: 'user',
      content: message.results.map(({ id, text, failed }) => ({ type: 'tool_result', tool_use_id: id, content: text, is_error: failed })),
    }
  return {
    role: 'assistant',
    content: [
      ...(message.text === '' ? [] : [{ type: 'text', text: message.text }]),
      ...message.calls.map(({ id, name, given }) => ({ type: 'tool_use', id, name, input: parsed(given || '{}') ?? {} })),
    ],
  }
}
