// What belongs to a person besides files and workspaces: a row for each, exported with their data. Every table that refers to people needs a row
// here; a test holds this list against the references to accounts in the database.
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { Db } from '../db/database.ts'

type Whose = { id: string; email: string }

type Belonging = {
  /** The name in the export. */
  name: string
  /** The tables it is read from. */
  tables: readonly string[]
  rows: (whose: Whose) => RawBuilder<object>
}

export const belongings: readonly Belonging[] = [
  {
    name: 'comments',
    tables: ['comment', 'comment_thread'],
    rows: ({
      id,
    }) => sql`select c.id, c.thread_id as thread, t.file_id as file, f.name as "fileName", c.body, c.copilot, c.at, c.edited_at as edited
      from comment c join comment_thread t on t.id = c.thread_id join file f on f.id = t.file_id where c.author = ${id} order by c.at`,
  },
  {
    name: 'secondFactor',
    tables: ['twoFactor', 'two_factor_spent'],
    rows: ({ id }) => sql`select "createdAt" as since, "verified" as "on" from "twoFactor" where "userId" = ${id}`,
  },
  {
    name: 'notifications',
    tables: ['notification'],
    rows: ({ id }) => sql`select kind, data, at, read_at as read from notification where user_id = ${id} order by at`,
  },
  {
    name: 'favourites',
    tables: ['favourite'],
    rows: ({ id }) =>
      sql`select v.file_id as file, f.name, v.at from favourite v join file f on f.id = v.file_id where v.user_id = ${id} order by v.at`,
  },
  {
    name: 'opened',
    tables: ['file_opened'],
    rows: ({ id }) =>
      sql`select o.file_id as file, f.name, o.at from file_opened o join file f on f.id = o.file_id where o.user_id = ${id} order by o.at`,
  },
  {
    name: 'sharedWithMe',
    tables: ['collaborator'],
    rows: ({ id }) => sql`select c.file_id as file, f.name, c.role, c.at, c.revoked_at as ended
      from collaborator c join file f on f.id = c.file_id where c.user_id = ${id} order by c.at`,
  },
  {
    name: 'restrictions',
    tables: ['file_restriction'],
    rows: ({ id }) => sql`select file_id as file, rule, at from file_restriction where user_id = ${id} order by at`,
  },
  {
    name: 'links',
    tables: ['share_link'],
    rows: ({ id }) => sql`select file_id as file, role, created_at as created, expires_at as expires, revoked_at as closed, uses
      from share_link where created_by = ${id} order by created_at`,
  },
  {
    name: 'linksOpened',
    tables: ['share_use'],
    rows: ({ id }) =>
      sql`select l.file_id as file, u.at from share_use u join share_link l on l.id = u.link_id where u.user_id = ${id} order by u.at`,
  },
  {
    name: 'embeds',
    tables: ['embed', 'embed_model'],
    rows: ({ id }) => sql`select file_id as file, origins, created_at as created, closed_at as closed,
      array(select m.model_id from embed_model m where m.embed_id = embed.id and m.chosen_by = ${id} order by 1) as models
      from embed where created_by = ${id} order by created_at`,
  },
  {
    name: 'invitations',
    tables: ['invitation'],
    rows: ({
      id,
      email,
    }) => sql`select workspace_id as workspace, file_id as file, email, role, at, accepted, answered_at as answered, revoked_at as revoked
      from invitation where invited_by = ${id} or email = ${email.toLowerCase()} order by at`,
  },
  {
    name: 'requests',
    tables: ['join_request'],
    rows: ({ id }) =>
      sql`select workspace_id as workspace, at, accepted, answered_at as answered from join_request where user_id = ${id} order by at`,
  },
  {
    name: 'subscription',
    tables: ['subscription', 'plan_enlargement'],
    rows: ({ id }) => sql`select level as what, until, null::integer as count from subscription where user_id = ${id}
      union all select item, null, count from plan_enlargement where user_id = ${id}`,
  },
  {
    name: 'payments',
    tables: ['payment_order'],
    rows: ({ id }) => sql`select id, change, amount, currency, provider, state, created_at as created, settled_at as settled
      from payment_order where user_id = ${id} order by created_at`,
  },
  {
    name: 'invoices',
    tables: ['invoice'],
    rows: ({ id }) => sql`select year, serial, at, kind, level, interval, period_from as "from", period_until as until, amount, currency
      from invoice where user_id = ${id} order by year, serial`,
  },
  {
    name: 'coinsPointsItems',
    tables: ['ledger_line', 'ledger_transaction'],
    rows: ({
      id,
    }) => sql`select t.deed, t.about, l.asset, l.amount, t.at from ledger_line l join ledger_transaction t on t.id = l.transaction_id
      where l.holder = ${`person:${id}`} order by t.id`,
  },
  {
    name: 'jobs',
    tables: ['job'],
    rows: ({ id }) => sql`select kind, file_id as file, state, created_at as created, ended_at as ended, spent_ms as "spentMs", error
      from job where user_id = ${id} order by created_at`,
  },
  {
    name: 'results',
    tables: ['experiment_result'],
    rows: ({ id }) => sql`select file_id as file, name, type, runs, failed, ended, started_at as started, uploaded_at as uploaded
      from experiment_result where user_id = ${id} order by uploaded_at`,
  },
  {
    name: 'publications',
    tables: ['market_app', 'market_version', 'market_author'],
    rows: ({ id }) => sql`select a.id, a.kind, a.state, v.number, v.name, v.summary, v.description, v.licence, v.published_at as published
      from market_app a left join market_version v on v.app_id = a.id where a.author = ${id} order by a.created_at, v.number`,
  },
  {
    name: 'storeComments',
    tables: ['market_comment', 'forum_thread'],
    rows: ({ id }) => sql`select app_id as app, thread_id as thread, body, at, edited_at as edited from market_comment where author = ${id}
      union all select null, id, title, at, null from forum_thread where author = ${id} order by at`,
  },
  {
    name: 'storeMarks',
    tables: ['market_like', 'market_favourite', 'market_download', 'market_follow'],
    rows: ({ id }) => sql`select 'like' as mark, app_id as of, at from market_like where user_id = ${id}
      union all select 'favourite', app_id, at from market_favourite where user_id = ${id}
      union all select 'download', app_id, at from market_download where user_id = ${id}
      union all select 'follow', author::text, at from market_follow where follower = ${id} order by at`,
  },
  {
    name: 'storeReports',
    tables: ['market_case'],
    rows: ({ id }) => sql`select sort, about, target, reason, words, at, outcome from market_case where by_user = ${id} order by at`,
  },
  {
    name: 'tokensForPrograms',
    tables: ['token'],
    rows: ({ id }) => sql`select id, label, scope, workspaces, files, created_at as since, expires_at as ends, used_at as used
      from token where user_id = ${id} order by created_at`,
  },
  {
    name: 'keptTalks',
    tables: ['copilot_talk'],
    rows: ({ id }) => sql`select t.file_id as file, f.name as "fileName", t.title, t.kept_at as kept, t.body::json as talk
      from copilot_talk t join file f on f.id = t.file_id where t.user_id = ${id} order by t.kept_at`,
  },
  {
    name: 'languageModels',
    tables: ['copilot_provider', 'copilot_use', 'copilot_limit'],
    rows: ({
      id,
    }) => sql`select p.label, p.wire, p.url, p.model, p.created_at as since, null as turn, null as tokens_in, null as tokens_out,
          null as cost_micro_dollars, null::bigint as most_micro_dollars_in_30_days
        from copilot_provider p where p.user_id = ${id}
      union all select u.provider, null, null, null, u.at, u.turn, u.tokens_in, u.tokens_out, u.cost, null
        from copilot_use u where u.user_id = ${id}
      union all select null, null, null, null, null, null, null, null, null, l.month_cost from copilot_limit l where l.user_id = ${id}
      order by since`,
  },
]

/** All of it, by name. */
export async function belongingsOf(db: Db, whose: Whose): Promise<Record<string, object[]>> {
  const all: Record<string, object[]> = {}
  for (const { name, rows } of belongings) all[name] = (await rows(whose).execute(db)).rows
  return all
}

/**
 * Removes what is kept by a person's address, or names them, where no reference to the account removes it. What they wrote in documents and
 * talks of others stays without their name; entries of the ledger and the audit log keep an id without an account.
 */
export async function forgetPerson(tx: Db, { id, email }: Whose): Promise<void> {
  const address = email.toLowerCase()
  await tx.deleteFrom('invitation').where('email', '=', address).execute()
  await tx.deleteFrom('mail_outbox').where('recipient', '=', address).execute()
  await tx.deleteFrom('login_failure').where('email', '=', address).execute()
  // better-auth's identifiers: purpose, then the address; or, for an unfinished sign-in, the id.
  await sql`delete from verification where right(identifier, length(${address}) + 1) = '-' || ${address} or value = ${id}`.execute(tx)
}
