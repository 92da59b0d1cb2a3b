// Run.restart: what follows is what follows in a new run.
import { readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { loadChain } from '../../../sim-engine/chain.ts'
import type { Run } from '../../../sim-engine/run.ts'
import { sample } from '../../help/samples.ts'

await loadChain()

const ids = readdirSync(new URL('../../../model-schema/samples', import.meta.url))
  .filter(name => name.endsWith('.holo'))
  .map(name => name.slice(0, -5))

/** The state at the beginning, after some ticks and later, and the summary there. */
function course(run: Run): string[] {
  const told = [run.hash()]
  for (const ticks of [3, 9]) {
    run.advance({ ticks })
    told.push(run.hash())
  }
  const summary = run.summary()
  return [...told, JSON.stringify([summary, run.takeOutput()])]
}

describe('run: restart', () => {
  test.each(ids)('run: %s begins again as a new run with that seed does', id => {
    const of = sample(id)
    const fresh = [5, 6, 7].map(seed => course(of.start({ seed, ticks: 12 })))
    const run = of.start({ seed: 4, ticks: 12 })
    run.advance({ ticks: 2 })
    run.restart(5)
    expect(course(run)).toEqual(fresh[0])
    run.restart(6)
    run.advance({ ticks: 5 })
    run.restart(6)
    expect(course(run)).toEqual(fresh[1])
    run.restart(7)
    expect(course(run)).toEqual(fresh[2])
  })
})
