// Tag sets (files of kind `tag-set`) and their tags; a file carries at most one tag of a set of its workspace.
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { Refusal } from '../http.ts'

type TagInfo = { id: string; name: string; color: string; place: number; files: number }

const MAX_TAGS = 500

export async function tagsOf(db: Db, setId: string): Promise<TagInfo[]> {
  return db
    .selectFrom('tag as t')
    .select(['t.id', 't.name', 't.color', 't.place'])
    .select(sql<number>`(select count(*)::int from file_tag where tag_id = t.id)`.as('files'))
    .where('t.set_id', '=', setId)
    .orderBy('t.place')
    .orderBy('t.name')
    .execute()
}

/** Adds a tag, or changes the one with this id. Throws `name-taken`, `id-taken`. */
export async function saveTag(db: Db, setId: string, tag: { id: string; name: string; color: string; place: number }): Promise<void> {
  const known = await db.selectFrom('tag').select('set_id').where('id', '=', tag.id).executeTakeFirst()
  if (known !== undefined && known.set_id !== setId) throw new Refusal('id-taken')
  const { n } = await db.selectFrom('tag').select(db.fn.countAll<number>().as('n')).where('set_id', '=', setId).executeTakeFirstOrThrow()
  if (known === undefined && n >= MAX_TAGS) throw new Refusal('tag-invalid', `a tag set has at most ${MAX_TAGS} tags`)
  try {
    await db
      .insertInto('tag')
      .values({ ...tag, set_id: setId })
      .onConflict(conflict =>
        conflict.column('id').doUpdateSet({ name: tag.name, color: tag.color, place: tag.place }).where('tag.set_id', '=', setId),
      )
      .execute()
  } catch (error) {
    if (error !== null && typeof error === 'object' && 'constraint' in error && error.constraint === 'tag_name')
      throw new Refusal('name-taken')
    throw error
  }
}

export async function deleteTag(db: Db, setId: string, tagId: string): Promise<void> {
  const { numDeletedRows } = await db.deleteFrom('tag').where('id', '=', tagId).where('set_id', '=', setId).executeTakeFirst()
  if (numDeletedRows === 0n) throw new Refusal('not-found')
}

/** Gives a file exactly these tags. Throws `tag-invalid` for two of one set, and for tags of no set of the workspace. */
export async function setTags(db: Db, fileId: string, team: string, tagIds: readonly string[]): Promise<void> {
  const wanted = [...new Set(tagIds)]
  const tags =
    wanted.length === 0
      ? []
      : await db
          .selectFrom('tag as t')
          .innerJoin('file as s', 's.id', 't.set_id')
          .select(['t.id', 't.set_id'])
          .where('t.id', 'in', wanted)
          .where('s.workspace_id', '=', team)
          .where('s.trashed_at', 'is', null)
          .execute()
  if (tags.length !== wanted.length) throw new Refusal('tag-invalid', 'no such tag in this workspace')
  if (new Set(tags.map(tag => tag.set_id)).size !== tags.length) throw new Refusal('tag-invalid', 'two tags of one set')
  await db.transaction().execute(async tx => {
    await tx.deleteFrom('file_tag').where('file_id', '=', fileId).execute()
    if (tags.length > 0)
      await tx
        .insertInto('file_tag')
        .values(tags.map(tag => ({ file_id: fileId, set_id: tag.set_id, tag_id: tag.id })))
        .onConflict(conflict => conflict.columns(['file_id', 'set_id']).doUpdateSet(({ ref }) => ({ tag_id: ref('excluded.tag_id') })))
        .execute()
  })
}
