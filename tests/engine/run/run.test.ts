// The life of a run: how it ends, what it samples, how it is steered; run-time codes with their place.
import { describe, expect, it } from 'vitest'
import {
  agents,
  ask,
  chart,
  compute,
  controller,
  create,
  delay,
  element,
  end,
  event,
  every,
  links,
  log,
  message,
  model,
  passive,
  place,
  process,
  resource,
  request,
  release,
  scenario,
  space,
  start,
  statistic,
  variable,
} from '../../help/models.ts'
import type { Part } from '../../help/models.ts'
import { begin, checkOf, failureOf, logOf, runOf } from '../../help/runs.ts'
import { english } from '../../../model-schema/words.ts'

const events = scenario({ ticking: false, totalTicks: 100 })

describe('how a run ends', () => {
  it('at the total ticks, the end time, the stop condition, or when nothing is left', () => {
    expect(runOf(model(scenario({ totalTicks: 4 }), process('P', start(every(1)), end()))).summary).toMatchObject({
      result: { end: 'success', reason: 'total-ticks' },
      ticks: 4,
      time: 4,
    })
    expect(runOf(model(scenario({ totalTicks: 50, stopWhen: 'tick == 3' }), process('P', start(every(1)), end()))).summary).toMatchObject({
      result: { end: 'success', reason: 'stop-condition' },
      ticks: 3,
    })
    expect(runOf(model(events, process('P', start(), delay(7.5), end()))).summary).toMatchObject({
      result: { end: 'success', reason: 'nothing-left' },
      time: 7.5,
    })
    const calendar = scenario({
      timing: 'calendar',
      startTime: '2026-03-01T00:00:00',
      endTime: '2026-03-03T12:00:00',
      tickUnit: 'day',
      totalTicks: 100,
    })
    expect(runOf(model(calendar, process('P', start(every(1)), log('now'), end())))).toMatchObject({
      summary: { result: { end: 'success', reason: 'end-time' }, time: 2.5 },
      output: ['2026-03-02', '2026-03-03'].map(day => expect.stringContaining(day)),
    })
  })
  it("at the plan's step limit", () => {
    expect(runOf(model(scenario({ totalTicks: 50 }), process('P', start(every(1)), end())), { stepLimit: 5 }).summary).toMatchObject({
      result: { end: 'limited', ticks: 5 },
      ticks: 5,
    })
  })
  it('a pure event model goes to its end time, and leftovers are listed', () => {
    const { summary } = runOf(
      model(
        scenario({ ticking: false, totalTicks: 10 }),
        resource('r', 1),
        process('P', start({ trigger: 'timer', every: '4' }), request('r'), delay(100, 'work'), release('r'), end()),
      ),
    )
    expect(summary).toMatchObject({
      result: { end: 'success', reason: 'total-ticks' },
      time: 10,
      tokensLeft: [
        { process: 'P', step: 'P-operate1', count: 1 },
        { process: 'P', step: 'work', count: 1 },
      ],
    })
  })
  it('a failure says element, field, position, tick, entity and values; the state stays open', () => {
    const { run, summary } = runOf(
      model(
        scenario({ totalTicks: 9 }),
        agents(
          'A',
          { initialNumber: '3', order: 'fixed' },
          variable('d', 'id - 2'),
          variable('x', 0),
          process('P', start(every(1)), compute('x = 6 / d', 'divide'), end()),
        ),
      ),
    )
    expect(summary.result).toMatchObject({
      end: 'failed',
      tick: 1,
      time: 1,
      entity: 'A 2',
      values: { id: 2, d: 0, x: 0 },
      problem: { code: 10018, at: { id: 'A-P-divide', field: 'program', from: 4, to: 9 } },
    })
    expect(run.individual(0, run.world.population(0).handles[0]!)).toMatchObject({ x: -6 })
    expect(run.advance()).toBe(false)
  })
  it('first values that fail end the run before it starts', () => {
    expect(failureOf(model(variable('x', '1 / 0 * x2'), variable('x2', 0), process('P', start(), end())))).toBe('10018 x initial')
    expect(failureOf(model(agents('A', { initialNumber: '2.5 * 1' }), process('P', start(), end())))).toMatch(/^10023 A/)
  })
})

