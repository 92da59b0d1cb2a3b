// Limits of plans: which plan counts is in model-schema/business/plans.ts, usage is counted here.
import { sql } from 'kysely'
import { enlargements } from '../../model-schema/business/coins.ts'
import type { CoinItem } from '../../model-schema/business/coins.ts'
import { allows, payerOf, planWith, quantityLabels } from '../../model-schema/business/plans.ts'
import type { Feature, Plan, PlanLevel, Quantity } from '../../model-schema/business/plans.ts'
import type { SpaceType } from '../../model-schema/roles.ts'
import { paidTokens } from '../copilot/budget.ts'
import { inTransaction } from '../db/database.ts'
import type { Db } from '../db/database.ts'
import { Refusal } from '../http.ts'
import { shipped } from './tariff.ts'
import type { Tariff } from './tariff.ts'
import { unreachable } from '../../model-schema/unreachable.ts'

/** A workspace as far as paying goes. */
export type Place = { team: string; space: SpaceType; ownerId: string }

/** What is counted before something is added. */
type Counted = Extract<
  Quantity,
  'files' | 'blocks' | 'teams' | 'organizations' | 'workspaces' | 'teamMembers' | 'organizationMembers' | 'externalEditors' | 'embeds'
>

export type Quota = {
  /** Throws `limit-reached` when there is more of this already than the payer's plan allows. */
  room(quantity: Counted, actorId: string, place: Place | null): Promise<void>
  /**
   * Does `write`, which may add some of this, and undoes it with `limit-reached` when it did and that is more than the payer's plan allows. Of
   * several at once at the limit exactly as many pass as there is room for. Of several quantities all have to fit.
   */
  take<T>(quantity: Counted | readonly Counted[], actorId: string, place: Place | null, write: (tx: Db) => Promise<T>): Promise<T>
  /** Throws `plan-lacks-feature` when the payer's plan does not have it. */
  feature(feature: Feature, actorId: string, place: Place): Promise<void>
  /** The plan of a person, with what items made of it. */
  planOf(userId: string): Promise<Plan>
  /** Those of several. */
  plansOf(userIds: readonly string[]): Promise<ReadonlyMap<string, Plan>>
  /** Whether the workspace's owner has used up their storage. */
  isFull(ownerId: string): Promise<boolean>
  /** The plan in force for a person, and how much of it is used in the places they pay for. */
  usage(userId: string): Promise<Usage>
}

export type Usage = {
  level: PlanLevel
  until: string | null
  plan: Plan
  used: Record<
    'storageGB' | 'cloudHoursPerYear' | 'copilotTokensPerMonth' | 'resultStorageGB' | 'remoteRuns' | (typeof OWN)[number],
    number
  >
  /** Seats of the spaces one owns, the fullest of each sort. */
  seats: { quantity: Seat; space: string; used: number }[]
}

const SEATS = ['teamMembers', 'organizationMembers', 'externalEditors'] as const
type Seat = (typeof SEATS)[number]

/** What one person uses up, wherever they are. */
const OWN = ['files', 'blocks', 'workspaces', 'teams', 'organizations', 'embeds'] as const

const GB = 1e9
const LOCK = 7245005
/** Storage is added up at most this often per owner. */
const MEASURED_MS = 10_000

/** For the relay: whether the storage of the owner of a document's workspace is used up. */
export function fullness(db: Db, level: PlanLevel, tariff: Tariff = shipped): (docId: string) => Promise<boolean> {
  const quota = quotaOf(db, level, tariff)
  const known = new Map<string, { full: boolean; at: number }>()
  return async docId => {
    const row = await db
      .selectFrom('file as f')
      .innerJoin('workspace as w', 'w.id', 'f.workspace_id')
      .select('w.owner_id')
      .where('f.id', '=', docId)
      .executeTakeFirst()
    if (row === undefined) return false
    const before = known.get(row.owner_id)
    if (before !== undefined && Date.now() - before.at < MEASURED_MS) return before.full
    const full = await quota.isFull(row.owner_id)
    if (known.size > 10_000) known.clear()
    known.set(row.owner_id, { full, at: Date.now() })
    return full
  }
}

