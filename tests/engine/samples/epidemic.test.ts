// Kermack and McKendrick, Proc. Roy. Soc. A 115 (1927): the share z that ever falls ill solves z = 1 - exp(-R0 z) in a large
// population; with a share i of first cases z = 1 - (1 - i) exp(-R0 z), solved here by iteration.
import { describe, it } from 'vitest'
import { expectMean, replicate, sample, statistic } from '../../help/samples.ts'

const epidemic = sample('epidemic')

function finalSize(r0: number, first: number): number {
  let z = 0.9
  for (let i = 0; i < 500; i++) z = 1 - (1 - first) * Math.exp(-r0 * z)
  return z
}

describe('epidemic', () => {
  // Contacts x Contagion x Duration = R0; 20 first cases of 4000 hardly ever die out.
  it.each([
    [1.5, 0.015, 8],
    [2, 0.02, 4],
    [3, 0.03, 3],
  ])('with R0 = %f reaches the final size', (r0, contagion, runs) => {
    const found = replicate(runs, seed =>
      statistic(
        epidemic.run({ seed, set: { People: 4000, Contacts: 10, Contagion: contagion, Duration: 10, 'First cases': 20 } }),
        'ever_ill',
      ),
    )
    expectMean(found, finalSize(r0, 20 / 4000), { precision: 0.02, band: 0.004 })
  })
})
