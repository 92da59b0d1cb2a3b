// A document on the page: opened, shown in the editor of its kind, with what must be said about it.
import { Trans, useLingui } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Suspense, useEffect, useEffectEvent, useState } from 'react'
import type { ComponentType, ReactNode } from 'react'
import { useStore } from 'zustand'
import { copyName } from '../local/background.ts'
import type { Place } from '../local/place.ts'
import { keepPreview } from '../local/preview.ts'
import { recoverCopy } from '../local/push.ts'
import { keepKey } from '../run/keptKey.ts'
import type { Session } from '../session.ts'
import { Banner } from '../ui/Banner.tsx'
import { DocumentLoading } from '../ui/loading/DocumentLoading.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { PlainButton } from '../ui/PlainButton.tsx'
import { wordsOfNotice, wordsOfSessionError } from '../ui/notices.ts'
import { complain, notify } from '../ui/toast.ts'
import { importedPart } from '../ui/loading/updates.ts'
import { isFileKind } from '../local/device.ts'
import type { Someone } from '../local/device.ts'
import { editors, ModelEditor } from './editors.tsx'
import type { EditorProps } from './editors.tsx'
import { useSession } from './useSession.ts'
import style from './routes.module.css'
import type { Words } from '../../model-schema/words.ts'

const DocumentBounds = importedPart(
  () => import('../billing/DocumentBounds.tsx'),
  module => module.DocumentBounds,
)
const ShareButton = importedPart(
  () => import('../workspace/share/ShareButton.tsx'),
  module => module.ShareButton,
)

type Props = {
  place: Place
  docId: string
  title: string
  team: string
  /** What it is, by which its editor is chosen. */
  kind: string
  shareCode?: string
  /** The target of the way back; Recent by default. */
  backTo?: string
  /** Actions of a visitor, next to the editor. */
  extra?: ReactNode
  /** Absent when the person may not rename. */
  rename?: (title: string) => void
  /** The owner of the file, if the user may share it. */
  share?: Someone
  /** Why it may not be copied; true or nothing where it may. */
  mayCopy?: true | Words
}

export function Document(props: Props) {
  const [turn, setTurn] = useState(0)
  const Editor = isFileKind(props.kind) ? editors[props.kind] : undefined
  if (Editor === undefined) return <NoEditor title={props.title} />
  return <Opened key={`${props.place.user.id}/${props.docId}/${turn}`} {...props} Editor={Editor} again={() => setTurn(turn + 1)} />
}

/** A kind that is listed and shared, and can't be looked into yet. */
function NoEditor({ title }: { title: string }) {
  const { t } = useLingui()
  const navigate = useNavigate()
  return (
    <main className={style['stop']}>
      <EmptyState
        title={title}
        text={t`The editor for this kind of file is not available yet. The file itself is safe: it can be renamed, moved, shared and found.`}
        action={
          <PlainButton primary onClick={() => void navigate({ to: '/workspace/recent' })}>
            <Trans>To the workspace</Trans>
          </PlainButton>
        }
      />
    </main>
  )
}

type OpenedProps = Props & { Editor: ComponentType<EditorProps>; again: () => void }

function Opened({ place, docId, title, team, kind, shareCode, backTo, rename, share, mayCopy, extra, Editor, again }: OpenedProps) {
  const [sketched] = useState(Editor === ModelEditor)
  useEffect(keepKey, [])
  const opening = useSession({ docId, local: place.local, user: place.user, ...(shareCode === undefined ? {} : { shareCode }) }, sketched)
  useEffect(() => {
    document.title = title === '' ? 'Holarchy' : `${title} – Holarchy`
    return () => void (document.title = 'Holarchy')
  }, [title])
  usePreview(opening.state === 'open' ? opening.session : null, place)
  useCatalogueChanges(opening.state === 'open' ? opening.session : null)
  // The lineage on the server is another one: unsent edits become a file of their own, then the new lineage is opened.
  const replaced = opening.state === 'failed' && opening.code === 'epoch'
  useRecovery(replaced, place, docId, again)

  if (opening.state === 'opening' || replaced) return <DocumentLoading title={title} kind={kind} />
  if (opening.state === 'failed') return <Stop code={opening.code} again={again} />
  return (
    <div className={style['editor']}>
      <Notice session={opening.session} place={place} again={again} />
      {place.local || shareCode !== undefined ? null : (
        <Suspense>
          <DocumentBounds session={opening.session} team={team} />
        </Suspense>
      )}
      <Suspense fallback={<DocumentLoading title={title} kind={kind} />}>
        <Editor
          session={opening.session}
          title={title}
          teamCode={team}
          onRename={rename}
          backTo={backTo ?? '/workspace/recent'}
          mayCopy={mayCopy}
          share={
            share === undefined ? (
              extra
            ) : (
              <Suspense>
                <ShareButton file={{ id: docId, name: title, owner: share, team, kind }} />
              </Suspense>
            )
          }
        />
      </Suspense>
    </div>
  )
}

