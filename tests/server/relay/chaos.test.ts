// Several people in one document while the server is killed with SIGKILL again and again. Whatever was acked is there in the end,
// also of those who left for good; all who stay end with the same document, and it is the one the database has. A failure prints
// its seed: `SEED=3 npx vitest run tests/server/relay/chaos.test.ts`; `COUNT=50` for more.
import { describe, expect, it } from 'vitest'
import { changedUntil, Client, content } from '../../help/network/client.ts'
import { kill, signIn, useProcesses } from '../../help/network/process.ts'
import type { Started } from '../../help/network/process.ts'
import { chance } from '../../help/random.ts'

const { start, cold } = useProcesses()
const CLIENTS = 5
const FIRST = Number(process.env['SEED'] ?? 1)
const SEEDS = process.env['SEED'] === undefined ? Number(process.env['COUNT'] ?? 10) : 1

describe('several people and a server that is killed', () => {
  it(
    `keep every acked edit and end alike, ${SEEDS} seeds`,
    async () => {
      let server: Started = await start()
      let person = await signIn(server.url)
      for (let seed = FIRST; seed < FIRST + SEEDS; seed++) {
        const random = chance(seed)
        const docId = await person.file(`Chaos ${seed}`)
        const clients = Array.from({ length: CLIENTS }, (_, i) => new Client(`s${seed}c${i}`))
        await Promise.all(clients.map(client => client.connect(person, docId)))
        const act = async (steps: number): Promise<void> => {
          for (let i = 0; i < steps; i++) {
            const client = random.pick(clients)
            if (random.chance(0.08)) {
              client.gone()
              if (random.chance(0.5)) client.edit(random)
              await client.connect(person, docId)
            } else client.edit(random)
            if (random.chance(0.3)) await new Promise(setImmediate)
          }
        }
        await act(20 + random.below(40))
        // One has an answer to everything and leaves for good, disk and all, just before the kill.
        const leaver = clients.pop()
        await leaver?.settled()
        const killed = kill(server.child)
        for (const client of clients) client.edit(random)
        leaver?.gone()
        await killed
        server = await start()
        person = await signIn(server.url)
        await Promise.all(clients.map(client => client.connect(person, docId)))
        await act(10)
        await Promise.all(clients.map(client => client.settled()))

        const fresh = new Client('reader')
        await fresh.connect(person, docId)
        const keys = [leaver, ...clients].flatMap(client => [...(client?.acked ?? [])])
        const data = fresh.doc.getMap('data')
        await changedUntil(
          [fresh, ...clients].map(({ doc }) => doc),
          () => keys.every(key => data.has(key)) && clients.every(client => content(client.doc) === content(fresh.doc)),
        )
        for (const client of clients) expect(content(client.doc), `SEED=${seed}: ${client.name} and a new reader`).toBe(content(fresh.doc))
        const stored = await cold(docId)
        expect(
          keys.filter(key => !stored.getMap('data').has(key)),
          `SEED=${seed}: acked edits that are lost`,
        ).toEqual([])
        expect(content(stored), `SEED=${seed}: the database and the people`).toBe(content(fresh.doc))
        for (const client of [fresh, ...clients]) client.gone()
      }
      await kill(server.child)
    },
    SEEDS * 60_000,
  )
})
