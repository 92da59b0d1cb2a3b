// The page of the embedded provider: the amount and the possible outcomes. No money moves, and the page shows that.
import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { Alert, Button, Radio, Spin } from 'antd'
import { useState } from 'react'
import { plans } from '../../model-schema/business/plans.ts'
import { useWords } from '../i18n/locale.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Logo } from '../ui/Logo.tsx'
import { wordsOfError } from '../ui/notices.ts'
import { orderOf, payForTest, useFormats, useRefresh } from './billing.ts'
import style from './billing.module.css'

export function Checkout() {
  const { t } = useLingui()
  const words = useWords()
  const { money } = useFormats()
  const order = useParams({ strict: false }).order ?? ''
  const navigate = useNavigate()
  const refresh = useRefresh()
  const found = useQuery({ queryKey: ['order', order], queryFn: () => orderOf(order), retry: false })
  const [renewals, setRenewals] = useState<'paid' | 'declined'>('paid')
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const back = () => void navigate({ to: '/account/subscription' })
  const choose = async (outcome: 'paid' | 'declined'): Promise<void> => {
    setBusy(true)
    setError(null)
    try {
      await payForTest(order, outcome, renewals)
      await refresh()
      await navigate({ to: '/account/success/$order', params: { order } })
    } catch (failed) {
      setError(failed)
    } finally {
      setBusy(false)
    }
  }
  if (found.error !== null)
    return (
      <main className={style['single']}>
        <Logo />
        <EmptyState
          title={t`There is nothing to pay`}
          text={wordsOfError(found.error)}
          action={<Button onClick={back}>{t`Back`}</Button>}
        />
      </main>
    )
  if (found.data === undefined)
    return (
      <main className={style['single']}>
        <Spin />
      </main>
    )
  const { change, amount, state } = found.data
  const level = 'level' in change ? words(plans[change.level].label) : null
  return (
    <main className={style['single']}>
      <Logo />
      <section className={style['sheet']}>
        <h1>
          <Trans>Payment</Trans>
        </h1>
        <p className={style['due']}>
          <span>
            {change.type === 'subscribe' && level !== null ? (
              <Trans>Subscription: {level}</Trans>
            ) : change.type === 'upgrade' && level !== null ? (
              <Trans>Upgrade to {level}, rest of the period</Trans>
            ) : (
              <Trans>Subscription</Trans>
            )}
          </span>
          <strong className="h-num">{money(amount)}</strong>
        </p>
        <Alert type="warning" showIcon title={t`This is a test payment: no money moves.`} />
        {error === null ? null : <Alert type="error" showIcon title={wordsOfError(error)} />}
        {state === 'paid' ? (
          <Alert type="success" showIcon title={t`This is paid.`} />
        ) : (
          <>
            <fieldset className={style['choice']}>
              <legend>
                <Trans>Later renewals are to be</Trans>
              </legend>
              <Radio.Group
                value={renewals}
                onChange={event => setRenewals(event.target.value === 'declined' ? 'declined' : 'paid')}
                options={[
                  { value: 'paid', label: t`paid` },
                  { value: 'declined', label: t`declined` },
                ]}
              />
            </fieldset>
            <div className={style['buttons']}>
              <Button type="primary" size="large" loading={isBusy} onClick={() => void choose('paid')}>
                <Trans>Pay {money(amount)}</Trans>
              </Button>
              <Button size="large" disabled={isBusy} onClick={() => void choose('declined')}>
                <Trans>Decline</Trans>
              </Button>
            </div>
          </>
        )}
        <Button type="link" onClick={back}>
          <Trans>Back to the subscription</Trans>
        </Button>
      </section>
    </main>
  )
}
