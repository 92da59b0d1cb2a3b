// The estimated work of a tick, which decides when a run continues in WebAssembly.
import { expect, it } from 'vitest'
import { activationsOf } from '../../../sim-engine/rows.ts'
import { start as begin } from '../../../sim-engine/run.ts'
import { agents, compute, end, every, links, model, process, scenario, space, start, variable } from '../../help/models.ts'
import { programOf } from '../../help/ways.ts'

it.each([
  ['n += 1', 20],
  ['n += len(neighbors(1))', 20 * 5],
  ['for a in relatives(Ties):\n    n += sum(1 for b in agents_on())', 20 * 9],
  ['n += sum(a.n for a in Hare)', 20 * (1 + 20 / 8)],
  ['n += degree(Ties)', 20],
])('%s', (program, expected) => {
  const of = model(
    scenario({ totalTicks: 2 }),
    space('Land', { minX: '0', maxX: '5', minY: '0', maxY: '5' }),
    agents(
      'Hare',
      { initialNumber: '20', space: 'Land', placement: 'cells' },
      variable('n', 0, { public: true }),
      process('Go', start(every(1)), compute(program), end()),
    ),
    links('Ties', { source: 'Hare', target: 'Hare', generator: 'complete' }),
  ).model
  const made = programOf(of, false)
  const run = begin(made, { seed: 1 })
  run.advance({ until: 0 })
  expect(activationsOf(made, run.world)).toBe(expected)
})
