// What this device stores besides documents: their comments as last fetched, comments not yet sent to the server, and versions that exist
// only here. A database of its own, keyed by user like the other.
import { Dexie } from 'dexie'
import type { Table } from 'dexie'
import type { Origin } from '../../model-schema/proposals.ts'
import type { ErrorCode } from '../../sync-server/protocol.ts'
import { retold, type CommentChange, type May, type ReadState, type Somebody, type Thread } from '../comments/threads.ts'

/** The comments of a document as last received from the server (for a document on this device only, the comments themselves). */
type TalkRow = { user: string; doc: string; threads: readonly Thread[]; may: May }

/** How far a person has read the comments of a document, on this device. */
type SeenRow = ReadState & { user: string; doc: string }

/** Something said here that the server has not heard. */
export type UnsentRow = {
  seq?: number
  user: string
  doc: string
  /** Code of the link it was said by. */
  share?: string
  change: CommentChange
  who: Somebody
  /** ISO 8601. */
  at: string
  /** Why the server refused it for good. */
  refused?: ErrorCode
}

/** A version kept on this device: the whole document as the text of a `.holo` file. */
export type LocalVersion = {
  user: string
  doc: string
  id: string
  kind: 'auto' | 'named' | 'before-restore'
  name: string | null
  remark: string
  author: string
  at: string
  holo: string
  /** The proposal of which parts were accepted just before. */
  origin?: Origin
}

class Shelf extends Dexie {
  declare talk: Table<TalkRow, [string, string]>
  declare unsent: Table<UnsentRow, number>
  declare versions: Table<LocalVersion, [string, string, string]>
  declare seen: Table<SeenRow, [string, string]>

  constructor() {
    super('holarchy-shelf')
    this.version(1).stores({
      talk: '[user+doc], user',
      unsent: '++seq, user, [user+doc]',
      versions: '[user+doc+id], [user+doc], user',
    })
    this.version(2).stores({ seen: '[user+doc], user' })
  }
}

export const shelf = new Shelf()

/** Removes all that is stored with a document, or with all documents of a user. */
export async function clearShelf(user: string, doc?: string): Promise<void> {
  for (const table of [shelf.talk, shelf.unsent, shelf.versions, shelf.seen]) {
    if (doc === undefined) await table.where('user').equals(user).delete()
    else await table.where('[user+doc]').equals([user, doc]).delete()
  }
}

/** Moves what is stored with a document of this device into an account: versions unchanged, comments queued for its server. */
export async function moveShelf(from: string, to: Somebody, doc: string): Promise<void> {
  await shelf.transaction('rw', shelf.talk, shelf.unsent, shelf.versions, async () => {
    const versions = await shelf.versions.where('[user+doc]').equals([from, doc]).toArray()
    await shelf.versions.bulkPut(versions.map(version => ({ ...version, user: to.id })))
    const talk = await shelf.talk.get([from, doc])
    // Once is enough: a second try after an interruption finds them waiting.
    const waiting = await shelf.unsent.where('[user+doc]').equals([to.id, doc]).count()
    if (!talk || waiting > 0) return
    const at = new Date().toISOString()
    const who = { id: to.id, name: to.name }
    await shelf.unsent.bulkAdd(retold(talk.threads).map(change => ({ user: to.id, doc, change, who, at })))
  })
}
