// After a payment: waits until it is confirmed, shows the new plan or items, and returns to the subscription after a countdown.
import { CheckOutlined, ExclamationOutlined } from '@ant-design/icons'
import { plural } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { Button, Spin } from 'antd'
import { useEffect, useEffectEvent, useState } from 'react'
import { plans } from '../../model-schema/business/plans.ts'
import { useWords } from '../i18n/locale.ts'
import { Logo } from '../ui/Logo.tsx'
import { orderOf, useRefresh, useSubscription } from './billing.ts'
import style from './billing.module.css'

const SECONDS = 5
/** Milliseconds between requests to the server whether the provider has confirmed the payment. */
const ASK_MS = 1500

export function Success() {
  const order = useParams({ strict: false }).order ?? ''
  const found = useQuery({
    queryKey: ['order', order],
    queryFn: () => orderOf(order),
    retry: false,
    staleTime: 0,
    refetchInterval: query => (query.state.data?.state === 'open' ? ASK_MS : false),
  })
  const refresh = useEffectEvent(useRefresh())
  const state = found.error === null ? (found.data?.state ?? 'open') : 'unknown'
  useEffect(() => {
    if (state === 'paid') void refresh()
  }, [state])
  return (
    <main className={style['single']}>
      <Logo />
      <section className={style['sheet']} aria-live="polite">
        {state === 'open' ? (
          <>
            <Spin size="large" />
            <h1>
              <Trans>Waiting for the payment to be confirmed</Trans>
            </h1>
            <p className={style['muted']}>
              <Trans>This takes a few seconds. You may leave; the plan begins all the same.</Trans>
            </p>
            <Back />
          </>
        ) : state === 'paid' ? (
          <Paid />
        ) : (
          <>
            <span className={style['seal']} data-tone="bad" aria-hidden="true">
              <ExclamationOutlined aria-hidden />
            </span>
            <h1>{state === 'unknown' ? <Trans>There is no such payment</Trans> : <Trans>Nothing was paid</Trans>}</h1>
            <p className={style['muted']}>
              {state === 'refunded' || state === 'refundDue' ? (
                <Trans>The subscription had changed meanwhile. What was paid is given back.</Trans>
              ) : (
                <Trans>Your subscription is as it was.</Trans>
              )}
            </p>
            <Back />
          </>
        )}
      </section>
    </main>
  )
}

function Paid() {
  const { t } = useLingui()
  const words = useWords()
  const navigate = useNavigate()
  const current = useSubscription()
  const [left, setLeft] = useState(SECONDS)
  const leave = useEffectEvent(() => void navigate({ to: '/account/subscription', replace: true }))
  useEffect(() => {
    if (left === 0) return leave()
    const timer = setTimeout(() => setLeft(left - 1), 1000)
    return () => clearTimeout(timer)
  }, [left])
  const name = current === undefined ? '' : words(plans[current.level].label)
  return (
    <>
      <span className={style['seal']} data-tone="ok" aria-hidden="true">
        <CheckOutlined aria-hidden />
      </span>
      <h1>
        <Trans>Thank you</Trans>
      </h1>
      <p>{name === '' ? null : <Trans>Your plan is {name} now.</Trans>}</p>
      <p className={`${style['muted']} h-num`} role="timer">
        {t`Back to the subscription in ${plural(left, { one: '# second', other: '# seconds' })}`}
      </p>
      <Back />
    </>
  )
}

function Back() {
  const navigate = useNavigate()
  return (
    <Button type="primary" onClick={() => void navigate({ to: '/account/subscription', replace: true })}>
      <Trans>Back to the subscription</Trans>
    </Button>
  )
}
