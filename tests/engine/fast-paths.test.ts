// Where the compiler has a quicker way it gives the same to the bit as the general one: rules of cells for many at once,
// cells that are skipped, queries as loops by steps, conditions without branches.
import { describe, expect, it } from 'vitest'
import { check } from '../../sim-engine/check.ts'
import { compile } from '../../sim-engine/compile.ts'
import { stream, below, uniform } from '../../sim-engine/kernel/random.ts'
import type { Stream } from '../../sim-engine/kernel/random.ts'
import { start } from '../../sim-engine/run.ts'
import { Grid } from '../../sim-engine/world/grid.ts'
import type { Shape } from '../../sim-engine/world/grid.ts'
import {
  agents,
  cells,
  compute,
  destroy,
  end,
  every,
  exclusive,
  from,
  links,
  model,
  otherwise,
  place,
  process,
  scenario,
  space,
  start as startsBy,
  variable,
  when,
  type Built,
  type Fields,
} from '../help/models.ts'
import { english } from '../../model-schema/words.ts'

function programOf({ model: made }: Built, debug = false) {
  const checked = check(made, made.scenarios[0]!)
  if (!checked.ok) throw new Error(checked.problems.map(problem => `${problem.code} ${english(problem.message)}`).join('; '))
  return compile(checked.checked, { debug })
}

/** The whole state after each tick. */
function statesOf(built: Built, ticks: number, debug = false, nativeFrom = Infinity): string[] {
  const run = start(programOf(built, debug), { seed: 7, nativeFrom })
  return Array.from({ length: ticks + 1 }, (_, tick) => {
    run.advance({ until: tick })
    if (run.result?.end === 'failed') throw new Error(english(run.result.problem.message))
    return run.hash()
  })
}

const land = (width: number, height: number, wrapX: boolean, wrapY = wrapX) =>
  space('Land', { minX: '0', maxX: String(width - 1), minY: '0', maxY: String(height - 1), wrapX, wrapY })

const one = <T>(random: Stream, items: readonly T[]): T => items[below(random, items.length)]!

/** A random rule of cells with a number `a` from 0 to 3 and a truth `b`. */
function ruleOf(random: Stream): string {
  const near = one(random, ['moore()', 'von_neumann()', 'moore(2)', 'neighbor_cells(1.5)', 'von_neumann(3)', 'moore(3)'])
  const test = (who: string): string => {
    const simple = one(random, [
      `${who}a == ${below(random, 4)}`,
      `${who}b`,
      `not ${who}b`,
      `${who}a > ${below(random, 3)}`,
      `${who}a <= ${below(random, 3)}`,
    ])
    return uniform(random) < 0.3 ? `(${simple} ${one(random, ['and', 'or'])} ${who}a != ${below(random, 4)})` : simple
  }
  const counts = one(random, [
    `n = sum(1 for c in ${near} if ${test('c.')})`,
    `n = sum(1 for c in ${near} if ${test('c.')} if ${test('c.')})`,
    `n = sum(c.b for c in ${near})`,
    `n = len([c for c in ${near} if ${test('c.')}])`,
    `n = 0\nfor c in ${near}:\n    if ${test('c.')}:\n        n += 1`,
    `n = sum(2 if ${test('c.')} else 1 for c in ${near})`,
  ])
  const any = one(random, ['any', 'all'])
  const value = one(random, [`${below(random, 4)}`, `${below(random, 4)} if ${test('')} else ${below(random, 4)}`])
  const numbers = `n == ${below(random, 5)}`
  return [
    counts,
    `if ${test('')} and ${numbers}:\n    a = ${below(random, 4)}\n    b = not b`,
    `elif n > ${1 + below(random, 3)} or ${any}(${test('c.')} for c in ${near}):\n    a = ${value}`,
    `else:\n    b = n >= ${below(random, 6)} and ${test('')}`,
  ].join('\n')
}

