// Files: what a workspace holds. Ids are made by clients, so that creating works offline and can be repeated; names are unique
// in a folder per kind. A file with content has a document of the same id.
import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import { nanoid } from 'nanoid'
import type { Db } from '../db/database.ts'
import type { Tables } from '../db/tables.ts'
import { Refusal } from '../http.ts'
import type { Role } from '../protocol.ts'

export const KINDS = ['model', 'experiment', 'dashboard', 'chart', 'project', 'folder', 'block', 'tag-set', 'library'] as const
export type Kind = (typeof KINDS)[number]

/** Kinds whose content is a document. */
const documents: ReadonlySet<string> = new Set<Kind>(['model', 'experiment', 'dashboard', 'chart', 'block', 'library'])
/** Kinds that hold other files. */
const folders: ReadonlySet<string> = new Set<Kind>(['folder', 'project'])

export type FileInfo = {
  id: string
  team: string
  parent: string | null
  kind: string
  name: string
  remark: string
  cover: string | null
  role: Role
  creator: { id: string; name: string } | null
  owner: { id: string; name: string }
  createdAt: string
  updatedAt: string
  openedAt: string | null
  trashedAt: string | null
}

export type Listing =
  /** Everything in the user's own workspaces and everything shared with them. */
  | { of: 'all' }
  | { of: 'folder'; team: string; parent: string | null }
  | { of: 'trash'; team?: string }
  | { of: 'recent' }
  | { of: 'shared' }
  | { of: 'one'; id: string }

const MAX_LISTED = 20_000

/** Files a user can see, newest first (recents: last opened first). */
export async function listFiles(db: Db, userId: string, listing: Listing): Promise<FileInfo[]> {
  let files = db
    .selectFrom('file as f')
    .innerJoin('workspace as w', 'w.id', 'f.workspace_id')
    .innerJoin('user as o', 'o.id', 'w.owner_id')
    .leftJoin('user as c', 'c.id', 'f.creator_id')
    .leftJoin('doc as d', 'd.id', 'f.id')
    .leftJoin('workspace_member as m', join => join.onRef('m.workspace_id', '=', 'f.workspace_id').on('m.user_id', '=', userId))
    .leftJoin('collaborator as g', join => join.onRef('g.file_id', '=', 'f.id').on('g.user_id', '=', userId).on('g.revoked_at', 'is', null))
    .leftJoin('file_opened as r', join => join.onRef('r.file_id', '=', 'f.id').on('r.user_id', '=', userId))
    .select(['f.id', 'f.workspace_id', 'f.parent_id', 'f.kind', 'f.name', 'f.remark', 'f.cover', 'f.created_at', 'f.trashed_at'])
    .select(['f.creator_id', 'c.name as creator_name', 'o.id as owner_id', 'o.name as owner_name', 'r.at as opened_at'])
    .select(sql<Date>`greatest(f.updated_at, d.updated_at)`.as('updated_at'))
    // Roles sort by their place in the list: the least number is the greatest role.
    .select(
      sql<Role>`case least(array_position(${ROLE_ORDER}, m.role), array_position(${ROLE_ORDER}, g.role))
      when 1 then 'owner' when 2 then 'manager' when 3 then 'editor' when 4 then 'commenter' else 'viewer' end`.as('role'),
    )
    .where(where => where.or([where('m.role', 'is not', null), where('g.role', 'is not', null)]))
    .limit(MAX_LISTED)
  switch (listing.of) {
    case 'all':
      files = files.orderBy('updated_at', 'desc')
      break
    case 'folder':
      files = files
        .where('f.workspace_id', '=', listing.team)
        .where('f.parent_id', listing.parent === null ? 'is' : '=', listing.parent)
        .where('f.trashed_at', 'is', null)
        .orderBy('updated_at', 'desc')
      break
    case 'trash':
      files = files.where('f.trashed_at', 'is not', null).where('m.role', 'is not', null).orderBy('f.trashed_at', 'desc')
      if (listing.team !== undefined) files = files.where('f.workspace_id', '=', listing.team)
      break
    case 'recent':
      files = files.where('r.at', 'is not', null).where('f.trashed_at', 'is', null).orderBy('r.at', 'desc').limit(100)
      break
    case 'shared':
      files = files
        .where('g.role', 'is not', null)
        .where('m.role', 'is', null)
        .where('f.trashed_at', 'is', null)
        .orderBy('updated_at', 'desc')
      break
    case 'one':
      files = files.where('f.id', '=', listing.id)
      break
  }
  const rows = await files.execute()
  return rows.map(row => ({
    id: row.id,
    team: row.workspace_id,
    parent: row.parent_id,
    kind: row.kind,
    name: row.name,
    remark: row.remark,
    cover: row.cover,
    role: row.role,
    creator: row.creator_id === null ? null : { id: row.creator_id, name: row.creator_name ?? '' },
    owner: { id: row.owner_id, name: row.owner_name },
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    openedAt: row.opened_at?.toISOString() ?? null,
    trashedAt: row.trashed_at?.toISOString() ?? null,
  }))
}

const ROLE_ORDER = sql`array['owner', 'manager', 'editor', 'commenter', 'viewer']`

export type NewFile = {
  id: string
  team: string
  parent: string | null
  kind: Kind
  name: string
  /** Lineage of the document; the client that makes it makes this too. */
  epoch?: string
  /** What to do when the name is taken: refuse, or append a number. */
  taken: 'refuse' | 'number'
}

