// Experiments with very many runs: values that are held in a file, tables in parts, a merge that takes little memory. `npm run bench -- experiment/merge`
// measures the same with a million runs.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readTable } from '../../../client/experiments/tables/formats.ts'
import { mainUntil } from '../../../sim-engine/cli.ts'
import { FileColumns, largeColumns } from '../../../sim-engine/experiment/tables/column-file.ts'
import { MemoryColumns } from '../../../sim-engine/experiment/tables/columns.ts'
import { writeParquet } from '../../../sim-engine/experiment/tables/parquet.ts'
import { reportOf } from '../../../sim-engine/experiment/report.ts'
import { conduct, createLocal, createRunner } from '../../../sim-engine/experiment.ts'
import { bits, stream, uniform } from '../../../sim-engine/kernel/random.ts'
import { functionModel, memory, prepared } from '../../help/experiments.ts'
import { syntheticParts } from '../../help/experiments/journals.ts'

const seed = Number(process.env['SEED'] ?? 1)
let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'holarchy-large-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const bytesOf = (path: string): ArrayBuffer => {
  const bytes = readFileSync(path)
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength)
}

describe('columns in a file', () => {
  it('hold what columns in memory hold, with fewer blocks in memory than there are', () => {
    const measures = 3
    const file = new FileColumns(measures, folder, 5 * 8192 * 8)
    const kept = new MemoryColumns(measures)
    const random = stream(seed, 0, 'rows')
    const rows = 90_000
    for (const columns of [file, kept]) columns.reach(50_000)
    for (let i = 0; i < 2000; i++) {
      if (i === 1000) for (const columns of [file, kept]) columns.reach(rows)
      const run = bits(random) % (i < 1000 ? 50_000 : rows)
      const values = [uniform(random), i % 7 === 0 ? NaN : i]
      for (const columns of [file, kept]) columns.set(run, values)
    }
    for (let measure = 0; measure < measures; measure++) {
      expect(file.column(measure)).toEqual(kept.column(measure))
      expect(file.get(measure, 77_777)).toEqual(kept.get(measure, 77_777))
    }
    file.close()
    expect(readdirSync(folder).filter(name => name.startsWith('holarchy-columns'))).toEqual([])
  })

  it('are taken where values would take more than 200 MB, and give the same report', async () => {
    const parts = { r: { kind: 'response', expression: 'x * random()' }, t: { kind: 'response', expression: 'random() < 0.2' } } as const
    const width = { ...parts, u: parts.r, w: parts.t }
    const of = (runs: number, measured: Parameters<typeof prepared>[2] = parts) =>
      prepared(functionModel({ x: 3 }), { type: 'monteCarlo', replications: runs, maxRuns: runs }, measured)
    expect(largeColumns(of(10_000_000))).toBe(null)
    const columns = largeColumns(of(10_000_000, width))
    expect(columns).toBeInstanceOf(FileColumns)
    columns?.close()
    const small = of(700)
    const held = new FileColumns(2, folder)
    const made = [undefined, held].map(async own => {
      const evaluator = createLocal(createRunner(small.runnable))
      const signal = new AbortController().signal
      return conduct({ prepared: small, evaluator, journal: memory(), signal, ...(own && { columns: own }) })
    })
    const [here, there] = await Promise.all(made)
    expect(reportOf(small, there!.results)).toEqual(reportOf(small, here!.results))
    held.close()
  })
})

