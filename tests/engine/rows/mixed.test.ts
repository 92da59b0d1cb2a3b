// Ticks of which some loops run as WebAssembly and others as JavaScript: they leave the same state as the general way.
import { describe, expect, it } from 'vitest'
import { explain } from '../../../sim-engine/compile/explain.ts'
import { below, stream } from '../../../sim-engine/kernel/random.ts'
import { hasNativeRows } from '../../../sim-engine/rows.ts'
import { start as run } from '../../../sim-engine/run.ts'
import type { Model } from '../../../model-schema/model.ts'
import { english } from '../../../model-schema/words.ts'
import { agents, cells, compute, end, every, links, model, process, scenario, space, start, variable } from '../../help/models.ts'
import { compare, programOf } from '../../help/ways.ts'

/** Lines for sheep: those that can be lowered, and those that stay JavaScript. */
const lowered = [
  'energy += random() - 0.45',
  'if cell is not None:\n    cell.grass -= 0.1 * random()',
  'mood = "calm" if random() < 0.5 else "wild"',
  'if mood == "wild":\n    energy -= 0.05',
  'energy += 0.01 * sum(other.energy for other in relatives(Ties))',
  'total += 0.1 * energy',
  'energy += 0.01 * len(neighbors(1, Sheep)) if cell is not None else 0.1',
]
const general = [
  'seen = seen[-3:] + [energy]',
  'energy += 0.01 * sorted([random(), random(), 0.5])[1]',
  'if random() < 0.1:\n    child = create(Sheep)\n    child.energy = 0.5',
  'mood = mood + "er" if len(mood) < 9 else "calm"',
  'total += 0.01 * len(sorted(c.grass for c in Plot if c.grass > 0.5))',
  'if random() < 0.05:\n    other = choice(Sheep)\n    if other != self and link_between(Ties, other) is None:\n        connect(Ties, self, other)',
]

type Programs = { sheep: string; second: string; wolf: string; plot: string; all: string }

const meadow = (programs: Programs, order: string, plots: string, isTied = true): Model =>
  model(
    scenario({ totalTicks: 24 }),
    space('Land', { minX: '0', maxX: '9', minY: '0', maxY: '9', wrapX: true, wrapY: true }),
    variable('total', 0),
    cells(
      'Plot',
      { space: 'Land', order: plots },
      variable('grass', 'random()', { public: true }),
      variable('past', 'list()', { type: 'list' }),
      process('Grow', start(every(1)), compute(programs.plot), end()),
    ),
    agents(
      'Sheep',
      { initialNumber: '30', space: 'Land', placement: 'cells', order },
      variable('energy', '2 * random()', { public: true }),
      variable('mood', '"calm"', { public: true }),
      variable('seen', 'list()', { type: 'list' }),
      process('Live', start(every(1)), compute(programs.sheep), end()),
      process('Rest', start(every(1)), compute(programs.second), end()),
    ),
    agents(
      'Wolf',
      { initialNumber: '12', space: 'Land', placement: 'cells' },
      variable('fed', 1),
      process('Hunt', start(every(1)), compute(programs.wolf), end()),
    ),
    ...(isTied ? [links('Ties', { source: 'Sheep', target: 'Sheep', generator: 'randomCount', number: '20' })] : []),
    process('Weather', start(every(1)), compute(programs.all), end()),
  ).model

const quiet = { sheep: 'energy += 0.1', second: 'energy -= 0.1', wolf: 'fed += 0.1', plot: 'grass += 0.1', all: 'total += 0.1' }

const whyOf = (of: Model): string[] =>
  explain(programOf(of, false)).flatMap(({ process: name, steps }) => steps.map(({ why }) => `${name}: ${english(why)}`))

describe('loops of which some stay JavaScript', () => {
  it('are told apart: only those are blamed that cannot be lowered', () => {
    const slow = 'fed += len(sorted([fed, 1]))'
    const of = meadow({ ...quiet, wolf: slow }, 'fixed', 'fixed')
    expect(whyOf(of)).toEqual([expect.stringMatching(/^Wolf\.Hunt: /)])
    const program = programOf(of, false)
    run(program, { seed: 1, nativeFrom: 0 }).advance({ ticks: 2 })
    expect(hasNativeRows(program)).toBe(true)
    expect(whyOf(meadow({ ...quiet, sheep: general[0]! }, 'fixed', 'fixed'))).toEqual([
      expect.stringMatching(/^Sheep\.Live: /),
      'Sheep.Rest: another process of the same individuals runs as JavaScript',
    ])
    expect(whyOf(meadow({ ...quiet, all: 'total = len(sorted([total, 1]))' }, 'fixed', 'fixed'))).toEqual([
      expect.stringMatching(/^Weather: /),
    ])
  })

  it('give way to the general form where none is lowered', () => {
    const slow = 'total += sorted([1, 2])[0]'
    const program = programOf(meadow({ sheep: slow, second: slow, wolf: slow, plot: slow, all: slow }, 'fixed', 'fixed'), false)
    run(program, { seed: 1, nativeFrom: 0 }).advance({ ticks: 2 })
    expect(hasNativeRows(program)).toBe(false)
  })

  it.each(Array.from({ length: 40 }, (_, k) => k))('leave the state of the general way, seed %i', seed => {
    const s = stream(seed, 0, 'mixed')
    const pick = <T>(of: readonly T[]): T => of[below(s, of.length)]!
    // Deaths where there are links stay JavaScript.
    const isTied = seed % 2 === 0
    const fit = (from: readonly string[]): string[] => from.filter(line => isTied || !line.includes('Ties'))
    const dies = (when: string): string => (isTied && seed % 4 > 0 ? '' : `\nif ${when}:\n    die()`)
    const lines = (from: readonly string[], more: readonly string[]): string => {
      const made = Array.from({ length: 1 + below(s, 3) }, () => pick(from))
      return (below(s, 3) > 0 ? made : [...made, pick(more)]).join('\n')
    }
    const order = pick(['fixed', 'shuffled', 'simultaneous'])
    const plots = pick(['fixed', 'shuffled', 'simultaneous'])
    const wolves = [
      'fed += len(neighbors(1, Sheep)) if cell is not None else 1',
      'fed *= 0.9',
      'if cell is not None:\n    cell.grass = 0',
      'total += fed',
    ]
    const plot = ['grass = min(1, grass + 0.05)', 'grass = 0.9 * grass + 0.1 * mean(c.grass for c in moore())', 'total += grass']
    const of = meadow(
      {
        sheep: lines(fit(lowered), fit(general)),
        second: `${lines(fit(lowered), fit(general))}${dies('energy < 0.1')}`,
        wolf: `${lines(wolves, ['fed += len(sorted([fed, 1]))', 'if random() < 0.1:\n    create(Wolf)'])}${dies('random() < 0.05')}`,
        plot: lines(plot, ['past = [grass] + past[:2]', 'grass += 0.01 * sorted([grass, 0.5])[0]']),
        all: lines(['total += 1', 'total = 0.5 * total'], ['total = len(sorted([total, 1]))', 'if Wolf.count < 9:\n    create(Wolf, 2)']),
      },
      order,
      plots,
      isTied,
    )
    compare(of, seed, [3, 11])
  })
})
