// Results of experiments kept on the server: kept and read back byte for byte, shared with who sees the experiment, bounded by plans.
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase } from '../../../sync-server/db/database.ts'
import type { Database } from '../../../sync-server/db/database.ts'
import { newId } from '../../help/network/company.ts'
import { startServer, useDatabase } from '../../help/server.ts'
import type { Person, TestServer } from '../../help/server.ts'

const suite = useDatabase()
let database: Database
let server: TestServer
let ann: Person
let study: string

const head = { key: '0123456789abcdef', name: 'Waits', type: 'monteCarlo', runs: '40', failed: '1', ended: 'finished' }
const query = (fields: object = {}): string => new URLSearchParams({ ...head, startedAt: '2026-11-01T10:00:00.000Z', ...fields }).toString()

const put = (person: Person, id: string, data: Uint8Array, { file = study, fields = {} } = {}) =>
  person.call('PUT', `/api/results/${file}/${id}?${query(fields)}`, data)
const experimentOf = (person: Person): Promise<string> => person.file(`Study ${newId()}`, { kind: 'experiment' })

beforeAll(async () => {
  database = await openDatabase(suite.connection)
  server = await startServer(suite.connection, { plan: 'free' })
  ann = await server.person('Ann')
  study = await experimentOf(ann)
})
afterAll(async () => {
  await server?.stop()
  await database?.close()
})

describe('results on the server', () => {
  it('are kept, listed and read back; kept again under the same id they are replaced', async () => {
    const id = newId()
    const data = randomBytes(3_000_000)
    expect((await put(ann, id, data)).status).toBe(201)
    const { results, room } = await ann.must('GET', `/api/results/${study}`)
    expect(results).toMatchObject([{ id, name: 'Waits', runs: 40, failed: 1, bytes: 3_000_000, by: 'Ann', isMine: true, fileId: study }])
    expect(room).toMatchObject({ count: 1, allowed: 5, bytes: 3_000_000, allowedBytes: 500_000_000, level: 'free' })
    const back = await fetch(`${ann.url}/api/results/${study}/${id}`, { headers: { cookie: ann.cookie } })
    expect(data.equals(Buffer.from(await back.arrayBuffer()))).toBe(true)
    expect((await put(ann, id, data.subarray(0, 10), { fields: { runs: '41' } })).status).toBe(201)
    expect((await ann.must('GET', `/api/results/${study}`)).results).toMatchObject([{ runs: 41, bytes: 10 }])
    expect((await ann.call('DELETE', `/api/results/${study}/${id}`)).status).toBe(200)
    expect((await ann.call('GET', `/api/results/${study}/${id}`)).json.code).toBe('not-found')
  })

  it('need a right to see the experiment, and are deleted by who kept them or manages the file', async () => {
    const bob = await server.person('Bob')
    const id = newId()
    expect((await put(bob, id, randomBytes(10))).json.code).toBe('not-found')
    expect((await bob.call('GET', `/api/results/${study}`)).json.code).toBe('not-found')
    await ann.must('POST', `/api/files/${study}/collaborators`, { email: bob.email, role: 'viewer' })
    expect((await put(bob, id, randomBytes(10))).status).toBe(201)
    expect((await put(ann, id, randomBytes(10))).json.code).toBe('id-taken')
    const hers = newId()
    await put(ann, hers, randomBytes(10))
    expect((await bob.call('DELETE', `/api/results/${study}/${hers}`)).json.code).toBe('not-found')
    expect((await bob.call('GET', `/api/results/${study}/${hers}`)).status).toBe(200)
    expect((await ann.call('DELETE', `/api/results/${study}/${id}`)).status).toBe(200)
    await ann.must('DELETE', `/api/results/${study}/${hers}`)
  })

  it('are refused when they are too many, of several at once too, and what may be deleted is said', async () => {
    const cat = await server.person('Cat')
    const files = [await experimentOf(cat), await experimentOf(cat)]
    const answers = await Promise.all(Array.from({ length: 8 }, (_, k) => put(cat, newId(), randomBytes(100), { file: files[k % 2]! })))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(5)
    const refused = answers.find(({ status }) => status !== 201)
    expect(refused?.json).toMatchObject({ code: 'limit-reached', limit: { quantity: 'remoteRuns', allowed: 5 } })
    const { results, room, deletable } = await cat.must('GET', `/api/results/${files[0]!}`)
    expect(room.count).toBe(5)
    expect(deletable).toHaveLength(5)
    expect(results.length).toBeLessThan(5)
    const other = deletable.find((one: { fileId: string }) => one.fileId === files[1])
    await cat.must('DELETE', `/api/results/${files[1]!}/${other.id}`)
    expect((await put(cat, newId(), randomBytes(100), { file: files[0]! })).status).toBe(201)
    expect((await cat.must('GET', `/api/results/${files[0]!}`)).room.count).toBe(5)
  })

  it('are refused when they are too large together, alone, empty, or of no experiment', async () => {
    const dan = await server.person('Dan')
    const file = await experimentOf(dan)
    const id = newId()
    await put(dan, id, randomBytes(100), { file })
    await database.db.updateTable('experiment_result').set({ bytes: 500_000_000 }).where('id', '=', id).execute()
    expect((await put(dan, newId(), randomBytes(100), { file })).json).toMatchObject({
      code: 'limit-reached',
      limit: { quantity: 'resultStorageGB', allowed: 0.5 },
    })
    expect((await put(dan, newId(), new Uint8Array(0), { file })).json.code).toBe('invalid-params')
    expect((await put(dan, newId(), randomBytes(10), { file, fields: { ended: 'running' } })).json.code).toBe('invalid-params')
    expect((await put(dan, newId(), randomBytes(10), { file: await dan.file('Model') })).json.code).toBe('invalid-params')
    expect((await put(dan, newId(), new Uint8Array((64 << 20) + 1), { file })).json.code).toBe('too-large')
  })
})
