// One's own publications, with their states and what can be done in each.
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { Button, Tag } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { appKindLabels, appNext, appStateLabels } from '../../model-schema/business/market.ts'
import type { AppStep } from '../../model-schema/business/market.ts'
import { useIdentity } from '../account/identity.ts'
import { useWords } from '../i18n/locale.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { PageLoading } from '../ui/loading/PageLoading.tsx'
import { When } from '../ui/When.tsx'
import { wordsOfError } from '../ui/notices.ts'
import { complain, confirmed, say } from '../ui/toast.ts'
import { AppCover } from './AppCover.tsx'
import { useShort } from './AppCard.tsx'
import { PublishWizard } from './publish/PublishWizard.tsx'
import type { Source } from './publish/PublishSteps.tsx'
import { AppealDialog } from './talk/ReportDialog.tsx'
import { market } from './market.ts'
import type { AppCard } from './market.ts'
import style from './store.module.css'

const tones = { publishing: 'blue', published: 'green', 'off-shelf': 'default' } as const

export function Mine() {
  const { t } = useLingui()
  const navigate = useNavigate()
  const { me } = useIdentity()
  const wish = { of: 'mine' as const, limit: 100 }
  const found = useQuery({ queryKey: ['market', 'list', wish], queryFn: () => market.list(wish), enabled: me !== null })
  if (me === null) return <EmptyState title={t`Sign in first`} text={t`Publications belong to an account.`} />
  if (found.isPending) return <PageLoading />
  if (found.isError) return <EmptyState title={t`The store can't be reached`} text={wordsOfError(found.error)} />
  const { apps } = found.data
  return (
    <>
      <header className={style['head']}>
        <h1>
          <Trans>My publications</Trans>
        </h1>
        <p>
          <Link to="/store/author/$profileId" params={{ profileId: me.id }}>
            <Trans>My page as others see it</Trans>
          </Link>
        </p>
      </header>
      {apps.length === 0 ? (
        <EmptyState
          title={t`Nothing published yet`}
          text={t`Choose “Publish to the store” in the menu of a file, or Share and then Publish while it is open.`}
          action={
            <Button type="primary" onClick={() => void navigate({ to: '/workspace/recent' })}>
              <Trans>Choose a file to publish</Trans>
            </Button>
          }
        />
      ) : (
        <ul className={style['own']}>
          {apps.map(app => (
            <li key={app.id}>
              <Own app={app} />
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

function Counts({ of }: { of: AppCard['counts'] }) {
  const short = useShort()
  const [views, likes, downloads, comments] = [short(of.views), short(of.likes), short(of.downloads), short(of.comments)]
  return (
    <p className={style['hint']}>
      <Trans>
        <Plural value={of.views} one="# view" other={`${views} views`} />, <Plural value={of.likes} one="# like" other={`${likes} likes`} />
        , <Plural value={of.downloads} one="# download" other={`${downloads} downloads`} />,{' '}
        <Plural value={of.comments} one="# comment" other={`${comments} comments`} />
      </Trans>
    </p>
  )
}

function Own({ app }: { app: AppCard }) {
  const { t } = useLingui()
  const words = useWords()
  const queries = useQueryClient()
  const [editing, setEditing] = useState<Source | null>(null)
  const [appealing, setAppealing] = useState(false)
  const [busy, setBusy] = useState(false)
  const allows = (step: AppStep): boolean => appNext[app.state][step] !== null
  const act = (work: () => Promise<void>, done: string): void => {
    setBusy(true)
    work()
      .then(() => say(done), complain)
      .finally(() => {
        setBusy(false)
        void queries.invalidateQueries({ queryKey: ['market'] })
      })
  }
  const edit = async (): Promise<void> => {
    const info = await market.app(app.id, app.draft)
    const main = info.files[0]
    if (info.source === null || main === undefined) return complain(t`The file it is made from is gone: it can’t be updated.`)
    setEditing({ id: info.source, name: main.name, kind: main.kind })
  }
  const drop = async (): Promise<void> => {
    const sure = await confirmed({
      title: app.state === 'publishing' ? t`Drop “${app.name}”?` : t`Drop what is prepared?`,
      content: app.state === 'publishing' ? t`The file itself stays as it is.` : t`What is on the shelf stays there.`,
      ok: t`Drop it`,
      cancel: t`Cancel`,
    })
    if (sure) await market.discard(app.id)
  }
  const button = (key: string, label: ReactNode, run: () => void, primary = false) => (
    <Button key={key} size="small" type={primary ? 'primary' : 'default'} loading={busy} onClick={run}>
      {label}
    </Button>
  )
  return (
    <article className={style['ownRow']}>
      <div className={style['ownCover']}>
        <AppCover app={app} draft={app.state === 'publishing'} />
      </div>
      <div className={style['ownText']}>
        <h2>
          <Link to="/store/recommend/app/$appId" params={{ appId: app.id }}>
            {app.name}
          </Link>
        </h2>
        <p className={`${style['hint']} ${style['labels']}`}>
          <Tag color={tones[app.state]}>{words(appStateLabels[app.state])}</Tag>
          {app.hidden ? (
            <Tag color="red">
              <Trans>Hidden</Trans>
            </Tag>
          ) : null}
          {app.draft && app.state !== 'publishing' ? (
            <Tag color="blue">
              <Trans>A new version is prepared</Trans>
            </Tag>
          ) : null}
          <span>
            {words(appKindLabels[app.kind])} · <Trans>version {app.version}</Trans> · <When at={app.at} />
          </span>
        </p>
        <Counts of={app.counts} />
      </div>
      <div className={style['ownDeeds']}>
        {app.draft ? (
          <a href={`/embed_test_marketapp/${app.id}`} target="_blank" rel="noreferrer">
            <Trans>Test</Trans>
          </a>
        ) : null}
        {app.draft && allows('publish')
          ? button('publish', <Trans>Publish</Trans>, () => act(() => market.publish(app.id), t`“${app.name}” is published.`), true)
          : null}
        {allows('update')
          ? button('update', app.state === 'publishing' ? <Trans>Go on</Trans> : <Trans>Update</Trans>, () => void edit().catch(complain))
          : null}
        {app.draft && allows('discard') ? button('discard', <Trans>Drop</Trans>, () => act(drop, t`Done.`)) : null}
        {allows('takeOff')
          ? button('off', <Trans>Take off the shelf</Trans>, () => act(() => market.takeOff(app.id), t`“${app.name}” is off the shelf.`))
          : null}
        {allows('putBack')
          ? button('back', <Trans>Put back</Trans>, () => act(() => market.putBack(app.id), t`“${app.name}” is on the shelf again.`))
          : null}
        {app.hidden ? button('appeal', <Trans>Appeal</Trans>, () => setAppealing(true)) : null}
      </div>
      {editing === null ? null : <PublishWizard file={editing} close={() => setEditing(null)} />}
      {appealing ? <AppealDialog target={{ about: 'app', target: app.id }} name={app.name} close={() => setAppealing(false)} /> : null}
    </article>
  )
}
