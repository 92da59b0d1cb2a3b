// Running the models of tests: checked, compiled, run; with the lines of its trace and output.
import { check } from '../../sim-engine/check.ts'
import type { Checked } from '../../sim-engine/check.ts'
import { compile } from '../../sim-engine/compile.ts'
import type { RunOptions, Summary } from '../../sim-engine/messages.ts'
import { start } from '../../sim-engine/run.ts'
import type { Run } from '../../sim-engine/run.ts'
import type { Built } from './models.ts'
import { english } from '../../model-schema/words.ts'

export const checkOf = (built: Built): Checked => check(built.model, built.model.scenarios[0] ?? '')

/** Codes of what is wrong, `code element field`. */
export const codesOf = (built: Built): string[] =>
  checkOf(built).problems.map(
    ({ code, at, severity }) =>
      `${severity === 'warning' ? 'warning ' : ''}${code} ${at.id}${at.field === undefined ? '' : ` ${at.field}`}`,
  )

/** A run ready to start. Throws when the model has errors. */
export function begin(built: Built, options: RunOptions = {}, debug = false): Run {
  const checked = checkOf(built)
  if (!checked.ok)
    throw new Error(
      `the model has problems: ${checked.problems.map(one => `${one.code} ${one.at.id} ${one.at.field}: ${english(one.message)}`).join('; ')}`,
    )
  return start(compile(checked.checked, { debug }), options)
}

export type Ran = { run: Run; summary: Summary; output: string[]; trace: string[] }

/** Runs to the end. `output` lines are `time-of-tick text`. */
export function runOf(built: Built, options: RunOptions = {}): Ran {
  const run = begin(built, options, true)
  const trace: string[] = []
  run.trace = line => trace.push(line)
  run.advance()
  return { run, summary: run.summary(), output: run.takeOutput().map(line => line.text), trace }
}

/** Texts written by Log steps. A failed run is an error of the test. */
export function logOf(built: Built, options: RunOptions = {}): string[] {
  const { summary, output } = runOf(built, options)
  if (summary.result.end === 'failed')
    throw new Error(
      `${summary.result.problem.code} ${english(summary.result.problem.message)} at ${JSON.stringify(summary.result.problem.at)}; log: ${output.join(' | ')}`,
    )
  return output
}

/** The code a run failed with, and where. */
export function failureOf(built: Built, options: RunOptions = {}): string {
  const { result } = runOf(built, options).summary
  return result.end === 'failed' ? `${result.problem.code} ${result.problem.at.id} ${result.problem.at.field ?? ''}`.trim() : result.end
}
