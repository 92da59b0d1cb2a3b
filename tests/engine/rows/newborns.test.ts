// `create()` in programs, and deaths next to links of others, in loops as WebAssembly: the same state as in the general way.
import { describe, expect, it } from 'vitest'
import { explain } from '../../../sim-engine/compile/explain.ts'
import { below, stream } from '../../../sim-engine/kernel/random.ts'
import type { Model } from '../../../model-schema/model.ts'
import { english } from '../../../model-schema/words.ts'
import {
  agents,
  cells,
  compute,
  delay,
  end,
  event,
  every,
  func,
  links,
  message,
  model,
  move,
  process,
  scenario,
  space,
  start,
  variable,
} from '../../help/models.ts'
import { compare, programOf } from '../../help/ways.ts'

type Land = { readonly open: boolean; readonly order: string; readonly tokens: boolean; readonly placed: boolean }

const world = (program: string, { open, order, tokens, placed }: Land): Model => {
  const land = { minX: '0', maxX: open ? '10' : '9', minY: '-2', maxY: open ? '6' : '5', wrapX: true }
  const where = { space: 'Land', ...(placed ? { placement: open ? 'random' : 'cells' } : {}), order }
  return model(
    scenario({ totalTicks: 16 }),
    space('Land', open ? { topology: 'continuous', ...land } : land),
    variable('total', 0),
    func('grown', ['by'], 'if by > 0.5:\n    create(Seed, size_now=by)\n    return 1\nreturn 0'),
    cells('Plot', { space: 'Land', order: 'fixed' }, variable('grass', 'randint(0, 5)', { public: true })),
    agents(
      'Hare',
      { initialNumber: '30', ...where, maximum: '400' },
      variable('energy', '0.2 + random()', { public: true }),
      variable('rank', 'randint(0, 4)', { public: true }),
      variable('mood', '"calm"', { public: true }),
      variable('is_young', 'False', { public: true }),
      ...['friend', 'parent'].flatMap(name => (program.includes(`${name}=`) ? [variable(name, 'None', { public: true })] : [])),
      process(
        'Go',
        start(every(1)),
        compute(program),
        ...(placed ? [move('turn', 'uniform(-40, 40)'), move('forward', '1.3')] : []),
        end(),
      ),
      ...(tokens ? [process('Live', start(), delay('exponential(3)'), compute('energy += 0.1'), end())] : []),
    ),
    agents('Seed', { initialNumber: '5', order: 'fixed' }, variable('size_now', 'random()', { public: true }), variable('of', 'total')),
    agents(
      'Node',
      { initialNumber: '12' },
      variable('value', 'random()', { public: true }),
      variable('seen', 0, { public: true }),
      process('Go', start(every(1)), compute('seen += degree(Ties) + 0.1 * degree(Ties, choice(Node))'), end()),
    ),
    links('Ties', { source: 'Node', target: 'Node', generator: 'randomCount', number: '20', directed: open }),
  ).model
}

const lines = [
  'if energy > 1:\n    energy = energy / 2\n    create(Hare, energy=energy)\nelif energy < 0.1:\n    die()\nelse:\n    energy += 0.2 * random() - 0.1',
  'if random() < 0.1:\n    child = create(Hare, rank=rank + 1, mood="wild", is_young=random() < 0.5, energy=0.5)\n    child.energy += 0.1\n    child.rank = 2',
  'if random() < 0.1:\n    create(Seed, 3)\n    total += 1',
  'if random() < 0.1:\n    create(Hare, randint(0, 3), mood="calm" if rank > 2 else "wild", energy=random())',
  'for s in Seed:\n    if s.size_now < 0.1:\n        die(s)\n    elif random() < 0.02:\n        create(Seed, size_now=0.05)',
  'for s in [s for s in Seed if s.size_now > 0.5]:\n    if random() < 0.02:\n        create(Seed)\n        total += 0.1',
  'if parent is not None and is_alive(parent):\n    energy += 0.01 * parent.rank\nif random() < 0.05:\n    create(Hare, parent=self)\n    die()',
  'mood = "wild" if is_young else "calm"\nif mood == "wild" and random() < 0.2:\n    create(Hare, is_young=False, mood=mood)\nelif random() < 0.3:\n    is_young = True\nif rank > 5 or random() < 0.1:\n    die()',
  'total += grown(random())',
  'other = choice(Hare)\nif other.friend is None:\n    other.friend = create(Hare, friend=other, energy=other.energy / 2)\nelif random() < 0.3:\n    die(other.friend)\n    other.friend = None',
]
const twice =
  'if energy < 0.5:\n    die()\nenergy -= 0.1 * random()\nif rank > 2 and energy < 0.6:\n    die()\nif random() < 0.05:\n    create(Hare)'
