// Models written from the printed reference alone, run by the command line, against theory: what a reader of `docs` gets.
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { main } from '../../../sim-engine/cli.ts'

type Mean = { mean: number; standardError: number }

/** Means over replications, by `statistics.name`, `containers.Name.figure` ... */
function replicate(name: string, ticks: number, replications: number): (figure: string) => Mean {
  const file = fileURLToPath(new URL(`../../cases/documents-run/${name}.holo`, import.meta.url))
  let out = ''
  const code = main(['run', file, '--ticks', String(ticks), '--replications', String(replications), '--json'], {
    out: text => (out += text),
    err: text => (out += text),
  })
  if (code !== 0) throw new Error(out.slice(0, 2000))
  const { mean } = JSON.parse(out) as { mean: Record<string, Mean> }
  return figure => {
    const found = mean[figure]
    if (!found) throw new Error(`${name} has no ${figure}; there are ${Object.keys(mean).join(', ')}`)
    return found
  }
}

/** Within four standard errors (few replications: t, not normal), which must be small. */
function agrees({ mean, standardError }: Mean, theory: number): void {
  const said = `${mean} (standard error ${standardError}) against ${theory}`
  expect(standardError / theory, said).toBeLessThan(0.05)
  expect(Math.abs(mean - theory), said).toBeLessThanOrEqual(4 * standardError)
}

describe('models written from the reference', () => {
  it('a job shop of two machine groups with rework is a Jackson network', () => {
    const found = replicate('job-shop', 40_000, 6)
    // Each station sees 0.5 / (1 - 0.25) jobs: M/M/1 with load 2/3, M/M/2 with 4/3 erlang (Erlang C 8/15).
    agrees(found('containers.Cutter.utilization'), 2 / 3)
    agrees(found('containers.Cutter.meanQueue'), 4 / 3)
    agrees(found('containers.Drills.meanQueue'), (8 / 15) * 2)
    agrees(found('containers.Drills.meanWait'), 1.6)
  })
  it('a counter with two classes waits as Cobham says; a small room loses as Erlang says', () => {
    const found = replicate('counter', 30_000, 6)
    // Mean residual service 0.7 * E[S^2] / 2 with S uniform in 0.5 .. 1.5.
    const residual = (0.7 * (1 + 1 / 12)) / 2
    agrees(found('statistics.mean_wait_urgent'), residual / 0.7)
    agrees(found('statistics.mean_wait_normal'), residual / (0.7 * 0.3))
    agrees(found('statistics.share_turned_away'), 8 / 6 / (1 + 2 + 2 + 8 / 6))
  })
  it('one server with two classes, one before the other, waits as Cobham says', () => {
    const found = replicate('two-classes', 40_000, 12)
    // M/M/1, service rate 1, arrivals 0.3 and 0.4: what is being served lasts 0.7 more on average.
    agrees(found('statistics.wait_high'), 0.7 / (1 - 0.3))
    agrees(found('statistics.wait_low'), 0.7 / ((1 - 0.3) * (1 - 0.7)))
    agrees(found('containers.Clerk.utilization'), 0.7)
  })
  it('an endemic disease with births and deaths settles where inflow meets outflow', () => {
    const found = replicate('endemic', 1500, 4)
    // Susceptible s and ill i a day: deaths 0.02 of all, then infection 1 - exp(-0.2 i) of s, recovery 0.08 of i.
    let [s, i] = [0.5, 0.1]
    for (let day = 0; day < 20_000; day++) {
      const caught = 0.98 * s * (1 - Math.exp(-0.2 * i))
      ;[s, i] = [0.98 * s + 0.02 - caught, 0.98 * i * 0.92 + caught]
    }
    expect(Math.abs(found('statistics.susceptible').mean - s)).toBeLessThan(0.01)
    expect(Math.abs(found('statistics.ill').mean - i)).toBeLessThan(0.004)
  })
})
