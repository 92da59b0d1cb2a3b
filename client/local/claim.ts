// Files of the device-only workspace taken into an account: content, name, folder and history of edits move, nothing is copied twice.
import { storedContent } from '../session/content.ts'
import { device, holders, isFileKind } from './device.ts'
import type { FileRow } from './device.ts'
import { addContent, deleteFile, forgetDocument, freeName, remarkFile } from './files.ts'
import type { FilePosition } from './files.ts'
import { DEVICE_USER, devicePlace } from './place.ts'
import type { Place } from './place.ts'
import { moveShelf } from './shelf.ts'

/** Moves every file of this device into an account; returns how many, folders apart. One that fails stays where it is. */
export async function claimDeviceFiles(into: Place): Promise<number> {
  const files = (await device.files.where('user').equals(DEVICE_USER).toArray()).filter(file => file.trashedAt === null)
  let moved = 0
  const done = new Set<string>()
  for (const file of outerFirst(files)) {
    const content = await storedContent(DEVICE_USER, file.id)
    if (content === null && (file.kind === 'model' || file.kind === 'block')) continue
    // The same id: a second try after an interruption meets its own work.
    const parent = file.parent !== null && done.has(file.parent) ? file.parent : null
    const spot: FilePosition = { kind: isFileKind(file.kind) ? file.kind : 'model', parent }
    await addContent(into, await freeName(into, file.name, spot, file.id), content, spot, file.id)
    if (file.remark !== '') await remarkFile(into, file.id, file.remark)
    done.add(file.id)
    if (holders.has(file.kind)) continue
    await moveShelf(DEVICE_USER, into.user, file.id)
    await device.files.delete([DEVICE_USER, file.id])
    await forgetDocument(DEVICE_USER, file.id)
    moved++
  }
  // Inner folders first: one that still holds something that could not be moved stays.
  for (const file of outerFirst(files).reverse()) {
    if (!holders.has(file.kind)) continue
    const left = await device.files.where('user').equals(DEVICE_USER).toArray()
    if (!left.some(other => other.parent === file.id && other.trashedAt === null)) await deleteFile(devicePlace(file.owner.name), file.id)
  }
  return moved
}

function outerFirst(files: readonly FileRow[]): FileRow[] {
  const byId = new Map(files.map(file => [file.id, file]))
  const depth = (file: FileRow): number => {
    let n = 0
    for (let at = file.parent; at !== null && n < files.length; n++) at = byId.get(at)?.parent ?? null
    return n
  }
  return [...files].sort((a, b) => depth(a) - depth(b))
}
