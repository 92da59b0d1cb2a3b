// Calls of language models that are under way or just over: their events, numbered, so that a page whose connection broke hears the rest and nothing
// twice. They stand in the memory of the server that makes them; another one does not know them, and the page begins a new call.
import type { ModelEvent } from '../../sim-engine/copilot/doors/dialogue.ts'

/** Characters of events that are kept, of a call and in all, and milliseconds that a call is kept without a listener: running, and over. */
export const CALL_LIMITS = { length: 2_000_000, lengthInAll: 50_000_000, unheardMs: 60_000, overMs: 60_000 } as const

export type Numbered = { readonly number: number; readonly event: ModelEvent }

type Call = {
  readonly key: string
  /** Numbered without gaps. */
  readonly events: (Numbered & { readonly length: number })[]
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
  /** Characters of all events that are kept. */
  #length = 0

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
    void this.#run(call, make)
    return true
  }

  /** The events after a number, until the call is over or the listener is `gone`; null when it is not known here, or its events were too many to keep. */
  hear(userId: string, id: string, after: number, gone: AbortSignal): AsyncIterable<Numbered> | null {
    const call = this.#calls.get(keyOf(userId, id))
    if (!call || isMissing(call, after)) return null
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
        const one = { number: ++number, event, length: JSON.stringify(event).length }
        call.events.push(one)
        this.#count(call, one.length)
        while (call.length > CALL_LIMITS.length && call.events.length > 1) this.#count(call, -(call.events.shift()?.length ?? 0))
        for (const [old, { isOver }] of this.#calls) {
          if (this.#length <= CALL_LIMITS.lengthInAll) break
          if (isOver) this.#forget(old)
        }
        this.#rouse(call)
      }
    } catch (error) {
      console.error('a call of a language model failed', error)
    }
    call.isOver = true
    this.#rouse(call)
    this.#leave(call)
  }

  /** More characters are kept of a call, or fewer. What is forgotten is not counted. */
  #count(call: Call, change: number): void {
    call.length += change
    if (this.#calls.get(call.key) === call) this.#length += change
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
        // Too slow for what is kept.
        if (isMissing(call, last)) return
        const one = call.events[last + 1 - (call.events[0]?.number ?? 0)]
        if (one) {
          last = one.number
          yield one
        } else if (call.isOver) return
        else await Promise.race([next, left])
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
    this.#count(call, -call.length)
    this.#calls.delete(key)
  }
}

/** Whether the event after a number is not kept any more. */
const isMissing = ({ events: [first] }: Call, after: number): boolean => first !== undefined && first.number > after + 1

const keyOf = (userId: string, id: string): string => JSON.stringify([userId, id])

function waiting(): Pick<Call, 'wake' | 'next'> {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { wake: resolve, next: promise }
}
