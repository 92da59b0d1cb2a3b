// The messages between a page and the worker that holds its tables.
import type { Format } from './formats.ts'
import type { Table, TableFault } from './table.ts'
import type { ViewRequest } from './view.ts'

export type Cell = string | number | null

export type FieldInfo = { name: string; isText: boolean }

export type TableShape = { rows: number; fields: FieldInfo[] }

export type Ask =
  | { do: 'put'; name: string; table: Table }
  | { do: 'read'; name: string; bytes: ArrayBuffer; format: Format }
  | { do: 'drop'; name: string }
  /** What the view looks like from now on. */
  | { do: 'wish'; wish: ViewRequest }
  | { do: 'page'; from: number; to: number }
  | { do: 'write'; format: Format }

export type Answers = {
  put: TableShape
  read: TableShape
  drop: null
  /** The fields chosen, and all that could be. */
  wish: TableShape & { all: FieldInfo[] }
  page: Cell[][]
  write: Blob
}

export type ToTables = { id: number; ask: Ask }
export type FromTables =
  | { id: number; ok: true; answer: Answers[Ask['do']] }
  | { id: number; ok: false; fault: TableFault | 'broken'; about: string }
