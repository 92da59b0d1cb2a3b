import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { experimentOf } from '../../../model-schema/experiment.ts'
import { modelOfFile, parseFile } from '../../../model-schema/file.ts'
import { sampleExperiments, samples } from '../../../model-schema/samples.ts'
import { mainUntil } from '../../../sim-engine/cli.ts'
import { openJournal } from '../../../sim-engine/experiment/distribute/journal.ts'
import type { Report } from '../../../sim-engine/experiment/report.ts'

const cli = fileURLToPath(new URL('../../../sim-engine/cli.ts', import.meta.url))
const shipped = (id: string): string => fileURLToPath(new URL(`../../../model-schema/samples/experiments/${id}.holo`, import.meta.url))

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'holarchy-experiment-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

async function command(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  let out = ''
  let err = ''
  const code = await mainUntil(
    ['experiment', ...args],
    { out: text => (out += text), err: text => (err += text) },
    new AbortController().signal,
  )
  return { code, out, err }
}

async function report(id: string, ...args: string[]): Promise<Report> {
  const { code, out, err } = await command(shipped(id), '--json', '--threads', '2', ...args)
  expect(code, err).toBe(0)
  return JSON.parse(out)
}

describe('shipped experiments', () => {
  it('each has its file and its model', () => {
    const files = readdirSync(new URL('../../../model-schema/samples/experiments/', import.meta.url)).map(name => name.replace('.holo', ''))
    expect(files.toSorted()).toEqual(sampleExperiments.map(({ id }) => id).toSorted())
    for (const { id, model } of sampleExperiments) {
      expect(
        samples.some(sample => sample.id === model),
        id,
      ).toBe(true)
      const parsed = parseFile(readFileSync(shipped(id), 'utf8'))
      const experiment = 'file' in parsed ? experimentOf(modelOfFile(parsed.file)) : null
      expect(experiment?.modelFile).toBe(`../${model}.holo`)
    }
  })

  it('more nurses: the waits of Erlang C, and differences known better than the waits', async () => {
    const { intervals, differences } = await report('clinic-staffing')
    const wait = intervals!['Three nurses']!['Mean wait']!
    // Erlang C for three servers at 80 %: 1.0787.
    expect(wait['low']!).toBeLessThan(1.0787)
    expect(wait['high']!).toBeGreaterThan(1.0787)
    expect(differences!['Four nurses']!['Mean wait']!['high']!).toBeLessThan(0)
    expect(differences!['Five nurses']!['Busy']!['std']!).toBeLessThan(intervals!['Three nurses']!['Busy']!['std']!)
  })

  it('the epidemic is fitted: 0.03 and 10 made the data', async () => {
    const { fit } = await report('epidemic-fit')
    const { Contagion, Duration } = fit!.settings as { Contagion: number; Duration: number }
    // New infections a case is what the data determines best.
    expect(Math.abs(Contagion * Duration - 0.3)).toBeLessThan(0.06)
    expect(Math.abs(Contagion - 0.03)).toBeLessThan(0.006)
  })

  it('the inventory policy is better than the classic (20, 40), and within its constraint', async () => {
    const { front, points, runs } = await report('inventory-policy')
    const [best] = front!
    // Law and Kelton: 126.61 a month for (20, 40).
    expect(best!.objectives['Monthly cost']!).toBeLessThan(122)
    expect(Number(best!.settings['Order_up_to']) - Number(best!.settings['Reorder_below'])).toBeGreaterThanOrEqual(10)
    expect(runs).toBeLessThan(points * 10)
  })

  it('the front of waiting and staff falls', async () => {
    const { front, hypervolume } = await report('clinic-tradeoff')
    expect(front!.length).toBeGreaterThan(5)
    const costs = front!.map(({ objectives }) => objectives['Cost of staff']!)
    expect(costs).toEqual(costs.toSorted((a, b) => b - a))
    expect(hypervolume!).toBeGreaterThan(0.8)
  })
})

