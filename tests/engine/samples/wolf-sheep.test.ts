// Wilensky, NetLogo Wolf Sheep Predation (1997), sheep-wolves-grass with its defaults on a 51 x 51 torus: long-run means from
// tick 500 on of 160 sheep, 76 wolves, 973 green cells (+-10 %).
import { describe, expect, it } from 'vitest'
import { replicate, sample } from '../../help/samples.ts'

const wolfSheep = sample('wolf-sheep')

describe('wolves, sheep and grass', () => {
  it('swing around the published balance', () => {
    const sums = { sheep: 0, wolves: 0, grass: 0 }
    const runs = 3
    replicate(runs, seed => {
      const run = wolfSheep.start({ seed })
      run.advance({ ticks: 500 })
      const mean = { sheep: 0, wolves: 0, grass: 0 }
      let samples = 0
      while (run.advance({ ticks: 10 })) {
        const { statistics } = run.summary()
        for (const name of ['sheep', 'wolves', 'grass'] as const) mean[name] += Number(statistics[name])
        samples++
      }
      for (const name of ['sheep', 'wolves', 'grass'] as const) sums[name] += mean[name] / samples / runs
      return 0
    })
    expect(sums.sheep).toBeGreaterThan(144)
    expect(sums.sheep).toBeLessThan(176)
    expect(sums.wolves).toBeGreaterThan(68)
    expect(sums.wolves).toBeLessThan(84)
    expect(sums.grass).toBeGreaterThan(876)
    expect(sums.grass).toBeLessThan(1070)
  })
})
