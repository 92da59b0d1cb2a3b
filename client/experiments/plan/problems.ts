// What is wrong with an experiment, for the fields it is wrong in.
import type { ExperimentProblem } from '../../../sim-engine/experiment.ts'
import type { Problem } from '../../../sim-engine/problems.ts'
import { say } from '../../../model-schema/words.ts'

/** Problems of fields and parts of the plan. */
export const problemsAt = (problems: readonly ExperimentProblem[], id: string, field?: string): readonly ExperimentProblem[] =>
  problems.filter(({ at, inModel }) => !inModel && at.id === id && at.field === field)

/** How a problem is shown: calmly while something was not said yet. */
export const toneOf = ({ severity, isUnsaid }: ExperimentProblem): 'todo' | 'error' | 'warning' => (isUnsaid ? 'todo' : severity)

/** The same as the formula field takes them, to underline the letters; the words below the field are drawn by the plan. */
export const formulaProblems = (problems: readonly ExperimentProblem[]): Problem[] =>
  problems
    .filter(({ inModel }) => !inModel)
    .map(({ at, words, severity }) => ({
      code: 8002,
      severity,
      at: {
        id: at.id,
        ...(at.field === undefined ? {} : { field: at.field }),
        ...(at.from === undefined ? {} : { from: at.from }),
        ...(at.to === undefined ? {} : { to: at.to }),
      },
      message: words,
      fix: say(''),
    }))
