// The queue of jobs: kept in Postgres by pg-boss, so that any server of several, or a process for nothing else, takes the next one, and a job of
// a server that died is done by another. Jobs and their results are in our own table.
import { availableParallelism } from 'node:os'
import { CompiledQuery, sql } from 'kysely'
import { PgBoss } from 'pg-boss'
import { configOf } from '../db/database.ts'
import type { Connection, Database, Db } from '../db/database.ts'
import { Refusal } from '../http.ts'
import { kinds, type JobKind, type KindName, type Sharing } from './kinds.ts'
import { Pool } from './pool.ts'
import type { Ended, Running } from './pool.ts'
import { work, type QueueConnection } from '../../sim-engine/experiment/doors/queue.ts'
import { engineHash } from '../../sim-engine/threads/node.ts'
import { logFailure } from '../db/failures.ts'
import { english, say, verbatim, type Words } from '../../model-schema/words.ts'

type JobState = 'queued' | 'running' | 'done' | 'failed' | 'cancelled'
type JobInfo = {
  id: string
  kind: string
  fileId: string | null
  state: JobState
  /** Between 0 and 1. */
  progress: number
  note: string
  result: unknown
  /** Why it failed, in English. */
  error: string | null
  /** The same as a text for every language; null in jobs of versions that kept none. */
  failure: Words | null
  createdAt: string
  endedAt: string | null
  /** Cloud time taken, in milliseconds: what its threads have worked, together. */
  spentMs: number
}

type NewJob = {
  /** Made by the client: asking twice is asking once. */
  id: string
  kind: KindName
  userId: string
  /** The payer of its cloud time, and how much of it is left; null is no limit. */
  payerId: string
  budgetMs: number | null
  fileId: string
  /** The file's text, and the most ticks of a run: what the plan allows at the time of asking. */
  file: string
  /** The text of another file it needs. */
  linked: string | null
  steps: number | null
  input: unknown
}

const QUEUE = 'holarchy-jobs'
/** Where pg-boss puts what it gives up: our own table has to say so, too. */
const GIVEN_UP = 'holarchy-jobs-given-up'
/** A job is given to another server when its server has been silent for so long. */
const HEARTBEAT_SECONDS = 20
/** Servers that may die over a job before it is given up: most likely it is the reason. Being stopped in good order is not dying. */
const TRIES = 3
/** How often pg-boss hands a job out. It counts servers that were stopped, too, so the bound is ours. */
const MOST_STARTS = 100_000
/** How often progress is written, and the job checked for cancellation. */
const WRITE_MS = 500
/**
 * pg-boss gives a job to another server after so long, even while it runs; before that it is put back in good order, and continues from its
 * parts.
 */
const LONGEST_SECONDS = 24 * 3600
const TURN_MS = (LONGEST_SECONDS - 1800) * 1000
const KEPT_DAYS = 30

type Input = {
  input: unknown
  file: string
  linked: string | null
  steps: number | null
  budgetMs: number | null
  /** Of which its parts are: those of another engine are not the same, and are made again. Absent before its first start. */
  engine?: string
}

const outOfTime = say('The cloud time of this year is used up. What was run until now is kept.')

/** Threads for runs that others lead, and memory of each in MB. */
const MOST_HELPING = 8
const HELPING_HEAP_MB = 512

/** Only a database that is reached by its address is one that others may reach: the embedded one has one server. */
const sharedBy = (connection: Connection): QueueConnection | null =>
  typeof connection === 'string' || connection.stream === undefined ? connection : null

/** More cloud time, in milliseconds, for a job of a payer that has none left; 0 is none. `nth` counts from 0, also for a job that is tried again. */
type MoreTime = (payerId: string, jobId: string, nth: number) => Promise<number>

export class Jobs {
  readonly #db: Db
  readonly #boss: PgBoss
  readonly #pool = new Pool()
  readonly #running = new Map<string, Running>()
  readonly #works = new Set<Promise<void>>()
  #isStopping = false

