// The library and the memory of rows as WebAssembly: what they do of the engine - births, deaths, moves, lists, draws, errors - leaves
// the same state as the engine's own, to the bit, instant by instant.
import { describe, expect, it, vi } from 'vitest'
import { NotLowered } from '../../../sim-engine/lower/scope.ts'
import { rowsProgram } from '../../../sim-engine/rows/module.ts'
import { check } from '../../../sim-engine/check.ts'
import { compile } from '../../../sim-engine/compile.ts'
import type { Program } from '../../../sim-engine/compile.ts'
import { hasNativeRows } from '../../../sim-engine/rows.ts'
import { start } from '../../../sim-engine/run.ts'
import type { Run } from '../../../sim-engine/run.ts'
import { flocking, schelling, sirNetwork, wolfSheep } from '../../bench/models.ts'
import {
  agents,
  ask,
  cells,
  compute,
  create,
  delay,
  destroy,
  element,
  end,
  every,
  exclusive,
  from,
  log,
  model,
  move,
  otherwise,
  place,
  process,
  scenario,
  space,
  start as begin,
  statistic,
  variable,
  when,
  type Built,
  type Entry,
  type Fields,
  type Part,
} from '../../help/models.ts'
import { english } from '../../../model-schema/words.ts'

function programOf({ model: of }: Built): Program {
  const { checked, problems } = check(of, of.scenarios[0] ?? '')
  if (!checked) throw new Error(problems.map(one => `${one.code} ${one.at.id} ${english(one.message)}`).join())
  return compile(checked)
}

const stateOf = (run: Run): unknown => ({ state: run.snapshot().state, result: run.result })

/** Runs with rows in WebAssembly and without, a tick at a time; returns the first, when both agree at every instant. */
function same(program: Program, seed: number, ticks: number): Run {
  const native = start(program, { seed, ticks, nativeFrom: 0 })
  const plain = start(program, { seed, ticks, nativeFrom: Infinity })
  for (let tick = 1; tick <= ticks && plain.result === null; tick++) {
    native.advance({ ticks: 1 })
    plain.advance({ ticks: 1 })
    if (native.hash() !== plain.hash() || native.result || plain.result) expect([tick, stateOf(native)]).toEqual([tick, stateOf(plain)])
  }
  const atOnce = start(program, { seed, ticks, nativeFrom: 0 })
  atOnce.advance({ until: plain.time })
  expect(stateOf(atOnce)).toEqual(stateOf(plain))
  expect(hasNativeRows(program)).toBe(true)
  return native
}

const counts = (run: Run): number[] => run.world.populations.map(population => population.count)

/** Agents of one process that runs each tick, in a plane or without a space. */
const living = (fields: Parameters<typeof agents>[1], ...entries: readonly Entry[]): Part =>
  agents('Bug', fields, ...entries.filter(isElement), process('Live', begin(every(1)), ...entries.filter(one => !isElement(one)), end()))

const isElement = (entry: Entry): boolean => entry.is === 'part' && (entry.kind === 'variable' || entry.kind === 'process')

const plane = (last: number, more: Parameters<typeof space>[1] = {}): Part =>
  space('Land', { minX: '0', maxX: String(last), minY: '0', maxY: String(last), wrapX: false, wrapY: false, ...more })

describe('the models of the bench', () => {
  it.each([
    ['wolf and sheep', wolfSheep(20, 100, 50, 10, 0.4, 0.2), 150],
    ['Schelling', schelling(20, 320, 2, 8), 20],
    ['an epidemic', sirNetwork(400, 4), 60],
    ['flocking', flocking(50, 200, 5, 60), 60],
    ['flocking where one sees everybody', flocking(12, 60, 5, 20), 20],
  ])('%s', (_, built, ticks) => {
    const program = programOf(built)
    for (let seed = 1; seed <= 3; seed++) same(program, seed, ticks)
  })
})

