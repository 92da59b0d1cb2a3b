// The relay's side doors over HTTP: tickets for sockets, the whole document, an update from a device that is not connected.
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import { Hono } from 'hono'
import type { Context } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { nanoid } from 'nanoid'
import { z } from 'zod'
import type { Db } from '../db/database.ts'
import { GUEST, shareBehind } from '../files/access.ts'
import type { Access } from '../files/access.ts'
import { noteOpened } from '../files/files.ts'
import { Refusal, body, id, params, query, tooLarge } from '../http.ts'
import type { Env } from '../http.ts'
import { CLOSE, LIMITS } from '../protocol.ts'
import type { Role } from '../protocol.ts'
import type { Room, Submitted, Who } from './room.ts'
import type { Rooms } from './rooms.ts'
import { issueTicket } from './tickets.ts'

type RelayParts = { db: Db; rooms: Rooms; access: Access; secret: string }

const brotli = promisify(brotliCompress)
const share = z.string().max(64).optional()

export function relayRoutes({ db, rooms, access, secret }: RelayParts) {
  /** The caller and their role in a document; a genuine share code makes a guest of a visitor who is not signed in. */
  async function enter(
    c: Context<Env>,
    docId: string,
    code: string | undefined,
  ): Promise<{ who: Who; role: Role; shareId: string | null }> {
    const actor = c.get('actor')
    const shareId = code === undefined ? null : await shareBehind(db, secret, code)
    // A signed-in user may have access all the same.
    if (code !== undefined && shareId === null && actor === null) throw new Refusal('share-invalid')
    if (actor === null && shareId === null) throw new Refusal('signed-out')
    const who = actor ?? guest()
    const role = await access(docId, who.userId, shareId)
    if (role === null) throw new Refusal('not-found', 'no such document, or no access to it')
    return { who: { userId: who.userId, sessionId: who.sessionId, name: who.name, avatar: who.avatar ?? null }, role, shareId }
  }

  async function roomOf(docId: string): Promise<Room> {
    const room = await rooms.open(docId)
    if (room === null) throw new Refusal('not-found', 'no such document')
    return room
  }

  const tickets = new Hono<Env>().post('/ticket', body(z.object({ docId: id, share })), async c => {
    const { docId, share } = c.req.valid('json')
    const { who, role, shareId } = await enter(c, docId, share)
    const opened = who.userId.startsWith(GUEST) ? null : noteOpened(db, who.userId, docId)
    const [ticket] = await Promise.all([issueTicket(db, { ...who, docId, shareId }), opened])
    return c.json({ ...ticket, role })
  })

  const docs = new Hono<Env>()
    .get('/:id/state', params(z.object({ id })), query(z.object({ share })), async c => {
      const docId = c.req.valid('param').id
      const { role } = await enter(c, docId, c.req.valid('query').share)
      const room = await roomOf(docId)
      const state = await new Promise<{ update: Uint8Array; epoch: string; seq: number } | null>(done => room.state(done))
      if (state === null) throw new Refusal('unavailable')
      const etag = `"${state.epoch}.${state.seq}"`
      c.header('etag', etag)
      c.header('cache-control', 'private, no-cache')
      c.header('vary', 'accept-encoding, cookie')
      c.header('x-epoch', state.epoch)
      c.header('x-seq', String(state.seq))
      c.header('x-role', role)
      if (c.req.header('if-none-match') === etag) return c.body(null, 304)
      c.header('content-type', 'application/octet-stream')
      if (state.update.length < 1024 || !/\bbr\b/.test(c.req.header('accept-encoding') ?? ''))
        return c.body(Uint8Array.from(state.update).buffer)
      c.header('content-encoding', 'br')
      const packed = await brotli(state.update, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } })
      return c.body(Uint8Array.from(packed).buffer)
    })
    .post(
      '/:id/updates',
      params(z.object({ id })),
      query(z.object({ share })),
      bodyLimit({ maxSize: LIMITS.step2Bytes, onError: tooLarge }),
      async c => {
        const docId = c.req.valid('param').id
        const { who, role } = await enter(c, docId, c.req.valid('query').share)
        const room = await roomOf(docId)
        if (c.req.header('x-epoch') !== room.epoch) throw new Refusal('epoch-changed')
        const update = new Uint8Array(await c.req.arrayBuffer())
        const outcome = await new Promise<Submitted>(done => room.submit(who, role, update, done))
        if (outcome.ok) return c.json({ ok: true, seq: room.seq })
        if (outcome.code === CLOSE.noAccess) throw new Refusal('no-permission')
        if (outcome.code === CLOSE.full) throw new Refusal('storage-full')
        throw new Refusal(outcome.code === CLOSE.unavailable ? 'unavailable' : 'update-refused', outcome.reason)
      },
    )

  return { tickets, docs }
}

function guest(): Who {
  const key = nanoid()
  return { userId: `${GUEST}${key}`, sessionId: `${GUEST}${key}`, name: 'Guest' }
}