const failing = ['create(Hare, 30)', 'create(Hare, 0.5 * rank)', 'create(Hare, 1 - rank)', 'child = create(Hare, energy=1 / (rank - 2))']

const whyOf = (of: Model): string[] =>
  explain(programOf(of, false)).flatMap(({ process: name, steps }) =>
    name === 'Hare.Go' || name === 'Node.Go' ? steps.map(({ why }) => english(why)) : [],
  )

describe('create() in loops', () => {
  const all = [[...lines, twice], failing].flatMap((of, kind) => of.map((line, at) => [line, kind, at] as const))
  it.each(all)('%s', (line, kind, at) => {
    for (const open of [false, true]) {
      const order = kind === 0 && !line.includes('grown') ? ['fixed', 'shuffled', 'simultaneous'][at % 3]! : 'fixed'
      // Where individuals are updated all at once, a statement that changes others and a birth are in one program as well.
      const of = world(line, { open, order, tokens: at % 2 === 0, placed: open || at % 4 > 0 })
      expect(whyOf(of)).toEqual([])
      compare(of, 3, [2, 7])
    }
  })

  it.each(Array.from({ length: 30 }, (_, k) => k))('several in one program, seed %i', seed => {
    const s = stream(seed, 0, 'newborns')
    const is = (): boolean => below(s, 2) === 0
    const land: Land = { open: is(), order: ['fixed', 'shuffled', 'simultaneous'][below(s, 3)]!, tokens: is(), placed: true }
    const fitting = lines.filter(line => land.order !== 'simultaneous' || !line.includes('grown'))
    const program = Array.from({ length: 2 }, () => fitting[below(s, fitting.length)]!).join('\n')
    compare(world(program, land), seed, [2, 7])
  })
})

describe('births and deaths where there are messages', () => {
  const post = (program: string, receives: boolean): Model =>
    model(
      scenario({ totalTicks: 20 }),
      message('Hello', { payload: [{ name: 'n' }], lifetime: '6' }),
      agents(
        'Hare',
        { initialNumber: '20', maximum: '200' },
        variable('energy', '1 + random()', { public: true }),
        variable('heard', 0, { public: true }),
        process('Go', start(every(1)), compute(program), end()),
        ...(receives ? [process('Wait', start(), event('receive', { message: 'Hello' }), compute('heard += 1'), delay('2'), end())] : []),
      ),
      process(
        'Post',
        start(every(1.5)),
        event('send', { message: 'Hello', range: 'Hare', payload: [{ name: 'n', value: 'time' }] }),
        end(),
      ),
    ).model
  const lives = [
    'energy += uniform(-0.5, 0.5)\nif energy < 0.3:\n    die()\nelif energy > 2:\n    energy = 1\n    create(Hare)',
    'other = choice(Hare)\nif random() < 0.1 and other != self and Hare.count > 5:\n    die(other)\nif random() < 0.1:\n    create(Hare, energy=0.5)',
  ]
  it.each(lives)('%s', program => {
    for (const receives of [false, true]) {
      const of = post(program, receives)
      expect(whyOf(of)).toEqual([])
      for (const seed of [1, 2, 3]) compare(of, seed, [3, 9])
    }
  })
})
