// The queue of jobs: kept in Postgres by pg-boss, so that any server of several, or a process for nothing else, takes the next one, and
// a job whose server died is done by another. What a job is and what came of it is in our own table.
import { CompiledQuery, sql } from 'kysely'
import { PgBoss } from 'pg-boss'
import { configOf } from '../db/database.ts'
import type { Connection, Database, Db } from '../db/database.ts'
import { Refusal } from '../http.ts'
import type { KindName } from './kinds.ts'
import { Pool } from './pool.ts'
import type { Ended, Running } from './pool.ts'

export type JobState = 'queued' | 'running' | 'done' | 'failed' | 'cancelled'
export type JobInfo = {
  id: string
  kind: string
  fileId: string | null
  state: JobState
  /** Between 0 and 1. */
  progress: number
  note: string
  result: unknown
  error: string | null
  createdAt: string
  endedAt: string | null
  /** Cloud time taken, in milliseconds: what its threads have worked, together. */
  spentMs: number
}

export type NewJob = {
  /** Made by the client: asking twice is asking once. */
  id: string
  kind: KindName
  userId: string
  /** Whose cloud time it takes, and how much of it there is; null is no limit. */
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
/** A job is given to somebody else when its server has not been heard of for so long. */
const HEARTBEAT_SECONDS = 20
const TRIES = 3
/** How often progress is written, and heard whether the job is still wanted. */
const WRITE_MS = 500
const LONGEST_SECONDS = 24 * 3600
const KEPT_DAYS = 30

type Input = { input: unknown; file: string; linked: string | null; steps: number | null; budgetMs: number | null }

/** More cloud time, in milliseconds, for a job whose payer has none left; 0 is none. `nth` counts from 0, also for a job that is tried again. */
export type MoreTime = (payerId: string, jobId: string, nth: number) => Promise<number>

export class Jobs {
  readonly #db: Db
  readonly #boss: PgBoss
  readonly #pool = new Pool()
  readonly #running = new Map<string, Running>()
  readonly #works = new Set<Promise<void>>()

  readonly #more: MoreTime

  private constructor(db: Db, boss: PgBoss, more: MoreTime) {
    this.#db = db
    this.#boss = boss
    this.#more = more
  }

  /** Opens the queue. `threads` is how many jobs this process does at once; with 0 it only takes them in. */
  static async start({ db }: Database, connection: Connection, threads: number, more: MoreTime = () => Promise.resolve(0)): Promise<Jobs> {
    const boss = new PgBoss({ ...configOf(connection), application_name: 'holarchy jobs', max: 3 + threads, useListenNotify: true })
    boss.on('error', error => console.error('jobs:', error))
    await boss.start()
    const queue = { retryLimit: TRIES - 1, heartbeatSeconds: HEARTBEAT_SECONDS, expireInSeconds: LONGEST_SECONDS, notify: true }
    await boss.createQueue(QUEUE, queue)
    const jobs = new Jobs(db, boss, more)
    if (threads > 0) {
      await boss.work<{ id: string }>(
        QUEUE,
        { localConcurrency: threads, pollingIntervalSeconds: 1, notifyPollingIntervalSeconds: 1 },
        async taken => {
          for (const { data } of taken) await jobs.#do(data.id)
        },
      )
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
      .select(['id', 'kind', 'file_id', 'state', 'progress', 'note', 'error', 'created_at', 'ended_at', 'spent_ms'])
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
    for (const running of this.#running.values()) running.stop()
    await this.#boss.stop({ graceful: true, timeout: 5000 })
    await Promise.allSettled(this.#works)
    await this.#pool.close()
  }

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
      .returning(['kind', 'input', 'spent_ms', 'attempts', 'payer_id'])
      .executeTakeFirst()
    if (job === undefined) return
    const { input, file, linked, steps, budgetMs } = job.input as Input
    const budget = { ms: budgetMs ?? Infinity, bought: 0, isAsking: false }
    const parts = await this.#db.selectFrom('job_part').select(['serial', 'data']).where('job_id', '=', id).orderBy('serial').execute()
    let now = { progress: 0, note: '' }
    let serial = (parts.at(-1)?.serial ?? -1) + 1
    let kept: Promise<unknown> = Promise.resolve()
    const task = { kind: job.kind as KindName, input, file, linked, steps, known: parts.map(({ data }) => data) }
    const running = this.#pool.run(task, {
      progress: (progress, note) => (now = { progress, note }),
      keep: part => {
        const row = { job_id: id, serial: serial++, data: JSON.stringify(part) }
        kept = kept
          .then(() => this.#db.insertInto('job_part').values(row).execute())
          .catch((error: unknown) => console.error(`jobs: cannot keep a part of ${id}:`, error))
      },
    })
    const spent = (): number => Math.round(job.spent_ms + running.worked())
    this.#running.set(id, running)
    const writing = setInterval(() => {
      if (spent() > budget.ms && !budget.isAsking) {
        budget.isAsking = true
        this.#more(job.payer_id, id, budget.bought)
          .then(ms => {
            if (ms <= 0) return this.#end(id, spent(), { how: 'failed', error: 'cloud-time' }).finally(running.stop)
            budget.bought++
            budget.ms += ms
            return undefined
          })
          .catch((error: unknown) => console.error(`jobs: cannot ask for more time for ${id}:`, error))
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
        (error: unknown) => console.error(`jobs: cannot write the progress of ${id}:`, error),
      )
    }, WRITE_MS)
    const ended = await running.ended
    await kept
    clearInterval(writing)
    this.#running.delete(id)
    if (ended.how === 'crashed' && job.attempts < TRIES) throw new Error(ended.error)
    await this.#end(id, spent(), ended)
    // Stopped, and still wanted: the server is going.
    if (ended.how === 'stopped' && (await this.#isWanted(id))) throw new Error('the server stops')
  }

  async #isWanted(id: string): Promise<boolean> {
    const row = await this.#db.selectFrom('job').select('state').where('id', '=', id).executeTakeFirst()
    return row?.state === 'running'
  }

  async #end(id: string, spentMs: number, ended: Ended): Promise<void> {
    const values =
      ended.how === 'done'
        ? { state: 'done' as const, progress: 1, result: JSON.stringify(ended.result) }
        : ended.how === 'stopped'
          ? {}
          : { state: 'failed' as const, error: ended.error.slice(0, 2000) }
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
