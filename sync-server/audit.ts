// The audit log: actor, action, target, time and address. Written along with the action; never changed.
import type { Context } from 'hono'
import type { Db } from './db/database.ts'
import { addressOf } from './http.ts'
import type { SignedIn } from './http.ts'

type Deed = {
  userId: string | null
  action: string
  workspaceId?: string
  fileId?: string
  address?: string
  detail?: Record<string, string>
}

/** Notes a deed. */
export async function note(db: Db, deed: Deed): Promise<void> {
  await db
    .insertInto('audit')
    .values({
      user_id: deed.userId,
      action: deed.action,
      workspace_id: deed.workspaceId ?? null,
      file_id: deed.fileId ?? null,
      address: deed.address ?? '',
      detail: JSON.stringify(deed.detail ?? {}),
    })
    .execute()
}

type RequestLog = (c: Context<SignedIn>, action: string, about?: Pick<Deed, 'workspaceId' | 'fileId' | 'detail'>) => Promise<void>

/** Notes what the person behind a request did, with the address that the request came from. */
export function requestLog({ db, trustProxy }: { db: Db; trustProxy: boolean }): RequestLog {
  return (c, action, about = {}) => note(db, { ...about, userId: c.get('actor').userId, action, address: addressOf(c, trustProxy) })
}

type AccountLog = (c: Context, userId: string, action: string) => Promise<void>

/** Notes what happened to an account, whether or not the request is signed in to it. */
export function accountLog({ db, trustProxy }: { db: Db; trustProxy: boolean }): AccountLog {
  return (c, userId, action) => note(db, { userId, action, address: addressOf(c, trustProxy) })
}

type AuditLine = {
  id: number
  at: string
  user: { id: string; name: string; avatar: string | null } | null
  action: string
  fileId: string | null
  address: string
  detail: Record<string, string>
}

const PAGE = 100

/** Lines about a workspace, or of one user's own doing, newest first; `before` is the id of the last line seen. */
export async function auditLines(db: Db, of: { workspaceId: string } | { userId: string }, before?: number): Promise<AuditLine[]> {
  let lines = db
    .selectFrom('audit as a')
    .leftJoin('user as u', join => join.on(on => on(on.ref('a.user_id'), '=', on.cast<string>('u.id', 'text'))))
    .select(['a.id', 'a.at', 'a.user_id', 'a.action', 'a.file_id', 'a.address', 'a.detail', 'u.name', 'u.image'])
    .orderBy('a.id', 'desc')
    .limit(PAGE)
  lines = 'workspaceId' in of ? lines.where('a.workspace_id', '=', of.workspaceId) : lines.where('a.user_id', '=', of.userId)
  if (before !== undefined) lines = lines.where('a.id', '<', before)
  return (await lines.execute()).map(row => ({
    id: row.id,
    at: row.at.toISOString(),
    user: row.user_id === null ? null : { id: row.user_id, name: row.name ?? '', avatar: row.image },
    action: row.action,
    fileId: row.file_id,
    // A workspace's managers learn what was done, not from where.
    address: 'userId' in of ? row.address : '',
    detail: row.detail,
  }))
}
