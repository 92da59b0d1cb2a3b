// Limits of the payer's plan on an experiment: ticks of a run, entries of the history, the available kinds of experiments.
import { t } from '@lingui/core/macro'
import { useMemo } from 'react'
import { featureOfType, type ExperimentType } from '../../model-schema/experiment.ts'
import { planWith, plans, type PlanLevel } from '../../model-schema/business/plans.ts'
import { usePlanOfFile } from '../billing/planOfFile.ts'
import { wordsNow } from '../i18n/locale.ts'
import type { Session } from '../session.ts'

export type Limits = {
  /** Most entries on this device; null: no bound. */
  localRuns: number | null
  /** Most ticks of one run; null: no bound. */
  steps: number | null
  /** Null: of no account, or not known. */
  level: PlanLevel | null
}

export const remoteKey = (docId: string): readonly string[] => ['results', docId]

/** A device without an account has no plan: the least of them bounds its history, nothing else does. Null while it is asked. */
export function useLimits(session: Session): Limits | null {
  const plan = usePlanOfFile(session)
  return useMemo(() => {
    if (plan === undefined) return null
    if (plan === null) return { localRuns: plans.free.localRuns, steps: null, level: null }
    return { localRuns: plan.localRuns, steps: plan.steps, level: plan.level }
  }, [plan])
}

/** Why the plan lets no experiment of this type begin (or none on the server), and the plan that does; null when it may. */
export function lacking(level: PlanLevel | null, what: ExperimentType | 'cloudRuns'): string | null {
  const feature = what === 'cloudRuns' ? what : featureOfType[what]
  if (level === null || plans[level].features.includes(feature)) return null
  const now = wordsNow(plans[level].label)
  const least = planWith(feature)
  const next = least === null ? '' : t`Upgrade to ${wordsNow(least.label)} to use it.`
  const words =
    feature === 'exploration'
      ? t`The current subscription (${now}) does not support parameter exploration.`
      : t`The current subscription (${now}) does not support this feature.`
  return next === '' ? words : `${words} ${next}`
}
