// A document on this device: its updates as rows of one IndexedDB database, each with a checksum. Written by hand rather
// than with y-indexeddb, because that can say neither when a row is stored nor that one could not be read, and a single bad
// row or a failing open makes it wait for ever. Here every failure is a state somebody sees, and writing goes on when the
// disk comes back.
import { Dexie } from 'dexie'
import type { Table } from 'dexie'
import * as Y from 'yjs'

/** `saving` also while loading; `failed` means: only in memory now. */
export type DiskState = 'saving' | 'saved' | 'failed'

export type Loaded = {
  /** Rows read, and rows that could not be (damaged, and left out). */
  rows: number
  damaged: number
}

type Row = { update: Uint8Array; sum: number }

/** After so many rows the document is written as one; after fewer when it is closed. */
const compactRows = 200
const closeRows = 20
const retryMs = [500, 1000, 2000, 5000, 15_000]

export class Disk {
  readonly name: string
  readonly #doc: Y.Doc
  readonly #db: Dexie
  readonly #rows: Table<Row, number>
  readonly #watch: (state: DiskState) => void
  #queue: Uint8Array[] = []
  #state: DiskState = 'saving'
  #loaded = false
  #writing = false
  #stored = 0
  #attempt = 0
  #retry: ReturnType<typeof setTimeout> | undefined
  #closed = false
  #idle: (() => void)[] = []

  constructor(name: string, doc: Y.Doc, watch: (state: DiskState) => void) {
    this.name = name
    this.#doc = doc
    this.#watch = watch
    this.#db = open(name)
    this.#rows = this.#db.table('updates')
    doc.on('update', this.#onUpdate)
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
    const loaded = await Promise.race([this.#read(), late])
    clearTimeout(timer)
    if (loaded === null && !this.#loaded) this.#show('failed')
    return loaded
  }

  /** Settles when all that the document holds now is stored; at once when the disk has failed. */
  async flushed(): Promise<void> {
    if (this.#closed || this.#state === 'failed' || (this.#queue.length === 0 && !this.#writing)) return
    await new Promise<void>(resolve => this.#idle.push(resolve))
  }

  /** Writes the document as one row in place of many. */
  async compact(): Promise<void> {
    if (this.#closed || !this.#loaded) return
    try {
      await this.#db.transaction('rw', this.#rows, async () => {
        const keys = await this.#rows.toCollection().primaryKeys()
        if (keys.length < 2) return
        const rows = await this.#rows.bulkGet(keys)
        // Another tab may have written rows this document has not seen.
        for (const row of rows) if (isSound(row)) Y.applyUpdate(this.#doc, row.update, this)
        await this.#rows.bulkDelete(keys)
        await this.#rows.add(rowOf(Y.encodeStateAsUpdate(this.#doc)))
      })
      this.#stored = 1
    } catch (error) {
      console.warn('could not compact the local copy', error) // the rows are all still there
    }
  }

  /** Writes what waits, then closes the database. */
  async close(): Promise<void> {
    if (this.#closed) return
    this.#doc.off('update', this.#onUpdate)
    await this.flushed()
    if (this.#stored > closeRows) await this.compact()
    this.#closed = true
    clearTimeout(this.#retry)
    this.#settle()
    this.#db.close()
  }

  readonly #onUpdate = (update: Uint8Array, origin: unknown): void => {
    if (origin === this) return
    this.#queue.push(update)
    if (this.#state !== 'failed') this.#show('saving')
    if (this.#loaded) void this.#write()
  }

  async #read(): Promise<Loaded | null> {
    try {
      if (!this.#db.isOpen()) await this.#db.open()
      const { rows, damaged } = await readRows(this.#rows)
      if (this.#closed) return null
      const failed = this.#apply(rows)
      this.#loaded = true
      this.#attempt = 0
      this.#stored = rows.length
      void this.#write()
      return { rows: rows.length, damaged: damaged + failed }
    } catch (error) {
      console.warn('could not read the local copy', error)
      this.#show('failed')
      this.#again(() => void this.#read())
      return null
    }
  }

  /** One transaction, so that watchers see the document once. A sound row that does not apply costs only itself. */
  #apply(rows: readonly Uint8Array[]): number {
    let failed = 0
    this.#doc.transact(() => {
      for (const update of rows) {
        try {
          Y.applyUpdate(this.#doc, update, this)
        } catch (error) {
          failed++
          console.warn('a stored change could not be applied', error)
        }
      }
    }, this)
    return failed
  }

  async #write(): Promise<void> {
    if (this.#writing || this.#closed) return
    if (this.#queue.length === 0) {
      this.#show('saved')
      return this.#settle()
    }
    this.#writing = true
    const batch = this.#queue
    this.#queue = []
    try {
      if (!this.#db.isOpen()) await this.#db.open()
      // Settles when the transaction is complete, not when the request is.
      await this.#rows.bulkAdd(batch.map(rowOf))
      this.#stored += batch.length
      this.#attempt = 0
      this.#writing = false
      if (this.#stored > compactRows && this.#queue.length === 0) await this.compact()
      void this.#write()
    } catch (error) {
      console.warn('could not write to the local copy', error)
      this.#queue = [...batch, ...this.#queue]
      this.#writing = false
      this.#show('failed')
      this.#settle()
      // A lost connection to the database server (Safari) needs the database opened anew.
      this.#db.close()
      this.#again(() => void this.#write())
    }
  }

  #again(run: () => void): void {
    if (this.#closed) return
    clearTimeout(this.#retry)
    this.#retry = setTimeout(run, retryMs[Math.min(this.#attempt++, retryMs.length - 1)])
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
  const db = open(name)
  try {
    const { rows } = await readRows(db.table('updates'))
    return rows.length === 0 ? null : Y.mergeUpdates(rows)
  } finally {
    db.close()
  }
}

/** Adds an update to the stored content of a document, open or not; settles when it is stored. */
export async function writeDisk(name: string, update: Uint8Array): Promise<void> {
  const db = open(name)
  try {
    await db.table('updates').add(rowOf(update))
  } finally {
    db.close()
  }
}

/** Removes a document's content from this device. */
export async function eraseDisk(name: string): Promise<void> {
  await Dexie.delete(name)
}

function open(name: string): Dexie {
  const db = new Dexie(name)
  db.version(1).stores({ updates: '++' })
  return db
}

/** All sound rows in order. When they cannot be read at once, one by one, so that a bad one costs only itself. */
async function readRows(table: Table<Row, number>): Promise<{ rows: Uint8Array[]; damaged: number }> {
  let found: (Row | undefined)[]
  try {
    found = await table.toArray()
  } catch (error) {
    console.warn('reading the local copy row by row', error)
    const keys = await table.toCollection().primaryKeys()
    found = await Promise.all(keys.map(key => table.get(key).catch(() => undefined)))
  }
  const rows = found.filter(isSound).map(row => row.update)
  return { rows, damaged: found.length - rows.length }
}

function rowOf(update: Uint8Array): Row {
  return { update, sum: checksum(update) }
}

function isSound(row: Row | undefined): row is Row {
  return row?.update instanceof Uint8Array && row.sum === checksum(row.update)
}

/** FNV-1a, 32 bits: finds a truncated or overwritten row; not meant against people. */
function checksum(bytes: Uint8Array): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < bytes.length; i++) hash = Math.imul(hash ^ bytes[i]!, 0x01000193)
  return hash >>> 0
}
