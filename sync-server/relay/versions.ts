// Versions of documents: kept by name, before a restore, and now and then by themselves. Restoring is an edit made by a client.
import { sql } from 'kysely'
import { nanoid } from 'nanoid'
import type { Origin } from '../../model-schema/proposals.ts'
import type { Db } from '../db/database.ts'
import { Refusal } from '../http.ts'
import type { ContentState } from './content.ts'

type VersionKind = 'auto' | 'named' | 'before-restore'
export type VersionInfo = {
  id: string
  name: string | null
  kind: VersionKind
  author: { id: string; name: string } | null
  /** The people who worked on it since the version before; of automatic ones, as far as they are known. */
  people: string[]
  remark: string
  at: string
  epoch: string
  seq: number
  bytes: number
  /** The proposal of which these people accepted parts just before; null: it was kept for another reason. */
  origin: Origin | null
}

/** Per document: by themselves the oldest go first, others are refused. */
const VERSIONS = { autoEveryMs: 10 * 60_000, auto: 50, named: 200 } as const

export async function versionsOf(db: Db, docId: string): Promise<VersionInfo[]> {
  const rows = await db
    .selectFrom('doc_version as v')
    .leftJoin('user as u', join => join.on(on => on(on.ref('v.author'), '=', on.cast<string>('u.id', 'text'))))
    .select(['v.id', 'v.name', 'v.kind', 'v.author', 'v.at', 'v.epoch', 'v.seq', 'v.remark', 'v.origin', 'u.name as author_name'])
    .select(sql<string[]>`array(select p.name from "user" p where p.id::text = any(v.people) order by p.name)`.as('people'))
    .select(sql<number>`length(v.blob)`.as('bytes'))
    .where('v.doc_id', '=', docId)
    .orderBy('v.at', 'desc')
    .orderBy('v.id')
    .execute()
  return rows.map(({ author, author_name, at, ...row }) => ({
    ...row,
    author: author === null ? null : { id: author, name: author_name ?? '' },
    at: at.toISOString(),
  }))
}

/** Keeps a version; again with the same id is the same. Throws `limit-reached`, `id-taken`. */
export async function addVersion(
  db: Db,
  docId: string,
  state: ContentState,
  version: {
    id: string
    kind: 'named' | 'before-restore'
    name: string | null
    remark: string
    author: string
    at?: Date
    origin?: Origin
  },
): Promise<void> {
  const known = await db.selectFrom('doc_version').select('doc_id').where('id', '=', version.id).executeTakeFirst()
  if (known !== undefined && known.doc_id !== docId) throw new Refusal('id-taken')
  if (known !== undefined) return
  const { n } = await db
    .selectFrom('doc_version')
    .select(db.fn.countAll<number>().as('n'))
    .where('doc_id', '=', docId)
    .where('kind', '<>', 'auto')
    .executeTakeFirstOrThrow()
  if (n >= VERSIONS.named)
    throw new Refusal('limit-reached', 'named versions of one document', { limit: { quantity: 'versions', allowed: VERSIONS.named } })
  await db
    .insertInto('doc_version')
    .values({
      ...version,
      origin: version.origin ? JSON.stringify(version.origin) : null,
      doc_id: docId,
      epoch: state.epoch,
      seq: state.seq,
      blob: Buffer.from(state.update),
    })
    .onConflict(conflict => conflict.doNothing())
    .execute()
}

/**
 * Keeps what was accepted of a proposal, in place of what was kept of the same one before; again with the same id is the same. Says whether this person
 * is known to have accepted parts of it from now on. Throws `id-taken`.
 */
