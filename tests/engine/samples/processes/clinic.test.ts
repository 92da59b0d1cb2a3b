// Erlang C (Erlang 1917; Gross and Harris, Fundamentals of Queueing Theory): M/M/1 with load .8: Wq = 4, M/M/3 with 2.4
// arrivals: Wq = 1.07865, Lq = 2.58876; M/M/10 with 8: Wq = .20459.
import { describe, expect, it } from 'vitest'
import { expectMean, replicate, sample, statistic } from '../../../help/samples.ts'

const clinic = sample('clinic')

describe('clinic', () => {
  it.each([
    [0.8, 1, 4, 40, 20_000],
    [2.4, 3, 1.07865, 20, 20_000],
    [8, 10, 0.20459, 12, 10_000],
  ])('with %f arrivals and %i nurses waits as Erlang says', (arrivals, staff, wait, runs, ticks) => {
    const rows = Array.from({ length: runs }, (_, i) => clinic.run({ seed: 1000 + i, ticks, set: { Arrivals: arrivals, Staff: staff } }))
    const waits = replicate(runs, seed => statistic(rows[seed - 1000]!, 'mean_wait'))
    const queues = replicate(runs, seed => statistic(rows[seed - 1000]!, 'mean_queue'))
    expectMean(waits, wait, { precision: 0.03 })
    // Little's law.
    expectMean(queues, wait * arrivals, { precision: 0.03 })
    expectMean(
      replicate(runs, seed => statistic(rows[seed - 1000]!, 'busy')),
      arrivals / staff,
    )
    expect(waits.mean * arrivals).toBeCloseTo(queues.mean, 1)
  })
})
