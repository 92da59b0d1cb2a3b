// The worker's side of a queue: takes chunks of runs of any experiment, makes them in threads of this process and stores their results. A worker
// that is killed loses nothing but time: its chunks return after a moment. One that is asked to stop keeps what it has made.
import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { Client, type Pool } from 'pg'
import type { PgBoss } from 'pg-boss'
import { createThreads } from '../../threads/node.ts'
import { engineHash } from '../engine.ts'
import type { Job, Sample, Workers } from '../protocol.ts'
import {
  CHUNKS,
  HEARTBEAT_SECONDS,
  inTransaction,
  LEADERLESS_SECONDS,
  makeTables,
  poolOf,
  queueOf,
  RESULTS,
  startBoss,
  type QueueConnection,
} from './tables.ts'
import { preparedOf, taskSchema } from './task.ts'
import { jobsOf, jobsText, samplesBytes } from './wire.ts'

/** How often a worker looks for work without a notification. */
const lookMs = 1000
const beatMs = (HEARTBEAT_SECONDS * 1000) / 4

type Working = {
  readonly connection: QueueConnection
  readonly threads: number
  /** Only experiments of this key; null: all. */
  readonly key: string | null
  /** Ends after so long without work, in milliseconds; null: never by itself. */
  readonly idleMs: number | null
  /** A clock in milliseconds. */
  readonly now: () => number
  readonly say: (text: string) => void
  /** Most memory of a thread, in MB, as far as it is bounded here. */
  readonly heapMb?: number
}

/** What the ids of all workers of this process begin with. */
export const ownWorkers = (): string => `${hostname()}:${process.pid}:`

/** Works until the signal is aborted, or there was no work for long. Rejects when the database cannot be reached at first. */
export async function work(working: Working, signal: AbortSignal): Promise<void> {
  const pool = poolOf(working.connection, 'holarchy worker', working.threads + 2)
  try {
    await makeTables(pool)
    const boss = await startBoss(working.connection)
    try {
      await new Worker(working, pool, boss).work(signal)
    } finally {
      await boss.stop({ graceful: false })
    }
  } finally {
    await pool.end()
  }
}

type Study = { readonly id: string; readonly key: string; readonly engine: string }
type Hired = { readonly study: string; readonly workers: Workers }
type Taken = { readonly study: Study; readonly id: string; readonly jobs: readonly Job[] }

class Worker {
  readonly #id = `${ownWorkers()}${randomBytes(4).toString('hex')}`
  readonly #working: Working
  readonly #pool: Pool
  readonly #boss: PgBoss
  #studies: readonly Study[] = []
  /** Chunks in hand, by id, with their queues. */
  readonly #held = new Map<string, string>()
  /** Studies that cannot be worked on here, with the reason: reported once. */
  readonly #refused = new Set<string>()
  #wake: () => void = () => {}
  #waiting: Promise<void> = Promise.resolve()
  #busyAt: number

  constructor(working: Working, pool: Pool, boss: PgBoss) {
    this.#working = working
    this.#pool = pool
    this.#boss = boss
    this.#busyAt = working.now()
    this.#sleep()
  }

