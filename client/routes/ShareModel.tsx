import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Navigate, useNavigate, useParams } from '@tanstack/react-router'
import { Suspense, useMemo } from 'react'
import { useIdentity } from '../account/identity.ts'
import { api } from '../api.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { PageLoading } from '../ui/PageLoading.tsx'
import { PlainButton } from '../ui/PlainButton.tsx'
import { wordsOfError } from '../ui/notices.ts'
import { lazyPart } from '../ui/updates.ts'
import style from './routes.module.css'

const loadDocument = () => import('./Document.tsx')
const Document = lazyPart(async () => (await loadDocument()).Document)
// While the server is asked about the link, what will show the model is already on its way.
loadDocument().catch((error: unknown) => console.warn('loading ahead', error))

/** A model reached by a link. Its owner lands in the model itself. */
export function ShareModel() {
  const { t } = useLingui()
  const { code } = useParams({ from: '/private/share/model/$code' })
  const { me } = useIdentity()
  const navigate = useNavigate()
  const guestName = t`Guest`
  const opened = useQuery({ queryKey: ['share', code, me?.id], queryFn: () => api.openShare(code), retry: false })
  // Without an account one is a guest of the link: the server knows no more, and the copy on this device is kept apart.
  const place = useMemo(
    () => ({
      user: me === null ? { id: 'guest', name: guestName } : { id: me.id, name: me.name },
      team: me?.team ?? 'guest',
      local: false,
    }),
    [me, guestName],
  )
  if (opened.isPending) return <PageLoading />
  if (opened.error !== null) {
    return (
      <main className={style['stop']}>
        <EmptyState
          title={t`This link can't be opened`}
          text={wordsOfError(opened.error)}
          action={
            <span className={style['row']}>
              <PlainButton primary onClick={() => void navigate({ to: '/workspace/recent' })}>
                <Trans>To the workspace</Trans>
              </PlainButton>
              <PlainButton onClick={() => void opened.refetch()}>
                <Trans>Try again</Trans>
              </PlainButton>
            </span>
          }
        />
      </main>
    )
  }
  const { docId, name, team } = opened.data
  if (me !== null && team === me.team)
    return <Navigate to="/modeling/$teamCode/$modelId" params={{ teamCode: team, modelId: docId }} replace />
  return (
    <Suspense fallback={<PageLoading />}>
      <Document place={place} docId={docId} title={name} team={team} shareCode={code} />
    </Suspense>
  )
}