  readonly #more: MoreTime
  /** Where runs are shared with other servers; null: nowhere. */
  readonly #shared: QueueConnection | null
  /** Runs of jobs that other servers conduct. */
  readonly #helping = new AbortController()
  #helped: Promise<void> = Promise.resolve()

  private constructor(db: Db, boss: PgBoss, more: MoreTime, shared: QueueConnection | null) {
    this.#db = db
    this.#boss = boss
    this.#more = more
    this.#shared = shared
  }

  /** Opens the queue. `threads` is how many jobs this process does at once; with 0 it only takes them in. */
  static async start({ db }: Database, connection: Connection, threads: number, more: MoreTime = () => Promise.resolve(0)): Promise<Jobs> {
    const boss = new PgBoss({ ...configOf(connection), application_name: 'holarchy jobs', max: 3 + threads, useListenNotify: true })
    boss.on('error', error => logFailure('jobs:', error))
    await boss.start()
    await boss.createQueue(GIVEN_UP)
    const queue = { retryLimit: MOST_STARTS, expireInSeconds: LONGEST_SECONDS, deadLetter: GIVEN_UP }
    await boss.createQueue(QUEUE, { ...queue, heartbeatSeconds: HEARTBEAT_SECONDS, notify: true })
    // One that an earlier version made keeps its own.
    await boss.updateQueue(QUEUE, queue)
    const jobs = new Jobs(db, boss, more, sharedBy(connection))
    if (threads > 0) {
      jobs.#help()
      await boss.work<{ id: string }>(
        QUEUE,
        { localConcurrency: threads, pollingIntervalSeconds: 1, notifyPollingIntervalSeconds: 1 },
        async taken => {
          for (const { data } of taken) await jobs.#do(data.id)
        },
      )
      await boss.work<{ id: string }>(GIVEN_UP, { pollingIntervalSeconds: 2 }, async taken => {
        for (const { data } of taken) await jobs.#fail(data.id, say('The queue has given it up.'))
      })
    }
    return jobs
  }

