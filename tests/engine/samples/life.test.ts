// Conway's Game of Life (Gardner, Scientific American, October 1970): the first generations of the R-pentomino have 5, 6, 7, 9,
// 8, 9, 12, 11, 18, 19 and 24 live cells, and 121 are alive at generation 200.
import { describe, expect, it } from 'vitest'
import { sample, statistic } from '../../help/samples.ts'

const life = sample('life')

describe('game of life', () => {
  it('grows the R-pentomino', () => {
    const run = life.start({ set: { 'Half width': 40 } })
    const counts: number[] = []
    for (let generation = 0; generation <= 10; generation++) {
      run.advance({ ticks: 1 })
      counts.push(statistic(run.summary(), 'population'))
    }
    expect(counts).toEqual([5, 6, 7, 9, 8, 9, 12, 11, 18, 19, 24])
  })
})
