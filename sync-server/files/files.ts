// Files: what a workspace holds. Ids are made by clients, so that creating works offline and can be repeated; names are unique
// in a folder per kind. A file with content has a document of the same id.
import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import { nanoid } from 'nanoid'
import { z } from 'zod'
import { inTransaction } from '../db/database.ts'
import type { Db } from '../db/database.ts'
import type { Tables } from '../db/tables.ts'
import { Refusal } from '../http.ts'

export const KINDS = ['model', 'experiment', 'dashboard', 'chart', 'project', 'folder', 'block', 'tag-set', 'library'] as const
type Kind = (typeof KINDS)[number]

/** Kinds with a document as content. */
const documents: ReadonlySet<string> = new Set<Kind>(['model', 'experiment', 'dashboard', 'chart', 'block'])
/** Kinds that hold other files; a library holds blocks alone. */
const folders: ReadonlySet<string> = new Set<Kind>(['folder', 'project', 'library'])

/** `taken` in a request. */
export const onTakenName = z.enum(['refuse', 'number']).optional()

type NewFile = {
  id: string
  team: string
  parent: string | null
  kind: Kind
  name: string
  /** Lineage of the document; the client that makes it makes this too. */
  epoch?: string | undefined
  /** What to do when the name is taken: refuse, or append a number. */
  taken: 'refuse' | 'number'
}

/** Creates a file; doing it again with the same id is the same. */
export async function createFile(db: Db, userId: string, file: NewFile): Promise<void> {
  await inTransaction(db, async tx => {
    const before = await tx.selectFrom('file').select(['creator_id', 'workspace_id', 'kind']).where('id', '=', file.id).executeTakeFirst()
    if (before !== undefined) {
      if (before.creator_id === userId && before.workspace_id === file.team && before.kind === file.kind) return
      throw new Refusal('id-taken')
    }
    if (file.parent !== null) {
      await lockTree(tx, file.parent)
      await mustBeFolder(tx, file.parent, file.team, file.kind)
    }
    const name = file.taken === 'number' ? await freeName(tx, file) : file.name
    await refuseTaken(() =>
      tx
        .insertInto('file')
        .values({ id: file.id, workspace_id: file.team, parent_id: file.parent, kind: file.kind, name, creator_id: userId })
        .execute(),
    )
    if (documents.has(file.kind))
      await tx
        .insertInto('doc')
        .values({ id: file.id, epoch: file.epoch ?? nanoid() })
        .execute()
  })
}

type FileChange = { name?: string | undefined; remark?: string | undefined; parent?: string | null | undefined }

/** Renames, remarks, moves inside its workspace. Throws `name-taken` or `folder-invalid`. */
export async function changeFile(db: Db, id: string, change: FileChange): Promise<void> {
  const { parent, ...values } = change
  const write = (on: Db, more: { parent_id?: string | null }) =>
    refuseTaken(async () => {
      const [done] = await on
        .updateTable('file')
        .set({ ...values, ...more, updated_at: sql`now()` })
        .where('id', '=', id)
        .execute()
      if (done?.numUpdatedRows === 0n) throw new Refusal('not-found')
    })
  // One statement where nothing has to be looked at before.
  if (parent === undefined) return write(db, {})
  await db.transaction().execute(async tx => {
    await lockTree(tx, id)
    const file = await tx.selectFrom('file').select(['workspace_id', 'kind']).where('id', '=', id).executeTakeFirst()
    if (file === undefined) throw new Refusal('not-found')
    if (parent !== null) await mustTake(tx, parent, file.workspace_id, id, file.kind)
    await write(tx, { parent_id: parent })
  })
}

/**
 * Moves a file, with what is in it, to another folder, of another workspace perhaps; tags of sets that stay behind are dropped.
 * Throws `same-place` when it is there already. Answers the ids that changed their workspace.
 */
