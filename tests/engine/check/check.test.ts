import { chinese } from '../../help/languages.ts'
import { describe, expect, it } from 'vitest'
import {
  agents,
  ask,
  boundary,
  call,
  cells,
  chart,
  compute,
  container,
  controller,
  create,
  delay,
  destroy,
  element,
  end,
  event,
  exclusive,
  flow,
  from,
  func,
  gateway,
  links,
  log,
  message,
  model,
  move,
  operate,
  otherwise,
  parallel,
  passive,
  place,
  port,
  process,
  resource,
  scenario,
  space,
  start,
  statistic,
  subprocess,
  terminate,
  variable,
  weight,
  when,
} from '../../help/models.ts'
import type { Built, Part } from '../../help/models.ts'
import { check, createChecker } from '../../../sim-engine/check.ts'
import { compile } from '../../../sim-engine/compile.ts'
import { checkOf, codesOf } from '../../help/runs.ts'
import { english } from '../../../model-schema/words.ts'

/** A process with these steps between start and end. */
const p = (...steps: Parameters<typeof process>[1][]): Part => process('P', start(), ...(steps as Part[]), end())
const world = (...parts: Part[]): Built => model(scenario({ totalTicks: 5 }), ...parts)

// Each code with a model that provokes it, and where it is reported.
const cases: [string, Built][] = [
  ['8001 P-compute1 program', world(p(compute('')))],
  ['8002 P-compute1 program', world(p(compute('x = = 1')))],
  ['8003 P-end1 tip', world(process('P', start(), terminate('')))],
  ['8003 P-log1 tip', world(p(element('log', '', { does: 'assert', condition: 'True' })))],
  ['8004 scenario1', world(process('P', start(passive), end()))],
  ['8005 x2 name', world(variable('x', 1), variable('x', 2), p())],
  ['8006 if name', world(variable('if', 1), p())],
  ['8006 variable1 name', world(element('variable', '', { name: '' }), p())],
  [
    'warning 8007 P-log1',
    world(process('P', start(), end(), log('"a"', 'log1'), log('"b"', 'log2'), from('log2'), from('log1'), flow('log2', 'log1'))),
  ],
  ['9005 P-log1', world(process('P', start(), end(), from('nowhere'), log('"a"', 'log1'), end(), element('note', 'nowhere')))],
  ['9006 P-log1', world(process('P', start(), log('"a"', 'log1')), process('Q', start(), end()))],
  ['9009 P', world(process('P', log('"a"', 'a'), end()), process('Q', start(), end()))],
  ['9010 P', world(process('P', start(), log('"a"')))],
  ['9011 P-start2', world(process('P', start(), end(), start(), end()))],
  ['9012 P-boundary1 host', world(process('P', start(), delay(1), end(), element('boundary', '', { trigger: 'timer' }), end()))],
  ['9013 P-g', world(p(exclusive('g')))],
  [
    '9014 P-g--b condition',
    world(process('P', start(), exclusive('g'), when('True'), log('"a"', 'a'), end(), from('g'), log('"b"', 'b'), end())),
  ],
  [
    '9015 P-g--b default',
    world(process('P', start(), exclusive('g'), otherwise(), log('"a"', 'a'), end(), from('g'), otherwise(), log('"b"', 'b'), end())),
  ],
  [
    'warning 9016 P-g',
    world(
      process(
        'P',
        start(),
        exclusive('g', { by: 'probability' }),
        weight(0.5),
        log('"a"'),
        end(),
        from('g'),
        weight(0.2),
        log('"b"'),
        end(),
      ),
    ),
  ],
  ['9017 P-a', world(process('P', start(), gateway('event', 'g'), log('"a"', 'a'), end(), from('g'), event('timer'), end()))],
  ['9018 P-start1 every', world(process('P', start({ trigger: 'timer', every: '' }), end()))],
  ['9018 P-intermediate1 delay', world(p(event('timer', { delay: '' })))],
  ['9019 P-intermediate1 message', world(p(event('receive')))],
  ['9020 P-intermediate1 range', world(message('M'), p(event('send', { message: 'M' })))],
  ['9021 P-ask1 range', world(variable('x'), p(ask('', 'x = 1')))],
  ['9021 P-create1 population', world(p(element('create', '', {})))],
  ['9021 P-destroy1 who', world(p(destroy()))],
  ['9021 P-move1 motion', world(p(move('forward')))],
  ['9023 P-call1 process', world(p(element('call', '', {})))],
  [
    '9023 P-a process',
    world(agents('A', {}, process('Q', start(passive), end())), agents('B', {}), p(ask('B', '', { does: 'call', process: 'A.Q' }, 'a'))),
  ],
  ['9023 P-c process', world(process('Q', start(), end()), p(call('Q', {}, 'c')))],
  ['9003 P-call1 inputs/0/name', world(process('Q', start(passive), end()), p(call('Q', { inputs: [{ name: 'nix', value: '1' }] })))],
  [
    '9004 P-call1 inputs/0/name',
    world(process('Q', start(passive), port('r', 'out'), end()), p(call('Q', { inputs: [{ name: 'r', value: '1' }] }))),
  ],
  ['9024 P-operate1 items/0/container', world(variable('x'), p(operate('take', 'x')))],
  ['9025 P-operate1 items/0/amount', world(container('c'), p(operate('take', 'c', -1)))],
  ['9025 c capacity', world(container('c', { capacity: '-1' }), p())],
  ['9026 L source', world(links('L'), p())],
  ['9027 S maxX', world(space('S', { minX: '6', maxX: '5' }), p())],
  ['9027 S maxX', world(space('S', { minX: '5', maxX: '5', topology: 'continuous' }), p())],
  ['9027 C space', world(cells('C'), p())],
  ['9028 A initialNumber', world(agents('A', { initialNumber: '1.5' }), p())],
  ['9029 A inherits', world(agents('A', { inherits: 'B' }), agents('B', { inherits: 'A' }), p())],
  ['9030 s expression', world(statistic('s', ''), p())],
  ['warning 9030 c series', world(chart('c', []), p())],
  ['warning 9031 k target', world(element('controller', 'k', { type: 'slider' }), p())],
  ['9031 P-decide1 actions', world(p(element('decide', '')))],
  ['9032 n layers', world(element('network', 'n', { layers: 'many' }), p())],
  ['9033 b node', world(element('blockchain', 'b', { node: 'no where' }), p())],
  ['9033 P-transaction1 chain', world(p(element('transaction', '')))],
]

