// Where time goes, by a clock that counts its readings; and a run that continues from the state of another.
import { describe, expect, it } from 'vitest'
import type { Origin } from '../../../sim-engine/messages.ts'
import { elementRows, engineTime, profileRows, speedscopeFile } from '../../../sim-engine/profile.ts'
import { Meter } from '../../../sim-engine/debug/meter.ts'
import {
  agents,
  boundary,
  chart,
  compute,
  controller,
  delay,
  end,
  every,
  from,
  func,
  log,
  model,
  passive,
  process,
  scenario,
  start,
  statistic,
  variable,
  type Built,
} from '../../help/models.ts'
import { begin, runOf } from '../../help/runs.ts'
import { workerBench, type Bench } from '../../help/worker.ts'
import { english } from '../../../model-schema/words.ts'

const busy = () =>
  model(
    scenario({ totalTicks: 40 }),
    variable('total', 0, { public: true }),
    func('slow', ['n'], 'x = 0\nfor i in range(n):\n    x += quick(i)\nreturn x'),
    func('quick', ['i'], 'return i * 2'),
    func('down', ['n'], 'return 0 if n <= 0 else 1 + down(n - 1)'),
    agents(
      'Worker',
      { initialNumber: '5' },
      process('Work', start(every(1)), compute('total += slow(10)', 'dig'), compute('total += down(6)', 'fall'), end()),
    ),
    process('Wait', start(every(1)), delay('0.5', 'rest'), end()),
    statistic('Sum', 'total + 1'),
  )

function profiled(built: Built): Bench {
  const bench = workerBench()
  bench.tell({ do: 'profile', on: true })
  bench.load(built.model)
  bench.tell({ do: 'play', speed: null })
  bench.turn()
  return bench
}

it('tells how each process runs, with and without breakpoints and profile', () => {
  const bench = profiled(busy())
  bench.tell({ do: 'explain' })
  const { explained } = bench.last('explained')
  expect(explained.map(({ process, runs }) => [process, english(runs)])).toEqual([
    ['Wait', 'with tokens, as WebAssembly but for these:'],
    ['Worker.Work', 'without tokens: a loop, as JavaScript'],
  ])
  bench.tell({ do: 'profile', on: false }, { do: 'explain' })
  expect(bench.last('explained').explained).toEqual(explained)
})

describe('a profile', () => {
  it('counts the calls of processes, steps, formulas and functions', () => {
    const built = busy()
    const bench = profiled(built)
    const { profile, on } = bench.last('profile')
    expect(on).toBe(true)
    expect(profile.instants).toBeGreaterThan(40)
    // The last token still rests at the end: it is not gone on with.
    const calls = (name: string, field: string | null = null) =>
      profileRows(profile).find(row => row.element === built.id(name) && row.field === field)?.calls
    expect({
      process: calls('Work'),
      dig: calls('dig'),
      program: calls('dig', 'program'),
      slow: calls('slow', 'body'),
      quick: calls('quick', 'body'),
      down: calls('down', 'body'),
      rest: calls('rest'),
      sum: calls('Sum', 'expression'),
    }).toEqual({ process: 200, dig: 200, program: 200, slow: 200, quick: 2000, down: 1400, rest: 79, sum: 41 })
  })

  it('gives self and total times that add up', () => {
    const { profile } = profiled(busy()).last('profile')
    const rows = profileRows(profile)
    const self = rows.reduce((sum, row) => sum + row.self, 0) + engineTime(profile)
    expect(self).toBeCloseTo(profile.milliseconds, 6)
    for (const row of [...rows, ...elementRows(profile)]) {
      expect(row.total).toBeGreaterThanOrEqual(row.self - 1e-9)
      expect(row.total).toBeLessThanOrEqual(profile.milliseconds + 1e-9)
    }
    expect(new Set(elementRows(profile).map(row => row.element)).size).toBe(elementRows(profile).length)
  })

  it('changes nothing in the run, also with breakpoints, and starts from zero each time', () => {
    const built = busy()
    const bench = profiled(built)
    expect(bench.last('ended').summary).toEqual(runOf(built).summary)
    const again = workerBench()
    again.load(built.model)
    again.tell({ do: 'profile', on: true })
    const element = built.id('fall')
    again.tell({ do: 'breakpoints', breakpoints: [{ id: 'b', enabled: true, on: 'element', element, condition: 'tick == 3 and id == 2' }] })
    again.tell({ do: 'play', speed: null })
    again.turn()
    expect(again.stop()?.tick).toBe(3)
    const { profile } = again.last('profile')
    expect(profile.nodes.length).toBeGreaterThan(4)
    again.tell({ do: 'profile', on: false })
    expect(again.last('profile').on).toBe(false)
    again.tell({ do: 'profile', on: true }, { do: 'play', speed: null })
    again.turn()
    expect(again.last('profile').profile.instants).toBeLessThan(bench.last('profile').profile.instants)
    expect(again.last('ended').summary).toEqual(runOf(built).summary)
  })

  it('survives errors that processes catch', () => {
    const built = model(
      scenario({ totalTicks: 5 }),
      variable('zero', 0),
      variable('caught', 0),
      process(
        'P',
        start(every(1)),
        { ...delay('1 / zero', 'try it') },
        end(),
        boundary('try it', 'error', {}, 'oops'),
        from('oops'),
        compute('caught += 1', 'count'),
        end(),
      ),
    )
    const bench = profiled(built)
    expect(bench.last('ended').summary).toEqual(runOf(built).summary)
    const rows = profileRows(bench.last('profile').profile)
    expect(rows.find(row => row.element === built.id('count') && row.field === null)?.calls).toBe(5)
  })

  it('is read by viewers of profiles', () => {
    const { profile } = profiled(busy()).last('profile')
    const file = JSON.parse(speedscopeFile(profile, 'busy', (element, field) => `${element} ${field ?? ''}`))
    const [only] = file.profiles
    expect(only.samples).toHaveLength(only.weights.length)
    expect(only.endValue).toBeCloseTo(profile.milliseconds, 6)
    for (const stack of only.samples) for (const frame of stack) expect(file.shared.frames[frame].name).toBeTypeOf('string')
  })

  it('takes off what looking costs, and keeps recursion in one place', () => {
    let clock = 0
    // Each look takes 1; work takes what `work` says.
    const meter = new Meter(1, () => (clock += 1))
    meter.resume()
    const work = (ms: number) => void (clock += ms)
    for (let k = 0; k < 100; k++) {
      meter.enter(1)
      work(10)
      meter.enter(2)
      work(5)
      meter.enter(1)
      work(3)
      meter.leave()
      meter.leave()
      meter.leave()
    }
    meter.pause()
    const run = begin(busy(), {}, false)
    const profile = meter.profile({ ...run.program, spots: ['s', 'a', 'b'].map(id => ({ id, field: null })) })
    expect(profile.nodes.map(node => [node.element, node.calls])).toEqual([
      ['', 0],
      ['a', 200],
      ['b', 100],
    ])
    const [, a, b] = profile.nodes
    expect(a?.self).toBeGreaterThan(1150)
    expect(a?.self).toBeLessThan(1350)
    expect(b?.self).toBeGreaterThan(450)
    expect(b?.self).toBeLessThan(650)
  })
})