describe('phases', () => {
  it('simultaneous populations read the state at the start; others write at once', () => {
    const built = model(
      scenario({ totalTicks: 2 }),
      agents(
        'A',
        { initialNumber: '3', order: 'simultaneous' },
        variable('v', 'id', { public: true }),
        process('P', start(every(1)), compute('v = sum(a.v for a in A)'), end()),
      ),
      process('L', start({ trigger: 'timer', every: '1', first: '1' }), log('[a.v for a in A]'), end()),
    )
    expect(logOf(built)).toEqual(['[1, 2, 3]', '[6, 6, 6]'])
  })
  it('one after another sees what was done before', () => {
    const built = model(
      scenario({ totalTicks: 1 }),
      agents(
        'A',
        { initialNumber: '3', order: 'fixed' },
        variable('v', 'id'),
        process('P', start(every(1)), compute('v = sum(a.v for a in A)'), log('v'), end()),
      ),
    )
    expect(logOf(built)).toEqual(['6', '11', '20'])
  })
  it('activation by key', () => {
    const built = model(
      scenario({ totalTicks: 1 }),
      agents('A', { initialNumber: '3', order: 'key', orderKey: '-id' }, process('P', start(every(1)), log('id'), end())),
    )
    expect(logOf(built)).toEqual(['3', '2', '1'])
  })
  it('global first, then observers, then individuals', () => {
    const built = model(
      scenario({ totalTicks: 1 }),
      agents(
        'A',
        { initialNumber: '1' },
        process('I', start(every(1)), log('"individual"'), end()),
        process('O', { owner: 'observer' }, start(every(1)), log('"observer"'), end()),
      ),
      process('G', start(every(1)), log('"global"'), end()),
    )
    expect(logOf(built)).toEqual(['global', 'observer', 'individual'])
  })
})

describe('statistics', () => {
  it('aggregate over a population, filtered and by group', () => {
    const stat = (name: string, fields: Record<string, string | number>): Part => statistic(name, 'w', { over: 'A', ...fields })
    const built = model(
      scenario({ totalTicks: 1 }),
      agents('A', { initialNumber: '4' }, variable('w', 'id * 2')),
      process('P', start(every(1)), end()),
      stat('sum', { aggregate: 'sum' }),
      stat('mean', { aggregate: 'mean' }),
      stat('max', { aggregate: 'max', filter: 'w < 7' }),
      stat('median', { aggregate: 'median' }),
      stat('std', { aggregate: 'std' }),
      stat('count', { aggregate: 'count', filter: 'w > 2' }),
      stat('q', { aggregate: 'quantile', quantile: 0.25 }),
      stat('gini', { aggregate: 'gini' }),
      stat('groups', { aggregate: 'sum', group: 'id > 2' }),
      stat('all', { aggregate: 'list' }),
    )
    expect(runOf(built).summary.statistics).toEqual({
      sum: 20,
      mean: 5,
      max: 6,
      median: 5,
      std: Math.sqrt(20 / 3),
      count: 3,
      q: 3.5,
      gini: 0.25,
      groups: { False: 6, True: 14 },
      all: [2, 4, 6, 8],
    })
  })
  it('statistic by group: least and greatest of 200,000 individuals', () => {
    const built = model(
      scenario({ totalTicks: 1 }),
      agents('A', { initialNumber: '200000' }, variable('w', 'id')),
      process('P', start(every(1)), end()),
      statistic('least', 'w', { over: 'A', aggregate: 'min', group: 'id > 200001', sample: 'end' }),
      statistic('greatest', 'w', { over: 'A', aggregate: 'max', group: 'id > 200001', sample: 'end' }),
    )
    expect(runOf(built).summary.statistics).toEqual({ least: { False: 1 }, greatest: { False: 200_000 } })
  })
  it('over time: samples of every tick, time-weighted at events, after the warm-up', () => {
    const built = (warmUp: number) =>
      model(
        scenario({ totalTicks: 10, warmUp }),
        variable('x', 0),
        process('P', start(every(1)), compute('x = tick'), end()),
        statistic('mean', 'x', { aggregate: 'mean' }),
        statistic('max', 'x', { aggregate: 'max' }),
        statistic('weighted', 'x', { kind: 'time', sample: 'event', aggregate: 'mean' }),
        statistic('last', 'x'),
        statistic('at_end', 'x * 10', { sample: 'end' }),
        statistic('fives', 'x', { aggregate: 'count', sample: 'interval', interval: '5' }),
      )
    expect(runOf(built(0)).summary.statistics).toEqual({ mean: 5, max: 10, weighted: 4.5, last: 10, at_end: 100, fives: 3 })
    expect(runOf(built(5)).summary.statistics).toMatchObject({ mean: 7.5, weighted: 7 })
  })
})

