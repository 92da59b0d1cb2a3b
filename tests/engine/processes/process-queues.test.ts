// Tokens that wait, as WebAssembly: builds with it (plain) and without (debug) agree on everything that is kept.
import { describe, expect, it, vi } from 'vitest'
import type { Program } from '../../../sim-engine/compile.ts'
import { explain } from '../../../sim-engine/compile/explain.ts'
import { FastProcesses } from '../../../sim-engine/run/fast/fast-processes.ts'
import { english } from '../../../model-schema/words.ts'
import { below, stream } from '../../../sim-engine/kernel/random.ts'
import { lowerProcesses } from '../../../sim-engine/lower/processes/process.ts'
import { Kernel } from '../../../sim-engine/run/kernel.ts'
import { start } from '../../../sim-engine/run.ts'
import { Containers } from '../../../sim-engine/world/containers.ts'
import type { Model } from '../../../model-schema/model.ts'
import {
  chart,
  compute,
  container,
  delay,
  end,
  from,
  func,
  log,
  model,
  operate,
  otherwise,
  process,
  release,
  request,
  resource,
  scenario,
  statistic,
  start as startStep,
  to,
  variable,
  type Entry,
  type Fields,
  type Part,
} from '../../help/models.ts'
import { compare, programOf } from '../../help/ways.ts'

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
      () => operate('put', store(), 'randint(1, 3)', { otherwise: 'wait', timeout: one(['1', 'exponential(1)']) }),
      () => operate(one(['put', 'take']), store(), one(['1', 'randint(1, 3)']), { otherwise: 'wait', giveUpWhen: 'store0.queue > 3' }),
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

/** Tokens that arrive several at a time, and do not wait for ever; some go the general way. */
function impatientModel(seed: number): Model {
  const s = stream(seed, 0, 'impatient')
  const one = <T>(list: readonly T[]): T => list[below(s, list.length)]!
  const gap = () => one(['exponential(1)', 'exponential(0.8)', '1', 'uniform(0, 2)'])
  const several = (): Fields => (below(s, 3) > 0 ? { count: one(['randint(0, 4)', '2', 'floor(uniform(0, 3))', 'many']) } : {})
  const names = ['desk0', 'desk1', 'desk2']
  const station = (name: string): Entry[] => {
    const both = below(s, 3) === 0
    const items = (both ? ['desk0', 'desk1'] : [one(names)]).map(container => ({ container, amount: one(['1', '1', '2']), key: '' }))
    const fields = {
      timeout: one(['1', 'exponential(1)', 'uniform(0, 4)', 'patience']),
      ...(below(s, 2) === 0 ? { priority: String(below(s, 3)) } : {}),
    }
    return [
      operate('request', { items, ...fields }, 1, {}, `${name} ask`),
      ...(below(s, 4) === 0 ? [log('size', `${name} told`)] : []),
      delay(gap()),
      operate('release', { items }),
      compute('size += 1', `${name} done`),
      ...(below(s, 3) > 0
        ? [from(`${name} ask`), otherwise(), compute('gone += 1'), delay(one(['0', '0.5'])), to(`${name} done`), from(`${name} done`)]
        : []),
    ]
  }
  const timed = (): Part => startStep({ trigger: 'timer', every: gap(), ...several(), ...(below(s, 4) === 0 ? { maximum: '25' } : {}) })
  const strict = below(s, 4) === 0
  return model(
    scenario({ totalTicks: 70, ticking: below(s, 3) === 0 }),
    ...names.map((name, k) =>
      resource(name, 2 + below(s, 3), { order: one(['fifo', 'lifo', 'priority']), ...(strict && k === 2 ? { strict: true } : {}) }),
    ),
    variable('size', '0'),
    variable('gone', '0'),
    variable('patience', '1.5'),
    variable('many', '2'),
    process('P', timed(), ...station('P first'), ...station('P then'), end()),
    process('Q', timed(), request('desk0'), delay(gap()), release('desk0'), end()),
  ).model
}

const queueing = (...parts: Part[]): Model => stopping('', ...parts)

