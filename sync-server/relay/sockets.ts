// The border between rooms and the network: permission to upgrade, and a room's peer on a `ws` socket.
import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import type { RawData, WebSocket } from 'ws'
import { Bucket } from '../bucket.ts'
import type { Db } from '../db/database.ts'
import { GUEST, endOfLink } from '../files/access.ts'
import { CLOSE, ID_PATTERN, LIMITS } from '../protocol.ts'
import type { Role } from '../protocol.ts'
import { readToken, tokenFrame } from './frames.ts'
import type { Member, Peer, Room } from './room.ts'
import type { Rooms } from './rooms.ts'
import { redeemTicket } from './tickets.ts'
import type { Pass } from './tickets.ts'
import { at } from './timers.ts'
import type { Timers } from './timers.ts'
import { logFailure } from '../db/failures.ts'

export type SocketsParts = {
  db: Db
  rooms: Rooms
  access: (docId: string, userId: string, shareId: string | null) => Promise<Role | null>
  /** May a page of this origin open a socket here? */
  originAllowed: (request: IncomingMessage) => boolean
  /** How often a socket is asked for a new ticket, and how long it may take to answer. */
  renewal?: { everyMs: number; answerMs: number }
  /** By which sockets that came by a link wait for its end. */
  timers?: Timers
}

const PATH = '/yjs/'
const PING_MS = 30_000

/** Serves `/yjs/{docId}` on an HTTP server. Returns how to stop taking new connections. */
export function attachSockets(server: Server, parts: SocketsParts): () => void {
  const wss = new WebSocketServer({ noServer: true, maxPayload: LIMITS.step2Bytes + 64, perMessageDeflate: false, clientTracking: false })
  const perUser = new Map<string, number>()
  const upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    socket.on('error', () => socket.destroy())
    const url = URL.parse(request.url ?? '/', 'http://host')
    if (url === null || !url.pathname.startsWith(PATH)) return refuse(socket, '404 Not Found')
    if (!parts.originAllowed(request)) return refuse(socket, '403 Forbidden')
    admit(url, parts, perUser).then(
      admitted => {
        if (socket.destroyed) return
        wss.handleUpgrade(request, socket, head, ws => {
          // ws has closed it with the right code; 'close' does the rest.
          ws.on('error', () => {})
          // A plain HTTP refusal would be retried for ever by the stock client: accept, and close with a code it understands.
          if ('code' in admitted) ws.close(admitted.code, admitted.reason)
          else serve(ws, admitted, parts, perUser)
        })
      },
      (error: unknown) => {
        logFailure('relay: upgrade failed:', error)
        refuse(socket, '503 Service Unavailable')
      },
    )
  }
  server.on('upgrade', upgrade)
  return () => void server.off('upgrade', upgrade)
}

function refuse(socket: Duplex, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
}

type Refused = { code: number; reason: string }
type Admitted = { pass: Pass; role: Role; room: Room; custom: boolean; renews: boolean; linkEnds: Date | null }

/** Everything that can be known before the socket is accepted: ticket, access, epoch, the loaded room. */
async function admit(url: URL, parts: SocketsParts, perUser: ReadonlyMap<string, number>): Promise<Refused | Admitted> {
  const docId = url.pathname.slice(PATH.length)
  if (!ID_PATTERN.test(docId)) return { code: CLOSE.noDocument, reason: 'no such document' }
  const pass = await redeemTicket(parts.db, url.searchParams.get('ticket') ?? '', docId)
  if (pass === null) return { code: CLOSE.ticket, reason: 'the ticket is not valid' }
  if ((perUser.get(pass.userId) ?? 0) >= LIMITS.socketsPerUser) return { code: CLOSE.tooManyConnections, reason: 'too many connections' }
  const role = await parts.access(docId, pass.userId, pass.shareId)
  if (role === null) return { code: CLOSE.noAccess, reason: 'no access' }
  let room: Room | null
  try {
    room = await parts.rooms.open(docId)
  } catch (error) {
    logFailure(`relay: cannot open ${docId}:`, error)
    return { code: CLOSE.unavailable, reason: 'the document cannot be read just now' }
  }
  if (room === null) return { code: CLOSE.noDocument, reason: 'no such document' }
  if (room.size >= LIMITS.socketsPerRoom) return { code: CLOSE.tooManyConnections, reason: 'the room is full' }
  const epoch = url.searchParams.get('e')
  if (epoch !== null && epoch !== room.epoch) return { code: CLOSE.epoch, reason: 'the document was replaced' }
  const linkEnds = pass.shareId === null ? null : await endOfLink(parts.db, pass.shareId)
  return { pass, role, room, custom: url.searchParams.get('p') === '1', renews: url.searchParams.get('t') === '1', linkEnds }
}