describe('steering', () => {
  it('public variables and buttons act in phase 0 of the next instant', () => {
    const built = model(
      scenario({ totalTicks: 5 }),
      variable('rate', 1, { public: true }),
      variable('sum', 0, { public: true }),
      process('P', start(every(1)), compute('sum += rate'), end()),
      process('Boost', start(passive), compute('sum += 100'), end()),
      element('controller', 'Go', { type: 'button', process: 'Boost' }),
      controller('Rate', 'rate'),
    )
    const run = begin(built, { inputs: { rate: 2 } })
    run.advance({ ticks: 2 })
    run.set(built.id('rate'), 10)
    run.press(built.id('Go'))
    run.advance()
    expect(run.summary().publics).toEqual({ rate: 10, sum: 2 + 2 + 100 + 30 })
  })
  it('a value of the wrong type is an error of the run, at the variable', () => {
    const built = model(scenario({ totalTicks: 5 }), variable('rate', 1, { public: true }), process('P', start(every(1)), end()))
    expect(failureOf(built, { inputs: { rate: 'fast' } })).toBe('10007 rate initial')
  })
  it('overrides of a scenario replace first values', () => {
    expect(
      logOf(
        model(
          scenario({ totalTicks: 1, overrides: [{ variable: 'x', value: '7' }] }),
          variable('x', 1),
          variable('y', 'x + 1'),
          process('P', start(), log('y'), end()),
        ),
      ),
    ).toEqual(['8'])
  })
  it('a chart without series, or with one that is still to be chosen, and a control of nothing keep no model from running', () => {
    const built = model(
      scenario({ totalTicks: 2 }),
      chart('none', []),
      chart('half', ['', 'tick']),
      element('controller', 'k', { type: 'slider' }),
      process('P', start(every(1)), end()),
    )
    const run = begin(built)
    run.advance()
    const [, half] = run.inner.charts.take(run.world)
    expect(half && 'x' in half && half.columns.map(column => [...column])).toEqual([
      [NaN, NaN, NaN],
      [0, 1, 2],
    ])
  })
  it('charts record rows', () => {
    const built = model(scenario({ totalTicks: 3 }), chart('c', ['tick * 2']), process('P', start(every(1)), end()))
    const run = begin(built)
    run.advance()
    const [series] = run.inner.charts.take(run.world)
    expect(series && 'x' in series && [[...series.x], [...series.columns[0]!]]).toEqual([
      [0, 1, 2, 3],
      [0, 2, 4, 6],
    ])
  })
})

