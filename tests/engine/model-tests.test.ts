import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { printFile } from '../../model-schema/file.ts'
import { check } from '../../sim-engine/check.ts'
import { mainUntil } from '../../sim-engine/cli.ts'
import { compile } from '../../sim-engine/compile.ts'
import { start as startRun } from '../../sim-engine/run.ts'
import { coverageOf, runTest, testsOf, type TestOutcome } from '../../sim-engine/testing.ts'
import { faultsOf } from '../../sim-engine/testing/faults.ts'
import { junitXml } from '../../sim-engine/testing/junit.ts'
import { mutate } from '../../sim-engine/testing/mutate.ts'
import {
  compute,
  delay,
  element,
  end,
  every,
  from,
  model,
  otherwise,
  process,
  release,
  request,
  resource,
  scenario,
  start,
  variable,
  when,
  type Built,
  type Part,
  type Fields,
} from '../help/models.ts'
import { english } from '../../model-schema/words.ts'

const test = (name: string, checks: Fields[], more: Fields = {}) => element('test', name, { name, checks: checks as never, ...more })

/** Two stocks between which things are moved, and a counter. */
const moved = (...tests: Part[]): Built =>
  model(
    scenario({ totalTicks: 20, seed: 3 }),
    variable('left', 100),
    variable('right', 0),
    variable('step', 2),
    process('Move', start(every(1)), compute('left -= step\nright += step'), end()),
    ...tests,
  )

function finish<T>(work: Generator<void, T>): T {
  for (;;) {
    const step = work.next()
    if (step.done === true) return step.value
  }
}

function outcomesOf({ model: built }: Built): TestOutcome[] {
  return testsOf(built, built.scenarios[0]!).map(one => finish(runTest(built, one)))
}

const only = (checks: Fields[], more: Fields = {}): TestOutcome => outcomesOf(moved(test('T', checks, more)))[0]!

describe('model tests: checks', () => {
  it.each([
    ['always', { what: 'always', condition: 'left >= 60' }, { what: 'always', condition: 'left > 60' }],
    ['at some time', { what: 'sometime', condition: 'right == 22' }, { what: 'sometime', condition: 'right == 23' }],
    ['at the end', { what: 'end', condition: 'right == 40' }, { what: 'end', condition: 'right == 38' }],
    ['stays the same', { what: 'conserved', expression: 'left + right' }, { what: 'conserved', expression: 'left - right' }],
    [
      'stays between',
      { what: 'between', expression: 'right', low: '2 * time', high: '2 * time' },
      { what: 'between', expression: 'right', high: '2 * time - 0.5' },
    ],
    [
      "Little's law",
      { what: 'little', expression: '6.1', rate: '2', stay: '3' },
      { what: 'little', expression: '6.1', rate: '2', stay: '3', tolerance: 0.01 },
    ],
  ])('%s: passes where it holds and fails where it does not', (_, holds, fails) => {
    expect(only([holds])).toMatchObject({ passed: true, runs: 1, problems: [] })
    const failed = only([fails])
    expect(failed).toMatchObject({ passed: false, problems: [] })
    expect(failed.checks[0]!.failures[0]!.seed).toBe(3)
  })

  it('say when a check failed first', () => {
    expect(only([{ what: 'always', condition: 'right < 10' }]).checks[0]!.failures[0]).toMatchObject({ time: 5 })
  })

  it('are made within the times that the test gives', () => {
    expect(only([{ what: 'always', condition: 'right < 10' }], { until: 4 }).passed).toBe(true)
    expect(only([{ what: 'always', condition: 'right >= 10' }], { since: 5 }).passed).toBe(true)
    expect(only([{ what: 'always', condition: 'right >= 10' }], { since: 4 }).passed).toBe(false)
  })

  it('use the values, the length and the seeds of the test', () => {
    const built = moved(test('T', [{ what: 'end', condition: 'right == 15' }], { ticks: 5, runs: 3, seed: 4294967295 }))
    const id = built.id('step')
    const given = built.model.elements.get(built.id('T'))!
    const changed = { ...given, fields: { ...given.fields, overrides: [{ variable: id, value: '3' }] } }
    const elements = new Map(built.model.elements).set(changed.id, changed)
    const [one] = testsOf({ ...built.model, elements }, built.model.scenarios[0]!)
    expect(finish(runTest({ ...built.model, elements }, one!))).toMatchObject({ passed: true, runs: 3 })
    expect(outcomesOf(built)[0]!.checks[0]!.failures.map(({ seed }) => seed)).toEqual([4294967295, 0, 1])
  })

  it('may hold in a share of the runs only', () => {
    const chance = (share: number): boolean => {
      const built = model(
        scenario({ totalTicks: 1 }),
        variable('coin', 0),
        process('P', start(every(1)), compute('coin = random()'), end()),
        test('T', [{ what: 'end', condition: 'coin < 0.9', share }], { runs: 100, seed: 1 }),
      )
      return outcomesOf(built)[0]!.passed
    }
    expect([chance(80), chance(98)]).toEqual([true, false])
  })

  it('compare the hash of the plain run', () => {
    const blank = only([{ what: 'hash', hash: '' }])
    const { model: built } = moved()
    const { checked } = check(built, built.scenarios[0]!)
    const run = startRun(compile(checked!), {})
    run.advance()
    expect(english(blank.checks[0]!.failures[0]!.words)).toContain(run.hash())
    expect(only([{ what: 'hash', hash: run.hash() }]).passed).toBe(true)
    expect(only([{ what: 'hash', hash: '0123' }]).passed).toBe(false)
  })

  it('fail when the run fails, or a formula cannot be worked out', () => {
    const failing = model(
      scenario({ totalTicks: 5 }),
      variable('x', 2),
      process('P', start(every(1)), compute('x -= 1\ny = 1 / x'), end()),
      test('T', [{ what: 'end', condition: 'True' }]),
    )
    expect(outcomesOf(failing)[0]!.checks[0]!.failures[0]).toMatchObject({ time: 2, problem: { code: 10018 } })
    expect(only([{ what: 'always', condition: '1 / (right - 6) < 10' }]).checks[0]!.failures[0]).toMatchObject({ time: 3 })
  })
})

