// Simultaneous populations: whatever the sort of a value - numbers, texts, lists, individuals or none - all read what was there before
// the tick, and what they write themselves appears at its end. The same in every build, also as WebAssembly, and after a snapshot.
import { describe, expect, it } from 'vitest'
import { check } from '../../../sim-engine/check.ts'
import { compile } from '../../../sim-engine/compile.ts'
import { start } from '../../../sim-engine/run.ts'
import type { Run } from '../../../sim-engine/run.ts'
import {
  agents,
  ask,
  cells,
  compute,
  create,
  end,
  every,
  exclusive,
  from,
  model,
  otherwise,
  process,
  scenario,
  space,
  start as begin,
  variable,
  when,
  type Built,
  type Part,
} from '../../help/models.ts'
import { english } from '../../../model-schema/words.ts'

/** Runs in every way; they agree tick by tick. */
function runsOf({ model: made }: Built, ticks: number): Run {
  const { checked, problems } = check(made, made.scenarios[0] ?? '')
  if (!checked) throw new Error(problems.map(one => `${one.code} ${one.at.id} ${one.at.field}: ${english(one.message)}`).join('; '))
  const [plain, debug] = [compile(checked), compile(checked, { debug: true })]
  const run = start(debug, { seed: 5, ticks })
  const others = [0, Infinity].map(nativeFrom => start(plain, { seed: 5, ticks, nativeFrom }))
  const again = start(plain, { seed: 6, ticks })
  for (let tick = 1; tick <= ticks; tick++) {
    run.advance({ ticks: 1 })
    for (const other of others) {
      other.advance({ ticks: 1 })
      expect(other.snapshot().state, `tick ${tick}`).toEqual(run.snapshot().state)
    }
    if (tick === Math.ceil(ticks / 2)) again.restore(run.snapshot())
  }
  again.advance()
  expect(again.hash()).toBe(run.hash())
  expect(run.result?.end ?? 'success').toBe('success')
  return run
}

const valuesOf = (run: Run, name: string, population = 0): unknown[] =>
  Array.from(
    run.world.population(population).living.subarray(0, run.world.population(population).livingCount),
    slot => run.individual(population, run.world.population(population).handles[slot]!)?.[name],
  )

const ring = (initial: string): Built =>
  model(
    scenario({ totalTicks: 20 }),
    space('Line', { minX: '0', maxX: '11', minY: '0', maxY: '0', wrapX: true }),
    cells(
      'Seat',
      { space: 'Line' },
      variable('held', initial, { public: true }),
      process('Pass', begin(every(1)), compute('held = cell_at((x + 11) % 12, 0).held'), end()),
    ),
  )

describe('what goes round, one step a tick', () => {
  it.each([
    ['numbers', 'x', 3],
    ['texts', '"seat " + str(x)', 'seat 3'],
    ['truths', 'x == 3', true],
    ['lists', '[x, x + 1]', [3, 4]],
    ['numbers and nothing', 'None if x > 5 else x', 3],
  ])('%s', (_, initial, third) => {
    const before = valuesOf(runsOf(ring(initial), 12), 'held')
    expect(before[3]).toEqual(third)
    const after = valuesOf(runsOf(ring(initial), 5), 'held')
    expect(after).toEqual(before.map((_held, k) => before[(k + 12 - 5) % 12]))
  })
})

describe('fire by names of states', () => {
  const fire = (bare: string, tree: string, burning: string, burnt: string): Built =>
    model(
      scenario({ totalTicks: 40 }),
      space('Land', { minX: '0', maxX: '24', minY: '0', maxY: '24', wrapX: false, wrapY: false }),
      cells(
        'Plot',
        { space: 'Land' },
        variable('state', `(${burning} if x == 0 else ${tree}) if random() < 0.7 else ${bare}`, { public: true }),
        process(
          'Burn',
          begin(every(1)),
          compute(
            `if state == ${burning}:\n    state = ${burnt}\nelif state == ${tree} and any(p.state == ${burning} for p in von_neumann()):\n    state = ${burning}`,
          ),
          end(),
        ),
      ),
    )

  it.each([1, 4, 9, 30])('is the one by numbers, after %i ticks', ticks => {
    const names = ['bare', 'tree', 'burning', 'burnt']
    const numbers = valuesOf(runsOf(fire('0', '1', '2', '3'), ticks), 'state')
    expect(valuesOf(runsOf(fire('"bare"', '"tree"', '"burning"', '"burnt"'), ticks), 'state')).toEqual(
      numbers.map(state => names[Number(state)]),
    )
    expect(new Set(numbers).size).toBeGreaterThan(2)
  })
})

describe('agents', () => {
  const people = (...more: Part[]): Built =>
    model(
      scenario({ totalTicks: 12 }),
      agents(
        'Person',
        { initialNumber: '6', order: 'simultaneous' },
        variable('mood', '"calm" if id > 1 else "glad"', { public: true }),
        variable('friend', 'None', { public: true, type: 'entity' }),
        process(
          'Live',
          begin(every(1)),
          compute(
            'glad = [p for p in Person if p.mood == "glad"]\nif mood == "calm" and any(p.id == id - 1 for p in glad):\n    mood = "glad"\nelif mood == "glad":\n    mood = "tired"',
          ),
          exclusive('grows?'),
          when('tick < 6 and id < 4'),
          create('Person', 3, { as: 'young', values: [{ property: 'mood', mode: 'expression', value: '"new " + str(tick)' }] }),
          end(),
          from('grows?'),
          otherwise(),
          end(),
        ),
        ...more,
      ),
    )

  it('see the moods of before, while others are born beside them', () => {
    const moods = valuesOf(runsOf(people(), 5), 'mood')
    expect(moods.slice(0, 6)).toEqual(['tired', 'tired', 'tired', 'tired', 'tired', 'glad'])
    expect(moods.slice(6, 9)).toEqual(['new 1', 'new 1', 'new 1'])
    expect(moods).toHaveLength(6 + 5 * 9)
  })

  it('are changed by others at once', () => {
    const built = model(
      scenario({ totalTicks: 3 }),
      agents(
        'Person',
        { initialNumber: '3', order: 'simultaneous' },
        variable('mood', '"calm"', { public: true }),
        variable('seen', '""', { public: true }),
        process('Look', begin(every(1)), compute('seen = mood\nmood = mood + "!"'), end()),
      ),
      process('Stir', begin(every(1)), ask('Person', 'mood = "stirred"'), end()),
    )
    const run = runsOf(built, 2)
    expect(valuesOf(run, 'seen')).toEqual(['stirred', 'stirred', 'stirred'])
    expect(valuesOf(run, 'mood')).toEqual(['stirred!', 'stirred!', 'stirred!'])
  })
})
