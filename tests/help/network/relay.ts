// One real room behind a real socket on this machine, for tests of the client's session: tickets, roles and commits are in the
// test's hands.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { encode, writeVarString, writeVarUint } from 'lib0/encoding'
import { WebSocketServer } from 'ws'
import type { WebSocket as Socket } from 'ws'
import * as Y from 'yjs'
import { newDocument } from '../../../model-schema/document.ts'
import type { Role } from '../../../sync-server/protocol.ts'
import { readToken, tokenFrame } from '../../../sync-server/relay/frames.ts'
import { Room } from '../../../sync-server/relay/room.ts'
import type { Loaded, LogRow, Member, RoomLog } from '../../../sync-server/relay/room.ts'

export type Relay = Awaited<ReturnType<typeof startRelay>>

export async function startRelay(docId: string, epoch = 'epoch-one') {
  let rows: Uint8Array[] = [Y.encodeStateAsUpdate(newDocument('Shared'))]
  const waiting: (() => void)[] = []
  let holding = false
  let seq = 1
  const loaded = (): Loaded => ({ epoch, schema: 1, minWriter: 1, seq, updates: rows, owners: new Map<number, string>() })
  const log: RoomLog = {
    append(row: LogRow, settled): void {
      const commit = (): void => {
        rows.push(row.update)
        settled(++seq)
      }
      if (holding) waiting.push(commit)
      else queueMicrotask(commit)
    },
    load: settled => settled(loaded()),
  }
  const clock = {
    now: () => Date.now(),
    after(ms: number, run: () => void) {
      const timer = setTimeout(run, ms)
      timer.unref()
      return () => clearTimeout(timer)
    },
  }
  let room = new Room({ docId, loaded: loaded(), log, clock })
  const sockets = new Set<Socket>()
  const members = new Map<Socket, Member>()
  const tickets = new Map<string, { userId: string; name: string; role: Role }>()
  const refused: number[] = []
  /** Sockets that said they answer when asked for a new ticket, and that have answered. */
  const renewing = new Set<Socket>()
  const renewed: string[] = []
  let attempts = 0
  /** Closes the next sockets with these codes, one each. */
  const refusals: number[] = []

  const server = createServer()
  const sockets_ = new WebSocketServer({ noServer: true })
  server.on('upgrade', (request, stream, head) => {
    sockets_.handleUpgrade(request, stream, head, ws => {
      attempts++
      const url = new URL(request.url ?? '/', 'http://host')
      const pass = tickets.get(url.searchParams.get('ticket') ?? '')
      tickets.delete(url.searchParams.get('ticket') ?? '')
      const code = refusals.shift() ?? (pass === undefined ? 4401 : url.searchParams.get('e') !== room.epoch ? 4409 : null)
      if (code !== null || pass === undefined) {
        refused.push(code ?? 4401)
        return ws.close(code ?? 4401)
      }
      sockets.add(ws)
      const member = room.join({
        who: { userId: pass.userId, sessionId: `session of ${pass.userId}`, name: pass.name },
        role: pass.role,
        custom: url.searchParams.get('p') === '1',
        send: frame => ws.send(frame),
        close: (code, reason) => ws.close(code, reason),
        buffered: () => ws.bufferedAmount,
        pause: () => ws.pause(),
        resume: () => ws.resume(),
      })
      members.set(ws, member)
      if (url.searchParams.get('t') === '1') renewing.add(ws)
      ws.on('message', (data: Buffer) => {
        const frame = new Uint8Array(data)
        const token = readToken(frame)
        if (token === null) return room.receive(member, frame)
        const again = tickets.get(token)
        tickets.delete(token)
        if (again?.userId === pass.userId) renewed.push(again.userId)
        else ws.close(4401)
      })
      ws.on('close', () => {
        sockets.delete(ws)
        renewing.delete(ws)
        members.delete(ws)
        room.leave(member)
      })
    })
  })
  const listen = (port: number): Promise<void> => new Promise(done => server.listen(port, '127.0.0.1', done))
  await listen(0)
  const { port } = server.address() as AddressInfo

  return {
    url: `ws://127.0.0.1:${port}/yjs`,
    /** Tickets given, sockets asked for, sockets refused and with what. */
    get attempts() {
      return attempts
    },
    refused,
    refuseNext: (code: number): void => void refusals.push(code),
    ticket(userId: string, name: string, role: Role): string {
      const ticket = crypto.randomUUID()
      tickets.set(ticket, { userId, name, role })
      return ticket
    },
    state: () => ({ epoch: room.epoch, update: Y.mergeUpdates(rows) }),
    /** The committed document. */
    committed(): Y.Doc {
      const doc = new Y.Doc()
      for (const row of rows) Y.applyUpdate(doc, row)
      return doc
    },
    /** Something that reached the log at another time. */
    commit(update: Uint8Array): void {
      rows.push(update)
      room = new Room({ docId, loaded: loaded(), log, clock })
    },
    /** Commits wait until released. */
    hold(): void {
      holding = true
    },
    release(): void {
      holding = false
      for (const commit of waiting.splice(0)) commit()
    },
    /** Everybody's line breaks; what was not committed is lost with the room. */
    crash(): void {
      waiting.length = 0
      holding = false
      for (const ws of sockets) ws.terminate()
      room = new Room({ docId, loaded: loaded(), log, clock })
    },
    drain: (ms: number): void => room.drain(() => ms),
    setRole(userId: string, role: Role): void {
      for (const member of members.values()) if (member.who.userId === userId) room.setRole(member, role)
    },
    /** Sends everybody a frame of this type with this text. */
    say(type: number, text: string): void {
      const frame = encode(encoder => {
        writeVarUint(encoder, type)
        writeVarString(encoder, text)
      })
      for (const ws of sockets) ws.send(frame)
    },
    renewed,
    /** Asks everybody who said they would answer for a new ticket; how many. */
    renew(): number {
      for (const ws of renewing) ws.send(tokenFrame)
      return renewing.size
    },
    dismiss(code: number): void {
      for (const member of members.values()) room.dismiss(member, code, 'test')
    },
    /** Another lineage takes the document's place. */
    replace(nextEpoch: string): void {
      rows = [Y.encodeStateAsUpdate(newDocument('Replaced'))]
      epoch = nextEpoch
      for (const ws of sockets) ws.terminate()
      room = new Room({ docId, loaded: loaded(), log, clock })
    },
    get peers() {
      return room.size
    },
    async stop(): Promise<void> {
      for (const ws of sockets) ws.terminate()
      sockets_.close()
      await new Promise(done => server.close(done))
    },
  }
}
