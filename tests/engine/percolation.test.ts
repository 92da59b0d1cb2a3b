// Site percolation on 251 x 251 cells with four neighbours: fire from one whole edge reaches the opposite one with probability
// .07, .36, .80 and .98 at a density of 58, 59, 60 and 61 % (the infinite threshold is .592746).
import { describe, expect, it } from 'vitest'
import { cells, compute, end, every, model, process, scenario, space, start, statistic, variable } from '../help/models.ts'
import { begin } from '../help/runs.ts'

const runs = 40

describe('fire crosses a wood as often as percolation says', () => {
  const wood = model(
    // The longest way through at the threshold is about 900 cells; a tick with nothing on fire costs nothing.
    scenario({ totalTicks: 1500 }),
    space('Land', { minX: '0', maxX: '250', minY: '0', maxY: '250', topology: 'discrete', wrapX: false, wrapY: false }),
    variable('density', 0.5, { public: true }),
    cells(
      'Patch',
      { space: 'Land' },
      variable('state', '2 if x == 0 else 1 if random() < density else 0'),
      process(
        'Burn',
        start(every(1)),
        compute('if state == 2:\n    state = 3\nelif state == 1 and any(n.state == 2 for n in von_neumann()):\n    state = 2'),
        end(),
      ),
    ),
    statistic('crossed', 'any(c.state >= 2 and c.x == 250 for c in Patch)', { sample: 'end' }),
  )
  // Three binomial standard errors about the published number: .12, .23, .19, .07. With diagonal neighbours all woods are crossed.
  it.each([
    [0.58, 0.07],
    [0.59, 0.36],
    [0.6, 0.8],
    [0.61, 0.98],
  ])('density %f: probability %f', (density, published) => {
    const crossed = Array.from({ length: runs }, (_, i) => {
      const run = begin(wood, { seed: 700 + i, inputs: { density } })
      run.advance()
      return run.summary().statistics['crossed'] === true
    }).filter(Boolean).length
    const error = Math.sqrt((published * (1 - published)) / runs)
    expect(Math.abs(crossed / runs - published), `${crossed} of ${runs}`).toBeLessThanOrEqual(3 * error)
  })
})
