import { Trans, useLingui } from '@lingui/react/macro'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Navigate, useNavigate, useParams } from '@tanstack/react-router'
import { nanoid } from 'nanoid'
import { Suspense, useMemo, useState } from 'react'
import { say as words } from '../../model-schema/words.ts'
import { useIdentity } from '../account/identity.ts'
import { ApiError, api } from '../api.ts'
import type { Opened } from '../api.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { PageLoading } from '../ui/loading/PageLoading.tsx'
import { PlainButton } from '../ui/PlainButton.tsx'
import { wordsOfError } from '../ui/notices.ts'
import { complain, say } from '../ui/toast.ts'
import { importedPart } from '../ui/loading/updates.ts'
import style from './routes.module.css'

const loadDocument = () => import('./Document.tsx')
const Document = importedPart(loadDocument, module => module.Document)
// While the server is asked about the link, the viewer is already loading.
loadDocument().catch((error: unknown) => console.warn('loading ahead', error))

/** Why a document behind a link that allows no copies is not copied. */
const notCopied = words('The person who shared this model does not let it be copied.')

/** A file opened by a link. A user with the file in their own workspace is redirected to it. */
export function ShareModel() {
  const { t } = useLingui()
  const { code } = useParams({ from: '/share/model/$code' })
  const { me } = useIdentity()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const guestName = t`Guest`
  const title = useLinkTitle()
  const key = ['share', code, me?.id]
  const opened = useQuery({ queryKey: key, queryFn: () => api.openShare(code), retry: false, staleTime: Infinity })
  // Without an account the user is a guest of the link: the server has no identity, and the copy on this device is stored separately.
  const place = useMemo(
    () => ({
      user: me === null ? { id: 'guest', name: guestName } : { id: me.id, name: me.name },
      team: me?.team ?? 'guest',
      local: false,
    }),
    [me, guestName],
  )
  if (opened.isPending) return <PageLoading />
  if (opened.error instanceof ApiError && opened.error.code === 'share-password')
    return <Password code={code} done={answer => queries.setQueryData(key, answer)} />
  if (opened.error !== null) {
    return (
      <main className={style['stop']}>
        <EmptyState
          title={title(opened.error)}
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
  const { docId, name, team, kind, pass, mayCopy } = opened.data
  if (me !== null && team === me.team)
    return <Navigate to="/modeling/$teamCode/$modelId" params={{ teamCode: team, modelId: docId }} replace />
  const takeCopy = async (): Promise<void> => {
    if (me === null) return navigate({ to: '/login', search: { to: `/share/model/${code}` } })
    const id = nanoid()
    await api.copyFile(docId, { id, name, team: me.team, share: pass ?? code })
    say(t`A copy is in your workspace.`)
    await navigate({ to: '/modeling/$teamCode/$modelId', params: { teamCode: me.team, modelId: id } })
  }
  return (
    <Suspense fallback={<PageLoading />}>
      <Document
        place={place}
        docId={docId}
        title={name}
        team={team}
        kind={kind}
        shareCode={pass ?? code}
        mayCopy={mayCopy === true || notCopied}
        extra={
          <>
            {mayCopy === true ? (
              <PlainButton onClick={() => void takeCopy().catch(complain)}>
                <Trans>Make a copy</Trans>
              </PlainButton>
            ) : null}
            {me === null ? (
              <PlainButton onClick={() => void navigate({ to: '/login', search: { to: `/share/model/${code}` } })}>
                <Trans>Sign in</Trans>
              </PlainButton>
            ) : null}
          </>
        }
      />
    </Suspense>
  )
}

/** A link with a password asks for it; a wrong one shows an error and asks again. */
function Password({ code, done }: { code: string; done: (opened: Opened) => void }) {
  const { t } = useLingui()
  const [password, setPassword] = useState('')
  const unlock = useMutation({ mutationFn: () => api.unlockShare(code, password), onSuccess: done })
  return (
    <main className={style['stop']}>
      <EmptyState
        title={t`This link asks for a password`}
        text={t`Whoever sent you the link knows it.`}
        action={
          <form
            className={style['password']}
            onSubmit={event => {
              event.preventDefault()
              if (password !== '' && !unlock.isPending) unlock.mutate()
            }}
          >
            <input
              type="password"
              value={password}
              autoFocus
              autoComplete="off"
              maxLength={128}
              aria-label={t`Password`}
              aria-invalid={unlock.isError}
              aria-describedby="share-password-problem"
              onChange={event => setPassword(event.target.value)}
            />
            <PlainButton primary submit>
              <Trans>Open</Trans>
            </PlainButton>
            <p id="share-password-problem" role="alert">
              {unlock.error === null ? '' : wordsOfError(unlock.error)}
            </p>
          </form>
        }
      />
    </main>
  )
}

/** What is wrong with the link, as a heading. */
function useLinkTitle(): (error: unknown) => string {
  const { t } = useLingui()
  return error => {
    const code = error instanceof ApiError ? error.code : null
    if (code === 'share-expired') return t`This link is over`
    if (code === 'share-used-up') return t`This link is used up`
    return t`This link can't be opened`
  }
}
