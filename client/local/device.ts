// The database of this device: which documents are here, what is not on the server yet, the cached catalogue, the outbox.
// Everything is keyed by user, so two accounts on one browser never see each other's rows. Document contents have a
// database each (session/disk.ts).
import { Dexie } from 'dexie'
import type { Table } from 'dexie'
import type { ErrorCode, Role } from '../../sync-server/protocol.ts'
import type { Kept } from '../copilot/turns.ts'
import type { Preview } from './preview.ts'

/** A document with content on this device, now or earlier. */
export type DocRow = {
  user: string
  id: string
  epoch: string
  role: Role
  openedAt: number
  /** Why the server did not take edits sent in the background; shown until it does. */
  refused?: ErrorCode | undefined
}

/**
 * A user's edits that the server has not confirmed. One row per tab, so that no tab clears the edits of another; `at` grows with each edit
 * after a confirmation.
 */
type DirtyRow = { user: string; id: string; tab: string; at: number }

/** A person shown with a file; `avatar` is the id of their picture. */
export type Someone = { id: string; name: string; avatar?: string | null }

/** A tag a file carries: at most one of each set. */
export type FileTag = { id: string; set: string; name: string; color: string }

/** A file as the lists show it: cached from the server, or made here. Times are ISO 8601. */
export type FileRow = {
  user: string
  id: string
  name: string
  /** One of `FileKind`, or one of a newer version. */
  kind: string
  team: string
  /** The folder, project or library that holds it; null at the top. */
  parent: string | null
  role: Role
  /** A restriction leaves this person nothing but viewing and running it: no copies. */
  onlyView?: boolean
  owner: Someone
  creator: Someone | null
  remark: string
  tags: FileTag[]
  favourite: boolean
  /** What its workspace has more of than its plan allows, so that documents in it are read-only; null or nothing within it. */
  overLimit?: { quantity: string; used: number; allowed: number } | null
  /** What of its plan (its owner's when `isOwners`) it holds more of than allowed, when the server last counted; null or nothing within it. */
  beyondPlan?: { quantity: string; used: number; allowed: number; isOwners: boolean } | null
  /** Id of the chosen cover or of the one the editor drew; null shows the picture of the boxes. */
  cover: string | null
  /** The model an experiment runs. */
  model: string | null
  /** The models that a dashboard or chart shows runs of, as far as it was opened on this device. */
  models?: readonly string[]
  /** The shipped sample that was copied here: its picture stands for the file until it has one of its own run. */
  sample?: string | undefined
  createdAt: string
  updatedAt: string
  /** When it went to the trash. */
  trashedAt: string | null
  /** When this person last opened it, on this device. */
  openedAt: string | null
  /** Its picture, when it was open on this device. */
  preview?: Preview | null
}

/** The sorts of files there are. */
export const fileKinds = ['model', 'experiment', 'dashboard', 'chart', 'project', 'folder', 'block', 'tag-set', 'library'] as const
export type FileKind = (typeof fileKinds)[number]

export const isFileKind = (text: string): text is FileKind => fileKinds.some(kind => kind === text)

/** Kinds that hold other files, and what each takes; a library takes blocks alone. */
export const holders: ReadonlySet<string> = new Set<FileKind>(['folder', 'project', 'library'])

/** A change to the catalogue made here, waiting to be sent to the server, in order. */
export type OutboxRow = {
  seq?: number
  user: string
  file: string
  change: FileChange
  at: number
  /** Why the server refused it for good; shown with the file until dismissed. */
  refused?: ErrorCode | undefined
}

export type FileChange =
  /** `team` is absent for one's own workspace; `kind` for a model, `parent` for the top (both in rows of older versions). */
  | { do: 'create'; name: string; epoch: string; team?: string; kind?: FileKind; parent?: string | null }
  | { do: 'rename'; name: string }
  | { do: 'remark'; remark: string }
  | { do: 'move'; team: string; parent: string | null }
  /** All of its tags, by id. */
  | { do: 'tags'; tags: string[] }
  | { do: 'favourite'; on: boolean }
  | { do: 'link'; model: string }
  | { do: 'trash' }
  | { do: 'restore' }
  | { do: 'delete' }

/** The cover that the editor drew of a file of this device alone. */
type CoverRow = { user: string; id: string; picture: Blob }

export type SettingRow = { key: string; value: string | number | boolean }

export class Device extends Dexie {
  declare docs: Table<DocRow, [string, string]>
  declare dirty: Table<DirtyRow, [string, string, string]>
  declare files: Table<FileRow, [string, string]>
  declare outbox: Table<OutboxRow, number>
  declare settings: Table<SettingRow, string>
  declare covers: Table<CoverRow, [string, string]>
  declare talks: Table<Kept, [string, string, string]>

  constructor(name = 'holarchy') {
    super(name)
    this.version(1).stores({
      docs: '[user+id], user',
      dirty: '[user+id+tab], [user+id], user',
      files: '[user+id], user',
      outbox: '++seq, user, [user+file]',
      settings: 'key',
    })
    this.version(2)
      .stores({})
      .upgrade(tx =>
        tx
          .table<FileRow>('files')
          .toCollection()
          .modify(row => void Object.assign(row, { ...plainFile, ...row })),
      )
    this.version(3).stores({ talks: '[user+doc+id], [user+doc+at], user' })
    this.version(4).stores({ covers: '[user+id], user' })
  }
}

/** Defaults of a file. */
export const plainFile = {
  parent: null,
  creator: null,
  remark: '',
  tags: [],
  favourite: false,
  cover: null,
  model: null,
} satisfies Partial<FileRow>

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
