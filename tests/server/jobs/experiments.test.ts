// Experiments of a page conducted by the server, the page's own code talking to a real one: followed, left and found again, stopped, on another device; results
// kept there and fetched.
import 'fake-indexeddb/auto'
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as Y from 'yjs'
import { jobsOf, taskOf } from '../../../client/experiments/conduct/cloud.ts'
import { Conductor } from '../../../client/experiments/conduct/conductor.ts'
import { samplesOf } from '../../../client/experiments/history.ts'
import { fetchResult, remoteOf, upload } from '../../../client/experiments/remote.ts'
import { Trainer, type Training } from '../../../client/experiments/training/trainer.ts'
import { setLocale } from '../../../client/i18n/locale.ts'
import { allTexts } from '../../../client/i18n/texts.ts'
import { loadFile } from '../../../model-schema/document.ts'
import { modelOfFile, parseFile } from '../../../model-schema/file.ts'
import type { Model } from '../../../model-schema/model.ts'
import { plans } from '../../../model-schema/business/plans.ts'
import { experimentOf } from '../../../model-schema/experiment.ts'
import { createLocal, createRunner, csvLines, prepare, trainingPlanOf } from '../../../sim-engine/experiment.ts'
import { createTraining } from '../../../sim-engine/experiment/learn/begin.ts'
import { openDatabase } from '../../../sync-server/db/database.ts'
import type { Database } from '../../../sync-server/db/database.ts'
import { trainOnServer } from '../../../sync-server/jobs/training.ts'
import { speakTo } from '../../../model-schema/languages/catalogues.ts'
import { english, toldBy } from '../../../model-schema/words.ts'
import { Jobs } from '../../../sync-server/jobs/queue.ts'
import { startServer, useDatabase } from '../../help/server.ts'
import type { Person, TestServer } from '../../help/server.ts'

const suite = useDatabase()
const { fetch: direct } = globalThis
let database: Database
let server: TestServer
let jobs: Jobs
let ann: Person
let study: { id: string; file: Model; model: Model }

beforeAll(async () => {
  await setLocale('en-US')
  await allTexts()
  database = await openDatabase(suite.connection)
  jobs = await Jobs.start(database, suite.connection, 1)
  server = await startServer(suite.connection, { jobs, plan: 'pro' })
  ann = await server.person('Ann')
  // A page calls the server it came from, as the user that is signed in there.
  globalThis.fetch = (input, init) =>
    typeof input === 'string' && input.startsWith('/')
      ? direct(ann.url + input, { ...init, headers: { ...Object.fromEntries(new Headers(init?.headers)), cookie: ann.cookie } })
      : direct(input, init)
  study = await begun({ populationSize: 20, maxIterations: 15, replications: 2, ticks: 2000 })
})
afterAll(async () => {
  globalThis.fetch = direct
  await jobs?.stop()
  await server?.stop()
  await database?.close()
})

async function uploaded(kind: string, text: string): Promise<{ id: string; model: Model }> {
  const id = await ann.file(`File ${randomBytes(6).toString('hex')}`, { kind })
  const parsed = parseFile(text)
  if ('problems' in parsed) throw new Error('the file cannot be read')
  const doc = new Y.Doc()
  loadFile(doc, parsed.file)
  const epoch = (await ann.call('GET', `/api/docs/${id}/state`)).headers.get('x-epoch') ?? ''
  await ann.must('POST', `/api/docs/${id}/updates`, Y.encodeStateAsUpdate(doc), { 'x-epoch': epoch })
  return { id, model: modelOfFile(parsed.file) }
}

async function begun(fields: object): Promise<typeof study> {
  const text = await readFile(new URL('../../../model-schema/samples/car-wash.holo', import.meta.url), 'utf8')
  const linked = await uploaded('model', text)
  const { id, model } = await uploaded(
    'experiment',
    JSON.stringify({
      format: 'holo',
      version: 1,
      elements: {
        study: { kind: 'experiment', name: 'Waits', type: 'optimization', algorithm: 'nsga2', modelFile: linked.id, ...fields },
        load: { kind: 'decision', parent: 'study', variable: 'Load', min: 0.2, max: 0.9 },
        wait: { kind: 'objective', parent: 'study', name: 'Wait', expression: 'mean_wait' },
      },
    }),
  )
  return { id, file: model, model: linked.model }
}

let devices = 0
/** The experiment's page on a device of its own. */
function page(device = `device ${++devices}`): Conductor {
  const hire = (runnable: Parameters<typeof createRunner>[0]) => createLocal(createRunner(runnable))
  const conductor = new Conductor({ user: device, docId: study.id, localRuns: null, steps: plans.pro.steps, hire })
  conductor.edit(study.file, study.model)
  return conductor
}

const csv = ({ store }: Conductor): string => [...csvLines(store.getState().results!, ['Waits'])].join('')
const until = (conductor: Conductor, holds: (state: ReturnType<Conductor['store']['getState']>) => boolean): Promise<void> =>
  new Promise(done => {
    if (holds(conductor.store.getState())) return done()
    const stop = conductor.store.subscribe(state => {
      if (!holds(state)) return
      stop()
      done()
    })
  })

