// Experiments led over a queue in PostgreSQL: workers are processes that reach nothing but the database. Whatever happens to them, the result is that of
// one machine, to the byte.
import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mainUntil } from '../../../sim-engine/cli.ts'
import { jobsOf, jobsText, samplesBytes, samplesOf } from '../../../sim-engine/experiment/queue/wire.ts'
import { conductOnServer, preparedOnServer } from '../../../sync-server/jobs/experiment.ts'
import { withClient } from '../../../sync-server/db/cluster.ts'
import { useDatabase } from '../../help/server.ts'
import { say } from '../../../model-schema/words.ts'

const suite = useDatabase()
const cli = fileURLToPath(new URL('../../../sim-engine/cli.ts', import.meta.url))
let folder = ''
let url = ''
const workers = new Set<ChildProcess>()

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'holarchy-queue-'))
  if (typeof suite.connection === 'string') throw new Error('the database of tests is given by its parts')
  const { host, port, user, database } = suite.connection
  url = `postgres://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`
})
afterAll(async () => {
  await Promise.all([...workers].map(worker => ended(worker, 'SIGKILL')))
  rmSync(folder, { recursive: true })
})

/** A process of its own that makes runs, in one thread. */
function worker(): ChildProcess {
  const started = spawn(process.execPath, [cli, 'work', url, '--threads', '1', '--idle', '60'], { stdio: ['ignore', 'ignore', 'pipe'] })
  workers.add(started)
  return started
}

async function ended(one: ChildProcess, signal?: NodeJS.Signals): Promise<number | null> {
  workers.delete(one)
  if (one.exitCode !== null || one.signalCode !== null) return one.exitCode
  const exit = new Promise<number | null>(done => one.once('exit', done))
  if (signal) one.kill(signal)
  return exit
}

/** A search over a model with runs of some milliseconds each; `expression`: what it minimises. */
function search(name: string, fields: object = {}, expression = 'abs(m - 30 * a) + b'): string {
  const elements = {
    s: { kind: 'scenario', totalTicks: 2000 },
    a: { kind: 'variable', name: 'a', initial: '1', public: true },
    b: { kind: 'variable', name: 'b', initial: '1', public: true },
    m: { kind: 'variable', name: 'm', initial: '0' },
    p: { kind: 'process', name: 'P' },
    p1: { kind: 'start', parent: 'p', trigger: 'timer' },
    p2: { kind: 'compute', parent: 'p', program: 'm += (a * random() + b) / 100' },
    p3: { kind: 'end', parent: 'p' },
    f1: { kind: 'flow', parent: 'p', from: 'p1', to: 'p2' },
    f2: { kind: 'flow', parent: 'p', from: 'p2', to: 'p3' },
    x: {
      kind: 'experiment',
      name: 'Search',
      type: 'optimization',
      algorithm: 'nsga2',
      populationSize: 12,
      maxIterations: 8,
      replications: 3,
      modelFile: name,
      ...fields,
    },
    d: { kind: 'decision', parent: 'x', variable: 'a', min: -1, max: 9 },
    e: { kind: 'decision', parent: 'x', variable: 'b', min: -1, max: 9 },
    c: { kind: 'constraint', parent: 'x', stage: 'inputs', expression: 'a + b', relation: 'le', bound: 17.5 },
    o: { kind: 'objective', parent: 'x', name: 'Near', expression },
    q: { kind: 'objective', parent: 'x', name: 'Total', expression: '-m' },
  }
  const path = join(folder, name)
  writeFileSync(path, JSON.stringify({ format: 'holo', version: 1, elements }))
  return path
}

async function experiment(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  let [out, err] = ['', '']
  const output = { out: (said: string) => void (out += said), err: (said: string) => void (err += said) }
  return { code: await mainUntil(['experiment', ...args], output, new AbortController().signal), out, err }
}

const rows = async <T extends object>(text: string): Promise<T[]> => {
  try {
    return await withClient(suite.connection, async client => (await client.query<T>(text)).rows)
  } catch (error) {
    // Before the first process has made the tables.
    if (error instanceof Error && 'code' in error && error.code === '42P01') return []
    throw error
  }
}
const results = async (): Promise<number> => (await rows<{ n: number }>('select count(*)::int as n from holarchy_runs.result'))[0]?.n ?? 0

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await pause(20)
}

