// Which language models a person may use: those the server offers, those of a workspace they are in, and their own. Keys stay on this side.
import type { Selectable, SelectQueryBuilder } from 'kysely'
import { nanoid } from 'nanoid'
import type { Db } from '../db/database.ts'
import type { Tables } from '../db/tables.ts'
import { Refusal } from '../http.ts'
import { isOfServer, ownerKey } from './budget.ts'
import { sealed, unsealed } from './keys.ts'
import { noMoney, type CopilotSettings, type Money } from './settings.ts'
import type { CopilotTables } from './tables.ts'
import type { Endpoint, ToolWay, Wire } from './wires.ts'

/** A model as a page sees it. */
export type ProviderInfo = {
  readonly id: string
  readonly of: 'server' | 'workspace' | 'person'
  readonly label: string
  readonly wire: Wire
  readonly model: string
  /** Its address; for the server's own models only the operator sees it. */
  readonly url: string | null
  readonly last4: string | null
  readonly tools: ToolWay
  /** Tokens each person may use of it in 24 hours; null when that is not limited. */
  readonly dayTokens: number | null
} & Money

export type Limits = { dayTokens: number | null } & { -readonly [K in keyof Money]: Money[K] }
export type NewProvider = { label: string; wire: Wire; url: string; model: string; tools: ToolWay; key: string } & Limits

/** The owner of the model: a person, a workspace, or (neither) the server. */
export type Owner = { readonly user_id: string | null; readonly workspace_id: string | null }
export const ofServer: Owner = { user_id: null, workspace_id: null }

const infoOf = ({
  id,
  label,
  wire,
  model,
  url,
  last4,
  user_id,
  workspace_id,
  tools,
  ...limits
}: Selectable<CopilotTables['copilot_provider']>): ProviderInfo => ({
  id,
  of: user_id !== null ? 'person' : workspace_id !== null ? 'workspace' : 'server',
  label,
  wire,
  model,
  url,
  last4,
  tools,
  ...limitsIn(limits),
})

const MILLION = 1_000_000

type LimitRow = Pick<Selectable<CopilotTables['copilot_provider']>, 'day_tokens' | 'price_in' | 'price_out' | 'month_cost'>

function limitsIn({ day_tokens, price_in, price_out, month_cost }: LimitRow): Limits {
  const dollarsIn = (value: string | number | null): number | null => (value === null ? null : Number(value) / MILLION)
  return {
    dayTokens: day_tokens === null ? null : Number(day_tokens),
    priceIn: dollarsIn(price_in),
    priceOut: dollarsIn(price_out),
    monthCost: dollarsIn(month_cost),
  }
}

/** The columns of what is said of limits. */
function limitColumns({ dayTokens, ...money }: { [K in keyof Limits]?: Limits[K] | undefined }) {
  const columns = { priceIn: 'price_in', priceOut: 'price_out', monthCost: 'month_cost' } as const
  const set: { -readonly [K in keyof LimitRow]?: number | null } = dayTokens === undefined ? {} : { day_tokens: dayTokens }
  for (const [name, column] of Object.entries(columns) as [keyof typeof columns, (typeof columns)[keyof typeof columns]][]) {
    const value = money[name]
    if (value !== undefined) set[column] = value === null ? null : Math.round(value * MILLION)
  }
  return set
}

/** Most models of one person or workspace. */
const mostProviders = 10

const rowsFor = (db: Db, userId: string, workspaceId: string | null) =>
  db
    .selectFrom('copilot_provider')
    .selectAll()
    .where(where =>
      where.or([
        where('user_id', '=', userId),
        where.and([where('user_id', 'is', null), where('workspace_id', 'is', null)]),
        ...(workspaceId === null ? [] : [where('workspace_id', '=', workspaceId)]),
      ]),
    )
    .orderBy('created_at')

export async function providersOf(db: Db, settings: CopilotSettings, userId: string, workspaceId: string | null): Promise<ProviderInfo[]> {
  const rows = await rowsFor(db, userId, workspaceId).execute()
  const infos = rows.map(infoOf)
  return [
    ...settings.offered.map(({ id, label, wire, model, tools = 'calls', money = noMoney }) => ({
      id,
      of: 'server' as const,
      label,
      wire,
      model,
      url: null,
      last4: null,
      tools,
      dayTokens: null,
      ...money,
    })),
    ...infos.filter(one => one.of === 'server').map(one => ({ ...one, url: null, last4: null })),
    ...infos.filter(one => one.of !== 'server'),
  ]
}

/** The models of one owner, for its managers. */
export async function providersAt(db: Db, owner: Owner): Promise<ProviderInfo[]> {
  return (await ownedBy(db.selectFrom('copilot_provider').selectAll(), owner).orderBy('created_at').execute()).map(infoOf)
}

