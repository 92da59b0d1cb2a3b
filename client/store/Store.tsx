// The frame of the store: header with search, places at the side (at the foot on a phone), the page itself.
import {
  AppstoreOutlined,
  DashboardOutlined,
  FlagOutlined,
  FolderOutlined,
  MessageOutlined,
  SearchOutlined,
  ShopOutlined,
  StarOutlined,
  UserAddOutlined,
} from '@ant-design/icons'
import { Trans, useLingui } from '@lingui/react/macro'
import { Link, Outlet, useNavigate, useSearch } from '@tanstack/react-router'
import { Input } from 'antd'
import { Suspense, useState } from 'react'
import { useIdentity } from '../account/identity.ts'
import { LanguageMenu, ThemeMenu } from '../ui/Choices.tsx'
import { HelpMenu } from '../ui/help/HelpMenu.tsx'
import { Logo } from '../ui/Logo.tsx'
import { PageLoading } from '../ui/loading/PageLoading.tsx'
import { useSearchKey } from '../ui/searchKey.ts'
import { Notifications } from '../workspace/notifications/Notifications.tsx'
import { ProfileMenu } from '../workspace/ProfileMenu.tsx'
import frame from '../workspace/workspace.module.css'
import { readSearch, shelfOf, useArea } from './area.ts'
import { useOperator } from './talk/operator.ts'
import style from './store.module.css'

const place = (wide = false): string => `${frame['place']} ${wide ? frame['wide'] : ''}`
const here = { 'aria-current': 'page' as const }

export function Store() {
  const { t } = useLingui()
  const { me } = useIdentity()
  const area = useArea()
  const { of } = readSearch(useSearch({ strict: false }))
  const operator = useOperator()
  const shelf = shelfOf(area)
  return (
    <div className={frame['frame']}>
      <a className="h-skip" href="#content">
        <Trans>Skip to the content</Trans>
      </a>
      <header className={frame['header']}>
        <Logo />
        <SearchField />
        {me === null ? null : <Notifications />}
        <HelpMenu />
        <LanguageMenu />
        <ThemeMenu />
        <ProfileMenu />
      </header>
      <nav className={frame['nav']} aria-label={area === 'store' ? t`Store` : t`Dashboards`}>
        <Link to="/workspace/recent" className={place()}>
          <FolderOutlined aria-hidden />
          <Trans>Workspace</Trans>
        </Link>
        <hr className={style['rule']} />
        <Link to="/store/recommend/app" search={{}} className={place()} {...shown(of === undefined)}>
          <ShopOutlined aria-hidden />
          <Trans>Store</Trans>
        </Link>
        <Link to="/dashboard/recommend/app" search={{}} className={place()} {...shown(of === undefined)}>
          <DashboardOutlined aria-hidden />
          <Trans>Dashboards</Trans>
        </Link>
        {me === null ? null : (
          <>
            <Link to={shelf} search={{ of: 'following' }} className={place(true)} {...asked}>
              <UserAddOutlined aria-hidden />
              <Trans>Following</Trans>
            </Link>
            <Link to={shelf} search={{ of: 'favourites' }} className={place(true)} {...asked}>
              <StarOutlined aria-hidden />
              <Trans>Favourites</Trans>
            </Link>
            <Link to="/store/mine" className={place()} activeProps={here}>
              <AppstoreOutlined aria-hidden />
              <Trans>My publications</Trans>
            </Link>
          </>
        )}
        <Link to="/store/forum" className={place()} activeProps={here}>
          <MessageOutlined aria-hidden />
          <Trans>Forum</Trans>
        </Link>
        {operator ? (
          <Link to="/store/moderation" className={place()} activeProps={here}>
            <FlagOutlined aria-hidden />
            <Trans>Moderation</Trans>
          </Link>
        ) : null}
      </nav>
      <main id="content" className={frame['content']} tabIndex={-1}>
        <Suspense fallback={<PageLoading />}>
          <Outlet />
        </Suspense>
      </main>
    </div>
  )
}

/** Several places have one path and differ by what is asked for; searching and filtering stays in the first of them. */
const shown = (is: boolean) => (is ? {} : { activeOptions: { exact: true, includeSearch: true } })
const asked = { activeOptions: { includeSearch: true } }

function SearchField() {
  const { t } = useLingui()
  const area = useArea()
  const navigate = useNavigate()
  const search = readSearch(useSearch({ strict: false }))
  const [text, setText] = useState(search.q ?? '')
  const [shown, setShown] = useState(search.q ?? '')
  // Another address, by the back button for example.
  if (shown !== (search.q ?? '')) {
    setShown(search.q ?? '')
    setText(search.q ?? '')
  }
  const field = useSearchKey()
  const look = (value: string): void => {
    const { q: _, ...rest } = search
    void navigate({ to: shelfOf(area), search: value.trim() === '' ? rest : { ...rest, q: value.trim() } })
  }
  return (
    <div className={frame['search']} role="search">
      <Input
        ref={field}
        value={text}
        maxLength={200}
        prefix={<SearchOutlined aria-hidden />}
        suffix={<kbd className={frame['key']}>/</kbd>}
        placeholder={t`Search the store`}
        aria-label={t`Search the store`}
        allowClear
        onChange={event => {
          setText(event.target.value)
          if (event.target.value === '' && search.q !== undefined) look('')
        }}
        onPressEnter={() => look(text)}
      />
    </div>
  )
}