describe('an experiment led over a queue', () => {
  it('is the one of one machine to the byte: a search of four workers, two of them killed and one told to stop', async () => {
    const file = search('search.holo')
    const whole = await experiment(file, '--json', '--threads', '1', '--csv', join(folder, 'whole.csv'))
    expect(whole.code).toBe(0)
    const four = [worker(), worker(), worker(), worker()]
    const led = experiment(file, '--json', '--workers', url, '--csv', join(folder, 'led.csv'))
    await until(async () => (await results()) >= 12)
    await Promise.all([ended(four[0]!, 'SIGKILL'), ended(four[1]!, 'SIGKILL')])
    // As if the ten seconds had passed after which their chunks return; those of the living return, too, and are made twice.
    await rows(`update holarchy_queue.job set heartbeat_on = now() - interval '1 minute' where state = 'active'`)
    const then = await results()
    await until(async () => (await results()) >= then + 6 || (await results()) === 0)
    expect(await ended(four[2]!, 'SIGTERM')).toBe(0)
    const { code, out } = await led
    expect({ code, out }).toEqual({ code: 0, out: whole.out })
    expect(readFileSync(join(folder, 'led.csv'), 'utf8')).toBe(readFileSync(join(folder, 'whole.csv'), 'utf8'))
    // Nothing is left of it.
    expect(await rows('select 1 from holarchy_runs.study')).toEqual([])
    expect(await rows(`select 1 from holarchy_queue.job where name like 'runs-%'`)).toEqual([])
    await ended(four[3]!, 'SIGTERM')
  })

  it('goes on with what was made when its leader is stopped and begun again, here and in a journal', async () => {
    const file = search('again.holo', { populationSize: 10, maxIterations: 6 })
    const whole = await experiment(file, '--json', '--threads', '1')
    const one = worker()
    const leader = spawn(process.execPath, [cli, 'experiment', file, '--workers', url, '--json'], { stdio: 'ignore' })
    await until(async () => (await results()) >= 6)
    await ended(leader, 'SIGKILL')
    const before = await results()
    expect(before).toBeGreaterThan(0)
    const journal = join(folder, 'again.jsonl')
    const { code, out } = await experiment(file, '--json', '--workers', url, '--journal', journal)
    expect({ code, out }).toEqual({ code: 0, out: whole.out })
    await ended(one, 'SIGTERM')
    // The journal has all runs: nothing is left to be made.
    expect((await experiment(file, '--json', '--journal', journal)).out).toBe(whole.out)
  })

  it('threads of the leader take part; a second leader of the same is refused', async () => {
    const file = search('both.holo')
    const whole = await experiment(file, '--json', '--threads', '1')
    const one = worker()
    await until(async () => (await rows('select 1 from holarchy_runs.worker')).length > 0)
    const led = experiment(file, '--json', '--workers', url, '--threads', '1')
    await until(async () => (await rows('select 1 from holarchy_runs.study where is_open')).length > 0)
    const second = await experiment(file, '--workers', url)
    expect(second).toMatchObject({ code: 2, err: expect.stringContaining('another process leads this experiment on this queue') })
    expect((await led).out).toBe(whole.out)
    await ended(one, 'SIGTERM')
  })

  it('refuses what is no database, a slice at the same time and a damaged result', async () => {
    const file = search('wrong.holo')
    expect(await experiment(file, '--workers', 'mysql://here')).toMatchObject({
      code: 2,
      err: expect.stringContaining('begins with postgres://'),
    })
    expect(await experiment(file, '--workers', url, '--slice', '0/2', '--journal', join(folder, 'p'))).toMatchObject({ code: 2 })
    expect(await experiment(file, '--workers', 'postgres://nobody@127.0.0.1:1/none')).toMatchObject({ code: 2 })
    const led = experiment(file, '--workers', url)
    await until(async () => (await rows('select 1 from holarchy_runs.study where is_open')).length > 0)
    await rows(`insert into holarchy_runs.result (study, worker, worked_ms, samples) select id, 'somebody', 1, '\\x0100000001000000' from holarchy_runs.study;
      select pg_notify('holarchy_results', id) from holarchy_runs.study`)
    expect(await led).toMatchObject({ code: 2, err: expect.stringContaining('what worker somebody made cannot be read') })
  })
})

describe('an experiment on the server', () => {
  it('is shared with the workers of its database: some of its runs are made by them, all are counted, the report is that of one machine', async () => {
    const file = search('server.holo', { populationSize: 40, maxIterations: 10 })
    const whole = await experiment(file, '--json', '--threads', '1')
    const one = worker()
    await until(async () => (await rows('select 1 from holarchy_runs.worker')).length > 0)
    const parts: { run: number }[][] = []
    const spent: (() => number)[] = []
    const files = { file: readFileSync(file, 'utf8'), linked: readFileSync(file, 'utf8'), steps: null }
    const led = conductOnServer(
      preparedOnServer({}, files),
      { ...files, known: [], sharing: { connection: url, apart: 'job' } },
      { progress: () => {}, keep: part => parts.push(part as { run: number }[]), employ: worked => spent.push(worked) },
    )
    let most = 0
    await until(async () => {
      most = Math.max(most, await results())
      return most >= 3
    })
    const { experiment: name, ...report } = await led
    const { ended: how, experiment: same, ...wanted } = JSON.parse(whole.out)
    expect([name, how, JSON.parse(JSON.stringify(report))]).toEqual([same, 'finished', wanted])
    expect(parts.flat()).toHaveLength(wanted.runs)
    expect(spent[0]!()).toBeGreaterThan(0)
    await ended(one, 'SIGTERM')
  })
})

describe('what goes through the database', () => {
  it('comes back as it was: every number, texts, lists and records', () => {
    const inputs = { a: -0, b: NaN, c: [1, -Infinity, 'x'], d: { $number: 'x', e: { $number: 5e-324 } }, f: true, g: null }
    const jobs = [{ run: 7, alternative: 1, inputs, seed: 4294967295 }]
    expect(jobsOf(jobsText(jobs))).toEqual(jobs)
    expect(Object.is((jobsOf(jobsText(jobs))[0]!.inputs as { a: number }).a, -0)).toBe(true)
    const problem = { code: 4001, at: { id: 'x' }, message: say('No.'), severity: 'error' }
    const samples = [
      [3, { end: 'success', ticks: 0.1, values: [-0, NaN, 1e308], problem: null }],
      [9, { end: 'failed', ticks: 5, values: [NaN, NaN, NaN], problem: problem as never }],
    ] as const
    expect(samplesOf(samplesBytes(samples), 3)).toEqual(samples)
    const bytes = samplesBytes(samples)
    expect(() => samplesOf(bytes, 2)).toThrow('damaged')
    expect(() => samplesOf(bytes.subarray(0, 20), 3)).toThrow('damaged')
    expect(() => jobsOf('[{"run":-1,"alternative":0,"inputs":{},"seed":0}]')).toThrow()
  })
})