const automaton = (rule: string, width: number, height: number, wrapX: boolean, wrapY: boolean): Built =>
  model(
    scenario({ totalTicks: 20 }),
    land(width, height, wrapX, wrapY),
    cells(
      'Cell',
      { space: 'Land', order: 'simultaneous' },
      variable('a', '(3 if x == 4 else 2 if x > y else 1) if random() < 0.4 else 0'),
      variable('b', 'random() < 0.3'),
      process('Live', startsBy(every(1)), compute(rule), end()),
    ),
  )

describe('rules of cells for many at once', () => {
  const random = stream(11, 0, 'rules')
  const rules = Array.from({ length: 24 }, () => ruleOf(random))

  it.each(rules)('%s', rule => {
    const [wrapX, wrapY] = [uniform(random) < 0.5, uniform(random) < 0.5]
    const built = automaton(rule, 61, 53, wrapX, wrapY)
    expect(programOf(built).stencils.size).toBe(1)
    // A debug build does one cell after the other.
    expect(programOf(built, true).stencils.size).toBe(0)
    expect(statesOf(built, 12, false, 0)).toEqual(statesOf(built, 12, true))
  })

  it.each(rules.slice(0, 6))('go on from a snapshot: %s', rule => {
    const built = automaton(rule, 61, 53, true, false)
    const program = programOf(built)
    const [run, other, plain] = [
      start(program, { seed: 7, nativeFrom: 0 }),
      start(program, { seed: 8, nativeFrom: 0 }),
      start(programOf(built, true), { seed: 7 }),
    ]
    for (const one of [run, other, plain]) one.advance({ until: 5 })
    const kept = run.snapshot()
    plain.advance({ until: 12 })
    for (const one of [run, other, run]) {
      one.restore(kept)
      one.advance({ until: 12 })
      expect(one.hash()).toBe(plain.hash())
    }
  })

  it('leave small and narrow spaces to the loop', () => {
    for (const [width, height] of [
      [2, 900],
      [3, 3],
      [1500, 1 + 1],
    ] as const) {
      const built = automaton(rules[0]!, width, height, true, true)
      expect(statesOf(built, 4, false, 0)).toEqual(statesOf(built, 4, true))
    }
  })
})

