// Erlang B (Erlang 1917): calls lost are .121661 of all for 8 erlang on 10 lines, .210526 for 2 erlang on 3.
import { describe, it } from 'vitest'
import { expectMean, replicate, sample, statistic } from '../../../help/samples.ts'

const lines = sample('trunk-lines')

describe('trunk lines', () => {
  it.each([
    [8, 10, 0.121661, 12, 5000],
    [2, 3, 0.210526, 16, 8000],
  ])('%f erlang on %i lines lose %f', (load, count, lost, runs, ticks) => {
    expectMean(
      replicate(runs, seed => statistic(lines.run({ seed, ticks, set: { 'Offered load': load, 'Number of lines': count } }), 'lost_share')),
      lost,
      { precision: 0.012 },
    )
  })
})