/** `level` is the plan of those who have no subscription. */
export function quotaOf(db: Db, level: PlanLevel, { plans }: Tariff = shipped): Quota {
  async function plansOf(userIds: readonly string[]): Promise<Map<string, Plan>> {
    const { rows } = await sql<{ id: string; level: PlanLevel | null; more: Partial<Record<CoinItem, number>> | null }>`select wanted.id,
        (select level from subscription where user_id = wanted.id and (until is null or until > now())) as level,
        (select jsonb_object_agg(item, count) from plan_enlargement where user_id = wanted.id) as more
      from unnest(${[...userIds]}::uuid[]) as wanted (id)`.execute(db)
    return new Map(rows.map(row => [row.id, enlarged(plans[row.level ?? level], row.more ?? {})]))
  }
  async function planOf(userId: string): Promise<Plan> {
    return (await plansOf([userId])).get(userId) ?? plans[level]
  }
  function refuseBeyond(plan: Plan, quantity: Counted, used: number, isOwners: boolean): void {
    const allowed = plan[quantity]
    if (allowed === null || allows(plan, quantity, used)) return
    const more = planWith({ quantity, wanted: used }, plans)?.level
    throw new Refusal('limit-reached', `${quantity}: ${used} wanted, ${allowed} allowed`, {
      limit: { quantity, allowed, ...(more === undefined ? {} : { plan: more }), ...(isOwners ? { isOwners } : {}) },
    })
  }
  return {
    planOf,
    plansOf,
    async room(quantity, actorId, place) {
      const payer = whoPays(quantity, actorId, place)
      const plan = await planOf(payer)
      if (plan[quantity] !== null) refuseBeyond(plan, quantity, await count(db, quantity, payer, place), payer !== actorId)
    },
    async take(quantity, actorId, place, write) {
      const asked = [quantity].flat().map(one => ({ quantity: one, payer: whoPays(one, actorId, place) }))
      const measured = await Promise.all(asked.map(async one => ({ ...one, plan: await planOf(one.payer) })))
      const limited = measured.filter(one => one.plan[one.quantity] !== null)
      if (limited.length === 0) return write(db)
      return inTransaction(db, async tx => {
        const before: number[] = []
        for (const one of limited) {
          // Concurrent additions of the same quantity wait until this is done, and count it.
          await sql`select pg_advisory_xact_lock(${LOCK}, hashtext(${`${one.quantity} ${one.payer}`}))`.execute(tx)
          before.push(await count(tx, one.quantity, one.payer, place))
        }
        const result = await write(tx)
        for (const [i, one] of limited.entries()) {
          const after = await count(tx, one.quantity, one.payer, place)
          if (after > (before[i] ?? 0)) refuseBeyond(one.plan, one.quantity, after, one.payer !== actorId)
        }
        return result
      })
    },
    async feature(feature, actorId, place) {
      const plan = await planOf(place.space === 'organization' ? place.ownerId : actorId)
      if (plan.features.includes(feature)) return
      const needs = planWith(feature, plans)?.level
      throw new Refusal('plan-lacks-feature', `the plan ${plan.level} has no ${feature}`, {
        feature: { feature, ...(needs === undefined ? {} : { plan: needs }) },
      })
    },
    async isFull(ownerId) {
      const { storageGB } = await planOf(ownerId)
      return storageGB !== null && (await storedBytes(db, ownerId)) > storageGB * GB
    },
    async usage(userId) {
      const row = await db.selectFrom('subscription').select('until').where('user_id', '=', userId).executeTakeFirst()
      const counts = await Promise.all(OWN.map(async quantity => [quantity, await count(db, quantity, userId, null)] as const))
      const plan = await planOf(userId)
      const used = {
        storageGB: (await storedBytes(db, userId)) / GB,
        cloudHoursPerYear: await cloudHours(db, userId),
        copilotTokensPerMonth: (await paidTokens(db, userId)).used,
        ...(await keptResults(db, userId)),
        files: 0,
        blocks: 0,
        workspaces: 0,
        teams: 0,
        organizations: 0,
        embeds: 0,
      }
      for (const [quantity, n] of counts) used[quantity] = n
      return { level: plan.level, until: row?.until?.toISOString() ?? null, plan, used, seats: await seatsOf(db, userId) }
    },
  }
}

/** A plan with what was used up for it added to its limits. */
function enlarged(plan: Plan, more: Partial<Record<CoinItem, number>>): Plan {
  const larger = { ...plan }
  for (const [item, raised] of Object.entries(enlargements)) {
    const times = Object.entries(more).find(([id]) => id === item)?.[1] ?? 0
    for (const [id, by] of Object.entries(raised)) {
      const quantity = quantities.find(one => one === id)
      const limit = quantity === undefined ? null : larger[quantity]
      if (quantity !== undefined && limit !== null) larger[quantity] = limit + by * times
    }
  }
  return larger
}

const quantities = Object.keys(quantityLabels).filter((key): key is Quantity => Object.hasOwn(quantityLabels, key))

/** Hours of server computing this year that count for a person. */
async function cloudHours(db: Db, userId: string): Promise<number> {
  const { rows } = await sql<{ ms: number }>`select coalesce(sum(spent_ms), 0)::bigint as ms from job
    where payer_id = ${userId} and created_at >= date_trunc('year', now())`.execute(db)
  return (rows[0]?.ms ?? 0) / 3_600_000
}

