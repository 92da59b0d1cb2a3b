// What happens between ticks: tokens of simultaneous individuals write, wait, are born and die, while populations grow. All ways agree after
// every instant: as WebAssembly, as JavaScript, with the debugger's hooks, and in a run that is put together from a snapshot again and again.
import { describe, expect, it } from 'vitest'
import type { Model } from '../../../model-schema/model.ts'
import { Timeline } from '../../../sim-engine/debug/timeline.ts'
import type { Plain } from '../../../sim-engine/messages.ts'
import { lowerProcesses } from '../../../sim-engine/lower/processes/process.ts'
import { NotLowered } from '../../../sim-engine/lower/scope.ts'
import { rowsModule } from '../../../sim-engine/rows/module.ts'
import { start } from '../../../sim-engine/run.ts'
import {
  agents,
  ask,
  cells,
  compute,
  create,
  delay,
  destroy,
  end,
  event,
  every,
  exclusive,
  from,
  func,
  move,
  parallel,
  boundary,
  to,
  log,
  model,
  otherwise,
  process,
  release,
  request,
  resource,
  scenario,
  space,
  start as begin,
  type Built,
  statistic,
  terminate,
  variable,
  when,
  type Entry,
  type Part,
} from '../../help/models.ts'
import { chance as chanceOf, seeds, type Chance } from '../../help/random.ts'
import { programOf, stateOf } from '../../help/ways.ts'

/** Runs every way by stretches of instants, and compares all that is kept. Returns how many instants there were. */
function agree(of: Model, seed: number): number {
  const { below, pick } = chanceOf(seed)
  const plain = programOf(of, false)
  const debug = programOf(of, true)
  const reference = start(debug, { seed })
  const others = [start(plain, { seed, nativeFrom: 0 }), start(plain, { seed, nativeFrom: Infinity })]
  let restored = start(plain, { seed, nativeFrom: 0 })
  const times: number[] = []
  let instants = 0
  for (let goesOn = true; goesOn;) {
    const many = 1 + below(6)
    instants += many
    goesOn = reference.advance({ instants: many })
    for (const other of others) other.advance({ instants: many })
    restored.advance({ instants: many })
    const hash = reference.hash()
    for (const run of [...others, restored]) {
      if (run.hash() !== hash) expect(stateOf(run), `${instants} instants, at ${reference.time}`).toEqual(stateOf(reference))
      expect([run.hash(), run.result]).toEqual([hash, reference.result])
    }
    times.push(reference.time)
    if (!goesOn) break
    const next = below(2) === 0 ? start(plain, { seed: seed + 1, nativeFrom: 0 }) : restored
    next.restore(below(2) === 0 ? restored.snapshot() : reference.snapshot())
    restored = next
  }
  if (reference.result?.end === 'failed') return instants
  const [once] = others
  once?.restart(seed)
  once?.advance()
  expect([once?.hash(), once?.result]).toEqual([reference.hash(), reference.result])
  let now = 0
  const timeline = new Timeline(plain, { seed, nativeFrom: 0 }, () => (now += 1 + below(20)))
  for (let visit = 0; visit < 6; visit++) {
    const time = pick(times)
    timeline.seek({ time })
    timeline.work()
    const again = start(plain, { seed, nativeFrom: Infinity })
    again.advance({ until: time })
    expect(timeline.run.hash(), `gone to ${time}`).toBe(again.hash())
  }
  return instants
}

/** Chance, and what models are made of. */
class Draws {
  readonly random: Chance
  /** Of the sorts that run as WebAssembly: no functions, no lists, few individuals that are updated all at once. */
  readonly isPlain: boolean

  constructor(seed: number) {
    this.random = chanceOf(seed)
    this.isPlain = seed % 3 > 0
  }

  gap(): string {
    return this.random.pick(['1', '2', '0.5', '1.5', '0.3', 'exponential(1)', 'uniform(0.2, 3)', '0'])
  }

  timer(): Part {
    return begin(every(this.random.pick(['0.5', '1.5', '2', '3', 'exponential(1)', 'uniform(0.2, 3)'])))
  }

