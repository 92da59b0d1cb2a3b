// Same model, scenario, seed: the same run, bit for bit, however it is driven.
import { inLanguages } from '../../model-schema/languages/catalogues.ts'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { check } from '../../sim-engine/check.ts'
import { main } from '../../sim-engine/cli.ts'
import { compile } from '../../sim-engine/compile.ts'
import type { Program } from '../../sim-engine/compile.ts'
import type { FromEngine, Summary, ToEngine } from '../../sim-engine/messages.ts'
import { start } from '../../sim-engine/run.ts'
import { Engine } from '../../sim-engine/threads/simulation.ts'
import { modelOfFile, parseFile } from '../../model-schema/file.ts'
import type { Model } from '../../model-schema/model.ts'
import {
  agents,
  cells,
  compute,
  delay,
  end,
  every,
  event,
  links,
  log,
  message,
  model,
  parallel,
  process,
  release,
  request,
  resource,
  scenario,
  space,
  start as startStep,
  statistic,
  from,
  to,
  variable,
  move,
  port,
  gateway,
  boundary,
} from '../help/models.ts'
import { english } from '../../model-schema/words.ts'

const sampleFile = (name: string): string => new URL(`../../model-schema/samples/${name}.holo`, import.meta.url).pathname

function sample(name: string): Model {
  const parsed = parseFile(readFileSync(sampleFile(name), 'utf8'))
  if (!('file' in parsed)) throw new Error(parsed.problems.map(one => english(one.words)).join())
  return modelOfFile(parsed.file)
}

function programOf(of: Model, debug = false): Program {
  const checked = check(of, of.scenarios[0] ?? '')
  if (!checked.ok) throw new Error(checked.problems.map(one => `${one.code} ${one.at.id}`).join())
  return compile(checked.checked, { debug })
}

/** Everything that must survive a snapshot: tokens that wait for times, messages, conditions, resources and joins; links, lists, streams. */
const everything = model(
  scenario({ totalTicks: 40 }),
  message('Ping', { payload: [{ name: 'n' }] }),
  resource('desk', 2),
  space('S', { topology: 'continuous', minX: '0', maxX: '10', minY: '0', maxY: '10' }),
  variable('log_', '[]', { type: 'list', public: true }),
  agents(
    'A',
    { initialNumber: '12', space: 'S', placement: 'random' },
    variable('w', 'random()'),
    variable('friend', 'None'),
    process(
      'Walk',
      startStep(every(1)),
      move('turn', 'uniform(-40, 40)'),
      move('forward', 0.5),
      compute('w += normal(0, 0.1)\nif len(neighbors(2)) > 0:\n    friend = neighbors(2)[0]'),
      end(),
    ),
    process(
      'Queue',
      startStep({ trigger: 'timer', every: 'exponential(4)' }),
      request('desk'),
      delay('exponential(3)', 'work'),
      release('desk'),
      end(),
      boundary('work', 'timer', { delay: '9', interrupting: false }),
      end(),
    ),
    process(
      'Mail',
      startStep({ trigger: 'timer', every: '5' }),
      event('send', {
        message: 'Ping',
        range: 'A',
        pick: 'random',
        limit: '2',
        payload: [{ name: 'n', value: 'id' }],
        delivery: 'random()',
      }),
      end(),
    ),
    process('Read', startStep({ trigger: 'message', message: 'Ping' }), port('n'), delay(0.5), compute('log_.append(n)'), end()),
  ),
  links('L', { source: 'A', target: 'A', generator: 'random', probability: '0.2' }),
  process(
    'Fork',
    startStep(every(3)),
    parallel('f'),
    delay('uniform(0, 4)'),
    gateway('parallel', 'j'),
    event('condition', { condition: 'A.count > 0 and desk.level > 0' }),
    end(),
    from('f'),
    delay(2),
    to('j'),
  ),
  statistic('wait', 'desk.mean_wait'),
  statistic('mean_w', 'w', { over: 'A', aggregate: 'mean' }),
  statistic('over_time', 'desk.queue', { aggregate: 'mean', kind: 'time', sample: 'event' }),
)

describe('the same seed gives the same run', () => {
  it('twice, and in steps of any size', () => {
    const program = programOf(everything.model)
    const whole = start(program, { seed: 5 })
    whole.advance()
    const pieces = start(program, { seed: 5 })
    for (let until = 0.7; pieces.advance({ until }); until += 0.7) expect(pieces.result).toBe(null)
    expect(pieces.summary()).toEqual(whole.summary())
    const other = start(program, { seed: 6 })
    other.advance()
    expect(other.hash()).not.toBe(whole.hash())
  })
  it("with and without the debugger's hooks", () => {
    const plain = start(programOf(everything.model), { seed: 5 })
    plain.advance()
    const traced = start(programOf(everything.model, true), { seed: 5 })
    const lines: string[] = []
    traced.trace = line => lines.push(line)
    traced.advance()
    expect(traced.summary()).toEqual(plain.summary())
    expect(lines.length).toBeGreaterThan(500)
  })
  it('a restored snapshot goes on exactly', () => {
    const program = programOf(everything.model)
    const first = start(program, { seed: 5 })
    first.advance({ until: 17.3 })
    const kept = structuredClone(first.snapshot())
    first.advance()
    const second = start(program, { seed: 99 })
    second.advance({ until: 3 })
    second.restore(kept)
    second.advance()
    const { seed: _, ...expected } = first.summary()
    expect(second.summary()).toMatchObject(expected)
    second.restore(kept)
    second.advance()
    expect(second.hash()).toBe(first.hash())
  })
})

