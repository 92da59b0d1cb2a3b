// A file to look at and to run, without its editor: `/file/{team}/{file}`, and for a starred block `/star_block/{team}/{block}`. What others
// change shows at once; nothing can be changed here. A dashboard's page is its own viewer; folders and tag sets have pages of their own.
import { EditOutlined, StarFilled, StarOutlined } from '@ant-design/icons'
import { Trans, useLingui } from '@lingui/react/macro'
import { Navigate, useNavigate, useParams } from '@tanstack/react-router'
import { Button } from 'antd'
import { useLiveQuery } from 'dexie-react-hooks'
import { Suspense, useCallback, useEffect, useMemo } from 'react'
import { useRunLimits } from '../billing/planOfFile.ts'
import { device } from '../local/device.ts'
import type { FileRow } from '../local/device.ts'
import { setFavourite, touchFile } from '../local/files.ts'
import type { Place } from '../local/place.ts'
import { openSession, viewOnly } from '../session.ts'
import type { Session } from '../session.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Logo } from '../ui/Logo.tsx'
import { PageLoading } from '../ui/loading/PageLoading.tsx'
import { wordsOfSessionError } from '../ui/notices.ts'
import { complain } from '../ui/toast.ts'
import { framed } from '../ui/framed.tsx'
import { importedPart } from '../ui/loading/updates.ts'
import { addressOf, hasViewer } from '../workspace/files/address.ts'
import { useSpaces } from '../workspace/team/spaces.ts'
import { mayCopy } from '../workspace/files/standing.ts'
import { useFiles, usePlace } from '../workspace/usePlace.ts'
import { Modeling } from './Modeling.tsx'
import { useSession } from './useSession.ts'
import style from './routes.module.css'

const ModelView = importedPart(
  () => import('./ModelView.tsx'),
  module => module.ModelView,
)
const DashboardView = framed(async () => (await import('../dashboards/DashboardView.tsx')).DashboardView)
const ExperimentEditor = framed(async () => (await import('../experiments/ExperimentEditor.tsx')).ExperimentEditor)

const wholePage = { show: 'full', card: null } as const

export function Viewer({ starred = false }: { starred?: boolean }) {
  const { teamCode = '', modelId, blockId } = useParams({ strict: false })
  const id = modelId ?? blockId ?? ''
  const place = usePlace(teamCode)
  if (place === null) return null
  return <ViewerOf key={id} place={place} id={id} starred={starred} />
}

function ViewerOf({ place, id, starred }: { place: Place; id: string; starred: boolean }) {
  useFiles(place)
  const file = useLiveQuery(async () => (await device.files.get([place.user.id, id])) ?? null, [place.user.id, id])
  if (file === undefined) return <PageLoading />
  // Not in the lists of this device: the same page says whether it is to come, or gone.
  if (file === null) return <Modeling kind={null} />
  if (hasViewer(file.kind)) return <Look place={place} file={file} starred={starred} />
  // A dashboard's editor has no other address.
  if (file.kind === 'dashboard') return <Modeling kind="dashboard" />
  return <Navigate to={addressOf(file)} replace />
}

function Look({ place, file, starred }: { place: Place; file: FileRow; starred: boolean }) {
  const { t } = useLingui()
  const navigate = useNavigate()
  const opening = useSession({ docId: file.id, local: place.local, user: place.user })
  useEffect(() => {
    touchFile(place, file.id).catch((error: unknown) => console.warn('recent files', error))
  }, [place, file.id])
  useEffect(() => {
    document.title = `${file.name} – Holarchy`
    return () => void (document.title = 'Holarchy')
  }, [file.name])
  if (opening.state === 'opening') return <PageLoading />
  if (opening.state === 'failed') {
    const { title, text } = wordsOfSessionError(opening.code)
    return (
      <main className={style['stop']}>
        <EmptyState title={title} text={text} />
      </main>
    )
  }
  const star = file.favourite ? t`Remove the star` : t`Star this block`
  return (
    <div className={style['viewer']}>
      <header className={style['top']}>
        <span className={style['viewed']}>
          <Logo />
          <h1>{file.name}</h1>
          <small>
            {file.onlyView === true ? (
              <Trans>You may only view and run this</Trans>
            ) : starred ? (
              <Trans>Block, to look at and run</Trans>
            ) : (
              <Trans>To look at and run; nothing is changed here</Trans>
            )}
          </small>
        </span>
        {file.kind === 'block' ? (
          <Button
            type="text"
            icon={file.favourite ? <StarFilled aria-hidden /> : <StarOutlined aria-hidden />}
            aria-label={star}
            aria-pressed={file.favourite}
            title={star}
            onClick={() => void setFavourite(place, file.id, !file.favourite).catch(complain)}
          />
        ) : null}
        {file.onlyView === true ? null : (
          <Button icon={<EditOutlined aria-hidden />} onClick={() => void navigate({ to: addressOf(file) })}>
            <Trans>Open in the editor</Trans>
          </Button>
        )}
      </header>
      <Suspense fallback={<PageLoading />}>
        <Content session={opening.session} place={place} file={file} />
      </Suspense>
    </div>
  )
}

/** What the viewer shows of each kind. */
function Content({ session, place, file }: { session: Session; place: Place; file: FileRow }) {
  const { data: spaces = [] } = useSpaces()
  const limits = useRunLimits(session)
  const navigate = useNavigate()
  const { target } = session
  const openModel = useCallback((docId: string) => openSession({ docId, local: target.local, user: target.user }), [target])
  const viewed = useMemo(() => viewOnly(session), [session])
  switch (file.kind) {
    case 'chart':
      return <DashboardView session={viewed} title={null} controls part={wholePage} openModel={openModel} limits={limits} />
    case 'experiment':
      return <ExperimentEditor session={viewed} title={file.name} teamCode={place.local ? 'device' : file.team} backTo="" bar={null} />
    default:
      return (
        <ModelView
          session={viewed}
          title={null}
          controls
          mayCopy={mayCopy(file, spaces)}
          limits={limits}
          onEmpty={
            file.onlyView === true ? null : (
              <Button type="primary" onClick={() => void navigate({ to: addressOf(file) })}>
                <Trans>Build it in the editor</Trans>
              </Button>
            )
          }
        />
      )
  }
}