function serve(
  ws: WebSocket,
  { pass, role, room, custom, renews, linkEnds }: Admitted,
  parts: SocketsParts,
  perUser: Map<string, number>,
): void {
  const { rooms } = parts
  if (room.isClosed) return ws.close(CLOSE.unavailable, 'try again')
  const peer: Peer = {
    who: pass,
    role,
    custom,
    send: frame => {
      if (ws.readyState === ws.OPEN) ws.send(frame)
    },
    close: (code, reason) => {
      ws.close(code, reason)
      // A peer that does not answer the close is cut off.
      setTimeout(() => ws.terminate(), 5000).unref()
    },
    buffered: () => ws.bufferedAmount,
    pause: () => ws.pause(),
    resume: () => ws.resume(),
  }
  rooms.cameBy(pass, pass.shareId)
  const member = room.join(peer)
  perUser.set(pass.userId, (perUser.get(pass.userId) ?? 0) + 1)
  // Access may have been withdrawn after it was asked for and before there was a member to dismiss.
  rooms.revokeHere(pass.docId, pass.userId).catch((error: unknown) => logFailure(`relay: cannot re-check ${pass.docId}:`, error))

  const recheck = (): void => {
    rooms.revokeHere(pass.docId, pass.userId).catch((error: unknown) => logFailure(`relay: cannot re-check ${pass.docId}:`, error))
  }
  const stopWaiting = linkEnds === null ? () => {} : at(linkEnds, recheck, parts.timers)
  const renewal = renews ? new Renewal(room, member, pass, parts) : null
  ws.on('message', (data: RawData, isBinary: boolean) => {
    if (isBinary) {
      const frame = bytesOf(data)
      const ticket = readToken(frame)
      if (ticket === null) room.receive(member, frame)
      else renewal?.answer(ticket)
    } else room.dismiss(member, CLOSE.badMessage, 'text is not a message')
  })
  const pings = new Bucket(LIMITS.pingsPerSecond, LIMITS.pingBurst)
  ws.on('ping', () => {
    if (!pings.take(1, Date.now())) ws.terminate()
  })
  // TCP may take minutes to notice a dead line; two missed pings do.
  let alive = true
  ws.on('pong', () => {
    alive = true
  })
  const ping = setInterval(() => {
    if (!alive) return ws.terminate()
    alive = false
    ws.ping()
  }, PING_MS)
  ping.unref()
  ws.on('close', () => {
    clearInterval(ping)
    stopWaiting()
    renewal?.stop()
    room.leave(member)
    rooms.left(room)
    const left = (perUser.get(pass.userId) ?? 1) - 1
    if (left === 0) perUser.delete(pass.userId)
    else perUser.set(pass.userId, left)
  })
}

/** Asks a socket for a new ticket once in a while: what opened it may be worth nothing any more. */
class Renewal {
  readonly #room: Room
  readonly #member: Member
  readonly #pass: Pass
  readonly #parts: SocketsParts
  readonly #everyMs: number
  readonly #answerMs: number
  #timer: NodeJS.Timeout
  #asked = false

  constructor(room: Room, member: Member, pass: Pass, parts: SocketsParts) {
    this.#room = room
    this.#member = member
    this.#pass = pass
    this.#parts = parts
    const { everyMs, answerMs } = parts.renewal ?? { everyMs: LIMITS.tokenMs, answerMs: LIMITS.ticketMs }
    this.#everyMs = everyMs
    this.#answerMs = answerMs
    this.#timer = this.#after(this.#everyMs, () => this.#ask())
  }

  stop(): void {
    clearTimeout(this.#timer)
  }

  answer(ticket: string): void {
    if (!this.#asked) return
    this.#asked = false
    this.stop()
    this.#renew(ticket).then(
      ok => {
        if (ok) this.#timer = this.#after(this.#everyMs, () => this.#ask())
        else this.#end()
      },
      (error: unknown) => {
        logFailure('relay: cannot renew a ticket:', error)
        this.#timer = this.#after(this.#everyMs, () => this.#ask())
      },
    )
  }

  async #renew(ticket: string): Promise<boolean> {
    const { docId, userId } = this.#pass
    const { rooms, db } = this.#parts
    const pass = await redeemTicket(db, ticket, docId)
    // Guests have no name that lasts: one is as good as another, by the same link.
    const isSame = pass?.userId === userId || (pass?.userId.startsWith(GUEST) === true && userId.startsWith(GUEST))
    if (pass === null || !isSame) return false
    const who = { ...pass, userId }
    rooms.cameBy(who, pass.shareId)
    this.#room.renew(this.#member, who)
    await rooms.revokeHere(docId, userId)
    return true
  }

  #ask(): void {
    this.#asked = true
    this.#member.peer.send(tokenFrame)
    this.#timer = this.#after(this.#answerMs, () => this.#end())
  }

  #end(): void {
    this.#room.dismiss(this.#member, CLOSE.ticket, 'a new ticket is needed')
  }

  #after(ms: number, run: () => void): NodeJS.Timeout {
    const timer = setTimeout(run, ms)
    timer.unref()
    return timer
  }
}

function bytesOf(data: RawData): Uint8Array {
  if (data instanceof ArrayBuffer) return new Uint8Array(data)
  return Array.isArray(data) ? Buffer.concat(data) : data
}
