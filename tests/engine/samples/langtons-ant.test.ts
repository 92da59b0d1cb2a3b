// Langton, Physica D 22 (1986): 20, 118 and 720 black cells after 100, 1,000 and 10,000 steps.
import { describe, expect, it } from 'vitest'
import { sample, statistic } from '../../help/samples.ts'

const ant = sample('langtons-ant')

describe('langton’s ant', () => {
  it.each([
    [100, 20],
    [1000, 118],
    [10_000, 720],
  ])('after %i steps has left %i black cells', (ticks, black) => {
    expect(statistic(ant.run({ ticks }), 'black')).toBe(black)
  })
})
