// The outcome of tests as JUnit XML, as build servers read it (the schema of Jenkins' xUnit plugin).
import type { TestOutcome } from './run.ts'

export type TimedOutcome = TestOutcome & {
  readonly scenario: string
  readonly seconds: number
  /** What failed, as lines. */ readonly told: string
}

export function junitXml(file: string, outcomes: readonly TimedOutcome[]): string {
  const cases = outcomes.map(({ scenario, name, seconds, passed, told }) => {
    const head = `    <testcase classname="${escaped(scenario)}" name="${escaped(name)}" time="${seconds.toFixed(3)}"`
    if (passed) return `${head}/>`
    const [first = ''] = told.split('\n')
    return `${head}>\n      <failure message="${escaped(first)}">${escaped(told)}</failure>\n    </testcase>`
  })
  const failures = outcomes.filter(({ passed }) => !passed).length
  const seconds = outcomes.reduce((sum, one) => sum + one.seconds, 0)
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites>',
    `  <testsuite name="${escaped(file)}" tests="${outcomes.length}" failures="${failures}" errors="0" skipped="0" time="${seconds.toFixed(3)}">`,
    ...cases,
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n')
}

/** Text between tags or quotes; characters that XML 1.0 cannot hold are left out. */
const escaped = (text: string): string =>
  text
    .replaceAll(/[^\t\n\r -\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\n', '&#10;')
