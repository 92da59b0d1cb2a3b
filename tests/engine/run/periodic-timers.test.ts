// Periodic timers are due at first + k * every: no sum of rounding errors, on every way of running.
import { expect, it } from 'vitest'
import type { Built } from '../../help/models.ts'
import {
  agents,
  compute,
  create,
  delay,
  end,
  every,
  model,
  process,
  request,
  release,
  resource,
  scenario,
  start,
  statistic,
  variable,
} from '../../help/models.ts'
import { begin } from '../../help/runs.ts'
import { seeds } from '../../help/random.ts'

const times = { aggregate: 'list', sample: 'event' }
const timer = (fields: Record<string, string>) => start({ trigger: 'timer', every: '', ...fields })

/** Statistics at the end; a debug build knows neither lanes nor rows. */
function statisticsOf(built: Built, debug = false): Record<string, unknown> {
  const run = begin(built, {}, debug)
  run.advance()
  const { result, statistics } = run.summary()
  expect(result.end).toBe('success')
  return statistics
}

const counting = (ticks: number, fields: Record<string, string>, ticking = true): Built =>
  model(
    scenario({ totalTicks: ticks, ticking }),
    variable('n', 0),
    variable('last', 0),
    process('P', timer(fields), compute('n += 1\nlast = time'), end()),
    statistic('count', 'n', { sample: 'end' }),
    statistic('latest', 'last', { sample: 'end' }),
  )

it('periodic timers: 0.1 goes off 10,000 times in 1,000 ticks, and 0.7 ten times in 7', () => {
  for (const debug of [false, true])
    for (const ticking of [false, true]) {
      expect(statisticsOf(counting(1000, { every: '0.1' }, ticking), debug)).toEqual({ count: 10_000, latest: 1000 })
      expect(statisticsOf(counting(7, { every: '0.7' }, ticking), debug)).toEqual({ count: 10, latest: 7 })
      expect(statisticsOf(counting(100, { first: '0.1', every: '0.1' }, ticking), debug)).toEqual({ count: 1000, latest: 100 })
      expect(statisticsOf(counting(100, { first: '0', every: '0.1' }, ticking), debug)).toEqual({ count: 1001, latest: 100 })
    }
})

it('periodic timers: what a timer counts is there at the tick it meets', () => {
  const level = statisticsOf(
    model(
      scenario({ totalTicks: 5 }),
      variable('level', 0),
      process('Fill', timer({ every: '0.1' }), compute('level += 1'), end()),
      statistic('at_ticks', 'level', { sample: 'tick', aggregate: 'list' }),
    ),
  )
  expect(level).toEqual({ at_ticks: [0, 10, 20, 30, 40, 50] })
})

it('periodic timers: the k-th time is first + k * every', () => {
  seeds(30, random => {
    const first = random.next() * 3
    const every = 0.05 + random.next()
    const { at } = statisticsOf(
      model(
        scenario({ totalTicks: 200, ticking: false }),
        process('P', timer({ first: `${first}`, every: `${every}` }), end()),
        statistic('at', 'time', times),
      ),
    )
    const found = (at as number[]).filter(time => time > 0)
    expect(found.length).toBe(Math.floor((200 - first) / every) + 1)
    found.forEach((time, k) => expect(time).toBe(first + k * every))
  })
})

it('periodic timers: an interval that becomes another is counted from then on', () => {
  const { at } = statisticsOf(
    model(
      scenario({ totalTicks: 2, ticking: false }),
      variable('gap', '0.1'),
      process('P', timer({ every: 'gap' }), compute('if time >= 1:\n    gap = 0.2'), end()),
      statistic('at', 'round(time, 9)', times),
    ),
  )
  // The next time is set before the token runs.
  expect(at).toEqual([0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.1, 1.3, 1.5, 1.7, 1.9])
})

it('periodic timers: individuals, also those born later, keep their own time', () => {
  const built = model(
    scenario({ totalTicks: 100 }),
    agents(
      'A',
      { initialNumber: '2' },
      variable('n', 0, { public: true }),
      process('Beat', timer({ every: '0.1' }), compute('n += 1'), end()),
    ),
    process('Births', timer({ first: '50', every: '' }), create('A', 1), end()),
    statistic('n', '[one.n for one in A.individuals]', { sample: 'end' }),
  )
  for (const debug of [false, true]) expect(statisticsOf(built, debug)).toEqual({ n: [1000, 1000, 500] })
})

it('statistics at intervals: sampled at whole multiples of the interval', () => {
  const { at } = statisticsOf(
    model(
      scenario({ totalTicks: 100 }),
      process('P', start(every(1)), end()),
      statistic('at', 'time', { sample: 'interval', interval: '0.1', aggregate: 'list' }),
    ),
  )
  expect(at).toEqual(Array.from({ length: 1001 }, (_, k) => k * 0.1))
})

it('periodic timers: drawn intervals are added up as before', () => {
  const { at } = statisticsOf(
    model(
      scenario({ totalTicks: 5, ticking: false }),
      process('P', timer({ every: 'exponential(1)' }), end()),
      statistic('at', 'time', times),
    ),
  )
  expect((at as number[]).length).toBeGreaterThan(1)
})

it('periodic timers: lanes, debug builds and a restored run give the same', () => {
  const desk = (ticks: number): Built =>
    model(
      scenario({ totalTicks: ticks, ticking: false, seed: 3 }),
      resource('Clerk', 1),
      process('Shop', timer({ every: '0.3' }), request('Clerk'), delay('exponential(0.25)'), release('Clerk'), end()),
      statistic('wait', 'Clerk.mean_wait', { sample: 'end' }),
    )
  // Long enough for the lane in WebAssembly.
  const [plain, debug] = [begin(desk(12_000)), begin(desk(12_000), {}, true)]
  plain.advance()
  debug.advance()
  expect(plain.summary()).toEqual(debug.summary())
  const whole = begin(desk(200))
  whole.advance()
  const parted = begin(desk(200))
  parted.advance({ until: 77.7 })
  const kept = parted.snapshot()
  parted.advance()
  parted.restore(kept)
  parted.advance()
  expect(parted.summary()).toEqual(whole.summary())
})
