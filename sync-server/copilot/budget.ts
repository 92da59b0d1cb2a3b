// What calls of language models may use: in a turn, in an hour, and in a day. Sums of the table of calls, so that all servers count together.
import { sql } from 'kysely'
import { TURN } from '../../sim-engine/copilot/doors/dialogue.ts'
import type { Db } from '../db/database.ts'
import type { Limits, Owner } from './providers.ts'
import type { CopilotSettings } from './settings.ts'

/** Models of the server share what a person may use of them in a day. */
export const isOfServer = (provider: string): boolean => provider.startsWith('server-')

/** An owner of models as tables name it. */
export const ownerKey = ({ user_id, workspace_id }: Owner): string =>
  user_id !== null ? `person ${user_id}` : workspace_id !== null ? `workspace ${workspace_id}` : 'server'

export type Budget = {
  /** Tokens that are left today. */
  readonly left: number
  readonly dayTokens: number
}

/** How long a call may go on, and hold what it may use, before it is taken for dead: longer than any answer may take. */
const HELD = sql`at > now() - interval '15 minutes'`

type Sums = Record<
  'turn_calls' | 'hour_calls' | 'turn_tokens' | 'turn_held' | 'own_tokens' | 'own_held' | 'day_tokens' | 'day_held',
  string
>

export type Beginning = {
  readonly userId: string
  readonly provider: string
  /** The owner of the model, by `ownerKey`. */
  readonly owner: string
  readonly turn: string
  readonly isOwn: boolean
  readonly limits: Pick<Limits, 'dayTokens' | 'monthCost'> & Partial<Prices>
  /** The most tokens that it may use: of what is sent, by an estimate, and of the answer. */
  readonly most: { readonly in: number; readonly out: number }
  /** The account with the plan that it counts for, and the tokens of the server's models in that plan for 30 days. */
  readonly payer?: { readonly id: string; readonly monthTokens: number | null }
}
export type BudgetRefusal = 'budget-turn' | 'budget-day' | 'budget-money' | 'budget-plan' | 'busy'

/**
 * Notes a call that begins; says why it may not. Calls that share a budget begin one after the other, and each holds what it may use until it ends: calls at
 * the same time go no further over a budget than one of them alone. `busy`: calls under way hold what is left.
 */
