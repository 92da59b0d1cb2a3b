// The files of a person as this device knows them: the server's lists, mirrored, with what was done here laid over. Everything
// works the same without a network; changes wait in the outbox. The device-only workspace is the same without an outbox.
import { nanoid } from 'nanoid'
import { modelOfFile } from '../../model-schema/file.ts'
import type { HoloFile } from '../../model-schema/file.ts'
import type { Role } from '../../sync-server/protocol.ts'
import { ApiError, api } from '../api.ts'
import { contentOfFile, emptyContent, fileOfContent, storeContent, storedContent } from '../session/content.ts'
import { eraseDisk } from '../session/disk.ts'
import { device, diskName } from './device.ts'
import type { FileChange, FileRow } from './device.ts'
import { nudge } from './nudge.ts'
import { note } from './outbox.ts'
import type { Place } from './place.ts'
import { keepPreview } from './preview.ts'

/** A new model from nothing or from a file; it exists when this settles, on this device first. */
export async function createFile(place: Place, name: string, from: HoloFile | null): Promise<FileRow> {
  const free = await freeName(place, name)
  if (from === null) return addContent(place, free, emptyContent(free))
  const file = await addContent(place, free, contentOfFile(from))
  await keepPreview(place.user.id, file.id, modelOfFile(from))
  return file
}

/** A file from the content of a document (a recovered copy, a claimed device file). */
export async function addContent(place: Place, name: string, content: Uint8Array, id = nanoid()): Promise<FileRow> {
  const epoch = nanoid()
  const now = new Date().toISOString()
  const row: FileRow = {
    user: place.user.id,
    id,
    name,
    kind: 'model',
    team: place.team,
    role: 'owner',
    owner: place.user,
    createdAt: now,
    updatedAt: now,
    trashedAt: null,
    openedAt: null,
  }
  await storeContent(place.user.id, id, epoch, content)
  await device.transaction('rw', device.docs, device.files, device.dirty, device.outbox, async () => {
    await device.docs.put({ user: place.user.id, id, epoch, role: 'owner', openedAt: Date.now() })
    await device.files.put(row)
    if (place.local) return
    await device.dirty.put({ user: place.user.id, id, tab: 'created', at: Date.now() })
    await device.outbox.add({ user: place.user.id, file: id, change: { do: 'create', name, epoch, team: place.team }, at: Date.now() })
  })
  kick(place)
  return row
}

/** A copy beside the original. */
export async function duplicateFile(place: Place, id: string, name: string): Promise<FileRow> {
  return addContent(place, await freeName(place, name), contentOfFile(await readFile(place, id)))
}

/** The file as `.holo` data: from this device, and from the server when it can be reached. */
export async function readFile(place: Place, id: string): Promise<HoloFile> {
  const stored = await storedContent(place.user.id, id)
  if (place.local) {
    if (stored === null) throw new ApiError('not-found', 404)
    return fileOfContent([stored])
  }
  try {
    const { epoch, update } = await api.docState(id)
    const row = await device.docs.get([place.user.id, id])
    return fileOfContent(stored !== null && row?.epoch === epoch ? [update, stored] : [update])
  } catch (error) {
    if (stored === null) throw error
    return fileOfContent([stored])
  }
}

/** Renames; throws ApiError 'name-empty' or 'name-taken' when the name can't be used. */
export async function renameFile(place: Place, id: string, name: string): Promise<void> {
  const wanted = name.trim()
  if (wanted === '') throw new ApiError('name-empty', 400)
  const others = await namesOf(place, id)
  if (others.has(wanted.toLowerCase())) throw new ApiError('name-taken', 409)
  await change(place, id, { name: wanted }, { do: 'rename', name: wanted })
}

export async function trashFile(place: Place, id: string): Promise<void> {
  await change(place, id, { trashedAt: new Date().toISOString() }, { do: 'trash' })
}

export async function restoreFile(place: Place, id: string): Promise<void> {
  const row = await device.files.get([place.user.id, id])
  if (row === undefined) return
  const name = await freeName(place, row.name, id)
  if (name !== row.name) await change(place, id, { name }, { do: 'rename', name })
  await change(place, id, { trashedAt: null }, { do: 'restore' })
}

