// Published and analytic results of agents, cells and networks, reached by models built from components.
// Tolerance: three standard errors of independent runs, or what the test says.
import { describe, expect, it } from 'vitest'
import { compile } from '../../sim-engine/compile.ts'
import { start as startRun } from '../../sim-engine/run.ts'
import {
  agents,
  cells,
  compute,
  create,
  delay,
  end,
  event,
  every,
  exclusive,
  from,
  func,
  links,
  message,
  model,
  otherwise,
  process,
  scenario,
  space,
  start,
  statistic,
  subprocess,
  terminate,
  variable,
  when,
} from '../help/models.ts'
import type { Built } from '../help/models.ts'
import { checkOf } from '../help/runs.ts'
import { english } from '../../model-schema/words.ts'

/** Values of a statistic of runs with seeds 1..n. */
function values(built: Built, n: number, name: string): number[] {
  const { checked, problems } = checkOf(built)
  if (!checked) throw new Error(problems.map(problem => english(problem.message)).join())
  const program = compile(checked)
  return Array.from({ length: n }, (_, k) => {
    const run = startRun(program, { seed: k + 1 })
    run.advance()
    return Number(run.summary().statistics[name])
  })
}

/** Mean and its standard error. */
function agree(found: readonly number[], reference: number, least = 0): void {
  const mean = found.reduce((sum, value) => sum + value, 0) / found.length
  const variance = found.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (found.length - 1)
  const error = Math.sqrt(variance / found.length)
  expect(Math.abs(mean - reference), `${mean} against ${reference}, standard error ${error}`).toBeLessThanOrEqual(
    Math.max(3 * error, least),
  )
}

const harmonic = (n: number): number => Array.from({ length: n }, (_, k) => 1 / (k + 1)).reduce((sum, part) => sum + part, 0)

describe('lattices', () => {
  // L. Onsager 1944, C. N. Yang 1952: (1 - sinh(2 / T) ** -4) ** (1 / 8) = .9113 at T = 2.
  it('Ising: magnetisation below the critical temperature', () => {
    const built = model(
      scenario({ totalTicks: 300, warmUp: 60 }),
      space('Lattice', { maxX: '47', maxY: '47' }),
      cells(
        'Spin',
        { space: 'Lattice', order: 'shuffled' },
        variable('s', 1),
        process(
          'Flip',
          start(every(1)),
          compute('d = 2 * s * sum(n.s for n in von_neumann())\nif d <= 0 or random() < exp(-d / 2):\n    s = -s'),
          end(),
        ),
      ),
      statistic('m', 'mean(c.s for c in Spin)', { aggregate: 'mean' }),
    )
    agree(values(built, 4, 'm'), (1 - Math.sinh(1) ** -4) ** (1 / 8), 0.003)
  })

  // V. B. Priezzhev 1994: in the middle of a large pile .0736, .1739, .3063 and .4461 of the sites have 0, 1, 2 and 3 grains.
  it('sandpile: heights in the critical state', () => {
    const built = model(
      scenario({ totalTicks: 16_000, warmUp: 6000 }),
      space('Table', { minX: '1', maxX: '40', minY: '1', maxY: '40', wrapX: false, wrapY: false }),
      cells('Site', { space: 'Table' }, variable('h', 2, { public: true })),
      process(
        'Drop',
        start(every(1)),
        compute(
          [
            'c = choice(Site)',
            'c.h += 1',
            'stack = [c]',
            'while len(stack) > 0:',
            '    a = stack.pop()',
            '    if a.h >= 4:',
            '        a.h -= 4',
            '        if a.h >= 4:',
            '            stack.append(a)',
            '        for n in von_neumann(near=a):',
            '            n.h += 1',
            '            if n.h >= 4:',
            '                stack.append(n)',
          ].join('\n'),
        ),
        end(),
      ),
      ...[0, 1, 2, 3].map(h =>
        statistic(`p${h}`, `mean(1 if c.h == ${h} else 0 for c in Site if 10 < c.x < 31 and 10 < c.y < 31)`, {
          aggregate: 'mean',
          sample: 'interval',
          interval: '20',
        }),
      ),
    )
    const published = [0.0736, 0.1739, 0.3063, 0.4461]
    for (const [h, share] of published.entries()) agree(values(built, 2, `p${h}`), share, 0.008)
  })

  // A rhombus of the triangular lattice at p = 1/2: either open cells cross from left to right or closed ones from top to
  // bottom, never both (J. M. Hammersley 1961), so each happens in half of all cases.
  it('percolation on the triangular lattice: half of all rhombi are crossed at p = 1/2', () => {
    const built = model(
      scenario({ totalTicks: 0 }),
      space('Lattice', { maxX: '19', maxY: '19', wrapX: false, wrapY: false }),
      cells('Site', { space: 'Lattice' }, variable('open', 'bernoulli(0.5)'), variable('wet', false, { public: true })),
      variable('crossed', false),
      process(
        'Flood',
        start(),
        compute(
          [
            'stack = [c for c in Site if c.x == 0 and c.open]',
            'for c in stack:',
            '    c.wet = True',
            'while len(stack) > 0:',
            '    c = stack.pop()',
            '    crossed = crossed or c.x == 19',
            '    for d in moore(near=c):',
            '        if (d.x - c.x) * (d.y - c.y) != 1 and d.open and not d.wet:',
            '            d.wet = True',
            '            stack.append(d)',
          ].join('\n'),
        ),
        end(),
      ),
      statistic('share', '1 if crossed else 0', { sample: 'end' }),
    )
    agree(values(built, 300, 'share'), 0.5)
  })

  // A. Renyi 1958, P. J. Flory 1939: dimers that land on a line until none fits cover 1 - exp(-2) of it.
  it('random sequential adsorption: dimers on a line', () => {
    const built = model(
      scenario({ totalTicks: 1 }),
      space('Line', { maxX: '1999', maxY: '0' }),
      cells(
        'Site',
        { space: 'Line', order: 'shuffled' },
        variable('full', false, { public: true }),
        process(
          'Land',
          start(every(1)),
          compute('right = cell_at((x + 1) % 2000, 0)\nif not full and not right.full:\n    full = True\n    right.full = True'),
          end(),
        ),
      ),
      statistic('cover', 'mean(1 if c.full else 0 for c in Site)', { sample: 'end' }),
    )
    agree(values(built, 10, 'cover'), 1 - Math.exp(-2))
  })
})

