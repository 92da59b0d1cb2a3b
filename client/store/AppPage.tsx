// The page of a publication: description, embedded run, reviews, content and rank.
import {
  CodeOutlined,
  DownloadOutlined,
  EllipsisOutlined,
  EyeOutlined,
  FlagOutlined,
  LeftOutlined,
  LikeFilled,
  LikeOutlined,
  LinkOutlined,
  MessageOutlined,
  PlayCircleFilled,
  SafetyCertificateFilled,
  StarFilled,
  StarOutlined,
} from '@ant-design/icons'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { Alert, Button, Dropdown, Tooltip } from 'antd'
import { Suspense, useEffect, useState } from 'react'
import { appKindLabels } from '../../model-schema/business/market.ts'
import { useIdentity } from '../account/identity.ts'
import { RichText } from '../comments/RichText.tsx'
import { useLocale, useWords } from '../i18n/locale.ts'
import { Avatar } from '../ui/Avatar.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { PageLoading } from '../ui/loading/PageLoading.tsx'
import { wordsOfError } from '../ui/notices.ts'
import { complain, say } from '../ui/toast.ts'
import { importedPart } from '../ui/loading/updates.ts'
import { FileIcon, useKindWords } from '../workspace/files/kinds.tsx'
import { AppCover } from './AppCover.tsx'
import { useShort } from './AppCard.tsx'
import { Facts } from './Facts.tsx'
import { FollowButton } from './FollowButton.tsx'
import { ReportDialog } from './talk/ReportDialog.tsx'
import { Talk } from './talk/Talk.tsx'
import { authorOf, shelfOf, useArea } from './area.ts'
import type { Area } from './area.ts'
import { runnable } from './RunHere.tsx'
import { market } from './market.ts'
import type { AppInfo } from './market.ts'
import { useShipped } from './shipped.ts'
import style from './store.module.css'

const RunHere = importedPart(
  () => import('./RunHere.tsx'),
  module => module.RunHere,
)
const ThankButton = importedPart(
  () => import('./Thanks.tsx'),
  module => module.ThankButton,
)
const CopyDialog = importedPart(
  () => import('./CopyDialog.tsx'),
  module => module.CopyDialog,
)

export function AppPage() {
  const { t } = useLingui()
  const area = useArea()
  const { appId = '' } = useParams({ strict: false })
  const found = useQuery({ queryKey: ['market', 'app', appId, false], queryFn: () => market.app(appId), retry: false })
  const queries = useQueryClient()
  const id = found.data?.id
  useEffect(() => {
    if (id === undefined) return
    market
      .visit(id)
      .then(counted => (counted ? queries.invalidateQueries({ queryKey: ['market', 'app', id] }) : undefined))
      .catch((error: unknown) => console.warn('a visit', error))
  }, [id, queries])
  const name = found.data?.name
  useEffect(() => {
    if (name === undefined) return
    document.title = `${name} – Holarchy`
    return () => void (document.title = 'Holarchy')
  }, [name])
  if (found.isPending) return <PageLoading />
  if (found.isError)
    return (
      <EmptyState
        title={t`Not on the shelf`}
        text={wordsOfError(found.error)}
        action={
          <Link to={shelfOf(area)}>
            <Trans>To the store</Trans>
          </Link>
        }
      />
    )
  return <Page key={found.data.id} app={found.data} area={area} />
}

function Page({ app: published, area }: { app: AppInfo; area: Area }) {
  const { t } = useLingui()
  const app = useShipped(published)
  const [running, setRunning] = useState<string | null>(null)
  const files = runnable(app)
  const first = files[0]
  const file = files.find(one => one.id === running)
  return (
    <article className={style['page']}>
      <Link to={shelfOf(area)} className={style['back']}>
        <LeftOutlined aria-hidden /> {area === 'store' ? <Trans>Store</Trans> : <Trans>Dashboards</Trans>}
      </Link>
      <Notices app={app} />
      <Head app={app} area={area} run={first === undefined ? undefined : () => setRunning(first.id)} />
      {file === undefined ? (
        <button
          type="button"
          className={style['stage']}
          data-still
          disabled={first === undefined}
          aria-label={t`Run it here: ${app.name}`}
          onClick={() => setRunning(first?.id ?? null)}
        >
          <AppCover app={app} />
          {first === undefined ? null : (
            <span className={style['play']}>
              <PlayCircleFilled aria-hidden />
              <Trans>Run it here</Trans>
            </span>
          )}
        </button>
      ) : (
        <section className={style['stage']} aria-label={t`${app.name}, running`} data-testid="stage">
          <h2 className="h-hidden">{t`${app.name}, running`}</h2>
          {files.length > 1 && app.kind === 'project' ? (
            <nav className={style['parts']} aria-label={t`Parts`}>
              {files.map(one => (
                <button key={one.id} type="button" aria-pressed={one === file} onClick={() => setRunning(one.id)}>
                  <FileIcon kind={one.kind} /> {one.name}
                </button>
              ))}
            </nav>
          ) : null}
          <div className={style['fill']}>
            <Suspense fallback={<PageLoading />}>
              <RunHere key={file.id} app={app} file={file} inside />
            </Suspense>
          </div>
        </section>
      )}
      <div className={style['columns']}>
        <div className={style['main']}>
          <section aria-labelledby="about">
            <h2 id="about">
              <Trans>About</Trans>
            </h2>
            {app.description === '' ? <p className={style['lead']}>{app.summary}</p> : <RichText body={app.description} />}
          </section>
          <Inside app={app} />
          <Versions app={app} />
          <Talk place={{ sort: 'app', id: app.id }} title={t`Comments`} />
        </div>
        <Facts app={app} area={area} />
      </div>
    </article>
  )
}

