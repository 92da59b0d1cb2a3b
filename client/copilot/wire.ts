// One call of a language model over the server, as a stream of events. The server keeps the key and the budget; the page only has the talk.
import { modelFaults, type Message, type Mode, type ModelEvent, type ModelFault } from '../../sim-engine/copilot/doors/dialogue.ts'

export type Call = {
  readonly provider: string
  readonly turn: string
  readonly mode: Mode
  /** The file on the server with the workspace the model may belong to. */
  readonly file?: string
  readonly messages: readonly Message[]
}

/** Calls the model. What goes wrong is a `fault` event; nothing more comes once the signal is aborted. */
export async function* callServer(call: Call, signal: AbortSignal, ask: typeof fetch = fetch): AsyncGenerator<ModelEvent> {
  const fault = (is: ModelFault, detail = ''): ModelEvent => ({ is: 'fault', fault: is, detail })
  let response: Response
  try {
    response = await ask('/api/copilot/calls', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(call),
      signal,
    })
  } catch {
    // Without an answer there is no error to report: the network is gone, or the call was stopped.
    if (!signal.aborted) yield fault('offline')
    return
  }
  if (!response.ok || !response.body) {
    yield fault(...(await refusalOf(response)))
    return
  }
  let ended = false
  try {
    for await (const event of eventsOf(response.body)) {
      ended ||= event.is === 'end' || event.is === 'fault'
      yield event
    }
  } catch (error) {
    if (signal.aborted) return
    yield error instanceof Unreadable ? fault('malformed', error.message) : fault('offline')
    return
  }
  if (!ended && !signal.aborted) yield fault('offline')
}

class Unreadable extends Error {}

/** What the server refused before any model was called. */
async function refusalOf(response: Response): Promise<[ModelFault, string]> {
  const text = await response.text().catch(() => '')
  const code = /"code":"([a-z-]+)"/.exec(text)?.[1] ?? ''
  const faults: Readonly<Record<string, ModelFault>> = {
    'plan-lacks-feature': 'plan',
    'signed-out': 'signed-out',
    'not-found': 'gone',
    'no-permission': 'gone',
    'too-many-requests': 'busy',
    'too-large': 'context-full',
  }
  return [faults[code] ?? (response.status === 413 ? 'context-full' : 'unreachable'), `${response.status} ${code}`.trim()]
}

/** The events of the server's stream: one `data:` line of JSON each. */
async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<ModelEvent> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      rest += decoder.decode(value, { stream: !done })
      const lines = rest.split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) if (line.startsWith('data:')) yield eventOf(line.slice(5))
      if (done) return
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

function eventOf(text: string): ModelEvent {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new Unreadable(error instanceof Error ? error.message : '')
  }
  if (!isEvent(value)) throw new Unreadable(`no event: ${text.slice(0, 100)}`)
  return value
}

function isEvent(value: unknown): value is ModelEvent {
  if (typeof value !== 'object' || value === null || !('is' in value)) return false
  const one: { readonly [key: string]: unknown } = { ...value }
  switch (one['is']) {
    case 'text':
      return typeof one['text'] === 'string'
    case 'use': {
      const { use } = one
      return typeof use === 'object' && use !== null && ['id', 'name', 'given'].every(key => typeof Reflect.get(use, key) === 'string')
    }
    case 'usage':
      return typeof one['tokensIn'] === 'number' && typeof one['tokensOut'] === 'number'
    case 'end':
      return typeof one['why'] === 'string'
    case 'fault':
      return modelFaults.some(fault => fault === one['fault']) && typeof one['detail'] === 'string'
    default:
      return false
  }
}
