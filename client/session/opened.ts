// The life of an open document: the known row, its sketch, the disk, the server's copy, the line.
import * as Y from 'yjs'
import { createStore } from 'zustand/vanilla'
import { modelOf, watchModel } from '../../model-schema/document.ts'
import { createUndo } from '../../model-schema/edit.ts'
import type { Control, Role } from '../../sync-server/protocol.ts'
import { diskName } from '../local/device.ts'
import type { DocRow } from '../local/device.ts'
import { holdDocument } from '../local/locks.ts'
import type { Access, Lamps, Modelled, Session, World } from '../session.ts'
import { rowOf, takeAhead } from './ahead.ts'
import { Connection, type LineState } from './connection.ts'
import { Disk } from './disk.ts'
import { listen } from './listening.ts'
import { Presence, type Peer, type Showing } from './presence.ts'
import { Sketch } from './sketch.ts'
import { firstStatus, statusAfter, type StatusEvent } from './status.ts'
import { Tabs } from './tabs.ts'
import { SessionError, type Remote, type DocumentTarget } from './target.ts'

/** At most so many milliseconds a sketch is waited for to be drawn. */
const patienceMs = 400

export class OpenedSession implements Session {
  readonly docId: string
  readonly target: DocumentTarget
  readonly doc = new Y.Doc()
  readonly undo = createUndo(this.doc)
  readonly model = createStore<Modelled>(() => ({ model: modelOf(this.doc) }))
  readonly access
  readonly lamps
  readonly peers = createStore<{ peers: Peer[] }>(() => ({ peers: [] }))
  readonly ready: Promise<void>
  readonly shown: Promise<void>

  readonly #world: World
  /** A large model is seen before it is read. */
  readonly #isSketched: boolean
  readonly #remote: Remote | null
  readonly #presence: Presence
  readonly #tab = crypto.randomUUID()
  readonly #controls = new Set<(message: Control) => void>()
  /** Called when the document is closed. */
  readonly #companions: (() => void)[] = []
  readonly #ahead
  readonly #seen = Promise.withResolvers<void>()
  readonly #drawn = Promise.withResolvers<void>()
  readonly #letGo: () => void
  #connection: Connection | null = null
  #disk: Disk | null = null
  #tabs: Tabs | null = null
  /** What the damaged copy on this device held. */
  #stash: Uint8Array | null = null
  #sketch: Sketch | null = null
  #isClosed = false

