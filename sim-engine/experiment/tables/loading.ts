// An experiment and its model from files, prepared; or their errors, with file and line.
import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { experimentOf } from '../../../model-schema/experiment.ts'
import { modelOfFile, parseFile, unreadOf } from '../../../model-schema/file.ts'
import type { Model } from '../../../model-schema/model.ts'
import { tellUnread } from '../../check/unread.ts'
import type { Output } from '../arguments.ts'
import { lineOf } from '../distribute/places.ts'
import { prepare, type ExperimentProblem, type Prepared } from '../prepare.ts'
import type { QueueTask } from '../queue/task.ts'
import { english } from '../../../model-schema/words.ts'

/** Which experiment, and what replaces what its file says. */
export type Choice = {
  readonly file: string
  /** Null: the one the experiment names, from its own folder. */
  readonly model: string | null
  readonly seed: number | null
  readonly runs: number | null
}

type Loaded =
  | { readonly prepared: Prepared; readonly code: 0; /** What a worker of a queue prepares the same from. */ readonly task: QueueTask }
  | { readonly prepared: null; readonly code: 1 | 2 }

/** Largest file read, in bytes. */
const maxBytes = 20_000_000

/** Prints the errors and returns the exit code: 1 problems, of field values too, 2 an unreadable file. Prints warnings, too. */
export function loaded({ file, model: given, seed, runs }: Choice, json: boolean, output: Output): Loaded {
  const own = read(file, output)
  if (own === null) return { prepared: null, code: 2 }
  const found = experimentOf(own.model)
  if (found === null) {
    output.err(`${file}: the file holds no experiment\n`)
    return { prepared: null, code: 2 }
  }
  const experiment = { ...found, seed: seed ?? found.seed, maxRuns: runs ?? found.maxRuns }
  const path = given ?? resolve(dirname(file), experiment.modelFile)
  const isLinked = experiment.modelFile !== '' || given !== null
  const linked = isLinked ? read(path, output) : null
  if (linked === null && isLinked) return { prepared: null, code: 2 }
  const refused = [...own.refused, ...(linked?.refused ?? []).map(one => ({ ...one, inModel: true }))]
  if (refused.length > 0) {
    if (json) output.out(`${JSON.stringify({ problems: refused }, null, 2)}\n`)
    return { prepared: null, code: 1 }
  }
  const made = prepare(given === null ? experiment : { ...experiment, modelFile: path }, linked?.model ?? null)
  if (!made.ok && json) output.out(`${JSON.stringify({ problems: made.problems }, null, 2)}\n`)
  else for (const one of made.problems) output.err(`${lineFor(one, { file, text: own.text }, { file: path, text: linked?.text ?? '' })}\n`)
  if (!made.ok) return { prepared: null, code: 1 }
  const task = { file: own.text, model: linked?.text ?? null, modelFile: given === null ? null : path, seed, runs, steps: null }
  return { prepared: made.prepared, code: 0, task }
}

type Text = { readonly file: string; readonly text: string }

function lineFor({ at, inModel, words, severity }: ExperimentProblem, own: Text, model: Text): string {
  const { file, text } = inModel ? model : own
  const line = lineOf(text, at.id, at.field)
  return `${file}${line === null ? '' : `:${line}`}: ${severity} ${at.id}${at.field === undefined ? '' : ` ${at.field}`}: ${english(words)}`
}

type ReadFile = Text & {
  readonly model: Model
  /** Kinds and values that do not fit: a default in their place would be another experiment. They have been printed already. */
  readonly refused: readonly ExperimentProblem[]
}

function read(path: string, output: Output): ReadFile | null {
  const cannot = (why: string): null => {
    output.err(`cannot read ${path}: ${why}\n`)
    return null
  }
  if (!existsSync(path)) return cannot('there is no such file')
  const about = statSync(path)
  if (about.isDirectory()) return cannot('it is a folder')
  if (about.size > maxBytes) return cannot(`it has ${about.size} bytes; at most ${maxBytes} are read`)
  const text = readFileSync(path, 'utf8')
  const parsed = parseFile(text)
  if ('file' in parsed) {
    tellUnread(path, parsed.file, said => output.err(said))
    const refused = unreadOf(parsed.file)
      .filter(({ severity }) => severity === 'error')
      .map(({ element, field, words, refused: why }) => ({
        at: { id: element, ...(field === undefined ? {} : { field }) },
        inModel: false,
        words: why ?? words,
        severity: 'error' as const,
        isUnsaid: false,
      }))
    return { file: path, model: modelOfFile(parsed.file), text, refused }
  }
  for (const { path: where, words } of parsed.problems) output.err(`${path}: ${where === '' ? '' : `${where}: `}${english(words)}\n`)
  return null
}
