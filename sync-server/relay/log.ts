// The log of all documents in Postgres. Appends of all rooms are gathered and written as one statement; the next group collects
// while one is on its way (group commit). Loading waits for what is on its way; compaction never loses a row, because it deletes
// exactly those it has merged.
import { Worker } from 'node:worker_threads'
import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import type { Loaded, LogRow, RoomLog } from './room.ts'

/** A group starts at least this long after the one before; the first one after a pause starts at once. */
const WINDOW_MS = 5
const GROUP_ROWS = 500
const GROUP_BYTES = 8 << 20
const ATTEMPTS = 6

type Entry = { docId: string; row: LogRow; room: { failed: boolean }; settled: (seq: number | null) => void }

export type CompactResult = { rows: number; bytes: number }

export class Log {
  readonly #database: Database
  #queue: Entry[] = []
  #writing: Promise<void> | null = null
  #lastStart = 0
  readonly #compacting = new Map<string, Promise<CompactResult | null>>()
  #merger: Merger | null = null

  constructor(database: Database) {
    this.#database = database
  }

  /** The log of one room. `appended` hears of every durable row. */
  of(docId: string, appended: (bytes: number) => void = () => {}): RoomLog {
    const room = { failed: false }
    return {
      append: (row, settled) => {
        const entry = {
          docId,
          row,
          room,
          settled: (seq: number | null) => {
            if (seq !== null) appended(row.update.length)
            settled(seq)
          },
        }
        this.#queue.push(entry)
        this.#writing ??= this.#write()
      },
      load: settled => {
        this.load(docId).then(settled, (error: unknown) => {
          console.error(`log: cannot load ${docId}:`, error)
          settled(null)
        })
      },
    }
  }

