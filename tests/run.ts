// Runs every test, stage by stage, and says at the end how many passed: `npm test`. With `unit` as argument only the
// fast part: types, lint and the unit project. Says before that which failed. Exits 1 when anything did.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** `failures`: what failed, a line each, as far as it is known. */
type Count = { passed: number; failed: number; failures: readonly string[] }

const root = fileURLToPath(new URL('..', import.meta.url))
const scratch = mkdtempSync(join(tmpdir(), 'holarchy-test-'))
const unitOnly = process.argv.includes('unit')

function run(title: string, file: string, args: string[], env: Record<string, string> = {}): boolean {
  console.log(`\n== ${title}`)
  const done = spawnSync(process.execPath, [join(root, 'node_modules', file), ...args], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  })
  return done.status === 0
}

const sum = (a: Count, b: Count): Count => ({
  passed: a.passed + b.passed,
  failed: a.failed + b.failed,
  failures: [...a.failures, ...b.failures],
})

const check = (title: string, file: string, args: string[]): Count =>
  run(title, file, args) ? { passed: 1, failed: 0, failures: [] } : { passed: 0, failed: 1, failures: [title] }

/** Reads a runner's JSON report; a report that is missing, or that ran nothing, counts as one failure. */
function countFrom(path: string, ok: boolean, read: (report: unknown) => Count): Count {
  let count: Count
  try {
    count = read(JSON.parse(readFileSync(path, 'utf8')))
  } catch (error) {
    return { passed: 0, failed: 1, failures: [`no readable report at ${path}: ${String(error)}`] }
  }
  if (count.passed + count.failed === 0 || (!ok && count.failed === 0)) return { ...count, failed: count.failed + 1 }
  return count
}

function vitest(title: string, projects: string[]): Count {
  const first = vitestRun(title, projects, [])
  if (first.crashed.length === 0) return first.count
  // V8 of Node 24 now and then ends a process that compiles much WebAssembly (`Check failed: jit_page.has_value()`). What the tests
  // of such a process would have said is not known: their files are run in new processes, once.
  console.log(`\nA process of the tests crashed. Not known of: ${first.crashed.join(', ')}`)
  const again = vitestRun(`${title}: what the crash left out`, projects, first.crashed)
  return sum({ ...first.count, failed: 0 }, again.count)
}

/** Runs projects, or some files of them. `crashed`: files left without results, when nothing else went wrong. */
function vitestRun(title: string, projects: string[], files: string[]): { count: Count; crashed: string[] } {
  const report = join(scratch, `${projects.join('-')}${files.length}.json`)
  const args = [
    'run',
    ...files,
    ...projects.flatMap(project => ['--project', project]),
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
  ]
  const ok = run(title, 'vitest/vitest.mjs', args)
  let crashed: string[] = []
  const count = countFrom(report, ok, value => {
    const { numPassedTests, numFailedTests, testResults } = value as {
      numPassedTests: number
      numFailedTests: number
      testResults: { name: string; status: string; assertionResults: { status: string; fullName: string; failureMessages: string[] }[] }[]
    }
    const failures = testResults.flatMap(({ name, status, assertionResults }) => {
      const failed = assertionResults.filter(test => test.status === 'failed')
      if (status === 'failed' && failed.length === 0) return [name]
      return failed.map(({ fullName, failureMessages: [why = ''] }) => `${name}: ${fullName}: ${why.split('\n', 1)[0]}`)
    })
    const unknown = testResults.filter(({ assertionResults }) => assertionResults.some(({ status }) => status === 'pending'))
    if (ok || files.length > 0 || numFailedTests > 0 || unknown.length === 0)
      return { passed: numPassedTests, failed: numFailedTests, failures }
    crashed = unknown.map(({ name }) => name)
    const known = unknown.flatMap(({ assertionResults }) => assertionResults).filter(({ status }) => status === 'passed')
    return { passed: numPassedTests - known.length, failed: 0, failures: [] }
  })
  return { count, crashed }
}

type Suite = { suites?: Suite[]; specs: { title: string; file: string; ok: boolean }[] }

const failedIn = ({ suites = [], specs }: Suite): string[] => [
  ...specs.filter(({ ok }) => !ok).map(({ file, title }) => `${file}: ${title}`),
  ...suites.flatMap(failedIn),
]

function journeys(): Count {
  const report = join(scratch, 'journey.json')
  const ok = run('Journeys in a real browser', 'playwright/cli.js', ['test', '--config', 'tests/journey/playwright.config.ts'], {
    PLAYWRIGHT_JSON_OUTPUT_NAME: report,
  })
  return countFrom(report, ok, value => {
    const { stats, suites } = value as { stats: { expected: number; unexpected: number; flaky: number }; suites: Suite[] }
    return { passed: stats.expected, failed: stats.unexpected + stats.flaky, failures: suites.flatMap(failedIn) }
  })
}

const stages: (() => Count)[] = [
  () => check('Types', 'typescript/bin/tsc', ['-p', '.']),
  () => check('Lint', 'oxlint/bin/oxlint', ['--deny-warnings']),
  () => vitest('Unit tests', ['unit', 'engine']),
]
if (!unitOnly) {
  stages.push(() => vitest('Server tests', ['server']), journeys)
}

const total = stages.map(stage => stage()).reduce(sum)
rmSync(scratch, { recursive: true, force: true })
for (const failure of total.failures) console.log(`failed: ${failure}`)
console.log(`\n${total.passed} passed, ${total.failed} failed`)
process.exitCode = total.failed === 0 ? 0 : 1
