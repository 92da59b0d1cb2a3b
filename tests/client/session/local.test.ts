// What this device keeps: files made without a network, the outbox that the server gets later, edits pushed without opening, and
// copies of what could not be merged.
import 'fake-indexeddb/auto'
import { beforeEach, describe, expect, it } from 'vitest'
import * as Y from 'yjs'
import { ApiError } from '../../../client/api.ts'
import { claimDeviceFiles } from '../../../client/local/claim.ts'
import { device, diskName } from '../../../client/local/device.ts'
import {
  addContent,
  createFile,
  deleteFile,
  duplicateFile,
  freeName,
  mirrorFiles,
  readFile,
  renameFile,
  restoreFile,
  trashFile,
} from '../../../client/local/files.ts'
import { DEVICE_USER, devicePlace } from '../../../client/local/place.ts'
import type { Place } from '../../../client/local/place.ts'
import { holdDocument } from '../../../client/local/locks.ts'
import { flushOutbox, isUntold, note } from '../../../client/local/outbox.ts'
import { pushDirty, recoverCopy } from '../../../client/local/push.ts'
import { readDisk, writeDisk } from '../../../client/session/disk.ts'
import { newDocument } from '../../../model-schema/document.ts'
import { catalogue, listed } from '../../help/network/catalogue.ts'

let count = 0
let place: Place
const local = devicePlace('Me')

beforeEach(async () => {
  place = { user: { id: `user-${count++}`, name: 'Ann' }, team: 'team-1', local: false }
  await Promise.all(device.tables.map(table => table.clear()))
})

const offline = new ApiError('network', 0)
const fileNames = async (user = place.user.id) => (await device.files.where('user').equals(user).toArray()).map(file => file.name).sort()

describe('files made without a network', () => {
  it('are complete at once: listed, with content, waiting to be told and pushed', async () => {
    const file = await createFile(place, 'First', null)
    expect(await fileNames()).toEqual(['First'])
    expect(Object.values((await readFile({ ...place, local: true }, file.id)).elements).map(element => element.kind)).toEqual(['scenario'])
    expect(await isUntold(place.user.id, file.id)).toBe(true)
    expect(await device.dirty.count()).toBe(1)
  })

  it('get a free name, whatever the case of the letters', async () => {
    await createFile(local, 'Model', null)
    expect(await freeName(local, 'MODEL')).toBe('MODEL (2)')
    expect((await createFile(local, 'Model', null)).name).toBe('Model (2)')
  })

  it('can be renamed, copied, trashed, restored and deleted', async () => {
    const file = await createFile(local, 'One', null)
    await renameFile(local, file.id, ' Two ')
    await expect(renameFile(local, file.id, '  ')).rejects.toMatchObject({ code: 'name-empty' })
    const copy = await duplicateFile(local, file.id, 'Two')
    expect(copy.name).toBe('Two (2)')
    await expect(renameFile(local, copy.id, 'two')).rejects.toMatchObject({ code: 'name-taken' })
    await trashFile(local, file.id)
    await renameFile(local, copy.id, 'Two')
    await restoreFile(local, file.id)
    expect(await fileNames(DEVICE_USER)).toEqual(['Two', 'Two (2)'])
    const row = await device.docs.get([DEVICE_USER, file.id])
    await deleteFile(local, file.id)
    expect(await fileNames(DEVICE_USER)).toEqual(['Two'])
    expect(await readDisk(diskName(DEVICE_USER, file.id, row!.epoch))).toBeNull()
    expect(await device.outbox.count()).toBe(0)
  })
})

