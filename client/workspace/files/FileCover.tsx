// The picture of a file: the chosen cover or the one the editor drew, else the picture of the sample it is a copy of, else its boxes, else the icon of its kind.
import { useLiveQuery } from 'dexie-react-hooks'
import { useEffect, useMemo, useState } from 'react'
import { device, type FileRow } from '../../local/device.ts'
import { DEVICE_USER } from '../../local/place.ts'
import { Drawing, type Subject } from '../../ui/Drawing.tsx'
import { samples } from '../../../model-schema/samples.ts'
import { PreviewCover, SampleCover } from './Cover.tsx'
import { FileIcon, comesFirst } from './kinds.tsx'
import style from '../workspace.module.css'

type Props = { file: Pick<FileRow, 'user' | 'id' | 'kind' | 'cover' | 'preview' | 'sample'> }

export function FileCover({ file }: Props) {
  const [failed, setFailed] = useState<string | null>(null)
  const own = useDeviceCover(file)
  const source = file.cover === null ? own : `/api/files/${encodeURIComponent(file.id)}/cover?v=${file.cover}`
  if (source !== null && failed !== source)
    return (
      <img
        className={style['coverImage']}
        src={source}
        alt=""
        loading="lazy"
        decoding="async"
        draggable={false}
        onError={() => setFailed(source)}
      />
    )
  const sample = samples.find(({ id }) => id === file.sample)
  if (sample !== undefined) return <SampleCover sample={sample} />
  if (file.kind === 'model' || file.kind === 'block' || (file.kind === 'dashboard' && file.preview))
    return <PreviewCover preview={file.preview ?? null} />
  const drawing = drawings[file.kind]
  if (drawing !== undefined)
    return (
      <span className={style['kindCover']}>
        <Drawing of={drawing} />
      </span>
    )
  return (
    <span className={style['kindCover']} data-holder={comesFirst(file.kind) || undefined}>
      <FileIcon kind={file.kind} />
    </span>
  )
}

/** What a file of a kind will show, while it shows nothing yet. */
const drawings: Readonly<Record<string, Subject>> = { experiment: 'results', chart: 'chart', dashboard: 'dashboard' }

/** The address of the cover that this device keeps of a file of its own; null without one. */
function useDeviceCover({ user, id }: Props['file']): string | null {
  const row = useLiveQuery(async () => (user === DEVICE_USER ? await device.covers.get([user, id]) : undefined), [user, id])
  const picture = row?.picture
  const address = useMemo(() => (picture === undefined ? null : URL.createObjectURL(picture)), [picture])
  useEffect(() => () => void (address !== null && URL.revokeObjectURL(address)), [address])
  return address
}
