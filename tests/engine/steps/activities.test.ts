// Activities by what they do to tokens, entities and containers: one small model a rule, read from its trace and its figures.
import { describe, expect, it } from 'vitest'
import {
  agents,
  ask,
  assert,
  call,
  cells,
  compute,
  container,
  create,
  delay,
  destroy,
  end,
  event,
  every,
  exclusive,
  from,
  func,
  links,
  log,
  model,
  move,
  operate,
  otherwise,
  passive,
  place,
  port,
  process,
  release,
  request,
  resource,
  scenario,
  space,
  start,
  subprocess,
  variable,
  when,
} from '../../help/models.ts'
import { failureOf, logOf, runOf } from '../../help/runs.ts'

const events = scenario({ ticking: false, totalTicks: 100 })
const at = (text: string, name = '') => log(`f"${text} {time}"`, name)

describe('call', () => {
  it('passes inputs, waits, and takes outputs', () => {
    const built = model(
      events,
      process('Double', start(passive), port('n'), port('r', 'out'), delay(2), compute('r = n * 2'), end()),
      process(
        'P',
        start(),
        variable('r', 0),
        call('Double', { inputs: [{ name: 'n', value: '21' }] }, 'twice'),
        log('f"{r} {twice.output} {time}"'),
        end(),
      ),
    )
    expect(logOf(built)).toEqual(['42 42 2'])
  })
  it('may go on beside it', () => {
    const built = model(
      events,
      process('Slow', start(passive), at('begins'), delay(5), at('slow'), end()),
      process('P', start(), call('Slow', { wait: false }), at('on'), end()),
    )
    expect(logOf(built)).toEqual(['begins 0', 'on 0', 'slow 5'])
  })
  it('nests deeply without the machine stack, up to a limit', () => {
    const built = model(
      events,
      variable('depth', 0, { public: true }),
      process(
        'Down',
        start(passive),
        compute('depth += 1'),
        exclusive('more'),
        when('depth < 5000'),
        call('Down'),
        end(),
        from('more'),
        otherwise(),
        end(),
      ),
      process('P', start(), call('Down'), log('depth'), end()),
    )
    expect(logOf(built)).toEqual(['5000'])
    const endless = model(events, process('Down', start(passive), call('Down'), end()), process('P', start(), call('Down'), end()))
    expect(failureOf(endless)).toMatch(/^10034/)
  })
  it("an individual calls its own, its observer's and global processes", () => {
    const built = model(
      events,
      process('G', start(passive), log('"global"'), end()),
      agents(
        'A',
        { initialNumber: '1' },
        process('O', { owner: 'observer' }, start(passive), log('"observer"'), end()),
        process('Own', start(passive), log('f"own {id}"'), end()),
        process('P', start(), call('Own'), call('O'), call('G'), end()),
      ),
    )
    expect(logOf(built)).toEqual(['own 1', 'observer', 'global'])
  })
})

describe('subprocess', () => {
  it('once: the outer token waits for all inner ones', () => {
    expect(
      logOf(
        model(
          events,
          process(
            'P',
            start(),
            variable('x', 1),
            subprocess('in', start(), compute('x = x + 10'), delay(2), at('inside'), end()),
            log('f"{x} {time}"'),
            end(),
          ),
        ),
      ),
    ).toEqual(['inside 2', '11 2'])
  })
  it('while', () => {
    expect(
      logOf(
        model(
          events,
          process(
            'P',
            start(),
            variable('n', 0),
            subprocess('in', { repeat: 'while', while: 'n < 3' }, start(), compute('n += 1'), delay(1), end()),
            log('f"{n} {time}"'),
            end(),
          ),
        ),
      ),
    ).toEqual(['3 3'])
  })
  it('for each, one after another and all at once', () => {
    const built = (parallel: boolean) =>
      model(
        events,
        process(
          'P',
          start(),
          subprocess(
            'in',
            { repeat: 'each', items: '[3, 1, 2]', parallel },
            start(),
            delay('item'),
            log('f"{index}:{item} {time}"'),
            end(),
          ),
          at('done'),
          end(),
        ),
      )
    expect(logOf(built(false))).toEqual(['0:3 3', '1:1 4', '2:2 6', 'done 6'])
    expect(logOf(built(true))).toEqual(['1:1 1', '2:2 2', '0:3 3', 'done 3'])
  })
  it('is done when its condition says so', () => {
    const built = model(
      events,
      variable('n', 0),
      process(
        'P',
        start(),
        subprocess(
          'in',
          { repeat: 'each', items: 'range(5)', parallel: true, until: 'n >= 2' },
          start(),
          delay('index + 1'),
          compute('n += 1'),
          end(),
        ),
        log('f"{n} {time}"'),
        end(),
      ),
    )
    expect(logOf(built)).toEqual(['2 2'])
  })
})

