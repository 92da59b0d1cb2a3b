// Functions of the model that steps of tokens call, loops and lists in their formulas, requests of several resources and of amounts that
// are worked out: as WebAssembly and in the general way they leave the same state.
import { describe, expect, it } from 'vitest'
import { explain } from '../../../sim-engine/compile/explain.ts'
import { below, stream } from '../../../sim-engine/kernel/random.ts'
import { start as run } from '../../../sim-engine/run.ts'
import {
  agents,
  compute,
  container,
  create,
  delay,
  destroy,
  end,
  exclusive,
  from,
  func,
  model,
  operate,
  otherwise,
  parallel,
  process,
  resource,
  scenario,
  start,
  to,
  variable,
  when,
  type Entry,
  type Fields,
  type Part,
} from '../../help/models.ts'
import { compare, programOf, stateOf } from '../../help/ways.ts'
import { english } from '../../../model-schema/words.ts'

const functions: readonly Part[] = [
  func('share', ['part', 'whole'], 'if whole == 0:\n    return 0\nreturn part / whole'),
  func('work', ['acute'], 'return exponential(0.8) if acute else 0.5 + random()'),
  func('power', ['base_', 'times'], 'made = 1\nfor k in range(times):\n    made *= base_\nreturn made'),
  func('rounds', [], 'n = 0\nwhile random() < 0.6:\n    n += 1\n    if n > 5:\n        break\nreturn n'),
  func('note', ['amount'], 'total += amount\nif total > 1000:\n    return\nseen += 1'),
  func('lucky', [], 'return bernoulli(0.4)'),
  func('units', [], 'return randint(1, 4)'),
  func('twice', [], 'return units() + 1'),
  func('busy', ['limit'], 'return desk.in_use + desk.queue > limit or bench.level < 1'),
  func('spread', ['low', 'high'], 'return low + (high - low) * random()', {
    parameters: [
      { name: 'low', default: '0.1' },
      { name: 'high', default: '0.2 + random()' },
    ],
  }),
]

const items = (...names: readonly string[]): Fields => ({
  items: names.map(name => ({ container: name.split(' ')[0]!, amount: name.split(' ')[1] ?? '1', key: '' })),
})

const programs = [
  'tag = share(tag, total + 1) + 1',
  'note(tag)',
  'tag = power(1.1, 3) + rounds()',
  'tag += 1 if lucky() else spread(high=0.5)',
  'for k in range(4):\n    if k > 2:\n        break\n    note(k)',
  'note(share(work(lucky()), spread()))',
  'tag = means[units() - 2] + means[1]',
]
const durations = [
  'means[randint(-1, 3)] * 0.5',
  'work(tag > 1)',
  'spread()',
  'power(0.5, 2)',
  'rounds() * 0.3',
  'exponential(1 + share(1, tag))',
]
const conditions = ['lucky()', 'busy(2)', 'share(tag, 2) > 0.6', 'not busy(1) and lucky()']

const desks = (s: ReturnType<typeof stream>): Part[] => {
  const order = ['fifo', 'lifo', 'priority'][below(s, 3)]!
  return [
    resource('desk', 3 + below(s, 2), { order }),
    resource('bench', 4, { order }),
    resource('cart', 3),
    resource('crew', 6, { order }),
  ]
}

