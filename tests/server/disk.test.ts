// The disk of the server fills up and empties again, while people are in a document.
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import * as Y from 'yjs'
import { DiskSpace } from '../../sync-server/db/space.ts'
import { MESSAGE, SYNC } from '../../sync-server/protocol.ts'
import { ackFrame, step2Frame, updateFrame } from '../../sync-server/relay/frames.ts'
import { Person, startServer, useDatabase } from '../help/server.ts'
import type { RawSocket } from '../help/server.ts'

const MB = 1 << 20
const suite = useDatabase()
let folder = ''
let free = 1000 * MB
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holarchy-space-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

function spaceOf(): DiskSpace {
  return new DiskSpace(folder, { minFreeBytes: 64 * MB, reserveBytes: MB, freeOf: () => Promise.resolve(free) })
}

/** Sends the changes that `edit` makes, and asks for mark `n`. */
function send(socket: RawSocket, doc: Y.Doc, n: number, edit: () => void): void {
  const note = (update: Uint8Array): void => socket.send(updateFrame(update))
  doc.on('update', note)
  edit()
  doc.off('update', note)
  socket.send(ackFrame(n))
}

it('disk space: too little is one state with a margin, and the reserve is given up when it gets worse', async () => {
  free = 1000 * MB
  const space = spaceOf()
  const told: boolean[] = []
  space.onChange(isShort => told.push(isShort))
  const states: [number, boolean, boolean][] = [
    [1000, false, true],
    [63, true, true],
    [15, true, false],
    // A little more than the limit is not enough yet.
    [70, true, true],
    [90, false, true],
  ]
  for (const [left, isShort, hasReserve] of states) {
    free = left * MB
    await space.look()
    expect([space.isShort, existsSync(join(folder, 'reserve'))], `${left} MB`).toEqual([isShort, hasReserve])
  }
  expect(told).toEqual([true, false])
})

it('full disk: what grows is refused in words, reading, signing in and deleting work, and it recovers without a restart', async () => {
  free = 1000 * MB
  const space = spaceOf()
  const server = await startServer(suite.connection, { space })
  const ann = await server.person('Ann')
  const file = await ann.file('Open')
  const socket = await ann.socket(file)
  const doc = new Y.Doc()
  await socket.sync(doc)
  send(socket, doc, 1, () => void doc.getMap('data').set('a/name', 'before'))
  await socket.acked(1)

  free = 10 * MB
  await space.look()
  const refused = await ann.call('POST', '/api/files', { id: 'file_too_late', kind: 'model', name: 'Late' })
  expect([refused.status, refused.json.code]).toEqual([507, 'disk-full'])
  expect((await ann.must('GET', '/api/files')).files).toHaveLength(1)
  expect((await ann.call('GET', `/api/docs/${file}/state`)).status).toBe(200)
  const again = new Person(server.url, ann.email)
  await again.must('POST', '/api/accounts/login', { email: ann.email, password: 'correct horse' })
  const reader = await again.socket(file)
  await reader.sync(new Y.Doc())

  // Growth waits, said so and without anybody being thrown out; a deletion is taken.
  await socket.message(MESSAGE.control)
  expect((await socket.notice(MESSAGE.control)).type).toBe('quota')
  send(socket, doc, 2, () => void doc.getMap('data').set('b/name', 'during'))
  const other = new Y.Doc()
  const deleter = await ann.socket(file)
  await deleter.sync(other)
  send(deleter, other, 1, () => other.getMap('data').delete('a/name'))
  await deleter.acked(1)
  expect(socket.closeCode).toBeNull()

  const asked = (): number => socket.frames.filter(frame => frame[0] === MESSAGE.sync && frame[1] === SYNC.step1).length
  const before = asked()
  free = 1000 * MB
  await space.look()
  await socket.until(() => asked() > before)
  socket.send(step2Frame(Y.encodeStateAsUpdate(doc)))
  await socket.acked(2)
  await ann.must('POST', '/api/files', { id: 'file_in_time', kind: 'model', name: 'In time' })
  socket.close()
  reader.close()
  deleter.close()
  await server.stop()
})
