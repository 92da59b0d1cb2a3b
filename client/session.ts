// An open document. The document lives here first: it is read from this device, shown and editable, and then the line to the
// server is opened. Three lamps say where each edit is: on this device, on the server, with others.
//
//   disk ──rows──▶ Y.Doc ──watchModel──▶ model store ──▶ React, canvas
//                   │ ▲
//                   ▼ │ updates
//                 relay (connection), or other tabs when there is no server between them
import * as Y from 'yjs'
import { createStore } from 'zustand/vanilla'
import type { StoreApi } from 'zustand/vanilla'
import { modelOf, watchModel } from '../model-schema/document.ts'
import { createUndo } from '../model-schema/edit.ts'
import { SCHEMA } from '../model-schema/integrity.ts'
import type { Id, Model } from '../model-schema/model.ts'
import { canWrite } from '../sync-server/protocol.ts'
import type { Control, Role } from '../sync-server/protocol.ts'
import { device, diskName, keepStorage } from './local/device.ts'
import type { Device, DocRow } from './local/device.ts'
import { holdDocument } from './local/locks.ts'
import { rowOf, takeAhead } from './session/ahead.ts'
import { Connection } from './session/connection.ts'
import type { LineState } from './session/connection.ts'
import { Disk } from './session/disk.ts'
import { browserRemote } from './session/remote.ts'
import { Presence } from './session/presence.ts'
import { Sketch } from './session/sketch.ts'
import type { Peer, Showing } from './session/presence.ts'
import { Tabs } from './session/tabs.ts'
import { SessionError } from './session/target.ts'
import type { Ending, Remote, Target } from './session/target.ts'

export type { Peer } from './session/presence.ts'
export { readAhead } from './session/ahead.ts'
export { caretAt, spanOf } from './session/carets.ts'
export type { Caret } from './session/carets.ts'
export { frozenSession } from './session/frozen.ts'
export { viewOnly } from './session/viewOnly.ts'
export { SessionError } from './session/target.ts'
export type { Target } from './session/target.ts'

/** What happened to the session that a person must know; words for each are in `ui/notices.ts`. */
export type NoticeCode = Ending | 'disk-failed' | 'disk-damaged' | 'read-only-edits' | 'server-full'

export type Lamps = {
  /** On this device: being written, written, or only in memory. */
  device: 'saving' | 'saved' | 'failed'
  /** On the server; `none` for a document that lives on this device alone. */
  server: 'none' | 'connecting' | 'saving' | 'saved' | 'offline' | 'refused'
  /** How many other peers are here. */
  others: number
  notice?: { code: NoticeCode } | undefined
}

/** The model now. `since`: the one before, where nothing was added to it or removed, and what changed. */
export type Modelled = { model: Model; since?: { readonly model: Model; readonly changed: readonly Id[] } | undefined }

export type Access = { role: Role; writable: boolean }

export type Session = {
  docId: string
  doc: Y.Doc
  /** Who has it open, and whether on this device alone; the code of the link it was reached by. */
  target: Target
  /** The role now; it may change while the document is open, see `access`. */
  readonly role: Role
  readonly writable: boolean
  access: StoreApi<Access>
  /** The content is here. Rejects with `SessionError` when it can't be had. */
  ready: Promise<void>
  /** There is something to see: the content, or a sketch of it that can't be edited yet. Rejects as `ready` does. */
  shown: Promise<void>
  /** Says that the sketch is on the screen: time to read the content. */
  drawn(): void
  model: StoreApi<Modelled>
  lamps: StoreApi<Lamps>
  peers: StoreApi<{ peers: Peer[] }>
  /** Shows the others where we are. */
  presence(patch: Showing): void
  undo: ReturnType<typeof createUndo>
  /** Listens to what the server says about the document (comments, versions); returns how to stop. */
  watchControl(run: (message: Control) => void): () => void
  /** Calls `run` when the document is closed; at once when it is. */
  whenClosed(run: () => void): void
  close(): void
}

/** What a session needs of the world; given by tests. */
export type World = { device: Device; remote(target: Target): Remote }

/** At most so many milliseconds a sketch is waited for to be drawn. */
const patienceMs = 400

