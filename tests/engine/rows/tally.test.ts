// Counts over whole populations, for sixteen at once: statistics as a debug build has them, which counts one by one.
import { describe, expect, it } from 'vitest'
import { check } from '../../../sim-engine/check.ts'
import { compile } from '../../../sim-engine/compile.ts'
import { below, stream } from '../../../sim-engine/kernel/random.ts'
import type { Stream } from '../../../sim-engine/kernel/random.ts'
import { tally } from '../../../sim-engine/run/tally.ts'
import { start } from '../../../sim-engine/run.ts'
import {
  agents,
  cells,
  compute,
  create,
  destroy,
  end,
  every,
  exclusive,
  from,
  model,
  otherwise,
  process,
  scenario,
  space,
  start as startsBy,
  statistic,
  variable,
  when,
  type Built,
} from '../../help/models.ts'
import { english } from '../../../model-schema/words.ts'

const one = <T>(random: Stream, items: readonly T[]): T => items[below(random, items.length)]!

// Neither 101 x 97 nor 8500 nor the births come to whole sixteens.
const land = space('Land', { minX: '0', maxX: '100', minY: '0', maxY: '96', wrapX: true, wrapY: true })

function town(formulas: readonly string[], isDeadly: boolean): Built {
  return model(
    scenario({ totalTicks: 3, stopWhen: 'sum(1 for t in Tree if t.state == 1) > 9700' }),
    land,
    variable('limit', 2),
    cells(
      'Tree',
      { space: 'Land' },
      variable('state', '2 if x % 3 == 0 else 1'),
      variable('wet', 'False'),
      variable('large', '0'),
      process(
        'Grow',
        startsBy(every(1)),
        compute(
          'if random() < 0.2:\n    state = 0\nelif random() < 0.2:\n    state = 3\nelif random() < 0.1:\n    state = 200\nwet = random() < 0.4\nlarge = y',
        ),
        end(),
      ),
    ),
    agents(
      'Person',
      { initialNumber: '8500' },
      variable('state', '1'),
      variable('wet', 'False'),
      variable('large', '0'),
      process(
        'Live',
        startsBy(every(1)),
        compute('if random() < 0.3:\n    state = 2\nelif random() < 0.2:\n    state = 0\nwet = random() < 0.3\nlarge = id'),
        create('Person', '1 if random() < 0.01 else 0', { as: 'offspring' }),
        ...(isDeadly ? [exclusive('ill?'), when('state == 0'), destroy(), end(), from('ill?'), otherwise()] : []),
        end(),
      ),
    ),
    ...formulas.map((formula, k) => statistic(`s${k}`, formula)),
  )
}

function statisticsOf(built: Built, debug: boolean) {
  const checked = check(built.model, built.model.scenarios[0]!)
  if (!checked.ok) throw new Error(checked.problems.map(problem => `${problem.code} ${english(problem.message)}`).join('; '))
  const program = compile(checked.checked, { debug })
  const run = start(program, { seed: 11 })
  const seen = [run.summary().statistics]
  while (run.advance({ ticks: 1 })) seen.push(run.summary().statistics)
  return { source: program.source, seen: [...seen, run.summary().statistics], failed: run.result }
}

/** A random condition on `t`. */
function condition(random: Stream, depth: number): string {
  if (depth > 0 && below(random, 2) === 0) {
    const [left, right] = [condition(random, depth - 1), condition(random, depth - 1)]
    return one(random, [`(${left} and ${right})`, `(${left} or ${right})`, `not (${left})`])
  }
  const op = one(random, ['==', '!=', '<', '<=', '>', '>='])
  return one(random, [
    't.wet',
    'not t.wet',
    `t.state ${op} ${one(random, [0, 1, 2, 3, 199, 200, 255])}`,
    `${below(random, 4)} ${op} t.state`,
  ])
}

describe('what is counted at once', () => {
  it('is as many as one by one, for random conditions', () => {
    const random = stream(2026, 0, 'tally')
    const formulas = Array.from({ length: 60 }, () => {
      const who = one(random, ['Tree', 'Tree', 'Person'])
      const test = condition(random, 2)
      return one(random, [
        `sum(1 for t in ${who} if ${test})`,
        `len([t for t in ${who} if ${test}])`,
        `sum(${test} for t in ${who})`,
        `sum(1 for t in ${who} if ${test} if ${condition(random, 1)})`,
        `sum(1 if ${test} else 0 for t in ${who}) / ${who}.count`,
      ])
    })
    const built = town(formulas, false)
    const plain = statisticsOf(built, false)
    const slow = statisticsOf(built, true)
    expect(plain.failed).toEqual({ end: 'success', reason: 'total-ticks' })
    expect(plain.source.split('X.tally(').length).toBeGreaterThan(50)
    expect(slow.source).not.toContain('X.tally(')
    expect(plain.seen).toEqual(slow.seen)
  })

  it.each([
    'sum(1 for t in Tree if t.state == limit)',
    'sum(1 for t in Tree if t.state == 256)',
    'sum(1 for t in Tree if t.state > -1)',
    'sum(1 for t in Tree if t.state > 1.5)',
    'sum(1 for t in Tree if t.large > 3)',
    'sum(1 for t in Tree if t.wet == (t.state == 2))',
    'sum(2 for t in Tree if t.wet)',
    'sum(1 for t in Tree if t.x == 3)',
  ])('is counted one by one where it is more than comparisons of small numbers: %s', formula => {
    const built = town([formula], false)
    const plain = statisticsOf(built, false)
    // That of the stop condition.
    expect(plain.source.split('X.tally(').length).toBe(2)
    expect(plain.seen).toEqual(statisticsOf(built, true).seen)
  })

  it('is counted one by one where somebody may die, and from a start that is no whole number', () => {
    // What is rounded on the way depends on the start.
    const starts = Array.from({ length: 20 }, (_, k) => `sum([1 for t in Tree if t.wet], 1 / ${k + 3})`)
    const formulas = ['sum(1 for t in Person if t.wet)', ...starts]
    const built = town(formulas, true)
    expect(statisticsOf(built, false).seen).toEqual(statisticsOf(built, true).seen)
  })
})

describe('a module that counts', () => {
  it('says so where there are too few, too many or no module', () => {
    const bytes = new Uint8Array(10_000)
    expect(tally('00', [bytes], 10_000)).toBe(-1)
    expect(tally('00', [bytes], 10)).toBe(-1)
    expect(tally('00', [bytes], 1e9)).toBe(-1)
  })
})