describe('cells that are skipped', () => {
  // One variable, so that its states can be distinguished.
  const forest = (rule: string, start: string): Built =>
    model(
      scenario({ totalTicks: 60 }),
      land(40, 40, false),
      cells(
        'Tree',
        { space: 'Land', order: 'simultaneous' },
        variable('state', start),
        process('Burn', startsBy(every(1)), compute(rule), end()),
      ),
    )

  it.each([
    'if state == 2:\n    state = 3\nelif state == 1 and any(t.state == 2 for t in von_neumann()):\n    state = 2',
    'if state == 3:\n    state = 0\nelif state == 0 and sum(1 for t in moore() if t.state == 3) == 1:\n    state = 3\nelif state == 2 and all(t.state != 2 for t in moore()):\n    state = 1',
    'if state == 2:\n    state = 1\nelse:\n    if state == 1 and any(t.state > 2 for t in von_neumann(2)):\n        state = 2 if any(2 == t.state for t in moore()) else 0',
    'n = sum(1 for t in moore() if t.state == 1)\nif state == 0 and n == 3:\n    state = 1\nelif state == 1 and (n < 2 or n > 3):\n    state = 0',
  ])('%s', rule => {
    const built = forest(rule, '(2 if x == 0 else 3 if y == 7 else 1) if random() < 0.7 else 0')
    // Decided by one neighbour, or by a stencil.
    const { source, stencils } = programOf(built)
    expect(source.includes('touches0') ? 1 : stencils.size).toBe(1)
    expect(statesOf(built, 40, false, 0)).toEqual(statesOf(built, 40, true))
  })

  it.each([
    'if state == 2:\n    state = 3\nelif state == 1 and any(t.state == 2 for t in moore(2)):\n    state = 2',
    'if state == 3:\n    state = 2\nelif state == 2:\n    state = 0\nelif state == 1 and not all(t.state != 3 for t in von_neumann()):\n    state = 3',
    'state = (2 if any(t.state >= 2 for t in neighbor_cells(1.5)) else 1) if state == 1 else 0 if state == 0 else 3',
  ])('are told from one neighbour: %s', rule => {
    const built = forest(rule, '(2 if x == 0 else 3 if y == 7 else 1) if random() < 0.7 else 0')
    const program = programOf(built)
    expect(program.source).toContain('touches0')
    expect(statesOf(built, 40)).toEqual(statesOf(built, 40, true))
    // From a snapshot all are looked at once more.
    const [run, again] = [start(program, { seed: 7 }), start(program, { seed: 7 })]
    run.advance({ until: 6 })
    again.restore(run.snapshot())
    for (const one of [run, again]) one.advance({ until: 30 })
    expect(again.hash()).toBe(run.hash())
  })

  it.each([
    'if not state and any(t.state for t in von_neumann()):\n    state = True',
    'state = state or any(t.state for t in moore())',
    // Agents that are alone stay: at the start some both touch and are touchy.
    'state = state and not any(t.state for t in von_neumann())',
  ])('are told from one neighbour where they are truths: %s', rule => {
    const built = forest(rule, 'random() < 0.01 or x == y and x > 20')
    expect(programOf(built).source).toContain('touches0')
    expect(statesOf(built, 40)).toEqual(statesOf(built, 40, true))
  })

  it('are as many where states have names, and give what numbers give', () => {
    const random = stream(17, 0, 'names')
    const named = (text: string): string => text.replaceAll(/\bs(\d)\b/g, '"state $1"')
    const numbered = (text: string): string => text.replaceAll(/\bs(\d)\b/g, '$1')
    const state = (): string => `s${below(random, 4)}`
    for (let k = 0; k < 20; k++) {
      const near = one(random, ['moore()', 'von_neumann()', 'moore(2)'])
      const rule = [
        `if state == ${state()} and ${one(random, ['any', 'all'])}(c.state == ${state()} for c in ${near}):\n    state = ${state()}`,
        `elif state == ${state()} and sum(1 for c in ${near} if c.state != ${state()}) > ${below(random, 4)}:\n    state = ${state()}`,
      ]
        .slice(0, 1 + below(random, 2))
        .join('\n')
      const built = (written: (text: string) => string): Built =>
        model(
          scenario({ totalTicks: 15 }),
          land(31, 23, uniform(stream(k, 0, 'wraps')) < 0.5),
          cells(
            'Cell',
            { space: 'Land', order: 'simultaneous' },
            variable('state', written('(s3 if x == 4 else s2 if x > y else s1) if random() < 0.3 else s0'), { public: true }),
            process('Live', startsBy(every(1)), compute(written(rule)), end()),
          ),
        )
      const [names, numbers] = [built(named), built(numbered)]
      const [byName, byNumber] = [programOf(names), programOf(numbers)]
      expect(byName.stencils.size, rule).toBe(byNumber.stencils.size)
      expect(byName.source.includes('touches0'), rule).toBe(byNumber.source.includes('touches0'))
      expect(statesOf(names, 15), rule).toEqual(statesOf(names, 15, true))
      const runs = [names, numbers].map(one => start(programOf(one), { seed: 7, nativeFrom: 0 }))
      for (const run of runs) run.advance()
      const [texts, states] = runs.map(run =>
        Array.from({ length: run.world.population(0).count }, (_, cell) => run.individual(0, cell)?.['state']),
      )
      expect(texts, rule).toEqual(states!.map(value => `state ${Number(value)}`))
    }
  })

  it('are told from one neighbour, whatever states there are', () => {
    const random = stream(2026, 0, 'leaps')
    const states = 8
    let leaps = 0
    for (let k = 0; k < 40; k++) {
      // Some states are touchy, some go on by themselves; what they become is neither touchy nor, often, the end.
      const kinds = Array.from({ length: states }, () => one(random, ['touchy', 'sure', 'rest'] as const))
      kinds[0] = 'rest'
      kinds[1] = 'touchy'
      const open = kinds.flatMap((kind, state) => (kind === 'touchy' ? [] : [state]))
      const touching = open.filter(() => below(random, 2) === 0)
      // Now and then an agent both touches and is touchy.
      if (below(random, 4) === 0) touching.push(1)
      const near = one(random, ['von_neumann()', 'moore()', 'moore(2)'])
      const touched = `any(${[...touching, 9].map(state => `t.state == ${state}`).join(' or ')} for t in ${near})`
      const lines = kinds.flatMap((kind, state) => {
        const next = one(random, open)
        if (kind === 'rest' || next === state) return []
        return [`if state == ${state}${kind === 'touchy' ? ` and ${touched}` : ''}:\n    state = ${next}`]
      })
      const rare = one(random, ['0.003', '0.1'])
      const first = kinds.map((_, state) => `${state} if random() < ${rare} else `).join('')
      const built = forest(lines.join('\nel'), `${first}1`)
      leaps += Number(programOf(built).source.includes('touches0'))
      expect(statesOf(built, 30), lines.join('\nel')).toEqual(statesOf(built, 30, true))
    }
    expect(leaps).toBeGreaterThan(25)
  })

  it.each([
    [
      'somebody becomes touchy',
      'if state == 2:\n    state = 1\nelif state == 1 and any(t.state == 2 for t in von_neumann()):\n    state = 2',
    ],
    [
      'one neighbour is not enough',
      'if state == 2:\n    state = 3\nelif state == 1 and sum(1 for t in moore() if t.state == 2) > 1:\n    state = 2',
    ],
    ['there may be none', 'if state == 2:\n    state = 3\nelif state == 1 and all(t.state == 2 for t in moore()):\n    state = 2'],
    [
      'two reaches',
      'if state == 2:\n    state = 3\nelif state == 1 and (any(t.state == 2 for t in moore()) or any(t.state == 2 for t in moore(2))):\n    state = 2',
    ],
    ['oneself', 'if state == 2:\n    state = 3\nelif state == 1 and any(self.state == 2 for t in moore()):\n    state = 2'],
  ])('are not told from one neighbour where %s', (_, rule) => {
    const built = forest(rule, '(2 if x == 0 else 3 if y == 7 else 1) if random() < 0.7 else 0')
    expect(programOf(built).source).not.toContain('touches0')
    expect(statesOf(built, 40)).toEqual(statesOf(built, 40, true))
  })

  it('are looked at once more after a value was set before the start', () => {
    const built = model(
      scenario({ totalTicks: 4 }),
      variable('limit', 2, { public: true }),
      land(40, 40, false),
      cells(
        'Plot',
        { space: 'Land', order: 'simultaneous' },
        variable('a', 'random() < 0.4'),
        process('Live', startsBy(every(1)), compute('a = sum(1 for c in moore() if c.a) > limit'), end()),
      ),
    )
    const hashes = [false, true].map(debug => {
      const run = start(programOf(built, debug), { seed: 7 })
      run.set(built.id('limit'), 4)
      run.advance()
      return run.hash()
    })
    expect(hashes[0]).toBe(hashes[1])
  })
})

