// The frame of the workspace: header, places at the side (at the foot on a phone), the page itself.
import {
  BookOutlined,
  ClockCircleOutlined,
  CloudSyncOutlined,
  DeleteOutlined,
  DisconnectOutlined,
  ExclamationCircleOutlined,
  FolderOutlined,
  LaptopOutlined,
  SearchOutlined,
  SettingOutlined,
  ShareAltOutlined,
  ShopOutlined,
  StarOutlined,
  TeamOutlined,
} from '@ant-design/icons'
import { plural } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { Link, Outlet, useParams, useRouter } from '@tanstack/react-router'
import { Input, Popover } from 'antd'
import { Suspense, useEffect, useState, useSyncExternalStore } from 'react'
import { useIdentity } from '../account/identity.ts'
import type { Place } from '../local/place.ts'
import { LanguageMenu, ThemeMenu } from '../ui/Choices.tsx'
import { HelpMenu } from '../ui/help/HelpMenu.tsx'
import { Lamp } from '../ui/documentbar/Lamp.tsx'
import { Logo } from '../ui/Logo.tsx'
import { PageLoading } from '../ui/loading/PageLoading.tsx'
import { useSearchKey } from '../ui/searchKey.ts'
import { Notifications } from './notifications/Notifications.tsx'
import { letGo } from './files/hand.ts'
import { OutboxPanel, useOutbox } from './outbox/OutboxPanel.tsx'
import { FileDialogs } from './files/FileDialogs.tsx'
import { dropOn, useDragged } from './files/drag.ts'
import { useActions } from './files/useActions.tsx'
import { ProfileMenu } from './ProfileMenu.tsx'
import { SpaceSwitcher } from './team/SpaceSwitcher.tsx'
import { showSpace, useFront, useSpaces } from './team/spaces.ts'
import { useDeviceCount, usePlace } from './usePlace.ts'
import { useView, view } from './files/view.ts'
import style from './workspace.module.css'

export function Workspace() {
  const { t } = useLingui()
  const place = usePlace()
  const { me } = useIdentity()
  const onDevice = useDeviceCount() ?? 0
  const { teamCode } = useParams({ strict: false })
  const spaces = useSpaces().data ?? []
  const front = useFront()
  const wanted = spaces.find(space => space.id === teamCode) ?? spaces.find(space => space.id === front)
  const team = place?.local === false ? (wanted?.id ?? place.team) : 'device'
  const common = wanted !== undefined && wanted.type !== 'personal'
  useEffect(() => {
    if (wanted !== undefined) showSpace(wanted.id)
  }, [wanted])
  // Another page: nothing is in the hand there.
  const router = useRouter()
  useEffect(() => router.subscribe('onBeforeNavigate', ({ pathChanged }) => pathChanged && letGo()), [router])
  return (
    <div className={style['frame']}>
      <a className="h-skip" href="#content">
        <Trans>Skip to the content</Trans>
      </a>
      <header className={style['header']}>
        <Logo />
        <Search />
        <Standing user={place?.user.id ?? ''} local={place?.local ?? true} />
        {me === null ? null : <Notifications />}
        <HelpMenu />
        <LanguageMenu />
        <ThemeMenu />
        <ProfileMenu />
      </header>
      <nav className={style['nav']} aria-label={t`Workspace`}>
        {place?.local === false ? <SpaceSwitcher team={team} /> : null}
        <Link to="/workspace/recent" className={style['place']} activeProps={{ 'aria-current': 'page' }}>
          <ClockCircleOutlined aria-hidden />
          <Trans>Recent</Trans>
        </Link>
        <Link
          to="/workspace/$teamCode/project"
          params={{ teamCode: team }}
          className={style['place']}
          activeProps={{ 'aria-current': 'page' }}
        >
          <FolderOutlined aria-hidden />
          {common ? <Trans>Files</Trans> : <Trans>My files</Trans>}
        </Link>
        <Link to="/workspace/favourites" className={`${style['place']} ${style['wide']}`} activeProps={{ 'aria-current': 'page' }}>
          <StarOutlined aria-hidden />
          <Trans>Favourites</Trans>
        </Link>
        <Link
          to="/workspace/$teamCode/library"
          params={{ teamCode: team }}
          className={`${style['place']} ${style['wide']}`}
          activeProps={{ 'aria-current': 'page' }}
        >
          <BookOutlined aria-hidden />
          <Trans>Library</Trans>
        </Link>
        {place?.local === false ? (
          <Link to="/workspace/share" className={style['place']} activeProps={{ 'aria-current': 'page' }}>
            <ShareAltOutlined aria-hidden />
            <Trans>Shared with me</Trans>
          </Link>
        ) : null}
        {place === null ? null : <TrashPlace place={place} team={team} />}
        {common ? (
          <Link
            to="/workspace/$teamCode/member"
            params={{ teamCode: team }}
            className={`${style['place']} ${style['wide']}`}
            activeProps={{ 'aria-current': 'page' }}
          >
            <TeamOutlined aria-hidden />
            <Trans>Members</Trans>
          </Link>
        ) : null}
        {place?.local === false ? (
          <Link
            to="/workspace/$teamCode/setting"
            params={{ teamCode: team }}
            className={`${style['place']} ${style['wide']}`}
            activeProps={{ 'aria-current': 'page' }}
          >
            <SettingOutlined aria-hidden />
            <Trans>Settings</Trans>
          </Link>
        ) : null}
        <Link to="/store/recommend/app" className={style['place']}>
          <ShopOutlined aria-hidden />
          <Trans>Store</Trans>
        </Link>
        {me !== null && onDevice > 0 ? (
          <Link
            to="/workspace/$teamCode/project"
            params={{ teamCode: 'device' }}
            className={style['place']}
            activeProps={{ 'aria-current': 'page' }}
          >
            <LaptopOutlined aria-hidden />
            <Trans>On this device</Trans>
            <span className={style['count']}>{onDevice}</span>
          </Link>
        ) : null}
      </nav>
      <main id="content" className={style['content']} tabIndex={-1}>
        <Suspense fallback={<PageLoading />}>
          <Outlet />
        </Suspense>
      </main>
      {place === null ? null : <FileDialogs place={place} />}
    </div>
  )
}

