// The log of all documents in Postgres. Appends of all rooms are gathered and written as one statement; the next group collects
// while one is on its way (group commit). Loading waits for what is on its way; compaction never loses a row, because it deletes
// exactly those it has merged.
import { Worker } from 'node:worker_threads'
import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import type { MergeTask, Merged } from './merge-worker.ts'
import type { Loaded, LogRow, News, RoomLog } from './room.ts'
import { logFailure } from '../db/failures.ts'

/** A group starts at least this long after the one before; the first one after a pause starts at once. */
const WINDOW_MS = 2
const GROUP_ROWS = 500
const GROUP_BYTES = 8 << 20
const ATTEMPTS = 6
/** How long rows wait for a database that is being started again. */
const RESTART_MS = 15_000

type Entry = { docId: string; row: LogRow; room: { failed: boolean }; settled: (seq: number | null, after?: number) => void }

/** What one group brought to one document: everything in the log after row `after` up to row `seq`. */
export type Commit = { after: number; seq: number; updates: Uint8Array[]; owners: [client: number, userId: string][] }

/** `swept` removes what is left of elements deleted long ago; it has yet to be written. */
type CompactResult = { rows: number; bytes: number; swept: Uint8Array | null }

export class UpdateLog {
  readonly #database: Database
  #queue: Entry[] = []
  #writing: Promise<void> | null = null
  #lastStart = 0
  readonly #compacting = new Map<string, Promise<CompactResult | null>>()
  #merger: Merger | null = null
  #committed: ((docId: string, commit: Commit) => void) | null = null
  #appended = 0
  #groups = 0

  constructor(database: Database) {
    this.#database = database
  }

  /** Called for every commit, for other servers. */
  onCommit(committed: (docId: string, commit: Commit) => void): void {
    this.#committed = committed
  }

