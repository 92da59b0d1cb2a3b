// The user's decisions about changes the server refused, and about edits it did not accept: try again, rename, keep a copy on this device,
// or discard. Data that is only here is deleted only on request.
import { ApiError } from '../api.ts'
import { storedContent } from '../session/content.ts'
import { device } from './device.ts'
import type { OutboxRow } from './device.ts'
import { addContent, forgetDocument, freeName } from './files.ts'
import { nudge } from './nudge.ts'
import { devicePlace } from './place.ts'

/** Sends a refused change again: the reason may be gone. */
export async function retryChange(seq: number): Promise<void> {
  await device.outbox.update(seq, { refused: undefined })
  nudge()
}

/** Sends everything of a person again that was refused. */
export async function retryAll(user: string): Promise<void> {
  const rows = await device.outbox.where('user').equals(user).toArray()
  for (const row of rows)
    if (row.refused !== undefined && row.seq !== undefined) await device.outbox.update(row.seq, { refused: undefined })
  nudge()
}

/** For a name that is taken: sends the change with another one. Throws ApiError 'name-empty'. */
export async function renameChange(row: OutboxRow, name: string): Promise<void> {
  const wanted = name.trim()
  if (wanted === '') throw new ApiError('name-empty', 400)
  const { change } = row
  if (row.seq === undefined || (change.do !== 'create' && change.do !== 'rename')) return
  await device.transaction('rw', device.files, device.outbox, async () => {
    await device.outbox.update(row.seq!, { change: { ...change, name: wanted }, refused: undefined })
    await device.files.update([row.user, row.file], { name: wanted })
  })
  nudge()
}

/** Discards a refused change; the list shows the server's state. A file unknown to the server is deleted with its content. */
export async function dismissChange(row: OutboxRow): Promise<void> {
  if (row.change.do !== 'create') {
    if (row.seq !== undefined) await device.outbox.delete(row.seq)
  } else {
    await device.transaction('rw', device.files, device.outbox, async () => {
      await device.outbox.where('[user+file]').equals([row.user, row.file]).delete()
      await device.files.delete([row.user, row.file])
    })
    await forgetDocument(row.user, row.file)
  }
  nudge()
}

/** Stores the content of a file in the workspace of this device, then discards its waiting changes. Null when there is no content here. */
export async function keepOnDevice(user: string, id: string, name: string): Promise<string | null> {
  const content = await storedContent(user, id)
  if (content === null) return null
  const place = devicePlace(name)
  const copy = await addContent(place, await freeName(place, name), content)
  const untold = (await device.outbox.where('[user+file]').equals([user, id]).toArray()).some(row => row.change.do === 'create')
  await device.outbox.where('[user+file]').equals([user, id]).delete()
  if (untold) await device.files.delete([user, id])
  await forgetDocument(user, id)
  nudge()
  return copy.id
}