describe('ask', () => {
  const people = (...steps: Parameters<typeof process>[1][]) =>
    model(
      events,
      agents(
        'A',
        { initialNumber: '5' },
        variable('w', 'id * 10'),
        process('Q', start(passive), delay('id'), log('f"{id} at {time}"'), end()),
      ),
      process('P', start(), ...(steps as []), end()),
    )
  it('chooses by range, filter and pick, and runs a program as each', () => {
    expect(logOf(people(ask('A', 'w += 1', { filter: 'w > 20', pick: 'first', limit: '2' }), log('[a.w for a in A]')))).toEqual([
      '[10, 20, 31, 41, 50]',
    ])
    expect(logOf(people(ask('A', 'w = 0', { pick: 'max', by: 'w', limit: '2' }), log('[a.w for a in A]')))).toEqual(['[10, 20, 30, 0, 0]'])
    expect(logOf(people(ask('A', 'w = 0', { pick: 'min', by: 'w' }), log('[a.w for a in A]')))).toEqual(['[0, 20, 30, 40, 50]'])
    expect(logOf(people(ask('A', 'w = 0', { pick: 'random', limit: '3' }), log('sum(1 for a in A if a.w == 0)')))).toEqual(['3'])
    expect(logOf(people(ask('[a for a in A if a.id < 3]', 'w = 0', { pick: 'last', limit: '1' }), log('[a.w for a in A]')))).toEqual([
      '[10, 0, 30, 40, 50]',
    ])
  })
  it('nobody: goes on, or an error', () => {
    expect(logOf(people(ask('A', 'w = 0', { filter: 'w > 900' }), log('"on"')))).toEqual(['on'])
    expect(failureOf(people(ask('A', 'w = 0', { filter: 'w > 900', nobody: 'error' }, 'nobody')))).toBe('10054 P-nobody range')
  })
  it('runs one of their processes and waits for all', () => {
    expect(logOf(people(ask('A', '', { does: 'call', process: 'A.Q', filter: 'id < 4' }), at('done')))).toEqual([
      '1 at 1',
      '2 at 2',
      '3 at 3',
      'done 3',
    ])
  })
  it('a target dying counts as ended', () => {
    const built = model(
      events,
      agents('A', { initialNumber: '2' }, process('Q', start(passive), delay(9), log('f"{id}"'), end())),
      process('Killer', start(), delay(1), ask('A', 'die(self)', { filter: 'id == 2' }), end()),
      process('P', start(), ask('A', '', { does: 'call', process: 'A.Q' }), at('done'), end()),
    )
    expect(logOf(built)).toEqual(['1', 'done 9'])
  })
  it('output: who was chosen', () => {
    expect(logOf(people(ask('A', '', { does: 'nothing', pick: 'last', limit: '2' }, 'who'), log('[a.id for a in who.output]')))).toEqual([
      '[4, 5]',
    ])
  })
})

