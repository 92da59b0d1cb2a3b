// An author alone, acked, gone; the server killed at once. What was acked is in the database: no client is left to send it again.
// A real server process with a real database folder, killed with SIGKILL again and again (ROUNDS); the database is read by another process.
import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import * as Y from 'yjs'
import { ackFrame, updateFrame } from '../../../sync-server/relay/frames.ts'
import { kill, signIn, useProcesses } from '../../help/network/process.ts'
import { chance } from '../../help/random.ts'

const processes = useProcesses()
const { start, cold } = processes

const ROUNDS = Number(process.env['ROUNDS'] ?? 30)

describe('durability', () => {
  it(
    `durability: an acked edit of a lone author survives kill -9, ${ROUNDS} times of ${ROUNDS}`,
    async () => {
      const random = chance(30)
      let server = await start()
      let ann = await signIn(server.url)
      const docId = await ann.file('Lone author')
      let lost = 0
      for (let round = 1; round <= ROUNDS; round++) {
        const socket = await ann.socket(docId)
        const doc = new Y.Doc()
        await socket.sync(doc)
        expect(doc.getMap('data').size, `round ${round} opens with all edits before it`).toBe(round - 1)
        // A few edits around the one that counts, so that the kill falls into different moments of the group commit.
        const updates: Uint8Array[] = []
        doc.on('update', (update: Uint8Array) => void updates.push(update))
        for (let i = random.below(4); i > 0; i--) doc.getMap('geo').set(`e${i}`, [round, i, 1, 1])
        doc.getMap('data').set(`round/${round}`, random.text(200))
        for (const update of updates) socket.send(updateFrame(update))
        socket.send(ackFrame(round))
        await socket.acked(round)
        const killed = kill(server.child)
        socket.close()
        await killed
        if (!(await cold(docId)).getMap('data').has(`round/${round}`)) lost++
        server = await start()
        ann = await signIn(server.url)
      }
      expect(lost).toBe(0)
      expect(server.lines.join('\n')).toContain('taken over')
      await kill(server.child)
    },
    ROUNDS * 40_000,
  )

  it('an orderly stop loses nothing either, stops the database, and the next start finds everything', async () => {
    const first = await start()
    const ann = await signIn(first.url)
    const docId = await ann.file('Orderly')
    const socket = await ann.socket(docId)
    const doc = new Y.Doc()
    await socket.sync(doc)
    const updates: Uint8Array[] = []
    doc.on('update', (update: Uint8Array) => void updates.push(update))
    doc.getMap('kind').set('a', 'agent')
    for (const update of updates) socket.send(updateFrame(update))
    const gone = once(first.child, 'exit')
    socket.send(ackFrame(1))
    await socket.acked(1)
    first.child.kill('SIGTERM')
    expect(await socket.closed()).toBe(1012)
    expect((await socket.notice(103)).retryAfterMs).toBeGreaterThan(0)
    expect((await gone)[0]).toBe(0)
    const second = await start()
    expect(second.lines.join('\n')).not.toContain('taken over')
    const again = await signIn(second.url)
    expect((await again.must('GET', '/api/files')).files.map((file: { name: string }) => file.name)).toContain('Orderly')
    const copy = new Y.Doc()
    const reopened = await again.socket(docId)
    await reopened.sync(copy)
    expect(copy.getMap('kind').get('a')).toBe('agent')
    reopened.close()
    await kill(second.child)
  })

  it('a second server on the same folder says who has it, and leaves it alone', async () => {
    const first = await start()
    await expect(start()).rejects.toThrow(
      new RegExp(`Another Holarchy server \\(pid ${first.child.pid} http://localhost:\\d+\\) is running on`),
    )
    const ann = await signIn(first.url)
    expect((await ann.must('GET', '/api/health')).ok).toBe(true)
    await expect(start({ HOLARCHY_DATA: `${processes.folder}/other`, PORT: new URL(first.url).port })).rejects.toThrow(/Port \d+ is taken/)
    await kill(first.child)
  })
})