describe('births and deaths', () => {
  const doubling = (order: string): Built =>
    model(
      scenario({ totalTicks: 12 }),
      living(
        { initialNumber: '3', order },
        variable('age', '0', { public: true }),
        variable('tired', 'False'),
        compute('age += 1\ntired = not tired'),
        create('Bug', 1, { as: 'young' }),
      ),
    )

  it.each(['fixed', 'shuffled', 'simultaneous'])('a population that doubles each tick grows in the middle of it (%s)', order => {
    expect(counts(same(programOf(doubling(order)), 1, 12))).toEqual([3 * 2 ** 12])
  })

  it('nobody is left, and slots are used again', () => {
    const built = model(
      scenario({ totalTicks: 60 }),
      plane(6),
      living(
        { initialNumber: '40', space: 'Land', placement: 'cells' },
        variable('left', 'randint(1, 9)'),
        compute('left -= 1'),
        exclusive('over?'),
        when('left < 0'),
        destroy(),
        end(),
        from('over?'),
        when('left == 3 and random() < 0.7'),
        create('Bug', 'randint(0, 3)', { as: 'young' }),
        end(),
        from('over?'),
        otherwise(),
      ),
    )
    const program = programOf(built)
    const ends = [1, 2, 3, 4].map(seed => counts(same(program, seed, 60))[0])
    expect(ends).toContain(0)
  })

  it('one more than may be is refused with the same state', () => {
    const built = model(scenario({ totalTicks: 12 }), living({ initialNumber: '3', maximum: '100' }, create('Bug', 1, { as: 'young' })))
    expect(same(programOf(built), 1, 12).result).toMatchObject({ end: 'failed', problem: { code: 10056 } })
  })
})

describe('moves', () => {
  const roam = (fields: Parameters<typeof space>[1], ...steps: readonly Entry[]): Built =>
    model(
      scenario({ totalTicks: 40 }),
      plane(9, fields),
      living(
        {
          initialNumber: '60',
          space: 'Land',
          placement: fields?.['topology'] === 'continuous' ? 'random' : 'cells',
          order: 'shuffled',
        },
        variable('met', '0'),
        ...steps,
      ),
    )
  const walk = [move('turn', 'uniform(-60, 60)'), move('forward', 'uniform(0, 4)')]
  const drift = [move('translate', 0, { vector: '[uniform(-3, 3), normal(0, 2)]' })]
  const seen = [compute('met = sum(1 for b in neighbors(2))')]

  it.each([
    ['cells that stop', { border: 'stop' }, walk],
    ['cells that reflect', { border: 'reflect' }, walk],
    ['cells that wrap', { wrapX: true, wrapY: true }, drift],
    ['an open plane that stops', { topology: 'continuous', border: 'stop' }, [...walk, ...seen]],
    ['an open plane that reflects', { topology: 'continuous', border: 'reflect' }, [...drift, ...walk]],
    ['an open plane that wraps', { topology: 'continuous', wrapX: true, wrapY: true }, [...walk, ...seen, ...drift]],
    ['an open plane that wraps one way', { topology: 'continuous', wrapX: true, border: 'reflect' }, [...walk, ...drift]],
  ])('%s', (_, fields, steps) => {
    const program = programOf(roam(fields, ...steps))
    for (const seed of [1, 2]) expect(same(program, seed, 40).result).toMatchObject({ end: 'success' })
  })

  it('an open plane whose buckets are laid anew as more come, and who stands on a cell of it is chosen', () => {
    const built = model(
      scenario({ totalTicks: 25 }),
      plane(9, { topology: 'continuous', wrapX: true, wrapY: true }),
      cells('Plot', { space: 'Land' }, variable('worth', '0', { public: true })),
      living(
        { initialNumber: '200', space: 'Land', placement: 'random', order: 'shuffled' },
        variable('n', '0', { public: true }),
        ...walk,
        compute('n = len(agents_on(cell, Bug))'),
        ask('agents_on(cell, Bug)', 'n += actor.n', { pick: 'first', limit: '2' }),
        create('Bug', '1 if random() < 0.04 else 0', { as: 'young' }),
        element('destroy', '', { who: 'chosen', range: 'agents_on(cell)', pick: 'last', limit: '1 if n > 30 else 0' }),
      ),
    )
    const program = programOf(built)
    const ends = [1, 2].map(seed => same(program, seed, 25))
    for (const run of ends) expect(run.world.spaces[0]!.bucketColumns).toBeGreaterThan(8)
  })

  it('a border that is an error', () => {
    const program = programOf(roam({ border: 'error' }, ...drift))
    for (const seed of [1, 2, 3]) expect(same(program, seed, 40).result).toMatchObject({ end: 'failed', problem: { code: 10060 } })
  })

  it('places of all sorts, on cells that are full', () => {
    const built = (room: number): Built =>
      model(
        scenario({ totalTicks: 30 }),
        plane(7),
        cells('Plot', { space: 'Land', capacity: room }, variable('worth', 'random()')),
        living(
          { initialNumber: '40', space: 'Land', placement: 'emptyCells', order: 'shuffled' },
          exclusive('how?'),
          when('random() < 0.4'),
          place('', { where: 'randomEmptyCell' }),
          end(),
          from('how?'),
          when('random() < 0.5'),
          place('cell_at(min(x + 1, 7), y)'),
          end(),
          from('how?'),
          otherwise(),
          place('', { where: 'randomCell' }),
        ),
      )
    expect(same(programOf(built(60)), 1, 30).result).toMatchObject({ end: 'success' })
    expect(same(programOf(built(2)), 1, 30).result).toMatchObject({ end: 'failed', problem: { code: 10061 } })
  })
})

