// Work done on the server: queued in Postgres, done on a thread, told how far it is, ended, done by another server when one dies.
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseFile } from '../../model-schema/file.ts'
import { loadFile } from '../../model-schema/document.ts'
import * as Y from 'yjs'
import { openDatabase } from '../../sync-server/db/database.ts'
import type { Database } from '../../sync-server/db/database.ts'
import { Jobs } from '../../sync-server/jobs/queue.ts'
import { main } from '../../sim-engine/cli.ts'
import { startServer, useDatabase } from '../help/server.ts'
import type { Person, TestServer } from '../help/server.ts'

const suite = useDatabase()
const sample = new URL('../../model-schema/samples/car-wash.holo', import.meta.url)
let database: Database
let server: TestServer
let jobs: Jobs
let ann: Person
let model: string

const newId = (): string => `id_${randomBytes(9).toString('base64url')}`

beforeAll(async () => {
  database = await openDatabase(suite.connection)
  jobs = await Jobs.start(database, suite.connection, 1)
  server = await startServer(suite.connection, { jobs, plan: 'pro' })
  ann = await server.person('Ann')
  model = await upload(ann)
})
afterAll(async () => {
  await jobs?.stop()
  await server?.stop()
  await database?.close()
})

async function upload(person: Person): Promise<string> {
  const id = await person.file(`Queue ${newId()}`)
  const parsed = parseFile(await readFile(sample, 'utf8'))
  if ('problems' in parsed) throw new Error('the sample cannot be read')
  const doc = new Y.Doc()
  loadFile(doc, parsed.file)
  const epoch = (await person.call('GET', `/api/docs/${id}/state`)).headers.get('x-epoch') ?? ''
  await person.must('POST', `/api/docs/${id}/updates`, Y.encodeStateAsUpdate(doc), { 'x-epoch': epoch })
  return id
}

const ask = (person: Person, input: object, id = newId(), fileId = model) =>
  person.call('POST', '/api/jobs', { id, kind: 'simulate', fileId, input })

/** The job once it is as wanted, or over. */
async function when(person: Person, id: string, state: string) {
  for (;;) {
    const { job } = await person.must('GET', `/api/jobs/${id}`)
    if (job.state === state || ['done', 'failed', 'cancelled'].includes(job.state)) return job
    await new Promise(done => setTimeout(done, 30))
  }
}

describe('a job', () => {
  it('runs a model to its end, with the numbers it has everywhere; asked for twice it is one', async () => {
    const id = newId()
    const input = { seed: 7, ticks: 500 }
    expect((await ask(ann, input, id)).status).toBe(201)
    expect((await ask(ann, input, id)).status).toBe(201)
    const job = await when(ann, id, 'done')
    expect(job).toMatchObject({ state: 'done', progress: 1, error: null, fileId: model })
    const said: string[] = []
    main(['run', sample.pathname, '--seed', '7', '--ticks', '500', '--json'], { out: text => void said.push(text), err: () => {} })
    const here = JSON.parse(said.join(''))
    expect(job.result.statistics).toEqual(here.statistics)
    expect(job.result.result).toEqual(here.result)
    const rows = await database.db.selectFrom('job').select('attempts').where('id', '=', id).execute()
    expect(rows).toEqual([{ attempts: 1 }])
  }, 60_000)

  it('is ended while it runs, and the next one is done', async () => {
    const long = newId()
    await ask(ann, { ticks: 1e12 }, long)
    expect((await when(ann, long, 'running')).state).toBe('running')
    expect((await ann.must('POST', `/api/jobs/${long}/cancel`)).cancelled).toBe(true)
    const next = newId()
    await ask(ann, { ticks: 100 }, next)
    expect((await when(ann, next, 'done')).state).toBe('done')
    expect((await ann.must('GET', `/api/jobs/${long}`)).job.state).toBe('cancelled')
    expect((await ann.must('POST', `/api/jobs/${long}/cancel`)).cancelled).toBe(false)
  }, 60_000)

  it('that cannot be done says why, and is not tried again', async () => {
    const id = newId()
    await ask(ann, { scenario: 'there is none of this name' }, id)
    expect(await when(ann, id, 'failed')).toMatchObject({ state: 'failed', error: 'there is no such scenario' })
    expect((await ask(ann, { seed: -1 })).json.code).toBe('invalid-params')
  }, 60_000)

  it('belongs to who asked, takes a right to run the model, a plan that has it, and cloud time', async () => {
    const bob = await server.person('Bob')
    expect((await ask(bob, {})).json.code).toBe('not-found')
    const { jobs: hers } = await ann.must('GET', '/api/jobs')
    expect(hers.length).toBeGreaterThan(0)
    expect((await bob.call('GET', `/api/jobs/${hers[0].id}`)).json.code).toBe('not-found')
    expect((await bob.call('POST', `/api/jobs/${hers[0].id}/cancel`)).json.code).toBe('not-found')

    const his = await upload(bob)
    await database.db.insertInto('subscription').values({ user_id: bob.id, level: 'free', until: null }).execute()
    expect((await ask(bob, {}, newId(), his)).json).toMatchObject({ code: 'plan-lacks-feature', feature: { feature: 'cloudRuns' } })
    await database.db.updateTable('subscription').set({ level: 'basic' }).where('user_id', '=', bob.id).execute()
    const id = newId()
    expect((await ask(bob, { ticks: 10 }, id, his)).status).toBe(201)
    await when(bob, id, 'done')
    await database.db
      .updateTable('job')
      .set({ spent_ms: 25 * 3_600_000 })
      .where('id', '=', id)
      .execute()
    expect((await ask(bob, {}, newId(), his)).json).toMatchObject({ code: 'limit-reached', limit: { quantity: 'cloudHoursPerYear' } })
  }, 60_000)

  it('is done by another server when its own stops in the middle', async () => {
    const id = newId()
    await ask(ann, { ticks: 1e12 }, id)
    await when(ann, id, 'running')
    const other = await Jobs.start(database, suite.connection, 1)
    await jobs.stop()
    for (;;) {
      const row = await database.db.selectFrom('job').select(['attempts', 'state']).where('id', '=', id).executeTakeFirstOrThrow()
      if (row.attempts === 2) break
      await new Promise(done => setTimeout(done, 50))
    }
    expect(await other.cancel(ann.id, id)).toBe(true)
    await other.stop()
  }, 60_000)
})
