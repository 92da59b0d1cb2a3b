// Messages and signals: mailboxes per receiver and message type, and tokens that wait for one. Mail is taken oldest first;
// waiting tokens are served in the order in which they began to wait. A signal has no mailbox: it reaches only those who
// wait when it is thrown. A receiver is a population's index (-1 = the global observer) and a handle (-1 = the observer).
import { EngineFault } from '../kernel/fault.ts'
import { floatsOf, listOf, numberOf, recordOf, type State, type ValueReader, type ValueWriter } from '../kernel/snapshot.ts'
import { RunError } from '../problems.ts'

export type MessagePlan = {
  id: string
  name: string
  /** Most messages in one mailbox; Infinity. */
  capacity: number
  full: 'dropNew' | 'dropOld' | 'error'
  /** How long a message is kept after its arrival; Infinity. */
  lifetime: number
}

type Fits = ((payload: unknown) => boolean) | null

type Message = { type: number; population: number; handle: number; payload: unknown; expires: number }
type Waiting = { token: number; type: number; population: number; handle: number; fits: Fits }
/** Numbers of messages, oldest first, and who waits, longest first. */
type Box = { messages: number[]; waiting: Waiting[] }

type MailHooks = {
  /** Resumes a waiting token with the payload of its message, at this instant, phase 2. */
  deliver(token: number, payload: unknown): void
  isAlive(population: number, handle: number): boolean
}

export class Mail {
  /** By message type: sent, taken out of a mailbox or delivered, and lost (no room, too old, receiver dead). */
  sent = new Float64Array(0)
  received = new Float64Array(0)
  lost = new Float64Array(0)
  readonly #clock: { readonly time: number }
  readonly #hooks: MailHooks
  readonly #plans: MessagePlan[] = []
  // By type, then by receiver's population + 1, then by handle.
  #boxes: Map<number, Box>[][] = []
  #messages: (Message | null)[] = []
  #free: number[] = []
  readonly #waits = new Map<number, Waiting[]>()
  readonly #signals = new Map<number, number[]>()

  constructor(clock: { readonly time: number }, hooks: MailHooks) {
    this.#clock = clock
    this.#hooks = hooks
  }

