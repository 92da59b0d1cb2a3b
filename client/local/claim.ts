// Models of the device-only workspace taken into an account: content, name and history of edits move, nothing is copied twice.
import { storedContent } from '../session/content.ts'
import { DEVICE_USER, device } from './device.ts'
import { addContent, deleteFile, freeName } from './files.ts'
import { devicePlace } from './place.ts'
import type { Place } from './place.ts'

/** Moves every model of this device into an account; returns how many. One that fails stays where it is. */
export async function claimDeviceFiles(into: Place): Promise<number> {
  const files = (await device.files.where('user').equals(DEVICE_USER).toArray()).filter(file => file.trashedAt === null)
  let moved = 0
  for (const file of files) {
    const content = await storedContent(DEVICE_USER, file.id)
    if (content === null) continue
    // The same id: a second try after an interruption meets its own work.
    await addContent(into, await freeName(into, file.name, file.id), content, file.id)
    await deleteFile(devicePlace(file.owner.name), file.id)
    moved++
  }
  return moved
}
