// The rows of one document's database, in the layout of y-indexeddb: `updates` holds Yjs updates under growing keys, `custom` is
// ours: under a row's key its checksum, under `lost` how many rows could not be read, under `sketch` what sketch.ts keeps. y-indexeddb stops for ever at a row that does
// not apply, so rows are checked before it opens, and what is damaged is taken out.
import { del, get, getAll, getAllKeys, openDB, put, transact } from 'lib0/indexeddb'
import * as Y from 'yjs'

const updatesStore = 'updates'
const customStore = 'custom'
const lostKey = 'lost'
const besideKey = 'sketch'

/** Sound rows with content, in order, and how many rows were lost since the content was last known to be whole. */
type Rows = { updates: Uint8Array[]; lost: number }

/** Takes damaged rows out, and says what is left. */
export async function checkRows(name: string): Promise<Rows> {
  const db = await openRows(name)
  try {
    const { updates, damaged, lost } = await readRows(db)
    if (damaged.length > 0) {
      const [rows, custom] = bothStores(db)
      for (const key of damaged) {
        void del(rows, key)
        void del(custom, key)
      }
      void put(custom, lost + damaged.length, lostKey)
      await completed(rows.transaction)
    }
    return { updates, lost: lost + damaged.length }
  } finally {
    db.close()
  }
}

/** The sound rows of a document that need not be open; changes nothing. */
export async function soundRows(name: string): Promise<Uint8Array[]> {
  const db = await openRows(name)
  try {
    return (await readRows(db)).updates
  } finally {
    db.close()
  }
}

/** Adds a row; settles when it is stored. */
export async function addRow(name: string, update: Uint8Array): Promise<void> {
  const db = await openRows(name)
  try {
    const [rows, custom] = bothStores(db)
    const adding = rows.add(update)
    adding.addEventListener('success', () => custom.put(checksum(update), adding.result))
    await completed(rows.transaction)
  } finally {
    db.close()
  }
}

/**
 * Adds a row to an open database and commits at once, without waiting for the request: it is stored also when the page is left the
 * next moment, unless an earlier transaction holds the rows. Calls `done` when it is stored.
 */
export function commitRow(db: IDBDatabase, update: Uint8Array, done: () => void): void {
  const transaction = db.transaction(updatesStore, 'readwrite')
  transaction.addEventListener('complete', done)
  transaction.objectStore(updatesStore).add(update)
  transaction.commit()
}

/**
 * Settles when every write asked of this database before is stored: transactions on one store run in the order they were opened.
 * Notes checksums of the rows from `from` on. Returns the key of the last row and how many rows there are.
 */
export async function stored(db: IDBDatabase, from: number): Promise<{ last: number; rows: number }> {
  const [rows, custom] = bothStores(db)
  const done = completed(rows.transaction)
  const fresh = IDBKeyRange.lowerBound(from, true)
  let last = from
  let count = 0
  void Promise.all([getAllKeys(rows, fresh), getAll(rows, fresh), getAllKeys(rows)]).then(([keys, values, all]) => {
    count = all.length
    for (const [i, key] of keys.entries()) {
      const value: unknown = values[i]
      if (typeof key !== 'number' || !(value instanceof Uint8Array)) continue
      last = Math.max(last, key)
      void put(custom, checksum(value), key)
    }
    // Sums of rows that were merged into a later one.
    const first: unknown = all[0]
    if (typeof first === 'number') void del(custom, IDBKeyRange.bound(0, first, false, true))
  })
  await done
  return { last, rows: count }
}

/** The value stored besides the rows; undefined if there is none. */
export async function readBeside(name: string): Promise<unknown> {
  const db = await openRows(name)
  try {
    const [custom] = transact(db, [customStore], 'readonly')
    return custom === undefined ? undefined : await get(custom, besideKey)
  } finally {
    db.close()
  }
}

/** Stores a value besides the rows; undefined removes it. */
export async function keepBeside(name: string, value: unknown): Promise<void> {
  const db = await openRows(name)
  try {
    const [, custom] = bothStores(db)
    if (value === undefined) custom.delete(besideKey)
    else custom.put(value, besideKey)
    await completed(custom.transaction)
  } finally {
    db.close()
  }
}

/** Marks the content as complete again: lost rows were recovered from elsewhere. */
export async function forgetLost(db: IDBDatabase): Promise<void> {
  const [, custom] = bothStores(db)
  void del(custom, lostKey)
  await completed(custom.transaction)
}

