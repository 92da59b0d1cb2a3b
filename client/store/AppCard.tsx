// A publication in a list: picture, name, author, kind, ratings. The whole card leads to its page.
import { DownloadOutlined, LikeOutlined, SafetyCertificateFilled } from '@ant-design/icons'
import { useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { appKindLabels } from '../../model-schema/business/market.ts'
import { useLocale, useWords } from '../i18n/locale.ts'
import { AppCover } from './AppCover.tsx'
import { appOf } from './area.ts'
import type { Area } from './area.ts'
import type { AppCard as Card } from './market.ts'
import { useShipped } from './shipped.ts'
import style from './store.module.css'

export function AppCard({ app: published, area, large = false }: { app: Card; area: Area; large?: boolean }) {
  const { t } = useLingui()
  const app = useShipped(published)
  const words = useWords()
  const short = useShort()
  return (
    <article className={style['card']} data-large={large || undefined}>
      <div className={style['cardCover']}>
        <AppCover app={app} />
        <span className={style['kind']}>{words(appKindLabels[app.kind])}</span>
      </div>
      <div className={style['cardText']}>
        <h3>
          <Link to={appOf(area)} params={{ appId: app.id }}>
            {app.name}
          </Link>
          {app.verified ? (
            <SafetyCertificateFilled className={style['tick']} title={t`Verified`} aria-label={t`Verified`} role="img" />
          ) : null}
        </h3>
        <p className={style['by']}>{app.author?.name ?? t`Somebody who left`}</p>
        <p className={style['summary']}>{app.summary}</p>
        <p className={style['figures']}>
          <span title={t`Likes`}>
            <LikeOutlined aria-label={t`Likes`} role="img" /> <span className="h-num">{short(app.counts.likes)}</span>
          </span>
          <span title={t`Downloads`}>
            <DownloadOutlined aria-label={t`Downloads`} role="img" /> <span className="h-num">{short(app.counts.downloads)}</span>
          </span>
        </p>
      </div>
    </article>
  )
}

/** Numbers as lists show them: 1.2K, 1.2万. */
export function useShort(): (value: number) => string {
  const locale = useLocale()
  const format = new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 })
  return value => format.format(value)
}
