// Lists that variables of individuals hold, in loops as WebAssembly: the same state as in the general way.
import { describe, expect, it } from 'vitest'
import type { Model } from '../../../model-schema/model.ts'
import { english } from '../../../model-schema/words.ts'
import { explain } from '../../../sim-engine/compile/explain.ts'
import { below, stream } from '../../../sim-engine/kernel/random.ts'
import { agents, compute, delay, end, every, func, model, process, scenario, start, variable } from '../../help/models.ts'
import { compare, programOf } from '../../help/ways.ts'

type Kind = { readonly order: string; readonly others: 'none' | 'die' | 'tokens' | 'javascript' }
const shown = { public: true }

const others = (kind: Kind['others']) => {
  if (kind === 'die')
    return [agents('Fly', { initialNumber: '9' }, process('End', start(every(3)), compute('if random() < 0.5:\n    die()'), end()))]
  if (kind === 'tokens')
    return [
      process(
        'Look',
        start(every(3)),
        delay('0.5'),
        compute('h = choice(Hare)\nh.seen.insert(0, 0.5)\nh.met.sort(key=lambda f: f.rank)'),
        end(),
      ),
    ]
  if (kind === 'javascript')
    return [process('Look', start(every(1)), compute('note = f"{total}"\nchoice(Hare).seen.reverse()\ntotal += len(note)'), end())]
  return []
}

const world = (program: string, { order, others: kind }: Kind): Model =>
  model(
    scenario({ totalTicks: 16 }),
    variable('total', 0),
    func('worth', ['n'], 'return n * n - 3 * n'),
    agents(
      'Hare',
      { initialNumber: '40', order },
      variable('rank', 'randint(0, 4)', shown),
      variable('best', 'None', shown),
      variable('seen', '[0.5]', shown),
      variable('met', '[]', shown),
      variable('values', '[0, 1, 2.5, random()]', shown),
      process('Go', start(every(1)), compute(`seen.append(random())\nif random() < 0.3:\n    met.append(choice(Hare))\n${program}`), end()),
    ),
    ...others(kind),
  ).model

/** In place: for those who act one after another and for those who act all at once. */
const inPlace = [
  'if len(seen) > 4:\n    total += seen.pop(0)',
  'if len(seen) > 4:\n    seen.pop()\n    seen.pop(-2)',
  'if len(seen) > 6:\n    seen.clear()\nrank += len(seen)',
  'total += sum(seen) / len(seen) + mean(seen) + max(seen) - min(values)',
  'total += seen[0] + seen[-1] + values[rank % 4]',
  'values[rank % 4] += 0.1 * random()\nvalues[-1] = rank + 0.5\nvalues[0] -= values[1]',
  'rank = values.index(max(values))',
  'if 2.5 in values:\n    values.remove(2.5)\nelse:\n    values.append(2.5)',
  'for f in met:\n    f.rank += 1\n    if f.rank > 50:\n        break',
  'near = [f for f in met if abs(f.rank - rank) < 3]\nif len(near) > 0:\n    rank += 0.2 * (mean(f.rank for f in near) - rank)',
  'f = choice(Hare)\nif f not in met:\n    met.append(f)\nelse:\n    met.remove(f)',
  'if met:\n    f = choice(met)\n    f.seen.append(rank)\nif not met:\n    total += 1',
  'if met:\n    g = max(met, key=lambda f: f.rank)\n    total += len(g.met) + sum(v for v in g.values)',
  'if random() < 0.3:\n    best = choice(Hare)\nmet.append(best)\nfor f in met:\n    if f is not None:\n        f.values[0] += 1',
  'f = self\nfor v in f.values:\n    f = choice(Hare)\n    total += v + len(f.seen)',
  'for k in range(len(values)):\n    values[k] = worth(values[k]) % 7',
  'if any(v > 2 for v in values) and not all(seen):\n    total += sum(v * f.rank for f in met for v in f.values)',
  'for k in range(3):\n    copy = [v for v in seen if v > 0.1 * k]\n    total += len(copy)\n    seen.append(k)\nwhile len(seen) > 30:\n    seen.pop(0)',
]
/** Another list is given: for those who act one after another. */
const anew = [
  'seen = [v for v in seen if v > 0.2]',
  'seen = []\nseen.append(rank)',
  'values = [values[-1], values[0], rank, random()]',
  'met = [f for f in Hare if f.rank == rank]\ntotal += len(met)',
  'f = choice(Hare)\nf.seen = list(seen)\nf.met = [h for h in f.met if h is not self]\nseen.append(0)',
]
const failing = [
  'total += seen[5]',
  'met.pop()',
  'values.remove(9)',
  'rank = seen.index(2)',
  'values[1] = 1e308 * 10 ** rank',
  'f = choice(met)\nf.rank += 1',
  'total += values[rank / 2]',
]

const whyOf = (of: Model): string[] =>
  explain(programOf(of, false)).flatMap(({ process: name, steps }) => (name === 'Hare.Go' ? steps.map(({ why }) => english(why)) : []))

describe('lists of individuals in loops', () => {
  it.each([...inPlace, ...anew, ...failing].map((line, at) => [line, at] as const))('%s', (line, at) => {
    const order = anew.includes(line) ? ['fixed', 'shuffled'][at % 2]! : ['fixed', 'shuffled', 'simultaneous'][at % 3]!
    for (const kind of ['none', (['die', 'tokens', 'javascript'] as const)[at % 3]!] as const) {
      const of = world(line, { order, others: kind })
      expect(whyOf(of)).toEqual([])
      compare(of, 3, [2, 7])
    }
  })

  it.each(Array.from({ length: 30 }, (_, k) => k))('several in one program, seed %i', seed => {
    const s = stream(seed, 0, 'own lists')
    const order = ['fixed', 'shuffled', 'simultaneous'][below(s, 3)]!
    const fitting = order === 'simultaneous' ? inPlace : [...inPlace, ...anew]
    const lines = Array.from({ length: 4 }, () => fitting[below(s, fitting.length)]!)
    compare(world(lines.join('\n'), { order, others: (['none', 'die', 'tokens', 'javascript'] as const)[below(s, 4)]! }), seed, [2, 7])
  })

  it.each([
    ['near = seen\nnear.append(1)', '“seen” may stand for the same list as something else'],
    ['choice(Hare).seen = seen', '“seen” may stand for the same list as something else'],
    ['seen.append("a")', '“seen” is a list of other things than individuals or numbers'],
    ['for v in seen:\n    if v < 0.1:\n        seen.pop()', 'it changes a list while it looks at it'],
  ])('says why not: %s', (line, why) => {
    const of = world(line, { order: 'fixed', others: 'none' })
    expect(whyOf(of)).toContain(why)
    compare(of, 3, [2, 7])
  })

  it('says why not of those who are updated all at once', () => {
    const of = world('seen = []', { order: 'simultaneous', others: 'none' })
    expect(whyOf(of)).toContain('“seen” gets another list at the end of each instant')
    compare(of, 3, [2, 7])
  })
})