describe('who stands on a cell', () => {
  const animals = (look: string): Built => {
    const animal = (name: string, program: string) =>
      agents(
        name,
        { initialNumber: '30', space: 'Land', placement: 'cells' },
        variable('seen', '0'),
        process('Live', startsBy(every(1)), place('', { where: 'randomCell' }), compute(program), end()),
      )
    return model(
      scenario({ totalTicks: 8 }),
      land(9, 9, true),
      cells('Plot', { space: 'Land' }),
      animal('Sheep', 'seen += 1'),
      animal('Wolf', look),
    )
  }

  it.each([
    ['nobody', 'seen += 1', []],
    ['one population', 'seen = len(agents_on(cell, Sheep))', ['Sheep']],
    ['all', 'seen = len(agents_on(cell))', ['Sheep', 'Wolf']],
    ['one here and all there', 'seen = len(agents_on(cell, Sheep)) + len(agents_on(cell))', ['Sheep', 'Wolf']],
    ['those near', 'seen = sum(1 for other in neighbors(2, Sheep))', ['Sheep', 'Wolf']],
    ['the nearest', 'other = nearest(Wolf)\nseen = other.id', ['Sheep', 'Wolf']],
  ])('is listed where somebody asks: %s', (_, look, expected) => {
    const built = animals(look)
    const run = start(programOf(built), { seed: 7 })
    run.advance({ until: 3 })
    const listed = run.world.populations.filter(one => run.world.residents(one)?.isListed).map(one => one.name)
    expect(listed.sort()).toEqual(expected)
    expect(statesOf(built, 8)).toEqual(statesOf(built, 8, true))
    const again = start(programOf(built), { seed: 7 })
    again.restore(run.snapshot())
    for (const one of [run, again]) one.advance()
    expect(again.hash()).toBe(run.hash())
  })
})