const changing = () =>
  model(
    scenario({ totalTicks: 60 }),
    variable('rate', 2, { public: true }),
    variable('total', 0, { public: true }),
    chart('Chart', ['total']),
    agents('Walker', { initialNumber: '4' }, process('Walk', start(every(1)), compute('total += rate * random()', 'walk'), end())),
    process('Report', start(every(10)), log('"at " + str(tick)'), end()),
    process('Boost', start(passive), compute('rate += 10'), end()),
    controller('More', 'rate', { type: 'button', process: 'Boost' }),
  )

function toTick(bench: Bench, tick: number): void {
  while (bench.frame().tick < tick) bench.tell({ do: 'step' })
}

const originOf = (bench: Bench): Origin => {
  bench.tell({ do: 'branch' })
  return bench.last('origin').origin
}

describe('a run beside a run', () => {
  const follow = (built: Built, origin: Origin): Bench => {
    const bench = workerBench()
    bench.tell({ do: 'follow', load: 1, model: built.model, scenario: built.model.scenarios[0] ?? '', origin })
    bench.turn()
    return bench
  }

  it('stands where the other stood, charts and lines included, and ends the same', () => {
    const built = changing()
    const first = workerBench()
    first.load(built.model, { seed: 9, inputs: { [built.id('rate')]: 3 } })
    toTick(first, 12)
    first.tell({ do: 'set', variable: built.id('rate'), value: 5 })
    toTick(first, 15)
    first.tell({ do: 'press', controller: built.id('More') })
    toTick(first, 23)
    const second = follow(built, originOf(first))
    expect(second.frame()).toMatchObject({ tick: 23, state: 'paused', rewound: true, values: first.frame().values })
    const [rows] = second.frame().series
    expect(rows && 'x' in rows ? [rows.from, rows.x.length] : null).toEqual([0, 24])
    for (const bench of [first, second]) {
      bench.tell({ do: 'play', speed: null })
      bench.turn()
    }
    expect(second.last('ended').summary).toEqual(first.last('ended').summary)
  })

  it('goes its own way after other inputs, and may go back behind the fork', () => {
    const built = changing()
    const first = workerBench()
    first.load(built.model)
    toTick(first, 20)
    const second = follow(built, originOf(first))
    second.tell({ do: 'set', variable: built.id('rate'), value: 50 })
    toTick(second, 30)
    toTick(first, 30)
    const total = built.id('total')
    expect(Number(second.frame().values[total])).toBeGreaterThan(Number(first.frame().values[total]) * 2)
    second.tell({ do: 'seek', tick: 10 })
    second.turn()
    first.tell({ do: 'seek', tick: 10 })
    first.turn()
    expect(second.frame().values).toEqual(first.frame().values)
  })

  it('from the middle of an instant begins where that instant began', () => {
    const built = changing()
    const first = workerBench()
    first.load(built.model)
    first.tell({
      do: 'breakpoints',
      breakpoints: [{ id: 'b', enabled: true, on: 'element', element: built.id('walk'), condition: 'tick == 7 and id == 3' }],
    })
    first.tell({ do: 'play', speed: null })
    first.turn()
    const second = follow(built, originOf(first))
    expect(second.frame().tick).toBe(6)
    first.tell({ do: 'breakpoints', breakpoints: [] })
    for (const bench of [first, second]) {
      bench.tell({ do: 'play', speed: null })
      bench.turn()
    }
    expect(second.last('ended').summary.hash).toBe(first.last('ended').summary.hash)
  })
})
