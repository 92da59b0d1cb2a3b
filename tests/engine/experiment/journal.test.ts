// Journals on disk: their experiments, their writers, damage, and how large they may be.
import { spawn } from 'node:child_process'
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mainUntil } from '../../../sim-engine/cli.ts'
import type { Sample } from '../../../sim-engine/experiment.ts'
import { engineHash } from '../../../sim-engine/experiment/engine.ts'
import { openJournal, readHead, samplesIn } from '../../../sim-engine/experiment/distribute/journal.ts'
import { linesOf } from '../../../sim-engine/experiment/lines.ts'

const cli = fileURLToPath(new URL('../../../sim-engine/cli.ts', import.meta.url))
let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'holarchy-journal-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const at = (name: string): string => join(folder, name)
const sample = (value: number): Sample => ({ end: 'success', ticks: 3, values: [value, NaN], problem: null })

async function command(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  let out = ''
  let err = ''
  const output = { out: (text: string) => void (out += text), err: (text: string) => void (err += text) }
  const code = await mainUntil(['experiment', ...args], output, new AbortController().signal)
  return { code, out, err }
}

/** An experiment and its model in one file: `runs` replications of so many ticks, each of which counts. */
function study(name: string, fields: object = {}, ticks = 3): string {
  const path = at(name)
  const elements = {
    s: { kind: 'scenario', totalTicks: ticks },
    a: { kind: 'variable', name: 'a', initial: 'uniform(0, 1)', public: true },
    m: { kind: 'variable', name: 'm', initial: '0' },
    p: { kind: 'process', name: 'P' },
    p1: { kind: 'start', parent: 'p', trigger: 'timer' },
    p2: { kind: 'compute', parent: 'p', program: 'm += a * random()' },
    p3: { kind: 'end', parent: 'p' },
    f1: { kind: 'flow', parent: 'p', from: 'p1', to: 'p2' },
    f2: { kind: 'flow', parent: 'p', from: 'p2', to: 'p3' },
    x: { kind: 'experiment', name: 'Sums', type: 'monteCarlo', replications: 40, modelFile: name, ...fields },
    r: { kind: 'response', parent: 'x', name: 'Total', expression: 'm' },
  }
  writeFileSync(path, JSON.stringify({ format: 'holo', version: 1, elements }, null, 2))
  return path
}

