// Why an experiment cannot start yet, and the way to what keeps it from that.
import { useLingui } from '@lingui/react/macro'
import { plural } from '@lingui/core/macro'
import type { ExperimentProblem } from '../../sim-engine/experiment.ts'
import { toneOf } from './plan/problems.ts'
import type { Jump } from './plan/Plan.tsx'
import { useExperiment } from './scope.ts'

/** In words; null where nothing is wrong or missing. What is missing is not known before the model is open. */
export function useUnready(errors: readonly ExperimentProblem[]): string | null {
  const { t } = useLingui()
  const { linked } = useExperiment()
  if (linked.state === 'opening') return t`Opening the model…`
  if (errors.length === 0) return null
  return errors.every(one => one.isUnsaid)
    ? t`${plural(errors.length, { one: '# thing left to fill in', other: '# things left to fill in' })}`
    : t`${plural(errors.length, { one: 'Fix # problem to start', other: 'Fix # problems to start' })}`
}

/** Leads to the first of them: to what is wrong before what is missing. */
export function Unready({ errors, experiment, jump }: { errors: readonly ExperimentProblem[]; experiment: string; jump: Jump }) {
  const why = useUnready(errors)
  const { linked } = useExperiment()
  const first = errors.find(one => !one.isUnsaid) ?? errors[0]
  if (linked.state === 'opening') return <span className="h-muted">{why}</span>
  if (why === null || first === undefined) return null
  return (
    <button
      type="button"
      className="x-run-why"
      data-severity={toneOf(first)}
      onClick={() => jump(first.inModel ? experiment : first.at.id, first.at.field)}
    >
      {why}
    </button>
  )
}
