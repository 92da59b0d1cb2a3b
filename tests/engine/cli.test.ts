import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { main } from '../../sim-engine/cli.ts'
import { printFile } from '../../model-schema/file.ts'
import { kinds } from '../../model-schema/kinds.ts'
import { rows } from '../../sim-engine/formula/library/library.ts'
import { catalogue } from '../../sim-engine/problems.ts'
import { agents, compute, end, every, log, model, process, scenario, start, statistic, variable } from '../help/models.ts'
import type { Built } from '../help/models.ts'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'holarchy-cli-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

function file(name: string, content: Built | string): string {
  const path = join(folder, name)
  writeFileSync(path, typeof content === 'string' ? content : printFile(content.file))
  return path
}

function cli(...args: string[]): { code: number; out: string; err: string } {
  let out = ''
  let err = ''
  const code = main(args, { out: text => (out += text), err: text => (err += text) })
  return { code, out, err }
}

const walk = model(
  scenario({ totalTicks: 10 }),
  variable('rate', 2, { public: true }),
  variable('on', true, { public: true }),
  variable('total', 0, { public: true }),
  agents('A', { initialNumber: '3' }, process('P', start(every(1)), compute('total += rate * random()'), end())),
  statistic('sum', 'total'),
)

describe('run', () => {
  it('prints what came of it', () => {
    const { code, out } = cli('run', file('walk.holo', walk), '--seed', '7', '--set', 'rate=0.3', '--ticks', '5', '--json')
    expect(code).toBe(0)
    const summary = JSON.parse(out)
    expect(summary).toMatchObject({
      result: { end: 'success', reason: 'total-ticks' },
      seed: 7,
      ticks: 5,
      publics: { rate: 0.3 },
      populations: { A: 3 },
    })
    expect(summary.statistics.sum).toBe(summary.publics.total)
    expect(summary.hash).toMatch(/^[0-9a-f]+$/)
    expect(cli('run', join(folder, 'walk.holo'), '--seed', '7', '--set', 'rate=0.3', '--ticks', '5', '--json').out).toBe(out)
    expect(cli('run', join(folder, 'walk.holo')).out).toContain('ended     success (total-ticks)')
  })
  it('gives what the model wrote', () => {
    const saying = file('saying.holo', model(scenario({ totalTicks: 2 }), process('Say', start(every(1)), log('tick', 'note'), end())))
    const { output } = JSON.parse(cli('run', saying, '--json').out)
    expect(output.map(({ tick, text }: { tick: number; text: string }) => [tick, text])).toEqual([
      [1, '1'],
      [2, '2'],
    ])
    expect(cli('run', saying).out).toContain('[2] 2\n')
  })
  it('scenarios by name, replications, step limit, trace', () => {
    const two = file(
      'two.holo',
      model(
        scenario({ totalTicks: 2, name: 'Short one' }, variable('x', 1, { public: true }), process('P', start(), end())),
        scenario({ totalTicks: 3, name: 'Long' }, process('P', start(every(1)), log('"hi"', 'say'), end())),
      ),
    )
    expect(JSON.parse(cli('run', two, '--scenario', 'Long', '--json').out).ticks).toBe(3)
    expect(cli('run', two, '--scenario', 'Long', '--trace').out.split('\n').slice(0, 3)).toEqual([
      '1\tworld\tstart:timer\tP2-start1',
      '1\tworld\tlog:log\tsay',
      '1\tworld\tend\tP2-end1',
    ])
    const many = JSON.parse(cli('run', join(folder, 'walk.holo'), '--replications', '5', '--json').out)
    expect(many.replications.map((one: { seed: number }) => one.seed)).toEqual([1, 2, 3, 4, 5])
    expect(many.mean['statistics.sum'].n).toBe(5)
    expect(JSON.parse(cli('run', join(folder, 'walk.holo'), '--step-limit', '4', '--json').out).result).toEqual({
      end: 'limited',
      ticks: 4,
    })
  })
  it('writes a profile for viewers and prints what took longest, without changing the run', () => {
    const path = file('walk-profiled.holo', walk)
    const to = join(folder, 'walk.speedscope.json')
    const { code, out } = cli('run', path, '--seed', '7', '--ticks', '5', '--profile', to)
    expect(code).toBe(0)
    expect(out).toMatch(/profile {3}[\d.]+ ms, of these [\d.]+ ms in the engine itself/)
    const written = JSON.parse(readFileSync(to, 'utf8'))
    expect(written.profiles[0]).toMatchObject({ type: 'sampled', unit: 'milliseconds' })
    expect(out.split('\nprofile')[0]).toBe(cli('run', path, '--seed', '7', '--ticks', '5').out)
    expect(cli('run', path, '--profile', join(folder, 'nowhere', 'x.json')).code).toBe(2)
  })

  it('exits with 1 for problems and failed runs, saying where', () => {
    const wrong = cli('run', file('wrong.holo', model(process('P', start(), compute('x = 1 +', 'think'), end()))))
    expect(wrong.code).toBe(1)
    expect(wrong.err).toContain('8002 compute "think" program')
    const failed = cli('run', file('failed.holo', model(variable('x', 0), process('P', start(), compute('x = 1 / x', 'think'), end()))))
    expect(failed.code).toBe(1)
    expect(failed.err).toMatch(/10018 compute "think" program \d+-\d+: Division by zero/)
  })
  it('exits with 2 for wrong usage and unreadable files', () => {
    const path = join(folder, 'walk.holo')
    for (const args of [
      [],
      ['dance'],
      ['run'],
      ['run', 'missing.holo'],
      ['run', path, path],
      ['run', path, '--seed', 'x'],
      ['run', path, '--seed', '-1'],
      ['run', path, '--ticks', 'many'],
      ['run', path, '--nix'],
      ['run', path, '--set', 'rate'],
      ['run', path, '--set', 'speed=1'],
      ['run', path, '--set', 'rate=fast'],
      ['run', path, '--scenario', 'Other'],
      ['run', path, '--replications', '0'],
      ['check', path, '--seed', '1'],
    ]) {
      const { code, err, out } = cli(...args)
      expect(code, args.join(' ')).toBe(2)
      expect(err + out, args.join(' ')).not.toBe('')
    }
    expect(cli('run', path, '--scenario', 'Other').err).toContain('"Scenario 1"')
    expect(cli('run', path, '--set', 'speed=1').err).toContain('rate, on, total')
    for (const text of [
      '',
      '{',
      '[]',
      '{"format":"other"}',
      '{"format":"holo","version":99,"elements":{}}',
      '{"format":"holo","version":1,"elements":{"a":7}}',
    ]) {
      const { code, err } = cli('run', file('bad.holo', text))
      expect(code, text).toBe(2)
      expect(err, text).not.toBe('')
    }
  })
})

