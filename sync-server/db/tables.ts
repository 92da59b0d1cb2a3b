// The tables as the server's queries see them. The truth is db/migrations.
import type { ColumnType, Generated } from 'kysely'

type Stamp = ColumnType<Date, Date | string | undefined, Date | string>

export type Tables = {
  user: {
    id: Generated<string>
    name: string
    email: string
    emailVerified: boolean
    image: string | null
    locale: string | null
    inviteCode: string | null
    createdAt: Stamp
    updatedAt: Stamp
  }
  session: { id: Generated<string>; token: string; userId: string; expiresAt: Date }
  invitation_code: { code: string; uses_left: number; note: Generated<string>; created_at: Stamp }
  mail_outbox: { id: Generated<number>; recipient: string; subject: string; body: string; at: Stamp }
  workspace: { id: string; type: 'personal' | 'team' | 'organization'; name: string; owner_id: string; created_at: Stamp }
  workspace_member: { workspace_id: string; user_id: string; role: 'owner' | 'manager' | 'editor' | 'viewer'; joined_at: Stamp }
  file: {
    id: string
    workspace_id: string
    parent_id: string | null
    kind: string
    name: string
    remark: Generated<string>
    cover: string | null
    creator_id: string | null
    created_at: Stamp
    updated_at: Stamp
    trashed_at: Date | null
  }
  file_opened: { user_id: string; file_id: string; at: Stamp }
  collaborator: {
    file_id: string
    user_id: string
    role: 'manager' | 'editor' | 'commenter' | 'viewer'
    invited_by: string | null
    at: Stamp
    revoked_at: Date | null
  }
  share_link: {
    id: string
    file_id: string
    role: 'editor' | 'commenter' | 'viewer'
    created_by: string | null
    created_at: Stamp
    expires_at: Date | null
    revoked_at: Date | null
  }
  doc: {
    id: string
    epoch: string
    schema: Generated<number>
    min_writer: Generated<number>
    snapshot: Buffer | Uint8Array | null
    last_seq: Generated<number>
    updated_at: Stamp
  }
  doc_update: { seq: Generated<number>; doc_id: string; u: Buffer | Uint8Array; user_id: string; session_id: string; at: Stamp }
  doc_client: { doc_id: string; client_id: number; user_id: string }
  doc_version: {
    id: string
    doc_id: string
    epoch: string
    seq: number
    name: string | null
    kind: 'auto' | 'named' | 'before-restore'
    blob: Buffer | Uint8Array
    author: string | null
    at: Stamp
  }
  rt_ticket: {
    hash: string
    doc_id: string
    user_id: string
    session_id: string
    name: string
    share_id: string | null
    expires_at: Date
  }
}
