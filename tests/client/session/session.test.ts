// A session against a real room: where each edit is said to be is where it is, through cuts, refusals, revocations, crashes and a
// disk that fails.
import 'fake-indexeddb/auto'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { carriedBy, tellDrags } from '../../../client/editor/chrome/useDrags.ts'
import { Editor } from '../../../client/editor/editor.ts'
import { Device } from '../../../client/local/device.ts'
import { openSession, readAhead, viewOnly } from '../../../client/session.ts'
import type { Session, World } from '../../../client/session.ts'
import { takeAhead } from '../../../client/session/ahead.ts'
import { readDisk, writeDisk } from '../../../client/session/disk.ts'
import { keepBeside, readBeside } from '../../../client/session/rows.ts'
import { SessionError } from '../../../client/session/target.ts'
import { modelOf, newDocument } from '../../../model-schema/document.ts'
import { place, remove } from '../../../model-schema/edit.ts'
import type { Model } from '../../../model-schema/model.ts'
import { CLOSE, MESSAGE } from '../../../sync-server/protocol.ts'
import type { Role } from '../../../sync-server/protocol.ts'
import * as Y from 'yjs'
import { startRelay } from '../../help/network/relay.ts'
import type { Relay } from '../../help/network/relay.ts'

let docId = ''
let relay: Relay
let open: Session[] = []
let devices: Device[] = []
let count = 0

beforeEach(async () => {
  // Another document each time: the fake IndexedDB lives as long as the file.
  docId = `document-${count++}`
  relay = await startRelay(docId)
})

afterEach(async () => {
  for (const session of open) session.close()
  open = []
  await relay.stop()
  for (const device of devices) device.close()
  devices = []
})

/** A device database of its own: another browser. */
function newDevice(): Device {
  const device = new Device(`device-${count++}`)
  devices.push(device)
  return device
}

type Options = { device?: Device; user?: string; role?: () => Role | null; offline?: () => boolean }

function join({ device = newDevice(), user = `user-${count++}`, role = () => 'editor', offline = () => false }: Options = {}): Session {
  const world: World = {
    device,
    remote: () => ({
      url: relay.url,
      random: () => 0,
      async ticket() {
        if (offline()) throw new Error('no network')
        const now = role()
        if (now === null) throw new SessionError('no-access')
        return relay.ticket(user, `Name of ${user}`, now)
      },
      async state() {
        if (offline()) throw new Error('no network')
        const now = role()
        if (now === null) throw new SessionError('no-access')
        return { ...relay.state(), role: now }
      },
    }),
  }
  const session = openSession({ docId, local: false, user: { id: user, name: user } }, world)
  open.push(session)
  return session
}

const server = (session: Session) => session.lamps.getState().server
const names = (model: Model) => [...model.elements.values()].map(element => element.fields['name']).filter(name => name !== undefined)
const add = (session: Session, name: string) => {
  const scenario = session.model.getState().model.scenarios[0]!
  place(session.doc, { kind: 'variable', parent: scenario, at: [0, 0], values: { name } })
}
const has = (session: Session, name: string) => names(session.model.getState().model).includes(name)
const until = (what: () => boolean | Promise<boolean>) =>
  vi.waitFor(async () => expect(await what()).toBe(true), { timeout: 200_000, interval: 10 })

