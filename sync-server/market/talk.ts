// Talk: comments under publications, and the forum, where threads begin with one. Ids come from the client, so a repeated request has no further
// effect. What was deleted or hidden stays as a place in the talk while something answers it.
import { sql } from 'kysely'
import { MARKET } from '../../model-schema/business/market.ts'
import type { ForumSection } from '../../model-schema/business/market.ts'
import type { Body } from '../comments/body.ts'
import { inTransaction } from '../db/database.ts'
import type { Db } from '../db/database.ts'
import { Refusal } from '../http.ts'
import type { Notify } from '../notifications/notify.ts'
import { COMMENTS } from '../protocol.ts'
import { recount } from './crowd.ts'
import type { Author } from './shelf.ts'

/** What is talked about. */
export type TalkSubject = { sort: 'app' | 'thread'; id: string }

type TalkComment = {
  id: string
  replyTo: string | null
  author: Author | null
  /** Rich text as JSON text; null when it was deleted or hidden. */
  body: string | null
  at: string
  editedAt: string | null
  state: 'shown' | 'deleted' | 'hidden'
}

const column = ({ sort }: TalkSubject): 'app_id' | 'thread_id' => (sort === 'app' ? 'app_id' : 'thread_id')

/** All comments on something, the oldest first; a hidden one's words are shown to operators and its author only. */
export async function talkOn(db: Db, about: TalkSubject, reader: { userId: string | null; operator: boolean }): Promise<TalkComment[]> {
  const rows = await db
    .selectFrom('market_comment as c')
    .leftJoin('user as u', 'u.id', 'c.author')
    .select(['c.id', 'c.reply_to', 'c.author', 'c.body', 'c.at', 'c.edited_at', 'c.deleted_at', 'c.hidden_at', 'u.name', 'u.image'])
    .where(`c.${column(about)}`, '=', about.id)
    .orderBy('c.at')
    .orderBy('c.id')
    .execute()
  const answered = new Set(rows.flatMap(row => (row.deleted_at === null ? (row.reply_to ?? []) : [])))
  return rows.flatMap(row => {
    const state = row.deleted_at !== null ? 'deleted' : row.hidden_at !== null ? 'hidden' : 'shown'
    const seen = state === 'shown' || (state === 'hidden' && (reader.operator || (row.author !== null && row.author === reader.userId)))
    if (!seen && !answered.has(row.id)) return []
    return {
      id: row.id,
      replyTo: row.reply_to,
      author: row.author === null || !seen ? null : { id: row.author, name: row.name ?? '', avatar: row.image },
      body: seen ? row.body : null,
      at: row.at.toISOString(),
      editedAt: row.edited_at?.toISOString() ?? null,
      state,
    }
  })
}

/** Adds a comment; false when it is there already. Throws `limit-reached`, `not-found`, `id-taken`. */
export async function addComment(
  db: Db,
  about: TalkSubject,
  comment: { id: string; body: Body; replyTo: string | null },
  author: string,
): Promise<boolean> {
  return inTransaction(db, async tx => {
    const on = column(about)
    await lock(tx, about)
    if (comment.replyTo !== null) {
      const above = await tx
        .selectFrom('market_comment')
        .select(['reply_to', 'deleted_at'])
        .where('id', '=', comment.replyTo)
        .where(on, '=', about.id)
        .executeTakeFirst()
      if (above === undefined || above.reply_to !== null || above.deleted_at !== null) throw new Refusal('not-found', 'no such comment')
    }
    const { n } = await tx
      .selectFrom('market_comment')
      .select(tx.fn.countAll<number>().as('n'))
      .where(on, '=', about.id)
      .executeTakeFirstOrThrow()
    if (n >= MARKET.comments) throw new Refusal('limit-reached', 'comments', { limit: { quantity: 'comments', allowed: MARKET.comments } })
    const known = await tx.selectFrom('market_comment').select(['author', on]).where('id', '=', comment.id).executeTakeFirst()
    if (known !== undefined) {
      if (known.author !== author || known[on] !== about.id) throw new Refusal('id-taken')
      return false
    }
    await tx
      .insertInto('market_comment')
      .values({
        id: comment.id,
        app_id: about.sort === 'app' ? about.id : null,
        thread_id: about.sort === 'thread' ? about.id : null,
        reply_to: comment.replyTo,
        author,
        body: comment.body.json,
      })
      .execute()
    await counted(tx, about, true)
    return true
  })
}