  /** Reads a document; null when there is none. Throws when the database cannot be read. */
  async load(docId: string): Promise<Loaded | null> {
    await this.flush()
    // One statement, so one moment: a compaction may move rows into the snapshot meanwhile.
    const { rows } = await this.#database.pool.query<{
      epoch: string
      schema: number
      min_writer: number
      last_seq: number
      snapshot: Buffer | null
      updates: Buffer[] | null
      owners: [string, string][] | null
    }>(
      `select d.epoch, d.schema, d.min_writer, d.last_seq, d.snapshot,
         (select array_agg(u order by seq) from doc_update where doc_id = d.id) as updates,
         (select json_agg(json_build_array(client_id, user_id)) from doc_client where doc_id = d.id) as owners
       from doc d where d.id = $1`,
      [docId],
    )
    const [doc] = rows
    if (doc === undefined) return null
    return {
      epoch: doc.epoch,
      schema: doc.schema,
      minWriter: doc.min_writer,
      seq: doc.last_seq,
      updates: [...(doc.snapshot === null ? [] : [doc.snapshot]), ...(doc.updates ?? [])],
      owners: new Map((doc.owners ?? []).map(([client, user]) => [Number(client), user])),
    }
  }

  /** Waits until everything appended so far is durable or has failed. */
  async flush(): Promise<void> {
    while (this.#writing !== null) await this.#writing
  }

  async #write(): Promise<void> {
    while (this.#queue.length > 0) {
      const wait = this.#lastStart + WINDOW_MS - performance.now()
      await new Promise<void>(done => (wait > 0 ? setTimeout(done, wait) : setImmediate(done)))
      this.#lastStart = performance.now()
      const group = this.#takeGroup()
      if (group.length > 0) await this.#writeGroup(group)
    }
    this.#writing = null
  }

  #takeGroup(): Entry[] {
    const group: Entry[] = []
    let bytes = 0
    let taken = 0
    for (const entry of this.#queue) {
      if (group.length >= GROUP_ROWS || (group.length > 0 && bytes + entry.row.update.length > GROUP_BYTES)) break
      taken++
      if (entry.room.failed) settle(entry, null)
      else {
        group.push(entry)
        bytes += entry.row.update.length
      }
    }
    this.#queue.splice(0, taken)
    return group
  }

  async #writeGroup(group: readonly Entry[]): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        const seqs = await this.#insert(group)
        for (const entry of group) {
          const seq = seqs.get(entry.docId) ?? null
          if (seq === null) entry.room.failed = true
          settle(entry, seq)
        }
        return
      } catch (error) {
        console.error(`log: append of ${group.length} rows failed (attempt ${attempt}):`, error)
        if (attempt >= ATTEMPTS) break
        await new Promise(done => setTimeout(done, 50 * 2 ** attempt))
      }
    }
    for (const entry of group) entry.room.failed = true
    for (const entry of group) settle(entry, null)
  }

  /** One statement, one commit. Rows of documents that are gone are left out, so they cannot fail their neighbours. */
  async #insert(group: readonly Entry[]): Promise<Map<string, number>> {
    const clients = group.flatMap(({ docId, row }) => row.newClients.map(client => ({ docId, client, userId: row.userId })))
    const { rows } = await this.#database.pool.query<{ id: string; last_seq: number }>({
      name: 'append',
      text: `with fresh as (
          insert into doc_update (doc_id, u, user_id, session_id)
          select r.doc_id, r.u, r.user_id, r.session_id
          from unnest($1::text[], $2::bytea[], $3::text[], $4::text[]) with ordinality as r (doc_id, u, user_id, session_id, n)
          join doc on doc.id = r.doc_id
          order by r.n
          returning doc_id, seq
        ), owners as (
          insert into doc_client (doc_id, client_id, user_id)
          select c.doc_id, c.client_id, c.user_id from unnest($5::text[], $6::bigint[], $7::text[]) as c (doc_id, client_id, user_id)
          join doc on doc.id = c.doc_id
          on conflict do nothing
        )
        update doc set last_seq = greatest(doc.last_seq, f.seq), updated_at = now()
        from (select doc_id, max(seq) as seq from fresh group by doc_id) f where doc.id = f.doc_id
        returning doc.id, doc.last_seq`,
      values: [
        group.map(({ docId }) => docId),
        group.map(({ row }) => Buffer.from(row.update.buffer, row.update.byteOffset, row.update.byteLength)),
        group.map(({ row }) => row.userId),
        group.map(({ row }) => row.sessionId),
        clients.map(({ docId }) => docId),
        clients.map(({ client }) => client),
        clients.map(({ userId }) => userId),
      ],
    })
    return new Map(rows.map(row => [row.id, row.last_seq]))
  }

  /** Merges a document's rows into its snapshot; null when there was nothing to do or another server is at it. */
  compact(docId: string): Promise<CompactResult | null> {
    const running = this.#compacting.get(docId)
    if (running !== undefined) return running
    const work = this.#compact(docId).finally(() => this.#compacting.delete(docId))
    this.#compacting.set(docId, work)
    return work
  }

  #compact(docId: string): Promise<CompactResult | null> {
    return this.#database.db.transaction().execute(async tx => {
      const lock = await sql<{ got: boolean }>`select pg_try_advisory_xact_lock(7245003, hashtext(${docId})) as got`.execute(tx)
      if (lock.rows[0]?.got !== true) return null
      const doc = await tx.selectFrom('doc').select('snapshot').where('id', '=', docId).executeTakeFirst()
      const rows = await tx.selectFrom('doc_update').select(['seq', 'u']).where('doc_id', '=', docId).orderBy('seq').execute()
      if (doc === undefined || rows.length === 0) return null
      this.#merger ??= new Merger()
      const { merged: snapshot, text } = await this.#merger.merge([
        ...(doc.snapshot === null ? [] : [doc.snapshot]),
        ...rows.map(row => row.u),
      ])
      await tx
        .updateTable('doc')
        .set({ snapshot: Buffer.from(snapshot) })
        .where('id', '=', docId)
        .execute()
      await tx.updateTable('file').set({ content: text }).where('id', '=', docId).execute()
      await sql`delete from doc_update where seq = any(${rows.map(row => row.seq)}::bigint[])`.execute(tx)
      return { rows: rows.length, bytes: snapshot.length }
    })
  }

  async close(): Promise<void> {
    await this.flush()
    await Promise.allSettled(this.#compacting.values())
    await this.#merger?.close()
  }
}

/** A room that stumbles over the news must not stop the log for all others. */
function settle(entry: Entry, seq: number | null): void {
  try {
    entry.settled(seq)
  } catch (error) {
    entry.room.failed = true
    console.error(`log: room ${entry.docId} failed:`, error)
  }
}

/** One update, and the texts in it for the search. */
type Merged = { merged: Uint8Array; text: string }

/** Merges updates on another thread: 5,000 rows take half a second. */
class Merger {
  readonly #worker = new Worker(new URL('./merge-worker.ts', import.meta.url))
  readonly #waiting = new Map<number, { done: (merged: Merged) => void; fail: (error: Error) => void }>()
  #next = 0

  constructor() {
    this.#worker.unref()
    this.#worker.on('message', (answer: ({ id: number } & Merged) | { id: number; error: string }) => {
      const waiting = this.#waiting.get(answer.id)
      this.#waiting.delete(answer.id)
      if ('merged' in answer) waiting?.done(answer)
      else waiting?.fail(new Error(answer.error))
    })
    this.#worker.on('error', error => {
      for (const { fail } of this.#waiting.values()) fail(error)
      this.#waiting.clear()
    })
  }

  merge(updates: readonly Uint8Array[]): Promise<Merged> {
    return new Promise((done, fail) => {
      const id = this.#next++
      this.#waiting.set(id, { done, fail })
      this.#worker.postMessage({ id, updates }, [])
    })
  }

  async close(): Promise<void> {
    await this.#worker.terminate()
  }
}
