// Simultaneous rules of cells as stencils: whatever numbers, truths and texts a rule is made of, the state is the one that a debug build's
// loop comes to, bit for bit, over borders, growing numbers, errors and snapshots.
import { describe, expect, it } from 'vitest'
import { check } from '../../sim-engine/check.ts'
import { compile } from '../../sim-engine/compile.ts'
import { below, stream, uniform } from '../../sim-engine/kernel/random.ts'
import type { Stream } from '../../sim-engine/kernel/random.ts'
import { start } from '../../sim-engine/run.ts'
import { printRule } from '../../sim-engine/stencil/graph.ts'
import {
  agents,
  cells,
  compute,
  delay,
  end,
  every,
  exclusive,
  from,
  func,
  model,
  otherwise,
  place,
  process,
  scenario,
  space,
  start as begin,
  variable,
  when,
  type Built,
  type Part,
} from '../help/models.ts'
import { english } from '../../model-schema/words.ts'

const seed = Number(globalThis.process.env['SEED'] ?? 5)
const rounds = Number(globalThis.process.env['MODELS'] ?? 10)

const programOf = ({ model: made }: Built, debug = false) => {
  const checked = check(made, made.scenarios[0]!)
  if (!checked.ok) throw new Error(checked.problems.map(problem => `${problem.code} ${english(problem.message)}`).join('; '))
  return compile(checked.checked, { debug })
}

const land = (width: number, height: number, wrapX: boolean, wrapY: boolean): Part =>
  space('Land', { minX: '0', maxX: String(width - 1), minY: '0', maxY: String(height - 1), wrapX, wrapY })

const grid = (rule: string, wrapX: boolean, wrapY: boolean, ...more: Part[]): Built =>
  model(
    scenario({ totalTicks: 1000 }),
    land(47, 31, wrapX, wrapY),
    variable('rate', 0.125, { public: true }),
    cells(
      'Cell',
      { space: 'Land', order: 'simultaneous' },
      variable('n', 'randint(0, 9) if random() < 0.5 else 0'),
      variable('u', 'random() - 0.25'),
      variable('w', '"tree" if random() < 0.6 else "burning" if random() < 0.2 else "bare"'),
      variable('b', 'random() < 0.3'),
      process('Live', begin(every(1)), compute(rule), end()),
      ...more,
    ),
  )

/** Equal states after each tick, and equal ends. Returns how many ticks modules calculated. */
function expectSame(built: Built, ticks: number, note = ''): number {
  const plain = programOf(built)
  const [run, loop] = [start(plain, { seed, nativeFrom: 0 }), start(programOf(built, true), { seed })]
  for (let tick = 0; tick <= ticks; tick++) {
    run.advance({ until: tick })
    loop.advance({ until: tick })
    expect(run.hash(), `SEED=${seed} tick ${tick} ${note}`).toBe(loop.hash())
    if (run.result || loop.result) break
  }
  expect(run.result).toEqual(loop.result)
  return run.inner.built.stencils.byPopulation.reduce((sum, one) => sum + one.calculated, 0)
}

/** Python's remainder and whole quotient of numbers that may be negative, or not whole, are left to the loop. */
const isForLoop = (rule: string): boolean => rule.includes('%') || rule.includes('//') || rule.includes('n - 1')

const one = <T>(random: Stream, items: readonly T[]): T => items[below(random, items.length)]!

