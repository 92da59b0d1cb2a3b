// The files of a person as this device knows them: the server's lists, mirrored, with what was done here laid over. Everything
// works the same without a network; changes wait in the outbox. The device-only workspace is the same without an outbox.
import { nanoid } from 'nanoid'
import { modelOfFile } from '../../model-schema/file.ts'
import type { HoloFile } from '../../model-schema/file.ts'
import { ApiError, api } from '../api.ts'
import { contentOfFile, emptyContent, fileOfContent, storeContent, storedContent } from '../session/content.ts'
import { eraseDisk } from '../session/disk.ts'
import { device, diskName, holders, isFileKind, plainFile } from './device.ts'
import type { FileChange, FileKind, FileRow, FileTag } from './device.ts'
import { nudge } from './nudge.ts'
import { note } from './outbox.ts'
import type { Place } from './place.ts'
import { keepPreview } from './preview.ts'
import { clearShelf } from './shelf.ts'

/** Position of a file in a workspace, and its kind; `id`: of a new file, if already chosen. */
export type FilePosition = { kind?: FileKind; parent?: string | null; id?: string }

/** A new model from nothing or from a file; it exists when this settles, on this device first. */
export async function createFile(place: Place, name: string, from: HoloFile | null, spot: FilePosition = {}): Promise<FileRow> {
  const free = await freeName(place, name, spot)
  if (from === null) return addContent(place, free, beginningOf(spot.kind ?? 'model', free), spot)
  const file = await addContent(place, free, contentOfFile(from), spot, spot.id)
  await keepPreview(place.user.id, file.id, modelOfFile(from))
  return file
}

/** What a new file of a kind holds: models and blocks a canvas, experiments a plan, dashboards and charts a page; what others begin with their editors decide. */
function beginningOf(kind: FileKind, name: string): Uint8Array | null {
  if (kind === 'experiment') return emptyContent(name, 'experiment')
  if (kind === 'dashboard') return emptyContent(name, 'dashboard')
  if (kind === 'chart') return emptyContent(name, 'chartFile')
  return kind === 'model' || kind === 'block' ? emptyContent(name) : null
}

/**
 * Adds a file under a free name from the content of a document (a recovered copy, a claimed device file); null for folders, and for
 * documents that were never opened.
 */
export async function addContent(
  place: Place,
  name: string,
  content: Uint8Array | null,
  { kind = 'model', parent = null }: FilePosition = {},
  id: string = nanoid(),
): Promise<FileRow> {
  const user = place.user.id
  const epoch = nanoid()
  const now = new Date().toISOString()
  const row: FileRow = {
    ...plainFile,
    user,
    id,
    name,
    kind,
    team: place.team,
    parent,
    role: 'owner',
    owner: place.user,
    creator: place.user,
    createdAt: now,
    updatedAt: now,
    trashedAt: null,
    openedAt: null,
  }
  if (content !== null) await storeContent(user, id, epoch, content)
  await device.transaction('rw', device.docs, device.files, device.dirty, device.outbox, async () => {
    if (content !== null) await device.docs.put({ user, id, epoch, role: 'owner', openedAt: Date.now() })
    await device.files.put(row)
    if (place.local) return
    if (content !== null) await device.dirty.put({ user, id, tab: 'created', at: Date.now() })
    await note(user, id, { do: 'create', kind, name, epoch, team: place.team, parent })
  })
  kick(place)
  return row
}

/** Copies a file into its own folder or another; a folder with everything in it that may be copied. */
export async function duplicateFile(
  place: Place,
  id: string,
  name: string,
  into?: { team: string; parent: string | null },
): Promise<FileRow> {
  const row = await device.files.get([place.user.id, id])
  const kind = kindOf(row)
  const target = into ?? { team: place.team, parent: row?.team === place.team ? row.parent : null }
  const home = { ...place, team: target.team }
  const spot = { kind, parent: target.parent }
  const free = await freeName(home, name, spot)
  if (holders.has(kind)) {
    const made = await addContent(home, free, null, spot)
    for (const child of await childrenOf(place.user.id, id))
      if (child.trashedAt === null && child.onlyView !== true)
        await duplicateFile(place, child.id, child.name, { team: target.team, parent: made.id })
    return made
  }
  if (kind === 'tag-set') return addContent(home, free, null, spot)
  // A model is written again from its parts; any other document is copied as it is.
  const content = kind === 'model' || kind === 'block' ? contentOfFile(await readFile(place, id)) : await rawContent(place, id)
  return addContent(home, free, content, spot)
}

