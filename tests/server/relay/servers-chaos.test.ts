// Two server processes on one Postgres, connected by Redis, and one of them killed with SIGKILL again and again. What was
// acked is there, also when its author was alone and has left; people on both servers end with the same document, and it is the one
// the database has. A failure prints its seed: `SEED=3 npx vitest run tests/server/relay/servers-chaos.test.ts`; `COUNT=50` for more.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as Y from 'yjs'
import { ackFrame, updateFrame } from '../../../sync-server/relay/frames.ts'
import { changedUntil, Client, content } from '../../help/network/client.ts'
import { kill, signIn, useProcesses } from '../../help/network/process.ts'
import type { Started } from '../../help/network/process.ts'
import { chance } from '../../help/random.ts'
import { startRedis } from '../../help/network/redis.ts'
import type { TestRedis } from '../../help/network/redis.ts'
import { openSocket } from '../../help/server.ts'
import type { Person } from '../../help/server.ts'

const processes = useProcesses()
const CLIENTS = 6
const FIRST = Number(process.env['SEED'] ?? 1)
const SEEDS = process.env['SEED'] === undefined ? Number(process.env['COUNT'] ?? 10) : 1

let redis: TestRedis
let env: Record<string, string>
const servers: Started[] = []

beforeAll(async () => {
  redis = await startRedis()
  env = { DATABASE_URL: await processes.postgres(), REDIS_URL: redis.url, SECRET: 'the same secret on every one of the servers', DEMO: '1' }
  for (let i = 0; i < 2; i++) servers.push(await processes.start(env))
})
afterAll(async () => {
  for (const { child } of servers) if (child.exitCode === null && child.signalCode === null) await kill(child)
  await redis?.stop()
})

const urlOf = (i: number): string => servers[i]?.url ?? ''

/** Kills a server and starts another in its place; `meanwhile` while it is down. */
async function replace(i: number, meanwhile: () => Promise<void> | void = () => {}): Promise<void> {
  const victim = servers[i]
  if (victim === undefined) throw new Error(`there is no server ${i}`)
  await kill(victim.child)
  await meanwhile()
  servers[i] = await processes.start(env)
}

describe('two servers, one of which is killed', () => {
  it('an acked edit of a lone author is on the other server at once', async () => {
    const random = chance(7)
    let ann: Person = await signIn(urlOf(1))
    const docId = await ann.file('Lone author, two servers')
    for (let round = 1; round <= 10; round++) {
      ann = await signIn(urlOf(1))
      const socket = await openSocket(urlOf(0), docId, `ticket=${await ann.ticket(docId)}&p=1`)
      const doc = new Y.Doc()
      await socket.sync(doc)
      expect(doc.getMap('data').size, `round ${round} opens with all edits before it`).toBe(round - 1)
      const updates: Uint8Array[] = []
      doc.on('update', (update: Uint8Array) => void updates.push(update))
      for (let i = random.below(4); i > 0; i--) doc.getMap('geo').set(`e${i}`, [round, i, 1, 1])
      doc.getMap('data').set(`round/${round}`, random.text(200))
      for (const update of updates) socket.send(updateFrame(update))
      socket.send(ackFrame(round))
      await socket.acked(round)
      await replace(0, async () => {
        socket.close()
        const there = new Y.Doc()
        const state = await fetch(`${urlOf(1)}/api/docs/${docId}/state`, { headers: { cookie: ann.cookie } })
        Y.applyUpdate(there, new Uint8Array(await state.arrayBuffer()))
        expect(there.getMap('data').has(`round/${round}`), `round ${round}: the acked edit`).toBe(true)
      })
    }
  })

  it(
    `people on both keep every acked edit and end alike, ${SEEDS} seeds`,
    async () => {
      for (let seed = FIRST; seed < FIRST + SEEDS; seed++) {
        const random = chance(seed)
        const victim = random.below(2)
        const person = await signIn(urlOf(1 - victim))
        const docId = await person.file(`Chaos on two ${seed}`)
        const clients = Array.from({ length: CLIENTS }, (_, i) => new Client(`s${seed}c${i}`))
        const home = new Map(clients.map((client, i) => [client, i % 2]))
        const connect = (client: Client, to = home.get(client) ?? 0): Promise<void> => {
          home.set(client, to)
          return client.connect(person, docId, urlOf(to))
        }
        await Promise.all(clients.map(client => connect(client)))
        const act = async (steps: number): Promise<void> => {
          for (let i = 0; i < steps; i++) {
            const client = random.pick(clients)
            if (random.chance(0.08)) {
              client.gone()
              if (random.chance(0.5)) client.edit(random)
              // Some come back at the other server, with what they heard at the first.
              await connect(client, random.below(2))
            } else client.edit(random)
            if (random.chance(0.3)) await new Promise(setImmediate)
          }
        }
        await act(20 + random.below(40))
        // One has an answer to everything and leaves for good, disk and all, just before the kill.
        const leaver = clients.find(client => home.get(client) === victim) ?? clients[0]
        await leaver?.settled()
        clients.splice(clients.indexOf(leaver ?? clients[0]!), 1)
        leaver?.gone()
        for (const client of clients) client.edit(random)
        await replace(victim, async () => {
          // Those of the dead server go on at the other.
          for (const client of clients) {
            client.edit(random)
            if (home.get(client) !== victim) continue
            client.gone()
            await connect(client, 1 - victim)
            client.edit(random)
          }
        })
        for (const client of clients) {
          if (!random.chance(0.5)) continue
          client.gone()
          await connect(client, victim)
        }
        await act(10)
        await Promise.all(clients.map(client => client.settled()))

        const readers = [new Client('reader at 0'), new Client('reader at 1')]
        for (const [i, reader] of readers.entries()) await reader.connect(person, docId, urlOf(i))
        const everybody = [...readers, ...clients]
        const keys = [leaver, ...clients].flatMap(client => [...(client?.acked ?? [])])
        const first = readers[0]!.doc
        await changedUntil(
          everybody.map(({ doc }) => doc),
          () => keys.every(key => first.getMap('data').has(key)) && everybody.every(({ doc }) => content(doc) === content(first)),
        )
        const stored = await processes.cold(docId)
        expect(
          keys.filter(key => !stored.getMap('data').has(key)),
          `SEED=${seed}: acked edits that are lost`,
        ).toEqual([])
        for (const client of everybody) expect(content(client.doc), `SEED=${seed}: ${client.name} and the database`).toBe(content(stored))
        for (const client of everybody) client.gone()
      }
    },
    SEEDS * 60_000,
  )
})
