// The subscription: the current one, the plans side by side, and the change from one to another.
import { CheckOutlined, MinusOutlined } from '@ant-design/icons'
import { Trans, useLingui } from '@lingui/react/macro'
import { useNavigate } from '@tanstack/react-router'
import { Alert, Button, Modal, Segmented, Skeleton } from 'antd'
import { useState } from 'react'
import { featureLabels, levels, quantityLabels, unbuilt } from '../../model-schema/business/plans.ts'
import type { Feature, Plan, PlanLevel, PlanTable, Quantity } from '../../model-schema/business/plans.ts'
import { judge, priceOf, refusals } from '../../model-schema/business/subscription.ts'
import type { SubscriptionChange, Interval, Subscription as State } from '../../model-schema/business/subscription.ts'
import { Usage } from '../account/Usage.tsx'
import { useWords } from '../i18n/locale.ts'
import { complain, say } from '../ui/toast.ts'
import { askChange, isAllIncluded, useFormats, usePlans, useRefresh, useSubscription } from './billing.ts'
import { EconomyLinks } from './EconomyLinks.tsx'
import style from './billing.module.css'

/** The quantities shown on the cards of plans; the rest is in the table. */
const told = ['files', 'storageGB', 'cloudHoursPerYear', 'teams', 'teamMembers', 'components'] as const satisfies readonly Quantity[]

export function Subscription() {
  const { t } = useLingui()
  const plans = usePlans()
  const current = useSubscription()
  const refresh = useRefresh()
  const navigate = useNavigate()
  const [interval, setInterval] = useState<Interval | null>(null)
  const [asking, setAsking] = useState<SubscriptionChange | null>(null)
  const [isBusy, setBusy] = useState(false)
  const [now] = useState(() => Date.now())
  if (plans === undefined || current === undefined) return <Skeleton active />
  const state = current.subscription
  const included = isAllIncluded(plans, state)
  const shown = interval ?? state?.next?.interval ?? state?.interval ?? 'month'
  const saved = Math.max(...levels.map(level => savingOf(plans.plans[level])))
  const ask = async (change: SubscriptionChange): Promise<void> => {
    setBusy(true)
    try {
      const { url } = await askChange(change)
      if (url !== null) return url.startsWith('/') ? await navigate({ href: url }) : location.assign(url)
      say(t`Your subscription is changed.`)
      setAsking(null)
    } catch (error) {
      complain(error)
    } finally {
      setBusy(false)
      await refresh()
    }
  }
  return (
    <>
      <header className={style['head']}>
        <h1>
          <Trans>Subscription</Trans>
        </h1>
      </header>
      <Current
        state={state}
        level={current.level}
        isGiven={current.isGiven}
        plans={plans.plans}
        ask={change => void ask(change)}
        cancel={() => setAsking({ type: 'cancel' })}
      />
      {included && <Usage />}
      <details className={style['economy'] ?? ''} open={!included} data-testid="plans">
        {included && (
          <summary>
            <Trans>Plans, shop and coins</Trans>
          </summary>
        )}
        {included && (
          <nav aria-label={t`Plans, shop and coins`}>
            <EconomyLinks className={style['link'] ?? ''} />
          </nav>
        )}
        {plans.payments === 'test' ? (
          <Alert className={style['note'] ?? ''} type="info" showIcon title={t`Payments are a test on this server: no money moves.`} />
        ) : plans.payments === null ? (
          <Alert
            className={style['note'] ?? ''}
            type="info"
            showIcon
            title={t`This server takes no payments. Ask whoever runs it for a plan.`}
          />
        ) : null}
        <div className={style['switch']}>
          <h2>
            <Trans>Plans</Trans>
          </h2>
          <Segmented<Interval>
            value={shown}
            onChange={setInterval}
            aria-label={t`Billing interval`}
            options={[
              { value: 'month', label: t`Monthly` },
              { value: 'year', label: saved > 0 ? t`Yearly, up to ${saved}% less` : t`Yearly` },
            ]}
          />
        </div>
        <ul className={style['plans']}>
          {levels.map(level => (
            <PlanCard
              key={level}
              plan={plans.plans[level]}
              interval={shown}
              state={state}
              current={current}
              plans={plans.plans}
              base={plans.base}
              now={now}
              choose={setAsking}
            />
          ))}
        </ul>
        <Comparison plans={plans.plans} current={current.level} />
      </details>
      {!included && <Usage />}
      {asking === null ? null : (
        <Confirm
          now={now}
          change={asking}
          state={state}
          plans={plans.plans}
          base={plans.base}
          isBusy={isBusy}
          close={() => setAsking(null)}
          confirm={() => void ask(asking)}
        />
      )}
    </>
  )
}

/** How much less a year costs than twelve months, in percent. */
function savingOf({ price }: Plan): number {
  return price === null || price.month === 0 ? 0 : Math.floor(100 * (1 - price.year / (12 * price.month)) + 0.5)
}

type CurrentProps = {
  state: State | null
  level: PlanLevel
  isGiven: boolean
  plans: PlanTable
  ask: (change: SubscriptionChange) => void
  cancel: () => void
}

