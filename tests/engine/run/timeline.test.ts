// Going back in time: what was shown once is shown again, bit for bit, and a run continues from there as if it had never been further; inputs
// come back with it, until a new one makes another future.
import { loadChain } from '../../../sim-engine/chain.ts'
import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { check } from '../../../sim-engine/check.ts'
import { compile, type Program } from '../../../sim-engine/compile.ts'
import { checkpointLimit, Timeline } from '../../../sim-engine/debug/timeline.ts'
import type { Model } from '../../../model-schema/model.ts'
import {
  agents,
  ask,
  call,
  chart,
  compute,
  container,
  create,
  delay,
  destroy,
  end,
  every,
  exclusive,
  from,
  log,
  model,
  otherwise,
  parallel,
  passive,
  port,
  process,
  request,
  release,
  resource,
  scenario,
  start,
  statistic,
  subprocess,
  to,
  variable,
  weight,
  when,
  type Part,
} from '../../help/models.ts'
import { chance as chanceOf } from '../../help/random.ts'
import { sample } from '../../help/samples.ts'
import { workerBench } from '../../help/worker.ts'
import { english } from '../../../model-schema/words.ts'

await loadChain()

const programOf = (made: Model, debug = false): Program => {
  const { checked, problems } = check(made, made.scenarios[0] ?? '')
  if (!checked) throw new Error(problems.map(one => `${one.code} ${one.at.id} ${one.at.field}: ${english(one.message)}`).join('; '))
  return compile(checked, { debug })
}

/** A timeline with a clock that moves `ms` at each look, so that snapshots come at other places each time. */
function timelineOf(program: Program, ms: number, options = {}): Timeline {
  let now = 0
  return new Timeline(program, options, () => (now += ms))
}

const goTo = (timeline: Timeline, time: number): string => {
  timeline.seek({ time })
  timeline.work()
  return timeline.run.hash()
}

/** A model with a bit of everything, by chance. */
function anyModel(seed: number): Model {
  const { below, pick, chance } = chanceOf(seed)
  const int = (from: number, to: number): number => from + below(to - from + 1)
  const extras = (): Part[] => [
    pick([
      compute('energy += random() - 0.5\nacts += 1'),
      compute('memory.append(round(energy, 3))\nif len(memory) > 5:\n    del memory[0]'),
    ]),
    ...(chance(0.6) ? [delay(pick(['exponential(0.7)', 'uniform(0.1, 2)', '0', '1']))] : []),
    ...(chance(0.4) ? [delay('uniform(0.2, 0.9)', '', { resources: [{ container: 'desk', amount: '1', key: '' }] })] : []),
    ...(chance(0.5) ? [call('Visit', { inputs: [{ name: 'size', value: 'randint(1, 3)' }] })] : []),
    ...(chance(0.4) ? [ask('Ant.individuals', 'energy += 0.01', { pick: 'random', limit: '2' })] : []),
    ...(chance(0.4) ? [log('str(round(time, 3)) + " " + str(id)')] : []),
  ]
  return model(
    scenario({ totalTicks: 60 }),
    variable('acts', 0, { public: true }),
    resource('desk', int(1, 3)),
    container('pot', { initial: '0' }),
    statistic('Energy', 'energy', { over: 'Ant', aggregate: 'mean' }),
    statistic('Wait', 'desk.queue', { kind: 'time', aggregate: 'mean' }),
    chart('Chart', ['acts', 'desk.level']),
    agents(
      'Ant',
      { initialNumber: String(int(2, 9)) },
      variable('energy', 1),
      variable('memory', '', { type: 'list' }),
      process(
        'Visit',
        port('size', 'in', { initial: '1' }),
        start(passive),
        delay('size * random()'),
        compute('energy -= 0.1 * size'),
        end(),
      ),
      process(
        'Live',
        start(every(pick(['1', '1.5', 'exponential(1)']))),
        ...extras(),
        exclusive('risk', { by: 'probability' }),
        weight(0.05),
        destroy(),
        end(),
        from('risk'),
        weight(0.95),
        end(),
      ),
      process(
        'Split',
        start(every(3)),
        parallel('fork'),
        ...extras(),
        parallel('join'),
        end(),
        from('fork'),
        delay('random()'),
        to('join'),
      ),
    ),
    process(
      'Breed',
      start(every(int(2, 5))),
      exclusive('few'),
      when('Ant.count < 8'),
      create('Ant', 3),
      end(),
      from('few'),
      otherwise(),
      end(),
    ),
    process('Fill', start(every('exponential(2)')), request('desk'), delay('random()'), release('desk'), end()),
  ).model
}