describe('lamps', () => {
  it('say saved only after the server has committed', async () => {
    const one = join()
    await one.ready
    await until(() => server(one) === 'saved')
    relay.hold()
    add(one, 'Held')
    await until(() => server(one) === 'saving')
    await until(() => one.lamps.getState().device === 'saved')
    expect(server(one)).toBe('saving')
    relay.release()
    await until(() => server(one) === 'saved')
    expect(relay.committed().getMap('kind').size).toBe(2)
  })

  it('say offline without a server and saved after it is back, with the edits of both sides', async () => {
    let away = false
    const device = newDevice()
    const one = join({ device, offline: () => away })
    const two = join()
    await Promise.all([one.ready, two.ready])
    await until(() => server(one) === 'saved' && server(two) === 'saved')
    away = true
    relay.crash()
    await until(() => server(one) === 'offline')
    add(one, 'Mine')
    await until(() => server(two) === 'saved')
    add(two, 'Yours')
    await until(async () => (await device.dirty.count()) === 1)
    away = false
    await until(() => server(one) === 'saved' && has(one, 'Yours') && has(two, 'Mine'))
    await until(async () => (await device.dirty.count()) === 0)
  })

  it('count the others and know who they are from the server', async () => {
    const one = join({ user: 'ann' })
    const two = join({ user: 'bob' })
    await Promise.all([one.ready, two.ready])
    two.presence({ cursor: [3, 4], selection: ['x'], canvas: 'root' })
    await until(() => one.lamps.getState().others === 1 && two.lamps.getState().others === 1)
    await until(() => one.peers.getState().peers.some(peer => !peer.self && peer.cursor !== null))
    const peer = one.peers.getState().peers.find(peer => !peer.self)
    expect(peer).toMatchObject({ userId: 'bob', name: 'Name of bob', cursor: [3, 4], selection: ['x'], canvas: 'root' })
    two.close()
    await until(() => one.lamps.getState().others === 0)
  })
})

describe('a drag', () => {
  const edit = (session: Session): Editor => {
    const { doc, model, undo } = session
    const editor = new Editor({ doc, model, undo, writable: () => session.access.getState().writable })
    editor.view.setState({ size: { w: 1000, h: 800 } })
    editor.look({ x: 0, y: 0, zoom: 1 })
    tellDrags(editor, drag => session.presence({ drag }))
    session.presence({ canvas: editor.view.getState().canvas })
    return editor
  }

  async function two(of: Options = {}): Promise<{ ann: Session; bob: Session; hand: Editor; eye: Editor; ids: string[] }> {
    const [ann, bob] = [join({ user: 'ann', ...of }), join({ user: 'bob' })]
    await Promise.all([ann.ready, bob.ready])
    const scenario = bob.model.getState().model.scenarios[0]!
    const ids = [0, 400].map(x => place(bob.doc, { kind: 'process', parent: scenario, at: [x, 100] }) as string)
    await until(() => ids.every(id => ann.model.getState().model.elements.has(id)))
    await until(() => ann.lamps.getState().others === 1 && bob.lamps.getState().others === 1)
    return { ann, bob, hand: edit(ann), eye: edit(bob), ids }
  }

  const seen = (session: Session, eye: Editor, id: string): readonly number[] | undefined =>
    carriedBy(session.peers.getState().peers, eye.view.getState().canvas, eye.scene).get(id)

  it('is seen by the others while it lasts, without a write, and leaves nothing behind', async () => {
    const { ann, bob, hand, eye, ids } = await two()
    const [id = '', other = ''] = ids
    const before = eye.model.elements.get(id)!.geo
    let writes = 0
    for (const { doc } of [ann, bob]) doc.on('update', () => void writes++)
    hand.select(ids)
    hand.down(before[0] + 20, before[1] + 20).move(before[0] + 60, before[1] + 120, { ctrl: true })
    await until(() => seen(bob, eye, id)?.[1] === before[1] + 100)
    expect(seen(bob, eye, id)).toEqual([before[0] + 40, before[1] + 100, before[2], before[3]])
    expect(seen(bob, eye, other)?.[0]).toBe(eye.model.elements.get(other)!.geo[0] + 40)
    expect(writes).toBe(0)
    hand.cancel()
    await until(() => seen(bob, eye, id) === undefined)
    expect(eye.model.elements.get(id)!.geo).toEqual(before)
    hand
      .down(before[0] + 20, before[1] + 20)
      .move(before[0] + 60, before[1] + 120, { ctrl: true })
      .up()
    await until(() => seen(bob, eye, id) === undefined && eye.model.elements.get(id)!.geo[1] === before[1] + 100)
  })

  it('of more elements than are told one by one is a frame', async () => {
    const { bob, hand, eye } = await two()
    const { canvas } = eye.view.getState()
    for (let i = 0; i < 60; i++) place(bob.doc, { kind: 'process', parent: canvas, at: [i * 130, 400] })
    await until(() => hand.scene.count === 62)
    hand.select(hand.model.elements.get(canvas)!.children)
    hand.down(20, 120).move(20, 220, { ctrl: true })
    await until(() => bob.peers.getState().peers.some(peer => peer.drag !== null))
    expect(bob.peers.getState().peers.find(peer => peer.drag)?.drag).toMatchObject({
      ids: [],
      at: [0, 200, expect.any(Number), expect.any(Number)],
    })
  })

  it('is believed only of those who may change the document', async () => {
    const { ann, bob, eye, ids } = await two({ role: () => 'viewer' })
    ann.presence({ drag: { ids, at: [0, 0, 100, 100] }, cursor: [7, 7] })
    await until(() => bob.peers.getState().peers.some(peer => !peer.self && peer.cursor?.[0] === 7))
    expect(seen(bob, eye, ids[0]!)).toBeUndefined()
  })
})

