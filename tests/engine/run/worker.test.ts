// The engine behind its port: its answers, its pacing, and that it computes what a direct run computes.
import { describe, expect, it } from 'vitest'
import { check } from '../../../sim-engine/check.ts'
import type { Frame, Plain } from '../../../sim-engine/messages.ts'
import { editBetween } from '../../../sim-engine/model-edit.ts'
import { begin, runOf } from '../../help/runs.ts'
import {
  agents,
  chart,
  compute,
  controller,
  delay,
  element,
  end,
  every,
  log,
  model,
  passive,
  process,
  scenario,
  start,
  statistic,
  variable,
} from '../../help/models.ts'
import { sample } from '../../help/samples.ts'
import { workerBench } from '../../help/worker.ts'

const counting = (ticks = 50) =>
  model(
    scenario({ totalTicks: ticks }),
    variable('rate', 2, { public: true }),
    variable('total', 0, { public: true }),
    statistic('Total', 'total'),
    chart('Chart', ['total']),
    agents(
      'Walker',
      { initialNumber: '3' },
      variable('steps', 0),
      process('Walk', start(every(1)), compute('steps += 1\ntotal += rate'), end()),
    ),
    process('Report', start(every(10)), log('"tick " + str(tick) + " total " + str(total)'), end()),
    process('Boost', start(passive), compute('rate += 10'), end()),
    controller('More', 'rate', { type: 'button', process: 'Boost' }),
  )

