// The leader's side of a queue: an evaluator that puts chunks of runs into the database and reads the workers' results. Threads of its own, if
// it has any, take from the same jobs. A leader that dies is started again and finds all results.
import { Client, type Pool } from 'pg'
import type { PgBoss } from 'pg-boss'
import { engineHash } from '../engine.ts'
import type { Prepared } from '../prepare.ts'
import { BEFORE, type Evaluator, type Job, type Sample, type Workers } from '../protocol.ts'
import { Source } from './source.ts'
import { CHUNKS, forgetOld, givenUp, makeQueue, makeTables, poolOf, queueOf, RESULTS, startBoss, type QueueConnection } from './tables.ts'
import type { QueueTask } from './task.ts'
import { jobsText, samplesOf } from './wire.ts'

/** How long a chunk should take, in milliseconds: at most, and at least where few runs are left for many workers. */
const longestMs = 5000
const shortestMs = 200
const largestChunk = 4096
/** How often it looks without a notification, and for workers and chunks that were given up. */
const lookMs = 500
const censusMs = 2000
/** A worker that was silent for so long is not counted. */
const absentSeconds = 15

type Leading = {
  readonly connection: QueueConnection
  readonly prepared: Prepared
  readonly key: string
  readonly task: QueueTask
  /** Distinguishes experiments of equal keys that must not share runs; blank: other leaders of the same experiment share its runs. */
  readonly apart: string
  /** Makes runs here, besides what workers make. */
  readonly local: Workers | null
  /** Works out what comes before runs. */
  readonly before: Evaluator
  /** Workers of this process are not counted: they share the machine with the threads above. */
  readonly ownWorkers: string
  /** Called when there are runs to be made and no worker to make them, and when some come. */
  readonly say?: (text: string) => void
}

export type Leader = Workers & {
  /** What was made before. */
  known(): Promise<(readonly [run: number, sample: Sample])[]>
  /** Ends. Results are deleted unless `keep` is set for a later leader. */
  finish(keep: boolean): Promise<void>
}

/** Throws when the database cannot be reached or another leader has the experiment. */
export async function lead(leading: Leading): Promise<Leader> {
  const { connection, key, task, apart } = leading
  const pool = poolOf(connection, 'holarchy leader', 3)
  const undo: (() => Promise<unknown>)[] = [() => pool.end()]
  try {
    await makeTables(pool)
    const study = `${key}-${engineHash()}${apart === '' ? '' : `-${apart}`}`
    const listener = new Client({
      ...(typeof connection === 'string' ? { connectionString: connection } : connection),
      application_name: 'holarchy leader',
    })
    listener.on('error', error => console.error(`queue: ${error.message}`))
    await listener.connect()
    undo.push(() => listener.end())
    const { rows } = await listener.query<{ got: boolean }>('select pg_try_advisory_lock(7245010, hashtext($1)) as got', [study])
    if (rows[0]?.got !== true) throw new Error('another process leads this experiment on this queue')
    const boss = await startBoss(connection)
    undo.push(() => boss.stop({ graceful: false }))
    await makeQueue(boss, study)
    // Chunks of a leader that died are requested again, except the runs already known.
    await boss.deleteAllJobs(queueOf(study))
    await forgetOld(pool, boss)
    await pool.query(
      'insert into holarchy_runs.study (id, key, engine, task) values ($1, $2, $3, $4) on conflict (id) do update set is_open = true, led_at = now()',
      [study, key, engineHash(), JSON.stringify(task)],
    )
    await listener.query(`listen ${RESULTS}`)
    return new Chunks(leading, { pool, boss, listener, study, undo })
  } catch (error) {
    for (const one of undo.toReversed()) await one().catch(() => undefined)
    throw error
  }
}

type Means = { pool: Pool; boss: PgBoss; listener: Client; study: string; undo: (() => Promise<unknown>)[] }

