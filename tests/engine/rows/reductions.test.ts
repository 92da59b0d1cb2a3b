// Reductions over individuals that a cheap test selects: the same state as in the general way.
import { describe, expect, it } from 'vitest'
import { explain } from '../../../sim-engine/compile/explain.ts'
import { agents, compute, end, every, model, process, scenario, start, variable } from '../../help/models.ts'
import { compare, programOf } from '../../help/ways.ts'

const lines = [
  'v = len([1 for o in One if o.is_chosen])',
  'v = count(1 for o in One if o.is_chosen)',
  'v = count(o.is_chosen for o in One)',
  'v = count(0 for o in One if o.is_chosen and o.v >= 0)',
  'v = sum(1 for o in One if o.is_chosen)',
  'v = sum((1 for o in One if o.is_chosen), 5)',
  'v = max((1 for o in One if o.is_chosen and o.is_other), default=7)',
  'v = mean(1 for o in One if not o.is_chosen)',
  'v = 1 if any(1 for o in One if o.is_chosen and o.is_other) else 2',
]

describe('reductions with a cheap test', () => {
  it.each(lines)('%s', line => {
    const of = model(
      scenario({ totalTicks: 6 }),
      agents(
        'One',
        { initialNumber: '10' },
        variable('v', 0, { public: true }),
        variable('is_chosen', 'random() < 0.3', { public: true }),
        variable('is_other', 'False', { public: true }),
        process('Go', start(every(1)), compute(line), end()),
      ),
    ).model
    expect(explain(programOf(of, false)).flatMap(({ steps }) => steps)).toEqual([])
    compare(of, 1, [2, 4])
  })
})
