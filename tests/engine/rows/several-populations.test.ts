// Individuals on a cell, of any population, in loops as WebAssembly: the same state as in the general way.
import { describe, expect, it } from 'vitest'
import { explain } from '../../../sim-engine/compile/explain.ts'
import { below, stream } from '../../../sim-engine/kernel/random.ts'
import type { Model } from '../../../model-schema/model.ts'
import { english } from '../../../model-schema/words.ts'
import { agents, cells, compute, end, every, model, move, process, scenario, space, start, variable } from '../../help/models.ts'
import { compare, programOf } from '../../help/ways.ts'

const pub = { public: true }

type Land = { readonly orders: readonly [string, string]; readonly dies: boolean; readonly open: boolean }

const world = (red: string, blue: string, plot: string, { orders, dies, open }: Land): Model => {
  const land = { minX: '0', maxX: '5', minY: '-1', maxY: '4', wrapX: true, wrapY: true }
  const where = { space: 'Land', placement: open ? 'random' : 'cells' }
  const wander = [move('turn', 'uniform(-90, 90)'), move('forward', '1.2')]
  const live = (name: string) =>
    dies
      ? [
          process(
            'Live',
            start(every(1)),
            compute(`energy += uniform(-0.3, 0.3)\nif energy < 0.1:\n    die()\nelif energy > 1.2:\n    energy = 0.5\n    create(${name})`),
            end(),
          ),
        ]
      : []
  return model(
    scenario({ totalTicks: 14 }),
    space('Land', open ? { topology: 'continuous', ...land } : land),
    cells('Plot', { space: 'Land', order: 'fixed' }, variable('crowd', 0, pub), process('Look', start(every(1)), compute(plot), end())),
    agents(
      'Red',
      { initialNumber: '30', maximum: '60', ...where, order: orders[0] },
      variable('energy', 'random()', pub),
      variable('seen', 0, pub),
      variable('only_red', 1, pub),
      process('Go', start(every(1)), compute(red), ...wander, end()),
      ...live('Red'),
    ),
    agents(
      'Blue',
      { initialNumber: '20', maximum: '60', ...where, order: orders[1] },
      variable('seen', 0, pub),
      variable('energy', '2 * random()', pub),
      process('Go', start(every(1)), compute(blue), ...wander, end()),
      ...live('Blue'),
    ),
  ).model
}

const whyOf = (of: Model): string[] => explain(programOf(of, false)).flatMap(({ steps }) => steps.map(({ why }) => english(why)))

const counts = [
  'seen += len(agents_on())',
  'seen += len(agents_on(cell))',
  'seen = sum(1 for a in agents_on() if a.energy > energy)',
  'seen = sum(1 for a in agents_on() if a != self) + 0.1 * sum(1 for a in agents_on() if a == self)',
  'if len(agents_on()) > 1:\n    energy = sum(a.energy for a in agents_on() if a is not self) / len(agents_on())',
  'if any(a.energy > 1 and a != self for a in agents_on()):\n    seen += 1\nif all(a.seen < 5 for a in agents_on()):\n    seen += 0.1',
  'energy = max(2 * a.energy for a in agents_on()) / 2',
  'energy = mean(a.energy for a in agents_on())',
]
const onPlot = [
  'crowd = len(agents_on(self))',
  'crowd = sum(a.energy for a in agents_on(self))',
  'crowd += sum(1 for a in agents_on() if a.seen > 2)',
]
const plain = 'seen += 0'

describe('who stands on a cell, of several populations', () => {
  it.each(counts)('%s', program => {
    for (const [k, dies] of [false, true].entries()) {
      const of = world(program, plain, onPlot[k]!, { orders: ['fixed', 'shuffled'], dies, open: false })
      expect(whyOf(of)).toEqual([])
      compare(of, 3, [2, 7])
    }
  })

  it.each(Array.from({ length: 24 }, (_, k) => k))('random programs, seed %i', seed => {
    const s = stream(seed, 0, 'several')
    const one = <T>(of: readonly T[]): T => of[below(s, of.length)]!
    const orders = [one(['fixed', 'shuffled', 'simultaneous']), one(['fixed', 'shuffled', 'simultaneous'])] as const
    const land: Land = { orders, dies: below(s, 2) === 0, open: below(s, 6) === 0 }
    compare(world(one(counts), one(counts), one(onPlot), land), seed, [2, 7])
  })

  it('stays JavaScript where not all of them have the value, or the search changes somebody', () => {
    const land: Land = { orders: ['fixed', 'fixed'], dies: true, open: false }
    for (const program of [
      'seen = sum(a.only_red for a in agents_on(cell) if a == self)',
      'for a in agents_on():\n    if a != self and random() < 0.2:\n        die(a)',
      'seen = sum(create(Red).energy for a in agents_on() if random() < 0.05)',
    ]) {
      const of = world(program, plain, onPlot[0]!, land)
      expect(whyOf(of)).not.toEqual([])
      compare(of, 2, [2, 7])
    }
  })
})