describe('onto the cell at coordinates', () => {
  const walker = (where: string, wrap: boolean, before: string): Built =>
    model(
      scenario({ totalTicks: 20 }),
      land(9, 7, wrap),
      cells('Plot', { space: 'Land' }),
      agents(
        'Ant',
        { initialNumber: '20', space: 'Land', placement: 'cells' },
        variable('dx', 0),
        variable('dy', 0),
        variable('there', 'cell'),
        process('Walk', startsBy(every(1)), place(where, { before }), end()),
      ),
    )
  const before = 'dx = 3 * random() - 1.5\ndy = 3 * random() - 1.5'

  it.each([
    [true, '(x + dx', 'y + dy)'],
    [false, '(max(-0.5, min(8.49, x + dx))', 'max(-0.5, min(6.49, y + dy)))'],
  ])('is where a cell in a variable is (wraps: %s)', (wrap, x, y) => {
    const at = `cell_at${x}, ${y}`
    const both = `${before}\nthere = ${at}`
    const direct = walker(at, wrap, both)
    expect(programOf(direct).source).toContain('Math.floor(a+0.5)')
    expect(statesOf(direct, 20)).toEqual(statesOf(walker('there', wrap, both), 20))
  })

  it('fails outside, as it does elsewhere', () => {
    const run = start(programOf(walker('cell_at(x + 1, y)', false, 'dx = 0')), { seed: 7 })
    run.advance()
    expect(run.result).toMatchObject({ end: 'failed', problem: { code: 10060, at: { from: 0, to: 17 } } })
  })
})