describe('an experiment on the server', () => {
  it('gives the numbers of the page; a page that is left finds it again, another device too; a result is kept and fetched', async () => {
    const here = page()
    await here.start()
    const wanted = csv(here)

    const first = page('hers')
    void first.start('server')
    await until(first, ({ done }) => done > 0)
    expect(first.store.getState()).toMatchObject({ status: 'running', where: 'server' })
    first.close()
    await until(first, ({ status }) => status !== 'running')

    // Loaded again, it follows by itself.
    const again = page('hers')
    await again.open()
    await until(again, ({ status, where }) => status === 'finished' && where === 'server')
    expect(csv(again)).toBe(wanted)

    const other = page()
    const [job, ...more] = await jobsOf(study.id)
    expect(more).toEqual([])
    expect(await other.follow(job!.id, (await taskOf(job!.id))!)).toBe(true)
    await until(other, ({ status }) => status === 'finished')
    expect(csv(other)).toBe(wanted)

    const [entry] = again.store.getState().history
    await upload(study.id, entry!, await samplesOf(entry!.id))
    const { results, room } = await remoteOf(study.id)
    expect(results).toMatchObject([{ id: entry!.id, ended: 'finished', type: 'optimization', by: 'Ann' }])
    expect(room).toMatchObject({ count: 1, level: 'pro' })
    const third = page()
    const fetched = (await fetchResult(study.id, entry!.id))!
    expect(await third.take(entry!.id, fetched.entry, fetched.samples)).toBe(true)
    await third.show(third.store.getState().history[0]!)
    expect(csv(third)).toBe(wanted)
  })

  it('is ended by who stops it, wherever they are in following it, and goes on with what it gave', async () => {
    const conductor = page()
    const running = conductor.start('server')
    await until(conductor, ({ done }) => done > 0)
    conductor.stop()
    await running
    expect(conductor.store.getState().status).toBe('stopped')
    const rows = await database.db.selectFrom('job').select('state').where('user_id', '=', ann.id).execute()
    expect(rows.filter(({ state }) => state === 'queued' || state === 'running')).toEqual([])
    expect(rows.filter(({ state }) => state === 'cancelled')).toHaveLength(1)
    const before = conductor.store.getState().done
    await conductor.start()
    expect(conductor.store.getState().status).toBe('finished')
    expect(conductor.store.getState().done).toBeGreaterThan(before)
  })

  it('is refused when the page has another state than the server, and says so', async () => {
    const conductor = page()
    const { model } = study
    const [scenario] = model.scenarios
    const root = model.elements.get(scenario!)!
    const edited = { ...root, fields: { ...root.fields, seed: 12_345 } }
    conductor.edit(study.file, { ...model, elements: new Map(model.elements).set(scenario!, edited) })
    await conductor.start('server')
    const { status, failure } = conductor.store.getState()
    expect(status).toBe('failed')
    expect(failure).toContain('The server has another state of the experiment or its model.')
  })
})

describe('a training on the server', () => {
  it('is followed by its page, found again when that was closed, stopped, and goes on to the weights of this device', async () => {
    const poles = await uploaded('model', await readFile(new URL('../../../model-schema/samples/cart-pole.holo', import.meta.url), 'utf8'))
    const fields = { type: 'learning', policy: 'dqn', epochs: 20, stepsPerEpoch: 600, testEpisodes: 2, modelFile: poles.id }
    const file = await uploaded(
      'experiment',
      JSON.stringify({ format: 'holo', version: 1, elements: { study: { kind: 'experiment', name: 'Balance', ...fields } } }),
    )
    const made = prepare(experimentOf(file.model)!, poles.model, plans.pro.steps)
    if (!made.ok) throw new Error('the experiment has problems')
    const here = createTraining(trainingPlanOf(made.prepared))
    while (here.round());

    const pageOf = () => new Trainer({ user: 'her device', docId: file.id })
    const told = (trainer: Trainer, holds: (state: Training) => boolean): Promise<void> =>
      new Promise(done => {
        const look = (): void => {
          if (!holds(trainer.store.getState())) return
          stop()
          done()
        }
        const stop = trainer.store.subscribe(look)
        look()
      })
    const first = pageOf()
    void first.start(made.prepared, 'server')
    await told(first, ({ entry }) => (entry?.rows.length ?? 0) >= 1)
    first.close()
    const second = pageOf()
    await second.open()
    await told(second, ({ entry }) => (entry?.rows.length ?? 0) >= 2)
    second.stop()
    await told(second, ({ running }) => !running)
    expect(second.store.getState().entry).toMatchObject({ ended: 'stopped' })
    expect(await second.start(made.prepared, 'server')).toBe('done')
    const { entry, failure } = second.store.getState()
    expect(failure).toBe(null)
    expect(entry).toMatchObject({ ended: 'finished', decisions: here.decisions })
    expect(entry!.rows.map(({ epoch, test }) => [epoch, test.mean])).toEqual(here.rows.map(({ epoch, test }) => [epoch, test.mean]))
    expect(entry!.best).toEqual(here.best!.policy)
  })

  it('says why it could not go on in words that have a translation, and its job in English', async () => {
    const text = await readFile(new URL('../../../model-schema/samples/cart-pole.holo', import.meta.url), 'utf8')
    const broken = modelOfFile((parseFile(text.replace(/"reward": "[^"]*"/, '"reward": "1e308 * 10"')) as { file: never }).file)
    const study = { kind: 'experiment', name: 'Balance', type: 'learning', policy: 'dqn', epochs: 2, stepsPerEpoch: 600, modelFile: 'any' }
    const parsed = parseFile(JSON.stringify({ format: 'holo', version: 1, elements: { study } })) as { file: never }
    const made = prepare(experimentOf(modelOfFile(parsed.file))!, broken, plans.pro.steps)
    if (!made.ok) throw new Error(made.problems.map(({ words }) => english(words)).join(' '))
    const tools = { progress: () => undefined, keep: () => undefined, hold: () => undefined, employ: () => undefined }
    const failed: unknown = await trainOnServer(made.prepared, null, tools).catch((error: unknown) => error)
    expect(String(failed)).toMatch(/finite|number/)
    expect(speakTo('zh-CN')(toldBy(failed))).toMatch(/\p{Script=Han}/u)
  })
})