describe('the outbox', () => {
  it('tells everything in order, once', async () => {
    await note(place.user.id, 'f1', { do: 'create', name: 'A', epoch: 'e' })
    await note(place.user.id, 'f1', { do: 'rename', name: 'B' })
    await note(place.user.id, 'f1', { do: 'trash' })
    const server = catalogue()
    expect(await flushOutbox(place.user.id, server)).toBe('done')
    expect(server.told).toEqual(['create model f1 in top', 'rename f1 B', 'trash f1'])
    expect(await flushOutbox(place.user.id, server)).toBe('done')
    expect(server.told).toHaveLength(3)
  })

  it('waits for the network and goes on where it stopped', async () => {
    await note(place.user.id, 'f1', { do: 'rename', name: 'A' })
    await note(place.user.id, 'f2', { do: 'rename', name: 'B' })
    let up = false
    const server = catalogue(call => (up || call.includes('f1') ? null : offline))
    expect(await flushOutbox(place.user.id, server)).toBe('offline')
    up = true
    expect(await flushOutbox(place.user.id, server)).toBe('done')
    expect(server.told).toEqual(['rename f1 A', 'rename f2 B'])
  })

  it('keeps what was refused, with the reason, and does not let it stop others', async () => {
    await note(place.user.id, 'f1', { do: 'create', name: 'A', epoch: 'e' })
    await note(place.user.id, 'f1', { do: 'rename', name: 'B' })
    await note(place.user.id, 'f2', { do: 'trash' })
    const server = catalogue(call => (call.startsWith('create') ? new ApiError('no-permission', 403) : null))
    expect(await flushOutbox(place.user.id, server)).toBe('refused')
    expect(server.told).toEqual(['trash f2'])
    const rows = await device.outbox.where('user').equals(place.user.id).sortBy('seq')
    expect(rows.map(row => row.refused)).toEqual(['no-permission', undefined])
    expect(await flushOutbox(place.user.id, server)).toBe('done')
    expect(server.told).toEqual(['trash f2'])
  })

  it('counts a file that is gone as deleted', async () => {
    await note(place.user.id, 'f1', { do: 'delete' })
    expect(
      await flushOutbox(
        place.user.id,
        catalogue(() => new ApiError('not-found', 404)),
      ),
    ).toBe('done')
    expect(await device.outbox.count()).toBe(0)
  })

  it('waits when signed out or told to slow down, rather than giving up', async () => {
    await note(place.user.id, 'f1', { do: 'trash' })
    expect(
      await flushOutbox(
        place.user.id,
        catalogue(() => new ApiError('signed-out', 401)),
      ),
    ).toBe('offline')
    expect(
      await flushOutbox(
        place.user.id,
        catalogue(() => new ApiError('too-many-requests', 429)),
      ),
    ).toBe('offline')
    expect(await device.outbox.count()).toBe(1)
  })
})

describe('the mirrored catalogue', () => {
  it('is the server’s list, with what was not told yet laid over it', async () => {
    await mirrorFiles(place.user.id, [listed('f1', 'Old name'), listed('f2', 'Second')])
    await device.files.update([place.user.id, 'f1'], { name: 'New name' })
    await note(place.user.id, 'f1', { do: 'rename', name: 'New name' })
    const made = await createFile({ ...place, local: false }, 'Made here', null)
    await mirrorFiles(place.user.id, [listed('f1', 'Old name')])
    expect(await fileNames()).toEqual(['Made here', 'New name'])
    expect(made.name).toBe('Made here')
    await device.outbox.clear()
    await mirrorFiles(place.user.id, [listed('f1', 'New name')])
    expect(await fileNames()).toEqual(['New name'])
  })

  it('says what a workspace has more of than its plan allows, until it has not', async () => {
    const overLimit = { quantity: 'models', used: 12, allowed: 10 }
    await mirrorFiles(place.user.id, [{ ...listed('f1', 'A'), overLimit }])
    expect((await device.files.get([place.user.id, 'f1']))?.overLimit).toEqual(overLimit)
    await mirrorFiles(place.user.id, [{ ...listed('f1', 'A'), overLimit: null }])
    expect((await device.files.get([place.user.id, 'f1']))?.overLimit).toBe(null)
  })

  it('says what a file has more of than the plan allows, until it has not', async () => {
    const beyondPlan = { quantity: 'components', used: 612, allowed: 500, isOwners: false }
    await mirrorFiles(place.user.id, [{ ...listed('f1', 'A'), beyondPlan }])
    expect((await device.files.get([place.user.id, 'f1']))?.beyondPlan).toEqual(beyondPlan)
    await mirrorFiles(place.user.id, [listed('f1', 'A')])
    expect((await device.files.get([place.user.id, 'f1']))?.beyondPlan).toBe(null)
  })

  it('says that a file may only be viewed, until the restriction is lifted', async () => {
    await mirrorFiles(place.user.id, [listed('f1', 'A', { role: 'viewer', onlyView: true })])
    expect((await device.files.get([place.user.id, 'f1']))?.onlyView).toBe(true)
    await mirrorFiles(place.user.id, [listed('f1', 'A')])
    expect((await device.files.get([place.user.id, 'f1']))?.onlyView).toBe(false)
  })

  it('remembers when a file was opened here', async () => {
    await mirrorFiles(place.user.id, [listed('f1', 'A')])
    await device.files.update([place.user.id, 'f1'], { openedAt: '2026-05-05T00:00:00.000Z' })
    await mirrorFiles(place.user.id, [{ ...listed('f1', 'A'), openedAt: '2026-02-02T00:00:00.000Z' }])
    expect((await device.files.get([place.user.id, 'f1']))?.openedAt).toBe('2026-05-05T00:00:00.000Z')
  })

  it('never mixes two people of one browser', async () => {
    await mirrorFiles('ann', [listed('f1', 'Ann’s')])
    await mirrorFiles('bob', [listed('f2', 'Bob’s')])
    await mirrorFiles('ann', [])
    expect(await fileNames('ann')).toEqual([])
    expect(await fileNames('bob')).toEqual(['Bob’s'])
  })
})

