// An experiment on many machines: slices made apart and merged are the experiment made here, and what is wrong with them is named.
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mainUntil } from '../../../sim-engine/cli.ts'
import { readHead, samplesIn } from '../../../sim-engine/experiment/distribute/journal.ts'
import { sliceOf } from '../../../sim-engine/experiment/distribute/slices.ts'
import { shuffle, stream } from '../../../sim-engine/kernel/random.ts'

const cli = fileURLToPath(new URL('../../../sim-engine/cli.ts', import.meta.url))
let folder = ''
let design = ''
/** What the experiment gives when it is made in one place. */
let whole = { json: '', csv: '' }

const at = (name: string): string => join(folder, name)
const text = (name: string): string => readFileSync(at(name), 'utf8')

async function command(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  let [out, err] = ['', '']
  const output = { out: (said: string) => void (out += said), err: (said: string) => void (err += said) }
  const code = await mainUntil(['experiment', ...args], output, new AbortController().signal)
  return { code, out, err }
}

/** A queue with a load that is explored by a Latin hypercube; one corner of it fails. */
function study(name: string, fields: object = {}, ticks = 60): string {
  const elements = {
    s: { kind: 'scenario', totalTicks: ticks },
    a: { kind: 'variable', name: 'a', initial: '1', public: true },
    b: { kind: 'variable', name: 'b', initial: '1', public: true },
    m: { kind: 'variable', name: 'm', initial: '0' },
    p: { kind: 'process', name: 'P' },
    p1: { kind: 'start', parent: 'p', trigger: 'timer' },
    p2: { kind: 'compute', parent: 'p', program: 'm += a * random()\nif a > 6 and b > 6:\n  m = 1 / (m - m)' },
    p3: { kind: 'end', parent: 'p' },
    f1: { kind: 'flow', parent: 'p', from: 'p1', to: 'p2' },
    f2: { kind: 'flow', parent: 'p', from: 'p2', to: 'p3' },
    x: {
      kind: 'experiment',
      name: 'Loads',
      type: 'exploration',
      design: 'latinHypercube',
      samples: 60,
      replications: 3,
      modelFile: name,
      ...fields,
    },
    d: { kind: 'decision', parent: 'x', variable: 'a', min: 0, max: 9 },
    e: { kind: 'decision', parent: 'x', variable: 'b', min: 0, max: 9 },
    c: { kind: 'constraint', parent: 'x', stage: 'inputs', expression: 'a + b', relation: 'le', bound: 17.5 },
    r: { kind: 'response', parent: 'x', name: 'Total', expression: 'm' },
    t: { kind: 'response', parent: 'x', name: 'Load', expression: 'a * b' },
  }
  writeFileSync(at(name), JSON.stringify({ format: 'holo', version: 1, elements }, null, 2))
  return at(name)
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'holarchy-slices-'))
  design = study('design.holo')
  const { code, out } = await command(design, '--threads', '1', '--json', '--csv', at('whole.csv'))
  expect(code).toBe(0)
  whole = { json: out, csv: text('whole.csv') }
  expect(JSON.parse(out).failed).toBeGreaterThan(0)
})
afterAll(() => rmSync(folder, { recursive: true }))

const slice = (index: number, of: number, name: string) =>
  command(design, '--slice', `${index}/${of}`, '--journal', at(name), '--threads', '1')

async function slices(of: number): Promise<string[]> {
  const names = Array.from({ length: of }, (_, i) => `part-${of}.${i}`)
  for (const [i, name] of names.entries()) if (!existsSync(at(name))) expect((await slice(i, of, name)).code).toBe(0)
  return names.map(at)
}

