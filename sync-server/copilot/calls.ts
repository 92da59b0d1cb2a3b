// Calls of language models that are under way or just over: their events, numbered, so that a page whose connection broke hears the rest and nothing
// twice. They stand in the memory of the server that makes them; another one does not know them, and the page begins a new call.
import type { ModelEvent } from '../../sim-engine/copilot/doors/dialogue.ts'

/** Calls that are kept, characters of their events, and milliseconds that one is kept without a listener: running, and over. */
const CALL_LIMITS = { calls: 500, length: 2_000_000, unheardMs: 60_000, overMs: 60_000 } as const

export type Numbered = { readonly number: number; readonly event: ModelEvent }

type Call = {
  readonly key: string
  readonly events: Numbered[]
  readonly stopped: AbortController
  length: number
  listeners: number
  isOver: boolean
  timer: NodeJS.Timeout | undefined
  /** Wakes those who wait for the next event. */
  wake: () => void
  next: Promise<void>
}

export class Calls {
  readonly #calls = new Map<string, Call>()

  /** Begins a call; false when this person has one of this id already. `make` gives the events until its signal is aborted. */
  begin(userId: string, id: string, make: (signal: AbortSignal) => AsyncIterable<ModelEvent>): boolean {
    const key = keyOf(userId, id)
    if (this.#calls.has(key)) return false
    const call: Call = {
      key,
      events: [],
      stopped: new AbortController(),
      length: 0,
      listeners: 0,
      isOver: false,
      timer: undefined,
      ...waiting(),
    }
    this.#calls.set(key, call)
    for (const [old, { isOver }] of this.#calls) if (isOver && this.#calls.size > CALL_LIMITS.calls) this.#forget(old)
    void this.#run(call, make)
    return true
  }

  /** The events after a number, until the call is over or the listener is `gone`; null when it is not known here, or its events were too many to keep. */
  hear(userId: string, id: string, after: number, gone: AbortSignal): AsyncIterable<Numbered> | null {
    const call = this.#calls.get(keyOf(userId, id))
    const [first] = call?.events ?? []
    if (!call || (first && first.number > after + 1)) return null
    return this.#heard(call, after, gone)
  }

  /** Stops a call; false when there is none. */
  stop(userId: string, id: string): boolean {
    const call = this.#calls.get(keyOf(userId, id))
    call?.stopped.abort()
    return call !== undefined
  }

  close(): void {
    for (const key of this.#calls.keys()) this.#forget(key)
  }

  async #run(call: Call, make: (signal: AbortSignal) => AsyncIterable<ModelEvent>): Promise<void> {
    let number = 0
    try {
      for await (const event of make(call.stopped.signal)) {
        call.events.push({ number: ++number, event })
        call.length += JSON.stringify(event).length
        while (call.length > CALL_LIMITS.length && call.events.length > 1) call.length -= JSON.stringify(call.events.shift()?.event).length
        this.#rouse(call)
      }
    } catch (error) {
      console.error('a call of a language model failed', error)
    }
    call.isOver = true
    this.#rouse(call)
    this.#leave(call)
  }

  #rouse(call: Call): void {
    const { wake } = call
    Object.assign(call, waiting())
    wake()
  }

  async *#heard(call: Call, after: number, gone: AbortSignal): AsyncGenerator<Numbered> {
    const left = new Promise<void>(resolve => gone.addEventListener('abort', () => resolve(), { once: true }))
    call.listeners++
    clearTimeout(call.timer)
    let last = after
    try {
      while (!gone.aborted) {
        const { next } = call
        for (const one of call.events.filter(({ number }) => number > last)) {
          last = one.number
          yield one
        }
        if (call.isOver && last >= (call.events.at(-1)?.number ?? 0)) return
        if (call.events.at(-1)?.number === last || call.events.length === 0) await Promise.race([next, left])
      }
    } finally {
      call.listeners--
      this.#leave(call)
    }
  }

  /** What nobody hears is stopped after a while; what is over is kept for a while. */
  #leave(call: Call): void {
    clearTimeout(call.timer)
    if (call.listeners > 0) return
    call.timer = setTimeout(() => this.#forget(call.key), call.isOver ? CALL_LIMITS.overMs : CALL_LIMITS.unheardMs).unref()
  }

  #forget(key: string): void {
    const call = this.#calls.get(key)
    if (!call) return
    clearTimeout(call.timer)
    call.stopped.abort()
    this.#calls.delete(key)
  }
}

const keyOf = (userId: string, id: string): string => JSON.stringify([userId, id])

function waiting(): Pick<Call, 'wake' | 'next'> {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { wake: resolve, next: promise }
}