describe('pushing without opening', () => {
  const copyName = (name: string) => `${name} (copy)`

  /** A document of this person with an edit the server has not confirmed. */
  async function edited(id: string): Promise<Uint8Array> {
    const update = Y.encodeStateAsUpdate(newDocument('Edited'))
    await device.docs.put({ user: place.user.id, id, epoch: 'e1', role: 'owner', openedAt: 0 })
    await mirrorFiles(place.user.id, [listed(id, 'Edited')])
    await writeDisk(diskName(place.user.id, id, 'e1'), update)
    await device.dirty.put({ user: place.user.id, id, tab: 'gone', at: 1 })
    return update
  }

  it('sends what is stored and forgets that it was unconfirmed', async () => {
    const update = await edited('doc-push-1')
    const sent: { id: string; epoch: string; update: Uint8Array }[] = []
    const left = await pushDirty(place, copyName, { pushUpdate: async (id, epoch, update) => void sent.push({ id, epoch, update }) })
    expect(left).toBe(0)
    expect(sent).toHaveLength(1)
    expect(sent[0]).toMatchObject({ id: 'doc-push-1', epoch: 'e1' })
    const [doc, original] = [new Y.Doc(), new Y.Doc()]
    Y.applyUpdate(doc, sent[0]!.update)
    Y.applyUpdate(original, update)
    expect(doc.getMap('kind').toJSON()).toEqual(original.getMap('kind').toJSON())
    expect(await device.dirty.count()).toBe(0)
  })

  it('keeps it for later without a network', async () => {
    await edited('doc-push-2')
    const left = await pushDirty(place, copyName, { pushUpdate: () => Promise.reject(offline) })
    expect(left).toBe(1)
    expect(await device.dirty.count()).toBe(1)
  })

  it('keeps what was written while it was sending', async () => {
    await edited('doc-push-3')
    await pushDirty(place, copyName, {
      async pushUpdate() {
        await device.dirty.put({ user: place.user.id, id: 'doc-push-3', tab: 'gone', at: 2 })
      },
    })
    expect(await device.dirty.count()).toBe(1)
  })

  it('leaves documents alone that are open somewhere', async () => {
    await edited('doc-push-4')
    const release = holdDocument(place.user.id, 'doc-push-4')
    const sent: string[] = []
    await pushDirty(place, copyName, { pushUpdate: async id => void sent.push(id) })
    expect(sent).toEqual([])
    release()
    await pushDirty(place, copyName, { pushUpdate: async id => void sent.push(id) })
    expect(sent).toEqual(['doc-push-4'])
  })

  it('does not send to a document the server has not heard of', async () => {
    await edited('doc-push-5')
    await note(place.user.id, 'doc-push-5', { do: 'create', name: 'Edited', epoch: 'e1' })
    const sent: string[] = []
    expect(await pushDirty(place, copyName, { pushUpdate: async id => void sent.push(id) })).toBe(1)
    expect(sent).toEqual([])
  })

  it('makes a copy of edits whose document was replaced on the server', async () => {
    const update = await edited('doc-push-6')
    await pushDirty(place, copyName, { pushUpdate: () => Promise.reject(new ApiError('epoch-changed', 409)) })
    expect(await fileNames()).toEqual(['Edited', 'Edited (copy)'])
    const copy = (await device.files.where('user').equals(place.user.id).toArray()).find(file => file.name === 'Edited (copy)')
    const row = await device.docs.get([place.user.id, copy!.id])
    expect(await readDisk(diskName(place.user.id, copy!.id, row!.epoch))).toEqual(update)
    expect(await device.docs.get([place.user.id, 'doc-push-6'])).toBeUndefined()
  })

  it('makes no copy when everything was confirmed', async () => {
    await edited('doc-push-7')
    await device.dirty.clear()
    expect(await recoverCopy(place, 'doc-push-7', copyName)).toBeNull()
    expect(await fileNames()).toEqual(['Edited'])
  })
})

describe('claiming the device’s models', () => {
  it('moves content and names into the account, beside what is there', async () => {
    const one = await createFile(local, 'Model', null)
    await createFile(local, 'Other', null)
    await addContent(place, 'Model', Y.encodeStateAsUpdate(newDocument('There already')))
    const before = await readFile(local, one.id)
    expect(await claimDeviceFiles(place)).toBe(2)
    expect(await fileNames(DEVICE_USER)).toEqual([])
    expect(await fileNames()).toEqual(['Model', 'Model (2)', 'Other'])
    expect(await readFile({ ...place, local: true }, one.id)).toEqual(before)
    expect(await isUntold(place.user.id, one.id)).toBe(true)
  })
})
