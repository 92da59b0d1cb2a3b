// The database of this device: which documents are here, what is not on the server yet, the cached catalogue, the outbox.
// Everything is keyed by user, so two accounts on one browser never see each other's rows. Document contents have a
// database each (session/disk.ts).
import { Dexie } from 'dexie'
import type { Table } from 'dexie'
import type { ErrorCode, Role } from '../../sync-server/protocol.ts'
import type { Preview } from './preview.ts'

/** The user of the workspace that lives on this device alone. */
export const DEVICE_USER = 'device'

/** A document whose content is (or was) on this device. */
export type DocRow = { user: string; id: string; epoch: string; role: Role; openedAt: number }

/**
 * Somebody's edits that the server has not confirmed. One row a tab, so that no tab clears what another still has; `at` grows
 * with each edit after a confirmation.
 */
export type DirtyRow = { user: string; id: string; tab: string; at: number }

/** A file as the lists show it: cached from the server, or made here. Times are ISO 8601. */
export type FileRow = {
  user: string
  id: string
  name: string
  kind: string
  team: string
  role: Role
  owner: { id: string; name: string }
  createdAt: string
  updatedAt: string
  /** When it went to the trash. */
  trashedAt: string | null
  /** When this person last opened it, on this device. */
  openedAt: string | null
  /** Its picture, when it was open on this device. */
  preview?: Preview | null
}

/** A change to the catalogue made here, waiting to be told to the server, in order. */
export type OutboxRow = {
  seq?: number
  user: string
  file: string
  change: FileChange
  at: number
  /** Why the server refused it for good; shown beside the file until dismissed. */
  refused?: ErrorCode
}

export type FileChange =
  /** `team` is absent for one's own workspace. */
  | { do: 'create'; name: string; epoch: string; team?: string }
  | { do: 'rename'; name: string }
  | { do: 'trash' }
  | { do: 'restore' }
  | { do: 'delete' }

export type SettingRow = { key: string; value: string | number | boolean }

export class Device extends Dexie {
  declare docs: Table<DocRow, [string, string]>
  declare dirty: Table<DirtyRow, [string, string, string]>
  declare files: Table<FileRow, [string, string]>
  declare outbox: Table<OutboxRow, number>
  declare settings: Table<SettingRow, string>

  constructor(name = 'holarchy') {
    super(name)
    this.version(1).stores({
      docs: '[user+id], user',
      dirty: '[user+id+tab], [user+id], user',
      files: '[user+id], user',
      outbox: '++seq, user, [user+file]',
      settings: 'key',
    })
  }
}

/** This browser's database. */
export const device = new Device()

/** The name of the database with one document's content; another epoch is another lineage, never merged. */
export function diskName(user: string, id: string, epoch: string): string {
  return `u/${user}/d/${id}/e/${epoch}`
}

let asked = false

/** Asks the browser, at the first edit, not to evict what is stored here. */
export function keepStorage(): void {
  if (asked || typeof navigator === 'undefined' || navigator.storage?.persist === undefined) return
  asked = true
  navigator.storage.persist().catch((error: unknown) => console.warn('storage stays evictable', error))
}
