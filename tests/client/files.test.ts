// Files on this device: folders and their contents, moves, tags, favourites; what the server receives of them; and what a person can do about
// what it refused.
import 'fake-indexeddb/auto'
import { beforeEach, describe, expect, it } from 'vitest'
import { ApiError } from '../../client/api.ts'
import { claimDeviceFiles } from '../../client/local/claim.ts'
import { device } from '../../client/local/device.ts'
import type { FileKind, FileTag } from '../../client/local/device.ts'
import {
  createFile,
  deleteFile,
  duplicateFile,
  mirrorFiles,
  moveFile,
  readFile,
  remarkFile,
  renameFile,
  restoreFile,
  setFavourite,
  tagFile,
  noteModels,
  trashFile,
} from '../../client/local/files.ts'
import { flushOutbox, note } from '../../client/local/outbox.ts'
import { DEVICE_USER, devicePlace } from '../../client/local/place.ts'
import type { Place } from '../../client/local/place.ts'
import { pushDirty } from '../../client/local/push.ts'
import { dismissChange, keepOnDevice, renameChange, retryAll, retryChange } from '../../client/local/resolve.ts'
import { openSample } from '../../client/workspace/files/samples.ts'
import { samples } from '../../model-schema/samples.ts'
import { catalogue, listed } from '../help/network/catalogue.ts'

let count = 0
let place: Place
const local = devicePlace('Me')

beforeEach(async () => {
  place = { user: { id: `person-${count++}`, name: 'Ann' }, team: 'team-1', local: false }
  await Promise.all(device.tables.map(table => table.clear()))
})

const make = async (kind: FileKind, name: string, parent: string | null = null, where = local): Promise<string> =>
  (await createFile(where, name, null, { kind, parent })).id
const get = (id: string, where = local) => device.files.get([where.user.id, id])
const refusals = async () => (await device.outbox.where('user').equals(place.user.id).sortBy('seq')).map(row => row.refused)

describe('folders', () => {
  it('hold files; a name is taken once in a folder and for a kind', async () => {
    const folder = await make('folder', 'Work')
    expect((await get(await make('model', 'Same', folder)))?.name).toBe('Same')
    expect((await get(await make('model', 'same', folder)))?.name).toBe('same (2)')
    expect((await get(await make('model', 'Same')))?.name).toBe('Same')
    const block = await make('block', 'Same', folder)
    expect((await get(block))?.name).toBe('Same')
    await expect(renameFile(local, await make('block', 'Other', folder), 'SAME')).rejects.toMatchObject({ code: 'name-taken' })
  })

  it('take what is moved, but for themselves, where it is already, and what a library does not hold', async () => {
    const [a, b] = [await make('folder', 'A'), await make('folder', 'B')]
    const [library, model, block] = [await make('library', 'Parts'), await make('model', 'M', a), await make('block', 'Pump')]
    const to = (parent: string | null) => ({ team: local.team, parent })
    await moveFile(local, b, to(a))
    await expect(moveFile(local, a, to(b))).rejects.toMatchObject({ code: 'folder-invalid' })
    await expect(moveFile(local, model, to(a))).rejects.toMatchObject({ code: 'same-place' })
    await expect(moveFile(local, model, to(library))).rejects.toMatchObject({ code: 'folder-invalid' })
    await expect(moveFile(local, a, to(model))).rejects.toMatchObject({ code: 'folder-invalid' })
    await moveFile(local, block, to(library))
    expect((await get(block))?.parent).toBe(library)
    await make('model', 'M')
    await moveFile(local, model, to(null))
    expect((await get(model))?.name).toBe('M (2)')
  })

  it('take along what is in them: to the trash, back, to another workspace, for ever', async () => {
    const folder = await make('folder', 'A')
    const inner = await make('folder', 'B', folder)
    const model = await make('model', 'M', inner)
    const before = await make('model', 'Old', folder)
    await trashFile(local, before)
    const away = (await get(before))?.trashedAt
    await trashFile(local, folder)
    expect((await get(model))?.trashedAt).toBe((await get(folder))?.trashedAt)
    expect((await get(before))?.trashedAt).toBe(away)
    await restoreFile(local, folder)
    expect((await get(model))?.trashedAt).toBeNull()
    expect((await get(before))?.trashedAt).toBe(away)
    await moveFile(local, folder, { team: 'elsewhere', parent: null })
    expect((await get(model))?.team).toBe('elsewhere')
    await trashFile(local, folder)
    await deleteFile(local, folder)
    expect(await device.files.where('user').equals(DEVICE_USER).count()).toBe(0)
    expect(await device.docs.count()).toBe(0)
  })

  it('restore to the top what lay in one that is gone, under a free name', async () => {
    const folder = await make('folder', 'A')
    const model = await make('model', 'M', folder)
    await trashFile(local, model)
    await trashFile(local, folder)
    await make('model', 'M')
    await restoreFile(local, model)
    expect(await get(model)).toMatchObject({ parent: null, name: 'M (2)', trashedAt: null })
  })

  it('are copied with everything in them', async () => {
    const folder = await make('folder', 'A')
    await make('model', 'M', folder)
    const copy = await duplicateFile(local, folder, 'A')
    expect(copy.name).toBe('A (2)')
    const inside = (await device.files.toArray()).filter(row => row.parent === copy.id)
    expect(inside.map(row => row.name)).toEqual(['M'])
    expect(Object.keys((await readFile(local, inside[0]!.id)).elements)).toHaveLength(1)
  })

  it('are copied without what may only be viewed', async () => {
    const folder = await make('folder', 'A')
    await make('model', 'M', folder)
    const restricted = await make('model', 'Restricted', folder)
    await device.files.update([local.user.id, restricted], { onlyView: true })
    const copy = await duplicateFile(local, folder, 'A')
    expect((await device.files.toArray()).filter(row => row.parent === copy.id).map(row => row.name)).toEqual(['M'])
  })

  it('come along into an account, with what is in them', async () => {
    const folder = await make('folder', 'A')
    const model = await make('model', 'M', folder)
    await remarkFile(local, model, 'from home')
    expect(await claimDeviceFiles(place)).toBe(1)
    expect(await device.files.where('user').equals(DEVICE_USER).count()).toBe(0)
    expect(await get(model, place)).toMatchObject({ parent: folder, remark: 'from home' })
    const server = catalogue()
    await flushOutbox(place.user.id, server)
    expect(server.told).toEqual([`create folder ${folder} in top`, `create model ${model} in ${folder}`, `remark ${model} from home`])
  })
})

