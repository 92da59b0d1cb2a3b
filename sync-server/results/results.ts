// Results of experiments kept on the server: what a page packed, with what lists say of it. All who may see the experiment's file see them.
// Their number is bounded by the plan of the person who keeps them (in an organization its owner's), how large they are together by that of the
// workspace's owner.
import { sql } from 'kysely'
import { payerOf } from '../../model-schema/business/plans.ts'
import type { Plan, PlanLevel } from '../../model-schema/business/plans.ts'
import { inTransaction } from '../db/database.ts'
import type { Db } from '../db/database.ts'
import { Refusal } from '../http.ts'
import type { FileStanding } from '../permissions.ts'
import type { Quota } from '../plans/quota.ts'

/** The description of a result, without its data. */
type ResultHead = {
  /** What the samples are samples of: equal keys, equal runs. */
  key: string
  name: string
  /** The experiment's type. */
  type: string
  runs: number
  failed: number
  ended: string
  startedAt: string
}

type ResultInfo = ResultHead & {
  id: string
  fileId: string
  /** Name of the experiment's file. */
  file: string
  uploadedAt: string
  bytes: number
  /** The person who keeps it; null when their account is gone. */
  by: string | null
  isMine: boolean
}

/** What the plans of those who pay allow, and how much of it is used: over all experiments. */
type ResultRoom = { count: number; allowed: number | null; bytes: number; allowedBytes: number | null; level: PlanLevel }

const GB = 1e9
const LOCK = 7245006

type Payers = { counts: string; stores: string }

const payersOf = (standing: FileStanding, userId: string): Payers => ({
  counts: payerOf(standing.space, 'remoteRuns') === 'owner' ? standing.ownerId : userId,
  stores: payerOf(standing.space, 'resultStorageGB') === 'owner' ? standing.ownerId : userId,
})

export class RemoteResults {
  readonly #db: Db
  readonly #quota: Quota

  constructor(db: Db, quota: Quota) {
    this.#db = db
    this.#quota = quota
  }

  /** Of one experiment, the latest first. */
  list(userId: string, fileId: string): Promise<ResultInfo[]> {
    return this.#listed(userId, this.#db, query => query.where('r.file_id', '=', fileId))
  }

  /** One's own results that count for the payer of this file, in all experiments: what may be deleted to make room. */
  paid(userId: string, standing: FileStanding): Promise<ResultInfo[]> {
    const { counts } = payersOf(standing, userId)
    return this.#listed(userId, this.#db, query => query.where('r.payer_id', '=', counts).where('r.user_id', '=', userId))
  }