export async function begin(db: Db, settings: CopilotSettings, call: Beginning): Promise<{ id: string } | { refused: BudgetRefusal }> {
  return db.transaction().execute(async tx => {
    const sharing = [...new Set([`person ${call.userId}`, call.owner, ...(call.payer ? [`person ${call.payer.id}`] : [])])].toSorted()
    for (const one of sharing) await sql`select pg_advisory_xact_lock(hashtextextended(${`copilot ${one}`}, 0))`.execute(tx)
    const refused = await overOf(tx, settings, call)
    if (refused !== null) return { refused }
    return tx
      .insertInto('copilot_use')
      .values({
        user_id: call.userId,
        provider: call.provider,
        owner: call.owner,
        turn: call.turn,
        payer_id: call.payer?.id ?? null,
        held_tokens: call.most.in + call.most.out,
        held_cost: costOf(call.most.in, call.most.out, call.limits),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
  })
}

/** The budget that is used up, by calls that ended or with those under way; null when a call may begin. */
async function overOf(db: Db, settings: CopilotSettings, call: Beginning): Promise<BudgetRefusal | null> {
  const { dayTokens, monthCost } = call.limits
  const { rows } = await sql<Sums>`select
      count(*) filter (where turn = ${call.turn}) as turn_calls,
      count(*) filter (where at > now() - interval '1 hour') as hour_calls,
      coalesce(sum(tokens_in + tokens_out) filter (where turn = ${call.turn}), 0) as turn_tokens,
      coalesce(sum(held_tokens) filter (where turn = ${call.turn} and ${HELD}), 0) as turn_held,
      coalesce(sum(tokens_in + tokens_out) filter (where provider = ${call.provider}), 0) as own_tokens,
      coalesce(sum(held_tokens) filter (where provider = ${call.provider} and ${HELD}), 0) as own_held,
      coalesce(sum(tokens_in + tokens_out) filter (where provider like 'server-%'), 0) as day_tokens,
      coalesce(sum(held_tokens) filter (where provider like 'server-%' and ${HELD}), 0) as day_held
    from copilot_use where user_id = ${call.userId} and at > now() - interval '24 hours'`.execute(db)
  const sums = (name: keyof Sums): number => Number(rows[0]?.[name] ?? 0)
  const money = (await moneyFor(db, [{ id: call.provider, monthCost, owner: call.owner }])).get(call.provider)
  const plan = call.payer?.monthTokens ?? null
  const paid = call.payer && plan !== null ? await paidTokens(db, call.payer.id) : { used: 0, held: 0 }
  if (sums('turn_calls') >= TURN.calls) return 'budget-turn'
  const budgets: readonly [why: BudgetRefusal, used: number, held: number, limit: number | null][] = [
    ['budget-turn', sums('turn_tokens'), sums('turn_held'), TURN.tokens],
    ['budget-day', sums('day_tokens'), sums('day_held'), call.isOwn ? null : settings.dayTokens],
    ['budget-day', sums('own_tokens'), sums('own_held'), dayTokens],
    ['budget-money', money ? money.of - money.left : 0, money?.held ?? 0, money?.of ?? null],
    ['budget-plan', paid.used, paid.held, plan],
  ]
  const isOver = (used: number, limit: number | null): boolean => limit !== null && used >= limit
  const over = budgets.find(([, used, , limit]) => isOver(used, limit))
  if (over) return over[0]
  return sums('hour_calls') >= settings.hourCalls || budgets.some(([, used, held, limit]) => isOver(used + held, limit)) ? 'busy' : null
}

const MILLION = 1_000_000

type Prices = Pick<Limits, 'priceIn' | 'priceOut'>

/** Millionths of a dollar: dollars for a million tokens are millionths of one for a token. */
const costOf = (tokensIn: number, tokensOut: number, { priceIn, priceOut }: Partial<Prices>): number =>
  Math.ceil(tokensIn * (priceIn ?? 0) + tokensOut * (priceOut ?? 0))

/** Notes what a call has used, in tokens, and what that costs at these prices; it holds nothing any more. */
export async function note(db: Db, id: string, tokensIn: number, tokensOut: number, prices: Prices): Promise<void> {
  await db
    .updateTable('copilot_use')
    .set({ tokens_in: tokensIn, tokens_out: tokensOut, cost: costOf(tokensIn, tokensOut, prices), held_tokens: 0, held_cost: 0 })
    .where('id', '=', id)
    .execute()
}

/** US dollars for 30 days: what there is, what is left of it, and what calls under way may use of that. */
export type Allowance = { readonly left: number; readonly of: number; readonly held: number }

type Spent = { readonly used: number; readonly held: number }

/** The money for models by their ids, as far as it is limited: that of the model or of its owner, whichever has less left. */
export async function moneyFor(
  db: Db,
  models: readonly { id: string; monthCost: number | null; owner: string }[],
): Promise<ReadonlyMap<string, Allowance>> {
  const limits = await ownerLimits(
    db,
    models.map(({ owner }) => owner),
  )
  const limited = (values: (string | null)[]): string[] => values.filter(one => one !== null)
  const [ofModels, ofOwners] = await Promise.all([
    spent(db, 'provider', limited(models.map(({ id, monthCost }) => (monthCost === null ? null : id)))),
    spent(db, 'owner', [...limits.keys()]),
  ])
  const found = new Map<string, Allowance>()
  for (const { id, monthCost, owner } of models) {
    const all = limits.get(owner) ?? null
    const [least] = [allowance(monthCost, ofModels.get(id)), allowance(all, ofOwners.get(owner))]
      .filter(one => one !== null)
      .toSorted((a, b) => a.left - a.held - (b.left - b.held))
    if (least) found.set(id, least)
  }
  return found
}

/** Exact in millionths of a dollar. */
const allowance = (of: number | null, { used, held }: Spent = { used: 0, held: 0 }): Allowance | null =>
  of === null ? null : { of, held, left: Math.max(0, Math.round((of - used) * MILLION) / MILLION) }

/** US dollars of 30 days for all models of owners, of those that have a limit. */
async function ownerLimits(db: Db, owners: readonly string[]): Promise<ReadonlyMap<string, number>> {
  if (owners.length === 0) return new Map()
  const rows = await db
    .selectFrom('copilot_limit')
    .select(['owner', 'month_cost'])
    .where('owner', 'in', [...new Set(owners)])
    .execute()
  return new Map(rows.map(row => [row.owner, Number(row.month_cost) / MILLION]))
}

/** The limit of one owner (US dollars for 30 days, null: none), and what was spent on its models. */
export async function ownerMoney(db: Db, owner: string): Promise<{ monthCost: number | null; spent: number }> {
  const [limits, all] = await Promise.all([ownerLimits(db, [owner]), spent(db, 'owner', [owner])])
  return { monthCost: limits.get(owner) ?? null, spent: all.get(owner)?.used ?? 0 }
}

/** Limits what all models of an owner may cost together in 30 days (US dollars); null takes the limit away. */
export async function limitOwner(db: Db, owner: Owner, monthCost: number | null): Promise<void> {
  const key = ownerKey(owner)
  if (monthCost === null) {
    await db.deleteFrom('copilot_limit').where('owner', '=', key).execute()
    return
  }
  const month_cost = Math.round(monthCost * MILLION)
  await db
    .insertInto('copilot_limit')
    .values({ owner: key, user_id: owner.user_id, workspace_id: owner.workspace_id, month_cost })
    .onConflict(conflict => conflict.column('owner').doUpdateSet({ month_cost }))
    .execute()
}

/** US dollars of 30 days, by model or by owner, with what calls under way hold. */
async function spent(db: Db, by: 'provider' | 'owner', which: readonly string[]): Promise<ReadonlyMap<string, Spent>> {
  if (which.length === 0) return new Map()
  const rows = await db
    .selectFrom('copilot_use')
    .select([
      `${by} as which`,
      eb => eb.fn.sum<string>('cost').as('cost'),
      sql<string>`coalesce(sum(held_cost) filter (where ${HELD}), 0)`.as('held'),
    ])
    .where(by, 'in', [...which])
    .where('at', '>', sql<Date>`now() - interval '30 days'`)
    .groupBy(by)
    .execute()
  return new Map(rows.map(row => [row.which, { used: Number(row.cost) / MILLION, held: Number(row.held) / MILLION }]))
}

/** Tokens of the server's models that counted for an account's plan in 30 days, and those reserved by active calls. */
export async function paidTokens(db: Db, payerId: string): Promise<Spent> {
  const { used, held } = await db
    .selectFrom('copilot_use')
    .select([
      sql<string>`coalesce(sum(tokens_in + tokens_out), 0)`.as('used'),
      sql<string>`coalesce(sum(held_tokens) filter (where ${HELD}), 0)`.as('held'),
    ])
    .where('payer_id', '=', payerId)
    .where('at', '>', sql<Date>`now() - interval '30 days'`)
    .executeTakeFirstOrThrow()
  return { used: Number(used), held: Number(held) }
}

/** What a person may still use of each model today, by its id and the tokens a day it allows; null for one without a limit. */
export async function budgetsOf(
  db: Db,
  settings: CopilotSettings,
  userId: string,
): Promise<(provider: string, dayTokens: number | null) => Budget | null> {
  const rows = await db
    .selectFrom('copilot_use')
    .select(['provider', eb => eb.fn.sum<string>(sql`tokens_in + tokens_out`).as('used')])
    .where('user_id', '=', userId)
    .where('at', '>', sql<Date>`now() - interval '24 hours'`)
    .groupBy('provider')
    .execute()
  const used = new Map(rows.map(row => [row.provider, Number(row.used)]))
  const ofServer = [...used].reduce((sum, [provider, tokens]) => (isOfServer(provider) ? sum + tokens : sum), 0)
  const left = (dayTokens: number, tokens: number): Budget => ({ left: Math.max(0, dayTokens - tokens), dayTokens })
  return (provider, dayTokens) => {
    const own = dayTokens === null ? null : left(dayTokens, used.get(provider) ?? 0)
    if (!isOfServer(provider)) return own
    const shared = left(settings.dayTokens, ofServer)
    return own !== null && own.left < shared.left ? own : shared
  }
}
