// What a user sees of the catalogue: folders, trash, recents, what is shared with them, favourites, and search over all of it.
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { payerOf } from '../../model-schema/business/plans.ts'
import type { Plan } from '../../model-schema/business/plans.ts'
import { beyond } from '../../model-schema/business/taken.ts'
import type { Db } from '../db/database.ts'
import { Refusal } from '../http.ts'
import type { Quota } from '../plans/quota.ts'
import type { Role } from '../protocol.ts'
import { unreachable } from '../../model-schema/unreachable.ts'

type FileTag = { id: string; set: string; name: string; color: string }

export type FileInfo = {
  id: string
  team: string
  parent: string | null
  kind: string
  name: string
  remark: string
  /** Image id; changes with the image. */
  cover: string | null
  role: Role
  /** This person's permission was restricted to viewing here: no copies. */
  onlyView: boolean
  tags: FileTag[]
  favourite: boolean
  /** Its workspace is beyond this of its plan, so that documents in it are read-only; null within it, or while it is unlocked. */
  overLimit: { quantity: string; used: number; allowed: number } | null
  /**
   * It holds more than the plan allows that is in force for what this person does in it (its owner's when `isOwners`), as far as it was counted;
   * null within it.
   */
  beyondPlan: { quantity: string; used: number; allowed: number; isOwners: boolean } | null
  /** The model an experiment is linked to. */
  model: string | null
  creator: { id: string; name: string; avatar: string | null } | null
  owner: { id: string; name: string; avatar: string | null }
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
  | { of: 'favourites' }
  /** In names, remarks, tags and the texts of elements. */
  | { of: 'search'; q: string; team?: string }
  | { of: 'one'; id: string }

export const SORTS = ['name', 'kind', 'created', 'updated', 'opened'] as const
type Order = {
  sort?: (typeof SORTS)[number] | undefined
  descending?: boolean | undefined
  kind?: string | undefined
  tag?: string | undefined
  limit?: number
  offset?: number
}

export const MAX_LISTED = 20_000

/** The plans of several people. */
type PlansOf = (userIds: readonly string[]) => Promise<ReadonlyMap<string, Plan>>

/** Files a user can see, by default newest first (recents: last opened first; trash: last trashed first). Without plans none is beyond one. */
export async function listFiles(
  db: Db,
  userId: string,
  listing: Listing,
  order: Order = {},
  plansOf: PlansOf | null = null,
): Promise<FileInfo[]> {
  let files = narrowed(visibleFiles(db, userId), userId, listing)
  if (order.kind !== undefined) files = files.where('f.kind', '=', order.kind)
  if (order.tag !== undefined)
    files = files.where(sql<boolean>`exists (select 1 from file_tag where file_id = f.id and tag_id = ${order.tag})`)
  const by = order.sort ?? (listing.of === 'recent' ? 'opened' : listing.of === 'trash' ? 'trashed' : 'updated')
  const descending = order.descending ?? (by !== 'name' && by !== 'kind')
  const most = listing.of === 'recent' ? 100 : MAX_LISTED
  const rows = await files
    .orderBy(columns[by], order => (descending ? order.desc() : order.asc()).nullsLast())
    // A total order, so that pages neither repeat nor miss.
    .orderBy('f.id')
    .limit(Math.min(order.limit ?? most, most))
    .offset(order.offset ?? 0)
    .execute()
  const excess = await excessOf(rows, userId, plansOf)
  return rows.map(row => infoOf(row, excess(row)))
}

/** One file as a user sees it. Throws `not-found`. */
export async function fileFor({ db, quota }: { db: Db; quota: Quota }, userId: string, id: string): Promise<FileInfo> {
  const [file] = await listFiles(db, userId, { of: 'one', id }, {}, quota.plansOf)
  if (file === undefined) throw new Refusal('not-found')
  return file
}

/** Common tables: the greatest role granted on each file (`grants`), and the strictest restriction (`taken_away`), folders included. */
function withAccess(db: Db, userId: string) {
  return (
    db
      // What is granted on a folder is granted on everything in it: the greatest role is the least place in the list.
      .withRecursive('granted(id, place)', eb =>
        eb
          .selectFrom('collaborator as c')
          .select(['c.file_id as id', sql<number>`array_position(${ROLE_ORDER}, c.role)`.as('place')])
          .where('c.user_id', '=', userId)
          .where('c.revoked_at', 'is', null)
          .union(eb.selectFrom('file as inside').innerJoin('granted as a', 'a.id', 'inside.parent_id').select(['inside.id', 'a.place'])),
      )
      // So is what was taken from them: the greatest rank is the strictest.
      .withRecursive('withheld(id, rank)', eb =>
        eb
          .selectFrom('file_restriction as t')
          .select(['t.file_id as id', sql<number>`array_position(${RESTRICTION_ORDER}, t.rule)`.as('rank')])
          .where('t.user_id', '=', userId)
          .union(eb.selectFrom('file as under').innerJoin('withheld as a', 'a.id', 'under.parent_id').select(['under.id', 'a.rank'])),
      )
      .with('taken_away', eb =>
        eb
          .selectFrom('withheld')
          .select(['id', sql<number>`max(rank)`.as('rank')])
          .groupBy('id'),
      )
      .with('grants', eb =>
        eb
          .selectFrom('granted')
          .select(['id', sql<number>`min(place)`.as('place')])
          .groupBy('id'),
      )
  )
}

/** All files that a user may see, with their list entries. */
function visibleFiles(db: Db, userId: string) {
  return (
    withAccess(db, userId)
      .selectFrom('file as f')
      .innerJoin('workspace as w', 'w.id', 'f.workspace_id')
      .innerJoin('user as o', 'o.id', 'w.owner_id')
      .leftJoin('user as c', 'c.id', 'f.creator_id')
      .leftJoin('doc as d', 'd.id', 'f.id')
      .leftJoin('workspace_member as m', join => join.onRef('m.workspace_id', '=', 'f.workspace_id').on('m.user_id', '=', userId))
      .leftJoin('grants as g', 'g.id', 'f.id')
      .leftJoin('taken_away as t', 't.id', 'f.id')
      .leftJoin('file_opened as r', join => join.onRef('r.file_id', '=', 'f.id').on('r.user_id', '=', userId))
      .leftJoin('favourite as s', join => join.onRef('s.file_id', '=', 'f.id').on('s.user_id', '=', userId))
      .leftJoin('workspace_lock as over', join =>
        join
          .onRef('over.workspace_id', '=', 'f.workspace_id')
          .on(where => where.or([where('over.unlocked_until', 'is', null), where('over.unlocked_until', '<=', new Date())])),
      )
      .leftJoin('file_use as l', join => join.onRef('l.file_id', '=', 'f.id').on('l.many', '=', false))
      .select(['f.id', 'f.workspace_id', 'f.parent_id', 'f.kind', 'f.name', 'f.remark', 'f.cover', 'f.created_at', 'f.trashed_at'])
      .select(['f.taken', 'w.type as space'])
      .select(['f.creator_id', 'c.name as creator_name', 'c.image as creator_avatar', 'r.at as opened_at'])
      .select(['o.id as owner_id', 'o.name as owner_name', 'o.image as owner_avatar'])
      .select(['s.at as favourite_at', 'l.model_id'])
      .select(['over.quantity as over_quantity', 'over.used as over_used', 'over.allowed as over_allowed'])
      .select(sql<Date>`greatest(f.updated_at, d.updated_at)`.as('updated_at'))
      .select(
        sql<
          FileTag[] | null
        >`(select json_agg(json_build_object('id', t.id, 'set', t.set_id, 'name', t.name, 'color', t.color) order by t.name)
          from file_tag ft join tag t on t.id = ft.tag_id where ft.file_id = f.id)`.as('tags'),
      )
      // Roles sort by their place in the list: the least number is the greatest role.
      .select('t.rank as restricted')
      .select(
        sql<Role>`case case when t.rank is not null and ${PLACE} > ${MANAGER} then 5 else ${PLACE} end
        when 1 then 'owner' when 2 then 'manager' when 3 then 'editor' when 4 then 'commenter' else 'viewer' end`.as('role'),
      )
      // The same as `view` of model-schema/roles.ts: outsiders while the space is open, and the trash for those who may restore.
      .where(
        sql<boolean>`(m.role is not null or (g.place is not null and f.trashed_at is null
          and (w.type = 'personal' or coalesce((w.switches ->> 'externalAccess')::boolean, true))))`,
      )
      .where(
        sql<boolean>`(f.trashed_at is null or ${PLACE} <= case when t.rank is null then array_position(${ROLE_ORDER}, 'editor') else ${MANAGER} end)`,
      )
      .where(sql<boolean>`(t.rank is null or t.rank = 1 or ${PLACE} <= ${MANAGER})`)
  )
}

type FileQuery = ReturnType<typeof visibleFiles>
type FileRow = Awaited<ReturnType<FileQuery['execute']>>[number]

/** The files of a listing. */
function narrowed(files: FileQuery, userId: string, listing: Listing): FileQuery {
  const kept = files.where('f.trashed_at', 'is', null)
  switch (listing.of) {
    case 'all':
      return files
    case 'folder':
      return kept.where('f.workspace_id', '=', listing.team).where('f.parent_id', listing.parent === null ? 'is' : '=', listing.parent)
    case 'trash':
      return inTeam(files.where('f.trashed_at', 'is not', null).where('m.role', 'is not', null), listing.team)
    case 'recent':
      return kept.where('r.at', 'is not', null)
    case 'shared':
      // The contents of a shared folder are found there.
      return kept
        .where(
          sql<boolean>`exists (select 1 from collaborator own where own.file_id = f.id and own.user_id = ${userId} and own.revoked_at is null)`,
        )
        .where('m.role', 'is', null)
    case 'favourites':
      return kept.where('s.at', 'is not', null)
    case 'search':
      return inTeam(
        wordsOf(listing.q).reduce((found, word) => found.where(contains(word)), kept),
        listing.team,
      )
    case 'one':
      return files.where('f.id', '=', listing.id)
    default:
      return unreachable(listing)
  }
}

const inTeam = (files: FileQuery, team: string | undefined): FileQuery =>
  team === undefined ? files : files.where('f.workspace_id', '=', team)

const wordsOf = (text: string): string[] => text.split(/\s+/).filter(part => part !== '')

/** How far each of these files is beyond the plan in force for what this user does in it. */
async function excessOf(
  rows: readonly FileRow[],
  userId: string,
  plansOf: PlansOf | null,
): Promise<(row: FileRow) => FileInfo['beyondPlan']> {
  const payer = ({ space, owner_id }: FileRow): string => (payerOf(space, 'components') === 'owner' ? owner_id : userId)
  const payers = new Set(rows.filter(row => row.taken !== null).map(payer))
  const plans = plansOf === null || payers.size === 0 ? null : await plansOf([...payers])
  return row => {
    const plan = plans?.get(payer(row))
    const over = row.taken === null || plan === undefined ? null : beyond(row.taken, plan)
    return row.taken === null || over === null ? null : { ...over, used: row.taken[over.quantity], isOwners: payer(row) !== userId }
  }
}

function infoOf(row: FileRow, beyondPlan: FileInfo['beyondPlan']): FileInfo {
  return {
    id: row.id,
    team: row.workspace_id,
    parent: row.parent_id,
    kind: row.kind,
    name: row.name,
    remark: row.remark,
    cover: row.cover,
    role: row.role,
    onlyView: row.restricted !== null && row.role === 'viewer',
    tags: row.tags ?? [],
    favourite: row.favourite_at !== null,
    overLimit:
      row.over_quantity === null ? null : { quantity: row.over_quantity, used: row.over_used ?? 0, allowed: row.over_allowed ?? 0 },
    beyondPlan,
    model: row.model_id,
    creator: row.creator_id === null ? null : { id: row.creator_id, name: row.creator_name ?? '', avatar: row.creator_avatar },
    owner: { id: row.owner_id, name: row.owner_name, avatar: row.owner_avatar },
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    openedAt: row.opened_at?.toISOString() ?? null,
    trashedAt: row.trashed_at?.toISOString() ?? null,
  }
}

const ROLE_ORDER = sql`array['owner', 'manager', 'editor', 'commenter', 'viewer']`
const PLACE = sql<number>`least(array_position(${ROLE_ORDER}, m.role), g.place)`
const MANAGER = sql<number>`array_position(${ROLE_ORDER}, 'manager')`
const RESTRICTION_ORDER = sql`array['only-view', 'cannot-view', 'cannot-view-or-remove']`

const columns: Record<(typeof SORTS)[number] | 'trashed', RawBuilder<unknown>> = {
  name: sql`lower(f.name)`,
  kind: sql`f.kind`,
  created: sql`f.created_at`,
  updated: sql`greatest(f.updated_at, d.updated_at)`,
  opened: sql`r.at`,
  trashed: sql`f.trashed_at`,
}

function contains(word: string): RawBuilder<boolean> {
  const pattern = `%${word.replaceAll(/[\\%_]/g, '\\$&')}%`
  return sql<boolean>`(f.name ilike ${pattern} or f.remark ilike ${pattern} or f.content like ${pattern.toLowerCase()}
    or exists (select 1 from file_tag ft join tag t on t.id = ft.tag_id where ft.file_id = f.id and t.name ilike ${pattern}))`
}