/** Fetches the lists again when the server reports that the file was renamed, or may no longer be opened. */
function useCatalogueChanges(session: Session | null): void {
  const queries = useQueryClient()
  useEffect(() => {
    if (session === null) return
    const refresh = (): void => void queries.invalidateQueries({ queryKey: ['files'] })
    const stopControl = session.watchControl(message => message.type === 'file-changed' && refresh())
    const stopNotice = session.lamps.subscribe((now, before) => now.notice?.code !== before.notice?.code && refresh())
    return () => {
      stopControl()
      stopNotice()
    }
  }, [session, queries])
}

/** Keeps the picture of the model in lists up to date, soon after it changes. */
function usePreview(session: Session | null, place: Place): void {
  const user = place.user.id
  useEffect(() => {
    if (session === null) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const keep = (): void => void keepPreview(user, session.docId, session.model.getState().model).catch(complain)
    const soon = (): void => {
      clearTimeout(timer)
      timer = setTimeout(keep, 1500)
    }
    soon()
    const stop = session.model.subscribe(soon)
    return () => {
      clearTimeout(timer)
      stop()
      keep()
    }
  }, [session, user])
}

/** Keeps unsent edits of a replaced document as a copy, then calls `done`. */
function useRecovery(wanted: boolean, place: Place, docId: string, done: () => void): void {
  const { t } = useLingui()
  const navigate = useNavigate()
  const recover = useEffectEvent(async () => {
    const copy = await recoverCopy(place, docId, copyName)
    const { title, text } = wordsOfNotice('epoch')
    if (copy === null) notify('info', title, t`The document was replaced on the server; this is the new one.`)
    else {
      const open = (): void => void navigate({ to: '/modeling/$teamCode/$modelId', params: { teamCode: place.team, modelId: copy } })
      notify('warning', title, text, {
        stay: true,
        actions: (
          <PlainButton small onClick={open}>
            <Trans>Open the copy</Trans>
          </PlainButton>
        ),
      })
    }
    done()
  })
  useEffect(() => {
    if (wanted) recover().catch(complain)
  }, [wanted])
}

/** What happened to the open document, above the editor. */
function Notice({ session, place, again }: { session: Session; place: Place; again: () => void }) {
  const code = useStore(session.lamps, state => state.notice?.code)
  const [closed, setClosed] = useState(false)
  useRecovery(code === 'epoch', place, session.docId, again)
  if (code === undefined || code === 'epoch') return null
  const { title, text } = wordsOfNotice(code)
  const quiet = code === 'disk-damaged'
  if (quiet && closed) return null
  return (
    <Banner
      tone={quiet ? 'info' : code === 'disk-failed' || code === 'refused' ? 'bad' : 'warn'}
      title={title}
      text={text}
      {...(quiet ? { close: () => setClosed(true) } : {})}
      action={
        code === 'upgrade' || code === 'refused' || code === 'too-large' ? (
          <PlainButton small onClick={() => location.reload()}>
            <Trans>Reload</Trans>
          </PlainButton>
        ) : undefined
      }
    />
  )
}

/** A document that can't be shown: why, and the ways on. */
function Stop({ code, again }: { code: Parameters<typeof wordsOfSessionError>[0]; again: () => void }) {
  const navigate = useNavigate()
  const { title, text } = wordsOfSessionError(code)
  return (
    <main className={style['stop']}>
      <EmptyState
        title={title}
        text={text}
        action={
          <span className={style['row']}>
            <PlainButton primary onClick={() => void navigate({ to: '/workspace/recent' })}>
              <Trans>To the workspace</Trans>
            </PlainButton>
            <PlainButton onClick={again}>
              <Trans>Try again</Trans>
            </PlainButton>
          </span>
        }
      />
    </main>
  )
}
