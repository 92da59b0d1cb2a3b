// Tables imported from files, stored on this device with an experiment as the original files.
import { Dexie, type Table as Store } from 'dexie'
import type { Format } from './formats.ts'

export type KeptTable = { user: string; docId: string; name: string; format: Format; bytes: Blob }

class TableDatabase extends Dexie {
  files!: Store<KeptTable, [string, string, string]>

  constructor() {
    super('holarchy-tables')
    this.version(1).stores({ files: '[user+docId+name], [user+docId]' })
  }
}

const database = new TableDatabase()

/** Bytes of a file that is read. */
export const largestFile = 512 * 2 ** 20

export const keptTables = (user: string, docId: string): Promise<KeptTable[]> => database.files.where({ user, docId }).sortBy('name')

export const keepTable = (table: KeptTable): Promise<unknown> => database.files.put(table)

export const forgetTable = ({ user, docId, name }: Omit<KeptTable, 'format' | 'bytes'>): Promise<void> =>
  database.files.delete([user, docId, name])

/** The format of a file by its name; null if it is not supported. */
export const formatOf = (name: string): Format | null =>
  /\.(csv|tsv|txt)$/i.test(name) ? 'csv' : /\.(parquet|pq)$/i.test(name) ? 'parquet' : null