/** Deletes for ever, here and (when told) on the server. */
export async function deleteFile(place: Place, id: string): Promise<void> {
  if (!place.local) await note(place.user.id, id, { do: 'delete' })
  await device.files.delete([place.user.id, id])
  await forgetDocument(place.user.id, id)
  kick(place)
}

/** Notes that the file is being looked at: Recent is this device's order. */
export async function touchFile(place: Place, id: string): Promise<void> {
  await device.files.update([place.user.id, id], { openedAt: new Date().toISOString() })
}

/** Removes a document's content from this device. */
export async function forgetDocument(user: string, id: string): Promise<void> {
  const row = await device.docs.get([user, id])
  await device.transaction('rw', device.docs, device.dirty, async () => {
    await device.docs.delete([user, id])
    await device.dirty.where('[user+id]').equals([user, id]).delete()
  })
  if (row !== undefined) await eraseDisk(diskName(user, id, row.epoch))
}

/** A file as the server lists it. */
export type ListedFile = Omit<FileRow, 'user' | 'preview'>

/**
 * Takes the server's list. What was done here and not told yet stays on top: its rows are left as they are, and a file made
 * here stays although the server doesn't list it.
 */
export async function mirrorFiles(user: string, listed: readonly ListedFile[]): Promise<void> {
  await device.transaction('rw', device.files, device.outbox, async () => {
    const waiting = new Set((await device.outbox.where('user').equals(user).toArray()).map(row => row.file))
    const known = new Map((await device.files.where('user').equals(user).toArray()).map(row => [row.id, row]))
    const next = listed
      .filter(file => !waiting.has(file.id))
      .map(file => ({
        ...rowOf(file, user),
        openedAt: later(file.openedAt, known.get(file.id)?.openedAt ?? null),
        preview: known.get(file.id)?.preview ?? null,
      }))
    const names = new Set(listed.map(file => file.id))
    const gone = [...known.values()]
      .filter(row => !names.has(row.id) && !waiting.has(row.id))
      .map(row => [row.user, row.id] as [string, string])
    await device.files.bulkPut(next)
    await device.files.bulkDelete(gone)
  })
}

/** The name itself, or with the first free number behind it. */
export async function freeName(place: Place, name: string, except?: string): Promise<string> {
  const taken = await namesOf(place, except)
  if (!taken.has(name.toLowerCase())) return name
  for (let n = 2; ; n++) if (!taken.has(`${name} (${n})`.toLowerCase())) return `${name} (${n})`
}

/** The person's effective role on a file that may only be known here. */
export async function roleOf(user: string, id: string): Promise<Role | null> {
  return (await device.files.get([user, id]))?.role ?? (await device.docs.get([user, id]))?.role ?? null
}

/** Only what a row holds: the server may say more. */
function rowOf({ id, name, kind, team, role, owner, createdAt, updatedAt, openedAt, trashedAt }: ListedFile, user: string): FileRow {
  return { user, id, name, kind, team, role, owner, createdAt, updatedAt, openedAt, trashedAt }
}

function later(a: string | null, b: string | null): string | null {
  return (a ?? '') > (b ?? '') ? a : b
}

async function change(place: Place, id: string, patch: Partial<FileRow>, told: FileChange): Promise<void> {
  await device.transaction('rw', device.files, device.outbox, async () => {
    await device.files.update([place.user.id, id], { ...patch, updatedAt: new Date().toISOString() })
    if (!place.local) await note(place.user.id, id, told)
  })
  kick(place)
}

/** Names of the own files that are not in the trash, in lower case: the server compares them so. */
async function namesOf(place: Place, except?: string): Promise<Set<string>> {
  const rows = await device.files.where('user').equals(place.user.id).toArray()
  return new Set(
    rows.filter(row => row.trashedAt === null && row.id !== except && row.team === place.team).map(row => row.name.toLowerCase()),
  )
}

function kick(place: Place): void {
  if (!place.local) nudge()
}
