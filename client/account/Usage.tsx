// One's plan: how much of what it limits is used.
import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Progress } from 'antd'
import { levels, planWith, plans, quantityLabels } from '../../model-schema/plans.ts'
import { api } from '../api.ts'
import { useLocale, useWords } from '../i18n/locale.ts'
import style from '../workspace/workspace.module.css'

const shown = ['files', 'storageGB', 'blocks', 'workspaces', 'teams', 'organizations', 'embeds'] as const

export function Usage() {
  const { t } = useLingui()
  const words = useWords()
  const language = useLocale()
  const usage = useQuery({ queryKey: ['usage'], queryFn: api.usage, retry: false })
  if (usage.data === undefined) return null
  const { level, used } = usage.data
  const plan = plans[levels.find(one => one === level) ?? 'free']
  const number = (value: number): string => new Intl.NumberFormat(language, { maximumFractionDigits: value < 10 ? 2 : 0 }).format(value)
  const full = shown.find(quantity => plan[quantity] !== null && used[quantity] >= plan[quantity])
  const next = full === undefined ? null : planWith({ quantity: full, wanted: used[full] + 1 })
  return (
    <section className={style['group']}>
      <h2>
        <Trans>Plan: {words(plan.label)}</Trans>
      </h2>
      <ul className={style['usage']}>
        {shown.map(quantity => {
          const most = plan[quantity]
          return (
            <li key={quantity}>
              <span>{words(quantityLabels[quantity])}</span>
              <span className="h-num">
                {most === null ? t`${number(used[quantity])}, without limit` : t`${number(used[quantity])} of ${number(most)}`}
              </span>
              {most === null || most === 0 ? null : (
                <Progress
                  percent={Math.min(100, Math.round((used[quantity] / most) * 100))}
                  showInfo={false}
                  size="small"
                  status={used[quantity] >= most ? 'exception' : 'normal'}
                  aria-label={words(quantityLabels[quantity])}
                />
              )}
            </li>
          )
        })}
      </ul>
      {full === undefined ? null : (
        <p className={style['muted']}>
          {next === null ? (
            <Trans>{words(quantityLabels[full])}: the limit of the subscription is reached.</Trans>
          ) : (
            <Trans>
              {words(quantityLabels[full])}: the limit of the subscription is reached. {words(next.label)} has room for more.
            </Trans>
          )}
        </p>
      )}
    </section>
  )
}