describe('going back', () => {
  it.each(Array.from({ length: 12 }, (_, seed) => seed))('random model %i: to T, back to t, to T again', seed => {
    const program = programOf(anyModel(seed))
    const { below } = chanceOf(seed + 1000)
    const int = (from: number, to: number): number => from + below(to - from + 1)
    const once = timelineOf(program, 0, { seed })
    const end = goTo(once, 40)
    const timeline = timelineOf(program, int(1, 30), { seed })
    expect(goTo(timeline, 40)).toBe(end)
    for (let visit = 0; visit < 6; visit++) {
      const t = int(-1, 40)
      const other = timelineOf(program, 0, { seed })
      expect(goTo(timeline, t), `at ${t}`).toBe(goTo(other, t))
      if (visit % 2 === 0) expect(goTo(timeline, 40), `from ${t} to 40`).toBe(end)
    }
    expect(timeline.checkpoints.length).toBeGreaterThan(0)
  })

  const samples = readdirSync(new URL('../../../model-schema/samples', import.meta.url))
    .filter(name => name.endsWith('.holo'))
    .map(name => name.replace('.holo', ''))
  it.each(samples)('%s: to T, back to t, to T again', name => {
    const program = programOf(sample(name).model)
    const timeline = timelineOf(program, 9, { seed: 3 })
    const hashes = new Map([3, 8, 12].map(t => [t, goTo(timeline, t)]))
    for (const t of [8, 3, 12, 0, 12, 3])
      if (hashes.has(t)) expect(goTo(timeline, t), `at ${t}`).toBe(hashes.get(t))
      else goTo(timeline, t)
  })

  it.each(samples)('%s: the debug build computes the same, from any instant', name => {
    const { model: made } = sample(name)
    const plain = programOf(made)
    const debug = programOf(made, true)
    const timeline = timelineOf(plain, 9, { seed: 4 })
    const reference = timelineOf(plain, 0, { seed: 4 })
    goTo(timeline, 4)
    timeline.become(debug)
    expect(goTo(timeline, 7)).toBe(goTo(reference, 7))
    timeline.become(plain)
    expect(goTo(timeline, 11)).toBe(goTo(reference, 11))
    expect(goTo(timeline, 5)).toBe(goTo(reference, 5))
  })

  it('keeps a bounded number of snapshots', () => {
    const timeline = timelineOf(programOf(model(variable('n', 0), process('P', start(every(1)), compute('n += 1'), end())).model), 50)
    goTo(timeline, 3_000)
    expect(timeline.checkpoints.length).toBeLessThanOrEqual(checkpointLimit)
    expect(timeline.checkpoints.length).toBeGreaterThan(checkpointLimit / 10)
    const instants = timeline.checkpoints.map(one => one.instants)
    expect(instants).toEqual([...instants].sort((a, b) => a - b))
  })
})

const adding = () =>
  model(
    scenario({ totalTicks: 100 }),
    variable('rate', 1, { public: true }),
    variable('total', 0, { public: true }),
    statistic('Mean', 'total', { aggregate: 'mean' }),
    chart('Chart', ['total']),
    process('P', start(every(1)), compute('total += rate'), log('str(total)'), end()),
  )

/** What a page would have after all that was said: rows of the chart, lines of output. */
function pageOf(bench: ReturnType<typeof workerBench>): { x: number[]; y: number[]; lines: string[] } {
  let [x, y, lines]: [number[], number[], string[]] = [[], [], []]
  for (const message of bench.said) {
    if (!('frame' in message)) continue
    const { series, output, rewound } = message.frame
    for (const rows of series) {
      if (!('x' in rows)) continue
      if (rows.from === 0) [x, y] = [[], []]
      expect(rows.from).toBe(x.length)
      x.push(...rows.x)
      y.push(...(rows.columns[0] ?? []))
    }
    lines = [...(rewound ? [] : lines), ...output.map(line => line.text)]
  }
  return { x, y, lines }
}