describe('create and destroy', () => {
  it('newborns get initial values, then what the step says, then start', () => {
    const built = model(
      events,
      agents(
        'A',
        { initialNumber: '1' },
        variable('w', 5),
        variable('k', 2),
        process('Born', start(), log('f"{id} w {w} k {k} at {time}"'), end()),
      ),
      process('P', start(), delay(3), create('A', 2, { values: [{ property: 'w', mode: 'expression', value: '7 + 1' }] }), end()),
    )
    expect(logOf(built)).toEqual(['1 w 5 k 2 at 0', '2 w 8 k 2 at 3', '3 w 8 k 2 at 3'])
  })
  it('offspring inherit, dilute or start anew; what is diluted is shared', () => {
    const built = model(
      events,
      agents(
        'A',
        { initialNumber: '1' },
        variable('e', 'id * 8'),
        variable('k', 2),
        variable('fresh', 1),
        process(
          'P',
          start(),
          exclusive('first'),
          when('id == 1'),
          compute('k = 9\nfresh = 3'),
          create('A', 1, {
            as: 'offspring',
            values: [
              { property: 'e', mode: 'dilute', value: '0.25' },
              { property: 'fresh', mode: 'default', value: '' },
            ],
          }),
          delay(1),
          log('[(a.e, a.k, a.fresh) for a in A]'),
          end(),
          from('first'),
          otherwise(),
          log('f"child of {mother.id}"'),
          end(),
        ),
      ),
    )
    expect(logOf(built)).toEqual(['child of 1', '[(6, 9, 3), (2, 9, 1)]'])
  })
  it('the actor may end its life; nothing after it runs', () => {
    const built = model(
      scenario({ totalTicks: 3 }),
      agents(
        'A',
        { initialNumber: '3' },
        process('P', start(every(1)), exclusive('who'), when('id == 2'), destroy(), log('"never"'), end(), from('who'), otherwise(), end()),
      ),
      process('C', start({ trigger: 'timer', every: '1', first: '1' }), log('A.count'), end()),
    )
    expect(logOf(built)).toEqual(['3', '2', '2'])
  })
  it('a population has a largest size', () => {
    expect(
      failureOf(model(events, agents('A', { initialNumber: '2', maximum: '3' }), process('P', start(), create('A', 2, {}, 'more'), end()))),
    ).toBe('10056 P-more population')
  })
  it('newborns first act in the next tick, and the dead are skipped', () => {
    const built = model(
      scenario({ totalTicks: 2 }),
      agents('A', { initialNumber: '1', order: 'fixed' }, process('P', start(every(1)), log('f"{tick}: {id}"'), create('A', 1), end())),
    )
    expect(logOf(built)).toEqual(['1: 1', '2: 1', '2: 2'])
  })
})

describe('links', () => {
  const world = (...steps: Parameters<typeof process>[1][]) =>
    model(
      events,
      agents(
        'A',
        { initialNumber: '4', order: 'fixed' },
        process('P', start(), exclusive('w'), when('id == 1'), ...(steps as []), end(), from('w'), otherwise(), end()),
      ),
      links('L', { source: 'A', target: 'A' }, variable('strength', 3)),
    )
  it('are made from the actor to others', () => {
    expect(
      logOf(
        world(
          create('L', 1, { linkTo: '[a for a in A if a.id > 2]', values: [{ property: 'strength', mode: 'expression', value: '5' }] }),
          log('[l.strength for l in L]'),
          log('degree(L, self)'),
        ),
      ),
    ).toEqual(['[5, 5]', '2'])
  })
  it('a second one is the existing one; self-links are refused', () => {
    expect(
      logOf(
        world(
          create('L', 1, { linkTo: '[a for a in A if a.id == 2]' }),
          create('L', 1, { linkTo: '[a for a in A if a.id == 2]' }),
          log('L.count'),
        ),
      ),
    ).toEqual(['1'])
    expect(failureOf(world(create('L', 1, { linkTo: 'self' }, 'me')))).toBe('10059 A-P-me linkTo')
  })
  it('die with their ends', () => {
    expect(
      logOf(world(create('L', 1, { linkTo: '[a for a in A if a.id > 1]' }), ask('A', 'die(self)', { filter: 'id == 2' }), log('L.count'))),
    ).toEqual(['2'])
  })
})

