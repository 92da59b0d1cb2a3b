// What calls of language models may use: in a turn, in an hour, and in a day. Sums of the table of calls, so that all servers count together.
import { sql } from 'kysely'
import { TURN } from '../../sim-engine/dialogue.ts'
import type { Db } from '../db/database.ts'
import type { Limits } from './providers.ts'
import type { CopilotSettings } from './settings.ts'

/** Models of the server share what a person may use of them in a day. */
export const isOfServer = (provider: string): boolean => provider.startsWith('server-')

export type Budget = {
  /** Tokens that are left today. */
  readonly left: number
  readonly dayTokens: number
}

type Sums = { turn_calls: string; turn_tokens: string; hour_calls: string; own_tokens: string; day_tokens: string }

/** Notes a call that begins; says why it may not. The row is written first, so that calls at the same time count each other. */
export async function begin(
  db: Db,
  settings: CopilotSettings,
  call: {
    userId: string
    provider: string
    turn: string
    isOwn: boolean
    limits: Pick<Limits, 'dayTokens' | 'monthCost'>
    /** Whose plan it counts for, and the tokens of the server's models that plan has for 30 days. */
    payer?: { id: string; monthTokens: number | null }
  },
): Promise<{ id: string } | { refused: 'budget-turn' | 'budget-day' | 'budget-money' | 'budget-plan' | 'busy' }> {
  const { dayTokens, monthCost } = call.limits
  const { id } = await db
    .insertInto('copilot_use')
    .values({ user_id: call.userId, provider: call.provider, turn: call.turn, payer_id: call.payer?.id ?? null })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { rows } = await sql<Sums>`select
      count(*) filter (where turn = ${call.turn}) as turn_calls,
      coalesce(sum(tokens_in + tokens_out) filter (where turn = ${call.turn}), 0) as turn_tokens,
      count(*) filter (where at > now() - interval '1 hour') as hour_calls,
      coalesce(sum(tokens_in + tokens_out) filter (where provider = ${call.provider}), 0) as own_tokens,
      coalesce(sum(tokens_in + tokens_out) filter (where provider like 'server-%'), 0) as day_tokens
    from copilot_use where user_id = ${call.userId} and at > now() - interval '24 hours'`.execute(db)
  const sums = rows[0]
  const over =
    Number(sums?.turn_calls) > TURN.calls || Number(sums?.turn_tokens) >= TURN.tokens
      ? 'budget-turn'
      : (!call.isOwn && Number(sums?.day_tokens) >= settings.dayTokens) || (dayTokens !== null && Number(sums?.own_tokens) >= dayTokens)
        ? 'budget-day'
        : Number(sums?.hour_calls) > settings.hourCalls
          ? 'busy'
          : monthCost !== null && (await spentOn(db, [call.provider])).get(call.provider)! >= monthCost
            ? 'budget-money'
            : call.payer && call.payer.monthTokens !== null && (await paidTokens(db, call.payer.id)) >= call.payer.monthTokens
              ? 'budget-plan'
              : null
  if (over === null) return { id }
  await db.deleteFrom('copilot_use').where('id', '=', id).execute()
  return { refused: over }
}

const MILLION = 1_000_000

/** Notes what a call has used, in tokens, and what that costs at these prices. */
export async function note(
  db: Db,
  id: string,
  tokensIn: number,
  tokensOut: number,
  prices: Pick<Limits, 'priceIn' | 'priceOut'>,
): Promise<void> {
  // Dollars for a million tokens are millionths of a dollar for one.
  const cost = Math.ceil(tokensIn * (prices.priceIn ?? 0) + tokensOut * (prices.priceOut ?? 0))
  await db.updateTable('copilot_use').set({ tokens_in: tokensIn, tokens_out: tokensOut, cost }).where('id', '=', id).execute()
}

/** US dollars that all who use these models have spent on them in 30 days. */
export async function spentOn(db: Db, providers: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const spent = new Map(providers.map(one => [one, 0]))
  if (providers.length === 0) return spent
  const rows = await db
    .selectFrom('copilot_use')
    .select(['provider', eb => eb.fn.sum<string>('cost').as('cost')])
    .where('provider', 'in', [...providers])
    .where('at', '>', sql<Date>`now() - interval '30 days'`)
    .groupBy('provider')
    .execute()
  for (const { provider, cost } of rows) spent.set(provider, Number(cost) / MILLION)
  return spent
}

/** Tokens of the server's models that counted for somebody's plan in 30 days. */
export async function paidTokens(db: Db, payerId: string): Promise<number> {
  const { used } = await db
    .selectFrom('copilot_use')
    .select(sql<string>`coalesce(sum(tokens_in + tokens_out), 0)`.as('used'))
    .where('payer_id', '=', payerId)
    .where('at', '>', sql<Date>`now() - interval '30 days'`)
    .executeTakeFirstOrThrow()
  return Number(used)
}

/** What somebody may still use of each model today, by its id and the tokens a day it allows; null for one without a limit. */
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
