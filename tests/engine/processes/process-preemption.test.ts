// Tokens that take units from others, as WebAssembly: builds with it (plain) and without (debug) agree on everything that is kept.
import { describe, expect, it, vi } from 'vitest'
import { explain } from '../../../sim-engine/compile/explain.ts'
import { below, stream } from '../../../sim-engine/kernel/random.ts'
import { lowerProcesses } from '../../../sim-engine/lower/processes/process.ts'
import { start } from '../../../sim-engine/run.ts'
import { Containers } from '../../../sim-engine/world/containers.ts'
import { english } from '../../../model-schema/words.ts'
import type { Model } from '../../../model-schema/model.ts'
import {
  boundary,
  compute,
  delay,
  end,
  from,
  log,
  model,
  operate,
  otherwise,
  parallel,
  process,
  release,
  request,
  resource,
  scenario,
  start as startStep,
  to,
  variable,
  type Entry,
  type Fields,
  type Part,
} from '../../help/models.ts'
import { compare, programOf } from '../../help/ways.ts'

/** Tokens of several priorities that interrupt each other, give up, are interrupted by events and by ends of shifts. */
function urgentModel(seed: number): Model {
  const s = stream(seed, 0, 'urgent')
  const one = <T>(list: readonly T[]): T => list[below(s, list.length)]!
  const gap = () => one(['exponential(1)', 'exponential(0.8)', '1', 'uniform(0, 2)', '0.5'])
  const names = ['desk0', 'desk1', 'desk2']
  const shifts: Fields = {
    offShift: 'suspend',
    schedule: [
      { time: '0', capacity: '3' },
      { time: '8', capacity: '1' },
    ],
    period: '12',
  }
  const how = () => one([{}, { preempt: 'resume' }, { preempt: 'restart' }, { preempt: 'resume' }])
  const priority = () => one(['0', '1', '2', 'randint(0, 4)', 'size % 3'])
  const work = (name: string): Entry[] => {
    const held = below(s, 4) === 0 ? { resources: [{ container: one(names), amount: '1', key: '' }] } : {}
    if (below(s, 4) > 0) return [delay(gap(), `${name} work`, held)]
    const [split, join] = [`${name} split`, `${name} join`]
    return [parallel(split), delay(gap(), `${name} work`), parallel(join), from(split), delay(gap()), to(join), from(join)]
  }
  const line = (name: string): Part => {
    const [desk, other] = below(s, 2) === 0 ? ['desk0', 'desk1'] : ['desk2', 'desk0']
    const both = below(s, 3) === 0
    const patience = below(s, 3) === 0 ? { timeout: one(['1', 'exponential(1)', 'uniform(0, 4)']) } : null
    const given = (container: string) => ({ container, amount: '', key: '' })
    const limited = below(s, 3) === 0
    return process(
      name,
      startStep({ trigger: 'timer', every: gap() }),
      operate(
        'request',
        desk,
        one(['1', '1', '2', 'randint(1, 3)', '0.5']),
        { ...how(), priority: priority(), ...patience },
        `${name} ask`,
      ),
      ...(both ? [request(other, 1, { ...how(), priority: priority() })] : []),
      ...(below(s, 5) === 0 ? [log('size', `${name} told`)] : []),
      ...work(name),
      operate('release', { items: [given(desk), ...(both ? [given(other)] : [])] }),
      compute('size += 1'),
      end(),
      ...(patience ? [from(`${name} ask`), otherwise(), compute('gone += 1'), end()] : []),
      ...(limited
        ? [
            boundary(`${name} work`, 'timer', { delay: '1.5' }),
            operate('release', { items: [given(desk), ...(both ? [given(other)] : [])] }),
            compute('gone += 1'),
            end(),
          ]
        : []),
    )
  }
  return model(
    scenario({ totalTicks: 70, ticking: below(s, 3) === 0 }),
    ...names.map((name, k) =>
      resource(name, 2 + below(s, 3), { order: one(['fifo', 'lifo', 'priority']), ...(k === 2 && below(s, 2) === 0 ? shifts : {}) }),
    ),
    variable('size', '0'),
    variable('gone', '0'),
    line('P'),
    line('Q'),
    line('R'),
  ).model
}

describe('tokens that take units from others, as WebAssembly', () => {
  it('gives the same states: 40 random models', () => {
    let ran = 0
    let interrupted = 0
    for (let seed = 1; seed <= 40; seed++) {
      const of = urgentModel(seed)
      expect(lowerProcesses(programOf(of, false)), `model ${seed}`).not.toBeNull()
      const run = start(programOf(of, true), { seed })
      run.advance()
      if (run.time > 60) ran++
      for (const name of ['desk0', 'desk1', 'desk2']) interrupted += Number(run.summary().containers[name]?.['preemptions'])
      compare(of, seed, [below(stream(seed, 7, 'cuts'), 20) + 0.3, 50])
    }
    expect([ran > 10, interrupted > 400]).toEqual([true, true])
  })

  it('interrupts and goes on without the general way', () => {
    for (const how of ['resume', 'restart']) {
      const of = model(
        scenario({ totalTicks: 4000, ticking: false }),
        resource('nurse', 2, { order: 'priority' }),
        process(
          'P',
          startStep({ trigger: 'timer', every: 'exponential(1)' }),
          operate('request', 'nurse', 1, { preempt: how, priority: 'randint(0, 3)' }),
          delay('exponential(0.7)'),
          release('nurse'),
          end(),
        ),
      ).model
      const program = programOf(of, false)
      expect(explain(program).map(({ runs, steps }) => [english(runs), steps.length])).toEqual([['with tokens, as WebAssembly', 0]])
      const run = start(program, { seed: 1, nativeFrom: 0 })
      run.advance({ until: 1000 })
      const [asked, released] = [vi.spyOn(Containers.prototype, 'request'), vi.spyOn(Containers.prototype, 'release')]
      run.advance()
      expect(run.summary().containers['nurse']?.['preemptions']).toBeGreaterThan(200)
      expect(asked.mock.calls.length + released.mock.calls.length).toBeLessThan(20)
      asked.mockRestore()
      released.mockRestore()
    }
  })
})