describe('networks', () => {
  // S. Janson 1999: with exponential weights on a complete graph the distance between two nodes is H(n - 1) / (n - 1) on average.
  it('first-passage percolation on a complete graph', () => {
    const built = model(
      scenario({ totalTicks: 0 }),
      agents('Node', { initialNumber: '100' }),
      links('Edge', { source: 'Node', target: 'Node', generator: 'complete', weight: 'exponential(1)' }),
      func(
        'between',
        ['a', 'b'],
        'way = shortest_path(Edge, b, a, True)\nreturn sum(link_between(Edge, way[k], way[k + 1]).weight for k in range(len(way) - 1))',
      ),
      statistic('distance', 'mean(between(Node.individuals[2 * k], Node.individuals[2 * k + 1]) for k in range(50))', { sample: 'end' }),
    )
    agree(values(built, 30, 'distance'), harmonic(99) / 99)
  })

  // E. Chang and R. Roberts 1979: electing the leader of a one-way ring takes n H(n) messages on average.
  it('leader election on a ring by messages', () => {
    const send = (value: string): ReturnType<typeof event> =>
      event('send', { message: 'Elect', range: 'successors(Ring)', payload: [{ name: 'who', value }], delivery: '1' })
    const n = 12
    const built = model(
      scenario({ totalTicks: 100 }),
      message('Elect', { payload: [{ name: 'who', type: 'number' }] }),
      variable('sent', 0),
      variable('numbers', `shuffled(range(1, ${n + 1}))`, { type: 'list' }),
      agents(
        'Node',
        { initialNumber: String(n) },
        variable('number', 'numbers[id - 1]'),
        process('Begin', start(), compute('sent += 1'), send('number'), end()),
        process(
          'Hear',
          start({ trigger: 'message', message: 'Elect' }),
          variable('who', 0),
          exclusive('larger?'),
          when('who > number'),
          compute('sent += 1'),
          send('who'),
          end(),
          from('larger?'),
          when('who == number'),
          terminate('elected'),
          from('larger?'),
          otherwise(),
          end(),
        ),
      ),
      links('Ring', {
        source: 'Node',
        target: 'Node',
        directed: true,
        generator: 'table',
        table: Array.from({ length: n }, (_, k) => ({ from: k, to: (k + 1) % n })),
      }),
      statistic('messages', 'sent', { sample: 'end' }),
    )
    agree(values(built, 400, 'messages'), n * harmonic(n))
  })

  // Y. Kuramoto 1984: natural frequencies with a Lorentz distribution of width 1/2 give the order sqrt(1 - 1 / K) for K > 1.
  it('Kuramoto: oscillators fall into step', () => {
    const built = model(
      scenario({ totalTicks: 800, warmUp: 400 }),
      variable('order', 0),
      variable('phase', 0),
      agents(
        'Oscillator',
        { initialNumber: '1000', order: 'fixed' },
        variable('theta', 'uniform(0, tau)'),
        variable('omega', 'tan(pi * ((id - 0.5) / 1000 - 0.5)) / 2'),
        process('Turn', start(every(1)), compute('theta += 0.05 * (omega + 2 * order * sin(phase - theta))'), end()),
      ),
      process(
        'Look',
        start(every(1)),
        compute(
          'c = mean(cos(o.theta) for o in Oscillator)\ns = mean(sin(o.theta) for o in Oscillator)\norder = hypot(c, s)\nphase = atan2(s, c)',
        ),
        end(),
      ),
      statistic('r', 'order', { aggregate: 'mean' }),
    )
    agree(values(built, 2, 'r'), Math.SQRT1_2, 0.02)
  })
})

