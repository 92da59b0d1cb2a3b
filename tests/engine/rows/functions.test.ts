// Functions of the model that loops over populations call: as WebAssembly and in the general way they leave the same state.
import { describe, expect, it } from 'vitest'
import { explain } from '../../../sim-engine/compile/explain.ts'
import { below, stream } from '../../../sim-engine/kernel/random.ts'
import { hasNativeRows } from '../../../sim-engine/rows.ts'
import { start as run } from '../../../sim-engine/run.ts'
import { agents, cells, compute, end, every, func, links, model, process, scenario, space, start, variable } from '../../help/models.ts'
import { compare, programOf } from '../../help/ways.ts'
import { english } from '../../../model-schema/words.ts'

const land = space('Land', { minX: '0', maxX: '9', minY: '0', maxY: '9', wrapX: true, wrapY: true })

/** Animals on a meadow with one program, which calls functions. */
const meadow = (program: string, order = 'fixed') =>
  model(
    scenario({ totalTicks: 30 }),
    land,
    variable('total', 0),
    func('share', ['part', 'whole'], 'if whole == 0:\n    return 0\nreturn part / whole'),
    func('gain', ['food'], 'return 2 * share(food, 3) + 0.1'),
    func('depth', ['n'], 'if n < 1:\n    return 0\nreturn 1 + depth(n - 1)'),
    func('luck', [], 'return random() < 0.3'),
    func('wander', ['step', 'most'], 'return step / most', {
      parameters: [
        { name: 'step', default: 'random()' },
        { name: 'most', default: '2 + random()' },
      ],
    }),
    func('inverse', ['of'], 'if of < 0.01:\n    return 1 / (of - of)\nreturn 1 / of'),
    func('note', ['amount'], 'total += amount\nif total > 1000:\n    return\ntotal += 1'),
    func('average', ['values'], 'if len(values) == 0:\n    return 0\nreturn sum(values) / len(values)'),
    func('widest', ['values', 'more'], 'return max(values, default=0) - min(values, default=0) + more + mean(values)'),
    func('at', ['values', 'k'], 'return values[k] if len(values) > k else values[-1]'),
    func('richest', ['who'], 'best = None\nfor w in who:\n    if best is None or w.energy > best.energy:\n        best = w\nreturn best'),
    func('cull', ['who', 'least'], 'for w in who:\n    if w.energy < least:\n        die(w)'),
    func('fed', ['who', 'least'], 'return sum(1 for w in who if w.energy > least) + 0.1 * max(w.energy for w in who)'),
    cells('Plot', { space: 'Land', order: 'fixed' }, variable('grass', 'random()', { public: true })),
    agents(
      'Animal',
      { initialNumber: '40', space: 'Land', placement: 'cells', order },
      variable('energy', '5 * random()', { public: true }),
      func('worth', ['scale'], 'return energy * scale + share(1, 2)'),
      func(
        'eats',
        [],
        'best = 0\nfor c in moore():\n    if c.grass > 0.9:\n        return c.grass\n    best = max(best, c.grass)\nreturn best',
      ),
      func('envies', ['who'], 'best = richest(who)\nreturn best is not None and best.energy > energy'),
      func('weaken', ['other'], 'if other.energy > 0.5:\n    other.energy -= 0.1'),
      func('perish', [], 'if energy < 0.2 and luck():\n    die()'),
      process('Live', start(every(1)), compute(program), end()),
    ),
    links('Knows', { source: 'Animal', target: 'Animal', generator: 'randomCount', number: '80' }),
  )
const lines = [
  'energy += gain(random()) - 0.3',
  'note(energy)',
  'energy += 0.1 if luck() else -0.2',
  'energy += 0.01 * worth(2) - 0.1',
  'cell.grass += 0.1 * eats() - 0.05',
  'for other in agents_on(cell):\n    weaken(other)',
  'energy += 0.05 * sum(other.worth(0.5) for other in agents_on(cell))',
  'energy += 0.2 * wander() - 0.2 * wander(0.3) - 0.1 * wander(most=3)',
  'energy += wander() - wander(0.3)',
  'cell.grass += 0.001 * inverse(random())',
  'perish()',
  'energy -= share(energy, cell.grass) * 0.01',
]