async function rawContent(place: Place, id: string): Promise<Uint8Array | null> {
  const stored = await storedContent(place.user.id, id)
  if (stored !== null || place.local) return stored
  return (await api.docState(id)).update
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
  const row = await device.files.get([place.user.id, id])
  const home = { ...place, team: row?.team ?? place.team }
  const others = await namesOf(home, { kind: kindOf(row), parent: row?.parent ?? null }, id)
  if (others.has(wanted.toLowerCase())) throw new ApiError('name-taken', 409)
  await change(place, id, { name: wanted }, { do: 'rename', name: wanted })
}

export async function remarkFile(place: Place, id: string, remark: string): Promise<void> {
  await change(place, id, { remark }, { do: 'remark', remark })
}

/** Notes which model an experiment runs, so that the model is not deleted under it. Once and for all: the server refuses another. */
export async function linkModel(place: Place, id: string, model: string): Promise<void> {
  await change(place, id, { model }, { do: 'link', model })
}

/**
 * Records which models a dashboard or chart shows runs of, here and on the server; without a network it is sent when the file is opened
 * again.
 */
export async function noteModels(place: Place, id: string, models: readonly string[]): Promise<void> {
  await device.files.update([place.user.id, id], { models })
  if (place.local) return
  await api.noteModels(id, [...models]).catch((error: unknown) => {
    if (!(error instanceof ApiError)) throw error
  })
}

/** Gives a file exactly these tags. Throws ApiError 'tag-invalid' for two of one set. */
export async function tagFile(place: Place, id: string, tags: readonly FileTag[]): Promise<void> {
  if (new Set(tags.map(tag => tag.set)).size < tags.length) throw new ApiError('tag-invalid', 400)
  await change(place, id, { tags: [...tags] }, { do: 'tags', tags: tags.map(tag => tag.id) })
}

export async function setFavourite(place: Place, id: string, on: boolean): Promise<void> {
  const row = await device.files.get([place.user.id, id])
  await change(place, id, { favourite: on, updatedAt: row?.updatedAt ?? '' }, { do: 'favourite', on })
}

/**
 * Moves a file, with what is in it, to another folder, of another workspace perhaps; numbered when its name is taken there. Throws
 * ApiError 'same-place' where it is already, 'folder-invalid' for what can't hold it.
 */
export async function moveFile(place: Place, id: string, to: { team: string; parent: string | null }): Promise<void> {
  const user = place.user.id
  const row = await device.files.get([user, id])
  if (row === undefined) throw new ApiError('not-found', 404)
  if (row.team === to.team && row.parent === to.parent) throw new ApiError('same-place', 409)
  const inside = await subtree(user, id)
  if (to.parent !== null) {
    const folder = await device.files.get([user, to.parent])
    if (folder === undefined || !mayHold(folder, row) || folder.trashedAt !== null || inside.some(file => file.id === to.parent))
      throw new ApiError('folder-invalid', 400)
  }
  const name = await freeName({ ...place, team: to.team }, row.name, { kind: kindOf(row), parent: to.parent }, id)
  await device.transaction('rw', device.files, device.outbox, async () => {
    if (row.team !== to.team)
      await device.files.bulkUpdate(inside.map(file => ({ key: [user, file.id], changes: { team: to.team, tags: [] } })))
    await device.files.update([user, id], { ...to, name, updatedAt: new Date().toISOString() })
    if (!place.local) await note(user, id, { do: 'move', ...to })
  })
  kick(place)
}

/** Whether a folder, project or library takes a file: libraries take blocks, and blocks go anywhere. */
export function mayHold(folder: { kind: string }, file: { kind: string }): boolean {
  return holders.has(folder.kind) && (folder.kind !== 'library' || file.kind === 'block')
}

