// One call of a language model over the server, as a stream of events. The server keeps the key and the budget; the page only has the talk.
import { nanoid } from 'nanoid'
import { modelFaults, type Message, type Mode, type ModelEvent, type ModelFault } from '../../sim-engine/copilot/doors/dialogue.ts'

export type Call = {
  readonly provider: string
  readonly turn: string
  readonly mode: Mode
  /** The file on the server with the workspace the model may belong to. */
  readonly file?: string
  readonly messages: readonly Message[]
}

/** Milliseconds between attempts to hear the rest of an answer after the connection broke. The server keeps it for a minute. */
const RESUMES = [500, 1000, 2000, 4000, 8000, 15_000] as const

type World = { readonly ask: typeof fetch; readonly wait: (ms: number, signal: AbortSignal) => Promise<void> }

const world: World = {
  // By its name: called as a part of an object, a page refuses it.
  ask: (...given) => fetch(...given),
  wait: (ms, signal) =>
    new Promise(resolve => {
      const timer = setTimeout(resolve, ms)
      signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true })
    }),
}

/**
 * Calls the model. What goes wrong is a `fault` event; nothing more comes once the signal is aborted, and the server is told to stop. When the
 * connection breaks the rest is asked for, by the number of the last event that came: nothing comes twice.
 */
export async function* callServer(call: Call, signal: AbortSignal, { ask, wait }: World = world): AsyncGenerator<ModelEvent> {
  const fault = (is: ModelFault, detail = ''): ModelEvent => ({ is: 'fault', fault: is, detail })
  const id = nanoid()
  const path = `/api/copilot/calls/${id}`
  let response: Response
  try {
    response = await ask('/api/copilot/calls', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...call, call: id }),
      signal,
    })
  } catch {
    // Without an answer there is no error to report: the network is gone, or the call was stopped.
    if (signal.aborted) return stopAt(path, ask)
    yield fault('offline')
    return
  }
  if (!response.ok || !response.body) {
    yield fault(...(await refusalOf(response)))
    return
  }
  let isOver = false
  try {
    for await (const event of resumed(path, response.body, signal, { ask, wait })) {
      isOver = event.is === 'end' || event.is === 'fault'
      yield event
      if (isOver) return
    }
    if (signal.aborted) return
    isOver = true
    yield fault('offline')
  } catch (error) {
    isOver = error instanceof Unreadable
    if (!(error instanceof Unreadable)) throw error
    yield fault('malformed', error.message)
  } finally {
    if (!isOver) stopAt(path, ask)
  }
}

/** The events of an answer, also over several connections. Ends early when the signal is aborted or the rest cannot be had. */
async function* resumed(
  path: string,
  first: ReadableStream<Uint8Array>,
  signal: AbortSignal,
  { ask, wait }: World,
): AsyncGenerator<ModelEvent> {
  let body: ReadableStream<Uint8Array> | null = first
  let last = 0
  let tries = 0
  while (body) {
    try {
      for await (const { number, event } of eventsOf(body)) {
        if (number !== null && number <= last) continue
        // Events without numbers cannot be resumed: which of them came already is not known.
        if (number === null) tries = RESUMES.length
        else [last, tries] = [number, 0]
        yield event
      }
    } catch (error) {
      if (error instanceof Unreadable) throw error
      // The connection broke.
    }
    body = null
    while (!body && tries < RESUMES.length && !signal.aborted) {
      await wait(RESUMES[tries++] ?? 0, signal)
      if (signal.aborted) break
      const again = await ask(path, { headers: { 'last-event-id': String(last) }, signal }).catch(() => null)
      if (again?.ok && again.body) body = again.body
      // The server knows nothing of it any more, or it was another's.
      else if (again && again.status < 500) tries = RESUMES.length
    }
  }
}

/** Tells the server that nobody waits for an answer any more. */
function stopAt(path: string, ask: typeof fetch): void {
  void ask(path, { method: 'DELETE', keepalive: true }).catch(() => undefined)
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

/** The events of the server's stream: one `data:` line of JSON each, with its number in an `id:` line before or after it. */
async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<{ number: number | null; event: ModelEvent }> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  let data: string | null = null
  let number: number | null = null
  try {
    for (;;) {
      const { done, value } = await reader.read()
      rest += decoder.decode(value, { stream: !done })
      const lines = rest.split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        if (line.startsWith('data:')) data = line.slice(5)
        else if (line.startsWith('id:')) number = Number(line.slice(3))
        else if (line.trim() === '' && data !== null) {
          yield { number, event: eventOf(data) }
          data = number = null
        }
      }
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