describe('rows in the loop over their population', () => {
  const walkers = (statements: string): Built =>
    model(
      scenario({ totalTicks: 12 }),
      land(12, 12, false),
      cells('Plot', { space: 'Land' }, variable('visits', 0, { public: true })),
      agents(
        'Walker',
        { initialNumber: '60', space: 'Land', placement: 'cells' },
        variable('strength', 'randint(3, 30)', { public: true }),
        variable('left', '3'),
        process(
          'Walk',
          startsBy(every(1)),
          place('cell_at(max(0, min(11, x + randint(-1, 2))), max(0, min(11, y + randint(-1, 2))))', { before: 'cell.visits += 1' }),
          compute(statements),
          exclusive('spent?'),
          when('strength < 0'),
          destroy(),
          end(),
          from('spent?'),
          otherwise(),
          exclusive('lucky?'),
          when('random() < 0.3'),
          end(),
          from('lucky?'),
          when('strength < 1e9'),
          end(),
        ),
        process('Rest', startsBy(every(1)), compute('left = left - 1 if left > 0 else 3\nif left == 0:\n    strength += 1'), end()),
      ),
    )
  const short = 'strength -= 2'
  const long = Array.from({ length: 120 }, (_, k) => `strength = strength + (left * ${k}) % 3 - 1`).join('\n')

  it.each([
    ['short', short, false],
    ['long', `${long}\n${short}`, true],
  ])('%s ones give what functions give', (_, statements, isCalled) => {
    const { source } = programOf(walkers(statements))
    expect(/function q0\(self,i\)/.test(source)).toBe(isCalled)
    expect(source).not.toMatch(/function q1\(/)
    expect(statesOf(walkers(statements), 12)).toEqual(statesOf(walkers(statements), 12, true))
  })
})

describe('queries as loops', () => {
  /** The same model with the radius written out and in a variable, which the compiler doesn't look into. */
  const both = (make: (reach: string) => Built): void => {
    expect(statesOf(make('2'), 15)).toEqual(statesOf(make('reach'), 15))
    expect(statesOf(make('1'), 15)).not.toEqual(statesOf(make('reach'), 15))
  }
  const reach = variable('reach', 2)

  it.each([
    ['bounded', false, 'emptyCells'],
    ['wrapped', true, 'emptyCells'],
    ['several on a cell', true, 'cells'],
  ])('agents on cells around: %s', (_, wrap, placement) => {
    both(r =>
      model(
        scenario({ totalTicks: 15 }),
        reach,
        land(12, 9, wrap),
        cells('Plot', { space: 'Land' }),
        agents(
          'Household',
          { initialNumber: '70', space: 'Land', placement },
          variable('group', '1 if id % 2 == 0 else 0'),
          variable('happy', 'False'),
          variable('wealth', 'random()'),
          process(
            'Settle',
            startsBy(every(1)),
            compute(
              `happy = sum(1 for plot in moore(${r}) for other in agents_on(plot) if other.group == group) >= 4\nwealth = sum(other.wealth for plot in von_neumann(${r}) for other in agents_on(plot)) / 20 + random() / 9`,
            ),
            exclusive('happy?'),
            when('happy'),
            end(),
            from('happy?'),
            otherwise(),
            place('', { where: placement === 'cells' ? 'randomCell' : 'randomEmptyCell' }),
            end(),
          ),
        ),
      ),
    )
  })

  it('nobody is within a radius below 0, everybody within a vast one', () => {
    const count = (radius: string): unknown => {
      const run = start(
        programOf(
          model(
            scenario({ totalTicks: 1 }),
            variable('r', radius),
            space('Sky', { topology: 'continuous', minX: '0', maxX: '20', minY: '0', maxY: '20', wrapX: true, wrapY: false }),
            agents(
              'Bird',
              { initialNumber: '30', space: 'Sky', placement: 'random' },
              variable('seen', 0),
              process('Look', startsBy(every(1)), compute('seen = sum(1 for b in neighbors(r))'), end()),
            ),
          ),
        ),
        { seed: 3 },
      )
      run.advance()
      return [...new Set(run.world.populations[0]!.columns.get('v0')!.data)]
    }
    for (const radius of ['-1', '-5', '-4294967296', '-1e300']) expect(count(radius)).toEqual([0])
    for (const radius of ['40', '4294967296', '1e300']) expect(count(radius)).toEqual([29])
  })

  it('neighbours in a network, linked once or more', () => {
    const network = (r: string, repeatable: boolean): Built =>
      model(
        scenario({ totalTicks: 15 }),
        variable('reach', 1),
        agents(
          'Person',
          { initialNumber: '40', order: 'simultaneous' },
          variable('state', '1 if id <= 4 else 0', { public: true }),
          variable('seen', 0),
          process(
            'Spread',
            startsBy(every(1)),
            compute(
              `seen = sum(other.id for other in relatives(Knows, ${r}))\nif state == 1:\n    for other in relatives(Knows, ${r}):\n        if other.state == 0 and random() < 0.1:\n            other.state = 1\n    if random() < 0.2:\n        state = 2`,
            ),
            end(),
          ),
        ),
        links('Knows', { source: 'Person', target: 'Person', generator: 'randomCount', number: '150', repeatable }),
      )
    for (const repeatable of [true, false])
      expect(statesOf(network('1', repeatable), 15)).toEqual(statesOf(network('reach', repeatable), 15))
  })

  it('links of a node: directed or not, to itself, side by side, where nodes die', () => {
    const network = (of: string, fields: Fields, dies: boolean): Built =>
      model(
        scenario({ totalTicks: 12 }),
        agents(
          'Person',
          { initialNumber: '30' },
          variable('u', 'random()'),
          variable('first', 0),
          process(
            'Listen',
            startsBy(every(1)),
            compute(
              `s = 0\nfor k in ${of}:\n    s += k.trust * (k.target if k.source == self else k.source).u + k.weight\n    k.trust = 0.9 * k.trust\nu = s % 1\nfirst = sum(k.id * 0.1 for k in ${of} if k.trust > 0.1)`,
            ),
            exclusive('gone?'),
            when(dies ? 'u < 0.03' : 'u < 0'),
            destroy(),
            end(),
            from('gone?'),
            otherwise(),
            end(),
          ),
        ),
        links(
          'Knows',
          { source: 'Person', target: 'Person', generator: 'randomCount', number: '140', weight: 'random()', ...fields },
          variable('trust', 'random()', { public: true }),
        ),
      )
    for (const directed of [true, false])
      for (const selfLinks of [true, false])
        for (const dies of [true, false]) {
          const fields = { directed, selfLinks, repeatable: selfLinks }
          const [own, plain] = [network('links_of(Knows)', fields, dies), network('list(links_of(Knows))', fields, dies)]
          expect(programOf(own).source).not.toContain('links_of')
          expect(programOf(plain).source).toContain('links_of')
          expect(statesOf(own, 12)).toEqual(statesOf(plain, 12))
        }
  })

  it('one of those on a cell; one of some directions', () => {
    const hunt = (direction: string, prey: string): Built =>
      model(
        scenario({ totalTicks: 15 }),
        land(6, 6, true),
        cells('Plot', { space: 'Land' }),
        agents('Sheep', { initialNumber: '60', space: 'Land', placement: 'cells' }, variable('bites', 0, { public: true })),
        agents(
          'Wolf',
          { initialNumber: '9', space: 'Land', placement: 'cells' },
          variable('dx', 0),
          variable('dy', 0),
          variable('meals', 0),
          process(
            'Hunt',
            startsBy(every(1)),
            place('cell_at(x + dx, y + dy)', {
              before: `d = choice([(-1, 0), (0, 2.5), (1, -1)])\n${direction}`,
            }),
            compute(`${prey}\nif prey is not None:\n    prey.bites += 1\n    meals += 1\n    if random() < 0.2:\n        die(prey)`),
            exclusive('old?'),
            when('meals > 12'),
            destroy(),
            end(),
            from('old?'),
            otherwise(),
            end(),
          ),
        ),
      )
    const quick = hunt('dx = d[0]\ndy = d[-1]', 'prey = choice(agents_on(cell, Sheep)) if len(agents_on(cell, Sheep)) > 0 else None')
    const plain = hunt(
      'e = d\ndx = e[0]\ndy = e[-1]',
      'found = [s for s in agents_on(cell, Sheep)]\nprey = choice(found) if found else None',
    )
    expect(programOf(quick).source).toContain('Float64Array.of(-1, 0, 1)')
    expect(statesOf(quick, 15)).toEqual(statesOf(plain, 15))
  })
})

describe('steps to neighbours', () => {
  it.each(['moore', 'vonNeumann', 'round'] satisfies Shape[])('are those of the table: %s', shape => {
    for (const [columns, rows] of [
      [1, 1],
      [2, 5],
      [4, 3],
      [9, 12],
    ] as const) {
      for (const wraps of [true, false]) {
        for (const radius of shape === 'round' ? [1, 1.5, 3.2] : [1, 2, 4]) {
          const grid = new Grid(
            { first: 0, count: columns, wraps },
            { first: -3, count: rows, wraps: !wraps },
            { first: 0, count: 1, wraps: false },
          )
          const { first, steps } = grid.near(shape, radius)
          for (let cell = 0; cell < grid.size; cell++) {
            const start = first[cell]!
            const found = Array.from(steps.subarray(start + 1, start + 1 + steps[start]!), step => cell + step)
            expect(found).toEqual(grid.around(cell, shape, radius))
          }
        }
      }
    }
  })
})