describe('Parquet parts', () => {
  it('hold every run that is known, in parts of bounded size that the page reads', async () => {
    const parts = {
      r: { kind: 'response', name: 'Ratio', expression: 'a / (a - 4)' },
      d: { kind: 'decision', variable: 'a', domain: 'enum', values: '1, 4, 7.5' },
    }
    const of = prepared(functionModel({ a: 3 }), { type: 'exploration', design: 'factorial', replications: 7, seed: 4294967295 }, parts)
    const { results } = await conduct({
      prepared: of,
      evaluator: createLocal(createRunner(of.runnable)),
      journal: memory(),
      signal: new AbortController().signal,
    })
    const into = join(folder, 'runs')
    // Five runs a file, two a group of rows: 21 runs are five files.
    expect(writeParquet(into, results, ['Main'], 5, 2)).toBe(5)
    expect(readdirSync(into)).toEqual([0, 1, 2, 3, 4].map(k => `part-0000${k}.parquet`))
    const tables = await Promise.all(readdirSync(into).map(name => readTable(bytesOf(join(into, name)), 'parquet')))
    const cells = (column: string): unknown[] =>
      tables.flatMap(({ columns }): unknown[] => {
        const found = columns.find(({ name }) => name === column)!
        return found.kind === 'number' ? [...found.data] : Array.from(found.codes, code => found.words[code])
      })
    const runs = Array.from({ length: 21 }, (_, run) => run)
    expect(tables.map(({ rows }) => rows)).toEqual([5, 5, 5, 5, 1])
    expect(cells('run')).toEqual(runs)
    expect(cells('seed')).toEqual(runs.map(results.seedOf))
    expect(runs.some(run => results.seedOf(run) > 2 ** 31)).toBe(true)
    expect(cells('a')).toEqual(runs.map(run => results.points[results.pointOf(run)]!.settings[0]))
    expect(cells('Ratio')).toEqual(runs.map(run => results.value(run, 0)))
    expect(cells('Ratio').filter(value => Number.isNaN(value)).length).toBe(7)
    expect(cells('end')).toEqual(runs.map(results.endOf))
    // Written again with fewer parts, none of the old ones is left.
    expect(writeParquet(into, results, ['Main'])).toBe(1)
    expect(readdirSync(into)).toEqual(['part-00000.parquet'])
  })
})

describe('a merge of many runs', () => {
  async function command(...args: string[]): Promise<{ code: number; out: string; err: string }> {
    let [out, err] = ['', '']
    const output = { out: (said: string) => void (out += said), err: (said: string) => void (err += said) }
    return { code: await mainUntil(['experiment', ...args], output, new AbortController().signal), out, err }
  }

  it('gives the report, a CSV file and Parquet parts', async () => {
    const runs = 50_000
    const { file, parts } = syntheticParts(folder, runs, 3)
    const [csv, parquet] = [join(folder, 'runs.csv'), join(folder, 'parts')]
    const { code, out, err } = await command('merge', file, ...parts.toReversed(), '--json', '--csv', csv, '--parquet', parquet)
    expect([code, err]).toEqual([0, ''])
    const { intervals } = JSON.parse(out)
    // A uniform number: mean 1/2, standard deviation 1/sqrt(12).
    expect(intervals.Many.Value.n).toBe(runs)
    expect(Math.abs(intervals.Many.Value.mean - 0.5)).toBeLessThan(4 / Math.sqrt(12 * runs))
    expect(readFileSync(csv, 'utf8').split('\n').length).toBe(runs + 2)
    const table = await readTable(bytesOf(join(parquet, 'part-00000.parquet')), 'parquet')
    expect([table.rows, table.columns.map(({ name }) => name)]).toEqual([
      runs,
      ['run', 'point', 'replication', 'seed', 'Value', 'ticks', 'end'],
    ])
  })

  it('refuses a folder for its parts that holds something else', async () => {
    const { file, parts } = syntheticParts(folder, 10, 1)
    writeFileSync(join(folder, 'a-file'), '')
    for (const [path, why] of [
      [folder, 'of their own'],
      [join(folder, 'a-file'), 'is a file'],
      [join(folder, 'no', 'such', 'folder'), 'cannot be written'],
    ] as const) {
      const { code, err } = await command('merge', file, ...parts, '--parquet', path)
      expect([code, err.includes(why)], err).toEqual([2, true])
    }
    expect(existsSync(join(folder, 'a-file'))).toBe(true)
  })
})
