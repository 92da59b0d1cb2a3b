// The outbox: catalogue changes made here, sent to the server in order and repeated until confirmed. Every change is idempotent (ids are
// made here), so a lost answer costs nothing but a repetition.
import type { ErrorCode } from '../../sync-server/protocol.ts'
import { ApiError, api } from '../api.ts'
import { device } from './device.ts'
import type { FileChange, OutboxRow } from './device.ts'
import { inOneTab } from './locks.ts'

/** What sending needs of the server; given by tests. */
export type Catalogue = Pick<
  typeof api,
  | 'createFile'
  | 'renameFile'
  | 'remarkFile'
  | 'moveFile'
  | 'tagFile'
  | 'setFavourite'
  | 'linkModel'
  | 'trashFile'
  | 'restoreFile'
  | 'deleteFile'
>

/** The result of sending: everything is confirmed, the server can't be reached, or some were refused for good. */
type Flushed = 'done' | 'offline' | 'refused'

/** Adds a change to the outbox. */
export async function note(user: string, file: string, change: FileChange): Promise<void> {
  await device.outbox.add({ user, file, change, at: Date.now() })
}

/** Whether the server has not heard of this file yet. */
export async function isUntold(user: string, file: string): Promise<boolean> {
  const rows = await device.outbox.where('[user+file]').equals([user, file]).toArray()
  return rows.some(row => row.change.do === 'create' && row.refused === undefined)
}

/**
 * Sends everything that waits to the server, in one tab at a time. A refused change stays, with the reason; later ones of that file wait.
 */
export async function flushOutbox(user: string, catalogue: Catalogue = api): Promise<Flushed> {
  return inOneTab(`holarchy/outbox/${user}`, async () => {
    const rows = await device.outbox.where('user').equals(user).sortBy('seq')
    const stuck = new Set(rows.filter(row => row.refused !== undefined && row.change.do === 'create').map(row => row.file))
    let refused = false
    for (const row of rows) {
      if (row.refused !== undefined || stuck.has(row.file)) continue
      const into = 'parent' in row.change ? (row.change.parent ?? null) : null
      if (into !== null && stuck.has(into)) {
        // Its folder is not there yet.
        if (row.change.do === 'create') stuck.add(row.file)
        continue
      }
      try {
        await tell(row, catalogue)
        await device.outbox.delete(row.seq!)
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        if (!error.final || error.code === 'network') return 'offline'
        refused = true
        if (row.change.do === 'create') stuck.add(row.file)
        await device.outbox.update(row.seq!, { refused: error.code })
      }
    }
    return refused ? 'refused' : 'done'
  })
}

async function tell({ file, change }: OutboxRow, catalogue: Catalogue): Promise<void> {
  switch (change.do) {
    case 'create':
      return catalogue.createFile({
        id: file,
        kind: change.kind ?? 'model',
        epoch: change.epoch,
        name: change.name,
        parent: change.parent ?? null,
        ...(change.team === undefined ? {} : { team: change.team }),
      })
    case 'rename':
      return catalogue.renameFile(file, change.name)
    case 'remark':
      return catalogue.remarkFile(file, change.remark)
    case 'move':
      return unless('same-place', catalogue.moveFile(file, { team: change.team, parent: change.parent }))
    case 'tags':
      return catalogue.tagFile(file, change.tags)
    case 'favourite':
      return catalogue.setFavourite(file, change.on)
    case 'link':
      return catalogue.linkModel(file, change.model)
    case 'trash':
      return catalogue.trashFile(file)
    case 'restore':
      return catalogue.restoreFile(file)
    case 'delete':
      // Deleting what is already gone is done, as is moving what is there already.
      return unless('not-found', catalogue.deleteFile(file))
  }
}

/** Waits for `work`; a refusal with this code means that it was done before. */
async function unless(code: ErrorCode, work: Promise<void>): Promise<void> {
  try {
    await work
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== code) throw error
  }
}
