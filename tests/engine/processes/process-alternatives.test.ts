// Tokens that are content with one of several resources, as WebAssembly: builds with it (plain) and without (debug) agree on everything that
// is kept.
import { describe, expect, it, vi } from 'vitest'
import { explain } from '../../../sim-engine/compile/explain.ts'
import { below, stream } from '../../../sim-engine/kernel/random.ts'
import { lowerProcesses } from '../../../sim-engine/lower/processes/process.ts'
import { start } from '../../../sim-engine/run.ts'
import { Containers } from '../../../sim-engine/world/containers.ts'
import { english } from '../../../model-schema/words.ts'
import type { Model } from '../../../model-schema/model.ts'
import {
  compute,
  delay,
  end,
  from,
  log,
  model,
  operate,
  otherwise,
  process,
  resource,
  scenario,
  start as startStep,
  variable,
  type Fields,
  type Part,
} from '../../help/models.ts'
import { compare, programOf } from '../../help/ways.ts'

const names = ['desk0', 'desk1', 'desk2']

/** Tokens that ask for one of several resources, for all of them, or for one; some give up or take units from others. */
function choosingModel(seed: number): Model {
  const s = stream(seed, 0, 'choosing')
  const one = <T>(list: readonly T[]): T => list[below(s, list.length)]!
  const gap = () => one(['exponential(1)', 'exponential(0.8)', '1', 'uniform(0, 2)', '0.5'])
  const line = (name: string): Part => {
    const first = below(s, 3)
    const desks = [names[first]!, names[(first + 1) % 3]!, ...(below(s, 3) === 0 ? [names[(first + 2) % 3]!] : [])]
    const items = desks.map(container => ({ container, amount: one(['1', '1', '1', '2']), key: '' }))
    const isOne = below(s, 3) > 0
    const patience = below(s, 3) === 0 ? { timeout: one(['1', 'exponential(1)', 'uniform(0, 4)']) } : null
    const fields: Fields = {
      items: below(s, 4) === 0 ? items.slice(0, 1) : items,
      ...(isOne ? { alternatives: true } : {}),
      ...(below(s, 2) === 0 ? { priority: one(['0', '1', 'randint(0, 3)']) } : {}),
      ...patience,
    }
    return process(
      name,
      startStep({ trigger: 'timer', every: gap() }),
      operate('request', fields, 1, below(s, 6) === 0 ? { preempt: 'resume' } : {}, `${name} ask`),
      ...(below(s, 5) === 0 ? [log('size', `${name} told`)] : []),
      delay(gap()),
      operate('release', { items: desks.map(container => ({ container, amount: '', key: '' })) }),
      compute('size += 1'),
      end(),
      ...(patience ? [from(`${name} ask`), otherwise(), compute('gone += 1'), end()] : []),
    )
  }
  return model(
    scenario({ totalTicks: 70, ticking: below(s, 3) === 0 }),
    ...names.map((name, k) =>
      resource(name, 2 + below(s, 2), {
        order: one(['fifo', 'lifo', 'priority']),
        ...(k === 2 && below(s, 8) === 0 ? { strict: true } : {}),
      }),
    ),
    variable('size', '0'),
    variable('gone', '0'),
    line('P'),
    line('Q'),
    line('R'),
  ).model
}

describe('tokens that are content with one of several resources, as WebAssembly', () => {
  it('gives the same states: 40 random models', () => {
    let ran = 0
    for (let seed = 1; seed <= 40; seed++) {
      const of = choosingModel(seed)
      expect(lowerProcesses(programOf(of, false)), `model ${seed}`).not.toBeNull()
      const run = start(programOf(of, true), { seed })
      run.advance()
      if (run.time > 60) ran++
      compare(of, seed, [below(stream(seed, 7, 'cuts'), 20) + 0.3, 50])
    }
    expect(ran).toBeGreaterThan(20)
  })

  it('serves them without the general way', () => {
    const both = (amount: string) => ['nurse', 'doctor'].map(container => ({ container, amount, key: '' }))
    const of = model(
      scenario({ totalTicks: 4000, ticking: false }),
      resource('nurse', 1),
      resource('doctor', 2),
      process(
        'P',
        startStep({ trigger: 'timer', every: 'exponential(1)' }),
        operate('request', { items: both('1'), alternatives: true }),
        delay('exponential(2.6)'),
        operate('release', { items: both('') }),
        end(),
      ),
    ).model
    const program = programOf(of, false)
    expect(explain(program).map(({ runs, steps }) => [english(runs), steps.length])).toEqual([['with tokens, as WebAssembly', 0]])
    const run = start(program, { seed: 1, nativeFrom: 0 })
    run.advance({ until: 1000 })
    const [asked, released] = [vi.spyOn(Containers.prototype, 'request'), vi.spyOn(Containers.prototype, 'release')]
    run.advance()
    expect(Number(run.summary().containers['doctor']?.['maxQueue'])).toBeGreaterThan(5)
    expect(asked.mock.calls.length + released.mock.calls.length).toBeLessThan(40)
    asked.mockRestore()
    released.mockRestore()
  })
})