function bothStores(db: IDBDatabase): [IDBObjectStore, IDBObjectStore] {
  const [rows, custom] = transact(db, [updatesStore, customStore])
  if (rows === undefined || custom === undefined) throw new Error('the database has no rows')
  return [rows, custom]
}

function completed(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.addEventListener('complete', () => resolve())
    transaction.addEventListener('abort', () => reject(transaction.error ?? new Error('a write to the local copy was aborted')))
    // Before a request of lib0 gets the event: its promise would reject without a handler.
    transaction.addEventListener('error', event => event.stopPropagation(), true)
  })
}

async function openRows(name: string): Promise<IDBDatabase> {
  const db: IDBDatabase = await openDB(name, fresh => {
    fresh.createObjectStore(updatesStore, { autoIncrement: true })
    fresh.createObjectStore(customStore)
  })
  if (db.objectStoreNames.contains(customStore)) return db
  const { version } = db
  db.close()
  return upgraded(name, version + 1)
}

/** Databases from before y-indexeddb: rows of `{update, sum}` become plain updates, with the sum stored separately. */
function upgraded(name: string, version: number): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(name, version)
    request.addEventListener('upgradeneeded', () => {
      const sums = request.result.createObjectStore(customStore)
      const cursors = request.transaction?.objectStore(updatesStore).openCursor()
      cursors?.addEventListener('success', () => {
        const cursor = cursors.result
        if (cursor === null) return
        const row: unknown = cursor.value
        if (row !== null && typeof row === 'object' && 'update' in row && 'sum' in row) {
          sums.put(row.sum, cursor.key)
          cursor.update(row.update)
        }
        cursor.continue()
      })
    })
    request.addEventListener('error', () => reject(request.error ?? new Error('the local copy cannot be upgraded')))
    request.addEventListener('success', () => {
      const db = request.result
      db.addEventListener('versionchange', () => db.close())
      resolve(db)
    })
  })
}

async function readRows(db: IDBDatabase): Promise<{ updates: Uint8Array[]; damaged: number[]; lost: number }> {
  const [rows, custom] = transact(db, [updatesStore, customStore], 'readonly')
  if (rows === undefined || custom === undefined) throw new Error('the database has no rows')
  // Keys that are numbers: the sketch of a large model is large itself.
  const sums = IDBKeyRange.bound(0, Number.MAX_SAFE_INTEGER)
  const [keys, sumKeys, sumValues, lost] = await Promise.all([
    getAllKeys(rows),
    getAllKeys(custom, sums),
    getAll(custom, sums),
    get(custom, lostKey),
  ])
  const values = await valuesOf(db, keys)
  const sumOf = new Map<unknown, unknown>(sumKeys.map((key, i) => [key, sumValues[i]]))
  const updates: Uint8Array[] = []
  const damaged: number[] = []
  const trial = new Y.Doc()
  for (const [i, key] of keys.entries()) {
    const value: unknown = values[i]
    const sound = value instanceof Uint8Array && (sumOf.has(key) ? sumOf.get(key) === checksum(value) : applies(trial, value))
    if (!sound) {
      if (typeof key === 'number') damaged.push(key)
    } else if (!isEmpty(value)) updates.push(value)
  }
  trial.destroy()
  return { updates, damaged, lost: typeof lost === 'number' ? lost : 0 }
}

/** All values at once; when that fails, one by one, so that a bad one costs only itself. */
async function valuesOf(db: IDBDatabase, keys: IDBValidKey[]): Promise<unknown[]> {
  const rows = (): IDBObjectStore => db.transaction(updatesStore, 'readonly').objectStore(updatesStore)
  try {
    const values: unknown[] = await getAll(rows())
    if (values.length === keys.length) return values
  } catch (error) {
    console.warn('reading the local copy row by row', error)
  }
  const values: unknown[] = []
  for (const key of keys) values.push(isKey(key) ? await get(rows(), key).catch(() => undefined) : undefined)
  return values
}

/** A row without a recorded checksum: the page ended between the two writes. */
function applies(trial: Y.Doc, update: Uint8Array): boolean {
  try {
    Y.applyUpdate(trial, update)
    return true
  } catch {
    return false
  }
}

/** What y-indexeddb writes for a document without content, at each opening. */
function isEmpty(update: Uint8Array): boolean {
  return update.length === 2 && update[0] === 0 && update[1] === 0
}

function isKey(key: IDBValidKey): key is number {
  return typeof key === 'number'
}

/** FNV-1a, 32 bits: finds a truncated or overwritten row; not meant against people. */
function checksum(bytes: Uint8Array): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < bytes.length; i++) hash = Math.imul(hash ^ bytes[i]!, 0x01000193)
  return hash >>> 0
}