describe('run-time errors', () => {
  const cases: [string, ReturnType<typeof model>][] = [
    [
      '10007',
      model(events, variable('x', '[1, "a"]', { type: 'list' }), variable('y', 0), process('P', start(), compute('y = x[1] - 1'), end())),
    ],
    [
      '10014',
      model(
        events,
        agents('A', { initialNumber: '1' }, variable('friend', 'None'), variable('w', 1), process('P', start(), log('friend.w'), end())),
        process('Q', start(passive), ask('A', 'friend = self'), end()),
      ),
    ],
    ['10015', model(events, variable('x', '1e300'), process('P', start(), compute('x = x * x'), end()))],
    ['10022', model(events, variable('x', '[1]', { type: 'list' }), process('P', start(), log('x[4]'), end()))],
    ['10024', model(events, variable('x', '{"a": 1}', { type: 'dict' }), process('P', start(), log('x["b"]'), end()))],
    ['10026', model(events, variable('x', '[]', { type: 'list' }), process('P', start(), log('choice(x)'), end()))],
    [
      '10033',
      model(
        events,
        agents(
          'A',
          { initialNumber: '2' },
          variable('w', 1),
          variable('seen', 'None'),
          process('P', start(), compute('for a in [self, "text"]:\n    a.id = 2'), end()),
        ),
      ),
    ],
    ['10034', model(events, variable('x', 0), process('P', start(), compute('while True:\n    x += 1'), end()))],
    [
      '10053',
      model(
        events,
        agents(
          'A',
          { initialNumber: '2', order: 'fixed' },
          variable('friend', 'None'),
          process('P', start(), log('friend.id if friend is not None else 0'), end()),
        ),
        process(
          'Q',
          start(),
          ask('A', 'friend = [a for a in A if a.id == 2][0]'),
          ask('A', 'die(self)', { filter: 'id == 2' }),
          ask('A', 'friend.friend', {}),
          end(),
        ),
      ),
    ],
    [
      '10021',
      model(
        events,
        agents(
          'A',
          { initialNumber: '1' },
          variable('w', 1),
          process('P', start(), create('A', 1, { as: 'offspring', values: [{ property: 'w', mode: 'dilute', value: 'w + 1' }] }), end()),
        ),
      ),
    ],
    [
      '10058',
      model(
        events,
        agents('A', { initialNumber: '1' }),
        links('L', { source: 'A', target: 'A' }),
        process('P', start(), create('L', 1, { linkTo: 'None' }), end()),
      ),
    ],
    [
      '10060',
      model(
        events,
        space('S', { wrapX: false }),
        agents('A', { initialNumber: '1', space: 'S', placement: 'position', position: '[99, 0]' }),
        process('P', start(), end()),
      ),
    ],
    [
      '10062',
      model(
        events,
        space('S'),
        agents(
          'A',
          { initialNumber: '1', space: 'S' },
          process('P', start(), element('move', '', { motion: 'forward', amount: '1' }), end()),
        ),
      ),
    ],
    [
      '10064',
      model(
        events,
        message('M', { capacity: 1, full: 'error' }),
        process('P', start(), event('send', { message: 'M', range: 'world' }), event('send', { message: 'M', range: 'world' }), end()),
      ),
    ],
  ]
  it.each(cases.filter(([code]) => code !== '10053'))('%s', (code, built) => {
    expect(failureOf(built)).toMatch(new RegExp(`^${code}`))
  })
  it('a missing place: placing at a dead agent', () => {
    expect(
      failureOf(
        model(
          events,
          space('S'),
          agents(
            'A',
            { initialNumber: '2', order: 'fixed', space: 'S', placement: 'random' },
            variable('friend', 'None'),
            process('P', start(passive), place('friend'), end()),
          ),
          process(
            'Q',
            start(),
            ask('A', 'friend = [a for a in A if a.id == 2][0]'),
            ask('A', 'die(self)', { filter: 'id == 2' }),
            ask('A', '', { does: 'call', process: 'A.P' }),
            end(),
          ),
        ),
      ),
    ).toMatch(/^10053/)
  })
})