describe('durability', () => {
  it('an edit that was never acked survives a server crash, because it is on this device', async () => {
    const device = newDevice()
    const one = join({ device, user: 'ann' })
    await one.ready
    await until(() => server(one) === 'saved')
    relay.hold()
    add(one, 'Unlucky')
    await until(() => one.lamps.getState().device === 'saved')
    relay.crash()
    await until(() => server(one) === 'saved')
    expect(names(one.model.getState().model)).toContain('Unlucky')
    expect(relay.committed().getMap('kind').size).toBe(2)
  })

  it('opens from this device when the server cannot be reached, and sends the edits of an earlier page later', async () => {
    const device = newDevice()
    let away = false
    const first = join({ device, user: 'ann', offline: () => away })
    await first.ready
    await until(() => server(first) === 'saved')
    away = true
    relay.crash()
    await until(() => server(first) === 'offline')
    add(first, 'Written offline')
    await until(() => first.lamps.getState().device === 'saved')
    first.close()
    const second = join({ device, user: 'ann', offline: () => away })
    await second.ready
    expect(has(second, 'Written offline')).toBe(true)
    expect(relay.committed().getMap('kind').size).toBe(1)
    away = false
    await until(() => server(second) === 'saved')
    expect(relay.committed().getMap('kind').size).toBe(2)
  })

  it('a lost row of the local copy comes back from the server, with what was built on it', async () => {
    const device = newDevice()
    const base = relay.state().update
    await device.docs.put({ user: 'ann', id: docId, epoch: 'epoch-one', role: 'editor', openedAt: 0 })
    const author = new Y.Doc()
    Y.applyUpdate(author, base)
    const updates: Uint8Array[] = []
    author.on('update', (update: Uint8Array) => updates.push(update))
    author.getMap('data').set('x/one', 1)
    author.getMap('data').set('x/two', 2)
    const name = `u/ann/d/${docId}/e/epoch-one`
    await writeDisk(name, base)
    // The first edit reached the server, its row here is damaged; the second is only here.
    relay.commit(updates[0]!)
    const { Dexie } = await import('dexie')
    const raw = await new Dexie(name).open()
    await raw.table('updates').add({ update: updates[0]!.slice(1), sum: 1 })
    raw.close()
    await writeDisk(name, updates[1]!)
    const one = join({ device, user: 'ann' })
    await one.ready
    expect(one.lamps.getState().notice?.code).toBe('disk-damaged')
    await until(() => server(one) === 'saved' && relay.committed().getMap('data').get('x/two') === 2)
    expect(one.doc.getMap('data').toJSON()).toMatchObject({ 'x/one': 1, 'x/two': 2 })
  })

  it('says unreachable when the document is neither here nor to be had', async () => {
    const one = join({ offline: () => true })
    await expect(one.ready).rejects.toMatchObject({ code: 'unreachable' })
  })
})