describe('a journal', () => {
  it('says what it is of, and gives back what was written, NaN included', async () => {
    const path = at('plain.jsonl')
    const journal = openJournal(path, { key: 'k', planned: 9 })
    journal.write([
      [4, sample(1)],
      [2, sample(-0.5)],
    ])
    journal.close()
    expect(readHead(path)).toMatchObject({ journal: 2, key: 'k', engine: engineHash(), slice: null, planned: 9 })
    expect([...samplesIn(path)]).toEqual([
      [4, sample(1)],
      [2, sample(-0.5)],
    ])
    expect([...(await openedAndRead(path))]).toHaveLength(2)
  })

  const openedAndRead = async (path: string) => {
    const journal = openJournal(path, { key: 'k' })
    const samples = [...(await journal.read())]
    journal.close()
    return samples
  }

  it('of another engine, slice, format or of nothing is refused', () => {
    const path = at('other-engine.jsonl')
    const head = { journal: 2, key: 'k', engine: '0123456789abcdef', slice: null, planned: null, host: 'h', node: 'n' }
    writeFileSync(path, `${JSON.stringify(head)}\n`)
    expect(() => openJournal(path, { key: 'k' })).toThrow('made by another version of the engine (0123456789abcdef, here ')
    writeFileSync(path, `${JSON.stringify({ ...head, engine: engineHash(), slice: [1, 4] })}\n`)
    expect(() => openJournal(path, { key: 'k' })).toThrow('holds slice 1/4, not all runs')
    openJournal(path, { key: 'k', slice: { index: 1, of: 4 } }).close()
    writeFileSync(path, `${JSON.stringify({ journal: 1, key: 'k' })}\n`)
    expect(() => openJournal(path, { key: 'k' })).toThrow('a journal of format 1')
    writeFileSync(path, 'run,point\n1,2\n')
    expect(() => openJournal(path, { key: 'k' })).toThrow(`${path}:1: the first line is not that of a journal`)
    // Nothing of these was changed, and no lock is left.
    expect(readFileSync(path, 'utf8')).toBe('run,point\n1,2\n')
    expect(existsSync(`${path}.lock`)).toBe(false)
  })

  it('with a damaged line is told by file and line; a last line cut short is made again', async () => {
    const path = at('damaged.jsonl')
    const file = study('damaged.holo')
    expect((await command(file, '--journal', path)).code).toBe(0)
    const lines = readFileSync(path, 'utf8').split('\n')
    writeFileSync(path, lines.slice(0, -1).join('\n').slice(0, -7))
    const torn = await command(file, '--journal', path, '--json')
    expect([torn.code, JSON.parse(torn.out).runs]).toEqual([0, 40])
    lines[17] = 'garbage'
    writeFileSync(path, lines.join('\n'))
    const told = await command(file, '--journal', path)
    expect(told).toMatchObject({ code: 2, out: '' })
    expect(told.err).toBe(`holarchy experiment: ${path}:18: this line is damaged, it holds no run; without it, its run is made again\n`)
    for (const bad of [
      '{"run":-1,"end":"success","ticks":1,"values":[]}',
      '{"run":1e15,"end":"success","ticks":1,"values":[]}',
      '[]',
      'null',
    ])
      expect(() => {
        writeFileSync(path, `${lines[0]}\n${bad}\n`)
        return [...samplesIn(path)]
      }, bad).toThrow(`${path}:2: this line is damaged`)
  })

  it('is written by one process at a time; one that is gone is taken over, one elsewhere with --steal', async () => {
    const path = at('locked.jsonl')
    const file = study('locked.holo')
    const first = openJournal(path, { key: 'k' })
    expect(() => openJournal(path, { key: 'k' })).toThrow(`is being written by process ${process.pid} on ${hostname()}`)
    first.close()
    // A process that is gone, and one of another machine.
    const gone = spawn(process.execPath, ['-e', ''])
    await new Promise(resolve => gone.once('exit', resolve))
    writeFileSync(`${path}.lock`, JSON.stringify({ host: hostname(), pid: gone.pid }))
    openJournal(path, { key: 'k' }).close()
    rmSync(path)
    const elsewhere = JSON.stringify({ host: 'elsewhere', pid: 1 })
    writeFileSync(`${path}.lock`, elsewhere)
    const refused = await command(file, '--journal', path)
    expect(refused.code).toBe(2)
    expect(refused.err).toMatch(
      / is being written by process 1 on elsewhere, since \d{4}-[^ ]*; if that one is gone, --steal takes it over\n$/,
    )
    expect(readFileSync(`${path}.lock`, 'utf8')).toBe(elsewhere)
    expect((await command(file, '--journal', path, '--steal')).code).toBe(0)
    expect(existsSync(`${path}.lock`)).toBe(false)
  })

  it('is read line by line, wherever lines are cut by what is read at a time', () => {
    const path = at('lines.txt')
    const texts = Array.from({ length: 400 }, (_, i) => `${'é'.repeat((i * 7919) % 9000)}${i}`)
    writeFileSync(path, `${texts.join('\n')}\ncut`)
    const lines = [...linesOf(path)]
    expect(lines.map(({ text }) => text)).toEqual(texts)
    expect(lines.at(-1)).toMatchObject({ number: 400, end: Buffer.byteLength(texts.join('\n')) + 1 })
  })

  // Writes 600 MB: a string holds no more than 512.
  it.runIf(process.env['LARGE'])('may be larger than a string', () => {
    const path = at('large.jsonl')
    openJournal(path, { key: 'k' }).close()
    const file = openSync(path, 'a')
    const values = Array.from({ length: 50 }, (_, k) => k / 7)
    const runs = 600_000
    for (let from = 0; from < runs; from += 10_000)
      writeSync(
        file,
        Array.from(
          { length: 10_000 },
          (_, i) => `${JSON.stringify({ run: from + i, end: 'success', ticks: 1, values, problem: null })}\n`,
        ).join(''),
      )
    closeSync(file)
    let count = 0
    for (const [run] of samplesIn(path)) count += run >= 0 ? 1 : 0
    expect(count).toBe(runs)
    openJournal(path, { key: 'k' }).close()
  })
})

