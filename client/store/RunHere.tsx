// A publication run in its page: its documents as published, read-only, nothing is sent anywhere.
import { useLingui } from '@lingui/react/macro'
import { Suspense, useCallback } from 'react'
import { openState, still } from '../routes/embedded.ts'
import { useOpened } from '../routes/useOpened.ts'
import type { Session } from '../session.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { PageLoading } from '../ui/loading/PageLoading.tsx'
import { wordsOfError } from '../ui/notices.ts'
import { importedPart } from '../ui/loading/updates.ts'
import { market } from './market.ts'
import type { AppInfo } from './market.ts'

const ModelView = importedPart(
  () => import('../routes/ModelView.tsx'),
  module => module.ModelView,
)
const DashboardView = importedPart(
  () => import('../dashboards/DashboardView.tsx'),
  module => module.DashboardView,
)

const isPage = (kind: string): boolean => kind === 'dashboard' || kind === 'chart'

/** The files of a publication that can be run, dashboards first. */
export const runnable = (app: Pick<AppInfo, 'files'>): AppInfo['files'] => [
  ...app.files.filter(file => isPage(file.kind)),
  ...app.files.filter(file => file.kind === 'model'),
]

type Props = {
  app: Pick<AppInfo, 'id' | 'version' | 'files'>
  file: AppInfo['files'][number]
  draft?: boolean
  title?: string | null
  inside?: boolean
}

export function RunHere({ app, file, draft = false, title = null, inside = false }: Props) {
  const { t } = useLingui()
  const { id } = app
  const openFile = useCallback(() => open(id, file.id, draft), [id, file.id, draft])
  const { session, failed } = useOpened(openFile)
  const openModel = useCallback((model: string) => still(open(id, model, draft)), [id, draft])
  if (failed !== null) return <EmptyState title={t`This can't be shown`} text={wordsOfError(failed)} />
  if (session === null) return <PageLoading />
  return (
    <Suspense fallback={<PageLoading />}>
      {isPage(file.kind) ? (
        <DashboardView session={session} title={title} controls part={{ show: 'full', card: '' }} openModel={openModel} />
      ) : (
        <ModelView session={session} title={title} controls inside={inside} />
      )}
    </Suspense>
  )
}

const open = (app: string, file: string, draft: boolean): Promise<Session> =>
  openState(`market-${app}`, file, () => market.state(app, file, draft))
