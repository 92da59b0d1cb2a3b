// Processes of which only so many tokens run at a time, as WebAssembly: builds with it (plain) and without (debug) agree on everything that
// is kept.
import { describe, expect, it, vi } from 'vitest'
import { explain } from '../../../sim-engine/compile/explain.ts'
import { below, stream } from '../../../sim-engine/kernel/random.ts'
import { Kernel } from '../../../sim-engine/run/kernel.ts'
import { start } from '../../../sim-engine/run.ts'
import type { Model } from '../../../model-schema/model.ts'
import {
  compute,
  delay,
  end,
  model,
  operate,
  parallel,
  process,
  resource,
  scenario,
  start as startStep,
  to,
  from,
  variable,
  call,
  passive,
  subprocess,
  type Fields,
  type Part,
} from '../../help/models.ts'
import { compare, programOf } from '../../help/ways.ts'

const itemsOf = (container: string) => ({ items: [{ container, amount: '1', key: '' }] })

/** Processes with and without limits, that split, call each other and wait for units; numbers change how many may run. */
function limitedModel(seed: number): Model {
  const s = stream(seed, 0, 'limited')
  const one = <T>(list: readonly T[]): T => list[below(s, list.length)]!
  const gap = () => one(['exponential(1)', 'exponential(0.6)', '1', '0', '0.5', 'uniform(0, 2)'])
  const limit = (): Fields =>
    below(s, 4) === 0
      ? {}
      : {
          concurrency: one(['1', '2', '3', 'most', 'most + 1', '1 if size > 20 else 2']),
          busy: one(['queue', 'queue', 'queue', 'skip', 'restart']),
        }
  const line = (name: string): Part => {
    const units = itemsOf('desk')
    const work = (name: string) => [
      (): Part[] => [delay(gap())],
      (): Part[] => [operate('request', units), delay(gap()), operate('release', units)],
      (): Part[] => [subprocess(`${name} inside`, startStep(), delay(gap()), end())],
      (): Part[] => [call('Called', {})],
      () => [parallel(`${name} split`), delay(gap()), to(`${name} join`), from(`${name} split`), delay(gap()), parallel(`${name} join`)],
      () => [parallel(`${name} fork`), delay(gap()), end(), from(`${name} fork`), delay(gap())],
    ]
    return process(
      name,
      limit(),
      startStep({ trigger: 'timer', every: one(['exponential(0.8)', '0.5', '1']), ...(below(s, 6) === 0 ? { count: '2' } : {}) }),
      variable('came', 'time'),
      ...one(work(name))(),
      compute('size += 1 + came / 100'),
      ...(below(s, 3) === 0 ? one(work(`${name} then`))() : []),
      end(),
    )
  }
  return model(
    scenario({ totalTicks: 60, ticking: below(s, 4) === 0 }),
    resource('desk', 3),
    variable('size', '0'),
    variable('most', '2'),
    process('Called', limit(), startStep(passive), delay(gap()), end()),
    process('Change', startStep({ trigger: 'timer', every: '7' }), compute('most = randint(1, 4)'), end()),
    ...['A', 'B', 'C'].map(line),
  ).model
}

describe('processes of which only so many tokens run at a time', () => {
  it('give the same states in 25 random models', () => {
    for (let seed = 1; seed <= 25; seed++) compare(limitedModel(seed), seed, [below(stream(seed, 7, 'cuts'), 20) + 0.3, 50])
  })

  it('start, wait for their turn and end without the general way', () => {
    const of = model(
      scenario({ totalTicks: 3000, ticking: false }),
      variable('most', '2'),
      variable('done', '0'),
      process(
        'Serve',
        { concurrency: 'most' },
        startStep({ trigger: 'timer', every: 'exponential(1)' }),
        delay('exponential(1.8)'),
        compute('done += 1'),
        end(),
      ),
    ).model
    compare(of, 1, [10.5, 200])
    const program = programOf(of, false)
    expect(explain(program).flatMap(({ steps }) => steps)).toEqual([])
    const run = start(program, { seed: 1, nativeFrom: 0 })
    run.advance({ until: 500 })
    const [began, gone] = [vi.spyOn(Kernel.prototype, 'begin'), vi.spyOn(Kernel.prototype, 'go')]
    run.advance()
    expect(run.value('done')).toBeGreaterThan(2500)
    expect(began.mock.calls.length + gone.mock.calls.length).toBeLessThan(20)
    began.mockRestore()
    gone.mockRestore()
  })
})