function Current({ state, level, isGiven, plans, ask, cancel }: CurrentProps) {
  const words = useWords()
  const { money, day } = useFormats()
  const name = words(plans[level].label)
  const intervalWords = useIntervalWords()
  return (
    <section className={style['current']} aria-label={name} data-testid="current-plan" data-status={state?.status}>
      <div>
        <p className={style['over']}>
          <Trans>Your plan</Trans>
        </p>
        <p className={style['planName']}>{name}</p>
        <p className={style['muted']}>
          {state === null ? (
            isGiven ? (
              <Trans>Given by whoever runs this server.</Trans>
            ) : (
              <Trans>Included for everyone on this server.</Trans>
            )
          ) : state.status === 'ending' ? (
            <Trans>Ends on {day(state.until)}. Until then nothing changes.</Trans>
          ) : state.status === 'pastDue' ? (
            <Trans>The payment for the period from {day(state.until)} was declined. Your plan goes on for a week.</Trans>
          ) : (
            <Trans>
              {money(state.price)} {intervalWords(state.interval)}, renewed on {day(state.until)}.
            </Trans>
          )}
        </p>
        {state?.next == null ? null : (
          <p>
            <Trans>
              From {day(state.until)}: {words(plans[state.next.level].label)},{' '}
              {money(priceOf(state.next.level, state.next.interval, plans) ?? 0)} {intervalWords(state.next.interval)}.
            </Trans>
          </p>
        )}
      </div>
      {state === null ? null : (
        <div className={style['actions']}>
          {state.status === 'pastDue' ? (
            <Button type="primary" onClick={() => ask({ type: 'pay' })}>
              <Trans>Pay now</Trans>
            </Button>
          ) : state.status === 'ending' ? (
            <Button type="primary" onClick={() => ask({ type: 'keep' })}>
              <Trans>Keep the subscription</Trans>
            </Button>
          ) : state.next === null ? null : (
            <Button onClick={() => ask({ type: 'keep' })}>
              <Trans>Take the change back</Trans>
            </Button>
          )}
          {state.status === 'ending' ? null : (
            <Button type="text" onClick={cancel}>
              <Trans>Cancel the subscription</Trans>
            </Button>
          )}
        </div>
      )}
    </section>
  )
}

type CardProps = {
  plan: Plan
  interval: Interval
  state: State | null
  current: { level: PlanLevel; isGiven: boolean }
  plans: PlanTable
  base: PlanLevel
  now: number
  choose: (change: SubscriptionChange) => void
}

function PlanCard({ plan, interval, state, current, plans, base, now, choose }: CardProps) {
  const { t } = useLingui()
  const words = useWords()
  const { money, number } = useFormats()
  const { level } = plan
  const isCurrent = level === current.level
  const price = priceOf(level, interval, plans)
  const change = changeTo(level, interval, state)
  const verdict =
    change === null ? null : current.isGiven ? ({ ok: false, why: 'by-agreement' } as const) : judge(state, change, { now, plans, base })
  const action = useActionWords(change)
  const label = isCurrent && change?.type !== 'changeInterval' ? t`Current plan` : action
  return (
    <li className={style['plan']} data-current={isCurrent || undefined} data-level={level}>
      <h3>{words(plan.label)}</h3>
      <p className={style['price']}>
        {plan.price === null ? (
          <strong>
            <Trans>By agreement</Trans>
          </strong>
        ) : (
          <>
            <strong className="h-num">{money(interval === 'year' ? Math.round((price ?? 0) / 12) : (price ?? 0))}</strong>
            <span>
              <Trans>a month</Trans>
              {interval === 'year' && price !== null ? <small>{t`${money(price)} a year`}</small> : null}
            </span>
          </>
        )}
      </p>
      <ul className={style['told']}>
        {told.map(quantity => {
          const most = plan[quantity]
          return (
            <li key={quantity}>
              <span>{words(quantityLabels[quantity])}</span>
              <strong className="h-num">{most === null ? '∞' : number(most)}</strong>
            </li>
          )
        })}
      </ul>
      {isCurrent && change?.type !== 'changeInterval' ? (
        <Button block disabled>
          {label}
        </Button>
      ) : change === null || verdict === null ? null : verdict.ok ? (
        <Button
          block
          type={change.type === 'subscribe' || change.type === 'upgrade' ? 'primary' : 'default'}
          onClick={() => choose(change)}
        >
          {label}
        </Button>
      ) : (
        <p className={style['why']}>{words(refusals[verdict.why])}</p>
      )}
    </li>
  )
}

/** The change that choosing a plan requests. */
function changeTo(level: PlanLevel, interval: Interval, state: State | null): SubscriptionChange | null {
  if (state === null) return level === 'free' ? null : { type: 'subscribe', level, interval }
  if (level === state.level) return (state.next?.interval ?? state.interval) === interval ? null : { type: 'changeInterval', interval }
  return levels.indexOf(level) > levels.indexOf(state.level) ? { type: 'upgrade', level } : { type: 'downgrade', level }
}

