// One document and its members. A pure class: the log, the clock and the sockets are handed in, nothing here knows Node, Postgres or time, and
// every step is synchronous, so that a simulator can run it in virtual time.
//
// The one law: an update is sent to other clients, and acked to its sender, only after the log has it. So any client's copy of others' changes
// can be loaded again from the log after any crash; and when the log fails, the room can be dropped.
import * as Y from 'yjs'
import { Bucket } from '../bucket.ts'
import { CLOSE, LIMITS, PROTOCOL, canWrite } from '../protocol.ts'
import type { Control, Role } from '../protocol.ts'
import type { SharedLine } from './fanout.ts'
import { ackFrame, awarenessFrame, noticeFrame, readFrame, step1Frame, step2Frame, tickFrame, updateFrame } from './frames.ts'
import type { AwarenessLine, Frame } from './frames.ts'
import { inspect } from './inspect.ts'
import { RoomPresence } from './presence.ts'
import { documentOf, trim } from './trim.ts'
import { unreachable } from '../../model-schema/unreachable.ts'

/** A person as the session identifies them, never as the client says. */
export type Who = {
  readonly userId: string
  readonly sessionId: string
  readonly name: string
  /** Id of their picture. */
  readonly avatar?: string | null
}

/** One connection, as the room sees it. */
export type Peer = {
  readonly who: Who
  readonly role: Role
  /** Understands our own messages (`p=1`), not only y-websocket's. */
  readonly custom: boolean
  send(frame: Frame): void
  /** Closes for good; the room has already forgotten the peer. */
  close(code: number, reason: string): void
  /** Bytes handed to `send` and not yet gone. */
  buffered(): number
  /** Stops and starts reading from the connection. */
  pause(): void
  resume(): void
}

export type LogRow = {
  readonly update: Uint8Array
  readonly userId: string
  readonly sessionId: string
  /** Client ids this document sees for the first time. */
  readonly newClients: readonly number[]
}

export type Loaded = {
  readonly epoch: string
  readonly schema: number
  readonly minWriter: number
  readonly seq: number
  /** Snapshot and rows, in order. */
  readonly updates: readonly Uint8Array[]
  /** The user that first wrote under each client id. */
  readonly owners: ReadonlyMap<number, string>
}

/** What came to a document after a certain row. */
export type News = {
  readonly epoch: string
  readonly seq: number
  readonly updates: readonly Uint8Array[]
  readonly owners: readonly (readonly [client: number, userId: string])[]
}

/** The log of one document. */
export type RoomLog = {
  /**
   * Settles once per call, in call order: with the row's sequence number when durable, with null when it never will be. After a
   * null nothing more of this room is appended, as later rows build on earlier ones. Where other servers write too: `after` is the
   * row before this one (and those committed with it), which may be one we have not heard of yet.
   */
  append(row: LogRow, settled: (seq: number | null, after?: number) => void): void
  /** What is durable now, rows on their way included; null when the document is gone or cannot be read. */
  load(settled: (loaded: Loaded | null) => void): void
  /** Only where other servers write to the same log: what came after row `seq`. Null when it cannot be read. */
  since?(seq: number, settled: (news: News | null) => void): void
}

export type Clock = {
  /** Milliseconds since 1970. */
  now(): number
  /** Runs `fn` once, later; returns how to call it off. */
  after(ms: number, fn: () => void): () => void
}

/** How long a row of another server may be on its way before it is read from the log. */
const GAP_MS = 200
const defaultQuiet = { ms: 60_000, bytes: 64 << 10 }
/** After so many bytes of updates a document is trimmed again: a thousand small changes. */
const TRIM_BYTES = 64 << 10

/** What became of a posted update. */
export type Submitted = { ok: true } | { ok: false; code: number; reason: string }

type Outcome =
  | { applied: true }
  | { applied: false; why: 'read-only' | 'quota' | 'malformed' | 'forbidden' | 'forged' | 'missing'; detail: string }

