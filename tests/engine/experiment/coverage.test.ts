// Intervals cover as often as they say. Small counts here; `npm run bench -- coverage` counts ten thousand experiments of each.
import { describe, expect, it } from 'vitest'
import type { Evaluator } from '../../../sim-engine/experiment.ts'
import { stream } from '../../../sim-engine/kernel/random.ts'
import {
  coverageOfBatchMeans,
  coverageOfReplications,
  coverageOfStopping,
  longRuns,
  sequential,
  systems,
} from '../../help/experiments/coverage.ts'
import { conducted, functionModel, memory, prepared } from '../../help/experiments.ts'
import { meanWait, waits } from '../../help/experiments/series.ts'

/** Within four standard errors of what is aimed at, .95 within .01. */
const room = (experiments: number): number => 0.01 + 4 * Math.sqrt((0.95 * 0.05) / experiments)

describe('intervals of 95 %', () => {
  it.each(systems)('of replications: $name', system => {
    expect(Math.abs(coverageOfReplications(system, 30, 60) - 0.95)).toBeLessThan(room(60))
  })

  it.each(sequential)('of runs until the interval is narrow: $name', async one => {
    const { coverage, runs } = await coverageOfStopping(one, 150)
    expect(Math.abs(coverage - 0.95)).toBeLessThan(room(150))
    expect(runs).toBeGreaterThan(15)
  })

  it.each(longRuns)('of one long run, by batch means: $name', one => {
    expect(Math.abs(coverageOfBatchMeans(one, 100) - 0.95)).toBeLessThan(room(100))
  })

  it('are tried on series whose means are those of Erlang C', () => {
    // Mean waits by the formula: 1/2 for one server at half load; tables give C(3, 2.4) = .6472.
    expect(meanWait(0.5, 1)).toBeCloseTo(0.5, 12)
    expect(meanWait(0.8, 3)).toBeCloseTo((0.6472 * 0.8) / 0.2, 3)
    const values = waits(stream(1, 0, 'long'), 300_000, 0.6, 3)
    const mean = values.reduce((sum, value) => sum + value) / values.length
    expect(Math.abs(mean / meanWait(0.6, 3) - 1)).toBeLessThan(0.05)
  })
})

describe('runs until an interval is narrow', () => {
  const fields = { type: 'monteCarlo', until: 'interval', halfWidth: 0.05, maxRuns: 5000 } as const
  const of = prepared(functionModel({ x: 1 }), fields, { r: { kind: 'response', expression: 'x' } })
  const giving = (valueOf: (run: number) => number): Evaluator => ({
    async evaluate(jobs, done) {
      for (const { run } of jobs) done(run, { end: 'limited', ticks: 0, values: [valueOf(run)], problem: null })
    },
    close() {},
  })

  it('end only when more runs leave it narrow: five of few, a twentieth of many', async () => {
    const steady = (run: number): number => 10 + (run % 2) / 10
    expect((await conducted(of, memory(), giving(steady))).known).toBe(20)
    // Narrow at 15, not at 17: the spread of the first was low by chance.
    const late = await conducted(
      of,
      memory(),
      giving(run => (run === 16 ? 100 : steady(run))),
    )
    expect(late.known).toBeGreaterThan(100)
    // The first look that finds it narrow adds a twentieth.
    const looks = [15]
    while (looks.at(-1)! < late.known) looks.push(Math.ceil(looks.at(-1)! * 1.5))
    expect(looks).not.toContain(late.known)
  })

  it('of an event of one in a thousand never end early', async () => {
    const never = prepared(functionModel({ x: 1 }), { ...fields, maxRuns: 50_000 }, { r: { kind: 'response', expression: 'x' } })
    expect(
      (
        await conducted(
          never,
          memory(),
          giving(() => 0),
        )
      ).known,
    ).toBe(50_000)
    // To 5 % of p it takes 1.96^2 (1 - p) / (p .05^2), about 1.5 million runs.
    const some = await conducted(
      never,
      memory(),
      giving(run => Number(run % 1000 === 999)),
    )
    expect(some.known).toBe(50_000)
  })
})