describe('move and place', () => {
  const field = (fields: Record<string, string | boolean>, ...steps: Parameters<typeof process>[1][]) =>
    model(
      events,
      space('S', { topology: 'continuous', minX: '0', maxX: '10', minY: '0', maxY: '10', ...fields }),
      agents(
        'A',
        { initialNumber: '1', space: 'S', placement: 'position', position: '[9, 5]' },
        process('P', start(), ...(steps as []), log('f"{x:.3f} {y:.3f} {heading:.0f}"'), end()),
      ),
    )
  it('turns and moves, wrapping', () => {
    expect(logOf(field({}, move('head', 0), move('forward', 3)))).toEqual(['2.000 5.000 0'])
    expect(logOf(field({}, move('head', 90), move('turn', 90), move('backward', 0.5)))).toEqual(['9.500 5.000 180'])
  })
  it('stops, reflects or fails at a border', () => {
    const walled = (border: string) => field({ wrapX: false, border }, move('head', 0), move('forward', 3, {}, 'go'))
    expect(logOf(walled('stop'))).toEqual(['10.000 5.000 0'])
    expect(logOf(walled('reflect'))).toEqual(['8.000 5.000 180'])
    expect(failureOf(walled('error'))).toBe('10060 A-P-go motion')
  })
  it('translates and faces', () => {
    expect(logOf(field({}, move('translate', 1, { vector: '[-1, 2]' }), move('face', 1, { target: '[8, 8]' })))).toEqual(['8.000 7.000 90'])
  })
  it('is placed at positions, cells and others', () => {
    const grid = (...steps: Parameters<typeof process>[1][]) =>
      model(
        events,
        space('S', { minX: '0', maxX: '4', minY: '0', maxY: '4' }),
        cells('C', { space: 'S', capacity: 1 }),
        agents(
          'A',
          { initialNumber: '2', space: 'S', placement: 'emptyCells', order: 'fixed' },
          process(
            'P',
            start(),
            exclusive('w'),
            when('id == 1'),
            ...(steps as []),
            log('f"{x} {y} {cell.x}"'),
            end(),
            from('w'),
            otherwise(),
            end(),
          ),
        ),
      )
    expect(logOf(grid(ask('A', 'die(self)', { filter: 'id == 2' }), place('(2, 3)')))[0]).toMatch(/^2 3 2$/)
    expect(failureOf(grid(place('[a for a in A if a.id == 2][0]', {}, 'there')))).toBe('10061 A-P-there target')
    expect(logOf(grid(place('', { where: 'randomEmptyCell' })))[0]).toMatch(/^\d \d \d$/)
  })
  it('positions outside are errors, or wrap', () => {
    expect(logOf(field({}, place('[12, 5]'), move('head', 0)))).toEqual(['2.000 5.000 0'])
    expect(failureOf(field({ wrapX: false }, place('[12, 5]', {}, 'there')))).toBe('10060 A-P-there target')
  })
})

