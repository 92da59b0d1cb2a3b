// A language model for tests: a local server that speaks both formats and plays what it is given, one script a call.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Played = {
  readonly text?: string
  readonly uses?: readonly { name: string; given: unknown }[]
  /** Sent as it is, in place of an answer in the format that was asked for. */
  readonly raw?: string
  readonly status?: number
  readonly headers?: Record<string, string>
  /** The stream is not ended. */
  readonly hangs?: boolean
}
export type Heard = { readonly path: string; readonly headers: IncomingMessage['headers']; readonly body: { [key: string]: unknown } }

export type ScriptedProvider = {
  readonly url: string
  readonly host: string
  readonly heard: Heard[]
  /** What the next calls are answered with; the last is repeated. A function sees what was asked. */
  play(...script: (Played | ((heard: Heard) => Played))[]): void
  /** Resolves when a caller has gone away. */
  readonly gone: Promise<void>
  stop(): Promise<void>
}

/** On any free port by default. */
export async function scriptedProvider(at = 0): Promise<ScriptedProvider> {
  const heard: Heard[] = []
  let script: (Played | ((heard: Heard) => Played))[] = []
  let leave = (): void => {}
  const gone = new Promise<void>(done => (leave = done))
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', chunk => (text += String(chunk)))
    request.on('end', () => {
      const one = { path: request.url ?? '', headers: request.headers, body: JSON.parse(text || '{}') as Heard['body'] }
      heard.push(one)
      const next = script.length > 1 ? script.shift()! : (script[0] ?? { text: '' })
      response.on('close', () => response.writableEnded || leave())
      answer(response, one, typeof next === 'function' ? next(one) : next, heard.length)
    })
  })
  await new Promise<void>(done => server.listen(at, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/v1`,
    host: `127.0.0.1:${port}`,
    heard,
    play: (...next) => void (script = next),
    gone,
    stop: () =>
      new Promise(done => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}

function answer(response: ServerResponse, { path }: Heard, played: Played, call: number): void {
  const { status = 200, headers = {}, raw, hangs } = played
  response.writeHead(status, { 'content-type': status === 200 ? 'text/event-stream' : 'application/json', ...headers })
  response.write(raw ?? (path.endsWith('/messages') ? anthropic(played, call) : openai(played, call)))
  if (!hangs) response.end()
}

const event = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`

function openai({ text = '', uses = [] }: Played, call: number): string {
  const delta = (one: unknown) => event({ choices: [{ index: 0, delta: one, finish_reason: null }] })
  const halves = [text.slice(0, text.length >> 1), text.slice(text.length >> 1)]
  return [
    ...halves.filter(one => one !== '').map(content => delta({ content })),
    ...uses.flatMap(({ name, given }, index) => {
      const json = typeof given === 'string' ? given : JSON.stringify(given)
      return [
        delta({ tool_calls: [{ index, id: `c${call}_${index}`, type: 'function', function: { name, arguments: '' } }] }),
        delta({ tool_calls: [{ index, function: { arguments: json.slice(0, 5) } }] }),
        delta({ tool_calls: [{ index, function: { arguments: json.slice(5) } }] }),
      ]
    }),
    event({ choices: [{ index: 0, delta: {}, finish_reason: uses.length > 0 ? 'tool_calls' : 'stop' }] }),
    event({ choices: [], usage: { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 } }),
    'data: [DONE]\n\n',
  ].join('')
}

function anthropic({ text = '', uses = [] }: Played, call: number): string {
  const named = (type: string, value: object) => `event: ${type}\n${event({ type, ...value })}`
  return [
    named('message_start', { message: { usage: { input_tokens: 100 } } }),
    named('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
    named('content_block_delta', { index: 0, delta: { type: 'text_delta', text } }),
    named('content_block_stop', { index: 0 }),
    ...uses.flatMap(({ name, given }, i) => [
      named('content_block_start', { index: i + 1, content_block: { type: 'tool_use', id: `t${call}_${i}`, name, input: {} } }),
      named('content_block_delta', {
        index: i + 1,
        delta: { type: 'input_json_delta', partial_json: typeof given === 'string' ? given : JSON.stringify(given) },
      }),
      named('content_block_stop', { index: i + 1 }),
    ]),
    named('message_delta', { delta: { stop_reason: uses.length > 0 ? 'tool_use' : 'end_turn' }, usage: { output_tokens: 10 } }),
    named('message_stop', {}),
  ].join('')
}
