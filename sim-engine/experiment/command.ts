// `holarchy experiment`: conducts an experiment on the command line, in threads of this process.
import { inLanguages } from '../../model-schema/languages/catalogues.ts'
import { english } from '../../model-schema/words.ts'
import { closeSync, openSync, writeFileSync } from 'node:fs'
import {
  conduct,
  confidenceMarkdown,
  confidencePage,
  csvLines,
  isPlanned,
  keyOf,
  plannedRuns,
  type Conducted,
  type Journal,
  type Prepared,
  type Results,
} from '../experiment.ts'
import { createThreads } from '../threads/node.ts'
import { checkParquetFolder, checkWritable, Misuse, parsed, whole, type Output } from './arguments.ts'
import { largeColumns } from './tables/column-file.ts'
import { openJournal } from './distribute/journal.ts'
import { writeAll } from './lines.ts'
import { loaded, type Choice } from './tables/loading.ts'
import type { QueueTask } from './queue/task.ts'
import { reportOf, reportText } from './report.ts'
import { sliced, sliceOf } from './distribute/slices.ts'

const usage = `Usage:
  holarchy experiment FILE.holo [--model FILE.holo] [--threads N] [--seed N] [--runs N] [--journal FILE] [--csv FILE]
                      [--parquet FOLDER] [--json]
  holarchy experiment plan FILE.holo [--json]
  holarchy experiment FILE.holo --slice I/N|auto --journal PART
  holarchy experiment merge FILE.holo PART... [--csv FILE] [--parquet FOLDER] [--journal FILE] [--json] [--partial] [--audit K]
  holarchy submit FILE.holo --slurm [--slices N] [--into FOLDER] [--dry-run] [-- SBATCH OPTIONS]
  holarchy experiment FILE.holo --workers postgres://... [--threads N]

Conducts the experiment of a file and prints what it found: intervals, tables, effects, indices, fronts, fits, learned policies.

  --model FILE      the model (default: the file the experiment names, from its own folder)
  --threads N       runs at the same time, 0 .. 256 (default: the experiment's; 0: all the machine has); results do not depend on it
  --seed N          replaces the experiment's seed, 0 .. 4294967295
  --runs N          replaces the experiment's most runs, 1 .. 10000000
  --journal FILE    keeps every run as it is done and goes on with what is there, also after a crash
  --steal           takes over a journal that another process holds which is gone
  --csv FILE        writes the table of all runs
  --parquet FOLDER  writes it as Parquet files of at most a million runs each: part-00000.parquet, part-00001.parquet ...
  --json            prints JSON instead of text

On many machines (see sim-engine/experiment/distribute/CLUSTERS.md for Slurm, PBS, Kubernetes and GNU parallel):
  plan              tells how many runs there are, how long one takes and how many slices are worth while, and makes only four of them
  --slice I/N       makes every N-th run from number I on, I from 0, into a journal of its own; auto: as the array job says.
                    In the journal's name %i is I. Only for experiments whose runs are all known before: the others are adaptive
  merge             puts the journals of slices together, in any order: the same report and table as if all was run here
  submit            writes an array job of slices and a job that merges them, and submits both; --dry-run shows them only
  --workers URL     has the runs made by the workers of a queue in a PostgreSQL database (holarchy work URL), searches included; auto: the address is
                    in HOLARCHY_QUEUE. With --threads also by threads of this process. What was made is kept there until the end
  --partial         merges what there is, though runs are missing
  --audit K         repeats K runs of each part here, and names the part that gives something else

Ctrl-C or SIGTERM ends it with what was found until then; with a journal it can go on later. Progress is told on standard error.

Exit codes: 0 ok, 1 problems, all runs failed, or parts that disagree, 2 wrong usage or an unreadable file, 3 runs are missing,
75 a slice was stopped and can go on, 130 or 143 stopped by SIGINT or SIGTERM.
`

/** Exit codes of a command that a signal stopped, as shells have them: 128 and the signal's number. */
const stoppedBy: Readonly<Record<string, number>> = { SIGINT: 130, SIGTERM: 143 }

/** Runs the command; returns the exit code. `signal` is aborted with the name of the system's signal that stops it. Never throws or rejects. */
export async function experimentMain(args: readonly string[], output: Output, signal: AbortSignal): Promise<number> {
  try {
    if (args.includes('--help') || args.includes('-h')) {
      output.out(usage)
      return 0
    }
    const [first, ...rest] = args
    if (first === 'plan' || first === 'merge') {
      const { merging, planning } = await import('./distribute/fleet.ts')
      return await (first === 'plan' ? planning(rest, output) : merging(rest, output, signal))
    }
    if (first === 'submit') return await (await import('./distribute/submit.ts')).submitting(rest, output)
    return await conducting(args, output, signal)
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    output.err(
      error instanceof Misuse ? `holarchy experiment: ${message}; see holarchy experiment --help\n` : `holarchy experiment: ${message}\n`,
    )
    return 2
  }
}