describe('create(...)', () => {
  it.each(['shuffled', 'simultaneous'])('gives newborns first values that nobody else may set, also from their mother (%s)', order => {
    const built = model(
      scenario({ totalTicks: 1 }),
      variable('seen', 0),
      agents(
        'A',
        { initialNumber: '1', order },
        variable('kind', '"old"'),
        variable('worth', 1),
        process('Bear', start(every(1)), compute('child = create(A, kind="own", worth=worth + 1)\nseen = child.worth'), end()),
      ),
      process('Found', start(every(1)), compute('twins = create(A, 2, kind="founded")'), end()),
      statistic('kinds', '[a.kind for a in A]', { sample: 'end' }),
      statistic('worths', '[a.worth for a in A]', { sample: 'end' }),
      statistic('looked', 'seen', { sample: 'end' }),
    )
    expect(runOf(built).summary.statistics).toMatchObject({
      kinds: ['old', 'founded', 'founded', 'own'],
      worths: [1, 1, 1, 2],
      looked: 2,
    })
  })
  it('gives none to what is no variable, and says why not', () => {
    const built = model(
      space('S'),
      agents('A', { space: 'S' }, process('P', start(), compute('child = create(A, age=3, heading=90)'), end())),
    )
    expect(checkOf(built).problems.map(({ code, message }) => [code, english(message)])).toEqual([
      [8002, 'Formula is wrong: "age" can not be changed here: it is built in; a new variable needs another name'],
      [8002, 'Formula is wrong: "heading" can not be changed here: it changes only through Move and Place at'],
    ])
  })
})

it('a name of the model that hides a function is told where the function is called', () => {
  const built = model(
    variable('sum', 0),
    statistic('moore', 'sum([1, 2])', { sample: 'end' }),
    process('P', start(), compute('sum = len(moore())'), end()),
  )
  expect(checkOf(built).problems.map(({ message }) => english(message))).toEqual(
    ['moore', 'sum'].map(
      name => `Formula is wrong: "${name}" stands for something else here, which hides the function ${name}(): give that another name`,
    ),
  )
})

it('what can not be changed says what it is', () => {
  const built = model(
    agents('A', {}),
    statistic('n', 'A.count'),
    resource('desk', 1),
    process('P', start(), compute('n = 1\nA = 2\ntick = 3\ndesk = 4\nP = 5'), end()),
  )
  expect(checkOf(built).problems.map(({ message }) => english(message).replace(/^.*here: it is /, ''))).toEqual([
    'a statistic; a new variable needs another name',
    'a population; a new variable needs another name',
    'built in; a new variable needs another name',
    'a container, which Container operations change',
    'a process; a new variable needs another name',
  ])
})

it('what people bring along from Python, NetLogo and others is told how to be written', () => {
  const found = (program: string): string | undefined =>
    english(
      checkOf(
        model(
          space('S'),
          agents('Bug', { space: 'S' }, variable('energy', 1), process('P', start(every(1)), compute(program), end())),
          variable('total', 0),
        ),
      ).problems[0]?.message,
    )?.replace('Formula is wrong: ', '')
  const each = 'each individual has a "energy" of its own: write sum(one.energy for one in Bug), or Bug.individuals[0].energy of one'
  expect(found('energy = math.sin(energy)')).toBe('write sin(...) without "math.": all functions are there by themselves')
  expect(found('energy = random.random()')).toBe('write random(...) without "random.": all functions are there by themselves')
  expect(found('if energy > 3: energy = 1\nelse if energy > 2: energy = 2')).toBe('syntax error: write "elif" instead of "else if"')
  expect(found('energy = Bug.energy')).toBe(each)
  expect(found('Bug.energy = 3')).toBe(each)
  expect(found('energy = Bug[0].energy')).toBe('write Bug.individuals[0] for one of a population')
  expect(found('energy = Bug.cuont')).toBe('observer has no "cuont"; did you mean "count"?')
})
it('count is how many there are, count(...) the function', () => {
  const built = model(
    agents(
      'Bug',
      { initialNumber: '7' },
      variable('n', 0),
      process('P', start(every(1)), compute('n = count(b for b in Bug if b.id > 2) + count'), end()),
    ),
    statistic('all', '[b.n for b in Bug]', { sample: 'end' }),
  )
  expect(runOf(built, { ticks: 1 }).summary.statistics).toMatchObject({ all: Array.from({ length: 7 }, () => 12) })
})

it('what is chosen from and is no entity is told at its range', () => {
  const built = model(
    agents(
      'A',
      { initialNumber: '2' },
      process('P', start(every('uniform(1, 2)')), ask('A if id == 1 else []', 'size = 2', {}, 'some'), end()),
    ),
  )
  expect(failureOf(built)).toBe('10012 A-P-some range')
})
