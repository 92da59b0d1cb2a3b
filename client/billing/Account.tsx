// The frame of what is paid for, and of the copilot's settings: where one came from, the pages at the side (above on a phone), the page itself.
import { ArrowLeftOutlined, CrownOutlined, RobotOutlined } from '@ant-design/icons'
import { Trans, useLingui } from '@lingui/react/macro'
import { Link, Outlet } from '@tanstack/react-router'
import { Suspense } from 'react'
import { useIdentity } from '../account/identity.ts'
import { LanguageMenu, ThemeMenu } from '../ui/Choices.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { HelpMenu } from '../ui/help/HelpMenu.tsx'
import { Logo } from '../ui/Logo.tsx'
import { PageLoading } from '../ui/loading/PageLoading.tsx'
import { ProfileMenu } from '../workspace/ProfileMenu.tsx'
import space from '../workspace/workspace.module.css'
import { isAllIncluded, usePlans, useSubscription } from './billing.ts'
import { EconomyLinks } from './EconomyLinks.tsx'
import style from './billing.module.css'

export function Account() {
  const { t } = useLingui()
  const { me } = useIdentity()
  const current = { 'aria-current': 'page' } as const
  return (
    <div className={`${space['frame']} ${style['frame']}`}>
      <a className="h-skip" href="#content">
        <Trans>Skip to the content</Trans>
      </a>
      <header className={space['header']}>
        <Logo />
        <Link to="/workspace/recent" className={style['back']}>
          <ArrowLeftOutlined aria-hidden />
          <Trans>To the workspace</Trans>
        </Link>
        <HelpMenu />
        <LanguageMenu />
        <ThemeMenu />
        <ProfileMenu />
      </header>
      <nav className={`${space['nav']} ${style['pages']}`} aria-label={t`My account`}>
        <Link to="/account/subscription" className={space['place']} activeProps={current}>
          <CrownOutlined aria-hidden />
          <Trans>Subscription</Trans>
        </Link>
        {me !== null && <Economy />}
        <Link to="/account/copilot" className={space['place']} activeProps={current}>
          <RobotOutlined aria-hidden />
          <Trans>Copilot</Trans>
        </Link>
      </nav>
      <main id="content" className={space['content']} tabIndex={-1}>
        {me === null ? (
          <EmptyState title={t`Nobody is signed in`} text={t`Subscriptions, coins and items belong to an account.`} />
        ) : (
          <Suspense fallback={<PageLoading />}>
            <div>
              <Outlet />
            </div>
          </Suspense>
        )}
      </main>
    </div>
  )
}

/** Links to coins, shop and invitations; if everything is included, they are on the page of the plan. */
function Economy() {
  const plans = usePlans()
  const current = useSubscription()
  if (plans === undefined || current === undefined || isAllIncluded(plans, current.subscription)) return null
  return <EconomyLinks className={space['place'] ?? ''} />
}
