// Access to a file's document and its role: the greatest of what the workspace, a collaboration and a share link grant.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { can } from '../../model-schema/roles.ts'
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { isOpen, onFile } from '../permissions.ts'
import type { FileStanding } from '../permissions.ts'
import { isLocked } from '../plans/locks.ts'
import { isWithin } from './files.ts'
import { canWrite, maxRole } from '../protocol.ts'
import type { Role } from '../protocol.ts'

/** Prefix of the user id of a visitor who came by a link and is not signed in. */
export const GUEST = 'guest:'

export type Access = (fileId: string, userId: string, shareId: string | null) => Promise<Role | null>

/**
 * The role of a user (or guest) on a file, null for none. A file in the trash is read-only for those who may take it out, and gone
 * for everybody else. A link that allows editing does so only for those who are signed in.
 */
export function accessTo(db: Db): Access {
  return async (fileId, userId, shareId) => {
    const guest = userId.startsWith(GUEST)
    const standing = await onFile(db, guest ? null : userId, fileId)
    if (standing === null) return null
    const own = can(standing.actor, 'view', standing.subject) ? standing.actor.role : null
    if (standing.subject.inTrash) return own === null ? null : 'viewer'
    // A link gives nothing back that was taken from them.
    if (standing.actor.restriction != null) return own
    const role = maxRole(own, await linkRole(db, fileId, standing, shareId, guest))
    // Beyond its plan, a workspace can be read and commented on.
    return role !== null && canWrite(role) && (await isLocked(db, standing.team)) ? 'commenter' : role
  }
}

/** What a share link grants; null without one that is good for this file. */
async function linkRole(db: Db, fileId: string, standing: FileStanding, shareId: string | null, guest: boolean): Promise<Role | null> {
  if (shareId === null || !isOpen(standing, 'externalAccess')) return null
  const link = await liveLink(db, shareId)
  if (link === undefined || !(await isWithin(db, fileId, link.file_id))) return null
  return guest && canWrite(link.role) ? 'viewer' : link.role
}

/** For the relay: which of these files are a file, or in it when it is a folder. */
export function insideOf(db: Db): (folder: string, fileIds: readonly string[]) => Promise<string[]> {
  return async (folder, fileIds) => {
    const { rows } = await sql<{ id: string }>`with recursive above as (
        select id as start, id, parent_id from file where id = any(${fileIds})
        union select a.start, f.id, f.parent_id from file f join above a on f.id = a.parent_id
      ) select distinct start as id from above where id = ${folder}`.execute(db)
    return rows.map(row => row.id)
  }
}

/** For the relay: which of these files are in a workspace. */
export function inWorkspace(db: Db): (team: string, fileIds: readonly string[]) => Promise<string[]> {
  return async (team, fileIds) => {
    if (fileIds.length === 0) return []
    const files = await db.selectFrom('file').select('id').where('workspace_id', '=', team).where('id', 'in', fileIds).execute()
    return files.map(file => file.id)
  }
}

/** A share link that is neither revoked nor expired. */
export function liveLink(db: Db, linkId: string) {
  return db
    .selectFrom('share_link')
    .select(['id', 'file_id', 'role', 'password_hash', 'max_uses', 'uses', 'may_copy'])
    .where('id', '=', linkId)
    .where('revoked_at', 'is', null)
    .where(where => where.or([where('expires_at', 'is', null), where('expires_at', '>', new Date())]))
    .executeTakeFirst()
}

/** When a share link ends by itself; null when it does not. */
export async function endOfLink(db: Db, linkId: string): Promise<Date | null> {
  const link = await db.selectFrom('share_link').select('expires_at').where('id', '=', linkId).executeTakeFirst()
  return link?.expires_at ?? null
}

export const LINK_ID_LENGTH = 12
const PASS_MS = 12 * 3_600_000

/** The code in a share link: its id, signed, so that the table of links opens nothing. */
export function shareCode(secret: string, linkId: string): string {
  return linkId + signature(secret, `share:${linkId}`)
}

/** The link's id, when the code is genuine. */
export function readShareCode(secret: string, code: string): string | null {
  const id = code.slice(0, LINK_ID_LENGTH)
  return fits(code.slice(LINK_ID_LENGTH), signature(secret, `share:${id}`)) ? id : null
}

/** The pass for a guarded link (password, number of uses) once opened, valid in place of its code for twelve hours. */
export function sharePass(secret: string, linkId: string, passwordHash: string | null, now = Date.now()): string {
  const until = Math.ceil((now + PASS_MS) / 1000).toString(36)
  return `${linkId}${until}~${signature(secret, `pass:${linkId}:${until}:${passwordHash ?? ''}`)}`
}

/** The link that a code or a pass opens now; a guarded link takes a pass. Null when neither is good. */
export async function shareBehind(db: Db, secret: string, code: string, now = Date.now()): Promise<string | null> {
  const linkId = code.slice(0, LINK_ID_LENGTH)
  const [until, signed] = code.slice(LINK_ID_LENGTH).split('~')
  if (signed === undefined && readShareCode(secret, code) === null) return null
  const link = await liveLink(db, linkId)
  if (link === undefined) return null
  if (signed === undefined) return link.password_hash === null && link.max_uses === null ? linkId : null
  const genuine = fits(signed, signature(secret, `pass:${linkId}:${until}:${link.password_hash ?? ''}`))
  return genuine && Number.parseInt(until ?? '', 36) * 1000 > now ? linkId : null
}

/** A signature of ours under a text, 20 characters, URL-safe. */
export function signature(secret: string, text: string): string {
  return createHmac('sha256', secret).update(text).digest('base64url').slice(0, 20)
}

export function fits(given: string, right: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(right)]
  return a.length === b.length && timingSafeEqual(a, b)
}
