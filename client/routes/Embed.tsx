// The page behind an embed code, shown inside pages of others: a model's canvas and its run, or a dashboard to be used; read only, without names or
// ways out.
import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { Suspense, useCallback, useEffect, useMemo } from 'react'
import { ApiError, api } from '../api.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { PageLoading } from '../ui/loading/PageLoading.tsx'
import { PlainButton } from '../ui/PlainButton.tsx'
import { framed } from '../ui/framed.tsx'
import { wordsOfError } from '../ui/notices.ts'
import { theme } from '../ui/theme.ts'
import { embedOptionsOf } from '../workspace/share/embedding.ts'
import { openEmbed, openEmbeddedModel } from './embedded.ts'
import { useOpened } from './useOpened.ts'
import style from './routes.module.css'

const ModelView = framed(async () => (await import('./ModelView.tsx')).ModelView)
const DashboardView = framed(async () => (await import('../dashboards/DashboardView.tsx')).DashboardView)

const isPage = (kind: string): boolean => kind === 'dashboard' || kind === 'chart'

export function Embed() {
  const { t } = useLingui()
  const { code = '' } = useParams({ strict: false })
  const embed = useQuery({ queryKey: ['embed', code], queryFn: () => api.openEmbed(code), retry: false, staleTime: Infinity })
  const options = embedOptionsOf(embed.data?.options ?? {})
  const mode = options.theme
  useEffect(() => {
    if (mode !== 'system') theme.setState({ mode, dark: mode === 'dark' })
  }, [mode])
  const docId = embed.data?.docId
  const kind = embed.data?.kind ?? ''
  const open = useMemo(
    () => (docId === undefined || (kind !== 'model' && !isPage(kind)) ? null : () => openEmbed(code, docId)),
    [code, docId, kind],
  )
  const { session, failed } = useOpened(open)
  const openModel = useCallback((model: string) => openEmbeddedModel(code, model), [code])
  const error = embed.error ?? failed
  if (error !== null)
    return (
      <main className={style['stop']}>
        <EmptyState
          title={error instanceof ApiError && error.code === 'embed-closed' ? t`Not shown any more` : t`This can't be shown`}
          text={wordsOfError(error)}
          action={
            error instanceof ApiError && error.final ? undefined : (
              <PlainButton onClick={() => location.reload()}>
                <Trans>Try again</Trans>
              </PlainButton>
            )
          }
        />
      </main>
    )
  if (embed.data !== undefined && kind !== 'model' && !isPage(kind))
    return (
      <main className={style['stop']}>
        <EmptyState title={embed.data.name} text={t`This kind of file can't be shown here yet.`} />
      </main>
    )
  if (session === null || embed.data === undefined) return <PageLoading />
  return (
    <Suspense fallback={<PageLoading />}>
      {isPage(kind) ? (
        <DashboardView
          session={session}
          title={options.title ? embed.data.name : null}
          controls={options.controls}
          part={options}
          openModel={openModel}
        />
      ) : (
        <ModelView session={session} title={options.title ? embed.data.name : null} controls={options.controls} />
      )}
    </Suspense>
  )
}
