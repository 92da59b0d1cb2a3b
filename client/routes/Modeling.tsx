import { useLingui } from '@lingui/react/macro'
import { Navigate, useParams } from '@tanstack/react-router'
import { useLiveQuery } from 'dexie-react-hooks'
import { useEffect } from 'react'
import { canManage, canWrite } from '../../sync-server/protocol.ts'
import { device } from '../local/device.ts'
import type { FileKind } from '../local/device.ts'
import { renameFile, touchFile } from '../local/files.ts'
import type { Place } from '../local/place.ts'
import { PageLoading } from '../ui/PageLoading.tsx'
import { complain } from '../ui/toast.ts'
import { addressOf } from '../workspace/address.ts'
import { useSpaces } from '../workspace/spaces.ts'
import { may } from '../workspace/standing.ts'
import { useFiles, usePlace } from '../workspace/usePlace.ts'
import { Document } from './Document.tsx'

/** A file in its editor, whatever address it was reached by; `kind` is what the address says it is until the lists say so. */
export function Modeling({ kind }: { kind: FileKind | null }) {
  const { teamCode = '', modelId, blockId, experimentId, chartId } = useParams({ strict: false })
  const id = modelId ?? blockId ?? experimentId ?? chartId ?? ''
  const place = usePlace(teamCode)
  if (place === null) return null
  // Somebody who works on this device alone has no other files here.
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
  if (file == null && kind === null) return <PageLoading />
  const mayRename = file != null && canWrite(file.role)
  const mayShare = file != null && !place.local && canManage(file.role)
  return (
    <Document
      place={place}
      docId={id}
      team={file?.team ?? team}
      kind={file?.kind ?? kind ?? 'model'}
      title={file?.name ?? t`Model`}
      {...(file?.parent == null ? {} : { backTo: `/workspace/${place.local ? 'device' : file.team}/project/${file.parent}` })}
      {...(mayShare ? { share: file.owner } : {})}
      {...(file == null || spaces === undefined ? {} : { mayCopy: may(file, 'copyOut', spaces) })}
      {...(mayRename ? { rename: (title: string) => void renameFile(place, id, title).catch(complain) } : {})}
    />
  )
}
