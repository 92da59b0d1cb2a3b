// Permissions to see and to manage a publication. What a person may not see is answered as absent; what they see and may not manage is refused.
import type { AppStep } from '../../model-schema/business/market.ts'
import { can } from '../../model-schema/roles.ts'
import type { Db } from '../db/database.ts'
import { Refusal } from '../http.ts'
import type { Actor } from '../http.ts'
import type { Jobs } from '../jobs/queue.ts'
import { isNamed, isOperator } from '../operator/operators.ts'
import type { Operators } from '../operator/operators.ts'
import type { Parts } from '../parts.ts'
import { onFile, permit } from '../permissions.ts'
import type { FileStanding } from '../permissions.ts'
import { isAsked } from './moderation.ts'
import { heldBy } from './publications.ts'
import { appInfo } from './shelf.ts'
import type { TalkSubject } from './talk.ts'

/** What the routes of the store are built from. */
export type MarketParts = Parts & { jobs: () => Jobs | null; operators: Operators }
type AccessParts = { db: Db; operators: Operators }

/** A publication with its version on the shelf, if there is one. */
export function publicationRow(db: Db, appId: string) {
  return db
    .selectFrom('market_app as a')
    .leftJoin('market_version as v', join => join.onRef('v.app_id', '=', 'a.id').onRef('v.number', '=', 'a.current'))
    .select(['a.id', 'a.kind', 'a.state', 'a.current', 'a.author', 'a.source_id', 'a.hidden_at', 'a.cleared'])
    .select(['v.name', 'v.pages', 'v.incentive'])
    .where('a.id', '=', appId)
    .executeTakeFirst()
}
export type PublicationRow = NonNullable<Awaited<ReturnType<typeof publicationRow>>>

const isOnShelf = (row: PublicationRow): boolean => row.state === 'published' && row.hidden_at === null

/** The relation of a person to the file that a publication is made from; null when it is gone or not for them. */
async function sourceFor(db: Db, row: PublicationRow, userId: string): Promise<FileStanding | null> {
  return row.source_id === null ? null : onFile(db, userId, row.source_id)
}

async function canManage(db: Db, row: PublicationRow, actor: Actor | null): Promise<boolean> {
  if (actor === null) return false
  if (row.author === actor.userId) return true
  const source = await sourceFor(db, row, actor.userId)
  return source !== null && can(source.actor, 'unpublish', { ...source.subject, inTrash: false })
}

/**
 * A publication that may be looked at: on the shelf for everybody, otherwise for its authors and operators; what is prepared when operators are
 * asked. Throws `not-found`.
 */
export async function loadVisible(
  { db, operators }: AccessParts,
  actor: Actor | null,
  appId: string,
  draft = false,
): Promise<PublicationRow> {
  const row = await publicationRow(db, appId)
  if (row === undefined) throw new Refusal('not-found')
  if ((!isOnShelf(row) || draft) && !(await canManage(db, row, actor))) {
    const mayLook = isOperator(operators, actor) && (!draft || (await isAsked(db, { about: 'draft', target: appId })))
    if (!mayLook) throw new Refusal('not-found')
  }
  return row
}

/** A publication that this person may take a step with. Throws `not-found`, `no-permission`. */
export async function loadManaged(db: Db, actor: Actor, appId: string, step: AppStep | 'cover'): Promise<PublicationRow> {
  const row = await publicationRow(db, appId)
  if (row === undefined) throw new Refusal('not-found')
  const source = await sourceFor(db, row, actor.userId)
  if (source === null || !can(source.actor, 'view', { ...source.subject, inTrash: false })) {
    // The author of what has lost its file still takes it off.
    const gone =
      row.source_id === null || (await db.selectFrom('file').select('id').where('id', '=', row.source_id).executeTakeFirst()) === undefined
    if (row.author === actor.userId && gone && step !== 'update') return row
    throw new Refusal(isOnShelf(row) ? 'no-permission' : 'not-found')
  }
  if (step === 'takeOff' || step === 'discard' || step === 'cover')
    permit({ ...source, subject: { ...source.subject, inTrash: false } }, 'unpublish')
  else permitPublish(source)
  return row
}

/** Throws `market-downloaded` for a copy of the store, `not-found`, `no-permission`. */
export function permitPublish(source: FileStanding | null): FileStanding {
  if (source !== null && source.subject.fromMarket === true && can(source.actor, 'view', source.subject))
    throw new Refusal('market-downloaded', source.name)
  return permit(source, source?.kind === 'dashboard' ? 'publishDashboard' : 'publish')
}

/** The page of a publication, with what this person may do there. `draft`: of the version that is prepared. Throws `not-found`. */
export async function pageFor(parts: AccessParts, actor: Actor | null, appId: string, draft: boolean) {
  const { db, operators } = parts
  const row = await loadVisible(parts, actor, appId, draft)
  const app = await appInfo(db, actor?.userId ?? null, appId, draft, Date.now())
  if (app === null) throw new Refusal('not-found')
  const steer = await canManage(db, row, actor)
  const held = steer && app.draft ? await heldBy(db, appId) : null
  const like = held === null ? null : { ...held, asked: await isAsked(db, { about: 'draft', target: appId }) }
  return { ...app, like, source: steer ? row.source_id : null, may: { steer, operate: isNamed(operators, actor) } }
}

/** What is talked about, for those who see it; `open` while everybody may. Throws `not-found`. */
export async function loadSubject(
  { db, operators }: AccessParts,
  actor: Actor | null,
  { sort, id }: TalkSubject,
): Promise<TalkSubject & { name: string; author: string | null; open: boolean }> {
  const row =
    sort === 'app'
      ? await db
          .selectFrom('market_app as a')
          .innerJoin('market_version as v', join => join.onRef('v.app_id', '=', 'a.id').onRef('v.number', '=', 'a.current'))
          .select(['a.author', 'a.hidden_at', 'a.state', 'v.name'])
          .where('a.id', '=', id)
          .executeTakeFirst()
      : await db.selectFrom('forum_thread').select(['author', 'hidden_at', 'title as name']).where('id', '=', id).executeTakeFirst()
  const open = row !== undefined && row.hidden_at === null && (!('state' in row) || row.state === 'published')
  if (row === undefined || (!open && row.author !== (actor?.userId ?? '') && !isOperator(operators, actor))) throw new Refusal('not-found')
  return { sort, id, name: row.name, author: row.author, open }
}
