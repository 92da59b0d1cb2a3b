// What an experiment is prepared from by a worker that has nothing but the database.
import { z } from 'zod'
import { experimentOf } from '../../../model-schema/experiment.ts'
import { modelOfFile, parseFile } from '../../../model-schema/file.ts'
import type { Model } from '../../../model-schema/model.ts'
import { keyOf } from '../../experiment.ts'
import { prepare, type Prepared } from '../prepare.ts'
import { english } from '../../../model-schema/words.ts'

const text = z.string().max(100_000_000)
export const taskSchema = z.object({
  /** The experiment's file, and that of its model; null where that is in the first. */
  file: text,
  model: text.nullable(),
  /** What replaces what the file says; null leaves it. */
  modelFile: z.string().nullable(),
  seed: z.number().nullable(),
  runs: z.number().nullable(),
  /** Most ticks of a run. */
  steps: z.number().nullable(),
})

export type QueueTask = z.infer<typeof taskSchema>

/** Throws when the texts hold no experiment without problems, or not that of the key. */
export function preparedOf(task: QueueTask, key: string): Prepared {
  const own = modelIn(task.file)
  const found = own === null ? null : experimentOf(own)
  if (found === null) throw new Error('the file holds no experiment')
  const { modelFile, seed, runs, steps } = task
  const experiment = { ...found, modelFile: modelFile ?? found.modelFile, seed: seed ?? found.seed, maxRuns: runs ?? found.maxRuns }
  const made = prepare(experiment, task.model === null ? null : modelIn(task.model), steps)
  if (!made.ok) throw new Error(made.problems.map(({ words }) => english(words)).join(' '))
  if (keyOf(made.prepared) !== key) throw new Error('the files give another experiment here')
  return made.prepared
}

function modelIn(text: string): Model | null {
  const parsed = parseFile(text)
  return 'file' in parsed ? modelOfFile(parsed.file) : null
}
