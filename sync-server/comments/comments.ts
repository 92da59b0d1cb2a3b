// Comments on documents: threads with an anchor, their comments, and the people to notify. Every change can be repeated: ids come from the
// client, and a repeated change has no further effect.
import { sql } from 'kysely'
import { can } from '../../model-schema/roles.ts'
import type { Db } from '../db/database.ts'
import { Refusal } from '../http.ts'
import type { Notify } from '../notifications/notify.ts'
import { onFile } from '../permissions.ts'
import type { FileStanding } from '../permissions.ts'
import { COMMENTS } from '../protocol.ts'
import type { Anchor, ByCopilot } from '../protocol.ts'
import type { Body } from './body.ts'

type Somebody = { id: string; name: string; /** Id of their picture. */ avatar?: string | null | undefined }

type CommentInfo = {
  id: string
  /** Null once the account is gone. */
  author: Somebody | null
  /** Rich text as JSON text. */
  body: string
  /** The copilot answered; `author` asked it. */
  copilot: ByCopilot | null
  at: string
  editedAt: string | null
}

export type ThreadInfo = {
  id: string
  anchor: Anchor
  resolved: { at: string; by: Somebody | null } | null
  /** In the order they were written; never empty. */
  comments: CommentInfo[]
}

type NewComment = { id: string; body: Body; copilot?: ByCopilot | undefined }

/** The writer of a comment. */
type Writer = { userId: string; name: string }

/** All threads of a document, the oldest first. */
export async function threadsOf(db: Db, fileId: string): Promise<ThreadInfo[]> {
  const threads = await db
    .selectFrom('comment_thread as t')
    .leftJoin('user as r', 'r.id', 't.resolved_by')
    .select(['t.id', 't.anchor', 't.resolved_at', 't.resolved_by', 'r.name as resolver', 'r.image as resolver_image'])
    .where('t.file_id', '=', fileId)
    .orderBy('t.created_at')
    .orderBy('t.id')
    .execute()
  const comments = await db
    .selectFrom('comment as c')
    .innerJoin('comment_thread as t', 't.id', 'c.thread_id')
    .leftJoin('user as u', 'u.id', 'c.author')
    .select(['c.id', 'c.thread_id', 'c.body', 'c.copilot', 'c.at', 'c.edited_at', 'c.author', 'u.name', 'u.image'])
    .where('t.file_id', '=', fileId)
    .orderBy('c.at')
    .orderBy('c.id')
    .execute()
  const own = Map.groupBy(comments, comment => comment.thread_id)
  return threads.flatMap(thread => {
    const list = own.get(thread.id)
    if (list === undefined) return []
    return {
      id: thread.id,
      anchor: thread.anchor,
      resolved: thread.resolved_at && {
        at: thread.resolved_at.toISOString(),
        by: somebody(thread.resolved_by, thread.resolver, thread.resolver_image),
      },
      comments: list.map(({ id, body, copilot, at, edited_at, author, name, image }) => ({
        id,
        author: somebody(author, name, image),
        body,
        copilot,
        at: at.toISOString(),
        editedAt: edited_at?.toISOString() ?? null,
      })),
    }
  })
}

const somebody = (id: string | null, name: string | null, avatar: string | null): Somebody | null =>
  id === null ? null : { id, name: name ?? '', avatar }

/** Opens a thread with its first comment. Throws `limit-reached`, `id-taken`. */
export async function openThread(
  db: Db,
  file: string,
  thread: { id: string; anchor: Anchor },
  comment: { id: string; body: Body },
  writer: Writer,
): Promise<boolean> {
  const known = await db.selectFrom('comment_thread').select('file_id').where('id', '=', thread.id).executeTakeFirst()
  if (known !== undefined && known.file_id !== file) throw new Refusal('id-taken')
  if (known !== undefined) return false
  const { n } = await db
    .selectFrom('comment_thread')
    .select(db.fn.countAll<number>().as('n'))
    .where('file_id', '=', file)
    .executeTakeFirstOrThrow()
  if (n >= COMMENTS.threads) throw full(COMMENTS.threads)
  return db.transaction().execute(async tx => {
    const made = await tx
      .insertInto('comment_thread')
      .values({ id: thread.id, file_id: file, anchor: JSON.stringify(thread.anchor), created_by: writer.userId })
      .onConflict(conflict => conflict.doNothing())
      .executeTakeFirst()
    return made.numInsertedOrUpdatedRows === 1n && (await insertComment(tx, thread.id, comment, writer))
  })
}

/** Adds to a thread; false when it is there already. Throws `not-found` when the thread is gone. */
export async function reply(db: Db, file: string, thread: string, comment: NewComment, writer: Writer): Promise<boolean> {
  await threadIn(db, file, thread)
  const { n } = await db
    .selectFrom('comment')
    .select(db.fn.countAll<number>().as('n'))
    .where('thread_id', '=', thread)
    .executeTakeFirstOrThrow()
  if (n >= COMMENTS.perThread) throw full(COMMENTS.perThread)
  return insertComment(db, thread, comment, writer)
}

async function insertComment(db: Db, thread: string, { id, body, copilot }: NewComment, writer: Writer): Promise<boolean> {
  const known = await db.selectFrom('comment').select('thread_id').where('id', '=', id).executeTakeFirst()
  if (known !== undefined && known.thread_id !== thread) throw new Refusal('id-taken')
  const made = await db
    .insertInto('comment')
    .values({ id, thread_id: thread, author: writer.userId, body: body.json, ...(copilot ? { copilot: JSON.stringify(copilot) } : {}) })
    .onConflict(conflict => conflict.doNothing())
    .executeTakeFirst()
  return made.numInsertedOrUpdatedRows === 1n
}