/** A member of a room. Made by `join`; all fields but `who` and `role` belong to the room. */
export class Member {
  who: Who
  readonly peer: Peer
  role: Role
  /** Sync step 1 we sent that are not answered yet. */
  asked = 0
  /** It may hold changes we do not have, until a step 2 has brought them: acks would lie. */
  tainted = false
  lastMark: number | null = null
  strikes = 0
  /** For a lagging peer: from which clock on each client's changes were not sent; null when it is up to date. */
  missed: Map<number, number> | null = null
  readonly updates = new Bucket(LIMITS.updatesPerSecond, LIMITS.updateBurst)
  readonly bytes = new Bucket(LIMITS.bytesPerSecond, LIMITS.byteBurst)
  readonly frames = new Bucket(LIMITS.framesPerSecond, LIMITS.frameBurst)
  readonly questions = new Bucket(LIMITS.questionsPerSecond, LIMITS.questionBurst)
  readonly awareness = new Bucket(LIMITS.awarenessPerSecond, LIMITS.awarenessBurst)

  constructor(peer: Peer) {
    this.peer = peer
    this.who = peer.who
    this.role = peer.role
  }
}

export class Room {
  readonly docId: string
  readonly #log: RoomLog
  readonly #clock: Clock
  /** Called once, when the room can no longer be used: its log failed, or it was closed. */
  readonly #onClosed: () => void
  /** Null while the document is packed. */
  #doc: Y.Doc | null = new Y.Doc()
  /** The document's bytes, after a while without writes: a tenth of the memory, and enough for readers. */
  #packed: { update: Uint8Array; vector: Uint8Array } | null = null
  #writtenAt = 0
  /** Bytes of updates since the document was trimmed. */
  #untrimmed = 0
  readonly #quiet: { ms: number; bytes: number }
  #epoch = ''
  #schema = 1
  #minWriter = 1
  #seq = 0
  readonly #owners = new Map<number, string>()
  readonly #members = new Set<Member>()
  readonly #presence = new RoomPresence<Member>()
  #state: 'open' | 'reloading' | 'closed' = 'open'
  /** No storage left: only updates that bring nothing new (deletions) are taken. */
  #full = false
  /** Frames and posts that wait for a reload. */
  readonly #held: (() => void)[] = []
  #heldBytes = 0
  #issued = 0
  #settled = 0
  #backlog = 0
  #paused = false
  readonly #waiting: { after: number; run: () => void }[] = []
  #stopTick: (() => void) | null = null
  #flushing = false
  #catching = false
  /** Rows beyond those we have, by the row before them: of other servers, or (null) our own, which are in the document already. */
  readonly #ahead = new Map<number, { seq: number; updates: readonly Uint8Array[] | null }>()
  #closing = false
  readonly #onPresence: (own: readonly SharedLine[]) => void

  constructor(parts: {
    docId: string
    loaded: Loaded
    log: RoomLog
    clock: Clock
    onClosed?: () => void
    /** After how long without changes, and from what size, the document is packed. */
    quiet?: { ms: number; bytes: number }
    /** What happens among the people here, for other servers. */
    onPresence?: (own: readonly SharedLine[]) => void
  }) {
    this.docId = parts.docId
    this.#log = parts.log
    this.#clock = parts.clock
    this.#onClosed = parts.onClosed ?? (() => {})
    this.#onPresence = parts.onPresence ?? (() => {})
    this.#quiet = parts.quiet ?? defaultQuiet
    this.#adopt(parts.loaded)
  }

  get size(): number {
    return this.#members.size
  }

  get members(): Iterable<Member> {
    return this.#members
  }

  get epoch(): string {
    return this.#epoch
  }

  /** The row up to which the document has everything that is durable. */
  get seq(): number {
    return this.#seq
  }

  /** Without members and without updates on their way to the log: the room may be dropped. */
  get isIdle(): boolean {
    return this.#members.size === 0 && this.#settled === this.#issued && this.#state !== 'reloading'
  }

