// Experiments as files, prepared and conducted in one go.
import { experimentOf } from '../../model-schema/experiment.ts'
import { modelOfFile, type HoloElement } from '../../model-schema/file.ts'
import type { Model } from '../../model-schema/model.ts'
import {
  conduct,
  createLocal,
  createRunner,
  prepare,
  type Evaluator,
  type Journal,
  type Prepared,
  type Results,
  type Sample,
} from '../../sim-engine/experiment.ts'
import { english } from '../../model-schema/words.ts'

type Parts = Record<string, HoloElement>

export const modelFrom = (elements: Parts): Model => modelOfFile({ format: 'holo', version: 1, elements })

/** A scenario of one instant with public variables and nothing else: a function of its inputs. */
export const functionModel = (variables: Record<string, number | boolean | string>, more: Parts = {}): Model =>
  modelFrom({
    main: { kind: 'scenario', name: 'Main', totalTicks: 0 },
    ...Object.fromEntries(
      Object.entries(variables).map(([name, value]) => [
        name,
        {
          kind: 'variable',
          parent: 'main',
          name,
          public: true,
          initial: typeof value === 'string' ? `'${value}'` : value === true ? 'True' : value === false ? 'False' : String(value),
        },
      ]),
    ),
    ...more,
  })

/** Prepares an experiment of these fields and parts; throws with its problems when it has any. */
export function prepared(model: Model, fields: Partial<HoloElement>, parts: Parts): Prepared {
  const made = preparation(model, fields, parts)
  if (!made.ok) throw new Error(made.problems.map(({ at, words }) => `${at.id}.${at.field ?? ''}: ${english(words)}`).join('\n'))
  return made.prepared
}

export function preparation(model: Model | null, fields: Partial<HoloElement>, parts: Parts) {
  const whole = Object.fromEntries(Object.entries(parts).map(([id, part]) => [id, { parent: 'study', ...part }]))
  const file = modelFrom({ study: { kind: 'experiment', name: 'Study', modelFile: 'model', ...fields }, ...whole })
  const experiment = experimentOf(file)
  if (!experiment) throw new Error('no experiment')
  return prepare(experiment, model)
}

/** A journal in memory. */
export function memory(samples = new Map<number, Sample>()): Journal & { samples: Map<number, Sample> } {
  return {
    samples,
    read: () => Promise.resolve(new Map(samples)),
    write: told => told.forEach(([run, sample]) => samples.set(run, sample)),
  }
}

export async function conducted(
  of: Prepared,
  journal: Journal = memory(),
  evaluator: Evaluator = createLocal(createRunner(of.runnable)),
): Promise<Results> {
  const { results } = await conduct({ prepared: of, evaluator, journal, signal: new AbortController().signal })
  return results
}

/** All that a table holds, to compare. */
export const rowsOf = (results: Results): unknown[] =>
  Array.from({ length: results.rows }, (_, run) => [
    results.points[results.pointOf(run)]!.settings,
    results.seedOf(run),
    results.sampleOf(run),
  ])