describe('every check code is provoked', () => {
  it.each(cases)('%s', (expected, built) => {
    expect(codesOf(built)).toContain(expected)
  })
})

it('connectors without ends: 9001 and 9002; incoming at a start: 9007; outgoing at an end: 9008; lost references: 9022', () => {
  const built = world(
    variable('x'),
    process('P', start(), log('"a"', 'a'), end(), flow('a', 'P-start1'), flow('P-end1', 'a')),
    controller('k', 'x'),
  )
  const elements = new Map(built.model.elements)
  const broken = elements.get('P-start1--a')!
  elements.set('P-start1--a', { ...broken, ends: { from: { id: null, x: 0, y: 0 }, to: { id: null, x: 0, y: 0 } } })
  elements.set('k', { ...elements.get('k')!, fields: { ...elements.get('k')!.fields, target: 'gone' } })
  elements.set('future', { ...elements.get('k')!, id: 'future', kind: 'hologram' })
  elements.set('scenario1', { ...elements.get('scenario1')!, children: [...elements.get('scenario1')!.children, 'future'] })
  const { problems } = check({ ...built.model, elements }, 'scenario1')
  const codes = problems.map(({ code, at, severity }) => `${severity} ${code} ${at.id}`)
  expect(codes).toEqual(
    expect.arrayContaining([
      'error 9001 P-start1--a',
      'error 9002 P-start1--a',
      'error 9007 P-start1',
      'error 9008 P-end1',
      'error 9022 k',
      'error 9022 future',
    ]),
  )
})