export async function moveFile(
  db: Db,
  id: string,
  to: { team: string; parent: string | null; taken: 'refuse' | 'number' },
): Promise<string[]> {
  return inTransaction(db, async tx => {
    await lockTree(tx, id, to.team)
    const file = await tx.selectFrom('file').select(['workspace_id', 'parent_id', 'kind', 'name']).where('id', '=', id).executeTakeFirst()
    if (file === undefined || !isKind(file.kind)) throw new Refusal('not-found')
    if (file.workspace_id === to.team && file.parent_id === to.parent) throw new Refusal('same-place')
    if (to.parent !== null) await mustTake(tx, to.parent, to.team, id, file.kind)
    const name = to.taken === 'number' ? await freeName(tx, { ...to, kind: file.kind, name: file.name }) : file.name
    await refuseTaken(() =>
      tx
        .updateTable('file')
        .set({ workspace_id: to.team, parent_id: to.parent, name, updated_at: sql`now()` })
        .where('id', '=', id)
        .execute(),
    )
    if (file.workspace_id === to.team) return []
    const { rows } = await sql<{ id: string }>`with recursive inside as (
        select id from file where id = ${id} union select f.id from file f join inside on f.parent_id = inside.id
      ) update file set workspace_id = ${to.team} from inside where file.id = inside.id returning file.id`.execute(tx)
    await sql`delete from file_tag ft using file f, file s where ft.file_id = f.id and ft.set_id = s.id
      and f.workspace_id <> s.workspace_id and (f.workspace_id = ${to.team} or s.workspace_id = ${to.team})`.execute(tx)
    return rows.map(row => row.id)
  })
}

/** A copy with the same content, a new id and a new lineage, next to the original or in another folder. */
export async function duplicateFile(
  db: Db,
  userId: string,
  from: string,
  copy: { id: string; team: string; parent: string | null; name?: string | undefined; content: Uint8Array | null },
): Promise<void> {
  const file = await db
    .selectFrom('file')
    .select(['kind', 'name', 'remark', 'cover', 'cover_drawn', 'from_market', 'taken'])
    .where('id', '=', from)
    .executeTakeFirst()
  if (file === undefined || !isKind(file.kind)) throw new Refusal('not-found')
  if (folders.has(file.kind)) throw new Refusal('folder-invalid', 'folders are copied file by file')
  await createFile(db, userId, {
    id: copy.id,
    team: copy.team,
    parent: copy.parent,
    kind: file.kind,
    name: copy.name ?? file.name,
    taken: 'number',
  })
  // A copy of what came from the store came from the store.
  await db
    .updateTable('file')
    .set({
      remark: file.remark,
      cover: file.cover,
      cover_drawn: file.cover_drawn,
      from_market: file.from_market,
      taken: file.taken && JSON.stringify(file.taken),
    })
    .where('id', '=', copy.id)
    .execute()
  await sql`insert into market_copy (file_id, app_id, number) select ${copy.id}, app_id, number from market_copy where file_id = ${from}
    on conflict do nothing`.execute(db)
  if (copy.content !== null) {
    // Only while it is empty: repeating the request must not undo edits made since.
    await db
      .updateTable('doc')
      .set({ snapshot: Buffer.from(copy.content) })
      .where('id', '=', copy.id)
      .where('snapshot', 'is', null)
      .where('last_seq', '=', 0)
      .execute()
  }
}

/** Not worth waiting for the disk: should Postgres crash, the last half second of what was opened is forgotten. */
export async function noteOpened(db: Db, userId: string, id: string): Promise<void> {
  await sql`insert into file_opened (user_id, file_id, at) select ${userId}::uuid, ${id}, now()
    from set_config('synchronous_commit', 'off', true) as unhurried where unhurried = 'off'
    on conflict (user_id, file_id) do update set at = excluded.at`.execute(db)
}

export function isKind(text: string): text is Kind {
  return KINDS.some(kind => kind === text)
}

async function mustBeFolder(db: Kysely<Tables>, id: string, team: string, taking: string): Promise<void> {
  const folder = await db.selectFrom('file').select(['kind', 'workspace_id', 'trashed_at']).where('id', '=', id).executeTakeFirst()
  if (folder === undefined || !folders.has(folder.kind) || folder.workspace_id !== team || folder.trashed_at !== null)
    throw new Refusal('folder-invalid')
  if (folder.kind === 'library' && taking !== 'block') throw new Refusal('folder-invalid', 'a library holds blocks')
}