describe('conditions that are chosen without branches', () => {
  const eating = (text: string, fields: Record<string, string> = {}): Built =>
    model(
      scenario({ totalTicks: 40 }),
      plane(7),
      cells(
        'Plot',
        { space: 'Land' },
        variable('wet', 'random() < 0.5', { public: true }),
        variable('worth', 'randint(0, 6)', { public: true }),
        process(
          'Grow',
          begin(every(1)),
          compute('if not wet:\n    if worth <= 0:\n        wet = True\n        worth = 6\n    else:\n        worth -= 1'),
          end(),
        ),
      ),
      living(
        { initialNumber: '60', space: 'Land', placement: 'cells', order: 'shuffled', ...fields },
        variable('a', 'randint(0, 5)', { public: true }),
        move('translate', 0, { vector: '[randint(-1, 2), randint(-1, 2)]' }),
        compute(text),
      ),
    )

  it.each([
    ['if cell.wet:\n    cell.wet = False\n    a += 5'],
    ['if cell.worth > 3:\n    cell.worth = a\n    a = cell.worth + 1\nelse:\n    cell.worth += 1'],
    ['if cell.wet and a > 2:\n    cell.wet = a > 4\n    a -= 3\nelif a < 9 or cell.worth == 2:\n    a += 1'],
    ['if a > 3 and cell.wet:\n    cell.worth = 2\n    a = 0\nelse:\n    a += 1\n    cell.wet = True'],
    ['if a < 9:\n    a += cell.worth\n    if cell.wet:\n        a /= 2\n        cell.wet = a > 3'],
  ])('%s', text => {
    const program = programOf(eating(text))
    for (const seed of [1, 2]) expect(same(program, seed, 40).result).toMatchObject({ end: 'success' })
  })

  it('of what fails, with the state that was reached', () => {
    const program = programOf(eating('if cell.wet:\n    cell.wet = False\n    a = (a + 1) * 1e60\n    cell.worth = 2'))
    expect(same(program, 1, 40).result).toMatchObject({ end: 'failed', problem: { code: 10015 } })
  })

  it('of somebody who is nowhere', () => {
    const program = programOf(eating('if cell.wet:\n    cell.wet = False\n    a += 5', { placement: 'none' }))
    expect(same(program, 1, 40).result).toMatchObject({ end: 'failed' })
  })
})

describe('draws and numbers', () => {
  const numbers = (...texts: readonly string[]): Built =>
    model(scenario({ totalTicks: 30 }), living({ initialNumber: '50' }, variable('a', '1', { public: true }), compute(texts.join('\n'))))

  it.each([
    ['random()'],
    ['uniform(-3, 5)'],
    ['randint(-4, 9)'],
    ['randint(7)'],
    ['randint(0, 3000000000)'],
    ['normal(2, 3)'],
    ['lognormal(0, 1)'],
    ['exponential(4)'],
    ['poisson(3)'],
    ['poisson(40)'],
    ['1 if bernoulli(0.3) else 0'],
    ['round(normal(0, 3))'],
    ['round(randint(-9, 9) / 2)'],
    ['log(random() + 1)'],
    ['sqrt(random()) + sin(a) ** 2 + atan2(a, 2)'],
    ['a % 3 - a // 0.7 + min(a, 2) + max(a, -1)'],
    ['clamp(normal(0, 1), -0.5, 0.5) + floor(a) + ceil(a) + abs(a)'],
  ])('%s', text => {
    expect(same(programOf(numbers(`a = ${text}`)), 5, 30).result).toMatchObject({ end: 'success' })
  })

  it.each([
    [10018, 'a = 1 / (6 - a) * 0 + a + 1'],
    [10015, 'a = a * 1e30'],
    [10019, 'a = sqrt(5 - a) + 2\na = sqrt(3 - a * 2)'],
    [10020, 'a = normal(0, 4 - a) * 0 + a + 1'],
    [10021, 'a += 1 if bernoulli(1.2 - a * 0.1) else 1'],
    [10023, 'a = randint(0, a) + 1.5'],
  ])('error %i at the same place, of the same one, with the same values', (code, text) => {
    const { result } = same(programOf(numbers(text)), 3, 30)
    expect(result).toMatchObject({ end: 'failed', problem: { code, at: { field: 'program' } } })
    expect(result).toHaveProperty('entity', expect.stringMatching(/^Bug \d+$/))
  })

  it('a loop without end runs out of fuel', () => {
    const { result } = same(programOf(numbers('n = 0\nwhile n < 1:\n    n -= 1\na = n')), 1, 2)
    expect(result).toMatchObject({ end: 'failed', problem: { code: 10034 } })
  })
})