/** Changes one's own comment; answers its body before. */
export async function editComment(db: Db, about: TalkSubject, id: string, body: Body, author: string): Promise<string> {
  const row = await commentIn(db, about, id)
  if (row.author !== author) throw new Refusal('no-permission', 'comments are changed by those who wrote them')
  if (row.body !== body.json)
    await db.updateTable('market_comment').set({ body: body.json, edited_at: new Date() }).where('id', '=', id).execute()
  return row.body
}

/** Deletes a comment: one's own, or any for operators. What is gone is gone. */
export async function deleteComment(db: Db, about: TalkSubject, id: string, userId: string, operates: () => boolean): Promise<void> {
  const row = await db
    .selectFrom('market_comment')
    .select('author')
    .where('id', '=', id)
    .where(column(about), '=', about.id)
    .executeTakeFirst()
  if (row === undefined) return
  if (row.author !== userId && !operates()) throw new Refusal('no-permission', 'others’ comments are reported, not deleted')
  await inTransaction(db, async tx => {
    await lock(tx, about)
    await tx
      .updateTable('market_comment')
      .set({ deleted_at: new Date(), body: '' })
      .where('id', '=', id)
      .where('deleted_at', 'is', null)
      .execute()
    await counted(tx, about, false)
  })
}

/** The people who may be mentioned: those who wrote here, and the author. */
export async function speakersOn(db: Db, about: TalkSubject): Promise<Author[]> {
  const rows = await sql<Author>`select u.id, u.name, u.image as avatar from "user" u where u.id in (
      select author from market_comment where ${sql.ref(column(about))} = ${about.id} and deleted_at is null
      union select author from market_app where id = ${about.sort === 'app' ? about.id : ''}
      union select author from forum_thread where id = ${about.sort === 'thread' ? about.id : ''}
    ) order by lower(u.name), u.id limit ${COMMENTS.people}`.execute(db)
  return rows.rows
}

/** Notifies those mentioned, then the other participants; an edit only those newly mentioned. */
export async function tellSpeakers(
  db: Db,
  notify: Notify,
  about: TalkSubject & { name: string; author: string | null },
  said: { body: Body; before?: string; replyTo?: string | null; writer: { userId: string; name: string } },
): Promise<void> {
  const speakers = (await speakersOn(db, about)).map(({ id }) => id)
  const { before, writer } = said
  const others = (id: string): boolean => id !== writer.userId
  // Only those who take part: a name in a text is no way to reach strangers.
  const mentioned = said.body.mentions.filter(id => others(id) && speakers.includes(id) && before?.includes(JSON.stringify(id)) !== true)
  const data = { by: writer.name, name: about.name, sort: about.sort, id: about.id, text: said.body.plain.slice(0, COMMENTS.excerpt) }
  await notify(mentioned.slice(0, COMMENTS.told), 'market-mentioned', data)
  if (before !== undefined) return
  const above =
    said.replyTo === undefined || said.replyTo === null
      ? undefined
      : await db.selectFrom('market_comment').select('author').where('id', '=', said.replyTo).executeTakeFirst()
  const concerned = new Set([about.author, above?.author ?? null].filter(id => id !== null))
  if (about.sort === 'thread') for (const id of speakers) concerned.add(id)
  await notify([...concerned].filter(id => others(id) && !mentioned.includes(id)).slice(0, COMMENTS.told), 'market-talk', data)
}