describe('roles', () => {
  it('follow the server while the document is open', async () => {
    const one = join({ user: 'ann' })
    await one.ready
    await until(() => server(one) === 'saved')
    expect(one.writable).toBe(true)
    relay.setRole('ann', 'viewer')
    await until(() => !one.writable)
    expect(one.role).toBe('viewer')
    relay.setRole('ann', 'editor')
    await until(() => one.writable)
    add(one, 'Again')
    await until(() => server(one) === 'saved' && relay.committed().getMap('kind').size === 2)
  })

  it('a viewer sees what others do, is in sync, and is told when an edit was refused', async () => {
    const viewer = join({ role: () => 'viewer' })
    const editor = join()
    await Promise.all([viewer.ready, editor.ready])
    await until(() => server(viewer) === 'saved' && server(editor) === 'saved')
    expect(viewer.writable).toBe(false)
    add(editor, 'Seen')
    await until(() => has(viewer, 'Seen'))
    add(viewer, 'Forbidden')
    await until(() => viewer.lamps.getState().notice?.code === 'read-only-edits')
    expect(has(editor, 'Forbidden')).toBe(false)
  })

  it('revocation ends the line with a clear reason and keeps what is here', async () => {
    const one = join()
    await one.ready
    await until(() => server(one) === 'saved')
    relay.dismiss(CLOSE.noAccess)
    await until(() => server(one) === 'refused')
    expect(one.lamps.getState().notice?.code).toBe('no-access')
    expect(one.writable).toBe(false)
    const attempts = relay.attempts
    const other = join()
    await other.ready
    await until(() => server(other) === 'saved')
    expect(relay.attempts).toBe(attempts + 1)
  })
})

describe('connecting', () => {
  it('takes a fresh ticket for every attempt and recovers from a refused one', async () => {
    relay.refuseNext(CLOSE.ticket)
    const one = join()
    await one.ready
    await until(() => server(one) === 'saved')
    expect(relay.refused).toEqual([CLOSE.ticket])
    relay.crash()
    await until(() => server(one) !== 'saved')
    await until(() => server(one) === 'saved')
    // Every later attempt was let in: no ticket was used twice.
    expect(relay.refused).toEqual([CLOSE.ticket])
  })

  it('answers with a fresh ticket when the server asks for one, on the same line', async () => {
    const one = join({ user: 'ann' })
    await one.ready
    await until(() => server(one) === 'saved')
    const attempts = relay.attempts
    expect(relay.renew()).toBe(1)
    await until(() => relay.renewed.length === 1)
    expect(relay.renew()).toBe(1)
    await until(() => relay.renewed.length === 2)
    add(one, 'Afterwards')
    await until(() => server(one) === 'saved')
    expect(relay.renewed).toEqual(['ann', 'ann'])
    expect(relay.attempts).toBe(attempts)
    expect(relay.refused).toEqual([])
  })

  it('ends when it is asked for a ticket it can have no more; stays when no server gives tickets just now', async () => {
    let away = false
    let role: Role | null = 'editor'
    const one = join({ offline: () => away, role: () => role })
    await one.ready
    await until(() => server(one) === 'saved')
    away = true
    relay.renew()
    add(one, 'Still here')
    await until(() => relay.committed().getMap('kind').size === 2 && server(one) === 'saved')
    expect(relay.renewed).toEqual([])
    away = false
    role = null
    relay.renew()
    await until(() => one.lamps.getState().notice?.code === 'no-access')
    await until(() => relay.peers === 0)
  })

  it.each([
    [CLOSE.noDocument, 'no-document'],
    [CLOSE.upgradeRequired, 'upgrade'],
    [CLOSE.tooLarge, 'too-large'],
    [CLOSE.badMessage, 'refused'],
  ])('stops for good at close code %i', async (code, notice) => {
    relay.refuseNext(code)
    const one = join()
    await one.ready
    await until(() => one.lamps.getState().notice?.code === notice)
    expect(server(one)).toBe('refused')
  })

  it('comes back after a drain, at the time the server asked for', async () => {
    const one = join()
    await one.ready
    await until(() => server(one) === 'saved')
    const seen: number[] = []
    const forget = one.lamps.subscribe(({ server: now }, { server: before }) => {
      if (now !== before) seen.push(performance.now())
    })
    const drained = performance.now()
    relay.drain(300)
    await until(() => seen.length > 1 && server(one) === 'saved')
    forget()
    // Timers may be early by a millisecond.
    expect((seen.at(-1) ?? NaN) - drained).toBeGreaterThanOrEqual(299)
  })

  it.each([
    ['a role that is no JSON', MESSAGE.role, 'owner'],
    ['a role this page does not know', MESSAGE.role, '{"role":"emperor","reason":"changed"}'],
    ['a hello without its parts', MESSAGE.hello, '{"protocol":1}'],
    ['a drain without a time', MESSAGE.drain, '{}'],
  ])('connection: %s is reported, and the next line has all edits', async (_, type, text) => {
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const one = join()
    await one.ready
    await until(() => server(one) === 'saved')
    const before = relay.attempts
    relay.say(type, text)
    await until(() => relay.attempts > before)
    add(one, 'After')
    await until(() => server(one) === 'saved' && relay.committed().getMap('kind').size === 2)
    expect(warned).toHaveBeenCalledWith('a frame of the server could not be read')
    warned.mockRestore()
  })

  it('connection: a hint of a newer server is left out', async () => {
    const one = join()
    await one.ready
    await until(() => server(one) === 'saved')
    const before = relay.attempts
    relay.say(MESSAGE.control, '{"type":"moon-risen","docId":"x"}')
    add(one, 'After')
    await until(() => server(one) === 'saved' && relay.committed().getMap('kind').size === 2)
    expect(relay.attempts).toBe(before)
  })

  it('does not merge another lineage: notice, no more writing', async () => {
    const one = join()
    await one.ready
    await until(() => server(one) === 'saved')
    add(one, 'Old lineage')
    await until(() => server(one) === 'saved')
    relay.replace('epoch-two')
    await until(() => one.lamps.getState().notice?.code === 'epoch')
    expect(has(one, 'Old lineage')).toBe(true)
    expect(relay.committed().getMap('kind').size).toBe(1)
  })

  it('survives a client id that somebody else uses: rebuilt, still in sync', async () => {
    const one = join({ user: 'ann' })
    const two = join({ user: 'bob' })
    await Promise.all([one.ready, two.ready])
    await until(() => server(one) === 'saved' && server(two) === 'saved')
    const errors = vi.spyOn(console, 'error')
    const before = one.doc.clientID
    const foreign = new Y.Doc()
    Y.applyUpdate(foreign, Y.encodeStateAsUpdate(one.doc))
    foreign.clientID = before
    foreign.getMap('meta').set('note', 'from a copied page')
    Y.applyUpdate(one.doc, Y.encodeStateAsUpdate(foreign), 'copied page')
    expect(one.doc.clientID).not.toBe(before)
    await until(() => server(one) === 'saved')
    add(two, 'Afterwards')
    await until(() => has(one, 'Afterwards'))
    await until(() => one.lamps.getState().others === 1 && two.lamps.getState().others === 1)
    expect(errors).not.toHaveBeenCalled()
    errors.mockRestore()
  })
})

