import { useLingui } from '@lingui/react/macro'
import { CardHint } from '../run/Card.tsx'
import { useRunView } from '../run/RunProvider.tsx'

/** What stands in the place of a chart that a run has shown nothing on yet: what to do about it. A model with problems can't be played. */
export function NothingYet() {
  const { t } = useLingui()
  const status = useRunView(view => view.status)
  return (
    <CardHint>
      {status === 'problems' ? t`The model has problems. Correct them to see this chart.` : t`Press play to see this chart.`}
    </CardHint>
  )
}
