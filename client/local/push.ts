// Brings edits of documents that are not open to the server: made offline and closed again, or left by a tab that died. Runs in
// one tab at a time, at start, when the network returns, and now and then. Open documents look after themselves.
import { ApiError, api } from '../api.ts'
import { readDisk } from '../session/disk.ts'
import { device, diskName } from './device.ts'
import { addContent } from './files.ts'
import type { Place } from './place.ts'
import { inOneTab, whileClosed } from './locks.ts'
import { flushOutbox, isUntold } from './outbox.ts'

/** What pushing needs of the server; given by tests. */
type Receiver = Pick<typeof api, 'pushUpdate'>

/** Words for the name of a copy that holds edits which could not be merged. */
type CopyName = (name: string) => string

/** Sends the outbox, then pushes every document with unconfirmed edits; returns how many are left. */
export async function pushDirty(place: Place, copyName: CopyName, receiver: Receiver = api): Promise<number> {
  if (place.local) return 0
  const user = place.user.id
  await flushOutbox(user)
  return inOneTab(`holarchy/push/${user}`, async () => {
    const ids = new Set((await device.dirty.where('user').equals(user).toArray()).map(row => row.id))
    let left = 0
    for (const id of ids) {
      if (await isUntold(user, id)) {
        left++
        continue
      }
      const pushed = await whileClosed(user, id, () => pushOne(place, id, copyName, receiver))
      if (pushed === 'offline') return ids.size
      if (pushed !== 'done') left++
    }
    return left
  })
}

/**
 * Saves the edits of a document with a replaced lineage on the server as a file of their own, and deletes the old copy, so that the next
 * opening takes the new one. Null when there was nothing unconfirmed to save.
 */
export async function recoverCopy(place: Place, id: string, copyName: CopyName): Promise<string | null> {
  const user = place.user.id
  const row = await device.docs.get([user, id])
  if (row === undefined) return null
  const edits = await device.dirty.where('[user+id]').equals([user, id]).count()
  const content = edits === 0 ? null : await readDisk(diskName(user, id, row.epoch))
  const name = (await device.files.get([user, id]))?.name ?? id
  const copy = content === null ? null : await addContent(place, copyName(name), content)
  // The old database stays where it is: only the pointer to it goes. Nothing is erased that was never confirmed.
  await device.transaction('rw', device.docs, device.dirty, async () => {
    await device.docs.delete([user, id])
    await device.dirty.where('[user+id]').equals([user, id]).delete()
  })
  return copy?.id ?? null
}

async function pushOne(place: Place, id: string, copyName: CopyName, receiver: Receiver): Promise<'done' | 'offline' | 'refused'> {
  const user = place.user.id
  const rows = await device.dirty.where('[user+id]').equals([user, id]).toArray()
  const row = await device.docs.get([user, id])
  const update = row === undefined ? null : await readDisk(diskName(user, id, row.epoch))
  try {
    if (row !== undefined && update !== null) await receiver.pushUpdate(id, row.epoch, update)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const full = error.code === 'storage-full'
    if (!error.final && !full) return 'offline'
    if (error.code !== 'epoch-changed' && error.code !== 'network') {
      await device.docs.update([user, id], { refused: error.code })
      return 'refused'
    }
    await recoverCopy(place, id, copyName)
    return 'done'
  }
  // Only the rows seen before reading the content: later edits were not sent.
  await device.docs.update([user, id], { refused: undefined })
  await device.transaction('rw', device.dirty, async () => {
    for (const { tab, at } of rows) {
      const now = await device.dirty.get([user, id, tab])
      if (now?.at === at) await device.dirty.delete([user, id, tab])
    }
  })
  return 'done'
}