async function conducting(args: readonly string[], output: Output, signal: AbortSignal): Promise<number> {
  const { files, values } = parsed(args, [
    'model',
    'threads',
    'seed',
    'runs',
    'journal',
    'steal',
    'csv',
    'parquet',
    'report',
    'json',
    'slice',
    'workers',
  ])
  const choice = choiceOf(files, values)
  const threads = whole('threads', values.threads, 0, 256)
  if (values.csv !== undefined && values.csv === values.journal) throw new Misuse('--csv and --journal name one file')
  const made = loaded(choice, values.json === true, output)
  if (made.prepared === null) return made.code
  const { prepared, task } = made
  if (values.slice !== undefined && values.workers !== undefined) throw new Misuse('--slice and --workers exclude each other')
  if (values.slice !== undefined) return makeSlice(prepared, values, output, signal)
  // Checks what cannot be kept before hours of work, not after.
  checkTables(values, prepared)
  if (values.journal !== undefined) checkWritable('journal', values.journal)
  if (prepared.experiment.type === 'learning') {
    if (values.workers !== undefined) throw new Misuse('a training is made on one machine: --workers does not belong here')
    const { trainFile } = await import('./learn/command.ts')
    const trained = await trainFile(prepared, { journal: values.journal, json: values.json === true }, output, withTime(prepared, signal))
    return signal.aborted ? (stoppedBy[String(signal.reason)] ?? 1) : trained
  }
  const planned = plannedRuns(prepared)
  const journal =
    values.journal === undefined
      ? null
      : openJournal(values.journal, { key: keyOf(prepared), planned, steal: values.steal === true, now: output.now })
  try {
    const leader = values.workers === undefined ? null : await leaderFor(prepared, task, values.workers, threads, output)
    const evaluator = leader?.evaluator ?? createThreads(prepared.runnable, threads ?? prepared.experiment.threads, output.now)
    const columns = largeColumns(prepared)
    let isFinished = false
    try {
      const { results, ended } = await conduct({
        prepared,
        evaluator,
        ...(columns && { columns }),
        journal: leader?.journal(journal) ?? journal ?? forgetful,
        signal: withTime(prepared, signal),
        told: progress(planned, output),
      })
      await writeTables(values, prepared, results)
      tell(prepared, results, timedOut(ended, signal), values.json === true, output)
      isFinished = ended !== 'stopped'
      if (ended === 'stopped' && signal.aborted) return stoppedBy[String(signal.reason)] ?? 1
      return allFailed(results) ? 1 : 0
    } finally {
      evaluator.close()
      columns?.close()
      await leader?.finish(!isFinished)
    }
  } finally {
    journal?.close()
  }
}

/** The evaluator that has workers of a queue make the runs, and what ends it. The modules are those of no other command. */
async function leaderFor(prepared: Prepared, task: QueueTask, address: string, threads: number | undefined, output: Output) {
  const { journalOf, leaderOf } = await import('./queue/command.ts')
  const evaluator = await leaderOf(prepared, task, address, threads, output)
  return {
    evaluator,
    journal: (file: Journal | null) => journalOf(evaluator, file),
    finish: (keep: boolean) => evaluator.finish(keep),
  }
}

/** A slice that was stopped by a signal and can continue: `EX_TEMPFAIL` of sysexits.h, which batch systems can be set to start again. */
const stoppedSlice = 75

/** Makes the runs of a slice into its journal. Slices print no results: they know a part of them. */
async function makeSlice(prepared: Prepared, values: Values, output: Output, signal: AbortSignal): Promise<number> {
  const slice = sliceOf(values.slice ?? '', process.env)
  if (values.journal === undefined) throw new Misuse('--slice needs --journal, where its runs are kept')
  for (const name of ['csv', 'parquet', 'report'] as const)
    if (values[name] !== undefined) throw new Misuse(`--${name} belongs to merge: a slice has a part of the runs`)
  if (!isPlanned(prepared))
    throw new Misuse('this experiment is adaptive, what it runs next depends on what its runs gave: it cannot be sliced')
  const path = values.journal.replaceAll('%i', String(slice.index))
  checkWritable('journal', path)
  const journal = openJournal(path, {
    key: keyOf(prepared),
    planned: plannedRuns(prepared),
    slice,
    steal: values.steal === true,
    now: output.now,
  })
  const threads = whole('threads', values.threads, 0, 256) ?? prepared.experiment.threads
  const evaluator = createThreads(prepared.runnable, threads, output.now)
  const columns = largeColumns(prepared)
  try {
    const own = Math.ceil(((plannedRuns(prepared) ?? 0) - slice.index) / slice.of)
    const { results, ended } = await conduct({
      prepared,
      evaluator: sliced(evaluator, slice),
      ...(columns && { columns }),
      journal,
      signal: withTime(prepared, signal),
      told: progress(own, output),
    })
    const { known, failed } = results
    const said = { slice: `${slice.index}/${slice.of}`, ended: timedOut(ended, signal), runs: known, failed }
    output.out(
      values.json === true
        ? `${JSON.stringify(said, inLanguages(), 2)}\n`
        : `slice ${said.slice} ${ended === 'stopped' ? 'stopped after' : 'done:'} ${known} runs, ${failed} failed\n`,
    )
    return ended === 'stopped' ? stoppedSlice : 0
  } finally {
    evaluator.close()
    columns?.close()
    journal.close()
  }
}

