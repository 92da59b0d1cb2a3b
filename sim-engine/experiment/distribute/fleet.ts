// `holarchy experiment plan` and `merge`: what an experiment will take, and its results from many machines.
import { keyOf } from '../../experiment.ts'
import { createThreads } from '../../threads/node.ts'
import { checkWritable, Misuse, parsed, whole, type Output } from '../arguments.ts'
import { largeColumns } from '../tables/column-file.ts'
import { allFailed, checkTables, choiceOf, tell, writeTables } from '../command.ts'
import { engineHash } from '../engine.ts'
import { loaded } from '../tables/loading.ts'
import { audit, Disagreement, merge, partsOf, type Merged } from './merging.ts'
import { planOf, type DistributionPlan } from './planning.ts'

/** Exit code of a merge that lacks runs. */
const runsMissing = 3

export async function planning(args: readonly string[], output: Output): Promise<number> {
  const { files, values } = parsed(args, ['model', 'seed', 'runs', 'json'])
  const { prepared, code } = loaded(choiceOf(files, values), values.json === true, output)
  if (prepared === null) return code
  const here = createThreads(prepared.runnable, 1, output.now)
  try {
    const plan = await planOf(prepared, here, output.now)
    output.out(values.json === true ? `${JSON.stringify(plan, null, 2)}\n` : planText(plan))
    return 0
  } finally {
    here.close()
  }
}

function planText(plan: DistributionPlan): string {
  const { experiment, type, key, engine, runs, mostRuns, kind, secondsPerRun, coreHours, slices, advice } = plan
  const number = (value: number): string => String(Number(value.toPrecision(3)))
  const lines = [
    `${experiment} (${type})`,
    `  key      ${key}`,
    `  engine   ${engine}`,
    `  runs     ${runs === null ? `as many as it takes, at most ${mostRuns}` : kind === 'adaptive' ? `at most ${runs}` : runs}`,
    `  kind     ${kind}`,
    `  a run    ${secondsPerRun === null ? 'could not be tried' : `${number(secondsPerRun)} s on one core`}`,
    ...(coreHours === null ? [] : [`  in all   ${coreHours < 1 ? `${number(coreHours * 60)} min` : `${number(coreHours)} h`} of one core`]),
    ...(slices === null ? [] : [`  slices   ${slices}`]),
    ...advice.map(line => `  ${line}`),
  ]
  return `${lines.join('\n')}\n`
}

export async function merging(args: readonly string[], output: Output, signal: AbortSignal): Promise<number> {
  const { files, values } = parsed(args, [
    'model',
    'seed',
    'runs',
    'csv',
    'parquet',
    'report',
    'journal',
    'json',
    'partial',
    'audit',
    'threads',
  ])
  const [file, ...paths] = files
  if (paths.length === 0) throw new Misuse('which parts? The journals of the slices come after the file')
  const repeats = whole('audit', values.audit, 1, 1000)
  const threads = whole('threads', values.threads, 0, 256)
  if (values.journal !== undefined && paths.includes(values.journal)) throw new Misuse('--journal is one of the parts')
  const { prepared, code } = loaded(choiceOf(file === undefined ? [] : [file], values), values.json === true, output)
  if (prepared === null) return code
  checkTables(values, prepared)
  if (values.journal !== undefined) checkWritable('journal', values.journal)
  const parts = partsOf(paths, keyOf(prepared), engineHash())
  const here = createThreads(prepared.runnable, threads ?? prepared.experiment.threads, output.now)
  const columns = largeColumns(prepared)
  try {
    const merged = await merge(prepared, parts, here, values.journal ?? null, columns ?? undefined)
    if (repeats !== undefined) {
      const repeated = await audit(prepared, parts, merged.results, repeats, here, signal)
      output.err(`${repeated} runs repeated here gave the same\n`)
    }
    if (merged.missing !== null) {
      output.err(`${missingText(merged)}\n`)
      if (values.partial !== true) return runsMissing
    }
    const { results } = merged
    await writeTables(values, prepared, results)
    tell(prepared, results, merged.missing === null ? 'finished' : 'partial', values.json === true, output)
    return allFailed(results) ? 1 : 0
  } catch (error) {
    if (!(error instanceof Disagreement)) throw error
    output.err(`${error.message}\n`)
    return 1
  } finally {
    here.close()
    columns?.close()
  }
}

/** Most slices that are named one by one. */
const named = 50

function missingText({ results, missing }: Merged): string {
  if (missing === null) return ''
  const { runs, of, slices } = missing
  const list = `${slices.slice(0, named).join(',')}${slices.length > named ? ', ...' : ''}`
  return `${runs} of ${results.rows} runs are missing${of > 1 ? `, of slices ${list} of ${of}; again: --array=${list}` : ''}`
}
