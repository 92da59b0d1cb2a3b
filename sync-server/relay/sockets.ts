// The border between rooms and the network: who may upgrade, and what a room's peer is on a `ws` socket.
import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import type { RawData, WebSocket } from 'ws'
import type { Db } from '../db/database.ts'
import { CLOSE, ID_PATTERN, LIMITS } from '../protocol.ts'
import type { Role } from '../protocol.ts'
import type { Peer, Room } from './room.ts'
import type { Rooms } from './rooms.ts'
import { redeemTicket } from './tickets.ts'
import type { Pass } from './tickets.ts'

export type SocketsParts = {
  db: Db
  rooms: Rooms
  access: (docId: string, userId: string, shareId: string | null) => Promise<Role | null>
  /** May a page of this origin open a socket here? */
  originAllowed: (request: IncomingMessage) => boolean
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
          else serve(ws, admitted, parts.rooms, perUser)
        })
      },
      (error: unknown) => {
        console.error('relay: upgrade failed:', error)
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
type Admitted = { pass: Pass; role: Role; room: Room; custom: boolean }

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
    console.error(`relay: cannot open ${docId}:`, error)
    return { code: CLOSE.unavailable, reason: 'the document cannot be read just now' }
  }
  if (room === null) return { code: CLOSE.noDocument, reason: 'no such document' }
  if (room.size >= LIMITS.socketsPerRoom) return { code: CLOSE.tooManyConnections, reason: 'the room is full' }
  const epoch = url.searchParams.get('e')
  if (epoch !== null && epoch !== room.epoch) return { code: CLOSE.epoch, reason: 'the document was replaced' }
  return { pass, role, room, custom: url.searchParams.get('p') === '1' }
}

function serve(ws: WebSocket, { pass, role, room, custom }: Admitted, rooms: Rooms, perUser: Map<string, number>): void {
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
  rooms.revokeHere(pass.docId, pass.userId).catch((error: unknown) => console.error(`relay: cannot re-check ${pass.docId}:`, error))

  ws.on('message', (data: RawData, isBinary: boolean) => {
    if (isBinary) room.receive(member, bytesOf(data))
    else room.dismiss(member, CLOSE.badMessage, 'text is not a message')
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
    room.leave(member)
    rooms.left(room)
    const left = (perUser.get(pass.userId) ?? 1) - 1
    if (left === 0) perUser.delete(pass.userId)
    else perUser.set(pass.userId, left)
  })
}

function bytesOf(data: RawData): Uint8Array {
  if (data instanceof ArrayBuffer) return new Uint8Array(data)
  return Array.isArray(data) ? Buffer.concat(data) : data
}
