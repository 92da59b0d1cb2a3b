// Who may do what with a file: the greatest of what the workspace, a collaboration and a share link grant.
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Db } from '../db/database.ts'
import { canWrite, maxRole } from '../protocol.ts'
import type { Role } from '../protocol.ts'

/** Prefix of the user id of somebody who came by a link and is not signed in. */
export const GUEST = 'guest:'

export type Access = (fileId: string, userId: string, shareId: string | null) => Promise<Role | null>

/**
 * The role of a user (or guest) on a file, null for none. A file in the trash is read-only for those who may delete it, and gone
 * for everybody else. A link that allows editing does so only for those who are signed in.
 */
export function accessTo(db: Db): Access {
  return async (fileId, userId, shareId) => {
    const guest = userId.startsWith(GUEST)
    const file = await db.selectFrom('file').select(['workspace_id', 'trashed_at']).where('id', '=', fileId).executeTakeFirst()
    if (file === undefined) return null
    let role: Role | null = null
    if (!guest) {
      const member = await db
        .selectFrom('workspace_member')
        .select('role')
        .where('workspace_id', '=', file.workspace_id)
        .where('user_id', '=', userId)
        .executeTakeFirst()
      const collaborator = await db
        .selectFrom('collaborator')
        .select('role')
        .where('file_id', '=', fileId)
        .where('user_id', '=', userId)
        .where('revoked_at', 'is', null)
        .executeTakeFirst()
      role = maxRole(member?.role ?? null, collaborator?.role ?? null)
    }
    if (shareId !== null) {
      const link = await liveLink(db, shareId)
      if (link?.file_id === fileId) role = maxRole(role, guest && canWrite(link.role) ? 'viewer' : link.role)
    }
    if (file.trashed_at === null || role === null) return role
    return role === 'owner' || role === 'manager' ? 'viewer' : null
  }
}

/** A share link that is neither revoked nor expired. */
export function liveLink(db: Db, linkId: string) {
  return db
    .selectFrom('share_link')
    .select(['id', 'file_id', 'role'])
    .where('id', '=', linkId)
    .where('revoked_at', 'is', null)
    .where(where => where.or([where('expires_at', 'is', null), where('expires_at', '>', new Date())]))
    .executeTakeFirst()
}

const ID_LENGTH = 12

/** The code in a share link: its id, signed, so that the table of links opens nothing. */
export function shareCode(secret: string, linkId: string): string {
  return linkId + signature(secret, linkId)
}

/** The link's id, when the code is genuine. */
export function readShareCode(secret: string, code: string): string | null {
  const id = code.slice(0, ID_LENGTH)
  const signed = Buffer.from(code.slice(ID_LENGTH))
  const right = Buffer.from(signature(secret, id))
  return signed.length === right.length && timingSafeEqual(signed, right) ? id : null
}

function signature(secret: string, id: string): string {
  return createHmac('sha256', secret).update(`share:${id}`).digest('base64url').slice(0, 20)
}