  constructor(target: DocumentTarget, world: World, isSketched: boolean) {
    const { docId, user, local } = target
    this.docId = docId
    this.target = target
    this.#world = world
    this.#isSketched = isSketched
    const { lamps, access } = firstStatus(local)
    this.lamps = createStore<Lamps>(() => lamps)
    this.access = createStore<Access>(() => access)
    this.#remote = local ? null : world.remote(target)
    this.#presence = new Presence(this.peers, user, state => this.#connection?.present(state))
    const unwatch = watchModel(this.doc, (next, { added, removed, changed }) => {
      const since = added.length + removed.length > 0 ? undefined : { model: this.model.getState().model, changed }
      this.model.setState({ model: next, since })
    })
    const unwatchPeers = this.peers.subscribe(state => this.#take({ is: 'others', count: state.peers.filter(peer => !peer.self).length }))
    this.#letGo = holdDocument(user.id, docId)
    this.#ahead = takeAhead(world.device, user.id, docId)
    this.ready = this.#start()
    this.shown = Promise.race([this.ready, this.#seen.promise])
    this.shown.catch(() => undefined)
    // A rejection that no caller awaits is not reported as unhandled.
    this.ready.catch(() => undefined)
    const unlisten = listen(this.doc, this.lamps, {
      wake: () => this.#connection?.wake(),
      cut: () => this.#connection?.cut(),
      hide: () => this.#disk?.hide(),
      leave: () => {
        this.#disk?.leave()
        this.#connection?.present(null)
      },
      back: () => {
        this.#disk?.back()
        this.#presence.announce()
      },
    })
    this.#companions.push(unlisten, unwatch, unwatchPeers)
  }

  get role(): Role {
    return this.access.getState().role
  }

  get writable(): boolean {
    return this.access.getState().writable
  }

  // Fields, so that a copy of the session has them.
  readonly drawn = (): void => this.#drawn.resolve()

  readonly presence = (patch: Showing): void => this.#presence.show(patch)

  readonly watchControl = (run: (message: Control) => void): (() => void) => {
    this.#controls.add(run)
    return () => void this.#controls.delete(run)
  }

  readonly whenClosed = (run: () => void): void => {
    if (this.#isClosed) run()
    else this.#companions.push(run)
  }

  readonly close = (): void => {
    if (this.#isClosed) return
    this.#isClosed = true
    for (const run of this.#companions) run()
    this.#presence.close()
    this.#connection?.close()
    this.#tabs?.close()
    this.undo.destroy()
    const shut = async (): Promise<void> => {
      await this.#sketch?.close(modelOf(this.doc))
      await this.#disk?.close()
      this.doc.destroy()
      this.#letGo()
    }
    void shut().catch(warn)
  }

  #take(event: StatusEvent): void {
    const before = { lamps: this.lamps.getState(), access: this.access.getState() }
    const { lamps, access } = statusAfter(before, event)
    if (lamps !== before.lamps) this.lamps.setState(lamps, true)
    if (access !== before.access) this.access.setState(access, true)
  }

  async #start(): Promise<void> {
    const { user } = this.target
    const row = await this.#knownRow()
    if (this.#isClosed) return
    if (row !== null) this.#take({ is: 'known role', role: row.role, readable: false })
    if (row !== null && this.#isSketched) await this.#showSketch(row.epoch)
    if (this.#isClosed) return
    const loaded = row === null ? null : await this.#openDisk(row.epoch)
    if (this.#isClosed) return
    // Not before: what is shown until then is a picture.
    if (row !== null) this.#take({ is: 'known role', role: row.role, readable: true })
    if (this.#sketch !== null && this.model.getState().model !== modelOf(this.doc)) this.model.setState({ model: modelOf(this.doc) })
    // Nothing readable here: the server's copy is the document, or there is none to show.
    let epoch = row?.epoch
    if (loaded === null || loaded === 0) {
      if (this.#remote !== null) epoch = await this.#fetchState(this.#remote, row, loaded)
      else if (row === null) throw new SessionError('no-document')
    }
    if (this.#isClosed || epoch === undefined) return
    await this.#world.device.docs.update([user.id, this.docId], { openedAt: Date.now() }).catch(warn)
    if (this.#isSketched) this.#keepSketches(epoch)
    if (this.#remote !== null) this.#connect(epoch, this.#remote)
  }

  async #knownRow(): Promise<DocRow | null> {
    try {
      return await (this.#ahead?.row ?? rowOf(this.#world.device, this.target.user.id, this.docId))
    } catch (error) {
      console.warn('the device database cannot be read', error)
      this.#take({ is: 'disk', state: 'failed' })
      return null
    }
  }

  /** Shows how the model was, and gives the page the time to draw it. */
  async #showSketch(epoch: string): Promise<void> {
    const early = await this.#ahead?.sketch
    this.#sketch = early?.sketch ?? new Sketch(this.#diskName(epoch))
    const kept = early ? early.kept : await this.#sketch.read()
    if (kept === null || this.#isClosed) return
    this.model.setState({ model: kept })
    this.#seen.resolve()
    await Promise.race([this.#drawn.promise, new Promise(late => setTimeout(late, patienceMs))])
  }

  #keepSketches(epoch: string): void {
    const kept = (this.#sketch ??= new Sketch(this.#diskName(epoch)))
    kept.soon(modelOf(this.doc))
    this.#companions.push(this.model.subscribe(now => kept.soon(now.model)))
  }

  #diskName(epoch: string): string {
    return diskName(this.target.user.id, this.docId, epoch)
  }

  /** Rows read, or null when the disk doesn't answer. */
  async #openDisk(epoch: string): Promise<number | null> {
    const { local } = this.target
    const key = this.#diskName(epoch)
    this.#disk = new Disk(key, this.doc, state => this.#take({ is: 'disk', state }))
    this.#tabs = new Tabs(key, this.doc, () => local || !['saved', 'saving'].includes(this.lamps.getState().server))
    const loaded = await this.#disk.load()
    this.#tabs.meet()
    if (loaded === null) return null
    if (loaded.damaged > 0) {
      this.#take({ is: 'disk damaged' })
      // What builds on a lost row can't be shown, nor may it be sent; it is tried again on the server's copy.
      this.#stash = Y.encodeStateAsUpdate(this.doc)
      this.#dropPending()
      // No server has another copy.
      if (local) this.#mend()
    }
    return loaded.rows
  }

  async #fetchState(server: Remote, row: DocRow | null, loaded: number | null): Promise<string> {
    const { device } = this.#world
    const { user } = this.target
    try {
      const state = await server.state()
      if (this.#isClosed) return state.epoch
      if (row !== null && row.epoch !== state.epoch) throw new SessionError('epoch')
      this.#setRole(state.role)
      if (row === null) {
        await device.docs.put({ user: user.id, id: this.docId, epoch: state.epoch, role: state.role, openedAt: Date.now() }).catch(warn)
        await this.#openDisk(state.epoch)
      }
      Y.applyUpdate(this.doc, state.update, 'state')
      return state.epoch
    } catch (error) {
      if (error instanceof SessionError) {
        this.#take({ is: 'state refused', code: error.code === 'unreachable' ? null : error.code })
        throw error
      }
      // A document made here and never opened before is complete although it has no rows yet.
      if (row !== null && loaded === 0) return row.epoch
      this.#take({ is: 'state unreachable' })
      throw new SessionError('unreachable')
    }
  }

  #connect(epoch: string, line: Remote): void {
    const { device } = this.#world
    const { user } = this.target
    const [docId, tab] = [this.docId, this.#tab]
    this.#connection = new Connection(this.doc, docId, epoch, line, {
      state: state => this.#lineIs(state),
      ended: code => {
        if (code === 'no-access' || code === 'no-document') this.#presence.close()
        this.#take({ is: 'ended', code })
      },
      hello: hello => {
        this.#presence.announce()
        this.#setRole(hello.role)
        this.#take({ is: 'min writer', format: hello.minWriter })
      },
      role: (role, refused) => this.#setRole(role, refused),
      unacked: () => void device.dirty.put({ user: user.id, id: docId, tab, at: Date.now() }).catch(warn),
      acked: () => void device.dirty.delete([user.id, docId, tab]).catch(warn),
      control: message => {
        if (message.type === 'quota') this.#take({ is: 'quota' })
        for (const run of this.#controls) run(message)
      },
      peers: awareness => this.#presence.read(awareness),
    })
    this.#connection.open()
  }

  #lineIs(state: LineState): void {
    this.#take({ is: 'line', state })
    if (state === 'offline') this.#tabs?.meet()
    if (state === 'saved') this.#mend()
  }

  /** The user's role from the server; remembered on this device. */
  #setRole(role: Role, refused = false): void {
    this.#take({ is: 'role', role, refused })
    void this.#world.device.docs.update([this.target.user.id, this.docId], { role }).catch(warn)
  }

  /** After a damaged copy met the server's: brings in what builds on it, and drops what builds on nothing. */
  #mend(): void {
    if (this.#stash === null) return
    const update = this.#stash
    this.#stash = null
    Y.applyUpdate(this.doc, update, 'mended')
    this.#dropPending()
    void this.#disk?.mended()
  }

  #dropPending(): void {
    this.doc.store.pendingStructs = null
    this.doc.store.pendingDs = null
  }
}

function warn(error: unknown): void {
  console.warn('the device database', error)
}