describe('on the command line', () => {
  it('prints text, writes the table, and says what is wrong with bad files', async () => {
    const csv = join(folder, 'runs.csv')
    const text = await command(shipped('newsvendor-order'), '--runs', '36', '--csv', csv)
    expect(text.code).toBe(0)
    expect(text.out).toContain('settings: Order_quantity')
    expect(readFileSync(csv, 'utf8').split('\n')[0]).toBe('run,point,replication,seed,Order_quantity,Mean profit,ticks,end')
    expect(readFileSync(csv, 'utf8').trim().split('\n')).toHaveLength(37)
    const bad = join(folder, 'bad.holo')
    writeFileSync(bad, JSON.stringify({ format: 'holo', version: 1, elements: { study: { kind: 'experiment', name: 'x' } } }))
    expect(await command(bad)).toMatchObject({ code: 1, err: `${bad}:1: error study modelFile: A model must be linked first.\n` })
    expect((await command(join(folder, 'nowhere.holo'))).code).toBe(2)
    expect((await command(fileURLToPath(new URL('../../../model-schema/samples/clinic.holo', import.meta.url)))).err).toContain(
      'holds no experiment',
    )
    expect((await command(bad, '--threads', 'many')).err).toContain('--threads takes')
    expect((await command(bad, '--model', 'nowhere.holo')).code).toBe(2)
  })

  it('refuses field values that do not fit, with the field, in the experiment and in its model, and runs nothing', async () => {
    const own = JSON.parse(readFileSync(shipped('newsvendor-order'), 'utf8'))
    const study = Object.keys(own.elements).find(id => own.elements[id].kind === 'experiment')!
    const model = fileURLToPath(new URL('../../../model-schema/samples/newsvendor.holo', import.meta.url))
    const path = join(folder, 'values.holo')
    const written = (values: object): string[] => {
      writeFileSync(path, JSON.stringify({ ...own, elements: { ...own.elements, [study]: { ...own.elements[study], ...values } } }))
      return [path, '--model', model, '--runs', '9']
    }
    for (const [field, value] of [
      ['seed', 'abc'],
      ['maxRuns', 'many'],
      ['replications', -4],
      ['type', 'magic'],
    ] as const) {
      const { code, out, err } = await command(...written({ [field]: value }))
      expect([code, out], field).toEqual([1, ''])
      expect(err, field).toContain(`${path}: error: elements.${study}.${field}: `)
      expect(err, field).not.toContain('the default counts')
      const told = await command(...written({ [field]: value }), '--json')
      expect(told.code).toBe(1)
      expect(JSON.parse(told.out).problems).toMatchObject([{ at: { id: study, field }, inModel: false, severity: 'error' }])
    }
    const parts = JSON.parse(readFileSync(model, 'utf8'))
    const scenario = Object.keys(parts.elements).find(id => parts.elements[id].kind === 'scenario')!
    parts.elements[scenario].totalTicks = '50'
    const wrong = join(folder, 'wrong-model.holo')
    writeFileSync(wrong, JSON.stringify(parts))
    const [file = ''] = written({})
    const { code, out, err } = await command(file, '--model', wrong, '--runs', '9')
    expect([code, out]).toEqual([1, ''])
    expect(err).toContain(`${wrong}: error: elements.${scenario}.totalTicks: `)
    expect((await command(...written({}))).code).toBe(0)
  })

  it('tells what an exploration found at each of its points', async () => {
    const elements = {
      s: { kind: 'scenario', totalTicks: 3 },
      a: { kind: 'variable', name: 'a', initial: '1', public: true },
      m: { kind: 'variable', name: 'm', initial: '0' },
      p: { kind: 'process', name: 'P' },
      p1: { kind: 'start', parent: 'p', trigger: 'timer' },
      p2: { kind: 'compute', parent: 'p', program: 'm += a + 0 * random()' },
      p3: { kind: 'end', parent: 'p' },
      f1: { kind: 'flow', parent: 'p', from: 'p1', to: 'p2' },
      f2: { kind: 'flow', parent: 'p', from: 'p2', to: 'p3' },
      x: {
        kind: 'experiment',
        name: 'Line',
        type: 'exploration',
        design: 'table',
        table: 'a\n2\n5',
        replications: 2,
        modelFile: 'line.holo',
      },
      d: { kind: 'decision', parent: 'x', variable: 'a', min: 0, max: 9 },
      r: { kind: 'response', parent: 'x', name: 'Total', expression: 'm' },
    }
    const path = join(folder, 'line.holo')
    writeFileSync(path, JSON.stringify({ format: 'holo', version: 1, elements }))
    const { code, out } = await command(path, '--json', '--threads', '1')
    expect([code, JSON.parse(out).table]).toEqual([
      0,
      [
        { settings: { a: 2 }, means: { Total: 6 }, halfWidths: { Total: 0 } },
        { settings: { a: 5 }, means: { Total: 15 }, halfWidths: { Total: 0 } },
      ],
    ])
    expect((await command(path, '--threads', '1')).out).toMatch(/settings: a 5\s+means: Total 15/)
  })

  it('killed in the middle, it goes on from its journal: the same report, no run lost or made twice', async () => {
    const journal = join(folder, 'journal.jsonl')
    const args = [cli, 'experiment', shipped('clinic-tradeoff'), '--json', '--threads', '2']
    const whole = execFileSync(process.execPath, args, { encoding: 'utf8' })
    const child = spawn(process.execPath, [...args, '--journal', journal], { stdio: 'ignore' })
    const lines = (): string[] => {
      try {
        return readFileSync(journal, 'utf8').split('\n').filter(Boolean)
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
        throw error
      }
    }
    await expect.poll(() => lines().length, { interval: 10 }).toBeGreaterThan(60)
    child.kill('SIGKILL')
    await new Promise(resolve => child.once('exit', resolve))
    const before = lines().length
    writeFileSync(journal, `${lines().join('\n')}\n{"run":7,"end"`)
    expect(execFileSync(process.execPath, [...args, '--journal', journal], { encoding: 'utf8' })).toBe(whole)
    const { runs } = JSON.parse(whole) as Report
    const made = lines()
      .slice(1)
      .map(line => (JSON.parse(line) as { run: number }).run)
    expect(made.length).toBe(runs)
    expect(new Set(made).size).toBe(runs)
    expect(before).toBeLessThan(runs)
  })

  it('a journal of another experiment is refused', () => {
    const path = join(folder, 'other.jsonl')
    openJournal(path, { key: 'a' }).close()
    openJournal(path, { key: 'a' }).close()
    expect(() => openJournal(path, { key: 'b' })).toThrow('another experiment')
  })
})