/** Changes one's own comment; returns the people it mentioned before. */
export async function editComment(
  db: Db,
  file: string,
  id: string,
  body: Body,
  userId: string,
): Promise<{ thread: string; before: string }> {
  const comment = await commentIn(db, file, id)
  if (comment.author !== userId) throw new Refusal('no-permission', 'comments are changed by those who wrote them')
  // A comment by the copilot cannot be edited.
  if (comment.copilot !== null) throw new Refusal('no-permission', 'what the copilot answered can be deleted, not changed')
  if (comment.body !== body.json)
    await db.updateTable('comment').set({ body: body.json, edited_at: new Date() }).where('id', '=', id).execute()
  return { thread: comment.thread_id, before: comment.body }
}

/** Deletes a comment, and the thread with its last one. Deleting what is gone is done. */
export async function deleteComment(db: Db, file: string, id: string, userId: string, mayAll: boolean): Promise<boolean> {
  const comment = await db
    .selectFrom('comment as c')
    .innerJoin('comment_thread as t', 't.id', 'c.thread_id')
    .select(['c.author', 'c.thread_id'])
    .where('c.id', '=', id)
    .where('t.file_id', '=', file)
    .executeTakeFirst()
  if (comment === undefined) return false
  if (comment.author !== userId && !mayAll) throw new Refusal('no-permission', 'others’ comments are deleted by managers')
  await db.transaction().execute(async tx => {
    await tx.selectFrom('comment_thread').select('id').where('id', '=', comment.thread_id).forUpdate().execute()
    await tx.deleteFrom('comment').where('id', '=', id).execute()
    await sql`delete from comment_thread where id = ${comment.thread_id}
      and not exists (select 1 from comment where thread_id = ${comment.thread_id})`.execute(tx)
  })
  return true
}

/** Closes a thread, or opens it again; false when it is so already. */
export async function resolveThread(db: Db, file: string, id: string, resolved: boolean, userId: string): Promise<boolean> {
  await threadIn(db, file, id)
  const change = db
    .updateTable('comment_thread')
    .set(resolved ? { resolved_at: new Date(), resolved_by: userId } : { resolved_at: null, resolved_by: null })
    .where('id', '=', id)
    .where('resolved_at', resolved ? 'is' : 'is not', null)
  return (await change.executeTakeFirst()).numUpdatedRows === 1n
}

/** Fastens a thread to another place. */
export async function moveThread(db: Db, file: string, id: string, anchor: Anchor): Promise<void> {
  await threadIn(db, file, id)
  await db
    .updateTable('comment_thread')
    .set({ anchor: JSON.stringify(anchor) })
    .where('id', '=', id)
    .execute()
}

async function threadIn(db: Db, file: string, id: string): Promise<void> {
  const row = await db.selectFrom('comment_thread').select('id').where('id', '=', id).where('file_id', '=', file).executeTakeFirst()
  if (row === undefined) throw new Refusal('not-found', 'no such thread')
}

async function commentIn(
  db: Db,
  file: string,
  id: string,
): Promise<{ author: string | null; body: string; copilot: ByCopilot | null; thread_id: string }> {
  const row = await db
    .selectFrom('comment as c')
    .innerJoin('comment_thread as t', 't.id', 'c.thread_id')
    .select(['c.author', 'c.body', 'c.copilot', 'c.thread_id'])
    .where('c.id', '=', id)
    .where('t.file_id', '=', file)
    .executeTakeFirst()
  if (row === undefined) throw new Refusal('not-found', 'no such comment')
  return row
}

/** The people that may see a document as members or collaborators, by name: those that can be mentioned. */
export async function peopleOf(db: Db, file: string, team: string): Promise<Somebody[]> {
  const rows = await sql<Somebody>`select u.id, u.name, u.image as avatar from "user" u where u.id in (
      select user_id from workspace_member where workspace_id = ${team}
      union select user_id from collaborator where file_id = ${file} and revoked_at is null
    ) order by lower(u.name), u.id limit ${COMMENTS.people}`.execute(db)
  return rows.rows
}

/** Notifies those mentioned, then the others of the thread and the author of the file, each once; only people that may see the document. */
export async function tellPeople(
  db: Db,
  notify: Notify,
  where: { file: string; standing: FileStanding; thread: string },
  { body, before = null, writer }: { body: Body; /** Body before an edit. */ before?: string | null; writer: Writer },
): Promise<void> {
  const { file, standing, thread } = where
  const mentioned = body.mentions.filter(id => isUserId(id) && !before?.includes(JSON.stringify(id)))
  // An edit is news to those newly mentioned only.
  const others =
    before !== null
      ? []
      : (
          await sql<{ id: string }>`select distinct author as id from comment where thread_id = ${thread} and author is not null
            union select creator_id from file where id = ${file} and creator_id is not null`.execute(db)
        ).rows.map(row => row.id)
  const data = { by: writer.name, name: standing.name, file, team: standing.team, thread, text: body.plain.slice(0, COMMENTS.excerpt) }
  const toldOf = async (ids: readonly string[], kind: 'mentioned' | 'commented'): Promise<void> => {
    const may: string[] = []
    for (const id of ids.slice(0, COMMENTS.told)) {
      const theirs = await onFile(db, id, file)
      if (theirs && can(theirs.actor, 'view', theirs.subject)) may.push(id)
    }
    await notify(may, kind, data)
  }
  const first = mentioned.filter(id => id !== writer.userId)
  await toldOf(first, 'mentioned')
  await toldOf(
    others.filter(id => id !== writer.userId && !first.includes(id)),
    'commented',
  )
}

const isUserId = (id: string): boolean => /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(id)

const full = (allowed: number): Refusal =>
  new Refusal('limit-reached', 'comments of one document', { limit: { quantity: 'comments', allowed } })