export async function addAccepted(
  db: Db,
  docId: string,
  state: ContentState,
  { id, origin, author, at }: { id: string; origin: Origin; author: string; at: Date },
): Promise<boolean> {
  const isNew = await db.transaction().execute(async trx => {
    await trx.selectFrom('doc').select('id').where('id', '=', docId).forUpdate().execute()
    const known = await trx.selectFrom('doc_version').select('doc_id').where('id', '=', id).executeTakeFirst()
    if (known !== undefined && known.doc_id !== docId) throw new Refusal('id-taken')
    if (known !== undefined) return false
    const before = await trx
      .selectFrom('doc_version')
      .select(['id', 'author', 'people', 'at'])
      .where('doc_id', '=', docId)
      .where('kind', '=', 'auto')
      .where(sql<string>`origin ->> 'proposal'`, '=', origin.proposal)
      .executeTakeFirst()
    const knows = before?.author === author || before?.people.includes(author) === true
    const people = [...new Set([...(before?.people ?? []), ...(before?.author ? [before.author] : []), author])]
    // Of what was accepted on a device that was away, the server may know the later already.
    if (before && before.at > at) {
      await trx.updateTable('doc_version').set({ people }).where('id', '=', before.id).execute()
      return !knows
    }
    if (before) await trx.deleteFrom('doc_version').where('id', '=', before.id).execute()
    const { epoch, seq, update } = state
    const row = { id, kind: 'auto', name: null, author, people, at, origin: JSON.stringify(origin) } as const
    await trx
      .insertInto('doc_version')
      .values({ ...row, doc_id: docId, epoch, seq, blob: Buffer.from(update) })
      .execute()
    return !knows
  })
  await tidy(db, docId)
  return isNew
}

/** Of the versions kept by themselves the oldest go. */
async function tidy(db: Db, docId: string): Promise<void> {
  await sql`delete from doc_version where id in (select id from doc_version where doc_id = ${docId} and kind = 'auto'
    order by at desc offset ${VERSIONS.auto})`.execute(db)
}

/** Keeps a version by itself, unless there is one of the last ten minutes or nothing changed since. */
export function autoVersions(db: Db): (docId: string, state: ContentState) => Promise<void> {
  return async (docId, state) => {
    const made = await sql`insert into doc_version (id, doc_id, epoch, seq, kind, blob, people)
      select ${nanoid()}, id, ${state.epoch}, ${state.seq}, 'auto', ${Buffer.from(state.update)},
        array(select distinct user_id from doc_update where doc_id = ${docId}
          and seq > coalesce((select max(seq) from doc_version where doc_id = ${docId} and epoch = ${state.epoch}), 0) limit 50) from doc
      where id = ${docId} and not exists (select 1 from doc_version where doc_id = ${docId}
        and (at > now() - ${VERSIONS.autoEveryMs} * interval '1 millisecond' or (epoch = ${state.epoch} and seq >= ${state.seq})))`.execute(
      db,
    )
    if (Number(made.numAffectedRows ?? 0) === 0) return
    await tidy(db, docId)
  }
}

export async function versionState(db: Db, docId: string, id: string): Promise<{ epoch: string; update: Uint8Array }> {
  const row = await db
    .selectFrom('doc_version')
    .select(['epoch', 'blob'])
    .where('id', '=', id)
    .where('doc_id', '=', docId)
    .executeTakeFirst()
  if (row === undefined) throw new Refusal('not-found', 'no such version')
  return { epoch: row.epoch, update: row.blob }
}

/** Names a version, which keeps it for good, or says something about it. */
export async function noteVersion(
  db: Db,
  docId: string,
  id: string,
  { name, remark }: { name?: string | undefined; remark?: string | undefined },
): Promise<void> {
  const note = { ...(name === undefined ? {} : { name, kind: 'named' as const }), ...(remark === undefined ? {} : { remark }) }
  const change = db.updateTable('doc_version').set(note).where('id', '=', id).where('doc_id', '=', docId)
  if ((await change.executeTakeFirst()).numUpdatedRows === 0n) throw new Refusal('not-found', 'no such version')
}

export async function deleteVersion(db: Db, docId: string, id: string): Promise<void> {
  const removal = db.deleteFrom('doc_version').where('id', '=', id).where('doc_id', '=', docId)
  if ((await removal.executeTakeFirst()).numDeletedRows === 0n) throw new Refusal('not-found', 'no such version')
}