describe('loading', () => {
  it('answers with what there is and the state before the first instant', () => {
    const bench = workerBench()
    const built = counting()
    bench.load(built.model)
    const { loaded, frame, problems } = bench.last('loaded')
    expect(problems).toEqual([])
    expect(loaded).toMatchObject({ load: 1, seed: 1, statistics: [{ name: 'Total' }], populations: [{ name: 'Walker' }] })
    expect(loaded.publics.map(({ name, value }) => [name, value])).toEqual([
      ['rate', 2],
      ['total', 0],
    ])
    expect(frame).toMatchObject({ load: 1, tick: 0, state: 'ready', rewound: false })
  })

  it('shows what starts give individuals before anybody plays, and then runs as if it had not', () => {
    const segregation = sample('segregation')
    const bench = workerBench()
    const coloursOf = ({ layers }: Frame): number[] => layers.flatMap(layer => (layer.kind === 'agent' ? [...new Set(layer.colors)] : []))
    bench.load(segregation.model, { ticks: 3 })
    const { frame: first } = bench.last('loaded')
    expect(coloursOf(first)).toEqual([0xe69f00, 0x0a6fb8])
    expect(first).toMatchObject({ tick: 0, state: 'ready', values: { unhappy: 399 } })
    expect(first.series.map(one => ('x' in one ? one.x.length : 0))).toEqual([0, 0])
    bench.tell({ do: 'inspect', population: 'Household', entity: 0 })
    expect(bench.last('individual').values).toMatchObject({ alike: 3, others: 7 })
    bench.tell({ do: 'play', speed: null })
    bench.turn()
    expect(bench.last('ended').summary).toEqual(segregation.run({ ticks: 3 }))
    const rows = bench.said.flatMap(one => ('frame' in one ? one.frame.series.flatMap(series => ('x' in series ? [...series.x] : [])) : []))
    expect(rows.toSorted()).toEqual([0, 0, 1, 1, 2, 2, 3, 3])
    bench.tell({ do: 'seek', tick: -1 })
    bench.turn()
    expect(bench.frame()).toMatchObject({ tick: 0, layers: first.layers })
  })

  it('shows the first values where the first instant fails, and where an input comes before it what that makes of it', () => {
    const bench = workerBench()
    const built = model(
      variable('a', 1, { public: true }),
      variable('b', 5, { public: true }),
      process('P', start(), compute('b = 10 / a'), end()),
    )
    bench.load(built.model, { inputs: { [built.id('a')]: 0 } })
    expect(bench.last('loaded').frame).toMatchObject({ state: 'ready', values: { [built.id('b')]: 5 } })
    bench.load(built.model)
    expect(bench.last('loaded').frame.values).toMatchObject({ [built.id('b')]: 10 })
    bench.tell({ do: 'set', variable: built.id('a'), value: 5 }, { do: 'seek', tick: -1 })
    bench.turn()
    expect(bench.frame().values).toMatchObject({ [built.id('b')]: 2 })
  })

  it('answers problems to a broken model, and a good one after it', () => {
    const bench = workerBench()
    const bad = model(process('P', start(every(1)), compute('x ='), end()))
    bench.load(bad.model)
    expect(bench.last('problems').problems.map(one => one.code)).toContain(8002)
    bench.tell({ do: 'play', speed: null }, { do: 'step' }, { do: 'back' }, { do: 'stepToken', how: 'into' })
    expect(bench.turn()).toBe(0)
    bench.load(counting().model)
    expect(bench.last('loaded').loaded.load).toBe(2)
  })

  it('checks a model beside the run that is loaded, and leaves the run as it is', () => {
    const bench = workerBench()
    const built = counting()
    bench.load(built.model)
    bench.tell({ do: 'step' }, { do: 'step' })
    const { tick } = bench.frame()
    const said = bench.said.length
    const [scenario = ''] = built.model.scenarios
    const elements = new Map(built.model.elements)
    const rate = elements.get(built.id('rate'))!
    elements.set(rate.id, { ...rate, fields: { ...rate.fields, initial: '1 +' } })
    const bad = { ...built.model, elements }
    bench.tell({ do: 'check', check: 1, model: bad, scenario }, { do: 'check', check: 2, model: built.model, scenario })
    expect(bench.said.slice(said).map(one => one.is)).toEqual(['checked', 'checked'])
    const [first, second] = bench.all('checked')
    expect(first).toMatchObject({ check: 1, problems: [{ code: 8002, at: { id: rate.id, field: 'initial' } }] })
    expect(second).toEqual({ is: 'checked', check: 2, problems: [] })
    // After that only what was edited is sent.
    const fewer = new Map(elements)
    fewer.delete(rate.id)
    const without = { ...bad, elements: fewer }
    bench.tell(
      { do: 'checkEdit', check: 3, edit: structuredClone(editBetween(built.model, bad)), scenario },
      { do: 'checkEdit', check: 4, edit: structuredClone(editBetween(bad, without)), scenario },
      { do: 'checkEdit', check: 5, edit: structuredClone(editBetween(without, built.model)), scenario },
    )
    expect(bench.all('checked').slice(2)).toEqual([
      { ...first, check: 3 },
      { is: 'checked', check: 4, problems: [...check(without, scenario).problems] },
      { ...second, check: 5 },
    ])
    bench.tell({ do: 'step' })
    expect(bench.frame()).toMatchObject({ load: 1, tick: tick + 1, values: { [built.id('total')]: 3 * (tick + 1) * 2 } })
  })

  it('answers a problem, placed, when first values fail', () => {
    const bench = workerBench()
    const built = model(variable('a', '1 / 0'), process('P', start(every(1)), end()))
    bench.load(built.model)
    expect(bench.last('problems')).toMatchObject({
      load: 1,
      problems: [{ severity: 'error', at: { id: built.id('a'), field: 'initial' } }],
    })
    expect(bench.all('broken')).toEqual([])
    bench.load(counting().model)
    expect(bench.last('loaded').loaded.load).toBe(2)
  })

  it('takes inputs, seed and length', () => {
    const bench = workerBench()
    const built = counting()
    bench.load(built.model, { seed: 7, ticks: 4, inputs: { [built.id('rate')]: 5 } })
    bench.tell({ do: 'play', speed: null })
    bench.turn()
    expect(bench.last('ended').summary).toMatchObject({ seed: 7, ticks: 4, publics: { rate: 5, total: 60 } })
    bench.tell({ do: 'reset', options: { ticks: 2 } }, { do: 'play', speed: null })
    bench.turn()
    expect(bench.last('ended').summary).toMatchObject({ seed: 1, ticks: 2, publics: { rate: 2, total: 12 } })
  })

  it('refuses an input of another type with a problem', () => {
    const bench = workerBench()
    const built = counting()
    bench.load(built.model)
    bench.tell({ do: 'set', variable: built.id('rate'), value: 'fast' })
    expect(bench.last('problems')).toMatchObject({ problems: [{ code: 10007, at: { id: built.id('rate') } }] })
  })
})