  get isClosed(): boolean {
    return this.#state === 'closed'
  }

  /** Lets a peer in: hello, what we ask of it, and who is here. */
  join(peer: Peer): Member {
    const member = new Member(peer)
    this.#members.add(member)
    if (peer.custom) {
      const limits = { frameBytes: LIMITS.frameBytes, step2Bytes: LIMITS.step2Bytes, presenceBytes: LIMITS.presenceBytes }
      const versions = { protocol: PROTOCOL, schema: this.#schema, minWriter: this.#minWriter, epoch: this.#epoch }
      const now = this.#clock.now()
      peer.send(noticeFrame('hello', { ...versions, role: member.role, limits, serverTime: now, durableSeq: this.#seq }))
    }
    if (canWrite(member.role)) this.#ask(member)
    const here = this.#presence.all()
    if (here.length > 0) peer.send(awarenessFrame(here))
    if (this.#paused) peer.pause()
    this.#stopTick ??= this.#clock.after(LIMITS.tickMs, () => this.#tick())
    return member
  }

  leave(member: Member): void {
    if (!this.#members.delete(member)) return
    this.#presence.drop(member)
    this.#presenceChanged()
    if (this.#members.size === 0) {
      this.#stopTick?.()
      this.#stopTick = null
    }
  }

  /** Takes one frame from a member. Never throws: a bad frame costs its sender the connection. */
  receive(member: Member, frame: Frame): void {
    if (!this.#members.has(member)) return
    if (this.#state === 'reloading') return this.#hold(member, frame)
    const isStep2 = frame[0] === 0 && frame[1] === 1
    if (frame.length > (isStep2 ? LIMITS.step2Bytes : LIMITS.frameBytes) + 16) return this.#kick(member, CLOSE.tooLarge, 'frame too large')
    const now = this.#clock.now()
    if (!member.bytes.take(frame.length, now)) return this.#kick(member, CLOSE.tooFast, 'too many bytes')
    if (!member.frames.take(1, now)) return this.#kick(member, CLOSE.tooFast, 'too many frames')
    let message: ReturnType<typeof readFrame>
    try {
      message = readFrame(frame)
    } catch (error) {
      return this.#kick(member, CLOSE.badMessage, error instanceof Error ? error.message : 'bad message')
    }
    switch (message.type) {
      case 'step1':
        if (!member.questions.take(1, now)) return this.#kick(member, CLOSE.tooFast, 'asks for the document too often')
        return this.#answer(member, message.vector)
      case 'step2':
      case 'update':
        if (!member.updates.take(1, now)) return this.#kick(member, CLOSE.tooFast, 'too many updates')
        return this.#take(member, message.update, message.type === 'step2')
      case 'awareness':
        if (member.awareness.take(1, now)) this.#show(member, message.lines)
        return
      case 'query':
        if (member.awareness.take(1, now)) member.peer.send(awarenessFrame(this.#presence.all()))
        return
      case 'mark':
        return this.#mark(member, message.n)
      case 'unknown':
        return
      default:
        return unreachable(message)
    }
  }

  /** An update that came by HTTP: same checks, same log; settles when durable or refused. */
  submit(who: Who, role: Role, update: Uint8Array, settled: (outcome: Submitted) => void, isInformed = false): void {
    if (this.#state === 'closed') return settled({ ok: false, code: CLOSE.unavailable, reason: 'closed' })
    if (this.#state === 'reloading') {
      this.#held.push(() => this.submit(who, role, update, settled))
      return
    }
    const outcome = this.#write(who, role, update, null)
    if (!outcome.applied && !isInformed && this.#mayBeNews(outcome.why))
      return this.#inform(() => this.submit(who, role, update, settled, true))
    if (!outcome.applied) {
      const code = outcome.why === 'read-only' ? CLOSE.noAccess : outcome.why === 'quota' ? CLOSE.full : CLOSE.badMessage
      return settled({ ok: false, code, reason: `${outcome.why}: ${outcome.detail}` })
    }
    this.#afterCommit(() => settled(this.isClosed ? { ok: false, code: CLOSE.unavailable, reason: 'not stored' } : { ok: true }))
  }

  /** The document as one update, once all of it is durable; null when the room is closed meanwhile. */
  state(settled: (state: { update: Uint8Array; epoch: string; seq: number } | null) => void): void {
    this.fresh(() => this.stateHere(settled))
  }

  /** The same as far as this server knows; at once when nothing is on its way to the log. */
  stateHere(settled: (state: { update: Uint8Array; epoch: string; seq: number } | null) => void): void {
    if (this.#state === 'closed') return settled(null)
    if (this.#state === 'reloading') {
      this.#held.push(() => this.stateHere(settled))
      return
    }
    const update = this.#packed?.update ?? Y.encodeStateAsUpdate(this.#live())
    this.#afterCommit(() => settled(this.isClosed ? null : { update, epoch: this.#epoch, seq: this.#seq }))
  }

  /** Calls back when the document has all that was durable at the time of asking, on whatever server it was written. */
  fresh(settled: () => void): void {
    const { since } = this.#log
    if (since === undefined || this.#state === 'closed') return settled()
    since(this.#seq, news => {
      if (this.#state === 'closed') return settled()
      if (this.#state === 'reloading') {
        this.#held.push(() => this.fresh(settled))
        return
      }
      if (news !== null) this.#absorb(news)
      settled()
    })
  }

  /** Another server has committed: everything after row `after` up to row `seq`; no updates when they were too large to send. */
  heard(commit: { after: number; seq: number; updates: readonly Uint8Array[]; owners: News['owners'] }): void {
    if (this.#state === 'closed') return
    if (this.#state === 'reloading') {
      this.#held.push(() => this.heard(commit))
      return
    }
    this.#own(commit.owners)
    if (commit.updates.length === 0) return this.fresh(() => {})
    this.#advance(commit.after, commit.seq, commit.updates)
  }

  /** What another server says of the people there. */
  heardPresence(server: string, lines: readonly SharedLine[]): void {
    if (this.#presence.hear(server, lines, this.#clock.now())) this.#presenceChanged()
  }

  /** The members, for other servers. */
  announce(): void {
    const own = this.#presence.own()
    if (own.length > 0) this.#onPresence(own)
  }

  /** A member has shown a new ticket: it is who that says from now on. */
  renew(member: Member, who: Who): void {
    member.who = who
  }

  /** A role changed while connected. A new writer is asked for what it has. */
  setRole(member: Member, role: Role): void {
    if (member.role === role || !this.#members.has(member)) return
    const couldWrite = canWrite(member.role)
    member.role = role
    if (member.peer.custom) member.peer.send(noticeFrame('role', { role, reason: 'changed' }))
    if (canWrite(role) && !couldWrite) this.#ask(member)
  }

  /** Shuts and opens the document for growth. Those who write are asked for what was refused meanwhile. */
  setFull(full: boolean): void {
    if (this.#full === full) return
    this.#full = full
    if (full) return this.control({ type: 'quota', docId: this.docId })
    for (const member of this.#members) if (member.tainted && canWrite(member.role)) this.#ask(member)
  }

  /** Sends to all members, or to one user. */
  control(message: Control, userId?: string): void {
    const frame = noticeFrame('control', message)
    for (const { peer } of this.#members) if (peer.custom && (userId === undefined || peer.who.userId === userId)) peer.send(frame)
  }

  /** Asks all members to come back later; the sockets stay open until the server closes them. */
  drain(retryAfterMs: () => number): void {
    for (const { peer } of this.#members) if (peer.custom) peer.send(noticeFrame('drain', { retryAfterMs: retryAfterMs() }))
  }

  /** Calls back when all that has been taken so far is in the log (or the room has failed). */
  whenSettled(run: () => void): void {
    this.#afterCommit(run)
  }

  /** Sends one member away. */
  dismiss(member: Member, code: number, reason: string): void {
    this.#kick(member, code, reason)
  }

  /** Sends everybody away and ends the room. */
  close(code: number, reason: string): void {
    if (this.#state === 'closed') return
    this.#state = 'closed'
    for (const member of this.#members) this.#kick(member, code, reason)
    this.#runWaiting(Infinity)
    for (const held of this.#held.splice(0)) held()
    this.#ahead.clear()
    this.#doc?.destroy()
    this.#packed = null
    this.#onClosed()
  }

  #kick(member: Member, code: number, reason: string): void {
    this.leave(member)
    member.peer.close(code, reason.slice(0, 100))
  }

  #adopt(loaded: Loaded): void {
    this.#setDoc(documentOf(loaded.updates))
    this.#epoch = loaded.epoch
    this.#schema = loaded.schema
    this.#minWriter = loaded.minWriter
    this.#seq = Math.max(this.#seq, loaded.seq)
    this.#own([...loaded.owners])
  }

  #setDoc(doc: Y.Doc): void {
    this.#doc?.destroy()
    this.#doc = doc
    this.#untrimmed = 0
    this.#packed = null
    this.#writtenAt = this.#clock.now()
  }

  /** What comes in is as large as Yjs makes it. */
  #came(bytes: number): void {
    this.#untrimmed += bytes
    if (this.#untrimmed < TRIM_BYTES || this.#doc === null) return
    this.#untrimmed = 0
    trim(this.#doc, true)
  }

  /** The document to be changed. */
  #live(): Y.Doc {
    if (this.#doc !== null) return this.#doc
    const doc = documentOf(this.#packed === null ? [] : [this.#packed.update])
    this.#setDoc(doc)
    return doc
  }

  #packWhenQuiet(): void {
    const doc = this.#doc
    if (doc === null || this.#state !== 'open' || this.#settled !== this.#issued) return
    if (this.#clock.now() - this.#writtenAt < this.#quiet.ms) return
    const update = Y.encodeStateAsUpdate(doc)
    // Not worth it; asked again after as long.
    if (update.length < this.#quiet.bytes) {
      this.#writtenAt = this.#clock.now()
      return
    }
    this.#packed = { update, vector: Y.encodeStateVector(doc) }
    doc.destroy()
    this.#doc = null
  }

  #vector(): Uint8Array {
    return this.#packed?.vector ?? Y.encodeStateVector(this.#live())
  }

  #own(owners: News['owners']): void {
    for (const [client, user] of owners) if (!this.#owners.has(client)) this.#owners.set(client, user)
  }

  // --- what other servers wrote ---

  /** Rows are applied in the order of their numbers, whatever order they arrive in; a gap that stays is read from the log. */
  #advance(after: number, seq: number, updates: readonly Uint8Array[] | null): void {
    if (seq <= this.#seq) return
    this.#ahead.set(this.#log.since === undefined ? this.#seq : after, { seq, updates })
    this.#catchUpAhead()
    if (this.#ahead.size === 0 || this.#closing) return
    this.#closing = true
    this.#clock.after(GAP_MS, () => {
      this.#closing = false
      if (this.#ahead.size > 0) this.fresh(() => {})
    })
  }

  #catchUpAhead(): void {
    for (let next = this.#ahead.get(this.#seq); next !== undefined; next = this.#ahead.get(this.#seq)) {
      this.#seq = next.seq
      if (next.updates !== null && !this.#merge(next.updates)) return
    }
    for (const [after, { seq }] of this.#ahead) if (seq <= this.#seq) this.#ahead.delete(after)
  }

  /** Takes what was read from the log. */
  #absorb(news: News): void {
    if (news.epoch !== this.#epoch) return this.close(CLOSE.epoch, 'the document was replaced')
    this.#own(news.owners)
    if (news.seq <= this.#seq) return
    this.#seq = news.seq
    if (this.#merge(news.updates)) this.#catchUpAhead()
  }

  /** Brings committed updates into the document and to the people here; false when that cannot be done, which ends the room. */
  #merge(updates: readonly Uint8Array[]): boolean {
    const doc = this.#live()
    this.#writtenAt = this.#clock.now()
    const news: Uint8Array[] = []
    const collect = (change: Uint8Array): void => void news.push(change)
    doc.on('update', collect)
    try {
      doc.transact(() => {
        for (const update of updates) Y.applyUpdate(doc, update)
      })
      for (const change of news) this.#broadcast(change, null)
      this.#came(updates.reduce((sum, update) => sum + update.length, 0))
      if (doc.store.pendingStructs === null && doc.store.pendingDs === null) return true
      this.close(CLOSE.unavailable, 'out of step with the log')
    } catch (error) {
      this.close(CLOSE.unavailable, error instanceof Error ? error.message : 'out of step with the log')
    } finally {
      doc.off('update', collect)
    }
    return false
  }

  /** Refused perhaps only because something that its sender has did not arrive here yet. */
  #mayBeNews(why: (Outcome & { applied: false })['why']): boolean {
    return this.#log.since !== undefined && (why === 'forged' || why === 'missing')
  }

  /** Reads new rows of the log, then continues with `run`; meanwhile everything waits in order. */
  #inform(run: () => void): void {
    const { since } = this.#log
    if (since === undefined) return run()
    this.#state = 'reloading'
    since(this.#seq, news => {
      if (this.#state !== 'reloading') return
      if (news === null) return this.close(CLOSE.unavailable, 'the log cannot be read')
      this.#held.unshift(run)
      this.#state = 'open'
      this.#absorb(news)
      if (this.isClosed || this.#isReloading) return
      this.#release()
    })
  }

  get #isReloading(): boolean {
    return this.#state === 'reloading'
  }

  #release(): void {
    this.#heldBytes = 0
    for (const held of this.#held.splice(0)) held()
  }

  // --- writing ---

  #ask(member: Member): void {
    member.asked++
    member.tainted = true
    member.peer.send(step1Frame(this.#vector()))
  }

  #answer(member: Member, vector: Uint8Array): void {
    let missing: Uint8Array
    try {
      const packed = this.#packed
      missing = packed === null ? Y.encodeStateAsUpdate(this.#live(), vector) : Y.diffUpdate(packed.update, vector)
    } catch (error) {
      return this.#kick(member, CLOSE.badMessage, error instanceof Error ? error.message : 'bad state vector')
    }
    // The document may hold what the log has not confirmed yet; the answer waits for it.
    this.#afterCommit(() => {
      if (this.#members.has(member)) member.peer.send(step2Frame(missing))
    })
  }

  #take(member: Member, update: Uint8Array, isStep2: boolean, isInformed = false): void {
    const outcome = this.#write(member.who, member.role, update, member)
    // Missing parts before the first step 2 are what that step 2 brings.
    if (!outcome.applied && !isInformed && this.#mayBeNews(outcome.why) && (isStep2 || outcome.why === 'forged' || member.asked === 0)) {
      return this.#inform(() => {
        if (this.#members.has(member)) this.#take(member, update, isStep2, true)
      })
    }
    if (isStep2 && member.asked > 0) member.asked--
    if (outcome.applied) {
      member.strikes = 0
      if (isStep2 && member.tainted) {
        member.tainted = false
        if (member.lastMark !== null) this.#mark(member, member.lastMark)
      }
      return
    }
    member.tainted = true
    if (outcome.why === 'read-only') {
      if (member.peer.custom) member.peer.send(noticeFrame('role', { role: member.role, reason: 'read-only' }))
      return
    }
    // While the storage is full, changes that build on refused ones lack parts through no fault of the client.
    if (outcome.why === 'quota' || (outcome.why === 'missing' && this.#full)) {
      if (member.peer.custom) member.peer.send(noticeFrame('control', { type: 'quota', docId: this.docId }))
      return
    }
    if (outcome.why !== 'missing') return this.#kick(member, CLOSE.badMessage, `${outcome.why}: ${outcome.detail}`)
    // Honest: edits made before the answer to our step 1 got here. Not honest: still missing after answering.
    if (member.asked > 0) return
    if (++member.strikes >= LIMITS.strikes) return this.#kick(member, CLOSE.badMessage, outcome.detail)
    this.#ask(member)
  }

  #write(who: Who, role: Role, update: Uint8Array, origin: Member | null): Outcome {
    if (!canWrite(role)) return { applied: false, why: 'read-only', detail: `role ${role} may not write` }
    const doc = this.#live()
    this.#writtenAt = this.#clock.now()
    const verdict = inspect(
      update,
      client => Y.getState(doc.store, client),
      client => this.#mayAuthor(who.userId, client),
    )
    if (!verdict.ok) return { applied: false, why: verdict.why, detail: verdict.detail }
    if (this.#full && verdict.authors.length > 0) return { applied: false, why: 'quota', detail: 'the storage is full' }

    const news: Uint8Array[] = []
    const collect = (change: Uint8Array): void => void news.push(change)
    doc.on('update', collect)
    try {
      Y.applyUpdate(doc, update, origin)
    } catch (error) {
      // Yjs may have applied a part: this copy is invalid and has been sent to no client; the log is authoritative.
      this.#reload()
      return { applied: false, why: 'malformed', detail: error instanceof Error ? error.message : 'apply failed' }
    } finally {
      doc.off('update', collect)
    }
    if (doc.store.pendingStructs !== null || doc.store.pendingDs !== null) {
      this.#reload()
      return { applied: false, why: 'missing', detail: 'parts that build on changes we do not have' }
    }
    this.#came(update.length)
    const [first] = news
    if (first === undefined) return { applied: true }
    const newClients = verdict.authors.filter(client => !this.#owners.has(client))
    for (const client of newClients) this.#owners.set(client, who.userId)
    this.#append(
      { update: news.length === 1 ? first : Y.mergeUpdates(news), userId: who.userId, sessionId: who.sessionId, newClients },
      origin,
    )
    return { applied: true }
  }

  /** A client id belongs to the user who first wrote or showed it. */
  #mayAuthor(userId: string, client: number): boolean {
    return (this.#owners.get(client) ?? this.#presence.userOf(client) ?? userId) === userId
  }

  #append(row: LogRow, origin: Member | null): void {
    const bytes = row.update.length
    this.#issued++
    this.#backlog += bytes
    if (this.#backlog > LIMITS.backlogBytes && !this.#paused) {
      this.#paused = true
      for (const { peer } of this.#members) peer.pause()
    }
    this.#log.append(row, (seq, after = this.#seq) => {
      if (this.#state === 'closed') return
      this.#settled++
      this.#backlog -= bytes
      if (seq === null) return this.close(CLOSE.unavailable, 'the log cannot be written')
      this.#advance(after, seq, null)
      this.#broadcast(row.update, origin)
      if (this.#paused && this.#backlog < LIMITS.backlogBytes / 2) {
        this.#paused = false
        for (const { peer } of this.#members) peer.resume()
      }
      this.#runWaiting(this.#settled)
    })
  }

  #afterCommit(run: () => void): void {
    if (this.#settled === this.#issued || this.#state === 'closed') run()
    else this.#waiting.push({ after: this.#issued, run })
  }

  #runWaiting(upTo: number): void {
    while (this.#waiting[0] !== undefined && this.#waiting[0].after <= upTo) this.#waiting.shift()?.run()
  }

  #mark(member: Member, n: number): void {
    if (member.lastMark === null || n > member.lastMark) member.lastMark = n
    if (member.tainted || !canWrite(member.role)) return
    this.#afterCommit(() => {
      if (this.#members.has(member)) member.peer.send(ackFrame(n))
    })
  }

  // --- a spoilt document ---

  #reload(): void {
    this.#state = 'reloading'
    this.#afterCommit(() => {
      if (this.#state !== 'reloading') return
      this.#log.load(loaded => {
        if (this.#state !== 'reloading') return
        if (loaded === null) return this.close(CLOSE.unavailable, 'the log cannot be read')
        const isNew = loaded.seq > this.#seq
        this.#adopt(loaded)
        this.#state = 'open'
        // The document now includes what other servers wrote meanwhile, which no member here has been sent.
        if (isNew) this.#broadcast(Y.encodeStateAsUpdate(this.#live()), null)
        this.#catchUpAhead()
        this.#release()
      })
    })
  }

  #hold(member: Member, frame: Frame): void {
    this.#heldBytes += frame.length
    if (this.#heldBytes > LIMITS.backlogBytes) return this.#kick(member, CLOSE.tooFast, 'too many bytes while loading')
    this.#held.push(() => this.receive(member, frame))
  }

  // --- sending ---

  #broadcast(update: Uint8Array, origin: Member | null): void {
    const frame = updateFrame(update)
    for (const member of this.#members) {
      if (member === origin) continue
      const buffered = member.peer.buffered()
      if (buffered > LIMITS.lagCloseBytes) this.#kick(member, CLOSE.tooFast, 'too slow')
      else if (member.missed !== null || buffered > LIMITS.lagUpdateBytes) this.#miss(member, update)
      else member.peer.send(frame)
    }
  }

  /** Remembers what a lagging peer was not sent; it gets one difference once its connection has drained. */
  #miss(member: Member, update: Uint8Array): void {
    member.missed ??= new Map()
    for (const [client, clock] of Y.parseUpdateMeta(update).from) {
      member.missed.set(client, Math.min(clock, member.missed.get(client) ?? clock))
    }
    if (this.#catching) return
    this.#catching = true
    this.#clock.after(100, () => this.#catchUp())
  }

  #catchUp(): void {
    this.#catching = false
    for (const member of this.#members) {
      if (member.missed === null) continue
      if (member.peer.buffered() > LIMITS.lagAwarenessBytes) {
        if (!this.#catching) this.#clock.after(100, () => this.#catchUp())
        this.#catching = true
        continue
      }
      const vector = Y.decodeStateVector(this.#vector())
      for (const [client, clock] of member.missed) vector.set(client, Math.min(clock, vector.get(client) ?? 0))
      member.missed = null
      this.#answer(member, Y.encodeStateVector(vector))
    }
  }

  #show(member: Member, lines: readonly AwarenessLine[]): void {
    let changed = false
    for (const line of lines) {
      const owner = this.#owners.get(line.client)
      // The stock client repeats everybody's state to us: lines of other client ids are dropped without a word.
      if (owner !== undefined && owner !== member.who.userId) continue
      if (this.#presence.take(member, line)) changed = true
    }
    if (changed) this.#presenceChanged()
  }

  #presenceChanged(): void {
    if (this.#flushing) return
    this.#flushing = true
    this.#clock.after(LIMITS.awarenessMs, () => {
      this.#flushing = false
      const { all, own } = this.#presence.flush()
      if (own.length > 0) this.#onPresence(own)
      if (all.length === 0) return
      const frame = awarenessFrame(all)
      // To the sender too: a client that only knows y-websocket's messages takes silence for a dead line.
      for (const { peer } of this.#members) if (peer.buffered() <= LIMITS.lagAwarenessBytes) peer.send(frame)
    })
  }

  #tick(): void {
    for (const { peer } of this.#members) if (peer.custom) peer.send(tickFrame)
    // Servers that die say nothing: what they showed goes when it is not repeated.
    this.announce()
    this.#packWhenQuiet()
    if (this.#presence.expire(this.#clock.now() - 2.7 * LIMITS.tickMs)) this.#presenceChanged()
    this.#stopTick = this.#clock.after(LIMITS.tickMs, () => this.#tick())
  }
}
