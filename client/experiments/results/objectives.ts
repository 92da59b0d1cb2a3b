// The aims of an optimisation as people wrote them.
import type { Prepared } from '../../../sim-engine/experiment.ts'

export const objectiveName = ({ experiment }: Prepared, k: number): string => {
  const objective = experiment.objectives[k]
  return objective?.name || objective?.expression || ''
}

/** As people wrote it: what is to be made large was searched with its sign turned. */
export const asWritten = ({ experiment }: Prepared, k: number, value: number): number =>
  experiment.objectives[k]?.direction === 'max' ? -value : value
