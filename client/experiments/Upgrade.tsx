// The way to a plan that allows more.
import { Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'

export const Upgrade = () => (
  <Link to="/account/subscription" data-testid="upgrade">
    <Trans>Upgrade</Trans>
  </Link>
)