  /** Rows written and commits made so far, and rows that wait. */
  get counts(): { rows: number; groups: number; waiting: number } {
    return { rows: this.#appended, groups: this.#groups, waiting: this.#queue.length }
  }

  /** The log of one room. `appended` is called for every durable row. */
  of(docId: string, appended: (bytes: number) => void = () => {}, shared = false): RoomLog {
    const room = { failed: false }
    const since: RoomLog['since'] = (seq, settled) => {
      this.since(docId, seq).then(settled, (error: unknown) => {
        logFailure(`log: cannot read what is new in ${docId}:`, error)
        settled(null)
      })
    }
    return {
      ...(shared ? { since } : {}),
      append: (row, settled) => {
        const entry = {
          docId,
          row,
          room,
          settled: (seq: number | null, after?: number) => {
            if (seq !== null) appended(row.update.length)
            settled(seq, after)
          },
        }
        this.#queue.push(entry)
        this.#writing ??= this.#write()
      },
      load: settled => {
        this.load(docId).then(settled, (error: unknown) => {
          logFailure(`log: cannot load ${docId}:`, error)
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

  /** What came after row `seq`, from whatever server; everything, when those rows are merged already. Null when it is gone. */
  async since(docId: string, seq: number): Promise<News | null> {
    const { rows } = await this.#database.pool.query<{
      epoch: string
      last_seq: number
      snapshot: Buffer | null
      updates: Buffer[] | null
      owners: [string, string][] | null
    }>({
      name: 'since',
      text: `select d.epoch, d.last_seq,
         case when d.snapshot_seq > $2 then d.snapshot end as snapshot,
         case when d.last_seq > $2 then (select array_agg(u order by seq) from doc_update where doc_id = d.id
           and (seq > $2 or d.snapshot_seq > $2)) end as updates,
         case when d.last_seq > $2 then (select json_agg(json_build_array(client_id, user_id)) from doc_client where doc_id = d.id)
           end as owners
       from doc d where d.id = $1`,
      values: [docId, seq],
    })
    const [doc] = rows
    if (doc === undefined) return null
    return {
      epoch: doc.epoch,
      seq: doc.last_seq,
      updates: [...(doc.snapshot === null ? [] : [doc.snapshot]), ...(doc.updates ?? [])],
      owners: (doc.owners ?? []).map(([client, user]) => [Number(client), user]),
    }
  }

  /** How far the log of each of these documents goes; those that are gone are not in the answer. */
  async heads(docIds: readonly string[]): Promise<Map<string, number>> {
    const { rows } = await this.#database.pool.query<{ id: string; last_seq: number }>({
      name: 'heads',
      text: 'select id, last_seq from doc where id = any($1::text[])',
      values: [docIds],
    })
    return new Map(rows.map(row => [row.id, row.last_seq]))
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
    let waitedMs = 0
    for (let attempt = 1; ; attempt++) {
      try {
        const commits = await this.#insert(group)
        this.#appended += group.length
        this.#groups++
        this.#tell(group, commits)
        for (const entry of group) {
          const commit = commits.get(entry.docId)
          if (commit === undefined) entry.room.failed = true
          settle(entry, commit?.seq ?? null, commit?.after)
        }
        return
      } catch (error) {
        logFailure(`log: append of ${group.length} rows failed (attempt ${attempt}):`, error)
        if (attempt >= ATTEMPTS) break
        // A database that is being started again is waited for, as long as people would.
        if (waitedMs < RESTART_MS) {
          const beganAt = performance.now()
          await this.#database.whenUp(RESTART_MS - waitedMs)
          waitedMs += performance.now() - beganAt
        }
        await new Promise(done => setTimeout(done, 50 * 2 ** attempt))
      }
    }
    for (const entry of group) entry.room.failed = true
    for (const entry of group) settle(entry, null)
  }

  #tell(group: readonly Entry[], commits: ReadonlyMap<string, { after: number; seq: number }>): void {
    const tell = this.#committed
    if (tell === null) return
    for (const [docId, { after, seq }] of commits) {
      const rows = group.filter(entry => entry.docId === docId).map(entry => entry.row)
      const owners = rows.flatMap(row => row.newClients.map((client): [number, string] => [client, row.userId]))
      tell(docId, { after, seq, updates: rows.map(row => row.update), owners })
    }
  }

  /**
   * One statement, one commit. The documents are locked before their rows get numbers, so that the numbers of one document become
   * visible in their order, whichever server writes: a reader up to one number has read all before it. Rows of documents that are
   * gone are left out, and so are those that would write under a client id which another server has just given to another user;
   * neither can fail their neighbours.
   */
  async #insert(group: readonly Entry[]): Promise<Map<string, { after: number; seq: number }>> {
    const clients = new Map<string, { docId: string; client: number; userId: string }>()
    for (const { docId, row } of group) {
      for (const client of row.newClients) clients.set(`${docId} ${client}`, { docId, client, userId: row.userId })
    }
    const claims = [...clients.values()]
    const { rows } = await this.#database.pool.query<{ id: string; after: number; seq: number }>({
      name: 'append',
      text: `with locked as (
          select id, last_seq from doc where id = any($1::text[]) order by id for no key update
        ), owners as (
          insert into doc_client as o (doc_id, client_id, user_id)
          select c.doc_id, c.client_id, c.user_id from unnest($5::text[], $6::bigint[], $7::text[]) as c (doc_id, client_id, user_id)
          join locked on locked.id = c.doc_id
          on conflict (doc_id, client_id) do update set user_id = o.user_id
          returning o.doc_id, o.client_id, o.user_id
        ), taken as (
          select o.doc_id from owners o
          join unnest($5::text[], $6::bigint[], $7::text[]) as c (doc_id, client_id, user_id)
            on c.doc_id = o.doc_id and c.client_id = o.client_id and c.user_id <> o.user_id
        ), fresh as (
          insert into doc_update (doc_id, u, user_id, session_id)
          select r.doc_id, r.u, r.user_id, r.session_id
          from unnest($1::text[], $2::bytea[], $3::text[], $4::text[]) with ordinality as r (doc_id, u, user_id, session_id, n)
          join locked on locked.id = r.doc_id
          where r.doc_id not in (select doc_id from taken)
          order by r.n
          returning doc_id, seq
        )
        update doc set last_seq = f.seq, updated_at = now()
        from (select doc_id, max(seq) as seq from fresh group by doc_id) f join locked on locked.id = f.doc_id
        where doc.id = f.doc_id
        returning doc.id, locked.last_seq as after, f.seq`,
      values: [
        group.map(({ docId }) => docId),
        group.map(({ row }) => Buffer.from(row.update.buffer, row.update.byteOffset, row.update.byteLength)),
        group.map(({ row }) => row.userId),
        group.map(({ row }) => row.sessionId),
        claims.map(({ docId }) => docId),
        claims.map(({ client }) => client),
        claims.map(({ userId }) => userId),
      ],
    })
    return new Map(rows.map(({ id, after, seq }) => [id, { after, seq }]))
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
      const doc = await tx.selectFrom('doc').select(['snapshot', 'orphans']).where('id', '=', docId).executeTakeFirst()
      const rows = await tx.selectFrom('doc_update').select(['seq', 'u']).where('doc_id', '=', docId).orderBy('seq').execute()
      if (doc === undefined || rows.length === 0) return null
      this.#merger ??= new Merger()
      const updates = [...(doc.snapshot === null ? [] : [doc.snapshot]), ...rows.map(row => row.u)]
      const { merged: snapshot, text, taken, orphans, swept } = await this.#merger.merge({ updates, orphans: doc.orphans, now: Date.now() })
      await tx
        .updateTable('doc')
        .set({ snapshot: Buffer.from(snapshot), snapshot_seq: rows.at(-1)?.seq ?? 0, orphans: JSON.stringify(orphans) })
        .where('id', '=', docId)
        .execute()
      await tx
        .updateTable('file')
        .set({ content: text, taken: JSON.stringify(taken) })
        .where('id', '=', docId)
        .execute()
      await sql`delete from doc_update where seq = any(${rows.map(row => row.seq)}::bigint[])`.execute(tx)
      return { rows: rows.length, bytes: snapshot.length, swept }
    })
  }

  async close(): Promise<void> {
    await this.flush()
    await Promise.allSettled(this.#compacting.values())
    await this.#merger?.close()
  }
}

/** A room that stumbles over the news must not stop the log for all others. */
function settle(entry: Entry, seq: number | null, after?: number): void {
  try {
    entry.settled(seq, after)
  } catch (error) {
    entry.room.failed = true
    logFailure(`log: room ${entry.docId} failed:`, error)
  }
}

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

  merge(task: Omit<MergeTask, 'id'>): Promise<Merged> {
    return new Promise((done, fail) => {
      const id = this.#next++
      this.#waiting.set(id, { done, fail })
      this.#worker.postMessage({ id, ...task }, [])
    })
  }

  async close(): Promise<void> {
    await this.#worker.terminate()
  }
}