describe('what is said of files', () => {
  const tag = (id: string, set: string): FileTag => ({ id, set, name: id, color: '' })

  it('is kept at once and told in order: remark, tags, favourite, move', async () => {
    const folder = await make('folder', 'F', null, place)
    const model = await make('model', 'M', null, place)
    await remarkFile(place, model, 'note')
    await tagFile(place, model, [tag('draft', 'status'), tag('abm', 'method')])
    await setFavourite(place, model, true)
    await moveFile(place, model, { team: place.team, parent: folder })
    expect(await get(model, place)).toMatchObject({ remark: 'note', favourite: true, parent: folder })
    const server = catalogue()
    expect(await flushOutbox(place.user.id, server)).toBe('done')
    expect(server.told.slice(2)).toEqual([
      `remark ${model} note`,
      `tags ${model} draft,abm`,
      `favourite ${model} true`,
      `move ${model} to team-1/${folder}`,
    ])
  })

  it('never has two tags of one set', async () => {
    const model = await make('model', 'M', null, place)
    await expect(tagFile(place, model, [tag('draft', 'status'), tag('final', 'status')])).rejects.toMatchObject({ code: 'tag-invalid' })
    expect((await get(model, place))?.tags).toEqual([])
  })

  it('counts a move as done that was done before', async () => {
    await note(place.user.id, 'f1', { do: 'move', team: 'team-1', parent: null })
    const server = catalogue(() => new ApiError('same-place', 409))
    expect(await flushOutbox(place.user.id, server)).toBe('done')
  })

  it('a model that a dashboard shows does not go to the trash before it, also after a new list; who shows it is named', async () => {
    const { fetch } = globalThis
    globalThis.fetch = () => Promise.reject(new TypeError('offline'))
    const rows = [listed('model', 'model', {}), listed('wall', 'Wall', { kind: 'dashboard' })]
    try {
      await mirrorFiles(place.user.id, rows)
      await noteModels(place, 'wall', ['model'])
      await mirrorFiles(place.user.id, rows)
      await expect(trashFile(place, 'model')).rejects.toMatchObject({ code: 'model-in-use', named: ['Wall'] })
      await noteModels(place, 'wall', [])
      await trashFile(place, 'model')
      expect((await get('model', place))?.trashedAt).not.toBeNull()
    } finally {
      globalThis.fetch = fetch
    }
  })

  it('a copy of a sample is known as one, also when the server lists it', async () => {
    const sample = samples.find(({ id }) => id === 'segregation')!
    const { id } = await openSample(place, sample)
    expect((await get(id, place))?.sample).toBe('segregation')
    await device.outbox.clear()
    await mirrorFiles(place.user.id, [listed(id, 'Segregation', {})])
    expect((await get(id, place))?.sample).toBe('segregation')
  })

  it('a model that an experiment runs does not go to the trash alone', async () => {
    await mirrorFiles(place.user.id, [
      listed('folder', 'folder', { kind: 'folder' }),
      listed('model', 'model', { parent: 'folder' }),
      listed('experiment', 'experiment', { kind: 'experiment', parent: 'folder', model: 'model' }),
    ])
    await expect(trashFile(place, 'model')).rejects.toMatchObject({ code: 'model-in-use' })
    await trashFile(place, 'folder')
    expect((await get('model', place))?.trashedAt).not.toBeNull()
    // The server's list from before does not bring back what went along with the folder.
    await mirrorFiles(place.user.id, [listed('folder', 'folder', { kind: 'folder' }), listed('model', 'model', { parent: 'folder' })])
    expect((await get('model', place))?.trashedAt).not.toBeNull()
  })
})