describe('the command', () => {
  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)(
    'stopped by %s it reports what was found, ends with %i, and goes on from its journal to the same report',
    async (name, code) => {
      const file = study(`${name}.holo`, { replications: 200, maxRuns: 200 }, 5000)
      const journal = at(`${name}.jsonl`)
      const args = [cli, 'experiment', file, '--json', '--threads', '1', '--journal', journal]
      const child = spawn(process.execPath, args)
      let out = ''
      child.stdout.on('data', text => (out += text))
      const exit = new Promise<number | null>(resolve => child.once('close', resolve))
      await expect
        .poll(() => (existsSync(journal) ? readFileSync(journal, 'utf8').split('\n').length : 0), { interval: 10 })
        .toBeGreaterThan(20)
      child.kill(name)
      expect(await exit).toBe(code)
      const partial = JSON.parse(out)
      expect(partial.ended).toBe('stopped')
      expect(partial.runs).toBeGreaterThan(10)
      expect(partial.runs).toBeLessThan(200)
      expect(partial.intervals.Sums.Total.n).toBe(partial.runs)
      const [whole, resumed] = await Promise.all([command(file, '--json'), command(file, '--json', '--journal', journal)])
      expect(resumed).toMatchObject({ code: 0, out: whole.out })
    },
    90_000,
  )

  it('finds out before it runs anything what cannot be written', async () => {
    const file = study('unwritable.holo')
    const nowhere = at('nowhere/x.csv')
    expect(await command(file, '--csv', nowhere)).toMatchObject({
      code: 2,
      err: `holarchy experiment: --csv ${nowhere} cannot be written: there is no folder ${at('nowhere')}; see holarchy experiment --help\n`,
    })
    expect((await command(file, '--csv', folder)).err).toContain('it is a folder')
    expect((await command(file, '--journal', nowhere)).err).toContain('--journal')
    expect((await command(file, '--csv', at('one'), '--journal', at('one'))).err).toContain('name one file')
    expect((await command(file, '--cvs', 'x')).err).toBe("holarchy experiment: unknown option '--cvs'; see holarchy experiment --help\n")
    expect((await command('--help')).out).toContain('Exit codes:')
  })

  it('names file and line of what is wrong', async () => {
    const file = study('wrong.holo', { modelScenario: 'Other' })
    const line =
      readFileSync(file, 'utf8')
        .split('\n')
        .findIndex(text => text.includes('"modelScenario"')) + 1
    expect((await command(file)).err).toBe(`${file}:${line}: error x modelScenario: The model has no scenario of this name.\n`)
  })

  it('ends when the time of the experiment is up, with what it found', async () => {
    const file = study('timed.holo', { replications: 100_000, maxRuns: 100_000, maxMinutes: 0.01 }, 2000)
    const { code, out } = await command(file, '--json', '--threads', '1')
    const report = JSON.parse(out)
    expect([code, report.ended]).toEqual([0, 'time'])
    expect(report.runs).toBeLessThan(100_000)
  })

  it('tells how far it is on standard error after a second, also where JSON is printed', async () => {
    const file = study('long.holo', { replications: 100_000, maxRuns: 100_000 }, 2000)
    const stop = new AbortController()
    let [out, err] = ['', '']
    const output = {
      out: (text: string) => void (out += text),
      err(text: string) {
        err += text
        stop.abort('SIGINT')
      },
    }
    expect(await mainUntil(['experiment', file, '--json', '--threads', '1'], output, stop.signal)).toBe(130)
    expect(err).toMatch(/^\d+ of at most 100000 runs, [\d.]+ a second, about \d+ (s|min|h) left\n$/)
    expect(JSON.parse(out).ended).toBe('stopped')
  })
})