/** A random rule over a number that stays small or grows, a float, a text and a truth. */
function ruleOf(random: Stream): string {
  const near = (): string => one(random, ['moore()', 'von_neumann()', 'moore(2)', 'neighbor_cells(1.5)', 'von_neumann(2)'])
  const test = (who: string): string =>
    one(random, [
      `${who}n > ${below(random, 6)}`,
      `${who}n % 3 == ${below(random, 3)}`,
      `${who}u < 0.${below(random, 10)}`,
      `${who}w == "${one(random, ['tree', 'burning', 'bare'])}"`,
      `${who}w != "burning"`,
      `${who}b`,
      `not ${who}b`,
      `(${who}b and ${who}u >= 0.1)`,
      `(${who}n == 0 or ${who}w in ["tree", "bare"])`,
      `1 <= ${who}n < 5`,
    ])
  const number = (): string =>
    one(random, [
      `sum(1 for c in ${near()} if ${test('c.')})`,
      `sum(c.n for c in ${near()})`,
      `sum(c.u for c in ${near()} if ${test('c.')})`,
      `max(c.n for c in ${near()})`,
      `min(c.u * 2 for c in ${near()})`,
      `mean(c.u for c in ${near()})`,
      `len([c for c in ${near()} if ${test('c.')}])`,
      'x + y',
      'abs(u - n)',
      'u * 0.5 + n',
      'round(u * 10)',
      'sqrt(abs(u))',
      'max(n, 3, u)',
      'floor(u * 4) // 1 if u >= 0 else -1',
    ])
  return [
    `k = ${number()}`,
    `m = 0\nfor c in ${near()}:\n    if ${test('c.')}:\n        m += 1`,
    `if ${test('')} and m > ${below(random, 4)}:\n    n = ${one(random, ['n + 1', 'n + m', 'm', '0', 'n - 1 if n > 0 else 7'])}\n    b = not b`,
    `elif ${test('')} or ${one(random, ['any', 'all'])}(${test('c.')} for c in ${near()}):\n    w = ${one(random, ['"burning"', '"bare"', '"tree" if b else "bare"'])}`,
    `else:\n    b = m >= ${below(random, 5)} and ${test('')}`,
    one(random, [
      'u = u + rate * (sum(c.u for c in von_neumann()) - 4 * u)',
      'u = (u + k / 1000) / 2',
      'u = k if k < 3 else u',
      'u = u / (m + 1)',
    ]),
  ].join('\n')
}

describe('stencil: the state is that of the loop', () => {
  const random = stream(seed, 0, 'stencils')
  const rules = Array.from({ length: 30 }, () => ruleOf(random))

  it.each(rules)('%s', rule => {
    const [wrapX, wrapY] = [uniform(random) < 0.5, uniform(random) < 0.5]
    const built = grid(rule, wrapX, wrapY)
    expect(programOf(built).stencils.size, rule).toBe(1)
    expect(programOf(built, true).stencils.size).toBe(0)
    const done = expectSame(built, 9, rule)
    if (!isForLoop(rule)) expect(done).toBe(9)
  })

  it('several processes and exclusive gateways', () => {
    const done = expectSame(
      grid(
        'n = n + 1 if sum(1 for c in moore() if c.b) > 2 else 0',
        true,
        false,
        process(
          'Spread',
          begin(every(1)),
          compute('hot = mean(c.u for c in moore())\nu = hot if hot > 0 else -hot'),
          exclusive('burns?'),
          when('w == "burning"'),
          compute('w = "bare"'),
          end(),
          from('burns?'),
          when('w == "tree" and any(c.w == "burning" for c in von_neumann())'),
          compute('w = "burning"\nn = 3'),
          end(),
          from('burns?'),
          otherwise(),
          end(),
        ),
      ),
      25,
    )
    expect(done).toBe(25)
  })

  it('numbers that grow out of bytes, out of shorts, and out of whole numbers', () => {
    expect(expectSame(grid('n = n + 1\nb = n > 12', true, true), 300)).toBe(300)
    expectSame(grid('n = n * 3 + 1', true, true), 45)
    expectSame(grid('n = n - 1\nu = -n', false, true), 20)
    expectSame(grid('u = 0 * -n\nn = -u', true, true), 4)
  })

  it('few cells that change: blocks that see nothing new are left out', () => {
    const rule =
      'if w == "burning":\n    w = "bare"\nelif w == "tree" and any(c.w == "burning" for c in von_neumann()):\n    w = "burning"\n    n = x'
    for (const wraps of [true, false]) expect(expectSame(grid(rule, wraps, !wraps), 40)).toBe(40)
    expectSame(grid('b = x == 0 and y == 0 or b and sum(1 for c in moore() if c.b) < 3\nn = 1 if b else 0', true, true), 12)
  })

  it.each([
    ['a mean at borders', 'u = mean(c.u for c in von_neumann())\nb = not b'],
    ['a number no cell has', 'u = 1 / u if b else u'],
    ['a number no cell has, nearby', 'n = 1 + sum(c.b for c in von_neumann())\nu = 1 / min(c.n + 1 for c in moore(2))'],
  ])('%s: beyond the last cell of a vector nothing goes wrong', (_, rule) => {
    for (const [wrapX, wrapY] of [
      [true, true],
      [true, false],
      [false, true],
      [false, false],
    ] as const)
      expect(expectSame(grid(rule, wrapX, wrapY), 9, rule), `${wrapX} ${wrapY}`).toBe(9)
  })

  it('a shared variable that changes, and one that is set from outside', () => {
    const built = model(
      scenario({ totalTicks: 40 }),
      land(40, 40, true, true),
      variable('rate', 1, { public: true }),
      process('Season', begin(every(1)), compute('rate = rate + 1 if tick % 3 == 0 else rate / 2'), end()),
      cells(
        'Cell',
        { space: 'Land', order: 'simultaneous' },
        variable('n', 'randint(0, 4)'),
        process('Live', begin(every(1)), compute('n = max(c.n for c in moore()) + rate if rate > 2 else n'), end()),
      ),
    )
    expect(expectSame(built, 20)).toBe(20)
  })
})

