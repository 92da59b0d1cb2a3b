// Tabs of one person with the same document, when the server cannot bring them together: the device-only workspace, or no
// network. The channel is keyed by user, document and epoch, so that accounts sharing a browser never meet.
import * as Y from 'yjs'
import { readValue } from '../validate.ts'
import * as z from '../zod.ts'

const messageSchema = z.union([z.object({ ask: z.instanceof(Uint8Array) }), z.object({ update: z.instanceof(Uint8Array) })])
type Message = { ask: Uint8Array } | { update: Uint8Array }

export class Tabs {
  readonly #doc: Y.Doc
  readonly #channel: BroadcastChannel
  readonly #apart: () => boolean

  /** `apart` says whether the server is not bringing our changes to the other tabs just now. */
  constructor(key: string, doc: Y.Doc, apart: () => boolean) {
    this.#doc = doc
    this.#apart = apart
    this.#channel = new BroadcastChannel(`holarchy/${key}`)
    this.#channel.addEventListener('message', event => this.#receive(event.data))
  }

  /** Asks the other tabs for the updates this one lacks, and sends them its edits from now on. */
  meet(): void {
    // Not before: what is read from the disk is no edit, and without a listener Yjs need not encode an update.
    this.#doc.on('update', this.#onUpdate)
    this.#post({ ask: Y.encodeStateVector(this.#doc) })
  }

  close(): void {
    this.#doc.off('update', this.#onUpdate)
    this.#channel.close()
  }

  readonly #onUpdate = (update: Uint8Array, origin: unknown): void => {
    if (origin !== this && this.#apart()) this.#post({ update })
  }

  #receive(data: unknown): void {
    const message = readValue(messageSchema, data)
    if (message === null) return
    try {
      if ('update' in message) Y.applyUpdate(this.#doc, message.update, this)
      else if (this.#apart()) this.#post({ update: Y.encodeStateAsUpdate(this.#doc, message.ask) })
    } catch (error) {
      console.warn('a message of another tab could not be read', error)
    }
  }

  #post(message: Message): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel is of one origin
    this.#channel.postMessage(message)
  }
}