describe('documents of this device', () => {
  it('need no server, and two tabs of one meet', async () => {
    const device = newDevice()
    const world: World = {
      device,
      remote: () => {
        throw new Error('no server may be asked')
      },
    }
    await device.docs.put({ user: 'device', id: docId, epoch: 'e-1', role: 'owner', openedAt: 0 })
    await writeDisk(`u/device/d/${docId}/e/e-1`, relay.state().update)
    const target = { docId, local: true, user: { id: 'device', name: 'Me' } }
    const one = openSession(target, world)
    const two = openSession(target, world)
    open.push(one, two)
    await Promise.all([one.ready, two.ready])
    expect(server(one)).toBe('none')
    add(one, 'In one tab')
    await until(() => has(two, 'In one tab'))
    await until(() => one.lamps.getState().device === 'saved')
  })

  it('that are not here are said not to exist', async () => {
    const session = openSession(
      { docId: 'unknown-document', local: true, user: { id: 'device', name: 'Me' } },
      {
        device: newDevice(),
        remote: () => {
          throw new Error('no server')
        },
      },
    )
    open.push(session)
    await expect(session.ready).rejects.toMatchObject({ code: 'no-document' })
  })
})

describe('a large document', () => {
  const world = (device: Device): World => ({
    device,
    remote: () => {
      throw new Error('no server may be asked')
    },
  })
  const target = () => ({ docId, local: true, user: { id: 'device', name: 'Me' } })
  const disk = () => `u/device/d/${docId}/e/e-1`

  /** A document of so many variables that was open once, on a device that knows it. */
  async function opened(variables: number): Promise<Device> {
    const device = newDevice()
    await device.docs.put({ user: 'device', id: docId, epoch: 'e-1', role: 'owner', openedAt: 0 })
    const doc = newDocument('Large')
    const [scenario = ''] = modelOf(doc).scenarios
    doc.transact(() => {
      for (let i = 0; i < variables; i++) place(doc, { kind: 'variable', parent: scenario, at: [i * 10, 0], values: { name: `v_${i}` } })
    })
    await writeDisk(disk(), Y.encodeStateAsUpdate(doc))
    const session = openSession(target(), world(device), true)
    await session.ready
    session.close()
    await until(async () => variables < 300 || (await readBeside(disk())) !== undefined)
    return device
  }

  it('is seen as it was before it is read, and can be edited only then', async () => {
    const device = await opened(320)
    const other = new Y.Doc()
    Y.applyUpdate(other, (await readDisk(disk())) ?? new Uint8Array([0, 0]))
    place(other, { kind: 'variable', parent: modelOf(other).scenarios[0]!, at: [0, 90], values: { name: 'since' } })
    await writeDisk(disk(), Y.encodeStateAsUpdate(other))
    const session = openSession(target(), world(device), true)
    open.push(session)
    await session.shown
    expect(session.model.getState().model.elements.size).toBe(321)
    expect(session.doc.getMap('kind').size).toBe(0)
    expect(session.writable).toBe(false)
    session.drawn()
    await session.ready
    expect(session.writable).toBe(true)
    expect(has(session, 'since')).toBe(true)
    expect(session.model.getState().model).toBe(modelOf(session.doc))
  })

  it('that was read ahead is shown without reading it again, once', async () => {
    const device = await opened(320)
    await readAhead(device, 'device', docId)
    // A second read would find nothing.
    await keepBeside(disk(), undefined)
    const session = openSession(target(), world(device), true)
    open.push(session)
    await session.shown
    expect(session.model.getState().model.elements.size).toBe(321)
    expect(session.doc.getMap('kind').size).toBe(0)
    expect(takeAhead(device, 'device', docId)).toBeNull()
    session.drawn()
    await session.ready
    expect(session.model.getState().model).toBe(modelOf(session.doc))
  })

  it('that was read ahead of another document, or for another person, is not shown', async () => {
    const device = await opened(320)
    void readAhead(device, 'device', 'another')
    expect(takeAhead(device, 'device', docId)).toBeNull()
    expect(takeAhead(device, 'somebody', 'another')).toBeNull()
    expect(takeAhead(newDevice(), 'device', 'another')).toBeNull()
    const taken = takeAhead(device, 'device', 'another')
    expect(await taken?.row).toBeNull()
    expect(await taken?.sketch).toBeNull()
    expect(takeAhead(device, 'device', 'another')).toBeNull()
  })

  it('is not shown as another build of the app kept it', async () => {
    const device = await opened(320)
    await keepBeside(disk(), { build: 'another', model: { elements: new Map() } })
    const session = openSession(target(), world(device), true)
    open.push(session)
    await session.shown
    expect(session.model.getState().model).toBe(modelOf(session.doc))
    expect(session.model.getState().model.elements.size).toBe(321)
  })

  it('that became small is read as small ones are', async () => {
    const device = await opened(320)
    const session = openSession(target(), world(device), true)
    await session.ready
    const { scenarios, elements } = session.model.getState().model
    remove(session.doc, [...elements.keys()].filter(id => id !== scenarios[0]).slice(5))
    session.close()
    await until(async () => (await readBeside(disk())) === undefined)
    const again = openSession(target(), world(device), true)
    open.push(again)
    await again.shown
    expect(again.model.getState().model.elements.size).toBe(6)
  })
})

describe('a session to view only', () => {
  it('is read-only for an editor, and follows what others change', async () => {
    const [ann, bob] = [join(), join()]
    await Promise.all([ann.ready, bob.ready])
    const viewed = viewOnly(ann)
    expect([ann.writable, viewed.writable, viewed.access.getState().writable, viewed.role]).toEqual([true, false, false, 'viewer'])
    place(bob.doc, { kind: 'variable', parent: [...modelOf(bob.doc).roots][0]!, at: [0, 0] })
    await vi.waitFor(() => expect(viewed.model.getState().model.elements.size).toBe(bob.model.getState().model.elements.size), {
      timeout: 200_000,
    })
    expect(viewed.model.getState().model.elements.size).toBeGreaterThan(1)
  })
})