/** Opens a document. Returns at once; `shown` says when there is something to see. With `sketched`, a large one is seen before it is read. */
export function openSession(target: Target, world: World = { device, remote: browserRemote }, sketched = false): Session {
  const { docId, user, local } = target
  const tab = crypto.randomUUID()
  const doc = new Y.Doc()
  const model = createStore<Modelled>(() => ({ model: modelOf(doc) }))
  const unwatch = watchModel(doc, (next, { added, removed, changed }) => {
    const since = added.length + removed.length > 0 ? undefined : { model: model.getState().model, changed }
    model.setState({ model: next, since })
  })
  const undo = createUndo(doc)
  const access = createStore<Access>(() => ({ role: local ? 'owner' : 'viewer', writable: false }))
  const lamps = createStore<Lamps>(() => ({ device: 'saving', server: local ? 'none' : 'connecting', others: 0 }))
  const peers = createStore<{ peers: Peer[] }>(() => ({ peers: [] }))
  const controls = new Set<(message: Control) => void>()
  const companions: (() => void)[] = []
  const remote = local ? null : world.remote(target)
  const presence = new Presence(peers, user, state => connection?.present(state))
  const unwatchPeers = peers.subscribe(state => lamps.setState({ others: state.peers.filter(peer => !peer.self).length }))
  const letGo = holdDocument(user.id, docId)
  let connection: Connection | null = null
  let disk: Disk | null = null
  let tabs: Tabs | null = null
  let stash: Uint8Array | null = null
  let sketch: Sketch | null = null
  let closed = false

  const ahead = takeAhead(world.device, user.id, docId)
  const notice = (code: NoticeCode): void => lamps.setState({ notice: { code } })
  const setRole = (role: Role): void => {
    access.setState({ role, writable: canWrite(role) })
    if (!local) void world.device.docs.update([user.id, docId], { role }).catch(warn)
  }

  const seen = Promise.withResolvers<void>()
  const drawn = Promise.withResolvers<void>()
  const ready = start()
  const shown = Promise.race([ready, seen.promise])
  shown.catch(() => undefined)
  // The caller decides when to look; nobody looking is no failure of its own.
  ready.catch(() => undefined)
  const stopListening = listen()

  async function start(): Promise<void> {
    const row = await knownRow()
    if (closed) return
    if (row !== null) access.setState({ role: row.role, writable: false })
    if (row !== null && sketched) await showSketch(row.epoch)
    if (closed) return
    const loaded = row === null ? null : await openDisk(row.epoch)
    if (closed) return
    // Not before: what is shown until then is a picture.
    if (row !== null) access.setState({ role: row.role, writable: canWrite(row.role) })
    if (sketch !== null && model.getState().model !== modelOf(doc)) model.setState({ model: modelOf(doc) })
    // Nothing readable here: the server's copy is the document, or there is none to show.
    let epoch = row?.epoch
    if (loaded === null || loaded === 0) {
      if (remote !== null) epoch = await fetchState(row, loaded)
      else if (row === null) throw new SessionError('no-document')
    }
    if (closed || epoch === undefined) return
    await world.device.docs.update([user.id, docId], { openedAt: Date.now() }).catch(warn)
    if (sketched) keepSketches(epoch)
    if (remote !== null) connect(epoch, remote)
  }

  /** Shows how the model was, and gives the page the time to draw it. */
  async function showSketch(epoch: string): Promise<void> {
    const early = await ahead?.sketch
    sketch = early?.sketch ?? new Sketch(diskName(user.id, docId, epoch))
    const kept = early ? early.kept : await sketch.read()
    if (kept === null || closed) return
    model.setState({ model: kept })
    seen.resolve()
    await Promise.race([drawn.promise, new Promise(late => setTimeout(late, patienceMs))])
  }

  function keepSketches(epoch: string): void {
    const kept = (sketch ??= new Sketch(diskName(user.id, docId, epoch)))
    kept.soon(modelOf(doc))
    companions.push(model.subscribe(now => kept.soon(now.model)))
  }

  async function knownRow(): Promise<DocRow | null> {
    try {
      return await (ahead?.row ?? rowOf(world.device, user.id, docId))
    } catch (error) {
      console.warn('the device database cannot be read', error)
      lamps.setState({ device: 'failed', notice: { code: 'disk-failed' } })
      return null
    }
  }

  /** Rows read, or null when the disk doesn't answer. */
  async function openDisk(epoch: string): Promise<number | null> {
    disk = new Disk(diskName(user.id, docId, epoch), doc, state => {
      const before = lamps.getState()
      if (state === 'failed') lamps.setState({ device: state, notice: { code: 'disk-failed' } })
      else lamps.setState({ device: state, ...(before.notice?.code === 'disk-failed' && state === 'saved' ? { notice: undefined } : {}) })
    })
    const key = diskName(user.id, docId, epoch)
    tabs = new Tabs(key, doc, () => local || !['saved', 'saving'].includes(lamps.getState().server))
    const loaded = await disk.load()
    tabs.meet()
    if (loaded === null) return null
    if (loaded.damaged > 0) {
      notice('disk-damaged')
      // What builds on a lost row can't be shown, nor may it be sent; it is tried again on the server's copy.
      stash = Y.encodeStateAsUpdate(doc)
      dropPending()
      // No server has another copy.
      if (local) mend()
    }
    return loaded.rows
  }

  async function fetchState(row: DocRow | null, loaded: number | null): Promise<string> {
    const server = remote!
    try {
      const state = await server.state()
      if (closed) return state.epoch
      if (row !== null && row.epoch !== state.epoch) throw new SessionError('epoch')
      setRole(state.role)
      if (row === null) {
        await world.device.docs.put({ user: user.id, id: docId, epoch: state.epoch, role: state.role, openedAt: Date.now() }).catch(warn)
        await openDisk(state.epoch)
      }
      Y.applyUpdate(doc, state.update, 'state')
      return state.epoch
    } catch (error) {
      if (error instanceof SessionError) {
        lamps.setState({ server: 'refused', ...(error.code === 'unreachable' ? {} : { notice: { code: error.code } }) })
        throw error
      }
      // A document made here and never opened before is complete although it has no rows yet.
      if (row !== null && loaded === 0) return row.epoch
      lamps.setState({ server: 'offline' })
      throw new SessionError('unreachable')
    }
  }

  function connect(epoch: string, line: Remote): void {
    const lampOf: Record<LineState, Lamps['server']> = {
      connecting: 'connecting',
      saving: 'saving',
      saved: 'saved',
      offline: 'offline',
      ended: 'refused',
    }
    connection = new Connection(doc, docId, epoch, line, {
      state: state => {
        lamps.setState({ server: lampOf[state] })
        if (state === 'offline') tabs?.meet()
        if (state === 'saved') {
          mend()
          if (lamps.getState().notice?.code === 'server-full') lamps.setState({ notice: undefined })
        }
      },
      ended: code => {
        access.setState({ writable: false })
        if (code === 'no-access' || code === 'no-document') presence.close()
        notice(code)
      },
      hello: hello => {
        presence.announce()
        setRole(hello.role)
        if (hello.minWriter > SCHEMA) {
          access.setState({ writable: false })
          notice('upgrade')
        }
      },
      role: (role, refused) => {
        setRole(role)
        if (refused) notice('read-only-edits')
      },
      unacked: () => void world.device.dirty.put({ user: user.id, id: docId, tab, at: Date.now() }).catch(warn),
      acked: () => void world.device.dirty.delete([user.id, docId, tab]).catch(warn),
      control: message => {
        if (message.type === 'quota' && lamps.getState().server !== 'saved') notice('server-full')
        for (const run of controls) run(message)
      },
      peers: awareness => presence.read(awareness),
    })
    connection.open()
  }

  /** After a damaged copy met the server's: brings in what builds on it, and drops what builds on nothing. */
  function mend(): void {
    if (stash === null) return
    const update = stash
    stash = null
    Y.applyUpdate(doc, update, 'mended')
    dropPending()
    void disk?.mended()
  }

  function dropPending(): void {
    doc.store.pendingStructs = null
    doc.store.pendingDs = null
  }

  function listen(): () => void {
    const onEdit = (transaction: Y.Transaction): void => {
      if (transaction.local && transaction.changed.size > 0) keepStorage()
    }
    doc.on('afterTransaction', onEdit)
    if (typeof window === 'undefined') return () => doc.off('afterTransaction', onEdit)
    const onOnline = (): void => connection?.wake()
    const onOffline = (): void => connection?.cut()
    const onVisible = (): void => void (document.visibilityState === 'visible' && connection?.wake())
    const onHide = (): void => connection?.present(null)
    const onShow = (event: PageTransitionEvent): void => void (event.persisted && presence.announce())
    const onUnload = (event: BeforeUnloadEvent): void => {
      const { device: here, server } = lamps.getState()
      if (here === 'saving' || (here === 'failed' && server !== 'saved')) event.preventDefault()
    }
    window.addEventListener('online', onOnline)
    window.addEventListener('offline', onOffline)
    window.addEventListener('pagehide', onHide)
    window.addEventListener('pageshow', onShow)
    window.addEventListener('beforeunload', onUnload)
    document.addEventListener('visibilitychange', onVisible)
    return () => {
      doc.off('afterTransaction', onEdit)
      window.removeEventListener('online', onOnline)
      window.removeEventListener('offline', onOffline)
      window.removeEventListener('pagehide', onHide)
      window.removeEventListener('pageshow', onShow)
      window.removeEventListener('beforeunload', onUnload)
      document.removeEventListener('visibilitychange', onVisible)
    }
  }

  return {
    docId,
    doc,
    target,
    get role() {
      return access.getState().role
    },
    get writable() {
      return access.getState().writable
    },
    access,
    ready,
    shown,
    drawn: () => drawn.resolve(),
    model,
    lamps,
    peers,
    presence: patch => presence.show(patch),
    undo,
    watchControl(run) {
      controls.add(run)
      return () => void controls.delete(run)
    },
    whenClosed(run) {
      if (closed) run()
      else companions.push(run)
    },
    close() {
      if (closed) return
      closed = true
      for (const run of companions) run()
      stopListening()
      presence.close()
      connection?.close()
      tabs?.close()
      undo.destroy()
      unwatch()
      unwatchPeers()
      const shut = async (): Promise<void> => {
        await sketch?.close(modelOf(doc))
        await disk?.close()
        doc.destroy()
        letGo()
      }
      void shut().catch(warn)
    },
  }
}

function warn(error: unknown): void {
  console.warn('the device database', error)
}
