// Opens one run of an experiment in the model editor, in a new tab: same scenario, seed, length and inputs.
import type { Prepared, Results } from '../../../sim-engine/experiment.ts'
import { handedHash } from '../../run/handed.ts'
import type { ExperimentScope } from '../scope.ts'

export function openRun(
  { experiment, teamCode }: Pick<ExperimentScope, 'experiment' | 'teamCode'>,
  prepared: Prepared,
  results: Results,
  run: number,
): void {
  const point = results.points[results.pointOf(run)]
  const { alternatives } = prepared.runnable
  const hash = handedHash({
    scenario: alternatives[point?.alternative ?? 0]?.scenario ?? '',
    seed: results.seedOf(run),
    ticks: prepared.runnable.ticks,
    inputs: point?.inputs ?? {},
  })
  window.open(`/modeling/${encodeURIComponent(teamCode)}/${encodeURIComponent(experiment.modelFile)}${hash}`, '_blank', 'noopener')
}