function useActionWords(change: SubscriptionChange | null): string {
  const { t } = useLingui()
  switch (change?.type) {
    case 'subscribe':
      return t`Subscribe`
    case 'upgrade':
      return t`Upgrade`
    case 'downgrade':
      return t`Downgrade`
    case 'changeInterval':
      return change.interval === 'year' ? t`Pay yearly` : t`Pay monthly`
    default:
      return ''
  }
}

function useIntervalWords(): (interval: Interval) => string {
  const { t } = useLingui()
  return interval => (interval === 'month' ? t`a month` : t`a year`)
}

type ConfirmProps = {
  now: number
  change: SubscriptionChange
  state: State | null
  plans: PlanTable
  base: PlanLevel
  isBusy: boolean
  close: () => void
  confirm: () => void
}

/** Shows the effect of a change in days and money before it is requested. */
function Confirm({ now, change, state, plans, base, isBusy, close, confirm }: ConfirmProps) {
  const { t } = useLingui()
  const words = useWords()
  const { money, day } = useFormats()
  const intervalWords = useIntervalWords()
  const verdict = judge(state, change, { now, plans, base })
  if (!verdict.ok) return null
  const after = verdict.state
  const name = 'level' in change ? words(plans[change.level].label) : words(plans[state?.level ?? 'free'].label)
  const title = {
    subscribe: t`Subscribe to ${name}`,
    upgrade: t`Upgrade to ${name}`,
    downgrade: t`Downgrade to ${name}`,
    changeInterval: t`Change the billing interval`,
    cancel: t`Cancel the subscription`,
    keep: t`Keep the subscription`,
    pay: t`Pay now`,
  }[change.type]
  const end = day(state?.until ?? now)
  return (
    <Modal
      open
      title={title}
      onCancel={close}
      onOk={confirm}
      okText={verdict.charge > 0 ? t`Go to the payment` : change.type === 'cancel' ? t`Cancel the subscription` : t`Confirm`}
      cancelText={t`Back`}
      okButtonProps={{ loading: isBusy, danger: change.type === 'cancel' }}
    >
      <div className={style['confirm']}>
        {verdict.charge > 0 ? (
          <p className={style['due']}>
            <span>
              <Trans>To pay now</Trans>
            </span>
            <strong className="h-num">{money(verdict.charge)}</strong>
          </p>
        ) : null}
        <p>
          {change.type === 'subscribe' && after !== null ? (
            <Trans>
              Then {money(after.price)} {intervalWords(after.interval)}, next on {day(after.until)}. You can cancel at any time.
            </Trans>
          ) : change.type === 'upgrade' && after !== null ? (
            <Trans>
              The difference for the rest of this period. {name} begins at once; from {end} it costs {money(after.price)}{' '}
              {intervalWords(after.interval)}.
            </Trans>
          ) : change.type === 'downgrade' ? (
            <Trans>
              You keep what you have paid for until {end}. What is beyond the limits of {name} by then can only be read.
            </Trans>
          ) : change.type === 'changeInterval' ? (
            <Trans>It begins on {end}, when this period ends.</Trans>
          ) : (
            <Trans>
              You keep what you have paid for until {end}. Nothing is deleted; what is beyond the limits by then can only be read.
            </Trans>
          )}
        </p>
      </div>
    </Modal>
  )
}

function Comparison({ plans, current }: { plans: PlanTable; current: PlanLevel }) {
  const { t } = useLingui()
  const words = useWords()
  const { number } = useFormats()
  const quantities = Object.keys(quantityLabels) as Quantity[]
  const features = Object.keys(featureLabels) as Feature[]
  return (
    <details className={style['comparison']}>
      <summary>
        <Trans>Compare everything</Trans>
      </summary>
      {/* Wider than a phone: reached by the keyboard too. */}
      <div className={style['tableBox']} role="region" aria-label={t`Compare everything`} tabIndex={0}>
        <table>
          <thead>
            <tr>
              <td />
              {levels.map(level => (
                <th key={level} scope="col" data-current={level === current || undefined}>
                  {words(plans[level].label)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {quantities.map(quantity => (
              <tr key={quantity}>
                <th scope="row">{words(quantityLabels[quantity])}</th>
                {levels.map(level => (
                  <td key={level} className="h-num" data-current={level === current || undefined}>
                    {plans[level][quantity] === null ? <span title={t`without limit`}>∞</span> : number(plans[level][quantity])}
                  </td>
                ))}
              </tr>
            ))}
            {features.map(feature => (
              <tr key={feature}>
                <th scope="row">
                  {words(featureLabels[feature])}
                  {unbuilt.has(feature) ? (
                    <small>
                      {' '}
                      <Trans>(not there yet)</Trans>
                    </small>
                  ) : null}
                </th>
                {levels.map(level => (
                  <td key={level} data-current={level === current || undefined}>
                    {plans[level].features.includes(feature) ? (
                      <CheckOutlined className={style['yes'] ?? ''} aria-label={t`yes`} />
                    ) : (
                      <MinusOutlined className={style['no'] ?? ''} aria-label={t`no`} />
                    )}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  )
}