  /** Queues a job; doing so again is the same. Throws `id-taken`. */
  async add({ id, kind, userId, payerId, fileId, ...rest }: NewJob): Promise<void> {
    const { file, linked, steps, budgetMs } = rest
    const input: Input = { input: rest.input, file, linked, steps, budgetMs }
    await this.#db.transaction().execute(async tx => {
      const added = await tx
        .insertInto('job')
        .values({ id, kind, user_id: userId, payer_id: payerId, file_id: fileId, input: JSON.stringify(input) })
        .onConflict(conflict => conflict.doNothing())
        .returning('id')
        .executeTakeFirst()
      if (added === undefined) {
        const before = await tx.selectFrom('job').select('user_id').where('id', '=', id).executeTakeFirst()
        if (before?.user_id !== userId) throw new Refusal('id-taken')
        return
      }
      // In the same transaction: there is no job without its place in the queue.
      const here = { executeSql: (text: string, values?: unknown[]) => tx.executeQuery(CompiledQuery.raw(text, values)) }
      await this.#boss.send(
        QUEUE,
        { id },
        { db: { executeSql: async (text, values) => ({ rows: [...(await here.executeSql(text, values)).rows] }) } },
      )
    })
  }

  /** Jobs of a person, newest first; results only of one by its id. */
  async list(userId: string, id?: string): Promise<JobInfo[]> {
    const rows = await this.#db
      .selectFrom('job')
      .select(['id', 'kind', 'file_id', 'state', 'progress', 'note', 'error', 'failure', 'created_at', 'ended_at', 'spent_ms'])
      .$if(id !== undefined, query => query.select('result').where('id', '=', id ?? ''))
      .where('user_id', '=', userId)
      .orderBy('created_at', 'desc')
      .limit(200)
      .execute()
    return rows.map(row => ({
      id: row.id,
      kind: row.kind,
      fileId: row.file_id,
      state: row.state,
      progress: row.progress,
      note: row.note,
      result: row.result ?? null,
      error: row.error,
      failure: row.failure ?? null,
      createdAt: row.created_at.toISOString(),
      endedAt: row.ended_at?.toISOString() ?? null,
      spentMs: row.spent_ms,
    }))
  }

  /** What a job works on: the texts of its file and of the linked one as they were when it was asked for. Null when it is not this person's. */
  async task(userId: string, id: string): Promise<{ file: string; linked: string | null } | null> {
    const row = await this.#db.selectFrom('job').select('input').where('id', '=', id).where('user_id', '=', userId).executeTakeFirst()
    if (row === undefined) return null
    const { file, linked } = row.input as Input
    return { file, linked }
  }

  /** Parts a job has kept from number `after` on, at most 100 of them. */
  async parts(userId: string, id: string, after: number): Promise<{ serial: number; data: unknown }[]> {
    return this.#db
      .selectFrom('job_part')
      .innerJoin('job', 'job.id', 'job_part.job_id')
      .select(['job_part.serial', 'job_part.data'])
      .where('job.user_id', '=', userId)
      .where('job_part.job_id', '=', id)
      .where('job_part.serial', '>', after)
      .orderBy('job_part.serial')
      .limit(100)
      .execute()
  }

  /** Ends a job, wherever it runs, within a second. False when it is over or not this person's. */
  async cancel(userId: string, id: string): Promise<boolean> {
    const { numUpdatedRows } = await this.#db
      .updateTable('job')
      .set({ state: 'cancelled', ended_at: sql<Date>`now()` })
      .where('id', '=', id)
      .where('user_id', '=', userId)
      .where('state', 'in', ['queued', 'running'])
      .executeTakeFirst()
    this.#running.get(id)?.stop()
    return numUpdatedRows > 0n
  }

  /** Cloud time a person has paid for in this calendar year, in milliseconds. */
  async spent(payerId: string): Promise<number> {
    const row = await this.#db
      .selectFrom('job')
      .select(eb => eb.fn.coalesce(eb.fn.sum<number>('spent_ms'), sql<number>`0`).as('ms'))
      .where('payer_id', '=', payerId)
      .where('created_at', '>=', sql<Date>`date_trunc('year', now())`)
      .executeTakeFirstOrThrow()
    return Number(row.ms)
  }

  /** Gives unfinished jobs back to the queue and ends. */
  async stop(): Promise<void> {
    // Stopped jobs throw in their handler: pg-boss gives them to another server, or to this one when it is back.
    this.#isStopping = true
    for (const running of this.#running.values()) running.stop()
    this.#helping.abort()
    await this.#boss.stop({ graceful: true, timeout: 5000 })
    await Promise.allSettled([...this.#works, this.#helped])
    await this.#pool.close()
  }

  /** Makes runs of experiments of the database that others lead: other servers, or a command line. */
  #help(): void {
    if (this.#shared === null) return
    const working = {
      connection: this.#shared,
      threads: Math.min(availableParallelism(), MOST_HELPING),
      key: null,
      idleMs: null,
      now: () => performance.now(),
      say: (text: string) => console.error(`jobs: runs of others: ${text}`),
      heapMb: HELPING_HEAP_MB,
    }
    this.#helped = work(working, this.#helping.signal).catch((error: unknown) => logFailure('jobs: cannot help others:', error))
  }

  #sharingOf = (id: string): Sharing | null => (this.#shared === null ? null : { connection: this.#shared, apart: id })

  async #do(id: string): Promise<void> {
    const work = this.#work(id)
    this.#works.add(work)
    try {
      await work
    } finally {
      this.#works.delete(work)
    }
  }

  /** Throws to have the job tried again. */
  async #work(id: string): Promise<void> {
    const job = await this.#db
      .updateTable('job')
      .set({ state: 'running', started_at: sql<Date>`now()`, attempts: sql<number>`attempts + 1` })
      .where('id', '=', id)
      // Running: its server died.
      .where('state', 'in', ['queued', 'running'])
      .returning(['kind', 'input', 'spent_ms', 'attempts', 'payer_id', 'user_id'])
      .executeTakeFirst()
    if (job === undefined) return
    if (job.attempts > TRIES)
      return this.#fail(id, say('{TRIES} servers ended while they were at work on it: it may need more memory than they have.', { TRIES }))
    const { input, file, linked, steps, budgetMs, engine } = job.input as Input
    const budget = { ms: budgetMs ?? Infinity, bought: 0, isAsking: false }
    const kept = await this.#db.selectFrom('job_part').select(['serial', 'data']).where('job_id', '=', id).orderBy('serial').execute()
    const parts = engine === engineHash() ? kept : []
    if (engine !== engineHash()) await this.#beginWith(id, job.input as Input)
    const kind = job.kind as KindName
    const held = await this.#heldFor(id, job.user_id, kinds[kind], input)
    let now = { progress: 0, note: '' }
    let serial = (kept.at(-1)?.serial ?? -1) + 1
    let keeping: Promise<unknown> = Promise.resolve()
    const task = {
      kind,
      input,
      file,
      linked,
      steps,
      known: parts.map(({ data }) => data),
      held,
      sharing: this.#sharingOf(id),
    }
    const holding = new Holding(this.#db, id)
    const running = this.#pool.run(task, {
      hold: state => holding.hold(state),
      progress: (progress, note) => (now = { progress, note }),
      keep: part => {
        const row = { job_id: id, serial: serial++, data: JSON.stringify(part) }
        keeping = keeping
          .then(() => this.#db.insertInto('job_part').values(row).execute())
          .catch((error: unknown) => logFailure(`jobs: cannot keep a part of ${id}:`, error))
      },
    })
    const spent = (): number => Math.round(job.spent_ms + running.worked())
    this.#running.set(id, running)
    if (this.#isStopping) running.stop()
    const writing = setInterval(() => {
      if (spent() > budget.ms && !budget.isAsking) {
        budget.isAsking = true
        this.#more(job.payer_id, id, budget.bought)
          .then(ms => {
            if (ms <= 0) return this.#end(id, spent(), { how: 'failed', why: outOfTime }).finally(running.stop)
            budget.bought++
            budget.ms += ms
            return undefined
          })
          .catch((error: unknown) => logFailure(`jobs: cannot ask for more time for ${id}:`, error))
          .finally(() => (budget.isAsking = false))
      }
      const written = this.#db
        .updateTable('job')
        .set({ ...now, spent_ms: spent() })
        .where('id', '=', id)
        .where('state', '=', 'running')
        .returning('id')
        .executeTakeFirst()
      written.then(
        row => row === undefined && running.stop(),
        (error: unknown) => logFailure(`jobs: cannot write the progress of ${id}:`, error),
      )
    }, WRITE_MS)
    const turn = setTimeout(running.stop, TURN_MS)
    const ended = await running.ended
    clearTimeout(turn)
    await keeping
    await holding.done
    clearInterval(writing)
    this.#running.delete(id)
    if (ended.how === 'crashed' && job.attempts < TRIES) throw new Error(ended.error)
    await this.#end(id, spent(), ended)
    // Stopped, and still wanted: the server is going, or others have their turn.
    if (ended.how === 'stopped' && (await this.#putBack(id))) throw new Error('the server stops')
  }

  /** The state from which a job continues: its own, or that of an earlier job of the same person that the same engine made. */
  async #heldFor(id: string, userId: string, kind: JobKind, input: unknown): Promise<Uint8Array | null> {
    const from = kind.from?.(input) ?? null
    const rows = await this.#db
      .selectFrom('job_state')
      .innerJoin('job', 'job.id', 'job_state.job_id')
      .select(['job.id', 'job.input', 'job_state.bytes'])
      .where('job.user_id', '=', userId)
      .where('job.id', 'in', from === null ? [id] : [id, from])
      .execute()
    const usable = rows.filter(row => (row.input as Input).engine === engineHash())
    return (usable.find(row => row.id === id) ?? usable[0])?.bytes ?? null
  }

  /** Deletes the parts and the state of a job. Readers of the parts continue with the new ones. */
  async #beginWith(id: string, input: Input): Promise<void> {
    await this.#db.deleteFrom('job_part').where('job_id', '=', id).execute()
    await this.#db.deleteFrom('job_state').where('job_id', '=', id).execute()
    await this.#db
      .updateTable('job')
      .set({ input: JSON.stringify({ ...input, engine: engineHash() }) })
      .where('id', '=', id)
      .execute()
  }

  /** False when the job is not wanted any more. A start that ended in good order does not count as an attempt. */
  async #putBack(id: string): Promise<boolean> {
    const { numUpdatedRows } = await this.#db
      .updateTable('job')
      .set({ attempts: sql<number>`greatest(attempts - 1, 0)` })
      .where('id', '=', id)
      .where('state', '=', 'running')
      .executeTakeFirst()
    return numUpdatedRows > 0n
  }

  /** Ends a job that no server works on any more. */
  async #fail(id: string, why: Words): Promise<void> {
    await this.#db
      .updateTable('job')
      .set({ state: 'failed', ...failureOf(why), ended_at: sql<Date>`now()` })
      .where('id', '=', id)
      .where('state', 'in', ['queued', 'running'])
      .execute()
  }

  async #end(id: string, spentMs: number, ended: Ended): Promise<void> {
    const values =
      ended.how === 'done'
        ? { state: 'done' as const, progress: 1, result: JSON.stringify(ended.result) }
        : ended.how === 'stopped'
          ? {}
          : { state: 'failed' as const, ...failureOf(ended.how === 'failed' ? ended.why : verbatim(ended.error)) }
    const over = ended.how === 'stopped' ? {} : { ended_at: sql<Date>`now()` }
    await this.#db
      .updateTable('job')
      .set({ ...values, ...over, spent_ms: spentMs })
      .where('id', '=', id)
      .where('state', '=', 'running')
      .execute()
    await sql`delete from job where ended_at < now() - ${KEPT_DAYS} * interval '1 day'`.execute(this.#db)
  }
}

