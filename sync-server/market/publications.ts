// Publications and the states they go through: prepared, published, taken off the shelf, put back, brought up to date by a next version. Each
// step is one conditional update under the publication's lock; what `appNext` of model-schema/business/market.ts does not allow is refused.
import { sql } from 'kysely'
import { PRICE, appNext } from '../../model-schema/business/market.ts'
import type { AppKind, AppState, AppStep } from '../../model-schema/business/market.ts'
import { inTransaction } from '../db/database.ts'
import type { Db } from '../db/database.ts'
import { Refusal } from '../http.ts'
import type { Frozen } from './freeze.ts'
import { recount } from './crowd.ts'
import { noteTraits } from './likeness.ts'
import type { Likeness } from './likeness.ts'
import type { Incentive, Pages, RecordedRun } from './tables.ts'
import { maxTraits } from './traits.ts'
import { foundBy } from './words.ts'

/** What the author says of a version. */
export type About = {
  name: string
  summary: string
  description: string
  notes: string
  tags: string[]
  topic: string
  licence: string
  pages: Pages
  incentive: Incentive
  run: RecordedRun | null
}

/** What is prepared. `like`: another author’s publication that it is similar to; it is not published before a moderator allows it. */
type Version = { about: About; cover: string | null; files: Frozen[]; like: Likeness | null }

type AppRow = {
  id: string
  kind: AppKind
  state: AppState
  current: number | null
  author: string | null
  source_id: string | null
  hidden_at: Date | null
}

/** Throws `market-charge`: the store has no payments yet. */
export function refuseCharge({ price }: Incentive): void {
  if (price !== PRICE) throw new Refusal('market-charge')
}

