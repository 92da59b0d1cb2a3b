// Where new and copied files go: the workspace they are to be in, the room in its plan, and who may take a copy there.
import type { Db } from '../db/database.ts'
import type { Actor } from '../http.ts'
import type { Parts } from '../parts.ts'
import { inWorkspace, permit } from '../permissions.ts'
import type { FileStanding, ActorOnFile } from '../permissions.ts'
import { ensurePersonalWorkspace } from '../workspaces/workspaces.ts'
import { liveLink, shareBehind } from './access.ts'
import { isWithin } from './files.ts'

/** The workspace files are to go to, if the actor may create there; their personal one unless named. */
export async function homeFor(db: Db, actor: Actor, wanted: string | undefined): Promise<ActorOnFile> {
  const home = wanted ?? (await ensurePersonalWorkspace(db, actor.userId, actor.name))
  return permit(await inWorkspace(db, actor.userId, home), 'createFile')
}

/** Puts a file into a workspace where there is room for it in the plan. Folders and projects take none. */
export function addWithinPlan(
  { db, quota }: Pick<Parts, 'db' | 'quota'>,
  actor: Actor,
  home: ActorOnFile,
  kind: string,
  add: (tx: Db) => Promise<unknown>,
): Promise<unknown> {
  if (kind === 'folder' || kind === 'project') return add(db)
  return quota.take(kind === 'block' ? 'blocks' : 'files', actor.userId, home, add)
}

/** Refuses unless the actor may take a copy of this file to that workspace, by a link that they opened or by their own role. */
export async function permitCopy(
  { db, secret }: Pick<Parts, 'db' | 'secret'>,
  standing: FileStanding | null,
  fileId: string,
  home: ActorOnFile,
  share: string | undefined,
): Promise<FileStanding> {
  const linkId = share === undefined ? null : await shareBehind(db, secret, share)
  const link = linkId === null ? undefined : await liveLink(db, linkId)
  // By a link that lets copy one is an outsider of its role, as far as the space lets things out. A link lifts no restriction.
  if (standing !== null && standing.actor.restriction == null && link?.may_copy === true && (await isWithin(db, fileId, link.file_id)))
    return permit({ ...standing, actor: { role: link.role, external: true } }, 'copyOut')
  return permit(standing, standing?.team === home.team ? 'copy' : home.space === 'personal' ? 'copyToPersonal' : 'copyOut')
}
