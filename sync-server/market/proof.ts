// The badge "verified": the recorded run of a version (scenario, seed, ticks) is made again on the server and ends in the recorded world, by
// its hash. Asked for when a version comes out and again when that is a month ago; its result is recorded at the next visit to the store.
import { sql } from 'kysely'
import { nanoid } from 'nanoid'
import { MARKET } from '../../model-schema/business/market.ts'
import { inTransaction } from '../db/database.ts'
import type { Db } from '../db/database.ts'
import type { Jobs } from '../jobs/queue.ts'
import { holoOf } from '../relay/content.ts'
import { recount } from './crowd.ts'
import type { RecordedRun } from './tables.ts'

/** The most computing time one proof may take. */
const BUDGET_MS = 5 * 60_000
const AGAIN_DAYS = 30

/** Asks for the run of a version to be made again. Does nothing without a recorded run, a queue or its source file. */
export async function prove(db: Db, jobs: Jobs | null, appId: string, number: number): Promise<void> {
  if (jobs === null) return
  const row = await db
    .selectFrom('market_version as v')
    .innerJoin('market_app as a', 'a.id', 'v.app_id')
    .innerJoin('file as s', 's.id', 'a.source_id')
    .select(['v.run', 'a.author', 'a.source_id'])
    .where('v.app_id', '=', appId)
    .where('v.number', '=', number)
    .executeTakeFirst()
  const run = row?.run ?? null
  if (row === undefined || run === null || row.author === null || row.source_id === null) return
  const file = await db
    .selectFrom('market_file')
    .select('blob')
    .where('app_id', '=', appId)
    .where('number', '=', number)
    .where('id', '=', run.file)
    .executeTakeFirst()
  const proved = (proof: 'waiting' | 'failed', job: string | null) =>
    db
      .updateTable('market_version')
      .set({ proof, proof_job: job, proof_at: proof === 'failed' ? new Date() : null })
      .where('app_id', '=', appId)
      .where('number', '=', number)
      .execute()
  if (file === undefined || file.blob === null) return void (await proved('failed', null))
  const id = nanoid()
  await jobs.add({
    id,
    kind: 'simulate',
    userId: row.author,
    payerId: row.author,
    budgetMs: BUDGET_MS,
    fileId: row.source_id,
    file: holoOf(file.blob),
    linked: null,
    steps: MARKET.proofTicks,
    input: { ...(run.scenario === null ? {} : { scenario: run.scenario }), seed: run.seed, ticks: run.ticks },
  })
  // Only now: nothing waits for a job that is not there.
  await proved('waiting', id)
}

/** Records the results of the runs that have ended; true when there were any. A run without a recorded hash records it and is made once more. */
export async function settleProofs(db: Db, jobs: Jobs | null): Promise<boolean> {
  const { rows } = await sql<{ app_id: string; number: number; run: RecordedRun | null; state: string; hash: string | null }>`
    select v.app_id, v.number, v.run, coalesce(j.state, 'failed') as state, j.result ->> 'hash' as hash
    from market_version v left join job j on j.id = v.proof_job
    where v.proof = 'waiting' and (j.id is null or j.state in ('done', 'failed', 'cancelled')) limit 50`.execute(db)
  for (const { app_id, number, run, state, hash } of rows) {
    const recorded = run?.hash ?? null
    const first = state === 'done' && recorded === null && run !== null && hash !== null
    const proof = first ? 'waiting' : state !== 'done' ? 'failed' : hash !== null && hash === recorded ? 'verified' : 'different'
    await inTransaction(db, async tx => {
      await tx
        .updateTable('market_version')
        .set({ proof, proof_at: new Date(), ...(first ? { run: JSON.stringify({ ...run, hash }), proof_job: null } : {}) })
        .where('app_id', '=', app_id)
        .where('number', '=', number)
        .where('proof', '=', 'waiting')
        .execute()
      await recount(tx, app_id)
    })
    if (first) await prove(db, jobs, app_id, number)
  }
  return rows.length > 0
}

/** Asks for what was never proved, one at a time, the best placed first (a proof moves it up, so those of equal merit keep their order), and for a publication that is looked at when its proof is a month old. */
export async function proveMore(db: Db, jobs: Jobs | null, looked: string | null): Promise<void> {
  if (jobs === null) return
  const { rows } = await sql<{ app_id: string; number: number }>`select v.app_id, v.number from market_version v
    join market_app a on a.id = v.app_id and a.current = v.number and a.author is not null
    join file s on s.id = a.source_id
    where (a.id = ${looked ?? ''} and v.proof <> 'waiting' and v.proof_at < now() - ${AGAIN_DAYS} * interval '1 day')
      or (v.proof = 'none' and v.run is not null and a.state = 'published'
        and not exists (select 1 from market_version w where w.proof = 'waiting'))
    order by a.id = ${looked ?? ''} desc, a.rank desc limit 1`.execute(db)
  for (const { app_id, number } of rows) await prove(db, jobs, app_id, number)
}
