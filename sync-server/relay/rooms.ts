// All rooms of this process: each document is loaded once for all its members and kept while it has any and a little longer; access is checked
// again during connections; all members are notified when the server stops.
import type { Bus } from '../bus/bus.ts'
import { CLOSE, LIMITS } from '../protocol.ts'
import type { Control, Role } from '../protocol.ts'
import { Fanout } from './fanout.ts'
import type { Ear, Order, SharedLine } from './fanout.ts'
import { UpdateLog } from './log.ts'
import { Room } from './room.ts'
import type { Clock, Member, Submitted, Who } from './room.ts'
import { logFailure } from '../db/failures.ts'

export type RoomsOptions = {
  /** The role a user has now, by whatever grant; null for none. Called again whenever grants may have changed. */
  access: (docId: string, userId: string, shareId: string | null) => Promise<Role | null>
  /** Whether the storage of the account that pays for a document is used up. */
  isFull?: (docId: string) => Promise<boolean>
  /** Those of these sessions that have not ended. */
  aliveSessions?: (sessionIds: readonly string[]) => Promise<ReadonlySet<string>>
  /** Whether the disk has room for versions and compaction, which can wait. */
  hasRoom?: () => boolean
  /** Of these documents, those that are in a workspace. */
  inWorkspace?: (team: string, docIds: readonly string[]) => Promise<readonly string[]>
  /** Of these documents, those that are this one, or in it when it is a folder. */
  inside?: (fileId: string, docIds: readonly string[]) => Promise<readonly string[]>
  /** To the other servers on the same database, if there are any. */
  bus?: Bus | null
  /** Keeps a version of a document that was changed. */
  keepVersion?: (docId: string, state: RoomState) => Promise<void>
  /** How long a room stays loaded after the last connection. */
  keepMs?: number
  /** Rows and bytes since the snapshot at which a document is compacted while in use. */
  compactRows?: number
  compactBytes?: number
}

type Kept = {
  room: Room
  /** Since the snapshot. */
  rows: number
  bytes: number
  /** Of the whole log, and since the storage was measured. */
  total: number
  unmeasured: number
  /** Since the last version was kept. */
  changed: boolean
  evict: NodeJS.Timeout | null
}
type RoomState = { update: Uint8Array; epoch: string; seq: number }

const COLD_LOADS = 4
const SERVER: Who = { userId: 'server', sessionId: 'server', name: 'server' }
const RECHECK_MS = 5 * 60_000
/** With other servers: how often the logs of open documents are looked at, in case a message was lost; and while the bus is down. */
const LOOK_MS = 15_000
const LOOK_DOWN_MS = 1000
const RECHECK_DOWN_MS = 15_000
const IDLE_ROWS = 20
/** The storage is measured again after this many bytes of one document. */
const MEASURE_BYTES = 256 << 10

export class Rooms {
  readonly log: UpdateLog
  readonly #options: Required<RoomsOptions>
  readonly #rooms = new Map<string, Kept>()
  readonly #loading = new Map<string, Promise<Room | null>>()
  /** The share link a member came by; see `access`. */
  readonly #shares = new WeakMap<object, string>()
  #checks = 0
  /** The number of the latest access check that has been answered: answers may overtake each other. */
  readonly #checked = new WeakMap<Member, number>()
  readonly #pending = new Set<Promise<unknown>>()
  #cold = 0
  readonly #coldQueue: (() => void)[] = []
  #recheck: NodeJS.Timeout | null = null
  readonly #fanout: Fanout | null
  #look: NodeJS.Timeout | null = null
  #draining = false
  #onSessionEnd: (sessionId: string) => void = () => {}
  #lookedAt = 0
  #recheckedAt = 0

