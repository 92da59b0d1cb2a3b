// What a variable holds is what its kind says, and what fails is reported at the formula that fails.
import { describe, expect, it } from 'vitest'
import { check } from '../../../sim-engine/check.ts'
import { agents, compute, end, every, func, log, model, process, scenario, start, statistic, variable } from '../../help/models.ts'
import { failureOf, logOf } from '../../help/runs.ts'

const events = scenario({ ticking: false, totalTicks: 100 })

describe('a range kept in a list variable', () => {
  const built = model(
    events,
    variable('places', 'range(4)', { type: 'list' }),
    variable('later', '[]', { type: 'list' }),
    process(
      'P',
      start(),
      variable('own', 'range(2)', { type: 'list' }),
      compute('places.append(9)\nlater = range(3)\nlater[0] = 7\nown.append(5)'),
      log('f"{places} {later} {own} {sum(places)}"'),
      end(),
    ),
  )

  it('is a list of numbers', () => {
    const { checked, problems } = check(built.model, built.model.scenarios[0] ?? '')
    expect(problems.filter(one => one.severity === 'error')).toEqual([])
    expect(checked?.parts.globals.map(({ name, type }) => [name, type])).toEqual([
      ['places', { is: 'list', of: { is: 'number' } }],
      ['later', { is: 'list', of: { is: 'number' } }],
    ])
  })

  it('can be changed like any other list', () => {
    expect(logOf(built)).toEqual(['[0, 1, 2, 3, 9] [7, 1, 2] [0, 1, 5] 15'])
  })

  it('is never longer than a list may be', () => {
    const long = model(events, variable('x', 'range(1e9)', { type: 'list' }), process('P', start(), log('len(x)'), end()))
    expect(failureOf(long)).toBe('10034 x initial')
  })
})

describe('an error behind the call of a function block is reported where it is', () => {
  const slow = func('half', ['v'], 'if v < 0:\n    assert False, "negative"\nreturn v / 2')

  it('in a program', () => {
    const built = model(events, slow, variable('x', 0), process('P', start(), compute('y = half(4)\nx = 1 / (y - 2)', 'here'), end()))
    expect(failureOf(built)).toBe('10018 P-here program')
  })

  it('in the same expression, in a statistic', () => {
    const built = model(scenario({ totalTicks: 3 }), slow, statistic('S', '1 / (half(4) - 2)'), process('P', start(every(1)), end()))
    expect(failureOf(built)).toBe('10018 S expression')
  })

  it('in a function that called another', () => {
    const built = model(events, slow, func('outer', ['v'], 'w = half(v)\nreturn [1][w]'), process('P', start(), log('outer(8)'), end()))
    expect(failureOf(built)).toBe('10022 outer body')
  })

  it('and one inside the function there', () => {
    const built = model(
      events,
      slow,
      agents('A', { initialNumber: '2' }, variable('x', 0), process('P', start(), compute('x = half(2) + half(0 - 1)'), end())),
      process('Q', start(every(1)), end()),
    )
    expect(failureOf(built)).toBe('10035 half body')
  })
})
