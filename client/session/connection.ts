// The connection to the relay: y-websocket's provider for the protocol, our own decisions about when to connect. The provider never
// reconnects by itself, because every attempt needs a fresh ticket and a random delay (a restarted server must not meet all its clients in
// one instant). Marks and acks report exactly what the server has stored.
import * as decoding from 'lib0/decoding'
import * as encoding from 'lib0/encoding'
import { Awareness, encodeAwarenessUpdate, removeAwarenessStates } from 'y-protocols/awareness'
import { WebsocketProvider } from 'y-websocket'
import type * as Y from 'yjs'
import { CLOSE, MESSAGE, PROTOCOL, canWrite } from '../../sync-server/protocol.ts'
import type { Control, Hello, Role } from '../../sync-server/protocol.ts'
import { readJson } from '../validate.ts'
import type * as z from '../zod.ts'
import { controlSchema, drainSchema, greetingSchema, helloSchema, roleSchema } from './frames.ts'
import { SessionError } from './target.ts'
import type { Ending, ConnectionInput } from './target.ts'

export type LineState =
  /** Taking a ticket, connecting, or waiting for the first synchronisation. */
  | 'connecting'
  /** In sync; `saving` while something of ours is not committed yet. */
  | 'saving'
  | 'saved'
  /** Not reachable; trying again. */
  | 'offline'
  /** Given up; see the ending. */
  | 'ended'

type Watcher = {
  state(state: LineState): void
  ended(ending: Ending): void
  role(role: Role, refused: boolean): void
  hello(hello: Hello): void
  /** All that was in the document is committed. */
  acked(): void
  /** Something is in the document that is not committed. */
  unacked(): void
  control(message: Control): void
  /** The peers changed, or a new awareness replaced the old one. */
  peers(awareness: Awareness): void
}

const backoffMs = { first: 250, most: 30_000 }
/** A socket that has not said hello after so long is given up. */
const helloTimeoutMs = 15_000
const markDelayMs = 40

export class Connection {
  readonly #doc: Y.Doc
  readonly #docId: string
  readonly #epoch: string
  readonly #line: ConnectionInput
  readonly #watch: Watcher
  #provider: WebsocketProvider
  #wanted = false
  #state: LineState = 'connecting'
  #failures = 0
  #turn = 0
  #retry: ReturnType<typeof setTimeout> | undefined
  #hello: ReturnType<typeof setTimeout> | undefined
  #mark = 0
  #acked = 0
  #markTimer: ReturnType<typeof setTimeout> | undefined
  #writable = true
  #presence: Record<string, unknown> | null = null