type Values = ReturnType<typeof parsed>['values']

export const allFailed = ({ known, failed }: Results): boolean => known > 0 && failed === known

export function choiceOf(files: readonly string[], values: Values): Choice {
  const [file, ...more] = files
  if (file === undefined) throw new Misuse('which file?')
  if (more.length > 0) throw new Misuse(`one file at a time, "${more[0]}" is too many`)
  const seed = whole('seed', values.seed, 0, 4294967295)
  const runs = whole('runs', values.runs, 1, 10_000_000)
  return { file, model: values.model ?? null, seed: seed ?? null, runs: runs ?? null }
}

/** `partial`: merged of parts that lack runs. */
type Ended = Conducted | 'time' | 'partial'

/** Out of time is not a stop: it is as the experiment wants it. */
const timedOut = (ended: Conducted, signal: AbortSignal): Ended => (ended === 'stopped' && !signal.aborted ? 'time' : ended)

function withTime({ experiment: { maxMinutes } }: Prepared, signal: AbortSignal): AbortSignal {
  // A timer has 31 bits.
  return maxMinutes === null ? signal : AbortSignal.any([signal, AbortSignal.timeout(Math.min(maxMinutes * 60_000, 2 ** 31 - 1))])
}

export function tell(prepared: Prepared, results: Results, ended: Ended, json: boolean, output: Output): void {
  const report = reportOf(prepared, results)
  if (json) return output.out(`${JSON.stringify({ ended, ...report }, inLanguages(), 2)}\n`)
  output.out(reportText(report))
  if (ended === 'stopped' || ended === 'time')
    output.err(`${ended === 'time' ? 'the time was up' : 'stopped'} after ${results.known} runs: this is what was found until then\n`)
}

/** Throws Misuse when a table or page that is asked for cannot be written, or the experiment has none. */
export function checkTables({ csv, parquet, report }: Values, { experiment }: Prepared): void {
  if (report !== undefined && experiment.type !== 'monteCarlo') throw new Misuse('--report belongs to Monte Carlo experiments')
  if (report !== undefined) checkWritable('report', report)
  if (csv !== undefined) checkWritable('csv', csv)
  if (parquet !== undefined) checkParquetFolder(parquet)
}

/** The table of all runs, in each of the formats asked for, and the page that says how far to trust it. */
export async function writeTables({ csv, parquet, report }: Values, prepared: Prepared, results: Results): Promise<void> {
  const names = prepared.alternatives.map(({ name }) => name)
  const page = report === undefined ? null : confidencePage(prepared, results)
  if (report !== undefined && page !== null) writeFileSync(report, confidenceMarkdown(prepared.experiment.name, page, english))
  if (csv !== undefined) {
    const file = openSync(csv, 'w')
    try {
      writeAll(file, csvLines(results, names))
    } finally {
      closeSync(file)
    }
  }
  if (parquet !== undefined) (await import('./tables/parquet.ts')).writeParquet(parquet, results, names)
}

/** How often the progress is shown, in milliseconds: not at all in the first second. */
const tellMs = 1000
const tellLaterMs = 10_000

/** Shows how many runs are done and how long it will take, on standard error: a program that reads the output is not disturbed. */
function progress(planned: number | null, output: Output): (now: { done: number }) => void {
  const since = output.now()
  let next = since + tellMs
  let first = -1
  return ({ done }) => {
    if (first < 0) first = done
    const now = output.now()
    if (now < next || done === first) return
    next = now + (now - since > tellLaterMs ? tellLaterMs : tellMs)
    const rate = ((done - first) * 1000) / (now - since)
    const left = planned !== null && rate > 0 ? `, about ${duration((planned - done) / rate)} left` : ''
    output.err(`${done}${planned === null ? '' : ` of at most ${planned}`} runs, ${shownRate(rate)} a second${left}\n`)
  }
}

const shownRate = (rate: number): string => (rate >= 10 ? String(Math.round(rate)) : String(Number(rate.toPrecision(2))))

function duration(seconds: number): string {
  if (seconds < 100) return `${Math.max(1, Math.round(seconds))} s`
  return seconds < 6000 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`
}

const forgetful: Journal = { read: () => Promise.resolve([]), write() {} }
