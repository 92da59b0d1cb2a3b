// The table of results, as queries see it.
import type { ColumnType } from 'kysely'

export type ResultTables = {
  experiment_result: {
    id: string
    file_id: string
    user_id: string | null
    payer_id: string
    store_payer_id: string
    key: string
    name: string
    type: string
    runs: number
    failed: number
    ended: string
    started_at: ColumnType<Date, Date | string, Date | string>
    uploaded_at: ColumnType<Date, Date | undefined, Date>
    bytes: number
    data: Buffer
  }
}
