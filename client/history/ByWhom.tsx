// The author of the proposal that was partly accepted.
import { Trans } from '@lingui/react/macro'
import type { Origin } from '../../model-schema/proposals.ts'

export function ByWhom({ by: { kind, name } }: Pick<Origin, 'by'>) {
  if (kind === 'guide') return <Trans>accepted from the guide</Trans>
  if (kind === 'copilot') return <Trans>accepted from Copilot ({name})</Trans>
  return <Trans>accepted from {name}</Trans>
}
