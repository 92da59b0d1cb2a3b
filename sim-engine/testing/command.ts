// `holarchy test`: runs the tests of a model file and prints their results.
import { inLanguages } from '../../model-schema/languages/catalogues.ts'
import { writeFileSync } from 'node:fs'
import type { Id, Model } from '../../model-schema/model.ts'
import { parseCommand, reasonOf } from '../command/arguments.ts'
import { nameOf, readModelFile, scenarioOf } from '../command/model-file.ts'
import { problemText } from '../command/problem-text.ts'
import { checkWritable, Misuse, whole } from '../experiment/arguments.ts'
import { coverageOf, type Coverage } from './coverage.ts'
import { junitXml, type TimedOutcome } from './junit.ts'
import { mutate, type Mutation, type Unnoticed } from './mutate.ts'
import { mostTestRuns, testsOf, type ModelTest } from './read.ts'
import { runTest, type TestOutcome } from './run.ts'
import { english } from '../../model-schema/words.ts'

type Output = { out(text: string): void; err(text: string): void; now(): number }

/** Milliseconds that a run with a fault may take at least, and times those of all runs without one. */
const faultMs = 2000
const faultFactor = 10

/** Most failures of a check that are printed as text. */
const mostTold = 3

/** Yields between stretches of work; what is sent back says whether to stop. */
export function* testCommand(args: readonly string[], output: Output): Generator<void, 0 | 1 | 'stopped', boolean> {
  const { file: path, values } = parseCommand(args, ['scenario', 'only', 'seed', 'runs', 'junit', 'coverage', 'mutate', 'faults', 'json'])
  const json = values.json === true
  const seed = whole('seed', values.seed, 0, 4294967295)
  const runs = whole('runs', values.runs, 1, mostTestRuns)
  const faults = whole('faults', values.faults, 1, 100_000) ?? 100
  if (values.junit !== undefined) checkWritable('junit', values.junit)
  const file = readModelFile(path)
  const { model } = file
  if (!json) output.err(file.told)
  const scenarios = values.scenario === undefined ? model.scenarios : [scenarioOf(model, values.scenario)]
  const tests = chosen(
    scenarios.flatMap(id => testsOf(model, id)),
    values.only,
  ).map(test => ({ ...test, seed: seed ?? test.seed, runs: runs ?? test.runs }))
  const told = { json, path: file.path, model, output }
  if (tests.length === 0) {
    if (json) output.out(`${JSON.stringify({ tests: [] }, null, 2)}\n`)
    else output.out(`${file.path}: there are no tests\n`)
    return 1
  }
  const began = output.now()
  const outcomes: TimedOutcome[] = []
  for (const test of tests) {
    const from = output.now()
    const outcome = yield* untilStopped(runTest(model, test))
    if (outcome === 'stopped') return 'stopped'
    const seconds = (output.now() - from) / 1000
    const timed = { ...outcome, scenario: nameOf(model, test.scenario), seconds, told: failureText(told, test, outcome) }
    outcomes.push(timed)
    if (!json) output.out(outcomeText(timed, test))
  }
  const took = output.now() - began
  if (values.junit !== undefined) write(values.junit, junitXml(file.path, outcomes))
  const coverage = values.coverage === true ? yield* untilStopped(coverageOf(model, tests)) : null
  if (coverage === 'stopped') return 'stopped'
  if (coverage && !json) output.out(coverageText(model, coverage))
  const isPassed = outcomes.every(({ passed }) => passed)
  const mutations: { scenario: string; mutation: Mutation }[] = []
  if (values.mutate === true && isPassed)
    for (const scenario of scenarios) {
      const own = tests.filter(test => test.scenario === scenario)
      if (own.length === 0) continue
      const limit = (): (() => boolean) => {
        const until = output.now() + faultMs + faultFactor * took
        return () => output.now() > until
      }
      const mutation = yield* untilStopped(mutate(model, own, { faults, seed: seed ?? 1, limit }))
      if (mutation === 'stopped') return 'stopped'
      mutations.push({ scenario: nameOf(model, scenario), mutation })
      if (!json) output.out(mutationText(model, nameOf(model, scenario), mutation))
    }
  else if (values.mutate === true && !json) output.out('No faults were tried, as tests fail without one.\n')
  if (json) output.out(`${JSON.stringify(documentOf(outcomes, coverage, mutations), inLanguages(), 2)}\n`)
  else output.out(`${outcomes.filter(({ passed }) => passed).length} of ${outcomes.length} tests passed\n`)
  return isPassed ? 0 : 1
}

