// Conditions that change more than once at one instant: every change from false to true is seen.
import { expect, it } from 'vitest'
import { reactionsOf } from '../../../sim-engine/run/reactions.ts'
import {
  agents,
  boundary,
  call,
  compute,
  delay,
  end,
  every,
  log,
  model,
  passive,
  process,
  scenario,
  start,
  variable,
} from '../../help/models.ts'
import { beginCase } from '../../help/cases.ts'
import { begin, checkOf, logOf } from '../../help/runs.ts'
import { seeds } from '../../help/random.ts'
import { english } from '../../../model-schema/words.ts'

const events = scenario({ ticking: false, totalTicks: 20 })
const when = (condition: string) => start({ trigger: 'condition', condition })

it('condition starts: an order placed by another condition within one instant is placed again', () => {
  const run = beginCase('condition-edge')
  run.advance({ ticks: 5 })
  expect(run.summary().publics).toEqual({ orders: 0 })
  run.advance({ ticks: 1 })
  expect(run.summary().publics).toEqual({ orders: 3 })
  run.advance()
  // Each order brings 10, a kit takes 12, demand takes 1 a tick: nothing is lost on the way.
  expect(run.summary()).toMatchObject({ publics: { orders: 48 }, result: { end: 'success' } })
})

it('condition starts: two conditions that switch each other end with 10047', () => {
  const run = beginCase('condition-pair')
  run.advance()
  expect(run.result).toMatchObject({ end: 'failed', problem: { code: 10047 } })
})

it('condition starts: a condition made false and true again by others that act in the same round is seen', () => {
  // P is first in canvas order: the round is past it when R makes its condition true again.
  const built = model(
    events,
    variable('a', false),
    variable('go', false),
    variable('n', 0),
    process('Clock', start(), delay(1), compute('a = True\ngo = True'), end()),
    process('P', when('a'), log('"P"'), end()),
    process('Q', when('go and n == 0'), compute('a = False\nn = 1'), log('"Q"'), end()),
    process('R', when('n == 1'), compute('a = True\nn = 2'), log('"R"'), end()),
  )
  expect(logOf(built)).toEqual(['P', 'Q', 'R', 'P'])
})

it('condition starts: one that another has made false before its turn does not act', () => {
  const built = model(
    events,
    variable('food', 0),
    process('Clock', start(), delay(1), compute('food = 2'), end()),
    process('A', when('food > 0'), compute('food -= 1'), log('"A"'), end()),
    process('B', when('food > 0'), compute('food -= 1'), log('"B"'), end()),
    process('C', when('food > 0'), compute('food -= 1'), log('"C"'), end()),
  )
  expect(logOf(built)).toEqual(['A', 'B'])
})

it('condition events: at a border, the change is seen although it was true when last looked at', () => {
  const built = model(
    events,
    variable('alarm', true),
    variable('step', 0),
    process('Clock', start(), delay(1), compute('step = 1'), end()),
    process('Off', when('step == 1'), compute('alarm = False\nstep = 2'), end()),
    process('On', when('step == 2'), compute('alarm = True\nstep = 3'), end()),
    process(
      'P',
      start(),
      delay(10, 'work'),
      end(),
      boundary('work', 'condition', { condition: 'alarm' }, 'rang'),
      log('f"rang {time}"'),
      end(),
    ),
  )
  expect(logOf(built)).toEqual(['rang 1'])
})

it('condition events: what a called process, an individual or an intermediate event changes counts as well', () => {
  const built = model(
    scenario({ totalTicks: 3 }),
    variable('x', 0),
    agents(
      'A',
      { initialNumber: '2' },
      variable('energy', 0),
      process('Eat', start(every(1)), compute('energy += 2'), end()),
      process('Breed', when('energy > 3'), compute('energy -= 3\nx += 1'), end()),
      process('Tire', when('energy == 1'), compute('energy += 3'), call('Count'), end()),
      process('Count', start(passive), compute('x += 100'), end()),
    ),
  )
  const run = begin(built)
  run.advance()
  // Tick 2: 4 -> 1 -> 4 -> 1 -> ... without end.
  expect(run.result).toMatchObject({ end: 'failed', problem: { code: 10047 } })
})

it('condition starts: the state between two instants holds which conditions were true', () => {
  const built = model(
    scenario({ totalTicks: 12 }),
    variable('x', 0),
    variable('rises', 0, { public: true }),
    process('Clock', start(every(1)), compute('x = (tick // 2) % 2'), end()),
    process('P', when('x == 1'), compute('rises += 1'), end()),
  )
  const whole = begin(built)
  whole.advance()
  for (let at = 1; at < 12; at++) {
    const run = begin(built)
    run.advance({ ticks: at })
    const kept = run.snapshot()
    run.advance()
    run.restore(kept)
    run.advance()
    expect(run.hash(), `at ${at}`).toBe(whole.hash())
  }
  expect(whole.summary().publics).toEqual({ rises: 3 })
})

it('condition starts: looking again only at what may have changed gives what looking at all gives', () => {
  seeds(60, random => {
    const names = ['a', 'b', 'c', 'd']
    const pick = (): string => random.pick(names)
    const built = model(
      scenario({ totalTicks: 4 }),
      ...names.map(name => variable(name, random.below(2))),
      variable('n', 0, { public: true }),
      process('Clock', start(every(1)), compute(`${pick()} = ${random.below(3)}`), end()),
      ...[1, 2, 3, 4, 5].map(i =>
        process(`P${i}`, when(`${pick()} + ${pick()} > ${random.below(4)}`), compute(`${pick()} = ${random.below(3)}\nn += ${i}`), end()),
      ),
    )
    const quick = begin(built)
    const thorough = begin(built)
    thorough.inner.built.kernel.routines.mayChange = () => true
    quick.advance()
    thorough.advance()
    expect(quick.summary()).toEqual(thorough.summary())
  })
})

it('condition starts: what a reaction cannot change is not looked at again', () => {
  const checked = checkOf(
    model(
      events,
      variable('season', '"dry"'),
      variable('seen', 0),
      process('Clock', start(), delay(1), compute('season = "wet"'), end()),
      agents(
        'A',
        { initialNumber: '3' },
        variable('level', 0),
        process('P', when('season == "wet" and time < 10'), compute('seen += 1'), end()),
        process('Q', when('level > 3'), compute('level = 0'), end()),
        process('R', when('len(A.individuals) > 2'), compute('seen += 1'), end()),
      ),
    ),
  )
  if (!checked.ok) throw new Error(english(checked.problems[0]?.message))
  const mayChange = reactionsOf(checked.checked)
  const startOf = (name: string): number => checked.checked.parts.processes.find(one => one.name === name)!.start!.index
  const [p, q, r] = [startOf('P'), startOf('Q'), startOf('R')]
  expect([mayChange(p, p), mayChange(p, q), mayChange(q, q), mayChange(p, r)]).toEqual([false, false, true, true])
})