  rich<T>(...of: readonly T[]): readonly T[] {
    return this.isPlain ? [] : of
  }

  /** Steps that wait; `after` is a program at the end of an activity. */
  wait(after: string): Part[] {
    return this.random.pick([
      () => [delay(this.gap())],
      () => [event('timer', { delay: this.gap() })],
      () => [request('desk'), delay(this.gap()), release('desk')],
      () => [delay(this.gap(), '', { resources: [{ container: 'desk', amount: '1', key: '' }], after })],
    ])()
  }
}

const which = (name: string, condition: string, ...then: readonly Entry[]): Entry[] => [
  exclusive(name),
  when(condition),
  ...then,
  from(name),
  otherwise(),
]

/** Agents with loops, ticked tokens, timers and functions. */
function people(draws: Draws, name: string, other: string, ticks: string, isPlaced: boolean): Part {
  const { pick, chance, below } = draws.random
  const isSimultaneous = chance(draws.isPlain ? 0.15 : 0.4)
  const change = (): Part =>
    compute(
      pick([
        'n += 1',
        'n = n * 0.5 + age',
        'age += 1\nn = age',
        'word = "late" if n > 3 else "soon"',
        'glad = not glad',
        'total += n',
        ...draws.rich(
          'friend = choice(list(Guest)) if Guest.count > 0 else None',
          'seen = seen + [round(n, 3)] if len(seen) < 4 else []',
          'grow()',
        ),
        `for o in ${other}:\n    o.age += 0.5`,
        `n = sum(o.n for o in ${other}) % 7`,
        'n = random() * 3 + tag',
        'n = age if word == "late" else n + 0.5',
        'size = 1 + n % 2',
      ]),
    )
  const fate = (of: string): Entry[] =>
    pick([
      () => [],
      () => which(`${of} last`, 'random() < 0.3', create(name, 1 + below(3)), end()),
      () => which(`${of} last`, 'random() < 0.2', destroy(), end()),
      () => [ask(pick(['Guest', 'Host']), pick(['n += 0.25', 'age += 1']))],
      () => (isPlaced ? [move('turn', 30), move('forward', 1)] : []),
    ])()
  const act = (of: string, how: Part, waits: boolean): Part =>
    process(
      of,
      variable('tag', pick(['0', 'n', 'random()'])),
      how,
      change(),
      ...(waits ? [...draws.wait('n += 1'), change()] : []),
      ...(waits && chance(0.4) ? which(`${of} again`, 'n % 2 < 1', ...draws.wait('n += 1'), compute('n = n + tag'), end()) : []),
      ...fate(of),
      end(),
    )
  return agents(
    name,
    {
      initialNumber: String(1 + below(20)),
      order: isSimultaneous ? 'simultaneous' : pick(['fixed', 'shuffled', ...draws.rich('key')]),
      orderKey: '-age',
      maximum: '200',
      ...(isPlaced ? { space: 'Land', placement: 'cells' } : {}),
    },
    variable('n', '0', { public: true }),
    variable('age', 'id % 3', { public: true }),
    variable('word', '"none"', { public: true }),
    variable('glad', 'id % 2 == 0', { public: true }),
    ...draws.rich(
      variable('friend', 'None', { public: true, type: 'entity' }),
      variable('seen', '[]', { public: true, type: 'list' }),
      func('grow', [], pick(['n = n + 1', 'age = age + n % 2'])),
    ),
    ...(ticks !== 'tokens' && chance(0.6) ? [act('Live', begin(every(1)), false)] : []),
    ...(ticks !== 'loops' && chance(0.6) ? [act('Visit', begin(every(1)), true)] : []),
    ...(chance(0.6) ? [act('Errand', chance(0.3) ? begin() : draws.timer(), true)] : []),
    ...(chance(0.4) ? [act('Late', draws.timer(), false)] : []),
  )
}

