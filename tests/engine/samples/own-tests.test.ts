// The tests that samples carry. FAULTS=60 puts so many faults into each sample: its tests notice four in five. SEEDS=1000 makes as many runs of each
// test with other seeds (from SEED on): none is a false alarm.
import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { loadChain } from '../../../sim-engine/chain.ts'
import { runTest, testsOf } from '../../../sim-engine/testing.ts'
import { mutate } from '../../../sim-engine/testing/mutate.ts'
import { sample } from '../../help/samples.ts'
import { english } from '../../../model-schema/words.ts'

await loadChain()
const folder = new URL('../../../model-schema/samples/', import.meta.url)
const faults = Number(process.env['FAULTS'] ?? 0)
const seeds = Number(process.env['SEEDS'] ?? 0)
const first = Number(process.env['SEED'] ?? 100_000)

const tested = readdirSync(folder)
  .filter(name => name.endsWith('.holo'))
  .map(name => name.slice(0, -'.holo'.length))
  .map(id => ({ id, ...sample(id) }))
  .flatMap(({ id, model }) => {
    const tests = testsOf(model, model.scenarios[0]!)
    return tests.length > 0 ? [{ id, model, tests }] : []
  })

function finish<T>(work: Generator<void, T>): T {
  for (;;) {
    const step = work.next()
    if (step.done === true) return step.value
  }
}

describe.each(tested)('sample $id', ({ model, tests }) => {
  it.each(tests)('holds: $name', test => {
    const options = seeds > 0 ? { seed: first, runs: Math.ceil(seeds / test.runs) * test.runs } : {}
    const { passed, problems, checks } = finish(runTest(model, test, options))
    expect(passed, JSON.stringify([problems, checks])).toBe(true)
  })

  it.skipIf(faults === 0)('its tests notice four in five faults', () => {
    const { share, unnoticed } = finish(mutate(model, tests, { faults, seed: 1, limit: () => () => false }))
    expect(share, unnoticed.map(({ element, field, words }) => `${element} ${field}: ${english(words)}`).join('\n')).toBeGreaterThanOrEqual(
      0.8,
    )
  })
})

it('every sample has tests', () => {
  expect(tested.length).toBeGreaterThanOrEqual(29)
})