const listed = [
  'energy += 0.01 * average([a.energy for a in agents_on(cell)])',
  'near = list(agents_on(cell))\nother = richest(near)\nif other is not None and other != self:\n    other.energy -= 0.1\n    energy += 0.1',
  'kept = []\nfor c in moore():\n    if c.grass > 0.3:\n        kept.append(c.grass)\nif len(kept) > 0:\n    energy += 0.01 * widest(kept, random()) + 0.1 * at(kept, 2)',
  'energy += 0.01 * at([random() for c in moore()], randint(0, 12)) - 0.01 * at([c.grass for c in moore()], 1)',
  'near = [a for a in Animal if a.energy > 1]\nif len(near) > 0:\n    energy -= 0.001 * fed(near, 4.5) + 0.001 * fed(list(near), 2)',
  'near = list(neighbors(2))\nif envies(near):\n    energy += 0.1\nif len(near) > 0 and near[0].envies(near):\n    energy -= 0.1',
  'rich = [richest(list(agents_on(c))) for c in moore() if len(agents_on(c)) > 0]\nfor r in rich:\n    r.energy -= 0.01',
  'near = relatives(Knows)\nif len(near) > 0:\n    energy += 0.01 * fed(near, 1)\nif envies(near):\n    energy = mean([a.energy for a in near])',
  'near = [a for a in Animal if a.energy < 1]\ncull(near, 0.5)\nenergy += 0.01 * average([a.energy for a in near if is_alive(a)])',
  'near = list(agents_on(cell))\ncull(near, 0.1)\nfor n in near:\n    n.energy -= 0.1',
  'cull([a for a in Animal if random() < 0.1], 1)\nenergy += 0.1',
]

describe('functions of the model in loops', () => {
  it.each(listed.map((line, k) => [line, k] as const))('lists: %s', (line, seed) => {
    const of = meadow(line).model
    expect(explain(programOf(of, false)).flatMap(one => one.steps.map(({ why }) => english(why)))).toEqual([])
    for (const order of ['fixed', 'shuffled']) compare(meadow(line, order).model, seed, [3, 11])
    compare(meadow(`${line}\nperish()`).model, seed, [3, 11])
  })

  it.each(Array.from({ length: 8 }, (_, k) => k))('lists in several of one program, seed %i', seed => {
    const s = stream(seed, 0, 'listed')
    const program = Array.from({ length: 3 }, () => [...listed, ...lines][below(s, listed.length + lines.length)]!).join('\n')
    compare(meadow(program).model, seed, [5, 14])
  })

  it.each(lines.map((line, k) => [line, k] as const))('%s', (line, seed) => {
    const of = meadow(line).model
    const program = programOf(of, false)
    run(program, { seed, nativeFrom: 0 }).advance({ ticks: 1 })
    expect(explain(program).flatMap(one => one.steps.map(({ why }) => english(why)))).toEqual([])
    expect(hasNativeRows(program)).toBe(true)
    compare(of, seed, [3, 11])
  })

  it.each(Array.from({ length: 8 }, (_, k) => k))('several in one program, seed %i', seed => {
    const s = stream(seed, 0, 'functions')
    const program = Array.from({ length: 4 }, () => lines[below(s, lines.length)]!).join('\n')
    compare(meadow(program).model, seed, [5, 14])
  })

  it('say why they stay as they are', () => {
    const why = (order: string, line: string): string[] => {
      const { model: of } = meadow(line, order)
      return explain(programOf(of, false)).flatMap(one => one.steps.map(step => english(step.why)))
    }
    expect(why('fixed', 'energy = depth(3)')).toEqual(['a function calls itself'])
    expect(why('simultaneous', 'for other in agents_on(cell):\n    weaken(other)')).toEqual([
      'a function changes those who are updated all at once',
    ])
    compare(meadow('energy += 0.1 * worth(2)', 'simultaneous').model, 1, [3, 11])
  })
})
