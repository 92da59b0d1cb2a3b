// Formulas of tokens that look at other individuals: as WebAssembly (plain) and in the general way (debug) they agree on everything that is kept.
import { describe, expect, it } from 'vitest'
import type { Model } from '../../../model-schema/model.ts'
import { below, stream } from '../../../sim-engine/kernel/random.ts'
import { lowerProcesses } from '../../../sim-engine/lower/processes/process.ts'
import { start } from '../../../sim-engine/run.ts'
import {
  agents,
  compute,
  create,
  delay,
  destroy,
  end,
  every,
  exclusive,
  from,
  func,
  model,
  move,
  otherwise,
  process,
  scenario,
  space,
  start as startStep,
  statistic,
  to,
  variable,
  when,
  type Entry,
  type Fields,
  type Part,
} from '../../help/models.ts'
import { compare, programOf, stateOf } from '../../help/ways.ts'

const programs = [
  'goal = nearest(Store)',
  'goal = choice(Store)',
  'friend = nearest(Walker)',
  'friend = nearest(w for w in Walker if w.far > 1)',
  'if friend is not None and is_alive(friend):\n    friend.far += 0.5\n    far = (far + friend.far) / 2\n    seen = friend\nelse:\n    friend = None',
  'if goal is not None:\n    goal.sold += 1\n    far += distance(goal) / 10\n    goal.open = not goal.open',
  'far += sum(s.stock for s in Store) / 1000 + len(Walker) / 100 + Store.count',
  'far += 1 if any(w.far > 2 and w != self for w in Walker) else 0',
  'far = mean(w.far for w in Walker)',
  'far += sum(1 for s in Store if s.open and s.stock > 4) + sqrt(abs(far))',
  'goal = max(Store, key=lambda s: s.stock - distance(s))',
  'goal = min((s for s in Store if s.stock > 3), key=lambda s: s.sold, default=None)',
  'far += len([w for w in Walker if w.friend == self]) / 10',
  'for s in Store:\n    if distance(s) < 3:\n        s.stock -= 1\n        s.last = self',
  'far += liking(2)\nif seen is not None and is_alive(seen):\n    far += seen.liking()',
  'total += goal.x + goal.id if goal is not None else y + heading / 360',
  'mine = nearest(Store)\nmine.mood = "busy"\nif goal is not None and goal.mood == "busy":\n    goal = mine',
  'if seen is not None and is_alive(seen) and seen.goal is not None:\n    goal = seen.goal\n    total += distance(seen, goal)',
]
/** Of those near by, in open spaces. */
const around = [
  'far += sum(w.far for w in neighbors(2, Walker)) / 10',
  'far += len(neighbors(1 + far % 3, Walker))',
  'far = count(w for w in neighbors(3, Walker) if w.friend == self)',
  'if any(s.stock > 4 for s in neighbors(2.5, Store)):\n    far = mean(w.far for w in Walker)\nelse:\n    total += sum(s.stock for s in neighbors(20, Store))',
  'for s in neighbors(2, Store):\n    s.sold += 1',
  'far += 1 if goal is not None and all(w.far < 9 for w in neighbors(2, Walker, goal)) else 0',
]
const conditions = [
  'goal is None',
  'friend is not None and is_alive(friend) and distance(friend) < 3',
  'far < 2 or goal == nearest(Store)',
  'seen == friend',
  'max(w.far for w in Walker) > 4',
  'any(s.last == self for s in Store)',
]
const angles = ['direction_to(goal) if goal is not None else 90', 'direction_to((3, 4))', 'direction_to(nearest(Store))']
const lengths = ['min(1, distance(goal)) if goal is not None else 0.5', 'distance(nearest(Store)) / 3', '1']

