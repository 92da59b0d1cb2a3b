// The trash: whole subtrees go in together, come back together, or go for ever. A model that an experiment, dashboard or chart uses stays.
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { Refusal } from '../http.ts'
import { freeName, isKind, lockTree } from './files.ts'

/** A file and everything in it. */
export async function subtree(db: Db, id: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`with recursive inside as (
      select id from file where id = ${id} union select f.id from file f join inside on f.parent_id = inside.id
    ) select id from inside`.execute(db)
  return rows.map(row => row.id)
}

/** Puts a file, and what is in it, into the trash, all with one time, by which `restoreFile` knows them. Answers the ids that went. */
export async function trashFile(db: Db, id: string, by: string): Promise<string[]> {
  return db.transaction().execute(async tx => {
    await lockTree(tx, id)
    const going = await subtree(tx, id)
    await refuseUsed(tx, going, false)
    const { rows } = await sql<{ id: string }>`update file set trashed_at = ${new Date()}, trashed_by = ${by}
      where id = any(${going}) and trashed_at is null returning id`.execute(tx)
    return rows.map(row => row.id)
  })
}

/** Takes a file, and what went with it, out of the trash; to the top when its folder is gone. Numbered when its name is taken. */
export async function restoreFile(db: Db, id: string): Promise<string[]> {
  return db.transaction().execute(async tx => {
    await lockTree(tx, id)
    const file = await tx.selectFrom('file').selectAll().where('id', '=', id).executeTakeFirst()
    if (file === undefined) throw new Refusal('not-found')
    if (file.trashed_at === null || !isKind(file.kind)) return []
    const parent =
      file.parent_id === null
        ? undefined
        : await tx.selectFrom('file').select(['id', 'trashed_at']).where('id', '=', file.parent_id).executeTakeFirst()
    const home = parent?.trashed_at === null ? parent.id : null
    const name = await freeName(tx, { team: file.workspace_id, parent: home, kind: file.kind, name: file.name })
    await tx
      .updateTable('file')
      .set({ trashed_at: null, trashed_by: null, parent_id: home, name, updated_at: sql`now()` })
      .where('id', '=', id)
      .execute()
    const { rows } = await sql<{ id: string }>`update file set trashed_at = null, trashed_by = null
      where id = any(${await subtree(tx, id)}) and trashed_at = ${file.trashed_at} returning id`.execute(tx)
    return [id, ...rows.map(row => row.id)]
  })
}

/** Deletes files in the trash for ever, with everything in them. Answers the ids. */
export async function deleteFile(db: Db, id: string): Promise<string[]> {
  return refuseUse(() =>
    db.transaction().execute(async tx => {
      const file = await tx.selectFrom('file').select('trashed_at').where('id', '=', id).executeTakeFirst()
      if (file === undefined) throw new Refusal('not-found')
      if (file.trashed_at === null) throw new Refusal('not-in-trash')
      const going = await subtree(tx, id)
      await refuseUsed(tx, going, true)
      await tx.deleteFrom('file').where('id', '=', id).execute()
      return going
    }),
  )
}

/** Deletes for ever what is in a workspace's trash, but for models that files outside of it use. */
export async function emptyTrash(db: Db, team: string): Promise<{ gone: string[]; kept: number }> {
  return refuseUse(() =>
    db.transaction().execute(async tx => {
      const used = sql`exists (select 1 from file_use l join file e on e.id = l.file_id
        where l.model_id = file.id and (e.trashed_at is null or e.workspace_id <> ${team}))`
      // Their folders may go.
      const kept = await sql`update file set parent_id = null where workspace_id = ${team} and trashed_at is not null and ${used}`.execute(
        tx,
      )
      const { rows } = await sql<{ id: string }>`delete from file where workspace_id = ${team} and trashed_at is not null and not ${used}
        returning id`.execute(tx)
      return { gone: rows.map(row => row.id), kept: Number(kept.numAffectedRows ?? 0) }
    }),
  )
}

/** Throws `model-in-use` when a file outside of `going` uses a model of it; one in the trash counts when `forEver`. */
async function refuseUsed(db: Db, going: readonly string[], forEver: boolean): Promise<void> {
  const used = await db
    .selectFrom('file_use as l')
    .innerJoin('file as e', 'e.id', 'l.file_id')
    .select('e.name')
    .where(sql<boolean>`l.model_id = any(${going}) and not l.file_id = any(${going}) and (${forEver} or e.trashed_at is null)`)
    .orderBy('e.name')
    .limit(5)
    .execute()
  const names = used.map(({ name }) => name)
  if (names.length > 0)
    throw new Refusal('model-in-use', `used by ${names.map(name => `“${name}”`).join(', ')}`, {
      issues: names.map(path => ({ path, message: 'uses it' })),
    })
}

/** Another request may link a model while it is being deleted: the constraint decides. */
async function refuseUse<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error !== null && typeof error === 'object' && 'constraint' in error && error.constraint === 'file_use_model_id_fkey')
      throw new Refusal('model-in-use')
    throw error
  }
}