describe('the first instant drawn before anybody plays', () => {
  const opened = (made: ReturnType<typeof model>, ms: number) => {
    const timeline = timelineOf(programOf(made.model), ms, { seed: 3 })
    const isDrawn = timeline.shown !== timeline.run
    expect(timeline.shown).toBe(timeline.shown)
    timeline.advance()
    return { isDrawn, result: timeline.run.result, tick: timeline.run.tick, hash: timeline.run.hash() }
  }
  const born = (program: string, count = 2000) =>
    model(
      scenario({ totalTicks: 5 }),
      variable('sum', 0),
      agents('Ant', { initialNumber: String(count) }, variable('x', 0), process('Live', start(), compute(program), end())),
    )

  it('is left out where it takes long by the clock, and the run itself makes it the same', () => {
    const crowd = born('x = randint(1, 9)')
    const quick = opened(crowd, 0)
    expect(quick.isDrawn).toBe(true)
    expect(opened(crowd, 20)).toEqual({ ...quick, isDrawn: false })
  })

  it('is left out where one event loops for long or a token takes many steps, whatever the clock says', () => {
    const looping = opened(born('n = 0\nfor i in range(3000000):\n    n += i\nx = n', 1), 0)
    expect(looping).toMatchObject({ isDrawn: false, result: null })
    const chained = model(
      scenario({ totalTicks: 5 }),
      variable('n', 0),
      process('Go', start(), subprocess('Loop', { repeat: 'while', while: 'n < 20000' }, start(), compute('n += 1'), end()), end()),
    )
    expect(opened(chained, 0)).toMatchObject({ isDrawn: false, result: null })
  })
})

describe('the page follows', () => {
  it('with charts, output, values and statistics cut at the place gone to', () => {
    const built = adding()
    const [total, mean] = [built.id('total'), built.id('Mean')]
    const bench = workerBench()
    bench.load(built.model)
    bench.tell({ do: 'play', speed: null })
    bench.turn()
    expect(bench.last('ended').summary.publics['total']).toBe(100)
    bench.tell({ do: 'seek', tick: 30 })
    bench.turn()
    expect(bench.frame()).toMatchObject({ tick: 30, state: 'paused', rewound: true, values: { [total]: 30, [mean]: 15 } })
    const page = pageOf(bench)
    expect(page.x).toEqual(Array.from({ length: 31 }, (_, k) => k))
    expect(page.y).toEqual(page.x)
    expect(page.lines).toEqual(Array.from({ length: 30 }, (_, k) => String(k + 1)))
    bench.tell({ do: 'back' })
    bench.turn()
    expect(bench.frame()).toMatchObject({ tick: 29, values: { [total]: 29 } })
    bench.tell({ do: 'seek', tick: -1 })
    bench.turn()
    expect(bench.frame()).toMatchObject({ tick: 0, state: 'ready', values: { [total]: 0 } })
    expect(pageOf(bench).x).toEqual([])
    bench.tell({ do: 'seek', tick: 64 }, { do: 'step' })
    expect(bench.frame()).toMatchObject({ tick: 65, values: { [total]: 65 } })
    bench.tell({ do: 'play', speed: null })
    bench.turn()
    expect(bench.all('ended')).toHaveLength(2)
    expect(bench.all('ended')[1]?.summary).toEqual(bench.all('ended')[0]?.summary)
    expect(pageOf(bench).lines).toHaveLength(100)
    expect(pageOf(bench).x).toHaveLength(101)
  })

  it('with inputs given again, until another makes another future', () => {
    const built = adding()
    const [rate, total] = [built.id('rate'), built.id('total')]
    const bench = workerBench()
    const at = (tick: number): unknown => {
      bench.tell({ do: 'seek', tick })
      bench.turn()
      return bench.frame().values[total]
    }
    bench.load(built.model)
    at(10)
    bench.tell({ do: 'set', variable: rate, value: 5 })
    at(20)
    bench.tell({ do: 'set', variable: rate, value: 100 })
    expect([at(30), at(15), at(10), at(20), at(25)]).toEqual([60 + 1000, 35, 10, 60, 560])
    at(15)
    bench.tell({ do: 'set', variable: rate, value: 0 })
    expect([at(30), at(12), at(40)]).toEqual([35, 20, 35])
  })

  it('with the newest place asked for, while on the way to another', () => {
    const built = adding()
    const bench = workerBench()
    bench.tick = 20
    bench.load(built.model)
    bench.tell({ do: 'seek', tick: 90 })
    bench.turn(3)
    expect(bench.all('frame')).toHaveLength(0)
    bench.tell({ do: 'seek', tick: 5 })
    bench.turn()
    expect(bench.all('frame').map(one => one.frame.tick)).toEqual([5])
  })

  it('goes back instant by instant in a model of events alone', () => {
    const built = model(scenario({ ticking: false, endTime: 50 }), process('P', start(every('1.5')), delay('0.25'), end()))
    const bench = workerBench()
    bench.load(built.model)
    for (let k = 0; k < 5; k++) bench.tell({ do: 'step' })
    const times: number[] = []
    for (let k = 0; k < 5; k++) {
      bench.tell({ do: 'back' })
      bench.turn()
      times.push(bench.frame().time)
    }
    expect(times).toEqual([3, 1.75, 1.5, 0, 0])
    expect(bench.frame().state).toBe('ready')
  })
})
