// The pages of what can be paid for besides the plan.
import { FileTextOutlined, GiftOutlined, HistoryOutlined, ShopOutlined } from '@ant-design/icons'
import { Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'

export function EconomyLinks({ className }: { className: string }) {
  const current = { 'aria-current': 'page' } as const
  return (
    <>
      <Link to="/account/shop" className={className} activeProps={current}>
        <ShopOutlined aria-hidden />
        <Trans>Item shop</Trans>
      </Link>
      <Link to="/account/coins" className={className} activeProps={current}>
        <HistoryOutlined aria-hidden />
        <Trans>Coins and points</Trans>
      </Link>
      <Link to="/account/invoices" className={className} activeProps={current}>
        <FileTextOutlined aria-hidden />
        <Trans>Invoices</Trans>
      </Link>
      <Link to="/account/promotion" className={className} activeProps={current}>
        <GiftOutlined aria-hidden />
        <Trans>Promotion</Trans>
      </Link>
    </>
  )
}