describe('model tests: in the model', () => {
  it('are checked while somebody types, as warnings that keep no run from being made', () => {
    const built = moved(
      test('T', [
        { what: 'always', condition: 'lefft > 1' },
        { what: 'between', expression: 'left' },
      ]),
      test('None', []),
    )
    const checked = check(built.model, built.model.scenarios[0]!)
    expect(checked.ok).toBe(true)
    expect(checked.problems.map(({ at, severity }) => `${severity} ${at.id} ${at.field}`).toSorted()).toEqual([
      'warning None checks',
      'warning T checks/0/condition',
      'warning T checks/1/low',
    ])
    const [first] = outcomesOf(built)
    expect(first).toMatchObject({ passed: false, runs: 0 })
    expect(first!.problems.map(({ at }) => at.field).toSorted()).toEqual(['checks/0/condition', 'checks/1/low'])
  })

  it('change no program and no run', () => {
    const programOf = ({ model: built }: Built) => compile(check(built, built.scenarios[0]!).checked!)
    const plain = programOf(moved())
    const tested = programOf(moved(test('T', [{ what: 'always', condition: 'left > "a" or step(right)' }])))
    expect(tested.source).toBe(plain.source)
  })
})

/** A desk with one clerk, and a gateway with a second branch that is rarely taken. */
const desk = (checks: Fields[]): Built =>
  model(
    scenario({ totalTicks: 200 }),
    resource('Clerk', 1),
    variable('served', 0),
    variable('turned', 0),
    process(
      'Visit',
      start(every(2)),
      element('gateway', 'full', { type: 'exclusive' }),
      when('Clerk.queue < 50'),
      request('Clerk'),
      delay(1),
      release('Clerk'),
      compute('served += 1', 'count'),
      end(),
      from('full'),
      otherwise(),
      compute('turned += 1', 'turn'),
      end(),
    ),
    test('T', checks),
  )

const deskChecks: Fields[] = [
  { what: 'end', condition: 'served >= 99 and served <= 100' },
  { what: 'always', condition: 'turned == 0 and Clerk.utilization < 0.55' },
]

describe('model tests: how good they are', () => {
  it('coverage: says which steps and branches no test reaches', () => {
    const { model: built } = desk(deskChecks)
    const { steps, branches } = finish(coverageOf(built, testsOf(built, built.scenarios[0]!)))
    const missing = (counts: ReadonlyMap<string, number>): string[] => [...counts].filter(([, count]) => count === 0).map(([id]) => id)
    expect(steps.size).toBe(9)
    expect(missing(steps)).toEqual(['Visit-turn', expect.stringMatching(/^Visit-end/)])
    expect(branches.size).toBe(2)
    expect(missing(branches)).toEqual([expect.stringContaining('turn')])
    expect(steps.get('Visit-full')).toBe(100)
  })

  it('faults: change operators, constants, statements and rows, one at a time, and nothing that only looks', () => {
    const built = model(
      scenario({ totalTicks: 5, stopWhen: 'a >= 3 and b' }),
      variable('a', 1),
      variable('b', true),
      process('P', start(every(1)), compute('a += 2\nif a < 4:\n    b = False'), end()),
      test('T', [{ what: 'end', condition: 'a == 1' }]),
      element('statistic', 'S', { name: 'S', expression: 'a + 1' }),
    )
    const found = [...faultsOf(built.model, built.model.scenarios[0]!)].map(({ words }) => english(words))
    expect(found).toEqual(
      expect.arrayContaining([
        '">=" became "<"',
        '">=" became ">"',
        '"and" became "or"',
        '"+=" became "-="',
        '"a += 2" became "a = a"',
        '"b = False" became "b = b"',
        '"False" became "True"',
        '"2" became "4"',
      ]),
    )
    expect(found.some(one => one.includes('== 1') || one.includes('a + 1'))).toBe(false)
    const { model: served } = desk(deskChecks)
    expect([...faultsOf(served, served.scenarios[0]!)].filter(({ field }) => field === 'items')).toHaveLength(2)
  })

  it('mutation: tells faults that tests notice from those they do not, and from those without effect', () => {
    const tried = (checks: Fields[]) => {
      const { model: built } = desk(checks)
      return finish(mutate(built, testsOf(built, built.scenarios[0]!), { faults: 100, seed: 1, limit: () => () => false }))
    }
    const good = tried(deskChecks)
    const weak = tried([{ what: 'end', condition: 'served >= 0' }])
    expect(good.tried).toBe(weak.tried)
    expect(good.noticed + good.unnoticed.length + good.withoutEffect.length).toBe(good.tried)
    expect(good.share, JSON.stringify(good.unnoticed)).toBeGreaterThan(0.7)
    expect(weak.share).toBeLessThan(0.5)
    const isMissed = (mutation: typeof good, element: string): boolean => mutation.unnoticed.some(one => one.element === element)
    expect([isMissed(good, 'Visit-delay1'), isMissed(weak, 'Visit-delay1')]).toEqual([false, true])
    // The run itself fails when a clerk is not given back.
    expect([...good.unnoticed, ...weak.unnoticed].filter(({ field }) => field === 'items')).toEqual([])
  })
})

