// One model for each run-time code. Something goes wrong at time 2.5, in the process P unless said otherwise.
import {
  agents,
  assert,
  ask,
  cells,
  compute,
  container,
  create,
  delay,
  element,
  end,
  event,
  exclusive,
  from,
  links,
  log,
  message,
  model,
  move,
  operate,
  passive,
  place,
  process,
  request,
  resource,
  scenario,
  space,
  start,
  variable,
  weight,
  when,
} from './models.ts'
import type { Plain } from '../../sim-engine/messages.ts'
import type { Built, Entry, Part } from './models.ts'

const late = { trigger: 'timer', first: '2.5', every: '' }
const world = (...parts: readonly Part[]): Built => model(scenario({ totalTicks: 5 }), ...parts)
const acts = (...steps: readonly Entry[]): Part => process('P', start(late), ...steps, end())
/** `y` is set to a formula over mixed data. */
const formula = (text: string, ...more: readonly Part[]): Built =>
  world(
    variable('x', '[1, "a", True, None, [1]]', { type: 'list' }),
    variable('d', '{"a": 1}', { type: 'dict' }),
    variable('y', 'None'),
    variable('n', 0),
    ...more,
    acts(compute(`y = ${text}`, 'c')),
  )
const lot = space('S', { minX: '0', maxX: '2', minY: '0', maxY: '1', wrapX: false, wrapY: false, border: 'error' })
const pair = (...inside: readonly Part[]): Part => agents('A', { initialNumber: '2', order: 'fixed' }, variable('w', 1), ...inside)
const store = (name: string, fields: Record<string, string | boolean> = {}): Part =>
  container(name, { initial: '2', capacity: '3', ...fields })
const now = { otherwise: 'fail' }
const key = (key: string): { items: { container: string; amount: string; key: string }[] } => ({
  items: [{ container: 'c', amount: '1', key }],
})