/** Runs work in turns, and stops it on request. */
function* untilStopped<T>(work: Generator<void, T>): Generator<void, T | 'stopped', boolean> {
  for (let step = work.next(); ; step = work.next()) {
    if (step.done === true) return step.value
    if (yield) return 'stopped'
  }
}

function chosen(tests: readonly ModelTest[], wanted: string | undefined): readonly ModelTest[] {
  if (wanted === undefined) return tests
  const found = tests.filter(({ id, name }) => id === wanted || name === wanted)
  if (found.length > 0) return found
  const names = tests.map(({ name }) => `"${name}"`).join(', ')
  throw new Misuse(`there is no test "${wanted}"; there ${tests.length === 0 ? 'are none' : `are ${names}`}`)
}

type Told = { readonly path: string; readonly model: Model }

/** What failed, and how to see it again; empty for a test that passed. */
function failureText({ path, model }: Told, test: ModelTest, { passed, problems, checks }: TestOutcome): string {
  if (passed) return ''
  if (problems.length > 0) return problems.map(one => problemText(model, one).trimEnd()).join('\n')
  return checks
    .flatMap((one, i) => {
      if (one.passed) return []
      const { share } = test.checks[i]!
      const wanted = share === 1 ? '' : `, ${shownShare(share)} % of runs are enough`
      const seen = one.failures
        .slice(0, mostTold)
        .flatMap(({ seed, time, words, problem }) => [
          `seed ${seed}, time ${Number(time.toPrecision(10))}: ${english(words)}`,
          ...(problem === null ? [] : [problemText(model, problem).trimEnd()]),
        ])
      const replay = `holarchy test ${path} --only ${JSON.stringify(test.name)} --seed ${one.failures[0]?.seed ?? test.seed} --runs 1`
      return [`check ${i + 1} failed in ${one.failedRuns} of ${runsText(test.runs)}${wanted}`, ...seen, `again: ${replay}`]
    })
    .join('\n')
}

const shownShare = (share: number): number => Number((100 * share).toPrecision(6))
const runsText = (count: number): string => (count === 1 ? '1 run' : `${count} runs`)

function outcomeText({ passed, scenario, name, seconds, told }: TimedOutcome, test: ModelTest): string {
  const line = `${passed ? 'ok  ' : 'FAIL'}  ${scenario}: ${name} (${runsText(test.runs)}, ${seconds.toFixed(2)} s)\n`
  return `${line}${told === '' ? '' : `${told.replaceAll(/^/gm, '      ')}\n`}`
}

const placeText = (model: Model, element: Id): string => {
  const names: string[] = []
  for (
    let at = model.elements.get(element);
    at && at.kind !== 'scenario';
    at = at.parent === null ? undefined : model.elements.get(at.parent)
  )
    names.unshift(nameOf(model, at.id) || at.id)
  return names.join(' / ')
}

const countOf = (counts: ReadonlyMap<Id, number>): string => `${[...counts.values()].filter(count => count > 0).length} of ${counts.size}`

function coverageText(model: Model, { steps, branches }: Coverage): string {
  const missing = [...steps, ...branches].filter(([, count]) => count === 0).map(([id]) => `      not reached: ${placeText(model, id)}\n`)
  return `coverage  ${countOf(steps)} steps, ${countOf(branches)} branches\n${missing.join('')}`
}

function mutationText(model: Model, scenario: string, { possible, tried, noticed, unnoticed, withoutEffect, share }: Mutation): string {
  const listed = (title: string, list: readonly Unnoticed[]): string =>
    list.map(({ element, field, words }) => `      ${title}: ${placeText(model, element)}, ${field}: ${english(words)}\n`).join('')
  const percent = share === null ? '' : ` (${(100 * share).toFixed(0)} %)`
  return `faults    ${scenario}: ${noticed} of ${noticed + unnoticed.length} noticed${percent}; ${withoutEffect.length} of ${tried} tried had no effect (${possible} possible)\n${listed('not noticed', unnoticed)}${listed('no effect', withoutEffect)}`
}

function documentOf(
  outcomes: readonly TimedOutcome[],
  coverage: Coverage | null,
  mutations: readonly { scenario: string; mutation: Mutation }[],
) {
  return {
    tests: outcomes.map(({ told: _, ...one }) => one),
    ...(coverage ? { coverage: { steps: Object.fromEntries(coverage.steps), branches: Object.fromEntries(coverage.branches) } } : {}),
    ...(mutations.length > 0 ? { mutations: mutations.map(({ scenario, mutation }) => ({ scenario, ...mutation })) } : {}),
  }
}

function write(path: string, text: string): void {
  try {
    writeFileSync(path, text)
  } catch (error) {
    throw new Misuse(`cannot write ${path}: ${reasonOf(error)}`)
  }
}
