// A user's relation to a file or a workspace, read from the database, and the one question asked of it: `can` of
// model-schema/roles.ts. A thing one may not see does not exist; a thing one sees and may not touch says so.
import { can, explain, greatest, isAtLeast, least, restrictedRole, restrictions } from '../model-schema/roles.ts'
import type { Action, Actor, Explanation, Restriction, Role, SpaceType, Subject, Switches } from '../model-schema/roles.ts'
import { sql } from 'kysely'
import type { Db } from './db/database.ts'
import { Refusal } from './http.ts'
import { english } from '../model-schema/words.ts'

export type ActorOnFile = {
  readonly actor: Actor
  readonly subject: Subject
  /** The workspace, its type and its owner. */
  readonly team: string
  readonly space: SpaceType
  readonly ownerId: string
}

export type FileStanding = ActorOnFile & {
  readonly kind: string
  readonly parent: string | null
  readonly name: string
  /** The role before anything was taken from them. */
  readonly given: Role | null
}

type FileRole = Exclude<Role, 'owner'>

/** A user's standing towards a file; null when there is no such file. Without a user: a guest's, who has no role. */
export async function onFile(db: Db, userId: string | null, fileId: string): Promise<FileStanding | null> {
  const row = await db
    .selectFrom('file as f')
    .innerJoin('workspace as w', 'w.id', 'f.workspace_id')
    .leftJoin('workspace_member as m', join => join.onRef('m.workspace_id', '=', 'f.workspace_id').on('m.user_id', '=', userId))
    .select(['f.kind', 'f.name', 'f.parent_id', 'f.trashed_at', 'f.from_market', 'w.id as team', 'w.type', 'w.owner_id', 'w.switches'])
    .select('m.role as member')
    // What is granted on a folder is granted on everything in it.
    .select(
      sql<FileRole[] | null>`(with recursive above as (
          select f.id, f.parent_id union select p.id, p.parent_id from file p join above on p.id = above.parent_id
        ) select array_agg(distinct g.role) from above join collaborator g on g.file_id = above.id
          where g.user_id = ${userId} and g.revoked_at is null)`.as('granted'),
    )
    // So is what is taken away.
    .select(
      sql<Restriction[] | null>`(with recursive above as (
          select f.id, f.parent_id union select p.id, p.parent_id from file p join above on p.id = above.parent_id
        ) select array_agg(distinct t.rule) from above join file_restriction t on t.file_id = above.id where t.user_id = ${userId})`.as(
        'taken',
      ),
    )
    .where('f.id', '=', fileId)
    .executeTakeFirst()
  if (row === undefined) return null
  const given = (row.granted ?? []).reduce(greatest, row.member)
  const taken = isAtLeast(given, 'manager') ? undefined : restrictions.findLast(rule => row.taken?.includes(rule))
  return {
    actor: { role: restrictedRole(given, taken ?? null), external: row.member === null, restriction: taken ?? null },
    given,
    subject: {
      space: row.type,
      switches: row.switches,
      file: row.kind === 'block' || row.kind === 'library' ? row.kind : 'other',
      inTrash: row.trashed_at !== null,
      fromMarket: row.from_market,
    },
    team: row.team,
    space: row.type,
    ownerId: row.owner_id,
    kind: row.kind,
    parent: row.parent_id,
    name: row.name,
  }
}

/** A user's standing in a workspace; null when there is none with this id. */
export async function inWorkspace(db: Db, userId: string, workspaceId: string): Promise<ActorOnFile | null> {
  const row = await db
    .selectFrom('workspace as w')
    .leftJoin('workspace_member as m', join => join.onRef('m.workspace_id', '=', 'w.id').on('m.user_id', '=', userId))
    .select(['w.id', 'w.type', 'w.owner_id', 'w.switches', 'm.role'])
    .where('w.id', '=', workspaceId)
    .executeTakeFirst()
  if (row === undefined) return null
  return {
    actor: { role: row.role },
    subject: { space: row.type, switches: row.switches },
    team: row.id,
    space: row.type,
    ownerId: row.owner_id,
  }
}

/** Lets the action through, or refuses: `not-found` for what one may not see, `no-permission` with the reason otherwise. */
export function permit<S extends ActorOnFile>(standing: S | null, action: Action, more: Subject = {}): S {
  if (standing === null || !can(standing.actor, 'view', standing.subject)) throw new Refusal('not-found')
  const verdict = explain(standing.actor, action, { ...standing.subject, ...more })
  if (!verdict.allowed) throw new Refusal('no-permission', english(verdict.because))
  return standing
}

/** The switches of a workspace as they are set. */
export function isOpen(standing: ActorOnFile, name: keyof Switches): boolean {
  return standing.space === 'personal' || (standing.subject.switches?.[name] ?? true)
}

/** Every action with whether and why: the effective-permission view. */
export function explained({ actor, subject }: ActorOnFile): Partial<Record<Action, Explanation>> {
  const actions = Object.keys(least).filter((key): key is Action => Object.hasOwn(least, key))
  return Object.fromEntries(actions.map(action => [action, explain(actor, action, subject)]))
}