describe('stencil: others at the cells', () => {
  /** Agents that tick before the cells or after them, tokens, a process without an owner and the rule all act on variables of the cells. */
  const shared = (k: number): { built: Built; rule: string } => {
    const random = stream(seed, k, 'shared')
    const statements = (who: string): string =>
      Array.from({ length: 1 + below(random, 2) }, () =>
        one(random, [
          `${who}.n += 1`,
          `${who}.n = -${who}.n`,
          `${who}.u = ${who}.u * 0.5 + 0.25`,
          `${who}.w = "tree" if ${who}.w == "bare" else "burning"`,
          `${who}.b = not ${who}.b`,
          `seen = (seen + sum(c.n for c in Cell)) % 1000`,
          `seen = seen + 1 if ${who}.w == "tree" and ${who}.u > 0.1 else ${who}.n % 50`,
        ]),
      ).join('\n')
    const walkers = agents(
      'Ant',
      { initialNumber: '30', space: 'Land', placement: 'cells' },
      variable('seen', 0),
      process('Walk', begin(every(1)), compute(`seen = seen\n${statements('cell')}`), place('choice(Cell)'), end()),
      ...(below(random, 2) === 0 ? [process('Rest', begin(every(2)), delay('uniform(0, 3)'), compute(statements('cell')), end())] : []),
    )
    const rule = ruleOf(random)
    const field = cells(
      'Cell',
      { space: 'Land', order: 'simultaneous' },
      variable('n', 'randint(0, 9) if random() < 0.5 else 0', { public: true }),
      variable('u', 'random() - 0.25', { public: true }),
      variable('w', '"tree" if random() < 0.6 else "burning" if random() < 0.2 else "bare"', { public: true }),
      variable('b', 'random() < 0.3', { public: true }),
      process('Live', begin(every(1)), compute(rule), end()),
    )
    const built = model(
      scenario({ totalTicks: 1000 }),
      land(41, 29, below(random, 2) === 0, below(random, 2) === 0),
      variable('rate', 0.125, { public: true }),
      ...(below(random, 2) === 0 ? [walkers, field] : [field, walkers]),
    )
    return { built, rule }
  }

  it('random agents and random rules', () => {
    let calculated = 0
    for (let k = 0; k < rounds; k++) {
      const { built, rule } = shared(k)
      const done = expectSame(built, 12, `shared ${k}`)
      calculated += done
      if (!isForLoop(rule)) expect(done, `SEED=${seed} shared ${k}`).toBe(12 * programOf(built).stencils.size)
    }
    expect(calculated).toBeGreaterThan(0)
  })
})