describe('what is right is not reported', () => {
  it('a sound model has no problems', () => {
    const built = world(
      space('S'),
      cells('C', { space: 'S' }),
      variable('x', 1),
      resource('r', 1),
      agents(
        'A',
        { space: 'S', placement: 'random' },
        variable('e', 1),
        process(
          'Live',
          start({ trigger: 'timer', every: '1' }),
          compute('e += x'),
          move('forward'),
          exclusive('g'),
          when('e > 10'),
          create('A', 1, { as: 'offspring' }),
          end(),
          from('g'),
          otherwise(),
          place('', { where: 'randomCell' }),
          end(),
        ),
      ),
      func('f', ['n'], 'return n + 1'),
      statistic('s', 'f(A.count)'),
      chart('c', ['s']),
      controller('k', 'x'),
    )
    expect(codesOf(built)).toEqual([])
  })
  it('problems carry both languages, a fix and a place', () => {
    const [one] = checkOf(world(p(compute('y = 1 +')))).problems
    expect(one).toMatchObject({ code: 8002, severity: 'error', at: { id: 'P-compute1', field: 'program' } })
    expect(one && chinese(one.message)).not.toBe(one && english(one.message))
    expect(english(one?.fix)).not.toBe('')
    expect(typeof one?.at.from).toBe('number')
  })
})

describe('types are found together', () => {
  it('through initial values, writes, calls and loops', () => {
    const built = world(
      variable('a', 'b + 1'),
      variable('b', 2),
      variable('flag', 'a > b'),
      variable('maybe', 'None'),
      agents('A', { initialNumber: '3' }, variable('friend', 'None'), variable('n', 'a')),
      process('P', start(), compute('maybe = 3\na -= 1'), ask('A', 'friend = self\nn += 1'), end()),
    )
    const checked = checkOf(built)
    if (!checked.ok) throw new Error(JSON.stringify(checked.problems))
    const { shared, entities } = checked.checked.parts
    expect(Object.fromEntries(shared.map(one => [one.name, one.storage]))).toEqual({ a: 'number', b: 'number', flag: 'bool', maybe: 'any' })
    expect(Object.fromEntries(entities[0]!.variables.map(one => [one.name, one.storage]))).toEqual({ friend: 'entity', n: 'number' })
  })
})

it('bad input: a formula of 100 kB, deep nesting, unknown scenario: problems, not crashes', () => {
  expect(codesOf(world(p(compute(`x = ${'1 + '.repeat(30_000)}1`))))).toContain('8002 P-compute1 program')
  expect(codesOf(world(p(compute(`x = ${'('.repeat(5000)}1${')'.repeat(5000)}`))))).toContain('8002 P-compute1 program')
  expect(check(world(p()).model, 'nowhere').ok).toBe(false)
})

it('checking again after an edit costs little and gives the same', () => {
  const many = Array.from({ length: 60 }, (_, k) =>
    process(
      `P${k}`,
      start({ trigger: 'timer', every: '2' }),
      compute(`v${k} = v${k} + ${k}`),
      parallel('f'),
      delay(1),
      subprocess('s', start(), log(`v${k}`), end()),
      end(),
      from('f'),
      delay(2),
      boundary('f', 'timer'),
      end(),
    ),
  )
  const built = world(...many.map((_, k) => variable(`v${k}`, k)), ...many)
  const checker = createChecker()
  expect(checker.check(built.model, 'scenario1').problems).toEqual(checkOf(built).problems)
  // Texts change one after another: what stays within a formula, what changes types, what is wrong.
  let { model: now } = built
  for (const [id, field, text] of [
    ['P3-compute1', 'program', 'v3 = v3 * 2'],
    ['P3-compute1', 'program', 'v3 = v3 *'],
    ['P3-compute1', 'program', 'v3 = "text"'],
    ['v5', 'initial', '"x"'],
    ['v5', 'initial', '7'],
    ['P9-delay1', 'duration', 'v9 + 1'],
    ['P9-delay1', 'duration', ''],
    ['P3-compute1', 'program', 'v4 = 1'],
    ['P3-compute1', 'program', 'v4 = 1000'],
  ] as const) {
    const elements = new Map(now.elements)
    const element = elements.get(id)!
    elements.set(id, { ...element, fields: { ...element.fields, [field]: text } })
    now = { ...now, elements }
    const [again, fresh] = [checker.check(now, 'scenario1'), check(now, 'scenario1')]
    expect(again.problems, text).toEqual(fresh.problems)
    const types = (checked: typeof fresh) =>
      checked.ok ? checked.checked.parts.shared.map(one => [one.name, one.type, one.storage]) : null
    expect(types(again), text).toEqual(types(fresh))
    if (again.ok && fresh.ok) expect(compile(again.checked).source, text).toBe(compile(fresh.checked).source)
  }
})
