// How much of a publication was found in another author's new publication.
import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { useLocale } from '../../i18n/locale.ts'
import type { Case } from '../market.ts'

export function Likeness({ like }: { like: NonNullable<Case['like']> }) {
  const { t } = useLingui()
  const share = new Intl.NumberFormat(useLocale(), { style: 'percent' }).format(like.share)
  return (
    <Trans>
      {share} of{' '}
      <Link to="/store/recommend/app/$appId" params={{ appId: like.id }}>
        {like.name}
      </Link>{' '}
      by {like.author ?? t`Somebody`} is found in it.
    </Trans>
  )
}
