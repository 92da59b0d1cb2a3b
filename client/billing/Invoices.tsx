// Invoices of payments, each to be viewed and printed.
import { PrinterOutlined } from '@ant-design/icons'
import { Trans, useLingui } from '@lingui/react/macro'
import { Button, Modal, Skeleton } from 'antd'
import { useState } from 'react'
import { plans } from '../../model-schema/business/plans.ts'
import { useIdentity } from '../account/identity.ts'
import { useWords } from '../i18n/locale.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { useFormats, useInvoices } from './billing.ts'
import style from './billing.module.css'

type Invoice = NonNullable<ReturnType<typeof useInvoices>>[number]

export function Invoices() {
  const { t } = useLingui()
  const { money, day } = useFormats()
  const invoices = useInvoices()
  const subject = useSubject()
  const [shown, setShown] = useState<Invoice | null>(null)
  return (
    <>
      <header className={style['head']}>
        <h1>
          <Trans>Invoices</Trans>
        </h1>
      </header>
      {invoices === undefined ? (
        <Skeleton active />
      ) : invoices.length === 0 ? (
        <EmptyState title={t`No invoices yet`} text={t`Each payment for a subscription brings one.`} />
      ) : (
        <ul className={style['history']} aria-label={t`Invoices`}>
          {invoices.map(one => (
            <li key={one.number}>
              <span className={style['what']}>
                <strong>{subject(one)}</strong>
                <small>
                  <span className="h-num">{one.number}</span> · <time dateTime={one.at}>{day(one.at)}</time>
                </small>
              </span>
              <span className={`${style['amount']} h-num`}>{money(one.amount)}</span>
              <Button onClick={() => setShown(one)} aria-label={t`Show the invoice ${one.number}`}>
                <Trans>Show</Trans>
              </Button>
            </li>
          ))}
        </ul>
      )}
      {shown === null ? null : <Sheet invoice={shown} close={() => setShown(null)} />}
    </>
  )
}

function useSubject(): (invoice: Invoice) => string {
  const { t } = useLingui()
  const words = useWords()
  return ({ kind, level, interval }) => {
    const name = words(plans[level].label)
    if (kind === 'upgrade') return t`Upgrade to ${name}`
    return interval === 'year' ? t`${name}, a year` : t`${name}, a month`
  }
}

function Sheet({ invoice, close }: { invoice: Invoice; close: () => void }) {
  const { t } = useLingui()
  const { money, day } = useFormats()
  const { me } = useIdentity()
  const subject = useSubject()
  return (
    <Modal
      open
      className={style['printed'] ?? ''}
      title={t`Invoice ${invoice.number}`}
      onCancel={close}
      cancelText={t`Close`}
      okText={t`Print`}
      okButtonProps={{ icon: <PrinterOutlined aria-hidden /> }}
      onOk={() => window.print()}
    >
      <dl className={style['facts']}>
        <dt>
          <Trans>For</Trans>
        </dt>
        <dd>
          {me?.name}
          <br />
          {me?.email}
        </dd>
        <dt>
          <Trans>Date</Trans>
        </dt>
        <dd>{day(invoice.at)}</dd>
        <dt>
          <Trans>Subscription</Trans>
        </dt>
        <dd>{subject(invoice)}</dd>
        <dt>
          <Trans>Period</Trans>
        </dt>
        <dd>
          {day(invoice.from)} – {day(invoice.until)}
        </dd>
        <dt>
          <Trans>Paid</Trans>
        </dt>
        <dd className="h-num">
          <strong>{money(invoice.amount)}</strong> {invoice.currency.toUpperCase()}
        </dd>
      </dl>
    </Modal>
  )
}