/** Processes without an owner that change, ask, create and look at agents. */
function beside(draws: Draws): Part[] {
  const { pick, chance, below } = draws.random
  const all = [
    () => process('Grow', draws.timer(), create(pick(['Guest', 'Host']), 1 + below(9)), end()),
    () => process('Stir', draws.timer(), ask(pick(['Guest', 'Host']), pick(['n += 1', 'age = n', ...draws.rich('grow()')])), end()),
    () =>
      process(
        'Call',
        draws.timer(),
        compute(`for o in Guest:\n    ${draws.isPlain ? 'o.n += 1' : 'o.grow()'}\ntotal += 1`),
        ...draws.wait('total += 1'),
        compute('total += 1'),
        end(),
      ),
    () =>
      process(
        'Serve',
        draws.timer(),
        request('desk'),
        delay(draws.gap()),
        compute('for o in Host:\n    o.age += 1'),
        release('desk'),
        end(),
      ),
    () => process('Halt', begin(every(1)), ...which('halt', pick(['total > 15', 'tick > 8', 'random() < 0.1']), terminate()), end()),
    () =>
      process(
        'Split',
        draws.timer(),
        parallel('fork'),
        ...draws.wait('total += 1'),
        parallel('join'),
        compute('total += 1'),
        end(),
        from('fork'),
        delay(draws.gap()),
        to('join'),
      ),
    () =>
      process(
        'Doubt',
        draws.timer(),
        delay('2', 'long'),
        compute('total -= 1'),
        end(),
        boundary('long', 'timer', { delay: draws.gap() }),
        compute('total += 2'),
        ...draws.wait('total += 1'),
        end(),
      ),
    () => process('Fail', begin(every(1)), compute('total += 1 / (40 - total * 2)'), end()),
    () => process('Watch', begin(every(7)), event('condition', { condition: 'total > 9' }), compute('total = 0'), end()),
    () => process('Day', begin(every(1)), compute('total += 0.5'), ...draws.wait('total += 1'), log('round(total, 3)'), end()),
    () => process('Stop', begin(), delay(pick(['5.5', '7', 'uniform(3, 9)'])), ...which('stop', 'total > 5', terminate()), end()),
  ]
  return all.filter(() => chance(0.3)).map(make => make())
}

function plot(draws: Draws): Part[] {
  const { pick, chance } = draws.random
  return [
    space('Land', { minX: '0', maxX: pick(['5', '23']), minY: '0', maxY: pick(['4', '18']), wrapX: chance(0.5), wrapY: true }),
    cells(
      'Plot',
      { space: 'Land', order: pick(['simultaneous', 'simultaneous', 'fixed']) },
      variable('grass', 'x % 2', { public: true }),
      process(
        'Spread',
        begin(every(1)),
        compute(pick(['grass = sum(c.grass for c in moore()) % 2', 'if grass > 0:\n    grass = grass + 1', 'grass = grass + 1'])),
        end(),
      ),
      ...(chance(0.5)
        ? [
            process(
              'Rain',
              draws.timer(),
              compute(pick(['grass = 1', 'grass = grass + x'])),
              ...(chance(0.5) ? [delay(draws.gap()), compute('grass = 0')] : []),
              end(),
            ),
          ]
        : []),
    ),
  ]
}

function randomModel(seed: number): Model {
  const draws = new Draws(seed)
  const { below, pick, chance } = draws.random
  const ticks = draws.isPlain ? pick(['loops', 'tokens', 'both']) : 'both'
  const land = ticks !== 'tokens' && chance(0.4)
  const both = (name: string, other: string): Part => people(draws, name, other, ticks, land && chance(0.6))
  return model(
    scenario({ totalTicks: 12, ticking: chance(0.85) }),
    variable('total', '0'),
    resource('desk', 1 + below(4)),
    both('Guest', 'Host'),
    both('Host', 'Guest'),
    ...(land ? plot(draws) : []),
    ...beside(draws),
    ...(chance(0.4) ? [statistic('mean n', 'sum(o.n for o in Guest)', { sample: pick(['tick', 'event', 'end']) })] : []),
  ).model
}

