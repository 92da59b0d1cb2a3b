// `holarchy experiment FILE.holo`: conducts an experiment on the command line, in threads of this process.
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { experimentOf, type Experiment } from '../../model-schema/experiment.ts'
import { modelOfFile, parseFile } from '../../model-schema/file.ts'
import type { Model } from '../../model-schema/model.ts'
import { tellUnread } from '../check/unread.ts'
import { conduct, csvOf, keyOf, plannedRuns, prepare, type Journal } from '../experiment.ts'
import { openJournal } from './journal.ts'
import { reportOf, reportText } from './report.ts'
import { createThreads } from '../experiment-threads.ts'

export type ExperimentOptions = {
  /** The experiment's file. */
  file: string
  /** The model's file; absent: the one the experiment names, from its own folder. */
  model?: string
  threads?: number
  seed?: number
  runs?: number
  /** Goes on with what is in it, and keeps what is done in it. */
  journal?: string
  csv?: string
  json: boolean
  /** A clock in milliseconds. */
  now(): number
}

type Output = { out(text: string): void; err(text: string): void }

/** Largest file read, in bytes. */
const maxBytes = 20_000_000

/** Exit code: 0 ok, 1 problems, all runs failed or stopped, 2 an unreadable file. */
export async function conductFile(options: ExperimentOptions, output: Output, signal: AbortSignal): Promise<0 | 1 | 2> {
  const own = read(options.file, output)
  if (own === null) return 2
  const found = experimentOf(own)
  if (found === null) {
    output.err(`${options.file}: the file holds no experiment\n`)
    return 2
  }
  const experiment: Experiment = { ...found, seed: options.seed ?? found.seed, maxRuns: options.runs ?? found.maxRuns }
  const path = options.model ?? resolve(dirname(options.file), experiment.modelFile)
  const model = experiment.modelFile === '' && options.model === undefined ? null : read(path, output)
  if (model === null && (experiment.modelFile !== '' || options.model !== undefined)) return 2
  const linked = options.model === undefined ? experiment : { ...experiment, modelFile: path }
  const made = prepare(linked, model)
  if (!made.ok) {
    if (options.json) output.out(`${JSON.stringify({ problems: made.problems }, null, 2)}\n`)
    else
      for (const { at, inModel, words } of made.problems)
        output.err(`error ${inModel ? 'model ' : ''}${at.id}${at.field === undefined ? '' : ` ${at.field}`}: ${words.en}\n`)
    return 1
  }
  const { prepared } = made
  const evaluator = createThreads(prepared.runnable, options.threads ?? experiment.threads, options.now)
  const journal = options.journal === undefined ? null : openJournal(options.journal, keyOf(prepared))
  try {
    const planned = plannedRuns(prepared)
    let shown = 0
    const { results, ended } = await conduct({
      prepared,
      evaluator,
      journal: journal ?? forgetful,
      signal,
      told({ done }) {
        // A line a tenth of the way; nothing where the output is read by a program.
        const tenth = planned === null ? Math.floor(done / 1000) : Math.floor((10 * done) / planned)
        if (options.json || tenth <= shown) return
        shown = tenth
        output.err(`${done}${planned === null ? '' : ` of ${planned}`} runs\n`)
      },
    })
    if (options.csv !== undefined)
      writeFileSync(
        options.csv,
        csvOf(
          results,
          prepared.alternatives.map(({ name }) => name),
        ),
      )
    const report = reportOf(prepared, results)
    output.out(options.json ? `${JSON.stringify({ ended, ...report }, null, 2)}\n` : reportText(report))
    return ended === 'stopped' || (results.rows > 0 && results.failed === results.rows) ? 1 : 0
  } finally {
    evaluator.close()
    journal?.close()
  }
}

const forgetful: Journal = { read: () => Promise.resolve(new Map()), write() {} }

function read(path: string, output: Output): Model | null {
  if (!existsSync(path)) {
    output.err(`cannot read ${path}: there is no such file\n`)
    return null
  }
  const { size } = statSync(path)
  if (size > maxBytes) {
    output.err(`${path} has ${size} bytes; at most ${maxBytes} are read\n`)
    return null
  }
  const parsed = parseFile(readFileSync(path, 'utf8'))
  if ('file' in parsed) {
    tellUnread(path, parsed.file, text => output.err(text))
    return modelOfFile(parsed.file)
  }
  for (const { path: where, words } of parsed.problems) output.err(`${path}: ${where === '' ? '' : `${where}: `}${words.en}\n`)
  return null
}
