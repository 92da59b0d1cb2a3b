// Work done on the server: queued in Postgres, done on a thread, with progress, ended, done by another server when one dies.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { speakTo } from '../../../model-schema/languages/catalogues.ts'
import { isWords } from '../../../model-schema/words.ts'
import { economy } from '../../../model-schema/business/coins.ts'
import { experimentOf } from '../../../model-schema/experiment.ts'
import { modelOfFile, parseFile } from '../../../model-schema/file.ts'
import { plans } from '../../../model-schema/business/plans.ts'
import { keyOf, prepare } from '../../../sim-engine/experiment.ts'
import { loadFile } from '../../../model-schema/document.ts'
import { sql } from 'kysely'
import * as Y from 'yjs'
import { takeEnergy } from '../../../sync-server/coins/deals.ts'
import { openDatabase } from '../../../sync-server/db/database.ts'
import type { Database } from '../../../sync-server/db/database.ts'
import { conductOnServer, preparedOnServer } from '../../../sync-server/jobs/experiment.ts'
import { Jobs } from '../../../sync-server/jobs/queue.ts'
import { main, mainUntil } from '../../../sim-engine/cli.ts'
import { newId } from '../../help/network/company.ts'
import { kill, spawnJobs } from '../../help/network/process.ts'
import { startServer, useDatabase } from '../../help/server.ts'
import type { Person, TestServer } from '../../help/server.ts'

const suite = useDatabase()
const sample = new URL('../../../model-schema/samples/car-wash.holo', import.meta.url)
let database: Database
let server: TestServer
let jobs: Jobs
let ann: Person
let model: string

beforeAll(async () => {
  database = await openDatabase(suite.connection)
  // An energy buys a moment here.
  const more = async (payer: string, job: string, nth: number) => ((await takeEnergy(database.db, economy, payer, job, nth)) ? 200 : 0)
  jobs = await Jobs.start(database, suite.connection, 1, more)
  server = await startServer(suite.connection, { jobs, plan: 'pro' })
  ann = await server.person('Ann')
  model = await upload(ann)
})
afterAll(async () => {
  await jobs?.stop()
  await server?.stop()
  await database?.close()
})

