// What steps were given, where formulas ask: builds with processes as WebAssembly (plain) and without (debug) agree on everything that is kept.
import { describe, expect, it, vi } from 'vitest'
import { below, stream } from '../../../sim-engine/kernel/random.ts'
import { start } from '../../../sim-engine/run.ts'
import { Containers } from '../../../sim-engine/world/containers.ts'
import type { Model } from '../../../model-schema/model.ts'
import {
  compute,
  container,
  delay,
  end,
  model,
  operate,
  process,
  release,
  request,
  resource,
  scenario,
  start as startStep,
  variable,
  type Fields,
  type Part,
} from '../../help/models.ts'
import { compare, programOf } from '../../help/ways.ts'

const itemsOf = (...amounts: readonly [string, string][]) => ({
  items: amounts.map(([container, amount]) => ({ container, amount, key: '' })),
})
const timed = (fields: Fields): Part => startStep({ trigger: 'timer', ...fields })

/** Some steps are asked what they were given; others wait for the same at the same containers. */
function askingModel(seed: number): Model {
  const s = stream(seed, 0, 'asking')
  const one = <T>(list: readonly T[]): T => list[below(s, list.length)]!
  const gap = () => one(['exponential(1)', 'exponential(0.8)', '1', '0.5', 'uniform(0, 2)'])
  const goods = below(s, 2) === 0
  const line = (name: string): Part => {
    const asks = (step: string): Part[] => (below(s, 2) === 0 ? [compute(`seen = seen * 0.9 + ${step}.output`)] : [])
    const lasting = below(s, 3) === 0 ? { duration: gap() } : {}
    const kind = below(s, goods ? 4 : 3)
    const priority = { priority: one(['0', '1', 'randint(0, 3)']) }
    const step = `${name}got`
    const work = (): Part[] => {
      if (kind === 3)
        return [
          operate(one(['put', 'take']), 'store', one(['1', '2', 'randint(1, 4)']), { otherwise: 'wait', ...lasting }, step),
          ...asks(step),
        ]
      const preempt = kind === 0 && below(s, 2) === 0 ? { preempt: one(['resume', 'restart']), ...priority } : {}
      const items = kind < 2 ? itemsOf(['desk', one(['1', '2', '3'])]) : itemsOf(['desk', one(['1', '2'])], ['bench', one(['1', '2'])])
      return [operate('request', items, 1, { ...preempt, ...lasting }, step), ...asks(step), delay(gap()), operate('release', items)]
    }
    return process(name, timed({ every: gap() }), ...work(), compute('done += 1'), end())
  }
  return model(
    scenario({ totalTicks: 60, ticking: false }),
    resource('desk', 4 + below(s, 4), { order: one(['fifo', 'lifo', 'priority']) }),
    resource('bench', 3),
    ...(goods ? [container('store', { initial: '2', capacity: '9' })] : []),
    variable('seen', '0'),
    variable('done', '0'),
    ...['A', 'B', 'C', 'D'].map(line),
  ).model
}

describe('what steps were given', () => {
  it('is the same for those served together: a request for several resources', () => {
    const both = itemsOf(['desk', '1'], ['bench', '1'])
    const each = (first: string) => timed({ every: '5', first })
    const of = model(
      scenario({ totalTicks: 400, ticking: false }),
      resource('desk', 4),
      resource('bench', 3),
      variable('seen', '0'),
      process('All', each('1'), request('desk', 4), delay('2'), release('desk', 4), end()),
      process(
        'Asking',
        each('2'),
        operate('request', both, 1, {}, 'get'),
        compute('seen += get.output'),
        delay('0.1'),
        operate('release', both),
        end(),
      ),
      process('Three', each('2.5'), request('desk', 3), delay('0.5'), release('desk', 3), end()),
      process('Both', each('2.6'), operate('request', both), delay('0.1'), operate('release', both), end()),
    ).model
    compare(of, 1, [3.5, 30])
    const run = start(programOf(of, false), { seed: 1, nativeFrom: 0 })
    run.advance({ until: 100 })
    const released = vi.spyOn(Containers.prototype, 'release')
    run.advance()
    expect(released.mock.calls.length).toBe(0)
    released.mockRestore()
    expect(run.value('seen')).toBe(2 * 80)
  })

  it('is not what was given back to interrupted work', () => {
    const several = itemsOf(['bench', '2'], ['chair', '1'])
    const of = model(
      scenario({ totalTicks: 20, ticking: false }),
      resource('desk', 1, { order: 'priority' }),
      resource('bench', 2),
      resource('chair', 1),
      variable('seen', '0'),
      process(
        'Worker',
        timed({ first: '1', every: '' }),
        operate('request', 'desk', 1, { priority: '5' }),
        operate('request', several, 1, { duration: '4' }, 'get'),
        compute('seen = get.output'),
        end(),
      ),
      process(
        'Boss',
        timed({ first: '2', every: '' }),
        operate('request', 'desk', 1, { preempt: 'resume', priority: '1' }),
        delay('1'),
        release('desk'),
        end(),
      ),
    ).model
    for (const debug of [false, true]) {
      const run = start(programOf(of, debug), { seed: 1, nativeFrom: 0 })
      run.advance()
      expect(run.value('seen')).toBe(3)
    }
  })

  it('is the same in 20 random models', () => {
    for (let seed = 1; seed <= 20; seed++) compare(askingModel(seed), seed, [below(stream(seed, 7, 'cuts'), 20) + 0.3, 50])
  })
})