describe('the engine of the page and the command line agree', () => {
  it.each(['segregation', 'clinic', 'wolf-sheep'])('%s', name => {
    const of = sample(name)
    const posted: FromEngine[] = []
    const turns: (() => void)[] = []
    let now = 0
    const engine = new Engine(message => posted.push(message), {
      now: () => (now += 1),
      later: (_, turn) => (turns.push(turn), () => void turns.splice(turns.indexOf(turn) >>> 0, 1)),
    })
    const say = (...messages: ToEngine[]) => messages.forEach(one => engine.receive(one))
    say({ do: 'load', load: 1, model: of, scenario: of.scenarios[0]!, options: { seed: 11, ticks: 60 } }, { do: 'play', speed: null })
    for (let turn = turns.shift(); turn; turn = turns.shift()) {
      turn()
      say({ do: 'drawn' })
    }
    expect(posted.filter(one => one.is === 'broken' || one.is === 'problems')).toEqual([])
    const ended = posted.find(one => one.is === 'ended')
    let text = ''
    expect(
      main(['run', sampleFile(name), '--seed', '11', '--ticks', '60', '--json'], {
        out: part => (text += part),
        err: part => (text += part),
      }),
    ).toBe(0)
    const { output, ...summary }: Summary & { output: unknown[] } = JSON.parse(text)
    // The command line prints texts in all languages.
    expect(ended?.is === 'ended' && JSON.parse(JSON.stringify(ended.summary, inLanguages()))).toEqual(summary)
    // What the model wrote the page gets as it goes.
    expect(posted.flatMap(one => (one.is === 'frame' ? one.frame.output : []))).toEqual(output)
  })
})

describe('cells that see no change are skipped, and nobody can tell', () => {
  const life = (more: string) =>
    model(
      scenario({ totalTicks: 60 }),
      space('S', { minX: '0', maxX: '29', minY: '0', maxY: '19', wrapY: false }),
      variable('birth', 3, { public: true }),
      cells(
        'C',
        { space: 'S' },
        variable('live', 'bernoulli(0.2)'),
        variable('age', 0),
        process(
          'P',
          startStep(every(1)),
          compute(`n = sum(1 for c in moore() if c.live)${more}\nlive = n == birth or (n == 2 and live)\nage = 1 if live else 0`),
          end(),
        ),
      ),
      statistic('count', 'sum(1 for c in C if c.live)', { aggregate: 'list' }),
      statistic('ages', 'sum(c.age for c in C)', { aggregate: 'list' }),
    )
  it('against the same rule looking at every cell', () => {
    const sparse = programOf(life('').model)
    const dense = programOf(life(' + 0 * tick').model)
    expect([sparse.stencils.size, dense.stencils.size]).toEqual([1, 0])
    const [a, b] = [start(sparse, { seed: 4, nativeFrom: 0 }), start(dense, { seed: 4 })]
    for (const run of [a, b]) {
      run.advance({ ticks: 20 })
      run.set('birth', 2)
      run.advance({ ticks: 3 })
      run.set('birth', 3)
      run.advance()
    }
    expect(a.summary().statistics).toEqual(b.summary().statistics)
    const again = start(sparse, { seed: 4, nativeFrom: 0 })
    again.advance({ ticks: 31 })
    const kept = again.snapshot()
    again.advance()
    const hash = again.hash()
    again.restore(kept)
    again.advance()
    expect(again.hash()).toBe(hash)
  })
})

it('adding an element never shifts the numbers of another', () => {
  const parts = (...more: ReturnType<typeof variable>[]) =>
    model(
      scenario({ totalTicks: 30 }),
      variable('x', 0, { public: true }),
      process('P', startStep(every(1)), compute('x += random()', 'draw'), end()),
      ...more,
    )
  const alone = start(programOf(parts().model), { seed: 3 })
  const beside = start(
    programOf(parts(variable('y', 0), process('Q', startStep(every(1)), compute('y += random()'), log('random()'), end())).model),
    { seed: 3 },
  )
  alone.advance()
  beside.advance()
  expect(beside.summary().publics['x']).toBe(alone.summary().publics['x'])
})