describe('runs', () => {
  it('of one program take turns', () => {
    const program = programOf(wolfSheep(15, 60, 30, 10, 0.4, 0.2))
    const pairs = [1, 2, 3].map(seed => [start(program, { seed, nativeFrom: 0 }), start(program, { seed, nativeFrom: Infinity })] as const)
    for (let tick = 0; tick < 40; tick++)
      for (const [k, pair] of pairs.entries()) {
        if ((tick + k) % 3 === 0) continue
        for (const run of pair) run.advance({ ticks: 1 + k })
        expect(pair[0].hash()).toBe(pair[1].hash())
      }
  })

  it('of one program in spaces of several sizes', () => {
    const built = model(
      scenario({ totalTicks: 30 }),
      variable('side', 9, { public: true }),
      space('Land', { minX: '-1', maxX: 'side', minY: '0', maxY: '5', wrapX: true, wrapY: false }),
      cells('Plot', { space: 'Land', capacity: '40' }, variable('worth', 'random()')),
      living(
        { initialNumber: '30', space: 'Land', placement: 'cells' },
        variable('a', '0', { public: true }),
        compute('a += cell.worth'),
        move('translate', 0, { vector: '[randint(-1, 2), randint(-1, 2)]' }),
      ),
    )
    const program = programOf(built)
    const modules = vi.spyOn(WebAssembly, 'Module')
    for (const side of [9, 9, 4, 14, 9]) {
      const inputs = { [built.id('side')]: side }
      const native = start(program, { seed: 3, inputs, nativeFrom: 0 })
      const plain = start(program, { seed: 3, inputs, nativeFrom: Infinity })
      for (let tick = 0; tick < 30; tick++) {
        native.advance({ ticks: 1 })
        plain.advance({ ticks: 1 })
      }
      native.advance()
      plain.advance()
      expect(stateOf(native)).toEqual(stateOf(plain))
      expect(plain.result).toMatchObject({ end: 'success' })
    }
    const made = modules.mock.calls.length
    modules.mockRestore()
    // One for what the first run has, one for all others.
    expect(made).toBe(2)
  })

  it('go on as JavaScript where a page allows no module', () => {
    const built = wolfSheep(15, 60, 30, 10, 0.4, 0.2)
    const plain = start(programOf(built), { seed: 4, nativeFrom: Infinity })
    plain.advance()
    const modules = vi.spyOn(WebAssembly, 'Module').mockImplementation(function () {
      throw new WebAssembly.CompileError('not allowed here')
    })
    const refused = start(programOf(built), { seed: 4, nativeFrom: 0 })
    refused.advance()
    const tried = modules.mock.calls.length
    modules.mockRestore()
    expect(tried).toBeGreaterThan(0)
    expect(stateOf(refused)).toEqual(stateOf(plain))
  })

  it('go back to a snapshot', () => {
    const program = programOf(wolfSheep(15, 60, 30, 10, 0.4, 0.2))
    const run = start(program, { seed: 4, nativeFrom: 0 })
    run.advance({ ticks: 20 })
    const then = run.snapshot()
    run.advance({ ticks: 20 })
    const hash = run.hash()
    run.restore(then)
    run.advance({ ticks: 20 })
    expect(run.hash()).toBe(hash)
  })

  it('are looked at each tick', () => {
    const built = model(
      scenario({ totalTicks: 40, stopWhen: 'Bug.count > 300' }),
      living(
        { initialNumber: '10' },
        variable('a', 'random()', { public: true }),
        compute('a = random()'),
        create('Bug', 1, { as: 'young' }),
      ),
      statistic('mean', 'sum(b.a for b in Bug) / Bug.count'),
    )
    expect(same(programOf(built), 2, 40).result).toMatchObject({ end: 'success', reason: 'stop-condition' })
  })

  it('with something that isn’t known to be lowered run as ever', () => {
    const built = model(scenario({ totalTicks: 3 }), living({ initialNumber: '3' }, variable('a', '0'), compute('a += 1'), log('a')))
    const program = programOf(built)
    const run = start(program, { nativeFrom: 0 })
    expect(run.advance()).toBe(false)
    expect([hasNativeRows(program), run.result]).toMatchObject([false, { end: 'success' }])
  })

  it('in which agents look for the best cell around, whose coordinates begin below 0, and are put onto it', () => {
    const built = model(
      scenario({ totalTicks: 20 }),
      space('Land', { minX: '-3', maxX: '8', minY: '-5', maxY: '4', wrapX: true, wrapY: true }),
      cells('Spot', { space: 'Land' }, variable('sugar', 'randint(0, 5)', { public: true })),
      living(
        { initialNumber: '15', space: 'Land', placement: 'emptyCells' },
        variable('wealth', '0', { public: true }),
        compute('best = cell\nfor c in moore(1):\n    if c.sugar > best.sugar:\n        best = c\nwealth += best.x + 10 * best.y'),
        place('choice(moore(1))'),
        compute('wealth += cell.sugar\ncell.sugar = 0'),
      ),
    )
    for (const seed of [1, 2, 3]) expect(same(programOf(built), seed, 20).result).toMatchObject({ end: 'success' })
  })

  it('in which something else than rows acts at times', () => {
    const built = model(
      scenario({ totalTicks: 40 }),
      plane(9),
      living(
        { initialNumber: '30', space: 'Land', placement: 'cells' },
        variable('a', 'random()', { public: true }),
        variable('rest', '0', { public: true }),
        compute('a = random()'),
        move('translate', 0, { vector: '[randint(-1, 2), randint(-1, 2)]' }),
        exclusive('goes on?'),
        when('a < 0.08'),
        create('Bug', 1, { as: 'young' }),
        end(),
        from('goes on?'),
        when('a > 0.95'),
        destroy(),
        end(),
        from('goes on?'),
        otherwise(),
        process(
          'Rest',
          begin({ trigger: 'timer', every: '7.5', first: '3.5' }),
          delay(2.2),
          compute('rest += 1'),
          move('turn', '90'),
          end(),
        ),
        process('Greet', begin({ trigger: 'none' }), compute('rest -= 1'), end()),
      ),
      statistic('tired', 'sum(b.rest for b in Bug)'),
    )
    for (const seed of [1, 2, 3]) expect(same(programOf(built), seed, 40).result).toMatchObject({ end: 'success' })
  })
})