/** Creates a file; doing it again with the same id is the same. */
export async function createFile(db: Db, userId: string, file: NewFile): Promise<void> {
  await db.transaction().execute(async tx => {
    const before = await tx.selectFrom('file').select(['creator_id', 'workspace_id', 'kind']).where('id', '=', file.id).executeTakeFirst()
    if (before !== undefined) {
      if (before.creator_id === userId && before.workspace_id === file.team && before.kind === file.kind) return
      throw new Refusal('id-taken')
    }
    if (file.parent !== null) await mustBeFolder(tx, file.parent, file.team)
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

/** Renames, remarks, moves. Throws `name-taken` or `folder-invalid`. */
export async function changeFile(db: Db, id: string, change: { name?: string; remark?: string; parent?: string | null }): Promise<void> {
  await db.transaction().execute(async tx => {
    const file = await tx.selectFrom('file').select('workspace_id').where('id', '=', id).executeTakeFirst()
    if (file === undefined) throw new Refusal('not-found')
    if (change.parent !== undefined && change.parent !== null) {
      await mustBeFolder(tx, change.parent, file.workspace_id)
      if (await isWithin(tx, change.parent, id)) throw new Refusal('folder-invalid', 'a folder cannot be moved into itself')
    }
    const values = {
      ...(change.name === undefined ? {} : { name: change.name }),
      ...(change.remark === undefined ? {} : { remark: change.remark }),
      ...(change.parent === undefined ? {} : { parent_id: change.parent }),
    }
    await refuseTaken(() =>
      tx
        .updateTable('file')
        .set({ ...values, updated_at: sql`now()` })
        .where('id', '=', id)
        .execute(),
    )
  })
}

/** A copy with the same content, a new id and a new lineage, beside the original or in another folder. */
export async function duplicateFile(
  db: Db,
  userId: string,
  from: string,
  copy: { id: string; team: string; parent: string | null; name?: string; content: Uint8Array | null },
): Promise<void> {
  const file = await db.selectFrom('file').select(['kind', 'name', 'remark', 'cover']).where('id', '=', from).executeTakeFirst()
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
  await db.updateTable('file').set({ remark: file.remark, cover: file.cover }).where('id', '=', copy.id).execute()
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

/** Puts a file, and what is in it, into the trash, all with one time, by which `restoreFile` knows them. Answers the ids that went. */
export async function trashFile(db: Db, id: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`with recursive inside as (
      select id from file where id = ${id} union select f.id from file f join inside on f.parent_id = inside.id
    ) update file set trashed_at = ${new Date()} from inside where file.id = inside.id and file.trashed_at is null returning file.id`.execute(
    db,
  )
  return rows.map(row => row.id)
}

/** Takes a file, and what went with it, out of the trash; to the top when its folder is gone. Numbered when its name is taken. */
export async function restoreFile(db: Db, id: string): Promise<void> {
  await db.transaction().execute(async tx => {
    const file = await tx.selectFrom('file').selectAll().where('id', '=', id).executeTakeFirst()
    if (file === undefined) throw new Refusal('not-found')
    if (file.trashed_at === null || !isKind(file.kind)) return
    const parent =
      file.parent_id === null
        ? undefined
        : await tx.selectFrom('file').select(['id', 'trashed_at']).where('id', '=', file.parent_id).executeTakeFirst()
    const home = parent?.trashed_at === null ? parent.id : null
    const name = await freeName(tx, { team: file.workspace_id, parent: home, kind: file.kind, name: file.name })
    await tx
      .updateTable('file')
      .set({ trashed_at: null, parent_id: home, name, updated_at: sql`now()` })
      .where('id', '=', id)
      .execute()
    await sql`with recursive inside as (
        select id from file where parent_id = ${id} union select f.id from file f join inside on f.parent_id = inside.id
      ) update file set trashed_at = null from inside where file.id = inside.id and file.trashed_at = ${file.trashed_at}`.execute(tx)
  })
}

/** Deletes for ever what lies in the trash. */
export async function deleteFile(db: Db, id: string): Promise<void> {
  const file = await db.selectFrom('file').select('trashed_at').where('id', '=', id).executeTakeFirst()
  if (file === undefined) throw new Refusal('not-found')
  if (file.trashed_at === null) throw new Refusal('not-in-trash')
  await db.deleteFrom('file').where('id', '=', id).execute()
}

export async function noteOpened(db: Db, userId: string, id: string): Promise<void> {
  await db
    .insertInto('file_opened')
    .values({ user_id: userId, file_id: id, at: new Date() })
    .onConflict(conflict => conflict.columns(['user_id', 'file_id']).doUpdateSet({ at: new Date() }))
    .execute()
}

function isKind(text: string): text is Kind {
  return KINDS.some(kind => kind === text)
}

async function mustBeFolder(db: Kysely<Tables>, id: string, team: string): Promise<void> {
  const folder = await db.selectFrom('file').select(['kind', 'workspace_id', 'trashed_at']).where('id', '=', id).executeTakeFirst()
  if (folder === undefined || !folders.has(folder.kind) || folder.workspace_id !== team || folder.trashed_at !== null)
    throw new Refusal('folder-invalid')
}

/** Is `id` the folder `folder` itself or somewhere in it? */
async function isWithin(db: Kysely<Tables>, id: string, folder: string): Promise<boolean> {
  const { rows } = await sql`with recursive above as (
      select id, parent_id from file where id = ${id} union select f.id, f.parent_id from file f join above on f.id = above.parent_id
    ) select 1 from above where id = ${folder}`.execute(db)
  return rows.length > 0
}

async function freeName(db: Kysely<Tables>, file: { team: string; parent: string | null; kind: Kind; name: string }): Promise<string> {
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
