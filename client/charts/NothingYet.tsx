import { useLingui } from '@lingui/react/macro'
import { CardHint } from '../run/Card.tsx'
import { useRunView } from '../run/RunProvider.tsx'

/** Replaces a chart without data: says what to do about it. */
export function NothingYet() {
  const { t } = useLingui()
  const status = useRunView(view => view.status)
  return <CardHint>{status === 'problems' ? t`Nothing to show until the model can run.` : t`Press play to see this chart.`}</CardHint>
}