describe('newborns', () => {
  const timed = (fields: Fields): Built =>
    model(
      scenario({ totalTicks: 40 }),
      living(
        { initialNumber: '12', maximum: '60' },
        variable('a', 'random()', { public: true }),
        variable('rest', '0', { public: true }),
        compute('a = random()'),
        exclusive('goes on?'),
        when('a < 0.2 and Bug.count < 50'),
        create('Bug', 1, { as: 'young' }),
        end(),
        from('goes on?'),
        when('a > 0.85'),
        destroy(),
        end(),
        from('goes on?'),
        otherwise(),
        process('Rest', begin({ trigger: 'timer', ...fields }), compute('rest += 1'), end()),
      ),
    )

  // Times of 0.1 and 0.3 are counted, not added: they are forgotten with who dies.
  it.each([{ every: '0.3' }, { every: 'exponential(2)' }, { every: '0.1', first: '1 + a' }, { every: '1.5', first: 'randint(0, 3)' }])(
    'begin processes by a timer: %o',
    fields => {
      const program = programOf(timed(fields))
      expect(rowsProgram(program, new Set())).not.toBeInstanceOf(NotLowered)
      for (const seed of [1, 2, 3]) expect(same(program, seed, 40).result).toMatchObject({ end: 'success' })
    },
  )

  it('whose timer has no time fail at the same place', () => {
    const program = programOf(timed({ every: '1', first: '3 - tick' }))
    const { result } = same(program, 5, 40)
    expect(result).toMatchObject({ end: 'failed', problem: { code: 10051, at: { field: 'first' } } })
  })
})

