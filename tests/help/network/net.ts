// A network in a box: the shipped relay room, clients that speak its protocol, and lines between them, in virtual time from one
// seed. Same seed, same run, to the last message. No sockets, no timers, no waiting.
//
//   const net = new Net(seed)
//   const server = new SimServer(net)
//   const ann = new SimClient(net, server, { userId: 'ann' })
//   ann.edit(doc => doc.getMap('kind').set('a', 'agent'))   // any change of ann.doc will do, edit() is only a name for it
//   ann.note('op 1')                 // remembered as acked once the server says it is durable
//   net.run(200)                     // 200 ms of virtual time
//   ann.cut(); server.kill(); ...
//   quiesce(net, server, [ann, bob])
//   expect(faults(server, [ann, bob])).toEqual([])
//
// `chaos` does this at random: hand it what a person may do (`act`), it adds the cuts, crashes, duplicate tabs and kills.
// A client's `doc` is replaced by `crash()`: read it again after every step, or hook UndoManagers in `opened`.
import * as Y from 'yjs'
import * as decoding from 'lib0/decoding'
import * as encoding from 'lib0/encoding'
import { MESSAGE, SYNC, TOP_LEVEL, canWrite } from '../../../sync-server/protocol.ts'
import type { Hello, Role, RoleNotice } from '../../../sync-server/protocol.ts'
import { ackFrame, awarenessFrame, step1Frame, step2Frame, updateFrame } from '../../../sync-server/relay/frames.ts'
import { Room } from '../../../sync-server/relay/room.ts'
import type { Loaded, LogRow, Member, Peer, RoomLog } from '../../../sync-server/relay/room.ts'
import { chance } from '../random.ts'
import type { Chance } from '../random.ts'

type Event = { at: number; order: number; run: () => void }

/** Virtual time: one queue of events, ties in the order they were made. */
export class Net {
  readonly random: Chance
  /** Milliseconds. */
  now = 1_700_000_000_000
  readonly #heap: Event[] = []
  #order = 0

  constructor(seed: number) {
    this.random = chance(seed)
  }

  /** Runs `fn` in `ms`; returns how to call it off. */
  after(ms: number, fn: () => void): () => void {
    const event: Event = { at: this.now + ms, order: this.#order++, run: fn }
    const heap = this.#heap
    let i = heap.push(event) - 1
    while (i > 0) {
      const up = (i - 1) >> 1
      const parent = heap[up]
      if (parent === undefined || before(parent, event)) break
      heap[i] = parent
      i = up
    }
    heap[i] = event
    return () => {
      event.run = () => {}
    }
  }

  /** Lets `ms` pass. */
  run(ms: number): void {
    const until = this.now + ms
    for (let next = this.#heap[0]; next !== undefined && next.at <= until; next = this.#heap[0]) {
      this.#pop()
      this.now = Math.max(this.now, next.at)
      next.run()
    }
    this.now = until
  }

  #pop(): void {
    const heap = this.#heap
    const last = heap.pop()
    if (last === undefined || heap.length === 0) return
    let i = 0
    for (;;) {
      const left = heap[2 * i + 1]
      const right = heap[2 * i + 2]
      const child = right !== undefined && left !== undefined && before(right, left) ? right : left
      if (child === undefined || before(last, child)) break
      heap[i] = child
      i = child === right ? 2 * i + 2 : 2 * i + 1
    }
    heap[i] = last
  }
}

function before(a: Event, b: Event): boolean {
  return a.at < b.at || (a.at === b.at && a.order < b.order)
}

/** One connection: two lines that keep their order, as TCP does. */
class Link {
  state: 'up' | 'half-open' | 'down' = 'up'
  readonly #net: Net
  readonly #latencyMs: number
  #upFree = 0
  #downFree = 0

  constructor(net: Net, latencyMs: number) {
    this.#net = net
    this.#latencyMs = latencyMs
  }

  /** Brings `deliver` to the server, unless the line breaks first. */
  up(deliver: () => void): void {
    this.#upFree = this.#carry(this.#upFree, deliver)
  }

  down(deliver: () => void): void {
    this.#downFree = this.#carry(this.#downFree, deliver)
  }

  #carry(free: number, deliver: () => void): number {
    const arrival = Math.max(free, this.#net.now + this.#latencyMs * (0.5 + this.#net.random.next()))
    this.#net.after(arrival - this.#net.now, () => {
      if (this.state === 'up') deliver()
    })
    return arrival
  }
}