describe('container operations', () => {
  it('request, release; statistics are exact', () => {
    const built = model(
      events,
      resource('nurse', 1),
      process(
        'P',
        start({ trigger: 'timer', first: '0', every: '1', maximum: '2' }),
        request('nurse'),
        delay(3),
        release('nurse'),
        at('done'),
        end(),
      ),
    )
    const { output, summary } = runOf(built, { ticks: 10 })
    expect(output).toEqual(['done 3', 'done 6'])
    expect(summary.containers['nurse']).toMatchObject({ served: 2, meanWait: 1, maxQueue: 1, level: 1, inUse: 0 })
    // Nothing is left to happen at 6: 6 of 6 in use, 2 of 6 waiting.
    expect(summary.containers['nurse']).toMatchObject({ utilization: 1, meanQueue: 2 / 6 })
  })
  it('take and put fail, wait, take what there is, or branch', () => {
    const stock = (otherwise_: string) =>
      model(
        events,
        container('stock', { initial: '5', capacity: '10' }),
        process(
          'P',
          start(),
          operate('take', 'stock', 8, { otherwise: otherwise_ }, 'take'),
          log('f"took {take.output} left {stock.level} {time}"'),
          end(),
        ),
        process('Q', start(), delay(2), operate('put', 'stock', 5), end()),
      )
    expect(failureOf(stock('fail'))).toBe('10036 P-take items')
    expect(logOf(stock('wait'))).toEqual(['took 8 left 2 2'])
    expect(logOf(stock('partial'))).toEqual(['took 5 left 0 0'])
    const branch = model(
      events,
      container('stock', { initial: '5' }),
      process(
        'P',
        start(),
        operate('take', 'stock', 8, { otherwise: 'branch' }, 'take'),
        log('"took"'),
        end(),
        from('take'),
        otherwise(),
        log('"short"'),
        end(),
      ),
    )
    expect(logOf(branch)).toEqual(['short'])
  })
  it('overflow, negative amounts and too much released are errors', () => {
    expect(
      failureOf(
        model(
          events,
          container('s', { initial: '5', capacity: '6' }),
          process('P', start(), operate('put', 's', 2, { otherwise: 'fail' }, 'put'), end()),
        ),
      ),
    ).toBe('10037 P-put items')
    expect(
      failureOf(
        model(
          events,
          variable('n', -2),
          container('s', { initial: '5' }),
          process('P', start(), operate('take', 's', 'n', { otherwise: 'fail' }, 'take'), end()),
        ),
      ),
    ).toBe('10039 P-take items')
    expect(
      failureOf(model(events, resource('r', 2), process('P', start(), request('r'), operate('release', 'r', 2, {}, 'back'), end()))),
    ).toBe('10040 P-back items')
    expect(failureOf(model(events, resource('r', 2), process('P', start(), operate('request', 'r', 3, {}, 'more'), end())))).toBe(
      '10042 P-more items',
    )
    expect(failureOf(model(events, resource('r', 2), process('P', start(), request('r'), end())))).toMatch(/^10041/)
  })
  it('gives up after a time or on a condition', () => {
    const held = (fields: Record<string, string>) =>
      model(
        events,
        variable('x', 0),
        resource('r', 1),
        process('Holder', start(), request('r'), delay(4), compute('x = 1'), delay(6), release('r'), end()),
        process(
          'P',
          start(),
          delay(1),
          operate('request', 'r', 1, fields, 'ask'),
          log('"got"'),
          release('r'),
          end(),
          from('ask'),
          otherwise(),
          at('gave up'),
          end(),
        ),
      )
    expect(logOf(held({ timeout: '2' }))).toEqual(['gave up 3'])
    expect(logOf(held({ giveUpWhen: 'x > 0' }))).toEqual(['gave up 4'])
    expect(logOf(held({ timeout: '50' }))).toEqual(['got'])
  })
  it('several at once are all or nothing; alternatives are tried in order', () => {
    const two = {
      items: [
        { container: 'a', amount: '1', key: '' },
        { container: 'b', amount: '1', key: '' },
      ],
    }
    const built = model(
      events,
      resource('a', 1),
      resource('b', 1),
      process('H', start(), request('b'), delay(5), release('b'), end()),
      process('P', start(), delay(1), operate('request', two), log('f"both {time}"'), operate('release', two), end()),
      process('Q', start(), delay(2), request('a'), log('f"a {time}"'), release('a'), end()),
    )
    expect(logOf(built)).toEqual(['a 2', 'both 5'])
    const either = model(
      events,
      resource('a', 1),
      resource('b', 1),
      process('H', start(), request('a'), delay(5), release('a'), end()),
      process(
        'P',
        start(),
        delay(1),
        operate('request', { ...two, alternatives: true }),
        log('f"{a.level} {b.level} {time}"'),
        operate('release', 'b'),
        end(),
      ),
    )
    expect(logOf(either)).toEqual(['0 0 1'])
  })
  it('transfer conserves, convert is all or nothing, keys have their own amounts', () => {
    const built = model(
      events,
      container('bank', { contents: 'keyed', initial: '{"ETH": 20, "steel": 3}' }),
      container('purse', { contents: 'keyed', initial: '{"ETH": 0, "sword": 0}' }),
      process(
        'P',
        start(),
        operate('transfer', { items: [{ container: 'bank', amount: '5', key: 'ETH' }], target: 'purse' }),
        operate('convert', {
          items: [{ container: 'bank', amount: '2', key: 'steel' }],
          outputs: [{ container: 'purse', amount: '1', key: 'sword' }],
        }),
        log('bank.level'),
        log('purse.level'),
        end(),
      ),
    )
    expect(logOf(built)).toEqual(["{'ETH': 15, 'steel': 1}", "{'ETH': 5, 'sword': 1}"])
  })
  it('priorities and preemption: the victim resumes with the time it had left', () => {
    const built = model(
      events,
      resource('r', 1),
      process('Low', start(), operate('request', 'r', 1, { priority: '5' }), delay(10), release('r'), at('low'), end()),
      process(
        'High',
        start(),
        delay(4),
        operate('request', 'r', 1, { priority: '1', preempt: 'resume' }),
        delay(3),
        release('r'),
        at('high'),
        end(),
      ),
    )
    expect(logOf(built)).toEqual(['high 7', 'low 13'])
  })
  it('capacity follows a schedule', () => {
    const built = model(
      events,
      resource('r', 1, {
        schedule: [
          { time: '0', capacity: '0' },
          { time: '6', capacity: '2' },
        ],
      }),
      process('P', start(), request('r'), at('got'), release('r'), end()),
    )
    expect(logOf(built)).toEqual(['got 6'])
  })
  it('individuals own containers', () => {
    const built = model(
      events,
      agents(
        'A',
        { initialNumber: '2', order: 'fixed' },
        container('purse', { initial: 'id * 10' }),
        process('P', start(), operate('take', 'purse', 1), log('purse.level'), end()),
      ),
    )
    expect(logOf(built)).toEqual(['9', '19'])
  })
})