describe('running', () => {
  it('gives the very run a direct one gives', () => {
    const built = counting(200)
    const direct = runOf(built)
    const bench = workerBench()
    bench.load(built.model)
    bench.tell({ do: 'play', speed: 20 })
    bench.turn()
    const { summary } = bench.last('ended')
    expect(summary).toEqual(direct.summary)
    const lines = bench.said.flatMap(message => ('frame' in message ? message.frame.output : []))
    expect(lines.map(line => line.text)).toEqual(direct.output)
    const rows = bench.said
      .flatMap(message => ('frame' in message ? message.frame.series : []))
      .flatMap(series => ('x' in series ? [...series.x] : []))
    expect(rows).toEqual(Array.from({ length: 201 }, (_, tick) => tick))
  })

  it('leaves no trace of looking, whatever a chart shows', () => {
    const built = model(
      scenario({ totalTicks: 30 }),
      variable('seen', 0),
      chart('Dice', ['random()'], { type: 'value' }),
      process('P', start(every(1)), compute('seen += random()'), end()),
    )
    const bench = workerBench()
    bench.load(built.model)
    bench.tell({ do: 'step' }, { do: 'step' }, { do: 'play', speed: 50 })
    bench.turn()
    expect(bench.all('frame').length).toBeGreaterThan(1)
    expect(bench.last('ended').summary.hash).toBe(runOf(built).summary.hash)
  })

  it('steps a tick at a time, plays on, pauses', () => {
    const bench = workerBench()
    bench.load(counting().model)
    bench.tell({ do: 'step' })
    expect(bench.frame()).toMatchObject({ tick: 0, state: 'paused' })
    bench.tell({ do: 'step' }, { do: 'step' })
    expect(bench.frame()).toMatchObject({ tick: 2, state: 'paused' })
    bench.tell({ do: 'play', speed: 10 })
    bench.turn(5)
    bench.tell({ do: 'pause' })
    expect(bench.frame().state).toBe('paused')
    const at = bench.frame().tick
    expect(at).toBeGreaterThan(2)
    expect(bench.turn()).toBe(0)
    bench.tell({ do: 'pause' })
    expect(bench.frame().tick).toBe(at)
  })

  it('keeps to the speed asked', () => {
    const bench = workerBench()
    bench.tick = 0.01
    bench.load(counting(100_000).model)
    bench.tell({ do: 'play', speed: 50 })
    while (bench.now < 2_000) bench.turn(1)
    expect(bench.frame().tick).toBeGreaterThan(90)
    expect(bench.frame().tick).toBeLessThan(105)
    bench.tell({ do: 'speed', speed: 5 })
    const from = bench.frame().tick
    while (bench.now < 4_000) bench.turn(1)
    expect(bench.frame().tick - from).toBeGreaterThan(7)
    expect(bench.frame().tick - from).toBeLessThan(13)
  })

  it('shows no second frame before the first is drawn, and none too often', () => {
    const bench = workerBench(false)
    bench.load(counting(100_000).model)
    bench.tell({ do: 'play', speed: null })
    bench.turn(50)
    expect(bench.all('frame')).toHaveLength(1)
    bench.tell({ do: 'drawn' })
    bench.turn(50)
    expect(bench.all('frame')).toHaveLength(2)
    const quick = workerBench()
    quick.load(counting(100_000).model)
    quick.tell({ do: 'play', speed: null })
    quick.turn(100)
    expect(quick.all('frame').length).toBeLessThanOrEqual(quick.now / 15 + 1)
  })

  it('listens between stretches however slow the model', () => {
    const bench = workerBench()
    bench.tick = 30
    bench.load(counting(1_000).model)
    bench.tell({ do: 'play', speed: 1_000 })
    for (let stretch = 1; stretch <= 5; stretch++) {
      bench.turn(1)
      expect(bench.frame().tick).toBeLessThanOrEqual(stretch)
    }
  })

  it('sets variables and presses buttons before the next instant', () => {
    const built = counting()
    const bench = workerBench()
    bench.load(built.model)
    bench.tell({ do: 'step' }, { do: 'set', variable: built.id('rate'), value: 4 })
    expect(bench.frame().values[built.id('total')]).toBe(0)
    bench.tell({ do: 'step' })
    expect(bench.frame().values).toMatchObject({ [built.id('rate')]: 4, [built.id('total')]: 12 })
    bench.tell({ do: 'press', controller: built.id('More') }, { do: 'step' })
    expect(bench.frame().values).toMatchObject({ [built.id('rate')]: 14, [built.id('total')]: 12 + 42 })
    const direct = begin(built)
    direct.advance({ instants: 1 })
    direct.set(built.id('rate'), 4)
    direct.advance({ ticks: 1 })
    direct.press(built.id('More'))
    direct.advance()
    bench.tell({ do: 'play', speed: null })
    bench.turn()
    expect(bench.last('ended').summary.hash).toBe(direct.hash())
  })

  it('tells of an individual with every frame until let go', () => {
    const built = counting()
    const bench = workerBench()
    bench.load(built.model)
    bench.tell({ do: 'inspect', population: built.id('Walker'), entity: 0 }, { do: 'step' }, { do: 'step' })
    expect(bench.all('individual').map(one => one.values?.['steps'])).toEqual([0, 0, 1])
    bench.tell({ do: 'inspect', population: built.id('Walker'), entity: null }, { do: 'step' })
    expect(bench.last('individual').entity).toBe(0)
    bench.tell({ do: 'inspect', population: 'nobody', entity: 3 })
    expect(bench.last('individual').values).toBeNull()
  })

  it('says how a failed run failed, and where', () => {
    const built = model(
      scenario({ totalTicks: 10 }),
      variable('left', 3),
      process('P', start(every(1)), compute('left -= 1\nleft = left / (left - 0) * left'), end()),
    )
    const bench = workerBench()
    bench.load(built.model)
    bench.tell({ do: 'play', speed: null })
    bench.turn()
    expect(bench.last('ended').result).toMatchObject({ end: 'failed', tick: 3, problem: { at: { id: built.id('P-compute1') } } })
    bench.tell({ do: 'play', speed: null }, { do: 'step' }, { do: 'set', variable: 'left', value: 1 })
    expect(bench.turn()).toBe(0)
    expect(bench.all('ended')).toHaveLength(1)
  })

  it('runs a model of events alone an instant at a time', () => {
    const built = model(
      scenario({ ticking: false, endTime: 10 }),
      process('P', start(every('1.5')), delay('0.25'), log('str(time)'), end()),
    )
    const bench = workerBench()
    bench.load(built.model)
    const times = Array.from({ length: 5 }, () => (bench.tell({ do: 'step' }), bench.frame().time))
    expect(times).toEqual([0, 1.5, 1.75, 3, 3.25])
  })
})

