import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process_ from 'node:process'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { main, mainUntil } from '../../sim-engine/cli.ts'
import { printFile } from '../../model-schema/file.ts'
import { kinds } from '../../model-schema/kinds.ts'
import { rows } from '../../sim-engine/formula/library/library.ts'
import { catalogue } from '../../sim-engine/problems.ts'
import { casePath } from '../help/cases.ts'
import {
  agents,
  compute,
  delay,
  end,
  every,
  log,
  model,
  process,
  release,
  request,
  resource,
  scenario,
  start,
  statistic,
  variable,
} from '../help/models.ts'
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
  it('prints values as they are, also those that look like texts in several languages', () => {
    const greeting = model(scenario({ totalTicks: 1 }), variable('en', '"hello"', { public: true }))
    expect(JSON.parse(cli('run', file('greeting.holo', greeting), '--json').out).publics).toEqual({ en: 'hello' })
    const text = model(scenario({ totalTicks: 1 }), variable('text', '{"verbatim": "Wolf"}', { public: true }))
    expect(JSON.parse(cli('run', file('text.holo', text), '--json').out).publics.text).toEqual({ verbatim: 'Wolf' })
  })
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
    expect(failed.err).toMatch(/10018 compute "think" program 1:5: Division by zero/)
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

it('files: a field that nobody reads is a warning, a value that a field cannot have is an error, as text and in JSON', () => {
  const elements = { s: { kind: 'scenario', totalTicks: 3, ticks: 5 }, v: { kind: 'variable', name: 'x', type: 'number' } }
  const path = file('unread.holo', JSON.stringify({ format: 'holo', version: 1, elements }))
  for (const command of ['run', 'check']) {
    const { code, err } = cli(command, path)
    expect([code, err.match(/(warning|error): .*?:/g)]).toEqual([1, ['warning: elements.s.ticks:', 'error: elements.v.type:']])
    const { code: same, out, err: none } = cli(command, path, '--json')
    const document = JSON.parse(out)
    const { problems } = command === 'run' ? document : document[0]
    expect([same, none]).toEqual([1, ''])
    expect(problems.slice(0, 2)).toMatchObject([
      { code: 9025, severity: 'warning', at: { id: 's', field: 'ticks' } },
      {
        code: 9025,
        severity: 'error',
        at: { id: 'v', field: 'type' },
        message: { en: expect.stringContaining('"number" is no value of this field') },
      },
    ])
  }
  const lawful = file('unread-only.holo', JSON.stringify({ format: 'holo', version: 1, elements: { s: elements.s } }))
  const { code, out } = cli('run', lawful, '--json')
  expect([code, JSON.parse(out).warnings]).toEqual([
    0,
    expect.arrayContaining([expect.objectContaining({ severity: 'warning', at: { id: 's', field: 'ticks' } })]),
  ])
  expect(JSON.parse(cli('check', lawful, '--json').out)[0]).toMatchObject({
    ok: true,
    problems: expect.arrayContaining([expect.objectContaining({ code: 9025 })]),
  })
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

describe('the command line', () => {
  it('help: after a command it is about that command, and nothing runs', () => {
    for (const command of ['run', 'check', 'docs'])
      for (const args of [
        [command, '--help'],
        [command, 'missing.holo', '-h'],
        ['help', command],
      ])
        expect(cli(...args), args.join(' ')).toMatchObject({ code: 0, err: '', out: expect.stringContaining(`Usage: holarchy ${command}`) })
    expect(cli('--help').out).toContain('holarchy COMMAND --help')
  })
  it('version: that of the package', () => {
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
    expect(cli('--version')).toEqual({ code: 0, out: `holarchy ${version}\n`, err: '' })
  })
  it('usage errors: one line that says what is wrong and where there is help', () => {
    const path = file('walk.holo', walk)
    const line = (...args: string[]): string => {
      const { code, err, out } = cli(...args)
      expect([code, out, err.split('\n').length], err).toEqual([2, '', 2])
      return err
    }
    expect(line('run', path, '--seed', '-1')).toBe(
      'holarchy: --seed takes a whole number from 0 to 4294967295, not "-1"; see holarchy run --help\n',
    )
    expect(line('run', path, '--tick', '5')).toContain('unknown option --tick; did you mean --ticks?')
    expect(line('run', path, '--seed')).toContain('--seed needs a value')
    expect(line('run', path, '--json=1')).toContain('--json takes no value')
    expect(line('run', folder)).toContain('it is a folder')
    expect(line('check', 'missing.holo')).toContain('there is no such file')
    expect(line('dance')).toContain('unknown command "dance"; see holarchy --help')
    expect(line('run', path, '--ticks', '-5')).toContain('--ticks takes a number >= 0')
  })
  it('usage errors: with --json a document, too', () => {
    for (const args of [
      ['run', 'missing.holo'],
      ['run', file('walk.holo', walk), '--seed', 'x'],
      ['check', folder],
    ]) {
      const { code, out } = cli(...args, '--json')
      expect([code, JSON.parse(out)]).toEqual([2, { error: expect.any(String) }])
    }
  })
  it('json: one document, with the trace in it', () => {
    const { out } = cli('run', file('walk.holo', walk), '--ticks', '2', '--json', '--trace')
    expect(JSON.parse(out).trace).toHaveLength(2 * 3 * 3)
    const { replications } = JSON.parse(cli('run', file('walk.holo', walk), '--json', '--trace', '--replications', '2').out)
    expect([replications.length, replications[0].trace.length]).toEqual([2, 90])
  })
  it('output paths: one that cannot be written is an error before anything runs', () => {
    const { code, out, err } = cli('run', file('walk.holo', walk), '--profile', join(folder, 'nowhere', 'x.json'))
    expect([code, out]).toEqual([2, ''])
    expect(err).toContain('nowhere')
    expect(cli('run', file('walk.holo', walk), '--profile', folder)).toMatchObject({ code: 2, out: '' })
  })
  it('messages: name line and column, show the line with a mark, the process and what to do', () => {
    const built = model(
      scenario({ totalTicks: 2 }),
      variable('x', 0),
      agents('A', { initialNumber: '1' }, process('Live', start(every(1)), compute('y = 2\nif y > 1:\n    x = 1 / x', 'think'), end())),
    )
    const { code, err, out } = cli('run', file('line.holo', built))
    expect(code).toBe(1)
    expect(err).toBe(
      [
        'error 10018 compute "think" program 3:9: Division by zero. (tick 1, time 1, A 1)',
        '        x = 1 / x',
        '            ^^^^^',
        '    in process "Live", in agent "A"',
        '    Test the divisor first, or use max(divisor, 1).',
        '',
      ].join('\n'),
    )
    expect(out).toContain('failed: Division by zero.')
  })
  it('runs: what a statistic that fails at the end leaves is told with its place, and exit code 1', () => {
    const { code, err, out } = cli('run', casePath('statistic-division'))
    expect([code, err.split('\n')[0]]).toEqual([1, 'error 10018 statistic "k" expression 1:1: Division by zero. (tick 3, time 3)'])
    expect(out).toContain('no data')
    const { replications } = JSON.parse(cli('run', casePath('statistic-division'), '--json', '--replications', '3').out)
    expect(replications.map(({ result }: { result: { end: string } }) => result.end)).toEqual(['failed', 'failed', 'failed'])
  })
  it('wrong canvas: a population inside an agent is an error in check and run', () => {
    const { code, out } = cli('check', casePath('population-in-agent'))
    expect(code).toBe(1)
    expect(out).toContain('"Worker" (Agent) cannot stand on the canvas of "Firm" (Agent)')
    expect(cli('run', casePath('population-in-agent')).code).toBe(1)
  })
})

describe('long runs', () => {
  /** A clock that advances by `step` milliseconds each time it is read. */
  const clock = (step: number) => {
    let now = 0
    return { now: () => (now += step), isTerminal: false }
  }
  async function until(args: string[], stop: (said: string) => string | null, step = 400) {
    const control = new AbortController()
    let out = ''
    let err = ''
    const output = {
      out: (text: string) => (out += text),
      err: (text: string) => {
        err += text
        const name = stop(err)
        if (name !== null) control.abort(name)
      },
    }
    const code = await mainUntil(args, output, control.signal, clock(step))
    return { code, out, err }
  }
  it('progress: is told on standard error, and changes nothing', async () => {
    const args = ['run', casePath('long-run'), '--ticks', '2000']
    const { code, out, err } = await until(args, () => null)
    expect(code).toBe(0)
    expect(err).toMatch(/^time [\d.]+ of 2000 \(\d+ %\)\n/)
    expect(out).toBe(cli(...args).out)
    const many = await until([...args, '--replications', '3'], () => null)
    expect(many.err).toMatch(/run \d of 3, time/)
    expect(many.out).toBe(cli(...args, '--replications', '3').out)
  })
  it('signals: the run stops with what there is, exit code 130 or 143', async () => {
    for (const [name, exit] of [
      ['SIGINT', 130],
      ['SIGTERM', 143],
    ] as const) {
      const args = ['run', casePath('long-run'), '--ticks', '60000000']
      const text = await until(args, () => name)
      expect(text.code).toBe(exit)
      expect(text.out).toContain('ended     interrupted')
      const { code, out } = await until([...args, '--json', '--replications', '5'], () => name)
      expect(code).toBe(exit)
      const { replications } = JSON.parse(out)
      expect(replications).toMatchObject([{ result: { end: 'interrupted' }, statistics: { wq: expect.any(Number) } }])
    }
  })
  it('signals: Ctrl-C ends the command itself', async () => {
    const cliPath = new URL('../../sim-engine/cli.ts', import.meta.url).pathname
    const child = spawn(process_.execPath, [cliPath, 'run', casePath('long-run'), '--ticks', '1000000000'], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let out = ''
    child.stdout.on('data', (data: Buffer) => (out += String(data)))
    // The first line of progress.
    child.stderr.once('data', () => child.kill('SIGINT'))
    const [code] = await once(child, 'close')
    expect(code).toBe(130)
    expect(out).toContain('interrupted')
  })
  it('standard input: "-" reads the model from there', async () => {
    const cliPath = new URL('../../sim-engine/cli.ts', import.meta.url).pathname
    const child = spawn(process_.execPath, [cliPath, 'run', '-', '--json'], { stdio: ['pipe', 'pipe', 'inherit'] })
    let out = ''
    child.stdout.on('data', (data: Buffer) => (out += String(data)))
    child.stdin.end(printFile(walk.file))
    const [code] = await once(child, 'close')
    expect([code, JSON.parse(out).populations]).toEqual([0, { A: 3 }])
  })
})

it('compile: says which process runs as what and why not faster, and prints the typed program', () => {
  const desk = (last: ReturnType<typeof compute>, more = last) =>
    process(
      'Serve',
      start({ trigger: 'timer', every: 'exponential(1)' }),
      request('desk'),
      delay('exponential(0.5)', 'work'),
      release('desk'),
      last,
      ...(more === last ? [] : [more]),
      end(),
    )
  const counted = file(
    'counted.holo',
    model(scenario({ totalTicks: 10 }), resource('desk', 1), variable('n', 0), desk(compute('n += 1', 'count'))),
  )
  expect(cli('compile', counted)).toMatchObject({ code: 0, out: 'Serve: with tokens, as WebAssembly\n' })
  const listed = model(
    scenario({ totalTicks: 10 }),
    resource('desk', 1),
    variable('n', 0),
    variable('l', '[1]'),
    desk(compute('n = sum(l)', 'add'), log('n', 'say')),
  )
  const { out } = cli('compile', file('listed.holo', listed), '--explain')
  expect(out).toContain('Serve: with tokens, as WebAssembly but for these:\n')
  expect(out).toContain('  add: sum() is worked out in JavaScript\n')
  expect(out).toContain('  say: steps of kind “Log or assert” run as JavaScript\n')
  // The population of a loop, and what keeps it from WebAssembly.
  const loop = (program: string): string =>
    cli(
      'compile',
      file(
        'loop.holo',
        model(
          scenario({ totalTicks: 10 }),
          agents('Bug', variable('n', 0), process('Live', start(every(1)), compute(program, 'eat'), end())),
        ),
      ),
    ).out
  expect(loop('n += randint(1, 3)')).toBe('Bug.Live: without tokens: a loop, as WebAssembly\n')
  expect(loop('n += binomial(9, 0.5)')).toBe('Bug.Live: without tokens: a loop, as WebAssembly\n')
  expect(loop('n += median([n, 1, 2])')).toBe(
    'Bug.Live: without tokens: a loop, as JavaScript\n  Bug.Live: median() is worked out in JavaScript\n',
  )
  const both = delay('1', 'work', { resources: ['desk', 'room'].map(name => ({ container: name, amount: '1', key: '' })) })
  const shared = model(
    scenario({ totalTicks: 10 }),
    resource('desk', 1),
    resource('room', 1),
    process('Serve', start({ trigger: 'timer', every: 'exponential(1)' }), both, end()),
  )
  expect(cli('compile', file('shared.holo', shared), '--explain').out).toBe('Serve: with tokens, as WebAssembly\n')
  const printed = cli('compile', counted, '--print').out
  expect(printed).toContain('fn step(t: i32, pc: i32): i32')
  expect(printed).toContain('fn advance(): void')
  expect(cli('compile', counted, '--print-after', 'inline').out).not.toContain('fn step(')
  const swarm = file(
    'swarm.holo',
    model(scenario({ totalTicks: 10 }), agents('Bug', variable('n', 0), process('Live', start(every(1)), compute('n += 1'), end()))),
  )
  expect(cli('compile', swarm, '--print').out).toMatch(/^# processes without tokens\n.*fn tick\(\): void/s)
  expect(cli('compile', swarm, '--print-after', 'lower').out).toContain('fn each0(): void')
  expect(cli('compile', counted, '--print-after', 'nothing')).toMatchObject({ code: 2 })
  expect(JSON.parse(cli('compile', counted, '--json').out)[0].runs.zh).toBe('有令牌，以 WebAssembly 运行')
})