/** Puts a file, and what is in it, into the trash. Throws ApiError 'model-in-use' for a model that an experiment, dashboard or chart runs. */
export async function trashFile(place: Place, id: string): Promise<void> {
  const user = place.user.id
  const all = await subtree(user, id)
  const going = all.filter(file => file.trashedAt === null)
  const ids = new Set(going.map(file => file.id))
  const users = await device.files.where('user').equals(user).toArray()
  const uses = (file: FileRow): boolean => (file.model !== null && ids.has(file.model)) || (file.models ?? []).some(id => ids.has(id))
  const using = users.filter(file => !ids.has(file.id) && file.trashedAt === null && uses(file))
  if (using.length > 0) throw new ApiError('model-in-use', 409, '', { named: using.map(({ name }) => name) })
  // Files trashed together are restored together, identified by their time: later than that of anything inside that was trashed before.
  const last = Math.max(0, ...all.map(file => (file.trashedAt === null ? 0 : Date.parse(file.trashedAt))))
  const trashedAt = new Date(Math.max(Date.now(), last + 1)).toISOString()
  await device.transaction('rw', device.files, device.outbox, async () => {
    await device.files.bulkUpdate(going.map(file => ({ key: [user, file.id], changes: { trashedAt } })))
    if (!place.local) await note(user, id, { do: 'trash' })
  })
  kick(place)
}

/** Takes a file, and what went with it, out of the trash; to the top when its folder is gone. Numbered when its name is taken. */
export async function restoreFile(place: Place, id: string): Promise<void> {
  const user = place.user.id
  const row = await device.files.get([user, id])
  if (row === undefined || row.trashedAt === null) return
  const folder = row.parent === null ? undefined : await device.files.get([user, row.parent])
  const parent = folder?.trashedAt === null ? folder.id : null
  const name = await freeName({ ...place, team: row.team }, row.name, { kind: kindOf(row), parent }, id)
  const back = (await subtree(user, id)).filter(file => file.trashedAt === row.trashedAt)
  await device.transaction('rw', device.files, device.outbox, async () => {
    await device.files.bulkUpdate(back.map(file => ({ key: [user, file.id], changes: { trashedAt: null } })))
    await device.files.update([user, id], { name, parent, trashedAt: null, updatedAt: new Date().toISOString() })
    // The server finds the free name and the folder by the same rules.
    if (!place.local) await note(user, id, { do: 'restore' })
  })
  kick(place)
}

/** Deletes a file for ever, with its content, here and (when sent) on the server. */
export async function deleteFile(place: Place, id: string): Promise<void> {
  const user = place.user.id
  const going = await subtree(user, id)
  if (!place.local) await note(user, id, { do: 'delete' })
  for (const file of going) {
    await device.files.delete([user, file.id])
    await forgetDocument(user, file.id)
  }
  kick(place)
}

/** Notes that the file is being looked at: Recent is this device's order. */
export async function touchFile(place: Place, id: string): Promise<void> {
  await device.files.update([place.user.id, id], { openedAt: new Date().toISOString() })
}

/** Removes a document's content from this device. */
export async function forgetDocument(user: string, id: string): Promise<void> {
  const row = await device.docs.get([user, id])
  await device.transaction('rw', device.docs, device.dirty, device.talks, device.covers, async () => {
    await device.docs.delete([user, id])
    await device.covers.delete([user, id])
    await device.talks.where('[user+doc+at]').between([user, id, 0], [user, id, Infinity]).delete()
    await device.dirty.where('[user+id]').equals([user, id]).delete()
  })
  await clearShelf(user, id)
  if (row !== undefined) await eraseDisk(diskName(user, id, row.epoch))
}

/** A file as the server lists it. */
export type ListedFile = Omit<FileRow, 'user' | 'preview' | 'models' | 'sample'>

/**
 * Takes over the server's list. Changes made here and not yet sent take precedence: their rows are kept, and a file made here stays
 * although the server doesn't list it.
 */
