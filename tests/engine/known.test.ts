// Published results, reached by models built from components. Tolerance: three standard errors of independent runs.
import { describe, expect, it } from 'vitest'
import {
  agents,
  ask,
  cells,
  compute,
  delay,
  end,
  every,
  exclusive,
  from,
  model,
  otherwise,
  place,
  process,
  release,
  request,
  resource,
  scenario,
  space,
  start,
  statistic,
  variable,
  when,
} from '../help/models.ts'
import type { Built } from '../help/models.ts'
import { begin } from '../help/runs.ts'

/** Mean and standard error of a figure over seeds 1..n. */
function mean(
  built: Built,
  n: number,
  figure: (summary: ReturnType<ReturnType<typeof begin>['summary']>) => number,
): { mean: number; error: number } {
  const values = Array.from({ length: n }, (_, k) => {
    const run = begin(built, { seed: k + 1 })
    run.advance()
    return figure(run.summary())
  })
  const average = values.reduce((sum, value) => sum + value, 0) / n
  const variance = values.reduce((sum, value) => sum + (value - average) ** 2, 0) / (n - 1)
  return { mean: average, error: Math.sqrt(variance / n) }
}

function agrees(found: { mean: number; error: number }, reference: number, least = 0): void {
  expect(Math.abs(found.mean - reference), `${found.mean} against ${reference}, standard error ${found.error}`).toBeLessThanOrEqual(
    Math.max(3 * found.error, least),
  )
}

// T. Schelling, Journal of Mathematical Sociology 1 (1971), with the settings of NetLogo's Segregation: 51 x 51, wrapped, 95% full.
describe('segregation: share of similar neighbours at rest', () => {
  const leave = process('Leave', start({ active: false }), place('', { where: 'randomEmptyCell' }), end())
  it.each([
    [0.3, 74.9],
    [0.4, 83.5],
  ])('wanted %f: %f%%', (wanted, reference) => {
    const parts = model(
      scenario({ totalTicks: 500, stopWhen: 'unhappy == 0' }),
      space('S', { minX: '0', maxX: '50', minY: '0', maxY: '50' }),
      cells('Lot', { space: 'S', capacity: 1 }),
      variable('unhappy', 1),
      agents(
        'Person',
        { initialNumber: 'round(2601 * 0.95)', space: 'S', placement: 'emptyCells' },
        variable('group', 'randint(2)'),
        variable('similar', 0),
        variable('others', 0),
        leave,
      ),
      process(
        'Live',
        start({ trigger: 'timer', first: '0', every: '1' }),
        ask('Person', 'similar = sum(1 for p in neighbors(1.5) if p.group == group)\nothers = len(neighbors(1.5))'),
        compute(`unhappy = sum(1 for p in Person if p.similar < ${wanted} * p.others)`),
        ask('Person', '', { filter: `similar < ${wanted} * others`, does: 'call', process: 'Person.Leave' }),
        end(),
      ),
      statistic('share', '100 * sum(p.similar for p in Person) / sum(p.others for p in Person)', { sample: 'end' }),
    )
    agrees(
      mean(parts, 6, summary => Number(summary.statistics['share'])),
      reference,
      1,
    )
  })
})

// Final size of a well-mixed SIR epidemic: z = 1 - exp(-R0 z) (Kermack & McKendrick 1927; with any distribution of the infectious period).
describe('epidemic: share ever ill', () => {
  it.each([
    [1.5, 0.58281],
    [2, 0.79681],
    [3, 0.94048],
  ])('R0 %f: %f', (r0, z) => {
    const n = 4000
    // 1% are ill at the start; the others follow z' = 1 - exp(-R0 (z' (1 - e) + e)) with e = .01.
    let expected = z
    for (let k = 0; k < 200; k++) expected = 1 - Math.exp(-r0 * (expected * 0.99 + 0.01))
    const built = model(
      scenario({ totalTicks: 2000, stopWhen: 'ill == 0' }),
      variable('ill', 40),
      agents(
        'Person',
        { initialNumber: String(n) },
        variable('state', '1 if id <= 40 else 0', { public: true }),
        process(
          'Live',
          start(every(1)),
          exclusive('ill?'),
          when('state == 1'),
          compute(
            `for k in range(poisson(${r0 / 10})):\n    p = choice(Person)\n    if p.state == 0:\n        p.state = 1\nif random() < 0.1:\n    state = 2`,
          ),
          end(),
          from('ill?'),
          otherwise(),
          end(),
        ),
      ),
      process('Count', start(every(1)), compute('ill = sum(1 for p in Person if p.state == 1)'), end()),
      statistic('ever', `(sum(1 for p in Person if p.state == 2) - 40) / ${n - 40}`, { sample: 'end' }),
    )
    agrees(
      mean(built, 6, summary => Number(summary.statistics['ever'])),
      expected,
      0.02,
    )
    expect(Math.abs(expected - z)).toBeLessThan(0.03)
  })
})

// A. K. Erlang (1917), by the Erlang-C formula; L = lambda W (J. D. C. Little, 1961).
describe('clinic: M/M/c', () => {
  const clinic = (c: number, lambda: number): Built =>
    model(
      scenario({ ticking: false, totalTicks: 40_000 / lambda, warmUp: 500 }),
      resource('nurses', c),
      process(
        'Visit',
        start({ trigger: 'timer', every: `exponential(1 / ${lambda})` }),
        request('nurses'),
        delay('exponential(1)'),
        release('nurses'),
        end(),
      ),
    )
  it.each([
    [1, 0.8, 4, 3.2],
    [3, 2.4, 1.07865, 2.58876],
    [10, 8, 0.20459, 1.63672],
  ])('c %i, lambda %f: Wq %f, Lq %f', (c, lambda, wait, length) => {
    const built = clinic(c, lambda)
    agrees(
      mean(built, 8, summary => Number(summary.containers['nurses']?.['meanWait'])),
      wait,
      wait * 0.01,
    )
    const queue = mean(built, 8, summary => Number(summary.containers['nurses']?.['meanQueue']))
    agrees(queue, length, length * 0.01)
  })
  it("Little's law holds in a run that ends empty", () => {
    const built = model(
      scenario({ ticking: false, totalTicks: 1e9 }),
      resource('r', 1),
      process(
        'V',
        start({ trigger: 'timer', every: 'exponential(1)', maximum: '2000' }),
        request('r'),
        delay('uniform(0.2, 1.2)'),
        release('r'),
        end(),
      ),
    )
    const run = begin(built)
    run.advance()
    const { r } = run.summary().containers
    expect(Number(r?.['meanQueue']) * run.time).toBeCloseTo(Number(r?.['meanWait']) * 2000, 6)
  })
})