describe('holarchy test', () => {
  let folder = ''
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'holarchy-test-'))
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  async function cli(built: Built, ...args: string[]): Promise<{ code: number; out: string; err: string; path: string }> {
    const path = join(folder, 'model.holo')
    writeFileSync(path, printFile(built.file))
    let [out, err] = ['', '']
    const output = { out: (text: string) => void (out += text), err: (text: string) => void (err += text) }
    let now = 0
    const code = await mainUntil(['test', path, ...args], output, new AbortController().signal, { now: () => now++, isTerminal: false })
    return { code, out, err, path }
  }

  it('prints a line for each test and how to see a failure again', async () => {
    const built = moved(
      test('Kept', [{ what: 'conserved', expression: 'left + right' }]),
      test('Never "low"', [{ what: 'always', condition: 'left > 90' }], { runs: 4, seed: 7 }),
    )
    const { code, out, path } = await cli(built)
    expect(code).toBe(1)
    expect(out).toMatch(/^ok {4}Scenario 1: Kept \(1 run, /m)
    expect(out).toContain('FAIL  Scenario 1: Never "low" (4 runs, ')
    expect(out).toContain('check 1 failed in 4 of 4 runs')
    expect(out).toContain(`again: holarchy test ${path} --only "Never \\"low\\"" --seed 7 --runs 1`)
    expect(out).toContain('1 of 2 tests passed')
    const again = await cli(built, '--only', 'Kept')
    expect([again.code, again.out.includes('Never')]).toEqual([0, false])
  })

  it('writes JUnit XML, JSON, coverage and what faults tests miss', async () => {
    const junit = join(folder, 'junit.xml')
    const { code, out } = await cli(desk(deskChecks), '--junit', junit, '--json', '--coverage', '--mutate', '--faults', '10')
    expect(code).toBe(0)
    const told = JSON.parse(out)
    expect(told.tests[0]).toMatchObject({ name: 'T', passed: true, scenario: 'Scenario 1' })
    expect(Object.keys(told.coverage.branches)).toHaveLength(2)
    expect(told.mutations[0].tried).toBe(10)
    expect(readFileSync(junit, 'utf8')).toContain('<testcase classname="Scenario 1" name="T"')
  })

  it('escapes what XML cannot hold', () => {
    const failed: TestOutcome = { test: 't', name: 'a<b>"&\u0001', passed: false, runs: 1, longestRun: 1, checks: [], problems: [] }
    const xml = junitXml('f', [{ ...failed, scenario: 's', seconds: 1, told: 'x < 1\nagain' }])
    expect(xml).toContain('name="a&lt;b&gt;&quot;&amp;"')
    expect(xml).toContain('<failure message="x &lt; 1">x &lt; 1&#10;again</failure>')
    expect(xml).toContain('failures="1"')
  })

  it.each([
    [['--runs', '0'], '--runs'],
    [['--seed', 'x'], '--seed'],
    [['--only', 'nothing'], 'there is no test "nothing"; there are "T"'],
    [['--ticks', '3'], '--ticks does not belong here'],
    [['--scenario', 'nowhere'], 'there is no scenario "nowhere"'],
  ])('refuses %j', async (args, said) => {
    const { code, err } = await cli(desk(deskChecks), ...args)
    expect([code, err.includes(said)], err).toEqual([2, true])
  })

  it('fails where there are no tests', async () => {
    const { code, out } = await cli(moved())
    expect([code, out.includes('there are no tests')]).toEqual([1, true])
  })
})
