import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Navigate, useNavigate, useParams } from '@tanstack/react-router'
import { useLiveQuery } from 'dexie-react-hooks'
import { useEffect } from 'react'
import { canManage, canWrite } from '../../sync-server/protocol.ts'
import { identity } from '../account/identity.ts'
import { ApiError, api } from '../api.ts'
import { device } from '../local/device.ts'
import type { FileKind } from '../local/device.ts'
import { renameFile, touchFile } from '../local/files.ts'
import { DEVICE_USER } from '../local/place.ts'
import type { Place } from '../local/place.ts'
import { readAhead } from '../session.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { PageLoading } from '../ui/loading/PageLoading.tsx'
import { PlainButton } from '../ui/PlainButton.tsx'
import { wordsOfError, wordsOfSessionError } from '../ui/notices.ts'
import { complain } from '../ui/toast.ts'
import { addressOf } from '../workspace/files/address.ts'
import { useSpaces } from '../workspace/team/spaces.ts'
import { mayCopy } from '../workspace/files/standing.ts'
import { useFiles, usePlace } from '../workspace/usePlace.ts'
import { Document } from './Document.tsx'
import style from './routes.module.css'

/** Begins to read the file that the page at this path is about to open. */
export function readFileAhead(path: string): void {
  const [, , team = '', id = ''] = path.split('/').map(decodeURIComponent)
  const { me, onDevice } = identity.getState()
  const user = team === 'device' || (me === null && onDevice) ? DEVICE_USER : me?.id
  if (user !== undefined && id !== '') void readAhead(device, user, id)
}

/** A file in its editor, from any address; `kind` is the kind in the address, used until the lists are loaded. */
export function Modeling({ kind }: { kind: FileKind | null }) {
  const { teamCode = '', modelId, blockId, experimentId, chartId } = useParams({ strict: false })
  const id = modelId ?? blockId ?? experimentId ?? chartId ?? ''
  const place = usePlace(teamCode)
  if (place === null) return null
  // A user without an account has no other files here.
  if (place.local && teamCode !== 'device') return <Navigate to="/login" search={{ to: `/modeling/${teamCode}/${id}` }} />
  return <ModelingOf key={id} place={place} team={teamCode} id={id} kind={kind} />
}

function ModelingOf({ place, team, id, kind }: { place: Place; team: string; id: string; kind: FileKind | null }) {
  const { t } = useLingui()
  useFiles(place)
  const spaces = useSpaces().data
  const file = useLiveQuery(async () => (await device.files.get([place.user.id, id])) ?? null, [place.user.id, id])
  useEffect(() => {
    touchFile(place, id).catch((error: unknown) => console.warn('recent files', error))
  }, [place, id])
  // A folder or a tag set has a page of its own; a file that was moved, another address.
  if (file != null && (file.kind === 'folder' || file.kind === 'project' || file.kind === 'library' || file.kind === 'tag-set'))
    return <Navigate to={addressOf(file)} replace />
  if (file == null && kind === null) return <Unlisted id={id} />
  const mayRename = file != null && canWrite(file.role)
  const mayShare = file != null && !place.local && canManage(file.role)
  return (
    <Document
      place={place}
      docId={id}
      team={file?.team ?? team}
      kind={file?.kind ?? kind ?? 'model'}
      // The lists are read in a moment.
      title={file === undefined ? '' : (file?.name ?? t`Model`)}
      {...(file?.parent == null ? {} : { backTo: `/workspace/${place.local ? 'device' : file.team}/project/${file.parent}` })}
      {...(mayShare ? { share: file.owner } : {})}
      {...(file == null || spaces === undefined ? {} : { mayCopy: mayCopy(file, spaces) })}
      {...(mayRename ? { rename: (title: string) => void renameFile(place, id, title).catch(complain) } : {})}
    />
  )
}

/** Not in the lists of this device: either they have not arrived yet, or the user has no access to it. */
function Unlisted({ id }: { id: string }) {
  const navigate = useNavigate()
  const asked = useQuery({ queryKey: ['file', id], queryFn: () => api.file(id), retry: false })
  if (asked.error === null) return <PageLoading />
  const { title, text } = wordsOfSessionError('no-document')
  const isGone = asked.error instanceof ApiError && asked.error.code === 'not-found'
  return (
    <main className={style['stop']}>
      <EmptyState
        title={title}
        text={isGone ? text : wordsOfError(asked.error)}
        action={
          <PlainButton primary onClick={() => void navigate({ to: '/workspace/recent' })}>
            <Trans>To the workspace</Trans>
          </PlainButton>
        }
      />
    </main>
  )
}
