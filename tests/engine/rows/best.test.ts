// Choosing the best by a key, the nearest, distances and links between two, in loops as WebAssembly: the same state as in the general way.
import { describe, expect, it } from 'vitest'
import { explain } from '../../../sim-engine/compile/explain.ts'
import { below, stream } from '../../../sim-engine/kernel/random.ts'
import { hasNativeRows } from '../../../sim-engine/rows.ts'
import { start as run } from '../../../sim-engine/run.ts'
import type { Model } from '../../../model-schema/model.ts'
import { english } from '../../../model-schema/words.ts'
import {
  agents,
  cells,
  compute,
  end,
  every,
  func,
  links,
  model,
  move,
  process,
  scenario,
  space,
  start,
  variable,
} from '../../help/models.ts'
import { compare, programOf } from '../../help/ways.ts'

type Land = {
  readonly open: boolean
  readonly wraps: boolean
  readonly order: string
  readonly mortal: boolean
  readonly directed: boolean
}

const plain: Land = { open: false, wraps: true, order: 'fixed', mortal: false, directed: false }

/** Foxes and hares, and ties between hares; the program is that of foxes, or of hares. */
const world = (who: 'Fox' | 'Hare', program: string, { open, wraps, order, mortal, directed }: Land): Model => {
  const land = { minX: '0', maxX: open ? '10' : '9', minY: '-2', maxY: open ? '6' : '5', wrapX: wraps, wrapY: wraps }
  const placed = { space: 'Land', placement: open ? 'random' : 'cells', order }
  const live = (of: string): string => (of === who ? program : 'weight += 0.001')
  const dies = 'if weight < 0.1:\n    die()'
  const go = (of: string) =>
    process('Go', start(every(1)), compute(live(of)), move('turn', 'uniform(-40, 40)'), move('forward', '1.3'), end())
  const foxes = agents(
    'Fox',
    { initialNumber: '14', ...placed },
    variable('weight', '1 + random()', { public: true }),
    variable('rank', 'randint(0, 4)', { public: true }),
    go('Fox'),
  )
  const hares = agents(
    'Hare',
    { initialNumber: '40', ...placed },
    variable('weight', 'random()', { public: true }),
    variable('rank', 'randint(0, 4)', { public: true }),
    variable('friend', 'None', { public: true }),
    func('appeal', ['other'], 'return other.rank - weight'),
    go('Hare'),
    ...(mortal ? [process('End', start(every(3)), compute(dies), end())] : []),
  )
  return model(
    scenario({ totalTicks: 18 }),
    space('Land', open ? { topology: 'continuous', ...land } : land),
    variable('total', 0),
    func('worth', ['n'], 'return n * n - 3 * n'),
    cells('Plot', { space: 'Land', order: 'fixed' }, variable('grass', 'randint(0, 5)', { public: true })),
    foxes,
    hares,
    ...(mortal
      ? []
      : [
          links(
            'Ties',
            { source: 'Hare', target: 'Hare', generator: 'randomCount', number: '90', repeatable: true, directed, selfLinks: true },
            variable('strength', 'random()', { public: true }),
          ),
        ]),
  ).model
}