/** Why a job failed, as it is kept. */
const failureOf = (why: Words) => ({ error: english(why).slice(0, 2000), failure: JSON.stringify(why) })

/** Writes the latest state of a job. What comes while one is being written takes the place of whatever waits. */
class Holding {
  readonly #db: Db
  readonly #id: string
  #next: Uint8Array | null = null
  #isWriting = false
  /** All that was to be held until now is written, or could not be. */
  done: Promise<void> = Promise.resolve()

  constructor(db: Db, id: string) {
    this.#db = db
    this.#id = id
  }

  hold(state: Uint8Array): void {
    this.#next = state
    if (!this.#isWriting) this.done = this.#write()
  }

  async #write(): Promise<void> {
    this.#isWriting = true
    while (this.#next !== null) {
      const bytes = Buffer.from(this.#next)
      this.#next = null
      await this.#db
        .insertInto('job_state')
        .values({ job_id: this.#id, bytes })
        .onConflict(conflict => conflict.column('job_id').doUpdateSet({ bytes }))
        .execute()
        // A job that makes progress is not the one that crashes servers.
        .then(() => this.#db.updateTable('job').set({ attempts: 1 }).where('id', '=', this.#id).where('attempts', '>', 1).execute())
        .catch((error: unknown) => logFailure(`jobs: cannot keep the state of ${this.#id}:`, error))
    }
    this.#isWriting = false
  }
}