  async work(signal: AbortSignal): Promise<void> {
    const { connection, threads, idleMs, now } = this.#working
    const ending = new AbortController()
    const ended = AbortSignal.any([signal, ending.signal])
    ended.addEventListener('abort', () => this.#wake(), { once: true })
    const listener = new Client({
      ...(typeof connection === 'string' ? { connectionString: connection } : connection),
      application_name: 'holarchy worker',
    })
    // Without it, work is found a second later.
    listener.on('error', error => this.#working.say(error.message))
    await listener.connect()
    await listener.query(`listen ${CHUNKS}`)
    listener.on('notification', () => this.#awake())
    await this.#census()
    const looking = setInterval(() => {
      if (idleMs !== null && this.#held.size === 0 && now() - this.#busyAt > idleMs) ending.abort()
      this.#awake()
    }, lookMs)
    const beating = setInterval(() => void this.#beat(), beatMs)
    try {
      await Promise.all(Array.from({ length: threads }, () => this.#lane(ended)))
    } finally {
      clearInterval(looking)
      clearInterval(beating)
      await listener.end()
      await this.#pool.query('delete from holarchy_runs.worker where id = $1', [this.#id])
    }
  }

  #sleep(): void {
    this.#waiting = new Promise(resolve => (this.#wake = resolve))
  }

  #awake(): void {
    this.#wake()
    this.#sleep()
  }

  /** Says that it is there, and sees which experiments there are. */
  async #census(): Promise<void> {
    await this.#pool.query(
      `insert into holarchy_runs.worker (id, threads, engine) values ($1, $2, $3) on conflict (id) do update set seen_at = now()`,
      [this.#id, this.#working.threads, engineHash()],
    )
    await this.#pool.query("delete from holarchy_runs.worker where seen_at < now() - interval '1 hour'")
    await this.#find()
  }

  async #find(): Promise<void> {
    const { rows } = await this.#pool.query<Study>(
      `select id, key, engine from holarchy_runs.study where is_open and led_at > now() - $1 * interval '1 second' order by created_at, id`,
      [LEADERLESS_SECONDS],
    )
    this.#studies = rows.filter(({ key }) => this.#working.key === null || key === this.#working.key)
    for (const { id, engine } of this.#studies)
      if (engine !== engineHash()) this.#refuse(id, `it needs engine ${engine}, this is ${engineHash()}`)
  }

  #refuse(id: string, why: string): void {
    if (this.#refused.has(id)) return
    this.#refused.add(id)
    this.#working.say(`experiment ${id} is left to others: ${why}`)
  }

  async #beat(): Promise<void> {
    try {
      for (const [id, queue] of this.#held) await this.#boss.touch(queue, id)
      await this.#census()
    } catch (error) {
      this.#working.say(error instanceof Error ? error.message : String(error))
    }
  }

  /** One thread: a chunk after the other. */
  async #lane(signal: AbortSignal): Promise<void> {
    let hired: Hired | null = null as Hired | null
    try {
      while (!signal.aborted) {
        const waiting = this.#waiting
        const taken = await this.#next()
        if (taken === null) {
          await waiting
          continue
        }
        if (hired?.study !== taken.study.id) {
          hired?.workers.close()
          const workers = await this.#hire(taken)
          hired = workers === null ? null : { study: taken.study.id, workers }
        }
        if (hired !== null) await this.#make(taken, hired.workers, signal)
        this.#busyAt = this.#working.now()
      }
    } finally {
      hired?.workers.close()
    }
  }

  /** A chunk of one of the experiments, in turn. */
  async #next(): Promise<Taken | null> {
    try {
      await this.#find()
      for (const study of this.#studies) {
        if (this.#refused.has(study.id)) continue
        const queue = queueOf(study.id)
        // Its leader may have ended meanwhile, and its queue with it.
        const [job] = await this.#boss.fetch<{ jobs: string }>(queue)
        if (job === undefined) continue
        this.#held.set(job.id, queue)
        return { study, id: job.id, jobs: jobsOf(job.data.jobs) }
      }
    } catch (error) {
      this.#working.say(error instanceof Error ? error.message : String(error))
    }
    return null
  }

  /** Null when this experiment cannot be made here: the chunk goes back. */
  async #hire({ study, id }: Taken): Promise<Workers | null> {
    try {
      const { rows } = await this.#pool.query<{ task: unknown }>('select task from holarchy_runs.study where id = $1', [study.id])
      const prepared = preparedOf(taskSchema.parse(rows[0]?.task), study.key)
      return createThreads(prepared.runnable, 1, this.#working.now, this.#working.heapMb)
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      this.#refuse(study.id, why)
      await this.#giveUp(study, id, why)
      return null
    }
  }

  async #make({ study, id, jobs }: Taken, workers: Workers, signal: AbortSignal): Promise<void> {
    const made: (readonly [number, Sample])[] = []
    const since = this.#working.now()
    try {
      await workers.evaluate(jobs, (run, sample) => made.push([run, sample]), signal)
    } catch (error) {
      if (!signal.aborted) return this.#giveUp(study, id, error instanceof Error ? error.message : String(error))
    }
    const known = new Set(made.map(([run]) => run))
    const rest = jobs.filter(({ run }) => !known.has(run))
    try {
      await this.#write(study, id, made, rest, this.#working.now() - since)
    } catch (error) {
      // The chunk returns after a long enough silence.
      this.#working.say(error instanceof Error ? error.message : String(error))
    } finally {
      this.#held.delete(id)
    }
  }

  /** Results, the end of the chunk and what is left of it for others, all or nothing. */
  async #write(study: Study, id: string, made: readonly (readonly [number, Sample])[], rest: readonly Job[], ms: number): Promise<void> {
    await inTransaction(this.#pool, async client => {
      // Serials rise as rows become visible: a leader that has read one misses none below it.
      await client.query('select pg_advisory_xact_lock(7245011, hashtext($1))', [study.id])
      const { rowCount } = await client.query(
        'insert into holarchy_runs.result (study, worker, worked_ms, samples) select id, $2, $3, $4 from holarchy_runs.study where id = $1',
        [study.id, this.#id, ms, samplesBytes(made)],
      )
      // The experiment has ended.
      if (rowCount === 0) return
      const db = {
        executeSql: async (text: string, values?: unknown[]) => ({ rows: (await client.query(text, values)).rows as unknown[] }),
      }
      await this.#boss.complete(queueOf(study.id), id, null, { db })
      if (rest.length > 0) await this.#boss.send(queueOf(study.id), { jobs: jobsText(rest) }, { db })
      await client.query('select pg_notify($1, $2)', [RESULTS, study.id])
      if (rest.length > 0) await client.query('select pg_notify($1, $2)', [CHUNKS, study.id])
    })
  }

  async #giveUp(study: Study, id: string, message: string): Promise<void> {
    this.#held.delete(id)
    await this.#boss.fail(queueOf(study.id), id, { message }).catch((error: unknown) => this.#working.say(String(error)))
  }
}
