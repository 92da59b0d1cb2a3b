// The copy of a document on this device: what is written is read again, through damage, failures and pages that are left.
import 'fake-indexeddb/auto'
import { IndexeddbPersistence } from 'y-indexeddb'
import { fromBase64, toBase64 } from 'lib0/buffer'
import * as Y from 'yjs'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { Disk, eraseDisk, readDisk } from '../../../client/session/disk.ts'

const until = (what: () => boolean | Promise<boolean>) =>
  vi.waitFor(async () => expect(await what()).toBe(true), { timeout: 200_000, interval: 10 })

describe('the disk', () => {
  const content = (disk: Y.Doc) => disk.getMap<number>('kind').toJSON()

  async function written(name: string, edits: number): Promise<void> {
    const doc = new Y.Doc()
    const disk = new Disk(name, doc, () => undefined)
    await disk.load()
    for (let i = 0; i < edits; i++) doc.getMap<number>('kind').set(`k${i}`, i)
    await disk.close()
  }

  const docOf = (update: Uint8Array | null): Y.Doc => {
    const doc = new Y.Doc()
    if (update !== null) Y.applyUpdate(doc, update)
    return doc
  }

  const sumOf = (bytes: Uint8Array): number => bytes.reduce((hash, byte) => Math.imul(hash ^ byte, 0x01000193), 0x811c9dc5) >>> 0

  it('gives back what was written, also after it was compacted', async () => {
    await written('disk-a', 350)
    const doc = new Y.Doc()
    const disk = new Disk('disk-a', doc, () => undefined)
    const loaded = await disk.load()
    expect(loaded?.damaged).toBe(0)
    expect(Object.keys(content(doc))).toHaveLength(350)
    await disk.compact()
    await disk.close()
    const again = new Disk('disk-a', new Y.Doc(), () => undefined)
    expect((await again.load())?.rows).toBe(1)
    await again.close()
    const update = await readDisk('disk-a')
    const copy = new Y.Doc()
    Y.applyUpdate(copy, update!)
    expect(content(copy)).toEqual(content(doc))
  })

  describe('left by its page before an edit is stored', () => {
    const held = new Map<string, string>()
    beforeEach(() => {
      held.clear()
      // As `Object.keys` sees it: keys are properties.
      vi.stubGlobal(
        'localStorage',
        new Proxy(
          {
            getItem: (key: string) => held.get(key) ?? null,
            setItem: (key: string, value: string) => void held.set(key, value),
            removeItem: (key: string) => void held.delete(key),
          },
          {
            ownKeys: () => [...held.keys()],
            getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
          },
        ),
      )
      return () => vi.unstubAllGlobals()
    })

    /** A page that loses its write of `two`, which waits behind another transaction. */
    async function leave(name: string): Promise<void> {
      await written(name, 1)
      const doc = new Y.Doc()
      const disk = new Disk(name, doc, () => undefined)
      await disk.load()
      disk.leave()
      const lost = { addEventListener() {}, objectStore: () => ({ add() {} }), commit() {} }
      const spy = vi.spyOn(IDBDatabase.prototype, 'transaction').mockImplementationOnce(() => lost as unknown as IDBTransaction)
      doc.getMap<number>('kind').set('two', 2)
      spy.mockRestore()
    }

    it('has the edit when it is opened again, and keeps nothing beside the rows then', async () => {
      await leave('disk-left-a')
      expect(held.size).toBe(1)
      const doc = new Y.Doc()
      const disk = new Disk('disk-left-a', doc, () => undefined)
      await disk.load()
      expect(content(doc)).toEqual({ k0: 0, two: 2 })
      expect(held.size).toBe(0)
      await disk.close()
    })

    it('has the edit when it is read without being opened; gives none back that was erased', async () => {
      await leave('disk-left-b')
      expect(content(docOf(await readDisk('disk-left-b')))).toEqual({ k0: 0, two: 2 })
      await leave('disk-left-c')
      await eraseDisk('disk-left-c')
      expect(held.size).toBe(0)
    })

    it('keeps an edit that its page makes while another stores the one before', async () => {
      await leave('disk-left-f')
      const [[left = '', text = ''] = []] = held
      const key = `${left}-of-another-page`
      held.clear()
      held.set(key, text)
      const newer = new Y.Doc()
      Y.applyUpdate(newer, fromBase64(text))
      newer.getMap<number>('kind').set('three', 3)
      const add = IDBObjectStore.prototype.add
      const spy = vi.spyOn(IDBObjectStore.prototype, 'add').mockImplementationOnce(function (this: IDBObjectStore, ...given) {
        held.set(key, toBase64(Y.encodeStateAsUpdate(newer)))
        return add.apply(this, given)
      })
      await readDisk('disk-left-f')
      spy.mockRestore()
      expect(held.size).toBe(1)
      expect(content(docOf(await readDisk('disk-left-f')))).toEqual({ k0: 0, two: 2, three: 3 })
      expect(held.size).toBe(0)
    })

    it('forgets what is no update', async () => {
      await leave('disk-left-d')
      for (const key of held.keys()) held.set(key, 'no update')
      expect(content(docOf(await readDisk('disk-left-d')))).toEqual({ k0: 0 })
      expect(held.size).toBe(0)
    })

    it('keeps nothing beside the rows when the write comes through after all', async () => {
      const doc = new Y.Doc()
      const disk = new Disk('disk-left-e', doc, () => undefined)
      await disk.load()
      doc.getMap<number>('kind').set('two', 2)
      disk.hide()
      expect(held.size).toBe(1)
      await disk.flushed()
      expect(held.size).toBe(0)
      await disk.close()
    })
  })

  it('leaves a damaged row out and keeps the rest', async () => {
    await written('disk-b', 3)
    const { default: Dexie } = await import('dexie')
    const raw = await new Dexie('disk-b').open()
    const other = new Y.Doc()
    other.getMap<number>('kind').set('spoilt', 1)
    const update = Y.encodeStateAsUpdate(other)
    await raw.table('updates').add({ update: update.slice(0, update.length - 1), sum: 12345 })
    await raw.table('updates').add('not a row')
    raw.close()
    const doc = new Y.Doc()
    const disk = new Disk('disk-b', doc, () => undefined)
    expect(await disk.load()).toMatchObject({ damaged: 2 })
    expect(Object.keys(content(doc))).toHaveLength(3)
    await disk.close()
  })

  it('that cannot be opened is said to have failed, at once, and the document lives in memory', async () => {
    const broken = vi.spyOn(indexedDB, 'open').mockImplementation(() => {
      throw new DOMException('Connection to Indexed Database server lost', 'UnknownError')
    })
    const states: string[] = []
    const doc = new Y.Doc()
    const disk = new Disk('disk-c', doc, state => states.push(state))
    expect(await disk.load(2000)).toBeNull()
    expect(states.at(-1)).toBe('failed')
    doc.getMap<number>('kind').set('here', 1)
    expect(content(doc)).toEqual({ here: 1 })
    // The browser's database comes back: so does the copy.
    broken.mockRestore()
    await until(() => states.at(-1) === 'saved')
    await disk.close()
    expect(await readDisk('disk-c')).not.toBeNull()
  })

  it('stores rows as y-indexeddb does: its own reader finds the document', async () => {
    await written('disk-e', 3)
    const doc = new Y.Doc()
    const reader = new IndexeddbPersistence('disk-e', doc)
    await reader.whenSynced
    expect(content(doc)).toEqual({ k0: 0, k1: 1, k2: 2 })
    await reader.destroy()
  })

  it('reads a copy of the earlier layout, without its damaged rows, and goes on in the new one', async () => {
    const [author, updates] = [new Y.Doc(), [] as Uint8Array[]]
    author.on('update', (update: Uint8Array) => updates.push(update))
    for (const key of ['a', 'b', 'c']) author.getMap<number>('kind').set(key, 1)
    const { default: Dexie } = await import('dexie')
    const old = new Dexie('disk-f')
    old.version(1).stores({ updates: '++' })
    await old.table('updates').bulkAdd([
      { update: updates[0], sum: sumOf(updates[0]!) },
      { update: updates[1], sum: sumOf(updates[1]!) },
      { update: updates[2], sum: 7 },
    ])
    old.close()
    expect(content(docOf(await readDisk('disk-f')))).toEqual({ a: 1, b: 1 })
    const doc = new Y.Doc()
    const disk = new Disk('disk-f', doc, () => undefined)
    expect(await disk.load()).toEqual({ rows: 2, damaged: 1 })
    doc.getMap<number>('kind').set('d', 1)
    await disk.close()
    expect(content(docOf(await readDisk('disk-f')))).toEqual({ a: 1, b: 1, d: 1 })
  })

  it('notices a row that changed after it was stored, and keeps what builds on it until that came back', async () => {
    await written('disk-g', 3)
    const { default: Dexie } = await import('dexie')
    const raw = await new Dexie('disk-g').open()
    const keys = await raw.table('updates').toCollection().primaryKeys()
    // The first key is the empty document of the opening; then one row an edit.
    const lost: unknown = await raw.table('updates').get(keys[1]!)
    if (!(lost instanceof Uint8Array)) throw new Error('rows are bytes')
    const spoilt = lost.slice()
    spoilt[spoilt.length - 2]! ^= 1
    await raw.table('updates').put(spoilt, keys[1])
    raw.close()
    for (let opening = 0; opening < 2; opening++) {
      const disk = new Disk('disk-g', new Y.Doc(), () => undefined)
      expect(await disk.load()).toMatchObject({ damaged: 1 })
      await disk.compact()
      await disk.close()
    }
    const doc = new Y.Doc()
    const disk = new Disk('disk-g', doc, () => undefined)
    await disk.load()
    expect(content(doc)).toEqual({})
    Y.applyUpdate(doc, lost, 'server')
    expect(content(doc)).toEqual({ k0: 0, k1: 1, k2: 2 })
    await disk.mended()
    await disk.close()
    const again = new Disk('disk-g', new Y.Doc(), () => undefined)
    expect(await again.load()).toEqual({ rows: 1, damaged: 0 })
    await again.close()
  })

  it('says so when writes fail, throws nothing at whoever edits, and stores everything when they work again', async () => {
    const doc = new Y.Doc()
    const states: string[] = []
    const disk = new Disk('disk-h', doc, state => states.push(state))
    await disk.load()
    const add = IDBObjectStore.prototype.add
    const full = vi.spyOn(IDBObjectStore.prototype, 'add').mockImplementation(function (this: IDBObjectStore, value: unknown) {
      const request = add.call(this, value)
      this.transaction.abort()
      return request
    })
    doc.getMap<number>('kind').set('a', 1)
    await until(() => states.at(-1) === 'failed')
    doc.getMap<number>('kind').set('b', 2)
    full.mockImplementation(() => {
      throw new DOMException('closing', 'InvalidStateError')
    })
    doc.getMap<number>('kind').set('c', 3)
    await disk.flushed()
    expect(states.at(-1)).toBe('failed')
    full.mockRestore()
    await until(() => states.at(-1) === 'saved')
    await disk.close()
    expect(content(docOf(await readDisk('disk-h')))).toEqual({ a: 1, b: 2, c: 3 })
  })

  it('does not grow by being opened', async () => {
    await written('disk-i', 1)
    for (let i = 0; i < 60; i++) await written('disk-i', 0)
    const { default: Dexie } = await import('dexie')
    const raw = await new Dexie('disk-i').open()
    expect(await raw.table('updates').count()).toBeLessThan(25)
    raw.close()
    expect(content(docOf(await readDisk('disk-i')))).toEqual({ k0: 0 })
  })

  it('merges what two tabs wrote to it', async () => {
    const [a, b] = [new Y.Doc(), new Y.Doc()]
    const disks = [new Disk('disk-d', a, () => undefined), new Disk('disk-d', b, () => undefined)]
    await Promise.all(disks.map(disk => disk.load()))
    a.getMap<number>('kind').set('a', 1)
    b.getMap<number>('kind').set('b', 2)
    await Promise.all(disks.map(disk => disk.flushed()))
    await disks[0]!.compact()
    expect(content(a)).toEqual({ a: 1, b: 2 })
    await Promise.all(disks.map(disk => disk.close()))
    const update = await readDisk('disk-d')
    const doc = new Y.Doc()
    Y.applyUpdate(doc, update!)
    expect(content(doc)).toEqual({ a: 1, b: 2 })
  })
})
