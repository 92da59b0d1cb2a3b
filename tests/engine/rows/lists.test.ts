// Lists in variables of programs, in loops as WebAssembly: the same state as in the general way.
import { describe, expect, it } from 'vitest'
import { explain } from '../../../sim-engine/compile/explain.ts'
import { below, stream } from '../../../sim-engine/kernel/random.ts'
import type { Model } from '../../../model-schema/model.ts'
import { english } from '../../../model-schema/words.ts'
import {
  agents,
  ask,
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

type Land = { readonly open: boolean; readonly order: string; readonly dies: boolean }

const world = (program: string, { open, order, dies }: Land): Model => {
  const land = { minX: '0', maxX: open ? '10' : '9', minY: '-2', maxY: open ? '6' : '5', wrapX: true, wrapY: open }
  const placed = { space: 'Land', placement: open ? 'random' : 'cells', order }
  return model(
    scenario({ totalTicks: 16 }),
    space('Land', open ? { topology: 'continuous', ...land } : land),
    variable('total', 0),
    func('worth', ['n'], 'return n * n - 3 * n'),
    cells('Plot', { space: 'Land', order: 'fixed' }, variable('grass', 'randint(0, 5)', { public: true })),
    agents(
      'Hare',
      { initialNumber: '40', ...placed },
      variable('weight', '0.2 + random()', { public: true }),
      variable('rank', 'randint(0, 4)', { public: true }),
      ...(program.includes('friend') ? [variable('friend', 'None', { public: true })] : []),
      process('Go', start(every(1)), compute(program), move('turn', 'uniform(-40, 40)'), move('forward', '1.3'), end()),
      ...(dies ? [process('End', start(every(3)), compute('if weight < 0.25:\n    die()'), end())] : []),
    ),
    ...(dies ? [] : [links('Ties', { source: 'Hare', target: 'Hare', generator: 'randomCount', number: '90' })]),
  ).model
}

/** Around an individual; on the grid alone, and with links. */
const anywhere = [
  'near = neighbors(2)\nif len(near) > 0:\n    choice(near).weight += 0.1\nelse:\n    total += 1',
  'near = [h for h in neighbors(2) if h.rank > 1]\nif near:\n    friend = choice(near)\nif not near:\n    total += 0.5',
  'near = [h for h in Hare if h.rank == 2]\nfor h in near:\n    h.weight += 0.01\n    if h.weight > 1.1:\n        break',
  'best = max([h for h in neighbors(3) if h.weight > 0.5], key=lambda h: h.rank, default=None)\nfriend = best',
  'near = [h for h in neighbors(3)]\nif near:\n    friend = max(near, key=lambda h: h.weight)\n    weight += 0.001 * near[0].rank + 0.002 * near[-1].rank',
  'values = [h.weight for h in neighbors(3)]\ntotal += sum(values) + len(values)\nfor v in values:\n    total += 0.1 * v',
  'some = []\nfor h in neighbors(3):\n    if h.rank > 1:\n        some.append(h)\ntotal += len(some)\nif some:\n    choice(some).rank = 0\nelse:\n    rank += 1',
  'drawn = []\nfor k in range(20):\n    drawn.append(random())\nweight += 0.01 * drawn[3] - 0.01 * drawn[-2]\ntotal += drawn[rank]',
  'if random() < 0.2:\n    friend = choice([h for h in Hare if h.rank > 0])',
  'for k in range(3):\n    near = [h for h in neighbors(1.5) if h.rank != k]\n    if near:\n        near[0].weight += 0.01\n        total += choice([h for h in near if h.weight > -1]).rank',
  'k = 0\nwhile k < 3:\n    k += 1\n    values = [random() for h in neighbors(2)]\n    total += len(values)\n    if len(values) > 3:\n        break',
  'near = neighbors(2)\nfar = [h for h in neighbors(3) if h.weight < 0.7]\nfor h in near:\n    for g in far:\n        if g != h:\n            g.weight += 0.001',
  'known = []\nfor k in range(4):\n    few = [h for h in neighbors(2) if h.rank == k]\n    if few:\n        known.append(few[0])\nfor h in known:\n    h.weight += 0.02',
  'friends = [h.friend for h in neighbors(2)]\nfor f in friends:\n    if f is not None:\n        f.weight += 0.01\nif friend is None:\n    friend = nearest(Hare)',
  'if friend is not None and is_alive(friend):\n    friend.weight += 0.01\nelse:\n    friend = nearest(neighbors(4))',
  'near = [h for h in neighbors(2) if h.rank > 0]\nif friend in near:\n    total += 1\nif nearest(Hare) not in near:\n    total += 0.1\nfriend = choice(Hare)',
  'values = [h.rank for h in neighbors(3)]\nif rank in values:\n    weight += 0.01\nif rank + 0.5 not in values and 7 not in values:\n    total += 1\nif values:\n    total += mean(values) + max(values) - min(values)\nif any(values) and not all(values):\n    total += 0.3',
  'met = []\nfor k in range(6):\n    other = choice(Hare)\n    if other not in met:\n        met.append(other)\ntotal += len(met)',
]
const onGrid = [
  'total += len(moore()) + len(von_neumann(2))\nchoice(moore()).grass += 1\nchoice(von_neumann()).grass -= 1',
  'free = [c for c in moore() if c.grass > 1]\nif free:\n    choice(free).grass -= 1\nelse:\n    cell.grass += 1',
  'c = choice([c for c in von_neumann(2) if c.grass >= 0])\nc.grass += 0.5',
  'best = []\nfor c in moore():\n    if len(best) == 0 or c.grass > best[0].grass:\n        best = [c for c in moore() if c.grass >= 0]\ntotal += len(best)',
  'others = agents_on(cell, Hare)\nif len(others) > 1:\n    choice(others).weight -= 0.01',
  'found = [h for c in moore() for h in agents_on(c, Hare) if h.weight > 0.3]\nif found:\n    found[-1].rank = 3\n    total += len(found)',
  'total += Plot.individuals[rank].grass + Plot.individuals[-1].grass',
]
const withLinks = [
  'few = relatives(Ties)\nif len(relatives(Ties)) > 1:\n    other = choice(relatives(Ties))\n    k = link_between(Ties, other)\n    total += 1 if k is not None else 2\n    for h in few:\n        if h != other:\n            h.weight += 0.01 * few[0].weight',
  'few = relatives(Ties)\nfew.append(self)\ntotal += len(few)',
  'partners = relatives(Ties)\nif len(partners) > 0:\n    other = choice(partners)\n    other.weight += 0.1 * (weight - other.weight)',
  'partners = [h for h in relatives(Ties) if h.rank <= rank]\nfor h in partners:\n    h.rank += 0\nif partners:\n    friend = min(partners, key=lambda h: worth(h.weight))',
  'other = Hare.individuals[rank]\ntotal += other.weight + Hare.individuals[-2].weight',
]
/** With deaths in the same program. */
const deadly = [
  'for h in neighbors(2):\n    if h.weight < 0.3:\n        die(h)\n    else:\n        h.weight -= 0.01',
  'near = neighbors(2)\nfor h in near:\n    if random() < 0.05:\n        die(h)\ntotal += len(near)',
  'for h in [g for g in neighbors(2) if g.rank > 1]:\n    if is_alive(h) and random() < 0.1:\n        die(h)\n        break',
  'weak = [h for h in neighbors(2) if h.weight < 0.5]\nif weak and random() < 0.3:\n    die(choice(weak))',
  'for h in Hare:\n    if h != self and h.weight < 0.2:\n        die(h)\n    total += 1\nweight -= 0.01 * random()',
  'if friend is not None and random() < 0.2:\n    die(friend)\n    friend = None\nelif random() < 0.3:\n    friend = nearest(neighbors(3))',
]
const failing = [
  'near = [h for h in neighbors(0.4)]\nfriend = choice(near)',
  'values = [h.rank for h in neighbors(2)]\ntotal += values[3]',
  'values = [h.rank for h in neighbors(2)]\ntotal += values[0.5 * rank] if len(values) > 3 else 0',
  'if friend is None and random() < 0.3:\n    friend = nearest(Hare)\nnear = [h.friend for h in neighbors(2)]\nif len(near) > 4:\n    total += near[0].weight',
]

const whyOf = (of: Model): string[] =>
  explain(programOf(of, false)).flatMap(({ process: name, steps }) => (name === 'Hare.Go' ? steps.map(({ why }) => english(why)) : []))

describe('lists in loops', () => {
  const all = [anywhere, onGrid, withLinks, deadly, failing].flatMap((lines, kind) => lines.map((line, at) => [line, kind, at] as const))
  it.each(all)('%s', (line, kind, at) => {
    const order = ['fixed', 'shuffled', 'simultaneous'][at % 3]!
    for (const open of kind === 1 ? [false] : [false, true]) {
      const of = world(line, { open, order, dies: kind === 3 || (kind === 0 && at % 2 === 0) })
      if (!line.includes('append(self)')) expect(whyOf(of)).toEqual([])
      compare(of, 3, [2, 7])
    }
  })

  it.each(Array.from({ length: 40 }, (_, k) => k))('several in one program, seed %i', seed => {
    const s = stream(seed, 0, 'lists')
    const is = (): boolean => below(s, 2) === 0
    const land: Land = { open: is(), order: ['fixed', 'shuffled', 'simultaneous'][below(s, 3)]!, dies: is() }
    const fitting = [...anywhere, ...(land.open ? [] : onGrid), ...(land.dies ? deadly : withLinks)]
    const lines = Array.from({ length: 3 }, () => fitting[below(s, fitting.length)]!)
    compare(world(lines.join('\n'), land), seed, [2, 7])
  })

  it.each([
    'some = []\nsome.append(1)\nsame = some\nsome.append(2)\ntotal += len(same)',
    'some = []\nsame = some\nsome.append(rank)\nif same:\n    total += sum(same)',
  ])('have two names in JavaScript alone: %s', line => {
    const of = world(line, { open: false, order: 'fixed', dies: false })
    expect(whyOf(of)).toContain('“same” may stand for the same list as something else')
    compare(of, 3, [2, 7])
  })

  it('have two names where nothing is added to them', () => {
    const of = world('some = [h.rank for h in neighbors(2)]\nsame = some\nsome = []\ntotal += len(same) - len(some)', {
      open: false,
      order: 'fixed',
      dies: false,
    })
    expect(whyOf(of)).toEqual([])
    compare(of, 3, [2, 7])
  })

  it('stand behind those whom an Ask step goes through', () => {
    const program = 'near = [h for h in Hare if h.rank > 1]\nfor k in range(3):\n    if near:\n        choice(near).rank = k'
    const of = model(
      scenario({ totalTicks: 8 }),
      agents(
        'Hare',
        { initialNumber: '30' },
        variable('rank', 'randint(0, 4)', { public: true }),
        process('Go', start(every(1)), ask('Hare', program, { filter: 'rank < 3' }), end()),
      ),
    ).model
    expect(whyOf(of)).toEqual([])
    compare(of, 5, [2, 4])
  })
})