/** The publication, locked until the end of the transaction. Throws `not-found`. */
async function lockApp(tx: Db, id: string): Promise<AppRow> {
  const row = await tx
    .selectFrom('market_app')
    .select(['id', 'kind', 'state', 'current', 'author', 'source_id', 'hidden_at'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (row === undefined) throw new Refusal('not-found', 'no such publication')
  return row
}

/** The state after a step. Throws `market-off-shelf`, `market-state`. */
export function stateAfter(state: AppState, step: AppStep): AppState | 'gone' {
  const next = appNext[state][step]
  if (next !== null) return next
  if (state === 'off-shelf' && (step === 'update' || step === 'publish')) throw new Refusal('market-off-shelf')
  throw new Refusal('market-state', `${step} while ${state}`)
}

/**
 * Starts a publication of a file: prepares its first version, visible only to its author. Again with the same id prepares it again. Throws
 * `market-published` when the file has another one.
 */
export async function prepare(
  db: Db,
  wish: { id: string; kind: AppKind; source: string; team: string; author: string } & Version,
): Promise<void> {
  refuseCharge(wish.about.incentive)
  await inTransaction(db, async tx => {
    await tx
      .insertInto('market_app')
      .values({ id: wish.id, kind: wish.kind, source_id: wish.source, workspace_id: wish.team, author: wish.author })
      .onConflict(conflict => conflict.doNothing())
      .execute()
    const app = await tx
      .selectFrom('market_app')
      .select(['id', 'state'])
      .where('source_id', '=', wish.source)
      .forUpdate()
      .executeTakeFirst()
    // The id is of another file's publication, or the file has one by another id.
    if (app === undefined) throw new Refusal('id-taken')
    if (app.id !== wish.id || app.state !== 'publishing') throw new Refusal('market-published')
    await tx.updateTable('market_app').set({ kind: wish.kind }).where('id', '=', wish.id).execute()
    await writeDraft(tx, wish.id, 1, wish)
  })
}

/** Prepares the next version, or prepares it again. */
export async function update(db: Db, id: string, version: Version): Promise<number> {
  refuseCharge(version.about.incentive)
  return inTransaction(db, async tx => {
    const app = await lockApp(tx, id)
    stateAfter(app.state, 'update')
    const number = (app.current ?? 0) + 1
    await writeDraft(tx, id, number, version)
    return number
  })
}

/**
 * Publishes the prepared version; from now on it never changes. Answers its number and whether it is the first. Throws `market-similar` when it
 * is similar to another author's publication and no moderator allowed it.
 */
export async function publish(db: Db, id: string): Promise<{ number: number; first: boolean }> {
  return inTransaction(db, async tx => {
    const app = await lockApp(tx, id)
    const state = stateAfter(app.state, 'publish')
    const number = (app.current ?? 0) + 1
    const like = await heldBy(tx, id)
    if (like !== null) throw new Refusal('market-similar', like.name)
    const now = new Date()
    const made = await tx
      .updateTable('market_version')
      .set({ published_at: now })
      .where('app_id', '=', id)
      .where('number', '=', number)
      .where('published_at', 'is', null)
      .executeTakeFirst()
    if (made.numUpdatedRows !== 1n) throw new Refusal('market-state', 'no version is prepared')
    if (state === 'gone') throw new Refusal('market-state')
    await tx.updateTable('market_app').set({ state, current: number }).where('id', '=', id).execute()
    await noteTraits(tx, id, number)
    await recount(tx, id)
    return { number, first: number === 1 }
  })
}

/** Drops what is prepared. */
export async function discard(db: Db, id: string): Promise<void> {
  await inTransaction(db, async tx => {
    const app = await lockApp(tx, id)
    const state = stateAfter(app.state, 'discard')
    if (state === 'gone') await tx.deleteFrom('market_app').where('id', '=', id).execute()
    else await tx.deleteFrom('market_version').where('app_id', '=', id).where('published_at', 'is', null).execute()
  })
}

/** Off the shelf, or back on it. A version that was prepared stays prepared. */
export async function shelve(db: Db, id: string, step: 'takeOff' | 'putBack'): Promise<void> {
  await inTransaction(db, async tx => {
    const app = await lockApp(tx, id)
    const state = stateAfter(app.state, step)
    if (state === 'gone') throw new Refusal('market-state')
    await tx.updateTable('market_app').set({ state }).where('id', '=', id).execute()
  })
}

/** The publication because of which what is prepared waits for a moderator; null when it does not. */
export async function heldBy(db: Db, id: string): Promise<{ id: string; name: string; author: string | null; share: number } | null> {
  const row = await db
    .selectFrom('market_version as d')
    .innerJoin('market_app as own', 'own.id', 'd.app_id')
    .innerJoin('market_app as a', 'a.id', 'd.like_app')
    .innerJoin('market_version as v', join => join.onRef('v.app_id', '=', 'a.id').onRef('v.number', '=', 'a.current'))
    .leftJoin('user as u', 'u.id', 'a.author')
    .select(['a.id', 'v.name', 'u.name as author', 'd.like_share as share'])
    .where('d.app_id', '=', id)
    .where('d.published_at', 'is', null)
    .where(sql<boolean>`not d.like_app = any(own.cleared)`)
    .executeTakeFirst()
  return row === undefined ? null : { ...row, share: row.share ?? 0 }
}

async function writeDraft(tx: Db, id: string, number: number, { about, cover, files, like }: Version): Promise<void> {
  const before = await tx
    .selectFrom('market_version')
    .select('cover')
    .where('app_id', '=', id)
    .where('number', '=', number)
    .executeTakeFirst()
  await tx.deleteFrom('market_version').where('app_id', '=', id).where('published_at', 'is', null).execute()
  const { pages, incentive, run, ...words } = about
  await tx
    .insertInto('market_version')
    .values({
      ...words,
      app_id: id,
      number,
      cover: before?.cover ?? cover,
      pages: JSON.stringify(pages),
      incentive: JSON.stringify(incentive),
      run: run === null ? null : JSON.stringify(run),
      published_at: null,
      proof_job: null,
      proof_at: null,
      like_app: like?.app ?? null,
      like_share: like?.share ?? null,
      ...foundBy(words),
    })
    .execute()
  await tx
    .insertInto('market_file')
    .values(files.map((file, place) => ({ ...file, traits: file.traits?.slice(0, maxTraits) ?? null, app_id: id, number, place })))
    .execute()
}