describe('births and deaths', () => {
  // P. A. P. Moran 1958: one mutant of fitness r takes over N with probability (1 - 1 / r) / (1 - r ** -N).
  it('Moran: a fitter mutant takes over', () => {
    const built = model(
      scenario({ totalTicks: 100_000, stopWhen: 'mutants == 0 or mutants == 10' }),
      variable('mutants', 1),
      agents('One', { initialNumber: '10' }, variable('mutant', 'id == 1')),
      process(
        'Replace',
        start(every(1)),
        compute(
          [
            'parent = choices(One, weights=[1.5 if i.mutant else 1 for i in One])[0]',
            'is_mutant = parent.mutant',
            'die(choice(One))',
            'child = create(One, mutant=is_mutant)',
            'mutants = sum(1 for i in One if i.mutant)',
          ].join('\n'),
        ),
        end(),
      ),
      statistic('fixed', '1 if mutants == 10 else 0', { sample: 'end' }),
    )
    agree(values(built, 500, 'fixed'), (1 - 1 / 1.5) / (1 - 1.5 ** -10))
  })

  // G. U. Yule 1925: everybody divides at rate 1; at time t there are exp(t) on average, geometrically distributed.
  it('Yule: individuals with clocks of their own', () => {
    const built = model(
      scenario({ ticking: false, totalTicks: 2 }),
      agents(
        'One',
        { initialNumber: '1' },
        process('Divide', start(every('exponential(1)')), create('One', 1, { as: 'offspring' }), end()),
      ),
      statistic('n', 'One.count', { sample: 'end' }),
      statistic('alone', '1 if One.count == 1 else 0', { sample: 'end' }),
    )
    agree(values(built, 500, 'n'), Math.exp(2))
    agree(values(built, 500, 'alone'), Math.exp(-2))
  })

  // J. F. C. Kingman 1982: n lines of descent meet after 2 (1 - 1 / n) generations on average.
  it('Kingman: the time to the common ancestor', () => {
    const built = model(
      scenario({ ticking: false, totalTicks: 1000 }),
      variable('lines', 10),
      variable('met', 0),
      process(
        'Merge',
        start(),
        subprocess(
          'Wait',
          { repeat: 'while', while: 'lines > 1' },
          start(),
          delay('exponential(2 / (lines * (lines - 1)))', '', { after: 'lines -= 1' }),
          end(),
        ),
        compute('met = time'),
        end(),
      ),
      statistic('age', 'met', { sample: 'end' }),
    )
    agree(values(built, 500, 'age'), 1.8)
  })
})