  constructor(doc: Y.Doc, docId: string, epoch: string, line: ConnectionInput, watch: Watcher) {
    this.#doc = doc
    this.#docId = docId
    this.#epoch = epoch
    this.#line = line
    this.#watch = watch
    this.#provider = this.#build()
    doc.on('update', this.#onUpdate)
    doc.on('afterTransaction', this.#onTransaction)
  }

  /** Begins to connect, and keeps connected until `close`. */
  open(): void {
    this.#wanted = true
    void this.#attempt()
  }

  /** Tries at once: the network is back, or the page is looked at again. */
  wake(): void {
    if (!this.#wanted || this.#provider.wsconnected || this.#provider.wsconnecting) return
    this.#failures = 0
    void this.#attempt()
  }

  /** The network is gone: shows it and closes a socket that would only seem open. Keeps trying to connect. */
  cut(): void {
    if (!this.#wanted) return
    this.#provider.disconnect()
  }

  /** Shows this state to the others; null removes it. The server adds the user's identity. */
  present(state: Record<string, unknown> | null): void {
    this.#presence = state
    this.#provider.awareness.setLocalState(state)
  }

  /** Whether another peer is connected. */
  get awareness(): Awareness {
    return this.#provider.awareness
  }

  close(): void {
    this.#wanted = false
    this.#turn++
    clearTimeout(this.#retry)
    clearTimeout(this.#hello)
    clearTimeout(this.#markTimer)
    this.#doc.off('update', this.#onUpdate)
    this.#doc.off('afterTransaction', this.#onTransaction)
    this.#tear(this.#provider)
  }

  // --- connecting ---

  async #attempt(): Promise<void> {
    const turn = ++this.#turn
    clearTimeout(this.#retry)
    try {
      const ticket = await this.#line.ticket()
      if (turn !== this.#turn || !this.#wanted) return
      this.#provider.params = { ticket, p: '1', t: '1', e: this.#epoch }
      this.#provider.connect()
      clearTimeout(this.#hello)
      this.#hello = setTimeout(() => this.#provider.disconnect(), helloTimeoutMs)
    } catch (error) {
      if (turn !== this.#turn || !this.#wanted) return
      if (error instanceof SessionError) return error.code === 'unreachable' ? this.#later() : this.#end(error.code)
      this.#later()
    }
  }

  #later(afterMs = this.#delay()): void {
    if (!this.#wanted) return
    this.#show('offline')
    this.#turn++
    clearTimeout(this.#retry)
    this.#retry = setTimeout(() => void this.#attempt(), afterMs)
  }

  #delay(): number {
    const full = Math.min(backoffMs.most, backoffMs.first * 2 ** this.#failures++)
    return full * (0.5 + (this.#line.random ?? Math.random)() / 2)
  }

  #onClose(event: { code: number } | null): void {
    clearTimeout(this.#hello)
    clearTimeout(this.#markTimer)
    if (!this.#wanted) return
    switch (event?.code) {
      case CLOSE.noAccess:
        return this.#end('no-access')
      case CLOSE.noDocument:
        return this.#end('no-document')
      case CLOSE.epoch:
        return this.#end('epoch')
      case CLOSE.upgradeRequired:
        return this.#end('upgrade')
      case CLOSE.tooLarge:
        return this.#end('too-large')
      case CLOSE.badMessage:
        return this.#end('refused')
      // The next attempt takes a new ticket anyway; a changed role is found out by it.
      case CLOSE.ticket:
      case CLOSE.accessChanged:
        return this.#later(this.#failures++ === 0 ? 0 : undefined)
      default:
        return this.#later()
    }
  }

  #end(ending: Ending): void {
    this.#wanted = false
    this.#turn++
    clearTimeout(this.#retry)
    this.#show('ended')
    this.#watch.ended(ending)
  }

  #show(state: LineState): void {
    if (this.#state === state) return
    this.#state = state
    this.#watch.state(state)
  }

  // --- what is committed ---

  readonly #onUpdate = (_update: Uint8Array, origin: unknown): void => {
    if (origin === this.#provider || !this.#writable) return
    this.#needMark()
  }

  #needMark(): void {
    if (this.#acked === this.#mark) this.#watch.unacked()
    this.#mark++
    if (this.#provider.synced) this.#show('saving')
    this.#markTimer ??= setTimeout(() => this.#sendMark(), markDelayMs)
  }

  #sendMark(): void {
    this.#markTimer = undefined
    // While not in sync there is nothing to mark: the mark is sent after the synchronisation.
    if (!this.#provider.synced || !this.#writable) return
    this.#send(encoder => {
      encoding.writeVarUint(encoder, MESSAGE.mark)
      encoding.writeVarUint(encoder, this.#mark)
    })
  }

  #onSync(synced: boolean): void {
    if (!synced) return
    this.#failures = 0
    if (!this.#writable) return this.#show('saved')
    // Our answer to the server's step 1 is already on its way: the mark comes after it.
    this.#mark++
    this.#show('saving')
    clearTimeout(this.#markTimer)
    this.#sendMark()
  }

  #onAck(n: number): void {
    this.#acked = Math.max(this.#acked, Math.min(n, this.#mark))
    if (this.#acked !== this.#mark) return
    this.#show('saved')
    this.#watch.acked()
  }

  #onRole(role: Role, refused: boolean): void {
    this.#writable = canWrite(role)
    if (!this.#writable && this.#provider.synced) this.#show('saved')
    this.#watch.role(role, refused)
  }

  // --- the provider ---

  #build(): WebsocketProvider {
    const awareness = new Awareness(this.#doc)
    awareness.setLocalState(this.#presence)
    const provider = new WebsocketProvider(this.#line.url, this.#docId, this.#doc, {
      connect: false,
      // Tabs would meet in a channel that carries no user: two accounts in one browser would share what only one may see.
      disableBc: true,
      awareness,
      maxBackoffTime: backoffMs.most,
      resyncInterval: 60_000,
      shouldReconnect: () => false,
      ...(this.#line.Socket === undefined ? {} : { WebSocketPolyfill: this.#line.Socket }),
    })
    // It would send our absence over the line, and throw when the client id has changed; the server knows when a line is gone.
    provider.disconnectBc = () => undefined
    // The stock handler sends everybody's state back to the server: n clients would send n times what they should.
    awareness.off('update', provider._awarenessUpdateHandler)
    awareness.on('update', (change: AwarenessChange, origin: unknown) => {
      this.#watch.peers(awareness)
      if (origin === provider) return
      const own = [...change.added, ...change.updated, ...change.removed].filter(client => client === awareness.clientID)
      if (own.length === 0) return
      this.#send(encoder => {
        encoding.writeVarUint(encoder, MESSAGE.awareness)
        encoding.writeVarUint8Array(encoder, encodeAwarenessUpdate(awareness, own))
      })
    })
    provider.on('status', ({ status }) => {
      if (status === 'connecting' && this.#state !== 'offline') this.#show('connecting')
    })
    provider.on('sync', synced => this.#onSync(synced))
    provider.on('connection-close', event => {
      // Also after the provider's own watchdog: no attempt without a fresh ticket.
      provider.shouldConnect = false
      if (provider === this.#provider) this.#onClose(event)
    })
    this.#listen(provider)
    return provider
  }

  #listen(provider: WebsocketProvider): void {
    const on = (type: number, handle: (decoder: decoding.Decoder) => void): void => {
      provider.messageHandlers[type] = (_encoder, decoder) => handle(decoder)
    }
    /** What can't be read ends the socket: the next attempt takes a new one. */
    const read = <T>(schema: z.ZodMiniType<T>, text: string): T | null => {
      const value = readJson(schema, text)
      if (value !== null) return value
      console.warn('a frame of the server could not be read')
      provider.disconnect()
      this.#later()
      return null
    }
    on(MESSAGE.hello, decoder => {
      clearTimeout(this.#hello)
      const text = decoding.readVarString(decoder)
      const greeting = read(greetingSchema, text)
      if (greeting === null) return
      if (greeting.epoch !== this.#epoch) return this.#refuse('epoch')
      if (greeting.protocol !== PROTOCOL) return this.#refuse('upgrade')
      const hello = read(helloSchema, text)
      if (hello === null) return
      this.#watch.hello(hello)
      this.#onRole(hello.role, false)
    })
    on(MESSAGE.mark, decoder => this.#onAck(decoding.readVarUint(decoder)))
    on(MESSAGE.role, decoder => {
      const notice = read(roleSchema, decoding.readVarString(decoder))
      if (notice !== null) this.#onRole(notice.role, notice.reason === 'read-only')
    })
    on(MESSAGE.drain, decoder => {
      const drain = read(drainSchema, decoding.readVarString(decoder))
      if (drain === null) return
      provider.disconnect()
      this.#later(Math.min(60_000, Math.max(0, drain.retryAfterMs)))
    })
    // A sign of life; the provider has noted the time already.
    on(MESSAGE.tick, () => undefined)
    on(MESSAGE.token, () => void this.#renew(provider.ws))
    // Hints only: one that a newer server sends and this page does not know is left out.
    on(MESSAGE.control, decoder => {
      const control = readJson(controlSchema, decoding.readVarString(decoder))
      if (control !== null) this.#watch.control(control)
    })
  }

  #refuse(ending: Ending): void {
    this.#end(ending)
    this.#provider.disconnect()
  }

  /** The server wants to know that we may still be here. */
  async #renew(asking: WebSocket | null): Promise<void> {
    try {
      const ticket = await this.#line.ticket()
      if (asking !== this.#provider.ws) return
      this.#send(encoder => {
        encoding.writeVarUint(encoder, MESSAGE.token)
        encoding.writeVarString(encoder, ticket)
      })
    } catch (error) {
      if (asking !== this.#provider.ws || !this.#wanted) return
      // Without an answer the server closes the line within a minute, and we connect again as soon as there are tickets.
      if (error instanceof SessionError && error.code !== 'unreachable') this.#refuse(error.code)
    }
  }

  #send(write: (encoder: encoding.Encoder) => void): void {
    const socket = this.#provider.ws
    if (socket?.readyState === 1) socket.send(encoding.encode(write).slice())
  }

  /**
   * Yjs takes another client id when it meets its own in a foreign change (a duplicated tab). Awareness keeps the old one and the next
   * connection would fail on it: both are created again.
   */
  readonly #onTransaction = (): void => {
    if (this.#doc.clientID === this.#provider.awareness.clientID) return
    const old = this.#provider
    this.#provider = this.#build()
    this.#tear(old)
    this.#watch.peers(this.#provider.awareness)
    if (this.#wanted) void this.#attempt()
  }

  #tear(provider: WebsocketProvider): void {
    removeAwarenessStates(provider.awareness, [provider.awareness.clientID], 'closed')
    provider.awareness.destroy()
    provider.destroy()
  }
}

type AwarenessChange = { added: number[]; updated: number[]; removed: number[] }
