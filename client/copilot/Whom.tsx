// The addressee of the questions: the guide, or one of the connected language models; and the rest of a model's budget.
import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { Progress, Select } from 'antd'
import type { ReactElement } from 'react'
import { useIdentity } from '../account/identity.ts'
import { useLocale } from '../i18n/locale.ts'
import { choose, type ModelInfo, type Models } from './models.ts'
import { dollars } from './words.ts'

type Props = { models: Models | undefined; chosen: string | null; disabled: boolean }

const GUIDE = 'guide'

export function Whom({ models, chosen, disabled }: Props) {
  const { t } = useLingui()
  const origins = { server: t`of this server`, workspace: t`of the workspace`, person: t`my own` }
  const providers = models?.providers ?? []
  return (
    <Select<string>
      size="small"
      variant="borderless"
      className="h-guide-whom"
      value={chosen ?? GUIDE}
      disabled={disabled}
      aria-label={t`Who answers`}
      popupMatchSelectWidth={false}
      onChange={next => choose({ model: next === GUIDE ? null : next })}
      options={[
        { value: GUIDE, label: t`Guide (on this device)` },
        ...providers.map(({ id, label, of }) => ({ value: id, label: `${label} · ${origins[of]}` })),
      ]}
      popupRender={withFoot}
    />
  )
}

const withFoot = (list: ReactElement): ReactElement => (
  <>
    {list}
    <Foot />
  </>
)

function Foot() {
  const { me } = useIdentity()
  return (
    <p className="h-guide-connect">
      {me === null ? (
        <Link to="/login">
          <Trans>Sign in to ask a language model</Trans>
        </Link>
      ) : (
        <Link to="/account/copilot">
          <Trans>Connect a language model…</Trans>
        </Link>
      )}
    </p>
  )
}

/** Tokens that are left today; nothing for models without a limit. */
export function Budget({ model }: { model: ModelInfo }) {
  const { t } = useLingui()
  const language = useLocale()
  const { budget, moneyLeft, moneyOf } = model
  if (!budget && moneyLeft === null) return null
  const number = (value: number): string =>
    new Intl.NumberFormat(language, { notation: value >= 10_000 ? 'compact' : 'standard', maximumFractionDigits: 1 }).format(value)
  const share = (left: number, of: number): number => (of === 0 ? 100 : Math.min(100, Math.round(100 - (left / of) * 100)))
  const used = Math.max(budget ? share(budget.left, budget.dayTokens) : 0, moneyLeft === null ? 0 : share(moneyLeft, moneyOf ?? 0))
  return (
    <p className="h-guide-budget" data-scarce={used >= 80 ? true : undefined}>
      <Progress
        percent={used}
        showInfo={false}
        size="small"
        status={used >= 100 ? 'exception' : 'normal'}
        aria-label={t`Used of what there is`}
      />
      <small className="h-num">
        {budget && (
          <Trans>
            {number(budget.left)} of {number(budget.dayTokens)} tokens left today
          </Trans>
        )}
        {budget && moneyLeft !== null && ' · '}
        {moneyLeft !== null && (
          <Trans>
            {dollars(moneyLeft, language)} of {dollars(moneyOf ?? 0, language)} left of 30 days
          </Trans>
        )}
      </small>
    </p>
  )
}
