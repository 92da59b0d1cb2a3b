// The tables of the store as queries see them.
import type { ColumnType, Generated } from 'kysely'
import type { AppKind, AppState } from '../../model-schema/business/market.ts'

type Json<T> = ColumnType<T, string, string>
type Stamp = ColumnType<Date, Date | undefined, Date>

/** Which scenarios of the published models are in it (null: all), and whether copies may be taken. */
export type Pages = { scenarios: string[] | null; copies: boolean }
/** What the author promises; the price is always 0 for now. `referral`: percentages for referrers. */
export type Incentive = { price: number; referral: number }
/** The run that is recorded with a version. `hash` is of the world at its end; null until it has been run. */
export type RecordedRun = { file: string; scenario: string | null; seed: number; ticks: number; hash: string | null }
export type Proof = 'none' | 'waiting' | 'verified' | 'different' | 'failed'

export type MarketTables = {
  market_app: {
    id: string
    kind: AppKind
    source_id: string | null
    workspace_id: string | null
    author: string | null
    state: ColumnType<AppState, AppState | undefined, AppState>
    current: number | null
    created_at: Stamp
    hidden_at: Date | null
    hidden_because: Generated<string>
    views: Generated<number>
    likes: Generated<number>
    favourites: Generated<number>
    downloads: Generated<number>
    comments: Generated<number>
    rank: Generated<number>
    cleared: Generated<string[]>
  }
  market_version: {
    app_id: string
    number: number
    name: string
    summary: string
    description: string
    notes: string
    cover: string | null
    tags: string[]
    topic: string
    licence: string
    pages: Json<Pages>
    incentive: Json<Incentive>
    run: ColumnType<RecordedRun | null, string | null, string | null>
    created_at: Stamp
    published_at: Date | null
    proof: Generated<Proof>
    proof_job: string | null
    proof_at: Date | null
    like_app: string | null
    like_share: number | null
    words: string | null
    endings: string | null
  }
  market_file: {
    app_id: string
    number: number
    id: string
    parent_id: string | null
    kind: string
    name: string
    model_id: string | null
    blob: Buffer | Uint8Array | null
    hash: string | null
    place: number
    traits: number[] | null
  }
  market_trait: { trait: number; app_id: string; file_id: string }
  market_like: { app_id: string; user_id: string; at: Stamp }
  market_favourite: { app_id: string; user_id: string; at: Stamp }
  market_view: { app_id: string; visitor: string; day: ColumnType<Date, string, string> }
  market_download: { app_id: string; user_id: string; at: Stamp }
  market_copy: { file_id: string; app_id: string; number: number; at: Stamp }
  market_follow: { follower: string; author: string; at: Stamp }
  market_author: { user_id: string; bio: string }
  forum_thread: {
    id: string
    section: string
    title: string
    author: string | null
    at: Stamp
    last_at: Stamp
    comments: Generated<number>
    hidden_at: Date | null
    hidden_because: Generated<string>
  }
  market_comment: {
    id: string
    app_id: string | null
    thread_id: string | null
    reply_to: string | null
    author: string | null
    body: string
    at: Stamp
    edited_at: Date | null
    deleted_at: Date | null
    hidden_at: Date | null
    hidden_because: Generated<string>
  }
  market_case: {
    id: string
    sort: 'report' | 'appeal'
    about: 'app' | 'comment' | 'thread' | 'draft'
    target: string
    by_user: string | null
    reason: string
    words: string
    at: Stamp
    decided_at: Date | null
    decided_by: string | null
    outcome: 'hidden' | 'shown' | null
  }
}