/** Walkers in a space that look around, remember each other, are born and die; stores that are looked at, and may act without tokens. */
function lookingModel(seed: number): Model {
  const s = stream(seed, 0, 'looking')
  const one = <T>(of: readonly T[]): T => of[below(s, of.length)]!
  const topology = one(['discrete', 'continuous', 'continuous'])
  const field = space('Field', {
    topology,
    minX: '0',
    maxX: '9',
    minY: '0',
    maxY: '7',
    wrapX: below(s, 2) === 0,
    wrapY: below(s, 2) === 0,
    border: one(['stop', 'reflect']),
  })
  const program = (): string => (topology === 'continuous' && below(s, 2) === 0 ? one(around) : one(programs))
  const acts: Part[] =
    below(s, 2) === 0
      ? [
          process(
            'Fill',
            startStep(every(1)),
            compute(
              one([
                'stock += 1\nif last is not None and is_alive(last):\n    stock += last.far / 10',
                'stock = 3 + len(neighbors(2, Walker))',
                'stock += 1\nwho = nearest(Walker)\nif who is not None:\n    who.far += 0.25',
              ]),
            ),
            end(),
          ),
        ]
      : []
  const mortal: Entry[] =
    below(s, 2) === 0
      ? [
          exclusive('lives?'),
          when('random() < 0.1'),
          create('Walker', 1, { as: one(['offspring', 'new']), placement: 'random' }),
          destroy(),
          end(),
          from('lives?'),
          otherwise(),
          delay(one(['0.5', 'exponential(1)'])),
        ]
      : []
  const comes: Part[] =
    mortal.length > 0
      ? [
          process(
            'Come',
            startStep({ trigger: 'timer', every: 'exponential(1)' }),
            create(
              'Walker',
              'randint(0, 3)',
              one<Fields>([{}, { placement: 'random', values: [{ property: 'goal', mode: 'expression', value: 'choice(Store)' }] }]),
            ),
            end(),
          ),
        ]
      : []
  const order: Fields = below(s, 6) === 0 ? { order: 'simultaneous' } : {}
  return model(
    scenario({ totalTicks: 40, ticking: acts.length > 0 || below(s, 2) === 0 }),
    variable('total', '0'),
    field,
    agents(
      'Store',
      { initialNumber: '4', space: field, placement: 'random', ...order },
      variable('stock', one(['5', 'randint(1, 9)']), { public: true }),
      variable('sold', '0', { public: true }),
      variable('open', 'random() < 0.5', { public: true }),
      variable('mood', '"calm"', { public: true }),
      variable('last', 'None', { public: true }),
      ...acts,
    ),
    agents(
      'Walker',
      { initialNumber: '8', space: field, placement: 'random' },
      variable('goal', one(['None', 'nearest(Store)', 'choice(Store)']), { public: true }),
      variable('friend', 'None', { public: true }),
      variable('far', '0', { public: true }),
      func('liking', [], 'return scale * (goal.stock - distance(goal) if goal is not None and goal.open else far / 2)', {
        parameters: [{ name: 'scale', default: '1' }],
      }),
      // The type of the variables follows from what is assigned to them elsewhere.
      process('Late', startStep(), delay('1000'), compute('goal = nearest(Store)\nfriend = self\ngoal.last = self'), end()),
      process(
        'Walk',
        variable('seen', one(['nearest(Walker)', 'nearest(Walker) if random() < 0.5 else None'])),
        startStep(),
        delay('exponential(1)', 'go'),
        compute(program()),
        move('head', one(angles)),
        move(one(['forward', 'backward']), one(lengths)),
        ...mortal,
        compute(program()),
        exclusive('which'),
        when(one(conditions)),
        compute(program()),
        to('go'),
        from('which'),
        otherwise(),
        compute(program()),
        exclusive('more'),
        when('far < 1e9'),
        to('go'),
        from('more'),
        otherwise(),
        end(),
      ),
    ),
    ...comes,
    ...(below(s, 2) === 0 ? [statistic('span', 'sum(w.far for w in Walker)', { sample: 'event', aggregate: 'mean' })] : []),
  ).model
}

