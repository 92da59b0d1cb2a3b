// Cobham, Operations Research 2 (1954): non-preemptive priorities, arrivals .3 and .4, service 1: mean waits 1.000 and 3.3333.
import { describe, it } from 'vitest'
import { expectMean, replicate, sample, statistic } from '../../../help/samples.ts'

const room = sample('emergency-room')

describe('emergency room', () => {
  it('lets the urgent wait 1, the others 10/3', () => {
    const runs = Array.from({ length: 24 }, (_, i) => room.run({ seed: 1000 + i, ticks: 20_000 }))
    expectMean(
      replicate(24, seed => statistic(runs[seed - 1000]!, 'urgent_wait')),
      1,
      { precision: 0.012 },
    )
    expectMean(
      replicate(24, seed => statistic(runs[seed - 1000]!, 'other_wait')),
      10 / 3,
      { precision: 0.03 },
    )
  })
})