export async function mirrorFiles(user: string, listed: readonly ListedFile[]): Promise<void> {
  await device.transaction('rw', device.files, device.outbox, async () => {
    const waiting = new Set((await device.outbox.where('user').equals(user).toArray()).map(row => row.file))
    const known = new Map((await device.files.where('user').equals(user).toArray()).map(row => [row.id, row]))
    // The content of a waiting folder (moved, trashed or restored here) goes along with it.
    const goesAlong = (id: string | null): boolean => {
      for (let at = id, depth = 0; at !== null && depth < 100; depth++) {
        if (waiting.has(at)) return true
        at = known.get(at)?.parent ?? null
      }
      return false
    }
    const next = listed
      .filter(file => !goesAlong(known.has(file.id) ? file.id : file.parent))
      .map(file => ({
        ...rowOf(file, user),
        openedAt: later(file.openedAt, known.get(file.id)?.openedAt ?? null),
        preview: known.get(file.id)?.preview ?? null,
        models: known.get(file.id)?.models ?? [],
        sample: known.get(file.id)?.sample,
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
export async function freeName(place: Place, name: string, spot: FilePosition = {}, except?: string): Promise<string> {
  const taken = await namesOf(place, spot, except)
  if (!taken.has(name.toLowerCase())) return name
  for (let n = 2; ; n++) if (!taken.has(`${name} (${n})`.toLowerCase())) return `${name} (${n})`
}

/** A file and everything in it, outer before inner. */
async function subtree(user: string, id: string): Promise<FileRow[]> {
  const rows = await device.files.where('user').equals(user).toArray()
  const inside = new Map<string, FileRow[]>()
  for (const row of rows) if (row.parent !== null) inside.set(row.parent, [...(inside.get(row.parent) ?? []), row])
  const found = new Map<string, FileRow>()
  const visit = (row: FileRow): void => {
    if (found.has(row.id)) return
    found.set(row.id, row)
    for (const child of inside.get(row.id) ?? []) visit(child)
  }
  for (const row of rows) if (row.id === id) visit(row)
  return [...found.values()]
}

async function childrenOf(user: string, id: string): Promise<FileRow[]> {
  return (await device.files.where('user').equals(user).toArray()).filter(row => row.parent === id)
}

function kindOf(row: FileRow | undefined): FileKind {
  return row !== undefined && isFileKind(row.kind) ? row.kind : 'model'
}

/** Only what a row holds: the server may say more. */
function rowOf(file: ListedFile, user: string): FileRow {
  const { id, name, kind, team, parent, role, onlyView, owner, creator, remark, tags, favourite, overLimit, beyondPlan, cover, model } =
    file
  const times = { createdAt: file.createdAt, updatedAt: file.updatedAt, openedAt: file.openedAt, trashedAt: file.trashedAt }
  return {
    user,
    id,
    name,
    kind,
    team,
    parent,
    role,
    onlyView: onlyView ?? false,
    owner,
    creator,
    remark,
    tags,
    favourite,
    overLimit: overLimit ?? null,
    beyondPlan: beyondPlan ?? null,
    cover,
    model,
    ...times,
  }
}

function later(a: string | null, b: string | null): string | null {
  return (a ?? '') > (b ?? '') ? a : b
}

async function change(place: Place, id: string, patch: Partial<FileRow>, told: FileChange): Promise<void> {
  await device.transaction('rw', device.files, device.outbox, async () => {
    await device.files.update([place.user.id, id], { updatedAt: new Date().toISOString(), ...patch })
    if (!place.local) await note(place.user.id, id, told)
  })
  kick(place)
}

/** Names of the files of this kind in a folder that are not in the trash, in lower case: the server compares them so. */
async function namesOf(place: Place, { kind = 'model', parent = null }: FilePosition, except?: string): Promise<Set<string>> {
  const rows = await device.files.where('user').equals(place.user.id).toArray()
  const here = (row: FileRow): boolean => row.team === place.team && row.parent === parent && row.kind === kind
  return new Set(rows.filter(row => row.trashedAt === null && row.id !== except && here(row)).map(row => row.name.toLowerCase()))
}

function kick(place: Place): void {
  if (!place.local) nudge()
}
