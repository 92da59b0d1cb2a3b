// The tables as the server's queries see them. The truth is db/migrations.
import type { Restriction } from '../../model-schema/roles.ts'
import type { ColumnType, Generated } from 'kysely'
import type { Asset, Deed, CoinItem } from '../../model-schema/business/coins.ts'
import type { PlanLevel } from '../../model-schema/business/plans.ts'
import type { Origin } from '../../model-schema/proposals.ts'
import type { SpaceType, Switches } from '../../model-schema/roles.ts'
import type { SubscriptionChange, Interval } from '../../model-schema/business/subscription.ts'
import type { Words } from '../../model-schema/words.ts'
import type { Taken } from '../../model-schema/business/taken.ts'
import type { Anchor, ByCopilot } from '../protocol.ts'
import type { CopilotTables } from '../copilot/tables.ts'
import type { MarketTables } from '../market/tables.ts'
import type { ResultTables } from '../results/tables.ts'

/** JSON, written as text. */
type Json<T> = ColumnType<T, string | undefined, string>
type Stamp = ColumnType<Date, Date | string | undefined, Date | string>

/** Of folders that say themselves what is in theirs. */
type Others = CopilotTables & MarketTables & ResultTables

type OrderState = 'open' | 'paid' | 'declined' | 'refundDue' | 'refunded'

