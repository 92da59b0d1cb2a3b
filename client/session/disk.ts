// A document on this device, stored by y-indexeddb. That library reads and merges; its writes are lost when the page is left before they
// are answered, it does not report when a row is stored, and a failing database makes it wait for ever or throw into the editing code.
// Therefore: rows are checked before it opens (rows.ts), an edit commits its row at once and is saved elsewhere when the page is left
// before it is stored (unstored.ts), rows are counted and their checksums recorded when no edit came for a while, and after any failure the
// database is reopened, which stores the whole document. The state `failed` is shown to the user.
import { IndexeddbPersistence, clearDocument, storeState } from 'y-indexeddb'
import * as Y from 'yjs'
import { addRow, checkRows, commitRow, forgetLost, soundRows, stored } from './rows.ts'
import { forgetUnstored, keepUnstored, unstoredOf } from './unstored.ts'

/** `saving` also while loading; `failed` means: only in memory now. */
type DiskState = 'saving' | 'saved' | 'failed'

type Loaded = {
  /** Rows read, and rows that could not be (damaged, and left out) since the content was last known to be whole. */
  rows: number
  damaged: number
}

/** After so many rows the document is written as one; after fewer when it is closed. */
const compactRows = 200
const closeRows = 20
/** Rows are counted when no edit came for so long: while they are, another edit's row would have to wait. */
const noteMs = 1000
const retryMs = [500, 1000, 2000, 5000, 15_000]

export class Disk {
  readonly name: string
  readonly #doc: Y.Doc
  readonly #watch: (state: DiskState) => void
  #kept: IndexeddbPersistence | null = null
  #state: DiskState = 'saving'
  /** Counts edits, to see whether more came while some were confirmed. */
  #edits = 0
  /** Rows with a pending transaction. */
  readonly #writing = new Set<Uint8Array>()
  #left = false
  /** Whether edits are kept in localStorage, too. */
  #isKept = false
  #note: ReturnType<typeof setTimeout> | undefined
  #confirming: IndexeddbPersistence | null = null
  #last = 0
  #rows = 0
  #lost = 0
  #attempt = 0
  #retry: ReturnType<typeof setTimeout> | undefined
  #closed = false
  #idle: (() => void)[] = []

  constructor(name: string, doc: Y.Doc, watch: (state: DiskState) => void) {
    this.name = name
    this.#doc = doc
    this.#watch = watch
  }