describe('stencil: functions of the model', () => {
  const ofAll = [
    func('mix', ['a', 'b'], 'return 0.5 * a + 0.25 * b'),
    func('twice', ['v'], 'k = v + v\nreturn k'),
    func('both', ['v'], 'return twice(mix(v, rate))'),
    func('step', ['v', 'low'], 'if v < low:\n    return low\nif v > 7:\n    k = v - 7\n    return k\nreturn v', {
      parameters: [{ name: 'v' }, { name: 'low', default: '1 + 1' }],
    }),
    func('hot', ['of'], 'return of.u > 0.2 and of.w != "bare"'),
    func('kind', ['v', 'else_'], 'if v > 3:\n    return "tree"\nreturn else_'),
    func('inverse', ['v'], 'if v > 0.9:\n    return 1\nreturn 1 / v'),
  ]
  const ofCells = [
    func('worth', ['k'], 'if n > k:\n    return n - k\nreturn u'),
    func('warmest', [], 'best = 0\nfor c in moore():\n    if c.b:\n        return c.u\n    best = max(best, c.u)\nreturn best'),
    func('count', [], 'return sum(1 for c in von_neumann() if hot(c))'),
  ]
  const lines = [
    'u = mix(u, sum(c.u for c in von_neumann()) / 4)',
    'u = both(u) / 3 - twice(0.1)',
    'n = step(n + 1)',
    'n = step(n, 3) if b else step(count(), rate)',
    'b = hot(self) or any(hot(c) for c in moore())',
    'n = sum(c.worth(2) for c in moore()) if worth(1) > 2 else 0',
    'u = 0.5 * warmest()',
    'b = kind(n, w) == w or kind(count(), "burning") != "tree"',
    'u = inverse(u) if u > 0.1 else u + rate',
    'k = count()\nif k > 1:\n    n = step(k * twice(k))\nelse:\n    b = not b',
  ]
  const field = (rule: string, wrapX: boolean, wrapY: boolean, ...others: Part[]): Built =>
    model(
      scenario({ totalTicks: 1000 }),
      land(43, 27, wrapX, wrapY),
      variable('rate', 0.125, { public: true }),
      ...ofAll,
      cells(
        'Cell',
        { space: 'Land', order: 'simultaneous' },
        variable('n', 'randint(0, 9) if random() < 0.5 else 0', { public: true }),
        variable('u', 'random() - 0.25', { public: true }),
        variable('w', '"tree" if random() < 0.6 else "burning" if random() < 0.2 else "bare"', { public: true }),
        variable('b', 'random() < 0.3', { public: true }),
        ...ofCells,
        process('Live', begin(every(1)), compute(rule), end()),
      ),
      ...others,
    )

  it.each(lines)('%s', line => {
    for (const wraps of [true, false]) {
      expect(programOf(field(line, wraps, true)).stencils.size).toBe(1)
      const done = expectSame(field(line, wraps, true), 9, line)
      if (!line.includes('inverse')) expect(done).toBe(9)
    }
  })

  it('several in one rule, with agents that call them, too', () => {
    const random = stream(seed, 1, 'functions')
    for (let k = 0; k < rounds; k++) {
      const rule = Array.from({ length: 3 }, () => one(random, lines)).join('\n')
      const ant = agents(
        'Ant',
        { initialNumber: '30', space: 'Land', placement: 'cells' },
        variable('seen', 0),
        process(
          'Walk',
          begin(every(1)),
          compute('seen = (seen + cell.worth(3) + cell.warmest()) % 100\ncell.n = step(cell.n)'),
          place('choice(moore())'),
          end(),
        ),
      )
      const built = field(rule, below(random, 2) === 0, below(random, 2) === 0, ...(k % 2 === 0 ? [ant] : []))
      expect(programOf(built).stencils.size, rule).toBe(1)
      expectSame(built, 9, `SEED=${seed} ${k} ${rule}`)
    }
  })

  it('are left to the loop where they call themselves, draw, or change something', () => {
    const size = (body: string): number =>
      programOf(
        model(
          scenario({ totalTicks: 10 }),
          land(20, 20, true, true),
          variable('rate', 1),
          func('f', ['v'], body),
          cells(
            'Cell',
            { space: 'Land', order: 'simultaneous' },
            variable('n', 3),
            process('Live', begin(every(1)), compute('n = f(n)'), end()),
          ),
        ),
      ).stencils.size
    expect(size('return v + rate')).toBe(1)
    expect(size('if v < 1:\n    return 0\nreturn f(v - 1)')).toBe(0)
    expect(size('return v + random()')).toBe(0)
    expect(size('rate = 2\nreturn v')).toBe(0)
  })
})

