// Which language models a person may use: those the server offers, those of a workspace they are in, and their own. Keys stay on this side.
import { nanoid } from 'nanoid'
import type { Db } from '../db/database.ts'
import { Refusal } from '../http.ts'
import { sealed, unsealed } from './keys.ts'
import type { CopilotSettings } from './settings.ts'
import type { Endpoint, Wire } from './wires.ts'

/** A model as a page sees it. */
export type ProviderInfo = {
  readonly id: string
  readonly of: 'server' | 'workspace' | 'person'
  readonly label: string
  readonly wire: Wire
  readonly model: string
  /** Where it is; of the server's own models nobody but the operator is told. */
  readonly url: string | null
  readonly last4: string | null
}

export type NewProvider = { label: string; wire: Wire; url: string; model: string; key: string }

/** Most models of one person or workspace. */
const MOST = 10

const rowsFor = (db: Db, userId: string, workspaceId: string | null) =>
  db
    .selectFrom('copilot_provider')
    .selectAll()
    .where(where => where.or([where('user_id', '=', userId), ...(workspaceId === null ? [] : [where('workspace_id', '=', workspaceId)])]))
    .orderBy('created_at')

export async function providersOf(db: Db, settings: CopilotSettings, userId: string, workspaceId: string | null): Promise<ProviderInfo[]> {
  const rows = await rowsFor(db, userId, workspaceId).execute()
  return [
    ...settings.offered.map(({ id, label, wire, model }) => ({ id, of: 'server' as const, label, wire, model, url: null, last4: null })),
    ...rows.map(({ id, label, wire, model, url, last4, user_id }) => ({
      id,
      of: user_id === null ? ('workspace' as const) : ('person' as const),
      label,
      wire,
      model,
      url,
      last4,
    })),
  ]
}

/** Where a model is, with its key. Throws `not-found` for one that this person may not use, or whose key can no longer be opened. */
export async function endpointOf(
  db: Db,
  settings: CopilotSettings,
  secret: string,
  id: string,
  userId: string,
  workspaceId: string | null,
): Promise<Endpoint & { isOwn: boolean }> {
  const offered = settings.offered.find(one => one.id === id)
  if (offered) return { ...offered, isOwn: false }
  const row = (await rowsFor(db, userId, workspaceId).where('id', '=', id).execute())[0]
  if (!row) throw new Refusal('not-found', 'no such language model')
  const key = unsealed(secret, row.id, row.sealed)
  if (key === null)
    throw new Refusal('not-found', 'the key of this language model was sealed with another secret of the server: enter it again')
  return { wire: row.wire, url: row.url, model: row.model, key, isOwn: true }
}

export async function addProvider(
  db: Db,
  secret: string,
  owner: { user_id: string; workspace_id: null } | { user_id: null; workspace_id: string },
  given: NewProvider,
): Promise<string> {
  const { count } = await db
    .selectFrom('copilot_provider')
    .select(eb => eb.fn.countAll<string>().as('count'))
    .where(owner.user_id === null ? 'workspace_id' : 'user_id', '=', owner.user_id ?? owner.workspace_id)
    .executeTakeFirstOrThrow()
  if (Number(count) >= MOST) throw new Refusal('too-large', `at most ${MOST} language models`)
  const id = nanoid(16)
  const { key, ...rest } = given
  await db
    .insertInto('copilot_provider')
    .values({ id, ...owner, ...rest, sealed: sealed(secret, id, key), last4: key.length >= 12 ? key.slice(-4) : '' })
    .execute()
  return id
}

/** Takes a model away: one's own, or of a workspace one may manage. Throws `not-found`. */
export async function dropProvider(
  db: Db,
  id: string,
  userId: string,
  mayManage: (workspaceId: string) => Promise<boolean>,
): Promise<void> {
  const row = await db.selectFrom('copilot_provider').select(['user_id', 'workspace_id']).where('id', '=', id).executeTakeFirst()
  const isAllowed = row && (row.user_id === userId || (row.workspace_id !== null && (await mayManage(row.workspace_id))))
  if (!isAllowed) throw new Refusal('not-found', 'no such language model')
  await db.deleteFrom('copilot_provider').where('id', '=', id).execute()
}