/** Experiment runs kept on the server that count for a person, and the room that those in their spaces take. */
async function keptResults(db: Db, userId: string): Promise<{ remoteRuns: number; resultStorageGB: number }> {
  const { rows } = await sql<{ runs: number; bytes: number }>`select
    (select count(*)::int from experiment_result where payer_id = ${userId}) as runs,
    (select coalesce(sum(bytes), 0)::bigint from experiment_result where store_payer_id = ${userId}) as bytes`.execute(db)
  return { remoteRuns: rows[0]?.runs ?? 0, resultStorageGB: (rows[0]?.bytes ?? 0) / GB }
}

/** Of each sort of seat, how many are taken in the space of this owner where most are. */
async function seatsOf(db: Db, ownerId: string): Promise<Usage['seats']> {
  const { rows: spaces } = await sql<{ name: string; type: SpaceType; members: number; outside: number }>`select w.name, w.type,
      (select count(*)::int from workspace_member m where m.workspace_id = w.id) as members,
      (select count(distinct g.user_id)::int from collaborator g join file f on f.id = g.file_id
        where f.workspace_id = w.id and g.revoked_at is null and g.role in ('manager', 'editor')
        and not exists (select 1 from workspace_member m where m.workspace_id = w.id and m.user_id = g.user_id)) as outside
    from workspace w where w.owner_id = ${ownerId}`.execute(db)
  return SEATS.flatMap(quantity => {
    const fitting =
      quantity === 'externalEditors' ? spaces : spaces.filter(({ type }) => type === (quantity === 'teamMembers' ? 'team' : 'organization'))
    const taken = fitting.map(({ name, members, outside }) => ({
      quantity,
      space: name,
      used: quantity === 'externalEditors' ? outside : members,
    }))
    const most = taken.toSorted((a, b) => b.used - a.used)[0]
    return most === undefined ? [] : [most]
  })
}

function whoPays(quantity: Counted, actorId: string, place: Place | null): string {
  return place !== null && payerOf(place.space, quantity) === 'owner' ? place.ownerId : actorId
}

/** Bytes of the documents in workspaces of this owner. */
async function storedBytes(db: Db, ownerId: string): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`select coalesce(sum(coalesce(length(d.snapshot), 0)
      + coalesce((select sum(length(u)) from doc_update where doc_id = d.id), 0)), 0)::bigint as bytes
    from doc d join file f on f.id = d.id join workspace w on w.id = f.workspace_id where w.owner_id = ${ownerId}`.execute(db)
  return rows[0]?.bytes ?? 0
}

async function count(db: Db, quantity: Counted, payer: string, place: Place | null): Promise<number> {
  const { rows } = await counting(quantity, payer, place).execute(db)
  return rows[0]?.n ?? 0
}

function counting(quantity: Counted, payer: string, place: Place | null) {
  const team = place?.team ?? ''
  switch (quantity) {
    case 'files':
    case 'blocks': {
      // In organizations its owner's, elsewhere those that one made oneself.
      const whose = place?.space === 'organization' ? sql`w.owner_id = ${payer}` : sql`f.creator_id = ${payer}`
      const where = place?.space === 'organization' ? sql`w.type = 'organization'` : sql`w.type <> 'organization'`
      const kinds = quantity === 'blocks' ? sql`f.kind = 'block'` : sql`f.kind not in ('folder', 'project')`
      return sql<{ n: number }>`select count(*)::int as n from file f join workspace w on w.id = f.workspace_id
        where ${whose} and ${where} and ${kinds}`
    }
    case 'workspaces':
      return sql<{ n: number }>`select count(*)::int as n from workspace where owner_id = ${payer}`
    case 'teams':
      return sql<{ n: number }>`select count(*)::int as n from workspace where owner_id = ${payer} and type = 'team'`
    case 'organizations':
      return sql<{ n: number }>`select count(*)::int as n from workspace where owner_id = ${payer} and type = 'organization'`
    case 'teamMembers':
    case 'organizationMembers':
      return sql<{ n: number }>`select count(*)::int as n from workspace_member where workspace_id = ${team}`
    case 'externalEditors':
      return sql<{ n: number }>`select count(distinct g.user_id)::int as n from collaborator g join file f on f.id = g.file_id
        where f.workspace_id = ${team} and g.revoked_at is null and g.role in ('manager', 'editor')
        and not exists (select 1 from workspace_member m where m.workspace_id = ${team} and m.user_id = g.user_id)`
    case 'embeds':
      return sql<{
        n: number
      }>`select count(*)::int as n from embed e join file f on f.id = e.file_id join workspace w on w.id = f.workspace_id
        where w.owner_id = ${payer} and e.closed_at is null`
    default:
      return unreachable(quantity)
  }
}
