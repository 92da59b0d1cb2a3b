// Predator and prey that inherit from one base: what an heir has, overrides and is counted with, and how it lives.
import { describe, expect, it } from 'vitest'
import { compile } from '../../../sim-engine/compile.ts'
import {
  agents,
  ask,
  call,
  compute,
  create,
  destroy,
  end,
  every,
  exclusive,
  from,
  model,
  otherwise,
  passive,
  port,
  process,
  scenario,
  start,
  statistic,
  variable,
  when,
} from '../../help/models.ts'
import { checkOf, codesOf, runOf } from '../../help/runs.ts'

/** Animals burn `cost` a tick, die without energy, and divide above 20; sheep graze, wolves eat sheep. */
const pasture = (ticks: number) =>
  model(
    scenario({ totalTicks: ticks }),
    variable('eaten', 0),
    agents(
      'Animal',
      { initialNumber: '0' },
      variable('energy', 10, { public: true }),
      variable('cost', 1),
      process('Feed', start(every(1)), compute('energy += 0'), end()),
      process(
        'Live',
        start(every(1)),
        compute('energy -= cost'),
        exclusive('fate'),
        when('energy <= 0'),
        destroy(),
        end(),
        from('fate'),
        otherwise(),
        end(),
      ),
    ),
    agents(
      'Sheep',
      { inherits: 'Animal', initialNumber: '30', order: 'fixed' },
      process('Feed', start(every(1)), compute('energy += 1.5'), end()),
      process(
        'Breed',
        start(every(1)),
        exclusive('rich'),
        when('energy > 12'),
        create('Sheep', 1, { as: 'offspring', values: [{ property: 'energy', mode: 'dilute', value: '0.5' }] }),
        end(),
        from('rich'),
        otherwise(),
        end(),
      ),
    ),
    agents(
      'Wolf',
      { inherits: 'Animal', initialNumber: '3', order: 'fixed' },
      variable('cost', 2),
      process('Feed', start(every(3)), ask('Sheep', 'eaten += 1\ndie(self)', { pick: 'first', limit: '1' }), compute('energy += 6'), end()),
    ),
    statistic('all', 'Animal.count'),
    statistic('sheep', 'Sheep.count'),
    statistic('wolves', 'Wolf.count'),
    statistic('total', 'sum(a.energy for a in Animal)'),
    statistic('wolf_energy', 'energy', { over: 'Wolf', aggregate: 'mean' }),
  )

it('heirs are counted without being listed', () => {
  const built = model(
    agents('Animal', { initialNumber: '1' }),
    agents('Sheep', { inherits: 'Animal', initialNumber: '2' }),
    agents('Lamb', { inherits: 'Sheep', initialNumber: '4' }),
    variable('counted', '[]', { type: 'list' }),
    process(
      'Kill',
      start(every(1)),
      compute('die(Lamb.individuals[1])\ncounted = [Animal.count, len(Animal), Sheep.count, len(Sheep.individuals), len(Lamb)]'),
      end(),
    ),
    statistic('all', 'counted', { sample: 'end' }),
  )
  expect(compile(checkOf(built).checked!).source).not.toMatch(/mixed|W\.individuals\(P\d+\)\.length/)
  expect(runOf(built, { ticks: 2 }).summary.statistics).toMatchObject({ all: [5, 5, 4, 4, 2] })
})

it('a process of the base, overridden by an heir, is called and asked for as each has it', () => {
  const built = model(
    scenario({ totalTicks: 1 }),
    agents(
      'Base',
      { initialNumber: '1' },
      variable('told', '""'),
      process('Say', start(passive), port('word', 'in'), compute('told = told + "base " + word'), end()),
      process('Live', start(every(1)), call('Base.Say', { inputs: [{ name: 'word', value: '"own "' }] }), end()),
    ),
    agents(
      'Heir',
      { inherits: 'Base', initialNumber: '1' },
      process('Say', start(passive), port('word', 'in'), compute('told = told + "heir " + word'), end()),
    ),
    process(
      'Ask',
      start(every(1)),
      ask('Base', '', { does: 'call', process: 'Base.Say', inputs: [{ name: 'word', value: '"asked "' }] }),
      end(),
    ),
    statistic('base', '[a.told for a in Base if a not in Heir.individuals][0]'),
    statistic('heir', '[a.told for a in Heir][0]'),
  )
  expect(runOf(built).summary.statistics).toMatchObject({ base: 'base asked base own ', heir: 'heir asked heir own ' })
})

describe('predator and prey by inheritance', () => {
  it('is sound', () => expect(codesOf(pasture(1)).filter(code => !code.startsWith('warning'))).toEqual([]))
  it('heirs count as their base, burn what they say and feed as they say', () => {
    const { statistics } = runOf(pasture(1)).summary
    // Tick 1: each sheep 10 + 1.5 - 1, each wolf 10 - 2.
    expect(statistics).toMatchObject({ all: 33, sheep: 30, wolves: 3, wolf_energy: 8 })
    expect(statistics['total']).toBeCloseTo(30 * 10.5 + 3 * 8, 9)
  })
  it('nobody appears or is lost but by births and deaths, and wolves in balance live on', () => {
    const { summary } = runOf(pasture(9))
    const { all, sheep, wolves } = summary.statistics
    expect(all).toBe(Number(sheep) + Number(wolves))
    // Three meals of 6 make up for three times three ticks of 2.
    expect(summary.statistics).toMatchObject({ wolves: 3, wolf_energy: 10 })
  })
})
