// Talks kept with a file. Those who may edit the file read all of them, others who see it their own. A talk is kept whole, again under its id by
// its owner; how many there are and how large one is has a bound.
import { sql } from 'kysely'
import { can } from '../../model-schema/roles.ts'
import { verbatim, type Words } from '../../model-schema/words.ts'
import { inTransaction } from '../db/database.ts'
import type { Db } from '../db/database.ts'
import { Refusal } from '../http.ts'
import type { FileStanding } from '../permissions.ts'
import { TALKS } from '../protocol.ts'
import type { TalkBody } from './talk-body.ts'

export type TalkInfo = {
  id: string
  title: Words
  turns: number
  /** When it was kept last, ISO 8601. */
  at: string
  by: { id: string; name: string }
  isMine: boolean
}

const LOCK = 7245007

const seesAll = ({ actor, subject }: FileStanding): boolean => can(actor, 'edit', subject)

/** The talks of a file that this person may read, the latest first. */
export async function talksOf(db: Db, userId: string, file: string, standing: FileStanding): Promise<TalkInfo[]> {
  const rows = await db
    .selectFrom('copilot_talk as t')
    .innerJoin('user as u', 'u.id', 't.user_id')
    .select(['t.id', 't.title', 't.turns', 't.kept_at', 't.user_id', 'u.name'])
    .where('t.file_id', '=', file)
    .$if(!seesAll(standing), query => query.where('t.user_id', '=', userId))
    .orderBy('t.kept_at', 'desc')
    .execute()
  return rows.map(({ id, title, turns, kept_at, user_id, name }) => ({
    id,
    title,
    turns,
    at: kept_at.toISOString(),
    by: { id: user_id, name },
    isMine: user_id === userId,
  }))
}

/** A talk; null when this person may read none of this id. */
export async function talkOf(db: Db, userId: string, file: string, id: string, standing: FileStanding): Promise<TalkBody | null> {
  const row = await db
    .selectFrom('copilot_talk')
    .select('body')
    .where('id', '=', id)
    .where('file_id', '=', file)
    .$if(!seesAll(standing), query => query.where('user_id', '=', userId))
    .executeTakeFirst()
  return row === undefined ? null : JSON.parse(row.body)
}

/** Keeps a talk; again under the same id in place of what was kept, if it is one's own. Throws `id-taken`, `limit-reached`, `too-large`. */
export async function keepTalk(db: Db, userId: string, file: string, id: string, title: Words, talk: TalkBody): Promise<void> {
  const body = JSON.stringify(talk)
  if (Buffer.byteLength(body) > TALKS.bytes) throw new Refusal('too-large')
  await inTransaction(db, async tx => {
    // Of several at once at the limit, as many pass as there is room for.
    await sql`select pg_advisory_xact_lock(${LOCK}, hashtext(${file}))`.execute(tx)
    const before = await tx.selectFrom('copilot_talk').select(['user_id', 'file_id']).where('id', '=', id).executeTakeFirst()
    if (before !== undefined && (before.user_id !== userId || before.file_id !== file)) throw new Refusal('id-taken')
    const { n } = await tx
      .selectFrom('copilot_talk')
      .select(tx.fn.countAll<string>().as('n'))
      .where('file_id', '=', file)
      .executeTakeFirstOrThrow()
    if (before === undefined && Number(n) >= TALKS.perFile)
      throw new Refusal('limit-reached', 'talks kept with one file', { limit: { quantity: 'talks', allowed: TALKS.perFile } })
    const values = { turns: talk.turns.length, body }
    await tx
      .insertInto('copilot_talk')
      .values({ id, file_id: file, user_id: userId, title: JSON.stringify(title), ...values })
      // What it was called by then, it stays.
      .onConflict(conflict => conflict.column('id').doUpdateSet({ ...values, kept_at: sql<Date>`now()` }))
      .execute()
  })
}

/** Renames a talk; those of others only with `any`. False when there is none. */
export async function renameTalk(db: Db, userId: string, file: string, id: string, name: string, any: boolean): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('copilot_talk')
    .set({ title: JSON.stringify(verbatim(name)) })
    .where('id', '=', id)
    .where('file_id', '=', file)
    .$if(!any, query => query.where('user_id', '=', userId))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Takes a talk away from a file; those of others only with `any`. False when there is none. */
export async function removeTalk(db: Db, userId: string, file: string, id: string, any: boolean): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('copilot_talk')
    .where('id', '=', id)
    .where('file_id', '=', file)
    .$if(!any, query => query.where('user_id', '=', userId))
    .executeTakeFirst()
  return numDeletedRows > 0n
}
