// Tokens that wait, as WebAssembly: builds with it (plain) and without (debug) agree on everything that is kept.
import { describe, expect, it, vi } from 'vitest'
import type { Program } from '../../sim-engine/compile.ts'
import { below, stream } from '../../sim-engine/kernel/random.ts'
import { lowerProcesses } from '../../sim-engine/lower/process.ts'
import { start } from '../../sim-engine/run.ts'
import { Containers } from '../../sim-engine/world/containers.ts'
import type { Model } from '../../model-schema/model.ts'
import { container, delay, end, model, operate, process, scenario, start as startStep, type Fields, type Part } from '../help/models.ts'
import { compare, programOf } from '../help/ways.ts'

const lowerOf = (program: Program) => lowerProcesses(program)

/** Goods that are made and sold, with queues of both kinds: some tokens go the general way. */
function goodsModel(seed: number): Model {
  const s = stream(seed, 0, 'goods')
  const one = <T>(list: readonly T[]): T => list[below(s, list.length)]!
  const gap = () => one(['exponential(1)', 'exponential(0.8)', '1', 'uniform(0, 2)'])
  const store = () => `store${below(s, 2)}`
  const moved = (operation: 'put' | 'take'): Part =>
    operate(operation, store(), one(['1', '2', 'randint(1, 4)', 'uniform(0.5, 3)']), {
      otherwise: below(s, 6) === 0 ? 'partial' : 'wait',
      ...(below(s, 4) === 0 ? { priority: String(below(s, 3)) } : {}),
    })
  const odd = (): Part =>
    one([
      () => operate('take', store(), 'randint(1, 3)', { otherwise: 'wait', timeout: '2' }),
      () => operate('transfer', 'store0', 1, { target: 'store1', otherwise: 'wait' }),
      () => operate('take', 'store1', 1, { otherwise: 'wait', alternatives: true }),
    ])()
  const steps = (): Part[] => [
    moved(one(['put', 'take'])),
    delay(gap()),
    ...(below(s, 3) === 0 ? [odd()] : []),
    ...(below(s, 2) === 0 ? [moved(one(['put', 'take']))] : []),
  ]
  const timed = (): Part => startStep({ trigger: 'timer', every: gap() })
  const kept = (): Fields => ({ order: one(['fifo', 'lifo', 'priority']), ...(below(s, 5) === 0 ? { strict: true } : {}) })
  return model(
    scenario({ totalTicks: 90, ticking: below(s, 3) === 0 }),
    container('store0', { initial: '4', capacity: String(6 + below(s, 20)), ...kept() }),
    container('store1', { initial: '2', ...(below(s, 2) === 0 ? { capacity: '10' } : {}), ...kept() }),
    process('Make', timed(), moved('put'), ...steps(), end()),
    process('Sell', timed(), moved('take'), ...steps(), end()),
    process('Shift', startStep({ trigger: 'timer', every: '30' }), operate('set', 'store0', 3), end()),
  ).model
}

describe('tokens that wait, as WebAssembly', () => {
  it('gives the same states where tokens wait for goods and for room: 40 random models', () => {
    for (let seed = 1; seed <= 40; seed++) {
      const of = goodsModel(seed)
      expect(lowerOf(programOf(of, false)), `model ${seed}`).not.toBeNull()
      compare(of, seed, [below(stream(seed, 7, 'cuts'), 20) + 0.3, 60])
    }
  })

  it('serves a queue for goods without the general way', () => {
    const of = model(
      scenario({ totalTicks: 4000, ticking: false }),
      container('goods', { initial: '0', capacity: '20' }),
      process('Make', startStep({ trigger: 'timer', every: 'exponential(1)' }), operate('put', 'goods', 2, { otherwise: 'wait' }), end()),
      process(
        'Sell',
        startStep({ trigger: 'timer', every: 'exponential(1)' }),
        operate('take', 'goods', 'randint(1, 4)', { otherwise: 'wait' }),
        end(),
      ),
    ).model
    const run = start(programOf(of, false), { seed: 1, nativeFrom: 0 })
    run.advance({ until: 1000 })
    const asked = vi.spyOn(Containers.prototype, 'request')
    run.advance()
    expect(run.summary().containers['goods']!.maxQueue).toBeGreaterThan(20)
    expect(asked.mock.calls.length).toBeLessThan(100)
    asked.mockRestore()
  })
})
