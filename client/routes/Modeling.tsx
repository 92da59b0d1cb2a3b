import { useLingui } from '@lingui/react/macro'
import { Navigate, useParams } from '@tanstack/react-router'
import { useLiveQuery } from 'dexie-react-hooks'
import { useEffect } from 'react'
import { canManage, canWrite } from '../../sync-server/protocol.ts'
import { device } from '../local/device.ts'
import { renameFile, touchFile } from '../local/files.ts'
import type { Place } from '../local/place.ts'
import { complain } from '../ui/toast.ts'
import { useFiles, usePlace } from '../workspace/usePlace.ts'
import { Document } from './Document.tsx'

/** The model editor of a file. */
export function Modeling() {
  const { teamCode, modelId } = useParams({ from: '/private/modeling/$teamCode/$modelId' })
  const place = usePlace(teamCode)
  if (place === null) return null
  // Somebody who works on this device alone has no other files here.
  if (place.local && teamCode !== 'device') return <Navigate to="/login" search={{ to: `/modeling/${teamCode}/${modelId}` }} />
  return <ModelingOf place={place} team={teamCode} id={modelId} />
}

function ModelingOf({ place, team, id }: { place: Place; team: string; id: string }) {
  const { t } = useLingui()
  useFiles(place)
  const file = useLiveQuery(() => device.files.get([place.user.id, id]), [place.user.id, id])
  useEffect(() => {
    touchFile(place, id).catch((error: unknown) => console.warn('recent files', error))
  }, [place, id])
  const mayRename = file !== undefined && canWrite(file.role)
  const mayShare = file !== undefined && !place.local && canManage(file.role)
  return (
    <Document
      place={place}
      docId={id}
      team={team}
      title={file?.name ?? t`Model`}
      {...(mayShare ? { share: file.owner } : {})}
      {...(mayRename ? { rename: (title: string) => void renameFile(place, id, title).catch(complain) } : {})}
    />
  )
}