describe('slices', () => {
  it.each([1, 2, 7])('%i of them, merged in any order, are the experiment made in one place, to the byte', async of => {
    const parts = await slices(of)
    shuffle(stream(Number(process.env['SEED'] ?? 1), of, 'order'), parts)
    const merged = await command('merge', design, ...parts, '--json', '--csv', at('merged.csv'), '--journal', at(`whole-${of}.jsonl`))
    expect(merged).toEqual({ code: 0, out: whole.json, err: '' })
    expect(text('merged.csv')).toBe(whole.csv)
    // The journal of all is one to go on with, without a run.
    const again = await command(design, '--json', '--journal', at(`whole-${of}.jsonl`))
    expect(again).toEqual({ code: 0, out: whole.json, err: '' })
  })

  it('have every run once, and say whose they are', async () => {
    const parts = await slices(7)
    const runs = parts.map(path => [...samplesIn(path)].map(([run]) => run).toSorted((a, b) => a - b))
    const all = runs.flat().toSorted((a, b) => a - b)
    expect(new Set(all).size).toBe(all.length)
    expect(all.length).toBe(JSON.parse(whole.json).runs)
    runs.forEach((own, i) => expect(own.every(run => run % 7 === i)).toBe(true))
    expect(readHead(parts[3]!)).toMatchObject({ slice: [3, 7], host: hostname() })
  })

  it('that are missing are named, with how to make them; with --partial the rest is merged', async () => {
    const [first, , third] = await slices(7)
    const lacking = await command('merge', design, first!, third!, '--json')
    expect([lacking.code, lacking.out]).toEqual([3, ''])
    expect(lacking.err).toMatch(/^\d+ of \d+ runs are missing, of slices 1,3,4,5,6 of 7; again: --array=1,3,4,5,6\n$/)
    const partial = await command('merge', design, first!, third!, '--json', '--partial')
    expect(partial.code).toBe(0)
    expect(JSON.parse(partial.out)).toMatchObject({
      ended: 'partial',
      runs: JSON.parse(whole.json).runs - Number(/^\d+/.exec(lacking.err)),
    })
  })

  it('that say different things of a run are named, and one of another experiment or engine is refused', async () => {
    const [first, second] = await slices(2)
    const lines = readFileSync(first!, 'utf8').split('\n')
    const altered = lines.map((line, i) => (i === 5 ? line.replace(/"values":\[[\d.]+/, '"values":[1') : line))
    const { run } = JSON.parse(lines[5]!)
    writeFileSync(at('altered'), altered.join('\n'))
    const told = await command('merge', design, first!, second!, at('altered'))
    expect([told.code, told.err]).toEqual([1, `run ${run} differs between ${first} (${hostname()}) and ${at('altered')} (${hostname()})\n`])
    // Alone it would pass for right: a few of its runs are repeated here.
    const audited = await command('merge', design, at('altered'), second!, '--audit', '1000')
    expect(audited.code).toBe(1)
    expect(audited.err).toContain(`run ${run} of ${at('altered')} (${hostname()}) gives something else here: 1 of `)
    const sound = await command('merge', design, first!, second!, '--audit', '3', '--json')
    expect([sound.code, sound.out, sound.err]).toEqual([0, whole.json, '6 runs repeated here gave the same\n'])
    expect((await command('merge', design, first!, second!, '--seed', '5')).err).toContain(
      'another experiment or model, or of another seed',
    )
    writeFileSync(at('foreign'), lines.with(0, lines[0]!.replace(/"engine":"[0-9a-f]+"/, '"engine":"0000000000000000"')).join('\n'))
    expect((await command('merge', design, at('foreign'))).err).toContain('made by another version of the engine (0000000000000000, here ')
  })

  it('of what is adaptive are refused, and what is asked for in a wrong way', async () => {
    const adaptive = study('adaptive.holo', { type: 'monteCarlo', until: 'interval' })
    const args = ['--journal', at('none'), '--slice']
    expect(await command(adaptive, ...args, '0/2')).toMatchObject({ code: 2, err: expect.stringContaining('it cannot be sliced') })
    for (const bad of ['2/2', '0/0', '1', '0/20000', 'a/b', '-1/4']) expect((await command(design, ...args, bad)).code, bad).toBe(2)
    expect((await command(design, '--slice', '0/2')).err).toContain('--slice needs --journal')
    expect((await command('merge', design)).err).toContain('which parts?')
    expect(existsSync(at('none'))).toBe(false)
  })

  it('auto is what the array job says: Slurm, PBS, Kubernetes, GNU parallel', () => {
    expect(sliceOf('auto', { SLURM_ARRAY_TASK_ID: '7', SLURM_ARRAY_TASK_MIN: '5', SLURM_ARRAY_TASK_COUNT: '4' })).toEqual({
      index: 2,
      of: 4,
    })
    // A task that is made again alone.
    expect(
      sliceOf('auto', { SLURM_ARRAY_TASK_ID: '3', SLURM_ARRAY_TASK_COUNT: '1', SLURM_ARRAY_TASK_MIN: '3', HOLARCHY_SLICES: '4' }),
    ).toEqual({
      index: 3,
      of: 4,
    })
    expect(sliceOf('auto', { PBS_ARRAY_INDEX: '2', HOLARCHY_SLICES: '3' })).toEqual({ index: 2, of: 3 })
    expect(sliceOf('auto', { JOB_COMPLETION_INDEX: '0', HOLARCHY_SLICES: '64' })).toEqual({ index: 0, of: 64 })
    expect(sliceOf('auto', { PARALLEL_SEQ: '4', HOLARCHY_SLICES: '4' })).toEqual({ index: 3, of: 4 })
    for (const none of [{}, { JOB_COMPLETION_INDEX: '0' }, { SLURM_ARRAY_TASK_ID: 'x', SLURM_ARRAY_TASK_COUNT: '4' }])
      expect(() => sliceOf('auto', none)).toThrow('finds no array job')
  })

  it('one that is stopped ends with 75 and goes on; the merged whole is the same', async () => {
    const long = study('long.holo', { samples: 40, replications: 4 }, 20_000)
    const here = await command(long, '--json', '--threads', '2')
    const args = ['experiment', long, '--slice', 'auto', '--journal', at('long.%i'), '--threads', '1']
    const environment = { ...process.env, JOB_COMPLETION_INDEX: '1', HOLARCHY_SLICES: '2' }
    const child = spawn(process.execPath, ['--import', join(cli, '../compile-cache.mjs'), cli, ...args], {
      env: environment,
      stdio: 'ignore',
    })
    const exit = new Promise<number | null>(resolve => child.once('exit', resolve))
    await expect.poll(() => (existsSync(at('long.1')) ? text('long.1').split('\n').length : 0), { interval: 10 }).toBeGreaterThan(3)
    child.kill('SIGTERM')
    expect(await exit).toBe(75)
    const before = text('long.1').split('\n').length
    for (const index of ['0/2', '1/2'])
      expect((await command(long, '--slice', index, '--journal', at('long.%i'), '--threads', '1')).code).toBe(0)
    expect(text('long.1').split('\n').length).toBeGreaterThan(before)
    const runs = [...samplesIn(at('long.1'))].map(([run]) => run)
    expect(new Set(runs).size).toBe(runs.length)
    expect(await command('merge', long, at('long.0'), at('long.1'), '--json')).toMatchObject({ code: 0, out: here.out })
  })
})

describe('a plan', () => {
  it('tells the runs, whether slices can be made, and how long a run takes', async () => {
    const told = JSON.parse((await command('plan', design, '--json')).out)
    expect(told).toMatchObject({ experiment: 'Loads', runs: 180, kind: 'sliceable', slices: 1 })
    expect(told.secondsPerRun).toBeGreaterThan(0)
    const adaptive = study('search.holo', { type: 'monteCarlo', until: 'interval', maxRuns: 900 })
    const { code, out } = await command('plan', adaptive)
    expect(code).toBe(0)
    expect(out).toContain('as many as it takes, at most 900')
    expect(out).toContain('adaptive')
    expect(out).toContain('it cannot be sliced')
  })
})

/** An entry of the manifest's lists in square brackets, without their quotes. */
const listed = (manifest: string, field: string): string[] =>
  (new RegExp(`${field}: \\[(.*)\\]`).exec(manifest)?.[1] ?? '').split(', ').map(one => one.replaceAll("'", ''))

it('the Kubernetes manifest of CLUSTERS.md: its command, run as its pods run it, gives the experiment made in one place', async () => {
  const manifest = readFileSync(new URL('../../../sim-engine/experiment/distribute/CLUSTERS.md', import.meta.url), 'utf8').match(
    /```yaml\n([\s\S]*?kind: Job[\s\S]*?)```/,
  )![1]!
  const completions = Number(/completions: (\d+)/.exec(manifest)![1])
  const slicesSaid = /name: HOLARCHY_SLICES, value: '(\d+)'/.exec(manifest)![1]!
  expect(slicesSaid).toBe(`${completions}`)
  const [node, ...rest] = listed(manifest, 'command')
  expect(node).toBe('node')
  // The volumes of a pod are folders here.
  const args = rest.map(one => one.replace('/in/study.holo', design).replace('/out/', at('pod-')))
  const codes: number[] = []
  const pod = (index: number) =>
    new Promise<number>(resolve => {
      const env = { ...process.env, HOLARCHY_SLICES: slicesSaid, JOB_COMPLETION_INDEX: `${index}` }
      spawn(process.execPath, args, { cwd: join(cli, '../..'), env, stdio: 'ignore' }).on('exit', code => resolve(code ?? -1))
    })
  // A pod that was killed leaves its lock; the one in its place has its name, and the numbers of its processes.
  writeFileSync(at('pod-part.0.lock'), JSON.stringify({ host: 'study-0', pid: 1 }))
  for (let index = 0; index < completions; index += 2) codes.push(...(await Promise.all([pod(index), pod(index + 1)])))
  expect(codes).toEqual(Array.from({ length: completions }, () => 0))
  const parts = Array.from({ length: completions }, (_, i) => at(`pod-part.${i}`))
  const merged = await command('merge', design, ...parts, '--json', '--csv', at('pods.csv'))
  expect(merged).toEqual({ code: 0, out: whole.json, err: '' })
  expect(text('pods.csv')).toBe(whole.csv)
})
