// The tables of the copilot as queries see them.
import type { ColumnType, Generated } from 'kysely'
import type { Words } from '../../model-schema/words.ts'
import type { Scope } from './tokens.ts'
import type { ToolWay, Wire } from './wires.ts'
import { z } from 'zod'

export type CopilotTables = {
  copilot_provider: {
    id: string
    user_id: string | null
    workspace_id: string | null
    label: string
    wire: Wire
    url: string
    model: string
    sealed: Buffer
    last4: string
    day_tokens: string | number | null
    tools: Generated<ToolWay>
    /** Millionths of a US dollar, as all money of the copilot; prices are for a million tokens. */
    price_in: string | number | null
    price_out: string | number | null
    month_cost: string | number | null
    created_at: Generated<Date>
  }
  token: {
    id: string
    user_id: string
    hash: Buffer
    label: string
    scope: Scope
    workspaces: string[]
    files: string[]
    created_at: Generated<Date>
    expires_at: Date
    used_at: Date | null
  }
  copilot_use: {
    id: Generated<string>
    user_id: string
    provider: string
    turn: string
    at: Generated<Date>
    tokens_in: Generated<string | number>
    tokens_out: Generated<string | number>
    cost: Generated<string | number>
    /** Of an active call: what it may still use. */
    held_tokens: Generated<string | number>
    held_cost: Generated<string | number>
    payer_id: string | null
    owner: Generated<string>
  }
  copilot_talk: {
    id: string
    file_id: string
    user_id: string
    title: ColumnType<Words, string, string>
    turns: number
    kept_at: ColumnType<Date, Date | undefined, Date>
    /** `TalkBody` as JSON. */
    body: string
  }
  copilot_limit: { owner: string; user_id: string | null; workspace_id: string | null; month_cost: string | number }
}

/** The id of a row as requests name it. */
export const rowId = z.string().min(1).max(100)
