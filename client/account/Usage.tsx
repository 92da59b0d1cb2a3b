// How much is used of what one's plan limits, and what bounds each file and run.
import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Progress } from 'antd'
import { planWith, quantityLabels } from '../../model-schema/business/plans.ts'
import { api } from '../api.ts'
import { listNow } from '../i18n/list.ts'
import { useLocale, useWords } from '../i18n/locale.ts'
import style from '../workspace/workspace.module.css'

const counted = [
  'files',
  'storageGB',
  'cloudHoursPerYear',
  'copilotTokensPerMonth',
  'resultStorageGB',
  'remoteRuns',
  'blocks',
  'workspaces',
  'teams',
  'organizations',
  'embeds',
] as const
/** Limits of each file and run: shown where they apply. */
const bounds = ['scenariosPerFile', 'componentsPerScenario', 'components', 'steps', 'ticksPerSecond', 'localRuns'] as const

export function Usage() {
  const { t } = useLingui()
  const words = useWords()
  const language = useLocale()
  const usage = useQuery({ queryKey: ['usage'], queryFn: api.usage, retry: false })
  if (usage.data === undefined) return null
  const { plan, used, seats } = usage.data
  const number = (value: number): string => new Intl.NumberFormat(language, { maximumFractionDigits: value < 10 ? 2 : 0 }).format(value)
  const rows = [
    ...counted.map(quantity => ({ quantity, label: words(quantityLabels[quantity]), used: used[quantity], most: plan[quantity] })),
    ...seats.map(({ quantity, space, used: taken }) => ({
      quantity,
      label: t`${words(quantityLabels[quantity])} of ${space}`,
      used: taken,
      most: plan[quantity],
    })),
  ]
  const unbounded = [
    ...rows.filter(({ most }) => most === null).map(({ label }) => label),
    ...bounds.filter(quantity => plan[quantity] === null).map(quantity => words(quantityLabels[quantity])),
  ]
  const full = rows.find(row => row.most !== null && row.used > 0 && row.used >= row.most)
  const next = full === undefined ? null : planWith({ quantity: full.quantity, wanted: full.used + 1 })
  return (
    <section className={style['group']}>
      <h2>
        <Trans>Usage</Trans>
      </h2>
      <ul className={style['usage']}>
        {rows.map(({ label, used: taken, most }) =>
          most === null ? null : (
            <li key={label}>
              <span>{label}</span>
              <span className="h-num">{t`${number(taken)} of ${number(most)}`}</span>
              {most === 0 ? null : (
                <Progress
                  percent={Math.min(100, Math.round((taken / most) * 100))}
                  showInfo={false}
                  size="small"
                  status={taken >= most ? 'exception' : 'normal'}
                  aria-label={label}
                />
              )}
            </li>
          ),
        )}
        {bounds.map(quantity =>
          plan[quantity] === null ? null : (
            <li key={quantity}>
              <span>{words(quantityLabels[quantity])}</span>
              <span className="h-num">{t`at most ${number(plan[quantity])}`}</span>
            </li>
          ),
        )}
      </ul>
      {unbounded.length > 0 && <p className={style['muted']}>{t`Without limit: ${listNow(unbounded)}.`}</p>}
      {full === undefined ? null : (
        <p className={style['muted']}>
          {next === null ? (
            <Trans>{full.label}: the limit of the subscription is reached.</Trans>
          ) : (
            <Trans>
              {full.label}: the limit of the subscription is reached. {words(next.label)} has room for more.
            </Trans>
          )}{' '}
          <Link to="/account/subscription">
            <Trans>Compare plans</Trans>
          </Link>
        </p>
      )}
    </section>
  )
}