const ownedBy = <O>(query: SelectQueryBuilder<Tables, 'copilot_provider', O>, { user_id, workspace_id }: Owner) =>
  query.where('user_id', user_id === null ? 'is' : '=', user_id).where('workspace_id', workspace_id === null ? 'is' : '=', workspace_id)

/** The address of a model, with its key. Throws `not-found` for one that this person may not use, or with a key that can no longer be opened. */
export async function endpointOf(
  db: Db,
  settings: CopilotSettings,
  secret: string,
  id: string,
  userId: string,
  workspaceId: string | null,
): Promise<Endpoint & { isOwn: boolean; owner: string; limits: Limits }> {
  const offered = settings.offered.find(one => one.id === id)
  if (offered) return { ...offered, isOwn: false, owner: ownerKey(ofServer), limits: { dayTokens: null, ...(offered.money ?? noMoney) } }
  const row = (await rowsFor(db, userId, workspaceId).where('id', '=', id).execute())[0]
  if (!row) throw new Refusal('not-found', 'no such language model')
  return { ...endpointIn(secret, row), isOwn: !isOfServer(id), owner: ownerKey(row), limits: limitsIn(row) }
}

function endpointIn(secret: string, row: Selectable<CopilotTables['copilot_provider']>): Endpoint {
  const key = unsealed(secret, row.id, row.sealed)
  if (key === null)
    throw new Refusal('not-found', 'the key of this language model was sealed with another secret of the server: enter it again')
  return { wire: row.wire, url: row.url, model: row.model, tools: row.tools, key }
}

export async function addProvider(db: Db, secret: string, owner: Owner, given: NewProvider): Promise<string> {
  const { count } = await ownedBy(
    db.selectFrom('copilot_provider').select(eb => eb.fn.countAll<string>().as('count')),
    owner,
  ).executeTakeFirstOrThrow()
  if (Number(count) >= mostProviders) throw new Refusal('too-large', `at most ${mostProviders} language models`)
  const isServers = owner.user_id === null && owner.workspace_id === null
  const id = isServers ? `server-${nanoid(16)}` : nanoid(16)
  const { key, dayTokens, priceIn, priceOut, monthCost, ...rest } = given
  await db
    .insertInto('copilot_provider')
    .values({ id, ...owner, ...rest, ...sealedIn(secret, id, key), ...limitColumns({ dayTokens, priceIn, priceOut, monthCost }) })
    .execute()
  return id
}

const sealedIn = (secret: string, id: string, key: string) => ({
  sealed: sealed(secret, id, key),
  last4: key.length >= 12 ? key.slice(-4) : '',
})

/** What the audit log says of a model: its owner, its name and its address. */
export type Connection = Owner & { readonly label: string; readonly url: string }

/** Whether a user may manage the models of an owner. */
export type Manages = (owner: Owner) => Promise<boolean>

/** A model that the user may manage. Throws `not-found`. */
async function managed(db: Db, id: string, manages: Manages) {
  const row = await db.selectFrom('copilot_provider').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row || !(await manages(row))) throw new Refusal('not-found', 'no such language model')
  return row
}

/** The address of a model, with its key and its price, for its managers. Throws `not-found`. */
export async function managedEndpoint(db: Db, secret: string, id: string, manages: Manages) {
  const row = await managed(db, id, manages)
  return { ...endpointIn(secret, row), owner: ownerKey(row), limits: limitsIn(row) }
}

type ProviderChange = { [K in keyof NewProvider]?: NewProvider[K] | undefined }

/** Changes a model, and says which. Another address takes the key again: it belongs to where it was entered for. Throws `not-found`, `invalid-params`. */
export async function changeProvider(db: Db, secret: string, id: string, change: ProviderChange, manages: Manages): Promise<Connection> {
  const row = await managed(db, id, manages)
  const { key, dayTokens, priceIn, priceOut, monthCost, ...rest } = change
  const moves = (rest.url !== undefined && rest.url !== row.url) || (rest.wire !== undefined && rest.wire !== row.wire)
  if (moves && key === undefined)
    throw new Refusal('invalid-params', 'another address takes the key again', { issues: [{ path: 'key', message: 'required' }] })
  const set = {
    ...rest,
    ...(key === undefined ? {} : sealedIn(secret, id, key)),
    ...limitColumns({ dayTokens, priceIn, priceOut, monthCost }),
  }
  if (Object.keys(set).length > 0) await db.updateTable('copilot_provider').set(set).where('id', '=', id).execute()
  return { ...row, url: change.url ?? row.url, label: change.label ?? row.label }
}

/** Takes a model away, and says which. Throws `not-found`. */
export async function dropProvider(db: Db, id: string, manages: Manages): Promise<Connection> {
  const row = await managed(db, id, manages)
  await db.deleteFrom('copilot_provider').where('id', '=', id).execute()
  return row
}