describe('tokens that look at other individuals', () => {
  it('gives the same states as the general way: 40 random models', () => {
    let isWhole = 0
    for (let seed = 1; seed <= 40; seed++) {
      const of = lookingModel(seed)
      const lowered = lowerProcesses(programOf(of, false))
      if (lowered?.reasons.size === 0) isWhole++
      compare(of, seed, [below(stream(seed, 1, 'cuts'), 20) + 0.3, 30])
    }
    expect(isWhole).toBeGreaterThan(10)
  })

  it('lets offspring look where their mother does', () => {
    const of = model(
      scenario({ totalTicks: 20 }),
      space('Field', { topology: 'continuous', minX: '0', maxX: '9', minY: '0', maxY: '7' }),
      agents(
        'Guest',
        { initialNumber: '2', space: 'Field', placement: 'random' },
        process(
          'Stay',
          startStep(),
          delay('exponential(5)'),
          move('turn', 10),
          create('Guest', 1, { as: 'offspring', placement: 'random' }),
          destroy(),
          end(),
        ),
      ),
    ).model
    expect(lowerProcesses(programOf(of, false))?.reasons.size).toBe(0)
    compare(of, 2, [5, 12.5])
  })

  it('finds all where so many are born that the buckets of the space are others', () => {
    const of = model(
      scenario({ totalTicks: 20, ticking: false }),
      space('Field', { topology: 'continuous', minX: '0', maxX: '19', minY: '0', maxY: '17', wrapX: true }),
      agents(
        'Guest',
        { initialNumber: '3', space: 'Field', placement: 'random' },
        variable('near', 'len(neighbors(2, Guest))', { public: true }),
        process(
          'Stay',
          startStep(),
          delay('uniform(0.5, 1)', 'go'),
          move('turn', 'uniform(-40, 40)'),
          move('forward', 'sum(g.near for g in neighbors(1.5, Guest)) / (1 + near)'),
          compute('near = len(neighbors(2, Guest))'),
          exclusive('ends?'),
          when('age > 15'),
          destroy(),
          end(),
          from('ends?'),
          otherwise(),
          to('go'),
        ),
      ),
      process('Come', startStep({ trigger: 'timer', every: '1' }), create('Guest', '40', { placement: 'random' }), end()),
    ).model
    const lowered = lowerProcesses(programOf(of, false))
    expect(lowered?.reasons.size).toBe(0)
    expect(lowered?.residents.size).toBe(1)
    compare(of, 2, [5, 12.5])
    const run = start(programOf(of, false), { seed: 2, nativeFrom: 0 })
    const buckets = () => JSON.stringify(Reflect.get(run.snapshot().state as object, 'world') ?? '').match(/"buckets":\[[^\]]*\]/)?.[0]
    run.advance({ until: 2 })
    const before = buckets()
    run.advance()
    expect(buckets()).not.toBe(before)
  })

  it('fails at the same place: nobody, the dead, those who stand nowhere', () => {
    const of = (program: string, placement: string) =>
      model(
        scenario({ totalTicks: 20 }),
        space('Field', { minX: '0', maxX: '9', minY: '0', maxY: '7' }),
        agents('Store', { initialNumber: '3', space: 'Field', placement }, variable('stock', '1', { public: true })),
        agents(
          'Mote',
          { initialNumber: '2' },
          variable('mass', '1', { public: true }),
          process('Leave', startStep(), delay('3'), destroy(), end()),
        ),
        agents(
          'Walker',
          { initialNumber: '3', space: 'Field', placement: 'random' },
          variable('goal', 'None'),
          variable('mote', 'None'),
          variable('far', '0'),
          process('Late', startStep(), delay('1000'), compute('goal = nearest(Store)\nmote = choice(Mote)'), end()),
          process(
            'Walk',
            startStep(),
            delay('1', 'go'),
            compute(program),
            exclusive('more'),
            when('id > 0'),
            to('go'),
            from('more'),
            otherwise(),
            end(),
          ),
        ),
      ).model
    for (const [program, placement, code] of [
      [
        'if time > 5 and goal is not None:\n    goal = None\nif time > 5:\n    goal.stock += 1\nelse:\n    goal = nearest(Store)',
        'random',
        10014,
      ],
      [
        'if time > 5:\n    mote.mass += distance(goal)\nelse:\n    goal = choice(Store)\n    mote = choice(Mote) if Mote.count > 0 else mote',
        'random',
        10053,
      ],
      ['goal = choice(Store)\nfar = direction_to(goal)', 'none', 10062],
      ['mote = choice(Mote)', 'random', 10026],
      ['if Mote.count == 0:\n    goal = min((s for s in Store if s.stock > 1), key=lambda s: s.id)', 'random', 10026],
    ] as const) {
      const made = of(program, placement)
      expect(lowerProcesses(programOf(made, false))?.reasons.size, program).toBe(0)
      const [plain, debug] = [false, true].map(isDebug => {
        const run = start(programOf(made, isDebug), { seed: 3, nativeFrom: 0 })
        run.advance()
        return stateOf(run)
      })
      expect(plain).toEqual(debug)
      expect(plain).toMatchObject({ result: { end: 'failed', problem: { code } } })
    }
  })
})