describe('stencil: what goes wrong', () => {
  it.each([
    ['a division by 0, where there is one', 'u = 1 / (n - 4)'],
    ['a division by 0 that is not done', 'u = 1 / n if n > 0 else 0'],
    ['a number that is not finite', 'u = (u * u + 2) * (u * u + 2)\nn = n + 1'],
    ['the root of a negative number', 'u = sqrt(u)'],
    ['a mean of nothing', 'u = mean(c.u for c in moore() if c.n > 7)'],
    ['the least of nothing', 'u = min(c.u for c in moore() if c.n > 7)'],
  ])('%s: it ends as the loop does, at the same cell', (_, rule) => {
    for (const wraps of [true, false]) expectSame(grid(rule, wraps, wraps), 12)
  })
})

describe('stencil: runs', () => {
  it('go on from a snapshot', () => {
    const built = grid(
      'n = n + 1 if sum(1 for c in moore() if c.b) > 2 else 0\nb = n == 1 or u > 0.5\nu = mean(c.u for c in moore())',
      true,
      false,
    )
    const program = programOf(built)
    const [run, other, loop] = [
      start(program, { seed, nativeFrom: 0 }),
      start(program, { seed: 8, nativeFrom: 0 }),
      start(programOf(built, true), { seed }),
    ]
    for (const each of [run, other, loop]) each.advance({ until: 5 })
    const kept = run.snapshot()
    loop.advance({ until: 14 })
    for (const each of [run, other, run]) {
      each.restore(kept)
      each.advance({ until: 14 })
      expect(each.hash()).toBe(loop.hash())
    }
  })

  it('what looks at a cell between ticks sees it as it is', () => {
    const built = (debug: boolean) => {
      const made = grid('n = n + 1 if b else 0\nb = sum(1 for c in moore() if c.b) > 2\nw = "bare" if n > 3 else w', true, true)
      return start(programOf(made, debug), { seed, nativeFrom: 0 })
    }
    const [run, loop] = [built(false), built(true)]
    run.advance({ until: 10 })
    loop.advance({ until: 10 })
    for (let cell = 0; cell < 400; cell++) expect(run.individual(0, cell)).toEqual(loop.individual(0, cell))
  })

  it('what a stencil does not know is left to the loop', () => {
    const small = (rule: string): number => programOf(grid(rule, true, true)).stencils.size
    expect(small('n = n + 1\nu = random()')).toBe(0)
    expect(small('n = cell_at(x + 1, y).n')).toBe(0)
    expect(small('n = sorted([c.n for c in moore()])[0]')).toBe(0)
    expect(small('w = w + "a"')).toBe(0)
    expect(small('n = n ** 3')).toBe(0)
  })

  it('a rule prints as a graph', () => {
    const stencil = [...programOf(grid('n = n + 1 if b else 0', true, true)).stencils.values()][0]!
    expect(printRule(stencil.inner)).toMatchInlineSnapshot(`
      "simultaneously, looking 0 far
        %0 = ne(b, 0)
        %1 = add(n, 1)
        %2 = select(%0, %1, 0)
        n' = %2
        %4 = unfit(%2)
        never %4
      "
    `)
  })
})