/** Throws `folder-invalid` unless `parent` is a folder that can take `id`. */
async function mustTake(db: Kysely<Tables>, parent: string, team: string, id: string, kind: string): Promise<void> {
  await mustBeFolder(db, parent, team, kind)
  if (await isWithin(db, parent, id)) throw new Refusal('folder-invalid', 'a folder cannot be moved into itself')
}

/**
 * Until the end of the transaction blocks other moves, deletions and restorations in the workspace of a file (or the one named): two moves at
 * once could close a circle, and a file be put into a folder that is being trashed.
 */
export async function lockTree(db: Kysely<Tables>, id: string, team?: string): Promise<void> {
  const file = await db.selectFrom('file').select('workspace_id').where('id', '=', id).executeTakeFirst()
  const teams = [...new Set([file?.workspace_id, team])].filter(found => found !== undefined).sort()
  for (const found of teams) await sql`select pg_advisory_xact_lock(7245004, hashtext(${found}))`.execute(db)
}

/** Is `id` the folder `folder` itself or somewhere in it? */
export async function isWithin(db: Kysely<Tables>, id: string, folder: string): Promise<boolean> {
  const { rows } = await sql`with recursive above as (
      select id, parent_id from file where id = ${id} union select f.id, f.parent_id from file f join above on f.id = above.parent_id
    ) select 1 from above where id = ${folder}`.execute(db)
  return rows.length > 0
}

/** The name, or the name with the least number that is free. */
export async function freeName(
  db: Kysely<Tables>,
  file: { team: string; parent: string | null; kind: Kind; name: string },
): Promise<string> {
  const rows = await db
    .selectFrom('file')
    .select('name')
    .where('workspace_id', '=', file.team)
    .where('parent_id', file.parent === null ? 'is' : '=', file.parent)
    .where('kind', '=', file.kind)
    .where('trashed_at', 'is', null)
    .execute()
  const taken = new Set(rows.map(row => row.name.toLowerCase()))
  if (!taken.has(file.name.toLowerCase())) return file.name
  for (let n = 2; ; n++) {
    const candidate = `${file.name} (${n})`
    if (!taken.has(candidate.toLowerCase())) return candidate
  }
}

/** The unique index decides, so that two at once cannot both have a name. */
async function refuseTaken<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (error !== null && typeof error === 'object' && 'constraint' in error) {
      if (error.constraint === 'file_name') throw new Refusal('name-taken')
      if (error.constraint === 'file_pkey') throw new Refusal('id-taken')
    }
    throw error
  }
}

/** Links an experiment to the model it runs, once and for all. Throws `model-linked` when it has another. */
export async function linkModel(db: Db, id: string, model: string): Promise<void> {
  await db
    .insertInto('file_use')
    .values({ file_id: id, model_id: model })
    .onConflict(conflict => conflict.doNothing())
    .execute()
  const row = await db.selectFrom('file_use').select('model_id').where('file_id', '=', id).executeTakeFirst()
  if (row?.model_id !== model) throw new Refusal('model-linked')
}

/** Notes the models that a dashboard or chart shows runs of, in the place of those noted before. Those that are gone are left out. */
export async function noteModels(db: Db, id: string, models: readonly string[]): Promise<void> {
  await db.transaction().execute(async tx => {
    // Two at once would each add to what the other took away.
    await tx.selectFrom('file').select('id').where('id', '=', id).forUpdate().execute()
    await tx.deleteFrom('file_use').where('file_id', '=', id).where('many', '=', true).execute()
    if (models.length === 0) return
    await tx
      .insertInto('file_use')
      .columns(['file_id', 'model_id', 'many'])
      .expression(eb =>
        eb
          .selectFrom('file')
          .select(({ val }) => [val(id).as('file_id'), 'id as model_id', val(true).as('many')])
          .where('id', 'in', models)
          .where('kind', '=', 'model'),
      )
      .execute()
  })
}

/** Marks a file as a favourite of a user, or no longer. */
export async function setFavourite(db: Db, userId: string, id: string, on: boolean): Promise<void> {
  if (on)
    await db
      .insertInto('favourite')
      .values({ user_id: userId, file_id: id })
      .onConflict(conflict => conflict.doNothing())
      .execute()
  else await db.deleteFrom('favourite').where('user_id', '=', userId).where('file_id', '=', id).execute()
}