  /**
   * Brings the stored rows into the document. Settles after at most `timeoutMs`: with null when the disk did not answer or
   * could not be opened, in which case the document lives in memory and reading is tried again behind the scenes.
   */
  async load(timeoutMs = 5000): Promise<Loaded | null> {
    let timer: ReturnType<typeof setTimeout> | undefined
    const late = new Promise<null>(resolve => {
      timer = setTimeout(() => resolve(null), timeoutMs)
    })
    const loaded = await Promise.race([this.#open(), late])
    clearTimeout(timer)
    this.#follow()
    if (loaded === null && this.#kept?.synced !== true) {
      this.#show('failed')
      this.#settle()
    }
    return loaded
  }

  /** Settles when all that the document holds now is stored; at once when the disk has failed. */
  async flushed(): Promise<void> {
    if (this.#closed || this.#state !== 'saving') return
    await new Promise<void>(resolve => this.#idle.push(resolve))
  }

  /** The page is hidden: it may end without another word. Keeps what is not stored yet. */
  hide(): void {
    if (this.#writing.size === 0) return
    this.#isKept = true
    keepUnstored(this.name, [...this.#writing])
  }

  /** The page is left, and may come back. Keeps what is not stored yet, and what is edited after this. */
  leave(): void {
    this.#left = true
    this.hide()
  }

  back(): void {
    this.#left = false
  }

  /** Writes the document as one row in place of many. Not while rows are lost: others may build on them. */
  async compact(): Promise<void> {
    const kept = this.#kept
    if (this.#closed || kept?.synced !== true || this.#lost > 0) return
    try {
      await this.#merge(kept)
    } catch (error) {
      this.#fail(kept, error) // the rows are all still there
    }
  }

  /** Says that what damaged rows held came back from elsewhere. */
  async mended(): Promise<void> {
    const kept = this.#kept
    if (this.#lost === 0 || kept === null || kept.db === null) return
    try {
      await this.#merge(kept)
      await forgetLost(kept.db)
      this.#lost = 0
    } catch (error) {
      this.#fail(kept, error)
    }
  }

  /** Writes what waits, then closes the database. */
  async close(): Promise<void> {
    if (this.#closed) return
    await this.flushed()
    clearTimeout(this.#note)
    if (this.#kept !== null) await this.#confirm(this.#kept)
    if (this.#rows > closeRows) await this.compact()
    this.#closed = true
    this.#doc.off('update', this.#onUpdate)
    clearTimeout(this.#retry)
    this.#settle()
    await this.#kept?.destroy()
  }

  /**
   * Listens to edits from now on. Not while the stored rows are applied: Yjs encodes an update for every transaction that has a listener.
   */
  #follow(): void {
    if (!this.#closed) this.#doc.on('update', this.#onUpdate)
  }

  readonly #onUpdate = (update: Uint8Array, origin: unknown): void => {
    const kept = this.#kept
    if (kept !== null && origin === kept) return
    this.#edits++
    if (this.#state !== 'failed') this.#show('saving')
    // Before the database is open there is nothing to do: opening stores the whole document.
    if (kept === null || kept.db === null) return
    try {
      this.#writing.add(update)
      if (this.#left) this.hide()
      commitRow(kept.db, update, () => this.#written(kept, update))
    } catch (error) {
      this.#fail(kept, error)
    }
  }

  #written(kept: IndexeddbPersistence, update: Uint8Array): void {
    if (this.#kept !== kept) return
    this.#writing.delete(update)
    clearTimeout(this.#note)
    this.#note = setTimeout(() => void this.#confirm(kept), noteMs)
    // Until the stored rows are read, #confirm reports the state.
    if (this.#writing.size > 0 || this.#confirming === kept || !kept.synced) return
    this.#stored()
  }

  async #open(): Promise<Loaded | null> {
    let kept: IndexeddbPersistence | null = null
    try {
      await storeUnstored(this.name)
      const { updates, lost } = await checkRows(this.name)
      if (this.#closed) return null
      this.#lost = lost
      this.#last = 0
      kept = this.#kept = new IndexeddbPersistence(this.name, this.#doc)
      this.#doc.off('update', kept._storeUpdate) // #onUpdate writes
      this.#listen(kept, await kept._db)
      // Whatever is edited before the rows are there, reading them stores it.
      kept.on('synced', () => this.#follow())
      const confirmed = this.#confirm(kept)
      // What was read is shown at once; a row that does not apply is only found by the confirmation.
      if (!(await Promise.race([kept.whenSynced.then(() => true), confirmed]))) return null
      return { rows: updates.length, damaged: lost }
    } catch (error) {
      this.#fail(kept, error)
      return null
    }
  }

  /** Hears of failed writes: their events end at the database. */
  #listen(kept: IndexeddbPersistence, db: IDBDatabase): void {
    // In the capture phase, before the request itself: the library's promise for it would reject without a handler.
    db.addEventListener('error', event => event.stopPropagation(), true)
    db.addEventListener('abort', event => this.#fail(kept, event.target instanceof IDBTransaction ? event.target.error : event))
    db.addEventListener('close', event => this.#fail(kept, event))
  }

  /** Shows `saved` when all edits are stored; says whether it came to that. One at a time. */
  async #confirm(kept: IndexeddbPersistence): Promise<boolean> {
    if (this.#confirming === kept || kept.db === null) return false
    this.#confirming = kept
    try {
      for (let seen = -1; seen !== this.#edits;) {
        seen = this.#edits
        await this.#count(kept, kept.db)
        if (this.#kept !== kept) return false
        // Its own reading was asked for before, so it is through: with what it read, or it stopped at a row.
        if (!kept.synced) throw new Error('the stored rows cannot be applied')
        if (this.#rows > compactRows && this.#lost === 0 && seen === this.#edits) await this.#merge(kept)
      }
      this.#attempt = 0
      this.#stored()
      return true
    } catch (error) {
      this.#fail(kept, error)
      return false
    } finally {
      if (this.#confirming === kept) this.#confirming = null
    }
  }

  async #merge(kept: IndexeddbPersistence): Promise<void> {
    if (kept.db === null) return
    // Reads first what other tabs wrote.
    await storeState(kept, true)
    await this.#count(kept, kept.db)
  }

  async #count(kept: IndexeddbPersistence, db: IDBDatabase): Promise<void> {
    const { last, rows } = await stored(db, this.#last)
    if (this.#kept !== kept) return
    this.#last = last
    this.#rows = rows
  }

  /** Closes the database and reopens it later: a lost connection (Safari) never comes back by itself. */
  #fail(kept: IndexeddbPersistence | null, error: unknown): void {
    if (this.#closed || this.#kept !== kept) return
    console.warn('the local copy', error)
    this.#kept = null
    this.#writing.clear()
    clearTimeout(this.#note)
    kept?.destroy().catch(() => undefined)
    this.#show('failed')
    this.#settle()
    clearTimeout(this.#retry)
    this.#retry = setTimeout(() => void this.#open(), retryMs[Math.min(this.#attempt++, retryMs.length - 1)])
  }

  #stored(): void {
    if (this.#isKept) keepUnstored(this.name, [])
    this.#isKept = false
    this.#show('saved')
    this.#settle()
  }

  #show(state: DiskState): void {
    if (this.#state === state) return
    this.#state = state
    this.#watch(state)
  }

  #settle(): void {
    for (const resolve of this.#idle.splice(0)) resolve()
  }
}

/** The stored content of a document that is not open, as one update; null when there is none. */
export async function readDisk(name: string): Promise<Uint8Array | null> {
  await storeUnstored(name)
  const updates = await soundRows(name)
  return updates.length === 0 ? null : Y.mergeUpdates(updates)
}

/** Adds an update to the stored content of a document, open or not; settles when it is stored. */
export async function writeDisk(name: string, update: Uint8Array): Promise<void> {
  await addRow(name, update)
}

/** Removes a document's content from this device. */
export async function eraseDisk(name: string): Promise<void> {
  forgetUnstored(name)
  await clearDocument(name)
}

/** Makes rows of what pages kept of a document as they were left. */
async function storeUnstored(name: string): Promise<void> {
  for (const { update, forget } of unstoredOf(name)) {
    await addRow(name, update)
    forget()
  }
}