/** One evaluation under way. */
type Round = {
  readonly source: Source
  /** Runs that workers of the queue have. */
  readonly out: Set<number>
  readonly done: (run: number, sample: Sample) => void
  isLocalDone: boolean
  readonly settle: { resolve(): void; reject(error: unknown): void }
}

class Chunks implements Leader {
  readonly #leading: Leading
  readonly #means: Means
  #round: Round | null = null
  #serial = 0
  #lanes = 0
  #perRun = Infinity
  /** Runs in the queue or at a worker, by chunk as they were sent. */
  #worked = 0
  #isLooking = false
  #isAgain = false
  #toldAbsent = false
  readonly #timers: NodeJS.Timeout[]
  readonly #sending = new Set<Promise<unknown>>()

  constructor(leading: Leading, means: Means) {
    this.#leading = leading
    this.#means = means
    means.listener.on('notification', ({ payload }) => payload === means.study && this.#look())
    this.#timers = [setInterval(() => this.#look(), lookMs), setInterval(() => void this.#count(), censusMs)]
  }

  async known(): Promise<(readonly [run: number, sample: Sample])[]> {
    const rows = await this.#rows(null)
    return rows.flatMap(({ samples }) => samples)
  }

  async evaluate(jobs: Iterable<Job>, done: (run: number, sample: Sample) => void, signal: AbortSignal): Promise<void> {
    const source = new Source(jobs)
    const [first] = source.look(1) > 0 ? source.take(1) : []
    if (first === undefined) return
    const all = function* (): Generator<Job, void> {
      yield first
      yield* source.each()
    }
    if (first.alternative === BEFORE) return this.#leading.before.evaluate(all(), done, signal)
    signal.throwIfAborted()
    await this.#count()
    const stop = new AbortController()
    const aborted = (): void => this.#round?.settle.reject(signal.reason)
    signal.addEventListener('abort', aborted, { once: true })
    try {
      await new Promise<void>((resolve, reject) => {
        const { local } = this.#leading
        const round: Round = { source: new Source(all()), out: new Set(), done, isLocalDone: local === null, settle: { resolve, reject } }
        this.#round = round
        this.#feed()
        local?.evaluate(round.source.each(), done, AbortSignal.any([signal, stop.signal])).then(() => {
          round.isLocalDone = true
          this.#settle()
        }, reject)
      })
    } finally {
      signal.removeEventListener('abort', aborted)
      this.#round = null
      stop.abort()
    }
  }

  worked = (): number => this.#worked + (this.#leading.local?.worked() ?? 0)

  close(): void {
    for (const timer of this.#timers) clearInterval(timer)
    this.#leading.local?.close()
    this.#leading.before.close()
  }

  async finish(keep: boolean): Promise<void> {
    this.close()
    const { pool, boss, study, undo } = this.#means
    await Promise.allSettled(this.#sending)
    try {
      await boss.deleteQueue(queueOf(study))
      await pool.query(
        keep ? 'update holarchy_runs.study set is_open = false where id = $1' : 'delete from holarchy_runs.study where id = $1',
        [study],
      )
    } finally {
      for (const one of undo.toReversed()) await one()
    }
  }

  /** Puts as many chunks into the queue as keep every worker at work and have the next one ready. */
  #feed(): void {
    const round = this.#round
    if (round === null) return
    // Alone, threads of this process make everything; without any, chunks wait for the first worker.
    const lanes = this.#leading.local === null ? Math.max(1, this.#lanes) : this.#lanes
    for (;;) {
      const timely = this.#perRun === Infinity ? 1 : Math.max(1, Math.floor(longestMs / this.#perRun))
      const most = Math.min(timely, largestChunk)
      if (round.out.size >= 2 * lanes * most || lanes === 0) return
      const left = round.source.look(2 * lanes * most)
      if (left === 0) return
      const least = this.#perRun === Infinity ? 1 : Math.ceil(shortestMs / this.#perRun)
      const jobs = round.source.take(Math.min(most, Math.max(least, Math.ceil(left / (2 * lanes)))))
      for (const { run } of jobs) round.out.add(run)
      this.#send(jobs, round)
    }
  }

  #send(jobs: readonly Job[], round: Round): void {
    const { boss, pool, study } = this.#means
    const sent = boss
      .send(queueOf(study), { jobs: jobsText(jobs) })
      .then(() => pool.query('select pg_notify($1, $2)', [CHUNKS, study]))
      .catch(round.settle.reject)
      .finally(() => this.#sending.delete(sent))
    this.#sending.add(sent)
  }

  /** Looks for results, once more afterwards when it was asked to meanwhile. */
  #look(): void {
    this.#isAgain = true
    if (this.#isLooking) return
    this.#isLooking = true
    const look = async (): Promise<void> => {
      while (this.#isAgain) {
        this.#isAgain = false
        const round = this.#round
        if (round === null || (round.out.size === 0 && this.#sending.size === 0)) continue
        for (const row of await this.#rows(200)) this.#take(row)
      }
    }
    look()
      .catch((error: unknown) => this.#round?.settle.reject(error))
      .finally(() => (this.#isLooking = false))
  }

  #take({ samples, workedMs }: Row): void {
    this.#worked += workedMs
    if (samples.length > 0) {
      const took = workedMs / samples.length
      this.#perRun = this.#perRun === Infinity ? took : 0.7 * this.#perRun + 0.3 * took
    }
    const round = this.#round
    if (round === null) return
    // The next chunks go out before these are looked at. A run that two workers made is the same from both.
    const fresh = samples.filter(([run]) => round.out.delete(run))
    this.#feed()
    for (const [run, sample] of fresh) round.done(run, sample)
    this.#settle()
  }

  #settle(): void {
    const round = this.#round
    if (round === null || !round.isLocalDone || round.out.size > 0 || round.source.look(1) > 0) return
    round.settle.resolve()
  }

  /** Results that were not read yet. */
  async #rows(most: number | null): Promise<Row[]> {
    const { pool, study } = this.#means
    const { rows } = await pool.query<{ serial: string; worked_ms: number; samples: Buffer; worker: string }>(
      'select serial, worker, worked_ms, samples from holarchy_runs.result where study = $1 and serial > $2 order by serial limit $3',
      [study, this.#serial, most],
    )
    if (rows.length === most) this.#isAgain = true
    return rows.map(({ serial, worker, worked_ms: workedMs, samples }) => {
      this.#serial = Number(serial)
      try {
        return { workedMs, samples: samplesOf(samples, this.#leading.prepared.measures.length) }
      } catch (error) {
        throw new Error(`what worker ${worker} made cannot be read`, { cause: error })
      }
    })
  }

  /** Counts workers and looks for chunks that were given up. */
  async #count(): Promise<void> {
    const { pool, study } = this.#means
    try {
      await pool.query('update holarchy_runs.study set led_at = now() where id = $1', [study])
      const { rows } = await pool.query<{ threads: number }>(
        `select coalesce(sum(threads), 0)::int as threads from holarchy_runs.worker
         where engine = $1 and seen_at > now() - $2 * interval '1 second' and not starts_with(id, $3)`,
        [engineHash(), absentSeconds, this.#leading.ownWorkers],
      )
      this.#lanes = rows[0]?.threads ?? 0
      const reason = this.#round === null ? null : await givenUp(pool, study)
      if (reason !== null) return this.#round?.settle.reject(new Error(reason))
      this.#tellAbsent()
      this.#feed()
      this.#settle()
    } catch (error) {
      this.#round?.settle.reject(error)
    }
  }

  #tellAbsent(): void {
    const isAbsent = this.#lanes === 0 && this.#leading.local === null && this.#round !== null
    if (isAbsent !== this.#toldAbsent)
      this.#leading.say?.(isAbsent ? 'no worker is there: start some with holarchy work' : `${this.#lanes} threads of workers are there`)
    this.#toldAbsent = isAbsent
  }
}

type Row = { readonly workedMs: number; readonly samples: (readonly [run: number, sample: Sample])[] }
