// A person's browser as the chaos suites see it: a document that outlives its connections, and what it was promised.
import * as Y from 'yjs'
import * as decoding from 'lib0/decoding'
import { MESSAGE, SYNC } from '../../../sync-server/protocol.ts'
import { ackFrame, step1Frame, step2Frame, updateFrame } from '../../../sync-server/relay/frames.ts'
import type { Chance } from '../random.ts'
import { openSocket } from '../server.ts'
import type { Person, RawSocket } from '../server.ts'

export class Client {
  readonly doc = new Y.Doc()
  readonly name: string
  /** Keys of acked edits. */
  readonly acked = new Set<string>()
  readonly #made: { mark: number; key: string }[] = []
  #socket: RawSocket | null = null
  #mark = 0
  #edits = 0

  constructor(name: string) {
    this.name = name
    this.doc.on('update', (update: Uint8Array, origin: unknown) => {
      if (origin !== this) this.#socket?.send(updateFrame(update))
    })
  }

  /** Connects to the server at `url`, by default the one that the person signed in at. */
  async connect(person: Person, docId: string, url = person.url): Promise<void> {
    const socket = await openSocket(url, docId, `ticket=${await person.ticket(docId)}&p=1`)
    this.#socket = socket
    const hear = (frame: Uint8Array): void => this.#hear(socket, frame)
    for (const frame of socket.frames) hear(frame)
    socket.ws.on('message', hear)
    socket.send(step1Frame(Y.encodeStateVector(this.doc)))
    if (this.#mark > 0) socket.send(ackFrame(this.#mark))
  }

  edit(random: Chance): void {
    const key = `${this.name}/${++this.#edits}`
    this.doc.transact(() => {
      this.doc.getMap('data').set(key, random.text(60))
      if (random.chance(0.3)) this.doc.getMap('geo').set(`e${random.below(8)}`, [random.below(100), 0, 1, 1])
    })
    this.#made.push({ mark: ++this.#mark, key })
    this.#socket?.send(ackFrame(this.#mark))
  }

  /** Everything made is acked. */
  async settled(): Promise<void> {
    await this.#socket?.until(() => this.acked.size === this.#made.length)
  }

  get isConnected(): boolean {
    return this.#socket !== null && this.#socket.closeCode === null
  }

  gone(): void {
    this.#socket?.close()
    this.#socket = null
  }

  #hear(socket: RawSocket, frame: Uint8Array): void {
    if (socket !== this.#socket) return
    const decoder = decoding.createDecoder(frame)
    const type = decoding.readVarUint(decoder)
    if (type === MESSAGE.mark) {
      const upTo = decoding.readVarUint(decoder)
      for (const { mark, key } of this.#made) if (mark <= upTo) this.acked.add(key)
    }
    if (type !== MESSAGE.sync) return
    const step = decoding.readVarUint(decoder)
    const bytes = decoding.readVarUint8Array(decoder)
    if (step === SYNC.step1) socket.send(step2Frame(Y.encodeStateAsUpdate(this.doc, bytes)))
    else Y.applyUpdate(this.doc, bytes, this)
  }
}

/** Waits until these documents satisfy `isTrue`, looked at whenever one of them changes; returns after `patience` milliseconds anyway. */
export async function changedUntil(docs: readonly Y.Doc[], isTrue: () => boolean, patience = 60_000): Promise<void> {
  await new Promise<void>(done => {
    const look = (): void => {
      if (isTrue()) end()
    }
    const end = (): void => {
      clearTimeout(timer)
      for (const doc of docs) doc.off('update', look)
      done()
    }
    const timer = setTimeout(end, patience)
    for (const doc of docs) doc.on('update', look)
    look()
  })
}

/** What the chaos suites write, as one comparable text. */
export const content = (doc: Y.Doc): string =>
  JSON.stringify(['data', 'geo'].map(name => Object.entries(doc.getMap(name).toJSON()).sort(([a], [b]) => (a < b ? -1 : 1))))