type ThreadInfo = {
  id: string
  section: string
  title: string
  author: Author | null
  at: string
  lastAt: string
  comments: number
  hidden: boolean
}

/** Threads of the forum, the latest spoken in first. */
export async function threads(
  db: Db,
  wanted: { id?: string; section?: string | undefined; q?: string | undefined; limit: number; offset: number; hidden: boolean },
): Promise<ThreadInfo[]> {
  let rows = db
    .selectFrom('forum_thread as t')
    .leftJoin('user as u', 'u.id', 't.author')
    .select(['t.id', 't.section', 't.title', 't.author', 't.at', 't.last_at', 't.comments', 't.hidden_at', 'u.name', 'u.image'])
    .orderBy('t.last_at', 'desc')
    .orderBy('t.id')
    .limit(wanted.limit)
    .offset(wanted.offset)
  if (!wanted.hidden) rows = rows.where('t.hidden_at', 'is', null)
  if (wanted.id !== undefined) rows = rows.where('t.id', '=', wanted.id)
  if (wanted.section !== undefined) rows = rows.where('t.section', '=', wanted.section)
  for (const word of (wanted.q ?? '')
    .split(/\s+/)
    .filter(word => word !== '')
    .slice(0, 8)) {
    const like = `%${word.replaceAll(/[\\%_]/g, '\\$&')}%`
    rows = rows.where(
      sql<boolean>`(t.title ilike ${like} or exists (select 1 from market_comment c where c.thread_id = t.id
        and c.deleted_at is null and c.hidden_at is null and c.body ilike ${like}))`,
    )
  }
  return (await rows.execute()).map(row => ({
    id: row.id,
    section: row.section,
    title: row.title,
    author: row.author === null ? null : { id: row.author, name: row.name ?? '', avatar: row.image },
    at: row.at.toISOString(),
    lastAt: row.last_at.toISOString(),
    comments: row.comments,
    hidden: row.hidden_at !== null,
  }))
}

/** Opens a thread with its first comment; again with the same ids is the same. */
export async function openThread(
  db: Db,
  thread: { id: string; section: ForumSection; title: string },
  comment: { id: string; body: Body },
  author: string,
): Promise<boolean> {
  return inTransaction(db, async tx => {
    const made = await tx
      .insertInto('forum_thread')
      .values({ ...thread, author })
      .onConflict(conflict => conflict.doNothing())
      .executeTakeFirst()
    const known = await tx.selectFrom('forum_thread').select('author').where('id', '=', thread.id).executeTakeFirst()
    if (known?.author !== author) throw new Refusal('id-taken')
    return (
      made.numInsertedOrUpdatedRows === 1n &&
      (await addComment(tx, { sort: 'thread', id: thread.id }, { ...comment, replyTo: null }, author))
    )
  })
}

async function lock(tx: Db, { sort, id }: TalkSubject): Promise<void> {
  await sql`select 1 from ${sql.table(sort === 'app' ? 'market_app' : 'forum_thread')} where id = ${id} for update`.execute(tx)
}

/** The numbers shown next to titles. */
export async function counted(tx: Db, about: TalkSubject, spoken: boolean): Promise<void> {
  if (about.sort === 'app') return recount(tx, about.id)
  await sql`update forum_thread set comments = (select count(*) from market_comment
      where thread_id = ${about.id} and deleted_at is null and hidden_at is null),
    last_at = ${spoken ? sql`clock_timestamp()` : sql`last_at`} where id = ${about.id}`.execute(tx)
}

async function commentIn(db: Db, about: TalkSubject, id: string): Promise<{ author: string | null; body: string }> {
  const row = await db
    .selectFrom('market_comment')
    .select(['author', 'body'])
    .where('id', '=', id)
    .where(column(about), '=', about.id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (row === undefined) throw new Refusal('not-found', 'no such comment')
  return row
}