/** A process with functions in all its formulas, that asks for several resources at once. */
function visit(s: ReturnType<typeof stream>, name: string, trigger: Part, before: readonly Entry[] = []): Part {
  const one = <T>(of: readonly T[]): T => of[below(s, of.length)]!
  const asked = one([
    ['desk', 'bench 2'],
    ['bench', 'cart', 'desk'],
    ['cart 2', 'desk'],
  ])
  const more: Fields = {
    ...(below(s, 2) === 0 ? { priority: one(['1 if lucky() else 0', 'share(tag, 2)']) } : {}),
    ...(below(s, 3) === 0 ? { timeout: one(['2', 'exponential(1.5)']) } : {}),
    ...(below(s, 3) === 0 ? { before: one(programs) } : {}),
  }
  const isPatient = more['timeout'] === undefined
  return process(
    name,
    variable('tag', one(['1', 'spread()', '1 + units()'])),
    variable('wanted', one(['units()', '1.5', 'randint(0, 4)', 'power(0.5, 1)'])),
    trigger,
    ...before,
    exclusive('full?'),
    when(one(conditions)),
    compute(one(programs)),
    to('leave'),
    from('full?'),
    otherwise(),
    operate('request', items(...asked), 1, more, 'ask'),
    delay(one(durations), '', { after: one(programs) }),
    operate('release', items(...asked.map(of => (below(s, 3) === 0 ? `${of.split(' ')[0]} ` : of)))),
    ...(isPatient ? [] : [exclusive('met'), from('ask'), otherwise(), to('met'), from('met')]),
    operate('take', 'goods', one(['twice()', 'units()', 'share(3, 2)']), { otherwise: 'wait' }),
    delay(one(durations)),
    operate('put', 'goods', one(['units()', '2'])),
    operate('request', 'crew', one(['wanted', 'wanted', 'units() * 0 + wanted']), isPatient ? {} : { priority: 'wanted' }),
    delay(one(durations)),
    operate('release', 'crew', one(['wanted', ''])),
    delay('exponential(0.4)', '', { resources: [{ container: 'crew', amount: one(['units()', 'wanted', 'randint(1, 3)']), key: '' }] }),
    compute(one(programs), 'leave'),
    ...(before.length > 0 ? [destroy()] : []),
    end(),
  )
}

const arrivals = (s: ReturnType<typeof stream>): Part =>
  start({ trigger: 'timer', every: ['exponential(1)', 'spread() + 0.4', '0.9', 'work(True)'][below(s, 4)]!, maximum: 'power(6, 2) + 300' })

const shared = (): Part[] => [
  variable('total', 0),
  variable('seen', 0),
  variable('means', '[0.5, 1, 1.5]'),
  container('goods', { initial: '40', capacity: '400' }),
  ...functions,
]

function randomModel(seed: number) {
  const s = stream(seed, 0, 'functions of processes')
  return model(
    scenario({ totalTicks: 90, ticking: below(s, 2) === 0 }),
    ...shared(),
    ...desks(s),
    visit(s, 'P', arrivals(s)),
    visit(s, 'Q', arrivals(s)),
  )
}

/** Guests who come, call functions of their own, and go. */
function peopledModel(seed: number) {
  const s = stream(seed, 0, 'functions of individuals')
  const own: readonly Entry[] = [compute('mood += worth(0.5)\nself.cheer(2)'), compute('tag += worth()')]
  return model(
    scenario({ totalTicks: 80, ticking: below(s, 2) === 0 }),
    ...shared(),
    ...desks(s),
    agents(
      'Guest',
      { initialNumber: '0' },
      variable('mood', 'spread()'),
      func('worth', ['scale'], 'return mood * scale + share(1, 2)', { parameters: [{ name: 'scale', default: '0.5 * random()' }] }),
      func('cheer', ['by'], 'mood = max(0, mood - by * random())\nnote(mood)'),
      visit(s, 'Stay', start(), own),
    ),
    process('Come', arrivals(s), create('Guest', below(s, 2) === 0 ? 'units()' : '1'), end()),
  )
}

const reasons = (of: ReturnType<typeof randomModel>): string[] =>
  explain(programOf(of.model, false)).flatMap(one => one.steps.map(({ why }) => english(why)))
/** What holds for some tokens of a step that is lowered. */
const sometimes = new Set(['tokens that wait for goods or room run as JavaScript'])