describe('messages that make no sense', () => {
  it('do no harm before anything is loaded', () => {
    const bench = workerBench()
    bench.tell(
      { do: 'play', speed: null },
      { do: 'pause' },
      { do: 'step' },
      { do: 'seek', tick: 3 },
      { do: 'back' },
      { do: 'drawn' },
      { do: 'press', controller: 'x' },
    )
    bench.tell(
      { do: 'reset', options: {} },
      { do: 'inspect', population: 'x', entity: 1 },
      { do: 'breakpoints', breakpoints: [] },
      { do: 'set', variable: 'x', value: 1 },
    )
    expect(bench.turn()).toBe(0)
    expect(bench.said).toEqual([])
  })

  it('do no harm to a run', () => {
    const bench = workerBench()
    bench.load(counting().model)
    bench.tell(
      { do: 'press', controller: 'nobody' },
      { do: 'seek', tick: NaN },
      { do: 'speed', speed: -1 },
      { do: 'play', speed: Infinity },
    )
    bench.turn()
    expect(bench.all('broken')).toEqual([])
    expect(bench.last('ended').summary.ticks).toBe(50)
  })
})

describe('individuals', () => {
  const herd = () =>
    model(
      scenario({ totalTicks: 400 }),
      agents(
        'Cow',
        { initialNumber: '5' },
        variable('weight', '100 - id * 10'),
        variable('best', 'None'),
        process('Age', start(every(1)), compute('weight += 1\nif id == 3 and tick == 2:\n  die()'), end()),
      ),
    )
  const ids = (listing: { rows: Plain[][] } | null) => listing?.rows.map(([id]) => id)

  it('are listed as asked: a stretch, by a property, either way', () => {
    const bench = workerBench()
    const built = herd()
    bench.load(built.model)
    const population = built.id('Cow')
    bench.tell({ do: 'list', ask: { population, by: null, descending: false, from: 1, count: 2 } })
    const { listing } = bench.last('individuals')
    expect(listing).toMatchObject({ population, total: 5, from: 1 })
    expect(listing?.columns).toEqual(['id', 'weight', 'best'])
    expect(listing?.rows).toEqual([
      [2, 80, null],
      [3, 70, null],
    ])
    bench.tell({ do: 'list', ask: { population, by: 'weight', descending: false, from: 0, count: 9 } })
    expect(ids(bench.last('individuals').listing)).toEqual([5, 4, 3, 2, 1])
    bench.tell({ do: 'list', ask: { population, by: 'weight', descending: true, from: 3, count: 9 } })
    // Asked beyond the end, it answers with the last ones.
    expect(bench.last('individuals').listing).toMatchObject({ from: 0, total: 5 })
    bench.tell({ do: 'list', ask: { population: 'none', by: null, descending: false, from: 0, count: 9 } })
    expect(bench.last('individuals').listing).toBeNull()
  })

  it('go on being told after each step, without the dead, and no more once nobody asks', () => {
    const bench = workerBench()
    const built = herd()
    bench.load(built.model)
    const population = built.id('Cow')
    bench.tell({ do: 'list', ask: { population, by: 'weight', descending: false, from: 0, count: 9 } })
    for (let i = 0; i < 3; i++) {
      bench.tell({ do: 'step' })
      bench.turn()
    }
    expect(ids(bench.last('individuals').listing)).toEqual([5, 4, 2, 1])
    const { listing } = bench.last('individuals')
    bench.tell({ do: 'inspect', population, entity: listing?.entities[0] ?? null })
    expect(bench.last('individual').values).toMatchObject({ id: 5 })
    bench.tell({ do: 'list', ask: null })
    const told = bench.all('individuals').length
    bench.tell({ do: 'step' })
    bench.turn()
    expect(bench.all('individuals')).toHaveLength(told)
  })

  it('are told seldom while the run plays', () => {
    const bench = workerBench()
    const built = herd()
    bench.load(built.model)
    bench.tell({ do: 'list', ask: { population: built.id('Cow'), by: null, descending: false, from: 0, count: 9 } })
    bench.tell({ do: 'play', speed: null })
    bench.turn()
    expect(bench.last('ended').frame.tick).toBe(400)
    expect(bench.all('individuals').length).toBeLessThan(bench.all('frame').length / 2 + 3)
  })
})