  constructor(log: UpdateLog, options: RoomsOptions) {
    this.log = log
    this.#options = {
      keepMs: 45_000,
      compactRows: 500,
      compactBytes: 1 << 20,
      isFull: () => Promise.resolve(false),
      hasRoom: () => true,
      keepVersion: () => Promise.resolve(),
      aliveSessions: ids => Promise.resolve(new Set(ids)),
      inWorkspace: () => Promise.resolve([]),
      inside: fileId => Promise.resolve([fileId]),
      bus: null,
      ...options,
    }
    const { bus } = this.#options
    this.#fanout = bus === null ? null : new Fanout(bus)
    // A lost notification must not leave a member in for ever.
    this.#recheck = setInterval(() => void this.recheckAll(), RECHECK_MS)
    this.#recheck.unref()
  }

  /** Joins the other servers; to be called before any client is let in. Without a bus there is nothing to do. */
  async start(): Promise<void> {
    const fanout = this.#fanout
    if (fanout === null) return
    this.log.onCommit((docId, commit) => fanout.commit(docId, commit))
    await fanout.onOrder(order => this.#work(this.#obey(order), `obey "${order.do}"`))
    fanout.bus.onGap(() => {
      this.#work(this.#lookAll(), 'read what came while the bus was down')
      this.#work(this.recheckAll(), 're-check who is here')
    })
    this.#look = setInterval(() => this.#lookNow(), LOOK_DOWN_MS)
    this.#look.unref()
  }

  /** The server is stopping: no new clients should be sent here. */
  get isDraining(): boolean {
    return this.#draining
  }

  /** The connection to other servers; null when there is none. */
  get bus(): Bus | null {
    return this.#options.bus
  }

  get size(): number {
    return this.#rooms.size
  }

  /** Documents that are open. */
  get ids(): string[] {
    return [...this.#rooms.keys()]
  }

  get sockets(): number {
    let count = 0
    for (const { room } of this.#rooms.values()) count += room.size
    return count
  }

  /** The room of a document, loaded if need be; null when there is no such document. Throws when it cannot be read. */
  open(docId: string): Promise<Room | null> {
    const kept = this.#rooms.get(docId)
    if (kept !== undefined) {
      this.#keep(kept)
      const { room } = kept
      if (this.#fanout === null) return Promise.resolve(room)
      // A new client may have been sent more by another server than this one has read.
      return new Promise(done => room.fresh(() => done(room)))
    }
    const loading = this.#loading.get(docId) ?? this.#load(docId).finally(() => this.#loading.delete(docId))
    this.#loading.set(docId, loading)
    return loading
  }

  /** The room if it is loaded. */
  peek(docId: string): Room | null {
    return this.#rooms.get(docId)?.room ?? null
  }

  /** Says that a connection has gone; an empty room is forgotten after a while. */
  left(room: Room): void {
    const kept = this.#rooms.get(room.docId)
    if (kept?.room === room && room.size === 0) this.#keep(kept)
  }

  /** Remembers by which share link a member (its `who`) came, for later checks. */
  cameBy(who: object, shareId: string | null): void {
    if (shareId !== null) this.#shares.set(who, shareId)
  }

  /** Grants of a user on a file, or on a folder, changed: the sockets that are open follow at once, on all servers. */
  revoke(docId: string, userId?: string): Promise<void> {
    return this.#everywhere({ do: 'revoke', docId, ...(userId === undefined ? {} : { userId }) })
  }

  /** Those of a document on this server. */
  async revokeHere(docId: string, userId?: string): Promise<void> {
    const room = this.peek(docId)
    if (room === null) return
    const members = [...room.members].filter(member => userId === undefined || member.who.userId === userId)
    // People with several tabs are asked for once.
    const roles = new Map<string, Promise<Role | null>>()
    const check = ++this.#checks
    await Promise.all(
      members.map(async member => {
        const shareId = this.#shares.get(member.who) ?? null
        const key = `${member.who.userId} ${shareId}`
        const asked = roles.get(key) ?? this.#options.access(docId, member.who.userId, shareId)
        roles.set(key, asked)
        const role = await asked
        if ((this.#checked.get(member) ?? 0) > check) return
        this.#checked.set(member, check)
        if (role === null) room.dismiss(member, CLOSE.noAccess, 'access was withdrawn')
        else room.setRole(member, role)
      }),
    )
  }

  /** The same for one user in all documents that are open. */
  revokeEverywhere(userId: string): Promise<void> {
    return this.#everywhere({ do: 'revoke-everywhere', userId })
  }

  /** Grants in a whole workspace changed: what is open of it follows. */
  recheckWorkspace(team: string): Promise<void> {
    return this.#everywhere({ do: 'recheck-workspace', team })
  }

  /** Sends to a person, over every document they have open. */
  tell(userId: string, type: Control['type']): void {
    void this.#everywhere({ do: 'tell', userId, type })
  }

  /** Sets the listener for sessions that end, on any server. */
  onSessionEnd(ended: (sessionId: string) => void): void {
    this.#onSessionEnd = ended
  }

  /** A session ended (signed out, password reset): its sockets close. */
  endSession(sessionId: string): void {
    void this.#everywhere({ do: 'end-session', sessionId })
  }

  /** A document was deleted or replaced: everybody goes. */
  end(docId: string, code: number, reason: string): void {
    void this.#everywhere({ do: 'end', docId, code, reason })
  }

  control(docId: string, message: Control): void {
    void this.#everywhere({ do: 'control', docId, message })
  }

  #everywhere(order: Order): Promise<void> {
    this.#fanout?.order(order)
    return this.#obey(order)
  }

  async #obey(order: Order): Promise<void> {
    switch (order.do) {
      case 'revoke': {
        const open = this.ids
        if (open.length === 0) return
        const files = await this.#options.inside(order.docId, open)
        await Promise.all(files.map(file => this.revokeHere(file, order.userId)))
        return
      }
      case 'revoke-everywhere':
        await Promise.all(this.ids.map(docId => this.revokeHere(docId, order.userId)))
        return
      case 'recheck-workspace': {
        const open = this.ids
        if (open.length === 0) return
        const files = await this.#options.inWorkspace(order.team, open)
        await Promise.all(files.map(file => this.revokeHere(file)))
        return
      }
      case 'tell':
        for (const { room } of this.#rooms.values()) room.control({ type: order.type, docId: room.docId }, order.userId)
        return
      case 'end-session':
        this.#onSessionEnd(order.sessionId)
        for (const { room } of this.#rooms.values()) {
          for (const member of room.members) {
            if (member.who.sessionId === order.sessionId) room.dismiss(member, CLOSE.ticket, 'signed out')
          }
        }
        return
      case 'end':
        this.peek(order.docId)?.close(order.code, order.reason)
        return
      case 'control':
        this.peek(order.docId)?.control(order.message)
    }
  }

  /** Asks all members to come back, writes everything, closes the sockets in small groups. */
  async drain(): Promise<void> {
    this.#draining = true
    for (const timer of [this.#recheck, this.#look]) if (timer !== null) clearInterval(timer)
    const spreadMs = Math.min(10_000, this.sockets * 20)
    for (const { room } of this.#rooms.values()) room.drain(() => 250 + Math.round(Math.random() * spreadMs))
    await this.log.flush()
    for (const [i, { room }] of [...this.#rooms.values()].entries()) {
      room.close(CLOSE.restart, 'the server restarts')
      if (i % 20 === 19) await new Promise(done => setTimeout(done, 50))
    }
    for (const kept of this.#rooms.values()) if (kept.evict !== null) clearTimeout(kept.evict)
    this.#rooms.clear()
    while (this.#pending.size > 0) await Promise.all(this.#pending)
    await this.log.close()
  }

  async #load(docId: string): Promise<Room | null> {
    if (this.#cold >= COLD_LOADS) await new Promise<void>(go => this.#coldQueue.push(go))
    this.#cold++
    // From now on writes of other servers are received; those during loading wait for the room.
    const early: (() => void)[] = []
    let loadedRoom: Room | null = null
    const toRoom = (say: (room: Room) => void): void => {
      if (loadedRoom === null) early.push(() => loadedRoom !== null && say(loadedRoom))
      else say(loadedRoom)
    }
    const ear: Ear = {
      commit: commit => toRoom(room => room.heard(commit)),
      presence: (server, lines) => toRoom(room => room.heardPresence(server, lines)),
      asked: () => toRoom(room => room.announce()),
    }
    try {
      await this.#fanout?.listen(docId, ear)
      const loaded = await this.log.load(docId)
      if (loaded === null) return null
      const total = loaded.updates.reduce((sum, update) => sum + update.length, 0)
      const counts = { rows: loaded.updates.length - 1, bytes: 0, total, unmeasured: 0, changed: false }
      const appended = (bytes: number): void => {
        counts.rows++
        counts.bytes += bytes
        counts.total += bytes
        counts.unmeasured += bytes
        counts.changed = true
        if (counts.unmeasured > MEASURE_BYTES) this.#measure(kept)
        if (counts.rows > this.#options.compactRows || counts.bytes > this.#options.compactBytes) this.#compact(docId, kept)
      }
      const log = this.log.of(docId, appended, this.#fanout !== null)
      const onPresence = (own: readonly SharedLine[]): void => this.#fanout?.presence(docId, own)
      const room: Room = new Room({ docId, loaded, log, clock: realClock, onClosed: () => this.#forget(room), onPresence })
      const kept: Kept = Object.assign(counts, { room, evict: null })
      this.#rooms.set(docId, kept)
      this.#keep(kept)
      this.#measure(kept)
      loadedRoom = room
      for (const run of early.splice(0)) run()
      this.#fanout?.ask(docId)
      return room
    } finally {
      if (loadedRoom === null) this.#fanout?.unlisten(docId)
      this.#cold--
      this.#coldQueue.shift()?.()
    }
  }

  /** A background task: `drain` waits for it, failures are logged. */
  #work(promise: Promise<unknown>, what: string): void {
    const work = promise.catch((error: unknown) => logFailure(`relay: cannot ${what}:`, error)).finally(() => this.#pending.delete(work))
    this.#pending.add(work)
  }

  /** Checks again, for every open document, whether there is storage left. */
  measureAll(): void {
    for (const kept of this.#rooms.values()) this.#measure(kept)
  }

  /** Sets whether the room has storage left. */
  #measure(kept: Kept): void {
    kept.unmeasured = 0
    const { room } = kept
    const told = this.#options.isFull(room.docId).then(full => {
      if (!room.isClosed) room.setFull(full || kept.total > LIMITS.documentBytes)
    })
    this.#work(told, `measure ${room.docId}`)
  }

  /** Keeps a version when something changed since the last. */
  #version(kept: Kept): void {
    if (!kept.changed || !this.#options.hasRoom()) return
    kept.changed = false
    kept.room.stateHere(state => {
      if (state === null) return
      this.#work(this.#options.keepVersion(kept.room.docId, state), `keep a version of ${kept.room.docId}`)
    })
  }

  #compact(docId: string, counts: Kept): void {
    if (!this.#options.hasRoom()) return
    // Reset before, not after: what arrives meanwhile counts for the next time.
    counts.rows = 0
    counts.bytes = 0
    this.#version(counts)
    const compacted = this.log.compact(docId).then(async result => {
      if (result === null) return
      counts.total = result.bytes + counts.bytes
      if (result.swept !== null) await this.#write(docId, result.swept)
    })
    compacted.catch((error: unknown) => logFailure(`log: cannot compact ${docId}:`, error))
  }

  /** A change of the server's own: deletions, which need no client id. */
  async #write(docId: string, update: Uint8Array): Promise<void> {
    if (this.#draining) return
    const room = await this.open(docId)
    if (room === null) return
    const outcome = await new Promise<Submitted>(done => room.submit(SERVER, 'owner', update, done))
    if (!outcome.ok) console.error(`relay: cannot tidy ${docId}: ${outcome.reason}`)
  }

  #keep(kept: Kept): void {
    if (kept.evict !== null) clearTimeout(kept.evict)
    kept.evict = setTimeout(() => {
      kept.evict = null
      if (kept.room.size > 0) return
      if (!kept.room.isIdle) return this.#keep(kept)
      this.#version(kept)
      // A small one always, so that the search finds what is in it.
      if (kept.rows > IDLE_ROWS || (kept.rows > 0 && kept.total < this.#options.compactBytes)) this.#compact(kept.room.docId, kept)
      kept.room.close(CLOSE.restart, 'unused')
    }, this.#options.keepMs)
    kept.evict.unref()
  }

  #forget(room: Room): void {
    const kept = this.#rooms.get(room.docId)
    if (kept?.room !== room) return
    if (kept.evict !== null) clearTimeout(kept.evict)
    this.#rooms.delete(room.docId)
    this.#fanout?.unlisten(room.docId)
  }

  /** Everybody who is connected: are they still who they were, and may they still do what they do? */
  async recheckAll(): Promise<void> {
    this.#recheckedAt = performance.now()
    const sessions = new Set<string>()
    for (const { room } of this.#rooms.values()) for (const { who } of room.members) sessions.add(who.sessionId)
    const alive = await this.#options.aliveSessions([...sessions])
    for (const sessionId of sessions) if (!alive.has(sessionId)) await this.#obey({ do: 'end-session', sessionId })
    for (const [docId, kept] of this.#rooms) {
      this.#measure(kept)
      await this.revokeHere(docId).catch((error: unknown) => logFailure(`relay: cannot re-check ${docId}:`, error))
    }
  }

  /** Once in a while; more often while the bus is down. */
  #lookNow(): void {
    const down = this.#fanout?.bus.isUp === false
    const now = performance.now()
    if (down && now - this.#recheckedAt >= RECHECK_DOWN_MS) this.#work(this.recheckAll(), 're-check who is here')
    if (!down && now - this.#lookedAt < LOOK_MS) return
    this.#work(this.#lookAll(), 'look at the logs of open documents')
  }

  /** Reads what this server has not received. */
  async #lookAll(): Promise<void> {
    this.#lookedAt = performance.now()
    const open = this.ids
    if (open.length === 0) return
    const heads = await this.log.heads(open)
    for (const docId of open) {
      const room = this.peek(docId)
      const head = heads.get(docId)
      if (head === undefined) room?.close(CLOSE.noDocument, 'no such document')
      else if (room !== null && head > room.seq) room.fresh(() => {})
    }
  }
}

const realClock: Clock = {
  now: () => Date.now(),
  after: (ms, fn) => {
    const timer = setTimeout(fn, ms)
    timer.unref()
    return () => clearTimeout(timer)
  },
}