/** The relay: shipped rooms over a log that forgets at `kill` what was not committed. */
export class SimServer {
  readonly net: Net
  readonly docId: string
  alive = true
  room: Room | null = null
  epoch = 'epoch-0'
  /** The log: what a cold start finds. */
  committed: LogRow[] = []
  /** Roles by user; a user not named is an editor, null has no access. */
  readonly roles = new Map<string, Role | null>()
  /** Commits take up to this long. */
  commitMs = 12
  /** The next commit fails for good. */
  failNextCommit = false
  /** Closes seen, by code. */
  readonly closes = new Map<number, number>()
  readonly #conns = new Set<{ client: SimClient; member: Member; link: Link }>()
  #life = 0
  #free = 0
  #inflight: LogRow[] = []

  constructor(net: Net, docId = 'document') {
    this.net = net
    this.docId = docId
  }

  roleOf(userId: string): Role | null {
    const role = this.roles.get(userId)
    return role === undefined ? 'editor' : role
  }

  /** Accepts a connection; null when the server is down or says no. */
  connect(client: SimClient, link: Link): ((frame: Uint8Array) => void) | null {
    const role = this.roleOf(client.userId)
    if (!this.alive || role === null) return null
    const room = (this.room ??= this.#open())
    const peer: Peer = {
      who: { userId: client.userId, sessionId: `session of ${client.userId}`, name: client.userId },
      role,
      custom: true,
      send: frame => link.down(() => client.receive(link, frame)),
      close: code => {
        this.closes.set(code, (this.closes.get(code) ?? 0) + 1)
        link.down(() => client.dropped(link))
        this.net.after(1000, () => client.dropped(link))
      },
      buffered: () => 0,
      pause: () => {},
      resume: () => {},
    }
    const member = room.join(peer)
    const conn = { client, member, link }
    this.#conns.add(conn)
    return frame => {
      if (this.room === room) room.receive(member, frame)
    }
  }

  /** The server hears that a connection is gone (a reset, or the ping that went unanswered). */
  lost(link: Link): void {
    for (const conn of this.#conns) {
      if (conn.link !== link) continue
      this.#conns.delete(conn)
      this.room?.leave(conn.member)
    }
  }

  /** kill -9: memory gone, of the commits under way a random first part made it. */
  kill(): void {
    const made = this.net.random.below(this.#inflight.length + 1)
    this.committed.push(...this.#inflight.slice(0, made))
    this.#inflight = []
    this.#free = 0
    this.alive = false
    this.#life++
    this.room = null
    for (const { client, link } of this.#conns) {
      link.state = 'down'
      this.net.after(1, () => client.dropped(link))
    }
    this.#conns.clear()
  }

  revive(): void {
    this.alive = true
  }

  /** Changes a member's role, live. */
  setRole(userId: string, role: Role | null): void {
    this.roles.set(userId, role)
    for (const conn of this.#conns) {
      if (conn.client.userId !== userId) continue
      if (role !== null) this.room?.setRole(conn.member, role)
      else this.room?.dismiss(conn.member, 4403, 'revoked')
    }
  }

  /** Merges the log into one row, as compaction does. */
  compact(): void {
    const doc = docOf(this.committed.map(row => row.update))
    const newClients = this.committed.flatMap(row => row.newClients.map(client => ({ client, userId: row.userId })))
    const users = [...new Set(newClients.map(({ userId }) => userId))]
    this.committed = [{ update: Y.encodeStateAsUpdate(doc), userId: '', sessionId: '', newClients: [] }]
    const nothing = Y.encodeStateAsUpdate(new Y.Doc())
    for (const userId of users) {
      const mine = newClients.filter(entry => entry.userId === userId).map(({ client }) => client)
      this.committed.push({ update: nothing, userId, sessionId: '', newClients: mine })
    }
  }

  /** The document a cold start would load. */
  cold(): Y.Doc {
    return docOf(this.committed.map(row => row.update))
  }

  #open(): Room {
    const life = this.#life
    let failed = false
    const log: RoomLog = {
      append: (row, settled) => {
        if (this.failNextCommit) {
          // What is under way fails with it, and so does all that follows: later rows build on earlier ones.
          this.failNextCommit = false
          failed = true
          this.#inflight = []
          this.net.after(1, () => life === this.#life && settled(null))
          return
        }
        if (failed) return
        this.#inflight.push(row)
        this.#free = Math.max(this.#free, this.net.now + this.net.random.next() * this.commitMs)
        this.net.after(this.#free - this.net.now, () => {
          if (life !== this.#life || failed) return
          this.#inflight.shift()
          this.committed.push(row)
          settled(this.committed.length)
        })
      },
      load: settled => {
        this.net.after(5, () => life === this.#life && settled(this.#loaded()))
      },
    }
    const room: Room = new Room({
      docId: this.docId,
      loaded: this.#loaded(),
      log,
      clock: { now: () => this.net.now, after: (ms, fn) => this.net.after(ms, () => life === this.#life && fn()) },
      // Packed and unpacked often, whatever its size.
      quiet: { ms: 500, bytes: 0 },
      onClosed: () => {
        if (this.room === room) this.room = null
      },
    })
    return room
  }

  #loaded(): Loaded {
    const owners = new Map<number, string>()
    for (const row of this.committed) for (const client of row.newClients) if (!owners.has(client)) owners.set(client, row.userId)
    const updates = this.committed.map(row => row.update)
    return { epoch: this.epoch, schema: 1, minWriter: 1, seq: this.committed.length, updates, owners }
  }
}

export type ClientParts = {
  userId: string
  /** Called with each new document of this client: at the start and after a crash. */
  opened?: ((doc: Y.Doc, client: SimClient) => void) | undefined
  /** What other tabs of this browser share. */
  disk?: Disk
  /** Up to this many of the last updates are lost when the tab crashes. */
  diskLag?: number | undefined
}

/** What y-indexeddb holds for one document in one browser. */
type Disk = { updates: Uint8Array[] }

/** A tab: document, disk, connection; does what client/session does on the wire. */
export class SimClient {
  readonly net: Net
  readonly server: SimServer
  readonly userId: string
  readonly disk: Disk
  doc = new Y.Doc()
  role: Role = 'editor'
  /** Wants to be connected. */
  online = true
  /** Gone for good (tab closed). */
  gone = false
  epoch: string | null = null
  /** Notes that the server has confirmed as durable. */
  readonly acked: string[] = []
  /** Awareness states seen, by client id. */
  readonly seen = new Map<number, { clock: number; state: unknown }>()
  hellos = 0
  readonly #opened: (doc: Y.Doc, client: SimClient) => void
  readonly #diskLag: number
  #lagging: Uint8Array[] = []
  #link: Link | null = null
  #send: ((frame: Uint8Array) => void) | null = null
  #heard = 0
  #notes: string[] = []
  readonly #marks = new Map<number, string[]>()
  #mark = 0
  #marking = false
  #retry = 0
  #clock = 0

  constructor(net: Net, server: SimServer, parts: ClientParts) {
    this.net = net
    this.server = server
    this.userId = parts.userId
    this.disk = parts.disk ?? { updates: [] }
    this.#opened = parts.opened ?? (() => {})
    this.#diskLag = parts.diskLag ?? 0
    this.#open()
    this.#connect()
  }

  get isConnected(): boolean {
    return this.#link?.state === 'up' && this.#send !== null
  }

  edit(change: (doc: Y.Doc) => void): void {
    change(this.doc)
  }

  /** Remembers that everything edited so far is called `name`: in `acked` once the server has made it durable. */
  note(name: string): void {
    this.#notes.push(name)
    this.#markSoon()
  }

  show(state: Record<string, unknown> | null): void {
    this.#out(awarenessFrame([{ client: this.doc.clientID, clock: ++this.#clock, state: JSON.stringify(state) }]))
  }

  /** Sends bytes as they are. */
  sendRaw(frame: Uint8Array): void {
    this.#out(frame)
  }

  /** The cable is pulled: both sides notice. */
  cut(): void {
    this.online = false
    const link = this.#link
    if (link === null) return
    link.state = 'down'
    this.server.lost(link)
    this.dropped(link)
  }

  /** The line loses everything without an error, until the client's watchdog detects it. */
  halfOpen(): void {
    if (this.#link !== null) this.#link.state = 'half-open'
  }

  heal(): void {
    if (this.gone) return
    this.online = true
    this.#connect()
  }

  /** The tab dies and is opened again from the disk, with a new client id. */
  crash(): void {
    this.cut()
    this.#lagging = []
    this.#notes = []
    this.#marks.clear()
    this.doc.destroy()
    this.#open()
    this.heal()
  }

  /** The browser throws the site's storage away. */
  evict(): void {
    this.disk.updates.length = 0
    this.#lagging = []
  }

  /** Another tab on the same disk. */
  dupTab(): SimClient {
    return new SimClient(this.net, this.server, { userId: this.userId, opened: this.#opened, disk: this.disk, diskLag: this.#diskLag })
  }

  /** The tab is closed; the disk stays. */
  close(): void {
    this.gone = true
    this.cut()
  }

  receive(link: Link, frame: Uint8Array): void {
    if (link !== this.#link) return
    this.#heard = this.net.now
    const decoder = decoding.createDecoder(frame)
    const type = decoding.readVarUint(decoder)
    if (type === MESSAGE.sync) {
      const step = decoding.readVarUint(decoder)
      const body = decoding.readVarUint8Array(decoder)
      if (step === SYNC.step1) {
        this.#out(step2Frame(Y.encodeStateAsUpdate(this.doc, body)))
        this.#resend()
      } else Y.applyUpdate(this.doc, body, this.server)
    } else if (type === MESSAGE.awareness) {
      const body = decoding.createDecoder(decoding.readVarUint8Array(decoder))
      for (let left = decoding.readVarUint(body); left > 0; left--) {
        const client = decoding.readVarUint(body)
        const clock = decoding.readVarUint(body)
        const state: unknown = JSON.parse(decoding.readVarString(body))
        if (state === null) this.seen.delete(client)
        else this.seen.set(client, { clock, state })
      }
    } else if (type === MESSAGE.hello) {
      const hello: Hello = JSON.parse(decoding.readVarString(decoder))
      this.hellos++
      this.role = hello.role
      this.epoch = hello.epoch
    } else if (type === MESSAGE.role) {
      const notice: RoleNotice = JSON.parse(decoding.readVarString(decoder))
      this.role = notice.role
    } else if (type === MESSAGE.mark) {
      const n = decoding.readVarUint(decoder)
      for (const [mark, notes] of this.#marks) {
        if (mark > n) continue
        this.acked.push(...notes)
        this.#marks.delete(mark)
      }
    }
  }

  dropped(link: Link): void {
    if (link !== this.#link) return
    link.state = 'down'
    this.server.lost(link)
    this.#link = null
    this.#send = null
    this.seen.clear()
    if (this.online) this.#connectLater()
  }

  #open(): void {
    const doc = new Y.Doc()
    doc.clientID = this.net.random.below(2 ** 32)
    for (const update of this.disk.updates) Y.applyUpdate(doc, update, this.disk)
    this.doc = doc
    doc.on('update', (update: Uint8Array, origin: unknown) => {
      if (this.doc !== doc) return
      if (origin !== this.disk) {
        this.#lagging.push(update)
        while (this.#lagging.length > this.#diskLag) {
          const next = this.#lagging.shift()
          if (next !== undefined) this.disk.updates.push(next)
        }
      }
      if (origin !== this.server) this.#out(updateFrame(update))
    })
    this.#opened(doc, this)
  }

  #out(frame: Uint8Array): void {
    const send = this.#send
    if (this.#link !== null && send !== null) this.#link.up(() => send(frame))
  }

  #connect(): void {
    if (this.#link !== null || !this.online || this.gone) return
    const link = new Link(this.net, 2 + this.net.random.next() * 60)
    const send = this.server.connect(this, link)
    if (send === null) return this.#connectLater()
    this.#retry = 0
    this.#link = link
    this.#send = send
    this.#heard = this.net.now
    this.#watch(link)
    this.#out(step1Frame(Y.encodeStateVector(this.doc)))
    this.#resend()
  }

  #connectLater(): void {
    const ms = Math.min(5000, 100 * 2 ** ++this.#retry) * (0.5 + this.net.random.next())
    this.net.after(ms, () => this.#connect())
  }

  /** y-websocket's watchdog: 30 s of silence is a dead line. */
  #watch(link: Link): void {
    this.net.after(3000, () => {
      if (link !== this.#link) return
      if (this.net.now - this.#heard > 30_000) this.dropped(link)
      else this.#watch(link)
    })
  }

  #markSoon(): void {
    if (this.#marking) return
    this.#marking = true
    this.net.after(50, () => {
      this.#marking = false
      if (this.#notes.length > 0) this.#marks.set(++this.#mark, this.#notes.splice(0))
      this.#resend()
    })
  }

  /** Sends the newest mark, if any is open. */
  #resend(): void {
    if (this.#marks.size > 0) this.#out(ackFrame(this.#mark))
  }
}

/** Heals everything and waits until all that can be exchanged has been. */
export function quiesce(net: Net, server: SimServer, clients: readonly SimClient[]): void {
  server.revive()
  server.failNextCommit = false
  for (const client of clients) {
    if (server.roleOf(client.userId) !== 'editor') server.setRole(client.userId, 'editor')
    client.heal()
  }
  // Longer than the watchdog that ends half-open lines, and the reconnects after it.
  net.run(60_000)
}

/** Everything a document says, as one comparable text: sorted facets, shared texts as strings. */
export function contentOf(doc: Y.Doc): string {
  const out: Record<string, unknown> = {}
  for (const name of TOP_LEVEL) out[name] = doc.getMap(name).toJSON()
  return JSON.stringify(sorted(out))
}

/**
 * What is wrong after `quiesce`, in words: clients that differ from each other or from a cold start, pending parts, acked notes
 * that `has` does not find in the cold document, presence of the absent. Empty when all is well.
 */
export function faults(server: SimServer, clients: readonly SimClient[], has?: (doc: Y.Doc, note: string) => boolean): string[] {
  const found: string[] = []
  const cold = server.cold()
  const truth = contentOf(cold)
  const present = clients.filter(client => !client.gone)
  for (const [i, client] of present.entries()) {
    const name = `client ${i} (${client.userId})`
    if (!client.isConnected) found.push(`${name} is not connected`)
    if (contentOf(client.doc) !== truth) found.push(`${name} differs from a cold start`)
    if (client.doc.store.pendingStructs !== null || client.doc.store.pendingDs !== null) found.push(`${name} has pending parts`)
    for (const [other] of client.seen) {
      if (!present.some(({ doc }) => doc.clientID === other)) found.push(`${name} sees client id ${other}, who has left`)
    }
  }
  if (has !== undefined) {
    for (const client of clients) for (const note of client.acked) if (!has(cold, note)) found.push(`acked and lost: ${note}`)
  }
  return found
}

export type ChaosParts = {
  seed: number
  clients: number
  steps: number
  /** One thing a person does; what it returns goes into the story. */
  act: (client: SimClient, random: Chance, step: number) => string
  opened?: ClientParts['opened']
  /** Share of steps that happen to the network instead; 0.25 by default. */
  trouble?: number
  /** Tabs may lose the last updates of their disk when they crash. */
  diskLag?: number
}

/** A random afternoon: people act, lines break, tabs crash, the server is killed; then all heals. */
export function chaos(parts: ChaosParts): { net: Net; server: SimServer; clients: SimClient[]; story: string[] } {
  const net = new Net(parts.seed)
  const server = new SimServer(net)
  const story: string[] = []
  const hooks = { opened: parts.opened, diskLag: parts.diskLag }
  const clients = Array.from({ length: parts.clients }, (_, i) => new SimClient(net, server, { userId: `user${i}`, ...hooks }))
  const random = net.random
  for (let step = 0; step < parts.steps; step++) {
    const alive = clients.filter(client => !client.gone)
    const client = random.pick(alive)
    if (random.chance(parts.trouble ?? 0.25)) story.push(trouble(net, server, clients, client))
    else if (canWrite(client.role)) story.push(`${client.userId}: ${parts.act(client, random, step)}`)
    net.run(random.chance(0.1) ? random.below(3000) : random.below(60))
  }
  quiesce(net, server, clients)
  return { net, server, clients, story }
}

function trouble(net: Net, server: SimServer, clients: SimClient[], client: SimClient): string {
  const kind = net.random.pick([
    'cut',
    'cut',
    'cut',
    'heal',
    'heal',
    'heal',
    'heal',
    'half-open',
    'crash',
    'tab',
    'close',
    'kill',
    'fail',
    'role',
    'compact',
    'slow',
  ])
  switch (kind) {
    case 'cut':
      client.cut()
      break
    case 'heal':
      client.heal()
      break
    case 'half-open':
      client.halfOpen()
      break
    case 'crash':
      client.crash()
      break
    case 'tab':
      if (clients.length < 12) clients.push(client.dupTab())
      break
    case 'close':
      if (clients.filter(({ gone }) => !gone).length > 2) client.close()
      break
    case 'kill':
      server.kill()
      net.after(net.random.below(4000), () => server.revive())
      break
    case 'fail':
      server.failNextCommit = true
      break
    case 'role':
      server.setRole(client.userId, net.random.pick(['viewer', 'editor', 'editor', 'commenter'] as const))
      break
    case 'compact':
      server.compact()
      break
    case 'slow':
      server.commitMs = net.random.pick([2, 12, 200, 1500])
      break
  }
  return `${client.userId}: ${kind}`
}

function docOf(updates: readonly Uint8Array[]): Y.Doc {
  const doc = new Y.Doc()
  for (const update of updates) Y.applyUpdate(doc, update)
  return doc
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, item]) => [key, sorted(item)]),
  )
}

/** Bytes of a message type no one knows, for tests of tolerance. */
export function unknownFrame(type: number): Uint8Array {
  return encoding.encode(encoder => encoding.writeVarUint(encoder, type))
}