  /** Adds a message type and returns its number. */
  add(plan: MessagePlan): number {
    this.#plans.push(plan)
    this.#boxes.push([])
    this.sent = floatsOf(this.sent, this.#plans.length)
    this.received = floatsOf(this.received, this.#plans.length)
    this.lost = floatsOf(this.lost, this.#plans.length)
    return this.#plans.length - 1
  }

  /** Puts a message on its way; returns its number, to schedule for phase 2 of its due time and hand to `arrive`. */
  send(type: number, population: number, handle: number, payload: unknown): number {
    const number = this.#free.pop() ?? this.#messages.length
    this.#messages[number] = { type, population, handle, payload, expires: Infinity }
    this.sent[type]!++
    return number
  }

  /** Delivers: to the first waiting token with a filter that fits, else into the mailbox. 10064 when that is full and the plan says `error`. */
  arrive(number: number): void {
    const message = this.#messages[number]
    if (!message) throw new EngineFault(`mail: there is no message ${number}`)
    const { type, population, handle, payload } = message
    if (handle >= 0 && !this.#hooks.isAlive(population, handle)) {
      this.#drop(number, this.lost)
      return
    }
    const box = this.#box(type, population, handle)
    const taker = box.waiting.find(waiting => waiting.fits === null || waiting.fits(payload))
    if (taker) {
      this.#drop(number, this.received)
      this.#endWait(taker)
      this.#hooks.deliver(taker.token, payload)
      return
    }
    const { capacity, full, lifetime } = this.#plans[type]!
    message.expires = this.#clock.time + lifetime
    this.#expire(box)
    if (box.messages.length >= capacity) {
      if (full === 'error') throw new RunError(10064)
      if (full === 'dropNew') {
        this.#drop(number, this.lost)
        return
      }
      this.#drop(box.messages.shift()!, this.lost)
    }
    box.messages.push(number)
  }

  /** Takes the oldest fitting message: its payload, or undefined when there is none. */
  take(type: number, population: number, handle: number, fits: Fits): unknown {
    const box = this.#boxes[type]?.[population + 1]?.get(handle)
    if (!box) return undefined
    this.#expire(box)
    const at = box.messages.findIndex(number => fits === null || fits(this.#messages[number]!.payload))
    if (at < 0) return undefined
    const [number] = box.messages.splice(at, 1)
    const { payload } = this.#messages[number!]!
    this.#drop(number!, this.received)
    this.#tidy(type, population, handle, box)
    return payload
  }

  /** Lets a token wait for a message; it doesn't look into the mailbox (`take` does). */
  wait(token: number, type: number, population: number, handle: number, fits: Fits): void {
    const waiting: Waiting = { token, type, population, handle, fits }
    this.#box(type, population, handle).waiting.push(waiting)
    const waits = this.#waits.get(token)
    if (waits) waits.push(waiting)
    else this.#waits.set(token, [waiting])
  }

  /** After a restore: the filter of a waiting token (functions aren't saved). Its place in the order stays. */
  refit(token: number, type: number, fits: Fits): void {
    for (const waiting of this.#waits.get(token) ?? []) if (waiting.type === type) waiting.fits = fits
  }

  waitForSignal(token: number, signal: number): void {
    const tokens = this.#signals.get(signal)
    if (tokens) tokens.push(token)
    else this.#signals.set(signal, [token])
  }

  /** The tokens that wait for a signal, longest first; they wait no longer. */
  throwSignal(signal: number): number[] {
    const tokens = this.#signals.get(signal) ?? []
    this.#signals.delete(signal)
    return tokens
  }

  /** The token was cancelled or another event came first. */
  stopWaiting(token: number): void {
    for (const waiting of this.#waits.get(token)?.slice() ?? []) this.#endWait(waiting)
    for (const [signal, tokens] of this.#signals) {
      if (!tokens.includes(token)) continue
      const rest = tokens.filter(one => one !== token)
      if (rest.length > 0) this.#signals.set(signal, rest)
      else this.#signals.delete(signal)
    }
  }

  /** The receiver died: deletes its mail and ends the waits for it. */
  forget(population: number, handle: number): void {
    for (const populations of this.#boxes) {
      const box = populations[population + 1]?.get(handle)
      if (!box) continue
      for (const number of box.messages) this.#drop(number, this.lost)
      for (const waiting of box.waiting.slice()) this.#endWait(waiting)
      populations[population + 1]?.delete(handle)
    }
  }

  /** Messages in a mailbox. */
  count(type: number, population: number, handle: number): number {
    const box = this.#boxes[type]?.[population + 1]?.get(handle)
    if (!box) return 0
    this.#expire(box)
    return box.messages.length
  }

  save(values: ValueWriter): State {
    return {
      sent: this.sent.slice(),
      received: this.received.slice(),
      lost: this.lost.slice(),
      messages: this.#messages.map(
        message => message && [message.type, message.population, message.handle, values.write(message.payload), message.expires],
      ),
      free: [...this.#free],
      boxes: this.#boxes.map(populations =>
        populations.map(boxes =>
          boxes ? [...boxes].map(([handle, box]) => [handle, [...box.messages], box.waiting.map(waiting => waiting.token)]) : [],
        ),
      ),
      signals: [...this.#signals].map(([signal, tokens]) => [signal, [...tokens]]),
    }
  }

  load(state: State, values: ValueReader): void {
    const saved = recordOf(state)
    this.sent = floatsOf(saved['sent'])
    this.received = floatsOf(saved['received'])
    this.lost = floatsOf(saved['lost'])
    this.#messages = listOf(saved['messages'] ?? null).map(one => {
      if (one === null) return null
      const [type, population, handle, payload, expires] = listOf(one)
      return {
        type: numberOf(type),
        population: numberOf(population),
        handle: numberOf(handle),
        payload: values.read(payload ?? null),
        expires: numberOf(expires),
      }
    })
    this.#free = listOf(saved['free'] ?? null).map(numberOf)
    this.#waits.clear()
    this.#boxes = this.#plans.map(() => [])
    for (const [type, populations] of listOf(saved['boxes'] ?? null).entries()) {
      for (const [index, boxes] of listOf(populations ?? null).entries()) {
        this.#boxes[type]?.push(new Map())
        for (const one of listOf(boxes ?? null)) {
          const [handle, messages, tokens] = listOf(one)
          this.#box(type, index - 1, numberOf(handle)).messages = listOf(messages ?? null).map(numberOf)
          for (const token of listOf(tokens ?? null)) this.wait(numberOf(token), type, index - 1, numberOf(handle), null)
        }
      }
    }
    this.#signals.clear()
    for (const one of listOf(saved['signals'] ?? null)) {
      const [signal, tokens] = listOf(one)
      this.#signals.set(numberOf(signal), listOf(tokens ?? null).map(numberOf))
    }
  }

  #box(type: number, population: number, handle: number): Box {
    const populations = this.#boxes[type]
    if (!populations) throw new EngineFault(`mail: there is no message type ${type}`)
    while (populations.length <= population + 1) populations.push(new Map())
    const boxes = populations[population + 1]!
    const known = boxes.get(handle)
    if (known) return known
    const box: Box = { messages: [], waiting: [] }
    boxes.set(handle, box)
    return box
  }

  #endWait(waiting: Waiting): void {
    const { token, type, population, handle } = waiting
    const box = this.#box(type, population, handle)
    box.waiting.splice(box.waiting.indexOf(waiting), 1)
    this.#tidy(type, population, handle, box)
    const waits = this.#waits.get(token)
    waits?.splice(waits.indexOf(waiting), 1)
    if (waits?.length === 0) this.#waits.delete(token)
  }

  #tidy(type: number, population: number, handle: number, box: Box): void {
    if (box.messages.length === 0 && box.waiting.length === 0) this.#boxes[type]![population + 1]!.delete(handle)
  }

  #expire(box: Box): void {
    const { time } = this.#clock
    while (box.messages.length > 0 && this.#messages[box.messages[0]!]!.expires <= time) this.#drop(box.messages.shift()!, this.lost)
  }

  #drop(number: number, counter: Float64Array): void {
    counter[this.#messages[number]!.type]!++
    this.#messages[number] = null
    this.#free.push(number)
  }
}