const around = ['moore()', 'von_neumann(2)', 'neighbor_cells(2)', '(c for c in moore() if c.grass > 1)', '[c for c in von_neumann()]']
const hares = [
  'Hare',
  'neighbors(2, Hare)',
  'neighbors(1.5, Hare)',
  '(h for h in Hare if h.rank > 1)',
  '(h for h in neighbors(3, Hare) if h.weight > 0.3)',
]
const general = [
  ...around.flatMap(source => [
    `best = max(${source}, key=lambda c: c.grass, default=cell)\nbest.grass = best.grass * 0.9 + random()`,
    `weight += 0.01 * min(${source}, key=lambda c: worth(c.grass) + random(), default=cell).x`,
  ]),
  ...hares.flatMap(source => [
    `h = max(${source}, key=lambda h: h.rank, default=None)\nif h is not None:\n    h.weight += 0.1\n    total += h.x`,
    `h = min(${source}, key=lambda h: h.weight * random(), default=None)\nif h is not None:\n    weight += 0.01 * h.rank`,
    `h = nearest(${source})\nif h is not None:\n    weight += 0.001 * distance(h)\n    total += direction_to(h)\n    h.rank += 1`,
  ]),
  'total += max(3, 4, key=lambda n: n)',
  'total += max(range(6), key=lambda n: worth(n))',
  'total += distance((2, 3)) + direction_to((2, 3)) + direction_to((x, y))',
  'total += distance(choice(Hare), choice(Fox))',
  'total += direction_to(choice(Hare), choice(Fox)) + distance(choice(Plot))',
  'n = 0\nfor h in neighbors(2, Hare):\n    n += 1\n    h.rank = n',
  'if len(neighbors(2, Hare)) > 0:\n    choice(neighbors(2, Hare)).weight += 0.1',
  'if weight > 1:\n    total += nearest(neighbors(3, Hare)).weight',
  'c = nearest(moore())\ntotal += c.x - c.y',
  'total += distance(nearest(neighbors(2, Hare)))',
]
const ofHares = [
  'if friend is None or random() < 0.2:\n    friend = max((h for h in neighbors(3) if h.rank > 0), key=lambda h: h.rank, default=None)\nelse:\n    total += 0.1 * friend.rank',
  'h = max(Hare, key=appeal)\nweight += 0.01 * h.weight',
  'if friend is not None:\n    total += distance(friend) + distance(friend, self)\nfriend = nearest(Hare)',
]
const ofNodes = [
  'total += 1 if link_between(Ties, nearest(neighbors(2))) is None else 2',
  'other = choice(Hare)\nk = link_between(Ties, other)\nif k is not None:\n    k.strength = 0.9 * k.strength\n    weight += 0.1 * k.strength',
  'for other in relatives(Ties):\n    k = link_between(Ties, other)\n    total += k.strength * other.weight',
  'total += 1 if link_between(Ties, choice(Hare), choice(Hare)) is not None else 0',
  'k = link_between(Ties, self)\nif k is not None:\n    k.strength += 1',
  'if friend is not None:\n    total += 1 if link_between(Ties, friend) is None else 2\nelse:\n    friend = choice(Hare)',
]

const whyOf = (of: Model): string[] =>
  explain(programOf(of, false)).flatMap(({ process: name, steps }) => steps.map(({ why }) => `${name}: ${english(why)}`))

describe('the best of individuals in loops', () => {
  it.each([...general, ...ofHares, ...ofNodes].map((line, at) => [line, at] as const))('%s', (line, at) => {
    const who = general.includes(line) ? 'Fox' : 'Hare'
    for (const open of ofNodes.includes(line) || at % 3 > 0 ? [at % 2 > 0] : [false, true]) {
      const of = world(who, line, { ...plain, open })
      const isGeneral = /max\(3/.test(line) || (open && /\b(moore|von_neumann|neighbor_cells)\(/.test(line))
      if (!isGeneral) expect(whyOf(of)).toEqual([])
      compare(of, 3, [2, 7])
    }
  })

  it.each(Array.from({ length: 30 }, (_, k) => k))('several in one program, seed %i', seed => {
    const s = stream(seed, 0, 'best')
    const is = (): boolean => below(s, 2) === 0
    const land: Land = { open: is(), wraps: is(), order: ['fixed', 'shuffled', 'simultaneous'][below(s, 3)]!, mortal: is(), directed: is() }
    const who = is() ? 'Fox' : 'Hare'
    const all = [...general, ...(who === 'Hare' ? ofHares : []), ...(who === 'Hare' && !land.mortal ? ofNodes : [])]
    const lines = Array.from({ length: 3 }, () => all[below(s, all.length)]!)
    const of = world(who, lines.filter(line => (land.directed ? !line.includes('relatives') : true)).join('\n'), land)
    const program = programOf(of, false)
    run(program, { seed, nativeFrom: 0 }).advance({ ticks: 2 })
    expect(hasNativeRows(program)).toBe(true)
    compare(of, seed, [2, 7])
  })

  it('count as work: few that go through many are soon WebAssembly', () => {
    const madeAfter = (line: string): boolean => {
      const program = programOf(
        model(
          scenario({ totalTicks: 60 }),
          agents(
            'One',
            { initialNumber: '400' },
            variable('v', 'random()', { public: true }),
            process('Go', start(every(1)), compute(line), end()),
          ),
        ).model,
        false,
      )
      run(program, { seed: 1 }).advance()
      return hasNativeRows(program)
    }
    expect(madeAfter('v = 0.5 * v + 0.5 * max(One, key=lambda o: o.v).v')).toBe(true)
    expect(madeAfter('v = 0.5 * v + 0.1 * sum(o.v for o in One) / One.count')).toBe(true)
    expect(madeAfter('v = 0.5 * v + 0.1 * choice(One).v')).toBe(false)
  })
})