describe('functions of the model in steps of tokens', () => {
  it.each(Array.from({ length: 10 }, (_, k) => k + 1))('seed %i', seed => {
    const of = randomModel(seed)
    expect(reasons(of).filter(why => !sometimes.has(why))).toEqual([])
    compare(of.model, seed, [below(stream(seed, 1, 'cuts'), 30) + 0.3, 60])
  })

  it.each(Array.from({ length: 6 }, (_, k) => k + 1))('of individuals, seed %i', seed => {
    const of = peopledModel(seed)
    expect(reasons(of).filter(why => !sometimes.has(why))).toEqual([])
    compare(of.model, seed, [below(stream(seed, 1, 'cuts'), 30) + 0.3, 60])
  })

  it('fail at the same place, with the same state', () => {
    const failing: readonly [Part, string][] = [
      [func('bad', ['n'], 'return 1 / (n - 5)'), 'total += bad(seen)\nseen += 1'],
      [func('bad', ['n'], 'while n < 3:\n    total += 1\nreturn n'), 'seen += 1\nif seen == 4:\n    total = bad(1)'],
      [func('bad', ['n'], 'm = n\nfor k in range(60000000):\n    m += k\nreturn m'), 'seen += 1\nif seen == 4:\n    total = bad(1)'],
      [func('bad', ['n'], 'return exponential(3 - n)'), 'total += bad(seen)\nseen += 1'],
      [func('bad', ['n'], 'return means[n]'), 'total += bad(seen)\nseen += 1'],
    ]
    for (const [bad, program] of failing) {
      const { model: of } = model(
        scenario({ totalTicks: 30, ticking: false }),
        variable('total', 0),
        variable('seen', 0),
        variable('means', '[0.5, 1, 1.5]'),
        bad,
        process('P', start({ trigger: 'timer', every: 'exponential(1)' }), compute(program), end()),
      )
      const [plain, debug] = [false, true].map(isDebug => {
        const one = run(programOf(of, isDebug), { seed: 3, nativeFrom: 0 })
        one.advance()
        return stateOf(one)
      })
      expect(plain).toEqual(debug)
      expect((plain as { result: { end: string } }).result.end).toBe('failed')
    }
  })

  it('say why they go the general way', () => {
    const why = (bad: Part, program: string): string[] => {
      const of = model(
        scenario({ totalTicks: 30, ticking: false }),
        ...shared().filter(({ name }) => name !== 'busy'),
        bad,
        process('P', start({ trigger: 'timer', every: '1' }), compute(program), end()),
      )
      compare(of.model, 1, [4.5, 11])
      return reasons(of).filter(reason => !sometimes.has(reason))
    }
    expect(why(func('depth', ['n'], 'return 0 if n < 1 else 1 + depth(n - 1)'), 'total = depth(3)')).toEqual(['a function calls itself'])
    expect(why(func('many', [], 'return [1, 2, 3]'), 'total = len(many())')).toHaveLength(1)
    const people = model(
      scenario({ totalTicks: 30, ticking: false }),
      agents(
        'Voter',
        { initialNumber: '5', order: 'simultaneous' },
        variable('opinion', 0),
        process('Think', start(), delay('1'), compute('opinion += 1'), end()),
      ),
    )
    expect(new Set(reasons(people))).toContain('its population is updated all at once')
    expect(reasons(people).join()).not.toContain('opinion')
  })
})

describe('requests of several resources by a step', () => {
  it('are WebAssembly where tokens wait for all of them, or for one', () => {
    const why = (fields: Fields): string[] => {
      const of = model(
        scenario({ totalTicks: 60, ticking: false }),
        ...desks(stream(1, 0, 'desks')),
        process(
          'P',
          start({ trigger: 'timer', every: 'exponential(0.4)' }),
          operate('request', items('desk', 'bench 2'), 1, fields),
          parallel('split'),
          delay('exponential(1)'),
          to('join'),
          from('split'),
          delay('1'),
          parallel('join'),
          operate('release', items('bench 2', 'desk')),
          end(),
        ),
      )
      compare(of.model, 1, [7.5, 31])
      return reasons(of)
    }
    expect(why({})).toEqual([])
    expect(why({ alternatives: true })).toEqual([])
    expect(why({ otherwise: 'fail' })).toEqual(['it does not simply wait'])
  })
})