const stopping = (stopWhen: string, ...parts: Part[]): Model =>
  model(
    scenario({ totalTicks: 2000, ticking: false, stopWhen }),
    resource('desk', 1),
    process(
      'P',
      startStep({ trigger: 'timer', every: 'exponential(1.2)' }),
      request('desk'),
      delay('exponential(1)'),
      release('desk'),
      end(),
    ),
    ...parts,
  ).model

describe('tokens that wait, as WebAssembly', () => {
  it('run on between samples at intervals, and beside charts of what is there now', () => {
    const of = queueing(
      statistic('queue', 'desk.queue', { sample: 'interval', interval: '50', aggregate: 'mean' }),
      chart('now', ['desk.queue'], { type: 'bar' }),
    )
    compare(of, 1, [20.5, 1000])
    const runs = vi.spyOn(FastProcesses.prototype, 'run')
    start(programOf(of, false), { seed: 1, nativeFrom: 0 }).advance()
    expect(runs.mock.calls.length).toBeLessThan(200)
    runs.mockRestore()
  })

  it('run on where something is looked at after each event', () => {
    const looks: Part[][] = [
      [statistic('queue', 'desk.queue', { sample: 'event', aggregate: 'mean' }), statistic('most', 'desk.queue', { aggregate: 'max' })],
      [statistic('busy', 'desk.in_use', { sample: 'event', kind: 'time', aggregate: 'mean' }), chart('over time', ['desk.queue', 'time'])],
      [statistic('all', 'desk.queue + time', { sample: 'event', aggregate: 'median' })],
      [func('twice', ['x'], 'return x * 2'), statistic('called', 'twice(desk.queue)', { sample: 'event', aggregate: 'mean' })],
    ]
    for (const parts of looks) {
      compare(queueing(...parts), 1, [20.5, 1000])
      const runs = vi.spyOn(FastProcesses.prototype, 'run')
      start(programOf(queueing(...parts), false), { seed: 1, nativeFrom: 0 }).advance()
      expect(runs.mock.calls.length).toBeLessThan(50)
      runs.mockRestore()
    }
  })

  it('stop and fail at the same instant where that is looked at after each event', () => {
    const looks: Part[][] = [
      [statistic('drawn', 'desk.queue + random()', { sample: 'event', aggregate: 'mean' })],
      [statistic('failing', '1 / (3 - desk.queue)', { sample: 'event', aggregate: 'mean' })],
    ]
    for (const parts of looks) compare(queueing(...parts), 1, [20.5, 300])
    for (const stopWhen of ['desk.queue > 4', 'time > 900', '1 / (5 - desk.queue) < 0']) {
      const of = stopping(stopWhen, statistic('queue', 'desk.queue', { sample: 'event', aggregate: 'mean' }))
      compare(of, 2, [3.5, 20])
      const [plain, general] = [false, true].map(debug => start(programOf(of, debug), { seed: 3, nativeFrom: 0 }))
      plain!.advance()
      general!.advance()
      expect([plain!.result, plain!.time, plain!.made, plain!.hash()]).toEqual([
        general!.result,
        general!.time,
        general!.made,
        general!.hash(),
      ])
    }
  })

  it('stay in WebAssembly however many they are', () => {
    const of = model(
      scenario({ totalTicks: 24_000, ticking: false }),
      resource('desk', 1),
      process(
        'P',
        startStep({ trigger: 'timer', every: 'exponential(1)' }),
        request('desk'),
        delay('exponential(6)'),
        release('desk'),
        end(),
      ),
    ).model
    compare(of, 1, [100.5, 3000, 9000])
    const run = start(programOf(of, false), { seed: 1, nativeFrom: 0 })
    const [runs, released] = [vi.spyOn(FastProcesses.prototype, 'run'), vi.spyOn(Containers.prototype, 'release')]
    run.advance()
    expect(run.summary().containers['desk']!.maxQueue).toBeGreaterThan(19_000)
    expect([runs.mock.calls.length < 100, released.mock.calls.length < 50]).toEqual([true, true])
    runs.mockRestore()
    released.mockRestore()
  })

  it('are explained to stop for what is looked at after each event', () => {
    const looks = (...parts: Part[]): string[] => {
      const program = programOf(queueing(...parts), false)
      return explain(program).flatMap(({ runs, steps }) => [english(runs), ...steps.map(({ step, why }) => `${step}: ${english(why)}`)])
    }
    const stops = 'it is looked at after each event, and WebAssembly stops for that'
    expect(looks(statistic('queue', 'desk.queue', { sample: 'event' }), chart('lines', ['desk.queue']))).toEqual([
      'with tokens, as WebAssembly but for these:',
      `queue: ${stops}`,
      `lines: ${stops}`,
    ])
    expect(looks(statistic('queue', 'desk.queue', { sample: 'interval', interval: '5' }))).toEqual(['with tokens, as WebAssembly'])
  })

  it('gives the same states where tokens arrive together and give up: 40 random models', () => {
    let ran = 0
    for (let seed = 1; seed <= 40; seed++) {
      const of = impatientModel(seed)
      expect(lowerOf(programOf(of, false)), `model ${seed}`).not.toBeNull()
      const run = start(programOf(of, true), { seed })
      run.advance()
      if (run.time > 60) ran++
      compare(of, seed, [below(stream(seed, 7, 'cuts'), 20) + 0.3, 50])
    }
    expect(ran).toBeGreaterThan(10)
  })

  it('fails where a number of arrivals is none, as the general way does', () => {
    for (const count of ['1.5', '-1', 'inf', '2 - size']) {
      const of = model(
        scenario({ totalTicks: 30, ticking: false }),
        variable('size', '0'),
        process('P', startStep({ trigger: 'timer', every: '1', count: `${count} if size > 6 else 2` }), compute('size += 1'), end()),
      ).model
      compare(of, 1, [2.5, 3.5])
    }
  })

  it('lets tokens arrive together and give up without the general way', () => {
    const of = model(
      scenario({ totalTicks: 4000, ticking: false }),
      resource('desk', 1),
      variable('left', '0'),
      process(
        'P',
        startStep({ trigger: 'timer', every: 'exponential(2)', count: 'randint(1, 4)' }),
        operate('request', 'desk', 1, { timeout: 'exponential(2)' }, 'ask'),
        delay('exponential(1)'),
        release('desk'),
        end(),
        from('ask'),
        otherwise(),
        compute('left += 1'),
        end(),
      ),
    ).model
    const run = start(programOf(of, false), { seed: 1, nativeFrom: 0 })
    run.advance({ until: 1000 })
    const [given, spawned] = [vi.spyOn(Containers.prototype, 'giveUp'), vi.spyOn(Kernel.prototype, 'spawn')]
    run.advance()
    expect(run.summary().containers['desk']!.gaveUp).toBeGreaterThan(500)
    expect(given.mock.calls.length + spawned.mock.calls.length).toBeLessThan(20)
    given.mockRestore()
    spawned.mockRestore()
  })

  it('gives the same states where tokens wait for goods and for room: 40 random models', () => {
    for (let seed = 1; seed <= 40; seed++) {
      const of = goodsModel(seed)
      expect(lowerOf(programOf(of, false)), `model ${seed}`).not.toBeNull()
      compare(of, seed, [below(stream(seed, 7, 'cuts'), 20) + 0.3, 60])
    }
  })

  it('lets tokens give up waiting for goods without the general way', () => {
    const of = model(
      scenario({ totalTicks: 4000, ticking: false }),
      container('goods', { initial: '0', capacity: '20' }),
      process('Make', startStep({ trigger: 'timer', every: 'exponential(1)' }), operate('put', 'goods', 2, { otherwise: 'wait' }), end()),
      process(
        'Sell',
        startStep({ trigger: 'timer', every: 'exponential(0.8)' }),
        operate('take', 'goods', 'randint(1, 4)', { otherwise: 'wait', timeout: '3' }),
        end(),
      ),
    ).model
    const run = start(programOf(of, false), { seed: 1, nativeFrom: 0 })
    run.advance({ until: 1000 })
    const given = vi.spyOn(Containers.prototype, 'giveUp')
    run.advance()
    expect(run.summary().containers['goods']!.gaveUp).toBeGreaterThan(200)
    expect(given.mock.calls.length).toBeLessThan(20)
    given.mockRestore()
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
