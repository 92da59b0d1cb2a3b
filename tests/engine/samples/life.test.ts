// Conway's Game of Life (Gardner, Scientific American, October 1970). The R-pentomino, five cells, is followed against a plain
// set of cells; both agree with the published 121 cells after 100 generations. (It comes to rest at generation 1103 with 116.)
import { describe, expect, it } from 'vitest'
import { sample, statistic } from '../../help/samples.ts'

const life = sample('life')

/** The next generation on an endless plane; cells as `x,y`. */
function next(live: ReadonlySet<string>): Set<string> {
  const around = new Map<string, number>()
  for (const cell of live) {
    const [x = 0, y = 0] = cell.split(',').map(Number)
    for (const dx of [-1, 0, 1]) {
      for (const dy of [-1, 0, 1]) if (dx !== 0 || dy !== 0) around.set(`${x + dx},${y + dy}`, (around.get(`${x + dx},${y + dy}`) ?? 0) + 1)
    }
  }
  return new Set([...around].filter(([cell, count]) => count === 3 || (count === 2 && live.has(cell))).map(([cell]) => cell))
}

describe('game of life', () => {
  it('grows the R-pentomino', () => {
    const run = life.start({ set: { 'Half width': 60 } })
    let live: Set<string> = new Set(['0,1', '1,1', '-1,0', '0,0', '0,-1'])
    for (let generation = 1; generation <= 120; generation++) {
      run.advance({ ticks: 1 })
      live = next(live)
      expect([generation, statistic(run.summary(), 'population')]).toEqual([generation, live.size])
      if (generation === 100) expect(live.size).toBe(121)
    }
  })
  it('brings the R-pentomino to rest at generation 1103 with 116 cells', () => {
    // Six gliders leave before that; the fastest is 1034 / 4 cells away by then.
    const run = life.start({ set: { 'Half width': 300 } })
    const at = (ticks: number): number => {
      run.advance({ ticks })
      return statistic(run.summary(), 'population')
    }
    const counts = [at(1102), at(1), at(1), at(1), at(1)]
    expect(counts[0]).not.toBe(116)
    expect(counts.slice(1)).toEqual([116, 116, 116, 116])
  })
})