/** Simultaneous individuals who count between ticks, as `written` does for all of them, while more and more are born in one of several ways. */
function countingModel({ below, pick, chance }: Chance): Built {
  const grows = pick([
    [process('Grow', begin(every(pick(['0.7', '1.5', '2']))), create('Person', 3 + below(20)), end())],
    [process('Grow', begin(every('1')), create('Person', 3 + below(20)), end())],
    [],
  ])
  const counts = pick(['n = n + 1', 'count_up()'])
  return model(
    scenario({ totalTicks: 8, ticking: chance(0.7) }),
    variable('written', '0'),
    agents(
      'Person',
      { initialNumber: String(1 + below(30)), order: 'simultaneous' },
      variable('n', '0', { public: true }),
      variable('acts', '0', { public: true }),
      variable('word', '"0"', { public: true }),
      variable('all', '[]', { public: true, type: 'list' }),
      func('count_up', [], 'n = n + 1'),
      process(
        'Count',
        begin({ trigger: 'timer', first: '0.25 + id % 4 / 8', every: pick(['1', '1.5', '3']) }),
        compute(counts),
        compute('word = str(n + 1)\nall = all + [id]\nwritten += 1'),
        ...(chance(0.5) ? [delay('0.4'), compute('n = n + 1\nword = word + "."\nall = all + [0]\nwritten += 1')] : []),
        ...(grows.length === 0 ? [create('Person', '1 if Person.count < 90 else 0')] : []),
        end(),
      ),
      ...(chance(0.5) ? [process('Act', begin(every(1)), compute('acts = acts + 1'), end())] : []),
    ),
    ...grows,
  )
}

describe('between ticks', () => {
  it('what a simultaneous individual wrote is there at the end of the instant, however its population grows', () => {
    seeds(12, random => {
      const built = countingModel(random)
      agree(built.model, random.seed)
      for (const nativeFrom of [0, Infinity]) {
        const run = start(programOf(built.model, false), { seed: random.seed, nativeFrom })
        for (let goesOn = true; goesOn;) {
          goesOn = run.advance({ instants: 1 })
          const people = run.world.population(0)
          const sum = (of: (one: Record<string, Plain>) => number): number =>
            people.individuals().reduce((total, handle) => total + of(run.individual(0, handle)!), 0)
          expect([sum(({ n }) => Number(n)), sum(({ all }) => (all as Plain[]).length)], `at ${run.time}`).toEqual([
            run.value(built.id('written')),
            run.value(built.id('written')),
          ])
        }
        expect(run.result?.end).toBe('success')
      }
    })
  })

  it('only what was written is copied at the end of the instant', () => {
    const { model: of } = model(
      scenario({ totalTicks: 10, ticking: false }),
      agents(
        'Person',
        { initialNumber: '40', order: 'simultaneous' },
        variable('n', 'id'),
        process('Wait', begin(), delay('id / 8'), compute('n = n + 1'), compute('n = n * 2'), end()),
      ),
    )
    const run = start(programOf(of, false), { seed: 1 })
    const column = run.inner.built.world.population(0).columns.get('v0')!.data as Float64Array
    const copied: number[] = []
    column.set = () => void copied.push(column.length)
    run.advance()
    expect(copied).toEqual([])
    expect(Array.from(column.subarray(0, 40))).toEqual(Array.from({ length: 40 }, (_, k) => (k + 1) * 2))
  })

  it('all ways agree after each instant: random models', () => {
    let [instants, tokens, loops] = [0, 0, 0]
    seeds(20, ({ seed }) => {
      const of = randomModel(seed)
      instants += agree(of, seed)
      const program = programOf(of, false)
      if (lowerProcesses(program)) tokens++
      if (!(rowsModule(program, new Set(), null) instanceof NotLowered)) loops++
    })
    if (globalThis.process.env['SEED'] !== undefined) return
    expect(instants).toBeGreaterThan(200)
    expect(tokens).toBeGreaterThan(8)
    expect(loops).toBeGreaterThan(2)
  })
})