async function upload(person: Person, text?: string): Promise<string> {
  const id = await person.file(`Queue ${newId()}`)
  const parsed = parseFile(text ?? (await readFile(sample, 'utf8')))
  if ('problems' in parsed) throw new Error('the file cannot be read')
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
  })

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
  })

  it('that cannot be done says why, and is not tried again', async () => {
    const id = newId()
    await ask(ann, { scenario: 'there is none of this name' }, id)
    expect(await when(ann, id, 'failed')).toMatchObject({ state: 'failed', error: 'There is no such scenario.' })
    expect((await ask(ann, { seed: -1 })).json.code).toBe('invalid-params')
  })

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
    await database.db.updateTable('subscription').set({ level: 'pro' }).where('user_id', '=', bob.id).execute()
    const id = newId()
    expect(await ask(bob, { ticks: 10 }, id, his)).toMatchObject({ status: 201, json: { over: null } })
    await when(bob, id, 'done')
    await database.db
      .updateTable('job')
      .set({ spent_ms: 601 * 3_600_000 })
      .where('id', '=', id)
      .execute()
    // Beyond the plan's time energy is used up, as long as there is some.
    const energy = async () => (await bob.must('GET', '/api/coins')).balances.energy
    expect(await energy()).toBe(10)
    const long = newId()
    expect((await ask(bob, { ticks: 1e12 }, long, his)).status).toBe(201)
    expect(await when(bob, long, 'failed')).toMatchObject({ state: 'failed', error: expect.stringContaining('cloud time of this year') })
    expect(await energy()).toBe(0)
    expect((await bob.must('GET', '/api/coins/history?kinds=cloudRun')).lines.length).toBe(10)
    expect((await ask(bob, {}, newId(), his)).json).toMatchObject({
      code: 'limit-reached',
      limit: { quantity: 'cloudHoursPerYear', allowed: 600 },
    })
  })

  /** An experiment about `model`, uploaded. */
  const experimentText = (fields: object): string =>
    JSON.stringify({
      format: 'holo',
      version: 1,
      elements: {
        study: { kind: 'experiment', name: 'Waits', type: 'optimization', algorithm: 'nsga2', modelFile: model, ticks: 300, ...fields },
        load: { kind: 'decision', parent: 'study', variable: 'Load', min: 0.2, max: 0.9 },
        wait: { kind: 'objective', parent: 'study', name: 'Wait', expression: 'mean_wait' },
      },
    })
  const experiment = (fields: object): Promise<string> => upload(ann, experimentText(fields))
  const conduct = (fileId: string, id = newId()) => ann.call('POST', '/api/jobs', { id, kind: 'experiment', fileId, input: {} })
  const partsOf = async (id: string): Promise<{ run: number }[]> => {
    const found: { run: number }[] = []
    for (let after = -1; ;) {
      const { parts } = await ann.must('GET', `/api/jobs/${id}/parts?after=${after}`)
      if (parts.length === 0) return found
      for (const { serial, data } of parts) {
        found.push(...[data].flat())
        after = serial
      }
    }
  }

  const stateOf = (id: string) => database.db.selectFrom('job').select(['attempts', 'state']).where('id', '=', id).executeTakeFirstOrThrow()

  it('conducts an experiment, with the report it has on the command line; its samples can be read as they come', async () => {
    const fields = { populationSize: 8, maxIterations: 5, replications: 2 }
    const fileId = await experiment(fields)
    const id = newId()
    expect((await conduct(fileId, id)).status).toBe(201)
    const job = await when(ann, id, 'done')
    expect(job.error).toBe(null)
    const folder = await mkdtemp(join(tmpdir(), 'holarchy-jobs-'))
    const file = join(folder, 'waits.holo')
    await writeFile(file, experimentText(fields))
    const said: string[] = []
    const never = new AbortController().signal
    await mainUntil(
      ['experiment', file, '--model', sample.pathname, '--json', '--threads', '2'],
      { out: text => void said.push(text), err: () => {} },
      never,
    )
    await rm(folder, { recursive: true })
    const { ended, ...report } = JSON.parse(said.join(''))
    expect(ended).toBe('finished')
    expect(job.result).toEqual(report)
    const samples = await partsOf(id)
    expect(new Set(samples.map(({ run }) => run)).size).toBe(report.runs)
    expect(samples).toHaveLength(report.runs)
    // Another device of hers gets its description; others do not.
    const task = await ann.must('GET', `/api/jobs/${id}/task`)
    expect(parseFile(task.file)).toHaveProperty('file.elements.study.name', 'Waits')
    expect(parseFile(task.linked)).toHaveProperty('file')
    expect((await (await server.person('Eve')).call('GET', `/api/jobs/${id}/task`)).json.code).toBe('not-found')
  })

  it('an experiment ends when its time is up, with what it found until then', async () => {
    const fileId = await experiment({ populationSize: 100, maxIterations: 10_000, ticks: 3000, maxRuns: 1_000_000, maxMinutes: 0.05 })
    const id = newId()
    await conduct(fileId, id)
    const job = await when(ann, id, 'done')
    expect(job).toMatchObject({ state: 'done', error: null })
    expect(job.result.runs).toBeLessThan(1_000_000)
    // The time of its threads, not that on the wall; of each no more than there was.
    const wall = Date.parse(job.endedAt) - Date.parse(job.createdAt)
    expect(job.spentMs).toBeGreaterThan(0)
    expect(job.spentMs).toBeLessThan(9 * wall)
    expect((await partsOf(id)).length).toBeLessThanOrEqual(job.result.runs)
  })

  it('an experiment takes a plan that has its type', async () => {
    const cat = await server.person('Cat')
    await database.db.insertInto('subscription').values({ user_id: cat.id, level: 'basic', until: null }).execute()
    const linked = await upload(cat)
    const ask = async (fields: object) => {
      const fileId = await upload(cat, experimentText({ modelFile: linked, populationSize: 4, maxIterations: 1, ...fields }))
      return cat.call('POST', '/api/jobs', { id: newId(), kind: 'experiment', fileId, input: {} })
    }
    expect((await ask({ type: 'learning' })).json).toMatchObject({
      code: 'plan-lacks-feature',
      feature: { feature: 'learning', plan: 'plus' },
    })
    expect(await ask({})).toMatchObject({ status: 201, json: { over: null } })
    // What holds more than the plan allows is run, and said.
    const elements = Object.fromEntries(
      Array.from({ length: 11 }, (_, i) => [`scenario${i}`, { kind: 'scenario', name: `S${i}`, rank: `a${i}` }]),
    )
    const large = await upload(cat, JSON.stringify({ format: 'holo', version: 1, elements }))
    const run = await cat.call('POST', '/api/jobs', { id: newId(), kind: 'simulate', fileId: large, input: { ticks: 1 } })
    const over = { quantity: 'scenariosPerFile', allowed: 10, isOwners: false }
    for (const answer of [run, await ask({ modelFile: large })]) expect(answer).toMatchObject({ status: 201, json: { over } })
  })

  it('an experiment that is asked for by its key runs as it is here, and fails where the server has another state of it', async () => {
    const fields = { populationSize: 8, maxIterations: 2 }
    const fileId = await experiment(fields)
    const parsed = parseFile(experimentText(fields))
    const linked = parseFile(await readFile(sample, 'utf8'))
    if ('problems' in parsed || 'problems' in linked) throw new Error('a file cannot be read')
    const made = prepare(experimentOf(modelOfFile(parsed.file))!, modelOfFile(linked.file), plans.pro.steps)
    if (!made.ok) throw new Error('the experiment has problems')
    const ask = async (key: string) => {
      const id = newId()
      await ann.must('POST', '/api/jobs', { id, kind: 'experiment', fileId, input: { key } })
      return when(ann, id, 'done')
    }
    expect(await ask(keyOf(made.prepared))).toMatchObject({ state: 'done', error: null })
    const other = { ...made.prepared, experiment: { ...made.prepared.experiment, seed: 2 } }
    expect(await ask(keyOf(other))).toMatchObject({
      state: 'failed',
      error: 'The server has another state of the experiment or its model. Wait until everything is saved, then start again.',
    })
  })

  it('an experiment whose model may not be run by who asks is refused, as one without a model fails', async () => {
    const bob = await server.person('Bob')
    const his = await upload(bob)
    expect((await conduct(await experiment({ modelFile: his }))).json.code).toBe('not-found')
    const id = newId()
    await conduct(await experiment({ modelFile: '' }), id)
    const failed = await when(ann, id, 'failed')
    expect(failed).toMatchObject({ state: 'failed', error: 'A model must be linked first.' })
    expect(isWords(failed.failure)).toBe(true)
    expect(speakTo('zh-CN')(failed.failure)).toMatch(/\p{Script=Han}/u)
  })

  it('an experiment goes on at another server where its own died, without losing or repeating a kept run', async () => {
    const fileId = await experiment({ populationSize: 20, maxIterations: 40, replications: 2, ticks: 3000 })
    const id = newId()
    await conduct(fileId, id)
    while ((await partsOf(id)).length < 50) await new Promise(done => setTimeout(done, 20))
    const other = await Jobs.start(database, suite.connection, 1)
    await jobs.stop()
    for (;;) {
      const row = await database.db.selectFrom('job').select(['attempts', 'state']).where('id', '=', id).executeTakeFirstOrThrow()
      if (row.state === 'done' || row.state === 'failed') break
      await new Promise(done => setTimeout(done, 50))
    }
    const row = await database.db.selectFrom('job').select(['attempts', 'state', 'result']).where('id', '=', id).executeTakeFirstOrThrow()
    // Being stopped in good order is no try.
    expect(row).toMatchObject({ attempts: 1, state: 'done' })
    const samples = await partsOf(id)
    expect(new Set(samples.map(({ run }) => run)).size).toBe(samples.length)
    await other.stop()
  })

  it('an experiment outlives more stops of its servers than there are tries', async () => {
    const fileId = await experiment({ populationSize: 20, maxIterations: 40, replications: 2, ticks: 3000 })
    const id = newId()
    await conduct(fileId, id)
    let last = 0
    for (let stops = 0; stops < 3; stops++) {
      const server = await Jobs.start(database, suite.connection, 1)
      while ((await partsOf(id)).length <= last) await new Promise(done => setTimeout(done, 20))
      last = (await partsOf(id)).length
      await server.stop()
      expect(await stateOf(id)).toMatchObject({ state: 'running', attempts: 0 })
    }
    // The last of them is of another version: parts that other versions of the engine made are not mixed with its own.
    await sql`update job set input = jsonb_set(input::jsonb, '{engine}', '"another"') where id = ${id}`.execute(database.db)
    const server = await Jobs.start(database, suite.connection, 1)
    for (;;) {
      const { state } = await stateOf(id)
      if (state === 'done' || state === 'failed') break
      await new Promise(done => setTimeout(done, 50))
    }
    expect(await stateOf(id)).toMatchObject({ state: 'done', attempts: 1 })
    const { job } = await ann.must('GET', `/api/jobs/${id}`)
    const samples = await partsOf(id)
    expect([samples.length, new Set(samples.map(({ run }) => run)).size]).toEqual([job.result.runs, job.result.runs])
    await server.stop()
  })

  it('a job that begins while its server stops is put back at once', async () => {
    const id = newId()
    await ask(ann, { ticks: 1e12 }, id)
    for (let stops = 0; stops < 3; stops++) {
      const server = await Jobs.start(database, suite.connection, 1)
      // Asked of the database, because the moment between its start in there and in a thread is short.
      while ((await stateOf(id)).attempts === 0) await new Promise(setImmediate)
      await server.stop()
      expect(await stateOf(id)).toMatchObject({ state: 'running', attempts: 0 })
    }
    await ann.must('POST', `/api/jobs/${id}/cancel`)
  })

  it('a job over which servers keep dying, or that the queue gives up, ends as failed and says why', async () => {
    const [deadly, lost] = [newId(), newId()]
    for (const id of [deadly, lost]) await ask(ann, { ticks: 1e12 }, id)
    // As three servers leave it that were killed.
    await database.db.updateTable('job').set({ state: 'running', attempts: 3 }).where('id', '=', deadly).execute()
    const server = await Jobs.start(database, suite.connection, 2)
    expect(await when(ann, deadly, 'failed')).toMatchObject({
      state: 'failed',
      error: '3 servers ended while they were at work on it: it may need more memory than they have.',
    })
    expect((await when(ann, lost, 'running')).state).toBe('running')
    // No start is left to it: stopping its server is the end.
    await sql`update pgboss.job set retry_limit = retry_count where data->>'id' = ${lost} and name = 'holarchy-jobs'`.execute(database.db)
    await server.stop()
    const next = await Jobs.start(database, suite.connection, 1)
    expect(await when(ann, lost, 'failed')).toMatchObject({ state: 'failed', error: 'The queue has given it up.' })
    await next.stop()
  })

  it('failures of an experiment are still told after another server went on', async () => {
    const failing = JSON.parse(experimentText({ type: 'exploration', design: 'table', table: 'Load\n0.5\n0.6', maxRuns: 10 }))
    failing.elements.wait.expression = '1 / (Load - Load)'
    const task = { file: JSON.stringify(failing), linked: await readFile(sample, 'utf8'), steps: null }
    const parts: unknown[] = []
    const tools = { progress: () => {}, employ: () => {} }
    const made = preparedOnServer({}, task)
    const whole = await conductOnServer(
      made,
      { ...task, known: [] },
      { ...tools, keep: part => parts.push(JSON.parse(JSON.stringify(part))) },
    )
    expect(whole.failures.map(({ run, message }) => [run, message])).toEqual([
      [0, 'Division by zero.'],
      [1, 'Division by zero.'],
    ])
    expect(await conductOnServer(made, { ...task, known: parts }, { ...tools, keep: () => {} })).toEqual(whole)
  })

  it('a training goes on after kill -9 of its server, and from a job that was stopped, to the weights of the command line', async () => {
    const poles = new URL('../../../model-schema/samples/cart-pole.holo', import.meta.url)
    const study = { kind: 'experiment', name: 'Balance', type: 'learning', policy: 'dqn', epochs: 16, stepsPerEpoch: 1200, testEpisodes: 2 }
    const text = (modelFile: string) => JSON.stringify({ format: 'holo', version: 1, elements: { study: { ...study, modelFile } } })
    const fileId = await upload(ann, text(await upload(ann, await readFile(poles, 'utf8'))))
    const folder = await mkdtemp(join(tmpdir(), 'holarchy-jobs-'))
    await writeFile(join(folder, 'balance.holo'), text(poles.pathname))
    const said: string[] = []
    const never = new AbortController().signal
    const output = { out: (part: string) => void said.push(part), err: () => {} }
    await mainUntil(['experiment', join(folder, 'balance.holo'), '--json'], output, never)
    await rm(folder, { recursive: true })
    const { weights } = JSON.parse(said.join(''))

    const train = async (input: object): Promise<string> => {
      const id = newId()
      await ann.must('POST', '/api/jobs', { id, kind: 'experiment', fileId, input })
      return id
    }
    const held = (id: string) => database.db.selectFrom('job_state').select('job_id').where('job_id', '=', id).executeTakeFirst()
    const untilHeld = async (id: string): Promise<void> => {
      while ((await held(id)) === undefined && !['done', 'failed'].includes((await stateOf(id)).state))
        await new Promise(done => setTimeout(done, 10))
    }
    await jobs.stop()
    const killed = await train({})
    const child = spawnJobs(suite.connection)
    await untilHeld(killed)
    await kill(child)
    expect(await stateOf(killed)).toMatchObject({ state: 'running' })
    // As the queue does when nothing was heard of a server for twenty seconds.
    await sql`update pgboss.job set state = 'retry', start_after = now() where data->>'id' = ${killed}`.execute(database.db)
    const next = await Jobs.start(database, suite.connection, 1)
    const job = await when(ann, killed, 'done')
    expect(job).toMatchObject({ state: 'done', error: null, result: { report: { weights, ending: 'epochs' } } })
    const epochs: { rows: { epoch: number }[] }[] = (await partsOf(killed)) as never
    expect(new Set(epochs.flatMap(({ rows }) => rows.map(({ epoch }) => epoch))).size).toBe(16)

    const stopped = await train({})
    await untilHeld(stopped)
    await ann.must('POST', `/api/jobs/${stopped}/cancel`)
    const gone = await train({ from: stopped })
    expect((await when(ann, gone, 'done')).result.report).toMatchObject({ weights, decisions: job.result.report.decisions })
    await next.stop()
  })
})