/** The trash in the list of places; files dropped on it go there. */
function TrashPlace({ place, team }: { place: Place; team: string }) {
  const dragged = useDragged()
  const actions = useActions(place)
  const [over, setOver] = useState(false)
  const drop = dropOn({ team: '', parent: '' }, dragged, { move: files => actions.trash(files) }, setOver)
  return (
    <Link
      to="/workspace/$teamCode/trash"
      params={{ teamCode: team }}
      className={style['place']}
      activeProps={{ 'aria-current': 'page' }}
      data-over={(over && dragged.length > 0) || undefined}
      {...drop}
    >
      <DeleteOutlined aria-hidden />
      <Trans>Trash</Trans>
    </Link>
  )
}

function Search() {
  const { t } = useLingui()
  const { search } = useView()
  const field = useSearchKey()
  return (
    <div className={style['search']} role="search">
      <Input
        ref={field}
        value={search}
        prefix={<SearchOutlined aria-hidden />}
        suffix={<kbd className={style['key']}>/</kbd>}
        placeholder={t`Search files and samples`}
        aria-label={t`Search files and samples`}
        allowClear
        onChange={event => view.setState({ search: event.target.value })}
        onKeyDown={event => {
          if (event.key === 'Escape') view.setState({ search: '' })
        }}
      />
    </div>
  )
}

/** The sync state of the workspace. */
function Standing({ user, local }: { user: string; local: boolean }) {
  const { t } = useLingui()
  const online = useOnline()
  const entries = useOutbox(user) ?? []
  const unsent = new Set(entries.map(entry => entry.file)).size
  const refused = entries.some(entry => entry.refused !== null)
  if (local)
    return (
      <Lamp
        tone="idle"
        icon={<LaptopOutlined aria-hidden />}
        words={t`This workspace lives on this device alone.`}
        label={<span className={style['wide']}>{t`This device`}</span>}
      />
    )
  if (online && unsent === 0) return null
  const waiting = t`${plural(unsent, { one: '# file waits to be sent', other: '# files wait to be sent' })}`
  const words = refused
    ? t`The server refused a change: see what can be done`
    : unsent === 0
      ? t`Offline: everything works, changes are sent later.`
      : waiting
  return (
    <Popover trigger="click" placement="bottomRight" content={<OutboxPanel user={user} entries={entries} online={online} />}>
      <button
        type="button"
        className={style['standing']}
        aria-label={words}
        title={words}
        data-tone={refused ? 'bad' : online ? 'busy' : 'warn'}
      >
        {refused ? (
          <ExclamationCircleOutlined aria-hidden />
        ) : online ? (
          <CloudSyncOutlined aria-hidden />
        ) : (
          <DisconnectOutlined aria-hidden />
        )}
        {online ? null : <span className={style['wide']}>{t`Offline`}</span>}
        {unsent === 0 ? null : <span className="h-num">{unsent}</span>}
      </button>
    </Popover>
  )
}

function useOnline(): boolean {
  return useSyncExternalStore(
    changed => {
      window.addEventListener('online', changed)
      window.addEventListener('offline', changed)
      return () => {
        window.removeEventListener('online', changed)
        window.removeEventListener('offline', changed)
      }
    },
    () => navigator.onLine,
  )
}
