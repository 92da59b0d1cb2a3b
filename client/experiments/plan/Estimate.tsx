// How long it will take: the runs that are planned times what one trial run took here, spread over the threads.
import { plural } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { Button } from 'antd'
import { useState } from 'react'
import { plannedRuns, type Prepared } from '../../../sim-engine/experiment.ts'
import { formatNumber } from '../../charts/format.ts'
import { useLocale } from '../../i18n/locale.ts'
import { complain } from '../../ui/toast.ts'
import { useDuration } from '../duration.ts'
import { useConducting } from '../scope.ts'
import { trialOf, type TrialRun } from '../trial.ts'

export function Estimate() {
  const { t } = useLingui()
  const language = useLocale()
  const duration = useDuration()
  const preparation = useConducting(state => state.preparation)
  const running = useConducting(state => state.status === 'running')
  const [measured, setMeasured] = useState<{ of: Prepared; trial: TrialRun } | null>(null)
  const [busy, setBusy] = useState(false)
  if (!preparation?.ok) return null
  const { prepared } = preparation
  const planned = plannedRuns(prepared)
  const measure = async (): Promise<void> => {
    setBusy(true)
    try {
      setMeasured({ of: prepared, trial: await trialOf(prepared) })
    } catch (error) {
      complain(error)
    } finally {
      setBusy(false)
    }
  }
  const trial = measured?.trial ?? null
  return (
    <div className="x-estimate">
      <dl>
        <div>
          <dt>{t`Planned runs`}</dt>
          <dd className="h-num">{planned === null ? t`until it is known well enough` : formatNumber(planned, language)}</dd>
        </div>
        {trial && (
          <>
            <div>
              <dt>{t`One run`}</dt>
              <dd className="h-num">{duration(trial.seconds)}</dd>
            </div>
            <div>
              <dt>{t`Estimate`}</dt>
              <dd className="h-num">
                {planned === null
                  ? '–'
                  : t`about ${duration((planned * trial.seconds) / trial.threads)} with ${plural(trial.threads, { one: '# thread', other: '# threads' })}`}
              </dd>
            </div>
          </>
        )}
      </dl>
      {trial?.failed != null && (
        <p className="h-problem" data-severity="warning">
          <Trans>The trial run failed: {trial.failed}</Trans>
        </p>
      )}
      <Button size="small" loading={busy} disabled={running} onClick={() => void measure()}>
        {trial ? <Trans>Measure again</Trans> : <Trans>Estimate the time with a trial run</Trans>}
      </Button>
    </div>
  )
}
