// Site percolation with four neighbours: on 251 x 251 cells fire from one whole edge reaches the opposite one with probability
// .07, .36, .80 and .98 at a density of 58, 59, 60 and 61 % (the infinite threshold is .592746).
import { describe, expect, it } from 'vitest'
import { sample } from '../../help/samples.ts'

const fire = sample('forest-fire')
const crossings = (density: number, runs: number) =>
  Array.from({ length: runs }, (_, i) => fire.run({ seed: 500 + i, set: { Density: density, 'Half width': 60 } })).filter(
    summary => summary.statistics['crossed'] === true,
  ).length

describe('forest fire', () => {
  it('tips between 52 and 67 % trees', () => {
    expect(crossings(52, 3)).toBe(0)
    expect(crossings(67, 3)).toBe(3)
  })
  it('crosses a small wood as often as percolation says', () => {
    // Where a finite wood of any size is crossed about as often as not.
    const small = Array.from({ length: 40 }, (_, i) => fire.run({ seed: 900 + i, set: { Density: 59.27, 'Half width': 20 } })).filter(
      summary => summary.statistics['crossed'] === true,
    ).length
    expect(small / 40).toBeGreaterThan(0.35)
    expect(small / 40).toBeLessThan(0.85)
  })
})