describe('activities that last', () => {
  it('request resources, run before, last, do, run after, release', () => {
    const built = model(
      events,
      variable('x', 0),
      resource('r', 1),
      process(
        'P',
        start({ trigger: 'timer', first: '0', every: '1', maximum: '2' }),
        {
          ...compute('x += 1', 'work'),
          fields: {
            program: 'x += 1',
            before: 'x += 100',
            after: 'x += 10000',
            duration: '5',
            resources: [{ container: 'r', amount: '1' }],
          },
        },
        log('f"{x} {time} {r.level}"'),
        end(),
      ),
    )
    expect(logOf(built)).toEqual(['10101 5 0', '20202 10 1'])
  })
})

describe('log and assert', () => {
  it('an assertion that does not hold fails the run', () => {
    expect(failureOf(model(events, process('P', start(), assert('1 > 2', 'one is less', 'sure'), end())))).toBe('10035 P-sure condition')
  })
})

describe('functions', () => {
  it('are called by individuals and observers, with defaults, and may recurse', () => {
    const built = model(
      events,
      func('fib', ['n'], 'if n < 2:\n    return n\nreturn fib(n - 1) + fib(n - 2)'),
      agents(
        'A',
        { initialNumber: '1' },
        variable('w', 3),
        func('twice', ['k'], 'return w * k'),
        process('P', start(), log('fib(15)'), log('twice(4)'), end()),
      ),
    )
    expect(logOf(built)).toEqual(['610', '12'])
    expect(failureOf(model(events, func('f', ['n'], 'return f(n + 1)'), process('P', start(), log('f(1)'), end())))).toMatch(/^10034/)
  })
})

describe('inheritance', () => {
  it("a derived population has the base's properties and processes; the base's individuals include it", () => {
    const built = model(
      events,
      agents(
        'Animal',
        { initialNumber: '1', order: 'fixed' },
        variable('legs', 4),
        process('P', start(), log('f"{legs} {name()}"'), end()),
        func('name', [], 'return "animal"'),
      ),
      agents('Bird', { initialNumber: '2', inherits: 'Animal', order: 'fixed' }, variable('legs', 2), func('name', [], 'return "bird"')),
      process('G', start(), log('Animal.count'), log('sum(a.legs for a in Animal)'), end()),
    )
    expect(logOf(built).sort()).toEqual(['2 bird', '2 bird', '3', '4 animal', '8'])
  })
})

it('a family is asked, and each runs its own process', () => {
  const built = model(
    events,
    agents(
      'Animal',
      { initialNumber: '1', order: 'fixed' },
      variable('legs', 4),
      variable('herd', 7, { owner: 'observer' }),
      process('Speak', start(passive), log('f"{legs} legs"'), end()),
    ),
    agents('Bird', { initialNumber: '1', inherits: 'Animal' }, variable('legs', 2)),
    process(
      'G',
      start(),
      ask('Animal', 'legs += 1'),
      ask('Animal', '', { does: 'call', process: 'Animal.Speak' }),
      log('Animal.herd'),
      end(),
    ),
  )
  expect(logOf(built)).toEqual(['5 legs', '3 legs', '7'])
})

it('messages to the dead are lost and counted', () => {
  const built = model(events, agents('A', { initialNumber: '1' }), process('P', start(), event('timer', { delay: '1' }), end()))
  expect(runOf(built).summary.result.end).toBe('success')
})