/** What only some see: that it is hidden, off the shelf, or that they have copies. */
function Notices({ app }: { app: AppInfo }) {
  const { t } = useLingui()
  const because = app.hiddenBecause
  return (
    <>
      {app.hidden ? (
        <Alert
          type="error"
          showIcon
          title={t`Hidden by the moderators`}
          description={
            <>
              {because} {app.own ? <Link to="/store/mine">{t`Appeal`}</Link> : null}
            </>
          }
        />
      ) : null}
      {app.state === 'off-shelf' ? (
        <Alert type="warning" showIcon title={t`Off the shelf: only those who may publish it see this page.`} />
      ) : null}
      {app.state === 'publishing' ? (
        <Alert type="info" showIcon title={t`In preparation: only those who may publish it see this page.`} />
      ) : null}
    </>
  )
}

function Head({ app, area, run }: { app: AppInfo; area: Area; run: (() => void) | undefined }) {
  const { t } = useLingui()
  const words = useWords()
  const short = useShort()
  const { me } = useIdentity()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const [copying, setCopying] = useState(false)
  const [reporting, setReporting] = useState(false)
  const signIn = (): void => void navigate({ to: '/login', search: { to: location.pathname } })
  /** Shown at once; what the server says comes after. */
  const toggle = (what: 'liked' | 'favourite'): void => {
    if (me === null) return signIn()
    const on = !app.mine[what]
    queries.setQueryData<AppInfo>(['market', 'app', app.id, false], before => before && { ...before, mine: { ...before.mine, [what]: on } })
    const work = what === 'liked' ? market.like(app.id, on) : market.favourite(app.id, on)
    work.catch(complain).finally(() => void queries.invalidateQueries({ queryKey: ['market'] }))
  }
  const copyText = (text: string, done: string): void => void navigator.clipboard.writeText(text).then(() => say(done), complain)
  const address = `${location.origin}/embed_marketapp/${app.id}`
  const items = [
    {
      key: 'link',
      icon: <LinkOutlined aria-hidden />,
      label: t`Copy the link`,
      onClick: () =>
        copyText(`${location.origin}/store/recommend/app/${app.id}${me === null ? '' : `?by=${me.id}`}`, t`The link is copied.`),
    },
    {
      key: 'embed',
      icon: <CodeOutlined aria-hidden />,
      label: t`Copy the code to embed it`,
      onClick: () =>
        copyText(
          `<iframe src="${address}" width="960" height="600" title="${app.name.replaceAll('"', '&quot;')}"></iframe>`,
          t`The code is copied.`,
        ),
    },
    ...(app.own || me === null
      ? []
      : [{ key: 'report', icon: <FlagOutlined aria-hidden />, label: t`Report`, danger: true, onClick: () => setReporting(true) }]),
  ]
  return (
    <header className={style['hero']}>
      <div className={style['heroText']}>
        <p className={style['eyebrow']}>{words(appKindLabels[app.kind])}</p>
        <h1>
          {app.name}
          {app.verified ? (
            <Tooltip title={t`The recorded run was made again on the server, to the same result.`}>
              <span className={style['badge']}>
                <SafetyCertificateFilled aria-hidden /> <Trans>Verified</Trans>
              </span>
            </Tooltip>
          ) : null}
        </h1>
        {app.author === null ? (
          <p className={style['author']}>
            <Trans>By somebody who left</Trans>
          </p>
        ) : (
          <p className={style['author']}>
            <Avatar id={app.author.id} name={app.author.name} image={app.author.avatar} size={28} />
            <Link to={authorOf(area)} params={{ profileId: app.author.id }}>
              {app.author.name}
            </Link>
            {app.own ? null : <FollowButton id={app.author.id} following={app.following} small />}
          </p>
        )}
        <p className={style['lead']}>{app.summary}</p>
        <p className={style['counts']}>
          <span>
            <EyeOutlined aria-hidden /> <b className="h-num">{short(app.counts.views)}</b>{' '}
            <Plural value={app.counts.views} one="view" other="views" />
          </span>
          <span>
            <LikeOutlined aria-hidden /> <b className="h-num">{short(app.counts.likes)}</b>{' '}
            <Plural value={app.counts.likes} one="like" other="likes" />
          </span>
          <span>
            <StarOutlined aria-hidden /> <b className="h-num">{short(app.counts.favourites)}</b>{' '}
            <Plural value={app.counts.favourites} one="favourite" other="favourites" />
          </span>
          <span>
            <DownloadOutlined aria-hidden /> <b className="h-num">{short(app.counts.downloads)}</b>{' '}
            <Plural value={app.counts.downloads} one="download" other="downloads" />
          </span>
          <span>
            <MessageOutlined aria-hidden /> <b className="h-num">{short(app.counts.comments)}</b>{' '}
            <Plural value={app.counts.comments} one="comment" other="comments" />
          </span>
        </p>
      </div>
      <div className={style['deeds']}>
        {run === undefined ? null : (
          <Button type="primary" size="large" icon={<PlayCircleFilled aria-hidden />} onClick={run}>
            <Trans>Run</Trans>
          </Button>
        )}
        {app.pages.copies && app.state === 'published' ? (
          <Button size="large" icon={<DownloadOutlined aria-hidden />} onClick={() => (me === null ? signIn() : setCopying(true))}>
            <Trans>Get a copy</Trans>
          </Button>
        ) : null}
        {me === null || app.state !== 'published' ? null : (
          <Suspense>
            <ThankButton app={app} />
          </Suspense>
        )}
        <span className={style['marks']}>
          <Tooltip title={app.own ? t`Likes of one’s own work are not counted.` : app.mine.liked ? t`Take the like back` : t`Like`}>
            <Button
              size="large"
              type="text"
              disabled={app.own}
              aria-pressed={app.mine.liked}
              aria-label={t`Like`}
              icon={app.mine.liked ? <LikeFilled className={style['lit']} aria-hidden /> : <LikeOutlined aria-hidden />}
              onClick={() => toggle('liked')}
            />
          </Tooltip>
          <Tooltip title={app.mine.favourite ? t`Remove from the favourites` : t`Add to the favourites`}>
            <Button
              size="large"
              type="text"
              aria-pressed={app.mine.favourite}
              aria-label={t`Favourite`}
              icon={app.mine.favourite ? <StarFilled className={style['lit']} aria-hidden /> : <StarOutlined aria-hidden />}
              onClick={() => toggle('favourite')}
            />
          </Tooltip>
          <Dropdown trigger={['click']} placement="bottomRight" menu={{ items }}>
            <Button size="large" type="text" icon={<EllipsisOutlined aria-hidden />} aria-label={t`More`} />
          </Dropdown>
        </span>
      </div>
      <Suspense>{copying ? <CopyDialog app={app} close={() => setCopying(false)} /> : null}</Suspense>
      {reporting ? <ReportDialog target={{ about: 'app', target: app.id }} name={app.name} close={() => setReporting(false)} /> : null}
    </header>
  )
}

function Inside({ app }: { app: AppInfo }) {
  const words = useKindWords()
  return (
    <section aria-labelledby="inside">
      <h2 id="inside">
        <Trans>What is in it</Trans>
      </h2>
      <ul className={style['inside']}>
        {app.files.map(file => (
          <li key={file.id} data-inside={file.parent !== null || undefined}>
            <FileIcon kind={file.kind} /> {file.name} <small>{words.name(file.kind)}</small>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Versions({ app }: { app: AppInfo }) {
  const locale = useLocale()
  if (app.versions.length === 0) return null
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' })
  return (
    <section aria-labelledby="versions">
      <h2 id="versions">
        <Trans>Versions</Trans>
      </h2>
      <ol className={style['versions']}>
        {app.versions.map(({ number, at, notes }) => (
          <li key={number}>
            <b>
              <Trans>Version {number}</Trans>
            </b>{' '}
            <time dateTime={at}>{date.format(new Date(at))}</time>
            {notes === '' ? null : <p>{notes}</p>}
          </li>
        ))}
      </ol>
    </section>
  )
}
