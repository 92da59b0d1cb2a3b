// Which cells a formula finds, by the individual that asks and near which one: also for those without a cell of their own, in models of several
// spaces with cells, and on a line.
import { describe, expect, it } from 'vitest'
import { agents, cells, compute, end, every, log, model, process, scenario, space, start, statistic, variable } from '../../help/models.ts'
import type { Part } from '../../help/models.ts'
import { logOf, runOf } from '../../help/runs.ts'

const land = space('Land', { maxX: '3', maxY: '3', wrapX: false, wrapY: false })
const plots = cells('Plot', { space: 'Land' }, variable('crop', 'x + 4 * y', { public: true }))
const sea = space('Sea', { minX: '10', maxX: '12', minY: '10', maxY: '12', wrapX: false, wrapY: false })
const waters = cells('Water', { space: 'Sea' }, variable('depth', 'x * y', { public: true }))
const says = (text: string): Part => process('Say', start(), log(text), end())

describe('cells found by the world', () => {
  const once = (text: string, ...more: Part[]): string[] => logOf(model(scenario({ totalTicks: 1 }), land, plots, ...more, says(text)))

  it.each([
    ['cell_at(1, 2).crop', '9'],
    ['[c.crop for c in von_neumann(1, cell_at(0, 0))]', '[1, 4]'],
    ['sorted(c.crop for c in moore(1, cell_at(3, 3)))', '[10, 11, 14]'],
    ['sum(c.crop for c in neighbor_cells(1, cell_at(1, 1)))', '20'],
    ['len(agents_on(cell_at(1, 1)))', '0'],
  ])('%s is %s, in a model of one space with cells', (text, value) => {
    expect(once(text)).toEqual([value])
  })

  it('are those of the named place, whatever other spaces there are', () => {
    expect(once('cell_at(11, 10).depth', sea, waters)).toEqual(['110'])
    expect(once('cell_at(1, 2).crop', sea, waters)).toEqual(['9'])
    expect(once('sorted(c.depth for c in von_neumann(1, Water.individuals[0]))', sea, waters)).toEqual(['[110, 110]'])
    expect(once('[c.crop for c in von_neumann(1, Plot.individuals[0])]', sea, waters)).toEqual(['[1, 4]'])
    expect(once('[c.depth for c in moore(1, choice([Water.individuals[0], Plot.individuals[0]])) if c.x > 9] != [0]', sea, waters)).toEqual(
      ['True'],
    )
  })

  it('are set from outside', () => {
    const built = model(
      scenario({ totalTicks: 1 }),
      land,
      plots,
      process(
        'Sow',
        start(),
        compute('for c in von_neumann(1, cell_at(0, 0)):\n    c.crop = 100\ncell_at(3, 3).crop = 1000'),
        log('sum(c.crop for c in Plot)'),
        end(),
      ),
    )
    expect(logOf(built)).toEqual([String(120 - 1 - 4 + 200 - 15 + 1000)])
  })

  it('are those of the own space for an agent, and of the only space for one without', () => {
    const walker = (fields: { [field: string]: string }, text: string): Part => agents('Man', { initialNumber: '1', ...fields }, says(text))
    const run = (...parts: Part[]): string[] => logOf(model(scenario({ totalTicks: 1 }), ...parts))
    expect(run(land, plots, walker({}, 'cell_at(1, 2).crop'))).toEqual(['9'])
    const other = space('Low', { maxX: '3', maxY: '3' })
    const lows = cells('Floor', { space: 'Low' }, variable('crop', '-1', { public: true }))
    const placed = { space: 'Low', placement: 'position', position: '[1, 1]' }
    expect(run(land, plots, other, lows, walker(placed, 'cell_at(1, 2).crop'))).toEqual(['-1'])
    expect(run(land, plots, other, lows, walker(placed, 'sum(c.crop for c in moore(1, Plot.individuals[5]))'))).toEqual(['40'])
    expect(run(land, plots, other, lows, walker(placed, 'sum(c.crop for c in moore())'))).toEqual(['-8'])
  })
})

// S. Wolfram, A New Kind of Science (2002), page 27; ones a step: OEIS A070952.
it('a line of cells: rule 30 grows 1, 3, 3, 6, 4, 9, 5, 12, 7, 12 ones', () => {
  const { run, summary } = runOf(
    model(
      scenario({ totalTicks: 9 }),
      space('Line', { maxX: '40', minY: '0', maxY: '0' }),
      cells(
        'Bit',
        { space: 'Line' },
        variable('on', '1 if x == 20 else 0'),
        process('Rule', start(every(1)), compute('on = cell_at(x - 1, y).on ^ (on | cell_at(x + 1, y).on)'), end()),
      ),
      variable('seen', '[1]', { type: 'list', public: true }),
      statistic('ones', 'sum(b.on for b in Bit)', { aggregate: 'list' }),
    ),
  )
  expect(run.time).toBe(9)
  expect(summary.statistics['ones']).toEqual([1, 3, 3, 6, 4, 9, 5, 12, 7, 12])
})

it('cubes have 26 cells around and 6 beside, 17 and 5 at floor and ceiling, which are never joined; positions come round sideways', () => {
  const { summary } = runOf(
    model(
      scenario({ totalTicks: 0 }),
      space('Block', { dimensions: 'three', maxX: '4', maxY: '5', maxZ: '3' }),
      cells('Cube', { space: 'Block' }),
      statistic('count', 'Cube.count', { sample: 'end' }),
      statistic('around', '[len(moore(near=cell_at(0, 0, z))) for z in range(4)]', { sample: 'end' }),
      statistic('beside', '[len(von_neumann(near=cell_at(2, 2, z))) for z in range(4)]', { sample: 'end' }),
      statistic('round', '[cell_at(5, -1, 2).x, cell_at(5, -1, 2).y, cell_at(5, -1, 2).z]', { sample: 'end' }),
    ),
  )
  expect(summary.statistics).toMatchObject({ count: 120, around: [17, 26, 26, 17], beside: [5, 6, 6, 5], round: [0, 5, 2] })
})