describe('what the server refused', () => {
  it('keeps what depends on it waiting: files in a folder that could not be made', async () => {
    const folder = await make('folder', 'F', null, place)
    await make('model', 'M', folder, place)
    const server = catalogue(call => (call.startsWith('create folder') ? new ApiError('limit-reached', 402) : null))
    expect(await flushOutbox(place.user.id, server)).toBe('refused')
    expect(server.told).toEqual([])
    expect(await refusals()).toEqual(['limit-reached', undefined])
    await retryAll(place.user.id)
    const better = catalogue()
    expect(await flushOutbox(place.user.id, better)).toBe('done')
    expect(better.told).toHaveLength(2)
  })

  it('a taken name: another one is sent', async () => {
    const model = await make('model', 'Mine', null, place)
    await flushOutbox(place.user.id, catalogue())
    await renameFile(place, model, 'Taken')
    await flushOutbox(
      place.user.id,
      catalogue(() => new ApiError('name-taken', 409)),
    )
    const [row] = await device.outbox.toArray()
    await expect(renameChange(row!, ' ')).rejects.toMatchObject({ code: 'name-empty' })
    await renameChange(row!, 'Free')
    const server = catalogue()
    expect(await flushOutbox(place.user.id, server)).toBe('done')
    expect(server.told).toEqual([`rename ${model} Free`])
    expect((await get(model, place))?.name).toBe('Free')
  })

  it('a lost permission: the change is let go, or the content kept on this device', async () => {
    const model = await make('model', 'Shared', null, place)
    await flushOutbox(
      place.user.id,
      catalogue(() => new ApiError('no-permission', 403)),
    )
    const [row] = await device.outbox.toArray()
    await retryChange(row!.seq!)
    expect(await refusals()).toEqual([undefined])
    const copy = await keepOnDevice(place.user.id, model, 'Shared')
    expect(await get(copy!)).toMatchObject({ name: 'Shared', user: DEVICE_USER })
    expect(Object.keys((await readFile(local, copy!)).elements)).toHaveLength(1)
    expect(await get(model, place)).toBeUndefined()
    expect(await device.outbox.count()).toBe(0)
    expect(await device.dirty.count()).toBe(0)
  })

  it('letting a change go takes the file with it only when the server never knew it', async () => {
    const model = await make('model', 'M', null, place)
    await flushOutbox(place.user.id, catalogue())
    await remarkFile(place, model, 'x')
    await dismissChange((await device.outbox.toArray())[0]!)
    expect(await get(model, place)).toBeDefined()
    const other = await make('model', 'N', null, place)
    await dismissChange((await device.outbox.toArray())[0]!)
    expect(await get(other, place)).toBeUndefined()
    expect(await device.docs.get([place.user.id, other])).toBeUndefined()
  })

  it('edits it does not take say why, and are sent again until it does', async () => {
    const model = await make('model', 'M', null, place)
    await device.outbox.clear()
    const copyName = (name: string): string => name
    expect(await pushDirty(place, copyName, { pushUpdate: () => Promise.reject(new ApiError('storage-full', 507)) })).toBe(1)
    expect((await device.docs.get([place.user.id, model]))?.refused).toBe('storage-full')
    expect(await pushDirty(place, copyName, { pushUpdate: () => Promise.resolve() })).toBe(0)
    expect((await device.docs.get([place.user.id, model]))?.refused).toBeUndefined()
  })
})

describe('rows of an older version', () => {
  it('are completed when the database is opened', async () => {
    const { Device } = await import('../../client/local/device.ts')
    const { Dexie } = await import('dexie')
    const name = 'older'
    const old = new Dexie(name)
    old.version(1).stores({
      docs: '[user+id], user',
      dirty: '[user+id+tab], [user+id], user',
      files: '[user+id], user',
      outbox: '++seq, user, [user+file]',
      settings: 'key',
    })
    await old.table('files').put({ user: 'u', id: 'f', name: 'F', kind: 'model', team: 't', role: 'owner' })
    old.close()
    const now = new Device(name)
    expect(await now.files.get(['u', 'f'])).toMatchObject({ name: 'F', parent: null, tags: [], favourite: false, remark: '' })
    now.close()
  })
})