it('warns of what a file says and nobody reads, and goes on', () => {
  const elements = { s: { kind: 'scenario', totalTicks: 3, ticks: 5 }, v: { kind: 'variable', name: 'x', type: 'number' } }
  const path = file('unread.holo', JSON.stringify({ format: 'holo', version: 1, elements }))
  for (const command of ['run', 'check']) {
    const { code, err } = cli(command, path, '--json')
    expect([code, err.match(/warning: .*?:/g)]).toEqual([0, ['warning: elements.s.ticks:', 'warning: elements.v.type:']])
  }
  const many = Object.fromEntries(Array.from({ length: 30 }, (_, k) => [`n${k}`, { kind: 'nothing' }]))
  expect(
    cli('check', file('unread-many.holo', JSON.stringify({ format: 'holo', version: 1, elements: { ...elements, ...many } }))).err,
  ).toContain('warning: and 12 more')
})

describe('check', () => {
  it('prints problems as text or JSON', () => {
    expect(cli('check', join(folder, 'walk.holo'))).toEqual({ code: 0, out: `${join(folder, 'walk.holo')}: ok\n`, err: '' })
    const { code, out } = cli('check', join(folder, 'wrong.holo'), '--json')
    expect(code).toBe(1)
    expect(JSON.parse(out)[0].problems[0]).toMatchObject({ code: 8002, at: { id: 'P-think' } })
  })
})

it('docs: every kind, field, function and code has its entry', () => {
  const { code, out } = cli('docs')
  expect(code).toBe(0)
  for (const kind of kinds) expect(out).toContain(`### \`${kind.id}\``)
  for (const row of rows) expect(out).toContain(`\`${row.shown}\``)
  for (const number of Object.keys(catalogue)) expect(out).toContain(`#### ${number} `)
})

it('the models of the docs run', () => {
  const examples = Array.from(cli('docs').out.matchAll(/```json\n([^]*?)```/g), found => found[1] ?? '')
  const [walkers, desk] = examples.map((example, i) => {
    const { code, out, err } = cli('run', file(`docs${i}.holo`, example), '--json', ...(i === 0 ? [] : ['--ticks', '200000']))
    expect(err).toBe('')
    expect(code).toBe(0)
    return JSON.parse(out)
  })
  expect(walkers.populations.Walker).toBeGreaterThan(0)
  // M/M/2 with a patience of 5: the offered wait has the density p1 exp(-x / 4) up to 5 and p1 exp(5 - 1.25 x) beyond (D. Y. Barrer, 1957).
  const p1 = 1.6 / (2.6 + 1.6 * (4 * (1 - Math.exp(-1.25)) + Math.exp(-1.25) / 1.25))
  expect(desk.statistics.share_lost).toBeCloseTo((p1 * Math.exp(-1.25)) / 1.25, 2)
  expect(desk.statistics.time_in_system).toBeGreaterThan(desk.containers.clerks.meanWait + 1.5)
})
