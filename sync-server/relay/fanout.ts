// The messages about documents between servers that share a database, and the bytes of it: updates that were committed, who is
// present, and orders to all rooms. Everything here may be lost; `rooms.ts` looks into the log when it may have been.
import * as decoding from 'lib0/decoding'
import * as encoding from 'lib0/encoding'
import { nanoid } from 'nanoid'
import type { Bus } from '../bus/bus.ts'
import type { Control } from '../protocol.ts'
import type { AwarenessLine } from './frames.ts'
import type { Commit } from './log.ts'
import { logFailure } from '../db/failures.ts'

/** A member's presence in a room of another server. */
export type SharedLine = AwarenessLine & { userId: string }

/** What a server does in its own rooms and asks of all others. */
export type Order =
  | { do: 'revoke'; docId: string; userId?: string }
  | { do: 'revoke-everywhere'; userId: string }
  | { do: 'recheck-workspace'; team: string }
  | { do: 'tell'; userId: string; type: Control['type'] }
  | { do: 'end-session'; sessionId: string }
  | { do: 'end'; docId: string; code: number; reason: string }
  | { do: 'control'; docId: string; message: Control }

/** What a room receives about the same document from other servers. */
export type Ear = {
  commit(commit: Commit): void
  presence(server: string, lines: readonly SharedLine[]): void
  /** The document was opened elsewhere: asks for the members here. */
  asked(): void
}

const COMMIT = 1
const PRESENCE = 2
const ASK = 3
const ORDERS = 'orders'

export class Fanout {
  readonly bus: Bus
  readonly #server = nanoid(10)

  constructor(bus: Bus) {
    this.bus = bus
  }

  /** Subscribes to a document from now on. */
  listen(docId: string, ear: Ear): Promise<void> {
    return this.bus.listen(`doc:${docId}`, message => {
      try {
        this.#read(message, ear)
      } catch (error) {
        logFailure(`relay: a message about ${docId} cannot be read:`, error)
      }
    })
  }

  unlisten(docId: string): void {
    this.bus.unlisten(`doc:${docId}`).catch((error: unknown) => logFailure(`relay: cannot stop listening to ${docId}:`, error))
  }

  onOrder(obey: (order: Order) => void): Promise<void> {
    return this.bus.listen(ORDERS, message => {
      const { from, order }: { from: string; order: Order } = JSON.parse(Buffer.from(message).toString())
      if (from !== this.#server) obey(order)
    })
  }

  order(order: Order): void {
    this.bus.publish(ORDERS, Buffer.from(JSON.stringify({ from: this.#server, order })))
  }

  commit(docId: string, { after, seq, updates, owners }: Commit): void {
    const bytes = updates.reduce((sum, update) => sum + update.length + 8, 200)
    // Too much for the bus: those who need it read it from the log.
    const carried = bytes > this.bus.maxBytes ? [] : updates
    const message = this.#message(COMMIT, encoder => {
      encoding.writeVarUint(encoder, after)
      encoding.writeVarUint(encoder, seq)
      encoding.writeVarUint(encoder, owners.length)
      for (const [client, userId] of owners) {
        encoding.writeVarUint(encoder, client)
        encoding.writeVarString(encoder, userId)
      }
      encoding.writeVarUint(encoder, carried.length)
      for (const update of carried) encoding.writeVarUint8Array(encoder, update)
    })
    this.bus.publish(`doc:${docId}`, message)
  }

  presence(docId: string, lines: readonly SharedLine[]): void {
    let part: SharedLine[] = []
    let bytes = 0
    const send = (): void => {
      if (part.length > 0)
        this.bus.publish(
          `doc:${docId}`,
          this.#message(PRESENCE, encoder => writeLines(encoder, part)),
        )
      part = []
      bytes = 0
    }
    for (const line of lines) {
      const size = Buffer.byteLength(line.state) + line.userId.length + 30
      if (bytes + size > this.bus.maxBytes) send()
      part.push(line)
      bytes += size
    }
    send()
  }

  ask(docId: string): void {
    this.bus.publish(
      `doc:${docId}`,
      this.#message(ASK, () => {}),
    )
  }

  #message(type: number, body: (encoder: encoding.Encoder) => void): Uint8Array {
    return encoding.encode(encoder => {
      encoding.writeVarUint(encoder, type)
      encoding.writeVarString(encoder, this.#server)
      body(encoder)
    })
  }

  #read(message: Uint8Array, ear: Ear): void {
    const decoder = decoding.createDecoder(message)
    const type = decoding.readVarUint(decoder)
    const server = decoding.readVarString(decoder)
    if (server === this.#server) return
    if (type === ASK) ear.asked()
    else if (type === PRESENCE) ear.presence(server, readLines(decoder))
    else if (type === COMMIT) {
      const after = decoding.readVarUint(decoder)
      const seq = decoding.readVarUint(decoder)
      const owners = times(decoding.readVarUint(decoder), (): [number, string] => [
        decoding.readVarUint(decoder),
        decoding.readVarString(decoder),
      ])
      const updates = times(decoding.readVarUint(decoder), () => decoding.readVarUint8Array(decoder))
      ear.commit({ after, seq, updates, owners })
    }
  }
}

function writeLines(encoder: encoding.Encoder, lines: readonly SharedLine[]): void {
  encoding.writeVarUint(encoder, lines.length)
  for (const { client, clock, state, userId } of lines) {
    encoding.writeVarUint(encoder, client)
    encoding.writeVarUint(encoder, clock)
    encoding.writeVarString(encoder, state)
    encoding.writeVarString(encoder, userId)
  }
}

function readLines(decoder: decoding.Decoder): SharedLine[] {
  return times(decoding.readVarUint(decoder), () => ({
    client: decoding.readVarUint(decoder),
    clock: decoding.readVarUint(decoder),
    state: decoding.readVarString(decoder),
    userId: decoding.readVarString(decoder),
  }))
}

function times<T>(count: number, make: () => T): T[] {
  const made: T[] = []
  for (let i = 0; i < count; i++) made.push(make())
  return made
}