export type Tables = Others & {
  user: {
    id: Generated<string>
    name: string
    email: string
    emailVerified: boolean
    image: string | null
    locale: string | null
    inviteCode: string | null
    twoFactorEnabled: Generated<boolean>
    createdAt: Stamp
    updatedAt: Stamp
  }
  session: {
    id: Generated<string>
    token: string
    userId: string
    expiresAt: Date
    createdAt: Stamp
    updatedAt: Stamp
    ipAddress: string | null
    userAgent: string | null
  }
  account: { id: Generated<string>; userId: string; providerId: string; password: string | null }
  login_failure: { email: string; failures: number; last_at: Stamp; locked_until: Date | null }
  subscription: {
    user_id: string
    level: PlanLevel
    until: Date | null
    interval: Interval | null
    status: ColumnType<'active' | 'ending' | 'pastDue', 'active' | 'ending' | 'pastDue' | undefined, 'active' | 'ending' | 'pastDue'>
    period_from: Date | null
    period_until: Date | null
    price: number | null
    day: number | null
    next_level: PlanLevel | null
    next_interval: Interval | null
    customer: string | null
    look_at: Date | null
  }
  payment_order: {
    id: string
    user_id: string | null
    change: ColumnType<SubscriptionChange, string, never>
    basis: Date | null
    amount: number
    currency: Generated<string>
    provider: string
    reference: string | null
    state: ColumnType<OrderState, OrderState | undefined, OrderState>
    attempts: Generated<number>
    created_at: Generated<Date>
    settled_at: Date | null
  }
  payment_event: { id: string; at: Generated<Date> }
  invoice_counter: { year: number; serial: number }
  invoice: {
    year: number
    serial: number
    user_id: string | null
    order_id: string
    at: Date
    kind: 'subscribe' | 'upgrade' | 'renewal'
    level: PlanLevel
    interval: Interval
    period_from: Date
    period_until: Date
    amount: number
    currency: string
  }
  notification: { id: string; user_id: string; kind: string; data: Json<Record<string, string>>; at: Stamp; read_at: Date | null }
  audit: {
    id: Generated<number>
    at: Stamp
    user_id: string | null
    action: string
    workspace_id: string | null
    file_id: string | null
    address: Generated<string>
    detail: Json<Record<string, string>>
  }
  invitation_code: { code: string; uses_left: number; note: Generated<string>; created_at: Stamp; user_id: string | null }
  mail_outbox: { id: Generated<number>; recipient: string; subject: string; body: string; at: Stamp }
  workspace: {
    id: string
    type: SpaceType
    name: string
    owner_id: string
    created_at: Stamp
    icon: string | null
    profile: Generated<string>
    switches: Json<Partial<Switches>>
    join_code: string | null
  }
  workspace_member: { workspace_id: string; user_id: string; role: 'owner' | 'manager' | 'editor' | 'viewer'; joined_at: Stamp }
  join_request: {
    id: string
    workspace_id: string
    user_id: string
    at: Stamp
    answered_at: Date | null
    answered_by: string | null
    accepted: boolean | null
  }
  invitation: {
    id: string
    workspace_id: string | null
    file_id: string | null
    email: string
    role: 'manager' | 'editor' | 'commenter' | 'viewer'
    invited_by: string | null
    at: Stamp
    answered_at: Date | null
    accepted: boolean | null
    revoked_at: Date | null
  }
  file: {
    id: string
    workspace_id: string
    parent_id: string | null
    kind: string
    name: string
    remark: Generated<string>
    cover: string | null
    cover_drawn: Generated<boolean>
    creator_id: string | null
    created_at: Stamp
    updated_at: Stamp
    trashed_at: Date | null
    trashed_by: string | null
    from_market: Generated<boolean>
    content: Generated<string>
    taken: ColumnType<Taken | null, string | null | undefined, string | null>
  }
  tag: { id: string; set_id: string; name: string; color: Generated<string>; place: Generated<number> }
  file_tag: { file_id: string; set_id: string; tag_id: string }
  job: {
    id: string
    kind: string
    user_id: string
    payer_id: string
    file_id: string | null
    input: Json<unknown>
    state: ColumnType<
      'queued' | 'running' | 'done' | 'failed' | 'cancelled',
      'queued' | undefined,
      'queued' | 'running' | 'done' | 'failed' | 'cancelled'
    >
    progress: Generated<number>
    note: Generated<string>
    result: Json<unknown> | null
    error: string | null
    failure: Json<Words> | null
    attempts: Generated<number>
    created_at: Stamp
    started_at: Date | null
    ended_at: Date | null
    spent_ms: Generated<number>
  }
  job_part: { job_id: string; serial: number; data: Json<unknown> }
  job_state: { job_id: string; bytes: Buffer | Uint8Array }
  favourite: { user_id: string; file_id: string; at: Stamp }
  /** `many`: of a dashboard or chart, which may use several models; an experiment uses one. */
  file_use: { file_id: string; model_id: string; many: Generated<boolean> }
  image: { id: string; type: 'image/jpeg' | 'image/png'; bytes: Buffer | Uint8Array; at: Stamp }
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
    password_hash: string | null
    max_uses: number | null
    uses: Generated<number>
    may_copy: Generated<boolean>
  }
  share_use: { link_id: string; user_id: string; at: Stamp }
  embed: {
    id: string
    file_id: string
    created_by: string | null
    created_at: Stamp
    closed_at: Date | null
    origins: Generated<string[]>
    options: Json<Record<string, string>>
  }
  file_restriction: { file_id: string; user_id: string; rule: Restriction; set_by: string | null; at: Stamp }
  embed_model: { embed_id: string; model_id: string; chosen_by: string }
  doc: {
    id: string
    epoch: string
    schema: Generated<number>
    min_writer: Generated<number>
    snapshot: Buffer | Uint8Array | null
    snapshot_seq: Generated<number>
    orphans: ColumnType<Record<string, number>, string | undefined, string>
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
    remark: Generated<string>
    people: Generated<string[]>
    origin: ColumnType<Origin | null, string | null | undefined, string | null>
  }
  comment_thread: {
    id: string
    file_id: string
    anchor: ColumnType<Anchor, string, string>
    created_by: string | null
    created_at: Stamp
    resolved_at: Date | null
    resolved_by: string | null
  }
  comment: {
    id: string
    thread_id: string
    author: string | null
    body: string
    copilot: ColumnType<ByCopilot | null, string | null | undefined, never>
    at: Stamp
    edited_at: Date | null
  }
  ledger_transaction: {
    id: Generated<number>
    key: string
    deed: Deed
    about: Json<Record<string, string | number>>
    at: Generated<Date>
  }
  ledger_line: { transaction_id: number; holder: string; asset: Asset; amount: number }
  welcome: {
    mailbox: string
    user_id: string
    inviter_id: string | null
    coins: number | null
    points: number | null
    at: Generated<Date>
  }
  plan_enlargement: { user_id: string; item: CoinItem; count: number }
  workspace_lock: {
    workspace_id: string
    since: Generated<Date>
    quantity: string
    used: number
    allowed: number
    unlocked_until: Date | null
    unlocked_by: string | null
  }
  ledger_balance: { holder: string; asset: Asset; amount: number }
  rt_ticket: {
    hash: string
    doc_id: string
    user_id: string
    session_id: string
    name: string
    avatar: string | null
    share_id: string | null
    expires_at: Date
  }
}