describe('what copying costs', () => {
  it('one on a large grid that is looked at each tick goes on in JavaScript', () => {
    const built = model(
      scenario({ totalTicks: 30 }),
      plane(199),
      cells('Plot', { space: 'Land' }, variable('seen', '0', { public: true }), variable('last', '0', { public: true })),
      living(
        { initialNumber: '1', space: 'Land', placement: 'cells' },
        compute('cell.seen += 1\ncell.last = cell.seen + randint(0, 9)'),
        move('translate', 0, { vector: '[randint(-1, 2), randint(-1, 2)]' }),
      ),
    )
    const copied = vi.spyOn(Uint8Array.prototype, 'set')
    try {
      const run = start(programOf(built), { seed: 1, nativeFrom: 0 })
      run.advance({ ticks: 1 })
      run.advance({ ticks: 1 })
      expect(copied).toHaveBeenCalled()
      for (let tick = 0; tick < 12; tick++) run.advance({ ticks: 1 })
      copied.mockClear()
      run.advance({ ticks: 1 })
      expect(copied).not.toHaveBeenCalled()
    } finally {
      copied.mockRestore()
    }
    same(programOf(built), 1, 30)
  })
})

describe('texts and choices', () => {
  const town = (...steps: readonly Entry[]): Built =>
    model(
      scenario({ totalTicks: 30 }),
      plane(7),
      cells('Plot', { space: 'Land' }, variable('grown', '0', { public: true })),
      living(
        { initialNumber: '60', space: 'Land', placement: 'cells', order: 'shuffled' },
        variable('mood', '"calm"', { public: true }),
        variable('was', '"new"', { public: true }),
        variable('n', '0', { public: true }),
        ...steps,
      ),
      statistic('glad', 'sum(1 for b in Bug if b.mood == "glad")'),
    )

  it.each([
    [
      'a text is given and compared',
      [compute('if mood == "calm" and random() < 0.3:\n    mood = "glad"\nelif mood != "calm":\n    mood = "calm"')],
    ],
    ['a text is handed on', [compute('was = mood\nmood = "glad" if random() < 0.5 else was\nif was == mood:\n    n += 1')]],
    ['a text stands in a local', [compute('t = "sad" if n > 3 else "glad"\nif t == mood:\n    n = 0\nmood = t\nn += 1')]],
    ['a colour is only written', [compute('color = "#ff0000" if random() < 0.3 else "#00ff00"')]],
    ['those born have the first ones', [compute('color = "red"'), create('Bug', '1 if random() < 0.05 else 0', { as: 'young' })]],
    [
      'somebody on the cell is chosen',
      [element('destroy', '', { who: 'chosen', range: 'agents_on(cell, Bug)', pick: 'random', limit: '1 if random() < 0.05 else 0' })],
    ],
    ['some of all are asked', [ask('Bug', 'n += 1', { pick: 'random', limit: '3' })]],
    ['all are asked', [ask('Bug', 'n += 1 if mood == "calm" else 2', {})]],
    ['everybody counts everybody', [compute('n = sum(b.n for b in Bug if b.mood == "calm") % 7 + 1')]],
    ['cells around are looked at', [compute('for c in moore(2):\n    c.grown += n + 1\nfor c in von_neumann():\n    n += c.grown')]],
    ['one of all is chosen', [compute('b = choice(Bug)\nb.n += 1')]],
    ['many of all are asked', [ask('Bug', 'n += 1', { pick: 'random', limit: '40' })]],
  ])('%s', (_, steps) => {
    const program = programOf(town(...steps))
    for (const seed of [1, 2]) expect(same(program, seed, 30).result).toMatchObject({ end: 'success' })
  })

  it('what does more with a text is left to JavaScript', () => {
    const program = programOf(town(compute('mood = mood + "!"\nn = len(mood)')))
    const run = start(program, { nativeFrom: 0 })
    run.advance()
    expect([hasNativeRows(program), run.result]).toMatchObject([false, { end: 'success' }])
  })
})