  async room(userId: string, standing: FileStanding): Promise<ResultRoom> {
    const payers = payersOf(standing, userId)
    const [plan, owners] = await Promise.all([this.#quota.planOf(payers.counts), this.#quota.planOf(payers.stores)])
    const used = await usedBy(this.#db, payers)
    return {
      ...used,
      allowed: plan.remoteRuns,
      allowedBytes: owners.resultStorageGB === null ? null : owners.resultStorageGB * GB,
      level: plan.level,
    }
  }

  /** Keeps a result; again with the same id replaces it, if it is one's own. Throws `id-taken`, `limit-reached`. */
  async keep(userId: string, standing: FileStanding, fileId: string, id: string, head: ResultHead, data: Uint8Array): Promise<void> {
    const payers = payersOf(standing, userId)
    const [plan, owners] = await Promise.all([this.#quota.planOf(payers.counts), this.#quota.planOf(payers.stores)])
    await inTransaction(this.#db, async tx => {
      // Of several at once at the limit, as many pass as there is room for.
      for (const payer of new Set(Object.values(payers))) await sql`select pg_advisory_xact_lock(${LOCK}, hashtext(${payer}))`.execute(tx)
      const before = await tx.selectFrom('experiment_result').select(['user_id', 'file_id']).where('id', '=', id).executeTakeFirst()
      if (before !== undefined && (before.user_id !== userId || before.file_id !== fileId)) throw new Refusal('id-taken')
      const values = {
        file_id: fileId,
        user_id: userId,
        payer_id: payers.counts,
        store_payer_id: payers.stores,
        ...headColumns(head),
        bytes: data.length,
        data: Buffer.from(data),
      }
      await tx
        .insertInto('experiment_result')
        .values({ id, ...values })
        .onConflict(conflict => conflict.column('id').doUpdateSet({ ...values, uploaded_at: sql<Date>`now()` }))
        .execute()
      const used = await usedBy(tx, payers)
      if (before === undefined) refuseBeyond(plan, 'remoteRuns', used.count)
      refuseBeyond(owners, 'resultStorageGB', used.bytes / GB)
    })
  }

  /** What was kept; null when there is none of this id in this file. */
  async data(fileId: string, id: string): Promise<Uint8Array | null> {
    const row = await this.#db
      .selectFrom('experiment_result')
      .select('data')
      .where('id', '=', id)
      .where('file_id', '=', fileId)
      .executeTakeFirst()
    return row?.data ?? null
  }

  /** Deletes a result; of others only with `any`. False when there is none. */
  async remove(userId: string, fileId: string, id: string, any: boolean): Promise<boolean> {
    const { numDeletedRows } = await this.#db
      .deleteFrom('experiment_result')
      .where('id', '=', id)
      .where('file_id', '=', fileId)
      .$if(!any, query => query.where('user_id', '=', userId))
      .executeTakeFirst()
    return numDeletedRows > 0n
  }

  async #listed(
    userId: string,
    db: Db,
    narrowed: (query: ReturnType<typeof listing>) => ReturnType<typeof listing>,
  ): Promise<ResultInfo[]> {
    const rows = await narrowed(listing(db)).orderBy('r.started_at', 'desc').limit(500).execute()
    return rows.map(row => ({
      id: row.id,
      fileId: row.file_id,
      file: row.file,
      key: row.key,
      name: row.name,
      type: row.type,
      runs: row.runs,
      failed: row.failed,
      ended: row.ended,
      startedAt: row.started_at.toISOString(),
      uploadedAt: row.uploaded_at.toISOString(),
      bytes: row.bytes,
      by: row.by,
      isMine: row.user_id === userId,
    }))
  }
}

const listing = (db: Db) =>
  db
    .selectFrom('experiment_result as r')
    .innerJoin('file as f', 'f.id', 'r.file_id')
    .leftJoin('user as u', 'u.id', 'r.user_id')
    .select(['r.id', 'r.file_id', 'f.name as file', 'r.user_id', 'r.key', 'r.name', 'r.type', 'r.runs', 'r.failed', 'r.ended'])
    .select(['r.started_at', 'r.uploaded_at', 'r.bytes', 'u.name as by'])

const headColumns = ({ key, name, type, runs, failed, ended, startedAt }: ResultHead) => ({
  key,
  name,
  type,
  runs,
  failed,
  ended,
  started_at: startedAt,
})

async function usedBy(db: Db, { counts, stores }: Payers): Promise<{ count: number; bytes: number }> {
  const row = await db
    .selectFrom('experiment_result')
    .select(eb => [
      eb.fn.countAll<string>().filterWhere('payer_id', '=', counts).as('count'),
      eb.fn.coalesce(eb.fn.sum<string>('bytes').filterWhere('store_payer_id', '=', stores), sql<string>`0`).as('bytes'),
    ])
    .where(eb => eb.or([eb('payer_id', '=', counts), eb('store_payer_id', '=', stores)]))
    .executeTakeFirstOrThrow()
  return { count: Number(row.count), bytes: Number(row.bytes) }
}

function refuseBeyond(plan: Plan, quantity: 'remoteRuns' | 'resultStorageGB', used: number): void {
  const allowed = plan[quantity]
  if (allowed !== null && used > allowed)
    throw new Refusal('limit-reached', `${quantity}: ${used} wanted, ${allowed} allowed`, { limit: { quantity, allowed } })
}