/** Code, where it is reported (`element field from-to tick time entity`), the model, and values set from outside. */
export const runtimeCases: readonly (readonly [code: number, where: string, built: Built, inputs?: Record<string, Plain>])[] = [
  [10007, 'P-c program 4-12 2 2.5 -', formula('x[1] - 1')],
  [10008, 'on initial - 0 0 -', world(variable('on', true, { public: true }), acts()), { on: 'often' }],
  [10009, 'P-c program 4-16 2 2.5 -', formula('", ".join(x)')],
  [10010, 'P-c program 16-20 2 2.5 -', formula('[k for k in x[0]]')],
  [10011, 'P-c program 13-17 2 2.5 -', formula('d.update(x[1])')],
  [10011, 'c initial - 0 0 -', world(container('c', { contents: 'keyed', initial: '5' }), acts())],
  [
    10012,
    'A-P-k linkTo - 2 2.5 A 1',
    world(
      variable('v', '[1, "a"]', { type: 'list' }),
      pair(process('P', start(late), create('L', 1, { linkTo: 'v[1]' }, 'k'), end())),
      links('L', { source: 'A', target: 'A' }),
    ),
  ],
  [10013, 'P-c program 4-21 2 2.5 -', formula('date("yesterday")')],
  [10014, 'P-c program 4-12 2 2.5 -', formula('x[3] + 1')],
  [10015, 'P-c program 4-20 2 2.5 -', formula('1e300 ** (2 + n)')],
  [10016, 'P-c program 4-13 2 2.5 -', formula('int(x[1])')],
  [10018, 'P-c program 4-9 2 2.5 -', formula('1 / n')],
  [10019, 'P-c program 4-15 2 2.5 -', formula('sqrt(n - 1)')],
  [10020, 'P-c program 4-22 2 2.5 -', formula('exponential(n - 1)')],
  [10021, 'P-c program 4-20 2 2.5 -', formula('bernoulli(n + 2)')],
  [10022, 'P-c program 4-12 2 2.5 -', formula('x[n + 9]')],
  [10023, 'P-c program 4-14 2 2.5 -', formula('x[n + 0.5]')],
  [10024, 'P-c program 4-10 2 2.5 -', formula('d["b"]')],
  [10025, 'P-c program 4-13 2 2.5 -', formula('{x[3]: 1}')],
  [10026, 'P-c program 4-17 2 2.5 -', formula('choice(x[9:])')],
  [10027, 'P-c program 4-24 2 2.5 -', formula('choices([1, 2], [1])')],
  [10028, 'P-c program 4-16 2 2.5 -', formula('sample(x, 9)')],
  [10030, 'P-c program 4-13 2 2.5 -', formula('{x[4]: 1}')],
  [
    10031,
    'P-c program 21-29 2 2.5 -',
    world(variable('x', '[1, "a"]', { type: 'list' }), variable('y', 'None'), pair(), acts(compute('x[0] = choice(A)\ny = x[0].nix', 'c'))),
  ],
  [10032, 'P-c program 9-23 2 2.5 -', formula('list(range(0, 1, n))')],
  // Of what may be anything, only the run knows what may be set.
  [
    10033,
    'P-c program 41-45 2 2.5 -',
    world(agents('A', { initialNumber: '1' }), acts(compute('for a in [A.individuals[0], "text"]:\n    a.id = 2', 'c'))),
  ],
  [10034, 'P-c program 6-10 2 2.5 -', world(variable('n', 0), acts(compute('while True:\n    n += 1', 'c')))],
  [10035, 'P-c condition - 2 2.5 -', world(variable('n', 0), acts(assert('n > 0', 'too few', 'c')))],
  [10036, 'P-o items - 2 2.5 -', world(store('c'), acts(operate('take', 'c', 3, now, 'o')))],
  [10037, 'P-o items - 2 2.5 -', world(store('c'), acts(operate('put', 'c', 2, now, 'o')))],
  [
    10038,
    'P-o items - 2 2.5 -',
    world(container('c', { contents: 'keyed', initial: '{"a": 1}' }), acts(operate('take', key('b'), 1, {}, 'o'))),
  ],
  [10039, 'P-o items - 2 2.5 -', world(store('c'), variable('n', -1), acts(operate('take', 'c', 'n', {}, 'o')))],
  [10040, 'P-o items - 2 2.5 -', world(resource('r', 2), acts(operate('release', 'r', 1, {}, 'o')))],
  [10041, 'P-end1 result - 2 2.5 -', world(resource('r', 2), acts(request('r')))],
  [10042, 'P-o items - 2 2.5 -', world(resource('r', 2), acts(operate('request', 'r', 3, {}, 'o')))],
  [
    10043,
    'P-o items - 2 2.5 -',
    world(container('c', { contents: 'items', initial: '["a"]' }), acts(operate('take', 'c', '"z"', now, 'o'))),
  ],
  [
    10044,
    'P-g type - 2 2.5 -',
    world(variable('n', 0), process('P', start(late), exclusive('g'), when('n > 1'), end(), from('g'), when('n > 2'), end())),
  ],
  [
    10045,
    'P-g type - 2 2.5 -',
    world(
      variable('n', 0),
      process('P', start(late), exclusive('g', { by: 'probability' }), weight('n'), end(), from('g'), weight('n'), end()),
    ),
  ],
  [
    10047,
    'P-l name - 2 2.5 -',
    world(
      variable('n', 0),
      process(
        'P',
        start(late),
        log('""', 'l'),
        exclusive('g'),
        when('n == 0'),
        compute('n = 0', 'c'),
        exclusive('h'),
        when('n == 0'),
        { is: 'to', step: 'l' },
        from('g'),
        when('n == 1'),
        end(),
        from('h'),
        when('n == 1'),
        end(),
      ),
    ),
  ],
  [10050, 'P-e code - 2 2.5 -', world(process('P', start(late), element('end', 'e', { result: 'error', code: 'late' })))],
  [10051, 'P-w duration - 2 2.5 -', world(variable('n', -1), acts(delay('n', 'w')))],
  [10052, 'P-start1 times - 0 0 -', world(process('P', start({ trigger: 'timer', times: '[-1]' }), end()))],
  [
    10053,
    'A-P-c target - 2 2.5 A 1',
    world(
      space('S'),
      agents(
        'A',
        { initialNumber: '2', order: 'fixed', space: 'S', placement: 'random' },
        variable('friend', 'None'),
        process('P', start({ active: false }), place('friend', {}, 'c'), end()),
      ),
      process(
        'Q',
        start(late),
        ask('A', 'friend = [a for a in A if a.id == 2][0]'),
        ask('A', 'die(self)', { filter: 'id == 2' }),
        ask('A', '', { does: 'call', process: 'A.P' }),
        end(),
      ),
    ),
  ],
  [
    10048,
    'P-a process - 2 2.5 -',
    world(
      pair(process('Hop', start(passive), end())),
      agents('B', { initialNumber: '1' }),
      acts(ask('[a for a in A] + [b for b in B]', '', { does: 'call', process: 'A.Hop' }, 'a')),
    ),
  ],
  [
    10063,
    'P-s range - 2 2.5 -',
    world(
      message('M'),
      variable('friend', 'None'),
      pair(),
      acts(
        compute('friend = A.individuals[0]', 'c'),
        ask('A', 'die(self)', { filter: 'id == 1' }),
        event('send', { message: 'M', range: 'friend', nobody: 'error' }, 's'),
      ),
    ),
  ],
  [
    10063,
    'P-s range - 2 2.5 -',
    world(message('M'), pair(), acts(event('send', { message: 'M', range: 'A.individuals', filter: 'w > 5', nobody: 'error' }, 's'))),
  ],
  [10054, 'P-a range - 2 2.5 -', world(pair(), acts(ask('A', 'w = 1', { filter: 'w > 5', nobody: 'error' }, 'a')))],
  [
    10055,
    'Q-k linkTo - 2 2.5 -',
    world(
      variable('x', '[]', { type: 'list' }),
      pair(),
      agents('B', { initialNumber: '1' }),
      links('L', { source: 'A', target: 'A' }),
      process('Q', start(late), compute('x = [b for b in B]'), create('L', 1, { linkTo: '(x[0], A.individuals[0])' }, 'k'), end()),
    ),
  ],
  [10056, 'P-k population - 2 2.5 -', world(agents('A', { initialNumber: '2', maximum: '3' }), acts(create('A', 2, {}, 'k')))],
  [
    10057,
    'P-l linkTo - 2 2.5 -',
    world(
      pair(),
      links('L', { source: 'A', target: 'A', duplicate: 'error' }),
      acts(
        create('L', 1, { linkTo: '(A.individuals[0], A.individuals[1])' }, 'k'),
        create('L', 1, { linkTo: '(A.individuals[0], A.individuals[1])' }, 'l'),
      ),
    ),
  ],
  [
    10058,
    'A-P-k linkTo - 2 2.5 A 1',
    world(pair(process('P', start(late), create('L', 1, { linkTo: 'None' }, 'k'), end())), links('L', { source: 'A', target: 'A' })),
  ],
  [
    10059,
    'A-P-k linkTo - 2 2.5 A 1',
    world(
      agents('A', { initialNumber: '1' }, process('P', start(late), create('L', 1, { linkTo: 'self' }, 'k'), end())),
      links('L', { source: 'A', target: 'A' }),
    ),
  ],
  [
    10060,
    'A-P-m motion - 2 2.5 A 1',
    world(
      lot,
      agents(
        'A',
        { initialNumber: '1', space: 'S', placement: 'position', position: '[2, 0]' },
        process('P', start(late), move('forward', 3, {}, 'm'), end()),
      ),
    ),
  ],
  [
    10061,
    'A-P-c target - 2 2.5 A 2',
    world(
      lot,
      cells('C', { space: 'S', capacity: 1 }),
      agents(
        'A',
        { initialNumber: '2', space: 'S', placement: 'emptyCells' },
        process('P', start(late), place('cell_at(0, 0)', { where: 'position' }, 'c'), end()),
      ),
    ),
  ],
  [
    10062,
    'A-P-m motion - 2 2.5 A 1',
    world(lot, agents('A', { initialNumber: '1', space: 'S' }, process('P', start(late), move('forward', 1, {}, 'm'), end()))),
  ],
  [
    10064,
    'P-b delivery - 2 2.5 -',
    world(
      message('M', { capacity: 1, full: 'error' }),
      acts(event('send', { message: 'M', range: 'world' }, 'a'), event('send', { message: 'M', range: 'world' }, 'b')),
    ),
  ],
  [
    10065,
    'P-d actions - 2 2.5 -',
    world(
      variable('v', 0),
      acts(element('decide', 'd', { policy: 'formula', choice: '7', actions: [{ variable: 'v', low: 0, high: 1 }] })),
    ),
  ],
  [
    10067,
    'P-t method - 2 2.5 -',
    world(
      element('blockchain', 'net'),
      acts(element('transaction', 't', { does: 'transfer', account: 'net.account("a")', recipient: 'net.account("b")', value: '1' })),
    ),
  ],
  [10066, 'P-c program - 2 2.5 -', world(variable('v', 0), element('network', 'net'), acts(compute('v = net.value([1])', 'c')))],
]