describe('asking a person', () => {
  const asking = () =>
    model(
      scenario({ totalTicks: 4 }),
      variable('sum', 0, { public: true }),
      variable('took', 0),
      chart('Chart', ['sum']),
      process(
        'Play',
        start(every(1)),
        element('decide', 'Choose', {
          name: 'Which?',
          policy: 'person',
          observation: [{ name: 'so far', value: 'sum', low: 0, high: 10 }],
          actions: [{ variable: 'took', low: 0, high: 2, whole: true, allowed: '[k for k in range(3) if k != sum]' }],
        }),
        compute('sum += took'),
        end(),
      ),
    )
  const play = { speed: null }

  it('pauses with what is seen and possible, and plays on or makes the instant with the answer', () => {
    const bench = workerBench()
    bench.load(asking().model)
    bench.tell({ do: 'play', speed: null })
    bench.turn()
    expect(bench.frame()).toMatchObject({
      state: 'paused',
      tick: 1,
      asked: {
        name: 'Which?',
        who: null,
        seen: [{ name: 'so far', value: 0 }],
        actions: [{ name: 'took', low: 0, high: 2 }],
        possible: [[1], [2]],
      },
    })
    // Pressing Play again only asks again.
    bench.tell({ do: 'play', speed: null })
    expect(bench.turn()).toBeLessThan(5)
    bench.tell({ do: 'answer', values: [2], play: null })
    expect(bench.frame()).toMatchObject({ state: 'paused', tick: 1 })
    expect(bench.frame().asked).toBeUndefined()
    bench.tell({ do: 'step' })
    expect(bench.frame()).toMatchObject({ tick: 2, asked: { seen: [{ value: 2 }], possible: [[0], [1]] } })
    bench.tell({ do: 'answer', values: [1], play })
    bench.turn()
    expect(bench.frame()).toMatchObject({ tick: 3, state: 'paused', asked: { seen: [{ value: 3 }] } })
    bench.tell({ do: 'answer', values: [0], play })
    bench.turn()
    bench.tell({ do: 'answer', values: [2], play })
    bench.turn()
    expect(bench.last('ended').summary.publics).toMatchObject({ sum: 5 })
  })

  it('remembers the answers when going back and forth, and another answer makes another future', () => {
    const bench = workerBench()
    bench.load(asking().model)
    bench.tell({ do: 'play', speed: null })
    bench.turn()
    for (const values of [[2], [1], [0]]) {
      bench.tell({ do: 'answer', values, play })
      bench.turn()
    }
    const at = bench.frame()
    expect(at).toMatchObject({ tick: 4, asked: { seen: [{ value: 3 }] } })
    bench.tell({ do: 'seek', tick: 0 })
    bench.turn()
    bench.tell({ do: 'seek', tick: 4 })
    bench.turn()
    expect(bench.frame()).toMatchObject({ tick: 4, asked: at.asked!, values: at.values })
    bench.tell({ do: 'seek', tick: 1 })
    bench.turn()
    expect(bench.frame()).toMatchObject({ tick: 1 })
    bench.tell({ do: 'play', speed: null })
    bench.turn()
    expect(bench.frame()).toMatchObject({ tick: 4, asked: { seen: [{ value: 3 }] } })
    // Results of breakpoints and of forked runs take the same path.
    bench.tell({ do: 'branch' })
    const { origin } = bench.last('origin')
    expect(origin.inputs.map(input => input.value)).toEqual([[2], [1], [0]])
  })
})
